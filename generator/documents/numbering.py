"""Owns how nested steps are numbered: 1, 2, … and within them a, b, …, and within those i, ii, ….

Does not count the steps.
"""

from __future__ import annotations

from collections.abc import Sequence

_ROMAN = (
    *(("c", 100), ("xc", 90), ("l", 50), ("xl", 40), ("x", 10)),
    *(("ix", 9), ("v", 5), ("iv", 4), ("i", 1)),
)


def step_number(counters: Sequence[int]) -> str:
    """Number a step: 1, 2, … and within them a, b, …, and within those i, ii, …."""
    last = counters[-1]
    match len(counters):
        case 1:
            return str(last)
        case 2:
            return _letters(last)
        case _:
            return _roman(last)


def _letters(number: int) -> str:
    """Count a, b, … z, aa, ab, …."""
    letters = ""
    while number:
        number, left = divmod(number - 1, 26)
        letters = chr(ord("a") + left) + letters
    return letters


def _roman(number: int) -> str:
    signs = ""
    for sign, worth in _ROMAN:
        times, number = divmod(number, worth)
        signs += sign * times
    return signs
