"""Owns the bars in the outer margin of a printed book, beside what changed.

Does not know what changed: it finds the elements that a template marks with `data-changed`. The
bars are drawn when all is laid out, so that they stand in the margin of each page, on its outer
side, and move nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pydyf

if TYPE_CHECKING:
    from weasyprint.document import Document, Page

MARK = "data-changed"
_PT_PER_PX = 0.75
_GAP_PX = 11.0
_WIDTH_PX = 2.0
_JOIN_PX = 6.0
"""Bars that are nearer than this are one bar."""

Span = tuple[float, float]


def spans(page: Page) -> list[Span]:
    """Give top and bottom of each bar of a page, in CSS pixels, from above."""
    # WeasyPrint has no public way to ask for the boxes of a page; only their places are read.
    found = sorted(_marked(page._page_box))  # noqa: SLF001 - see above
    joined: list[Span] = []
    for top, bottom in found:
        if joined and top - joined[-1][1] < _JOIN_PX:
            joined[-1] = (joined[-1][0], max(joined[-1][1], bottom))
        else:
            joined.append((top, bottom))
    return joined


def _marked(page_box: Any) -> Iterator[Span]:
    for box in page_box.descendants():
        element = getattr(box, "element", None)
        height = getattr(box, "height", None)
        if element is None or isinstance(element, str) or not isinstance(height, int | float):
            continue
        if height > 0 and MARK in getattr(element, "attrib", {}):
            yield float(box.position_y), float(box.position_y + box.border_height())


def draw_bars(document: Document, pdf: pydyf.PDF) -> None:
    """Draw the bars of all pages; they are no part of the text that a screen reader tells."""
    for number, (page, written) in enumerate(zip(document.pages, _pages(pdf), strict=True)):
        marked = spans(page)
        if not marked:
            continue
        before, after = pydyf.Stream(), pydyf.Stream()
        before.push_state()
        after.pop_state()
        after.begin_marked_content("Artifact")
        left = _left(page, number)
        after.set_color_rgb(0, 0, 0)
        for top, bottom in marked:
            corner = left * _PT_PER_PX, (page.height - bottom) * _PT_PER_PX
            after.rectangle(*corner, _WIDTH_PX * _PT_PER_PX, (bottom - top) * _PT_PER_PX)
        after.fill()
        after.end_marked_content()
        pdf.add_object(before)
        pdf.add_object(after)
        own = written["Contents"]
        written["Contents"] = pydyf.Array([before.reference, own, after.reference])


def _left(page: Page, number: int) -> float:
    """Give where a bar begins: in the right margin of a recto, the left one of a verso."""
    box = page._page_box  # noqa: SLF001 - the margins of a page are asked for nowhere else
    if number % 2 == 0:
        return float(page.width - box.margin_right + _GAP_PX)
    return float(box.margin_left - _GAP_PX - _WIDTH_PX)


def _pages(pdf: pydyf.PDF) -> Sequence[Any]:
    """Give the pages of a PDF in their order."""
    references = pdf.pages["Kids"]
    numbers = references[::3]
    return [pdf.objects[number] for number in numbers]
