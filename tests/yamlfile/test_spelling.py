"""Owns the facts about guessing what a misspelt word was meant to be."""

from __future__ import annotations

from time import perf_counter

import pytest

from muster.problems import closest_word, did_you_mean

KNOWN = ("title", "chapter", "Phase")


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
