"""Read the heights of a book's blocks from its layout, and where its pages end.

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

TABLE_PREFIX = "t-"
_AVOID = {"avoid", "avoid-page"}
_OPENER_CLASSES = {"opener", "leading"}
_TOLERANCE_PX = 0.01
_FILLED = 0.9
"""The share of a page that its columns surely fill if they go on overleaf."""


@dataclass(frozen=True, slots=True)
class Slice:
    """A line or another part of a block that stays whole, in CSS pixels."""

    gap: float
    """The space above it, within its block."""
    height: float
    may_begin_page: bool = True
    room: float = 0
    """What has to be free below it on its page."""


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
    keeps_previous: bool = False
    """Whether no page may begin with it."""
    begins_page: bool = False
    may_be_passed: bool = True
    """Whether a table may move below it."""
    again_above: float = 0
    """What is repeated at the top of a page on which it goes on: padding, or a table's head."""
    again_below: float = 0
    """The padding at the foot of a page that ends within it."""
    has_columns: bool = False
    """Whether it is text in columns, a slice for each of its pages."""
    anchors: tuple[tuple[str, int], ...] = ()
    """The anchors in it, each with the number of its slice."""

    @property
    def height(self) -> float:
        """Its height on one page, in CSS pixels."""
        return sum(each.gap + each.height for each in self.slices)


Place = tuple[int, int]
"""The numbers of a block and of a slice of it."""


@dataclass(frozen=True, slots=True)
class BookFlow:
    """The blocks of all chapters, and their pages."""

    blocks: tuple[FlowBlock, ...]
    page_height: float
    """The height of a page's text area, in CSS pixels."""
    first_top: float = 0
    """How far below the top of the text area the first chapter begins, in CSS pixels."""
    first_page: int = 1
    """The number of the page that the first chapter begins on."""
    starts: tuple[Place, ...] = ((0, 0),)
    """What each page begins with in this layout."""


@dataclass(frozen=True, slots=True)
class PageEnd:
    """What a page ends before: a slice of a block."""

    block: int
    slice: int
    blank: float
    """The share of the page that is blank at its foot."""
    wanted: bool = False
    """Whether it ends there since the next chapter begins a page, or the chapters end."""
    opening: float = 1
    """The share of the page that the last chapter has that begins on it; 1 if none does."""


def real_ends(flow: BookFlow) -> list[PageEnd]:
    """Return where the pages of a layout end."""
    ends: list[PageEnd] = []
    following = (*flow.starts[1:], (len(flow.blocks), 0))
    for page, ((first, slice_), end) in enumerate(zip(flow.starts, following, strict=True)):
        y = 0.0 if page else flow.first_top
        opened: float | None = None
        for number, place, gap, each in _slices_from(flow.blocks, first, slice_):
            if (number, place) == end:
                break
            if not place and begins_chapter(flow.blocks, number):
                opened = y + gap
            y += gap + each.height
        wanted = end[0] == len(flow.blocks) or (not end[1] and flow.blocks[end[0]].begins_page)
        opening = 1 if opened is None else (y - opened) / flow.page_height
        ends.append(PageEnd(*end, 1 - y / flow.page_height, wanted, opening))
    return ends


_LONG = 2 / 3
"""The share of a page above which a table is long."""


def long_tables(flow: BookFlow) -> frozenset[str]:
    """Return the ids of the tables that are so long that a page may end within them."""
    least = _LONG * flow.page_height
    return frozenset(each.table for each in flow.blocks if each.table and each.height > least)


def begins_chapter(blocks: Sequence[FlowBlock], number: int) -> bool:
    """Return whether a block is the first of its chapter, in the order of the text."""
    return not number or blocks[number - 1].chapter != blocks[number].chapter


def _slices_from(
    blocks: Sequence[FlowBlock], first: int, slice_: int
) -> Iterator[tuple[int, int, float, Slice]]:
    """Yield all slices from one that begins a page, each with its place and the space above it."""
    for number in range(first, len(blocks)):
        block = blocks[number]
        begins = slice_ if number == first else 0
        for place in range(begins, len(block.slices)):
            gap = block.slices[place].gap if place else 0.0
            if number == first and place == begins:
                gap = block.again_above if place else block.above if block.begins_page else 0.0
            elif not place:
                gap = max(block.above, blocks[number - 1].below)
            yield number, place, gap, block.slices[place]


