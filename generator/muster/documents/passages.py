"""A chapter ready to print: its Markdown, and what each pair of braces in it prints."""

from __future__ import annotations

import re
from bisect import bisect
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from muster.documents.changes import ChangeBars
from muster.documents.measures import Measures
from muster.documents.table_view import Footnote, TableLine, TableView, name_by_number
from muster.languages import keeps_capitals, say
from muster.systems.directives import (
    AllErrata,
    Fact,
    IndexTerm,
    NameChapter,
    NameErratum,
    NameTable,
    PlaceTable,
    ShowCell,
    ShowLabel,
)
from muster.systems.evaluation import (
    CellValues,
    DirectiveResult,
    NoOutput,
    ShownLabel,
    ShownQuantity,
)
from muster.systems.pictures import Picture
from muster.systems.prose import ChapterText, PlacedDirective
from muster.values import Dice, Distance, Modifier, Number, Value


@dataclass(frozen=True, slots=True)
class BookTable:
    """A table of the book: its tone, and the footnotes on its doubtful places."""

    tone: str
    view: TableView
    footnotes: tuple[Footnote, ...]
    slips: tuple[str, ...] = ()
    """The numbers of the errata that need no note there, if the edition lists them: they put plain
    slips in it right, or all its rows are boxes whose labels ask what the notes would.
    """
    changed: bool = False
    """Whether its caption gets a bar in the margin."""
    index: tuple[str, ...] = ()
    """The entries of the index that lead to it."""


@dataclass(frozen=True, slots=True)
class PassagePiece:
    """The output of a pair of braces.

    `words` are printed as they are. A `link` leads to `target` and in print names its page, set
    off by a comma (`after`) or in brackets (`within`). A `mark` is a place that the index names,
    and a `sign` the small number of an erratum at `target`. A `bar` ends a paragraph that gets a
    bar in the margin.
    """

    kind: Literal["words", "link", "mark", "sign", "table", "errata", "bar"]
    text: str = ""
    target: str = ""
    page: Literal["", "after", "within"] = ""
    table: BookTable | None = None


@dataclass(frozen=True, slots=True)
class Heading:
    """A section's heading, in the order of the text."""

    level: int
    title: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A chapter ready to print; `{0}` in its text stands for the first of its pieces."""

    id: str
    number: int
    title: str
    text: str
    pieces: tuple[PassagePiece, ...]
    headings: tuple[Heading, ...]
    spread: bool = False
    """Whether it begins on a new page, in two columns where the page is wide enough."""
    picture: Picture | None = None
    """The picture above its head."""

    @property
    def anchor(self) -> str:
        """The chapter's anchor in the book."""
        return chapter_anchor(self.id)

    @property
    def tables(self) -> tuple[BookTable, ...]:
        """The tables in the chapter, in order."""
        return tuple(piece.table for piece in self.pieces if piece.table is not None)


@dataclass(frozen=True, slots=True)
class IndexMention:
    """A place that the index names."""

    term: str
    below: str
    anchor: str
    chapter: str
    section: int
    chief: bool = False
    """Whether the title of the table, section or chapter names the term."""


def chapter_anchor(chapter: str, section: str = "") -> str:
    """Return the anchor of a chapter or of one of its sections."""
    return f"c-{chapter}--{section}" if section else f"c-{chapter}"


def table_anchor(table: str) -> str:
    """Return the anchor of a table."""
    return f"t-{table}"


def row_anchor(table: str, number: int) -> str:
    """Return the anchor of a row of a table, by its number from 0."""
    return f"r-{table}-{number + 1}"


def erratum_anchor(number: int) -> str:
    """Return the anchor of an entry of the errata, by its number."""
    return f"e-{number}"


def term_anchor(table: str, row: str) -> str:
    """Return the anchor of a term in the glossary."""
    return f"g-{table}--{re.sub(r'[^a-z0-9]+', '-', row.lower())}"


