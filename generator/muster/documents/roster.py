"""What a roster holds: order of battle, sizes, costs with their arithmetic, the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from muster.armies import Army, Book, Finding, Node, PriceLine, Verdict
from muster.armies.fields import with_noun
from muster.documents.cards import (
    CardRow,
    NodeFields,
    ValueDeriver,
    fill_rows,
    meets_filter,
    total_size,
)
from muster.documents.derived_values import DerivedCell, book_title, node_name, unit_type_name
from muster.documents.measures import Measures
from muster.systems import System


@dataclass(frozen=True, slots=True)
class RosterEntry:
    """A unit, leader or group of the roster.

    `boxes` is how many boxes for losses it has. A unit's values stand one in each column, the
    facts of a leader or a group beside the name.
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


@dataclass(frozen=True, slots=True)
class RosterSection:
    """A command, and all below it; or the army's own leaders, works and loose units."""

    title: str
    kind: str
    entries: tuple[RosterEntry, ...]
    points: str
    facts: tuple[CardRow, ...] = ()
    notes: str = ""


@dataclass(frozen=True, slots=True)
class ColumnKey:
    """What an abbreviated column head means."""

    label: str
    title: str


@dataclass(frozen=True, slots=True)
class BookNote:
    """What an army book says of itself."""

    title: str
    source: str
    notes: str


@dataclass(frozen=True, slots=True)
class RosterFinding:
    """A finding as printed."""

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
    """A roster, full; the short form leaves out the arithmetic.

    A column that no unit fills is left out: of values by its key, of strengths and of boxes for
    losses by `has_sizes` and `has_losses`.
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
    notes: str = ""


def format_points(points: Decimal | None) -> str:
    """Give points exactly, without needless zeros: 26, 61.75."""
    if points is None:
        return ""
    text = f"{points:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def gather_roster(
    system: System, army: Army, verdict: Verdict, chosen: Measures | None = None
) -> Roster:
    """Gather a roster from an army and its verdict, for a scale and in a unit of length."""
    work = ValueDeriver(system, army, chosen)
    columns = system.cards.roster if system.cards else []
    leading = system.cards.leaders if system.cards else []
    lines = {line.path: line for line in verdict.price.lines}
    faulty = {finding.path for finding in verdict.findings if finding.severity == "error"}
    loose: list[RosterEntry] = []
    sections: list[RosterSection] = []

    def entry(node: Node, depth: int) -> RosterEntry:
        ask = NodeFields(node)
        values: tuple[DerivedCell, ...] = ()
        if node.level == "unit":
            values = tuple(
                work(column.value, ask)
                if meets_filter(column.where, ask)
                else DerivedCell("", "text")
                for column in columns
            )
        line = lines.get(node.path_text)
        return RosterEntry(
            name=node.name or node.title,
            type=unit_type_name(node, cited=True) if (node.name or node.profile) else "",
            options=tuple(node.option_titles),
            strength=node.strength,
            values=values,
            how=line.working if line else "",
            points=format_points(line.points) if line and line.points is not None else "",
            boxes=node.size if node.level == "unit" else 0,
            count=node.count,
            kind=node.level if node.level in ("leader", "unit") else "work",
            depth=depth,
            faulty=node.path_text in faulty,
            notes=_unit_notes(node),
            facts=fill_rows(leading, work, ask) if node.level == "leader" else (),
        )

    def below(node: Node, depth: int) -> list[RosterEntry]:
        entries: list[RosterEntry] = []
        for child in node.children:
            if child.is_branch:
                entries.append(_group_entry(child, depth, faulty))
                entries.extend(below(child, depth + 1))
            else:
                entries.append(entry(child, depth))
        return entries

    for child in army.root.children:
        if child.is_branch:
            own = tuple(below(child, 0))
            points = _subtotal(verdict.price.lines, child)
            facts, notes = _own_fields(child), child.remark
            sections.append(RosterSection(node_name(child), child.level, own, points, facts, notes))
        else:
            loose.append(entry(child, 0))
    if loose:
        first = RosterSection(
            army.composition.top.title, "army", tuple(loose), _loose_points(loose, verdict)
        )
        sections.insert(0, first)
    keys, sections = _drop_empty_columns(
        [ColumnKey(each.label, work.convert_text(each.title)) for each in columns], sections
    )
    entries = [entry for section in sections for entry in section.entries]
    units = sum(entry.count for entry in entries if entry.kind == "unit")
    book = army.book
    identity = system.identity
    return Roster(
        system=system.title,
        army=army.name,
        book=book_title(book),
        colour=book.colour if book else "#54585f",
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
        has_losses=any(entry.boxes for entry in entries),
        suggests=any(node.profile and node.profile.suggested for node in army.nodes()),
        facts=_own_fields(army.root),
        books=_book_notes(army),
        notes=army.root.remark,
    )


def _drop_empty_columns(
    keys: Sequence[ColumnKey], sections: Sequence[RosterSection]
) -> tuple[list[ColumnKey], list[RosterSection]]:
    """Leave out every column of values that no unit fills; a box to fill in is no empty cell."""
    units = [entry for section in sections for entry in section.entries if entry.values]
    kept = [
        place
        for place in range(len(keys))
        if any(each.values[place].kind == "blank" or each.values[place].text not in _EMPTY_TEXTS
               for each in units)
    ]  # fmt: skip

    def narrowed(entry: RosterEntry) -> RosterEntry:
        return replace(entry, values=tuple(entry.values[place] for place in kept if entry.values))

    return [keys[place] for place in kept], [
        replace(section, entries=tuple(narrowed(entry) for entry in section.entries))
        for section in sections
    ]


_EMPTY_TEXTS = ("", "–")


def _own_fields(branch: Node) -> tuple[CardRow, ...]:
    """Give what the list itself says of a level of command, field by field."""
    known = ((name, branch.kind.field_spec(name)) for name in branch.fields)
    return tuple(
        CardRow(spec.title or name, (DerivedCell(branch.kind.shown(name), "text"),))
        for name, spec in known
        if spec is not None
    )


def _book_notes(army: Army) -> tuple[BookNote, ...]:
    """Give what the books of an army's units say of themselves, in the order of the list."""
    books: dict[str, Book] = {}
    for node in army.nodes():
        if node.book is not None:
            books.setdefault(node.book.id, node.book)
    return tuple(
        BookNote(book.title, book.source, book.notes)
        for book in books.values()
        if book.source or book.notes
    )


