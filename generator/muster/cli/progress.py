"""Show the progress of a build: a bar, plain lines, or one JSON object per line."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from statistics import fmean
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from muster.building.full_build import BuildListener
from muster.cli import show

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

    from muster.building.workers import JobResult

SLOWEST_COUNT = 10
"""How many of the slowest jobs `--timings` lists."""


class TimeEstimate:
    """An estimate of the time left, from what each job took last time and the pace of this build.

    Args:
        workers: The number of jobs that run at the same time.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._left: dict[str, float] = {}
        self._expected = 0.0
        self._spent = 0.0

    def begin(self, expected: Mapping[str, float | None]) -> None:
        """Start with the jobs of a build.

        Args:
            expected: The path of each job, with the seconds that it took last time. None is a new
                job: it is expected to take the mean of the files of the same name, or else the
                mean of all.
        """
        known: dict[str, list[float]] = {}
        for path, seconds in expected.items():
            if seconds is not None:
                known.setdefault(_file_name(path), []).append(seconds)
        times = [seconds for same_name in known.values() for seconds in same_name]
        mean = fmean(times) if times else 1.0
        for path, seconds in expected.items():
            same_name = known.get(_file_name(path))
            guess = fmean(same_name) if same_name else mean
            self._left[path] = guess if seconds is None else seconds

    def finish(self, done: JobResult) -> None:
        """Remove a finished job, and learn from the time that it took."""
        expected = self._left.pop(done.path, None)
        if expected is not None and done.seconds:
            self._expected += expected
            self._spent += done.seconds

    def seconds_left(self) -> float:
        """Return the estimated seconds until the last job ends."""
        pace = self._spent / self._expected if self._expected else 1.0
        workers = max(1, min(self._workers, len(self._left)))
        longest = max(self._left.values(), default=0.0)
        return pace * max(longest, sum(self._left.values()) / workers)


def _file_name(path: str) -> str:
    """Return the last part of a path, such as `roster-short.pdf`."""
    return path.rpartition("/")[2]


