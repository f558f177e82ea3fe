"""Test lengths and bands of lengths: their units, and which lengths a band holds."""

from __future__ import annotations

from decimal import Decimal

import pytest

from muster.values import BadDistance, BadSpan, Dice, Distance, LengthUnit, MeasureError, Span


@pytest.mark.parametrize(
    ("text", "unit", "written"),
    [
        ("15cm", LengthUnit.MM, "150mm"),
        ("15mm", LengthUnit.CM, "1.5cm"),
        ("d6*10+5cm", LengthUnit.MM, "d6*100+50mm"),
        ("15cm", LengthUnit.CM, "15cm"),
        ('6"', LengthUnit.INCH, '6"'),
    ],
)
def test_metric_lengths_convert_exactly(text: str, unit: LengthUnit, written: str) -> None:
    assert str(Distance.parse(text).to(unit)) == written


@pytest.mark.parametrize(
    ("text", "unit"), [("15cm", LengthUnit.INCH), ('6"', LengthUnit.CM), ('6"', LengthUnit.MM)]
)
def test_inches_and_metric_lengths_do_not_convert(text: str, unit: LengthUnit) -> None:
    with pytest.raises(MeasureError, match="one system, one measure"):
        Distance.parse(text).to(unit)


@pytest.mark.parametrize(
    ("span", "length", "held"),
    [
        ("16-30cm", "16cm", True),
        ("16-30cm", "300mm", True),
        ("16-30cm", "301mm", False),
        ("15-40mm", "4cm", True),
        ("under 15cm", "15cm", False),
        ("over 30 to 55cm", "30cm", False),
        ("30cm+", "99cm", True),
        ('up to 6"', '6"', True),
    ],
)
def test_a_span_holds_lengths_of_its_measure(span: str, length: str, *, held: bool) -> None:
    assert Span.parse(span).holds(Distance.parse(length)) is held


@pytest.mark.parametrize("length", ['6"', "d6cm"])
def test_a_span_cannot_tell_of_other_measures_or_unrolled_lengths(length: str) -> None:
    with pytest.raises(MeasureError):
        Span.parse("16-30cm").holds(Distance.parse(length))


def test_lengths_are_no_numbers() -> None:
    assert Distance.parse("15cm") != Decimal(15)
    assert Span.parse("15cm") != Distance.parse("15cm")
    assert Distance.parse("15cm") != Span.parse("15cm")


def test_a_rolled_length_keeps_its_dice() -> None:
    assert Distance.parse("d10+30cm").amount == Dice(1, 10, plus=Decimal(30))


def test_faults_within_a_length_are_told_with_all_of_its_text() -> None:
    with pytest.raises(BadDistance, match="read '21d6cm', expected 1 to 20 dice"):
        Distance.parse("21d6cm")
    with pytest.raises(BadSpan, match="read '30-16cm', expected a band with its low end first"):
        Span.parse("30-16cm")


def test_units_are_named_as_systems_name_them() -> None:
    assert [str(unit) for unit in LengthUnit] == ["cm", "mm", "in"]
