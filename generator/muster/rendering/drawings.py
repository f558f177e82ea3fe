"""Draw formations, arcs, roses, badges of nations and the ruler, as SVG or PDF operators."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import cos, pi, radians, sin
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element, SubElement, tostring

from fontTools.pens.basePen import BasePen

from muster.rendering.font_files import opened_font

if TYPE_CHECKING:
    from muster.documents.table_view import Formation
    from muster.tables import Drawing

_CELL = 12
_OPEN_CELL = 18


def width_of(figure: Formation | Drawing) -> float:
    """Return the width of a drawing in CSS pixels."""
    rose, arc = getattr(figure, "rose", ()), getattr(figure, "arc", 0)
    if rose:
        return 2 * (_ROSE_RADIUS + _SIGN_SIZE + _EDGE)
    if arc:
        return round(_arc_size(arc)[0], 2)
    return _pitch(figure) * max(len(rank) for rank in figure.ranks)


def _pitch(figure: Formation | Drawing) -> int:
    return _OPEN_CELL if figure.open_order else _CELL


def draw_formation(figure: Formation | Drawing) -> str:
    """Return an SVG of a formation's ranks, front rank on top, with an arrow that shows the front.

    Sizes are in CSS pixels.
    """
    pitch, width = _pitch(figure), width_of(figure)
    height = pitch * len(figure.ranks) + 10
    svg = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": str(width),
            "height": str(height),
            "viewBox": f"0 0 {width} {height}",
        },
    )
    middle = width / 2
    arrow = f"M{middle - 5} 7 L{middle} 1 L{middle + 5} 7 Z"
    SubElement(svg, "path", {"d": arrow, "fill": "#000"})
    for y, rank in enumerate(figure.ranks):
        for x, token in enumerate(rank):
            _add_token(svg, token, x * pitch + pitch / 2, y * pitch + pitch / 2 + 10)
    return tostring(svg, encoding="unicode")


_ARC_RADIUS = 40
_ROSE_RADIUS = 30
_SIGN_SIZE = 10
_HALF_BASE = 7
_EDGE = 1


@lru_cache(maxsize=256)
def draw_diagram(figure: Formation | Drawing, folders: tuple[Path, ...]) -> str:
    """Return an SVG of a formation, an arc of fire or a rose of directions.

    Args:
        figure: What is drawn.
        folders: Template folders; signs are outlined in the typeface of the first that has it.
    """
    rose, arc = getattr(figure, "rose", ()), getattr(figure, "arc", 0)
    if rose:
        return _draw_rose(rose, folders)
    return _draw_arc(arc, folders) if arc else draw_formation(figure)


def _draw_arc(arc: float, folders: tuple[Path, ...]) -> str:
    """Return an SVG of a base and the arc before it, the angle written within."""
    half = radians(arc / 2)
    width, height, middle, apex = _arc_size(arc)
    svg = _new_svg(width, height)
    x, y = _ARC_RADIUS * sin(half), _ARC_RADIUS * cos(half)
    large = int(half > pi / 2)
    path = (
        f"M{middle:.2f} {apex:.2f} L{middle - x:.2f} {apex - y:.2f} "
        f"A{_ARC_RADIUS} {_ARC_RADIUS} 0 {large} 1 {middle + x:.2f} {apex - y:.2f} Z"
    )
    SubElement(svg, "path", {"d": path, "fill": "none", "stroke": "#000", "stroke-width": "1"})
    _add_rect(svg, middle - _HALF_BASE, apex - 3, (_HALF_BASE * 2, 6), "#000")
    _add_sign(svg, f"{arc:g}°", middle, apex - _ARC_RADIUS * 0.8, folders)
    return tostring(svg, encoding="unicode")


def _arc_size(arc: float) -> tuple[float, float, float, float]:
    """Return the width and height of the drawing of an arc, and the place of its apex."""
    half = radians(arc / 2)
    reach = max(_ARC_RADIUS * sin(min(half, pi / 2)), _HALF_BASE, _SIGN_SIZE)
    below = max(3.0, -_ARC_RADIUS * cos(half))
    return 2 * (reach + _EDGE), _ARC_RADIUS + below + 2 * _EDGE, reach + _EDGE, _ARC_RADIUS + _EDGE


def _draw_rose(rose: Sequence[str], folders: tuple[Path, ...]) -> str:
    """Return an SVG of arrows from a point, each with its sign or a box to write one in."""
    middle = _ROSE_RADIUS + _SIGN_SIZE + _EDGE
    svg = _new_svg(2 * middle, 2 * middle)
    circle = {"cx": f"{middle}", "cy": f"{middle}", "r": "3", "fill": "#000"}
    SubElement(svg, "circle", circle)
    for n, sign in enumerate(rose):
        turn = 2 * pi * n / len(rose)
        right, up = sin(turn), cos(turn)
        tip = _ROSE_RADIUS - 3
        ends = [(middle + right * r, middle - up * r) for r in (6, tip - 4, tip)]
        (x1, y1), (x2, y2), (x3, y3) = ends
        line = f"M{x1:.2f} {y1:.2f} L{x2:.2f} {y2:.2f}"
        SubElement(svg, "path", {"d": line, "fill": "none", "stroke": "#000", "stroke-width": "1"})
        head = (
            f"M{x3:.2f} {y3:.2f} L{x2 + up * 3:.2f} {y2 + right * 3:.2f} "
            f"L{x2 - up * 3:.2f} {y2 - right * 3:.2f} Z"
        )
        SubElement(svg, "path", {"d": head, "fill": "#000"})
        x, y = middle + right * (_ROSE_RADIUS + 5), middle - up * (_ROSE_RADIUS + 5)
        if sign:
            _add_sign(svg, sign, x, y, folders)
        else:
            _add_rect(svg, x - 5, y - 5, (10, 10), "#fff")
    return tostring(svg, encoding="unicode")


def _new_svg(width: float, height: float) -> Element:
    size = {"width": f"{width:.2f}", "height": f"{height:.2f}"}
    size["viewBox"] = f"0 0 {width:.2f} {height:.2f}"
    return Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size})


def _add_rect(svg: Element, x: float, y: float, size: Point, fill: str) -> None:
    """Add a rectangle with a thin edge, its left upper corner at *x*, *y*."""
    width, height = size
    place = {"x": f"{x:.2f}", "y": f"{y:.2f}", "width": f"{width}", "height": f"{height}"}
    SubElement(svg, "rect", {**place, "fill": fill, "stroke": "#000", "stroke-width": "0.7"})


def _add_sign(svg: Element, sign: str, x: float, y: float, folders: tuple[Path, ...]) -> None:
    """Add the outlines of a short text, its middle at *x*, *y*."""
    face = _face_in(folders)
    width, steps = _outline_text(face, sign, 0, 0, _SIGN_SIZE)
    shape = _svg_path(steps)
    place = f"translate({x - width / 2:.2f} {y + _SIGN_SIZE * 0.35:.2f})"
    SubElement(svg, "path", {"d": shape, "fill": "#000", "transform": place})


def draw_token(token: str) -> str:
    """Return an SVG of a single figure, for the legend that explains it."""
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {_CELL} {_CELL}"})
    _add_token(svg, token, _CELL / 2, _CELL / 2)
    return tostring(svg, encoding="unicode")


def _add_token(svg: Element, token: str, x: float, y: float) -> None:
    ink, paper = "#000", "#fff"
    match token:
        case ".":
            return
        case "G":
            SubElement(
                svg,
                "rect",
                {"x": f"{x - 2}", "y": f"{y - 5}", "width": "4", "height": "10", "fill": ink},
            )
        case "L":
            shape = f"M{x} {y - 5} L{x + 5} {y} L{x} {y + 5} L{x - 5} {y} Z"
            SubElement(svg, "path", {"d": shape, "fill": ink})
        case "^" | "v" | "<" | ">":
            turn = "^>v<".index(token) * 90
            shape = f"M{x} {y - 5} L{x + 4.5} {y + 4.5} L{x - 4.5} {y + 4.5} Z"
            SubElement(
                svg, "path", {"d": shape, "fill": ink, "transform": f"rotate({turn} {x} {y})"}
            )
        case _:
            filled = token == "F"  # noqa: S105 - a figure, no password
            SubElement(
                svg,
                "circle",
                {
                    "cx": f"{x}",
                    "cy": f"{y}",
                    "r": "4",
                    "fill": ink if filled else paper,
                    "stroke": ink,
                    "stroke-width": "1",
                },
            )


_SHAPES = {
    "circle": "M50 6 A44 44 0 1 1 49.9 6 Z",
    "square": "M10 10 H90 V90 H10 Z",
    "diamond": "M50 2 L98 50 L50 98 L2 50 Z",
    "triangle": "M50 6 L97 92 L3 92 Z",
    "star": "M50 3 L61.8 37 L97 37.5 L68.5 59 L79 93 L50 72.5 L21 93 L31.5 59 L3 37.5 L38.2 37 Z",
    "cross": "M35 5 H65 V35 H95 V65 H65 V95 H35 V65 H5 V35 H35 Z",
}


def draw_badge(shape: str, colour: str) -> str:
    """Return an SVG of a nation's shape in its colour, edged in white to show on any background."""
    path = _SHAPES.get(shape, _SHAPES["square"])
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 100 100"})
    SubElement(svg, "path", {"d": path, "fill": colour, "stroke": "#fff", "stroke-width": "7"})
    return tostring(svg, encoding="unicode")


