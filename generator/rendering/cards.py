"""Owns the way from a deck's data to pages of cards: size of type, sheets, cut marks.

Does not gather data. A card never splits; type shrinks within limits, and a card that still
does not fit is an error that names it.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING

from generator.rendering.fit import Memory, Trial, fit
from generator.rendering.paper import PAPERS, PX_PER_MM, Paper
from generator.rendering.printer import Printed, PrintError

if TYPE_CHECKING:
    from generator.documents.cards import Card, Deck
    from generator.rendering.studio import Beside, Studio

_STYLES = ("base/print.css", "cards/cards.css")
SMALLEST_PT = 6.0
"""No type on a card is smaller, whatever its format."""

_SMALL = 0.91
_MARK_MM = 5.0
_MARK_GAP_MM = 1.5
_DIGIT = re.compile(r"[0-9]")


@dataclass(frozen=True, slots=True)
class Format:
    """A card's size in millimetres, how many stand on a sheet, its limits of type, and a guess."""

    title: str
    width_mm: float
    height_mm: float
    across: int
    down: int
    smallest_pt: float
    largest_pt: float
    start_pt: float


FORMATS = {
    "9-up": Format("nine to a page", 63, 88, 3, 3, 6, 8.6, 7),
    "4-up": Format("four to a page", 70, 120, 2, 2, 7, 10, 9.2),
    "single": Format("one to a page", 63, 88, 1, 1, 6, 8.6, 7),
}


@dataclass(frozen=True, slots=True)
class Geometry:
    """The page that the cards of one format stand on, in millimetres."""

    width_mm: float
    height_mm: float
    left_mm: float
    top_mm: float
    marks: str


def _geometry(form: Format, paper: Paper | None) -> Geometry:
    if paper is None:
        return Geometry(form.width_mm, form.height_mm, 0, 0, "")
    left = (paper.width_mm - form.width_mm * form.across) / 2
    top = (paper.height_mm - form.height_mm * form.down) / 2
    return Geometry(paper.width_mm, paper.height_mm, left, top, _cut_marks(form, paper, left, top))


def _cut_marks(form: Format, paper: Paper, left: float, top: float) -> str:
    """Draw a mark at each edge of a card in all four margins; never inside a card."""
    right, bottom = paper.width_mm - left, paper.height_mm - top
    lines = []
    for n in range(form.across + 1):
        x = left + n * form.width_mm
        for y, step in ((top - _MARK_GAP_MM, -_MARK_MM), (bottom + _MARK_GAP_MM, _MARK_MM)):
            lines.append(f"M{x:.3f} {y:.3f} v{step}")
    for n in range(form.down + 1):
        y = top + n * form.height_mm
        for x, step in ((left - _MARK_GAP_MM, -_MARK_MM), (right + _MARK_GAP_MM, _MARK_MM)):
            lines.append(f"M{x:.3f} {y:.3f} h{step}")
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{paper.width_mm}mm" '
        f'height="{paper.height_mm}mm" viewBox="0 0 {paper.width_mm} {paper.height_mm}">'
        f'<path d="{" ".join(lines)}" stroke="#000" stroke-width="0.15" fill="none"/></svg>'
    )
    return "data:image/svg+xml;base64," + b64encode(svg.encode()).decode()


def cards_pdf(studio: Studio, deck: Deck, variant: str, paper: str, memory: Memory) -> Printed:
    """Print a deck in one format at the largest type that fits every card.

    Raises:
        PrintError: If a card does not fit at the smallest type; names it and says how much.
    """
    form = FORMATS[variant]
    geometry = _geometry(form, PAPERS[paper] if paper else None)
    # The same for all formats of one size, wherever their cards stand.
    room = (form.width_mm, form.height_mm, form.smallest_pt, form.largest_pt)
    data = f"{studio.fingerprint}{room}{asdict(deck)!r}"
    key = sha256(data.encode()).hexdigest()[:24]
    trial = fit(
        lambda size: _measure(studio, deck, form, size),
        form.smallest_pt,
        form.largest_pt,
        memory.get(key),
        start=form.start_pt,
    )
    what = f"{deck.army}: unit cards, {form.title}"
    if trial.fullness > 1:
        said = "; ".join(trial.laid)
        text = (
            f"{what}: at {form.smallest_pt:g} pt, the smallest type allowed, {said}. Take rows "
            "off its layout in cards.yaml, or shorten its name and options"
        )
        raise PrintError(text)
    memory[key] = trial.size
    html = _html(studio, deck, form, geometry, trial.size, measured=False)
    each = form.across * form.down
    pages = max(1, -(-len(deck.cards) // each))
    return studio.printer.pdf(html, [studio.style(name) for name in _STYLES], what, pages)


def _html(
    studio: Studio, deck: Deck, form: Format, geometry: Geometry, size: float, *, measured: bool
) -> str:
    each = form.across * form.down
    cards = deck.cards
    sheets = [cards[n : n + each] for n in range(0, len(cards), each)]
    return studio.render(
        "cards/print.html.j2",
        deck=deck,
        form=form,
        geometry=geometry,
        size_pt=size,
        small_pt=max(SMALLEST_PT, round(size * _SMALL, 2)),
        sheets=sheets,
        measured=measured,
    )


def _different(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Give one of all cards that are alike but for the digits in their titles.

    Digits are of one width, so that such cards are of one height.
    """
    kinds = {replace(c, id="", title=_DIGIT.sub("0", c.title)): c for c in reversed(cards)}
    return tuple(reversed(kinds.values()))


def _measure(studio: Studio, deck: Deck, form: Format, size: float) -> Trial[list[str]]:
    """Lay out every different card once, as high as it wants to be, and say what does not fit."""
    cards = _different(deck.cards)
    geometry = _geometry(form, None)
    html = _html(studio, replace(deck, cards=cards), form, geometry, size, measured=True)
    styles = [studio.style(name) for name in _STYLES]
    measured = studio.printer.measure(html, styles, f"{deck.army}: trial")
    room = form.height_mm * PX_PER_MM
    heights = [measured.anchors[f"m-{n}"].height for n in range(len(cards))]
    over = [
        f"“{card.title}” is {(height - room) / PX_PER_MM:.0f} mm too long"
        for card, height in zip(cards, heights, strict=True)
        if height > room
    ]
    over += dict.fromkeys(f"“{each.text}” is wider than its card" for each in measured.wide)
    widest = 1 + max((each.share for each in measured.wide), default=-1.0)
    return Trial(size, max(widest, max(heights, default=0) / room), over)


def cards_html(studio: Studio, deck: Deck, home: str, beside: Beside = ()) -> str:
    """Give the deck as one self-contained page for screens."""
    names = ("base/screen.css", "cards/cards.css", "cards/screen.css")
    return studio.render(
        "cards/screen.html.j2",
        deck=deck,
        faces=studio.inlined_faces,
        style="\n".join(studio.style(name) for name in names),
        script=studio.style("base/screen.js"),
        home=home,
        beside=beside,
    )