class PassageWriter:
    """Writes the chapters of one edition, one after the other."""

    def __init__(  # noqa: PLR0913, PLR0917 - all chapters share these
        self,
        measures: Measures,
        titles: dict[str, tuple[str, dict[str, str]]],
        numbers: dict[str, str],
        find_table: Callable[[str], BookTable | None],
        chapter_of_table: dict[str, str],
        terms: frozenset[str],
        bars: ChangeBars,
        number_erratum: Callable[[str], int] | None,
        drawings: frozenset[str],
    ) -> None:
        """Create a writer with what all chapters share.

        Args:
            measures: Scale and unit of length.
            titles: For each chapter in the edition, its title and the titles of its sections.
            numbers: The number of each table, whether it is in the edition or not.
            find_table: Returns a table to print, or None if the edition leaves it out.
            chapter_of_table: For each table in the edition, the chapter in which it stands.
            terms: The anchors of the terms in the glossary.
            bars: What changed since an older edition.
            number_erratum: Returns the number of an erratum; None if the edition lists none.
            drawings: The ids of the tables that are drawings.
        """
        self.measures = measures
        self.titles = titles
        self.numbers = numbers
        self.find_table = find_table
        self.chapter_of_table = chapter_of_table
        self.terms = terms
        self.bars = bars
        self.number_erratum = number_erratum
        self.drawings = drawings
        self.mentions: list[IndexMention] = []
        self._marked: set[tuple[str, str, str, int]] = set()

    def passage(self, chapter: ChapterText, results: Sequence[DirectiveResult]) -> Passage:
        """Return a chapter ready to print.

        Args:
            chapter: The chapter as written.
            results: The result of each of its directives.
        """
        text, copied_to = "", 0
        finished: list[str] = []
        pieces: list[PassagePiece] = []
        ends = deque(self.bars.changed_paragraph_ends(chapter.id, chapter.text))
        sections = _Sections(chapter.text)
        unsaid: list[int] = []
        tables: dict[int, list[TableView]] = {}
        for placed, result in zip(chapter.directives, results, strict=True):
            text += self._copy(chapter.text, (copied_to, placed.start), ends, pieces)
            copied_to = placed.end
            piece = self._piece(chapter, placed, result, sections)
            if piece is None:
                text += _NO_OUTPUT
            elif piece.kind == "mark":
                place = _place_of_mark(text, self.mentions[-1])
                at = place if place >= 0 else len(text)
                text = f"{text[:at]}{{{len(pieces)}}}{text[at:]}"
                if place < 0 and not _is_said_below(chapter.text, copied_to, self.mentions[-1]):
                    unsaid.append(len(self.mentions) - 1)
                pieces.append(piece)
            else:
                if piece.table is not None:
                    tables.setdefault(sections.number_at(placed), []).append(piece.table.view)
                text += f"{{{len(pieces)}}}"
                pieces.append(piece)
            if len(text) > 2 * _REACH:
                finished.append(text[:-_REACH])
                text = text[-_REACH:]
        text += self._copy(chapter.text, (copied_to, len(chapter.text)), ends, pieces)
        text = "".join((*finished, text))
        self._lead_to_tables(unsaid, tables)
        named = {mention.anchor for mention in self.mentions}
        pieces = [
            replace(piece, table=_with_anchors(piece.table, named)) if piece.table else piece
            for piece in pieces
        ]
        headings = tuple(
            Heading(section.level, section.title, chapter_anchor(chapter.id, section.slug))
            for section in chapter.sections
        )
        return Passage(
            chapter.id,
            chapter.number,
            chapter.title,
            _drop_empty_lines(text),
            tuple(pieces),
            headings,
            chapter.spread,
        )

    def _lead_to_tables(
        self, numbers: Sequence[int], tables: Mapping[int, Sequence[TableView]]
    ) -> None:
        """Make mentions that their paragraphs do not say lead to tables of their sections that do.

        Args:
            numbers: The numbers of the mentions.
            tables: The tables of each section of the chapter.
        """
        known = {section: _TableWords(views) for section, views in tables.items()}
        rows = {view.id: _RowWords(view) for views in tables.values() for view in views}
        for number in numbers:
            mention = self.mentions[number]
            words = known.get(mention.section)
            view = words.find(_stems(f"{mention.term} {mention.below}")) if words else None
            if view is not None:
                anchor = rows[view.id].anchor(mention.term, mention.below)
                self.mentions[number] = replace(mention, anchor=anchor)

    @staticmethod
    def _copy(
        text: str, span: tuple[int, int], ends: deque[int], pieces: list[PassagePiece]
    ) -> str:
        """Return a stretch of a chapter, with a bar at the end of each changed paragraph.

        Args:
            text: The chapter.
            span: Start and end of the stretch.
            ends: Where changed paragraphs end; those in the stretch are removed.
            pieces: The pieces of the chapter so far; the bars are added.
        """
        start, end = span
        copied = ""
        while ends and ends[0] <= end:
            place = max(ends.popleft(), start)
            copied += f"{text[start:place]}{{{len(pieces)}}}"
            pieces.append(PassagePiece("bar"))
            start = place
        return copied + text[start:end]

    def _piece(  # noqa: C901, PLR0911 - one case for each kind of directive
        self,
        chapter: ChapterText,
        placed: PlacedDirective,
        result: DirectiveResult,
        sections: _Sections,
    ) -> PassagePiece | None:
        """Return what a directive prints; None if that is nothing."""
        match placed.directive:
            case ShowCell(words=words) | ShowLabel(words=words) if words:
                return PassagePiece("words", words)
            case PlaceTable(table=table):
                return self._place_table(chapter, sections.number_at(placed), table)
            case NameTable() as reference:
                return self._table(chapter, placed, reference)
            case NameChapter() as reference:
                return self._chapter(chapter, placed, reference)
            case IndexTerm(term=term, below=below):
                return self._mention(chapter, sections.number_at(placed), term, below)
            case Fact(text=text):
                return PassagePiece("words", self.measures.convert_text(text))
            case NameErratum(erratum=erratum):
                if self.number_erratum is None:
                    return None
                number = self.number_erratum(erratum)
                return PassagePiece("sign", str(number), erratum_anchor(number))
            case AllErrata():
                return PassagePiece("errata")
            case ShowLabel(plain=plain) if isinstance(result, ShownLabel):
                return self._label(result, plain=plain)
        if isinstance(result, ShownQuantity):
            return PassagePiece("words", self._quantity_text(result))
        if isinstance(result, CellValues):
            return PassagePiece("words", self._cell_text(result))
        assert isinstance(result, NoOutput)  # noqa: S101 - all other results are handled above
        return None

    def _quantity_text(self, quantity: ShownQuantity) -> str:
        """Return a number as text; a length in the edition's unit."""
        if quantity.unit is None:
            return _format_amount(quantity.amount, signed=quantity.signed)
        return self.measures.convert_value(Distance(quantity.amount, quantity.unit)).show()

    def _cell_text(self, cell: CellValues) -> str:
        """Return the text of a cell; if its value differs by scale, each value with its scale.

        A roll such as D6 + 3 stays on one line.
        """

        def value_text(value: Value) -> str:
            converted = self.measures.convert_value(value)
            text = converted.show()
            rolled = isinstance(converted, Dice | Distance | Modifier)
            return text.replace(" ", "\u00a0") if rolled else text

        either = say("or")
        return f" {either} ".join(
            f"{value_text(value)} ({scale})" if scale else value_text(value)
            for scale, value in cell.values
        )

    def _label(self, label: ShownLabel, *, plain: bool) -> PassagePiece:
        """Return a label, as a link if the glossary explains it.

        A plain label is not capitalised, unless it has another capital letter, as names have.
        """
        text = self.measures.convert_text(label.text)
        if (
            plain
            and not keeps_capitals()
            and text[:1].isupper()
            and not any(letter.isupper() for letter in text[1:])
        ):
            text = text[:1].lower() + text[1:]
        target = term_anchor(label.table, label.row) if label.table else ""
        if target in self.terms:
            return PassagePiece("link", text, target)
        return PassagePiece("words", text)

    def _table(
        self, chapter: ChapterText, placed: PlacedDirective, reference: NameTable
    ) -> PassagePiece:
        """Return a table's number, as a link if the table is in the edition."""
        number = self.numbers.get(reference.table, "")
        is_drawing = reference.table in self.drawings
        text = name_by_number(number, is_drawing=is_drawing, capital=reference.capital)
        if reference.words:
            text = f"{reference.words} ({text})"
        home = self.chapter_of_table.get(reference.table)
        if home is None:
            return PassagePiece("words", text)
        page = "" if home == chapter.id else _page_style(chapter.text, placed)
        return PassagePiece("link", text, table_anchor(reference.table), page)

    def _chapter(
        self, chapter: ChapterText, placed: PlacedDirective, reference: NameChapter
    ) -> PassagePiece:
        """Return the title of a chapter or section, as a link if it is in the edition."""
        if reference.chapter not in self.titles:
            words = reference.words or say("another chapter, not in this edition")
            return PassagePiece("words", words)
        title, sections = self.titles[reference.chapter]
        text = reference.words or f"*{sections.get(reference.section, title)}*"
        target = chapter_anchor(reference.chapter, reference.section)
        return PassagePiece("link", text, target, _page_style(chapter.text, placed))

    def _mention(
        self, chapter: ChapterText, section: int, term: str, below: str
    ) -> PassagePiece | None:
        """Mark a place for the index; a term is marked only once in each section."""
        key = (term, below, chapter.title, section)
        if key in self._marked:
            return None
        self._marked.add(key)
        anchor = f"i-{len(self.mentions) + 1}"
        title = chapter.sections[section - 1].title if section else chapter.title
        chief = _names(title, term, below)
        mention = IndexMention(term, below, anchor, chapter.title, section, chief)
        self.mentions.append(mention)
        return PassagePiece("mark", target=mention.anchor)

    def _place_table(
        self, chapter: ChapterText, section: int, table_id: str
    ) -> PassagePiece | None:
        """Return a table, which the index names; None if the edition leaves it out."""
        table = self.find_table(table_id)
        if table is None:
            return None
        rows = _RowWords(table.view)
        for entry in table.index:
            term, _, below = (part.strip() for part in entry.partition(">"))
            chief = _names(table.view.title, term, below)
            anchor = rows.anchor(term, below)
            self.mentions.append(IndexMention(term, below, anchor, chapter.title, section, chief))
        return PassagePiece("table", table=table)


