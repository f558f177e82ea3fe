"""Print tokens: a sheet to cut like cards, and a page for screens."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from muster.rendering.cut_sheets import CutGrid, lay_out_sheet
from muster.rendering.drawings import build_ruler
from muster.rendering.page_boxes import find_overfull
from muster.rendering.paper import PAPERS, PX_PER_MM
from muster.rendering.printed import Printed, PrintError

if TYPE_CHECKING:
    from weasyprint.document import Page

    from muster.documents.tokens import PrintedToken, TokenSheet
    from muster.rendering.environment import SiblingPages, TemplateEnvironment

TOKEN_GRID = CutGrid(25, 25, 6, 9)
"""Tokens of an inch or a little less, for bases and round punches; 54 to a page."""

TOKEN_COLOURS = {
    "melee": "#1b171f",
    "command": "#162a47",
    "initiative": "#3d3562",
    "fire": "#88321f",
    "movement": "#316d48",
    "morale": "#976f14",
    "neutral": "#3c4148",
    "army": "#5a4030",
}
"""Colours of tones; the first six are told apart in a print without colour, too."""

_TOKEN_EDGE_MM = 1.5
"""The width along the edge of a token that stays free of text."""


def tokens_pdf(templates: TemplateEnvironment, sheet: TokenSheet, paper: str) -> Printed:
    """Print the tokens of a system on as many pages as they need.

    Raises:
        PrintError: If the words of a token do not fit on it; names them.
    """
    each = TOKEN_GRID.across * TOKEN_GRID.down
    tokens = [token for token in sheet.tokens for _ in range(token.number)]
    pages = [tokens[start : start + each] for start in range(0, len(tokens), each)]
    html = templates.render(
        "tokens/print.html.j2",
        sheet=sheet,
        colours=TOKEN_COLOURS,
        pages=pages,
        grid=TOKEN_GRID,
        geometry=lay_out_sheet(TOKEN_GRID, PAPERS[paper], build_ruler(templates.folders)),
    )
    styles = templates.read_styles(("base/print.css", "tokens/tokens.css"))
    name = f"{sheet.system}: tokens"
    before_drawing = partial(_raise_if_overfull, tokens)
    return templates.printer.pdf(html, styles, name, len(pages), before_drawing)


def _raise_if_overfull(tokens: list[PrintedToken], pages: list[Page]) -> None:
    """Check that tokens hold all that is on them.

    Raises:
        PrintError: If any does not, or there are not as many as there should be.
    """
    flags = find_overfull(pages, "token", _TOKEN_EDGE_MM * PX_PER_MM)
    if len(flags) != len(tokens):
        text = (
            f"the template tokens/print.html.j2 printed {len(flags)} elements of the class `token`,"
            f" expected {len(tokens)}: one for each token"
        )
        raise PrintError(text)
    overfull = dict.fromkeys(
        token.label for token, is_full in zip(tokens, flags, strict=True) if is_full
    )
    if overfull:
        names = ", ".join(f"“{label}”" for label in overfull)
        text = f"no room on a token for {names}; use shorter words in tokens.yaml"
        raise PrintError(text)


def tokens_html(
    templates: TemplateEnvironment, sheet: TokenSheet, home: str, beside: SiblingPages = ()
) -> str:
    """Return the tokens as a self-contained HTML page."""
    return templates.render_screen(
        "tokens/screen.html.j2",
        ("base/screen.css", "tokens/tokens.css", "tokens/screen.css"),
        sheet=sheet,
        colours=TOKEN_COLOURS,
        home=home,
        beside=beside,
    )
