"""Print a rulebook, and write it as one HTML page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from markupsafe import Markup

from muster.rendering.book_pages import book_widths
from muster.rendering.page_boxes import (
    find_overhangs,
    find_wrong_references,
    remove_repeated_numbers,
)
from muster.rendering.paper import PAPERS
from muster.rendering.pdf_output import edge_of, target_of
from muster.rendering.printed import Printed, PrintError
from muster.rendering.prose_html import chapter_html, move_spaces_inside

if TYPE_CHECKING:
    from weasyprint.document import Page

    from muster.documents.passages import BookTable, Passage
    from muster.documents.rulebook import Rulebook
    from muster.rendering.environment import SiblingPages, TemplateEnvironment
    from muster.rendering.type_size import SizeMemory

_SHARED_STYLES = (
    *("parts/tables.css", "changes/changes.css", "book/book.css"),
    "rulebook/parts.css",
)
_PRINT_STYLES = ("base/print.css", *_SHARED_STYLES, "rulebook/print.css")
_SCREEN_STYLES = (
    *("base/screen.css", *_SHARED_STYLES),
    *("parts/screen.css", "book/screen.css", "rulebook/screen.css"),
)


class _WrongPageNumbers(Exception):  # noqa: N818 - it never leaves this module
    """Page numbers are wrong; the text lists the anchors."""


@dataclass(frozen=True, slots=True)
class BookLayout:
    """The measures of a page in millimetres, and the type sizes in points."""

    inner: float
    outer: float
    top: float
    bottom: float
    side: float
    """The width of the column beside the text, for captions; 0 on pages too narrow for one."""
    text_pt: float
    table_pt: float
    small_pt: float
    head_pt: float


_ROOMY = BookLayout(20, 20, 22, 22, 40, 10.5, 9.2, 8, 8)
_NARROW = BookLayout(17, 13, 16, 17, 0, 9.4, 8.4, 7.2, 7.4)
_LARGE = BookLayout(20, 18, 21, 22, 0, 14, 12.2, 12, 12)
_LARGE_NARROW = BookLayout(15, 12, 16, 18, 0, 14, 12, 12, 12)
_BOTTOM_ADJUSTMENTS_MM = (0.0, -2.8, 5.0, -1.4, 2.8)
"""Changes of the lower margin, in mm, that are tried until all page numbers are right."""
_ROOMY_PAGE_MM = 180
_MM_PER_PT = 25.4 / 72
_LONG_TABLE = 24
"""A table with more lines may be longer than a page, so that its head must be able to repeat."""


def layout_of(book: Rulebook) -> BookLayout:
    """Return the layout for a book's paper and theme."""
    roomy = _is_roomy(book)
    if book.theme == "large-print":
        return _LARGE if roomy else _LARGE_NARROW
    return _ROOMY if roomy else _NARROW


def _is_roomy(book: Rulebook) -> bool:
    return PAPERS[book.paper].width_mm >= _ROOMY_PAGE_MM


@dataclass(frozen=True, slots=True)
class RenderedChapter:
    """A chapter with its HTML."""

    passage: Passage
    html: Markup


def rulebook_pdf(templates: TemplateEnvironment, book: Rulebook, memory: SizeMemory) -> Printed:
    """Print a rulebook.

    Args:
        templates: Templates and fonts.
        book: The book to print.
        memory: Adjustments that earlier builds found; what is found now is added.

    Raises:
        PrintError: If WeasyPrint warns, a text sticks out of its page, or a page number is wrong.
    """
    wrong: Exception | None = None
    key = templates.key(rulebook_print_html(templates, book))
    for bottom_adjustment_mm in [memory[key]] if key in memory else _BOTTOM_ADJUSTMENTS_MM:
        try:
            printed = _print_adjusted(templates, book, bottom_adjustment_mm)
        except _WrongPageNumbers as error:
            wrong = error
        else:
            memory[key] = bottom_adjustment_mm
            return printed
    raise PrintError(f"{book_name(book)}: no layout has the right page numbers for {wrong}")


