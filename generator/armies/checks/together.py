"""Owns the checks of `requires` and `excludes`, and their translations: what stands together.

Does not look above a scope or beside it.
"""

from __future__ import annotations

from generator.armies.checks.scope import Fault, Measure, Place, Scope, nouns
from generator.armies.vocabulary import ExcludesRule, RequiresRule
from generator.armies.words import counted, sentence


def requires_measures(rule: RequiresRule) -> tuple[Measure, ...]:
    """Say what is counted: what needs, then what is needed."""
    return Measure("number", rule.of), Measure("number", rule.needs)


def excludes_measures(rule: ExcludesRule) -> tuple[Measure, ...]:
    """Say what is counted: one, then the other."""
    return Measure("number", rule.of), Measure("number", rule.bars)


def requires(rule: RequiresRule, scope: Scope) -> Fault | None:
    """Check that where one stands, at least one of the other does."""
    if not scope.number(0) or scope.number(1):
        return None
    one, _ = nouns(scope.sort, rule.needs)
    _, many = nouns(scope.sort, rule.of)
    return Fault(f"at least 1 {one}", "none", sentence(f"add 1 {one}", f"do without the {many}"))


def excludes(rule: ExcludesRule, scope: Scope) -> Fault | None:
    """Check that not both stand here."""
    number, barred = scope.number(0), scope.number(1)
    if not number or not barred:
        return None
    one, many = nouns(scope.sort, rule.of)
    other, others = nouns(scope.sort, rule.bars)
    if not scope.sort.branch:
        # One node that is both: it is no use to count it.
        return Fault("one of them", "both", sentence(f"leave out {one}", other))
    actual = f"{counted(number, one, many)} and {counted(barred, other, others)}"
    return Fault("one of them", actual, sentence(f"take out the {many}", f"take out the {others}"))


def requires_demand(rule: RequiresRule, place: Place) -> None:
    """State for a solver that where one stands, at least one of the other does."""
    del rule  # what is counted says all of it
    there = place.model.holds(place.number(0), [(1, None)])
    place.demand(place.number(1), [(1, None)], (there,))


def excludes_demand(rule: ExcludesRule, place: Place) -> None:
    """State for a solver that not both stand here."""
    del rule
    there = place.model.holds(place.number(0), [(1, None)])
    place.demand(place.number(1), [(None, 0)], (there,))
