"""Print a roster: in full, on one page, or as a page for a tournament."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from muster.documents.short_roster import (
    SHORT_FORMS,
    count_units,
    first_commands,
    join_equal_units,
    lead_headings,
    without_losses,
)
from muster.languages import say
from muster.rendering.paper import PAPERS, PT_PER_MM, PX_PER_MM
from muster.rendering.printed import Printed, PrintError
from muster.rendering.type_size import SizeMemory, Trial, fit_type_size

if TYPE_CHECKING:
    from muster.documents.roster import Roster, RosterEntry
    from muster.rendering.environment import SiblingPages, TemplateEnvironment

ROSTER_MARGIN_MM = 14.0
_REGULAR_PT = 10.0
_LARGEST_PT = 12.0
"""A roster with room to spare has larger type than regular, if its columns leave room for names."""
_FULL_PT = 9.5
_FULL_SMALLEST_PT = 8.5
"""A full roster that fits one page at this size or above is not spread over two."""
_SHORT_SMALLEST_PT = 7.0
_MOST_LINES = 110
"""The lines that a page has at most, at the smallest size."""
_STYLES = ("base/print.css", "roster/roster.css")
_SCREEN_STYLES = ("base/screen.css", "roster/roster.css", "roster/screen.css")
_TEMPLATES = {"tournament": "roster/tournament.html.j2"}
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
    if variant == "tournament":
        forms = [without_losses(form(roster)) for form in (join_equal_units, lead_headings)]
        smallest = _SHORT_SMALLEST_PT
    else:
        forms, smallest = [roster], _FULL_SMALLEST_PT
    for form in forms:
        size = layout.fitting_size(form, smallest)
        if size:
            return layout.pdf(form, size)
    return layout.pdf(forms[0], _FULL_PT)


def _print_short(layout: _RosterLayout, roster: Roster) -> Printed:
    """Print a roster on one page, in the fullest of its short forms that fits.

    Of an army with more commands than a page has lines, the first commands are printed.

    Raises:
        PrintError: If not even the name of the army fits.
    """
    for form in filter(_may_fit, (form(roster) for form in SHORT_FORMS)):
        printed = _print_page(layout, form)
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


def _print_page(layout: _RosterLayout, form: Roster) -> Printed | None:
    """Print a short form on one page; None if it does not fit."""
    size = layout.fitting_size(form, _SHORT_SMALLEST_PT)
    if not size:
        return None
    try:
        return layout.pdf(form, size, 1)
    except PrintError:
        # The libraries of this machine have changed since then: find the size again.
        layout.forget(form)
    size = layout.fitting_size(form, _SHORT_SMALLEST_PT)
    return layout.pdf(form, size, 1) if size else None


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

    def fitting_size(self, roster: Roster, smallest: float) -> float:
        """Return the largest type size at which a roster fits one page; 0 if there is none."""
        key = self._key(roster)
        if key not in self._memory:
            largest = largest_size(roster, self._room_pt)
            trial = fit_type_size(
                lambda size: Trial(size, self.fullness(roster, size), None),
                smallest,
                largest,
                start=largest,
            )
            self._memory[key] = trial.size if trial.fullness <= 1 else 0
        return self._memory[key]

    def forget(self, roster: Roster) -> None:
        """Forget the type size that was found for a roster."""
        self._memory.pop(self._key(roster), None)

    def pdf(self, roster: Roster, size: float, pages: int | None = None) -> Printed:
        """Print a roster.

        Args:
            roster: The roster.
            size: The type size in points.
            pages: How many pages it must have, if that is known.

        Raises:
            PrintError: If it has another number of pages.
        """
        html = self._html(roster, size, self._paper.height_mm)
        return self._templates.printer.pdf(html, self._styles, self._name(roster), pages)

    def fullness(self, roster: Roster, size: float) -> float:
        """Return how full a page is at a type size in points; above 1 the roster is too long."""
        printer = self._templates.printer
        html = self._html(roster, size, 9000)
        measured = printer.measure(html, self._styles, self._name(roster))
        room = (self._paper.height_mm - 2 * ROSTER_MARGIN_MM) * PX_PER_MM
        return measured.anchor("roster", self._template).height / room

    def _key(self, roster: Roster) -> str:
        return self._templates.key(self._variant, self._paper.id, roster)

    def _name(self, roster: Roster) -> str:
        return f"{roster.army}: roster, {self._variant}"

    def _html(self, roster: Roster, size: float, height_mm: float) -> str:
        return self._templates.render(
            self._template,
            roster=roster,
            short=self._variant == "short",
            widths=column_widths(roster, self._room_pt / size),
            size_pt=size,
            page=(self._paper.width_mm, height_mm),
            margin_mm=ROSTER_MARGIN_MM,
        )


_EM_PER_CHARACTER = 0.46
_GAP_EM = 0.5
_PADDING_EM = 0.7
_LEAST_NAME_EM = 16.0
"""A name has at least this width, in em, unless all columns together need more than the page."""
_MOST_BOXES_BESIDE = 15
"""The most boxes of one unit that stand beside its values; more of them stand below."""
_WHOLE_CHARACTERS = 7
"""Texts of so many characters are not broken, however narrow the column is."""
_BOX_EM = 1.08
_LOSSES_GAP_EM = 1.7
"""The gap before the boxes for losses, and those between groups of five."""


def column_widths(roster: Roster, room_em: float = 56) -> dict[str, Any]:
    """Return each column's width in em, the same in every table of the roster.

    The name takes what is left. If that is little, boxes for losses stand below their unit, on a
    line of their own (`below`); if it is still little, long values are broken at a blank.

    Args:
        roster: The roster.
        room_em: The width of the page in em.
    """
    for below, breaks in ((False, False), (True, False), (True, True)):
        widths, others_em = _columns_of(roster, below=below, breaks=breaks)
        if room_em - others_em >= _LEAST_NAME_EM and (below or _stand_beside(roster)):
            break
    return widths


def largest_size(roster: Roster, room_pt: float) -> float:
    """Return the largest type size, in points, at which the columns of a page leave room for names.

    Args:
        roster: The roster.
        room_pt: The width of the page in points.
    """
    _, others_em = _columns_of(roster, below=not _stand_beside(roster), breaks=False)
    return min(max(room_pt / (others_em + _LEAST_NAME_EM), _REGULAR_PT), _LARGEST_PT)


def _stand_beside(roster: Roster) -> bool:
    """Return whether the boxes of each unit are few enough to stand beside its values."""
    entries = (entry for section in roster.sections for entry in section.entries)
    return all(sum(entry.tracks) <= _MOST_BOXES_BESIDE for entry in entries)


def _columns_of(roster: Roster, *, below: bool, breaks: bool) -> tuple[dict[str, Any], float]:
    """Return the width of each column but the name's, and of all of them together, in em."""
    entries = [entry for section in roster.sections for entry in section.entries]
    most_boxes = max((sum(entry.tracks) for entry in entries), default=0)
    most_rows = max((entry.count for entry in entries if entry.tracks), default=0)
    head = len(roster.losses) * _EM_PER_CHARACTER + _GAP_EM
    boxes = max(min(most_boxes * most_rows, _MOST_BOXES_BESIDE), 1)
    widths = {"below": below, **_widths_of(roster, entries, breaks=breaks)}
    widths["losses"] = round(max(boxes * _BOX_EM + _LOSSES_GAP_EM, head), 2)
    columns = [*widths["columns"].values(), widths["losses"] if most_boxes and not below else 0]
    columns += [widths["size"] if any(entry.strength for entry in entries) else 0]
    columns += [widths["points"] if roster.has_points else 0]
    return widths, sum(columns) + _PADDING_EM * len(columns)


