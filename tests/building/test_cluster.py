"""Tests of builds on a cluster: a real one of two workers, one of which is killed midway."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from muster.building import workers
from muster.building.cluster import (
    ClusterError,
    RemoteSetup,
    connect_cluster,
    pack_templates,
    remove_unpacked,
    render_remotely,
)
from muster.building.jobs import Job
from muster.building.workers import Task
from tests.building.test_workers import leave_python_files
from tests.scaffold import lay_out

ROOT = Path(__file__).resolve().parents[2]

# Two workers on this machine, in processes of their own, as the print house would have them.
HOUSE = """
import sys
from distributed import LocalCluster

if __name__ == "__main__":
    with LocalCluster(
        n_workers=2, processes=True, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    ) as house:
        pids = [worker.pid for worker in house.workers.values()]
        print(house.scheduler_address, *pids, flush=True)
        sys.stdin.read()
"""


def plain_environment() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("COV")}
    return {**kept, "PYTHONPATH": str(ROOT / "generator")}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[tuple[str, list[int]]]:
    """Start a scheduler, and return its address and the ids of its workers' processes."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    script = tmp_path / "house" / "house.py"
    script.parent.mkdir()
    script.write_text(HOUSE, encoding="utf-8")
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, str(script)],
        cwd=elsewhere,
        env=plain_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        address, *pids = process.stdout.readline().split()
        yield address, [int(pid) for pid in pids]
        process.kill()


def prints(out: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(out)): path.read_bytes()
        for path in out.rglob("*")
        if path.is_file() and ".muster" not in path.parts
    }


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_work_of_a_killed_worker_is_done_by_the_other(
    house: tuple[str, list[int]], tmp_path: Path
) -> None:
    pytest.importorskip("distributed")
    address, pids = house
    lay_out(tmp_path)
    ran = leave_python_files(tmp_path)
    command = [sys.executable, "-m", "muster", "build", "club", "--only", "sheet,cards,roster"]
    with subprocess.Popen(  # noqa: S603 - our own program
        [*command, "--scheduler", address, "--out", "far"],
        cwd=tmp_path,
        env=plain_environment(),
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        first = process.stderr.readline()
        os.kill(pids[0], signal.SIGKILL)
        rest = process.stderr.read()
        code = process.wait(timeout=60)

    assert first.startswith("built ")
    assert code == 0, rest
    assert not ran.exists(), ran.read_text()
    assert list((tmp_path / "elsewhere").iterdir()) == []
    near = subprocess.run(  # noqa: S603 - our own program
        [*command, "--out", "near"],
        cwd=tmp_path,
        env=plain_environment(),
        capture_output=True,
        check=False,
    )
    assert near.returncode == 0
    assert prints(tmp_path / "far") == prints(tmp_path / "near")


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nowhere", "ftp://x"])
def test_scheduler_that_does_not_answer_is_told_soon(address: str) -> None:
    pytest.importorskip("distributed")

    with pytest.raises(ClusterError, match=f"no dask scheduler answers at {address}"):
        connect_cluster(address, timeout=0.5)


@pytest.fixture
def far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[RemoteSetup, list[list[str]]]]:
    """Return what is sent to workers, and the template folders of each start."""
    started: list[list[str]] = []
    monkeypatch.setattr(workers, "start_rendering", lambda given, _: started.append(given))
    monkeypatch.setattr(workers, "render_task", lambda task: workers.JobResult(task.job.path, 1))
    for name in ("one/page.css", "one/fonts/a.ttf", "one/new/army.yaml", "two/page.css"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name, encoding="utf-8")
    yield pack_templates([str(tmp_path / "one"), str(tmp_path / "two")]), started
    remove_unpacked()


def task() -> Task:
    return Task(Job("a.pdf", "roster", "pdf", "", "", "", "club", "", None))


def test_templates_are_laid_out_once_for_all_jobs(far: tuple[RemoteSetup, list[list[str]]]) -> None:
    setup, started = far

    done = [render_remotely(task(), setup), render_remotely(task(), setup)]

    assert [each.error for each in done] == ["", ""]
    (folders,) = started
    files = [sorted(str(p.relative_to(f)) for p in Path(f).rglob("*.*")) for f in folders]
    assert files == [["fonts/a.ttf", "page.css"], ["page.css"]]
    assert (Path(folders[1]) / "page.css").read_text(encoding="utf-8") == "two/page.css"


def test_other_templates_are_laid_out_anew(
    far: tuple[RemoteSetup, list[list[str]]], tmp_path: Path
) -> None:
    setup, started = far
    render_remotely(task(), setup)
    (tmp_path / "one" / "page.css").write_text("other", encoding="utf-8")

    render_remotely(task(), pack_templates([str(tmp_path / "one")]))

    assert [len(folders) for folders in started] == [2, 1]


def test_worker_with_another_muster_says_so(far: tuple[RemoteSetup, list[list[str]]]) -> None:
    setup, started = far

    done = render_remotely(task(), RemoteSetup(setup.templates_fingerprint, "0.0.1", setup.folders))

    assert "another version of Muster" in done.error
    assert started == []
