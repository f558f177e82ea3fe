"""An edition as plain data: what `muster export` writes, made from a system or read from a file.

This is the compiled form of a rule system. `export`, `diff`, the data attached to a PDF and a
book's list of changes all start from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
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
from muster.tables.scenes import Piece, Tabletop
from muster.tables.table import Drawing, UnitFilter
from muster.values import BLANK, Distance, Number, Value
from muster.yamlfile import read_document, read_model, read_text
from muster.yamlfile.document import Document
from muster.yamlfile.textfile import (
    describe_character,
    find_forbidden,
    split_lines,
    working_folder_around,
)

Data = dict[str, Any]

_SYSTEM_KEYS = {"id", "title", "edition"}
"""The keys of the identity that the key `system` holds already."""


def edition_data(system: System) -> Data:
    """Return everything in a system as plain data, ready for JSON.

    Other programs may rely on the keys `system` and `tables`; more keys may be added.

    Raises:
        MusterError: With the faults of all tables that cannot be read or, if all can, of the first
            other part that cannot.
    """
    identity = system.identity
    scales = [(scale.id, scale.title) for scale in system.scales]
    tables = system.tables()
    identity_data = _dump(identity)
    identity_data["source"].pop("credit")
    return {
        "system": {
            "id": system.id,
            "title": system.title,
            "edition": identity.edition,
            "source": identity.source.credit,
        },
        "tables": [_table_data(table.split_by_scale(scales)) for table in tables],
        "identity": {key: value for key, value in identity_data.items() if key not in _SYSTEM_KEYS},
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
        "notes": list(table.all_notes),
    }


def _row_data(rows: tuple[Row, ...]) -> list[Data]:
    """Return rows as data; the group of a step within a step is the label of the outer one."""
    data = []
    labels: list[str] = []
    for row in rows:
        labels = [*labels[: row.depth], row.label]
        group = labels[row.depth - 1] if row.depth else row.group
        cells = [{"text": cell.show(), "value": json_value(cell)} for cell in row.cells]
        data.append({"id": row.id, "label": row.label, "group": group, "cells": cells})
    return data


def json_value(value: Value) -> str | float | None:
    """Return a plain number as a number, a blank as None, and any other value as its text."""
    if value is BLANK:
        return None
    if isinstance(value, Number):
        amount = value.amount
        return int(amount) if amount == amount.to_integral_value() else float(amount)
    return str(value)


_NO_DETAILS = {
    *("id", "title", "chapter", "columns", "rows", "notes", "note_filters", "glossary", "index")
}
"""The fields of a table that its fixed keys hold already, or that are not part of the rules."""

_KEY_NAMES = {"only_for": "for"}


def _table_details(table: Table) -> Data:
    """Return what a table holds besides its rows and columns, without what is empty."""
    details: Data = {}
    for field in fields(table):
        if field.name in _NO_DETAILS:
            continue
        value = getattr(table, field.name)
        value = _filter_part(value) if field.name == "only_for" else _json_part(value)
        if value not in (None, "", [], {}):
            details[_KEY_NAMES.get(field.name, field.name.replace("_", "-"))] = value
    columns = {
        column.id: {"for": _filter_part(column.only_for)}
        for column in table.columns
        if column.only_for
    }
    rows = {row.id: data for row in table.rows if (data := dict(_row_details(row)))}
    return {
        **details,
        **({"columns": columns} if columns else {}),
        **({"rows": rows} if rows else {}),
    }


def _row_details(row: Row) -> Iterator[tuple[str, Any]]:
    if row.short:
        yield "short", row.short
    if row.phase:
        yield "phase", row.phase
    if row.only_for:
        yield "for", _filter_part(row.only_for)


def _filter_part(alternatives: UnitFilter | None) -> Any:
    """Return a filter as a file writes it: a mapping, or a list of alternatives."""
    parts = [_json_part(each) for each in alternatives or ()]
    return parts[0] if len(parts) == 1 else parts


def _json_part(value: Any) -> Any:
    """Return a part of a table as JSON data, without what is empty."""
    match value:
        case None | str() | int():
            return value or None
        case Mapping():
            return {str(key): _json_part(item) for key, item in value.items()}
        case tuple():
            return [_json_part(item) for item in value]
        case Drawing():
            return _drawn_part(value)
    if hasattr(value, "parse"):
        return str(value)
    parts = {field.name: getattr(value, field.name) for field in fields(value)}
    return {key: str(part) for key, part in parts.items() if part != ""}


def _drawn_part(value: Any) -> Any:
    """Return a drawing, or what is in it, as JSON data, without what has its default."""
    match value:
        case None | str() | int() | float():
            return value
        case tuple():
            return [_drawn_part(item) for item in value]
        case Distance():
            return str(value)
        case Drawing() | Piece() | Tabletop():
            return {
                field.name: _drawn_part(part)
                for field in fields(value)
                if (part := getattr(value, field.name)) != field.default
            }
    return value.show()


_UNREADABLE_CODES = {
    *("missing-file", "unreadable-file", "not-a-file", "file-too-large", "not-utf-8"),
    "bad-character",
}


def _read_chapters(system: System) -> Sequence[ChapterText]:
    """Return the chapters of prose; `muster lint` reports faults of their contents.

    Raises:
        MusterError: If a chapter's file cannot be read at all.
    """
    prose = read_prose(system)
    unreadable = [problem for problem in prose.problems if problem.code in _UNREADABLE_CODES]
    if unreadable:
        raise MusterError(unreadable)
    return prose.chapters


def _chapter_data(chapter: ChapterText) -> Data:
    return {
        "id": chapter.id,
        "title": chapter.title,
        "paragraphs": [paragraph for paragraph, _ in locate_paragraphs(chapter.text)],
    }


_NEW_BLOCK = re.compile(r"\s*([-*] |\d{1,3}\. |#{1,6} |!!! )")


def locate_paragraphs(text: str) -> Iterator[tuple[str, int]]:
    """Split Markdown into its paragraphs, headings and list items.

    Each is joined to one line, so that it makes no difference how lines are wrapped; its indent
    is kept. With it comes the offset in the text at which it ends.
    """
    lines: list[str] = []
    end = start = 0
    for line in [*text.split("\n"), ""]:
        words = line.strip()
        starts_block = not words or _NEW_BLOCK.match(line) is not None
        if lines and (starts_block or lines[0].lstrip().startswith(("#", "!"))):
            yield " ".join(lines), end
            lines = []
        if words:
            indent = (len(line) - len(line.lstrip())) // 4 * "    "
            lines.append(words if lines else indent + words)
            end = start + len(line.rstrip())
        start += len(line) + 1


def _book_data(system: System) -> Iterator[Data]:
    for path in find_books(system).values():
        document = read_document(path, shown_as=system.path_in_system(path), within=system.folder)
        yield _dump(read_model(WrittenBook, document))


class _Saved(BaseModel):
    """A part of a saved edition; a later Muster may have added keys."""

    model_config = ConfigDict(extra="allow", strict=True)


class SavedSystem(_Saved):
    """The system's id, title and edition, and the credit of its source."""

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
    """A part that has an id; whatever else it holds is compared without being checked."""

    id: str


