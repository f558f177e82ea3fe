"""Tests of diagrams: formations, arcs, roses and scenes are well-formed and within their canvas."""

from __future__ import annotations

import math
import re
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest

from muster.documents.table_view import Formation
from muster.rendering.diagrams import (
    SHEET_WORDS_PT,
    DrawingSpace,
    draw_diagram,
    draw_token,
    rows_of,
    space_on_sheet,
    width_of,
)
from muster.tables import Drawing, Piece, Tabletop, read_table
from muster.tables.scenes import TABLETOP_EDGE
from muster.values import BLANK, Distance, Text
from muster.yamlfile import document_from_text

SVG = "{http://www.w3.org/2000/svg}"
TEMPLATES = (Path(__file__).parents[2] / "templates",)
SIXTH = Path(__file__).parents[1] / "sixth" / "content" / "sixth" / "tables"


def read(drawn: Formation | Drawing) -> Element:
    root = fromstring(draw_diagram(drawn, TEMPLATES))  # noqa: S314 - our own drawing
    assert root.tag == SVG + "svg"
    return root


def figure(*ranks: str, open_order: bool = False) -> Formation:
    return Formation(tuple(tuple(rank.split()) for rank in ranks), (), open_order, "A square")


def bases(root: Element) -> list[Element]:
    return root.findall(f".//{SVG}rect")


def size_of(root: Element) -> tuple[float, float]:
    """Return the size of a canvas in mm."""
    *_, width, height = (float(number) for number in root.attrib["viewBox"].split())
    return width, height


def test_figures_stand_on_bases_in_ranks_below_the_arrow() -> None:
    root = read(figure("F F L", ". G f"))

    tops = [float(base.attrib["y"]) for base in bases(root)]
    assert len(tops) == 5
    assert tops[0] == tops[1] == tops[2] < tops[3] == tops[4]
    arrow = root[0]
    assert arrow.attrib["fill"] == "#000"
    assert len({figure_of(root, n) for n in range(5)}) == 4


def figure_of(root: Element, place: int) -> str:
    """Return the paths of a figure, to be compared with others."""
    group = root.findall(SVG + "g")[place]
    return " ".join(part.attrib["d"] + part.attrib["fill"] for part in group)


def test_hollow_figures_are_told_from_filled_ones_of_each_arm() -> None:
    for filled, hollow in (("F", "o"), ("M", "m")):
        root = read(figure(f"{filled} {hollow}"))

        assert figure_of(root, 0) != figure_of(root, 1)


@pytest.mark.parametrize("open_order", [False, True])
@pytest.mark.parametrize("ranks", [("F F F F", "F"), ("M G", "F . F")])
def test_all_bases_stand_within_the_drawing(ranks: tuple[str, ...], *, open_order: bool) -> None:
    root = read(figure(*ranks, open_order=open_order))

    width, height = size_of(root)
    for base in bases(root):
        left, top = float(base.attrib["x"]), float(base.attrib["y"])
        assert 0 <= left < left + float(base.attrib["width"]) <= width
        assert 2 < top < top + float(base.attrib["height"]) <= height


def test_open_order_takes_more_room() -> None:
    close, wide = figure("F F"), figure("F F", open_order=True)

    assert width_of(wide, TEMPLATES) > width_of(close, TEMPLATES)


@pytest.mark.parametrize("degrees", [30, 45, 90, 180, 270])
def test_arc_fits_its_drawing(degrees: float) -> None:
    drawing = Drawing("Guns", arc=degrees)

    root = read(drawing)

    assert float(root.attrib["width"]) == width_of(drawing, TEMPLATES)
    width, height = size_of(root)
    edge = root.findall(SVG + "path")[1].attrib["d"]
    numbers = [float(n) for n in re.findall(r"[-\d.]+", edge)]
    points = [*zip(numbers[::2], numbers[1::2], strict=True)]
    assert all(0 <= x <= width and 0 <= y <= height for x, y in points)
    apex, left, right = points[0], points[1], points[-1]
    # The angle at the apex, as drawn.
    drawn = 2 * math.degrees(math.atan2(right[0] - apex[0], apex[1] - right[1]))
    assert drawn == pytest.approx(degrees, abs=0.5)
    assert left[0] < apex[0] < right[0]
    # The angle is written in outlines.
    assert "transform" in root[-1].attrib


