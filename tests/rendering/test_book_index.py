"""Tests of the index of a printed book: the numbers of its pages, and what the last holds."""

from __future__ import annotations

import pytest
import weasyprint

from muster.documents.appendices import IndexEntry, PlaceLink
from muster.rendering.book_index import ends_in_few_lines, index_sets, is_colophon_alone

PAGE = "<style>@page { size: 100mm 100mm; margin: 10mm } div { break-before: page }</style>"


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


@pytest.mark.parametrize(
    ("last", "is_alone", "are_few"),
    [
        ('<div class="index" style="height: 5mm">z</div>', False, True),
        ('<div class="index" style="height: 40mm">z</div>', False, False),
        ('<div class="colophon">Set in</div>', True, False),
        ('<div><p class="index">z</p><p class="colophon">Set in</p></div>', False, False),
    ],
    ids=["few", "many", "colophon", "both"],
)
def test_what_stands_alone_on_the_last_page_is_seen(
    last: str, *, is_alone: bool, are_few: bool
) -> None:
    html = f'{PAGE}<section><p>Rules</p><div class="index">a</div>{last}</section>'
    pages = weasyprint.HTML(string=html).render().pages

    assert is_colophon_alone(pages) is is_alone
    assert ends_in_few_lines(pages) is are_few
