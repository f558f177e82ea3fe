"""Find the largest type at which each side of a sheet fits, and lay it out in that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, permutations
from math import inf
from typing import TYPE_CHECKING

from muster.documents.sheet import SheetSide
from muster.rendering.paper import PX_PER_MM, PX_PER_PT, Paper
from muster.rendering.sheet_levelling import (
    MOST_STRETCH,
    ColumnRoom,
    level_columns,
)
from muster.rendering.sheet_measuring import (
    LESS_HIGH,
    AskedHeights,
    MeasuredBlocks,
    TriedHeights,
    block_name,
    measure_blocks,
    run_of_span,
)
from muster.rendering.sheet_packing import Packing, columns_near, pack_blocks
from muster.rendering.sheet_sides import (
    FOOT_MM,
    SHEET_MARGIN_MM,
    LaidColumn,
    LaidSide,
    blocks_in_columns,
    column_widths_mm,
    columns_of,
    credit_side,
    group_columns,
    main_of,
    main_spans,
)
from muster.rendering.type_size import STEP, Search, SizeMemory, Trial, fit_type_size
from muster.rendering.unit_columns import least_em, parts_of

if TYPE_CHECKING:
    from muster.documents.sheet import Sheet
    from muster.rendering.environment import TemplateEnvironment

GAP_PT = 3.5
SMALLEST_PT = 7.0
WANTED_PT = 8.0
"""Where the units of an army would make the type smaller, they stand on a page of their own."""
LARGEST_PT = 10.5
LARGEST_ARMY_PT = 13.0
_LINE_EM = 1.15
"""The least height of a line, in em."""
_START_PT = 9.0
_GROWTH = 1.8
"""The power of the type size with which the columns of a sheet grow, about."""
_LEAST_FULLNESS = 0.3
"""A guess of the columns that is less full is not trusted."""
_SEARCH = Search(growth=_GROWTH, enough=0.995, layouts=12, near_largest=0.98)
"""The last layouts of a search are quick: most heights follow from those before."""
_TOO_WIDE_PX = 1e6
"""Added to the height of a block that is too wide for a column, so that another is chosen."""
_NARROWING = 0.7
_NARROWEST = 0.6
_MOST_CHANGE = 20
_HALVINGS = 12
_WIDTH_STEPS = 400
"""The widths of columns that end unevenly change by the first as power of their heights, to the
second as share of the mean width at least, by the third as percentage at most, in so many steps of
the width of all.
"""
_FREE = 0.03
_LARGER = 1.04
_MORE = 0.01
"""Where this share of all columns is free, those that are too narrow for type so much larger are
widened by what sticks out and this share of their width.
"""
_EVEN_MM = 20.0
_LITTLE = 0.15
"""The more the first is, the more large type is worth beside even columns. What pitch and gaps
make up for counts as the second says.
"""
_TAKEN_UP_MM = 3.0
"""What these make up for in a column, for each of its gaps."""
_MUCH_LOWER = 0.75
"""Other columns are tried for an army where one is lower than this share of the highest."""
_EASILY = 0.02
"""Columns whose heights differ by less than this share of their room have good widths."""
_MOST_WIDTHS = 3
_MOST_WIDTHS_OF_ARMY = 2
"""So often other widths are tried as long as they are better. Players wait for army sheets."""
_MUCH_LESS = 0.98
_ENOUGH_PT = 0.2
"""How much lower columns have to become in another order, and how much larger their type."""
_MOST_ORDERED = 4
"""Of more columns, not all orders are tried."""
_REACH = 1
_FIRST_REACH = 2
"""How many blocks of a column may move to the next in another size, and from a first guess."""


def fit_sides(
    templates: TemplateEnvironment,
    sheet: Sheet,
    paper: Paper,
    memory: SizeMemory,
    before: Sequence[LaidSide] = (),
    units_mm: float = 0,
) -> tuple[LaidSide, ...]:
    """Return the sides of a sheet, each with the largest type at which it fits.

    Args:
        templates: Templates and fonts.
        sheet: The sheet.
        paper: Its paper.
        memory: Known heights of blocks.
        before: Its sides as they were laid out without the army's units, if they were.
        units_mm: The height of the units in the type of that layout.
    """
    laid: list[LaidSide] = []
    for number, side in enumerate(sheet.sides):
        units = () if number else sheet.units
        credit = sheet.credit if number == credit_side(sheet) else ""
        alone = replace(sheet, sides=(side,), units=units, credit=credit)
        like = [
            (_guess_size(each, 0 if number else units_mm), each)
            for each in before[number : number + 1]
        ]
        laid += _fit_side(templates, alone, paper, memory, like)
    return tuple(laid)


def _fit_side(
    templates: TemplateEnvironment,
    sheet: Sheet,
    paper: Paper,
    memory: SizeMemory,
    before: Sequence[tuple[float, LaidSide]],
) -> tuple[LaidSide, ...]:
    """Return the side of a sheet of one, with the largest type at which it fits.

    The widths of its columns are made for all that the system has, and for one paper. Where
    columns end unevenly, other widths are tried, too.
    """
    tried = TriedHeights()
    found = _fit_columns(templates, sheet, paper, memory, before, tried)
    if found.fullness > 1:
        return found.laid
    if sheet.army and len(sheet.sides[0].columns) <= _MOST_ORDERED:
        for other in _other_columns(templates, sheet, paper, memory, found.laid[0]):
            least = round(found.size + _ENOUGH_PT, 2)
            if least <= LARGEST_ARMY_PT:
                again = _fit_columns(templates, other, paper, memory, (), tried, least)
                sheet, found = (other, again) if again.fullness <= 1 else (sheet, found)
    for _ in range(_MOST_WIDTHS_OF_ARMY if sheet.army else _MOST_WIDTHS):
        widened = _widen_columns(templates, sheet, paper, memory, found.laid[0])
        for columns in (widened or level_widths(found.laid[0]), lower_widths(found.laid[0], tried)):
            other = _with_columns(sheet, columns or sheet.sides[0].columns)
            if other == sheet or _columns_of_main(other, paper) != _columns_of_main(sheet, paper):
                continue
            again = _fit_columns(templates, other, paper, memory, (), tried, found.size, found)
            if again.fullness <= 1 and _badness(again) < _badness(found):
                sheet, found = other, again
                break
        else:
            break
    return _finish(templates, sheet, paper, memory, found)


def _other_columns(
    templates: TemplateEnvironment, sheet: Sheet, paper: Paper, memory: SizeMemory, laid: LaidSide
) -> Iterator[Sheet]:
    """Yield an army's sheet of one side with other columns, if its own end unevenly.

    The columns in the sheet file are made for all that the system has.
    """
    used = _used_mm(laid)
    if min(used) > _MUCH_LOWER * max(used):
        return
    other = _best_order(templates, sheet, paper, memory)
    if other is not sheet:
        yield other
    fewer = len(sheet.sides[0].columns) - 1
    if fewer > 1:
        yield _with_columns(sheet, (_WIDTH_STEPS // fewer,) * fewer)


def _widen_columns(
    templates: TemplateEnvironment, sheet: Sheet, paper: Paper, memory: SizeMemory, laid: LaidSide
) -> tuple[int, ...]:
    """Return other widths of the columns of a side whose blocks are too wide for larger type.

    None are returned if it is the height of the blocks that keeps the type small.
    """
    largest = LARGEST_ARMY_PT if sheet.army else LARGEST_PT
    size = round(laid.size_pt * _LARGER, 2)
    if size > largest or -laid.over_mm < _FREE * laid.room_mm:
        return ()
    columns = columns_of(laid)
    near = [columns_near([len(column.blocks) for column in columns], 0)]
    asked = AskedHeights(templates, sheet, paper, size, memory, near)
    overhangs = measure_blocks(asked, with_frames=False).overhangs
    widths, begin = [], 0
    for weight, column in zip(laid.side.columns, columns, strict=True):
        names = [block_name(0, weight, n) for n in range(begin, begin + len(column.blocks))]
        shares = [each.share for name in names for each in overhangs.get(name, ())]
        widths.append(column.width_mm * (1 + max(shares, default=0) + _MORE * bool(shares)))
        begin += len(column.blocks)
    if widths == [column.width_mm for column in columns]:
        return ()
    return tuple(round(_WIDTH_STEPS * each / sum(widths)) for each in widths)


def level_widths(laid: LaidSide) -> tuple[int, ...]:
    """Return other widths of the columns of a side, with which they end nearer to each other.

    A column whose blocks are far lower than those of others becomes narrower. None are returned if
    a wider pitch makes up for the difference easily.
    """
    columns = columns_of(laid)
    used = _used_mm(laid)
    if max(used) - min(used) <= _EASILY * laid.room_mm:
        return ()
    least_mm = _NARROWEST * sum(column.width_mm for column in columns) / len(columns)
    wanted = [
        max(column.width_mm * (each / max(used)) ** _NARROWING, least_mm)
        for column, each in zip(columns, used, strict=True)
    ]
    return tuple(round(_WIDTH_STEPS * each / sum(wanted)) for each in wanted)


def lower_widths(laid: LaidSide, tried: TriedHeights) -> tuple[int, ...]:
    """Return the widths of the columns of a side with which the highest becomes the lowest.

    They follow from the heights of blocks in the widths that were tried. None are returned if a
    wider pitch makes up for the difference easily.
    """
    columns = columns_of(laid)
    used = _used_mm(laid)
    if max(used) - min(used) <= _EASILY * laid.room_mm:
        return ()
    total_mm = sum(column.width_mm for column in columns)
    least_mm = _NARROWEST * total_mm / len(columns)
    ends = accumulate(len(column.blocks) for column in columns)
    needed = []
    for column, end, used_mm in zip(columns, ends, used, strict=True):
        names = [f"0-{n}" for n in range(end - len(column.blocks), end)]
        now_mm = column.width_mm
        heights = {
            width_mm: used_mm
            + sum(tried.growth_mm(name, now_mm, width_mm, laid.size_pt) for name in names)
            for width_mm in _widths_to_try(now_mm, least_mm)
        }
        needed.append(heights)
    low, high = 0.0, max(used)
    best: list[float] = []
    for _ in range(_HALVINGS):
        target = (low + high) / 2
        widths = [
            min((width for width, height in each.items() if height <= target), default=inf)
            for each in needed
        ]
        if sum(widths) <= total_mm:
            best, high = widths, target
        else:
            low = target
    if not best:
        return ()
    return tuple(round(_WIDTH_STEPS * each / sum(best)) for each in best)


def _widths_to_try(now_mm: float, least_mm: float) -> list[float]:
    return [
        now_mm * (1 + step / 100)
        for step in range(-_MOST_CHANGE, _MOST_CHANGE + 1)
        if now_mm * (1 + step / 100) >= min(least_mm, now_mm)
    ]


def _used_mm(laid: LaidSide) -> list[float]:
    """Return how high the blocks of each column are, with what stands above."""
    return [max(laid.room_mm - column.free_mm, 1) for column in columns_of(laid)]


def _columns_of_main(sheet: Sheet, paper: Paper) -> int:
    """Return on how many columns the main table of the only side stands."""
    return len(main_spans(sheet, sheet.sides[0], paper)[0])


def _badness(trial: Trial[tuple[LaidSide, ...]]) -> float:
    """Return a measure of how unevenly columns end; larger type makes up for that.

    What pitch and gaps make up for hardly counts.
    """
    (laid,) = trial.laid
    columns = columns_of(laid)
    uneven = max(column.free_mm for column in columns) - min(column.free_mm for column in columns)
    more = max(column.free_mm - column.gaps * _TAKEN_UP_MM for column in columns)
    return (_EVEN_MM + _LITTLE * uneven + max(more, 0)) / trial.size**4


def _with_columns(sheet: Sheet, columns: tuple[int, ...]) -> Sheet:
    """Return a sheet of one side with columns of other widths."""
    return replace(sheet, sides=(replace(sheet.sides[0], columns=columns),))


def _fit_columns(  # noqa: PLR0913, PLR0917 - as below
    templates: TemplateEnvironment,
    sheet: Sheet,
    paper: Paper,
    memory: SizeMemory,
    before: Sequence[tuple[float, LaidSide]],
    tried: TriedHeights,
    least: float = SMALLEST_PT,
    like: Trial[tuple[LaidSide, ...]] | None = None,
) -> Trial[tuple[LaidSide, ...]]:
    """Return the layout of a sheet of one side that has the largest type, of a least size.

    It begins with the size and the columns of a layout that is much alike, if there is one.
    """
    if like:
        start, near = like.size, columns_of_trial(like.laid)
    elif before:
        ((start, laid),) = before
        near = columns_of_trial([laid])
    else:
        start = max(least, _START_PT)
        near, fullness = _guess_columns(templates, sheet, paper, start, memory)
        start /= max(fullness, _LEAST_FULLNESS) ** (1 / _GROWTH)

    def lay_out(size: float) -> Trial[tuple[LaidSide, ...]]:
        nonlocal near
        trial = lay_out_trial(templates, sheet, paper, size, memory, near, tried)
        near = columns_of_trial(trial.laid)
        return trial

    largest = LARGEST_ARMY_PT if sheet.army else LARGEST_PT
    return fit_type_size(lay_out, least, largest, start=start, search=_SEARCH)


def _finish(
    templates: TemplateEnvironment,
    sheet: Sheet,
    paper: Paper,
    memory: SizeMemory,
    found: Trial[tuple[LaidSide, ...]],
) -> tuple[LaidSide, ...]:
    """Return the layout of a sheet of one side whose columns end level.

    Heights that only followed from those in other sizes are measured first.
    """
    near, size = columns_of_trial(found.laid), found.size
    exact = lay_out_trial(templates, sheet, paper, size, memory, near)
    while exact.fullness > 1 and size > SMALLEST_PT:
        size = round(size - STEP, 2)
        exact = lay_out_trial(templates, sheet, paper, size, memory, near)
    return (_level_feet(templates, sheet, paper, memory, exact.laid[0]),)


def columns_of_trial(sides: Sequence[LaidSide]) -> list[list[set[int]]]:
    """Return the columns that each block of each side may stand in, in a size near to this one."""
    return [columns_near([len(each.blocks) for each in columns_of(side)], _REACH) for side in sides]


def _guess_size(laid: LaidSide, units_mm: float) -> float:
    """Return the size at which a side is about full that was laid out without the army's units."""
    room_mm = max(laid.room_mm - units_mm, 1)
    fullness = (laid.room_mm + laid.over_mm) / room_mm
    size_pt: float = laid.size_pt / fullness ** (1 / _GROWTH)
    return size_pt


