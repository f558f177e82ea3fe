"""Problems in files: what is wrong and where, and which word may have been meant."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

_INDENT = "    "
_MAX_WIDTH = 96
"""Columns of a source line that are shown; a longer one is cut to a window about the caret."""

_COLUMNS_BEFORE_CARET = 60


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
        lines = [f"{_printable(str(self.location))}: {told}{_printable(self.text)} [{self.code}]"]
        if self.line_text.strip():
            shown, column = _excerpt(self.line_text, self.location.column)
            lines.append(f"{_INDENT}{_printable(shown)}")
            if column is not None:
                lines.append(f"{_INDENT}{' ' * _display_width(_printable(shown[:column]))}^")
        if self.example:
            lines.append(f"{_INDENT}for example: {_printable(self.example)}")
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
        self._problems = list(problems)

    def add(self, problem: Problem) -> None:
        """Keep one more problem."""
        self._problems.append(problem)

    def extend(self, problems: Iterable[Problem]) -> None:
        """Keep more problems."""
        self._problems.extend(problems)

    def __len__(self) -> int:
        return len(self._problems)

    def raise_if_any(self) -> None:
        """Do nothing if all went well.

        Raises:
            MusterError: With all problems that were kept, in the order in which they came.
        """
        if self._problems:
            raise MusterError(self._problems)


def _excerpt(line: str, column: int | None) -> tuple[str, int | None]:
    """Cut a long line about a column; give the caret's offset, counted from 0."""
    line = line.rstrip()
    offset = None if column is None else column - 1
    if len(line) <= _MAX_WIDTH:
        return line, offset
    if offset is None or offset <= _COLUMNS_BEFORE_CARET:
        return f"{line[: _MAX_WIDTH - 1]}…", offset
    start = offset - _COLUMNS_BEFORE_CARET
    end = start + _MAX_WIDTH - 2
    return f"…{line[start:end]}{'…' if end < len(line) else ''}", _COLUMNS_BEFORE_CARET + 1


def _printable(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else "·" for c in text)


def _display_width(text: str) -> int:
    """Count the columns that a text takes on a terminal: wide letters two, marks above none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def display_path(path: Path) -> str:
    """Name a path from the working folder on where that is shorter."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


_LONGEST_WORD = 60
_MOST_WORDS = 1000


def closest_word(word: str, known: Iterable[str]) -> str | None:
    """Find the known word that is most like a word, if any is like it; case does not count.

    Words of more than 60 characters have no like, and only 1000 known words are looked at:
    a hostile file must not buy minutes of comparing.
    """
    if not word or len(word) > _LONGEST_WORD:
        return None
    words = {
        each.casefold(): each for each in islice(known, _MOST_WORDS) if len(each) <= _LONGEST_WORD
    }
    low = word.casefold()
    if low in words:
        return words[low]
    from difflib import get_close_matches  # noqa: PLC0415 - slow to load, wanted only for a fault

    close = get_close_matches(low, words, n=1, cutoff=0.6)
    return words[close[0]] if close else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Give ` (did you mean 'title'?)` to put behind a message, or nothing if no word is like it."""
    found = closest_word(word, known)
    return f" (did you mean {found!r}?)" if found is not None else ""
