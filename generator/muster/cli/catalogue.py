"""`muster list`, `export`, `schema`: what there is, a system as JSON, schemas of its files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from muster.cli import show
from muster.cli.options import FINE, UNREADABLE, format_option, library
from muster.problems import MusterError, Problem

if TYPE_CHECKING:
    from muster.systems import Library, System


@click.command("list")
@click.argument("system", required=False)
@format_option
def list_command(*, system: str | None, form: str) -> int:
    """List systems with their tables, books, themes and armies; of one system only, if named."""
    shelf = library()
    faults: list[Problem] = []
    listed = []
    for key in [system] if system else shelf.systems():
        try:
            listed.append(_describe_system(shelf, shelf.system(key), faults))
        except MusterError as fault:
            faults.extend(fault.problems)
    if form == "json":
        show.data(listed)
    else:
        for place, each in enumerate(listed):
            if place:
                show.result()
            _print_system(each)
    show.problems(faults)
    return UNREADABLE if faults else FINE


def _describe_system(shelf: Library, system: System, faults: list[Problem]) -> dict[str, Any]:
    """Gather what a system has; the faults of what cannot be read are added to *faults*."""
    from muster.armies import book_ids, load_book
    from muster.armies.themes import load_theme, theme_ids

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
        {"id": key, "file": show.relative_path(found.path), "own": found.own}
        for key, found in shelf.armies(system.id).items()
    ]
    return {
        "id": system.id,
        "title": system.title,
        "edition": system.identity.edition,
        "own": shelf.systems()[system.id].own,
        "folder": show.relative_path(system.folder),
        "tables": tables,
        "books": books,
        "themes": themes,
        "armies": armies,
    }


def _print_system(system: dict[str, Any]) -> None:
    own = "your own" if system["own"] else "shipped"
    edition = f"edition {system['edition']}, {own}, in {system['folder']}"
    show.result(f"{click.style(system['id'], bold=True)}: {system['title']}, {edition}")
    for part in ("tables", "books", "themes", "armies"):
        if not system[part]:
            continue
        show.result(f"  {part}")
        rows = [_listed_row(each) for each in system[part]]
        for line in show.aligned(rows):
            show.result(f"    {line}")


def _listed_row(each: dict[str, Any]) -> tuple[str, str]:
    if "file" in each:
        return each["id"], each["file"] + (" (your own)" if each["own"] else "")
    kind = f" ({each['kind']})" if "kind" in each else ""
    return each["id"], each["title"] + kind


@click.command("export")
@click.argument("system")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="A file, not stdout.")
def export_command(*, system: str, out: Path | None) -> int:
    """Print all that a system says as JSON, or write it to a file; `muster diff` reads it."""
    from muster.editions.snapshot import edition_data

    data = edition_data(library().system(system))
    if out is None:
        show.data(data)
        return FINE
    from muster.building.store import write_whole

    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    write_whole(out, text.encode())
    show.note(f"wrote {out}")
    return FINE


SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"


@click.command("schema")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="A folder to fill.")
def schema_command(*, out: Path | None) -> int:
    """Print JSON Schemas of all kinds of files, or write each into a folder."""
    from muster.armies.army_schema import army_schema

    found = file_schemas()
    shelf = library()
    for key in shelf.systems():
        system = shelf.system(key)
        if system.has_file("composition.yaml"):
            found[f"army-{key}"] = army_schema(system, shelf.book_folders(key))
    for name, schema in found.items():
        found[name] = {"$schema": SCHEMA_DIALECT, **schema}
    if out is None:
        show.data(found)
        return FINE
    from muster.building.store import write_whole

    for name, schema in found.items():
        text = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        write_whole(out / f"{name}.schema.json", text.encode())
    show.note(f"wrote {len(found)} schemas into {out}")
    return FINE


def file_schemas() -> dict[str, dict[str, Any]]:
    """Give the schema of every kind of file that is the same for all systems."""
    from pydantic import BaseModel

    from muster.armies.books import WrittenBook
    from muster.armies.themes import Drafting, Theme
    from muster.armies.vocabulary import WrittenComposition
    from muster.systems.errata import Errata
    from muster.systems.identity import Identity
    from muster.systems.layouts import Cards, WrittenSheet
    from muster.systems.rulebook_edition import Edition
    from muster.tables.file_models import KINDS

    models: dict[str, type[BaseModel]] = {
        "system": Identity,
        "errata": Errata,
        "sheet": WrittenSheet,
        "cards": Cards,
        "edition": Edition,
        "composition": WrittenComposition,
        "book": WrittenBook,
        "drafting": Drafting,
        "theme": Theme,
        **{f"table-{kind}": model for kind, model in KINDS.items()},
    }
    return {name: model.model_json_schema() for name, model in models.items()}
