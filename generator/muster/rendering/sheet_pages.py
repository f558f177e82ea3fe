"""Print a quick-reference sheet: measure blocks, choose the type size, pack the columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import inf
from typing import TYPE_CHECKING

from muster.documents.sheet import SheetSide
from muster.languages import say
from muster.rendering.line_ends import keep_ends_together
from muster.rendering.page_boxes import Overhang
from muster.rendering.paper import PT_PER_MM, PX_PER_MM, PX_PER_PT, Paper, turn_edge_of
from muster.rendering.printed import Printed, PrintError, TrialLayout
from muster.rendering.text_widths import text_room_em
from muster.rendering.type_size import STEP, Search, SizeMemory, Trial, fit_type_size
from muster.rendering.unit_columns import least_em, parts_of
from muster.systems.layouts import MAIN_SHARE

if TYPE_CHECKING:
    from muster.documents.sheet import Sheet, SheetBlock
    from muster.documents.unit_table import UnitTable
    from muster.rendering.environment import SiblingPages, TemplateEnvironment


@dataclass(frozen=True, slots=True)
class Packing:
    """The blocks of each column, by their index, and the height of each column."""

    columns: tuple[tuple[int, ...], ...]
    heights: tuple[float, ...]

    @property
    def height(self) -> float:
        """The height of the tallest column, in the unit of the measured heights."""
        return max(self.heights, default=0.0)


def pack_blocks(
    heights: Mapping[int, Sequence[float]],
    weights: Sequence[int],
    gap: float,
    tops: Sequence[float] = (),
) -> Packing:
    """Divide blocks into columns, in order, so that the tallest column is as low as possible.

    Of several ways that are equally low, the one with the most even columns is chosen. Only
    the last columns may be empty.

    Args:
        heights: Column weight -> the height of each block in a column of that width.
        weights: The weight of each column, from the left.
        gap: The space between two blocks of a column.
        tops: The height of what stands above the blocks of each column, with the gap below it.
    """
    tops = tops or [0.0] * len(weights)
    count = len(next(iter(heights.values())))
    sums = {weight: [0.0, *_running_totals(run)] for weight, run in heights.items()}

    def height(column: int, start: int, end: int) -> float:
        if end <= start:
            return max(tops[column] - gap, 0.0)
        run = sums[weights[column]]
        return tops[column] + run[end] - run[start] + gap * (end - start - 1)

    @cache
    def best(column: int, start: int) -> tuple[float, float, tuple[int, ...]]:
        """Return the tallest height, the sum of squares and the ends for blocks from *start*."""
        if column == len(weights) - 1:
            last = height(column, start, count)
            return last, last * last, (count,)
        result: tuple[float, float, tuple[int, ...]] | None = None
        first_end = start + 1 if start < count else start
        for end in range(first_end, count + 1):
            own = height(column, start, end)
            if result is not None and own > result[0]:
                break
            rest = best(column + 1, end)
            candidate = (max(own, rest[0]), own * own + rest[1], (end, *rest[2]))
            if result is None or candidate[:2] < result[:2]:
                result = candidate
        return result or (0.0, 0.0, (count,) * (len(weights) - column))

    ends = best(0, 0)[2]
    starts = (0, *ends[:-1])
    return Packing(
        tuple(tuple(range(a, b)) for a, b in zip(starts, ends, strict=True)),
        tuple(height(c, a, b) for c, (a, b) in enumerate(zip(starts, ends, strict=True))),
    )


def _running_totals(run: Sequence[float]) -> list[float]:
    total, totals = 0.0, []
    for each in run:
        total += each
        totals.append(total)
    return totals


@dataclass(frozen=True, slots=True)
class Gaps:
    """The gap between all blocks of a side, and where each column ends."""

    size: float
    ends: tuple[float, ...]


def spread_gaps(
    packing: Packing, room: float, narrowest: float, widest: float, spanned: range = range(0)
) -> Gaps:
    """Return the gap between blocks, in all columns the same: as wide as the fullest allows.

    Args:
        packing: The blocks of each column, packed with the narrowest gap.
        room: The height of a column.
        narrowest: The narrowest gap.
        widest: The widest gap.
        spanned: The columns below a main table, which have a gap below it, too.
    """
    numbers = [
        max(len(blocks) - 1, 0) + (len(blocks) > 0 and column in spanned)
        for column, blocks in enumerate(packing.columns)
    ]
    columns = list(zip(numbers, packing.heights, strict=True))
    spare = [(room - height) / number for number, height in columns if number]
    more = min(max(min(spare, default=0.0), 0.0), widest - narrowest)
    return Gaps(narrowest + more, tuple(height + number * more for number, height in columns))


def stretch_pitch(free: float, growth: float) -> float:
    """Return by which factor the lines of a column are further apart, so that it fills its room.

    Args:
        free: What is free below its last block.
        growth: By how much the column grows if its lines are `TRIED_STRETCH` as far apart.
    """
    wanted = 1 + (TRIED_STRETCH - 1) * free / growth if growth > 0 else 1.0
    return round(min(max(wanted, 1.0), MOST_STRETCH), 4)


SHEET_MARGIN_MM = 6.5
FOOT_MM = 6.0
GUTTER_MM = 4.2
GAP_PT = 3.5
LARGEST_GAP_PT = 7.0
LINE_EM = 1.19
"""The pitch of lines and rows in a block, in em of its type."""
_RULE_EM = 0.04
"""The rule below a row, which is part of its pitch."""
TRIED_STRETCH = 1.06
MOST_STRETCH = 1.09
"""How much further apart the lines of one column may be, so that it ends level with others."""
MAIN_PT = 9.0
"""The smallest type of the figures of a game's main table."""
NOTE_PT = 8.0
"""The size of notes; those of a sheet in smaller type are as small as its text."""
SMALLEST_PT = 7.0
WANTED_PT = 8.0
"""Where the units of an army would make the type smaller, they stand on a page of their own."""
SMALLEST_MARK_PT = 6.5
LARGEST_PT = 10.5
LARGEST_ARMY_PT = 11.0
LARGE_ENOUGH_PT = 10.0
"""The least type of a page of units that has boxes for their losses, in points."""
LARGEST_UNITS_PT = 14.0
"""The largest type of a page of units alone, in points."""
UNIT_SCALES = (1.25, 1.12)
"""How much larger than the rules the units of an army are, where there is room for that."""
_LINE_EM = 1.15
"""The least height of a line, in em."""
NOTES_PITCH_MM = 8.0
_NOTES_HEAD_MM = 11.0
_COLUMN_NOTES_HEAD_MM = 6.0
_SPARE_MM = 3.0
_GAP_EM = 0.6
_MOST_GAP_EM = 1.4
_FEWEST_NOTES = 3
"""The rows of a page of units are widened, and lines for notes fill it where units are few."""
_START_PT = 8.0
_UNITS_START_PT = 12.0
_GROWTH = 1.8
"""The power of the type size with which the columns of a sheet grow, about."""
_FOR_A_SYSTEM = Search(growth=_GROWTH)
_FOR_AN_ARMY = Search(growth=_GROWTH, enough=0.97, near=0.2)
"""Its player waits for each layout, and does not see a tenth of a point."""
_TOO_WIDE_PX = 1e6
"""Added to the height of a block that is too wide for a column, so that another is chosen."""
_NOT_TRIED_PX = 1e9
"""The height of a block in a column that is so far from its own that it was not laid out there."""
TITLE_PT = 16.0
_SERIF_SHARE = 1.16
"""How much wider than our sans serif our serif is."""
_ABOUT_SHARE = 1.15
_TAB_PT = 18.0
_ARM_PT = 14.0
_MASTHEAD_PT = 50.0
"""What a phase, a symbol of an arm and a masthead need besides their words, in points."""
_REACH = 1
_FIRST_REACH = 3
"""How many blocks of a column may move to the next in another size, and from a first guess."""

