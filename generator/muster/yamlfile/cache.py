"""A cache of files that were read, found by their content."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import orjson
from pydantic import VERSION, BaseModel

from muster import __version__

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

_in_use: ReadCache | None = None


def use_cache_folder(folder: Path | None) -> None:
    """Keep what is read in a folder from now on, or keep nothing."""
    global _in_use  # noqa: PLW0603 - one cache a process, as there is one disk
    _in_use = None if folder is None else ReadCache(folder)


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


def clear_cache(folder: Path) -> tuple[int, int]:
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


def cache_entry(raw: bytes) -> CacheEntry | None:
    """Give what is kept of a file of this content, if anything is kept at all."""
    return (
        None if _in_use is None else CacheEntry(_in_use, blake2b(raw, digest_size=_DIGEST).digest())
    )


class CacheEntry:
    """All that is kept of one content."""

    __slots__ = ("_cache", "_content")

    def __init__(self, cache: ReadCache, content: bytes) -> None:
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


class ReadCache:
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


_PACKAGE: Final = "generator."
_DEEPEST: Final = 60
_LIST, _TUPLE, _DICT, _DECIMAL, _FRACTION, _ENUM = range(6)
_FIRST_CLASS: Final = 8
"""Tags from here on are places in the list of classes."""

_PLAIN: Final = (str, int, bool, type(None))


class NotRestorableError(Exception):
    """Say that something cannot be kept as JSON, or that JSON is nothing that was kept."""


def to_json(value: Any) -> Any:
    """Give plain lists and texts that `restored` makes an equal value of.

    Raises:
        StrangeError: If there is none.
    """
    writer = _JsonWriter()
    body = writer.write(value, 0)
    found = [writer.classes, body]
    if from_json(found) != value:
        text = f"{type(value).__name__} does not come back as it was"
        raise NotRestorableError(text)
    return found


def from_json(found: Any) -> Any:
    """Make the value again.

    Raises:
        StrangeError: If it is of another shape, or of classes that are not, or no longer, known.
    """
    match found:
        case [list(classes), body]:
            reader = _JsonReader([_KnownClass.named(each) for each in classes])
            try:
                return reader.read(body, 0)
            except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
                raise NotRestorableError(str(error)) from None
    text = "expected classes and a body"
    raise NotRestorableError(text)


class _KnownClass:
    """A class of which objects are kept: its fields, and how one is made of their values."""

    __slots__ = ("make", "names", "of")

    def __init__(self, of: type[Any]) -> None:
        self.of = of
        self.names: tuple[str, ...]
        self.make: Callable[..., Any] = of
        if issubclass(of, BaseModel):
            known = of.__pydantic_fields__
            self.names = tuple(known)
            self.make = _model_maker(of)
        elif is_dataclass(of):
            self.names = tuple(each.name for each in fields(of) if each.init)
            if len(self.names) != len(fields(of)):
                raise NotRestorableError(of.__name__)
        elif not issubclass(of, Enum) and of.__dict__.get("__slots__") == ():
            self.names = ()
        else:
            raise NotRestorableError(of.__name__)

    @classmethod
    def named(cls, found: Any) -> _KnownClass | type[Enum]:
        match found:
            case [str(module), str(name), list(names)] if module.startswith(_PACKAGE):
                of = getattr(sys.modules.get(module), name, None)
                if isinstance(of, type) and of.__module__ == module:
                    if issubclass(of, Enum):
                        return of
                    kind = cls(of)
                    if list(kind.names) == names:
                        return kind
        text = "a class that is not known, or has other fields"
        raise NotRestorableError(text)


def _model_maker(of: type[BaseModel]) -> Callable[..., BaseModel]:
    """Make models of values that were validated before, without a validator.

    Building Pydantic's validators takes longer than all else that a warm run does.
    """
    keys = [each.alias or name for name, each in of.__pydantic_fields__.items()]

    def make(given: int, *values: Any) -> BaseModel:
        set_by = {name for n, name in enumerate(of.__pydantic_fields__) if given >> n & 1}
        return of.model_construct(set_by, **dict(zip(keys, values, strict=True)))

    return make


class _JsonWriter:
    def __init__(self) -> None:
        self.classes: list[list[Any]] = []
        self._places: dict[type, tuple[int, _KnownClass | None]] = {}

    def write(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if kind in _PLAIN:
            return value
        if depth > _DEEPEST:
            raise NotRestorableError(kind.__name__)
        if kind is list or kind is tuple:
            tag = _LIST if kind is list else _TUPLE
            return [tag, *(self.write(each, depth + 1) for each in value)]
        if isinstance(value, Mapping):
            if not all(type(key) is str for key in value):
                raise NotRestorableError(kind.__name__)
            return [_DICT, {key: self.write(each, depth + 1) for key, each in value.items()}]
        if kind is Decimal or kind is Fraction:
            return [_DECIMAL if kind is Decimal else _FRACTION, str(value)]
        tag, known = self._place(kind)
        if known is None:
            return [_ENUM, tag, value.name]
        held = [self.write(getattr(value, name), depth + 1) for name in known.names]
        if isinstance(value, BaseModel):
            given = value.model_fields_set
            held.insert(0, sum((name in given) << n for n, name in enumerate(known.names)))
        elif not known.names and kind() is not value:
            raise NotRestorableError(kind.__name__)
        return [tag + _FIRST_CLASS, *held]

    def _place(self, kind: type[Any]) -> tuple[int, _KnownClass | None]:
        if kind not in self._places:
            if not kind.__module__.startswith(_PACKAGE):
                raise NotRestorableError(kind.__name__)
            known = None if issubclass(kind, Enum) else _KnownClass(kind)
            names = known.names if known is not None else ()
            self._places[kind] = (len(self.classes), known)
            self.classes.append([kind.__module__, kind.__name__, list(names)])
        return self._places[kind]


class _JsonReader:
    def __init__(self, kinds: list[_KnownClass | type[Enum]]) -> None:
        self.kinds = kinds

    def read(self, found: Any, depth: int) -> Any:
        if type(found) in _PLAIN:
            return found
        tag = found[0]
        if depth > _DEEPEST:
            raise NotRestorableError(str(tag))
        below = depth + 1
        if tag >= _FIRST_CLASS:
            held = [self.read(each, below) for each in found[1:]]
            return self.kinds[tag - _FIRST_CLASS].make(*held)
        match found:
            case [0 | 1, *items]:
                held = [self.read(each, below) for each in items]
                return tuple(held) if tag else held
            case [2, dict(items)]:
                return {key: self.read(each, below) for key, each in items.items()}
            case [3 | 4, str(text)]:
                return Decimal(text) if tag == _DECIMAL else Fraction(text)
            case [5, place, str(name)]:
                return self._member(place, name)
        raise NotRestorableError(str(tag))

    def _member(self, place: int, name: str) -> Enum:
        members = self.kinds[place]
        if isinstance(members, _KnownClass):
            raise NotRestorableError(members.of.__name__)
        return members[name]
