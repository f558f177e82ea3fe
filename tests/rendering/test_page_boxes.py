"""Tests of laid-out pages: change bars, and boxes that hold more than there is room for."""

from __future__ import annotations

from io import BytesIO

import pytest
from pypdf import PdfReader

from muster.rendering.environment import TemplateEnvironment
from muster.rendering.page_boxes import find_overfull

MM = 72 / 25.4
HEIGHT_MM = 100.0
INNER_MM = 25.0
OUTER_MM = 12.0
WIDTH_MM = 80.0

PAGE = f"""<!doctype html><html lang="en"><head><title>Bars</title><style>
@page {{ size: {WIDTH_MM}mm {HEIGHT_MM}mm; margin: 10mm {OUTER_MM}mm 10mm {INNER_MM}mm; }}
@page :left {{ margin-left: {OUTER_MM}mm; margin-right: {INNER_MM}mm; }}
body {{ margin: 0; }} p, td, th {{ margin: 0; height: 10mm; padding: 0; }}
</style></head><body>BODY</body></html>"""

Bar = tuple[int, float, float, float]
"""Page from 0; left, top and height in millimetres."""


def bars(data: bytes) -> list[Bar]:
    """Return the rectangles that are drawn as artifacts, after everything else on a page."""
    found = []
    for number, page in enumerate(PdfReader(BytesIO(data)).pages):
        contents = page["/Contents"]
        if not isinstance(contents, list):
            continue
        drawn = contents[-1].get_object().get_data().decode()
        assert drawn.startswith("Q\n/Artifact\nBMC\n")
        assert drawn.rstrip().endswith("EMC")
        for line in drawn.splitlines():
            if line.endswith(" re"):
                left, bottom, _, height = (float(part) / MM for part in line.split()[:4])
                top = HEIGHT_MM - bottom - height
                found.append((number, round(left, 1), round(top, 1), round(height, 1)))
    return found


def printed(templates: TemplateEnvironment, body: str) -> bytes:
    return templates.printer.pdf(PAGE.replace("BODY", body), [], "bars").data


def test_bar_stands_beside_a_changed_paragraph_in_the_outer_margin(
    templates: TemplateEnvironment,
) -> None:
    data = printed(templates, "<p>One</p><p data-changed>Two</p><p>Three</p>")

    ((page, left, top, height),) = bars(data)
    assert (page, top, height) == (0, 20, 10)
    assert WIDTH_MM - OUTER_MM < left < WIDTH_MM


def test_bar_changes_sides_on_a_left_page(templates: TemplateEnvironment) -> None:
    data = printed(templates, "<p>One</p>" * 8 + "<p data-changed>Nine</p>")

    ((page, left, top, _),) = bars(data)
    assert (page, top) == (1, 10)
    assert 0 < left < OUTER_MM


def test_bars_of_neighbours_are_one_bar(templates: TemplateEnvironment) -> None:
    data = printed(templates, "<p data-changed>One</p><p data-changed>Two</p><p>Three</p>")

    assert [(top, height) for _, _, top, height in bars(data)] == [(10, 20)]


def test_paragraph_that_breaks_has_a_bar_on_both_pages(templates: TemplateEnvironment) -> None:
    data = printed(
        templates,
        "<p>One</p>" * 7 + '<p data-changed style="height: auto">' + "On.<br>" * 8 + "</p>",
    )

    assert [page for page, *_ in bars(data)] == [0, 1]


def test_bar_stands_beside_a_changed_row(templates: TemplateEnvironment) -> None:
    row = '<tr{}><th scope="row">Foot</th><td>1</td></tr>'
    body = f"<table><tbody>{row.format('')}{row.format(' data-changed')}</tbody></table>"

    ((_, left, _, height),) = bars(printed(templates, body))
    assert left > WIDTH_MM - OUTER_MM
    assert 9 < height < 12


def test_page_without_a_change_is_as_without_bars(templates: TemplateEnvironment) -> None:
    plain = printed(templates, "<p>One</p>")

    assert bars(plain) == []


