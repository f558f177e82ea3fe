"""Owns the facts about amounts: which lengths and numbers go together, and what a roll comes to.

Does not test how they are written in prose (`test_prose`) or printed (`tests/documents`).
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Final

import pytest

from muster.values import (
    BLANK,
    DASH,
    Band,
    Cost,
    Count,
    Dice,
    Distance,
    LengthUnit,
    Modifier,
    Number,
    Percent,
    Span,
    Target,
    Text,
    Value,
)
from muster.values import Fraction as Share
from muster.values.quantity import (
    BadQuantity,
    Operation,
    Quantity,
    calculate,
    quantity_of,
    roll_result,
)


def many(number: str | int, unit: str = "") -> Quantity:
    """Give a number, or a length of a unit."""
    return Quantity(Fraction(number), LengthUnit(unit) if unit else None)


WORKED_OUT: Final[list[tuple[Operation, list[Quantity], Quantity]]] = [
    ("sum", [many(16, "cm"), many(3)], many(19, "cm")),
    ("sum", [many(3), many(16, "cm"), many(5, "mm")], many("19.5", "cm")),
    ("sum", [many(3, "in"), many(2, "in")], many(5, "in")),
    ("less", [many(2, "cm"), many(5, "mm")], many("1.5", "cm")),
    ("less", [many(2), many(5, "mm")], many(-3, "mm")),
    ("least", [many(2, "cm"), many(30, "mm"), many(4)], many(2, "cm")),
    ("most", [many(2, "cm"), many(30, "mm")], many(3, "cm")),
    ("product", [many(4), many(10, "cm"), many(2)], many(80, "cm")),
    ("product", [many(18), many("1/6")], many(3)),
    ("quotient", [many(15, "cm"), many(5, "cm")], many(3)),
    ("quotient", [many(15, "cm"), many(30, "mm")], many(5)),
    ("quotient", [many(15, "cm"), many(2)], many("7.5", "cm")),
    ("quotient", [many(1), many(3)], many("1/3")),
]


@pytest.mark.parametrize(("way", "parts", "result"), WORKED_OUT)
def test_result_has_the_unit_of_its_lengths(
    way: Operation, parts: list[Quantity], result: Quantity
) -> None:
    assert calculate(way, parts) == result


def test_rounding_keeps_the_unit() -> None:
    assert calculate("quotient", [many(15, "cm"), many(2)], "up") == many(8, "cm")
    assert calculate("quotient", [many(-15, "cm"), many(2)], "down") == many(-8, "cm")


BAD: Final[dict[str, tuple[Operation, list[Quantity], str]]] = {
    "centimetres and inches": ("sum", [many(1, "cm"), many(1, "in")], "mixed-units"),
    "least of two measures": ("least", [many(1, "mm"), many(1, "in")], "mixed-units"),
    "length by length": ("quotient", [many(1, "cm"), many(1, "in")], "mixed-units"),
    "number by length": ("quotient", [many(1), many(1, "cm")], "mixed-units"),
    "length times length": ("product", [many(1, "cm"), many(1, "cm")], "mixed-units"),
    "by nothing": ("quotient", [many(1, "cm"), many(0, "cm")], "no-number"),
    "too large": ("product", [many(10**9), many(10**9)], "no-number"),
    "too fine": ("product", [many(f"1/{10**9}"), many(f"1/{10**9}")], "no-number"),
}


@pytest.mark.parametrize(("way", "parts", "code"), BAD.values(), ids=[*BAD])
def test_what_does_not_go_together_is_a_fault(
    way: Operation, parts: list[Quantity], code: str
) -> None:
    with pytest.raises(BadQuantity) as caught:
        calculate(way, parts)

    assert caught.value.code == code


def test_number_is_written_down_to_its_end_or_not_at_all() -> None:
    assert many("-1/64").as_decimal() == Decimal("-0.015625")
    with pytest.raises(BadQuantity, match="round it"):
        many("1/3").as_decimal()


HOLD_ONE: Final[list[tuple[Value, Quantity]]] = [
    (Distance.parse("15cm"), many(15, "cm")),
    (Distance.parse('6"'), many(6, "in")),
    (Span.parse("6-6cm"), many(6, "cm")),
    (Number.parse("1.5"), many("1.5")),
    (Modifier.parse("-2"), many(-2)),
    (Share.parse("1/6"), many("1/6")),
    (Percent.parse("25%"), many(25)),
    (Count.parse("2 dice"), many(2)),
    (Cost.parse("3 per stand"), many(3)),
    (Target.parse("7+"), many(7)),
    (Band.parse("4"), many(4)),
    (Text.parse("−2"), many(-2)),
]


@pytest.mark.parametrize(("value", "amount"), HOLD_ONE, ids=str)
def test_value_holds_one_amount(value: Value, amount: Quantity) -> None:
    assert quantity_of(value) == amount


@pytest.mark.parametrize(
    "value",
    [
        *(DASH, BLANK, Text.parse("a lot"), Dice.parse("d6"), Distance.parse("d6cm")),
        *(Span.parse("6-9cm"), Band.parse("4-6"), Count.parse("3-4 stands"), Modifier.parse("+d6")),
    ],
    ids=str,
)
def test_value_holds_no_amount(value: Value) -> None:
    with pytest.raises(BadQuantity, match="no number"):
        quantity_of(value)


@pytest.mark.parametrize(
    ("value", "dice", "result"),
    [
        (Distance.parse("d6+16cm"), [3], many(19, "cm")),
        (Distance.parse("d6*10cm"), [4], many(40, "cm")),
        (Distance.parse('3d6"'), [6, 4, 2], many(12, "in")),
        (Distance.parse('3d6"'), [12], many(12, "in")),
        (Dice.parse("d4-2"), [1], many(-1)),
        (Modifier.parse("-2d6"), [7], many(-7)),
        (Modifier.parse("+d6"), [6], many(6)),
    ],
)
def test_roll_comes_to_what_its_dice_show(value: Value, dice: list[int], result: Quantity) -> None:
    assert roll_result(value, [many(die) for die in dice]) == result


IMPOSSIBLE: Final[list[tuple[Value, list[Quantity], str]]] = [
    (Dice.parse("2d6"), [many(1)], "impossible-roll"),
    (Dice.parse("2d6"), [many(13)], "impossible-roll"),
    (Dice.parse("2d6"), [many("2.5")], "impossible-roll"),
    (Dice.parse("2d6"), [many(7), many(1)], "impossible-roll"),
    (Dice.parse("2d6"), [many(1), many(1), many(1)], "impossible-roll"),
    (Dice.parse("d6"), [many(0)], "impossible-roll"),
    (Dice.parse("d6"), [many(3, "cm")], "mixed-units"),
    (Distance.parse("15cm"), [many(3)], "no-roll"),
    (Text.parse("maximum"), [many(3)], "no-roll"),
    (DASH, [many(3)], "no-roll"),
]


@pytest.mark.parametrize(("value", "dice", "code"), IMPOSSIBLE)
def test_dice_cannot_show_that(value: Value, dice: list[Quantity], code: str) -> None:
    with pytest.raises(BadQuantity) as caught:
        roll_result(value, dice)

    assert caught.value.code == code
