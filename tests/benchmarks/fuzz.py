"""Try many mutations of content and armies: `fuzz.py 100000 --processes 2`.

Prints every case that fails with its seed; `fuzz.py 1 --first SEED` tries one again.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "generator")]

from muster.building.workers import stop_rendering  # noqa: E402 - after the path is set
from tests.fuzzing import Fuzzer  # noqa: E402 - after the path is set


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def run(seeds: range) -> int:
    """Try the cases of some seeds, print those that fail, and return their number."""
    failed = 0
    with tempfile.TemporaryDirectory(prefix="muster-fuzz-") as folder:
        fuzzer = Fuzzer(Path(folder))
        for number, seed in enumerate(seeds, 1):
            try:
                found = fuzzer.faults(seed)
            except Exception as error:  # noqa: BLE001 - one case stops no other
                found = [f"{type(error).__name__}: {error}"]
            failed += bool(found)
            for fault in found:
                say(f"{seed}: {fault}")
            if number % 1000 == 0:
                say(f"{number} of {len(seeds)} cases, {failed} failed")
    stop_rendering()
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=int)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    chosen = parser.parse_args()
    begin = time.monotonic()
    seeds = range(chosen.first, chosen.first + chosen.cases)
    shares = [seeds[n :: chosen.processes] for n in range(chosen.processes)]
    if chosen.processes == 1:
        failed = run(seeds)
    else:
        with get_context("spawn").Pool(chosen.processes) as pool:
            failed = sum(pool.map(run, shares))
    say(f"{chosen.cases} cases, {failed} failed, {time.monotonic() - begin:.0f} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
