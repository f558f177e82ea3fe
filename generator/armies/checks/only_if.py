"""Owns the check of `only-if`: something that is only for nodes of, or under, a certain sort.

Does not count: what holds for one node of a sort holds for all.
"""

from __future__ import annotations

from generator.armies.checks.scope import Fault, nouns
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
