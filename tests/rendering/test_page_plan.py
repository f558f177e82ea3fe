"""Tests of how the pages of a book are planned: the lower margin, holes and spreads."""

from __future__ import annotations

from dataclasses import replace

import pytest

from muster.documents.passages import Passage
from muster.rendering.page_flow import BookFlow, FlowBlock, Slice
from muster.rendering.page_plan import bottom_changes, plan_pages

MM = 96 / 25.4
"""A millimetre in CSS pixels."""
LINE = Slice(0, MM)
HEIGHT = 100
CHANGES = (0.0, -1.4, 1.4, -2.8, 2.8)
GAME = FlowBlock(1, -1, (Slice(0, 90 * MM), Slice(0, 80 * MM)), begins_page=True, has_columns=True)
CHAPTERS = (
    Passage("rules", 1, "Rules", "Words.\n", (), ()),
    Passage("game", 2, "Game", "Words.\n", (), (), spread=True),
)


def flow(lines: int, first_page: int = 1) -> BookFlow:
    """Return a book of some lines and a spread, on pages of 100 lines."""
    text = FlowBlock(0, 0, (LINE,) * lines)
    starts = tuple((0, line) for line in range(0, lines, HEIGHT))
    return BookFlow((text, GAME), HEIGHT * MM, 0, first_page, (*starts, (1, 0), (1, 1)))


def test_pages_stay_as_they_are_if_nothing_is_wrong() -> None:
    plan = plan_pages(flow(95), CHAPTERS, 0.0, {}, CHANGES)

    assert (plan.bottom_mm, plan.moves, plan.blank_before) == (0.0, {}, {})


def test_spread_comes_to_begin_on_a_left_hand_page() -> None:
    plan = plan_pages(flow(202, first_page=2), CHAPTERS, 0.0, {}, CHANGES)

    assert plan.bottom_mm == -1.4
    assert plan.blank_before == {}


def test_few_lines_before_a_spread_are_pulled_back() -> None:
    plan = plan_pages(flow(102), CHAPTERS, 0.0, {}, CHANGES)

    assert plan.bottom_mm == -2.8
    assert plan.blank_before == {}


def test_half_a_page_before_a_spread_stays() -> None:
    plan = plan_pages(flow(150, first_page=2), CHAPTERS, 0.0, {}, (0.0, -1.4))

    assert plan.bottom_mm == 0.0
    assert plan.blank_before == {1: pytest.approx(0.5)}


def test_spread_is_kept_on_two_pages() -> None:
    full = replace(GAME, slices=(Slice(0, 90 * MM), Slice(0, 99 * MM)))
    book = replace(flow(101, first_page=1), blocks=(flow(101).blocks[0], full))

    assert plan_pages(book, CHAPTERS, 0.0, {}, (0.0, 2.8)).bottom_mm == 0.0


def test_page_number_has_room_below_the_text() -> None:
    assert min(bottom_changes(17)) == -3.5
    assert min(bottom_changes(22)) == -6.3
    assert bottom_changes(17)[0] == 0
