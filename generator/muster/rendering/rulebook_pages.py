"""Print a rulebook, and write it as one HTML page."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from math import ceil, floor, inf
from typing import TYPE_CHECKING, Literal

from markupsafe import Markup, escape

from muster.documents.table_view import name_by_number
from muster.languages import say
from muster.rendering.book_contents import (
    MM_PER_PT,
    BookLayout,
    contents_columns,
    contents_style,
    table_columns,
    tables_style,
)
from muster.rendering.book_cover import back_art, cover_art, cover_sheet, ink_of, spine_width
from muster.rendering.book_index import (
    ends_in_few_lines,
    find_wrong_in_index,
    index_sets,
    is_colophon_alone,
)
from muster.rendering.book_pages import book_widths
from muster.rendering.diagrams import DrawingSpace
from muster.rendering.page_boxes import (
    add_blank_pages,
    drop_needless_continued,
    find_overhangs,
    find_wrong_references,
    first_pages,
)
from muster.rendering.page_flow import long_tables, read_flow, real_ends
from muster.rendering.page_plan import (
    DEEPEST_MM,
    LEAST_BOTTOM_MM,
    PX_PER_MM,
    blank_before_spreads,
    bottom_changes,
    plan_pages,
)
from muster.rendering.paper import PAPERS
from muster.rendering.pdf_output import edge_of, target_of
from muster.rendering.printed import Printed, PrintError
from muster.rendering.prose_html import chapter_html, keep_first_line, move_spaces_inside
from muster.rendering.table_moves import Moves, move_tables
from muster.rendering.text_widths import lines_of, text_em
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
    *("parts/screen.css", "book/screen.css", "rulebook/screen.css", "web/results.css"),
)
_SEARCH_SCRIPTS = ("web/stems.js", "web/find.js", "web/search.js")


IndexLines = Literal["", "tight", "loose"]
_INDEX_LINES: tuple[IndexLines, ...] = ("", "tight", "loose")
"""How close the lines of an index are, in the order in which it is tried."""

RULED_LINE_MM = 8.0
_RULED_HEAD_MM = 13.0
"""The height of a line to write on, and of the title of such lines with the space around it."""


@dataclass(frozen=True, slots=True)
class Adjustment:
    """What a book's layout has that its text does not say."""

    bottom_mm: float = 0
    """The change of the lower margin."""
    bottoms_mm: Mapping[int, float] = field(default_factory=dict)
    """The changes of the lower margins of single pages, by the number of the page."""
    moves: Moves = field(default_factory=dict)
    """The tables that have moved, and how far."""
    long: frozenset[str] = frozenset()
    """The ids of the tables that may go on overleaf, for they are long."""
    ruled_lines: Mapping[int, int] = field(default_factory=dict)
    """How many lines to write on fill the page before a chapter, by its number from 0."""
    colophon_first: bool = False
    """Whether the colophon stands before the index, for after it, it would be alone on a page."""
    index: IndexLines = ""
    """How close the lines of the index are, for the last few, or the colophon, not to be alone on
    a page.
    """
    numbers: Mapping[str, int] = field(default_factory=dict)
    """The page numbers to print, by anchor.

    WeasyPrint can find them, but lays out each page twice for that, and may leave some wrong.
    """


class _LayOutAgain(Exception):  # noqa: N818 - it never leaves this module
    """The book is to be laid out again, otherwise adjusted; the text lists wrong page numbers."""

    def __init__(self, plan: _Plan, wrong: Sequence[str]) -> None:
        super().__init__(", ".join(wrong))
        self.plan = plan


@dataclass(frozen=True, slots=True)
class _Plan:
    """How a book is to be adjusted, and what its pages cost, as they are and as planned."""

    adjustment: Adjustment
    cost_now: float = 0
    cost: float = 0


