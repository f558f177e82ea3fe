"""Tests of worker processes: killed, stopped, or unable to start."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from muster.building.bounds import ExceededError, bounded
from muster.building.jobs import Job
from muster.building.plan import Plan
from muster.building.store import write_whole
from muster.building.workers import (
    WORKER_KILLED,
    JobResult,
    Task,
    Workers,
    render_task,
    start_fork_server,
)
from muster.rendering import dispatch
from muster.systems import Library
from tests.plans import build_plan, make_plan
from tests.processes import MUSTER, ends_soon, run, settings
from tests.scaffold import lay_out

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "templates"
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "generator"), str(ROOT)))}

# Builds in a process of its own, which is killed at the third file: at once, and half-written.
KILLED = """
import os, signal, sys
from pathlib import Path
from muster.systems import Library
from tests.plans import build_plan, make_plan

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
build_plan(plan, Path(sys.argv[1]) / "build", [Path(sys.argv[2]) / "templates"], "mark")
"""


@pytest.fixture
def library(tmp_path: Path) -> Library:
    lay_out(tmp_path)
    return Library(tmp_path, ROOT)


def files(out: Path) -> set[str]:
    return {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}


def documents(out: Path) -> set[str]:
    """Return all files but the record and the cache."""
    return {name for name in files(out) if not name.startswith(".muster/")}


def test_one_worker_needs_no_server_and_two_need_one(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    monkeypatch.setattr(
        "muster.building.workers.forkserver.ensure_running", lambda: started.append(1)
    )

    start_fork_server(1)
    assert started == []
    start_fork_server(2)
    assert started == [1]


def leave_python_files(folder: Path) -> Path:
    """Write files that take the place of modules, and return the file that they write if run."""
    ran = folder / "ran"
    names = ["PIL", "random", "jinja2", "weasyprint", "orjson", "html", "sitecustomize", "http"]
    names += ["multiprocessing", "subprocess", "asyncio", "distributed", "ortools", "numpy"]
    for name in (*names, "watchfiles", "usercustomize", "socket", "click", "git"):
        module = f"open({str(ran)!r}, 'a').write({name!r} + chr(10))\n"
        (folder / f"{name}.py").write_text(module)
    return ran


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "processes"),
    [
        ([sys.executable, "-m", "muster"], "1"),
        ([sys.executable, "-m", "muster"], "2"),
        ([str(Path(sys.executable).with_name("muster"))], "2"),
    ],
    ids=["module-alone", "module-and-workers", "command-and-workers"],
)
def test_python_files_of_the_folder_are_never_run(
    library: Library, program: list[str], processes: str
) -> None:
    ran = leave_python_files(library.folder)

    done = run(library.folder, [*program, "build", "club", "--only", "roster", "--jobs", processes])

    assert not ran.exists(), ran.read_text()
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_watch_runs_no_python_files_of_the_folder(library: Library) -> None:
    ran = leave_python_files(library.folder)
    command = [sys.executable, "-m", "muster", "watch", "club", "--only", "roster", "--no-open"]

    with subprocess.Popen(  # noqa: S603 - our own program
        [*command, "--port", "0", "--jobs", "2"],
        cwd=library.folder,
        env=settings(),
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        told = ""
        while "documents built" not in told:
            line = process.stderr.readline()
            assert line, told
            told += line
        process.send_signal(signal.SIGINT)
        told += process.stderr.read()

    assert not ran.exists(), ran.read_text()
    assert (library.folder / "build/club/armies/first/roster.pdf").exists(), told


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["draft", "club", "--seed", "1"],
        ["prove", "club"],
        ["diff", "HEAD", "--system", "club"],
        ["build", "club", "--scheduler", "tcp://127.0.0.1:9"],
    ],
    ids=["draft", "prove", "diff", "cluster"],
)
def test_no_command_runs_python_files_of_the_folder(arguments: list[str], library: Library) -> None:
    ran = leave_python_files(library.folder)
    (library.folder / "git").symlink_to(sys.executable)

    done = run(library.folder, [*MUSTER, *arguments])

    assert not ran.exists(), ran.read_text()
    assert "bug in Muster" not in done.stderr


def test_killed_build_leaves_no_half_file_and_the_next_completes(library: Library) -> None:
    plan = make_plan(library, ["club"], ("roster",))
    out = library.folder / "build"
    command = [sys.executable, "-c", KILLED, str(library.folder), str(ROOT)]

    ended = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, check=False).returncode  # noqa: S603 - our own program

    assert ended == -signal.SIGKILL
    left = files(out)
    whole = {job.path for job in plan.jobs}
    assert len(left & whole) == 2
    parts = {name for name in left - whole if not name.startswith(".muster/")}
    assert len(parts) == 1
    assert all(Path(part).name.startswith(".") for part in parts)

    outcome = build_plan(plan, out, [TEMPLATES], "mark")

    assert outcome.failed == []
    assert documents(out) == whole


def test_print_of_a_killed_build_is_not_printed_again(library: Library) -> None:
    plan = make_plan(library, ["club"], ("roster",))
    out = library.folder / "build"
    command = [sys.executable, "-c", KILLED, str(library.folder), str(ROOT)]
    subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, check=False)  # noqa: S603 - our own program

    outcome = build_plan(plan, out, [TEMPLATES], "mark")

    assert sum(done.from_cache for done in outcome.results) >= 2


def kill_workers(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kill all workers before they can do anything, a number of times."""
    distribute = Workers._distribute
    left = [None] * times

    def kill(self: Workers, pool: Any, tasks: Any, *limit: int) -> Any:
        if left:
            left.pop()
            pool.submit(time.sleep, 0).result()
            for worker in list(pool._processes.values()):
                os.kill(worker.pid, signal.SIGKILL)
            time.sleep(0.3)
        yield from distribute(self, pool, tasks, *limit)

    monkeypatch.setattr(Workers, "_distribute", kill)


