"""Prepare the constraints of a composition, so that an army is asked only what it may break."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from muster.armies.army import NodeKind
from muster.armies.checks import CHECKS, Measure, condition_measure
from muster.armies.composition import Composition
from muster.armies.constraints import (
    AnyCondition,
    AnyConstraint,
    Conditions,
    Grant,
    LimitCondition,
    Switched,
)
from muster.armies.fields import Amount
from muster.armies.ranges import least_count
from muster.armies.vocabulary import Selector


class PreparedCondition(NamedTuple):
    """A condition with the index of its measure, and its scope."""

    measure: int
    within: str
    least: int
    most: int | None

    def holds_for(self, count: Amount) -> bool:
        """Return whether the condition holds for a count."""
        return count >= self.least and (self.most is None or count <= self.most)


class PreparedConditions(NamedTuple):
    """Several conditions, of which `every` one must hold, or any."""

    parts: tuple[PreparedCondition | LimitCondition | PreparedConditions, ...]
    every: bool


PreparedSwitch = PreparedCondition | LimitCondition | PreparedConditions


@dataclass(frozen=True, slots=True, eq=False)
class PreparedConstraint:
    """A constraint with the indices of its measures, and its conditions: what must hold, or not.

    `order` is its index in the composition. A constraint that is asked of each node kind by
    itself has no measures. `looks_up` says whether it looks cells of tables up.
    """

    rule: AnyConstraint
    order: int
    measures: tuple[int, ...] = ()
    conditions: tuple[tuple[PreparedSwitch, bool], ...] = ()
    looks_up: bool = False


class PreparedGrant(NamedTuple):
    """A grant of attributes with its conditions: what must hold, or not."""

    grant: Grant
    conditions: tuple[tuple[PreparedSwitch, bool], ...]


_Found = TypeVar("_Found")


@dataclass(slots=True, eq=False)
class _SelectorIndex(Generic[_Found]):
    """Things with a selector each, found by what a node is: most rules are about one unit or book.

    `by_key` holds each of them under one thing that its selector asks for, such as a unit.
    """

    by_key: dict[tuple[str, str], list[_Found]] = field(default_factory=dict)
    others: list[_Found] = field(default_factory=list)

    def add(
        self, thing: _Found, selector: Selector | None, *, whatever_options: bool = False
    ) -> None:
        """Add something with its selector, of which options count or not."""
        if selector is None:
            self.others.append(thing)
            return
        where = selector.where
        for name, values in (
            ("unit", where.get("unit")),
            ("option", None if whatever_options else selector.options),
            ("book", where.get("book")),
            ("type", selector.entry),
            ("type", where.get("type")),
            ("level", [selector.level] if selector.level else None),
        ):
            if values:
                for value in dict.fromkeys(values):
                    self.by_key.setdefault((name, value), []).append(thing)
                return
        self.others.append(thing)

    def find(self, kind: NodeKind) -> Iterator[_Found]:
        """Yield everything whose selector may match a node; each may come more than once."""
        yield from self.others
        keys = [(name, kind.text(name)) for name in ("unit", "book", "type", "level")]
        keys += [("option", option.id) for option in kind.options]
        for key in keys:
            yield from self.by_key.get(key, ())


_MeasureKey = tuple[Any, ...]


def _key_of(measure: Measure) -> _MeasureKey:
    """Return a measure as a key: those that count the same have the same key."""
    of = measure.of
    where = tuple((name, tuple(values)) for name, values in sorted(of.where.items()))
    selector = (of.level, tuple(of.entry), where, tuple(of.options))
    return (measure.what, selector, measure.field, measure.each, measure.summed)


@dataclass(slots=True, eq=False)
class CheckPlan:
    """All constraints of a composition by scope, and all measures that they count.

    A scope is asked only for the constraints that it may break: those in `asked_always`, and
    in `asked_for` those whose subject is a measure that something counts for.
    """

    measures: list[Measure] = field(default_factory=list)
    measures_by_scope: dict[str, set[int]] = field(default_factory=dict)
    by_scope: dict[str, list[PreparedConstraint]] = field(default_factory=dict)
    asked_always: dict[str, list[PreparedConstraint]] = field(default_factory=dict)
    asked_for: dict[tuple[str, int], list[PreparedConstraint]] = field(default_factory=dict)
    grants: list[PreparedGrant] = field(default_factory=list)
    node_constraints: _SelectorIndex[PreparedConstraint] = field(default_factory=_SelectorIndex)
    measured: _SelectorIndex[int] = field(default_factory=_SelectorIndex)
    _indices: dict[_MeasureKey, int] = field(default_factory=dict)

    def measure(self, measure: Measure, within: str) -> int:
        """Return the index of a measure, and record that it is counted in a scope."""
        key = _key_of(measure)
        index = self._indices.get(key)
        if index is None:
            index = self._indices[key] = len(self.measures)
            self.measures.append(measure)
            self.measured.add(index, measure.of, whatever_options=measure.is_of_options)
        self.measures_by_scope.setdefault(within, set()).add(index)
        return index

    def add(self, prepared: PreparedConstraint) -> None:
        """Add a constraint that has measures."""
        level = prepared.rule.within
        self.by_scope.setdefault(level, []).append(prepared)
        subject = prepared.rule.subject
        if subject is None:
            self.asked_always.setdefault(level, []).append(prepared)
        for index in prepared.measures:
            if self.measures[index].of == subject:
                self.asked_for.setdefault((level, index), []).append(prepared)

    def asked(self, level: str, counted: Iterable[int]) -> list[PreparedConstraint]:
        """List the constraints that a scope may break, by the measures that are counted in it."""
        found = {each.order: each for each in self.asked_always.get(level, ())}
        for index in counted:
            for prepared in self.asked_for.get((level, index), ()):
                found[prepared.order] = prepared
        return [found[order] for order in sorted(found)]


def check_plan_of(composition: Composition) -> CheckPlan:
    """Return the check plan of a composition; it is built once."""
    return composition.cache.get_or_make(CheckPlan, _build_check_plan, composition)


def _build_check_plan(composition: Composition) -> CheckPlan:
    plan = CheckPlan()
    for order, rule in enumerate(composition.constraints):
        conditions = _prepare_conditions(plan, rule, rule.within)
        measures_of = CHECKS[rule.kind].measures
        if measures_of is None:
            alone = PreparedConstraint(rule, order, (), conditions)
            plan.node_constraints.add(alone, rule.subject)
            continue
        measures = tuple(plan.measure(measure, rule.within) for measure in measures_of(rule))
        looks_up = any(True for _ in rule.cells())
        plan.add(PreparedConstraint(rule, order, measures, conditions, looks_up))
    plan.grants += [
        PreparedGrant(grant, _prepare_conditions(plan, grant, grant.within))
        for grant in composition.written.grants
    ]
    return plan


def _prepare_conditions(
    plan: CheckPlan, switched: Switched, scope: str
) -> tuple[tuple[PreparedSwitch, bool], ...]:
    return tuple(
        (_prepare_condition(plan, switch, scope), expected)
        for switch, expected in switched.switches()
    )


def _prepare_condition(plan: CheckPlan, switch: AnyCondition, scope: str) -> PreparedSwitch:
    if isinstance(switch, LimitCondition):
        return switch
    if isinstance(switch, Conditions):
        parts = tuple(_prepare_condition(plan, part, scope) for part in switch.parts)
        return PreparedConditions(parts, bool(switch.all))
    within = switch.within or scope
    index = plan.measure(condition_measure(switch), within)
    return PreparedCondition(index, within, least_count(switch, switch.min), switch.max)
