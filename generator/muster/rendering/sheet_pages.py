"""Print a quick-reference sheet: measure blocks, choose the type size, pack the columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from muster.rendering.page_boxes import Overhang
from muster.rendering.paper import PX_PER_MM, PX_PER_PT, Paper, turn_edge_of
from muster.rendering.printed import Printed, PrintError, TrialLayout
from muster.rendering.type_size import SizeMemory, Trial, fit_type_size

if TYPE_CHECKING:
    from muster.documents.sheet import Sheet, SheetBlock, SheetSide
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
    heights: Mapping[int, Sequence[float]], weights: Sequence[int], gap: float
) -> Packing:
    """Divide blocks into columns, in order, so that the tallest column is as low as possible.

    Of several ways that are equally low, the one with the most even columns is chosen. Only
    the last columns may be empty.

    Args:
        heights: Column weight -> the height of each block in a column of that width.
        weights: The weight of each column, from the left.
        gap: The space between two blocks of a column.
    """
    count = len(next(iter(heights.values())))
    sums = {weight: [0.0, *_running_totals(run)] for weight, run in heights.items()}

    def height(column: int, start: int, end: int) -> float:
        if end <= start:
            return 0.0
        run = sums[weights[column]]
        return run[end] - run[start] + gap * (end - start - 1)

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


def spread_gaps(packing: Packing, room: float, gap: float, largest: float) -> tuple[float, ...]:
    """Return each column's gap, widened up to *largest* so that the column fills its height."""
    gaps = []
    for column, height in zip(packing.columns, packing.heights, strict=True):
        between = len(column) - 1
        spare = max(0.0, room - height)
        gaps.append(gap if between < 1 else min(largest, gap + spare / between))
    return tuple(gaps)


SHEET_MARGIN_MM = 8.0
FOOT_MM = 6.5
GUTTER_MM = 4.5
GAP_PT = 3.6
LARGEST_GAP_PT = 16.0
SMALLEST_PT = 7.0
SMALLEST_MARK_PT = 6.5
LARGEST_PT = 10.5
_START_PT = 7.8
_TOO_WIDE_PX = 1e6
"""Added to the height of a block that is too wide for a column, so that another is chosen."""

_TEMPLATE = "sheet/print.html.j2"
_STYLES = ("base/print.css", "parts/tables.css", "sheet/sheet.css")
_SCREEN_STYLES = ("base/screen.css", "parts/tables.css", "sheet/screen.css")


@dataclass(frozen=True, slots=True)
class LaidColumn:
    """A column that is ready to print."""

    blocks: tuple[SheetBlock, ...]
    width_mm: float
    gap_pt: float


@dataclass(frozen=True, slots=True)
class LaidSide:
    """A side that is ready to print, and what does not fit on it."""

    side: SheetSide
    columns: tuple[LaidColumn, ...]
    room_mm: float
    over_mm: float
    wide: tuple[str, ...]


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
    key = templates.key(paper.id, sheet)
    name = f"{sheet.title}: {sheet.subtitle}, {paper.title}"
    known = _load_layout(memory, key, sheet, paper)
    if known is not None:
        try:
            return _print_trial(templates, sheet, paper, known, name)
        except PrintError:
            # The libraries of this machine have changed since then: find the layout again.
            memory.pop(key)
    trial = fit_type_size(
        lambda size: _lay_out_trial(templates, sheet, paper, size, memory),
        SMALLEST_PT,
        LARGEST_PT,
        start=_START_PT,
    )
    if trial.fullness > 1:
        too_long = [laid for laid in trial.laid if laid.over_mm > 0]
        faults = [
            f"side “{laid.side.title}” is {laid.over_mm:.0f} mm too long" for laid in too_long
        ]
        wide = dict.fromkeys(text for laid in trial.laid for text in laid.wide)
        faults.extend(f"“{text}” is wider than its column" for text in wide)
        description = "; ".join(faults)
        text = (
            f"{name} does not fit at {SMALLEST_PT:g} pt, the smallest type size allowed: "
            f"{description}. Remove a block, use `short: true`, or move a block to the other side"
        )
        raise PrintError(text)
    _store_layout(memory, key, trial)
    return _print_trial(templates, sheet, paper, trial, name)


def _print_trial(
    templates: TemplateEnvironment,
    sheet: Sheet,
    paper: Paper,
    trial: Trial[tuple[LaidSide, ...]],
    name: str,
) -> Printed:
    html = final_html(templates, sheet, paper, trial)
    sides = len(sheet.sides)
    turn_edge = turn_edge_of(sheet.orientation) if sides > 1 else ""
    return templates.printer.pdf(
        html, templates.read_styles(_STYLES), name, sides, turn_edge=turn_edge
    )


def _store_layout(memory: SizeMemory, key: str, trial: Trial[tuple[LaidSide, ...]]) -> None:
    """Store the size, and for each column the number of its blocks and their gap."""
    memory[key] = trial.size
    for side, laid in enumerate(trial.laid):
        memory[f"{key}.{side}.room"] = laid.room_mm
        for index, column in enumerate(laid.columns):
            memory[f"{key}.{side}.{index}.blocks"] = len(column.blocks)
            memory[f"{key}.{side}.{index}.gap"] = column.gap_pt


