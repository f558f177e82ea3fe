"""Owns what a build remembers of the files it read: signature and content, and which changed since.

Does not load anything heavy: a build with nothing to do looks no further than here.
"""

from __future__ import annotations

import os
from fnmatch import filter as matching
from hashlib import sha256
from time import time_ns
from typing import NamedTuple

from generator.uses import Part, Signature, Uses, signature

GONE = "gone"
"""Stands for the content of a file that is not there."""

_YOUNG_NS = 50_000_000
"""A file changed this short a time ago may change again without its signature telling."""


class Seen(NamedTuple):
    """A part as it was: its signature, if that can be relied on, and the hash of its content."""

    signature: Signature
    content: str


def content_of(part: Part) -> str:
    """Hash what a part holds now: the bytes of a file, or the names in a folder."""
    if part.pattern:
        return sha256("\n".join(_names(part)).encode(errors="surrogateescape")).hexdigest()[:32]
    return file_hash(part.path)


def file_hash(path: str) -> str:
    """Hash the bytes of a file; `gone` if it cannot be read."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - as `signature`
            return sha256(file.read()).hexdigest()[:32]
    except OSError:
        return GONE


def _names(part: Part) -> list[str]:
    """List the names that match, as `glob` would; one folder may stand before the last name."""
    first, _, rest = part.pattern.partition("/")
    try:
        found = matching(os.listdir(part.path), first)  # noqa: PTH208 - as `signature`
    except OSError:
        return []
    if rest:
        found = [f"{name}/{rest}" for name in found]
        found = [name for name in found if signature(f"{part.path}/{name}")]
    return sorted(found)


def reliable(found: Signature) -> Signature:
    """Give a signature back if it is old enough to rely on; else none, and content is compared."""
    if found and time_ns() - max(found[1], found[2]) < _YOUNG_NS:
        return ()
    return found


class Parts:
    """All parts that builds into one folder were made of, and whether each changed since."""

    def __init__(self, seen: dict[Part, Seen] | None = None) -> None:
        self.seen = seen or {}
        self.touched = False
        """Whether a file was found touched that holds what it held."""
        self._changed: dict[Part, bool] = {}

    def changed(self, part: Part) -> bool:
        """Tell whether a part differs from what it was; a touched file is compared by content."""
        if part not in self._changed:
            self._changed[part] = self._look(part)
        return self._changed[part]

    def _look(self, part: Part) -> bool:
        seen = self.seen.get(part)
        if seen is None:
            return True
        now = () if part.pattern else signature(part.path)
        if now and now == seen.signature:
            return False
        if content_of(part) != seen.content:
            return True
        kept = reliable(now)
        if kept != seen.signature:
            self.seen[part] = Seen(kept, seen.content)
            self.touched = True
        return False

    def learn(self, uses: Uses) -> None:
        """Remember parts as they were when they were read.

        A file that was changed while it was read, or after, keeps no content: it counts as
        changed at the next build.
        """
        for part, before in uses.items():
            seen = self.seen.get(part)
            if seen is not None and before and seen.signature == before:
                continue
            content = content_of(part)
            if not part.pattern and signature(part.path) != before:
                content = ""
            self.seen[part] = Seen(reliable(before), content)
            self._changed.pop(part, None)
