"""What a rulebook holds: an edition's chapters, appendices and colophon."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from hashlib import sha256

from muster.armies import load_composition
from muster.documents.appendices import (
    Doubt,
    Gap,
    GlossaryTerm,
    IndexEntry,
    PlaceNamer,
    gather_glossary,
    list_doubts,
    list_gaps,
    sort_index,
)
from muster.documents.changes import ChangeBars, Changes, changes_since
from muster.documents.measures import Measures, choose_measures
from muster.documents.passages import BookTable, Passage, PassageWriter, chapter_anchor
from muster.documents.table_view import Footnotes, TableView, view_table
from muster.editions.snapshot import edition_data
from muster.problems import MusterError, Problems
from muster.systems import System
from muster.systems.directives import PlaceTable
from muster.systems.evaluation import evaluate_prose
from muster.systems.identity import Source
from muster.systems.press_profile import PressProfile, read_press_profile
from muster.systems.rulebook_edition import STANDARD_EDITION, Edition
from muster.tables import Table


@dataclass(frozen=True, slots=True)
class PressOptions:
    """What a book is printed for; it changes nothing of what the book says."""

    bleed_mm: float = 0
    crop: bool = False
    pdf: str = "ua-1"
    attached: str = ""
    """The system's data as JSON, for a file that holds them beside the pages."""
    profile: PressProfile | None = None
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
    glossary: tuple[GlossaryTerm, ...]
    index: tuple[IndexEntry, ...]
    digest: str = ""
    changes: Changes | None = None
    """What changed since an older edition, if the book is to say so."""
    source: str = ""
    press: PressOptions = PressOptions()

    @property
    def tables(self) -> tuple[BookTable, ...]:
        """All tables, in the order in which they stand."""
        return tuple(table for chapter in self.chapters for table in chapter.tables)


def read_editions(system: System) -> list[Edition]:
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
    if STANDARD_EDITION not in [each.id for each in found]:
        found.append(Edition(id=STANDARD_EDITION, title=system.title, date="2025-01-01"))
    return sorted(found, key=lambda each: (each.id != STANDARD_EDITION, each.id))


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
    chosen = _edition_measures(system, edition)
    prose = system.prose
    answers, problems = evaluate_prose(system, prose, chosen.scale)
    Problems(problems).raise_if_any()
    wanted = edition.chapters or [chapter.id for chapter in system.chapters]
    chapters = [chapter for chapter in prose.chapters if chapter.id in wanted]
    news = changes_since(system, old)
    shelf = _EditionTables(system, chosen, edition, news.bars)
    homes = {
        each.directive.table: chapter.id
        for chapter in chapters
        for each in chapter.directives
        if isinstance(each.directive, PlaceTable) and shelf.has(each.directive.table)
    }
    tables = [shelf.table(table_id) for table_id in homes]
    there = frozenset([*homes, *(chapter_anchor(chapter.id) for chapter in chapters)])
    places = PlaceNamer(system, prose.numbers, there)
    composition = load_composition(system).written if system.has_file("composition.yaml") else None
    terms = gather_glossary(tables, composition, places)
    titles = {
        chapter.id: (chapter.title, {each.slug: each.title for each in chapter.sections})
        for chapter in chapters
    }
    named = frozenset(term.anchor for term in terms)
    writer = PassageWriter(chosen, titles, prose.numbers, shelf.place, named)
    writer.chapter_of_table = homes
    writer.bars = news.bars
    passages = tuple(writer.passage(chapter, answers[chapter.id]) for chapter in chapters)
    errata = list_doubts(system.errata.entries, shelf.footnotes.numbers, places)
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
        source=_source_credit(identity.source),
        conventions=tuple(chosen.convert_text(line) for line in identity.conventions),
        chapters=passages,
        doubts=errata,
        gaps=list_gaps(errata),
        glossary=terms,
        index=sort_index(writer.mentions),
        changes=news.changes,
        press=_press_options(system, edition),
    )
    return replace(book, digest=content_digest(book))


def _press_options(system: System, edition: Edition) -> PressOptions:
    data = ""
    if edition.pdf == "a-3":
        data = json.dumps(edition_data(system), indent=2, ensure_ascii=False) + "\n"
    profile = read_press_profile(system, edition)
    return PressOptions(edition.bleed_mm, edition.crop, edition.pdf, data, profile)


def _source_credit(source: Source) -> str:
    """Say where the rules come from: title, authors, publisher, year, version, as far as known."""
    facts = [", ".join(source.authors), source.publisher, source.year, source.version]
    return f"{source.title}. {'; '.join(fact for fact in facts if fact)}".strip(" .") + "."


def _edition_measures(system: System, edition: Edition) -> Measures:
    try:
        return choose_measures(
            system, edition.scale or "", "" if edition.unit == "own" else edition.unit
        )
    except KeyError:
        known = ", ".join(scale.id for scale in system.scales)
        text = f"{system.title} has no scale {edition.scale!r}; it has {known}"
        document = system.document("editions", f"{edition.id}.yaml")
        raise MusterError([document.problem("unknown-scale", text, ("scale",))]) from None


def content_digest(book: Rulebook) -> str:
    """Give the first 16 hex digits of the SHA-256 of all that a book shows."""
    said = asdict(replace(book, digest=""))
    del said["press"]
    data = json.dumps(said, sort_keys=True, ensure_ascii=False)
    return sha256(data.encode()).hexdigest()[:16]


class _EditionTables:
    """Gives the tables of an edition, each as it is printed, and numbers their footnotes."""

    def __init__(
        self, system: System, chosen: Measures, edition: Edition, bars: ChangeBars
    ) -> None:
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
        return self.chosen.convert_table(self.system.table(table_id), self.scales)

    def place(self, table_id: str) -> BookTable | None:
        if not self.has(table_id):
            return None
        table = self.table(table_id)
        shown = self.bars.mark_rows(view_table(table, self.footnotes), table)
        marks = footnote_marks(shown)
        notes = tuple(note for note in self.footnotes.notes() if note.number in marks)
        tone = self.tones.get(table.phase, "neutral")
        return BookTable(tone, shown, notes, self.bars.caption_changed(table_id))


def footnote_marks(shown: TableView) -> frozenset[int]:
    """List the footnotes whose marks stand in a table."""
    marks = [*shown.marks, *(mark for head in shown.heads for mark in head.marks)]
    for line in shown.lines:
        marks += [*line.marks, *(mark for cell in line.cells for mark in cell.marks)]
    return frozenset(marks)
