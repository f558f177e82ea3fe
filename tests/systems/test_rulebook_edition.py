"""Test edition files: what they may say, and that what they name is there."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from muster.documents.rulebook import read_editions
from muster.problems import MusterError
from muster.systems import open_system
from muster.systems.lint import lint_system
from tests.systems.conftest import codes


def codes_of_edition(content: Path, text: str) -> list[str]:
    """Add an edition to a system, and return the codes of the issues that it makes."""
    (content / "editions" / "road.yaml").write_text(
        f'id: road\ntitle: Road\ndate: "2025-01-31"\n{text}', encoding="utf-8"
    )
    return codes(content)


EDITIONS: Final = {
    "unknown chapter": ("chapters: [moral]\n", ["unknown-chapter"]),
    "unknown table": ("without_tables: [hitz]\n", ["unknown-table"]),
    "unknown scale": ("scale: 6mm\n", ["unknown-scale"]),
    "sound": ("chapters: [morale, doubtful]\nscale: 28mm\nunit: in\npaper: digest\n", []),
}


@pytest.mark.parametrize(("text", "expected"), EDITIONS.values(), ids=[*EDITIONS])
def test_edition_names_what_is_there(text: str, expected: list[str], content: Path) -> None:
    assert codes_of_edition(content, text) == expected


@pytest.mark.parametrize("date", ["2025-02-30", "20250131", "31.1.2025", "2025-1-31", "2026-13-45"])
def test_date_is_a_day_written_in_full(date: str, content: Path) -> None:
    path = content / "editions" / "standard.yaml"
    path.write_text(f'id: standard\ntitle: Standard\ndate: "{date}"\n', encoding="utf-8")

    (issue,) = lint_system(open_system(content))

    assert (issue.problem.location.line, issue.severity) == (3, "error")
    assert issue.problem.text == f"read {date!r}, expected a date such as 2026-11-22"


@pytest.mark.parametrize("bleed", ["0 mm", "11 mm", "3", "3 cm", "-3 mm", "three mm"])
def test_bleed_is_a_few_millimetres(bleed: str, content: Path) -> None:
    path = content / "editions" / "standard.yaml"
    path.write_text(
        f'id: standard\ntitle: Standard\ndate: "2025-01-31"\nbleed: {bleed}\n', encoding="utf-8"
    )

    (issue,) = lint_system(open_system(content))

    assert (issue.problem.location.line, issue.severity) == (4, "error")
    assert "such as 3 mm" in issue.problem.text


def test_edition_in_a_language_that_no_text_is_in_is_an_error(content: Path) -> None:
    assert codes_of_edition(content, "language: fr-CA\n") == ["untranslated-language"]

    (issue,) = lint_system(open_system(content))
    assert str(issue.problem.location).endswith("road.yaml:4:11")
    assert issue.problem.text == (
        "read 'fr-CA', expected 'en', the language of the system, or that of a file in"
        " translations/, where there is none: `muster translate club fr` begins one"
    )
    with pytest.raises(MusterError, match="untranslated-language"):
        read_editions(open_system(content))


@pytest.mark.parametrize("language", ["en", "en-GB", "fr", "fr-CA"])
def test_edition_may_be_in_the_language_of_the_system_or_a_translation(
    language: str, content: Path
) -> None:
    (content / "translations").mkdir()
    (content / "translations" / "fr.po").write_text('msgid "Fire"\nmsgstr "Tir"\n', "utf-8")

    assert codes_of_edition(content, f"language: {language}\n") == []


def test_edition_of_a_system_without_prose_is_an_error(content: Path) -> None:
    for path in (content / "prose").iterdir():
        path.unlink()

    assert codes(content) == ["edition-without-prose"]


def test_id_of_an_edition_is_its_files_name(content: Path) -> None:
    path = content / "editions" / "standard.yaml"
    path.rename(path.with_name("basic.yaml"))

    assert codes(content) == ["id-is-not-file-name"]


def test_profile_that_a_press_needs_is_missed_at_its_key(content: Path) -> None:
    path = content / "editions" / "standard.yaml"
    text = 'id: standard\ntitle: Standard\ndate: "2025-01-31"\npdf: x-4\n'
    path.write_text(text, encoding="utf-8")

    (issue,) = lint_system(open_system(content))

    assert (issue.problem.location.line, issue.problem.location.column) == (4, 6)


@pytest.mark.parametrize("chapters", ["", "chapters: [turn]\n"])
def test_reference_to_a_table_that_the_edition_leaves_out_is_a_warning(
    chapters: str, content: Path
) -> None:
    path = content / "editions" / "standard.yaml"
    path.write_text(
        f'id: standard\ntitle: Standard\ndate: "2025-01-31"\n{chapters}without_tables: [points]\n',
        encoding="utf-8",
    )

    found = [
        (issue.severity, issue.problem.location.file.rpartition("/")[2], issue.problem.code)
        for issue in lint_system(open_system(content))
    ]

    expected = [("warning", "01-army.md", "reference-to-left-out-table")]
    assert found == ([] if chapters else expected)
