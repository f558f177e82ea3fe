"""Read the heights of a book's blocks from its layout, and tell where pages end in another order.

WeasyPrint takes seconds to lay out a book. Where its pages would end with the same blocks in
another order follows from their heights, by the same rules for page breaks, at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from muster.rendering.page_boxes import classes_of, page_box

if TYPE_CHECKING:
    from weasyprint.document import Page

_TABLE_PREFIX = "t-"
_AVOID = {"avoid", "avoid-page"}
_OPENER_CLASSES = {"opener", "leading"}
_TOLERANCE_PX = 0.01


@dataclass(frozen=True, slots=True)
class Slice:
    """A line or another part of a block that stays whole, in CSS pixels."""

    gap: float
    """The space above it, within its block."""
    height: float
    may_begin_page: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class FlowBlock:
    """A heading, paragraph, list, example or table of a chapter, or the head of the chapter."""

    chapter: int
    part: int
    """Its number among the parts of the chapter's text, from 0; -1 for the chapter's head."""
    slices: tuple[Slice, ...]
    above: float = 0
    """The margin above it, in CSS pixels; of two margins the larger counts."""
    below: float = 0
    table: str = ""
    """The id of the table that it is, if any."""
    keeps_next: bool = False
    """Whether no page may end below it."""
    begins_page: bool = False
    may_be_passed: bool = True
    """Whether a table may move below it."""
    again_above: float = 0
    """What is repeated at the top of a page on which it goes on: padding, or a table's head."""
    again_below: float = 0
    """The padding at the foot of a page that ends within it."""


@dataclass(frozen=True, slots=True)
class BookFlow:
    """The blocks of all chapters, and the page that they begin on."""

    blocks: tuple[FlowBlock, ...]
    page_height: float
    """The height of a page's text area, in CSS pixels."""
    first_top: float = 0
    """How far below the top of the text area the first chapter begins, in CSS pixels."""


@dataclass(frozen=True, slots=True)
class PageEnd:
    """What a page ends before: a slice of a block."""

    block: int
    slice: int
    blank: float
    """The share of the page that is blank at its foot."""
    wanted: bool = False
    """Whether it ends there since the next chapter begins a page, or the chapters end."""


def fill_page(
    blocks: Sequence[FlowBlock], first: int, slice_: int, top: float, height: float
) -> PageEnd:
    """Return where a page ends that begins with a slice of a block, some way below its top."""
    y, allowed = top, PageEnd(first, slice_, 0)
    for number in range(first, len(blocks)):
        block = blocks[number]
        begins = slice_ if number == first else 0
        if block.begins_page and number > first:
            return PageEnd(number, 0, 1 - y / height, wanted=True)
        for place in range(begins, len(block.slices)):
            each = block.slices[place]
            is_first = number == first and place == begins
            if place:
                gap, may_begin = each.gap, each.may_begin_page
            else:
                before = blocks[number - 1]
                gap, may_begin = max(block.above, before.below), not before.keeps_next
            if is_first:
                gap = block.above if block.begins_page else 0
                gap = block.again_above if place else gap
            elif may_begin:
                allowed = PageEnd(number, place, 1 - y / height)
            is_last = place + 1 == len(block.slices)
            # With repeated padding, WeasyPrint wants room for the margin too.
            below = block.again_below + block.below if block.again_below else 0
            below -= block.again_below if is_last else 0
            if y + gap + each.height + below > height + _TOLERANCE_PX and not is_first:
                # Where no page may end, it ends all the same.
                nothing = (allowed.block, allowed.slice) == (first, slice_)
                return PageEnd(number, place, 1 - y / height) if nothing else allowed
            y += gap + each.height
    return PageEnd(len(blocks), 0, 1 - y / height, wanted=True)


def blank_above_chapters(pages: Sequence[Page]) -> dict[int, float]:
    """Return the share of a page that is blank before each chapter that begins the next one.

    Args:
        pages: The pages of a book that is laid out.

    Returns:
        Shares of the height of the text area, by the numbers of the chapters, from 0.
    """
    blank: dict[int, float] = {}
    seen: list[Any] = []
    end = 0.0
    for page in pages:
        area = page_box(page)
        sections = list(_chapters_of(area))
        for section in sections:
            if section.element not in seen:
                if seen and section is sections[0]:
                    blank[len(seen)] = 1 - end
                seen.append(section.element)
            bottom = section.border_box_y() + section.border_height() - area.content_box_y()
            end = float(bottom / area.height)
    return blank


def read_flow(pages: Sequence[Page]) -> BookFlow:
    """Return what stands in the chapters of a book that is laid out."""
    chapters: dict[Any, dict[Any, list[Any]]] = {}
    begins_page: list[bool] = []
    height, first_top = 0.0, 0.0
    for page in pages:
        area = page_box(page)
        for section in _chapters_of(area):
            if not chapters:
                height = float(area.height)
                first_top = float(section.children[0].border_box_y() - area.content_box_y())
            if section.element not in chapters:
                begins_page.append(bool(chapters) and section.style["break_before"] != "auto")
            children = chapters.setdefault(section.element, {})
            for child in section.children:
                children.setdefault(child.element, []).append(child)
    blocks = [
        block
        for number, children in enumerate(chapters.values())
        for block in _chapter_blocks(
            list(children.values()), number, begins_page=begins_page[number]
        )
    ]
    return BookFlow(tuple(blocks), height, first_top)


