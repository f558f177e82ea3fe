"""Owns the cache of what was read: small files in a folder of the user's, found by content.

Does not know what is kept. Nothing in it is trusted: a file counts only if it is whole, was
written under this very name, and by this very Muster; any other is as good as none. Without a
folder that can be written, everything works, only slower.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import orjson
from pydantic import VERSION

from generator import __version__

LARGEST_ENTRY: Final = 8 * 1024 * 1024
"""Bytes of the largest entry that is kept or looked at."""
MOST_BYTES: Final = 64 * 1024 * 1024
MOST_ENTRIES: Final = 20_000
"""What the folder holds at most; when there is more, what was used longest ago goes first."""

_SHAPE: Final = "1"
_FOLDER: Final = "read"
_ENDING: Final = ".json"
_PART: Final = ".part"
_DAY: Final = 24 * 60 * 60
_HOUR: Final = 60 * 60
_DIGEST: Final = 20
_PARTS: Final = ("values", "reading", "tables", "systems", "armies")
"""The parts of the package that decide what comes of a file."""

_in_use: Cache | None = None


def keep_in(folder: Path | None) -> None:
    """Keep what is read in a folder from now on, or keep nothing."""
    global _in_use  # noqa: PLW0603 - one cache a process, as there is one disk
    _in_use = None if folder is None else Cache(folder)


def user_folder(settings: Mapping[str, str]) -> Path | None:
    """Give the folder in which a user's programs keep what they can do without.

    Args:
        settings: The environment; MUSTER_CACHE_MB=0 asks for no cache at all.
    """
    if settings.get("MUSTER_CACHE_MB", "").strip() == "0":
        return None
    named = settings.get("XDG_CACHE_HOME", "")
    if Path(named).is_absolute():
        return Path(named) / "muster"
    try:
        home = Path.home()
    except RuntimeError:  # a user without a home
        return None
    if sys.platform == "win32":
        return Path(settings.get("LOCALAPPDATA") or home / "AppData" / "Local") / "muster" / "cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "muster"
    return home / ".cache" / "muster"


def clear(folder: Path) -> tuple[int, int]:
    """Take away all that was ever kept in a folder; give how many files and bytes that was."""
    files = size = 0
    for each in (folder / _FOLDER).glob("*"):
        with suppress(OSError):
            if each.suffix in {_ENDING, _PART}:
                held = each.lstat().st_size
                each.unlink()
                files, size = files + 1, size + held
    with suppress(OSError):
        (folder / _FOLDER).rmdir()
        folder.rmdir()
    return files, size


def entry_of(raw: bytes) -> Entry | None:
    """Give what is kept of a file of this content, if anything is kept at all."""
    return None if _in_use is None else Entry(_in_use, blake2b(raw, digest_size=_DIGEST).digest())


class Entry:
    """All that is kept of one content."""

    __slots__ = ("_cache", "_content")

    def __init__(self, cache: Cache, content: bytes) -> None:
        self._cache = cache
        self._content = content

    def has(self, what: str) -> bool:
        """Tell whether something seems to be kept; only `get` can tell whether it is sound."""
        return self._cache.has(self._name(what))

    def get(self, what: str) -> Any:
        """Give JSON that was kept, or None."""
        return self._cache.get(self._name(what))

    def put(self, what: str, found: Any) -> None:
        """Keep JSON, if the folder takes it."""
        self._cache.put(self._name(what), found)

    def _name(self, what: str) -> str:
        key = f"{what}\0{self._cache.mark}\0".encode() + self._content
        return blake2b(key, digest_size=_DIGEST).hexdigest() + _ENDING


class Cache:
    """A folder of entries; it is made when the first one is kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / _FOLDER
        self._written = False

    @cached_property
    def mark(self) -> str:
        """What must be the same for an entry to count: Muster, down to each module, and Python.

        A file that was replaced has another time of change, whatever time it was given.
        """
        here = Path(__file__).resolve().parent.parent
        marks = [_SHAPE, __version__, VERSION, *map(str, sys.version_info[:3])]
        for part in _PARTS:
            for name, found in sorted(_modules(here / part)):
                marks.append(f"{name} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}")
        return blake2b("\n".join(marks).encode(), digest_size=_DIGEST).hexdigest()

    @cached_property
    def _ours(self) -> bool:
        """Tell whether nobody else can have written what is in the folder."""
        try:
            found = self._folder.stat()
        except OSError:
            return False
        if not hasattr(os, "getuid"):
            return True
        others = stat.S_IWGRP | stat.S_IWOTH
        return found.st_uid == os.getuid() and not found.st_mode & others

    def has(self, name: str) -> bool:
        """Tell whether there is a file of a name."""
        return self._ours and (self._folder / name).is_file()

    def get(self, name: str) -> Any:
        """Give the JSON of an entry, or None if it is not there or not sound."""
        if not self._ours:
            return None
        try:
            payload = _payload(self._folder / name)
            if payload is None:
                return None
            head, _, body = payload.partition(b"\n")
            return orjson.loads(body) if head == _seal(name, body) else None
        except (OSError, ValueError):
            return None

    def put(self, name: str, found: Any) -> None:
        """Write an entry whole; a folder that does not take it is left alone from then on."""
        try:
            body = orjson.dumps(found)
        except TypeError:  # more than JSON can hold
            return
        if len(body) > LARGEST_ENTRY:
            return
        with suppress(OSError):
            if not self._written:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                self.__dict__.pop("_ours", None)
            if not self._ours:
                return
            self._write(name, _seal(name, body) + b"\n" + body)
            if not self._written:
                self._written = True
                self._prune()

    def _write(self, name: str, data: bytes) -> None:
        handle, part = tempfile.mkstemp(suffix=_PART, dir=self._folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(part).replace(self._folder / name)
        except BaseException:
            with suppress(OSError):
                Path(part).unlink()
            raise

    def _prune(self) -> None:
        """Take away what a killed process left, and what is over the bounds."""
        now = time.time()
        kept: list[tuple[float, int, Path]] = []
        for each in self._folder.iterdir():
            with suppress(OSError):
                found = each.lstat()
                if each.suffix == _PART and now - found.st_mtime > _HOUR:
                    each.unlink()
                elif each.suffix == _ENDING:
                    kept.append((found.st_mtime, found.st_size, each))
        size = sum(its_size for _, its_size, _ in kept)
        if size <= MOST_BYTES and len(kept) <= MOST_ENTRIES:
            return
        left = len(kept)
        # A quarter more than must be, so that the next run need not begin again.
        for _, its_size, path in sorted(kept):
            if size <= MOST_BYTES * 3 // 4 and left <= MOST_ENTRIES * 3 // 4:
                break
            with suppress(OSError):
                path.unlink()
            size -= its_size
            left -= 1


def _modules(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Go through the modules of a part and of what lies in it."""
    with suppress(OSError), os.scandir(folder) as found:
        for each in found:
            if each.name.endswith(".py"):
                yield each.path, each.stat()
            elif each.is_dir() and not each.name.startswith("__"):
                yield from _modules(Path(each.path))


def _payload(path: Path) -> bytes | None:
    """Read an entry; mark it as used, at most once a day."""
    flags = os.O_RDONLY
    for wanted in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"):
        flags |= getattr(os, wanted, 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or found.st_size > 2 * LARGEST_ENTRY:
            return None
        data = file.read()
    if time.time() - found.st_mtime > _DAY:
        with suppress(OSError):
            os.utime(path)
    return data


def _seal(name: str, body: bytes) -> bytes:
    """Give the line before an entry, which no other name and no other body has."""
    return blake2b(name.encode() + b"\0" + body, digest_size=_DIGEST).hexdigest().encode()
