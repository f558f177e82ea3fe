"""The inputs of builds: which files changed, and fingerprints of templates and program."""

from __future__ import annotations

import fnmatch
import os
from hashlib import file_digest, sha256
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
from muster.yamlfile.textfile import LARGEST_BINARY, open_regular

MISSING_FILE = "gone"
"""The content of a file that is not there."""

LARGEST_OUTPUT = 256 * 1024 * 1024
"""The size of the largest document that is compared with what was written, in bytes."""

_RECENT_NS = 50_000_000
"""A file that changed so recently may change again and keep its signature."""


class InputState(NamedTuple):
    """An input as it was: its signature, if it is reliable, and the hash of its content."""

    signature: FileSignature
    content: str


def content_hash(dependency: Dependency) -> str:
    """Return the hash of the bytes of a file, or of the names in a folder."""
    if not dependency.pattern:
        return file_hash(dependency.path, LARGEST_BINARY)
    names = "\n".join(_matching_names(dependency))
    return sha256(names.encode(errors="surrogateescape")).hexdigest()[:32]


def file_hash(path: str, most_bytes: int = LARGEST_OUTPUT) -> str:
    """Return the hash of the bytes of a file; `gone` if it cannot be read, or is larger.

    A pipe or a device, which a stranger's folder may hold, counts as a file that cannot be read:
    a pipe would make the reader wait, and some devices never end. A file of a terabyte, which is
    easily made without using any disk, would take hours.
    """
    try:
        with open_regular(path) as file:
            if os.fstat(file.fileno()).st_size > most_bytes:
                return MISSING_FILE
            return file_digest(file, sha256).hexdigest()[:32]
    except OSError:
        return MISSING_FILE


def _matching_names(dependency: Dependency) -> list[str]:
    """Return the names that match, as `glob` would; a pattern has one or two parts."""
    first, _, rest = dependency.pattern.partition("/")
    try:
        names = fnmatch.filter(os.listdir(dependency.path), first)  # noqa: PTH208 - as `file_signature`
    except OSError:
        return []
    if rest:
        names = [f"{name}/{rest}" for name in names]
        names = [name for name in names if file_signature(f"{dependency.path}/{name}")]
    return sorted(names)


def reliable_signature(signature: FileSignature) -> FileSignature:
    """Return a signature if the file is old enough, else none, so that content is compared."""
    if signature and time_ns() - max(signature[1], signature[2]) < _RECENT_NS:
        return ()
    return signature


class Inputs:
    """All that builds into one folder were made from, and whether each input changed since."""

    def __init__(self, states: dict[Dependency, InputState] | None = None) -> None:
        self.states = states or {}
        self.touched = False
        """Whether the signature of a file changed, though its content did not."""
        self.renewed: set[Dependency] = set()
        """The inputs that were remembered with another content than before."""
        self._changed: dict[Dependency, bool] = {}

    def changed(self, dependency: Dependency) -> bool:
        """Return whether an input changed; a touched file is compared by content."""
        if dependency not in self._changed:
            self._changed[dependency] = self._has_changed(dependency)
        return self._changed[dependency]

    def _has_changed(self, dependency: Dependency) -> bool:
        known = self.states.get(dependency)
        if known is None:
            return True
        now = () if dependency.pattern else file_signature(dependency.path)
        if now and now == known.signature:
            return False
        if content_hash(dependency) != known.content:
            return True
        now = reliable_signature(now)
        if now != known.signature:
            self.states[dependency] = InputState(now, known.content)
            self.touched = True
        return False

    def remember(self, dependencies: Dependencies) -> None:
        """Remember inputs as they were when they were read.

        A file that was changed while it was read, or after, is remembered without content: it
        counts as changed at the next build.
        """
        for dependency, before in dependencies.items():
            known = self.states.get(dependency)
            if known is not None and before and known.signature == before:
                continue
            content = content_hash(dependency)
            if not dependency.pattern and file_signature(dependency.path) != before:
                content = ""
            if known is not None and known.content != content:
                self.renewed.add(dependency)
            self.states[dependency] = InputState(reliable_signature(before), content)
            self._changed.pop(dependency, None)


_PACKAGE = Path(__file__).resolve().parent.parent


def record_program_files() -> None:
    """Record all modules of Muster, and the folders that show which libraries are installed."""
    from importlib.util import find_spec  # noqa: PLC0415 - needed only if something changed

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
