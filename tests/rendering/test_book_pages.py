"""Tests of the pages of army books: where they break, and the widths of their columns."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from pypdf import PdfReader

from muster.rendering.book_pages import book_html, book_pdf, book_widths
from muster.rendering.environment import TemplateEnvironment
from tests.rendering.samples import army_book, book_unit


def test_long_book_breaks_between_units_and_repeats_its_heads(
    templates: TemplateEnvironment,
) -> None:
    units = [book_unit(f"Regiment {n}", notes=f"begins {n} " * 20 + f"ends {n}") for n in range(40)]

    printed = book_pdf(templates, army_book(*units), "a4")

    pages = [page.extract_text() for page in PdfReader(BytesIO(printed.data)).pages]
    assert len(pages) > 1
    starts = [n for page in pages for n in re.findall(r"Regiment (\d+)", page)]
    assert starts == [str(n) for n in range(40)]
    for page in pages:
        on_page = re.findall(r"Regiment (\d+)", page)
        assert all(f"ends {n}" in " ".join(page.split()) for n in on_page)
        assert not on_page or "Price" in page


def test_page_breaks_a_wide_column_and_leaves_room_for_the_name() -> None:
    wide = book_unit(size="8–28 figures, a multiple of 4", price="150 + 3 per crew figure")

    widths = book_widths(army_book(wide))

    assert widths["size"] == widths["price"] == pytest.approx(7.6)
    assert widths["points"] < widths["size"]


def test_book_cannot_write_markup(templates: TemplateEnvironment) -> None:
    text = "<script>alert(1)</script>"
    book = army_book(book_unit(text, type=text, notes=text, size=text), title=text, notes=text)

    page = book_html(templates, book, "index.html")

    assert "<script>alert" not in page
    assert page.count("&lt;script&gt;alert(1)") >= 5


def test_price_that_is_not_known_is_a_box(templates: TemplateEnvironment) -> None:
    unknown = book_unit(points="", price="", unknown=True)

    page = book_html(templates, army_book(unknown), "index.html")

    assert 'data-label="Points"><span class="box">' in page
