"""Owns the way from a sheet's data to its pages: measure, choose the type size, pack, print.

Does not gather data. Blocks are laid out once a trial in columns of each width, their heights
read off, and packed by `packing`; the final page holds the columns as cells of one layout row.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from generator.rendering.fit import Memory, Trial, fit
from generator.rendering.packing import Packing, pack, spread
from generator.rendering.paper import PX_PER_MM, Paper
from generator.rendering.printer import Measured, Printed, PrintError, Wide
from generator.rendering.viewing import turn_of

if TYPE_CHECKING:
    from generator.documents.sheet import Block, Sheet, Side
    from generator.rendering.studio import Beside, Studio

MARGIN_MM = 8.0
FOOT_MM = 6.5
GUTTER_MM = 4.5
GAP_PT = 3.6
MOST_GAP_PT = 16.0
SMALLEST_PT = 7.0
SMALLEST_MARK_PT = 6.5
LARGEST_PT = 10.5
_START_PT = 7.8
_NOT_HERE = 1e6
"""Pixels added to a block that is too wide for a column, so that it goes to another if it can."""

_STYLES = ("base/print.css", "parts/tables.css", "sheet/sheet.css")


@dataclass(frozen=True, slots=True)
class Column:
    """A column ready to print: its blocks, its width and the gap between blocks."""

    blocks: tuple[Block, ...]
    width_mm: float
    gap_pt: float


@dataclass(frozen=True, slots=True)
class LaidSide:
    """A side ready to print."""

    side: Side
    columns: tuple[Column, ...]
    room_mm: float
    over_mm: float
    wide: tuple[str, ...]


def sheet_pdf(studio: Studio, sheet: Sheet, paper: Paper, memory: Memory) -> Printed:
    """Print a sheet at the largest type that fits, one page a side.

    Args:
        studio: Templates and fonts.
        sheet: What to print.
        paper: On what.
        memory: What earlier builds found; what is found now is put into it.

    Raises:
        PrintError: If it does not fit at the smallest type; says which side and by how much.
    """
    key = _fingerprint(studio, sheet, paper)
    what = f"{sheet.title}: {sheet.subtitle}, {paper.title}"
    known = _remembered(memory, key, sheet, paper)
    if known is not None:
        try:
            return _printed(studio, sheet, paper, known, what)
        except PrintError:
            # The machine's own libraries have changed since: it is found anew.
            memory.pop(key)
    trial = fit(
        lambda size: _lay_out(studio, sheet, paper, size, memory),
        SMALLEST_PT,
        LARGEST_PT,
        start=_START_PT,
    )
    if trial.fullness > 1:
        over = [laid for laid in trial.laid if laid.over_mm > 0]
        faults = [f"side “{laid.side.title}” is {laid.over_mm:.0f} mm too long" for laid in over]
        wide = dict.fromkeys(text for laid in trial.laid for text in laid.wide)
        faults.extend(f"“{text}” is wider than its column" for text in wide)
        said = "; ".join(faults)
        text = (
            f"{what} does not fit at {SMALLEST_PT:g} pt, the smallest type allowed: {said}. "
            "Take a block off, use `short: true`, or move a block to the other side"
        )
        raise PrintError(text)
    _remember(memory, key, trial)
    return _printed(studio, sheet, paper, trial, what)


def _printed(
    studio: Studio, sheet: Sheet, paper: Paper, trial: Trial[tuple[LaidSide, ...]], what: str
) -> Printed:
    html = final_html(studio, sheet, paper, trial)
    sides = len(sheet.sides)
    turn = turn_of(sheet.orientation) if sides > 1 else ""
    return studio.printer.pdf(html, _styles(studio), what, sides, turn=turn)


def _remember(memory: Memory, key: str, trial: Trial[tuple[LaidSide, ...]]) -> None:
    """Keep the size, and how many blocks stand in each column with which gap."""
    memory[key] = trial.size
    for side, laid in enumerate(trial.laid):
        memory[f"{key}.{side}.room"] = laid.room_mm
        for place, column in enumerate(laid.columns):
            memory[f"{key}.{side}.{place}.blocks"] = len(column.blocks)
            memory[f"{key}.{side}.{place}.gap"] = column.gap_pt


def _remembered(
    memory: Memory, key: str, sheet: Sheet, paper: Paper
) -> Trial[tuple[LaidSide, ...]] | None:
    """Give the layout that was kept, so that nothing need be measured; None if none was."""
    laid = []
    try:
        for number, side in enumerate(sheet.sides):
            columns, begin = [], 0
            for place, width in enumerate(_widths(sheet, side, paper)):
                end = begin + int(memory[f"{key}.{number}.{place}.blocks"])
                gap = memory[f"{key}.{number}.{place}.gap"]
                columns.append(Column(side.blocks[begin:end], width, gap))
                begin = end
            if begin != len(side.blocks):
                return None
            laid.append(LaidSide(side, tuple(columns), memory[f"{key}.{number}.room"], 0, ()))
        return Trial(memory[key], 1, tuple(laid))
    except KeyError:
        return None


def final_html(
    studio: Studio, sheet: Sheet, paper: Paper, trial: Trial[tuple[LaidSide, ...]]
) -> str:
    """Give the HTML of the printed pages."""
    width, height = paper.turned(sheet.orientation)
    return studio.render(
        "sheet/print.html.j2",
        sheet=sheet,
        sides=trial.laid,
        size_pt=trial.size,
        small_pt=_small(trial.size),
        mark_pt=_mark(trial.size),
        page=(width, height),
        margin_mm=MARGIN_MM,
        foot_mm=FOOT_MM,
        gutter_mm=GUTTER_MM,
        gap_pt=GAP_PT,
        measured=None,
    )


def sheet_html(studio: Studio, sheet: Sheet, home: str, beside: Beside = ()) -> str:
    """Give the sheet as one self-contained page for screens."""
    style = "\n".join(
        studio.style(name) for name in ("base/screen.css", "parts/tables.css", "sheet/screen.css")
    )
    return studio.render(
        "sheet/screen.html.j2",
        sheet=sheet,
        faces=studio.inlined_faces,
        style=style,
        script=studio.style("base/screen.js"),
        home=home,
        beside=beside,
    )


def _small(size: float) -> float:
    """Give the size of notes and remarks, in points; never under the smallest allowed."""
    return max(SMALLEST_PT, round(size * 0.88, 2))


def _mark(size: float) -> float:
    """Give the size of footnote marks, in points."""
    return max(SMALLEST_MARK_PT, round(size * 0.75, 2))


def _styles(studio: Studio) -> list[str]:
    return [studio.style(name) for name in _STYLES]


def _fingerprint(studio: Studio, sheet: Sheet, paper: Paper) -> str:
    data = f"{studio.fingerprint}{paper.id}{asdict(sheet)!r}"
    return sha256(data.encode()).hexdigest()[:24]


def _widths(sheet: Sheet, side: Side, paper: Paper) -> list[float]:
    """Give each column's width in millimetres."""
    usable = paper.turned(sheet.orientation)[0] - 2 * MARGIN_MM
    usable -= GUTTER_MM * (len(side.columns) - 1)
    total = sum(side.columns)
    return [usable * weight / total for weight in side.columns]


