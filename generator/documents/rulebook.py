"""Owns what a rulebook holds: an edition's chapters, appendices and colophon, as frozen data.

Does not know HTML or pages; `rendering.rulebook` lays it out.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from hashlib import sha256

from generator.armies import load_composition
from generator.comparing.edition import edition_data
from generator.documents.appendices import (
    Doubt,
    Gap,
    IndexEntry,
    Places,
    Term,
    doubts,
    gaps,
    glossary,
    index_of,
)
from generator.documents.bars import Bars
from generator.documents.changes import Changes
from generator.documents.measures import Measures, measures
from generator.documents.passages import BookTable, Passage, Writer, chapter_anchor
from generator.documents.since import since
from generator.documents.views import Footnotes, View, view
from generator.problems import MusterError
from generator.reading import Problems
from generator.systems import System
from generator.systems.directives import PlaceTable
from generator.systems.editions import STANDARD, Edition
from generator.systems.identity import Source
from generator.systems.profiles import Profile, press_profile
from generator.systems.reckoning import reckon
from generator.tables import Table


@dataclass(frozen=True, slots=True)
class Press:
    """What a book is printed for; it changes nothing of what the book says."""

    bleed_mm: float = 0
    crop: bool = False
    pdf: str = "ua-1"
    attached: str = ""
    """The system's data as JSON, for a file that holds them beside the pages."""
    profile: Profile | None = None
    """How the press prints colours, for a file that is to be printed by one."""


@dataclass(frozen=True, slots=True)
class Rulebook:
    """A rulebook, ready to be laid out."""

    system: str
    title: str
    subtitle: str
    edition: str
    version: str
    date: str
    language: str
    paper: str
    theme: str
    scale: str
    unit: str
    publisher: str
    mark: str
    colophon: str
    credit: str
    conventions: tuple[str, ...]
    chapters: tuple[Passage, ...]
    doubts: tuple[Doubt, ...]
    gaps: tuple[Gap, ...]
    glossary: tuple[Term, ...]
    index: tuple[IndexEntry, ...]
    digest: str = ""
    changes: Changes | None = None
    """What changed since an older edition, if the book is to say so."""
    source: str = ""
    press: Press = Press()

    @property
    def tables(self) -> tuple[BookTable, ...]:
        """All tables, in the order in which they stand."""
        return tuple(table for chapter in self.chapters for table in chapter.tables)


def editions(system: System) -> list[Edition]:
    """Read a system's editions, the standard one first; one with prose always has that.

    Raises:
        MusterError: With the faults of all edition files.
    """
    if not system.chapter_files():
        return []
    problems = Problems()
    found = []
    for edition_id in system.edition_ids():
        try:
            found.append(system.edition(edition_id))
        except MusterError as error:
            problems.extend(error.problems)
    problems.raise_if_any()
    if STANDARD not in [each.id for each in found]:
        found.append(Edition(id=STANDARD, title=system.title, date="2025-01-01"))
    return sorted(found, key=lambda each: (each.id != STANDARD, each.id))


