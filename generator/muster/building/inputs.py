"""The inputs of builds: which files changed, and fingerprints of templates and program."""

from __future__ import annotations

import os
from fnmatch import filter as matching
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from time import time_ns
from typing import NamedTuple

from muster.dependencies import (
    Dependencies,
    Dependency,
    FileSignature,
    file_signature,
    record_file,
    record_listing,
)
from muster.rendering.fingerprint import (
    templates_fingerprint as templates_fingerprint,  # noqa: PLC0414 - imported from here, too
)

MISSING_FILE = "gone"
"""Stands for the content of a file that is not there."""

_RECENT_NS = 50_000_000
"""A file changed this short a time ago may change again without its signature telling."""


class InputState(NamedTuple):
    """A part as it was: its signature, if that can be relied on, and the hash of its content."""

    signature: FileSignature
    content: str


def content_hash(part: Dependency) -> str:
    """Hash what a part holds now: the bytes of a file, or the names in a folder."""
    if part.pattern:
        return sha256(
            "\n".join(_matching_names(part)).encode(errors="surrogateescape")
        ).hexdigest()[:32]
    return file_hash(part.path)


def file_hash(path: str) -> str:
    """Hash the bytes of a file; `gone` if it cannot be read."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - as `signature`
            return sha256(file.read()).hexdigest()[:32]
    except OSError:
        return MISSING_FILE


def _matching_names(part: Dependency) -> list[str]:
    """List the names that match, as `glob` would; one folder may stand before the last name."""
    first, _, rest = part.pattern.partition("/")
    try:
        found = matching(os.listdir(part.path), first)  # noqa: PTH208 - as `signature`
    except OSError:
        return []
    if rest:
        found = [f"{name}/{rest}" for name in found]
        found = [name for name in found if file_signature(f"{part.path}/{name}")]
    return sorted(found)


def reliable_signature(found: FileSignature) -> FileSignature:
    """Give a signature back if it is old enough to rely on; else none, and content is compared."""
    if found and time_ns() - max(found[1], found[2]) < _RECENT_NS:
        return ()
    return found


class Inputs:
    """All parts that builds into one folder were made of, and whether each changed since."""

    def __init__(self, seen: dict[Dependency, InputState] | None = None) -> None:
        self.states = seen or {}
        self.touched = False
        """Whether a file was found touched that holds what it held."""
        self._changed: dict[Dependency, bool] = {}

    def changed(self, part: Dependency) -> bool:
        """Tell whether a part differs from what it was; a touched file is compared by content."""
        if part not in self._changed:
            self._changed[part] = self._has_changed(part)
        return self._changed[part]

    def _has_changed(self, part: Dependency) -> bool:
        seen = self.states.get(part)
        if seen is None:
            return True
        now = () if part.pattern else file_signature(part.path)
        if now and now == seen.signature:
            return False
        if content_hash(part) != seen.content:
            return True
        kept = reliable_signature(now)
        if kept != seen.signature:
            self.states[part] = InputState(kept, seen.content)
            self.touched = True
        return False

    def remember(self, uses: Dependencies) -> None:
        """Remember parts as they were when they were read.

        A file that was changed while it was read, or after, keeps no content: it counts as
        changed at the next build.
        """
        for part, before in uses.items():
            seen = self.states.get(part)
            if seen is not None and before and seen.signature == before:
                continue
            content = content_hash(part)
            if not part.pattern and file_signature(part.path) != before:
                content = ""
            self.states[part] = InputState(reliable_signature(before), content)
            self._changed.pop(part, None)


_PACKAGE = Path(__file__).resolve().parent.parent


def record_program_files() -> None:
    """Note all of Muster, and which versions of which libraries are installed beside it."""
    for path in (_PACKAGE, *_PACKAGE.rglob("*")):
        if path.name in ("__pycache__", "shipped") or "shipped" in path.parts:
            continue
        if path.is_dir():
            record_listing(path, "*.py")
        elif path.suffix == ".py":
            record_file(path)
    spec = find_spec("weasyprint")
    for place in (spec.submodule_search_locations if spec else None) or ():
        record_listing(Path(place).parent, "*.dist-info")
