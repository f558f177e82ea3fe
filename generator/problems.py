"""Owns faults of files: what is wrong, at which place, and the error that carries all of them.

Does not find faults, and does not print them; only the command line prints.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

_INDENT = "    "
_WIDEST = 96
"""Columns of a source line that are shown; a longer one is cut to a window about the caret."""

_BEFORE = 60


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a file: line and column count from 1, in characters; None is the whole file."""

    file: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        """Write the place as editors know it: `file:line:column`, as far as it is known."""
        known = [self.file, *(str(part) for part in (self.line, self.column) if part is not None)]
        return ":".join(known)


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault of a file. `code` is stable, kebab-case; `text` is for people and may improve."""

    code: str
    text: str
    location: Location
    line_text: str = ""
    example: str = ""

    def render(self, severity: str = "") -> str:
        """Write it out: place, severity if any is told, text and code; line, caret; the example.

        Control characters of a hostile file come out as a middle dot, so that the result is safe
        for any terminal.
        """
        told = f"{severity}: " if severity else ""
        lines = [f"{_clean(str(self.location))}: {told}{_clean(self.text)} [{self.code}]"]
        if self.line_text.strip():
            shown, column = _window(self.line_text, self.location.column)
            lines.append(f"{_INDENT}{_clean(shown)}")
            if column is not None:
                lines.append(f"{_INDENT}{' ' * _columns(_clean(shown[:column]))}^")
        if self.example:
            lines.append(f"{_INDENT}for example: {_clean(self.example)}")
        return "\n".join(lines)


class MusterError(Exception):
    """Faults of what the user handed in, all that were found at once."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(problem.render() for problem in self.problems)


class Problems:
    """Keeps the problems of several files or steps, to raise them all at once."""

    def __init__(self, problems: Iterable[Problem] = ()) -> None:
        self._kept = list(problems)

    def add(self, problem: Problem) -> None:
        """Keep one more problem."""
        self._kept.append(problem)

    def extend(self, problems: Iterable[Problem]) -> None:
        """Keep more problems."""
        self._kept.extend(problems)

    def __len__(self) -> int:
        return len(self._kept)

    def raise_if_any(self) -> None:
        """Do nothing if all went well.

        Raises:
            MusterError: With all problems that were kept, in the order in which they came.
        """
        if self._kept:
            raise MusterError(self._kept)


def _window(line: str, column: int | None) -> tuple[str, int | None]:
    """Cut a long line about a column; give the caret's offset, counted from 0."""
    line = line.rstrip()
    offset = None if column is None else column - 1
    if len(line) <= _WIDEST:
        return line, offset
    if offset is None or offset <= _BEFORE:
        return f"{line[: _WIDEST - 1]}…", offset
    start = offset - _BEFORE
    end = start + _WIDEST - 2
    return f"…{line[start:end]}{'…' if end < len(line) else ''}", _BEFORE + 1


def _clean(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else "·" for c in text)


def _columns(text: str) -> int:
    """Count the columns that a text takes on a terminal: wide letters two, marks above none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
