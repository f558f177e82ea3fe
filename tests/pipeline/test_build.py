"""Owns the facts about a build: what is due, how a job ends, and what is remembered.

Does not render; a stand-in plays the renderer.
"""

import sys
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest

from generator.pipeline import Done, Job, Outcome, Plan, build
from generator.pipeline.build import do_job
from generator.rendering import documents
from generator.rendering.printer import Printed, PrintError

# The package has a function of the module's name, so that the module is found here only.
MODULE = sys.modules["generator.pipeline.build"]
TEMPLATES = Path(__file__).resolve().parents[2] / "templates"


def plan_of(*paths: str, data: object = None) -> Plan:
    return Plan([Job(path, "roster", "html", "", "", path, "club", "", data) for path in paths])


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Stand in for rendering; a job's data says how it ends."""
    homes: list[str] = []

    def render(_: Any, way: Any, data: Any, memory: dict[str, float]) -> Printed:
        homes.append(way.home)
        if isinstance(data, Exception):
            raise data
        memory["fitted"] = 7.5
        return Printed(b"page", 3)

    monkeypatch.setattr(documents, "render_document", render)
    monkeypatch.setattr("gc.freeze", lambda: None)
    monkeypatch.setattr("gc.set_threshold", lambda *_: None)
    monkeypatch.setattr(MODULE, "_studio", None)
    return homes


def run(plan: Plan, out: Path, **choices: Any) -> list[Done]:
    return build(plan, out, [TEMPLATES], "mark", **choices).done


def test_job_writes_its_file_and_is_remembered(tmp_path: Path, rendered: list[str]) -> None:
    heard: list[str] = []
    plan = plan_of("a/b/c.html", "d.html")

    first = run(plan, tmp_path, listener=lambda done: heard.append(done.path))
    second = run(plan, tmp_path, listener=lambda done: heard.append(done.path))

    assert (tmp_path / "a" / "b" / "c.html").read_bytes() == b"page"
    assert [(done.path, done.size, done.pages, done.fresh) for done in first] == [
        ("a/b/c.html", 4, 3, True),
        ("d.html", 4, 3, True),
    ]
    assert [done.fresh for done in second] == [False, False]
    assert heard == ["a/b/c.html", "d.html"] * 2
    assert rendered == ["../../index.html", "index.html"]


@pytest.mark.parametrize("change", ["force", "lost", "size", "data"])
def test_job_is_due_again(change: str, tmp_path: Path, rendered: list[str]) -> None:
    run(plan_of("a.html"), tmp_path)
    if change == "lost":
        (tmp_path / "a.html").unlink()
    if change == "size":
        (tmp_path / "a.html").write_bytes(b"")

    data = "other" if change == "data" else None
    (done,) = run(plan_of("a.html", data=data), tmp_path, force=change == "force")

    assert done.fresh
    assert len(rendered) == 2


@pytest.mark.parametrize(
    ("error", "said", "bug"),
    [
        (PrintError("too long"), "too long", ""),
        (OSError(28, "No space left"), "cannot write a.html: No space left", ""),
        (KeyError("x"), "", "KeyError: 'x'"),
    ],
)
@pytest.mark.usefixtures("rendered")
def test_failing_job_is_told_forgotten_and_stops_no_other(
    error: Exception, said: str, bug: str, tmp_path: Path
) -> None:
    run(plan_of("a.html"), tmp_path)
    plan = plan_of("a.html", data=error)
    plan.jobs.append(plan_of("b.html").jobs[0])

    outcome: Outcome = build(plan, tmp_path, [TEMPLATES], "mark")

    assert [(done.error, done.bug) for done in outcome.done] == [(said, bug), ("", "")]
    assert outcome.failed == outcome.done[:1]
    again = run(plan_of("a.html", "b.html"), tmp_path)
    assert [done.fresh for done in again] == [True, False]


class Pool(Executor):
    """Works at once, in this process; its second job finds its worker killed."""

    def __init__(self) -> None:
        self.count = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.count += 1
        if self.count == 2:
            future.set_exception(BrokenProcessPool("gone"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future


@pytest.fixture
def started(rendered: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Make this process one that was started as a worker."""
    del rendered
    monkeypatch.setattr(MODULE, "_studio", object())


@pytest.mark.usefixtures("started")
def test_killed_worker_is_told_and_stops_no_other(tmp_path: Path) -> None:
    done = run(plan_of("a.html", "b.html", "c.html"), tmp_path, executor=Pool())

    assert [each.error for each in done] == ["", "its worker was killed; build again", ""]


@pytest.mark.usefixtures("started")
def test_listener_that_stops_a_build_stops_it(tmp_path: Path) -> None:
    def stop(_: Done) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(plan_of("a.html", "b.html"), tmp_path, executor=Pool(), listener=stop)


def test_worker_that_was_not_started_is_a_bug(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MODULE, "_studio", None)

    with pytest.raises(RuntimeError, match="not started"):
        do_job(plan_of("a.html").jobs[0], tmp_path, {}, "index.html")
