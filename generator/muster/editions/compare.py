"""Compare two editions as a whole, part by part, tables cell by cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from muster.editions.change import Change, PartKind, fill_change
from muster.editions.matching import Matching, MatchItem, Renames, is_band, match_items
from muster.editions.parts import (
    DiffContext,
    compare_mappings,
    compare_parts,
    compare_texts,
    compare_values,
    match_item,
    merge_moves,
    moved_change,
    part_title,
)

EditionData = Mapping[str, Any]

SYSTEM = "The system"
CHAPTERS = "Chapters"
ERRATA = "Doubtful places"
ARMY_LISTS = "Army lists"
CONSTRAINTS = "Constraints"
COSTS = "Costs"

_COMPOSITION_LISTS: tuple[tuple[str, str, str, PartKind], ...] = (
    ("levels", "levels", ARMY_LISTS, "level"),
    ("entries", "entries", ARMY_LISTS, "unit-type"),
    ("options", "options", ARMY_LISTS, "option"),
    ("constraints", "constraints", CONSTRAINTS, "constraint"),
)
"""Key, sort for renames, heading and part of each list of a composition."""

_OPTIONAL_KEYS = ("identity", "details", "prose", "errata", "composition", "books")
"""What an edition that was saved by an older Muster may lack."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All changes from one edition to another. `missing` names what one of them does not tell."""

    changes: tuple[Change, ...]
    missing: tuple[str, ...]
    renames: Renames


def compare_editions(old: EditionData, new: EditionData) -> Comparison:
    """Compare two editions, each as `edition_data` gives it. The same one twice has no changes."""
    found = _Comparer(old, new)
    changes = merge_moves(list(found.changes()))
    return Comparison(tuple(found.with_prices(changes)), found.missing, found.renames)


