"""Owns the measuring of drafts: 100 seeds of every book, at about 30 units.

Does not assert: it tells how many of them differ, are legal, warn, and spend the limit (which no
total can exceed, so that one which is spent is the best that the rules allow), and how long they
take in the process, by the clock and of the processor alone. Run it by hand:
`.venv/bin/python tests/benchmarks/bench_draft.py [SEEDS [WORD ...]]`; with words, only what has
them all in its label, such as `balanced prussia`.
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
"""Points for about 30 units; systems without points have just as many."""

USUAL = 30


def measure(context: DraftContext, shelf: Library, seeds: int) -> str:
    """Draft an army with each seed, and tell what came of it in a row."""
    found: list[DraftedArmy] = []
    times: list[float] = []
    worked: list[float] = []
    for seed in range(seeds):
        start, begun = time.perf_counter(), time.process_time()
        army = draft_army(context, shelf, seed, DraftHeader(f"Army {seed}"))
        times.append(time.perf_counter() - start)
        worked.append(time.process_time() - begun)
        if isinstance(army, DraftedArmy):
            found.append(army)
    units = sorted(each.units for each in found)
    return (
        f"{len({each.fingerprint for each in found}):9}"
        f"{sum(each.verdict.legal for each in found):7}"
        f"{sum(bool(each.verdict.findings) for each in found):7}"
        f"{sum(each.total == context.request.limit for each in found):7}"
        f"{f'{units[0]}-{units[-1]}':>9}"
        f"{statistics.median(times) * 1000:9.0f}{max(times) * 1000:8.0f}"
        f"{statistics.median(worked) * 1000:9.0f}{max(worked) * 1000:8.0f}\n"
    )


def main() -> None:
    """Measure every theme of every book, and print a table."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    words = sys.argv[2:]
    shelf = Library(ROOT)
    head = "different  legal warned  spent    units  ms half     max cpu half     max"
    sys.stdout.write(f"{seeds} seeds each\n{'':46}{head}\n")
    for system_id in shelf.systems():
        system = shelf.system(system_id)
        composition, drafting = load_composition(system), load_drafting(system)
        request = DraftRequest(Decimal(LIMITS.get(system_id, USUAL)))
        for book_id in book_ids(system) or [""]:
            book = load_book(system, book_id) if book_id else None
            for theme_id in theme_ids(system):
                context = DraftContext(
                    composition, book, drafting, load_theme(system, theme_id), request
                )
                label = " ".join(filter(None, (system_id, book_id, theme_id)))
                if not all(word in label.split() for word in words):
                    continue
                sys.stdout.write(f"{label:46}{measure(context, shelf, seeds)}")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
