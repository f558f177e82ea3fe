"""Move tables of a book below the text that follows them, or above the text before them.

WeasyPrint lays out in the order of the text. So a table that would leave a hole is moved in the
text, and the book laid out again; where tables have moved is remembered between builds. Which moves
fill the pages best is planned from the heights of all blocks, without a layout.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from muster.rendering.page_flow import TABLE_PREFIX, FlowBlock

if TYPE_CHECKING:
    from muster.documents.passages import Passage

Moves = Mapping[str, int]
"""How many parts of the text, such as paragraphs, each moved table stands further down, by id.

Below 0, it stands further up.
"""

LARGEST_HOLE = 1 / 6
"""The share of a page's text area that may stay blank at its foot."""
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
    """Return a chapter with some tables moved below the parts that follow, or above those before.

    A table passes paragraphs, lists, examples and headings, but no other table, and it never
    comes to stand between a heading and its text. Upwards, it passes no heading.
    """
    text = "\n\n".join(part.text for part in _moved_parts(passage, moves)) + "\n"
    return replace(passage, text=text)


def _moved_parts(passage: Passage, moves: Moves) -> list[_Part]:
    parts = _split(passage)
    for place in reversed(range(len(parts))):
        number = moves.get(parts[place].table, 0)
        passed = parts[place + 1 : place + 1 + number]
        if number > 0 and _may_pass(passed):
            parts[place : place + 1 + len(passed)] = [*passed, parts[place]]
    for place in range(len(parts)):
        number = -moves.get(parts[place].table, 0)
        passed = parts[max(place - number, 0) : place]
        if number > 0 and _may_be_passed_upwards(passed):
            parts[place - len(passed) : place + 1] = [parts[place], *passed]
    return parts


def undo_moves(
    blocks: Sequence[FlowBlock], passages: Sequence[Passage], moves: Moves
) -> tuple[FlowBlock, ...]:
    """Return the blocks of a layout in which tables have moved, in the order of the text."""
    there = name_parts(blocks, passages, moves)
    return tuple(sorted(there, key=lambda block: (block.chapter, block.part)))


def name_parts(
    blocks: Sequence[FlowBlock], passages: Sequence[Passage], moves: Moves
) -> tuple[FlowBlock, ...]:
    """Return the blocks of a layout in its order, each with the number of its part of the text."""
    alike = chapters_read_alike(blocks, passages)
    places = {n: [part.place for part in _moved_parts(passages[n], moves)] for n in alike}
    return tuple(
        replace(block, part=places[block.chapter][block.part])
        if block.part >= 0 and block.chapter in alike
        else block
        for block in blocks
    )


def texts_of_tables(
    blocks: Sequence[FlowBlock], passages: Sequence[Passage]
) -> dict[int, tuple[int, ...]]:
    """Return the blocks that name each table in its chapter, or else the one above it.

    Args:
        blocks: The blocks of a book, in any order, each with the number of its part of the text.
        passages: The chapters.
    """
    numbers = {(block.chapter, block.part): n for n, block in enumerate(blocks)}
    found = {}
    for chapter in chapters_read_alike(blocks, passages):
        parts = _split(passages[chapter])
        named = [_tables_named(part, passages[chapter]) for part in parts]
        for part in parts:
            if part.table:
                texts = [n for n, tables in enumerate(named) if part.table in tables]
                above = [each.place for each in parts[: part.place] if not each.is_block]
                if held := tuple(numbers[chapter, n] for n in texts or above[-1:]):
                    found[numbers[chapter, part.place]] = held
    return found


def _tables_named(part: _Part, passage: Passage) -> set[str]:
    """Return the anchors of the tables that a part of a chapter names, without their prefix."""
    pieces = (passage.pieces[int(slot)] for slot in _SLOT.findall(part.text))
    return {each.target.removeprefix(TABLE_PREFIX) for each in pieces if each.kind == "link"}


def _may_pass(parts: Sequence[_Part]) -> bool:
    return bool(parts) and not parts[-1].is_heading and not any(part.is_block for part in parts)


def _may_be_passed_upwards(parts: Sequence[_Part]) -> bool:
    return bool(parts) and not any(part.is_block or part.is_heading for part in parts)


def _table_of(block: str, passage: Passage) -> str:
    """Return the id of the table that a block of text stands for; empty if it is none."""
    slot = _SLOT.fullmatch(block.strip())
    piece = passage.pieces[int(slot[1])] if slot else None
    return piece.table.view.id if piece is not None and piece.table is not None else ""


def chapters_read_alike(blocks: Sequence[FlowBlock], passages: Sequence[Passage]) -> set[int]:
    """Return the chapters whose blocks are the parts of their text, nearly always all."""
    counts = Counter(block.chapter for block in blocks if block.part >= 0)
    return {n for n, passage in enumerate(passages) if len(_split(passage)) == counts[n]}


def moves_of(blocks: Sequence[FlowBlock]) -> Moves:
    """Return how many parts each table has passed."""
    moves = {}
    for place, block in enumerate(blocks):
        if not block.table:
            continue
        parts = [(n, b.part) for n, b in enumerate(blocks) if b.chapter == block.chapter]
        tables = {n for n, b in enumerate(blocks) if b.table}
        below = sum(n < place and part > block.part for n, part in parts if n not in tables)
        above = sum(n > place and part < block.part for n, part in parts if n not in tables)
        if below or above:
            moves[block.table] = below or -above
    return moves
