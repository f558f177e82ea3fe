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
    match_parts,
    merge_moves,
    moved_change,
    part_title,
)
from muster.languages import marked, say

Data = Mapping[str, Any]
"""An edition or a part of one, as `muster.editions.snapshot` writes it."""

SYSTEM = marked("The system")
CHAPTERS = marked("Chapters")
ERRATA = marked("Errata")
ARMY_LISTS = marked("Army lists")
CONSTRAINTS = marked("Constraints")
COSTS = marked("Costs")

_IDENTITY_LISTS: tuple[tuple[str, PartKind], ...] = (("scales", "scale"), ("phases", "phase"))

_COMPOSITION_LISTS: tuple[tuple[str, str, PartKind], ...] = (
    ("levels", ARMY_LISTS, "level"),
    ("entries", ARMY_LISTS, "unit-type"),
    ("options", ARMY_LISTS, "option"),
    ("constraints", CONSTRAINTS, "constraint"),
)
"""Each list of a composition: its key (also its category of renames), the heading of its changes,
and the kind of its parts."""

_OPTIONAL_KEYS = ("identity", "details", "prose", "errata", "composition", "books")
"""The keys that an edition lacks if an older Muster saved it."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of comparing two editions.

    Attributes:
        changes: All changes from the old edition to the new one.
        missing: The keys of parts that one of the editions lacks; these were not compared.
        renames: The ids that changed.
    """

    changes: tuple[Change, ...]
    missing: tuple[str, ...]
    renames: Renames


def compare_editions(old: Data, new: Data) -> Comparison:
    """Compare two editions, each in the form that `edition_data` returns.

    An edition compared with itself has no changes.
    """
    comparer = _Comparer(old, new)
    changes = merge_moves(list(comparer.changes()))
    return Comparison(tuple(comparer.with_prices(changes)), comparer.missing, comparer.renames)


