"""Plan the frame of a deck: what stands at the same height on all its cards of one format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING

from muster.rendering.card_type import (
    EDGE_MM,
    SMALLEST_CARD_PT,
    TextWidths,
    place_commands,
)
from muster.rendering.cut_sheets import CutGrid
from muster.rendering.environment import split_measure

if TYPE_CHECKING:
    from muster.documents.cards import Card, LargeFigure, LossTrack
    from muster.rendering.card_type import CommandPlace


@dataclass(frozen=True, slots=True)
class CardFormat(CutGrid):
    """The size of a card, how many stand on a sheet, and its type sizes in points."""

    title: str
    scale: float
    """How much larger head, key figures and foot are than on a card of nine to a page."""
    sizes: tuple[float, ...]
    """The type sizes of its tables in points, the largest first."""

    @property
    def smallest_pt(self) -> float:
        """The smallest type size of its tables, in points."""
        return self.sizes[-1]

    @property
    def is_large(self) -> bool:
        """Whether it has the blocks that are for large cards only."""
        return self.scale > 1


CARD_FORMATS = {
    "9-up": CardFormat(63, 88, 3, 3, "nine to a page", 1, (9.4, 8.8, 8.2, 7.6, 7)),
    "4-up": CardFormat(
        70, 120, 2, 2, "four to a page", 1.2, (11.6, 11.2, 10.8, 10.4, 9.8, 9.2, 8.6, 8, 7.3)
    ),
    "single": CardFormat(63, 88, 1, 1, "one to a page", 1, (9.4, 8.8, 8.2, 7.6, 7)),
}

_HEAD_MM = 14.2
_HEAD_LINE_MM = 2.2
_FIGURES_MM = 10.4
_TIGHT_MM = {"head": 1.9, "figures": 1.0, "foot": 1.0}
"""The heights of the head, of what a fourth line adds to it, and of the key figures, and what a
deck with too full a card saves of them and of its foot."""

_LARGEST_FIGURE_PT = 18.0
_SMALLEST_FIGURE_PT = 14.0
_NARROW_FIGURE = 0.8
_WORD_PT = 10.0
_UNIT_PT = 8.0
_FIGURE_GAP_MM = 1.3
_STRIP_EDGES_MM = 4.2
_STEP_PT = 0.5

_FIVE = 5
_TICK_MM = 4.8
_TICK_GAP_MM = 0.4
_FIVE_GAP_MM = 1.4
_LINE_GAP_MM = 0.5
_MOST_IN_LINE = 15
_TWO_LINES = 20
_TEN = 10
_STATE_MM = 3.6
_STATUS_MM = 4.5
_STATUS_BOX_MM = 7.2
_FOOT_EDGES_MM = 2.4
_STATE_PT = 7.6
_STATE_SCALE = 1.08
"""The sizes of what stands in the foot, as `cards.css` has them."""


@dataclass(frozen=True, slots=True)
class PlannedTrack:
    """A track of boxes to tick off, with the size of a box and how many stand in a line."""

    track: LossTrack
    tick_mm: float
    high_mm: float
    in_line: int

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
class CardFrame:
    """Heights in millimetres and sizes in points that all cards of a deck have in one format."""

    head_mm: float
    command: CommandPlace
    figures_mm: float
    figure_pt: float
    narrow_pt: float
    label_pt: float
    foot_mm: float
    tick_mm: float
    """The height of a box to tick off."""
    is_tight: bool
    """Whether head, key figures and foot are lower, for a card that has no room otherwise."""

    box_mm: float
    """The height of the boxes of a card without tracks, which fill its foot."""

    @property
    def height_mm(self) -> float:
        """How much of a card's height is not for its tables."""
        return self.head_mm + self.figures_mm + self.foot_mm


