"""Which numbers a rule on a count allows, and which of them lie near another number."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from muster.armies.army import NodeKind
from muster.armies.constraints import Condition, CountRule
from muster.armies.fields import (
    Amount,
    AmountRange,
)
from muster.armies.pricing import resolve_cell
from muster.armies.vocabulary import TableCellReference
from muster.values import BLANK, DASH, Band, Count, Number, Value

_LEAST_POINTS = -(10**9)


def least_count(count: Condition | CountRule, least: int | None) -> int:
    """Return the least count at which a condition holds, or that a rule allows.

    Without a minimum (`least`) that is 0, but for points: an option may make a unit cheaper.
    """
    if least is not None:
        return least
    return _LEAST_POINTS if count.by in {"points", "option-points"} else 0


def allowed_ranges(
    rule: CountRule, kind: NodeKind, limit: Decimal | None
) -> list[AmountRange] | None:
    """Return the ranges allowed, the lowest first; None if a cell, or no limit, leaves it open."""
    bounds = rule.bounds(limit)
    if bounds is None:
        return None
    least = Decimal(least_count(rule, bounds[0]))
    most = None if bounds[1] is None else Decimal(bounds[1])
    if not rule.allowed:
        return [(least, most)]
    ranges: list[AmountRange] = []
    for allowed in rule.allowed:
        value = (
            resolve_cell(kind, allowed)
            if isinstance(allowed, TableCellReference)
            else Band.parse(allowed)
        )
        if value is DASH:
            continue
        whole = None if value is None or value is BLANK else whole_range_of(value)
        if whole is None:
            return None
        low, high = max(whole[0], least), whole[1]
        if most is not None:
            high = most if high is None else min(high, most)
        if high is None or low <= high:
            ranges.append((low, high))
    return _merge_ranges(sorted(ranges, key=lambda it: it[0]))


def whole_range_of(value: Value) -> AmountRange | None:
    """Return the least and the greatest whole number of a cell, both included; None for words.

    The ends of a band are rounded inwards, and none is below 0. An end of None is open. The
    amount of a number or a count is returned as it is.
    """
    match value:
        case Band():
            low = Decimal(0) if value.low is None else value.low.to_integral_value(ROUND_CEILING)
            high = None if value.high is None else value.high.to_integral_value(ROUND_FLOOR)
            if value.low_open and low == value.low:
                low += 1
            if high is not None and value.high_open and high == value.high:
                high -= 1
            return max(low, Decimal(0)), high
        case Number(amount=amount) | Count(amount=Decimal() as amount):
            return amount, amount
        case Count(amount=Band() as band):
            return whole_range_of(band)
    return None


def _merge_ranges(ranges: list[AmountRange]) -> list[AmountRange]:
    """Merge sorted ranges that touch or overlap, so that 3–4 and 5–6 read 3–6."""
    merged: list[AmountRange] = []
    for low, high in ranges:
        if merged:
            first, last = merged[-1]
            if last is None or low <= last + 1:
                end = None if last is None or high is None else max(last, high)
                merged[-1] = (first, end)
                continue
        merged.append((low, high))
    return merged


_MOST_TARGETS = 8
"""How many multiples of a step are tried at each end of a range."""


def targets_below(allowed: list[AmountRange], number: Amount, step: int) -> Iterator[Decimal]:
    """Yield allowed numbers below a number: the greatest of each range, in steps downwards."""
    for low, high in allowed:
        top = Decimal(number) if high is None else min(high, Decimal(number))
        top -= top % step
        if top == number:
            top -= step
        for multiple in range(_MOST_TARGETS):
            if low <= top - multiple * step < number:
                yield top - multiple * step


def targets_above(allowed: list[AmountRange], number: Amount, step: int) -> Iterator[Decimal]:
    """Yield allowed numbers above a number: the least of each range, in steps upwards."""
    for low, high in allowed:
        bottom = max(low, Decimal(number))
        bottom += (step - bottom % step) % step
        if bottom == number:
            bottom += step
        for multiple in range(_MOST_TARGETS):
            target = bottom + multiple * step
            if number < target and (high is None or target <= high):
                yield target
