"""Owns the placing of blocks in columns: order kept, heights balanced, nothing split.

Does not measure blocks; heights come from the caller, one for each width of column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Packing:
    """Blocks per column, as runs of their places, and the height of the tallest column."""

    columns: tuple[tuple[int, ...], ...]
    heights: tuple[float, ...]

    @property
    def height(self) -> float:
        """The tallest column's height, in the unit of the measured heights."""
        return max(self.heights, default=0.0)


def pack(heights: Mapping[int, Sequence[float]], weights: Sequence[int], gap: float) -> Packing:
    """Cut the run of blocks into columns so that the tallest is as low as can be.

    Among the ways that are equally low, the one with the most even columns is taken. Every
    column but trailing ones gets at least one block.

    Args:
        heights: Column weight -> the height of each block in a column of that width.
        weights: The weight of each column, from the left.
        gap: The white space between two blocks of a column.
    """
    count = len(next(iter(heights.values())))
    sums = {weight: [0.0, *_running(run)] for weight, run in heights.items()}

    def height(column: int, start: int, end: int) -> float:
        if end <= start:
            return 0.0
        run = sums[weights[column]]
        return run[end] - run[start] + gap * (end - start - 1)

    @cache
    def best(column: int, start: int) -> tuple[float, float, tuple[int, ...]]:
        """Give (tallest, sum of squares, ends of the columns) for the blocks from *start*."""
        if column == len(weights) - 1:
            last = height(column, start, count)
            return last, last * last, (count,)
        found: tuple[float, float, tuple[int, ...]] | None = None
        first_end = start + 1 if start < count else start
        for end in range(first_end, count + 1):
            own = height(column, start, end)
            if found is not None and own > found[0]:
                break
            rest = best(column + 1, end)
            candidate = (max(own, rest[0]), own * own + rest[1], (end, *rest[2]))
            if found is None or candidate[:2] < found[:2]:
                found = candidate
        return found or (0.0, 0.0, (count,) * (len(weights) - column))

    ends = best(0, 0)[2]
    starts = (0, *ends[:-1])
    return Packing(
        tuple(tuple(range(a, b)) for a, b in zip(starts, ends, strict=True)),
        tuple(height(c, a, b) for c, (a, b) in enumerate(zip(starts, ends, strict=True))),
    )


def _running(run: Sequence[float]) -> list[float]:
    total, totals = 0.0, []
    for each in run:
        total += each
        totals.append(total)
    return totals


def spread(packing: Packing, room: float, gap: float, most: float) -> tuple[float, ...]:
    """Give each column's gap so that its foot comes as near to the page's as *most* allows."""
    gaps = []
    for column, height in zip(packing.columns, packing.heights, strict=True):
        between = len(column) - 1
        spare = max(0.0, room - height)
        gaps.append(gap if between < 1 else min(most, gap + spare / between))
    return tuple(gaps)
