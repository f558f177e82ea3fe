"""Tests in a browser of what helps in reading: terms, notes, addresses, filters, tables in view."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.web.conftest import Site, quiet_context

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web")]

Open = Callable[[str, str], Page]


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    """Return a telephone whose pages may say nothing on the console."""
    with quiet_context(browser, 320, 640, has_touch=True) as context:
        yield context


@pytest.fixture
def opened(site: Site, phone: BrowserContext) -> Open:
    """Return a function that opens a page of a shipped system."""

    def opened(system: str, name: str) -> Page:
        page = phone.new_page()
        page.goto((site(system) / f"{name}.html").as_uri())
        return page

    return opened


def test_a_term_explains_itself_on_tap(opened: Open) -> None:
    page = opened("slaughterloo", "chapter-actions")
    box = page.locator(".explained")
    term = page.locator("main a", has_text="casualty marker").first
    assert box.is_hidden()
    term.tap()

    assert "three quarters of a unit is lost" in box.inner_text()
    assert page.url.endswith("chapter-actions.html")
    page.keyboard.press("Escape")
    assert box.is_hidden()
    assert page.evaluate("document.activeElement.textContent") == "casualty marker"
    term.tap()
    box.get_by_role("link").tap()
    page.wait_for_url("**/glossary.html#g-*")


def test_a_term_is_marked_once_in_a_section(opened: Open) -> None:
    page = opened("slaughterloo", "chapter-actions")
    marked = page.locator("main a[href^='glossary.html']").all_inner_texts()

    assert 0 < marked.count("casualty marker") <= page.locator("main h2").count() + 1
    assert len(marked) > page.locator("main h2").count()


@pytest.mark.parametrize(
    ("system", "folder", "terms", "most_missing"),
    [
        ("huzzah", "web", 37, 0),
        ("lshm-skirmish", "web", 40, 0),
        ("order-markers", "web", 41, 3),
        ("seven-years-war", "web", 48, 4),
        ("seven-years-war", "web-de", 48, 3),
        ("slaughterloo", "web", 44, 2),
    ],
)
def test_nearly_all_terms_can_be_tapped_in_some_chapter(
    system: str, folder: str, terms: int, most_missing: int, site: Site, phone: BrowserContext
) -> None:
    pages = site(system).parent / folder
    glossary = set(re.findall(r'id="(g-[^"]+)"', (pages / "glossary.html").read_text("utf-8")))
    found = set(tapped_terms(pages, phone))

    assert len(glossary) >= terms
    assert len(glossary - found) <= most_missing, glossary - found


def tapped_terms(pages: Path, phone: BrowserContext) -> Iterator[str]:
    """Yield the anchors of the terms that a site's chapters explain on tap."""
    page = phone.new_page()
    for chapter in sorted(pages.glob("chapter-*.html")):
        page.goto(chapter.as_uri())
        yield from page.evaluate(
            """[...document.querySelectorAll("main a[data-also]")].flatMap(
                 link => [link.hash.slice(1), ...link.dataset.also.split(" ")])"""
        )
    page.close()


@pytest.mark.parametrize(
    ("system", "words"),
    [
        ("huzzah", ["[in command] check", "[Broken] ground", "[commands] the"]),
        (
            "slaughterloo",
            [
                "clear [line]",
                "[cover] 40",
                "may [cover]",
                "give a [line]",
                "to [line] the",
                "[Line] inf",
            ],
        ),
        ("lshm-skirmish", ["front [line] is", "a [line] of the transcribed"]),
        (
            "order-markers",
            [
                "unit [stands] still",
                "source’s [line]",
                "[Stand]; it",
                "[stands] alone",
                "[lines] show",
            ],
        ),
        (
            "seven-years-war",
            ["[light] in weight", "need not [stand]", "d’[armes]", "in [charge] of"],
        ),
    ],
)
def test_words_in_another_meaning_are_no_terms(
    system: str, words: list[str], site: Site, phone: BrowserContext
) -> None:
    page = phone.new_page()
    for chapter in sorted(site(system).glob("chapter-*.html")):
        page.goto(chapter.as_uri())
        text = page.evaluate(
            """(document.querySelectorAll("main a[data-also]").forEach(
                 link => link.replaceWith("[" + link.textContent + "]")),
               document.querySelector("main article").textContent.replace(/\\s+/g, " "))"""
        )
        assert [each for each in words if each in text] == [], chapter.name


def test_one_tap_tells_all_meanings_of_a_word(opened: Open) -> None:
    page = opened("seven-years-war", "chapter-orders")
    page.locator("main a[data-also]", has_text=re.compile("^[Ss]tands?$")).first.tap()

    told = page.locator(".explained").inner_text()
    assert "A base with its figures" in told
    assert "The order to hold your ground" in told


def test_a_note_is_told_on_tap(opened: Open) -> None:
    page = opened("slaughterloo", "chapter-kill-table")
    sign = page.locator(".tbl sup button").first
    note = page.locator(".fn", has_text=sign.inner_text()).first.inner_text()
    sign.tap()

    assert note.partition(" ")[2] in page.locator(".explained").inner_text()
    page.get_by_role("button", name="Close").tap()
    assert page.locator(".explained").is_hidden()


