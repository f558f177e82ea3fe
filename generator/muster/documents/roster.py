"""The data of rosters: order of battle, sizes, costs with their arithmetic, the verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from math import ceil
from pathlib import Path

from muster.armies import Army, Book, Finding, Node, PriceLine, Verdict
from muster.armies.constraints import AnyConstraint
from muster.armies.fields import upper_first
from muster.armies.verdict import NO_LIMIT, PRICE_UNKNOWN
from muster.documents.cards import (
    CardRow,
    LossBox,
    LossTrack,
    NodeFields,
    ValueDeriver,
    army_colour,
    column_title,
    column_value,
    fill_rows,
    layout_of,
    loss_track,
    names_language,
    node_colour,
    node_shape,
    node_symbol,
    parts_for,
    tally_track,
    tick_names,
    total_size,
)
from muster.documents.derived_values import (
    DerivedCell,
    book_title,
    nation_title,
    node_name,
    unit_nation,
    unit_type_name,
)
from muster.documents.measures import Measures
from muster.documents.own_language import in_own_language
from muster.documents.page_look import PLAIN_LOOK, PageLook, gather_look
from muster.documents.pictures import book_picture, distinct_pictures, read_picture
from muster.languages import say, say_number, with_decimal_mark
from muster.limits import MAX_LOSS_BOXES, MAX_ROSTER_BOXES
from muster.systems import System
from muster.systems.layouts import Tally
from muster.systems.pictures import Picture
from muster.values.number import parse_number, plain_number


@dataclass(frozen=True, slots=True)
class MarkNote:
    """What explains the marks of losses: what is lost, a remark, and what each mark means."""

    label: str
    remark: str
    meanings: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Marks:
    """The losses at which something happens to a unit or group, such as a test of morale."""

    boxes: tuple[LossBox, ...]
    note: MarkNote


_FIVE = 5
"""Boxes stand in groups of so many."""


@dataclass(frozen=True, slots=True)
class Track:
    """A row of boxes for what a unit loses or collects.

    `label` says what, such as `Kills`; it is empty for losses. `shape` is `square` or `round`. A
    box of a `halved` row takes two ticks. `marks` are the boxes with a mark.
    """

    boxes: int
    label: str = ""
    shape: str = "square"
    halved: bool = False
    marks: Marks | None = None

    @property
    def marked(self) -> frozenset[int]:
        """The numbers of the boxes that have a mark."""
        return frozenset(box.number for box in self.marks.boxes) if self.marks else frozenset()

    def lines(self, most: int) -> list[list[list[LossBox]]]:
        """Return its boxes, by lines and groups of five boxes.

        There are as few lines as can be, all but the last with the same whole number of fives, so
        that they are soon counted.

        Args:
            most: How many boxes there is room for on a line.
        """
        length = min(self.boxes, most)
        if self.boxes > most >= _FIVE:
            number = ceil(self.boxes / (most - most % _FIVE))
            length = ceil(self.boxes / number / _FIVE) * _FIVE
        marked = {box.number: box for box in self.marks.boxes} if self.marks else {}
        boxes = [marked.get(number, LossBox(number)) for number in range(1, self.boxes + 1)]
        lines = (boxes[start : start + length] for start in range(0, self.boxes, length))
        return [
            [line[start : start + _FIVE] for start in range(0, len(line), _FIVE)] for line in lines
        ]


@dataclass(frozen=True, slots=True)
class RosterEntry:
    """A unit, leader, work or group of the roster.

    Attributes:
        name: Its own name, else its title.
        type: What it is, if the name does not say so.
        options: The titles of its options.
        strength: Its size with a noun, such as `6 stands`.
        noun: The noun of its size, if `strength` is a number alone.
        values: A unit's values, one for each column of the roster.
        how: The arithmetic of its price.
        points: Its price, with its count.
        boxes: How many boxes for losses it has; 0 if there are too many to print.
        count: How many of it there are.
        kind: `leader`, `unit`, `work` or `group`.
        depth: How many groups it stands in.
        faulty: Whether a finding makes it illegal.
        notes: What the list and the book remark on it.
        facts: Values printed beside the name, such as a leader's quality or who leads a unit.
        play_facts: Those that a roster to play with prints there, such as how a unit starts.
        losses_of: Its size, if a box to write in takes the place of boxes for losses.
        tallies: Boxes for what a unit without a size collects, such as kills.
        halved: Whether its boxes for losses take two ticks each.
        marks: The losses at which something happens to it; None if at none.
        is_named: Whether its name is of the army file, and not of the rules.
        is_ruled: Whether it is a group, and a rule is about groups of its level.
        tick_names: What a browser keeps the ticks of its boxes under, for each of it.
        led_by: The leader of a group, if the two share a line.
        picture: Its picture, which the full roster shows beside its name.
        symbol: The outline of a unit's symbol; empty if it has none.
    """

    name: str
    type: str
    options: tuple[str, ...]
    strength: str
    values: tuple[DerivedCell, ...]
    how: str
    points: str
    boxes: int
    count: int
    kind: str
    depth: int
    faulty: bool
    notes: str = ""
    facts: tuple[CardRow, ...] = ()
    play_facts: tuple[CardRow, ...] = ()
    losses_of: int = 0
    tallies: tuple[Track, ...] = ()
    led_by: RosterEntry | None = None
    picture: Picture | None = None
    symbol: str = ""
    halved: bool = False
    marks: Marks | None = None
    is_named: bool = False
    is_ruled: bool = False
    tick_names: tuple[str, ...] = ()
    noun: str = ""

    @property
    def tracks(self) -> tuple[Track, ...]:
        """The boxes for losses of one of it."""
        if not self.boxes:
            return self.tallies
        return (Track(self.boxes, halved=self.halved, marks=self.marks),)

    @property
    def all_facts(self) -> tuple[CardRow, ...]:
        """All values that are printed beside the name."""
        return (*self.facts, *self.play_facts)

    @property
    def box_count(self) -> int:
        """The number of boxes of one of it."""
        return sum(track.boxes for track in self.tracks)

    @property
    def has_boxes(self) -> bool:
        """Whether it has boxes for losses, or one to write them in."""
        return bool(self.tracks or self.losses_of)

    @property
    def has_details(self) -> bool:
        """Whether anything but its name, values and price is said of it."""
        said = (self.type, self.all_facts, self.options, self.notes, self.strength)
        return any(said) or self.has_boxes or " " in self.how

    @property
    def thresholds(self) -> tuple[LossBox, ...]:
        """The marks that stand in no box, since it has none of its own for losses."""
        return self.marks.boxes if self.marks and not self.boxes else ()


@dataclass(frozen=True, slots=True)
class ColumnKey:
    """An abbreviated column head and its meaning; `short` if short rosters have it, too."""

    label: str
    title: str
    short: bool = False

    @property
    def meaning(self) -> str:
        """What follows the label where the two are read together: `Range` is not said twice."""
        said = self.title[: len(self.label) + 1].casefold() == f"{self.label} ".casefold()
        return self.title[len(self.label) + 1 :] if said else self.title


DASH = DerivedCell("–", "dash")
"""What a unit has in a column of values that does not concern it."""


@dataclass(frozen=True, slots=True)
class RosterSection:
    """A command with everything below it, or the leaders, works and units directly in the army.

    `keys` are its columns of values: those that a unit of it fills. `led_by` is its leader, if he
    shares its heading, and `is_running` whether its units are running text instead of a table.
    `nation`, `colour` and `shape` tell the nations of a mixed army apart; else they are empty.
    """

    title: str
    kind: str
    entries: tuple[RosterEntry, ...]
    points: str
    facts: tuple[CardRow, ...] = ()
    notes: str = ""
    keys: tuple[ColumnKey, ...] = ()
    led_by: RosterEntry | None = None
    is_running: bool = False
    marks: Marks | None = None
    """The losses at which something happens to the whole of it; None if at none."""
    nation: str = ""
    colour: str = ""
    shape: str = ""

    @property
    def all_marks(self) -> list[Marks]:
        """The marks of its losses, and of those of its entries."""
        held = [self.marks, *(entry.marks for entry in self.entries)]
        return [marks for marks in held if marks]

    @property
    def has_sizes(self) -> bool:
        """Whether any entry has a strength."""
        return any(entry.strength for entry in self.entries)

    @property
    def has_points(self) -> bool:
        """Whether any entry has a price."""
        return any(entry.points for entry in self.entries)

    @property
    def has_losses(self) -> bool:
        """Whether any entry has boxes for losses, or one to write them in."""
        return any(entry.has_boxes for entry in self.entries)

    @property
    def has_no_columns(self) -> bool:
        """Whether there is no more to its entries than their lines: they are leaders."""
        return all(entry.kind == "leader" for entry in self.entries)


@dataclass(frozen=True, slots=True)
class BookNote:
    """The notes of an army book."""

    title: str
    notes: str


@dataclass(frozen=True, slots=True)
class RosterFinding:
    """A finding as it is printed; `found` says what there is and what may be, if that helps."""

    severity: str
    where: str
    message: str
    found: str
    rule: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Roster:
    """A full roster; `short_roster` makes its short form.

    `book` is whose army it is: the titles of its books, else its nations. `keys` are the columns
    of values that any section has, `sizes` and `losses` the heads of the columns of strengths and
    of boxes, and `left_out` says what a short form leaves to the full one.
    """

    system: str
    army: str
    book: str
    colour: str
    shape: str
    language: str
    edition: str
    credit: str
    legal: bool
    has_points: bool
    points: str
    limit: str
    missing: tuple[str, ...]
    keys: tuple[ColumnKey, ...]
    sections: tuple[RosterSection, ...]
    findings: tuple[RosterFinding, ...]
    units: str
    sizes: str = "Strength"
    losses: str = "Losses"
    losses_below: bool = False
    """Whether strength and boxes of a unit stand below its values, instead of beside them."""
    facts: tuple[CardRow, ...] = ()
    books: tuple[BookNote, ...] = ()
    army_id: str = ""
    """The name of the army's file without its ending."""
    notes: str = ""
    player: str = ""
    left_out: str = ""
    link: str = ""
    """The address at which the list builder opens the army; empty if unknown, or too long."""
    picture: Picture | None = None
    """The picture of its book, else of the system."""
    pictures: tuple[Picture, ...] = ()
    """All its pictures, each once."""
    look: PageLook = PLAIN_LOOK
    names_in: str = ""
    """The language of what the army file says, if it is another than the roster's."""

    @property
    def symbols(self) -> list[str]:
        """The outlines of the symbols of its units, each once."""
        entries = (entry for section in self.sections for entry in section.entries)
        return list(dict.fromkeys(entry.symbol for entry in entries if entry.symbol))

    @property
    def mark_notes(self) -> list[MarkNote]:
        """What explains the marks of losses, each once."""
        held = [marks for section in self.sections for marks in section.all_marks]
        return list(dict.fromkeys(marks.note for marks in held))

    @property
    def has_dashes(self) -> bool:
        """Whether any value of a unit is a dash."""
        return any(cell.text == DASH.text for cell in self._cells)

    @property
    def lacks_columns(self) -> bool:
        """Whether a section with units lacks a column of values that another has."""
        return any(
            len(section.keys) < len(self.keys)
            and any(entry.kind in {"unit", "work"} for entry in section.entries)
            for section in self.sections
        )

    @property
    def has_blanks(self) -> bool:
        """Whether any value of a unit or leader is to be filled in."""
        return any(cell.kind == "blank" for cell in self._cells)

    @property
    def threshold(self) -> LossBox | None:
        """A loss at which something happens to a group or section that has no boxes for losses."""
        for section in self.sections:
            boxes = section.marks.boxes if section.marks else ()
            groups = (each.thresholds for each in section.entries if each.kind == "group")
            for found in (boxes, *groups):
                if found:
                    return found[0]
        return None

    @property
    def has_blank_marks(self) -> bool:
        """Whether the mark of any box for losses is to be written into it."""
        held = (entry.marks for section in self.sections for entry in section.entries)
        return any(box.to_write and not box.mark for marks in held if marks for box in marks.boxes)

    @property
    def _cells(self) -> Iterator[DerivedCell]:
        """All values of units and leaders, in columns or beside names."""
        for section in self.sections:
            for entry in filter(None, (section.led_by, *section.entries)):
                yield from entry.values
                for row in (*entry.all_facts, *(entry.led_by.facts if entry.led_by else ())):
                    yield from row.values

    @property
    def has_halves(self) -> bool:
        """Whether any boxes for losses take two ticks each."""
        entries = (entry for section in self.sections for entry in section.entries)
        return any(entry.halved and entry.boxes for entry in entries)


