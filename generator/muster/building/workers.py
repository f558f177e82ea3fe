"""The processes that render documents: started once, given jobs, ended when a build stops."""

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

from muster.building.print_cache import PieceCache

_PATH = "PATH"


def load_renderers() -> None:
    """Load what renders.

    WeasyPrint looks for each of its libraries under several names; for every name that is not
    there, Python asks a compiler and a linker, a process each. Without a search path it asks
    neither, and finds them by the system's own list all the same.

    Raises:
        OSError: If a library is missing.
    """
    before = os.environ.get(_PATH)
    try:
        os.environ[_PATH] = ""
        import muster.rendering.dispatch  # noqa: PLC0415 - after the search path is set
        import muster.rendering.environment  # noqa: PLC0415 - as above
    except OSError:
        # A system without such a list: only compiler and linker know its libraries.
        if before is not None:
            os.environ[_PATH] = before
        import muster.rendering.dispatch  # noqa: PLC0415 - as above
        import muster.rendering.environment  # noqa: F401, PLC0415 - as above
    finally:
        if before is None:
            os.environ.pop(_PATH, None)
        else:
            os.environ[_PATH] = before


if TYPE_CHECKING:
    from muster.building.jobs import Job
    from muster.rendering.environment import TemplateEnvironment

_studio: TemplateEnvironment | None = None
_start_error = ""
_render_lock = Lock()
"""WeasyPrint bears no second thread; a cluster may give one process several jobs at once."""

WORKER_KILLED = "its worker was killed twice; build again, with fewer --jobs if memory is short"
_FORKSERVER = "forkserver"
MAX_TRIES = 2
"""How often a job is begun whose worker is killed under it."""


@dataclass(frozen=True, slots=True)
class JobResult:
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
    from_cache: bool = False
    unchanged: bool = False
    why: str = ""
    data: bytes = b""
    """What was printed, on its way from a worker; empty once it is written."""


@dataclass(frozen=True, slots=True)
class Task:
    """A job on its way to a worker, with what is remembered of its layout."""

    job: Job
    sizes: dict[str, float] = field(default_factory=dict)
    cache_folder: str = ""
    """The output folder in whose cache pieces of documents are kept; empty for none."""
    ignore_cached: bool = False
    """Whether pieces that are kept there are left alone, and written anew."""


def start_rendering(folders: Sequence[str]) -> None:
    """Load WeasyPrint, templates and fonts once in this process, and still the collector."""
    global _studio, _start_error  # noqa: PLW0603 - one studio a process, loaded once
    _studio, _start_error = None, ""
    try:
        load_renderers()
        from muster.rendering.environment import TemplateEnvironment  # noqa: PLC0415 - heavy

        studio = TemplateEnvironment([Path(folder) for folder in folders])
        _ = studio.printer
    except Exception as error:  # noqa: BLE001 - the worker lives on to say so for every job
        _start_error = f"WeasyPrint cannot start: {error}; `muster doctor` says what is missing"
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
        Thread(target=_exit_with_parent, args=(parent.sentinel,), daemon=True).start()
    start_rendering(folders)


def _exit_with_parent(sentinel: int) -> None:
    """End with the parent: one that is killed cannot say so."""
    wait([sentinel])
    os._exit(1)


def stop_rendering() -> None:
    """Let go of the studio while WeasyPrint's libraries are still there to free it."""
    global _studio  # noqa: PLW0603 - see start
    _studio = None
    gc.enable()
    gc.unfreeze()


class _FittedSizes(dict[str, float]):
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


def render_task(task: Task) -> JobResult:
    """Render one job; nothing that goes wrong with it leaves here."""
    from muster.rendering.dispatch import RenderOptions, render_document  # noqa: PLC0415 - only workers
    from muster.rendering.printer import PrintError  # noqa: PLC0415 - only workers

    job = task.job
    with _render_lock:
        if _start_error:
            return JobResult(job.path, error=_start_error)
        if _studio is None:
            text = "the worker was not started"
            raise RuntimeError(text)
        begin = perf_counter()
        memory = _FittedSizes(task.sizes)
        kept = (
            PieceCache(Path(task.cache_folder), read=not task.ignore_cached)
            if task.cache_folder
            else None
        )
        try:
            way = RenderOptions(
                job.kind, job.format, job.variant, job.paper, index_address(job.path), job.beside
            )
            printed = render_document(_studio, way, job.data, memory, kept)
        except PrintError as error:
            return JobResult(job.path, error=str(error))
        except OSError as error:
            return JobResult(job.path, error=f"cannot print {job.path}: {error.strerror or error}")
        except Exception as error:  # noqa: BLE001 - one failing job never stops the others
            return JobResult(job.path, bug=f"{type(error).__name__}: {error}")
    kept_sizes = memory.used if memory.found else memory.keys()
    sizes = {key: memory[key] for key in sorted(kept_sizes) if key in memory}
    seconds = perf_counter() - begin
    size = len(printed.data)
    return JobResult(job.path, size, printed.pages, seconds, sizes, data=printed.data)


