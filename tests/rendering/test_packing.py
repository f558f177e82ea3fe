"""Tests of packing blocks: order kept, nothing split, columns as even as can be."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from muster.rendering.sheet_pages import Packing, pack_blocks, spread_gaps

HEIGHTS = st.lists(st.integers(1, 50).map(float), min_size=1, max_size=9)


def brute_force(heights: list[float], columns: int, gap: float) -> float:
    """Return the lowest possible tallest column, over all divisions of the blocks."""
    best = float("inf")
    count = len(heights)
    for used in range(1, min(columns, count) + 1):
        for cuts in combinations(range(1, count), used - 1):
            ends = (0, *cuts, count)
            tall = max(sum(heights[a:b]) + gap * (b - a - 1) for a, b in pairwise(ends))
            best = min(best, tall)
    return best


@given(HEIGHTS, st.integers(1, 4), st.integers(0, 5).map(float))
def test_the_tallest_column_is_as_low_as_any_cut_allows(
    heights: list[float], columns: int, gap: float
) -> None:
    packing = pack_blocks({1: heights}, [1] * columns, gap)

    assert packing.height == brute_force(heights, columns, gap)


@given(HEIGHTS, st.integers(1, 4))
def test_every_block_stands_once_and_in_order(heights: list[float], columns: int) -> None:
    packing = pack_blocks({1: heights}, [1] * columns, 0)

    placed = [place for column in packing.columns for place in column]
    assert placed == list(range(len(heights)))


def test_a_wide_column_uses_the_heights_measured_for_its_width() -> None:
    packing = pack_blocks({1: [10, 10, 40], 2: [5, 5, 10]}, [1, 2], 0)

    assert packing.columns == ((0,), (1, 2))
    assert packing.heights == (10, 15)


def test_equally_low_packings_prefer_even_columns() -> None:
    packing = pack_blocks({1: [10, 2, 2, 2]}, [1, 1, 1], 0)

    assert set(packing.heights) == {10, 4, 2}


def test_gaps_grow_until_the_foot_or_the_limit() -> None:
    packing = Packing(((0, 1, 2), (3, 4), (5,)), (80, 98, 50))

    gaps = spread_gaps(packing, room=100, gap=5, largest=12)

    assert gaps == (12, 7, 5)
