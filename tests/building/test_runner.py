"""Tests of running jobs: what is due and why, how a job ends, and what is remembered.

Nothing is rendered: a stand-in prints the same page for every job.
"""

import os
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest

from muster.building import workers
from muster.building.jobs import Job
from muster.building.plan import Plan
from muster.building.runner import Outcome, changed_text
from muster.building.workers import JobResult, Task, render_task
from muster.dependencies import Dependency
from muster.rendering import dispatch
from muster.rendering.printed import Printed, PrintError
from tests.plans import build_plan

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"


def plan_of(*paths: str, data: object = None) -> Plan:
    return Plan([Job(path, "roster", "html", "", "", path, "club", "", data) for path in paths])


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replace rendering by a stand-in; a job's data says how it ends."""
    homes: list[str] = []

    def render(_: Any, way: Any, data: Any, memory: dict[str, float], *__: Any) -> Printed:
        homes.append(way.home)
        if isinstance(data, Exception):
            raise data
        memory.get("fitted")
        memory["fitted"] = 7.5
        return Printed(b"page", 3)

    monkeypatch.setattr(dispatch, "render_document", render)
    monkeypatch.setattr("gc.set_threshold", lambda *_: None)
    monkeypatch.setattr(workers, "_templates", None)
    return homes


def run(plan: Plan, out: Path, **choices: Any) -> list[JobResult]:
    return build_plan(plan, out, [TEMPLATES], "mark", **choices).results


def test_job_writes_its_file_and_is_remembered(tmp_path: Path, rendered: list[str]) -> None:
    finished: list[str] = []
    plan = plan_of("a/b/c.html", "d.html")

    first = run(plan, tmp_path, listener=lambda done: finished.append(done.path))
    second = run(plan, tmp_path, listener=lambda done: finished.append(done.path))

    assert (tmp_path / "a" / "b" / "c.html").read_bytes() == b"page"
    assert [(done.path, done.size, done.pages, done.fresh) for done in first] == [
        ("a/b/c.html", 4, 3, True),
        ("d.html", 4, 3, True),
    ]
    assert [done.fresh for done in second] == [False, False]
    assert finished == ["a/b/c.html", "d.html"] * 2
    assert rendered == ["../../index.html", "index.html"]


def test_no_file_is_written_through_a_link(tmp_path: Path, rendered: list[str]) -> None:
    out, elsewhere = tmp_path / "build", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine.html").write_bytes(b"mine")
    out.mkdir()
    (out / "a").symlink_to(elsewhere, target_is_directory=True)

    results = run(plan_of("a/mine.html", "b.html"), out)

    assert rendered
    assert [bool(result.error) for result in results] == [True, False]
    assert "links in an output folder are not followed" in results[0].error
    assert (elsewhere / "mine.html").read_bytes() == b"mine"


def same_size_and_time(path: Path) -> None:
    """Write other bytes of the same length, and restore the time of the file's change."""
    before = path.stat()
    path.write_bytes(b"egap")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("lost", "output missing"),
        ("size", "output changed since it was built"),
        ("bytes", "output changed since it was built"),
        ("data", "its content changed"),
        ("force", "forced"),
    ],
)
def test_job_is_due_again(change: str, why: str, tmp_path: Path, rendered: list[str]) -> None:
    run(plan_of("a.html"), tmp_path)
    match change:
        case "lost":
            (tmp_path / "a.html").unlink()
        case "size":
            (tmp_path / "a.html").write_bytes(b"")
        case "bytes":
            same_size_and_time(tmp_path / "a.html")

    data = "other" if change == "data" else None
    (done,) = run(plan_of("a.html", data=data), tmp_path, force=change == "force")

    assert (done.fresh, done.why) == (True, why)
    assert (tmp_path / "a.html").read_bytes() == b"page"
    # What is only lost or altered is found again rather than printed.
    assert done.from_cache == (change in {"lost", "size", "bytes"})
    assert done.unchanged == (change in {"data", "force"})
    assert len(rendered) == (1 if done.from_cache else 2)


