"""How wide the columns of a roster are, and how large its type may be beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil
from operator import itemgetter
from typing import TYPE_CHECKING

from muster.documents.roster import Track
from muster.languages import say, with_decimal_mark
from muster.rendering.text_widths import LETTER_EM, text_room_em

if TYPE_CHECKING:
    from muster.documents.roster import ColumnKey, Roster, RosterEntry

_REGULAR_PT = 9.0
FULL_SMALLEST_PT = 8.5
"""A full roster that fits one page at this size or above is not spread over two."""

_GAP_EM = 0.3
_PADDING_EM = 0.7
_WORD_GAP_EM = 0.45
"""The gap before a column of words, beside the padding of all columns."""
_SYMBOL_EM = 1.8
"""The width of a unit's symbol with its gap."""
_LEAST_NAME_EM = 15.0
"""A name has at least this width, in em, unless all columns together need more than the page."""
_SECOND_SHARE, _SECOND_SMALLEST_PT = 0.8, 8.0
"""What stands beside the name of a unit of one line may have type so much smaller, but no less."""
_LAST_WORD_EM = 4.0
"""What the first of two lines may leave empty, in em, since its next word does not fit."""
_NAME_SLACK = 1.04
"""How much wider than reckoned a name is taken to be, so that none is broken unexpectedly."""
_ROOMY_NAME_EM = 18.0
"""On several pages, type is no larger than leaves names this width, in em, if they need it."""
_LONGEST_NAME_EM = 21.0
"""Names up to this width, in em, are not broken for the sake of larger type."""
_MOST_SPREAD_EM = 1.6
"""How much wider than its texts a column may be, where names leave room."""
_WHOLE_TRACK = 12
"""The most boxes of a unit that are never spread over two lines."""
_SPREAD_TRACK, _MOST_BOXES = 10, 20
"""The fewest boxes on a line of more, and the most on any line."""
_WHOLE_CHARACTERS = 12
"""Texts of so many characters are not broken, however narrow the column is."""
_BOX_EM, _HALVED_BOX_EM, _BOX_GAP_EM = 1.08, 1.22, 0.08
_SCREEN_BOX_EM = 1.8
_FIVE_GAP_EM, _SCREEN_FIVE_GAP_EM = 0.45, 0.4
_UNIT_GAP_EM = 0.8
"""The width of a box on paper, of one in halves, and the gap after it; that of one for a finger
with its gap; the gap after five boxes, and that after the boxes of a unit."""
_MARK_SHARE, _MARK_PADDING_EM = 0.63, 0.25
"""The width of the condensed type of a mark of several characters, and the edges of its box."""
_COPY_EM = 1.1
"""The width of the number before the boxes of each of several equal units."""
_GROUND_EM = 0.6
"""The edges of the ground on which boxes stand below values."""
_WRITTEN_EM = 5.0
"""The width of a box to write losses in."""
_SIGN_EM = 1.25
"""The width of the sign of a tally's boxes before its label."""


@dataclass(frozen=True, slots=True)
class BoxWidths:
    """The widths of boxes in em: all of a roster are alike, so that those of its rows align.

    Attributes:
        box: The width of a box on paper.
        pitch: The width of a box with its gap.
        gap: The gap after five boxes.
    """

    box: float
    pitch: float
    gap: float

    def row_em(self, tracks: Sequence[Track], count: int = 1) -> float:
        """Return the width of the boxes of one unit with the gap after them.

        Each of several equal units has its number before them.
        """
        rows = (track.boxes * self.pitch + ceil(track.boxes / 5) * self.gap for track in tracks)
        return round(sum(rows) + _UNIT_GAP_EM + (_COPY_EM if count > 1 else 0), 2)


def _box_widths(roster: Roster, *, on_paper: bool) -> BoxWidths:
    if not on_paper:
        return BoxWidths(0, _SCREEN_BOX_EM, _SCREEN_FIVE_GAP_EM)
    tracks = [track for entry in entries_of(roster) for track in entry.tracks]
    marks = [box.mark for each in tracks if each.marks for box in each.marks.boxes]
    written = (text_room_em(mark) for mark in marks if len(mark) > 1)
    marked = _MARK_SHARE * max(written, default=0) + _MARK_PADDING_EM
    halved = _HALVED_BOX_EM if any(track.halved for track in tracks) else 0
    box = round(max(_BOX_EM, halved, marked), 2)
    return BoxWidths(box, box + _BOX_GAP_EM, _FIVE_GAP_EM)


