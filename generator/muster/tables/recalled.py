"""Return a table from the cache of files that were read, or read it."""

from __future__ import annotations

from collections.abc import Collection

from muster.tables.table import Table
from muster.yamlfile import Document


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
        from muster.tables import reading  # noqa: PLC0415 - a warm run types no table

        found = reading.read_table(document, scales)
        document.keep(what, found)
    return found
