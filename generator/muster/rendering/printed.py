"""What printing gives, or why it fails."""

from __future__ import annotations

from dataclasses import dataclass

from muster.rendering.page_boxes import Overhang


class PrintError(Exception):
    """A document cannot be printed as it must be."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """The place of an element with an id: the page, from 0, and CSS pixels on that page."""

    page: int
    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Printed:
    """A finished document; `pages` is 0 for HTML."""

    data: bytes
    pages: int = 0


@dataclass(frozen=True, slots=True)
class TrialLayout:
    """The result of a trial layout: where elements with an id stand, and what sticks out."""

    anchors: dict[str, Anchor]
    wide: tuple[Overhang, ...]
