"""Tables, army books and rosters as CSV, for spreadsheets (RFC 4180)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from muster.armies import Book, Verdict
from muster.armies.composition import Composition
from muster.armies.fields import as_text, is_absent
from muster.exchange.list_text import node_details
from muster.tables import Table
from muster.values import BLANK
from muster.values.number import plain_number

if TYPE_CHECKING:
    # `muster check` writes CSV too, and would have to load all documents.
    from muster.documents.army_book import ArmyBook

_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
_FORMULA_SIGNS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")  # noqa: RUF001 - wide ones
"""What begins a formula in a spreadsheet; some take the wide forms of these signs, too."""


def harmless_cell(text: str) -> str:
    """Return a cell that no spreadsheet runs: an apostrophe stands before what begins a formula.

    A number is none, so that `-2` and `+1` stay numbers.
    """
    if _NUMBER.fullmatch(text):
        return text
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA_SIGNS) else text


def csv_text(rows: Iterable[Sequence[str]]) -> str:
    """Return rows as CSV with CRLF at the end of each, every cell made harmless."""
    text = io.StringIO()
    writer = csv.writer(text)
    for row in rows:
        writer.writerow([harmless_cell(cell) for cell in row])
    return text.getvalue()


def table_csv(table: Table, scales: Sequence[tuple[str, str]]) -> str:
    """Return a table with a row for each of its rows; cells as its file writes them, blanks empty.

    A column whose cells differ by scale is a column for each scale.
    """
    table = table.split_by_scale(scales)
    head = ["id", "row", "group", *(column.label or column.id for column in table.columns)]
    body = (
        [
            row.id,
            row.label,
            row.group,
            *("" if cell is BLANK else str(cell) for cell in row.cells),
        ]
        for row in table.rows
    )
    return csv_text([head, *body])


def book_csv(composition: Composition, book: Book | None, printed: ArmyBook) -> str:
    """Return an army book with a row for each unit, or the types of a system without books.

    Args:
        composition: The system's composition.
        book: The book; None for the types.
        printed: The same as it is printed, with sizes and prices.
    """
    profiles = book.units if book is not None else {}
    stats = {
        name: spec.title or name
        for name, spec in composition.written.profile.items()
        if any(name in profile.stats for profile in profiles.values())
    }
    fields = dict.fromkeys(
        name for profile in profiles.values() for name in (*profile.fields, *profile.attributes)
    )
    head = ["id", "title", "type", "options", "may", "size", "price", "points"]
    rows = [[*head, "min", "max", "per", *stats.values(), *fields, "notes"]]
    for group in printed.groups:
        for unit in group.units:
            profile = profiles.get(unit.id)
            own: dict[str, Any] = {}
            number = None
            if profile is not None:
                own = {**profile.attributes, **profile.fields, **profile.stats}
                number = profile.number
            limits = [getattr(number, key) if number else None for key in ("min", "max", "per")]
            rows.append([
                *(unit.id, unit.title, unit.type or group.title, ", ".join(unit.options)),
                ", ".join(profile.may) if profile is not None and profile.may else "",
                *(unit.size, unit.price, _plain_signs(unit.points)),
                *("" if each is None else str(each) for each in limits),
                *(_value_text(own.get(name)) for name in (*stats, *fields)),
                unit.notes,
            ])  # fmt: skip
    return csv_text(rows)


def _value_text(value: Any) -> str:
    return "" if value is BLANK else as_text(value)


def _plain_signs(text: str) -> str:
    """Return a number as programs write it; pages show it with a true minus sign."""
    return text.replace("−", "-")


_ARMY_HEAD = (
    "path", "level", "id", "title", "type", "name", "book", "count", "size", "details", "options",
    "points each", "points", "price", "notes",
)  # fmt: skip


def army_csv(verdict: Verdict) -> str:
    """Return an army with a row for each command, leader, unit and work, in the list's order.

    The points of all rows add up to the total, except that a price which is not known in full is
    left empty.
    """
    return csv_text([_ARMY_HEAD, *_army_rows(verdict)])


def _army_rows(verdict: Verdict) -> Iterator[list[str]]:
    lines = {id(line.node): line for line in verdict.price.lines}
    for node in verdict.army.nodes():
        if not node.path and id(node) not in lines:
            continue
        line = lines.get(id(node))
        points = [None, None] if line is None else [line.each, line.points]
        size = node.entry.size if node.entry is not None else None
        number = node.value(size) if size is not None else None
        yield [
            node.path_text,
            node.level,
            "" if node.is_branch else as_text(node.value("unit")),
            node.title,
            node.entry_title if node.profile is not None else "",
            node.name,
            node.book.id if node.book is not None else "",
            str(node.count),
            "" if is_absent(number) else as_text(number),
            ", ".join(node_details(node, with_size=False, with_options=False)),
            ", ".join(node.option_titles),
            *("" if each is None else plain_number(each) for each in points),
            _plain_signs(line.working) if line is not None else "",
            node.remark,
        ]
