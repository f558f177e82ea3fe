"""Owns what benchmarks share: works that take turns, their medians, and a table of ratios.

Does not measure anything of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent.parent
MUSTER = (sys.executable, "-m", "muster")

_COMPILES_ANEW = "PYTHONDONTWRITEBYTECODE"

Work = Callable[[], float]
"""Does something once, and gives the seconds that it took."""


def clock(work: Callable[[], object]) -> float:
    """Give the seconds that a piece of work takes."""
    begin = perf_counter()
    work()
    return perf_counter() - begin


def in_turns(repeats: int, works: Sequence[Work]) -> list[float]:
    """Give the median of each work's seconds; they take turns, so that all share one weather."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(repeats):
        for work, taken in zip(works, times, strict=True):
            taken.append(work())
    return [median(taken) for taken in times]


def muster(folder: Path, *arguments: str) -> float:
    """Run `muster` as a process of its own; give the seconds that it took.

    Raises:
        RuntimeError: If it did not end well, with what it said.
    """
    begin = perf_counter()
    done = subprocess.run(  # noqa: S603 - our own program
        [*MUSTER, *arguments],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = perf_counter() - begin
    if done.returncode:
        raise RuntimeError(done.stderr)
    return seconds


def environment() -> dict[str, str]:
    """Give the environment of a process that finds this Muster, and keeps what Python compiles.

    A machine for tests may be told to keep none; a user's is not, and no start compiles anew.
    """
    kept = {key: value for key, value in os.environ.items() if key != _COMPILES_ANEW}
    return {**kept, "PYTHONPATH": str(ROOT / "generator")}


def row(what: str, seconds: float, ratio: float | None = None, bar: str = "") -> None:
    """Print a row of a table: what, seconds, ratio, and the bar that it is held to."""
    told = "" if ratio is None else f"{ratio:7.3f}"
    sys.stdout.write(f"{what:64} {seconds:8.3f} s {told:>8}  {bar}\n")
    sys.stdout.flush()
