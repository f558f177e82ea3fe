"""A full build: plan, documents, removal of what is no longer planned, index, and record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

from muster.building import runner
from muster.building.build_index import INDEX_FILES, index_jobs
from muster.building.inputs import record_program_files, templates_fingerprint
from muster.building.jobs import ArmySummary, DeferredData, Job, Request, data_fingerprint
from muster.building.plan import JobGroup, Plan, make_plan
from muster.building.print_cache import DEFAULT_MEGABYTES, PrintCache
from muster.building.record import Record, RequestRecord, remove_unplanned
from muster.building.runner import DueJob, JobRunner, Outcome, split_due
from muster.building.store import locked, remove_partial_files
from muster.building.workers import JobResult, Workers
from muster.dependencies import Dependencies, record_dependencies
from muster.systems import Library

WorkersFactory = Callable[[Sequence[str]], Workers]
"""Makes the workers, of the template folders."""


class BuildListener(Protocol):
    """Hears what a build does."""

    def plan_ready(self, expected: dict[str, float | None], kept: int) -> None:
        """Hear which jobs are due, with the seconds each took last, and how many are not."""

    def job_finished(self, done: JobResult) -> None:
        """Hear that a document is done, well or not."""

    def status(self, text: str) -> None:
        """Hear what is made, or waited for, when it is no document of the plan."""


class _SilentListener:
    """Hears nothing."""

    def plan_ready(self, expected: dict[str, float | None], kept: int) -> None:
        """Hear nothing."""

    def job_finished(self, done: JobResult) -> None:
        """Hear nothing."""

    def status(self, text: str) -> None:
        """Hear nothing."""


@dataclass(slots=True)
class PlannedBuild:
    """A plan that was looked through: what is due and why, and what is fine."""

    plan: Plan
    templates: list[Path]
    templates_fingerprint: str
    due: list[DueJob]
    up_to_date: list[JobResult]
    plan_inputs: Dependencies
    program_inputs: Dependencies
    template_inputs: Dependencies


@dataclass(slots=True)
class _PreviousBuild:
    """What the record knows of a request's units, and what changed of each since."""

    record: Record
    request_record: RequestRecord
    program_changed: bool = False
    templates_changed: bool = False
    changes: dict[str, str] = field(default_factory=dict)

    def known(self, unit_id: str) -> JobGroup | None:
        """Give a unit as it was, unless something that it was made of has changed."""
        kept = self.request_record.groups.get(unit_id)
        if kept is None:
            return None
        parts = self.record.inputs
        changed = [part for part in kept["uses"] if parts.changed(part)]
        if changed or self.program_changed:
            self.changes[unit_id] = (
                runner.changed_text(changed) if changed else runner.REASON_PROGRAM
            )
            return None
        try:
            jobs = [_restore_job(each, unit_id) for each in kept["jobs"]]
            armies = [ArmySummary(**each) for each in kept["armies"]]
        except (TypeError, KeyError, ValueError):
            return None
        uses = {part: parts.states[part].signature for part in kept["uses"]}
        return JobGroup(unit_id, jobs, armies, uses)

    def reason_for(self, job: Job) -> str:
        """Say what changed of what a job is made of."""
        if job.group in self.changes:
            return self.changes[job.group]
        if self.templates_changed:
            return runner.REASON_TEMPLATES
        return runner.REASON_CHOICES if self.request_record.groups else runner.REASON_CONTENT


def _restore_job(kept: dict[str, Any], unit_id: str) -> Job:
    beside = tuple((str(title), str(name)) for title, name in kept["beside"])
    return Job(**{**kept, "beside": beside, "data": DeferredData(kept["data"]), "group": unit_id})


def find_due(request: Request, out: Path, record: Record, *, force: bool = False) -> PlannedBuild:
    """Plan a build and tell what is due; only what changed is gathered, and nothing is printed."""
    library = Library(request.folder)
    memory = _PreviousBuild(record, record.requests.get(request.key) or RequestRecord())
    parts = record.inputs
    memory.program_changed = any(
        parts.changed(part) for part in memory.request_record.program_inputs
    )
    memory.templates_changed = any(
        parts.changed(part) for part in memory.request_record.template_inputs
    )
    with record_dependencies() as program:
        record_program_files()
    with record_dependencies() as looks:
        templates = library.templates()
        mark = memory.request_record.templates_fingerprint
        if memory.templates_changed or not mark:
            mark = templates_fingerprint(templates)
    if not memory.templates_changed:
        looks.update(
            {part: parts.states[part].signature for part in memory.request_record.template_inputs}
        )
    with record_dependencies() as uses:
        plan = make_plan(
            library,
            request.systems,
            request.kinds,
            request.formats,
            request.papers,
            scale=request.scale,
            unit=request.unit,
            since=request.since,
            backs=request.backs,
            known=memory.known,
        )
    due, fine = split_due(plan.jobs, record, out, mark, force=force, changes=memory.reason_for)
    return PlannedBuild(plan, templates, mark, due, fine, uses, program, looks)


