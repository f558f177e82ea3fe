"""Keep the lines of a sheet's texts from ending within a value, or before a short last word."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from muster.documents.sheet import Sheet, SheetBlock
    from muster.documents.table_view import TableLine, TableView

_WORD_CHARS = 7
"""The most characters of a last word that is kept with the word before it."""

_TEXT_CHARS = 20
"""The least characters of a text that may need more than one line."""

_UNITS = frozenset({"cm", "mm", "in"})

_TERM = r"(?:[\d½¼¾]+|\d*[DW]\d+)[″′%+]?(?:[ \u00a0\u202f](?:cm|mm))?"
_SUM = re.compile(rf"(?<![\w½¼¾])\(?{_TERM}(?: [+−×÷] \(?{_TERM}\)?)+")
"""Numbers and dice with signs between them, such as D6 + 16 cm."""
_SIGNED = re.compile(r"(?<=[+−×÷≤≥<>=]) (?=\(?(?:[\d½¼¾]|[DW]\d))")
"""The space between a sign and the number after it, such as that of ≤ 3."""
_SHORT_WORD = re.compile(r"(?<![\w-])\w{1,2}(?:-\w{1,2})+(?![\w-])")
"""A short word with hyphens, such as C-in-C."""


def keep_values_whole(text: str) -> str:
    """Return a text with nothing to break at in its sums and short words, or after its signs."""
    text = _SHORT_WORD.sub(lambda found: found[0].replace("-", "-\u2060"), text)
    text = _SUM.sub(lambda found: found[0].replace(" ", "\u00a0"), text)
    return _SIGNED.sub("\u00a0", text)


def keep_end_together(text: str) -> str:
    """Return a text whose values stay whole, with no line for a short last word alone."""
    text = keep_values_whole(text)
    before, _, last = text.rpartition(" ")
    start, _, second = before.rpartition(" ")
    is_short = len(last) <= _WORD_CHARS and len(second) + len(last) <= 2 * _WORD_CHARS
    if not start or len(text) < _TEXT_CHARS or not is_short or last in _UNITS:
        return text
    return f"{before}\u00a0{last}"


def keep_ends_together(sheet: Sheet) -> Sheet:
    """Return a sheet with whole values, in which no short last word stands on a line alone.

    The cells of grids are too narrow for the latter: there, only values stay whole.
    """
    sides = (
        replace(
            side,
            blocks=tuple(_keep_in_block(block) for block in side.blocks),
            footnotes=tuple(
                replace(note, text=_keep_foot_together(note.text)) for note in side.footnotes
            ),
            conventions=tuple(map(_keep_foot_together, side.conventions)),
        )
        for side in sheet.sides
    )
    return replace(sheet, sides=tuple(sides), credit=_keep_foot_together(sheet.credit))


def _keep_foot_together(text: str) -> str:
    """Return a text of the foot, whose last line has two words at least, however long they are."""
    return "\u00a0".join(keep_values_whole(text).rsplit(" ", 1))


def _keep_in_block(block: SheetBlock) -> SheetBlock:
    return replace(
        block,
        remark=keep_end_together(block.remark),
        formula=keep_end_together(block.formula),
        notes=tuple(keep_end_together(note) for note in block.notes),
        views=tuple(_keep_in_view(view) for view in block.views),
    )


def _keep_in_view(view: TableView) -> TableView:
    keep = keep_values_whole if view.form == "grid" else keep_end_together
    parts = tuple(_keep_in_lines(part, keep) for part in view.parts)
    heads = tuple(replace(head, label=keep_values_whole(head.label)) for head in view.heads)
    return replace(view, lines=_keep_in_lines(view.lines, keep), parts=parts, heads=heads)


def _keep_in_lines(lines: Iterable[TableLine], keep: Callable[[str], str]) -> tuple[TableLine, ...]:
    return tuple(
        replace(
            line,
            label=keep(line.label),
            cells=tuple(
                replace(cell, text=keep(cell.text)) if cell.kind == "text" else cell
                for cell in line.cells
            ),
        )
        for line in lines
    )