def _lay_out(
    studio: Studio, sheet: Sheet, paper: Paper, size: float, memory: Memory
) -> Trial[tuple[LaidSide, ...]]:
    """Lay out every block once in each width of column, unless its height is known; pack them."""
    width, height = paper.turned(sheet.orientation)
    keys: dict[str, str] = {}
    runs: list[tuple[int, int, float, list[tuple[str, Block]]]] = []
    for number, side in enumerate(sheet.sides):
        widths = dict(zip(side.columns, _widths(sheet, side, paper), strict=True))
        for weight, wide_mm in sorted(widths.items()):
            named = [(f"m-{number}-{weight}-{n}", block) for n, block in enumerate(side.blocks)]
            setting = f"{studio.fingerprint}{sheet.language}{size}{wide_mm}"
            keys |= {name: _known_by(setting, block) for name, block in named}
            new = [each for each in named if not _is_known(keys[each[0]], studio, memory)]
            runs.append((number, weight, wide_mm, new))
    html = studio.render(
        "sheet/print.html.j2",
        sheet=sheet,
        sides=(),
        size_pt=size,
        small_pt=_small(size),
        mark_pt=_mark(size),
        page=(width, height),
        margin_mm=MARGIN_MM,
        foot_mm=FOOT_MM,
        gutter_mm=GUTTER_MM,
        gap_pt=GAP_PT,
        measured=runs,
    )
    measured = studio.printer.measure(html, _styles(studio), f"{sheet.title}: {sheet.subtitle}")
    anchors = measured.anchors
    wide = _wide_blocks(measured)
    if len(studio.heights) > _MOST_HEIGHTS:
        studio.heights.clear()
    for name in keys.keys() & anchors.keys():
        if name not in wide:
            memory[keys[name]] = studio.heights[keys[name]] = round(anchors[name].height, 3)
    tall = {
        name: anchors[name].height + _NOT_HERE if name in wide else memory[key]
        for name, key in keys.items()
    }
    gap = GAP_PT * 96 / 72
    laid: list[LaidSide] = []
    fullest = 0.0
    for number, side in enumerate(sheet.sides):
        heights = {
            weight: [tall[f"m-{number}-{weight}-{n}"] for n in range(len(side.blocks))]
            for weight in set(side.columns)
        }
        packing = pack(heights, side.columns, gap)
        names = [
            [f"m-{number}-{weight}-{n}" for n in places]
            for weight, places in zip(side.columns, packing.columns, strict=True)
        ]
        real = [
            full - _NOT_HERE * sum(name in wide for name in column)
            for full, column in zip(packing.heights, names, strict=True)
        ]
        packing = Packing(packing.columns, tuple(real))
        # What sticks out of the frame counts for the first side.
        told = [*wide.get("", ())] if number == 0 else []
        told += [each for column in names for name in column for each in wide.get(name, ())]
        frame = anchors[f"frame-{number}"].height + anchors[f"foot-{number}"].height
        room = (height - MARGIN_MM - FOOT_MM) * PX_PER_MM - frame - 2
        fullest = max(fullest, packing.height / room, *(1 + each.share for each in told))
        over = (packing.height - room) / PX_PER_MM
        columns = _columns(side, packing, sheet, paper, room)
        texts = tuple(each.text for each in told)
        laid.append(LaidSide(side, columns, round(room / PX_PER_MM, 2), over, texts))
    return Trial(size, fullest, tuple(laid))


