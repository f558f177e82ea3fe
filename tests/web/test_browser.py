"""Tests of the web edition in a browser, opened from files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

from tests.scaffold import SHIPPED
from tests.web.conftest import Site, chromium, go_without

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web")]

SMALL, WIDE = 360, 1280


@dataclass
class Seen:
    """What happened while pages were open."""

    files: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def watch(self, context: BrowserContext) -> None:
        def ask(request: Request) -> None:
            here = request.url.startswith(("file:", "data:"))
            (self.files if here else self.fetched).append(request.url)

        def hear(message: ConsoleMessage) -> None:
            self.said.append(f"{message.type}: {message.text}")

        context.on("request", ask)
        context.on("console", hear)
        context.on("weberror", lambda error: self.said.append(str(error.error)))


Open = Callable[..., tuple[BrowserContext, Seen]]


@pytest.fixture
def look(browser: Browser) -> Iterator[Open]:
    """Return a function that opens a window of some width, light or dark, without a network."""
    opened: list[BrowserContext] = []

    def look(
        width: int, scheme: str = "light", *, scripts: bool = True
    ) -> tuple[BrowserContext, Seen]:
        context = browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme="dark" if scheme == "dark" else "light",
            java_script_enabled=scripts,
            offline=True,
        )
        opened.append(context)
        seen = Seen()
        seen.watch(context)
        return context, seen

    yield look
    for context in opened:
        context.close()


TOO_SMALL = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), small = [];
  while (walker.nextNode()) {
    const held = walker.currentNode, box = held.parentElement;
    const text = held.textContent.trim();
    if (!text || !box.checkVisibility() || box.closest(".unseen, script, style")) { continue; }
    const size = parseFloat(getComputedStyle(box).fontSize);
    if (size < 14) { small.push(size + " " + text.slice(0, 30)); }
  }
  return small;
}"""


@pytest.mark.parametrize("system", SHIPPED)
def test_every_page_fits_a_small_screen_and_fetches_nothing(
    system: str, site: Site, look: Open
) -> None:
    context, seen = look(SMALL)
    page = context.new_page()
    wide, small = {}, {}
    for path in sorted(site(system).glob("*.html")):
        page.goto(path.as_uri())
        if (width := page.evaluate("document.documentElement.scrollWidth")) > SMALL:
            wide[path.name] = width
        if tiny := page.evaluate(TOO_SMALL):
            small[path.name] = tiny

    assert wide == {}
    assert small == {}
    assert seen.fetched == []
    assert seen.said == []
    assert len(seen.files) > len(SHIPPED)


def test_what_is_fetched_said_wide_or_small_is_seen(look: Open, tmp_path: Path) -> None:
    path = tmp_path / "bad.html"
    path.write_text(
        "<p style='width: 500px; font-size: 9px'>x</p><img src='http://muster.invalid/a.png'>"
        "<script>throw new Error('lost')</script>",
        encoding="utf-8",
    )
    context, seen = look(SMALL)
    page = context.new_page()
    page.goto(path.as_uri())

    assert page.evaluate("document.documentElement.scrollWidth") > SMALL
    assert page.evaluate(TOO_SMALL) == ["9 x"]
    assert seen.fetched == ["http://muster.invalid/a.png"]
    assert any("lost" in each for each in seen.said)


def ask(page: Page, text: str) -> list[str]:
    """Search, and return the titles found."""
    page.keyboard.press("/")
    page.keyboard.type(text)
    page.wait_for_function("document.getElementById('found').textContent.match(/place|Nothing/)")
    return page.locator("#results .title").all_inner_texts()


@pytest.fixture
def first_page(site: Site, look: Open) -> Page:
    """Open the first page of a system."""
    page = look(WIDE)[0].new_page()
    page.goto((site("slaughterloo") / "index.html").as_uri())
    return page


def test_search_finds_a_table_by_words_a_slip_away(first_page: Page) -> None:
    assert ask(first_page, "kil tabel")[0] == "13.1 Kill Table"

    first_page.keyboard.press("Enter")
    first_page.wait_for_url("**/chapter-kill-table.html#t-kill-table")
    assert first_page.locator("#t-kill-table").is_visible()


def test_search_gives_a_row_with_its_cells(first_page: Page) -> None:
    ask(first_page, "light infantry standard")

    assert "Standard 4–12" in first_page.locator("#results").inner_text()


def test_search_finds_armies_too(first_page: Page) -> None:
    assert "Army of the Upper Marches" in ask(first_page, "upper march")


def test_search_says_so_when_there_is_nothing(first_page: Page) -> None:
    assert ask(first_page, "xyzzyqwv") == []
    assert first_page.locator("#found").inner_text() == "Nothing found"
    link = first_page.locator("#results a")
    assert link.inner_text() == "Search all games"
    assert str(link.get_attribute("href")).endswith("/index.html#find=xyzzyqwv")


def test_search_says_what_it_looked_for_instead(first_page: Page) -> None:
    ask(first_page, "break test")
    assert first_page.locator("#found").inner_text().endswith("; searched for: morale")
    first_page.fill("#query", "morale")
    assert "searched for" not in first_page.locator("#found").inner_text()


