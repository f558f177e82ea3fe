"""The data of rulebooks: an edition's chapters, appendices and colophon."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from typing import TypeVar

from muster.armies import load_book
from muster.documents.appendices import (
    Doubt,
    GlossaryTerm,
    IndexEntry,
    PlaceNamer,
    QuestionGroup,
    gather_glossary,
    list_doubts,
    list_questions,
    sort_index,
)
from muster.documents.army_book import ArmyBook, gather_army_book
from muster.documents.changes import ChangeBars, Changes, changes_since
from muster.documents.cover import Cover, gather_cover
from muster.documents.foreign import ForeignWords, gather_foreign_words
from muster.documents.measures import Measures, choose_measures
from muster.documents.page_look import PLAIN_LOOK, PageLook, gather_look
from muster.documents.passages import BookTable, Passage, PassageWriter, chapter_anchor
from muster.documents.pictures import distinct_pictures
from muster.documents.table_view import (
    ColumnHead,
    Footnotes,
    PrintedCell,
    TableLine,
    TableView,
    to_letters,
    view_table,
)
from muster.editions.snapshot import edition_data
from muster.languages import speaking
from muster.problems import MusterError, Problems, did_you_mean
from muster.systems import System
from muster.systems.directives import AllErrata, PlaceTable
from muster.systems.evaluation import evaluate_prose
from muster.systems.identity import Source
from muster.systems.pictures import Picture
from muster.systems.press_profile import PressProfile, read_press_profile
from muster.systems.rulebook_edition import SMALL_PAPERS, STANDARD_EDITION, Edition
from muster.tables import Definitions, Diagram, Grid, Table
from muster.values import BLANK, DASH, Text


@dataclass(frozen=True, slots=True)
class PressOptions:
    """How a book is printed and saved, which makes no difference to its content."""

    bleed_mm: float = 0
    crop: bool = False
    pdf: str = "ua-1"
    attached: str = ""
    """The system's data as JSON, for a PDF that has them attached."""
    page_multiple: int = 1
    """The number that its pages are a multiple of."""
    leaf_mm: float = 0
    """The thickness of a leaf, if the cover is a file of its own; else 0."""
    profile: PressProfile | None = None
    """The colour profile of the press, for a PDF that goes to one."""


@dataclass(frozen=True, slots=True)
class Rulebook:
    """A rulebook, ready to be laid out.

    The names of these fields, and of all fields below them, are part of the printed digest: see
    `content_digest`.
    """

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
    questions: tuple[QuestionGroup, ...]
    glossary: tuple[GlossaryTerm, ...]
    index: tuple[IndexEntry, ...]
    digest: str = ""
    changes: Changes | None = None
    """The changes since an older edition, if the book lists them."""
    source: str = ""
    press: PressOptions = PressOptions()
    foreign: ForeignWords | None = None
    """The words of the page for screens that are in another language than the book."""
    army_books: tuple[ArmyBook, ...] = ()
    """The army books that the edition asks for."""
    chapter_start: str = "run-on"
    """How chapters begin: `run-on` or `new-page`."""
    cover: Cover = field(default_factory=Cover)
    look: PageLook = PLAIN_LOOK
    pictures: tuple[Picture, ...] = ()
    """All its pictures, each once."""

    @property
    def tables(self) -> tuple[BookTable, ...]:
        """All tables in the book, in order."""
        return tuple(table for chapter in self.chapters for table in chapter.tables)


def read_editions(system: System) -> list[Edition]:
    """Read the editions of a system's rulebook, the standard one first.

    A system with prose always has a standard edition, even without a file for it; one without
    prose has no edition.

    Raises:
        MusterError: With the faults of all edition files.
    """
    if not system.chapter_files():
        return []
    problems = Problems()
    editions = []
    for edition_id in system.edition_ids():
        try:
            editions.append(system.edition(edition_id))
        except MusterError as error:
            problems.extend(error.problems)
    problems.raise_if_any()
    if STANDARD_EDITION not in [edition.id for edition in editions]:
        editions.append(Edition(id=STANDARD_EDITION, title=system.title, date="2025-01-01"))
    return sorted(editions, key=lambda edition: (edition.id != STANDARD_EDITION, edition.id))


