"""The table of an army's own units that stands first on its sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from muster.armies import Army, Node
from muster.armies.vocabulary import LEADER
from muster.documents.cards import (
    CardRow,
    NodeFields,
    ValueDeriver,
    column_title,
    column_value,
    fill_rows,
    layout_of,
    loss_track,
    parts_for,
)
from muster.documents.derived_values import DerivedCell, node_name, unit_nation
from muster.documents.measures import Measures
from muster.documents.roster import Marks, Track, marks_of, tally_tracks
from muster.documents.table_view import PartFilter
from muster.languages import say
from muster.systems import System

MAX_BOXES = 30
"""The most boxes for the losses of a unit, which stand on one line."""

MAX_ROWS = 42
"""The most rows of a table of units: more would leave a sheet no room for the rules."""

_PATH_OF_A_COMMAND = 2
"""The length of the path of what stands directly in the army, such as `commands[0]`."""

_NARROW_COLUMNS = 5
"""With so many columns of values, or fewer, three parts of the table have room side by side."""


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A unit of the army, or several that are equal, or the head of a command.

    Attributes:
        name: What the player calls it; of a command, its name.
        count: How many equal units it stands for; 0 for a command.
        type: What it is, if the name does not say so, and its options.
        facts: Values that have no column, such as its weapon.
        size: How many figures or stands it has; 0 if it has no size, as a work.
        values: A unit's values, one for each column.
        leaders: The names of a command's leaders, each with his own values.
        tracks: The rows of boxes of one of it: for its losses, or for what it collects.
        is_continued: Whether it is the head of a command that began in an earlier part.
    """

    name: str
    count: int = 0
    type: str = ""
    size: int = 0
    values: tuple[DerivedCell, ...] = ()
    leaders: tuple[tuple[str, tuple[CardRow, ...]], ...] = ()
    tracks: tuple[Track, ...] = ()
    is_continued: bool = False
    facts: tuple[CardRow, ...] = ()

    @property
    def is_command(self) -> bool:
        """Whether it is the head of a command."""
        return self.count == 0

    @property
    def words(self) -> str:
        """About what stands in the column of names."""
        facts = (" ".join([row.label, *(cell.text for cell in row.values)]) for row in self.facts)
        return " ".join([self.name, self.type, *facts])


@dataclass(frozen=True, slots=True)
class UnitColumn:
    """A column of values: its head, what that means, and the most characters of a cell."""

    label: str
    title: str
    characters: int


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
    losses_head: str = ""
    """The head of the boxes to tick off, such as those for losses; empty if no unit has any."""
    with_losses: bool = False
    """Whether the boxes are printed."""
    has_names: bool = field(default=True, compare=False)
    """Whether its rows have the names of units; else units that differ in name alone share one."""

    @property
    def mark_notes(self) -> list[tuple[str, tuple[str, ...]]]:
        """What happens at the marked boxes, each once; the boxes have no room for the marks.

        It is a remark, and what each mark means; a meaning that is to be filled in is empty.
        """
        marks = (track.marks for track in self._tracks)
        return list(dict.fromkeys(_mark_words(each) for each in marks if each))

    @property
    def has_halves(self) -> bool:
        """Whether any box takes two ticks."""
        return any(track.halved for track in self._tracks)

    @property
    def _tracks(self) -> Iterator[Track]:
        """The boxes that are printed."""
        return (track for row in self.rows if self.with_losses for track in row.tracks)


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
    keep = parts_for(army.nodes())
    tables = (
        replace(_make_table(system, rows, full, head, deriver, keep), has_names=rows is not short)
        for rows in variants
    )
    return tuple(dict.fromkeys(tables))


def _make_table(
    system: System,
    rows: Sequence[UnitRow],
    full: Sequence[UnitRow],
    size_head: str,
    deriver: ValueDeriver,
    keep: PartFilter,
) -> UnitTable:
    """Return a table without the columns that no unit fills."""
    written = system.cards.unit_columns if system.cards else []
    filled = [place for place in range(len(written)) if _is_filled(rows, place)]
    columns = []
    for place in filled:
        label, title = written[place].label, column_title(written[place], deriver, keep)
        texts = [label, *(row.values[place].text for row in rows if row.count)]
        columns.append(UnitColumn(label, title, max(map(len, texts))))
    shown = (
        replace(row, values=tuple(row.values[place] for place in filled)) if row.count else row
        for row in rows
    )
    most = 3 if len(columns) <= _NARROW_COLUMNS else 2
    leaders = () if rows is full else tuple(row for row in full if row.leaders)
    return UnitTable(tuple(columns), size_head, tuple(shown), most, leaders, _losses_head(rows))


