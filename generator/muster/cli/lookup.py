"""`muster lookup`: print a cell, a row, a column or a whole table."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

import click

from muster.cli import show
from muster.cli.name_matching import match_name
from muster.cli.options import FINDINGS, FINE, global_options, library
from muster.problems import MusterError
from muster.tables import Column, Lookup, NoEntryError, Results, Row, Table
from muster.values import BLANK, Value

if TYPE_CHECKING:
    from muster.systems import Library, System

_SCORE = re.compile(r"([+-]?)([0-9]{1,9}(?:\.[0-9]{1,4})?)\s*(cm|in|\")?")
BLANK_TEXT = "not in the source (blank)"
BLANK_MARK = "(blank)"


@dataclass(slots=True)
class Selection:
    """What was asked for: a row, a column, both or neither; and at which scale."""

    row: Row | None = None
    column: int | None = None
    scale: str = ""


@click.command("lookup")
@click.argument("system")
@click.argument("table")
@click.argument("keys", nargs=-1, metavar="[KEY=VALUE ...]")
def lookup_command(*, system: str, table: str, keys: tuple[str, ...]) -> int:
    """Look up one cell, a row, a column or a whole table.

    A KEY is the name of one of the table's axes, or `row` or `column`: muster lookup
    slaughterloo kill-table attack-points=12 hit-score=5. Names may be shortened.
    """
    opened = _find_system(library(), system)
    found = _find_table(opened, table)
    asked = Selection()
    try:
        for key in keys:
            _apply_key(opened, found, key, asked)
    except NoEntryError as none:
        show.result(str(none))
        return FINDINGS
    if asked.scale:
        found = found.at_scale(asked.scale)
        asked.row = found.row(asked.row.id) if asked.row else None
    if asked.row is not None and (asked.column is not None or len(found.columns) == 1):
        _print_cell(opened, found, asked.row, asked.column or 0)
    else:
        _print_part(opened, found, asked)
    if not global_options().quiet:
        _print_notes(opened, found, asked)
    return FINE


def _find_system(shelf: Library, name: str) -> System:
    """Find a system by id, or by title when it is no id; titles are read only then."""
    known = list(shelf.systems())
    if name in known:
        return shelf.system(name)
    titles = []
    for key in known:
        try:
            titles.append((key, shelf.system(key).title))
        except MusterError:
            # What is wrong with one system does not stand in the way of another.
            titles.append((key, key))
    return shelf.system(match_name(name, titles, "system"))


def _find_table(system: System, name: str) -> Table:
    """Find a table by id, or by title when no id will do; titles are read only then."""
    ids = system.table_ids()
    if name in ids:
        return system.table(name)
    titles = [(table.id, table.title) for table in system.tables()]
    return system.table(match_name(name, titles, "table"))


# What was asked


def _apply_key(system: System, table: Table, key: str, asked: Selection) -> None:
    """Understand one `KEY=VALUE`.

    Raises:
        UsageError: If it is no such pair, or names an axis that the table does not have.
        NoEntryError: If it is a score that is off the table's edge.
    """
    name, equals, value = key.partition("=")
    if not equals or not value.strip():
        raise click.UsageError(f"read {key!r}, expected KEY=VALUE such as {_example_key(table)}")
    axis = match_name(name, _axis_names(system, table), "axis of this table")
    if axis == "scale":
        asked.scale = match_name(value, [(each.id, each.title) for each in system.scales], "scale")
    elif axis in {"row", _down_axis(table)}:
        asked.row = _find_row(system, table, value)
    else:
        asked.column = _find_column(system, table, value)


def _down_axis(table: Table) -> str:
    """Name the axis that runs down a table, if it has a name."""
    if isinstance(table, Lookup) and table.down is not None:
        return table.down.id
    return "roll" if isinstance(table, Results) and table.dice else ""


def _axis_names(system: System, table: Table) -> list[tuple[str, str]]:
    """List the names by which a table's rows and columns can be asked for."""
    axes = [("row", "row"), ("column", "column")]
    if isinstance(table, Lookup):
        axes += [(axis.id, axis.title) for axis in (table.down, table.across) if axis]
    if _down_axis(table) == "roll":
        axes.append(("roll", "roll"))
    if len(system.scales) > 1:
        axes.append(("scale", "scale"))
    return axes


def _example_key(table: Table) -> str:
    return f"{_down_axis(table) or 'row'}={table.rows[0].id}"


def _parse_score(system: System, value: str) -> Decimal | None:
    """Read a number, with or without the system's unit; None for anything else."""
    read = _SCORE.fullmatch(value.strip().replace("−", "-"))
    if read is None:
        return None
    unit = {'"': "in"}.get(read[3], read[3])
    if unit and unit != system.identity.unit:
        told = f"{system.title} counts in {system.identity.unit}"
        raise click.UsageError(f"read {value!r}, but {told}")
    return Decimal(read[1] + read[2])


