"""Draw diagrams as SVG: formations, arcs, roses and scenes, in pure black and white.

Each theme, grey and high contrast among them, prints them as they are. All measures are in mm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from math import atan2, ceil, cos, degrees, hypot, pi, radians, sin, sqrt
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, tostring

from muster.limits import MAX_SCENE_WIDTH
from muster.rendering.drawings import outline_words
from muster.rendering.paper import PT_PER_MM
from muster.tables import Drawing
from muster.tables.scenes import (
    BASES,
    ROSE_REACH,
    TABLETOP_CORNER,
    TABLETOP_EDGE,
    TEXT_MM,
    Piece,
    Point,
    SceneSize,
    Tabletop,
    point_at,
    point_towards,
)
from muster.values import BLANK, Distance, LengthUnit

if TYPE_CHECKING:
    from muster.documents.table_view import Formation

Box = tuple[float, float, float, float]
"""The left, top, right and bottom of a part of a canvas, in mm."""

_PX_PER_MM = 96 / 25.4
_INK, _PAPER = "#000", "#fff"
_THIN, _NORMAL, _STRONG = 0.2, 0.35, 0.75
"""Widths of lines, in mm."""

_DASHES = "1.4 0.9"
_OPEN_GAP = 2
"""Gap between figures in open order, in mm."""

_FRONT = 2.6
"""Height of the arrow that shows the front of a formation, with the gap below it."""

_EDGE = 0.3
_EDGES = {"wall": 0.9, "measure": 1.3, "mark": 1.3, "arrow": 0.8, "turn": 0.8}
"""How far pieces reach beyond their points, in mm, by style or kind; all others by `_EDGE`."""

_ARC_RADIUS = 14
_HEAD = 1.7
"""Length of the head of an arrow, in mm."""

_LARGEST_FIGURES = {arm: float(width) for arm, (width, _) in BASES.items()}
"""The size of a figure on a base with room to spare, in mm, so that all are alike."""

_ON_BLACK = 0.72
"""The share of its size that an officer has on a black base, which he and his flag would fill."""

_MARK = 2.0
"""How far the mark at the end of a measure reaches to either side, in mm."""

_ABOUT = 180
"""The direction down the page; what is behind a unit that faces so is above it."""

_BOX = (7.0, 3.6)
"""Width and height of a box to write in, in mm."""

_MARGIN = 1.1
"""Distance between words and what they belong to, in mm."""

_SCALES = {LengthUnit.CM: (10, 3), LengthUnit.INCH: (6, 2), LengthUnit.MM: (100, 3)}
"""The length of a part of the scale of a table, by its unit, and how many parts the scale has."""

_LONG_WORDS = 30
"""Width above which words are broken into lines, in mm."""

_LEAST_GAP = 1.4
"""Least distance between the words at a unit and other words in the same line, in mm."""

_MOST_ALIKE = 3
"""So many drawings in a row of a sheet have equal room; more have that of their own widths."""

_GAP_IN_ROW = 1.5
"""Distance between drawings that stand side by side, in mm."""

_LARGEST_TEXT = 3.2
"""Size of the words for which drawings have room, before they are enlarged, in mm."""

_LARGE_TIMES, _LARGE_GAP_EM = 2.505, 0.25
"""How many times as large as usual drawings are in large print, if they have room, and the
distance between those side by side: a figure of a formation is 8 mm long."""

_TALLEST = 58
"""Height to which drawings are enlarged, in mm: about a quarter of a page."""

_MARKS = {"G": "gun", "M": "horse", "m": "horse", "L": "officer"}
"""The figures that letters stand for in ranks; `F` and all others are on foot."""

_TURNED = "^>v<"


@dataclass(frozen=True, slots=True)
class DrawingSpace:
    """The space that a book or a sheet has for drawings; their words do not grow with it."""

    width_mm: float
    """Width of the column that they stand in."""
    text_pt: float
    """Size of their words as printed."""
    most_times: float | None = None
    """How many times as large as their files say they are at most; in a book, as large as fits."""
    is_large: bool = False
    """Whether they are enlarged as large print is, words and all."""

    @property
    def gap_mm(self) -> float:
        """The distance between drawings that stand side by side."""
        return _LARGE_GAP_EM * self.text_pt / PT_PER_MM if self.is_large else _GAP_IN_ROW

    def holds(self, row: Sequence[Drawing]) -> bool:
        """Return whether drawings have room side by side where they are enlarged.

        The words of a scene are then as large as the text, and the figures of ranks 8 mm long.
        """
        has_ranks = any(not drawing.scene for drawing in row)
        least = _LARGE_TIMES if has_ranks else self.text_pt / PT_PER_MM / TEXT_MM
        widest = max(_size_of(drawing)[0] for drawing in row)
        return len(row) * (widest * least + self.gap_mm) <= self.width_mm


SHEET_WORDS_PT = 8.0
_SHEET_TIMES = 0.86
"""With this, four formations fit side by side in a column of a sheet."""


def space_on_sheet(width_mm: float) -> DrawingSpace:
    """Return the space for drawings in a column of a sheet."""
    return DrawingSpace(width_mm, SHEET_WORDS_PT, _SHEET_TIMES)


@dataclass(frozen=True, slots=True)
class _Size:
    """How large a drawing is printed."""

    times: float = 1
    """How many times as large as its file says."""
    text_mm: float = TEXT_MM
    """Size of its words before it is enlarged."""


def _size_in(row: Sequence[Drawing], space: DrawingSpace | None) -> _Size:
    """Return how large the drawings of a row are printed, all to one scale."""
    if space is None:
        return _Size()
    sizes = [_size_of(each) for each in row]
    widest, highest = max(width for width, _ in sizes), max(height for _, height in sizes)
    if space.is_large:
        return _Size(min(_LARGE_TIMES, (space.width_mm / len(row) - space.gap_mm) / widest))
    across = space.width_mm - space.gap_mm * len(row)
    if space.most_times is not None:
        # Below each other's captions, many drawings have room by their own widths.
        together = sum(w for w, _ in sizes) if len(row) > _MOST_ALIKE else len(row) * widest
        times = min(across / together, space.most_times)
        return _Size(times, space.text_pt / PT_PER_MM / times)
    across /= max(len(row) * widest, MAX_SCENE_WIDTH)
    times = min(across, max(_TALLEST / highest, 1))
    return _Size(times, min(space.text_pt / PT_PER_MM / times, _LARGEST_TEXT))


def width_of(
    figure: Formation | Drawing,
    folders: tuple[Path, ...],
    beside: tuple[Drawing, ...] = (),
    space: DrawingSpace | None = None,
) -> float:
    """Return the width of a drawing in CSS pixels; the arguments are those of `draw_diagram`."""
    drawing = _as_drawing(figure)
    size = _size_in(beside or (drawing,), space)
    left, _, right, _ = _bounds_of(drawing, folders, size.text_mm)
    return round((right - left) * size.times * _PX_PER_MM, 2)


def rows_of(
    drawings: Sequence[tuple[Drawing, str]], space: DrawingSpace | None = None
) -> Iterator[list[tuple[Drawing, str]]]:
    """Yield drawings, each with its words, in rows that are no wider than the widest scene may be.

    The drawings of a row have equal room; there are at most four. Where they are enlarged, a row
    that is then too wide is several rows of about as many.
    """
    for row in _usual_rows(drawings):
        length = len(row)
        if space is not None and space.is_large:
            held = (n for n in range(length, 1, -1) if space.holds([each for each, _ in row[:n]]))
            length = ceil(length / ceil(length / next(held, 1)))
        yield from (row[n : n + length] for n in range(0, len(row), length))


def _usual_rows(
    drawings: Sequence[tuple[Drawing, str]],
) -> Iterator[list[tuple[Drawing, str]]]:
    row: list[tuple[Drawing, str]] = []
    for each in drawings:
        widest = max(_size_of(drawing)[0] for drawing, _ in [*row, each])
        fits = (len(row) + 1) * widest <= MAX_SCENE_WIDTH + 1
        if row and (not fits or len(row) == _MOST_IN_A_ROW):
            yield row
            row = []
        row.append(each)
    if row:
        yield row


_MOST_IN_A_ROW = 4


def _as_drawing(figure: Formation | Drawing) -> Drawing:
    """Return a formation as a drawing of its ranks; a drawing as it is."""
    if isinstance(figure, Drawing):
        return figure
    return Drawing("", figure.ranks, figure.open_order)


def _size_of(drawing: Drawing) -> tuple[float, float]:
    """Return the width and height of a drawing, in mm."""
    if drawing.scene:
        return drawing.size
    if drawing.rose:
        return 2 * ROSE_REACH, 2 * ROSE_REACH
    if drawing.arc:
        width, height, _ = _arc_size(drawing.arc)
        return width, height
    width, rows = _rank_sizes(drawing)
    return width, _FRONT + rows[-1][0] + rows[-1][1] + _EDGE


@lru_cache(maxsize=256)
def draw_diagram(
    figure: Formation | Drawing,
    folders: tuple[Path, ...],
    beside: tuple[Drawing, ...] = (),
    space: DrawingSpace | None = None,
) -> str:
    """Return an SVG of a formation, an arc of fire, a rose of directions or a scene.

    A scene is cut to what it shows; those that stand beside each other are as high as one another.

    Args:
        figure: What is drawn.
        folders: Template folders; words are outlined in the typeface of the first that has it.
        beside: The drawings of its row.
        space: The space that it has in a book; without it, the drawing is as large as written.
    """
    drawing = _as_drawing(figure)
    size = _size_in(beside or (drawing,), space)
    left, top, right, bottom = _bounds_of(drawing, folders, size.text_mm)
    for each in beside:
        _, its_top, _, its_bottom = _bounds_of(each, folders, size.text_mm)
        top, bottom = min(top, its_top), max(bottom, its_bottom)
    svg = _draw(drawing, folders, size.text_mm).svg
    width, height = right - left, bottom - top
    svg.set("width", f"{width * size.times * _PX_PER_MM:.2f}")
    svg.set("height", f"{height * size.times * _PX_PER_MM:.2f}")
    svg.set("viewBox", f"{left:.5g} {top:.5g} {width:.5g} {height:.5g}")
    return tostring(svg, encoding="unicode")


@lru_cache(maxsize=256)
def _bounds_of(drawing: Drawing, folders: tuple[Path, ...], text_mm: float) -> Box:
    """Return the part of its canvas that a drawing fills, in mm."""
    width, height = _size_of(drawing)
    if not drawing.scene or drawing.tabletop:
        return 0, 0, width, height
    boxes = [*_draw(drawing, folders, text_mm).words, *map(_box_of, drawing.scene)]
    return (
        max(min(box[0] for box in boxes), 0),
        max(min(box[1] for box in boxes), 0),
        min(max(box[2] for box in boxes), width),
        min(max(box[3] for box in boxes), height),
    )


def _box_of(piece: Piece) -> Box:
    """Return the box round a piece without its words."""
    points = [*piece.outline()]
    edge = _EDGES.get(piece.style or piece.kind, _EDGE)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs) - edge, min(ys) - edge, max(xs) + edge, max(ys) + edge


def _draw(drawing: Drawing, folders: tuple[Path, ...], text_mm: float) -> _Canvas:
    """Return a drawing on its whole canvas."""
    width, height = _size_of(drawing)
    canvas = _Canvas(_new_svg(width, height), (width, height), folders, text_mm)
    if drawing.tabletop:
        canvas.add_tabletop(drawing.tabletop)
    if drawing.scene:
        canvas.draw_scene(drawing.scene)
    elif drawing.rose:
        canvas.add_rose((width / 2, height / 2), drawing.rose)
    elif drawing.arc:
        apex = (width / 2, _arc_size(drawing.arc)[2])
        canvas.add_arc(apex, 0, drawing.arc, _ARC_RADIUS)
        canvas.add_unit(Piece("unit", (apex,), arm="foot", side="own", base=BASES["foot"]))
        canvas.add_words([f"{drawing.arc:g}°"], (apex[0], apex[1] - _ARC_RADIUS * 0.8))
    else:
        canvas.add_ranks(drawing)
    return canvas


def draw_token(token: str) -> str:
    """Return an SVG of a single figure, for the legend that explains it."""
    width, depth = _base_of(token)
    side = max(width, depth)
    svg = _new_svg(side, side)
    _add_token(svg, token, (side / 2, (side - depth) / 2))
    return tostring(svg, encoding="unicode")


def _new_svg(width: float, height: float) -> Element:
    size = {
        "width": f"{width * _PX_PER_MM:.2f}",
        "height": f"{height * _PX_PER_MM:.2f}",
        "viewBox": f"0 0 {width:g} {height:g}",
    }
    return Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size})


def _arc_size(arc: float) -> tuple[float, float, float]:
    """Return the width and height of the drawing of an arc, and how far down its apex is."""
    half = radians(arc / 2)
    width, depth = BASES["foot"]
    reach = max(_ARC_RADIUS * sin(min(half, pi / 2)), width / 2, TEXT_MM)
    below = max(float(depth), -_ARC_RADIUS * cos(half))
    return 2 * (reach + _EDGE), _ARC_RADIUS + below + 2 * _EDGE, _ARC_RADIUS + _EDGE


# Ranks of figures


def _base_of(token: str) -> tuple[int, int]:
    return BASES[_MARKS.get(token, "foot")]


def _rank_sizes(drawing: Drawing) -> tuple[float, list[tuple[float, float]]]:
    """Return the width of ranks, and for each how far down it begins and how deep it is."""
    gap = _OPEN_GAP if drawing.open_order else 0
    tokens = [token for rank in drawing.ranks for token in rank if token != "."]  # noqa: S105
    pitch = max((_base_of(token)[0] for token in tokens), default=4) + gap
    rows, top = [], 0.0
    for rank in drawing.ranks:
        depth = max((_base_of(token)[1] for token in rank if token != "."), default=4)  # noqa: S105
        rows.append((top, float(depth)))
        top += depth + gap
    return pitch * max(len(rank) for rank in drawing.ranks) - gap + 2 * _EDGE, rows


def _add_token(parent: Element, token: str, at: Point) -> None:
    """Add a base with its figure, the middle of its front edge at a point."""
    if token == ".":  # noqa: S105 - a gap, no password
        return
    width, depth = _base_of(token)
    x, y = at
    attributes = {"fill": _PAPER, "stroke": _INK, "stroke-width": f"{_THIN}"}
    _add_rect(parent, (x - width / 2, y), (width, depth), attributes)
    turn = _TURNED.index(token) * 90 if token in _TURNED else 0
    hollow = token not in {"F", "M", "G", "L", *_TURNED}
    arm = _MARKS.get(token, "foot")
    _add_figure(parent, arm, (x, y + depth / 2), min(width, depth), turn=turn, hollow=hollow)


# Figures, seen from above and facing up the page, in a square of one unit around 0, 0

_HORSE = (
    "M0 -.86 C.13 -.86 .17 -.66 .15 -.5 C.29 -.3 .29 .3 .25 .5 C.2 .72 .1 .8 0 .86 "
    "C-.1 .8 -.2 .72 -.25 .5 C-.29 .3 -.29 -.3 -.15 -.5 C-.17 -.66 -.13 -.86 0 -.86 Z"
)
_SHAPES: dict[str, tuple[tuple[str, str], ...]] = {
    "foot": (
        ("M-.4 .36 C-.4 -.06 .4 -.06 .4 .36 Z", "body"),
        ("M-.2 -.04 A.2 .2 0 1 1 .2 -.04 A.2 .2 0 1 1 -.2 -.04 Z", "body"),
        ("M.31 .2 L.31 -.44", "line"),
    ),
    "horse": (
        (_HORSE, "body"),
        ("M-.34 .3 C-.34 -.04 .34 -.04 .34 .3 Z", "rider"),
        ("M-.15 0 A.15 .15 0 1 1 .15 0 A.15 .15 0 1 1 -.15 0 Z", "rider"),
    ),
    "gun": (
        ("M-.06 -.46 L.06 -.46 L.09 .16 L-.09 .16 Z", "body"),
        ("M-.32 -.2 H-.2 V.2 H-.32 Z M.2 -.2 H.32 V.2 H.2 Z", "solid"),
        ("M-.32 0 H.32 M0 .16 V.44", "line"),
    ),
    "officer": (
        ("M-.4 .4 C-.4 0 .4 0 .4 .4 Z", "body"),
        ("M-.2 .02 A.2 .2 0 1 1 .2 .02 A.2 .2 0 1 1 -.2 .02 Z", "body"),
        ("M.32 .36 L.32 -.46", "line"),
        ("M.32 -.46 L-.3 -.34 L.32 -.2 Z", "solid"),
    ),
}
"""Path data of each figure: its `body` is hollow if the figure is, its rider always."""


def _add_figure(  # noqa: PLR0913 - where, how large, and how it looks
    parent: Element,
    arm: str,
    middle: Point,
    size: float,
    *,
    turn: float = 0,
    hollow: bool = False,
    ink: str = _INK,
    paper: str = _PAPER,
) -> None:
    x, y = middle
    place = f"translate({x:.2f} {y:.2f})" + (f" rotate({turn:g})" if turn else "")
    group = SubElement(parent, "g", {"transform": f"{place} scale({size:.3g})"})
    for path, part in _SHAPES[arm]:
        line = {"fill": "none", "stroke": ink, "stroke-width": "0.09"}
        match part:
            case "line":
                look = line
            case "body" if hollow:
                look = {**line, "fill": paper}
            case "rider":
                look = {**line, "fill": paper, "stroke-width": "0.06"}
            case _:
                look = {"fill": ink}
        SubElement(group, "path", {"d": path, **look})


def _add_rect(parent: Element, at: Point, size: Point, look: dict[str, str]) -> None:
    place = {"x": at[0], "y": at[1], "width": size[0], "height": size[1]}
    SubElement(parent, "rect", {**{key: f"{n:.2f}" for key, n in place.items()}, **look})


def _add_path(parent: Element, path: str, **look: str) -> None:
    """Add an unfilled path, in ink."""
    look = {key.replace("_", "-"): value for key, value in look.items()}
    base = {"fill": "none", "stroke": _INK, "stroke-width": f"{_NORMAL}"}
    SubElement(parent, "path", {"d": path, **base, **look})


def _through(points: Sequence[Point], *, closed: bool = False) -> str:
    return "M" + " L".join(f"{x:.2f} {y:.2f}" for x, y in points) + (" Z" if closed else "")


_PLANT_MM, _PLANTS_MM = 1.1, 3.4
"""Radius of a tree of a wood, or half a tuft on rough ground, and the distance between them."""

_HATCH_MM = 1.8


def _hatching(outline: Sequence[Point]) -> str:
    """Return path data of slanting lines that fill a shape."""
    edges = [*pairwise(outline), (outline[-1], outline[0])]
    sums = [x + y for x, y in outline]
    lines: list[tuple[Point, Point]] = []
    step = _HATCH_MM * sqrt(2)
    for n in range(ceil(min(sums) / step), int(max(sums) / step) + 1):
        # The line x + y = level; half a thousandth keeps it off the corners.
        level = n * step + 0.0005
        crossings = []
        for (x1, y1), (x2, y2) in edges:
            if (x1 + y1 < level) != (x2 + y2 < level):
                part = (level - x1 - y1) / (x2 + y2 - x1 - y1)
                crossings.append((x1 + (x2 - x1) * part, y1 + (y2 - y1) * part))
        crossings.sort()
        lines += zip(crossings[::2], crossings[1::2], strict=False)
    return "".join(_through(line) for line in lines)


def _sector(at: Point, face: float, angle: float, reach: float) -> list[Point]:
    """Return points of the edge of a sector, its apex first."""
    steps = max(2, ceil(abs(angle) / 5))
    start = face - angle / 2
    return [at, *(point_at(at, reach, start + angle * n / steps) for n in range(steps + 1))]


class _Canvas:
    """A drawing in the making: pieces are added from the lowest to the highest."""

    def __init__(
        self, svg: Element, size: SceneSize, folders: tuple[Path, ...], text_mm: float
    ) -> None:
        self.svg, self.folders, self.text_mm = svg, folders, text_mm
        self.width, self.height = size
        self.room: Box = (0, 0, *size)
        """The part of the canvas that words are kept within."""
        self.words: list[Box] = []
        """The places of all words and boxes to write in."""

    def add_ranks(self, drawing: Drawing) -> None:
        """Add the ranks of a formation below an arrow that shows the front."""
        middle = self.width / 2
        front = [(middle - 1.5, _FRONT - 0.7), (middle, 0.1), (middle + 1.5, _FRONT - 0.7)]
        SubElement(self.svg, "path", {"d": _through(front, closed=True), "fill": _INK})
        _, rows = _rank_sizes(drawing)
        files = max(len(rank) for rank in drawing.ranks)
        gap = _OPEN_GAP if drawing.open_order else 0
        pitch = (self.width - 2 * _EDGE + gap) / files
        for rank, (top, _) in zip(drawing.ranks, rows, strict=True):
            for n, token in enumerate(rank):
                x = _EDGE + n * pitch + (pitch - gap) / 2
                _add_token(self.svg, token, (x, _FRONT + top))

    def add_tabletop(self, tabletop: Tabletop) -> None:
        """Add the edge of a table, black and white in turn, with its measures and a scale."""
        (left, top), (width, height) = TABLETOP_CORNER, tabletop.extent
        right, bottom, edge = left + width, top + height, TABLETOP_EDGE
        self.room = (left + _EDGE, top + _EDGE, right - _EDGE, bottom - _EDGE)
        part, parts = _SCALES[tabletop.width.unit]
        step = part * tabletop.mm_each
        outer = (left - edge, top - edge), (width + 2 * edge, height + 2 * edge)
        _add_rect(self.svg, *outer, {"fill": _INK})
        line = edge - 2 * _THIN
        for across, start, end in ((True, left, right), (False, top, bottom)):
            for n in range(0, ceil((end - start) / step - 0.01), 2):
                length = min(step, end - start - n * step)
                for far in (False, True):
                    inner = (bottom if across else right) + _THIN
                    near = (top if across else left) - edge + _THIN
                    at = (start + n * step, inner if far else near)
                    size = (length, line)
                    if not across:
                        at, size = (at[1], at[0]), (line, length)
                    _add_rect(self.svg, at, size, {"fill": _PAPER})
        _add_rect(self.svg, (left, top), (width, height), {"fill": _PAPER})
        self._add_line_of_words(tabletop.width.show(), (left + width / 2, (top - edge) / 2))
        self._add_line_of_words(tabletop.depth.show(), ((left - edge) / 2, top + height / 2), -90)
        below = bottom + edge + 0.6 + self.text_mm / 2
        ink = {"stroke": _INK, "stroke-width": f"{_THIN:g}"}
        for n in range(parts):
            look = {**ink, "fill": _PAPER if n % 2 else _INK}
            _add_rect(self.svg, (left + n * step, below - 0.5), (step, 1.0), look)
        total = Distance(Decimal(part * parts), tabletop.width.unit).show()
        length = outline_words(self.folders, total, self.text_mm)[0]
        self._add_line_of_words(total, (left + parts * step + _MARGIN + length / 2, below))

    def _add_line_of_words(self, words: str, middle: Point, turn: int = 0) -> None:
        """Add words that read up the page if they are turned by -90 degrees."""
        width, path = outline_words(self.folders, words, self.text_mm)
        place = f"translate({middle[0]:.2f} {middle[1]:.2f})" + (f" rotate({turn})" if turn else "")
        place += f" translate({-width / 2:.2f} {self.text_mm * 0.34:.2f})"
        SubElement(self.svg, "path", {"d": path, "fill": _INK, "transform": place})

    def draw_scene(self, scene: Sequence[Piece]) -> None:
        """Add the pieces of a scene, and then their words, so that nothing hides those.

        Names of several words come last: they are set in two lines beside others.
        """
        for piece in scene:
            self._add_piece(piece)
        with_text = [piece for piece in scene if piece.has_text]
        for piece in sorted(with_text, key=lambda each: each.kind == "unit" and " " in each.words):
            self._add_text(piece)

    def _add_piece(self, piece: Piece) -> None:  # noqa: C901 - one for each kind
        first, last = piece.points[0], piece.points[-1]
        match piece.kind:
            case "unit":
                self.add_unit(piece)
            case "arc":
                self.add_arc(first, piece.face, piece.angle, piece.reach)
            case "circle":
                edge = [point_at(first, piece.reach, n * 5) for n in range(72)]
                _add_path(self.svg, _through(edge, closed=True), stroke_dasharray=_DASHES)
            case "zone":
                (x1, y1), (x2, y2) = first, last
                self._add_shape([(x1, y1), (x2, y1), (x2, y2), (x1, y2)])
            case "ground":
                self._add_ground(first, last, piece.style)
            case "line":
                self._add_line(piece.points, piece.style)
            case "arrow":
                self._add_arrow(piece.points, dashed=piece.style == "dashed")
            case "turn":
                steps = max(2, ceil(abs(piece.angle) / 5))
                bends = (piece.face + piece.angle * n / steps for n in range(steps + 1))
                points = [point_at(first, piece.reach, bend) for bend in bends]
                # Its steps are shorter than its head, which would else point outwards.
                self._add_arrow(points, head_from=points[-3])
            case "measure" if piece.style == "mark":
                self._add_tick(first, last, _MARK)
            case "measure":
                _add_path(self.svg, _through(piece.points), stroke_width=f"{_THIN * 1.4:g}")
                for tip, tail in ((first, last), (last, first)):
                    self._add_head(tail, tip, 1.3)
                    self._add_tick(tail, tip)
            case "rose":
                self.add_rose(first, piece.signs)

    def add_unit(self, piece: Piece) -> None:
        """Add the bases of a unit with their figures, or a dashed outline."""
        (x, y), (width, depth) = piece.points[0], piece.size
        place = {"transform": f"translate({x:.2f} {y:.2f}) rotate({piece.face:g})"}
        group = SubElement(self.svg, "g", place)
        if piece.ghost:
            look = {"fill": "none", "stroke": _INK, "stroke-width": f"{_NORMAL}"}
            look["stroke-dasharray"] = _DASHES
            _add_rect(group, (-width / 2, 0), (width, depth), look)
            return
        ink, paper = (_INK, _PAPER) if piece.side == "own" else (_PAPER, _INK)
        look = {"fill": paper, "stroke": ink, "stroke-width": f"{_THIN * 1.5:g}"}
        base_width, base_depth = piece.base
        figures = piece.figures
        depth_each = base_depth / 1.8 if piece.arm == "horse" else base_depth
        size = min(base_width / (figures or 1), depth_each, _LARGEST_FIGURES[piece.arm])
        if piece.arm == "officer" and piece.side == "enemy":
            size *= _ON_BLACK
        for file in range(piece.files):
            for rank in range(piece.ranks):
                left = file * (base_width + piece.gap) - width / 2
                top = float(rank * (base_depth + piece.gap))
                _add_rect(group, (left, top), (base_width, base_depth), look)
                for n in range(figures):
                    at = (left + base_width * (n + 0.5) / figures, top + base_depth / 2)
                    _add_figure(group, piece.arm, at, size, ink=ink, paper=paper)
        if not piece.gap:
            look = {"fill": "none", "stroke": _INK, "stroke-width": f"{_NORMAL}"}
            _add_rect(group, (-width / 2, 0), (width, depth), look)
            front = _through([(-width / 2, 0), (width / 2, 0)])
            _add_path(group, front, stroke_width=f"{_STRONG}")

    def add_arc(self, at: Point, face: float, angle: float, reach: float) -> None:
        """Add a hatched sector."""
        self._add_shape(_sector(at, face, angle, reach))

    def _add_shape(self, outline: Sequence[Point]) -> None:
        _add_path(self.svg, _hatching(outline), stroke_width=f"{_THIN}")
        _add_path(self.svg, _through(outline, closed=True))

    def _add_ground(self, first: Point, last: Point, of: str) -> None:
        left, right = sorted((first[0], last[0]))
        top, bottom = sorted((first[1], last[1]))
        middle = ((left + right) / 2, (top + bottom) / 2)
        radii = ((right - left) / 2, (bottom - top) / 2)
        if of == "buildings":
            for x, y in _spread(left, right, top, bottom, 7):
                house = [(x - 2.4, y - 1.8), (x + 2.4, y - 1.8), (x + 2.4, y + 1.8)]
                house.append((x - 2.4, y + 1.8))
                _add_path(self.svg, _through(house, closed=True), fill=_PAPER)
                _add_path(self.svg, _through([(x - 2.4, y), (x + 2.4, y)]))
            return
        for scale in (1.0, 0.62) if of == "hill" else (1.0,):
            edge = [
                (middle[0] + radii[0] * scale * sin(turn), middle[1] - radii[1] * scale * cos(turn))
                for turn in (2 * pi * n / 48 for n in range(48))
            ]
            dashes = {"stroke_dasharray": _DASHES} if of in {"rough", "light-wood"} else {}
            _add_path(self.svg, _through(edge, closed=True), **dashes)
        for x, y in _spread(left, right, top, bottom, _PLANTS_MM) if of != "hill" else ():
            inner = [max(radius - _PLANT_MM - _EDGE, 0.1) for radius in radii]
            if hypot((x - middle[0]) / inner[0], (y - middle[1]) / inner[1]) > 1:
                continue
            if of != "rough":
                look = {"fill": _PAPER, "stroke": _INK, "stroke-width": f"{_THIN * 1.5:g}"}
                circle = {"cx": f"{x:.2f}", "cy": f"{y:.2f}", "r": f"{_PLANT_MM:g}"}
                SubElement(self.svg, "circle", {**circle, **look})
            else:
                tuft = [(x - 0.9, y - 0.7), (x, y + 0.7), (x + 0.9, y - 0.7)]
                _add_path(self.svg, _through(tuft), stroke_width=f"{_THIN * 1.5:g}")

    def _add_line(self, points: Sequence[Point], style: str) -> None:
        look = {"stroke_dasharray": _DASHES} if style == "dashed" else {}
        width = _STRONG * 2.4 if style == "wall" else _NORMAL
        _add_path(self.svg, _through(points), stroke_width=f"{width:g}", **look)
        if style == "wall":
            line = {"stroke": _PAPER, "stroke_width": f"{_THIN * 3:g}"}
            _add_path(self.svg, _through(points), stroke_dasharray="1.6 0.5", **line)

    def _add_arrow(
        self, points: Sequence[Point], *, dashed: bool = False, head_from: Point | None = None
    ) -> None:
        *before, (x1, y1), (x2, y2) = points
        neck = point_towards((x2, y2), (x1, y1), _HEAD * 0.8)
        look = {"stroke_dasharray": _DASHES} if dashed else {}
        path = _through([*before, (x1, y1), neck])
        _add_path(self.svg, path, stroke_width=f"{_NORMAL * 1.3:g}", **look)
        self._add_head(head_from or (x1, y1), (x2, y2), _HEAD)

    def _add_head(self, tail: Point, tip: Point, size: float) -> None:
        face = degrees(atan2(tip[0] - tail[0], tail[1] - tip[1]))
        wings = [point_at(tip, size, face + 180 + turn) for turn in (-24, 24)]
        SubElement(self.svg, "path", {"d": _through([tip, *wings], closed=True), "fill": _INK})

    def _add_tick(self, tail: Point, tip: Point, reach: float = 1.1) -> None:
        face = degrees(atan2(tip[0] - tail[0], tail[1] - tip[1]))
        ends = [point_at(tip, reach, face + turn) for turn in (-90, 90)]
        _add_path(self.svg, _through(ends), stroke_width=f"{_NORMAL}")

    def add_rose(self, middle: Point, signs: Sequence[str]) -> None:
        """Add arrows from a point, each with its sign or a box to write one in."""
        x, y = middle
        dot = {"cx": f"{x:.2f}", "cy": f"{y:.2f}", "r": "0.8", "fill": _INK}
        SubElement(self.svg, "circle", dot)
        for n, sign in enumerate(signs):
            face = 360 * n / len(signs)
            self._add_arrow([point_at(middle, 1.6, face), point_at(middle, 7.2, face)])
            at = point_at(middle, ROSE_REACH - 1.8, face)
            if sign:
                self.add_words([sign], at)
            else:
                look = {"fill": _PAPER, "stroke": _INK, "stroke-width": f"{_THIN * 1.5:g}"}
                _add_rect(self.svg, (at[0] - 1.3, at[1] - 1.3), (2.6, 2.6), look)

    def _add_text(self, piece: Piece) -> None:
        first, last = piece.points[0], piece.points[-1]
        lines: Sequence[str] | None = None if piece.text is BLANK else self._lines(piece.words)
        width, height = self._extent(lines)
        match piece.kind:
            case "unit":
                words, at = self._at_unit(piece, lines)
                self.add_words(words, at)
                return
            case "arc":
                at = point_at(first, piece.reach * 0.66, piece.face)
            case "circle":
                at = (first[0], first[1] - piece.reach + _MARGIN + height / 2)
            case "zone" | "ground" | "rose":
                at = ((first[0] + last[0]) / 2, (first[1] + last[1]) / 2)
            case "turn":
                bend = piece.face + piece.angle / 2
                away = _MARGIN + abs(sin(radians(bend))) * width / 2 + height / 2
                at = point_at(first, piece.reach + away, bend)
            case "measure" if piece.style == "mark":
                at = (last[0], last[1] + _MARK + height / 2)
            case "label":
                shift = {"left": width / 2, "right": -width / 2}.get(piece.style, 0.0)
                at = (first[0] + shift, first[1])
            case _:
                at = _beside(piece.points, width, height)
        self.add_words(lines, at, 1.1 if piece.kind == "zone" else 0.35)

    def _at_unit(
        self, piece: Piece, lines: Sequence[str] | None
    ) -> tuple[Sequence[str] | None, Point]:
        """Return the words at a unit in lines, in two if one would touch others; and their place.

        They stand behind a unit that faces down the page, and below any other.
        """
        xs, ys = zip(*piece.outline(), strict=True)
        middle = sum(xs) / len(xs)

        def place(lines: Sequence[str] | None) -> Point:
            away = _MARGIN + self._extent(lines)[1] / 2
            is_about = piece.face % 360 == _ABOUT
            return middle, min(ys) - away if is_about else max(ys) + away

        if lines and len(lines) == 1 and " " in lines[0]:
            left, top, right, bottom = self._box_of_words(lines, place(lines))
            near = (left - _LEAST_GAP, top, right + _LEAST_GAP, bottom)
            if any(_overlap(near, each) for each in self.words):
                lines = lines[0].rsplit(" ", 1)
        return lines, place(lines)

    def _extent(self, lines: Sequence[str] | None) -> SceneSize:
        """Return the width and height of words in lines, or of an empty box."""
        if lines is None:
            return _BOX
        width = max(outline_words(self.folders, line, self.text_mm)[0] for line in lines)
        return width, self.text_mm * len(lines)

    def _lines(self, words: str) -> list[str]:
        """Return words in lines: long ones, such as a length per scale, break after commas."""
        if outline_words(self.folders, words, self.text_mm)[0] < min(_LONG_WORDS, self.width):
            return [words]
        *others, last = words.split(", ")
        return [*(f"{each}," for each in others), last]

    def _box_of_words(self, lines: Sequence[str] | None, middle: Point) -> Box:
        """Return the box of words, kept within the canvas."""
        width, height = self._extent(lines)
        left, top, right, bottom = self.room
        x = min(max(middle[0], left + width / 2 + _EDGE), right - width / 2 - _EDGE)
        y = min(max(middle[1], top + height / 2 + _EDGE), bottom - height / 2 - _EDGE)
        return x - width / 2, y - height / 2, x + width / 2, y + height / 2

    def add_words(self, lines: Sequence[str] | None, middle: Point, edge: float = 0.35) -> None:
        """Add words on white paper, or an empty box to write in, kept within the canvas.

        Args:
            lines: The words; none for a box.
            middle: Their middle.
            edge: How far the paper reaches beyond their sides, in mm: farther on hatching.
        """
        left, top, right, bottom = box = self._box_of_words(lines, middle)
        width, height = right - left, bottom - top
        self.words.append(box)
        if lines is None:
            look = {"fill": _PAPER, "stroke": _INK, "stroke-width": f"{_THIN * 1.5:g}"}
            _add_rect(self.svg, (left, top), (width, height), look)
            return
        corner = (left - edge, top - edge / 2)
        _add_rect(self.svg, corner, (width + 2 * edge, height + edge), {"fill": _PAPER})
        for n, line in enumerate(lines):
            line_width, path = outline_words(self.folders, line, self.text_mm)
            base = top + (n + 0.5) * self.text_mm + self.text_mm * 0.34
            place = f"translate({(left + right - line_width) / 2:.2f} {base:.2f})"
            SubElement(self.svg, "path", {"d": path, "fill": _INK, "transform": place})


def _overlap(one: Box, other: Box) -> bool:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across > 0 and down > 0


def _beside(points: Sequence[Point], width: float, height: float) -> Point:
    """Return the middle of words that stand above a line, or to the right of a steep one."""
    left = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)) / 2
    start, end = points[:2]
    for start, end in pairwise(points):
        length = hypot(end[0] - start[0], end[1] - start[1])
        if left <= length:
            break
        left -= length
    x, y = point_towards(start, end, left)
    if abs(end[1] - start[1]) > abs(end[0] - start[0]):
        return x + _MARGIN + width / 2, y
    return x, y - _MARGIN - height / 2


def _spread(
    left: float, right: float, top: float, bottom: float, pitch: float
) -> Iterator[tuple[float, float]]:
    """Yield points in staggered rows that fill a rectangle."""
    rows = max(1, round((bottom - top) / pitch))
    columns = max(1, round((right - left) / pitch))
    for row in range(rows):
        for column in range(columns):
            shift = 0.25 if row % 2 else -0.25
            x = left + (right - left) * (column + 0.5 + shift * (columns > 1)) / columns
            yield x, top + (bottom - top) * (row + 0.5) / rows