class _Comparer:
    def __init__(self, old: Data, new: Data) -> None:
        self.old, self.new = old, new
        self.renames = Renames()
        self.missing = tuple(key for key in _OPTIONAL_KEYS if key not in old or key not in new)
        self.tables = _match_tables(old["tables"], new["tables"])
        self.chapters = match_items(_chapter_items(old), _chapter_items(new))
        self._find_renames()

    def _find_renames(self) -> None:
        """Record all ids that changed, before anything that refers to them is compared."""
        self.renames.tables.update(table["id"] for table in self.old["tables"])
        old_chapters, new_chapters = _chapters_of(self.old), _chapters_of(self.new)
        for old_place, new_place in self.chapters.pairs:
            old_id, new_id = old_chapters[old_place]["id"], new_chapters[new_place]["id"]
            self.renames.record("chapters", old_id, new_id)
        for old_place, new_place in self.tables.pairs:
            old_table, new_table = self.old["tables"][old_place], self.new["tables"][new_place]
            self.renames.record("tables", old_table["id"], new_table["id"])
            _record_renames(old_table, new_table, self.renames)
        compositions = self._in_both("composition")
        if compositions is None:
            return
        for key, _, _ in _COMPOSITION_LISTS:
            old_parts, new_parts = (composition.get(key, []) for composition in compositions)
            for old_place, new_place in match_parts(old_parts, new_parts).pairs:
                self.renames.record(key, old_parts[old_place]["id"], new_parts[new_place]["id"])

    def _in_both(self, key: str) -> tuple[Any, Any] | None:
        """Return a part of both editions; None if one of them lacks it."""
        old_part, new_part = self.old.get(key), self.new.get(key)
        return None if old_part is None or new_part is None else (old_part, new_part)

    def changes(self) -> Iterator[Change]:
        """Yield all changes in the order of a book: identity, tables, prose, armies."""
        yield from self._compare_identity()
        yield from self._compare_chapters()
        yield from self._compare_tables()
        yield from self._compare_prose()
        yield from self._compare_errata()
        yield from self._compare_composition()
        yield from self._compare_books()

    def _compare_identity(self) -> Iterator[Change]:
        context = DiffContext(SYSTEM, "identity", ("system",))
        for key in ("id", "title", "edition", "source"):
            word = "credit" if key == "source" else key
            old_text, new_text = self.old["system"][key], self.new["system"][key]
            yield from compare_values(context.below(key, word), old_text, new_text)
        both = self._in_both("identity")
        if both is None:
            return
        old, new = (dict(identity) for identity in both)
        for key, part in _IDENTITY_LISTS:
            inner = DiffContext(SYSTEM, part, (key,), (part,))
            yield from compare_parts(inner, old.pop(key, []), new.pop(key, []))
        old.pop("chapters", None)
        new.pop("chapters", None)
        yield from compare_mappings(context, old, new)

    def _compare_chapters(self) -> Iterator[Change]:
        if self._in_both("identity") is None:
            return
        old, new = _chapters_of(self.old), _chapters_of(self.new)
        context = DiffContext(CHAPTERS, "chapter", ("chapters",))
        yield from compare_parts(context, old, new, matching=self.chapters)

    def _compare_tables(self) -> Iterator[Change]:
        old, new = self.old["tables"], self.new["tables"]
        details = self._in_both("details")
        for old_place, new_place in self.tables.pairs:
            before, after = old[old_place], new[new_place]
            both = None
            if details is not None:
                both = details[0].get(before["id"], {}), details[1].get(after["id"], {})
            yield from _compare_table(before, after, both, self.renames)
        for place in self.tables.removed:
            yield _table_context(old[place]).change("removed", old=_table_size(old[place]))
        for place in self.tables.added:
            yield _table_context(new[place]).change("added", new=_table_size(new[place]))

    def _compare_prose(self) -> Iterator[Change]:
        both = self._in_both("prose")
        if both is None:
            return
        old = {self.renames.new_id("chapters", chapter["id"]): chapter for chapter in both[0]}
        new = {chapter["id"]: chapter for chapter in both[1]}
        for key in dict.fromkeys([*new, *old]):
            before, after = old.get(key), new.get(key)
            title = (after or before or {})["title"]
            context = DiffContext(say("Chapter: {title}", title=title), "paragraph", ("prose", key))
            if before is not None and after is not None:
                translated = [self.renames.translate_prose(text) for text in before["paragraphs"]]
                yield from compare_texts(context, translated, after["paragraphs"])
            elif self._is_chapter_in_both(key):
                yield replace(context, place=(say("its prose"),)).change(
                    "added" if before is None else "removed",
                    "" if before is None else _prose_size(before),
                    "" if after is None else _prose_size(after),
                )

    def _is_chapter_in_both(self, chapter: str) -> bool:
        """Return whether both editions have a chapter; if not, it is a change of the chapters."""
        old = {self.renames.new_id("chapters", each["id"]) for each in _chapters_of(self.old)}
        return chapter in old and chapter in {each["id"] for each in _chapters_of(self.new)}

    def _compare_errata(self) -> Iterator[Change]:
        both = self._in_both("errata")
        if both is not None:
            context = DiffContext(ERRATA, "erratum", ("errata",))
            translated = self.renames.translate(both[0])
            yield from compare_parts(context, translated, both[1], ordered=False)

    def _compare_composition(self) -> Iterator[Change]:
        if "composition" in self.missing:
            return
        before, after = self.old["composition"], self.new["composition"]
        context = DiffContext(ARMY_LISTS, "composition", ("composition",))
        if before is None or after is None:
            if before is not after:
                yield context.change("added" if before is None else "removed")
            return
        old, new = self.renames.translate(before), dict(after)
        for key, heading, part in _COMPOSITION_LISTS:
            inner = DiffContext(heading, part, (key,))
            ordered = key != "constraints"
            changes = compare_parts(inner, old.pop(key, []), new.pop(key, []), ordered=ordered)
            yield from _with_heading_of_costs(changes)
        yield from _with_heading_of_costs(compare_mappings(context, old, new))

    def _compare_books(self) -> Iterator[Change]:
        both = self._in_both("books")
        if both is None:
            return
        old = [self.renames.translate(book) for book in both[0]]
        new = list(both[1])
        matching = match_parts(old, new)
        for old_place, new_place in matching.pairs:
            before, after = dict(old[old_place]), dict(new[new_place])
            context = _book_context(after)
            if before["id"] != after["id"]:
                yield context.change("renamed", before["id"], after["id"])
            inner = replace(context, part="unit", at=(*context.at, "units"))
            yield from compare_parts(inner, before.pop("units", []), after.pop("units", []))
            yield from compare_mappings(context, before, after)
        for place in matching.removed:
            yield _book_context(old[place]).change("removed", old=_book_size(old[place]))
        for place in matching.added:
            yield _book_context(new[place]).change("added", new=_book_size(new[place]))

    def with_prices(self, changes: Sequence[Change]) -> Iterator[Change]:
        """Yield the changes, each changed cell with the titles of what takes its price from it."""
        terms_by_title = dict(_table_terms(self.new.get("composition") or {}))
        for change in changes:
            if change.part != "cell":
                yield change
                continue
            table, row, column = change.at
            titles = [
                title
                for title, terms in terms_by_title.items()
                if any(_may_use_cell(term, table, row, column) for term in terms)
            ]
            yield replace(change, prices=tuple(titles))