class _Comparer:
    def __init__(self, old: EditionData, new: EditionData) -> None:
        self.old, self.new = old, new
        self.renames = Renames()
        self.missing = tuple(key for key in _OPTIONAL_KEYS if key not in old or key not in new)
        self.tables = match_tables(old["tables"], new["tables"])
        self.chapters = self._match_chapters()
        self._note()

    def _match_chapters(self) -> Matching:
        return match_items(*(_chapter_items(each) for each in (self.old, self.new)))

    def _note(self) -> None:
        """Find all ids that changed, before anything that refers to them is compared."""
        self.renames.tables.update(each["id"] for each in self.old["tables"])
        before, after = _chapters_of(self.old), _chapters_of(self.new)
        for was, now in self.chapters.pairs:
            self.renames.record("chapters", before[was]["id"], after[now]["id"])
        for was, now in self.tables.pairs:
            one, other = self.old["tables"][was], self.new["tables"][now]
            self.renames.record("tables", one["id"], other["id"])
            record_renames(one, other, self.renames)
        lists = self._in_both("composition")
        if lists is None:
            return
        for key, sort, _, _ in _COMPOSITION_LISTS:
            one, other = lists[0].get(key, []), lists[1].get(key, [])
            found = match_items(
                [match_item(each) for each in one], [match_item(each) for each in other]
            )
            for was, now in found.pairs:
                self.renames.record(sort, one[was]["id"], other[now]["id"])

    def _in_both(self, key: str) -> tuple[Any, Any] | None:
        """Give a part of both editions, if both tell of it and have it."""
        one, other = self.old.get(key), self.new.get(key)
        return None if one is None or other is None else (one, other)

    def changes(self) -> Iterator[Change]:
        """Give all changes in the order of a book: identity, tables, prose, errata, lists."""
        yield from self._identity()
        yield from self._chapters()
        yield from self._tables()
        yield from self._prose()
        if (errata := self._in_both("errata")) is not None:
            spot = DiffContext(ERRATA, "erratum", ("errata",))
            told = self.renames.translate(errata[0])
            yield from compare_parts(spot, told, errata[1], ordered=False)
        yield from self._composition()
        yield from self._books()

    def _identity(self) -> Iterator[Change]:
        spot = DiffContext(SYSTEM, "identity", ("system",))
        for key in ("id", "title", "edition", "source"):
            word = "credit" if key == "source" else key
            old, new = self.old["system"][key], self.new["system"][key]
            yield from compare_values(spot.below(key, word), old, new)
        if (said := self._in_both("identity")) is None:
            return
        old, new = (dict(each) for each in said)
        for key, part in _IDENTITY_LISTS:
            there = DiffContext(SYSTEM, part, (key,), (part,))
            yield from compare_parts(there, old.pop(key, []), new.pop(key, []))
        old.pop("chapters", None)
        new.pop("chapters", None)
        yield from compare_mappings(spot, old, new)

    def _chapters(self) -> Iterator[Change]:
        said = self._in_both("identity")
        if said is not None:
            spot = DiffContext(CHAPTERS, "chapter", ("chapters",))
            yield from compare_parts(
                spot, _chapters_of(self.old), _chapters_of(self.new), found=self.chapters
            )

    def _tables(self) -> Iterator[Change]:
        old, new = self.old["tables"], self.new["tables"]
        details = self._in_both("details")
        for was, now in self.tables.pairs:
            one, other = old[was], new[now]
            both = None
            if details is not None:
                both = details[0].get(one["id"], {}), details[1].get(other["id"], {})
            yield from compare_table(one, other, both, self.renames)
        for was in self.tables.removed:
            yield _table_context(old[was]).change("removed", old=_table_size(old[was]))
        for now in self.tables.added:
            yield _table_context(new[now]).change("added", new=_table_size(new[now]))

    def _prose(self) -> Iterator[Change]:
        said = self._in_both("prose")
        if said is None:
            return
        old = {self.renames.new_id("chapters", each["id"]): each for each in said[0]}
        new = {each["id"]: each for each in said[1]}
        for key in dict.fromkeys([*new, *old]):
            one, other = old.get(key), new.get(key)
            spot = DiffContext(
                f"Chapter: {(other or one or {})['title']}", "paragraph", ("prose", key)
            )
            if one is not None and other is not None:
                told = [self.renames.translate_prose(text) for text in one["paragraphs"]]
                yield from compare_texts(spot, told, other["paragraphs"])
            elif self._chapter_in_both(key):
                there = replace(spot, place=("its prose",))
                yield there.change(
                    "added" if one is None else "removed",
                    "" if one is None else _prose_size(one),
                    "" if other is None else _prose_size(other),
                )

    def _chapter_in_both(self, chapter: str) -> bool:
        """Tell whether both editions have a chapter; one that comes or goes is told as a whole."""
        before = {self.renames.new_id("chapters", each["id"]) for each in _chapters_of(self.old)}
        return chapter in before and chapter in {each["id"] for each in _chapters_of(self.new)}

    def _composition(self) -> Iterator[Change]:
        if "composition" in self.missing:
            return
        one, other = self.old["composition"], self.new["composition"]
        if one is None or other is None:
            if one is not other:
                spot = DiffContext(ARMY_LISTS, "composition", ("composition",))
                yield spot.change("added" if one is None else "removed")
            return
        old, new = self.renames.translate(one), dict(other)
        for key, _, heading, part in _COMPOSITION_LISTS:
            spot = DiffContext(heading, part, (key,))
            ordered = key != "constraints"
            listed = compare_parts(spot, old.pop(key, []), new.pop(key, []), ordered=ordered)
            for change in listed:
                cost = change.part == "cost"
                yield replace(change, heading=COSTS) if cost else change
        for change in compare_mappings(
            DiffContext(ARMY_LISTS, "composition", ("composition",)), old, new
        ):
            yield replace(change, heading=COSTS) if change.part == "cost" else change

    def _books(self) -> Iterator[Change]:
        said = self._in_both("books")
        if said is None:
            return
        old = [self.renames.translate(each) for each in said[0]]
        new = list(said[1])
        found = match_items([match_item(each) for each in old], [match_item(each) for each in new])
        for was, now in found.pairs:
            one, other = dict(old[was]), dict(new[now])
            spot = DiffContext(f"Army book: {other['title']}", "book", ("books", other["id"]))
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
                spot = DiffContext(f"Army book: {book['title']}", "book", ("books", book["id"]))
                units = f"{len(book.get('units', []))} units"
                yield (
                    spot.change("removed", units)
                    if kind == "removed"
                    else spot.change("added", new=units)
                )

    def with_prices(self, changes: Sequence[Change]) -> Iterator[Change]:
        """Say of each cell that changed what it is the price of."""
        rests = dict(_table_terms(self.new.get("composition") or {}))
        for change in changes:
            if change.part != "cell":
                yield change
                continue
            table, row, column = change.at
            owners = [
                title
                for title, terms in rests.items()
                if any(_may_use_cell(term, table, row, column) for term in terms)
            ]
            yield replace(change, prices=tuple(owners))


_IDENTITY_LISTS: tuple[tuple[str, PartKind], ...] = (("scales", "scale"), ("phases", "phase"))


def _chapters_of(edition: EditionData) -> list[EditionData]:
    """Give the chapters that an edition names; an old export names only those of its tables."""
    return list((edition.get("identity") or {}).get("chapters", []))


