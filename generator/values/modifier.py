"""Owns signed numbers and signed rolls that are added to something.

Does not know what they are added to, or whether that is good: their table says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Self

from generator.values.dice import BadDice, Dice
from generator.values.number import NUMBER, exact, plain, pretty
from generator.values.value import BadValue, trimmed

_MODIFIER = re.compile(rf"0|[+-]{NUMBER}")


class BadModifier(BadValue):
    """Say that a text is no signed number."""

    form = "a number with its sign"
    sample = "+2, -1, 0 or +d6"


@dataclass(frozen=True, slots=True)
class Modifier:
    """A number to add: `+2`, `-1`, `0`; or a roll to add, `+d6`, or with `minus` to take, `-2d6`.

    A number carries its own sign; `minus` belongs to rolls only.
    """

    amount: Decimal | Dice
    minus: bool = False

    def __post_init__(self) -> None:
        """Hold to one way of writing each modifier.

        Raises:
            BadModifier: If a number has a second sign, or a roll that is taken away has a
                number added: `-d6+1` would be read in two ways.
        """
        if self.minus and (not isinstance(self.amount, Dice) or self.amount.plus):
            raise BadModifier(f"-{self.amount}", "a bare roll behind a minus sign,", "-2d6")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a signed number or roll; only 0 goes without a sign.

        Raises:
            BadModifier: If the text is anything else.
        """
        signed = trimmed(text, BadModifier)
        if _MODIFIER.fullmatch(signed):
            return cls(exact(signed))
        if signed.startswith(("+", "-")):
            try:
                dice = Dice.from_text(signed[1:])
            except BadDice as bad:
                raise BadModifier(text, bad.expected, f"+{bad.example}") from None
            if dice is not None:
                return cls(dice, signed.startswith("-"))
        raise BadModifier(text)

    def __str__(self) -> str:
        if isinstance(self.amount, Dice):
            return f"{'-' if self.minus else '+'}{self.amount}"
        return f"{'+' if self.amount > 0 else ''}{plain(self.amount)}"

    def show(self) -> str:
        """Give `+2`, `−1`, `0`, `+½`, `−2D6`."""
        if isinstance(self.amount, Dice):
            return f"{'−' if self.minus else '+'}{self.amount.show()}"
        return f"{'+' if self.amount > 0 else ''}{pretty(self.amount)}"