def least_units_height_mm(sheet: Sheet, size: float) -> float:
    """Return the height that the units need at least in a size of the rules, a line a row."""
    lines = 1 + max(map(len, parts_of(sheet.units[0])))
    return lines * _LINE_EM * size * sheet.units_scale * PX_PER_PT / PX_PER_MM


def _level_feet(
    templates: TemplateEnvironment, sheet: Sheet, paper: Paper, memory: SizeMemory, laid: LaidSide
) -> LaidSide:
    """Return the only side of a sheet with columns that end level, and one pitch of lines."""
    columns = columns_of(laid)
    near = [columns_near([len(column.blocks) for column in columns], 0)]
    asked = AskedHeights(templates, sheet, paper, laid.size_pt, memory, near)
    now = measure_blocks(asked, with_frames=False).heights
    then = measure_blocks(replace(asked, stretch=MOST_STRETCH), with_frames=False).heights
    ends = list(accumulate(len(column.blocks) for column in columns))
    rooms = []
    for index, column in enumerate(columns):
        blocks = range(ends[index] - len(column.blocks), ends[index])
        names = [block_name(0, laid.side.columns[index], n) for n in blocks]
        growth_mm = sum(then[name] - now[name] for name in names) / PX_PER_MM
        is_below = index in laid.span and bool(column.blocks)
        rooms.append(ColumnRoom(column.free_mm, growth_mm, column.gaps, is_below))
    level = level_columns(rooms)
    filled = [
        replace(
            column,
            gap_pt=each.gap_pt,
            stretch=each.stretch,
            note_lines=each.note_lines,
            free_mm=each.free_mm,
        )
        for column, each in zip(columns, level.columns, strict=True)
    ]
    return replace(laid, groups=group_columns(laid.side, filled, laid.span), gap_pt=level.gap_pt)