_MOST_HEIGHTS = 5000
"""How many heights are kept for the next sheets, some hundred bytes each."""


def _known_by(setting: str, block: Block) -> str:
    """Give the name under which the height of a block is kept."""
    return "h." + sha256(f"{setting}{block!r}".encode()).hexdigest()[:16]


def _is_known(key: str, studio: Studio, memory: Memory) -> bool:
    """Tell whether a height is known, from an earlier build or from another sheet of this one."""
    if key not in memory and key in studio.heights:
        memory[key] = studio.heights[key]
    return key in memory


def _wide_blocks(measured: Measured) -> dict[str, list[Wide]]:
    """Sort what sticks out by the block that holds it; what no block holds is under no name."""
    found: dict[str, list[Wide]] = {}
    for each in measured.wide:
        holds = (
            name
            for name, at in measured.anchors.items()
            if name.startswith("m-")
            and at.page == each.page
            and at.top <= each.top < at.top + at.height
        )
        found.setdefault(next(holds, ""), []).append(each)
    return found


def _columns(
    side: Side, packing: Packing, sheet: Sheet, paper: Paper, room: float
) -> tuple[Column, ...]:
    per_pt = 96 / 72
    gaps = spread(packing, room, GAP_PT * per_pt, MOST_GAP_PT * per_pt)
    widths = _widths(sheet, side, paper)
    return tuple(
        Column(tuple(side.blocks[place] for place in places), width, round(gap / per_pt, 2))
        for places, width, gap in zip(packing.columns, widths, gaps, strict=True)
    )
