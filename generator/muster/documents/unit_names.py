"""Name a set of units in few words: by what they have in common, or all but a few."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from muster.armies.fields import join_words
from muster.languages import say

_BUT_CHARS = 6
"""So much longer may a name be that says what units are, not what they are not."""


@dataclass(frozen=True, slots=True)
class UnitSet:
    """Units with something in common, by their titles; `wide` for what can have exceptions."""

    name: str
    titles: frozenset[str]
    wide: bool = False


def name_units(
    chosen: Iterable[str], titles: Sequence[str], sets: Sequence[UnitSet], either: Iterable[str]
) -> str:
    """Name units in the shortest way, such as `infantry but not Militia`.

    Args:
        chosen: The titles of the units to name.
        titles: The titles of all units there are, in order.
        sets: The sets that units are in, beside those of a single unit.
        either: The titles of units that the words may mean or not.
    """
    wanted, free = set(chosen), set(either)
    order = list(dict.fromkeys(titles))
    known = [*sets, *(UnitSet(title, frozenset([title])) for title in order)]
    known.sort(key=lambda each: -len(each.titles))

    def cover(target: set[str]) -> list[tuple[int, str]]:
        """Return the names of sets that hold the target, each with its place."""
        left, found = set(target), []
        for each in known:
            if each.titles & left and each.titles <= target | free:
                found.append((min(order.index(title) for title in each.titles), each.name))
                left -= each.titles
        return sorted(found)

    def listed(target: set[str]) -> str:
        return join_words([name for _, name in cover(target)])

    others = set(order) - wanted - free
    if not others:
        return say("all")
    possible = [listed(wanted), say("all but {others}", others=listed(others))]
    for each in sets:
        without = each.titles - wanted - free
        if each.wide and without and each.titles & wanted:
            but = say("{units} but not {others}", units=each.name, others=listed(set(without)))
            rest = listed(wanted - each.titles)
            possible.append(f"{rest}; {but}" if rest else but)
    lengths = [len(name) + _BUT_CHARS * (place == 1) for place, name in enumerate(possible)]
    return possible[lengths.index(min(lengths))]
