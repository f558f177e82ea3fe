"""Exact fractions such as `1/8` and `1 1/2`."""

from __future__ import annotations

import fractions
import re
from dataclasses import dataclass
from typing import Self

from muster.values.number import QUARTER_SIGNS
from muster.values.value import BadValue, trimmed

_WHOLE = r"(?:0|[1-9][0-9]{0,8})"
_FRACTION = re.compile(
    rf"(?P<minus>-)?(?:(?P<whole>{_WHOLE})(?: (?=[1-9])|$))?"
    rf"(?:(?P<top>{_WHOLE})/(?P<bottom>[1-9][0-9]{{0,8}}))?"
)


class BadFraction(BadValue):
    """Raised when a text is not a fraction."""

    form = "a fraction"
    sample = "1/8 or 1 1/2"


@dataclass(frozen=True, slots=True)
class Fraction:
    """A fraction: `1/8`, `1 1/2`, or a whole number; `2/4` is `1/2`."""

    exact: fractions.Fraction

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the fraction that a text states; after a whole number it must be less than one.

        Raises:
            BadFraction: If the text is anything else, or its lower number is 0.
        """
        match = _FRACTION.fullmatch(trimmed(text, BadFraction))
        if match is None:
            raise BadFraction(text)
        minus, whole, top, bottom = match.groups()
        if whole is None and top is None:
            raise BadFraction(text)
        part = fractions.Fraction(int(top), int(bottom)) if top else fractions.Fraction(0)
        if whole is not None and part >= 1:
            raise BadFraction(text, "a fraction of less than one beside the whole number")
        total = part + int(whole or 0)
        return cls(-total if minus else total)

    def __str__(self) -> str:
        whole, top = divmod(abs(self.exact.numerator), self.exact.denominator)
        minus = "-" if self.exact < 0 else ""
        if not top:
            return f"{minus}{whole}"
        before = f"{whole} " if whole else ""
        return f"{minus}{before}{top}/{self.exact.denominator}"

    def show(self) -> str:
        """Return `1½` for 1 1/2, but `1/4` as it is written, like a `1/5` in the same column."""
        whole, top = divmod(abs(self.exact.numerator), self.exact.denominator)
        mark = QUARTER_SIGNS.get(fractions.Fraction(top, self.exact.denominator))
        if mark is None or not whole:
            return str(self).replace("-", "−")
        return f"{'−' if self.exact < 0 else ''}{whole}{mark}"
