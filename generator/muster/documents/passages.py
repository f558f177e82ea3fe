"""A chapter ready to print: its Markdown, and what stands in each pair of braces."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from muster.documents.changes import ChangeBars
from muster.documents.measures import Measures
from muster.documents.table_view import Footnote, TableView
from muster.systems.directives import (
    AllBlanks,
    AllErrata,
    Fact,
    IndexTerm,
    NameChapter,
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
from muster.systems.prose import ChapterText, PlacedDirective
from muster.values import Dice, Distance, Modifier, Number, Value


@dataclass(frozen=True, slots=True)
class BookTable:
    """A table of the book: its tone, and the notes on its doubtful places."""

    tone: str
    view: TableView
    footnotes: tuple[Footnote, ...]
    changed: bool = False
    """Whether its caption gets a bar in the margin."""


@dataclass(frozen=True, slots=True)
class PassagePiece:
    """What stands in a pair of braces.

    `words` print as they are; a `link` leads to `target` and gives its page in print, set off
    by a comma (`after`) or in brackets (`within`); a `mark` is a place that the index names; a
    `bar` ends a paragraph that gets a bar in the margin.
    """

    kind: Literal["words", "link", "mark", "table", "errata", "blanks", "bar"]
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
    """A chapter ready to print; `{0}` in its text is the first of its pieces."""

    id: str
    number: int
    title: str
    source: str
    text: str
    pieces: tuple[PassagePiece, ...]
    headings: tuple[Heading, ...]

    @property
    def anchor(self) -> str:
        """The address of the chapter within the book."""
        return chapter_anchor(self.id)

    @property
    def tables(self) -> tuple[BookTable, ...]:
        """The tables that stand in the chapter, in order."""
        return tuple(piece.table for piece in self.pieces if piece.table is not None)


@dataclass(frozen=True, slots=True)
class IndexMention:
    """A place that the index names."""

    term: str
    below: str
    anchor: str
    chapter: str
    section: int


def chapter_anchor(chapter: str, section: str = "") -> str:
    """Give the address of a chapter or of one of its sections."""
    return f"c-{chapter}--{section}" if section else f"c-{chapter}"


def table_anchor(table: str) -> str:
    """Give the address of a table."""
    return f"t-{table}"


def term_anchor(table: str, row: str) -> str:
    """Give the address of a term in the glossary."""
    return f"g-{table}--{re.sub(r'[^a-z0-9]+', '-', row.lower())}"


class PassageWriter:
    """Writes out the chapters of one edition, one after the other."""

    def __init__(
        self,
        chosen: Measures,
        titles: dict[str, tuple[str, dict[str, str]]],
        numbers: dict[str, str],
        place: Callable[[str], BookTable | None],
        terms: frozenset[str],
    ) -> None:
        """Take what all chapters share.

        Args:
            chosen: Scale and unit.
            titles: Of each chapter that is in the edition, its title and those of its sections.
            numbers: The number of each table, whether it is in the edition or not.
            place: Gives a table to print, or None if the edition goes without it.
            terms: The addresses of the terms in the glossary.
        """
        self.measures = chosen
        self.titles = titles
        self.numbers = numbers
        self.find_table = place
        self.terms = terms
        self.mentions: list[IndexMention] = []
        self.chapter_of_table: dict[str, str] = {}
        """The chapter in which each table of the edition stands."""
        self.bars = ChangeBars()
        """What changed since an older edition."""

    def passage(self, chapter: ChapterText, answers: Sequence[DirectiveResult]) -> Passage:
        """Write out a chapter."""
        text, at = "", 0
        pieces: list[PassagePiece] = []
        ends = list(self.bars.changed_paragraph_ends(chapter.id, chapter.text))
        for placed, answer in zip(chapter.directives, answers, strict=True):
            text += self._copied(chapter.text, (at, placed.start), ends, pieces)
            at = placed.end
            piece = self._piece(chapter, placed, answer)
            if piece is None:
                text += _NO_OUTPUT
            else:
                text += f"{{{len(pieces)}}}"
                pieces.append(piece)
        text += self._copied(chapter.text, (at, len(chapter.text)), ends, pieces)
        headings = tuple(
            Heading(each.level, each.title, chapter_anchor(chapter.id, each.slug))
            for each in chapter.sections
        )
        return Passage(
            chapter.id,
            chapter.number,
            chapter.title,
            chapter.source,
            _drop_empty_lines(text),
            tuple(pieces),
            headings,
        )

    @staticmethod
    def _copied(
        text: str, span: tuple[int, int], ends: list[int], pieces: list[PassagePiece]
    ) -> str:
        """Copy a stretch of a chapter, with a bar at the end of each paragraph that changed."""
        start, end = span
        copied = ""
        while ends and ends[0] <= end:
            place = max(ends.pop(0), start)
            copied += f"{text[start:place]}{{{len(pieces)}}}"
            pieces.append(PassagePiece("bar"))
            start = place
        return copied + text[start:end]

    def _figure(self, figure: ShownQuantity) -> str:
        """Write a number; a length in the unit of the edition."""
        if figure.unit is None:
            return format_amount(figure.amount, signed=figure.signed)
        return self.measures.convert_value(Distance(figure.amount, figure.unit)).show()

    def _piece(  # noqa: C901, PLR0911 - one a verb
        self, chapter: ChapterText, placed: PlacedDirective, answer: DirectiveResult
    ) -> PassagePiece | None:
        match placed.directive:
            case ShowCell(words=words) | ShowLabel(words=words) if words:
                return PassagePiece("words", words)
            case PlaceTable(table=table):
                book_table = self.find_table(table)
                return None if book_table is None else PassagePiece("table", table=book_table)
            case NameTable() as name:
                return self._table(chapter, placed, name)
            case NameChapter() as name:
                return self._chapter(chapter, placed, name)
            case IndexTerm(term=term, below=below):
                return self._mention(chapter, placed, term, below)
            case Fact(text=text):
                return PassagePiece("words", self.measures.convert_text(text))
            case AllErrata():
                return PassagePiece("errata")
            case AllBlanks():
                return PassagePiece("blanks")
            case ShowLabel(plain=plain) if isinstance(answer, ShownLabel):
                return self._label(answer, plain=plain)
        if isinstance(answer, ShownQuantity):
            return PassagePiece("words", self._figure(answer))
        if isinstance(answer, CellValues):
            return PassagePiece("words", self._words(answer))
        assert isinstance(answer, NoOutput)  # noqa: S101 - what else there is was written above
        return None

    def _words(self, answer: CellValues) -> str:
        """Give a cell's text; of one that differs by scale, each value with its scale.

        A roll such as D6 + 3 stays on one line.
        """

        def text(value: Value) -> str:
            given = self.measures.convert_value(value)
            said = given.show()
            rolled = isinstance(given, Dice | Distance | Modifier)
            return said.replace(" ", "\u00a0") if rolled else said

        parts = [f"{text(v)} ({scale})" if scale else text(v) for scale, v in answer.values]
        return " or ".join(parts)

    def _label(self, label: ShownLabel, *, plain: bool) -> PassagePiece:
        text = self.measures.convert_text(label.text)
        if plain and text[:1].isupper() and not any(sign.isupper() for sign in text[1:]):
            text = text[:1].lower() + text[1:]
        target = term_anchor(label.table, label.row) if label.table else ""
        if target in self.terms:
            return PassagePiece("link", text, target)
        return PassagePiece("words", text)

    def _table(
        self, chapter: ChapterText, placed: PlacedDirective, name: NameTable
    ) -> PassagePiece:
        number = self.numbers.get(name.table, "")
        text = f"{'Table' if name.capital else 'table'}\u00a0{number}".strip()
        if name.words:
            text = f"{name.words} ({text})"
        home = self.chapter_of_table.get(name.table)
        if home is None:
            return PassagePiece("words", text)
        page = "" if home == chapter.id else self._set_off(chapter.text, placed)
        return PassagePiece("link", text, table_anchor(name.table), page)

    def _chapter(
        self, chapter: ChapterText, placed: PlacedDirective, name: NameChapter
    ) -> PassagePiece:
        there = self.titles.get(name.chapter)
        if there is None:
            return PassagePiece("words", name.words or "another chapter, not in this edition")
        title, sections = there
        own = f"*{sections.get(name.section, title)}*"
        target = chapter_anchor(name.chapter, name.section)
        return PassagePiece("link", name.words or own, target, self._set_off(chapter.text, placed))

    def _set_off(self, text: str, placed: PlacedDirective) -> Literal["after", "within"]:
        """Choose how a page is set off: within brackets by a comma, elsewhere by brackets."""
        begin = text.rfind("\n\n", 0, placed.start) + 1
        before = text[begin : placed.start]
        return "after" if before.count("(") > before.count(")") else "within"

    def _mention(
        self, chapter: ChapterText, placed: PlacedDirective, term: str, below: str
    ) -> PassagePiece | None:
        """Mark a place for the index: of one term, once a section."""
        section = chapter.text.count("\n##", 0, placed.start)
        wanted = (term, below, chapter.title, section)
        if any((m.term, m.below, m.chapter, m.section) == wanted for m in self.mentions):
            return None
        mention = IndexMention(term, below, f"i-{len(self.mentions) + 1}", chapter.title, section)
        self.mentions.append(mention)
        return PassagePiece("mark", target=mention.anchor)


def format_amount(amount: Decimal, *, signed: bool = False) -> str:
    """Show a number as cells do: a true minus sign, quarters as fractions."""
    return Modifier(amount).show() if signed else Number(amount).show()


_NO_OUTPUT = "\0"
"""Stands where braces printed nothing, until the lines are tidied."""

_NO_OUTPUT_LINE = re.compile(rf"^[ \t]*(?:{_NO_OUTPUT}[ \t]*)+(?:\n|\Z)", re.MULTILINE)


def _drop_empty_lines(text: str) -> str:
    """Take out lines that are left with nothing, so that none parts or makes a paragraph."""
    kept: list[str] = []
    spoken = _NO_OUTPUT_LINE.sub("", text).replace(_NO_OUTPUT, "")
    for block in re.split(r"\n[ \t]*\n", spoken):
        lines = [line for line in block.split("\n") if line.strip()]
        if lines:
            kept.append("\n".join(lines))
    return "\n\n".join(kept) + "\n"
