"""Check a system's content: tables, sheets, errata, prose and editions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from muster.problems import MusterError, Problem, did_you_mean
from muster.systems.errata import Errata, Place
from muster.systems.evaluation import evaluate_prose
from muster.systems.layouts import Block, WrittenSheet
from muster.systems.press_profile import read_press_profile
from muster.systems.system import System
from muster.tables import Definitions, Diagram, Modifiers, Row, Table
from muster.values import BLANK, Scaled, Target, Value
from muster.yamlfile import Document

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class LintIssue:
    """Something wrong with content: an error is never printed over, a warning may be meant."""

    severity: Severity
    problem: Problem


def as_errors(problems: Iterable[Problem]) -> list[LintIssue]:
    """Make every problem an error."""
    return [LintIssue("error", problem) for problem in problems]


def as_warning(problem: Problem) -> LintIssue:
    """Make a problem a warning."""
    return LintIssue("warning", problem)


def sorted_issues(flaws: Iterable[LintIssue]) -> list[LintIssue]:
    """Sort flaws by file and place, each once."""

    def place(flaw: LintIssue) -> tuple[str, int, int, str, str]:
        where = flaw.problem.location
        problem = flaw.problem
        return where.file, where.line or 0, where.column or 0, problem.code, problem.text

    return sorted(dict.fromkeys(flaws), key=place)


KeyPath = tuple[str | int, ...]


def sheet_problems(system: System, sheet_id: str, sheet: WrittenSheet) -> Iterator[Problem]:
    """Find what is wrong with a sheet, with the faults of the tables that it names.

    Each fault stands at its place in the sheet file; those of a table in the table's.
    """
    document = system.document("sheets", f"{sheet_id}.yaml")
    if sheet.id != sheet_id:
        text = f"read the id {sheet.id!r}, expected {sheet_id!r}, the file's name"
        yield document.problem("id-is-not-file-name", text, ("id",))
    for side_place, side in enumerate(sheet.sides):
        for place, block in enumerate(side.blocks):
            path: KeyPath = ("sides", side_place, "blocks", place)
            yield from _block_problems(system, document, block, path)


def _block_problems(
    system: System, document: Document, block: Block, path: KeyPath
) -> Iterator[Problem]:
    named: list[tuple[KeyPath, str]] = [((*path, "table"), block.table)] if block.table else []
    named += [((*path, "tables", n), each) for n, each in enumerate(block.tables)]
    if not named and not block.text:
        yield document.problem("empty-block", "a block shows a table, several, or a text", path)
    rows: set[str] = set()
    sure = True
    for where, table_id in named:
        try:
            rows |= {row.id for row in system.table(table_id).rows}
        except MusterError as fault:
            sure = False
            for problem in fault.problems:
                unknown = problem.code == "unknown-table"
                yield document.problem(problem.code, problem.text, where) if unknown else problem
    for n, row_id in enumerate(block.rows if sure else ()):
        if row_id not in rows:
            hint = did_you_mean(row_id, rows)
            text = f"there is no row {row_id!r} in the tables of this block{hint}"
            yield document.problem("unknown-row", text, (*path, "rows", n))


_TablesById = Mapping[str, Table | None]


def errata_issues(system: System, tables: _TablesById) -> Iterator[LintIssue]:
    """Check `errata.yaml` against the tables, and the tables' blanks against it.

    Args:
        system: The rule system.
        tables: All its tables by id; None for one that cannot be read.
    """
    try:
        errata = system.errata
    except MusterError as fault:
        yield from as_errors(fault.problems)
        return
    if errata.entries:
        yield from _erratum_issues(system, errata, tables)
    for table in tables.values():
        if table is not None:
            yield from _blank_issues(system, errata, table)


def _erratum_issues(system: System, errata: Errata, tables: _TablesById) -> Iterator[LintIssue]:
    document = system.document("errata.yaml")
    seen: set[str] = set()
    for place, entry in enumerate(errata.entries):
        if entry.id in seen:
            text = f"the id {entry.id!r} stands above already"
            yield LintIssue(
                "error", document.problem("duplicate-id", text, ("entries", place, "id"))
            )
        seen.add(entry.id)
        if entry.treatment in _DEPARTING_TREATMENTS and _normalised(entry.printed) == _normalised(
            entry.read
        ):
            text = f"read as {entry.treatment!r}, but what is read is just what is printed"
            yield LintIssue(
                "error", document.problem("no-departure", text, ("entries", place, "read"))
            )
        for n, spot in enumerate(entry.places):
            yield from _place_issues(
                system, document, spot, ("entries", place, "places", n), tables
            )


_DEPARTING_TREATMENTS = ("reading", "slip")


def _normalised(words: str) -> str:
    """Give words as they compare: a space more or a full stop is no other reading."""
    return " ".join(words.split()).rstrip(".").casefold()


def _place_issues(
    system: System,
    document: Document,
    spot: Place,
    path: tuple[str | int, ...],
    tables: _TablesById,
) -> Iterator[LintIssue]:
    def missing(what: str, name: str, known: list[str]) -> LintIssue:
        text = f"there is no {what} {name!r}{did_you_mean(name, known)}"
        return LintIssue("error", document.problem(f"unknown-{what}", text, (*path, what)))

    if spot.chapter is not None:
        chapters = [chapter.id for chapter in system.chapters]
        if spot.chapter not in chapters:
            yield missing("chapter", spot.chapter, chapters)
    if spot.part is not None and not _has_part(system, spot.part):
        text = f"the system has no {spot.part}"
        yield LintIssue("error", document.problem("unknown-part", text, (*path, "part")))
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
    return (
        system.has_file("composition.yaml")
        if part == "composition"
        else bool(system.yaml_ids("books"))
    )


def _blank_issues(system: System, errata: Errata, table: Table) -> Iterator[LintIssue]:
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
                path = ("rows", number, *_cell_path(table, column.id))
                document = system.document("tables", f"{table.id}.yaml")
                yield LintIssue(
                    "error", document.problem("blank-not-in-errata", text, path, example=example)
                )


def _cell_path(table: Table, column: str) -> tuple[str | int, ...]:
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


_REPORTED_ELSEWHERE = "unreadable-table"
"""A table that cannot be read is told of at its own place."""


def prose_issues(system: System) -> Iterator[LintIssue]:
    """Check all chapters and editions of a system; one without prose has no flaw."""
    prose = system.readable_prose
    yield from as_errors(prose.problems)
    for scale in [""] if len(system.scales) == 1 else ["", *(each.id for each in system.scales)]:
        _, problems = evaluate_prose(system, prose, scale)
        yield from as_errors(each for each in problems if each.code != _REPORTED_ELSEWHERE)
    for edition_id in system.edition_ids():
        yield from _edition_issues(system, edition_id)


def _edition_issues(system: System, edition_id: str) -> Iterator[LintIssue]:
    """Check that everything that an edition names exists, and its own id."""
    try:
        edition = system.edition(edition_id)
    except MusterError as fault:
        yield from as_errors(fault.problems)
        return
    document = system.document("editions", f"{edition_id}.yaml")
    if edition.id != edition_id:
        text = f"read the id {edition.id!r}, expected {edition_id!r}, the file's name"
        yield LintIssue("error", document.problem("id-is-not-file-name", text, ("id",)))
    chapters = [chapter.id for chapter in system.chapters]
    yield from _unknown_id_issues(document, "chapter", "chapters", edition.chapters, chapters)
    tables = system.table_ids()
    yield from _unknown_id_issues(
        document, "table", "without_tables", edition.without_tables, tables
    )
    scales = [scale.id for scale in system.scales]
    if edition.scale is not None and edition.scale not in scales:
        text = f"there is no scale {edition.scale!r}{did_you_mean(edition.scale, scales)}"
        yield LintIssue("error", document.problem("unknown-scale", text, ("scale",)))
    try:
        read_press_profile(system, edition)
    except MusterError as fault:
        yield from as_errors(fault.problems)
    if not system.chapter_files():
        text = "the system has no prose, so that this edition has nothing to print"
        yield LintIssue("error", document.problem("edition-without-prose", text, ()))


def _unknown_id_issues(
    document: Document, what: str, key: str, named: Sequence[str], known: Sequence[str]
) -> Iterator[LintIssue]:
    for place, each in enumerate(named):
        if each not in known:
            text = f"there is no {what} {each!r}{did_you_mean(each, known)}"
            yield LintIssue("error", document.problem(f"unknown-{what}", text, (key, place)))


_KeyPath = tuple[str | int, ...]


def lint_system(system: System) -> list[LintIssue]:
    """Check a system's tables, sheets and errata; faults of files that cannot be read come too."""
    tables, flaws = readable_tables(system)
    for table in tables.values():
        flaws.extend(_table_issues(system, table))
    flaws.extend(_unused_issues(system, tables))
    for sheet_id in system.sheet_ids():
        flaws.extend(_sheet_issues(system, sheet_id))
    flaws.extend(errata_issues(system, tables))
    flaws.extend(prose_issues(system))
    return sorted_issues(flaws)


