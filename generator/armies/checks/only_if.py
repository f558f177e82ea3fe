"""Owns the check of `only-if`, and its translation: what is only for nodes of, or under, a sort.

Does not count: what holds for one node of a sort holds for all.
"""

from __future__ import annotations

from generator.armies.checks.scope import Fault, Place, nouns
from generator.armies.solving import Linear
from generator.armies.sort import Sort
from generator.armies.vocabulary import OnlyIfRule
from generator.armies.words import lower, sentence


def only_if(rule: OnlyIfRule, sort: Sort) -> Fault | None:
    """Check one sort: itself, or something that it stands under, must be what is needed."""
    if not sort.is_a(rule.of) or sort.under_a(rule.needs):
        return None
    meant = rule.of
    if meant.options:
        has = [option.id for option in sort.options if option.id in meant.options]
        meant = meant.model_copy(update={"options": has})
    one, _ = nouns(sort, meant)
    needed, _ = nouns(sort, rule.needs)
    return Fault(f"only {needed}", lower(sort.title), sentence(f"leave out {one}"))


def only_if_demand(rule: OnlyIfRule, place: Place) -> None:
    """State for a solver that who is meant is, or stands under, what is needed."""
    place.demand(Linear.of(place.under(rule.needs)), [(1, 1)], (place.meant(rule.of),))
