"""The pages of the web edition, and the index that its search reads."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

from muster.documents.appendices import (
    Doubt,
    GlossaryTerm,
    IndexEntry,
    PlaceLink,
    QuestionGroup,
)
from muster.documents.foreign import ForeignWords, gather_foreign_words
from muster.documents.page_look import PLAIN_LOOK, PageLook, gather_look
from muster.documents.passages import (
    BookTable,
    Heading,
    Passage,
    erratum_anchor,
    row_anchor,
    table_anchor,
    term_anchor,
)
from muster.documents.roster import Roster
from muster.documents.rulebook import Rulebook
from muster.documents.table_view import TableLine, TableView
from muster.languages import in_sentence, marked, say
from muster.systems import System
from muster.systems.pictures import Picture
from muster.systems.rulebook_edition import Edition
from muster.systems.search_words import plain_words

HOME = "index.html"
SETTLE = "settle.html"
TABLES = "tables.html"
GLOSSARY = "glossary.html"
TERMS = "terms.html"
ERRATA = "errata.html"
ARMIES = "armies.html"

_BACK_PAGES = (
    (TABLES, marked("Tables")),
    (GLOSSARY, marked("Glossary")),
    (TERMS, marked("Index")),
    (ERRATA, marked("List of errata")),
    (ARMIES, marked("Armies and prints")),
)
"""The pages after the chapters, in order."""

STYLES = ("fonts.css", "site.css", "army.css", "dark.css")
"""The style sheets of a site; the dark one is a separate file, so that a switch can toggle it."""

SCRIPTS = (
    *("theme.js", "stems.js", "find.js", "search.js", "reading.js", "fit.js"),
    *("ticks.js", "answers.js"),
)


def web_folder(system: System) -> str:
    """Return the folder of a system's web edition in its language: `club/web`, `club/web-de`."""
    return f"{system.id}/web-{system.identity.language}" if system.speaker else f"{system.id}/web"


@dataclass(frozen=True, slots=True)
class SiteScript:
    """A script of a site, which says its words in a language."""

    language: str


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
    foreign: ForeignWords | None = None
    """The words of the pages that are in another language."""
    look: PageLook = PLAIN_LOOK

    @property
    def reading_order(self) -> tuple[PageLink, ...]:
        """All pages, in the order in which they are read."""
        return (
            PageLink(HOME, say("Contents")),
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
class Explanation:
    """What a link to another page leads to, in short: a term, or an erratum.

    Shown where the link is, to a reader who taps it.
    """

    anchor: str
    title: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChapterPage:
    """The page of a chapter, with what explains its terms and the numbers of its errata."""

    page: SitePage
    passage: Passage
    doubts: int
    explanations: tuple[Explanation, ...] = ()
    not_terms: tuple[str, ...] = ()
    """Phrases in which a word of the glossary means something else."""


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
    system: str
    """The id of the system, under which a browser keeps the answers."""
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
    system = system.in_language(edition.language)
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
        front_pages=(PageLink(SETTLE, say("Settle before you play")),) if has_questions else (),
        chapters=tuple(chapters),
        back_pages=tuple(PageLink(file, say(title)) for file, title in _BACK_PAGES),
        foreign=gather_foreign_words(system),
        look=gather_look(system),
    )


def gather_site(
    frame: SiteFrame,
    book: Rulebook,
    picture: Picture | None = None,
    not_terms: Iterable[str] = (),
) -> Site:
    """Split a rulebook into pages.

    Args:
        frame: What all pages share.
        book: The rulebook.
        picture: The system's picture, for the first page.
        not_terms: Phrases in which a word of the glossary means something else.
    """
    pages = _SitePages(frame, book, tuple(not_terms))
    shown: list[BookPage] = [replace(pages.home(), picture=picture)]
    if book.questions:
        shown.append(pages.questions())
    shown += map(pages.chapter, pages.chapters)
    shown += [pages.tables(), pages.glossary(), pages.index(), pages.errata()]
    return Site(tuple(shown), pages.addresses)


