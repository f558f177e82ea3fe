"""Files that are written whole or not at all, and the lock that keeps two builds apart."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath, PureWindowsPath

_PARTIAL_SUFFIX = ".muster-part"
STATE_FOLDER = ".muster"
"""The folder within an output folder that holds the record and the cache of builds."""


def write_whole(path: Path, data: bytes, *, sync: bool = True) -> None:
    """Write a temporary file beside the target, flush it to disk, then rename it.

    Args:
        path: The target; its folders are made.
        data: The whole content.
        sync: Whether to wait until the data is on disk. Without, a loss of power may leave an
            empty file, which is enough where readers verify the content.

    Raises:
        OSError: If the disk is full or the folder cannot be written, with the name of the target;
            no partial file is left.
    """
    try:
        _write_and_rename(path, data, sync=sync)
    except OSError as error:
        # A full disk is told without a name, and of others the name is that of the temporary file.
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def _write_and_rename(path: Path, data: bytes, *, sync: bool) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(
        prefix=f".{path.name}.", suffix=_PARTIAL_SUFFIX, dir=path.parent
    )
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            if sync:
                os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def is_relative_name(name: str) -> bool:
    """Return whether a name stays within the folder that it is relative to, on any system."""
    return (
        bool(name)
        and not name.startswith("/")
        and not PureWindowsPath(name).drive
        and "\\" not in name
        and ".." not in PurePosixPath(name).parts
    )


def has_link(out: Path, name: str) -> bool:
    """Return whether a file below an output folder, or a folder on the way to it, is a link.

    The output folder itself may be one: whoever names it chooses it.
    """
    path = out
    for part in PurePosixPath(name).parts:
        path /= part
        if path.is_symlink():
            return True
    return False


def refuse_link(out: Path, name: str) -> None:
    """Refuse to write or remove through a link that somebody put into an output folder.

    Raises:
        OSError: If the file, or a folder on the way to it, is a link.
    """
    if has_link(out, name):
        text = "this is a link or lies behind one, and links in an output folder are not followed"
        raise OSError(errno.ELOOP, text, str(out / name))


def remove_partial_files(folder: Path) -> None:
    """Remove the temporary files that a killed build left below a folder."""
    for path in folder.rglob(f".*{_PARTIAL_SUFFIX}"):
        with suppress(OSError):
            path.unlink()


@contextmanager
def locked(out: Path, on_wait: Callable[[], None] | None = None) -> Iterator[None]:
    """Lock an output folder; a second build waits until the first has ended.

    The system releases the lock when its holder ends, however it ends. On a disk without locks,
    builds go on without one.

    Args:
        out: The output folder.
        on_wait: Called once if another build holds the lock.

    Raises:
        OSError: If the folder cannot be written, or the state in it is a link.
    """
    home = out / STATE_FOLDER
    for name in ("lock", "record.json", "cache"):
        refuse_link(out, f"{STATE_FOLDER}/{name}")
    home.mkdir(parents=True, exist_ok=True)
    with (home / "lock").open("ab") as file:
        if not _try_lock(file.fileno()):
            if on_wait is not None:
                on_wait()
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
            return True  # This disk has no locks.
        return True

    def _wait_for_lock(handle: int) -> None:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
