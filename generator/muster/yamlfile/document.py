"""A YAML file that was read: its data and the place of each part of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from muster.problems import Location, Problem
from muster.yamlfile.models import Translated
from muster.yamlfile.nodes import KeyPath, YamlNode
from muster.yamlfile.textfile import check_text, problem_at, read_text, split_lines


class Wording(Protocol):
    """What says the texts of one file in other words."""

    def say(self, text: str, path: KeyPath, room: Translated, document: Document) -> str:
        """Return the words for a text, which may be the text itself.

        Args:
            text: The text as written.
            path: Its place in the file.
            room: How long the words may be.
            document: The file.
        """
        ...


class Document:
    """A file's name as messages show it, its text, and its data: dicts, lists and `str` only.

    With a `wording`, models that are read from it have their texts in another language; its data
    stays as it was written.
    """

    __slots__ = ("_lines", "_root", "data", "file", "text", "wording")

    def __init__(
        self, file: str, text: str, data: dict[str, Any], root: YamlNode | None = None
    ) -> None:
        """Create a document.

        Args:
            file: The name of the file in messages.
            text: Its text; nothing if the data was made by a program.
            data: The data of the top level.
            root: The node of the top level; without it, the text is parsed for places when one is
                wanted.
        """
        self.file = file
        self.text = text
        self.data = data
        self.wording: Wording | None = None
        self._root = root
        self._lines: list[str] | None = None

    @property
    def root(self) -> YamlNode:
        """The node of the top level."""
        if self._root is None:
            from muster.yamlfile.parsing import parse_places  # noqa: PLC0415 - as in `_parse_document`

            self._root = parse_places(self.text)
        return self._root

    def locate(self, path: KeyPath, *, key: bool = False) -> Location:
        """Return the place of the value at a path, or of the last value that the path reaches.

        Args:
            path: Keys of mappings, and numbers in lists from 0; () is the top level.
            key: Whether the key is meant rather than its value.
        """
        line, column = self.root.find(path, key=key)
        return Location(self.file, line, column)

    def problem(
        self,
        code: str,
        text: str,
        path: KeyPath,
        *,
        key: bool = False,
        example: str = "",
    ) -> Problem:
        """Return a problem of what stands at a path, with its place and the line itself."""
        if self._lines is None:
            self._lines = split_lines(self.text)
        place = self.root.find(path, key=key)
        return problem_at(code, text, self.file, self._lines, place, example)


def read_document(
    path: str | Path, *, shown_as: str | None = None, within: str | Path | None = None
) -> Document:
    """Read a YAML file whose top level is a mapping.

    Args:
        path: The file.
        shown_as: The name of the file in messages; by default the path as given.
        within: The folder that no link may lead out of; without it, links may lead anywhere.

    Raises:
        MusterError: If it cannot be read; with all duplicate keys and the like at once.
    """
    name = shown_as if shown_as is not None else str(path)
    return _parse_document(name, read_text(path, shown_as=name, within=within))


def document_from_text(text: str, name: str) -> Document:
    """Read YAML from a text, which messages call *name*.

    Raises:
        MusterError: As `read_document`.
    """
    return _parse_document(name, check_text(text, name))


def _parse_document(name: str, text: str) -> Document:
    # The YAML library is loaded when a file is read: `muster --help` reads none.
    from muster.yamlfile.parsing import parse_yaml  # noqa: PLC0415

    root = parse_yaml(text, name)
    return Document(name, text, root.data, root)
