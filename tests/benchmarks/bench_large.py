"""Measure a system as large as a real game: 25 books, 310 units, 480 constraints, 80 options.

The bars are for a reference machine; `--slower` says how many times slower this one is. Seconds of
the clock and of the processor are printed, and the processor's as they are on the reference: on a
shared machine the clock tells nothing. Nothing is asserted. Run it by hand:
`.venv/bin/python tests/benchmarks/bench_large.py [--slower 2.5] [--only check,lint] [--limit 600]`
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from muster.armies import army_from_document, check  # noqa: E402
from muster.systems import Library  # noqa: E402
from muster.yamlfile import document_from_text  # noqa: E402
from tests.benchmarks.timing import MUSTER, environment  # noqa: E402
from tests.large_system import SYSTEM, LargeBook, random_list, write_large_system  # noqa: E402

LISTS = 400
POINTS = 4000
REPEATS = 3


class Taken(NamedTuple):
    """Seconds of the clock and of the processor."""

    clock: float
    processor: float


class Table:
    """Writes rows of seconds, on this machine and on the reference, with their bars."""

    def __init__(self, slower: float) -> None:
        self.slower = slower
        self.write("measured", "clock", "processor", "reference", "bar")

    def write(self, what: str, *columns: str) -> None:
        """Write a row at once."""
        sys.stdout.write(f"{what:40}{''.join(f'{each:>12}' for each in columns)}\n")
        sys.stdout.flush()

    def row(self, what: str, taken: Taken | None, bar: float, unit: float = 1) -> None:
        """Write how long something took; None if there was no answer."""
        name = "ms" if unit < 1 else "s"
        told = ["no answer", "", ""]
        if taken is not None:
            seconds = (*taken, taken.processor / self.slower)
            told = [f"{each / unit:.2f} {name}" for each in seconds]
        self.write(what, *told, f"{bar / unit:g} {name}")


def run(folder: Path, limit: float, *words: str) -> Taken | None:
    """Run `muster` in a process of its own, and return its seconds; None if it gave no answer."""
    begin, before = perf_counter(), os.times()
    try:
        done = subprocess.run(  # noqa: S603 - our own program
            [*MUSTER, *words],
            cwd=folder,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    if "gave up" in done.stderr:
        return None
    if done.returncode not in {0, 1}:
        raise RuntimeError(done.stderr)
    after = os.times()
    processor = sum(after[2:4]) - sum(before[2:4])
    return Taken(perf_counter() - begin, processor)


def repeated(folder: Path, limit: float, *words: str) -> Taken | None:
    """Return the median seconds of a few runs; None if one gave no answer."""
    times: list[Taken] = []
    for _ in range(REPEATS):
        taken = run(folder, limit, *words)
        if taken is None:
            return None
        times.append(taken)
    return Taken(*(median(each) for each in zip(*times, strict=True)))


def measure_check(folder: Path, books: list[LargeBook], table: Table) -> None:
    """Measure checking lists that were read, in one process."""
    chance = random.Random(2)  # noqa: S311 - lists, not secrets
    library = Library(folder, ROOT)
    armies = []
    begin = perf_counter()
    for turn in range(LISTS):
        text = random_list(books[turn % len(books)], chance, points=2000)
        armies.append(army_from_document(document_from_text(text, "army.yaml"), library))
    read = (perf_counter() - begin) / LISTS
    begin = perf_counter()
    check(armies[0])
    first = perf_counter() - begin
    begin, before = perf_counter(), process_time()
    legal = sum(check(army).legal for army in armies[1:])
    taken = Taken(*(each / LISTS for each in (perf_counter() - begin, process_time() - before)))
    table.row(f"check in process ({legal} of {LISTS} legal)", taken, 0.0005, 0.001)
    sys.stdout.write(
        f"    the very first {first * 1000:.1f} ms; reading {read * 1000:.2f} ms a list\n"
    )


def measure_all(
    folder: Path, books: list[LargeBook], table: Table, limit: float
) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield each measurement with its name."""
    draft = ("draft", SYSTEM, "--book", books[0].id, "--limit", str(POINTS), "--seed", "1")
    yield "check", lambda: measure_check(folder, books, table)
    run(folder, limit, *draft, "--out", "legal.yaml")
    text = (folder / "legal.yaml").read_text(encoding="utf-8")
    (folder / "illegal.yaml").write_text(spoil(text, books[0]), encoding="utf-8")

    def command(what: str, bar: float, *words: str) -> Callable[[], None]:
        return lambda: table.row(what, repeated(folder, limit, *words), bar)

    yield "process", command("check, a process, legal", 0.4, "check", "legal.yaml")
    yield "process", command("check, a process, illegal", 0.4, "check", "illegal.yaml")
    yield "lint", command("lint", 4, "lint", SYSTEM)
    yield "repair", command(f"repair, {POINTS} points", 2, "repair", "illegal.yaml")
    yield "draft", command(f"draft, {POINTS} points", 2, *draft, "--force", "--out", "again.yaml")
    yield "room", command("check --room", 2, "check", "--room", "legal.yaml")
    prove = ("prove", SYSTEM, "--limit", "2000")
    yield (
        "prove",
        lambda: table.row(
            f"prove, {len(books)} books", run(folder, limit, *prove), 60 * len(books)
        ),
    )


def spoil(text: str, book: LargeBook) -> str:
    """Return an army with too many units, without a rule kept that they break."""
    unit = next(iter(book.troops))
    return f"{text.rstrip()}\n  - {{unit: {unit}, count: 20}}\n"


def main() -> None:
    """Write a row for each measurement."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--slower", type=float, default=1.0, help="how much slower this machine is")
    reader.add_argument("--only", default="", help="such as check,lint,prove")
    reader.add_argument("--books", type=int, default=25)
    reader.add_argument("--limit", type=float, default=600.0, help="most seconds of a command")
    chosen = reader.parse_args()
    only = set(filter(None, chosen.only.split(",")))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        books = write_large_system(folder, books=chosen.books)
        table = Table(chosen.slower)
        for what, measurement in measure_all(folder, books, table, chosen.limit):
            if not only or what in only:
                measurement()


if __name__ == "__main__":
    main()
