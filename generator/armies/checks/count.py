"""Owns the check of a `count`, and its translation: so many nodes, or so much of a field.

Does not know where the limits come from beyond a band, a number or a table's cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from math import ceil, floor

from generator.armies.checks.scope import Amount, Fault, Measure, Place, Scope, nouns
from generator.armies.pricing import cell
from generator.armies.solving import Linear, Run, negated
from generator.armies.vocabulary import CountRule, FromTable
from generator.armies.words import Span, counted, lower, sentence, spans
from generator.values import BLANK, DASH, Band, Count, Number, Value


def count_measures(rule: CountRule) -> tuple[Measure, ...]:
    """Say what is counted."""
    if rule.sum is None:
        return (Measure("number", rule.of),)
    return (Measure("sum", rule.of, rule.sum),)


def count(rule: CountRule, scope: Scope) -> Fault | None:
    """Check a count against all bands allowed, the least, the most and the step.

    Ends of bands belong to them. A blank cell says nothing, so nothing is found; a dash says
    that there is no such thing at all.
    """
    number = scope.number(0)
    allowed = _allowed(rule, scope)
    if allowed is None:
        return None
    step = rule.step or 1
    inside = any(low <= number and (high is None or number <= high) for low, high in allowed)
    # A sum of points need not be whole, unless the rule asks for steps.
    if inside and not (rule.step and number % step):
        return None
    one, many = _nouns(rule, scope)
    key = rule.sum or ""
    if not allowed:
        return Fault("not available", counted(number, one, many), "field something else", key)
    text = spans(allowed, one, many)
    if step > 1:
        whole = allowed == [(Decimal(0), None)]
        text = f"a multiple of {step} {many}" if whole else f"{text}, a multiple of {step}"
    return Fault(text, counted(number, one, many), _remedy(allowed, number, step, one, many), key)


def count_demand(rule: CountRule, place: Place) -> None:
    """State a count for a solver: its runs, case by case where tables say them, and its step."""
    number = place.number(0)
    least, most = rule.min or 0, rule.max
    named = [each for each in rule.allowed if isinstance(each, FromTable)]
    written = [Band.parse(each) for each in rule.allowed if not isinstance(each, FromTable)]
    open_ended = []
    for when, cells in place.cells(named):
        runs = [(least, most)] if not rule.allowed else _runs([*cells, *written], least, most)
        if runs is None:
            open_ended.append(place.model.all_of(when))
        else:
            place.demand(number, runs, when)
    if rule.step and rule.step > 1:
        # What a cell leaves open is not held to steps either.
        given = [negated(lit) for lit in open_ended]
        place.demand(_rest(place, number, rule.step), [(0, 0)], given)


def _runs(allowed: Iterable[Value | None], least: int, most: int | None) -> list[Run] | None:
    """Give the runs of several cells, cut to the least and the most; None if one is open."""
    found: list[Run] = []
    for each in allowed:
        if each is DASH:
            continue
        run = None if each is None or each is BLANK else _run(each)
        if run is None:
            return None
        low = max(ceil(run[0]), least)
        ends = [end for end in (None if run[1] is None else floor(run[1]), most) if end is not None]
        high = min(ends, default=None)
        if high is None or low <= high:
            found.append((low, high))
    return found


def _rest(place: Place, number: Linear, step: int) -> Linear:
    """Give what a division by a step leaves over."""
    scale = number.scale
    low, high = place.model.bounds(number * scale)
    every = step * scale
    times = place.model.whole("steps", int(low // every), int(high // every))
    rest = place.model.whole("rest", 0, every - 1)
    place.model.require(number * scale - times * every - rest, [(0, 0)])
    return rest


def _allowed(rule: CountRule, scope: Scope) -> list[Span] | None:
    """Give the runs allowed, from the least on; None if a cell leaves it open."""
    least = Decimal(rule.min or 0)
    most = None if rule.max is None else Decimal(rule.max)
    if not rule.allowed:
        return [(least, most)]
    runs: list[Span] = []
    for each in rule.allowed:
        found = cell(scope.sort, each) if isinstance(each, FromTable) else Band.parse(each)
        if found is DASH:
            continue
        run = None if found is None or found is BLANK else _run(found)
        if run is None:
            return None
        low, high = max(run[0], least), run[1]
        if most is not None:
            high = most if high is None else min(high, most)
        if high is None or low <= high:
            runs.append((low, high))
    return _joined(sorted(runs, key=lambda run: run[0]))


def _run(value: Value) -> Span | None:
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
            return _run(band)
    return None


def _joined(runs: list[Span]) -> list[Span]:
    """Make one of runs that meet, so that 3-4 and 5-6 read 3–6."""
    joined: list[Span] = []
    for low, high in runs:
        if joined:
            first, last = joined[-1]
            if last is None or low <= last + 1:
                more = None if last is None or high is None else max(last, high)
                joined[-1] = (first, more)
                continue
        joined.append((low, high))
    return joined


def _nouns(rule: CountRule, scope: Scope) -> tuple[str, str]:
    if rule.one:
        return rule.one, rule.many or rule.one
    if rule.sum is None:
        return nouns(scope.sort, rule.of)
    spec = scope.sort.spec(rule.sum) or scope.sort.composition.spec(rule.sum)
    noun = lower(spec.title or rule.sum) if spec else rule.sum
    return (spec.one or noun, spec.many or noun) if spec else (noun, noun)


def _remedy(allowed: list[Span], number: Amount, step: int, one: str, many: str) -> str:
    """Name the nearest allowed number below, above, or both."""
    down: Decimal | None = None
    up: Decimal | None = None
    for low, high in allowed:
        top = number if high is None else min(high, Decimal(number))
        top -= top % step
        if low <= top < number:
            down = Decimal(top)
        bottom = max(low, Decimal(number))
        if over := bottom % step:
            bottom += step - over
        if up is None and bottom > number and (high is None or bottom <= high):
            up = bottom
    remove = counted(number - down, one, many) if down is not None else ""
    add = counted(up - number, one, many) if up is not None else ""
    if remove and add:
        return sentence(f"remove {remove} or add {add.split(' ', 1)[0]}")
    return sentence(f"remove {remove}" if remove else "", f"add {add}" if add else "")
