"""Exact numbers and lengths: taken from a value, calculated with, or rolled.

The prices of composition files, the derived values of cards and rosters, and the directives in
prose each have a syntax of their own; this module decides for all three what the number in a
cell is, and how numbers with units are added, multiplied and compared.
"""

from __future__ import annotations

import fractions
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from muster.values.band import Band
from muster.values.dice import Dice
from muster.values.distance import Distance, LengthUnit, MeasureError, Span
from muster.values.fraction import Fraction
from muster.values.modifier import Modifier
from muster.values.number import Number, parse_number
from muster.values.target import Target
from muster.values.text import Text
from muster.values.value import Value

Operation = Literal["sum", "less", "product", "quotient", "least", "most"]
"""An operation on operands; `less` and `quotient` take two, the others any number."""

Rounding = Literal["", "down", "up"]
"""To which whole number a result is rounded; down is towards minus infinity."""

_LARGEST = 10**12
"""The largest result, and the largest denominator of one."""

_DECIMAL_PLACES = 6
"""The most decimal places of a number in prose; a result that needs more must be rounded."""


class BadQuantity(ValueError):  # noqa: N818 - like `BadValue`: it is a bad quantity
    """A value that holds no one number, or a calculation that has no result.

    `code` is stable, and `example`, if there is one, is a directive that would be right.
    """

    def __init__(self, code: str, text: str, example: str = "") -> None:
        self.code = code
        self.example = example
        super().__init__(text)


@dataclass(frozen=True, slots=True)
class Quantity:
    """An exact number, or a length of that number in its unit."""

    number: fractions.Fraction
    unit: LengthUnit | None = None

    def as_decimal(self) -> Decimal:
        """Return the number as a decimal with at most six places.

        Raises:
            BadQuantity: If it needs more places, as 1/3 does.
        """
        scaled = self.number * 10**_DECIMAL_PLACES
        if scaled.denominator != 1:
            text = "the result has too many decimal places; round it `down` or `up`"
            raise BadQuantity("endless-number", text, "{quotient: losses figures down}")
        return Decimal(scaled.numerator).scaleb(-_DECIMAL_PLACES).normalize()

    @property
    def amount(self) -> Decimal:
        """The number as a decimal, rounded to 28 digits if it has more, as 1/3 has."""
        return Decimal(self.number.numerator) / Decimal(self.number.denominator)

    def as_value(self) -> Number | Distance:
        """Return the value of a cell that holds this quantity."""
        return Number(self.amount) if self.unit is None else Distance(self.amount, self.unit)


def number_in(value: Value) -> Decimal | fractions.Fraction | None:
    """Return the one number in a value of any form, without its unit; None if there is none.

    A band holds one if both its ends are the same number. A roll holds none, nor does a text.
    """
    match value:
        case Fraction(exact=exact):
            return exact
        case Target(number=number):
            return number
        case Band():
            amount: object = value
        case Span(band=band):
            amount = band
        case _:
            amount = getattr(value, "amount", None)
    if isinstance(amount, Band) and amount.low == amount.high:
        amount = amount.low
    return amount if isinstance(amount, Decimal) else None


def quantity_of(value: Value) -> Quantity:
    """Return the one number in a value, with its unit if it is a length.

    A text that is nothing but a number counts too.

    Raises:
        BadQuantity: If there is none, or more than one.
    """
    number = number_in(value)
    if isinstance(value, Text):
        number = parse_number(str(value).replace("−", "-"))
    if number is None:
        raise BadQuantity("no-number", f"{value.show()!r} is not a number to calculate with")
    unit = value.unit if isinstance(value, Distance | Span | Modifier) else None
    return Quantity(fractions.Fraction(number), unit)


