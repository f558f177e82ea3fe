"""What stands around the chapters of a rulebook: open questions, errata, glossary and index."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from unicodedata import combining, normalize

from muster.documents.passages import IndexMention, chapter_anchor, table_anchor, term_anchor
from muster.documents.table_view import name_by_number
from muster.languages import in_sentence, marked, say
from muster.systems import System
from muster.systems.errata import Erratum, Place
from muster.tables import Definitions, Table
from muster.values import BLANK, DASH


@dataclass(frozen=True, slots=True)
class PlaceLink:
    """A place in the book, with its anchor if this edition has the place."""

    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """A doubtful place of the source, under the number of its footnotes."""

    id: str
    number: int
    places: tuple[PlaceLink, ...]
    lines: str
    printed: str
    read: str
    reason: str
    treatment: str
    certainty: str
    to_settle: bool = False
    """Whether players decide it: `read` then says what they agree on, and is no reading."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something that players settle before their first game, with the number of its erratum."""

    id: str
    """That of the erratum: under it a screen keeps what the players have agreed on."""
    number: int
    """The number in the list of errata; 0 if the edition prints none."""
    text: str
    tables: tuple[PlaceLink, ...]
    """The tables with boxes for the answer."""
    tick: str = ""
    """What the box to tick says that stands on paper instead of room to write."""

    @property
    def anchor(self) -> str:
        """The anchor of the question on a page for screens."""
        return f"q-{self.id}"

    @property
    def has_boxes(self) -> bool:
        """Whether the edition prints a table with boxes for the answer."""
        return any(each.anchor for each in self.tables)


@dataclass(frozen=True, slots=True)
class QuestionGroup:
    """The questions about a chapter; `number` is 0 for those about none."""

    number: int
    title: str
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    """An entry of the glossary: what a term means, and the table that explains it."""

    label: str
    meaning: str
    anchor: str
    tables: tuple[PlaceLink, ...]


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """An entry of the index, with its places and the entries below it.

    `chief` is the anchor of the place that its title says is about the term, if any, and `see` has
    other terms under which a reader finds more; without places they are all there is.
    """

    term: str
    places: tuple[PlaceLink, ...]
    below: tuple[IndexEntry, ...] = ()
    chief: str = ""
    see: tuple[str, ...] = ()

    @property
    def letter(self) -> str:
        """The capital letter that the term is sorted under, without its accent; else nothing."""
        plain = normalize("NFD", _sort_key(self.term))[:1]
        return plain.upper() if plain.isalpha() else ""


class PlaceNamer:
    """Names places in an edition of a rulebook."""

    def __init__(
        self,
        system: System,
        numbers: dict[str, str],
        present: frozenset[str],
        drawings: frozenset[str],
    ) -> None:
        """Create a namer for an edition.

        Args:
            system: The rule system.
            numbers: The number of each table by its id.
            present: The ids of the tables and the anchors of the chapters in the edition.
            drawings: The ids of the tables that are drawings.
        """
        self.system = system
        self.numbers = numbers
        self.present = present
        self.drawings = drawings

    def table(self, table_id: str) -> PlaceLink:
        """Return a table's number, with its anchor."""
        anchor = table_anchor(table_id) if table_id in self.present else ""
        number = self.numbers.get(table_id, "")
        name = name_by_number(number, is_drawing=table_id in self.drawings)
        return PlaceLink(name, anchor)

    def prints(self, place: Place) -> bool:
        """Return whether a book has a place: only tables and chapters can be left out."""
        if place.table:
            return place.table in self.present or place.table not in self.numbers
        return not place.chapter or chapter_anchor(place.chapter) in self.present

    def name_all(self, places: Sequence[Place]) -> tuple[PlaceLink, ...]:
        """Return the names of an erratum's places, one for all places in the same table."""
        cells_by_part: dict[tuple[str, str], list[str]] = {}
        for place in places:
            cell = ", ".join(self._row_and_column(place))
            cells_by_part.setdefault(self._part(place), []).extend([cell] if cell else [])
        return tuple(
            PlaceLink(_with_cells(text, cells) if cells else text, anchor)
            for (text, anchor), cells in cells_by_part.items()
        )

    def _part(self, place: Place) -> tuple[str, str]:
        """Return the name of a place's table, chapter or other part, and its anchor if any."""
        if place.chapter is not None:
            title = self.system.chapter(place.chapter).title
            anchor = chapter_anchor(place.chapter)
            return title, anchor if anchor in self.present else ""
        if place.table is None:
            return say("Army list") if place.part == "composition" else say("Army books"), ""
        link = self.table(place.table)
        text = f"{link.text[:1].upper()}{link.text[1:]} {self.system.table(place.table).title}"
        return text, link.anchor

    def _row_and_column(self, place: Place) -> Iterator[str]:
        """Yield the labels of a place's row and column, if it names them."""
        if place.table is None:
            return
        table = self.system.table(place.table)
        if place.row is not None:
            yield table.row(place.row).label
        if place.column is not None and len(table.columns) > 1:
            yield table.columns[table.column(place.column)].label


