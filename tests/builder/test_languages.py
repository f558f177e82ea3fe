"""Test that the list builder speaks the reader's language, in Chromium and from its folder."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from muster.documents.builder_tables import gather_builder_tables
from muster.rendering.builder_files import said_words
from tests.builder.conftest import ROOT, Translated, library
from tests.languages.catalogues import builder_scripts
from tests.web.conftest import write_builder

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("builder-page")]

ILLEGAL = ROOT / "armies" / "slaughterloo" / "illegal.yaml"
LONG = 4
"""The least letters of English words that cannot be the same in German or French by chance."""

SHOWN = """() => [...document.querySelectorAll("body *")].flatMap((each) => [
  ...[...each.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data),
  ...["aria-label", "placeholder", "data-label"].map((name) => each.getAttribute(name) ?? ""),
])"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a list builder of all shipped systems."""
    return write_builder(library(), tmp_path_factory.mktemp("builder"))


def opened(browser: Browser, home: Path, locale: str) -> Page:
    page = browser.new_context(locale=locale).new_page()
    page.goto((home / "index.html").as_uri())
    page.wait_for_selector(".home select")
    return page


def words_of(home: Path, language: str) -> dict[str, str | list[str]]:
    """Return the English messages of the page, with their words in a language."""
    text = (home / f"words-{language}.js").read_text(encoding="utf-8")
    found: dict[str, str | list[str]] = json.loads(
        text.partition(f").{language} = ")[2].strip().rstrip(";")
    )
    return found


def english_left(page: Page, words: dict[str, str | list[str]]) -> set[str]:
    """Return the texts of the page that are an English message of the scripts, or begin as one."""
    patterns = {
        message: re.compile(
            r"\{\w+\}".join(map(re.escape, re.split(r"\{\w+\}", message))).replace(r"\{\w+\}", ".+")
        )
        for message, translated in words.items()
        if message not in ([translated] if isinstance(translated, str) else translated)
        and len(re.sub(r"\{\w+\}|\W", "", message)) >= LONG
    }
    other = {
        each for said in words.values() for each in ([said] if isinstance(said, str) else said)
    }
    return {
        text
        for shown in page.evaluate(SHOWN)
        if (text := shown.strip()) and text not in other
        for pattern in patterns.values()
        if pattern.fullmatch(text)
    }


