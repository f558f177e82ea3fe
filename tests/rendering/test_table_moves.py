"""Tests of tables that move below the text that follows, so that no hole is left above them."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from muster.documents.passages import BookTable, Passage, PassagePiece
from muster.rendering.page_flow import FlowBlock, Slice
from muster.rendering.table_moves import (
    Moves,
    arrange,
    chapters_read_alike,
    move_tables,
    moves_of,
    undo_moves,
)


def passage(*blocks: str) -> Passage:
    """Return a chapter, in which `{0}` is the table `a`, `{1}` the table `b` and `{2}` a word."""
    tables = (cast("BookTable", SimpleNamespace(view=SimpleNamespace(id=id_))) for id_ in "ab")
    pieces = (*(PassagePiece("table", table=each) for each in tables), PassagePiece("words", "x"))
    return Passage("c", 1, "C", "\n\n".join(blocks) + "\n", pieces, ())


def order(*blocks: str, a: int = 1, b: int = 0) -> list[str]:
    text = move_tables(passage(*blocks), {"a": a, "b": b}).text
    return text.strip().split("\n\n")


@pytest.mark.parametrize(
    "below",
    ["Words.", "{2} men.", "**Bold**.", "- one\n- two", "1. one", '!!! example "E"\n    Words.'],
)
def test_table_passes_a_paragraph_a_list_or_an_example(below: str) -> None:
    assert order("Before.", "{0}", below, "## Next") == ["Before.", below, "{0}", "## Next"]
    assert order("{0}", below) == [below, "{0}"]


def test_table_passes_a_heading_with_the_text_below_it() -> None:
    assert order("{0}", "## Next", "Words.", "More.", a=2) == ["## Next", "Words.", "{0}", "More."]
    assert order("{0}", "## Next", "Words.", a=1) == ["{0}", "## Next", "Words."]


def test_table_never_passes_another() -> None:
    assert order("{0}", "{1}", "Words.") == ["{0}", "{1}", "Words."]
    assert order("{0}", "Words.", "{1}", "Words.", a=3) == ["{0}", "Words.", "{1}", "Words."]


def test_table_never_comes_into_a_list_or_an_example() -> None:
    assert order("{0}", "- one", "- two") == ["- one", "- two", "{0}"]
    assert order("{0}", "- one", "    more of it") == ["- one", "    more of it", "{0}"]
    example = ('!!! example "E"\n    Words.', "    More.")
    assert order("{0}", *example, "After.") == [*example, "{0}", "After."]


def test_only_tables_that_were_chosen_move() -> None:
    blocks = ("{0}", "One.", "{1}", "Two.")

    assert order(*blocks, a=0) == [*blocks]
    assert order(*blocks, a=0, b=1) == ["{0}", "One.", "Two.", "{1}"]
    assert order(*blocks, a=1, b=1) == ["One.", "{0}", "Two.", "{1}"]


def block(part: int, lines: int, table: str = "", *, heading: bool = False) -> FlowBlock:
    """Return a block of lines that are one pixel high; pages may end within a text, in any line."""
    slices = (Slice(0, lines),) if table or heading else (Slice(0, 1),) * lines
    return FlowBlock(0, part, slices, table=table, keeps_next=heading)


def moves(*blocks: FlowBlock, height: float = 20) -> Moves:
    """Return what moves in a chapter, on pages of some height."""
    texts = (
        {"a": "{0}", "b": "{1}"}.get(each.table, "# Head" if each.keeps_next else "Words.")
        for each in blocks
    )
    movable = chapters_read_alike(blocks, (passage(*texts),))
    found = arrange(blocks, movable, 0, height)
    assert found
    return moves_of(found.blocks)


def test_table_below_a_hole_is_moved_past_what_fills_it() -> None:
    blocks = block(0, 10), block(1, 15, "a"), block(2, 4), block(3, 4), block(4, 9)

    assert moves(*blocks) == {"a": 2}
    assert moves(*blocks, height=11) == {}
    assert moves(block(0, 18), *blocks[1:]) == {}


def test_table_goes_overleaf_with_those_that_follow_it() -> None:
    blocks = block(0, 10), block(1, 15, "a"), block(2, 4), block(3, 8, "b"), block(4, 9)

    assert moves(*blocks) == {"a": 2, "b": 1}


def test_table_passes_into_the_next_section_only_if_that_is_needed() -> None:
    head = block(3, 1, heading=True)

    assert moves(block(0, 10), block(1, 15, "a"), block(2, 9), head, block(4, 9)) == {"a": 1}
    assert moves(block(0, 10), block(1, 15, "a"), block(2, 4), head, block(4, 9)) == {"a": 3}


def test_table_moves_with_its_heading_left_behind() -> None:
    head = block(1, 2, heading=True)

    assert moves(block(0, 10), head, block(2, 15, "a"), block(3, 9)) == {"a": 1}


def test_table_on_the_page_before_moves_if_that_fills_a_hole() -> None:
    whole = [FlowBlock(0, part, (Slice(0, lines),)) for part, lines in ((2, 5), (3, 9))]
    blocks = block(0, 12), block(1, 8, "a"), *whole, block(4, 7, "b")

    assert moves(*blocks) == {"a": 1}


def test_tables_of_a_chapter_that_is_read_otherwise_stay() -> None:
    blocks = block(0, 10), block(1, 15, "a"), block(2, 9)

    assert chapters_read_alike(blocks, (passage("Words.", "{0}", "Words."),)) == {0}
    assert chapters_read_alike(blocks, (passage("Words.", "{0}"),)) == set()
    found = arrange(blocks, set(), 0, 20)
    assert found
    assert moves_of(found.blocks) == {}


def test_only_an_arrangement_that_costs_less_is_found() -> None:
    blocks = block(0, 10), block(1, 15, "a"), block(2, 9)

    assert arrange(blocks, set(), 0, 20, most=0.3) is None
    found = arrange(blocks, {0}, 0, 20, most=0.3)
    assert found
    assert 0 < found.cost < 0.3


def test_moves_are_undone() -> None:
    text = (passage("Words.", "{0}", "Words.", "{1}", "Words."),)
    blocks = block(0, 10), block(1, 15, "a"), block(2, 9), block(3, 8, "b"), block(4, 9)
    moved = (blocks[0], blocks[2], blocks[1], blocks[4], blocks[3])
    as_read = tuple(replace(each, part=place) for place, each in enumerate(moved))

    there = undo_moves(as_read, text, moves_of(moved))

    assert [(each.part, each.table) for each in there] == [
        (each.part, each.table) for each in blocks
    ]


def test_search_without_a_way_comes_to_an_end() -> None:
    tables = [block(2 * n + 1, 11, "ab"[n % 2]) for n in range(40)]
    texts = [block(2 * n, 3) for n in range(40)]
    blocks = [each for pair in zip(texts, tables, strict=True) for each in pair]

    assert isinstance(moves(*blocks), dict)
