"""Owns what a solver is asked of an army: every constraint in every scope, the total, the limit.

Does not know what any kind of constraint means (see `checks`) and does not choose which slots
there are. It goes through slots as `tally` goes through nodes, and hands each translation its
sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from generator.armies.checks import ALONE, DEMANDS, MEASURES, Measure
from generator.armies.composition import LEADER, Composition
from generator.armies.costing import Cost, cost
from generator.armies.fields import absent, as_text, plain
from generator.armies.slots import Slot
from generator.armies.solving import Group, Linear, Lit, Model, Run, negated
from generator.armies.verdict import OVER_LIMIT, PRICE_UNKNOWN
from generator.armies.vocabulary import AnyConstraint, Condition, FromTable, Selector
from generator.values import Value

BOOK = "book"

_Key = tuple[str, int, str]
"""A measure by what it counts: the selector is one of the composition's own."""


@dataclass(slots=True, eq=False)
class _Scope:
    """A slot and all that counts in it, itself included; a book's has no slot above it."""

    slot: Slot
    level: str
    inside: list[Slot]
    above: _Scope | None = None
    known: dict[_Key, Linear] = field(default_factory=dict)


@dataclass(slots=True)
class _Asked:
    """A place at which one rule is asked: a whole scope, or a node alone."""

    demands: Demands
    rule: AnyConstraint
    slot: Slot
    scope: _Scope | None
    measures: tuple[Measure, ...]
    given: tuple[Lit, ...]
    group: Group

    @property
    def model(self) -> Model:
        return self.demands.model

    def number(self, measure: int) -> Linear:
        """Give the count of a number, a sum, or points."""
        if self.scope is None:
            return self.demands.own(self.slot, self.measures[measure])
        return self.demands.total(self.scope, self.measures[measure])

    def values(self, measure: int) -> Mapping[str, Lit]:
        """Give, for each value that may be met, whether it is."""
        among = [self.slot] if self.scope is None else self.scope.inside
        found: dict[str, list[Lit]] = {}
        for slot in among:
            for value, when in self.demands.said(slot, self.measures[measure]):
                found.setdefault(value, []).append(when)
        return {value: self.model.any_of(whens) for value, whens in found.items()}

    def meant(self, selector: Selector) -> Lit:
        """Tell whether a selector means the node itself."""
        return self.slot.meant(selector)

    def under(self, selector: Selector) -> Lit:
        """Tell whether a selector means the node itself or one that it stands under."""
        return self.slot.under(selector)

    def cells(
        self, references: Sequence[FromTable]
    ) -> Iterable[tuple[tuple[Lit, ...], tuple[Value | None, ...]]]:
        """Give what references mean for the node, case by case."""
        meant = self.meant(self.rule.of) if self.rule.kind in ALONE else True  # type: ignore[union-attr]  # those have it
        return self.slot.cells(references, (*self.given, meant))

    def demand(self, total: Linear, runs: Sequence[Run], given: Iterable[Lit] = ()) -> None:
        """State that the rule binds a sum."""
        self.model.require(total, runs, (*self.given, *given), self.group)