class Reporter(BuildListener, AbstractContextManager["Reporter"]):
    """Counts what a build has done and shows nothing; the base class of the other reporters."""

    def __init__(self, workers: int) -> None:
        self.total = 0
        self.count = 0
        self.pages = 0
        self.estimate = TimeEstimate(workers)
        self.times: list[tuple[float, str]] = []

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Do nothing: there is nothing to tidy up."""

    def plan_ready(self, expected: dict[str, float | None], up_to_date: int) -> None:
        """Start to count.

        Args:
            expected: The path of each job that is due, with the seconds that it took last time.
            up_to_date: The number of jobs that are not due.
        """
        self.total = len(expected) + up_to_date
        self.estimate.begin(expected)

    def job_finished(self, done: JobResult) -> None:
        """Count a document that is done, whether it was built, was up to date or failed."""
        self.count += 1
        self.pages += done.pages
        self.estimate.finish(done)
        if done.fresh and done.seconds:
            self.times.append((done.seconds, done.path))

    def index_ready(self, index: Path, waiting: int) -> None:
        """Receive the index of a first build, which is written long before its end."""

    def status(self, text: str) -> None:
        """Receive a step that is not a document of the plan; it is not counted."""

    def slowest(self) -> list[tuple[float, str]]:
        """Return the seconds and the path of the slowest jobs, the slowest first."""
        return sorted(self.times, key=lambda job: (-job[0], job[1]))[:SLOWEST_COUNT]


class LineReporter(Reporter):
    """Prints a line for each document, for logs and pipes."""

    def job_finished(self, done: JobResult) -> None:
        """Print a document that was built or failed; one that was up to date is only counted."""
        super().job_finished(done)
        if done.error or done.bug:
            show.note(f"failed  {done.path}")
        elif done.from_cache:
            show.note(f"cached  {done.path}")
        elif done.fresh:
            left = _duration(self.estimate.seconds_left())
            progress = f"({self.count} of {self.total}, about {left} left)"
            show.note(f"built   {done.path}  {done.seconds:.1f} s  {progress}")

    def index_ready(self, index: Path, waiting: int) -> None:
        """Print that there is something to open."""
        show.note(_index_text(index, waiting))

    def status(self, text: str) -> None:
        """Print what the build waits for; the index, which every build makes, is left out."""
        if text != "index":
            show.note(text)


class JsonReporter(Reporter):
    """Prints a line of JSON for each event to stdout, for programs."""

    def plan_ready(self, expected: dict[str, float | None], up_to_date: int) -> None:
        """Print how many documents there are, and how many of them are due."""
        super().plan_ready(expected, up_to_date)
        show.event("plan", total=self.total, due=len(expected), eta=self._eta())

    def job_finished(self, done: JobResult) -> None:
        """Print the event of a document: `built`, `found` in the cache, `kept` or `failed`."""
        super().job_finished(done)
        event = "failed" if done.error or done.bug else "found" if done.from_cache else "built"
        if not done.fresh:
            event = "kept"
        facts: dict[str, Any] = {"path": done.path, "pages": done.pages}
        facts["seconds"] = round(done.seconds, 3)
        if done.why:
            facts["why"] = done.why
        if done.error or done.bug:
            facts["error"] = done.error or done.bug
        show.event(event, **facts, done=self.count, total=self.total, eta=self._eta())

    def index_ready(self, index: Path, waiting: int) -> None:
        """Print that there is something to open."""
        show.event("note", text=_index_text(index, waiting))

    def status(self, text: str) -> None:
        """Print what the build makes or waits for."""
        show.event("note", text=text)

    def _eta(self) -> float:
        return round(self.estimate.seconds_left(), 1)


class BarReporter(Reporter):
    """Draws a bar with counts, pages, the time left and the last document, for terminals."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers)
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        columns: list[ProgressColumn] = [
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[facts]}"),
            TextColumn("{task.description}"),
        ]
        console = Console(stderr=True)
        self._progress: Progress = Progress(*columns, console=console, transient=True)
        self._task = self._progress.add_task("", total=None, facts="")

    def __enter__(self) -> Self:
        """Show the bar."""
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove the bar, so that only the summary stays on the terminal."""
        self._progress.stop()

    def plan_ready(self, expected: dict[str, float | None], up_to_date: int) -> None:
        """Set the number of documents at which the bar is full."""
        super().plan_ready(expected, up_to_date)
        self._progress.update(self._task, total=self.total, facts=self._facts())

    def job_finished(self, done: JobResult) -> None:
        """Advance the bar by one document."""
        super().job_finished(done)
        self._progress.update(self._task, advance=1, description=done.path, facts=self._facts())

    def index_ready(self, index: Path, waiting: int) -> None:
        """Print above the bar that there is something to open."""
        self._progress.console.print(_index_text(index, waiting), highlight=False, markup=False)

    def status(self, text: str) -> None:
        """Show what the build makes or waits for beside the bar."""
        self._progress.update(self._task, description=text)

    def _facts(self) -> str:
        return f"{self.pages} pages, about {_duration(self.estimate.seconds_left())} left"


def _index_text(index: Path, waiting: int) -> str:
    """Return where to see what there is while the rest is being printed."""
    return f"open {index} for the sheets; {show.counted(waiting, 'document')} to come"


def _duration(seconds: float) -> str:
    """Return a time in the units that suit it: `8 s`, `2 min 10 s`, `1 h 05 min`."""
    whole = round(seconds)
    if whole < 60:  # noqa: PLR2004 - seconds of a minute
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:  # noqa: PLR2004 - minutes of an hour
        return f"{minutes} min {rest:02} s"
    return f"{minutes // 60} h {minutes % 60:02} min"


REPORTERS: dict[str, type[Reporter]] = {
    "json": JsonReporter,
    "plain": LineReporter,
    "bar": BarReporter,
}
