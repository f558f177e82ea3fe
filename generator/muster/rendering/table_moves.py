"""Move tables of a book past the paragraph or list below, where they would leave a hole.

WeasyPrint lays out in the order of the text. So a table that does not fit below is moved in the
text, and the book laid out again; where tables have moved is remembered between builds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from muster.rendering.page_boxes import text_top

if TYPE_CHECKING:
    from weasyprint.document import Page

    from muster.documents.passages import Passage

Moves = frozenset[str]
"""The ids of the tables that have moved one place down."""

LARGEST_HOLE = 1 / 6
"""The share of a page's text area that may stay blank at its foot."""
_TOP_PX = 130.0
"""How far below the top of a page a table begins at most, to have kept what is above it there.

That is room for a heading and the line below it, which stay with the table.
"""
_PREFIX = "t-"

_SLOT = re.compile(r"\{(\d+)\}")
_NEVER_PASSED = re.compile(r"[ \t#>]|!!!|\{\d+\}$")
_LIST = re.compile(r"[-*+] |\d+[.)] |[ \t]")


def move_tables(passage: Passage, moves: Moves) -> Passage:
    """Return a chapter with some tables moved below the block that follows each.

    A table passes a paragraph or a whole list, but no heading, example or other table.
    """
    blocks = passage.text.strip("\n").split("\n\n")
    for place in reversed(range(len(blocks))):
        below = blocks[place + 1 : place + 3]
        if _table_of(blocks[place], passage) in moves and _may_pass(below):
            blocks[place : place + 2] = [below[0], blocks[place]]
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
    """Moves all tables that leave a hole, and takes that back if it leaves more blank.

    There is one such try, since each takes as long as printing the book.
    """

    passages: tuple[Passage, ...]
    _blank: float | None = None
    """How much was blank before the try."""
    _ended: bool = False

    def next_moves(self, shares: Sequence[float], first: Sequence[str], moves: Moves) -> Moves:
        """Return what to lay out next; the given moves if that is what is to be printed.

        Args:
            shares: How much of each page but the last is blank at its foot.
            first: The table at the head of each page but the first; empty for none.
            moves: The moves with which the pages were laid out.
        """
        if self._ended:
            return moves
        blank = sum(max(share - LARGEST_HOLE, 0) for share in shares)
        if self._blank is not None:
            self._ended = True
            return moves if blank < self._blank else Moves()
        self._blank = blank
        holes = zip(shares, first, strict=True)
        above = [table for share, table in holes if share > LARGEST_HOLE and table]
        return Moves(table for table in above if self._may_move(table))

    def _may_move(self, table: str) -> bool:
        moved = (move_tables(each, Moves((table,))) for each in self.passages)
        return any(a.text != b.text for a, b in zip(moved, self.passages, strict=True))


def first_table(page: Page) -> str:
    """Return the id of the table at the head of a page, below a heading at most; else nothing."""
    tops = {name: box[1] for name, box in page.anchors.items() if name.startswith(_PREFIX)}
    if not tops or min(tops.values()) - text_top(page) >= _TOP_PX:
        return ""
    return str(min(tops, key=lambda name: tops[name])).removeprefix(_PREFIX)