_TEMPLATE = "sheet/print.html.j2"
_PARTS = ("parts/tables.css", "parts/units.css")
_STYLES = ("base/print.css", *_PARTS, "sheet/sheet.css")
_SCREEN_STYLES = ("base/screen.css", *_PARTS, "sheet/screen.css")


@dataclass(frozen=True, slots=True)
class LaidColumn:
    """A column that is ready to print.

    Where that of an army's sheet ends far above the others, it has lines for notes below.
    """

    blocks: tuple[SheetBlock, ...]
    width_mm: float
    note_lines: int = 0
    stretch: float = 1.0
    free_mm: float = 0
    """What is free below its last block before its lines are stretched."""

    @property
    def style(self) -> str:
        """The pitch of its lines, as CSS."""
        return pitch_style(self.stretch)


def pitch_style(stretch: float) -> str:
    """Return the pitch of text and the height of the lines of a table, as CSS."""
    line_em = LINE_EM * stretch
    return f"--pitch: {line_em:.4g}em; --row: {line_em - _RULE_EM:.4g}em"


@dataclass(frozen=True, slots=True)
class LaidGroup:
    """Columns that stand below the main table of a side, or a single one below nothing."""

    columns: tuple[LaidColumn, ...]
    width_mm: float
    main: SheetBlock | None = None


@dataclass(frozen=True, slots=True)
class LaidSide:
    """A side that is ready to print, and what does not fit on it.

    `span` are the columns that its main table stands on, from -1 to -1 without a main table, and
    `gap_pt` is the gap between all its blocks. Each side has type as large as fits: `size_pt`.
    """

    side: SheetSide
    groups: tuple[LaidGroup, ...]
    span: range
    gap_pt: float
    room_mm: float
    over_mm: float
    wide: tuple[str, ...]
    size_pt: float
    note_lines: int = 0
    """How many lines for notes a page of units has below them."""

    @property
    def style(self) -> str:
        """The sizes of its type, as CSS."""
        return (
            f"font-size: {self.size_pt:g}pt; --small: {_note_size(self.size_pt):g}pt; "
            f"--marksize: {_footnote_mark_size(self.size_pt):g}pt; "
            f"--mainsize: {_main_size(self.size_pt):g}pt"
            + ("" if self.side.blocks else f"; --rowgap: {self.gap_pt / 2:g}pt")
        )