def index_address(path: str) -> str:
    """Give the way from an output to the index page."""
    return "../" * path.count("/") + "index.html"


def start_fork_server(count: int) -> None:
    """Start loading what so many workers render with; nothing is waited for.

    One worker loads it when it begins, and so do all where processes cannot be forked.
    """
    if count > 1 and _process_context().get_start_method() == _FORKSERVER:
        forkserver.ensure_running()


class Workers:
    """Renders tasks: in this process, in processes of its own, or on an executor that is given."""

    def __init__(
        self, count: int, folders: Sequence[str], executor: Executor | None = None
    ) -> None:
        """Take how many processes; one works in this very process."""
        self.count = count
        self._folders = list(folders)
        self._executor = executor
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
                self._terminate()
        if self._started:
            stop_rendering()

    def warm_up(self) -> None:
        """Start loading what renders while the plan is still being made; nothing is waited for."""
        if self._executor is None:
            start_fork_server(self.count)

    def run(self, tasks: Sequence[Task]) -> Iterator[JobResult]:
        """Render tasks, begun in this order; each is given as it ends."""
        if self._executor is not None:
            yield from self._distribute(self._executor, tasks)
        elif tasks and self.count > 1:
            yield from self._in_processes(tasks)
        elif tasks:
            if not self._started:
                start_rendering(self._folders)
                self._started = True
            for task in tasks:
                yield render_task(task)

    def _ensure_pool(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self.count,
                mp_context=_process_context(),
                initializer=_start_worker,
                initargs=(self._folders,),
            )
        return self._pool

    def _terminate(self) -> None:
        """End the workers now, whatever they are at."""
        if self._pool is None:
            return
        workers = list((self._pool._processes or {}).values())  # noqa: SLF001 - public from 3.14 on
        self._pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.terminate()
        self._pool = None

    def _in_processes(self, tasks: Sequence[Task]) -> Iterator[JobResult]:
        """Share tasks out; what a killed worker was at is begun once more, by a new one."""
        left = list(tasks)
        for turn in range(MAX_TRIES):
            again: list[Task] = []
            # One more than there are workers, so that none waits for the next.
            for done in self._distribute(self._ensure_pool(), left, self.count + 1):
                if done.error == WORKER_KILLED and turn < MAX_TRIES - 1:
                    again += [task for task in left if task.job.path == done.path]
                else:
                    yield done
            if not again:
                return
            self._terminate()
            left = again

    def _distribute(
        self, pool: Executor, tasks: Sequence[Task], most: int | None = None
    ) -> Iterator[JobResult]:
        """Hand tasks to the workers; what a killed one was at, or could not get, is told.

        With *most*, only so many are handed out at a time, so that what has to wait for another
        is next as soon as it may.
        """
        left = list(tasks)
        waiting: dict[Future[JobResult], Task] = {}
        # Of tasks that share what is measured, one is at work at a time.
        busy: set[str] = set()
        while left or waiting:
            later: list[Task] = []
            for task in left:
                shared = task.job.layout_key if task.cache_folder else ""
                if shared in busy or (most is not None and len(waiting) >= most):
                    later.append(task)
                    continue
                try:
                    waiting[self._submit(pool, task)] = task
                except BrokenProcessPool:
                    yield JobResult(task.job.path, error=WORKER_KILLED)
                else:
                    busy |= {shared} - {""}
            left = later
            ended, _ = wait_for(waiting, return_when=FIRST_COMPLETED)
            for future in [each for each in waiting if each in ended]:
                task = waiting.pop(future)
                busy.discard(task.job.layout_key)
                yield _result_of(future, task.job.path)

    def _submit(self, pool: Executor, task: Task) -> Future[JobResult]:
        return pool.submit(render_task, task)


def _result_of(future: Future[JobResult], path: str) -> JobResult:
    """Give what became of a task, whatever befell its worker."""
    try:
        return future.result()
    except BrokenProcessPool:
        return JobResult(path, error=WORKER_KILLED)
    except (Exception, CancelledError) as error:  # noqa: BLE001 - one failing job stops no other
        return JobResult(path, error=f"its worker failed: {type(error).__name__}: {error}")


def _process_context() -> multiprocessing.context.BaseContext:
    """Choose how workers start: forked from a server that has loaded all, where there is one."""
    if _FORKSERVER not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")  # pragma: no cover - Windows
    context = multiprocessing.get_context(_FORKSERVER)
    context.set_forkserver_preload(["muster.building.preload"])
    return context