def test_headings_and_tables_have_addresses(opened: Open) -> None:
    page = opened("slaughterloo", "chapter-morale")

    assert page.get_by_role("link", name="Link to Rallying", exact=True).get_attribute(
        "href"
    ) == page.evaluate("'#' + [...document.querySelectorAll('h2')].at(-1).id")
    link = page.get_by_role("link", name="Link to Morale failed")
    assert link.get_attribute("href") == "#t-" + page.evaluate(
        "[...document.querySelectorAll('.tbl')].find(t => /7\\.3/.test(t.textContent)).id.slice(2)"
    )


@pytest.mark.parametrize(
    ("name", "heading"),
    [("settle", "morale"), ("terms", "c"), ("army-typical", "red-division"), ("tables", "melee")],
)
def test_headings_of_other_pages_have_addresses_that_lead_to_them(
    name: str, heading: str, opened: Open
) -> None:
    page = opened("slaughterloo", name)
    headings = page.locator("main h2:not(.unseen)")
    links = page.locator("main h2 > a.address")
    addresses = [each.get_attribute("href") for each in links.all()]

    assert len(addresses) == len({*addresses}) == headings.count() > 2
    assert f"#h-{heading}" in addresses
    address = page.url
    page.goto("about:blank")
    page.goto(f"{address}#h-{heading}")
    box = page.locator(f"#h-{heading}").bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 640


def test_rows_of_a_banded_table_are_found_by_a_number_in_the_band(opened: Open) -> None:
    page = opened("slaughterloo", "chapter-kill-table")
    rows = page.locator(".banded tbody tr")
    for typed, label in (("12", "11–12"), ("7", "7–8")):
        page.get_by_label("Filter rows").first.fill(typed)
        shown = [each.locator("th").inner_text() for each in rows.all() if each.is_visible()]
        assert shown == [label]


def test_what_is_tapped_in_a_table_stays_within_it(opened: Open) -> None:
    page = opened("huzzah", "tables")
    page.set_viewport_size({"width": 360, "height": 640})
    over = page.evaluate(
        """[...document.querySelectorAll(".scroller:not(.scrolls)")].map(
             held => held.scrollWidth - held.clientWidth).filter(over => over > 1)"""
    )
    assert over == []


def test_all_tables_are_filtered(opened: Open) -> None:
    page = opened("seven-years-war", "tables")
    tables = page.locator(".tbl")
    number = tables.count()
    page.get_by_label("Filter all tables").fill("howitzers range")
    shown = [each for each in tables.all() if each.is_visible()]

    assert 0 < len(shown) < number
    assert page.locator(".narrow output").inner_text() == f"{len(shown)} of {number} tables"
    for heading in page.locator("h2.group").all():
        assert not heading.is_visible() or heading.locator("+ .tbl, ~ .tbl").count()
    page.get_by_label("Filter all tables").fill("xyzzyqwv")
    assert page.get_by_text("Nothing on this page contains all these words.").is_visible()
    page.get_by_label("Filter all tables").fill("")
    assert sum(each.is_visible() for each in tables.all()) == number


def test_rows_of_a_long_table_are_filtered(opened: Open) -> None:
    page = opened("seven-years-war", "chapter-troops")
    field = page.get_by_label("Filter rows").first
    section = page.locator(".tbl", has=field).first
    rows = section.locator("tbody tr:not(.group), .terms p, .steps p")
    all_rows = rows.count()
    word = rows.nth(3).inner_text().split()[0]
    field.fill(word)
    shown = [each.inner_text() for each in rows.all() if each.is_visible()]

    assert 0 < len(shown) < all_rows
    assert all(word.lower() in each.lower() for each in shown)
    assert section.locator(".narrow output").inner_text() == f"{len(shown)} of {all_rows} rows"


def test_heads_and_first_column_of_a_wide_table_stay_in_view(opened: Open) -> None:
    page = opened("seven-years-war", "chapter-movement")
    place = page.locator(".scroller.scrolls").first
    cue = page.locator(".cue").first
    assert "scroll sideways →" in cue.inner_text()
    label = place.locator("tbody th").first
    before = label.bounding_box()
    place.evaluate("each => { each.scrollLeft = 9999; }")
    page.wait_for_function("document.querySelector('.cue').textContent.startsWith('←')")

    after = label.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(before["x"] - after["x"]) < 2
    assert "→" not in cue.inner_text()
    page.set_viewport_size({"width": 1280, "height": 400})
    page.wait_for_selector(".scroller:not(.scrolls)")
    page.locator(".scroller tbody tr:last-child").first.scroll_into_view_if_needed()
    head = page.locator(".scroller thead th").first.bounding_box()
    top = page.locator(".top").bounding_box()
    assert head is not None
    assert top is not None
    assert head["y"] >= top["y"] + top["height"] - 1


