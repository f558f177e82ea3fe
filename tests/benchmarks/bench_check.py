"""Measure how many armies are checked per second on one core, after they have been read.

Nothing is asserted, since times differ between machines. Run it by hand:
`.venv/bin/python tests/benchmarks/bench_check.py`
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))

from muster.armies import Army, army_from_document, check  # noqa: E402
from muster.systems import Library  # noqa: E402
from muster.yamlfile import document_from_text  # noqa: E402

SIZES = (12, 30, 120)
SECONDS = 1.0


def seven_years_war(units: int, turn: int) -> str:
    """Return the text of an army of commands of six units; each `turn` gives another army."""
    lines = ["system: seven-years-war", "book: prussia", f"name: Army {turn}", "limit: 9999"]
    lines += ["commander: {name: The King}", "commands:"]
    for first in range(0, units, 6):
        lines += ["  - general: {training: average}", "    groups:"]
        lines += ["      - units:"]
        lines += [
            f"          - {{unit: musketeers, name: No {first + n}, stands: {3 + (turn + n) % 2}}}"
            for n in range(3)
        ]
        lines += ["      - units:"]
        lines += [f"          - {{unit: hussars, stands: {2 + (turn + n) % 3}}}" for n in range(2)]
        lines += ["      - units:", "          - {unit: heavy-artillery}"]
    return "\n".join(lines)


def slaughterloo(units: int, turn: int) -> str:
    """Return the text of an army of divisions of six units; each `turn` gives another army."""
    lines = ["system: slaughterloo", "book: sample-human", f"name: Army {turn}", "limit: 99999"]
    lines += ["commander: {experience: average}", "divisions:"]
    for _ in range(0, units, 6):
        lines += ["  - general: {experience: raw}", "    units:"]
        lines += [
            f"      - {{unit: fusiliers, name: No {n}, figures: {8 + 4 * ((turn + n) % 4)}}}"
            for n in range(4)
        ]
        lines += ["      - {unit: lancers, figures: 8}"]
        lines += [f"      - {{unit: field-battery, guns: {1 + turn % 3}, figures: 4}}"]
    return "\n".join(lines)


def rate(armies: list[Army]) -> float:
    """Return how many armies are checked per second, all of them legal."""
    for army in armies:
        assert check(army).legal, check(army).findings
    done = 0
    begin = time.perf_counter()
    while (taken := time.perf_counter() - begin) < SECONDS:
        for army in armies:
            check(army)
        done += len(armies)
    return done / taken


def main() -> None:
    """Write a line for each system and size."""
    library = Library(ROOT)
    for write in (seven_years_war, slaughterloo):
        for units in SIZES:
            texts = [write(units, turn) for turn in range(100)]
            begin = time.perf_counter()
            armies = [
                army_from_document(document_from_text(text, "army.yaml"), library) for text in texts
            ]
            read = len(armies) / (time.perf_counter() - begin)
            fast = rate(armies)
            sys.stdout.write(
                f"{write.__name__:16} {units:4} units: {fast:8.0f} checked/s, {read:7.0f} read/s\n"
            )


if __name__ == "__main__":
    main()
