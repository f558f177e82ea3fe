"""Measure `muster watch`: the time from a saved cell until its page reloads.

Nothing is asserted, since times differ between machines. Run it by hand:
`.venv/bin/python tests/benchmarks/bench_watch.py [SAVES]`
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import monotonic

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))

from muster.building.jobs import FORMATS  # noqa: E402
from tests.building.test_watcher import Watched, watching  # noqa: E402

SAVES = 7
SYSTEM = "slaughterloo"
PAGE = f"{SYSTEM}/quick-reference.html"
TABLE = f"content/{SYSTEM}/tables/kill-table.yaml"


def seconds_to_reload(found: Watched, old: str, new: str) -> float:
    """Save a cell, and return the seconds until the page that shows it is told to reload."""
    path = found.folder / TABLE
    text = path.read_text(encoding="utf-8")
    page = found.page(PAGE)
    begin = monotonic()
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    page.await_event("reload")
    return monotonic() - begin


def main() -> None:
    """Write how long it takes when nothing else runs, and while PDFs are still being printed."""
    saves = int(sys.argv[1]) if len(sys.argv) > 1 else SAVES
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        shutil.copytree(ROOT / "content" / SYSTEM, folder / "content" / SYSTEM)
        cells = re.search(r"cells: \[([0-9]+),", (folder / TABLE).read_text(encoding="utf-8"))
        assert cells is not None, "the kill table has other cells than this measure knows"
        choices = {"systems": (SYSTEM,), "kinds": ("sheet",), "formats": FORMATS}
        for found in watching(folder, **choices):
            last = cells[0]
            for name, settle in (("at rest", True), ("while printing", False)):
                times = []
                for turn in range(saves):
                    if settle:
                        found.listener.settle(600)
                    new = f"cells: [{900 + turn + 50 * settle},"
                    times.append(seconds_to_reload(found, last, new))
                    last = new
                sys.stdout.write(
                    f"{SYSTEM}: {name:15} save to page {median(times) * 1000:4.0f} ms"
                    f" (worst of {saves}: {max(times) * 1000:.0f} ms)\n"
                )


if __name__ == "__main__":
    main()