@pytest.mark.parametrize(
    ("language", "heading", "legal"),
    [("de", "Eigene Listen", "Nicht zulässig"), ("fr", "Vos listes", "Non conforme")],
)
def test_no_english_word_of_the_page_is_left(
    browser: Browser, home: Path, language: str, heading: str, legal: str
) -> None:
    words = words_of(home, language)
    # The words of a system are its own.
    own = "".join(
        each.read_text(encoding="utf-8") for each in home.glob("systems/slaughterloo*.js")
    )
    page = opened(browser, home, f"{language}-{language.upper()}")
    expect(page.get_by_role("heading", name=heading)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", language)
    left = english_left(page, words)
    page.set_input_files("input[type=file]", ILLEGAL)
    page.wait_for_selector(".finding")
    expect(page.locator(".told")).to_contain_text(legal)
    page.locator('.tree .node [data-key$=" name"]').last.click()
    page.wait_for_selector(".fixes button")
    left |= english_left(page, words)
    page.locator('[data-key*=" add "].main').first.click()
    page.wait_for_selector("dialog .units .good, dialog .units .bad")
    left |= english_left(page, words)
    page.keyboard.press("Escape")
    for view in ("roster", "cards", "play", "share"):
        page.locator(f'nav a[href$="/{view}"]').click()
        page.wait_for_selector(f'a[href$="/{view}"][aria-current=page]')
        left |= english_left(page, words)
    page.goto((home / "index.html").as_uri() + "#event")
    page.wait_for_selector(".organiser")
    left |= english_left(page, words)

    assert {text for text in left if f'"{text}"' not in own} == set()


def test_an_english_word_that_is_left_is_found(browser: Browser, home: Path) -> None:
    page = opened(browser, home, "en-GB")

    assert {"Your lists", "New list"} <= english_left(page, words_of(home, "de"))


def test_the_language_that_was_chosen_stays(browser: Browser, home: Path) -> None:
    page = opened(browser, home, "en-GB")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_label("Language").select_option(label="Français")
    expect(page.get_by_role("heading", name="Vos listes")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Vos listes")).to_be_visible()
    page.get_by_label("Langue").select_option(label="English")
    expect(page.get_by_role("heading", name="Your lists")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Your lists")).to_be_visible()


def test_a_language_without_words_is_english(browser: Browser, home: Path) -> None:
    page = opened(browser, home, "ja-JP")

    expect(page.get_by_role("heading", name="Your lists")).to_be_visible()


LABELS = """
system: seven-years-war
book: {book}
commander: {{ability: {ability}}}
commands:
  - general: {{name: Zieten, training: {training}, psychology: {psychology}}}
    groups:
      - units:
          - {{unit: {unit}, stands: 4, options: [{option}]}}
"""
ENGLISH = {
    "book": "Prussia",
    "ability": "Competent",
    "training": "Cavalry",
    "psychology": "Brave",
    "unit": "Medium infantry",
    "option": "Well drilled",
}
GERMAN = {
    "book": "Preußen",
    "ability": "Fähig",
    "training": "Kavallerie",
    "psychology": "Tapfer",
    "unit": "Mittlere Infanterie",
    "option": "Gut gedrillt",
}


@pytest.mark.parametrize("labels", [ENGLISH, GERMAN], ids=["english", "german"])
def test_rules_are_in_the_language_that_was_chosen(
    labels: dict[str, str], browser: Browser, home: Path, tmp_path: Path
) -> None:
    path = tmp_path / "list.yaml"
    path.write_text(LABELS.format(**labels), encoding="utf-8")
    page = opened(browser, home, "de-DE")
    expect(page.get_by_role("option", name="Siebenjähriger Krieg")).to_have_count(1)
    page.set_input_files("input[type=file]", path)
    page.wait_for_selector(".tree")

    expect(page.locator(".tree")).to_contain_text("Mittlere Infanterie")
    expect(page.locator(".verdict")).to_contain_text("Ein Kavalleriegeneral gilt bei Infanterie")
    expect(page.locator(".verdict .rule")).to_contain_text("Führung")
    # What is kept, shared and downloaded is the same in every language.
    kept = page.evaluate("Muster.app.list")
    assert kept["commands"][0]["groups"][0]["units"][0]["unit"] == "medium-infantry"
    assert kept["book"] == "prussia"
    page.locator('nav a[href$="/play"]').click()
    expect(page.locator("details.table").first).to_be_visible()
    titles = page.locator("details.table summary").all_inner_texts()
    german = json.loads(gather_builder_tables(Translated("de").system("seven-years-war")).data)
    assert titles
    assert {text.split("\n")[0] for text in titles} & {each["title"] for each in german["tables"]}


def test_a_translation_is_loaded_only_when_it_is_chosen(browser: Browser, home: Path) -> None:
    page = opened(browser, home, "en-GB")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.set_input_files("input[type=file]", ROOT / "armies/seven-years-war/typical.yaml")
    page.locator('nav a[href$="/cards"]').click()
    page.wait_for_selector(".unit-card")
    assert [name for name in asked if ".de." in name] == []
    page.locator("a.back").click()
    page.get_by_label("Language").select_option(label="Deutsch")
    page.locator(".lists a").click()
    expect(page.locator(".tree")).to_contain_text("Leichte Infanterie")

    assert "seven-years-war.de.js" in asked


def test_rules_whose_translation_is_missing_stay_in_their_own_words(
    browser: Browser, home: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "builder"
    shutil.copytree(home, folder)
    for each in folder.glob("systems/*.de.*"):
        each.unlink()
    page = opened(browser, folder, "de-DE")
    page.set_input_files("input[type=file]", ROOT / "armies/seven-years-war/typical.yaml")
    page.wait_for_selector(".tree")

    expect(page.locator(".tree")).to_contain_text("Light infantry")
    page.locator('nav a[href$="/cards"]').click()
    expect(page.locator(".unit-card").first).to_be_visible()


def test_numbers_have_the_mark_of_the_language_but_files_a_point(
    browser: Browser, home: Path
) -> None:
    page = opened(browser, home, "de-DE")
    page.set_input_files("input[type=file]", ROOT / "armies/seven-years-war/typical.yaml")
    page.wait_for_selector(".tree")
    row = page.locator('[data-key="army limit"]')
    if not row.is_visible():
        page.locator('[data-key="army name"]').click()
    row.fill("300.5")

    expect(page.locator(".total")).to_contain_text("von 300,5 Punkten")
    assert page.evaluate("Muster.app.list.limit") == "300.5"


def test_german_labels_beside_one_another_have_no_comma(browser: Browser, home: Path) -> None:
    page = opened(browser, home, "de-DE")
    page.set_input_files("input[type=file]", ROOT / "armies/seven-years-war/typical.yaml")
    page.wait_for_selector(".tree")
    details = page.locator(".tree .details").all_inner_texts()

    assert any("Gut gedrillt · Hohe Moral" in each for each in details), details
    assert not [each for each in details if ", " in each]
    page.close()


@pytest.mark.parametrize("language", ["de", "fr"])
def test_file_of_words_has_every_message_of_the_scripts(home: Path, language: str) -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in builder_scripts())

    assert set(words_of(home, language)) == {message[0] for message in said_words(text)}


@pytest.mark.parametrize("language", ["de", "fr"])
@pytest.mark.parametrize("width", [320, 360])
def test_longer_words_make_the_page_no_wider_than_a_phone(
    browser: Browser, home: Path, language: str, width: int
) -> None:
    page = opened(browser, home, f"{language}-{language.upper()}")
    page.set_viewport_size({"width": width, "height": 640})
    page.set_input_files("input[type=file]", ILLEGAL)
    page.wait_for_selector(".finding")

    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()