def sheet_pdf(
    templates: TemplateEnvironment, sheet: Sheet, paper: Paper, memory: SizeMemory
) -> Printed:
    """Print a sheet at the largest type size that fits, one page for each side.

    Args:
        templates: Templates and fonts.
        sheet: The sheet to print.
        paper: The paper to print it on.
        memory: Layouts that earlier builds found; what is found now is added.

    Raises:
        PrintError: If it does not fit at the smallest type size; names the side and the excess.
    """
    sheet = keep_ends_together(sheet)
    key = templates.key(paper.id, sheet)
    name = f"{sheet.title}: {sheet.subtitle}, {paper.title}"
    variants = _with_units_in_each_place(sheet)
    numbers = {float(number): variant for number, variant in enumerate(variants)}
    remembered = numbers.get(memory.get(f"{key}.units", 0))
    known = _load_layout(memory, key, remembered, paper) if remembered else None
    if known is not None and remembered is not None:
        try:
            return _print_sides(templates, remembered, paper, known, name)
        except PrintError:
            # The libraries of this machine have changed since then: find the layout again.
            memory.pop(f"{key}.0.size")
    number, sides = _fit_with_units(templates, variants, paper, memory)
    faults = [
        f"side “{laid.side.title}” is {laid.over_mm:.0f} mm too long"
        for laid in sides
        if laid.over_mm > 0
    ]
    wide = dict.fromkeys(text for laid in sides for text in laid.wide)
    faults.extend(f"“{text}” is wider than its column" for text in wide)
    if faults:
        text = (
            f"{name} does not fit at {SMALLEST_PT:g} pt, the smallest type size allowed: "
            f"{'; '.join(faults)}. Remove a block, use `short: true`, or move a block to the other "
            "side"
        )
        raise PrintError(text)
    _store_layout(memory, key, sides)
    memory[f"{key}.units"] = number
    return _print_sides(templates, variants[number], paper, sides, name)


def _with_units_in_each_place(sheet: Sheet) -> list[Sheet]:
    """Return a sheet with each table of its army's units on each side, the best one first.

    That is the longest table in type larger than the rules; those of two parts stand behind those
    of three, and the table without the names of units last of all. The last sheets have the longest
    table on a page of its own, with boxes for losses, in one part or in two, and no table.
    """
    if not sheet.units:
        return [sheet]
    named = [units for units in sheet.units if units.has_names]
    unnamed = [units for units in sheet.units if not units.has_names]
    choices = [
        (replace(units, most_parts=parts), scale)
        for tables in (named, unnamed)
        for scales in (UNIT_SCALES, (1.0,))
        for units in tables
        for scale in scales
        for parts in range(units.most_parts, 1, -1)
    ]
    places = [(*choice, side) for choice in choices for side in range(len(sheet.sides))]
    places += [(units, 1.0, len(sheet.sides)) for units in _units_of_a_page(sheet.units[0])]
    with_units = [
        replace(sheet, units=(units,), units_scale=scale, units_side=side)
        for units, scale, side in places
    ]
    return [*with_units, replace(sheet, units=())]


def _fit_with_units(
    templates: TemplateEnvironment, variants: Sequence[Sheet], paper: Paper, memory: SizeMemory
) -> tuple[int, tuple[LaidSide, ...]]:
    """Return the number of the variant to print, and its sides, each with the largest type.

    The units stand on the side that has more room for them, in the best table that fits at
    `WANTED_PT`; else on a page of their own, and only if that is too small, nowhere.
    """
    if len(variants) == 1:
        return 0, _fit_sides(templates, variants[0], paper, memory)
    last = len(variants) - 1
    sides = len(variants[last].sides)
    trial = _lay_out_trial(templates, variants[last], paper, WANTED_PT, memory)
    if trial.fullness <= 1:
        side = min(range(sides), key=lambda number: trial.laid[number].over_mm)
        free_mm = -trial.laid[side].over_mm
        there = [
            number
            for number, each in enumerate(variants[:last])
            if each.units_side == side and _least_height_mm(each) <= free_mm
        ]
        alone = [variants[n] for n in there]
        heights = _measure_units(templates, alone, paper) if alone else []
        fitting = {
            n: height_mm
            for n, height_mm in zip(there, heights, strict=True)
            if height_mm <= free_mm
        }
        if fitting:
            best = _look_of_units(variants[min(fitting)])
            alike = [n for n in fitting if _look_of_units(variants[n]) == best]
            number = min(
                alike, key=lambda n: (round(fitting[n]), len(parts_of(variants[n].units[0])))
            )
            return number, _fit_sides(templates, variants[number], paper, memory, trial.laid)
    rules = _fit_sides(templates, variants[last], paper, memory, trial.laid)
    number, page = last, None
    for n in [n for n, each in enumerate(variants[:last]) if each.units_side == sides]:
        least = page.size_pt + STEP if page else SMALLEST_PT
        own = _fit_units_page(templates, variants[n], paper, memory, least)
        if own:
            number, page = n, own
        if own and variants[n].units[0].with_losses and own.size_pt >= LARGE_ENOUGH_PT:
            break
    return number, (*rules, page) if page else rules


def _look_of_units(sheet: Sheet) -> tuple[object, float]:
    """Return what tables of units have in common that differ in the number of their parts alone."""
    return sheet.units[0].rows, sheet.units_scale


def _least_height_mm(sheet: Sheet) -> float:
    """Return the height that the units need at least at `WANTED_PT`, a line for each row."""
    lines = 1 + max(map(len, parts_of(sheet.units[0])))
    return lines * _LINE_EM * WANTED_PT * sheet.units_scale * PX_PER_PT / PX_PER_MM


def _number_of_parts(sheet: Sheet) -> int:
    return len(parts_of(sheet.units[0]))


