"""Measure a worker: memory and speed over many armies, and the memory of one large deck.

Nothing is asserted, since all this differs between machines. Run it by hand, on Linux:
`.venv/bin/python tests/benchmarks/bench_workers.py [--armies 200] [--cards 300]`
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from muster.building import workers  # noqa: E402
from muster.building.jobs import Job  # noqa: E402
from muster.building.workers import Task, render_task  # noqa: E402
from muster.systems import Library  # noqa: E402
from tests.plans import make_plan  # noqa: E402

KIB = 1024
MIB_FLAT, MIB_LARGE = 130, 200
EARLY = 20


def memory_mib(what: str = "VmRSS") -> float:
    """Return the memory of this process in MiB, or its peak (`VmHWM`)."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / KIB for line in lines if line.startswith(what))


def army_jobs() -> list[Job]:
    """Return the jobs that print the documents of a small and a large army on paper."""
    library = Library(ROOT)
    plan = make_plan(library, ["seven-years-war"], ("roster", "cards", "sheet"), ("pdf",))
    return [job for job in plan.jobs if job.army in ("small", "large")]


def many(send: Any, jobs: list[Job], armies: int) -> None:
    """Print the documents of many armies in one worker, and send MiB and seconds after each."""
    workers.start_rendering([str(ROOT / "templates")])
    begin = perf_counter()
    for number in range(1, armies + 1):
        job = jobs[number % len(jobs)]
        data = replace(job.data, army=f"Army number {number}")
        done = render_task(Task(replace(job, data=data)))
        send.send((number, memory_mib(), perf_counter() - begin, done.error or done.bug))
    send.close()


def large(send: Any, deck: Job, cards: int) -> None:
    """Print one deck of many cards, and send peak memory and seconds."""
    workers.start_rendering([str(ROOT / "templates")])
    cards_given = deck.data.cards
    names = [f"{cards_given[n % len(cards_given)].title} {chr(97 + n // 26)}{chr(97 + n % 26)}"
             for n in range(cards)]  # fmt: skip
    all_cards = tuple(
        replace(cards_given[n % len(cards_given)], id=str(n), title=name)
        for n, name in enumerate(names)
    )
    begin = perf_counter()
    done = render_task(Task(replace(deck, data=replace(deck.data, cards=all_cards))))
    send.send((done.pages, memory_mib("VmHWM"), perf_counter() - begin, done.error or done.bug))
    send.close()


def run_in_worker(work: Any, *arguments: Any) -> list[tuple[int, float, float, str]]:
    """Run a function in a process that starts as workers do, and return all that it sends."""
    context: Any = workers._process_context()
    receive, send = multiprocessing.Pipe(duplex=False)
    process = context.Process(target=work, args=(send, *arguments))
    process.start()
    send.close()
    found = []
    try:
        while True:
            found.append(receive.recv())
    except EOFError:
        process.join()
    return found


def main() -> None:
    """Write memory and speed after some armies, then of a large deck."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--armies", type=int, default=200)
    reader.add_argument("--cards", type=int, default=300)
    chosen = reader.parse_args()
    all_jobs = army_jobs()
    small = [job for job in all_jobs if job.army == "small" and job.variant != "short"]
    found = run_in_worker(many, small, chosen.armies)
    for number, mib, seconds, fault in found:
        if fault:
            sys.stdout.write(f"document {number}: {fault}\n")
        if number in (1, EARLY, EARLY * 5, chosen.armies):
            sys.stdout.write(f"document {number:4}: {mib:6.1f} MiB after {seconds:7.1f} s\n")
    early = min(EARLY, len(found))
    flat = found[-1][1] / found[early - 1][1]
    pace = (early / found[early - 1][2]) / (len(found) / found[-1][2])
    sys.stdout.write(
        f"from {early} to {len(found)}: memory x {flat:.2f} (<= 1.15, <= {MIB_FLAT} MiB); "
        f"pace x {1 / pace:.2f} (>= 0.95)\n"
    )
    deck = next(job for job in all_jobs if job.army == "large" and job.variant == "9-up")
    for pages, mib, seconds, fault in run_in_worker(large, deck, chosen.cards):
        sys.stdout.write(
            f"{chosen.cards} cards: {pages} pages, at most {mib:.1f} MiB (<= {MIB_LARGE}), "
            f"{seconds:.1f} s {fault}\n"
        )


if __name__ == "__main__":
    main()
