"""Owns what is said above and below a table beside its title: remark, corner and meaning.

Does not make its lines.
"""

from __future__ import annotations

from generator.tables import Lookup, Modifiers, Table


def remark_of(table: Table) -> str:
    """Give the remark of a table of one column, which prints no head: it says what a head would.

    A head of one word, or of words that stand in the title, says nothing more.
    """
    head = table.columns[0].label if len(table.columns) == 1 else ""
    said = f"{table.title} {table.remark}".casefold()
    if " " not in head or head.casefold() in said:
        return table.remark
    return f"{table.remark}; {head[:1].lower()}{head[1:]}" if table.remark else head


def corner_of(table: Table) -> str:
    """Name the bands down a grid, unless there are bands across it, too."""
    if isinstance(table, Lookup) and table.down and not any(c.band for c in table.columns):
        return table.down.title
    return ""


def meaning_of(table: Table) -> str:
    """Say what modifiers change, for whom, and which are good; other tables need no words."""
    if not isinstance(table, Modifiers):
        return ""
    sign = "plus" if table.good == "high" else "minus"
    who = f"For {table.whose}: changes" if table.whose else "Changes"
    return f"{who} {table.changes}; {sign} is good."
