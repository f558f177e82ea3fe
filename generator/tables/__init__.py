"""Owns the table kinds: what a table file may hold, and the typed table that comes of it.

Does not know rule systems, armies or pages.
"""

from generator.tables.table import (
    Axis,
    Column,
    Definitions,
    Diagram,
    Grid,
    Lookup,
    Modifiers,
    NoEntryError,
    Results,
    Row,
    Steps,
    Table,
)
from generator.tables.typed import read_table

__all__ = [
    "Axis",
    "Column",
    "Definitions",
    "Diagram",
    "Grid",
    "Lookup",
    "Modifiers",
    "NoEntryError",
    "Results",
    "Row",
    "Steps",
    "Table",
    "read_table",
]