def _chapters_of(edition: Data) -> list[Data]:
    """Return the chapters of an edition; none for an export that has no identity."""
    return list((edition.get("identity") or {}).get("chapters", []))


def _chapter_items(edition: Data) -> list[MatchItem]:
    prose = {chapter["id"]: tuple(chapter["paragraphs"]) for chapter in edition.get("prose") or []}
    return [
        MatchItem(chapter["id"], str(chapter.get("title", "")), prose.get(chapter["id"], ()))
        for chapter in _chapters_of(edition)
    ]


def _table_context(table: Data) -> DiffContext:
    return DiffContext(table["title"], "table", (table["id"],))


def _table_size(table: Data) -> str:
    rows, columns = len(table["rows"]), len(table["columns"])
    return say("{rows} rows, {columns} columns", rows=rows, columns=columns)


def _prose_size(chapter: Data) -> str:
    return say("{number} paragraphs", number=len(chapter["paragraphs"]))


def _book_context(book: Data) -> DiffContext:
    return DiffContext(
        say("Army book: {title}", title=book["title"]), "book", ("books", book["id"])
    )


def _book_size(book: Data) -> str:
    return say("{number} units", number=len(book.get("units", [])))


def _with_heading_of_costs(changes: Iterator[Change]) -> Iterator[Change]:
    """List all changes of prices under a heading of their own."""
    for change in changes:
        yield replace(change, heading=COSTS) if change.part == "cost" else change


def _table_terms(composition: Data) -> Iterator[tuple[str, list[Data]]]:
    """Yield the title of whatever has a price, with the terms of the price that take a cell."""
    for key in ("entries", "options"):
        for part in composition.get(key, []):
            terms = [term.get("each") for term in part.get("price", [])]
            tables = [term for term in terms if isinstance(term, Mapping) and "table" in term]
            yield part_title(part), tables


def _may_use_cell(term: Data, table: str, row: str, column: str) -> bool:
    """Return whether a term of a price may take a cell.

    A row or column that a unit's field names may be any.
    """
    if term["table"] != table:
        return False
    keys = [(term.get("row"), row), (term.get("column"), column)]
    return all(not isinstance(key, str) or key == id_ for key, id_ in keys)


def _match_tables(old: Sequence[Data], new: Sequence[Data]) -> Matching:
    """Pair the tables of two editions."""
    return match_items([_table_item(table) for table in old], [_table_item(table) for table in new])


def _table_item(table: Data) -> MatchItem:
    texts = [f"{row['label']}={cell['value']}" for row in table["rows"] for cell in row["cells"]]
    labels = [str(column["label"]) for column in table["columns"]]
    return MatchItem(table["id"], table["title"], (*labels, *texts))


