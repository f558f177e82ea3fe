"""Print a rulebook, and write it as one HTML page."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, floor
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from muster.documents.table_view import name_by_number
from muster.languages import say
from muster.rendering.book_cover import cover_art, cover_sheet, ink_of, spine_width
from muster.rendering.book_pages import book_widths
from muster.rendering.page_boxes import (
    add_blank_pages,
    find_overhangs,
    find_wrong_references,
    first_pages,
    remove_repeated_numbers,
)
from muster.rendering.page_flow import blank_above_chapters, read_flow
from muster.rendering.paper import PAPERS
from muster.rendering.pdf_output import edge_of, target_of
from muster.rendering.printed import Printed, PrintError
from muster.rendering.prose_html import chapter_html, keep_first_line, move_spaces_inside
from muster.rendering.table_moves import LARGEST_HOLE, Moves, find_moves, move_tables
from muster.systems.rulebook_edition import SMALL_PAPERS

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
_PRINT_STYLES = ("base/print.css", *_SHARED_STYLES, "rulebook/cover.css", "rulebook/print.css")
_SCREEN_STYLES = (
    *("base/screen.css", *_SHARED_STYLES),
    *("parts/screen.css", "book/screen.css", "rulebook/screen.css"),
)


RULED_LINE_MM = 9.0
_RULED_HEAD_MM = 18.0
"""The height of a line to write on, and of the title of such lines with the space around it."""


class _WrongPageNumbers(Exception):  # noqa: N818 - it never leaves this module
    """Page numbers are wrong; the text lists the anchors."""

    def __init__(self, anchors: list[str], actual: Mapping[str, int]) -> None:
        super().__init__(", ".join(anchors))
        self.actual = actual
        """The page of each anchor."""


@dataclass(frozen=True, slots=True)
class Adjustment:
    """What a book's layout has that its text does not say."""

    bottom_mm: float = 0
    """The change of the lower margin."""
    moves: Moves = field(default_factory=dict)
    """The tables that have moved, and how far."""
    ruled_lines: Mapping[int, int] = field(default_factory=dict)
    """How many lines to write on fill the page before a chapter, by its number from 0."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """The page numbers to print, by anchor; if there are none, WeasyPrint finds them."""


class _LayOutAgain(Exception):  # noqa: N818 - it never leaves this module
    """The book is to be laid out again, otherwise adjusted."""

    def __init__(self, adjustment: Adjustment) -> None:
        super().__init__()
        self.adjustment = adjustment


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


_ROOMY = BookLayout(20, 20, 22, 22, 40, 10.5, 9.2, 8.5, 8)
_NARROW = BookLayout(17, 13, 16, 17, 0, 9.4, 8.5, 8.5, 7.4)
_LARGE = BookLayout(18, 16, 21, 22, 0, 17, 16, 16, 16)
_LARGE_NARROW = BookLayout(15, 12, 16, 18, 0, 16, 16, 16, 16)
_CLEAR = BookLayout(20, 20, 22, 22, 40, 11.5, 10.5, 10.5, 10)
_CLEAR_NARROW = BookLayout(17, 13, 16, 17, 0, 10.5, 9.5, 9.5, 9)
"""For high contrast, without small type."""
_BOTTOM_CHANGES_MM = (0.0, -2.8, 5.0, -1.4, 2.8)
"""Changes of the lower margin, in mm, that are tried in turn while page numbers are wrong."""
_NUMBERED_LAYOUTS = 3
"""How often a book is laid out with the page numbers of its last layout, until they are right.

Only then is another margin tried, for which tables have to move anew.
"""
_PAGE_COUNTER = re.compile(r"target-counter\(\s*attr\(href\)\s*,\s*page\s*\)")
_TARGET = re.compile(r'href="#([^"]+)"')
_MM_PER_PT = 25.4 / 72
_SCREEN_ART_MM = (186.0, 130.0)
"""Width and height of the drawing at the head of a page for screens."""
_SECTION = 2
"""The level of the headings that the contents name."""
_LONG_TABLE = 24
"""A table with more lines may be longer than a page, so that its head must be able to repeat."""


def layout_of(book: Rulebook) -> BookLayout:
    """Return the layout for a book's paper and theme."""
    roomy = _is_roomy(book)
    if book.theme == "large-print":
        return _LARGE if roomy else _LARGE_NARROW
    if book.theme == "high-contrast":
        return _CLEAR if roomy else _CLEAR_NARROW
    return _ROOMY if roomy else _NARROW


