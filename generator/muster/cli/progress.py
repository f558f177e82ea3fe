"""Show the progress of a build: a bar, plain lines, or one JSON object per line."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from statistics import fmean
from time import perf_counter
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
    """Reckons the time left from what each job took last time, and from how this build goes."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._left: dict[str, float] = {}
        self._asked = 0.0
        self._spent = 0.0
        self._begin = perf_counter()

    def begin(self, expected: Mapping[str, float | None]) -> None:
        """Take the seconds that each job took last; one that is new is like its own kind."""
        known: dict[str, list[float]] = {}
        for path, seconds in expected.items():
            if seconds is not None:
                known.setdefault(_file_name(path), []).append(seconds)
        every = [seconds for kind in known.values() for seconds in kind]
        usual = fmean(every) if every else 1.0
        for path, seconds in expected.items():
            like = known.get(_file_name(path))
            self._left[path] = seconds if seconds is not None else fmean(like) if like else usual
        self._begin = perf_counter()

    def finish(self, done: JobResult) -> None:
        """Take a job off, and learn from what it took."""
        expected = self._left.pop(done.path, None)
        if expected is not None and done.seconds:
            self._asked += expected
            self._spent += done.seconds

    def seconds_left(self) -> float:
        """Give the seconds that are left."""
        pace = self._spent / self._asked if self._asked else 1.0
        workers = max(1, min(self._workers, len(self._left)))
        longest = max(self._left.values(), default=0.0)
        return pace * max(longest, sum(self._left.values()) / workers)


def _file_name(path: str) -> str:
    """Tell what file a path is, whoever it is of: `roster-short.pdf`."""
    return path.rpartition("/")[2]


class Reporter(BuildListener, AbstractContextManager["Reporter"]):
    """Follows a build and keeps count; this one shows nothing."""

    def __init__(self, workers: int) -> None:
        self.total = 0
        self.count = 0
        self.pages = 0
        self.outlook = TimeEstimate(workers)
        self.times: list[tuple[float, str]] = []

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End; nothing to tidy."""

    def plan_ready(self, expected: dict[str, float | None], kept: int) -> None:
        """Hear which jobs are due, with the seconds each took last, and how many are not."""
        self.total = len(expected) + kept
        self.outlook.begin(expected)

    def job_finished(self, done: JobResult) -> None:
        """Hear that a document is done, well or not."""
        self.count += 1
        self.pages += done.pages
        self.outlook.finish(done)
        if done.fresh and done.seconds:
            self.times.append((done.seconds, done.path))

    def status(self, text: str) -> None:
        """Hear what is made, or waited for, when it is no document of the plan."""

    def slowest(self) -> list[tuple[float, str]]:
        """Give the slowest jobs, the slowest first."""
        return sorted(self.times, key=lambda each: (-each[0], each[1]))[:SLOWEST_COUNT]


class LineReporter(Reporter):
    """One plain line a document, for logs and pipes."""

    def job_finished(self, done: JobResult) -> None:
        """Tell of a document that was made; what was up to date is only counted."""
        super().job_finished(done)
        if done.error or done.bug:
            show.note(f"failed  {done.path}")
        elif done.from_cache:
            show.note(f"found   {done.path}")
        elif done.fresh:
            left = _duration(self.outlook.seconds_left())
            rest = f"  ({self.count} of {self.total}, {left} left)"
            show.note(f"built   {done.path}  {done.seconds:.1f} s{rest}")

    def status(self, text: str) -> None:
        """Tell of waiting; the index is a matter of course."""
        if text != "index":
            show.note(text)


class JsonReporter(Reporter):
    """One JSON object a line on stdout, for programs."""

    def plan_ready(self, expected: dict[str, float | None], kept: int) -> None:
        """Tell how much there is to do."""
        super().plan_ready(expected, kept)
        self.tell("plan", total=self.total, due=len(expected), eta=self._eta())

    def job_finished(self, done: JobResult) -> None:
        """Tell of every document."""
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
        self.tell(event, **facts, done=self.count, total=self.total, eta=self._eta())

    def status(self, text: str) -> None:
        """Tell what is made or waited for."""
        self.tell("note", text=text)

    def _eta(self) -> float:
        return round(self.outlook.seconds_left(), 1)

    def tell(self, event: str, **facts: Any) -> None:
        """Print one object."""
        show.result(json.dumps({"event": event, **facts}, ensure_ascii=False))
        sys.stdout.flush()


class BarReporter(Reporter):
    """A bar with counts, pages, the time left and the document just done, for terminals."""

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
        """Take the bar away, so that the summary stands alone."""
        self._progress.stop()

    def plan_ready(self, expected: dict[str, float | None], kept: int) -> None:
        """Set how long the bar is."""
        super().plan_ready(expected, kept)
        self._progress.update(self._task, total=self.total, facts=self._facts())

    def job_finished(self, done: JobResult) -> None:
        """Move on by one."""
        super().job_finished(done)
        self._progress.update(self._task, advance=1, description=done.path, facts=self._facts())

    def status(self, text: str) -> None:
        """Name what is made now."""
        self._progress.update(self._task, description=text)

    def _facts(self) -> str:
        return f"{self.pages} pages, {_duration(self.outlook.seconds_left())} left"


def _duration(seconds: float) -> str:
    """Write a time as people say it: `8 s`, `2 min 10 s`, `1 h 05 min`."""
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
