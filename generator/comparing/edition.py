"""Owns an edition as plain data: all that a rule system says, as `muster export` prints it.

Does not read files. Two editions are compared by these data alone, so that an exported file, a
folder and a revision can stand on either side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from pydantic import BaseModel

from generator.armies.books import WrittenBook, find_books
from generator.armies.composing import FILE, load_composition
from generator.problems import MusterError
from generator.reading import read_document, read_model
from generator.systems import System
from generator.systems.prose import Chapter, read_prose
from generator.tables import Row, Table
from generator.values import BLANK, Number, Value

Data = dict[str, Any]

_SHOWN = {"id", "title", "chapter", "columns", "rows", "notes", "glossary"}
"""What the fixed keys of a table hold already, or what is no part of the rules."""

_AT_HOME = {"id", "title", "edition"}
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
        "tables": [_table(table.by_scale(scales)) for table in tables],
        "identity": {key: value for key, value in said.items() if key not in _AT_HOME},
        "details": {table.id: _details(table) for table in tables},
        "prose": [_chapter(chapter) for chapter in _chapters(system)],
        "errata": [_dump(entry) for entry in system.errata.entries],
        "composition": _dump(load_composition(system).written) if system.has(FILE) else None,
        "books": list(_books(system)),
    }


def _dump(model: BaseModel) -> Data:
    return model.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def _table(table: Table) -> Data:
    return {
        "id": table.id,
        "title": table.title,
        "kind": table.kind,
        "section": table.chapter,
        "columns": [{"id": column.id, "label": column.label} for column in table.columns],
        "rows": _rows(table.rows),
        "notes": list(table.notes),
    }


def _rows(rows: tuple[Row, ...]) -> list[Data]:
    """Flatten rows; a step within a step has the outer one's label for its group."""
    flat = []
    above: list[str] = []
    for row in rows:
        above = [*above[: row.depth], row.label]
        group = above[row.depth - 1] if row.depth else row.group
        cells = [{"text": cell.show(), "value": plain(cell)} for cell in row.cells]
        flat.append({"id": row.id, "label": row.label, "group": group, "cells": cells})
    return flat


def plain(value: Value) -> str | float | None:
    """Give a value as JSON holds it: a plain number as number, a blank as null, else its text."""
    if value is BLANK:
        return None
    if isinstance(value, Number):
        amount = value.amount
        return int(amount) if amount == amount.to_integral_value() else float(amount)
    return str(value)


def _details(table: Table) -> Data:
    """Give what a table says beside its rows and columns, as far as it says anything."""
    said: Data = {}
    for field in fields(table):
        value = getattr(table, field.name)
        if field.name not in _SHOWN and (kept := _said(value)) not in (None, "", [], {}):
            said[_KEYS.get(field.name, field.name.replace("_", "-"))] = kept
    columns = {
        column.id: {"for": _said(column.only_for)} for column in table.columns if column.only_for
    }
    rows = {row.id: kept for row in table.rows if (kept := dict(_row_details(row)))}
    return {
        **said,
        **({"columns": columns} if columns else {}),
        **({"rows": rows} if rows else {}),
    }


_KEYS = {"only_for": "for"}


def _row_details(row: Row) -> Iterator[tuple[str, Any]]:
    if row.short:
        yield "short", row.short
    if row.phase:
        yield "phase", row.phase
    if row.only_for:
        yield "for", _said(row.only_for)


def _said(value: Any) -> Any:
    """Give a part of a table as JSON holds it; what is empty or not said is left out."""
    match value:
        case None | str() | int():
            return value or None
        case Mapping():
            return {str(key): _said(each) for key, each in value.items()}
        case tuple():
            return [_said(each) for each in value]
    if hasattr(value, "parse"):
        return str(value)
    parts = {field.name: getattr(value, field.name) for field in fields(value)}
    return {key: str(part) for key, part in parts.items() if part != ""}


def _chapters(system: System) -> Iterator[Chapter]:
    """Give the chapters of prose; faults of their contents are for lint.

    Raises:
        MusterError: If a chapter's file cannot be read at all.
    """
    prose = read_prose(system)
    unread = [each for each in prose.problems if each.code in _UNREADABLE]
    if unread:
        raise MusterError(unread)
    yield from prose.chapters


_UNREADABLE = {
    *("missing-file", "unreadable-file", "not-a-file", "file-too-large", "not-utf-8"),
    "bad-character",
}


def _chapter(chapter: Chapter) -> Data:
    return {
        "id": chapter.id,
        "title": chapter.title,
        "paragraphs": list(paragraphs(chapter.text)),
    }


def paragraphs(text: str) -> Iterator[str]:
    """Cut Markdown into its paragraphs, headings and items of lists, each in one line.

    How the lines are wrapped does not matter; that a paragraph is indented does.
    """
    for paragraph, _ in paragraphs_placed(text):
        yield paragraph


def paragraphs_placed(text: str) -> Iterator[tuple[str, int]]:
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


def _books(system: System) -> Iterator[Data]:
    for path in find_books(system).values():
        yield _dump(read_model(WrittenBook, read_document(path, shown_as=system.shown(path))))
