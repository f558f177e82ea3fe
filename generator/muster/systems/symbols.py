"""The symbols that tell at a glance what a unit is: outlines on a square of 100 by 100."""

from __future__ import annotations

import re

LONGEST_OUTLINE = 4000
"""The most characters of an outline."""

_OUTLINE = re.compile(r"[Mm][MmLlHhVvCcSsQqTtAaZz0-9eE+\-., \n]*")

# A hole runs against its shape's direction, so that shapes may overlap.
HOUSE_SYMBOLS = {
    "foot": (
        "M47 26 Q38 12 50 0 Q62 12 53 26 Z"
        "M24 28 H76 L69 72 H31 Z M50 40 A9 9 0 1 0 50 58 A9 9 0 1 0 50 40 Z"
        "M27 76 H73 L77 86 Q50 100 23 86 Z"
    ),
    "horse": (
        "M30 98 H82 C86 66 80 34 60 22 L60 4 L47 17 C35 21 25 36 14 54 C9 62 15 72 23 69"
        " L35 63 C42 63 48 60 53 53 C53 68 33 72 30 98 Z M44 33 A4 4 0 1 0 44 41 A4 4 0 1 0 44 33 Z"
    ),
    "gun": (
        "M8 50 L14 40 L82 11 L86 9 L95 30 L91 32 L24 60 L14 62 Z"
        "M44 62 L52 70 L12 98 L4 92 Z"
        "M52 42 A26 26 0 1 1 52 94 A26 26 0 1 1 52 42 Z"
        "M52 49 A19 19 0 1 0 52 87 A19 19 0 1 0 52 49 Z"
        "M52 60 A8 8 0 1 1 52 76 A8 8 0 1 1 52 60 Z"
        "M50 47 H54 V89 H50 Z M31 66 H73 V70 H31 Z"
        "M37.9 51.1 L68.9 82.1 L66.1 84.9 L35.1 53.9 Z"
        "M68.9 53.9 L37.9 84.9 L35.1 82.1 L66.1 51.1 Z"
    ),
    "officer": (
        "M52 24 C44 14 46 4 60 0 C70 6 66 18 58 26 Z"
        "M2 66 C18 64 26 26 50 22 C74 26 82 64 98 66 C88 84 68 74 50 74 C32 74 12 84 2 66 Z"
        "M50 38 A9 9 0 1 0 50 56 A9 9 0 1 0 50 38 Z"
    ),
    "commander": (
        "M52 16 C44 8 46 2 58 0 C66 4 64 12 58 18 Z"
        "M6 48 C20 46 28 18 50 15 C72 18 80 46 94 48 C86 62 66 54 50 54 C34 54 14 62 6 48 Z"
        "M50 26 A7 7 0 1 0 50 40 A7 7 0 1 0 50 26 Z"
        "M50 60 L55.3 72.7 L69 73.8 L58.6 82.8 L61.8 96.2 L50 89 L38.2 96.2 L41.4 82.8"
        " L31 73.8 L44.7 72.7 Z"
    ),
    "skirmisher": (
        "M2 18 H10 V34 H2 Z M8 22 H56 C72 22 84 14 96 2 V50 C84 38 72 32 56 32 H8 Z"
        "M46 24 A36 36 0 1 1 46 96 A36 36 0 1 1 46 24 Z"
        "M46 34 A26 26 0 1 0 46 86 A26 26 0 1 0 46 34 Z"
    ),
    "wagon": (
        "M10 58 V36 C10 16 28 10 50 10 C72 10 90 16 90 36 V58 Z M4 62 H96 V72 H4 Z"
        "M27 66 A15 15 0 1 1 27 96 A15 15 0 1 1 27 66 Z"
        "M27 73 A8 8 0 1 0 27 89 A8 8 0 1 0 27 73 Z M27 78 A3 3 0 1 1 27 84 A3 3 0 1 1 27 78 Z"
        "M73 66 A15 15 0 1 1 73 96 A15 15 0 1 1 73 66 Z"
        "M73 73 A8 8 0 1 0 73 89 A8 8 0 1 0 73 73 Z M73 78 A3 3 0 1 1 73 84 A3 3 0 1 1 73 78 Z"
    ),
    "flag": (
        "M16 4 A5 5 0 1 1 22 4 V100 H16 Z"
        "M26 10 C44 0 62 22 94 10 L86 34 L94 58 C62 70 44 48 26 58 Z"
    ),
    "wing": (
        "M4 20 C34 8 66 16 84 44 C92 57 94 72 92 90 C84 78 76 72 66 70 C68 66 68 62 67 60"
        " C58 62 50 60 44 56 C48 54 50 51 51 48 C40 49 32 46 26 40 C31 39 34 37 36 34"
        " C24 35 12 30 4 20 Z"
    ),
}
"""Each symbol's name and the outline of its shape, filled where lines run round it."""


def check_outline(text: str) -> str:
    """Return the outline of a symbol, as written.

    Raises:
        ValueError: If it is not path data such as `M10 10 H90 V90 Z`, or is too long.
    """
    if len(text) > LONGEST_OUTLINE:
        msg = f"an outline has at most {LONGEST_OUTLINE} characters, this one has {len(text)}"
        raise ValueError(msg)
    if _OUTLINE.fullmatch(text) is None:
        msg = f"read {text[:40]!r}, expected an outline in SVG path data such as 'M10 10 H90 V90 Z'"
        raise ValueError(msg)
    return text