def _widths_of(roster: Roster, entries: list[RosterEntry], *, breaks: bool) -> dict[str, Any]:
    cells: dict[Any, list[str]] = {key: [key.label] for key in roster.keys}
    for section in roster.sections:
        for entry in section.entries:
            for key, cell in zip(section.keys, entry.values, strict=False):
                cells[key].append(cell.text)

    def width(texts: Iterable[str]) -> float:
        return round(max(map(len, texts), default=0) * _EM_PER_CHARACTER + _GAP_EM, 2)

    if breaks:
        cells = {key: list(map(_longest_part, texts)) for key, texts in cells.items()}
    return {
        "size": width([say("Strength"), *(e.strength for e in entries if e.kind != "group")]),
        "columns": {key: width(texts) for key, texts in cells.items()},
        "points": width([say("Points"), *(entry.points for entry in entries)]),
    }


def _longest_part(text: str) -> str:
    """Return the longest part of a text that is not broken at a blank."""
    return text if len(text) <= _WHOLE_CHARACTERS else max(text.split(" "), key=len)


def roster_html(
    templates: TemplateEnvironment,
    roster: Roster,
    variant: str,
    home: str,
    beside: SiblingPages = (),
) -> str:
    """Return the roster as a self-contained HTML page."""
    shown = join_equal_units(roster) if variant == "short" else roster
    return templates.render_screen(
        "roster/screen.html.j2",
        _SCREEN_STYLES,
        roster=shown,
        short=variant == "short",
        widths=column_widths(shown),
        home=home,
        beside=beside,
    )
