"""Paper sizes, how sheets are turned over, and the units that printing converts between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PX_PER_MM = 96 / 25.4
PT_PER_MM = 72 / 25.4
PX_PER_PT = 96 / 72
PT_PER_PX = 0.75

TurnEdge = Literal["", "long", "short"]
"""The edge over which a sheet printed on both sides is turned; "" if it has one side only."""

DUPLEX_NAMES = {"long": "/DuplexFlipLongEdge", "short": "/DuplexFlipShortEdge"}
"""The names that PDF has for turning a sheet over either edge."""


def turn_edge_of(orientation: str) -> TurnEdge:
    """Return the edge over which to turn a sheet so that its back is upright, too."""
    return "short" if orientation == "landscape" else "long"


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet of paper, upright."""

    id: str
    title: str
    width_mm: float
    height_mm: float

    def turned(self, orientation: str) -> tuple[float, float]:
        """Return the width and height in millimetres, for `portrait` or `landscape`."""
        if orientation == "landscape":
            return self.height_mm, self.width_mm
        return self.width_mm, self.height_mm


PAPERS = {
    "a3": Paper("a3", "A3", 297, 420),
    "a4": Paper("a4", "A4", 210, 297),
    "letter": Paper("letter", "US Letter", 215.9, 279.4),
    "a5": Paper("a5", "A5", 148, 210),
    "digest": Paper("digest", "US Digest", 139.7, 215.9),
}