def _chapter_items(edition: EditionData) -> list[MatchItem]:
    prose = {each["id"]: tuple(each["paragraphs"]) for each in edition.get("prose") or []}
    return [
        MatchItem(each["id"], str(each.get("title", "")), prose.get(each["id"], ()))
        for each in _chapters_of(edition)
    ]


def _table_context(table: EditionData) -> DiffContext:
    return DiffContext(table["title"], "table", (table["id"],))


def _table_size(table: EditionData) -> str:
    return f"{len(table['rows'])} rows, {len(table['columns'])} columns"


def _prose_size(chapter: EditionData) -> str:
    return f"{len(chapter['paragraphs'])} paragraphs"


def _table_terms(composition: EditionData) -> Iterator[tuple[str, list[EditionData]]]:
    for key in ("entries", "options"):
        for each in composition.get(key, []):
            terms = [term.get("each") for term in each.get("price", [])]
            tables = [term for term in terms if isinstance(term, Mapping) and "table" in term]
            yield part_title(each), tables


def _may_use_cell(term: EditionData, table: str, row: str, column: str) -> bool:
    """Tell whether a term of a price may take a cell: what a unit's field names may be any."""
    if term["table"] != table:
        return False
    named = [(term.get("row"), row), (term.get("column"), column)]
    return all(not isinstance(said, str) or said == is_ for said, is_ in named)


TableData = Mapping[str, Any]


def match_tables(old: Sequence[TableData], new: Sequence[TableData]) -> Matching:
    """Pair the tables of two editions."""
    return match_items([_table_item(each) for each in old], [_table_item(each) for each in new])


def _table_item(table: TableData) -> MatchItem:
    texts = [f"{row['label']}={cell['value']}" for row in table["rows"] for cell in row["cells"]]
    labels = [str(column["label"]) for column in table["columns"]]
    return MatchItem(table["id"], table["title"], (*labels, *texts))


def match_columns(old: TableData, new: TableData) -> Matching:
    """Pair the columns of a table."""
    return match_items(_column_items(old), _column_items(new))


def _column_items(table: TableData) -> list[MatchItem]:
    return [
        MatchItem(
            column["id"], column["label"], tuple(str(_cell_value(row, n)) for row in table["rows"])
        )
        for n, column in enumerate(table["columns"])
    ]


def match_rows(old: TableData, new: TableData) -> Matching:
    """Pair the rows of a table."""
    return match_items(_row_items(old), _row_items(new))


def _row_items(table: TableData) -> list[MatchItem]:
    return [
        MatchItem(row["id"], row["label"], tuple(str(cell["value"]) for cell in row["cells"]))
        for row in table["rows"]
    ]


def _cell_value(row: TableData, place: int) -> Any:
    cells = row["cells"]
    return cells[place]["value"] if place < len(cells) else None


def record_renames(old: TableData, new: TableData, renames: Renames) -> None:
    """Keep which rows and columns of a table have other ids now."""
    for sort, found in (("rows", match_rows(old, new)), ("columns", match_columns(old, new))):
        for was, now in found.pairs:
            renames.record(f"{sort} of {old['id']}", old[sort][was]["id"], new[sort][now]["id"])


def compare_table(
    old: TableData, new: TableData, details: tuple[TableData, TableData] | None, renames: Renames
) -> Iterator[Change]:
    """Compare two tables that are the same table, whatever their ids.

    Args:
        old: The old table.
        new: The new table.
        details: What each says beside rows and columns, if both editions tell.
        renames: Ids that changed.
    """
    spot = DiffContext(new["title"], "table", (new["id"],))
    if old["id"] != new["id"]:
        yield spot.change("renamed", old["id"], new["id"])
    for key in ("title", "kind", "section"):
        was = renames.new_id("chapters", old[key]) if key == "section" else old[key]
        yield from compare_values(spot.below(key), was, new[key])
    columns, rows = match_columns(old, new), match_rows(old, new)
    old, new = (
        _with_axis_titles(*each) for each in zip((old, new), details or ({}, {}), strict=True)
    )
    yield from _compare_axis(replace(spot, part="column"), "columns", old, new, columns)
    yield from _compare_axis(replace(spot, part="row"), "rows", old, new, rows)
    yield from _compare_groups(replace(spot, part="row"), old, new, rows)
    for was, now in rows.pairs:
        yield from _compare_cells(spot, old, new, (was, now), columns)
    notes = replace(spot, part="note").below("notes", "note")
    yield from compare_texts(notes, old["notes"], new["notes"])
    if details is not None:
        yield from _compare_details(spot, (old, new), details, renames)


