"""The table of an army's own units that stands first on its sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from muster.armies import Army, Node
from muster.armies.composition import LEADER
from muster.documents.cards import CardRow, NodeFields, ValueDeriver, fill_rows, meets_filter
from muster.documents.derived_values import DerivedCell, node_name, unit_type_name
from muster.documents.measures import Measures
from muster.systems import System

MAX_ROWS = 42
"""The most rows of a table of units; a longer one would leave a sheet no room for the rules."""

_NARROW_COLUMNS = 5
"""With so many columns of values, or fewer, three parts of the table have room side by side."""


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A unit of the army, or several that are equal, or the head of a command.

    Attributes:
        name: What the player calls it; of a command, its name.
        count: How many equal units it stands for; 0 for a command.
        type: What it is, if the name does not say so, and its options.
        strength: Its size with a noun.
        values: A unit's values, one for each column.
        leaders: The names of a command's leaders, each with his own values.
    """

    name: str
    count: int = 0
    type: str = ""
    strength: str = ""
    values: tuple[DerivedCell, ...] = ()
    leaders: tuple[tuple[str, tuple[CardRow, ...]], ...] = ()

    @property
    def is_command(self) -> bool:
        """Whether it is the head of a command."""
        return self.count == 0


@dataclass(frozen=True, slots=True)
class UnitTable:
    """The units of an army, in parts that stand side by side.

    `keys` are the heads of the columns of values, each with what it means.
    """

    keys: tuple[tuple[str, str], ...]
    has_sizes: bool
    parts: tuple[tuple[UnitRow, ...], ...]

    @property
    def rows(self) -> list[UnitRow]:
        """The rows of all parts, in order."""
        return [row for part in self.parts for row in part]


def gather_units(system: System, army: Army, measures: Measures | None = None) -> UnitTable | None:
    """Gather an army's units by their commands, with the values that a roster shows.

    A list that is too long for that is gathered without names and commands: all equal units are
    one row. If even that is longer than `MAX_ROWS`, there is no table: the roster has the units.

    Args:
        system: The rule system.
        army: The army.
        measures: Scale and unit of length; else the army's scale, in the system's own unit.
    """
    deriver = ValueDeriver(system, army, measures)
    rows = list(_command_rows(system, army.root, deriver))
    if len(rows) > MAX_ROWS:
        rows = _join_equal([_unit_row(system, node, deriver, named=False) for node in army.units()])
    if not any(row.count for row in rows) or len(rows) > MAX_ROWS:
        return None
    columns = system.cards.roster if system.cards else []
    filled = [place for place in range(len(columns)) if _is_filled(rows, place)]
    keys = tuple((columns[place].label, columns[place].title) for place in filled)
    rows = [
        replace(row, values=tuple(row.values[place] for place in filled)) if row.count else row
        for row in rows
    ]
    return UnitTable(
        keys=tuple((label, deriver.convert_text(title)) for label, title in keys),
        has_sizes=any(row.strength for row in rows),
        parts=split_rows(rows, 3 if len(keys) <= _NARROW_COLUMNS else 2),
    )


def _command_rows(system: System, branch: Node, deriver: ValueDeriver) -> Iterator[UnitRow]:
    """Yield a command, the units directly in it, and the commands below it."""
    leaders = [node for node in branch.children if node.level == LEADER]
    units = [node for node in branch.children if node.entry is not None and node.level != LEADER]
    if leaders or units:
        written = system.cards.leaders if system.cards else []
        facts = tuple(
            (node_name(node), fill_rows(written, deriver, NodeFields(node))) for node in leaders
        )
        name = node_name(branch) if branch.path else branch.title
        yield UnitRow(name, leaders=facts)
    yield from _join_equal([_unit_row(system, node, deriver) for node in units])
    for node in branch.children:
        if node.is_branch:
            yield from _command_rows(system, node, deriver)


def _unit_row(system: System, node: Node, deriver: ValueDeriver, *, named: bool = True) -> UnitRow:
    fields = NodeFields(node)
    columns = system.cards.roster if system.cards else []
    name = (node.name if named else "") or node.title
    kind = unit_type_name(node)
    facts = [*([kind] if kind != name else []), *node.option_titles]
    return UnitRow(
        name=name,
        count=node.count,
        type=", ".join(facts),
        strength=node.strength,
        values=tuple(
            deriver(column.value, fields)
            if node.level == "unit" and meets_filter(column.where, fields)
            else DerivedCell("", "text")
            for column in columns
        ),
    )


def _join_equal(rows: Sequence[UnitRow]) -> list[UnitRow]:
    """Return a row for all units that are equal but for their number, in the order of the first."""
    joined: dict[UnitRow, int] = {}
    for row in rows:
        key = replace(row, count=1)
        joined[key] = joined.get(key, 0) + row.count
    return [replace(row, count=count) for row, count in joined.items()]


def _is_filled(rows: Sequence[UnitRow], place: int) -> bool:
    """Return whether any unit has more than a dash in a column; a blank is to be filled in."""
    cells = [row.values[place] for row in rows if row.count]
    return any(cell.kind == "blank" or cell.text not in {"", "–"} for cell in cells)


def split_rows(rows: Sequence[UnitRow], most: int) -> tuple[tuple[UnitRow, ...], ...]:
    """Split rows into parts of nearly equal height, at most so many.

    No part ends with the head of a command; a part that begins within a command repeats its head.
    """
    parts = min(most, max(1, len(rows) // 2))
    heads = [-1] * len(rows)
    for place, row in enumerate(rows):
        heads[place] = place if row.is_command else heads[place - 1] if place else -1
    possible = [place for place in range(1, len(rows)) if not rows[place - 1].is_command]

    def continued(start: int) -> int:
        """Return the head that a part repeats that starts here; -1 if there is none."""
        return -1 if rows[start].is_command or start == 0 else heads[start]

    def badness(breaks: tuple[int, ...]) -> tuple[int, int, list[int]]:
        places = (0, *breaks, len(rows))
        heights = [end - start + (continued(start) >= 0) for start, end in pairwise(places)]
        return max(heights), sum(continued(b) >= 0 for b in breaks), [-h for h in heights]

    choices = combinations(possible, parts - 1)
    best = min(choices, key=badness, default=())
    split = []
    for start, end in pairwise((0, *best, len(rows))):
        head = continued(start)
        repeated = [UnitRow(f"{rows[head].name}, cont.")] if head >= 0 else []
        split.append((*repeated, *rows[start:end]))
    return tuple(split)
