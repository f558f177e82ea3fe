"""Record which files a result was made from, while they are read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

FileSignature = tuple[int, ...]
"""What tells cheaply that a file was touched: size, times of change in ns, and its number on disk.

An empty one is that of a file that is not there.
"""


class Dependency(NamedTuple):
    """A file, or, with a pattern, the names in a folder that match it: `*.yaml`."""

    path: str
    pattern: str = ""


Dependencies = dict[Dependency, FileSignature]
"""Parts that were used, each as it was just before it was first read; a folder has no signature."""


@dataclass(frozen=True, slots=True)
class _Recording:
    """Uses that are being noted, and those around them, which get them too."""

    dependencies: Dependencies
    outer: _Recording | None


_current_recording: ContextVar[_Recording | None] = ContextVar("open uses", default=None)


def file_signature(path: str | Path) -> FileSignature:
    """Give a file's signature; an empty one if there is no such file."""
    try:
        found = os.stat(path)  # noqa: PTH116 - a thousand of these must cost nothing
    except OSError:
        return ()
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


@contextmanager
def record_dependencies() -> Iterator[Dependencies]:
    """Give the uses of all that is read within, cached parts too."""
    outer = _current_recording.get()
    here = _Recording({}, outer)
    token = _current_recording.set(here)
    try:
        yield here.dependencies
    finally:
        _current_recording.reset(token)


def _record(part: Dependency, found: FileSignature) -> None:
    place = _current_recording.get()
    while place is not None:
        place.dependencies.setdefault(part, found)
        place = place.outer


def record_file(path: str | Path) -> None:
    """Note that a file is about to be read, or was looked for in vain."""
    if _current_recording.get() is not None:
        _record(Dependency(os.path.abspath(path)), file_signature(path))  # noqa: PTH100 - as `signature`


def record_listing(folder: Path, pattern: str) -> None:
    """Note that something rests on which names of a folder match a pattern."""
    if _current_recording.get() is not None:
        _record(Dependency(os.path.abspath(folder), pattern), ())  # noqa: PTH100 - as `signature`


Key = TypeVar("Key")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class CachedResult(Generic[Result]):
    """Something that was made once, and all that it was made of."""

    result: Result
    dependencies: Dependencies


def get_or_make(
    store: MutableMapping[Key, CachedResult[Result]], key: Key, make: Callable[[], Result]
) -> Result:
    """Give what is kept under a key, made when it is first wanted.

    Whoever gets it used all that it was made of, whether it was made now or long ago.
    """
    kept = store.get(key)
    if kept is None:
        with record_dependencies() as uses:
            held = make()
        store[key] = CachedResult(held, uses)
        return held
    for part, found in kept.dependencies.items():
        _record(part, found)
    return kept.result


class tracked_property(Generic[Result]):  # noqa: N801 - it stands where `cached_property` would
    """A property made once, as by `cached_property`, which counts as used each time."""

    def __init__(self, make: Callable[[Any], Result]) -> None:
        """Take the method that makes it."""
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        """Learn the name under which it stands."""
        self._name = f"kept {name}"

    def __get__(self, instance: object, owner: type | None = None) -> Result:
        """Give it."""
        store: dict[str, CachedResult[Result]] = vars(instance)
        return get_or_make(store, self._name, lambda: self._make(instance))
