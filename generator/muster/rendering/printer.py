"""Lay out and print HTML with WeasyPrint; its warnings are errors."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from weasyprint import CSS, HTML
from weasyprint.document import Page
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher, URLFetcherResponse

from muster.rendering.joining import PdfPiece, capture_piece
from muster.rendering.page_boxes import CHANGED_ATTRIBUTE, draw_change_bars
from muster.rendering.pdf_output import (
    UA_1,
    PdfTarget,
    TurnEdge,
    UnprintableError,
    set_print_preferences,
)

_LOGGER = logging.getLogger("weasyprint")


PageHook = Callable[[list[Page]], None]
"""What is done to pages between their layout and their print."""


class PrintError(Exception):
    """Say that a page cannot be printed as it must be."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where an element with an id stands: page from 0, and CSS pixels on that page."""

    page: int
    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Printed:
    """A finished document; `pages` is 0 for one that has none."""

    data: bytes
    pages: int = 0


@dataclass(frozen=True, slots=True)
class Overhang:
    """A text that sticks out of its page: by which share of the page's width, and where.

    The page counts from 0, and the top is in CSS pixels on that page.
    """

    share: float
    text: str
    page: int
    top: float


@dataclass(frozen=True, slots=True)
class TrialLayout:
    """A trial layout: where elements with an id stand, and what sticks out on the right."""

    anchors: dict[str, Anchor]
    wide: tuple[Overhang, ...]


class _Fetcher(URLFetcher):  # type: ignore[misc]  # WeasyPrint ships no types
    """Serves data addresses and files below the allowed folders; never the network."""

    def __init__(self, folders: Sequence[Path]) -> None:
        super().__init__(allowed_protocols=("file", "data"))
        self.folders = tuple(folder.resolve() for folder in folders)

    def fetch(self, url: str, headers: dict[str, str] | None = None) -> URLFetcherResponse:
        parts = urlsplit(url)
        if parts.scheme == "file":  # in small letters, however it was written
            path = Path(unquote(parts.path)).resolve()
            if not any(path.is_relative_to(folder) for folder in self.folders):
                text = f"{path.name} lies outside the folders that a page may use"
                raise PrintError(text)
        return super().fetch(url, headers)


_MISSING_GLYPH_MESSAGE = ".notdef glyph"
"""How WeasyPrint begins to say that no font of this machine has a character.

A player may name a unit in any script: it prints as an empty box then, and the army still prints.
"""


class _WarningCollector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if not str(record.msg).startswith(_MISSING_GLYPH_MESSAGE):
            self.messages.append(record.getMessage())


@contextmanager
def _warnings_as_errors(what: str) -> Iterator[None]:
    """Turn what WeasyPrint warns of into an error: a warning is a page that differs from plan.

    Raises:
        PrintError: If anything was logged.
    """
    ear = _WarningCollector()
    _LOGGER.addHandler(ear)
    propagate, _LOGGER.propagate = _LOGGER.propagate, False
    try:
        yield
    finally:
        _LOGGER.removeHandler(ear)
        _LOGGER.propagate = propagate
    if ear.messages:
        text = f"{what}: WeasyPrint warns: " + "; ".join(dict.fromkeys(ear.messages))
        raise PrintError(text)


def _collect_garbage() -> None:
    """Give back the memory of a layout, whose parts all know each other.

    Only in a worker, which has put aside what it loaded and stilled the collector: elsewhere it
    would take too long.
    """
    if not gc.isenabled():
        gc.collect()


_OVERHANG_TOLERANCE_PX = 1.0


def find_overhangs(page: Page, number: int, margin: float = 0) -> Iterator[Overhang]:
    """Tell which texts stick out of a page, or into so many pixels on its right.

    WeasyPrint has no public way to ask for the boxes of a page; only their places are read.
    """
    for box in page._page_box.descendants():  # noqa: SLF001 - see the docstring
        text = getattr(box, "text", None)
        if text and text.strip():
            over = box.position_x + box.width - (page.width - margin)
            if over > _OVERHANG_TOLERANCE_PX:
                yield Overhang(over / page.width, text.strip()[:40], number, box.position_y)


