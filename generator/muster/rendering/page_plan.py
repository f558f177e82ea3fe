"""Plan the pages of a book: how high they are, and which tables move.

A text area that is a little higher or lower moves all page ends. So several heights are tried with
the heights of a book's blocks, without a layout, and the best is taken: that with the smallest
holes, whose spreads begin on left-hand pages behind a page that is nearly full.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from muster.rendering.page_flow import BookFlow, FlowBlock, PageEnd, fill_pages, real_ends
from muster.rendering.table_moves import (
    LARGEST_HOLE,
    Moves,
    arrange,
    chapters_read_alike,
    hole_cost,
    moves_of,
    undo_moves,
)

if TYPE_CHECKING:
    from muster.documents.passages import Passage

BOTTOM_CHANGES_MM = tuple(round(0.7 * step, 1) for step in range(-5, 11))
"""The changes of the lower margin that are tried."""
_CHANGED_MM = 0.003
"""What each millimetre of such a change costs, in shares of a page left blank."""
_RIGHT_HAND = 0.3
"""What it costs that the two pages of a spread do not face each other."""
_LINED = 0.6
"""What it costs, for each blank share, that lines to write on fill the page before a spread."""
_OVERFULL = 1.0
"""What it costs that a spread needs another page."""
_WORTHWHILE = 0.005
"""What another plan has to save to be worth another layout."""
_PX_PER_MM = 96 / 25.4


@dataclass(frozen=True, slots=True)
class PagePlan:
    """How a book's pages are to be filled."""

    bottom_mm: float
    """The change of the lower margin."""
    moves: Moves
    blank_before: dict[int, float]
    """The share of a page that is blank before each spread, by the chapter's number from 0."""


def plan_pages(
    flow: BookFlow, passages: Sequence[Passage], bottom_mm: float, moves: Moves
) -> PagePlan:
    """Return how to fill a book's pages, which is as they are if nothing much better is found.

    Args:
        flow: A layout of the book.
        passages: Its chapters, without moves.
        bottom_mm: The change of the lower margin in that layout.
        moves: The tables that have moved in it.
    """
    ends = real_ends(flow)
    best = PagePlan(bottom_mm, moves, blank_before_spreads(flow.blocks, ends, passages))
    passed = len(moves) * _WORTHWHILE
    least = _cost(flow.blocks, ends, flow.first_page, passages) + passed
    least += abs(bottom_mm) * _CHANGED_MM - _WORTHWHILE
    blocks = undo_moves(flow.blocks, passages, moves)
    movable = chapters_read_alike(blocks, passages)
    for change in sorted(BOTTOM_CHANGES_MM, key=abs):
        cost = abs(change) * _CHANGED_MM
        if cost >= least:
            break
        lower_px = (change - bottom_mm) * _PX_PER_MM
        height = flow.page_height - lower_px
        there = tuple(_at_height(block, lower_px) for block in blocks)
        found = arrange(there, movable, flow.first_top, height, least - cost)
        if found is None:
            continue
        ends = fill_pages(found.blocks, flow.first_top, height)
        cost += found.cost + _spreads_cost(found.blocks, ends, flow.first_page, passages)
        if cost < least:
            least = cost
            blank = blank_before_spreads(found.blocks, ends, passages)
            best = PagePlan(change, moves_of(found.blocks), blank)
    return best


def blank_before_spreads(
    blocks: Sequence[FlowBlock], ends: Sequence[PageEnd], passages: Sequence[Passage]
) -> dict[int, float]:
    """Return the share of a page that is blank before each spread, if that is a hole."""
    return {
        blocks[end.block].chapter: end.blank
        for end in ends
        if _is_before_spread(blocks, end, passages) and end.blank > LARGEST_HOLE
    }


def _is_before_spread(
    blocks: Sequence[FlowBlock], end: PageEnd, passages: Sequence[Passage]
) -> bool:
    return end.wanted and end.block < len(blocks) and passages[blocks[end.block].chapter].spread


def _at_height(block: FlowBlock, lower_px: float) -> FlowBlock:
    """Return a block on pages that are lower: of a spread, more stands on its last page."""
    if not block.has_columns:
        return block
    *full, last = block.slices
    more = lower_px * len(full)
    return replace(block, slices=(*full, replace(last, height=last.height + more)))


def _cost(
    blocks: Sequence[FlowBlock], ends: Sequence[PageEnd], first: int, passages: Sequence[Passage]
) -> float:
    """Return what holes and spreads cost, in shares of a page left blank."""
    holes = sum(hole_cost(end.blank) for end in ends if not end.wanted)
    return holes + _spreads_cost(blocks, ends, first, passages)


def _spreads_cost(
    blocks: Sequence[FlowBlock], ends: Sequence[PageEnd], first: int, passages: Sequence[Passage]
) -> float:
    cost = 0.0
    for page, end in enumerate(ends, first):
        if end.blank < 0:
            cost += _OVERFULL
        if _is_before_spread(blocks, end, passages):
            cost += _LINED * max(end.blank - LARGEST_HOLE, 0) + _RIGHT_HAND * (page % 2 == 0)
    return cost
