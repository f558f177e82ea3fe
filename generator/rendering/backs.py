"""Owns where the backs of cards stand, so that each lies behind its front when the sheet is turned.

Does not draw them. Cards count row by row, from the upper left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from generator.rendering.viewing import Turn

Kind = TypeVar("Kind")


def turn_named(word: str) -> Turn:
    """Read the edge over which a sheet is turned."""
    return "long" if word == "long" else "short" if word == "short" else ""


def mirrored(fronts: Sequence[Kind], across: int, down: int, turn: Turn) -> list[Kind | None]:
    """Order the backs of an upright sheet as its other side is printed; None is an empty place.

    Turned over the long edge, left and right change places; over the short edge, top and bottom.
    """
    places: list[Kind | None] = [*fronts, *[None] * (across * down - len(fronts))]
    rows = [places[n * across : (n + 1) * across] for n in range(down)]
    rows = [row[::-1] for row in rows] if turn == "long" else rows[::-1]
    return [each for row in rows for each in row]
