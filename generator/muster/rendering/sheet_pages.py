"""Print a quick-reference sheet, one page for each side, or write it as a page for screens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muster.rendering.line_ends import keep_ends_together
from muster.rendering.paper import Paper, turn_edge_of
from muster.rendering.printed import Printed, PrintError
from muster.rendering.sheet_fitting import SMALLEST_PT
from muster.rendering.sheet_masthead import masthead_classes
from muster.rendering.sheet_measuring import PRINT_STYLES, TEMPLATE
from muster.rendering.sheet_memory import load_layout, store_layout
from muster.rendering.sheet_sides import (
    FOOT_MM,
    GUTTER_MM,
    NOTES_PITCH_MM,
    SHEET_MARGIN_MM,
    LaidSide,
    credit_side,
    footnote_mark_size,
    head_size,
    main_size,
    note_size,
    pitch_style,
)
from muster.rendering.sheet_units import fit_sheet, unit_variants
from muster.rendering.type_size import SizeMemory

if TYPE_CHECKING:
    from muster.documents.sheet import Sheet
    from muster.rendering.environment import SiblingPages, TemplateEnvironment

_SCREEN_STYLES = ("base/screen.css", "parts/tables.css", "parts/units.css", "sheet/screen.css")


def sheet_pdf(
    templates: TemplateEnvironment, sheet: Sheet, paper: Paper, memory: SizeMemory
) -> Printed:
    """Print a sheet at the largest type size that fits, one page for each side.

    Args:
        templates: Templates and fonts.
        sheet: The sheet to print.
        paper: The paper to print it on.
        memory: Layouts that earlier builds found; what is found now is added.

    Raises:
        PrintError: If it does not fit at the smallest type size; names the side and the excess.
    """
    sheet = keep_ends_together(sheet)
    key = templates.key(paper.id, sheet)
    name = f"{sheet.title}: {sheet.subtitle}, {paper.title}"
    variants = unit_variants(sheet)
    numbers = {float(number): variant for number, variant in enumerate(variants)}
    remembered = numbers.get(memory.get(f"{key}.units", 0))
    known = load_layout(memory, key, remembered, paper) if remembered else None
    if known is not None and remembered is not None:
        try:
            return _print_sides(templates, remembered, paper, known, name)
        except PrintError:
            # The libraries of this machine have changed since then: find the layout again.
            memory.pop(f"{key}.0.size")
    number, sides = fit_sheet(templates, variants, paper, memory)
    faults = [
        f"side “{laid.side.title}” is {laid.over_mm:.0f} mm too long"
        for laid in sides
        if laid.over_mm > 0
    ]
    wide = dict.fromkeys(text for laid in sides for text in laid.wide)
    faults.extend(f"“{text}” is wider than its column" for text in wide)
    if faults:
        text = (
            f"{name} does not fit at {SMALLEST_PT:g} pt, the smallest type size allowed: "
            f"{'; '.join(faults)}. Remove a block, use `short: true`, or move a block to the other "
            "side"
        )
        raise PrintError(text)
    store_layout(memory, key, sides)
    memory[f"{key}.units"] = number
    return _print_sides(templates, variants[number], paper, sides, name)


def _print_sides(
    templates: TemplateEnvironment,
    sheet: Sheet,
    paper: Paper,
    sides: tuple[LaidSide, ...],
    name: str,
) -> Printed:
    html = final_html(templates, sheet, paper, sides)
    turn_edge = turn_edge_of(sheet.orientation) if len(sides) > 1 else ""
    return templates.printer.pdf(
        html, templates.read_styles(PRINT_STYLES), name, len(sides), turn_edge=turn_edge
    )


def final_html(
    templates: TemplateEnvironment, sheet: Sheet, paper: Paper, sides: tuple[LaidSide, ...]
) -> str:
    """Return the HTML of the printed pages."""
    width, height = paper.turned(sheet.orientation)
    if sheet.has_units_page:
        # Units that have a page of their own stand first; they were laid out after the rules.
        sides = (sides[-1], *sides[:-1])
    size = sides[0].size_pt
    return templates.render(
        TEMPLATE,
        sheet=sheet,
        sides=sides,
        credit_page=credit_side(sheet) + sheet.has_units_page,
        size_pt=size,
        small_pt=note_size(size),
        head_pt=head_size(size),
        mark_pt=footnote_mark_size(size),
        main_pt=main_size(size),
        page=(width, height),
        margin_mm=SHEET_MARGIN_MM,
        foot_mm=FOOT_MM,
        gutter_mm=GUTTER_MM,
        notes_pitch_mm=NOTES_PITCH_MM,
        measured=None,
        mastheads=masthead_classes(sheet, [laid.side for laid in sides], paper),
        pitch=pitch_style(1),
    )


def sheet_html(
    templates: TemplateEnvironment, sheet: Sheet, home: str, beside: SiblingPages = ()
) -> str:
    """Return the sheet as a self-contained HTML page."""
    return templates.render_screen(
        "sheet/screen.html.j2", _SCREEN_STYLES, sheet=sheet, home=home, beside=beside
    )
