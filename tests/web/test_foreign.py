"""Tests of the marks on words of a translated web edition that are not in its language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from muster.documents.foreign import ForeignWords
from muster.documents.rulebook import gather_rulebook, read_editions
from muster.documents.website import make_searchable
from muster.rendering.dispatch import RenderOptions, render_document
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.prose_html import mark_foreign
from muster.systems import Library
from tests.web.conftest import ROOT, Site, write_pages

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web")]

FOREIGN = ForeignWords("en", ("Light Horse, 2 cm", "light"), ("Melee factor",))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>light</p>", '<p><span lang="en">light</span></p>'),
        (
            "<p><i>Wie gedruckt</i> light</p>",
            '<p><i>Wie gedruckt</i> <span lang="en">light</span></p>',
        ),
        ("<p>Light Horse, 2\u202fcm</p>", '<p><span lang="en">Light Horse, 2\u202fcm</span></p>'),
        ("<p>in light cover</p>", "<p>in light cover</p>"),
        ("<p>als „Melee factor“ da</p>", '<p>als „<span lang="en">Melee factor</span>“ da</p>'),
        ('<p title="„Melee factor“">x</p>', '<p title="„Melee factor“">x</p>'),
    ],
)
def test_texts_and_quotes_are_marked_where_they_stand(html: str, expected: str) -> None:
    page = "<title>light</title><main>{}</main><p>light</p>"

    assert mark_foreign(page.format(html), FOREIGN) == page.format(expected)


def test_german_pages_say_which_words_are_english(site: Site) -> None:
    folder = site("seven-years-war").parent / "web-de"

    def marked(name: str) -> list[str]:
        page = (folder / f"{name}.html").read_text(encoding="utf-8")
        return re.findall(r'<span lang="en">([^<]*)</span>', page)

    assert {"poorly drilled", "Light Infantry and Cavalry", "combat value"} <= {*marked("errata")}
    assert "Melee factor" in marked("chapter-introduction")
    assert {"Advance guard in Silesia", "Horse of the right wing"} <= {*marked("army-typical")}
    assert "Outpost on the Elbe" in marked("armies")
    assert "Leichte Infanterie" not in marked("army-typical")
    assert not any(re.search("[äöüß]|„", words) for words in marked("errata"))


def test_german_roster_and_cards_say_what_the_army_file_says_in_english(tmp_path: Path) -> None:
    write_pages(Library(ROOT), "seven-years-war", tmp_path, ("cards", "roster"))
    armies = tmp_path / "seven-years-war" / "armies" / "typical"

    def marked(name: str) -> list[str]:
        page = (armies / name).read_text(encoding="utf-8")
        return re.findall(r'<span lang="en">([^<]*)</span>', page)

    names = ["Advance guard in Silesia", "Horse of the right wing", "Horse guns"]
    assert marked("roster-de.html")[:3] == names
    assert "Leichte Infanterie" not in marked("roster-de.html")
    assert marked("cards-de.html") == names[:1]
    assert marked("roster.html") == []


def test_german_book_on_one_page_says_so_too() -> None:
    system = Library(ROOT).system("seven-years-war")
    german = next(each for each in read_editions(system) if each.language == "de")
    templates = TemplateEnvironment(Library(ROOT).templates())
    book = make_searchable(gather_rulebook(system, german))
    way = RenderOptions("rulebook", "html")
    page = render_document(templates, way, book, {}).data.decode()

    assert '</i> <span lang="en">poorly drilled</span></p>' in page
    assert '„<span lang="en">Melee factor</span>“' in page


def test_pages_in_the_language_of_the_rules_have_no_foreign_words(site: Site) -> None:
    page = (site("seven-years-war") / "errata.html").read_text(encoding="utf-8")

    assert page.count('lang="') == 1
