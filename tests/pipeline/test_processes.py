"""Owns the facts about builds in processes of their own: killed, stopped, or unable to start."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest

from generator.pipeline import Done, Job, Plan, build, make_plan
from generator.pipeline.store import write_whole
from generator.systems import Library
from tests.scaffold import lay_out

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "templates"
WORKER = "generator.pipeline.build"

# Builds in a worker of its own, which ends at the second file: at once, and half-written.
KILLED = """
import os, signal, sys
from pathlib import Path
import generator.pipeline.store as store
from generator.pipeline import build, make_plan
from generator.systems import Library

written = []
fsync = os.fsync

def kill(handle):
    written.append(handle)
    if len(written) == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    fsync(handle)

os.fsync = kill
library = Library(Path(sys.argv[1]), Path(sys.argv[2]))
plan = make_plan(library, ["club"], ("roster",))
build(plan, Path(sys.argv[1]) / "build", [Path(sys.argv[2]) / "templates"], "mark")
"""


@pytest.fixture
def library(tmp_path: Path) -> Library:
    lay_out(tmp_path)
    return Library(tmp_path, ROOT)


def files(out: Path) -> set[str]:
    return {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}


def test_killed_build_leaves_no_half_file_and_the_next_completes(library: Library) -> None:
    plan = make_plan(library, ["club"], ("roster",))
    out = library.folder / "build"
    command = [sys.executable, "-c", KILLED, str(library.folder), str(ROOT)]

    ended = subprocess.run(command, cwd=ROOT, check=False).returncode  # noqa: S603 - our own program

    assert ended == -signal.SIGKILL
    left = files(out)
    whole = {job.path for job in plan.jobs}
    assert len(left & whole) == 2
    parts = left - whole
    assert len(parts) == 1
    assert all(Path(part).name.startswith(".") for part in parts)

    outcome = build(plan, out, [TEMPLATES], "mark")

    assert outcome.failed == []
    assert files(out) == {*whole, ".muster-record.json"}


def test_worker_that_is_killed_is_told_and_the_next_build_completes(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = make_plan(library, ["club"], ("roster",), ("html",))
    plan.jobs += make_plan(library, ["club"], ("sheet",), ("html",)).jobs
    module = sys.modules[WORKER]
    share_out = module._share_out

    def kill(pool: Any, *rest: Any) -> Any:
        pool.submit(time.sleep, 0).result()
        for worker in list(pool._processes.values()):
            os.kill(worker.pid, signal.SIGKILL)
        time.sleep(0.3)
        yield from share_out(pool, *rest)

    monkeypatch.setattr(module, "_share_out", kill)
    outcome = build(plan, library.folder / "build", [TEMPLATES], "mark", workers=2)

    assert {done.error for done in outcome.done} == {"its worker was killed; build again"}
    monkeypatch.undo()
    again = build(plan, library.folder / "build", [TEMPLATES], "mark", workers=2)
    assert again.failed == []
    assert all(done.fresh for done in again.done)


class Broken(Executor):
    """Takes the first job, and is broken from then on."""

    def __init__(self) -> None:
        self.taken = 0

    def submit(self, _: Any, /, *args: Any, **__: Any) -> Future[Any]:
        self.taken += 1
        if self.taken > 1:
            raise BrokenProcessPool("gone")
        future: Future[Any] = Future()
        future.set_result(Done(args[0].path, size=1))
        return future


def job(path: str) -> Job:
    return Job(path, "roster", "html", "full", "", path, "club", "", None)


def test_jobs_that_no_worker_can_take_are_told(tmp_path: Path) -> None:
    plan = Plan([job("a.html"), job("b.html")])

    outcome = build(plan, tmp_path, [TEMPLATES], "mark", executor=Broken())

    assert [done.error for done in outcome.done] == ["", "its worker was killed; build again"]


@pytest.mark.parametrize("workers", [1, 2])
def test_studio_that_cannot_start_is_told_for_every_job(workers: int, tmp_path: Path) -> None:
    plan = Plan([job("a.html"), job("b.html")])

    outcome = build(plan, tmp_path, [tmp_path], "mark", workers=workers)

    for done in outcome.done:
        assert done.error.startswith("WeasyPrint cannot start: fonts/MusterSans-Regular.ttf")
        assert "muster doctor" in done.error
        assert done.bug == ""


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_full_disk_stops_no_other_job_and_leaves_nothing_half(
    step: str, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = make_plan(library, ["club"], ("roster",), ("html",))
    out = library.folder / "build"
    full = OSError(28, "No space left on device")
    calls: list[object] = []

    def once(real: Any) -> Any:
        def step(*args: Any) -> Any:
            calls.append(args)
            if len(calls) == 1:
                raise full
            return real(*args)

        return step

    if step == "fsync":
        monkeypatch.setattr(os, "fsync", once(os.fsync))
    else:
        monkeypatch.setattr(Path, "replace", once(Path.replace))

    outcome = build(plan, out, [TEMPLATES], "mark")

    first, second = outcome.done
    assert first.error == f"cannot write {first.path}: No space left on device"
    assert second.error == ""
    assert files(out) == {second.path, ".muster-record.json"}


def test_folder_where_a_file_stands_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").touch()

    with pytest.raises(OSError, match="a"):
        write_whole(tmp_path / "a" / "b.html", b"x")


def test_stopped_build_ends_its_workers(library: Library) -> None:
    plan = make_plan(library, ["club"], ("roster",))

    def stop(_: Done) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(plan, library.folder / "build", [TEMPLATES], "mark", workers=2, listener=stop)

    end = time.monotonic() + 20
    while multiprocessing.active_children() and time.monotonic() < end:
        time.sleep(0.1)
    assert multiprocessing.active_children() == []
