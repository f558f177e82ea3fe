"""Count an army in one pass, check every constraint and return the verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NamedTuple

from muster.armies.army import Army, Node, NodeKind
from muster.armies.checks import CHECKS, Measure, ScopeCounts, Violation, condition_measure
from muster.armies.composition import LEADER, Composition
from muster.armies.fields import (
    as_number,
    format_number,
    is_absent,
    join_remedies,
    join_words,
    with_noun,
)
from muster.armies.findings import Finding, Price, RuleReference, Verdict
from muster.armies.pricing import price, price_of_kind
from muster.armies.vocabulary import AnyConstraint, Citation, Condition

BOOK_SCOPE = "book"


class _PreparedCondition(NamedTuple):
    """A condition, ready: which measure to read, and in which scope."""

    measure: int
    within: str
    least: int
    most: int | None
    wanted: bool


@dataclass(frozen=True, slots=True, eq=False)
class PreparedConstraint:
    """A constraint, ready: the measures that it reads and the switches that it hangs on."""

    rule: AnyConstraint
    order: int
    measures: tuple[int, ...] = ()
    conditions: tuple[_PreparedCondition, ...] = ()


@dataclass(slots=True, eq=False)
class CheckPlan:
    """All constraints of a composition, sorted by scope, and everything that they count."""

    measures: list[Measure] = field(default_factory=list)
    measures_by_scope: dict[str, set[int]] = field(default_factory=dict)
    by_scope: dict[str, list[PreparedConstraint]] = field(default_factory=dict)
    node_constraints: list[PreparedConstraint] = field(default_factory=list)

    def measure(self, measure: Measure, within: str) -> int:
        """Give the number of a measure, and note that a scope wants it."""
        if measure not in self.measures:
            self.measures.append(measure)
        place = self.measures.index(measure)
        self.measures_by_scope.setdefault(within, set()).add(place)
        return place


class Contribution(NamedTuple):
    """What one node of a sort adds to the counts of each scope, and the faults of its own."""

    adds: tuple[tuple[str, tuple[tuple[int, Any], ...]], ...]
    faults: tuple[tuple[PreparedConstraint, Violation], ...]


@dataclass(slots=True, eq=False)
class CountedScope:
    """A scope of an army, with its counts: numbers, or how often each value was met."""

    node: Node
    level: str
    above: CountedScope | None
    counts: dict[int, Any] = field(default_factory=dict)


BrokenConstraint = tuple[Node, PreparedConstraint, Violation]


def check_plan_of(composition: Composition) -> CheckPlan:
    """Give the plan of a composition; it is made once."""
    if composition.check_plan is None:
        composition.check_plan = _build_check_plan(composition)
    found: CheckPlan = composition.check_plan
    return found


def _build_check_plan(composition: Composition) -> CheckPlan:
    plan = CheckPlan()
    for order, rule in enumerate(composition.constraints):
        switches = tuple(
            _prepare_condition(plan, condition, rule.within, wanted=wanted)
            for condition, wanted in ((rule.when, True), (rule.unless, False))
            if condition is not None
        )
        measures_of = CHECKS[rule.kind].measures
        if measures_of is None:
            plan.node_constraints.append(PreparedConstraint(rule, order, (), switches))
            continue
        measures = tuple(plan.measure(each, rule.within) for each in measures_of(rule))
        check = PreparedConstraint(rule, order, measures, switches)
        plan.by_scope.setdefault(rule.within, []).append(check)
    return plan


def _prepare_condition(
    plan: CheckPlan, condition: Condition, scope: str, *, wanted: bool
) -> _PreparedCondition:
    within = condition.within or scope
    measure = plan.measure(condition_measure(condition), within)
    least = 0 if condition.min is None else condition.min
    return _PreparedCondition(measure, within, least, condition.max, wanted)


def contribution_of(sort: NodeKind) -> Contribution:
    """Work out what a sort of node adds to every count, and which rules it breaks by itself."""
    if sort.cached_contribution is None:
        sort.cached_contribution = _work_out_contribution(sort)
    found: Contribution = sort.cached_contribution
    return found


def _work_out_contribution(sort: NodeKind) -> Contribution:
    plan = check_plan_of(sort.composition)
    worth = {place: _measured_amount(sort, measure) for place, measure in enumerate(plan.measures)}
    adds = []
    alone = {LEADER, *sort.composition.bottom_levels}
    for level, places in plan.measures_by_scope.items():
        if level in alone:
            continue
        own = tuple((place, worth[place]) for place in sorted(places) if worth[place] is not None)
        if own:
            adds.append((level, own))
    faults = [
        (check, fault)
        for check in plan.node_constraints
        if (fault := CHECKS[check.rule.kind].check(check.rule, sort)) is not None
    ]
    if not sort.branch:
        # Nothing stands below a unit or a leader: its own scope holds just itself. What a rule
        # does not mean at all is not judged by it.
        for check in plan.by_scope.get(sort.level, ()):
            counts = tuple(
                _own_count(worth[place], plan.measures[place]) for place in check.measures
            )
            if worth[check.measures[0]] is None:
                continue
            fault = CHECKS[check.rule.kind].check(check.rule, ScopeCounts(sort, counts))
            if fault is not None:
                faults.append((check, fault))
    return Contribution(tuple(adds), tuple(faults))


def _measured_amount(sort: NodeKind, measure: Measure) -> Any:
    """Give what one node adds to a measure; None if it is not meant."""
    if not sort.matches(measure.of):
        return None
    match measure.what:
        case "number":
            return 1
        case "sum":
            return as_number(sort.value(measure.field))
        case "points":
            priced = price_of_kind(sort)
            return priced.known if priced is not None else Decimal(0)
        case "values":
            return None if is_absent(sort.value(measure.field)) else sort.text(measure.field)


def _own_count(worth: Any, measure: Measure) -> Any:
    if worth is None:
        return _zero_of(measure)
    return {worth: 1} if measure.what == "values" else worth


class _CountingPass:
    """The one pass over an army: every scope with its counts, and every node with faults."""

    def __init__(self, army: Army) -> None:
        self.root = army.root
        self.plan = check_plan_of(army.composition)
        self.scopes: list[CountedScope] = []
        self.own: list[
            tuple[Node, CountedScope, tuple[tuple[PreparedConstraint, Violation], ...]]
        ] = []
        self.books: dict[str, CountedScope] = {}
        self.visit(army.root, {}, None)

    def visit(self, node: Node, chain: dict[str, CountedScope], above: CountedScope | None) -> None:
        """Count a level of command and all below it, for itself and all above it."""
        scope = CountedScope(node, node.kind.level, above)
        self.scopes.append(scope)
        inside = {**chain, scope.level: scope}
        self.enter(node, inside, scope)
        for child in node.children:
            if child.kind.branch:
                self.visit(child, inside, scope)
            else:
                self.enter(child, inside, scope)

    def enter(self, node: Node, chain: dict[str, CountedScope], scope: CountedScope) -> None:
        """Add one node to the counts of every scope that it stands in."""
        imprint = node.kind.cached_contribution or contribution_of(node.kind)
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

    def _book(self, level: str, node: Node) -> CountedScope | None:
        if level != BOOK_SCOPE or node.kind.book is None:
            return None
        return self.books.setdefault(node.kind.book.id, CountedScope(self.root, BOOK_SCOPE, None))

    def judged(self, scope: CountedScope) -> Iterator[BrokenConstraint]:
        """Ask every constraint of one scope."""
        for check in self.plan.by_scope.get(scope.level, ()):
            counts = tuple(
                scope.counts.get(place, _zero_of(self.plan.measures[place]))
                for place in check.measures
            )
            fault = CHECKS[check.rule.kind].check(check.rule, ScopeCounts(scope.node.kind, counts))
            if fault is not None and self.on(check, scope.node, scope):
                yield scope.node, check, fault

    def on(self, check: PreparedConstraint, node: Node, scope: CountedScope) -> bool:
        """Tell whether all switches of a check are as they must be for it to count."""
        return all(self._holds(switch, node, scope) == switch.wanted for switch in check.conditions)

    def _holds(self, switch: _PreparedCondition, node: Node, scope: CountedScope) -> bool:
        place = switch.measure
        if not node.kind.branch and switch.within == node.kind.level:
            found = _measured_amount(node.kind, self.plan.measures[place]) or 0
        else:
            at: CountedScope | None = scope
            if switch.within == BOOK_SCOPE and scope.level != BOOK_SCOPE:
                at = self.books.get(node.kind.book.id) if node.kind.book else None
            while at is not None and at.level != switch.within:
                at = at.above
            found = at.counts.get(place, 0) if at is not None else 0
        return bool(found >= switch.least and (switch.most is None or found <= switch.most))


def find_violations(army: Army) -> list[BrokenConstraint]:
    """Find every constraint that an army breaks, as its nodes stand in the file."""
    counted = _CountingPass(army)
    broken: list[BrokenConstraint] = []
    for scope in (*counted.scopes, *counted.books.values()):
        broken.extend(counted.judged(scope))
    for node, scope, faults in counted.own:
        for check, fault in faults:
            if counted.on(check, node, scope):
                broken.append((node, check, fault))
    if broken:
        broken.sort(key=lambda found: (found[0].order, found[1].order))
    return broken


def _zero_of(measure: Measure) -> Any:
    return _NO_VALUES if measure.what == "values" else 0


_NO_VALUES: dict[str, int] = {}


OVER_LIMIT = "over-limit"
PRICE_UNKNOWN = "price-unknown"


def check(army: Army) -> Verdict:
    """Check and price an army. An illegal army is no error: it has findings.

    Findings stand as their nodes do in the file, and in the order of the constraints.

    Raises:
        MusterError: If a table that the composition rests on is missing or broken.
    """
    priced = price(army)
    findings = [(found[0].order, _make_finding(army, found)) for found in find_violations(army)]
    if priced.missing:
        findings.extend(
            (line.node.order, _unknown_price_finding(army, line.node))
            for line in priced.lines
            if line.points is None
        )
        findings.sort(key=lambda placed: placed[0])
    if army.limit is not None and priced.total is not None and priced.total > army.limit:
        findings.insert(0, (0, _over_limit_finding(army, army.limit, priced.total, priced)))
    return Verdict(army, tuple(finding for _, finding in findings), priced)


def _make_finding(army: Army, broken: BrokenConstraint) -> Finding:
    node, checked, fault = broken
    rule = checked.rule
    remedy = join_remedies(rule.cure) if rule.cure else join_remedies(fault.remedy, rule.remedy)
    return Finding(
        severity="error" if rule.stated else "warning",
        code=rule.id,
        node=node,
        message=rule.message,
        allowed=fault.allowed,
        actual=fault.actual,
        rule=_resolve_citation(army, rule.rule),
        remedy=remedy,
        army=army,
        key_path=(fault.key,) if fault.key else (),
    )


def _resolve_citation(army: Army, cited: Citation | None) -> RuleReference:
    if cited is None:
        return RuleReference("")
    return RuleReference(army.system.chapter(cited.chapter).title, str(cited.source))


def _unknown_price_finding(army: Army, node: Node) -> Finding:
    priced = price_of_kind(node.kind)
    missing = join_words([f"the {what}" for what in priced.missing]) if priced else ""
    return Finding(
        severity="warning",
        code=PRICE_UNKNOWN,
        node=node,
        message=f"No price is known: the total is without {missing} of {node.label}.",
        allowed="a price",
        actual="none",
        rule=_resolve_citation(army, army.composition.written.pricing),
        remedy="Write the price into the list or its army book, if you know it.",
        army=army,
    )


def _over_limit_finding(army: Army, limit: Decimal, total: Decimal, priced: Price) -> Finding:
    over = with_noun(total - limit, "point", "points")
    known = ", not counting what has no price" if priced.missing else ""
    return Finding(
        severity="error",
        code=OVER_LIMIT,
        node=army.root,
        message=f"The army costs more than the limit of {format_number(limit)} points{known}.",
        allowed=with_noun(limit, "point", "points"),
        actual=with_noun(total, "point", "points"),
        rule=RuleReference("The limit of this list"),
        remedy=f"Take off {over}.",
        army=army,
        key_path=("limit",),
    )
