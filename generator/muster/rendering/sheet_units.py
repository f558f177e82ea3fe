"""Find room for an army's units on its sheet: at the head of the first side, or on a page alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from muster.rendering.paper import PX_PER_MM, PX_PER_PT, Paper
from muster.rendering.sheet_fitting import (
    SMALLEST_PT,
    WANTED_PT,
    columns_of_trial,
    fit_sides,
    lay_out_trial,
    least_units_height_mm,
)
from muster.rendering.sheet_measuring import measure_units
from muster.rendering.sheet_sides import (
    FEWEST_NOTES,
    NOTES_PITCH_MM,
    SHEET_MARGIN_MM,
    LaidSide,
    credit_side,
    units_page,
    units_side,
)
from muster.rendering.type_size import STEP, Search, SizeMemory, Trial, fit_type_size
from muster.rendering.unit_columns import least_em, parts_of

if TYPE_CHECKING:
    from muster.documents.sheet import Sheet
    from muster.documents.unit_table import UnitTable
    from muster.rendering.environment import TemplateEnvironment

GOOD_PT = 9.0
"""Where units fit beside rules in this size, these become no smaller for larger units."""
LETTER_WANTED_PT = 7.5
"""Letter is a little smaller than A4, for which the sheets are composed."""
LARGE_ENOUGH_PT = 10.0
"""The least type of a page of units that has boxes for their losses, in points."""
LARGEST_UNITS_PT = 14.0
"""The largest type of a page of units alone, in points."""
UNIT_SCALES = (1.4, 1.25, 1.12)
"""How much larger than the rules the units of an army are, where there is room for that."""
FEW_ROWS = 10
"""Of so few units and commands no part begins within a command."""
_PART_MM = 4.0
"""A table stands in one part more only if that makes it so much lower."""
_NOTES_HEAD_MM = 11.0
_SPARE_MM = 3.0
_GAP_EM = 0.6
_MOST_GAP_EM = 1.4
_UNITS_START_PT = 12.0
_SEARCH = Search(growth=1.8, enough=0.97, near=0.2)
"""Each layout of a page of units takes long, and nobody sees a tenth of a point."""


def unit_variants(sheet: Sheet) -> list[Sheet]:
    """Return a sheet with each table of its army's units, the best one first.

    Those at the head of the first side come first: the longest table in type larger than the
    rules, then in the same type, then the tables that are shorter. All these have boxes for losses;
    the same tables without boxes follow, then the one without the names of units. The next have the
    longest table on a page of its own, and the last has none.
    """
    if not sheet.units:
        return [sheet]
    with_boxes = [replace(each, with_losses=bool(each.losses_head)) for each in sheet.units]
    named = [units for units in with_boxes if units.has_names]
    unnamed = [units for units in with_boxes if not units.has_names]
    without_boxes = [replace(units, with_losses=False) for units in named if units.with_losses]
    at_head = [
        replace(sheet, units=(replace(units, most_parts=parts),), units_scale=scale)
        for tables in (named, without_boxes, unnamed)
        for scales in (UNIT_SCALES, (1.0,))
        for units in tables
        for scale in scales
        for parts in range(units.most_parts, 0, -1)
    ]
    longest = with_boxes[0]
    alone = [
        replace(sheet, units=(replace(each, most_parts=parts),), has_units_page=True)
        for each in dict.fromkeys([longest, replace(longest, with_losses=False)])
        for parts in (1, 2)
    ]
    return [*at_head, *alone, replace(sheet, units=())]


def fit_sheet(
    templates: TemplateEnvironment, variants: Sequence[Sheet], paper: Paper, memory: SizeMemory
) -> tuple[int, tuple[LaidSide, ...]]:
    """Return the number of the variant to print, and its sides, each with the largest type.

    The units stand at the head of the first side, in the best table that fits beside rules of
    `GOOD_PT`, or else in the type of the rules beside those of the wanted size; else on a page of
    their own, and only if that is too small, nowhere.
    """
    if len(variants) == 1:
        return 0, fit_sides(templates, variants[0], paper, memory)
    last = len(variants) - 1
    rules_only = variants[last]
    credit = "" if credit_side(rules_only) else rules_only.credit
    first_side = replace(rules_only, sides=rules_only.sides[:1], credit=credit)
    near: Sequence[Sequence[set[int]]] = ()
    for size, is_whole in ((GOOD_PT, True), (wanted_pt(paper), True), (wanted_pt(paper), False)):
        trial = lay_out_trial(templates, first_side, paper, size, memory, near)
        near = columns_of_trial(trial.laid)
        most = UNIT_SCALES[0] if size == GOOD_PT else 1.0
        number, units_mm = _best_at_head(templates, variants, paper, trial, (most, is_whole))
        if number is not None:
            sheet = variants[number]
            return number, fit_sides(templates, sheet, paper, memory, trial.laid, units_mm)
    rules = fit_sides(templates, rules_only, paper, memory, trial.laid)
    number, page = last, None
    for n in [n for n, each in enumerate(variants) if each.has_units_page]:
        least = page.size_pt + STEP if page else SMALLEST_PT
        own = _fit_units_page(templates, variants[n], paper, memory, least)
        if own:
            number, page = n, own
        if own and variants[n].units[0].with_losses and own.size_pt >= LARGE_ENOUGH_PT:
            break
    return number, (*rules, page) if page else rules


def wanted_pt(paper: Paper) -> float:
    """Return the least type of rules that have units at their head, in points."""
    return LETTER_WANTED_PT if paper.id == "letter" else WANTED_PT


def _best_at_head(
    templates: TemplateEnvironment,
    variants: Sequence[Sheet],
    paper: Paper,
    trial: Trial[tuple[LaidSide, ...]],
    choice: tuple[float, bool],
) -> tuple[int | None, float]:
    """Return the best variant whose units have room at the head of the first side.

    That is its number, and the height of its units in millimetres; else None and 0.

    Args:
        templates: Templates and fonts.
        variants: The sheet with each table of units, the best one first.
        paper: Its paper.
        trial: The first side as it is laid out without units.
        choice: How much larger than the rules the units are at most, and whether they have their
            names and boxes.
    """
    if trial.fullness > 1:
        return None, 0
    most, is_whole = choice
    free_mm = -trial.laid[0].over_mm
    width_mm = paper.turned(variants[0].orientation)[0] - 2 * SHEET_MARGIN_MM
    usable_em = width_mm * PX_PER_MM / PX_PER_PT / trial.size
    there = [
        number
        for number, each in enumerate(variants[:-1])
        if not each.has_units_page
        and each.units_scale <= most
        and _is_whole(each.units[0]) == is_whole
        and least_em(each.units[0]) * each.units_scale <= usable_em
        and least_units_height_mm(each, trial.size) <= free_mm
    ]
    alone = [variants[n] for n in there]
    heights = measure_units(templates, alone, paper, trial.size) if alone else []
    fitting = {
        n: height_mm for n, height_mm in zip(there, heights, strict=True) if height_mm <= free_mm
    }
    if not fitting:
        return None, 0
    whole = [n for n in fitting if not _is_split_in_vain(variants[n].units[0])] or list(fitting)
    best = _look_of_units(variants[min(whole)])
    alike = [n for n in whole if _look_of_units(variants[n]) == best]
    number = min(alike, key=lambda n: fitting[n] + _PART_MM * len(parts_of(variants[n].units[0])))
    return number, fitting[number]


def _is_whole(units: UnitTable) -> bool:
    """Return whether a table has the names of units and all boxes that these can have."""
    return units.has_names and units.with_losses == bool(units.losses_head)


def _is_split_in_vain(units: UnitTable) -> bool:
    """Return whether a part of a table of few rows begins within a command."""
    few = len(units.rows) <= FEW_ROWS
    return few and any(row.is_continued for part in parts_of(units) for row in part)


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
    alone = replace(sheet, sides=(units_side(),), credit="")

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
