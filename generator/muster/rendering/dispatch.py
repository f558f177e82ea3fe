"""Render a document of any kind and format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from muster.languages import speaking
from muster.rendering.book_pages import book_html, book_pdf
from muster.rendering.builder_files import builder_file
from muster.rendering.card_pages import cards_html, cards_pdf
from muster.rendering.paper import PAPERS
from muster.rendering.plain_pages import index_html, index_pdf
from muster.rendering.printed import Printed
from muster.rendering.roster_pages import roster_html, roster_pdf
from muster.rendering.rulebook_pages import cover_pdf, rulebook_html, rulebook_pdf
from muster.rendering.sheet_pages import sheet_html, sheet_pdf
from muster.rendering.token_pages import tokens_html, tokens_pdf
from muster.rendering.web_files import web_file

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


@dataclass(frozen=True, slots=True)
class _Task:
    """A document to render, with all that rendering it takes."""

    templates: TemplateEnvironment
    options: RenderOptions
    data: Any
    memory: SizeMemory
    store: PieceStore | None

    @property
    def addresses(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        """The addresses that a page for screens links to."""
        return self.options.home, self.options.beside


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
    task = _Task(templates, options, data, memory, store)
    with speaking(_language_of(data)):
        if options.format == "pdf":
            return _PRINTS[options.kind](task)
        return Printed(_PAGES[options.kind](task).encode())


def _language_of(data: Any) -> str:
    """Return the language of a document or page; what has none is English."""
    page = getattr(data, "page", None)
    return getattr(data if page is None else page.frame, "language", "en")


_PRINTS: Mapping[str, Callable[[_Task], Printed]] = {
    "sheet": lambda t: sheet_pdf(t.templates, t.data, PAPERS[t.options.paper], t.memory),
    "cards": lambda t: cards_pdf(
        t.templates, t.data, t.options.variant, t.options.paper, t.memory, t.store
    ),
    "tokens": lambda t: tokens_pdf(t.templates, t.data, t.options.paper),
    "roster": lambda t: roster_pdf(
        t.templates, t.data, t.options.variant, t.options.paper, t.memory
    ),
    "book": lambda t: book_pdf(t.templates, t.data, t.options.paper),
    "rulebook": lambda t: rulebook_pdf(t.templates, t.data, t.memory),
    "cover": lambda t: cover_pdf(t.templates, t.data, t.memory),
    "index": lambda t: index_pdf(t.templates, t.data, t.options.paper),
}
"""How each kind of document is printed."""

_PAGES: Mapping[str, Callable[[_Task], str]] = {
    "sheet": lambda t: sheet_html(t.templates, t.data, *t.addresses),
    "cards": lambda t: cards_html(t.templates, t.data, *t.addresses),
    "tokens": lambda t: tokens_html(t.templates, t.data, *t.addresses),
    "roster": lambda t: roster_html(t.templates, t.data, t.options.variant, *t.addresses),
    "book": lambda t: book_html(t.templates, t.data, *t.addresses),
    "rulebook": lambda t: rulebook_html(t.templates, t.data, *t.addresses),
    "index": lambda t: index_html(t.templates, t.data),
    "builder": lambda t: builder_file(t.templates, t.options.variant, t.data),
    "web": lambda t: web_file(t.templates, t.options.variant, t.data, t.options.home),
}
"""How the page, or the file of a page, of each kind of document is made for screens."""
