"""What the rules on an army count while it may still vary: numbers, values, points, its limit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from muster.armies.checks import Measure
from muster.armies.constraints import CountRule
from muster.armies.fields import as_text, is_absent
from muster.armies.vocabulary import Selector
from muster.solver.linear_model import LinearExpr, LinearModel, LiteralLike, as_decimal
from muster.solver.variables import FIXED_NAMES, NodePrice, Slot, price_options, price_slot

_MeasureKey = tuple[str, int, str, str, tuple[str, ...]]
"""A measure as a key of a cache. Its selector is one of the composition's own, by identity."""


@dataclass(slots=True, eq=False)
class Scope:
    """A slot and all slots that count in it, itself included; the scope of a book has no parent."""

    slot: Slot
    level: str
    inside: list[Slot]
    above: Scope | None = None
    totals: dict[_MeasureKey, LinearExpr] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Counts:
    """The sums that rules restrict, of the slots below a root.

    `limit` is that of the army, if it has one; it may vary, too.
    """

    root: Slot
    limit: LinearExpr | None = None
    _texts: dict[str, set[str]] | None = None
    _options: set[str] = field(default_factory=set)
    _prices: dict[int, NodePrice] = field(default_factory=dict)
    _one_cache: dict[tuple[int, _MeasureKey], LinearExpr] = field(default_factory=dict)
    _slot_cache: dict[tuple[int, _MeasureKey], LinearExpr] = field(default_factory=dict)

    @property
    def model(self) -> LinearModel:
        """The model that everything is stated in."""
        return self.root.model

    @property
    def is_limit_open(self) -> bool:
        """Whether the limit varies."""
        return self.limit is not None and bool(self.limit.terms)

    @property
    def fixed_limit(self) -> Decimal | None:
        """The limit, if it does not vary."""
        if self.limit is None or self.is_limit_open:
            return None
        return as_decimal(self.limit.constant)

    def times_of_limit(self, rule: CountRule) -> LinearExpr:
        """Return how many times a rule counts under a limit that varies."""
        assert self.limit is not None  # noqa: S101 - it varies
        assert rule.per is not None  # noqa: S101 - the rule counts by the limit
        # The last of some points counts a begun part as a full one.
        return self.model.quotient(self.limit + (rule.per - 1) * rule.begun, rule.per)

    def may_occur(self, selector: Selector, *, whatever_options: bool) -> bool:
        """Return whether any slot may be what a selector means, by what can never change.

        It is a quick answer for the many rules that are about another book.
        """
        if self._texts is None:
            self._texts = {name: set() for name in FIXED_NAMES}
            self._options = set()
            for slot in self.root.walk():
                for name in FIXED_NAMES:
                    self._texts[name].add(slot.kind.text(name))
                self._options.update(option.id for option, _ in slot.options)
        if selector.options and not whatever_options and self._options.isdisjoint(selector.options):
            return False
        asked = [(name, selector.where.get(name, ())) for name in FIXED_NAMES]
        asked += [("level", [selector.level] if selector.level else ()), ("type", selector.entry)]
        return all(not texts or not self._texts[name].isdisjoint(texts) for name, texts in asked)

    def price_of(self, slot: Slot) -> LinearExpr:
        """Return the known points of one node of a slot."""
        return self.node_price(slot).points

    def node_price(self, slot: Slot) -> NodePrice:
        """Return the price of one node of a slot, worked out once."""
        if id(slot) not in self._prices:
            self._prices[id(slot)] = price_slot(slot)
        return self._prices[id(slot)]

    def is_counted(self, slot: Slot, measure: Measure) -> LiteralLike:
        """Return a literal that is true if a node counts for a measure, even if it adds 0."""
        meant = _meant(slot, measure)
        if not measure.key or meant is False:
            return meant
        literals = [when for when, value in slot.cases(measure.key) if not is_absent(value)]
        return self.model.all_of([meant, self.model.any_of(literals)])

    def value_cases(self, slot: Slot, measure: Measure) -> Iterator[tuple[str, LiteralLike]]:
        """Yield each value that a node may add to a measure, with the literal that it does."""
        meant = self.model.all_of([slot.present, _meant(slot, measure)])
        if meant is not False:
            for when, value in slot.cases(measure.key):
                if not is_absent(value):
                    yield as_text(value), self.model.all_of([meant, when])

    def amounts_by_value(
        self, slot: Slot, measure: Measure, *, one: bool
    ) -> Iterator[tuple[str, LinearExpr]]:
        """Yield what one node of a slot, or all, may add to the count of each value."""
        if _meant(slot, measure) is False:
            return
        count = self.amount_of_one if one else self._amount_of_slot
        for when, value in slot.cases(measure.key):
            if not is_absent(value):
                yield as_text(value), self.model.if_true(count(slot, measure), when)

    def amount_of_one(self, slot: Slot, measure: Measure) -> LinearExpr:
        """Return what one node of a slot contributes to a measure, whatever its count."""
        key = (id(slot), _measure_key(measure))
        if key not in self._one_cache:
            meant = _meant(slot, measure)
            self._one_cache[key] = self.model.if_true(self._measure_of_one(slot, measure), meant)
        return self._one_cache[key]

    def _measure_of_one(self, slot: Slot, measure: Measure) -> LinearExpr:
        if measure.what == "number":
            return LinearExpr(1)
        if measure.what == "points":
            return self.price_of(slot)
        if measure.what == "options":
            taken = slot.counted_options(measure.of.options)
            return LinearExpr.total(LinearExpr.of(literal) for _, literal in taken)
        if measure.what == "option-points":
            return price_options(slot, measure.of.options)
        return LinearExpr.total(slot.number(name) for name in measure.summed)

    def total(self, scope: Scope, measure: Measure) -> LinearExpr:
        """Return the sum of a measure over all nodes of a scope."""
        key = _measure_key(measure)
        if key not in scope.totals:
            occurs = self.may_occur(measure.of, whatever_options=measure.is_of_options)
            scope.totals[key] = LinearExpr.total(
                self._amount_of_slot(slot, measure) for slot in (scope.inside if occurs else ())
            )
        return scope.totals[key]

    def _amount_of_slot(self, slot: Slot, measure: Measure) -> LinearExpr:
        """Return what all nodes of a slot contribute to a measure."""
        key = (id(slot), _measure_key(measure))
        if key not in self._slot_cache:
            meant = _meant(slot, measure)
            if meant is False:
                self._slot_cache[key] = LinearExpr()
            else:
                number = self.model.if_true(slot.count, meant)
                amount = self._measure_of_one(slot, measure)
                self._slot_cache[key] = self.model.product(amount, number)
        return self._slot_cache[key]


def _meant(slot: Slot, measure: Measure) -> LiteralLike:
    """Return a literal that is true if a node is one of those that a measure is about."""
    return slot.matches(measure.of, whatever_options=measure.is_of_options)


def _measure_key(measure: Measure) -> _MeasureKey:
    return measure.what, id(measure.of), measure.field, measure.each, measure.summed
