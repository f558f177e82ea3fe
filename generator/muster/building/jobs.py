"""What a build is asked for, and its jobs: one document in one file each, with its fingerprint."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from muster import __version__

KINDS = ("sheet", "cards", "roster", "rulebook", "web")
FORMATS = ("html", "pdf")


OlderEditions = tuple[tuple[str, str], ...]
"""Pairs of a system's id and an older edition as JSON, since which books mark what changed."""


@dataclass(frozen=True, slots=True)
class Request:
    """The choices of one call; `folder` is the working folder, whose own content counts."""

    folder: Path
    systems: tuple[str, ...] = ()
    kinds: tuple[str, ...] = KINDS
    formats: tuple[str, ...] = FORMATS
    papers: tuple[str, ...] = ()
    scale: str = ""
    unit: str = ""
    since: OlderEditions = ()
    backs: str = ""
    """The edge over which sheets are turned, if cards get backs: `long` or `short`."""

    @property
    def key(self) -> str:
        """The name under which it is remembered; another Muster remembers under another."""
        place = str(Path(__file__).parent)
        return sha256(repr((__version__, place, self)).encode()).hexdigest()[:16]

    @property
    def covers_everything(self) -> bool:
        """Tell whether all documents of all systems are asked for."""
        return not self.systems and set(self.kinds) == set(KINDS)


@dataclass(frozen=True, slots=True)
class DeferredData:
    """Stands for data that is gathered only if its document is due; known by its hash."""

    fingerprint: str


_latest_hashed: tuple[object, str] = (None, "")


def data_fingerprint(data: object) -> str:
    """Hash frozen data; that of the latest is remembered, since several files are made of one."""
    global _latest_hashed  # noqa: PLW0603 - a memory of one
    if isinstance(data, DeferredData):
        return data.fingerprint
    if _latest_hashed[0] is not data or data is None:
        _latest_hashed = (data, sha256(repr(data).encode()).hexdigest()[:32])
    return _latest_hashed[1]


@dataclass(frozen=True, slots=True)
class Job:
    """One document in one file."""

    path: str
    kind: str
    format: str
    variant: str
    paper: str
    title: str
    system: str
    army: str
    data: Any
    beside: tuple[tuple[str, str], ...] = ()
    """Title and file name of each page for screens in the same folder."""
    group: str = ""
    """The unit of the plan that its data is gathered with."""

    @property
    def layout_key(self) -> str:
        """What is measured for a job: of two that share it, the later finds what the first kept.

        Cards of one size are measured once, however many stand on a page.
        """
        small = self.kind == "cards" and self.format == "pdf" and self.variant != "4-up"
        return self.group if small else ""

    def fingerprint(self, templates: str) -> str:
        """Hash everything that the file is made from."""
        parts = (__version__, templates, self.kind, self.format, self.variant, self.paper)
        whole = (parts, self.path, self.beside, data_fingerprint(self.data))
        return sha256(repr(whole).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class ArmySummary:
    """What the index page says of an army."""

    id: str
    name: str
    system: str
    legal: bool
    points: str
    limit: str
    findings: int
    own: bool
