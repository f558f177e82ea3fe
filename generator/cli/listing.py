"""Owns `muster list`: which systems, tables, books, themes and armies are in reach.

Does not check them. What cannot be read is told, and the rest is listed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from generator.cli import show
from generator.cli.choices import FINE, UNREADABLE, form_option, library
from generator.problems import MusterError, Problem

if TYPE_CHECKING:
    from generator.systems import Library, System


@click.command("list")
@click.argument("system", required=False)
@form_option
def command(*, system: str | None, form: str) -> int:
    """List systems with their tables, books, themes and armies; of one system only, if named."""
    shelf = library()
    faults: list[Problem] = []
    listed = []
    for key in [system] if system else shelf.systems():
        try:
            listed.append(_system(shelf, shelf.system(key), faults))
        except MusterError as fault:
            faults.extend(fault.problems)
    if form == "json":
        show.data(listed)
    else:
        for place, each in enumerate(listed):
            if place:
                show.result()
            _tell(each)
    show.problems(faults)
    return UNREADABLE if faults else FINE


def _system(shelf: Library, system: System, faults: list[Problem]) -> dict[str, Any]:
    """Gather what a system has; the faults of what cannot be read are added to *faults*."""
    from generator.armies import book_ids, load_book
    from generator.armies.themes import load_theme, theme_ids

    folders = shelf.book_folders(system.id)
    tables = []
    for key in system.table_ids():
        try:
            table = system.table(key)
        except MusterError as fault:
            faults.extend(fault.problems)
        else:
            tables.append({"id": key, "title": table.title, "kind": table.kind})
    books = []
    for key in book_ids(system, folders):
        try:
            book = load_book(system, key, folders)
        except MusterError as fault:
            faults.extend(fault.problems)
        else:
            books.append({"id": key, "title": book.title})
    themes = []
    for key in theme_ids(system):
        try:
            theme = load_theme(system, key)
        except MusterError as fault:
            faults.extend(fault.problems)
        else:
            themes.append({"id": key, "title": theme.title})
    armies = [
        {"id": key, "file": show.shorter(found.path), "own": found.own}
        for key, found in shelf.armies(system.id).items()
    ]
    return {
        "id": system.id,
        "title": system.title,
        "edition": system.identity.edition,
        "own": shelf.systems()[system.id].own,
        "folder": show.shorter(system.folder),
        "tables": tables,
        "books": books,
        "themes": themes,
        "armies": armies,
    }


def _tell(system: dict[str, Any]) -> None:
    own = "your own" if system["own"] else "shipped"
    edition = f"edition {system['edition']}, {own}, in {system['folder']}"
    show.result(f"{click.style(system['id'], bold=True)}: {system['title']}, {edition}")
    for part in ("tables", "books", "themes", "armies"):
        if not system[part]:
            continue
        show.result(f"  {part}")
        rows = [_row(each) for each in system[part]]
        for line in show.aligned(rows):
            show.result(f"    {line}")


def _row(each: dict[str, Any]) -> tuple[str, str]:
    if "file" in each:
        return each["id"], each["file"] + (" (your own)" if each["own"] else "")
    kind = f" ({each['kind']})" if "kind" in each else ""
    return each["id"], each["title"] + kind
