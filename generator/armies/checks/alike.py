"""Owns the checks of `alike` and `variety`, and their translations: different values in a scope.

Does not count nodes to which an attribute does not apply.
"""

from __future__ import annotations

from collections.abc import Iterable

from generator.armies.checks.scope import Fault, Measure, Place, Scope, nouns
from generator.armies.solving import Linear
from generator.armies.vocabulary import AlikeRule, VarietyRule
from generator.armies.words import counted, join, lower, sentence


def alike_measures(rule: AlikeRule) -> tuple[Measure, ...]:
    """Say what is counted."""
    return (Measure("values", rule.of, rule.attribute),)


def variety_measures(rule: VarietyRule) -> tuple[Measure, ...]:
    """Say what is counted."""
    return (Measure("values", rule.of, rule.attribute),)


def alike(rule: AlikeRule, scope: Scope) -> Fault | None:
    """Check that there is one value at most; the remedy moves the fewest."""
    values = scope.values(0)
    if len(values) < 2:  # noqa: PLR2004
        return None
    most = max(values, key=lambda value: values[value])
    others = [value for value in values if value != most]
    number = sum(values[value] for value in others)
    one, many = nouns(scope.sort, rule.of)
    what = counted(number, f"{_words(others)} {one}", f"{_words(others)} {many}")
    away = sentence(f"move {what} out of this {lower(scope.sort.title)}")
    return Fault(f"{many} all alike", _words(values), away)


def variety(rule: VarietyRule, scope: Scope) -> Fault | None:
    """Check that there are at most so many values."""
    values = scope.values(0)
    if len(values) <= rule.max:
        return None
    rarest = sorted(values, key=lambda value: values[value])[: len(values) - rule.max]
    allowed = f"{rule.max} different" if rule.max > 1 else "one kind"
    remedy = sentence(f"take out all of {_words(rarest)}")
    return Fault(f"at most {allowed}", f"{len(values)}: {_words(values)}", remedy)


def alike_demand(rule: AlikeRule, place: Place) -> None:
    """State for a solver that there is one value at most."""
    del rule  # what is counted says all of it
    _at_most(1, place)


def variety_demand(rule: VarietyRule, place: Place) -> None:
    """State for a solver that there are at most so many values."""
    _at_most(rule.max, place)


def _at_most(most: int, place: Place) -> None:
    met = Linear.total(Linear.of(lit) for lit in place.values(0).values())
    place.demand(met, [(None, most)])


def _words(values: Iterable[str]) -> str:
    return join([value.replace("-", " ") for value in values])