def test_touched_output_is_left_alone(tmp_path: Path, rendered: list[str]) -> None:
    run(plan_of("a.html"), tmp_path)
    (tmp_path / "a.html").touch()

    (done,) = run(plan_of("a.html"), tmp_path)

    assert (done.fresh, len(rendered)) == (False, 1)


def test_change_that_is_undone_prints_nothing(tmp_path: Path, rendered: list[str]) -> None:
    for data in ("one", "two", "one", "two"):
        (done,) = run(plan_of("a.html", data=data), tmp_path)

    assert (done.fresh, done.from_cache, len(rendered)) == (True, True, 2)


@pytest.mark.parametrize(
    ("error", "message", "bug"),
    [
        (PrintError("too long"), "too long", ""),
        (OSError(28, "No space left"), "cannot print a.html: No space left", ""),
        (KeyError("x"), "", "KeyError: 'x'"),
    ],
    ids=["print error", "full disk", "bug"],
)
@pytest.mark.usefixtures("rendered")
def test_failing_job_is_told_forgotten_and_stops_no_other(
    error: Exception, message: str, bug: str, tmp_path: Path
) -> None:
    run(plan_of("a.html"), tmp_path)
    plan = plan_of("a.html", data=error)
    plan.jobs.append(plan_of("b.html").jobs[0])

    outcome: Outcome = build_plan(plan, tmp_path, [TEMPLATES], "mark")

    assert [(done.error, done.bug) for done in outcome.results] == [(message, bug), ("", "")]
    assert outcome.failed == outcome.results[:1]
    again = run(plan_of("a.html", "b.html"), tmp_path)
    assert [done.fresh for done in again] == [True, False]


def test_jobs_are_begun_longest_first_by_the_last_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = iter([0, 1, 1, 4, 4, 6])
    finished: list[str] = []

    def render(_: Any, way: Any, data: Any, memory: object, *__: Any) -> Printed:
        del way, data, memory
        return Printed(b"page", 1)

    monkeypatch.setattr(dispatch, "render_document", render)
    monkeypatch.setattr(workers, "perf_counter", lambda: next(ticks, 6))
    run(plan_of("a.html", "b.html", "c.html"), tmp_path)

    done = run(
        plan_of("a.html", "b.html", "c.html"),
        tmp_path,
        force=True,
        listener=lambda each: finished.append(each.path),
    )

    assert finished == ["b.html", "c.html", "a.html"]
    assert [each.path for each in done] == ["a.html", "b.html", "c.html"]


def test_sizes_of_the_last_layout_are_given_to_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known: list[dict[str, float]] = []

    def render(_: Any, way: Any, data: Any, memory: dict[str, float], *__: Any) -> Printed:
        known.append(dict(memory))
        memory[f"{way.kind} {data}"] = 8.5
        return Printed(b"page", 1)

    monkeypatch.setattr(dispatch, "render_document", render)
    run(plan_of("a.html", data=1), tmp_path)
    run(plan_of("a.html", data=2), tmp_path)
    run(plan_of("a.html", data=3), tmp_path)

    # What a document no longer uses is forgotten.
    assert known == [{}, {"roster 1": 8.5}, {"roster 2": 8.5}]


