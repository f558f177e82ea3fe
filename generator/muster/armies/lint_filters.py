"""Check the filters (`for:`) of tables, sheets and conventions; find parts that lack one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from muster.armies.possible_values import Possibilities, References, filter_issues
from muster.armies.vocabulary import LEADER
from muster.problems import MusterError, did_you_mean
from muster.systems import System
from muster.systems.lint import LintIssue, as_warning, readable_tables
from muster.tables import Column, Diagram, Row, Table
from muster.tables.table import UnitFilter
from muster.yamlfile import Document, KeyPath


def table_filter_issues(
    system: System, possible: Possibilities, references: References
) -> Iterator[LintIssue]:
    """Yield what is wrong with the filters of tables and their parts, sheets and conventions."""
    for document, path, only_for in _filters_of_system(system):
        references.attributes |= set(only_for)
        for name in only_for:
            if name not in possible.names:
                hint = did_you_mean(name, possible.names)
                text = f"no unit has an attribute {name!r}{hint}"
                yield LintIssue("error", document.problem("unknown-attribute", text, path))
        yield from filter_issues(possible, document, only_for, path)


Filter = Mapping[str, Sequence[str]]


def _filters_of_system(system: System) -> Iterator[tuple[Document, KeyPath, Filter]]:
    """Yield each filter with its file and place; what cannot be read is told elsewhere."""
    for table_id in system.table_ids():
        with suppress(MusterError):
            table, document = system.table(table_id), system.document("tables", f"{table_id}.yaml")
            yield from ((document, *each) for each in _table_filters(table))
    for sheet_id in system.sheet_ids():
        with suppress(MusterError):
            sheet, document = system.sheet(sheet_id), system.document("sheets", f"{sheet_id}.yaml")
            parts = [
                (("sides", side_number, "blocks", n, "remark", place), part.only_for)
                for side_number, side in enumerate(sheet.sides)
                for n, block in enumerate(side.blocks)
                for place, part in enumerate(block.remark_parts)
            ]
            yield from ((document, *each) for each in _alternatives(parts))
    with suppress(MusterError):
        titles = [
            ((key, n, "title", place), part.only_for)
            for key in (("roster", "books") if system.cards else ())
            for n, column in enumerate(getattr(system.cards, key))
            for place, part in enumerate(column.title_parts)
        ]
        yield from ((system.document("cards.yaml"), *each) for each in _alternatives(titles))
    conventions = [
        (("conventions", n), note.only_for)
        for n, note in enumerate(system.identity.filtered_conventions)
    ]
    document = system.document("system.yaml")
    yield from ((document, *each) for each in _alternatives(conventions))


def _table_filters(table: Table) -> Iterator[tuple[KeyPath, Filter]]:
    rows = "drawings" if isinstance(table, Diagram) else "rows"
    parts: list[tuple[KeyPath, UnitFilter | None]] = [
        ((), table.only_for),
        *(((rows, n), row.only_for) for n, row in enumerate(table.rows)),
        *((("columns", n), column.only_for) for n, column in enumerate(table.columns)),
        *((("notes", n), note.only_for) for n, note in enumerate(table.filtered_notes)),
    ]
    yield from _alternatives(parts)


def _alternatives(
    parts: Iterable[tuple[KeyPath, UnitFilter | None]],
) -> Iterator[tuple[KeyPath, Filter]]:
    """Yield each alternative of the filters of parts, with its place."""
    for path, alternatives in parts:
        for number, only_for in enumerate(alternatives or ()):
            yield (*path, "for", *((number,) if len(alternatives or ()) > 1 else ())), only_for


_FEWEST_KEYS = 2
"""So many rows, or columns, with values of one attribute as their ids are looked up by it."""

_NOT_KINDS = {"true", "false", "none"}


def unfiltered_parts(system: System, possible: Possibilities) -> Iterator[LintIssue]:
    """Find rows and columns of sheets that stand for one kind of unit, and have no `for:`.

    An army's own sheet would print them for an army without any such unit, beside others that it
    leaves out. Only types and what other filters name are looked for: a formation, say, is no kind
    of unit, but what any unit may take. A system without any `for:` prints all for every army.
    """
    tables = {id_: table for id_, table in readable_tables(system)[0].items() if table is not None}
    filters = [each for table in tables.values() for _, each in _table_filters(table)]
    if not filters:
        return
    values = _values_of_units(possible, {"type", *(name for each in filters for name in each)})
    try:
        shown = tables_on_sheets(system)
    except MusterError:
        return
    for table_id in sorted(shown & tables.keys()):
        table = tables[table_id]
        if table.only_for is not None:
            continue
        document = system.document("tables", f"{table_id}.yaml")
        both: dict[str, Sequence[Row | Column]] = {"row": table.rows, "column": table.columns}
        for noun, parts in both.items():
            for place, part_id, name in _parts_by_attribute(parts, values):
                text = (
                    f"the {noun} {part_id!r} of “{table.title}” is for one {name} only, but stands "
                    f"on every army’s sheet; add `for: {{{name}: [{part_id}]}}`, or give the table "
                    "a `for:`"
                )
                path: KeyPath = (f"{noun}s", place)
                yield as_warning(document.problem("no-filter", text, path))


def _parts_by_attribute(
    parts: Sequence[Row | Column], values: Mapping[str, frozenset[str]]
) -> list[tuple[int, str, str]]:
    """Return parts without a filter: the place, the id, and the attribute that the id is of."""
    for name, known in values.items():
        places = [place for place, part in enumerate(parts) if part.id in known]
        without = [place for place in places if parts[place].only_for is None]
        if len(places) >= _FEWEST_KEYS and without:
            return [(place, parts[place].id, name) for place in without]
    return []


def _values_of_units(
    possible: Possibilities, attributes: Collection[str]
) -> dict[str, frozenset[str]]:
    """Return the values that units can have of attributes; yes and no are not kinds of unit.

    What a level of command says, such as the weather, is no attribute of a unit.
    """
    written = possible.composition.written
    units = [entry for entry in written.entries if entry.level != LEADER]
    own = {"type", *(name for unit in units for name in (*unit.attributes, *unit.fields))}
    own |= {name for option in written.options for name in option.attributes}
    return {
        name: frozenset[str]().union(*(possible.of(unit, name).values for unit in units))
        - _NOT_KINDS
        for name in sorted(own & set(attributes))
    }


def tables_on_sheets(system: System) -> set[str]:
    """Return the ids of the tables that sheets show.

    Raises:
        MusterError: If a sheet cannot be read.
    """
    sheets = [system.sheet(sheet_id) for sheet_id in system.sheet_ids()]
    blocks = [block for sheet in sheets for side in sheet.sides for block in side.blocks]
    return {name for block in blocks for name in (block.table, *block.tables) if name}