def readable_tables(system: System) -> tuple[dict[str, Table | None], list[LintIssue]]:
    """Read all tables by id, with the faults of those that cannot be read and are None."""
    tables: dict[str, Table | None] = {}
    flaws: list[LintIssue] = []
    for table_id in system.table_ids():
        tables[table_id] = None
        try:
            tables[table_id] = system.table(table_id)
        except MusterError as fault:
            flaws.extend(as_errors(fault.problems))
    return tables, flaws


# Tables


def _table_problem(system: System, table: Table, code: str, text: str, path: _KeyPath) -> Problem:
    return system.document("tables", f"{table.id}.yaml").problem(code, text, path)


def _table_issues(system: System, table: Table | None) -> Iterator[LintIssue]:
    """Check one table by itself and against `system.yaml`."""
    if table is None:
        return
    chapters = [chapter.id for chapter in system.chapters]
    if table.chapter not in chapters:
        hint = did_you_mean(table.chapter, chapters)
        text = f"there is no chapter {table.chapter!r}{hint}"
        yield LintIssue(
            "error", _table_problem(system, table, "unknown-chapter", text, ("chapter",))
        )
    phases = [phase.id for phase in system.phases]
    for path, phase in _named_phases(system, table):
        if phase not in phases:
            text = f"there is no phase {phase!r}{did_you_mean(phase, phases)}"
            yield LintIssue("error", _table_problem(system, table, "unknown-phase", text, path))
    yield from _monotone_issues(system, table)
    if isinstance(table, Diagram):
        drawn = {str(cell) for row in table.rows for cell in row.cells}
        for token in table.key or {}:
            if token not in drawn:
                text = f"the figure {token!r} has a meaning but stands in no rank"
                path = ("key", token)
                yield as_warning(_table_problem(system, table, "unused-figure", text, path))


