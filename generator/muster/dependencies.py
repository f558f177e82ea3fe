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
"""A quick way to see whether a file was touched: its size, its times of change in ns, its inode.

The signature of a file that does not exist is empty.
"""


class Dependency(NamedTuple):
    """A file, or, with a pattern, the names in a folder that match it: `*.yaml`."""

    path: str
    pattern: str = ""


Dependencies = dict[Dependency, FileSignature]
"""Each dependency with its signature just before it was first read; a folder has an empty one."""


@dataclass(frozen=True, slots=True)
class _Recording:
    """Dependencies that are being recorded, and the outer recording, which gets them too."""

    dependencies: Dependencies
    outer: _Recording | None


_current_recording: ContextVar[_Recording | None] = ContextVar("recording", default=None)


def file_signature(path: str | Path) -> FileSignature:
    """Return a file's signature; an empty one if there is no such file."""
    try:
        status = os.stat(path)  # noqa: PTH116 - called a thousand times, and `Path` is slower
    except OSError:
        return ()
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


@contextmanager
def record_dependencies() -> Iterator[Dependencies]:
    """Yield the dependencies of all that is read within, including those of cached results."""
    recording = _Recording({}, outer=_current_recording.get())
    token = _current_recording.set(recording)
    try:
        yield recording.dependencies
    finally:
        _current_recording.reset(token)


def _record(dependency: Dependency, signature: FileSignature) -> None:
    recording = _current_recording.get()
    while recording is not None:
        recording.dependencies.setdefault(dependency, signature)
        recording = recording.outer


def record_file(path: str | Path) -> None:
    """Record that a file is about to be read, or does not exist."""
    if _current_recording.get() is not None:
        _record(Dependency(os.path.abspath(path)), file_signature(path))  # noqa: PTH100 - as above


def record_listing(folder: Path, pattern: str) -> None:
    """Record that a result depends on which names in a folder match a pattern."""
    if _current_recording.get() is not None:
        _record(Dependency(os.path.abspath(folder), pattern), ())  # noqa: PTH100 - as above


Key = TypeVar("Key")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class CachedResult(Generic[Result]):
    """A result that was made once, with all that it depends on."""

    result: Result
    dependencies: Dependencies


def get_or_make(
    store: MutableMapping[Key, CachedResult[Result]], key: Key, make: Callable[[], Result]
) -> Result:
    """Return the result cached under a key, made if it is not there yet.

    Its dependencies are recorded each time, whether it is made now or was made long ago.
    """
    cached = store.get(key)
    if cached is None:
        with record_dependencies() as dependencies:
            result = make()
        store[key] = CachedResult(result, dependencies)
        return result
    for dependency, signature in cached.dependencies.items():
        _record(dependency, signature)
    return cached.result


class tracked_property(Generic[Result]):  # noqa: N801 - it stands where `cached_property` would
    """A `cached_property` whose dependencies are recorded each time it is used."""

    def __init__(self, make: Callable[[Any], Result]) -> None:
        """Take the method that computes the property."""
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        """Take the name of the attribute; the space keeps the key of the cache apart from it."""
        self._name = f"cached {name}"

    def __get__(self, instance: object, owner: type | None = None) -> Result:
        """Return the property's value."""
        store: dict[str, CachedResult[Result]] = vars(instance)
        return get_or_make(store, self._name, lambda: self._make(instance))