_CERTAINTIES = {
    "certain": marked("certain"),
    "likely": marked("likely"),
    "open": marked("open"),
}


def _with_cells(text: str, cells: Sequence[str]) -> str:
    """Return a place with the cells that are meant there."""
    return say("{title}: {subtitle}", title=text, subtitle="; ".join(dict.fromkeys(cells)))


def list_doubts(
    entries: Iterable[Erratum], numbered: dict[str, int], places: PlaceNamer
) -> tuple[Doubt, ...]:
    """List all errata: first those with footnotes, in their order, then the others.

    Args:
        entries: The errata.
        numbered: The number of each erratum with a footnote, by its id.
        places: Names the places of the errata.
    """
    entries = list(entries)
    last = max(numbered.values(), default=0)
    unnumbered = dict.fromkeys(entry.id for entry in entries if entry.id not in numbered)
    numbers = numbered | {id_: n for n, id_ in enumerate(unnumbered, last + 1)}
    doubts = (
        Doubt(
            entry.id,
            numbers[entry.id],
            places.name_all(entry.places),
            entry.lines,
            entry.printed,
            entry.read,
            entry.reason,
            entry.treatment,
            say(_CERTAINTIES[entry.certainty]),
            to_settle=entry.left_to_players,
        )
        for entry in entries
    )
    return tuple(sorted(doubts, key=lambda doubt: doubt.number))


def list_questions(
    system: System, doubts: Sequence[Doubt], places: PlaceNamer
) -> tuple[QuestionGroup, ...]:
    """List the questions about what a book prints, by the chapter of their first place in it.

    Args:
        system: The rule system.
        doubts: The errata that the book lists; a question about another has the number 0.
        places: Names their tables, and knows what the book prints.
    """
    numbers = {doubt.id: doubt.number for doubt in doubts}
    chapters = {chapter.id: (n, chapter.title) for n, chapter in enumerate(system.chapters, 1)}
    groups: dict[tuple[int, str], list[Question]] = {}
    for entry in sorted(system.errata.entries, key=lambda entry: numbers.get(entry.id, 0)):
        printed = [place for place in entry.places if places.prints(place)]
        if not entry.question or not printed:
            continue
        place = printed[0]
        chapter = place.chapter or (place.table and system.table(place.table).chapter) or ""
        tables = [each.table for each in printed if each.table and _has_blank(system, each)]
        question = Question(
            entry.id,
            numbers.get(entry.id, 0),
            entry.question,
            tuple(places.table(table) for table in dict.fromkeys(tables)),
            entry.tick,
        )
        groups.setdefault(chapters.get(chapter, (0, say("Army lists"))), []).append(question)
    return tuple(
        QuestionGroup(number, title, tuple(questions))
        for (number, title), questions in sorted(groups.items())
    )


def _has_blank(system: System, place: Place) -> bool:
    """Return whether a place in a table has a cell to fill in."""
    table = system.table(place.table or "")
    return any(
        cell is BLANK
        for row in table.rows
        for column, cell in zip(table.columns, row.cells, strict=True)
        if place.row in {None, row.id} and place.column in {None, column.id}
    )


def gather_glossary(tables: Sequence[Table], places: PlaceNamer) -> tuple[GlossaryTerm, ...]:
    """Gather the terms of glossary tables.

    Args:
        tables: The tables of the edition, in its unit of length.
        places: Names the tables.
    """
    terms: list[GlossaryTerm] = []
    for table in tables:
        if not isinstance(table, Definitions) or not table.glossary:
            continue
        for row in table.rows:
            meaning = row.short or ("" if row.cells[-1] is DASH else str(row.cells[-1]))
            if not meaning.endswith((".", "!", "?")):
                continue  # A size or a sum, which the table shows, is not an explanation.
            label = f"{row.label} ({in_sentence(row.group)})" if row.group else row.label
            anchor = term_anchor(table.id, row.id)
            shown = (places.table(table.id),) if table.id in places.present else ()
            terms.append(GlossaryTerm(label, meaning, anchor, shown))
    return tuple(sorted(terms, key=lambda term: (_sort_key(term.label), term.anchor)))