def format_points(points: Decimal | None) -> str:
    """Return points exactly, without trailing zeros: 26, 61.75; nothing for None."""
    return "" if points is None else with_decimal_mark(plain_number(points))


def read_points(text: str) -> Decimal | None:
    """Return points that were formatted; None if they are not fully known."""
    return parse_number(text.replace(with_decimal_mark("."), "."))


@in_own_language
def gather_roster(
    system: System, army: Army, verdict: Verdict, measures: Measures | None = None
) -> Roster:
    """Gather a roster from an army and its verdict.

    Args:
        system: The rule system.
        army: The army.
        verdict: Its verdict.
        measures: Scale and unit of length; else the army's scale, in the system's own unit.
    """
    gatherer = _RosterGatherer(system, army, verdict, measures)
    sections, keys = gatherer.sections(), gatherer.keys()
    sections = [_drop_empty_columns(keys, section) for section in sections]
    units = [node for node in army.nodes() if node.level == "unit"]
    picture = book_picture(system, army.book)
    shown = [entry.picture for section in sections for entry in section.entries]
    identity = system.identity
    return Roster(
        system=system.title,
        army=army.name,
        book=nation_title(army),
        colour=army_colour(army, system.cards) or node_colour(army.root, system.cards),
        shape=node_shape(army.root, system.cards) or "square",
        language=identity.language,
        edition=identity.edition,
        credit=identity.source.credit,
        legal=verdict.legal,
        has_points=verdict.price.total is not None,
        points=format_points(verdict.price.total),
        limit=format_points(army.limit),
        missing=tuple(verdict.price.missing),
        keys=tuple(key for key in keys if any(key in section.keys for section in sections)),
        sections=tuple(sections),
        findings=tuple(_make_finding(system, finding) for finding in verdict.findings),
        units=say_number("{n} unit", "{n} units", sum(unit.count for unit in units)),
        sizes=say("Strength"),
        losses=_losses_head(units, gatherer.tallies_of),
        facts=(
            *([_scale_fact(system, army)] if len(system.scales) > 1 and army.scale else []),
            *(row for name, row in _own_fields(army.root) if name != "nation"),
        ),
        books=_book_notes(army),
        army_id=Path(army.document.file).stem,
        notes=army.root.remark,
        player=army.player,
        picture=picture,
        pictures=distinct_pictures([picture, *shown], army.document.file),
        look=gather_look(system),
        names_in=names_language(system),
    )