def plan_frame(
    widths: TextWidths, cards: Sequence[Card], form: CardFormat, *, tight: bool = False
) -> CardFrame:
    """Return the frame that has room for the fullest strip of figures, and the fullest foot."""
    scale = form.scale
    less = _TIGHT_MM if tight else dict.fromkeys(_TIGHT_MM, 0.0)
    strips = [card.large_figures for card in cards if card.large_figures]
    figure_pt, label_pt = _figure_sizes(widths, strips, form)
    command = place_commands(widths, cards, form.width_mm, form.scale)
    head_mm = _HEAD_MM + (_HEAD_LINE_MM if command == "below" else 0) - less["head"]
    foot_mm = max((plan_foot(widths, card, form).height_mm for card in cards), default=0.0)
    foot_mm = round(max(foot_mm - less["foot"] * scale, 0.0), 2)
    return CardFrame(
        head_mm=round(head_mm * scale, 2),
        command=command,
        figures_mm=round((_FIGURES_MM - less["figures"]) * scale, 2) if strips else 0.0,
        figure_pt=figure_pt,
        narrow_pt=max(_SMALLEST_FIGURE_PT, round(figure_pt * _NARROW_FIGURE, 1)),
        label_pt=label_pt,
        foot_mm=foot_mm,
        tick_mm=_tick_mm(form),
        is_tight=tight,
        box_mm=round(max(foot_mm - (_FOOT_EDGES_MM + _STATE_MM) * scale - _LINE_GAP_MM, 0.0), 2),
    )


def _figure_sizes(
    widths: TextWidths, strips: Sequence[Sequence[LargeFigure]], form: CardFormat
) -> tuple[float, float]:
    """Return the largest sizes of figures and their labels at which each strip fits its card."""
    label_pt = SMALLEST_CARD_PT * form.scale
    while True:
        figure_pt = _LARGEST_FIGURE_PT * form.scale
        while figure_pt >= _SMALLEST_FIGURE_PT:
            if all(
                _strip_mm(widths, strip, figure_pt, label_pt) <= form.width_mm for strip in strips
            ):
                return round(figure_pt, 1), round(label_pt, 1)
            figure_pt -= _STEP_PT
        if label_pt <= SMALLEST_CARD_PT:
            return _SMALLEST_FIGURE_PT, SMALLEST_CARD_PT
        label_pt = max(SMALLEST_CARD_PT, label_pt - _STEP_PT)


def _strip_mm(
    widths: TextWidths, strip: Sequence[LargeFigure], figure_pt: float, label_pt: float
) -> float:
    return _STRIP_EDGES_MM + sum(
        max(_figure_mm(widths, figure, figure_pt), widths.bold(figure.label, label_pt))
        + _FIGURE_GAP_MM
        for figure in strip
    )


def _figure_mm(widths: TextWidths, figure: LargeFigure, figure_pt: float) -> float:
    text = figure.compact
    if figure.is_word:
        return max(widths.bold(word, _WORD_PT) for word in (text or " ").split(" "))
    number, unit = split_measure(text)
    size = figure_pt
    if figure.is_narrow:
        size = max(_SMALLEST_FIGURE_PT, figure_pt * _NARROW_FIGURE)
    return widths.bold(number, size) + (widths.bold(f" {unit}", _UNIT_PT) if unit else 0.0)


def plan_foot(widths: TextWidths, card: Card, form: CardFormat) -> Foot:
    """Return how the tracks of a card stand in its foot, and the height that the foot needs."""
    room_mm = form.width_mm - 2 * EDGE_MM
    tracks = tuple(_share_lines(card.tracks))
    if not tracks and not card.boxes:
        return Foot((), 0.0)
    height_mm = _FOOT_EDGES_MM * form.scale
    planned = []
    for line in tracks:
        plans = tuple(_plan_track(track, form, room_mm / len(line)) for track in line)
        planned.append(plans)
        labels = max(_label_lines(widths, each.track, room_mm, form) for each in plans)
        boxes = max(each.lines for each in plans)
        height_mm += labels * _STATE_MM * form.scale + boxes * (_tick_mm(form) + _LINE_GAP_MM)
    if card.boxes and tracks:
        height_mm += _status_lines(widths, card.boxes, room_mm, form) * _STATUS_MM * form.scale
    elif card.boxes:
        height_mm += (_STATE_MM + _STATUS_BOX_MM) * form.scale
    return Foot(tuple(planned), round(height_mm, 2))


