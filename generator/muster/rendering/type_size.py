"""Find the largest type size at which a layout fits, in few trial layouts."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from math import log
from typing import Generic, TypeVar

STEP = 0.05
"""Sizes are whole multiples of this, in points."""

_GROWTH = 1.4
"""Fullness grows with the size to this power or so, until two layouts tell better."""

FULL_ENOUGH = 0.985
"""A layout this full is taken: what larger type could still gain is not worth a layout."""

_NEAR_LARGEST = 0.9
"""A guess this near to the largest size is that size: if it fits, nothing more is to be gained."""

SizeMemory = MutableMapping[str, float]
"""What is remembered between builds: a fingerprint of what was fitted -> the size that fits.

A sheet keeps more beside it: how its blocks stand, and the height of each at the sizes tried.
"""

Laid = TypeVar("Laid")


@dataclass(frozen=True, slots=True)
class Trial(Generic[Laid]):
    """One layout: how full it is (1 is just full), and whatever the caller laid out."""

    size: float
    fullness: float
    laid: Laid


def fit_type_size(
    measure: Callable[[float], Trial[Laid]],
    smallest: float,
    largest: float,
    start: float | None = None,
    layouts: int = 5,
) -> Trial[Laid]:
    """Find the largest size, within a little, at which the layout is not over-full.

    Args:
        measure: Lays out once at a size in points.
        smallest: The smallest size allowed, in points.
        largest: The largest size wanted, in points.
        start: Where to begin; a guess that is near saves layouts.
        layouts: How many layouts are wanted at the most; one more is made at the smallest
            size if none of them fits.

    Returns:
        The layout taken. If even the smallest size does not fit, its fullness is above 1.
    """
    low: Trial[Laid] | None = None
    high = largest + STEP
    growth, before = _GROWTH, None
    first = start or (smallest + largest) / 2
    size = _round_to_step(min(max(first, smallest), largest))
    for _ in range(layouts):
        trial = measure(size)
        if trial.fullness > 1:
            high = size
        else:
            low = trial
            if trial.fullness >= FULL_ENOUGH:
                return low
        growth = _growth_between(before, trial, growth)
        before = trial
        guess = _round_to_step(size / max(trial.fullness, 0.01) ** (1 / growth))
        if guess > largest * _NEAR_LARGEST and high > largest:
            guess = largest
        bottom = low.size + STEP if low else smallest
        size = _round_to_step(min(max(guess, bottom), high - STEP))
        if size < bottom or size >= high:
            break
    return low or measure(smallest)


def _growth_between(before: Trial[Laid] | None, after: Trial[Laid], known: float) -> float:
    """Give the power with which fullness grew between two layouts, within reason."""
    if before is None or before.size == after.size or min(before.fullness, after.fullness) <= 0:
        return known
    power = log(after.fullness / before.fullness) / log(after.size / before.size)
    return min(max(power, 0.5), 3.0)


def _round_to_step(size: float) -> float:
    return round(int(size / STEP + 1e-6) * STEP, 2)
