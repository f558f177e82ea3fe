"""Tests of tables that move past a paragraph so that no hole is left above them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from muster.documents.passages import BookTable, Passage, PassagePiece
from muster.rendering.table_moves import Moves, MoveSearch, move_tables


def passage(*blocks: str) -> Passage:
    """Return a chapter, in which `{0}` is the table `a`, `{1}` the table `b` and `{2}` a word."""
    tables = (cast("BookTable", SimpleNamespace(view=SimpleNamespace(id=id_))) for id_ in "ab")
    pieces = (*(PassagePiece("table", table=each) for each in tables), PassagePiece("words", "x"))
    return Passage("c", 1, "C", "", "\n\n".join(blocks) + "\n", pieces, ())


def order(*blocks: str, moves: str = "a") -> list[str]:
    text = move_tables(passage(*blocks), Moves(moves)).text
    return text.strip().split("\n\n")


@pytest.mark.parametrize("below", ["Words.", "{2} men.", "**Bold**.", "- one\n- two", "1. one"])
def test_table_passes_a_paragraph_or_a_list(below: str) -> None:
    assert order("Before.", "{0}", below, "## Next") == ["Before.", below, "{0}", "## Next"]
    assert order("{0}", below) == [below, "{0}"]


@pytest.mark.parametrize(
    "below", ["## Next", '!!! example "E"\n    Words.', "{1}", "    of the item above"]
)
def test_table_passes_nothing_else(below: str) -> None:
    assert order("{0}", below, "Words.") == ["{0}", below, "Words."]


def test_table_never_comes_into_a_list() -> None:
    assert order("{0}", "- one", "- two") == ["{0}", "- one", "- two"]
    assert order("{0}", "- one", "    more of it") == ["{0}", "- one", "    more of it"]
    assert order("{0}", "Words.", "- one") == ["Words.", "{0}", "- one"]


def test_only_tables_that_were_chosen_move() -> None:
    blocks = ("{0}", "One.", "{1}", "Two.")

    assert order(*blocks, moves="") == [*blocks]
    assert order(*blocks, moves="b") == ["{0}", "One.", "Two.", "{1}"]
    assert order(*blocks, moves="ab") == ["One.", "{0}", "Two.", "{1}"]


def search() -> MoveSearch:
    return MoveSearch((passage("{0}", "One.", "{1}", "## Two"),))


def test_table_below_a_hole_is_moved_if_it_can_be() -> None:
    assert search().next_moves([0.1, 0.3], ["", "a"], Moves()) == {"a"}
    assert search().next_moves([0.1, 0.3], ["a", ""], Moves()) == set()
    assert search().next_moves([0.16], ["a"], Moves()) == set()
    assert search().next_moves([0.3], ["b"], Moves()) == set()


@pytest.mark.parametrize(("after", "kept"), [(0.1, {"a"}), (0.3, set()), (0.4, set())])
def test_move_is_kept_only_if_less_is_blank(after: float, kept: set[str]) -> None:
    seeking = search()
    moves = seeking.next_moves([0.3], ["a"], Moves())

    chosen = seeking.next_moves([after], [""], moves)

    assert chosen == kept
    assert seeking.next_moves([0.9], ["a"], chosen) == chosen
