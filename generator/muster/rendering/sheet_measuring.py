"""Measure the blocks, frames and units of a sheet in trial layouts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from muster.documents.sheet import SheetSide
from muster.rendering.page_boxes import Overhang
from muster.rendering.paper import PX_PER_MM, PX_PER_PT, Paper
from muster.rendering.printed import TrialLayout
from muster.rendering.sheet_masthead import masthead_classes
from muster.rendering.sheet_sides import (
    FOOT_MM,
    GUTTER_MM,
    SHEET_MARGIN_MM,
    blocks_in_columns,
    column_widths_mm,
    credit_side,
    footnote_mark_size,
    head_size,
    main_of,
    main_size,
    main_spans,
    note_size,
    pitch_style,
    width_of_span,
)
from muster.rendering.type_size import SizeMemory

if TYPE_CHECKING:
    from muster.documents.sheet import Sheet, SheetBlock
    from muster.rendering.environment import TemplateEnvironment

TEMPLATE = "sheet/print.html.j2"
PRINT_STYLES = ("base/print.css", "parts/tables.css", "parts/units.css", "sheet/sheet.css")
LESS_HIGH = 0.5
"""The power of the width with which a block becomes less high, as a guess."""
_MAX_CACHED_HEIGHTS = 5000
"""How many heights are kept in memory, at about a hundred bytes each."""
_MOST_BETWEEN = 1.12
"""The ratio of two widths in em between which heights may be worked out."""
_SAME_LINES_EM = 0.5
"""A block whose height in em differs by less in two widths has the same lines in both."""


def block_name(side: int, run: int | str, block: int) -> str:
    """Return the name of a block of a side in a width, which is that of a column or a span."""
    return f"m-{side}-{run}-{block}"


def run_of_span(side: SheetSide, span: range) -> str:
    """Return the name of the width of adjacent columns."""
    return f"main{sum(side.columns[column] for column in span)}"


class TriedHeights:
    """The heights of blocks and frames in the sizes and widths that were laid out.

    In em, a height depends on the width in em alone, about, and is the same as long as all lines
    break at the same words: then a block is not laid out again between two widths that are known.
    """

    def __init__(self) -> None:
        """Begin without any height."""
        self._heights: dict[str, dict[float, float]] = {}

    def add(self, name: str, width: float, size: float, height: float) -> None:
        """Add the height of a block or frame in a size and a width."""
        self._heights.setdefault(name, {})[width / size] = height / size

    def between(self, name: str, width: float, size: float) -> float | None:
        """Return a height between two that are known; None if a line may have moved."""
        known, width_em = self._heights.get(name, {}), width / size
        below = max((each for each in known if each <= width_em), default=0.0)
        above = min((each for each in known if each >= width_em), default=inf)
        if below == above:
            return known[below] * size
        if above > below * _MOST_BETWEEN:
            return None
        growth_em = known[below] - known[above]
        if abs(growth_em) > _SAME_LINES_EM * PX_PER_PT:
            return None
        share = (width_em - below) / (above - below)
        return (known[below] - share * growth_em) * size

    def growth_mm(self, name: str, now: float, then: float, size: float) -> float:
        """Return by how many millimetres a block grows from one width to another, as a guess."""
        return (
            (self._guess_em(name, then / size) - self._guess_em(name, now / size))
            * size
            / PX_PER_MM
        )

    def _guess_em(self, name: str, width_em: float) -> float:
        known = self._heights.get(name, {})
        below = max((each for each in known if each <= width_em), default=None)
        above = min((each for each in known if each >= width_em), default=None)
        if below is None or above is None:
            nearest = below or above
            return known[nearest] * (nearest / width_em) ** LESS_HIGH if nearest else 0.0
        share = (width_em - below) / (above - below) if above > below else 0.0
        return known[below] + share * (known[above] - known[below])


@dataclass(frozen=True, slots=True)
class MeasuredBlocks:
    """The heights of blocks, frames and feet by their names, in pixels, and what sticks out."""

    heights: dict[str, float]
    overhangs: dict[str, list[Overhang]]


@dataclass(frozen=True, slots=True)
class AskedHeights:
    """The blocks whose heights are asked for, and what these depend on.

    Attributes:
        templates: Templates and fonts.
        sheet: The sheet.
        paper: Its paper.
        size: The type size in points.
        memory: Known heights of blocks; what is found now is added.
        near: The columns in whose widths each block of each side is measured.
        stretch: How much further apart the lines are.
        tried: Heights in other sizes and widths, from which those between them may follow.
    """

    templates: TemplateEnvironment
    sheet: Sheet
    paper: Paper
    size: float
    memory: SizeMemory
    near: Sequence[Sequence[set[int]]]
    stretch: float = 1.0
    tried: TriedHeights | None = None


def measure_blocks(asked: AskedHeights, *, with_frames: bool = True) -> MeasuredBlocks:
    """Return the height of each block by its name, in the widths of columns near it, in pixels.

    What is known already, or follows from the sizes that were tried, is not laid out again. The
    frame of a side is named `frame-0` and its foot `foot-0`, with the number of the side.
    """
    templates, sheet, memory, tried = asked.templates, asked.sheet, asked.memory, asked.tried
    missing = _find_missing(asked)
    heights = dict(missing.follow)
    frames = _frames_to_measure(asked, heights) if with_frames else []
    measured = TrialLayout({}, ())
    if frames or any(new for _, _, new in missing.runs):
        html = _trial_html(
            *(templates, sheet, asked.paper, asked.size, missing.runs),
            with_frames=bool(frames),
            stretch=asked.stretch,
        )
        measured = templates.printer.measure(
            html, templates.read_styles(PRINT_STYLES), f"{sheet.title}: {sheet.subtitle}"
        )
    overhangs = overhangs_by_block(measured)
    if len(templates.heights) > _MAX_CACHED_HEIGHTS:
        templates.heights.clear()
    for name, key in missing.keys.items():
        if name in measured.anchors and name not in overhangs:
            height = round(measured.anchors[name].height, 3)
            memory[key] = templates.heights[key] = height
        heights[name] = memory[key] if key in memory else measured.anchor(name, TEMPLATE).height
    for name in frames:
        heights[name] = measured.anchor(name, TEMPLATE).height
    if tried:
        for name, place in missing.places.items():
            if name not in overhangs:
                tried.add(*place, asked.size, heights[name])
        # What sticks out of a frame is told in the name of none.
        for name in () if "" in overhangs else frames:
            tried.add(name, _page_width_mm(asked), asked.size, heights[name])
    return MeasuredBlocks(heights, overhangs)


@dataclass(frozen=True, slots=True)
class _MissingHeights:
    """Heights that follow from others, and for those that do not, keys and what is to be laid out.

    The latter is for each width its name, the width in millimetres, and the blocks with their
    names. `places` are their blocks and widths by which they are tried.
    """

    follow: dict[str, float]
    keys: dict[str, str]
    places: dict[str, tuple[str, float]]
    runs: list[tuple[str, float, list[tuple[str, SheetBlock]]]]


def _find_missing(asked: AskedHeights) -> _MissingHeights:
    """Return which of the blocks have to be laid out, in the widths of columns near their own."""
    missing = _MissingHeights({}, {}, {}, [])
    sheet, size, tried = asked.sheet, asked.size, asked.tried
    for number, side in enumerate(sheet.sides):
        for run, width_mm, blocks in _runs_to_measure(sheet, side, asked.paper, asked.near[number]):
            new = []
            for n, block in blocks:
                name = block_name(number, run, n)
                place = (f"{number}-{'main' if isinstance(run, str) else n}", width_mm)
                height = tried.between(*place, size) if tried else None
                if height is not None:
                    missing.follow[name] = height
                    continue
                key = "h." + asked.templates.key(
                    sheet.language, size, width_mm, asked.stretch, block
                )
                missing.keys[name], missing.places[name] = key, place
                if not _is_height_known(key, asked.templates, asked.memory):
                    new.append((name, block))
            missing.runs.append((f"{number}-{run}", width_mm, new))
    return missing


def _frames_to_measure(asked: AskedHeights, heights: dict[str, float]) -> list[str]:
    """Return the names of frames and feet, unless all heights of these follow and are added."""
    names = [f"{part}-{n}" for n in range(len(asked.sheet.sides)) for part in ("frame", "foot")]
    for name in names:
        width_mm = _page_width_mm(asked)
        height = asked.tried.between(name, width_mm, asked.size) if asked.tried else None
        if height is None:
            return names
        heights[name] = height
    return []


def _page_width_mm(asked: AskedHeights) -> float:
    return asked.paper.turned(asked.sheet.orientation)[0]


def _is_height_known(key: str, templates: TemplateEnvironment, memory: SizeMemory) -> bool:
    """Return whether a height is known, from an earlier build or another sheet of this one."""
    if key not in memory and key in templates.heights:
        memory[key] = templates.heights[key]
    return key in memory


def _runs_to_measure(
    sheet: Sheet, side: SheetSide, paper: Paper, near: Sequence[set[int]]
) -> Iterator[tuple[int | str, float, list[tuple[int, SheetBlock]]]]:
    """Yield each width of a side with its name, in millimetres, and the blocks to measure in it."""
    widths = column_widths_mm(sheet, side, paper)
    blocks = blocks_in_columns(side)
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
    main = main_of(side)
    if main is not None:
        spans = {run_of_span(side, span): span for span in main_spans(sheet, side, paper)}
        for name, span in spans.items():
            yield name, width_of_span(widths, span), [(0, main)]


def measure_units(
    templates: TemplateEnvironment, variants: Sequence[Sheet], paper: Paper, size: float
) -> list[float]:
    """Return the height of the units of each variant in a size of the rules, in millimetres.

    It is infinite for a table that is too wide for the page.
    """
    html = _trial_html(templates, variants[0], paper, size, [], variants)
    name = f"{variants[0].title}: {variants[0].subtitle}"
    measured = templates.printer.measure(html, templates.read_styles(PRINT_STYLES), name)
    overhangs = overhangs_by_block(measured)
    heights = []
    for number in range(len(variants)):
        anchor = f"units-{number}"
        height_mm = measured.anchor(anchor, TEMPLATE).height / PX_PER_MM
        heights.append(inf if anchor in overhangs else height_mm)
    return heights


def overhangs_by_block(measured: TrialLayout) -> dict[str, list[Overhang]]:
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


def _trial_html(  # noqa: PLR0913 - what a layout depends on
    templates: TemplateEnvironment,
    sheet: Sheet,
    paper: Paper,
    size: float,
    runs: Sequence[tuple[str, float, list[tuple[str, SheetBlock]]]],
    with_units: Sequence[Sheet] = (),
    *,
    with_frames: bool = False,
    stretch: float = 1.0,
) -> str:
    """Return the HTML of a trial layout.

    Args:
        templates: Templates and fonts.
        sheet: The sheet.
        paper: Its paper.
        size: The type size in points.
        runs: A name and width in millimetres, and the blocks with their names to measure in it.
        with_units: Variants of the sheet of which the units alone are measured.
        with_frames: Whether the frames and feet of its sides are measured.
        stretch: How much further apart the lines of blocks are.
    """
    return templates.render(
        TEMPLATE,
        sheet=sheet,
        sides=(),
        credit_page=credit_side(sheet),
        size_pt=size,
        small_pt=note_size(size),
        head_pt=head_size(size),
        mark_pt=footnote_mark_size(size),
        main_pt=main_size(size),
        page=paper.turned(sheet.orientation),
        margin_mm=SHEET_MARGIN_MM,
        foot_mm=FOOT_MM,
        gutter_mm=GUTTER_MM,
        measured=runs,
        mastheads=masthead_classes(sheet, sheet.sides, paper),
        with_units=with_units,
        with_frames=with_frames,
        pitch=pitch_style(stretch),
    )
