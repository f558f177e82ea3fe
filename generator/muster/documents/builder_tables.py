"""The tables, cards and sheet of a system for the list builder, which it loads when it shows them.

A cell is its text; or a list of its text as shown, its kind, and, if it can be calculated with, its
numerator, denominator and unit. A dash is 0 and a blank 1.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from muster.armies import load_book, load_composition
from muster.armies.books import book_ids
from muster.documents.derived_values import to_cell
from muster.documents.list_builder import (
    BuilderSystem,
    Json,
    builder_system,
    page_link,
    plain_data,
    quantity_parts,
)
from muster.documents.own_language import in_own_language
from muster.documents.passages import table_anchor
from muster.documents.pictures import distinct_pictures, read_picture
from muster.documents.website import chapter_file
from muster.systems import System
from muster.systems.layouts import Block
from muster.systems.symbols import house_symbols
from muster.tables import Diagram, Lookup, Modifiers, Results, Table
from muster.values import BLANK, DASH, Text, Value

TABLES_SCHEMA = 1
"""The version of these data: a page reads no other."""

_DASH, _BLANK = 0, 1


@in_own_language
def gather_builder_tables(system: System, pages: Collection[str] = ()) -> BuilderSystem:
    """Gather the tables of a system, its cards, and its quick-reference sheet.

    Args:
        system: The system.
        pages: The pages of web editions that are built beside the list builder.

    Raises:
        MusterError: If a table, the cards or the sheet have problems.
    """
    data = {
        "schema": TABLES_SCHEMA,
        "id": system.id,
        "phases": [[phase.id, phase.title, phase.tone] for phase in system.phases],
        "tables": [_table(system, table, pages) for table in system.tables()],
        "cards": _cards(system),
        "sides": _sides(system),
    }
    return builder_system(system, "tables", data)


def gather_builder_pictures(
    system: System, book_folders: Sequence[Any] = ()
) -> BuilderSystem | None:
    """Gather the pictures of types and of units in army books; None if there are none.

    Raises:
        MusterError: If a picture cannot be read, or they are too large together.
    """
    composition = load_composition(system)
    named = {("", entry): file for entry, file in composition.pictures.items()}
    for each in book_ids(system, book_folders):
        book = load_book(system, each, book_folders)
        named |= {(book.id, unit.id): unit.picture for unit in book.units.values() if unit.picture}
    if not named:
        return None
    read = {key: picture for key, file in named.items() if (picture := read_picture(file))}
    shown = distinct_pictures(read.values(), f"content/{system.id}")
    data = {
        "schema": TABLES_SCHEMA,
        "id": system.id,
        "pictures": [
            [
                each.name,
                f"data:{each.media_type};base64,{b64encode(each.data).decode()}",
                each.alt,
                each.credit,
            ]
            for each in shown
        ],
        "units": [[book, unit, picture.name] for (book, unit), picture in read.items()],
    }
    return builder_system(system, "pictures", data)


def _table(system: System, table: Table, pages: Collection[str]) -> Json:
    scales = [scale.id for scale in system.scales]
    at_scales = [_cells(table.at_scale(scale)) for scale in scales] or [_cells(table)]
    page = page_link(system, chapter_file(table.chapter), pages, f"#{table_anchor(table.id)}")
    data: Json = {
        "id": table.id,
        "title": table.title,
        "kind": table.kind,
        "phase": table.phase,
        "remark": table.remark,
        "columns": [
            _part({"id": column.id, "label": column.label}, column.only_for)
            for column in table.columns
        ],
        "rows": [
            _part({"id": row.id, "label": row.label, "group": row.group, "depth": row.depth},
                  row.only_for)
            for row in table.rows
        ],
        "cells": at_scales[0],
        "notes": [_part({"text": note.text}, note.only_for) for note in table.filtered_notes],
        "page": page,
    }  # fmt: skip
    more = {
        scale: cells
        for scale, cells in zip(scales, at_scales, strict=False)
        if cells != at_scales[0]
    }
    if more:
        data["scales"] = list(more.items())
    if isinstance(table, Lookup):
        data["axes"] = [axis and axis.title for axis in (table.down, table.across)]
        data["bands"] = [
            [_band(part) for part in table.rows],
            [_band(part) for part in table.columns],
        ]
        dice = table.dice if isinstance(table, Results) else ""
        data["dice"] = dice or next(
            (axis.dice for axis in (table.down, table.across) if axis and axis.dice), ""
        )
    if isinstance(table, Modifiers):
        data["good"] = table.good
    if isinstance(table, Diagram):
        data["drawn"] = True
    return {
        key: value for key, value in _part(data, table.only_for).items() if value not in ("", [])
    }


def _band(part: Any) -> list[str | bool | None] | None:
    """Return the ends of a row's or column's band, and whether each is open."""
    band = part.band
    if band is None:
        return None
    ends = [None if end is None else str(end) for end in (band.low, band.high)]
    return [*ends, band.low_open, band.high_open]


def _part(data: Json, only_for: Sequence[Mapping[str, Sequence[str]]] | None) -> Json:
    """Return a part of a table without what is empty, and with the units that it is for."""
    kept = {key: value for key, value in data.items() if value not in ("", 0)}
    if only_for is not None:
        kept["for"] = [[[name, list(values)] for name, values in each.items()] for each in only_for]
    return kept


def _cells(table: Table) -> list[list[Any]]:
    return [[_cell(cell) for cell in row.cells] for row in table.rows]


def _cell(value: Value) -> Any:
    if value is DASH:
        return _DASH
    if value is BLANK:
        return _BLANK
    if isinstance(value, Text):
        return str(value)
    return [value.show(), to_cell(value).kind, *quantity_parts(value)]


def _cards(system: System) -> Json | None:
    cards = system.cards
    if cards is None:
        return None
    data: Json = plain_data(cards)
    data.pop("drawings", None)
    data["symbols"] = [
        {
            **plain_data(rule),
            "outline": cards.drawings.get(rule.symbol) or house_symbols().get(rule.symbol, ""),
        }
        for rule in cards.symbols
    ]
    for column, written in zip(data.get("roster", []), cards.roster, strict=False):
        column["title"] = ", ".join(part.text for part in written.title_parts)
    return data


def _sides(system: System) -> list[Json]:
    """Return the sides of the quick-reference sheet: the blocks, in the order of the turn."""
    if "quick-reference" not in system.sheet_ids():
        return []
    return [
        {"title": side.title, "blocks": [_block(block) for block in side.blocks]}
        for side in system.sheet("quick-reference").sides
    ]


def _block(block: Block) -> Json:
    data: Json = {
        "title": block.title or "",
        "tables": [block.table, *block.tables] if block.table else list(block.tables),
        "rows": list(block.rows),
        "text": block.text or "",
        "formula": block.formula,
        "scale": block.scale or "",
        "tone": "" if block.tone == "neutral" else block.tone,
    }
    return {key: value for key, value in data.items() if value not in ("", [])}
