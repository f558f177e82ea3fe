"""Owns the folding of a long list into parts that stand side by side.

Does not know how high a line prints: each counts as one, and so does the head of a group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise

from generator.documents.views import Line, View

CONTINUED = "{}, cont."
"""How the head of a group reads where the group goes on in the next part."""

Part = tuple[Line, ...]


def folded(view: View, times: int) -> View:
    """Give a list of pairs or outcomes in so many parts; any other form does not fold."""
    if view.form not in {"pairs", "outcomes"} or not 1 < times <= len(view.lines):
        return view
    return replace(view, parts=_parts(view.lines, times))


def _parts(lines: Sequence[Line], times: int) -> tuple[Part, ...]:
    """Break lines where the highest part is lowest, then where fewest groups are broken."""

    def cut(breaks: tuple[int, ...]) -> list[Sequence[Line]]:
        return [lines[start:end] for start, end in pairwise((0, *breaks, len(lines)))]

    def worth(parts: Sequence[Sequence[Line]]) -> tuple[int, int, list[int]]:
        heights = [len(part) + _heads(part) for part in parts]
        broken = sum(_breaks_in(part) for part in parts[1:])
        return max(heights), broken, [-height for height in heights]

    ways = (cut(breaks) for breaks in combinations(range(1, len(lines)), times - 1))
    best = min(ways, key=worth)
    return tuple(_headed(part, first=place == 0) for place, part in enumerate(best))


def _breaks_in(part: Sequence[Line]) -> bool:
    """Tell whether a part begins amid a group."""
    return bool(part[0].within) and not part[0].group


def _heads(part: Sequence[Line]) -> int:
    return sum(bool(line.group) for line in part) + _breaks_in(part)


def _headed(part: Sequence[Line], *, first: bool) -> Part:
    top, *rest = part
    if not first and _breaks_in(part):
        top = replace(top, group=CONTINUED.format(top.within))
    return (top, *rest)
