"""Tests in a browser of how search understands what is typed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser

from muster.documents.rulebook import gather_rulebook, read_editions
from muster.documents.website import index_book
from muster.languages import speaking
from muster.rendering.web_files import search_script
from muster.systems import Library
from tests.web.conftest import ROOT
from tests.web.questions import QUESTIONS

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web")]

SCRIPTS = "\n".join(
    (ROOT / "templates" / "web" / name).read_text(encoding="utf-8")
    for name in ("stems.js", "find.js")
)
NUMBER = re.compile(r"^\d+\.\d+ ")
"""The number of a table, which is another one once a table is added before it."""

Search = Callable[..., list[str]]


@pytest.fixture(scope="module")
def search(browser: Browser) -> Search:
    """Return a function that searches a shipped system, for the titles found with their texts."""
    page = browser.new_page()
    page.evaluate(SCRIPTS)
    loaded: set[str] = set()

    def search(system: str, text: str, language: str = "en") -> list[str]:
        name = f"{system} {language}"
        if name not in loaded:
            opened = Library(ROOT).system(system).in_language(language)
            words = opened.search_words
            with speaking(language):
                book = gather_rulebook(opened, read_editions(opened)[0])
                page.evaluate(
                    search_script(index_book(book, words.groups(language), words.examples))
                )
            page.evaluate(
                """([name, language]) => {
                  (window.finders = window.finders || {})[name] = musterFinder(language);
                  finders[name].add(musterFinds, musterSynonyms, "");
                  delete window.musterFinds;
                }""",
                [name, language],
            )
            loaded.add(name)
        found: list[str] = page.evaluate(
            "([name, text]) => finders[name].search(text).found.map(f => f.title + ' | ' + f.text)",
            [name, text],
        )
        return found

    return search


def titles(found: list[str]) -> list[str]:
    """Return the titles of what was found, without the numbers of tables and with plain spaces."""
    plain = (each.partition(" | ")[0].replace("’", "'") for each in found)
    return [NUMBER.sub("", re.sub(r"\s", " ", title)) for title in plain]


@pytest.mark.parametrize(("system", "language"), QUESTIONS)
def test_the_answer_is_among_the_first_three(system: str, language: str, search: Search) -> None:
    missed = {}
    for typed, right in QUESTIONS[system, language].items():
        found = titles(search(system, typed, language))[:3]
        if not {*right} & {*found}:
            missed[typed] = found

    assert missed == {}


def test_the_answer_is_mostly_the_first(search: Search) -> None:
    asked = [(*where, *each) for where, some in QUESTIONS.items() for each in some.items()]
    first = sum(
        titles(search(system, typed, language))[0] in right
        for system, language, typed, right in asked
    )

    assert first / len(asked) > 0.85


def test_a_figure_keeps_its_sign(search: Search) -> None:
    found = search("slaughterloo", "+3")

    assert found
    assert all("+3" in each for each in found if "In hard cover" in each)
    assert any(each.startswith("In hard cover") for each in found)
    assert not any(each.startswith("In soft cover") for each in found)
    assert search("slaughterloo", "-4") == search("slaughterloo", "−4")
    assert any(each.startswith("Attacked in rear") for each in search("slaughterloo", "-4"))


def test_a_number_is_found_with_its_unit_only(search: Search) -> None:
    assert search("seven-years-war", "28mm") == search("seven-years-war", "28 mm") == []
    assert search("seven-years-war", "28 cm")
    assert search("slaughterloo", "15mm") == []
    assert search("slaughterloo", "15 cm")


def test_a_die_is_found_as_players_of_the_language_write_it(search: Search) -> None:
    german = search("seven-years-war", "W6", "de")

    # The errata quote the source, which says D6.
    assert sum("W6" in each for each in german) > 20
    assert sorted(german) == sorted(search("seven-years-war", "d6", "de"))


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
