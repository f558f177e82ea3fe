"""Numbers needed on a roll: this much or better, this much or less."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Self

from muster.languages import say
from muster.values.number import NUMBER, plain_number, pretty_number, to_decimal
from muster.values.value import BadValue, trimmed

_TARGET = re.compile(rf"({NUMBER})([+-])")


class BadTarget(BadValue):
    """Raised when a text is not a number needed on a roll."""

    form = "a target number"
    sample = "7+ or 7-"


@dataclass(frozen=True, slots=True)
class Target:
    """A number needed on a roll: `7+` is 7 or more, `7-` is 7 or less."""

    number: Decimal
    or_more: bool

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the target that a text states: a number followed by its sign.

        Raises:
            BadTarget: If the text is anything else.
        """
        match = _TARGET.fullmatch(trimmed(text, BadTarget))
        if match is None:
            raise BadTarget(text)
        return cls(to_decimal(match[1]), match[2] == "+")

    def __str__(self) -> str:
        return f"{plain_number(self.number)}{'+' if self.or_more else '-'}"

    def show(self) -> str:
        """Return `7+`, or `7 or less`."""
        number = pretty_number(self.number)
        return f"{number}+" if self.or_more else say("{number} or less", number=number)
