"""Print unit cards: choose the type size, place fronts and backs on sheets, draw cut marks."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

from muster.rendering.drawings import RULER_HEIGHT_MM, RULER_WIDTH_MM, Ruler, build_ruler, ruler_svg
from muster.rendering.joining import NoPieceStore, PieceStore, join_pieces, pack_piece, unpack_piece
from muster.rendering.page_boxes import find_overfull
from muster.rendering.paper import PAPERS, PX_PER_MM, Paper
from muster.rendering.pdf_output import TurnEdge
from muster.rendering.printer import Printed, PrintError
from muster.rendering.type_size import SizeMemory, Trial, fit_type_size

CardT = TypeVar("CardT")


def parse_turn_edge(word: str) -> TurnEdge:
    """Read the edge over which a sheet is turned."""
    return "long" if word == "long" else "short" if word == "short" else ""


def mirror_backs(
    fronts: Sequence[CardT], across: int, down: int, turn: TurnEdge
) -> list[CardT | None]:
    """Order the backs of an upright sheet as its other side is printed; None is an empty place.

    Turned over the long edge, left and right change places; over the short edge, top and bottom.
    """
    places: list[CardT | None] = [*fronts, *[None] * (across * down - len(fronts))]
    rows = [places[n * across : (n + 1) * across] for n in range(down)]
    rows = [row[::-1] for row in rows] if turn == "long" else rows[::-1]
    return [each for row in rows for each in row]


if TYPE_CHECKING:
    from weasyprint.document import Page

    from muster.documents.cards import Card, Deck
    from muster.rendering.environment import SiblingPages, TemplateEnvironment

_STYLES = ("base/print.css", "cards/cards.css")
SMALLEST_CARD_PT = 6.0
"""No type on a card is smaller, whatever its format."""

_SMALL_RATIO = 0.91
_CUT_MARK_MM = 5.0
_CUT_MARK_GAP_MM = 1.5
_RULER_GAP_MM = 0.3
_PRINTER_MARGIN_MM = 5.0
"""What many printers leave white along the edge of the paper."""

_CARD_EDGE_MM = 2.0
"""What stays free of text along the edge of a card: nobody cuts to the hair."""

_DIGIT = re.compile(r"[0-9]")
_CARDS_A_LAYOUT = 9
"""How many cards are laid out at a time."""

_LONGEST_CARDS_TRIED = 6
"""How many of the cards that say most are tried: the fullest is nearly always among them."""

_NEAR_FULLEST = 0.93
"""A card this much less full than another at one size is less full at others, too."""


@dataclass(frozen=True, slots=True)
class CardFormat:
    """A card's size in millimetres, how many stand on a sheet, its limits of type, and a guess."""

    title: str
    width_mm: float
    height_mm: float
    across: int
    down: int
    smallest_pt: float
    largest_pt: float
    start_pt: float


CARD_FORMATS = {
    "9-up": CardFormat("nine to a page", 63, 88, 3, 3, 6, 8.6, 7),
    "4-up": CardFormat("four to a page", 70, 120, 2, 2, 7, 9.2, 8.8),
    "single": CardFormat("one to a page", 63, 88, 1, 1, 6, 8.6, 7),
}


@dataclass(frozen=True, slots=True)
class CardPageGeometry:
    """The page that the cards of one format stand on, in millimetres."""

    width_mm: float
    height_mm: float
    left_mm: float
    top_mm: float
    marks: str


def _page_geometry(
    form: CardFormat, paper: Paper | None, drawn: Ruler | None = None
) -> CardPageGeometry:
    if paper is None:
        return CardPageGeometry(form.width_mm, form.height_mm, 0, 0, "")
    left = (paper.width_mm - form.width_mm * form.across) / 2
    top = (paper.height_mm - form.height_mm * form.down) / 2
    marks = _cut_marks(form, paper, left, top, drawn)
    return CardPageGeometry(paper.width_mm, paper.height_mm, left, top, marks)


