"""Numbers of named things, such as 2 dice or 3-4 stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Self

from muster.values.band import BadBand, Band
from muster.values.number import plain_number, pretty_number
from muster.values.value import BadValue, trimmed

NOUN = r"[^\W\d_]+(?:[-'’ ][^\W\d_]+)*"
"""A pattern for the name of what is counted: words of letters, in any language."""

_NOUN_JOINTS = str.maketrans("", "", "-'’ ")

_COUNT = re.compile(rf"([^\n]*[0-9]\+?) ({NOUN})")


class BadCount(BadValue):
    """Raised when a text is not a number of things."""

    form = "a number of things"
    sample = "2 dice or 3-4 stands"


@dataclass(frozen=True, slots=True)
class Count:
    """A number of named things: `1 stand`, `3-4 stands`. A band of one number is that number."""

    amount: Decimal | Band
    noun: str

    def __post_init__(self) -> None:
        """Turn a band of one number into the number, so that `4-4 stands` equals `4 stands`."""
        band = self.amount
        if isinstance(band, Band) and band.low is not None and band.low == band.high:
            object.__setattr__(self, "amount", band.low)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the count that a text states: a number or band, a space, and a noun.

        Raises:
            BadCount: If the text is anything else, or the number is below 0.
        """
        found = _COUNT.fullmatch(trimmed(text, BadCount))
        if found is None or not is_noun(found[2]):
            raise BadCount(text)
        try:
            band = Band.from_text(found[1])
        except BadBand as bad:
            raise BadCount(text, bad.expected) from None
        if band is None:
            raise BadCount(text)
        if any(end is not None and end < 0 for end in (band.low, band.high)):
            raise BadCount(text, "a number of 0 or more things,")
        return cls(band, found[2])

    def __str__(self) -> str:
        amount = self.amount
        return f"{amount if isinstance(amount, Band) else plain_number(amount)} {self.noun}"

    def show(self) -> str:
        """Return `2 dice`, `3–4 stands`, `1½ stands`."""
        amount = self.amount
        return f"{amount.show() if isinstance(amount, Band) else pretty_number(amount)} {self.noun}"


def is_noun(text: str) -> bool:
    """Return whether a text that `NOUN` matches has only letters between its joints.

    A pattern counts characters such as `½` and `²` as letters too.
    """
    return text.translate(_NOUN_JOINTS).isalpha()
