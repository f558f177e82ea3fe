"""Owns the one pass over an army that counts, and the asking of every constraint afterwards.

Does not know what any kind of constraint means (see `checks`) and writes no findings (see
`verdict`). What follows from a sort of node alone is worked out once and kept with the sort.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NamedTuple

from generator.armies.army import Army, Node
from generator.armies.checks import ALONE, JUDGES, MEASURES, Fault, Measure, Scope
from generator.armies.composition import LEADER, Composition
from generator.armies.fields import absent, as_number
from generator.armies.pricing import tag
from generator.armies.sort import Sort
from generator.armies.vocabulary import AnyConstraint, Condition

BOOK = "book"


class _Switch(NamedTuple):
    """A condition, ready: which measure to read, and in which scope."""

    measure: int
    within: str
    least: int
    most: int | None
    wanted: bool


@dataclass(frozen=True, slots=True, eq=False)
class Check:
    """A constraint, ready: the measures that it reads and the switches that it hangs on."""

    rule: AnyConstraint
    order: int
    measures: tuple[int, ...] = ()
    switches: tuple[_Switch, ...] = ()


@dataclass(slots=True, eq=False)
class Plan:
    """All constraints of a composition, sorted by scope, and everything that they count."""

    measures: list[Measure] = field(default_factory=list)
    wanted: dict[str, set[int]] = field(default_factory=dict)
    by_scope: dict[str, list[Check]] = field(default_factory=dict)
    alone: list[Check] = field(default_factory=list)

    def measure(self, measure: Measure, within: str) -> int:
        """Give the number of a measure, and note that a scope wants it."""
        if measure not in self.measures:
            self.measures.append(measure)
        place = self.measures.index(measure)
        self.wanted.setdefault(within, set()).add(place)
        return place


class Imprint(NamedTuple):
    """What one node of a sort adds to the counts of each scope, and the faults of its own."""

    adds: tuple[tuple[str, tuple[tuple[int, Any], ...]], ...]
    faults: tuple[tuple[Check, Fault], ...]


@dataclass(slots=True, eq=False)
class Tallied:
    """A scope of an army, with its counts: numbers, or how often each value was met."""

    node: Node
    level: str
    above: Tallied | None
    counts: dict[int, Any] = field(default_factory=dict)


Broken = tuple[Node, Check, Fault]


def plan_of(composition: Composition) -> Plan:
    """Give the plan of a composition; it is made once."""
    if composition.plan is None:
        composition.plan = _plan(composition)
    found: Plan = composition.plan
    return found


def _plan(composition: Composition) -> Plan:
    plan = Plan()
    for order, rule in enumerate(composition.constraints):
        switches = tuple(
            _switch(plan, condition, rule.within, wanted=wanted)
            for condition, wanted in ((rule.when, True), (rule.unless, False))
            if condition is not None
        )
        if rule.kind in ALONE:
            plan.alone.append(Check(rule, order, (), switches))
            continue
        measures = tuple(plan.measure(each, rule.within) for each in MEASURES[rule.kind](rule))
        check = Check(rule, order, measures, switches)
        plan.by_scope.setdefault(rule.within, []).append(check)
    return plan


def _switch(plan: Plan, condition: Condition, scope: str, *, wanted: bool) -> _Switch:
    within = condition.within or scope
    what = Measure("number", condition.of)
    if condition.sum is not None:
        what = Measure("sum", condition.of, condition.sum)
    least = 0 if condition.min is None else condition.min
    return _Switch(plan.measure(what, within), within, least, condition.max, wanted)


def imprint_of(sort: Sort) -> Imprint:
    """Work out what a sort of node adds to every count, and which rules it breaks by itself."""
    if sort.imprint is None:
        sort.imprint = _imprint(sort)
    found: Imprint = sort.imprint
    return found


def _imprint(sort: Sort) -> Imprint:
    plan = plan_of(sort.composition)
    worth = {place: _worth(sort, measure) for place, measure in enumerate(plan.measures)}
    adds = []
    alone = {LEADER, *sort.composition.bottom}
    for level, places in plan.wanted.items():
        if level in alone:
            continue
        own = tuple((place, worth[place]) for place in sorted(places) if worth[place] is not None)
        if own:
            adds.append((level, own))
    faults = [
        (check, fault)
        for check in plan.alone
        if (fault := ALONE[check.rule.kind](check.rule, sort)) is not None
    ]
    if not sort.branch:
        # Nothing stands below a unit or a leader: its own scope holds just itself. What a rule
        # does not mean at all is not judged by it.
        for check in plan.by_scope.get(sort.level, ()):
            counts = tuple(_alone(worth[place], plan.measures[place]) for place in check.measures)
            if worth[check.measures[0]] is None:
                continue
            fault = JUDGES[check.rule.kind](check.rule, Scope(sort, counts))
            if fault is not None:
                faults.append((check, fault))
    return Imprint(tuple(adds), tuple(faults))


def _worth(sort: Sort, measure: Measure) -> Any:
    """Give what one node adds to a measure; None if it is not meant."""
    if not sort.is_a(measure.of):
        return None
    match measure.what:
        case "number":
            return 1
        case "sum":
            return as_number(sort.value(measure.field))
        case "points":
            priced = tag(sort)
            return priced.known if priced is not None else Decimal(0)
        case "values":
            return None if absent(sort.value(measure.field)) else sort.text(measure.field)


def _alone(worth: Any, measure: Measure) -> Any:
    if worth is None:
        return _none(measure)
    return {worth: 1} if measure.what == "values" else worth


class _Pass:
    """The one pass over an army: every scope with its counts, and every node with faults."""

    def __init__(self, army: Army) -> None:
        self.root = army.root
        self.plan = plan_of(army.composition)
        self.scopes: list[Tallied] = []
        self.own: list[tuple[Node, Tallied, tuple[tuple[Check, Fault], ...]]] = []
        self.books: dict[str, Tallied] = {}
        self.visit(army.root, {}, None)

    def visit(self, node: Node, chain: dict[str, Tallied], above: Tallied | None) -> None:
        """Count a level of command and all below it, for itself and all above it."""
        scope = Tallied(node, node.sort.level, above)
        self.scopes.append(scope)
        inside = {**chain, scope.level: scope}
        self.enter(node, inside, scope)
        for child in node.children:
            if child.sort.branch:
                self.visit(child, inside, scope)
            else:
                self.enter(child, inside, scope)

    def enter(self, node: Node, chain: dict[str, Tallied], scope: Tallied) -> None:
        """Add one node to the counts of every scope that it stands in."""
        imprint = node.sort.imprint or imprint_of(node.sort)
        for level, adds in imprint.adds:
            into = chain.get(level) or self._book(level, node)
            if into is None:
                continue
            counts = into.counts
            for place, worth in adds:
                if type(worth) is str:
                    met = counts.setdefault(place, {})
                    met[worth] = met.get(worth, 0) + node.count
                else:
                    counts[place] = counts.get(place, 0) + worth * node.count
        if imprint.faults:
            self.own.append((node, scope, imprint.faults))

    def _book(self, level: str, node: Node) -> Tallied | None:
        if level != BOOK or node.sort.book is None:
            return None
        return self.books.setdefault(node.sort.book.id, Tallied(self.root, BOOK, None))

    def judged(self, scope: Tallied) -> Iterator[Broken]:
        """Ask every constraint of one scope."""
        for check in self.plan.by_scope.get(scope.level, ()):
            counts = tuple(
                scope.counts.get(place, _none(self.plan.measures[place]))
                for place in check.measures
            )
            fault = JUDGES[check.rule.kind](check.rule, Scope(scope.node.sort, counts))
            if fault is not None and self.on(check, scope.node, scope):
                yield scope.node, check, fault

    def on(self, check: Check, node: Node, scope: Tallied) -> bool:
        """Tell whether all switches of a check are as they must be for it to count."""
        return all(self._holds(switch, node, scope) == switch.wanted for switch in check.switches)

    def _holds(self, switch: _Switch, node: Node, scope: Tallied) -> bool:
        place = switch.measure
        if not node.sort.branch and switch.within == node.sort.level:
            found = _worth(node.sort, self.plan.measures[place]) or 0
        else:
            at: Tallied | None = scope
            if switch.within == BOOK and scope.level != BOOK:
                at = self.books.get(node.sort.book.id) if node.sort.book else None
            while at is not None and at.level != switch.within:
                at = at.above
            found = at.counts.get(place, 0) if at is not None else 0
        return bool(found >= switch.least and (switch.most is None or found <= switch.most))


def tally(army: Army) -> list[Broken]:
    """Find every constraint that an army breaks, as its nodes stand in the file."""
    counted = _Pass(army)
    broken: list[Broken] = []
    for scope in (*counted.scopes, *counted.books.values()):
        broken.extend(counted.judged(scope))
    for node, scope, faults in counted.own:
        for check, fault in faults:
            if counted.on(check, node, scope):
                broken.append((node, check, fault))
    if broken:
        broken.sort(key=lambda found: (found[0].order, found[1].order))
    return broken


def _none(measure: Measure) -> Any:
    return _NOTHING if measure.what == "values" else 0


_NOTHING: dict[str, int] = {}
