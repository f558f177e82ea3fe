"""Measure drafts: 100 seeds for every book and theme, at about 30 units.

Each row shows how many armies differ, are legal, have warnings, and spend the limit exactly (no
army can do better), and how many milliseconds a draft takes by the clock and on the processor.
Nothing is asserted. Run it by hand:
`.venv/bin/python tests/benchmarks/bench_draft.py [SEEDS [WORD ...]]`; with words, only the rows
whose labels have them all, such as `balanced prussia`.
"""

from __future__ import annotations

import statistics
import sys
import time
from decimal import Decimal
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))

from muster.armies import book_ids, load_book  # noqa: E402
from muster.armies.composition import load_composition  # noqa: E402
from muster.armies.themes import load_drafting, load_theme, theme_ids  # noqa: E402
from muster.solver.draft_context import DraftContext, DraftRequest  # noqa: E402
from muster.solver.drafting import DraftedArmy, DraftHeader, draft_army  # noqa: E402
from muster.systems import Library  # noqa: E402

LIMITS = {"seven-years-war": 500, "slaughterloo": 3400}
"""Points for about 30 units, in systems with points."""

UNITS = 30
"""The limit in systems without points."""


def measure(context: DraftContext, library: Library, seeds: int) -> str:
    """Draft an army with each seed, and return a row of the table."""
    armies: list[DraftedArmy] = []
    times: list[float] = []
    processor_times: list[float] = []
    for seed in range(seeds):
        start, processor_start = time.perf_counter(), time.process_time()
        army = draft_army(context, library, seed, DraftHeader(f"Army {seed}"))
        times.append(time.perf_counter() - start)
        processor_times.append(time.process_time() - processor_start)
        if isinstance(army, DraftedArmy):
            armies.append(army)
    units = sorted(each.units for each in armies)
    return (
        f"{len({each.fingerprint for each in armies}):9}"
        f"{sum(each.verdict.legal for each in armies):7}"
        f"{sum(bool(each.verdict.findings) for each in armies):7}"
        f"{sum(each.total == context.request.limit for each in armies):7}"
        f"{f'{units[0]}-{units[-1]}':>9}"
        f"{statistics.median(times) * 1000:9.0f}{max(times) * 1000:8.0f}"
        f"{statistics.median(processor_times) * 1000:9.0f}{max(processor_times) * 1000:8.0f}\n"
    )


def main() -> None:
    """Write a table with a row for every theme of every book."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    words = sys.argv[2:]
    library = Library(ROOT)
    head = "different  legal warned  spent    units  ms half     max cpu half     max"
    sys.stdout.write(f"{seeds} seeds each\n{'':46}{head}\n")
    for system_id in library.systems():
        system = library.system(system_id)
        composition, drafting = load_composition(system), load_drafting(system)
        request = DraftRequest(Decimal(LIMITS.get(system_id, UNITS)))
        for book_id in book_ids(system) or [""]:
            book = load_book(system, book_id) if book_id else None
            for theme_id in theme_ids(system):
                context = DraftContext(
                    composition, book, drafting, load_theme(system, theme_id), request
                )
                label = " ".join(filter(None, (system_id, book_id, theme_id)))
                if not all(word in label.split() for word in words):
                    continue
                sys.stdout.write(f"{label:46}{measure(context, library, seeds)}")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
