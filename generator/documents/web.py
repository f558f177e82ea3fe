"""Owns what the pages of the web edition hold: the rulebook taken apart, as frozen data.

Does not gather the rulebook, does not make HTML, and does not search (see `web_search`). A page
holds only what it shows, so that a change makes only the pages anew on which it is seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from generator.documents.appendices import Doubt, Gap, IndexEntry, Term, Where
from generator.documents.passages import BookTable, Heading, Passage, table_anchor
from generator.documents.roster import Roster
from generator.documents.rulebook import Rulebook
from generator.systems import System
from generator.systems.editions import Edition

HOME = "index.html"
TABLES = "tables.html"
GLOSSARY = "glossary.html"
TERMS = "terms.html"
ERRATA = "errata.html"
ARMIES = "armies.html"

_BEHIND = (
    (TABLES, "Tables"),
    (GLOSSARY, "Glossary"),
    (TERMS, "Index"),
    (ERRATA, "Errata"),
    (ARMIES, "Armies and prints"),
)
"""The pages that stand behind the chapters, in order."""


STYLES = ("fonts.css", "site.css", "army.css", "dark.css")
"""The style sheets of a site; the dark one is a file of its own, so that a switch can turn it."""

SCRIPTS = ("theme.js", "search.js")


@dataclass(frozen=True, slots=True)
class Step:
    """A page that another one leads to; a chapter has a number."""

    file: str
    title: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class Frame:
    """What all pages of a site share."""

    system: str
    edition: str
    version: str
    language: str
    credit: str
    chapters: tuple[Step, ...]
    behind: tuple[Step, ...]

    @property
    def way(self) -> tuple[Step, ...]:
        """All pages that are read one after the other."""
        return (Step(HOME, "Contents"), *self.chapters, *self.behind)


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its file, its neighbours, and where those of its links lead that leave it."""

    frame: Frame
    file: str
    title: str
    before: Step | None = None
    after: Step | None = None
    links: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class HomePage:
    """The first page: contents and colophon. The book comes without what other pages show."""

    page: Page
    book: Rulebook
    sections: tuple[tuple[Step, tuple[Heading, ...]], ...]


@dataclass(frozen=True, slots=True)
class ChapterPage:
    """A chapter."""

    page: Page
    passage: Passage
    doubts: int
    gaps: int


@dataclass(frozen=True, slots=True)
class TablesPage:
    """All tables, by chapter."""

    page: Page
    groups: tuple[tuple[Step, tuple[BookTable, ...]], ...]


@dataclass(frozen=True, slots=True)
class GlossaryPage:
    """The terms."""

    page: Page
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class TermsPage:
    """The index, by first letter."""

    page: Page
    letters: tuple[tuple[str, tuple[IndexEntry, ...]], ...]


