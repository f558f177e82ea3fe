"""Encode every constraint of a composition, the total and the limit as rows of a linear model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from muster.armies.checks import ENCODERS, MEASURES, NODE_CHECKS, Measure
from muster.armies.composition import LEADER, Composition
from muster.armies.fields import as_text, format_number, is_absent
from muster.armies.linear_model import (
    ConstraintGroup,
    Interval,
    LinearExpr,
    LinearModel,
    LiteralLike,
    negated,
)
from muster.armies.verdict import OVER_LIMIT, PRICE_UNKNOWN
from muster.armies.vocabulary import AnyConstraint, Condition, Selector, TableCellReference
from muster.solver.variables import NodePrice, Slot, price_slot
from muster.values import Value

BOOK = "book"

_MeasureKey = tuple[str, int, str]
"""A measure by what it counts: the selector is one of the composition's own."""


@dataclass(slots=True, eq=False)
class _Scope:
    """A slot and all that counts in it, itself included; a book's has no slot above it."""

    slot: Slot
    level: str
    inside: list[Slot]
    above: _Scope | None = None
    known: dict[_MeasureKey, LinearExpr] = field(default_factory=dict)


@dataclass(slots=True)
class _ConstraintSite:
    """A place at which one rule is asked: a whole scope, or a node alone."""

    demands: Encoding
    rule: AnyConstraint
    slot: Slot
    scope: _Scope | None
    measures: tuple[Measure, ...]
    given: tuple[LiteralLike, ...]
    group: ConstraintGroup

    @property
    def model(self) -> LinearModel:
        return self.demands.model

    def number(self, measure: int) -> LinearExpr:
        """Give the count of a number, a sum, or points."""
        if self.scope is None:
            return self.demands.own(self.slot, self.measures[measure])
        return self.demands.total(self.scope, self.measures[measure])

    def values(self, measure: int) -> Mapping[str, LiteralLike]:
        """Give, for each value that may be met, whether it is."""
        among = [self.slot] if self.scope is None else self.scope.inside
        found: dict[str, list[LiteralLike]] = {}
        for slot in among:
            for value, when in self.demands.said(slot, self.measures[measure]):
                found.setdefault(value, []).append(when)
        return {value: self.model.any_of(whens) for value, whens in found.items()}

    def meant(self, selector: Selector) -> LiteralLike:
        """Tell whether a selector means the node itself."""
        return self.slot.matches(selector)

    def under(self, selector: Selector) -> LiteralLike:
        """Tell whether a selector means the node itself or one that it stands under."""
        return self.slot.stands_under(selector)

    def cells(
        self, references: Sequence[TableCellReference]
    ) -> Iterable[tuple[tuple[LiteralLike, ...], tuple[Value | None, ...]]]:
        """Give what references mean for the node, case by case."""
        meant = self.meant(self.rule.of) if self.rule.kind in NODE_CHECKS else True  # type: ignore[union-attr]  # those have it
        return self.slot.cells(references, (*self.given, meant))

    def demand(
        self, total: LinearExpr, runs: Sequence[Interval], given: Iterable[LiteralLike] = ()
    ) -> None:
        """State that the rule binds a sum."""
        self.model.require(total, runs, (*self.given, *given), self.group)


