"""How the files of a system refer to units' fields and to cells of tables, for prices and cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from muster.yamlfile import Id, Line, StrictModel

AttributeFilter = dict[Id, list[Line]]
"""Attribute -> the values that match it, `none` for one that is not there; all must match."""


class AttributeReference(StrictModel):
    """The value of a field or attribute of the node that is looked at.

    It may come from the list, the node's options, its profile, or a level above it.
    """

    field: Id
    """Id of the field or attribute, such as `type`, `class` or `nation`."""


def cell_keys(
    row: str | StrictModel, column: str | StrictModel | None, text_of: Callable[[Any], str | None]
) -> tuple[str, str | None] | None:
    """Return the ids of a cell's row and column; the column is None if none is named.

    Args:
        row: The row's id, or a reference to what names it.
        column: The column's id, a reference to what names it, or None.
        text_of: Returns the text that a reference stands for, of any kind that the caller's files
            may hold; None or an empty text for nothing.

    Returns:
        None if the row or the column is named by a reference to nothing.
    """
    row_id = row if isinstance(row, str) else text_of(row)
    if not row_id:
        return None
    if column is None or isinstance(column, str):
        return row_id, column
    column_id = text_of(column)
    return (row_id, column_id) if column_id else None
