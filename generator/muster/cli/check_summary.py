"""What `muster check` prints of several files: a line for each, and how many are legal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

import click

from muster.cli import show
from muster.problems import Problem


def unreadable_entry(file: str, problems: Iterable[Problem]) -> dict[str, Any]:
    """Return the element of the JSON list for a file that cannot be read: a verdict of nulls."""
    return {
        "file": file,
        "army": None,
        "system": None,
        "legal": None,
        "points": None,
        "limit": None,
        "lines": [],
        "findings": [],
        "problems": [
            {
                "code": problem.code,
                "text": problem.text,
                "file": problem.location.file,
                "line": problem.location.line,
                "column": problem.location.column,
            }
            for problem in problems
        ],
    }


def print_summary(entries: Sequence[dict[str, Any]]) -> None:
    """Print a line for each file, then how many are legal; the entries are those of the JSON."""
    show.result(click.style("Summary", bold=True))
    for line in show.aligned(_row(entry) for entry in entries):
        show.result(f"  {line}")
    verdicts = [entry["legal"] for entry in entries]
    words = ((True, "legal"), (False, "not legal"), (None, "unreadable"))
    counts = [f"{verdicts.count(legal)} {word}" for legal, word in words if legal in verdicts]
    show.result(f"{show.counted(len(entries), 'file')}: {', '.join(counts)}")


_WORDS = {True: "LEGAL", False: "NOT LEGAL", None: "UNREADABLE"}


def _row(entry: dict[str, Any]) -> tuple[str, ...]:
    """Return the file, the verdict, the total with its limit, and the number of findings."""
    file = entry["file"] if entry["file"].isprintable() else ascii(entry["file"])
    if entry["legal"] is None:
        return file, _WORDS[None], "", show.counted(len(entry["problems"]), "problem")
    numbers = [
        show.decimal_text(Decimal(str(entry[key])))
        for key in ("points", "limit")
        if entry["points"] is not None and entry[key] is not None
    ]
    count = show.counted(len(entry["findings"]), "finding")
    return file, _WORDS[entry["legal"]], "/".join(numbers), count
