"""Tests of pictures on pages: alternatives, colour profiles, and that each is there only once."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader

from muster.documents.army_book import UnitGroup
from muster.documents.cards import Deck
from muster.rendering.book_pages import book_html, book_pdf
from muster.rendering.card_pages import cards_html, cards_pdf
from muster.rendering.environment import TemplateEnvironment, fills_frame
from muster.rendering.printed import PrintError
from muster.rendering.roster_pages import roster_html, roster_pdf
from muster.systems.pictures import Picture
from muster.systems.svg_pictures import clean_svg
from tests.picture_samples import SVG, profile, raster
from tests.rendering.samples import army_book, book_unit, card, deck, roster

PHOTO = raster("JPEG", (60, 40), icc_profile=profile())
MASKED = raster(mode="RGBA", icc_profile=profile())


def picture(data: bytes, alt: str, **changes: Any) -> Picture:
    kinds = {b"\x89": "image/png", b"\xff": "image/jpeg", b"<": "image/svg+xml"}
    digest = sha256(data).hexdigest()
    made = Picture(kinds[data[:1]], data, 60, 40, alt, "Ida Berg", digest)
    return replace(made, **changes)


HUSSAR = picture(PHOTO, "A hussar", profile=profile())
GUN = picture(MASKED, "A gun", profile=profile(), credit="")
FLAG = picture(clean_svg(SVG, "a.svg").data, "A flag", width=30, height=20, credit="")


def pictured(count: int, *pictures: Picture, **changes: Any) -> Deck:
    """Return a deck of cards with much room, whose pictures take turns."""
    cards = (
        card(f"{chr(65 + n)} company", rows=0, blocks=(), picture=pictures[n % len(pictures)])
        for n in range(count)
    )
    return replace(deck(*cards), pictures=pictures, **changes)


def objects(data: bytes) -> list[dict[str, Any]]:
    """Return all dictionaries of a PDF."""
    reader: Any = PdfReader(BytesIO(data))
    found = [reader.get_object(n) for n in range(1, int(reader.trailer["/Size"]))]
    return [each for each in found if isinstance(each, dict)]


def images(data: bytes) -> list[Any]:
    """Return all images of a PDF, without the masks of others."""
    found = [each for each in objects(data) if each.get("/Subtype") == "/Image"]
    masks = [each["/SMask"].get_object() for each in found if "/SMask" in each]
    return [each for each in found if each not in masks]


def figures(data: bytes) -> list[str]:
    """Return the alternative texts of all figures of a PDF."""
    tags = [each for each in objects(data) if each.get("/S") == "/Figure"]
    assert all("/BBox" in each["/A"] for each in tags)
    return [each["/Alt"] for each in tags]


@pytest.mark.parametrize("cards", [4, 12], ids=["laid out at once", "joined"])
def test_deck_holds_each_picture_once_with_its_profile(
    cards: int, templates: TemplateEnvironment
) -> None:
    printed = cards_pdf(templates, pictured(cards, HUSSAR, GUN), "9-up", "a4", {})

    found = images(printed.data)
    assert len(found) == 2
    for image in found:
        kind, stream = image["/ColorSpace"]
        assert (kind, stream["/N"], stream.get_data()) == ("/ICCBased", 3, profile())
    assert printed.data.count(PHOTO) == 1
    alternatives = figures(printed.data)
    assert (alternatives.count("A hussar"), alternatives.count("A gun")) == (cards // 2, cards // 2)
    masks = [image["/SMask"].get_object() for image in found if "/SMask" in image]
    assert [mask["/ColorSpace"] for mask in masks] == ["/DeviceGray"]


def test_each_card_of_a_joined_deck_shows_the_picture(templates: TemplateEnvironment) -> None:
    joined = PdfReader(BytesIO(cards_pdf(templates, pictured(12, HUSSAR), "9-up", "a4", {}).data))

    names = set()
    for page, cards in zip(joined.pages, (9, 3), strict=True):
        (name,) = (each for each in page["/Resources"]["/XObject"] if each.startswith("/i"))  # type: ignore[index]  # a dictionary
        names.add(name)
        assert page.get_contents().get_data().count(f"{name} Do".encode()) == cards  # type: ignore[union-attr]  # it has some
    assert len(names) == 1


def test_same_pictures_give_the_same_bytes(templates: TemplateEnvironment) -> None:
    decks = [pictured(12, HUSSAR, GUN, FLAG, back=FLAG, backs="long") for _ in range(2)]

    first, second = (cards_pdf(templates, each, "9-up", "a4", {}).data for each in decks)

    assert first == second


def test_another_picture_gives_other_bytes(templates: TemplateEnvironment) -> None:
    other = picture(raster("JPEG", (61, 40)), "A hussar")

    first, second = (
        cards_pdf(templates, pictured(1, each), "9-up", "a4", {}).data for each in (HUSSAR, other)
    )

    assert first != second


@pytest.mark.parametrize("mode", ["L", "CMYK"])
def test_profile_for_other_colours_stays_away(mode: str, templates: TemplateEnvironment) -> None:
    wrong = picture(raster("JPEG", mode=mode), "A flag", profile=profile())

    (image,) = images(cards_pdf(templates, pictured(1, wrong), "9-up", "a4", {}).data)

    assert image["/ColorSpace"] == {"L": "/DeviceGray", "CMYK": "/DeviceCMYK"}[mode]


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA"])
def test_png_of_every_colour_is_printed(mode: str, templates: TemplateEnvironment) -> None:
    shown = picture(raster(mode=mode), "A flag")

    assert len(images(cards_pdf(templates, pictured(1, shown), "9-up", "a4", {}).data)) == 1


def test_backs_show_the_picture_of_the_deck_with_its_credit(templates: TemplateEnvironment) -> None:
    shown = pictured(2, FLAG, back=HUSSAR, backs="long")

    data = cards_pdf(templates, shown, "9-up", "a4", {}).data

    alternatives = figures(data)
    assert (alternatives.count("A hussar"), alternatives.count("A flag")) == (2, 2)
    front, back = (page.extract_text() for page in PdfReader(BytesIO(data)).pages)
    assert back.count("Picture: Ida Berg") == 2
    assert "Ida Berg" not in front


def test_card_without_room_has_no_picture_and_without_a_picture_its_emblem(
    templates: TemplateEnvironment,
) -> None:
    full = replace(deck(card(rows=12, picture=HUSSAR)), pictures=(HUSSAR,))
    plain = deck(card(rows=0, blocks=()))

    assert "A hussar" not in figures(cards_pdf(templates, full, "9-up", "a4", {}).data)
    assert "A hussar" not in figures(cards_pdf(templates, plain, "9-up", "a4", {}).data)


def test_page_for_a_screen_holds_each_picture_once(templates: TemplateEnvironment) -> None:
    html = cards_html(templates, pictured(5, HUSSAR, GUN), "index.html")

    assert [html.count(b64encode(each.data).decode()) for each in (HUSSAR, GUN)] == [1, 1]
    assert html.count('role="img" aria-label="A hussar"') == 3
    drawn = re.findall(r'<use href="#([\w-]+)"', html)
    assert len(drawn) == 5
    assert set(drawn) == set(re.findall(r'<image id="([\w-]+)"', html))
    assert html.count("Ida Berg") == 3


def test_roster_shows_pictures_in_full_and_none_on_one_page(templates: TemplateEnvironment) -> None:
    whole = roster()
    section = replace(
        whole.sections[0], entries=(replace(whole.sections[0].entries[0], picture=HUSSAR),)
    )
    shown = replace(whole, sections=(section,), picture=FLAG, pictures=(FLAG, HUSSAR))

    full = roster_pdf(templates, shown, "full", "a4", {}).data
    short = roster_pdf(templates, shown, "short", "a4", {}).data

    assert {"A flag", "A hussar"} <= set(figures(full))
    assert "Pictures A hussar: Ida Berg." in PdfReader(BytesIO(full)).pages[0].extract_text()
    assert not {"A flag", "A hussar"} & set(figures(short))
    assert roster_html(templates, shown, "full", "").count("<use ") == 2
    assert "<use " not in roster_html(templates, shown, "short", "")


def test_army_book_shows_pictures(templates: TemplateEnvironment) -> None:
    group = UnitGroup("Units", (), (book_unit(picture=HUSSAR, values=()),))
    shown = army_book(groups=(group,), picture=GUN, pictures=(GUN, HUSSAR))

    data = book_pdf(templates, shown, "a4", {}).data

    assert {"A gun", "A hussar"} <= set(figures(data))
    assert "Ida Berg" in PdfReader(BytesIO(data)).pages[0].extract_text()
    assert book_html(templates, shown, "").count("<use ") == 2


def test_picture_cannot_write_markup(templates: TemplateEnvironment) -> None:
    text = '"><script>alert(1)</script>'
    shown = pictured(1, picture(PHOTO, text, credit=text))

    html = cards_html(templates, shown, "index.html")

    assert html.count("<script>") == 1
    assert text in figures(cards_pdf(templates, shown, "9-up", "a4", {}).data)


def test_template_reaches_pictures_of_its_own_document_only(templates: TemplateEnvironment) -> None:
    cards_pdf(templates, pictured(1, HUSSAR), "9-up", "a4", {})
    (address,) = templates.pictures
    page = f'<!doctype html><html lang="en"><title>T</title><h1>A</h1><img src="{address}" alt="x">'
    templates.printer.pdf(page, [], "page")

    cards_pdf(templates, pictured(1, FLAG), "9-up", "a4", {})

    with pytest.raises(PrintError, match="Failed to load image"):
        templates.printer.pdf(page, [], "page")


@pytest.mark.parametrize(
    ("size", "fills"),
    [((30, 20), True), ((60, 40), True), ((40, 30), True), ((20, 30), False), ((90, 20), False)],
)
def test_picture_of_nearly_the_proportions_fills_its_frame(
    size: tuple[int, int], fills: bool  # noqa: FBT001 - a value of the table
) -> None:  # fmt: skip
    assert fills_frame(replace(FLAG, width=size[0], height=size[1]), 30, 20) is fills
