"""Inspect and amend laid-out pages: page references, overfull boxes, change bars."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pydyf

from muster.rendering.paper import PT_PER_PX
from muster.rendering.pdf_output import pdf_pages

if TYPE_CHECKING:
    from weasyprint.document import Document, Page


def boxes_of(page: Page) -> Iterator[Any]:
    """Yield all boxes of a page, in document order.

    WeasyPrint has no public way to them. All that looks at boxes is here, in `page_flow` and in
    `book_index`, and reads their positions; only `drop_needless_continued` and `add_blank_pages`
    change any.
    """
    yield from page_box(page).descendants()


def page_box(page: Page) -> Any:
    """Return the box of a page, whose content box is the text area."""
    return page._page_box  # noqa: SLF001 - see `boxes_of`


def text_of(box: Any) -> str:
    """Return the text of a box and of all boxes in it."""
    return "".join(getattr(each, "text", None) or "" for each in box.descendants())


_OVERHANG_TOLERANCE_PX = 1.0


@dataclass(frozen=True, slots=True)
class Overhang:
    """A text, table or picture that sticks out of its page, by a share of the page's width.

    Pages count from 0, and the top is in CSS pixels on that page.
    """

    share: float
    text: str
    page: int
    top: float


def find_overhangs(
    page: Page, number: int, margin: float = 0, *, with_tables: bool = False
) -> Iterator[Overhang]:
    """Yield what sticks out of a page, or reaches into *margin* pixels at its right.

    That is text, the drawings of diagrams, by their alternative text, and if so asked tables, whose
    rules stick out where their text does not.
    """
    for box in boxes_of(page):
        is_drawing = hasattr(box, "replacement") and "drawn" in classes_of(box)
        text = box.element.get("alt") if is_drawing else getattr(box, "text", None)
        if with_tables and type(box).__name__ == "TableBox":
            text = text_of(box)
        if text and text.strip():
            over = box.position_x + box.width - (page.width - margin)
            if over > _OVERHANG_TOLERANCE_PX:
                yield Overhang(over / page.width, text.strip()[:40], number, box.position_y)


_PRINTED_NUMBER = re.compile(r"(\d+)\)?$")


def first_pages(pages: Iterable[Page]) -> dict[str, int]:
    """Return the number of the page on which each anchor stands, or begins, counted from 1."""
    numbers: dict[str, int] = {}
    for number, page in enumerate(pages, 1):
        for name in page.anchors:
            # What goes on overleaf has its anchor on each of its pages; the first is meant.
            numbers.setdefault(name, number)
    return numbers


def find_wrong_references(pages: list[Page]) -> list[str]:
    """Return the anchors whose printed page number is wrong, each once.

    The width of a number can move a line, and with it the anchor that the number refers to, back
    and forth from one layout to the next. WeasyPrint stops after a few layouts and keeps the last.
    """
    actual = first_pages(pages)
    wrong: dict[str, None] = {}
    for page in pages:
        for box in boxes_of(page):
            if box.element_tag != "a::after":
                continue
            anchor = box.element.get("href", "").removeprefix("#")
            printed = _PRINTED_NUMBER.search(text_of(box))
            if printed and int(printed[1]) != actual.get(anchor, int(printed[1])):
                wrong[anchor] = None
    return list(wrong)


def drop_needless_continued(pages: Iterable[Page]) -> None:
    """Remove from the head of each long table, on its first page, that it is continued there."""
    begun: set[int] = set()
    for page in pages:
        for box in boxes_of(page):
            for child in getattr(box, "children", ()):
                if "more" in classes_of(child) and id(child.element) not in begun:
                    begun.add(id(child.element))
                    box.children = [each for each in box.children if each is not child]


def add_blank_pages(pages: list[Page], number: int) -> None:
    """Add blank pages like the last one, without its text, its head and its number."""
    last = pages[-1]
    pages += [type(last)(page_box(last).copy_with_children(())) for _ in range(number)]


def classes_of(box: Any) -> set[str]:
    """Return the classes of a box's element."""
    element = getattr(box, "element", None)
    return set() if element is None else set(element.get("class", "").split())


_OVERFULL_TOLERANCE_PX = 0.5
"""An eighth of a millimetre, which nobody sees."""


def find_overfull(pages: Iterable[Page], name: str, edge: float) -> list[bool]:
    """Return for each element of a class, in document order, whether it is overfull.

    Args:
        pages: Pages on which no such element is split.
        name: The class of the elements.
        edge: How many pixels at the right of an element must stay free of text.
    """
    return [_is_overfull(box, edge) for page in pages for box in _boxes_of_class(page, name)]


def _boxes_of_class(page: Page, name: str) -> Iterator[Any]:
    """Yield one box for each element of a class.

    Anonymous boxes below it carry the same element, and are left out.
    """
    seen: set[int] = set()
    for box in boxes_of(page):
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
    right = box.content_box_x() + box.width - edge
    return any(
        each.position_x + each.width > right + _OVERFULL_TOLERANCE_PX
        for each in box.descendants()
        if getattr(each, "text", None) and each.text.strip()
    )


CHANGED_ATTRIBUTE = "data-changed"
_BAR_GAP_PX = 11.0
_BAR_WIDTH_PX = 2.0
_BAR_JOIN_PX = 6.0
"""Bars with less than this between them become one."""

Span = tuple[float, float]


def changed_spans(page: Page) -> list[Span]:
    """Return top and bottom of each change bar of a page, in CSS pixels from the top."""
    spans = sorted(_marked_spans(page))
    joined: list[Span] = []
    for top, bottom in spans:
        if joined and top - joined[-1][1] < _BAR_JOIN_PX:
            joined[-1] = (joined[-1][0], max(joined[-1][1], bottom))
        else:
            joined.append((top, bottom))
    return joined


def _marked_spans(page: Page) -> Iterator[Span]:
    for box in boxes_of(page):
        element = getattr(box, "element", None)
        height = getattr(box, "height", None)
        if element is None or isinstance(element, str) or not isinstance(height, int | float):
            continue
        if height > 0 and CHANGED_ATTRIBUTE in getattr(element, "attrib", {}):
            yield float(box.position_y), float(box.position_y + box.border_height())


def draw_change_bars(document: Document, pdf: pydyf.PDF) -> None:
    """Draw the change bars of all pages, as artifacts that screen readers skip."""
    for number, (page, pdf_page) in enumerate(zip(document.pages, pdf_pages(pdf), strict=True)):
        spans = changed_spans(page)
        if not spans:
            continue
        before, after = pydyf.Stream(), pydyf.Stream()
        before.push_state()
        after.pop_state()
        after.begin_marked_content("Artifact")
        left = _bar_left(page, number)
        after.set_color_rgb(0, 0, 0)
        for top, bottom in spans:
            lower_left = left * PT_PER_PX, (page.height - bottom) * PT_PER_PX
            after.rectangle(*lower_left, _BAR_WIDTH_PX * PT_PER_PX, (bottom - top) * PT_PER_PX)
        after.fill()
        after.end_marked_content()
        pdf.add_object(before)
        pdf.add_object(after)
        contents = pdf_page["Contents"]
        pdf_page["Contents"] = pydyf.Array([before.reference, contents, after.reference])


def _bar_left(page: Page, number: int) -> float:
    """Return the left edge of the bars: in the right margin of a recto, the left of a verso.

    In CSS pixels; pages are numbered from 0.
    """
    box = page_box(page)
    if number % 2 == 0:
        return float(page.width - box.margin_right + _BAR_GAP_PX)
    return float(box.margin_left - _BAR_GAP_PX - _BAR_WIDTH_PX)
