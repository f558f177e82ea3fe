"""Owns the facts about how things look in a terminal, and how typed names are matched.

Does not run a command.
"""

from pathlib import Path

import pytest

from muster.cli import show
from muster.cli.name_matching import NameMatchError, match_name

KNOWN = [("kill-table", "Kill Table"), ("kills", "Kills per figure"), ("b2", "Band −2 to 3")]


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("kill-table", "kill-table"),
        ("Kill Table", "kill-table"),
        ("  KILL   table ", "kill-table"),
        ("kill_table", "kill-table"),
        ("kills", "kills"),
        ("per figure", "kills"),
        ("kil-tabel", "kill-table"),
        ("band -2 to 3", "b2"),
    ],
)
def test_name_is_found(word: str, found: str) -> None:
    assert match_name(word, KNOWN, "table") == found


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("kill", "it may be kill-table, kills"),
        ("figaro table", "the nearest are kill-table"),
        ("zzz", "there are kill-table, kills, b2"),
        ("", "there are"),
    ],
)
def test_unclear_name_is_refused(word: str, said: str) -> None:
    with pytest.raises(NameMatchError, match=said):
        match_name(word, KNOWN, "table")


def test_nothing_is_found_among_nothing() -> None:
    with pytest.raises(NameMatchError, match="no book is called 'x'"):
        match_name("x", [], "book")


def test_same_id_wins_over_another_label() -> None:
    assert match_name("b", [("a", "B"), ("b", "A")], "row") == "b"


def test_columns_stand_under_each_other() -> None:
    lines = show.aligned([("a", "1", "x"), ("bcd", "23", "")], frozenset({1}))

    assert lines == ["a     1  x", "bcd  23"]
    assert show.aligned([]) == []


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [(3, 5, "a.yaml:3:5"), (3, None, "a.yaml:3"), (None, None, "a.yaml")],
)
def test_place_is_as_editors_know_it(line: int | None, column: int | None, expected: str) -> None:
    assert show.place("a.yaml", line, column) == expected


def test_path_is_shortened_below_the_working_folder_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert show.relative_path(tmp_path / "a" / "b") == "a/b"
    assert show.relative_path(tmp_path.parent) == str(tmp_path.parent)
