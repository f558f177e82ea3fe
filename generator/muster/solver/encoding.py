"""Encode every constraint of a composition, the total and the limit as rows of a linear model.

Each kind of constraint has one function here, `encode_...`, which stands in the table `ENCODERS`.
It states the same rule as the kind's check in `armies.checks`, for counts that may still vary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from math import ceil, floor
from typing import Any

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
from muster.armies.checks import (
    CHECKS,
    Measure,
    condition_measure,
    least_count,
    whole_range_of,
)
from muster.armies.composition import LEADER, Composition
from muster.armies.fields import as_text, format_number, is_absent, parse_share
from muster.armies.findings import reference_of
from muster.armies.verdict import NO_LIMIT, NO_LIMIT_MESSAGE, OVER_LIMIT, PRICE_UNKNOWN
from muster.armies.vocabulary import (
    BOOK_SCOPE,
    AlikeRule,
    AnyCondition,
    AnyConstraint,
    AvailableRule,
    Condition,
    CountRule,
    ExcludesRule,
    LimitCondition,
    OnlyIfRule,
    RequiresRule,
    Selector,
    ShareRule,
    Switched,
    TableCellReference,
    VarietyRule,
)
from muster.solver.linear_model import (
    ConstraintGroup,
    Interval,
    LinearExpr,
    LinearModel,
    LiteralLike,
    as_decimal,
    negated,
)
from muster.solver.variables import FIXED_NAMES, NodePrice, Slot, price_options, price_slot
from muster.values import BLANK, DASH, Band, Value

_MeasureKey = tuple[str, int, str, str, tuple[str, ...]]
"""A measure as a key of a cache. Its selector is one of the composition's own, by identity."""


@dataclass(slots=True, eq=False)
class _Scope:
    """A slot and all slots that count in it, itself included; the scope of a book has no parent."""

    slot: Slot
    level: str
    inside: list[Slot]
    above: _Scope | None = None
    totals: dict[_MeasureKey, LinearExpr] = field(default_factory=dict)


@dataclass(slots=True)
class _ConstraintSite:
    """A place where one constraint applies: a whole scope, or a node by itself.

    `only_if` says whether the place exists in the army and whether the constraint is switched on
    there, so that an encoder states the rule and nothing else.
    """

    encoding: Encoding
    rule: AnyConstraint
    slot: Slot
    scope: _Scope | None
    measures: tuple[Measure, ...]
    only_if: tuple[LiteralLike, ...]
    group: ConstraintGroup

    @property
    def model(self) -> LinearModel:
        """The model that the rows are added to."""
        return self.encoding.model

    def number(self, index: int) -> LinearExpr:
        """Return one of the measures as a sum: a number, a total, or points."""
        if self.scope is None:
            return self.encoding.amount_of_one(self.slot, self.measures[index])
        return self.encoding.total(self.scope, self.measures[index])

    def values(self, index: int) -> Mapping[str, LiteralLike]:
        """Return for each value that may occur a literal that is true if it does."""
        slots = [self.slot] if self.scope is None else self.scope.inside
        occurrences: dict[str, list[LiteralLike]] = {}
        for slot in slots:
            for value, when in self.encoding.value_cases(slot, self.measures[index]):
                occurrences.setdefault(value, []).append(when)
        return {value: self.model.any_of(literals) for value, literals in occurrences.items()}

    def numbers_by_value(self, index: int) -> Mapping[str, LinearExpr]:
        """Return for each value that may occur the sum of one of the measures."""
        slots = [self.slot] if self.scope is None else self.scope.inside
        numbers: dict[str, LinearExpr] = {}
        for slot in slots:
            one = self.scope is None
            for value, number in self.encoding.amounts_by_value(
                slot, self.measures[index], one=one
            ):
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


# The kinds of constraint


def encode_count(rule: CountRule, site: _ConstraintSite) -> None:
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
    rule: CountRule, site: _ConstraintSite, number: LinearExpr, *, only_if: LiteralLike
) -> None:
    encoding = site.encoding
    varies = rule.per is not None and encoding.is_limit_open
    bounds = (None, None) if varies else rule.bounds(encoding.fixed_limit)
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
        times = encoding.times_of_limit(rule)
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


def _remainder(site: _ConstraintSite, number: LinearExpr, step: int) -> LinearExpr:
    """Return the remainder of a division by a step."""
    scale = number.scale
    divisor = step * scale
    return number * scale - site.model.quotient(number * scale, divisor) * divisor


