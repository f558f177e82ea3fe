"""Exact numbers and lengths: taken from a value, calculated with, or rolled."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from operator import mul
from typing import Literal

from muster.values.band import Band
from muster.values.dice import Dice
from muster.values.distance import Distance, LengthUnit, MeasureError, Span
from muster.values.fraction import Fraction as Share
from muster.values.modifier import Modifier
from muster.values.number import Number
from muster.values.target import Target
from muster.values.text import Text
from muster.values.value import Value

Operation = Literal["sum", "less", "product", "quotient", "least", "most"]
Rounding = Literal["", "down", "up"]

_LARGEST = 10**12
_DECIMAL_PLACES = 6
"""The decimal places that an example may come to; a share without end must be rounded."""


class BadQuantity(ValueError):  # noqa: N818 - as `BadValue`: it is a bad amount
    """Say why something cannot be reckoned: a stable code, words, and what would do."""

    def __init__(self, code: str, text: str, example: str = "") -> None:
        self.code = code
        self.example = example
        super().__init__(text)


@dataclass(frozen=True, slots=True)
class Quantity:
    """An exact number, or a length of that number in its unit."""

    number: Fraction
    unit: LengthUnit | None = None

    def as_decimal(self) -> Decimal:
        """Give the number as it can be written down.

        Raises:
            BadAmount: If it has no end.
        """
        scaled = self.number * 10**_DECIMAL_PLACES
        if scaled.denominator != 1:
            text = "the result has no end; round it `down` or `up`"
            raise BadQuantity("endless-number", text, "{quotient: losses figures down}")
        return Decimal(scaled.numerator).scaleb(-_DECIMAL_PLACES).normalize()


def calculate(way: Operation, parts: Sequence[Quantity], rounding: Rounding = "") -> Quantity:
    """Work out a sum or its like.

    A number among lengths counts in their unit; a length by a length is a number.

    Raises:
        BadAmount: If the units do not fit, or the result is no number that an example needs.
    """
    unit = None
    if way == "quotient" and parts[1].unit and not parts[0].unit:
        raise BadQuantity("mixed-units", "a number cannot be divided by a length")
    if way == "product":
        units = [part.unit for part in parts if part.unit]
        if len(units) > 1:
            raise BadQuantity("mixed-units", "a length cannot be multiplied by a length")
        unit, numbers = units[0] if units else None, [part.number for part in parts]
    else:
        unit, numbers = _in_one_unit(parts)
    if way == "quotient":
        if not numbers[1]:
            raise BadQuantity("no-number", "nothing can be divided by 0")
        unit = None if parts[1].unit else unit
    number = _OPERATIONS[way](numbers)
    if rounding:
        number = Fraction(math.floor(number) if rounding == "down" else math.ceil(number))
    if abs(number) > _LARGEST or number.denominator > _LARGEST:
        raise BadQuantity("no-number", "the result is larger or finer than any example needs")
    return Quantity(number, unit)


_OPERATIONS: dict[Operation, Callable[[Sequence[Fraction]], Fraction]] = {
    "sum": lambda numbers: sum(numbers, Fraction(0)),
    "less": lambda numbers: numbers[0] - numbers[1],
    "product": lambda numbers: reduce(mul, numbers),
    "quotient": lambda numbers: numbers[0] / numbers[1],
    "least": min,
    "most": max,
}


def _in_one_unit(parts: Sequence[Quantity]) -> tuple[LengthUnit | None, list[Fraction]]:
    """Give the unit of the first length, and all parts measured in it."""
    unit = next((part.unit for part in parts if part.unit), None)
    return unit, [_number_in_unit(part, unit) for part in parts]


def _number_in_unit(part: Quantity, unit: LengthUnit | None) -> Fraction:
    if part.unit is None or unit is None:
        return part.number
    try:
        one = Distance(Decimal(1), part.unit).to(unit).amount
    except MeasureError:
        text = f"{_unit_name(unit)} and {_unit_name(part.unit)} cannot be reckoned together"
        raise BadQuantity("mixed-units", text) from None
    assert isinstance(one, Decimal)  # noqa: S101 - only a roll would be none
    return part.number * Fraction(one)


def _unit_name(unit: LengthUnit) -> str:
    return {LengthUnit.CM: "centimetres", LengthUnit.MM: "millimetres", LengthUnit.INCH: "inches"}[
        unit
    ]


def quantity_of(value: Value) -> Quantity:
    """Give the one number in a value: a number, length, modifier, count, share, cost or target.

    Raises:
        BadAmount: If there is none, or more than one.
    """
    unit = value.unit if isinstance(value, Distance | Span | Modifier) else None
    found: object = value
    match value:
        case Text():
            try:
                found = Number.parse(str(value).replace("−", "-")).amount
            except ValueError:
                found = None
        case Target(number=number):
            found = number
        case Share(exact=exact):
            return Quantity(exact)
        case Span(band=band):
            found = band
        case _:
            found = getattr(value, "amount", value)
    if isinstance(found, Band) and found.low == found.high:
        found = found.low
    if not isinstance(found, Decimal):
        raise BadQuantity("no-number", f"{value.show()!r} is no number to reckon with")
    return Quantity(Fraction(found), unit)


def roll_result(value: Value, dice: Sequence[Quantity]) -> Quantity:
    """Work out a roll or a rolled length.

    Args:
        value: The roll.
        dice: What the dice show: their total, or one number a die.

    Raises:
        BadAmount: If the value is no roll, or its dice cannot show that.
    """
    roll = getattr(value, "amount", value)
    if not isinstance(roll, Dice):
        raise BadQuantity("no-roll", f"{value.show()!r} is no roll to work out")
    if any(die.unit for die in dice):
        raise BadQuantity("mixed-units", "dice show a number, not a length")
    numbers = [die.number for die in dice]
    if len(numbers) == 1:
        few, many = roll.count, roll.count * roll.sides
    elif len(numbers) == roll.count:
        few, many = 1, roll.sides
    else:
        text = f"read {len(numbers)} dice, expected the {roll.count} of {value.show()!r}"
        raise BadQuantity("impossible-roll", f"{text}, or their total")
    for number in numbers:
        if number.denominator != 1 or not few <= number <= many:
            of = Dice(roll.count if len(numbers) == 1 else 1, roll.sides).show()
            text = f"read {float(number):g}, expected what {of} can show: {few} to {many}"
            raise BadQuantity("impossible-roll", text)
    total = sum(numbers) * Fraction(roll.times) + Fraction(roll.plus)
    minus = isinstance(value, Modifier) and value.minus
    unit = value.unit if isinstance(value, Distance | Modifier) else None
    return Quantity(Fraction(-total if minus else total), unit)
