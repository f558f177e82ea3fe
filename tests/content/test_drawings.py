"""Tests of the shipped drawings: distances are true, units have all figures, no words collide."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from math import hypot
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from muster.documents.measures import Measures
from muster.rendering.diagrams import DrawingSpace, draw_diagram, rows_of
from muster.systems import System, open_system
from muster.tables import Diagram, Drawing, Grid, Piece
from muster.values import LengthUnit

ROOT = Path(__file__).parents[2]
TEMPLATES = (ROOT / "templates",)
SYSTEMS = {
    name: open_system(ROOT / "content" / name)
    for name in ("slaughterloo", "seven-years-war", "lshm-skirmish", "huzzah", "order-markers")
}
EACH = pytest.mark.parametrize("name", SYSTEMS)


def drawings(system: System) -> Iterator[tuple[str, Drawing]]:
    for table in system.tables():
        if isinstance(table, Diagram):
            for drawing in table.drawings:
                yield f"{table.id}: {drawing.label}", drawing


def first_map(name: str) -> Drawing:
    table = SYSTEMS[name].table("first-game-map")
    assert isinstance(table, Diagram)
    (drawing,) = table.drawings
    assert drawing.tabletop is not None
    return drawing


@EACH
def test_map_of_the_first_game_is_the_table_that_its_text_names(name: str) -> None:
    tabletop = first_map(name).tabletop
    assert tabletop is not None
    (chapter,) = (ROOT / "content" / name / "prose").glob("*-first-game.md")
    text = chapter.read_text(encoding="utf-8")
    sentence = re.search(r"[Tt]able \{given: (.*?)\} wide and \{given: (.*?)[ }].*?deep", text)

    assert sentence
    width, depth = (str(each).replace("cm", "") for each in (tabletop.width, tabletop.depth))
    assert sentence[1].removesuffix(" cm") == width
    assert sentence[2].removesuffix("cm") == depth


@pytest.mark.parametrize(
    ("name", "unit", "expected"),
    [
        ("huzzah", LengthUnit.CM, ("120cm", "90cm")),
        ("huzzah", LengthUnit.INCH, ('48"', '36"')),
        ("lshm-skirmish", LengthUnit.INCH, ('48"', '48"')),
        ("lshm-skirmish", LengthUnit.CM, ("120cm", "120cm")),
    ],
)
def test_map_names_its_edges_in_the_unit_of_the_edition(
    name: str, unit: LengthUnit, expected: tuple[str, str]
) -> None:
    system = SYSTEMS[name]
    measures = Measures("", unit, LengthUnit(system.identity.unit))

    table = measures.convert_table(system.table("first-game-map"), [])

    assert isinstance(table, Diagram)
    (drawing,) = table.drawings
    assert drawing.tabletop is not None
    assert (str(drawing.tabletop.width), str(drawing.tabletop.depth)) == expected


def unit_at(drawing: Drawing, x: float, y: float) -> Piece:
    """Return the unit whose front is nearest to a place, which is in units of the table."""
    assert drawing.tabletop is not None
    (place,) = drawing.tabletop.draw(Piece("label", ((x, y),))).points
    units = [piece for piece in drawing.scene if piece.kind == "unit"]
    return min(
        units, key=lambda unit: hypot(unit.points[0][0] - place[0], unit.points[0][1] - place[1])
    )


def edge_to_centre(
    drawing: Drawing, general: tuple[float, float], *units: tuple[float, float]
) -> float:
    """Return how far a general's stand is from the centre of a group."""
    assert drawing.tabletop is not None
    edge = unit_at(drawing, *general).points[0]
    corners = [corner for unit in units for corner in unit_at(drawing, *unit).outline()]
    centre = tuple((min(each) + max(each)) / 2 for each in zip(*corners, strict=True))
    return hypot(centre[0] - edge[0], centre[1] - edge[1]) / drawing.tabletop.mm_each


def test_generals_of_the_seven_years_war_are_as_far_away_as_the_text_says() -> None:
    drawing = first_map("seven-years-war")

    assert edge_to_centre(drawing, (106, 61), (106, 51)) == pytest.approx(8.5)
    assert edge_to_centre(drawing, (56.5, 29), (48, 40), (65, 40)) == pytest.approx(10)
    assert edge_to_centre(drawing, (56.5, 59), (48, 50), (65, 50)) == pytest.approx(8)


def gap(drawing: Drawing, first: tuple[float, float], second: tuple[float, float]) -> float:
    """Return the distance between two units straight ahead of each other."""
    assert drawing.tabletop is not None
    ends = [unit_at(drawing, *each).points[0] for each in (first, second)]
    return abs(ends[0][1] - ends[1][1]) / drawing.tabletop.mm_each


