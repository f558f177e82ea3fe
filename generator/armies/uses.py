"""Owns the note of what is asked for anywhere: attributes, options and tables.

Does not draw conclusions; `lint` does.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Uses:
    """Names that a constraint, a price, a roll, a card or a table's filter asks for.

    Attributes are those of nodes: their fields, too.
    """

    attributes: set[str] = field(default_factory=set)
    options: set[str] = field(default_factory=set)
    tables: set[str] = field(default_factory=set)
