"""Tests of writing a PDF: every object can be read again, as pydyf would write it."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import pydyf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader
from weasyprint import HTML

from muster.rendering.pdf_output import UA_1, PdfTarget, write_pdf

PAGE = "<html lang=en><title>Sample</title><h1>One</h1><p>abc <a href='#x'>x</a><p id=x>é 12"


def made() -> pydyf.PDF:
    return UA_1.make_pdf(HTML(string=PAGE).render())


def objects(data: bytes) -> list[str]:
    """Return all objects of a PDF with their streams, except those that locate others."""
    reader = PdfReader(BytesIO(data), strict=True)
    found = []
    for number in range(1, int(str(reader.trailer["/Size"]))):
        each: Any = reader.get_object(number)
        if each.get("/Type") not in {"/ObjStm", "/XRef"}:
            told = f"{each} {each.get_data() if hasattr(each, 'get_data') else ''}"
            found.append(re.sub(r"IndirectObject\((\d+), 0, \d+\)", r"\1 0 R", told))
    return found


def test_every_object_is_as_pydyf_writes_it() -> None:
    usual = BytesIO()
    made().write(usual, b"1.7", compress=True)

    ours = write_pdf(made())

    assert len(objects(ours)) > 30
    assert objects(ours) == objects(usual.getvalue())
    assert len(ours) < 1.05 * len(usual.getvalue())


@given(texts=st.lists(st.text("a(Ü)\\日 "), max_size=300), told=st.booleans())
def test_any_number_of_objects_can_be_read_again(*, texts: list[str], told: bool) -> None:
    pdf = pydyf.PDF()
    pdf.pages["Count"] = 0
    if told:
        pdf.info["Title"] = pydyf.String("All")
    numbers = []
    for at, text in enumerate(texts):
        about = pydyf.Dictionary({"Text": pydyf.String(text)})
        pdf.add_object(pydyf.Stream([b"x" * at], about) if at % 3 == 0 else about)
        numbers.append(len(pdf.objects) - 1)

    reader = PdfReader(BytesIO(write_pdf(pdf)), strict=True)

    read: list[Any] = [reader.get_object(number) for number in numbers]
    assert [str(each["/Text"]) for each in read] == texts
    assert [len(each.get_data()) for each in read[::3]] == list(range(0, len(texts), 3))
    assert (reader.metadata is not None) == told


@pytest.mark.parametrize(("variant", "version"), [("pdf/a-3a", "1.7"), ("pdf/x-4", "1.6")])
def test_id_of_a_file_is_that_of_its_content(variant: str, version: str) -> None:
    target = PdfTarget(variant)

    def ids(more: str = "") -> list[str]:
        data = target.write(target.make_pdf(HTML(string=PAGE + more).render()))
        assert data.startswith(f"%PDF-{version}".encode())
        return [str(each) for each in PdfReader(BytesIO(data)).trailer["/ID"]]  # type: ignore[attr-defined]  # pypdf's types

    first, second = ids("<p>z")
    assert first == second
    assert len(first) == 32
    assert ids("<p>y") != [first, second]


def test_file_for_screen_readers_has_no_id() -> None:
    assert "/ID" not in PdfReader(BytesIO(UA_1.write(made()))).trailer


def test_same_objects_give_the_same_bytes() -> None:
    assert UA_1.write(made()) == UA_1.write(made())
