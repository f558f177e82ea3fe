"""Plan the frame of a deck: what stands at the same height on all its cards of one format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from typing import TYPE_CHECKING

from muster.rendering.card_type import (
    EDGE_MM,
    SMALLEST_CARD_PT,
    TextWidths,
    choose_head,
    fit_line,
)
from muster.rendering.cut_sheets import CutGrid
from muster.rendering.environment import split_measure

if TYPE_CHECKING:
    from muster.documents.cards import Card, LargeFigure, LossTrack


@dataclass(frozen=True, slots=True)
class CardFormat(CutGrid):
    """The size of a card, how many stand on a sheet, and its type sizes in points."""

    title: str
    scale: float
    """How much larger its parts are than on a card of nine to a page."""
    sizes: tuple[float, ...]
    """The type sizes of its tables in points, the largest first."""
    easy_pt: float
    """The type size that is read with ease, for which the frame gives up some of its height."""
    tick_mm: float
    """The side of a box to tick off."""

    @property
    def smallest_pt(self) -> float:
        """The smallest type size of its tables, in points."""
        return self.sizes[-1]

    @property
    def is_large(self) -> bool:
        """Whether it has the blocks that are for large cards only."""
        return self.scale > 1

    @property
    def room_mm(self) -> float:
        """The width between its edges, which stay free of text."""
        return self.width_mm - 2 * EDGE_MM * self.scale

    @property
    def track_mm(self) -> float:
        """The width of its tracks, which go nearer to its right edge than text."""
        return self.room_mm + _TRACK_EDGE_MM * self.scale


_SMALL_SIZES = (10.4, 9.8, 9.2, 8.6, 8, 7.5, 7)

CARD_FORMATS = {
    "9-up": CardFormat(63, 88, 3, 3, "nine to a page", 1, _SMALL_SIZES, 8.6, 5.1),
    # As large as a photograph, for which there are paper and sleeves.
    "4-up": CardFormat(
        89,
        127,
        2,
        2,
        "four to a page",
        1.28,
        (13.4, 12.8, 12.2, 11.6, 11, 10.4, 9.8, 9.4, 9, 8.5, 8),
        10.4,
        7,
    ),
    "single": CardFormat(63, 88, 1, 1, "one to a page", 1, _SMALL_SIZES, 8.6, 5.1),
}

_HEAD_MM = 14.6
TITLE_TOP_MM = 2.45
_HEAD_END_MM = 0.3
_FIGURES_MM = 12.2
_LESS_MM = (
    {"head": 0.0, "figures": 0.0, "foot": 0.0},
    {"head": 0.7, "figures": 0.0, "foot": 0.3},
    {"head": 2.2, "figures": 1.8, "foot": 0.8},
)
"""The heights of the head, of what stands free above and below its lines, and of the key figures,
and what a deck saves of them and of the foot: nothing, a little, or much, for a card that has
no room otherwise. All letters are 3 mm from the edge at least, where a card is cut."""
TIGHTEST = len(_LESS_MM) - 1

_LARGEST_FIGURE_PT = 22.0
_LARGEST_CLOSE_PT = 18.5
"""The size of the largest key figures, and in a deck short of room, whose strip is lower."""
_SMALLEST_FIGURE_PT = 14.4
_LARGEST_LABEL_PT = 8.0
_NARROW_FIGURE = 0.8
_WORD_PT = 10.0
_UNIT_PT = 9.0
_FIGURE_GAP_MM = 2.6
_LABEL_GAP_MM = 1.3
_FIGURE_BOX_MM = 11.0
_STRIP_EDGES_MM = 5.0
_STEP_PT = 0.5

_BASE_TOP_MM = 0.9
_TIGHT_BASE_TOP_MM = 0.5
_BASE_LINE_MM = 3.0
_BASE_END_MM = 3.0
_BASE_PT = 7.8
_BADGE_MM = 3.0
_COST_GAP_MM = 2.0
"""The band at the lower edge: what stands above its lines, and does in a deck short of room, the
height of a line, and what stands below them on a card of any size, where it is cut."""

_FIVE = 5
_TEN = 10
_SMALL_TICK = 0.94
_TICK_GAP_MM = 0.3
_FIVE_GAP_MM = 0.8
_TRACK_EDGE_MM = 1.2
_MOST_IN_ONE = 12
_LINE_GAP_MM = 0.5
_MOST_IN_LINE = 15
_MOST_LARGE = 30
"""The most boxes that stand in lines of ten; more than that are smaller."""
_STATE_MM = 3.7
_STATUS_MM = 5.3
_STATUS_BOX_MM = 6.2
_FOOT_EDGES_MM = 1.7
_STATE_PT = 8.0
_REMARK_PT = 7.2
_STATE_GAP_MM = 0.6
_REMARK_GAP_MM = 0.76
_MARK_MM = 1.3
_STATUS_PT = 7.4
"""The sizes of what stands in the foot, as `cards.css` has them."""


@dataclass(frozen=True, slots=True)
class PlannedTrack:
    """A track of boxes to tick off, with the size of a box and how many stand in a line."""

    track: LossTrack
    tick_mm: float
    high_mm: float
    in_line: int

    @property
    def mark_mm(self) -> float:
        """The size of a figure in a box, as large as the box lets it be."""
        return round(max(_LEAST_MARK_MM, _MARK_SHARE * self.tick_mm), 2)

    @property
    def roll_mm(self) -> float:
        """The size of what is longer than a figure, such as `5–6`."""
        return round(max(_LEAST_MARK_MM, _ROLL_SHARE * self.tick_mm), 2)

    @property
    def hung_mm(self) -> float:
        """What stands free above the boxes for marks that hang above their edges."""
        return _HUNG_MM if self.track.hangs else 0.0

    @property
    def lines(self) -> int:
        """How many lines of boxes it has."""
        return 1 if self.track.of else ceil(len(self.track.boxes) / self.in_line)


@dataclass(frozen=True, slots=True)
class Foot:
    """The foot of a card: lines of tracks, of which two short ones share a line."""

    tracks: tuple[tuple[PlannedTrack, ...], ...]
    height_mm: float


@dataclass(frozen=True, slots=True)
class FigureStrip:
    """The strip of key figures that all cards of a level have, with the width of each place."""

    level: str
    figure_pt: float
    narrow_pt: float
    label_pt: float
    widths_mm: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Base:
    """The band at the lower edge, which says whose card it is, in a line or two."""

    height_mm: float
    size_pt: float
    lines: int


@dataclass(frozen=True, slots=True)
class CardFrame:
    """Heights in millimetres and sizes in points that all cards of a deck have in one format."""

    head_mm: float
    figures_mm: float
    strips: tuple[FigureStrip, ...]
    foot_mm: float
    """The height of the foot of a card with tracks."""
    status_mm: float
    """The height of the foot of a card that has only boxes for its status."""
    base: Base
    less_mm: float
    """What a foot saves in a deck that has too full a card."""
    tightness: int
    """How much lower its parts are, from 0 to `TIGHTEST`, for a card that has no room otherwise;
    above 0 each foot is only as high as its own card needs."""

    def strip(self, card: Card) -> FigureStrip | None:
        """Return the strip of a card's figures; None if it has none."""
        if not card.places:
            return None
        return next(strip for strip in self.strips if strip.level == card.level)

    def foot_of(self, card: Card, foot: Foot) -> float:
        """Return the height of the foot of a card, which needs one of its own at least."""
        if self.tightness:
            return round(foot.height_mm - self.less_mm, 2) if foot.height_mm else 0.0
        return self.foot_mm if card.tracks else self.status_mm if card.boxes else 0.0

    def height_of(self, card: Card, foot_mm: float) -> float:
        """Return how much of a card's height is not for its tables, with a foot of a height."""
        figures_mm = self.figures_mm if card.places else 0.0
        return self.head_mm + figures_mm + foot_mm + self.base.height_mm


