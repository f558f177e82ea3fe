"""Problems in files: what is wrong and where, and what may have been meant or is missing."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from muster.names import nearest_names

_INDENT = "    "
_MAX_WIDTH = 96
"""Columns of a source line that are shown; of a longer one, a window around the caret."""

_COLUMNS_BEFORE_CARET = 60


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a file, line and column from 1 in characters; without them, the whole file."""

    file: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        """Return the place as editors know it: `file:line:column`, as far as it is known."""
        known = [self.file, *(str(part) for part in (self.line, self.column) if part is not None)]
        return ":".join(known)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a file; `code` is stable and in kebab-case, `text` is for people."""

    code: str
    text: str
    location: Location
    line_text: str = ""
    example: str = ""

    def render(self, severity: str = "") -> str:
        """Return the problem in lines: place, text and code; source line and caret; example.

        Control characters of a hostile file become middle dots, so that the result is safe for
        any terminal.

        Args:
            severity: A word to put before the text, such as `warning`.
        """
        prefix = f"{severity}: " if severity else ""
        lines = [f"{_printable(str(self.location))}: {prefix}{_printable(self.text)} [{self.code}]"]
        if self.line_text.strip():
            shown, column = _excerpt(self.line_text, self.location.column)
            lines.append(f"{_INDENT}{_printable(shown)}")
            if column is not None:
                lines.append(f"{_INDENT}{' ' * _display_width(_printable(shown[:column]))}^")
        if self.example:
            lines.append(f"{_INDENT}for example: {_printable(self.example)}")
        return "\n".join(lines)


class MusterError(Exception):
    """Raised with all problems that were found in what the user provided."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(problem.render() for problem in self.problems)


class Problems:
    """Collects the problems of several files or steps, to raise them all at once."""

    def __init__(self, problems: Iterable[Problem] = ()) -> None:
        self._problems = list(problems)

    def add(self, problem: Problem) -> None:
        """Add one problem."""
        self._problems.append(problem)

    def extend(self, problems: Iterable[Problem]) -> None:
        """Add several problems."""
        self._problems.extend(problems)

    def __len__(self) -> int:
        return len(self._problems)

    def raise_if_any(self) -> None:
        """Raise the problems that were collected, if there are any.

        Raises:
            MusterError: With all of them, in the order in which they were added.
        """
        if self._problems:
            raise MusterError(self._problems)


def _excerpt(line: str, column: int | None) -> tuple[str, int | None]:
    """Return what is shown of a line, and the offset of the caret in it, from 0."""
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


_UNSEEN = re.compile(
    r"(\x1b\[(?:[012]|3[1-7])m)"
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Our own colours, and characters that a terminal obeys rather than shows, or cannot print."""


def visible(text: str) -> str:
    r"""Return a text that is safe for any terminal, with what cannot be seen as `\x1b`.

    File names may contain such characters; line breaks, tabs and our own colours stay.
    """
    return _UNSEEN.sub(lambda found: found[1] or ascii(found[0])[1:-1], text)


def visible_json(text: str) -> str:
    r"""Return JSON that is safe for any terminal and means the same.

    A byte of a file name that is not UTF-8 becomes the text `\udcfc`, since half of a surrogate
    pair is not JSON.
    """

    def code(found: re.Match[str]) -> str:
        escape = f"\\u{ord(found[0]):04x}"
        return escape if is_text(found[0]) else f"\\{escape}"

    return _UNSEEN.sub(code, text)


def is_text(name: str) -> bool:
    """Return whether the name of a file is text: on some systems it may hold any bytes."""
    return not any("\ud800" <= character <= "\udfff" for character in name)


def _display_width(text: str) -> int:
    """Return the columns of a text on a terminal: two for wide letters, none for accents."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def display_path(path: Path) -> str:
    """Return a path relative to the working folder if it is inside, else the path as it is."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def closest_word(
    word: str, known: Iterable[str], labels: Mapping[str, str] | None = None
) -> str | None:
    """Return the known word that is nearest to a word, by its label too; None if none is near."""
    named = ((each, (labels or {}).get(each, "")) for each in known)
    return next(iter(nearest_names(word, named)), None)


def did_you_mean(word: str, known: Iterable[str], labels: Mapping[str, str] | None = None) -> str:
    """Return ` (did you mean 'title'?)` to append to a message; empty if no word is near."""
    closest = closest_word(word, known, labels)
    return f" (did you mean {closest!r}?)" if closest is not None else ""


_MOST_KNOWN = 12
"""The most known words that a message lists."""


def known_words(word: str, known: Collection[str]) -> str:
    """Return the known word that was meant, or else all, to append to a message.

    The text is empty if no word is near and there are none, or too many to list.
    """
    hint = did_you_mean(word, known)
    if hint or not 0 < len(known) <= _MOST_KNOWN:
        return hint
    return f"; known: {', '.join(known)}"


def pip_command(package: str) -> str:
    """Return the command that installs a package for the Python that runs Muster."""
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    return f"{python} -m pip install {package}"