class Pool(Executor):
    """Runs jobs at once in this process; the worker of its second job is killed."""

    def __init__(self) -> None:
        self.count = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.count += 1
        if self.count == 2:
            future.set_exception(BrokenProcessPool("gone"))
        elif self.count == 3:
            future.set_exception(MemoryError("full"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future


@pytest.fixture
def started(rendered: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Make this process a worker that has started."""
    del rendered
    monkeypatch.setattr(workers, "_templates", object())


@pytest.mark.usefixtures("started")
def test_worker_that_fails_is_told_and_stops_no_other(tmp_path: Path) -> None:
    done = run(plan_of("a.html", "b.html", "c.html", "d.html"), tmp_path, executor=Pool())

    assert [each.error for each in done] == [
        "",
        workers.WORKER_KILLED,
        "its worker failed: MemoryError: full",
        "",
    ]


@pytest.mark.usefixtures("started")
def test_listener_that_stops_a_build_stops_it(tmp_path: Path) -> None:
    def stop(_: JobResult) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(plan_of("a.html", "b.html"), tmp_path, executor=Pool(), listener=stop)


def test_worker_that_was_not_started_is_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_templates", None)

    with pytest.raises(RuntimeError, match="not started"):
        render_task(Task(plan_of("a.html").jobs[0]))


@pytest.mark.usefixtures("started")
@pytest.mark.parametrize(
    ("does", "kept"),
    [
        (lambda memory: memory["used"], {"used": 7.5, "idle": 8.0}),
        (lambda memory: memory.__setitem__("used", 7.5), {"used": 7.5, "idle": 8.0}),
        (lambda memory: (memory["used"], memory.__setitem__("new", 9.0)), {"used": 7.5, "new": 9}),
        (
            lambda memory: (memory.get("used"), memory.__setitem__("new", 9.0)),
            {"used": 7.5, "new": 9},
        ),
        (lambda memory: memory.__setitem__("used", 9.5), {"used": 9.5}),
    ],
    ids=["read", "set to the same", "read and new", "got and new", "changed"],
)
def test_sizes_are_replaced_only_if_any_is_new(
    does: Callable[[Any], object], kept: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    def render(*arguments: Any) -> Printed:
        does(arguments[3])
        return Printed(b"page", 3)

    monkeypatch.setattr(dispatch, "render_document", render)

    done = render_task(Task(plan_of("a.html").jobs[0], {"used": 7.5, "idle": 8.0}))

    assert (done.bug, done.sizes) == ("", kept)


@pytest.mark.usefixtures("started")
@pytest.mark.parametrize("size", [-1e6, float("nan"), 1e6])
def test_size_that_a_record_cannot_hold_is_a_bug_of_its_document(
    size: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    def render(*arguments: Any) -> Printed:
        arguments[3]["first"] = size
        return Printed(b"page", 3)

    monkeypatch.setattr(dispatch, "render_document", render)

    done = render_task(Task(plan_of("a.html").jobs[0]))

    assert done.bug == f"ValueError: {size} is no size that can be remembered"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/x/content/club/tables/kill-table.yaml", "table kill-table changed"),
        ("/x/content/club/books/blues.yaml", "army book blues changed"),
        ("/x/content/club/sheets/quick.yaml", "sheet quick changed"),
        ("/x/content/club/prose/01-a.md", "chapter 01-a changed"),
        ("/x/content/club/editions/a5.yaml", "edition a5 changed"),
        ("/x/content/club/system.yaml", "system file changed"),
        ("/x/content/club/composition.yaml", "composition changed"),
        ("/x/content/club/cards.yaml", "cards file changed"),
        ("/x/content/club/errata.yaml", "errata changed"),
        ("/x/armies/club/first.yaml", "army first changed"),
        ("/x/templates/page.css", "page.css changed"),
    ],
    ids=lambda text: text.rpartition("/")[2] if text.startswith("/") else "",
)
def test_input_is_named_as_players_know_it(path: str, words: str) -> None:
    assert changed_text([Dependency(path)]) == words


def test_files_come_before_folders_and_few_are_named() -> None:
    tables = [Dependency(f"/x/content/club/tables/{name}.yaml") for name in "abcd"]
    folder = Dependency("/x/content/club/tables", "*.yaml")

    assert changed_text([folder, tables[0]]) == "table a, files in tables changed"
    assert changed_text([folder]) == "files in tables changed"
    assert changed_text([*tables, tables[0]]) == "table a, table b, table c and 1 more changed"
    assert changed_text([]) == "its content changed"
