"""Test printing for one scale, and in the other unit of length."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.documents.measures import Measures, choose_measures, convert_length
from muster.systems import open_system
from muster.tables import Diagram, read_table
from muster.values import BLANK, LengthUnit, parse_value
from muster.yamlfile import document_from_text

CONTENT = Path(__file__).parents[2] / "content"
INCHES = Measures("", LengthUnit.INCH, LengthUnit.CM)
CENTIMETRES = Measures("", LengthUnit.CM, LengthUnit.INCH)


@pytest.mark.parametrize(
    ("cm", "inches"),
    [("5", "2"), ("10", "4"), ("45", "18"), ("30", "12"), ("8", "3"), ("1", "0.5"), ("57", "23")],
)
def test_centimetres_become_halves_of_inches_and_quarters_below_two(cm: str, inches: str) -> None:
    assert convert_length(Decimal(cm), LengthUnit.INCH) == Decimal(inches)


@pytest.mark.parametrize(("inches", "cm"), [("6", "15"), ("1", "2.5"), ("16", "40"), ("3", "7.5")])
def test_inches_become_whole_centimetres_and_halves_below_ten(inches: str, cm: str) -> None:
    assert convert_length(Decimal(inches), LengthUnit.CM) == Decimal(cm)


@given(st.integers(0, 400), st.integers(0, 400))
def test_longer_length_is_never_shorter_after_conversion(one: int, other: int) -> None:
    low, high = sorted((Decimal(one) / 2, Decimal(other) / 2))

    assert convert_length(low, LengthUnit.INCH) <= convert_length(high, LengthUnit.INCH)
    assert convert_length(low, LengthUnit.CM) <= convert_length(high, LengthUnit.CM)


@pytest.mark.parametrize(
    ("form", "written", "shown"),
    [
        ("distance", "15cm", "6″"),
        ("distance", "40mm", "40\u202fmm"),
        ("distance", "d6*10cm", "D6 × 4″"),
        ("distance", "d10+30cm", "(D10 + 30) ÷ 2½″"),
        ("range", "up to 15cm", "up to 6″"),
        ("range", "30-55cm", "12–22″"),
        ("modifier", "+2", "+2"),
        ("modifier", "-10cm", "−4″"),
        ("modifier", "-d6cm", "−D6 × 0.4″"),
        ("modifier", "-(d6+2)cm", "−(D6 + 2) ÷ 2½″"),
        ("text", "45 cm; the C-in-C may move 45 cm", "18″; the C-in-C may move 18″"),
        ("text", "off by 1D6 cm", "off by 1D6 ÷ 2½″"),
        ("text", "6 + D6 cm; 2D6 × 10 cm", "(6 + D6) ÷ 2½″; 2D6 × 4″"),
        ("text", "Medium, 15–30 cm", "Medium, 6–12″"),
        ("text", "2½ or 5 cm, 15-30cm, 10 to 15 cm", "1 or 2″, 6-12″, 4 to 6″"),
        ("text", "on a 6, 10 cm; 3/10 cm; L4–5", "on a 6, 4″; 1¼/4″; L4–5"),
        ("text", "D6 or 10 cm, – 5 cm", "D6 or 4″, – 2″"),
    ],
)
def test_cell_is_shown_in_inches(form: str, written: str, shown: str) -> None:
    assert INCHES.convert_value(parse_value(form, written)).show() == shown


@pytest.mark.parametrize(
    ("written", "shown"),
    [('6" back', "15\u202fcm back"), ("1½″ apart", "4\u202fcm apart"), ("2 inches", "5\u202fcm")],
)
def test_prose_in_inches_is_shown_in_centimetres(written: str, shown: str) -> None:
    assert CENTIMETRES.convert_text(written) == shown


def test_value_that_is_not_converted_stays_the_same() -> None:
    own = Measures("", LengthUnit.CM, LengthUnit.CM)
    cell = parse_value("distance", "15cm")

    assert own.convert_value(cell) is cell
    assert own.convert_text("45 cm") == "45 cm"
    assert INCHES.convert_value(BLANK) is BLANK


def test_converted_document_says_so() -> None:
    assert "converted from centimetres" in INCHES.title
    assert Measures("", LengthUnit.CM, LengthUnit.CM).title == "centimetres"


def test_table_is_reduced_to_one_scale_or_spread_over_all() -> None:
    text = """\
id: moves
title: Moves within 8"
kind: grid
chapter: movement
source: L1
form: distance
columns: [{id: move, label: Move}]
rows: [{id: foot, label: Foot, cells: [{15mm: 6", 25mm: 9"}]}]
"""
    table = read_table(document_from_text(text, "moves.yaml"), ["15mm", "25mm"])
    scales = [("15mm", "15 mm"), ("25mm", "25 mm")]

    one = Measures("25mm", LengthUnit.CM, LengthUnit.INCH).convert_table(table, scales)
    both = Measures("", LengthUnit.INCH, LengthUnit.INCH).convert_table(table, scales)

    assert one.cell("foot").show() == "23\u202fcm"
    assert [column.label for column in both.columns] == ["15 mm: move", "25 mm: move"]


SCENE = """\
id: reach
title: Reach
kind: diagram
chapter: turn
caption: Up to 5 cm.
drawings:
  - label: Within 45 cm
    alt: A gun, 45 cm from a wood.
    size: [60, 20]
    scene:
      - {kind: measure, from: [5, 5], to: [55, 5], text: 45cm}
      - {kind: measure, from: [5, 15], to: [55, 15], text: {15mm: 10cm, 28mm: 15cm}}
      - {kind: label, at: [30, 10], text: D6 × 10 cm}
      - {kind: arc, at: [30, 18], angle: 45°, reach: 9}
"""


@pytest.mark.parametrize(
    ("measures", "label", "drawn"),
    [
        (
            Measures("", LengthUnit.CM, LengthUnit.CM),
            "Within 45 cm",
            ["45 cm", "10 cm (15 mm), 15 cm (28 mm)", "D6 × 10 cm", "45°"],
        ),
        (
            Measures("28mm", LengthUnit.CM, LengthUnit.CM),
            "Within 45 cm",
            ["45 cm", "15 cm", "D6 × 10 cm", "45°"],
        ),
        (INCHES, "Within 18″", ["18″", "4″ (15 mm), 6″ (28 mm)", "D6 × 4″", "45°"]),
    ],
    ids=["own", "scale", "inches"],
)
def test_lengths_in_a_scene_have_the_scale_and_the_unit(
    measures: Measures, label: str, drawn: list[str]
) -> None:
    table = read_table(document_from_text(SCENE, "reach.yaml"), ["15mm", "28mm"])

    found = measures.convert_table(table, [("15mm", "15 mm"), ("28mm", "28 mm")])

    assert isinstance(found, Diagram)
    (drawing,) = found.drawings
    assert [piece.words.replace("\u202f", " ") for piece in drawing.scene] == drawn
    assert drawing.label == label
    assert label[-3:] in drawing.alt
    assert label[-1] in found.caption


def test_unknown_scale_is_refused() -> None:
    system = open_system(CONTENT / "slaughterloo")

    with pytest.raises(KeyError):
        choose_measures(system, scale="6mm")
