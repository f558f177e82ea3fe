"""Print unit cards: choose the type size, place fronts and backs on sheets, draw cut marks."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil, floor
from operator import itemgetter
from typing import TYPE_CHECKING, TypeVar

from muster.documents.cards import CardBlock, put_figures_in_place
from muster.rendering.card_frame import (
    CARD_FORMATS,
    TIGHTEST,
    TITLE_TOP_MM,
    CardFormat,
    CardFrame,
    FigureStrip,
    Foot,
    fill_foot,
    plan_foot,
    plan_frame,
)
from muster.rendering.card_type import (
    LINE_HEIGHT,
    SMALLEST_CARD_PT,
    SYMBOL_SIDE_MM,
    CardType,
    TextWidths,
    choose_type,
    fit_run_in,
    fits_list,
    head_size,
    run_in_pitch,
    set_alike,
    shorten_type,
    stands_aside,
)
from muster.rendering.cut_sheets import CutSheet, lay_out_sheet, trimmed_page
from muster.rendering.drawings import build_ruler
from muster.rendering.joining import join_pieces
from muster.rendering.page_boxes import find_overfull
from muster.rendering.paper import PAPERS, PT_PER_MM, PX_PER_MM, Paper, TurnEdge
from muster.rendering.pdf_output import UA_1, PdfTarget
from muster.rendering.pdf_pieces import NoPieceStore, PieceStore, pack_piece, unpack_piece
from muster.rendering.printed import Printed, PrintError
from muster.rendering.type_size import SizeMemory

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
_SMALL_RATIO = 0.91
_SLACK_MM = 0.1
"""How much of a card's free height is kept back, for heights of rows are rounded in print."""
_CARD_EDGE_MM = 2.8
"""The width along the edge of a card that stays free of text: nobody cuts exactly."""

_DIGIT = re.compile(r"[0-9]")
_LENGTH = re.compile(r"calc\((-?[0-9.]+) \* var\(--u\)\)")
_CARDS_A_LAYOUT = 9
"""How many cards are laid out in one trial."""
_CARDS_A_PIECE = 18
"""How many cards are printed at a time: of a longer deck, only pieces that changed are printed."""

_ROW_PADDING_MM = 0.06
_TIGHT_PADDING_MM = 0.01
"""What stands above and below the text of each row at least, and in a deck that is short of room.
"""
_EASY_PADDING_MM = 0.5
_MOST_PADDING_MM = 1.2
"""What is added to it where a card has room for an emblem, too, and where it has not."""
_BLOCK_MM = 0.7
"""What stands below each block; `cards.css` has the same."""

_LISTED_AT = 1
"""The place among the sizes of the one at which a leader's units stand in rows, else his groups."""

_WRITTEN_MM = 6.2
_MORE_WRITTEN_MM = 2.0
"""The height of boxes to write in on a card of nine to a page, and what it gains at most."""

_PICTURE_MM = 15.0
_EMBLEM_MM = 13.5
"""The least heights of a picture, and of the emblem that fills a card without one, on a card of
nine to a page."""

_MOST_EMBLEM_MM = 19.0
_NOTE_MM = 6.5
_NOTES_END_MM = 1.2
"""The height of an emblem above which lines for notes stand, of such a line, and what stands
below the last of them without an emblem, on a card of nine to a page."""

_STILL_EASY = 0.87
"""The share of the size that is read with ease for which key figures are not set closer."""

_GROWTH = 1.4
"""The power of the type size with which a card's content grows in height; a guess."""


def cards_pdf(
    templates: TemplateEnvironment,
    deck: Deck,
    variant: str,
    paper: str,
    memory: SizeMemory,
    store: PieceStore | None = None,
) -> Printed:
    """Print a deck in one format, each card at the largest type size that it has room for.

    Cards are laid out a few at a time, so that a changed card costs one sheet, and a large deck
    needs little memory. If a card turns out to be overfull in print, a smaller size is found. One
    that does not fit at the smallest does without what it has of its command.

    Raises:
        PrintError: If a card does not fit at the smallest type size; names it and the excess.
    """
    try:
        return _print_deck(templates, deck, variant, paper, memory, store)
    except _MisfitError as error:
        cards = tuple(
            card.without_spare if card.title in error.titles else card for card in deck.cards
        )
        if cards == deck.cards:
            raise
        return _print_deck(templates, replace(deck, cards=cards), variant, paper, memory, store)


