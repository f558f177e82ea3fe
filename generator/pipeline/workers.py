"""Owns the processes that render: started once, given jobs, ended at once when a build stops.

Does not write files: a worker hands back bytes, and whoever asked for them keeps them.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
)
from concurrent.futures import wait as wait_for
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import forkserver
from multiprocessing.connection import wait
from pathlib import Path
from threading import Lock, Thread
from time import perf_counter
from typing import TYPE_CHECKING, Self

from generator.pipeline.cache import Pieces

if TYPE_CHECKING:
    from generator.pipeline.job import Job
    from generator.rendering.studio import Studio

_studio: Studio | None = None
_fault = ""
_one_at_a_time = Lock()
"""WeasyPrint bears no second thread; a cluster may give one process several jobs at once."""

KILLED = "its worker was killed twice; build again, with fewer --jobs if memory is short"
_FORKED = "forkserver"
TRIES = 2
"""How often a job is begun whose worker is killed under it."""


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a job: bytes and pages printed, or why not.

    `fresh` tells that it was made now, `found` that it was found again in the cache rather than
    printed, `same` that its file already was what was made.
    """

    path: str
    size: int = 0
    pages: int = 0
    seconds: float = 0.0
    sizes: dict[str, float] = field(default_factory=dict)
    error: str = ""
    bug: str = ""
    fresh: bool = True
    found: bool = False
    same: bool = False
    why: str = ""
    data: bytes = b""
    """What was printed, on its way from a worker; empty once it is written."""


@dataclass(frozen=True, slots=True)
class Task:
    """A job on its way to a worker, with what is remembered of its layout."""

    job: Job
    sizes: dict[str, float] = field(default_factory=dict)
    kept: str = ""
    """The output folder in whose cache pieces of documents are kept; empty for none."""
    anew: bool = False
    """Whether pieces that are kept there are left alone, and written anew."""


def start(folders: Sequence[str]) -> None:
    """Load WeasyPrint, templates and fonts once in this process, and still the collector."""
    global _studio, _fault  # noqa: PLW0603 - one studio a process, loaded once
    _studio, _fault = None, ""
    try:
        from generator.pipeline.warm import load  # noqa: PLC0415 - only workers need it

        load()
        from generator.rendering.studio import Studio  # noqa: PLC0415 - only workers need it

        studio = Studio([Path(folder) for folder in folders])
        _ = studio.printer
    except Exception as error:  # noqa: BLE001 - the worker lives on to say so for every job
        _fault = f"WeasyPrint cannot start: {error}; `muster doctor` says what is missing"
        return
    _studio = studio
    # What is loaded stays; what a layout leaves behind is collected after each (see `printer`).
    gc.collect()
    gc.freeze()
    gc.disable()


def _start_worker(folders: Sequence[str]) -> None:
    """Start a worker that leaves Ctrl-C to its parent, and that ends when its parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_outlive_nobody, args=(parent.sentinel,), daemon=True).start()
    start(folders)


def _outlive_nobody(sentinel: int) -> None:
    """End with the parent: one that is killed cannot say so."""
    wait([sentinel])
    os._exit(1)


def stop() -> None:
    """Let go of the studio while WeasyPrint's libraries are still there to free it."""
    global _studio  # noqa: PLW0603 - see start
    _studio = None
    gc.enable()
    gc.unfreeze()


class _Memory(dict[str, float]):
    """Type sizes that are remembered, which of them were asked for, and whether any was found."""

    def __init__(self, sizes: dict[str, float]) -> None:
        super().__init__(sizes)
        self.used: set[str] = set()
        self.found = False

    def get(self, key: str, default: float | None = None) -> float | None:  # type: ignore[override]  # as a memory is used
        self.used.add(key)
        return super().get(key, default)

    def __getitem__(self, key: str) -> float:
        self.used.add(key)
        return super().__getitem__(key)

    def __setitem__(self, key: str, size: float) -> None:
        self.used.add(key)
        self.found = self.found or self.get(key) != size
        super().__setitem__(key, size)


def do_task(task: Task) -> Done:
    """Render one job; nothing that goes wrong with it leaves here."""
    from generator.rendering.documents import Way, render_document  # noqa: PLC0415 - only workers
    from generator.rendering.printer import PrintError  # noqa: PLC0415 - only workers

    job = task.job
    with _one_at_a_time:
        if _fault:
            return Done(job.path, error=_fault)
        if _studio is None:
            text = "the worker was not started"
            raise RuntimeError(text)
        begin = perf_counter()
        memory = _Memory(task.sizes)
        kept = Pieces(Path(task.kept), read=not task.anew) if task.kept else None
        try:
            way = Way(job.kind, job.format, job.variant, job.paper, home(job.path), job.beside)
            printed = render_document(_studio, way, job.data, memory, kept)
        except PrintError as error:
            return Done(job.path, error=str(error))
        except OSError as error:
            return Done(job.path, error=f"cannot print {job.path}: {error.strerror or error}")
        except Exception as error:  # noqa: BLE001 - one failing job never stops the others
            return Done(job.path, bug=f"{type(error).__name__}: {error}")
    kept_sizes = memory.used if memory.found else memory.keys()
    sizes = {key: memory[key] for key in sorted(kept_sizes) if key in memory}
    seconds = perf_counter() - begin
    size = len(printed.data)
    return Done(job.path, size, printed.pages, seconds, sizes, data=printed.data)


