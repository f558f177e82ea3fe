"""`muster list` and `schema`: what there is, and the schemas of files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from muster.cli import show
from muster.cli.army_files import ignored_files_warning
from muster.cli.options import FINE, UNREADABLE, format_option, open_library
from muster.problems import MusterError, Problem, display_path

if TYPE_CHECKING:
    from muster.systems import Library, System


@click.command("list")
@click.argument("system", required=False)
@click.option(
    "--book",
    metavar="BOOK",
    help="Army book to print instead: units, sizes, prices, options, leaders and rules; `units`"
    " for a system without books.",
)
@format_option
def list_command(*, system: str | None, book: str | None, output_format: str) -> int:
    """List systems with their tables, books, themes and armies; all systems, or the one named."""
    library = open_library()
    if book is not None:
        return _list_book(library, system, book, output_format)
    problems: list[Problem] = []
    listed = []
    for key in [system] if system else library.systems():
        try:
            listed.append(_describe_system(library, library.find_system(key), problems))
        except MusterError as error:
            problems.extend(error.problems)
    if output_format == "json":
        show.data(listed)
    else:
        if warning := ignored_files_warning(library.folder):
            show.note(f"warning: {warning}")
        for number, description in enumerate(listed):
            if number:
                show.result()
            _print_system(description)
    show.problems(problems)
    return UNREADABLE if problems else FINE


def _list_book(library: Library, system: str | None, name: str, output_format: str) -> int:
    from muster.cli.book_listing import army_book_data, find_army_book, print_army_book

    if system is None:
        raise click.UsageError("--book needs a rule system: muster list SYSTEM --book BOOK")
    book = find_army_book(library, library.find_system(system), name)
    if output_format == "json":
        show.data(army_book_data(book))
    else:
        print_army_book(book)
    return FINE


def _describe_system(library: Library, system: System, problems: list[Problem]) -> dict[str, Any]:
    """Return what a system has; the problems of unreadable parts are added to *problems*."""
    from muster.armies import book_ids, load_book
    from muster.armies.themes import load_theme, theme_ids

    def readable(
        ids: Iterable[str], describe: Callable[[str], dict[str, Any]]
    ) -> list[dict[str, Any]]:
        """Describe each thing that can be read."""
        described = []
        for key in ids:
            try:
                described.append({"id": key, **describe(key)})
            except MusterError as error:
                problems.extend(error.problems)
        return described

    def describe_table(key: str) -> dict[str, Any]:
        table = system.table(key)
        return {"title": table.title, "kind": table.kind}

    folders = library.book_folders(system.id)
    tables = readable(system.table_ids(), describe_table)
    books = readable(
        book_ids(system, folders), lambda key: {"title": load_book(system, key, folders).title}
    )
    themes = readable(theme_ids(system), lambda key: {"title": load_theme(system, key).title})
    problems.extend(library.refused_armies(system.id))
    armies = [
        {"id": key, "file": display_path(army.path), "own": army.own}
        for key, army in library.armies(system.id).items()
    ]
    return {
        "id": system.id,
        "title": system.title,
        "edition": system.identity.edition,
        "own": library.systems()[system.id].own,
        "folder": display_path(system.folder),
        "tables": tables,
        "books": books,
        "themes": themes,
        "armies": armies,
    }


def _print_system(system: dict[str, Any]) -> None:
    """Print a system's title and folder, and below them what it has, part by part."""
    own = "your own" if system["own"] else "shipped"
    edition = f"edition {system['edition']}, {own}, in {system['folder']}"
    show.result(f"{click.style(system['id'], bold=True)}: {system['title']}, {edition}")
    for part in ("tables", "books", "themes", "armies"):
        if not system[part]:
            continue
        show.result(f"  {part}")
        for line in show.aligned(_listed_row(described) for described in system[part]):
            show.result(f"    {line}")


def _listed_row(described: dict[str, Any]) -> tuple[str, str]:
    """Return the id of a table, book, theme or army, and its title or file."""
    if "file" in described:
        return described["id"], described["file"] + (" (your own)" if described["own"] else "")
    kind = f" ({described['kind']})" if "kind" in described else ""
    return described["id"], described["title"] + kind


SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"


@click.command("schema")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Folder to write to instead of stdout.",
)
def schema_command(*, out: Path | None) -> int:
    """Print the JSON Schemas of all kinds of files, or write each to a folder."""
    from muster.armies.army_schema import army_schema

    schemas = file_schemas()
    library = open_library()
    for key in library.systems():
        system = library.system(key)
        if system.has_file("composition.yaml"):
            schemas[f"army-{key}"] = army_schema(system, library.book_folders(key))
    for name, schema in schemas.items():
        schemas[name] = {"$schema": SCHEMA_DIALECT, **schema}
    if out is None:
        show.data(schemas)
        return FINE
    from muster.building.store import write_result

    for name, schema in schemas.items():
        write_result(out / f"{name}.schema.json", f"{show.json_text(schema)}\n".encode())
    show.note(f"wrote {len(schemas)} schemas to {out}")
    return FINE


def file_schemas() -> dict[str, dict[str, Any]]:
    """Return the schemas of the kinds of files that are the same for all systems, by name."""
    from muster.armies.books import WrittenBook
    from muster.armies.themes import Drafting, Theme
    from muster.armies.written_composition import WrittenComposition
    from muster.systems.errata import Errata
    from muster.systems.identity import Identity
    from muster.systems.layouts import Cards, WrittenSheet
    from muster.systems.rulebook_edition import Edition
    from muster.systems.search_words import SearchWords
    from muster.systems.style import StyleSheet
    from muster.systems.tokens import Tokens
    from muster.tables.file_models import KINDS
    from muster.yamlfile import StrictModel
    from muster.yamlfile.descriptions import described_schema

    models: dict[str, type[StrictModel]] = {
        "system": Identity,
        "errata": Errata,
        "sheet": WrittenSheet,
        "cards": Cards,
        "tokens": Tokens,
        "search": SearchWords,
        "edition": Edition,
        "composition": WrittenComposition,
        "book": WrittenBook,
        "drafting": Drafting,
        "theme": Theme,
        "style": StyleSheet,
        **{f"table-{kind}": model for kind, model in KINDS.items()},
    }
    return {name: described_schema(model) for name, model in models.items()}
