"""What stands behind a book's chapters: errata, blanks, glossary and index."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muster.documents.passages import IndexMention, chapter_anchor, table_anchor, term_anchor
from muster.systems import System
from muster.systems.errata import Erratum, Place
from muster.tables import Definitions, Table
from muster.values import DASH

if TYPE_CHECKING:
    from muster.armies.vocabulary import WrittenComposition


@dataclass(frozen=True, slots=True)
class PlaceLink:
    """A place in the book, with its address if it is in this edition."""

    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """A doubtful place of the source; the number is that of its footnotes."""

    number: int
    places: tuple[PlaceLink, ...]
    lines: str
    printed: str
    read: str
    reason: str
    treatment: str
    certainty: str


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that the source lacks, for the reader to fill in."""

    places: tuple[PlaceLink, ...]
    missing: str


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    """An entry of the glossary: what is meant in short, and the tables that say more."""

    label: str
    meaning: str
    anchor: str
    tables: tuple[PlaceLink, ...]


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """An entry of the index, with the places that it names and the entries below it."""

    term: str
    places: tuple[PlaceLink, ...]
    below: tuple[IndexEntry, ...] = ()


class PlaceNamer:
    """Names places of an edition."""

    def __init__(self, system: System, numbers: dict[str, str], there: frozenset[str]) -> None:
        """Take the numbers of tables, and the ids of the tables and chapters that are there."""
        self.system = system
        self.numbers = numbers
        self.there = there

    def table(self, table_id: str) -> PlaceLink:
        """Name a table by its number."""
        anchor = table_anchor(table_id) if table_id in self.there else ""
        return PlaceLink(f"table {self.numbers.get(table_id, '')}".strip(), anchor)

    def name_all(self, places: Sequence[Place]) -> tuple[PlaceLink, ...]:
        """Name the places of an erratum; those of one table come together."""
        named: dict[tuple[str, str], list[str]] = {}
        for place in places:
            spot = ", ".join(self._spot(place))
            named.setdefault(self._head(place), []).extend([spot] if spot else [])
        return tuple(
            PlaceLink(f"{text}: {'; '.join(dict.fromkeys(spots))}" if spots else text, anchor)
            for (text, anchor), spots in named.items()
        )

    def _head(self, place: Place) -> tuple[str, str]:
        """Name the table, chapter or part, with its address if it is there."""
        if place.chapter is not None:
            anchor = chapter_anchor(place.chapter)
            return self.system.chapter(place.chapter).title, anchor if anchor in self.there else ""
        if place.table is None:
            return ("Army list" if place.part == "composition" else "Army books"), ""
        where = self.table(place.table)
        text = f"{where.text[:1].upper()}{where.text[1:]} {self.system.table(place.table).title}"
        return text, where.anchor

    def _spot(self, place: Place) -> Iterator[str]:
        """Name the row and the column."""
        if place.table is None:
            return
        table = self.system.table(place.table)
        if place.row is not None:
            yield table.row(place.row).label
        if place.column is not None and len(table.columns) > 1:
            yield table.columns[table.column(place.column)].label


def list_doubts(
    entries: Iterable[Erratum], numbered: dict[str, int], places: PlaceNamer
) -> tuple[Doubt, ...]:
    """List all errata: first those that have footnotes, in the order of these."""
    found = list(entries)
    free = max(numbered.values(), default=0)
    numbers = dict(numbered)
    for entry in found:
        if entry.id not in numbers:
            free += 1
            numbers[entry.id] = free
    listed = (
        Doubt(
            numbers[entry.id],
            places.name_all(entry.places),
            entry.lines,
            entry.printed,
            entry.read,
            entry.reason,
            entry.treatment,
            entry.certainty,
        )
        for entry in found
    )
    return tuple(sorted(listed, key=lambda each: each.number))


def list_gaps(found: Sequence[Doubt]) -> tuple[Gap, ...]:
    """List what is to be filled in."""
    return tuple(Gap(each.places, each.read) for each in found if each.treatment == "blank")


_MAX_MEANING_CHARS = 90
"""Characters of a meaning that the glossary gives as a whole; of a longer one, a sentence."""

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z“*])")


def gather_glossary(
    tables: Sequence[Table], composition: WrittenComposition | None, places: PlaceNamer
) -> tuple[GlossaryTerm, ...]:
    """Gather the terms of tables made for it, and the types of troops with the tables on them.

    Args:
        tables: The tables of the edition, in its unit.
        composition: What an army is made of, if the system says.
        places: Names tables.
    """
    terms: list[GlossaryTerm] = []
    for table in tables:
        if not isinstance(table, Definitions) or not table.glossary:
            continue
        for row in table.rows:
            meaning = row.short or ("" if row.cells[-1] is DASH else str(row.cells[-1]))
            if meaning:
                said = (
                    meaning
                    if len(meaning) <= _MAX_MEANING_CHARS
                    else _SENTENCE_END.split(meaning, maxsplit=1)[0]
                )
                anchor = term_anchor(table.id, row.id)
                if said[-1] not in ".!?":
                    continue  # A size or a sum: a table's matter, no explanation.
                label = f"{row.label} ({row.group.lower()})" if row.group else row.label
                terms.append(GlossaryTerm(label, said, anchor, (places.table(table.id),)))
    known = {term.label.casefold() for term in terms}
    for entry in composition.entries if composition else ():
        on_it = tuple(
            places.table(table.id)
            for table in tables
            if entry.id in {row.id for row in table.rows} | {c.id for c in table.columns}
        )
        if entry.level == "unit" and on_it and entry.title.casefold() not in known:
            anchor = f"g--{entry.id}"
            terms.append(GlossaryTerm(entry.title, "A type of unit.", anchor, on_it))
    return tuple(sorted(terms, key=lambda term: (_sort_key(term.label), term.anchor)))


def sort_index(mentions: Sequence[IndexMention]) -> tuple[IndexEntry, ...]:
    """Sort the places that the index names by term, and within a term by the terms below it."""

    def entry(term: str, own: Sequence[IndexMention], below: tuple[IndexEntry, ...]) -> IndexEntry:
        return IndexEntry(term, tuple(PlaceLink(each.chapter, each.anchor) for each in own), below)

    def grouped(
        found: Sequence[IndexMention], key: Callable[[IndexMention], str]
    ) -> list[tuple[str, list[IndexMention]]]:
        groups: dict[str, list[IndexMention]] = {}
        for mention in found:
            groups.setdefault(key(mention).casefold(), []).append(mention)
        named = [(key(group[0]), group) for group in groups.values()]
        return sorted(named, key=lambda pair: _sort_key(pair[0]))

    entries = []
    for term, group in grouped(mentions, lambda mention: mention.term):
        own = [mention for mention in group if not mention.below]
        under = [mention for mention in group if mention.below]
        below = tuple(
            entry(word, places, ()) for word, places in grouped(under, lambda each: each.below)
        )
        entries.append(entry(term, own, below))
    return tuple(entries)


def _sort_key(text: str) -> str:
    """Give what a term is sorted by: its letters and digits, in small letters."""
    return re.sub(r"[^\w ]+", "", text.replace("*", "")).casefold().strip()
