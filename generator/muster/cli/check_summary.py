"""What `muster check` prints of several files: a line for each, and how many are legal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any

import click

from muster.cli import show
from muster.cli.army_files import NO_ARMY
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
    """Print a line for each file, then how many are legal; the entries are those of the JSON.

    A folder without army files, which is an entry too, is no file.
    """
    entries = [entry for entry in entries if not _is_empty_folder(entry)]
    if not entries:
        return
    show.result(click.style("Summary", bold=True))
    several_systems = len({entry["system"] for entry in entries} - {None}) > 1
    for line in show.aligned(_row(entry, with_system=several_systems) for entry in entries):
        show.result(f"  {line}")
    verdicts = [entry["legal"] for entry in entries]
    words = ((True, "legal"), (False, "not legal"), (None, "unreadable"))
    counts = [f"{verdicts.count(legal)} {word}" for legal, word in words if legal in verdicts]
    show.result(f"{show.counted(len(entries), 'file')}: {', '.join(counts)}")


_COLUMNS = (
    "file", "player", "army", "system", "verdict", "points", "limit", "errors", "warnings",
    "findings",
)  # fmt: skip
"""The head of the CSV table."""


def print_csv(entries: Sequence[dict[str, Any]], players: Sequence[str]) -> None:
    """Print a CSV table with a row for each file; the entries are those of the JSON.

    Text that a spreadsheet would take for a formula is given an apostrophe.

    Args:
        entries: The entries.
        players: The player of each; empty if the army names none.
    """
    from muster.exchange.csv_tables import csv_text

    rows = [_csv_row(entry, player) for entry, player in zip(entries, players, strict=True)]
    for line in csv_text([_COLUMNS, *map(tuple, rows)]).splitlines():
        show.result(line)


def _csv_row(entry: dict[str, Any], player: str) -> Iterator[str]:
    severities = [finding["severity"] for finding in entry["findings"]]
    texts = [problem["text"] for problem in entry.get("problems", ())]
    texts += [f"{each['message']} {each['remedy']}".strip() for each in entry["findings"]]
    yield from (entry["file"], player, entry["army"] or "", entry["system"] or "")
    yield _WORDS[entry["legal"]].lower()
    for key in ("points", "limit"):
        yield "" if entry[key] is None else show.decimal_text(Decimal(str(entry[key])))
    yield from (str(severities.count(severity)) for severity in ("error", "warning"))
    yield " | ".join(texts)


_WORDS = {True: "LEGAL", False: "NOT LEGAL", None: "UNREADABLE"}


def _is_empty_folder(entry: dict[str, Any]) -> bool:
    return any(problem["code"] == NO_ARMY for problem in entry.get("problems", ()))


def _row(entry: dict[str, Any], *, with_system: bool) -> tuple[str, ...]:
    """Return the file, the army, its system if asked for, the verdict, the total and the findings.

    The total is given with its limit, and errors apart from warnings.
    """
    file = entry["file"] if entry["file"].isprintable() else ascii(entry["file"])
    army = (entry["army"] or "", *((entry["system"] or "",) if with_system else ()))
    if entry["legal"] is None:
        return file, *army, _WORDS[None], "", show.counted(len(entry["problems"]), "problem")
    numbers = [
        show.decimal_text(Decimal(str(entry[key])))
        for key in ("points", "limit")
        if entry["points"] is not None and entry[key] is not None
    ]
    severities = [finding["severity"] for finding in entry["findings"]]
    counts = [
        show.counted(severities.count(severity), severity)
        for severity in ("error", "warning")
        if severity in severities
    ]
    found = ", ".join(counts) or "no findings"
    return file, *army, _WORDS[entry["legal"]], "/".join(numbers), found
