"""Owns what a build is asked for: which documents of which systems, and in which form.

Does not load anything heavy: a build with nothing to do looks no further than here.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from generator import __version__

KINDS = ("sheet", "cards", "roster", "rulebook", "web")
FORMATS = ("html", "pdf")


Older = tuple[tuple[str, str], ...]
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
    since: Older = ()
    backs: str = ""
    """The edge over which sheets are turned, if cards get backs: `long` or `short`."""

    @property
    def key(self) -> str:
        """The name under which it is remembered; another Muster remembers under another."""
        place = str(Path(__file__).parent)
        return sha256(repr((__version__, place, self)).encode()).hexdigest()[:16]

    @property
    def whole(self) -> bool:
        """Tell whether all documents of all systems are asked for."""
        return not self.systems and set(self.kinds) == set(KINDS)
