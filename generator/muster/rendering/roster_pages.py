"""Print a roster, in full or on one page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from muster.rendering.paper import PAPERS, PX_PER_MM
from muster.rendering.printed import Printed, PrintError
from muster.rendering.type_size import SizeMemory, Trial, fit_type_size

if TYPE_CHECKING:
    from muster.documents.roster import Roster
    from muster.rendering.environment import SiblingPages, TemplateEnvironment

ROSTER_MARGIN_MM = 14.0
_FULL_PT = 9.5
_FULL_SMALLEST_PT = 8.5
"""A full roster that fits one page at this size or above is not spread over two."""
_SHORT_SMALLEST_PT = 6.0
_SHORT_LARGEST_PT = 10.0
_STYLES = ("base/print.css", "roster/roster.css")
_SCREEN_STYLES = ("base/screen.css", "roster/roster.css", "roster/screen.css")


def roster_pdf(
    templates: TemplateEnvironment, roster: Roster, variant: str, paper: str, memory: SizeMemory
) -> Printed:
    """Print a roster.

    Args:
        templates: Templates and fonts.
        roster: The roster to print.
        variant: `full`, or `short` for one page.
        paper: The id of a paper.
        memory: Type sizes that earlier builds found; what is found now is added.

    Raises:
        PrintError: If the short form does not fit one page at the smallest type size.
    """
    name = f"{roster.army}: roster, {variant}"
    styles = templates.read_styles(_STYLES)
    key = templates.key(variant, paper, roster)
    if variant == "full":
        if key not in memory:
            trial = _find_type_size(
                templates, roster, variant, paper, (_FULL_SMALLEST_PT, _FULL_PT)
            )
            memory[key] = trial.size if trial.fullness <= 1 else _FULL_PT
        return templates.printer.pdf(
            _print_html(templates, roster, variant, paper, memory[key]), styles, name
        )
    if key in memory:
        html = _print_html(templates, roster, variant, paper, memory[key])
        try:
            return templates.printer.pdf(html, styles, name, 1)
        except PrintError:
            # The libraries of this machine have changed since then: find the size again.
            memory.pop(key)
    sizes = (_SHORT_SMALLEST_PT, _SHORT_LARGEST_PT)
    trial = _find_type_size(templates, roster, variant, paper, sizes)
    if trial.fullness > 1:
        text = (
            f"{name}: {trial.laid:.0f} mm too long for one page at {_SHORT_SMALLEST_PT:g} pt; "
            "print the full roster instead"
        )
        raise PrintError(text)
    memory[key] = trial.size
    return templates.printer.pdf(
        _print_html(templates, roster, variant, paper, trial.size), styles, name, 1
    )


def _find_type_size(
    templates: TemplateEnvironment,
    roster: Roster,
    variant: str,
    paper: str,
    sizes: tuple[float, float],
) -> Trial[float]:
    """Find the largest type size at which a roster fits one page.

    The trial holds by how many millimetres the roster is too long; below 0 if it fits.
    """
    room = (PAPERS[paper].height_mm - 2 * ROSTER_MARGIN_MM) * PX_PER_MM
    styles = templates.read_styles(_STYLES)

    def measure(size: float) -> Trial[float]:
        html = _print_html(templates, roster, variant, paper, size, measured=True)
        measured = templates.printer.measure(html, styles, f"{roster.army}: roster, {variant}")
        height = measured.anchor("roster", "roster/print.html.j2").height
        return Trial(size, height / room, (height - room) / PX_PER_MM)

    return fit_type_size(measure, *sizes, start=sizes[1])


_EM_PER_CHARACTER = 0.44
_GAP_EM = 0.5
_BOX_EM = 1.08
_MAX_BOXES_A_LINE = 12


def column_widths(roster: Roster) -> dict[str, list[float]]:
    """Return each column's width in em, the same in every table of the roster.

    The name takes what is left. At most twelve boxes for losses stand on a line.
    """
    entries = [entry for section in roster.sections for entry in section.entries]

    def width(texts: Iterable[str]) -> float:
        return round(max(map(len, texts), default=0) * _EM_PER_CHARACTER + _GAP_EM, 2)

    boxes = min(max((entry.boxes for entry in entries), default=0), _MAX_BOXES_A_LINE)
    return {
        "size": [width(["Strength", *(entry.strength for entry in entries)])],
        "values": [
            width([key.label, *(e.values[index].text for e in entries if e.values)])
            for index, key in enumerate(roster.keys)
        ],
        "points": [width(["Points", *(entry.points for entry in entries)])],
        "losses": [max(round(boxes * _BOX_EM + 1.4, 2), 4.5)],
    }


def _print_html(
    templates: TemplateEnvironment,
    roster: Roster,
    variant: str,
    paper: str,
    size: float,
    *,
    measured: bool = False,
) -> str:
    chosen = PAPERS[paper]
    return templates.render(
        "roster/print.html.j2",
        roster=roster,
        short=variant == "short",
        widths=column_widths(roster),
        size_pt=size,
        page=(chosen.width_mm, 9000 if measured else chosen.height_mm),
        margin_mm=ROSTER_MARGIN_MM,
    )


def roster_html(
    templates: TemplateEnvironment,
    roster: Roster,
    variant: str,
    home: str,
    beside: SiblingPages = (),
) -> str:
    """Return the roster as a self-contained HTML page."""
    return templates.render_screen(
        "roster/screen.html.j2",
        _SCREEN_STYLES,
        roster=roster,
        short=variant == "short",
        widths=column_widths(roster),
        home=home,
        beside=beside,
    )
