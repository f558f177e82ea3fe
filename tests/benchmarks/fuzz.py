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

_CASES_A_PROCESS = 500


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def run(seeds: range) -> tuple[int, int]:
    """Try the cases of some seeds, print those that fail; return how many cases and failures."""
    failed = 0
    with tempfile.TemporaryDirectory(prefix="muster-fuzz-") as folder:
        fuzzer = Fuzzer(Path(folder))
        for seed in seeds:
            try:
                found = fuzzer.faults(seed)
            except Exception as error:  # noqa: BLE001 - one case stops no other
                found = [f"{type(error).__name__}: {error}"]
            failed += bool(found)
            for fault in found:
                say(f"{seed}: {fault}")
    stop_rendering()
    return len(seeds), failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=int)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    chosen = parser.parse_args()
    begin = time.monotonic()
    seeds = range(chosen.first, chosen.first + chosen.cases)
    parts = [
        seeds[start : start + _CASES_A_PROCESS] for start in range(0, len(seeds), _CASES_A_PROCESS)
    ]
    failed = done = 0
    # A process that has read thousands of broken files holds what it remembers of them.
    with get_context("spawn").Pool(chosen.processes, maxtasksperchild=1) as pool:
        for cases, found in pool.imap_unordered(run, parts):
            done, failed = done + cases, failed + found
            say(f"{done} of {len(seeds)} cases, {failed} failed")
    say(f"{chosen.cases} cases, {failed} failed, {time.monotonic() - begin:.0f} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
