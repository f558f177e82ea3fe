"""Print a roster: in full, on one page, or as a page for a tournament."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from muster.documents.foreign import ForeignWords, army_texts
from muster.documents.roster import Track
from muster.documents.short_roster import (
    SHORT_FORMS,
    count_units,
    first_commands,
    lead_lines,
    put_boxes_below,
    shorten,
    sign,
)
from muster.languages import say, with_decimal_mark
from muster.rendering.paper import PAPERS, PT_PER_MM, PX_PER_MM
from muster.rendering.printed import Printed, PrintError
from muster.rendering.prose_html import mark_foreign
from muster.rendering.text_widths import LETTER_EM, text_room_em
from muster.rendering.type_size import STEP, Search, SizeMemory, Trial, fit_type_size

if TYPE_CHECKING:
    from muster.documents.roster import Roster, RosterEntry
    from muster.rendering.environment import SiblingPages, TemplateEnvironment

ROSTER_MARGIN_MM = 14.0
_REGULAR_PT = 9.0
_LARGEST_PT = {"full": 12.0, "short": 14.0, "tournament": 13.0}
"""A roster with room to spare has larger type than regular, if its columns leave room for names."""
_FULL_PT = 9.5
_FULL_SMALLEST_PT = 8.5
"""A full roster that fits one page at this size or above is not spread over two."""
_SHORT_SMALLEST_PT = 7.0
_GLANCE_SMALLEST_PT = 8.0
"""A short form with the losses at which groups test has type of this size, or leaves them out."""
_WORTH_PT = 0.5
"""Units have their boxes below their values if that makes the type so much larger, in points."""
_SURE_SHARE = 0.93
"""The share of long pages that is filled for sure, since rows that belong together stay so."""
_SEARCH = Search(growth=1.3, enough=0.96, near=0.15)
"""A layout of a long roster takes a second, and a tenth of a point is not seen."""
_MOST_AIR_EM = {"full": 0.3, "short": 0.45, "tournament": 0.5}
"""How much higher above and below its text a row may be, where a page has room."""
_AIR_SHARE = {"full": 0.5, "short": 0.9, "tournament": 0.5}
"""The share of the room of a page that goes to its rows."""
_NOTES_HEAD_EM = 3.0
_NOTES_PITCH_MM = 8.0
_FEWEST_NOTES, _MOST_NOTES = 3, 8
"""A full roster that leaves room on its page has lines for notes."""
_SPARE_MM = 3.0
_MOST_LINES = 110
"""The lines that a page has at most, at the smallest size."""
_STYLES = ("base/print.css", "roster/roster.css", "roster/print.css")
_SCREEN_STYLES = ("base/screen.css", "roster/roster.css", "roster/screen.css")
_TEMPLATES = {"short": "roster/short.html.j2", "tournament": "roster/tournament.html.j2"}
"""The template of a variant that has one of its own."""


def roster_pdf(
    templates: TemplateEnvironment, roster: Roster, variant: str, paper: str, memory: SizeMemory
) -> Printed:
    """Print a roster.

    Args:
        templates: Templates and fonts.
        roster: The roster to print.
        variant: `full`, `short` for one page, or `tournament` for one line a unit and room to
            sign.
        paper: The id of a paper.
        memory: Type sizes that earlier builds found; what is found now is added.

    Raises:
        PrintError: If it cannot be printed.
    """
    layout = _RosterLayout(templates, variant, paper, memory)
    if variant == "short":
        return _print_short(layout, roster)
    if variant == "full":
        form = lead_lines(roster)
        printed = _print_page(layout, form, _FULL_SMALLEST_PT)
        return printed or layout.filled_pages(form)
    form = sign(roster)
    return _print_page(layout, form, _SHORT_SMALLEST_PT) or layout.pdf(form, _FULL_PT)


def _print_short(layout: _RosterLayout, roster: Roster) -> Printed:
    """Print a roster on one page, in the fullest of its short forms that fits.

    Of an army with more commands than a page has lines, the first commands are printed.

    Raises:
        PrintError: If not even the name of the army fits.
    """
    for form in filter(_may_fit, (make(roster) for make in SHORT_FORMS)):
        printed = _print_page(layout, form, _smallest_short_size(form))
        if printed is not None:
            return printed
    short = count_units(roster)
    number = len(short.sections)
    while number:
        fullness = layout.fullness(first_commands(short, number), _SHORT_SMALLEST_PT)
        if fullness <= 1:
            break
        number = min(int(number / fullness), number - 1)
    return layout.pdf(first_commands(short, number), _SHORT_SMALLEST_PT, 1)


def _smallest_short_size(form: Roster) -> float:
    """Return the smallest type of a short form, in points: larger if a shorter one is left."""
    groups = (entry for entry in _entries(form) if entry.kind == "group")
    return _GLANCE_SMALLEST_PT if any(group.marks for group in groups) else _SHORT_SMALLEST_PT


def _print_page(layout: _RosterLayout, form: Roster, smallest: float) -> Printed | None:
    """Print a form of a roster on one page; None if it does not fit."""
    form = layout.with_rows_for_page(form, smallest)
    size = layout.fitting_size(form, smallest)
    if not size:
        return None
    try:
        return layout.filled_pdf(form, size)
    except PrintError:
        # The libraries of this machine have changed since then: find the size again.
        layout.forget(form)
    size = layout.fitting_size(form, smallest)
    return layout.filled_pdf(form, size) if size else None


def _may_fit(roster: Roster) -> bool:
    """Return whether a page may have enough lines: two for the head of each command, and its rows.

    Laying out a long roster takes seconds, so that one that cannot fit is not tried.
    """
    rows = (0 if section.is_running else len(section.entries) for section in roster.sections)
    return sum(rows) + 2 * len(roster.sections) <= _MOST_LINES


class _RosterLayout:
    """Lays out and prints the rosters of one variant on one paper."""

    def __init__(
        self, templates: TemplateEnvironment, variant: str, paper: str, memory: SizeMemory
    ) -> None:
        self._templates = templates
        self._variant = variant
        self._paper = PAPERS[paper]
        self._room_pt = (self._paper.width_mm - 2 * ROSTER_MARGIN_MM) * PT_PER_MM
        self._memory = memory
        self._styles = templates.read_styles(_STYLES)
        self._template = _TEMPLATES.get(variant, "roster/print.html.j2")
        self._measured: dict[tuple[str, float], float] = {}

    def fitting_size(self, roster: Roster, smallest: float) -> float:
        """Return the largest type size at which a roster fits one page; 0 if there is none."""
        key = self._key(roster)
        if key not in self._memory:
            largest = largest_size(roster, self._room_pt, _LARGEST_PT[self._variant])
            trial = fit_type_size(
                lambda size: Trial(size, self.fullness(roster, size), None),
                smallest,
                largest,
                start=largest,
                search=_SEARCH,
            )
            self._memory[key] = trial.size if trial.fullness <= 1 else 0
            if trial.fullness <= 1 and largest - trial.size < STEP:
                self._memory[f"{key} fullness"] = trial.fullness
        return self._memory[key]

    def with_rows_for_page(self, roster: Roster, smallest: float) -> Roster:
        """Return a roster with its boxes where they leave one page the larger type.

        They stand beside the values, unless that leaves names little room.
        """
        size = self.fitting_size(roster, smallest)
        if not size or not _has_boxes(roster):
            return roster
        below = put_boxes_below(roster)
        enough = size + (-_WORTH_PT if self._is_tight(roster, size) else _WORTH_PT)
        enough = max(enough, smallest)
        if largest_size(below, self._room_pt, _LARGEST_PT[self._variant]) < enough:
            return roster
        return below if self.fitting_size(below, enough) else roster

    def _is_tight(self, roster: Roster, size: float) -> bool:
        """Return whether names have little room at a type size in points."""
        widths = column_widths(roster, self._room_pt / size, on_paper=True)
        return bool(widths["is_tight"])

    def filled_pages(self, roster: Roster) -> Printed:
        """Print a long roster on as few pages as it needs, in the largest type that leaves it so.

        Boxes stand where they leave fewer pages or names more room. What room the type leaves goes
        to the rows.
        """
        forms = [roster, *([put_boxes_below(roster)] if _has_boxes(roster) else [])]
        form = min(forms, key=self._cost_of_pages)
        size = self._size_of_pages(form)
        free_mm = self._height_mm * self._memory.get(f"{self._key(form)} free", 0)
        return self.pdf(form, size, air_em=self._air_em(form, size, free_mm))

    def _cost_of_pages(self, roster: Roster) -> tuple[float, bool, float]:
        """Return what is least for the best form of a long roster."""
        size = self._size_of_pages(roster)
        pages = self._memory[f"{self._key(roster)} page number"]
        return pages, self._is_tight(roster, size), -size

    def _size_of_pages(self, roster: Roster) -> float:
        """Return the largest type size that leaves a long roster as few pages as it needs."""
        key = f"{self._key(roster)} pages"
        largest = max(largest_size(roster, self._room_pt, _LARGEST_PT["full"]), _FULL_PT)
        largest = min(largest, size_for_tight_names(roster, self._room_pt))
        smallest = min(_FULL_PT, largest)
        if key not in self._memory:
            pages = ceil(self.fullness(roster, smallest))
            trial = fit_type_size(
                lambda size: Trial(size, self.fullness(roster, size) / pages / _SURE_SHARE, None),
                smallest,
                largest,
                start=largest,
                layouts=2,
                search=_SEARCH,
            )
            self._memory[key] = trial.size
            self._memory[f"{self._key(roster)} page number"] = pages
            self._memory[f"{self._key(roster)} free"] = (
                max(1 - trial.fullness, 0) * pages * _SURE_SHARE
            )
        return self._memory[key]

    def filled_pdf(self, roster: Roster, size: float) -> Printed:
        """Print a roster on one page: what room its largest type leaves goes to its rows.

        What is left then goes to lines for notes on a full roster, and stands before the
        signatures on one for a tournament.

        Raises:
            PrintError: If it needs more than a page.
        """
        fullness = self._memory.get(f"{self._key(roster)} fullness", 1)
        free_mm = self._height_mm * (1 - fullness) - _SPARE_MM
        air_em = self._air_em(roster, size, free_mm)
        em_mm = size / PT_PER_MM
        free_mm -= 2 * _rows(roster) * air_em * em_mm
        lines = min(int((free_mm - _NOTES_HEAD_EM * em_mm) / _NOTES_PITCH_MM), _MOST_NOTES)
        html = self._html(
            roster,
            size,
            self._paper.height_mm,
            air_em=air_em,
            note_lines=lines if lines >= _FEWEST_NOTES else 0,
            free_mm=max(free_mm - _SPARE_MM, 0),
        )
        return self._templates.printer.pdf(html, self._styles, self._name(roster), 1)

    @property
    def _height_mm(self) -> float:
        """The height of a page between its margins."""
        return self._paper.height_mm - 2 * ROSTER_MARGIN_MM

    def _air_em(self, roster: Roster, size: float, free_mm: float) -> float:
        """Return how much higher above and below its text a row is, with half of what is free."""
        air_em = free_mm * _AIR_SHARE[self._variant] / _rows(roster) / 2 * PT_PER_MM / size
        return round(max(min(air_em, _MOST_AIR_EM[self._variant]), 0), 3)

    def forget(self, roster: Roster) -> None:
        """Forget the type size that was found for a roster."""
        self._memory.pop(self._key(roster), None)

    def pdf(
        self, roster: Roster, size: float, pages: int | None = None, air_em: float = 0
    ) -> Printed:
        """Print a roster.

        Args:
            roster: The roster.
            size: The type size in points.
            pages: How many pages it must have, if that is known.
            air_em: How much higher above and below its text a row is.

        Raises:
            PrintError: If it has another number of pages.
        """
        html = self._html(roster, size, self._paper.height_mm, air_em=air_em)
        return self._templates.printer.pdf(html, self._styles, self._name(roster), pages)

    def fullness(self, roster: Roster, size: float) -> float:
        """Return how full a page is at a type size in points; above 1 the roster is too long."""
        key = (self._key(roster), size)
        if key not in self._measured:
            printer = self._templates.printer
            html = self._html(roster, size, 9000)
            measured = printer.measure(html, self._styles, self._name(roster))
            height = measured.anchor("roster", self._template).height
            self._measured[key] = height / (self._height_mm * PX_PER_MM)
        return self._measured[key]

    def _key(self, roster: Roster) -> str:
        return self._templates.key(self._variant, self._paper.id, roster)

    def _name(self, roster: Roster) -> str:
        return f"{roster.army}: roster, {self._variant}"

    def _html(
        self,
        roster: Roster,
        size: float,
        height_mm: float,
        *,
        air_em: float = 0,
        note_lines: int = 0,
        free_mm: float = 0,
    ) -> str:
        return self._templates.render(
            self._template,
            roster=roster,
            widths=column_widths(roster, self._room_pt / size, on_paper=True),
            size_pt=size,
            page=(self._paper.width_mm, height_mm),
            margin_mm=ROSTER_MARGIN_MM,
            air_em=air_em,
            note_lines=note_lines,
            note_pitch_mm=_NOTES_PITCH_MM,
            free_mm=round(free_mm, 2),
        )


_GAP_EM = 0.3
_PADDING_EM = 0.7
_WORD_GAP_EM = 0.45
"""The gap before a column of words, beside the padding of all columns."""
_SYMBOL_EM = 1.8
"""The width of a unit's symbol with its gap."""
_LEAST_NAME_EM = 15.0
"""A name has at least this width, in em, unless all columns together need more than the page."""
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
_BOX_EM, _SCREEN_BOX_EM = 1.18, 1.8
_FIVE_GAP_EM, _SCREEN_FIVE_GAP_EM = 0.35, 0.4
_UNIT_GAP_EM = 0.8
"""The width of a box with its gap, on paper and for a finger, of the gap after five boxes, and of
that after the boxes of a unit."""
_WRITTEN_EM = 5.0
"""The width of a box to write losses in."""
_SIGN_EM = 1.25
"""The width of the sign of a tally's boxes before its label."""


