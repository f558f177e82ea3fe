"""The processes that render documents: started once, given jobs, ended when a build stops."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import tempfile
from collections import Counter
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
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import wait
from pathlib import Path
from threading import Event, Lock, Thread
from time import perf_counter
from typing import TYPE_CHECKING, Self

from muster.building.bounds import ExceededError, bounded
from muster.building.print_cache import PieceCache
from muster.building.record import LARGEST_SIZE
from muster.building.temporary import TemporaryFolder
from muster.limits import PRINT_MEGABYTES, PRINT_SECONDS

if TYPE_CHECKING:
    from muster.building.jobs import Job
    from muster.rendering.environment import TemplateEnvironment

_templates: TemplateEnvironment | None = None
_start_error = ""
_print_error = ""
_render_lock = Lock()
"""WeasyPrint cannot run in two threads, and a cluster may give one process several jobs at once."""

WORKER_KILLED = "its worker was killed twice; build again, with fewer --jobs if memory is short"
MAX_TRIES = 2
"""How often a job is begun if its worker is killed."""
STALL_SECONDS = 4 * PRINT_SECONDS
"""The time without any result after which all processes are killed, in seconds of the clock.

A print ends itself long before, by its processor time, unless a library keeps it from doing so.
"""
_FORKSERVER = "forkserver"
_PATH = "PATH"
_LONGEST_END = 3.0
"""How long the end of killed processes is awaited, in seconds."""


class CancelledBuildError(Exception):
    """Raised where results are awaited, after `Workers.cancel`."""


@dataclass(frozen=True, slots=True)
class JobResult:
    """The result of a job: what was printed, or why it was not."""

    path: str
    size: int = 0
    pages: int = 0
    seconds: float = 0.0
    sizes: dict[str, float] = field(default_factory=dict)
    error: str = ""
    bug: str = ""
    killed: bool = False
    """Whether its worker was killed."""
    begun: bool = True
    """Whether it was handed to a worker, if that was killed."""
    fresh: bool = True
    """Whether it was due, rather than up to date."""
    from_cache: bool = False
    """Whether it was taken from the cache rather than printed."""
    unchanged: bool = False
    """Whether its file had the right content already."""
    why: str = ""
    """Why it was due."""
    data: bytes = b""
    """The printed document on its way from a worker; empty once it is written."""


@dataclass(frozen=True, slots=True)
class Task:
    """A job on its way to a worker, with what is known of its layout."""

    job: Job
    sizes: dict[str, float] = field(default_factory=dict)
    cache_folder: str = ""
    """The output folder in whose cache pieces of documents are kept; empty for none."""
    ignore_cached: bool = False
    """Whether pieces are made again, even if they are in the cache."""


class _SharedLayouts:
    """The sizes that tasks of one build found, for later ones with the same layout key."""

    def __init__(self) -> None:
        self._sizes: dict[str, dict[str, float]] = {}

    def keep(self, task: Task, result: JobResult) -> None:
        """Keep what a task found, if others share its layout."""
        if task.job.layout_key:
            self._sizes.setdefault(task.job.layout_key, {}).update(result.sizes)

    def add_to(self, task: Task) -> Task:
        """Return a task that knows what was found before it."""
        found = self._sizes.get(task.job.layout_key)
        return replace(task, sizes={**task.sizes, **found}) if found else task


def load_renderers() -> str:
    """Import what renders, and return why nothing can be printed; empty if everything can.

    WeasyPrint looks for each of its libraries under several names. For every name that does not
    exist, Python starts a compiler and a linker. Without a search path for programs it starts
    neither, and still finds the libraries in the system's own list.
    """
    import muster.rendering.dispatch  # noqa: PLC0415 - takes long
    import muster.rendering.environment  # noqa: F401, PLC0415 - as above
    from muster.rendering.libraries import why_not_printing  # noqa: PLC0415 - as above

    before = os.environ.get(_PATH)
    try:
        os.environ[_PATH] = ""
        reason = why_not_printing()
    finally:
        if before is None:
            os.environ.pop(_PATH, None)
        else:
            os.environ[_PATH] = before
    # On a system without such a list, only compiler and linker find the libraries.
    return reason and why_not_printing()


def start_rendering(folders: Sequence[str], temporary: str | None = None) -> None:
    """Load WeasyPrint, templates and fonts once in this process, and stop garbage collection.

    If that fails, every job of this process reports why; without WeasyPrint's libraries, every
    job that prints a PDF.

    Args:
        folders: The template folders.
        temporary: The folder for WeasyPrint's copies of the fonts, which somebody else removes: a
            process that is killed cannot. None is the system's own.
    """
    global _templates, _start_error, _print_error  # noqa: PLW0603 - loaded once per process
    _templates, _start_error, _print_error = None, "", ""
    try:
        reason = load_renderers()
        from muster.rendering.environment import TemplateEnvironment  # noqa: PLC0415 - heavy

        templates = TemplateEnvironment([Path(folder) for folder in folders])
        if reason:
            _print_error = _cannot_start(reason)
        else:
            with _temporary_files_in(temporary):
                _ = templates.printer
    except Exception as error:  # noqa: BLE001 - reported for every job
        _start_error = _cannot_start(str(error))
        return
    _templates = templates
    # Each collection would examine everything that was loaded here, and free none of it.
    # The garbage of a layout is collected after each document (see `rendering.printer`).
    gc.collect()
    gc.freeze()
    gc.disable()


def _cannot_start(reason: str) -> str:
    return f"WeasyPrint cannot start: {reason}; `muster doctor` shows what is missing"


@contextmanager
def _temporary_files_in(folder: str | None) -> Iterator[None]:
    before, tempfile.tempdir = tempfile.tempdir, folder
    try:
        yield
    finally:
        tempfile.tempdir = before


def _start_worker(folders: Sequence[str], temporary: str) -> None:
    """Start a worker process, which leaves Ctrl-C to its parent and ends when its parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_exit_with_parent, args=(parent.sentinel,), daemon=True).start()
    start_rendering(folders, temporary)


