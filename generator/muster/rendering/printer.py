"""Lay out and print HTML with WeasyPrint; its warnings are errors.

No other module imports WeasyPrint, which fails without Pango: pages for screens do without it.
"""

from __future__ import annotations

import gc
import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from mimetypes import guess_type
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pydyf
from weasyprint import CSS, HTML
from weasyprint.document import Document, Page
from weasyprint.html import UA
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher, URLFetcherResponse

from muster.problems import MusterError
from muster.rendering.page_boxes import (
    CHANGED_ATTRIBUTE,
    draw_change_bars,
    find_overhangs,
)
from muster.rendering.paper import TurnEdge
from muster.rendering.pdf_output import (
    UA_1,
    PdfTarget,
    UnprintableError,
    keep_colour_profiles,
    set_print_preferences,
)
from muster.rendering.pdf_pieces import PdfPiece, capture_piece
from muster.rendering.printed import Anchor, Printed, PrintError, TrialLayout
from muster.systems.pictures import Picture
from muster.yamlfile.textfile import LARGEST_BINARY, read_bytes

_LOGGER = logging.getLogger("weasyprint")


PageHook = Callable[[list[Page]], None]
"""Called with the laid-out pages before they are drawn, to check or change them."""


class _Fetcher(URLFetcher):  # type: ignore[misc]  # WeasyPrint ships no types
    """Serves data addresses, a document's pictures and files below the allowed folders.

    It never asks the network.
    """

    def __init__(self, folders: Sequence[Path], pictures: Mapping[str, Picture]) -> None:
        super().__init__(allowed_protocols=("data",))
        self.pictures = pictures
        self.folders = tuple(folder.resolve() for folder in folders)

    def fetch(self, url: str, headers: dict[str, str] | None = None) -> URLFetcherResponse:
        parts = urlsplit(url)
        if url in self.pictures:
            picture = self.pictures[url]
            return URLFetcherResponse(url, picture.data, {"Content-Type": picture.media_type})
        if parts.scheme != "file":  # `urlsplit` turns it into lower case
            return super().fetch(url, headers)
        # Read here rather than by WeasyPrint: what is checked is what is read.
        path = Path(unquote(parts.path)).resolve()
        if parts.netloc or not any(path.is_relative_to(folder) for folder in self.folders):
            text = f"{path.name} is outside the folders that a page may load files from"
            raise PrintError(text)
        try:
            data = read_bytes(path, path.name, LARGEST_BINARY)
        except MusterError as error:
            raise PrintError(str(error)) from None
        if data.startswith(b"wOF"):
            text = f"{path.name} is a compressed font, expected a .ttf or .otf file for print"
            raise PrintError(text)
        media_type = guess_type(path.name)[0] or "application/octet-stream"
        return URLFetcherResponse(url, data, {"Content-Type": media_type})


_MISSING_GLYPH_MESSAGE = ".notdef glyph"
"""How WeasyPrint's warning begins if no font of this machine has a character.

This is not an error: players may name units in any script. The character prints as an empty box.
"""


def default_styles() -> str:
    """Return WeasyPrint's default styles without footnotes, and with markers for lists only.

    As they stand they compute six more styles for every element of a page, which takes a seventh of
    the time of its layout. None of our pages has a footnote.
    """
    for_lists = UA.replace("\n::marker ", "\nli::marker ")
    return re.sub(r"^::.*$", "", for_lists, flags=re.MULTILINE)


_DEFAULTS = CSS(string=default_styles())


class _Source(HTML):  # type: ignore[misc]  # WeasyPrint ships no types
    """A page with our default styles."""

    def _ua_stylesheets(self, forms: bool = False) -> list[CSS]:  # noqa: ARG002, FBT001, FBT002
        return [_DEFAULTS]


class _WarningCollector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if not str(record.msg).startswith(_MISSING_GLYPH_MESSAGE):
            self.messages.append(record.getMessage())


@contextmanager
def _warnings_as_errors(name: str) -> Iterator[None]:
    """Turn warnings of WeasyPrint into an error: each means a page that is not as planned.

    Raises:
        PrintError: If anything was logged.
    """
    collector = _WarningCollector()
    _LOGGER.addHandler(collector)
    propagate, _LOGGER.propagate = _LOGGER.propagate, False
    try:
        yield
    finally:
        _LOGGER.removeHandler(collector)
        _LOGGER.propagate = propagate
    if collector.messages:
        text = f"{name}: WeasyPrint warns: " + "; ".join(dict.fromkeys(collector.messages))
        raise PrintError(text)


def _collect_garbage() -> None:
    """Free the memory of a layout, whose objects refer to each other in cycles.

    This is only done in a worker, which has frozen what it loaded and disabled automatic
    collection: anywhere else it would take too long.
    """
    if not gc.isenabled():
        gc.collect()


