"""Owns a build: which jobs of a plan are due and why, their files, and the record of it all.

Does not render and does not print to the terminal; it tells a listener what happens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from generator.pipeline import reasons
from generator.pipeline.cache import Cache, Print
from generator.pipeline.job import Job
from generator.pipeline.parts import file_hash, reliable
from generator.pipeline.plan import Plan
from generator.pipeline.record import Output, Record
from generator.pipeline.store import sweep, write_whole
from generator.pipeline.workers import Done, Task, Workers
from generator.uses import signature

Listener = Callable[[Done], None]


@dataclass(slots=True)
class Outcome:
    """A whole build, in the plan's order."""

    done: list[Done]
    index: Path | None = None
    removed: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    """Outputs that are no longer planned, but were altered since they were written."""

    @property
    def failed(self) -> list[Done]:
        """The jobs that could not be done."""
        return [each for each in self.done if each.error or each.bug]


@dataclass(frozen=True, slots=True)
class Due:
    """A job that is due, with its fingerprint and why."""

    job: Job
    fingerprint: str
    why: str


def sort_out(
    jobs: Iterable[Job],
    record: Record,
    out: Path,
    mark: str,
    *,
    force: bool = False,
    changes: Callable[[Job], str] | None = None,
) -> tuple[list[Due], list[Done]]:
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
            why = reasons.FORCED
        elif known is None:
            why = reasons.NEW
        elif known.fingerprint != fingerprint:
            why = changes(job) if changes else reasons.UNSURE
        elif state != "whole":
            why = reasons.MISSING if state == "missing" else reasons.ALTERED
        else:
            fine.append(Done(job.path, known.size, known.pages, known.seconds, fresh=False))
            continue
        due.append(Due(job, fingerprint, why))
    return due, fine


class Shop:
    """Where jobs become files: the cache, the workers, the output folder and its record."""

    def __init__(
        self, cache: Cache, record: Record, workers: Workers, listener: Listener | None = None
    ) -> None:
        self.out = cache.out
        self.record = record
        self.workers = workers
        self.cache = cache
        self._tell = listener or (lambda _: None)

    def make(
        self, due: Sequence[Due], plan: Plan | None = None, *, force: bool = False
    ) -> list[Done]:
        """Make what is due: found again in the cache, else printed, longest first."""
        done: list[Done] = []

        def end(each: Done) -> None:
            done.append(each)
            self._tell(each)

        wanted: dict[str, Due] = {}
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
            end(Done(path, error="a file that it is made of changed just now; build again"))
        had.sort(key=lambda job: -self._seconds(job))
        kept = str(self.out) if self.cache.most > 0 else ""
        tasks = [Task(job, self._sizes(job), kept, force) for job in had]
        for each in self.workers.run(tasks):
            aim = wanted[each.path]
            if each.error or each.bug:
                self.record.outputs.pop(each.path, None)
                end(replace(each, why=aim.why))
                continue
            printed = Print(each.data, each.pages, round(each.seconds, 3), each.sizes)
            self.cache.keep(aim.fingerprint, printed)
            end(self._write(aim, printed, found_again=False))
        return done

    def _seconds(self, job: Job) -> float:
        known = self.record.outputs.get(job.path)
        return known.seconds if known else 1.0

    def _sizes(self, job: Job) -> dict[str, float]:
        known = self.record.outputs.get(job.path)
        return dict(known.sizes) if known else {}

    def _write(self, due: Due, printed: Print, *, found_again: bool) -> Done:
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
            return Done(due.job.path, error=text, why=due.why)
        self.record.outputs[due.job.path] = Output(
            due.fingerprint,
            content,
            len(printed.data),
            printed.pages,
            printed.seconds,
            due.job.unit,
            reliable(signature(path)),
            printed.sizes,
        )
        seconds = 0.0 if found_again else printed.seconds
        return Done(
            due.job.path,
            len(printed.data),
            printed.pages,
            seconds,
            found=found_again,
            same=same,
            why=due.why,
        )


def build(  # noqa: PLR0913 - the choices of one command
    plan: Plan,
    out: Path,
    templates: Sequence[Path],
    fingerprint: str,
    *,
    workers: int = 1,
    force: bool = False,
    listener: Listener | None = None,
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
    sweep(out)
    record = Record(out)
    due, fine = sort_out(plan.jobs, record, out, fingerprint, force=force)
    for each in fine:
        if listener:
            listener(each)
    with ExitStack() as stack:
        crew = stack.enter_context(Workers(workers, [str(f) for f in templates], executor))
        shop = Shop(Cache(out), record, crew, listener)
        done = {each.path: each for each in (*fine, *shop.make(due, plan, force=force))}
    if due:
        record.save()
    return Outcome([done[job.path] for job in plan.jobs])
