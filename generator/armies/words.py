"""Owns how findings speak of numbers and things: `3, 4 or 6 stands`, `2 stands`.

Does not know any rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from generator.armies.fields import plain

Span = tuple[Decimal, Decimal | None]
"""Least and greatest of a run of numbers, both included; None is without end."""

_LIST_UP = 4
"""As many single numbers are listed one by one; more become `8–20`."""


def join(words: Sequence[str], last: str = "and") -> str:
    """Join words as a sentence does."""
    if len(words) < 2:  # noqa: PLR2004
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def lower(title: str) -> str:
    """Put a title into the middle of a sentence; `C-in-C` and the like stay as they are."""
    return title if title[1:2].isupper() or title[1:2] == "-" else title[:1].lower() + title[1:]


def upper(text: str) -> str:
    """Begin a sentence."""
    return text[:1].upper() + text[1:]


def counted(number: Decimal | int, one: str, many: str) -> str:
    """Name a number of things: `1 stand`, `2 stands`."""
    return f"{plain(number)} {one if number == 1 else many}"


def spans(runs: Sequence[Span], one: str, many: str) -> str:
    """Name what is allowed: `3, 4 or 6 stands`, `8–20 figures`, `1 or more units`."""
    single: list[str] = []
    for low, high in runs:
        if high is None:
            single.append(f"{plain(low)} or more")
        elif low <= 0 < high:
            single.append(f"up to {plain(high)}")
        elif high - low < _LIST_UP - 1 and low == low.to_integral_value():
            single += [plain(low + step) for step in range(int(high - low) + 1)]
        else:
            single.append(f"{plain(low)}–{plain(high)}")
    if single == ["0"]:
        return f"no {many}"
    if not runs:
        return "none"
    noun = one if single in (["1"], ["up to 1"]) else many
    return f"{join(single, 'or')} {noun}"


def sentence(*parts: str) -> str:
    """Join remedies with `or` into one sentence."""
    said = [part.strip().rstrip(".") for part in parts if part.strip()]
    return f"{upper(', or '.join(said))}." if said else ""