@dataclass(frozen=True, slots=True)
class QuestionStyle:
    """How the questions to settle before play are printed."""

    text_pt: float
    answer_mm: float
    """The height of the line for an answer."""
    close: bool = False
    """Whether their page has smaller margins."""


_CLOSE_MARGINS_MM = (28.0, 30.0)
"""The margins of that page, together: those at its sides, and those above and below."""
_SETTLE_HEAD_MM = 26.0
"""The height of the title and of what stands between it and the questions."""
_COLUMN_GAP_MM = 8.0
_FILLED = 0.97
"""The share of a column that questions fill, for none is parted at its foot."""
_SURELY_FREE = 0.94
_SMALL_QUESTIONS_PT = 8.5
_USUAL_ANSWER_MM = 3.5
_LARGEST_ANSWER_MM = 7.5
_ANSWER_GAP_MM = 0.2


def question_style(book: Rulebook, layout: BookLayout) -> QuestionStyle:
    """Return how to print the questions so that they fill the page or pages that they have.

    On a wide page they have one. On narrow pages the first chapter follows them, unless it begins
    on a right-hand page.
    """
    paper = PAPERS[book.paper]
    margins = (layout.inner + layout.outer, layout.top + layout.bottom)
    if not layout.side:
        usual = QuestionStyle(layout.table_pt, _USUAL_ANSWER_MM)
        if book.press.page_multiple == 1:
            return usual
        width, height = paper.width_mm - margins[0], paper.height_mm - margins[1]
        needed = _questions_mm(book, usual, width) + _SETTLE_HEAD_MM
        room = _FILLED * (ceil(needed / height / _FILLED) * height - _SETTLE_HEAD_MM)
        return replace(usual, answer_mm=_answer_mm(book, usual, width, room))
    small = min(layout.table_pt, _SMALL_QUESTIONS_PT)
    for style in (
        QuestionStyle(layout.table_pt, 4.3),
        QuestionStyle(small, 3.9),
        QuestionStyle(small, 2.9, close=True),
    ):
        across, down = _CLOSE_MARGINS_MM if style.close else margins
        column = (paper.width_mm - across - _COLUMN_GAP_MM) / 2
        room = 2 * _FILLED * (paper.height_mm - down - _SETTLE_HEAD_MM)
        if _answer_mm(book, style, column, room) >= style.answer_mm:
            # Heights are estimates: lines grow less than they might.
            larger = _answer_mm(book, style, column, room * _SURELY_FREE)
            return replace(style, answer_mm=max(larger, style.answer_mm))
    return QuestionStyle(layout.table_pt, 4.3)


def _answer_mm(book: Rulebook, style: QuestionStyle, column_mm: float, room_mm: float) -> float:
    """Return how high the lines for answers can be for all questions to fill some room."""
    answers = sum(not each.has_boxes for group in book.questions for each in group.questions)
    rest = room_mm - _questions_mm(book, replace(style, answer_mm=-_ANSWER_GAP_MM), column_mm)
    most = rest / max(answers, 1) - _ANSWER_GAP_MM
    return min(floor(most * 10) / 10, _LARGEST_ANSWER_MM)


def _questions_mm(book: Rulebook, style: QuestionStyle, column_mm: float) -> float:
    """Return about the height of all questions in one column."""
    em_mm = style.text_pt * _MM_PER_PT
    line_characters = (column_mm / em_mm - 1.7) / 0.435
    height = 0.0
    for group in book.questions:
        height += 1.65 * em_mm
        for question in group.questions:
            named = sum(len(each.text) + len(", page 00, ") for each in question.tables)
            characters = len(question.text) + (named + 7 if named else 0)
            height += (1.2 * ceil(characters / line_characters) + 0.2) * em_mm
            if not question.has_boxes:
                height += style.answer_mm + _ANSWER_GAP_MM
    return height


