"""Measure a sheet's PDF compared with WeasyPrint alone.

Nothing is asserted, since times differ between machines (ratios less). Run it by hand:
`.venv/bin/python tests/benchmarks/bench_sheet.py`
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))

from muster.armies import load_army  # noqa: E402
from muster.documents.sheet import Sheet, gather_sheet  # noqa: E402
from muster.rendering import sheet_pages as rendering  # noqa: E402
from muster.rendering.environment import TemplateEnvironment  # noqa: E402
from muster.rendering.paper import PAPERS  # noqa: E402
from muster.rendering.printed import Printed  # noqa: E402
from muster.rendering.printer import Printer  # noqa: E402
from muster.rendering.type_size import SizeMemory  # noqa: E402
from muster.systems import Library  # noqa: E402
from tests.benchmarks.timing import clock, in_turns  # noqa: E402

PRINTS = 5
SHEETS = ("slaughterloo", "seven-years-war", "order-markers/typical", "slaughterloo/small")
"""Systems, and armies of systems."""


class _RecordingPrinter(Printer):
    """A printer that keeps the HTML and styles of its latest PDF."""

    def pdf(self, html: str, styles: Sequence[str], *rest: Any, **choices: Any) -> Printed:
        """Print, and keep HTML and styles."""
        self.latest = (html, list(styles))
        return super().pdf(html, self.latest[1], *rest, **choices)


def gather(library: Library, name: str) -> Sheet:
    """Return the sheet of a system, or of an army of one."""
    if "/" not in name:
        return gather_sheet(library.system(name))
    army = load_army(ROOT / "armies" / f"{name}.yaml", library)
    return gather_sheet(army.system, army=army)


def measure(name: str) -> None:
    """Measure a sheet's PDF: with its type size unknown, known, and WeasyPrint alone."""
    library = Library(ROOT)
    templates = TemplateEnvironment(library.templates())
    printer = _RecordingPrinter(templates.folders, templates.faces)
    templates.__dict__["printer"] = printer
    sheet = gather(library, name)
    paper = PAPERS["a4"]
    memory: SizeMemory = {}
    cold = clock(lambda: rendering.sheet_pdf(templates, sheet, paper, memory))
    html, styles = printer.latest
    gc.collect()
    gc.freeze()
    again, first, alone = in_turns(
        PRINTS,
        (
            lambda: clock(lambda: rendering.sheet_pdf(templates, sheet, paper, memory)),
            lambda: clock(lambda: rendering.sheet_pdf(templates, sheet, paper, {})),
            lambda: clock(lambda: printer.pdf(html, styles, "alone")),
        ),
    )
    sys.stdout.write(
        f"{name:21} sheet: WeasyPrint alone {alone:5.2f} s; size known {again:5.2f} s, "
        f"ratio {again / alone:.2f}; size sought {first:5.2f} s, ratio {first / alone:.2f}; "
        f"process still cold {cold:5.2f} s\n"
    )


def main() -> None:
    """Write a line for each sheet."""
    for name in SHEETS:
        measure(name)


if __name__ == "__main__":
    main()