def _exit_with_parent(sentinel: int) -> None:
    """Wait until the parent has ended, even by being killed; then end this process."""
    wait([sentinel])
    os._exit(1)


def stop_rendering() -> None:
    """Release templates and fonts while WeasyPrint's libraries are still loaded to free them."""
    global _templates  # noqa: PLW0603 - as in `start_rendering`
    _templates = None
    gc.enable()
    gc.unfreeze()


class _FittedSizes(dict[str, float]):
    """Type sizes that are known, which of them were used, and whether any is new."""

    def __init__(self, sizes: dict[str, float]) -> None:
        super().__init__(sizes)
        self.used: set[str] = set()
        self.has_new = False

    @property
    def to_keep(self) -> dict[str, float]:
        """The sizes to remember: those in use if any is new, else all."""
        kept = self.used if self.has_new else self.keys()
        return {key: self[key] for key in sorted(kept) if key in self}

    def get(self, key: str, default: float | None = None) -> float | None:  # type: ignore[override]  # only called so
        self.used.add(key)
        return super().get(key, default)

    def __getitem__(self, key: str) -> float:
        self.used.add(key)
        return super().__getitem__(key)

    def __setitem__(self, key: str, size: float) -> None:
        if not abs(size) < LARGEST_SIZE:
            # With such a size, the whole record would count as damaged when it is read.
            text = f"{size} is no size that can be remembered"
            raise ValueError(text)
        self.used.add(key)
        self.has_new = self.has_new or self.get(key) != size
        super().__setitem__(key, size)


def render_task(task: Task) -> JobResult:
    """Render one job; whatever goes wrong is in the result.

    Raises:
        RuntimeError: If this process was not started as a worker.
    """
    from muster.rendering.dispatch import RenderOptions, render_document  # noqa: PLC0415 - only workers
    from muster.rendering.printed import PrintError  # noqa: PLC0415 - only workers

    job = task.job
    with _render_lock:
        if reason := _start_error or (_print_error if job.format == "pdf" else ""):
            return JobResult(job.path, error=reason)
        if _templates is None:
            text = "the worker was not started"
            raise RuntimeError(text)
        begin = perf_counter()
        sizes = _FittedSizes(task.sizes)
        pieces = None
        if task.cache_folder:
            pieces = PieceCache(Path(task.cache_folder), read=not task.ignore_cached)
        options = RenderOptions(
            job.kind, job.format, job.variant, job.paper, index_address(job.path), job.beside
        )
        try:
            with bounded(PRINT_SECONDS, PRINT_MEGABYTES):
                printed = render_document(_templates, options, job.data, sizes, pieces)
        except ExceededError as error:
            return JobResult(job.path, error=f"cannot print {job.path}: {error}; make it smaller")
        except PrintError as error:
            return JobResult(job.path, error=str(error))
        except OSError as error:
            return JobResult(job.path, error=f"cannot print {job.path}: {error.strerror or error}")
        except Exception as error:  # noqa: BLE001 - one failing job never stops the others
            return JobResult(job.path, bug=f"{type(error).__name__}: {error}")
    seconds = perf_counter() - begin
    size = len(printed.data)
    return JobResult(job.path, size, printed.pages, seconds, sizes.to_keep, data=printed.data)