def two_kinds(library: Library) -> Plan:
    plan = make_plan(library, ["club"], ("roster",), ("html",))
    plan.jobs += make_plan(library, ["club"], ("sheet",), ("html",)).jobs
    return plan


def test_jobs_of_a_killed_worker_are_done_by_another(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    kill_workers(1, monkeypatch)

    outcome = build_plan(
        two_kinds(library), library.folder / "build", [TEMPLATES], "mark", workers=2
    )

    assert outcome.failed == []


def test_worker_that_is_killed_twice_is_told_and_the_next_build_completes(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    kill_workers(2, monkeypatch)

    outcome = build_plan(
        two_kinds(library), library.folder / "build", [TEMPLATES], "mark", workers=2
    )

    assert {done.error for done in outcome.results} == {WORKER_KILLED}
    monkeypatch.undo()
    again = build_plan(two_kinds(library), library.folder / "build", [TEMPLATES], "mark", workers=2)
    assert again.failed == []
    assert all(done.fresh for done in again.results)


def end_process(_: Task) -> JobResult:
    os._exit(1)


def sleep_long(_: Task) -> JobResult:
    time.sleep(600)
    raise AssertionError


def misrender(first: str, instead: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the worker of one document do something else."""

    def submit(_: Workers, pool: Executor, task: Task) -> Future[JobResult]:
        return pool.submit(instead if task.job.path == first else render_task, task)

    monkeypatch.setattr(Workers, "_submit", submit)


def test_document_that_always_kills_its_worker_takes_no_other_with_it(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = two_kinds(library)
    misrender(plan.jobs[0].path, end_process, monkeypatch)

    outcome = build_plan(plan, library.folder / "build", [TEMPLATES], "mark", workers=2)

    assert [(done.path, done.error) for done in outcome.failed] == [
        (plan.jobs[0].path, WORKER_KILLED)
    ]


def test_worker_that_is_stuck_is_killed(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = make_plan(library, ["club"], ("roster",), ("html",))
    misrender(plan.jobs[0].path, sleep_long, monkeypatch)
    monkeypatch.setattr("muster.building.workers.STALL_SECONDS", 3)

    outcome = build_plan(plan, library.folder / "build", [TEMPLATES], "mark", workers=2)

    assert [(done.path, done.error) for done in outcome.failed] == [
        (plan.jobs[0].path, WORKER_KILLED)
    ]


def take_memory(*_: object) -> None:
    raise AssertionError(len(bytes(1 << 30)))


def endless(*_: object) -> None:
    while True:
        sum(range(1000))


@pytest.mark.parametrize(
    ("render", "text"),
    [
        (endless, "it took more than 0.2 seconds of processor time; make it smaller"),
        (take_memory, "it needed more than 256 MiB of memory; make it smaller"),
    ],
)
def test_print_that_exceeds_its_bounds_is_an_error_of_that_document_alone(
    render: Any, text: str, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = make_plan(library, ["club"], ("roster",), ("html",))
    real = dispatch.render_document
    first = plan.jobs[0]

    def render_document(templates: Any, options: Any, data: Any, *more: Any) -> Any:
        done = render if options.variant == first.variant else real
        return done(templates, options, data, *more)

    monkeypatch.setattr(dispatch, "render_document", render_document)
    monkeypatch.setattr("muster.building.workers.PRINT_SECONDS", 0.2)
    monkeypatch.setattr("muster.building.workers.PRINT_MEGABYTES", 256)
    before = resource.getrlimit(resource.RLIMIT_AS)

    outcome = build_plan(plan, library.folder / "build", [TEMPLATES], "mark")

    assert [(done.path, done.error) for done in outcome.failed] == [
        (first.path, f"cannot print {first.path}: {text}")
    ]
    assert len(outcome.results) > 1
    assert resource.getrlimit(resource.RLIMIT_AS) == before
    assert signal.getitimer(signal.ITIMER_PROF)[0] == 0


def test_alarm_comes_again_where_a_library_swallows_it() -> None:
    swallowed: list[Exception] = []

    def work() -> None:
        while True:
            try:
                endless()
            except ExceededError as error:
                if swallowed:
                    raise
                swallowed.append(error)

    with pytest.raises(ExceededError), bounded(0.1, 1024):
        work()

    assert swallowed


def test_other_threads_are_not_held_to_a_time() -> None:
    ended: list[bool] = []

    def work() -> None:
        with bounded(0.01, 1024):
            end = time.monotonic() + 0.1
            while time.monotonic() < end:
                sum(range(1000))
        ended.append(True)

    thread = Thread(target=work)
    thread.start()
    thread.join()

    assert ended


def test_workers_end_when_the_build_is_killed(library: Library) -> None:
    with subprocess.Popen(  # noqa: S603 - our own program
        [*MUSTER, "build", "club", "--jobs", "2", "--progress", "plain"],
        cwd=library.folder,
        env=settings(),
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("built ")
        process.kill()

    assert ends_soon(process.pid)


class Broken(Executor):
    """Takes the first job, and is broken from then on."""

    def __init__(self) -> None:
        self.taken = 0

    def submit(self, _: Any, /, *args: Any, **__: Any) -> Future[Any]:
        self.taken += 1
        if self.taken > 1:
            raise BrokenProcessPool("gone")
        future: Future[Any] = Future()
        future.set_result(JobResult(args[0].job.path, 1, data=b"x"))
        return future


def job(path: str) -> Job:
    return Job(path, "roster", "html", "full", "", path, "club", "", None)


def test_jobs_that_no_worker_can_take_are_told(tmp_path: Path) -> None:
    plan = Plan([job("a.html"), job("b.html")])

    outcome = build_plan(plan, tmp_path, [TEMPLATES], "mark", executor=Broken())

    assert [done.error for done in outcome.results] == ["", WORKER_KILLED]


@pytest.mark.parametrize("workers", [1, 2])
def test_renderer_that_cannot_start_is_told_for_every_job(workers: int, tmp_path: Path) -> None:
    plan = Plan([job("a.html"), job("b.html")])

    outcome = build_plan(plan, tmp_path, [tmp_path], "mark", workers=workers)

    for done in outcome.results:
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
            # The cache is written first, and ignores a full disk.
            if not any(".muster" in str(each) and "cache" in str(each) for each in args):
                calls.append(args)
                if len(calls) == 1:
                    raise full
            return real(*args)

        return step

    if step == "fsync":
        monkeypatch.setattr(os, "fsync", once(os.fsync))
    else:
        monkeypatch.setattr(Path, "replace", once(Path.replace))

    outcome = build_plan(plan, out, [TEMPLATES], "mark")

    first, second = outcome.results
    assert first.error == f"cannot write {first.path}: No space left on device"
    assert second.error == ""
    assert documents(out) == {second.path}
    assert not [name for name in files(out) if name.endswith(".muster-part")]


def test_folder_where_a_file_stands_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").touch()

    with pytest.raises(OSError, match="a"):
        write_whole(tmp_path / "a" / "b.html", b"x")


def test_stopped_build_ends_its_workers(library: Library) -> None:
    plan = make_plan(library, ["club"], ("roster",))

    def stop(_: JobResult) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_plan(plan, library.folder / "build", [TEMPLATES], "mark", workers=2, listener=stop)

    end = time.monotonic() + 20
    while multiprocessing.active_children() and time.monotonic() < end:
        time.sleep(0.1)
    assert multiprocessing.active_children() == []


class InThisProcess(Executor):
    """Runs tasks at once, and keeps what each was given."""

    def __init__(self) -> None:
        self.tasks: list[Task] = []

    def submit(self, run: Any, /, *tasks: Any, **_: Any) -> Future[Any]:
        self.tasks.extend(tasks)
        future: Future[Any] = Future()
        future.set_result(run(*tasks))
        return future


def test_decks_of_one_card_size_and_a_book_and_its_cover_are_measured_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def render(task: Task) -> JobResult:
        return JobResult(task.job.path, sizes={task.job.path: 8.0})

    monkeypatch.setattr("muster.building.workers.render_task", render)
    made_from = [
        ("cards", "pdf", "9-up", "army"),
        ("cards", "pdf", "single", "army"),
        ("cards", "pdf", "4-up", "army"),
        ("cards", "html", "", "army"),
        ("rulebook", "pdf", "press", "book"),
        ("cover", "pdf", "press", "book"),
        ("cards", "pdf", "9-up", "another"),
    ]
    jobs = [
        Job(f"{n}", kind, form, variant, "", "", "", "", None, (), group)
        for n, (kind, form, variant, group) in enumerate(made_from)
    ]
    executor = InThisProcess()

    with Workers(1, [], executor) as opened:
        results = list(opened.run([Task(job) for job in jobs]))

    known = {task.job.path: set(task.sizes) for task in executor.tasks}
    assert len(results) == len(jobs)
    assert known == {**{key: set() for key in "02346"}, "1": {"0"}, "5": {"4"}}
