"""Tests in a browser of the filter on the index of a build."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from muster.documents.index_page import ArmyDocuments, BuildIndex, BuiltFile, SystemDocuments
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.plain_pages import index_html
from muster.systems import Library
from tests.web.conftest import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web")]


def file(path: str, kind: str, title: str) -> BuiltFile:
    return BuiltFile(path, kind, title, path.rpartition(".")[2], "", "9 kB", 1)


def army(system: str, key: str, name: str, *, legal: bool) -> ArmyDocuments:
    folder = f"{system}/armies/{key}"
    files = (
        file(f"{folder}/roster.html", "roster", "Roster"),
        file(f"{folder}/cards.pdf", "cards", "Unit cards"),
    )
    return ArmyDocuments(key, name, legal, "100", "120", 0, files)


def system(key: str, title: str, *armies: ArmyDocuments) -> SystemDocuments:
    german = [file(f"{key}/web-de/index.html", "web", "Web edition")] if armies else []
    files = (
        file(f"{key}/quick-reference.html", "sheet", "Quick reference"),
        file(f"{key}/rulebook.pdf", "rulebook", "The whole rules"),
        file(f"{key}/web/index.html", "web", "Web edition"),
        *german,
    )
    return SystemDocuments(key, title, "1.0", files, armies)


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Page:
    """The index of two systems, one of which has armies, opened at the width of a telephone."""
    armies = (
        army("seven", "typical", "The advance guard", legal=True),
        army("seven", "odd", "What not to do", legal=False),
    )
    parts = (system("seven", "Seven years", *armies), system("other", "Other rules"))
    templates = TemplateEnvironment(Library(ROOT).templates())
    path = tmp_path_factory.mktemp("index") / "index.html"
    path.write_text(index_html(templates, BuildIndex("1", parts, ())), encoding="utf-8")
    opened = browser.new_page(viewport={"width": 320, "height": 800})
    opened.goto(path.as_uri())
    return opened


def found(page: Page, words: str) -> list[str]:
    """Return the files that stay when words are typed, and check that their headings do too."""
    page.fill("#filter", words)
    for part in page.query_selector_all("[data-group]"):
        assert part.is_visible() == any(each.is_visible() for each in part.query_selector_all("li"))
    links = [each for each in page.query_selector_all(".files a") if each.is_visible()]
    return [str(each.get_attribute("href")) for each in links]


OTHER = [f"other/{name}" for name in ("quick-reference.html", "web/index.html", "rulebook.pdf")]
ODD = [f"seven/armies/odd/{name}" for name in ("roster.html", "cards.pdf")]
TYPICAL = [f"seven/armies/typical/{name}" for name in ("roster.html", "cards.pdf")]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("typical", TYPICAL),
        ("Advance", TYPICAL),
        ("illegal", ODD),
        ("sheet", ["seven/quick-reference.html", "other/quick-reference.html"]),
        ("other", OTHER),
        ("years cards odd", [ODD[1]]),
        ("pdf rules", ["seven/rulebook.pdf", "other/rulebook.pdf"]),
        ("army list", [TYPICAL[0], ODD[0]]),
        ("card", [TYPICAL[1], ODD[1]]),
        ("card deck", [TYPICAL[1], ODD[1]]),
        ("browser edition", []),
        ("howitzer", []),
    ],
)
def test_files_are_found_by_system_army_and_kind(
    words: str, expected: list[str], page: Page
) -> None:
    assert found(page, words) == expected
    assert page.inner_text("#hits") == f"{len(expected)} of 11 documents"


def test_files_to_print_and_armies_are_folded_until_they_are_sought(page: Page) -> None:
    page.press("#filter", "Escape")
    shown = [each.get_attribute("href") for each in page.locator(".files a:visible").all()]
    assert shown == [
        *("seven/quick-reference.html", "seven/web/index.html", "seven/web-de/index.html"),
        *("other/quick-reference.html", "other/web/index.html"),
    ]

    assert found(page, "typical") == TYPICAL
    page.press("#filter", "Escape")
    assert page.locator("details[open]").count() == 0


def test_links_at_the_top_lead_to_each_game(page: Page) -> None:
    links = page.locator(".games a")

    assert links.all_inner_texts() == ["Seven years", "Other rules"]
    for link in links.all():
        assert page.locator(f"h2{link.get_attribute('href')}").count() == 1


def test_what_no_document_is_called_is_told(page: Page) -> None:
    nothing = page.locator("#nothing")
    found(page, "typical")
    assert nothing.is_hidden()
    found(page, "square & column")

    assert nothing.is_visible()
    page.press("#filter", "Escape")
    assert nothing.is_hidden()


def test_the_rules_of_all_games_are_searched(page: Page) -> None:
    folder = Path(page.url.removeprefix("file://")).parent
    for key, same in (("seven", [["melee", "brawl"]]), ("other", [])):
        finds = [["section", f"Melee of {key}", "Fighting", "chapter-fighting.html#melee", "", ""]]
        script = f"window.musterSynonyms = {same}; window.musterFinds = {json.dumps(finds)};"
        (folder / key / "web").mkdir(parents=True)
        (folder / key / "web" / "finds-book.js").write_text(script, encoding="utf-8")
    page.reload()
    results = page.locator("#results a")
    page.fill("#filter", "melee")
    page.wait_for_selector("#results .title")

    assert [each.get_attribute("href") for each in results.all()] == [
        f"{key}/web/chapter-fighting.html#melee" for key in ("seven", "other")
    ]
    where = page.locator("#results .where").all_inner_texts()
    assert [each.strip() for each in where] == ["Seven years > Fighting", "Other rules > Fighting"]
    assert page.locator("#nothing").is_hidden()
    assert not page.inner_text("#hits")
    page.fill("#filter", "brawl")
    assert page.locator("#results .title").all_inner_texts() == ["Melee of seven"]
    assert page.locator("#found").inner_text() == "1 place in the rules"
    page.press("#filter", "Escape")


def test_documents_that_are_called_so_come_before_the_rules(page: Page) -> None:
    folder = Path(page.url.removeprefix("file://")).parent
    finds = [["section", "Roster", "Cards", "chapter-cards.html", "Of armies and howitzers.", ""]]
    (folder / "other" / "web").mkdir(parents=True, exist_ok=True)
    script = f"window.musterFinds = {json.dumps(finds)};"
    (folder / "other" / "web" / "finds-book.js").write_text(script, encoding="utf-8")
    page.reload()
    page.fill("#filter", "howitzer")
    page.wait_for_selector("#results .title")

    def rules_come_first() -> bool:
        first: bool = page.evaluate(
            "document.querySelector('main').firstElementChild.matches('.rules')"
        )
        return first

    assert rules_come_first()
    found(page, "roster")
    assert not rules_come_first()
    assert page.locator("#found").inner_text() == "1 place in the rules"
    assert page.inner_text("#hits") == "2 of 11 documents"
    found(page, "illegal")
    assert rules_come_first()
    assert not page.inner_text("#found")
    page.press("#filter", "Escape")


def test_what_a_game_does_not_say_is_looked_for_in_all(page: Page) -> None:
    index = page.url.partition("#")[0]
    page.goto("about:blank")
    page.goto(f"{index}#find=advance%20guard")

    assert page.input_value("#filter") == "advance guard"
    links = [each.get_attribute("href") for each in page.locator(".files a:visible").all()]
    assert links == TYPICAL
    page.goto("about:blank")
    page.goto(index)


def test_rules_in_another_language_are_searched_in_it(page: Page) -> None:
    folder = Path(page.url.removeprefix("file://")).parent
    for name, language, title in (
        ("web", "en", "Squares"),
        ("web-de", "de", "Karree und squares"),
    ):
        finds = [["section", title, "Formen", "chapter-forms.html", "", ""]]
        script = f"window.musterLanguage = '{language}'; window.musterFinds = {json.dumps(finds)};"
        (folder / "seven" / name).mkdir(parents=True, exist_ok=True)
        (folder / "seven" / name / "finds-book.js").write_text(script, encoding="utf-8")
    page.reload()
    results = page.locator("#results a")
    page.fill("#filter", "Karrees")
    page.wait_for_selector("#results .title")

    assert [each.get_attribute("href") for each in results.all()] == [
        "seven/web-de/chapter-forms.html"
    ]
    assert results.first.get_attribute("lang") == "de"
    page.fill("#filter", "squares")
    assert page.locator("#results .title").all_inner_texts() == ["Squares", "Karree und squares"]
    page.press("#filter", "Escape")


def test_everything_comes_back_when_the_field_is_emptied(page: Page) -> None:
    found(page, "howitzer")

    page.press("#filter", "Escape")

    assert all(each.is_visible() for each in page.query_selector_all(".lead > .screens > li"))
    assert page.locator("[data-block][hidden], [data-group][hidden]").count() == 0
    assert not page.inner_text("#hits")
