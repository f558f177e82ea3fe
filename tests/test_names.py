"""Tests of written words: which known name one stands for, and which is nearest to one."""

from __future__ import annotations

from time import perf_counter

import pytest

from muster.names import find_names, nearest_names, plain_form

CLASSES = [
    ("elites-b", "Elites, B class"),
    ("regulars-b", "Regulars, B class"),
    ("regulars-c", "Regulars, C class"),
    ("guards", "Guards"),
    ("notes", "Notes"),
    ("light-horse", "King’s light horse"),
]


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("Regulars, B class", "regulars b class"),
        ("King's  Own", "kings own"),
        ("King’s Own", "kings own"),
        ("Huzzah!", "huzzah"),
        ("half_drilled", "half drilled"),
        ("light-horse", "light horse"),
        ("12-pounder", "12 pounder"),
        ("4–7", "4-7"),
        ("Band −2 to 3", "band -2 to 3"),
        ("-3", "-3"),
        ("11+", "11+"),
        ("2.5", "2.5"),
        ("No. 5", "no 5"),
    ],
)
def test_case_and_punctuation_do_not_tell_names_apart(name: str, plain: str) -> None:
    assert plain_form(name) == plain


@pytest.mark.parametrize(
    ("word", "ids"),
    [
        ("regulars-b", ["regulars-b"]),
        ("Regulars-B", ["regulars-b"]),
        ("Regulars, B class", ["regulars-b"]),
        ("REGULARS B CLASS", ["regulars-b"]),
        ("Kings Light-Horse", ["light-horse"]),
        ("regulars", []),
        ("", []),
        ("!", []),
    ],
)
def test_id_or_label_stands_for_an_id(word: str, ids: list[str]) -> None:
    assert find_names(word, CLASSES) == ids


def test_id_comes_before_labels_and_equal_labels_are_ambiguous() -> None:
    known = [("a", "B"), ("b", "C"), ("c", "C"), ("c", "C")]

    assert find_names("b", known) == ["b"]
    assert find_names("B", known) == ["b"]
    assert find_names("C", known) == ["c"]
    assert find_names("c", [("a", "C"), ("b", "C"), ("b", "Sea")]) == ["a", "b"]


@pytest.mark.parametrize(
    ("word", "first"),
    [
        ("Regulars B", "regulars-b"),
        ("regular", "regulars-b"),
        ("regular c", "regulars-c"),
        ("light cavalry", "light-horse"),
        ("kings horse", "light-horse"),
        ("gaurds", "guards"),
        ("ncos", None),
        ("zzz", None),
        ("", None),
        ("guards" * 20, None),
    ],
)
def test_nearest_name_shares_a_word_or_is_spelt_alike(word: str, first: str | None) -> None:
    assert next(iter(nearest_names(word, CLASSES)), None) == first


def test_nearest_names_come_best_first_and_no_more_than_asked_for() -> None:
    assert nearest_names("regulars c class", CLASSES, 2) == ["regulars-c", "regulars-b"]
    assert len(nearest_names("b class", CLASSES, 3)) == 3


def test_many_long_names_are_compared_in_little_time() -> None:
    known = [(f"light-{n}-infantry-of-the-line-{n}", f"Line infantry {n}") for n in range(100_000)]
    begun = perf_counter()

    nearest_names("lite infantri of teh line brigade", known)

    assert perf_counter() - begun < 1