def _with_axis_titles(table: TableData, details: TableData) -> TableData:
    """Put the title of an axis before its bands: `9` alone says nothing."""
    named = dict(table)
    for key, axis in (("rows", "down"), ("columns", "across")):
        said = details.get(axis)
        if isinstance(said, Mapping) and said.get("title"):
            title = said["title"]
            named[key] = [{**each, "called": f"{title} {each['label']}"} for each in table[key]]
    return named


def _axis_label(part: TableData) -> str:
    """Give what a row or column is called in words."""
    return str(part.get("called", part["label"])) if is_band(part["label"]) else str(part["label"])


def _compare_axis(
    spot: DiffContext, key: str, old: TableData, new: TableData, found: Matching
) -> Iterator[Change]:
    """Compare what the rows or columns are called, which are there, and their order."""
    for was, now in found.pairs:
        before, after = old[key][was], new[key][now]
        there = spot.below(after["id"], _axis_label(after))
        if is_band(before["label"]) and is_band(after["label"]):
            yield from compare_values(there.below("band"), before["label"], after["label"])
            continue
        if before["id"] != after["id"]:
            yield there.change("renamed", before["id"], after["id"])
        yield from compare_values(there.below("label"), before["label"], after["label"])
    for was in found.removed:
        gone = old[key][was]
        yield spot.below(gone["id"], _axis_label(gone)).change(
            "removed", old=_cell_texts(key, old, was)
        )
    for now in found.added:
        fresh = new[key][now]
        yield spot.below(fresh["id"], _axis_label(fresh)).change(
            "added", new=_cell_texts(key, new, now)
        )
    labels = [_axis_label(each) for each in new[key]]
    for now in found.moved():
        yield moved_change(spot.below(new[key][now]["id"], labels[now]), labels, now)


def _cell_texts(key: str, table: TableData, place: int) -> str:
    """Give the cells of a whole row or column."""
    if key == "rows":
        return " · ".join(_cell_text(cell) for cell in table["rows"][place]["cells"])
    return " · ".join(
        _cell_text(row["cells"][place]) for row in table["rows"] if _has_cell(row, place)
    )


def _has_cell(row: TableData, place: int) -> bool:
    return place < len(row["cells"])


def _cell_text(cell: TableData) -> str:
    return "blank" if cell["value"] is None else str(cell["text"])


def _compare_groups(
    spot: DiffContext, old: TableData, new: TableData, found: Matching
) -> Iterator[Change]:
    """Compare the groups of rows; a group that has another name is one change.

    A step within a step has the outer one's label for its group: that the outer one is called
    otherwise now is told there.
    """
    labels = {old["rows"][was]["label"]: new["rows"][now]["label"] for was, now in found.pairs}
    first: dict[tuple[str, str], int] = {}
    for was, now in found.pairs:
        before, after = old["rows"][was]["group"], new["rows"][now]["group"]
        if after not in (before, labels.get(before)):
            first.setdefault((before, after), now)
    for (before, after), place in first.items():
        row = new["rows"][place]
        there = spot.below(row["id"], row["label"]).below("group")
        yield fill_change(there.change("changed"), before or "none", after or "none")


def _compare_cells(
    spot: DiffContext, old: TableData, new: TableData, row: tuple[int, int], columns: Matching
) -> Iterator[Change]:
    before, after = old["rows"][row[0]], new["rows"][row[1]]
    for was, now in columns.pairs:
        one, other = _cell_value(before, was), _cell_value(after, now)
        if one == other:
            continue
        column = new["columns"][now]
        there = replace(spot.below(after["id"], _axis_label(after)), part="cell")
        there = there.below(column["id"], _axis_label(column))
        change = fill_change(there.change("changed"), one, other)
        texts = [_cell_text(each["cells"][n]) for each, n in ((before, was), (after, now))]
        yield replace(change, old=texts[0], new=texts[1])


def _compare_details(
    spot: DiffContext,
    tables: tuple[TableData, TableData],
    details: tuple[TableData, TableData],
    renames: Renames,
) -> Iterator[Change]:
    old, new = tables
    before, after = (dict(each) for each in details)
    for key in ("rows", "columns"):
        one, other = before.pop(key, {}), after.pop(key, {})
        told = {
            renames.new_id(f"{key} of {old['id']}", n): renames.translate(v) for n, v in one.items()
        }
        part = replace(spot, part="row" if key == "rows" else "column")
        labels = {str(each["id"]): str(each["label"]) for each in new[key]}
        there_before = {renames.new_id(f"{key} of {old['id']}", was["id"]) for was in old[key]}
        alone = labels.keys() ^ there_before
        for name in dict.fromkeys([*other, *told]):
            if name in alone:
                continue
            there = part.below(name, labels.get(name, ""))
            yield from compare_mappings(there, told.get(name, {}), other.get(name, {}))
    yield from compare_mappings(spot, renames.translate(before), after)