def read_flow(pages: Sequence[Page], page_height: float) -> BookFlow:
    """Return what stands in the chapters of a book that is laid out, and in what follows them.

    What follows, such as the glossary, counts on as chapters. The height of a page is that of its
    text area, if it is not changed, in CSS pixels.
    """
    chapters: dict[Any, dict[Any, list[tuple[int, Any]]]] = {}
    begins_page: list[bool] = []
    first_top, first_page = 0.0, 0
    for page_number, page in enumerate(pages, 1):
        area = page_box(page)
        for section in _sections_of(area, begun=bool(chapters)):
            if not chapters:
                first_top = float(section.children[0].border_box_y() - area.content_box_y())
                first_page = page_number
            if section.element not in chapters:
                begins_page.append(bool(chapters) and section.style["break_before"] != "auto")
            children = chapters.setdefault(section.element, {})
            for child in [section] if _is_whole(section) else section.children:
                children.setdefault(child.element, []).append((page_number, child))
    blocks: list[FlowBlock] = []
    starts: dict[int, Place] = {}
    for number, children in enumerate(chapters.values()):
        heads = sum(bool(classes_of(parts[0][1]) & _OPENER_CLASSES) for parts in children.values())
        for child_number, parts in enumerate(children.values()):
            boxes = [box for _, box in parts]
            spans = _spans_by_page(boxes)
            slices = _slices(boxes, spans)
            below = 0
            anchors: list[tuple[str, int]] = []
            for (page_number, box), held, tops in zip(parts, slices, spans, strict=True):
                starts.setdefault(page_number, (len(blocks), below))
                anchors += ((each, below + n) for each, n in _anchors_of(box, tops))
                below += len(held)
            block = _block(parts[0][1], number, max(child_number - heads, -1), slices)
            begins = begins_page[number] and child_number == 0
            # What goes on overleaf has its anchor there again; the first is meant.
            firsts = tuple(dict(reversed(anchors)).items())
            blocks.append(replace(block, begins_page=begins, anchors=firsts))
    return BookFlow(tuple(blocks), page_height, first_top, first_page, tuple(starts.values()))


def _sections_of(area: Any, *, begun: bool) -> Iterator[Any]:
    """Yield the chapters of a page, and what follows them."""
    for box in area.descendants():
        classes = classes_of(box)
        if box.element_tag == "section" and "chapter" in classes:
            begun = True
            yield box
        elif begun and (_is_whole(box) or (box.element_tag == "section" and "back" in classes)):
            yield box


def _is_whole(box: Any) -> bool:
    """Return whether a box is the colophon, which is a single block."""
    return "colophon" in classes_of(box) and _kind(box) == "BlockBox"


def _anchors_of(box: Any, spans: Sequence[_Span]) -> Iterator[tuple[str, int]]:
    """Yield the anchors in a block on one page, each with the number of its span there."""
    for each in (box, *box.descendants()):
        element = getattr(each, "element", None)
        anchor = None if element is None or isinstance(element, str) else element.get("id")
        if anchor:
            y = float(each.position_y) + _ANCHOR_TOLERANCE_PX
            yield anchor, max((n for n, span in enumerate(spans) if span.top <= y), default=0)


_ANCHOR_TOLERANCE_PX = 2.0


def _block(box: Any, chapter: int, part: int, slices: Sequence[Sequence[Slice]]) -> FlowBlock:
    """Return a block of a chapter, given its box on its first page and its slices by page."""
    style = box.style
    id_ = box.element.get("id") or ""
    return FlowBlock(
        chapter,
        part,
        tuple(each for held in slices for each in held),
        _pixels(style["margin_top"]),
        _pixels(style["margin_bottom"]),
        id_.removeprefix(TABLE_PREFIX) if id_.startswith(TABLE_PREFIX) else "",
        style["break_after"] in _AVOID,
        style["break_before"] in _AVOID,
        may_be_passed=part >= 0 and "doubts" not in classes_of(box),
        again_above=_repeated_above(box),
        again_below=_below(box) if _repeats_padding(box) else 0,
        has_columns=_has_columns(box),
    )


def _repeated_above(box: Any) -> float:
    """Return what is repeated at the top of a page on which a block goes on."""
    if _repeats_padding(box):
        return _above(box)
    if _has_columns(box):
        return 0
    heads = (each for each in box.descendants() if getattr(each, "is_header", False))
    return sum(float(each.height) for each in heads)


def _pixels(dimension: Any) -> float:
    return 0.0 if dimension == "auto" else float(dimension.value)