def _named_phases(system: System, table: Table) -> Iterator[tuple[_KeyPath, str]]:
    """Go through the phases that a table and its steps name, with their paths in the file."""
    if table.phase:
        yield ("phase",), table.phase
    if any(row.phase for row in table.rows):
        steps = system.document("tables", f"{table.id}.yaml").data["steps"]
        yield from _phases_of_steps(steps, ("steps",))


def _phases_of_steps(
    steps: Sequence[Mapping[str, Any]], path: _KeyPath
) -> Iterator[tuple[_KeyPath, str]]:
    for place, step in enumerate(steps):
        if "phase" in step:
            yield (*path, place, "phase"), step["phase"]
        yield from _phases_of_steps(step.get("steps", ()), (*path, place, "steps"))


def _monotone_issues(system: System, table: Table) -> Iterator[LintIssue]:
    """Hold a table to what it says of itself: that its numbers never fall, or never rise."""
    claims = [("rising", axis, 1) for axis in table.rising]
    claims += [("falling", axis, -1) for axis in table.falling]
    height, width = range(len(table.rows)), range(len(table.columns))
    for scale in system.scales if claims else ():
        rows = table.at_scale(scale.id).rows
        for word, axis, sign in claims:
            if axis == "down":
                lines = [[(row, column) for row in height] for column in width]
            else:
                lines = [[(row, column) for column in width] for row in height]
            for row, column in (spot for line in lines for spot in _wrong_steps(rows, line, sign)):
                label = f"{rows[row].label}, {table.columns[column].label}"
                shown = rows[row].cells[column].show()
                text = f"{shown} at {label} breaks `{word}: [{axis}]`"
                path = ("rows", row, "cells", column)
                yield LintIssue("error", _table_problem(system, table, f"not-{word}", text, path))


def _wrong_steps(
    rows: Sequence[Row], line: Sequence[tuple[int, int]], sign: int
) -> Iterator[tuple[int, int]]:
    """Go along a line of cells to those that step the wrong way; what is no number is passed."""
    last: Decimal | None = None
    for row, column in line:
        amount = _plain_number(rows[row].cells[column])
        if amount is None:
            continue
        if last is not None and sign * (amount - last) < 0:
            yield row, column
        last = amount


def _plain_number(value: Value) -> Decimal | None:
    """Give the plain number in a value: of a number, a distance, a modifier, a count, a target."""
    found = value.number if isinstance(value, Target) else getattr(value, "amount", None)
    return found if isinstance(found, Decimal) else None


# What nothing uses


def _unused_issues(system: System, tables: Mapping[str, Table | None]) -> Iterator[LintIssue]:
    """Find phases and scales that no table knows; one scale alone needs no mention."""
    known = [table for table in tables.values() if table is not None]
    used = {phase for table in known for phase in (table.phase, *(r.phase for r in table.rows))}
    document = system.document("system.yaml")
    for place, phase in enumerate(system.phases):
        if phase.id not in used:
            text = f"no table names the phase {phase.id!r}"
            yield as_warning(document.problem("unused-phase", text, ("phases", place)))
    if len(system.scales) > 1:
        cells = [cell for table in known for row in table.rows for cell in row.cells]
        scaled = [cell for cell in cells if isinstance(cell, Scaled)]
        for place, scale in enumerate(system.scales):
            if not any(scale.id in cell for cell in scaled):
                text = f"no cell has a value for the scale {scale.id!r}"
                yield as_warning(document.problem("unused-scale", text, ("scales", place)))


# Sheets


def _sheet_issues(system: System, sheet_id: str) -> Iterator[LintIssue]:
    """Check that every table and row that a sheet names exists, and its own id."""
    try:
        sheet = system.sheet(sheet_id)
    except MusterError as fault:
        yield from as_errors(fault.problems)
        return
    yield from as_errors(sheet_problems(system, sheet_id, sheet))
