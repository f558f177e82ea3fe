"""Owns what is taken away: outputs that are no longer planned, or all that Muster wrote.

Does not touch a file that Muster did not write, nor one that was altered since.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from generator.pipeline.cache import FOLDER
from generator.pipeline.record import Record
from generator.pipeline.store import HOME, locked, sweep

if TYPE_CHECKING:
    from generator.pipeline.plan import Plan

INDEX = "index"
"""The unit of the index, which every build writes."""


def clear(plan: Plan, record: Record, out: Path) -> tuple[list[str], list[str]]:
    """Take away outputs of which the plan knows nothing more; give them, and those left.

    What could not be planned this time, for a fault in a file, stays.
    """

    def wanted(unit: str) -> bool:
        if unit in plan.units or unit in ("", INDEX):
            return True
        below = tuple(f"{each}{end}" for each in plan.failed for end in "/-")
        return unit in plan.failed or unit.startswith(below)

    old = [path for path, output in record.outputs.items() if not wanted(output.unit)]
    return _take(old, record, out)


def _take(paths: Iterable[str], record: Record, out: Path) -> tuple[list[str], list[str]]:
    removed, left = [], []
    for path in sorted(paths):
        state = record.outputs.pop(path).state(out / path)
        if state == "altered":
            left.append(path)
            continue
        with suppress(OSError):
            (out / path).unlink()
            removed.append(path)
        _drop_empty((out / path).parent, out)
    return removed, left


def _drop_empty(folder: Path, out: Path) -> None:
    """Take away folders that hold nothing any more, up to the output folder."""
    while folder != out and out in folder.parents:
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent


def clean(out: Path, *, cache_only: bool = False) -> tuple[list[str], list[str], int]:
    """Take away all that builds wrote into a folder, or the cache of prints alone.

    Returns:
        The outputs taken away, those left since they were altered, and the bytes of the cache.

    Raises:
        OSError: If the folder cannot be written.
    """
    if not (out / HOME).is_dir():
        return [], [], 0
    removed: list[str] = []
    left: list[str] = []
    with locked(out):
        size = sum(path.stat().st_size for path in (out / HOME / FOLDER).glob("*/*"))
        shutil.rmtree(out / HOME / FOLDER, ignore_errors=True)
        if not cache_only:
            sweep(out)
            record = Record(out)
            removed, left = _take(list(record.outputs), record, out)
            shutil.rmtree(out / HOME, ignore_errors=True)
    if not cache_only:
        # Windows keeps a lock that is held; now it is not.
        shutil.rmtree(out / HOME, ignore_errors=True)
        with suppress(OSError):
            out.rmdir()
    return removed, left, size
