"""Tests of boxes that hold more than there is room for."""

from __future__ import annotations

import pytest

from muster.rendering.environment import TemplateEnvironment
from muster.rendering.page_boxes import find_overfull

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
