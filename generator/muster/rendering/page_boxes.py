"""Inspect and amend laid-out pages: page references, overfull boxes, change bars."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pydyf
from weasyprint.document import Page

_ENTRY_CLASSES = {"entry", "below"}
_LINKED_NUMBER = re.compile(r", (\d+)")
_PRINTED_NUMBER = re.compile(r"(\d+)\)?$")


def find_wrong_references(pages: list[Page]) -> list[str]:
    """List the places that some printed page number misses.

    The width of a number can move a line, and with it the very place that it names, there and back
    again: WeasyPrint gives up after some turns, and keeps the last.
    """
    real = {name: number for number, page in enumerate(pages, 1) for name in page.anchors}
    found: dict[str, None] = {}
    for page in pages:
        for box in page._page_box.descendants():  # noqa: SLF001 - see `once_each`
            if box.element_tag != "a::after":
                continue
            place = box.element.get("href", "").removeprefix("#")
            text = "".join(getattr(each, "text", None) or "" for each in box.descendants())
            told = _PRINTED_NUMBER.search(text)
            if told and int(told[1]) != real.get(place, int(told[1])):
                found[place] = None
    return list(found)


def remove_repeated_numbers(pages: list[Page]) -> None:
    """Take repeated page numbers off the entries of an index.

    WeasyPrint has no public way to its boxes. Pages that change are made anew of theirs, so that
    links stand where their numbers stand now.
    """
    for place, page in enumerate(pages):
        box = page._page_box  # noqa: SLF001 - see the docstring
        mended = [_remove_repeats(entry) for entry in list(_index_entries(box))]
        if True in mended:
            pages[place] = Page(box)


def _classes(box: Any) -> set[str]:
    element = getattr(box, "element", None)
    return set() if element is None else set(element.get("class", "").split())


def _index_entries(page: Any) -> Iterator[Any]:
    for box in page.descendants():
        if type(box).__name__ == "BlockBox" and _classes(box) & _ENTRY_CLASSES:
            yield box


def _remove_repeats(entry: Any) -> bool:
    """Take what is repeated off the lines of one entry; tell whether anything was."""
    seen: set[str] = set()
    mended = False
    for line in entry.children:
        kept, gone = [], 0.0
        for child in getattr(line, "children", ()):
            number = _linked_number(child)
            if number and number in seen:
                gone += child.margin_width()
                continue
            if number:
                seen.add(number)
            if gone:
                child.translate(-gone, 0)
            kept.append(child)
        if gone:
            line.children = kept
            mended = True
    return mended


def _linked_number(box: Any) -> str:
    """Give the number of a link that stands whole in its line."""
    if "pg" not in _classes(box):
        return ""
    text = "".join(getattr(each, "text", None) or "" for each in box.descendants())
    found = _LINKED_NUMBER.fullmatch(text)
    return found[1] if found else ""


_OVERFULL_TOLERANCE_PX = 0.5
"""Too little to be seen: an eighth of a millimetre."""


def find_overfull(pages: Iterable[Page], name: str, edge: float) -> list[bool]:
    """Tell of each element of a class, in the order of the document, whether it is too full.

    Args:
        pages: The pages, with elements that do not split.
        name: The class.
        edge: How many pixels on the right of an element must stay free of text.

    WeasyPrint has no public way to ask for the boxes of a page; only their places are read.
    """
    return [_is_overfull(box, edge) for page in pages for box in _boxes_of_class(page, name)]


def _boxes_of_class(page: Page, name: str) -> Iterator[Any]:
    """List the boxes of elements of a class; anonymous ones below carry the same element."""
    seen: set[int] = set()
    for box in page._page_box.descendants():  # noqa: SLF001 - see above
        element = box.element
        if element is None or id(element) in seen or name not in element.get("class", "").split():
            continue
        seen.add(id(element))
        yield box


def _is_overfull(box: Any, edge: float) -> bool:
    bottom = box.content_box_y() + box.height
    if any(
        each.position_y + each.margin_height() > bottom + _OVERFULL_TOLERANCE_PX
        for each in box.children
    ):
        return True
    right = box.position_x + box.margin_width() - edge
    return any(
        each.position_x + each.width > right + _OVERFULL_TOLERANCE_PX
        for each in box.descendants()
        if getattr(each, "text", None) and each.text.strip()
    )


if TYPE_CHECKING:
    from weasyprint.document import Document

CHANGED_ATTRIBUTE = "data-changed"
_PT_PER_PX = 0.75
_BAR_GAP_PX = 11.0
_BAR_WIDTH_PX = 2.0
_BAR_JOIN_PX = 6.0
"""Bars that are nearer than this are one bar."""

Span = tuple[float, float]


def changed_spans(page: Page) -> list[Span]:
    """Give top and bottom of each bar of a page, in CSS pixels, from above."""
    # WeasyPrint has no public way to ask for the boxes of a page; only their places are read.
    found = sorted(_marked_spans(page._page_box))  # noqa: SLF001 - see above
    joined: list[Span] = []
    for top, bottom in found:
        if joined and top - joined[-1][1] < _BAR_JOIN_PX:
            joined[-1] = (joined[-1][0], max(joined[-1][1], bottom))
        else:
            joined.append((top, bottom))
    return joined


def _marked_spans(page_box: Any) -> Iterator[Span]:
    for box in page_box.descendants():
        element = getattr(box, "element", None)
        height = getattr(box, "height", None)
        if element is None or isinstance(element, str) or not isinstance(height, int | float):
            continue
        if height > 0 and CHANGED_ATTRIBUTE in getattr(element, "attrib", {}):
            yield float(box.position_y), float(box.position_y + box.border_height())


def draw_change_bars(document: Document, pdf: pydyf.PDF) -> None:
    """Draw the bars of all pages; they are no part of the text that a screen reader tells."""
    for number, (page, written) in enumerate(zip(document.pages, pdf_pages(pdf), strict=True)):
        marked = changed_spans(page)
        if not marked:
            continue
        before, after = pydyf.Stream(), pydyf.Stream()
        before.push_state()
        after.pop_state()
        after.begin_marked_content("Artifact")
        left = _bar_left(page, number)
        after.set_color_rgb(0, 0, 0)
        for top, bottom in marked:
            corner = left * _PT_PER_PX, (page.height - bottom) * _PT_PER_PX
            after.rectangle(*corner, _BAR_WIDTH_PX * _PT_PER_PX, (bottom - top) * _PT_PER_PX)
        after.fill()
        after.end_marked_content()
        pdf.add_object(before)
        pdf.add_object(after)
        own = written["Contents"]
        written["Contents"] = pydyf.Array([before.reference, own, after.reference])


def _bar_left(page: Page, number: int) -> float:
    """Give where a bar begins: in the right margin of a recto, the left one of a verso."""
    box = page._page_box  # noqa: SLF001 - the margins of a page are asked for nowhere else
    if number % 2 == 0:
        return float(page.width - box.margin_right + _BAR_GAP_PX)
    return float(box.margin_left - _BAR_GAP_PX - _BAR_WIDTH_PX)


def pdf_pages(pdf: pydyf.PDF) -> Sequence[Any]:
    """Give the pages of a PDF in their order."""
    references = pdf.pages["Kids"]
    numbers = references[::3]
    return [pdf.objects[number] for number in numbers]
