"""Cells without a value: it does not apply (a dash), or the source lacks it (blank)."""

from __future__ import annotations

from typing import Final, final

from muster.values.value import BadValue, trimmed


class BadAbsent(BadValue):
    """Raised when a text is neither a dash nor the word `blank`."""

    form = "a dash, or the word blank,"
    sample = "–"


@final
class Dash:
    """A cell that does not apply. `DASH` is the only instance, so `is` compares it."""

    __slots__ = ()

    def __new__(cls) -> Dash:
        """Return the only dash."""
        return DASH

    @classmethod
    def parse(cls, text: str) -> Dash:
        """Return the dash that a text stands for: an en dash or a hyphen.

        Raises:
            BadAbsent: If the text is anything else.
        """
        if trimmed(text, BadAbsent) not in {"–", "-"}:
            raise BadAbsent(text)
        return DASH

    def __reduce__(self) -> str:
        """Return the name of the only dash, so that it stays the only one when it is copied."""
        return "DASH"

    def __repr__(self) -> str:
        return "DASH"

    def __str__(self) -> str:
        return "–"

    def show(self) -> str:
        """Return an en dash."""
        return "–"


@final
class Blank:
    """A cell that the source lacks. `BLANK` is the only instance, so `is` compares it."""

    __slots__ = ()

    def __new__(cls) -> Blank:
        """Return the only blank."""
        return BLANK

    @classmethod
    def parse(cls, text: str) -> Blank:
        """Return the blank that the word `blank` stands for.

        Raises:
            BadAbsent: If the text is anything else.
        """
        if trimmed(text, BadAbsent) != "blank":
            raise BadAbsent(text)
        return BLANK

    def __reduce__(self) -> str:
        """Return the name of the only blank, so that it stays the only one when it is copied."""
        return "BLANK"

    def __repr__(self) -> str:
        return "BLANK"

    def __str__(self) -> str:
        return "blank"

    def show(self) -> str:
        """Return an empty text: the page draws a box."""
        return ""


DASH: Final[Dash] = object.__new__(Dash)
BLANK: Final[Blank] = object.__new__(Blank)