def sort_index(
    mentions: Sequence[IndexMention], synonyms: Iterable[Sequence[str]] = ()
) -> tuple[IndexEntry, ...]:
    """Return the entries of the index, sorted, each with its entries below it, sorted too.

    Args:
        mentions: What the index names.
        synonyms: Groups of words of one meaning: those that the index lacks lead to those it has.
    """
    entries = []
    for term, group in _group_by_term(mentions, lambda mention: mention.term):
        own = [mention for mention in group if not mention.below]
        inner = [mention for mention in group if mention.below]
        below = tuple(
            IndexEntry(word, _links_to(places), chief=_chief_of(places))
            for word, places in _group_by_term(inner, lambda mention: mention.below)
        )
        if not own and len(below) == 1:
            entries.append(replace(below[0], term=f"{term}, {below[0].term}"))
        else:
            entries.append(IndexEntry(term, _links_to(own), below, _chief_of(own)))
    for words in synonyms:
        entries = _refer(entries, words)
    return tuple(sorted(entries, key=lambda entry: _sort_key(entry.term)))


_LONGEST_REFERENCE = 2
"""The most words of an entry that only refers to others: nobody looks up a question there."""


def _refer(entries: Sequence[IndexEntry], group: Sequence[str]) -> list[IndexEntry]:
    """Return entries that refer to each other, and from the other words of a group to them."""
    known = {
        each.term
        for each in entries
        if (each.places or each.below) and any(_are_alike(each.term, word) for word in group)
    }
    if not known:
        return list(entries)
    referring = [
        replace(each, see=(*each.see, *(term for term in sorted(known) if term != each.term)))
        if each.term in known
        else each
        for each in entries
    ]
    words: list[str] = []
    for word in group:
        is_short = len(word.split()) <= _LONGEST_REFERENCE
        first = _sort_key(word).partition(" ")[0]
        begun = (_sort_key(other).partition(" ")[0] for other in (*known, *words))
        if is_short and not any(_are_forms(first, other) for other in begun):
            words.append(word)
    see = tuple(sorted(known, key=_sort_key))
    return [*referring, *(IndexEntry(word, (), see=see) for word in words)]


_LONGEST_ENDING = 4
"""The most letters that a form of a word has more than another."""


def _are_alike(one: str, other: str) -> bool:
    """Return whether two terms are forms of the same words, so that they stand side by side."""
    words, others = _sort_key(one).split(), _sort_key(other).split()
    return len(words) == len(others) and all(map(_are_forms, words, others))


def _are_forms(one: str, other: str) -> bool:
    """Return whether two words are forms of one, such as fire and firing."""
    # British and American spelling differ in s and z.
    short, long = sorted((one.replace("z", "s"), other.replace("z", "s")), key=len)
    beginning = re.sub("[ey]$", "", short)
    return long.startswith(beginning) and len(long) - len(short) <= _LONGEST_ENDING


def _chief_of(mentions: Sequence[IndexMention]) -> str:
    """Return the anchor of the chief of some places; nothing if chapters vie for it."""
    chiefs = [mention for mention in mentions if mention.chief]
    chapters = {mention.chapter for mention in chiefs}
    return chiefs[0].anchor if len(chapters) == 1 else ""


def _group_by_term(
    mentions: Sequence[IndexMention], term: Callable[[IndexMention], str]
) -> list[tuple[str, list[IndexMention]]]:
    """Group mentions by a term, whatever its case, and sort the groups by it."""
    groups: dict[str, list[IndexMention]] = {}
    for mention in mentions:
        groups.setdefault(term(mention).casefold(), []).append(mention)
    named = [(term(group[0]), group) for group in groups.values()]
    return sorted(named, key=lambda pair: _sort_key(pair[0]))


def _links_to(mentions: Sequence[IndexMention]) -> tuple[PlaceLink, ...]:
    return tuple(PlaceLink(mention.chapter, mention.anchor) for mention in mentions)


def _sort_key(text: str) -> str:
    """Return the letters, digits and spaces of a term in lower case, by which it is sorted.

    Letters have lost their accents, so that Übung stands before Umweg.
    """
    plain = "".join(c for c in normalize("NFKD", text) if not combining(c))
    return re.sub(r"[^\w ]+", "", plain.replace("*", "")).casefold().strip()