def encode_share(rule: ShareRule, site: _ConstraintSite) -> None:
    """State that a part has at least and at most its share of the whole, unless the whole is 0."""
    part = site.number(0)
    whole = site.encoding.limit or LinearExpr() if rule.whole == "limit" else site.number(1)
    nonzero = site.model.indicator(whole * whole.scale, [(1, None)])
    if rule.min is not None:
        site.require(part - whole * parse_share(rule.min), [(0, None)], (nonzero,))
    if rule.max is not None:
        site.require(part - whole * parse_share(rule.max), [(None, 0)], (nonzero,))


def encode_alike(rule: AlikeRule, site: _ConstraintSite) -> None:
    """State that at most one value of the attribute occurs."""
    del rule
    _require_at_most(1, site)


def encode_variety(rule: VarietyRule, site: _ConstraintSite) -> None:
    """State that at most `max` values of the attribute occur."""
    _require_at_most(rule.max, site)


def _require_at_most(most: int, site: _ConstraintSite) -> None:
    number = LinearExpr.total(LinearExpr.of(occurs) for occurs in site.values(0).values())
    site.require(number, [(None, most)])


def encode_requires(rule: RequiresRule, site: _ConstraintSite) -> None:
    """State that a scope with nodes that match `of` also has one that matches `needs`."""
    del rule
    present = site.model.indicator(site.number(0), [(1, None)])
    site.require(site.number(1), [(1, None)], (present,))


def encode_excludes(rule: ExcludesRule, site: _ConstraintSite) -> None:
    """State that a scope with nodes that match `of` has none that matches `bars`."""
    del rule
    present = site.model.indicator(site.number(0), [(1, None)])
    site.require(site.number(1), [(None, 0)], (present,))


def encode_only_if(rule: OnlyIfRule, site: _ConstraintSite) -> None:
    """State that a node that matches `of` matches `needs` or stands under a node that does."""
    needed = LinearExpr.of(site.stands_under(rule.needs))
    site.require(needed, [(1, 1)], (site.matches(rule.of),))


def encode_available(rule: AvailableRule, site: _ConstraintSite) -> None:
    """State that a node that matches `of` has no values whose cell is a dash."""
    meant = site.matches(rule.of)
    for when, (cell,) in site.cells([rule.cell], (meant,)):
        if cell is DASH:
            site.require(LinearExpr(1), [(0, 0)], (meant, *when))


