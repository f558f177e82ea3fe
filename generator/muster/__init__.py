"""Muster: rule systems and army lists of miniature wargames as data, checked and printed.

    import muster

    army = muster.load_army("armies/seven-years-war/typical.yaml")
    verdict = muster.check(army)
    print(verdict.legal, verdict.points)
    print(muster.lookup("slaughterloo", "kill-table", {"attack-points": 12, "hit-score": 5}))

Importing this package loads nothing else; each function loads what it needs. The objects that they
return are described in `muster.systems`, `muster.armies` and `muster.values`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from decimal import Decimal
    from os import PathLike
    from pathlib import Path

    from muster.armies import Army, Verdict
    from muster.systems import Library, System
    from muster.values import Value

__version__ = "0.1.0"

__all__ = ["build", "check", "load_army", "load_system", "lookup"]


def load_system(system_id: str, *, folder: str | PathLike[str] | None = None) -> System:
    """Return a rule system by its id; its tables, prose and errata are read when asked for.

    Args:
        system_id: The name of a folder below `content/`, such as `seven-years-war`.
        folder: The working folder, whose own `content/` comes before what is shipped with Muster.
            By default the current folder.

    Raises:
        MusterError: If there is no such system, or its `system.yaml` cannot be read.
    """
    return _library(folder).system(system_id)


def load_army(path: str | PathLike[str], *, folder: str | PathLike[str] | None = None) -> Army:
    """Return the army of an army file, with its rule system and army book.

    An illegal army loads like any other; `check` judges it.

    Raises:
        MusterError: If the file cannot be read or understood; it holds every problem found, each
            with its line and column.
    """
    from pathlib import Path  # noqa: PLC0415 - importing muster loads nothing

    from muster.armies import load_army as load  # noqa: PLC0415 - as above

    return load(Path(path), _library(folder))


def check(army: Army) -> Verdict:
    """Return the verdict on an army: whether it is legal, its findings, and its price.

    Points are exact decimals; `points` is None in a system without points. Findings are returned,
    never raised.
    """
    from muster.armies import check as judge  # noqa: PLC0415 - as above

    return judge(army)


def lookup(
    system: System | str,
    table: str,
    keys: Mapping[str, str | int | Decimal],
    *,
    scale: str = "",
) -> Value:
    """Return one cell of a table, as a typed value; `str()` gives what a file would say.

    Args:
        system: A rule system, or its id.
        table: The table's id.
        keys: Where the cell is. A key is the id of one of the table's axes, or `row` or `column`;
            its value is the id or label of a row or column or, along an axis of bands, a score
            after all modifiers. A table with one column needs no key for it.
        scale: The id of a scale, where a cell differs by scale.

    Raises:
        MusterError: If there is no such system or table.
        KeyError: If a key names no axis of the table.
        NoEntryError: If a key is off the table's edge; a `LookupError`.
    """
    from muster.tables.cell_lookup import find_cell  # noqa: PLC0415 - as above

    opened = load_system(system) if isinstance(system, str) else system
    return find_cell(opened.table(table), keys, scale)


def build(
    *systems: str,
    only: Sequence[str] = (),
    formats: Sequence[str] = (),
    out: str | PathLike[str] = "build",
    folder: str | PathLike[str] | None = None,
    jobs: int = 1,
) -> list[Path]:
    """Build the documents of some systems, or of all, and return the paths of all of them.

    What is up to date is not built again. An illegal army is printed too, marked as illegal.

    Args:
        systems: Ids of systems; none stands for all.
        only: The kinds of document: tokens, sheet, cards, roster, book, rulebook,
            web. By default all of them.
        formats: html, pdf, or both. By default both.
        out: The output folder.
        folder: The working folder; by default the current one.
        jobs: How many processes print. With more than one, a script that calls this must guard its
            top level with `if __name__ == "__main__":`, as for anything in `multiprocessing`.

    Raises:
        MusterError: If a file cannot be read or a document cannot be printed; all others have been
            built by then.
        OSError: If the output folder cannot be written, or a library that PDFs need is missing.
    """
    from functools import partial  # noqa: PLC0415 - as above
    from pathlib import Path  # noqa: PLC0415 - as above

    from muster.building.full_build import run_build  # noqa: PLC0415 - as above
    from muster.building.jobs import FORMATS, KINDS, Request  # noqa: PLC0415 - as above
    from muster.building.workers import Workers  # noqa: PLC0415 - as above
    from muster.problems import Location, MusterError, Problem  # noqa: PLC0415 - as above
    from muster.rendering.libraries import require_libraries  # noqa: PLC0415 - as above

    request = Request(
        Path(folder or Path.cwd()).resolve(),
        systems=tuple(systems),
        kinds=tuple(only) or KINDS,
        formats=tuple(formats) or FORMATS,
    )
    if "pdf" in request.formats:
        require_libraries("formats=['html'] builds pages for screens without it")
    target = Path(out)
    plan, outcome = run_build(request, target, partial(Workers, jobs))
    failed = [
        Problem("not-printed", failure.error or failure.bug, Location(failure.path))
        for failure in outcome.failed
    ]
    if plan.problems or failed:
        raise MusterError([*plan.problems, *failed])
    return [target / job.path for job in plan.jobs]


def _library(folder: str | PathLike[str] | None) -> Library:
    """Return the library of a working folder, which includes what is shipped."""
    from pathlib import Path  # noqa: PLC0415 - as above

    from muster.systems import Library  # noqa: PLC0415 - as above

    return Library(Path(folder) if folder is not None else None)