@pytest.mark.parametrize(
    ("name", "first", "second", "expected"),
    [
        ("huzzah", (24, 30), (24, 60), 30),
        ("huzzah", (40, 30), (40, 60), 30),
        ("huzzah", (99, 30), (95, 60), 30),
        ("lshm-skirmish", (27, 15), (27, 33), 18),
        ("lshm-skirmish", (7.5, 15), (7.5, 33), 18),
        ("lshm-skirmish", (41, 15), (41, 33), 18),
        ("order-markers", (15, 15), (15, 21), 6),
        ("order-markers", (6, 13), (6, 23), 10),
        ("order-markers", (24, 13), (24, 23), 10),
        ("order-markers", (33, 13), (33, 23), 10),
        # 5" ahead, the cuirassiers are still more than 12" from the Landwehr; 6" would be too far.
        ("order-markers", (33, 13), (33, 31), 12 + 6),
        ("seven-years-war", (9, 30), (9, 60), 30),
        ("seven-years-war", (48, 40), (48, 50), 10),
        ("seven-years-war", (106, 39), (106, 51), 12),
        ("slaughterloo", (18, 30), (16, 70), 40),
        ("slaughterloo", (84.5, 30), (92, 70), 40),
        ("slaughterloo", (109, 30), (109, 70), 40),
    ],
)
def test_units_of_the_first_game_are_as_far_apart_as_the_text_says(
    name: str, first: tuple[float, float], second: tuple[float, float], expected: float
) -> None:
    assert gap(first_map(name), first, second) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "column", "arms"),
    [
        ("slaughterloo", "figures", {"foot", "horse"}),
        ("lshm-skirmish", "figures", {"foot", "horse"}),
        ("order-markers", "stands", {"foot", "horse", "gun"}),
        ("seven-years-war", "stands", {"foot", "horse", "gun"}),
    ],
)
def test_units_of_the_first_game_are_drawn_with_all_their_figures(
    name: str, column: str, arms: set[str]
) -> None:
    system = SYSTEMS[name]
    table = system.table("first-game-units")
    assert isinstance(table, Grid)
    place = [each.id for each in table.columns].index(column)
    sizes = [int(str(row.cells[place])) for row in table.rows]
    drawn = [
        piece.files * piece.ranks
        for piece in first_map(name).scene
        if piece.kind == "unit" and piece.arm in arms
    ]

    if "gun" not in arms:
        guns = [
            n
            for n, row in enumerate(table.rows)
            if "gun" in str(row.cells).lower() or "Artillery" in str(row.cells)
        ]
        sizes = [size for n, size in enumerate(sizes) if n not in guns]
    assert sum(drawn) == sum(sizes)
    assert set(sizes) - {8} <= set(drawn)


def word_boxes(
    drawing: Drawing, row: tuple[Drawing, ...], space: DrawingSpace | None
) -> list[tuple[float, float, float, float]]:
    """Return the boxes of all words of a drawing in a row: left, top, right and bottom."""
    root = fromstring(draw_diagram(drawing, TEMPLATES, row, space))  # noqa: S314 - our own drawing
    papers = [each for each in root.findall("{*}rect") if set(each.attrib) == {*_PLACE, "fill"}]
    boxes = []
    for each in papers:
        x, y, width, height = (float(each.attrib[key]) for key in _PLACE)
        if each.attrib["fill"] == "#fff" and 1.8 < height < 12 and width < 45:
            boxes.append((x + 0.35, y + 0.35, x + width - 0.35, y + height - 0.35))
    return boxes


_PLACE = ("x", "y", "width", "height")


def overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    slack = 0.25
    return (
        min(one[2], other[2]) - max(one[0], other[0]) > slack
        and min(one[3], other[3]) - max(one[1], other[1]) > slack
    )


def rows_of_drawings(system: System) -> Iterator[tuple[str, Drawing, tuple[Drawing, ...]]]:
    """Yield each drawing with its name and the drawings of its row."""
    for table in system.tables():
        if isinstance(table, Diagram):
            for row in rows_of([(drawing, "") for drawing in table.drawings]):
                for drawing, _ in row:
                    yield f"{table.id}: {drawing.label}", drawing, tuple(each for each, _ in row)


SPACES = {
    "on a screen": None,
    "on A4": DrawingSpace(130, 8.5),
    "on A4 in high contrast": DrawingSpace(130, 10.5),
    "in a column": DrawingSpace(81, 8.5),
    "on A5": DrawingSpace(118, 8.5),
}


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("name", [*SYSTEMS, "in German"])
def test_no_words_of_a_drawing_hide_each_other_or_a_unit(name: str, space: str) -> None:
    german = SYSTEMS["seven-years-war"].in_language("de")
    found = []
    for title, drawing, row in rows_of_drawings(SYSTEMS.get(name, german)):
        # A map stands in a column of its page, and nothing else does.
        is_map_elsewhere = drawing.tabletop is not None and "A4" in space
        if not drawing.scene or is_map_elsewhere:
            continue
        if space == "in a column" and drawing.tabletop is None:
            continue
        boxes = word_boxes(drawing, row, SPACES[space])
        units = []
        for piece in drawing.scene:
            if piece.kind == "unit" and piece.face % 90 == 0:
                xs, ys = zip(*piece.outline(), strict=True)
                units.append((min(xs), min(ys), max(xs), max(ys)))
        found += [f"{title}: {a} and {b}" for a, b in combinations(boxes, 2) if overlap(a, b)]
        found += [f"{title}: words at {a} on a unit" for a in boxes for b in units if overlap(a, b)]

    assert not found


@EACH
def test_drawings_that_name_a_length_are_to_scale(name: str) -> None:
    others = [title for title, drawing in drawings(SYSTEMS[name]) if not drawing.is_to_scale]

    assert others == NOT_TO_SCALE.get(name, [])


NOT_TO_SCALE = {"slaughterloo": ["howitzer-bands: Along the line of fire"]}
"""These say so; the shortest of the howitzer's bands would have no room for its name."""
