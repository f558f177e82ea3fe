"""A YAML file that was read: its data and the place of each part of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from muster.problems import Location, Problem
from muster.yamlfile.cache import CacheEntry, NotRestorableError, cache_entry, from_json, to_json
from muster.yamlfile.nodes import YamlNode, is_within_limits, node_from_json, node_to_json
from muster.yamlfile.textfile import (
    BOM,
    check_characters,
    check_text,
    decode,
    read_bytes,
    split_lines,
)

Recalled = TypeVar("Recalled")

_DATA_KEY = "data"
_PLACES_KEY = "places"


class Document:
    """A file's name as messages show it, its text, and its data: dicts, lists and `str` only."""

    __slots__ = ("_data", "_entry", "_lines", "_places", "file", "text")

    def __init__(
        self,
        file: str,
        text: str,
        data: dict[str, Any] | None = None,
        entry: CacheEntry | None = None,
    ) -> None:
        """Take what is known; data that is not at hand is fetched when it is asked for."""
        self.file = file
        self.text = text
        self._data = data
        self._entry = entry
        self._places: YamlNode | None = None
        self._lines: list[str] | None = None

    @property
    def data(self) -> dict[str, Any]:
        """What the file says.

        Raises:
            MusterError: If it was not read when the document was made, and cannot be.
        """
        if self._data is None:
            self._data = self._data_kept()
        if self._data is None:
            check_characters(self.text, self.file)
            self.load()
        assert self._data is not None  # noqa: S101 - it is loaded now, or an error is on its way
        return self._data

    def recall(self, what: str, kind: type[Recalled]) -> Recalled | None:
        """Give what was made of the same content before, if it was kept.

        Args:
            what: What it is, and all that it rests on beside the content.
            kind: Its class.
        """
        if self._entry is None or (found := self._entry.get(what)) is None:
            return None
        try:
            made = from_json(found)
        except NotRestorableError:
            return None
        return made if isinstance(made, kind) else None

    def keep(self, what: str, made: Any) -> None:
        """Keep what was made of this content, if it can be kept."""
        if self._entry is not None:
            try:
                self._entry.put(what, to_json(made))
            except NotRestorableError:
                return

    def locate(self, path: tuple[str | int, ...], *, key: bool = False) -> Location:
        """Find a value, or what holds it as far as the path can be followed.

        Args:
            path: Keys of mappings, and numbers in lists from 0; () is the top level.
            key: Whether the key is meant rather than its value.
        """
        if self._places is None:
            self._places = self._found_places()
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
            self._lines = split_lines(self.text)
        at = (where.line or 1) - 1
        line = self._lines[at] if at < len(self._lines) else ""
        return Problem(code, text, where, line, example)

    def _data_kept(self) -> dict[str, Any] | None:
        found = None if self._entry is None else self._entry.get(_DATA_KEY)
        return found if isinstance(found, dict) and is_within_limits(found) else None

    def load(self) -> None:
        """Read the text now, which was checked.

        Raises:
            MusterError: If it is not readable YAML.
        """
        from muster.yamlfile.parsing import parse_yaml  # noqa: PLC0415 - YAML loads when wanted

        self._data = parse_yaml(self.text, self.file)
        if self._entry is not None and is_within_limits(self._data):
            self._entry.put(_DATA_KEY, self._data)

    def _found_places(self) -> YamlNode:
        kept = None if self._entry is None else node_from_json(self._entry.get(_PLACES_KEY))
        if kept is not None:
            return kept
        from muster.yamlfile.parsing import parse_places  # noqa: PLC0415 - a fault wants it, none else

        _ = self.data  # only a text that was loaded within limits is walked
        tree = parse_places(self.text)
        if self._entry is not None and (written := node_to_json(tree)) is not None:
            self._entry.put(_PLACES_KEY, written)
        return tree


def read_document(path: str | Path, *, shown_as: str | None = None) -> Document:
    """Read a YAML file whose top level is a mapping.

    Args:
        path: The file.
        shown_as: How messages name it; else as the path says.

    Raises:
        MusterError: If it cannot be read; all duplicate keys and the like are told at once.
    """
    name = shown_as if shown_as is not None else str(path)
    raw = read_bytes(path, name)
    entry = cache_entry(raw)
    text = decode(raw, name)
    if entry is not None and entry.has(_DATA_KEY):
        return Document(name, text.removeprefix(BOM), None, entry)
    return _parse_document(name, check_text(text, name), entry)


def document_from_text(text: str, name: str) -> Document:
    """Read YAML that is no file, and call it *name* in messages.

    Raises:
        MusterError: As `read_document`.
    """
    return _parse_document(name, check_text(text, name), None)


def _parse_document(name: str, text: str, entry: CacheEntry | None) -> Document:
    document = Document(name, text, None, entry)
    document.load()
    return document
