"""Place equal cards on a sheet to cut: their gaps, how far their colour reaches, the cut marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from muster.rendering.drawings import (
    RULER_HEIGHT_MM,
    RULER_WIDTH_MM,
    Ruler,
    data_uri,
    ruler_svg,
)
from muster.rendering.paper import Paper

BLEED_MM = 3.0
"""How far colour reaches beyond the trim of a single card, as print houses ask."""

_SHEET_BLEED_MM = 1.5
"""How far colour reaches beyond the cut on a sheet, except where cards touch."""

_CUT_MARK_MM = 5.0
_SHORTEST_MARK_MM = 2.0
_CUT_MARK_GAP_MM = _SHEET_BLEED_MM
_RULER_GAP_MM = 0.3
_PRINTER_MARGIN_MM = 5.0
"""The width that many printers leave white along the edge of the paper."""

_HAIRLINE = "#c4c4c0"

_GAPS_MM = (2 * _SHEET_BLEED_MM, 2.0)
"""Gaps between cards that are wide enough for two bleeds, the widest first."""

_WHITE_MM = 0.6
"""The white between the bleeds of two cards, so that a row does not read as one card."""


@dataclass(frozen=True, slots=True)
class CutGrid:
    """The size of a card, and how many stand beside and below each other on a sheet."""

    width_mm: float
    height_mm: float
    across: int
    down: int


@dataclass(frozen=True, slots=True)
class Bleeds:
    """How far the colour of one card reaches beyond each of its edges, in millimetres."""

    top: float
    right: float
    bottom: float
    left: float


@dataclass(frozen=True, slots=True)
class CutSheet:
    """A page of equal cards, in millimetres.

    There is one entry of `bleeds` for each place of the page, row by row.
    """

    width_mm: float
    height_mm: float
    left_mm: float
    top_mm: float
    column_gap_mm: float
    row_gap_mm: float
    bleed_mm: float
    """How far the page itself reaches beyond its trim."""
    bleeds: tuple[Bleeds, ...]
    marks: str
    shared_columns_mm: tuple[float, ...] = ()
    shared_rows_mm: tuple[float, ...] = ()
    """The edges at which two cards touch."""


_RULER_ROOM_MM = (
    _PRINTER_MARGIN_MM + RULER_HEIGHT_MM + _RULER_GAP_MM + _SHORTEST_MARK_MM + _CUT_MARK_GAP_MM
)
"""The narrowest margin that has room for cut marks and the ruler."""

_MARK_ROOM_MM = _PRINTER_MARGIN_MM + _SHORTEST_MARK_MM + _CUT_MARK_GAP_MM
"""The narrowest margin that has room for cut marks."""


def _gap(length: float, card: float, number: int, least_margin_mm: float) -> float:
    """Return the gap between the cards of a row or column: the widest that leaves a margin.

    Paper without room for any has cards that touch, so that one cut parts two of them.
    """
    for gap in _GAPS_MM:
        if (length - number * card - (number - 1) * gap) / 2 >= least_margin_mm:
            return gap
    return 0.0


def trimmed_page(grid: CutGrid) -> CutSheet:
    """Return the page that is itself one card, with the bleed that print houses ask for."""
    bleeds = (Bleeds(BLEED_MM, BLEED_MM, BLEED_MM, BLEED_MM),)
    return CutSheet(grid.width_mm, grid.height_mm, 0, 0, 0, 0, BLEED_MM, bleeds, marks="")


def lay_out_sheet(grid: CutGrid, paper: Paper, ruler: Ruler | None = None) -> CutSheet:
    """Return where cards stand in the middle of a sheet of paper, with cut marks and a ruler."""
    row_gap = _gap(paper.height_mm, grid.height_mm, grid.down, _RULER_ROOM_MM)
    # Rows with a gap have a margin below that has room for the ruler.
    beside_mm = _MARK_ROOM_MM if row_gap else _RULER_ROOM_MM
    column_gap = _gap(paper.width_mm, grid.width_mm, grid.across, beside_mm)
    columns = _card_edges(paper.width_mm, grid.width_mm, grid.across, column_gap)
    rows = _card_edges(paper.height_mm, grid.height_mm, grid.down, row_gap)
    beside = _bleeds_along(grid.across, column_gap)
    above = _bleeds_along(grid.down, row_gap)
    return CutSheet(
        paper.width_mm,
        paper.height_mm,
        columns[0][0],
        rows[0][0],
        column_gap,
        row_gap,
        0,
        tuple(Bleeds(top, right, bottom, left) for top, bottom in above for left, right in beside),
        _cut_marks(paper, columns, rows, ruler),
        tuple(_shared(columns)),
        tuple(_shared(rows)),
    )


Spans = Sequence[tuple[float, float]]
"""The two edges of each card of a row or a column, in millimetres from the edge of the paper."""


def _card_edges(length: float, card: float, number: int, gap: float) -> Spans:
    first = (length - number * card - (number - 1) * gap) / 2
    starts = [first + n * (card + gap) for n in range(number)]
    return [(start, start + card) for start in starts]


def _bleeds_along(number: int, gap: float) -> Spans:
    """Return the bleed before and after each card; between two, a white line parts theirs."""
    between = max(gap / 2 - _WHITE_MM / 2, 0.0)
    return [
        (between if n else _SHEET_BLEED_MM, between if n < number - 1 else _SHEET_BLEED_MM)
        for n in range(number)
    ]


def _cut_marks(paper: Paper, columns: Spans, rows: Spans, ruler: Ruler | None) -> str:
    """Return a picture of the ruler and the cut marks, which never stand inside a card.

    Where cards touch, a pale hairline between them shows where to cut. The ruler stands in the
    wider of the left and the lower margin, where marks are shorter.
    """
    left, top, right, bottom = columns[0][0], rows[0][0], columns[-1][1], rows[-1][1]
    ruler_distance = max(left, top) - _PRINTER_MARGIN_MM - RULER_HEIGHT_MM / 2
    short = min(
        _CUT_MARK_MM, ruler_distance - RULER_HEIGHT_MM / 2 - _CUT_MARK_GAP_MM - _RULER_GAP_MM
    )
    upwards = left > top
    below, beside = (_CUT_MARK_MM, short) if upwards else (short, _CUT_MARK_MM)
    lines = []
    for x in _distinct(columns):
        lines.append(f"M{x:.3f} {top - _CUT_MARK_GAP_MM:.3f} v{-_CUT_MARK_MM:g}")
        lines.append(f"M{x:.3f} {bottom + _CUT_MARK_GAP_MM:.3f} v{below:g}")
    for y in _distinct(rows):
        lines.append(f"M{left - _CUT_MARK_GAP_MM:.3f} {y:.3f} h{-beside:g}")
        lines.append(f"M{right + _CUT_MARK_GAP_MM:.3f} {y:.3f} h{_CUT_MARK_MM:g}")
    hairlines = [f"M{x:.3f} {top:.3f} V{bottom:.3f}" for x in _shared(columns)]
    hairlines += [f"M{left:.3f} {y:.3f} H{right:.3f}" for y in _shared(rows)]
    ruler_drawing = ""
    if ruler is not None and upwards:
        ruler_drawing = ruler_svg(
            ruler, left - ruler_distance, (paper.height_mm + RULER_WIDTH_MM) / 2, upwards=True
        )
    elif ruler is not None:
        ruler_drawing = ruler_svg(
            ruler, (paper.width_mm - RULER_WIDTH_MM) / 2, bottom + ruler_distance
        )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{paper.width_mm}mm" '
        f'height="{paper.height_mm}mm" viewBox="0 0 {paper.width_mm} {paper.height_mm}">'
        f'<path d="{" ".join(hairlines)}" stroke="{_HAIRLINE}" stroke-width="0.1" fill="none"/>'
        f'<path d="{" ".join(lines)}" stroke="#000" stroke-width="0.15" fill="none"/>'
        f"{ruler_drawing}</svg>"
    )
    return data_uri(svg)


def _distinct(spans: Spans) -> list[float]:
    """Return all edges once, in ascending order: cards that touch share one."""
    return sorted({round(edge, 3) for span in spans for edge in span})


def _shared(spans: Spans) -> list[float]:
    """Return the edges at which two cards touch."""
    ends = {round(end, 3) for _, end in spans}
    return [start for start, _ in spans if round(start, 3) in ends]
