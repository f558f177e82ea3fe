"""Owns the note of which files something was made of, taken while they are read.

Does not read them and does not decide what is made anew; a build does, by what is noted here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

Signature = tuple[int, ...]
"""What tells cheaply that a file was touched: size, times of change in ns, and its number on disk.

An empty one is that of a file that is not there.
"""


class Part(NamedTuple):
    """A file, or, with a pattern, the names in a folder that match it: `*.yaml`."""

    path: str
    pattern: str = ""


Uses = dict[Part, Signature]
"""Parts that were used, each as it was just before it was first read; a folder has no signature."""


@dataclass(frozen=True, slots=True)
class _Open:
    """Uses that are being noted, and those around them, which get them too."""

    uses: Uses
    outer: _Open | None


_open: ContextVar[_Open | None] = ContextVar("open uses", default=None)


def signature(path: str | Path) -> Signature:
    """Give a file's signature; an empty one if there is no such file."""
    try:
        found = os.stat(path)  # noqa: PTH116 - a thousand of these must cost nothing
    except OSError:
        return ()
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


@contextmanager
def noting() -> Iterator[Uses]:
    """Give the uses of all that is read within, cached parts too."""
    outer = _open.get()
    here = _Open({}, outer)
    token = _open.set(here)
    try:
        yield here.uses
    finally:
        _open.reset(token)


def _note(part: Part, found: Signature) -> None:
    place = _open.get()
    while place is not None:
        place.uses.setdefault(part, found)
        place = place.outer


def note_file(path: str | Path) -> None:
    """Note that a file is about to be read, or was looked for in vain."""
    if _open.get() is not None:
        _note(Part(os.path.abspath(path)), signature(path))  # noqa: PTH100 - as `signature`


def note_names(folder: Path, pattern: str) -> None:
    """Note that something rests on which names of a folder match a pattern."""
    if _open.get() is not None:
        _note(Part(os.path.abspath(folder), pattern), ())  # noqa: PTH100 - as `signature`


Key = TypeVar("Key")
Held = TypeVar("Held")


@dataclass(frozen=True, slots=True)
class Kept(Generic[Held]):
    """Something that was made once, and all that it was made of."""

    held: Held
    uses: Uses


def keep(store: MutableMapping[Key, Kept[Held]], key: Key, make: Callable[[], Held]) -> Held:
    """Give what is kept under a key, made when it is first wanted.

    Whoever gets it used all that it was made of, whether it was made now or long ago.
    """
    kept = store.get(key)
    if kept is None:
        with noting() as uses:
            held = make()
        store[key] = Kept(held, uses)
        return held
    for part, found in kept.uses.items():
        _note(part, found)
    return kept.held


class kept_part(Generic[Held]):  # noqa: N801 - it stands where `cached_property` would
    """A property made once, as by `cached_property`, which counts as used each time."""

    def __init__(self, make: Callable[[Any], Held]) -> None:
        """Take the method that makes it."""
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        """Learn the name under which it stands."""
        self._name = f"kept {name}"

    def __get__(self, instance: object, owner: type | None = None) -> Held:
        """Give it."""
        store: dict[str, Kept[Held]] = vars(instance)
        return keep(store, self._name, lambda: self._make(instance))
