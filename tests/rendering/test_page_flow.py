"""Tests of where pages end, told from the heights of blocks."""

from __future__ import annotations

from pathlib import Path

import pytest

from muster.rendering.environment import TemplateEnvironment
from muster.rendering.page_boxes import boxes_of, classes_of
from muster.rendering.page_flow import (
    FlowBlock,
    PageEnd,
    Slice,
    fill_page,
    fill_pages,
    read_flow,
    real_ends,
)
from muster.rendering.rulebook_pages import print_styles, rulebook_print_html
from tests.rendering.test_rulebook_pages import gather

LINE = Slice(0, 1)
KEPT = Slice(0, 1, may_begin_page=False)


def text(*slices: Slice, above: float = 0, below: float = 0, head: bool = False) -> FlowBlock:
    return FlowBlock(0, 0, slices, above, below, keeps_next=head)


@pytest.mark.parametrize(
    ("blocks", "end"),
    [
        ((text(LINE), text(LINE)), PageEnd(2, 0, 0.6, wanted=True)),
        ((text(*[LINE] * 9),), PageEnd(0, 5, 0)),
        ((text(LINE, LINE), text(LINE, KEPT, KEPT, KEPT)), PageEnd(1, 0, 0.6)),
        ((text(LINE, LINE), text(LINE, KEPT, LINE, KEPT)), PageEnd(1, 2, 0.2)),
        ((text(*[LINE] * 3), text(LINE, head=True), text(LINE, KEPT)), PageEnd(1, 0, 0.4)),
        ((text(LINE, LINE), text(Slice(0, 4))), PageEnd(1, 0, 0.6)),
        ((text(Slice(0, 9)), text(LINE)), PageEnd(1, 0, -0.8)),
        ((text(LINE, KEPT, KEPT, KEPT, KEPT, KEPT),), PageEnd(0, 5, 0)),
        ((text(LINE, LINE, below=2), text(LINE, LINE, above=3)), PageEnd(1, 0, 0.6)),
        ((text(LINE, above=9), text(LINE)), PageEnd(2, 0, 0.6, wanted=True)),
    ],
)
def test_page_ends_where_it_is_full_or_before_what_has_to_stay_whole(
    blocks: tuple[FlowBlock, ...], end: PageEnd
) -> None:
    found = fill_page(blocks, 0, 0, 0, 5)

    assert (found.block, found.slice, found.wanted) == (end.block, end.slice, end.wanted)
    assert found.blank == pytest.approx(end.blank)


def test_page_ends_where_a_chapter_begins_another() -> None:
    chapter = FlowBlock(1, -1, (LINE,), above=2, begins_page=True)

    assert fill_page((text(LINE), chapter), 0, 0, 0, 5) == PageEnd(1, 0, 0.8, wanted=True)
    assert fill_page((text(LINE), chapter), 1, 0, 0, 5) == PageEnd(2, 0, 0.4, wanted=True)


def test_no_page_begins_with_what_is_kept_with_the_block_above() -> None:
    kept = FlowBlock(0, 1, (LINE, LINE), keeps_previous=True)

    assert fill_page((text(*[LINE] * 4), kept), 0, 0, 0, 4) == PageEnd(0, 3, 0.25)


def test_page_ends_above_what_has_no_room_below_it() -> None:
    item = FlowBlock(0, 1, (LINE, Slice(0, 1, room=0.5)))

    assert fill_page((text(LINE), item), 0, 0, 0, 3) == PageEnd(1, 1, 1 - 2 / 3)
    assert fill_page((text(LINE), item), 0, 0, 0, 3.5).wanted


@pytest.mark.parametrize("said", ["", "chapter_start: new-page\n", "theme: large-print\n"])
def test_pages_end_where_weasyprint_ends_them(
    templates: TemplateEnvironment, tmp_path: Path, said: str
) -> None:
    book = gather(tmp_path, said)
    html = rulebook_print_html(templates, book)
    pages = templates.printer._lay_out(html, print_styles(templates, book)).pages
    begun: list[int] = []
    for page in pages:
        sections = [box for box in boxes_of(page) if "chapter" in classes_of(box)]
        elements = [child.element for box in sections for child in box.children]
        begun.append(len(dict.fromkeys(elements)))

    flow = read_flow(pages)

    ends = fill_pages(flow.blocks, flow.first_top, flow.page_height)
    starts = [(0, 0), *((end.block, end.slice) for end in ends[:-1])]
    told = [
        end.block - block + bool(end.slice) for (block, _), end in zip(starts, ends, strict=True)
    ]
    assert len(told) > 3
    assert told == [number for number in begun if number]
    assert tuple(starts) == flow.starts
    assert ends == real_ends(flow)
