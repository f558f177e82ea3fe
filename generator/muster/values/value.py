"""What every value can do, and the base error for text that is not a value."""

from __future__ import annotations

from typing import ClassVar, Protocol

LONGEST_CELL = 60
"""Characters of the longest typed cell: longer text is refused before any pattern sees it."""

_LONGEST_QUOTE = 40


class Value(Protocol):
    """What a cell holds: `str()` gives the text that `parse` reads, `show()` what a page prints."""

    def show(self) -> str:
        """Give the text as it is printed, with true minus signs, dashes and thin spaces."""
        ...

    def __str__(self) -> str: ...


class BadValue(ValueError):  # noqa: N818 - players read the name in the docs: it is a bad value
    """Say what was read, what was expected, and give an example that would do.

    Every form has a subclass of its own. `read` is shortened, so that the error of a huge text
    stays small.
    """

    form: ClassVar[str] = "a value"
    sample: ClassVar[str] = ""

    def __init__(self, read: str, expected: str = "", example: str = "") -> None:
        self.read = read if len(read) <= _LONGEST_QUOTE else f"{read[: _LONGEST_QUOTE - 1]}…"
        self.expected = expected or self.form
        self.example = example or self.sample
        super().__init__(self.read, self.expected, self.example)

    def __str__(self) -> str:
        such_as = f" such as {self.example}" if self.example else ""
        return f'read "{_printable(self.read)}", expected {self.expected}{such_as}'


def trimmed(text: str, error: type[BadValue], longest: int = LONGEST_CELL) -> str:
    """Give the text without white space around it, ready for a pattern.

    Raises:
        BadValue: Of the given kind, if the text is longer than `longest` characters.
    """
    if len(text) > longest:
        raise error(text, f"{error.form} of at most {longest} characters,")
    return text.strip()


def _printable(text: str) -> str:
    """Escape what would break or hide a line of a message: controls, lone surrogates."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
