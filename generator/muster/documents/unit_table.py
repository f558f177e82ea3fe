"""The table of an army's own units that stands first on its sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations, pairwise
from math import ceil

from muster.armies import Army, Node
from muster.armies.composition import LEADER
from muster.documents.cards import CardRow, NodeFields, ValueDeriver, fill_rows, meets_filter
from muster.documents.derived_values import DerivedCell, node_name
from muster.documents.measures import Measures
from muster.languages import say
from muster.systems import System

MAX_ROWS = 42
"""The most rows of a table of units: more would leave a sheet no room for the rules."""

_LINE_CHARS = 40
"""About as many characters of a name and type stand on one line."""

_PATH_OF_A_COMMAND = 2
"""The length of the path of what stands directly in the army, such as `commands[0]`."""

_NAME_EM = 7.5
_NAME_BESIDE_BOXES_EM = 10.0
"""The least width of the column of names, in em: on a sheet, and on a page of units with boxes."""

_PADDING_EM = 0.6
"""The space beside a column of figures, in em."""

_NAME_CHAR_EM = 0.5
"""The width of a character of a name, in em."""

MAX_BOXES = 30
"""The most boxes of a unit on one line."""

_BOX_EM = 1.06
_UNIT_GAP_EM = 0.9
"""The width of a box for a loss with the space beside it, and the gap between units, in em."""

_PAGE_PT = (790.0, 470.0)
_LARGEST_PT = 14.0
"""About the width and height that a page of units leaves, and the largest type on it."""
_LINE_EM = 1.2
_ROW_EM = 0.3
"""About the height of a line, and what a row adds to its lines."""
_LONGEST_NAME_EM = 18.0

_NARROW_COLUMNS = 5
"""With so many columns of values, or fewer, three parts of the table have room side by side."""


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A unit of the army, or several that are equal, or the head of a command.

    Attributes:
        name: What the player calls it; of a command, its name.
        count: How many equal units it stands for; 0 for a command.
        type: What it is, if the name does not say so, and its options.
        size: How many figures or stands it has; 0 if it has no size, as a work.
        values: A unit's values, one for each column.
        leaders: The names of a command's leaders, each with his own values.
        is_continued: Whether it is the head of a command that began in an earlier part.
    """

    name: str
    count: int = 0
    type: str = ""
    size: int = 0
    values: tuple[DerivedCell, ...] = ()
    leaders: tuple[tuple[str, tuple[CardRow, ...]], ...] = ()
    is_continued: bool = False

    @property
    def is_command(self) -> bool:
        """Whether it is the head of a command."""
        return self.count == 0


@dataclass(frozen=True, slots=True)
class UnitColumn:
    """A column of values: its head, what that means, and the most characters of a cell."""

    label: str
    title: str
    characters: int

    @property
    def width_em(self) -> float:
        """Its width with the space beside it, in em."""
        return _width_em(self.characters)


def _width_em(characters: int) -> float:
    return round(characters * 0.41 + 0.5, 2)


