"""Encode every constraint of a composition, the total and the limit as rows of a linear model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from muster.armies.book_rules import (
    UNIT_NUMBER,
    UNIT_OPTION,
    book_reference,
    is_barred,
    number_message,
    option_message,
    units_with_numbers,
)
from muster.armies.books import Book, counts_limit
from muster.armies.checks import CHECKS, Measure, condition_measure
from muster.armies.composition import Composition
from muster.armies.constraints import (
    BOOK_SCOPE,
    AnyCondition,
    AnyConstraint,
    Condition,
    LimitCondition,
    Switched,
)
from muster.armies.fields import format_number
from muster.armies.findings import reference_of
from muster.armies.ranges import least_count, whole_range_of
from muster.armies.verdict import NO_LIMIT, NO_LIMIT_MESSAGE, OVER_LIMIT, PRICE_UNKNOWN
from muster.armies.vocabulary import LEADER
from muster.solver.counts import Counts, Scope
from muster.solver.encoders import ENCODERS, ConstraintSite, encode_count
from muster.solver.linear_model import LinearExpr, LinearModel, LiteralLike, negated
from muster.solver.variables import Slot
from muster.values import Band


@dataclass(slots=True, eq=False)
class Encoding:
    """All constraints on the slots below a root, stated in their model.

    `limit` is that of the army, if it has one: rules may count by it, and the total keeps it. It
    may vary, too.
    `points` is the total, None in a system without prices. The groups are those of the model.
    """

    composition: Composition
    root: Slot
    limit: LinearExpr | None = None
    points: LinearExpr | None = None
    _scopes: list[Scope] = field(default_factory=list)
    _books: dict[str, Scope] = field(default_factory=dict)
    counts: Counts = field(init=False)

    def __post_init__(self) -> None:
        self.counts = Counts(self.root, self.limit)

    @property
    def model(self) -> LinearModel:
        """The model that everything is stated in."""
        return self.root.model

    def encode(self) -> None:
        """State every constraint in every scope, the total, and the limit if there is one."""
        enclosing: dict[int, Scope] = {}
        self._collect_scopes(self.root, None, enclosing)
        self._encode_grants(enclosing)
        for rule in self.composition.constraints:
            self._encode_rule(rule, enclosing)
        self._encode_book_rules()
        if self.limit is None and counts_limit(self.composition, self.root.kind.book):
            group = self.model.group(
                NO_LIMIT, NO_LIMIT_MESSAGE, "The limit of this army", stated=False, slot=self.root
            )
            self.model.require(LinearExpr(1), [(0, 0)], (), group)
        if self.composition.has_prices:
            priced = [slot for slot in self.root.walk() if slot.kind.entry is not None]
            self.points = LinearExpr.total(
                self.model.product(self.counts.price_of(slot), slot.count) for slot in priced
            )
            for slot in priced:
                self._require_known_price(slot)
        if self.limit is not None:
            self._require_limit(self.limit)

    def _encode_grants(self, enclosing: Mapping[int, Scope]) -> None:
        """Set the attributes that the state of the army grants; rules then see them."""
        for grant in self.composition.written.grants:
            for slot in self.root.walk():
                matches = False if slot.is_branch else slot.matches(grant.of)
                if matches is not False:
                    conditions = self._conditions(grant, grant.within, slot, enclosing[id(slot)])
                    given = self.model.all_of([matches, *conditions])
                    if given is not False:
                        slot.grant(grant.set, given)

    def _conditions(
        self, switched: Switched, within: str, node: Slot | None, scope: Scope
    ) -> list[LiteralLike]:
        """Return literals that are all true where a rule or grant is switched on."""
        return [
            literal if expected else negated(literal)
            for switch, expected in switched.switches()
            for literal in [self._switch_literal(switch, within, node, scope)]
        ]

    def _encode_book_rules(self) -> None:
        """State what army books say of their own units: their number, and their options."""
        books: dict[str, Book] = {}
        for slot in self.root.walk():
            book, profile = slot.kind.book, slot.kind.profile
            if book is None or profile is None:
                continue
            books[book.id] = book
            barred = [taken for option, taken in slot.options if is_barred(profile, option)]
            if barred:
                source = str(book_reference(book, profile))
                group = self.model.group(
                    UNIT_OPTION, option_message(slot.kind), source, stated=True, slot=slot
                )
                total = LinearExpr.total(LinearExpr.of(taken) for taken in barred)
                self.model.require(total, [(0, 0)], (slot.present,), group)
        for book, profile, rule in units_with_numbers(self.root.kind.book, books):
            group = self.model.group(
                UNIT_NUMBER,
                number_message(book, rule),
                str(book_reference(book, profile)),
                stated=True,
                slot=self.root,
            )
            scope, measures = self._scopes[0], _measures_of(rule)
            site = ConstraintSite(self.counts, rule, self.root, scope, measures, (), group)
            encode_count(rule, site)

    def _encode_rule(self, rule: AnyConstraint, enclosing: Mapping[int, Scope]) -> None:
        """State a rule in every scope of its level, or at every node that it may mean."""
        if not self._concerns(rule):
            return
        if CHECKS[rule.kind].measures is None:
            for slot in self.root.walk():
                self._encode_at_node(rule, slot, enclosing[id(slot)])
        elif rule.within in {LEADER, *self.composition.bottom_levels}:
            for slot in self.root.walk():
                if not slot.is_branch and slot.level == rule.within:
                    self._encode_at_node(rule, slot, enclosing[id(slot)])
        else:
            scopes = self._books.values() if rule.within == BOOK_SCOPE else self._scopes
            for scope in tuple(scopes):
                if scope.level == rule.within:
                    self._encode_in_scope(rule, scope)

    def _concerns(self, rule: AnyConstraint) -> bool:
        """Return whether a rule can be broken: there may be something of what it is about."""
        subject = rule.subject
        counts_options = any(measure.is_of_options for measure in _measures_of(rule))
        return subject is None or self.counts.may_occur(subject, whatever_options=counts_options)

    def _require_limit(self, limit: LinearExpr) -> None:
        """State that the total is at most a limit, as a rule like any other."""
        message = "The army costs at most its limit."
        if self.counts.fixed_limit is not None:
            message = f"The army costs at most {format_number(self.counts.fixed_limit)} points."
        group = self.model.group(
            OVER_LIMIT, message, "The limit of this army", stated=True, slot=self.root
        )
        if self.points is not None:
            self.model.require(self.points - limit, [(None, 0)], (), group)

    def _require_known_price(self, slot: Slot) -> None:
        """State that all of a price is known. As in `verdict`, an unknown price only warns."""
        missing = self.counts.node_price(slot).missing
        if missing is not False:
            message = "Its whole price is known."
            group = self.model.group(PRICE_UNKNOWN, message, "Points", stated=False, slot=slot)
            self.model.require(LinearExpr.of(missing), [(0, 0)], (slot.present,), group)

    # Scopes

    def _collect_scopes(self, slot: Slot, above: Scope | None, enclosing: dict[int, Scope]) -> None:
        scope = Scope(slot, slot.level, list(slot.walk()), above)
        self._scopes.append(scope)
        enclosing[id(slot)] = scope
        for member in (slot, *(below for below in slot.below if not below.is_branch)):
            book = member.kind.book
            if book is not None:
                book_scope = self._books.setdefault(book.id, Scope(self.root, BOOK_SCOPE, []))
                book_scope.inside.append(member)
        for below in slot.below:
            if below.is_branch:
                self._collect_scopes(below, scope, enclosing)
            else:
                enclosing[id(below)] = scope

    def _encode_in_scope(self, rule: AnyConstraint, scope: Scope) -> None:
        present = scope.slot.present if scope.level != BOOK_SCOPE else self._book_is_used(scope)
        self._encode_at(rule, scope.slot, scope, _measures_of(rule), present, scope)

    def _book_is_used(self, scope: Scope) -> LiteralLike:
        """Return a literal that is true if the scope of a book has any node that counts."""
        measures: list[Measure] = []
        for rule in self.composition.constraints:
            if rule.within == BOOK_SCOPE:
                measures += _measures_of(rule)
            for _, condition in rule.conditions():
                if (condition.within or rule.within) == BOOK_SCOPE:
                    measures.append(condition_measure(condition))
        return self.model.any_of(
            [
                self.model.all_of([slot.present, self.counts.is_counted(slot, measure)])
                for slot in scope.inside
                for measure in measures
            ]
        )

    def _encode_at_node(self, rule: AnyConstraint, slot: Slot, scope: Scope) -> None:
        measures = _measures_of(rule)
        present = slot.present
        if measures:
            present = self.model.all_of([slot.present, self.counts.is_counted(slot, measures[0])])
        self._encode_at(rule, slot, scope, measures, present, None)

    def _encode_at(
        self,
        rule: AnyConstraint,
        slot: Slot,
        scope: Scope,
        measures: tuple[Measure, ...],
        present: LiteralLike,
        inside: Scope | None,
    ) -> None:
        """State one rule in a scope (`inside`), or at a single node that stands in `scope`."""
        if present is False:
            return
        node = None if inside is not None else slot
        only_if = (present, *self._conditions(rule, rule.within, node, scope))
        if any(literal is False for literal in only_if):
            return
        group = self.model.group(
            rule.id,
            rule.message,
            str(reference_of(self.composition.system, rule.rule)),
            stated=rule.stated,
            slot=slot,
        )
        site = ConstraintSite(self.counts, rule, slot, inside, measures, only_if, group)
        ENCODERS[rule.kind](rule, site)

    def _switch_literal(
        self, switch: AnyCondition, within: str, node: Slot | None, scope: Scope
    ) -> LiteralLike:
        """Return a literal that is true if one condition holds, or any or all of several."""
        if isinstance(switch, LimitCondition):
            return self._limit_literal(switch)
        if isinstance(switch, Condition):
            return self._condition_literal(switch, within, node, scope)
        parts = [self._switch_literal(part, within, node, scope) for part in switch.parts]
        return self.model.all_of(parts) if switch.all else self.model.any_of(parts)

    def _limit_literal(self, condition: LimitCondition) -> LiteralLike:
        """Return a literal that is true if the limit lies in the band of a condition."""
        if self.limit is None or not self.counts.is_limit_open:
            return condition.holds(self.counts.fixed_limit)
        ends = whole_range_of(Band.parse(condition.limit))
        assert ends is not None  # noqa: S101 - a band has ends
        low, high = (None if end is None else int(end) for end in ends)
        is_empty = low is not None and high is not None and low > high
        return not is_empty and self.model.indicator(self.limit, [(low, high)])

    def _condition_literal(
        self, condition: Condition, within: str, node: Slot | None, scope: Scope
    ) -> LiteralLike:
        """Return a literal that is true if a condition holds, in the scope or in one above it."""
        level = condition.within or within
        measure = condition_measure(condition)
        if node is not None and not node.is_branch and level == node.level:
            number = self.counts.amount_of_one(node, measure)
        else:
            at: Scope | None = scope
            if level == BOOK_SCOPE and scope.level != BOOK_SCOPE:
                book = (node or scope.slot).kind.book
                at = self._books.get(book.id) if book is not None else None
            while at is not None and at.level != level:
                at = at.above
            number = LinearExpr() if at is None else self.counts.total(at, measure)
        return self.model.indicator(
            number, [(least_count(condition, condition.min), condition.max)]
        )


def _measures_of(rule: AnyConstraint) -> tuple[Measure, ...]:
    measures = CHECKS[rule.kind].measures
    return measures(rule) if measures is not None else ()
