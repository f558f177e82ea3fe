"""Tests of which file names can be ids."""

from pathlib import Path

import pytest

from muster.systems.file_names import is_good_name, name_problem

GOOD = [
    "first",
    "1805",
    "Old Guard (1805)",
    "k.u.k. Armee",
    "d'Erlon's I Corps",
    "K\u00f6nigsberg",
    "Ko\u0308nigsberg",
    "\u5c06\u519b",
    "a_b-c, d",
    "a" * 100,
]
BAD = {
    "nothing": "",
    "dot": ".",
    "two dots": "..",
    "dots within": "a..b",
    "hidden": ".first",
    "option": "-rf",
    "dot at the end": "a.",
    "blank at the end": "a ",
    "slash": "a/b",
    "backslash": "a\\b",
    "drive": "c:a",
    "fragment": "a#b",
    "query": "a?b",
    "percent": "a%2e",
    "escape": "a\x1b[2Jb",
    "line break": "a\nb",
    "bell": "a\x07b",
    "bytes": "a\udcffb",
    "right to left": "a\u202eb",
    "quote": 'a"b',
    "tag": "a<b>",
    "substitution": "a$(b)",
    "backquote": "a`b`",
    "pipe": "a|b",
    "long": "a" * 101,
}


@pytest.mark.parametrize("name", GOOD)
def test_name_of_letters_digits_and_blanks_is_good(name: str) -> None:
    assert is_good_name(name)


@pytest.mark.parametrize("name", BAD.values(), ids=BAD)
def test_name_that_means_something_elsewhere_is_not(name: str) -> None:
    assert not is_good_name(name)


def test_problem_shows_what_cannot_be_seen() -> None:
    problem = name_problem(Path("armies") / "club" / "a\x1b[2J\udcff.yaml")

    assert problem.render().isprintable()
    assert r"'a\x1b[2J\udcff.yaml'" in problem.text