def _print_adjusted(
    templates: TemplateEnvironment, book: Rulebook, bottom_adjustment_mm: float
) -> Printed:
    def before_drawing(pages: list[Page]) -> None:
        for number, page in enumerate(pages):
            for overhang in find_overhangs(page, number):
                text = (
                    f"{book_name(book)}: “{overhang.text}” extends beyond the edge of page "
                    f"{number + 1}; use larger paper, or leave out its table"
                )
                raise PrintError(text)
        if anchors := find_wrong_references(pages):
            raise _WrongPageNumbers(", ".join(anchors))
        remove_repeated_numbers(pages)

    html = rulebook_print_html(templates, book, bottom_adjustment_mm)
    return templates.printer.pdf(
        html,
        print_styles(templates, book),
        book_name(book),
        before_drawing=before_drawing,
        turn_edge="long",
        target=target_of(book),
    )


def book_name(book: Rulebook) -> str:
    """Return the book's name, for messages."""
    return f"{book.title}: {book.edition}"


def print_styles(templates: TemplateEnvironment, book: Rulebook) -> list[str]:
    """Return the style sheets of the printed book; its theme comes last."""
    return templates.read_styles((*_PRINT_STYLES, f"base/theme-{book.theme}.css"))


def rulebook_print_html(
    templates: TemplateEnvironment, book: Rulebook, bottom_adjustment_mm: float = 0
) -> str:
    """Return the HTML of the printed book, with its lower margin adjusted."""
    paper = PAPERS[book.paper]
    layout = layout_of(book)
    layout = replace(layout, bottom=layout.bottom + bottom_adjustment_mm)
    em_mm = layout.table_pt * _MM_PER_PT
    return templates.render(
        "rulebook/print.html.j2",
        book=book,
        wide=_is_roomy(book),
        chapters=[
            RenderedChapter(each.passage, move_spaces_inside(each.html))
            for each in _render_chapters(templates, book, side=bool(layout.side))
        ],
        layout=layout,
        widths=[
            book_widths(each, (paper.width_mm - layout.inner - layout.outer) / em_mm)
            for each in book.army_books
        ],
        edge=edge_of(book, layout.inner, layout.top),
        page=(paper.width_mm, paper.height_mm),
    )


def rulebook_html(
    templates: TemplateEnvironment, book: Rulebook, home: str, beside: SiblingPages = ()
) -> str:
    """Return the book as a self-contained HTML page."""
    return templates.render_screen(
        "rulebook/screen.html.j2",
        _SCREEN_STYLES,
        scripts=("base/fit.js",),
        book=book,
        chapters=_render_chapters(templates, book, side=False),
        widths=[book_widths(each) for each in book.army_books],
        home=home,
        beside=beside,
    )


def _render_chapters(
    templates: TemplateEnvironment, book: Rulebook, *, side: bool
) -> list[RenderedChapter]:
    parts = templates.macros("rulebook/parts.html.j2")
    lists = {"errata": parts.errata(book.doubts)}

    def table(book_table: BookTable) -> Markup:
        html: Markup = parts.table(book_table, side and not _needs_full_width(book_table))
        return html

    return [RenderedChapter(each, chapter_html(each, table, lists)) for each in book.chapters]


_MAX_COLUMNS_BESIDE = 5
"""The most columns of a grid that stands beside its caption."""

_MAX_CHARACTERS_BESIDE = 62
"""The most characters in a row of a grid that stands beside its caption."""


def _needs_full_width(table: BookTable) -> bool:
    """Return whether a table needs the whole width of the page."""
    view = table.view
    if len(view.lines) > _LONG_TABLE:
        return True
    if view.form != "grid":
        return False
    longest = max((sum(len(c.text) for c in line.cells) for line in view.lines), default=0)
    return len(view.heads) > _MAX_COLUMNS_BESIDE or longest > _MAX_CHARACTERS_BESIDE
