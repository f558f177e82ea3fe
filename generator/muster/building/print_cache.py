"""The cache of printed documents, found by the fingerprint of what they are made from."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import orjson

from muster.building.jobs import DEFAULT_CACHE_MB
from muster.building.store import STATE_FOLDER, has_link, refuse_link, write_whole
from muster.yamlfile.textfile import open_regular

CACHE_FOLDER = "cache"


@dataclass(frozen=True, slots=True)
class CachedPrint:
    """A printed document, its number of pages, and the seconds and type sizes of its layout.

    Its file has a line with the hash of the rest, a line with the facts as JSON, and then the
    document.
    """

    data: bytes
    pages: int
    seconds: float
    sizes: dict[str, float] = field(default_factory=dict)

    def to_bytes(self) -> bytes:
        """Return the content of its file."""
        facts = {"pages": self.pages, "seconds": self.seconds, "sizes": self.sizes}
        rest = orjson.dumps(facts) + b"\n" + self.data
        return sha256(rest).hexdigest().encode() + b"\n" + rest

    @classmethod
    def from_bytes(cls, content: bytes) -> CachedPrint:
        """Read the content of a file.

        Raises:
            ValueError: If it is not what was written.
            TypeError: If another version of Muster wrote other facts.
        """
        digest, _, rest = content.partition(b"\n")
        if digest != sha256(rest).hexdigest().encode():
            raise ValueError("this is not what was written")
        facts, _, data = rest.partition(b"\n")
        return cls(data, **orjson.loads(facts))


class PrintCache:
    """Printed documents of one output folder; the least recently used are removed first."""

    def __init__(self, out: Path, max_bytes: int = DEFAULT_CACHE_MB << 20) -> None:
        self.out = out
        self.folder = out / STATE_FOLDER / CACHE_FOLDER
        self.max_bytes = max_bytes

    def _path_of(self, fingerprint: str) -> Path:
        return self.folder / fingerprint[:2] / fingerprint[2:]

    def find(self, fingerprint: str) -> CachedPrint | None:
        """Return a document, or None; a damaged file is removed."""
        if self.max_bytes <= 0:
            return None
        path = self._path_of(fingerprint)
        try:
            refuse_link(self.out, path.relative_to(self.out).as_posix())
            with open_regular(path) as file:
                content = file.read()
        except OSError:
            return None
        try:
            printed = CachedPrint.from_bytes(content)
        except (ValueError, TypeError):
            with suppress(OSError):
                path.unlink()
            return None
        with suppress(OSError):
            os.utime(path)
        return printed

    def keep(self, fingerprint: str, printed: CachedPrint) -> None:
        """Keep a document, if the disk is not full and may be written."""
        if self.max_bytes > 0:
            path = self._path_of(fingerprint)
            with suppress(OSError):
                refuse_link(self.out, path.relative_to(self.out).as_posix())
                write_whole(path, printed.to_bytes(), sync=False)

    def trim(self) -> int:
        """Remove the least recently used documents until the cache fits; return how many."""
        files = []
        for path in self.folder.glob("*/*"):
            if has_link(self.out, path.relative_to(self.out).as_posix()):
                continue
            with suppress(OSError):
                stat = path.stat()
                files.append((stat.st_mtime_ns, stat.st_size, path))
        total = sum(size for _, size, _ in files)
        removed = 0
        for _, size, path in sorted(files):
            if total <= self.max_bytes:
                break
            with suppress(OSError):
                path.unlink()
            total -= size
            removed += 1
        return removed


class PieceCache:
    """Pieces of documents in the cache, found by what they are made from."""

    def __init__(self, out: Path, *, read: bool = True) -> None:
        """Use the cache of an output folder; without *read*, its pieces are only written."""
        self._cache = PrintCache(out)
        self._read = read

    def get(self, made_from: str) -> bytes | None:
        """Return a piece, or None."""
        found = self._cache.find(_piece_key(made_from)) if self._read else None
        return found.data if found else None

    def put(self, made_from: str, data: bytes) -> None:
        """Keep a piece."""
        self._cache.keep(_piece_key(made_from), CachedPrint(data, 0, 0.0))


def _piece_key(made_from: str) -> str:
    return sha256(f"piece {made_from}".encode()).hexdigest()[:32]
