"""Owns what a check is given, a scope with its counts, and what it gives back, a fault.

Does not know how counts are made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, NamedTuple

from generator.armies.sort import Sort
from generator.armies.vocabulary import Selector
from generator.armies.words import join, lower

Amount = Decimal | int


class Measure(NamedTuple):
    """Something to count in a scope: nodes, the sum of a field, points, or distinct values."""

    what: Literal["number", "sum", "points", "values"]
    of: Selector
    field: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """A constraint broken: what is allowed, what there is, and the remedy as reckoned.

    `key` is the field that is at fault, if it is one.
    """

    allowed: str
    actual: str
    remedy: str
    key: str = ""


class Scope(NamedTuple):
    """A node, and what was counted in it and below it: one count for each measure.

    A count of values is a mapping from value to how many nodes have it.
    """

    sort: Sort
    counts: tuple[Any, ...]

    def number(self, place: int) -> Amount:
        """Give the count of a number, a sum, or points."""
        found: Amount = self.counts[place]
        return found

    def values(self, place: int) -> Mapping[str, int]:
        """Give the count of values, in the order in which they were met."""
        found: Mapping[str, int] = self.counts[place]
        return found


def nouns(sort: Sort, selector: Selector) -> tuple[str, str]:
    """Name one and many of what a selector means."""
    composition = sort.composition
    if selector.options:
        titles = [f"“{composition.options[name].title}”" for name in selector.options]
        words = join(titles, "or")
        return words, words
    if selector.entry:
        titles = [lower(composition.entries[name].title) for name in selector.entry]
        if len(titles) == 1:
            return titles[0], titles[0] if titles[0].endswith(_PLURAL) else f"{titles[0]}s"
        words = join(titles, "or")
        return words, words
    level = composition.levels.get(selector.level or "")
    if level is not None:
        one, many = lower(level.title), (level.key or level.title).replace("-", " ")
    else:
        one, many = (selector.level or "unit"), f"{selector.level or 'unit'}s"
    flags = [name for name, values in selector.where.items() if values == ["true"]]
    if flags:
        spec = composition.spec(flags[0])
        said = lower(spec.title) if spec and spec.title else flags[0].replace("-", " ")
        return said, said
    said = " ".join(
        join([value.replace("-", " ") for value in values], "or")
        for values in selector.where.values()
    )
    return f"{said} {one}".strip(), f"{said} {many}".strip()


_PLURAL = ("infantry", "cavalry", "artillery", "s", "militia")