@dataclass(frozen=True, slots=True)
class _Span:
    """Top and bottom of what stays whole, whether it may begin a page, and the room below it."""

    top: float
    bottom: float
    may_begin_page: bool
    room: float = 0


def _has_columns(box: Any) -> bool:
    return bool(box.style["column_count"] != "auto")


def _spans_by_page(boxes: Sequence[Any]) -> list[list[_Span]]:
    """Return the spans of a block that has a box on each page it stands on, by page."""
    if _has_columns(boxes[0]):
        # Columns have as many pages as they have now.
        tops = [(float(box.position_y), float(box.border_height())) for box in boxes]
        return [[_Span(top, top + height, may_begin_page=True)] for top, height in tops]
    lines = Counter(
        each.element for box in boxes for each in box.descendants() if _kind(each) == "LineBox"
    )
    seen: Counter[Any] = Counter()
    found = []
    for number, box in enumerate(boxes):
        spans = _inner_spans(box, lines, seen)
        # What is repeated on each page is left out.
        if number == 0 or not _repeats_padding(box):
            spans[0] = replace(spans[0], top=spans[0].top - _above(box))
        if number == len(boxes) - 1 or not _repeats_padding(box):
            below = _below(box)
            room = max(spans[-1].room, _padding_again(box))
            spans[-1] = replace(spans[-1], bottom=spans[-1].bottom + below, room=room)
        found.append(spans)
    return found


def _slices(boxes: Sequence[Any], spans_by_page: Sequence[Sequence[_Span]]) -> list[list[Slice]]:
    """Return the slices of a block, by page, given its spans."""
    if _has_columns(boxes[0]):
        # All but their last fill their page.
        heights = [spans[0].bottom - spans[0].top for spans in spans_by_page]
        return [[Slice(0, height * _FILLED)] for height in heights[:-1]] + [[Slice(0, heights[-1])]]
    found: list[list[Slice]] = []
    for number, (box, spans) in enumerate(zip(boxes, spans_by_page, strict=True)):
        # Where a page ends, a margin is lost.
        bottom = spans[0].top - (_margin_between(boxes[number - 1], box) if number else 0)
        held = []
        for span in spans:
            gap, height = span.top - bottom, span.bottom - span.top
            held.append(Slice(gap, height, span.may_begin_page, span.room))
            bottom = span.bottom
        found.append(held)
    return found


def _margin_between(before: Any, after: Any) -> float:
    """Return the margin between what ends one page and what begins the next, in one block."""
    ended, begun = list(_edge_of(before, -1)), list(_edge_of(after, 0))
    going_on = {each.element for each in ended} & {each.element for each in begun}
    margins = [_pixels(e.style["margin_bottom"]) for e in ended if e.element not in going_on]
    margins += [_pixels(e.style["margin_top"]) for e in begun if e.element not in going_on]
    return max(margins, default=0.0)


def _edge_of(box: Any, side: int) -> Iterator[Any]:
    """Yield the blocks in a box that begin with it (side 0) or end with it (side -1)."""
    while children := [
        each
        for each in getattr(box, "children", ())
        if _kind(each) != "LineBox"
        and each.is_in_normal_flow()
        and not getattr(each, "is_header", False)
    ]:
        box = children[side]
        yield box


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
    if box.style["break_inside"] in _AVOID:
        return whole
    if _kind(box) == "TableRowBox":
        # Cells are beside each other, so the highest tells where the row may break. Their padding
        # makes them as high as the row, and is left out.
        cells = (_inner_spans(cell, lines, seen) for cell in box.children)
        highest = max(cells, key=lambda held: held[-1].bottom - held[0].top)
        return [replace(highest[0], top=top), *highest[1:]]
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
        inner[-1] = replace(inner[-1], room=max(inner[-1].room, _room_below(child, box)))
        spans += inner
        is_head = getattr(child, "is_header", False)
        keeps_next = is_head or child.style["break_after"] in _AVOID
    return spans or whole


def _room_below(box: Any, parent: Any) -> float:
    """Return what WeasyPrint wants to be free below a block: below lines, their padding again."""
    if not _kind(box).startswith("Block"):
        return 0
    margin = 0 if parent.bottom_margin_collapses() else box.margin_bottom
    return float(margin) + _padding_again(box)


def _padding_again(box: Any) -> float:
    has_lines = any(_kind(child) == "LineBox" for child in box.children)
    return _below(box) if has_lines else 0