@dataclass(frozen=True, slots=True)
class UnitTable:
    """The units of an army, in at most so many parts that stand side by side.

    `columns` are those of the values; `size_head` is the head of the sizes, empty if no unit has
    one.
    """

    columns: tuple[UnitColumn, ...]
    size_head: str
    rows: tuple[UnitRow, ...]
    most_parts: int
    leaders: tuple[UnitRow, ...] = ()
    """The commands with their leaders, where the rows leave them out."""
    with_losses: bool = False
    """Whether each unit has a box to tick off for each of its figures or stands."""
    has_names: bool = field(default=True, compare=False)
    """Whether its rows have the names of units; else units that differ in name alone share one."""

    @property
    def parts(self) -> tuple[tuple[UnitRow, ...], ...]:
        """The rows of each part; one that begins within a command repeats its head."""
        return _split_once(self.rows, self.most_parts)

    @property
    def size_em(self) -> float:
        """The width of the column of sizes, in em; 0 without one."""
        return _width_em(len(self.size_head)) if self.size_head else 0

    @property
    def least_em(self) -> float:
        """The width below which names of units would be squeezed, in em."""
        names = _NAME_BESIDE_BOXES_EM if self.with_losses else _NAME_EM
        return len(self.parts) * (names + self._room_of_figures_em + self.losses_em)

    @property
    def losses_em(self) -> float:
        """The width of the column of boxes, in em; 0 without one."""
        if not self.with_losses:
            return 0
        return round(_boxes_em(self) + 1.2, 2)

    def units_a_line(self, row: UnitRow) -> int:
        """Return how many units of a row have their boxes side by side."""
        return units_of_a_line(row, _boxes_em(self))

    def about_size_pt(self, boxes_em: float) -> float:
        """Return about the size of type that a page of the table has, in points."""
        width, height = _PAGE_PT
        names = max(_names_em(self.rows, _NAME_CHAR_EM), _NAME_BESIDE_BOXES_EM)
        others = self._room_of_figures_em + boxes_em
        lines = [
            ceil(row.count / units_of_a_line(row, boxes_em)) if row.size else 1 for row in self.rows
        ]
        em = sum(lines) * _LINE_EM + (len(lines) + 2) * (_LINE_EM / 2 + _ROW_EM)
        return min(width / (min(names, _LONGEST_NAME_EM) + others), height / em, _LARGEST_PT)

    @property
    def _figures_em(self) -> list[float]:
        sizes = [self.size_em] if self.size_head else []
        return [*sizes, *(column.width_em for column in self.columns)]

    @property
    def _room_of_figures_em(self) -> float:
        """The width of all columns of figures with the space beside them, in em."""
        figures = self._figures_em
        return sum(figures) + len(figures) * _PADDING_EM

    def widths_em(self, room: float) -> tuple[float, ...]:
        """Return the widths of the columns of figures, in em.

        Room to spare is shared with the column of names, so that no figure is far from its name.

        Args:
            room: The width of the whole table, in em.
        """
        figures = self._figures_em
        names = max(_NAME_EM, _names_em(self.rows, _NAME_CHAR_EM))
        part = room / len(self.parts) - self.losses_em - 1 - len(figures) * _PADDING_EM
        growth = max(1, part / (names + sum(figures)))
        return tuple(round(width * growth, 2) for width in figures)


@lru_cache(maxsize=64)
def _split_once(rows: tuple[UnitRow, ...], most: int) -> tuple[tuple[UnitRow, ...], ...]:
    """Return the parts of a table, which are asked for often."""
    return split_rows(rows, most)


@lru_cache(maxsize=64)
def _boxes_em(table: UnitTable) -> float:
    """Return the width of the longest line of boxes, in em.

    Equal units have their boxes side by side as long as that gives the page larger type.
    """
    rows = [row for row in table.rows if row.size]
    widths = {_line_of_boxes_em(row, number) for row in rows for number in range(1, row.count + 1)}
    least = max((_line_of_boxes_em(row, 1) for row in rows), default=0)
    wide = sorted(width for width in widths if width >= least)
    return max(wide, key=table.about_size_pt, default=0)


def _names_em(rows: Sequence[UnitRow], letter_em: float) -> float:
    """Return about the width of the longest name with its type, in em."""
    return max((len(f"{row.name} {row.type}") * letter_em for row in rows), default=0)


def _line_of_boxes_em(row: UnitRow, units: int) -> float:
    """Return the width of the boxes of so many units of a row side by side, in em."""
    return units * min(row.size, MAX_BOXES) * _BOX_EM + (units - 1) * _UNIT_GAP_EM


def units_of_a_line(row: UnitRow, boxes_em: float) -> int:
    """Return how many units of a row stand side by side in so many em, in lines of equal length."""
    most = sum(_line_of_boxes_em(row, units + 1) <= boxes_em for units in range(row.count))
    return ceil(row.count / ceil(row.count / max(most, 1)))


def gather_units(
    system: System, army: Army, measures: Measures | None = None
) -> tuple[UnitTable, ...]:
    """Gather an army's units with the values that a roster shows, at length and in short.

    The first table has the units by their commands and names. The others are for a sheet without
    room for that: the units by their names alone, and one row for all units that are equal but for
    their names.
    What would have more than `MAX_ROWS` rows is left out: the roster has the units.

    Args:
        system: The rule system.
        army: The army.
        measures: Scale and unit of length; else the army's scale, in the system's own unit.
    """
    deriver = ValueDeriver(system, army, measures)
    units = list(army.units())
    full = list(_command_rows(system, army.root, deriver))
    named = _join_equal([_unit_row(system, node, deriver) for node in units])
    short = _join_equal([_unit_row(system, node, deriver, named=False) for node in units])
    specs = [
        node.entry.fields[node.entry.size]
        for node in units
        if node.entry and node.entry.size and node.level == "unit"
    ]
    heads = {spec.title for spec in specs}
    head = "" if not heads else heads.pop() if len(heads) == 1 else say("Size")
    variants = [rows for rows in (full, named, short) if units and len(rows) <= MAX_ROWS]
    tables = (
        replace(_make_table(system, rows, full, head, deriver), has_names=rows is not short)
        for rows in variants
    )
    return tuple(dict.fromkeys(tables))


