"""Dice rolls: their possible totals and the probability of each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Self

from muster.languages import say
from muster.values.number import NUMBER, ONE, ZERO, plain_number, pretty_number, to_decimal
from muster.values.value import BadValue, trimmed

MAX_DICE = 20
MAX_SIDES = 100

_DICE = re.compile(
    rf"(?:({NUMBER})\+)?([1-9][0-9]{{0,8}})?[dD]([1-9][0-9]{{0,8}})"
    rf"(?:\*({NUMBER}))?(?:([+-])({NUMBER}))?"
)


class BadDice(BadValue):
    """Raised when a text is not a roll of dice."""

    form = "a dice roll"
    sample = "2d6+1"


@dataclass(frozen=True, slots=True)
class Dice:
    """A roll: `count` dice of `sides` each, their sum multiplied by `times`, plus `plus`."""

    count: int
    sides: int
    times: Decimal = ONE
    plus: Decimal = ZERO

    def __post_init__(self) -> None:
        """Refuse a roll that has no useful distribution.

        Raises:
            BadDice: If there are more than 20 dice, fewer than 1, more than 100 sides or
                fewer than 2, or the factor is not above 0.
        """
        if not (1 <= self.count <= MAX_DICE and 1 < self.sides <= MAX_SIDES):
            raise BadDice(str(self), f"1 to {MAX_DICE} dice of 2 to {MAX_SIDES} sides,")
        if self.times <= 0:
            raise BadDice(str(self), "a factor above 0,", "d6*10")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the roll that a text states; `10+d6` is `d6+10`, and `D6` is `d6`.

        Raises:
            BadDice: If the text is anything else, or asks for too many dice or sides.
        """
        try:
            dice = cls.from_text(trimmed(text, BadDice))
        except BadDice as bad:
            raise BadDice(text, bad.expected, bad.example) from None
        if dice is None:
            raise BadDice(text)
        return dice

    @classmethod
    def from_text(cls, text: str) -> Self | None:
        """Return the roll that the whole text states, or None.

        Raises:
            BadDice: If it is a roll of too many dice or sides.
        """
        match = _DICE.fullmatch(text)
        if match is None:
            return None
        lead, count, sides, times, sign, plus = match.groups()
        if lead and plus:
            return None
        return cls(
            int(count or 1),
            int(sides),
            to_decimal(times) if times else ONE,
            to_decimal(f"{sign or ''}{plus or lead or 0}"),
        )

    def lowest(self) -> Decimal:
        """Return the lowest possible total."""
        return self.count * self.times + self.plus

    def highest(self) -> Decimal:
        """Return the highest possible total."""
        return self.count * self.sides * self.times + self.plus

    def outcomes(self) -> Mapping[Decimal, Fraction]:
        """Return each possible total and its exact probability, from the lowest total on."""
        ways = _count_ways(self.count, self.sides)
        rolls = self.sides**self.count
        return {
            (self.count + over) * self.times + self.plus: Fraction(way, rolls)
            for over, way in enumerate(ways)
        }

    def __str__(self) -> str:
        count = "" if self.count == 1 else self.count
        times = "" if self.times == 1 else f"*{plain_number(self.times)}"
        sign = "+" if self.plus > 0 else ""
        plus = f"{sign}{plain_number(self.plus)}" if self.plus else ""
        return f"{count}d{self.sides}{times}{plus}"

    def show(self) -> str:
        """Return `2D6 + 1`, `D4 − 1`, `D6 × 10`; in German `2W6 + 1`."""
        count = "" if self.count == 1 else self.count
        times = "" if self.times == 1 else f" × {pretty_number(self.times)}"
        sign = "−" if self.plus < 0 else "+"
        plus = f" {sign} {pretty_number(self.plus.copy_abs())}" if self.plus else ""
        die = say("D{sides}", sides=self.sides)
        return f"{count}{die}{times}{plus}"


@lru_cache(maxsize=64)
def _count_ways(count: int, sides: int) -> tuple[int, ...]:
    """Return the number of ways to roll each sum, from `count` upwards.

    Dice are added one at a time, with a running window over the sums so far, so that each die
    takes linear time: 20d100 takes milliseconds.
    """
    ways = [1]
    for _ in range(count):
        window = 0
        wider = []
        for index in range(len(ways) + sides - 1):
            window += ways[index] if index < len(ways) else 0
            window -= ways[index - sides] if index >= sides else 0
            wider.append(window)
        ways = wider
    return tuple(ways)
