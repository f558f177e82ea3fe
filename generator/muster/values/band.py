"""Bands of numbers: which numbers they hold, and whether one begins where another ends."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Self

from muster.languages import marked, say, say_in_english
from muster.values.number import NUMBER, plain_number, pretty_number, to_decimal
from muster.values.value import BadValue, trimmed

_END = rf"-?{NUMBER}"
_BAND = re.compile(
    rf"(?P<point>{_END})(?P<up>\+)?"
    rf"|(?P<first>{NUMBER})-(?P<last>{NUMBER})"
    rf"|(?P<below>up to|under) (?P<top>{_END})"
    rf"|over (?P<above>{_END})"
    rf"|(?P<over>over )?(?P<low>{_END}) to (?P<under>under )?(?P<high>{_END})"
)


class BadBand(BadValue):
    """Raised when a text is not a band, or is one that holds no number."""

    form = "a band of numbers"
    sample = "4-7, 11+, up to -4 or over 30 to 55"


@dataclass(frozen=True, slots=True)
class Band:
    """All numbers from `low` to `high`.

    An end that is None is without limit; an open end does not belong to the band.
    """

    low: Decimal | None
    high: Decimal | None
    low_open: bool = False
    high_open: bool = False

    def __post_init__(self) -> None:
        """Refuse a band that holds no number or every number.

        Raises:
            BadBand: If low is above high, an open end leaves nothing, or there is no end.
        """
        low, high = self.low, self.high
        if low is None and high is None:
            raise BadBand("", "a band with at least one end,")
        # An end that does not exist is not open either, so that equal bands have equal fields.
        if low is None and self.low_open:
            object.__setattr__(self, "low_open", False)
        if high is None and self.high_open:
            object.__setattr__(self, "high_open", False)
        if low is None or high is None:
            return
        if low > high:
            raise BadBand(str(self), "a band with its low end first,")
        if low == high and (self.low_open or self.high_open):
            raise BadBand(str(self), "a band that holds some number,")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the band that a text states; only ends after `under` and `over` are open.

        Raises:
            BadBand: If the text is anything else, or a band that holds nothing.
        """
        try:
            band = cls.from_text(trimmed(text, BadBand))
        except BadBand as bad:
            raise BadBand(text, bad.expected) from None
        if band is None:
            raise BadBand(text)
        return band

    @classmethod
    def from_text(cls, text: str) -> Self | None:
        """Return the band that the whole text states, or None.

        Raises:
            BadBand: If it is a band that holds nothing.
        """
        match = _BAND.fullmatch(text)
        if match is None:
            return None
        if point := match["point"]:
            end = to_decimal(point)
            return cls(end, None if match["up"] else end)
        if first := match["first"]:
            return cls(to_decimal(first), to_decimal(match["last"]))
        if top := match["top"]:
            return cls(None, to_decimal(top), high_open=match["below"] == "under")
        if above := match["above"]:
            return cls(to_decimal(above), None, low_open=True)
        return cls(
            to_decimal(match["low"]),
            to_decimal(match["high"]),
            low_open=match["over"] is not None,
            high_open=match["under"] is not None,
        )

    def holds(self, number: Decimal) -> bool:
        """Return whether a number is in the band; closed ends belong to it."""
        low, high = self.low, self.high
        if low is not None and (number < low or (self.low_open and number == low)):
            return False
        return high is None or number < high or (number == high and not self.high_open)

    def meets(self, other: Band, whole: bool) -> bool:  # noqa: FBT001 - an axis is whole or it is not
        """Return whether another band begins exactly where this one ends.

        On a whole-number axis `1-2` meets `3-4`. On a continuous one two bands share an end
        that belongs to one of them only: `up to 15` meets `over 15 to 30`.
        """
        if self.high is None or other.low is None:
            return False
        if not whole:
            return self.high == other.low and self.high_open != other.low_open
        rounding = ROUND_CEILING if self.high_open else ROUND_FLOOR
        last = self.high.to_integral_value(rounding) - self.high_open
        rounding = ROUND_FLOOR if other.low_open else ROUND_CEILING
        first = other.low.to_integral_value(rounding) + other.low_open
        return last + 1 == first

    def __str__(self) -> str:
        return self._written(plain_number, "-", say_in_english)

    def show(self) -> str:
        """Return `4–7`, `−5 to −4`, `11+`, `up to −4`, `under 15`, `over 30 to 55`."""
        return self._written(pretty_number, "–", say)

    def _written(
        self, number: Callable[[Decimal], str], dash: str, words: Callable[..., str]
    ) -> str:
        low, high = self.low, self.high
        if low is None:
            end = number(high) if high is not None else ""
            message = marked("under {number}") if self.high_open else marked("up to {number}")
            return words(message, number=end)
        if high is None:
            return (
                words(marked("over {number}"), number=number(low))
                if self.low_open
                else f"{number(low)}+"
            )
        if self.low_open or self.high_open or (low < 0 and low != high):
            ends = {"low": number(low), "high": number(high)}
            if self.low_open:
                both, one = marked("over {low} to under {high}"), marked("over {low} to {high}")
            else:
                both, one = marked("{low} to under {high}"), marked("{low} to {high}")
            return words(both if self.high_open else one, **ends)
        return number(low) if low == high else f"{number(low)}{dash}{number(high)}"