def _match_columns(old: Data, new: Data) -> Matching:
    """Pair the columns of two versions of a table."""
    return match_items(_column_items(old), _column_items(new))


def _column_items(table: Data) -> list[MatchItem]:
    return [
        MatchItem(
            column["id"], column["label"], tuple(str(_cell_value(row, n)) for row in table["rows"])
        )
        for n, column in enumerate(table["columns"])
    ]


def _match_rows(old: Data, new: Data) -> Matching:
    """Pair the rows of two versions of a table."""
    return match_items(_row_items(old), _row_items(new))


def _row_items(table: Data) -> list[MatchItem]:
    return [
        MatchItem(row["id"], row["label"], tuple(str(cell["value"]) for cell in row["cells"]))
        for row in table["rows"]
    ]


def _cell_value(row: Data, place: int) -> Any:
    cells = row["cells"]
    return cells[place]["value"] if place < len(cells) else None


def _record_renames(old: Data, new: Data, renames: Renames) -> None:
    """Record which rows and columns of a table have another id in the new edition."""
    for axis, matching in (("rows", _match_rows(old, new)), ("columns", _match_columns(old, new))):
        for old_place, new_place in matching.pairs:
            old_id, new_id = old[axis][old_place]["id"], new[axis][new_place]["id"]
            renames.record(f"{axis} of {old['id']}", old_id, new_id)


def _compare_table(
    old: Data, new: Data, details: tuple[Data, Data] | None, renames: Renames
) -> Iterator[Change]:
    """Compare two versions of the same table, whatever their ids.

    Args:
        old: The old version.
        new: The new version.
        details: What each version holds besides rows and columns, if both editions have it.
        renames: The ids that changed.
    """
    context = DiffContext(new["title"], "table", (new["id"],))
    if old["id"] != new["id"]:
        yield context.change("renamed", old["id"], new["id"])
    for key in ("title", "kind", "section"):
        before = renames.new_id("chapters", old[key]) if key == "section" else old[key]
        yield from compare_values(context.below(key), before, new[key])
    columns, rows = _match_columns(old, new), _match_rows(old, new)
    old_details, new_details = details or ({}, {})
    old, new = _with_axis_titles(old, old_details), _with_axis_titles(new, new_details)
    yield from _compare_axis(replace(context, part="column"), "columns", old, new, columns)
    yield from _compare_axis(replace(context, part="row"), "rows", old, new, rows)
    yield from _compare_groups(replace(context, part="row"), old, new, rows)
    for pair in rows.pairs:
        yield from _compare_cells(context, old, new, pair, columns)
    notes = replace(context, part="note").below("notes", "note")
    yield from compare_texts(notes, old["notes"], new["notes"])
    if details is not None:
        yield from _compare_details(context, (old, new), details, renames)


def _with_axis_titles(table: Data, details: Data) -> Data:
    """Add the axis title to each band, under the key `called`: `9` alone means little."""
    named = dict(table)
    for key, axis_key in (("rows", "down"), ("columns", "across")):
        axis = details.get(axis_key)
        if isinstance(axis, Mapping) and axis.get("title"):
            title = axis["title"]
            named[key] = [{**part, "called": f"{title} {part['label']}"} for part in table[key]]
    return named


def _axis_label(part: Data) -> str:
    """Return the label of a row or column, with the title of its axis if it is a band."""
    return str(part.get("called", part["label"])) if is_band(part["label"]) else str(part["label"])


