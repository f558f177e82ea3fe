"""Run jobs: which of them are due and why, and how each becomes a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path, PurePath

from muster.building.inputs import file_hash, reliable_signature
from muster.building.jobs import Job
from muster.building.plan import Plan
from muster.building.print_cache import CachedPrint, PrintCache
from muster.building.record import Output, Record
from muster.building.store import remove_partial_files, write_whole
from muster.building.workers import JobResult, Task, Workers
from muster.dependencies import Dependency, file_signature

OnResult = Callable[[JobResult], None]


@dataclass(slots=True)
class Outcome:
    """A whole build, in the plan's order."""

    results: list[JobResult]
    index: Path | None = None
    removed: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    """Outputs that are no longer planned, but were altered since they were written."""

    @property
    def failed(self) -> list[JobResult]:
        """The jobs that could not be done."""
        return [each for each in self.results if each.error or each.bug]


@dataclass(frozen=True, slots=True)
class DueJob:
    """A job that is due, with its fingerprint and why."""

    job: Job
    fingerprint: str
    why: str


def split_due(
    jobs: Iterable[Job],
    record: Record,
    out: Path,
    mark: str,
    *,
    force: bool = False,
    changes: Callable[[Job], str] | None = None,
) -> tuple[list[DueJob], list[JobResult]]:
    """Part jobs into those that are due, and those whose files are as they should be.

    Args:
        jobs: All jobs.
        record: What the last build remembers.
        out: The output folder.
        mark: The mark of templates and renderers.
        force: Whether all are due.
        changes: Says what changed of what a job is made of.
    """
    due, fine = [], []
    for job in jobs:
        fingerprint = job.fingerprint(mark)
        known = record.outputs.get(job.path)
        state = "missing" if known is None else known.state(out / job.path)
        if force:
            why = REASON_FORCED
        elif known is None:
            why = REASON_NEW
        elif known.fingerprint != fingerprint:
            why = changes(job) if changes else REASON_CONTENT
        elif state != "whole":
            why = REASON_MISSING if state == "missing" else REASON_ALTERED
        else:
            fine.append(JobResult(job.path, known.size, known.pages, known.seconds, fresh=False))
            continue
        due.append(DueJob(job, fingerprint, why))
    return due, fine


class JobRunner:
    """Where jobs become files: the cache, the workers, the output folder and its record."""

    def __init__(
        self, cache: PrintCache, record: Record, workers: Workers, listener: OnResult | None = None
    ) -> None:
        self.out = cache.out
        self.record = record
        self.workers = workers
        self.cache = cache
        self._on_result = listener or (lambda _: None)

    def run(
        self, due: Sequence[DueJob], plan: Plan | None = None, *, force: bool = False
    ) -> list[JobResult]:
        """Make what is due: found again in the cache, else printed, longest first."""
        done: list[JobResult] = []

        def end(each: JobResult) -> None:
            done.append(each)
            self._on_result(each)

        wanted: dict[str, DueJob] = {}
        for aim in due:
            found = None if force else self.cache.find(aim.fingerprint)
            if found is None:
                wanted[aim.job.path] = aim
            else:
                end(self._write(aim, found, found_again=True))
        jobs = [aim.job for aim in wanted.values()]
        had = list(plan.with_data(jobs)) if plan else jobs
        lost = wanted.keys() - {job.path for job in had}
        for path in sorted(lost):
            end(JobResult(path, error="a file that it is made of changed just now; build again"))
        had.sort(key=lambda job: -self._seconds(job))
        kept = str(self.out) if self.cache.max_bytes > 0 else ""
        tasks = [Task(job, self._sizes(job), kept, force) for job in had]
        for each in self.workers.run(tasks):
            aim = wanted[each.path]
            if each.error or each.bug:
                self.record.outputs.pop(each.path, None)
                end(replace(each, why=aim.why))
                continue
            printed = CachedPrint(each.data, each.pages, round(each.seconds, 3), each.sizes)
            self.cache.keep(aim.fingerprint, printed)
            end(self._write(aim, printed, found_again=False))
        return done

    def _seconds(self, job: Job) -> float:
        known = self.record.outputs.get(job.path)
        return known.seconds if known else 1.0

    def _sizes(self, job: Job) -> dict[str, float]:
        known = self.record.outputs.get(job.path)
        return dict(known.sizes) if known else {}

    def _write(self, due: DueJob, printed: CachedPrint, *, found_again: bool) -> JobResult:
        """Write a job's file whole and remember it."""
        path = self.out / due.job.path
        content = sha256(printed.data).hexdigest()[:32]
        try:
            same = file_hash(str(path)) == content
            if not same:
                write_whole(path, printed.data)
        except OSError as error:
            self.record.outputs.pop(due.job.path, None)
            text = f"cannot write {due.job.path}: {error.strerror or error}"
            return JobResult(due.job.path, error=text, why=due.why)
        self.record.outputs[due.job.path] = Output(
            due.fingerprint,
            content,
            len(printed.data),
            printed.pages,
            printed.seconds,
            due.job.group,
            reliable_signature(file_signature(path)),
            printed.sizes,
        )
        seconds = 0.0 if found_again else printed.seconds
        return JobResult(
            due.job.path,
            len(printed.data),
            printed.pages,
            seconds,
            from_cache=found_again,
            unchanged=same,
            why=due.why,
        )


