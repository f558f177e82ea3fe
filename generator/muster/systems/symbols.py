"""The symbols that tell at a glance what a unit or phase is: outlines on a square of 100 by 100."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from muster.problems import did_you_mean

LONGEST_OUTLINE = 4000
"""The most characters of an outline."""

_OUTLINE = re.compile(r"[Mm][MmLlHhVvCcSsQqTtAaZz0-9eE+\-., \n]*")


@cache
def house_symbols() -> Mapping[str, str]:
    """Return the symbols that come with Muster: each one's name and outline, a filled shape."""
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    return {name: " ".join(outline.split()) for name, outline in tomllib.loads(text).items()}


def check_symbol(name: str) -> str:
    """Return the name of a symbol of Muster's, as written.

    Raises:
        ValueError: If there is none of that name.
    """
    known = house_symbols()
    if name not in known:
        hint = did_you_mean(name, known)
        raise ValueError(f"there is no symbol {name!r}{hint}; known: {', '.join(known)}")
    return name


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
