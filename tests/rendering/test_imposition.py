"""Tests of imposition: the order of pages, where each stands, at which size, the metadata."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DecodedStreamObject, NameObject, NumberObject, RectangleObject

from muster.rendering.drawings import RULER_LENGTH_MM, build_ruler
from muster.rendering.environment import TemplateEnvironment
from muster.rendering.imposition import (
    FoldedSheet,
    FoldedSide,
    Imposed,
    ImposeError,
    ImpositionOptions,
    impose,
    order_booklet,
)
from muster.rendering.paper import PAPERS
from tests.rendering.conftest import TEMPLATES

MM = 72 / 25.4
NUMBER = r"(-?[\d.]+)"
PLACED = re.compile(rf"{NUMBER} 0 0 {NUMBER} {NUMBER} {NUMBER} cm /([LR]) Do")


A5 = (148.0, 210.0)


def book(path: Path, pages: int, size: tuple[float, float] = A5, trim_mm: float = 0) -> Path:
    """Write a PDF whose pages hold their number; with bleed around the trim if *bleed* is set."""
    writer = PdfWriter()
    width, height = ((each + 2 * trim_mm) * MM for each in size)
    for number in range(pages):
        page = writer.add_blank_page(width, height)
        stream = DecodedStreamObject()
        stream.set_data(f"% page {number}".encode())
        page[NameObject("/Contents")] = writer._add_object(stream)
        if trim_mm:
            edge = trim_mm * MM
            page.trimbox = RectangleObject((edge, edge, width - edge, height - edge))
    writer.add_metadata({"/Title": "A book"})
    writer.root_object[NameObject("/Lang")] = NameObject("/x")
    writer.write(path)
    return path


def imposed(path: Path, **wishes: Any) -> Imposed:
    return impose(path, ImpositionOptions(**{"ruled": False, **wishes}), (TEMPLATES,))


def sides(made: Imposed) -> list[dict[str, tuple[int, float, float, float]]]:
    """Return for each side the pages on its left and right: number, scale, left and bottom."""
    found = []
    for page in PdfReader(BytesIO(made.data)).pages:
        content = page.get_contents()
        assert content is not None
        forms: Any = page["/Resources"]["/XObject"]  # type: ignore[index]
        side = {}
        for scale, _, left, bottom, name in PLACED.findall(content.get_data().decode()):
            written = forms[f"/{name}"].get_data().decode()
            number = int(written.removeprefix("% page "))
            side[name] = (number, float(scale), float(left) / MM, float(bottom) / MM)
        found.append(side)
    return found


def drawn_on(made: Imposed) -> list[bytes]:
    contents = [page.get_contents() for page in PdfReader(BytesIO(made.data)).pages]
    return [each.get_data() for each in contents if each is not None]


def test_pages_stand_on_the_sides_of_their_sheet(tmp_path: Path) -> None:
    made = imposed(book(tmp_path / "b.pdf", 7))

    placed = [{name: held[0] for name, held in side.items()} for side in sides(made)]
    assert placed == [{"R": 0}, {"L": 1, "R": 6}, {"L": 5, "R": 2}, {"L": 3, "R": 4}]


def test_page_of_half_the_sheet_keeps_its_size_and_stands_at_the_fold(tmp_path: Path) -> None:
    made = imposed(book(tmp_path / "b.pdf", 8))

    assert made.scale == 1
    for side in sides(made):
        for name, (_, scale, left, bottom) in side.items():
            assert scale == 1
            assert left == pytest.approx(0.5 if name == "L" else 148.5, abs=0.1)
            assert bottom == pytest.approx(0, abs=0.1)


def test_sheet_is_of_the_size_of_its_paper(tmp_path: Path) -> None:
    for paper in ("a3", "a4", "letter"):
        made = imposed(book(tmp_path / "b.pdf", 4), paper=paper)
        box = PdfReader(BytesIO(made.data)).pages[0].mediabox

        size = (float(box.width) / MM, float(box.height) / MM)
        assert size == pytest.approx(PAPERS[paper].turned("landscape"), abs=0.1)


def test_larger_page_is_made_smaller_and_that_is_told(tmp_path: Path) -> None:
    made = imposed(book(tmp_path / "b.pdf", 4, (210, 297)))

    assert made.scale == pytest.approx(148.5 / 210, abs=0.001)
    assert {held[1] for side in sides(made) for held in side.values()} == {round(made.scale, 6)}


def test_smaller_page_is_never_made_larger_and_gets_cut_marks(tmp_path: Path) -> None:
    small = imposed(book(tmp_path / "s.pdf", 4, (105, 148)))
    full = imposed(book(tmp_path / "b.pdf", 4))

    assert small.scale == 1
    assert b"0 G 0.4 w" in drawn_on(small)[0]
    assert b"0 G 0.4 w" not in drawn_on(full)[0]


def test_creep_brings_inner_sheets_nearer_to_the_fold(tmp_path: Path) -> None:
    made = sides(imposed(book(tmp_path / "b.pdf", 12), creep_mm=0.2))

    lefts = [side["L"][2] for side in made]
    rights = [side["R"][2] for side in made]
    assert lefts == pytest.approx([0.5, 0.5, 0.7, 0.7, 0.9, 0.9], abs=0.01)
    assert rights == pytest.approx([148.5, 148.5, 148.3, 148.3, 148.1, 148.1], abs=0.01)


def test_backs_stand_on_their_head_for_the_long_edge_only(tmp_path: Path) -> None:
    for turn, turned in (("short", [False] * 4), ("long", [False, True, False, True])):
        made = imposed(book(tmp_path / "b.pdf", 8), turn=turn)

        reader = PdfReader(BytesIO(made.data))
        assert [b"-1 0 0 -1" in each for each in drawn_on(made)] == turned
        told: Any = reader.root_object["/ViewerPreferences"]
        assert told["/Duplex"] == f"/DuplexFlip{turn.title()}Edge"
        assert told["/PrintScaling"] == "/None"


def test_bleed_is_cut_off(tmp_path: Path) -> None:
    made = imposed(book(tmp_path / "b.pdf", 4, trim_mm=5))

    page = PdfReader(BytesIO(made.data)).pages[0]
    form: Any = page["/Resources"]["/XObject"]["/R"]  # type: ignore[index]
    assert made.scale == 1
    assert [round(float(edge) / MM, 1) for edge in form["/BBox"]] == [5, 5, 153, 215]
    assert sides(made)[0]["R"][2] == pytest.approx(148.5 - 5, abs=0.1)


@pytest.mark.parametrize(
    ("turned", "shown", "corner"),
    [
        (0, (200, 100), (0, 100)),
        (90, (100, 200), (100, 200)),
        (180, (200, 100), (200, 0)),
        (-90, (100, 200), (0, 0)),
        (450, (100, 200), (100, 200)),
    ],
)
def test_rotated_page_stands_as_viewers_show_it(
    turned: int, shown: tuple[int, int], corner: tuple[int, int], tmp_path: Path
) -> None:
    """The corner is where the upper left corner of the page comes to stand."""
    path = book(tmp_path / "b.pdf", 4, (200, 100), trim_mm=5)
    writer = PdfWriter(clone_from=path)
    for page in writer.pages:
        page[NameObject("/Rotate")] = NumberObject(turned)
    writer.write(path)

    made = imposed(path, paper="a3")

    form: Any = PdfReader(BytesIO(made.data)).pages[0]["/Resources"]["/XObject"]["/R"]  # type: ignore[index]
    _, scale, left, bottom = sides(made)[0]["R"]
    a, b, c, d, e, f = (float(each) for each in form.get("/Matrix", (1, 0, 0, 1, 0, 0)))
    x, y = float(form["/BBox"][0]), float(form["/BBox"][3])
    assert scale == 1
    assert left + (a * x + c * y + e) / MM == pytest.approx(210 + corner[0], abs=0.1)
    middle = (297 - shown[1]) / 2
    assert bottom + (b * x + d * y + f) / MM == pytest.approx(middle + corner[1], abs=0.1)


def test_page_rotated_by_half_a_corner_is_refused(tmp_path: Path) -> None:
    path = book(tmp_path / "b.pdf", 1)
    writer = PdfWriter(clone_from=path)
    writer.pages[0][NameObject("/Rotate")] = NumberObject(45)
    writer.write(path)

    with pytest.raises(ImposeError, match="a page is rotated by 45°, expected a multiple of 90°"):
        imposed(path)


def test_ruler_is_true_and_comes_on_a_sheet_of_its_own(tmp_path: Path) -> None:
    path = book(tmp_path / "b.pdf", 4)

    drawn = build_ruler((TEMPLATES,))
    assert drawn.lines[0][1][0] == RULER_LENGTH_MM
    assert [line[0][0] for line in drawn.lines[1:102]] == [*range(101)]
    assert [line[0][0] for line in drawn.lines[102::4]] == pytest.approx(
        [0, 25.4, 50.8, 76.2, 101.6]
    )
    first = drawn_on(imposed(path, ruled=True))
    assert len(first) == len(sides(imposed(path))) + 2
    assert first[0].startswith(f"q {MM:.6f} 0 0 {MM:.6f} 0 0 cm".encode())


def test_title_and_language_stay_and_nothing_claims_tags(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    html = "<!doctype html><html lang='en-GB'><title>Tagged</title><h1>One</h1><p>Two</p></html>"
    path = tmp_path / "b.pdf"
    path.write_bytes(templates.printer.pdf(html, ["@page { size: A5 }"], "book").data)

    reader = PdfReader(BytesIO(imposed(path).data))

    assert reader.metadata is not None
    assert reader.metadata.title == "Tagged"
    assert str(reader.root_object["/Lang"]) == "en-GB"
    assert not {"/MarkInfo", "/StructTreeRoot", "/Metadata", "/Outlines"} & set(reader.root_object)
    assert "One" in reader.pages[0].extract_text()


def test_same_bytes_twice(tmp_path: Path) -> None:
    path = book(tmp_path / "b.pdf", 9)

    first = imposed(path, ruled=True)

    assert imposed(path, ruled=True).data == first.data
    assert b"Date" not in first.data


@pytest.mark.parametrize(
    "held",
    [b"", b"no PDF", b"%PDF-1.7\n", b"%PDF-1.7\ntrailer\n<</Root 1 0 R>>\nstartxref\n9\n%%EOF"],
    ids=["empty", "text", "header only", "no pages"],
)
def test_what_is_no_pdf_is_refused(held: bytes, tmp_path: Path) -> None:
    (tmp_path / "b.pdf").write_bytes(held)

    with pytest.raises(ImposeError, match="cannot be read as a PDF"):
        imposed(tmp_path / "b.pdf")


def test_every_broken_byte_is_a_pdf_or_an_error(tmp_path: Path) -> None:
    path = book(tmp_path / "b.pdf", 2)
    held = path.read_bytes()
    refused = 0

    for place in range(0, len(held), 7):
        path.write_bytes(held[:place] + b"\xff" + held[place + 1 :])
        try:
            imposed(path)
        except ImposeError:
            refused += 1

    assert refused > 0


def test_empty_and_locked_books_are_refused(tmp_path: Path) -> None:
    PdfWriter().write(tmp_path / "empty.pdf")
    locked = PdfWriter(clone_from=book(tmp_path / "b.pdf", 2))
    locked.encrypt("secret", algorithm="RC4-128")
    locked.write(tmp_path / "locked.pdf")

    with pytest.raises(ImposeError, match="the file has 0 pages"):
        imposed(tmp_path / "empty.pdf")
    with pytest.raises(ImposeError, match="password"):
        imposed(tmp_path / "locked.pdf")


def read_through(sheets: list[FoldedSheet]) -> list[int | None]:
    """Return the pages in reading order of sheets that are stacked front down and folded."""
    leaves: list[tuple[int | None, int | None]] = []
    for sheet in reversed(sheets):  # the innermost lies on top; each further one goes around
        first = (sheet.front.right, sheet.back.left)
        last = (sheet.back.right, sheet.front.left)
        leaves = [first, *leaves, last]
    return [page for leaf in leaves for page in leaf]


def signatures_of(sheets: tuple[FoldedSheet, ...]) -> list[list[FoldedSheet]]:
    lots: list[list[FoldedSheet]] = []
    for sheet in sheets:
        if sheet.depth == 0:
            lots.append([])
        lots[-1].append(sheet)
    return lots


@pytest.mark.parametrize("sheets", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("pages", range(1, 41))
def test_folded_sheets_read_in_order(pages: int, sheets: int) -> None:
    made = order_booklet(pages, sheets)

    read = [page for lot in signatures_of(made) for page in read_through(lot)]
    blank = -pages % 4
    assert read == [*range(pages), *[None] * blank]


@pytest.mark.parametrize("pages", range(1, 41))
def test_depth_counts_from_the_outside(pages: int) -> None:
    made = order_booklet(pages, 3)

    lots = signatures_of(made)
    assert all(len(lot) == 3 for lot in lots[:-1])
    assert [[sheet.depth for sheet in lot] for lot in lots] == [[*range(len(lot))] for lot in lots]


def test_eight_pages_are_the_two_sheets_of_every_textbook() -> None:
    assert order_booklet(8) == (
        FoldedSheet(FoldedSide(7, 0), FoldedSide(1, 6), 0),
        FoldedSheet(FoldedSide(5, 2), FoldedSide(3, 4), 1),
    )


def test_nothing_needs_no_sheet() -> None:
    assert order_booklet(0) == ()