class _RosterGatherer:
    """Gathers the sections of a roster, with an entry for each unit, leader, work and group."""

    def __init__(
        self, system: System, army: Army, verdict: Verdict, measures: Measures | None
    ) -> None:
        self.army = army
        self.cards = system.cards
        self.columns = system.cards.roster if system.cards else []
        self.leader_rows = system.cards.leaders if system.cards else []
        self.unit_rows = system.cards.units if system.cards else []
        self.deriver = ValueDeriver(system, army, measures)
        self.price_lines = verdict.price.lines
        self.line_of = {line.path: line for line in verdict.price.lines}
        self.faulty = {finding.path for finding in verdict.findings if finding.severity == "error"}
        self.tick_names = tick_names(army)

    def keys(self) -> list[ColumnKey]:
        """Return the columns of values."""
        keep = parts_for(self.army.nodes())
        return [
            ColumnKey(column.label, column_title(column, self.deriver, keep), column.short)
            for column in self.columns
        ]

    def sections(self) -> list[RosterSection]:
        """Return a section for each command, and one before them for all that is in none."""
        commands = [child for child in self.army.root.children if child.is_branch]
        sections = [
            RosterSection(
                title=node_name(command),
                kind=command.level,
                entries=tuple(self._entries_below(command, 0)),
                points=_subtotal(self.price_lines, [command]),
                facts=_command_facts(command),
                notes=command.remark,
                marks=marks_of(self._loss_track(command)),
            )
            for command in commands
        ]
        others = [child for child in self.army.root.children if not child.is_branch]
        if others:
            are_units = all(node.level == "unit" for node in others)
            title = say("Units") if are_units else self.army.composition.top.title
            entries = tuple(self._entry(node, 0) for node in others)
            points = _subtotal(self.price_lines, others)
            sections.insert(0, RosterSection(title, "army", entries, points))
        heads = [self.army.root] if others else []
        return self._with_nations([*heads, *commands], sections)

    def _with_nations(
        self, nodes: Sequence[Node], sections: Sequence[RosterSection]
    ) -> list[RosterSection]:
        """Return the sections with the nation of each, if they are not all of one."""
        nations = [
            book_title(node.book) or upper_first(node.kind.shown("nation")) for node in nodes
        ]
        if len(set(nations)) == 1:
            return list(sections)
        marked = []
        for node, nation, section in zip(nodes, nations, sections, strict=True):
            said = {cell.text for row in section.facts for cell in row.values}
            is_said = not nation or nation in said or nation in section.title
            fact = () if is_said else (CardRow("", (DerivedCell(nation, "text"),)),)
            look = replace(section, nation=nation, facts=(*fact, *section.facts))
            if nation:
                colour, shape = node_colour(node, self.cards), node_shape(node, self.cards)
                look = replace(look, colour=colour, shape=shape)
            marked.append(look)
        return marked

    def tallies_of(self, node: Node) -> Sequence[Tally]:
        """Return what a unit collects, as its card says."""
        layout = layout_of(node, self.cards) if node.level == "unit" else None
        return layout.tallies if layout else ()

    def _loss_track(self, node: Node) -> LossTrack | None:
        """Return the boxes of the card of a unit or group; None if that has none."""
        layout = layout_of(node, self.cards)
        if layout is None or layout.losses is None:
            return None
        return loss_track(layout.losses, node, NodeFields(node), self.deriver)

    def _entries_below(self, node: Node, depth: int) -> Iterator[RosterEntry]:
        for child in node.children:
            if child.is_branch:
                yield _group_entry(child, depth, self.faulty, self._loss_track(child))
                yield from self._entries_below(child, depth + 1)
            else:
                yield self._entry(child, depth)

    def _entry(self, node: Node, depth: int) -> RosterEntry:
        is_unit, is_leader = node.level == "unit", node.level == "leader"
        fields = NodeFields(node)
        line = self.line_of.get(node.path_text)
        track = self._loss_track(node) if is_unit else None
        size = node.size if is_unit else 0
        has_boxes = size <= MAX_LOSS_BOXES and size * node.count <= MAX_ROSTER_BOXES
        tallies = () if size else self.tallies_of(node)
        rows = self.leader_rows if is_leader else self.unit_rows if is_unit else []
        play = [row for row in rows if row.only == "play"]
        facts = fill_rows([row for row in rows if row not in play], self.deriver, fields)
        nation = unit_nation(node, self.deriver.nation) if is_unit else ""
        if nation:
            facts = (CardRow("", (DerivedCell(nation, "text"),)), *facts)
        if is_unit:
            facts = tuple(map(_break_row_at_commas, facts))
        return RosterEntry(
            name=node.name or node.title,
            type=unit_type_name(node) if (node.name or node.profile) else "",
            options=tuple(node.option_titles),
            strength=node.strength,
            values=tuple(self._values(fields)) if is_unit else (),
            how=line.working if line else "",
            points=_line_points(line) if line else "",
            boxes=size if has_boxes else 0,
            losses_of=0 if has_boxes else size,
            tallies=tally_tracks(tallies, fields),
            count=node.count,
            kind=node.level if is_unit or is_leader else "work",
            depth=depth,
            faulty=node.path_text in self.faulty,
            notes=_unit_notes(node),
            is_named=bool(node.name),
            facts=_join_equal_facts(facts),
            play_facts=tuple(map(_break_row_at_commas, fill_rows(play, self.deriver, fields))),
            picture=read_picture(node.picture),
            symbol=node_symbol(node, self.cards) if is_unit else "",
            halved=track is not None and track.halved,
            marks=marks_of(track.told_in_boxes if track else None),
            tick_names=self.tick_names[node.path_text],
        )

    def _values(self, fields: NodeFields) -> Iterator[DerivedCell]:
        """Yield a unit's values, one for each column."""
        for column in self.columns:
            yield _break_at_commas(column_value(column, self.deriver, fields))


