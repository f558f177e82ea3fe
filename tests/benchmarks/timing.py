"""What benchmarks share: timed functions that take turns, their medians, and a table of ratios."""

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

_NO_COMPILED_MODULES = "PYTHONDONTWRITEBYTECODE"

Work = Callable[[], float]
"""Does something once, and returns the seconds that it took."""


def clock(work: Callable[[], object]) -> float:
    """Return the seconds that a function takes."""
    begin = perf_counter()
    work()
    return perf_counter() - begin


def in_turns(repeats: int, works: Sequence[Work]) -> list[float]:
    """Return each function's median seconds; they take turns, to share the load."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(repeats):
        for work, taken in zip(works, times, strict=True):
            taken.append(work())
    return [median(taken) for taken in times]


def muster(folder: Path, *arguments: str) -> float:
    """Run `muster` in a process of its own, and return the seconds that it took.

    Raises:
        RuntimeError: If it failed, with what it wrote to stderr.
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
    """Return the environment of a process that imports this Muster, with compiled modules kept.

    Test machines may be set to keep none, but users' machines are not.
    """
    kept = {key: value for key, value in os.environ.items() if key != _NO_COMPILED_MODULES}
    return {**kept, "PYTHONPATH": str(ROOT / "generator")}


def row(what: str, seconds: float, ratio: float | None = None, bar: str = "") -> None:
    """Write a row of a table: name, seconds, ratio, and the bar that the ratio must meet."""
    told = "" if ratio is None else f"{ratio:7.3f}"
    sys.stdout.write(f"{what:64} {seconds:8.3f} s {told:>8}  {bar}\n")
    sys.stdout.flush()