class Printer:
    """Lays out and prints HTML with the fonts and styles of one set of template folders."""

    def __init__(
        self, folders: Sequence[Path], faces: str, pictures: Mapping[str, Picture] | None = None
    ) -> None:
        """Load the typefaces.

        Args:
            folders: The only folders that pages may load files from.
            faces: The `@font-face` rules, with `file:` addresses below those folders.
            pictures: The pictures of the document that is being printed, by their addresses.
        """
        self._fonts = FontConfiguration()
        self._fetcher = _Fetcher(folders, {} if pictures is None else pictures)
        self._styles: dict[str, CSS] = {}
        with _warnings_as_errors("fonts"):
            self._faces = CSS(string=faces, font_config=self._fonts, url_fetcher=self._fetcher)

    def _sheets(self, styles: Sequence[str]) -> list[CSS]:
        for style in styles:
            if style not in self._styles:
                # Stored only if nothing is wrong with it; otherwise each document must report it.
                with _warnings_as_errors("style sheet"):
                    css = CSS(string=style, font_config=self._fonts, url_fetcher=self._fetcher)
                self._styles[style] = css
        return [self._faces, *(self._styles[style] for style in styles)]

    def _lay_out(self, html: str, styles: Sequence[str]) -> Document:
        source = _Source(string=html, url_fetcher=self._fetcher)
        return source.render(font_config=self._fonts, stylesheets=self._sheets(styles))

    def _lay_out_pages(
        self,
        html: str,
        styles: Sequence[str],
        name: str,
        pages: int | None,
        before_drawing: PageHook | None,
    ) -> Document:
        """Lay out pages to be drawn, check how many there are, and call the hook.

        Raises:
            PrintError: If there are more or fewer pages than *pages* says.
        """
        document = self._lay_out(html, styles)
        if pages is not None and len(document.pages) != pages:
            text = f"{name}: {len(document.pages)} pages, expected {pages}"
            raise PrintError(text)
        if before_drawing is not None:
            before_drawing(document.pages)
        return document

    def _make_pdf(self, target: PdfTarget, document: Document, turn_edge: TurnEdge) -> pydyf.PDF:
        """Return a document's PDF before it is written, with what every PDF of ours has."""
        made = target.make_pdf(document)
        set_print_preferences(made, turn_edge)
        profiles = {url: each.profile for url, each in self._fetcher.pictures.items()}
        keep_colour_profiles(made, profiles)
        return made

    def measure(
        self, html: str, styles: Sequence[str], name: str, margin: float = 0
    ) -> TrialLayout:
        """Lay out without printing, and return where things stand.

        Text that reaches into *margin* pixels at the right of a page counts as sticking out.

        Raises:
            PrintError: If WeasyPrint warns.
        """
        with _warnings_as_errors(name):
            document = self._lay_out(html, styles)
        wide = tuple(
            each
            for number, page in enumerate(document.pages)
            for each in find_overhangs(page, number, margin, with_tables=True)
        )
        anchors = {
            anchor: Anchor(number, left, top, right - left, bottom - top)
            for number, page in enumerate(document.pages)
            for anchor, (left, top, right, bottom) in page.anchors.items()
        }
        del document
        _collect_garbage()
        return TrialLayout(anchors, wide)

    def piece(  # noqa: PLR0913, PLR0917 - what a print is made from
        self,
        html: str,
        styles: Sequence[str],
        name: str,
        pages: int,
        before_drawing: PageHook | None = None,
        turn_edge: TurnEdge = "",
        target: PdfTarget = UA_1,
    ) -> PdfPiece:
        """Lay out some pages of a document, to be joined with others.

        Raises:
            PrintError: If WeasyPrint warns, or there are not as many pages as *pages* says.
        """
        with _warnings_as_errors(name):
            document = self._lay_out_pages(html, styles, name, pages, before_drawing)
            made = self._make_pdf(target, document, turn_edge)
            target.finish(made)
            try:
                piece = capture_piece(made)
            except (AttributeError, LookupError, TypeError, ValueError) as error:
                text = f"{name}: pages of this template cannot be joined ({error})"
                raise PrintError(text) from error
        del document, made
        _collect_garbage()
        return piece

    def pdf(  # noqa: PLR0913, PLR0917 - what a print is made from
        self,
        html: str,
        styles: Sequence[str],
        name: str,
        pages: int | None = None,
        before_drawing: PageHook | None = None,
        turn_edge: TurnEdge = "",
        target: PdfTarget = UA_1,
    ) -> Printed:
        """Print a PDF, tagged unless its target says otherwise; the same HTML gives the same bytes.

        Args:
            html: The whole document.
            styles: Style sheets, as text.
            name: The document's name, for messages.
            pages: How many pages it must have; None for any number.
            before_drawing: Checks or changes the laid-out pages before they are drawn.
            turn_edge: The edge over which sheets are turned; "" if they have one side only.
            target: What the PDF is made for; by default PDF/UA-1.

        Raises:
            PrintError: If WeasyPrint warns, the number of pages differs, or a press cannot print
                what is on a page.
        """
        with _warnings_as_errors(name):
            document = self._lay_out_pages(html, styles, name, pages, before_drawing)
            made = self._make_pdf(target, document, turn_edge)
            try:
                target.finish(made)
            except UnprintableError as error:
                text = f"{name}: {error}"
                raise PrintError(text) from None
            if CHANGED_ATTRIBUTE in html:
                draw_change_bars(document, made)
            data = target.write(made)
        printed = Printed(data, len(document.pages))
        del document, made
        _collect_garbage()
        return printed