@dataclass(slots=True)
class RosterWidths:
    """The widths of the columns of a roster's tables in em, and which of them there are.

    Attributes:
        columns: The widths of the columns of values.
        figures: The columns of values that hold numbers.
        size: The width of the strengths.
        digits: The width of the numbers in them.
        points: The width of the prices.
        fraction: The width of what follows their decimal mark; 0 if nothing does.
        mark: The decimal mark.
        bare_sizes: Whether the strengths are numbers without nouns.
        boxes: The widths of boxes.
        losses: The width of the boxes.
        has_sizes: Whether there is a column of strengths.
        has_points: Whether there is one of prices.
        has_losses: Whether there is one of boxes.
        on_paper: Whether the roster is printed.
        lower: How many columns the boxes in the second row of a unit take; 0 if it has one row.
        lower_em: The width of these columns.
        is_tight: Whether names have less room than they should.
    """

    columns: dict[ColumnKey, float]
    figures: set[ColumnKey]
    size: float
    digits: float
    points: float
    fraction: float
    mark: str
    boxes: BoxWidths
    bare_sizes: bool = False
    losses: float = 0
    has_sizes: bool = False
    has_points: bool = False
    has_losses: bool = False
    on_paper: bool = True
    lower: int = 0
    lower_em: float = 0
    is_tight: bool = False

    @property
    def total_em(self) -> float:
        """The width of all columns but that of the names."""
        shown = [
            *self.columns.values(),
            *([self.size] if self.has_sizes else []),
            *([self.points] if self.has_points else []),
            *([self.losses] if self.has_losses else []),
        ]
        return sum(shown) + _PADDING_EM * len(shown)

    def boxes_a_line(self, track: Track, count: int) -> int:
        """Return how many boxes a line has room for, of a track of each of so many equal units.

        On a screen it has room for all of them.
        """
        if not self.on_paper:
            return track.boxes
        room_em = (self.lower_em if self.lower else self.losses) + _ROUNDING
        fitting = (
            number
            for number in range(track.boxes, 1, -1)
            if self.boxes.row_em((replace(track, boxes=number),), count) <= room_em
        )
        return next(fitting, 1)

    def spread(self, free_em: float, most_em: float) -> None:
        """Widen columns, but not boxes, by equal shares of free room, each by so much at most."""
        number = len(self.columns) + self.has_sizes + self.has_points
        share = round(min(free_em / number, most_em), 2) if number else 0
        if share > 0:
            self.columns = {key: width + share for key, width in self.columns.items()}
            self.size += share if self.has_sizes else 0
            self.points += share if self.has_points else 0


def column_widths(roster: Roster, room_em: float = 64, *, on_paper: bool = False) -> RosterWidths:
    """Return what the columns of all tables of a roster have in common, widths in em.

    The name takes what is left. Boxes for losses have a column of their own: those of each unit
    begin at its left, those of the second of equal units below the first one's, or beside them
    where both have room. If names have little room, long values are broken at a
    blank. Of ways that leave names enough, the one with the fewest lines is taken. If there is room
    to spare, the columns are spread, so that figures stand near their names.

    Args:
        roster: The roster.
        room_em: The width of the page in em.
        on_paper: Whether it is printed.
    """
    if roster.losses_below:
        return _widths_of_two_rows(roster, room_em)
    entries = entries_of(roster)
    tried = []
    boxes = _box_widths(roster, on_paper=on_paper)
    for boxes_em, breaks in _ways(roster, boxes):
        widths = _columns_of(roster, boxes_em, breaks=breaks)
        widths.boxes = boxes
        name_em = room_em - widths.total_em - _PADDING_EM
        is_tight = name_em < _LEAST_NAME_EM - _PADDING_EM
        lines = sum(_lines_of(entry, name_em, boxes_em, boxes) for entry in entries)
        # Values are broken only if names have little room, or whatever is done.
        breaks_late = breaks is not is_tight
        tried.append(((is_tight, breaks_late, lines, widths.total_em), widths))
    (is_tight, *_), widths = min(tried, key=itemgetter(0))
    widths.on_paper, widths.is_tight = on_paper, is_tight
    names = (sum(widths_em) for widths_em in _names_of_units(roster))
    name_em = max(max(names, default=0) + _PADDING_EM, _LEAST_NAME_EM)
    widths.spread(room_em - widths.total_em - name_em, _MOST_SPREAD_EM)
    return widths