def _find_row(system: System, table: Table, value: str) -> Row:
    if isinstance(table, Lookup) and any(row.band for row in table.rows):
        score = _parse_score(system, value)
        if score is not None:
            return table.band_row(score)
    return table.row(match_name(value, [(row.id, row.label) for row in table.rows], "row"))


def _find_column(system: System, table: Table, value: str) -> int:
    if isinstance(table, Lookup) and any(column.band for column in table.columns):
        score = _parse_score(system, value)
        if score is not None:
            return table.columns.index(table.band_column(score))
    pairs = [(column.id, column.label) for column in table.columns]
    return table.column(match_name(value, pairs, "column"))


# What is answered


def _cell_text(cell: Value, blank: str = BLANK_TEXT) -> str:
    return blank if cell is BLANK else cell.show()


def _heading(table: Table, asked: Selection) -> str:
    """Name the place: table, row, column."""
    parts = [table.title]
    down = table.down if isinstance(table, Lookup) else None
    across = table.across if isinstance(table, Lookup) else None
    if asked.row is not None:
        named = f"{down.title.lower()} " if down is not None and asked.row.band is not None else ""
        parts.append(named + asked.row.label)
    if asked.column is not None:
        label = table.columns[asked.column].label
        parts.append(f"{across.title.lower()} {label}" if across else label)
    return ", ".join(part for part in parts if part)


def _print_cell(system: System, table: Table, row: Row, column: int) -> None:
    """Print one cell, or the cell at each scale where they differ."""
    text = _cell_text(row.cells[column])
    if global_options().quiet:
        show.result(text)
        return
    asked = Selection(row, column if len(table.columns) > 1 else None)
    shown = table.split_by_scale([(scale.id, scale.title) for scale in system.scales])
    if len(shown.columns) == len(table.columns):
        show.result(f"{_heading(table, asked)}: {text}")
        return
    cell = row.cells[column]
    for scale in system.scales:
        at = table.with_rows([row]).at_scale(scale.id).rows[0].cells[column]
        if at is cell:
            show.result(f"{_heading(table, asked)}: {text}")
            return
        show.result(f"{_heading(table, asked)}, {scale.title}: {_cell_text(at)}")


def _print_part(system: System, table: Table, asked: Selection) -> None:
    """Print a row, a column, or all of a table."""
    part = table.with_rows([asked.row]) if asked.row is not None else table
    if asked.column is not None:
        part = _only_column(part, asked.column)
    part = part.split_by_scale([(scale.id, scale.title) for scale in system.scales])
    heads = ["", *(column.label for column in part.columns)]
    lines = [
        ["  " * row.depth + row.label, *(_cell_text(cell, BLANK_MARK) for cell in row.cells)]
        for row in part.rows
    ]
    title = f"{table.title} ({table.remark})" if table.remark else table.title
    if _stdout_is_terminal():
        _print_rich_table(title, heads, lines, part.columns)
    else:
        show.result(title)
        rows = [tuple(heads), *(tuple(line) for line in lines)]
        for text in show.aligned(rows if any(heads) else rows[1:]):
            show.result(text)
    if any(cell is BLANK for row in part.rows for cell in row.cells):
        show.result(f"{BLANK_MARK}: not in the source")


def _only_column(table: Table, place: int) -> Table:
    rows = [replace(row, cells=(row.cells[place],)) for row in table.rows]
    return replace(table, columns=(table.columns[place],), rows=tuple(rows))


def _stdout_is_terminal() -> bool:
    return sys.stdout.isatty()


def _print_rich_table(
    title: str,
    heads: Sequence[str],
    lines: Sequence[Sequence[str]],
    columns: Sequence[Column],
) -> None:
    """Draw a table for a terminal, wrapped to its width."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table as Drawn
    from rich.text import Text

    drawn = Drawn(title=Text(title), box=SIMPLE_HEAD, title_justify="left", title_style="bold")
    for head, form in zip(heads, ("text", *(column.form for column in columns)), strict=True):
        drawn.add_column(Text(head), justify="left" if form == "text" else "right")
    for line in lines:
        drawn.add_row(*(Text(cell) for cell in line))
    Console().print(drawn)


def _print_notes(system: System, table: Table, asked: Selection) -> None:
    """Print a table's notes, and the doubtful places that the answer touches."""
    for note in table.notes:
        show.result(f"note: {note}")
    columns = table.columns
    column = None if asked.column is None else columns[asked.column].id
    row = None if asked.row is None else asked.row.id
    for entry in system.errata.entries:
        for place in entry.places:
            if place.table != table.id:
                continue
            if row is not None and place.row not in {None, row}:
                continue
            if column is not None and place.column not in {None, column}:
                continue
            show.result(f"doubtful ({entry.lines}): {entry.read} {entry.reason}")
            break
