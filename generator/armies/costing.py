"""Owns the translation of prices for a solver: what one node costs while its fields may vary.

Does not compare a total with a limit. The arithmetic that people read is `pricing`'s. What has no
price costs nothing here, as it adds nothing to the total there.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from generator import values
from generator.armies.fields import FieldValue
from generator.armies.pricing import amount_of
from generator.armies.slots import Slot
from generator.armies.solving import Linear, Lit, negated
from generator.armies.vocabulary import FromField, Term
from generator.values import Value


class Cost(NamedTuple):
    """The known points of one node, and when some of its price is not known."""

    points: Linear
    missing: Lit


def cost(slot: Slot) -> Cost:
    """Give what one such node costs; it costs that `count` times over."""
    total = Linear()
    missing: list[Lit] = []
    model = slot.model
    for term, taken in _terms(slot):
        applies = model.all_of([taken, slot.meets(term.where)])
        if applies is False:
            continue
        quantity = Linear(1)
        if term.times is not None:
            quantity = model.over(slot.number(term.times), int(term.less))
        for when, each in _each(slot, term, applies):
            case = model.all_of([applies, when])
            exact: Lit = True
            if isinstance(each, Linear):
                points = model.times(each, quantity)
            elif (amount := amount_of(each)) is None:
                missing.append(case)
                continue
            else:
                points, exact = _points(slot, each, amount, quantity)
            total.add(model.gated(points, case))
            missing.append(model.all_of([case, negated(exact)]))
    return Cost(total, model.any_of(missing))


def _terms(slot: Slot) -> Iterator[tuple[Term, Lit]]:
    if slot.sort.entry is None:
        return
    for term in slot.sort.entry.price:
        yield term, True
    for option, taken in slot.options:
        for term in option.price:
            yield term, taken


def _each(
    slot: Slot, term: Term, applies: Lit
) -> Iterator[tuple[Lit, FieldValue | Value | Linear | None]]:
    """Go through what a thing may cost; a number that the list may write is a sum itself."""
    if isinstance(term.each, FromField):
        name = term.each.field
        if name in slot.amounts:
            yield True, slot.amounts[name]
        else:
            yield from slot.cases(name)
        return
    for when, (found,) in slot.cells([term.each], (slot.there, applies)):
        yield slot.model.all_of(when), found


def _points(
    slot: Slot, each: FieldValue | Value | None, amount: Decimal, quantity: Linear
) -> tuple[Linear, Lit]:
    """Give amount x quantity, and when it is exact: a price for every so many may have no end."""
    if not isinstance(each, values.Cost) or each.every == 1:
        return quantity * Fraction(amount), True
    share = Fraction(amount) / Fraction(each.every)
    odd = share.denominator
    for factor in (2, 5):
        while odd % factor == 0:
            odd //= factor
    if odd == 1 or not share:
        return quantity * share, True
    # Thirds of a point have no end: only a quantity that divides by three has a price.
    model = slot.model
    whole = quantity * quantity.scale
    low, high = model.bounds(whole)
    times = model.whole("parts", int(low // odd), int(high // odd))
    rest = model.whole("rest", 0, odd - 1)
    model.require(whole - times * odd - rest, [(0, 0)])
    exact = model.holds(rest, [(0, 0)])
    return model.gated(quantity * share, exact), exact
