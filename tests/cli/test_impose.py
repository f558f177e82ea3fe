"""Tests of `muster impose`: what it writes, prints and refuses."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter

from tests.cli.conftest import Muster


@pytest.fixture
def book(folder: Path) -> Path:
    """A book of five A5 pages."""
    writer = PdfWriter()
    for _ in range(5):
        writer.add_blank_page(419.53, 595.28)
    writer.write(folder / "book.pdf")
    return folder / "book.pdf"


def test_booklet_stands_beside_its_book(muster: Muster, book: Path) -> None:
    result = muster("impose", "book.pdf", "--no-ruler")

    assert result.exit_code == 0
    assert result.stderr.splitlines() == [
        "5 pages on 2 sheets; flip on the short edge",
        "wrote book-booklet.pdf; it is untagged, so use the original for screen readers",
    ]
    assert len(PdfReader(book.with_name("book-booklet.pdf")).pages) == 4


def test_one_page_is_one_sheet_of_any_size(muster: Muster, folder: Path) -> None:
    writer = PdfWriter()
    writer.add_blank_page(595.28, 841.89)
    writer.write(folder / "leaf.pdf")

    result = muster("impose", "leaf.pdf", "--no-ruler", "--paper", "A3")

    assert result.stderr.startswith("1 page on 1 sheet; flip on the short edge\n")


def test_first_sheet_is_a_ruler(muster: Muster, book: Path) -> None:
    result = muster("impose", "book.pdf", "--duplex", "long", "--out", "x.pdf")

    assert "flip on the long edge" in result.stderr
    assert "the first sheet is a ruler" in result.stderr
    assert len(PdfReader(book.with_name("x.pdf")).pages) == 6


@pytest.mark.usefixtures("book")
def test_book_is_not_overwritten(muster: Muster) -> None:
    result = muster("impose", "book.pdf", "--out", "book.pdf")

    assert result.exit_code == 2
    assert "is the input file" in result.stderr


def test_what_is_no_pdf_is_2(muster: Muster, book: Path) -> None:
    book.write_text("no PDF", encoding="utf-8")

    result = muster("impose", "book.pdf")

    assert result.exit_code == 2
    assert "book.pdf: the file cannot be read as a PDF" in result.stderr
    assert not book.with_name("book-booklet.pdf").exists()


@pytest.mark.usefixtures("book")
@pytest.mark.parametrize(
    "wrong",
    [("--creep", "9"), ("--paper", "a2"), ("--duplex", "no"), ("--signature", "-1")],
    ids=lambda wrong: wrong[0].lstrip("-"),
)
def test_wrong_option_is_2(muster: Muster, wrong: tuple[str, str]) -> None:
    assert muster("impose", "book.pdf", *wrong).exit_code == 2


def written_pdf(*objects: bytes, trailer: bytes = b"") -> bytes:
    """Return a PDF of these objects, the first of which is its catalog."""
    data, places = b"%PDF-1.7\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, each)
    size, start = len(objects) + 1, len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % size
    data += b"".join(b"%010d 00000 n \n" % place for place in places)
    data += b"trailer <</Size %d /Root 1 0 R %b>>\n" % (size, trailer)
    return data + b"startxref\n%d\n%%%%EOF" % start


def book_of_one_content(content: bytes, written: bytes, pages: int = 1) -> bytes:
    """Return a PDF whose pages share one content, as it is written."""
    kids = b" ".join(b"%d 0 R" % (number + 4) for number in range(pages))
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Contents 3 0 R>>"
    return written_pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count %d/Kids[%b]>>" % (pages, kids),
        b"<</Length %d/Filter%b>>\nstream\n%b\nendstream" % (len(content), written, content),
        *[page] * pages,
    )


def test_picture_in_a_form_that_is_not_read_is_2(muster: Muster, folder: Path) -> None:
    data = book_of_one_content(b"x" * 500, b"/JBIG2Decode/DecodeParms<</JBIG2Globals 3 0 R>>")
    (folder / "book.pdf").write_bytes(data)

    result = muster("impose", "book.pdf")

    assert result.exit_code == 2
    assert "book.pdf: the file cannot be read as a PDF (" in result.stderr


def test_modern_password_is_2(muster: Muster, folder: Path) -> None:
    filters = b"/CF<</StdCF<</CFM/AESV3>>>>/StmF/StdCF/StrF/StdCF"
    keys = b"/O(%b)/U(%b)/OE(%b)/UE(%b)/Perms(%b)"
    keys %= (b"a" * 48, b"b" * 48, b"c" * 32, b"d" * 32, b"e" * 16)
    data = written_pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>",
        trailer=b"/Encrypt<</Filter/Standard/V 5/R 6/Length 256/P -4%b%b>>/ID[(a)(a)]"
        % (keys, filters),
    )
    (folder / "book.pdf").write_bytes(data)

    result = muster("impose", "book.pdf")

    assert result.exit_code == 2
    assert "book.pdf: the file is protected by a password" in result.stderr


def test_pages_that_take_too_long_are_2(
    muster: Muster, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("muster.limits.IMPOSE_SECONDS", 0.2)
    content = zlib.compress(b" " * 20_000_000, 9)
    (folder / "book.pdf").write_bytes(book_of_one_content(content, b"/FlateDecode", pages=200))

    result = muster("impose", "book.pdf")

    assert result.exit_code == 2
    assert "book.pdf: it took more than 0.2 seconds of processor time" in result.stderr
    assert not (folder / "book-booklet.pdf").exists()
