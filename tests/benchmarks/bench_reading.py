"""Measure how long `check`, `lookup` and `list` take from start to end, beside bare imports.

It asserts nothing, since times differ by machine (ratios less so). Run it by hand:
`.venv/bin/python tests/benchmarks/bench_reading.py`. It measures CPU time, user and system, of
the whole process and its children, as a user's machine runs it: with compiled modules kept.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent.parent
RUNS = 15
BAR = 2.5
"""How many times bare imports `check` may take."""

BARE_IMPORTS = "pydantic, yaml and one model"
SCRIPT = (
    "import pydantic, yaml\n"
    "class Model(pydantic.BaseModel):\n    name: str\n"
    "Model(name=yaml.safe_load('a'))\n"
)
COMMANDS = (
    ("check", "armies/huzzah/typical.yaml"),
    ("check", "armies/slaughterloo/typical.yaml"),
    ("check", "armies/seven-years-war/typical.yaml"),
    ("check", "armies/seven-years-war/large.yaml"),
    ("lookup", "slaughterloo", "kill-table", "attack-points=12", "hit-score=5"),
    ("list",),
)


def run(*arguments: str) -> float:
    """Return the seconds of CPU time that one process takes."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "generator")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(  # noqa: S603 - our own program
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main() -> None:
    """Print a line for each command: its time, and how many times bare imports that is."""
    works: dict[str, Callable[[], float]] = {BARE_IMPORTS: partial(run, "-c", SCRIPT)}
    for command in COMMANDS:
        works[" ".join(command[:2])] = partial(run, "-m", "muster", *command)
    seconds: dict[str, list[float]] = {name: [] for name in works}
    # Taken in turns, so that whatever else the machine does meets all of them alike.
    for turn in range(RUNS + 1):
        for name, work in works.items():
            taken = work()
            if turn:  # the first run compiles modules
                seconds[name].append(taken)
    base = median(seconds[BARE_IMPORTS])
    for name, taken_each in seconds.items():
        typical = median(taken_each)
        bar = f"  (bar {BAR})" if name.startswith("check") else ""
        sys.stdout.write(f"{name:42} {typical * 1000:5.0f} ms  {typical / base:4.2f}{bar}\n")


if __name__ == "__main__":
    main()
