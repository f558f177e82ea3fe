"""Store the layout of a sheet between builds, and load it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from muster.rendering.paper import Paper
from muster.rendering.sheet_sides import (
    LaidColumn,
    LaidSide,
    blocks_in_columns,
    column_widths_mm,
    group_columns,
    units_page,
)
from muster.rendering.type_size import SizeMemory

if TYPE_CHECKING:
    from muster.documents.sheet import Sheet


def store_layout(memory: SizeMemory, key: str, sides: Sequence[LaidSide]) -> None:
    """Store the size of each side, and for each column its number of blocks, gap and pitch."""
    for number, laid in enumerate(sides):
        own = f"{key}.{number}"
        memory[f"{own}.size"] = laid.size_pt
        memory[f"{own}.room"] = laid.room_mm
        # Counted from 1, and 0 for none: what is kept is never negative.
        memory[f"{own}.first"] = laid.span.start + 1
        memory[f"{own}.end"] = laid.span.stop + 1
        memory[f"{own}.gap"] = laid.gap_pt
        memory[f"{own}.notes"] = laid.note_lines
        columns = [column for group in laid.groups for column in group.columns]
        for index, (column, weight) in enumerate(zip(columns, laid.side.columns, strict=False)):
            memory[f"{own}.{index}.weight"] = weight
            memory[f"{own}.{index}.blocks"] = len(column.blocks)
            memory[f"{own}.{index}.gap"] = column.gap_pt
            memory[f"{own}.{index}.stretch"] = column.stretch
            memory[f"{own}.{index}.notes"] = column.note_lines


def load_layout(
    memory: SizeMemory, key: str, sheet: Sheet, paper: Paper
) -> tuple[LaidSide, ...] | None:
    """Return the stored layout, so that nothing has to be measured; None if there is none."""
    laid = []
    try:
        for number, side in enumerate(sheet.sides):
            own = f"{key}.{number}"
            weights = [int(memory[f"{own}.{n}.weight"]) for n in range(len(side.columns))]
            side = replace(side, columns=tuple(weights))  # noqa: PLW2901
            widths = column_widths_mm(sheet, side, paper)
            blocks = blocks_in_columns(side)
            columns, begin = [], 0
            for index, width in enumerate(widths):
                end = begin + int(memory[f"{own}.{index}.blocks"])
                lines = int(memory[f"{own}.{index}.notes"])
                gap = memory[f"{own}.{index}.gap"]
                stretch = memory[f"{own}.{index}.stretch"]
                own_blocks = tuple(blocks[begin:end])
                columns.append(LaidColumn(own_blocks, width, gap, lines, stretch=stretch))
                begin = end
            span = range(int(memory[f"{own}.first"]) - 1, int(memory[f"{own}.end"]) - 1)
            if begin != len(blocks):
                return None
            gap, room = memory[f"{own}.gap"], memory[f"{own}.room"]
            groups = group_columns(side, columns, span)
            laid.append(LaidSide(side, groups, span, gap, room, 0, (), memory[f"{own}.size"]))
        if sheet.has_units_page:
            laid.append(_load_units_page(memory, f"{key}.{len(laid)}"))
    except KeyError:
        return None
    return tuple(laid)


def _load_units_page(memory: SizeMemory, key: str) -> LaidSide:
    return units_page(memory[f"{key}.size"], memory[f"{key}.gap"], int(memory[f"{key}.notes"]))
