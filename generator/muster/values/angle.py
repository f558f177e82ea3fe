"""Angles in degrees."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Self

from muster.values.number import NUMBER, plain_number, pretty_number, to_decimal
from muster.values.value import BadValue, trimmed

_ANGLE = re.compile(rf"({NUMBER})°")
_FULL_TURN = 360


class BadAngle(BadValue):
    """Raised when a text is not an angle."""

    form = "an angle in degrees"
    sample = "45°"


@dataclass(frozen=True, slots=True)
class Angle:
    """An angle: `45°`, from 0° to a full turn of 360°, both included."""

    degrees: Decimal

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the angle that a text states.

        Raises:
            BadAngle: If the text is anything else, or more than a full turn.
        """
        found = _ANGLE.fullmatch(trimmed(text, BadAngle))
        if found is None:
            raise BadAngle(text)
        degrees = to_decimal(found[1])
        if degrees > _FULL_TURN:
            raise BadAngle(text, "an angle of at most 360°,")
        return cls(degrees)

    def __str__(self) -> str:
        return f"{plain_number(self.degrees)}°"

    def show(self) -> str:
        """Return `45°`, and `22½°` for 22.5°."""
        return f"{pretty_number(self.degrees)}°"
