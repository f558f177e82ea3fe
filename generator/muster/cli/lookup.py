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
from muster.cli.options import FINDINGS, FINE, global_options, open_library
from muster.problems import MusterError
from muster.tables import Column, Lookup, NoEntryError, Results, Row, Table
from muster.values import BLANK, Value

if TYPE_CHECKING:
    from muster.systems import Library, System

_SCORE = re.compile(r"([+-]?)([0-9]{1,9}(?:\.[0-9]{1,4})?)\s*(cm|in|\")?")
"""A number with an optional sign and an optional unit."""

BLANK_TEXT = "not in the source (blank)"
BLANK_MARK = "(blank)"


@dataclass(slots=True)
class Selection:
    """The part of a table to print: a row, a column, both (a cell) or neither; and its scale."""

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
    slaughterloo kill-table attack-points=12 hit-score=5. Names may be abbreviated.
    """
    opened = _find_system(open_library(), system)
    found = _find_table(opened, table)
    selection = Selection()
    try:
        for key in keys:
            _apply_key(opened, found, key, selection)
    except NoEntryError as error:
        show.result(str(error))
        return FINDINGS
    if selection.scale:
        found = found.at_scale(selection.scale)
        selection.row = found.row(selection.row.id) if selection.row else None
    if selection.row is not None and (selection.column is not None or len(found.columns) == 1):
        _print_cell(opened, found, selection.row, selection.column or 0)
    else:
        _print_part(opened, found, selection)
    if not global_options().quiet:
        _print_notes(opened, found, selection)
    return FINE


def _find_system(library: Library, name: str) -> System:
    """Return a system by its id, or else by its title; titles are read only if need be."""
    ids = list(library.systems())
    if name in ids:
        return library.system(name)
    titles = []
    for key in ids:
        try:
            titles.append((key, library.system(key).title))
        except MusterError:
            # A system that cannot be read must not prevent a lookup in another.
            titles.append((key, key))
    return library.system(match_name(name, titles, "system"))


def _find_table(system: System, name: str) -> Table:
    """Return a table by its id, or else by its title; titles are read only if need be."""
    ids = system.table_ids()
    if name in ids:
        return system.table(name)
    titles = [(table.id, table.title) for table in system.tables()]
    return system.table(match_name(name, titles, "table"))


def _apply_key(system: System, table: Table, key: str, selection: Selection) -> None:
    """Put what one `KEY=VALUE` selects into *selection*.

    Raises:
        click.UsageError: If it is not such a pair.
        NameMatchError: If it names an axis, a row, a column or a scale that does not exist.
        NoEntryError: If it is a score off the edge of the table.
    """
    name, equals, value = key.partition("=")
    if not equals or not value.strip():
        raise click.UsageError(f"read {key!r}, expected KEY=VALUE such as {_example_key(table)}")
    axis = match_name(name, _axis_names(system, table), "axis")
    if axis == "scale":
        scales = [(scale.id, scale.title) for scale in system.scales]
        selection.scale = match_name(value, scales, "scale")
    elif axis in {"row", _down_axis(table)}:
        selection.row = _find_row(system, table, value)
    else:
        selection.column = _find_column(system, table, value)


def _down_axis(table: Table) -> str:
    """Return the id of the axis that runs down a table; empty if it has none."""
    if isinstance(table, Lookup) and table.down is not None:
        return table.down.id
    return "roll" if isinstance(table, Results) and table.dice else ""


def _axis_names(system: System, table: Table) -> list[tuple[str, str]]:
    """Return the id and the title of each axis that a KEY may name."""
    axes = [("row", "row"), ("column", "column")]
    if isinstance(table, Lookup):
        axes += [(axis.id, axis.title) for axis in (table.down, table.across) if axis]
    if _down_axis(table) == "roll":
        axes.append(("roll", "roll"))
    if len(system.scales) > 1:
        axes.append(("scale", "scale"))
    return axes


def _example_key(table: Table) -> str:
    """Return a KEY=VALUE that this table accepts."""
    return f"{_down_axis(table) or 'row'}={table.rows[0].id}"


def _parse_score(system: System, value: str) -> Decimal | None:
    """Return a score, which may have the system's unit; None for what is not a number.

    Raises:
        click.UsageError: If it has another unit than the system's.
    """
    match = _SCORE.fullmatch(value.strip().replace("−", "-"))
    if match is None:
        return None
    sign, number, written_unit = match.groups()
    unit = "in" if written_unit == '"' else written_unit
    if unit and unit != system.identity.unit:
        raise click.UsageError(
            f"read {value!r}, expected a length in {system.identity.unit},"
            f" the unit of {system.title}"
        )
    return Decimal(sign + number)


def _find_row(system: System, table: Table, value: str) -> Row:
    """Return the row whose band holds a score, or else the row of that name."""
    if isinstance(table, Lookup) and any(row.band for row in table.rows):
        score = _parse_score(system, value)
        if score is not None:
            return table.band_row(score)
    return table.row(match_name(value, [(row.id, row.label) for row in table.rows], "row"))


def _find_column(system: System, table: Table, value: str) -> int:
    """Return the place of the column whose band holds a score, or else of that name, from 0."""
    if isinstance(table, Lookup) and any(column.band for column in table.columns):
        score = _parse_score(system, value)
        if score is not None:
            return table.columns.index(table.band_column(score))
    pairs = [(column.id, column.label) for column in table.columns]
    return table.column(match_name(value, pairs, "column"))


def _cell_text(cell: Value, blank: str = BLANK_TEXT) -> str:
    return blank if cell is BLANK else cell.show()


def _heading(table: Table, selection: Selection) -> str:
    """Return the titles of the table, the row and the column of a cell."""
    parts = [table.title]
    down = table.down if isinstance(table, Lookup) else None
    across = table.across if isinstance(table, Lookup) else None
    if selection.row is not None:
        label = selection.row.label
        has_band = selection.row.band is not None
        parts.append(f"{down.title.lower()} {label}" if down and has_band else label)
    if selection.column is not None:
        label = table.columns[selection.column].label
        parts.append(f"{across.title.lower()} {label}" if across else label)
    return ", ".join(part for part in parts if part)


def _print_cell(system: System, table: Table, row: Row, column: int) -> None:
    """Print a cell; one that differs by scale is printed once for each scale."""
    text = _cell_text(row.cells[column])
    if global_options().quiet:
        show.result(text)
        return
    heading = _heading(table, Selection(row, column if len(table.columns) > 1 else None))
    split = table.split_by_scale([(scale.id, scale.title) for scale in system.scales])
    if len(split.columns) == len(table.columns):
        show.result(f"{heading}: {text}")
        return
    cell = row.cells[column]
    for scale in system.scales:
        scaled_cell = table.with_rows([row]).at_scale(scale.id).rows[0].cells[column]
        if scaled_cell is cell:  # This cell is the same at every scale.
            show.result(f"{heading}: {text}")
            return
        show.result(f"{heading}, {scale.title}: {_cell_text(scaled_cell)}")


def _print_part(system: System, table: Table, selection: Selection) -> None:
    """Print a row, a column, or all of a table."""
    part = table.with_rows([selection.row]) if selection.row is not None else table
    if selection.column is not None:
        part = _only_column(part, selection.column)
    part = part.split_by_scale([(scale.id, scale.title) for scale in system.scales])
    headings = ["", *(column.label for column in part.columns)]
    lines = [
        ["  " * row.depth + row.label, *(_cell_text(cell, BLANK_MARK) for cell in row.cells)]
        for row in part.rows
    ]
    title = f"{table.title} ({table.remark})" if table.remark else table.title
    if _stdout_is_terminal():
        _print_rich_table(title, headings, lines, part.columns)
    else:
        show.result(title)
        rows = [tuple(headings), *(tuple(line) for line in lines)]
        for text in show.aligned(rows if any(headings) else rows[1:]):
            show.result(text)
    if any(cell is BLANK for row in part.rows for cell in row.cells):
        show.result(f"{BLANK_MARK}: not in the source")


def _only_column(table: Table, column: int) -> Table:
    """Return a table with one column only, counted from 0."""
    rows = [replace(row, cells=(row.cells[column],)) for row in table.rows]
    return replace(table, columns=(table.columns[column],), rows=tuple(rows))


def _stdout_is_terminal() -> bool:
    return sys.stdout.isatty()


def _print_rich_table(
    title: str,
    headings: Sequence[str],
    lines: Sequence[Sequence[str]],
    columns: Sequence[Column],
) -> None:
    """Print a table as wide as the terminal, with long cells wrapped."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    table = RichTable(title=Text(title), box=SIMPLE_HEAD, title_justify="left", title_style="bold")
    forms = ("text", *(column.form for column in columns))
    for heading, form in zip(headings, forms, strict=True):
        table.add_column(Text(heading), justify="left" if form == "text" else "right")
    for line in lines:
        table.add_row(*(Text(cell) for cell in line))
    Console().print(table)


def _print_notes(system: System, table: Table, selection: Selection) -> None:
    """Print a table's notes, and the errata of the cells that were printed."""
    for note in table.notes:
        show.result(f"note: {note}")
    column = None if selection.column is None else table.columns[selection.column].id
    row = None if selection.row is None else selection.row.id
    for entry in system.errata.entries:
        for place in entry.places:
            if place.table != table.id:
                continue
            if row is not None and place.row not in {None, row}:
                continue
            if column is not None and place.column not in {None, column}:
                continue
            from muster.armies.fields import spell_out_lines

            lines = spell_out_lines(entry.lines)
            show.result(f"doubtful ({lines}): {entry.read} {entry.reason}")
            break