def build_plan(  # noqa: PLR0913 - the choices of one command
    plan: Plan,
    out: Path,
    templates: Sequence[Path],
    fingerprint: str,
    *,
    workers: int = 1,
    force: bool = False,
    listener: OnResult | None = None,
    executor: Executor | None = None,
) -> Outcome:
    """Do what is due of a plan, and nothing else: no index, and nothing is taken away.

    A job is due if its fingerprint differs from the record's or its file is missing or altered.
    Jobs are begun longest first, by the last build's times; the outcome is in the plan's order
    however they end.

    Args:
        plan: What is to be there.
        out: The output folder.
        templates: The template folders, the user's own first.
        fingerprint: The mark of templates and renderers.
        workers: How many processes.
        force: Do everything.
        listener: Told of every job as it ends.
        executor: Used instead of processes of our own, for tests and clusters.

    Raises:
        OSError: If the output folder cannot be written.
    """
    out.mkdir(parents=True, exist_ok=True)
    remove_partial_files(out)
    record = Record(out)
    due, fine = split_due(plan.jobs, record, out, fingerprint, force=force)
    for each in fine:
        if listener:
            listener(each)
    with ExitStack() as stack:
        crew = stack.enter_context(Workers(workers, [str(f) for f in templates], executor))
        shop = JobRunner(PrintCache(out), record, crew, listener)
        done = {each.path: each for each in (*fine, *shop.run(due, plan, force=force))}
    if due:
        record.save()
    return Outcome([done[job.path] for job in plan.jobs])


REASON_FORCED = "forced"
REASON_NEW = "new"
REASON_MISSING = "output missing"
REASON_ALTERED = "output altered"
REASON_TEMPLATES = "templates, fonts or renderers changed"
REASON_PROGRAM = "another version of Muster"
REASON_CHOICES = "asked for otherwise: scale, unit, paper, or what stands beside it"
REASON_CONTENT = "its content changed"

_FOLDER_NOUNS = {
    "tables": "table",
    "books": "army book",
    "sheets": "sheet",
    "prose": "chapter",
    "editions": "edition",
}
_FILE_NOUNS = {
    "system.yaml": "system file",
    "composition.yaml": "composition",
    "cards.yaml": "cards file",
    "errata.yaml": "errata",
}
_MAX_NAMED = 3


def input_name(part: Dependency) -> str:
    """Name a part as a player knows it: `table kill-table`, `army first`, `files in tables`."""
    path = PurePath(part.path)
    if part.pattern:
        return f"files in {path.name}"
    if path.name in _FILE_NOUNS and path.parent.parent.name == "content":
        return _FILE_NOUNS[path.name]
    if path.parent.name in _FOLDER_NOUNS and path.parent.parent.parent.name == "content":
        return f"{_FOLDER_NOUNS[path.parent.name]} {path.stem}"
    if path.parent.parent.name == "armies":
        return f"army {path.stem}"
    return path.name


def changed_text(parts: Iterable[Dependency]) -> str:
    """Say which parts changed: `table kill-table changed`."""
    # That a folder has other files says less than which file was changed.
    ordered = sorted(parts, key=lambda part: bool(part.pattern))
    names = list(dict.fromkeys(input_name(part) for part in ordered))
    if not names:
        return REASON_CONTENT
    more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
    return f"{', '.join(names[:_MAX_NAMED])}{more} changed"
