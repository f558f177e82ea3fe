"""Test the numbers in values: exact costs, and quantities that are taken, calculated or rolled."""

from __future__ import annotations

import fractions
from decimal import Decimal
from typing import Final

import pytest

from muster.values import (
    BLANK,
    DASH,
    BadModifier,
    Band,
    Cost,
    Count,
    Dice,
    Distance,
    Fraction,
    InexactCostError,
    LengthUnit,
    Modifier,
    Number,
    Percent,
    Span,
    Target,
    Text,
    Value,
)
from muster.values.quantity import (
    BadQuantity,
    Operation,
    Quantity,
    Rounding,
    calculate,
    number_in,
    quantity_of,
    roll_result,
)


def quantity(number: str | int, unit: str = "") -> Quantity:
    """Return a number, or a length in a unit."""
    return Quantity(fractions.Fraction(number), LengthUnit(unit) if unit else None)


# Costs, counts, modifiers and percentages


@pytest.mark.parametrize(
    ("text", "number", "points"),
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
def test_cost_of_a_quantity_is_exact(text: str, number: str, points: str) -> None:
    assert Cost.parse(text).points_for(Decimal(number)) == Decimal(points)


def test_cost_without_an_exact_sum_says_so() -> None:
    with pytest.raises(InexactCostError, match="10 at 1 per 3cm comes to no exact number"):
        Cost.parse("1 per 3cm").points_for(Decimal(10))


def test_cost_keeps_how_it_was_written() -> None:
    assert Cost.parse("+3 per stand").signed
    assert not Cost.parse("3 per stand").signed
    assert not Cost.parse("-3 per stand").signed
    assert Cost.parse("free").free
    assert not Cost.parse("0").free


def test_cost_per_length_names_its_unit_and_no_thing() -> None:
    cost = Cost.parse("1 per 4cm")

    assert (cost.per, cost.every, cost.unit) == (None, Decimal(4), LengthUnit.CM)


def test_cost_per_thing_names_it_and_no_unit() -> None:
    cost = Cost.parse("30 per gun")

    assert (cost.per, cost.every, cost.unit) == ("gun", Decimal(1), None)


def test_count_is_a_number_or_a_band() -> None:
    assert Count.parse("3 stands").amount == Decimal(3)
    assert Count.parse("3-4 stands").amount == Band(Decimal(3), Decimal(4))


def test_number_has_no_second_sign() -> None:
    with pytest.raises(BadModifier, match="a roll behind a minus sign"):
        Modifier(Decimal(1), minus=True)


def test_signed_number_carries_its_sign() -> None:
    assert Modifier.parse("-1").amount == Decimal(-1)
    assert not Modifier.parse("-1").minus
    assert Modifier.parse("-2d6") == Modifier(Dice(2, 6), minus=True)


def test_signed_length_has_a_unit() -> None:
    assert Modifier.parse('+1"') == Modifier(Decimal(1), unit=LengthUnit.INCH)
    assert Modifier.parse("-(d6+2)cm") == Modifier(
        Dice(1, 6, plus=Decimal(2)), minus=True, unit=LengthUnit.CM
    )
    assert Modifier.parse("+1").unit is None


def test_percentage_is_an_exact_share_of_one() -> None:
    assert Percent.parse("12.5%").fraction == fractions.Fraction(1, 8)


# The number in a value


WITH_A_NUMBER: Final[list[tuple[Value, Quantity]]] = [
    (Distance.parse("15cm"), quantity(15, "cm")),
    (Distance.parse('6"'), quantity(6, "in")),
    (Span.parse("6-6cm"), quantity(6, "cm")),
    (Number.parse("1.5"), quantity("1.5")),
    (Modifier.parse("-2"), quantity(-2)),
    (Modifier.parse("+2cm"), quantity(2, "cm")),
    (Fraction.parse("1/6"), quantity("1/6")),
    (Percent.parse("25%"), quantity(25)),
    (Count.parse("2 dice"), quantity(2)),
    (Cost.parse("3 per stand"), quantity(3)),
    (Target.parse("7+"), quantity(7)),
    (Band.parse("4"), quantity(4)),
    (Text.parse("−2"), quantity(-2)),
]


@pytest.mark.parametrize(
    ("value", "expected"), WITH_A_NUMBER, ids=[str(v) for v, _ in WITH_A_NUMBER]
)
def test_value_holds_one_quantity(value: Value, expected: Quantity) -> None:
    assert quantity_of(value) == expected


@pytest.mark.parametrize(
    "value",
    [
        *(DASH, BLANK, Text.parse("a lot"), Dice.parse("d6"), Distance.parse("d6cm")),
        *(Span.parse("6-9cm"), Band.parse("4-6"), Count.parse("3-4 stands"), Modifier.parse("+d6")),
    ],
    ids=str,
)
def test_value_holds_no_quantity(value: Value) -> None:
    assert number_in(value) is None
    with pytest.raises(BadQuantity, match="not a number"):
        quantity_of(value)


def test_number_in_a_text_counts_as_a_quantity_only() -> None:
    assert number_in(Text.parse("2")) is None
    assert quantity_of(Text.parse("2")) == quantity(2)


def test_number_is_written_down_to_its_end_or_not_at_all() -> None:
    assert quantity("-1/64").as_decimal() == Decimal("-0.015625")
    with pytest.raises(BadQuantity, match="round it"):
        quantity("1/3").as_decimal()


def test_quantity_becomes_the_value_of_a_cell() -> None:
    assert quantity("2.5").as_value() == Number.parse("2.5")
    assert quantity(15, "cm").as_value() == Distance.parse("15cm")
    assert quantity("1/3").amount == Decimal(1) / 3


# Calculations


RESULTS: Final[dict[str, tuple[Operation, list[Quantity], Quantity]]] = {
    "16cm + 3": ("sum", [quantity(16, "cm"), quantity(3)], quantity(19, "cm")),
    "3 + 16cm + 5mm": (
        "sum",
        [quantity(3), quantity(16, "cm"), quantity(5, "mm")],
        quantity("19.5", "cm"),
    ),
    "3in + 2in": ("sum", [quantity(3, "in"), quantity(2, "in")], quantity(5, "in")),
    "2cm - 5mm": ("less", [quantity(2, "cm"), quantity(5, "mm")], quantity("1.5", "cm")),
    "2 - 5mm": ("less", [quantity(2), quantity(5, "mm")], quantity(-3, "mm")),
    "least of 2cm, 30mm, 4": (
        "least",
        [quantity(2, "cm"), quantity(30, "mm"), quantity(4)],
        quantity(2, "cm"),
    ),
    "most of 2cm, 30mm": ("most", [quantity(2, "cm"), quantity(30, "mm")], quantity(3, "cm")),
    "4 x 10cm x 2": (
        "product",
        [quantity(4), quantity(10, "cm"), quantity(2)],
        quantity(80, "cm"),
    ),
    "18 x 1:6": ("product", [quantity(18), quantity("1/6")], quantity(3)),
    "15cm : 5cm": ("quotient", [quantity(15, "cm"), quantity(5, "cm")], quantity(3)),
    "15cm : 30mm": ("quotient", [quantity(15, "cm"), quantity(30, "mm")], quantity(5)),
    "15cm : 2": ("quotient", [quantity(15, "cm"), quantity(2)], quantity("7.5", "cm")),
    "1 : 3": ("quotient", [quantity(1), quantity(3)], quantity("1/3")),
}


@pytest.mark.parametrize(("operation", "operands", "result"), RESULTS.values(), ids=[*RESULTS])
def test_result_has_the_unit_of_its_lengths(
    operation: Operation, operands: list[Quantity], result: Quantity
) -> None:
    assert calculate(operation, operands) == result


@pytest.mark.parametrize(
    ("dividend", "rounding", "result"), [(15, "up", 8), (15, "down", 7), (-15, "down", -8)]
)
def test_rounding_keeps_the_unit(dividend: int, rounding: Rounding, result: int) -> None:
    operands = [quantity(dividend, "cm"), quantity(2)]

    assert calculate("quotient", operands, rounding) == quantity(result, "cm")


BAD: Final[dict[str, tuple[Operation, list[Quantity], str]]] = {
    "centimetres and inches": ("sum", [quantity(1, "cm"), quantity(1, "in")], "mixed-units"),
    "least of two measures": ("least", [quantity(1, "mm"), quantity(1, "in")], "mixed-units"),
    "length by length": ("quotient", [quantity(1, "cm"), quantity(1, "in")], "mixed-units"),
    "number by length": ("quotient", [quantity(1), quantity(1, "cm")], "mixed-units"),
    "length times length": ("product", [quantity(1, "cm"), quantity(1, "cm")], "mixed-units"),
    "by nothing": ("quotient", [quantity(1, "cm"), quantity(0, "cm")], "no-number"),
    "too large": ("product", [quantity(10**9), quantity(10**9)], "no-number"),
    "too fine": ("product", [quantity(f"1/{10**9}"), quantity(f"1/{10**9}")], "no-number"),
}


@pytest.mark.parametrize(("operation", "operands", "code"), BAD.values(), ids=[*BAD])
def test_calculation_without_a_result_is_refused(
    operation: Operation, operands: list[Quantity], code: str
) -> None:
    with pytest.raises(BadQuantity) as caught:
        calculate(operation, operands)

    assert caught.value.code == code


# Rolls


ROLLS: Final[dict[str, tuple[Value, list[int], Quantity]]] = {
    "3 on d6+16cm": (Distance.parse("d6+16cm"), [3], quantity(19, "cm")),
    "4 on d6*10cm": (Distance.parse("d6*10cm"), [4], quantity(40, "cm")),
    "three dice one by one": (Distance.parse('3d6"'), [6, 4, 2], quantity(12, "in")),
    "three dice in total": (Distance.parse('3d6"'), [12], quantity(12, "in")),
    "1 on d4-2": (Dice.parse("d4-2"), [1], quantity(-1)),
    "roll to subtract": (Modifier.parse("-2d6"), [7], quantity(-7)),
    "roll to add": (Modifier.parse("+d6"), [6], quantity(6)),
}


@pytest.mark.parametrize(("value", "dice", "result"), ROLLS.values(), ids=[*ROLLS])
def test_roll_comes_to_what_its_dice_show(value: Value, dice: list[int], result: Quantity) -> None:
    assert roll_result(value, [quantity(die) for die in dice]) == result


IMPOSSIBLE: Final[dict[str, tuple[Value, list[Quantity], str]]] = {
    "total too low": (Dice.parse("2d6"), [quantity(1)], "impossible-roll"),
    "total too high": (Dice.parse("2d6"), [quantity(13)], "impossible-roll"),
    "total not whole": (Dice.parse("2d6"), [quantity("2.5")], "impossible-roll"),
    "one die too high": (Dice.parse("2d6"), [quantity(7), quantity(1)], "impossible-roll"),
    "too many dice": (Dice.parse("2d6"), [quantity(1)] * 3, "impossible-roll"),
    "die too low": (Dice.parse("d6"), [quantity(0)], "impossible-roll"),
    "length for a die": (Dice.parse("d6"), [quantity(3, "cm")], "mixed-units"),
    "fixed length": (Distance.parse("15cm"), [quantity(3)], "no-roll"),
    "text": (Text.parse("maximum"), [quantity(3)], "no-roll"),
    "dash": (DASH, [quantity(3)], "no-roll"),
}


@pytest.mark.parametrize(("value", "dice", "code"), IMPOSSIBLE.values(), ids=[*IMPOSSIBLE])
def test_dice_cannot_show_that(value: Value, dice: list[Quantity], code: str) -> None:
    with pytest.raises(BadQuantity) as caught:
        roll_result(value, dice)

    assert caught.value.code == code