def plan_frame(
    widths: TextWidths, cards: Sequence[Card], form: CardFormat, *, tightness: int = 0
) -> CardFrame:
    """Return the frame that has room for the fullest strip of figures, and the fullest foot."""
    scale = form.scale
    less = _LESS_MM[tightness]
    heads = [choose_head(widths, card, form.width_mm, scale).height_mm for card in cards]
    least_mm = (_HEAD_MM - less["head"]) * scale
    head_mm = max([least_mm, *(TITLE_TOP_MM + each + _HEAD_END_MM * scale for each in heads)])
    tracked = [plan_foot(widths, card, form).height_mm for card in cards if card.tracks]
    others = [plan_foot(widths, card, form).height_mm for card in cards if not card.tracks]
    levels = dict.fromkeys(card.level for card in cards if card.places)
    return CardFrame(
        head_mm=round(head_mm, 2),
        figures_mm=round((_FIGURES_MM - less["figures"]) * scale, 2) if levels else 0.0,
        strips=tuple(_plan_strip(widths, cards, level, form, tightness) for level in levels),
        foot_mm=round(max(tracked), 2) if tracked else 0.0,
        status_mm=round(max(others, default=0.0), 2),
        base=_plan_base(widths, cards, form, tightness),
        less_mm=round(less["foot"] * scale, 2),
        tightness=tightness,
    )