_ROOMY = BookLayout(20, 20, 22, 22, 40, 10.5, 9.2, 8.5, 8)
_NARROW = BookLayout(17, 13, 16, 17, 0, 9.4, 8.5, 8.5, 7.4)
_LARGE = BookLayout(18, 16, 21, 22, 0, 17, 16, 16, 16)
_LARGE_NARROW = BookLayout(15, 12, 16, 18, 0, 16, 16, 16, 16)
_CLEAR = BookLayout(20, 20, 22, 22, 40, 11.5, 10.5, 10.5, 10)
_CLEAR_NARROW = BookLayout(17, 13, 16, 17, 0, 10.5, 9.5, 9.5, 9)
"""For high contrast, without small type."""
_PLANNED_LAYOUTS = 4
"""How often a book is laid out before its pages are planned no more."""
_NUMBERED_LAYOUTS = 4
"""How often it is then laid out with the page numbers of its last layout, until they are right.

Only then are other margins tried, each as often.
"""
_LIKELY_PAGE = 20
"""The number of each page in the first layout, for most have two digits."""
_PAGE_COUNTER = re.compile(r"target-counter\(\s*attr\(href\)\s*,\s*page\s*\)")
_TARGET = re.compile(r'href="#([^"]+)"')
_SCREEN_ART_MM = (186.0, 130.0)
"""Width and height of the drawing at the head of a page for screens."""
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
    gap_mm: float
    """The space above each question, and above the title of each chapter's."""
    close: bool = False
    """Whether their page has smaller margins."""
    answer_mm: float = 27.0
    """The width of the box for an answer."""


ANSWER_HEIGHT_MM = 5.2
"""The height of the box for an answer; beside a longer question it is as high as that."""
_SMALL_ANSWER_MM = 22.0
_WIDE_ANSWER_MM = 44.0
_CLOSE_MARGINS_MM = (28.0, 30.0)
"""The margins of that page, together: those at its sides, and those above and below."""
_SETTLE_HEAD_MM = 27.0
"""The height of the title and of what stands between it and the questions."""
_COLUMN_GAP_MM, _ANSWER_GAP_MM = 8.0, 2.0
_LINE_EM, _QUESTION_INDENT_EM, _TOPIC_EM = 1.2, 1.7, 1.76
"""The measures of a question and of the title above a chapter's, as the style sheet has them."""
_FILLED = 0.97
"""The share of a column that questions fill, for none is parted at its foot."""
_SURELY_FREE = 0.95
_SURELY_FREE_NARROW = 0.97
"""The share where questions run over several pages, each with some room left at its foot."""
_SMALL_QUESTIONS_PT = 8.5
_LEAST_QUESTIONS_PT = 8.0
_USUAL_GAP_MM, _LARGEST_GAP_MM, _LARGEST_GAP_SPREAD_MM = 0.9, 2.4, 5.0


def question_style(book: Rulebook, layout: BookLayout) -> QuestionStyle:
    """Return how to print the questions so that they fill the page or pages that they have.

    On a wide page they have one, in smaller type if need be, unless the theme has no small type. On
    narrow pages the first chapter follows them, unless it begins on a right-hand page.
    """
    paper = PAPERS[book.paper]
    margins = (layout.inner + layout.outer, layout.top + layout.bottom)
    if not layout.side:
        usual = QuestionStyle(layout.table_pt, _USUAL_GAP_MM, answer_mm=_WIDE_ANSWER_MM)
        return usual if book.press.page_multiple == 1 else _spread_out(book, layout, usual, 1)
    if book.theme == "high-contrast":
        return _spread_out(book, layout, QuestionStyle(layout.table_pt, _USUAL_GAP_MM), 2)
    small = min(layout.table_pt, _SMALL_QUESTIONS_PT)
    for style in (
        QuestionStyle(layout.table_pt, _USUAL_GAP_MM),
        QuestionStyle(small, 0.7),
        QuestionStyle(small, 0.4, answer_mm=_SMALL_ANSWER_MM),
        QuestionStyle(small, 0.4, close=True),
        QuestionStyle(min(small, _LEAST_QUESTIONS_PT), 0.2, close=True),
    ):
        across, down = _CLOSE_MARGINS_MM if style.close else margins
        column = (paper.width_mm - across - _COLUMN_GAP_MM) / 2
        room = 2 * _FILLED * (paper.height_mm - down - _SETTLE_HEAD_MM)
        gap_mm = _gap_mm(book, style, column, room * _SURELY_FREE)
        if gap_mm >= style.gap_mm:
            return replace(style, gap_mm=gap_mm)
    return QuestionStyle(layout.table_pt, _USUAL_GAP_MM)


def _spread_out(
    book: Rulebook, layout: BookLayout, style: QuestionStyle, columns: int
) -> QuestionStyle:
    """Return how to print the questions in some columns so that they fill all pages they need."""
    paper = PAPERS[book.paper]
    width = paper.width_mm - layout.inner - layout.outer
    width = (width - _COLUMN_GAP_MM * (columns - 1)) / columns
    height = paper.height_mm - layout.top - layout.bottom
    needed = _questions_mm(book, style, width) / columns + _SETTLE_HEAD_MM
    pages = ceil(needed / height / _FILLED)
    room = columns * _FILLED * (pages * height - _SETTLE_HEAD_MM)
    free = room * _SURELY_FREE_NARROW
    return replace(style, gap_mm=_gap_mm(book, style, width, free, _LARGEST_GAP_SPREAD_MM))


