"""Count an army in one pass, and find the constraints that it breaks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import NamedTuple

from muster.armies.army import Army, Node, NodeKind
from muster.armies.check_plan import (
    PreparedConditions,
    PreparedConstraint,
    PreparedGrant,
    PreparedSwitch,
    check_plan_of,
)
from muster.armies.checks import CHECKS, Count, Measure, ScopeCounts, Violation
from muster.armies.composition import UnknownCellError
from muster.armies.constraints import BOOK_SCOPE, LimitCondition
from muster.armies.fields import Amount, as_number, is_absent
from muster.armies.pricing import counted_options, known_option_points, price_of_kind
from muster.armies.vocabulary import LEADER
from muster.problems import MusterError

_NO_VALUES: dict[str, Amount] = {}


class CountOfValue(NamedTuple):
    """What one node adds to the count of one value."""

    value: str
    number: Amount


class Contribution(NamedTuple):
    """The amounts that one node adds to the counts of each scope, and the rules it breaks itself.

    `amounts` has, for each level, pairs of the index of a measure and what is added to it.
    `by_limit` are the rules on the node itself that count by the army's limit, with their counts.
    """

    amounts: tuple[tuple[str, tuple[tuple[int, Amount | CountOfValue], ...]], ...]
    violations: tuple[tuple[PreparedConstraint, Violation], ...]
    by_limit: tuple[tuple[PreparedConstraint, ScopeCounts], ...] = ()


def contribution_of(kind: NodeKind) -> Contribution:
    """Return what a node of a kind adds to every count, and which rules it breaks by itself."""
    return kind.cache.get_or_make(Contribution, _work_out_contribution, kind)


def _work_out_contribution(kind: NodeKind) -> Contribution:
    plan = check_plan_of(kind.composition)
    own: dict[int, Amount | CountOfValue] = {}
    for index in sorted(set(plan.measured.find(kind))):
        amount = measured_amount(kind, plan.measures[index])
        if amount is not None:
            own[index] = amount
    amounts = []
    single_node_scopes = {LEADER, *kind.composition.bottom_levels}
    for level, indices in plan.measures_by_scope.items():
        if level in single_node_scopes:
            continue
        added = tuple((index, amount) for index, amount in own.items() if index in indices)
        if added:
            amounts.append((level, added))
    violations = [
        (prepared, violation)
        for prepared in dict.fromkeys(plan.node_constraints.find(kind))
        if (violation := CHECKS[prepared.rule.kind].check(prepared.rule, kind)) is not None
    ]
    # Nothing stands below a unit or a leader, so its own scope holds only itself.
    own_violations, by_limit = ([], []) if kind.is_branch else _judge_alone(kind, own)
    violations += own_violations
    return Contribution(tuple(amounts), tuple(violations), tuple(by_limit))


def _judge_alone(
    kind: NodeKind, own: Mapping[int, Amount | CountOfValue]
) -> tuple[
    list[tuple[PreparedConstraint, Violation]], list[tuple[PreparedConstraint, ScopeCounts]]
]:
    """Return the rules that a unit or leader breaks by itself, and those that count by the limit.

    A rule whose selector does not match it is not checked.
    """
    plan = check_plan_of(kind.composition)
    violations: list[tuple[PreparedConstraint, Violation]] = []
    by_limit: list[tuple[PreparedConstraint, ScopeCounts]] = []
    for prepared in plan.by_scope.get(kind.level, ()):
        if prepared.measures[0] not in own:
            continue
        counts = tuple(
            _own_count(own.get(index), plan.measures[index]) for index in prepared.measures
        )
        scope = ScopeCounts(kind, counts)
        if prepared.rule.counts_limit:
            by_limit.append((prepared, scope))
            continue
        violation = CHECKS[prepared.rule.kind].check(prepared.rule, scope)
        if violation is not None:
            violations.append((prepared, violation))
    return violations, by_limit


def measured_number(kind: NodeKind, measure: Measure) -> Amount:
    """Return what one node adds to a measure that counts no values; 0 for nothing."""
    amount = measured_amount(kind, measure)
    assert not isinstance(amount, CountOfValue)  # noqa: S101 - the measure has no key
    return amount or 0


def measured_amount(kind: NodeKind, measure: Measure) -> Amount | CountOfValue | None:
    """Return what one node adds to a measure: a number, or one for a value; None for nothing."""
    if not kind.matches(measure.of, whatever_options=measure.is_of_options):
        return None
    amount: Amount = 1
    if measure.key and is_absent(kind.value(measure.key)):
        return None
    match measure.what:
        case "options":
            amount = len(counted_options(kind, measure.of.options))
        case "option-points":
            amount = known_option_points(kind, measure.of.options)
        case "sum":
            amount = sum(as_number(kind.value(name)) for name in measure.summed)
        case "points":
            priced = price_of_kind(kind)
            amount = priced.known if priced is not None else Decimal(0)
    return CountOfValue(kind.text(measure.key), amount) if measure.key else amount


def _own_count(amount: Amount | CountOfValue | None, measure: Measure) -> Count:
    """Return the count of a scope that holds a single node."""
    if amount is None:
        return _zero_of(measure)
    return {amount.value: amount.number} if isinstance(amount, CountOfValue) else amount


def _zero_of(measure: Measure) -> Count:
    return _NO_VALUES if measure.key else 0


@dataclass(slots=True, eq=False)
class CountedScope:
    """A scope of an army with its counts, by the index of the measure."""

    node: Node
    level: str
    above: CountedScope | None
    numbers: dict[int, Amount] = field(default_factory=dict)
    values: dict[int, dict[str, Amount]] = field(default_factory=dict)

    def count(self, index: int, measure: Measure) -> Count:
        """Return what was counted for a measure, by its index; its zero if nothing was."""
        if measure.key:
            return self.values.get(index, _NO_VALUES)
        return self.numbers.get(index, 0)


class BrokenConstraint(NamedTuple):
    """A constraint that an army breaks, and the node where it does."""

    node: Node
    constraint: PreparedConstraint
    violation: Violation


def find_violations(army: Army) -> list[BrokenConstraint]:
    """Return every constraint that an army breaks, in the order of the nodes in the file."""
    counted = _CountingPass(army)
    broken: list[BrokenConstraint] = []
    for scope in (*counted.scopes, *counted.books.values()):
        broken.extend(counted.check_scope(scope))
    for node, scope, violations in counted.node_violations:
        for prepared, violation in violations:
            if counted.is_switched_on(prepared, node, scope):
                broken.append(BrokenConstraint(node, prepared, violation))
    if broken:
        broken.sort(key=lambda found: (found.node.order, found.constraint.order))
    return broken


class _CountingPass:
    """One pass over an army: every scope with its counts, and nodes that break rules themselves.

    `node_violations` are not yet filtered by the conditions of their constraints: these can be
    evaluated only when everything is counted.
    """

    def __init__(self, army: Army) -> None:
        self.root = army.root
        self.limit = army.limit
        self.document = army.document
        self.plan = check_plan_of(army.composition)
        self.scopes: list[CountedScope] = []
        self.node_violations: list[
            tuple[Node, CountedScope, tuple[tuple[PreparedConstraint, Violation], ...]]
        ] = []
        self.books: dict[str, CountedScope] = {}
        self.enclosing: dict[int, CountedScope] = {}
        self.count_command(army.root, {}, None)

    def count_command(
        self, node: Node, scopes: dict[str, CountedScope], above: CountedScope | None
    ) -> None:
        """Count a level of command and all below it.

        Args:
            node: The level of command.
            scopes: The scopes that it stands in, by level.
            above: The nearest of them.
        """
        scope = CountedScope(node, node.kind.level, above)
        self.scopes.append(scope)
        inside = {**scopes, scope.level: scope}
        self.add_node(node, inside, scope)
        for child in node.children:
            if child.kind.is_branch:
                self.count_command(child, inside, scope)
            else:
                self.enclosing[child.order] = scope
                self.add_node(child, inside, scope)

    def add_node(self, node: Node, scopes: dict[str, CountedScope], scope: CountedScope) -> None:
        """Add one node to the counts of every scope that it stands in."""
        contribution = contribution_of(node.kind)
        for level, amounts in contribution.amounts:
            into = scopes.get(level) or self._book_scope(level, node)
            if into is None:
                continue
            numbers = into.numbers
            for index, amount in amounts:
                if isinstance(amount, CountOfValue):
                    values = into.values.setdefault(index, {})
                    more = amount.number * node.count
                    values[amount.value] = values.get(amount.value, 0) + more
                else:
                    numbers[index] = numbers.get(index, 0) + amount * node.count
        violations = contribution.violations
        for prepared, counted in contribution.by_limit:
            in_army = counted._replace(limit=self.limit)
            violation = CHECKS[prepared.rule.kind].check(prepared.rule, in_army)
            if violation is not None:
                violations = (*violations, (prepared, violation))
        if violations:
            self.node_violations.append((node, scope, violations))

    def _book_scope(self, level: str, node: Node) -> CountedScope | None:
        if level != BOOK_SCOPE or node.kind.book is None:
            return None
        return self.books.setdefault(node.kind.book.id, CountedScope(self.root, BOOK_SCOPE, None))

    def check_scope(self, scope: CountedScope) -> Iterator[BrokenConstraint]:
        """Check every constraint of one scope."""
        for prepared in self.plan.asked(scope.level, (*scope.numbers, *scope.values)):
            # A rule that looks a cell up does so even where it is switched off, since a list whose
            # values name no cell is at fault.
            if not prepared.looks_up and not self.is_switched_on(prepared, scope.node, scope):
                continue
            counts = tuple(
                scope.count(index, self.plan.measures[index]) for index in prepared.measures
            )
            counted = ScopeCounts(scope.node.kind, counts, self.limit)
            try:
                violation = CHECKS[prepared.rule.kind].check(prepared.rule, counted)
            except UnknownCellError as error:
                raise self._at_node(error, scope.node) from None
            if violation is not None and self.is_switched_on(prepared, scope.node, scope):
                yield BrokenConstraint(scope.node, prepared, violation)

    def _at_node(self, error: UnknownCellError, node: Node) -> MusterError:
        """Return an error at the line of the army whose value names no cell of a table."""
        if not error.field:
            return error
        path = (*node.path, error.field) if error.field in node.kind.fields else node.path
        text = f"{error.field} of {node.label}: {error.text}"
        return MusterError((self.document.problem("unknown-cell", text, path),))

    def is_switched_on(
        self, prepared: PreparedConstraint | PreparedGrant, node: Node, scope: CountedScope
    ) -> bool:
        """Return whether a constraint or grant applies, by its conditions (`when` and `unless`)."""
        return all(
            self._holds(condition, node, scope) == expected
            for condition, expected in prepared.conditions
        )

    def _holds(self, condition: PreparedSwitch, node: Node, scope: CountedScope) -> bool:
        if isinstance(condition, LimitCondition):
            return condition.holds(self.limit)
        if isinstance(condition, PreparedConditions):
            parts = (self._holds(part, node, scope) for part in condition.parts)
            return all(parts) if condition.every else any(parts)
        index = condition.measure
        if not node.kind.is_branch and condition.within == node.kind.level:
            count = measured_number(node.kind, self.plan.measures[index])
        else:
            within: CountedScope | None = scope
            if condition.within == BOOK_SCOPE and scope.level != BOOK_SCOPE:
                within = self.books.get(node.kind.book.id) if node.kind.book else None
            while within is not None and within.level != condition.within:
                within = within.above
            count = within.numbers.get(index, 0) if within is not None else 0
        return condition.holds_for(count)


def with_grants(army: Army) -> Army:
    """Return an army whose units and leaders have the attributes that its state gives them.

    Raises:
        MusterError: If a table that the composition uses is missing or broken.
    """
    if not army.composition.written.grants:
        return army
    if any(node.kind.granted for node in army.nodes()):
        # The army may have another limit than when they were given, so they are found anew.
        army = replace(army, root=_with_kinds(army.root, {}))
    counted = _CountingPass(army)
    granted: dict[int, dict[str, str]] = {}
    for node in army.nodes():
        if node.is_branch:
            continue
        for prepared in counted.plan.grants:
            matches = node.kind.matches(prepared.grant.of)
            if matches and counted.is_switched_on(prepared, node, counted.enclosing[node.order]):
                given = granted.setdefault(node.order, {})
                granted[node.order] = {**prepared.grant.set, **given}
    return replace(army, root=_with_kinds(army.root, granted)) if granted else army


def _with_kinds(root: Node, granted: Mapping[int, Mapping[str, str]]) -> Node:
    """Return a tree whose units and leaders have these attributes, by the order of the nodes."""
    kinds: dict[tuple[int, frozenset[tuple[str, str]]], NodeKind] = {}

    def changed(node: Node) -> Node:
        if node.is_branch:
            return replace(node, children=tuple(changed(child) for child in node.children))
        given = granted.get(node.order, {})
        if given == node.kind.granted:
            return node
        key = (id(node.kind), frozenset(given.items()))
        if key not in kinds:
            kinds[key] = replace(node.kind, granted=given)
        return replace(node, kind=kinds[key])

    return changed(root)
