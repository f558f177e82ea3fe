"""Tests in a browser of what is sought on a sheet, and in a rulebook on one page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from muster.systems import Library
from tests.web.conftest import ROOT, quiet_context, write_pages

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web")]


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Render the sheets and the rulebook of a system; return the system's folder."""
    out = tmp_path_factory.mktemp("sheets")
    write_pages(Library(ROOT), "slaughterloo", out, ("sheet", "rulebook"))
    return out / "slaughterloo"


@pytest.fixture
def page(sheets: Path, browser: Browser) -> Iterator[Page]:
    """Return a sheet on a telephone that keeps nothing and may say nothing on the console."""
    with quiet_context(browser, 390, 800) as context:
        opened = context.new_page()
        opened.goto((sheets / "quick-reference.html").as_uri())
        yield opened


def shown(page: Page, typed: str) -> list[str]:
    """Return the titles of the blocks that stay when words are typed."""
    page.fill("#filter", typed)
    titles: list[str] = page.locator(".block:visible h3 .title").evaluate_all(
        "all => all.map(each => each.firstChild.textContent.trim())"
    )
    return titles


@pytest.mark.parametrize(
    ("typed", "title", "most"),
    [
        ("countercharge", "Who strikes first", 3),
        ("counter-charge", "Who strikes first", 3),
        ("-4", "Melee modifiers", 8),
        ("−4", "Melee modifiers", 8),
        ("15cm", "Small arms", 6),
        ("how do I rally", "Rallying routers", 4),
        ("artilery range", "Artillery", 10),
        ("how far can a horse be attacked in rear", "Melee modifiers", 3),
    ],
)
def test_the_filter_takes_words_as_the_search_does(
    typed: str, title: str, most: int, page: Page
) -> None:
    titles = shown(page, typed)

    assert title in titles
    assert len(titles) <= most


def test_the_filter_takes_synonyms_of_the_system(page: Page) -> None:
    assert "Melee modifiers" in shown(page, "hand to hand")


def test_the_filter_marks_rows_and_says_when_there_is_nothing(page: Page) -> None:
    assert "Melee modifiers" in shown(page, "attacked rear -4")
    assert page.locator(".hit:visible").all_inner_texts() == ["Attacked in rear\t−4"]
    assert shown(page, "xyzzyqwv") == []
    assert page.locator("#nothing").is_visible()
    page.press("#filter", "Escape")
    assert page.locator("[data-block][hidden], .hit").count() == 0


def test_the_filter_stays_at_hand_on_a_telephone(page: Page) -> None:
    page.evaluate("scrollTo(0, 3000)")
    box = page.locator("#filter").bounding_box()

    assert box
    assert 0 <= box["y"] < 60


def test_a_rulebook_on_one_page_is_searched_wherever_one_reads(sheets: Path, page: Page) -> None:
    page.goto((sheets / "rulebook.html").as_uri())
    page.evaluate("scrollTo(0, 20000)")
    page.fill("#query", "kil tabel")
    found = page.locator("#results a").first
    assert "Kill Table" in found.inner_text()
    found.click()
    page.wait_for_url("**/rulebook.html#t-kill-table")
    top = page.locator("#t-kill-table").bounding_box()
    bar = page.locator(".finder").bounding_box()

    assert top
    assert bar
    assert bar["y"] == 0
    assert bar["height"] - 1 <= top["y"] < 400
    assert page.locator(".finder .jump").is_visible()


def test_all_that_the_search_of_a_rulebook_finds_is_on_its_page(sheets: Path, page: Page) -> None:
    page.goto((sheets / "rulebook.html").as_uri())
    lost = page.evaluate(
        """musterFinds.map(found => found[3].slice(1)).filter(id => !document.getElementById(id))"""
    )

    assert lost == []