def home(path: str) -> str:
    """Give the way from an output to the index page."""
    return "../" * path.count("/") + "index.html"


def warm_up(count: int) -> None:
    """Start loading what so many workers render with; nothing is waited for.

    One worker loads it when it begins, and so do all where processes cannot be forked.
    """
    if count > 1 and _context().get_start_method() == _FORKED:
        forkserver.ensure_running()


class Workers:
    """Renders tasks: in this process, in processes of its own, or on an executor that is given."""

    def __init__(
        self, count: int, folders: Sequence[str], executor: Executor | None = None
    ) -> None:
        """Take how many processes; one works in this very process."""
        self.count = count
        self._folders = list(folders)
        self._given = executor
        self._pool: ProcessPoolExecutor | None = None
        self._started = False

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """End the processes: at once if the build was stopped."""
        if self._pool is not None:
            if kind is None:
                self._pool.shutdown()
            else:
                self._end()
        if self._started:
            stop()

    def warm_up(self) -> None:
        """Start loading what renders while the plan is still being made; nothing is waited for."""
        if self._given is None:
            warm_up(self.count)

    def run(self, tasks: Sequence[Task]) -> Iterator[Done]:
        """Render tasks, begun in this order; each is given as it ends."""
        if self._given is not None:
            yield from self._share_out(self._given, tasks)
        elif tasks and self.count > 1:
            yield from self._in_processes(tasks)
        elif tasks:
            if not self._started:
                start(self._folders)
                self._started = True
            for task in tasks:
                yield do_task(task)

    def _open(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self.count,
                mp_context=_context(),
                initializer=_start_worker,
                initargs=(self._folders,),
            )
        return self._pool

    def _end(self) -> None:
        """End the workers now, whatever they are at."""
        if self._pool is None:
            return
        workers = list((self._pool._processes or {}).values())  # noqa: SLF001 - public from 3.14 on
        self._pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.terminate()
        self._pool = None

    def _in_processes(self, tasks: Sequence[Task]) -> Iterator[Done]:
        """Share tasks out; what a killed worker was at is begun once more, by a new one."""
        left = list(tasks)
        for turn in range(TRIES):
            again: list[Task] = []
            # One more than there are workers, so that none waits for the next.
            for done in self._share_out(self._open(), left, self.count + 1):
                if done.error == KILLED and turn < TRIES - 1:
                    again += [task for task in left if task.job.path == done.path]
                else:
                    yield done
            if not again:
                return
            self._end()
            left = again

    def _share_out(
        self, pool: Executor, tasks: Sequence[Task], most: int | None = None
    ) -> Iterator[Done]:
        """Hand tasks to the workers; what a killed one was at, or could not get, is told.

        With *most*, only so many are handed out at a time, so that what has to wait for another
        is next as soon as it may.
        """
        left = list(tasks)
        waiting: dict[Future[Done], Task] = {}
        # Of tasks that share what is measured, one is at work at a time.
        busy: set[str] = set()
        while left or waiting:
            later: list[Task] = []
            for task in left:
                shared = task.job.shares if task.kept else ""
                if shared in busy or (most is not None and len(waiting) >= most):
                    later.append(task)
                    continue
                try:
                    waiting[self._submit(pool, task)] = task
                except BrokenProcessPool:
                    yield Done(task.job.path, error=KILLED)
                else:
                    busy |= {shared} - {""}
            left = later
            ended, _ = wait_for(waiting, return_when=FIRST_COMPLETED)
            for future in [each for each in waiting if each in ended]:
                task = waiting.pop(future)
                busy.discard(task.job.shares)
                yield _outcome(future, task.job.path)

    def _submit(self, pool: Executor, task: Task) -> Future[Done]:
        return pool.submit(do_task, task)


def _outcome(future: Future[Done], path: str) -> Done:
    """Give what became of a task, whatever befell its worker."""
    try:
        return future.result()
    except BrokenProcessPool:
        return Done(path, error=KILLED)
    except (Exception, CancelledError) as error:  # noqa: BLE001 - one failing job stops no other
        return Done(path, error=f"its worker failed: {type(error).__name__}: {error}")


def _context() -> multiprocessing.context.BaseContext:
    """Choose how workers start: forked from a server that has loaded all, where there is one."""
    if _FORKED not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")  # pragma: no cover - Windows
    context = multiprocessing.get_context(_FORKED)
    context.set_forkserver_preload(["generator.pipeline.preload"])
    return context