def _measure_units(
    templates: TemplateEnvironment, variants: Sequence[Sheet], paper: Paper
) -> list[float]:
    """Return the height of the units of each variant at `WANTED_PT`, in millimetres.

    It is infinite for a table that is too wide for the page.
    """
    html = _trial_html(templates, variants[0], paper, WANTED_PT, [], variants)
    name = f"{variants[0].title}: {variants[0].subtitle}"
    measured = templates.printer.measure(html, templates.read_styles(_STYLES), name)
    overhangs = _overhangs_by_block(measured)
    usable_pt = paper.turned(variants[0].orientation)[0] - 2 * SHEET_MARGIN_MM
    usable_pt *= PX_PER_MM / PX_PER_PT
    heights = []
    for number, variant in enumerate(variants):
        anchor = f"units-{number}"
        height_mm = measured.anchor(anchor, _TEMPLATE).height / PX_PER_MM
        wide_pt = least_em(variant.units[0]) * WANTED_PT * variant.units_scale
        heights.append(inf if anchor in overhangs or wide_pt > usable_pt else height_mm)
    return heights


def _fit_sides(
    templates: TemplateEnvironment,
    sheet: Sheet,
    paper: Paper,
    memory: SizeMemory,
    before: Sequence[LaidSide] = (),
) -> tuple[LaidSide, ...]:
    """Return the sides of a sheet, each with the largest type at which it fits.

    Args:
        templates: Templates and fonts.
        sheet: The sheet.
        paper: Its paper.
        memory: Known heights of blocks.
        before: Its sides as they were laid out without the army's units, if they were.
    """
    laid: list[LaidSide] = []
    for number, side in enumerate(sheet.sides):
        units = sheet.units if number == sheet.units_side else ()
        # The credit stands on the first side alone.
        credit = sheet.credit if number == 0 else ""
        alone = replace(sheet, sides=(side,), units=units, units_side=0, credit=credit)
        laid += _fit_side(templates, alone, paper, memory, tuple(before[number : number + 1]))
    return tuple(laid)


def _fit_side(
    templates: TemplateEnvironment,
    sheet: Sheet,
    paper: Paper,
    memory: SizeMemory,
    before: tuple[LaidSide, ...],
) -> tuple[LaidSide, ...]:
    """Return the side of a sheet of one, with the largest type at which it fits."""

    def lay_out(size: float) -> Trial[tuple[LaidSide, ...]]:
        nonlocal before
        trial = _lay_out_trial(templates, sheet, paper, size, memory, before)
        before = trial.laid
        return trial

    found = fit_type_size(
        lay_out,
        SMALLEST_PT,
        LARGEST_ARMY_PT if sheet.army else LARGEST_PT,
        start=_guess_size(before[0], sheet) if before else _START_PT,
        search=_FOR_AN_ARMY if sheet.army else _FOR_A_SYSTEM,
    )
    if found.fullness > 1:
        return found.laid
    return tuple(_level_feet(templates, sheet, paper, memory, laid) for laid in found.laid)


def _guess_size(laid: LaidSide, sheet: Sheet) -> float:
    """Return the size at which a side is about full that was laid out without the army's units."""
    units_mm = _least_height_mm(sheet) if sheet.units else 0
    room_mm = max(laid.room_mm - units_mm, 1)
    fullness = (laid.room_mm + laid.over_mm) / room_mm
    size_pt: float = laid.size_pt / fullness ** (1 / _GROWTH)
    return size_pt


def _level_feet(
    templates: TemplateEnvironment, sheet: Sheet, paper: Paper, memory: SizeMemory, laid: LaidSide
) -> LaidSide:
    """Return the only side of a sheet with the lines of each column as far apart as its room is.

    By how much a column grows is found in one layout with wider lines.
    """
    near = [columns_near(_blocks_of_columns(laid), 0)]
    size = laid.size_pt
    now, _ = _measure_blocks(templates, sheet, paper, size, memory, near)
    then, _ = _measure_blocks(templates, sheet, paper, size, memory, near, TRIED_STRETCH)
    columns: list[LaidColumn] = []
    begin = 0
    for weight, column in zip(laid.side.columns, _columns_of(laid), strict=True):
        end = begin + len(column.blocks)
        names = [_block_name(0, weight, n) for n in range(begin, end)]
        growth_mm = sum(then[name] - now[name] for name in names) / PX_PER_MM
        free_mm = 0 if column.note_lines else column.free_mm
        columns.append(replace(column, stretch=stretch_pitch(free_mm, growth_mm)))
        begin = end
    return replace(laid, groups=_group_columns(laid.side, columns, laid.span))


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
    alone = replace(sheet, sides=(_units_side(),), units_side=0, credit="")

    def lay_out(size: float) -> Trial[tuple[LaidSide, ...]]:
        return _lay_out_trial(templates, alone, paper, size, memory)

    if least > LARGEST_UNITS_PT:
        return None
    if least > SMALLEST_PT and lay_out(least).fullness > 1:
        return None
    trial = fit_type_size(
        lay_out, least, LARGEST_UNITS_PT, start=_UNITS_START_PT, search=_FOR_AN_ARMY
    )
    if trial.fullness > 1:
        return None
    em_mm = trial.size * PX_PER_PT / PX_PER_MM
    rows = 1 + max(map(len, parts_of(sheet.units[0])))
    free_mm = trial.laid[0].room_mm - _SPARE_MM
    gap_mm = max(min(free_mm / rows, _GAP_EM * em_mm), 0)
    notes = int((free_mm - gap_mm * rows - _NOTES_HEAD_MM) / NOTES_PITCH_MM)
    if notes < _FEWEST_NOTES:
        notes, gap_mm = 0, max(min(free_mm / rows, _MOST_GAP_EM * em_mm), 0)
    gap = round(gap_mm * PX_PER_MM / PX_PER_PT, 2)
    return _units_page(trial.size, gap, notes)


