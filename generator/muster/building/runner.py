"""Run jobs: which of them are due and why, and how each becomes a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path, PurePath

from muster.building.inputs import file_hash, reliable_signature
from muster.building.jobs import Job
from muster.building.plan import Plan
from muster.building.print_cache import CachedPrint, PrintCache
from muster.building.record import Output, Record
from muster.building.store import refuse_link, write_whole
from muster.building.workers import JobResult, Task, Workers
from muster.dependencies import Dependency, file_signature

REASON_FORCED = "forced"
REASON_NEW = "new"
REASON_MISSING = "output missing"
REASON_ALTERED = "output changed since it was built"
REASON_TEMPLATES = "templates, fonts or renderers changed"
REASON_PROGRAM = "another version of Muster"
REASON_CHOICES = "other options: scale, unit, paper, or the pages beside it"
REASON_CONTENT = "its content changed"

_FIRST_SECONDS = {"rulebook": 8.0, "sheet": 4.0, "cards": 3.0}
"""About how long a PDF of a kind takes, until it was printed once; those of other kinds take less.

A build of one army is as long as its slowest documents, which must not begin last.
"""

OnResult = Callable[[JobResult], None]


@dataclass(slots=True)
class Outcome:
    """The results of a whole build, in the plan's order."""

    results: list[JobResult]
    index: Path | None = None
    removed: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    """Outputs that are no longer planned, but were altered since they were written."""

    @property
    def failed(self) -> list[JobResult]:
        """The results of the jobs that failed."""
        return [each for each in self.results if each.error or each.bug]


@dataclass(frozen=True, slots=True)
class DueJob:
    """A job that is due, with its fingerprint and the reason."""

    job: Job
    fingerprint: str
    why: str


def split_due(
    jobs: Iterable[Job],
    record: Record,
    out: Path,
    templates_fingerprint: str,
    *,
    force: bool = False,
    content_reason: Callable[[Job], str] = lambda _: REASON_CONTENT,
) -> tuple[list[DueJob], list[JobResult]]:
    """Split jobs into those that are due, and those whose files are up to date.

    A job is due if its fingerprint differs from the record's, or its file is missing or altered.

    Args:
        jobs: All jobs.
        record: What the last build recorded.
        out: The output folder.
        templates_fingerprint: The fingerprint of templates and renderers.
        force: Whether all jobs are due.
        content_reason: Returns why a job is due whose fingerprint changed.
    """
    due, up_to_date = [], []
    for job in jobs:
        fingerprint = job.fingerprint(templates_fingerprint)
        known = record.outputs.get(job.path)
        state = "missing" if known is None else known.state(out / job.path)
        if force:
            why = REASON_FORCED
        elif known is None:
            why = REASON_NEW
        elif known.fingerprint != fingerprint:
            why = content_reason(job)
        elif state != "whole":
            why = REASON_MISSING if state == "missing" else REASON_ALTERED
        else:
            result = JobResult(job.path, known.size, known.pages, known.seconds, fresh=False)
            up_to_date.append(result)
            continue
        due.append(DueJob(job, fingerprint, why))
    return due, up_to_date


class JobRunner:
    """Turns jobs into files with a cache, workers, and the record of the output folder."""

    def __init__(
        self,
        cache: PrintCache,
        record: Record,
        workers: Workers,
        on_result: OnResult = lambda _: None,
    ) -> None:
        self.out = cache.out
        self.record = record
        self.workers = workers
        self.cache = cache
        self._on_result = on_result

    def run(
        self, due: Sequence[DueJob], plan: Plan | None = None, *, force: bool = False
    ) -> list[JobResult]:
        """Write the files of due jobs, from the cache or printed, and return the results.

        Jobs are begun longest first, by the times of the last build, and end in any order.

        Args:
            due: The jobs.
            plan: Gathers the data of jobs that are known from the last build.
            force: Whether to print what is in the cache, too.

        Raises:
            CancelledBuildError: If another thread stopped the workers.
        """
        results: list[JobResult] = []

        def finish(result: JobResult) -> None:
            results.append(result)
            self._on_result(result)

        to_print: dict[str, DueJob] = {}
        for each in due:
            cached = None if force else self.cache.find(each.fingerprint)
            if cached is None:
                to_print[each.job.path] = each
            else:
                finish(self._write(each, cached, from_cache=True))
        jobs = [each.job for each in to_print.values()]
        with_data = list(plan.with_data(jobs)) if plan else jobs
        unavailable = to_print.keys() - {job.path for job in with_data}
        for path in sorted(unavailable):
            text = "a file that it is made from changed during the build; build again"
            finish(JobResult(path, error=text))
        with_data.sort(key=lambda job: -self._seconds(job))
        cache_folder = str(self.out) if self.cache.max_bytes > 0 else ""
        tasks = [Task(job, self._sizes(job), cache_folder, force) for job in with_data]
        for result in self.workers.run(tasks):
            each = to_print[result.path]
            if result.error or result.bug:
                self.record.outputs.pop(result.path, None)
                finish(replace(result, why=each.why))
                continue
            seconds = round(result.seconds, 3)
            printed = CachedPrint(result.data, result.pages, seconds, result.sizes)
            self.cache.keep(each.fingerprint, printed)
            finish(self._write(each, printed, from_cache=False))
        return results

    def _seconds(self, job: Job) -> float:
        known = self.record.outputs.get(job.path)
        if known:
            return known.seconds
        return _FIRST_SECONDS.get(job.kind, 1.0) if job.format == "pdf" else 0.0

    def _sizes(self, job: Job) -> dict[str, float]:
        known = self.record.outputs.get(job.path)
        return dict(known.sizes) if known else {}

    def _write(self, due: DueJob, printed: CachedPrint, *, from_cache: bool) -> JobResult:
        """Write a job's file, unless it has the right content already, and record it."""
        path = self.out / due.job.path
        content = sha256(printed.data).hexdigest()[:32]
        try:
            refuse_link(self.out, due.job.path)
            unchanged = file_hash(str(path)) == content
            if not unchanged:
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
        return JobResult(
            due.job.path,
            len(printed.data),
            printed.pages,
            0.0 if from_cache else printed.seconds,
            from_cache=from_cache,
            unchanged=unchanged,
            why=due.why,
        )


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
    "tokens.yaml": "tokens file",
    "search.yaml": "synonyms",
    "errata.yaml": "errata",
}
_MAX_NAMED = 3


def input_name(dependency: Dependency) -> str:
    """Return the name of an input in the players' words: `table kill-table`, `army first`."""
    path = PurePath(dependency.path)
    if dependency.pattern:
        return f"files in {path.name}"
    if path.name in _FILE_NOUNS and path.parent.parent.name == "content":
        return _FILE_NOUNS[path.name]
    if path.parent.name in _FOLDER_NOUNS and path.parent.parent.parent.name == "content":
        return f"{_FOLDER_NOUNS[path.parent.name]} {path.stem}"
    if path.parent.parent.name == "armies":
        return f"army {path.stem}"
    return path.name


def changed_text(dependencies: Iterable[Dependency]) -> str:
    """Return words for the inputs that changed: `table kill-table changed`."""
    # Files come first: they say more than that the names in a folder changed.
    files_first = sorted(dependencies, key=lambda each: bool(each.pattern))
    names = list(dict.fromkeys(input_name(each) for each in files_first))
    if not names:
        return REASON_CONTENT
    more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
    return f"{', '.join(names[:_MAX_NAMED])}{more} changed"
