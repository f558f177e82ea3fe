"""The protocol of all values, and the base error for text that is not a value."""

from __future__ import annotations

from typing import ClassVar, Protocol

MAX_CELL_LENGTH = 60
"""Characters of the longest typed cell; longer text is refused before it is matched."""

_MAX_QUOTE_LENGTH = 40


class Value(Protocol):
    """The value of a cell.

    `str()` returns a text that `parse` reads, `show()` what a page prints.
    """

    def show(self) -> str:
        """Return the text as it is printed, with true minus signs, dashes and thin spaces."""
        ...

    def __str__(self) -> str: ...


class BadValue(ValueError):  # noqa: N818 - it reads as what it is: a bad value
    """Raised when a text is not a value of some form.

    It says what was read, what was expected, and gives an example. Every form has a subclass of
    its own. `read` is shortened, so that the error for a huge text stays small.
    """

    form: ClassVar[str] = "a value"
    sample: ClassVar[str] = ""

    def __init__(self, read: str, expected: str = "", example: str = "") -> None:
        self.read = read if len(read) <= _MAX_QUOTE_LENGTH else f"{read[: _MAX_QUOTE_LENGTH - 1]}…"
        self.expected = expected or self.form
        self.example = example or self.sample
        super().__init__(self.read, self.expected, self.example)

    def __str__(self) -> str:
        such_as = f" such as {self.example}" if self.example else ""
        return f"read {self.read!r}, expected {self.expected}{such_as}"


def trimmed(text: str, error: type[BadValue], max_length: int = MAX_CELL_LENGTH) -> str:
    """Return a text without white space around it, ready to be matched.

    Raises:
        BadValue: Of the given kind, if the text is longer than `max_length` characters.
    """
    if len(text) > max_length:
        raise error(text, f"{error.form} of at most {max_length} characters,")
    return text.strip()