def _cut_marks(form: CardFormat, paper: Paper, left: float, top: float, drawn: Ruler | None) -> str:
    """Draw a cut mark at each edge of a card in all four margins, never inside a card; and a ruler.

    The ruler stands in the wider of the left and the lower margin; marks there give way to it.
    """
    right, bottom = paper.width_mm - left, paper.height_mm - top
    away = max(left, top) - _PRINTER_MARGIN_MM - RULER_HEIGHT_MM / 2
    short = min(_CUT_MARK_MM, away - RULER_HEIGHT_MM / 2 - _CUT_MARK_GAP_MM - _RULER_GAP_MM)
    upwards = left > top
    lines = []
    for n in range(form.across + 1):
        x = left + n * form.width_mm
        below = _CUT_MARK_MM if upwards else short
        for y, step in (
            (top - _CUT_MARK_GAP_MM, -_CUT_MARK_MM),
            (bottom + _CUT_MARK_GAP_MM, below),
        ):
            lines.append(f"M{x:.3f} {y:.3f} v{step:g}")
    for n in range(form.down + 1):
        y = top + n * form.height_mm
        beside = short if upwards else _CUT_MARK_MM
        for x, step in (
            (left - _CUT_MARK_GAP_MM, -beside),
            (right + _CUT_MARK_GAP_MM, _CUT_MARK_MM),
        ):
            lines.append(f"M{x:.3f} {y:.3f} h{step:g}")
    ruled = ""
    if drawn is not None and upwards:
        ruled = ruler_svg(drawn, left - away, (paper.height_mm + RULER_WIDTH_MM) / 2, upwards=True)
    elif drawn is not None:
        ruled = ruler_svg(drawn, (paper.width_mm - RULER_WIDTH_MM) / 2, bottom + away)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{paper.width_mm}mm" '
        f'height="{paper.height_mm}mm" viewBox="0 0 {paper.width_mm} {paper.height_mm}">'
        f'<path d="{" ".join(lines)}" stroke="#000" stroke-width="0.15" fill="none"/>{ruled}</svg>'
    )
    return "data:image/svg+xml;base64," + b64encode(svg.encode()).decode()


def cards_pdf(
    studio: TemplateEnvironment,
    deck: Deck,
    variant: str,
    paper: str,
    memory: SizeMemory,
    kept: PieceStore | None = None,
) -> Printed:
    """Print a deck in one format at the largest type that fits every card.

    The cards are laid out a few at a time: a card that is changed costs its own sheet, and a
    deck however large little memory. Type is sought with the few that say most; should another
    turn out too full once it is laid out for print, it is sought again with that one, too.

    Raises:
        PrintError: If a card does not fit at the smallest type; names it and says how much.
    """
    form = CARD_FORMATS[variant]
    kept = kept or NoPieceStore()
    whole, deck = deck, replace(deck, backs="")  # a back always fits
    # The same for all formats of one size, wherever their cards stand.
    room = (form.width_mm, form.height_mm, form.smallest_pt, form.largest_pt)
    key = sha256(f"{studio.fingerprint}{room}{deck!r}".encode()).hexdigest()[:24]
    what = f"{deck.army}: unit cards, {form.title}"
    full: list[Card] = []
    while True:
        size = memory.get(key)
        if size is None:
            size = memory[key] = _find_type_size(studio, deck, form, kept, what, full)
        try:
            return _print_sheets(
                studio, whole, form, PAPERS[paper] if paper else None, size, kept, what
            )
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


def _find_type_size(
    studio: TemplateEnvironment,
    deck: Deck,
    form: CardFormat,
    kept: PieceStore,
    what: str,
    full: Sequence[Card],
) -> float:
    """Find the largest type at which the cards fit that say most, and some that are named.

    Raises:
        PrintError: If a card does not fit at the smallest type; names it and says how much.
    """
    scales = _CardFullness(studio, deck, form, kept)
    trial = scales.find_type_size(full)
    scales.store()
    if trial.fullness > 1:
        said = "; ".join(_describe_misfits(studio, deck, form, trial))
        text = (
            f"{what}: at {form.smallest_pt:g} pt, the smallest type allowed, {said}. Take rows "
            "off its layout in cards.yaml, or shorten its name and options"
        )
        raise PrintError(text)
    return trial.size