def _gap_mm(
    book: Rulebook,
    style: QuestionStyle,
    column_mm: float,
    room_mm: float,
    most_mm: float = _LARGEST_GAP_MM,
) -> float:
    """Return the space above each question and each title for all to fill some room."""
    count = sum(1 + len(group.questions) for group in book.questions)
    rest = room_mm - _questions_mm(book, replace(style, gap_mm=0), column_mm)
    return min(floor(rest / max(count, 1) * 10) / 10, most_mm)


def _questions_mm(book: Rulebook, style: QuestionStyle, column_mm: float) -> float:
    """Return about the height of all questions in one column."""
    em_mm = style.text_pt * MM_PER_PT
    height = 0.0
    for group in book.questions:
        height += _TOPIC_EM * em_mm + style.gap_mm
        for question in group.questions:
            texts = [question.text]
            if question.tables:
                named = ", ".join(f"{each.text}, page 00" for each in question.tables)
                texts.append(say("Fill in:") + f" {named}")
            if question.tick:
                texts.append(question.tick)
            has_room = not (question.has_boxes or question.tick)
            beside_mm = style.answer_mm + _ANSWER_GAP_MM if has_room else 0
            line_em = (column_mm - beside_mm) / em_mm - _QUESTION_INDENT_EM
            lines = sum(lines_of(list(map(text_em, text.split())), line_em) for text in texts)
            lines_mm = _LINE_EM * lines * em_mm
            least_mm = ANSWER_HEIGHT_MM if has_room else 0
            height += max(lines_mm, least_mm) + style.gap_mm
    return height


def _is_roomy(book: Rulebook) -> bool:
    return book.paper not in SMALL_PAPERS


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
    usual_html = rulebook_print_html(templates, book)
    key = templates.key(usual_html)
    targets = dict.fromkeys(_TARGET.findall(usual_html))
    adjustment = _remembered(book, targets, key, memory)
    planned = 0 if f"{key}/bottom" in memory else _PLANNED_LAYOUTS
    tried: list[tuple[float, int, Adjustment]] = []
    expected: float | None = None
    changes = bottom_changes(layout_of(book).bottom)
    others = iter(each for each in changes if each != adjustment.bottom_mm)
    for layout in count(1):
        try:
            printed = _print_adjusted(
                templates, book, adjustment, plan=layout <= planned, expected=expected
            )
        except _LayOutAgain as again:
            tried.append((again.plan.cost_now, layout, adjustment))
            adjustment, expected = again.plan.adjustment, again.plan.cost
            if layout == planned:
                # The plan is not to be trusted, so that the best of all layouts is kept.
                adjustment = replace(min(tried)[-1], numbers=adjustment.numbers)
            elif layout > planned and (layout - planned) % _NUMBERED_LAYOUTS == 0:
                bottom_mm = next(others, None)
                if bottom_mm is None:
                    text = f"{book_name(book)}: no layout has the right page numbers for {again}"
                    raise PrintError(text) from None
                adjustment = replace(adjustment, bottom_mm=bottom_mm)
        else:
            break
    memory[f"{key}/bottom"] = adjustment.bottom_mm
    memory.update({f"{key}/page {n}": each for n, each in sorted(adjustment.bottoms_mm.items())})
    memory.update({f"{key}/{table}": n for table, n in sorted(adjustment.moves.items())})
    memory.update({f"{key}/long {table}": 1.0 for table in sorted(adjustment.long)})
    memory.update({f"{key}/lines {n}": each for n, each in adjustment.ruled_lines.items()})
    memory[f"{key}/colophon before index"] = float(adjustment.colophon_first)
    memory[f"{key}/index"] = float(_INDEX_LINES.index(adjustment.index))
    memory.update({f"{key}/#{each}": adjustment.numbers.get(each, 0) for each in targets})
    memory[f"{key}/pages"] = printed.pages
    return printed


