"""Test problems: how they are written out and raised, and which word may have been meant."""

from __future__ import annotations

import pickle
from pathlib import Path
from time import perf_counter

import pytest

from muster.problems import (
    Location,
    MusterError,
    Problem,
    Problems,
    closest_word,
    did_you_mean,
    display_path,
    pip_command,
)

HERE = Location("army.yaml", 3, 8)
KNOWN = ("title", "chapter", "Phase")


def test_a_problem_shows_its_place_its_line_a_caret_and_an_example() -> None:
    problem = Problem("bad-value", "read 'x', expected dice", HERE, "dice:  x", "2d6+1")

    assert problem.render().splitlines() == [
        "army.yaml:3:8: read 'x', expected dice [bad-value]",
        "    dice:  x",
        "           ^",
        "    for example: 2d6+1",
    ]


@pytest.mark.parametrize(
    ("where", "written"),
    [
        (Location("a.yaml"), "a.yaml"),
        (Location("a.yaml", 4), "a.yaml:4"),
        (Location("a.yaml", 4, 2), "a.yaml:4:2"),
        (Location("a.yaml", None, None), "a.yaml"),
    ],
)
def test_a_place_is_written_as_far_as_it_is_known(where: Location, written: str) -> None:
    assert str(where) == written


def test_path_is_shortened_below_the_working_folder_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert display_path(tmp_path / "a" / "b") == "a/b"
    assert display_path(tmp_path.parent) == str(tmp_path.parent)


def test_a_problem_of_a_whole_file_shows_no_line() -> None:
    problem = Problem("missing-file", "there is no such file", Location("a.yaml", None, None))

    assert problem.render() == "a.yaml: there is no such file [missing-file]"


def test_a_line_without_a_column_has_no_caret() -> None:
    problem = Problem("x", "y", Location("a.yaml", 1), "title: A")

    assert problem.render().splitlines() == ["a.yaml:1: y [x]", "    title: A"]


@pytest.mark.parametrize("column", [1, 50, 61, 62, 100, 4999, 5000, 5001])
def test_a_long_line_is_cut_about_the_caret(column: int) -> None:
    line = "".join(chr(ord("a") + n % 26) for n in range(5000))
    problem = Problem("x", "y", Location("a.yaml", 1, column), line)

    _, shown, caret = problem.render().splitlines()

    assert len(shown) <= 100
    at = caret.index("^")
    under = shown[at] if at < len(shown) else ""
    assert under == line[column - 1 : column]


def test_a_long_line_without_a_column_shows_its_beginning() -> None:
    problem = Problem("x", "y", Location("a.yaml", 1), "ab" * 5000)

    assert problem.render().splitlines()[1].startswith("    abab")
    assert len(problem.render()) < 200


def test_the_caret_stands_under_its_letter_behind_wide_letters_and_marks() -> None:
    wide = Problem("x", "y", Location("a.yaml", 1, 3), "将軍 x")
    marked = Problem("x", "y", Location("a.yaml", 1, 3), "e\u0301x")

    assert wide.render().splitlines()[2] == "    " + " " * 4 + "^"
    assert marked.render().splitlines()[2] == "    " + " " * 1 + "^"


@pytest.mark.parametrize("hostile", ["\x1b[2J", "\x00", "\u202e", "\ud800", "\x9b", "\n"])
def test_no_control_character_reaches_the_terminal(hostile: str) -> None:
    problem = Problem("x", f"a{hostile}", Location(f"b{hostile}", 1, 1), f"c{hostile}d", hostile)

    written = problem.render()

    assert all(line.isprintable() for line in written.splitlines())
    assert written.encode("utf-8")


def test_an_error_writes_out_all_its_problems() -> None:
    error = MusterError([Problem("one", "first", HERE), Problem("two", "second", HERE)])

    assert str(error) == "army.yaml:3:8: first [one]\narmy.yaml:3:8: second [two]"


def test_an_error_passes_between_processes() -> None:
    error = MusterError((Problem("one", "first", HERE, "line", "example"),))

    back = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes

    assert back.problems == error.problems


def test_problems_of_several_steps_are_raised_at_once() -> None:
    problems = Problems([Problem("one", "first", HERE)])
    problems.add(Problem("two", "second", HERE))
    problems.extend(Problem("three", word, HERE) for word in ("third", "fourth"))

    with pytest.raises(MusterError) as caught:
        problems.raise_if_any()

    assert [each.text for each in caught.value.problems] == ["first", "second", "third", "fourth"]
    assert len(problems) == 4


def test_no_problems_raise_nothing() -> None:
    problems = Problems()

    problems.raise_if_any()

    assert len(problems) == 0


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("titel", "title"),
        ("TITLE", "title"),
        ("phase", "Phase"),
        ("chpater", "chapter"),
        ("zzz", None),
        ("", None),
        ("title" * 20, None),
    ],
)
def test_the_nearest_known_word_is_found_if_it_is_near(word: str, meant: str | None) -> None:
    assert closest_word(word, KNOWN) == meant


def test_a_hint_follows_a_message_or_is_nothing() -> None:
    assert did_you_mean("titel", KNOWN) == " (did you mean 'title'?)"
    assert did_you_mean("zzz", KNOWN) == ""


def test_known_words_may_be_any_iterable() -> None:
    assert closest_word("titel", iter(KNOWN)) == "title"
    assert closest_word("titel", dict.fromkeys(KNOWN)) == "title"


def test_a_hundred_thousand_known_words_are_not_all_compared() -> None:
    known = [f"regiment-{n}" for n in range(100_000)]
    begun = perf_counter()

    closest_word("regmient-x", known)

    assert perf_counter() - begun < 1


@pytest.mark.parametrize(
    ("python", "command"),
    [
        ("/venv/bin/python", "/venv/bin/python -m pip install rich"),
        ("C:\\My files\\python.exe", '"C:\\My files\\python.exe" -m pip install rich'),
    ],
)
def test_package_is_installed_for_the_python_that_runs(
    python: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", python)

    assert pip_command("rich") == command
