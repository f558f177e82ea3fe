"""Tests of the order of a booklet's pages: sheets are folded here as by hand."""

from __future__ import annotations

import pytest

from muster.rendering.imposition import FoldedSheet, FoldedSide, order_booklet


def read_through(sheets: list[FoldedSheet]) -> list[int | None]:
    """Return the pages in reading order of sheets that are stacked front down and folded."""
    leaves: list[tuple[int | None, int | None]] = []
    for sheet in reversed(sheets):  # the innermost lies on top; each further one goes around
        first = (sheet.front.right, sheet.back.left)
        last = (sheet.back.right, sheet.front.left)
        leaves = [first, *leaves, last]
    return [page for leaf in leaves for page in leaf]


def signatures_of(sheets: tuple[FoldedSheet, ...]) -> list[list[FoldedSheet]]:
    lots: list[list[FoldedSheet]] = []
    for sheet in sheets:
        if sheet.depth == 0:
            lots.append([])
        lots[-1].append(sheet)
    return lots


@pytest.mark.parametrize("sheets", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("pages", range(1, 41))
def test_folded_sheets_read_in_order(pages: int, sheets: int) -> None:
    made = order_booklet(pages, sheets)

    read = [page for lot in signatures_of(made) for page in read_through(lot)]
    blank = -pages % 4
    assert read == [*range(pages), *[None] * blank]


@pytest.mark.parametrize("pages", range(1, 41))
def test_depth_counts_from_the_outside(pages: int) -> None:
    made = order_booklet(pages, 3)

    lots = signatures_of(made)
    assert all(len(lot) == 3 for lot in lots[:-1])
    assert [[sheet.depth for sheet in lot] for lot in lots] == [[*range(len(lot))] for lot in lots]


def test_eight_pages_are_the_two_sheets_of_every_textbook() -> None:
    assert order_booklet(8) == (
        FoldedSheet(FoldedSide(7, 0), FoldedSide(1, 6), 0),
        FoldedSheet(FoldedSide(5, 2), FoldedSide(3, 4), 1),
    )


def test_nothing_needs_no_sheet() -> None:
    assert order_booklet(0) == ()
