"""Tests of files that are written whole or not at all, and of the lock of an output folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from muster.building.store import locked, remove_partial_files, write_whole

ROOT = Path(__file__).resolve().parents[2]


def test_pipe_in_place_of_the_lock_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / ".muster").mkdir()
    os.mkfifo(tmp_path / ".muster" / "lock")

    with pytest.raises(OSError, match="this is no regular file"), locked(tmp_path):
        pass


def test_file_is_written_with_its_folders(tmp_path: Path) -> None:
    write_whole(tmp_path / "a" / "b.txt", b"whole")

    assert (tmp_path / "a" / "b.txt").read_bytes() == b"whole"
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b.txt"]


def test_file_takes_the_place_of_another(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")

    write_whole(tmp_path / "a", b"new")

    assert (tmp_path / "a").read_bytes() == b"new"


@pytest.mark.parametrize("step", ["fsync", "fdopen"])
def test_full_disk_leaves_the_old_file_and_no_partial_file(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_bytes(b"old")
    opened: list[int] = []

    def refuse(handle: int, *_: object) -> None:
        opened.append(handle)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, refuse)

    with pytest.raises(OSError, match="No space left"):
        write_whole(tmp_path / "a", b"new")

    if step == "fdopen":
        os.close(opened[0])
    assert (tmp_path / "a").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_interrupted_writing_leaves_no_partial_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)

    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "a", b"new")

    assert list(tmp_path.iterdir()) == []


def test_only_partial_files_of_a_killed_build_are_removed(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / ".a.pdf.x1.muster-part").touch()
    (tmp_path / "deep" / "a.pdf").touch()

    remove_partial_files(tmp_path)

    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["a.pdf"]


def test_file_is_not_flushed_to_disk_without_sync(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: int) -> None:
        raise AssertionError("waited")

    monkeypatch.setattr(os, "fsync", refuse)

    write_whole(tmp_path / "a", b"new", sync=False)

    assert (tmp_path / "a").read_bytes() == b"new"


HOLDER = """
import sys, time
from pathlib import Path
from muster.building.store import locked

with locked(Path(sys.argv[1])):
    print("locked", flush=True)
    time.sleep(60)
"""


def test_second_build_waits_until_the_first_has_ended_even_if_killed(tmp_path: Path) -> None:
    events: list[str] = []
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as holder:  # noqa: S603 - our own program
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"locked\n"

        def on_wait() -> None:
            events.append("waits")
            holder.kill()

        with locked(tmp_path, on_wait):
            events.append("locked")

    assert events == ["waits", "locked"]


def test_lock_that_is_free_is_not_waited_for(tmp_path: Path) -> None:
    events: list[str] = []
    with locked(tmp_path, lambda: events.append("waits")):
        pass
    with locked(tmp_path, lambda: events.append("waits")):
        pass

    assert events == []


def test_build_goes_on_without_a_lock_on_a_disk_without_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("muster.building.store.fcntl.flock", refuse)

    with locked(tmp_path, lambda: pytest.fail("waited")):
        assert (tmp_path / ".muster" / "lock").is_file()
