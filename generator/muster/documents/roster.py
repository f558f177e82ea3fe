"""The data of rosters: order of battle, sizes, costs with their arithmetic, the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from muster.armies import Army, Book, Finding, Node, PriceLine, Verdict
from muster.armies.fields import spell_out_lines, with_noun
from muster.documents.cards import (
    CardRow,
    NodeFields,
    ValueDeriver,
    fill_rows,
    meets_filter,
    node_colour,
    total_size,
)
from muster.documents.derived_values import DerivedCell, book_title, node_name, unit_type_name
from muster.documents.measures import Measures
from muster.limits import MAX_LOSS_BOXES, MAX_ROSTER_BOXES
from muster.systems import System
from muster.values.number import plain_number


@dataclass(frozen=True, slots=True)
class RosterEntry:
    """A unit, leader, work or group of the roster.

    Attributes:
        name: Its own name, else its title.
        type: What it is, if the name does not say so.
        options: The titles of its options.
        strength: Its size with a noun, such as `6 stands`.
        values: A unit's values, one for each column of the roster.
        how: The arithmetic of its price.
        points: Its price, with its count.
        boxes: How many boxes for losses it has; 0 if there are too many to print.
        count: How many of it there are.
        kind: `leader`, `unit`, `work` or `group`.
        depth: How many groups it stands in.
        faulty: Whether a finding makes it illegal.
        notes: What the list and the book remark on it.
        facts: A leader's or group's values, printed beside the name.
        losses_of: Its size, if a box to write in takes the place of boxes for losses.
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
    losses_of: int = 0


@dataclass(frozen=True, slots=True)
class RosterSection:
    """A command with everything below it, or the leaders, works and units directly in the army."""

    title: str
    kind: str
    entries: tuple[RosterEntry, ...]
    points: str
    facts: tuple[CardRow, ...] = ()
    notes: str = ""


@dataclass(frozen=True, slots=True)
class ColumnKey:
    """An abbreviated column head and its meaning."""

    label: str
    title: str


@dataclass(frozen=True, slots=True)
class BookNote:
    """The source and the notes of an army book."""

    title: str
    source: str
    notes: str


@dataclass(frozen=True, slots=True)
class RosterFinding:
    """A finding as it is printed."""

    severity: str
    where: str
    message: str
    allowed: str
    actual: str
    rule: str
    remedy: str
    place: str


@dataclass(frozen=True, slots=True)
class Roster:
    """A full roster; its short form is printed without the arithmetic.

    A column that no unit fills is not printed: a column of values has no key then, and
    `has_sizes` and `has_losses` are False if no entry has a strength or boxes for losses.
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
    has_sizes: bool
    has_losses: bool
    suggests: bool
    facts: tuple[CardRow, ...] = ()
    books: tuple[BookNote, ...] = ()
    army_id: str = ""
    """The name of the army's file without its ending."""
    notes: str = ""


def format_points(points: Decimal | None) -> str:
    """Return points exactly, without trailing zeros: 26, 61.75; nothing for None."""
    return "" if points is None else plain_number(points)


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
    deriver = ValueDeriver(system, army, measures)
    columns = system.cards.roster if system.cards else []
    leader_rows = system.cards.leaders if system.cards else []
    lines = {line.path: line for line in verdict.price.lines}
    faulty = {finding.path for finding in verdict.findings if finding.severity == "error"}

    def make_entry(node: Node, depth: int) -> RosterEntry:
        fields = NodeFields(node)
        values: tuple[DerivedCell, ...] = ()
        if node.level == "unit":
            values = tuple(
                deriver(column.value, fields)
                if meets_filter(column.where, fields)
                else DerivedCell("", "text")
                for column in columns
            )
        line = lines.get(node.path_text)
        size = node.size if node.level == "unit" else 0
        has_boxes = size <= MAX_LOSS_BOXES and size * node.count <= MAX_ROSTER_BOXES
        return RosterEntry(
            name=node.name or node.title,
            type=unit_type_name(node, cited=True) if (node.name or node.profile) else "",
            options=tuple(node.option_titles),
            strength=node.strength,
            values=values,
            how=line.working if line else "",
            points=format_points(line.points) if line and line.points is not None else "",
            boxes=size if has_boxes else 0,
            losses_of=0 if has_boxes else size,
            count=node.count,
            kind=node.level if node.level in ("leader", "unit") else "work",
            depth=depth,
            faulty=node.path_text in faulty,
            notes=_unit_notes(node),
            facts=fill_rows(leader_rows, deriver, fields) if node.level == "leader" else (),
        )

    def entries_below(node: Node, depth: int) -> list[RosterEntry]:
        entries: list[RosterEntry] = []
        for child in node.children:
            if child.is_branch:
                entries.append(_group_entry(child, depth, faulty))
                entries.extend(entries_below(child, depth + 1))
            else:
                entries.append(make_entry(child, depth))
        return entries

    top_level_entries = [
        make_entry(child, 0) for child in army.root.children if not child.is_branch
    ]
    sections = [
        RosterSection(
            title=node_name(command),
            kind=command.level,
            entries=tuple(entries_below(command, 0)),
            points=_subtotal(verdict.price.lines, command),
            facts=_own_fields(command),
            notes=command.remark,
        )
        for command in army.root.children
        if command.is_branch
    ]
    if top_level_entries:
        title = army.composition.top.title
        points = _top_level_points(top_level_entries, verdict)
        sections.insert(0, RosterSection(title, "army", tuple(top_level_entries), points))
    keys, sections = _drop_empty_columns(
        [ColumnKey(column.label, deriver.convert_text(column.title)) for column in columns],
        sections,
    )
    entries = [entry for section in sections for entry in section.entries]
    units = sum(entry.count for entry in entries if entry.kind == "unit")
    book = army.book
    identity = system.identity
    return Roster(
        system=system.title,
        army=army.name,
        book=book_title(book),
        colour=node_colour(army.root, system.cards),
        shape=book.shape if book else "square",
        language=identity.language,
        edition=identity.edition,
        credit=identity.source.credit,
        legal=verdict.legal,
        has_points=verdict.price.total is not None,
        points=format_points(verdict.price.total),
        limit=format_points(army.limit),
        missing=tuple(verdict.price.missing),
        keys=tuple(keys),
        sections=tuple(sections),
        findings=tuple(_make_finding(finding) for finding in verdict.findings),
        units=with_noun(units, "unit", "units"),
        has_sizes=any(entry.strength for entry in entries),
        has_losses=any(entry.boxes or entry.losses_of for entry in entries),
        suggests=any(node.profile and node.profile.suggested for node in army.nodes()),
        facts=_own_fields(army.root),
        books=_book_notes(army),
        army_id=Path(army.document.file).stem,
        notes=army.root.remark,
    )