def lay_out_trial(  # noqa: PLR0913, PLR0917 - what a layout depends on
    templates: TemplateEnvironment,
    sheet: Sheet,
    paper: Paper,
    size: float,
    memory: SizeMemory,
    near: Sequence[Sequence[set[int]]] = (),
    tried: TriedHeights | None = None,
) -> Trial[tuple[LaidSide, ...]]:
    """Lay out each block in the widths of the columns near its own, and pack the columns.

    Args:
        templates: Templates and fonts.
        sheet: The sheet.
        paper: Its paper.
        size: The type size in points.
        memory: Known heights of blocks; what is found now is added.
        near: The columns that each block of each side may stand in, if that is known.
        tried: Heights in other sizes and widths, from which those between them may follow.
    """
    width, height = paper.turned(sheet.orientation)
    if not near:
        near, _ = _guess_columns(templates, sheet, paper, size, memory)
    asked = AskedHeights(templates, sheet, paper, size, memory, near, tried=tried)
    measured, packed = _pack_sides(asked)
    heights, overhangs = measured.heights, measured.overhangs
    laid: list[LaidSide] = []
    usable_pt = (width - 2 * SHEET_MARGIN_MM) * PX_PER_MM / PX_PER_PT
    units_em = max((least_em(units) * sheet.units_scale for units in sheet.units[:1]), default=0.0)
    fullest = units_em * size / usable_pt
    for number, side in enumerate(sheet.sides):
        frame = heights[f"frame-{number}"] + heights[f"foot-{number}"]
        room = _room_px(height, frame)
        span, packing = packed[number]
        names = [
            [block_name(number, weight, n) for n in indices]
            for weight, indices in zip(side.columns, packing.columns, strict=True)
        ]
        if span:
            names[span.start].append(block_name(number, run_of_span(side, span), 0))
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
        blocks = blocks_in_columns(side)
        columns = [
            LaidColumn(
                tuple(blocks[index] for index in indices),
                width,
                GAP_PT,
                free_mm=(room - end) / PX_PER_MM,
            )
            for indices, width, end in zip(
                packing.columns, column_widths_mm(sheet, side, paper), packing.heights, strict=True
            )
        ]
        groups = group_columns(side, columns, span)
        texts = tuple(each.text for each in own)
        room_mm = round(room / PX_PER_MM, 2)
        laid.append(LaidSide(side, groups, span, GAP_PT, room_mm, over, texts, size))
    return Trial(size, fullest, tuple(laid))


