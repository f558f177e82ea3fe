"""The pages of the web edition, and the index that its search reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from muster.documents.appendices import (
    Doubt,
    GlossaryTerm,
    IndexEntry,
    PlaceLink,
    QuestionGroup,
)
from muster.documents.passages import (
    BookTable,
    Heading,
    Passage,
    erratum_anchor,
    table_anchor,
)
from muster.documents.roster import Roster
from muster.documents.rulebook import Rulebook
from muster.documents.table_view import TableLine, TableView
from muster.systems import System
from muster.systems.pictures import Picture
from muster.systems.rulebook_edition import Edition

HOME = "index.html"
SETTLE = "settle.html"
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
"""The pages after the chapters, in order."""

STYLES = ("fonts.css", "site.css", "army.css", "dark.css")
"""The style sheets of a site; the dark one is a separate file, so that a switch can toggle it."""

SCRIPTS = ("theme.js", "search.js", "fit.js", "ticks.js")


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link to a page; that of a chapter has the chapter's number."""

    file: str
    title: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class SiteFrame:
    """The data that all pages of a site share."""

    system: str
    edition: str
    version: str
    language: str
    credit: str
    front_pages: tuple[PageLink, ...]
    chapters: tuple[PageLink, ...]
    back_pages: tuple[PageLink, ...]

    @property
    def reading_order(self) -> tuple[PageLink, ...]:
        """All pages, in the order in which they are read."""
        return (
            PageLink(HOME, "Contents"),
            *self.front_pages,
            *self.chapters,
            *self.back_pages,
        )


@dataclass(frozen=True, slots=True)
class SitePage:
    """The data of a page besides its content: its file, its neighbours, and its links.

    `links` are the anchors that the page links to on other pages, each with its address.
    """

    frame: SiteFrame
    file: str
    title: str
    before: PageLink | None = None
    after: PageLink | None = None
    links: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class HomePage:
    """The first page, with contents and colophon.

    Its book is without the parts that other pages show.
    """

    page: SitePage
    book: Rulebook
    sections: tuple[tuple[PageLink, tuple[Heading, ...]], ...]
    picture: Picture | None = None
    """The picture of the system."""


@dataclass(frozen=True, slots=True)
class ChapterPage:
    """The page of a chapter."""

    page: SitePage
    passage: Passage
    doubts: int


@dataclass(frozen=True, slots=True)
class TablesPage:
    """The page of all tables, by chapter."""

    page: SitePage
    groups: tuple[tuple[PageLink, tuple[BookTable, ...]], ...]


@dataclass(frozen=True, slots=True)
class GlossaryPage:
    """The page of the glossary."""

    page: SitePage
    terms: tuple[GlossaryTerm, ...]


@dataclass(frozen=True, slots=True)
class IndexPage:
    """The page of the index, whose entries are grouped by first letter."""

    page: SitePage
    letters: tuple[tuple[str, tuple[IndexEntry, ...]], ...]


@dataclass(frozen=True, slots=True)
class ErrataPage:
    """The page of doubtful places."""

    page: SitePage
    doubts: tuple[Doubt, ...]


@dataclass(frozen=True, slots=True)
class SettlePage:
    """The page of what players settle before their first game."""

    page: SitePage
    questions: tuple[QuestionGroup, ...]


@dataclass(frozen=True, slots=True)
class DocumentFile:
    """A file of a document: what it is called, and its address."""

    label: str
    address: str


@dataclass(frozen=True, slots=True)
class PrintedDocument:
    """A document that is built beside the site, in one or more forms."""

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
    """The page of a system's armies and of its own printed documents."""

    page: SitePage
    prints: tuple[PrintedDocument, ...]
    armies: tuple[ArmyLine, ...]


@dataclass(frozen=True, slots=True)
class ArmyPage:
    """The page of an army: its verdict, its order of battle and its printed documents."""

    page: SitePage
    roster: Roster
    prints: tuple[PrintedDocument, ...]


