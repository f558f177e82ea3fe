"""Move tables of a book past a paragraph or list that follows, where they would leave a hole in a page.

WeasyPrint lays out in the order of the text. So a table that does not fit below is moved in the
text, and the book laid out again; where tables have moved is remembered between builds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from muster.rendering.page_boxes import text_top

if TYPE_CHECKING:
    from weasyprint.document import Page

    from muster.documents.passages import Passage

Moves = dict[str, int]
"""How many paragraphs each table has moved down, by its id."""

LARGEST_HOLE = 1 / 6
"""The share of a page's text area that may stay blank at its foot."""
_MOST_PARAGRAPHS = 2
"""How far a table may stand from its place."""
_MOST_TRIES = 3
"""How many layouts with tables moved are tried."""
_ENDED = -1
_TOP_PX = 40.0
"""How far below the first line of a page a table begins at most, to be the first thing there."""
_PREFIX = "t-"

_SLOT = re.compile(r"\{(\d+)\}")
_NEVER_PASSED = re.compile(r"[ \t#>]|!!!|\{\d+\}$")
_LIST = re.compile(r"[-*+] |\d+[.)] |[ \t]")


def move_tables(passage: Passage, moves: Mapping[str, int]) -> Passage:
    """Return a chapter with its tables as many paragraphs further down as they have moved.

    A table passes paragraphs and whole lists, and no heading, example or other table.
    """
    blocks = passage.text.strip("\n").split("\n\n")
    for place in reversed(range(len(blocks))):
        table = _table_of(blocks[place], passage)
        at = place
        for _ in range(moves.get(table, 0) if table else 0):
            if not _may_pass(blocks[at + 1 : at + 3]):
                break
            blocks[at], blocks[at + 1] = blocks[at + 1], blocks[at]
            at += 1
    return replace(passage, text="\n\n".join(blocks) + "\n")


def _may_pass(following: list[str]) -> bool:
    """Return whether a table may pass the first of the blocks that follow it.

    It never comes between the items of a list, nor between an item and what belongs to it.
    """
    if not following or _NEVER_PASSED.match(following[0]):
        return False
    return len(following) == 1 or not (_LIST.match(following[0]) and _LIST.match(following[1]))


def _table_of(block: str, passage: Passage) -> str:
    """Return the id of the table that a block of text stands for; empty if it is none."""
    slot = _SLOT.fullmatch(block.strip())
    piece = passage.pieces[int(slot[1])] if slot else None
    return piece.table.view.id if piece is not None and piece.table is not None else ""


@dataclass
class MoveSearch:
    """Seeks the moves that leave the least blank, in few layouts."""

    passages: tuple[Passage, ...]
    best: Moves = field(default_factory=dict)
    _least: float = float("inf")
    _tries: int = 0
    _moving: list[str] = field(default_factory=list)
    """The tables that the latest try moved further than the best layout has them."""

    def next_moves(self, shares: Sequence[float], first: Sequence[str], moves: Moves) -> Moves:
        """Return what to lay out next; the given moves if that is what is to be printed.

        All tables that leave a hole are moved at once. If that makes it worse, only the first is.

        Args:
            shares: How much of each page but the last is blank at its foot.
            first: The table that is the first thing on each page but the first; empty for none.
            moves: The moves with which the pages were laid out.
        """
        if self._tries == _ENDED:
            return moves
        blank = sum(max(share - LARGEST_HOLE, 0) for share in shares)
        if blank < self._least:
            self._least, self.best = blank, moves
            holes = zip(shares, first, strict=True)
            above = [table for share, table in holes if share > LARGEST_HOLE and table]
            self._moving = [table for table in above if self._may_move(table)]
        else:
            self._moving = self._moving[:1] if len(self._moving) > 1 else []
        if not self._moving or self._tries == _MOST_TRIES:
            self._tries = _ENDED
            return self.best
        self._tries += 1
        return self.best | {table: self.best.get(table, 0) + 1 for table in self._moving}

    def _may_move(self, table: str) -> bool:
        """Return whether a table can move one place further than it has."""
        count = self.best.get(table, 0)
        return count < _MOST_PARAGRAPHS and any(
            move_tables(passage, {table: count + 1}).text
            != move_tables(passage, {table: count}).text
            for passage in self.passages
        )


def first_table(page: Page) -> str:
    """Return the id of the table that is the first thing on a page; empty for anything else."""
    tops = {name: box[1] for name, box in page.anchors.items() if name.startswith(_PREFIX)}
    if not tops or min(tops.values()) - text_top(page) >= _TOP_PX:
        return ""
    return min(tops, key=lambda name: tops[name]).removeprefix(_PREFIX)