def _load_layout(
    memory: SizeMemory, key: str, sheet: Sheet, paper: Paper
) -> Trial[tuple[LaidSide, ...]] | None:
    """Return the stored layout, so that nothing has to be measured; None if there is none."""
    laid = []
    try:
        for number, side in enumerate(sheet.sides):
            columns, begin = [], 0
            for index, width in enumerate(_column_widths_mm(sheet, side, paper)):
                end = begin + int(memory[f"{key}.{number}.{index}.blocks"])
                gap = memory[f"{key}.{number}.{index}.gap"]
                columns.append(LaidColumn(side.blocks[begin:end], width, gap))
                begin = end
            if begin != len(side.blocks):
                return None
            laid.append(LaidSide(side, tuple(columns), memory[f"{key}.{number}.room"], 0, ()))
        return Trial(memory[key], 1, tuple(laid))
    except KeyError:
        return None


def final_html(
    templates: TemplateEnvironment, sheet: Sheet, paper: Paper, trial: Trial[tuple[LaidSide, ...]]
) -> str:
    """Return the HTML of the printed pages."""
    width, height = paper.turned(sheet.orientation)
    return templates.render(
        _TEMPLATE,
        sheet=sheet,
        sides=trial.laid,
        size_pt=trial.size,
        small_pt=_note_size(trial.size),
        mark_pt=_footnote_mark_size(trial.size),
        page=(width, height),
        margin_mm=SHEET_MARGIN_MM,
        foot_mm=FOOT_MM,
        gutter_mm=GUTTER_MM,
        gap_pt=GAP_PT,
        measured=None,
    )


def sheet_html(
    templates: TemplateEnvironment, sheet: Sheet, home: str, beside: SiblingPages = ()
) -> str:
    """Return the sheet as a self-contained HTML page."""
    return templates.render_screen(
        "sheet/screen.html.j2", _SCREEN_STYLES, sheet=sheet, home=home, beside=beside
    )


def _note_size(size: float) -> float:
    """Return the size of notes and remarks, in points; never below the smallest allowed."""
    return max(SMALLEST_PT, round(size * 0.88, 2))


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
    templates: TemplateEnvironment, sheet: Sheet, paper: Paper, size: float, memory: SizeMemory
) -> Trial[tuple[LaidSide, ...]]:
    """Lay out each block in each column width, unless its height is known, and pack the columns."""
    width, height = paper.turned(sheet.orientation)
    keys: dict[str, str] = {}
    runs: list[tuple[int, int, float, list[tuple[str, SheetBlock]]]] = []
    for number, side in enumerate(sheet.sides):
        widths = dict(zip(side.columns, _column_widths_mm(sheet, side, paper), strict=True))
        for weight, width_mm in sorted(widths.items()):
            named = [(f"m-{number}-{weight}-{n}", block) for n, block in enumerate(side.blocks)]
            keys |= {
                name: "h." + templates.key(sheet.language, size, width_mm, block)
                for name, block in named
            }
            new = [each for each in named if not _is_height_known(keys[each[0]], templates, memory)]
            runs.append((number, weight, width_mm, new))
    html = templates.render(
        _TEMPLATE,
        sheet=sheet,
        sides=(),
        size_pt=size,
        small_pt=_note_size(size),
        mark_pt=_footnote_mark_size(size),
        page=(width, height),
        margin_mm=SHEET_MARGIN_MM,
        foot_mm=FOOT_MM,
        gutter_mm=GUTTER_MM,
        gap_pt=GAP_PT,
        measured=runs,
    )
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
    block_heights = {
        name: anchors[name].height + _TOO_WIDE_PX if name in overhangs else memory[key]
        for name, key in keys.items()
    }
    gap = GAP_PT * 96 / 72
    laid: list[LaidSide] = []
    fullest = 0.0
    for number, side in enumerate(sheet.sides):
        heights = {
            weight: [block_heights[f"m-{number}-{weight}-{n}"] for n in range(len(side.blocks))]
            for weight in set(side.columns)
        }
        packing = pack_blocks(heights, side.columns, gap)
        names = [
            [f"m-{number}-{weight}-{n}" for n in indices]
            for weight, indices in zip(side.columns, packing.columns, strict=True)
        ]
        heights_without_penalty = [
            total - _TOO_WIDE_PX * sum(name in overhangs for name in column)
            for total, column in zip(packing.heights, names, strict=True)
        ]
        packing = Packing(packing.columns, tuple(heights_without_penalty))
        # What sticks out of the frame is reported with the first side.
        own = [*overhangs.get("", ())] if number == 0 else []
        own += [each for column in names for name in column for each in overhangs.get(name, ())]
        frame = measured.anchor(f"frame-{number}", _TEMPLATE).height
        frame += measured.anchor(f"foot-{number}", _TEMPLATE).height
        room = (height - SHEET_MARGIN_MM - FOOT_MM) * PX_PER_MM - frame - 2
        fullest = max(fullest, packing.height / room, *(1 + each.share for each in own))
        over = (packing.height - room) / PX_PER_MM
        columns = _lay_out_columns(side, packing, sheet, paper, room)
        texts = tuple(each.text for each in own)
        laid.append(LaidSide(side, columns, round(room / PX_PER_MM, 2), over, texts))
    return Trial(size, fullest, tuple(laid))


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
            if name.startswith("m-")
            and at.page == each.page
            and at.top <= each.top < at.top + at.height
        )
        by_block.setdefault(next(blocks, ""), []).append(each)
    return by_block


def _lay_out_columns(
    side: SheetSide, packing: Packing, sheet: Sheet, paper: Paper, room: float
) -> tuple[LaidColumn, ...]:
    gaps = spread_gaps(packing, room, GAP_PT * PX_PER_PT, LARGEST_GAP_PT * PX_PER_PT)
    widths = _column_widths_mm(sheet, side, paper)
    return tuple(
        LaidColumn(tuple(side.blocks[index] for index in indices), width, round(gap / PX_PER_PT, 2))
        for indices, width, gap in zip(packing.columns, widths, gaps, strict=True)
    )