def _plan_strip(
    widths: TextWidths, cards: Sequence[Card], level: str, form: CardFormat, tightness: int
) -> FigureStrip:
    """Return the strip of a level with the largest figures and labels that fit its cards."""
    scale = form.scale
    largest_pt = _LARGEST_CLOSE_PT if tightness == TIGHTEST else _LARGEST_FIGURE_PT
    strips = [card.places for card in cards if card.level == level and card.places]
    at_places = [[each for each in place if each] for place in zip(*strips, strict=True)]
    smallest_pt, label_pt = _SMALLEST_FIGURE_PT * scale, _LARGEST_LABEL_PT * scale
    while True:
        figure_pt = largest_pt * scale
        while figure_pt >= smallest_pt:
            needs = _place_widths(widths, at_places, figure_pt, label_pt, scale)
            spare_mm = form.width_mm - _STRIP_EDGES_MM * scale - sum(needs)
            # Larger labels go before the last points of figures, which are large enough.
            if spare_mm >= 0 and (
                figure_pt >= (smallest_pt + largest_pt * scale) / 2
                or label_pt <= SMALLEST_CARD_PT * scale
            ):
                return _strip(level, figure_pt, label_pt, needs, spare_mm, form)
            figure_pt -= _STEP_PT
        if label_pt <= SMALLEST_CARD_PT:
            needs = _place_widths(widths, at_places, smallest_pt, label_pt, scale)
            spare_mm = form.width_mm - _STRIP_EDGES_MM * scale - sum(needs)
            return _strip(level, smallest_pt, label_pt, needs, spare_mm, form)
        label_pt = max(SMALLEST_CARD_PT, label_pt - _STEP_PT / 2)


def _strip(
    level: str,
    figure_pt: float,
    label_pt: float,
    needs: Sequence[float],
    spare_mm: float,
    form: CardFormat,
) -> FigureStrip:
    edge_mm, each_mm = _STRIP_EDGES_MM * form.scale / 2, spare_mm / len(needs)
    places = [need + each_mm for need in needs]
    places[0] += edge_mm
    places[-1] += edge_mm
    return FigureStrip(
        level,
        round(figure_pt, 1),
        max(_SMALLEST_FIGURE_PT * form.scale, round(figure_pt * _NARROW_FIGURE, 1)),
        round(label_pt, 2),
        tuple(floor(place * 100) / 100 for place in places),
    )


