"""Owns the checks on errata: places exist, blanks are accounted for, departures depart.

Does not judge a reading; people do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from generator.problems import MusterError
from generator.reading import Document, did_you_mean
from generator.systems.errata import Errata, Place
from generator.systems.flaw import Flaw, errors
from generator.systems.system import System
from generator.tables import Definitions, Modifiers, Row, Table
from generator.values import BLANK, Scaled, Value

Tables = Mapping[str, Table | None]


def errata_flaws(system: System, tables: Tables) -> Iterator[Flaw]:
    """Check `errata.yaml` against the tables, and the tables' blanks against it.

    Args:
        system: The rule system.
        tables: All its tables by id; None for one that cannot be read.
    """
    try:
        errata = system.errata
    except MusterError as fault:
        yield from errors(fault.problems)
        return
    if errata.entries:
        yield from _entries(system, errata, tables)
    for table in tables.values():
        if table is not None:
            yield from _blanks(system, errata, table)


def _entries(system: System, errata: Errata, tables: Tables) -> Iterator[Flaw]:
    document = system.document("errata.yaml")
    seen: set[str] = set()
    for place, entry in enumerate(errata.entries):
        if entry.id in seen:
            text = f"the id {entry.id!r} stands above already"
            yield Flaw("error", document.problem("duplicate-id", text, ("entries", place, "id")))
        seen.add(entry.id)
        if entry.treatment in _DEPARTING and _plain(entry.printed) == _plain(entry.read):
            text = f"read as {entry.treatment!r}, but what is read is just what is printed"
            yield Flaw("error", document.problem("no-departure", text, ("entries", place, "read")))
        for n, spot in enumerate(entry.places):
            yield from _place(system, document, spot, ("entries", place, "places", n), tables)


_DEPARTING = ("reading", "slip")


def _plain(words: str) -> str:
    """Give words as they compare: a space more or a full stop is no other reading."""
    return " ".join(words.split()).rstrip(".").casefold()


def _place(
    system: System,
    document: Document,
    spot: Place,
    path: tuple[str | int, ...],
    tables: Tables,
) -> Iterator[Flaw]:
    def missing(what: str, name: str, known: list[str]) -> Flaw:
        text = f"there is no {what} {name!r}{did_you_mean(name, known)}"
        return Flaw("error", document.problem(f"unknown-{what}", text, (*path, what)))

    if spot.chapter is not None:
        chapters = [chapter.id for chapter in system.chapters]
        if spot.chapter not in chapters:
            yield missing("chapter", spot.chapter, chapters)
    if spot.part is not None and not _has_part(system, spot.part):
        text = f"the system has no {spot.part}"
        yield Flaw("error", document.problem("unknown-part", text, (*path, "part")))
    if spot.table is None:
        return
    if spot.table not in tables:
        yield missing("table", spot.table, list(tables))
    table = tables.get(spot.table)
    if table is None:
        return
    rows = [row.id for row in table.rows]
    columns = [column.id for column in table.columns]
    if spot.row is not None and spot.row not in rows:
        yield missing("row", spot.row, rows)
    if spot.column is not None and spot.column not in columns:
        yield missing("column", spot.column, columns)


def _has_part(system: System, part: str) -> bool:
    return system.has("composition.yaml") if part == "composition" else bool(system.ids("books"))


def _blanks(system: System, errata: Errata, table: Table) -> Iterator[Flaw]:
    """Find blank cells that no entry of treatment `blank` accounts for."""
    places = [
        place
        for entry in errata.entries
        if entry.treatment == "blank"
        for place in entry.places
        if place.table == table.id
    ]
    for number, row in enumerate(table.rows):
        for column, cell in zip(table.columns, row.cells, strict=True):
            if _is_blank(cell) and not any(_covers(place, row, column.id) for place in places):
                text = f"the blank at {row.label}, {column.label} has no entry in errata.yaml"
                example = (
                    f"places: [{{table: {table.id}, row: {row.id}, column: {column.id}}}]"
                    " with treatment: blank"
                )
                path = ("rows", number, *_key(table, column.id))
                document = system.document("tables", f"{table.id}.yaml")
                yield Flaw(
                    "error", document.problem("blank-not-in-errata", text, path, example=example)
                )


def _key(table: Table, column: str) -> tuple[str | int, ...]:
    """Give the key under which a cell stands in its row of the file."""
    if isinstance(table, Modifiers | Definitions):
        return (column,)
    return "cells", table.column(column)


def _is_blank(cell: Value) -> bool:
    """Tell whether a cell is blank, at one scale at least."""
    if isinstance(cell, Scaled):
        return any(each is BLANK for each in cell.by_scale.values())
    return cell is BLANK


def _covers(place: Place, row: Row, column: str) -> bool:
    return place.row in {None, row.id} and place.column in {None, column}
