"""Paper sizes, and the units that printing converts between."""

from __future__ import annotations

from dataclasses import dataclass

PX_PER_MM = 96 / 25.4


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
    "a4": Paper("a4", "A4", 210, 297),
    "letter": Paper("letter", "US Letter", 215.9, 279.4),
    "a5": Paper("a5", "A5", 148, 210),
    "digest": Paper("digest", "US Digest", 139.7, 215.9),
}