BookPage = HomePage | SettlePage | ChapterPage | TablesPage | GlossaryPage | IndexPage | ErrataPage


@dataclass(frozen=True, slots=True)
class Site:
    """The pages made from a rulebook, and the address of every anchor in it."""

    pages: tuple[BookPage, ...]
    addresses: dict[str, str]


def chapter_file(chapter: str) -> str:
    """Return the file name of a chapter's page."""
    return f"chapter-{chapter}.html"


def army_file(army: str) -> str:
    """Return the file name of an army's page."""
    return f"army-{army}.html"


def gather_frame(system: System, edition: Edition) -> SiteFrame:
    """Gather what all pages share, without reading any prose or table."""
    identity = system.identity
    chapter_ids = edition.chapters or [chapter.id for chapter in system.chapters]
    chapters = (
        PageLink(chapter_file(chapter.id), chapter.title, number)
        for number, chapter in enumerate(system.chapters, 1)
        if chapter.id in chapter_ids
    )
    has_questions = any(entry.question for entry in system.errata.entries)
    return SiteFrame(
        system=system.title,
        edition=edition.title,
        version=identity.edition,
        language=edition.language or identity.language,
        credit=identity.source.credit,
        front_pages=(PageLink(SETTLE, "Settle before you play"),) if has_questions else (),
        chapters=tuple(chapters),
        back_pages=tuple(PageLink(file, title) for file, title in _BACK_PAGES),
    )


def gather_site(frame: SiteFrame, book: Rulebook, picture: Picture | None = None) -> Site:
    """Split a rulebook into pages; the first shows the system's picture."""
    chapters, marks = zip(*(_renumber_mentions(each) for each in book.chapters), strict=True)
    addresses = dict(_anchor_addresses(chapters, book))
    for chapter, new_marks in zip(chapters, marks, strict=True):
        for old, new in new_marks.items():
            addresses[old] = f"{chapter_file(chapter.id)}#{new}"

    def make_page(file: str, targets: Iterable[str]) -> SitePage:
        links = {each: addresses[each] for each in sorted(set(targets)) if each in addresses}
        external = tuple(
            (anchor, address)
            for anchor, address in links.items()
            if address.partition("#")[0] != file
        )
        before, link, after = neighbours(frame, file)
        return SitePage(frame, file, link.title, before, after, external)

    chapter_links = _chapter_links(frame, chapters)
    home = _home_page(make_page(HOME, ()), chapter_links, chapters, book)
    pages: list[BookPage] = [replace(home, picture=picture)]
    if book.questions:
        questions = [each for group in book.questions for each in group.questions]
        errata = [erratum_anchor(question.number) for question in questions]
        tables = _anchors(place for question in questions for place in question.tables)
        page = make_page(SETTLE, [*errata, *tables])
        pages.append(SettlePage(page, book.questions))
    for chapter in chapters:
        targets = (piece.target for piece in chapter.pieces if piece.kind in ("link", "sign"))
        page = make_page(chapter_file(chapter.id), targets)
        pages.append(ChapterPage(page, chapter, len(book.doubts)))
    groups = tuple(
        (link, chapter.tables)
        for link, chapter in zip(chapter_links, chapters, strict=True)
        if chapter.tables
    )
    pages.append(TablesPage(make_page(TABLES, ()), groups))
    term_anchors = _anchors(place for term in book.glossary for place in term.tables)
    pages.append(GlossaryPage(make_page(GLOSSARY, term_anchors), book.glossary))
    page = make_page(TERMS, _index_anchors(book.index))
    pages.append(IndexPage(page, _by_first_letter(book.index)))
    errata_anchors = _anchors(place for doubt in book.doubts for place in doubt.places)
    pages.append(ErrataPage(make_page(ERRATA, errata_anchors), book.doubts))
    return Site(tuple(pages), addresses)


