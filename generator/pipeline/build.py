"""Owns a build: which jobs of a plan are due, workers that do them, and the record of it.

Does not print to the terminal; it tells a listener what happens.
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from generator.pipeline.plan import Job, Plan
from generator.pipeline.store import Record, sweep, write_whole

if TYPE_CHECKING:
    from generator.rendering.studio import Studio

_studio: Studio | None = None
_fault = ""
_KILLED = "its worker was killed; build again"


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a job: bytes and pages written, or why not."""

    path: str
    size: int = 0
    pages: int = 0
    seconds: float = 0.0
    sizes: dict[str, float] = field(default_factory=dict)
    error: str = ""
    bug: str = ""
    fresh: bool = True


Listener = Callable[[Done], None]


@dataclass(slots=True)
class Outcome:
    """A whole build, in the plan's order."""

    done: list[Done]
    index: Path | None = None

    @property
    def failed(self) -> list[Done]:
        """The jobs that could not be done."""
        return [each for each in self.done if each.error or each.bug]


def _start(folders: Sequence[str]) -> None:
    """Load WeasyPrint, templates and fonts once in a worker, and still the collector."""
    global _studio, _fault  # noqa: PLW0603 - one studio a process, loaded once
    _studio, _fault = None, ""
    try:
        from generator.rendering.studio import Studio  # noqa: PLC0415 - only workers need it

        studio = Studio([Path(folder) for folder in folders])
        _ = studio.printer
    except Exception as error:  # noqa: BLE001 - the worker lives on to say so for every job
        _fault = f"WeasyPrint cannot start: {error}; `muster doctor` says what is missing"
        return
    _studio = studio
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _start_worker(folders: Sequence[str]) -> None:
    """Start a worker that leaves Ctrl-C to its parent, which hears it too and ends the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _start(folders)


def _end(pool: ProcessPoolExecutor) -> None:
    """End the workers now, whatever they are at; what they left half-written is swept later."""
    workers = list((pool._processes or {}).values())  # noqa: SLF001 - public from 3.14 on only
    pool.shutdown(wait=False, cancel_futures=True)
    for worker in workers:
        worker.terminate()


def _stop() -> None:
    """Let go of the studio while WeasyPrint's libraries are still there to free it."""
    global _studio  # noqa: PLW0603 - see _start
    _studio = None


def do_job(job: Job, out: Path, sizes: dict[str, float], home: str) -> Done:
    """Render one job and write its file whole."""
    from generator.rendering.documents import Way, render_document  # noqa: PLC0415 - only workers
    from generator.rendering.printer import PrintError  # noqa: PLC0415 - only workers

    if _fault:
        return Done(job.path, error=_fault)
    if _studio is None:
        text = "the worker was not started"
        raise RuntimeError(text)
    begin = perf_counter()
    memory = dict(sizes)
    try:
        way = Way(job.kind, job.format, job.variant, job.paper, home, job.beside)
        printed = render_document(_studio, way, job.data, memory)
        write_whole(out / job.path, printed.data)
    except PrintError as error:
        return Done(job.path, error=str(error))
    except OSError as error:
        return Done(job.path, error=f"cannot write {job.path}: {error.strerror or error}")
    except Exception as error:  # noqa: BLE001 - one failing job never stops the others
        return Done(job.path, bug=f"{type(error).__name__}: {error}")
    news = {key: size for key, size in memory.items() if sizes.get(key) != size}
    return Done(job.path, len(printed.data), printed.pages, perf_counter() - begin, news)


def _home(path: str) -> str:
    """Give the way from an output to the index page."""
    return "../" * path.count("/") + "index.html"


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
    """Do what is due of a plan.

    A job is due if its fingerprint differs from the record's or its file is missing or has
    another size. Jobs are begun longest first, by the last build's times; the outcome is in
    the plan's order however they end.

    Args:
        plan: What is to be there.
        out: The output folder.
        templates: The template folders, the user's own first.
        fingerprint: The hash of templates and fonts.
        workers: How many processes.
        force: Do everything.
        listener: Told of every job as it ends.
        executor: Used instead of processes of our own, for tests and clusters.

    Raises:
        OSError: If the output folder cannot be written.
    """
    out.mkdir(parents=True, exist_ok=True)
    sweep(out)
    record = Record(out / ".muster-record.json")
    prints = {job.path: job.fingerprint(fingerprint) for job in plan.jobs}
    done: dict[str, Done] = {}
    due: list[Job] = []
    for job in plan.jobs:
        known = record.outputs.get(job.path, {})
        if force or known.get("fingerprint") != prints[job.path] or not _there(out, job, known):
            due.append(job)
            continue
        kept = Done(job.path, known["size"], known["pages"], known["seconds"], fresh=False)
        done[job.path] = kept
        if listener:
            listener(kept)
    due.sort(key=lambda job: -float(record.outputs.get(job.path, {}).get("seconds", 1.0)))
    for each in _run(due, out, [str(f) for f in templates], record.sizes, workers, executor):
        done[each.path] = each
        if listener:
            listener(each)
        if each.error or each.bug:
            record.outputs.pop(each.path, None)
            continue
        record.sizes.update(each.sizes)
        record.outputs[each.path] = {
            "fingerprint": prints[each.path],
            "size": each.size,
            "pages": each.pages,
            "seconds": round(each.seconds, 3),
        }
    if due:
        record.save()
    return Outcome([done[job.path] for job in plan.jobs])


def _there(out: Path, job: Job, known: dict[str, object]) -> bool:
    try:
        return (out / job.path).stat().st_size == known.get("size")
    except OSError:
        return False


def _share_out(
    pool: Executor, due: Sequence[Job], out: Path, sizes: dict[str, float]
) -> Iterator[Done]:
    """Hand the jobs to the workers; what a killed worker was at, or could not get, is told."""
    waiting: dict[Future[Done], Job] = {}
    for job in due:
        try:
            waiting[pool.submit(do_job, job, out, sizes, _home(job.path))] = job
        except BrokenProcessPool:
            yield Done(job.path, error=_KILLED)
    for future in as_completed(waiting):
        try:
            yield future.result()
        except BrokenProcessPool:
            yield Done(waiting[future].path, error=_KILLED)


def _run(
    due: Sequence[Job],
    out: Path,
    folders: Sequence[str],
    sizes: dict[str, float],
    workers: int,
    executor: Executor | None,
) -> Iterator[Done]:
    if not due:
        return
    if executor is None and (workers <= 1 or len(due) == 1):
        _start(folders)
        try:
            for job in due:
                yield do_job(job, out, sizes, _home(job.path))
        finally:
            _stop()
        return
    pool = executor or ProcessPoolExecutor(
        min(workers, len(due)),
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_start_worker,
        initargs=(folders,),
    )
    try:
        yield from _share_out(pool, due, out, sizes)
    except BaseException:
        if isinstance(pool, ProcessPoolExecutor) and executor is None:
            _end(pool)
        raise
    if executor is None:
        pool.shutdown()