class _Sections:
    """The sections of a chapter, by what stands in them; the beginning of a chapter is number 0."""

    def __init__(self, text: str) -> None:
        self._ends = [head.end() for head in re.finditer(r"\n##", text)]

    def number_at(self, placed: PlacedDirective) -> int:
        """Return the number of the section that a directive stands in."""
        return bisect(self._ends, placed.start)


_REACH = 4_000
"""How far before or behind its place, in characters, a paragraph is searched: a page or more.

A longer one would be searched again for each place in it.
"""


def _page_style(text: str, placed: PlacedDirective) -> Literal["after", "within"]:
    """Return how a page is set off: by a comma if within brackets already, else by brackets."""
    before = text[_start_of_paragraph(text, placed.start) : placed.start]
    return "after" if before.count("(") > before.count(")") else "within"


def _start_of_paragraph(text: str, place: int) -> int:
    """Return where the paragraph of a place starts, or its part that is searched."""
    start = max(place - _REACH, 0)
    found = text.rfind("\n\n", start, place)
    return start if found < 0 else found + 1


_SHORTEST_WORD, _ENDING = 4, 3
"""The letters of the shortest word that is looked for, and those that its end may differ in."""
_SHORTEST_STEM, _LONGEST_STEM = _SHORTEST_WORD - 1, 40


