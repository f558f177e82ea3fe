"""`muster lookup`: print a cell, a row, a column or a whole table."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import click

from muster.cli import show
from muster.cli.name_matching import NameMatchError, match_name
from muster.cli.options import FINDINGS, FINE, format_option, global_options, open_library
from muster.cli.row_search import FoundRows, UnitTypes, search_rows
from muster.names import matching_names, nearest_names
from muster.tables import Column, Lookup, NoEntryError, Results, Row, Table
from muster.values import BLANK, Band, Value

if TYPE_CHECKING:
    from muster.systems import System
    from muster.systems.errata import Erratum

_SCORE = re.compile(r"([+-]?)([0-9]{1,9}(?:\.[0-9]{1,4})?)\s*(cm|in|\")?")
"""A number with an optional sign and an optional unit."""

BLANK_TEXT = "not in the source (blank)"
BLANK_MARK = "(blank)"

_MAX_FOUND = 30
"""The number of rows that a search prints."""
_MAX_COMMANDS = 5
"""The number of commands that are printed for a word that matches several things."""


@dataclass(slots=True)
class Selection:
    """The part of a table to print: a row, a column, both (a cell) or neither; and its scale."""

    row: Row | None = None
    column: int | None = None
    scale: str = ""


@click.command("lookup", context_settings={"ignore_unknown_options": True})
@click.argument("system")
@click.argument("words", nargs=-1, metavar="[TABLE [ROW] [COLUMN] [KEY=VALUE ...] | WORD ...]")
@format_option
def lookup_command(*, system: str, words: tuple[str, ...], output_format: str) -> int:
    """Look up one cell, a row, a column or a whole table; or search all tables for rows.

    ROW and COLUMN are ids, labels or scores; where their order is not clear, a KEY is the name of
    one of the table's axes, or `row`, `column` or `scale`. A unit of an army book stands for its
    type. Names may be abbreviated. Without a table, all tables are listed; words that name no table
    are searched for in the rows of all.

    \b
    muster lookup slaughterloo kill-table 12 5
    muster lookup slaughterloo kill-table attack-points=12 hit-score=5
    """  # noqa: D301 - click keeps the lines below \b as they are
    # Unknown options are let through for the sake of negative scores, such as -3.
    for word in words:
        if word.startswith("--"):
            raise click.NoSuchOption(word)
    library = open_library()
    opened = library.find_system(system)
    as_json = output_format == "json"
    if not words:
        return _print_tables(opened, as_json=as_json)
    named, rest = _named_tables(opened, words)
    units = UnitTypes(library, opened)
    if rest and words[0] not in opened.table_ids():
        named = [key for key in named if _fits(opened, opened.table(key), rest, units)]
    if len(named) == 1:
        return _look_up(opened, named[0], rest, units, as_json=as_json)
    is_table = bool(named) and len(words) == 1
    found = [] if is_table else search_rows(opened, words, units)
    if is_table:
        found += units.more_rows([[words[0].casefold()]], ())
    titles = [(table.id, table.title) for table in opened.tables()]
    if not found and not named and not nearest_names(words[0], titles):
        found = search_rows(opened, words, units, misspelt=True)
    if found:
        return _print_found(opened, found, units, as_json=as_json)
    try:
        table_id = match_name(words[0], titles, "table")
    except NameMatchError as error:
        raise _with_commands(error, [opened.id], words) from None
    return _look_up(opened, table_id, words[1:], units, as_json=as_json)


def _fits(system: System, table: Table, words: Sequence[str], units: UnitTypes) -> bool:
    """Return whether words select something of a table, or several things, or are off its edge."""
    told = len(units.told)
    try:
        _select(system, table, words, units)
    except NameMatchError as error:
        return bool(error.found)
    except click.UsageError:
        return False
    except NoEntryError:
        return True
    finally:
        del units.told[told:]
    return True


def _with_commands(
    error: NameMatchError, before: Sequence[str], words: Sequence[str]
) -> NameMatchError:
    """Return the error of an ambiguous word with a command for each thing that it may mean."""
    places = [n for n, word in enumerate(words) if word.rpartition("=")[2] == error.word]
    if not error.found or not places:
        return error
    lines = []
    for key in error.found[:_MAX_COMMANDS]:
        chosen = list(words)
        chosen[places[0]] = chosen[places[0]].removesuffix(error.word) + key
        lines.append("\n  " + shlex.join(["muster", "lookup", *before, *chosen]))
    return NameMatchError(f"{error.message}; use one of these:{''.join(lines)}")


def _look_up(
    system: System, table_id: str, words: Sequence[str], units: UnitTypes, *, as_json: bool
) -> int:
    """Print what some words select of a table, and return the exit code."""
    table = system.table(table_id)
    try:
        selection = _select(system, table, words, units)
    except NameMatchError as error:
        raise _with_commands(error, [system.id, table.id], words) from None
    except NoEntryError as error:
        if as_json:
            show.data({"system": system.id, "table": table.id, "problem": str(error)})
        else:
            show.result(str(error))
        return FINDINGS
    if selection.scale:
        table = table.at_scale(selection.scale)
        selection.row = table.row(selection.row.id) if selection.row else None
    for line in units.told:
        show.note(line)
    if as_json:
        show.data(_part_as_json(system, table, selection))
        return FINE
    if selection.row is not None and (selection.column is not None or len(table.columns) == 1):
        _print_cell(system, table, selection.row, selection.column or 0)
    else:
        _print_part(system, table, selection)
    if not global_options().quiet:
        _print_notes(system, table, selection)
    return FINE


def _select(system: System, table: Table, words: Sequence[str], units: UnitTypes) -> Selection:
    """Return what some words select of a table: first those with keys, then the others.

    Raises:
        click.UsageError: If a word is not understood, or there are too many.
        NameMatchError: If a word names nothing, or several things.
        NoEntryError: If a score is off the edge of the table.
    """
    selection = Selection()
    for word in words:
        if "=" in word:
            _apply_key(system, table, word, selection)
    _apply_words(system, table, [word for word in words if "=" not in word], selection, units)
    return selection


def _print_tables(system: System, *, as_json: bool) -> int:
    """Print the id and title of every table of a system, and return the exit code."""
    tables = system.tables()
    if as_json:
        show.data([{"id": each.id, "title": each.title, "kind": each.kind} for each in tables])
        return FINE
    for line in show.aligned((table.id, table.title) for table in tables):
        show.result(line)
    if tables:
        show.note(f"for example: {_example(system, tables[0])}")
    return FINE


def _print_found(
    system: System, found: Sequence[FoundRows], units: UnitTypes, *, as_json: bool
) -> int:
    """Print the rows that a search found, table by table, and return the exit code."""
    for line in units.told:
        show.note(line)
    if as_json:
        parts = [table.with_rows(rows) for table, rows in found]
        show.data([_part_as_json(system, part, Selection()) for part in parts])
        return FINE
    left = _MAX_FOUND
    for number, (table, rows) in enumerate(found):
        if left > 0:
            if number:
                show.result()
            part = table.with_rows(rows[:left])
            _print_part(system, replace(part, title=f"{table.id}: {table.title}"), Selection())
        left -= len(rows)
    if left < 0:
        show.note(f"and {show.counted(-left, 'row')} more; use more words, or name a table")
    return FINE


def _named_tables(system: System, words: Sequence[str]) -> tuple[list[str], Sequence[str]]:
    """Return the ids of the tables that the first words may name, and the other words.

    As many words as possible are taken for the name of one table.
    """
    if words[0] in system.table_ids():
        return [words[0]], words[1:]
    titles = [(table.id, table.title) for table in system.tables()]
    for number in range(len(words), 0, -1):
        found = matching_names(" ".join(words[:number]), titles)
        if len(found) == 1:
            return found, words[number:]
    return found, words[1:]


def _apply_words(
    system: System, table: Table, words: Sequence[str], selection: Selection, units: UnitTypes
) -> None:
    """Put what words without keys select into *selection*: a row, then a column.

    As many words as possible are taken for one name: `heavy cavalry normal` is a row and a column.

    Raises:
        click.UsageError: If there are more words than a cell needs.
        NameMatchError: If a word names nothing, or several things.
        NoEntryError: If a score is off the edge of the table.
    """
    while words:
        if selection.row is not None and selection.column is not None:
            raise click.UsageError(
                f"read {words[0]!r}, expected no more than a row and a column, such as"
                f" {_example(system, table)}"
            )
        for number in range(len(words), 0, -1):
            if _apply_name(system, table, " ".join(words[:number]), selection):
                words = words[number:]
                break
        else:
            _apply_unlike_name(system, table, words[0], selection, units)
            words = words[1:]


def _apply_name(system: System, table: Table, name: str, selection: Selection) -> bool:
    """Put the only row or column that a name is of into *selection*; return whether there is one.

    Raises:
        NoEntryError: If it is a score off the edge of the table.
    """
    score = _parse_score(system, name) is not None
    if selection.row is None:
        rows = matching_names(name, _names(table.rows))
        if len(rows) == 1 or (score and _has_bands(table, table.rows)):
            selection.row = _find_row(system, table, name)
            return True
    if selection.column is None:
        columns = matching_names(name, _names(table.columns))
        if len(columns) == 1 or (score and _has_bands(table, table.columns)):
            selection.column = _find_column(system, table, name)
            return True
    return False


def _apply_unlike_name(
    system: System, table: Table, name: str, selection: Selection, units: UnitTypes
) -> None:
    """Put the row of a unit's type, or what has a similar name, into *selection*.

    Raises:
        NameMatchError: If there is nothing of a similar name, or more than one thing.
    """
    if selection.row is not None:
        selection.column = _find_column(system, table, name)
        return
    rows = [] if matching_names(name, _names(table.rows)) else units.rows(table, name)
    if not rows:
        selection.row = _find_row(system, table, name, units)
        return
    selection.row = table.row(match_name(name, [(row.id, name) for row in rows], "row"))


def _names(parts: Sequence[Row] | Sequence[Column]) -> list[tuple[str, str]]:
    return [(part.id, part.label) for part in parts]


def _has_bands(table: Table, parts: Sequence[Row] | Sequence[Column]) -> bool:
    return isinstance(table, Lookup) and any(part.band for part in parts)


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


def _example(system: System, table: Table) -> str:
    """Return a command that looks up a row of a table, to be pasted into a shell."""
    return shlex.join(["muster", "lookup", system.id, table.id, _example_word(table)])


def _example_key(table: Table) -> str:
    """Return a KEY=VALUE that this table accepts, to be pasted into a shell."""
    return shlex.quote(f"{_down_axis(table) or 'row'}={_example_word(table)}")


def _example_word(table: Table) -> str:
    """Return a score in the first row's band, or else the row's id."""
    row = table.rows[0]
    ends = (row.band.low, row.band.high) if row.band is not None else ()
    return next((str(end) for end in ends if end is not None), row.id)


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


def _find_row(system: System, table: Table, value: str, units: UnitTypes | None = None) -> Row:
    """Return the row whose band holds a score, or else the row of that name.

    With *units*, the misspelt name of one of them stands for its type.
    """
    score = _parse_score(system, value)
    if isinstance(table, Lookup) and score is not None and _has_bands(table, table.rows):
        return table.band_row(score)
    rows = _names(table.rows)
    try:
        return table.row(match_name(value, rows, "row"))
    except NameMatchError as error:
        if score is not None:
            raise _score_error(table, error) from None
        units_here = [(title, title) for title in units.titles_in(table)] if units else []
        if units is None or error.found or not nearest_names(value, units_here):
            raise
    title = match_name(value, [*rows, *units_here], "row")
    found = [(row.id, title) for row in units.rows(table, title)]
    try:
        return table.row(match_name(title, found, "row"))
    except NameMatchError as error:
        raise NameMatchError(error.message, value, error.found) from None


def _find_column(system: System, table: Table, value: str) -> int:
    """Return the place of the column whose band holds a score, or else of that name, from 0."""
    score = _parse_score(system, value)
    if isinstance(table, Lookup) and score is not None and _has_bands(table, table.columns):
        return table.columns.index(table.band_column(score))
    try:
        return table.column(match_name(value, _names(table.columns), "column"))
    except NameMatchError as error:
        raise (_score_error(table, error) if score is not None else error) from None


def _score_error(table: Table, error: NameMatchError) -> NameMatchError:
    """Return the error of a score that no axis has, if the table has scores in its cells."""
    bands = [cell for row in table.rows for cell in row.cells if isinstance(cell, Band)]
    if error.found or not bands:
        return error
    text = f"the scores of this table are in its cells, such as {bands[0].show()}"
    return NameMatchError(f"{error.message.partition(';')[0]}; {text}; name a row and a column")


def _part_as_json(system: System, table: Table, selection: Selection) -> dict[str, Any]:
    """Return a row, a column, a cell or all of a table, with what is noted about it."""
    from muster.editions.snapshot import json_value

    part = _selected_part(table, selection)
    return {
        "system": system.id,
        "table": table.id,
        "title": table.title,
        "columns": [{"id": column.id, "label": column.label} for column in part.columns],
        "rows": [
            {
                "id": row.id,
                "label": row.label,
                "cells": [{"text": cell.show(), "value": json_value(cell)} for cell in row.cells],
            }
            for row in part.rows
        ],
        "notes": list(table.notes),
        "doubtful": [
            {"lines": entry.lines, "read": entry.read, "reason": entry.reason}
            for entry in _doubts(system, table, selection)
        ],
    }


def _selected_part(table: Table, selection: Selection) -> Table:
    """Return a table with the selected row and column only."""
    part = table.with_rows([selection.row]) if selection.row is not None else table
    return part if selection.column is None else _only_column(part, selection.column)


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
    part = _selected_part(table, selection)
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
    from muster.armies.fields import spell_out_lines

    for note in table.notes:
        show.result(f"note: {note}")
    for entry in _doubts(system, table, selection):
        show.result(f"doubtful ({spell_out_lines(entry.lines)}): {entry.read} {entry.reason}")


def _doubts(system: System, table: Table, selection: Selection) -> Iterator[Erratum]:
    """Yield the errata of the cells that were selected, each once."""
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
            yield entry
            break
