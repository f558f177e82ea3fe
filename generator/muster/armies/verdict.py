"""Check an army against the constraints of its system, in one pass, and return the verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Generic, NamedTuple, TypeVar

from muster.armies.army import Army, Node, NodeKind
from muster.armies.book_rules import find_book_findings
from muster.armies.books import counts_limit
from muster.armies.checks import (
    CHECKS,
    Measure,
    ScopeCounts,
    Violation,
    condition_measure,
    count_remedy,
    keeps_count,
    least_count,
)
from muster.armies.composition import LEADER, Composition, UnknownCellError
from muster.armies.fields import (
    as_number,
    format_number,
    in_points,
    is_absent,
    join_remedies,
    join_words,
    lower_first,
)
from muster.armies.findings import Finding, Price, RuleReference, Verdict, reference_of
from muster.armies.pricing import counted_options, known_option_points, price, price_of_kind
from muster.armies.rolls import value_of_stated_total
from muster.armies.vocabulary import (
    BOOK_SCOPE,
    AnyCondition,
    AnyConstraint,
    Conditions,
    CountRule,
    Grant,
    LimitCondition,
    Selector,
    Switched,
)
from muster.languages import marked, say
from muster.problems import MusterError
from muster.values.number import plain_number
from muster.yamlfile import KeyPath

OVER_LIMIT = "over-limit"
OTHER_LIMIT = "other-limit"
NO_LIMIT = "no-limit"
NO_LIMIT_MESSAGE = marked("The army states no limit, so that no rule that counts by it is judged.")
PRICE_UNKNOWN = "price-unknown"

_NO_VALUES: dict[str, Any] = {}


def check(army: Army) -> Verdict:
    """Check and price an army.

    That an army is illegal is not an error: the verdict has findings. They are in the order of
    their nodes in the file, and at one node in the order of the constraints.

    Raises:
        MusterError: If a table that the composition uses is missing or broken.
    """
    priced = price(army)
    findings = [
        (broken.node.order, _make_finding(army, broken)) for broken in find_violations(army)
    ]
    of_books = [(finding.node.order, finding) for finding in find_book_findings(army)]
    if of_books:
        findings = sorted([*findings, *of_books], key=lambda ordered: ordered[0])
    if priced.missing:
        findings.extend(
            (line.node.order, _unknown_price_finding(army, line.node))
            for line in priced.lines
            if line.points is None
        )
        findings.sort(key=lambda ordered: ordered[0])
    if army.limit is None and counts_limit(army.composition, army.book):
        findings.insert(0, (0, _no_limit_finding(army)))
    if army.limit is not None and priced.total is not None and priced.total > army.limit:
        findings.insert(0, (0, _over_limit_finding(army, army.limit, priced.total, priced)))
    return Verdict(army, tuple(finding for _, finding in findings), priced)


# What is counted, worked out once for a composition


class _PreparedCondition(NamedTuple):
    """A condition with the index of its measure, and its scope."""

    measure: int
    within: str
    least: int
    most: int | None

    def holds_for(self, count: Any) -> bool:
        """Return whether the condition holds for a count."""
        return bool(count >= self.least and (self.most is None or count <= self.most))


class _PreparedConditions(NamedTuple):
    """Several conditions, of which `every` one must hold, or any."""

    parts: tuple[_PreparedCondition | LimitCondition | _PreparedConditions, ...]
    every: bool


_Prepared = _PreparedCondition | LimitCondition | _PreparedConditions


@dataclass(frozen=True, slots=True, eq=False)
class PreparedConstraint:
    """A constraint with the indices of its measures, and its conditions: what must hold, or not.

    `order` is its index in the composition. A constraint that is asked of each node kind by
    itself has no measures. `looks_up` says whether it looks cells of tables up.
    """

    rule: AnyConstraint
    order: int
    measures: tuple[int, ...] = ()
    conditions: tuple[tuple[_Prepared, bool], ...] = ()
    looks_up: bool = False


class _PreparedGrant(NamedTuple):
    """A grant of attributes with its conditions: what must hold, or not."""

    grant: Grant
    conditions: tuple[tuple[_Prepared, bool], ...]


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
    grants: list[_PreparedGrant] = field(default_factory=list)
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

    def asked(self, scope: CountedScope) -> list[PreparedConstraint]:
        """List the constraints that a scope may break, by what is counted in it."""
        level = scope.level
        found = {each.order: each for each in self.asked_always.get(level, ())}
        for index in scope.counts:
            for prepared in self.asked_for.get((level, index), ()):
                found[prepared.order] = prepared
        return [found[order] for order in sorted(found)]


def check_plan_of(composition: Composition) -> CheckPlan:
    """Return the check plan of a composition; it is built once."""
    if composition.check_plan is None:
        composition.check_plan = _build_check_plan(composition)
    plan: CheckPlan = composition.check_plan
    return plan


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
        _PreparedGrant(grant, _prepare_conditions(plan, grant, grant.within))
        for grant in composition.written.grants
    ]
    return plan


def _prepare_conditions(
    plan: CheckPlan, switched: Switched, scope: str
) -> tuple[tuple[_Prepared, bool], ...]:
    return tuple(
        (_prepare_condition(plan, switch, scope), expected)
        for switch, expected in switched.switches()
    )


def _prepare_condition(plan: CheckPlan, switch: AnyCondition, scope: str) -> _Prepared:
    if isinstance(switch, LimitCondition):
        return switch
    if isinstance(switch, Conditions):
        parts = tuple(_prepare_condition(plan, part, scope) for part in switch.parts)
        return _PreparedConditions(parts, bool(switch.all))
    within = switch.within or scope
    index = plan.measure(condition_measure(switch), within)
    return _PreparedCondition(index, within, least_count(switch, switch.min), switch.max)


# What one node adds to the counts, worked out once for each node kind


class Contribution(NamedTuple):
    """The amounts that one node adds to the counts of each scope, and the rules it breaks itself.

    `amounts` has, for each level, pairs of the index of a measure and what is added to it.
    `by_limit` are the rules on the node itself that count by the army's limit, with their counts.
    """

    amounts: tuple[tuple[str, tuple[tuple[int, Any], ...]], ...]
    violations: tuple[tuple[PreparedConstraint, Violation], ...]
    by_limit: tuple[tuple[PreparedConstraint, ScopeCounts], ...] = ()


class _CountOfValue(NamedTuple):
    """What one node adds to the count of one value."""

    value: str
    number: Any


def contribution_of(kind: NodeKind) -> Contribution:
    """Return what a node of a kind adds to every count, and which rules it breaks by itself."""
    if kind.cached_contribution is None:
        kind.cached_contribution = _work_out_contribution(kind)
    contribution: Contribution = kind.cached_contribution
    return contribution


def _work_out_contribution(kind: NodeKind) -> Contribution:
    plan = check_plan_of(kind.composition)
    own: dict[int, Any] = {}
    for index in sorted(set(plan.measured.find(kind))):
        amount = _measured_amount(kind, plan.measures[index])
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
    kind: NodeKind, own: Mapping[int, Any]
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


def _measured_amount(kind: NodeKind, measure: Measure) -> Any:
    """Return what one node adds to a measure: a number, or one for a value; None for nothing."""
    if not kind.matches(measure.of, whatever_options=measure.is_of_options):
        return None
    amount: Any = 1
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
    return _CountOfValue(kind.text(measure.key), amount) if measure.key else amount


def _own_count(amount: Any, measure: Measure) -> Any:
    """Return the count of a scope that holds a single node."""
    if amount is None:
        return _zero_of(measure)
    return {amount.value: amount.number} if measure.key else amount


def _zero_of(measure: Measure) -> Any:
    return _NO_VALUES if measure.key else 0


# The pass over an army


@dataclass(slots=True, eq=False)
class CountedScope:
    """A scope of an army with its counts, by the index of the measure.

    A count is a number, or a mapping from each value to how many nodes have it.
    """

    node: Node
    level: str
    above: CountedScope | None
    counts: dict[int, Any] = field(default_factory=dict)


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
        contribution = node.kind.cached_contribution or contribution_of(node.kind)
        for level, amounts in contribution.amounts:
            into = scopes.get(level) or self._book_scope(level, node)
            if into is None:
                continue
            counts = into.counts
            for index, amount in amounts:
                if type(amount) is _CountOfValue:
                    values = counts.setdefault(index, {})
                    more = amount.number * node.count
                    values[amount.value] = values.get(amount.value, 0) + more
                else:
                    counts[index] = counts.get(index, 0) + amount * node.count
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
        for prepared in self.plan.asked(scope):
            # A rule that looks a cell up does so even where it is switched off, since a list whose
            # values name no cell is at fault.
            if not prepared.looks_up and not self.is_switched_on(prepared, scope.node, scope):
                continue
            counts = tuple(
                scope.counts.get(index, _zero_of(self.plan.measures[index]))
                for index in prepared.measures
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
        self, prepared: PreparedConstraint | _PreparedGrant, node: Node, scope: CountedScope
    ) -> bool:
        """Return whether a constraint or grant applies, by its conditions (`when` and `unless`)."""
        return all(
            self._holds(condition, node, scope) == expected
            for condition, expected in prepared.conditions
        )

    def _holds(self, condition: _Prepared, node: Node, scope: CountedScope) -> bool:
        if isinstance(condition, LimitCondition):
            return condition.holds(self.limit)
        if isinstance(condition, _PreparedConditions):
            parts = (self._holds(part, node, scope) for part in condition.parts)
            return all(parts) if condition.every else any(parts)
        index = condition.measure
        if not node.kind.is_branch and condition.within == node.kind.level:
            count = _measured_amount(node.kind, self.plan.measures[index]) or 0
        else:
            within: CountedScope | None = scope
            if condition.within == BOOK_SCOPE and scope.level != BOOK_SCOPE:
                within = self.books.get(node.kind.book.id) if node.kind.book else None
            while within is not None and within.level != condition.within:
                within = within.above
            count = within.counts.get(index, 0) if within is not None else 0
        return condition.holds_for(count)


# Attributes that the state of the army gives


def with_grants(army: Army) -> Army:
    """Return an army whose units and leaders have the attributes that its state gives them.

    Raises:
        MusterError: If a table that the composition uses is missing or broken.
    """
    if not army.composition.written.grants:
        return army
    if any(node.kind.granted for node in army.nodes()):
        # They were given under another limit.
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
            kinds[key] = replace(
                node.kind, granted=given, cached_price=None, cached_contribution=None, _values={}
            )
        return replace(node, kind=kinds[key])

    return changed(root)


# Findings


def _make_finding(army: Army, broken: BrokenConstraint) -> Finding:
    rule, violation = broken.constraint.rule, broken.violation
    remedies: tuple[str, ...] = (rule.cure,)
    if not rule.cure:
        worked_out = violation.remedy
        one_field = rule.kind == "count" and isinstance(rule.sum, str) and not rule.each
        if rule.kind == "count" and one_field and not broken.node.is_branch:
            worked_out = _remedy_by_all_rules(rule, broken.node.kind, army.limit) or worked_out
        remedies = (worked_out, rule.remedy if violation.takes_stated_remedy else "")
    message, allowed, actual = rule.message, violation.allowed, violation.actual
    if rolled := _explain_stated_roll(rule, broken.node.kind):
        message, allowed, remedy = rolled
        actual, remedies = say("none stated"), (remedy,)
    return Finding(
        severity="error" if rule.stated else "warning",
        code=rule.id,
        node=broken.node,
        message=message,
        allowed=allowed,
        actual=actual,
        rule=reference_of(army.system, rule.rule),
        remedy=join_remedies(*remedies),
        army=army,
        key_path=(violation.key,) if violation.key else _key_at_fault(army, rule, broken.node),
    )


def _explain_stated_roll(rule: AnyConstraint, kind: NodeKind) -> tuple[str, str, str] | None:
    """Say which value a list leaves out although it states the roll; None if it does not.

    That is for a rule on a rolled field: what it finds is not rolled has been rolled. Returns the
    message, the value as a page shows it, and the remedy.
    """
    where = [each for _, selector in rule.selectors() for each in selector.where.items()]
    for name, values in where:
        spec = kind.field_spec(name)
        if spec is None or spec.roll is None or spec.default not in values:
            continue
        if kind.text(name) != spec.default:
            continue
        value = value_of_stated_total(spec.roll, kind)
        if value is not None:
            title = lower_first(spec.title or name)
            total = kind.text(str(spec.roll.total))
            shown = lower_first(spec.of.get(value, value))
            message = say(
                "The roll of {total} gives the {field} {value}, which the list does not state.",
                total=total,
                field=title,
                value=shown,
            )
            return message, shown, say("enter {value} as the {field}", value=value, field=title)
    return None


def _remedy_by_all_rules(rule: CountRule, kind: NodeKind, limit: Decimal | None) -> str:
    """Return the remedy for a number of one node, with regard to the other rules on it.

    21 where 8 to 20 are allowed, in fours, is one too many: 24 is not recommended.
    """
    plan = check_plan_of(kind.composition)
    others = [
        prepared
        for prepared in plan.by_scope.get(kind.level, ())
        if prepared.rule.kind == "count" and prepared.rule.sum == rule.sum
    ]

    def faults_of(number: Decimal) -> int:
        whole = int(number) if number == int(number) else number
        fields = {**kind.fields, str(rule.sum): whole}
        changed = replace(kind, fields=fields, cached_contribution=None, _values={})
        broken = [
            prepared.rule
            for prepared in others
            if isinstance(prepared.rule, CountRule)
            and changed.matches(prepared.rule.of)
            and _is_switched_on_alone(prepared, changed, plan, limit)
            and not keeps_count(prepared.rule, changed, number, limit)
        ]
        return max((2 if each.stated else 1 for each in broken), default=0)

    number = as_number(kind.value(str(rule.sum)))
    return count_remedy(rule, kind, number, faults_of, limit=limit)


def _is_switched_on_alone(
    prepared: PreparedConstraint, kind: NodeKind, plan: CheckPlan, limit: Decimal | None
) -> bool:
    """Return whether a constraint applies to a node, as far as the node itself decides that."""
    return all(
        _holds_alone(condition, kind, plan, limit) in {expected, None}
        for condition, expected in prepared.conditions
    )


def _holds_alone(
    condition: _Prepared, kind: NodeKind, plan: CheckPlan, limit: Decimal | None
) -> bool | None:
    """Return whether a condition holds for a node by itself; None if the army decides that."""
    if isinstance(condition, LimitCondition):
        return condition.holds(limit)
    if isinstance(condition, _PreparedConditions):
        parts = [_holds_alone(part, kind, plan, limit) for part in condition.parts]
        decisive = not condition.every
        if decisive in parts:
            return decisive
        return None if None in parts else condition.every
    if condition.within != kind.level:
        return None
    return condition.holds_for(_measured_amount(kind, plan.measures[condition.measure]) or 0)


def _key_at_fault(army: Army, rule: AnyConstraint, node: Node) -> KeyPath:
    """Return the path, from a node, of the value that makes it break a rule; () if it is none.

    That is an option, or a field that the list states; for a level of command, its leader.
    """
    selectors = [selector for _, selector in rule.selectors()]
    if rule.kind == "excludes":
        selectors.reverse()
    if not node.is_branch:
        return next((path for each in selectors if (path := _key_named_by(army, each, node))), ())
    for selector in selectors:
        leaders = [child for child in node.children if child.level == LEADER]
        named = [child for child in leaders if child.kind.matches(selector)]
        if named:
            # Of several, the last is the one too many.
            return (*named[-1].path[len(node.path) :], *_key_named_by(army, selector, named[-1]))
    return ()


def _key_named_by(army: Army, selector: Selector, node: Node) -> KeyPath:
    """Return the path, from a node, of an option or field of the list that a selector names."""
    written: Any = army.document.data
    for step in node.path:
        written = written[step]
    for place, name in enumerate(written.get("options", [])):
        if name in selector.options:
            return ("options", place)
    return next(((name,) for name in selector.where if name in node.fields), ())


def _unknown_price_finding(army: Army, node: Node) -> Finding:
    priced = price_of_kind(node.kind)
    missing = [say("the {price}", price=what) for what in priced.missing] if priced else []
    return Finding(
        severity="warning",
        code=PRICE_UNKNOWN,
        node=node,
        message=say(
            "No price is known, so the total does not include {prices} of {unit}.",
            prices=join_words(missing),
            unit=node.label,
        ),
        allowed=say("a price"),
        actual=say("none"),
        rule=reference_of(army.system, army.composition.written.pricing),
        remedy=say("If you know the price, add it to the army file or the army book."),
        army=army,
    )


_EVENT_LIMIT = marked("The limit of this event")
_ARMY_LIMIT = marked("The limit of this army")


def with_event_limit(army: Army, limit: Decimal | None) -> tuple[Army, tuple[Finding, ...]]:
    """Return an army under the limit of an event, and a warning unless its own limit is the same.

    Without an event, and in a system without points, the army stays as it is.
    """
    if limit is None or limit == army.limit:
        return army, ()
    has_points = army.composition.has_prices
    stated = say("no limit") if army.limit is None else in_points(army.limit)
    message = (
        say("The army states {limit}; the limit of the event applies.", limit=stated)
        if has_points
        else say("This system has no points, so the limit of the event does not apply.")
    )
    warning = Finding(
        severity="warning",
        code=OTHER_LIMIT,
        node=army.root,
        message=message,
        allowed=in_points(limit) if has_points else "",
        actual=stated if has_points else "",
        rule=RuleReference(say(_EVENT_LIMIT)),
        remedy=say("State `limit: {points}`.", points=plain_number(limit)) if has_points else "",
        army=army,
        key_path=("limit",),
    )
    if not has_points:
        return army, (warning,)
    return with_grants(replace(army, limit=limit, has_event_limit=True)), (warning,)


def _no_limit_finding(army: Army) -> Finding:
    return Finding(
        severity="warning",
        code=NO_LIMIT,
        node=army.root,
        message=say(NO_LIMIT_MESSAGE),
        allowed=say("a limit"),
        actual=say("none"),
        rule=RuleReference(say(_ARMY_LIMIT)),
        remedy=say("State the limit of the game, such as `limit: 2000`."),
        army=army,
    )


def _over_limit_finding(army: Army, limit: Decimal, total: Decimal, priced: Price) -> Finding:
    message = marked("The army costs more than the limit of {points} points.")
    if priced.missing:
        message = marked(
            "The army costs more than the limit of {points} points, not counting what has no known "
            "price."
        )
    what = say(
        "{things} worth at least {points}",
        things=say("units or options"),
        points=in_points(total - limit),
    )
    return Finding(
        severity="error",
        code=OVER_LIMIT,
        node=army.root,
        message=say(message, points=format_number(limit)),
        allowed=in_points(limit),
        actual=in_points(total),
        rule=RuleReference(say(_EVENT_LIMIT if army.has_event_limit else _ARMY_LIMIT)),
        remedy=join_remedies(say("leave out {things}", things=what)),
        army=army,
        key_path=("limit",),
    )
