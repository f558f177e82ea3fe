"""Lay out a rulebook's cover: a drawing or a picture above, a panel with the title below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from muster.rendering.cover_art import Panel, draw_back, draw_cover, palette_of, panel_of
from muster.rendering.drawings import data_uri, ink_on
from muster.rendering.paper import PAPERS, PT_PER_MM
from muster.rendering.text_widths import lines_of, text_em

if TYPE_CHECKING:
    from muster.documents.cover import CoverLook
    from muster.documents.rulebook import Rulebook

_ART_SHARE = 0.66
"""The share of the cover's height above the panel."""
_TITLE_WIDER = 1.28
"""How much wider a title is than in our sans serif, and a little more."""
_LINE_HEIGHT = 1.06
_TITLE_SHARE = 0.46
"""The most of the panel's height that the title takes."""
_LARGEST_TITLE_PT = 112
_SMALLEST_TITLE_PT = 20
_LARGE_PT = 16
"""The smallest type of large print, in points."""
_SUBTITLE_PT = 0.09
"""The size of the subtitle, in points to a millimetre of the cover's width."""


@dataclass(frozen=True, slots=True)
class CoverSheet:
    """A cover as its template needs it: lengths in millimetres, colours as `#rrggbb`.

    `bleed` is how far it reaches beyond the page, and `art_height` is measured without it.
    """

    art: str
    """The address of the drawing; empty if the edition has a picture."""
    bleed: float
    width: float
    height: float
    art_height: float
    margin: float
    title_pt: float
    subtitle_pt: float
    panel: Panel


def cover_sheet(book: Rulebook) -> CoverSheet:
    """Return the cover of a book."""
    paper = PAPERS[book.paper]
    look, bleed = book.cover.look, book.press.bleed_mm
    width, height = paper.width_mm, paper.height_mm
    art_height = round(height * _ART_SHARE, 1)
    margin = round(width * 0.085, 1)
    art = ""
    if book.cover.picture is None:
        art = cover_art(book, width + 2 * bleed, art_height + bleed)
    room = (height - art_height) * _TITLE_SHARE
    return CoverSheet(
        art,
        bleed,
        width,
        height,
        art_height,
        margin,
        title_size(book.title, width - 2 * margin, room),
        round(max(width * _SUBTITLE_PT, _LARGE_PT if book.theme == "large-print" else 0), 1),
        panel_of(look, book.theme),
    )


def cover_art(book: Rulebook, width: float, height: float) -> str:
    """Return the address of the drawing for a book's cover, of a size in millimetres."""
    return data_uri(draw_cover(book.cover.look, book.theme, width, height))


_OVERLAP = 1
"""How many millimetres of the back's drawing lie under the front, so that no light shows."""


def back_art(book: Rulebook, cover: CoverSheet, spine: float) -> str:
    """Return the address of the drawing under the back cover and a spine of a width."""
    panel = cover.height - cover.art_height + cover.bleed
    width, height = cover.width + spine + cover.bleed + _OVERLAP, cover.height + 2 * cover.bleed
    return data_uri(draw_back(book.cover.look, book.theme, width, height, panel))


_MOST_DARKENED = 5
"""How many tenths of black are tried until a colour can be read on white."""


def ink_of(look: CoverLook, theme: str) -> str:
    """Return the ground of a cover as a colour for text: as dark as it must be to be read."""
    colours = palette_of(look, theme)
    shades = (colours.darker(tenths / 10) for tenths in range(_MOST_DARKENED + 1))
    return next((shade for shade in shades if ink_on(shade) == "#ffffff"), "#16181c")


def spine_width(pages: int, leaf_mm: float) -> float:
    """Return the width of a book's spine in millimetres, to a tenth: a leaf has two pages."""
    return round(pages / 2 * leaf_mm, 1)


def title_size(title: str, width_mm: float, height_mm: float) -> float:
    """Return the largest size in points at which a title fits a width and a height.

    The widths of letters are estimated, so that a title may take one more line.
    """
    words = [_TITLE_WIDER * text_em(word) for word in title.split()]
    for size in range(_LARGEST_TITLE_PT, _SMALLEST_TITLE_PT, -1):
        line_em = width_mm * PT_PER_MM / size
        height_pt = lines_of(words, line_em) * size * _LINE_HEIGHT
        if max(words, default=0) <= line_em and height_pt <= height_mm * PT_PER_MM:
            return size
    return _SMALLEST_TITLE_PT