def gather_rulebook(system: System, edition: Edition, old: str = "") -> Rulebook:
    """Gather the data of an edition of the rulebook.

    Args:
        system: The rule system.
        edition: Which edition of its rulebook.
        old: An older edition of the system as JSON; the book marks what changed since. Without
            it, the book has no list of changes and no bars.

    Raises:
        MusterError: With every fault of the prose, in its form and in its references; or if the
            edition names a scale that the system lacks.
    """
    with speaking(edition.language or system.identity.language):
        return _gather(system, edition, old)


def _gather(system: System, edition: Edition, old: str) -> Rulebook:
    changes = changes_since(system, old, edition.language)
    system = system.in_language(edition.language)
    measures = _edition_measures(system, edition)
    content = _gather_content(system, edition, measures, changes.bars)
    pictures = _shown_pictures(system, edition, content.chapters)
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
        scale=measures.scale_title(system),
        unit=measures.title,
        publisher=edition.publisher,
        mark=edition.mark,
        colophon=edition.colophon or "",
        credit=identity.source.credit,
        source=_source_credit(identity.source),
        conventions=tuple(
            measures.convert_text(note.text) for note in identity.filtered_conventions
        ),
        chapters=tuple(
            replace(chapter, picture=pictures.get(f"chapter:{chapter.id}"))
            for chapter in content.chapters
        ),
        doubts=content.doubts,
        questions=content.questions,
        glossary=content.glossary,
        index=content.index,
        changes=changes.changes,
        press=_press_options(system, edition),
        army_books=tuple(_gather_army_books(system, edition, measures)),
        chapter_start=edition.chapter_start,
        cover=gather_cover(system, edition, pictures.get("cover"), pictures.get("logo")),
        look=gather_look(system),
        pictures=distinct_pictures(pictures.values(), f"{system.id}/editions/{edition.id}.yaml"),
    )
    return replace(book, digest=content_digest(book), foreign=gather_foreign_words(system))


@dataclass(frozen=True, slots=True)
class _Content:
    """The chapters of a book, and the lists of its appendices that are made of them."""

    chapters: tuple[Passage, ...]
    doubts: tuple[Doubt, ...]
    questions: tuple[QuestionGroup, ...]
    glossary: tuple[GlossaryTerm, ...]
    index: tuple[IndexEntry, ...]


def _gather_content(
    system: System, edition: Edition, measures: Measures, bars: ChangeBars
) -> _Content:
    prose = system.prose
    results, problems = evaluate_prose(system, prose, measures.scale)
    Problems(problems).raise_if_any()
    chapter_ids = edition.chapters or [chapter.id for chapter in system.chapters]
    chapters = [chapter for chapter in prose.chapters if chapter.id in chapter_ids]
    directives = {
        chapter.id: [placed.directive for placed in chapter.directives] for chapter in chapters
    }
    has_errata = any(isinstance(each, AllErrata) for own in directives.values() for each in own)
    tables = _EditionTables(system, measures, edition, bars, has_errata=has_errata)
    chapter_of_table = {
        each.table: chapter_id
        for chapter_id, own in directives.items()
        for each in own
        if isinstance(each, PlaceTable) and tables.has(each.table)
    }
    chapter_anchors = [chapter_anchor(chapter.id) for chapter in chapters]
    drawings = frozenset(table.id for table in system.tables() if isinstance(table, Diagram))
    present = frozenset([*chapter_of_table, *chapter_anchors])
    places = PlaceNamer(system, prose.numbers, present, drawings)
    # A table of terms that no chapter of the system prints stands in the glossary alone.
    terms_alone = [
        table_id
        for table_id in system.table_ids()
        if table_id not in prose.numbers and system.has_glossary_terms(table_id)
        if tables.has(table_id)
    ]
    glossary = gather_glossary(
        [tables.table(table_id) for table_id in (*chapter_of_table, *terms_alone)], places
    )
    writer = PassageWriter(
        measures=measures,
        titles={
            chapter.id: (chapter.title, {each.slug: each.title for each in chapter.sections})
            for chapter in chapters
        },
        numbers=prose.numbers,
        find_table=tables.place,
        number_erratum=tables.footnotes.number_of if has_errata else None,
        chapter_of_table=chapter_of_table,
        terms=frozenset(term.anchor for term in glossary),
        bars=bars,
        drawings=drawings,
    )
    # Writing the chapters numbers the errata and finds what the index lists.
    passages = tuple(writer.passage(chapter, results[chapter.id]) for chapter in chapters)
    doubts = list_doubts(system.errata.entries, tables.footnotes.numbers, places)
    questions = list_questions(system, doubts if has_errata else (), places)
    synonyms = system.search_words.groups(edition.language or system.identity.language)
    index = sort_index(writer.mentions, synonyms)
    return _Content(passages, doubts, questions, glossary, index)