def _is_roomy(book: Rulebook) -> bool:
    return book.paper not in SMALL_PAPERS


@dataclass(frozen=True, slots=True)
class ContentsEntry:
    """An entry of the contents, and title and anchor of what stands below it."""

    title: str
    anchor: str
    number: int | None = None
    below: tuple[tuple[str, str], ...] = ()


_ENTRY_LINES = 1.6
"""The height of an entry of the contents with the space above it, in lines of what is below it."""


def _entries_of_parts(*parts: tuple[str, str, object]) -> list[ContentsEntry]:
    """Return the entries of those parts, each with title, anchor and content, that a book has."""
    return [ContentsEntry(title, anchor) for title, anchor, there in parts if there]


def contents_columns(book: Rulebook, *, wide: bool) -> list[list[ContentsEntry]]:
    """Return the contents of a printed book, in the order of its pages.

    A wide page has two columns of about the same height and names the sections; an entry and
    what is below it are never parted.
    """
    before = _entries_of_parts(
        (say("Changes in this edition"), "changes", book.changes),
        (say("Settle before you play"), "settle", book.questions),
    )
    chapters = [
        ContentsEntry(
            each.title,
            each.anchor,
            each.number,
            tuple((h.title, h.anchor) for h in each.headings if h.level == _SECTION and wide),
        )
        for each in book.chapters
    ]
    books = [
        ContentsEntry(say("Army book: {title}", title=each.title), f"book-{each.id}")
        for each in book.army_books
    ]
    after = _entries_of_parts(
        (say("Glossary"), "glossary", book.glossary), (say("Index"), "index", book.index)
    )
    entries = [*before, *chapters, *books, *after]
    if not wide:
        return [entries]
    heights = [_ENTRY_LINES + len(each.below) for each in entries]
    left = min(
        range(1, len(entries) + 1),
        key=lambda count: abs(sum(heights[:count]) - sum(heights[count:])),
    )
    return [column for column in (entries[:left], entries[left:]) if column]


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
        memory: Adjustments that earlier builds found; what is found now is added. Of a change of
            the margin, its place in the list of changes is kept.

    Raises:
        PrintError: If WeasyPrint warns, a text sticks out of its page, or a page number is wrong.
    """
    usual_html = rulebook_print_html(templates, book)
    key = templates.key(usual_html)
    known = key in memory
    targets = dict.fromkeys(_TARGET.findall(usual_html))
    table_ids = [table.view.id for table in book.tables]
    adjustment = Adjustment(
        _BOTTOM_CHANGES_MM[min(int(memory[key]), len(_BOTTOM_CHANGES_MM) - 1) if known else 0],
        {table: int(count) for table in table_ids if (count := memory.get(f"{key}/{table}"))},
        {
            n: int(lines)
            for n in range(len(book.chapters))
            if (lines := memory.get(f"{key}/lines {n}"))
        },
        {each: int(page) for each in targets if (page := memory.get(f"{key}/#{each}"))},
    )
    numbered = 0
    seek = not known
    others = iter(() if known else _BOTTOM_CHANGES_MM[1:])
    while True:
        try:
            printed = _print_adjusted(templates, book, adjustment, seek_moves=seek)
        except _LayOutAgain as again:
            adjustment, seek = again.adjustment, False
        except _WrongPageNumbers as wrong:
            if numbered < _NUMBERED_LAYOUTS:
                numbered += 1
                adjustment = replace(adjustment, numbers=wrong.actual)
                continue
            numbered, bottom_mm = 0, next(others, None)
            if bottom_mm is None:
                text = f"{book_name(book)}: no layout has the right page numbers for {wrong}"
                raise PrintError(text) from None
            seek = not known
            adjustment = Adjustment(bottom_mm, {} if seek else adjustment.moves)
        else:
            memory[key] = _BOTTOM_CHANGES_MM.index(adjustment.bottom_mm)
            memory.update(
                {f"{key}/{table}": adjustment.moves[table] for table in sorted(adjustment.moves)}
            )
            memory.update({f"{key}/lines {n}": each for n, each in adjustment.ruled_lines.items()})
            if adjustment.numbers:
                memory.update(
                    {f"{key}/#{each}": adjustment.numbers.get(each, 0) for each in targets}
                )
            memory[f"{key}/pages"] = printed.pages
            return printed


def _print_adjusted(
    templates: TemplateEnvironment,
    book: Rulebook,
    adjustment: Adjustment,
    *,
    seek_moves: bool,
) -> Printed:
    """Print a book with its layout adjusted.

    Args:
        templates: Templates and fonts.
        book: The book to print.
        adjustment: What its layout has that its text does not say.
        seek_moves: Whether tables may have to move; none has moved yet.

    Raises:
        PrintError: As `rulebook_pdf`.
        _LayOutAgain: If it is to be adjusted otherwise.
        _WrongPageNumbers: If a page number is wrong.
    """

    def before_drawing(pages: list[Page]) -> None:
        for number, page in enumerate(pages):
            for overhang in find_overhangs(page, number):
                text = (
                    f"{book_name(book)}: “{overhang.text}” extends beyond the edge of page "
                    f"{number + 1}; use larger paper, or leave out its table"
                )
                raise PrintError(text)
        if seek_moves and (moves := find_moves(read_flow(pages), book.chapters)):
            raise _LayOutAgain(replace(adjustment, moves=moves))
        lines = _ruled_lines(book, pages)
        if not lines.keys() <= adjustment.ruled_lines.keys():
            raise _LayOutAgain(replace(adjustment, ruled_lines=lines))
        if anchors := find_wrong_references(pages):
            raise _WrongPageNumbers(anchors, first_pages(pages))
        remove_repeated_numbers(pages)
        add_blank_pages(pages, -len(pages) % book.press.page_multiple)

    html, styles = _give_numbers(
        rulebook_print_html(templates, book, adjustment),
        print_styles(templates, book),
        adjustment.numbers,
    )
    return templates.printer.pdf(
        html,
        styles,
        book_name(book),
        before_drawing=before_drawing,
        turn_edge="long",
        target=target_of(book),
    )


def _ruled_lines(book: Rulebook, pages: Sequence[Page]) -> dict[int, int]:
    """Return how many lines fill the page before each chapter that is made for a spread.

    A hole that is small enough stays.
    """
    layout, paper = layout_of(book), PAPERS[book.paper]
    height_mm = paper.height_mm - layout.top - layout.bottom
    return {
        number: int((blank * height_mm - _RULED_HEAD_MM) / RULED_LINE_MM)
        for number, blank in blank_above_chapters(pages).items()
        if book.chapters[number].spread and blank > LARGEST_HOLE
    }


def _give_numbers(
    html: str, styles: list[str], numbers: Mapping[str, int]
) -> tuple[str, list[str]]:
    """Return a book and its style sheets with known page numbers in place of page counters.

    WeasyPrint lays out each page twice to find the numbers, and may leave some of them wrong.
    """
    if not numbers:
        return html, styles

    def number(target: re.Match[str]) -> str:
        return f'{target[0]} data-page="{numbers.get(target[1], "")}"'

    # What a book says is never changed, also if it is about style sheets.
    head, end, body = html.partition("</style>")
    head, *styles = (_PAGE_COUNTER.sub("attr(data-page)", text) for text in (head, *styles))
    return head + end + _TARGET.sub(number, body), styles


def cover_pdf(templates: TemplateEnvironment, book: Rulebook, memory: SizeMemory) -> Printed:
    """Print a book's cover as a print house needs it: back, spine and front on one sheet.

    The spine is as wide as the leaves of the book are thick. So the book is printed first, unless
    the memory holds how many pages it has.

    Raises:
        PrintError: As `rulebook_pdf`.
    """
    key = f"{templates.key(rulebook_print_html(templates, book))}/pages"
    pages = int(memory.get(key) or rulebook_pdf(templates, book, memory).pages)
    paper = PAPERS[book.paper]
    spine = spine_width(pages, book.press.leaf_mm)
    html = templates.render(
        "rulebook/wrap.html.j2",
        book=book,
        cover=cover_sheet(book),
        spine=spine,
        edge=edge_of(book),
        page=(round(2 * paper.width_mm + spine, 2), paper.height_mm),
    )
    return templates.printer.pdf(
        html,
        templates.read_styles(("base/print.css", "rulebook/cover.css")),
        f"{book_name(book)}, cover",
        pages=1,
        target=target_of(book),
    )


def book_name(book: Rulebook) -> str:
    """Return the book's name, for messages."""
    return f"{book.title}: {book.edition}"


