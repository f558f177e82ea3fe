"""An edition as plain data: what `muster export` writes, from a system or read from a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict, Field

from muster.armies.books import WrittenBook, find_books
from muster.armies.composition import COMPOSITION_FILE, load_composition
from muster.problems import Location, MusterError, Problem
from muster.systems import System
from muster.systems.prose import ChapterText, read_prose
from muster.tables import Row, Table
from muster.values import BLANK, Number, Value
from muster.yamlfile import read_document, read_model, read_text
from muster.yamlfile.document import Document
from muster.yamlfile.textfile import describe_character, find_forbidden, split_lines

Data = dict[str, Any]

_NO_DETAILS = {"id", "title", "chapter", "columns", "rows", "notes", "glossary"}
"""What the fixed keys of a table hold already, or what is no part of the rules."""

_SYSTEM_KEYS = {"id", "title", "edition"}
"""What the key `system` holds already."""

_NEW_BLOCK = re.compile(r"\s*([-*] |\d{1,3}\. |#{1,6} |!!! )")


def edition_data(system: System) -> Data:
    """Give all that a system says as plain data, ready for JSON.

    `system` and `tables` are a contract with others; the keys beside them may grow.

    Raises:
        MusterError: With the faults of all tables that cannot be read, else of the first other
            part that cannot be.
    """
    identity = system.identity
    scales = [(scale.id, scale.title) for scale in system.scales]
    tables = system.tables()
    said = _dump(identity)
    said["source"].pop("credit")
    return {
        "system": {
            "id": system.id,
            "title": system.title,
            "edition": identity.edition,
            "source": identity.source.credit,
        },
        "tables": [_table_data(table.split_by_scale(scales)) for table in tables],
        "identity": {key: value for key, value in said.items() if key not in _SYSTEM_KEYS},
        "details": {table.id: _table_details(table) for table in tables},
        "prose": [_chapter_data(chapter) for chapter in _read_chapters(system)],
        "errata": [_dump(entry) for entry in system.errata.entries],
        "composition": _dump(load_composition(system).written)
        if system.has_file(COMPOSITION_FILE)
        else None,
        "books": list(_book_data(system)),
    }


def _dump(model: BaseModel) -> Data:
    return model.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def _table_data(table: Table) -> Data:
    return {
        "id": table.id,
        "title": table.title,
        "kind": table.kind,
        "section": table.chapter,
        "columns": [{"id": column.id, "label": column.label} for column in table.columns],
        "rows": _row_data(table.rows),
        "notes": list(table.notes),
    }


def _row_data(rows: tuple[Row, ...]) -> list[Data]:
    """Flatten rows; a step within a step has the outer one's label for its group."""
    flat = []
    above: list[str] = []
    for row in rows:
        above = [*above[: row.depth], row.label]
        group = above[row.depth - 1] if row.depth else row.group
        cells = [{"text": cell.show(), "value": json_value(cell)} for cell in row.cells]
        flat.append({"id": row.id, "label": row.label, "group": group, "cells": cells})
    return flat


def json_value(value: Value) -> str | float | None:
    """Give a value as JSON holds it: a plain number as number, a blank as null, else its text."""
    if value is BLANK:
        return None
    if isinstance(value, Number):
        amount = value.amount
        return int(amount) if amount == amount.to_integral_value() else float(amount)
    return str(value)


def _table_details(table: Table) -> Data:
    """Give what a table says beside its rows and columns, as far as it says anything."""
    said: Data = {}
    for field in fields(table):
        value = getattr(table, field.name)
        if field.name not in _NO_DETAILS and (kept := _json_part(value)) not in (None, "", [], {}):
            said[_KEY_NAMES.get(field.name, field.name.replace("_", "-"))] = kept
    columns = {
        column.id: {"for": _json_part(column.only_for)}
        for column in table.columns
        if column.only_for
    }
    rows = {row.id: kept for row in table.rows if (kept := dict(_row_details(row)))}
    return {
        **said,
        **({"columns": columns} if columns else {}),
        **({"rows": rows} if rows else {}),
    }


_KEY_NAMES = {"only_for": "for"}


def _row_details(row: Row) -> Iterator[tuple[str, Any]]:
    if row.short:
        yield "short", row.short
    if row.phase:
        yield "phase", row.phase
    if row.only_for:
        yield "for", _json_part(row.only_for)


