"""Owns the ruler that is printed on sheets: with it a player sees that they came out true to size.

Does not choose where it stands. Its figures are drawn as outlines, so that no font goes with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont

LENGTH_MM = 101.6
"""Four inches; the hundredth millimetre stands a little before its end."""

HEIGHT_MM = 4.6
WIDTH_MM = 114.0
"""With the words behind it."""

_MM = 100
_INCH_MM = 25.4
_FACE = "fonts/MusterSans-Regular.ttf"
_TYPE_MM = 2.6
_STROKE_MM = 0.15
_TICKS = {10: 2.2, 5: 1.6, 1: 1.0}
_QUARTERS = {4: 2.2, 2: 1.6, 1: 1.1}

Point = tuple[float, float]
Step = tuple[str, tuple[Point, ...]]
"""A step of a path: `M`, `L`, `C` or `Z`, and its points in millimetres, y downwards."""


@dataclass(frozen=True, slots=True)
class Ruler:
    """Lines to be drawn, and outlines to be filled; the left end of its middle line is 0, 0."""

    lines: tuple[tuple[Point, Point], ...]
    outlines: tuple[Step, ...]


class _Pen(BasePen):  # type: ignore[misc]  # fontTools ships no types
    """Collects the outline of a glyph at a place."""

    def __init__(self, glyphs: Any, left: float, base: float, scale: float) -> None:
        super().__init__(glyphs)
        self.steps: list[Step] = []
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
def ruler(templates: tuple[Path, ...]) -> Ruler:
    """Draw the ruler, with the figures of the first template folder that has the typeface."""
    lines: list[tuple[Point, Point]] = [((0, 0), (LENGTH_MM, 0))]
    for n in range(_MM + 1):
        high = next(tick for step, tick in _TICKS.items() if n % step == 0)
        lines.append(((n, 0), (n, -high)))
    for n in range(4 * 4 + 1):
        high = next(tick for step, tick in _QUARTERS.items() if n % step == 0)
        lines.append(((n * _INCH_MM / 4, 0), (n * _INCH_MM / 4, high)))
    face = next(folder / _FACE for folder in templates if (folder / _FACE).is_file())
    outlines = [*_words(face, "100 mm", -0.3), *_words(face, "4 in", _TYPE_MM * 0.75)]
    return Ruler(tuple(lines), tuple(outlines))


def _words(face: Path, text: str, base: float) -> list[Step]:
    with TTFont(face) as font:
        glyphs, names = font.getGlyphSet(), font.getBestCmap()
        scale = _TYPE_MM / font["head"].unitsPerEm
        left, steps = LENGTH_MM + 1.2, []
        for sign in text:
            glyph = glyphs[names[ord(sign)]]
            pen = _Pen(glyphs, left, base, scale)
            glyph.draw(pen)
            steps += pen.steps
            left += glyph.width * scale
    return steps


def as_svg(drawn: Ruler, left: float, top: float, *, upwards: bool = False) -> str:
    """Draw it into a picture whose unit is a millimetre, from a place on, or upwards from it."""
    lines = "".join(f"M{a[0]:.3f} {a[1]:.3f}L{b[0]:.3f} {b[1]:.3f}" for a, b in drawn.lines)
    filled = "".join(
        letter + " ".join(f"{x:.3f} {y:.3f}" for x, y in points)
        for letter, points in drawn.outlines
    )
    turn = " rotate(-90)" if upwards else ""
    return (
        f'<g transform="translate({left:.3f} {top:.3f}){turn}">'
        f'<path d="{lines}" stroke="#000" stroke-width="{_STROKE_MM}" fill="none"/>'
        f'<path d="{filled}" fill="#000"/></g>'
    )


_OPERATORS = {"M": "m", "L": "l", "C": "c", "Z": "h"}


def as_pdf(drawn: Ruler, left: float, bottom: float) -> str:
    """Draw it with a PDF's operators, in a space whose unit is a millimetre, y upwards."""
    parts = [f"q 1 0 0 -1 {left:.3f} {bottom:.3f} cm 0 G 0 g {_STROKE_MM} w"]
    parts += [f"{a[0]:.3f} {a[1]:.3f} m {b[0]:.3f} {b[1]:.3f} l" for a, b in drawn.lines]
    parts.append("S")
    parts += [_operation(letter, points) for letter, points in drawn.outlines]
    parts.append("f Q")
    return "\n".join(parts)


def _operation(letter: str, points: Sequence[Point]) -> str:
    numbers = [f"{x:.3f} {y:.3f}" for x, y in points]
    return " ".join([*numbers, _OPERATORS[letter]])