def _widths_of_two_rows(roster: Roster, room_em: float) -> RosterWidths:
    """Return widths as `column_widths`, for units of two rows: their boxes stand in the second."""
    widths = _columns_of(roster, 0, breaks=False)
    widths.lower = len(widths.columns) + widths.has_points
    widths.is_tight = room_em - widths.total_em < _LEAST_NAME_EM
    names_em = max(_longest_name_em(roster) * _NAME_SLACK, _LEAST_NAME_EM) + _PADDING_EM
    longest_em = max(widths.boxes.row_em(each.tracks, each.count) for each in entries_of(roster))
    boxes_em = min(longest_em, widths.boxes.row_em((Track(_MOST_BOXES),))) + _GROUND_EM
    missing_em = boxes_em - widths.total_em
    most_em = max(_MOST_SPREAD_EM, missing_em / widths.lower)
    widths.spread(room_em - widths.total_em - names_em, most_em)
    # The heads of the columns are padded, and so are the boxes, a little less but for their ground.
    widths.lower_em = widths.total_em - _GROUND_EM
    return widths


def _name_em_of_two_rows(entry: RosterEntry) -> float:
    count = f"{entry.count} × " if entry.count > 1 else ""
    facts = [f"{row.label} {cell.text}" for row in entry.all_facts for cell in row.values]
    kind = f"{entry.strength} {entry.noun} {entry.type}"
    texts = [count + entry.name, kind, entry.how, *entry.options, *facts]
    symbol = _SYMBOL_EM if entry.symbol else 0
    return max(map(text_room_em, texts)) + symbol + entry.depth


