"""Test what the web edition's search finds: each place once, with where it is."""

from __future__ import annotations

from collections import Counter

import pytest

from muster.documents.rulebook import gather_rulebook, read_editions
from muster.documents.website import (
    ChapterPage,
    SearchIndex,
    gather_frame,
    gather_site,
    index_book,
)
from muster.rendering.web_files import search_script
from muster.systems import Library
from tests.web.conftest import ROOT


@pytest.fixture(scope="module")
def index() -> SearchIndex:
    """The search index of the sixth system, which has everything there is."""
    system = Library(ROOT / "tests" / "sixth").system("sixth")
    words = system.search_words
    assert words is not None
    return index_book(
        gather_rulebook(system, read_editions(system)[0]), words.groups("en"), words.examples
    )


def test_each_place_is_found_once(index: SearchIndex) -> None:
    places = Counter(
        (each.address, each.title, each.text) for each in index.found if each.kind != "row"
    )

    rows = Counter(
        (each.address, each.where, each.title, each.text)
        for each in index.found
        if each.kind == "row"
    )

    assert [place for place, number in (places | rows).items() if number > 1] == []
    assert {each.kind for each in index.found} == {
        *("about", "section", "example", "question", "table", "figure", "row", "term", "erratum")
    }


def test_words_of_the_printed_index_lead_to_the_section_and_are_no_places(
    index: SearchIndex,
) -> None:
    named = [each for each in index.found if "turn" in each.keys.split()]

    assert [each.kind for each in named] == ["section"]
    assert not any(each.where == "Index" for each in index.found)


def test_a_place_says_in_which_chapter_and_section_it_is(index: SearchIndex) -> None:
    where = {(each.kind, each.title): each.where for each in index.found}

    assert where["section", "The bow"] == "Loosing and striking"
    assert where["row", "Sling"].startswith("Loosing and striking > The bow > ")
    assert all(each.where for each in index.found)


def test_sections_of_examples_and_errata_are_told_from_rules(index: SearchIndex) -> None:
    kinds = {each.where: each.kind for each in index.found if each.where.startswith("Chapter ")}

    assert kinds["Chapter 4"] == "section"
    assert kinds["Chapter 5"] == "example"
    assert kinds["Chapter 6"] == "erratum"


def test_what_players_settle_is_found(index: SearchIndex) -> None:
    questions = [each for each in index.found if each.kind == "question"]

    assert questions
    assert all(each.title.endswith("?") for each in questions)
    assert all(each.address.startswith("settle.html#q-") for each in questions)


def test_a_table_is_found_by_the_labels_of_its_rows(index: SearchIndex) -> None:
    sling = next(each for each in index.found if each.kind == "row" and each.title == "Sling")
    address = sling.address.replace("#r-", "#t-").rpartition("-")[0]
    (table,) = [each for each in index.found if each.kind == "table" and each.address == address]

    assert "Sling" in table.keys


def test_a_row_that_explains_a_term_is_found_as_the_term(index: SearchIndex) -> None:
    (glow,) = [each for each in index.found if each.title == "Glow"]

    assert glow.kind == "term"
    assert "Lit ground around a lamp or ward." in glow.text


def test_synonyms_go_with_the_index(index: SearchIndex) -> None:
    assert ("moth riders", "flyers") in index.synonyms
    script = search_script(index)
    assert script.startswith('window.musterSynonyms = [["moth riders", "flyers"]')
    assert "musterSynonyms" not in search_script(SearchIndex(index.found))


def test_a_figure_is_found_once_by_what_its_drawings_are_called() -> None:
    system = Library(ROOT).system("slaughterloo")
    found = index_book(gather_rulebook(system, read_editions(system)[0])).found
    (status,) = [each for each in found if each.title.endswith("Status shown by figures")]

    assert status.kind == "figure"
    assert status.text.count("Good order") == status.text.count("Routing") == 1
    assert not any(each.where.endswith("Status shown by figures") for each in found)


def test_no_head_is_found_that_no_page_shows(index: SearchIndex) -> None:
    steps = [each for each in index.found if each.kind == "row" and "The turn" in each.where]

    assert any("The captain calls" in each.text for each in steps)
    assert not any("What happens" in each.text for each in steps)


def test_a_chapter_brings_what_explains_its_terms_and_errata() -> None:
    system = Library(ROOT).system("slaughterloo")
    edition = read_editions(system)[0]
    site = gather_site(gather_frame(system, edition), gather_rulebook(system, edition))
    chapters = [page for page in site.pages if isinstance(page, ChapterPage)]
    (morale,) = [page for page in chapters if page.passage.id == "morale"]
    titles = [each.title for each in morale.explanations]

    assert "Casualty marker" in titles
    assert any(title.startswith("Erratum") for title in titles)
    assert "Militia infantry" not in titles
