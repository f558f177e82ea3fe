"""Tests of drawings: every shape is a well-formed SVG of its own."""

from __future__ import annotations

import base64
import math
import re
from pathlib import Path
from typing import get_args
from xml.etree.ElementTree import Element, fromstring

import pytest

from muster.armies.books import WrittenBook
from muster.documents.table_view import Formation
from muster.rendering.drawings import (
    data_uri,
    draw_badge,
    draw_diagram,
    draw_formation,
    width_of,
)
from muster.tables import Drawing

SVG = "{http://www.w3.org/2000/svg}"
TEMPLATES = (Path(__file__).parents[2] / "templates",)
SHAPES = get_args(WrittenBook.model_fields["shape"].annotation)


def read(svg: str) -> Element:
    root = fromstring(svg)  # noqa: S314 - our own drawing
    assert root.tag == SVG + "svg"
    return root


def figure(*ranks: str, open_order: bool = False) -> Formation:
    return Formation(tuple(tuple(rank.split()) for rank in ranks), (), open_order, "A square")


def test_every_shape_of_a_book_is_drawn_and_differs() -> None:
    paths = {shape: read(draw_badge(shape, "#123456"))[0].attrib["d"] for shape in SHAPES}

    assert len(SHAPES) >= 6
    assert len(set(paths.values())) == len(SHAPES)


def test_badge_has_the_colour_of_its_nation() -> None:
    assert read(draw_badge("star", "#123456"))[0].attrib["fill"] == "#123456"


def test_colour_cannot_leave_its_attribute() -> None:
    assert len(read(draw_badge("star", '"/><script/>'))) == 1


def test_unknown_shape_is_a_square() -> None:
    assert draw_badge("hexagon", "#123456") == draw_badge("square", "#123456")


def test_figures_stand_in_ranks_below_the_arrow() -> None:
    root = read(draw_formation(figure("F F L", ". G f")))

    assert [child.tag.removeprefix(SVG) for child in root] == [
        *("path", "circle", "circle", "path", "rect", "circle"),
    ]
    circles = root.findall(SVG + "circle")
    assert [each.attrib["fill"] for each in circles] == ["#000", "#000", "#fff"]
    assert circles[0].attrib["cy"] == circles[1].attrib["cy"]
    assert float(circles[2].attrib["cy"]) > float(circles[0].attrib["cy"])


@pytest.mark.parametrize("open_order", [False, True])
def test_all_figures_stand_within_the_drawing(*, open_order: bool) -> None:
    root = read(draw_formation(figure("F F F F", "F", open_order=open_order)))

    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for each in root.findall(SVG + "circle"):
        assert 4 < float(each.attrib["cx"]) < width - 4
        assert 4 < float(each.attrib["cy"]) < height - 4


def test_open_order_takes_more_room() -> None:
    close, wide = (
        read(draw_formation(figure("F F"))),
        read(draw_formation(figure("F F", open_order=True))),
    )

    assert float(wide.attrib["width"]) > float(close.attrib["width"])


def rectangles(root: Element) -> list[Element]:
    return root.findall(SVG + "rect")


@pytest.mark.parametrize("degrees", [30, 45, 90, 180, 270])
def test_arc_fits_its_drawing(degrees: float) -> None:
    drawing = Drawing("Guns", arc=degrees)

    root = read(draw_diagram(drawing, TEMPLATES))

    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    assert width == width_of(drawing)
    numbers = [float(n) for n in re.findall(r"[-\d.]+", root[0].attrib["d"])]
    apex, left, right = numbers[0:2], numbers[2:4], numbers[-2:]
    assert left[0] < apex[0] < right[0]
    assert 0 <= left[0] < right[0] <= width
    # The angle at the apex, as drawn.
    drawn = 2 * math.degrees(math.atan2(right[0] - apex[0], apex[1] - right[1]))
    assert drawn == pytest.approx(degrees, abs=0.2)
    assert 0 <= apex[1] <= height
    # The base stands at the apex, and the angle is written in outlines.
    assert len(rectangles(root)) == 1
    assert "transform" in root[-1].attrib


def test_rose_has_an_arrow_for_each_direction_and_boxes_to_fill_in() -> None:
    drawing = Drawing("Drift", rose=("1", "", "", "", "5", "", "", ""))

    root = read(draw_diagram(drawing, TEMPLATES))

    lines = [each for each in root.findall(SVG + "path") if each.attrib["fill"] == "none"]
    assert len(lines) == 8
    assert len(rectangles(root)) == 6
    signs = [each for each in root.findall(SVG + "path") if "transform" in each.attrib]
    ahead, back = (each.attrib["transform"] for each in signs)
    assert float(ahead.partition(" ")[2][:-1]) < float(back.partition(" ")[2][:-1])
    assert float(root.attrib["width"]) == width_of(drawing)
    for box in rectangles(root):
        assert 0 <= float(box.attrib["x"]) <= float(root.attrib["width"]) - 10


def test_figures_point_where_they_face() -> None:
    root = read(draw_formation(figure("^ > v <")))

    turns = [each.attrib["transform"].split()[0] for each in root[1:]]
    assert turns == ["rotate(0", "rotate(90", "rotate(180", "rotate(270"]


def test_address_holds_the_drawing() -> None:
    kind, _, data = data_uri("<svg/>").partition(",")

    assert kind == "data:image/svg+xml;base64"
    assert base64.b64decode(data) == b"<svg/>"


@pytest.mark.parametrize(
    "drawn", [figure("x x x", "x x"), figure("x x x", open_order=True)], ids=["close", "open"]
)
def test_width_told_is_that_of_the_drawing(drawn: Formation) -> None:
    assert read(draw_formation(drawn)).attrib["width"] == str(width_of(drawn))