def run_build(  # noqa: PLR0913 - the choices of one command
    request: Request,
    out: Path,
    crew: WorkersFactory,
    *,
    force: bool = False,
    listener: BuildListener | None = None,
    planned: Callable[[Plan], None] | None = None,
    megabytes: int = DEFAULT_MEGABYTES,
) -> tuple[Plan, Outcome]:
    """Build what is asked for, and the index of all that is there.

    Another build into the same folder is waited for. A build of everything takes away what is
    no longer planned, such as the documents of an army whose file is gone.

    Args:
        request: What is asked for.
        out: The output folder.
        crew: Makes the workers.
        force: Do everything.
        listener: Told of every job as it ends.
        planned: Told of the plan, and so of what is wrong with files, before anything is printed.
        megabytes: The bound of the cache.

    Raises:
        OSError: If the output folder cannot be written.
    """
    cache = PrintCache(out, megabytes << 20)
    hearer: BuildListener = listener or _SilentListener()
    with locked(out, lambda: hearer.status(f"another build is at work in {out}; waiting for it")):
        remove_partial_files(out)
        record = Record(out)
        with open_workers(crew, request) as workers:
            workers.warm_up()
            look = find_due(request, out, record, force=force)
            if planned is not None:
                planned(look.plan)
            shop = JobRunner(cache, record, workers, hearer.job_finished)
            outcome = _run_planned(request, look, shop, hearer, force=force)
        _record_build(request, look, outcome, record)
        record.save()
        cache.trim()
    return look.plan, outcome


@contextmanager
def open_workers(crew: WorkersFactory, request: Request) -> Iterator[Workers]:
    """Open the workers for the templates of a request, and end them."""
    templates = [str(folder) for folder in Library(request.folder).templates()]
    with crew(templates) as workers:
        yield workers


def _run_planned(
    request: Request, look: PlannedBuild, shop: JobRunner, hearer: BuildListener, *, force: bool
) -> Outcome:
    record, out = shop.record, shop.out
    seconds = {path: known.seconds for path, known in record.outputs.items()}
    hearer.plan_ready(
        {each.job.path: seconds.get(each.job.path) for each in look.due}, len(look.up_to_date)
    )
    for each in look.up_to_date:
        hearer.job_finished(each)
    done = {
        each.path: each for each in (*look.up_to_date, *shop.run(look.due, look.plan, force=force))
    }
    outcome = Outcome([done[job.path] for job in look.plan.jobs])
    if request.covers_everything:
        outcome.removed, outcome.left = remove_unplanned(look.plan, record, out)
    hearer.status("index")
    paper = (*request.papers, "a4")[0]
    jobs = index_jobs(look.plan, outcome, out, paper)
    due, _ = split_due(jobs, record, out, look.templates_fingerprint, force=force)
    quiet = JobRunner(shop.cache, record, shop.workers)
    outcome.results.extend(each for each in quiet.run(due, force=force) if each.error or each.bug)
    outcome.index = out / "index.html"
    return outcome


def _record_build(request: Request, look: PlannedBuild, outcome: Outcome, record: Record) -> None:
    """Remember what the build was made of; one that went wrong is never taken for done."""
    plan = look.plan
    for learnt in (
        look.plan_inputs,
        look.program_inputs,
        look.template_inputs,
        *(u.uses for u in plan.groups.values()),
    ):
        record.inputs.remember(learnt)
    units = {
        unit.id: {
            "uses": list(unit.uses),
            "jobs": [_job_record(job) for job in plan.jobs if job.group == unit.id],
            "armies": [asdict(note) for note in unit.armies],
        }
        for unit in plan.groups.values()
    }
    fine = not (plan.problems or plan.failed or outcome.failed)
    uses = dict.fromkeys(
        [*look.plan_inputs, *(part for unit in plan.groups.values() for part in unit.uses)]
    )
    asked = RequestRecord(
        plan_inputs=list(uses),
        program_inputs=list(look.program_inputs),
        template_inputs=list(look.template_inputs),
        templates_fingerprint=look.templates_fingerprint,
        groups=units,
        paths=[*(job.path for job in plan.jobs), *INDEX_FILES] if fine else [],
        illegal=[(a.name, a.system, a.findings) for a in plan.armies if not a.legal],
    )
    record.remember(request.key, asked)


def _job_record(job: Job) -> dict[str, Any]:
    names = ("path", "kind", "format", "variant", "paper", "title", "system", "army", "beside")
    return {**{name: getattr(job, name) for name in names}, "data": data_fingerprint(job.data)}
