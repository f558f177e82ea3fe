"""Draw badges of nations, symbols, words in outline and the ruler, as SVG or PDF operators."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, hypot, pi, radians, sin
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

import segno
from fontTools.pens.basePen import BasePen

from muster.rendering.font_files import opened_font

Point = tuple[float, float]

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


def draw_emblem(outline: str, colour: str, width: float, height: float) -> str:
    """Return an SVG of a symbol between two laurels, on a pale frame: what fills a bare card."""
    x, y = width / 2, height / 2
    svg = _frame(width, height, lighten(colour, 88))
    side = min(0.47 * height, _LARGEST_EMBLEM_MM)
    place = f"translate({x - side / 2:.3f} {y - side / 2:.3f}) scale({side / 100:.4f})"
    SubElement(svg, "path", {"d": outline, "fill": lighten(colour, 35), "transform": place})
    for turn in (1, -1):
        laurel = f"translate({x:.3f} {y:.3f}) scale({turn * side / 100:.4f} {side / 100:.4f})"
        SubElement(svg, "path", {"d": _LAUREL, "fill": lighten(colour, 50), "transform": laurel})
    return tostring(svg, encoding="unicode")


def _laurel() -> str:
    """Return the outline of a branch of laurel, the right one, around a square of 100 by 100."""
    leaves = []
    for step in range(_LEAVES):
        angle = radians(62 - 118 * step / (_LEAVES - 1))
        for turn in (-0.62, 0.62):
            lean = angle - pi / 2 + turn
            x, y = _LAUREL_REACH * cos(angle), _LAUREL_REACH * sin(angle)
            tip = (x + 28 * cos(lean), y + 28 * sin(lean))
            sides = [
                (
                    (x + tip[0]) / 2 + side * 12 * cos(lean + pi / 2),
                    (y + tip[1]) / 2 + side * 12 * sin(lean + pi / 2),
                )
                for side in (1, -1)
            ]
            (ax, ay), (bx, by) = sides
            leaves.append(
                f"M{x:.1f} {y:.1f} Q{ax:.1f} {ay:.1f} {tip[0]:.1f} {tip[1]:.1f}"
                f" Q{bx:.1f} {by:.1f} {x:.1f} {y:.1f} Z"
            )
    return " ".join(leaves)


_LEAVES, _LAUREL_REACH = 7, 84.0
_LAUREL = _laurel()


def draw_rays(colour: str, width: float, height: float) -> str:
    """Return an SVG of a frame of a colour with rays a little lighter: the ground of a back."""
    centre = width / 2, _BACK_CENTRE * height
    svg = _frame_of_rays(width, height, centre, colour, lighten(colour, 13))
    return tostring(svg, encoding="unicode")


def _frame_of_rays(
    width: float, height: float, centre: Point, ground: str, ray_colour: str
) -> Element:
    """Return a drawing, sized in mm, that rays from a point fill."""
    svg = _frame(width, height, ground)
    x, y = centre
    reach = hypot(max(x, width - x), max(y, height - y))
    rays = []
    for ray in range(_RAYS):
        edges = [2 * pi * (ray + side) / _RAYS for side in (-0.25, 0.25)]
        ends = " ".join(f"L{x + reach * cos(a):.2f} {y + reach * sin(a):.2f}" for a in edges)
        rays.append(f"M{x:g} {y:g} {ends} Z")
    SubElement(svg, "path", {"d": " ".join(rays), "fill": ray_colour})
    return svg


def _frame(width: float, height: float, ground: str) -> Element:
    """Return a drawing, sized in mm, that a colour fills."""
    svg = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": f"{width:g}mm",
            "height": f"{height:g}mm",
            "viewBox": f"0 0 {width:g} {height:g}",
        },
    )
    SubElement(svg, "path", {"d": f"M0 0 H{width:g} V{height:g} H0 Z", "fill": ground})
    return svg


_RAYS = 24
_BACK_CENTRE = 0.4
"""Where the rays of a back begin, as a share of its height: in the middle of its emblem."""
_LARGEST_EMBLEM_MM = 20.0


def draw_token_face(shape: str, outline: str, ink: str) -> str:
    """Return an SVG of what is drawn on a token: its rim, the foot for its words, its symbol.

    The foot tells which way up a token lies. A square of 250 is the token.

    Args:
        shape: `round` or `square`.
        outline: The outline of its symbol; empty if it has none.
        ink: The colour of all that is drawn.
    """
    size = {"width": "250", "height": "250", "viewBox": "0 0 250 250"}
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size})
    rim = {"fill": "none", "stroke": ink, "stroke-width": "3.5" if ink == "#ffffff" else "8"}
    if shape == "round":
        SubElement(svg, "circle", {"cx": "125", "cy": "125", "r": "112", **rim})
        SubElement(svg, "path", {"d": "M21.6 168 H228.4 A112 112 0 0 1 21.6 168 Z", "fill": ink})
    else:
        SubElement(svg, "path", {"d": "M13 13 H237 V237 H13 Z", **rim})
        SubElement(svg, "path", {"d": "M13 168 H237 V237 H13 Z", "fill": ink})
    if outline:
        place = "translate(65 31) scale(1.2)" if shape == "round" else "translate(55 20) scale(1.4)"
        SubElement(svg, "path", {"d": outline, "fill": ink, "transform": place})
    return tostring(svg, encoding="unicode")


def lighten(colour: str, percent: int) -> str:
    """Return a colour (`#rrggbb`) mixed with white, of which it then holds so many per cent."""
    parts = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
    mixed = (round(part + (255 - part) * percent / 100) for part in parts)
    return "#" + "".join(f"{part:02x}" for part in mixed)


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


def qr_code(text: str) -> str:
    """Return a `data:` URI of a QR code that holds a text; white paper has to surround it.

    Its modules are 0.3 mm wide, which a phone reads.
    """
    code = segno.make_qr(text, error="l")
    uri: str = code.svg_data_uri(
        xmldecl=False, svgns=True, nl=False, border=0, scale=0.3, unit="mm"
    )
    return uri


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


def outline_words(folders: tuple[Path, ...], words: str, size: float) -> tuple[float, str]:
    """Return the width of some words and their outlines as SVG path data, in one unit.

    They begin at 0, 0 on their baseline. A character that the typeface lacks is an empty box.

    Args:
        folders: Template folders; the typeface is that of the first that has it.
        words: A line of text.
        size: Size of the type.
    """
    width, steps = _outline_text(_face_in(folders), words, 0, 0, size)
    return width, _svg_path(steps)


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
            glyph = glyphs[names.get(ord(char), ".notdef")]
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
