"""Watch a working folder, and build again what a saved file affects."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from watchfiles import DefaultFilter, watch

from muster.building.full_build import run_build
from muster.building.jobs import Request
from muster.building.live_server import LivePages, ShownProblem
from muster.building.plan import Plan
from muster.building.runner import Outcome
from muster.building.workers import JobResult, Task, Workers, render_task, start_rendering
from muster.dependencies import file_signature
from muster.problems import Problem
from muster.systems import Library

if TYPE_CHECKING:
    from watchfiles import Change

_FOLDERS = ("content", "armies", "templates")
_QUIET_MS = 20
"""How long nothing more must be saved before building begins; editors save in several steps."""
_DEBOUNCE_MS = 300
_FOLDER_CHECK_MS = 1000
"""How often it is looked whether a folder to watch has come or gone."""


OpenPagesLookup = Callable[[], Collection[str]]
"""Gives the pages that somebody looks at."""


class CancelledBuildError(Exception):
    """Say that prints were called off, since something else was saved meanwhile."""


class WatchListener(Protocol):
    """Hears what goes on, to tell the terminal."""

    def files_saved(self, paths: Sequence[Path]) -> None:
        """Hear which files were saved; none for the first build."""

    def document_built(self, done: JobResult, seconds: float) -> None:
        """Hear that a document is there, so many seconds after the save was seen."""

    def problems_found(self, problems: Sequence[Problem]) -> None:
        """Hear what is wrong with files, before anything is built; nothing, if all is well."""

    def build_ended(self, outcome: Outcome, seconds: float) -> None:
        """Hear how a build ended."""

    def build_failed(self, error: Exception) -> None:
        """Hear that a build could not be done at all."""


class WatchWorkers(Workers):
    """Workers that stay between builds: pages for screens are made here, prints in processes.

    Pages come first, the open ones before all others. Prints may be called off from another
    thread; what was printed by then is found again in the cache.
    """

    def __init__(self, count: int, folders: Sequence[str], seen: OpenPagesLookup) -> None:
        super().__init__(count, folders)
        self.folders = tuple(folders)
        self._open_pages = seen
        self._cancelled = Event()
        self._printing = False
        self._ending = Lock()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Stay; `end` ends them."""

    def warm_up(self) -> None:
        """Load what renders pages, and start the processes that print."""
        if not self._started:
            start_rendering(self._folders)
            self._started = True
        try:
            self._ensure_pool().submit(int)
        except BrokenProcessPool:
            self._terminate()
            self._ensure_pool().submit(int)

    def run(self, tasks: Sequence[Task]) -> Iterator[JobResult]:
        """Render tasks: pages at once, then prints."""
        pages = [task for task in tasks if task.job.format == "html"]
        seen = self._open_pages()
        for task in sorted(pages, key=lambda task: task.job.path not in seen):
            yield render_task(task)
        prints = [task for task in tasks if task.job.format != "html"]
        if prints:
            self._printing = True
            try:
                self._raise_if_cancelled()
                yield from self._in_processes(prints)
            finally:
                self._printing = False

    def _distribute(
        self, pool: Executor, tasks: Sequence[Task], most: int | None = None
    ) -> Iterator[JobResult]:
        for done in super()._distribute(pool, tasks, most):
            self._raise_if_cancelled()
            yield done

    def _raise_if_cancelled(self) -> None:
        if self._cancelled.is_set():
            self._terminate()
            raise CancelledBuildError

    def _terminate(self) -> None:
        with self._ending:
            super()._terminate()

    def cancel(self) -> None:
        """Stop printing; for another thread than the one that builds."""
        self._cancelled.set()
        with self._ending:
            if self._printing and self._pool is not None:
                # The pool finds out by itself, and so does whoever waits for it.
                for process in list((self._pool._processes or {}).values()):  # noqa: SLF001 - as `_end`
                    process.terminate()

    def resume(self) -> None:
        """Print again from now on."""
        self._cancelled.clear()

    def end(self) -> None:
        """End for good."""
        super().__exit__(KeyboardInterrupt)


@dataclass(slots=True)
class _PageListener:
    """Hears of a build's documents and passes them on."""

    live: LivePages
    listener: WatchListener
    begun: float
    total: int = 0
    count: int = 0

    def plan_ready(self, expected: dict[str, float | None], kept: int) -> None:
        """Hear how much there is to do."""
        del kept
        self.total = len(expected)
        self.live.show_progress(0, self.total)

    def job_finished(self, done: JobResult) -> None:
        """Hear of a document; whoever looks at it sees the new one."""
        if not done.fresh:
            return
        self.count += 1
        self.live.show_progress(self.count, self.total)
        if not (done.error or done.bug or done.unchanged):
            self.live.changed(done.path)
        self.listener.document_built(done, perf_counter() - self.begun)

    def status(self, text: str) -> None:
        """Hear what has nothing to do with a page."""