def neighbours(frame: SiteFrame, file: str) -> tuple[PageLink | None, PageLink, PageLink | None]:
    """Return the page before a page, the page itself, and the page after it."""
    order = frame.reading_order
    position = [page.file for page in order].index(file)
    before = order[position - 1] if position else None
    after = order[position + 1] if position + 1 < len(order) else None
    return before, order[position], after


def _home_page(
    page: SitePage, links: Sequence[PageLink], chapters: Sequence[Passage], book: Rulebook
) -> HomePage:
    bare_book = replace(book, chapters=(), doubts=(), questions=(), glossary=(), index=())
    sections = tuple(
        (link, chapter.headings) for link, chapter in zip(links, chapters, strict=True)
    )
    return HomePage(page, bare_book, sections)


def _chapter_links(frame: SiteFrame, chapters: Sequence[Passage]) -> list[PageLink]:
    links_by_file = {link.file: link for link in frame.chapters}
    return [links_by_file[chapter_file(chapter.id)] for chapter in chapters]


def _renumber_mentions(passage: Passage) -> tuple[Passage, dict[str, str]]:
    """Number a chapter's index marks from 1, and return the new anchor for each old one.

    The book numbers its marks throughout, so that one more mark in a chapter would change the
    pages of all chapters after it.
    """
    new_anchors: dict[str, str] = {}
    pieces = []
    for piece in passage.pieces:
        if piece.kind == "mark":
            new_anchors[piece.target] = f"m-{len(new_anchors) + 1}"
            pieces.append(replace(piece, target=new_anchors[piece.target]))
        else:
            pieces.append(piece)
    return replace(passage, pieces=tuple(pieces)), new_anchors


def _anchor_addresses(chapters: Sequence[Passage], book: Rulebook) -> Iterator[tuple[str, str]]:
    """Yield each anchor that a link may lead to, except index marks, with its address."""
    for chapter in chapters:
        file = chapter_file(chapter.id)
        yield chapter.anchor, file
        for heading in chapter.headings:
            yield heading.anchor, f"{file}#{heading.anchor}"
        for table in chapter.tables:
            anchor = table_anchor(table.view.id)
            yield anchor, f"{file}#{anchor}"
    for term in book.glossary:
        yield term.anchor, f"{GLOSSARY}#{term.anchor}"
    for doubt in book.doubts:
        anchor = erratum_anchor(doubt.number)
        yield anchor, f"{ERRATA}#{anchor}"


def _anchors(places: Iterable[PlaceLink]) -> list[str]:
    return [place.anchor for place in places if place.anchor]


def _index_anchors(entries: Sequence[IndexEntry]) -> list[str]:
    with_inner = [inner for entry in entries for inner in (entry, *entry.below)]
    return _anchors(place for entry in with_inner for place in entry.places)


def _by_first_letter(
    entries: Sequence[IndexEntry],
) -> tuple[tuple[str, tuple[IndexEntry, ...]], ...]:
    """Group the entries of the index by their first letter."""
    groups: dict[str, list[IndexEntry]] = {}
    for entry in entries:
        first = next((character for character in entry.term if character.isalnum()), "")
        groups.setdefault(first.upper() if first.isalpha() else "0–9", []).append(entry)
    return tuple((letter, tuple(group)) for letter, group in groups.items())


SearchKind = Literal["table", "row", "term", "heading", "text", "army"]

_MAX_ROW_CHARS = 160
"""The characters up to which the cells of a row are given in the search index."""


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """Something that the search finds: its title, the part it is in, its address, and its text."""

    kind: SearchKind
    title: str
    where: str
    address: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class SearchIndex:
    """Everything that the search finds in one part of a site."""

    found: tuple[SearchEntry, ...]


def index_book(site: Site, book: Rulebook) -> SearchIndex:
    """Return the search index of a book."""
    return SearchIndex(tuple(_book_entries(site, book)))


