"""Owns the comparison of tables: what each is, its columns and rows, each cell, its notes.

Does not read tables; they come as an edition's plain data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from generator.comparing.change import Change, compared
from generator.comparing.matching import Item, Matched, is_band, match
from generator.comparing.paragraphs import compare_texts
from generator.comparing.renaming import Renames
from generator.comparing.tree import Spot, compare_mappings, compare_values, moved

Data = Mapping[str, Any]


def match_tables(old: Sequence[Data], new: Sequence[Data]) -> Matched:
    """Pair the tables of two editions."""
    return match([_table_item(each) for each in old], [_table_item(each) for each in new])


def _table_item(table: Data) -> Item:
    texts = [f"{row['label']}={cell['value']}" for row in table["rows"] for cell in row["cells"]]
    labels = [str(column["label"]) for column in table["columns"]]
    return Item(table["id"], table["title"], (*labels, *texts))


def match_columns(old: Data, new: Data) -> Matched:
    """Pair the columns of a table."""
    return match(_column_items(old), _column_items(new))


def _column_items(table: Data) -> list[Item]:
    return [
        Item(column["id"], column["label"], tuple(str(_value(row, n)) for row in table["rows"]))
        for n, column in enumerate(table["columns"])
    ]


def match_rows(old: Data, new: Data) -> Matched:
    """Pair the rows of a table."""
    return match(_row_items(old), _row_items(new))


def _row_items(table: Data) -> list[Item]:
    return [
        Item(row["id"], row["label"], tuple(str(cell["value"]) for cell in row["cells"]))
        for row in table["rows"]
    ]


def _value(row: Data, place: int) -> Any:
    cells = row["cells"]
    return cells[place]["value"] if place < len(cells) else None


def note_renames(old: Data, new: Data, renames: Renames) -> None:
    """Keep which rows and columns of a table have other ids now."""
    for sort, found in (("rows", match_rows(old, new)), ("columns", match_columns(old, new))):
        for was, now in found.pairs:
            renames.note(f"{sort} of {old['id']}", old[sort][was]["id"], new[sort][now]["id"])


def compare_table(
    old: Data, new: Data, details: tuple[Data, Data] | None, renames: Renames
) -> Iterator[Change]:
    """Compare two tables that are the same table, whatever their ids.

    Args:
        old: The old table.
        new: The new table.
        details: What each says beside rows and columns, if both editions tell.
        renames: Ids that changed.
    """
    spot = Spot(new["title"], "table", (new["id"],))
    if old["id"] != new["id"]:
        yield spot.change("renamed", old["id"], new["id"])
    for key in ("title", "kind", "section"):
        was = renames.of("chapters", old[key]) if key == "section" else old[key]
        yield from compare_values(spot.below(key), was, new[key])
    columns, rows = match_columns(old, new), match_rows(old, new)
    old, new = (_named(*each) for each in zip((old, new), details or ({}, {}), strict=True))
    yield from _axis(replace(spot, part="column"), "columns", old, new, columns)
    yield from _axis(replace(spot, part="row"), "rows", old, new, rows)
    yield from _groups(replace(spot, part="row"), old, new, rows)
    for was, now in rows.pairs:
        yield from _cells(spot, old, new, (was, now), columns)
    notes = replace(spot, part="note").below("notes", "note")
    yield from compare_texts(notes, old["notes"], new["notes"])
    if details is not None:
        yield from _details(spot, (old, new), details, renames)


def _named(table: Data, details: Data) -> Data:
    """Put the title of an axis before its bands: `9` alone says nothing."""
    named = dict(table)
    for key, axis in (("rows", "down"), ("columns", "across")):
        said = details.get(axis)
        if isinstance(said, Mapping) and said.get("title"):
            title = said["title"]
            named[key] = [{**each, "called": f"{title} {each['label']}"} for each in table[key]]
    return named


def _called(part: Data) -> str:
    """Give what a row or column is called in words."""
    return str(part.get("called", part["label"])) if is_band(part["label"]) else str(part["label"])


def _axis(spot: Spot, key: str, old: Data, new: Data, found: Matched) -> Iterator[Change]:
    """Compare what the rows or columns are called, which are there, and their order."""
    for was, now in found.pairs:
        before, after = old[key][was], new[key][now]
        there = spot.below(after["id"], _called(after))
        if is_band(before["label"]) and is_band(after["label"]):
            yield from compare_values(there.below("band"), before["label"], after["label"])
            continue
        if before["id"] != after["id"]:
            yield there.change("renamed", before["id"], after["id"])
        yield from compare_values(there.below("label"), before["label"], after["label"])
    for was in found.removed:
        gone = old[key][was]
        yield spot.below(gone["id"], _called(gone)).change("removed", old=_told(key, old, was))
    for now in found.added:
        fresh = new[key][now]
        yield spot.below(fresh["id"], _called(fresh)).change("added", new=_told(key, new, now))
    labels = [_called(each) for each in new[key]]
    for now in found.moved():
        yield moved(spot.below(new[key][now]["id"], labels[now]), labels, now)


def _told(key: str, table: Data, place: int) -> str:
    """Give the cells of a whole row or column."""
    if key == "rows":
        return " · ".join(_text(cell) for cell in table["rows"][place]["cells"])
    return " · ".join(_text(row["cells"][place]) for row in table["rows"] if _has(row, place))


def _has(row: Data, place: int) -> bool:
    return place < len(row["cells"])


def _text(cell: Data) -> str:
    return "blank" if cell["value"] is None else str(cell["text"])


def _groups(spot: Spot, old: Data, new: Data, found: Matched) -> Iterator[Change]:
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
        yield compared(there.change("changed"), before or "none", after or "none")


def _cells(
    spot: Spot, old: Data, new: Data, row: tuple[int, int], columns: Matched
) -> Iterator[Change]:
    before, after = old["rows"][row[0]], new["rows"][row[1]]
    for was, now in columns.pairs:
        one, other = _value(before, was), _value(after, now)
        if one == other:
            continue
        column = new["columns"][now]
        there = replace(spot.below(after["id"], _called(after)), part="cell")
        there = there.below(column["id"], _called(column))
        change = compared(there.change("changed"), one, other)
        texts = [_text(each["cells"][n]) for each, n in ((before, was), (after, now))]
        yield replace(change, old=texts[0], new=texts[1])


def _details(
    spot: Spot, tables: tuple[Data, Data], details: tuple[Data, Data], renames: Renames
) -> Iterator[Change]:
    old, new = tables
    before, after = (dict(each) for each in details)
    for key in ("rows", "columns"):
        one, other = before.pop(key, {}), after.pop(key, {})
        told = {renames.of(f"{key} of {old['id']}", n): renames.told(v) for n, v in one.items()}
        part = replace(spot, part="row" if key == "rows" else "column")
        labels = {str(each["id"]): str(each["label"]) for each in new[key]}
        there_before = {renames.of(f"{key} of {old['id']}", was["id"]) for was in old[key]}
        alone = labels.keys() ^ there_before
        for name in dict.fromkeys([*other, *told]):
            if name in alone:
                continue
            there = part.below(name, labels.get(name, ""))
            yield from compare_mappings(there, told.get(name, {}), other.get(name, {}))
    yield from compare_mappings(spot, renames.told(before), after)
