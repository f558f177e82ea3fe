"""Owns the drawing of formations: ranks of figures as SVG.

Does not decide what a formation is; a diagram table does.
"""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, tostring

if TYPE_CHECKING:
    from generator.documents.views import Figure

_CELL = 12
_OPEN = 18


def width_of(figure: Figure) -> int:
    """Give the width of a drawing in CSS pixels."""
    return _pitch(figure) * max(len(rank) for rank in figure.ranks)


def _pitch(figure: Figure) -> int:
    return _OPEN if figure.open_order else _CELL


def draw(figure: Figure) -> str:
    """Draw ranks from the front down, an arrow showing the front; sizes are in CSS pixels."""
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
            _figure(svg, token, x * pitch + pitch / 2, y * pitch + pitch / 2 + 10)
    return tostring(svg, encoding="unicode")


def sign(token: str) -> str:
    """Draw one figure, for the words that say what it is."""
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {_CELL} {_CELL}"})
    _figure(svg, token, _CELL / 2, _CELL / 2)
    return tostring(svg, encoding="unicode")


def _figure(svg: Element, sign: str, x: float, y: float) -> None:
    ink, paper = "#000", "#fff"
    match sign:
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
        case _:
            filled = sign == "F"
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


def badge(shape: str, colour: str) -> str:
    """Draw a nation's shape in its colour, edged in white so that it stands on any ground."""
    path = _SHAPES.get(shape, _SHAPES["square"])
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 100 100"})
    SubElement(svg, "path", {"d": path, "fill": colour, "stroke": "#fff", "stroke-width": "7"})
    return tostring(svg, encoding="unicode")


def data_uri(svg: str) -> str:
    """Give an SVG as an address that needs no file."""
    return "data:image/svg+xml;base64," + b64encode(svg.encode()).decode()
