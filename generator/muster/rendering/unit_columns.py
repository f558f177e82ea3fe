"""Lay out the table of an army's units: its parts side by side and the widths of its columns."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import combinations, pairwise
from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from muster.documents.unit_table import UnitColumn, UnitRow, UnitTable

_LINE_CHARS = 40
"""About as many characters of a name and type stand on one line."""

_NAME_EM = 7.5
_NAME_BESIDE_BOXES_EM = 10.0
"""The least width of the column of names, in em: on a sheet, and on a page of units with boxes."""

_PADDING_EM = 0.6
"""The space beside a column of figures, in em."""

_NAME_CHAR_EM = 0.5
"""The width of a character of a name, in em."""

_BOX_EM = 0.99
_SPACE_EM = 0.18
_FIVE_EM = 0.3
_UNIT_GAP_EM = 0.9
_HALVED_EM = 0.3
"""The width of a box for a loss with the space beside it, that space, what is added to it after
five boxes, the gap between units, and what a box has more that takes two ticks, in em.
"""

_WHOLE = 1
"""So many lines may a table be higher so that no command is split."""

_PAGE_PT = (790.0, 470.0)
_LARGEST_PT = 14.0
"""About the width and height that a page of units leaves, and the largest type on it."""
_LINE_EM = 1.2
_ROW_EM = 0.3
"""About the height of a line, and what a row adds to its lines."""
_LONGEST_NAME_EM = 18.0


@lru_cache(maxsize=64)
def parts_of(units: UnitTable) -> tuple[tuple[UnitRow, ...], ...]:
    """Return the rows of each part; one that begins within a command repeats its head."""
    return split_rows(units.rows, units.most_parts, with_boxes=units.with_losses)


def least_em(units: UnitTable) -> float:
    """Return the width below which names of units would be squeezed, in em."""
    names = _NAME_BESIDE_BOXES_EM if units.with_losses else _NAME_EM
    return len(parts_of(units)) * (names + _room_of_figures_em(units) + losses_em(units))


def losses_em(units: UnitTable) -> float:
    """Return the width of the column of boxes, in em; 0 without one."""
    return round(_boxes_em(units) + 1.2, 2) if units.with_losses else 0


def units_a_line(row: UnitRow, units: UnitTable) -> int:
    """Return how many units of a row have their boxes side by side."""
    return _units_of_a_line(row, _boxes_em(units))


def widths_em(units: UnitTable, room: float) -> tuple[float, ...]:
    """Return the widths of the columns of figures, in em.

    Room to spare is shared with the column of names, so that no figure is far from its name.

    Args:
        units: The table.
        room: The width of the whole table, in em.
    """
    figures = _figures_em(units)
    names = max(_NAME_EM, _names_em(units.rows))
    part = room / len(parts_of(units)) - losses_em(units) - 1 - len(figures) * _PADDING_EM
    growth = max(1, part / (names + sum(figures)))
    return tuple(round(width * growth, 2) for width in figures)


def least_width_em(column: UnitColumn) -> float:
    """Return the width of a column of figures with the space beside it, in em."""
    return _width_em(column.characters)


def _width_em(characters: int) -> float:
    return round(characters * 0.41 + 0.5, 2)


def _figures_em(units: UnitTable) -> list[float]:
    sizes = [_width_em(len(units.size_head))] if units.size_head else []
    return [*sizes, *(least_width_em(column) for column in units.columns)]


def _room_of_figures_em(units: UnitTable) -> float:
    """Return the width of all columns of figures with the space beside them, in em."""
    figures = _figures_em(units)
    return sum(figures) + len(figures) * _PADDING_EM


def _names_em(rows: Sequence[UnitRow]) -> float:
    """Return about the width of the longest name with its type, in em."""
    return max((len(row.words) * _NAME_CHAR_EM for row in rows), default=0)


@lru_cache(maxsize=64)
def _boxes_em(units: UnitTable) -> float:
    """Return the width of the longest line of boxes, in em.

    Equal units have their boxes side by side as long as that gives the page larger type.
    """
    rows = [row for row in units.rows if row.tracks]
    widths = {_line_of_boxes_em(row, number) for row in rows for number in range(1, row.count + 1)}
    least = max((_line_of_boxes_em(row, 1) for row in rows), default=0)
    wide = sorted(width for width in widths if width >= least)
    return max(wide, key=lambda boxes_em: (_about_size_pt(units, boxes_em), boxes_em), default=0)


def _about_size_pt(units: UnitTable, boxes_em: float) -> float:
    """Return about the size of type that a page of the table has, in points."""
    width, height = _PAGE_PT
    parts = len(parts_of(units))
    names = max(_names_em(units.rows), _NAME_BESIDE_BOXES_EM)
    others = _room_of_figures_em(units) + boxes_em
    lines = [
        ceil(row.count / _units_of_a_line(row, boxes_em)) if row.tracks else 1 for row in units.rows
    ]
    em = sum(lines) / parts * _LINE_EM + (len(lines) / parts + 2) * (_LINE_EM / 2 + _ROW_EM)
    part_em = min(names, _LONGEST_NAME_EM) + others
    return min(width / parts / part_em, height / em, _LARGEST_PT)


def _line_of_boxes_em(row: UnitRow, units: int) -> float:
    """Return the width of the boxes of so many units of a row side by side, in em."""
    boxes_em = sum(
        track.boxes * (_BOX_EM + _HALVED_EM * track.halved)
        + (track.boxes - 1) // 5 * _FIVE_EM
        - _SPACE_EM
        for track in row.tracks
    )
    return units * boxes_em + (units * len(row.tracks) - 1) * _UNIT_GAP_EM


def _units_of_a_line(row: UnitRow, boxes_em: float) -> int:
    """Return how many units of a row stand side by side in so many em, in lines of equal length."""
    most = sum(_line_of_boxes_em(row, units + 1) <= boxes_em for units in range(row.count))
    return ceil(row.count / ceil(row.count / max(most, 1)))


def split_rows(
    rows: Sequence[UnitRow], most: int, *, with_boxes: bool = False
) -> tuple[tuple[UnitRow, ...], ...]:
    """Split rows into parts of nearly equal height, at most so many.

    Equal units have their boxes below one another, where they have any.
    No part ends with the head of a command; a part that begins within a command repeats its head.
    A command is split only where that saves more than `_WHOLE` rows.
    """
    parts = min(most, max(1, len(rows) // 2))
    lines = [
        max(
            1 + len(row.words) // _LINE_CHARS,
            row.count if with_boxes and row.tracks else 1,
        )
        for row in rows
    ]
    heads = [-1] * len(rows)
    for place, row in enumerate(rows):
        heads[place] = place if row.is_command else heads[place - 1] if place else -1
    possible = [place for place in range(1, len(rows)) if not rows[place - 1].is_command]

    def continued(start: int) -> int:
        """Return the head that a part repeats that starts here; -1 if there is none."""
        return -1 if rows[start].is_command or start == 0 else heads[start]

    def badness(breaks: tuple[int, ...]) -> tuple[int, int, int, list[int]]:
        places = (0, *breaks, len(rows))
        heights = [
            sum(lines[start:end]) + (continued(start) >= 0) for start, end in pairwise(places)
        ]
        split_commands = sum(continued(b) >= 0 for b in breaks)
        height = max(heights) + _WHOLE * (split_commands > 0)
        return height, split_commands, -len(breaks), [-h for h in heights]

    choices = (each for count in range(parts) for each in combinations(possible, count))
    best = min(choices, key=badness)
    split = []
    for start, end in pairwise((0, *best, len(rows))):
        head = continued(start)
        repeated = [replace(rows[head], leaders=(), is_continued=True)] if head >= 0 else []
        split.append((*repeated, *rows[start:end]))
    return tuple(split)
