"""Owns the check of a sheet file: every table and row that it names is there.

Does not place blocks. `muster lint` and the printing of a sheet ask the same question here.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.problems import MusterError, Problem
from generator.reading import Document, did_you_mean
from generator.systems.layouts import Block, Sheet
from generator.systems.system import System

Path = tuple[str | int, ...]


def sheet_problems(system: System, sheet_id: str, sheet: Sheet) -> Iterator[Problem]:
    """Find what is wrong with a sheet, with the faults of the tables that it names.

    Each fault stands at its place in the sheet file; those of a table in the table's.
    """
    document = system.document("sheets", f"{sheet_id}.yaml")
    if sheet.id != sheet_id:
        text = f"read the id {sheet.id!r}, expected {sheet_id!r}, the file's name"
        yield document.problem("id-is-not-file-name", text, ("id",))
    for side_place, side in enumerate(sheet.sides):
        for place, block in enumerate(side.blocks):
            path: Path = ("sides", side_place, "blocks", place)
            yield from _block(system, document, block, path)


def _block(system: System, document: Document, block: Block, path: Path) -> Iterator[Problem]:
    named: list[tuple[Path, str]] = [((*path, "table"), block.table)] if block.table else []
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