def _units_of_a_page(units: UnitTable) -> list[UnitTable]:
    """Return the tables that a page of its own may have: with boxes for losses, in 1 part or 2."""
    one, two = (replace(units, most_parts=parts) for parts in (1, 2))
    return [replace(one, with_losses=True), one, two] if units.size_head else [one, two]


def _units_side() -> SheetSide:
    return SheetSide(say("Units"), (1,), (), (), ())


def _units_page(size: float, gap: float, notes: int) -> LaidSide:
    """Return the page that an army's units have to themselves.

    Args:
        size: The size of its type, in points.
        gap: The space that is added to each row, in points.
        notes: How many lines for notes stand below them.
    """
    return LaidSide(_units_side(), (), _NO_SPAN, gap, 0, 0, (), size, notes)


def _print_sides(
    templates: TemplateEnvironment,
    sheet: Sheet,
    paper: Paper,
    sides: tuple[LaidSide, ...],
    name: str,
) -> Printed:
    html = final_html(templates, sheet, paper, sides)
    turn_edge = turn_edge_of(sheet.orientation) if len(sides) > 1 else ""
    return templates.printer.pdf(
        html, templates.read_styles(_STYLES), name, len(sides), turn_edge=turn_edge
    )


def _store_layout(memory: SizeMemory, key: str, sides: Sequence[LaidSide]) -> None:
    """Store the size of each side, and for each column its number of blocks and its pitch."""
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
        for index, column in enumerate(columns):
            memory[f"{own}.{index}.blocks"] = len(column.blocks)
            memory[f"{own}.{index}.stretch"] = column.stretch
            memory[f"{own}.{index}.notes"] = column.note_lines


def _load_layout(
    memory: SizeMemory, key: str, sheet: Sheet, paper: Paper
) -> tuple[LaidSide, ...] | None:
    """Return the stored layout, so that nothing has to be measured; None if there is none."""
    laid = []
    try:
        for number, side in enumerate(sheet.sides):
            own = f"{key}.{number}"
            widths = _column_widths_mm(sheet, side, paper)
            blocks = _blocks_in_columns(side)
            columns, begin = [], 0
            for index, width in enumerate(widths):
                end = begin + int(memory[f"{own}.{index}.blocks"])
                lines = int(memory[f"{own}.{index}.notes"])
                stretch = memory[f"{own}.{index}.stretch"]
                columns.append(LaidColumn(tuple(blocks[begin:end]), width, lines, stretch))
                begin = end
            span = range(int(memory[f"{own}.first"]) - 1, int(memory[f"{own}.end"]) - 1)
            if begin != len(blocks):
                return None
            gap, room = memory[f"{own}.gap"], memory[f"{own}.room"]
            groups = _group_columns(side, columns, span)
            size = memory[f"{own}.size"]
            laid.append(LaidSide(side, groups, span, gap, room, 0, (), size))
        if sheet.units_side == len(sheet.sides):
            laid.append(_load_units_page(memory, f"{key}.{len(laid)}"))
    except KeyError:
        return None
    return tuple(laid)


def _load_units_page(memory: SizeMemory, key: str) -> LaidSide:
    return _units_page(memory[f"{key}.size"], memory[f"{key}.gap"], int(memory[f"{key}.notes"]))


def _main_of(side: SheetSide) -> SheetBlock | None:
    """Return the block of a side that stands on several columns, if it has one."""
    return next((block for block in side.blocks if block.wide), None)


def _blocks_in_columns(side: SheetSide) -> list[SheetBlock]:
    """Return the blocks that stand in columns: all but the main table, which stands on them."""
    main = _main_of(side)
    return [block for block in side.blocks if block is not main]


_NO_SPAN = range(-1, -1)


def _main_spans(sheet: Sheet, side: SheetSide, paper: Paper) -> list[range]:
    """Return the columns that the main table of a side may stand on: as few as are wide enough.

    A side without a main table has the empty range from -1 alone.
    """
    if _main_of(side) is None:
        return [_NO_SPAN]
    widths = _column_widths_mm(sheet, side, paper)
    least = MAIN_SHARE * paper.turned(sheet.orientation)[0]
    every = range(len(widths))
    spans = [range(first, last + 1) for first in every for last in every[first:]]
    wide = [span for span in spans if _width_of_span(widths, span) >= least]
    fewest = min((len(span) for span in wide), default=len(widths))
    return [span for span in wide if len(span) == fewest] or [every]


def _width_of_span(widths: Sequence[float], span: range) -> float:
    """Return the width of adjacent columns with the gutters between them, in millimetres."""
    return sum(widths[column] for column in span) + GUTTER_MM * (len(span) - 1)


def _group_columns(
    side: SheetSide, columns: Sequence[LaidColumn], span: range
) -> tuple[LaidGroup, ...]:
    """Return the columns of a side, those below its main table as one group."""
    groups = []
    for index, column in enumerate(columns):
        if index not in span:
            groups.append(LaidGroup((column,), column.width_mm))
        elif index == span.start:
            width = _width_of_span([each.width_mm for each in columns], span)
            below = tuple(columns[span.start : span.stop])
            groups.append(LaidGroup(below, width, _main_of(side)))
    return tuple(groups)


