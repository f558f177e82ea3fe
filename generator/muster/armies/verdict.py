"""Check an army against the constraints of its system, in one pass, and return the verdict."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

from muster.armies.army import Army, Node, NodeKind
from muster.armies.book_rules import find_book_findings
from muster.armies.books import counts_limit
from muster.armies.check_plan import (
    CheckPlan,
    PreparedConditions,
    PreparedConstraint,
    PreparedSwitch,
    check_plan_of,
)
from muster.armies.checks import (
    BREAKS_A_WARNING,
    BREAKS_AN_ERROR,
    BREAKS_NOTHING,
    count_remedy,
    keeps_count,
)
from muster.armies.constraints import AnyConstraint, CountRule, LimitCondition
from muster.armies.counting import BrokenConstraint, find_violations, measured_number, with_grants
from muster.armies.fields import (
    as_number,
    format_number,
    in_points,
    join_remedies,
    join_words,
    lower_first,
)
from muster.armies.findings import Finding, Price, RuleReference, Verdict, reference_of
from muster.armies.pricing import price, price_of_kind
from muster.armies.rolls import value_of_stated_total
from muster.armies.vocabulary import LEADER, Selector
from muster.languages import marked, say
from muster.values.number import plain_number
from muster.yamlfile import KeyPath

OVER_LIMIT = "over-limit"
OTHER_LIMIT = "other-limit"
NO_LIMIT = "no-limit"
NO_LIMIT_MESSAGE = marked("The army states no limit, so rules that depend on one are not checked.")
PRICE_UNKNOWN = "price-unknown"


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
        changed = replace(kind, fields=fields)
        broken = [
            prepared.rule
            for prepared in others
            if isinstance(prepared.rule, CountRule)
            and changed.matches(prepared.rule.of)
            and _is_switched_on_alone(prepared, changed, plan, limit)
            and not keeps_count(prepared.rule, changed, number, limit)
        ]
        return max(
            (BREAKS_AN_ERROR if each.stated else BREAKS_A_WARNING for each in broken),
            default=BREAKS_NOTHING,
        )

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
    condition: PreparedSwitch, kind: NodeKind, plan: CheckPlan, limit: Decimal | None
) -> bool | None:
    """Return whether a condition holds for a node by itself; None if the army decides that."""
    if isinstance(condition, LimitCondition):
        return condition.holds(limit)
    if isinstance(condition, PreparedConditions):
        parts = [_holds_alone(part, kind, plan, limit) for part in condition.parts]
        decisive = not condition.every
        if decisive in parts:
            return decisive
        return None if None in parts else condition.every
    if condition.within != kind.level:
        return None
    return condition.holds_for(measured_number(kind, plan.measures[condition.measure]))


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
            # If there are several leaders, the last one is reported as too many.
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
        remedy=say("Give the limit of the game, such as `limit: 2000`."),
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
