"""Tests of what is read from a layout, and of where pages end, told from the heights of blocks."""

from __future__ import annotations

from pathlib import Path

import pytest

from muster.rendering.environment import TemplateEnvironment
from muster.rendering.page_boxes import boxes_of, classes_of, first_pages, page_box
from muster.rendering.page_flow import read_flow, real_ends
from muster.rendering.page_plan import _Choice, _Place, _Search
from muster.rendering.rulebook_pages import print_styles, rulebook_print_html
from tests.rendering.test_rulebook_pages import gather


@pytest.mark.parametrize("said", ["", "chapter_start: new-page\n", "theme: large-print\n"])
def test_pages_end_where_weasyprint_ends_them(
    templates: TemplateEnvironment, tmp_path: Path, said: str
) -> None:
    book = gather(tmp_path, said)
    html = rulebook_print_html(templates, book)
    pages = templates.printer._lay_out(html, print_styles(templates, book)).pages
    chapters = [page for page in pages if any("opener" in classes_of(b) for b in boxes_of(page))]

    flow = read_flow(pages, page_box(chapters[-1]).height)

    assert len(flow.starts) > 3
    assert len({block.chapter for block in flow.blocks}) > len(book.chapters)
    ends = real_ends(flow)
    assert [(end.block, end.slice) for end in ends[:-1]] == [*flow.starts[1:]]
    search = _Search(flow, flow.blocks, book.chapters, set(), 0)
    for n, ((block, slice_), end) in enumerate(zip(flow.starts, ends, strict=True)):
        place = _Place(block + 1, head=block, slice=slice_) if slice_ else _Place(block)
        told, _ = search._ends(place, _Choice(), 0 if n else flow.first_top)
        fitting = [each for each in told if each.needs <= flow.page_height + 0.01]
        assert (fitting[-1].place.head, fitting[-1].place.slice) == (
            (end.block, end.slice) if end.slice else (-1, 0)
        )
        assert fitting[-1].first in {end.block, -1}
        assert 1 - fitting[-1].y / flow.page_height == pytest.approx(end.blank)


def test_anchors_of_a_book_are_read_with_their_place(
    templates: TemplateEnvironment, tmp_path: Path
) -> None:
    book = gather(tmp_path)
    html = rulebook_print_html(templates, book)
    pages = templates.printer._lay_out(html, print_styles(templates, book)).pages

    flow = read_flow(pages, 1000)

    number, page_of = flow.first_page - 1, {}
    for block_number, block in enumerate(flow.blocks):
        for place in range(len(block.slices)):
            number += (block_number, place) in flow.starts
            page_of.update({each: number for each, n in block.anchors if n == place})
    printed = first_pages(pages)
    assert len(page_of) > 20
    assert {each: printed[each] for each in page_of} == page_of
