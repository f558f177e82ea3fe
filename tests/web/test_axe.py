"""Test in a browser that axe-core finds nothing, of any level, on pages of every kind.

Contrast takes three quarters of the time, and only colours depend on the scheme: so either scheme
has its colours looked at on some screens, and all else is looked at on all of them.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page

from muster.building.jobs import Job
from muster.building.web_edition import is_in_index
from muster.cli.program import program
from muster.documents.index_page import ArmyDocuments, BuildIndex, BuiltFile, SystemDocuments
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.plain_pages import index_html
from muster.systems import Library
from tests.plans import make_plan
from tests.web.conftest import ROOT, Look, Site, violations, write_pages

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web")]

SCREENS: list[Look] = [(320, "light", True), (768, "light", False), (1920, "dark", True)]
LONG: list[Look] = [(320, "light", False), (768, "dark", True), (1920, "light", False)]
COLOURS: list[Look] = [(320, "light", True), (320, "dark", True)]
LOOKS: dict[str, list[Look]] = {
    "huzzah": [
        *((360, "light", True), (768, "light", False)),
        *((1280, "dark", True), (1920, "dark", False)),
    ],
    "seven-years-war": [(320, "dark", True), (1280, "light", True)],
}
"""How a page of every kind of a web edition is looked at."""

SYSTEM = "seven-years-war"
DOCUMENTS = ("sheet", "cards", "roster", "rulebook", "book", "tokens")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the pages of a system and of its translation, but no web edition."""
    out = tmp_path_factory.mktemp("built")
    write_pages(Library(ROOT), SYSTEM, out, DOCUMENTS)
    return out / SYSTEM


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Return a page without a network."""
    context = browser.new_context(offline=True)
    yield context.new_page()
    context.close()


def findings(page: Page, name: str, looks: Iterable[Look]) -> dict[str, list[str]]:
    """Return what axe-core finds on the page that is open, by its name, width and scheme."""
    told = {}
    for width, scheme, contrast in looks:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        told[f"{name} {width} {scheme}"] = violations(page, contrast=contrast)
    return {place: each for place, each in told.items() if each}


def kinds(folder: Path) -> list[Path]:
    """Return a page of every kind: the longest chapter, a legal army and an illegal one."""
    chapters = sorted(folder.glob("chapter-*.html"), key=lambda path: path.stat().st_size)
    armies = [folder / f"army-{name}.html" for name in ("typical", "illegal")]
    others = ["index", "settle", "tables", "glossary", "terms", "errata", "armies"]
    return [*(folder / f"{name}.html" for name in others), chapters[-1], *armies]


@pytest.mark.parametrize("system", LOOKS)
def test_axe_finds_nothing_in_a_web_edition(system: str, site: Site, page: Page) -> None:
    told: dict[str, list[str]] = {}
    for path in kinds(site(system)):
        page.goto(path.as_uri())
        told |= findings(page, path.name, LOOKS[system])

    assert told == {}


def test_axe_finds_nothing_in_any_page_in_german(site: Site, page: Page) -> None:
    folder = site(SYSTEM).parent / "web-de"
    told: dict[str, list[str]] = {}
    for path in sorted(folder.glob("*.html")):
        page.goto(path.as_uri())
        told |= findings(page, path.name, [(320, "light", False)])

    assert told == {}


@pytest.mark.parametrize(
    "name",
    [
        *("quick-reference.html", "armies/typical/quick-reference-de.html", "rulebook.html"),
        *("armies/small/roster.html", "armies/illegal/roster-de.html"),
        *("armies/small/roster-short.html", "armies/small/cards.html"),
        *("books/prussia.html", "tokens.html"),
    ],
)
def test_axe_finds_nothing_in_a_document(name: str, built: Path, page: Page) -> None:
    page.goto((built / name).as_uri())

    assert findings(page, name, LONG if name == "rulebook.html" else SCREENS) == {}


def test_axe_finds_nothing_in_what_changed(page: Page, tmp_path: Path) -> None:
    folder = ROOT / "content" / "huzzah"
    older = tmp_path / "huzzah"
    shutil.copytree(folder, older)
    for path in older.glob("tables/*.yaml"):
        path.write_text(re.sub(r"\+1\b", "+2", path.read_text("utf-8")), encoding="utf-8")
    sheet = tmp_path / "changes.html"
    CliRunner().invoke(program, ["diff", str(older), str(folder), "--sheet", str(sheet)])
    page.goto(sheet.as_uri())

    assert page.locator("ins").count() > 3
    assert findings(page, "changes", SCREENS) == {}


def listed(jobs: Sequence[Job], army: str) -> tuple[BuiltFile, ...]:
    """Return the files of an army, or of a system by itself, as an index lists them."""
    return tuple(
        BuiltFile(job.path, job.kind, job.title, "html", "", "9 kB", 1)
        for job in jobs
        if job.army == army and is_in_index(job.path, job.kind)
    )


@pytest.fixture
def index(site: Site) -> Path:
    """Return the index of the web editions of two systems, beside them."""
    systems = ("huzzah", SYSTEM)
    folders = [site(system) for system in systems]
    plan = make_plan(Library(ROOT), systems, ("web", "roster"), ["html"])
    parts = []
    for system in plan.systems:
        jobs = [job for job in plan.jobs if job.system == system.id]
        armies = tuple(
            ArmyDocuments(
                *(army.id, army.name, army.legal, army.points, army.limit, army.findings),
                listed(jobs, army.id),
            )
            for army in plan.armies
            if army.system == system.id
        )
        own = listed(jobs, "")
        parts.append(SystemDocuments(system.id, system.title, system.edition, own, armies))
    path = folders[0].parents[1] / "index.html"
    templates = TemplateEnvironment(Library(ROOT).templates())
    html = index_html(templates, BuildIndex("1", tuple(parts), ("What is lacking.",), 2))
    path.write_text(html, encoding="utf-8")
    return path


def test_axe_finds_nothing_in_the_index_and_in_the_search_of_all_games(
    index: Path, page: Page
) -> None:
    page.goto(index.as_uri())
    told = findings(page, "index", SCREENS)
    page.fill("#filter", "melee")
    page.wait_for_selector("#results .title")

    assert len(set(page.locator("#results .where").all_inner_texts())) > 1
    told |= findings(page, "results", SCREENS)
    page.fill("#filter", "xyzzyqwv")
    assert page.locator("#nothing").is_visible()
    assert told | findings(page, "nothing", COLOURS) == {}


def test_axe_finds_nothing_in_what_search_shows(site: Site, page: Page) -> None:
    page.goto((site("slaughterloo") / "glossary.html").as_uri())
    page.keyboard.press("/")
    page.keyboard.type("melee")
    page.wait_for_selector("#results .title")

    assert findings(page, "results", [*COLOURS, (1280, "light", False)]) == {}


def test_axe_finds_nothing_in_what_explains_a_term(site: Site, page: Page) -> None:
    page.goto((site("slaughterloo") / "chapter-morale.html").as_uri())
    page.locator("main a[href^='glossary.html']").first.click()

    assert page.locator(".explained").is_visible()
    assert findings(page, "term", COLOURS) == {}


def test_axe_sees_what_is_wrong(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "bad.html"
    path.write_text("<html lang='en'><title>a</title><img src='data:,'>", encoding="utf-8")
    page.goto(path.as_uri())

    assert any(each.startswith("image-alt") for each in violations(page))
