"""A full build: plan, documents, removal of what is no longer planned, index, and record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from shutil import rmtree
from typing import Any

from muster.building.build_index import (
    early_index_job,
    index_files,
    index_jobs,
    list_finished,
    update_index_record,
)
from muster.building.inputs import record_program_files
from muster.building.jobs import (
    DEFAULT_CACHE_MB,
    ArmySummary,
    DeferredData,
    Job,
    Request,
    data_fingerprint,
)
from muster.building.plan import JobGroup, Plan
from muster.building.planning import make_plan
from muster.building.print_cache import PrintCache
from muster.building.record import GroupRecord, Record, RequestRecord, remove_unplanned
from muster.building.runner import (
    REASON_CHOICES,
    REASON_CONTENT,
    REASON_PROGRAM,
    REASON_TEMPLATES,
    DueJob,
    JobRunner,
    Outcome,
    changed_text,
    split_due,
)
from muster.building.store import (
    STATE_FOLDER,
    locked,
    refuse_foreign_files,
    refuse_output_folder,
    refuse_unreadable_name,
    remove_partial_files,
)
from muster.building.workers import JobResult, Workers
from muster.dependencies import Dependencies, record_dependencies
from muster.problems import MusterError
from muster.rendering.fingerprint import templates_fingerprint
from muster.systems import Library
from muster.systems.library import ROOT_NAMES

WorkersFactory = Callable[[Sequence[str]], Workers]
"""Makes workers, given the template folders."""


class BuildListener:
    """Follows a build; this base class ignores everything."""

    def plan_ready(self, expected: dict[str, float | None], kept: int) -> None:
        """Called with the due jobs, the seconds each took last, and the number of the others."""

    def job_finished(self, done: JobResult) -> None:
        """Called with the result of each document, whether printed, up to date or failed."""

    def index_ready(self, index: Path, waiting: int) -> None:
        """Called when a first build has written an index, with the number of documents to come."""

    def status(self, text: str) -> None:
        """Called with a step that is no document of the plan, such as waiting for a build."""


@dataclass(slots=True)
class PlannedBuild:
    """A plan, split into what is due and what is up to date, and what the plan was made from."""

    plan: Plan
    templates_fingerprint: str
    due: list[DueJob]
    up_to_date: list[JobResult]
    plan_inputs: Dependencies
    program_inputs: Dependencies
    template_inputs: Dependencies


@dataclass(slots=True)
class _PreviousBuild:
    """The recorded groups of a request, and what has changed in each since then."""

    record: Record
    request_record: RequestRecord
    program_changed: bool
    templates_changed: bool
    changes: dict[str, str] = field(default_factory=dict)

    def known_group(self, group_id: str) -> JobGroup | None:
        """Return a group as it was, unless one of its inputs has changed."""
        known = self.request_record.groups.get(group_id)
        if known is None:
            return None
        inputs = self.record.inputs
        changed = [each for each in known.inputs if inputs.changed(each)]
        if changed or self.program_changed:
            self.changes[group_id] = changed_text(changed) if changed else REASON_PROGRAM
            return None
        try:
            jobs = [_restored_job(saved, group_id) for saved in known.jobs]
            armies = [ArmySummary(**saved) for saved in known.armies]
        except (KeyError, TypeError, ValueError):
            return None  # Somebody else wrote the record.
        signatures = {each: inputs.states[each].signature for each in known.inputs}
        return JobGroup(group_id, jobs, armies, signatures)

    def reason_for(self, job: Job) -> str:
        """Return why the content of a job changed."""
        if job.group in self.changes:
            return self.changes[job.group]
        if self.templates_changed:
            return REASON_TEMPLATES
        return REASON_CHOICES if self.request_record.groups else REASON_CONTENT


def _saved_job(job: Job) -> dict[str, Any]:
    """Return a job as it is recorded: without its group, and with a fingerprint for its data."""
    names = (
        *("path", "kind", "format", "variant", "paper", "title", "system", "army", "beside"),
        "language",
    )
    return {**{name: getattr(job, name) for name in names}, "data": data_fingerprint(job.data)}


def _restored_job(saved: dict[str, Any], group_id: str) -> Job:
    beside = tuple((str(title), str(name)) for title, name in saved["beside"])
    data = DeferredData(saved["data"])
    return Job(**{**saved, "beside": beside, "data": data, "group": group_id})


def find_due(request: Request, out: Path, record: Record, *, force: bool = False) -> PlannedBuild:
    """Plan a build and return what is due; only what changed is gathered. Nothing is printed."""
    library = Library(request.folder)
    known = record.requests.get(request.key) or RequestRecord()
    inputs = record.inputs
    previous = _PreviousBuild(
        record,
        known,
        any(inputs.changed(each) for each in known.program_inputs),
        any(inputs.changed(each) for each in known.template_inputs),
    )
    with record_dependencies() as program_inputs:
        record_program_files()
    with record_dependencies() as template_inputs:
        templates = library.templates()
        fingerprint = known.templates_fingerprint
        if previous.templates_changed or not fingerprint:
            fingerprint = templates_fingerprint(templates)
    if not previous.templates_changed:
        template_inputs |= {each: inputs.states[each].signature for each in known.template_inputs}
    with record_dependencies() as plan_inputs:
        printed = {key: army.elsewhere for key, army in record.index.armies.items()}
        plan = make_plan(library, request, previous.known_group, printed)
    due, up_to_date = split_due(
        plan.jobs, record, out, fingerprint, force=force, content_reason=previous.reason_for
    )
    return PlannedBuild(
        plan, fingerprint, due, up_to_date, plan_inputs, program_inputs, template_inputs
    )


def run_build(  # noqa: PLR0913 - the choices of one command
    request: Request,
    out: Path,
    workers_factory: WorkersFactory,
    *,
    force: bool = False,
    listener: BuildListener | None = None,
    on_planned: Callable[[Plan], None] = lambda _: None,
    megabytes: int = DEFAULT_CACHE_MB,
) -> tuple[Plan, Outcome]:
    """Build the documents of a request, and the index of all that is in the output folder.

    If another build into the same folder is running, this one waits for it. The documents of an
    army whose file was deleted are removed, and so is whatever else is no longer planned.

    Args:
        request: What to build.
        out: The output folder.
        workers_factory: Makes the workers.
        force: Whether to print what is up to date, too.
        listener: Follows the build.
        on_planned: Called with the plan, and so with the problems of files, before anything is
            printed.
        megabytes: The largest size of the cache of printed documents.

    Raises:
        MusterError: If the output folder is no place to build into.
        OSError: If the output folder cannot be written.
        CancelledBuildError: If another thread stopped the workers.
    """
    library = Library(request.folder)
    roots = (library.folder, library.shipped)
    refuse_unreadable_name(library.folder)
    refuse_output_folder(out, [root / name for root in roots for name in ROOT_NAMES])
    cache = PrintCache(out, megabytes << 20)
    listener = listener or BuildListener()
    waiting = f"another build is running in {out}; waiting for it to end"
    is_new = not (out / STATE_FOLDER).is_dir()
    with _new_state_removed(out, is_new=is_new), locked(out, lambda: listener.status(waiting)):
        remove_partial_files(out)
        record = Record(out)
        templates = [str(folder) for folder in library.templates()]
        with workers_factory(templates) as workers:
            workers.warm_up()
            planned = find_due(request, out, record, force=force)
            if is_new:
                names = [*(job.path for job in planned.plan.jobs), *index_files(request.formats)]
                refuse_foreign_files(out, names)
            on_planned(planned.plan)
            with _finished_recorded(planned.plan, record, out) as finished:

                def finish(result: JobResult) -> None:
                    finished.append(result)
                    listener.job_finished(result)

                runner = JobRunner(cache, record, workers, finish)
                outcome = _run_planned(request, planned, runner, listener, force=force)
        _record_build(request, planned, outcome, record)
        record.save()
        cache.trim()
    return planned.plan, outcome


@contextmanager
def _new_state_removed(out: Path, *, is_new: bool) -> Iterator[None]:
    """Leave nothing of ours in a folder that is not built into after all."""
    try:
        yield
    except MusterError:
        if is_new:
            rmtree(out / STATE_FOLDER, ignore_errors=True)
        raise


@contextmanager
def _finished_recorded(plan: Plan, record: Record, out: Path) -> Iterator[list[JobResult]]:
    """Record the documents that were written before a build was interrupted, or stopped by a bug.

    The next index lists them, and `clean` removes them. They are added to the list it yields.
    """
    finished: list[JobResult] = []
    try:
        yield finished
    except BaseException:
        list_finished(record.index, plan, finished, out)
        with suppress(OSError):
            record.save()
        raise


def _run_planned(
    request: Request,
    planned: PlannedBuild,
    runner: JobRunner,
    listener: BuildListener,
    *,
    force: bool,
) -> Outcome:
    """Write what is due, remove what is no longer planned, and write the index."""
    record, out, plan = runner.record, runner.out, planned.plan
    seconds = {path: known.seconds for path, known in record.outputs.items()}
    expected = {each.job.path: seconds.get(each.job.path) for each in planned.due}
    listener.plan_ready(expected, len(planned.up_to_date))
    for result in planned.up_to_date:
        listener.job_finished(result)
    by_batches = runner.workers.by_batches and not record.outputs
    written: list[JobResult] = []
    batches = _batches(planned.due) if by_batches else [planned.due]
    for number, batch in enumerate(batches, 1):
        written += runner.run(batch, plan, force=force)
        if number < len(batches):
            job = early_index_job(record.index, plan, written, out, request.index_language)
            early, _ = split_due([job], record, out, planned.templates_fingerprint, force=force)
            JobRunner(runner.cache, record, runner.workers).run(early, force=force)
            if number == 1:
                listener.index_ready(out / job.path, len(planned.due) - len(written))
    results = {result.path: result for result in (*planned.up_to_date, *written)}
    outcome = Outcome([results[job.path] for job in plan.jobs])
    outcome.removed, outcome.left = remove_unplanned(plan, record, out, request)
    listener.status("index")
    update_index_record(record.index, plan, outcome, out)
    paper = (*request.papers, "a4")[0]
    language = request.index_language
    jobs = index_jobs(record.index, plan, outcome, request.formats, paper, language)
    due, _ = split_due(jobs, record, out, planned.templates_fingerprint, force=force)
    # The listener counts the documents of the plan, which the index is not one of.
    written = JobRunner(runner.cache, record, runner.workers).run(due, force=force)
    outcome.results.extend(each for each in written if each.error or each.bug)
    outcome.index = out / "index.html"
    return outcome


def _batches(due: Sequence[DueJob]) -> list[list[DueJob]]:
    """Return the jobs of a first build in the order of printing: there is soon something to open.

    Sheets of systems come first, for screens, which takes no time, then for paper.
    """
    batches: list[list[DueJob]] = [[], [], []]
    for each in due:
        is_sheet = each.job.kind == "sheet" and not each.job.army
        batches[["html", "pdf"].index(each.job.format) if is_sheet else -1].append(each)
    return [batch for batch in batches if batch]


def _record_build(
    request: Request, planned: PlannedBuild, outcome: Outcome, record: Record
) -> None:
    """Record what the build was made from; one that failed never counts as up to date."""
    plan = planned.plan
    groups = plan.groups.values()
    for inputs in (
        planned.plan_inputs,
        planned.program_inputs,
        planned.template_inputs,
        *(group.inputs for group in groups),
    ):
        record.inputs.remember(inputs)
    jobs_of: dict[str, list[dict[str, Any]]] = {}
    for job in plan.jobs:
        jobs_of.setdefault(job.group, []).append(_saved_job(job))
    all_well = not (plan.problems or plan.failed or outcome.failed)
    plan_inputs = [*planned.plan_inputs, *(each for group in groups for each in group.inputs)]
    record.remember(
        request.key,
        RequestRecord(
            plan_inputs=list(dict.fromkeys(plan_inputs)),
            program_inputs=list(planned.program_inputs),
            template_inputs=list(planned.template_inputs),
            templates_fingerprint=planned.templates_fingerprint,
            groups={
                group.id: GroupRecord(
                    list(group.inputs),
                    jobs_of.get(group.id, []),
                    [asdict(army) for army in group.armies],
                )
                for group in groups
            },
            paths=[*(job.path for job in plan.jobs), *index_files(request.formats)]
            if all_well
            else [],
            illegal=plan.illegal,
        ),
    )
