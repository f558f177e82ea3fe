"""Print results, notes and problems: results on stdout, everything else on stderr."""

from __future__ import annotations

import codecs
import json
import os
import shlex
import sys
from collections.abc import Iterable, Sequence
from decimal import Decimal
from io import TextIOWrapper
from itertools import chain
from typing import Any

import click

from muster.cli.options import global_options
from muster.problems import Problem, visible, visible_json

BUG_TEXT = "this is a bug in Muster"

MAX_LISTED = 12
"""The number of names that a message lists."""

_COLOURS = {"error": "red", "warning": "yellow"}
_CHANGE_SIGNS = {"changed": "~", "added": "+", "removed": "-", "renamed": "=", "moved": ">"}
_CHANGE_COLOURS = {"changed": "yellow", "added": "green", "removed": "red", "renamed": "cyan"}

_PLAIN = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "→": ">", "…": "..."}
    | {"\u202f": " ", "×": "x", "″": '"', "¼": "1/4", "½": "1/2", "¾": "3/4", "·": "-"}
)
"""What stands for the characters of our messages on a terminal that does not have them."""


def _plain_characters(error: UnicodeError) -> tuple[str, int]:
    """Return what to print instead of characters that an encoding lacks, as a codec wants it."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    plain = error.object[error.start : error.end].translate(_PLAIN)
    return "".join(char if char.isascii() else "?" for char in plain), error.end


def prepare_streams() -> None:
    """Make stdout and stderr fit for any text, even if one is closed or not of Unicode."""
    codecs.register_error("muster-plain", _plain_characters)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115 - kept
        elif isinstance(stream, TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors="muster-plain")


def problems(found: Iterable[Problem]) -> None:
    """Print problems in files to stderr, each once, with its place, source line and example.

    Those of one file are printed together, from top to bottom.
    """
    by_file: dict[str, list[Problem]] = {}
    for problem in dict.fromkeys(found):
        by_file.setdefault(problem.location.file, []).append(problem)
    for each in by_file.values():
        each.sort(key=lambda problem: (problem.location.line or 0, problem.location.column or 0))
    for problem in chain.from_iterable(by_file.values()):
        first, *rest = problem.render().splitlines()
        click.echo(click.style(first, bold=True), err=True)
        for line in rest:
            click.echo(click.style(line, fg="red") if line.strip() == "^" else line, err=True)


def error(text: str) -> None:
    """Print an error that has no place in a file to stderr."""
    click.echo(click.style(visible(f"muster: {text}"), fg="red"), err=True)


def note(text: str) -> None:
    """Print a remark to stderr, unless the run is quiet."""
    if not global_options().quiet:
        click.echo(visible(text), err=True)


def result(text: str = "") -> None:
    """Print a line of the result to stdout."""
    click.echo(visible(text))


def data(value: Any) -> None:
    """Print a value to stdout as indented JSON."""
    text = json_text(value)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(json.loads(text), indent=2)
    click.echo(text)


def json_text(value: Any) -> str:
    """Return a value as indented JSON, with letters beyond ASCII as they are."""
    return visible_json(json.dumps(value, indent=2, ensure_ascii=False))


def command(*words: str) -> str:
    """Return a call of Muster in the folder of this run, quoted so that it can be pasted."""
    folder = global_options().folder
    whole = ["muster", *(["--folder", folder] if folder else []), *words]
    return " ".join(
        shlex.quote(word) if word.isprintable() else _bytes_word(word) for word in whole
    )


def _bytes_word(word: str) -> str:
    """Return a word of which not all can be seen, in the form that shells read byte by byte."""
    plain = set(range(0x20, 0x7F)) - {ord("'"), ord("\\")}
    shown = (chr(byte) if byte in plain else f"\\{byte:03o}" for byte in os.fsencode(word))
    return f"$'{''.join(shown)}'"


def event(name: str, **facts: Any) -> None:
    """Print an event to stdout as one line of JSON, and flush it to the program that reads it."""
    click.echo(json.dumps(json.loads(json_text({"event": name, **facts}))))
    sys.stdout.flush()


def severity(word: str) -> str:
    """Return the word `error` or `warning` in its colour."""
    return click.style(word, fg=_COLOURS.get(word), bold=True)


def change_sign(kind: str) -> str:
    """Return the sign of a kind of change in its colour: `+` for `added`."""
    return click.style(_CHANGE_SIGNS[kind], fg=_CHANGE_COLOURS.get(kind), bold=True)


def decimal_text(number: Decimal) -> str:
    """Return a number without trailing zeros and without an exponent."""
    return f"{number.normalize():f}"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 unit`, `2 units`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(names: Sequence[str], most: int = MAX_LISTED) -> str:
    """Return names with commas, and how many more there are beyond the most that are printed."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def aligned(rows: Iterable[tuple[str, ...]], right: frozenset[int] = frozenset()) -> list[str]:
    """Return rows as lines of columns, two blanks apart.

    Args:
        rows: The cells of each row; all rows have the same number.
        right: The columns that are aligned to the right, counted from 0.
    """
    cells = [tuple(row) for row in rows]
    if not cells:
        return []
    widths = [max(len(cell) for cell in column) for column in zip(*cells, strict=True)]
    lines = []
    for row in cells:
        padded = [
            cell.rjust(width) if n in right else cell.ljust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(padded).rstrip())
    return lines