def column_widths(roster: Roster, room_em: float = 64, *, on_paper: bool = False) -> dict[str, Any]:
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
    entries = _entries(roster)
    tried = []
    for boxes_em, breaks in _ways(roster, on_paper=on_paper):
        widths, others_em = _columns_of(roster, boxes_em, breaks=breaks)
        name_em = room_em - others_em - _PADDING_EM
        is_tight = name_em < _LEAST_NAME_EM - _PADDING_EM
        lines = sum(_lines_of(entry, name_em, boxes_em, on_paper=on_paper) for entry in entries)
        # Values are broken only if names have little room, or whatever is done.
        breaks_late = breaks is not is_tight
        tried.append(((is_tight, breaks_late, lines, others_em), widths))
    (is_tight, *_, others_em), widths = min(tried, key=itemgetter(0))
    widths |= {"on_paper": on_paper, "lower": 0, "is_tight": is_tight}
    name_em = max(_longest_name_em(roster) * _NAME_SLACK + _PADDING_EM, _LEAST_NAME_EM)
    _spread(widths, room_em - others_em - name_em)
    return widths


def _widths_of_two_rows(roster: Roster, room_em: float) -> dict[str, Any]:
    """Return widths as `column_widths`, for units of two rows: their boxes stand in the second."""
    widths, others_em = _columns_of(roster, 0, breaks=False)
    names_em = max(_longest_name_em(roster) * _NAME_SLACK, _LEAST_NAME_EM) + _PADDING_EM
    columns = len(roster.keys) + widths["has_points"]
    boxes_em = _row_em((Track(_MOST_BOXES),), on_paper=True)
    tracks = (_row_em(entry.tracks, on_paper=True) for entry in _entries(roster))
    missing_em = min(max(tracks), boxes_em) - others_em
    _spread(widths, room_em - others_em - names_em, max(_MOST_SPREAD_EM, missing_em / columns))
    is_tight = room_em - others_em < _LEAST_NAME_EM
    return widths | {"on_paper": True, "lower": columns, "is_tight": is_tight}


