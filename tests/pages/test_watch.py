"""A test in a browser that a page reloads by itself under `muster watch`.

Skipped where there is no Chromium, unless MUSTER_BROWSER=required says that there must be one.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.building.test_watcher import PAGE, Watched, table, watching
from tests.scaffold import lay_out, spoil

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))),
    None,
)
PATIENCE_MS = 30_000

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("watch"),
    pytest.mark.skipif(
        CHROMIUM is None and os.environ.get("MUSTER_BROWSER") != "required",
        reason="there is no Chromium on this machine",
    ),
]


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    lay_out(tmp_path)
    yield from watching(tmp_path, formats=("html",))


def test_page_reloads_by_itself_keeps_its_place_and_shows_what_is_wrong(watched: Watched) -> None:
    from playwright.sync_api import expect, sync_playwright  # noqa: PLC0415 - slow, wanted here only

    assert CHROMIUM is not None, "MUSTER_BROWSER=required, but there is no Chromium"
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 900, "height": 300})
        page.set_default_timeout(PATIENCE_MS)
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(watched.server.address + PAGE)
        expect(page.locator("td", has_text="777")).to_have_count(0)
        page.evaluate("window.scrollTo(0, 400); window.before = true")

        spoil(table(watched), "[0, 0, 1]", "[0, 0, 777]")
        expect(page.locator("td", has_text="777").first).to_be_attached()
        page.wait_for_load_state("load")
        assert page.evaluate("window.before") is None
        page.wait_for_function("window.scrollY === 400")
        watched.listener.settle()

        spoil(table(watched), "[0, 0, 777]", "[0, 0, <b>many</b>]")
        told = page.locator("muster-faults section")
        expect(told).to_be_visible()
        expect(told.locator("code").first).to_contain_text("hits.yaml:")
        expect(told.locator("p").first).to_contain_text("read '<b>many</b>', expected a number")
        expect(told.locator("pre").first).to_contain_text("cells: [0, 0, <b>many</b>]")
        expect(page.locator("td", has_text="777").first).to_be_attached()
        page.keyboard.press("Escape")
        expect(told).to_have_count(0)

        spoil(table(watched), "[0, 0, <b>many</b>]", "[0, 0, many]")
        expect(told).to_be_visible()

        spoil(table(watched), "[0, 0, many]", "[0, 0, 888]")
        expect(page.locator("td", has_text="888").first).to_be_attached()
        expect(told).to_have_count(0)
        assert said == []
        browser.close()
