"""Tests of the index of a printed book: the numbers of its pages."""

from __future__ import annotations

import pytest

from muster.documents.appendices import IndexEntry, PlaceLink
from muster.rendering.book_index import index_sets


def entry(term: str, anchors: str, *below: IndexEntry, chief: str = "") -> IndexEntry:
    """Return an entry with places at some anchors, which are single letters."""
    return IndexEntry(term, tuple(PlaceLink("", each) for each in anchors), below, chief)


@pytest.mark.parametrize(
    ("pages", "printed"),
    [
        ((3, 3, 7), ["3", "7"]),
        ((7, 3, 5), ["3", "5", "7"]),
        ((3, 4, 5), ["3–5"]),
        ((3, 4, 6), ["3–4", "6"]),
    ],
    ids=["twice", "sorted", "range", "range-and-page"],
)
def test_pages_of_an_entry_are_sorted_and_neighbours_are_a_range(
    pages: tuple[int, int, int], printed: list[str]
) -> None:
    numbers = dict(zip("abc", pages, strict=True))

    (found,) = index_sets([entry("morale", "abc")], numbers)

    assert [run.text for run in found.entry.runs] == printed


def test_chief_page_of_several_is_told_from_the_others() -> None:
    numbers = {"a": 3, "b": 7, "c": 8}
    one, two = entry("rout", "a", chief="a"), entry("morale", "abc", chief="c")

    alone, among = index_sets([one, two], numbers)

    assert [run.chief for run in alone.entry.runs] == [False]
    assert [(run.text, run.chief) for run in among.entry.runs] == [("3", False), ("7–8", True)]


def test_range_leads_to_its_first_page() -> None:
    (found,) = index_sets([entry("morale", "ab")], {"a": 5, "b": 4})

    assert [(run.text, run.anchor) for run in found.entry.runs] == [("4–5", "b")]
