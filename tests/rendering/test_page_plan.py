"""Tests of how the pages of a book are planned: the lower margin, holes and spreads."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from math import inf
from types import SimpleNamespace
from typing import cast

import pytest

from muster.documents.passages import BookTable, Passage, PassagePiece
from muster.rendering.page_flow import BookFlow, FlowBlock, Slice
from muster.rendering.page_plan import (
    PX_PER_MM,
    PagePlan,
    _Choice,
    _Place,
    _Search,
    bottom_changes,
    plan_pages,
)

HIGH = 2 * PX_PER_MM
"""The height of a line in CSS pixels."""
LINE = Slice(0, HIGH)
HEIGHT = 100
GAME = FlowBlock(
    1, -1, (Slice(0, 90 * HIGH), Slice(0, 80 * HIGH)), begins_page=True, has_columns=True
)
CHAPTERS = (
    Passage("rules", 1, "Rules", "Words.\n", (), ()),
    Passage("game", 2, "Game", "Words.\n", (), (), spread=True),
)


def lines(number: int, *, kept: Container[int] = (), head: bool = False) -> FlowBlock:
    """Return lines one pixel high, of which those that are kept begin no page."""
    slices = tuple(Slice(0, 1, may_begin_page=n not in kept) for n in range(number))
    return FlowBlock(0, 0, slices, keeps_next=head)


def text(lines: int, *, head: bool = False) -> FlowBlock:
    """Return a block of lines; with a head, it stays with the next."""
    return FlowBlock(0, 0, (LINE,) * lines, keeps_next=head)


def table(height: int, id_: str) -> FlowBlock:
    return FlowBlock(0, 0, (Slice(0, height * HIGH),), table=id_)


def chapter(*blocks: FlowBlock) -> tuple[tuple[FlowBlock, ...], tuple[Passage, ...]]:
    """Return blocks as one chapter, and its text."""
    numbered = tuple(replace(each, part=n) for n, each in enumerate(blocks))
    ids = [each.table for each in numbered if each.table]
    tables = (cast("BookTable", SimpleNamespace(view=SimpleNamespace(id=id_))) for id_ in ids)
    parts = [
        f"{{{ids.index(b.table)}}}" if b.table else "# H" if b.keeps_next else "W."
        for b in numbered
    ]
    pieces = tuple(PassagePiece("table", table=each) for each in tables)
    return numbered, (Passage("c", 1, "C", "\n\n".join(parts) + "\n", pieces, ()),)


def plan(
    *blocks: FlowBlock,
    starts: tuple[tuple[int, int], ...] = ((0, 0), (1, 0)),
    deeper: float = 0,
    first_page: int = 1,
) -> PagePlan:
    """Return the plan for one chapter whose pages begin where they are said to, with holes."""
    numbered, passages = chapter(*blocks)
    flow = BookFlow(numbered, HEIGHT * HIGH, 0, first_page, starts)
    return plan_pages(flow, passages, {}, {}, deeper)


def end_of_page(*blocks: FlowBlock, height: float = 5) -> tuple[int, int, float, bool]:
    """Return block and slice that a page ends before, its blank share, and if that is wanted."""
    search = _Search(BookFlow(blocks, height), blocks, (), set(), 0)
    ends, _ = search._ends(_Place(), _Choice(), 0)
    end = [each for each in ends if each.needs <= height][-1:] or ends
    return end[0].first, end[0].place.slice, 1 - end[0].y / height, end[0].wanted


@pytest.mark.parametrize(
    ("blocks", "end"),
    [
        ((lines(1), lines(1)), (-1, 0, 0.6, True)),
        ((lines(9),), (0, 5, 0, False)),
        ((lines(2), lines(4, kept={1, 2, 3})), (1, 0, 0.6, False)),
        ((lines(2), lines(4, kept={1, 3})), (1, 2, 0.2, False)),
        ((lines(3), lines(1, head=True), lines(2, kept={1})), (1, 0, 0.4, False)),
        ((lines(2), FlowBlock(0, 0, (Slice(0, 4),))), (1, 0, 0.6, False)),
        ((FlowBlock(0, 0, (Slice(0, 9),)), lines(1)), (1, 0, -0.8, False)),
        ((lines(6, kept={1, 2, 3, 4, 5}),), (0, 5, 0, False)),
        ((replace(lines(2), below=2), replace(lines(2), above=3)), (1, 0, 0.6, False)),
        ((replace(lines(1), above=9), lines(1)), (-1, 0, 0.6, True)),
        ((lines(5), replace(lines(2), keeps_previous=True)), (0, 4, 0.2, False)),
        ((lines(3), FlowBlock(0, 1, (Slice(0, 1), Slice(0, 1, room=0.5)))), (1, 1, 0.2, False)),
        ((lines(1), replace(lines(1), above=2, begins_page=True)), (1, 0, 0.8, True)),
    ],
)
def test_page_ends_where_it_is_full_or_before_what_has_to_stay_whole(
    blocks: tuple[FlowBlock, ...], end: tuple[int, int, float, bool]
) -> None:
    found = end_of_page(*blocks, height=4.5 if blocks[-1].slices[-1].room else 5)

    assert found[:2] == end[:2]
    assert found[3] == end[3]
    if not blocks[-1].slices[-1].room:
        assert found[2] == pytest.approx(end[2])


def flow(lines: int, first_page: int = 1) -> BookFlow:
    """Return a book of some lines and a spread, on pages of 100 lines."""
    starts = tuple((0, line) for line in range(0, lines, HEIGHT))
    blocks = (text(lines), GAME)
    return BookFlow(blocks, HEIGHT * HIGH, 0, first_page, (*starts, (1, 0), (1, 1)))


def test_pages_stay_as_they_are_if_nothing_is_wrong() -> None:
    found = plan_pages(flow(95), CHAPTERS, {}, {}, 0)

    assert (found.bottoms, found.moves, found.blank_before) == ({}, {}, {})
    assert found.cost == found.cost_now


def test_pages_stay_if_they_cost_what_was_expected() -> None:
    found = plan_pages(flow(202, first_page=2), CHAPTERS, {}, {}, 7, expected=15)

    assert found.cost == found.cost_now > 0.3


def test_table_below_a_hole_moves_past_what_fills_it() -> None:
    found = plan(text(60), table(70, "a"), text(20), text(15), text(50))

    assert found.moves == {"a": 2}
    assert found.cost < found.cost_now


@pytest.mark.parametrize(("above", "cost"), [(80, 0.8), (55, 4)], ids=["small", "large"])
def test_long_table_is_parted_only_if_a_large_hole_were_left(above: int, cost: float) -> None:
    long = replace(text(90), table="a")
    found = plan(replace(text(above), may_be_passed=False), long, text(9))

    assert found.cost == pytest.approx(cost, abs=0.2)


def test_tables_keep_their_order() -> None:
    found = plan(text(60), table(70, "a"), text(30), table(20, "b"), text(60))

    assert found.moves == {"a": 1}


def test_no_leaf_is_turned_between_a_table_and_its_text_if_the_page_can_end_above_both() -> None:
    blocks = text(86), text(8), table(25, "a"), text(40)
    starts = ((0, 0), (2, 0))

    # Page 1 is on the right, page 2 faces page 3.
    assert plan(*blocks, starts=starts).bottoms[1] > 0
    assert plan(*blocks, starts=starts, first_page=2).bottoms == {}


def test_leaf_between_a_table_and_its_text_costs_something_in_a_layout_too() -> None:
    blocks = text(90), table(25, "a"), text(40)

    right, left = (plan(*blocks, first_page=page).cost_now for page in (1, 2))
    assert right - left == pytest.approx(0.8)


def test_last_table_of_a_chapter_never_waits_into_the_next() -> None:
    brief, following = text(1, head=True), replace(text(2), chapter=1)
    blocks = (
        text(1),
        brief,
        table(9, "t"),
        replace(following, part=-1, keeps_next=True),
        following,
    )
    search = _Search(BookFlow(blocks, HEIGHT), blocks, CHAPTERS, {0}, 0)

    order = [number for number, *_ in search._order(_Place(), _Choice(waits_from=2))]

    assert order == [0, 1, 2, 3, 4]


def test_last_table_of_a_chapter_moves_above_the_text_before_it() -> None:
    found = plan(text(50), text(25), text(5), table(45, "a"), starts=((0, 0), (3, 0)))

    assert found.moves == {"a": -2}


def test_page_is_deeper_if_little_does_not_fit() -> None:
    blocks = text(60), text(1, head=True), table(41, "a"), FlowBlock(0, 0, (Slice(0, 98 * HIGH),))
    found = plan(*blocks, starts=((0, 0), (1, 0), (3, 0)), deeper=6)

    assert found.moves == {}
    assert -6 <= found.bottoms[1] < -4
    assert plan(*blocks, starts=((0, 0), (1, 0), (3, 0))).bottoms == {}


def test_page_ends_earlier_if_the_next_has_a_hole_otherwise() -> None:
    blocks = text(80), text(10), FlowBlock(0, 0, (Slice(0, 60 * HIGH),)), text(1, head=True)
    found = plan(*blocks, table(45, "a"), text(99), starts=((0, 0), (2, 0), (3, 0), (5, 0)))

    assert found.moves.get("a", 0) or found.bottoms


def test_chapter_that_would_open_at_the_foot_of_a_page_goes_overleaf() -> None:
    head = replace(text(3, head=True), chapter=1, part=-1)
    blocks = (text(90), head, replace(text(60), chapter=1))
    flow = BookFlow(blocks, HEIGHT * HIGH, starts=((0, 0), (2, 7)))

    found = plan_pages(flow, CHAPTERS[:1] * 2, {}, {}, 0)

    assert list(found.bottoms) == [1]
    assert found.bottoms[1] > 0
    assert found.cost_now > found.cost + 0.2


def test_chapter_opens_on_a_page_that_has_room_for_its_beginning() -> None:
    head = replace(text(3, head=True), chapter=1, part=-1)
    blocks = (text(70), head, replace(text(60), chapter=1))
    flow = BookFlow(blocks, HEIGHT * HIGH, starts=((0, 0), (2, 27)))

    assert plan_pages(flow, CHAPTERS[:1] * 2, {}, {}, 0).bottoms == {}


def test_search_without_a_way_comes_to_an_end() -> None:
    blocks = [block for n in range(40) for block in (text(15), table(55, f"t{n}"))]
    starts = tuple((n, 0) for n in range(80))

    assert plan(*blocks, starts=starts).cost < inf


def test_page_of_each_anchor_is_foreseen() -> None:
    marked = replace(text(30), anchors=(("m", 25),))
    found = plan(text(60), replace(table(70, "a"), anchors=(("t-a", 0),)), text(20), marked)

    assert found.moves == {"a": 2}
    assert found.numbers == {"t-a": 2, "m": 2}


def test_spread_comes_to_begin_on_a_left_hand_page() -> None:
    found = plan_pages(flow(202, first_page=2), CHAPTERS, {}, {}, 7)

    assert sum(each < 0 for each in found.bottoms.values()) > 0
    assert found.blank_before == {}


def test_blank_before_a_spread_is_shared_with_the_page_above() -> None:
    found = plan_pages(flow(150, first_page=2), CHAPTERS, {}, {}, 0)

    assert [*found.bottoms] == [2]
    assert 0.3 < found.blank_before[1] < 0.45


def test_page_number_has_room_below_the_text() -> None:
    assert min(bottom_changes(17)) == -3.5
    assert min(bottom_changes(22)) == -6.3
    assert bottom_changes(17)[0] == 0
