"""Render a document of any kind and format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from muster.rendering.card_pages import cards_html, cards_pdf
from muster.rendering.paper import PAPERS
from muster.rendering.plain_pages import index_html, index_pdf
from muster.rendering.printer import Printed
from muster.rendering.roster_pages import roster_html, roster_pdf
from muster.rendering.rulebook_pages import rulebook_html, rulebook_pdf
from muster.rendering.sheet_pages import sheet_html, sheet_pdf
from muster.rendering.web_files import web_file

if TYPE_CHECKING:
    from muster.rendering.environment import TemplateEnvironment
    from muster.rendering.joining import PieceStore
    from muster.rendering.type_size import SizeMemory


@dataclass(frozen=True, slots=True)
class RenderOptions:
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
    studio: TemplateEnvironment,
    way: RenderOptions,
    data: Any,
    memory: SizeMemory,
    kept: PieceStore | None = None,
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
