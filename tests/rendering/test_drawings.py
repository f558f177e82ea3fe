"""Tests of badges: every shape is a well-formed SVG of its own."""

from __future__ import annotations

import base64
from typing import get_args
from xml.etree.ElementTree import Element, fromstring

from muster.armies.books import WrittenBook
from muster.rendering.drawings import (
    data_uri,
    draw_badge,
)

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = get_args(WrittenBook.model_fields["shape"].annotation)


def read(svg: str) -> Element:
    root = fromstring(svg)  # noqa: S314 - our own drawing
    assert root.tag == SVG + "svg"
    return root


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


def test_address_holds_the_drawing() -> None:
    kind, _, data = data_uri("<svg/>").partition(",")

    assert kind == "data:image/svg+xml;base64"
    assert base64.b64decode(data) == b"<svg/>"