def gather_rulebook(system: System, edition: Edition, old: str = "") -> Rulebook:
    """Gather the data of one edition.

    Args:
        system: The rule system.
        edition: Which of its editions.
        old: An older edition of the system as JSON; then the book marks what changed since.

    Raises:
        MusterError: With every fault of the prose: of its form, and of what it names; or if the
            edition names a scale that the system lacks.
    """
    chosen = _measures(system, edition)
    prose = system.prose
    answers, problems = reckon(system, prose, chosen.scale)
    Problems(problems).raise_if_any()
    wanted = edition.chapters or [chapter.id for chapter in system.chapters]
    chapters = [chapter for chapter in prose.chapters if chapter.id in wanted]
    news = since(system, old)
    shelf = _Shelf(system, chosen, edition, news.bars)
    homes = {
        each.directive.table: chapter.id
        for chapter in chapters
        for each in chapter.directives
        if isinstance(each.directive, PlaceTable) and shelf.has(each.directive.table)
    }
    tables = [shelf.table(table_id) for table_id in homes]
    there = frozenset([*homes, *(chapter_anchor(chapter.id) for chapter in chapters)])
    places = Places(system, prose.numbers, there)
    composition = load_composition(system).written if system.has("composition.yaml") else None
    terms = glossary(tables, composition, places)
    titles = {
        chapter.id: (chapter.title, {each.slug: each.title for each in chapter.sections})
        for chapter in chapters
    }
    named = frozenset(term.anchor for term in terms)
    writer = Writer(chosen, titles, prose.numbers, shelf.place, named)
    writer.tables_in = homes
    writer.bars = news.bars
    passages = tuple(writer.passage(chapter, answers[chapter.id]) for chapter in chapters)
    errata = doubts(system.errata.entries, shelf.footnotes.numbers, places)
    identity = system.identity
    book = Rulebook(
        system=system.id,
        title=system.title,
        subtitle=edition.subtitle,
        edition=edition.title,
        version=identity.edition,
        date=edition.date,
        language=edition.language or identity.language,
        paper=edition.paper,
        theme=edition.theme,
        scale=chosen.scale_title(system),
        unit=chosen.title,
        publisher=edition.publisher,
        mark=edition.mark,
        colophon=edition.colophon or "",
        credit=identity.source.credit,
        source=_told(identity.source),
        conventions=tuple(chosen.prose(line) for line in identity.conventions),
        chapters=passages,
        doubts=errata,
        gaps=gaps(errata),
        glossary=terms,
        index=index_of(writer.mentions),
        changes=news.changes,
        press=_press(system, edition),
    )
    return replace(book, digest=digest_of(book))


def _press(system: System, edition: Edition) -> Press:
    data = ""
    if edition.pdf == "a-3":
        data = json.dumps(edition_data(system), indent=2, ensure_ascii=False) + "\n"
    profile = press_profile(system, edition)
    return Press(edition.bleed_mm, edition.crop, edition.pdf, data, profile)


def _told(source: Source) -> str:
    """Say where the rules come from: title, authors, publisher, year, version, as far as known."""
    facts = [", ".join(source.authors), source.publisher, source.year, source.version]
    return f"{source.title}. {'; '.join(fact for fact in facts if fact)}".strip(" .") + "."


def _measures(system: System, edition: Edition) -> Measures:
    try:
        return measures(system, edition.scale or "", "" if edition.unit == "own" else edition.unit)
    except KeyError:
        known = ", ".join(scale.id for scale in system.scales)
        text = f"{system.title} has no scale {edition.scale!r}; it has {known}"
        document = system.document("editions", f"{edition.id}.yaml")
        raise MusterError([document.problem("unknown-scale", text, ("scale",))]) from None


def digest_of(book: Rulebook) -> str:
    """Give the first 16 hex digits of the SHA-256 of all that a book shows."""
    said = asdict(replace(book, digest=""))
    del said["press"]
    data = json.dumps(said, sort_keys=True, ensure_ascii=False)
    return sha256(data.encode()).hexdigest()[:16]


class _Shelf:
    """Gives the tables of an edition, each as it is printed, and numbers their footnotes."""

    def __init__(self, system: System, chosen: Measures, edition: Edition, bars: Bars) -> None:
        self.bars = bars
        self.system = system
        self.chosen = chosen
        self.without = frozenset(edition.without_tables)
        self.footnotes = Footnotes(system)
        self.scales = [(scale.id, scale.title) for scale in system.scales]
        self.tones = {phase.id: phase.tone for phase in system.phases}

    def has(self, table_id: str) -> bool:
        return table_id not in self.without

    def table(self, table_id: str) -> Table:
        return self.chosen.table(self.system.table(table_id), self.scales)

    def place(self, table_id: str) -> BookTable | None:
        if not self.has(table_id):
            return None
        table = self.table(table_id)
        shown = self.bars.barred(view(table, self.footnotes), table)
        marks = marks_of(shown)
        notes = tuple(note for note in self.footnotes.notes() if note.number in marks)
        tone = self.tones.get(table.phase, "neutral")
        return BookTable(tone, shown, notes, self.bars.caption(table_id))


def marks_of(shown: View) -> frozenset[int]:
    """List the footnotes whose marks stand in a table."""
    marks = [*shown.marks, *(mark for head in shown.heads for mark in head.marks)]
    for line in shown.lines:
        marks += [*line.marks, *(mark for cell in line.cells for mark in cell.marks)]
    return frozenset(marks)
