"""Tests of `muster impose`: what it writes, prints and refuses."""

from __future__ import annotations

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

    result = muster("impose", "leaf.pdf", "--no-ruler", "--paper", "a3")

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