def _make_table(
    system: System,
    rows: Sequence[UnitRow],
    full: Sequence[UnitRow],
    size_head: str,
    deriver: ValueDeriver,
) -> UnitTable:
    """Return a table without the columns that no unit fills."""
    written = system.cards.roster if system.cards else []
    filled = [place for place in range(len(written)) if _is_filled(rows, place)]
    columns = []
    for place in filled:
        label, title = written[place].label, deriver.convert_text(written[place].title)
        texts = [label, *(row.values[place].text for row in rows if row.count)]
        columns.append(UnitColumn(label, title, max(map(len, texts))))
    shown = (
        replace(row, values=tuple(row.values[place] for place in filled)) if row.count else row
        for row in rows
    )
    most = 3 if len(columns) <= _NARROW_COLUMNS else 2
    leaders = () if rows is full else tuple(row for row in full if row.leaders)
    return UnitTable(tuple(columns), size_head, tuple(shown), most, leaders)


def _command_rows(system: System, branch: Node, deriver: ValueDeriver) -> Iterator[UnitRow]:
    """Yield a command, its units, and the commands below it.

    The army itself, or a group below a command, is headed only if it has leaders of its own.
    """
    leaders = [node for node in branch.children if node.level == LEADER]
    units = [node for node in branch.children if node.entry is not None and node.level != LEADER]
    if leaders or (units and 0 < len(branch.path) <= _PATH_OF_A_COMMAND):
        written = system.cards.leaders if system.cards else []
        facts = tuple(
            (node_name(node), fill_rows(written, deriver, NodeFields(node))) for node in leaders
        )
        yield UnitRow(node_name(branch) if branch.path else branch.title, leaders=facts)
    yield from _join_equal([_unit_row(system, node, deriver) for node in units])
    for node in branch.children:
        if node.is_branch:
            yield from _command_rows(system, node, deriver)


def _unit_row(system: System, node: Node, deriver: ValueDeriver, *, named: bool = True) -> UnitRow:
    fields = NodeFields(node)
    columns = system.cards.roster if system.cards else []
    name = (node.name if named else "") or node.title
    kind = node.entry_title
    is_unit = node.level == "unit"
    facts = [*([kind] if kind != name else []), *node.option_titles]
    facts += [] if is_unit else filter(None, [node.strength])
    return UnitRow(
        name=name,
        count=node.count,
        type=", ".join(facts),
        size=node.size if is_unit else 0,
        values=tuple(
            deriver(column.value, fields)
            if is_unit and meets_filter(column.where, fields)
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
    lines = [1 + len(f"{row.name} {row.type}") // _LINE_CHARS for row in rows]
    heads = [-1] * len(rows)
    for place, row in enumerate(rows):
        heads[place] = place if row.is_command else heads[place - 1] if place else -1
    possible = [place for place in range(1, len(rows)) if not rows[place - 1].is_command]

    def continued(start: int) -> int:
        """Return the head that a part repeats that starts here; -1 if there is none."""
        return -1 if rows[start].is_command or start == 0 else heads[start]

    def badness(breaks: tuple[int, ...]) -> tuple[int, int, list[int]]:
        places = (0, *breaks, len(rows))
        heights = [
            sum(lines[start:end]) + (continued(start) >= 0) for start, end in pairwise(places)
        ]
        return max(heights), sum(continued(b) >= 0 for b in breaks), [-h for h in heights]

    choices = combinations(possible, parts - 1)
    best = min(choices, key=badness, default=())
    split = []
    for start, end in pairwise((0, *best, len(rows))):
        head = continued(start)
        repeated = [replace(rows[head], leaders=(), is_continued=True)] if head >= 0 else []
        split.append((*repeated, *rows[start:end]))
    return tuple(split)