def final_html(
    templates: TemplateEnvironment, sheet: Sheet, paper: Paper, sides: tuple[LaidSide, ...]
) -> str:
    """Return the HTML of the printed pages."""
    width, height = paper.turned(sheet.orientation)
    has_units_page = sheet.units_side == len(sheet.sides)
    if has_units_page:
        # Units that have a page of their own stand first; they were laid out after the rules.
        sides = (sides[-1], *sides[:-1])
    size = sides[0].size_pt
    return templates.render(
        _TEMPLATE,
        sheet=sheet,
        sides=sides,
        units_page=0 if has_units_page else sheet.units_side,
        credit_page=1 if has_units_page else 0,
        size_pt=size,
        small_pt=_note_size(size),
        mark_pt=_footnote_mark_size(size),
        main_pt=_main_size(size),
        page=(width, height),
        margin_mm=SHEET_MARGIN_MM,
        foot_mm=FOOT_MM,
        gutter_mm=GUTTER_MM,
        notes_pitch_mm=NOTES_PITCH_MM,
        measured=None,
        rows=[_masthead_rows(sheet, laid.side, paper) for laid in sides],
        title_pt=TITLE_PT,
        pitch=pitch_style(1),
    )


def _trial_html(  # noqa: PLR0913, PLR0917 - what a layout depends on
    templates: TemplateEnvironment,
    sheet: Sheet,
    paper: Paper,
    size: float,
    runs: Sequence[tuple[str, float, list[tuple[str, SheetBlock]]]],
    with_units: Sequence[Sheet] = (),
    stretch: float = 1.0,
) -> str:
    """Return the HTML of a trial layout.

    Args:
        templates: Templates and fonts.
        sheet: The sheet, whose frames are measured unless *with_units* are.
        paper: Its paper.
        size: The type size in points.
        runs: A name and width in millimetres, and the blocks with their names to measure in it.
        with_units: Variants of the sheet of which the units alone are measured.
        stretch: How much further apart the lines of blocks are.
    """
    return templates.render(
        _TEMPLATE,
        sheet=sheet,
        sides=(),
        units_page=sheet.units_side,
        credit_page=0,
        size_pt=size,
        small_pt=_note_size(size),
        mark_pt=_footnote_mark_size(size),
        main_pt=_main_size(size),
        page=paper.turned(sheet.orientation),
        margin_mm=SHEET_MARGIN_MM,
        foot_mm=FOOT_MM,
        gutter_mm=GUTTER_MM,
        measured=runs,
        rows=[_masthead_rows(sheet, side, paper) for side in sheet.sides],
        title_pt=TITLE_PT,
        with_units=with_units,
        pitch=pitch_style(stretch),
    )


def _masthead_rows(sheet: Sheet, side: SheetSide, paper: Paper) -> int:
    """Return in how many rows the phases of the turn stand beside the title: in 1, if they fit."""
    free_pt = (paper.turned(sheet.orientation)[0] - 2 * SHEET_MARGIN_MM) * PT_PER_MM
    title = _SERIF_SHARE * text_room_em(sheet.army or sheet.title) * TITLE_PT
    arms = 0 if sheet.army else len(sheet.look.arms)
    facts = f"{sheet.title}, {sheet.book} · " if sheet.army else ""
    facts += f"{sheet.scale} · {sheet.unit}"
    about = max(text_room_em(side.title) * _ABOUT_SHARE, text_room_em(facts)) * NOTE_PT
    tabs = sum(text_room_em(phase.title) * NOTE_PT + _TAB_PT for phase in side.phases)
    return 1 if title + arms * _ARM_PT + about + tabs + _MASTHEAD_PT <= free_pt else 2


def sheet_html(
    templates: TemplateEnvironment, sheet: Sheet, home: str, beside: SiblingPages = ()
) -> str:
    """Return the sheet as a self-contained HTML page."""
    return templates.render_screen(
        "sheet/screen.html.j2", _SCREEN_STYLES, sheet=sheet, home=home, beside=beside
    )


def _note_size(size: float) -> float:
    """Return the size of notes and remarks, in points."""
    return max(min(size, NOTE_PT), round(size * 0.88, 2))


def _main_size(size: float) -> float:
    """Return the size of the figures of a main table, in points."""
    return max(MAIN_PT, round(size * 1.08, 2))


def _footnote_mark_size(size: float) -> float:
    """Return the size of footnote marks, in points."""
    return max(SMALLEST_MARK_PT, round(size * 0.75, 2))


def _column_widths_mm(sheet: Sheet, side: SheetSide, paper: Paper) -> list[float]:
    """Return the width of each column of a side, in millimetres."""
    usable = paper.turned(sheet.orientation)[0] - 2 * SHEET_MARGIN_MM
    usable -= GUTTER_MM * (len(side.columns) - 1)
    total = sum(side.columns)
    return [usable * weight / total for weight in side.columns]


