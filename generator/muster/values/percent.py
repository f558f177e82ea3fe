"""Percentages."""

from __future__ import annotations

import fractions
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Self

from muster.values.number import NUMBER, plain_number, pretty_number, to_decimal
from muster.values.value import BadValue, trimmed

_PERCENT = re.compile(rf"({NUMBER})%")


class BadPercent(BadValue):
    """Raised when a text is not a percentage."""

    form = "a percentage"
    sample = "25%"


@dataclass(frozen=True, slots=True)
class Percent:
    """A percentage: `25%`. It may exceed a hundred, and has no sign."""

    amount: Decimal

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the percentage that a text states.

        Raises:
            BadPercent: If the text is anything else.
        """
        found = _PERCENT.fullmatch(trimmed(text, BadPercent))
        if found is None:
            raise BadPercent(text)
        return cls(to_decimal(found[1]))

    @property
    def fraction(self) -> fractions.Fraction:
        """The percentage as a fraction of one: 1/4 for 25%."""
        return fractions.Fraction(self.amount) / 100

    def __str__(self) -> str:
        return f"{plain_number(self.amount)}%"

    def show(self) -> str:
        """Return `25%`, and `12½%` for 12.5%."""
        return f"{pretty_number(self.amount)}%"