def _shown_pictures(
    system: System, edition: Edition, chapters: Iterable[Passage]
) -> dict[str, Picture]:
    """Return the pictures of an edition by their places, without those of chapters left out."""
    places = {f"chapter:{chapter.id}" for chapter in chapters}
    return {
        place: file.picture
        for place, file in system.edition_pictures(edition).items()
        if not place.startswith("chapter:") or place in places
    }


def _gather_army_books(system: System, edition: Edition, measures: Measures) -> Iterator[ArmyBook]:
    """Yield the army books that an edition names.

    Raises:
        MusterError: If there is no such book, or it cannot be read.
    """
    known = system.yaml_ids("books")
    for place, book_id in enumerate(edition.army_books):
        if book_id not in known:
            hint = did_you_mean(book_id, known)
            text = f"there is no army book {book_id!r} in {system.title}{hint}; known: "
            document = system.document("editions", f"{edition.id}.yaml")
            path = ("army_books", place)
            listed = ", ".join(known) or "none"
            raise MusterError([document.problem("unknown-book", text + listed, path)])
        book = load_book(system, book_id)
        yield gather_army_book(system, book, measures, language=edition.language or "")


def _press_options(system: System, edition: Edition) -> PressOptions:
    attached = ""
    if edition.pdf == "a-3":
        attached = json.dumps(edition_data(system), indent=2, ensure_ascii=False) + "\n"
    return PressOptions(
        bleed_mm=edition.bleed_mm,
        page_multiple=edition.page_multiple,
        leaf_mm=edition.leaf_mm,
        crop=edition.crop,
        pdf=edition.pdf,
        attached=attached,
        profile=read_press_profile(system, edition),
    )


def _source_credit(source: Source) -> str:
    """Return the title of the source and its authors, publisher, year and version, if known."""
    facts = [", ".join(source.authors), source.publisher, source.year, source.version]
    return f"{source.title}. {'; '.join(fact for fact in facts if fact)}".strip(" .") + "."


def _edition_measures(system: System, edition: Edition) -> Measures:
    try:
        return choose_measures(
            system, edition.scale or "", "" if edition.unit == "own" else edition.unit
        )
    except KeyError:
        known = ", ".join(scale.id for scale in system.scales)
        text = f"there is no scale {edition.scale!r} in {system.title}; known: {known}"
        document = system.document("editions", f"{edition.id}.yaml")
        raise MusterError([document.problem("unknown-scale", text, ("scale",))]) from None


def content_digest(book: Rulebook) -> str:
    """Return the first 16 hex digits of the SHA-256 of everything that a book shows.

    The colophon prints the digest, so that two printings can be compared. It is made of the
    book's data with their field names: renaming, adding or removing a field of `Rulebook` or of
    any dataclass in it changes the digest of every book, though nothing else in it differs.
    """
    content = asdict(replace(book, digest=""))
    del content["press"], content["foreign"]
    if not book.army_books:
        del content["army_books"]
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, default=_hash_of)
    return sha256(text.encode()).hexdigest()[:16]


def _hash_of(data: object) -> str:
    """Return what stands for the data of a picture, or for a length in a drawing, in the digest."""
    return sha256(data).hexdigest() if isinstance(data, bytes) else str(data)


_MOST_COLUMNS = 8
"""The most columns for which a narrow page, or one with columns of words, has room."""
_FEW_COLUMNS = 4
"""The most columns that are kept as a grid, however empty it is."""


