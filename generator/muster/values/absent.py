"""Cells without a value: it does not apply (a dash), or the source lacks it (blank)."""

from __future__ import annotations

from typing import Final, final

from muster.values.value import BadValue, trimmed


class BadAbsent(BadValue):
    """Say that a text is neither a dash nor the word `blank`."""

    form = "a dash, or the word blank,"
    sample = "–"


@final
class Dash:
    """A cell that does not apply. There is one, `DASH`: it can be told by `is`."""

    __slots__ = ()

    def __new__(cls) -> Dash:
        """Give the one dash, whoever asks."""
        return DASH

    @classmethod
    def parse(cls, text: str) -> Dash:
        """Read an en dash; a hyphen will do.

        Raises:
            BadAbsent: If the text is anything else.
        """
        if trimmed(text, BadAbsent) not in {"–", "-"}:
            raise BadAbsent(text)
        return DASH

    def __reduce__(self) -> str:
        """Stay the one dash in copies and in other processes."""
        return "DASH"

    def __repr__(self) -> str:
        return "DASH"

    def __str__(self) -> str:
        return "–"

    def show(self) -> str:
        """Give an en dash."""
        return "–"


@final
class Blank:
    """A cell that the source lacks. There is one, `BLANK`: it can be told by `is`."""

    __slots__ = ()

    def __new__(cls) -> Blank:
        """Give the one blank, whoever asks."""
        return BLANK

    @classmethod
    def parse(cls, text: str) -> Blank:
        """Read the word `blank`.

        Raises:
            BadAbsent: If the text is anything else.
        """
        if trimmed(text, BadAbsent) != "blank":
            raise BadAbsent(text)
        return BLANK

    def __reduce__(self) -> str:
        """Stay the one blank in copies and in other processes."""
        return "BLANK"

    def __repr__(self) -> str:
        return "BLANK"

    def __str__(self) -> str:
        return "blank"

    def show(self) -> str:
        """Give nothing: the page draws a box."""
        return ""


DASH: Final[Dash] = object.__new__(Dash)
BLANK: Final[Blank] = object.__new__(Blank)