def _lay_out_trial(
    templates: TemplateEnvironment,
    sheet: Sheet,
    paper: Paper,
    size: float,
    memory: SizeMemory,
    before: Sequence[LaidSide] = (),
) -> Trial[tuple[LaidSide, ...]]:
    """Lay out each block in the widths of the columns near its own, and pack the columns.

    Args:
        templates: Templates and fonts.
        sheet: The sheet.
        paper: Its paper.
        size: The type size in points.
        memory: Known heights of blocks; what is found now is added.
        before: Its sides in another size, if that is known.
    """
    width, height = paper.turned(sheet.orientation)
    if before:
        near = [columns_near(_blocks_of_columns(laid), _REACH) for laid in before]
    else:
        near = _guess_columns(templates, sheet, paper, size, memory)
    heights, measured = _measure_blocks(templates, sheet, paper, size, memory, near)
    overhangs = _overhangs_by_block(measured)
    block_heights = {
        name: height + (_TOO_WIDE_PX if name in overhangs else 0)
        for name, height in heights.items()
    }
    for number, side in enumerate(sheet.sides):
        for weight in set(side.columns):
            for n in range(len(_blocks_in_columns(side))):
                block_heights.setdefault(_block_name(number, weight, n), _NOT_TRIED_PX)
    laid: list[LaidSide] = []
    usable_pt = (width - 2 * SHEET_MARGIN_MM) * PX_PER_MM / PX_PER_PT
    fullest = max((least_em(units) * size / usable_pt for units in sheet.units[:1]), default=0.0)
    for number, side in enumerate(sheet.sides):
        frame = measured.anchor(f"frame-{number}", _TEMPLATE).height
        frame += measured.anchor(f"foot-{number}", _TEMPLATE).height
        room = (height - SHEET_MARGIN_MM - FOOT_MM) * PX_PER_MM - frame - 2
        span, packing = _pack_side(sheet, side, paper, number, block_heights)
        names = [
            [_block_name(number, weight, n) for n in indices]
            for weight, indices in zip(side.columns, packing.columns, strict=True)
        ]
        if span:
            names[span.start].append(_block_name(number, _run_of_span(side, span), 0))
        # A main table that is too wide weighs on each of its columns.
        on_top = [names[span.start][-1:] if column in span else [] for column in range(len(names))]
        heights_without_penalty = [
            total - _TOO_WIDE_PX * sum(name in overhangs for name in {*column, *above})
            for total, column, above in zip(packing.heights, names, on_top, strict=True)
        ]
        packing = Packing(packing.columns, tuple(heights_without_penalty))
        # What sticks out of the frame is reported with the first side.
        own = [*overhangs.get("", ())] if number == 0 else []
        own += [each for column in names for name in column for each in overhangs.get(name, ())]
        share = packing.height / max(room, 1) if side.blocks else frame / (frame + room)
        fullest = max(fullest, share, *(1 + each.share for each in own))
        over = (packing.height - room) / PX_PER_MM
        widest = LARGEST_GAP_PT * PX_PER_PT
        gaps = spread_gaps(packing, room, GAP_PT * PX_PER_PT, widest, span)
        blocks = _blocks_in_columns(side)
        columns = [
            LaidColumn(
                tuple(blocks[index] for index in indices),
                width,
                _note_lines((max(gaps.ends) - end) / PX_PER_MM) if sheet.army else 0,
                free_mm=(room - end) / PX_PER_MM,
            )
            for indices, width, end in zip(
                packing.columns, _column_widths_mm(sheet, side, paper), gaps.ends, strict=True
            )
        ]
        groups = _group_columns(side, columns, span)
        texts = tuple(each.text for each in own)
        room_mm = round(room / PX_PER_MM, 2)
        gap_pt = round(gaps.size / PX_PER_PT, 2)
        laid.append(LaidSide(side, groups, span, gap_pt, room_mm, over, texts, size))
    return Trial(size, fullest, tuple(laid))


def _note_lines(spare_mm: float) -> int:
    """Return how many lines for notes a column has that ends so far above the longest."""
    lines = int((spare_mm - _COLUMN_NOTES_HEAD_MM) / NOTES_PITCH_MM)
    return lines if lines >= _FEWEST_NOTES else 0


def _block_name(side: int, run: int | str, block: int) -> str:
    """Return the name of a block of a side in a width, which is that of a column or a span."""
    return f"m-{side}-{run}-{block}"


def _columns_of(laid: LaidSide) -> list[LaidColumn]:
    return [column for group in laid.groups for column in group.columns]


def _blocks_of_columns(laid: LaidSide) -> list[int]:
    """Return how many blocks stand in each column."""
    return [len(column.blocks) for column in _columns_of(laid)]


def columns_near(numbers: Sequence[int], reach: int) -> list[set[int]]:
    """Return the columns that each block may stand in: its own, and the next to it if it is near.

    Args:
        numbers: How many blocks stand in each column.
        reach: How many blocks of a column are near the next one.
    """
    near = []
    for column, number in enumerate(numbers):
        for place in range(number):
            before = {column - 1} if place < reach and column else set()
            after = {column + 1} if number - place <= reach and column + 1 < len(numbers) else set()
            near.append({column} | before | after)
    return near