def _chapters_of(area: Any) -> Iterator[Any]:
    for box in area.descendants():
        if box.element_tag == "section" and "chapter" in classes_of(box):
            yield box


def _chapter_blocks(
    children: Sequence[Sequence[Any]], chapter: int, *, begins_page: bool
) -> Iterator[FlowBlock]:
    """Yield the blocks of a chapter, of which each child is given with its boxes on all pages."""
    heads = sum(bool(classes_of(boxes[0]) & _OPENER_CLASSES) for boxes in children)
    for number, boxes in enumerate(children):
        style, element = boxes[0].style, boxes[0].element
        id_ = element.get("id") or ""
        yield FlowBlock(
            chapter,
            max(number - heads, -1),
            tuple(_slices(boxes)),
            _pixels(style["margin_top"]),
            _pixels(style["margin_bottom"]),
            id_.removeprefix(_TABLE_PREFIX) if id_.startswith(_TABLE_PREFIX) else "",
            style["break_after"] in _AVOID,
            begins_page and number == 0,
            number >= heads and "doubts" not in classes_of(boxes[0]),
            *_repeated(boxes[0]),
        )


def _repeated(box: Any) -> tuple[float, float]:
    """Return what is repeated at the top and the foot of pages between which a block is broken."""
    if _repeats_padding(box):
        return _above(box), _below(box)
    heads = (each for each in box.descendants() if getattr(each, "is_header", False))
    return sum(float(each.height) for each in heads), 0


def _pixels(dimension: Any) -> float:
    return 0.0 if dimension == "auto" else float(dimension.value)


@dataclass(frozen=True, slots=True)
class _Span:
    """Top and bottom of what stays whole, and whether a page may begin with it."""

    top: float
    bottom: float
    may_begin_page: bool


def _slices(boxes: Sequence[Any]) -> Iterator[Slice]:
    """Yield the slices of a block that has a box on each page it stands on."""
    lines = Counter(
        each.element for box in boxes for each in box.descendants() if _kind(each) == "LineBox"
    )
    seen: Counter[Any] = Counter()
    for number, box in enumerate(boxes):
        spans = _inner_spans(box, lines, seen)
        # What is repeated on each page is left out.
        if number == 0 or not _repeats_padding(box):
            spans[0] = replace(spans[0], top=spans[0].top - _above(box))
        if number == len(boxes) - 1 or not _repeats_padding(box):
            spans[-1] = replace(spans[-1], bottom=spans[-1].bottom + _below(box))
        bottom = spans[0].top
        for span in spans:
            yield Slice(span.top - bottom, span.bottom - span.top, span.may_begin_page)
            bottom = span.bottom


def _kind(box: Any) -> str:
    return type(box).__name__


def _repeats_padding(box: Any) -> bool:
    return bool(box.style["box_decoration_break"] == "clone")


def _above(box: Any) -> float:
    return float(box.border_top_width + box.padding_top)


def _below(box: Any) -> float:
    return float(box.border_bottom_width + box.padding_bottom)


def _spans(box: Any, lines: Counter[Any], seen: Counter[Any]) -> list[_Span]:
    """Return the spans of a box on one page, with its padding and its borders."""
    spans = _inner_spans(box, lines, seen)
    spans[0] = replace(spans[0], top=spans[0].top - _above(box))
    spans[-1] = replace(spans[-1], bottom=spans[-1].bottom + _below(box))
    return spans


def _inner_spans(box: Any, lines: Counter[Any], seen: Counter[Any]) -> list[_Span]:
    """Return the spans within a box.

    Args:
        box: A block, or a part of one, on one page.
        lines: How many lines each element has.
        seen: How many lines of each element were met, and which heads of tables.
    """
    top = float(box.content_box_y())
    whole = [_Span(top, top + float(box.height), may_begin_page=True)]
    if box.style["break_inside"] in _AVOID or _kind(box) == "TableRowBox":
        return whole
    spans: list[_Span] = []
    keeps_next = False
    for child in getattr(box, "children", ()):
        if not child.is_in_normal_flow():
            continue  # The sign of a list's item.
        if _kind(child) == "LineBox":
            above = seen[box.element]
            seen[box.element] += 1
            left = lines[box.element] - above
            may_begin = not above or (above >= box.style["orphans"] and left >= box.style["widows"])
            y = float(child.position_y)
            spans.append(_Span(y, y + float(child.height), may_begin))
            continue
        if getattr(child, "is_header", False):
            seen[child.element] += 1
            if seen[child.element] > 1:
                continue  # The head of a table is repeated on each of its pages.
        inner = _spans(child, lines, seen)
        if keeps_next or child.style["break_before"] in _AVOID:
            inner[0] = replace(inner[0], may_begin_page=False)
        spans += inner
        is_head = getattr(child, "is_header", False)
        keeps_next = is_head or child.style["break_after"] in _AVOID
    return spans or whole
