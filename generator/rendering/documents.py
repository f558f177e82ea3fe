"""Owns the choice of renderer for a document.

Does not render; each kind of document has a module of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from generator.rendering.cards import cards_html, cards_pdf
from generator.rendering.index import index_html, index_pdf
from generator.rendering.paper import PAPERS
from generator.rendering.printer import Printed
from generator.rendering.roster import roster_html, roster_pdf
from generator.rendering.rulebook import rulebook_html, rulebook_pdf
from generator.rendering.sheet import sheet_html, sheet_pdf
from generator.rendering.web import web_file

if TYPE_CHECKING:
    from generator.rendering.fit import Memory
    from generator.rendering.pieces import Kept
    from generator.rendering.studio import Studio


@dataclass(frozen=True, slots=True)
class Way:
    """How a document is to be rendered.

    `home` is the way from it to the index page, `beside` the titles and addresses of the pages
    for screens that it links to.
    """

    kind: str
    format: str
    variant: str = ""
    paper: str = ""
    home: str = "index.html"
    beside: tuple[tuple[str, str], ...] = ()


def render_document(  # noqa: C901 - one a kind and format
    studio: Studio, way: Way, data: Any, memory: Memory, kept: Kept | None = None
) -> Printed:
    """Render one document.

    Raises:
        PrintError: If it cannot be printed as it must be.
    """
    match way.kind, way.format:
        case "sheet", "pdf":
            return sheet_pdf(studio, data, PAPERS[way.paper], memory)
        case "cards", "pdf":
            return cards_pdf(studio, data, way.variant, way.paper, memory, kept)
        case "roster", "pdf":
            return roster_pdf(studio, data, way.variant, way.paper, memory)
        case "rulebook", "pdf":
            return rulebook_pdf(studio, data, memory)
        case "index", "pdf":
            return index_pdf(studio, data, way.paper)
        case "sheet", "html":
            html = sheet_html(studio, data, way.home, way.beside)
        case "cards", "html":
            html = cards_html(studio, data, way.home, way.beside)
        case "roster", "html":
            html = roster_html(studio, data, way.variant, way.home, way.beside)
        case "rulebook", "html":
            html = rulebook_html(studio, data, way.home, way.beside)
        case "index", "html":
            html = index_html(studio, data)
        case "web", _:
            html = web_file(studio, way.variant, data, way.home)
        case _:
            raise KeyError(way.kind, way.format)
    return Printed(html.encode())
