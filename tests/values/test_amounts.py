"""Test costs, counts, modifiers and percentages beyond the texts in `test_forms`."""

from __future__ import annotations

import fractions
from decimal import Decimal

import pytest

from muster.values import (
    BadModifier,
    Band,
    Cost,
    Count,
    Dice,
    InexactCostError,
    LengthUnit,
    Modifier,
    Percent,
)


@pytest.mark.parametrize(
    ("text", "quantity", "points"),
    [
        ("3.75 per stand", "4", "15"),
        ("-0.25 per stand", "3", "-0.75"),
        ("1 per 4cm", "10", "2.5"),
        ("1 per 3 stands", "6", "2"),
        ("25", "1", "25"),
        ("free", "7", "0"),
        ("0.00000001 per gun", "99999999.9", "0.999999999"),
    ],
)
def test_a_cost_times_a_quantity_is_exact(text: str, quantity: str, points: str) -> None:
    assert Cost.parse(text).points_for(Decimal(quantity)) == Decimal(points)


def test_a_cost_without_an_exact_sum_says_so() -> None:
    with pytest.raises(InexactCostError, match="10 at 1 per 3cm comes to no exact number"):
        Cost.parse("1 per 3cm").points_for(Decimal(10))


def test_a_cost_keeps_how_it_was_written() -> None:
    assert Cost.parse("+3 per stand").signed
    assert not Cost.parse("3 per stand").signed
    assert not Cost.parse("-3 per stand").signed
    assert Cost.parse("free").free
    assert not Cost.parse("0").free


def test_a_cost_per_length_names_its_unit_and_no_thing() -> None:
    cost = Cost.parse("1 per 4cm")

    assert (cost.per, cost.every, cost.unit) == (None, Decimal(4), LengthUnit.CM)


def test_a_cost_per_thing_names_it_and_no_unit() -> None:
    cost = Cost.parse("30 per gun")

    assert (cost.per, cost.every, cost.unit) == ("gun", Decimal(1), None)


def test_a_count_is_a_number_or_a_band() -> None:
    assert Count.parse("3 stands").amount == Decimal(3)
    assert Count.parse("3-4 stands").amount == Band(Decimal(3), Decimal(4))


def test_a_number_has_no_second_sign() -> None:
    with pytest.raises(BadModifier, match="a roll behind a minus sign"):
        Modifier(Decimal(1), minus=True)


def test_a_signed_number_carries_its_sign() -> None:
    assert Modifier.parse("-1").amount == Decimal(-1)
    assert not Modifier.parse("-1").minus
    assert Modifier.parse("-2d6") == Modifier(Dice(2, 6), minus=True)


def test_a_signed_length_has_a_unit() -> None:
    assert Modifier.parse('+1"') == Modifier(Decimal(1), unit=LengthUnit.INCH)
    assert Modifier.parse("-(d6+2)cm") == Modifier(
        Dice(1, 6, plus=Decimal(2)), minus=True, unit=LengthUnit.CM
    )
    assert Modifier.parse("+1").unit is None


def test_a_percentage_is_an_exact_share_of_one() -> None:
    assert Percent.parse("12.5%").fraction == fractions.Fraction(1, 8)
