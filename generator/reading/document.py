"""Owns a YAML file that was read: its data, and where each part of it stands.

Does not know what the data should be; `read_model` holds it to a model.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generator.problems import Location, Problem
from generator.reading.loading import load
from generator.reading.places import Node, places
from generator.reading.text import check_text, lines_of, read_text


@dataclass(eq=False, slots=True)
class Document:
    """A file's name as messages show it, its text, and its data: dicts, lists and `str` only."""

    file: str
    text: str
    data: dict[str, Any]
    _places: Node | None = field(default=None, init=False, repr=False)
    _lines: list[str] | None = field(default=None, init=False, repr=False)

    def locate(self, path: tuple[str | int, ...], *, key: bool = False) -> Location:
        """Find a value, or what holds it as far as the path can be followed.

        Args:
            path: Keys of mappings, and numbers in lists from 0; () is the top level.
            key: Whether the key is meant rather than its value.
        """
        if self._places is None:
            self._places = places(self.text)
        line, column = self._places.find(path, key=key)
        return Location(self.file, line, column)

    def problem(
        self,
        code: str,
        text: str,
        path: tuple[str | int, ...],
        *,
        key: bool = False,
        example: str = "",
    ) -> Problem:
        """Make a problem of what stands at a path, with its place and the line itself."""
        where = self.locate(path, key=key)
        if self._lines is None:
            self._lines = lines_of(self.text)
        at = (where.line or 1) - 1
        line = self._lines[at] if at < len(self._lines) else ""
        return Problem(code, text, where, line, example)


def read_document(path: str | Path, *, shown_as: str | None = None) -> Document:
    """Read a YAML file whose top level is a mapping.

    Args:
        path: The file.
        shown_as: How messages name it; else as the path says.

    Raises:
        MusterError: If it cannot be read; all duplicate keys and the like are told at once.
    """
    name = shown_as if shown_as is not None else str(path)
    text = read_text(path, shown_as=name)
    return Document(name, text, load(text, name))


def document_from_text(text: str, name: str) -> Document:
    """Read YAML that is no file, and call it *name* in messages.

    Raises:
        MusterError: As `read_document`.
    """
    text = check_text(text, name)
    return Document(name, text, load(text, name))