def _place_widths(
    widths: TextWidths,
    at_places: Sequence[Sequence[LargeFigure]],
    figure_pt: float,
    label_pt: float,
    scale: float,
) -> list[float]:
    """Return the width that each place needs for the widest of its figures and labels."""
    return [
        max(
            max(
                _figure_mm(widths, figure, figure_pt, scale) + _FIGURE_GAP_MM * scale,
                widths.regular(figure.label, label_pt) + _LABEL_GAP_MM * scale,
            )
            for figure in figures
        )
        for figures in at_places
    ]


def _figure_mm(widths: TextWidths, figure: LargeFigure, figure_pt: float, scale: float) -> float:
    text = figure.compact
    if figure.value.kind == "blank":
        return _FIGURE_BOX_MM * scale
    if figure.is_word:
        return max(widths.bold(word, _WORD_PT * scale) for word in (text or " ").split(" "))
    number, unit = split_measure(text)
    size = figure_pt
    if figure.is_narrow:
        size = max(_SMALLEST_FIGURE_PT * scale, figure_pt * _NARROW_FIGURE)
    return widths.bold(number, size) + (widths.bold(f" {unit}", _UNIT_PT * scale) if unit else 0.0)


def _plan_base(widths: TextWidths, cards: Sequence[Card], form: CardFormat, tightness: int) -> Base:
    """Return the band in which nation, command and cost of every card stand, in a line if they fit.

    Otherwise the command stands below the others.
    """
    scale = form.scale
    largest_pt, room_mm = _BASE_PT * scale, form.room_mm

    def height_mm(lines: int) -> float:
        top_mm = _BASE_TOP_MM if tightness < TIGHTEST else _TIGHT_BASE_TOP_MM
        return round((top_mm + lines * _BASE_LINE_MM) * scale + _BASE_END_MM, 2)

    for lines in (1, 2):
        size_pt = largest_pt
        for card in cards:
            badge_mm = _BADGE_MM * scale if card.shape else 0.0
            gap_mm = _COST_GAP_MM * scale if card.cost else 0.0
            first = [card.nation, card.cost, *([card.command] if lines == 1 else [])]
            for items, used_mm in ((first, badge_mm + gap_mm), ([card.command], 0.0)):
                shown = [each for each in items if each]
                size = fit_line(widths, shown, room_mm - used_mm, largest_pt)
                size_pt = min(size_pt, size)
        if size_pt:
            return Base(height_mm(lines), size_pt, lines)
    return Base(height_mm(2), SMALLEST_CARD_PT, 2)


def plan_foot(widths: TextWidths, card: Card, form: CardFormat) -> Foot:
    """Return how the tracks of a card stand in its foot, and the height that the foot needs."""
    scale = form.scale
    tracks = tuple(_share_lines(widths, card.tracks, form))
    if not tracks and not card.boxes:
        return Foot((), 0.0)
    height_mm = _FOOT_EDGES_MM * scale
    planned = []
    for line in tracks:
        plans = tuple(_plan_track(track, form, form.track_mm / len(line)) for track in line)
        planned.append(plans)
        labels = max(_label_lines(widths, each.track, form) for each in plans)
        boxes = max(
            each.lines * (each.high_mm + _LINE_GAP_MM * scale) + each.hung_mm for each in plans
        )
        height_mm += labels * _STATE_MM * scale + boxes
    if card.boxes and tracks:
        height_mm += _status_lines(widths, card.boxes, form) * _STATUS_MM * scale
    elif card.boxes:
        height_mm += (_STATE_MM + _STATUS_BOX_MM) * scale
    return Foot(tuple(planned), round(height_mm, 2))


def _share_lines(
    widths: TextWidths, tracks: Sequence[LossTrack], form: CardFormat
) -> Iterator[tuple[LossTrack, ...]]:
    """Yield the tracks of each line: two of at most five boxes share one if their labels fit."""
    at = 0
    while at < len(tracks):
        pair = tracks[at : at + 2]
        shared = len(pair) > 1 and all(
            len(track.boxes) <= _FIVE
            and not track.of
            and _label_mm(widths, track, form) <= form.room_mm / 2
            for track in pair
        )
        yield tuple(pair if shared else pair[:1])
        at += 2 if shared else 1


