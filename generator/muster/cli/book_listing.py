"""Print an army book: its units with sizes and prices, options, leaders and rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from muster.cli import show
from muster.cli.name_matching import match_name

if TYPE_CHECKING:
    from muster.documents.army_book import ArmyBook, BookChoice, BookUnit, UnitGroup
    from muster.documents.derived_values import DerivedCell
    from muster.systems import Library, System

_TO_FILL_IN = "□"


def find_army_book(library: Library, system: System, name: str) -> ArmyBook:
    """Return the army book that a name means; `units` for a system without books.

    Raises:
        click.UsageError: If no book has a similar name.
        MusterError: If a file of the system or the book cannot be read.
    """
    from muster.armies import book_ids, load_book
    from muster.documents.army_book import UNITS_ID, gather_army_book

    folders = library.book_folders(system.id)
    books = book_ids(system, folders)
    book_id = match_name(name, [(key, key) for key in books or [UNITS_ID]], "army book")
    book = load_book(system, book_id, folders) if books else None
    return gather_army_book(system, book, language="en")


def print_army_book(book: ArmyBook) -> None:
    """Print a book as plain text."""
    show.result(f"{click.style(book.id, bold=True)}: {book.title}, {book.system}")
    if book.notes:
        show.result(f"  {book.notes}")
    for group in book.groups:
        show.result(f"  {group.title.lower()}")
        rows = [(u.id, u.title, u.size, u.price, _points(u.points, u.unknown)) for u in group.units]
        lines = show.aligned(_without_empty(rows))
        for unit, line in zip(group.units, lines, strict=True):
            show.result(f"    {line}")
            if detail := _detail(group, unit):
                show.result(f"        {detail}")
    _print_choices("options", book.choices)
    if book.leaders:
        show.result("  leaders")
        leaders = [(i.id, i.title, i.place, _points(i.points, i.unknown)) for i in book.leaders]
        for line in show.aligned(_without_empty(leaders)):
            show.result(f"    {line}")
    _print_choices("choices of leaders", book.leader_choices)
    if book.rules:
        show.result("  rules")
        for rules in book.rules:
            for rule in rules.rules:
                mark = "" if rule.stated else " (warning)"
                show.result(f"    {rule.text}{mark}")


def army_book_data(book: ArmyBook) -> dict[str, Any]:
    """Return a book as data for JSON."""
    return {
        "id": book.id,
        "title": book.title,
        "system": book.system,
        "nation": book.nation,
        "notes": book.notes,
        "units": [
            {
                "id": unit.id,
                "title": unit.title,
                "group": group.title,
                "type": unit.type,
                "options": list(unit.options),
                "values": dict(_values(group, unit)),
                "size": unit.size,
                "price": unit.price,
                "points": unit.points,
                "costs": [{"size": cost.size, "points": cost.points} for cost in unit.costs],
                "notes": unit.notes,
            }
            for group in book.groups
            for unit in group.units
        ],
        "options": [_choice_data(choice) for choice in book.choices],
        "leaders": [
            {"id": i.id, "title": i.title, "level": i.place, "points": i.points}
            for i in book.leaders
        ],
        "leader_choices": [_choice_data(choice) for choice in book.leader_choices],
        "rules": [
            {
                "id": rule.id,
                "chapter": rules.title,
                "message": rule.text,
                "source": rule.source,
                "severity": "error" if rule.stated else "warning",
            }
            for rules in book.rules
            for rule in rules.rules
        ],
    }


def _choice_data(choice: BookChoice) -> dict[str, Any]:
    return {
        "id": choice.id,
        "title": choice.title,
        "values": list(choice.values),
        "points": choice.points,
        "for": choice.who,
    }


def _print_choices(title: str, choices: Sequence[BookChoice]) -> None:
    if not choices:
        return
    show.result(f"  {title}")
    rows = []
    for choice in choices:
        values = f": {'; '.join(choice.values)}" if choice.values else ""
        points = f", {choice.points}" if choice.points else ""
        rows.append((choice.id, f"{choice.title}{values}{points} (for {choice.who})"))
    for line in show.aligned(rows):
        show.result(f"    {line}")


def _detail(group: UnitGroup, unit: BookUnit) -> str:
    """Return what a unit is and its values, in one line."""
    values = [f"{label} {text}" for label, text in _values(group, unit)]
    return "; ".join(
        ", ".join(parts) for parts in ([unit.type] * bool(unit.type), unit.options, values) if parts
    )


def _values(group: UnitGroup, unit: BookUnit) -> Iterator[tuple[str, str]]:
    cells: list[tuple[str, DerivedCell]] = []
    if unit.values:
        cells += [(key.label, cell) for key, cell in zip(group.keys, unit.values, strict=True)]
    cells += [(fact.label, fact.values[0]) for fact in unit.facts]
    for label, cell in cells:
        text = _TO_FILL_IN if cell.kind == "blank" else cell.text
        if text:
            yield label, text.replace("\u202f", " ")


def _points(points: str, unknown: bool) -> str:  # noqa: FBT001 - a fact of the same unit
    return _TO_FILL_IN if unknown else points


def _without_empty(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Leave out the columns in which every cell is empty."""
    filled = [place for place in range(len(rows[0])) if any(row[place] for row in rows)]
    return [tuple(row[place] for place in filled) for row in rows]
