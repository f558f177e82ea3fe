"""Costs in points: flat, per thing, or per length."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Context, Decimal, Inexact
from typing import Self

from muster.languages import marked, say, say_in_english
from muster.values.count import NOUN, is_noun
from muster.values.distance import LengthUnit, unit_from_sign
from muster.values.number import NUMBER, ONE, ZERO, plain_number, pretty_number, to_decimal
from muster.values.value import BadValue, trimmed

_COST = re.compile(rf"([+-]?{NUMBER})(?: per (?:({NUMBER})(cm|mm|\")|(?:({NUMBER}) )?({NOUN})))?")
_EXACT_CONTEXT = Context(prec=60, traps=[Inexact])
"""Sixty digits hold any product of cells; a quotient that needs more never ends."""


class BadCost(BadValue):
    """Raised when a text is not a cost."""

    form = "a cost in points"
    sample = "25, 3 per stand, +0.25 per stand, 1 per 4cm or free"


class InexactCostError(ValueError):
    """Raised when a cost comes to no exact number of points."""


_PER = marked("{number} per {thing}")


@dataclass(frozen=True, slots=True)
class Cost:
    """Points: `amount` for each `every` of what `per` names, or of lengths in `unit`.

    `signed` is true of a cost written with a plus and `free` of one written as that word. Both
    are for print only: equal costs may differ in them.
    """

    amount: Decimal
    per: str | None = None
    every: Decimal = ONE
    unit: LengthUnit | None = None
    signed: bool = field(default=False, compare=False)
    free: bool = field(default=False, compare=False)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the cost that a text states; a leading plus needs a thing to count.

        Raises:
            BadCost: If the text is anything else, or counts in steps of 0.
        """
        written = trimmed(text, BadCost)
        if written == "free":
            return cls(ZERO, free=True)
        match = _COST.fullmatch(written)
        if match is None:
            raise BadCost(text)
        amount, lengths, sign, things, noun = match.groups()
        if noun is not None and (" per " in noun or not is_noun(noun)):
            raise BadCost(text)
        unit = unit_from_sign(sign or noun or "")
        if unit is not None and things is not None:
            raise BadCost(text, "a length without a space,", "1 per 4cm")
        if amount.startswith("+") and noun is None and unit is None:
            expected = (
                "a plus sign only before a cost per thing (a bonus alone is `form: modifier`),"
            )
            raise BadCost(text, expected, "+0.25 per stand")
        every = to_decimal(lengths or things or "1")
        if not every:
            raise BadCost(text, "a cost per more than 0,", "1 per 4cm")
        per = noun if unit is None else None
        return cls(to_decimal(amount), per, every, unit, signed=amount.startswith("+"))

    def points_for(self, quantity: Decimal) -> Decimal:
        """Return the exact points for a number of things, or a length in the cost's unit.

        Raises:
            InexactCostError: If the decimals never end, as for 10 cm at 1 per 3 cm.
        """
        try:
            if self.every == 1:
                return _EXACT_CONTEXT.multiply(self.amount, quantity)
            return _EXACT_CONTEXT.divide(_EXACT_CONTEXT.multiply(self.amount, quantity), self.every)
        except Inexact:
            text = f"{plain_number(quantity)} at {self} comes to no exact number of points"
            raise InexactCostError(text) from None

    def __str__(self) -> str:
        return self._written(
            plain_number, "" if self.unit is None else self.unit.sign, say_in_english
        )

    def show(self) -> str:
        """Return `3¾ per stand`, `+¼ per stand`, `1 per 4 cm` with a thin space, `free`."""
        return self._written(pretty_number, "" if self.unit is None else self.unit.shown_sign, say)

    def _written(
        self, number: Callable[[Decimal], str], unit: str, words: Callable[..., str]
    ) -> str:
        if self.free:
            return words(marked("free"))
        sign = "+" if self.signed and self.amount >= 0 else ""
        amount = sign + number(self.amount)
        if unit:
            return words(_PER, number=amount, thing=f"{number(self.every)}{unit}")
        if self.per is None:
            return amount
        every = "" if self.every == 1 else f"{number(self.every)} "
        return words(_PER, number=amount, thing=f"{every}{self.per}")
