"""Print results, notes and problems: results on stdout, everything else on stderr."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from muster.cli.options import global_options
from muster.problems import Problem

COLOURS = {"error": "red", "warning": "yellow"}


def problems(found: Iterable[Problem]) -> None:
    """Print faults of files to stderr, each once, with its place, its line and an example."""
    for problem in dict.fromkeys(found):
        first, *rest = problem.render().splitlines()
        click.echo(click.style(first, bold=True), err=True)
        for line in rest:
            click.echo(click.style(line, fg="red") if line.strip() == "^" else line, err=True)


def error(text: str) -> None:
    """Print one fault that has no place in a file."""
    click.echo(click.style(f"muster: {text}", fg="red"), err=True)


def note(text: str) -> None:
    """Print a remark to stderr, unless the run is quiet."""
    if not global_options().quiet:
        click.echo(text, err=True)


def result(text: str = "") -> None:
    """Print a line of what was asked for."""
    click.echo(text)


def data(found: Any) -> None:
    """Print JSON, readable and with its own letters."""
    click.echo(json.dumps(found, indent=2, ensure_ascii=False))


def severity(word: str) -> str:
    """Colour the word `error` or `warning`."""
    return click.style(word, fg=COLOURS.get(word), bold=True)


def place(file: str, line: int | None, column: int | None) -> str:
    """Write a place as editors know it: `file:line:column`, as far as it is known."""
    return ":".join(str(part) for part in (file, line, column) if part is not None)


def aligned(rows: Iterable[tuple[str, ...]], right: frozenset[int] = frozenset()) -> list[str]:
    """Set rows of words under each other, two blanks apart; *right* columns to the right."""
    kept = [tuple(row) for row in rows]
    if not kept:
        return []
    widths = [max(len(row[n]) for row in kept) for n in range(len(kept[0]))]
    lines = []
    for row in kept:
        cells = [
            cell.rjust(width) if n in right else cell.ljust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def relative_path(path: Path) -> str:
    """Name a path from the working folder on, where it lies below it."""
    with suppress(ValueError):
        return str(path.relative_to(Path.cwd()))
    return str(path)
