"""Tests of the printed rulebook: chapters, running heads, references, print-house editions."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from math import inf
from pathlib import Path

import pytest
from pypdf import PdfReader

from muster.documents.cover import CoverLook
from muster.documents.rulebook import Rulebook, gather_rulebook
from muster.rendering import page_plan
from muster.rendering.book_contents import contents_columns
from muster.rendering.book_cover import ink_of, spine_width
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.paper import PT_PER_MM
from muster.rendering.printer import Printer
from muster.rendering.rulebook_pages import (
    cover_pdf,
    layout_of,
    question_style,
    rulebook_html,
    rulebook_pdf,
    rulebook_print_html,
)
from muster.rendering.table_moves import LARGEST_HOLE
from muster.systems import open_system
from tests.pages.printed import Pdf
from tests.picture_samples import SVG, raster
from tests.scaffold import lay_out, spoil

EDITION = 'id: road\ntitle: Road\ndate: "2025-01-31"\npaper: a5\n'


def gather(folder: Path, said: str = "") -> Rulebook:
    """Return an edition of the club's rules, which lie in a folder; they are made if need be."""
    content = folder / "content" / "club"
    if not content.exists():
        lay_out(folder)
    (content / "editions" / "road.yaml").write_text(EDITION + said, encoding="utf-8")
    system = open_system(content)
    return gather_rulebook(system, system.edition("road"))


