"""Find the largest type size at which a layout fits, in few trial layouts."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from math import log
from typing import Generic, TypeVar

STEP = 0.05
"""Sizes are whole multiples of this, in points."""

_GROWTH = 1.4
"""The power of the size with which fullness grows, as a guess."""

FULL_ENOUGH = 0.985
"""A slightly larger size than that of a layout this full is not worth another layout."""

_MISSES = 3
"""After so many layouts in a row that do not fit, guesses are not trusted any more."""

SizeMemory = MutableMapping[str, float]
"""Sizes that are kept between builds: a key of what was fitted -> the size that fits, in points.

A sheet also stores which block stands in which column, and the height of each block at each
size that was tried.
"""

LayoutT = TypeVar("LayoutT")


@dataclass(frozen=True, slots=True)
class Trial(Generic[LayoutT]):
    """One layout: its type size in points, its fullness (1 is just full), and what was laid out."""

    size: float
    fullness: float
    laid: LayoutT


@dataclass(frozen=True, slots=True)
class Search:
    """How a size is sought.

    Attributes:
        growth: The power of the size with which fullness grows, until two layouts have shown it.
        enough: The fullness from which a layout is accepted.
        near: How little below a size that did not fit a layout is accepted, in points.
        layouts: How many layouts may be made.
        near_largest: A guess above this share of the largest size is raised to it: if that fits,
            the search ends.
    """

    growth: float = _GROWTH
    enough: float = FULL_ENOUGH
    near: float = STEP
    layouts: int = 5
    near_largest: float = 0.9


FINE = Search()


def fit_type_size(
    measure: Callable[[float], Trial[LayoutT]],
    smallest: float,
    largest: float,
    start: float | None = None,
    layouts: int | None = None,
    search: Search = FINE,
) -> Trial[LayoutT]:
    """Find the largest size, within a little, at which a layout is not overfull.

    Args:
        measure: Lays out once, at a size in points.
        smallest: The smallest size allowed, in points.
        largest: The largest size allowed, in points.
        start: The first size to try, in points; a good guess saves layouts.
        layouts: How many layouts may be made, else as many as the search allows; if none of them
            fits, one more is made at the smallest size.
        search: How near to the largest size the result has to be.

    Returns:
        The layout that was chosen. If not even the smallest size fits, its fullness is above 1.
    """
    low: Trial[LayoutT] | None = None
    high = largest + STEP
    growth, previous = search.growth, None
    misses = 0
    first = start or (smallest + largest) / 2
    size = _round_to_step(min(max(first, smallest), largest))
    for _ in range(layouts or search.layouts):
        trial = measure(size)
        if trial.fullness > 1:
            high = size
            misses += 1
            if low and high - low.size <= search.near + STEP / 2:
                return low
        else:
            low, misses = trial, 0
            if trial.fullness >= search.enough or high - size <= search.near + STEP / 2:
                return low
        growth = _growth_between(previous, trial, growth)
        previous = trial
        guess = _round_to_step(size / max(trial.fullness, 0.01) ** (1 / growth))
        if guess > largest * search.near_largest and high > largest:
            guess = largest
        bottom = low.size + STEP if low else smallest
        if low and high <= largest and (guess < bottom or misses >= _MISSES):
            # Fullness jumps where a word becomes wider than its column: then guesses mislead.
            guess = (low.size + high) / 2
        size = _round_to_step(min(max(guess, bottom), high - STEP))
        if size < bottom or size >= high:
            break
    return low or measure(smallest)


def _growth_between(before: Trial[LayoutT] | None, after: Trial[LayoutT], default: float) -> float:
    """Return the power of the size with which fullness grew between two layouts, within limits."""
    if before is None or before.size == after.size or min(before.fullness, after.fullness) <= 0:
        return default
    power = log(after.fullness / before.fullness) / log(after.size / before.size)
    return min(max(power, 0.5), 3.0)


def _round_to_step(size: float) -> float:
    return round(int(size / STEP + 1e-6) * STEP, 2)
