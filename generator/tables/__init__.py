"""Owns the table kinds: what a table file may hold, and the typed table that comes of it.

Does not know rule systems, armies or pages.
"""

from generator.tables.recalling import read_table
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