def _guess_columns(
    templates: TemplateEnvironment, sheet: Sheet, paper: Paper, size: float, memory: SizeMemory
) -> list[list[set[int]]]:
    """Return the columns that each block of each side may stand in, from its height in one width.

    The narrower a column, the higher a block in it, about.
    """
    near = []
    for side in sheet.sides:
        middle = side.columns.index(sorted(side.columns)[len(side.columns) // 2])
        near.append([{middle} for _ in _blocks_in_columns(side)])
    if all(len(set(side.columns)) == 1 for side in sheet.sides):
        return near
    known, _ = _measure_blocks(templates, sheet, paper, size, memory, near)
    for number, side in enumerate(sheet.sides):
        heights = dict(known)
        for n, columns in enumerate(near[number]):
            own = side.columns[min(columns)]
            for weight in set(side.columns):
                height = known[_block_name(number, own, n)] * own / weight
                heights[_block_name(number, weight, n)] = height
        _, packing = _pack_side(sheet, side, paper, number, heights)
        near[number] = columns_near([len(each) for each in packing.columns], _FIRST_REACH)
    return near


def _measure_blocks(  # noqa: PLR0913, PLR0917 - what a height depends on
    templates: TemplateEnvironment,
    sheet: Sheet,
    paper: Paper,
    size: float,
    memory: SizeMemory,
    near: Sequence[Sequence[set[int]]],
    stretch: float = 1.0,
) -> tuple[dict[str, float], TrialLayout]:
    """Return the height of each block by its name, in the widths of columns near it, in pixels.

    What is known already is not laid out again; the trial layout has the rest, and the frames.
    The lines are as far apart as a column of this stretch has them.
    """
    keys: dict[str, str] = {}
    runs: list[tuple[str, float, list[tuple[str, SheetBlock]]]] = []
    for number, side in enumerate(sheet.sides):
        for run, width_mm, blocks in _runs_to_measure(sheet, side, paper, near[number]):
            named = [(_block_name(number, run, n), block) for n, block in blocks]
            keys |= {
                name: "h." + templates.key(sheet.language, size, width_mm, stretch, block)
                for name, block in named
            }
            new = [each for each in named if not _is_height_known(keys[each[0]], templates, memory)]
            runs.append((f"{number}-{run}", width_mm, new))
    html = _trial_html(templates, sheet, paper, size, runs, stretch=stretch)
    measured = templates.printer.measure(
        html, templates.read_styles(_STYLES), f"{sheet.title}: {sheet.subtitle}"
    )
    anchors = measured.anchors
    overhangs = _overhangs_by_block(measured)
    if len(templates.heights) > _MAX_CACHED_HEIGHTS:
        templates.heights.clear()
    for name in keys.keys() & anchors.keys():
        if name not in overhangs:
            memory[keys[name]] = templates.heights[keys[name]] = round(anchors[name].height, 3)
    for name in keys:
        if keys[name] not in memory:
            measured.anchor(name, _TEMPLATE)
    heights = {
        name: anchors[name].height if name in overhangs else memory[key]
        for name, key in keys.items()
    }
    return heights, measured


def _runs_to_measure(
    sheet: Sheet, side: SheetSide, paper: Paper, near: Sequence[set[int]]
) -> Iterator[tuple[int | str, float, list[tuple[int, SheetBlock]]]]:
    """Yield each width of a side with its name, in millimetres, and the blocks to measure in it."""
    widths = _column_widths_mm(sheet, side, paper)
    blocks = _blocks_in_columns(side)
    for weight, width in sorted(set(zip(side.columns, widths, strict=True))):
        yield (
            weight,
            width,
            [
                (n, block)
                for n, (block, columns) in enumerate(zip(blocks, near, strict=True))
                if any(side.columns[column] == weight for column in columns)
            ],
        )
    main = _main_of(side)
    if main is not None:
        spans = {_run_of_span(side, span): span for span in _main_spans(sheet, side, paper)}
        for name, span in spans.items():
            yield name, _width_of_span(widths, span), [(0, main)]


def _run_of_span(side: SheetSide, span: range) -> str:
    """Return the name of the width of adjacent columns."""
    return f"main{sum(side.columns[column] for column in span)}"


def _pack_side(
    sheet: Sheet,
    side: SheetSide,
    paper: Paper,
    number: int,
    heights: Mapping[str, float],
) -> tuple[range, Packing]:
    """Pack the columns of a side; return the columns that its main table stands on, too.

    They are those nearest to the place that the main table has in the sheet file.
    """
    gap = GAP_PT * PX_PER_PT
    blocks = _blocks_in_columns(side)
    by_weight = {
        weight: [heights[_block_name(number, weight, n)] for n in range(len(blocks))]
        for weight in set(side.columns)
    }
    main = _main_of(side)
    before = side.blocks.index(main) if main else 0
    candidates = []
    for span in _main_spans(sheet, side, paper):
        tops = [0.0] * len(side.columns)
        for column in span:
            tops[column] = heights[_block_name(number, _run_of_span(side, span), 0)] + gap
        packing = pack_blocks(by_weight, side.columns, gap, tops)
        passed = sum(len(column) for column in packing.columns[: max(span.start, 0)])
        candidates.append((abs(passed - before), packing.height, span, packing))
    _, _, span, packing = min(candidates, key=lambda each: each[:2])
    return span, packing


_MAX_CACHED_HEIGHTS = 5000
"""How many heights are kept in memory, at about a hundred bytes each."""


def _is_height_known(key: str, templates: TemplateEnvironment, memory: SizeMemory) -> bool:
    """Return whether a height is known, from an earlier build or another sheet of this one."""
    if key not in memory and key in templates.heights:
        memory[key] = templates.heights[key]
    return key in memory


def _overhangs_by_block(measured: TrialLayout) -> dict[str, list[Overhang]]:
    """Return what sticks out by the name of the block that holds it, or "" if none does."""
    by_block: dict[str, list[Overhang]] = {}
    for each in measured.wide:
        blocks = (
            name
            for name, at in measured.anchors.items()
            if name.startswith(("m-", "units-"))
            and at.page == each.page
            and at.top <= each.top < at.top + at.height
        )
        by_block.setdefault(next(blocks, ""), []).append(each)
    return by_block
