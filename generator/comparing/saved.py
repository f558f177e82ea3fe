"""Owns an edition that was saved by `muster export`: read, and held to the shape of one.

Does not ask where the file came from: strangers' files are read too.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict, Field

from generator.problems import Location, MusterError, Problem
from generator.reading import read_model, read_text
from generator.reading.document import Document
from generator.reading.text import forbidden, lines_of, named

DEEPEST = 40
"""Levels of the deepest file that is read; Muster's own have about ten."""

Part = dict[str, Any]


class _Saved(BaseModel):
    """A part of a saved edition; a later Muster may have added keys."""

    model_config = ConfigDict(extra="allow", strict=True)


class SavedSystem(_Saved):
    """Who the system is."""

    id: str
    title: str
    edition: str
    source: str


class SavedCell(_Saved):
    """A cell, as shown and as written."""

    text: str
    value: str | int | float | None


class SavedColumn(_Saved):
    """A column."""

    id: str
    label: str


class SavedRow(SavedColumn):
    """A row."""

    group: str
    cells: list[SavedCell]


class SavedTable(_Saved):
    """A table."""

    id: str
    title: str
    kind: str
    section: str
    columns: list[SavedColumn]
    rows: list[SavedRow]
    notes: list[str]


class SavedPart(_Saved):
    """A part that has an id; the rest is compared whatever it says."""

    id: str


class SavedChapter(SavedPart):
    """A chapter of prose."""

    title: str
    paragraphs: list[str]


class SavedPriced(SavedPart):
    """A part that may cost something."""

    price: list[Part] = []


class SavedComposition(_Saved):
    """What a legal army is."""

    levels: list[SavedPart] = []
    entries: list[SavedPriced] = []
    options: list[SavedPriced] = []
    constraints: list[SavedPart] = []


class SavedBook(SavedPart):
    """An army book."""

    title: str
    units: list[SavedPart] = []


class SavedIdentity(_Saved):
    """What the system says of itself beside its name."""

    scales: list[SavedPart] = []
    phases: list[SavedPart] = []
    chapters: list[SavedPart] = []


class SavedDetails(_Saved):
    """What a table says beside rows and columns, by their ids."""

    rows: dict[str, Part] = Field(default_factory=dict)
    columns: dict[str, Part] = Field(default_factory=dict)


class SavedEdition(_Saved):
    """The whole file."""

    system: SavedSystem
    tables: list[SavedTable]
    identity: SavedIdentity = Field(default_factory=SavedIdentity)
    details: dict[str, SavedDetails] = {}
    prose: list[SavedChapter] = []
    errata: list[SavedPart] = []
    composition: SavedComposition | None = None
    books: list[SavedBook] = []


def read_saved(path: Path, shown_as: str) -> dict[str, Any]:
    """Read an exported file.

    Raises:
        MusterError: If it is no JSON, or not what `muster export` writes, with each place.
    """
    text = read_text(path, shown_as=shown_as)
    try:
        data = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        lines = lines_of(text)
        line = lines[error.lineno - 1] if error.lineno <= len(lines) else ""
        where = Location(shown_as, error.lineno, error.colno)
        told = f"this is no JSON: {error.msg}"
        problem = Problem("bad-json", told, where, line, "muster export my-rules --out v1.json")
        raise MusterError((problem,)) from None
    _refuse_strange(data, shown_as)
    if not isinstance(data, dict):
        told = "read something else, expected what `muster export` writes: an object"
        raise MusterError((Problem("bad-type", told, Location(shown_as, 1, 1)),))
    document = Document(shown_as, text, data)
    saved = read_model(SavedEdition, document)
    _refuse_ragged(saved, document)
    return data


def _refuse_strange(data: Any, file: str) -> None:
    """Refuse what no edition holds: depth without end, and signs that no terminal should see.

    Raises:
        MusterError: If there is any.
    """
    for value, depth in _walk(data):
        if depth > DEEPEST:
            text = f"nested deeper than {DEEPEST} levels"
            raise MusterError((Problem("too-deep", text, Location(file)),))
        if isinstance(value, str) and (found := forbidden(value)):
            text = f"the character {named(found[0])} cannot stand in a text"
            raise MusterError((Problem("bad-character", text, Location(file)),))


def _walk(data: Any) -> Iterator[tuple[Any, int]]:
    """Go through all values and keys, with how deep each stands; no recursion."""
    waiting = [(data, 0)]
    while waiting:
        value, depth = waiting.pop()
        yield value, depth
        if isinstance(value, dict):
            waiting.extend((key, depth + 1) for key in value)
            waiting.extend((each, depth + 1) for each in value.values())
        elif isinstance(value, list):
            waiting.extend((each, depth + 1) for each in value)


def _refuse_ragged(saved: SavedEdition, document: Document) -> None:
    """Refuse tables with rows that have more or fewer cells than there are columns.

    Raises:
        MusterError: With the place of every such row.
    """
    problems = [
        document.problem(
            "ragged-row",
            f"read {len(row.cells)} cells, expected {len(table.columns)}, one for each column",
            ("tables", place, "rows", n, "cells"),
        )
        for place, table in enumerate(saved.tables)
        for n, row in enumerate(table.rows)
        if len(row.cells) != len(table.columns)
    ]
    if problems:
        raise MusterError(problems)