def draw_symbol(outline: str, colour: str) -> str:
    """Return an SVG of a symbol's outline, filled with a colour."""
    size = {"width": "100", "height": "100", "viewBox": "0 0 100 100"}
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size})
    SubElement(svg, "path", {"d": outline, "fill": colour})
    return tostring(svg, encoding="unicode")


_DARK_INK = "#16181c"
_GAMMA = 2.2
"""Nearly that of sRGB."""

_READABLE_CONTRAST = 4.5
"""The contrast that small type needs, by WCAG 2.2, 1.4.3."""


def ink_on(colour: str) -> str:
    """Return white, or dark ink on a colour (`#rrggbb`) too light for white to be read on."""
    red, green, blue = ((int(colour[n : n + 2], 16) / 255) ** _GAMMA for n in (1, 3, 5))
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#ffffff" if 1.05 / (luminance + 0.05) >= _READABLE_CONTRAST else _DARK_INK


def data_uri(svg: str) -> str:
    """Return a `data:` URI that holds an SVG."""
    return "data:image/svg+xml;base64," + b64encode(svg.encode()).decode()


RULER_LENGTH_MM = 101.6
"""Four inches: a little more than the 100 mm that are marked."""

RULER_HEIGHT_MM = 4.6
RULER_WIDTH_MM = 114.0
"""The width including the labels at its end."""

