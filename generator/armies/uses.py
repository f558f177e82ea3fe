"""Owns the note of what is asked for anywhere: attributes and options.

Does not draw conclusions; `lint` does.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Uses:
    """Names that a constraint, a price, a card or a table's filter asks for."""

    attributes: set[str] = field(default_factory=set)
    options: set[str] = field(default_factory=set)
