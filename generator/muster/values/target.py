"""Numbers needed on a roll: this much or better, this much or less."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Self

from muster.values.number import NUMBER, plain_number, pretty_number, to_decimal
from muster.values.value import BadValue, trimmed

_TARGET = re.compile(rf"({NUMBER})([+-])")


class BadTarget(BadValue):
    """Say that a text is no number needed."""

    form = "a number needed"
    sample = "7+ or 7-"


@dataclass(frozen=True, slots=True)
class Target:
    """A number needed: `7+` is 7 or better, `7-` is 7 or less; the number itself will do."""

    number: Decimal
    or_more: bool

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a number needed; its sign stands behind it.

        Raises:
            BadTarget: If the text is anything else.
        """
        found = _TARGET.fullmatch(trimmed(text, BadTarget))
        if found is None:
            raise BadTarget(text)
        return cls(to_decimal(found[1]), found[2] == "+")

    def met_by(self, roll: Decimal) -> bool:
        """Tell whether a roll, after its modifiers, will do."""
        return roll >= self.number if self.or_more else roll <= self.number

    def __str__(self) -> str:
        return f"{plain_number(self.number)}{'+' if self.or_more else '-'}"

    def show(self) -> str:
        """Give `7+`, or `7 or less`."""
        return f"{pretty_number(self.number)}{'+' if self.or_more else ' or less'}"