_LENGTH_IN_WHOLE_MM = 100
_INCH_MM = 25.4
_FACE = "fonts/MusterSans-Regular.ttf"
_TYPE_MM = 2.6
_STROKE_MM = 0.15
_MM_TICKS = {10: 2.2, 5: 1.6, 1: 1.0}
"""Interval of the ticks -> their length, both in mm; the first interval that divides counts."""
_QUARTER_INCH_TICKS = {4: 2.2, 2: 1.6, 1: 1.1}

Point = tuple[float, float]
PathStep = tuple[str, tuple[Point, ...]]
"""A step of a path: `M`, `L`, `C` or `Z`, and its points in millimetres, y pointing down."""


@dataclass(frozen=True, slots=True)
class Ruler:
    """Lines to draw and outlines to fill, in mm; the left end of the middle line is at 0, 0."""

    lines: tuple[tuple[Point, Point], ...]
    outlines: tuple[PathStep, ...]


class _OutlinePen(BasePen):  # type: ignore[misc]  # fontTools ships no types
    """Collects the outline of a glyph, scaled and moved to a point."""

    def __init__(self, glyphs: Any, left: float, base: float, scale: float) -> None:
        super().__init__(glyphs)
        self.steps: list[PathStep] = []
        self._left, self._base, self._scale = left, base, scale

    def _to(self, letter: str, *points: Point) -> None:
        placed = tuple(
            (self._left + x * self._scale, self._base - y * self._scale) for x, y in points
        )
        self.steps.append((letter, placed))

    def _moveTo(self, point: Point) -> None:  # noqa: N802 - the pen's own name
        self._to("M", point)

    def _lineTo(self, point: Point) -> None:  # noqa: N802 - as above
        self._to("L", point)

    def _curveToOne(self, first: Point, second: Point, point: Point) -> None:  # noqa: N802
        self._to("C", first, second, point)

    def _closePath(self) -> None:  # noqa: N802 - as above
        self._to("Z")