@pytest.mark.parametrize(
    ("system", "name"),
    [
        ("order-markers", "chapter-movement"),
        ("seven-years-war", "chapter-deployment"),
        ("slaughterloo", "chapter-morale"),
    ],
)
def test_each_column_of_a_wide_table_can_be_seen_whole(
    system: str, name: str, opened: Open
) -> None:
    page = opened(system, name)
    for width in (360, 320):
        page.set_viewport_size({"width": width, "height": 640})
        page.reload()
        over = page.evaluate(
            """[...document.querySelectorAll(".scrolls")].flatMap(place => {
                 const [first, ...heads] = place.querySelectorAll("thead tr:last-child > *");
                 return heads.map(head => head.offsetWidth + first.offsetWidth - place.clientWidth);
               }).filter(over => over > 0)"""
        )
        assert over == []
    assert " 0 of" not in f" {page.locator('main').inner_text()}"


def test_more_columns_of_numbers_are_in_view_than_their_heads_are_long(opened: Open) -> None:
    page = opened("order-markers", "chapter-movement")
    page.set_viewport_size({"width": 360, "height": 640})
    page.reload()

    assert page.locator(".cue").first.inner_text().startswith("4 of 8 columns")


def test_a_wide_table_of_sentences_is_shown_row_by_row(opened: Open) -> None:
    page = opened("order-markers", "chapter-orders")
    page.set_viewport_size({"width": 320, "height": 640})
    page.reload()

    assert page.locator(".scroller .stacked").count() == 1
    assert page.locator(".scrolls, .cue:visible").count() == 0
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_selector(".scroller table:not(.stacked)")


def test_the_head_of_a_page_takes_no_room_of_a_phone_held_sideways(opened: Open) -> None:
    page = opened("slaughterloo", "chapter-command")
    page.set_viewport_size({"width": 740, "height": 360})
    page.evaluate("scrollTo(0, 2000)")
    box = page.locator(".top").bounding_box()

    assert box
    assert box["y"] + box["height"] < 0


def test_a_wide_table_leaves_the_column_of_text_before_it_scrolls(opened: Open) -> None:
    page = opened("huzzah", "chapter-quality")
    page.add_style_tag(content="#t-quality-shifts td { min-width: 8.5rem; }")
    for width in (1440, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_selector("#t-quality-shifts.wide")
        table = page.locator("#t-quality-shifts").bounding_box()
        text = page.locator("article > p").first.bounding_box()

        assert page.locator(".scrolls").count() == 0
        assert table
        assert text
        assert table["width"] > text["width"]


def test_the_table_of_an_army_stays_one_where_there_is_room(opened: Open) -> None:
    page = opened("huzzah", "army-typical")
    for width in (1280, 1440, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        assert (
            page.locator(".command thead").first.evaluate("head => getComputedStyle(head).display")
            == "table-header-group"
        )


def test_heads_of_a_wide_table_follow_the_page(opened: Open) -> None:
    page = opened("seven-years-war", "chapter-movement")
    place = page.locator(".scroller.scrolls").first
    place.evaluate("each => scrollTo(0, each.getBoundingClientRect().top + scrollY + 100)")
    page.wait_for_function(
        "document.querySelector('.scrolls').style.getPropertyValue('--down') > '0'"
    )
    head = place.locator("thead th").last.bounding_box()
    form = page.locator("#search").bounding_box()

    assert head is not None
    assert form is not None
    assert abs(head["y"] - form["y"] - form["height"]) <= 2
    assert place.evaluate("each => each.scrollHeight - each.clientHeight") <= 1


def test_search_stays_at_hand(opened: Open) -> None:
    page = opened("slaughterloo", "chapter-command")
    page.evaluate("scrollTo(0, 2000)")
    box = page.locator("#query").bounding_box()

    assert box is not None
    assert 0 <= box["y"] < 60
    page.evaluate("location.hash = [...document.querySelectorAll('.tbl')].at(-1).id")
    place = page.locator(":target").bounding_box()
    form = page.locator("#search").bounding_box()
    assert place is not None
    assert form is not None
    assert place["y"] >= form["y"] + form["height"]


def test_what_was_agreed_stays_on_the_device(opened: Open) -> None:
    page = opened("slaughterloo", "settle")
    box = page.get_by_role("textbox", name="Which of your units are Ogres?")
    low = box.bounding_box()
    box.fill("The Large Lads,\nand\nnobody else")
    high = box.bounding_box()
    page.reload()

    assert low
    assert high
    assert high["height"] > low["height"] + 30
    assert box.input_value() == "The Large Lads,\nand\nnobody else"
    box.fill("")
    page.reload()
    assert box.input_value() == ""
    kept = page.evaluate("localStorage.getItem('muster-answers slaughterloo')")
    assert kept == "{}"


def test_answers_that_were_kept_badly_are_as_none(opened: Open) -> None:
    page = opened("slaughterloo", "settle")
    for kept in ("[", "null", '{"ogres": 3}'):
        page.evaluate("kept => localStorage.setItem('muster-answers slaughterloo', kept)", kept)
        page.reload()

        boxes = page.get_by_role("textbox").all()
        assert len(boxes) > 20
        assert {box.input_value() for box in boxes} == {""}