def _ways(roster: Roster, boxes: BoxWidths) -> list[tuple[float, bool]]:
    """Return widths, in em, that the boxes may have, and with each whether values may be broken.

    The narrowest width, the first, holds all boxes of a unit that has few.
    """
    held = [entry for entry in entries_of(roster) if entry.tracks]
    if not held:
        return [(0, False), (0, True)]
    rows = {entry: boxes.row_em(entry.tracks, entry.count) for entry in held}
    most = max(entry.count for entry in held)
    spread = boxes.row_em((Track(_SPREAD_TRACK),), most)
    least = max(row if entry.box_count <= _WHOLE_TRACK else spread for entry, row in rows.items())
    whole = {
        row * number
        for entry, row in rows.items()
        for number in range(1, min(entry.count, _MOST_BOXES // entry.box_count) + 1)
    }
    whole |= {
        boxes.row_em((Track(number),), most)
        for number in range(_SPREAD_TRACK, _MOST_BOXES + 1, 5)
        if any(entry.box_count > number for entry in held)
    }
    widths = sorted({least, *(width for width in whole if least < width)})
    return [(width, breaks) for breaks in (False, True) for width in widths]


def _paper_ways(roster: Roster) -> list[tuple[float, bool]]:
    return _ways(roster, _box_widths(roster, on_paper=True))


def _lines_of(entry: RosterEntry, name_em: float, boxes_em: float, boxes: BoxWidths) -> int:
    """Return about how many lines an entry needs.

    Args:
        entry: The entry.
        name_em: The width of its name in em.
        boxes_em: The width of the column of boxes in em.
        boxes: The widths of boxes.
    """
    if entry.kind in {"leader", "group"}:
        return 1
    whole_em = _name_em(entry) + text_room_em(entry.how)
    name = ceil(whole_em * _NAME_SLACK / max(name_em, 1))
    if not entry.tracks:
        return name
    row_em = boxes.row_em(entry.tracks, entry.count)
    a_line = int(boxes_em / row_em + _ROUNDING)
    rows = ceil(entry.count / a_line) if a_line else entry.count * ceil(row_em / boxes_em)
    return max(name, rows)


def largest_size(roster: Roster, room_pt: float, most: float) -> float:
    """Return the largest type size, in points, at which the columns of a page leave room for names.

    Args:
        roster: The roster.
        room_pt: The width of the page in points.
        most: The largest size that there may be.
    """
    names_em = min(max(_longest_name_em(roster), _LEAST_NAME_EM), _LONGEST_NAME_EM)
    ways = [(0.0, False)] if roster.losses_below else _paper_ways(roster)
    size = max(
        room_pt / (_columns_of(roster, boxes_em, breaks=False).total_em + names_em + _PADDING_EM)
        for boxes_em, breaks in ways
        if not breaks
    )
    return min(max(size, _REGULAR_PT), most)


def one_line_size(roster: Roster, room_pt: float, most: float) -> float:
    """Return the largest type size, in points, at which each unit of a roster has one line.

    What stands beside their names has smaller type if need be. Names that are too long for one
    line even so have the smallest type.

    Args:
        roster: The roster.
        room_pt: The width of the page in points.
        most: The largest size that there may be.
    """
    others_em = _columns_of(roster, 0, breaks=False).total_em + _PADDING_EM
    names = _names_of_units(roster)
    size = min(most, room_pt / (others_em + _LEAST_NAME_EM))
    for first_em, second_em in names:
        in_proportion = room_pt / (others_em + first_em + second_em * _SECOND_SHARE)
        in_smallest = (room_pt - second_em * _SECOND_SMALLEST_PT) / (others_em + first_em)
        size = min(size, in_proportion, in_smallest)
    return max(size, _SECOND_SMALLEST_PT)


def wrapped_size(roster: Roster, room_pt: float, most: float) -> float:
    """Return the largest type size, in points, at which no name of a unit is broken.

    What stands beside the names goes on below them in two lines at most.

    Args:
        roster: The roster.
        room_pt: The width of the page in points.
        most: The largest size that there may be.
    """
    others_em = _columns_of(roster, 0, breaks=False).total_em + _PADDING_EM
    names_em = [
        max(first_em, (first_em + second_em * _SECOND_SHARE) / 2 + _LAST_WORD_EM)
        for first_em, second_em in _names_of_units(roster)
    ]
    return min(most, room_pt / (others_em + max([_LEAST_NAME_EM, *names_em])))


def second_size(roster: Roster, size: float, room_pt: float) -> float:
    """Return the type size, in points, at which what stands beside names leaves units one line.

    Where that is too small, it goes on below the names.

    Args:
        roster: The roster.
        size: The type size of the names in points.
        room_pt: The width of the page in points.
    """
    others_em = _columns_of(roster, 0, breaks=False).total_em + _PADDING_EM
    second = min(
        (
            (room_pt - (others_em + first_em) * size) / second_em
            for first_em, second_em in _names_of_units(roster)
            if second_em
        ),
        default=size,
    )
    return min(max(second, _SECOND_SMALLEST_PT, size * _SECOND_SHARE), size)


def _names_of_units(roster: Roster) -> list[tuple[float, float]]:
    """Return the width of each unit's name, and of what stands beside it, in em of their sizes."""
    names = []
    for entry in entries_of(roster):
        if entry.kind == "unit":
            first, second = _split_name_em(entry)
            names.append((first * _NAME_SLACK, second * _NAME_SLACK))
    return names


def size_for_tight_names(roster: Roster, room_pt: float) -> float:
    """Return the largest size, in points, at which columns of broken values leave names tight room.

    The size is no smaller than that of a full roster on one page may be.

    Args:
        roster: The roster.
        room_pt: The width of the page in points.
    """
    boxes_em = 0 if roster.losses_below else _paper_ways(roster)[0][0]
    others_em = _columns_of(roster, boxes_em, breaks=not roster.losses_below).total_em
    names_em = _longest_name_em(roster) * _NAME_SLACK + _PADDING_EM
    names_em = min(max(names_em, _LEAST_NAME_EM), _ROOMY_NAME_EM)
    return max(room_pt / (others_em + names_em), FULL_SMALLEST_PT)


def has_movable_boxes(roster: Roster) -> bool:
    """Return whether any unit has boxes, and values that these may stand below."""
    return bool(roster.keys) and any(section.has_losses for section in roster.sections)


def entries_of(roster: Roster) -> list[RosterEntry]:
    """Return all entries of a roster, whatever section they are in."""
    return [entry for section in roster.sections for entry in section.entries]


def _columns_of(roster: Roster, boxes_em: float, *, breaks: bool) -> RosterWidths:
    """Return the width of each column but the name's, for boxes of a width in em."""
    entries = entries_of(roster)
    signs = max((len(entry.tracks) for entry in entries if entry.tallies), default=0)
    label = text_room_em(roster.losses) + _GAP_EM + signs * _SIGN_EM
    written = _WRITTEN_EM if any(entry.losses_of for entry in entries) else 0
    widths = _widths_of(roster, entries, breaks=breaks)
    widths.losses = round(max(boxes_em, label, written), 2)
    widths.has_points = any(section.has_points for section in roster.sections)
    if not roster.losses_below:
        widths.has_sizes = any(section.has_sizes for section in roster.sections)
        widths.has_losses = any(section.has_losses for section in roster.sections)
    return widths


_ROUNDING = 0.01


def _widths_of(roster: Roster, entries: list[RosterEntry], *, breaks: bool) -> RosterWidths:
    cells: dict[ColumnKey, list[str]] = {key: [] for key in roster.keys}
    for section in roster.sections:
        for entry in section.entries:
            for key, cell in zip(section.keys, entry.values, strict=False):
                cells[key].append(cell.text)

    def width(texts: Iterable[str]) -> float:
        return round(max(map(text_room_em, texts), default=0) + _GAP_EM, 2)

    figures = {key for key, texts in cells.items() if all(map(_is_figure, texts))}
    if breaks:
        cells = {key: list(map(_longest_part, texts)) for key, texts in cells.items()}
    mark = with_decimal_mark(".")
    fractions = (entry.points.partition(mark)[2] for entry in entries)
    sizes = [entry.strength for entry in entries if entry.kind != "group"]
    most_digits = max((len(_first_digits(size)) for size in sizes), default=0)
    most_decimals = max(map(len, fractions), default=0)
    return RosterWidths(
        bare_sizes=all(" " not in size for size in sizes),
        columns={
            key: width([key.label, *texts]) + (0 if key in figures else _WORD_GAP_EM)
            for key, texts in cells.items()
        },
        figures=figures,
        size=width([roster.sizes, *sizes]) + _WORD_GAP_EM,
        digits=round(most_digits * LETTER_EM, 2),
        points=width([say("Points"), *(entry.points for entry in entries)]),
        fraction=round((most_decimals + 0.5) * LETTER_EM, 2) if most_decimals else 0,
        mark=mark,
        boxes=_box_widths(roster, on_paper=True),
    )


def _is_figure(text: str) -> bool:
    """Return whether a value is a number or has one, or is a dash or nothing."""
    return text in {"", "–"} or any(map(str.isdigit, text))


def _first_digits(text: str) -> str:
    first = text.partition(" ")[0]
    return first if first.isdigit() else ""


def _longest_part(text: str) -> str:
    """Return the longest part of a text that is not broken at a blank."""
    return text if len(text) <= _WHOLE_CHARACTERS else max(text.split(" "), key=len)


def _longest_name_em(roster: Roster) -> float:
    """Return the width of the longest name of a unit, with what stands behind it or below it."""
    width = _name_em_of_two_rows if roster.losses_below else _name_em
    return max((width(each) for each in entries_of(roster) if each.kind == "unit"), default=0)


def _name_em(entry: RosterEntry) -> float:
    """Return the width of the name of an entry with all that stands behind it."""
    return sum(_split_name_em(entry))


def _split_name_em(entry: RosterEntry) -> tuple[float, float]:
    """Return the width of the name of an entry, and of what stands behind it."""
    count = f"{entry.count} ×" if entry.count > 1 else ""
    facts = [f"{row.label} {cell.text}" for row in entry.all_facts for cell in row.values]
    symbol = _SYMBOL_EM if entry.symbol else 0
    first = text_room_em(f"{count} {entry.name}") + symbol + entry.depth
    words = [entry.type, *facts, ", ".join(entry.options)]
    return first, text_room_em(" · ".join(filter(None, words)))