class _SitePages:
    """Makes the pages of a rulebook, which know the addresses that their links lead to."""

    def __init__(self, frame: SiteFrame, book: Rulebook, phrases: Sequence[str]) -> None:
        self.frame = frame
        self.book = book
        self.phrases = phrases
        renumbered = [_renumber_mentions(_anchor_rows(each)) for each in book.chapters]
        self.chapters = [chapter for chapter, _ in renumbered]
        self.addresses = dict(_anchor_addresses(self.chapters, book))
        for chapter, marks in renumbered:
            for old, new in marks.items():
                self.addresses[old] = f"{chapter_file(chapter.id)}#{new}"
        self.chapter_links = _chapter_links(frame, self.chapters)

    def _page(self, file: str, targets: Iterable[str]) -> SitePage:
        """Return what every page has, with the addresses of the anchors that it links to."""
        links = {
            each: self.addresses[each] for each in sorted(set(targets)) if each in self.addresses
        }
        external = tuple(
            (anchor, address)
            for anchor, address in links.items()
            if address.partition("#")[0] != file
        )
        before, link, after = neighbours(self.frame, file)
        return SitePage(self.frame, file, link.title, before, after, external)

    def home(self) -> HomePage:
        return _home_page(self._page(HOME, ()), self.chapter_links, self.chapters, self.book)

    def questions(self) -> SettlePage:
        questions = [each for group in self.book.questions for each in group.questions]
        errata = [erratum_anchor(question.number) for question in questions]
        tables = _anchors(place for question in questions for place in question.tables)
        page = self._page(SETTLE, [*errata, *tables])
        return SettlePage(page, self.book.system, self.book.questions)

    def chapter(self, chapter: Passage) -> ChapterPage:
        targets = {piece.target for piece in chapter.pieces if piece.kind in ("link", "sign")}
        targets |= _errata_of(chapter.tables)
        page = self._page(chapter_file(chapter.id), targets)
        said = plain_words(_all_words(chapter))
        explanations = tuple(_explanations(self.book, targets, said))
        kept = tuple(phrase for phrase in self.phrases if plain_words(phrase) in said)
        return ChapterPage(page, chapter, len(self.book.doubts), explanations, kept)

    def tables(self) -> TablesPage:
        groups = tuple(
            (link, chapter.tables)
            for link, chapter in zip(self.chapter_links, self.chapters, strict=True)
            if chapter.tables
        )
        return TablesPage(self._page(TABLES, _errata_of(self.book.tables)), groups)

    def glossary(self) -> GlossaryPage:
        anchors = _anchors(place for term in self.book.glossary for place in term.tables)
        return GlossaryPage(self._page(GLOSSARY, anchors), self.book.glossary)

    def index(self) -> IndexPage:
        page = self._page(TERMS, _index_anchors(self.book.index))
        return IndexPage(page, _by_first_letter(self.book.index))

    def errata(self) -> ErrataPage:
        anchors = _anchors(place for doubt in self.book.doubts for place in doubt.places)
        return ErrataPage(self._page(ERRATA, anchors), self.book.doubts)


def _errata_of(tables: Iterable[BookTable]) -> set[str]:
    """Return the anchors of the errata that the notes of tables name."""
    return {
        erratum_anchor(int(number))
        for table in tables
        for number in (*(note.number for note in table.footnotes), *table.slips)
        if number
    }


def _explanations(book: Rulebook, anchors: Collection[str], said: str) -> Iterator[Explanation]:
    """Yield what explains a chapter's terms and errata.

    Args:
        book: The book.
        anchors: The anchors that the chapter links to.
        said: The plain words of the chapter. The page marks terms among them by their stems, so
            that a term counts if they have all of its words but for the last letter of each.
    """
    for term in book.glossary:
        label = plain_words(strip_markdown(term.label).partition(" (")[0])
        if all(word[:-1] in said for word in label.split()) or term.anchor in anchors:
            yield Explanation(term.anchor, term.label, (term.meaning,))
    for doubt in book.doubts:
        anchor = erratum_anchor(doubt.number)
        if anchor in anchors:
            printed = say("*As printed:* {text}", text=doubt.printed)
            read = say("*As read:* {text}", text=doubt.read)
            if doubt.to_settle:
                read = say("*To settle:* {text}", text=doubt.read)
            texts = (printed, read, doubt.reason)
            yield Explanation(anchor, say("Erratum {number}", number=doubt.number), texts)


