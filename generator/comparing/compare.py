"""Owns the comparison of two editions as a whole: which parts are compared, in which order.

Does not know where editions come from, and does not look at armies; `effects` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from generator.comparing.change import Change, Part
from generator.comparing.matching import Item, Matched, match
from generator.comparing.paragraphs import compare_texts, take_moves
from generator.comparing.renaming import Renames
from generator.comparing.tables import compare_table, match_tables, note_renames
from generator.comparing.tree import (
    Spot,
    compare_mappings,
    compare_parts,
    compare_values,
    item_of,
    title_of,
)

Data = Mapping[str, Any]

SYSTEM = "The system"
CHAPTERS = "Chapters"
ERRATA = "Doubtful places"
LISTS = "Army lists"
CONSTRAINTS = "Constraints"
COSTS = "Costs"

_COMPOSITION: tuple[tuple[str, str, str, Part], ...] = (
    ("levels", "levels", LISTS, "level"),
    ("entries", "entries", LISTS, "unit-type"),
    ("options", "options", LISTS, "option"),
    ("constraints", "constraints", CONSTRAINTS, "constraint"),
)
"""Key, sort for renames, heading and part of each list of a composition."""

_OPTIONAL = ("identity", "details", "prose", "errata", "composition", "books")
"""What an edition that was saved by an older Muster may lack."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All changes from one edition to another. `missing` names what one of them does not tell."""

    changes: tuple[Change, ...]
    missing: tuple[str, ...]
    renames: Renames


def compare(old: Data, new: Data) -> Comparison:
    """Compare two editions, each as `edition_data` gives it. The same one twice has no changes."""
    found = _Comparer(old, new)
    changes = take_moves(list(found.changes()))
    return Comparison(tuple(found.priced(changes)), found.missing, found.renames)


