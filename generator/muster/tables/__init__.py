"""Table kinds: what a table file may hold, and the typed table made from it."""

from muster.tables.reading import read_table
from muster.tables.scenes import Piece, Tabletop
from muster.tables.table import (
    Axis,
    Column,
    Definitions,
    Diagram,
    Drawing,
    Grid,
    Lookup,
    Modifiers,
    NoEntryError,
    Note,
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
    "Drawing",
    "Grid",
    "Lookup",
    "Modifiers",
    "NoEntryError",
    "Note",
    "Piece",
    "Results",
    "Row",
    "Steps",
    "Table",
    "Tabletop",
    "read_table",
]
