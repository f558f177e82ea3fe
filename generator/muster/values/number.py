"""Exact numbers without a sign that means "add", and how numbers are written and shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Final, Self

from muster.languages import with_decimal_mark
from muster.values.value import BadValue, trimmed

NUMBER = r"(?![0-9.]{11})(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,8})?"
"""A pattern for a number without a sign. The look-ahead limits it to nine digits and a point."""

ZERO = Decimal(0)
ONE = Decimal(1)
QUARTER_SIGNS: Final[Mapping[Decimal | Fraction, str]] = MappingProxyType(
    {Decimal("0.25"): "¼", Decimal("0.5"): "½", Decimal("0.75"): "¾"}
)
"""The signs of quarters; an exact fraction finds them too, since it equals the decimal."""

_SIGNED = re.compile(rf"-?{NUMBER}")


class BadNumber(BadValue):
    """Raised when a text is not a plain number."""

    form = "a number"
    sample = "3 or 1.5"


@dataclass(frozen=True, slots=True)
class Number:
    """A plain number: `3`, `1.5`, `-2`."""

    amount: Decimal

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the number that a text states: at most nine digits, no leading plus or zero.

        Raises:
            BadNumber: If the text is anything else.
        """
        amount = parse_number(trimmed(text, BadNumber))
        if amount is None:
            raise BadNumber(text)
        return cls(amount)

    def __str__(self) -> str:
        return plain_number(self.amount)

    def show(self) -> str:
        """Return `1½` for 1.5 and `−2` for -2."""
        return pretty_number(self.amount)


def parse_number(text: str) -> Decimal | None:
    """Return the number that the whole text states, or None."""
    return to_decimal(text) if _SIGNED.fullmatch(text) else None


def to_decimal(digits: str) -> Decimal:
    """Return the number of digits that a pattern has matched; `-0` is 0."""
    return Decimal(digits) or ZERO


def plain_number(number: Decimal) -> str:
    """Return a number without exponent and without trailing zeros: `0.5`, `100`, `-2`."""
    if not number:
        return "0"
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def pretty_number(number: Decimal) -> str:
    """Return a number with a true minus sign, and quarters as `¼`, `½` and `¾`."""
    size = number.copy_abs()
    minus = "−" if number < 0 else ""
    whole = int(size)
    mark = QUARTER_SIGNS.get(size - whole)
    if mark is None:
        return minus + with_decimal_mark(plain_number(size))
    return f"{minus}{whole or ''}{mark}"
