"""Owns the check of a `share`, and its translation: a part of a whole, by number, field or points.

Does not round: 1 of 3 is a third, not 33 %.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import ceil

from generator.armies.checks.scope import Fault, Measure, Place, Scope, nouns
from generator.armies.fields import plain
from generator.armies.soundness import share as read_share
from generator.armies.vocabulary import Selector, ShareRule
from generator.armies.words import counted, sentence


def share_measures(rule: ShareRule) -> tuple[Measure, ...]:
    """Say what is counted: the part, then the whole."""
    return _measure(rule.part, rule.by), _measure(rule.whole, rule.by)


def _measure(selector: Selector, by: str) -> Measure:
    if by == "number":
        return Measure("number", selector)
    if by == "points":
        return Measure("points", selector)
    return Measure("sum", selector, by)


def share(rule: ShareRule, scope: Scope) -> Fault | None:
    """Check a share; both ends are included, and of nothing there is no share."""
    part, whole = Fraction(scope.number(0)), Fraction(scope.number(1))
    if whole <= 0:
        return None
    found = part / whole
    least = None if rule.min is None else read_share(rule.min)
    most = None if rule.max is None else read_share(rule.max)
    if (least is None or found >= least) and (most is None or found <= most):
        return None
    one, many = nouns(scope.sort, rule.part)
    if rule.by == "points":
        one, many = f"point of {many}", f"points of {many}"
    elif rule.by != "number":
        spec = scope.sort.composition.spec(rule.by)
        noun = (spec.one or spec.title or rule.by).lower() if spec else rule.by
        plural = (spec.many or spec.title or rule.by).lower() if spec else rule.by
        one, many = f"{noun} of {many}", f"{plural} of {many}"
    if most is not None and found > most:
        away = _up((part - most * whole) / (1 - most), rule) if most < 1 else Decimal(0)
        others = _up(part / most - whole, rule) if most else Decimal(0)
        more = f"add {plain(others)} of other kinds" if others else ""
        remedy = sentence(f"remove {counted(away, one, many)}", more)
        allowed = f"at most {rule.max} {many}" if most else f"no {many}"
        return Fault(allowed, _said(part, whole), remedy)
    assert least is not None  # noqa: S101 - one end is broken, and it was not the upper one
    extra = _up((least * whole - part) / (1 - least) if least < 1 else whole - part, rule)
    verb = "add" if least < 1 else "exchange others for"
    remedy = sentence(f"{verb} {counted(extra, one, many)}")
    allowed = f"at least {rule.min} {many}" if least < 1 else f"only {many}"
    return Fault(allowed, _said(part, whole), remedy)


def share_demand(rule: ShareRule, place: Place) -> None:
    """State a share for a solver: the part beside so much of the whole, where there is a whole."""
    part, whole = place.number(0), place.number(1)
    scale = whole.scale
    some = place.model.holds(whole * scale, [(1, None)])
    if rule.min is not None:
        place.demand(part - whole * read_share(rule.min), [(0, None)], (some,))
    if rule.max is not None:
        place.demand(part - whole * read_share(rule.max), [(None, 0)], (some,))


def _up(number: Fraction, rule: ShareRule) -> Decimal:
    """Give the least amount that is enough: whole things, but points to the hundredth."""
    step = 100 if rule.by == "points" else 1
    return Decimal(ceil(number * step)) / step


def _said(part: Fraction, whole: Fraction) -> str:
    return f"{_number(part)} of {_number(whole)}"


def _number(number: Fraction) -> str:
    """Write an amount that was counted: whole, or points, whose decimals have an end."""
    return plain(Decimal(number.numerator) / number.denominator)