def _room_px(height_mm: float, frame_px: float) -> float:
    """Return the height of the columns of a side, in pixels."""
    return (height_mm - SHEET_MARGIN_MM - FOOT_MM) * PX_PER_MM - frame_px - 2


def _pack_sides(asked: AskedHeights) -> tuple[MeasuredBlocks, list[tuple[range, Packing]]]:
    """Return the heights of blocks, and how each side is packed.

    A block may stand in any column. Where it was not laid out in one, its height there is a guess
    at first: the columns that are chosen by such a guess are laid out, until none is.
    """
    sides = asked.sheet.sides
    near = [[set(columns) for columns in side] for side in asked.near]
    while True:
        measured = measure_blocks(replace(asked, near=near))
        packed = [
            _pack_side(
                *(asked.sheet, side, asked.paper, number),
                _with_guesses(side, number, measured),
            )
            for number, side in enumerate(sides)
        ]
        guessed = [
            (number, block, column)
            for number, side in enumerate(sides)
            for column, blocks in enumerate(packed[number][1].columns)
            for block in blocks
            if block_name(number, side.columns[column], block) not in measured.heights
        ]
        if not guessed:
            return measured, packed
        for number, block, column in guessed:
            near[number][block].add(column)


def _with_guesses(side: SheetSide, number: int, measured: MeasuredBlocks) -> dict[str, float]:
    """Return the heights of a side's blocks in all columns; what was not measured is guessed.

    A block is the lower the wider its column is, the more so the more of it is text.
    """
    heights = _with_penalty(measured)
    for n in range(len(blocks_in_columns(side))):
        known = {
            weight: block_name(number, weight, n)
            for weight in set(side.columns)
            if block_name(number, weight, n) in measured.heights
        }
        for weight in set(side.columns) - known.keys():
            nearest = min(known, key=lambda each: (abs(each - weight), each))
            by_name = heights if weight < nearest else measured.heights
            height = by_name[known[nearest]] * (nearest / weight) ** LESS_HIGH
            heights[block_name(number, weight, n)] = height
    return heights