def _compare_axis(
    context: DiffContext, key: str, old: Data, new: Data, matching: Matching
) -> Iterator[Change]:
    """Compare the labels of rows or columns, which of them there are, and their order."""
    for old_place, new_place in matching.pairs:
        before, after = old[key][old_place], new[key][new_place]
        inner = context.below(after["id"], _axis_label(after))
        if is_band(before["label"]) and is_band(after["label"]):
            yield from compare_values(inner.below("band"), before["label"], after["label"])
            continue
        if before["id"] != after["id"]:
            yield inner.change("renamed", before["id"], after["id"])
        yield from compare_values(inner.below("label"), before["label"], after["label"])
    for place in matching.removed:
        part = old[key][place]
        inner = context.below(part["id"], _axis_label(part))
        yield inner.change("removed", old=_cell_texts(key, old, place))
    for place in matching.added:
        part = new[key][place]
        inner = context.below(part["id"], _axis_label(part))
        yield inner.change("added", new=_cell_texts(key, new, place))
    labels = [_axis_label(part) for part in new[key]]
    for place in matching.moved():
        yield moved_change(context.below(new[key][place]["id"], labels[place]), labels, place)


def _cell_texts(key: str, table: Data, place: int) -> str:
    """Return the cells of a whole row or column as one text."""
    if key == "rows":
        return " · ".join(_cell_text(cell) for cell in table["rows"][place]["cells"])
    return " · ".join(
        _cell_text(row["cells"][place]) for row in table["rows"] if place < len(row["cells"])
    )


def _cell_text(cell: Data) -> str:
    return "blank" if cell["value"] is None else str(cell["text"])


def _compare_groups(
    context: DiffContext, old: Data, new: Data, matching: Matching
) -> Iterator[Change]:
    """Compare the groups of rows; a group with another name is a single change.

    The group of a step within a step is the label of the outer step; a new label of that step is
    a change of its own.
    """
    pairs = [(old["rows"][old_place], place) for old_place, place in matching.pairs]
    new_labels = {before["label"]: new["rows"][place]["label"] for before, place in pairs}
    first_places: dict[tuple[str, str], int] = {}
    for before, place in pairs:
        old_group, new_group = before["group"], new["rows"][place]["group"]
        if new_group not in (old_group, new_labels.get(old_group)):
            first_places.setdefault((old_group, new_group), place)
    for (old_group, new_group), place in first_places.items():
        row = new["rows"][place]
        inner = context.below(row["id"], row["label"]).below("group")
        yield fill_change(inner.change("changed"), old_group or "none", new_group or "none")


def _compare_cells(
    context: DiffContext, old: Data, new: Data, row: tuple[int, int], columns: Matching
) -> Iterator[Change]:
    before, after = old["rows"][row[0]], new["rows"][row[1]]
    for old_place, new_place in columns.pairs:
        old_value, new_value = _cell_value(before, old_place), _cell_value(after, new_place)
        if old_value == new_value:
            continue
        column = new["columns"][new_place]
        inner = replace(context.below(after["id"], _axis_label(after)), part="cell")
        inner = inner.below(column["id"], _axis_label(column))
        change = fill_change(inner.change("changed"), old_value, new_value)
        old_text = _cell_text(before["cells"][old_place])
        new_text = _cell_text(after["cells"][new_place])
        yield replace(change, old=old_text, new=new_text)


def _compare_details(
    context: DiffContext, tables: tuple[Data, Data], details: tuple[Data, Data], renames: Renames
) -> Iterator[Change]:
    """Compare what two versions of a table hold besides labels, cells and notes.

    Rows and columns of only one version are left out, because they have a change of their own.
    """
    old, new = tables
    old_details, new_details = (dict(each) for each in details)
    parts: tuple[tuple[str, PartKind], ...] = (("rows", "row"), ("columns", "column"))
    for key, part in parts:
        category = f"{key} of {old['id']}"
        before = {
            renames.new_id(category, id_): renames.translate(detail)
            for id_, detail in old_details.pop(key, {}).items()
        }
        after = new_details.pop(key, {})
        labels = {str(each["id"]): str(each["label"]) for each in new[key]}
        in_one_only = labels.keys() ^ {renames.new_id(category, each["id"]) for each in old[key]}
        for id_ in dict.fromkeys([*after, *before]):
            if id_ not in in_one_only:
                inner = replace(context, part=part).below(id_, labels.get(id_, ""))
                yield from compare_mappings(inner, before.get(id_, {}), after.get(id_, {}))
    yield from compare_mappings(context, renames.translate(old_details), new_details)
