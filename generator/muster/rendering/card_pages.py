"""Print unit cards: choose the type size, place fronts and backs on sheets, draw cut marks."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from muster.rendering.drawings import (
    RULER_HEIGHT_MM,
    RULER_WIDTH_MM,
    Ruler,
    build_ruler,
    data_uri,
    ruler_svg,
)
from muster.rendering.joining import NoPieceStore, PieceStore, join_pieces, pack_piece, unpack_piece
from muster.rendering.page_boxes import find_overfull
from muster.rendering.paper import PAPERS, PX_PER_MM, Paper, TurnEdge
from muster.rendering.printed import Printed, PrintError
from muster.rendering.type_size import SizeMemory, Trial, fit_type_size

if TYPE_CHECKING:
    from weasyprint.document import Page

    from muster.documents.cards import Card, Deck
    from muster.rendering.environment import SiblingPages, TemplateEnvironment

CardT = TypeVar("CardT")


def parse_turn_edge(word: str) -> TurnEdge:
    """Return the edge that a word names; "" for any word but `long` and `short`."""
    return "long" if word == "long" else "short" if word == "short" else ""


def mirror_backs(
    fronts: Sequence[CardT], across: int, down: int, turn_edge: TurnEdge
) -> list[CardT | None]:
    """Return the backs in the order in which they stand on the other side of an upright sheet.

    Turning over the long edge swaps left and right; over the short edge, top and bottom. None is
    an empty place.
    """
    places: list[CardT | None] = [*fronts, *[None] * (across * down - len(fronts))]
    rows = [places[n * across : (n + 1) * across] for n in range(down)]
    rows = [row[::-1] for row in rows] if turn_edge == "long" else rows[::-1]
    return [each for row in rows for each in row]


_STYLES = ("base/print.css", "cards/cards.css")
_SCREEN_STYLES = ("base/screen.css", "cards/cards.css", "cards/screen.css")
SMALLEST_CARD_PT = 6.0
"""No type on a card is smaller, whatever the format."""

_SMALL_RATIO = 0.91
_CUT_MARK_MM = 5.0
_CUT_MARK_GAP_MM = 1.5
_RULER_GAP_MM = 0.3
_PRINTER_MARGIN_MM = 5.0
"""The width that many printers leave white along the edge of the paper."""

_CARD_EDGE_MM = 2.0
"""The width along the edge of a card that stays free of text: nobody cuts exactly."""

_DIGIT = re.compile(r"[0-9]")
_CARDS_A_LAYOUT = 9
"""How many cards are laid out at a time."""

_LONGEST_CARDS_TRIED = 6
"""How many of the cards with the most text are tried; the fullest is nearly always among them."""

_NEAR_FULLEST = 0.93
"""A card less full than this share of the fullest at one size is not the fullest at others."""


@dataclass(frozen=True, slots=True)
class CardFormat:
    """The size of a card, how many stand on a sheet, and its limits of type size.

    `start_pt` is the first type size to try.
    """

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
    form: CardFormat, paper: Paper | None, ruler: Ruler | None = None
) -> CardPageGeometry:
    if paper is None:
        return CardPageGeometry(form.width_mm, form.height_mm, 0, 0, "")
    left = (paper.width_mm - form.width_mm * form.across) / 2
    top = (paper.height_mm - form.height_mm * form.down) / 2
    marks = _cut_marks(form, paper, left, top, ruler)
    return CardPageGeometry(paper.width_mm, paper.height_mm, left, top, marks)


def _cut_marks(form: CardFormat, paper: Paper, left: float, top: float, ruler: Ruler | None) -> str:
    """Return a picture of the ruler and the cut marks, which never stand inside a card.

    The ruler stands in the wider of the left and the lower margin, where marks are shorter.
    """
    right, bottom = paper.width_mm - left, paper.height_mm - top
    ruler_distance = max(left, top) - _PRINTER_MARGIN_MM - RULER_HEIGHT_MM / 2
    short = min(
        _CUT_MARK_MM, ruler_distance - RULER_HEIGHT_MM / 2 - _CUT_MARK_GAP_MM - _RULER_GAP_MM
    )
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
    ruler_drawing = ""
    if ruler is not None and upwards:
        ruler_drawing = ruler_svg(
            ruler, left - ruler_distance, (paper.height_mm + RULER_WIDTH_MM) / 2, upwards=True
        )
    elif ruler is not None:
        ruler_drawing = ruler_svg(
            ruler, (paper.width_mm - RULER_WIDTH_MM) / 2, bottom + ruler_distance
        )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{paper.width_mm}mm" '
        f'height="{paper.height_mm}mm" viewBox="0 0 {paper.width_mm} {paper.height_mm}">'
        f'<path d="{" ".join(lines)}" stroke="#000" stroke-width="0.15" fill="none"/>'
        f"{ruler_drawing}</svg>"
    )
    return data_uri(svg)


def cards_pdf(
    templates: TemplateEnvironment,
    deck: Deck,
    variant: str,
    paper: str,
    memory: SizeMemory,
    store: PieceStore | None = None,
) -> Printed:
    """Print a deck in one format at the largest type size that fits every card.

    Cards are laid out a few at a time, so that a changed card costs one sheet, and a large deck
    needs little memory. The type size is found with the few cards that have the most text. If
    another card turns out to be overfull in print, the size is found again with that card, too.

    Raises:
        PrintError: If a card does not fit at the smallest type size; names it and the excess.
    """
    form = CARD_FORMATS[variant]
    store = NoPieceStore() if store is None else store
    whole, deck = deck, replace(deck, backs="")  # a back always fits
    # All formats with cards of one size share the key.
    room = (form.width_mm, form.height_mm, form.smallest_pt, form.largest_pt)
    key = templates.key(room, deck)
    name = f"{deck.army}: unit cards, {form.title}"
    overfull: list[Card] = []
    while True:
        size = memory.get(key)
        if size is None:
            size = memory[key] = _find_type_size(templates, deck, form, store, name, overfull)
        try:
            return _print_sheets(
                templates, whole, form, PAPERS[paper] if paper else None, size, store, name
            )
        except _OverfullError as error:
            new = [card for card in error.cards if card not in overfull]
            if not new:
                text = (
                    f"{name}: “{error.cards[0].title}” is overfull in print, "
                    "though it fitted when it was measured"
                )
                raise PrintError(text) from None
            overfull += new
            memory.pop(key)


class _OverfullError(Exception):
    """Some cards are overfull."""

    def __init__(self, cards: Sequence[Card]) -> None:
        super().__init__()
        self.cards = cards


def _find_type_size(
    templates: TemplateEnvironment,
    deck: Deck,
    form: CardFormat,
    store: PieceStore,
    name: str,
    overfull: Sequence[Card],
) -> float:
    """Find the largest type size at which the longest cards and those in *overfull* fit.

    Raises:
        PrintError: If a card does not fit at the smallest type size; names it and the excess.
    """
    fullness = _CardFullness(templates, deck, form, store)
    trial = fullness.find_type_size(overfull)
    fullness.save()
    if trial.fullness > 1:
        description = "; ".join(_describe_misfits(templates, deck, form, trial))
        text = (
            f"{name} does not fit at {form.smallest_pt:g} pt, the smallest type size allowed: "
            f"{description}. "
            "Remove rows from its layout in cards.yaml, or shorten its name and options"
        )
        raise PrintError(text)
    return trial.size


def _print_sheets(  # noqa: PLR0913, PLR0917 - what a print is made from
    templates: TemplateEnvironment,
    deck: Deck,
    form: CardFormat,
    paper: Paper | None,
    size: float,
    store: PieceStore,
    name: str,
) -> Printed:
    """Print the sheets: in one layout if they are few, else in pieces that are then joined."""
    geometry = _page_geometry(form, paper, build_ruler(templates.folders))
    each = form.across * form.down
    at_once = each * max(1, _CARDS_A_LAYOUT // each)
    styles = templates.read_styles(_STYLES)
    turn_edge = parse_turn_edge(deck.backs)
    sides = 2 if turn_edge else 1
    if len(deck.cards) <= at_once:
        html = _print_html(templates, deck, form, geometry, size)
        pages = max(1, -(-len(deck.cards) // each) * sides)
        before_drawing = partial(_raise_if_overfull, deck.cards)
        return templates.printer.pdf(html, styles, name, pages, before_drawing, turn_edge)
    pieces = []
    for start in range(0, len(deck.cards), at_once):
        part = replace(deck, cards=deck.cards[start : start + at_once])
        made_from = templates.key(form, geometry, size, start == 0, part)
        stored = store.get(made_from)
        piece = unpack_piece(stored) if stored else None
        if piece is None:
            html = _print_html(templates, part, form, geometry, size, first=start == 0)
            pages = -(-len(part.cards) // each) * sides
            before_drawing = partial(_raise_if_overfull, part.cards)
            piece = templates.printer.piece(html, styles, name, pages, before_drawing, turn_edge)
            store.put(made_from, pack_piece(piece))
        pieces.append(piece)
    return Printed(join_pieces(pieces), sum(len(piece.pages) for piece in pieces))


def _raise_if_overfull(cards: Sequence[Card], pages: list[Page]) -> None:
    """Check that laid-out cards hold all that is on them.

    Raises:
        _OverfullError: If any is overfull.
        PrintError: If there are not as many as a template should have printed.
    """
    flags = find_overfull(pages, "card", _CARD_EDGE_MM * PX_PER_MM)
    if len(flags) != len(cards):
        text = (
            f"the template cards/print.html.j2 printed {len(flags)} elements of the class `card`,"
            f" expected {len(cards)}: one for each card"
        )
        raise PrintError(text)
    overfull = [card for card, is_overfull in zip(cards, flags, strict=True) if is_overfull]
    if overfull:
        raise _OverfullError(overfull)


def _print_html(  # noqa: PLR0913 - what a print is made from
    templates: TemplateEnvironment,
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
    turn_edge = parse_turn_edge(deck.backs)
    sheets = [
        (front, mirror_backs(front, form.across, form.down, turn_edge) if turn_edge else ())
        for front in fronts
    ]
    return templates.render(
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
    """Measures how full each card is at a type size; what is stored is not measured again."""

    def __init__(
        self, templates: TemplateEnvironment, deck: Deck, form: CardFormat, store: PieceStore
    ) -> None:
        self._templates = templates
        self._cards = _distinct_cards(deck.cards)
        self._deck = deck
        self._form = form
        self._store = store
        self._room = (form.width_mm, form.height_mm)
        self._store_key = "fullness " + templates.key(self._room, deck.system, deck.army)
        self._known = _parse_numbers(store.get(self._store_key))
        self._used: dict[str, float] = {}

    def find_type_size(self, overfull: Sequence[Card]) -> Trial[None]:
        """Find the largest type size at which the longest cards and those in *overfull* fit.

        After each trial only the cards that were nearly the fullest are measured again.
        """
        longest = sorted(self._cards, key=lambda card: -len(repr(asdict(card))))[
            :_LONGEST_CARDS_TRIED
        ]
        fullest = list(dict.fromkeys([*longest, *overfull]))

        def trial(size: float) -> Trial[None]:
            fullness = self._measure_fullness(fullest, size)
            highest = max(fullness, default=0.0)
            fullest[:] = [
                card
                for card, full in zip(fullest, fullness, strict=True)
                if full >= _NEAR_FULLEST * highest
            ]
            return Trial(size, highest, None)

        form = self._form
        return fit_type_size(trial, form.smallest_pt, form.largest_pt, start=form.start_pt)

    def _measure_fullness(self, cards: Sequence[Card], size: float) -> list[float]:
        """Return the fullness of each card; 1 is just full."""
        keys = {self._measurement_key(card, size): card for card in cards}
        unknown = [(key, card) for key, card in keys.items() if key not in self._known]
        for start in range(0, len(unknown), _CARDS_A_LAYOUT):
            part = unknown[start : start + _CARDS_A_LAYOUT]
            measured = _measure_cards(
                self._templates, self._deck, self._form, size, [card for _, card in part]
            )
            self._known |= {key: full for (key, _), (full, _) in zip(part, measured, strict=True)}
        self._used |= {key: self._known[key] for key in keys}
        return [self._known[self._measurement_key(card, size)] for card in cards]

    def _measurement_key(self, card: Card, size: float) -> str:
        """Return the key of a card's fullness at a size."""
        deck = replace(self._deck, cards=(_without_digits(card),))
        return self._templates.key(self._room, size, deck)

    def save(self) -> None:
        """Store what was used for the next build, and nothing else."""
        if self._used != _parse_numbers(self._store.get(self._store_key)):
            self._store.put(self._store_key, json.dumps(self._used, sort_keys=True).encode())