def test_bars_move_nothing(templates: TemplateEnvironment) -> None:
    bodies = ("<p>One</p>" * 12, "<p>One</p>" * 6 + "<p data-changed>One</p>" + "<p>One</p>" * 5)
    texts = [
        [page.extract_text() for page in PdfReader(BytesIO(printed(templates, body))).pages]
        for body in bodies
    ]

    assert texts[0] == texts[1]


def test_book_with_bars_has_the_same_bytes_twice(templates: TemplateEnvironment) -> None:
    body = "<p data-changed>One</p>"

    assert printed(templates, body) == printed(templates, body)


STYLE = """
@page { size: 300px 200px; margin: 0 }
body { margin: 0; font: 10px/10px Muster Sans }
p, h3 { margin: 0 }
.card { width: 100px; height: 50px; padding: 5px; border: 1px solid; float: left;
  box-sizing: border-box; overflow: hidden; position: relative }
"""


def flags(templates: TemplateEnvironment, *inner: str, edge: float = 0) -> list[bool]:
    body = "".join(f"<article class='card one'>{each}</article>" for each in inner)
    html = f"<html lang=en><title>x</title><style>{STYLE}</style><main>{body}</main>"
    found: list[bool] = []
    templates.printer.pdf(
        html, [], "sample", before_drawing=lambda p: found.extend(find_overfull(p, "card", edge))
    )
    return found


@pytest.mark.parametrize(
    ("inner", "full"),
    [
        ("", False),
        ("text in an anonymous box", False),
        ("<p style='height: 38px'></p>", False),
        ("<p style='height: 39px'></p>", True),
        ("<p style='height: 20px'></p><h3 style='height: 20px'></h3>", True),
        ("<p style='height: 20px'></p><p style='height: 10px; margin: 0 0 9px'></p>", True),
        ("<table><tr><td style='height: 45px'>a</table>", True),
    ],
    ids=[
        "empty",
        "text",
        "just fits",
        "just too high",
        "collapsing margins",
        "margin below",
        "table",
    ],
)
def test_box_is_too_full_if_its_content_ends_below_it(
    inner: str, full: object, templates: TemplateEnvironment
) -> None:
    assert flags(templates, inner) == [full]


def test_text_that_reaches_over_the_edge_on_the_right_is_too_much(
    templates: TemplateEnvironment,
) -> None:
    text = "<p style='white-space: nowrap; width: 30px'>{}</p>"

    assert flags(templates, text.format("short"), text.format("w" * 40)) == [False, True]
    assert flags(templates, text.format("short"), edge=90) == [True]


def test_every_box_is_told_of_once_in_the_order_of_the_document(
    templates: TemplateEnvironment,
) -> None:
    tall = "<p style='height: 60px'></p>"
    inner = [f"<p>{n}" for n in range(14)]
    inner[2] = inner[11] = tall

    found = flags(templates, *inner)

    assert [at for at, full in enumerate(found) if full] == [2, 11]
    assert len(found) == 14


@pytest.mark.parametrize(("mm", "over"), [(43, []), (70, ["A battery and its arc"])])
def test_drawing_that_sticks_out_of_its_page_is_found(
    mm: int, over: list[str], templates: TemplateEnvironment
) -> None:
    svg = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'/>"
    drawn = f'<p><img class="drawn" style="width: {mm}mm" alt="A battery and its arc" src="{svg}">'

    found = templates.printer.measure(PAGE.replace("BODY", drawn), [], "drawn").wide

    assert [each.text for each in found] == over


def test_table_whose_rules_stick_out_of_its_page_is_found(templates: TemplateEnvironment) -> None:
    """The words of the table have room, the space beside them has none."""
    table = "<table style='width: 130%'><tr><td>Open</td></tr></table>"

    found = templates.printer.measure(PAGE.replace("BODY", table), [], "table").wide

    assert [each.text for each in found] == ["Open"]
