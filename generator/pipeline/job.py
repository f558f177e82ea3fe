"""Owns a job of a build: one document in one file, and the hash of all that it is made from.

Does not gather its data and does not render it.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from generator import __version__


@dataclass(frozen=True, slots=True)
class Later:
    """Stands for data that is gathered only if its document is due; known by its hash."""

    mark: str


_latest: tuple[object, str] = (None, "")


def data_mark(data: object) -> str:
    """Hash frozen data; that of the latest is remembered, since several files are made of one."""
    global _latest  # noqa: PLW0603 - a memory of one
    if isinstance(data, Later):
        return data.mark
    if _latest[0] is not data or data is None:
        _latest = (data, sha256(repr(data).encode()).hexdigest()[:32])
    return _latest[1]


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
    unit: str = ""
    """The unit of the plan that its data is gathered with."""

    @property
    def shares(self) -> str:
        """What is measured for a job: of two that share it, the later finds what the first kept.

        Cards of one size are measured once, however many stand on a page.
        """
        small = self.kind == "cards" and self.format == "pdf" and self.variant != "4-up"
        return self.unit if small else ""

    def fingerprint(self, templates: str) -> str:
        """Hash everything that the file is made from."""
        parts = (__version__, templates, self.kind, self.format, self.variant, self.paper)
        whole = (parts, self.path, self.beside, data_mark(self.data))
        return sha256(repr(whole).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class ArmyNote:
    """What the index page says of an army."""

    id: str
    name: str
    system: str
    legal: bool
    points: str
    limit: str
    findings: int
    own: bool
