"""Render a document of any kind and format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from muster.languages import speaking
from muster.rendering.book_pages import book_html, book_pdf
from muster.rendering.builder_files import builder_file
from muster.rendering.card_pages import cards_html, cards_pdf
from muster.rendering.paper import PAPERS
from muster.rendering.plain_pages import index_html, index_pdf
from muster.rendering.printed import Printed
from muster.rendering.prose_html import mark_foreign
from muster.rendering.roster_pages import roster_html, roster_pdf
from muster.rendering.rulebook_pages import cover_pdf, rulebook_html, rulebook_pdf
from muster.rendering.sheet_pages import sheet_html, sheet_pdf
from muster.rendering.token_pages import tokens_html, tokens_pdf
from muster.rendering.web_files import search_script, web_file

if TYPE_CHECKING:
    from muster.rendering.environment import TemplateEnvironment
    from muster.rendering.pdf_pieces import PieceStore
    from muster.rendering.type_size import SizeMemory


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """How a document is to be rendered.

    `home` is the relative address of the index page; `beside` holds title and address of the
    HTML pages to link to.
    """

    kind: str
    format: str
    variant: str = ""
    paper: str = ""
    home: str = "index.html"
    beside: tuple[tuple[str, str], ...] = ()


def render_document(
    templates: TemplateEnvironment,
    options: RenderOptions,
    data: Any,
    memory: SizeMemory,
    store: PieceStore | None = None,
) -> Printed:
    """Render one document, in its own language.

    Raises:
        PrintError: If it cannot be printed as it must be.
    """
    with speaking(_language_of(data)):
        return _render(templates, options, data, memory, store)


def _language_of(data: Any) -> str:
    """Return the language of a document or page; what has none is English."""
    page = getattr(data, "page", None)
    return getattr(data if page is None else page.frame, "language", "en")


def _render(  # noqa: C901, PLR0911, PLR0912 - one case for each kind and format
    templates: TemplateEnvironment,
    options: RenderOptions,
    data: Any,
    memory: SizeMemory,
    store: PieceStore | None,
) -> Printed:
    match options.kind, options.format:
        case "sheet", "pdf":
            return sheet_pdf(templates, data, PAPERS[options.paper], memory)
        case "cards", "pdf":
            return cards_pdf(templates, data, options.variant, options.paper, memory, store)
        case "tokens", "pdf":
            return tokens_pdf(templates, data, options.paper)
        case "roster", "pdf":
            return roster_pdf(templates, data, options.variant, options.paper, memory)
        case "book", "pdf":
            return book_pdf(templates, data, options.paper, memory)
        case "rulebook", "pdf":
            return rulebook_pdf(templates, data, memory)
        case "cover", "pdf":
            return cover_pdf(templates, data, memory)
        case "index", "pdf":
            return index_pdf(templates, data, options.paper)
        case "sheet", "html":
            html = sheet_html(templates, data, options.home, options.beside)
        case "cards", "html":
            html = cards_html(templates, data, options.home, options.beside)
        case "tokens", "html":
            html = tokens_html(templates, data, options.home, options.beside)
        case "roster", "html":
            html = roster_html(templates, data, options.variant, options.home, options.beside)
        case "book", "html":
            html = book_html(templates, data, options.home, options.beside)
        case "rulebook", "html":
            search = search_script(data.search)
            html = rulebook_html(templates, data.book, options.home, options.beside, search)
            html = mark_foreign(html, data.book.foreign)
        case "index", "html":
            html = index_html(templates, data)
        case "builder", "png":
            return Printed(templates.read_picture(f"builder/{options.variant}"))
        case "builder", _:
            html = builder_file(templates, options.variant, data)
        case "web", _:
            html = web_file(templates, options.variant, data, options.home, options.beside)
        case _:
            raise KeyError(options.kind, options.format)
    return Printed(html.encode())
