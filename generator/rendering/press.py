"""Owns what a rulebook's PDF is for: its variant, what goes with it, and the edge beyond the trim.

Does not lay out the pages; the templates do, by these measures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generator.rendering.paper import PAPERS
from generator.rendering.separation import Separation
from generator.rendering.viewing import Attached, Target

if TYPE_CHECKING:
    from generator.documents.rulebook import Rulebook

_MARK_MM = 6.0
_VARIANTS = {"ua-1": "pdf/ua-1", "a-3": "pdf/a-3a", "x-4": "pdf/x-4"}


@dataclass(frozen=True, slots=True)
class Edge:
    """What is printed beyond the edge at which a page is cut, in millimetres."""

    beyond: float
    """How far the paper reaches: the bleed, and room for marks if there are any."""
    crop: bool
    left: float
    """Where the ground of the cover begins, from the cover's text."""
    top: float
    width: float
    height: float


def target_of(book: Rulebook) -> Target:
    """Tell what a book's PDF is for."""
    press = book.press
    attached = None
    if press.attached:
        about = f"{book.title}, edition {book.version}: all that it says, as data"
        attached = Attached(f"{book.system}.json", press.attached, about, book.date)
    separation = None
    if press.profile:
        separation = Separation(
            press.profile, f"{book.system} {book.edition} {book.digest}", book.date
        )
    # A press asks for the boxes even where nothing lies beyond the trim.
    bleeds = press.bleed_mm or press.crop or press.profile
    return Target(_VARIANTS[press.pdf], press.bleed_mm if bleeds else None, attached, separation)


def edge_of(book: Rulebook, inner: float, top: float) -> Edge | None:
    """Give the edge of a book's pages, if there is any.

    Args:
        book: The book.
        inner: The margin at the back of the book, where the cover's text begins.
        top: The upper margin.
    """
    press, paper = book.press, PAPERS[book.paper]
    bleed = press.bleed_mm
    if not bleed and not press.crop:
        return None
    # WeasyPrint draws marks over the outer half of what lies beyond: no bleed may reach there.
    beyond = max(2 * bleed, bleed + _MARK_MM) if press.crop else bleed
    width, height = paper.width_mm + 2 * bleed, paper.height_mm + 2 * bleed
    return Edge(beyond, press.crop, -inner - bleed, -top - bleed, width, height)
