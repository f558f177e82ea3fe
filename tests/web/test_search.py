"""Tests in a browser of how search understands what is typed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser

from muster.documents.rulebook import gather_rulebook, read_editions
from muster.documents.website import index_book
from muster.rendering.web_files import search_script
from muster.systems import Library
from tests.web.conftest import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web")]

SCRIPTS = "\n".join(
    (ROOT / "templates" / "web" / name).read_text(encoding="utf-8")
    for name in ("stems.js", "find.js")
)
NUMBER = re.compile(r"^\d+\.\d+ ")
"""The number of a table, which is another one once a table is added before it."""

Search = Callable[[str, str], list[str]]


@pytest.fixture(scope="module")
def search(browser: Browser) -> Search:
    """Return a function that searches a shipped system, for the titles found with their places."""
    page = browser.new_page()
    page.evaluate(SCRIPTS)
    loaded: set[str] = set()

    def search(system: str, text: str) -> list[str]:
        if system not in loaded:
            opened = Library(ROOT).system(system)
            book = gather_rulebook(opened, read_editions(opened)[0])
            page.evaluate(search_script(index_book(book, opened.search_words)))
            page.evaluate(
                """name => {
                  (window.finders = window.finders || {})[name] = musterFinder("en");
                  finders[name].add(musterFinds, musterSynonyms, "");
                  delete window.musterFinds;
                }""",
                system,
            )
            loaded.add(system)
        found: list[str] = page.evaluate(
            "([name, text]) => finders[name].search(text).found.map(f => f.title + ' | ' + f.text)",
            [system, text],
        )
        return found

    return search


@pytest.mark.parametrize(
    ("system", "typed", "first"),
    [
        ("slaughterloo", "countercharge", "Counter-charge"),
        ("slaughterloo", "counter charge", "Counter-charge"),
        ("order-markers", "counter-charge", "Countercharge"),
        ("huzzah", "countercharge", "Engagement modifiers"),
        ("slaughterloo", "how do I rally", "Rallying"),
        ("order-markers", "how do I rally", "Recovery"),
        ("lshm-skirmish", "melee", "Close combat"),
        ("slaughterloo", "hand to hand", "Melee"),
        ("seven-years-war", "who goes first", "Initiative"),
        ("slaughterloo", "28mm", "Base sizes"),
        ("slaughterloo", "kil tabel", "Kill Table"),
        ("slaughterloo", "wheeling", "Wheel, each 45°"),
    ],
)
def test_what_players_type_finds_what_they_mean(
    system: str, typed: str, first: str, search: Search
) -> None:
    title = search(system, typed)[0].partition(" | ")[0]

    assert NUMBER.sub("", title) == first


def test_a_figure_keeps_its_sign(search: Search) -> None:
    found = search("slaughterloo", "+3")

    assert found
    assert all("+3" in each for each in found if "In hard cover" in each)
    assert any(each.startswith("In hard cover") for each in found)
    assert not any(each.startswith("In soft cover") for each in found)
    assert search("slaughterloo", "-4") == search("slaughterloo", "−4")
    assert any(each.startswith("Attacked in rear") for each in search("slaughterloo", "-4"))


def test_a_die_is_found_as_it_is_written(search: Search) -> None:
    found = search("seven-years-war", "d6")

    assert "D6" in found[0]
    assert not any("D60" in each for each in found)


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", ["rally", "rallies", "rallied", "rallying"]),
        ("en", ["charge", "charges", "charged", "charging"]),
        ("en", ["halt", "halting", "halted"]),
        ("de", ["einheit", "einheiten"]),
        ("de", ["regel", "regeln"]),
        ("fr", ["cheval", "chevaux"]),
        ("fr", ["figurine", "figurines"]),
    ],
)
def test_forms_of_a_word_share_a_stem(language: str, forms: list[str], browser: Browser) -> None:
    page = browser.new_page()
    page.evaluate(SCRIPTS)
    stems = page.evaluate(f"{json.dumps(forms)}.map(window.musterLanguages[{language!r}].stem)")
    page.close()

    assert len(set(stems)) == 1, stems


def test_other_words_keep_a_stem_of_their_own(browser: Browser) -> None:
    page = browser.new_page()
    page.evaluate(SCRIPTS)
    words = ["form", "formation", "general", "fire", "officer", "press", "class", "bus"]
    stems = page.evaluate(f"{json.dumps(words)}.map(window.musterLanguages.en.stem)")
    page.close()

    assert len(set(stems)) == len(words)
    assert stems[5:7] == ["press", "class"]