def _break_at_commas(cell: DerivedCell) -> DerivedCell:
    """Return a value that a narrow column breaks after its commas only, if it has any."""
    parts = cell.text.split(", ")
    if len(parts) == 1:
        return cell
    return replace(cell, text=", ".join(part.replace(" ", "\u00a0") for part in parts))


def _break_row_at_commas(row: CardRow) -> CardRow:
    """Return a row that is broken after the commas of its values only."""
    values = [
        replace(cell, text=cell.text.replace(" ", "\u00a0").replace(",\u00a0", ", "))
        for cell in row.values
    ]
    return CardRow(row.label, tuple(values))


def _losses_head(units: Sequence[Node], tallies_of: Callable[[Node], Sequence[Tally]]) -> str:
    """Return the head of the boxes: what units without a size collect, if that is alike for all."""
    if any(unit.size for unit in units):
        return say("Losses")
    heads = {" · ".join(tally.label for tally in tallies_of(unit)) for unit in units}
    return (heads.pop() if len(heads) == 1 else "") or say("Losses")


def _drop_empty_columns(keys: Sequence[ColumnKey], section: RosterSection) -> RosterSection:
    """Leave out every column of values in which no unit of a section has more than a dash.

    A blank is a box to be filled in, so its column stays.
    """
    units = [entry for entry in section.entries if entry.values]
    places = [
        place for place in range(len(keys)) if any(unit.values[place].is_filled for unit in units)
    ]
    entries = tuple(
        replace(entry, values=tuple(entry.values[place] for place in places if entry.values))
        for entry in section.entries
    )
    return replace(section, keys=tuple(keys[place] for place in places), entries=entries)


