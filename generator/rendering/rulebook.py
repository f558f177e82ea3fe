"""Owns the way from a rulebook's data to its pages: a printed book, and a page for screens.

Does not gather data. WeasyPrint sets all page numbers; nothing is laid out twice here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING

from markupsafe import Markup
from weasyprint.document import Page

from generator.rendering.chapters import chapter_html, safe_lines
from generator.rendering.locators import misled, once_each
from generator.rendering.paper import PAPERS
from generator.rendering.press import edge_of, target_of
from generator.rendering.printer import Printed, PrintError, sticking_out

if TYPE_CHECKING:
    from generator.documents.passages import BookTable, Passage
    from generator.documents.rulebook import Rulebook
    from generator.rendering.fit import Memory
    from generator.rendering.studio import Beside, Studio

_PARTS = ("parts/tables.css", "changes/changes.css", "rulebook/parts.css")
_STYLES = ("base/print.css", *_PARTS, "rulebook/print.css")
_SCREEN = ("base/screen.css", *_PARTS, "rulebook/screen.css")


class _Unsettled(Exception):  # noqa: N818 - it never leaves this module
    """Say which places a page number misses."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The measures of a page in millimetres, and the type sizes in points."""

    inner: float
    outer: float
    top: float
    bottom: float
    side: float
    """The column beside the text, for captions; 0 where the page is too narrow for one."""
    text_pt: float
    table_pt: float
    small_pt: float
    head_pt: float


_ROOMY = Layout(20, 20, 22, 22, 40, 10.5, 9.2, 8, 8)
_NARROW = Layout(17, 13, 16, 17, 0, 9.4, 8.4, 7.2, 7.4)
_LARGE = Layout(20, 18, 21, 22, 0, 14, 12.2, 12, 12)
_LARGE_NARROW = Layout(15, 12, 16, 18, 0, 14, 12, 12, 12)
_SPARES_MM = (0.0, -2.8, 5.0, -1.4, 2.8)
"""What the lower margin gains or gives up until a layout has all page numbers right, in mm."""
_WIDE_PAGE_MM = 180
_LONG_TABLE = 24
"""Lines from which a table may be longer than a page, so that its head must be able to repeat."""


def layout_of(book: Rulebook) -> Layout:
    """Choose the layout for a book's paper and theme."""
    roomy = _is_wide(book)
    if book.theme == "large-print":
        return _LARGE if roomy else _LARGE_NARROW
    return _ROOMY if roomy else _NARROW


def _is_wide(book: Rulebook) -> bool:
    return PAPERS[book.paper].width_mm >= _WIDE_PAGE_MM


@dataclass(frozen=True, slots=True)
class Printable:
    """A chapter with its HTML."""

    passage: Passage
    html: Markup


def rulebook_pdf(studio: Studio, book: Rulebook, memory: Memory) -> Printed:
    """Print a rulebook.

    Args:
        studio: Templates and fonts.
        book: What to print.
        memory: What earlier builds found; what is found now is put into it.

    Raises:
        PrintError: If WeasyPrint warns, a text sticks out of its page, or a page number is wrong.
    """
    places: Exception | None = None
    html = f"{studio.fingerprint}{print_html(studio, book)}"
    key = sha256(html.encode()).hexdigest()[:24]
    for spare in [memory[key]] if key in memory else _SPARES_MM:
        try:
            printed = _printed(studio, book, spare)
        except _Unsettled as unsettled:
            places = unsettled
        else:
            memory[key] = spare
            return printed
    raise PrintError(f"{what(book)}: no layout gives the right page of {places}")


def _printed(studio: Studio, book: Rulebook, spare: float) -> Printed:
    def settle(pages: list[Page]) -> None:
        for number, page in enumerate(pages):
            for wide in sticking_out(page, number):
                text = f"{what(book)}: “{wide.text}” sticks out of page {number + 1}"
                raise PrintError(f"{text}; take larger paper, or leave its table out")
        if places := misled(pages):
            raise _Unsettled(", ".join(places))
        once_each(pages)

    html = print_html(studio, book, spare)
    return studio.printer.pdf(
        html, styles(studio, book), what(book), settle=settle, turn="long", target=target_of(book)
    )


def what(book: Rulebook) -> str:
    """Name the book, for messages."""
    return f"{book.title}: {book.edition}"


def styles(studio: Studio, book: Rulebook) -> list[str]:
    """List the style sheets of the printed book; its theme comes last."""
    return [studio.style(name) for name in (*_STYLES, f"base/theme-{book.theme}.css")]


def print_html(studio: Studio, book: Rulebook, spare: float = 0) -> str:
    """Give the HTML of the printed book, with so many mm more below its text."""
    paper = PAPERS[book.paper]
    layout = layout_of(book)
    layout = replace(layout, bottom=layout.bottom + spare)
    return studio.render(
        "rulebook/print.html.j2",
        book=book,
        wide=_is_wide(book),
        chapters=[
            Printable(each.passage, safe_lines(each.html))
            for each in _chapters(studio, book, side=bool(layout.side))
        ],
        layout=layout,
        edge=edge_of(book, layout.inner, layout.top),
        page=(paper.width_mm, paper.height_mm),
    )


def rulebook_html(studio: Studio, book: Rulebook, home: str, beside: Beside = ()) -> str:
    """Give the book as one self-contained page for screens."""
    return studio.render(
        "rulebook/screen.html.j2",
        book=book,
        chapters=_chapters(studio, book, side=False),
        faces=studio.inlined_faces,
        style="\n".join(studio.style(name) for name in _SCREEN),
        script="",
        home=home,
        beside=beside,
    )


def _chapters(studio: Studio, book: Rulebook, *, side: bool) -> list[Printable]:
    parts = studio.macros("rulebook/parts.html.j2")
    lists = {
        "errata": Markup(parts.errata(book.doubts)),  # noqa: S704 - Jinja escaped it
        "blanks": Markup(parts.blanks(book.gaps)),  # noqa: S704 - as above
    }

    def table(held: BookTable) -> Markup:
        beside = side and not _wide(held)
        return Markup(parts.table(held, beside))  # noqa: S704 - Jinja escaped it

    return [Printable(each, chapter_html(each, table, lists)) for each in book.chapters]


_MOST_BESIDE = 5
"""Columns that a grid may have to stand beside its caption."""

_MOST_SIGNS = 62
"""Characters that the cells of a row may have together to stand beside the caption."""


def _wide(held: BookTable) -> bool:
    """Tell whether a table wants the whole width of the page."""
    shown = held.view
    if len(shown.lines) > _LONG_TABLE:
        return True
    if shown.form != "grid":
        return False
    longest = max((sum(len(c.text) for c in line.cells) for line in shown.lines), default=0)
    return len(shown.heads) > _MOST_BESIDE or longest > _MOST_SIGNS