@dataclass(slots=True, eq=False)
class Encoding:
    """All that is asked of the slots below a root, stated in their model.

    `points` is the total, None in a system without prices; `groups` are in the model.
    """

    composition: Composition
    root: Slot
    points: LinearExpr | None = None
    _scopes: list[_Scope] = field(default_factory=list)
    _books: dict[str, _Scope] = field(default_factory=dict)
    _costs: dict[int, NodePrice] = field(default_factory=dict)
    _own: dict[tuple[int, _MeasureKey], LinearExpr] = field(default_factory=dict)
    _all: dict[tuple[int, _MeasureKey], LinearExpr] = field(default_factory=dict)

    @property
    def model(self) -> LinearModel:
        """What all of it is stated in."""
        return self.root.model

    def encode(self) -> None:
        """State every constraint in every scope, and the total."""
        enclosing: dict[int, _Scope] = {}
        self._gather(self.root, None, enclosing)
        for rule in self.composition.constraints:
            self._everywhere(rule, enclosing)
        if self.composition.has_prices:
            sold = [slot for slot in self.root.walk() if slot.sort.entry is not None]
            self.points = LinearExpr.total(
                self.model.product(self.cost(slot), slot.count) for slot in sold
            )
            for slot in sold:
                self._priced(slot)

    def _everywhere(self, rule: AnyConstraint, enclosing: Mapping[int, _Scope]) -> None:
        """Ask a rule in every scope of its level, or of every node that it may mean."""
        if rule.kind in NODE_CHECKS:
            for slot in self.root.walk():
                self._alone(rule, slot, enclosing[id(slot)])
        elif rule.within in {LEADER, *self.composition.bottom_levels}:
            for slot in self.root.walk():
                if not slot.branch and slot.level == rule.within:
                    self._alone(rule, slot, enclosing[id(slot)])
        else:
            scopes = self._books.values() if rule.within == BOOK else self._scopes
            for scope in tuple(scopes):
                if scope.level == rule.within:
                    self._whole(rule, scope)

    def limit(self, limit: Decimal) -> ConstraintGroup:
        """State that the total is at most the limit; the group is a rule like any other."""
        words = f"The army costs at most {format_number(limit)} points."
        group = self.model.group(
            OVER_LIMIT, words, "The limit of this list", stated=True, node=self.root
        )
        if self.points is not None:
            over = self.points - Fraction(limit)
            self.model.require(over, [(None, 0)], (), group)
        return group

    def cost(self, slot: Slot) -> LinearExpr:
        """Give what one node of a slot costs, as far as it is known."""
        return self._cost(slot).points

    def _cost(self, slot: Slot) -> NodePrice:
        if id(slot) not in self._costs:
            self._costs[id(slot)] = price_slot(slot)
        return self._costs[id(slot)]

    def _priced(self, slot: Slot) -> None:
        """State that a node has a full price; that it has none only warns, as in `verdict`."""
        missing = self._cost(slot).missing
        if missing is not False:
            words = "All of its price is known."
            group = self.model.group(PRICE_UNKNOWN, words, "Points", stated=False, node=slot)
            self.model.require(LinearExpr.of(missing), [(0, 0)], (slot.present,), group)

    # Scopes

    def _gather(self, slot: Slot, above: _Scope | None, enclosing: dict[int, _Scope]) -> None:
        scope = _Scope(slot, slot.level, list(slot.walk()), above)
        self._scopes.append(scope)
        enclosing[id(slot)] = scope
        for each in (slot, *(below for below in slot.below if not below.branch)):
            book = each.sort.book
            if book is not None:
                own = self._books.setdefault(book.id, _Scope(self.root, BOOK, []))
                own.inside.append(each)
        for below in slot.below:
            if below.branch:
                self._gather(below, scope, enclosing)
            else:
                enclosing[id(below)] = scope

    def _whole(self, rule: AnyConstraint, scope: _Scope) -> None:
        there = scope.slot.present if scope.level != BOOK else self._opened(scope)
        measures = MEASURES[rule.kind](rule)
        self._ask(rule, scope.slot, scope, measures, there, scope)

    def _opened(self, scope: _Scope) -> LiteralLike:
        """Tell whether anything that counts stands in a book's scope."""
        wanted: list[Measure] = []
        for rule in self.composition.constraints:
            if rule.within == BOOK and rule.kind not in NODE_CHECKS:
                wanted += MEASURES[rule.kind](rule)
            for condition in (rule.when, rule.unless):
                if condition is not None and (condition.within or rule.within) == BOOK:
                    wanted.append(_condition_measure(condition))
        lits = [
            self.model.all_of([slot.present, self.counted(slot, measure)])
            for slot in scope.inside
            for measure in wanted
        ]
        return self.model.any_of(lits)

    def _alone(self, rule: AnyConstraint, slot: Slot, scope: _Scope) -> None:
        if rule.kind in NODE_CHECKS:
            self._ask(rule, slot, scope, (), slot.present, None)
            return
        measures = MEASURES[rule.kind](rule)
        there = self.model.all_of([slot.present, self.counted(slot, measures[0])])
        self._ask(rule, slot, scope, measures, there, None)

    def _ask(
        self,
        rule: AnyConstraint,
        slot: Slot,
        scope: _Scope,
        measures: tuple[Measure, ...],
        there: LiteralLike,
        inside: _Scope | None,
    ) -> None:
        """Ask one rule of a scope, or of a node alone that stands in a scope."""
        if there is False:
            return
        node = None if inside is not None else slot
        switches = [
            lit if wanted else negated(lit)
            for condition, wanted in ((rule.when, True), (rule.unless, False))
            if condition is not None
            for lit in [self._switch(condition, rule.within, node, scope)]
        ]
        given = (there, *switches)
        if any(lit is False for lit in given):
            return
        group = self.model.group(
            rule.id,
            rule.message,
            f"{self.composition.system.chapter(rule.rule.chapter).title}, {rule.rule.source}",
            stated=rule.stated,
            node=slot,
        )
        asked = _ConstraintSite(self, rule, slot, inside, measures, given, group)
        ENCODERS[rule.kind](rule, asked)

    def _switch(
        self, condition: Condition, within: str, node: Slot | None, scope: _Scope
    ) -> LiteralLike:
        """Tell whether a condition holds, in the scope or in one above it."""
        level = condition.within or within
        measure = _condition_measure(condition)
        at: _Scope | None = scope
        if node is not None and not node.branch and level == node.level:
            found = self.own(node, measure)
        else:
            if level == BOOK and scope.level != BOOK:
                book = (node or scope.slot).sort.book
                at = self._books.get(book.id) if book is not None else None
            while at is not None and at.level != level:
                at = at.above
            found = LinearExpr() if at is None else self.total(at, measure)
        return self.model.indicator(found, [(condition.min or 0, condition.max)])

    # Sums

    def counted(self, slot: Slot, measure: Measure) -> LiteralLike:
        """Tell whether a node adds anything to a measure, were it only 0."""
        meant = slot.matches(measure.of)
        if measure.what != "values" or meant is False:
            return meant
        whens = [when for when, value in slot.cases(measure.field) if not is_absent(value)]
        return self.model.all_of([meant, self.model.any_of(whens)])

    def said(self, slot: Slot, measure: Measure) -> Iterable[tuple[str, LiteralLike]]:
        """List the values that a node may add to a measure, each with when."""
        meant = self.model.all_of([slot.present, slot.matches(measure.of)])
        if meant is not False:
            for when, value in slot.cases(measure.field):
                if not is_absent(value):
                    yield as_text(value), self.model.all_of([meant, when])

    def own(self, slot: Slot, measure: Measure) -> LinearExpr:
        """Give what one node adds to a measure: of one, not of all its count."""
        key = (id(slot), _measure_key(measure))
        if key not in self._own:
            meant = slot.matches(measure.of)
            self._own[key] = self.model.if_true(self._worth(slot, measure), meant)
        return self._own[key]

    def _worth(self, slot: Slot, measure: Measure) -> LinearExpr:
        if measure.what == "number":
            return LinearExpr(1)
        if measure.what == "points":
            return self.cost(slot)
        return slot.number(measure.field)

    def total(self, scope: _Scope, measure: Measure) -> LinearExpr:
        """Give the sum of a measure over all nodes of a scope."""
        key = _measure_key(measure)
        if key not in scope.known:
            scope.known[key] = LinearExpr.total(self._added(slot, measure) for slot in scope.inside)
        return scope.known[key]

    def _added(self, slot: Slot, measure: Measure) -> LinearExpr:
        """Give what a slot adds to a measure, all its count."""
        key = (id(slot), _measure_key(measure))
        if key not in self._all:
            meant = slot.matches(measure.of)
            if meant is False:
                self._all[key] = LinearExpr()
            else:
                number = self.model.if_true(slot.count, meant)
                self._all[key] = self.model.product(self._worth(slot, measure), number)
        return self._all[key]


def _measure_key(measure: Measure) -> _MeasureKey:
    return measure.what, id(measure.of), measure.field


def _condition_measure(condition: Condition) -> Measure:
    if condition.sum is not None:
        return Measure("sum", condition.of, condition.sum)
    return Measure("number", condition.of)