def _scale_fact(system: System, army: Army) -> CardRow:
    title = next((scale.title for scale in system.scales if scale.id == army.scale), army.scale)
    return CardRow(say("Scale"), (DerivedCell(title, "text"),))


def _own_fields(branch: Node) -> Iterator[tuple[str, CardRow]]:
    """Yield id and row of each field that the army list gives to a command or group."""
    for name in branch.fields:
        spec = branch.kind.field_spec(name)
        if spec is not None:
            text = branch.kind.shown(name)
            yield name, CardRow(spec.title or name, (DerivedCell(text, "text"),))


def _join_equal_facts(rows: Sequence[CardRow]) -> tuple[CardRow, ...]:
    """Return facts in which neighbours with the same word share it: `Training, Ability Average`."""
    joined: list[CardRow] = []
    for row in rows:
        before = joined[-1] if joined else None
        is_word = [value.kind for value in row.values] == ["text"] and row.values[0].text.isalpha()
        if before and is_word and row.label and before.label and before.values == row.values:
            joined[-1] = replace(before, label=f"{before.label}, {row.label}")
        else:
            joined.append(row)
    return tuple(joined)


def _command_facts(branch: Node) -> tuple[CardRow, ...]:
    """Return the book of a command, if it is another than the army's, and its own fields.

    What its name says already is left out, such as the nation of the Russian corps.
    """
    rows = [row for _, row in _own_fields(branch)]
    above = branch.kind.parent.book if branch.kind.parent else None
    if branch.book is not None and branch.book is not above:
        rows.insert(0, CardRow("", (DerivedCell(book_title(branch.book), "text"),)))
    said = (branch.name, *branch.name.split())
    return tuple(row for row in rows if row.values[0].text not in said)


