"""Owns what may come to an army: the sorts of units of its book, and options that a rule demands.

Does not choose among them.
"""

from __future__ import annotations

from generator.armies.books import Profile
from generator.armies.composition import Composition
from generator.armies.slots import Slot
from generator.armies.vocabulary import CountRule, Entry, RequiresRule, Selector, ShareRule


def welcome(composition: Composition) -> frozenset[str]:
    """List the options that a rule may demand: what is needed, or frees from a rule."""
    found: set[str] = set()
    for rule in composition.constraints:
        wanted: list[Selector] = []
        if rule.unless is not None:
            wanted.append(rule.unless.of)
        if isinstance(rule, RequiresRule):
            wanted.append(rule.needs)
        elif isinstance(rule, ShareRule):
            wanted.append(rule.part)
        elif isinstance(rule, CountRule):
            wanted.append(rule.of)
        elif rule.kind == "only-if":
            wanted.append(rule.needs)
        found |= {option for selector in wanted for option in selector.options}
    return frozenset(found)


def troops(composition: Composition, above: Slot, level: str) -> list[Profile | Entry]:
    """List what may stand at a level: the profiles of the book, or the bare types without one."""
    book = above.sort.book
    own: list[Profile | Entry] = []
    if book is not None:
        own += [unit for unit in book.units.values() if unit.entry.level == level]
    return own or [entry for entry in composition.entries.values() if entry.level == level]