def _share_lines(tracks: Sequence[LossTrack]) -> Iterator[tuple[LossTrack, ...]]:
    """Yield the tracks of each line: two of at most five boxes share one."""
    at = 0
    while at < len(tracks):
        pair = tracks[at : at + 2]
        shared = len(pair) > 1 and all(
            len(track.boxes) <= _FIVE and not track.remark and not track.of for track in pair
        )
        yield tuple(pair if shared else pair[:1])
        at += 2 if shared else 1


def _tick_mm(form: CardFormat) -> float:
    return round(_TICK_MM * min(form.scale, 1.12), 2)


def _plan_track(track: LossTrack, form: CardFormat, room_mm: float) -> PlannedTrack:
    """Return a track with boxes as wide as its line has room for, up to squares."""
    number = len(track.boxes)
    in_line = number
    if number > _MOST_IN_LINE:
        in_line = _TEN if number <= _TWO_LINES else _MOST_IN_LINE
    in_line = max(in_line, 1)
    usual_mm = _tick_mm(form)
    tick_mm = min(usual_mm, _widest_tick_mm(in_line, room_mm))
    return PlannedTrack(track, tick_mm, usual_mm, in_line)


def _widest_tick_mm(in_line: int, room_mm: float) -> float:
    """Return the width of boxes that fill a line."""
    gaps_mm = in_line * _TICK_GAP_MM + ceil(in_line / _FIVE) * _FIVE_GAP_MM
    return round((room_mm - gaps_mm) / in_line - 0.005, 2)


def fill_foot(foot: Foot, frame: CardFrame, form: CardFormat) -> Foot:
    """Return a foot with squares as large as the deck's foot has room for."""
    spare_mm = frame.foot_mm - foot.height_mm
    lines = sum(max(each.lines for each in line) for line in foot.tracks)
    if frame.is_tight or not lines or spare_mm <= 0:
        return foot
    high_mm = frame.tick_mm + spare_mm / lines
    room_mm = form.width_mm - 2 * EDGE_MM
    tracks = []
    for line in foot.tracks:
        widest_mm = min(_widest_tick_mm(each.in_line, room_mm / len(line)) for each in line)
        side_mm = round(min(high_mm, widest_mm), 2)
        tracks.append(
            tuple(
                replace(each, tick_mm=side_mm, high_mm=side_mm) if side_mm > each.high_mm else each
                for each in line
            )
        )
    return replace(foot, tracks=tuple(tracks))


def _label_lines(widths: TextWidths, track: LossTrack, room_mm: float, form: CardFormat) -> int:
    """Return how many lines the label of a track needs, with what explains its marks."""
    scale = min(form.scale, _STATE_SCALE)
    size = SMALLEST_CARD_PT * scale
    words = [track.remark, *(f" {mark}  {meaning}  " for mark, meaning in track.meanings)]
    width_mm = widths.bold(track.strength or track.label, _STATE_PT * scale)
    width_mm += sum(widths.regular(f"{word} ", size) + 1.2 for word in words if word)
    return max(1, ceil(width_mm / room_mm))


def _status_lines(
    widths: TextWidths, labels: Sequence[str], room_mm: float, form: CardFormat
) -> int:
    """Return how many lines the boxes for a unit's status need, each beside its label."""
    lines, used_mm = 1, 0.0
    for label in labels:
        width_mm = widths.regular(label, SMALLEST_CARD_PT * form.scale) + 6.2 * form.scale
        if used_mm and used_mm + width_mm > room_mm + 1.2:
            lines, used_mm = lines + 1, 0.0
        used_mm += width_mm
    return lines
