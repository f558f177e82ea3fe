"""Tests of the choice of renderer, and of the index page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import pytest

from muster.building.jobs import KINDS
from muster.documents.index_page import ArmyDocuments, BuildIndex, BuiltFile, SystemDocuments
from muster.documents.page_look import PageLook
from muster.documents.tokens import PrintedToken, TokenSheet
from muster.rendering.dispatch import RenderOptions, render_document
from muster.rendering.environment import TemplateEnvironment
from muster.systems.look import Masthead
from tests.rendering.samples import army_book, book_unit, card, deck, roster, sheet

PDF = BuiltFile("club/sheet.pdf", "sheet", "Quick reference", "pdf", "A4", "20 kB", 2)
HTML = BuiltFile("club/sheet.html", "sheet", "Quick reference", "html", "", "90 kB", 0)
FAILED = BuiltFile("club/roster.pdf", "roster", "Roster", "pdf", "", "", 0, "does not fit")
ARMY = ArmyDocuments(
    "own", "The <army>", legal=False, points="120", limit="100", findings=2, files=()
)


def index(*warnings: str) -> BuildIndex:
    legal = ArmyDocuments("b", "B", legal=True, points="", limit="", findings=1, files=(FAILED,))
    parts = (
        SystemDocuments("club", "Club rules", "1.0", (PDF, HTML), (ARMY, legal)),
        SystemDocuments("bare", "Bare rules", "2.0", (), ()),
    )
    return BuildIndex("0.1.0", parts, warnings)


def tokens() -> TokenSheet:
    token = PrintedToken("Routing", "", "M10 10 H90 V90 Z", "morale", "round", 3)
    return TokenSheet("Club rules", "en", "1.0", "The club", (token,))


@pytest.mark.parametrize(
    ("way", "data"),
    [
        (RenderOptions("sheet", "pdf", paper="a4"), sheet()),
        (RenderOptions("cards", "pdf", "single"), deck(card())),
        (RenderOptions("tokens", "pdf", paper="a4"), tokens()),
        (RenderOptions("roster", "pdf", "short", "letter"), roster()),
        (RenderOptions("book", "pdf", paper="letter"), army_book(book_unit())),
        (RenderOptions("index", "pdf", paper="a4"), index("bad.yaml:1:2: is bad")),
    ],
    ids=["sheet", "cards", "tokens", "roster", "book", "index"],
)
def test_way_to_a_pdf_leads_to_one(
    way: RenderOptions, data: Any, templates: TemplateEnvironment
) -> None:
    printed = render_document(templates, way, data, {})

    assert printed.data.startswith(b"%PDF")
    assert printed.pages == 1


@pytest.mark.parametrize("masthead", get_args(Masthead))
@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("sheet", sheet()),
        ("cards", deck(card())),
        ("tokens", tokens()),
        ("roster", roster()),
        ("book", army_book(book_unit())),
    ],
    ids=["sheet", "cards", "tokens", "roster", "book"],
)
def test_every_page_for_screens_has_the_look_of_its_system(
    kind: str, data: Any, masthead: str, templates: TemplateEnvironment
) -> None:
    look = PageLook("#7a1420", masthead, "M10 10 H90 V90 Z", ("M0 0 H50 V50 Z",))
    way = RenderOptions(kind, "html")
    html = render_document(templates, way, replace(data, look=look), {}).data.decode()
    head = html.partition("<header ")[2].partition("</header>")[0]

    assert f"look-{masthead}" in head
    assert "--accent: #7a1420" in head
    assert head.count("M10 10 H90 V90 Z") == (2 if masthead == "frieze" else 1)
    assert head.count("M0 0 H50 V50 Z") == 1
    assert '<meta name="theme-color" content="#7a1420">' in html


@pytest.mark.parametrize(
    ("way", "data", "title"),
    [
        (RenderOptions("sheet", "html"), sheet(), "Club rules: Quick reference"),
        (RenderOptions("cards", "html", "9-up"), deck(card()), "The army: unit cards"),
        (RenderOptions("tokens", "html"), tokens(), "Club rules: tokens"),
        (RenderOptions("roster", "html", "full"), roster(), "The army: roster"),
        (RenderOptions("book", "html"), army_book(book_unit()), "Club rules: Prussia"),
        (RenderOptions("index", "html"), index(), "Muster: what was built"),
    ],
    ids=["sheet", "cards", "tokens", "roster", "book", "index"],
)
def test_way_to_a_page_for_screens_leads_to_one(
    way: RenderOptions, data: Any, title: str, templates: TemplateEnvironment
) -> None:
    printed = render_document(templates, way, data, {})

    assert f"<title>{title}</title>" in printed.data.decode()
    assert printed.pages == 0


@pytest.mark.parametrize(
    "way",
    [RenderOptions("poster", "pdf"), RenderOptions("sheet", "docx")],
    ids=["kind", "format"],
)
def test_unknown_way_is_refused(way: RenderOptions, templates: TemplateEnvironment) -> None:
    with pytest.raises(KeyError):
        render_document(templates, way, None, {})


@pytest.mark.parametrize("kind", [*KINDS, "cover"])
def test_index_lists_every_kind_of_document(kind: str, templates: TemplateEnvironment) -> None:
    listed = BuiltFile("club/it.html", kind, "It", "html", "", "9 kB", 1)
    system = SystemDocuments("club", "Club", "1", (listed,), ())

    way = RenderOptions("index", "html")
    html = render_document(templates, way, BuildIndex("1", (system,), ()), {}).data.decode()

    assert 'href="club/it.html"' in html


def test_index_lists_files_armies_and_what_failed(templates: TemplateEnvironment) -> None:
    html = render_document(
        templates, RenderOptions("index", "html"), index("x.yaml: <bad>"), {}
    ).data.decode()

    assert '<a href="club/sheet.pdf">Quick reference, A4</a>' in html
    assert "PDF, 2 pages, 20 kB" in html
    assert "The &lt;army&gt;" in html
    assert "120 of 100 points · 2 findings" in html
    assert "Roster (pdf): does not fit" in html
    assert "x.yaml: &lt;bad&gt;" in html
    assert index().pages == 2