@dataclass(slots=True, eq=False)
class Demands:
    """All that is asked of the slots below a root, stated in their model.

    `points` is the total, None in a system without prices; `groups` are in the model.
    """

    composition: Composition
    root: Slot
    points: Linear | None = None
    _scopes: list[_Scope] = field(default_factory=list)
    _books: dict[str, _Scope] = field(default_factory=dict)
    _costs: dict[int, Cost] = field(default_factory=dict)
    _own: dict[tuple[int, _Key], Linear] = field(default_factory=dict)
    _all: dict[tuple[int, _Key], Linear] = field(default_factory=dict)

    @property
    def model(self) -> Model:
        """What all of it is stated in."""
        return self.root.model

    def state(self) -> None:
        """State every constraint in every scope, and the total."""
        enclosing: dict[int, _Scope] = {}
        self._gather(self.root, None, enclosing)
        for rule in self.composition.constraints:
            self._everywhere(rule, enclosing)
        if self.composition.prices:
            sold = [slot for slot in self.root.walk() if slot.sort.entry is not None]
            self.points = Linear.total(
                self.model.times(self.cost(slot), slot.count) for slot in sold
            )
            for slot in sold:
                self._priced(slot)

    def _everywhere(self, rule: AnyConstraint, enclosing: Mapping[int, _Scope]) -> None:
        """Ask a rule in every scope of its level, or of every node that it may mean."""
        if rule.kind in ALONE:
            for slot in self.root.walk():
                self._alone(rule, slot, enclosing[id(slot)])
        elif rule.within in {LEADER, *self.composition.bottom}:
            for slot in self.root.walk():
                if not slot.branch and slot.level == rule.within:
                    self._alone(rule, slot, enclosing[id(slot)])
        else:
            scopes = self._books.values() if rule.within == BOOK else self._scopes
            for scope in tuple(scopes):
                if scope.level == rule.within:
                    self._whole(rule, scope)

    def limit(self, limit: Decimal) -> Group:
        """State that the total is at most the limit; the group is a rule like any other."""
        words = f"The army costs at most {plain(limit)} points."
        group = self.model.group(
            OVER_LIMIT, words, "The limit of this list", stated=True, node=self.root
        )
        if self.points is not None:
            over = self.points - Fraction(limit)
            self.model.require(over, [(None, 0)], (), group)
        return group

    def cost(self, slot: Slot) -> Linear:
        """Give what one node of a slot costs, as far as it is known."""
        return self._cost(slot).points

    def _cost(self, slot: Slot) -> Cost:
        if id(slot) not in self._costs:
            self._costs[id(slot)] = cost(slot)
        return self._costs[id(slot)]

    def _priced(self, slot: Slot) -> None:
        """State that a node has a full price; that it has none only warns, as in `verdict`."""
        missing = self._cost(slot).missing
        if missing is not False:
            words = "All of its price is known."
            group = self.model.group(PRICE_UNKNOWN, words, "Points", stated=False, node=slot)
            self.model.require(Linear.of(missing), [(0, 0)], (slot.there,), group)

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
        there = scope.slot.there if scope.level != BOOK else self._opened(scope)
        measures = MEASURES[rule.kind](rule)
        self._ask(rule, scope.slot, scope, measures, there, scope)

    def _opened(self, scope: _Scope) -> Lit:
        """Tell whether anything that counts stands in a book's scope."""
        wanted: list[Measure] = []
        for rule in self.composition.constraints:
            if rule.within == BOOK and rule.kind not in ALONE:
                wanted += MEASURES[rule.kind](rule)
            for condition in (rule.when, rule.unless):
                if condition is not None and (condition.within or rule.within) == BOOK:
                    wanted.append(_measure(condition))
        lits = [
            self.model.all_of([slot.there, self.counted(slot, measure)])
            for slot in scope.inside
            for measure in wanted
        ]
        return self.model.any_of(lits)

    def _alone(self, rule: AnyConstraint, slot: Slot, scope: _Scope) -> None:
        if rule.kind in ALONE:
            self._ask(rule, slot, scope, (), slot.there, None)
            return
        measures = MEASURES[rule.kind](rule)
        there = self.model.all_of([slot.there, self.counted(slot, measures[0])])
        self._ask(rule, slot, scope, measures, there, None)

    def _ask(
        self,
        rule: AnyConstraint,
        slot: Slot,
        scope: _Scope,
        measures: tuple[Measure, ...],
        there: Lit,
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
        asked = _Asked(self, rule, slot, inside, measures, given, group)
        DEMANDS[rule.kind](rule, asked)

    def _switch(self, condition: Condition, within: str, node: Slot | None, scope: _Scope) -> Lit:
        """Tell whether a condition holds, in the scope or in one above it."""
        level = condition.within or within
        measure = _measure(condition)
        at: _Scope | None = scope
        if node is not None and not node.branch and level == node.level:
            found = self.own(node, measure)
        else:
            if level == BOOK and scope.level != BOOK:
                book = (node or scope.slot).sort.book
                at = self._books.get(book.id) if book is not None else None
            while at is not None and at.level != level:
                at = at.above
            found = Linear() if at is None else self.total(at, measure)
        return self.model.holds(found, [(condition.min or 0, condition.max)])

    # Sums

    def counted(self, slot: Slot, measure: Measure) -> Lit:
        """Tell whether a node adds anything to a measure, were it only 0."""
        meant = slot.meant(measure.of)
        if measure.what != "values" or meant is False:
            return meant
        whens = [when for when, value in slot.cases(measure.field) if not absent(value)]
        return self.model.all_of([meant, self.model.any_of(whens)])

    def said(self, slot: Slot, measure: Measure) -> Iterable[tuple[str, Lit]]:
        """List the values that a node may add to a measure, each with when."""
        meant = self.model.all_of([slot.there, slot.meant(measure.of)])
        if meant is not False:
            for when, value in slot.cases(measure.field):
                if not absent(value):
                    yield as_text(value), self.model.all_of([meant, when])

    def own(self, slot: Slot, measure: Measure) -> Linear:
        """Give what one node adds to a measure: of one, not of all its count."""
        key = (id(slot), _key(measure))
        if key not in self._own:
            meant = slot.meant(measure.of)
            self._own[key] = self.model.gated(self._worth(slot, measure), meant)
        return self._own[key]

    def _worth(self, slot: Slot, measure: Measure) -> Linear:
        if measure.what == "number":
            return Linear(1)
        if measure.what == "points":
            return self.cost(slot)
        return slot.number(measure.field)

    def total(self, scope: _Scope, measure: Measure) -> Linear:
        """Give the sum of a measure over all nodes of a scope."""
        key = _key(measure)
        if key not in scope.known:
            scope.known[key] = Linear.total(self._added(slot, measure) for slot in scope.inside)
        return scope.known[key]

    def _added(self, slot: Slot, measure: Measure) -> Linear:
        """Give what a slot adds to a measure, all its count."""
        key = (id(slot), _key(measure))
        if key not in self._all:
            meant = slot.meant(measure.of)
            if meant is False:
                self._all[key] = Linear()
            else:
                number = self.model.gated(slot.count, meant)
                self._all[key] = self.model.times(self._worth(slot, measure), number)
        return self._all[key]


def _key(measure: Measure) -> _Key:
    return measure.what, id(measure.of), measure.field


def _measure(condition: Condition) -> Measure:
    if condition.sum is not None:
        return Measure("sum", condition.of, condition.sum)
    return Measure("number", condition.of)
