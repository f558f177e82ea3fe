"""Move tables of a book below the text that follows them, where they would leave a hole.

WeasyPrint lays out in the order of the text. So a table that does not fit below is moved in the
text, and the book laid out again; where tables have moved is remembered between builds. Which moves
fill the pages best is found from the heights of all blocks, without a layout.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import TYPE_CHECKING

from muster.rendering.page_flow import FlowBlock, fill_page

if TYPE_CHECKING:
    from muster.documents.passages import Passage

Moves = Mapping[str, int]
"""How many parts of the text, such as paragraphs, each moved table stands further down, by id."""

LARGEST_HOLE = 1 / 6
"""The share of a page's text area that may stay blank at its foot."""
_AIM = LARGEST_HOLE - 0.01
"""What is aimed at, for space at the foot of a block counts as blank too when it is printed."""
_PASSED_PART = 0.002
_PASSED_HEADING = 0.01
"""What it costs that a table passes a part or a heading, in shares of a page left blank."""
_MOST_PASSED = 12
_MOST_PAGES_FILLED = 2000
"""How many pages are filled on trial before a search keeps what it has; a quarter of a second."""

_SLOT = re.compile(r"\{(\d+)\}")
_LIST = re.compile(r"[-*+] |\d+[.)] ")


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a chapter's text that stays whole when a table moves."""

    text: str
    place: int
    """Its number among the parts of the text, from 0."""
    table: str = ""
    """The id of the table that it stands for, if any."""

    @property
    def is_heading(self) -> bool:
        return self.text.startswith("#")

    @property
    def is_block(self) -> bool:
        """Whether it stands for a table or a list of errata."""
        return bool(_SLOT.fullmatch(self.text.strip()))


def _split(passage: Passage) -> list[_Part]:
    """Return the parts of a chapter; a list or an example is one, with all that belongs to it."""
    parts: list[_Part] = []
    for block in passage.text.strip("\n").split("\n\n"):
        last = parts[-1].text if parts else ""
        continues = block[:1] in {" ", "\t"} or (_LIST.match(block) and _LIST.match(last))
        if parts and continues:
            parts[-1] = replace(parts[-1], text=f"{last}\n\n{block}")
            continue
        parts.append(_Part(block, len(parts), _table_of(block, passage)))
    return parts


def move_tables(passage: Passage, moves: Moves) -> Passage:
    """Return a chapter with some tables moved below the parts that follow each.

    A table passes paragraphs, lists, examples and headings, but no other table, and it never
    comes to stand between a heading and its text.
    """
    text = "\n\n".join(part.text for part in _moved_parts(passage, moves)) + "\n"
    return replace(passage, text=text)


def _moved_parts(passage: Passage, moves: Moves) -> list[_Part]:
    parts = _split(passage)
    for place in reversed(range(len(parts))):
        if number := moves.get(parts[place].table, 0):
            passed = parts[place + 1 : place + 1 + number]
            if _may_pass(passed):
                parts[place : place + 1 + len(passed)] = [*passed, parts[place]]
    return parts


def undo_moves(
    blocks: Sequence[FlowBlock], passages: Sequence[Passage], moves: Moves
) -> tuple[FlowBlock, ...]:
    """Return the blocks of a layout in which tables have moved, in the order of the text."""
    alike = chapters_read_alike(blocks, passages)
    places = {n: [part.place for part in _moved_parts(passages[n], moves)] for n in alike}
    there = (
        replace(block, part=places[block.chapter][block.part])
        if block.part >= 0 and block.chapter in alike
        else block
        for block in blocks
    )
    return tuple(sorted(there, key=lambda block: (block.chapter, block.part)))


def _may_pass(parts: Sequence[_Part]) -> bool:
    return bool(parts) and not parts[-1].is_heading and not any(part.is_block for part in parts)


def _table_of(block: str, passage: Passage) -> str:
    """Return the id of the table that a block of text stands for; empty if it is none."""
    slot = _SLOT.fullmatch(block.strip())
    piece = passage.pieces[int(slot[1])] if slot else None
    return piece.table.view.id if piece is not None and piece.table is not None else ""


@dataclass(frozen=True, slots=True)
class _Start:
    """Where a page begins, and what holes and moves before it cost, in shares of a page."""

    block: int
    slice: int
    top: float
    cost: float


@dataclass(frozen=True, slots=True)
class _Plan:
    """An order of the blocks whose pages are filled as far as one page."""

    blocks: tuple[FlowBlock, ...]
    page: _Start
    """The page to fill next."""
    before: _Start | None = None
    """The page before it, unless a table on that one has just moved."""
    table: int = 0
    """The block that is to move first."""
    passes: int = 0
    """How many parts that block is to pass; 0 if none is to move."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """An order of a book's blocks, and what its holes and moves cost, in shares of a page."""

    blocks: tuple[FlowBlock, ...]
    cost: float


