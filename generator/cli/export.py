"""Owns `muster export`: a whole edition of a system as JSON, its tables flattened to cells.

Does not gather the data; `comparing.edition` does, so that two exports can be compared.
"""

from __future__ import annotations

import json
from pathlib import Path

import click

from generator.cli import show
from generator.cli.choices import FINE, library


@click.command("export")
@click.argument("system")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="A file, not stdout.")
def command(*, system: str, out: Path | None) -> int:
    """Print all that a system says as JSON, or write it to a file; `muster diff` reads it."""
    from generator.comparing.edition import edition_data

    data = edition_data(library().system(system))
    if out is None:
        show.data(data)
        return FINE
    from generator.pipeline.store import write_whole

    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    write_whole(out, text.encode())
    show.note(f"wrote {out}")
    return FINE