def _all_words(passage: Passage) -> str:
    """Return the text of a chapter with that of its tables."""
    cells = (
        text
        for table in passage.tables
        for line in table.view.lines
        for text in (line.label, *(cell.text for cell in line.cells))
    )
    return " ".join((_chapter_words(passage.text, passage), *map(strip_markdown, cells)))


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


def _anchor_rows(passage: Passage) -> Passage:
    """Return a chapter in which each row of a table has an anchor."""
    pieces = [
        replace(piece, table=replace(piece.table, view=_with_anchors(piece.table.view)))
        if piece.table
        else piece
        for piece in passage.pieces
    ]
    return replace(passage, pieces=tuple(pieces))


def _with_anchors(view: TableView) -> TableView:
    lines = iter(_row_anchors(view))

    def anchored(part: Sequence[TableLine]) -> tuple[TableLine, ...]:
        return tuple(replace(line, anchor=next(lines)) for line in part)

    if view.parts:
        parts = tuple(map(anchored, view.parts))
        return replace(view, lines=tuple(chain(*parts)), parts=parts)
    return replace(view, lines=anchored(view.lines))


def _row_anchors(view: TableView) -> list[str]:
    """Return the anchor of each row of a table; the rows of a figure, which is drawn, have none."""
    is_drawn = view.form == "figure"
    return ["" if is_drawn else row_anchor(view.id, n) for n in range(len(view.lines))]


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
            for line in table.view.lines:
                if line.anchor:
                    yield line.anchor, f"{file}#{line.anchor}"
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


SearchKind = Literal[
    "table",
    "figure",
    "row",
    "term",
    "section",
    "example",
    "question",
    "erratum",
    "about",
    "army",
]

_MAX_ROW_CHARS = 160
"""The characters up to which the cells of a row are given in the search index."""


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """Something that the search finds: its title, the part it is in, its address, and its text.

    `keys` are words by which it is found too, which no result shows: what the printed index
    calls the place.
    """

    kind: SearchKind
    title: str
    where: str
    address: str
    text: str = ""
    keys: str = ""


@dataclass(frozen=True, slots=True)
class SearchIndex:
    """Everything that the search finds in one part of a site, and which words mean the same."""

    found: tuple[SearchEntry, ...]
    synonyms: tuple[tuple[str, ...], ...] = ()
    language: str = ""
    """The language of the words, without its region; empty if another part of the site tells it."""


def index_book(
    book: Rulebook, synonyms: Iterable[Sequence[str]] = (), examples: Collection[str] = ()
) -> SearchIndex:
    """Return the search index of a book.

    Args:
        book: The book.
        synonyms: Groups of words that mean the same.
        examples: The ids of the chapters that play through the rules.
    """
    language = book.language.partition("-")[0].lower()
    return SearchIndex(tuple(_book_entries(book, examples)), tuple(map(tuple, synonyms)), language)


@dataclass(frozen=True, slots=True)
class SearchableBook:
    """A rulebook on one page, whose rows have anchors, and what its search finds there."""

    book: Rulebook
    search: SearchIndex

    @property
    def language(self) -> str:
        """The language of the book."""
        return self.book.language


def make_searchable(
    book: Rulebook, synonyms: Iterable[Sequence[str]] = (), examples: Collection[str] = ()
) -> SearchableBook:
    """Return a book for one page; its search finds what that of the web edition does."""
    index = index_book(book, synonyms, examples)
    chapters = tuple(_anchor_rows(chapter) for chapter in book.chapters)
    tops = {chapter_file(chapter.id): chapter.anchor for chapter in book.chapters}

    def on_page(address: str) -> str:
        file, _, anchor = address.partition("#")
        return f"#{anchor or tops.get(file, 'content')}"

    found = tuple(replace(entry, address=on_page(entry.address)) for entry in index.found)
    return SearchableBook(replace(book, chapters=chapters), replace(index, found=found))


def index_armies(armies: Sequence[ArmyLine]) -> SearchIndex:
    """Return the search index of a system's armies."""
    entries = (_army_entry(army) for army in armies)
    return SearchIndex(tuple(entries))


def _army_entry(army: ArmyLine) -> SearchEntry:
    verdict = say("legal") if army.legal else say("not legal")
    return SearchEntry("army", army.name, say("Armies"), army.file, verdict)


