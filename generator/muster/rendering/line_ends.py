"""Keep short last words of a sheet's texts from standing on a line alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from muster.documents.sheet import Sheet, SheetBlock
    from muster.documents.table_view import PrintedCell, TableLine, TableView

_WORD_CHARS = 7
"""The most characters of a last word that is kept with the word before it."""

_TEXT_CHARS = 20
"""The least characters of a text that may need more than one line."""

_UNITS = frozenset({"cm", "mm", "in"})


def keep_end_together(text: str) -> str:
    """Return a text with a no-break space before its last word, if that is short."""
    before, _, last = text.rpartition(" ")
    start, _, second = before.rpartition(" ")
    is_short = len(last) <= _WORD_CHARS and len(second) + len(last) <= 2 * _WORD_CHARS
    if not start or len(text) < _TEXT_CHARS or not is_short or last in _UNITS:
        return text
    return f"{before}\u00a0{last}"


def keep_ends_together(sheet: Sheet) -> Sheet:
    """Return a sheet in which no short last word of a text stands on a line alone.

    The cells of grids are left as they are: they are too narrow for that.
    """
    sides = (
        replace(side, blocks=tuple(_keep_in_block(block) for block in side.blocks))
        for side in sheet.sides
    )
    return replace(sheet, sides=tuple(sides))


def _keep_in_block(block: SheetBlock) -> SheetBlock:
    return replace(
        block,
        remark=keep_end_together(block.remark),
        formula=keep_end_together(block.formula),
        notes=tuple(keep_end_together(note) for note in block.notes),
        views=tuple(_keep_in_view(view) for view in block.views),
    )


def _keep_in_view(view: TableView) -> TableView:
    if view.form == "grid":
        return view
    parts = tuple(_keep_in_lines(part) for part in view.parts)
    return replace(view, lines=_keep_in_lines(view.lines), parts=parts)


def _keep_in_lines(lines: Iterable[TableLine]) -> tuple[TableLine, ...]:
    return tuple(
        replace(
            line,
            label=keep_end_together(line.label),
            cells=tuple(_keep_in_cell(cell) for cell in line.cells),
        )
        for line in lines
    )


def _keep_in_cell(cell: PrintedCell) -> PrintedCell:
    return replace(cell, text=keep_end_together(cell.text)) if cell.kind == "text" else cell
