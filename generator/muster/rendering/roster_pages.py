"""Print a roster: in full, on one page, or as a page for a tournament."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from muster.documents.foreign import ForeignWords, army_texts
from muster.documents.short_roster import (
    SHORT_FORMS,
    count_units,
    first_commands,
    lead_lines,
    put_boxes_below,
    shorten,
    sign,
)
from muster.rendering.paper import PAPERS, PT_PER_MM, PX_PER_MM
from muster.rendering.printed import Printed, PrintError
from muster.rendering.prose_html import mark_foreign
from muster.rendering.roster_columns import (
    FULL_SMALLEST_PT,
    column_widths,
    entries_of,
    has_movable_boxes,
    largest_size,
    one_line_size,
    second_size,
    size_for_tight_names,
    wrapped_size,
)
from muster.rendering.type_size import STEP, Search, SizeMemory, Trial, fit_type_size

if TYPE_CHECKING:
    from muster.documents.roster import Roster
    from muster.rendering.environment import SiblingPages, TemplateEnvironment

ROSTER_MARGIN_MM = 14.0
_LARGEST_PT = {"full": 12.0, "short": 16.0, "tournament": 13.0}
"""A roster with room to spare has larger type than regular, if its columns leave room for names."""
_FULL_PT = 9.5
_SHORT_SMALLEST_PT = 7.0
_GLANCE_SMALLEST_PT = 8.0
"""A short form with the losses at which groups test has type of this size, or leaves them out."""
_GROUPED_SMALLEST_PT = 8.0
"""A page to sign with the heads of groups of which a rule speaks has such type, or none of them."""
_WORTH_PT = 0.5
"""Units have their boxes below their values if that makes the type so much larger, in points."""
_SURE_SHARE = 0.93
"""The share of long pages that is filled for sure, since rows that belong together stay so."""
_SEARCH = Search(growth=1.3, enough=0.96, near=0.15)
"""A layout of a long roster takes a second, and a tenth of a point is not seen."""
_MOST_AIR_EM = {"full": 0.3, "short": 0.7, "tournament": 0.5}
"""How much higher above and below its text a row may be, where a page has room."""
_AIR_SHARE = {"full": 0.5, "short": 0.9, "tournament": 0.5}
"""The share of the room of a page that goes to its rows."""
_NOTES_HEAD_EM = 3.0
_NOTES_PITCH_MM = 8.0
_FEWEST_NOTES, _MOST_LAST_NOTES = 3, 18
_MOST_NOTES = {"full": 8, "short": 0, "tournament": 18}
"""A roster that leaves room on its page has lines for notes; more, if it goes on from another."""
_FEWEST_SIGNED_NOTES, _NOTES_OF_WRAPPED = 2, 5
"""The fewest lines for notes on a page to sign, and those for which one with larger type has room
whose descriptions go on below their names."""
_ONE_LINE_PT = 9.5
"""On a page to sign, a description goes on below its name if one line made the type smaller."""
_EASY_AIR_EM, _LEAST_AIR_EM, _ALL_AIR_EM = 0.3, 0.15, 0.9
"""How much higher above and below its text a row of a page to sign is beside many lines for notes,
beside a few, and at most without any."""
_MOST_PITCH_MM = 9.5
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
        variant: `full`, `short` for one page, or `tournament` for one row a unit and room to
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
        printed = _print_page(layout, form, FULL_SMALLEST_PT)
        return printed or layout.filled_pages(form)
    form = sign(roster)
    plain = sign(roster, ruled_groups=False)
    if form != plain and (printed := _print_page(layout, form, _GROUPED_SMALLEST_PT)):
        return printed
    return _print_page(layout, plain, _SHORT_SMALLEST_PT) or layout.pdf(plain, _FULL_PT)


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
    groups = (entry for entry in entries_of(form) if entry.kind == "group")
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


class _Filling(NamedTuple):
    """What takes the room that the type leaves on a page.

    It goes to the rows, so much higher above and below their text, to lines for notes at a
    distance, and to what stands before the signatures.
    """

    air_em: float = 0
    note_lines: int = 0
    pitch_mm: float = _NOTES_PITCH_MM
    free_mm: float = 0


_UNFILLED = _Filling()


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
            signed = self._variant == "tournament"
            find_largest = one_line_size if signed else largest_size
            largest = find_largest(roster, self._room_pt, _LARGEST_PT[self._variant])
            wrapped = self._wrapped_size(roster, largest) if signed else 0
            trial = fit_type_size(
                lambda size: Trial(size, self.fullness(roster, size), None),
                wrapped or smallest,
                wrapped or largest,
                start=wrapped or largest,
                search=_SEARCH,
            )
            self._memory[key] = trial.size if trial.fullness <= 1 else 0
            if trial.fullness <= 1 and (signed or largest - trial.size < STEP):
                self._memory[f"{key} fullness"] = trial.fullness
        return self._memory[key]

    def _wrapped_size(self, roster: Roster, one_line: float) -> float:
        """Return the size of a page to sign on which descriptions go on below their names.

        It is 0 if one line a unit leaves the type large enough, and if larger type would leave too
        little room for notes.
        """
        largest = wrapped_size(roster, self._room_pt, _LARGEST_PT[self._variant])
        smallest = one_line + STEP
        if one_line >= _ONE_LINE_PT or largest < smallest:
            return 0

        def with_notes(size: float) -> Trial[None]:
            kept_mm = _notes_mm(_NOTES_OF_WRAPPED, size) + _air_mm(roster, size, _EASY_AIR_EM)
            fullness = self.fullness(roster, size) + (kept_mm + _SPARE_MM) / self._height_mm
            return Trial(size, fullness, None)

        trial = fit_type_size(with_notes, smallest, largest, start=largest, search=_SEARCH)
        return trial.size if trial.fullness <= 1 else 0

    def with_rows_for_page(self, roster: Roster, smallest: float) -> Roster:
        """Return a roster with its boxes where they leave one page the larger type.

        They stand beside the values, unless that leaves names little room.
        """
        size = self.fitting_size(roster, smallest)
        if not size or not has_movable_boxes(roster):
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
        return widths.is_tight

    def filled_pages(self, roster: Roster) -> Printed:
        """Print a long roster on as few pages as it needs, in the largest type that leaves it so.

        Boxes stand where they leave fewer pages or names more room. What room the type leaves goes
        to the rows.
        """
        forms = [roster, *([put_boxes_below(roster)] if has_movable_boxes(roster) else [])]
        form = min(forms, key=self._cost_of_pages)
        size = self._size_of_pages(form)
        free_mm = self._height_mm * self._memory.get(f"{self._key(form)} free", 0)
        air_em = self._air_em(form, size, free_mm)
        lines = self._lines_of_last_page(form, size, air_em)
        return self.pdf(form, size, air_em=air_em, note_lines=lines)

    def _lines_of_last_page(self, roster: Roster, size: float, air_em: float) -> int:
        """Return how many lines for notes the last page of a long roster has room for."""
        key = f"{self._key(roster)} note lines"
        if key not in self._memory:
            html = self._html(roster, size, self._paper.height_mm, _Filling(air_em))
            measured = self._templates.printer.measure(html, self._styles, self._name(roster))
            height_mm = measured.anchor("roster", self._template).height / PX_PER_MM
            free_mm = self._height_mm - height_mm - _SPARE_MM
            self._memory[key] = _note_lines(free_mm, size, _MOST_LAST_NOTES)
        return int(self._memory[key])

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

        What is left then goes to lines for notes, except on a short roster. On one for a tournament
        these come first, if its rows have some room even so.

        Raises:
            PrintError: If it needs more than a page.
        """
        fullness = self._memory.get(f"{self._key(roster)} fullness", 1)
        free_mm = self._height_mm * (1 - fullness) - _SPARE_MM
        if self._variant == "tournament":
            lines = _signed_lines(roster, free_mm, size)
            free_mm -= _notes_mm(lines, size) if lines else 0
            most_em = _MOST_AIR_EM["tournament"] if lines else _ALL_AIR_EM
            air_em = _round_down(min(max(free_mm, 0) / _air_mm(roster, size, 1), most_em))
            free_mm -= _air_mm(roster, size, air_em)
        else:
            air_em = self._air_em(roster, size, free_mm)
            free_mm -= _air_mm(roster, size, air_em)
            lines = _note_lines(free_mm, size, _MOST_NOTES[self._variant])
            free_mm -= _notes_mm(lines, size) if lines else 0
        free_mm = max(free_mm - _SPARE_MM, 0)
        pitch_mm = min(_NOTES_PITCH_MM + free_mm / max(lines, 1), _MOST_PITCH_MM)
        left_mm = free_mm - lines * (pitch_mm - _NOTES_PITCH_MM)
        filling = _Filling(air_em, lines, _round_down(pitch_mm), left_mm)
        html = self._html(roster, size, self._paper.height_mm, filling)
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
        self,
        roster: Roster,
        size: float,
        pages: int | None = None,
        air_em: float = 0,
        note_lines: int = 0,
    ) -> Printed:
        """Print a roster.

        Args:
            roster: The roster.
            size: The type size in points.
            pages: How many pages it must have, if that is known.
            air_em: How much higher above and below its text a row is.
            note_lines: How many lines for notes it has.

        Raises:
            PrintError: If it has another number of pages.
        """
        filling = _Filling(air_em, note_lines)
        html = self._html(roster, size, self._paper.height_mm, filling)
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
        self, roster: Roster, size: float, height_mm: float, filling: _Filling = _UNFILLED
    ) -> str:
        second_pt = second_size(roster, size, self._room_pt)
        return self._templates.render(
            self._template,
            roster=roster,
            second_em=round(second_pt / size, 3) if self._variant == "tournament" else 1,
            widths=column_widths(roster, self._room_pt / size, on_paper=True),
            size_pt=size,
            page=(self._paper.width_mm, height_mm),
            margin_mm=ROSTER_MARGIN_MM,
            air_em=filling.air_em,
            note_lines=filling.note_lines,
            note_pitch_mm=filling.pitch_mm,
            free_mm=round(filling.free_mm, 2),
        )


