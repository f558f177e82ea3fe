"""Measure systems with random tables: is any document much slower in one than in the others?

Tables of random size are added to the system that `muster new system` writes, and an edition for
each theme. Documents that take a few milliseconds are left out. Nothing is asserted. Run it by
hand: `.venv/bin/python tests/benchmarks/bench_random.py [--systems 20]`
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import get_args

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from muster.building import workers  # noqa: E402
from muster.building.workers import Task, render_task  # noqa: E402
from muster.systems import Library  # noqa: E402
from muster.systems.rulebook_edition import ThemeId  # noqa: E402
from tests.plans import make_plan  # noqa: E402
from tests.scaffold import lay_out  # noqa: E402

EDITION = """id: {theme}
title: In {theme}
date: "2026-01-31"
theme: {theme}
"""
SHORTEST_S = 0.05

TABLE = """id: {id}
title: Random {id}
kind: grid
chapter: movement
source: L1
phase: movement
form: distance
columns: [{columns}]
rows:
{rows}
"""


def random_system(folder: Path, chance: random.Random) -> None:
    """Write a system with some grids of random size on its sheet."""
    content = lay_out(folder)
    sheet = content / "sheets" / "quick-reference.yaml"
    names = []
    for number in range(chance.randint(1, 5)):
        width, height = chance.randint(2, 6), chance.randint(3, 12)
        columns = ", ".join(f"{{id: c{n}, label: Col {n}}}" for n in range(width))
        rows = "\n".join(
            f"  - {{id: r{n}, label: Row of number {n}, cells: ["
            + ", ".join(f"{chance.randint(1, 60)}cm" for _ in range(width))
            + "]}"
            for n in range(height)
        )
        name = f"random-{number}"
        text = TABLE.format(id=name, columns=columns, rows=rows)
        (content / "tables" / f"{name}.yaml").write_text(text, encoding="utf-8")
        names.append(name)
    with (content / "prose" / "03-movement.md").open("a", encoding="utf-8") as chapter:
        chapter.writelines(f"\n{{table: {name}}}\n" for name in names)
    blocks = "".join(f"      - {{table: {name}}}\n" for name in names)
    for theme in get_args(ThemeId):
        edition = EDITION.format(theme=theme)
        (content / "editions" / f"{theme}.yaml").write_text(edition, encoding="utf-8")
    text = sheet.read_text(encoding="utf-8")
    at = text.index("blocks:\n") + len("blocks:\n")
    sheet.write_text(text[:at] + blocks + text[at:], encoding="utf-8")


def main() -> None:
    """Write the median and the worst seconds of each document over all systems."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--systems", type=int, default=20)
    chosen = reader.parse_args()
    chance = random.Random(1)  # noqa: S311 - tables, not secrets
    times: dict[str, list[float]] = {}
    workers.start_rendering([str(ROOT / "templates")])
    # The first system only warms up the process.
    for turn in range(chosen.systems + 1):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            random_system(folder, chance)
            plan = make_plan(Library(folder, ROOT), ["club"])
            for problem in plan.problems:
                sys.stdout.write(f"{problem.render()}\n")
            for job in plan.jobs:
                begin = perf_counter()
                done = render_task(Task(job))
                if done.bug or done.error:
                    sys.stdout.write(f"{job.path}: {done.bug or done.error}\n")
                    continue
                if turn:
                    times.setdefault(job.path, []).append(perf_counter() - begin)
    workers.stop_rendering()
    for path, taken in times.items():
        middle, worst = median(taken), max(taken)
        if worst < SHORTEST_S:
            continue
        sys.stdout.write(
            f"{path:44} median {middle:6.3f} s, worst {worst:6.3f} s, "
            f"ratio {worst / middle:5.2f} (<= 2)\n"
        )


if __name__ == "__main__":
    main()
