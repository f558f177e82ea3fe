"""Owns the way from a deck's data to pages of cards: size of type, sheets, cut marks.

Does not gather data. A card never splits; type shrinks within limits, and a card that still
does not fit is an error that names it.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

from generator.rendering.backs import mirrored, turn_named
from generator.rendering.fit import Memory, Trial, fit
from generator.rendering.joining import joined
from generator.rendering.overfull import overfull
from generator.rendering.paper import PAPERS, PX_PER_MM, Paper
from generator.rendering.pieces import Kept, Nowhere, packed, unpacked
from generator.rendering.printer import Printed, PrintError
from generator.rendering.ruler import HEIGHT_MM, WIDTH_MM, Ruler, as_svg, ruler

if TYPE_CHECKING:
    from weasyprint.document import Page

    from generator.documents.cards import Card, Deck
    from generator.rendering.studio import Beside, Studio

_STYLES = ("base/print.css", "cards/cards.css")
SMALLEST_PT = 6.0
"""No type on a card is smaller, whatever its format."""

_SMALL = 0.91
_MARK_MM = 5.0
_MARK_GAP_MM = 1.5
_RULER_GAP_MM = 0.3
_UNPRINTED_MM = 5.0
"""What many printers leave white along the edge of the paper."""

_EDGE_MM = 2.0
"""What stays free of text along the edge of a card: nobody cuts to the hair."""

_DIGIT = re.compile(r"[0-9]")
_AT_ONCE = 9
"""How many cards are laid out at a time."""

_LIKELY = 6
"""How many of the cards that say most are tried: the fullest is nearly always among them."""

_NEAR = 0.93
"""A card this much less full than another at one size is less full at others, too."""


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
    "4-up": Format("four to a page", 70, 120, 2, 2, 7, 9.2, 8.8),
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


def _geometry(form: Format, paper: Paper | None, drawn: Ruler | None = None) -> Geometry:
    if paper is None:
        return Geometry(form.width_mm, form.height_mm, 0, 0, "")
    left = (paper.width_mm - form.width_mm * form.across) / 2
    top = (paper.height_mm - form.height_mm * form.down) / 2
    marks = _marks(form, paper, left, top, drawn)
    return Geometry(paper.width_mm, paper.height_mm, left, top, marks)


def _marks(form: Format, paper: Paper, left: float, top: float, drawn: Ruler | None) -> str:
    """Draw a cut mark at each edge of a card in all four margins, never inside a card; and a ruler.

    The ruler stands in the wider of the left and the lower margin; marks there give way to it.
    """
    right, bottom = paper.width_mm - left, paper.height_mm - top
    away = max(left, top) - _UNPRINTED_MM - HEIGHT_MM / 2
    short = min(_MARK_MM, away - HEIGHT_MM / 2 - _MARK_GAP_MM - _RULER_GAP_MM)
    upwards = left > top
    lines = []
    for n in range(form.across + 1):
        x = left + n * form.width_mm
        below = _MARK_MM if upwards else short
        for y, step in ((top - _MARK_GAP_MM, -_MARK_MM), (bottom + _MARK_GAP_MM, below)):
            lines.append(f"M{x:.3f} {y:.3f} v{step:g}")
    for n in range(form.down + 1):
        y = top + n * form.height_mm
        beside = short if upwards else _MARK_MM
        for x, step in ((left - _MARK_GAP_MM, -beside), (right + _MARK_GAP_MM, _MARK_MM)):
            lines.append(f"M{x:.3f} {y:.3f} h{step:g}")
    ruled = ""
    if drawn is not None and upwards:
        ruled = as_svg(drawn, left - away, (paper.height_mm + WIDTH_MM) / 2, upwards=True)
    elif drawn is not None:
        ruled = as_svg(drawn, (paper.width_mm - WIDTH_MM) / 2, bottom + away)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{paper.width_mm}mm" '
        f'height="{paper.height_mm}mm" viewBox="0 0 {paper.width_mm} {paper.height_mm}">'
        f'<path d="{" ".join(lines)}" stroke="#000" stroke-width="0.15" fill="none"/>{ruled}</svg>'
    )
    return "data:image/svg+xml;base64," + b64encode(svg.encode()).decode()


def cards_pdf(
    studio: Studio, deck: Deck, variant: str, paper: str, memory: Memory, kept: Kept | None = None
) -> Printed:
    """Print a deck in one format at the largest type that fits every card.

    The cards are laid out a few at a time: a card that is changed costs its own sheet, and a
    deck however large little memory. Type is sought with the few that say most; should another
    turn out too full once it is laid out for print, it is sought again with that one, too.

    Raises:
        PrintError: If a card does not fit at the smallest type; names it and says how much.
    """
    form = FORMATS[variant]
    kept = kept or Nowhere()
    whole, deck = deck, replace(deck, backs="")  # a back always fits
    # The same for all formats of one size, wherever their cards stand.
    room = (form.width_mm, form.height_mm, form.smallest_pt, form.largest_pt)
    key = sha256(f"{studio.fingerprint}{room}{deck!r}".encode()).hexdigest()[:24]
    what = f"{deck.army}: unit cards, {form.title}"
    full: list[Card] = []
    while True:
        size = memory.get(key)
        if size is None:
            size = memory[key] = _fitted(studio, deck, form, kept, what, full)
        try:
            return _printed(studio, whole, form, PAPERS[paper] if paper else None, size, kept, what)
        except _OverfullError as found:
            new = [card for card in found.cards if card not in full]
            if not new:
                text = f"{what}: “{found.cards[0].title}” is too full where it seemed not to be"
                raise PrintError(text) from None
            full += new
            memory.pop(key)


class _OverfullError(Exception):
    """Name cards that are too full."""

    def __init__(self, cards: Sequence[Card]) -> None:
        super().__init__()
        self.cards = cards


def _fitted(
    studio: Studio, deck: Deck, form: Format, kept: Kept, what: str, full: Sequence[Card]
) -> float:
    """Find the largest type at which the cards fit that say most, and some that are named.

    Raises:
        PrintError: If a card does not fit at the smallest type; names it and says how much.
    """
    scales = _Scales(studio, deck, form, kept)
    trial = scales.fitted(full)
    scales.keep()
    if trial.fullness > 1:
        said = "; ".join(_faults(studio, deck, form, trial))
        text = (
            f"{what}: at {form.smallest_pt:g} pt, the smallest type allowed, {said}. Take rows "
            "off its layout in cards.yaml, or shorten its name and options"
        )
        raise PrintError(text)
    return trial.size


def _printed(  # noqa: PLR0913, PLR0917 - what a print is made from
    studio: Studio,
    deck: Deck,
    form: Format,
    paper: Paper | None,
    size: float,
    kept: Kept,
    what: str,
) -> Printed:
    """Print the sheets: all at once if they are few, else piece by piece, and joined."""
    geometry = _geometry(form, paper, ruler(studio.folders))
    each = form.across * form.down
    at_once = each * max(1, _AT_ONCE // each)
    styles = [studio.style(name) for name in _STYLES]
    turn = turn_named(deck.backs)
    sides = 2 if turn else 1
    if len(deck.cards) <= at_once:
        html = _html(studio, deck, form, geometry, size)
        pages = max(1, -(-len(deck.cards) // each) * sides)
        settle = partial(_look_over, deck.cards)
        return studio.printer.pdf(html, styles, what, pages, settle, turn)
    pieces = []
    for start in range(0, len(deck.cards), at_once):
        part = replace(deck, cards=deck.cards[start : start + at_once])
        made_from = f"{studio.fingerprint}{form}{geometry}{size}{start == 0}{part!r}"
        found = kept.get(made_from)
        piece = unpacked(found) if found else None
        if piece is None:
            html = _html(studio, part, form, geometry, size, first=start == 0)
            pages = -(-len(part.cards) // each) * sides
            settle = partial(_look_over, part.cards)
            piece = studio.printer.piece(html, styles, what, pages, settle, turn)
            kept.put(made_from, packed(piece))
        pieces.append(piece)
    return Printed(joined(pieces), sum(len(piece.pages) for piece in pieces))


def _look_over(cards: Sequence[Card], pages: list[Page]) -> None:
    """Look whether cards that are laid out hold all that is on them.

    Raises:
        _OverfullError: If any does not.
    """
    over = overfull(pages, "card", _EDGE_MM * PX_PER_MM)
    full = [card for card, is_full in zip(cards, over, strict=True) if is_full]
    if full:
        raise _OverfullError(full)


def _html(  # noqa: PLR0913 - what a print is made from
    studio: Studio,
    deck: Deck,
    form: Format,
    geometry: Geometry,
    size: float,
    *,
    measured: bool = False,
    first: bool = True,
) -> str:
    each = form.across * form.down
    cards = deck.cards
    fronts = [cards[n : n + each] for n in range(0, len(cards), each)]
    turn = turn_named(deck.backs)
    sheets = [
        (front, mirrored(front, form.across, form.down, turn) if turn else ()) for front in fronts
    ]
    return studio.render(
        "cards/print.html.j2",
        deck=deck,
        form=form,
        geometry=geometry,
        size_pt=size,
        small_pt=max(SMALLEST_PT, round(size * _SMALL, 2)),
        sheets=sheets,
        measured=measured,
        first=first,
    )


class _Scales:
    """Tells how full each card is at a size of type; what is known of a card is not laid out."""

    def __init__(self, studio: Studio, deck: Deck, form: Format, kept: Kept) -> None:
        self._studio = studio
        self._cards = _different(deck.cards)
        self._deck = deck
        self._form = form
        self._kept = kept
        room = (form.width_mm, form.height_mm)
        self._room = f"{studio.fingerprint}{room}"
        self._place = f"fullness {self._room}{deck.system}{deck.army}"
        self._known = _numbers(kept.get(self._place))
        self._used: dict[str, float] = {}

    def fitted(self, full: Sequence[Card]) -> Trial[None]:
        """Find the largest type at which those fit that say most, and some that are named.

        Which of them are the fullest at one size is known for others: those alone are tried.
        """
        longest = sorted(self._cards, key=lambda card: -len(repr(astuple(card))))[:_LIKELY]
        tight = list(dict.fromkeys([*longest, *full]))

        def trial(size: float) -> Trial[None]:
            weights = self._weigh(tight, size)
            most = max(weights, default=0.0)
            tight[:] = [c for c, full in zip(tight, weights, strict=True) if full >= _NEAR * most]
            return Trial(size, most, None)

        form = self._form
        return fit(trial, form.smallest_pt, form.largest_pt, start=form.start_pt)

    def _weigh(self, cards: Sequence[Card], size: float) -> list[float]:
        """Give the fullness of each card; 1 is just full."""
        names = {self._name(card, size): card for card in cards}
        unknown = [(name, card) for name, card in names.items() if name not in self._known]
        for start in range(0, len(unknown), _AT_ONCE):
            part = unknown[start : start + _AT_ONCE]
            found = _measure(self._studio, self._deck, self._form, size, [c for _, c in part])
            self._known |= {name: full for (name, _), (full, _) in zip(part, found, strict=True)}
        self._used |= {name: self._known[name] for name in names}
        return [self._known[self._name(card, size)] for card in cards]

    def _name(self, card: Card, size: float) -> str:
        """Name a card as it is laid out at a size."""
        head = replace(self._deck, cards=(_plain(card),))
        return sha256(f"{self._room}{size}{head!r}".encode()).hexdigest()[:20]

    def keep(self) -> None:
        """Keep what was found for the next build, and no more."""
        if self._used != _numbers(self._kept.get(self._place)):
            self._kept.put(self._place, json.dumps(self._used, sort_keys=True).encode())


def _numbers(data: bytes | None) -> dict[str, float]:
    try:
        return {str(key): float(number) for key, number in json.loads(data or b"{}").items()}
    except (ValueError, TypeError, AttributeError):
        return {}


def _plain(card: Card) -> Card:
    """Give a card with noughts for the digits in its title.

    Digits are of one width, so that cards that differ by them alone are of one height.
    """
    return replace(card, id="", title=_DIGIT.sub("0", card.title))


def _different(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Give one of all cards that are alike but for the digits in their titles."""
    kinds = {_plain(card): card for card in reversed(cards)}
    return tuple(reversed(kinds.values()))


