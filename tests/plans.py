"""Plans of some documents, and builds of a plan alone: without index, and nothing is removed."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from muster.building import planning
from muster.building.jobs import FORMATS, KINDS, Request
from muster.building.plan import Plan
from muster.building.print_cache import PrintCache
from muster.building.record import Record
from muster.building.runner import JobRunner, OnResult, Outcome, split_due
from muster.building.store import remove_partial_files
from muster.building.workers import Workers
from muster.systems import Library


def make_plan(
    library: Library,
    systems: Sequence[str],
    kinds: Sequence[str] = KINDS,
    formats: Sequence[str] = FORMATS,
    papers: Sequence[str] = (),
    **choices: Any,
) -> Plan:
    """Plan the documents of some systems, or of all if none is named."""
    request = Request(
        library.folder, tuple(systems), tuple(kinds), tuple(formats), tuple(papers), **choices
    )
    return planning.make_plan(library, request)


def build_plan(  # noqa: PLR0913 - the choices of one command
    plan: Plan,
    out: Path,
    templates: Sequence[Path],
    fingerprint: str,
    *,
    workers: int = 1,
    force: bool = False,
    listener: OnResult = lambda _: None,
    executor: Executor | None = None,
) -> Outcome:
    """Build what is due of a plan; the outcome is in the plan's order."""
    out.mkdir(parents=True, exist_ok=True)
    remove_partial_files(out)
    record = Record(out)
    due, up_to_date = split_due(plan.jobs, record, out, fingerprint, force=force)
    for result in up_to_date:
        listener(result)
    with Workers(workers, [str(folder) for folder in templates], executor) as opened:
        runner = JobRunner(PrintCache(out), record, opened, listener)
        written = runner.run(due, plan, force=force)
    if due:
        record.save()
    results = {result.path: result for result in (*up_to_date, *written)}
    return Outcome([results[job.path] for job in plan.jobs])