def test_search_is_worked_by_keys_alone(first_page: Page) -> None:
    found = ask(first_page, "melee")
    first_page.keyboard.press("ArrowDown")
    first_page.keyboard.press("ArrowDown")
    second = first_page.evaluate("document.activeElement.querySelector('.title').innerText")
    first_page.keyboard.press("ArrowUp")
    first_page.keyboard.press("ArrowUp")

    assert second == found[1]
    assert first_page.evaluate("document.activeElement.id") == "query"
    first_page.keyboard.press("Escape")
    assert first_page.locator("#query").input_value() == ""
    assert first_page.locator("#results").is_hidden()


def test_tables_come_before_terms_sections_rows_and_errata(
    site: Site, look: Open, tmp_path: Path
) -> None:
    order = ["table", "term", "section", "row", "erratum"]
    finds = [[kind, "A wheel", kind, "index.html", "Any.", ""] for kind in reversed(order)]
    folder = tmp_path / "site"
    shutil.copytree(site("slaughterloo"), folder)
    script = f"window.musterFinds = {json.dumps(finds)};"
    (folder / "finds-book.js").write_text(script, encoding="utf-8")
    (folder / "finds-armies.js").unlink()
    page = look(WIDE)[0].new_page()
    page.goto((folder / "index.html").as_uri())
    ask(page, "whe")

    assert [each.strip() for each in page.locator("#results .where").all_inner_texts()] == order


def paper(page: Page) -> str:
    """Return the background colour of the page."""
    found: str = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return found


def test_colours_are_the_readers_choice_and_are_remembered(site: Site, look: Open) -> None:
    context, _ = look(WIDE, "light")
    page = context.new_page()
    page.goto((site("slaughterloo") / "index.html").as_uri())
    light = paper(page)
    page.get_by_label("Colours").select_option("dark")
    dark = paper(page)
    page.goto((site("slaughterloo") / "tables.html").as_uri())

    assert light != dark
    assert paper(page) == dark
    assert page.get_by_label("Colours").input_value() == "dark"
    page.emulate_media(media="print")
    assert paper(page) == light
    page.emulate_media(media="screen", color_scheme="dark")
    page.get_by_label("Colours").select_option("light")
    assert paper(page) == light
    page.get_by_label("Colours").select_option("")
    assert paper(page) == dark


def test_pages_read_without_scripts(site: Site, look: Open) -> None:
    page = look(SMALL, scripts=False)[0].new_page()
    page.goto((site("slaughterloo") / "chapter-melee.html").as_uri())

    assert page.locator("h1").inner_text() == "Melee"
    assert page.locator("#theme").is_hidden()
    assert page.get_by_role("link", name="Contents").first.is_visible()


def test_the_first_key_leads_past_the_frame(first_page: Page) -> None:
    first_page.keyboard.press("Tab")
    skip = first_page.locator(".skip")
    box = skip.bounding_box()

    assert skip.inner_text() == "Skip to the content"
    assert box is not None
    assert box["x"] >= 0
    first_page.keyboard.press("Enter")
    assert first_page.evaluate("document.activeElement.id") == "content"


OUTLINE = """() => {
  const held = document.activeElement, style = getComputedStyle(held);
  const seen = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  return seen ? "" : held.outerHTML.slice(0, 80);
}"""


def test_the_focus_is_seen_wherever_it_goes(site: Site, look: Open) -> None:
    page = look(SMALL)[0].new_page()
    page.goto((site("seven-years-war") / "chapter-shooting.html").as_uri())
    unseen = []
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
        unseen.append(page.evaluate(OUTLINE))

    assert len(unseen) > 10
    assert not any(unseen)


def test_the_current_page_is_told_among_the_contents(site: Site, look: Open) -> None:
    page = look(WIDE)[0].new_page()
    page.goto((site("slaughterloo") / "chapter-melee.html").as_uri())
    contents = page.get_by_role("navigation", name="Contents", exact=True)

    assert "Melee" in contents.locator("[aria-current=page]").inner_text()
    page.get_by_role("link", name="Next").click()
    assert page.locator("h1").inner_text() == "A first game"


def test_print_leaves_the_frame_out(site: Site, look: Open) -> None:
    page = look(WIDE)[0].new_page()
    page.goto((site("slaughterloo") / "chapter-melee.html").as_uri())
    page.emulate_media(media="print")

    assert page.locator("h1").is_visible()
    for frame in (".top", "#contents", ".steps-between"):
        assert page.locator(frame).is_hidden(), frame


def test_without_a_browser_tests_say_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("MUSTER_BROWSER", raising=False)

    assert chromium() is None
    with pytest.raises(pytest.skip.Exception, match=r"\.ci/machine browser"):
        go_without()
    monkeypatch.setenv("MUSTER_BROWSER", "required")
    with pytest.raises(pytest.fail.Exception, match=r"\.ci/machine browser"):
        go_without()
