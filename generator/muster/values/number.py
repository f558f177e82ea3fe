"""Exact numbers without a sign that means "add", and how numbers are written and shown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Self

from muster.values.value import BadValue, trimmed

DIGITS = 9
"""The most digits a number may be written with, on both sides of its point together."""

NUMBER = r"(?![0-9.]{11})(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,8})?"
"""A pattern for a number without a sign. The look-ahead holds it to nine digits and a point."""

ZERO = Decimal(0)
ONE = Decimal(1)

_SIGNED = re.compile(rf"-?{NUMBER}")
_MARKS = {Decimal("0.25"): "¼", Decimal("0.5"): "½", Decimal("0.75"): "¾"}


class BadNumber(BadValue):
    """Say that a text is no plain number."""

    form = "a number"
    sample = "3 or 1.5"


@dataclass(frozen=True, slots=True)
class Number:
    """A plain number: `3`, `1.5`, `-2`."""

    amount: Decimal

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a number of at most nine digits; a leading plus or zero is refused.

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
        """Give `1½` for 1.5 and `−2` for -2."""
        return pretty_number(self.amount)


def parse_number(text: str) -> Decimal | None:
    """Give the number that the whole text is, or None."""
    return to_decimal(text) if _SIGNED.fullmatch(text) else None


def to_decimal(digits: str) -> Decimal:
    """Give the number that a pattern has found; there is one zero only, and it has no sign."""
    return Decimal(digits) or ZERO


def plain_number(number: Decimal) -> str:
    """Write a number without exponent and without idle zeros: `0.5`, `100`, `-2`."""
    if not number:
        return "0"
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def pretty_number(number: Decimal) -> str:
    """Show a number with a true minus sign, and quarters as `¼`, `½` and `¾`."""
    size = number.copy_abs()
    minus = "−" if number < 0 else ""
    whole = int(size)
    mark = _MARKS.get(size - whole)
    if mark is None:
        return minus + plain_number(size)
    return f"{minus}{whole or ''}{mark}"
