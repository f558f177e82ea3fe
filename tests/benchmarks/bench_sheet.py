"""Owns the measuring of a sheet's print and of a check's start, each beside its bare minimum.

Does not assert: times differ by machine, ratios less so. Run it by hand:
`.venv/bin/python tests/benchmarks/bench_sheet.py`
"""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))

from generator.documents.sheet import gather_sheet  # noqa: E402
from generator.rendering import sheet as rendering  # noqa: E402
from generator.rendering.fit import Memory  # noqa: E402
from generator.rendering.paper import PAPERS  # noqa: E402
from generator.rendering.printer import Printed, Printer  # noqa: E402
from generator.rendering.studio import Studio  # noqa: E402
from generator.systems import Library  # noqa: E402

PRINTS = 5
STARTS = 9
MINIMUM = (
    "import pydantic, yaml\n"
    "class Model(pydantic.BaseModel):\n    name: str\n"
    "Model(name=yaml.safe_load('a'))\n"
)
ARMIES = ("slaughterloo", "seven-years-war")


def clock(work: Callable[[], object]) -> float:
    """Give the seconds that a piece of work takes."""
    begin = perf_counter()
    work()
    return perf_counter() - begin


def side_by_side(count: int, *works: Callable[[], object]) -> list[float]:
    """Give the median of each work's seconds; they take turns, so that all share one weather."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(count):
        for work, taken in zip(works, times, strict=True):
            taken.append(clock(work))
    return [median(taken) for taken in times]


class _Ear(Printer):
    """Keeps the HTML and styles that it was last asked to print."""

    def pdf(self, html: str, styles: Sequence[str], *rest: Any, **choices: Any) -> Printed:
        """Print, and keep what was asked."""
        self.asked = (html, list(styles))
        return super().pdf(html, self.asked[1], *rest, **choices)


def prints(system_id: str) -> None:
    """Measure a sheet's PDF in a warm process: first, again, and WeasyPrint alone."""
    library = Library(ROOT)
    studio = Studio(library.templates())
    printer = _Ear(studio.folders, studio.faces)
    studio.__dict__["printer"] = printer
    sheet = gather_sheet(library.system(system_id))
    paper = PAPERS["a4"]
    memory: Memory = {}
    cold = clock(lambda: rendering.sheet_pdf(studio, sheet, paper, memory))
    html, styles = printer.asked
    gc.collect()
    gc.freeze()
    again, first, alone = side_by_side(
        PRINTS,
        lambda: rendering.sheet_pdf(studio, sheet, paper, memory),
        lambda: rendering.sheet_pdf(studio, sheet, paper, {}),
        lambda: printer.pdf(html, styles, "alone"),
    )
    sys.stdout.write(
        f"{system_id:16} sheet: WeasyPrint alone {alone:5.2f} s; size known {again:5.2f} s, "
        f"ratio {again / alone:.2f}; size sought {first:5.2f} s, ratio {first / alone:.2f}; "
        f"process still cold {cold:5.2f} s\n"
    )


def checks(system_id: str) -> None:
    """Measure `muster check` of one army as a whole process."""
    army = ROOT / "armies" / system_id / "typical.yaml"

    def start(*arguments: str) -> Callable[[], object]:
        command = [sys.executable, *arguments]
        return lambda: subprocess.run(command, cwd=ROOT, capture_output=True, check=True)  # noqa: S603 - our own program

    check, minimum = side_by_side(
        STARTS, start("-m", "generator", "check", str(army)), start("-c", MINIMUM)
    )
    sys.stdout.write(
        f"{system_id:16} check: {check * 1000:4.0f} ms; pydantic, yaml and one model "
        f"{minimum * 1000:4.0f} ms; ratio {check / minimum:.2f}\n"
    )


def main() -> None:
    """Print a line for each system and measure."""
    for system_id in ARMIES:
        checks(system_id)
    for system_id in ARMIES:
        prints(system_id)


if __name__ == "__main__":
    main()
