"""The pages of the web edition, and the index that its search reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from muster.documents.appendices import Doubt, Gap, GlossaryTerm, IndexEntry, PlaceLink
from muster.documents.passages import BookTable, Heading, Passage, table_anchor
from muster.documents.roster import Roster
from muster.documents.rulebook import Rulebook
from muster.documents.table_view import TableLine, TableView
from muster.systems import System
from muster.systems.rulebook_edition import Edition

HOME = "index.html"
TABLES = "tables.html"
GLOSSARY = "glossary.html"
TERMS = "terms.html"
ERRATA = "errata.html"
ARMIES = "armies.html"

_BACK_PAGES = (
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
class PageLink:
    """A page that another one leads to; a chapter has a number."""

    file: str
    title: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class SiteFrame:
    """What all pages of a site share."""

    system: str
    edition: str
    version: str
    language: str
    credit: str
    chapters: tuple[PageLink, ...]
    behind: tuple[PageLink, ...]

    @property
    def reading_order(self) -> tuple[PageLink, ...]:
        """All pages that are read one after the other."""
        return (PageLink(HOME, "Contents"), *self.chapters, *self.behind)


@dataclass(frozen=True, slots=True)
class SitePage:
    """One page: its file, its neighbours, and where those of its links lead that leave it."""

    frame: SiteFrame
    file: str
    title: str
    before: PageLink | None = None
    after: PageLink | None = None
    links: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class HomePage:
    """The first page: contents and colophon. The book comes without what other pages show."""

    page: SitePage
    book: Rulebook
    sections: tuple[tuple[PageLink, tuple[Heading, ...]], ...]


@dataclass(frozen=True, slots=True)
class ChapterPage:
    """A chapter."""

    page: SitePage
    passage: Passage
    doubts: int
    gaps: int


@dataclass(frozen=True, slots=True)
class TablesPage:
    """All tables, by chapter."""

    page: SitePage
    groups: tuple[tuple[PageLink, tuple[BookTable, ...]], ...]


@dataclass(frozen=True, slots=True)
class GlossaryPage:
    """The terms."""

    page: SitePage
    terms: tuple[GlossaryTerm, ...]


@dataclass(frozen=True, slots=True)
class IndexPage:
    """The index, by first letter."""

    page: SitePage
    letters: tuple[tuple[str, tuple[IndexEntry, ...]], ...]


@dataclass(frozen=True, slots=True)
class ErrataPage:
    """The doubtful places, and what is to be filled in."""

    page: SitePage
    doubts: tuple[Doubt, ...]
    gaps: tuple[Gap, ...]


@dataclass(frozen=True, slots=True)
class DocumentFile:
    """A file of a document: what it is, in words, and where it lies."""

    label: str
    address: str


@dataclass(frozen=True, slots=True)
class PrintedDocument:
    """A document that is built beside the site, in one form or several."""

    title: str
    forms: tuple[DocumentFile, ...]


@dataclass(frozen=True, slots=True)
class ArmyLine:
    """An army in the list of armies."""

    name: str
    file: str
    legal: bool
    points: str
    limit: str
    findings: int
    prints: tuple[PrintedDocument, ...]


@dataclass(frozen=True, slots=True)
class ArmiesPage:
    """All armies of a system, and the system's own prints."""

    page: SitePage
    prints: tuple[PrintedDocument, ...]
    armies: tuple[ArmyLine, ...]


@dataclass(frozen=True, slots=True)
class ArmyPage:
    """An army: its verdict, its order of battle, its prints."""

    page: SitePage
    roster: Roster
    prints: tuple[PrintedDocument, ...]


BookPage = HomePage | ChapterPage | TablesPage | GlossaryPage | IndexPage | ErrataPage


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


def gather_frame(system: System, edition: Edition) -> SiteFrame:
    """Gather what all pages share; this reads no prose and no table."""
    identity = system.identity
    wanted = edition.chapters or [chapter.id for chapter in system.chapters]
    steps = (
        PageLink(chapter_file(chapter.id), chapter.title, number)
        for number, chapter in enumerate(system.chapters, 1)
        if chapter.id in wanted
    )
    return SiteFrame(
        system.title,
        edition.title,
        identity.edition,
        edition.language or identity.language,
        identity.source.credit,
        tuple(steps),
        tuple(PageLink(file, title) for file, title in _BACK_PAGES),
    )


