"""Tests of the pages of army books: where they break, and the widths of their columns."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from muster.documents.army_book import BookChoice, BookRule, RuleGroup
from muster.documents.rulebook import gather_rulebook
from muster.rendering.book_pages import (
    BOOK_MARGIN_MM,
    BOOK_PT,
    book_html,
    book_pdf,
    book_widths,
    least_wasteful,
    split_rules,
)
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.paper import PAPERS
from muster.rendering.rulebook_pages import rulebook_html, rulebook_pdf
from muster.systems import open_system
from muster.systems.rulebook_edition import Edition
from tests.pages.printed import MM, Pdf
from tests.rendering.samples import army_book, book_unit
from tests.scaffold import lay_out


def test_long_book_breaks_between_units_and_repeats_its_heads(
    templates: TemplateEnvironment,
) -> None:
    units = [book_unit(f"Regiment {n}", notes=f"begins {n} " * 20 + f"ends {n}") for n in range(40)]

    printed = book_pdf(templates, army_book(*units), "a4", {})

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

    widths = book_widths(army_book(wide), room_em=41)

    assert widths["size"] == widths["price"] == pytest.approx(7.6, abs=0.5)
    assert widths["points"] < widths["size"]


def test_rules_stand_in_two_columns_and_a_group_goes_on_in_the_second() -> None:
    rules = tuple(BookRule(f"r{n}", f"Rule {n}.", "L1", stated=True) for n in range(10))
    groups = (RuleGroup("Forces", rules[:8]), RuleGroup("Fire", rules[8:]))

    left, right = split_rules(groups, 30)

    assert [(group.title, len(group.rules)) for group in left] == [("Forces", 5)]
    assert [(group.title, len(group.rules)) for group in right] == [
        ("Forces, cont.", 3),
        ("Fire", 2),
    ]
    assert split_rules(groups[1:], 30)[1][0].rules == rules[9:]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_no_rule_runs_into_the_margin(
    templates: TemplateEnvironment, tmp_path: Path, paper: str
) -> None:
    words = "A list of several words, each of them short, fills every line to its end. "
    rules = tuple(BookRule(f"r{n}", words[n:] * 2, "L1", stated=n % 3 > 0) for n in range(24))
    book = army_book(book_unit(), rules=(RuleGroup("Forces", rules),))

    printed = book_pdf(templates, book, paper, {})

    file = tmp_path / "book.pdf"
    file.write_bytes(printed.data)
    ends_mm = [piece.right / MM for page in Pdf(file).pages for piece in page]

    assert max(ends_mm) < PAPERS[paper].width_mm - BOOK_MARGIN_MM + 0.1


def test_type_is_smaller_if_that_saves_a_page_and_else_fills_the_last_one(
    templates: TemplateEnvironment,
) -> None:
    made = []
    for number in (5, 36, 40):
        memory: dict[str, float] = {}
        book = army_book(*(book_unit(f"Unit {n}") for n in range(number)))
        made.append((book_pdf(templates, book, "a4", memory).pages, *memory.values()))

    (_, few), (_, saved), (_, many) = made
    assert [pages for pages, _ in made] == [1, 2, 3]
    assert saved < BOOK_PT < min(few, many)


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


def test_size_and_price_stand_below_the_name_where_there_is_little_room() -> None:
    book = army_book(book_unit())

    assert not book_widths(book)["narrow"]
    assert book_widths(book, room_em=30)["narrow"]


def test_units_have_their_symbols_before_their_names(templates: TemplateEnvironment) -> None:
    book = army_book(book_unit("Hussars", symbol="M0 0H9Z"), book_unit("Abatis"))

    rows = re.findall(r"<tr role.*?</tr>", book_html(templates, book, "index.html"), re.DOTALL)

    drawings = {name: "M0 0H9Z" in row for row in rows for name in re.findall(r"<b>(\w+)</b>", row)}
    assert (drawings["Hussars"], drawings["Abatis"]) == (True, False)


def test_options_without_a_price_are_one_row_if_they_are_for_the_same_units() -> None:
    choices = (
        BookChoice("lance", "Lance", (), "", "all"),
        BookChoice("pike", "Pike", (), "", "all"),
        BookChoice("axe", "Axe", (), "+1", "all"),
        BookChoice("rank", "Rank", ("Major",), "", "all"),
        BookChoice("sappers", "Sappers", (), "", "Foot"),
    )

    rows = army_book(book_unit(), choices=choices).choices_by_unit

    assert [row.title for row in rows] == ["Lance, Pike", "Axe", "Rank", "Sappers"]


def test_rules_of_an_army_stay_on_one_page(templates: TemplateEnvironment) -> None:
    rules = tuple(BookRule(f"r{n}", f"Number {n} of them.", "L1", stated=True) for n in range(60))

    for number in (20, 26, 32):
        units = [book_unit(f"Unit {n}") for n in range(number)]
        book = army_book(*units, rules=(RuleGroup("Forces", rules),))
        printed = book_pdf(templates, book, "a4", {})
        pages = [page.extract_text() for page in PdfReader(BytesIO(printed.data)).pages]
        held = [page for page in pages if "of them." in page]
        assert len(held) == 1
        assert held[0].count("of them.") == 60


def test_more_rules_than_a_page_holds_go_on_on_the_next(templates: TemplateEnvironment) -> None:
    rules = tuple(BookRule(f"r{n}", f"Number {n} of them.", "L1", stated=True) for n in range(240))
    book = army_book(book_unit(), rules=(RuleGroup("Forces", rules),), suggests="all")

    printed = book_pdf(templates, book, "a4", {})

    pages = [page.extract_text() for page in PdfReader(BytesIO(printed.data)).pages]
    assert sum(page.count("of them.") for page in pages) == 240
    assert pages[-1].index("of them.") < pages[-1].index("above are examples")


def test_type_leaves_little_room_at_the_feet_of_pages() -> None:
    room = {11.0: 0.3, 10.7: 0.2, 10.4: 0.02, 10.1: 0.0}

    assert least_wasteful(11.0, room.__getitem__) == 10.4
    assert least_wasteful(10.1, room.__getitem__) == 10.1
    assert least_wasteful(11.0, lambda size: 0.3 - size / 100) == 11.0


def test_rulebook_has_the_army_books_of_its_edition(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    content = lay_out(tmp_path)
    edition = Edition(
        id="road", title="Road", date="2025-01-31", paper="a5", army_books=["first-book"]
    )
    book = gather_rulebook(open_system(content), edition)

    pages = [
        page.extract_text()
        for page in PdfReader(BytesIO(rulebook_pdf(templates, book, {}).data)).pages
    ]
    screen = rulebook_html(templates, book, "index.html")

    text = " ".join(" ".join(pages).split())
    assert "Guns are never veterans." in text
    assert "Army book: The First Nation" in text
    assert "Line battalion Foot 4–8 stands" in text
    assert 'href="#book-first-book"' in screen
    assert ">12–24</td>" in screen