def index_address(path: str) -> str:
    """Return the relative address of the index page, as seen from an output."""
    return "../" * path.count("/") + "index.html"


def start_fork_server(count: int) -> None:
    """Start the process that workers are forked from, and return without waiting for it.

    A single worker needs none, and neither do workers where processes cannot be forked.
    """
    if count > 1 and _process_context().get_start_method() == _FORKSERVER:
        # It inherits the mask: Ctrl-C is for this process, which ends the others. While it loads,
        # the new one would answer with a traceback.
        resource_tracker.ensure_running()  # Else it is started below, and unblocks the signal.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            forkserver.ensure_running()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Workers:
    """Renders tasks: in this process, in a pool of processes, or on a given executor."""

    by_batches = True
    """Whether a first build hands over sheets first, and the rest when they are printed."""

    def __init__(
        self, count: int, folders: Sequence[str], executor: Executor | None = None
    ) -> None:
        """Create workers; no process is started yet.

        Args:
            count: How many processes; with one, tasks are rendered in this process.
            folders: The template folders.
            executor: Used instead of processes, for clusters and tests.
        """
        self.count = count
        self._folders = list(folders)
        self._executor = executor
        self._pool: ProcessPoolExecutor | None = None
        self._pool_is_busy = False
        self._pool_lock = Lock()
        self._cancelled = Event()
        self._started_here = False
        self._temporary: TemporaryFolder | None = None

    def __enter__(self) -> Self:
        """Return these workers."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """End the processes, at once if the build was stopped."""
        if self._pool is not None:
            if kind is None:
                self._pool.shutdown()
            else:
                self._terminate()
        if self._started_here:
            stop_rendering()
        if self._temporary is not None:
            self._temporary.close()
            self._temporary = None

    def _temporary_path(self) -> str:
        if self._temporary is None:
            self._temporary = TemporaryFolder()
        return str(self._temporary.path)

    def warm_up(self) -> None:
        """Start loading what renders while the plan is being made, without waiting for it."""
        if self._executor is None:
            start_fork_server(self.count)

    def run(self, tasks: Sequence[Task]) -> Iterator[JobResult]:
        """Render tasks, begun in this order, and yield each result as it comes.

        Raises:
            CancelledBuildError: If another thread called `cancel`.
        """
        if self._executor is not None:
            yield from self._distribute(self._executor, tasks)
        elif tasks and self.count > 1:
            yield from self._in_processes(tasks)
        elif tasks:
            self._start_here()
            measured = _SharedLayouts()
            for task in tasks:
                result = render_task(measured.add_to(task))
                measured.keep(task, result)
                yield result

    def cancel(self) -> None:
        """Stop rendering in processes; called from another thread than `run`."""
        self._cancelled.set()
        with self._pool_lock:
            if self._pool_is_busy and self._pool is not None:
                # The pool notices that its processes have ended, and no result is awaited any more.
                _kill_processes(self._pool)

    def resume(self) -> None:
        """Allow rendering again after `cancel`."""
        self._cancelled.clear()

    def _start_here(self) -> None:
        if not self._started_here:
            start_rendering(self._folders, self._temporary_path())
            self._started_here = True

    def _ensure_pool(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self.count,
                mp_context=_process_context(),
                initializer=_start_worker,
                initargs=(self._folders, self._temporary_path()),
            )
        return self._pool

    def _terminate(self) -> None:
        """End the processes now, whatever they are doing."""
        with self._pool_lock:
            if self._pool is not None:
                _kill_processes(self._pool)
                # Python would end with a traceback while the thread of the pool closes its pipes.
                end = {"cancel_futures": True}
                ending = Thread(target=self._pool.shutdown, kwargs=end, daemon=True)
                ending.start()
                ending.join(_LONGEST_END)
                self._pool = None

    def _in_processes(self, tasks: Sequence[Task]) -> Iterator[JobResult]:
        """Render tasks in processes; the tasks of a killed one are begun again by a new one.

        Each of these is then alone, so that one that kills its worker takes no other with it.
        """
        self._pool_is_busy = True
        remaining, alone = list(tasks), list[Task]()
        tries: Counter[str] = Counter()
        try:
            while remaining or alone:
                batch, remaining = (remaining, []) if remaining else ([alone.pop(0)], [])
                # One more than there are processes, so that none waits for its next task.
                limit = self.count + 1
                killed: list[JobResult] = []
                for result in self._distribute(self._ensure_pool(), batch, limit):
                    if result.killed:
                        killed.append(result)
                    else:
                        yield result
                if killed:
                    self._terminate()
                none_begun = not any(result.begun for result in killed)
                by_path = {task.job.path: task for task in batch}
                for result in killed:
                    tries[result.path] += result.begun or none_begun
                    if tries[result.path] == MAX_TRIES:
                        yield result
                    else:
                        (alone if result.begun else remaining).append(by_path[result.path])
        finally:
            self._pool_is_busy = False

    def _distribute(
        self, pool: Executor, tasks: Sequence[Task], limit: int | None = None
    ) -> Iterator[JobResult]:
        """Hand tasks to workers, and yield each result as it comes.

        With a *limit*, no more tasks than that are handed out at a time, so that a task that has
        to wait for another comes next as soon as it can.

        Raises:
            CancelledBuildError: If another thread called `cancel`.
        """
        self._raise_if_cancelled()
        remaining = list(tasks)
        waiting: dict[Future[JobResult], Task] = {}
        # Of tasks that share a layout, one is rendered at a time.
        busy_layouts: set[str] = set()
        measured = _SharedLayouts()
        while remaining or waiting:
            later: list[Task] = []
            for task in remaining:
                layout = task.job.layout_key
                if layout in busy_layouts or (limit is not None and len(waiting) >= limit):
                    later.append(task)
                    continue
                try:
                    waiting[self._submit(pool, measured.add_to(task))] = task
                except BrokenProcessPool:
                    self._raise_if_cancelled()
                    yield replace(_killed(task.job.path), begun=False)
                else:
                    busy_layouts |= {layout} - {""}
            remaining = later
            ended, _ = wait_for(waiting, STALL_SECONDS, return_when=FIRST_COMPLETED)
            if waiting and not ended and isinstance(pool, ProcessPoolExecutor):
                # A process that is stuck where Python cannot end it, in a library or on a disk.
                _kill_processes(pool, stuck=True)
            for future in [each for each in waiting if each in ended]:
                task = waiting.pop(future)
                busy_layouts.discard(task.job.layout_key)
                self._raise_if_cancelled()
                result = _result_of(future, task.job.path)
                measured.keep(task, result)
                yield result

    def _raise_if_cancelled(self) -> None:
        if self._cancelled.is_set():
            self._terminate()
            raise CancelledBuildError

    def _submit(self, pool: Executor, task: Task) -> Future[JobResult]:
        return pool.submit(render_task, task)


def _kill_processes(pool: ProcessPoolExecutor, *, stuck: bool = False) -> None:
    for process in list((pool._processes or {}).values()):  # noqa: SLF001 - public from 3.14 on
        if stuck:
            process.kill()
        else:
            process.terminate()


def _result_of(future: Future[JobResult], path: str) -> JobResult:
    """Return the result of a task, even if its worker failed."""
    try:
        return future.result()
    except BrokenProcessPool:
        return _killed(path)
    except (Exception, CancelledError) as error:  # noqa: BLE001 - one failing job stops no other
        return JobResult(path, error=f"its worker failed: {type(error).__name__}: {error}")


def _killed(path: str) -> JobResult:
    return JobResult(path, error=WORKER_KILLED, killed=True)


def _process_context() -> multiprocessing.context.BaseContext:
    """Return how workers start: forked from a process that has imported all, where possible.

    The first process is started by `python -c`, which would put the current folder first on its
    search path, with whatever Python files a stranger has left there: `PYTHONSAFEPATH` forbids it.
    """
    os.environ["PYTHONSAFEPATH"] = "1"
    if _FORKSERVER not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")  # pragma: no cover - Windows
    context = multiprocessing.get_context(_FORKSERVER)
    context.set_forkserver_preload(["muster.building.preload"])
    return context