def calculate(
    operation: Operation, operands: Sequence[Quantity], rounding: Rounding = ""
) -> Quantity:
    """Apply an operation to its operands, and round the result.

    A number among lengths counts in the unit of the first of them; so does a length in another
    unit, if one can be converted to the other. A length divided by a length is a number.

    Raises:
        BadQuantity: If the units do not go together, the divisor is 0, or the result is larger
            or finer than any rule needs.
    """
    if operation == "quotient" and operands[1].unit and not operands[0].unit:
        raise BadQuantity("mixed-units", "a number cannot be divided by a length")
    if operation == "product":
        units = [operand.unit for operand in operands if operand.unit]
        if len(units) > 1:
            raise BadQuantity("mixed-units", "a length cannot be multiplied by a length")
        unit, numbers = units[0] if units else None, [operand.number for operand in operands]
    else:
        unit, numbers = _in_one_unit(operands)
    if operation == "quotient":
        if not numbers[1]:
            raise BadQuantity("no-number", "nothing can be divided by 0")
        unit = None if operands[1].unit else unit
    number = _OPERATIONS[operation](numbers)
    if rounding:
        number = fractions.Fraction(math.floor(number) if rounding == "down" else math.ceil(number))
    if abs(number) > _LARGEST or number.denominator > _LARGEST:
        raise BadQuantity(
            "no-number", "the result is too large, or a fraction with too large a denominator"
        )
    return Quantity(number, unit)


_OPERATIONS: dict[Operation, Callable[[Sequence[fractions.Fraction]], fractions.Fraction]] = {
    "sum": lambda numbers: sum(numbers, fractions.Fraction(0)),
    "less": lambda numbers: numbers[0] - numbers[1],
    "product": lambda numbers: math.prod(numbers, start=fractions.Fraction(1)),
    "quotient": lambda numbers: numbers[0] / numbers[1],
    "least": min,
    "most": max,
}


def _in_one_unit(
    operands: Sequence[Quantity],
) -> tuple[LengthUnit | None, list[fractions.Fraction]]:
    """Return the unit of the first length, and the number of each operand in that unit."""
    unit = next((operand.unit for operand in operands if operand.unit), None)
    return unit, [_number_in_unit(operand, unit) for operand in operands]


def _number_in_unit(operand: Quantity, unit: LengthUnit | None) -> fractions.Fraction:
    if operand.unit is None or unit is None:
        return operand.number
    try:
        one = Distance(Decimal(1), operand.unit).to(unit).amount
    except MeasureError:
        text = f"{_UNIT_NAMES[unit]} and {_UNIT_NAMES[operand.unit]} cannot be combined"
        raise BadQuantity("mixed-units", text) from None
    assert isinstance(one, Decimal)  # noqa: S101 - only the amount of a rolled length is none
    return operand.number * fractions.Fraction(one)


_UNIT_NAMES = {
    LengthUnit.CM: "centimetres",
    LengthUnit.MM: "millimetres",
    LengthUnit.INCH: "inches",
}


def roll_result(value: Value, dice: Sequence[Quantity]) -> Quantity:
    """Return the result of a roll or of a rolled length.

    Args:
        value: The roll.
        dice: What the dice show: their total, or one number for each die.

    Raises:
        BadQuantity: If the value is not a roll, or its dice cannot show that.
    """
    roll = getattr(value, "amount", value)
    if not isinstance(roll, Dice):
        raise BadQuantity("no-roll", f"{value.show()!r} is not a roll")
    if any(die.unit for die in dice):
        raise BadQuantity("mixed-units", "dice show a number, not a length")
    numbers = [die.number for die in dice]
    if len(numbers) == 1:
        lowest, highest = roll.count, roll.count * roll.sides
    elif len(numbers) == roll.count:
        lowest, highest = 1, roll.sides
    else:
        text = f"read {len(numbers)} dice, expected {roll.count} for {value.show()!r}"
        raise BadQuantity("impossible-roll", f"{text}, or their total")
    for number in numbers:
        if number.denominator != 1 or not lowest <= number <= highest:
            dice_text = Dice(roll.count if len(numbers) == 1 else 1, roll.sides).show()
            text = f"read {float(number):g}, expected a result of {dice_text}"
            raise BadQuantity("impossible-roll", f"{text}: {lowest} to {highest}")
    total = sum(numbers) * fractions.Fraction(roll.times) + fractions.Fraction(roll.plus)
    minus = isinstance(value, Modifier) and value.minus
    unit = value.unit if isinstance(value, Distance | Modifier) else None
    return Quantity(fractions.Fraction(-total if minus else total), unit)
