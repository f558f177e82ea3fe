"""Estimate how wide a text is, and how many lines it takes, before it is laid out."""

from __future__ import annotations

from collections.abc import Sequence

LETTER_EM = 0.52
"""The width of a digit, and of most letters, in em."""
SPACE_EM = 0.16
_EM_OF_LETTERS = {
    **dict.fromkeys(" \u00a0\u202f′", SPACE_EM),
    **dict.fromkeys(".,:;'’", 0.20),
    **dict.fromkeys("ij!", 0.24),
    **dict.fromkeys("lIJ()[]", 0.28),
    **dict.fromkeys("ft″", 0.32),
    **dict.fromkeys("r|-", 0.36),
    **dict.fromkeys("csvxyzFL?+−×=≥≤<>", 0.44),
    **dict.fromkeys("aegkESTXYZ–/°äé", 0.48),
    **dict.fromkeys("BGR", 0.56),
    **dict.fromkeys("DHNUÜ", 0.60),
    **dict.fromkeys("wOQÖ&", 0.65),
    **dict.fromkeys("MmW%", 0.75),
    **dict.fromkeys("½¼¾", 0.84),
}
"""The widths of letters that are narrower or wider than others in our sans serif, in em."""
_ROOM_SHARE = 1.06
"""How much more room a text is given than it takes: semi-bold letters are a little wider."""


def text_em(text: str) -> float:
    """Return about how wide a text is in our sans serif, in em of its size."""
    return sum(_EM_OF_LETTERS.get(letter, LETTER_EM) for letter in text)


def text_room_em(text: str) -> float:
    """Return the width that surely holds a text in our sans serif, bold or not, in em."""
    return _ROOM_SHARE * text_em(text)


def lines_of(words: Sequence[float], width: float) -> int:
    """Return how many lines a text takes; a word that is wider than a line takes one of its own.

    Args:
        words: The widths of its words, in em.
        width: The width of a line, in em.
    """
    lines, used = 1, -SPACE_EM
    for word in words:
        if used + SPACE_EM + word > width and used > 0:
            lines, used = lines + 1, word
        else:
            used += SPACE_EM + word
    return lines