def _print_sheets(  # noqa: PLR0913, PLR0917 - what a print is made from
    studio: TemplateEnvironment,
    deck: Deck,
    form: CardFormat,
    paper: Paper | None,
    size: float,
    kept: PieceStore,
    what: str,
) -> Printed:
    """Print the sheets: all at once if they are few, else piece by piece, and joined."""
    geometry = _page_geometry(form, paper, build_ruler(studio.folders))
    each = form.across * form.down
    at_once = each * max(1, _CARDS_A_LAYOUT // each)
    styles = [studio.read_style(name) for name in _STYLES]
    turn = parse_turn_edge(deck.backs)
    sides = 2 if turn else 1
    if len(deck.cards) <= at_once:
        html = _print_html(studio, deck, form, geometry, size)
        pages = max(1, -(-len(deck.cards) // each) * sides)
        settle = partial(_raise_if_overfull, deck.cards)
        return studio.printer.pdf(html, styles, what, pages, settle, turn)
    pieces = []
    for start in range(0, len(deck.cards), at_once):
        part = replace(deck, cards=deck.cards[start : start + at_once])
        made_from = f"{studio.fingerprint}{form}{geometry}{size}{start == 0}{part!r}"
        found = kept.get(made_from)
        piece = unpack_piece(found) if found else None
        if piece is None:
            html = _print_html(studio, part, form, geometry, size, first=start == 0)
            pages = -(-len(part.cards) // each) * sides
            settle = partial(_raise_if_overfull, part.cards)
            piece = studio.printer.piece(html, styles, what, pages, settle, turn)
            kept.put(made_from, pack_piece(piece))
        pieces.append(piece)
    return Printed(join_pieces(pieces), sum(len(piece.pages) for piece in pieces))


def _raise_if_overfull(cards: Sequence[Card], pages: list[Page]) -> None:
    """Look whether cards that are laid out hold all that is on them.

    Raises:
        _OverfullError: If any does not.
    """
    over = find_overfull(pages, "card", _CARD_EDGE_MM * PX_PER_MM)
    full = [card for card, is_full in zip(cards, over, strict=True) if is_full]
    if full:
        raise _OverfullError(full)


def _print_html(  # noqa: PLR0913 - what a print is made from
    studio: TemplateEnvironment,
    deck: Deck,
    form: CardFormat,
    geometry: CardPageGeometry,
    size: float,
    *,
    measured: bool = False,
    first: bool = True,
) -> str:
    each = form.across * form.down
    cards = deck.cards
    fronts = [cards[n : n + each] for n in range(0, len(cards), each)]
    turn = parse_turn_edge(deck.backs)
    sheets = [
        (front, mirror_backs(front, form.across, form.down, turn) if turn else ())
        for front in fronts
    ]
    return studio.render(
        "cards/print.html.j2",
        deck=deck,
        form=form,
        geometry=geometry,
        size_pt=size,
        small_pt=max(SMALLEST_CARD_PT, round(size * _SMALL_RATIO, 2)),
        sheets=sheets,
        measured=measured,
        first=first,
    )


class _CardFullness:
    """Tells how full each card is at a size of type; what is known of a card is not laid out."""

    def __init__(
        self, studio: TemplateEnvironment, deck: Deck, form: CardFormat, kept: PieceStore
    ) -> None:
        self._studio = studio
        self._cards = _distinct_cards(deck.cards)
        self._deck = deck
        self._form = form
        self._kept = kept
        room = (form.width_mm, form.height_mm)
        self._room = f"{studio.fingerprint}{room}"
        self._store_key = f"fullness {self._room}{deck.system}{deck.army}"
        self._known = _parse_numbers(kept.get(self._store_key))
        self._used: dict[str, float] = {}

    def find_type_size(self, full: Sequence[Card]) -> Trial[None]:
        """Find the largest type at which those fit that say most, and some that are named.

        Which of them are the fullest at one size is known for others: those alone are tried.
        """
        longest = sorted(self._cards, key=lambda card: -len(repr(astuple(card))))[
            :_LONGEST_CARDS_TRIED
        ]
        tight = list(dict.fromkeys([*longest, *full]))

        def trial(size: float) -> Trial[None]:
            weights = self._measure_fullness(tight, size)
            most = max(weights, default=0.0)
            tight[:] = [
                c for c, full in zip(tight, weights, strict=True) if full >= _NEAR_FULLEST * most
            ]
            return Trial(size, most, None)

        form = self._form
        return fit_type_size(trial, form.smallest_pt, form.largest_pt, start=form.start_pt)

    def _measure_fullness(self, cards: Sequence[Card], size: float) -> list[float]:
        """Give the fullness of each card; 1 is just full."""
        names = {self._measurement_key(card, size): card for card in cards}
        unknown = [(name, card) for name, card in names.items() if name not in self._known]
        for start in range(0, len(unknown), _CARDS_A_LAYOUT):
            part = unknown[start : start + _CARDS_A_LAYOUT]
            found = _measure_cards(self._studio, self._deck, self._form, size, [c for _, c in part])
            self._known |= {name: full for (name, _), (full, _) in zip(part, found, strict=True)}
        self._used |= {name: self._known[name] for name in names}
        return [self._known[self._measurement_key(card, size)] for card in cards]

    def _measurement_key(self, card: Card, size: float) -> str:
        """Name a card as it is laid out at a size."""
        head = replace(self._deck, cards=(_without_digits(card),))
        return sha256(f"{self._room}{size}{head!r}".encode()).hexdigest()[:20]

    def store(self) -> None:
        """Keep what was found for the next build, and no more."""
        if self._used != _parse_numbers(self._kept.get(self._store_key)):
            self._kept.put(self._store_key, json.dumps(self._used, sort_keys=True).encode())


def _parse_numbers(data: bytes | None) -> dict[str, float]:
    try:
        return {str(key): float(number) for key, number in json.loads(data or b"{}").items()}
    except (ValueError, TypeError, AttributeError):
        return {}


def _without_digits(card: Card) -> Card:
    """Give a card with noughts for the digits in its title.

    Digits are of one width, so that cards that differ by them alone are of one height.
    """
    return replace(card, id="", title=_DIGIT.sub("0", card.title))


def _distinct_cards(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Give one of all cards that are alike but for the digits in their titles."""
    kinds = {_without_digits(card): card for card in reversed(cards)}
    return tuple(reversed(kinds.values()))


def _measure_cards(
    studio: TemplateEnvironment, deck: Deck, form: CardFormat, size: float, cards: Sequence[Card]
) -> list[tuple[float, list[str]]]:
    """Lay out cards, each on a page of its own and as high as it wants to be.

    Returns:
        How full each is, rounded so that it does not depend on its neighbours, and what is wrong
        with it.
    """
    html = _print_html(
        studio,
        replace(deck, cards=tuple(cards)),
        form,
        _page_geometry(form, None),
        size,
        measured=True,
    )
    styles = [studio.read_style(name) for name in _STYLES]
    margin = _CARD_EDGE_MM * PX_PER_MM
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


def _describe_misfits(
    studio: TemplateEnvironment, deck: Deck, form: CardFormat, trial: Trial[None]
) -> list[str]:
    """Say which cards do not fit, and by how much."""
    cards = _distinct_cards(deck.cards)
    faults: list[str] = []
    for start in range(0, len(cards), _CARDS_A_LAYOUT):
        part = cards[start : start + _CARDS_A_LAYOUT]
        for _, found in _measure_cards(studio, deck, form, trial.size, part):
            faults += found
    return list(dict.fromkeys(faults))


def cards_html(
    studio: TemplateEnvironment, deck: Deck, home: str, beside: SiblingPages = ()
) -> str:
    """Give the deck as one self-contained page for screens."""
    names = ("base/screen.css", "cards/cards.css", "cards/screen.css")
    return studio.render(
        "cards/screen.html.j2",
        deck=deck,
        faces=studio.inlined_faces,
        style="\n".join(studio.read_style(name) for name in names),
        script=studio.read_style("base/screen.js"),
        home=home,
        beside=beside,
    )