def test_rose_has_an_arrow_for_each_direction_and_boxes_to_fill_in() -> None:
    drawing = Drawing("Drift", rose=("1", "", "", "", "5", "", "", ""))

    root = read(drawing)

    shafts = [each for each in root.findall(SVG + "path") if each.attrib["fill"] == "none"]
    assert len(shafts) == 8
    boxes = [base for base in bases(root) if "stroke" in base.attrib]
    assert len(boxes) == 6
    signs = [each for each in root.findall(SVG + "path") if "transform" in each.attrib]
    ahead, back = (each.attrib["transform"] for each in signs)
    assert float(ahead.partition(" ")[2][:-1]) < float(back.partition(" ")[2][:-1])
    assert float(root.attrib["width"]) == width_of(drawing, TEMPLATES)


def test_figures_point_where_they_face() -> None:
    root = read(figure("^ > v <"))

    turns = [each.attrib["transform"].split()[2:-1] for each in root.findall(SVG + "g")]
    assert turns == [[], ["rotate(90)"], ["rotate(180)"], ["rotate(270)"]]


@pytest.mark.parametrize(
    "drawn", [figure("x x x", "x x"), figure("M x x", open_order=True)], ids=["close", "open"]
)
def test_width_told_is_that_of_the_drawing(drawn: Formation) -> None:
    assert float(read(drawn).attrib["width"]) == width_of(drawn, TEMPLATES)


@pytest.mark.parametrize("width_mm", [30, 45, 70, 140])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_words_of_drawings_on_sheets_are_of_eight_points(width_mm: float, count: int) -> None:
    """A row of drawings is no wider than its column, where it would be printed smaller."""
    word = Piece("label", ((30, 20),), Text.parse("flank"), style="middle")
    drawn = scene(word, size=(60, 40))
    row, space = (drawn,) * count, space_on_sheet(width_mm)

    svg = draw_diagram(drawn, TEMPLATES, row, space)

    root = fromstring(svg)  # noqa: S314 - our own drawing
    printed_pt = float(root.attrib["width"]) * 72 / 96
    across, _ = size_of(root)
    (paper,) = bases(root)
    words_pt = float(paper.attrib["height"]) * printed_pt / across
    assert words_pt >= SHEET_WORDS_PT
    assert count * width_of(drawn, TEMPLATES, row, space) <= width_mm / 25.4 * 96


def test_token_of_the_legend_is_the_figure_of_the_drawing() -> None:
    drawn = read(figure("M"))
    legend = fromstring(draw_token("M"))  # noqa: S314 - our own drawing

    assert figure_of(legend, 0) == figure_of(drawn, 0)


# Scenes


def scene(*pieces: Piece, size: tuple[float, float] = (60, 40)) -> Drawing:
    return Drawing("Scene", alt="A scene.", size=size, scene=pieces)


def ours() -> Drawing:
    """Return the scene of the sixth system, which has every piece."""
    text = (SIXTH / "field.yaml").read_text(encoding="utf-8")
    document = document_from_text(text, "field.yaml")
    table = read_table(document, ["15mm", "28mm"])
    drawing = table.drawings[0]  # type: ignore[attr-defined]  # a diagram
    assert isinstance(drawing, Drawing)
    return drawing


def test_every_piece_is_drawn_in_pure_black_and_white() -> None:
    text = draw_diagram(ours(), TEMPLATES)

    colours = set(re.findall(r'(?:fill|stroke)="([^"]*)"', text))
    assert colours == {"#000", "#fff", "none"}
    for piece in ours().scene:
        assert draw_diagram(scene(piece, size=ours().size), TEMPLATES).count("<path") or (
            piece.ghost
        )


def test_words_are_outlines_of_eight_points_and_more_within_the_canvas() -> None:
    words = "As far as this"
    for x in (0, 30, 60):
        root = read(scene(Piece("label", ((x, 0),), Text.parse(words), style="middle")))

        (paper,) = bases(root)
        left, width = float(paper.attrib["x"]), float(paper.attrib["width"])
        # The paper sticks out by its own edge, and by no more.
        assert -0.4 <= left < left + width <= 60.4
        assert float(paper.attrib["height"]) >= 8 / 72 * 25.4 * 0.95
        assert root.find(f".//{SVG}text") is None