def _book_entries(book: Rulebook, examples: Collection[str]) -> Iterator[SearchEntry]:
    about = strip_markdown(". ".join((book.edition, book.scale, book.unit, *book.conventions)))
    yield SearchEntry("about", book.title, say("Contents"), HOME, about)
    names = _index_names(book.index)
    terms = frozenset(
        (table_anchor(table.view.id), strip_markdown(term.label))
        for chapter in book.chapters
        for table in chapter.tables
        for term in book.glossary
        if term.anchor.startswith(term_anchor(table.view.id, ""))
    )
    for chapter in book.chapters:
        kind: SearchKind = "example" if chapter.id in examples else "section"
        for entry in _chapter_entries(chapter, names, terms):
            yield replace(entry, kind=kind) if entry.kind == "section" else entry
    for group in book.questions:
        for question in group.questions:
            address = f"{SETTLE}#{question.anchor}"
            where = say("Settle before you play") + _INSIDE + strip_markdown(group.title)
            yield SearchEntry("question", strip_markdown(question.text), where, address)
    for term in book.glossary:
        title = strip_markdown(term.label)
        # A term that a row of a table explains is found there, with more than the glossary says.
        if not any((place.anchor, title) in terms for place in term.tables):
            address = f"{GLOSSARY}#{term.anchor}"
            yield SearchEntry("term", title, say("Glossary"), address, strip_markdown(term.meaning))
    for doubt in book.doubts:
        title = "; ".join(place.text for place in doubt.places)
        printed = say("As printed: {why}", why=doubt.printed)
        read = say("As read: {text}", text=doubt.read)
        if doubt.to_settle:
            read = say("To settle: {text}", text=doubt.read)
        text = strip_markdown(f"{printed} {read} {doubt.reason}")
        yield SearchEntry("erratum", title, say("Errata"), f"{ERRATA}#e-{doubt.number}", text)


def _index_names(entries: Sequence[IndexEntry]) -> dict[str, str]:
    """Return what the index calls each place, by the anchor of the place."""
    names: dict[str, list[str]] = {}
    for entry in entries:
        for inner in (entry, *entry.below):
            name = entry.term if inner is entry else f"{entry.term} {inner.term}"
            for place in inner.places:
                names.setdefault(place.anchor, []).append(name)
    return {anchor: " ".join(each) for anchor, each in names.items()}


def _table_entries(
    view: TableView, file: str, where: str, named: str, terms: Collection[tuple[str, str]]
) -> Iterator[SearchEntry]:
    """Yield the entries of a table and of those of its rows whose label has a letter.

    A figure has one entry, which says what each of its drawings is called.

    Args:
        view: The table.
        file: The page that it is on.
        where: Its chapter and section.
        named: What the index calls it.
        terms: Of each row that explains a term, the anchor of its table and its glossary label.
    """
    anchor = table_anchor(view.id)
    address = f"{file}#{anchor}"
    title = f"{view.number} {view.title}".strip()
    labels = tuple(dict.fromkeys(strip_markdown(each.label) for each in view.lines if each.label))
    keys = " ".join(filter(None, (*_heads(view), named, *labels)))
    about = strip_markdown(" · ".join(filter(None, (view.remark, view.meaning, *view.notes))))
    if view.form == "figure":
        drawn = " · ".join(filter(None, (about, *labels)))
        yield SearchEntry("figure", title, where, address, drawn, named)
        return
    yield SearchEntry("table", title, where, address, about, keys)
    rows = {
        (line.label, line.within, _row_text(view, line)): own
        for line, own in zip(view.lines, _row_anchors(view), strict=True)
    }
    for (written, within, text), own in rows.items():
        label = strip_markdown(written)
        if not any(character.isalpha() for character in label):
            continue
        names = {(anchor, label), (anchor, f"{label} ({in_sentence(within)})")}
        kind: SearchKind = "row" if names.isdisjoint(terms) else "term"
        inside = _INSIDE.join(filter(None, (where, title, strip_markdown(within))))
        yield SearchEntry(kind, label, inside, f"{file}#{own}", text, within)


def _heads(view: TableView) -> list[str]:
    """Return the words over each column; steps and terms are printed without."""
    is_plain = view.form in ("steps", "terms")
    return ["" if is_plain else strip_markdown(head.label) for head in view.heads]