def gather_site(frame: SiteFrame, book: Rulebook) -> Site:
    """Take a rulebook apart into pages."""
    chapters, marks = zip(*(_renumber_mentions(each) for each in book.chapters), strict=True)
    renumbered = {old: new for each in marks for old, new in each.items()}
    addresses = dict(_anchor_addresses(chapters, book))
    for old, (chapter, new) in renumbered.items():
        addresses[old] = f"{chapter_file(chapter)}#{new}"

    def page(file: str, targets: Iterable[str]) -> SitePage:
        links = {each: addresses[each] for each in sorted(set(targets)) if each in addresses}
        away = tuple((k, v) for k, v in links.items() if v.partition("#")[0] != file)
        before, own, after = neighbours(frame, file)
        return SitePage(frame, file, own.title, before, after, away)

    pages: list[BookPage] = [_home_page(page(HOME, ()), frame, chapters, book)]
    for each in chapters:
        targets = (piece.target for piece in each.pieces if piece.kind == "link")
        own = page(chapter_file(each.id), targets)
        pages.append(ChapterPage(own, each, len(book.doubts), len(book.gaps)))
    groups = tuple(
        (step, each.tables)
        for step, each in zip(_chapter_links(frame, chapters), chapters, strict=True)
        if each.tables
    )
    pages.append(TablesPage(page(TABLES, ()), groups))
    named = _anchors(where for term in book.glossary for where in term.tables)
    pages.append(GlossaryPage(page(GLOSSARY, named), book.glossary))
    pages.append(IndexPage(page(TERMS, _index_anchors(book.index)), _by_first_letter(book.index)))
    held = [*(each.places for each in book.doubts), *(each.places for each in book.gaps)]
    places = _anchors(where for each in held for where in each)
    pages.append(ErrataPage(page(ERRATA, places), book.doubts, book.gaps))
    return Site(tuple(pages), addresses)


def neighbours(frame: SiteFrame, file: str) -> tuple[PageLink | None, PageLink, PageLink | None]:
    """Give the page before, the page itself, and the one after it."""
    way = frame.reading_order
    at = [step.file for step in way].index(file)
    after = way[at + 1] if at + 1 < len(way) else None
    return (way[at - 1] if at else None), way[at], after


def _home_page(
    page: SitePage, frame: SiteFrame, chapters: Sequence[Passage], book: Rulebook
) -> HomePage:
    own = replace(book, chapters=(), doubts=(), gaps=(), glossary=(), index=())
    steps = _chapter_links(frame, chapters)
    sections = tuple((step, each.headings) for step, each in zip(steps, chapters, strict=True))
    return HomePage(page, own, sections)


def _chapter_links(frame: SiteFrame, chapters: Sequence[Passage]) -> list[PageLink]:
    by_file = {step.file: step for step in frame.chapters}
    return [by_file[chapter_file(each.id)] for each in chapters]


def _renumber_mentions(passage: Passage) -> tuple[Passage, dict[str, tuple[str, str]]]:
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


def _anchor_addresses(chapters: Sequence[Passage], book: Rulebook) -> Iterator[tuple[str, str]]:
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


def _anchors(places: Iterable[PlaceLink]) -> list[str]:
    return [where.anchor for where in places if where.anchor]


def _index_anchors(entries: Sequence[IndexEntry]) -> list[str]:
    every = [each for entry in entries for each in (entry, *entry.below)]
    return _anchors(where for each in every for where in each.places)


def _by_first_letter(
    entries: Sequence[IndexEntry],
) -> tuple[tuple[str, tuple[IndexEntry, ...]], ...]:
    """Group the entries of the index by their first letter."""
    groups: dict[str, list[IndexEntry]] = {}
    for entry in entries:
        first = next((sign for sign in entry.term if sign.isalnum()), "")
        groups.setdefault(first.upper() if first.isalpha() else "0–9", []).append(entry)
    return tuple((letter, tuple(group)) for letter, group in groups.items())


SearchKind = Literal["table", "row", "term", "heading", "text", "army"]

