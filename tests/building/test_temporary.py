"""Tests of temporary folders: none stays, even if its process is killed."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from muster.building.temporary import TemporaryFolder
from tests.scaffold import lay_out

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "generator")}
HOLD = "import os, signal; from muster.building.temporary import TemporaryFolder\n"
HOLD += "folder = TemporaryFolder(); print(folder.path, flush=True); {}"


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield the folder in which temporary folders are made now.

    Its path is short: processes talk through a socket below it, whose path may have 100 characters.
    """
    with tempfile.TemporaryDirectory(prefix="m-") as above:
        (Path(above) / "t").mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(Path(above) / "t"))
        yield Path(above) / "t"


def make_old(home: Path) -> None:
    for folder in home.glob("muster-work-*"):
        os.utime(folder, (1, 1))


def hold(home: Path, end: str) -> Path:
    """Make a temporary folder in another process, which then does something, and return it."""
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", HOLD.format(end)],
        env=ENVIRONMENT | {"TMPDIR": str(home)},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    return Path(done.stdout.strip())


def test_folder_goes_when_it_is_closed(home: Path) -> None:
    folder = TemporaryFolder()
    (folder.path / "kept").touch()

    folder.close()

    assert list(home.iterdir()) == []


def test_folder_goes_with_its_process(home: Path) -> None:
    assert not hold(home, "").exists()


def test_folder_of_a_killed_process_goes_with_the_next(home: Path) -> None:
    left = hold(home, "os.kill(os.getpid(), signal.SIGKILL)")
    assert left.is_dir()

    TemporaryFolder().close()
    assert left.is_dir(), "it might be one whose process has only just made it"

    make_old(home)
    TemporaryFolder().close()
    assert list(home.iterdir()) == []


def test_folder_in_use_stays(home: Path) -> None:
    mine = TemporaryFolder()
    make_old(home)

    TemporaryFolder().close()

    assert list(home.iterdir()) == [mine.path]
    mine.close()


def test_link_with_such_a_name_is_not_followed(home: Path) -> None:
    (home.parent / "kept").mkdir()
    (home.parent / "kept" / "file").touch()
    os.utime(home.parent / "kept", (1, 1))
    (home / "muster-work-link").symlink_to(home.parent / "kept")

    TemporaryFolder().close()

    assert (home.parent / "kept" / "file").exists()


@pytest.mark.slow
@pytest.mark.parametrize("processes", ["1", "2"])
def test_build_leaves_nothing(processes: str, home: Path, tmp_path: Path) -> None:
    lay_out(tmp_path)
    command = [sys.executable, "-m", "muster", "build", "club", "--only", "roster"]

    done = subprocess.run(  # noqa: S603 - our own program
        [*command, "--jobs", processes],
        cwd=tmp_path,
        env=ENVIRONMENT | {"TMPDIR": str(home)},
        capture_output=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert list(home.iterdir()) == []


@pytest.mark.slow
def test_killed_build_leaves_what_the_next_removes(home: Path, tmp_path: Path) -> None:
    lay_out(tmp_path)
    command = [sys.executable, "-m", "muster", "build", "club", "--jobs", "2"]
    with subprocess.Popen(  # noqa: S603 - our own program
        [*command, "--progress", "plain"],
        cwd=tmp_path,
        env=ENVIRONMENT | {"TMPDIR": str(home)},
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("built ")
        process.kill()
    assert list(home.glob("muster-work-*/weasyprint-*"))
    assert not list(home.glob("weasyprint-*"))

    make_old(home)
    TemporaryFolder().close()

    assert not list(home.glob("muster-work-*"))
