"""Make the columns of a side end level: one gap, nearly one pitch of lines, lines for notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import floor, inf

from muster.rendering.sheet_sides import NOTES_HEAD_MM, NOTES_PITCH_MM

MOST_STRETCH = 1.13
"""How much further apart the lines of a side may be where even its fullest column has room."""
MOST_UNEVEN_PITCH = 1.03
"""The ratio of the pitches of two columns of a side at most: nobody sees less."""
MOST_UNEVEN_GAPS = 1.5
"""The ratio of the gaps of two columns of a side at most."""
LAST_UNEVEN_PITCH, LAST_UNEVEN_GAPS = 1.05, 2.2
"""The same where a column would else end too high: better than a head with one line for notes."""
FEWEST_LINES = 2
"""A column has this many lines for notes or none: a single one is a mere filler."""
_TOO_HIGH_MM = 5.0
"""So far above the foot no column may end."""
_GAPS_PT = tuple(each / 4 for each in range(14, 33))
"""The gaps that a side may have between its blocks, in points; it is packed with the first."""
_GOOD_GAP_PT = 5.5
_MM_PER_PT = 25.4 / 72
_RESERVE_MM = 0.4
"""What stays free below lines that are further apart: they may need a little more than reckoned."""
_NOTES_RESERVE_MM = 0.4
_FAR_FREE_MM = 4.5
"""A column that ends higher above the foot is plainly seen."""

_PITCH_COST = 100.0
_GAPS_COST = 20.0
_FREE_COST = 3.0
_FAR_COST = 30.0
_NOTES_COST = 4.0
_LINE_COST = 0.1
_GAP_COST = 0.4
"""How much worse a side is for pitches or gaps that differ by their whole, for each millimetre
free at a foot, and for each that is plainly seen, for each column with lines for notes, for each of
these, and for each point that its gap is from a good one.
"""


@dataclass(frozen=True, slots=True)
class ColumnRoom:
    """What is free in a column, and what can take it up.

    Attributes:
        free_mm: What is free below its last block while its gaps are the narrowest.
        growth_mm: By how much it grows if its lines are `MOST_STRETCH` as far apart.
        gaps: How many gaps it has between its blocks.
        has_gap_above: Whether it stands below a main table, with a gap that several columns share.
    """

    free_mm: float
    growth_mm: float
    gaps: int
    has_gap_above: bool = False


@dataclass(frozen=True, slots=True)
class LevelColumn:
    """The gap and the pitch of a column, its lines for notes, and what is free at its foot."""

    gap_pt: float
    stretch: float
    note_lines: int
    free_mm: float


@dataclass(frozen=True, slots=True)
class LevelSide:
    """The gap of a side, as below a main table, and its columns; those with room may be wider."""

    gap_pt: float
    columns: tuple[LevelColumn, ...]


def level_columns(columns: Sequence[ColumnRoom]) -> LevelSide:
    """Return the gaps, pitches and lines for notes with which the columns of a side end level.

    All gaps are the same, and so is the pitch as far as columns end level; where it is not enough
    that the pitch differs by what nobody sees, some gaps are a little wider, or a column ends with
    lines for notes. Where a column would end too high still, pitches and gaps differ by more.
    """
    side = _best_level(columns, MOST_UNEVEN_PITCH, MOST_UNEVEN_GAPS)
    if max((each.free_mm for each in side.columns), default=0) > _TOO_HIGH_MM:
        side = _best_level(columns, LAST_UNEVEN_PITCH, LAST_UNEVEN_GAPS)
    return side


def _best_level(
    columns: Sequence[ColumnRoom], uneven_pitch: float, uneven_gaps: float
) -> LevelSide:
    """Return the best side whose pitches and gaps have these ratios at most."""
    best, least = LevelSide(_GAPS_PT[0], ()), inf
    for lines in product(*(_lines_that_fit(each.free_mm) for each in columns)):
        for gap_pt in _GAPS_PT:
            side = _level_with(columns, lines, gap_pt, uneven_pitch, uneven_gaps)
            cost = _cost_of(side) if side else inf
            if side and cost < least:
                best, least = side, cost
    return best


def notes_height_mm(lines: int) -> float:
    """Return the height of lines for notes below a column; their head stands on the first."""
    return NOTES_HEAD_MM + (lines - 1) * NOTES_PITCH_MM if lines else 0.0


def _lines_that_fit(free_mm: float) -> Iterator[int]:
    """Yield numbers of lines for notes of a column: none, and those that nearly fill it."""
    yield 0
    below_mm = free_mm - notes_height_mm(1) - _NOTES_RESERVE_MM
    most = 1 + floor(below_mm / NOTES_PITCH_MM)
    yield from range(max(most - 1, FEWEST_LINES), most + 1)


def _level_with(
    columns: Sequence[ColumnRoom],
    lines: Sequence[int],
    gap_pt: float,
    uneven_pitch: float,
    uneven_gaps: float,
) -> LevelSide | None:
    """Return a side with a gap and lines for notes; None if there is no room for these."""
    more_mm = (gap_pt - _GAPS_PT[0]) * _MM_PER_PT
    free_mm = [
        each.free_mm
        - notes_height_mm(number)
        - (_NOTES_RESERVE_MM if number else 0)
        - more_mm * (each.gaps + each.has_gap_above)
        for each, number in zip(columns, lines, strict=True)
    ]
    # A column that is full already needs no reserve: it does not grow.
    if any(free < 0 for free in free_mm):
        return None
    wanted = [
        1 + (MOST_STRETCH - 1) * max(free - _RESERVE_MM, 0) / each.growth_mm
        for free, each in zip(free_mm, columns, strict=True)
        if each.growth_mm > 0
    ]
    least = min([MOST_STRETCH, *wanted])
    most = min(least * uneven_pitch, MOST_STRETCH)
    level = []
    for free, each, number in zip(free_mm, columns, lines, strict=True):
        share = max(free - _RESERVE_MM, 0) / each.growth_mm if each.growth_mm > 0 else 0
        # Rounded down: a column that is higher than its room by a hair begins a new page.
        stretch = floor(min(max(1 + (MOST_STRETCH - 1) * share, least), most) * 1e4) / 1e4
        left = free - each.growth_mm * (stretch - 1) / (MOST_STRETCH - 1)
        needed = max(left - _RESERVE_MM, 0) / _MM_PER_PT / max(each.gaps, 1)
        wider = floor(min(needed, gap_pt * (uneven_gaps - 1)) * 100) / 100
        left -= wider * _MM_PER_PT * each.gaps
        level.append(LevelColumn(round(gap_pt + wider, 2), stretch, number, left))
    return LevelSide(gap_pt, tuple(level))


def _cost_of(side: LevelSide) -> float:
    columns = side.columns
    pitches = [each.stretch for each in columns]
    widest = max(each.gap_pt for each in columns)
    return (
        _PITCH_COST * (max(pitches) / min(pitches) - 1)
        + _GAPS_COST * (widest / side.gap_pt - 1)
        + _FREE_COST * sum(max(each.free_mm - 2 * _RESERVE_MM, 0) for each in columns)
        + _FAR_COST * sum(max(each.free_mm - _FAR_FREE_MM, 0) for each in columns)
        + sum(_NOTES_COST + _LINE_COST * each.note_lines for each in columns if each.note_lines)
        + _GAP_COST * abs(side.gap_pt - _GOOD_GAP_PT)
    )
