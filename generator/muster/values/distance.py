"""Lengths on the table: fixed, rolled, and in bands (form `range`)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Self

from muster.values.band import BadBand, Band
from muster.values.dice import BadDice, Dice
from muster.values.number import parse_number, plain_number, pretty_number
from muster.values.value import BadValue, trimmed

NARROW_SPACE = "\u202f"
"""The narrow space before a unit; no line breaks at it."""


class LengthUnit(StrEnum):
    """A unit of length. Its text is the id that `system.yaml` uses."""

    CM = "cm"
    MM = "mm"
    INCH = "in"

    @property
    def sign(self) -> str:
        """The sign after a number in a cell: `cm`, `mm`, `"`."""
        return _WRITTEN[self]

    @property
    def shown_sign(self) -> str:
        """The sign after a number on a page, with the space before it, if any."""
        return _SHOWN[self]


_WRITTEN = {LengthUnit.CM: "cm", LengthUnit.MM: "mm", LengthUnit.INCH: '"'}
_SHOWN = {
    LengthUnit.CM: f"{NARROW_SPACE}cm",
    LengthUnit.MM: f"{NARROW_SPACE}mm",
    LengthUnit.INCH: "″",
}
_METRIC = {LengthUnit.CM: 10, LengthUnit.MM: 1}


class BadDistance(BadValue):
    """Raised when a text is not a length."""

    form = "a length"
    sample = '15cm, 6" or d10+30cm'


class BadSpan(BadValue):
    """Raised when a text is not a band of lengths."""

    form = "a band of lengths"
    sample = "16-30cm, up to 15cm or over 30 to 55cm"


class MeasureError(ValueError):
    """Raised when two lengths cannot be compared: inches with metric, or one not yet rolled."""


@dataclass(frozen=True, slots=True, eq=False)
class Distance:
    """A length: `15cm`, `6"`, `d10+30cm`. `1.5cm` equals `15mm`; inches equal inches only."""

    amount: Decimal | Dice
    unit: LengthUnit

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the length that a text states; its unit follows without a space.

        Raises:
            BadDistance: If the text is anything else.
        """
        length, unit = split_unit(trimmed(text, BadDistance))
        if unit is None:
            raise BadDistance(text)
        number = parse_number(length)
        if number is not None:
            if number < 0:
                raise BadDistance(text, "a length of 0 or more,")
            return cls(number, unit)
        try:
            dice = Dice.from_text(length)
        except BadDice as bad:
            raise BadDistance(text, bad.expected) from None
        if dice is None:
            raise BadDistance(text)
        return cls(dice, unit)

    def to(self, unit: LengthUnit) -> Distance:
        """Return the same length in another unit, exactly.

        Raises:
            MeasureError: If one unit is metric and the other is not.
        """
        if unit == self.unit:
            return self
        if unit not in _METRIC or self.unit not in _METRIC:
            raise MeasureError(f"{self} cannot be measured in {unit}: one system, one measure")
        shift = 1 if unit == LengthUnit.MM else -1
        return Distance(_scale_by_power_of_ten(self.amount, shift), unit)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distance):
            return NotImplemented
        return self._meaning() == other._meaning()

    def __hash__(self) -> int:
        return hash(self._meaning())

    def _meaning(self) -> tuple[Decimal | Dice, LengthUnit]:
        if self.unit == LengthUnit.CM:
            return _scale_by_power_of_ten(self.amount, 1), LengthUnit.MM
        return self.amount, self.unit

    def __str__(self) -> str:
        amount = self.amount
        return f"{amount if isinstance(amount, Dice) else plain_number(amount)}{self.unit.sign}"

    def show(self) -> str:
        """Return `15 cm` with a thin space, `6″`, `D10 + 30 cm`."""
        amount = self.amount
        number = amount.show() if isinstance(amount, Dice) else pretty_number(amount)
        return f"{number}{self.unit.shown_sign}"


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """A band of lengths: `16-30cm`, `up to 15cm`, `30cm+`. `1-2cm` equals `10-20mm`."""

    band: Band
    unit: LengthUnit

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the band of lengths that a text states; its unit stands at the end.

        Raises:
            BadSpan: If the text is anything else, or a band that holds no length.
        """
        written = trimmed(text, BadSpan)
        lengths, unit = split_unit(written.removesuffix("+"))
        if unit is None:
            raise BadSpan(text)
        plus = "+" if written.endswith("+") else ""
        try:
            band = Band.from_text(lengths + plus)
        except BadBand as bad:
            raise BadSpan(text, bad.expected) from None
        if band is None:
            raise BadSpan(text)
        low, high = band.low, band.high
        below = high is not None and (high < 0 or (high == 0 and band.high_open))
        if below or (low is not None and low < 0):
            raise BadSpan(text, "a band of lengths of 0 or more,")
        return cls(band, unit)

    def holds(self, distance: Distance) -> bool:
        """Return whether a length is in the band; centimetres and millimetres compare.

        Raises:
            MeasureError: If the length is in another measure, or has not been rolled yet.
        """
        amount = distance.to(self.unit).amount
        if isinstance(amount, Dice):
            raise MeasureError(f"{distance} has no length before it is rolled")
        return self.band.holds(amount)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Span):
            return NotImplemented
        return self._meaning() == other._meaning()

    def __hash__(self) -> int:
        return hash(self._meaning())

    def _meaning(self) -> tuple[Band, LengthUnit]:
        if self.unit != LengthUnit.CM:
            return self.band, self.unit
        low, high, *opens = self.band.low, self.band.high, self.band.low_open, self.band.high_open
        low = None if low is None else low.scaleb(1)
        high = None if high is None else high.scaleb(1)
        return Band(low, high, *opens), LengthUnit.MM

    def __str__(self) -> str:
        written = str(self.band)
        if written.endswith("+"):
            return f"{written[:-1]}{self.unit.sign}+"
        return written + self.unit.sign

    def show(self) -> str:
        """Return `16–30 cm` with a thin space, `up to 15 cm`, `30 cm+`, `6–9″`."""
        shown = self.band.show()
        if shown.endswith("+"):
            return f"{shown[:-1]}{self.unit.shown_sign}+"
        return shown + self.unit.shown_sign


def unit_from_sign(written: str) -> LengthUnit | None:
    """Return the unit that a sign stands for, or None."""
    for unit, sign in _WRITTEN.items():
        if sign == written:
            return unit
    return None


def split_unit(text: str) -> tuple[str, LengthUnit | None]:
    """Split a text into amount and unit; None where no known unit ends the text."""
    for unit, sign in _WRITTEN.items():
        if text.endswith(sign):
            return text.removesuffix(sign), unit
    return text, None


def _scale_by_power_of_ten(amount: Decimal | Dice, places: int) -> Decimal | Dice:
    """Return an amount times ten to the power of `places`, without rounding."""
    if isinstance(amount, Dice):
        times, plus = amount.times.scaleb(places), amount.plus.scaleb(places)
        return Dice(amount.count, amount.sides, times, plus)
    return amount.scaleb(places)