def _stems(text: str) -> list[str]:
    """Return the beginnings of the longer words of a text, by which a page is searched for them."""
    words = re.findall(rf"[^\W\d_]{{{_SHORTEST_WORD},}}", text.casefold())
    beginnings = (word[: max(_SHORTEST_WORD, len(word) - _ENDING)] for word in words)
    return [each.removesuffix("s")[:_LONGEST_STEM] for each in beginnings]


def _says(text: str, stems: Sequence[str]) -> bool:
    return bool(stems) and all(stem in text for stem in stems)


_IN_LABEL, _OF_INNER = 3, 2
"""How many times as much a word counts in a row's label, and one of the entry below."""


class _RowWords:
    """The rows of a table, by which a place of the index is found in it."""

    def __init__(self, view: TableView) -> None:
        self._view = view
        self._title = view.title.casefold()
        self._labels = [line.label.casefold() for line in view.lines]
        self._rows = [_words_of_line(line) for line in view.lines]

    def anchor(self, term: str, below: str) -> str:
        """Return the anchor of the row that an entry is about, else that of the table.

        That is the row that says most of the entry, but for what the table's title says; words that
        few rows have count most. If the title has the words of the entry below, only labels tell.
        """
        own = _stems(below) or _stems(term)
        rows = self._labels if _says(self._title, own) else self._rows
        worth = [0.0] * len(rows)
        for stem in _stems(f"{term} {below}"):
            found = [n for n, row in enumerate(rows) if stem in row and stem not in self._title]
            weight = _OF_INNER if stem in own else 1
            for n in found:
                worth[n] += weight * (_IN_LABEL if stem in self._labels[n] else 1) / len(found)
        if self._view.figure is not None or not any(worth):
            return table_anchor(self._view.id)
        return row_anchor(self._view.id, worth.index(max(worth)))