def _measure(
    studio: Studio, deck: Deck, form: Format, size: float, cards: Sequence[Card]
) -> list[tuple[float, list[str]]]:
    """Lay out cards, each on a page of its own and as high as it wants to be.

    Returns:
        How full each is, rounded so that it does not depend on its neighbours, and what is wrong
        with it.
    """
    html = _html(
        studio, replace(deck, cards=tuple(cards)), form, _geometry(form, None), size, measured=True
    )
    styles = [studio.style(name) for name in _STYLES]
    margin = _EDGE_MM * PX_PER_MM
    measured = studio.printer.measure(html, styles, f"{deck.army}: trial", margin)
    room = form.height_mm * PX_PER_MM
    found: list[tuple[float, list[str]]] = []
    for place, card in enumerate(cards):
        anchor = measured.anchors[f"m-{place}"]
        wide = [each for each in measured.wide if each.page == anchor.page]
        full = max(anchor.height / room, *(1 + each.share for each in wide), 0.0)
        over = (anchor.height - room) / PX_PER_MM
        faults = [f"“{card.title}” is {over:.0f} mm too long"] if over > 0 else []
        faults += dict.fromkeys(f"“{each.text}” is wider than its card" for each in wide)
        found.append((round(full, 6), faults))
    return found


def _faults(studio: Studio, deck: Deck, form: Format, trial: Trial[None]) -> list[str]:
    """Say which cards do not fit, and by how much."""
    cards = _different(deck.cards)
    faults: list[str] = []
    for start in range(0, len(cards), _AT_ONCE):
        part = cards[start : start + _AT_ONCE]
        for _, found in _measure(studio, deck, form, trial.size, part):
            faults += found
    return list(dict.fromkeys(faults))


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
