"""What printing gives, or why it fails."""

from __future__ import annotations

from dataclasses import dataclass

from muster.rendering.page_boxes import Overhang

PICTURE_SCHEME = "picture"
"""The scheme of the addresses by which a print asks for the pictures of its document."""


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

    def anchor(self, name: str, template: str) -> Anchor:
        """Return the place of an element that the template must have.

        Raises:
            PrintError: If it has none, as a template of the user's own may.
        """
        if name not in self.anchors:
            text = (
                f'the template {template} has no element with id="{name}", by which it is measured;'
                " start from the shipped template, and keep its ids"
            )
            raise PrintError(text)
        return self.anchors[name]
