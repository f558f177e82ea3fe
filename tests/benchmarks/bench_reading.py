"""Measure whole processes of `check` and `lookup`, compared with the least that any would need.

Nothing is asserted, since times differ between machines (ratios less). Run it by hand:
`.venv/bin/python tests/benchmarks/bench_reading.py [REPEATS]`
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from tests.benchmarks.timing import clock, environment, in_turns, muster, row  # noqa: E402

REPEATS = 15
BAR = "<= 2.5"
MINIMUM = (
    "import pydantic, yaml\n"
    "class Model(pydantic.BaseModel):\n    name: str\n"
    "Model(name=yaml.safe_load('a'))\n"
)
LOOKUP = ("lookup", "slaughterloo", "kill-table", "attack-points=12", "hit-score=5")
SYSTEMS = ("slaughterloo", "seven-years-war")


def minimum() -> None:
    """Start Python, import pydantic and yaml, and read one model."""
    subprocess.run([sys.executable, "-c", MINIMUM], env=environment(), check=True)  # noqa: S603 - Python


def main() -> None:
    """Write a row for the imports alone, one for `check` of each system, and one for `lookup`."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else REPEATS
    armies = [ROOT / "armies" / system_id / "typical.yaml" for system_id in SYSTEMS]
    commands = [("check", str(army)) for army in armies] + [LOOKUP]
    for command in commands:
        muster(ROOT, *command)  # Compiles the modules that are not compiled yet.
    works = [lambda command=command: muster(ROOT, *command) for command in commands]
    base, *seconds_of = in_turns(repeats, [lambda: clock(minimum), *works])
    row("pydantic, yaml and one model", base)
    for command, seconds in zip(commands, seconds_of, strict=True):
        row(f"{command[0]} {Path(command[1]).parent.name}".rstrip(), seconds, seconds / base, BAR)


if __name__ == "__main__":
    main()
