"""Owns the facts about what counts as the same part under another id, and about order.

Does not compare the parts.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.comparing.matching import ENOUGH, Item, align, likeness, longest_rising, match

TEXTS = st.lists(st.sampled_from("abcdef"), max_size=12)


def items(*ids: str) -> list[Item]:
    return [Item(each, each) for each in ids]


@given(TEXTS, TEXTS)
def test_every_part_is_paired_taken_away_or_added_once(old: list[str], new: list[str]) -> None:
    found = match(items(*old), items(*new))

    assert sorted([*(was for was, _ in found.pairs), *found.removed]) == list(range(len(old)))
    assert sorted([*(now for _, now in found.pairs), *found.added]) == list(range(len(new)))


@given(TEXTS)
def test_list_matches_itself_and_nothing_moved(texts: list[str]) -> None:
    found = match(items(*texts), items(*texts))

    assert found.pairs == tuple((n, n) for n in range(len(texts)))
    assert found.moved() == ()


@given(TEXTS, TEXTS, st.sampled_from([1, 200]))
def test_alignment_keeps_what_is_equal_in_order(old: list[str], new: list[str], times: int) -> None:
    old, new = old * times, new * times
    a = c = 0
    for way, start, end, first, last in align(old, new):
        assert old[a:start] == new[c:first]
        if way == "equal":
            assert old[start:end] == new[first:last]
        a, c = end, last

    assert old[a:] == new[c:]


@given(st.lists(st.integers(0, 20), unique=True, max_size=10))
def test_longest_rising_run_rises_and_no_longer_one_does(numbers: list[int]) -> None:
    kept = [numbers[n] for n in sorted(longest_rising(numbers))]

    best = [0] * len(numbers)
    for n, number in enumerate(numbers):
        best[n] = 1 + max((best[m] for m in range(n) if numbers[m] < number), default=0)
    assert kept == sorted(kept)
    assert len(kept) == max(best, default=0)


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        (Item("a", "Foot", ("1", "2")), Item("b", "Foot", ("1", "2")), True),
        (Item("a", "Foot", ("1", "2")), Item("b", "Foot", ("8", "9")), True),
        (Item("a", "Line infantry", ("1", "2", "3")), Item("b", "Infantry", ("1", "2", "3")), True),
        (Item("a", "In cover", ("-1",)), Item("b", "Uphill", ("-1",)), False),
        (Item("a", "Foot", ("1", "2", "3")), Item("b", "Guns", ("1", "2", "3")), False),
        (Item("a", "Foot", ("1", "2", "3")), Item("b", "Guns", ("7", "8", "9")), False),
        (Item("a", "", ("1", "2", "3")), Item("b", "", ("7", "8", "9")), False),
    ],
)
def test_part_is_the_same_if_it_says_the_same(old: Item, new: Item, *, same: bool) -> None:
    assert (likeness(old, new) >= ENOUGH) is same


def test_bands_that_overlap_are_likely_the_same_and_others_never() -> None:
    def band(text: str) -> Item:
        return Item(text, text, ("1", "2", "3"))

    assert likeness(band("7–9"), band("7–10")) >= ENOUGH
    assert likeness(band("up to −4"), band("up to −3")) >= ENOUGH
    assert likeness(band("7–9"), band("10–12")) < ENOUGH


def test_likest_part_is_taken_first() -> None:
    old = [Item("a", "Line infantry", ("1", "2", "3"))]
    new = [Item("b", "Infantry", ("1", "2", "3")), Item("c", "Line infantry", ("1", "2", "3"))]

    found = match(old, new)

    assert found.pairs == ((0, 1),)
    assert found.added == (0,)
