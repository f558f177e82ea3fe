"""Owns `muster export`: a system's tables as JSON, every kind flattened to rows and cells.

Does not know how a page looks; a cell's text is what a page shows of its value.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from generator.cli import show
from generator.cli.choices import FINE, library
from generator.systems import System
from generator.tables import Row, Table
from generator.values import BLANK, Number, Value


@click.command("export")
@click.argument("system")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="A file, not stdout.")
def command(*, system: str, out: Path | None) -> int:
    """Print a system's tables as JSON, or write them to a file."""
    data = exported(library().system(system))
    if out is None:
        show.data(data)
        return FINE
    from generator.pipeline.store import write_whole

    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    write_whole(out, text.encode())
    show.note(f"wrote {out}")
    return FINE


def exported(system: System) -> dict[str, Any]:
    """Give a system's tables as plain data.

    Raises:
        MusterError: With the faults of all tables that cannot be read.
    """
    identity = system.identity
    scales = [(scale.id, scale.title) for scale in system.scales]
    return {
        "system": {
            "id": system.id,
            "title": system.title,
            "edition": identity.edition,
            "source": identity.source.credit,
        },
        "tables": [_table(table.by_scale(scales)) for table in system.tables()],
    }


def _table(table: Table) -> dict[str, Any]:
    return {
        "id": table.id,
        "title": table.title,
        "kind": table.kind,
        "section": table.chapter,
        "columns": [{"id": column.id, "label": column.label} for column in table.columns],
        "rows": _rows(table.rows),
        "notes": list(table.notes),
    }


def _rows(rows: tuple[Row, ...]) -> list[dict[str, Any]]:
    """Flatten rows; a step within a step has the outer one's label for its group."""
    flat = []
    above: list[str] = []
    for row in rows:
        above = [*above[: row.depth], row.label]
        group = above[row.depth - 1] if row.depth else row.group
        cells = [{"text": cell.show(), "value": plain(cell)} for cell in row.cells]
        flat.append({"id": row.id, "label": row.label, "group": group, "cells": cells})
    return flat


def plain(value: Value) -> str | float | None:
    """Give a value as JSON holds it: a plain number as number, a blank as null, else its text."""
    if value is BLANK:
        return None
    if isinstance(value, Number):
        amount = value.amount
        return int(amount) if amount == amount.to_integral_value() else float(amount)
    return str(value)