def arrange(
    blocks: tuple[FlowBlock, ...],
    movable: set[int],
    first_top: float,
    height: float,
    most: float = inf,
) -> Arrangement | None:
    """Return the order of blocks that leaves the smallest holes on pages of a height.

    Where a page has a hole, the table at its end, and those on it and on the page before, are
    tried below each of the parts that follow them. The cheapest plan is followed first. Tables
    keep their order and stay in their chapters.

    Args:
        blocks: The blocks in the order of the text.
        movable: The chapters whose tables may move.
        first_top: How far below the top of its page the first chapter begins.
        height: The height of a page.
        most: What the arrangement may cost; without one that costs less there is none.
    """
    plans = _Plans(most)
    furthest = _Plan(blocks, _Start(0, 0, first_top, 0))
    plans.add(furthest)
    for filled, plan in enumerate(plans, 1):
        page, ordered = plan.page, plan.blocks
        if page.block == len(ordered):
            return Arrangement(ordered, page.cost)
        end = fill_page(ordered, page.block, page.slice, page.top, height)
        hole = 0 if end.wanted else hole_cost(end.blank)
        following = _Plan(ordered, _Start(end.block, end.slice, 0, page.cost + hole), page)
        if following.page.block > furthest.page.block:
            furthest = following
        if filled % _MOST_PAGES_FILLED == 0:
            # What is found so far is kept, so that the search comes to an end.
            plans.clear()
            following, hole = furthest, 0
        plans.add(following)
        for start in (page, plan.before) if hole else ():
            for attempt in _attempts(ordered, start, end.block, movable) if start else ():
                plans.add(attempt)
    return None


class _Plans:
    """Plans to follow, the cheapest and then the furthest first, none twice."""

    def __init__(self, most: float) -> None:
        self._most = most
        """What a plan may cost."""
        self._order = count()
        self._queue: list[tuple[float, int, int, _Plan]] = []
        self._seen: set[tuple[int, int, tuple[FlowBlock, ...]]] = set()

    def add(self, plan: _Plan) -> None:
        page = plan.page
        if page.cost < self._most:
            heappush(self._queue, (page.cost, -page.block, next(self._order), plan))

    def clear(self) -> None:
        self._queue.clear()

    def __iter__(self) -> Iterator[_Plan]:
        """Yield plans whose table, if one is to move, has moved."""
        while self._queue:
            plan = heappop(self._queue)[-1]
            blocks, page = _reorder(plan), plan.page
            key = (page.block, page.slice, blocks[page.block :])
            if key not in self._seen:
                self._seen.add(key)
                yield replace(plan, blocks=blocks)


def hole_cost(blank: float) -> float:
    """Return what a page costs of which a share is blank at its foot."""
    return max(blank - _AIM, 0)


def chapters_read_alike(blocks: Sequence[FlowBlock], passages: Sequence[Passage]) -> set[int]:
    """Return the chapters whose blocks are the parts of their text, nearly always all."""
    counts = Counter(block.chapter for block in blocks if block.part >= 0)
    return {n for n, passage in enumerate(passages) if len(_split(passage)) == counts[n]}


def _attempts(
    blocks: tuple[FlowBlock, ...], start: _Start, end: int, movable: set[int]
) -> Iterator[_Plan]:
    """Yield plans in which a table moves that is between the start of a page and its end."""
    while end < len(blocks) and blocks[end].keeps_next:
        end += 1  # The heading of a table goes overleaf with it.
    # Without the table at its head, a page would not begin there.
    first = start.block
    while start.block and not start.slice and blocks[first].keeps_next:
        first += 1
    for place in range(first + bool(start.block), min(end + 1, len(blocks))):
        table = blocks[place]
        if not table.table or table.chapter not in movable:
            continue
        passes, tables, cost = 0, 1, start.cost
        for block in blocks[place + 1 :]:
            if block.chapter != table.chapter or not block.may_be_passed or passes == _MOST_PASSED:
                break
            if block.table:
                tables += 1
                continue
            passes += 1
            cost += tables * (_PASSED_HEADING if block.keeps_next else _PASSED_PART)
            if not block.keeps_next:
                yield _Plan(blocks, replace(start, cost=cost), None, place, passes)


def _reorder(plan: _Plan) -> tuple[FlowBlock, ...]:
    """Return the blocks of a plan after its table, and what tables follow, have moved."""
    if not plan.passes:
        return plan.blocks
    tables: list[FlowBlock] = [plan.blocks[plan.table]]
    passed: list[FlowBlock] = []
    place = plan.table + 1
    while len(passed) < plan.passes:
        (tables if plan.blocks[place].table else passed).append(plan.blocks[place])
        place += 1
    return (*plan.blocks[: plan.table], *passed, *tables, *plan.blocks[place:])


def moves_of(blocks: Sequence[FlowBlock]) -> Moves:
    """Return how many parts each table has passed."""
    moves = {}
    above: list[FlowBlock] = []
    for block in blocks:
        if not block.table:
            above.append(block)
            continue
        passed = sum(b.chapter == block.chapter and b.part > block.part for b in above)
        if passed:
            moves[block.table] = passed
    return moves