def _notes_mm(lines: int, size: float) -> float:
    """Return the height of lines for notes with their heading, at a type size in points."""
    return lines * _NOTES_PITCH_MM + _NOTES_HEAD_EM * size / PT_PER_MM


def _air_mm(roster: Roster, size: float, air_em: float) -> float:
    """Return the height of the room above and below all rows, at a type size in points."""
    return 2 * _rows(roster) * air_em * size / PT_PER_MM


def _signed_lines(roster: Roster, free_mm: float, size: float) -> int:
    """Return how many lines for notes a page to sign has, beside rows with some room; 0 if none."""
    for air_em, fewest, most in (
        (_EASY_AIR_EM, _FEWEST_NOTES, _MOST_NOTES["tournament"]),
        (_LEAST_AIR_EM, _FEWEST_SIGNED_NOTES, _FEWEST_NOTES),
    ):
        room_mm = free_mm - _air_mm(roster, size, air_em) - _notes_mm(0, size)
        lines = min(int(room_mm / _NOTES_PITCH_MM), most)
        if lines >= fewest:
            return lines
    return 0


def _round_down(number: float) -> float:
    """Return a number with three decimals, no larger than it was."""
    return int(number * 1000) / 1000


def _note_lines(free_mm: float, size: float, most: int) -> int:
    """Return how many lines for notes there is room for, at most so many; 0 if there are few."""
    lines = min(int((free_mm - _notes_mm(0, size)) / _NOTES_PITCH_MM), most)
    return lines if lines >= _FEWEST_NOTES else 0


def _rows(roster: Roster) -> int:
    """Return how many rows of a roster can be made higher: all but the heads of groups."""
    return max(sum(entry.kind != "group" for entry in entries_of(roster)), 1)


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
