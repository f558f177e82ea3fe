"""Owns the facts about the choice of renderer, and about the index page."""

from __future__ import annotations

from typing import Any

import pytest

from generator.documents.index import ArmyPart, File, Index, SystemPart
from generator.rendering.documents import Way, render_document
from generator.rendering.studio import Studio
from tests.rendering.samples import card, deck, roster, sheet

PDF = File("club/sheet.pdf", "Quick reference", "pdf", "A4", "20 kB", 2)
HTML = File("club/sheet.html", "Quick reference", "html", "", "90 kB", 0)
FAILED = File("club/roster.pdf", "Roster", "pdf", "", "", 0, "does not fit")
ARMY = ArmyPart("own", "The <army>", legal=False, points="120", limit="100", findings=2, files=())


def index(*warnings: str) -> Index:
    legal = ArmyPart("b", "B", legal=True, points="", limit="", findings=1, files=(FAILED,))
    parts = (
        SystemPart("club", "Club rules", "1.0", (PDF, HTML), (ARMY, legal)),
        SystemPart("bare", "Bare rules", "2.0", (), ()),
    )
    return Index("0.1.0", parts, warnings)


@pytest.mark.parametrize(
    ("way", "data"),
    [
        (Way("sheet", "pdf", paper="a4"), sheet()),
        (Way("cards", "pdf", "single"), deck(card())),
        (Way("roster", "pdf", "short", "letter"), roster()),
        (Way("index", "pdf", paper="a4"), index("bad.yaml:1:2: is bad")),
    ],
)
def test_way_to_a_pdf_leads_to_one(way: Way, data: Any, studio: Studio) -> None:
    printed = render_document(studio, way, data, {})

    assert printed.data.startswith(b"%PDF")
    assert printed.pages == 1


@pytest.mark.parametrize(
    ("way", "data", "title"),
    [
        (Way("sheet", "html"), sheet(), "Club rules: Quick reference"),
        (Way("cards", "html", "9-up"), deck(card()), "The army: unit cards"),
        (Way("roster", "html", "full"), roster(), "The army: roster"),
        (Way("index", "html"), index(), "Muster: what was built"),
    ],
)
def test_way_to_a_page_for_screens_leads_to_one(
    way: Way, data: Any, title: str, studio: Studio
) -> None:
    printed = render_document(studio, way, data, {})

    assert f"<title>{title}</title>" in printed.data.decode()
    assert printed.pages == 0


@pytest.mark.parametrize("way", [Way("poster", "pdf"), Way("sheet", "docx")])
def test_unknown_way_is_refused(way: Way, studio: Studio) -> None:
    with pytest.raises(KeyError):
        render_document(studio, way, None, {})


def test_index_lists_files_armies_and_what_failed(studio: Studio) -> None:
    html = render_document(studio, Way("index", "html"), index("x.yaml: <bad>"), {}).data.decode()

    assert '<a href="club/sheet.pdf">Quick reference, A4</a>' in html
    assert "PDF, 2 pages, 20 kB" in html
    assert "The &lt;army&gt;" in html
    assert "120 of 100 points · 2 findings" in html
    assert "Roster (pdf): does not fit" in html
    assert "x.yaml: &lt;bad&gt;" in html
    assert index().pages == 2
