"""Test printed tokens: their pages, their size, and words that have no room."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from muster.documents.tokens import PrintedToken, TokenSheet
from muster.rendering.cut_sheets import lay_out_sheet
from muster.rendering.drawings import data_uri, draw_token_face
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.paper import PAPERS
from muster.rendering.printed import PrintError
from muster.rendering.token_pages import TOKEN_COLOURS, TOKEN_GRID, tokens_html, tokens_pdf
from tests.pages.printed import MM, Pdf
from tests.rendering.conftest import TEMPLATES

ROUTING = PrintedToken("Routing", "", "M10 10 H90 V90 Z", "morale", "round", 50)
LOSSES = PrintedToken("Lightly wounded", "25%", "", "fire", "square", 5)


def sheet(*tokens: PrintedToken) -> TokenSheet:
    return TokenSheet("Club rules", "en", "1.0", "The club", tokens)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_tokens_are_of_25_mm_on_pages_of_54(
    paper: str, templates: TemplateEnvironment, tmp_path: Path
) -> None:
    printed = tokens_pdf(templates, sheet(ROUTING, LOSSES), paper)
    (tmp_path / "tokens.pdf").write_bytes(printed.data)
    pdf = Pdf(tmp_path / "tokens.pdf")

    assert printed.pages == 2
    words = [[piece for piece in page if piece.text.strip() == "Routing"] for page in pdf.pages]
    assert [len(pieces) for pieces in words] == [50, 0]
    first, beside = words[0][:2]
    gap = lay_out_sheet(TOKEN_GRID, PAPERS[paper]).column_gap_mm
    assert (gap, TOKEN_GRID.width_mm) == (3, 25)
    assert (beside.left - first.left) / MM == pytest.approx(25 + gap, abs=0.05)
    sizes = {round(p.size, 1) for page in pdf.pages for p in page if p.size > 1.1}
    assert min(sizes) >= 7
    assert max(sizes) >= 20


@pytest.mark.parametrize("label", ["A" * 24, "Retreating Disordered up"])
def test_words_without_room_are_named(label: str, templates: TemplateEnvironment) -> None:
    long = replace(ROUTING, label=label, number=2)

    with pytest.raises(PrintError, match=f"no room on a token for “{label}”; use shorter words"):
        tokens_pdf(templates, sheet(LOSSES, long), "a4")


def test_template_that_leaves_out_tokens_is_an_error(tmp_path: Path) -> None:
    own = tmp_path / "tokens"
    own.mkdir()
    text = (TEMPLATES / "tokens" / "token.html.j2").read_text(encoding="utf-8")
    (own / "token.html.j2").write_text(text.replace('"token ', '"tok '), encoding="utf-8")

    with pytest.raises(PrintError, match="printed 0 elements of the class `token`, expected 5"):
        tokens_pdf(TemplateEnvironment([tmp_path, TEMPLATES]), sheet(LOSSES), "a4")


def test_page_for_screens_has_each_kind_once(templates: TemplateEnvironment) -> None:
    html = tokens_html(templates, sheet(ROUTING, LOSSES), "../i.html", [("Sheet", "s.html")])

    assert re.findall(r'class="words">([^<]+)<', html) == ["Routing", "Lightly wounded"]
    assert re.findall(r'class="count">([^<]+)<', html) == ["50 ×", "5 ×"]
    assert '<a href="../i.html">' in html
    assert '<a href="s.html">Sheet</a>' in html


@pytest.mark.parametrize("shape", ["round", "square"])
def test_token_has_a_foot_that_tells_which_way_up_it_lies(shape: str) -> None:
    face = draw_token_face(shape, "M10 10 H90 V90 Z", "#ffffff")
    drawn = fromstring(face)  # noqa: S314 - our own SVG

    filled = [each.get("d", "") for each in drawn if each.get("fill") == "#ffffff"]
    assert len(filled) == 2
    assert " 168 H" in filled[0]


def test_light_token_is_drawn_in_its_colour_on_white(templates: TemplateEnvironment) -> None:
    dark, light = (
        tokens_html(templates, sheet(replace(ROUTING, light=light)), "i.html")
        for light in (False, True)
    )

    white, coloured = (
        data_uri(draw_token_face("round", ROUTING.symbol, ink))
        for ink in ("#ffffff", TOKEN_COLOURS["morale"])
    )
    assert (white in dark, coloured in dark) == (True, False)
    assert (white in light, coloured in light) == (False, True)
    assert 'class="token round light"' in light