def _remembered(book: Rulebook, targets: Iterable[str], key: str, memory: SizeMemory) -> Adjustment:
    """Return the adjustment that a memory holds for a book; without one, that to begin with."""
    table_ids = [table.view.id for table in book.tables]
    chapters = range(len(book.chapters))
    pages = int(memory.get(f"{key}/pages", 0))
    return Adjustment(
        memory.get(f"{key}/bottom", 0.0),
        {n: change for n in range(1, pages + 1) if (change := memory.get(f"{key}/page {n}"))},
        {table: int(moved) for table in table_ids if (moved := memory.get(f"{key}/{table}"))},
        frozenset(table for table in table_ids if f"{key}/long {table}" in memory),
        {n: int(lines) for n in chapters if (lines := memory.get(f"{key}/lines {n}"))},
        bool(memory.get(f"{key}/colophon before index")),
        _INDEX_LINES[int(memory.get(f"{key}/index", 0))],
        {each: int(memory.get(f"{key}/#{each}", _LIKELY_PAGE)) for each in targets},
    )


def _print_adjusted(
    templates: TemplateEnvironment,
    book: Rulebook,
    adjustment: Adjustment,
    *,
    plan: bool,
    expected: float | None,
) -> Printed:
    """Print a book with its layout adjusted.

    Args:
        templates: Templates and fonts.
        book: The book to print.
        adjustment: What its layout has that its text does not say.
        plan: Whether margins may still change, and tables move.
        expected: What its pages are expected to cost.

    Raises:
        PrintError: As `rulebook_pdf`.
        _LayOutAgain: If it is to be adjusted otherwise.
    """

    def before_drawing(pages: list[Page]) -> None:
        for number, page in enumerate(pages):
            for overhang in find_overhangs(page, number):
                text = (
                    f"{book_name(book)}: “{overhang.text}” extends beyond the edge of page "
                    f"{number + 1}; use larger paper, or leave out its table"
                )
                raise PrintError(text)
        found = _adjust(book, pages, adjustment, plan=plan, expected=expected)
        wrong = [
            *find_wrong_references(pages),
            *find_wrong_in_index(book.index, pages, adjustment.numbers),
        ]
        if wrong and found.adjustment.numbers == adjustment.numbers:
            better = replace(found.adjustment, numbers=first_pages(pages))
            found = replace(found, adjustment=better)
        if not wrong and found.adjustment == adjustment:
            if is_colophon_alone(pages):
                found = replace(found, adjustment=_place_colophon(adjustment))
            elif not adjustment.index and ends_in_few_lines(pages):
                found = replace(found, adjustment=replace(adjustment, index="tight"))
        if wrong or found.adjustment != adjustment:
            raise _LayOutAgain(found, wrong)
        drop_needless_continued(pages)
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


def _place_colophon(adjustment: Adjustment) -> Adjustment:
    """Return a layout for a book whose colophon is alone on the page after its index.

    A tight index may leave room for it, a loose one goes on to its page; it stands before the
    index if neither helps.
    """
    tried = _INDEX_LINES.index(adjustment.index)
    if tried + 1 < len(_INDEX_LINES):
        return replace(adjustment, index=_INDEX_LINES[tried + 1])
    return replace(adjustment, index="", colophon_first=True)


def _adjust(
    book: Rulebook,
    pages: Sequence[Page],
    adjustment: Adjustment,
    *,
    plan: bool,
    expected: float | None,
) -> _Plan:
    """Return how a book is to be adjusted.

    Its page numbers are those that are expected, if its pages are to change; otherwise they stay.
    """
    layout, paper = layout_of(book), PAPERS[book.paper]
    bottom_mm = layout.bottom + adjustment.bottom_mm
    height_mm = paper.height_mm - layout.top - bottom_mm
    flow = read_flow(pages, height_mm * PX_PER_MM)
    blank = blank_before_spreads(flow.blocks, real_ends(flow), book.chapters)
    found = _Plan(adjustment)
    drawn = {table.view.id for table in book.tables if table.view.figure is not None}
    if plan and (more := long_tables(flow) - adjustment.long - drawn):
        # Where their rows end is not known before they are laid out as long tables.
        long = adjustment.long | more
        return _Plan(replace(adjustment, long=long, numbers=first_pages(pages)), inf, -inf)
    if plan:
        planned = plan_pages(
            flow,
            book.chapters,
            adjustment.bottoms_mm,
            adjustment.moves,
            min(max(bottom_mm - LEAST_BOTTOM_MM, 0), DEEPEST_MM),
            expected,
        )
        blank, numbers = planned.blank_before, adjustment.numbers
        if planned.numbers:
            numbers = {**first_pages(pages), **planned.numbers}
        adjustment = replace(
            adjustment, bottoms_mm=planned.bottoms, moves=planned.moves, numbers=numbers
        )
        found = _Plan(adjustment, planned.cost_now, planned.cost)
    lines = {
        number: max(int((share * height_mm - _RULED_HEAD_MM) / RULED_LINE_MM), 0)
        for number, share in blank.items()
    }
    ruled = {n: each for n, each in lines.items() if each}
    return replace(found, adjustment=replace(found.adjustment, ruled_lines=ruled))