class _EditionTables:
    """The tables of an edition, each as it is printed.

    Its footnotes have letters, and the numbers of their errata if the edition lists these.
    """

    def __init__(
        self,
        system: System,
        measures: Measures,
        edition: Edition,
        bars: ChangeBars,
        *,
        has_errata: bool,
    ) -> None:
        self.bars = bars
        self.has_errata = has_errata
        self.system = system
        self.measures = measures
        self.without = frozenset(edition.without_tables)
        self.is_narrow = edition.paper in SMALL_PAPERS or edition.theme == "large-print"
        self.footnotes = Footnotes(system)
        self.scales = [(scale.id, scale.title) for scale in system.scales]
        self.tones = {phase.id: phase.tone for phase in system.phases}

    def has(self, table_id: str) -> bool:
        return table_id not in self.without

    def table(self, table_id: str) -> Table:
        """Return a table at the edition's scale and in its unit of length."""
        return self.measures.convert_table(self.system.table(table_id), self.scales)

    def place(self, table_id: str) -> BookTable | None:
        """Return a table as it is printed; None if the edition leaves it out."""
        if not self.has(table_id):
            return None
        table = self.table(table_id)
        turned = _is_better_turned(table, is_narrow=self.is_narrow)
        listed = _is_better_listed(table)
        view = view_table(table, self.footnotes, turned=turned, listed=listed)
        view = self.bars.mark_rows(view, table)
        letters = _letters_of_notes(view)
        slips = self.footnotes.slips_of(table_id) if self.has_errata else ()
        if self.has_errata and _is_for_answers(table):
            slips = tuple(sorted({*letters, *slips}, key=int))
            view, letters = _with_letters(view, {}), {}
        notes = {note.mark: note for note in self.footnotes.notes()}
        lettered = tuple(
            replace(notes[number], mark=letter, number=number if self.has_errata else "")
            for number, letter in letters.items()
        )
        tone = self.tones.get(table.phase, "neutral")
        # The rows of a turned table are no longer there to be marked.
        changed = self.bars.caption_changed(table_id) or (turned and table_id in self.bars.rows)
        lettered_view = _with_letters(view, letters)
        return BookTable(tone, lettered_view, lettered, slips, changed, table.index)


def _is_better_turned(table: Table, *, is_narrow: bool) -> bool:
    """Return whether a table is printed with its rows and columns swapped.

    That is one with many columns, and fewer rows, so that it is narrower then, if the page is
    narrow or all of its cells are words; a drawing never is.
    """
    if isinstance(table, Diagram):
        return False
    columns = [column for column in table.columns if not column.band]
    is_wide = is_narrow or all(isinstance(cell, Text) for row in table.rows for cell in row.cells)
    return is_wide and len(table.rows) < len(columns) > _MOST_COLUMNS


def _is_better_listed(table: Table) -> bool:
    """Return whether a table is printed as a list: a grid with more dashes than other cells."""
    if not isinstance(table, Grid) or len(table.columns) <= _FEW_COLUMNS:
        return False
    cells = [cell for row in table.rows for cell in row.cells]
    return cells.count(DASH) * 2 > len(cells)


def _is_for_answers(table: Table) -> bool:
    """Return whether a table only has boxes to write in, whose labels ask all that notes would."""
    cells = [cell for row in table.rows for cell in row.cells]
    return isinstance(table, Definitions) and bool(cells) and all(cell is BLANK for cell in cells)


PartT = TypeVar("PartT", TableView, ColumnHead, TableLine, PrintedCell)


def _letters_of_notes(view: TableView) -> dict[str, str]:
    """Return a letter for each erratum that a table refers to by number, in reading order."""
    numbers = [*view.marks, *(mark for head in view.heads for mark in head.marks)]
    for line in view.lines:
        numbers += [*line.marks, *(mark for cell in line.cells for mark in cell.marks)]
    return {number: to_letters(n + 1) for n, number in enumerate(dict.fromkeys(numbers))}


def _with_letters(view: TableView, letters: Mapping[str, str]) -> TableView:
    """Return a table with letters for the numbers of errata: a number would be read as a figure.

    The marks of errata without a letter are left out.
    """

    def lettered(part: PartT) -> PartT:
        marks = tuple(letters[mark] for mark in part.marks if mark in letters)
        return replace(part, marks=marks)

    def line(part: TableLine) -> TableLine:
        return lettered(replace(part, cells=tuple(lettered(cell) for cell in part.cells)))

    return replace(
        lettered(view),
        heads=tuple(lettered(head) for head in view.heads),
        lines=tuple(line(each) for each in view.lines),
        parts=tuple(tuple(line(each) for each in part) for part in view.parts),
    )
