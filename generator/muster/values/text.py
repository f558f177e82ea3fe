"""Prose in a cell."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from muster.values.value import BadValue, trimmed

MAX_TEXT_LENGTH = 4000

# No asterisk may stand between the marks, so that each pass is linear in the text.
_MARKED_TEXT = re.compile(r"\*(?=[^\s*])([^*]*[^\s*])\*")
_MARK_PASSES = 3
"""Passes that remove all marks of ***bold italic***: one for each asterisk."""


class BadText(BadValue):
    """Raised when a text is empty or far too long."""

    form = "text"
    sample = "Falls back."


@dataclass(frozen=True, slots=True)
class Text:
    """Prose as it is written, its **bold** and *italic* marks included."""

    words: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the prose of any text of 1 to 4,000 characters.

        Raises:
            BadText: If the text is empty or longer.
        """
        words = trimmed(text, BadText, MAX_TEXT_LENGTH)
        if not words:
            raise BadText(text)
        return cls(words)

    def __str__(self) -> str:
        return self.words

    def show(self) -> str:
        """Return the words without their marks; a lone asterisk stays."""
        words = self.words
        if "*" in words:
            for _ in range(_MARK_PASSES):
                words = _MARKED_TEXT.sub(r"\1", words)
        return words
