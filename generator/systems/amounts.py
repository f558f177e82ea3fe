"""Owns the amounts that prose reckons with: exact numbers, their unit of length, what they come to.

Does not know prose or tables: `reckoning` says which amounts, and of which cell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from operator import mul
from typing import Literal

from generator.values import (
    Band,
    Dice,
    Distance,
    MeasureError,
    Modifier,
    Number,
    Span,
    Target,
    Text,
    Unit,
    Value,
)
from generator.values import Fraction as Share

Way = Literal["sum", "less", "product", "quotient", "least", "most"]
Rounding = Literal["", "down", "up"]

_LARGEST = 10**12
_PLACES = 6
"""The decimal places that an example may come to; a share without end must be rounded."""


class BadAmount(ValueError):  # noqa: N818 - as `BadValue`: it is a bad amount
    """Say why something cannot be reckoned: a stable code, words, and what would do."""

    def __init__(self, code: str, text: str, example: str = "") -> None:
        self.code = code
        self.example = example
        super().__init__(text)


@dataclass(frozen=True, slots=True)
class Amount:
    """An exact number, or a length of that number in its unit."""

    number: Fraction
    unit: Unit | None = None

    def decimal(self) -> Decimal:
        """Give the number as it can be written down.

        Raises:
            BadAmount: If it has no end.
        """
        scaled = self.number * 10**_PLACES
        if scaled.denominator != 1:
            text = "the result has no end; round it `down` or `up`"
            raise BadAmount("endless-number", text, "{quotient: losses figures down}")
        return Decimal(scaled.numerator).scaleb(-_PLACES).normalize()


def reckoned(way: Way, parts: Sequence[Amount], rounding: Rounding = "") -> Amount:
    """Work out a sum or its like.

    A number among lengths counts in their unit; a length by a length is a number.

    Raises:
        BadAmount: If the units do not fit, or the result is no number that an example needs.
    """
    unit = None
    if way == "quotient" and parts[1].unit and not parts[0].unit:
        raise BadAmount("mixed-units", "a number cannot be divided by a length")
    if way == "product":
        units = [part.unit for part in parts if part.unit]
        if len(units) > 1:
            raise BadAmount("mixed-units", "a length cannot be multiplied by a length")
        unit, numbers = units[0] if units else None, [part.number for part in parts]
    else:
        unit, numbers = _alike(parts)
    if way == "quotient":
        if not numbers[1]:
            raise BadAmount("no-number", "nothing can be divided by 0")
        unit = None if parts[1].unit else unit
    number = _WAYS[way](numbers)
    if rounding:
        number = Fraction(math.floor(number) if rounding == "down" else math.ceil(number))
    if abs(number) > _LARGEST or number.denominator > _LARGEST:
        raise BadAmount("no-number", "the result is larger or finer than any example needs")
    return Amount(number, unit)


_WAYS: dict[Way, Callable[[Sequence[Fraction]], Fraction]] = {
    "sum": lambda numbers: sum(numbers, Fraction(0)),
    "less": lambda numbers: numbers[0] - numbers[1],
    "product": lambda numbers: reduce(mul, numbers),
    "quotient": lambda numbers: numbers[0] / numbers[1],
    "least": min,
    "most": max,
}


def _alike(parts: Sequence[Amount]) -> tuple[Unit | None, list[Fraction]]:
    """Give the unit of the first length, and all parts measured in it."""
    unit = next((part.unit for part in parts if part.unit), None)
    return unit, [_measured(part, unit) for part in parts]


def _measured(part: Amount, unit: Unit | None) -> Fraction:
    if part.unit is None or unit is None:
        return part.number
    try:
        one = Distance(Decimal(1), part.unit).to(unit).amount
    except MeasureError:
        text = f"{_named(unit)} and {_named(part.unit)} cannot be reckoned together"
        raise BadAmount("mixed-units", text) from None
    assert isinstance(one, Decimal)  # noqa: S101 - only a roll would be none
    return part.number * Fraction(one)


def _named(unit: Unit) -> str:
    return {Unit.CM: "centimetres", Unit.MM: "millimetres", Unit.INCH: "inches"}[unit]


def amount_in(value: Value) -> Amount:
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
            return Amount(exact)
        case Span(band=band):
            found = band
        case _:
            found = getattr(value, "amount", value)
    if isinstance(found, Band) and found.low == found.high:
        found = found.low
    if not isinstance(found, Decimal):
        raise BadAmount("no-number", f"{value.show()!r} is no number to reckon with")
    return Amount(Fraction(found), unit)


def thrown(value: Value, dice: Sequence[Amount]) -> Amount:
    """Work out a roll or a rolled length.

    Args:
        value: The roll.
        dice: What the dice show: their total, or one number a die.

    Raises:
        BadAmount: If the value is no roll, or its dice cannot show that.
    """
    roll = getattr(value, "amount", value)
    if not isinstance(roll, Dice):
        raise BadAmount("no-roll", f"{value.show()!r} is no roll to work out")
    if any(die.unit for die in dice):
        raise BadAmount("mixed-units", "dice show a number, not a length")
    numbers = [die.number for die in dice]
    if len(numbers) == 1:
        few, many = roll.count, roll.count * roll.sides
    elif len(numbers) == roll.count:
        few, many = 1, roll.sides
    else:
        text = f"read {len(numbers)} dice, expected the {roll.count} of {value.show()!r}"
        raise BadAmount("impossible-roll", f"{text}, or their total")
    for number in numbers:
        if number.denominator != 1 or not few <= number <= many:
            of = Dice(roll.count if len(numbers) == 1 else 1, roll.sides).show()
            text = f"read {float(number):g}, expected what {of} can show: {few} to {many}"
            raise BadAmount("impossible-roll", text)
    total = sum(numbers) * Fraction(roll.times) + Fraction(roll.plus)
    minus = isinstance(value, Modifier) and value.minus
    unit = value.unit if isinstance(value, Distance | Modifier) else None
    return Amount(Fraction(-total if minus else total), unit)
