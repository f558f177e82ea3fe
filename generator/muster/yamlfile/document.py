"""A YAML file that was read: its data and the place of each part of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from muster.problems import Location, Problem
from muster.yamlfile.nodes import YamlNode
from muster.yamlfile.textfile import check_text, read_text, split_lines


class Document:
    """A file's name as messages show it, its text, and its data: dicts, lists and `str` only."""

    __slots__ = ("_lines", "_places", "data", "file", "text")

    def __init__(self, file: str, text: str, data: dict[str, Any]) -> None:
        self.file = file
        self.text = text
        self.data = data
        self._places: YamlNode | None = None
        self._lines: list[str] | None = None

    def locate(self, path: tuple[str | int, ...], *, key: bool = False) -> Location:
        """Return the place of a value, or of what holds it as far as the path can be followed.

        Args:
            path: Keys of mappings, and numbers in lists from 0; () is the top level.
            key: Whether the key is meant rather than its value.
        """
        if self._places is None:
            # Places are wanted for messages only, so a file without faults never pays for them.
            from muster.yamlfile.parsing import parse_places  # noqa: PLC0415

            self._places = parse_places(self.text)
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
        """Return a problem of what stands at a path, with its place and the line itself."""
        where = self.locate(path, key=key)
        if self._lines is None:
            self._lines = split_lines(self.text)
        at = (where.line or 1) - 1
        line = self._lines[at] if at < len(self._lines) else ""
        return Problem(code, text, where, line, example)


def read_document(path: str | Path, *, shown_as: str | None = None) -> Document:
    """Read a YAML file whose top level is a mapping.

    Args:
        path: The file.
        shown_as: The name of the file in messages; by default the path as given.

    Raises:
        MusterError: If it cannot be read; with all duplicate keys and the like at once.
    """
    name = shown_as if shown_as is not None else str(path)
    return _parse_document(name, read_text(path, shown_as=name))


def document_from_text(text: str, name: str) -> Document:
    """Read YAML that is no file, and call it *name* in messages.

    Raises:
        MusterError: As `read_document`.
    """
    return _parse_document(name, check_text(text, name))


def _parse_document(name: str, text: str) -> Document:
    # The YAML library is loaded when a file is read: `muster --help` reads none.
    from muster.yamlfile.parsing import parse_yaml  # noqa: PLC0415

    return Document(name, text, parse_yaml(text, name))
