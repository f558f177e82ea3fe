"""Find the place of an army's units on its sheet: at the head of a side, or on a page alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from muster.rendering.paper import PX_PER_MM, PX_PER_PT, Paper
from muster.rendering.sheet_fitting import (
    SMALLEST_PT,
    WANTED_PT,
    fit_sides,
    lay_out_trial,
    least_units_height_mm,
)
from muster.rendering.sheet_measuring import measure_units
from muster.rendering.sheet_sides import (
    FEWEST_NOTES,
    NOTES_PITCH_MM,
    LaidSide,
    units_page,
    units_side,
)
from muster.rendering.type_size import STEP, Search, SizeMemory, Trial, fit_type_size
from muster.rendering.unit_columns import parts_of

if TYPE_CHECKING:
    from muster.documents.sheet import Sheet
    from muster.documents.unit_table import UnitTable
    from muster.rendering.environment import TemplateEnvironment

GOOD_PT = 9.0
"""Where units fit beside rules in this size, these become no smaller for larger units."""
LARGE_ENOUGH_PT = 10.0
"""The least type of a page of units that has boxes for their losses, in points."""
LARGEST_UNITS_PT = 14.0
"""The largest type of a page of units alone, in points."""
UNIT_SCALES = (1.4, 1.25, 1.12)
"""How much larger than the rules the units of an army are, where there is room for that."""
_NOTES_HEAD_MM = 11.0
_SPARE_MM = 3.0
_GAP_EM = 0.6
_MOST_GAP_EM = 1.4
_UNITS_START_PT = 12.0
_SEARCH = Search(growth=1.8, enough=0.97, near=0.2)
"""Each layout of a page of units takes long, and nobody sees a tenth of a point."""


def units_in_each_place(sheet: Sheet) -> list[Sheet]:
    """Return a sheet with each table of its army's units on each side, the best one first.

    That is the longest table in type larger than the rules, with boxes for losses; tables of two
    parts stand behind those of three, and the table without the names of units last of all. The
    last sheets have the longest table on a page of its own, with boxes for losses, in one part or
    in two, and no table.
    """
    if not sheet.units:
        return [sheet]
    named = [units for units in sheet.units if units.has_names]
    unnamed = [units for units in sheet.units if not units.has_names]
    choices = [
        (replace(each, most_parts=parts), scale)
        for tables in (named, unnamed)
        for scales in (UNIT_SCALES, (1.0,))
        for units in tables
        for each in _with_and_without_losses(units)
        for scale in scales
        for parts in range(units.most_parts, 0 if each.with_losses else 1, -1)
    ]
    places = [(*choice, side) for choice in choices for side in range(len(sheet.sides))]
    places += [(units, 1.0, len(sheet.sides)) for units in _units_of_a_page(sheet.units[0])]
    with_units = [
        replace(sheet, units=(units,), units_scale=scale, units_side=side)
        for units, scale, side in places
    ]
    return [*with_units, replace(sheet, units=())]


def _with_and_without_losses(units: UnitTable) -> list[UnitTable]:
    """Return a table with boxes for losses, if its units have sizes, and one without."""
    return [replace(units, with_losses=True), units] if units.size_head else [units]


def _units_of_a_page(units: UnitTable) -> list[UnitTable]:
    """Return the tables that a page of its own may have: with boxes for losses, in 1 part or 2."""
    one, two = (replace(units, most_parts=parts) for parts in (1, 2))
    return [replace(one, with_losses=True), one, two] if units.size_head else [one, two]


def fit_sheet(
    templates: TemplateEnvironment, variants: Sequence[Sheet], paper: Paper, memory: SizeMemory
) -> tuple[int, tuple[LaidSide, ...]]:
    """Return the number of the variant to print, and its sides, each with the largest type.

    The units stand on the side that has more room for them, in the best table that fits beside
    rules of `GOOD_PT`, or of `WANTED_PT`; else on a page of their own, and only if that is too
    small, nowhere.
    """
    if len(variants) == 1:
        return 0, fit_sides(templates, variants[0], paper, memory)
    last = len(variants) - 1
    for size, places in ((GOOD_PT, _of_large_rules), (WANTED_PT, _of_small_rules)):
        trial = lay_out_trial(templates, variants[last], paper, size, memory)
        if trial.fullness > 1:
            continue
        number = _best_on_a_side(templates, variants, paper, trial, places(variants[:last]))
        if number is not None:
            return number, fit_sides(templates, variants[number], paper, memory, trial.laid)
    rules = fit_sides(templates, variants[last], paper, memory, trial.laid)
    number, page, sides = last, None, len(variants[last].sides)
    for n in [n for n, each in enumerate(variants[:last]) if each.units_side == sides]:
        least = page.size_pt + STEP if page else SMALLEST_PT
        own = _fit_units_page(templates, variants[n], paper, memory, least)
        if own:
            number, page = n, own
        if own and variants[n].units[0].with_losses and own.size_pt >= LARGE_ENOUGH_PT:
            break
    return number, (*rules, page) if page else rules


def _of_large_rules(variants: Sequence[Sheet]) -> list[int]:
    """Return the numbers of the variants whose tables have the names of units."""
    return [number for number, each in enumerate(variants) if each.units[0].has_names]


def _of_small_rules(variants: Sequence[Sheet]) -> list[int]:
    """Return the numbers of the variants whose units are little larger than the rules."""
    return [number for number, each in enumerate(variants) if each.units_scale <= UNIT_SCALES[-1]]


def _best_on_a_side(
    templates: TemplateEnvironment,
    variants: Sequence[Sheet],
    paper: Paper,
    trial: Trial[tuple[LaidSide, ...]],
    numbers: Sequence[int],
) -> int | None:
    """Return the number of the best variant whose units have room on the side with most of it.

    Args:
        templates: Templates and fonts.
        variants: The sheet with each table of units, the best one first.
        paper: Its paper.
        trial: The sheet as it is laid out without units.
        numbers: The numbers of the variants to choose from.
    """
    side = min(range(len(trial.laid)), key=lambda number: trial.laid[number].over_mm)
    free_mm = -trial.laid[side].over_mm
    there = [
        number
        for number in numbers
        if variants[number].units_side == side
        and least_units_height_mm(variants[number], trial.size) <= free_mm
    ]
    alone = [variants[n] for n in there]
    heights = measure_units(templates, alone, paper, trial.size) if alone else []
    fitting = {
        n: height_mm for n, height_mm in zip(there, heights, strict=True) if height_mm <= free_mm
    }
    if not fitting:
        return None
    best = _look_of_units(variants[min(fitting)])
    alike = [n for n in fitting if _look_of_units(variants[n]) == best]
    return min(alike, key=lambda n: (round(fitting[n]), len(parts_of(variants[n].units[0]))))


def _look_of_units(sheet: Sheet) -> tuple[object, bool, float]:
    """Return what tables of units have in common that differ in the number of their parts alone."""
    units = sheet.units[0]
    return units.rows, units.with_losses, sheet.units_scale


def _fit_units_page(
    templates: TemplateEnvironment,
    sheet: Sheet,
    paper: Paper,
    memory: SizeMemory,
    least: float,
) -> LaidSide | None:
    """Return a page of units alone with the largest type, whose rows fill it.

    It is None if they do not fit in type of the least size, in points.
    """
    alone = replace(sheet, sides=(units_side(),), units_side=0, credit="")

    def lay_out(size: float) -> Trial[tuple[LaidSide, ...]]:
        return lay_out_trial(templates, alone, paper, size, memory)

    if least > LARGEST_UNITS_PT:
        return None
    if least > SMALLEST_PT and lay_out(least).fullness > 1:
        return None
    trial = fit_type_size(lay_out, least, LARGEST_UNITS_PT, start=_UNITS_START_PT, search=_SEARCH)
    if trial.fullness > 1:
        return None
    em_mm = trial.size * PX_PER_PT / PX_PER_MM
    rows = 1 + max(map(len, parts_of(sheet.units[0])))
    free_mm = trial.laid[0].room_mm - _SPARE_MM
    gap_mm = max(min(free_mm / rows, _GAP_EM * em_mm), 0)
    notes = int((free_mm - gap_mm * rows - _NOTES_HEAD_MM) / NOTES_PITCH_MM)
    if notes < FEWEST_NOTES:
        notes, gap_mm = 0, max(min(free_mm / rows, _MOST_GAP_EM * em_mm), 0)
    gap = round(gap_mm * PX_PER_MM / PX_PER_PT, 2)
    return units_page(trial.size, gap, notes)