ENCODERS: Mapping[str, Callable[[Any, _ConstraintSite], None]] = {
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


# The whole composition


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
    _scopes: list[_Scope] = field(default_factory=list)
    _books: dict[str, _Scope] = field(default_factory=dict)
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

    def encode(self) -> None:
        """State every constraint in every scope, the total, and the limit if there is one."""
        enclosing: dict[int, _Scope] = {}
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
                self.model.product(self.price_of(slot), slot.count) for slot in priced
            )
            for slot in priced:
                self._require_known_price(slot)
        if self.limit is not None:
            self._require_limit(self.limit)

    def _encode_grants(self, enclosing: Mapping[int, _Scope]) -> None:
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
        self, switched: Switched, within: str, node: Slot | None, scope: _Scope
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
            site = _ConstraintSite(self, rule, self.root, scope, measures, (), group)
            encode_count(rule, site)

    def _encode_rule(self, rule: AnyConstraint, enclosing: Mapping[int, _Scope]) -> None:
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
        return subject is None or self._may_occur(subject, whatever_options=counts_options)

    def _may_occur(self, selector: Selector, *, whatever_options: bool) -> bool:
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

    def _require_limit(self, limit: LinearExpr) -> None:
        """State that the total is at most a limit, as a rule like any other."""
        message = "The army costs at most its limit."
        if self.fixed_limit is not None:
            message = f"The army costs at most {format_number(self.fixed_limit)} points."
        group = self.model.group(
            OVER_LIMIT, message, "The limit of this army", stated=True, slot=self.root
        )
        if self.points is not None:
            self.model.require(self.points - limit, [(None, 0)], (), group)

    def times_of_limit(self, rule: CountRule) -> LinearExpr:
        """Return how many times a rule counts under a limit that varies."""
        assert self.limit is not None  # noqa: S101 - it varies
        assert rule.per is not None  # noqa: S101 - the rule counts by the limit
        # The last of some points counts a begun part as a full one.
        return self.model.quotient(self.limit + (rule.per - 1) * rule.begun, rule.per)

    def price_of(self, slot: Slot) -> LinearExpr:
        """Return the known points of one node of a slot."""
        return self._node_price(slot).points

    def _node_price(self, slot: Slot) -> NodePrice:
        if id(slot) not in self._prices:
            self._prices[id(slot)] = price_slot(slot)
        return self._prices[id(slot)]

    def _require_known_price(self, slot: Slot) -> None:
        """State that all of a price is known. As in `verdict`, an unknown price only warns."""
        missing = self._node_price(slot).missing
        if missing is not False:
            message = "Its whole price is known."
            group = self.model.group(PRICE_UNKNOWN, message, "Points", stated=False, slot=slot)
            self.model.require(LinearExpr.of(missing), [(0, 0)], (slot.present,), group)

    # Scopes

    def _collect_scopes(
        self, slot: Slot, above: _Scope | None, enclosing: dict[int, _Scope]
    ) -> None:
        scope = _Scope(slot, slot.level, list(slot.walk()), above)
        self._scopes.append(scope)
        enclosing[id(slot)] = scope
        for member in (slot, *(below for below in slot.below if not below.is_branch)):
            book = member.kind.book
            if book is not None:
                book_scope = self._books.setdefault(book.id, _Scope(self.root, BOOK_SCOPE, []))
                book_scope.inside.append(member)
        for below in slot.below:
            if below.is_branch:
                self._collect_scopes(below, scope, enclosing)
            else:
                enclosing[id(below)] = scope

    def _encode_in_scope(self, rule: AnyConstraint, scope: _Scope) -> None:
        present = scope.slot.present if scope.level != BOOK_SCOPE else self._book_is_used(scope)
        self._encode_at(rule, scope.slot, scope, _measures_of(rule), present, scope)

    def _book_is_used(self, scope: _Scope) -> LiteralLike:
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
                self.model.all_of([slot.present, self.is_counted(slot, measure)])
                for slot in scope.inside
                for measure in measures
            ]
        )

    def _encode_at_node(self, rule: AnyConstraint, slot: Slot, scope: _Scope) -> None:
        measures = _measures_of(rule)
        present = slot.present
        if measures:
            present = self.model.all_of([slot.present, self.is_counted(slot, measures[0])])
        self._encode_at(rule, slot, scope, measures, present, None)

    def _encode_at(
        self,
        rule: AnyConstraint,
        slot: Slot,
        scope: _Scope,
        measures: tuple[Measure, ...],
        present: LiteralLike,
        inside: _Scope | None,
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
        site = _ConstraintSite(self, rule, slot, inside, measures, only_if, group)
        ENCODERS[rule.kind](rule, site)

    def _switch_literal(
        self, switch: AnyCondition, within: str, node: Slot | None, scope: _Scope
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
        if self.limit is None or not self.is_limit_open:
            return condition.holds(self.fixed_limit)
        ends = whole_range_of(Band.parse(condition.limit))
        assert ends is not None  # noqa: S101 - a band has ends
        low, high = (None if end is None else int(end) for end in ends)
        is_empty = low is not None and high is not None and low > high
        return not is_empty and self.model.indicator(self.limit, [(low, high)])

    def _condition_literal(
        self, condition: Condition, within: str, node: Slot | None, scope: _Scope
    ) -> LiteralLike:
        """Return a literal that is true if a condition holds, in the scope or in one above it."""
        level = condition.within or within
        measure = condition_measure(condition)
        if node is not None and not node.is_branch and level == node.level:
            number = self.amount_of_one(node, measure)
        else:
            at: _Scope | None = scope
            if level == BOOK_SCOPE and scope.level != BOOK_SCOPE:
                book = (node or scope.slot).kind.book
                at = self._books.get(book.id) if book is not None else None
            while at is not None and at.level != level:
                at = at.above
            number = LinearExpr() if at is None else self.total(at, measure)
        return self.model.indicator(
            number, [(least_count(condition, condition.min), condition.max)]
        )

    # Sums

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

    def total(self, scope: _Scope, measure: Measure) -> LinearExpr:
        """Return the sum of a measure over all nodes of a scope."""
        key = _measure_key(measure)
        if key not in scope.totals:
            occurs = self._may_occur(measure.of, whatever_options=measure.is_of_options)
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


def _measures_of(rule: AnyConstraint) -> tuple[Measure, ...]:
    measures = CHECKS[rule.kind].measures
    return measures(rule) if measures is not None else ()


def _measure_key(measure: Measure) -> _MeasureKey:
    return measure.what, id(measure.of), measure.field, measure.each, measure.summed
