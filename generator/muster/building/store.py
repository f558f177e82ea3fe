"""Files that are written whole or not at all, and the lock that keeps two builds apart."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath, PureWindowsPath

from muster.problems import Location, MusterError, Problem, display_path

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
    """Return whether a name stays within the folder that it is relative to, on any system.

    A colon would make it the address of something else, such as `javascript:`.
    """
    return (
        bool(name)
        and not name.startswith("/")
        and not PureWindowsPath(name).drive
        and "\\" not in name
        and ":" not in name
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


def refuse_output_folder(out: Path, folders: Iterable[Path]) -> None:
    """Refuse to build into, or around, a folder that documents are made from.

    Args:
        out: The output folder, which need not exist yet.
        folders: The working folder's and the shipped `content`, `armies` and `templates`.

    Raises:
        MusterError: If the output folder is one of them, lies in one or contains one.
    """
    real = out.resolve()
    for folder in folders:
        if real == folder or folder in real.parents or real in folder.parents:
            relation = "lies in" if folder in real.parents else "contains"
            what = f"{relation} {display_path(folder)}, which documents are made from"
            if real == folder:
                what = "holds what documents are made from"
            raise MusterError([_bad_output(out, f"this folder {what}")])


def refuse_unreadable_name(folder: Path) -> None:
    """Refuse to build in a folder whose name the record of the build could not hold.

    Raises:
        MusterError: If its path is not UTF-8.
    """
    if any("\ud800" <= character <= "\udfff" for character in str(folder)):
        text = f"the path of the working folder is not UTF-8: {str(folder)!a}; rename the folder"
        raise MusterError([Problem("bad-folder-name", text, Location(display_path(folder)))])


def refuse_foreign_files(out: Path, names: Iterable[str]) -> None:
    """Refuse to write over files of an output folder that no build has written to before.

    Raises:
        MusterError: If a file of one of these names is there.
    """
    found = [name for name in names if (out / name).exists()]
    if found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        text = f"this folder holds {found[0]}{more}, which Muster did not write"
        raise MusterError([_bad_output(out, text)])


def _bad_output(out: Path, text: str) -> Problem:
    advice = "choose another folder with --out, such as --out build"
    return Problem("bad-output-folder", f"{text}; {advice}", Location(display_path(out)))


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
    if (home / "lock").exists() and not (home / "lock").is_file():
        # To open a pipe would wait for a reader.
        raise OSError(errno.EINVAL, "this is no regular file", str(home / "lock"))
    with (home / "lock").open("ab") as file:
        if not try_lock(file.fileno()):
            if on_wait is not None:
                on_wait()
            _wait_for_lock(file.fileno())
        yield


try:
    import fcntl
except ImportError:  # pragma: no cover - Windows
    import msvcrt
    import time

    def try_lock(handle: int) -> bool:
        """Lock a file, unless another process has; return whether it is locked now."""
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]  # Windows
        except OSError:
            return False
        return True

    def _wait_for_lock(handle: int) -> None:
        while not try_lock(handle):
            time.sleep(0.2)

else:

    def try_lock(handle: int) -> bool:
        """Lock a file, unless another process has; return whether it is locked now."""
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
