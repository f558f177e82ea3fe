"""Owns what a roster holds: order of battle, sizes, costs with their arithmetic, the verdict.

Does not check or price the army; it prints what the verdict says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from generator.armies import Army, Finding, Node, PriceLine, Verdict
from generator.documents.cards import Asker, called, matches, total_size, worker
from generator.documents.derived import Answer
from generator.documents.measures import Measures
from generator.systems import System


@dataclass(frozen=True, slots=True)
class Entry:
    """A unit, leader or group of the roster. `boxes` is how many boxes for losses it has."""

    name: str
    type: str
    options: tuple[str, ...]
    strength: str
    values: tuple[Answer, ...]
    how: str
    points: str
    boxes: int
    count: int
    kind: str
    depth: int
    faulty: bool
    notes: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A command, and all below it; or the army's own leaders, works and loose units."""

    title: str
    kind: str
    entries: tuple[Entry, ...]
    points: str


@dataclass(frozen=True, slots=True)
class Key:
    """What an abbreviated column head means."""

    label: str
    title: str


@dataclass(frozen=True, slots=True)
class Told:
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
    """A roster, full; the short form leaves out the arithmetic."""

    system: str
    army: str
    book: str
    colour: str
    shape: str
    sample: bool
    language: str
    edition: str
    credit: str
    legal: bool
    has_points: bool
    points: str
    limit: str
    missing: tuple[str, ...]
    keys: tuple[Key, ...]
    sections: tuple[Section, ...]
    findings: tuple[Told, ...]
    units: int
    notes: str = ""


def points_text(points: Decimal | None) -> str:
    """Give points exactly, without needless zeros: 26, 61.75."""
    if points is None:
        return ""
    text = f"{points:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def gather_roster(
    system: System, army: Army, verdict: Verdict, chosen: Measures | None = None
) -> Roster:
    """Gather a roster from an army and its verdict, for a scale and in a unit of length."""
    work = worker(system, army, chosen)
    columns = system.cards.roster if system.cards else []
    lines = {line.path: line for line in verdict.price.lines}
    faulty = {finding.path for finding in verdict.findings if finding.severity == "error"}
    loose: list[Entry] = []
    sections: list[Section] = []

    def entry(node: Node, depth: int) -> Entry:
        ask = Asker(node)
        values = tuple(
            work(column.value, ask) if matches(column.where, ask) else Answer("", "text")
            for column in columns
        )
        line = lines.get(node.place)
        return Entry(
            name=node.name or node.title,
            type=node.entry_title if (node.name or node.profile) else "",
            options=tuple(node.option_titles),
            strength=node.strength,
            values=values if node.level == "unit" else (),
            how=line.how if line else "",
            points=points_text(line.points) if line and line.points is not None else "",
            boxes=node.size if node.level == "unit" else 0,
            count=node.count,
            kind=node.level if node.level in ("leader", "unit") else "work",
            depth=depth,
            faulty=node.place in faulty,
            notes=node.remark,
        )

    def below(node: Node, depth: int) -> list[Entry]:
        entries: list[Entry] = []
        for child in node.children:
            if child.is_branch:
                entries.append(_group(child, depth, faulty))
                entries.extend(below(child, depth + 1))
            else:
                entries.append(entry(child, depth))
        return entries

    for child in army.root.children:
        if child.is_branch:
            own = tuple(below(child, 0))
            points = _subtotal(verdict.price.lines, child)
            sections.append(Section(called(child), child.level, own, points))
        else:
            loose.append(entry(child, 0))
    if loose:
        first = Section(
            army.composition.top.title, "army", tuple(loose), _loose_points(loose, verdict)
        )
        sections.insert(0, first)
    book = army.book_of(army.root)
    identity = system.identity
    return Roster(
        system=system.title,
        army=army.name,
        book=book.title if book else "",
        colour=book.colour if book else "#54585f",
        shape=book.shape if book else "square",
        sample=bool(book and book.sample),
        language=identity.language,
        edition=identity.edition,
        credit=identity.source.credit,
        legal=verdict.legal,
        has_points=verdict.price.total is not None,
        points=points_text(verdict.price.total),
        limit=points_text(army.limit),
        missing=tuple(verdict.price.missing),
        keys=tuple(Key(column.label, column.title) for column in columns),
        sections=tuple(sections),
        findings=tuple(_told(finding) for finding in verdict.findings),
        units=sum(e.count for s in sections for e in s.entries if e.kind == "unit"),
        notes=army.root.remark,
    )


def _subtotal(lines: Sequence[PriceLine], branch: Node) -> str:
    prefix = branch.place
    own = [
        line.points
        for line in lines
        if line.path == prefix or line.path.startswith((f"{prefix}.", f"{prefix}["))
    ]
    known = [points for points in own if points is not None]
    if not known:
        return ""
    text = points_text(sum(known, Decimal(0)))
    return text if len(known) == len(own) else f"{text} +"


def _loose_points(loose: Sequence[Entry], verdict: Verdict) -> str:
    known = sum((Decimal(entry.points) for entry in loose if entry.points), Decimal(0))
    return points_text(known) if known and verdict.price.total is not None else ""


def _group(node: Node, depth: int, faulty: set[str]) -> Entry:
    """Give the line that heads a group within a command."""
    count = total_size(node)
    first = next((each for each in node.walk() if each.strength), None)
    noun = first.strength.split(" ", 1)[1].removesuffix("s") if first else ""
    return Entry(
        name=called(node),
        type="" if called(node) == node.title else node.title,
        options=(),
        strength=f"{count} {noun}{'s' if count != 1 else ''}" if count else "",
        values=(),
        how="",
        points="",
        boxes=0,
        count=1,
        kind="group",
        depth=depth,
        faulty=node.place in faulty,
        notes=node.remark,
    )


def _told(finding: Finding) -> Told:
    rule = f"{finding.rule.chapter}, {finding.rule.source}".strip(", ")
    line = finding.location.line
    return Told(
        severity=finding.severity,
        where=finding.label,
        message=finding.message,
        allowed=finding.allowed,
        actual=finding.actual,
        rule=rule,
        remedy=finding.remedy,
        place=f"line {line}" if line else "",
    )