def _unit_notes(node: Node) -> str:
    """Give what the list says of a unit, then what its profile does."""
    own = node.profile.notes if node.profile else ""
    return " – ".join(each for each in (node.remark, own) if each)


def _subtotal(lines: Sequence[PriceLine], branch: Node) -> str:
    prefix = branch.path_text
    own = [
        line
        for line in lines
        if line.path == prefix or line.path.startswith((f"{prefix}.", f"{prefix}["))
    ]
    if not any(line.known for line in own):
        return ""
    text = format_points(sum((line.known for line in own), Decimal(0)))
    return f"at least {text}" if any(line.points is None for line in own) else text


def _loose_points(loose: Sequence[RosterEntry], verdict: Verdict) -> str:
    known = sum((Decimal(entry.points) for entry in loose if entry.points), Decimal(0))
    return format_points(known) if known and verdict.price.total is not None else ""


def _group_entry(node: Node, depth: int, faulty: set[str]) -> RosterEntry:
    """Give the line that heads a group within a command."""
    count = total_size(node)
    first = next((each for each in node.walk() if each.strength), None)
    return RosterEntry(
        name=node_name(node),
        type="" if node_name(node) == node.title else node.title,
        options=(),
        strength=first.format_size(count) if first and count else "",
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
    rule = f"{finding.rule.chapter}, {finding.rule.source}".strip(", ")
    line = finding.location.line
    return RosterFinding(
        severity=finding.severity,
        where=finding.label,
        message=finding.message,
        allowed=finding.allowed,
        actual=finding.actual,
        rule=rule,
        remedy=finding.remedy,
        place=f"line {line}" if line else "",
    )
