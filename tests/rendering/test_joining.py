"""Tests of joined documents: they are as if laid out in one go."""

from __future__ import annotations

import zlib
from io import BytesIO
from pathlib import Path
from typing import Any

import page
import pydyf
import pytest
from pypdf import PdfReader

from muster.rendering.environment import TemplateEnvironment
from muster.rendering.joining import join_pieces
from muster.rendering.pdf_pieces import PdfPiece, capture_piece, pack_piece, unpack_piece
from muster.rendering.printed import PrintError

HEAD = '<!doctype html><html lang="en"><head><title>Pages</title></head><body>'
STYLE = "body { font-family: Muster Sans } .serif { font-family: Muster Serif } @page { size: A6 }"
TABLE = '<table><tr><th scope="row">{}</th><td>1</td></tr></table>'
SHEETS = (
    "<h1>Pages</h1><h2>One</h2><p>abc Fü 12</p>" + TABLE.format("one"),
    '<h2>Two</h2><p class="serif">xyz é ž Ł</p>' + TABLE.format("two"),
    '<h2>Three</h2><h3>Below</h3><p>Ünder ö 987</p><p class="serif">Ärger</p>',
)


def piece(templates: TemplateEnvironment, body: str, pages: int = 1) -> PdfPiece:
    return templates.printer.piece(HEAD + body, [STYLE], "sample", pages)


@pytest.fixture(scope="module")
def pieces(templates: TemplateEnvironment) -> list[PdfPiece]:
    return [piece(templates, sheet) for sheet in SHEETS]


@pytest.fixture(scope="module")
def whole(templates: TemplateEnvironment) -> bytes:
    sheets = [f'<div style="break-after: page">{sheet}</div>' for sheet in SHEETS]
    return templates.printer.pdf(HEAD + "".join(sheets), [STYLE], "whole", len(SHEETS)).data


def tags(data: bytes) -> list[Any]:
    """Return the tags of a PDF in order, without those of the boxes around each sheet."""
    found: list[Any] = []

    def walk(element: Any) -> None:
        each = element.get_object()
        if isinstance(each, dict):
            if each["/S"] != "/Div":
                found.append(str(each["/S"]))
            kids = each.get("/K", [])
            for kid in kids if isinstance(kids, list) else [kids]:
                walk(kid)

    root: Any = PdfReader(BytesIO(data)).trailer["/Root"]
    walk(root["/StructTreeRoot"]["/K"][0])
    return found


def outline(entries: list[Any]) -> list[Any]:
    return [outline(each) if isinstance(each, list) else each.title for each in entries]


def test_joined_pages_are_those_of_the_whole(pieces: list[PdfPiece], whole: bytes) -> None:
    made = PdfReader(BytesIO(join_pieces(pieces)))
    wanted = PdfReader(BytesIO(whole))

    assert [each.extract_text() for each in made.pages] == [
        each.extract_text() for each in wanted.pages
    ]
    assert made.metadata == wanted.metadata
    assert outline(made.outline) == ["Pages", ["One", "Two", "Three", ["Below"]]]
    assert outline(made.outline) == outline(wanted.outline)
    assert tags(join_pieces(pieces)) == tags(whole)


def test_joined_document_is_pdf_ua_1(pieces: list[PdfPiece], tmp_path: Path) -> None:
    (tmp_path / "joined.pdf").write_bytes(join_pieces(pieces))

    report = page.validate_pdf(tmp_path / "joined.pdf", profile=page.ValidationProfile.PDF_UA_1)

    assert [each.message for each in report.failures] == []


def test_each_face_is_there_once_with_all_glyphs(pieces: list[PdfPiece]) -> None:
    made = PdfReader(BytesIO(join_pieces(pieces)))

    files: dict[str, set[int]] = {}
    for each in made.pages:
        resources: Any = each["/Resources"]
        for font in resources["/Font"].values():
            inner = font.get_object()["/DescendantFonts"][0].get_object()
            about = inner["/FontDescriptor"].get_object()
            files.setdefault(font["/BaseFont"], set()).add(about.raw_get("/FontFile2").idnum)
    assert len(files) == 3
    assert {len(numbers) for numbers in files.values()} == {1}


def test_heads_of_tables_in_two_pieces_have_ids_of_their_own(pieces: list[PdfPiece]) -> None:
    made: Any = PdfReader(BytesIO(join_pieces(pieces))).trailer["/Root"]
    ids: list[str] = []
    asked: list[str] = []

    def walk(element: Any) -> None:
        each = element.get_object()
        if isinstance(each, dict):
            if "/ID" in each:
                ids.append(str(each["/ID"]))
            if "/Headers" in each.get("/A", {}):
                asked.extend(str(name) for name in each["/A"]["/Headers"])
            kids = each.get("/K", [])
            for kid in kids if isinstance(kids, list) else [kids]:
                walk(kid)

    walk(made["/StructTreeRoot"]["/K"][0])
    assert len(ids) == len(set(ids)) == 2
    assert asked == ids


def test_same_pieces_give_the_same_bytes(pieces: list[PdfPiece]) -> None:
    assert join_pieces(pieces) == join_pieces(pieces)


def test_piece_comes_back_from_its_bytes(pieces: list[PdfPiece]) -> None:
    for each in pieces:
        again = unpack_piece(pack_piece(each))

        assert again == each


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[:0],
        lambda data: data[:-1],
        lambda data: b"x" + data,
        lambda data: data[:4] + bytes(len(data) - 4),
        lambda _: zlib.compress(b"[]"),
        lambda _: zlib.compress(b"{\xff"),
    ],
    ids=["empty", "cut short", "more in front", "noughts", "other JSON", "no JSON"],
)
def test_bytes_that_are_no_piece_are_none(spoil: Any, pieces: list[PdfPiece]) -> None:
    assert unpack_piece(spoil(pack_piece(pieces[0]))) is None


def test_piece_with_links_is_refused(templates: TemplateEnvironment) -> None:
    with pytest.raises(PrintError, match="links"):
        piece(templates, '<h1>A</h1><p><a href="https://example.org/">x</a></p>')


def test_font_that_cannot_be_merged_stays_as_it_is(
    pieces: list[PdfPiece], templates: TemplateEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a font has an encoding of its own, e.g. for characters that no face has."""

    def capture(pdf: pydyf.PDF) -> PdfPiece:
        for each in pdf.objects:
            if isinstance(each, pydyf.Dictionary) and each.get("Subtype") == "/Type0":
                each["Encoding"] = "/Other"
        return capture_piece(pdf)

    monkeypatch.setattr("muster.rendering.printer.capture_piece", capture)
    odd = [piece(templates, sheet) for sheet in SHEETS]

    made = PdfReader(BytesIO(join_pieces(odd)))

    fonts = [set(each["/Resources"]["/Font"]) for each in made.pages]  # type: ignore[index]  # dictionaries
    assert all(fonts)
    assert len(join_pieces(odd)) > len(join_pieces(pieces))
