"""Tests of cards printed on both sides: backs behind their fronts, and the ruler."""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from pathlib import Path

import pytest

from muster.rendering.card_pages import (
    CARD_FORMATS,
    _page_geometry,
    cards_pdf,
    mirror_backs,
    parse_turn_edge,
)
from muster.rendering.drawings import RULER_HEIGHT_MM, RULER_WIDTH_MM, build_ruler
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.paper import PAPERS, turn_edge_of
from tests.pages.printed import MM, Pdf
from tests.rendering.conftest import TEMPLATES
from tests.rendering.samples import card, deck

NATIONS = ["Alba", "Borussia", "Corsica", "Dalmatia", "Etruria", "Frisia", "Gothia", "Helvetia"]


def printed(
    templates: TemplateEnvironment, folder: Path, variant: str, paper: str, backs: str, cards: int
) -> Pdf:
    held = deck(*(card(f"Unit {each}", nation=each) for each in NATIONS[:cards]))
    made = cards_pdf(templates, replace(held, backs=backs), variant, paper, {})
    (folder / "cards.pdf").write_bytes(made.data)
    return Pdf(folder / "cards.pdf")


def middles(pdf: Pdf, page: int) -> dict[str, tuple[float, float]]:
    """Return in which card of a page's grid each nation is named, by its middle in millimetres.

    The cards are taken to be the tarot cards of A4, which stand two by two.
    """
    found = {}
    for piece in pdf.pages[page]:
        name = piece.text.partition(" · ")[0].strip()
        if name in NATIONS:
            column = (piece.left / MM - 35) // 70
            row = (297 - piece.baseline / MM - 28.5) // 120
            found[name] = (35 + 70 * (column + 0.5), 28.5 + 120 * (row + 0.5))
    return found


@pytest.mark.parametrize("turn", ["long", "short"])
@pytest.mark.parametrize("cards", range(1, 10))
def test_every_back_lies_behind_its_front(cards: int, turn: str) -> None:
    fronts = [chr(ord("A") + n) for n in range(cards)]

    backs = mirror_backs(fronts, 3, 3, parse_turn_edge(turn))

    assert len(backs) == 9
    for place, name in enumerate(backs):
        down, right = divmod(place, 3)
        behind = down * 3 + (2 - right) if turn == "long" else (2 - down) * 3 + right
        assert name == (fronts[behind] if behind < cards else None)


@pytest.mark.parametrize(("turn", "cards"), [("long", 3), ("short", 3), ("long", 4), ("short", 6)])
def test_printed_backs_register_with_their_fronts(
    turn: str, cards: int, templates: TemplateEnvironment, tmp_path: Path
) -> None:
    pdf = printed(templates, tmp_path, "4-up", "a4", turn, cards)

    assert len(pdf.sizes) == 2 * -(-cards // 4)
    for page in range(0, len(pdf.sizes), 2):
        fronts, backs = middles(pdf, page), middles(pdf, page + 1)
        assert len(fronts) == min(4, cards - page * 2)
        turned = {
            name: (210 - x, y) if turn == "long" else (x, 297 - y)
            for name, (x, y) in fronts.items()
        }
        assert backs == turned


def test_cards_are_true_to_a_tenth_of_a_millimetre(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    for paper in ("a4", "letter"):
        pdf = printed(templates, tmp_path, "9-up", paper, "long", 8)

        found = {p.text.partition(" · ")[0]: p for p in pdf.pages[0]}
        first, beside, below = (found[NATIONS[n]] for n in (0, 1, 3))
        assert (beside.left - first.left) / MM == pytest.approx(63, abs=0.1)
        assert (first.baseline - below.baseline) / MM == pytest.approx(88, abs=0.1)


def test_backs_stand_on_their_head_when_the_short_edge_is_turned(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    tall = {}
    for turn in ("long", "short"):
        pdf = printed(templates, tmp_path, "single", "", turn, 1)
        rows = {piece.text.strip(): piece.baseline for piece in pdf.pages[1]}
        tall[turn] = rows["The army"] > rows["Alba"]

    assert tall == {"long": True, "short": False}


@pytest.mark.parametrize("turn", ["", "long", "short"])
def test_pdf_says_how_it_is_printed(
    turn: str, templates: TemplateEnvironment, tmp_path: Path
) -> None:
    for cards in (3, 5):  # laid out at once, and in pieces
        wishes = printed(templates, tmp_path, "4-up", "a4", turn, cards).root["/ViewerPreferences"]

        assert wishes["/PrintScaling"] == "/None"
        assert wishes.get("/Duplex", "") == (f"/DuplexFlip{turn.title()}Edge" if turn else "")


def test_landscape_is_turned_over_its_short_edge() -> None:
    assert (turn_edge_of("landscape"), turn_edge_of("portrait")) == ("short", "long")


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("variant", ["9-up", "4-up"])
def test_ruler_and_marks_keep_off_the_cards_and_the_edge(variant: str, paper: str) -> None:
    form, sheet = CARD_FORMATS[variant], PAPERS[paper]

    geometry = _page_geometry(form, sheet, build_ruler((TEMPLATES,)))

    svg = base64.b64decode(geometry.marks.partition(",")[2]).decode()
    place = re.search(r"translate\(([\d.]+) ([\d.]+)\)( rotate\(-90\))?", svg)
    assert place is not None
    x, y, half = float(place[1]), float(place[2]), RULER_HEIGHT_MM / 2
    if place[3]:
        assert half + 5 <= x + 0.01
        assert x + half < geometry.left_mm - 1.5
        assert 0 < y - RULER_WIDTH_MM < y < sheet.height_mm
    else:
        assert y + half + 5 <= sheet.height_mm + 0.01
        assert y - half > sheet.height_mm - geometry.top_mm + 1.5
        assert 0 < x < x + RULER_WIDTH_MM < sheet.width_mm
    lengths = [abs(float(each)) for each in re.findall(r"[vh](-?[\d.]+)", svg)]
    assert min(lengths) >= 2
    assert max(lengths) == 5


def test_cards_without_paper_have_neither_marks_nor_ruler() -> None:
    assert not _page_geometry(CARD_FORMATS["single"], None, build_ruler((TEMPLATES,))).marks
