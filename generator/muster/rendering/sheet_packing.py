"""Divide the blocks of a sheet between its columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Packing:
    """The blocks of each column, by their index, and the height of each column."""

    columns: tuple[tuple[int, ...], ...]
    heights: tuple[float, ...]

    @property
    def height(self) -> float:
        """The height of the tallest column, in the unit of the measured heights."""
        return max(self.heights, default=0.0)


def pack_blocks(
    heights: Mapping[int, Sequence[float]],
    weights: Sequence[int],
    gap: float,
    tops: Sequence[float] = (),
) -> Packing:
    """Divide blocks into columns, in order, so that the tallest column is as low as possible.

    Of several ways that are equally low, the one with the most even columns is chosen. Only
    the last columns may be empty.

    Args:
        heights: Column weight -> the height of each block in a column of that width.
        weights: The weight of each column, from the left.
        gap: The space between two blocks of a column.
        tops: The height of what stands above the blocks of each column, with the gap below it.
    """
    tops = tops or [0.0] * len(weights)
    count = len(next(iter(heights.values())))
    sums = {weight: [0.0, *_running_totals(run)] for weight, run in heights.items()}

    def height(column: int, start: int, end: int) -> float:
        if end <= start:
            return max(tops[column] - gap, 0.0)
        run = sums[weights[column]]
        return tops[column] + run[end] - run[start] + gap * (end - start - 1)

    @cache
    def best(column: int, start: int) -> tuple[float, float, tuple[int, ...]]:
        """Return the tallest height, the sum of squares and the ends for blocks from *start*."""
        if column == len(weights) - 1:
            last = height(column, start, count)
            return last, last * last, (count,)
        result: tuple[float, float, tuple[int, ...]] | None = None
        first_end = start + 1 if start < count else start
        for end in range(first_end, count + 1):
            own = height(column, start, end)
            if result is not None and own > result[0]:
                break
            rest = best(column + 1, end)
            candidate = (max(own, rest[0]), own * own + rest[1], (end, *rest[2]))
            if result is None or candidate[:2] < result[:2]:
                result = candidate
        return result or (0.0, 0.0, (count,) * (len(weights) - column))

    ends = best(0, 0)[2]
    starts = (0, *ends[:-1])
    return Packing(
        tuple(tuple(range(a, b)) for a, b in zip(starts, ends, strict=True)),
        tuple(height(c, a, b) for c, (a, b) in enumerate(zip(starts, ends, strict=True))),
    )


def _running_totals(run: Sequence[float]) -> list[float]:
    total, totals = 0.0, []
    for each in run:
        total += each
        totals.append(total)
    return totals


def columns_near(numbers: Sequence[int], reach: int) -> list[set[int]]:
    """Return the columns that each block may stand in: its own, and the next to it if it is near.

    Args:
        numbers: How many blocks stand in each column.
        reach: How many blocks of a column are near the next one.
    """
    near = []
    for column, number in enumerate(numbers):
        for place in range(number):
            before = {column - 1} if place < reach and column else set()
            after = {column + 1} if number - place <= reach and column + 1 < len(numbers) else set()
            near.append({column} | before | after)
    return near