def _row_text(view: TableView, line: TableLine) -> str:
    """Return the cells of a row as one text, each after its column's head if there are several."""
    heads = _heads(view) if len(line.cells) > 1 else [""] * len(line.cells)
    texts = [
        f"{head} {strip_markdown(cell.text)}".strip()
        for head, cell in zip(heads, line.cells, strict=True)
        if cell.kind not in ("dash", "blank")
    ]
    text = " · ".join(texts)
    return text if len(text) <= _MAX_ROW_CHARS else f"{text[: _MAX_ROW_CHARS - 1].rstrip()}…"


_INSIDE = " > "
"""What stands between a chapter and its section, where a result is said to be."""


def _chapter_entries(
    passage: Passage, names: Mapping[str, str], terms: Collection[tuple[str, str]]
) -> Iterator[SearchEntry]:
    """Yield the entries of a chapter: each section with its text, and its tables with their rows.

    Args:
        passage: The chapter.
        names: What the index calls each place, by its anchor.
        terms: The rows that explain a term, as `_table_entries` takes them.
    """
    file = chapter_file(passage.id)
    lists_errata = any(piece.kind == "errata" for piece in passage.pieces)
    texts = re.split(r"(?m)^#{2,3} .*$", passage.text)
    sections = [
        (passage.title, say("Chapter {number}", number=passage.number), passage.title, file)
    ]
    above = ""
    for heading in passage.headings:
        title = strip_markdown(heading.title)
        above = title if heading.level == _FIRST_LEVEL else above
        where = passage.title if above == title else f"{passage.title}{_INSIDE}{above}"
        sections.append((title, where, f"{where}{_INSIDE}{title}", f"{file}#{heading.anchor}"))
    for (title, where, inside, address), text in zip(sections, texts, strict=True):
        pieces = [passage.pieces[int(number)] for number in _BRACES.findall(text)]
        marks = [names.get(piece.target, "") for piece in pieces if piece.kind == "mark"]
        keys = " ".join(dict.fromkeys(filter(None, marks)))
        words = _chapter_words(text, passage)
        kind: SearchKind = "erratum" if lists_errata else "section"
        yield SearchEntry(kind, title, where, address, words, keys)
        for table in (piece.table for piece in pieces if piece.table is not None):
            named = names.get(table_anchor(table.view.id), "")
            yield from _table_entries(table.view, file, inside, named, terms)


_FIRST_LEVEL = 2
"""The level of the headings of sections in a chapter; those of parts of a section have 3."""


def _chapter_words(text: str, passage: Passage) -> str:
    """Return a text of a chapter with its braces filled in, without Markdown's markup.

    Tables are left out: they have entries of their own. What fills a brace is no markup, even where
    a line begins with it: `2.` is no number of a list.
    """

    def is_word(braces: re.Match[str]) -> bool:
        return passage.pieces[int(braces[1])].kind in ("words", "link")

    words = _BRACES.sub(lambda braces: braces[0] if is_word(braces) else "", text)
    filled = _BRACES.sub(lambda braces: passage.pieces[int(braces[1])].text, strip_markdown(words))
    return " ".join(filled.replace("*", "").split())


_BRACES = re.compile(r"\{(\d+)\}")
_ITEM = re.compile(r" *(?:[-*]|\d+\.) +")
_NOTE = re.compile(r'!!! \w+ *"?(.*?)"? *$')
_SIGNS = re.compile(r"[*#`]")


def strip_markdown(text: str) -> str:
    """Return a text without Markdown's markup, in one line; a dot parts the items of a list."""
    paragraphs: list[tuple[bool, list[str]]] = []
    begins = True
    for line in text.splitlines():
        item = _ITEM.match(line)
        if item or begins:
            paragraphs.append((bool(item), []))
        begins = not line.strip()
        written = _NOTE.sub(r"\1", line[item.end() :] if item else line)
        paragraphs[-1][1].extend(_SIGNS.sub("", written).split())
    said = ""
    was_item = False
    for is_item, words in paragraphs:
        if words:
            said += (_BETWEEN_ITEMS if is_item or was_item else " ") * bool(said) + " ".join(words)
            was_item = is_item
    return said


_BETWEEN_ITEMS = " · "
