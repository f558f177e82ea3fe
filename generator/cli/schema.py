"""Owns `muster schema`: JSON Schemas of every kind of file, for completion in editors.

Does not check files: an editor's completion helps, `muster lint` and `muster check` decide.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from generator.cli import show
from generator.cli.choices import FINE, library

DIALECT = "https://json-schema.org/draft/2020-12/schema"


@click.command("schema")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="A folder to fill.")
def command(*, out: Path | None) -> int:
    """Print JSON Schemas of all kinds of files, or write each into a folder."""
    from generator.armies.schema import army_schema

    found = kinds()
    shelf = library()
    for key in shelf.systems():
        system = shelf.system(key)
        if system.has("composition.yaml"):
            found[f"army-{key}"] = army_schema(system, shelf.book_folders(key))
    for name, schema in found.items():
        found[name] = {"$schema": DIALECT, **schema}
    if out is None:
        show.data(found)
        return FINE
    from generator.pipeline.store import write_whole

    for name, schema in found.items():
        text = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        write_whole(out / f"{name}.schema.json", text.encode())
    show.note(f"wrote {len(found)} schemas into {out}")
    return FINE


def kinds() -> dict[str, dict[str, Any]]:
    """Give the schema of every kind of file that is the same for all systems."""
    from pydantic import BaseModel

    from generator.armies.books import WrittenBook
    from generator.armies.themes import Drafting, Theme
    from generator.armies.vocabulary import WrittenComposition
    from generator.systems.editions import Edition
    from generator.systems.errata import Errata
    from generator.systems.identity import Identity
    from generator.systems.layouts import Cards, Sheet
    from generator.tables.written import KINDS

    models: dict[str, type[BaseModel]] = {
        "system": Identity,
        "errata": Errata,
        "sheet": Sheet,
        "cards": Cards,
        "edition": Edition,
        "composition": WrittenComposition,
        "book": WrittenBook,
        "drafting": Drafting,
        "theme": Theme,
        **{f"table-{kind}": model for kind, model in KINDS.items()},
    }
    return {name: model.model_json_schema() for name, model in models.items()}