def _with_anchors(table: BookTable, named: Collection[str]) -> BookTable:
    """Return a table whose rows have anchors if the index names them."""
    view = table.view
    rows = {
        line: replace(line, anchor=anchor)
        for n, line in enumerate(view.lines)
        if (anchor := row_anchor(view.id, n)) in named
    }
    if not rows:
        return table
    lines = tuple(rows.get(line, line) for line in view.lines)
    parts = tuple(tuple(rows.get(line, line) for line in part) for part in view.parts)
    return replace(table, view=replace(view, lines=lines, parts=parts))


def _names(title: str, term: str, below: str) -> bool:
    """Return whether a title has the words of an entry of the index."""
    return _says(title.casefold(), _stems(f"{term} {below}"))


class _TableWords:
    """The tables of a section, by the beginnings of the words in their titles and cells."""

    def __init__(self, views: Sequence[TableView]) -> None:
        self._views = views
        self._titled = _tables_by_word([view.title.casefold() for view in views])
        self._worded = _tables_by_word([_words_of(view) for view in views])

    def find(self, stems: Sequence[str]) -> TableView | None:
        """Return the first table whose title has words of all stems, else that has them."""
        for tables in (self._titled, self._worded):
            found = [tables.get(stem, set()) for stem in stems]
            if found and (common := set.intersection(*found)):
                return self._views[min(common)]
        return None


def _tables_by_word(texts: Sequence[str]) -> dict[str, set[int]]:
    """Return the numbers of the texts that have a word, for each beginning of one."""
    found: dict[str, set[int]] = {}
    for number, text in enumerate(texts):
        for word in set(re.findall(r"[^\W\d_]+", text)):
            for length in range(_SHORTEST_STEM, min(len(word), _LONGEST_STEM) + 1):
                found.setdefault(word[:length], set()).add(number)
    return found


def _words_of(view: TableView) -> str:
    heads = (head.label for head in view.heads)
    lines = map(_words_of_line, view.lines)
    return " ".join((view.title, view.remark, *heads, *lines, *view.notes)).casefold()


def _words_of_line(line: TableLine) -> str:
    return " ".join((line.label, *(cell.text for cell in line.cells))).casefold()


def _own_stems(mention: IndexMention) -> list[str]:
    """Return the stems that tell a mention from others: those of the entry below, if any."""
    return _stems(mention.below) or _stems(mention.term)


def _place_of_mark(text: str, mention: IndexMention) -> int:
    """Return where the mark of a mention stands: behind its word, if the paragraph has said that.

    A paragraph can go on overleaf, and the page of the word is meant. Without it, return -1.
    """
    start = _start_of_paragraph(text, len(text))
    paragraph = text[start:].casefold()
    stems = _own_stems(mention)
    if len(paragraph) != len(text) - start or not _says(paragraph, stems):
        return -1
    # A mark within a term of several words would hide it from what explains terms.
    whole = r"\w*\W+".join(map(re.escape, stems))
    for words in (whole, re.escape(stems[0])):
        if found := list(re.finditer(rf"\b{words}\w*", paragraph)):
            end = found[-1].end()
            bold_end = paragraph.find("**", end) if paragraph.count("**", 0, end) % 2 else -1
            return start + max(end, bold_end)
    return -1


def _is_said_below(text: str, place: int, mention: IndexMention) -> bool:
    """Return whether the rest of a paragraph says a mention, or a label in it does."""
    start, last = _start_of_paragraph(text, place), place + _REACH
    end = text.find("\n\n", place, last)
    paragraph = re.sub(r"\{(?![Ll]abel)[^}]*\}", "", text[start : end if end > 0 else last])
    return _says(paragraph.casefold(), _own_stems(mention))


def _format_amount(amount: Decimal, *, signed: bool = False) -> str:
    """Return a number as cells show it: with a true minus sign, and quarters as fractions."""
    return Modifier(amount).show() if signed else Number(amount).show()


_NO_OUTPUT = "\0"
"""A mark for braces that print nothing, until empty lines are removed."""

_NO_OUTPUT_LINE = re.compile(rf"^[ \t]*(?:{_NO_OUTPUT}[ \t]*)+(?:\n|\Z)", re.MULTILINE)


def _drop_empty_lines(text: str) -> str:
    """Remove lines with nothing to print, which would split a paragraph or make an empty one."""
    blocks: list[str] = []
    printed = _NO_OUTPUT_LINE.sub("", text).replace(_NO_OUTPUT, "")
    for block in re.split(r"\n[ \t]*\n", printed):
        lines = [line for line in block.split("\n") if line.strip()]
        if lines:
            blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"