@dataclass(frozen=True, slots=True)
class ErrataPage:
    """The doubtful places, and what is to be filled in."""

    page: Page
    doubts: tuple[Doubt, ...]
    gaps: tuple[Gap, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """A file of a document: what it is, in words, and where it lies."""

    label: str
    address: str


@dataclass(frozen=True, slots=True)
class Print:
    """A document that is built beside the site, in one form or several."""

    title: str
    forms: tuple[Form, ...]


@dataclass(frozen=True, slots=True)
class ArmyLine:
    """An army in the list of armies."""

    name: str
    file: str
    legal: bool
    points: str
    limit: str
    findings: int
    prints: tuple[Print, ...]


@dataclass(frozen=True, slots=True)
class ArmiesPage:
    """All armies of a system, and the system's own prints."""

    page: Page
    prints: tuple[Print, ...]
    armies: tuple[ArmyLine, ...]


@dataclass(frozen=True, slots=True)
class ArmyPage:
    """An army: its verdict, its order of battle, its prints."""

    page: Page
    roster: Roster
    prints: tuple[Print, ...]


BookPage = HomePage | ChapterPage | TablesPage | GlossaryPage | TermsPage | ErrataPage


@dataclass(frozen=True, slots=True)
class Site:
    """The pages that are made of the rulebook, and where everything in it stands."""

    pages: tuple[BookPage, ...]
    addresses: dict[str, str]


def chapter_file(chapter: str) -> str:
    """Name the page of a chapter."""
    return f"chapter-{chapter}.html"


def army_file(army: str) -> str:
    """Name the page of an army."""
    return f"army-{army}.html"


def gather_frame(system: System, edition: Edition) -> Frame:
    """Gather what all pages share; this reads no prose and no table."""
    identity = system.identity
    wanted = edition.chapters or [chapter.id for chapter in system.chapters]
    steps = (
        Step(chapter_file(chapter.id), chapter.title, number)
        for number, chapter in enumerate(system.chapters, 1)
        if chapter.id in wanted
    )
    return Frame(
        system.title,
        edition.title,
        identity.edition,
        edition.language or identity.language,
        identity.source.credit,
        tuple(steps),
        tuple(Step(file, title) for file, title in _BEHIND),
    )


def gather_site(frame: Frame, book: Rulebook) -> Site:
    """Take a rulebook apart into pages."""
    chapters, marks = zip(*(_renumbered(each) for each in book.chapters), strict=True)
    renumbered = {old: new for each in marks for old, new in each.items()}
    addresses = dict(_addresses(chapters, book))
    for old, (chapter, new) in renumbered.items():
        addresses[old] = f"{chapter_file(chapter)}#{new}"

    def page(file: str, targets: Iterable[str]) -> Page:
        links = {each: addresses[each] for each in sorted(set(targets)) if each in addresses}
        away = tuple((k, v) for k, v in links.items() if v.partition("#")[0] != file)
        before, own, after = neighbours(frame, file)
        return Page(frame, file, own.title, before, after, away)

    pages: list[BookPage] = [_home(page(HOME, ()), frame, chapters, book)]
    for each in chapters:
        targets = (piece.target for piece in each.pieces if piece.kind == "link")
        own = page(chapter_file(each.id), targets)
        pages.append(ChapterPage(own, each, len(book.doubts), len(book.gaps)))
    groups = tuple(
        (step, each.tables)
        for step, each in zip(_steps(frame, chapters), chapters, strict=True)
        if each.tables
    )
    pages.append(TablesPage(page(TABLES, ()), groups))
    named = _anchors(where for term in book.glossary for where in term.tables)
    pages.append(GlossaryPage(page(GLOSSARY, named), book.glossary))
    pages.append(TermsPage(page(TERMS, _index_anchors(book.index)), _letters(book.index)))
    held = [*(each.places for each in book.doubts), *(each.places for each in book.gaps)]
    places = _anchors(where for each in held for where in each)
    pages.append(ErrataPage(page(ERRATA, places), book.doubts, book.gaps))
    return Site(tuple(pages), addresses)


def neighbours(frame: Frame, file: str) -> tuple[Step | None, Step, Step | None]:
    """Give the page before, the page itself, and the one after it."""
    way = frame.way
    at = [step.file for step in way].index(file)
    after = way[at + 1] if at + 1 < len(way) else None
    return (way[at - 1] if at else None), way[at], after


def _home(page: Page, frame: Frame, chapters: Sequence[Passage], book: Rulebook) -> HomePage:
    own = replace(book, chapters=(), doubts=(), gaps=(), glossary=(), index=())
    steps = _steps(frame, chapters)
    sections = tuple((step, each.headings) for step, each in zip(steps, chapters, strict=True))
    return HomePage(page, own, sections)


def _steps(frame: Frame, chapters: Sequence[Passage]) -> list[Step]:
    by_file = {step.file: step for step in frame.chapters}
    return [by_file[chapter_file(each.id)] for each in chapters]


def _renumbered(passage: Passage) -> tuple[Passage, dict[str, tuple[str, str]]]:
    """Number the places that the index names page by page, so that other pages stay as they are."""
    marks: dict[str, tuple[str, str]] = {}
    pieces = []
    for piece in passage.pieces:
        if piece.kind == "mark":
            marks[piece.target] = passage.id, f"m-{len(marks) + 1}"
            pieces.append(replace(piece, target=marks[piece.target][1]))
        else:
            pieces.append(piece)
    return replace(passage, pieces=tuple(pieces)), marks


def _addresses(chapters: Sequence[Passage], book: Rulebook) -> Iterator[tuple[str, str]]:
    """Tell where everything stands that a link may lead to."""
    for each in chapters:
        file = chapter_file(each.id)
        yield each.anchor, file
        for heading in each.headings:
            yield heading.anchor, f"{file}#{heading.anchor}"
        for table in each.tables:
            anchor = table_anchor(table.view.id)
            yield anchor, f"{file}#{anchor}"
    for term in book.glossary:
        yield term.anchor, f"{GLOSSARY}#{term.anchor}"


def _anchors(places: Iterable[Where]) -> list[str]:
    return [where.anchor for where in places if where.anchor]


def _index_anchors(entries: Sequence[IndexEntry]) -> list[str]:
    every = [each for entry in entries for each in (entry, *entry.below)]
    return _anchors(where for each in every for where in each.places)


def _letters(entries: Sequence[IndexEntry]) -> tuple[tuple[str, tuple[IndexEntry, ...]], ...]:
    """Group the entries of the index by their first letter."""
    groups: dict[str, list[IndexEntry]] = {}
    for entry in entries:
        first = next((sign for sign in entry.term if sign.isalnum()), "")
        groups.setdefault(first.upper() if first.isalpha() else "0–9", []).append(entry)
    return tuple((letter, tuple(group)) for letter, group in groups.items())