def texts(data: bytes) -> list[str]:
    """Return the text of each page, with its spaces made one."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(data)).pages]


def pages_of_chapters(data: bytes) -> list[int]:
    """Return the page of each chapter, from 1."""
    reader = PdfReader(BytesIO(data))
    places = {
        name: reader.get_destination_page_number(place)
        for name, place in reader.named_destinations.items()
        if re.fullmatch(r"c-[a-z-]*[a-z]", name) and "--" not in name
    }
    return sorted(number + 1 for number in places.values() if number is not None)


def test_search_of_a_page_ends_no_script_and_begins_no_comment(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    found = '["<!--<script>", "</script>"]'
    html = rulebook_html(templates, gather(tmp_path), "", search=found)

    assert '["\\u003c!--\\u003cscript>", "\\u003c/script>"]' in html
    assert found not in html


def test_contents_follow_the_pages_in_columns_of_like_height(tmp_path: Path) -> None:
    book = gather(tmp_path)

    (narrow,) = contents_columns(book, wide=False)
    wide = contents_columns(book, wide=True)

    titles = [entry.title for entry in narrow]
    assert titles[0] == "Settle before you play"
    assert titles[1:-2] == [chapter.title for chapter in book.chapters]
    assert titles[-2:] == ["Glossary", "Index"]
    assert [entry.title for column in wide for entry in column] == titles
    assert not any(entry.below for entry in narrow)
    heights = [sum(1.6 + len(entry.below) for entry in column) for column in wide]
    highest = max(1.6 + len(entry.below) for column in wide for entry in column)
    assert len(heights) == 2
    assert abs(heights[0] - heights[1]) <= highest


def test_running_head_names_the_chapter_that_opens_on_the_page(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    book = gather(tmp_path)
    data = rulebook_pdf(templates, book, {}).data
    path = tmp_path / "book.pdf"
    path.write_bytes(data)
    pdf = Pdf(path)
    tagged = {(piece.page, piece.mcid) for piece in pdf.tags.all_pieces()}
    opened: dict[int, str] = {}
    for tag in pdf.tags.find("H2"):
        page = tag.all_pieces()[0].page
        if page >= pages_of_chapters(data)[0] - 1:
            opened.setdefault(page, tag.text)

    assert {chapter.title for chapter in book.chapters} & {*opened.values()}
    assert {number % 2 for number in opened} == {0, 1}
    for number, title in opened.items():
        names = [title, book.title] if number % 2 else [book.title, title]
        loose = "".join(p.text for p in pdf.pages[number] if (p.page, p.mcid) not in tagged)
        assert "".join(loose.split()) == f"{''.join(''.join(names).split())}{number + 1}", loose


def test_chapters_follow_each_other_or_have_pages_of_their_own(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    following = rulebook_pdf(templates, gather(tmp_path), {}).data
    apart = rulebook_pdf(templates, gather(tmp_path, "chapter_start: new-page\n"), {}).data

    assert len(set(pages_of_chapters(following))) < len(pages_of_chapters(following))
    assert len(set(pages_of_chapters(apart))) == len(pages_of_chapters(apart)) > 4


def test_chapter_for_a_spread_begins_a_page_and_has_columns_on_wide_paper(
    templates: TemplateEnvironment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A plan may let any chapter begin a page.
    monkeypatch.setattr(page_plan, "_WORTHWHILE", inf)

    def page_of_shooting(book: Rulebook) -> tuple[bool, bool]:
        """Return whether the chapter begins a page on A4, and its text at the margin."""
        path = tmp_path / "wide.pdf"
        path.write_bytes(rulebook_pdf(templates, replace(book, paper="a4"), {}).data)
        pdf = Pdf(path)
        (head,) = [tag for tag in pdf.tags.find("H2") if tag.text == "Shooting"]
        first = head.all_pieces()[0]
        tagged = {(piece.page, piece.mcid) for piece in pdf.tags.all_pieces()}
        pieces = [p for p in pdf.pages[first.page] if (p.page, p.mcid) in tagged]
        return (
            max(p.baseline for p in pieces) - first.baseline < 1,
            any(p.text.startswith("A unit") and p.left < 25 * PT_PER_MM for p in pieces),
        )

    book = gather(tmp_path)
    usual = page_of_shooting(book), pages_of_chapters(rulebook_pdf(templates, book, {}).data)
    spoil(
        tmp_path / "content" / "club" / "system.yaml",
        "title: Shooting}",
        "title: Shooting, spread: true}",
    )
    book = gather(tmp_path)
    spread = page_of_shooting(book), pages_of_chapters(rulebook_pdf(templates, book, {}).data)

    assert usual[0] == (False, False)
    assert spread[0] == (True, True)
    assert spread[1] == usual[1]


def test_lines_to_write_on_fill_the_page_before_a_spread(
    templates: TemplateEnvironment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # With another plan, less would be blank.
    monkeypatch.setattr(page_plan, "_WORTHWHILE", inf)
    usual = replace(gather(tmp_path), paper="a4")
    place = tmp_path / "content" / "club" / "system.yaml"
    spoil(place, "title: Shooting}", "title: Shooting, spread: true}")
    book = replace(gather(tmp_path), paper="a4")
    memory: dict[str, float] = {}

    printed = rulebook_pdf(templates, book, memory).data
    again = rulebook_pdf(templates, book, memory).data

    path = tmp_path / "spread.pdf"
    path.write_bytes(printed)
    pdf = Pdf(path)
    (head,) = [tag for tag in pdf.tags.find("H2") if tag.text == "Shooting"]
    before = head.all_pieces()[0].page - 1
    assert [n for n, text in enumerate(texts(printed)) if "House rules" in text] == [before]
    assert pdf.blank_shares()[before] < LARGEST_HOLE
    assert again == printed
    assert not any("House rules" in text for text in texts(rulebook_pdf(templates, usual, {}).data))


def test_pages_are_a_multiple_and_the_first_chapter_is_on_the_right(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    usual = rulebook_pdf(templates, gather(tmp_path), {})
    book = gather(tmp_path, "pages: multiple-of 16\n")
    printed = rulebook_pdf(templates, book, {})

    assert usual.pages % 16
    assert printed.pages % 16 == 0
    assert pages_of_chapters(printed.data)[0] % 2 == 1
    assert texts(printed.data)[-1] == ""
    blank = PdfReader(BytesIO(printed.data)).pages[-1]
    assert blank.trimbox == PdfReader(BytesIO(printed.data)).pages[1].trimbox


def test_book_is_printed_alike_and_at_once_when_it_is_remembered(
    templates: TemplateEnvironment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = gather(tmp_path, "pages: multiple-of 4\n")
    memory: dict[str, float] = {}
    first = rulebook_pdf(templates, book, memory).data
    layouts: list[str] = []
    lay_out_once = Printer._lay_out

    def count(printer: Printer, html: str, styles: list[str]) -> object:
        layouts.append(html)
        return lay_out_once(printer, html, styles)

    monkeypatch.setattr(Printer, "_lay_out", count)

    assert rulebook_pdf(templates, book, memory).data == first
    assert len(layouts) == 1


def test_cover_of_its_own_has_back_spine_and_front(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    said = "pages: multiple-of 16\nleaf: 1 mm\nbleed: 3 mm\nmark: M-1\n"
    said += "cover: {text: Rules for the road.}\n"
    book = gather(tmp_path, said)
    inside = rulebook_pdf(templates, book, {})

    (cover,) = PdfReader(BytesIO(cover_pdf(templates, book, {}).data)).pages

    spine = spine_width(inside.pages, 1)
    assert spine == inside.pages / 2
    assert float(cover.trimbox.width) == pytest.approx((2 * 148 + spine) * PT_PER_MM, abs=0.1)
    assert float(cover.bleedbox.height) == pytest.approx((210 + 6) * PT_PER_MM, abs=0.1)
    text = cover.extract_text()
    # The title on the back, on the spine and on the front; the credit names it, too.
    assert text.count("Club rules") == 4
    assert "Rules for the road." in text
    # What stays inside is a title page without the drawing.
    assert "cover" not in re.findall('class="([a-z-]+)"', rulebook_print_html(templates, book))


def test_answer_that_is_too_long_has_a_box_to_tick_on_paper_and_room_on_a_screen(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    lay_out(tmp_path)
    entry = """\
  - id: card-texts
    lines: L9
    places: [{chapter: turn}]
    printed: cards
    read: Use your own cards.
    reason: Their text is not printed.
    treatment: blank
    certainty: open
    question: What does each card say?
    tick: on our cards