def _book_notes(army: Army) -> tuple[BookNote, ...]:
    """Return the notes of the books of an army's units, in the order of the list."""
    books: dict[str, Book] = {}
    for node in army.nodes():
        if node.book is not None:
            books.setdefault(node.book.id, node.book)
    return tuple(BookNote(book.title, book.notes) for book in books.values() if book.notes)


def _unit_notes(node: Node) -> str:
    """Return the list's remark on a unit, then the notes of its profile."""
    profile_notes = node.profile.notes if node.profile else ""
    return " – ".join(text for text in (node.remark, profile_notes) if text)


def _subtotal(lines: Sequence[PriceLine], nodes: Sequence[Node]) -> str:
    """Return the points of nodes and all below; `at least …` if a price among them is unknown."""
    below = {id(node) for top in nodes for node in top.walk()}
    lines = [line for line in lines if id(line.node) in below]
    if not any(line.known for line in lines):
        return ""
    text = format_points(sum((line.known for line in lines), Decimal(0)))
    return (
        say("at least {points}", points=text)
        if any(line.points is None for line in lines)
        else text
    )


def _line_points(line: PriceLine) -> str:
    """Return the points of a line; `27 + ?` if only a part of its price is known."""
    if line.points is not None:
        return format_points(line.points)
    return f"{format_points(line.known)} + ?" if line.known else "?"