def _guess_columns(
    templates: TemplateEnvironment, sheet: Sheet, paper: Paper, size: float, memory: SizeMemory
) -> tuple[list[list[set[int]]], float]:
    """Return the columns that each block of each side may stand in, and about how full they are.

    Both follow from the height of each block in one width: the narrower a column, the higher a
    block in it, about.
    """
    near = []
    for side in sheet.sides:
        middle = side.columns.index(sorted(side.columns)[len(side.columns) // 2])
        near.append([{middle} for _ in blocks_in_columns(side)])
    known = measure_blocks(AskedHeights(templates, sheet, paper, size, memory, near)).heights
    fullest = 0.0
    for number, side in enumerate(sheet.sides):
        heights = dict(known)
        for n, columns in enumerate(near[number]):
            own = side.columns[min(columns)]
            for weight in set(side.columns):
                height = known[block_name(number, own, n)] * own / weight
                heights[block_name(number, weight, n)] = height
        _, packing = _pack_side(sheet, side, paper, number, heights)
        if len(set(side.columns)) > 1:
            near[number] = columns_near([len(each) for each in packing.columns], _FIRST_REACH)
        frame = known[f"frame-{number}"] + known[f"foot-{number}"]
        room = max(_room_px(paper.turned(sheet.orientation)[1], frame), 1)
        fullest = max(fullest, packing.height / room)
    return near, fullest


def _with_penalty(measured: MeasuredBlocks) -> dict[str, float]:
    """Return heights with so much for blocks that are too wide that another column is chosen."""
    return {
        name: height + (_TOO_WIDE_PX if name in measured.overhangs else 0)
        for name, height in measured.heights.items()
    }


def _guess_heights(side: SheetSide, number: int, known: Mapping[str, float]) -> dict[str, float]:
    """Return the heights of blocks in all columns, from those in the narrowest and the widest.

    The narrower a column, the more lines a text has in it, about.
    """
    low, high = min(side.columns), max(side.columns)
    heights = dict(known)
    for weight in set(side.columns) - {low, high}:
        share = (1 / weight - 1 / high) / (1 / low - 1 / high)
        for n in range(len(blocks_in_columns(side))):
            narrow, wide = (known[block_name(number, each, n)] for each in (low, high))
            heights[block_name(number, weight, n)] = wide + share * (narrow - wide)
    return heights


def _best_order(
    templates: TemplateEnvironment, sheet: Sheet, paper: Paper, memory: SizeMemory
) -> Sheet:
    """Return a sheet of one side with its columns in the order in which it is least full.

    The order in the sheet file is made for all that the system has.
    """
    side = sheet.sides[0]
    ends = {side.columns.index(min(side.columns)), side.columns.index(max(side.columns))}
    near = [[ends for _ in blocks_in_columns(side)]]
    asked = AskedHeights(templates, sheet, paper, _START_PT, memory, near)
    measured = measure_blocks(asked, with_frames=False)
    heights = _with_penalty(measured)

    def height(other: Sheet) -> float:
        changed = other.sides[0]
        guessed = _guess_heights(changed, 0, heights)
        return _pack_side(other, changed, paper, 0, guessed)[1].height

    def has_all_heights(other: Sheet) -> bool:
        spans = main_spans(other, other.sides[0], paper) if main_of(side) else []
        return all(block_name(0, run_of_span(other.sides[0], span), 0) in heights for span in spans)

    orders = [_with_columns(sheet, each) for each in sorted(set(permutations(side.columns)))]
    best = min(filter(has_all_heights, orders), key=height, default=sheet)
    return best if height(best) < _MUCH_LESS * height(sheet) else sheet


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
    blocks = blocks_in_columns(side)
    by_weight = {
        weight: [heights[block_name(number, weight, n)] for n in range(len(blocks))]
        for weight in set(side.columns)
    }
    main = main_of(side)
    before = side.blocks.index(main) if main else 0
    candidates = []
    for span in main_spans(sheet, side, paper):
        tops = [0.0] * len(side.columns)
        for column in span:
            tops[column] = heights[block_name(number, run_of_span(side, span), 0)] + gap
        packing = pack_blocks(by_weight, side.columns, gap, tops)
        passed = sum(len(column) for column in packing.columns[: max(span.start, 0)])
        candidates.append((abs(passed - before), packing.height, span, packing))
    _, _, span, packing = min(candidates, key=lambda each: each[:2])
    return span, packing
