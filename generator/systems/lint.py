"""Owns the checks on a system's tables and sheets: everything named exists and is used.

Does not check single cells (a table refuses those when it is read), errata (`lint_errata`), prose
(`lint_prose`) or what rests on the composition (`armies.lint`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from generator.problems import MusterError, Problem
from generator.reading import did_you_mean
from generator.systems.flaw import Flaw, errors, in_order, warning
from generator.systems.lint_errata import errata_flaws
from generator.systems.lint_prose import prose_flaws
from generator.systems.lint_sheets import sheet_problems
from generator.systems.system import System
from generator.tables import Diagram, Row, Table
from generator.values import Scaled, Target, Value

Path = tuple[str | int, ...]


def lint_system(system: System) -> list[Flaw]:
    """Check a system's tables, sheets and errata; faults of files that cannot be read come too."""
    tables, flaws = readable_tables(system)
    for table in tables.values():
        flaws.extend(_table(system, table))
    flaws.extend(_unused(system, tables))
    for sheet_id in system.sheet_ids():
        flaws.extend(_sheet(system, sheet_id))
    flaws.extend(errata_flaws(system, tables))
    flaws.extend(prose_flaws(system))
    return in_order(flaws)


def readable_tables(system: System) -> tuple[dict[str, Table | None], list[Flaw]]:
    """Read all tables by id, with the faults of those that cannot be read and are None."""
    tables: dict[str, Table | None] = {}
    flaws: list[Flaw] = []
    for table_id in system.table_ids():
        tables[table_id] = None
        try:
            tables[table_id] = system.table(table_id)
        except MusterError as fault:
            flaws.extend(errors(fault.problems))
    return tables, flaws


# Tables


def _problem(system: System, table: Table, code: str, text: str, path: Path) -> Problem:
    return system.document("tables", f"{table.id}.yaml").problem(code, text, path)


def _table(system: System, table: Table | None) -> Iterator[Flaw]:
    """Check one table by itself and against `system.yaml`."""
    if table is None:
        return
    chapters = [chapter.id for chapter in system.chapters]
    if table.chapter not in chapters:
        hint = did_you_mean(table.chapter, chapters)
        text = f"there is no chapter {table.chapter!r}{hint}"
        yield Flaw("error", _problem(system, table, "unknown-chapter", text, ("chapter",)))
    phases = [phase.id for phase in system.phases]
    for path, phase in _phases(system, table):
        if phase not in phases:
            text = f"there is no phase {phase!r}{did_you_mean(phase, phases)}"
            yield Flaw("error", _problem(system, table, "unknown-phase", text, path))
    yield from _monotone(system, table)
    if isinstance(table, Diagram):
        drawn = {str(cell) for row in table.rows for cell in row.cells}
        for token in table.key or {}:
            if token not in drawn:
                text = f"the figure {token!r} has a meaning but stands in no rank"
                path = ("key", token)
                yield warning(_problem(system, table, "unused-figure", text, path))


def _phases(system: System, table: Table) -> Iterator[tuple[Path, str]]:
    """Go through the phases that a table and its steps name, with their paths in the file."""
    if table.phase:
        yield ("phase",), table.phase
    if any(row.phase for row in table.rows):
        steps = system.document("tables", f"{table.id}.yaml").data["steps"]
        yield from _step_phases(steps, ("steps",))


def _step_phases(steps: Sequence[Mapping[str, Any]], path: Path) -> Iterator[tuple[Path, str]]:
    for place, step in enumerate(steps):
        if "phase" in step:
            yield (*path, place, "phase"), step["phase"]
        yield from _step_phases(step.get("steps", ()), (*path, place, "steps"))


def _monotone(system: System, table: Table) -> Iterator[Flaw]:
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
            for row, column in (spot for line in lines for spot in _breaks(rows, line, sign)):
                label = f"{rows[row].label}, {table.columns[column].label}"
                shown = rows[row].cells[column].show()
                text = f"{shown} at {label} breaks `{word}: [{axis}]`"
                path = ("rows", row, "cells", column)
                yield Flaw("error", _problem(system, table, f"not-{word}", text, path))


def _breaks(
    rows: Sequence[Row], line: Sequence[tuple[int, int]], sign: int
) -> Iterator[tuple[int, int]]:
    """Go along a line of cells to those that step the wrong way; what is no number is passed."""
    last: Decimal | None = None
    for row, column in line:
        amount = _amount(rows[row].cells[column])
        if amount is None:
            continue
        if last is not None and sign * (amount - last) < 0:
            yield row, column
        last = amount


def _amount(value: Value) -> Decimal | None:
    """Give the plain number in a value: of a number, a distance, a modifier, a count, a target."""
    found = value.number if isinstance(value, Target) else getattr(value, "amount", None)
    return found if isinstance(found, Decimal) else None


# What nothing uses


def _unused(system: System, tables: Mapping[str, Table | None]) -> Iterator[Flaw]:
    """Find phases and scales that no table knows; one scale alone needs no mention."""
    known = [table for table in tables.values() if table is not None]
    used = {phase for table in known for phase in (table.phase, *(r.phase for r in table.rows))}
    document = system.document("system.yaml")
    for place, phase in enumerate(system.phases):
        if phase.id not in used:
            text = f"no table names the phase {phase.id!r}"
            yield warning(document.problem("unused-phase", text, ("phases", place)))
    if len(system.scales) > 1:
        cells = [cell for table in known for row in table.rows for cell in row.cells]
        scaled = [cell for cell in cells if isinstance(cell, Scaled)]
        for place, scale in enumerate(system.scales):
            if not any(scale.id in cell for cell in scaled):
                text = f"no cell has a value for the scale {scale.id!r}"
                yield warning(document.problem("unused-scale", text, ("scales", place)))


# Sheets


def _sheet(system: System, sheet_id: str) -> Iterator[Flaw]:
    """Check that every table and row that a sheet names exists, and its own id."""
    try:
        sheet = system.sheet(sheet_id)
    except MusterError as fault:
        yield from errors(fault.problems)
        return
    yield from errors(sheet_problems(system, sheet_id, sheet))
