"""Tests of which parts count as the same under another id, and of their order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.editions.matching import (
    MIN_LIKENESS,
    MatchItem,
    align,
    likeness,
    longest_increasing,
    match_items,
)

TEXTS = st.lists(st.sampled_from("abcdef"), max_size=12)


def items(*ids: str) -> list[MatchItem]:
    return [MatchItem(id_, id_) for id_ in ids]


@given(TEXTS, TEXTS)
def test_every_part_is_paired_taken_away_or_added_once(old: list[str], new: list[str]) -> None:
    matching = match_items(items(*old), items(*new))

    assert sorted([*(old_place for old_place, _ in matching.pairs), *matching.removed]) == list(
        range(len(old))
    )
    assert sorted([*(new_place for _, new_place in matching.pairs), *matching.added]) == list(
        range(len(new))
    )


@given(TEXTS)
def test_list_matches_itself_and_nothing_moved(texts: list[str]) -> None:
    matching = match_items(items(*texts), items(*texts))

    assert matching.pairs == tuple((n, n) for n in range(len(texts)))
    assert matching.moved() == ()


@given(TEXTS, TEXTS, st.sampled_from([1, 200]))
def test_alignment_keeps_what_is_equal_in_order(old: list[str], new: list[str], times: int) -> None:
    old, new = old * times, new * times
    a = c = 0
    for tag, start, end, first, last in align(old, new):
        assert old[a:start] == new[c:first]
        if tag == "equal":
            assert old[start:end] == new[first:last]
        a, c = end, last

    assert old[a:] == new[c:]


@given(st.lists(st.integers(0, 20), unique=True, max_size=10))
def test_longest_rising_run_rises_and_no_longer_one_does(numbers: list[int]) -> None:
    kept = [numbers[n] for n in sorted(longest_increasing(numbers))]

    best = [0] * len(numbers)
    for n, number in enumerate(numbers):
        best[n] = 1 + max((best[m] for m in range(n) if numbers[m] < number), default=0)
    assert kept == sorted(kept)
    assert len(kept) == max(best, default=0)


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        (MatchItem("a", "Foot", ("1", "2")), MatchItem("b", "Foot", ("1", "2")), True),
        (MatchItem("a", "Foot", ("1", "2")), MatchItem("b", "Foot", ("8", "9")), True),
        (
            MatchItem("a", "Line infantry", ("1", "2", "3")),
            MatchItem("b", "Infantry", ("1", "2", "3")),
            True,
        ),
        (MatchItem("a", "In cover", ("-1",)), MatchItem("b", "Uphill", ("-1",)), False),
        (MatchItem("a", "Foot", ("1", "2", "3")), MatchItem("b", "Guns", ("1", "2", "3")), False),
        (MatchItem("a", "Foot", ("1", "2", "3")), MatchItem("b", "Guns", ("7", "8", "9")), False),
        (MatchItem("a", "", ("1", "2", "3")), MatchItem("b", "", ("7", "8", "9")), False),
    ],
    ids=[
        "same-label-and-values",
        "same-label",
        "similar-label-same-values",
        "one-value-in-common",
        "same-values-only",
        "nothing-in-common",
        "no-labels",
    ],
)
def test_part_is_the_same_if_it_says_the_same(
    old: MatchItem, new: MatchItem, *, same: bool
) -> None:
    assert (likeness(old, new) >= MIN_LIKENESS) is same


def test_bands_that_overlap_are_likely_the_same_and_others_never() -> None:
    def band(text: str) -> MatchItem:
        return MatchItem(text, text, ("1", "2", "3"))

    assert likeness(band("7–9"), band("7–10")) >= MIN_LIKENESS
    assert likeness(band("up to −4"), band("up to −3")) >= MIN_LIKENESS
    assert likeness(band("7–9"), band("10–12")) < MIN_LIKENESS


def test_most_similar_part_is_paired_first() -> None:
    old = [MatchItem("a", "Line infantry", ("1", "2", "3"))]
    new = [
        MatchItem("b", "Infantry", ("1", "2", "3")),
        MatchItem("c", "Line infantry", ("1", "2", "3")),
    ]

    matching = match_items(old, new)

    assert matching.pairs == ((0, 1),)
    assert matching.added == (0,)
