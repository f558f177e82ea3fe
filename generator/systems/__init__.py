"""Owns rule systems: identity, tables, errata, sheets, cards, and where they are found.

Does not know armies; what a legal army is lives in `armies`.
"""

from generator.systems.library import Found, Library
from generator.systems.system import System, open_system

__all__ = ["Found", "Library", "System", "open_system"]