def tally_tracks(tallies: Sequence[Tally], fields: NodeFields) -> tuple[Track, ...]:
    """Return the rows of boxes for what a unit collects."""
    filled = (tally_track(tally, fields) for tally in tallies)
    return tuple(Track(len(each.boxes), each.label, each.shape) for each in filled)


def marks_of(track: LossTrack | None) -> Marks | None:
    """Return the boxes that have a mark; None if there are none."""
    boxes = tuple(box for box in track.boxes if box.mark or box.to_write) if track else ()
    if track is None or not boxes:
        return None
    return Marks(boxes, MarkNote(track.label, track.remark, track.meanings))


def _group_entry(node: Node, depth: int, faulty: set[str], track: LossTrack | None) -> RosterEntry:
    """Return the entry that heads a group within a command."""
    size = total_size(node)
    first = next((unit for unit in node.walk() if unit.strength), None)
    return RosterEntry(
        name=node_name(node),
        type="" if node.title.casefold() in node_name(node).casefold().split() else node.title,
        options=(),
        strength=first.format_size(size) if first and size else "",
        values=(),
        how="",
        points="",
        boxes=0,
        count=1,
        kind="group",
        depth=depth,
        faulty=node.path_text in faulty,
        notes=node.remark,
        facts=_command_facts(node),
        marks=marks_of(track),
        is_named=bool(node.name),
        is_ruled=any(rule.within == node.level for rule in node.kind.composition.constraints),
    )


def _tell_found(finding: Finding, rule: AnyConstraint | None) -> str:
    """Return what there is and what may be, as a sentence about what the finding stands at.

    It is empty where the message says it: a unit without an officer is not “1 unit without one”.
    """
    none, noun = say("none"), finding.actual.partition(" ")[2]
    if finding.code in {PRICE_UNKNOWN, NO_LIMIT} or finding.actual in {"", say("none stated")}:
        return ""
    is_count = rule is not None and rule.kind == "count" and not rule.each
    sums = rule is not None and rule.kind == "count" and rule.sum is not None
    if is_count and not sums and finding.allowed == none and not finding.node.is_branch:
        return ""
    if not finding.allowed:
        return say("Found {actual}.", actual=finding.actual)
    if not is_count:
        allowed, actual = finding.allowed, finding.actual
        return say("Found: {actual}. Allowed: {allowed}.", actual=actual, allowed=allowed)
    if finding.actual == none:
        return say("It has none; it needs {allowed}.", allowed=finding.allowed)
    allowed = finding.allowed.removesuffix(f" {noun}") if noun else finding.allowed
    return say("It has {actual}; it may have {allowed}.", actual=finding.actual, allowed=allowed)


def _make_finding(system: System, finding: Finding) -> RosterFinding:
    title = finding.rule.chapter
    numbers = {chapter.title: number for number, chapter in enumerate(system.chapters, 1)}
    rules = finding.army.composition.constraints
    broken = next((rule for rule in rules if rule.id == finding.code), None)
    chapter = say("Chapter {number}", number=numbers[title]) if title in numbers else ""
    return RosterFinding(
        severity=finding.severity,
        where=finding.label if finding.node.path else say("The whole army"),
        message=finding.message,
        found=_tell_found(finding, broken),
        rule=say("{title}: {subtitle}", title=chapter, subtitle=title) if chapter else title,
        remedy=finding.remedy,
    )
