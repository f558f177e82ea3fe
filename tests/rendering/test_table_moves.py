"""Tests of tables that move below the text that follows, so that no hole is left above them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from muster.documents.passages import BookTable, Passage, PassagePiece
from muster.rendering.table_moves import MoveSearch, move_tables


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


def search(*blocks: str) -> MoveSearch:
    """Return a search in a chapter whose pages have 40 lines of 10 characters."""
    return MoveSearch((passage(*(blocks or ("{0}", "One.", "{1}", "## Two"))),), 40, 10)


def test_table_below_a_hole_is_moved_if_it_can_be() -> None:
    assert search().next_moves([0.1, 0.3], ["", "a"], {}) == {"a": 1}
    assert search().next_moves([0.1, 0.3], ["a", ""], {}) == {}
    assert search().next_moves([0.16], ["a"], {}) == {}
    assert search().next_moves([0.3], ["b"], {}) == {}


def test_table_moves_as_far_as_fills_the_hole() -> None:
    five_lines = "x" * 50
    blocks = ("{0}", five_lines, "## Head", five_lines, five_lines)

    assert search(*blocks).next_moves([0.2], ["a"], {}) == {"a": 1}
    assert search(*blocks).next_moves([0.3], ["a"], {}) == {"a": 3}
    assert search(*blocks).next_moves([0.6], ["a"], {}) == {"a": 4}


def test_table_passes_into_the_next_section_only_if_that_fills_the_hole() -> None:
    blocks = ("{0}", "x" * 50, "## Head", "x" * 50, "{1}")

    assert search(*blocks).next_moves([0.3], ["a"], {}) == {"a": 3}
    assert search(*blocks).next_moves([0.9], ["a"], {}) == {"a": 1}


def test_table_passes_an_example_only_if_the_hole_holds_all_of_it() -> None:
    blocks = ("{0}", '!!! example "E"\n    ' + "x" * 60)

    assert search(*blocks).next_moves([0.2], ["a"], {}) == {}
    assert search(*blocks).next_moves([0.4], ["a"], {}) == {"a": 1}


@pytest.mark.parametrize(("after", "kept"), [(0.1, {"a": 1}), (0.3, {}), (0.4, {})])
def test_move_is_kept_only_if_less_is_blank(after: float, kept: dict[str, int]) -> None:
    seeking = search()
    moves = seeking.next_moves([0.3], ["a"], {})

    chosen = seeking.next_moves([after], [""], moves)

    assert chosen == kept
    assert seeking.next_moves([0.9], ["a"], chosen) == chosen


def test_search_ends_after_a_few_tries() -> None:
    seeking = search("{0}", *("x" * 10 for _ in range(9)))
    moves: dict[str, int] = {}
    tries = 0
    while (further := seeking.next_moves([0.9 - tries / 10], ["a"], moves)) != moves:
        moves = dict(further)
        tries += 1
        assert tries < 5
