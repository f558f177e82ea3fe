"""Signed numbers, rolls and lengths that are added to something."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Self

from muster.values.dice import BadDice, Dice
from muster.values.distance import LengthUnit, split_unit
from muster.values.number import NUMBER, plain_number, pretty_number, to_decimal
from muster.values.value import BadValue, trimmed

_MODIFIER = re.compile(rf"0|[+-]{NUMBER}")
_IN_BRACKETS = re.compile(r"-\((.+)\)")


class BadModifier(BadValue):
    """Raised when a text is not a number with its sign."""

    form = "a number with its sign"
    sample = '+2, -1, 0, +d6 or -(d6+2)"'


@dataclass(frozen=True, slots=True)
class Modifier:
    """A number to add: `+2`, `-1`, `0`; or a roll to add, `+d6`, or to subtract, `-2d6`.

    A number carries its own sign; `minus` is for rolls only. With a unit it is a length to add to
    another or to subtract from it: `+1"`, `-(d6+2)"`.
    """

    amount: Decimal | Dice
    minus: bool = False
    unit: LengthUnit | None = None

    def __post_init__(self) -> None:
        """Refuse a second way to write the same modifier.

        Raises:
            BadModifier: If a number has a second sign.
        """
        if self.minus and not isinstance(self.amount, Dice):
            raise BadModifier(f"-{self.amount}", "a roll behind a minus sign,", "-2d6")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the modifier that a text states.

        Only 0 has no sign; a unit follows without a space. A roll with an addition that is
        subtracted as a whole stands in brackets, since `-d6+1` could be read in two ways.

        Raises:
            BadModifier: If the text is anything else.
        """
        signed, unit = split_unit(trimmed(text, BadModifier))
        if _MODIFIER.fullmatch(signed):
            return cls(to_decimal(signed), unit=unit)
        bracket = _IN_BRACKETS.fullmatch(signed)
        if bracket or signed.startswith(("+", "-")):
            try:
                dice = Dice.from_text(bracket[1] if bracket else signed[1:])
            except BadDice as bad:
                raise BadModifier(text, bad.expected, f"+{bad.example}") from None
            minus = signed.startswith("-")
            if dice is not None and bool(bracket) == bool(minus and dice.plus):
                return cls(dice, minus, unit)
        raise BadModifier(text)

    def __str__(self) -> str:
        unit = self.unit.sign if self.unit else ""
        return self._written(str, plain_number, "-") + unit

    def show(self) -> str:
        """Return `+2`, `−1`, `0`, `+½`, `−2D6`, `+1″`, `−(D6 + 2)″`."""
        unit = self.unit.shown_sign if self.unit else ""
        return self._written(Dice.show, pretty_number, "−") + unit

    def _written(
        self, roll: Callable[[Dice], str], number: Callable[[Decimal], str], minus: str
    ) -> str:
        if not isinstance(self.amount, Dice):
            return f"{'+' if self.amount > 0 else ''}{number(self.amount)}"
        if self.minus and self.amount.plus:
            return f"{minus}({roll(self.amount)})"
        return f"{minus if self.minus else '+'}{roll(self.amount)}"