_EMPTY_TEXTS = ("", "–")


def _drop_empty_columns(
    keys: Sequence[ColumnKey], sections: Sequence[RosterSection]
) -> tuple[list[ColumnKey], list[RosterSection]]:
    """Leave out every column of values in which no unit has more than a dash.

    A blank is a box to be filled in, so its column stays.
    """
    units = [entry for section in sections for entry in section.entries if entry.values]

    def is_filled(place: int) -> bool:
        cells = [unit.values[place] for unit in units]
        return any(cell.kind == "blank" or cell.text not in _EMPTY_TEXTS for cell in cells)

    places = [place for place in range(len(keys)) if is_filled(place)]

    def narrow(entry: RosterEntry) -> RosterEntry:
        return replace(entry, values=tuple(entry.values[place] for place in places if entry.values))

    return [keys[place] for place in places], [
        replace(section, entries=tuple(narrow(entry) for entry in section.entries))
        for section in sections
    ]


def _own_fields(branch: Node) -> tuple[CardRow, ...]:
    """Return a row for each field that the army list gives to a command or group."""
    specs = ((name, branch.kind.field_spec(name)) for name in branch.fields)
    return tuple(
        CardRow(spec.title or name, (DerivedCell(branch.kind.shown(name), "text"),))
        for name, spec in specs
        if spec is not None
    )


def _book_notes(army: Army) -> tuple[BookNote, ...]:
    """Return the sources and notes of the books of an army's units, in the order of the list."""
    books: dict[str, Book] = {}
    for node in army.nodes():
        if node.book is not None:
            books.setdefault(node.book.id, node.book)
    return tuple(
        BookNote(book.title, spell_out_lines(book.source), book.notes)
        for book in books.values()
        if book.source or book.notes
    )


def _unit_notes(node: Node) -> str:
    """Return the list's remark on a unit, then the notes of its profile."""
    profile_notes = node.profile.notes if node.profile else ""
    return " – ".join(text for text in (node.remark, profile_notes) if text)


def _subtotal(lines: Sequence[PriceLine], branch: Node) -> str:
    """Return the points of a command; `at least …` if a price in it is unknown."""
    prefix = branch.path_text
    lines = [
        line
        for line in lines
        if line.path == prefix or line.path.startswith((f"{prefix}.", f"{prefix}["))
    ]
    if not any(line.known for line in lines):
        return ""
    text = format_points(sum((line.known for line in lines), Decimal(0)))
    return f"at least {text}" if any(line.points is None for line in lines) else text


def _top_level_points(entries: Sequence[RosterEntry], verdict: Verdict) -> str:
    known = sum((Decimal(entry.points) for entry in entries if entry.points), Decimal(0))
    return format_points(known) if known and verdict.price.total is not None else ""


def _group_entry(node: Node, depth: int, faulty: set[str]) -> RosterEntry:
    """Return the entry that heads a group within a command."""
    size = total_size(node)
    first = next((unit for unit in node.walk() if unit.strength), None)
    return RosterEntry(
        name=node_name(node),
        type="" if node_name(node) == node.title else node.title,
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
        facts=_own_fields(node),
    )


def _make_finding(finding: Finding) -> RosterFinding:
    line = finding.location.line
    return RosterFinding(
        severity=finding.severity,
        where=finding.label,
        message=finding.message,
        allowed=finding.allowed,
        actual=finding.actual,
        rule=str(finding.rule),
        remedy=finding.remedy,
        place=f"line {line}" if line else "",
    )