def _json_part(value: Any) -> Any:
    """Give a part of a table as JSON holds it; what is empty or not said is left out."""
    match value:
        case None | str() | int():
            return value or None
        case Mapping():
            return {str(key): _json_part(each) for key, each in value.items()}
        case tuple():
            return [_json_part(each) for each in value]
    if hasattr(value, "parse"):
        return str(value)
    parts = {field.name: getattr(value, field.name) for field in fields(value)}
    return {key: str(part) for key, part in parts.items() if part != ""}


def _read_chapters(system: System) -> Iterator[ChapterText]:
    """Give the chapters of prose; faults of their contents are for lint.

    Raises:
        MusterError: If a chapter's file cannot be read at all.
    """
    prose = read_prose(system)
    unread = [each for each in prose.problems if each.code in _UNREADABLE_CODES]
    if unread:
        raise MusterError(unread)
    yield from prose.chapters


_UNREADABLE_CODES = {
    *("missing-file", "unreadable-file", "not-a-file", "file-too-large", "not-utf-8"),
    "bad-character",
}


def _chapter_data(chapter: ChapterText) -> Data:
    return {
        "id": chapter.id,
        "title": chapter.title,
        "paragraphs": list(split_paragraphs(chapter.text)),
    }


def split_paragraphs(text: str) -> Iterator[str]:
    """Cut Markdown into its paragraphs, headings and items of lists, each in one line.

    How the lines are wrapped does not matter; that a paragraph is indented does.
    """
    for paragraph, _ in locate_paragraphs(text):
        yield paragraph


def locate_paragraphs(text: str) -> Iterator[tuple[str, int]]:
    """Cut Markdown into paragraphs, each with the place in the text where it ends."""
    kept: list[str] = []
    end = start = 0
    for line in [*text.split("\n"), ""]:
        bare = line.strip()
        if kept and (not bare or _NEW_BLOCK.match(line) or kept[0].lstrip().startswith(("#", "!"))):
            yield " ".join(kept), end
            kept = []
        if bare:
            indent = (len(line) - len(line.lstrip())) // 4 * "    "
            kept.append(bare if kept else indent + bare)
            end = start + len(line.rstrip())
        start += len(line) + 1


def _book_data(system: System) -> Iterator[Data]:
    for path in find_books(system).values():
        yield _dump(
            read_model(WrittenBook, read_document(path, shown_as=system.path_in_system(path)))
        )


MAX_DEPTH = 40
"""Levels of the deepest file that is read; Muster's own have about ten."""

SavedMapping = dict[str, Any]


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

    price: list[SavedMapping] = []


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

    rows: dict[str, SavedMapping] = Field(default_factory=dict)
    columns: dict[str, SavedMapping] = Field(default_factory=dict)


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


def read_snapshot(path: Path, shown_as: str) -> dict[str, Any]:
    """Read an exported file.

    Raises:
        MusterError: If it is no JSON, or not what `muster export` writes, with each place.
    """
    text = read_text(path, shown_as=shown_as)
    try:
        data = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        lines = split_lines(text)
        line = lines[error.lineno - 1] if error.lineno <= len(lines) else ""
        where = Location(shown_as, error.lineno, error.colno)
        told = f"this is no JSON: {error.msg}"
        problem = Problem("bad-json", told, where, line, "muster export my-rules --out v1.json")
        raise MusterError((problem,)) from None
    _refuse_unsafe(data, shown_as)
    if not isinstance(data, dict):
        told = "read something else, expected what `muster export` writes: an object"
        raise MusterError((Problem("bad-type", told, Location(shown_as, 1, 1)),))
    document = Document(shown_as, text, data)
    saved = read_model(SavedEdition, document)
    _refuse_ragged(saved, document)
    return data


def _refuse_unsafe(data: Any, file: str) -> None:
    """Refuse what no edition holds: depth without end, and signs that no terminal should see.

    Raises:
        MusterError: If there is any.
    """
    for value, depth in _walk(data):
        if depth > MAX_DEPTH:
            text = f"nested deeper than {MAX_DEPTH} levels"
            raise MusterError((Problem("too-deep", text, Location(file)),))
        if isinstance(value, str) and (found := find_forbidden(value)):
            text = f"the character {describe_character(found[0])} cannot stand in a text"
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