class _Comparer:
    def __init__(self, old: Data, new: Data) -> None:
        self.old, self.new = old, new
        self.renames = Renames()
        self.missing = tuple(key for key in _OPTIONAL if key not in old or key not in new)
        self.tables = match_tables(old["tables"], new["tables"])
        self.chapters = self._match_chapters()
        self._note()

    def _match_chapters(self) -> Matched:
        return match(*(_chapter_items(each) for each in (self.old, self.new)))

    def _note(self) -> None:
        """Find all ids that changed, before anything that refers to them is compared."""
        self.renames.tables.update(each["id"] for each in self.old["tables"])
        before, after = _chapters(self.old), _chapters(self.new)
        for was, now in self.chapters.pairs:
            self.renames.note("chapters", before[was]["id"], after[now]["id"])
        for was, now in self.tables.pairs:
            one, other = self.old["tables"][was], self.new["tables"][now]
            self.renames.note("tables", one["id"], other["id"])
            note_renames(one, other, self.renames)
        lists = self._both("composition")
        if lists is None:
            return
        for key, sort, _, _ in _COMPOSITION:
            one, other = lists[0].get(key, []), lists[1].get(key, [])
            found = match([item_of(each) for each in one], [item_of(each) for each in other])
            for was, now in found.pairs:
                self.renames.note(sort, one[was]["id"], other[now]["id"])

    def _both(self, key: str) -> tuple[Any, Any] | None:
        """Give a part of both editions, if both tell of it and have it."""
        one, other = self.old.get(key), self.new.get(key)
        return None if one is None or other is None else (one, other)

    def changes(self) -> Iterator[Change]:
        """Give all changes in the order of a book: identity, tables, prose, errata, lists."""
        yield from self._identity()
        yield from self._chapters()
        yield from self._tables()
        yield from self._prose()
        if (errata := self._both("errata")) is not None:
            spot = Spot(ERRATA, "erratum", ("errata",))
            told = self.renames.told(errata[0])
            yield from compare_parts(spot, told, errata[1], ordered=False)
        yield from self._composition()
        yield from self._books()

    def _identity(self) -> Iterator[Change]:
        spot = Spot(SYSTEM, "identity", ("system",))
        for key in ("id", "title", "edition", "source"):
            word = "credit" if key == "source" else key
            old, new = self.old["system"][key], self.new["system"][key]
            yield from compare_values(spot.below(key, word), old, new)
        if (said := self._both("identity")) is None:
            return
        old, new = (dict(each) for each in said)
        for key, part in _LISTED:
            there = Spot(SYSTEM, part, (key,), (part,))
            yield from compare_parts(there, old.pop(key, []), new.pop(key, []))
        old.pop("chapters", None)
        new.pop("chapters", None)
        yield from compare_mappings(spot, old, new)

    def _chapters(self) -> Iterator[Change]:
        said = self._both("identity")
        if said is not None:
            spot = Spot(CHAPTERS, "chapter", ("chapters",))
            yield from compare_parts(
                spot, _chapters(self.old), _chapters(self.new), found=self.chapters
            )

    def _tables(self) -> Iterator[Change]:
        old, new = self.old["tables"], self.new["tables"]
        details = self._both("details")
        for was, now in self.tables.pairs:
            one, other = old[was], new[now]
            both = None
            if details is not None:
                both = details[0].get(one["id"], {}), details[1].get(other["id"], {})
            yield from compare_table(one, other, both, self.renames)
        for was in self.tables.removed:
            yield _whole_table(old[was]).change("removed", old=_extent(old[was]))
        for now in self.tables.added:
            yield _whole_table(new[now]).change("added", new=_extent(new[now]))

    def _prose(self) -> Iterator[Change]:
        said = self._both("prose")
        if said is None:
            return
        old = {self.renames.of("chapters", each["id"]): each for each in said[0]}
        new = {each["id"]: each for each in said[1]}
        for key in dict.fromkeys([*new, *old]):
            one, other = old.get(key), new.get(key)
            spot = Spot(f"Chapter: {(other or one or {})['title']}", "paragraph", ("prose", key))
            if one is not None and other is not None:
                told = [self.renames.told_prose(text) for text in one["paragraphs"]]
                yield from compare_texts(spot, told, other["paragraphs"])
            elif self._stays(key):
                there = replace(spot, place=("its prose",))
                yield there.change(
                    "added" if one is None else "removed",
                    "" if one is None else _length(one),
                    "" if other is None else _length(other),
                )

    def _stays(self, chapter: str) -> bool:
        """Tell whether both editions have a chapter; one that comes or goes is told as a whole."""
        before = {self.renames.of("chapters", each["id"]) for each in _chapters(self.old)}
        return chapter in before and chapter in {each["id"] for each in _chapters(self.new)}

    def _composition(self) -> Iterator[Change]:
        if "composition" in self.missing:
            return
        one, other = self.old["composition"], self.new["composition"]
        if one is None or other is None:
            if one is not other:
                spot = Spot(LISTS, "composition", ("composition",))
                yield spot.change("added" if one is None else "removed")
            return
        old, new = self.renames.told(one), dict(other)
        for key, _, heading, part in _COMPOSITION:
            spot = Spot(heading, part, (key,))
            ordered = key != "constraints"
            listed = compare_parts(spot, old.pop(key, []), new.pop(key, []), ordered=ordered)
            for change in listed:
                cost = change.part == "cost"
                yield replace(change, heading=COSTS) if cost else change
        for change in compare_mappings(Spot(LISTS, "composition", ("composition",)), old, new):
            yield replace(change, heading=COSTS) if change.part == "cost" else change

    def _books(self) -> Iterator[Change]:
        said = self._both("books")
        if said is None:
            return
        old = [self.renames.told(each) for each in said[0]]
        new = list(said[1])
        found = match([item_of(each) for each in old], [item_of(each) for each in new])
        for was, now in found.pairs:
            one, other = dict(old[was]), dict(new[now])
            spot = Spot(f"Army book: {other['title']}", "book", ("books", other["id"]))
            if one["id"] != other["id"]:
                yield spot.change("renamed", one["id"], other["id"])
            there = replace(spot, part="unit", at=(*spot.at, "units"))
            yield from compare_parts(there, one.pop("units", []), other.pop("units", []))
            yield from compare_mappings(spot, one, other)
        for places, books, kind in (
            (found.removed, old, "removed"),
            (found.added, new, "added"),
        ):
            for place in places:
                book = books[place]
                spot = Spot(f"Army book: {book['title']}", "book", ("books", book["id"]))
                units = f"{len(book.get('units', []))} units"
                yield (
                    spot.change("removed", units)
                    if kind == "removed"
                    else spot.change("added", new=units)
                )

    def priced(self, changes: Sequence[Change]) -> Iterator[Change]:
        """Say of each cell that changed what it is the price of."""
        rests = dict(_prices(self.new.get("composition") or {}))
        for change in changes:
            if change.part != "cell":
                yield change
                continue
            table, row, column = change.at
            owners = [
                title
                for title, terms in rests.items()
                if any(_means(term, table, row, column) for term in terms)
            ]
            yield replace(change, prices=tuple(owners))


_LISTED: tuple[tuple[str, Part], ...] = (("scales", "scale"), ("phases", "phase"))


def _chapters(edition: Data) -> list[Data]:
    """Give the chapters that an edition names; an old export names only those of its tables."""
    return list((edition.get("identity") or {}).get("chapters", []))


def _chapter_items(edition: Data) -> list[Item]:
    prose = {each["id"]: tuple(each["paragraphs"]) for each in edition.get("prose") or []}
    return [
        Item(each["id"], str(each.get("title", "")), prose.get(each["id"], ()))
        for each in _chapters(edition)
    ]


def _whole_table(table: Data) -> Spot:
    return Spot(table["title"], "table", (table["id"],))


def _extent(table: Data) -> str:
    return f"{len(table['rows'])} rows, {len(table['columns'])} columns"


def _length(chapter: Data) -> str:
    return f"{len(chapter['paragraphs'])} paragraphs"


def _prices(composition: Data) -> Iterator[tuple[str, list[Data]]]:
    for key in ("entries", "options"):
        for each in composition.get(key, []):
            terms = [term.get("each") for term in each.get("price", [])]
            tables = [term for term in terms if isinstance(term, Mapping) and "table" in term]
            yield title_of(each), tables


def _means(term: Data, table: str, row: str, column: str) -> bool:
    """Tell whether a term of a price may take a cell: what a unit's field names may be any."""
    if term["table"] != table:
        return False
    named = [(term.get("row"), row), (term.get("column"), column)]
    return all(not isinstance(said, str) or said == is_ for said, is_ in named)
