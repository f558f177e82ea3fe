"""Encode each kind of constraint as rows of a linear model, at a place where it applies.

Each kind has one function here, `encode_...`, which stands in the table `ENCODERS`. It states the
same rule as the kind's check in `armies.checks`, for counts that may still vary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

from muster.armies.checks import Measure
from muster.armies.constraints import (
    AlikeRule,
    AnyConstraint,
    AvailableRule,
    CountRule,
    ExcludesRule,
    OnlyIfRule,
    RequiresRule,
    ShareRule,
    VarietyRule,
)
from muster.armies.fields import parse_share
from muster.armies.ranges import least_count, whole_range_of
from muster.armies.vocabulary import Selector, TableCellReference
from muster.solver.counts import Counts, Scope
from muster.solver.linear_model import (
    ConstraintGroup,
    Interval,
    LinearExpr,
    LinearModel,
    LiteralLike,
    negated,
)
from muster.solver.variables import Slot
from muster.values import BLANK, DASH, Band, Value


@dataclass(slots=True)
class ConstraintSite:
    """A place where one constraint applies: a whole scope, or a node by itself.

    `only_if` says whether the place exists in the army and whether the constraint is switched on
    there, so that an encoder states the rule and nothing else.
    """

    counts: Counts
    rule: AnyConstraint
    slot: Slot
    scope: Scope | None
    measures: tuple[Measure, ...]
    only_if: tuple[LiteralLike, ...]
    group: ConstraintGroup

    @property
    def model(self) -> LinearModel:
        """The model that the rows are added to."""
        return self.counts.model

    def number(self, index: int) -> LinearExpr:
        """Return one of the measures as a sum: a number, a total, or points."""
        if self.scope is None:
            return self.counts.amount_of_one(self.slot, self.measures[index])
        return self.counts.total(self.scope, self.measures[index])

    def values(self, index: int) -> Mapping[str, LiteralLike]:
        """Return for each value that may occur a literal that is true if it does."""
        slots = [self.slot] if self.scope is None else self.scope.inside
        occurrences: dict[str, list[LiteralLike]] = {}
        for slot in slots:
            for value, when in self.counts.value_cases(slot, self.measures[index]):
                occurrences.setdefault(value, []).append(when)
        return {value: self.model.any_of(literals) for value, literals in occurrences.items()}

    def numbers_by_value(self, index: int) -> Mapping[str, LinearExpr]:
        """Return for each value that may occur the sum of one of the measures."""
        slots = [self.slot] if self.scope is None else self.scope.inside
        numbers: dict[str, LinearExpr] = {}
        for slot in slots:
            one = self.scope is None
            for value, number in self.counts.amounts_by_value(slot, self.measures[index], one=one):
                numbers.setdefault(value, LinearExpr()).add(number)
        return numbers

    def matches(self, selector: Selector) -> LiteralLike:
        """Return a literal that is true if a selector matches the node itself."""
        return self.slot.matches(selector)

    def stands_under(self, selector: Selector) -> LiteralLike:
        """Return a literal that is true if a selector matches the node itself or one above it."""
        return self.slot.stands_under(selector)

    def cells(
        self, references: Sequence[TableCellReference], only_if: Iterable[LiteralLike] = ()
    ) -> Iterable[tuple[tuple[LiteralLike, ...], tuple[Value | None, ...]]]:
        """Return the table cells that references name: for each case, its literals and the cells.

        A case without such a cell is ruled out where the constraint applies and `only_if` is true.
        """
        return self.slot.cells(references, (*self.only_if, *only_if))

    def require(
        self, total: LinearExpr, intervals: Sequence[Interval], only_if: Iterable[LiteralLike] = ()
    ) -> None:
        """State that the rule restricts a sum to intervals, wherever `only_if` is true."""
        self.model.require(total, intervals, (*self.only_if, *only_if), self.group)


def encode_count(rule: CountRule, site: ConstraintSite) -> None:
    """State that a count lies in the intervals allowed, and is a multiple of the step.

    With `each`, that is so for each value that occurs.
    """
    if rule.each is None:
        _encode_number(rule, site, site.number(0), only_if=True)
        return
    occurs = site.values(0)
    for value, number in site.numbers_by_value(0).items():
        _encode_number(rule, site, number, only_if=occurs[value])


def _encode_number(
    rule: CountRule, site: ConstraintSite, number: LinearExpr, *, only_if: LiteralLike
) -> None:
    counts = site.counts
    varies = rule.per is not None and counts.is_limit_open
    bounds = (None, None) if varies else rule.bounds(counts.fixed_limit)
    if bounds is None:
        return
    least, most = least_count(rule, bounds[0]), bounds[1]
    references = [each for each in rule.allowed if isinstance(each, TableCellReference)]
    bands = [Band.parse(each) for each in rule.allowed if not isinstance(each, TableCellReference)]
    open_ended = []
    for when, cells in site.cells(references):
        intervals = (
            [(least, most)]
            if not rule.allowed
            else _allowed_intervals([*cells, *bands], least, most)
        )
        if intervals is None:
            open_ended.append(site.model.all_of(when))
        else:
            site.require(number, intervals, (only_if, *when))
    # Where a cell leaves the count open, no other bound applies either.
    closed = [only_if, *(negated(literal) for literal in open_ended)]
    if rule.step and rule.step > 1:
        site.require(_remainder(site, number, rule.step), [(0, 0)], closed)
    if varies:
        times = counts.times_of_limit(rule)
        if rule.min is not None:
            site.require(number - times * rule.min, [(0, None)], closed)
        if rule.max is not None:
            site.require(number - times * rule.max, [(None, 0)], closed)


def _allowed_intervals(
    allowed: Iterable[Value | None], least: int, most: int | None
) -> list[Interval] | None:
    """Return the intervals of several cells, cut to the least and the most; None if one is open."""
    intervals: list[Interval] = []
    for value in allowed:
        if value is DASH:
            continue
        whole = None if value is None or value is BLANK else whole_range_of(value)
        if whole is None:
            return None
        low = max(ceil(whole[0]), least)
        ends = [
            end for end in (None if whole[1] is None else floor(whole[1]), most) if end is not None
        ]
        high = min(ends, default=None)
        if high is None or low <= high:
            intervals.append((low, high))
    return intervals


def _remainder(site: ConstraintSite, number: LinearExpr, step: int) -> LinearExpr:
    """Return the remainder of a division by a step."""
    scale = number.scale
    divisor = step * scale
    return number * scale - site.model.quotient(number * scale, divisor) * divisor


def encode_share(rule: ShareRule, site: ConstraintSite) -> None:
    """State that a part has at least and at most its share of the whole, unless the whole is 0."""
    part = site.number(0)
    whole = site.counts.limit or LinearExpr() if rule.whole == "limit" else site.number(1)
    nonzero = site.model.indicator(whole * whole.scale, [(1, None)])
    if rule.min is not None:
        site.require(part - whole * parse_share(rule.min), [(0, None)], (nonzero,))
    if rule.max is not None:
        site.require(part - whole * parse_share(rule.max), [(None, 0)], (nonzero,))


def encode_alike(rule: AlikeRule, site: ConstraintSite) -> None:
    """State that at most one value of the attribute occurs."""
    del rule
    _require_at_most(1, site)


def encode_variety(rule: VarietyRule, site: ConstraintSite) -> None:
    """State that at most `max` values of the attribute occur."""
    _require_at_most(rule.max, site)


def _require_at_most(most: int, site: ConstraintSite) -> None:
    number = LinearExpr.total(LinearExpr.of(occurs) for occurs in site.values(0).values())
    site.require(number, [(None, most)])


def encode_requires(rule: RequiresRule, site: ConstraintSite) -> None:
    """State that a scope with nodes that match `of` also has one that matches `needs`."""
    del rule
    present = site.model.indicator(site.number(0), [(1, None)])
    site.require(site.number(1), [(1, None)], (present,))


def encode_excludes(rule: ExcludesRule, site: ConstraintSite) -> None:
    """State that a scope with nodes that match `of` has none that matches `bars`."""
    del rule
    present = site.model.indicator(site.number(0), [(1, None)])
    site.require(site.number(1), [(None, 0)], (present,))


def encode_only_if(rule: OnlyIfRule, site: ConstraintSite) -> None:
    """State that a node that matches `of` matches `needs` or stands under a node that does."""
    needed = LinearExpr.of(site.stands_under(rule.needs))
    site.require(needed, [(1, 1)], (site.matches(rule.of),))


def encode_available(rule: AvailableRule, site: ConstraintSite) -> None:
    """State that a node that matches `of` has no values whose cell is a dash."""
    meant = site.matches(rule.of)
    for when, (cell,) in site.cells([rule.cell], (meant,)):
        if cell is DASH:
            site.require(LinearExpr(1), [(0, 0)], (meant, *when))


ENCODERS: Mapping[str, Callable[[Any, ConstraintSite], None]] = {
    "count": encode_count,
    "share": encode_share,
    "alike": encode_alike,
    "variety": encode_variety,
    "requires": encode_requires,
    "excludes": encode_excludes,
    "only-if": encode_only_if,
    "available": encode_available,
}
"""The encoder of each kind of constraint."""
