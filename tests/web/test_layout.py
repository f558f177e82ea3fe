"""Tests in a browser that no page, at any width, cuts, hides or overprints what it says."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from muster.documents.index_page import ArmyDocuments, BuildIndex, BuiltFile, SystemDocuments
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.plain_pages import index_html
from muster.systems import Library
from tests.pages.conftest import plain_environment
from tests.scaffold import SHIPPED
from tests.web.conftest import ROOT, write_pages

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web")]

WIDTHS = (1920, 1440, 1280, 1024, 768, 481, 390, 360, 320)
"""One width of most ranges that the style sheets tell apart, and three of the widest."""
FAULTS = Path(__file__).with_name("layout.js").read_text(encoding="utf-8")
SIXTH = ROOT / "tests" / "sixth"

EVERY_PAGE = (1920, 1280, 768, 360, 320)
"""The widths at which every page is opened."""

KINDS = {
    "quick-reference*.html": 2,
    "rulebook*.html": 1,
    "units*.html": 1,
    "tokens*.html": 1,
    "books/*.html": 1,
    "armies/*/quick-reference*.html": 1,
    "armies/*/roster.html": 2,
    "armies/*/roster-*.html": 1,
    "armies/*/cards*.html": 1,
    "web*/[!ac]*.html": 9,
    "web*/chapter-*.html": 1,
    "web*/army-*.html": 1,
    "web*/armies.html": 1,
}
"""How many pages of each kind, the largest, are opened at more widths than every page is."""
DOCUMENTS = ("sheet", "cards", "tokens", "roster", "book", "rulebook", "web")
"""What has such pages."""


def faults(
    page: Page, path: Path, widths: Sequence[int] = WIDTHS, *, scripts: bool = True
) -> dict[str, list[int]]:
    """Open a page and return what is wrong with its layout, with the widths in CSS pixels."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    page.set_viewport_size({"width": widths[0], "height": 900})
    page.goto(path.as_uri())
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        for fault in page.evaluate(FAULTS, scripts):
            found[fault].append(width)
    return dict(found)


def pages_of(folder: Path) -> dict[Path, Sequence[int]]:
    """Return the pages of a system, each once, with the widths at which they are to be opened."""
    found: dict[Path, Sequence[int]] = {}
    for kind, number in KINDS.items():
        paths = sorted(folder.glob(kind), key=lambda path: -path.stat().st_size)
        found |= {path: WIDTHS if n < number else EVERY_PAGE for n, path in enumerate(paths)}
    return found


@pytest.mark.parametrize("system", [*SHIPPED, "sixth"])
def test_nothing_is_cut_hidden_or_overprinted(
    system: str, browser: Browser, tmp_path: Path
) -> None:
    library = Library(SIXTH if system == "sixth" else ROOT)
    write_pages(library, system, tmp_path, DOCUMENTS)
    page = browser.new_page()
    pages = pages_of(tmp_path / system)

    assert {path.name for path in pages} >= {
        *("quick-reference.html", "roster.html", "roster-short.html", "cards.html"),
        *("rulebook.html", "index.html", "tables.html", "armies.html"),
    }
    assert set((tmp_path / system).rglob("*.html")) == set(pages)
    wrong = {
        str(path.relative_to(tmp_path)): faults(page, path, widths)
        for path, widths in pages.items()
    }
    wrong = {path: each for path, each in wrong.items() if each}
    assert wrong == {}, wrong
    page.close()


def test_nothing_of_the_index_is_cut(browser: Browser, tmp_path: Path) -> None:
    long = "Das zusammengesetzte Grenadier-Bataillon von und zu Wangenheim"
    files = tuple(
        BuiltFile(f"seven/{kind}.{end}", kind, long, end, "A4", "9 kB", 1)
        for kind, end in (("sheet", "html"), ("cards", "pdf"))
    )
    legal = False
    armies = (ArmyDocuments("large", long, legal, "1234", "1200", 12, files),)
    index = BuildIndex("1", (SystemDocuments("seven", long, "1.0", files, armies),), (long * 4,), 3)
    path = tmp_path / "index.html"
    path.write_text(index_html(TemplateEnvironment(Library(ROOT).templates()), index))
    page = browser.new_page()

    assert faults(page, path) == {}
    page.close()


def test_nothing_of_a_page_of_changes_is_cut(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "changes.html"
    command = [*(sys.executable, "-m", "muster", "diff"), *SHIPPED[:2], "--sheet", str(path)]
    subprocess.run(  # noqa: S603 - our own program
        command, cwd=ROOT, env=plain_environment(), capture_output=True, check=False
    )
    page = browser.new_page()

    assert faults(page, path) == {}
    page.close()


def test_without_scripts_what_is_too_wide_scrolls_and_shows_it(
    browser: Browser, tmp_path: Path
) -> None:
    write_pages(Library(ROOT), SHIPPED[0], tmp_path, ("sheet", "roster"))
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    found = {
        fault.partition(":")[0]
        for path in tmp_path.rglob("*.html")
        for fault in faults(page, path, (1280, 320), scripts=False)
    }

    assert found == {"scrolls under a shadow"}
    context.close()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("<p style='width: 500px'>x</p>", "the page is wider than the window: 508 in 320"),
        (
            "<p style='width: 60px; white-space: nowrap; overflow: hidden'>quite long a word</p>",
            "cut by p: quite long a word",
        ),
        (
            "<p style='width: 60px; white-space: nowrap; overflow: auto'>quite long a word</p>",
            "scrolls: p quite long a word",
        ),
        (
            "<p><span style='float: left; margin-right: -3em'>Succeeds</span>More</p>",
            "overprinted: Succeeds | More",
        ),
        ("<p style='display: none'>Losses</p>", "hidden: Losses"),
        ("<p><b class='tick' style='display: none'></b></p>", "hidden: b.tick"),
        (
            "<p style='width: 60px; overflow: hidden'><img style='width: 80px; height: 9px'>",
            "cut by p: img",
        ),
        (
            "<p style='width: 30px; word-break: break-all'>a name that goes on</p>",
            "squeezed: p a name that goes on",
        ),
        (
            "<table><thead style='position: absolute'><tr><th>Fire<tbody><tr><td>+2</table>",
            "without its head: +2 (Fire)",
        ),
    ],
    ids=["wide", "cut", "scrolls", "over", "hidden", "no box", "cut box", "squeezed", "no head"],
)
def test_what_is_wrong_is_seen(body: str, said: str, browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "bad.html"
    path.write_text(f"<!doctype html><meta charset='utf-8'><main>{body}</main>", encoding="utf-8")
    page = browser.new_page()

    assert said in faults(page, path, (320,))
    page.close()