def _losses_head(rows: Sequence[UnitRow]) -> str:
    """Return the head of the boxes: what all units collect if that is alike, else losses."""
    heads = {" · ".join(track.label for track in row.tracks) for row in rows if row.tracks}
    return "" if not heads else (heads.pop() if len(heads) == 1 else "") or say("Losses")


def _command_rows(system: System, branch: Node, deriver: ValueDeriver) -> Iterator[UnitRow]:
    """Yield a command, its units, the commands below it, and what is no unit, such as works.

    The army itself, or a group below a command, is headed only if it has leaders of its own.
    """
    leaders = [node for node in branch.children if node.level == LEADER]
    others = [node for node in branch.children if node.entry is not None and node.level != LEADER]
    units = [node for node in others if node.level == "unit"]
    if leaders or (units and 0 < len(branch.path) <= _PATH_OF_A_COMMAND):
        written = [row for row in system.cards.leaders if not row.only] if system.cards else []
        facts = tuple(
            (node_name(node), fill_rows(written, deriver, NodeFields(node))) for node in leaders
        )
        # Nobody calls the army by that word where its only leader has a title.
        title = leaders[0].title if len(leaders) == 1 else branch.title
        yield UnitRow(node_name(branch) if branch.path else title, leaders=facts)
    yield from _join_equal([_unit_row(system, node, deriver) for node in units])
    for node in branch.children:
        if node.is_branch:
            yield from _command_rows(system, node, deriver)
    for level, nodes in groupby(others, key=lambda node: node.level):
        if level != "unit":
            head = branch.kind.composition.levels[level].many
            yield UnitRow(head[:1].upper() + head[1:])
            yield from _join_equal([_unit_row(system, node, deriver) for node in nodes])


def _unit_row(system: System, node: Node, deriver: ValueDeriver, *, named: bool = True) -> UnitRow:
    fields = NodeFields(node)
    columns = system.cards.unit_columns if system.cards else []
    written = system.cards.units if system.cards else []
    name = (node.name if named else "") or node.title
    kind = node.entry_title
    is_unit = node.level == "unit"
    kinds = [*([kind] if kind != name else []), *node.option_titles]
    kinds += [] if is_unit else filter(None, [node.strength])
    own = unit_nation(node, deriver.nation) if is_unit else ""
    nation = [CardRow("", (DerivedCell(own, "text"),))] if own else []
    facts = [fact for fact in written if is_unit and not fact.only and not fact.column]
    return UnitRow(
        name=name,
        count=node.count,
        type=", ".join(kinds),
        facts=(*nation, *fill_rows(facts, deriver, fields)),
        size=node.size if is_unit else 0,
        tracks=_tracks(system, node, deriver) if is_unit else (),
        values=tuple(
            column_value(column, deriver, fields) if is_unit else DerivedCell("–", "dash")
            for column in columns
        ),
    )


def _tracks(system: System, node: Node, deriver: ValueDeriver) -> tuple[Track, ...]:
    """Return the boxes of a unit: one for each figure or stand, else those that its card has.

    They are those of the roster. Losses of a unit that is too large are written beside its size.
    """
    layout, fields = layout_of(node, system.cards), NodeFields(node)
    if not node.size:
        return tally_tracks(layout.tallies if layout else (), fields)
    if node.size > MAX_BOXES:
        return ()
    losses = None
    if layout and layout.losses:
        losses = loss_track(layout.losses, node, fields, deriver)
    halved = losses is not None and losses.halved
    return (Track(node.size, halved=halved, marks=marks_of(losses)),)


def _mark_words(marks: Marks) -> tuple[str, tuple[str, ...]]:
    """Return what marks mean, without the marks: `officer dies on 1D6`, and `6`, `5–6`, `4–6`."""
    remark = marks.note.remark
    for box in marks.boxes:
        remark = remark.removeprefix(box.mark).strip()
    return remark, tuple(meaning for _, meaning in marks.note.meanings)


def _join_equal(rows: Sequence[UnitRow]) -> list[UnitRow]:
    """Return a row for all units that are equal but for their number, in the order of the first."""
    joined: dict[UnitRow, int] = {}
    for row in rows:
        key = replace(row, count=1)
        joined[key] = joined.get(key, 0) + row.count
    return [replace(row, count=count) for row, count in joined.items()]


def _is_filled(rows: Sequence[UnitRow], place: int) -> bool:
    """Return whether any unit has more than a dash in a column; a blank is to be filled in."""
    return any(row.values[place].is_filled for row in rows if row.count)
