"""Tests of tables that move below the text that follows, so that no hole is left above them."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from muster.documents.passages import BookTable, Passage, PassagePiece
from muster.rendering.page_flow import FlowBlock, Slice
from muster.rendering.table_moves import (
    chapters_read_alike,
    move_tables,
    moves_of,
    texts_of_tables,
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


def test_table_moves_above_paragraphs_but_no_heading_and_no_other_table() -> None:
    assert order("One.", "Two.", "{0}", a=-1) == ["One.", "{0}", "Two."]
    assert order("One.", "Two.", "{0}", a=-2) == ["{0}", "One.", "Two."]
    assert order("## Head", "Two.", "{0}", a=-2) == ["## Head", "Two.", "{0}"]
    assert order("{1}", "Two.", "{0}", a=-2) == ["{1}", "Two.", "{0}"]


def block(part: int, lines: int, table: str = "", *, heading: bool = False) -> FlowBlock:
    """Return a block of lines that are one pixel high; pages may end within a text, in any line."""
    slices = (Slice(0, lines),) if table or heading else (Slice(0, 1),) * lines
    return FlowBlock(0, part, slices, table=table, keeps_next=heading)


def test_tables_of_a_chapter_that_is_read_otherwise_are_known() -> None:
    blocks = block(0, 10), block(1, 15, "a"), block(2, 9)

    assert chapters_read_alike(blocks, (passage("Words.", "{0}", "Words."),)) == {0}
    assert chapters_read_alike(blocks, (passage("Words.", "{0}"),)) == set()


def test_moves_are_counted_in_both_directions() -> None:
    one, two, three, a, b = (
        block(0, 1),
        block(2, 1),
        block(3, 1),
        block(1, 1, "a"),
        block(4, 1, "b"),
    )

    assert moves_of([one, a, two, three, b]) == {}
    assert moves_of([one, two, three, a, b]) == {"a": 2}
    assert moves_of([one, a, b, two, three]) == {"b": -2}


def test_text_of_a_table_names_it_or_is_the_one_above_it() -> None:
    text = passage("See {3}.", "{0}", "Words.", "{1}", "Also {3}.")
    named = replace(text, pieces=(*text.pieces, PassagePiece("link", "table 1.1", "t-a")))
    blocks = tuple(block(n, 1, {1: "a", 3: "b"}.get(n, "")) for n in range(5))

    assert texts_of_tables(blocks, (named,)) == {1: (0, 4), 3: (2,)}


def test_moves_are_undone() -> None:
    text = (passage("Words.", "{0}", "Words.", "{1}", "Words."),)
    blocks = block(0, 10), block(1, 15, "a"), block(2, 9), block(3, 8, "b"), block(4, 9)
    moved = (blocks[0], blocks[2], blocks[1], blocks[4], blocks[3])
    as_read = tuple(replace(each, part=place) for place, each in enumerate(moved))

    there = undo_moves(as_read, text, moves_of(moved))

    assert [(each.part, each.table) for each in there] == [
        (each.part, each.table) for each in blocks
    ]
