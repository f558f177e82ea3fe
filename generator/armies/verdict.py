"""Owns the verdict on an army: constraints broken, prices missing, the limit passed.

Does not count (see `tally`) and does not print.
"""

from __future__ import annotations

from decimal import Decimal

from generator.armies.army import Army, Node
from generator.armies.fields import plain
from generator.armies.findings import Finding, Price, Rule, Verdict
from generator.armies.pricing import price, tag
from generator.armies.tally import Broken, tally
from generator.armies.vocabulary import Cited
from generator.armies.words import counted, join, sentence

OVER_LIMIT = "over-limit"
PRICE_UNKNOWN = "price-unknown"


def check(army: Army) -> Verdict:
    """Check and price an army. An illegal army is no error: it has findings.

    Findings stand as their nodes do in the file, and in the order of the constraints.

    Raises:
        MusterError: If a table that the composition rests on is missing or broken.
    """
    priced = price(army)
    findings = [(found[0].order, _finding(army, found)) for found in tally(army)]
    if priced.missing:
        findings.extend(
            (line.node.order, _unknown(army, line.node))
            for line in priced.lines
            if line.points is None
        )
        findings.sort(key=lambda placed: placed[0])
    if army.limit is not None and priced.total is not None and priced.total > army.limit:
        findings.insert(0, (0, _over(army, army.limit, priced.total, priced)))
    return Verdict(army, tuple(finding for _, finding in findings), priced)


def _finding(army: Army, broken: Broken) -> Finding:
    node, checked, fault = broken
    rule = checked.rule
    remedy = sentence(rule.cure) if rule.cure else sentence(fault.remedy, rule.remedy)
    return Finding(
        severity="error" if rule.stated else "warning",
        code=rule.id,
        node=node,
        message=rule.message,
        allowed=fault.allowed,
        actual=fault.actual,
        rule=_rule(army, rule.rule),
        remedy=remedy,
        army=army,
        spot=(fault.key,) if fault.key else (),
    )


def _rule(army: Army, cited: Cited | None) -> Rule:
    if cited is None:
        return Rule("")
    return Rule(army.system.chapter(cited.chapter).title, str(cited.source))


def _unknown(army: Army, node: Node) -> Finding:
    priced = tag(node.sort)
    missing = join([f"the {what}" for what in priced.missing]) if priced else ""
    return Finding(
        severity="warning",
        code=PRICE_UNKNOWN,
        node=node,
        message=f"No price is known: the total is without {missing} of {node.label}.",
        allowed="a price",
        actual="none",
        rule=_rule(army, army.composition.written.pricing),
        remedy="Write the price into the list or its army book, if you know it.",
        army=army,
    )


def _over(army: Army, limit: Decimal, total: Decimal, priced: Price) -> Finding:
    over = counted(total - limit, "point", "points")
    known = ", not counting what has no price" if priced.missing else ""
    return Finding(
        severity="error",
        code=OVER_LIMIT,
        node=army.root,
        message=f"The army costs more than the limit of {plain(limit)} points{known}.",
        allowed=counted(limit, "point", "points"),
        actual=counted(total, "point", "points"),
        rule=Rule("The limit of this list"),
        remedy=f"Take off {over}.",
        army=army,
        spot=("limit",),
    )
