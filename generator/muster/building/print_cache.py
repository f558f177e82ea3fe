"""The cache of printed documents, found by the fingerprint of what they are made from."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import orjson

from muster.building.store import STATE_FOLDER, write_whole

FORMAT_VERSION = 1
CACHE_FOLDER = "cache"
DEFAULT_MEGABYTES = 512
"""The bound of the cache, if no other is asked for; 0 is no cache."""


@dataclass(frozen=True, slots=True)
class CachedPrint:
    """A printed document and what it cost."""

    data: bytes
    pages: int
    seconds: float
    sizes: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _EntryHeader:
    """The first line of a file in the cache."""

    shape: int
    content: str
    pages: int
    seconds: float
    sizes: dict[str, float]


class PrintCache:
    """Printed documents of one output folder, the least recently used thrown away first."""

    def __init__(self, out: Path, most: int = DEFAULT_MEGABYTES << 20) -> None:
        self.out = out
        self.folder = out / STATE_FOLDER / CACHE_FOLDER
        self.max_bytes = most

    def _path_of(self, fingerprint: str) -> Path:
        return self.folder / fingerprint[:2] / fingerprint[2:]

    def has(self, fingerprint: str) -> bool:
        """Tell whether a document may be there; only `find` looks whether it is sound."""
        return self.max_bytes > 0 and self._path_of(fingerprint).is_file()

    def find(self, fingerprint: str) -> CachedPrint | None:
        """Find a document again; one that is not sound is thrown away."""
        if self.max_bytes <= 0:
            return None
        path = self._path_of(fingerprint)
        try:
            line, _, data = path.read_bytes().partition(b"\n")
        except OSError:
            return None
        found = _read_entry(line, data)
        with suppress(OSError):
            if found is None:
                path.unlink()
            else:
                os.utime(path)
        return found

    def keep(self, fingerprint: str, printed: CachedPrint) -> None:
        """Keep a document; a disk that is full, or may not be written, keeps none."""
        if self.max_bytes <= 0:
            return
        content = sha256(printed.data).hexdigest()
        head = _EntryHeader(FORMAT_VERSION, content, printed.pages, printed.seconds, printed.sizes)
        with suppress(OSError):
            write_whole(
                self._path_of(fingerprint), orjson.dumps(head) + b"\n" + printed.data, sure=False
            )

    def trim(self) -> int:
        """Throw away what was not used for longest, down to the bound; give how many files."""
        files = []
        for path in self.folder.glob("*/*"):
            with suppress(OSError):
                found = path.stat()
                files.append((found.st_mtime_ns, found.st_size, path))
        total = sum(size for _, size, _ in files)
        gone = 0
        for _, size, path in sorted(files):
            if total <= self.max_bytes:
                break
            with suppress(OSError):
                path.unlink()
            total -= size
            gone += 1
        return gone


def _read_entry(line: bytes, data: bytes) -> CachedPrint | None:
    try:
        head = _EntryHeader(**orjson.loads(line))
        if head.shape != FORMAT_VERSION or head.content != sha256(data).hexdigest():
            return None
        sizes = {str(key): float(size) for key, size in head.sizes.items()}
        return CachedPrint(data, int(head.pages), float(head.seconds), sizes)
    except (ValueError, TypeError, AttributeError):
        return None


class PieceCache:
    """Pieces of documents in the cache, by what they are made from; for whoever lays them out."""

    def __init__(self, out: Path, *, read: bool = True) -> None:
        """Take the output folder, and whether pieces that are kept there may be taken."""
        self._cache = PrintCache(out)
        self._read = read

    def get(self, made_from: str) -> bytes | None:
        """Find a piece again."""
        found = self._cache.find(_piece_key(made_from)) if self._read else None
        return found.data if found else None

    def put(self, made_from: str, data: bytes) -> None:
        """Keep a piece."""
        self._cache.keep(_piece_key(made_from), CachedPrint(data, 0, 0.0))


def _piece_key(made_from: str) -> str:
    return sha256(f"piece {made_from}".encode()).hexdigest()[:32]
