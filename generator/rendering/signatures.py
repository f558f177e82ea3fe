"""Owns which pages stand on which sheet of a booklet, so that the folded sheets read in order.

Does not place them on paper. Pages count from 0; None is a page left blank.
"""

from __future__ import annotations

from dataclasses import dataclass

PAGES_A_SHEET = 4


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a sheet that is folded in the middle, seen as it is printed."""

    left: int | None
    right: int | None


@dataclass(frozen=True, slots=True)
class Folded:
    """A sheet; its front is outside when it is folded."""

    front: Side
    back: Side
    depth: int
    """How many sheets of the same signature lie around it."""


def booklet(pages: int, sheets: int = 0) -> tuple[Folded, ...]:
    """Order pages for sheets that are folded once, and laid into each other.

    Args:
        pages: How many there are; blank ones follow them until the last sheet is full.
        sheets: How many lie in each other before the next signature begins; 0 is all.
    """
    total = -(-pages // PAGES_A_SHEET)
    most = sheets or max(total, 1)
    folded: list[Folded] = []
    for before in range(0, total, most):
        inside = min(most, total - before)
        first = before * PAGES_A_SHEET
        last = first + inside * PAGES_A_SHEET - 1
        for depth in range(inside):
            low, high = first + 2 * depth, last - 2 * depth
            front = Side(_page(high, pages), _page(low, pages))
            back = Side(_page(low + 1, pages), _page(high - 1, pages))
            folded.append(Folded(front, back, depth))
    return tuple(folded)


def _page(number: int, pages: int) -> int | None:
    return number if number < pages else None
