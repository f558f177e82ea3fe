"""Tests of how a grid's columns share its width."""

from __future__ import annotations

from dataclasses import replace

from muster.documents.table_view import ColumnHead, PrintedCell, TableLine, TableView
from muster.rendering.column_widths import share_width
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.paper import PAPERS
from muster.rendering.sheet_pages import final_html, sheet_html, sheet_pdf
from muster.rendering.sheet_sides import LaidColumn, LaidGroup, LaidSide
from tests.rendering.samples import block, sheet, side

DASH = PrintedCell("–", "dash")
WORDS = "The charge move, at any target; but at an enemy whose order is on this unit, if it can."


def grid(*rows: tuple[str, tuple[PrintedCell, ...]], kinds: tuple[str, ...]) -> TableView:
    heads = tuple(ColumnHead(f"Head {place}", kind=kind) for place, kind in enumerate(kinds))
    lines = tuple(TableLine(label, cells) for label, cells in rows)
    return TableView("orders", "Orders", "grid", lines, heads)


ORDERS = grid(
    ("Charge", (PrintedCell(WORDS), DASH, PrintedCell("None"))),
    ("Advance", (PrintedCell(WORDS), DASH, DASH)),
    kinds=("words", "words", "words"),
)


def test_words_are_given_the_width_that_columns_of_dashes_do_not_need() -> None:
    label, words, dashes, short = share_width(ORDERS, 30)

    assert words > 3 * dashes
    assert words > 3 * short
    assert label + words + dashes + short <= 30.05


def test_grid_whose_texts_need_one_line_is_left_to_the_printer() -> None:
    assert share_width(ORDERS, 120) == ()


def test_grid_whose_words_do_not_fit_is_left_to_the_printer() -> None:
    assert share_width(ORDERS, 9) == ()


def test_bands_of_numbers_keep_equal_columns() -> None:
    heads = tuple(replace(head, kind="band") for head in ORDERS.heads)

    assert share_width(replace(ORDERS, heads=heads), 30) == ()


def test_column_is_as_wide_as_its_longest_word_and_as_its_figures() -> None:
    long_word = PrintedCell("countercharge")
    figures = PrintedCell("2D6 + 16 cm", "number")
    view = grid(
        ("Foot", (PrintedCell(WORDS), long_word, figures)), kinds=("words", "words", "text")
    )

    _, _, words, numbers = share_width(view, 26)

    assert words > 6
    assert numbers > 5


def test_room_is_shared_so_that_rows_need_fewest_lines() -> None:
    half = "one two three four five"
    view = grid(
        ("A", (PrintedCell(half), PrintedCell(half))),
        ("B", (PrintedCell(half), PrintedCell(half))),
        kinds=("words", "words"),
    )

    _, first, second = share_width(view, 16)

    assert abs(first - second) < 1


def test_sheet_prints_the_shared_widths(templates: TemplateEnvironment) -> None:
    narrow = sheet(side(block("Orders", ORDERS), columns=(1, 1, 1)))

    column = LaidColumn((block("Orders", ORDERS),), 80, 4)
    laid = LaidSide(narrow.sides[0], (LaidGroup((column,), 80),), range(-1, -1), 4, 180, 0, (), 8)

    printed = final_html(templates, narrow, PAPERS["a4"], (laid,))

    assert sheet_pdf(templates, narrow, PAPERS["a4"], {}).pages == 1
    assert "<colgroup>" in printed
    assert "<colgroup>" not in sheet_html(templates, narrow, "index.html")