def _name_em_of_two_rows(entry: RosterEntry) -> float:
    count = f"{entry.count} × " if entry.count > 1 else ""
    facts = [f"{row.label} {cell.text}" for row in entry.facts for cell in row.values]
    kind = f"{entry.strength} {entry.type}"
    texts = [count + entry.name, kind, entry.how, *entry.options, *facts]
    symbol = _SYMBOL_EM if entry.symbol else 0
    return max(map(text_room_em, texts)) + symbol + entry.depth


def _ways(roster: Roster, *, on_paper: bool = True) -> list[tuple[float, bool]]:
    """Return widths, in em, that the boxes may have, and with each whether values may be broken.

    The narrowest width, the first, holds all boxes of a unit that has few.
    """
    held = [entry for entry in _entries(roster) if entry.tracks]
    if not held:
        return [(0, False), (0, True)]
    rows = {entry: _row_em(entry.tracks, on_paper=on_paper) for entry in held}
    spread = _row_em((Track(_SPREAD_TRACK),), on_paper=on_paper)
    least = max(row if entry.box_count <= _WHOLE_TRACK else spread for entry, row in rows.items())
    whole = {
        row * number
        for entry, row in rows.items()
        for number in range(1, min(entry.count, _MOST_BOXES // entry.box_count) + 1)
    }
    whole |= {
        _row_em((Track(number),), on_paper=on_paper)
        for number in range(_SPREAD_TRACK, _MOST_BOXES + 1, 5)
        if any(entry.box_count > number for entry in held)
    }
    widths = sorted({least, *(width for width in whole if least < width)})
    return [(width, breaks) for breaks in (False, True) for width in widths]


def _row_em(tracks: Sequence[Track], *, on_paper: bool) -> float:
    """Return the width of the boxes of one unit with the gap after them, in em."""
    box_em, gap_em = (_BOX_EM, _FIVE_GAP_EM) if on_paper else (_SCREEN_BOX_EM, _SCREEN_FIVE_GAP_EM)
    fives = sum(ceil(track.boxes / 5) for track in tracks)
    return round(sum(track.boxes for track in tracks) * box_em + fives * gap_em + _UNIT_GAP_EM, 2)


def _lines_of(entry: RosterEntry, name_em: float, boxes_em: float, *, on_paper: bool) -> int:
    """Return about how many lines an entry needs.

    Args:
        entry: The entry.
        name_em: The width of its name in em.
        boxes_em: The width of its boxes in em.
        on_paper: Whether it is printed.
    """
    if entry.kind in {"leader", "group"}:
        return 1
    whole_em = _name_em(entry) + text_room_em(entry.how)
    name = ceil(whole_em * _NAME_SLACK / max(name_em, 1))
    if not entry.tracks:
        return name
    row_em = _row_em(entry.tracks, on_paper=on_paper)
    a_line = int(boxes_em / row_em + _ROUNDING)
    boxes = ceil(entry.count / a_line) if a_line else entry.count * ceil(row_em / boxes_em)
    return max(name, boxes)


def largest_size(roster: Roster, room_pt: float, most: float) -> float:
    """Return the largest type size, in points, at which the columns of a page leave room for names.

    Args:
        roster: The roster.
        room_pt: The width of the page in points.
        most: The largest size that there may be.
    """
    names_em = min(max(_longest_name_em(roster), _LEAST_NAME_EM), _LONGEST_NAME_EM)
    ways = [(0.0, False)] if roster.losses_below else _ways(roster)
    size = max(
        room_pt / (_columns_of(roster, boxes_em, breaks=False)[1] + names_em + _PADDING_EM)
        for boxes_em, breaks in ways
        if not breaks
    )
    return min(max(size, _REGULAR_PT), most)


def size_for_tight_names(roster: Roster, room_pt: float) -> float:
    """Return the largest size, in points, at which columns of broken values leave names tight room.

    The size is no smaller than that of a full roster on one page may be.

    Args:
        roster: The roster.
        room_pt: The width of the page in points.
    """
    boxes_em = 0 if roster.losses_below else _ways(roster)[0][0]
    _, others_em = _columns_of(roster, boxes_em, breaks=not roster.losses_below)
    names_em = _longest_name_em(roster) * _NAME_SLACK + _PADDING_EM
    names_em = min(max(names_em, _LEAST_NAME_EM), _ROOMY_NAME_EM)
    return max(room_pt / (others_em + names_em), _FULL_SMALLEST_PT)


def _has_boxes(roster: Roster) -> bool:
    """Return whether any unit has boxes, and values that these may stand below."""
    return bool(roster.keys) and any(section.has_losses for section in roster.sections)


def _rows(roster: Roster) -> int:
    """Return how many rows of a roster can be made higher: all but the heads of groups."""
    return max(sum(entry.kind != "group" for entry in _entries(roster)), 1)


def _entries(roster: Roster) -> list[RosterEntry]:
    return [entry for section in roster.sections for entry in section.entries]


def _columns_of(roster: Roster, boxes_em: float, *, breaks: bool) -> tuple[dict[str, Any], float]:
    """Return the width of each column but the name's, and of all of them together, in em."""
    entries = _entries(roster)
    signs = max((len(entry.tracks) for entry in entries if entry.tallies), default=0)
    label = text_room_em(roster.losses) + _GAP_EM + signs * _SIGN_EM
    written = _WRITTEN_EM if any(entry.losses_of for entry in entries) else 0
    widths = _widths_of(roster, entries, breaks=breaks)
    widths["losses"] = round(max(boxes_em, label, written), 2)
    widths["has_sizes"] = any(section.has_sizes for section in roster.sections)
    widths["has_points"] = any(section.has_points for section in roster.sections)
    widths["has_losses"] = any(section.has_losses for section in roster.sections)
    if roster.losses_below:
        widths |= {"has_sizes": False, "has_losses": False}
    columns = [*widths["columns"].values()]
    columns += [widths[name] for name in ("size", "points", "losses") if widths[_SHOWN[name]]]
    return widths, sum(columns) + _PADDING_EM * len(columns)


_ROUNDING = 0.01
_SHOWN = {"size": "has_sizes", "points": "has_points", "losses": "has_losses"}


def _widths_of(roster: Roster, entries: list[RosterEntry], *, breaks: bool) -> dict[str, Any]:
    cells: dict[Any, list[str]] = {key: [] for key in roster.keys}
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
    return {
        "size": width([roster.sizes, *sizes]) + _WORD_GAP_EM,
        "digits": round(most_digits * LETTER_EM, 2),
        "columns": {
            key: width([key.label, *texts]) + (0 if key in figures else _WORD_GAP_EM)
            for key, texts in cells.items()
        },
        "figures": figures,
        "points": width([say("Points"), *(entry.points for entry in entries)]),
        "mark": mark,
        "fraction": round((most_decimals + 0.5) * LETTER_EM, 2) if most_decimals else 0,
    }


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
    return max((width(each) for each in _entries(roster) if each.kind == "unit"), default=0)


def _name_em(entry: RosterEntry) -> float:
    """Return the width of the name of an entry with all that stands behind it."""
    count = f"{entry.count} ×" if entry.count > 1 else ""
    facts = [f"{row.label} {cell.text}" for row in entry.facts for cell in row.values]
    words = [count, entry.name, entry.type, *facts, ", ".join(entry.options)]
    symbol = _SYMBOL_EM if entry.symbol else 0
    return text_room_em(" ".join(filter(None, words))) + symbol + entry.depth


def _spread(widths: dict[str, Any], free_em: float, most_em: float = _MOST_SPREAD_EM) -> None:
    """Widen columns by an equal share of the room that names leave, each by so much at most."""
    names = [name for name in ("size", "points") if widths[_SHOWN[name]]]
    number = len(names) + len(widths["columns"])
    share = round(min(free_em / number, most_em), 2) if number else 0
    if share > 0:
        widths |= {name: widths[name] + share for name in names}
        widths["columns"] = {key: width + share for key, width in widths["columns"].items()}


def roster_html(
    templates: TemplateEnvironment,
    roster: Roster,
    variant: str,
    home: str,
    beside: SiblingPages = (),
) -> str:
    """Return the roster as a self-contained HTML page."""
    shown = shorten(roster) if variant == "short" else lead_lines(roster)
    html = templates.render_screen(
        "roster/screen.html.j2",
        _SCREEN_STYLES,
        roster=shown,
        widths=column_widths(shown),
        home=home,
        beside=beside,
    )
    if not shown.names_in:
        return html
    return mark_foreign(html, ForeignWords(shown.names_in, tuple(filter(None, army_texts(shown)))))
