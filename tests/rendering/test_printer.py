"""Tests of the printer: what it may fetch, and what counts as an error."""

from __future__ import annotations

import base64
import logging
import os
import re
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from muster.rendering.environment import TemplateEnvironment
from muster.rendering.printed import Printed, PrintError
from muster.rendering.printer import Printer, default_styles
from tests.rendering.conftest import TEMPLATES

PAGE = "<!doctype html><html lang='en'><title>T</title>{style}<h1 id='top'>A</h1>{body}"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>'
ADDRESS = "data:image/svg+xml;base64," + base64.b64encode(SVG.encode()).decode()


def page(body: str = "", style: str = "") -> str:
    return PAGE.format(body=body, style=f"<style>{style}</style>" if style else "")


@pytest.fixture
def printer(templates: TemplateEnvironment) -> Printer:
    return templates.printer


@pytest.mark.parametrize(
    "address",
    [
        "file://{path}",
        "FILE://{path}",
        "File://localhost{path}",
        f"{TEMPLATES.as_uri()}/../../../../../../../..{{path}}",
        f"{TEMPLATES.as_uri()}/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e{{path}}",
        "http://127.0.0.1:9{path}",
        "HTTPS://127.0.0.1:9{path}",
        "ftp://127.0.0.1:9{path}",
        "{path}",
    ],
    ids=["file", "upper case", "localhost", "dots", "encoded dots", "http", "https", "ftp", "path"],
)
def test_nothing_outside_the_folders_is_fetched(
    address: str, printer: Printer, tmp_path: Path
) -> None:
    (tmp_path / "x.svg").write_text(SVG, encoding="utf-8")
    address = address.format(path=tmp_path / "x.svg")
    image, ground = f'<img src="{address}" alt="x">', f"h1 {{ background: url({address}) }}"

    for body, style in [(image, ""), ("", ground)]:
        with pytest.raises(PrintError, match="WeasyPrint warns"):
            printer.pdf(page(body, style), [], "page")


def test_style_from_outside_is_refused(printer: Printer, tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("h1 { color: red }", encoding="utf-8")

    with pytest.raises(PrintError, match="is outside the folders"):
        printer.pdf(page(style=f"@import url({(tmp_path / 'a.css').as_uri()});"), [], "page")


@pytest.mark.parametrize("kind", ["pipe", "folder", "device"])
def test_file_that_is_no_file_is_not_loaded(
    kind: str, tmp_path: Path, templates: TemplateEnvironment
) -> None:
    path = tmp_path / "x.svg"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")
    printer = Printer([TEMPLATES, tmp_path], templates.faces)

    with pytest.raises(PrintError, match=r"expected a|outside the folders"):
        printer.pdf(page(f'<img src="{path.as_uri()}" alt="x">'), [], "page")


def test_link_that_leads_out_of_a_folder_is_refused(
    tmp_path: Path, templates: TemplateEnvironment
) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "x.svg").write_text(SVG, encoding="utf-8")
    (inside / "x.svg").symlink_to(outside / "x.svg")
    (inside / "y.svg").write_text(SVG, encoding="utf-8")
    printer = Printer([TEMPLATES, inside], templates.faces)

    printer.pdf(page(f'<img src="{(inside / "y.svg").as_uri()}" alt="y">'), [], "page")

    with pytest.raises(PrintError, match=r"x\.svg is outside"):
        printer.pdf(page(f'<img src="{(inside / "x.svg").as_uri()}" alt="x">'), [], "page")


def test_drawing_in_the_page_itself_is_printed(printer: Printer) -> None:
    assert printer.pdf(page(f'<img src="{ADDRESS}" alt="x">'), [], "page").pages == 1


def test_drawing_may_not_fetch_either(printer: Printer) -> None:
    inner = SVG.replace("<path", '<image href="file:///etc/hostname" width="9" height="9"/><path')
    address = "data:image/svg+xml;base64," + base64.b64encode(inner.encode()).decode()

    with pytest.raises(PrintError):
        printer.pdf(page(f'<img src="{address}" alt="x">'), [], "page")


def test_unknown_property_is_an_error_each_time(printer: Printer) -> None:
    for _ in range(2):
        with pytest.raises(PrintError, match="florp"):
            printer.pdf(page(), ["h1 { florp: 1 }"], "page")
        with pytest.raises(PrintError, match="florp"):
            printer.measure(page(), ["h1 { florp: 1 }"], "page")


def test_warning_is_told_once_and_names_the_document(printer: Printer) -> None:
    with pytest.raises(PrintError) as caught:
        printer.pdf(page(style="h1 { florp: 1 } p { florp: 1 }"), [], "The sheet")

    assert str(caught.value).startswith("The sheet: WeasyPrint warns: ")


def test_warnings_are_left_alone_outside_of_printing(
    printer: Printer, caplog: pytest.LogCaptureFixture
) -> None:
    printer.pdf(page(), [], "page")

    logging.getLogger("weasyprint").warning("somebody else's")

    assert caplog.messages == ["somebody else's"]


def test_sign_that_no_font_has_does_not_stop_the_print(printer: Printer) -> None:
    assert printer.pdf(page("\U0001f409 \u9f8d"), [], "page").pages == 1


def test_number_of_pages_that_differs_is_an_error(printer: Printer) -> None:
    with pytest.raises(PrintError, match="page: 1 pages, expected 2"):
        printer.pdf(page(), [], "page", 2)


def test_same_page_gives_the_same_bytes(printer: Printer) -> None:
    first = printer.pdf(page(f'<img src="{ADDRESS}" alt="x">'), ["h1 { color: red }"], "page", 1)

    assert printer.pdf(page(f'<img src="{ADDRESS}" alt="x">'), ["h1 { color: red }"], "p") == first
    assert isinstance(first, Printed)
    assert PdfReader(BytesIO(first.data)).outline


def test_measuring_tells_places_and_what_sticks_out(printer: Printer) -> None:
    style = "@page { size: 100px 200px; margin: 10px } body, h1 { margin: 0 } h1 { height: 30px }"
    wide = "<p style='white-space: nowrap; break-before: page'>far too wide for this page</p>"

    measured = printer.measure(page(wide, style), [], "page")

    top = measured.anchors["top"]
    assert (top.page, top.left, top.top, top.width, top.height) == (0, 10, 10, 80, 30)
    (found,) = measured.wide
    assert (found.text, found.page) == ("far too wide for this page", 1)
    assert found.share > 0.5
    assert 10 <= found.top < 40


def test_faces_that_are_not_there_are_an_error(tmp_path: Path) -> None:
    face = f'@font-face {{ font-family: "X"; src: url("{(tmp_path / "x.ttf").as_uri()}") }}'

    with pytest.raises(PrintError, match="fonts: WeasyPrint warns"):
        Printer([tmp_path], face)


def test_default_styles_compute_no_part_of_every_element() -> None:
    assert not re.findall(r"^::.*$", default_styles(), re.MULTILINE)


def test_lists_have_their_markers(printer: Printer) -> None:
    printed = printer.pdf(page("<ol><li>Form</li><li>Fire</li></ol>"), [], "list", 1)

    assert "1." in PdfReader(BytesIO(printed.data)).pages[0].extract_text()
