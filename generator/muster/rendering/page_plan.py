"""Plan the pages of a book: how high they are, and which tables move.

A text area that is a little higher or lower moves all page ends. So several heights are tried with
the heights of a book's blocks, without a layout, and the best is taken: that with the smallest
holes, whose spreads begin on left-hand pages behind a page that is nearly full.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING

from muster.rendering.page_flow import BookFlow, FlowBlock, PageEnd, fill_pages, real_ends
from muster.rendering.table_moves import (
    LARGEST_HOLE,
    PASSED_PART,
    Moves,
    arrange,
    chapters_read_alike,
    hole_cost,
    moves_of,
    undo_moves,
)

if TYPE_CHECKING:
    from muster.documents.passages import Passage

_CHANGES_MM = tuple(round(0.7 * step, 1) for step in range(-9, 16))
"""The changes of the lower margin that are tried."""
_LEAST_BOTTOM_MM = 13.0
_CHANGED_MM = 0.003
"""What each millimetre of such a change costs."""
_RIGHT_HAND = 0.3
"""What it costs that the two pages of a spread do not face each other."""
_LINED = 0.6
"""What it costs, for each blank share, that lines to write on fill the page before a spread."""
_OVERFULL = 1.0
"""What it costs that a spread needs another page."""
_FACING = 2
"""The pages of a spread."""
_SPARE = 0.06
"""What is to stay blank below a spread, since the height of its columns is not known surely."""
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
    cost_now: float
    """What the pages cost as they are."""


def bottom_changes(usual_mm: float) -> list[float]:
    """Return the changes of a lower margin that leave room for the page number, smallest first."""
    changes = (each for each in _CHANGES_MM if usual_mm + each >= _LEAST_BOTTOM_MM)
    return sorted(changes, key=abs)


def plan_pages(
    flow: BookFlow,
    passages: Sequence[Passage],
    bottom_mm: float,
    moves: Moves,
    changes_mm: Sequence[float],
) -> PagePlan:
    """Return how to fill a book's pages, which is as they are if nothing much better is found.

    Args:
        flow: A layout of the book.
        passages: Its chapters, without moves.
        bottom_mm: The change of the lower margin in that layout.
        moves: The tables that have moved in it.
        changes_mm: The changes that may be made instead, the smallest first.
    """
    ends = real_ends(flow)
    now = _cost(flow.blocks, ends, flow.first_page, passages)
    now += abs(bottom_mm) * _CHANGED_MM + sum(moves.values()) * PASSED_PART
    now += _OVERFULL * sum(_is_overfull(each, inf) for each in flow.blocks)
    best = PagePlan(bottom_mm, moves, blank_before_spreads(flow.blocks, ends, passages), now)
    least = now - _WORTHWHILE
    blocks = undo_moves(flow.blocks, passages, moves)
    movable = chapters_read_alike(blocks, passages)
    for change in changes_mm:
        if abs(change) * _CHANGED_MM >= least:
            break
        lower_px = (change - bottom_mm) * _PX_PER_MM
        height = flow.page_height - lower_px
        there = tuple(_at_height(block, height, lower_px) for block in blocks)
        cost = abs(change) * _CHANGED_MM
        cost += _OVERFULL * sum(_is_overfull(each, height * (1 - _SPARE)) for each in there)
        found = arrange(there, movable, flow.first_top, height, least - cost)
        if found is None:
            continue
        ends = fill_pages(found.blocks, flow.first_top, height)
        cost += found.cost + _spreads_cost(found.blocks, ends, flow.first_page, passages)
        if cost < least:
            least = cost
            blank = blank_before_spreads(found.blocks, ends, passages)
            best = PagePlan(change, moves_of(found.blocks), blank, now)
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


def _at_height(block: FlowBlock, height_px: float, lower_px: float) -> FlowBlock:
    """Return a block on pages of a height, which are lower than those it is laid out on.

    Of a spread, more stands on its last page.
    """
    if not block.has_columns:
        return block
    *full, last = block.slices
    left = last.height + lower_px * len(full)
    if full and left <= 0:
        *full, last = full
        left += height_px
    return replace(block, slices=(*full, replace(last, height=left)))


def _is_overfull(block: FlowBlock, room_px: float) -> bool:
    """Return whether a spread needs more than its two pages, and that room on its last."""
    too_long = len(block.slices) > _FACING or block.slices[-1].height > room_px
    return block.has_columns and too_long


def _cost(
    blocks: Sequence[FlowBlock], ends: Sequence[PageEnd], first: int, passages: Sequence[Passage]
) -> float:
    """Return what holes and spreads cost."""
    holes = sum(hole_cost(end.blank) for end in ends if not end.wanted)
    return holes + _spreads_cost(blocks, ends, first, passages)


def _spreads_cost(
    blocks: Sequence[FlowBlock], ends: Sequence[PageEnd], first: int, passages: Sequence[Passage]
) -> float:
    cost = 0.0
    for page, end in enumerate(ends, first):
        if _is_before_spread(blocks, end, passages):
            cost += _LINED * max(end.blank - LARGEST_HOLE, 0) + _RIGHT_HAND * (page % 2 == 0)
    return cost
