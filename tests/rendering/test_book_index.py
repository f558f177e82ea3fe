"""Tests of the index of a printed book: the numbers of its pages, and letters that go on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from muster.documents.appendices import IndexEntry, PlaceLink
from muster.rendering.book_index import index_sets, keep_letters_above_columns
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.page_boxes import boxes_of


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


def lines_of(page: Any) -> Iterator[tuple[float, str]]:
    """Yield left edge and text of each text of a page."""
    for box in boxes_of(page):
        if text := getattr(box, "text", None):
            yield round(box.position_x), text


def test_letter_is_repeated_only_above_a_column_that_goes_on_with_it(
    templates: TemplateEnvironment,
) -> None:
    sets = "".join(
        f'<div class="set"><p class="again">A, continued</p><p>a{number}</p></div>'
        for number in range(1, 9)
    )
    text = (
        "<html lang='en'><title>x</title><style>.index { columns: 2 } .set { break-inside: avoid }"
        " .again { height: 0 }</style><div class='index'>"
        f"<p class='letter'>A</p>{sets}</div>"
    )
    told: list[tuple[float, str]] = []

    def keep(pages: list[Any]) -> None:
        keep_letters_above_columns(pages)
        told.extend(line for page in pages for line in lines_of(page))

    templates.printer.pdf(text, [], "index", before_drawing=keep)

    left = min(x for x, _ in told)
    again = [(x, line) for x, line in told if "continued" in line]
    second = [line for x, line in told if x > left]
    assert [line for _, line in again] == ["A, continued"]
    assert second[0] == "A, continued"
