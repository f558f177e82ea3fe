"""Rule systems: their identity, tables, prose, sheets, cards, editions and errata."""

from muster.systems.library import Library, LibraryItem
from muster.systems.system import System, open_system

__all__ = ["Library", "LibraryItem", "System", "open_system"]