def index_armies(armies: Sequence[ArmyLine]) -> SearchIndex:
    """Return the search index of a system's armies."""
    entries = (
        SearchEntry("army", army.name, "Armies", army.file, "legal" if army.legal else "not legal")
        for army in armies
    )
    return SearchIndex(tuple(entries))


def _book_entries(site: Site, book: Rulebook) -> Iterator[SearchEntry]:
    for chapter in book.chapters:
        for table in chapter.tables:
            yield from _table_entries(table.view, chapter, site)
    for entry in book.index:
        for inner in (entry, *entry.below):
            title = entry.term if inner is entry else f"{entry.term}: {inner.term}"
            for place in inner.places:
                yield SearchEntry("term", title, place.text, site.addresses[place.anchor])
    for term in book.glossary:
        title, meaning = strip_markdown(term.label), strip_markdown(term.meaning)
        yield SearchEntry("term", title, "Glossary", f"{GLOSSARY}#{term.anchor}", meaning)
    for chapter in book.chapters:
        yield from _chapter_entries(chapter)
    for doubt in book.doubts:
        title = "; ".join(place.text for place in doubt.places)
        text = strip_markdown(f"As printed: {doubt.printed} As read: {doubt.read} {doubt.reason}")
        yield SearchEntry("text", title, "Errata", f"{ERRATA}#e-{doubt.number}", text)


def _table_entries(view: TableView, chapter: Passage, site: Site) -> Iterator[SearchEntry]:
    """Yield the entries of a table and of those of its rows whose label has a letter."""
    address = site.addresses[table_anchor(view.id)]
    title = f"{view.number} {view.title}".strip()
    yield SearchEntry("table", title, chapter.title, address, strip_markdown(view.remark))
    for line in view.lines:
        label = strip_markdown(line.label)
        if any(character.isalpha() for character in label):
            yield SearchEntry("row", label, title, address, _row_text(view, line))


def _row_text(view: TableView, line: TableLine) -> str:
    """Return the cells of a row as one text, each after its column's head if there are several."""
    several = len(line.cells) > 1
    texts = [
        f"{view.heads[place].label} {strip_markdown(cell.text)}".strip()
        if several
        else strip_markdown(cell.text)
        for place, cell in enumerate(line.cells)
        if cell.kind not in ("dash", "blank")
    ]
    text = " · ".join(texts)
    return text if len(text) <= _MAX_ROW_CHARS else f"{text[: _MAX_ROW_CHARS - 1].rstrip()}…"


def _chapter_entries(passage: Passage) -> Iterator[SearchEntry]:
    """Yield the entries of a chapter's headings, and of the text below each."""
    file = chapter_file(passage.id)
    yield SearchEntry("heading", passage.title, f"Chapter {passage.number}", file)
    parts = re.split(r"(?m)^#{2,3} .*$", passage.text)
    addresses = [file, *(f"{file}#{heading.anchor}" for heading in passage.headings)]
    titles = [passage.title, *(strip_markdown(heading.title) for heading in passage.headings)]
    for place, (title, address, text) in enumerate(zip(titles, addresses, parts, strict=True)):
        if place:
            yield SearchEntry("heading", title, passage.title, address)
        if words := strip_markdown(_fill_braces(text, passage)):
            yield SearchEntry("text", title, passage.title, address, words)


def _fill_braces(text: str, passage: Passage) -> str:
    """Return a text with its braces filled in, except tables, which have entries of their own."""

    def piece_text(braces: re.Match[str]) -> str:
        piece = passage.pieces[int(braces[1])]
        return piece.text if piece.kind in ("words", "link") else ""

    return re.sub(r"\{(\d+)\}", piece_text, text)


_MARKUP = re.compile(r'^!!! \w+ *"?|^ *(?:[-*]|\d+\.) |[*#`]|"$', re.MULTILINE)


def strip_markdown(text: str) -> str:
    """Return a text without Markdown's markup, in one line."""
    return " ".join(_MARKUP.sub("", text).split())
