"""Find one cell of a table by the names of its axes, as a program asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation

from muster.names import find_names
from muster.tables.table import Column, Lookup, Results, Row, Table
from muster.values import Value


def find_cell(table: Table, keys: Mapping[str, str | int | Decimal], scale: str = "") -> Value:
    """Return the cell where a row and a column meet, at one scale if it differs by scale.

    Args:
        table: The table.
        keys: For `row` and `column`, or for the id of an axis: the id or label of a row or column,
            or a score where the axis is one of bands. A table with one column needs no key for it.
        scale: The id of a scale; none leaves a cell that differs by scale as it is.

    Raises:
        KeyError: If a key names no axis of the table, or no row is asked for.
        NoEntryError: If there is no such row or column; it names the nearest.
    """
    down, across = {"row"}, {"column"}
    if isinstance(table, Lookup):
        if table.down is not None:
            down.add(table.down.id)
        elif isinstance(table, Results) and table.dice:
            down.add("roll")
        if table.across is not None:
            across.add(table.across.id)
    for key in keys:
        if key not in down | across:
            known = ", ".join(sorted(down | across))
            raise KeyError(f"there is no axis {key!r} in the table {table.id!r}; known: {known}")
    table = table.at_scale(scale) if scale else table
    row = next((_find_row(table, keys[key]) for key in keys if key in down), None)
    if row is None:
        raise KeyError(f"a cell of the table {table.id!r} needs a row: {', '.join(sorted(down))}")
    column = next((_find_column(table, keys[key]) for key in keys if key in across), None)
    return row.cells[table.column() if column is None else column]


def _find_row(table: Table, value: str | int | Decimal) -> Row:
    score = _as_score(value)
    if isinstance(table, Lookup) and score is not None and any(row.band for row in table.rows):
        return table.band_row(score)
    return table.row(_id_of(str(value), table.rows))


def _find_column(table: Table, value: str | int | Decimal) -> int:
    score = _as_score(value)
    if isinstance(table, Lookup) and score is not None and any(c.band for c in table.columns):
        return table.columns.index(table.band_column(score))
    return table.column(_id_of(str(value), table.columns))


def _id_of(name: str, parts: Sequence[Row] | Sequence[Column]) -> str:
    """Return the id of the only row or column of an id or label; the name itself if none is."""
    if any(part.id == name for part in parts):
        return name
    found = find_names(name, [(part.id, part.label) for part in parts])
    return found[0] if len(found) == 1 else name


def _as_score(value: str | int | Decimal) -> Decimal | None:
    """Return a number that is given as one or as text; None for an id."""
    try:
        score = Decimal(value)
    except InvalidOperation:
        return None
    # `Decimal` accepts `nan` and `infinity`, which are not scores.
    return score if score.is_finite() else None