def _parse_numbers(data: bytes | None) -> dict[str, float]:
    try:
        return {str(key): float(number) for key, number in json.loads(data or b"{}").items()}
    except (ValueError, TypeError, AttributeError):
        return {}


def _without_digits(card: Card) -> Card:
    """Return a card with 0 for each digit of its title, and no id.

    All digits have one width: cards that differ in nothing else have one height.
    """
    return replace(card, id="", title=_DIGIT.sub("0", card.title))


def _distinct_cards(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return one of each group of cards that differ only in the digits of their titles."""
    distinct = {_without_digits(card): card for card in reversed(cards)}
    return tuple(reversed(distinct.values()))


def _measure_cards(
    templates: TemplateEnvironment, deck: Deck, form: CardFormat, size: float, cards: Sequence[Card]
) -> list[tuple[float, list[str]]]:
    """Lay out cards, each on a page of its own and as high as its content.

    Returns:
        How full each is, rounded so that it does not depend on its neighbours, and its faults.
    """
    html = _print_html(
        templates,
        replace(deck, cards=tuple(cards)),
        form,
        _page_geometry(form, None),
        size,
        measured=True,
    )
    styles = templates.read_styles(_STYLES)
    margin = _CARD_EDGE_MM * PX_PER_MM
    measured = templates.printer.measure(html, styles, f"{deck.army}: trial", margin)
    room = form.height_mm * PX_PER_MM
    results: list[tuple[float, list[str]]] = []
    for index, card in enumerate(cards):
        anchor = measured.anchor(f"m-{index}", "cards/print.html.j2")
        overhangs = [each for each in measured.wide if each.page == anchor.page]
        full = max(anchor.height / room, *(1 + each.share for each in overhangs), 0.0)
        excess = (anchor.height - room) / PX_PER_MM
        faults = [f"“{card.title}” is {excess:.0f} mm too long"] if excess > 0 else []
        faults += dict.fromkeys(f"“{each.text}” is wider than its card" for each in overhangs)
        results.append((round(full, 6), faults))
    return results


def _describe_misfits(
    templates: TemplateEnvironment, deck: Deck, form: CardFormat, trial: Trial[None]
) -> list[str]:
    """Return which cards do not fit, and by how much."""
    cards = _distinct_cards(deck.cards)
    faults: list[str] = []
    for start in range(0, len(cards), _CARDS_A_LAYOUT):
        part = cards[start : start + _CARDS_A_LAYOUT]
        for _, card_faults in _measure_cards(templates, deck, form, trial.size, part):
            faults += card_faults
    return list(dict.fromkeys(faults))


def cards_html(
    templates: TemplateEnvironment, deck: Deck, home: str, beside: SiblingPages = ()
) -> str:
    """Return the deck as a self-contained HTML page."""
    return templates.render_screen(
        "cards/screen.html.j2", _SCREEN_STYLES, deck=deck, home=home, beside=beside
    )
