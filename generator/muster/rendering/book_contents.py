"""Arrange the contents of a printed book, and the list of its tables, so that they fill a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from muster.languages import say
from muster.rendering.paper import PAPERS

if TYPE_CHECKING:
    from muster.documents.rulebook import Rulebook

MM_PER_PT = 25.4 / 72
_SECTION = 2
"""The level of the headings that the contents name."""


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
class ListStyle:
    """The type size of a list of contents, and the space above what stands in it, in points."""

    text_pt: float
    gap_pt: float


_ENTRY_GAPS = 3
"""The space above an entry, in those above what is below it."""
_MOST_GAP_EM, _MOST_TABLE_GAP_EM = 0.55, 1.1
_LARGER_TYPE = (1.15, 1.08, 1)
_FILLED = 0.95
"""The share of its page that a list is to fill, for its heights are estimates."""
_HEAD_EM = 3.1
"""The height of the title of a list with the space below it."""
_LINE_EM, _TABLE_LINE_EM = 1.4, 1.24
_CHARACTER_EM, _NUMBERS_EM = 0.44, 5.0
"""The width of a character on average, and the room for the numbers of an entry and its page."""
_COLUMN_GAP_MM = 9.0
_ABOVE_CONVENTIONS_PT = 14
_NARROW_TYPE = 0.92
"""The type size of the list of tables on narrow pages, in that of tables."""
_MOST_IN_ONE_COLUMN = 36
"""With as many tables, their list has two columns on narrow pages too."""


def contents_style(
    book: Rulebook, layout: BookLayout, columns: Sequence[Sequence[ContentsEntry]]
) -> ListStyle:
    """Return how to print the contents so that they fill their page, in larger type if they can."""
    lines = [[(gaps, text) for e in column for gaps, text in _lines_of(e)] for column in columns]
    head_pt = _HEAD_EM * layout.text_pt
    if book.conventions:
        characters = _width_pt(book, layout) / layout.table_pt / _CHARACTER_EM
        said = sum(ceil(len(text) / characters) for text in book.conventions)
        head_pt += _ABOVE_CONVENTIONS_PT + said * _LINE_EM * layout.table_pt
    usual_pt = layout.table_pt if layout.side else layout.text_pt
    return _fill_page(book, layout, lines, usual_pt, head_pt, (_LINE_EM, _MOST_GAP_EM))


def _lines_of(entry: ContentsEntry) -> list[tuple[int, str]]:
    return [(_ENTRY_GAPS, entry.title), *((1, title) for title, _ in entry.below)]


def table_columns(book: Rulebook, layout: BookLayout) -> int:
    """Return how many columns the list of tables has."""
    is_short = not layout.side and len(book.tables) < _MOST_IN_ONE_COLUMN
    return 1 if book.theme == "large-print" or is_short else 2


def tables_style(book: Rulebook, layout: BookLayout) -> ListStyle:
    """Return how to print the list of tables so that it fills its page.

    In large print, other text follows on its last page.
    """
    if book.theme == "large-print":
        return ListStyle(layout.table_pt, 0)
    count = table_columns(book, layout)
    height = ceil(len(book.tables) / count)
    titles = [(1, table.view.title) for table in book.tables]
    lines = [titles[n : n + height] for n in range(0, len(titles), height)]
    usual_pt = layout.table_pt * (1 if layout.side else _NARROW_TYPE)
    head_pt = _HEAD_EM * layout.text_pt
    spacing = (_TABLE_LINE_EM, _MOST_TABLE_GAP_EM)
    return _fill_page(book, layout, lines, usual_pt, head_pt, spacing)


def _width_pt(book: Rulebook, layout: BookLayout) -> float:
    return (PAPERS[book.paper].width_mm - layout.inner - layout.outer) / MM_PER_PT


def _fill_page(
    book: Rulebook,
    layout: BookLayout,
    columns: Sequence[Sequence[tuple[int, str]]],
    usual_pt: float,
    head_pt: float,
    spacing: tuple[float, float],
) -> ListStyle:
    """Return how to print columns of lines, each with the number of gaps above it.

    The spacing is the height of a line and the largest gap, in em.
    """
    paper = PAPERS[book.paper]
    height_mm = paper.height_mm - layout.top - layout.bottom
    room_pt = _FILLED * height_mm / MM_PER_PT - head_pt
    gaps_pt = _COLUMN_GAP_MM / MM_PER_PT * (len(columns) - 1)
    width_pt = (_width_pt(book, layout) - gaps_pt) / len(columns)
    line_em, most_em = spacing
    size_pt, gap_pt = usual_pt, 0.0
    for larger in _LARGER_TYPE:
        size_pt = round(usual_pt * larger, 2)
        characters = (width_pt / size_pt - _NUMBERS_EM) / _CHARACTER_EM
        gap_pt = min(
            (room_pt - sum(ceil(len(t) / characters) for _, t in lines) * line_em * size_pt)
            / sum(gaps for gaps, _ in lines)
            for lines in columns
        )
        if gap_pt > most_em * size_pt / 2:
            break
    return ListStyle(size_pt, round(max(min(gap_pt, most_em * size_pt), 0), 2))
