"""Print a roster, in full or on one page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from hashlib import sha256
from typing import TYPE_CHECKING

from muster.rendering.paper import PAPERS, PX_PER_MM
from muster.rendering.printer import Printed, PrintError
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


def roster_pdf(
    studio: TemplateEnvironment, roster: Roster, variant: str, paper: str, memory: SizeMemory
) -> Printed:
    """Print a roster.

    Args:
        studio: Templates and fonts.
        roster: What to print.
        variant: `full`, or `short` for one page.
        paper: The id of a paper.
        memory: Sizes found by earlier builds.

    Raises:
        PrintError: If the short form does not fit one page at the smallest type.
    """
    what = f"{roster.army}: roster, {variant}"
    styles = [studio.read_style(name) for name in _STYLES]
    data = f"{studio.fingerprint}{variant}{paper}{asdict(roster)!r}"
    key = sha256(data.encode()).hexdigest()[:24]
    if variant == "full":
        if key not in memory:
            trial = _find_type_size(studio, roster, variant, paper, (_FULL_SMALLEST_PT, _FULL_PT))
            memory[key] = trial.size if trial.fullness <= 1 else _FULL_PT
        return studio.printer.pdf(
            _print_html(studio, roster, variant, paper, memory[key]), styles, what
        )
    if key in memory:
        html = _print_html(studio, roster, variant, paper, memory[key])
        try:
            return studio.printer.pdf(html, styles, what, 1)
        except PrintError:
            # The machine's own libraries have changed since: it is found anew.
            memory.pop(key)
    sizes = (_SHORT_SMALLEST_PT, _SHORT_LARGEST_PT)
    trial = _find_type_size(studio, roster, variant, paper, sizes)
    if trial.fullness > 1:
        text = (
            f"{what}: {trial.laid:.0f} mm too long for one page at {_SHORT_SMALLEST_PT:g} pt; "
            "the full roster holds this army"
        )
        raise PrintError(text)
    memory[key] = trial.size
    return studio.printer.pdf(
        _print_html(studio, roster, variant, paper, trial.size), styles, what, 1
    )


def _find_type_size(
    studio: TemplateEnvironment,
    roster: Roster,
    variant: str,
    paper: str,
    sizes: tuple[float, float],
) -> Trial[float]:
    """Find the largest type at which a roster fits one page, and by how many mm it does not."""
    room = (PAPERS[paper].height_mm - 2 * ROSTER_MARGIN_MM) * PX_PER_MM
    styles = [studio.read_style(name) for name in _STYLES]

    def measure(size: float) -> Trial[float]:
        html = _print_html(studio, roster, variant, paper, size, measured=True)
        measured = studio.printer.measure(html, styles, f"{roster.army}: roster, {variant}")
        height = measured.anchors["roster"].height
        return Trial(size, height / room, (height - room) / PX_PER_MM)

    return fit_type_size(measure, *sizes, start=sizes[1])


_EM_PER_CHARACTER = 0.44
_GAP_EM = 0.5
_BOX_EM = 1.08
_MAX_BOXES_A_LINE = 12


def column_widths(roster: Roster) -> dict[str, list[float]]:
    """Give each column's width in em, the same in every table of the roster.

    The name takes what is left. Boxes for losses stand twelve to a line at the most.
    """
    entries = [entry for section in roster.sections for entry in section.entries]

    def wide(texts: Iterable[str]) -> float:
        return round(max(map(len, texts), default=0) * _EM_PER_CHARACTER + _GAP_EM, 2)

    boxes = min(max((entry.boxes for entry in entries), default=0), _MAX_BOXES_A_LINE)
    return {
        "size": [wide(["Strength", *(entry.strength for entry in entries)])],
        "values": [
            wide([key.label, *(e.values[place].text for e in entries if e.values)])
            for place, key in enumerate(roster.keys)
        ],
        "points": [wide(["Points", *(entry.points for entry in entries)])],
        "losses": [max(round(boxes * _BOX_EM + 1.4, 2), 4.5)],
    }


def _print_html(
    studio: TemplateEnvironment,
    roster: Roster,
    variant: str,
    paper: str,
    size: float,
    *,
    measured: bool = False,
) -> str:
    chosen = PAPERS[paper]
    return studio.render(
        "roster/print.html.j2",
        roster=roster,
        short=variant == "short",
        widths=column_widths(roster),
        size_pt=size,
        page=(chosen.width_mm, 9000 if measured else chosen.height_mm),
        margin_mm=ROSTER_MARGIN_MM,
    )


def roster_html(
    studio: TemplateEnvironment, roster: Roster, variant: str, home: str, beside: SiblingPages = ()
) -> str:
    """Give the roster as one self-contained page for screens."""
    names = ("base/screen.css", "roster/roster.css", "roster/screen.css")
    return studio.render(
        "roster/screen.html.j2",
        roster=roster,
        short=variant == "short",
        widths=column_widths(roster),
        faces=studio.inlined_faces,
        style="\n".join(studio.read_style(name) for name in names),
        script=studio.read_style("base/screen.js"),
        home=home,
        beside=beside,
    )