def print_styles(templates: TemplateEnvironment, book: Rulebook) -> list[str]:
    """Return the style sheets of the printed book; its theme comes last."""
    return templates.read_styles((*_PRINT_STYLES, f"base/theme-{book.theme}.css"))


def rulebook_print_html(
    templates: TemplateEnvironment, book: Rulebook, adjustment: Adjustment | None = None
) -> str:
    """Return the HTML of the printed book, with its layout adjusted."""
    adjustment = adjustment or Adjustment()
    if adjustment.moves:
        moved = tuple(move_tables(passage, adjustment.moves) for passage in book.chapters)
        book = replace(book, chapters=moved)
    paper = PAPERS[book.paper]
    layout = layout_of(book)
    layout = replace(layout, bottom=layout.bottom + adjustment.bottom_mm)
    em_mm = layout.table_pt * _MM_PER_PT
    return templates.render(
        "rulebook/print.html.j2",
        book=book,
        wide=_is_roomy(book),
        chapters=[
            RenderedChapter(each.passage, keep_first_line(move_spaces_inside(each.html)))
            for each in _render_chapters(templates, book, side=bool(layout.side))
        ],
        layout=layout,
        settle=question_style(book, layout),
        ruled_lines=adjustment.ruled_lines,
        ruled_line_mm=RULED_LINE_MM,
        contents=contents_columns(book, wide=bool(layout.side)),
        widths=[
            book_widths(each, (paper.width_mm - layout.inner - layout.outer) / em_mm)
            for each in book.army_books
        ],
        edge=edge_of(book),
        cover=cover_sheet(book),
        accent=ink_of(book.cover.look, book.theme),
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
        art="" if book.cover.picture else cover_art(book, *_SCREEN_ART_MM),
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

    refer = table_references(book)

    def chapter(passage: Passage) -> RenderedChapter:
        in_columns = side and passage.spread

        def table(book_table: BookTable) -> Markup:
            view = book_table.view
            in_column = in_columns and view.figure is not None
            beside = side and not in_column and not _needs_full_width(book_table)
            html = parts.table(book_table, beside, across=in_columns and not in_column)
            return refer(html, view.id)

        return RenderedChapter(passage, chapter_html(passage, table, lists))

    return [chapter(each) for each in book.chapters]


def table_references(book: Rulebook) -> Callable[[Markup, str], Markup]:
    """Return what makes links of the titles of tables within a table's HTML.

    A title is a reference after "see" or "table", or if it ends with "Table". The link adds number
    and page; a table has no link to itself.
    """
    numbers = {
        str(escape(table.view.title)): (table.view.id, table.view.number) for table in book.tables
    }
    drawings = {table.view.id for table in book.tables if table.view.figure is not None}
    titles = sorted(numbers, key=len, reverse=True)
    any_title = "|".join(map(re.escape, titles))
    of_tables = "|".join(re.escape(title) for title in titles if title.endswith(" Table"))
    before_title = "|".join(
        rf"(?<=\b{re.escape(word)} )" for word in (say("see"), say("See"), say("table"))
    )
    pattern = rf"(?:{before_title})(?:{any_title})\b"
    if of_tables:
        pattern += rf"|\b(?:{of_tables})\b"
    within_text = re.compile(rf"(?:{pattern})(?=[^<>]*<)")

    def refer(html: Markup, own: str) -> Markup:
        def link(found: re.Match[str]) -> str:
            table, number = numbers[found[0]]
            if table == own:
                return found[0]
            before = html[: found.start()]
            page = "after" if before.rfind("(") > before.rfind(")") else "within"
            named = name_by_number(number, is_drawing=table in drawings)
            text = f"{found[0]}, {number if found[0].endswith(' Table') else named}"
            return f'<a class="to {page}" href="#t-{table}">{text}</a>'

        return Markup(within_text.sub(link, str(html))) if titles else html  # noqa: S704 - it was safe before

    return refer


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
