"""Test `search.yaml`: what players call the same, and what is wrong with such a list."""

from __future__ import annotations

from pathlib import Path

import pytest

from muster.problems import MusterError
from muster.systems import open_system
from muster.systems.lint import lint_system


def issues(content: Path, text: str) -> list[tuple[str, str, int | None]]:
    (content / "search.yaml").write_text(text, encoding="utf-8")
    return [
        (issue.severity, issue.problem.code, issue.problem.location.line)
        for issue in lint_system(open_system(content))
    ]


def test_synonyms_that_lead_somewhere_are_sound(content: Path) -> None:
    assert issues(content, "synonyms:\n  - [movement, marching]\n") == []
    words = open_system(content).search_words
    assert words.synonyms == [["movement", "marching"]]


def test_system_without_the_file_has_no_synonyms(content: Path) -> None:
    assert open_system(content).search_words.groups("en") == []


@pytest.mark.parametrize(
    ("group", "code"),
    [
        ("[zeppelin, airship]", "unused-synonyms"),
        ("[movement, marching, Movement]", "repeated-synonym"),
        ("[movement, '!?']", "no-word"),
    ],
)
def test_groups_that_find_nothing_and_words_used_twice_are_errors(
    group: str, code: str, content: Path
) -> None:
    assert issues(content, f"synonyms:\n  - {group}\n") == [("error", code, 2)]


def test_a_word_belongs_to_one_group(content: Path) -> None:
    text = "synonyms:\n  - [movement, marching]\n  - [move, marching]\n"

    assert issues(content, text) == [("error", "repeated-synonym", 3)]


def test_a_translation_has_groups_of_its_own(content: Path) -> None:
    text = "synonyms: [[movement, marching]]\ntranslations:\n  de:\n    - [movement, Marsch]\n"

    assert issues(content, text) == []
    words = open_system(content).search_words
    assert words is not None
    assert words.groups("de") == words.groups("de-AT") == [["movement", "Marsch"]]
    assert words.groups("fr") == [["movement", "marching"]]


def test_groups_of_a_translation_are_checked_too(content: Path) -> None:
    text = "synonyms: [[movement, marching]]\ntranslations:\n  de:\n    - [Zeppelin, Luftschiff]\n"

    assert issues(content, text) == [("error", "unused-synonyms", 4)]


def test_a_word_by_itself_is_no_group(content: Path) -> None:
    (content / "search.yaml").write_text("synonyms: [[movement]]\n", encoding="utf-8")

    with pytest.raises(MusterError):
        _ = open_system(content).search_words


def test_phrase_that_is_no_term_stands_in_the_rules(content: Path) -> None:
    text = "synonyms: [[movement, marching]]\nnot_terms:\n  - movement\n  - flying circus\n"

    assert issues(content, text) == [("error", "unused-phrase", 4)]


def test_chapters_that_play_through_the_rules_are_there(content: Path) -> None:
    text = "synonyms: [[movement, marching]]\nexamples:\n  - turn\n  - circus\n"

    assert issues(content, text) == [("error", "unknown-chapter", 4)]