class Printer:
    """Lays out and prints HTML with the fonts and styles of one set of template folders."""

    def __init__(self, folders: Sequence[Path], faces: str) -> None:
        """Load the faces once.

        Args:
            folders: The only folders that pages may take files from.
            faces: The `@font-face` rules, with `file:` addresses below those folders.
        """
        self._fonts = FontConfiguration()
        self._fetcher = _Fetcher(folders)
        self._styles: dict[str, CSS] = {}
        with _warnings_as_errors("fonts"):
            self._faces = CSS(string=faces, font_config=self._fonts, url_fetcher=self._fetcher)

    def _sheets(self, styles: Sequence[str]) -> list[CSS]:
        for style in styles:
            if style not in self._styles:
                # Kept only if nothing is wrong with it, so that every document says so.
                with _warnings_as_errors("style sheet"):
                    css = CSS(string=style, font_config=self._fonts, url_fetcher=self._fetcher)
                self._styles[style] = css
        return [self._faces, *(self._styles[style] for style in styles)]

    def measure(
        self, html: str, styles: Sequence[str], what: str, margin: float = 0
    ) -> TrialLayout:
        """Lay out without printing and tell where things stand.

        What reaches into *margin*, so many pixels on the right of a page, sticks out.

        Raises:
            PrintError: If WeasyPrint warns.
        """
        with _warnings_as_errors(what):
            source = HTML(string=html, url_fetcher=self._fetcher)
            document = source.render(font_config=self._fonts, stylesheets=self._sheets(styles))
        wide = tuple(
            each
            for number, page in enumerate(document.pages)
            for each in find_overhangs(page, number, margin)
        )
        anchors = {
            name: Anchor(number, left, top, right - left, bottom - top)
            for number, page in enumerate(document.pages)
            for name, (left, top, right, bottom) in page.anchors.items()
        }
        del document, source
        _collect_garbage()
        return TrialLayout(anchors, wide)

    def piece(
        self,
        html: str,
        styles: Sequence[str],
        what: str,
        pages: int,
        settle: PageHook | None = None,
        turn: TurnEdge = "",
    ) -> PdfPiece:
        """Lay out some pages of a document, to be joined with others.

        Raises:
            PrintError: If WeasyPrint warns, or the number of pages differs from that promised.
        """
        with _warnings_as_errors(what):
            source = HTML(string=html, url_fetcher=self._fetcher)
            document = source.render(font_config=self._fonts, stylesheets=self._sheets(styles))
            if len(document.pages) != pages:
                text = f"{what}: {len(document.pages)} pages where {pages} were promised"
                raise PrintError(text)
            if settle is not None:
                settle(document.pages)
            made = UA_1.make_pdf(document)
            set_print_preferences(made, turn)
            piece = capture_piece(made)
        del document, source, made
        _collect_garbage()
        return piece

    def pdf(  # noqa: PLR0913, PLR0917 - what a print is made from
        self,
        html: str,
        styles: Sequence[str],
        what: str,
        pages: int | None = None,
        settle: PageHook | None = None,
        turn: TurnEdge = "",
        target: PdfTarget = UA_1,
    ) -> Printed:
        """Print a PDF, tagged unless its target says otherwise; the same HTML gives the same bytes.

        Args:
            html: The whole document.
            styles: Style sheets, as text.
            what: The document's name, for messages.
            pages: How many pages it must have, if that is promised.
            settle: Looks over what is laid out, or changes it, before it is drawn.
            turn: The edge over which its sheets are turned, if they have two sides.
            target: What it is for; for screen readers (PDF/UA-1), if nothing is said.

        Raises:
            PrintError: If WeasyPrint warns, or the number of pages differs.
        """
        with _warnings_as_errors(what):
            source = HTML(string=html, url_fetcher=self._fetcher)
            document = source.render(font_config=self._fonts, stylesheets=self._sheets(styles))
            if pages is not None and len(document.pages) != pages:
                text = f"{what}: {len(document.pages)} pages where {pages} were promised"
                raise PrintError(text)
            if settle is not None:
                settle(document.pages)
            made = target.make_pdf(document)
            set_print_preferences(made, turn)
            try:
                target.finish(made)
            except UnprintableError as wrong:
                text = f"{what}: {wrong}"
                raise PrintError(text) from None
            if CHANGED_ATTRIBUTE in html:
                draw_change_bars(document, made)
            data = target.write(made)
        printed = Printed(data, len(document.pages))
        del document, source, made
        _collect_garbage()
        return printed