def _plan_track(track: LossTrack, form: CardFormat, room_mm: float) -> PlannedTrack:
    """Return a track with squares to tick in lines of ten; of very many, in narrower boxes.

    A dozen stand in one line, for a second one would hold two.
    """
    number = max(len(track.boxes), 1)
    high_mm = round(form.tick_mm * (1 if number <= _MOST_LARGE else _SMALL_TICK), 2)
    in_line = min(number, _TEN if number <= _MOST_LARGE else _MOST_IN_LINE)
    if number <= _MOST_IN_ONE:
        in_line = number
    tick_mm = min(high_mm, _widest_tick_mm(in_line, room_mm, form.scale))
    return PlannedTrack(track, tick_mm, high_mm, in_line)


def _widest_tick_mm(in_line: int, room_mm: float, scale: float) -> float:
    """Return the width of boxes that fill a line."""
    gaps_mm = (in_line * _TICK_GAP_MM + ceil(in_line / _FIVE) * _FIVE_GAP_MM) * scale
    return round((room_mm - gaps_mm) / in_line - 0.005, 2)


def fill_foot(foot: Foot, frame: CardFrame, form: CardFormat) -> Foot:
    """Return a foot with squares as large as the deck's foot has room for."""
    spare_mm = frame.foot_mm - foot.height_mm
    lines = sum(max(each.lines for each in line) for line in foot.tracks)
    if frame.tightness or not lines or spare_mm <= 0:
        return foot
    tracks = []
    for line in foot.tracks:
        high_mm = max(each.high_mm for each in line) + spare_mm / lines
        widest_mm = min(
            _widest_tick_mm(each.in_line, form.track_mm / len(line), form.scale) for each in line
        )
        side_mm = round(min(high_mm, widest_mm, _LARGEST_TICK_MM), 2)
        tracks.append(
            tuple(
                replace(each, tick_mm=side_mm, high_mm=side_mm) if side_mm > each.high_mm else each
                for each in line
            )
        )
    return replace(foot, tracks=tuple(tracks))


_LARGEST_TICK_MM = 7.0
"""The side of the largest box that is made: larger ones look like boxes to write in."""
_LEAST_MARK_MM = 2.47
_MARK_SHARE = 0.6
_ROLL_SHARE = 0.47
"""The size of a mark in a box, 7 pt at least, and as a share of the box."""
_HUNG_MM = 2.1


def _label_lines(widths: TextWidths, track: LossTrack, form: CardFormat) -> int:
    """Return how many lines the label of a track needs, with what explains its marks."""
    return max(1, ceil(_label_mm(widths, track, form) / form.room_mm))


def _label_mm(widths: TextWidths, track: LossTrack, form: CardFormat) -> float:
    """Return the width of the label of a track, with what explains its marks."""
    size_pt, blank_mm = _REMARK_PT * form.scale, widths.regular(" ", _REMARK_PT * form.scale)
    width_mm = widths.bold(track.strength or track.label, _STATE_PT * form.scale) + _STATE_GAP_MM
    if track.remark:
        width_mm += widths.regular(f" {track.remark}", size_pt) + _REMARK_GAP_MM * form.scale
    for mark, meaning in track.meanings:
        width_mm += widths.bold(mark, size_pt) + _MARK_MM + _STATE_GAP_MM + 2 * blank_mm
        width_mm += widths.regular(meaning, size_pt)
    return width_mm


def _status_lines(widths: TextWidths, labels: Sequence[str], form: CardFormat) -> int:
    """Return how many lines the boxes for a unit's status need, each beside its label."""
    lines, used_mm = 1, 0.0
    for label in labels:
        width_mm = widths.regular(label, _STATUS_PT * form.scale) + 6.6 * form.scale
        if used_mm and used_mm + width_mm > form.room_mm + 1.2 * form.scale:
            lines, used_mm = lines + 1, 0.0
        used_mm += width_mm
    return lines