_MAX_ROW_CHARS = 160
"""Signs of a row's cells that are told with it."""


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """Something that can be found: what it is called, where it stands, and its text."""

    kind: SearchKind
    title: str
    where: str
    address: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class SearchIndex:
    """Everything that can be found in one part of a site."""

    found: tuple[SearchEntry, ...]


def index_book(site: Site, book: Rulebook) -> SearchIndex:
    """List what can be found in the book."""
    return SearchIndex(tuple(_book_entries(site, book)))


def index_armies(armies: Sequence[ArmyLine]) -> SearchIndex:
    """List the armies."""
    found = (
        SearchEntry("army", army.name, "Armies", army.file, "legal" if army.legal else "not legal")
        for army in armies
    )
    return SearchIndex(tuple(found))


def _book_entries(site: Site, book: Rulebook) -> Iterator[SearchEntry]:
    for chapter in book.chapters:
        for table in chapter.tables:
            yield from _table_entries(table.view, chapter, site)
    for entry in book.index:
        for each in (entry, *entry.below):
            title = entry.term if each is entry else f"{entry.term}: {each.term}"
            for where in each.places:
                yield SearchEntry("term", title, where.text, site.addresses[where.anchor])
    for term in book.glossary:
        meaning = strip_markdown(term.meaning)
        yield SearchEntry(
            "term", strip_markdown(term.label), "Glossary", f"{GLOSSARY}#{term.anchor}", meaning
        )
    for chapter in book.chapters:
        yield from _chapter_entries(chapter)
    for doubt in book.doubts:
        title = "; ".join(where.text for where in doubt.places)
        text = strip_markdown(f"As printed: {doubt.printed} As read: {doubt.read} {doubt.reason}")
        yield SearchEntry("text", title, "Errata", f"{ERRATA}#e-{doubt.number}", text)


def _table_entries(shown: TableView, chapter: Passage, site: Site) -> Iterator[SearchEntry]:
    address = site.addresses[table_anchor(shown.id)]
    named = f"{shown.number} {shown.title}".strip()
    yield SearchEntry("table", named, chapter.title, address, strip_markdown(shown.remark))
    for line in shown.lines:
        label = strip_markdown(line.label)
        if any(sign.isalpha() for sign in label):
            yield SearchEntry("row", label, named, address, _row_text(shown, line))


def _row_text(shown: TableView, line: TableLine) -> str:
    """Tell a row's cells in one line, each behind its column's head if it has one of its own."""
    several = len(line.cells) > 1
    told = [
        f"{shown.heads[place].label} {strip_markdown(cell.text)}".strip()
        if several
        else strip_markdown(cell.text)
        for place, cell in enumerate(line.cells)
        if cell.kind not in ("dash", "blank")
    ]
    text = " · ".join(told)
    return text if len(text) <= _MAX_ROW_CHARS else f"{text[: _MAX_ROW_CHARS - 1].rstrip()}…"


def _chapter_entries(passage: Passage) -> Iterator[SearchEntry]:
    """List a chapter's headings, and the text below each."""
    file = chapter_file(passage.id)
    yield SearchEntry("heading", passage.title, f"Chapter {passage.number}", file)
    parts = re.split(r"(?m)^#{2,3} .*$", passage.text)
    addresses = [file, *(f"{file}#{heading.anchor}" for heading in passage.headings)]
    titles = [passage.title, *(strip_markdown(heading.title) for heading in passage.headings)]
    for place, (title, address, text) in enumerate(zip(titles, addresses, parts, strict=True)):
        if place:
            yield SearchEntry("heading", title, passage.title, address)
        if told := strip_markdown(_fill_braces(text, passage)):
            yield SearchEntry("text", title, passage.title, address, told)


def _fill_braces(text: str, passage: Passage) -> str:
    """Put what stands in them into the braces of a text; a table is found by itself."""

    def words(found: re.Match[str]) -> str:
        piece = passage.pieces[int(found[1])]
        return piece.text if piece.kind in ("words", "link") else ""

    return re.sub(r"\{(\d+)\}", words, text)


_MARKUP = re.compile(r'^!!! \w+ *"?|^ *(?:[-*]|\d+\.) |[*#`]|"$', re.MULTILINE)


def strip_markdown(text: str) -> str:
    """Take Markdown's signs out of a text."""
    return " ".join(_MARKUP.sub("", text).split())