def _give_numbers(
    html: str, styles: list[str], numbers: Mapping[str, int]
) -> tuple[str, list[str]]:
    """Return a book and its style sheets with known page numbers in place of page counters."""

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
    cover = cover_sheet(book)
    html = templates.render(
        "rulebook/wrap.html.j2",
        book=book,
        cover=cover,
        back_art=back_art(book, cover, spine),
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
    em_mm = layout.table_pt * MM_PER_PT
    contents = contents_columns(book, wide=bool(layout.side))
    return templates.render(
        "rulebook/print.html.j2",
        book=book,
        wide=_is_roomy(book),
        chapters=[
            RenderedChapter(each.passage, keep_first_line(move_spaces_inside(each.html)))
            for each in _render_chapters(templates, book, layout, adjustment.long)
        ],
        layout=layout,
        settle=question_style(book, layout),
        answer_height_mm=ANSWER_HEIGHT_MM,
        bottoms={n: layout.bottom + change for n, change in adjustment.bottoms_mm.items()},
        ruled_lines=adjustment.ruled_lines,
        ruled_line_mm=RULED_LINE_MM,
        contents=contents,
        contents_style=contents_style(book, layout, contents),
        table_columns=table_columns(book, layout),
        tables_style=tables_style(book, layout),
        index=index_sets(book.index, adjustment.numbers),
        colophon_first=adjustment.colophon_first,
        index_lines=adjustment.index,
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
    templates: TemplateEnvironment,
    book: Rulebook,
    home: str,
    beside: SiblingPages = (),
    search: str = "",
) -> str:
    """Return the book as a self-contained HTML page.

    Args:
        templates: The templates.
        book: The book.
        home: The relative address of the index of all documents.
        beside: The other pages to link to.
        search: The script that holds what its search finds, if it has one.
    """
    return templates.render_screen(
        "rulebook/screen.html.j2",
        _SCREEN_STYLES,
        scripts=(*(_SEARCH_SCRIPTS if search else ()), "base/fit.js", "parts/answers.js"),
        search=Markup(search.replace("<", "\\u003c")),  # noqa: S704 - our own JSON, which ends no script
        book=book,
        art="" if book.cover.picture else cover_art(book, *_SCREEN_ART_MM),
        chapters=_render_chapters(templates, book, None),
        widths=[book_widths(each) for each in book.army_books],
        home=home,
        beside=beside,
    )


def _render_chapters(
    templates: TemplateEnvironment,
    book: Rulebook,
    layout: BookLayout | None,
    long: Collection[str] = (),
) -> list[RenderedChapter]:
    """Return the chapters with their HTML, for a layout of pages or, without one, for a screen.

    On pages, the long tables, given by their ids, may go on overleaf.
    """
    parts = templates.macros("rulebook/parts.html.j2")
    lists = {"errata": parts.errata(book.doubts)}

    refer = table_references(book)
    side = bool(layout and layout.side)

    def chapter(passage: Passage) -> RenderedChapter:
        in_columns = side and passage.spread

        def table(book_table: BookTable) -> Markup:
            view = book_table.view
            in_column = in_columns and view.figure is not None
            is_long = view.id in long
            beside = side and not in_column and not is_long and not _needs_full_width(book_table)
            across = in_columns and not in_column
            space = _drawing_space(book, layout, in_column=in_column) if layout else None
            html = parts.table(book_table, beside, across=across, space=space, long=is_long)
            return refer(html, view.id)

        return RenderedChapter(passage, chapter_html(passage, table, lists))

    return [chapter(each) for each in book.chapters]


def _drawing_space(book: Rulebook, layout: BookLayout, *, in_column: bool) -> DrawingSpace:
    """Return the space for drawings, in a column of two or across the page."""
    width = PAPERS[book.paper].width_mm - layout.inner - layout.outer
    width = (width - _COLUMN_GAP_MM) / 2 if in_column else width - layout.side
    return DrawingSpace(width, layout.small_pt, is_large=book.theme == "large-print")


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
