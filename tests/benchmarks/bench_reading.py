"""Owns the measuring of starts: `check` and `lookup` cold and warm, beside what any start costs.

Does not assert: times differ by machine, ratios less so. Run it by hand:
`.venv/bin/python tests/benchmarks/bench_reading.py`
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).parent.parent.parent
STARTS = 15
BAR = 1.8
MINIMUM = (
    "import pydantic, yaml\n"
    "class Model(pydantic.BaseModel):\n    name: str\n"
    "Model(name=yaml.safe_load('a'))\n"
)
LOOKUP = ("lookup", "slaughterloo", "kill-table", "attack-points=12", "hit-score=5")
SYSTEMS = ("slaughterloo", "seven-years-war")


def start(*arguments: str, **settings: str) -> float:
    """Give the seconds of one process from start to end."""
    begin = perf_counter()
    subprocess.run(  # noqa: S603 - our own program
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **settings},
        capture_output=True,
        check=True,
    )
    return perf_counter() - begin


def measured(scratch: Path, system_id: str) -> list[tuple[str, Callable[[], float]]]:
    """Name what is measured, and how each is done once."""
    army = ROOT / "armies" / system_id / "typical.yaml"
    kept = {"XDG_CACHE_HOME": str(scratch / "kept")}
    turn = 0

    def edited() -> float:
        nonlocal turn
        turn += 1
        path = scratch / f"{turn}.yaml"
        path.write_text(f"{army.read_text(encoding='utf-8')}\n# {turn}\n", encoding="utf-8")
        return start("-m", "muster", "check", str(path), **kept)

    return [
        ("pydantic, yaml and one model", lambda: start("-c", MINIMUM)),
        ("check warm", lambda: start("-m", "muster", "check", str(army), **kept)),
        ("check warm, army edited", edited),
        ("check without cache", lambda: start("-m", "muster", "check", str(army), **NONE)),
        ("lookup warm", lambda: start("-m", "muster", *LOOKUP, **kept)),
        ("lookup without cache", lambda: start("-m", "muster", *LOOKUP, **NONE)),
    ]


NONE = {"MUSTER_CACHE_MB": "0"}


def main() -> None:
    """Print a line for each system and start."""
    for system_id in SYSTEMS:
        with tempfile.TemporaryDirectory() as scratch:
            works = measured(Path(scratch), system_id)
            taken: dict[str, list[float]] = {name: [] for name, _ in works}
            for turn in range(STARTS + 1):
                for name, work in works:
                    seconds = work()
                    if turn:  # the first of each fills the cache
                        taken[name].append(seconds)
        base = median(taken["pydantic, yaml and one model"])
        for name, seconds_each in taken.items():
            typical = median(seconds_each)
            bar = f"  (bar {BAR})" if name == "check warm" else ""
            sys.stdout.write(
                f"{system_id:16} {name:30} {typical * 1000:5.0f} ms  {typical / base:4.2f}{bar}\n"
            )


if __name__ == "__main__":
    main()
