"""Temporary folders that go even if the process that made them was killed."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from io import BufferedWriter
from pathlib import Path
from shutil import rmtree
from time import time
from weakref import finalize

from muster.building.store import try_lock

_PREFIX = "muster-work-"
_LOCK = "lock"
_YOUNG_S = 60
"""A folder younger than this may not have its lock yet."""


class TemporaryFolder:
    """A temporary folder, locked as long as it is in use.

    The system releases the lock when its holder ends, however it ends; the next temporary folder
    that is made removes those whose lock is free.
    """

    def __init__(self) -> None:
        """Make a folder, and remove those that were left behind."""
        _remove_abandoned()
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
        lock = (self.path / _LOCK).open("ab")
        try_lock(lock.fileno())
        self.close = finalize(self, _remove, self.path, lock)
        """Removes the folder, at the end of the process at the latest."""


def _remove(folder: Path, lock: BufferedWriter) -> None:
    lock.close()
    rmtree(folder, ignore_errors=True)


def _remove_abandoned() -> None:
    """Remove the folders of processes of this user that have ended without doing so."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            status = folder.lstat()
            is_ours = not hasattr(os, "getuid") or status.st_uid == os.getuid()
            if folder.is_symlink() or not is_ours or time() - status.st_mtime < _YOUNG_S:
                continue
            with (folder / _LOCK).open("ab") as lock:
                abandoned = try_lock(lock.fileno())
            if abandoned:
                rmtree(folder, ignore_errors=True)
