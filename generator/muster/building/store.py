"""Files that appear whole or not at all, and the lock that keeps two builds apart."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PARTIAL_SUFFIX = ".muster-part"
STATE_FOLDER = ".muster"
"""The folder within an output folder that holds what builds remember."""


def write_whole(path: Path, data: bytes, *, sure: bool = True) -> None:
    """Write a file beside its place, make sure that it is on disk, then rename it.

    Without *sure* a loss of power may leave an empty file, for those who look before they trust.

    Raises:
        OSError: If the disk is full or the folder cannot be written; nothing half is left.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(
        prefix=f".{path.name}.", suffix=_PARTIAL_SUFFIX, dir=path.parent
    )
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            if sure:
                os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def remove_partial_files(folder: Path) -> None:
    """Take away what a killed build left half-written below a folder."""
    for path in folder.rglob(f".*{_PARTIAL_SUFFIX}"):
        with suppress(OSError):
            path.unlink()


@contextmanager
def locked(out: Path, waiting: Callable[[], None] | None = None) -> Iterator[None]:
    """Keep other builds out of an output folder; a second one waits until the first has ended.

    The system lets go of the lock when its holder ends, however it ends. Where a disk knows no
    locks, all go on without.

    Args:
        out: The output folder.
        waiting: Called once if another build is at work there.

    Raises:
        OSError: If the folder cannot be written.
    """
    home = out / STATE_FOLDER
    home.mkdir(parents=True, exist_ok=True)
    with (home / "lock").open("ab") as file:
        if not _try_lock(file.fileno()):
            if waiting is not None:
                waiting()
            _wait_for_lock(file.fileno())
        yield


try:
    import fcntl
except ImportError:  # pragma: no cover - Windows
    import msvcrt
    import time

    def _try_lock(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]  # Windows
        except OSError:
            return False
        return True

    def _wait_for_lock(handle: int) -> None:
        while not _try_lock(handle):
            time.sleep(0.2)

else:

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True  # no locks on this disk
        return True

    def _wait_for_lock(handle: int) -> None:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
