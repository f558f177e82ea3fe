"""Owns the short way to a table: one that was typed before, of the same text, is recalled.

Does not type cells; `typed` does, and loads only for a table that is new.
"""

from __future__ import annotations

from collections.abc import Collection

from generator.reading import Document
from generator.tables.table import Table


def read_table(document: Document, scales: Collection[str] = ()) -> Table:
    """Give the table that a file holds, every cell typed.

    Args:
        document: The file, read but not yet checked.
        scales: The ids that a cell may give a value for.

    Raises:
        MusterError: With every fault of the file, each at its line and column.
    """
    what = f"table at {'|'.join(scales)}"
    found = document.recall(what, Table)
    if found is None:
        from generator.tables import typed  # noqa: PLC0415 - a warm run types no table

        found = typed.read_table(document, scales)
        document.keep(what, found)
    return found