def _print_deck(
    templates: TemplateEnvironment,
    deck: Deck,
    variant: str,
    paper: str,
    memory: SizeMemory,
    store: PieceStore | None,
) -> Printed:
    form = CARD_FORMATS[variant]
    store = NoPieceStore() if store is None else store
    fuller = _put_together(map(_fuller, deck.cards))
    deck = _for_format(deck, large=form.is_large)
    name = f"{deck.army}: unit cards, {form.title}"
    fitting = _CardFitting(templates, replace(deck, backs=""), fuller, form, memory, name)
    while True:
        fits = fitting.fit_all()
        try:
            return _print_sheets(
                templates,
                fitting.with_lists(deck),
                form,
                PAPERS[paper] if paper else None,
                fits,
                store,
                name,
            )
        except _OverfullError as error:
            for card in error.cards:
                fitting.reduce(card)


def _for_format(deck: Deck, *, large: bool) -> Deck:
    """Return a deck with what large cards show, or small ones."""
    cards = (card.for_cards(large=large) for card in deck.cards)
    return replace(deck, cards=_put_together(cards))


def _put_together(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return cards with their boxes to fill in together, and their figures in place."""
    return put_figures_in_place([card.with_boxes_together() for card in cards])


def _fuller(card: Card) -> Card:
    """Return a card with what large cards show, unless small ones have something else instead."""
    return card.for_cards(large=not any(block.only == "small" for block in card.blocks))


@dataclass(frozen=True, slots=True)
class CardFit:
    """How a card fills its format: its type size in points, and the height that stays free."""

    size_pt: float
    free_mm: float
    type: CardType
    frame: CardFrame
    foot: Foot
    padding_mm: float = _ROW_PADDING_MM
    """What stands above and below the text of each row."""
    run_in_pt: float = 0.0
    """The type size of the units that a leader leads, one after the other because room is short."""
    run_in_height_mm: float = 0.0
    written_mm: float = 0.0
    """The height of the boxes in which players write what is not known."""
    strip: FigureStrip | None = None
    foot_mm: float = 0.0
    scale: float = 1.0

    @property
    def pad_mm(self) -> float:
        """What stands above the text of the head, which is in its middle if it is not too high."""
        middle_mm = round((self.frame.head_mm - self.type.head.height_mm) / 2, 2)
        return max(TITLE_TOP_MM, middle_mm)

    @property
    def is_tight(self) -> bool:
        """Whether its parts are as low as they become."""
        return self.frame.tightness == TIGHTEST

    @property
    def symbol_top_mm(self) -> float:
        """What stands above the symbol, which is in the middle of the head, too."""
        return round((self.frame.head_mm - SYMBOL_SIDE_MM * self.scale) / 2, 2)

    @property
    def small_pt(self) -> float:
        """The size of what matters less, in points."""
        return max(SMALLEST_CARD_PT, round(self.size_pt * _SMALL_RATIO, 2))

    @property
    def head_pt(self) -> float:
        """The size of the heads of tables, in points."""
        return head_size(self.size_pt)

    @property
    def run_in_mm(self) -> float:
        """The height of a line of units that stand one after the other, in mm."""
        return run_in_pitch(self.run_in_pt)

    @property
    def has_emblem(self) -> bool:
        """Whether an emblem fills what stays free."""
        return self.free_mm >= _EMBLEM_MM * self.scale

    @property
    def note_lines(self) -> int:
        """How many ruled lines for notes take what an emblem leaves bare, or has no room for."""
        used_mm = _MOST_EMBLEM_MM * self.scale if self.has_emblem else 0.0
        return max(0, floor((self.free_mm - used_mm) / (_NOTE_MM * self.scale)))

    @property
    def note_mm(self) -> float:
        """The height of a line for notes; lines without an emblem share what is free."""
        if self.note_lines and not self.has_emblem:
            return round((self.free_mm - _NOTES_END_MM * self.scale) / self.note_lines, 2)
        return round(_NOTE_MM * self.scale, 2)

    @property
    def emblem_mm(self) -> float:
        """The height of its emblem."""
        return round(self.free_mm - self.note_lines * self.note_mm - 1, 2)

    @property
    def has_picture(self) -> bool:
        """Whether there is room for a picture."""
        return self.free_mm >= _PICTURE_MM * self.scale


@dataclass(frozen=True, slots=True)
class _Trial:
    """How a card was laid out at one size."""

    height_mm: float
    overhang: float
    """How far text sticks out at the right, as a share of the card's width."""
    faults: list[str]


class _MisfitError(PrintError):
    """Some cards do not fit at the smallest type size; their titles."""

    def __init__(self, text: str, titles: Collection[str]) -> None:
        super().__init__(text)
        self.titles = titles


class _OverfullError(Exception):
    """Some cards are overfull."""

    def __init__(self, cards: Sequence[Card]) -> None:
        super().__init__()
        self.cards = cards


class _CardFitting:
    """Finds each card's type size; what is remembered is not laid out again."""

    def __init__(
        self,
        templates: TemplateEnvironment,
        deck: Deck,
        fuller: Sequence[Card],
        form: CardFormat,
        memory: SizeMemory,
        name: str,
    ) -> None:
        self._templates = templates
        self._deck = deck
        self._fuller = fuller
        self._form = form
        self._memory = memory
        self._name = name
        self._sizes = form.sizes
        self._widths = TextWidths(templates.folders)
        self._plan(0)
        self._tight_key = f"{templates.key(*sorted(set(self._keys.values())))}.tight"
        if self._memory.get(self._tight_key):
            self._plan(int(self._memory[self._tight_key]))

    def _plan(self, tightness: int) -> None:
        """Choose the frame of the deck, and what its cards hold in it."""
        form, deck = self._form, self._deck
        self._frame = plan_frame(self._widths, deck.cards, form, tightness=tightness)
        shortened = (
            shorten_type(self._widths, card, form.width_mm, form.scale)
            for card in self._with_more(deck.cards)
        )
        cards = set_alike(
            self._widths,
            tuple(map(self._list_units, shortened)),
            form.width_mm,
            form.easy_pt,
            form.scale,
        )
        self._deck = deck = replace(deck, cards=cards)
        # All formats with cards of one size share the keys.
        room = (form.width_mm, form.height_mm, self._frame, *self._sizes)
        self._keys = {
            card: self._templates.key(room, deck.language, _without_digits(card))
            for card in deck.cards
        }

    def _with_more(self, cards: Sequence[Card]) -> Iterator[Card]:
        """Yield cards with what large ones show, if all of one kind have room for that."""
        if self._form.is_large:
            yield from cards
            return
        full = {card.kind for card in self._fuller if not self._is_easy(card)}
        for card, fuller in zip(cards, self._fuller, strict=True):
            yield card if card.kind in full else fuller

    def _is_easy(self, card: Card) -> bool:
        """Return whether a card has room for what it holds in type that is read with ease."""
        # Titles may come to stand above their rows.
        lines = _count_lines(card) + sum(map(stands_aside, card.blocks)) + bool(card.faults)
        high_mm = lines * _pitch_mm(self._form.easy_pt) + _BLOCK_MM * (len(card.bands) + 2)
        if card.to_fill:
            high_mm += 2 * _pitch_mm(SMALLEST_CARD_PT) + _WRITTEN_MM * self._form.scale
        return high_mm + self._needs_mm(card) <= self._form.height_mm

    def with_lists(self, deck: Deck) -> Deck:
        """Return the deck with the cards that were fitted."""
        return replace(deck, cards=self._deck.cards)

    def fit_all(self) -> list[CardFit]:
        """Return how each card of the deck fits, in its order.

        The frame is lower in a deck that has a card with small type, or one that does not fit.

        Raises:
            PrintError: If a card does not fit at the smallest type size; names it and the excess.
        """
        distinct = {self._keys[card]: card for card in reversed(self._deck.cards)}
        unknown = [
            (card, self._first_size(card))
            for key, card in reversed(distinct.items())
            if self._memory.get(key) is None or self._memory.get(f"{key}.free") is None
        ]
        # The fullest come first: they show soon whether the frame must be lower.
        unknown.sort(key=itemgetter(1))
        misfits: list[str] = []
        titles: set[str] = set()
        while unknown:
            if self._may_be_tighter and (
                misfits or min(map(itemgetter(1), unknown)) < self._enough_pt
            ):
                break
            now, unknown = unknown[:_CARDS_A_LAYOUT], unknown[_CARDS_A_LAYOUT:]
            following: list[tuple[Card, float]] = []
            for (card, size), trial in zip(now, self._lay_out(now), strict=True):
                if trial.height_mm <= self._form.height_mm and not trial.faults:
                    key = self._keys[card]
                    self._memory[key] = size
                    # Rounded down: a card that is any higher than its page goes on overleaf.
                    free_mm = self._form.height_mm - trial.height_mm - _SLACK_MM
                    self._memory[f"{key}.free"] = max(0.0, floor(10 * free_mm) / 10)
                elif size > self._sizes[-1]:
                    following.append((card, self._next_size(size, trial)))
                else:
                    misfits += trial.faults
                    titles.add(card.title)
            unknown = following + unknown
        smallest = min((self._memory.get(key) or 0.0 for key in self._keys.values()), default=0.0)
        if (misfits or smallest < self._enough_pt) and self._may_be_tighter:
            self._memory[self._tight_key] = self._frame.tightness + 1
            self._plan(self._frame.tightness + 1)
            return self.fit_all()
        if misfits:
            text = (
                f"{self._name} does not fit at {self._form.smallest_pt:g} pt, the smallest type "
                f"size allowed: {'; '.join(dict.fromkeys(misfits))}. "
                "Remove rows from its layout in cards.yaml, or shorten its name and options"
            )
            raise _MisfitError(text, titles)
        return [
            self._spread_rows(card, self._fit(card, self._memory[key], self._memory[f"{key}.free"]))
            for card, key in ((card, self._keys[card]) for card in self._deck.cards)
        ]

    @property
    def _may_be_tighter(self) -> bool:
        """Whether a lower frame can make room for larger type."""
        return self._frame.tightness < TIGHTEST

    @property
    def _enough_pt(self) -> float:
        """The type size below which the frame is made lower; less when it gave up some height."""
        return self._form.easy_pt * (_STILL_EASY if self._frame.tightness else 1)

    def reduce(self, card: Card) -> None:
        """Remember the next smaller size for a card that is overfull in print.

        A leader's card first goes without the units that stand one after the other.

        Raises:
            PrintError: If there is none.
        """
        key = self._keys[card]
        if card.led and not self._memory.get(f"{key}.plain"):
            self._memory[f"{key}.plain"] = 1
            return
        smaller = [size for size in self._sizes if size < self._memory[key]]
        if not smaller:
            text = (
                f"{self._name}: “{card.title}” is overfull in print, "
                "though it fitted when it was measured"
            )
            raise PrintError(text)
        self._memory[key] = smaller[0]
        self._memory[f"{key}.free"] = 0.0

    def _fit(self, card: Card, size: float, free_mm: float) -> CardFit:
        form = self._form
        frame = self._frame
        foot = plan_foot(self._widths, card, form)
        foot_mm = self._foot_mm(card, foot)
        return CardFit(
            size,
            free_mm,
            choose_type(self._widths, card, form.width_mm, size, form.scale),
            frame,
            foot if foot_mm < frame.foot_mm else fill_foot(foot, frame, form),
            _TIGHT_PADDING_MM if frame.tightness == TIGHTEST else _ROW_PADDING_MM,
            written_mm=round(_WRITTEN_MM * form.scale, 2),
            strip=frame.strip(card),
            foot_mm=foot_mm,
            scale=form.scale,
        )

    def _needs_mm(self, card: Card) -> float:
        """Return how much of a card's height is not for its tables."""
        foot = plan_foot(self._widths, card, self._form)
        return self._frame.height_of(card, self._foot_mm(card, foot))

    def _foot_mm(self, card: Card, foot: Foot) -> float:
        """Return the height of a card's foot: that of the deck, or its own if room is short."""
        foot_mm = self._frame.foot_of(card, foot)
        pitch_mm = _pitch_mm(self._form.easy_pt)
        tables_mm = _count_lines(card) * pitch_mm + _BLOCK_MM * (len(card.bands) + 2)
        if self._frame.height_of(card, foot_mm) + tables_mm <= self._form.height_mm:
            return foot_mm
        return min(foot_mm, foot.height_mm)

    def _first_size(self, card: Card) -> float:
        """Return the largest size at which a card may fit: larger ones are not laid out."""
        room_mm = self._form.height_mm - self._needs_mm(card)
        for size in self._sizes:
            if _count_lines(card) * _pitch_mm(size) <= room_mm:
                return size
        return self._form.smallest_pt

    def _list_units(self, card: Card) -> Card:
        """Return a leader's card with the units that he leads in a block, if it has room for it."""
        if not card.led or card.picture:
            return card
        for size in (self._form.sizes[_LISTED_AT], self._form.easy_pt):
            for title, led in (
                (card.led_title, card.led),
                (card.led_groups_title, card.led_groups),
            ):
                if led and self._fits_listed(replace(card, led=led), size):
                    units = CardBlock(title, "army", (), led, is_list=True)
                    return replace(card, blocks=(*card.blocks, units), led=())
        return card

    def _fits_listed(self, card: Card, size: float) -> bool:
        """Return whether a leader's card has room for a row for each of the units that he leads."""
        form = self._form
        # Titles may come to stand above their rows.
        rows = _count_lines(card) + len(card.led) + 1 + sum(map(stands_aside, card.blocks))
        blocks_mm = _BLOCK_MM * (len(card.bands) + 3)
        high_mm = rows * _pitch_mm(size) + blocks_mm + self._needs_mm(card)
        return high_mm <= form.height_mm and fits_list(
            self._widths, card, form.width_mm, size, form.scale
        )

    def _spread_rows(self, card: Card, fit: CardFit) -> CardFit:
        """Return the fit with what its picture or emblem leaves free given to its rows."""
        if card.picture and fit.has_picture:
            return fit
        # What stands below a block is as large as what stands above or below a row.
        lines, listed_mm = _count_lines(card) + len(card.bands) / 2, 0.0
        if card.led and not self._memory.get(f"{self._keys[card]}.plain"):
            sizes = [size for size in self._sizes if size <= fit.size_pt]
            run_in_pt, listed_mm = fit_run_in(
                self._widths, card, self._form.room_mm, fit.free_mm, sizes
            )
            fit = replace(fit, run_in_pt=run_in_pt, run_in_height_mm=listed_mm)
        free_mm = fit.free_mm - listed_mm
        if card.to_fill:
            more = min(_MORE_WRITTEN_MM * fit.scale, floor(10 * free_mm / 3) / 10)
            free_mm = round(free_mm - more, 2)
            fit = replace(fit, written_mm=round(fit.written_mm + more, 2))
        if not lines:
            return replace(fit, free_mm=free_mm)
        most = _EASY_PADDING_MM * fit.scale
        if free_mm - 2 * lines * most < _EMBLEM_MM * fit.scale:
            most = _MOST_PADDING_MM * fit.scale
        # Rounded down: the rows must not need more than was free.
        more = min(most, floor(50 * free_mm / lines) / 100)
        free_mm = round(free_mm - 2 * lines * more, 2)
        return replace(fit, padding_mm=round(fit.padding_mm + more, 2), free_mm=free_mm)

    def _next_size(self, size: float, trial: _Trial) -> float:
        """Return the size to try after one at which a card was overfull, by at most 3 steps."""
        smaller = [each for each in self._sizes if each < size]
        full = trial.height_mm / self._form.height_mm
        guess: float = min(size / max(full, 1) ** (1 / _GROWTH), size / (1 + trial.overhang))
        steps = sum(each > guess for each in smaller)
        return smaller[min(steps, 2, len(smaller) - 1)]

    def _lay_out(self, sizes: Sequence[tuple[Card, float]]) -> Iterator[_Trial]:
        """Lay out cards in a size each, on a page of its own and as high as its content."""
        templates, form = self._templates, self._form
        cards = [card for card, _ in sizes]
        fits = [self._fit(card, size, 0.0) for card, size in sizes]
        html = _print_html(
            templates,
            replace(self._deck, cards=tuple(cards)),
            form,
            trimmed_page(form),
            fits,
            measured=True,
        )
        styles = print_styles(templates, form)
        # Half a pixel stricter than the check of what is printed.
        margin = _CARD_EDGE_MM * PX_PER_MM + 1
        measured = templates.printer.measure(html, styles, f"{self._deck.army}: trial", margin)
        for index, card in enumerate(cards):
            anchor = measured.anchor(f"m-{index}", "cards/print.html.j2")
            height_mm = round(anchor.height / PX_PER_MM, 3)
            excess = height_mm - form.height_mm
            faults = (
                [f"“{card.title}” is {ceil(10 * excess) / 10:g} mm too long"] if excess > 0 else []
            )
            overhangs = [each for each in measured.wide if each.page == anchor.page]
            faults += dict.fromkeys(f"“{each.text}” is wider than its card" for each in overhangs)
            widest = max((each.share for each in overhangs), default=0.0)
            yield _Trial(height_mm, widest, faults)


def print_styles(templates: TemplateEnvironment, form: CardFormat) -> list[str]:
    """Return the style sheets with the unit of a format's lengths, `--u`, in millimetres.

    WeasyPrint works out a `var()` again for every element that has it.
    """
    unit_mm = form.scale

    def in_mm(match: re.Match[str]) -> str:
        return f"{float(match[1]) * unit_mm:g}mm"

    styles = templates.read_styles(_STYLES)
    styles = [_LENGTH.sub(in_mm, style) for style in styles]
    return [style.replace("var(--u)", f"{unit_mm:g}mm") for style in styles]


def _print_sheets(  # noqa: PLR0913, PLR0917 - what a print is made from
    templates: TemplateEnvironment,
    deck: Deck,
    form: CardFormat,
    paper: Paper | None,
    fits: Sequence[CardFit],
    store: PieceStore,
    name: str,
) -> Printed:
    """Print the sheets: in one layout if they are few, else in pieces that are then joined."""
    geometry = (
        lay_out_sheet(form, paper, build_ruler(templates.folders)) if paper else trimmed_page(form)
    )
    each = form.across * form.down
    at_once = each * max(1, _CARDS_A_PIECE // each)
    styles = print_styles(templates, form)
    target = PdfTarget(bleed_mm=geometry.bleed_mm) if geometry.bleed_mm else UA_1
    turn_edge = parse_turn_edge(deck.backs)
    sides = 2 if turn_edge else 1
    if len(deck.cards) <= at_once:
        html = _print_html(templates, deck, form, geometry, fits)
        pages = max(1, -(-len(deck.cards) // each) * sides)
        before_drawing = partial(_raise_if_overfull, deck.cards)
        return templates.printer.pdf(html, styles, name, pages, before_drawing, turn_edge, target)
    pieces = []
    for start in range(0, len(deck.cards), at_once):
        part = replace(deck, cards=deck.cards[start : start + at_once])
        part_fits = fits[start : start + at_once]
        made_from = templates.key(form, geometry, part_fits, start == 0, part)
        stored = store.get(made_from)
        piece = unpack_piece(stored) if stored else None
        if piece is None:
            html = _print_html(templates, part, form, geometry, part_fits, first=start == 0)
            pages = -(-len(part.cards) // each) * sides
            before_drawing = partial(_raise_if_overfull, part.cards)
            piece = templates.printer.piece(
                html, styles, name, pages, before_drawing, turn_edge, target
            )
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
    geometry: CutSheet,
    fits: Sequence[CardFit],
    *,
    measured: bool = False,
    first: bool = True,
) -> str:
    each = form.across * form.down
    cards = list(zip(deck.cards, fits, strict=True))
    fronts = [cards[n : n + each] for n in range(0, len(cards), each)]
    turn_edge = parse_turn_edge(deck.backs)
    sheets = []
    for front in fronts:
        faces = [card for card, _ in front]
        backs = mirror_backs(faces, form.across, form.down, turn_edge) if turn_edge else []
        sheets.append((front, backs))
    return templates.render(
        "cards/print.html.j2",
        deck=deck,
        form=form,
        geometry=geometry,
        cards_to_print=cards,
        sheets=sheets,
        # A back that stands on its head has its upper bleed below.
        back_bleeds=geometry.bleeds[::-1] if turn_edge == "short" else geometry.bleeds,
        measured=measured,
        first=first,
    )


def _count_lines(card: Card) -> int:
    """Return how many lines the tables of a card have at least."""
    return sum(
        max(len(block.rows) + bool(block.heads or block.title) for block in band)
        if len(band) > 1
        else band[0].lines
        for band in card.bands
    )


def _pitch_mm(size_pt: float) -> float:
    """Return the height of a row of a table whose type has a size."""
    return LINE_HEIGHT * size_pt / PT_PER_MM + 2 * _ROW_PADDING_MM


def _without_digits(card: Card) -> Card:
    """Return a card with 0 for each digit of its title, and no id.

    All digits have one width: cards that differ in nothing else have one height.
    """
    return replace(card, id="", title=_DIGIT.sub("0", card.title))


def cards_html(
    templates: TemplateEnvironment, deck: Deck, home: str, beside: SiblingPages = ()
) -> str:
    """Return the deck as a self-contained HTML page."""
    deck = _for_format(deck, large=True)
    return templates.render_screen(
        "cards/screen.html.j2", _SCREEN_STYLES, deck=deck, home=home, beside=beside
    )