@cache
def build_ruler(folders: tuple[Path, ...]) -> Ruler:
    """Return the ruler, labelled in the typeface of the first template folder that has it."""
    lines: list[tuple[Point, Point]] = [((0, 0), (RULER_LENGTH_MM, 0))]
    for n in range(_LENGTH_IN_WHOLE_MM + 1):
        tick_mm = next(length for step, length in _MM_TICKS.items() if n % step == 0)
        lines.append(((n, 0), (n, -tick_mm)))
    for n in range(4 * 4 + 1):
        tick_mm = next(length for step, length in _QUARTER_INCH_TICKS.items() if n % step == 0)
        lines.append(((n * _INCH_MM / 4, 0), (n * _INCH_MM / 4, tick_mm)))
    face = _face_in(folders)
    left, outlines = RULER_LENGTH_MM + 1.2, []
    for text, base in (("100 mm", -0.3), ("4 in", _TYPE_MM * 0.75)):
        outlines += _outline_text(face, text, left, base, _TYPE_MM)[1]
    return Ruler(tuple(lines), tuple(outlines))


def _face_in(folders: tuple[Path, ...]) -> Path:
    return next(folder / _FACE for folder in folders if (folder / _FACE).is_file())


def _outline_text(
    face: Path, text: str, left: float, base: float, size: float
) -> tuple[float, list[PathStep]]:
    """Return where the text ends on the right, and its outlines."""
    with opened_font(face) as font:
        glyphs, names = font.getGlyphSet(), font.getBestCmap()
        scale = size / font["head"].unitsPerEm
        steps: list[PathStep] = []
        for char in text:
            glyph = glyphs[names[ord(char)]]
            pen = _OutlinePen(glyphs, left, base, scale)
            glyph.draw(pen)
            steps += pen.steps
            left += glyph.width * scale
    return left, steps


def _svg_path(steps: Sequence[PathStep]) -> str:
    return "".join(
        letter + " ".join(f"{x:.3f} {y:.3f}" for x, y in points) for letter, points in steps
    )


def ruler_svg(ruler: Ruler, left: float, top: float, *, upwards: bool = False) -> str:
    """Return the ruler as SVG, for a drawing whose unit is a millimetre.

    It runs to the right from *left*, *top*, or upwards from there.
    """
    lines = "".join(f"M{a[0]:.3f} {a[1]:.3f}L{b[0]:.3f} {b[1]:.3f}" for a, b in ruler.lines)
    filled = _svg_path(ruler.outlines)
    rotation = " rotate(-90)" if upwards else ""
    return (
        f'<g transform="translate({left:.3f} {top:.3f}){rotation}">'
        f'<path d="{lines}" stroke="#000" stroke-width="{_STROKE_MM}" fill="none"/>'
        f'<path d="{filled}" fill="#000"/></g>'
    )


_OPERATORS = {"M": "m", "L": "l", "C": "c", "Z": "h"}


def ruler_operators(ruler: Ruler, left: float, bottom: float) -> str:
    """Return the ruler as PDF operators, for a space whose unit is a millimetre, y pointing up."""
    parts = [f"q 1 0 0 -1 {left:.3f} {bottom:.3f} cm 0 G 0 g {_STROKE_MM} w"]
    parts += [f"{a[0]:.3f} {a[1]:.3f} m {b[0]:.3f} {b[1]:.3f} l" for a, b in ruler.lines]
    parts.append("S")
    parts += [_path_operator(letter, points) for letter, points in ruler.outlines]
    parts.append("f Q")
    return "\n".join(parts)


def _path_operator(letter: str, points: Sequence[Point]) -> str:
    numbers = [f"{x:.3f} {y:.3f}" for x, y in points]
    return " ".join([*numbers, _OPERATORS[letter]])
