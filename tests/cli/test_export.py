"""Test which forms `muster export` writes, and where to."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Muster


def test_army_is_printed_as_markdown(muster: Muster) -> None:
    result = muster("export", "first", "--format", "markdown")

    assert result.exit_code == 0
    assert result.stdout.startswith("# ")
    assert "legal." in result.stdout


def test_system_as_text_is_refused_with_what_it_can_be(muster: Muster) -> None:
    result = muster("export", "club", "--format", "markdown")

    assert result.exit_code == 2
    assert "'club' is a rule system, and markdown is for an army" in result.stderr
    assert "muster export club/first --format markdown" in result.stderr


def test_army_as_json_is_refused_with_the_command_for_it(muster: Muster) -> None:
    result = muster("export", "club/first")

    assert result.exit_code == 2
    assert "muster check club/first --format json" in result.stderr


def test_army_is_written_to_a_file(muster: Muster, folder: Path) -> None:
    result = muster("export", "first", "--format", "text", "--out", "list.txt")

    assert result.exit_code == 0
    written = (folder / "list.txt").read_text(encoding="utf-8")
    assert written == muster("export", "first", "--format", "text").stdout


def test_army_as_csv_has_a_head_and_a_row_for_each_part(muster: Muster) -> None:
    lines = muster("export", "first", "--format", "csv").stdout.splitlines()

    assert lines[0].startswith("path,level,id,title")
    assert len(lines) > 2


def test_system_as_csv_is_a_file_for_each_table_and_book(muster: Muster, folder: Path) -> None:
    result = muster("export", "club", "--format", "csv", "--out", "csv")

    assert result.exit_code == 0
    tables = {path.stem for path in (folder / "content" / "club" / "tables").glob("*.yaml")}
    assert {path.stem for path in (folder / "csv" / "tables").iterdir()} == tables
    assert [path.name for path in (folder / "csv" / "books").iterdir()] == ["first-book.csv"]


def test_system_as_csv_needs_a_folder(muster: Muster) -> None:
    result = muster("export", "club", "--format", "csv")

    assert result.exit_code == 2
    assert "muster export club --format csv --out folder" in result.stderr


@pytest.mark.parametrize("form", ["json", "csv", "markdown", "battlescribe"])
def test_misspelt_army_is_told_in_every_format(muster: Muster, form: str) -> None:
    result = muster("export", "frist", "--format", form)

    assert result.exit_code == 2
    assert "there is no rule system, no army and no file 'frist'" in result.stderr
    assert "did you mean 'first'?" in result.stderr


def test_system_goes_by_a_misspelt_name(muster: Muster) -> None:
    assert muster("export", "clubb").stdout == muster("export", "club").stdout


def test_system_and_army_are_written_as_battlescribe_data(muster: Muster, folder: Path) -> None:
    result = muster("export", "club", "--format", "battlescribe", "--out", "data")
    roster = muster("export", "first", "--format", "battlescribe", "--out", "first.ros")

    assert (result.exit_code, roster.exit_code) == (0, 0)
    assert {path.name for path in (folder / "data").iterdir()} == {
        *("club.gst", "first-book.cat", "export-report.txt")
    }
    assert "that the data cannot say: see export-report.txt" in result.stderr
    assert (folder / "first.ros").read_text(encoding="utf-8").count('type="unit"') > 2
    again = muster(
        "import", "battlescribe", "data/club.gst", "data/first-book.cat", "--system", "b"
    )
    assert again.exit_code == 0
    assert muster("lint", "b").exit_code == 0