class SavedChapter(SavedPart):
    """A chapter of prose."""

    title: str
    paragraphs: list[str]


class SavedPriced(SavedPart):
    """A part that may have a price."""

    price: list[Data] = []


class SavedComposition(_Saved):
    """The rules that make an army legal."""

    levels: list[SavedPart] = []
    entries: list[SavedPriced] = []
    options: list[SavedPriced] = []
    constraints: list[SavedPart] = []


class SavedBook(SavedPart):
    """An army book."""

    title: str
    units: list[SavedPart] = []


class SavedIdentity(_Saved):
    """The rest of a system's identity."""

    scales: list[SavedPart] = []
    phases: list[SavedPart] = []
    chapters: list[SavedPart] = []


class SavedDetails(_Saved):
    """The details of a table besides labels, cells and notes; of rows and columns, by their ids."""

    rows: dict[str, Data] = Field(default_factory=dict)
    columns: dict[str, Data] = Field(default_factory=dict)


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


MAX_DEPTH = 40
"""The levels of the deepest file that is read; Muster's own files have about ten."""


def read_snapshot(path: Path, shown_as: str) -> Data:
    """Read a file that `muster export` wrote.

    Args:
        path: The file.
        shown_as: What messages call it.

    Raises:
        MusterError: If it is not JSON, or not what `muster export` writes, with the place of
            every fault.
    """
    text = read_text(path, shown_as=shown_as, within=working_folder_around(path))
    try:
        data = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        lines = split_lines(text)
        line = lines[error.lineno - 1] if error.lineno <= len(lines) else ""
        location = Location(shown_as, error.lineno, error.colno)
        message = f"this cannot be read as JSON: {error.msg}"
        example = "muster export my-rules --out v1.json"
        raise MusterError((Problem("bad-json", message, location, line, example),)) from None
    _refuse_unsafe(data, shown_as)
    if not isinstance(data, dict):
        message = f"read {_json_kind(data)}, expected an object, as `muster export` writes it"
        raise MusterError((Problem("bad-type", message, Location(shown_as, 1, 1)),))
    document = Document(shown_as, text, data)
    saved = read_model(SavedEdition, document)
    _refuse_ragged(saved, document)
    return data


def _json_kind(data: Any) -> str:
    match data:
        case None:
            return "null"
        case list():
            return "a list"
        case str():
            return "text"
        case bool():
            return "true or false"
    return "a number"


def _refuse_unsafe(data: Any, file: str) -> None:
    """Refuse data that is nested too deep, or that holds characters which control a terminal.

    Raises:
        MusterError: If there is any.
    """
    for value, depth in _walk(data):
        if depth > MAX_DEPTH:
            message = f"lists and objects may be nested at most {MAX_DEPTH} levels deep"
            raise MusterError((Problem("too-deep", message, Location(file)),))
        if isinstance(value, str) and (forbidden := find_forbidden(value)):
            message = f"the character {describe_character(forbidden[0])} is not allowed in text"
            raise MusterError((Problem("bad-character", message, Location(file)),))


def _walk(data: Any) -> Iterator[tuple[Any, int]]:
    """Yield all values and keys with their depth, without recursion.

    Recursion would fail on a file that is nested deeper than Python's stack.
    """
    waiting = [(data, 0)]
    while waiting:
        value, depth = waiting.pop()
        yield value, depth
        if isinstance(value, dict):
            waiting.extend((key, depth + 1) for key in value)
            waiting.extend((item, depth + 1) for item in value.values())
        elif isinstance(value, list):
            waiting.extend((item, depth + 1) for item in value)


def _refuse_ragged(saved: SavedEdition, document: Document) -> None:
    """Refuse tables in which a row has more or fewer cells than there are columns.

    Raises:
        MusterError: With the place of every such row.
    """
    problems = [
        document.problem(
            "ragged-row",
            f"read {len(row.cells)} cells, expected {len(table.columns)}, one for each column",
            ("tables", table_place, "rows", row_place, "cells"),
        )
        for table_place, table in enumerate(saved.tables)
        for row_place, row in enumerate(table.rows)
        if len(row.cells) != len(table.columns)
    ]
    if problems:
        raise MusterError(problems)
