"""Watch a working folder, and build again what a saved file affects."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from watchfiles import DefaultFilter, watch

from muster.building.full_build import BuildListener, run_build
from muster.building.jobs import Request
from muster.building.live_server import LivePages, shown_problem
from muster.building.plan import Plan
from muster.building.runner import Outcome
from muster.building.workers import (
    CancelledBuildError,
    JobResult,
    Task,
    Workers,
    render_task,
)
from muster.dependencies import file_signature
from muster.problems import MusterError, Problem
from muster.systems import Library
from muster.systems.library import ROOT_NAMES

if TYPE_CHECKING:
    from watchfiles import Change

_QUIET_MS = 20
"""A build begins when nothing was saved for this long, because editors save in several steps."""
_DEBOUNCE_MS = 300
_FOLDER_CHECK_MS = 1000
"""How often to look whether a folder to watch was made or removed."""


class WatchListener(Protocol):
    """Follows what is saved and built, from the thread that builds."""

    def files_saved(self, paths: Sequence[Path]) -> None:
        """Called with the files that were saved; none for the first build."""

    def document_built(self, done: JobResult, seconds: float) -> None:
        """Called with each document, and the seconds since the save was noticed."""

    def problems_found(self, problems: Sequence[Problem]) -> None:
        """Called with the problems of files, before anything is printed; empty if all is well."""

    def build_ended(self, outcome: Outcome, seconds: float) -> None:
        """Called at the end of a build."""

    def build_failed(self, error: Exception) -> None:
        """Called if a build could not be done at all."""


class Watcher:
    """Builds, then builds again whatever a saved file affects, until it is stopped."""

    def __init__(
        self,
        request: Request,
        out: Path,
        live: LivePages,
        listener: WatchListener,
        processes: int = 1,
    ) -> None:
        self.request = request
        self.out = out
        self.live = live
        self.listener = listener
        self._processes = processes
        self._saved: SimpleQueue[frozenset[Path] | None] = SimpleQueue()
        self._workers: WatchWorkers | None = None
        self._ended = Event()

    def run(self) -> None:
        """Watch until `stop` is called, or Ctrl-C.

        Raises:
            KeyboardInterrupt: At Ctrl-C, after everything has ended.
        """
        builder = Thread(target=self._build_repeatedly, daemon=True)
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
        """Stop watching; called from another thread."""
        self._ended.set()

    def _watch(self) -> None:
        """Queue what is saved; folders that are made meanwhile are watched from then on."""
        while not self._ended.is_set():
            folders = self._folders()
            changes = watch(
                *folders,
                watch_filter=relevant_changes(self.request, self.out, folders),
                step=_QUIET_MS,
                debounce=_DEBOUNCE_MS,
                rust_timeout=_FOLDER_CHECK_MS,
                yield_on_timeout=True,
                stop_event=self._ended,
            )
            for turn, changed in enumerate(changes):
                if changed:
                    self._queue(frozenset(Path(path) for _, path in changed))
                elif turn == 0:
                    # One more build finds what was saved before the watch began.
                    self._saved.put(frozenset())
                now = self._folders()
                if now != folders:
                    self._queue(frozenset(now) ^ frozenset(folders))
                    break

    def _queue(self, paths: frozenset[Path]) -> None:
        # Cancel first: a build that begins with these files must not be cancelled for them.
        if self._workers is not None:
            self._workers.cancel()
        self._saved.put(paths)

    def _folders(self) -> list[Path]:
        library = Library(self.request.folder)
        roots = {root for name in ROOT_NAMES for root, _ in library.roots(name) if root.is_dir()}
        return sorted(roots)

    def _build_repeatedly(self) -> None:
        while (saved := self._next_saved()) is not None:
            begin = perf_counter()
            self.listener.files_saved(sorted(saved))
            try:
                self._build(self._ready_workers(saved), begin)
            except CancelledBuildError:
                continue
            except MusterError as error:
                self.live.show_problems(shown_problem(problem) for problem in error.problems)
                self.listener.problems_found(error.problems)
            except Exception as error:  # noqa: BLE001 - shown, and the next save may mend it
                if not self._ended.is_set():
                    text = " ".join(f"{type(error).__name__}: {error}".split())
                    self.live.show_problems([{"place": "muster", "text": text, "excerpt": ""}])
                    self.listener.build_failed(error)

    def _next_saved(self) -> frozenset[Path] | None:
        """Wait for saved files, and return all that were saved by now; None at the end."""
        saved = self._saved.get()
        while saved is not None:
            try:
                more = self._saved.get_nowait()
            except Empty:
                return saved
            saved = None if more is None else saved | more
        return None

    def _ready_workers(self, saved: Iterable[Path]) -> WatchWorkers:
        """Return the workers, new ones if a template that they have loaded has changed."""
        templates = Library(self.request.folder).templates()
        folders = tuple(str(folder) for folder in templates)
        workers = self._workers
        stale = any(path.is_relative_to(root) for path in saved for root in templates)
        if workers is not None and not stale and workers.folders == folders:
            workers.resume()
            return workers
        if workers is not None:
            workers.end()
        self._workers = WatchWorkers(self._processes, folders, self.live.open_pages)
        return self._workers

    def _build(self, workers: WatchWorkers, begin: float) -> None:
        index = self.out / "index.html"
        before = file_signature(index)
        plan, outcome = run_build(
            self.request,
            self.out,
            lambda _: workers,
            listener=_PageUpdater(self.live, self.listener, begin),
            on_planned=self._show_plan_problems,
        )
        if file_signature(index) != before:
            self.live.changed(index.name)
        self.live.show_progress(0, 0)
        problems = [shown_problem(problem) for problem in plan.problems]
        for result in outcome.failed:
            text = result.error or f"this is a bug in Muster: {result.bug}"
            problems.append({"place": result.path, "text": text, "excerpt": ""})
        self.live.show_problems(problems)
        self.listener.build_ended(outcome, perf_counter() - begin)

    def _show_plan_problems(self, plan: Plan) -> None:
        """Show what is wrong with files at once, rather than after everything is printed."""
        self.live.show_problems(shown_problem(problem) for problem in plan.problems)
        self.listener.problems_found(plan.problems)


@dataclass(slots=True)
class _PageUpdater(BuildListener):
    """Makes open pages reload as their files are written, and tells the listener."""

    live: LivePages
    listener: WatchListener
    begin: float
    total: int = 0
    count: int = 0

    def plan_ready(self, expected: dict[str, float | None], kept: int) -> None:
        del kept
        self.total = len(expected)
        self.live.show_progress(0, self.total)

    def job_finished(self, done: JobResult) -> None:
        if not done.fresh:
            return
        self.count += 1
        self.live.show_progress(self.count, self.total)
        if not (done.error or done.bug or done.unchanged):
            self.live.changed(done.path)
        self.listener.document_built(done, perf_counter() - self.begin)


class WatchWorkers(Workers):
    """Workers that stay between builds: pages for screens are rendered here, PDFs in processes.

    Pages come first, the open ones before all others. What was printed before `cancel` is found
    in the cache by the next build.
    """

    def __init__(
        self, count: int, folders: Sequence[str], open_pages: Callable[[], Collection[str]]
    ) -> None:
        super().__init__(count, folders)
        self.folders = tuple(folders)
        self._open_pages = open_pages

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Keep the processes; `end` ends them."""

    def warm_up(self) -> None:
        """Load what renders pages, and start the processes."""
        self._start_here()
        try:
            self._ensure_pool().submit(int)
        except BrokenProcessPool:
            self._terminate()
            self._ensure_pool().submit(int)

    def run(self, tasks: Sequence[Task]) -> Iterator[JobResult]:
        """Render tasks: pages for screens at once, then PDFs.

        Raises:
            CancelledBuildError: If another thread called `cancel`.
        """
        pages = [task for task in tasks if task.job.format == "html"]
        opened = self._open_pages()
        for task in sorted(pages, key=lambda task: task.job.path not in opened):
            yield render_task(task)
        prints = [task for task in tasks if task.job.format != "html"]
        if prints:
            yield from self._in_processes(prints)

    def end(self) -> None:
        """End the processes."""
        super().__exit__(KeyboardInterrupt)


def relevant_changes(
    request: Request, out: Path, folders: Iterable[Path]
) -> Callable[[Change, str], bool]:
    """Return a filter that leaves out editors' own files, outputs, and other systems."""
    usual = DefaultFilter(ignore_paths=[out.resolve()])
    systems = {*request.systems, *(army.system for army in request.armies)}
    roots = [folder for folder in folders if folder.name != "templates"]

    def is_relevant(change: Change, path: str) -> bool:
        place = Path(path)
        if place.name.startswith(".") or not usual(change, path):
            return False
        below = [place.relative_to(root).parts for root in roots if place.is_relative_to(root)]
        return not systems or not any(parts and parts[0] not in systems for parts in below)

    return is_relevant
