"""Move tables of a book below the text that follows them, where they would leave a hole.

WeasyPrint lays out in the order of the text. So a table that does not fit below is moved in the
text, and the book laid out again; where tables have moved is remembered between builds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import TYPE_CHECKING

from muster.rendering.page_boxes import text_top

if TYPE_CHECKING:
    from weasyprint.document import Page

    from muster.documents.passages import Passage

Moves = Mapping[str, int]
"""How many parts of the text, such as paragraphs, each moved table stands further down, by id."""

LARGEST_HOLE = 1 / 6
"""The share of a page's text area that may stay blank at its foot."""
MOST_TRIES = 2
"""How often a book is laid out anew to fill holes, since each takes as long as printing it."""
_TOP_PX = 130.0
"""How far below the top of a page a table begins at most, to have kept what is above it there.

That is room for a heading and the line below it, which stay with the table.
"""
_PREFIX = "t-"

_SLOT = re.compile(r"\{(\d+)\}")
_HEADING = re.compile(r"#+ ")
_LIST = re.compile(r"[-*+] |\d+[.)] ")
_EXAMPLE = "!!!"
_HEADING_LINES = 3.0
_LEAST_LINES = 2.0
"""The least lines of a paragraph that may stand at the foot of a page."""
_EXAMPLE_LINES = 2.0
"""The height of an example's title and of the space around it, in lines of text."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a chapter's text that stays whole when a table moves."""

    text: str
    table: str = ""
    """The id of the table that it stands for, if any."""
    can_break: bool = False
    """Whether a page may end within it."""

    @property
    def is_heading(self) -> bool:
        return bool(_HEADING.match(self.text))

    @property
    def is_block(self) -> bool:
        """Whether it stands for a table or a list of errata."""
        return bool(_SLOT.fullmatch(self.text.strip()))

    def lines(self, line_characters: float) -> float:
        """Return about how many lines of text it fills."""
        if self.is_heading:
            return _HEADING_LINES
        extra = _EXAMPLE_LINES if self.text.startswith(_EXAMPLE) else 0
        blocks = re.split(r"\n\n|\n(?=[-*+] |\d+[.)] )", self.text)
        return extra + sum(ceil(len(block) / line_characters) for block in blocks)


def _split(passage: Passage) -> list[_Part]:
    """Return the parts of a chapter; a list or an example is one, with all that belongs to it."""
    parts: list[_Part] = []
    for block in passage.text.strip("\n").split("\n\n"):
        last = parts[-1].text if parts else ""
        continues = block[:1] in {" ", "\t"} or (_LIST.match(block) and _LIST.match(last))
        if parts and continues:
            parts[-1] = replace(parts[-1], text=f"{last}\n\n{block}")
            continue
        can_break = not block.startswith((_EXAMPLE, "#"))
        parts.append(_Part(block, _table_of(block, passage), can_break))
    return parts


def move_tables(passage: Passage, moves: Moves) -> Passage:
    """Return a chapter with some tables moved below the parts that follow each.

    A table passes paragraphs, lists, examples and headings, but no other table, and it never
    comes to stand between a heading and its text.
    """
    parts = _split(passage)
    for place in reversed(range(len(parts))):
        if count := moves.get(parts[place].table, 0):
            passed = parts[place + 1 : place + 1 + count]
            if _may_pass(passed):
                parts[place : place + 1 + len(passed)] = [*passed, parts[place]]
    return replace(passage, text="\n\n".join(part.text for part in parts) + "\n")


def _may_pass(parts: Sequence[_Part]) -> bool:
    return bool(parts) and not parts[-1].is_heading and not any(part.is_block for part in parts)


def _table_of(block: str, passage: Passage) -> str:
    """Return the id of the table that a block of text stands for; empty if it is none."""
    slot = _SLOT.fullmatch(block.strip())
    piece = passage.pieces[int(slot[1])] if slot else None
    return piece.table.view.id if piece is not None and piece.table is not None else ""


@dataclass
class MoveSearch:
    """Moves tables that leave a hole, a few times, and keeps what leaves least blank."""

    passages: tuple[Passage, ...]
    page_lines: float
    """How many lines of text a page holds."""
    line_characters: float
    """About how many characters a line of text holds."""
    _best: dict[str, int] = field(default_factory=dict)
    _least: float | None = None
    """How much is blank with the best moves; None before the first layout."""
    _tries: int = 0
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
        if self._least is not None and blank >= self._least:
            self._ended = True
            return self._best
        self._best, self._least = dict(moves), blank
        holes = zip(shares, first, strict=True)
        further = {
            table: count
            for share, table in holes
            if share > LARGEST_HOLE and table
            if (count := self._parts_to_pass(table, share * self.page_lines, moves))
        }
        self._tries += 1
        self._ended = not further or self._tries > MOST_TRIES
        return self._best if self._ended else {**moves, **further}

    def _parts_to_pass(self, table: str, hole_lines: float, moves: Moves) -> int:
        """Return how many parts a table is to pass in all, so that they fill a hole; or 0.

        The last of them may go on below the hole if a page may end within it. A table passes into
        the next section only if that leaves no hole.
        """
        following = self._parts_after(table)
        count, passed, own_section = 0, 0, -1
        left = hole_lines
        for part in following:
            height = part.lines(self.line_characters)
            if part.is_block or left < (_LEAST_LINES if part.can_break else height):
                break
            if part.is_heading and own_section < 0:
                own_section = count
            passed += 1
            if passed <= moves.get(table, 0):
                continue  # It stands above the hole already.
            left -= height
            if not part.is_heading:
                count = passed
        still_blank = left > LARGEST_HOLE * self.page_lines
        return own_section if still_blank and own_section >= 0 else count

    def _parts_after(self, table: str) -> Iterable[_Part]:
        for passage in self.passages:
            parts = _split(passage)
            for place, part in enumerate(parts):
                if part.table == table:
                    return parts[place + 1 :]
        return ()


def first_table(page: Page) -> str:
    """Return the id of the table at the head of a page, below a heading at most; else nothing."""
    tops = {name: box[1] for name, box in page.anchors.items() if name.startswith(_PREFIX)}
    if not tops or min(tops.values()) - text_top(page) >= _TOP_PX:
        return ""
    return str(min(tops, key=lambda name: tops[name])).removeprefix(_PREFIX)