"""
    with (tmp_path / "content" / "club" / "errata.yaml").open("a", encoding="utf-8") as file:
        file.write(entry)
    book = gather(tmp_path)

    paper, screen = rulebook_print_html(templates, book), rulebook_html(templates, book, "")

    assert '<span class="box"></span>on our cards' in paper
    assert 'data-id="card-texts"' not in paper
    assert 'data-id="card-texts"' in screen
    assert "on our cards" not in screen


def test_edition_prints_its_pictures_logo_and_their_credits(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    gather(tmp_path)
    folder = tmp_path / "content" / "club" / "editions"
    (folder / "front.png").write_bytes(raster())
    (folder / "wheel.svg").write_text(SVG, encoding="utf-8")
    said = (
        "cover:\n  picture: {file: front.png, alt: A road, credit: By hand}\n"
        "  logo: {file: wheel.svg, alt: A wheel}\n"
        "chapter_pictures:\n  turn: {file: wheel.svg, alt: Two wheels}\n"
    )
    book = gather(tmp_path, said)

    printed = rulebook_print_html(templates, book)
    screen = rulebook_html(templates, book, "index.html")

    for alt in ("A road", "A wheel", "Two wheels"):
        assert f'alt="{alt}"' in printed
    assert "Pictures: A road: By hand." in printed
    assert ".cover .art {" in printed
    assert "background-image: url(&#34;data:" not in printed
    assert 'aria-label="A road"' in screen
    assert 'aria-label="Two wheels"' in screen
    assert PdfReader(BytesIO(rulebook_pdf(templates, book, {}).data)).pages[0].images


def test_reference_within_a_table_has_number_and_page(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    folder = lay_out(tmp_path)
    spoil(
        folder / "tables" / "terms.yaml", "Close enough to be led.", "Close as in the table Hits."
    )

    page = rulebook_print_html(templates, gather(tmp_path))

    assert re.search(r'table<a class="to within" href="#t-hits"> Hits, table\xa0\d\.\d</a>', page)


def test_long_table_goes_on_overleaf_below_its_caption(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    rows = "".join(f"  - {{id: w{n}, label: Word {n}, text: Meaning {n}.}}\n" for n in range(9, 99))
    path = lay_out(tmp_path) / "tables" / "terms.yaml"
    path.write_text(path.read_text("utf-8").replace("glossary: true\n", "") + rows, "utf-8")

    pages = texts(rulebook_pdf(templates, gather(tmp_path), {}).data)

    held = [page for page in pages if re.search(r"Word \d+: Meaning", page)]
    captions = [re.search(r"2\.\d Terms(, continued)?", page) for page in held]
    counts = [len(re.findall(r"Word \d+: Meaning", page)) for page in held]
    assert [found and bool(found[1]) for found in captions] == [False] + [True] * (len(held) - 1)
    assert sum(counts) == 90
    assert min(counts) >= 3
    assert sum("continued" in page for page in pages) == len(held) - 1 > 0


@pytest.mark.parametrize(("theme", "size_pt"), [("colour", 8.5), ("high-contrast", 10.5)])
def test_questions_have_smaller_type_only_in_a_theme_that_has_it(
    tmp_path: Path, theme: str, size_pt: float
) -> None:
    book = replace(gather(tmp_path), paper="a4", theme=theme)
    book = replace(book, questions=book.questions * 30)

    style = question_style(book, layout_of(book))

    assert style.text_pt == size_pt


def test_index_is_broken_by_letters(templates: TemplateEnvironment, tmp_path: Path) -> None:
    book = gather(tmp_path)
    page = rulebook_print_html(templates, book)

    letters = re.findall('class="letter">(.)<', page)
    assert letters == sorted({entry.term[0].upper() for entry in book.index})
    assert len(letters) > 1


def test_tables_are_listed_on_a_page_of_their_own_behind_the_chapters(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    pages = texts(rulebook_pdf(templates, gather(tmp_path), {}).data)

    assert pages[1].startswith("Contents ")
    assert "Tables" not in pages[1]
    assert pages[2].startswith("Tables")


@pytest.mark.parametrize("accent", ["#ffff00", "#112233", "#88ccee"])
def test_colour_of_a_chapters_number_is_dark_enough_to_be_read(accent: str) -> None:
    ink = ink_of(CoverLook(accent=accent), "colour")

    levels = [((int(ink[n : n + 2], 16) / 255) ** 2.2) for n in (1, 3, 5)]
    luminance = 0.2126 * levels[0] + 0.7152 * levels[1] + 0.0722 * levels[2]
    assert 1.05 / (luminance + 0.05) >= 4.4