def test_piece_without_a_figure_in_the_source_has_a_box() -> None:
    root = read(scene(Piece("measure", ((5, 20), (55, 20)), BLANK)))

    (box,) = bases(root)
    assert (box.attrib["fill"], box.attrib["stroke"]) == ("#fff", "#000")


def test_own_bases_are_white_and_those_of_the_enemy_black() -> None:
    for side, paper in (("own", "#fff"), ("enemy", "#000")):
        root = read(scene(Piece("unit", ((30, 10),), arm="foot", side=side, base=(4, 4))))

        assert bases(root)[0].attrib["fill"] == paper


def test_unit_has_a_base_for_each_file_and_rank_and_figures_on_each() -> None:
    unit = Piece(
        "unit", ((30, 10),), arm="horse", side="own", base=(9, 6), files=4, ranks=2, figures=3
    )

    group = read(scene(unit)).findall(SVG + "g")[0]

    # The last rectangle is the edge of the unit.
    assert len(group.findall(SVG + "rect")) == 8 + 1
    assert len(group.findall(SVG + "g")) == 24


def test_words_are_drawn_after_all_pieces() -> None:
    label = Piece("label", ((30, 20),), Text.parse("5 cm"), style="middle")
    zone = Piece("zone", ((0, 0), (60, 40)))

    root = read(scene(label, zone))

    assert "transform" in root[-1].attrib


def test_character_that_the_typeface_lacks_does_not_stop_a_build() -> None:
    label = Piece("label", ((30, 20),), Text.parse("中"), style="middle")

    assert read(scene(label)) is not None


def test_scene_is_cut_to_what_it_shows_and_as_high_as_those_beside_it() -> None:
    low = scene(Piece("zone", ((10, 30), (20, 38))))
    high = scene(Piece("zone", ((30, 2), (36, 12))))

    alone = fromstring(draw_diagram(low, TEMPLATES))  # noqa: S314 - our own drawing
    beside = fromstring(draw_diagram(low, TEMPLATES, (low, high)))  # noqa: S314 - as above
    left, top, width, height = (float(each) for each in alone.attrib["viewBox"].split())
    its_left, its_top, its_width, its_height = (
        float(each) for each in beside.attrib["viewBox"].split()
    )

    assert (left, top, width, height) == pytest.approx((9.7, 29.7, 10.6, 8.6))
    assert (its_left, its_top, its_width, its_height) == pytest.approx((9.7, 1.7, 10.6, 36.6))
    assert float(alone.attrib["width"]) == width_of(low, TEMPLATES)


def test_table_from_above_has_an_edge_in_parts_of_one_length() -> None:
    table = Tabletop(Distance.parse("120cm"), Distance.parse("90cm"))
    piece = Piece("label", ((40, 20),), Text.parse("Here"), style="middle")

    root = read(Drawing("Map", alt="A map.", size=table.size, scene=(piece,), tabletop=table))

    lengths = {
        round(float(each.attrib["width"]), 1)
        for each in bases(root)
        if float(each.attrib["height"]) == pytest.approx(TABLETOP_EDGE - 0.4)
    }
    assert lengths == {round(10 * table.mm_each, 1)}
    # Its width, its depth and the end of the scale are written, and so is the label.
    assert len([each for each in root.iter(SVG + "path") if "transform" in each.attrib]) == 4
    assert size_of(root) == pytest.approx(table.size)


def test_drawings_stand_in_rows_that_every_page_has_room_for() -> None:
    narrow, wide = Drawing("A", arc=45), scene(Piece("zone", ((0, 0), (9, 9))))

    rows = [*rows_of([(each, "") for each in (narrow, narrow, narrow, narrow, narrow, wide)])]

    assert [len(row) for row in rows] == [4, 1, 1]


@pytest.mark.parametrize(
    ("width", "lengths"), [(176, [3, 2]), (120, [2, 1, 1, 1]), (80, [1, 1, 1, 1, 1])]
)
def test_large_drawings_stand_in_as_few_even_rows_as_they_fit_in(
    width: float, lengths: list[int]
) -> None:
    narrow, wide = (scene(Piece("zone", ((0, 0), (9, 9))), size=(each, 20)) for each in (28, 40))
    drawings = [narrow, narrow, narrow, wide, wide]

    rows = [*rows_of([(each, "") for each in drawings], DrawingSpace(width, 16, is_large=True))]

    assert [len(row) for row in rows] == lengths