class Watcher:
    """Builds, then builds again whatever a saved file touches, until it is stopped."""

    def __init__(
        self,
        request: Request,
        out: Path,
        live: LivePages,
        teller: WatchListener,
        processes: int = 1,
    ) -> None:
        self.request = request
        self.out = out
        self.live = live
        self.listener = teller
        self._processes = processes
        self._saved: SimpleQueue[frozenset[Path] | None] = SimpleQueue()
        self._workers: WatchWorkers | None = None
        self._ended = Event()

    def run(self) -> None:
        """Watch until `stop` is called, or Ctrl-C.

        Raises:
            KeyboardInterrupt: At Ctrl-C; by then all has ended.
        """
        builder = Thread(target=self._build_all, daemon=True)
        self._saved.put(frozenset())
        builder.start()
        try:
            self._watch()
        finally:
            self._ended.set()
            self._saved.put(None)
            if self._workers is not None:
                self._workers.cancel()
            builder.join(timeout=2)
            if self._workers is not None:
                self._workers.end()

    def stop(self) -> None:
        """Stop watching; for another thread."""
        self._ended.set()

    # Watching

    def _watch(self) -> None:
        """Pass on what is saved; folders that come into being are watched from then on."""
        while not self._ended.is_set():
            folders = self._folders()
            changes = watch(
                *folders,
                watch_filter=_RelevantChanges(self.request, self.out, folders),
                step=_QUIET_MS,
                debounce=_DEBOUNCE_MS,
                rust_timeout=_FOLDER_CHECK_MS,
                yield_on_timeout=True,
                stop_event=self._ended,
            )
            begun = False
            for found in changes:
                if found:
                    self._queue_changes(frozenset(Path(path) for _, path in found))
                elif not begun:
                    # What was saved before anybody watched is found by one more look.
                    self._saved.put(frozenset())
                begun = True
                now = self._folders()
                if now != folders:
                    self._queue_changes(frozenset(now) ^ frozenset(folders))
                    break

    def _queue_changes(self, paths: frozenset[Path]) -> None:
        # In this order: a builder that has begun with these files must not be called off for them.
        if self._workers is not None:
            self._workers.cancel()
        self._saved.put(paths)

    def _folders(self) -> list[Path]:
        library = Library(self.request.folder)
        roots = {root for name in _FOLDERS for root, _ in library.roots(name) if root.is_dir()}
        return sorted(roots)

    # Building

    def _build_all(self) -> None:
        while (saved := self._next()) is not None:
            begun = perf_counter()
            self.listener.files_saved(sorted(saved))
            self._renew_workers(saved)
            try:
                self._build(begun)
            except CancelledBuildError:
                continue
            except Exception as error:  # noqa: BLE001 - the watch lives on to see it mended
                if not self._ended.is_set():
                    text = " ".join(f"{type(error).__name__}: {error}".split())
                    self.live.show_problems([ShownProblem("muster", text)])
                    self.listener.build_failed(error)

    def _next(self) -> frozenset[Path] | None:
        """Wait for what was saved; all that came in meanwhile counts as one."""
        saved = self._saved.get()
        while saved is not None:
            try:
                more = self._saved.get_nowait()
            except Empty:
                return saved
            saved = None if more is None else saved | more
        return None

    def _renew_workers(self, saved: Iterable[Path]) -> None:
        """Let the crew go if it has loaded what has changed since."""
        templates = Library(self.request.folder).templates()
        folders = tuple(str(folder) for folder in templates)
        crew = self._workers
        stale = any(path.is_relative_to(root) for path in saved for root in templates)
        if crew is None or stale or crew.folders != folders:
            if crew is not None:
                crew.end()
            self._workers = WatchWorkers(self._processes, folders, self.live.open_pages)
        else:
            crew.resume()

    def _build(self, begun: float) -> None:
        crew = self._workers
        assert crew is not None  # noqa: S101 - `_renew` saw to it
        index = self.out / "index.html"
        before = file_signature(index)
        listener = _PageListener(self.live, self.listener, begun)
        plan, outcome = run_build(
            self.request, self.out, lambda _: crew, listener=listener, planned=self._planned
        )
        if file_signature(index) != before:
            self.live.changed(index.name)
        self.live.show_progress(0, 0)
        self.live.show_problems([*map(ShownProblem.of, plan.problems), *_failed_documents(outcome)])
        self.listener.build_ended(outcome, perf_counter() - begun)

    def _planned(self, plan: Plan) -> None:
        """Tell what is wrong with files at once: nobody need wait for prints to know."""
        self.live.show_problems(map(ShownProblem.of, plan.problems))
        self.listener.problems_found(plan.problems)


def _failed_documents(outcome: Outcome) -> Iterator[ShownProblem]:
    for each in outcome.failed:
        yield ShownProblem(each.path, each.error or f"this is a bug in Muster: {each.bug}")


class _RelevantChanges(DefaultFilter):
    """Leaves out what editors keep for themselves, what a build writes, and other systems."""

    def __init__(self, request: Request, out: Path, roots: Iterable[Path]) -> None:
        super().__init__(ignore_paths=[out.resolve()])
        self._systems = request.systems
        self._roots = [root for root in roots if root.name != "templates"]

    def __call__(self, change: Change, path: str) -> bool:
        """Tell whether a change is one to build for."""
        place = Path(path)
        if place.name.startswith(".") or not super().__call__(change, path):
            return False
        if not self._systems:
            return True
        below = [place.relative_to(root) for root in self._roots if place.is_relative_to(root)]
        return not any(each.parts and each.parts[0] not in self._systems for each in below)
