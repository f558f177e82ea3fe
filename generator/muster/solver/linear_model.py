"""Linear models: whole-number and Boolean variables, exact linear sums, and constraints on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor, gcd, lcm
from typing import Any, NamedTuple

Rational = int | Fraction
Interval = tuple[int | None, int | None]
"""The least and the greatest of a run of whole numbers, both included; None: without end."""

UNBOUNDED = 2**62
"""Greater than any number of an army; it stands for "without end"."""


class Literal(NamedTuple):
    """A Boolean variable, or its negation."""

    variable: int
    positive: bool = True

    def __invert__(self) -> Literal:
        return Literal(self.variable, not self.positive)


LiteralLike = Literal | bool
"""A literal, or a plain bool if its value is already known."""


def negated(literal: LiteralLike) -> LiteralLike:
    """Return the negation of a literal."""
    return not literal if isinstance(literal, bool) else ~literal


class LinearExpr:
    """A sum of variables, each times a factor, and a constant."""

    __slots__ = ("constant", "terms")

    def __init__(self, constant: Rational = 0, terms: dict[int, Rational] | None = None) -> None:
        self.constant = constant
        self.terms = terms if terms is not None else {}

    @staticmethod
    def of(literal: LiteralLike) -> LinearExpr:
        """Return 1 where a literal is true, and 0 where it is false."""
        if isinstance(literal, bool):
            return LinearExpr(int(literal))
        if literal.positive:
            return LinearExpr(0, {literal.variable: 1})
        return LinearExpr(1, {literal.variable: -1})

    @staticmethod
    def total(expressions: Iterable[LinearExpr]) -> LinearExpr:
        """Return the sum of expressions."""
        total = LinearExpr()
        for expression in expressions:
            total.add(expression)
        return total

    def add(self, other: LinearExpr, times: Rational = 1) -> None:
        """Add another expression, times a factor, to this one in place."""
        self.constant += other.constant * times
        terms = self.terms
        for index, factor in other.terms.items():
            terms[index] = terms.get(index, 0) + factor * times

    def __add__(self, other: LinearExpr | Rational) -> LinearExpr:
        result = LinearExpr(self.constant, dict(self.terms))
        result.add(other if isinstance(other, LinearExpr) else LinearExpr(other))
        return result

    def __sub__(self, other: LinearExpr | Rational) -> LinearExpr:
        result = LinearExpr(self.constant, dict(self.terms))
        result.add(other if isinstance(other, LinearExpr) else LinearExpr(other), -1)
        return result

    def __mul__(self, times: Rational) -> LinearExpr:
        terms = {index: factor * times for index, factor in self.terms.items()} if times else {}
        return LinearExpr(self.constant * times, terms)

    def __neg__(self) -> LinearExpr:
        return self * -1

    @property
    def scale(self) -> int:
        """The least number that makes all factors and the constant whole."""
        parts = [self.constant, *self.terms.values()]
        return lcm(*(part.denominator for part in parts))

    @property
    def step(self) -> Fraction:
        """The greatest number that every value of the sum is a multiple of; 1 for a sum of 0."""
        parts = [Fraction(part) for part in (self.constant, *self.terms.values()) if part]
        scale = lcm(*(part.denominator for part in parts))
        return (
            Fraction(gcd(*(int(part * scale) for part in parts)), scale) if parts else Fraction(1)
        )

    def in_steps(self) -> LinearExpr:
        """Return the sum divided by its step: all its values are whole numbers."""
        step = self.step
        terms: dict[int, Rational] = {
            index: int(factor / step) for index, factor in self.terms.items() if factor
        }
        return LinearExpr(int(self.constant / step), terms)

    def whole_terms(self) -> tuple[tuple[int, int], ...]:
        """Return the variables with their factors, scaled to whole numbers, without zeros."""
        scale = self.scale
        return tuple((index, int(factor * scale)) for index, factor in self.terms.items() if factor)


class Variable(NamedTuple):
    """A whole number from `low` to `high`, both included."""

    name: str
    low: int
    high: int


class LinearConstraint(NamedTuple):
    """A sum that lies in one of some intervals wherever all conditions are true.

    Without intervals the conditions cannot all be true. `group` is the index of the group that
    the constraint belongs to; None for what holds by definition.
    """

    terms: tuple[tuple[int, int], ...]
    intervals: tuple[Interval, ...]
    only_if: tuple[Literal, ...]
    group: int | None


class ProductConstraint(NamedTuple):
    """A variable that is the product of two others."""

    target: int
    left: int
    right: int


@dataclass(slots=True, eq=False)
class ConstraintGroup:
    """One rule in one scope of an army: it is kept if all of its constraints hold.

    `code` is that of the finding, `message` says the rule, `slot` is what the rule is judged at,
    and `stated` says whether breaking it is an error. Where `holds` is true, all constraints of
    the group hold.
    """

    index: int
    code: str
    message: str
    source: str
    stated: bool
    holds: Literal
    slot: Any = None


@dataclass(slots=True, eq=False)
class LinearModel:
    """Variables, and the constraints on them."""

    variables: list[Variable] = field(default_factory=list)
    constraints: list[LinearConstraint] = field(default_factory=list)
    products: list[ProductConstraint] = field(default_factory=list)
    groups: list[ConstraintGroup] = field(default_factory=list)
    _cache: dict[Any, Any] = field(default_factory=dict)

    # Variables

    def new_int(self, name: str, low: int, high: int) -> LinearExpr:
        """Add a whole number from `low` to `high`, both included."""
        if low == high:
            return LinearExpr(low)
        self.variables.append(Variable(name, low, high))
        return LinearExpr(0, {len(self.variables) - 1: 1})

    def new_bool(self, name: str) -> Literal:
        """Add a Boolean variable."""
        self.variables.append(Variable(name, 0, 1))
        return Literal(len(self.variables) - 1)

    def bounds(self, total: LinearExpr) -> tuple[Rational, Rational]:
        """Return the least and the greatest value that the bounds of its variables allow a sum."""
        low = high = total.constant
        for index, factor in total.terms.items():
            variable = self.variables[index]
            ends = (variable.low * factor, variable.high * factor)
            low += min(ends)
            high += max(ends)
        return low, high

    # Constraints

    def group(
        self, code: str, message: str, source: str, *, stated: bool, slot: Any
    ) -> ConstraintGroup:
        """Add a group for one rule in one scope."""
        index = len(self.groups)
        holds = self.new_bool(f"{code} holds")
        group = ConstraintGroup(index, code, message, source, stated, holds, slot)
        self.groups.append(group)
        return group

    def require(
        self,
        total: LinearExpr,
        intervals: Sequence[Interval],
        only_if: Iterable[LiteralLike] = (),
        group: ConstraintGroup | None = None,
    ) -> None:
        """Restrict a sum to intervals, wherever all of `only_if` is true.

        A constraint of a group must state the rule and nothing else, because its negation must mean
        that the rule is broken. Auxiliary variables are restricted outside the group.
        """
        conditions: list[Literal] = []
        for literal in only_if:
            if literal is False:
                return
            if literal is not True:
                conditions.append(literal)
        low, high = self.bounds(total)
        if any(_is_within(low, high, interval) for interval in intervals):
            return
        terms = total.whole_terms()
        # A constant that is in one of the intervals was found above; this one is in none.
        scaled = scaled_intervals(total, intervals) if terms else ()
        if group is not None:
            conditions.insert(0, group.holds)
        index = None if group is None else group.index
        self.constraints.append(LinearConstraint(terms, scaled, tuple(conditions), index))

    def imply(self, condition: LiteralLike, consequence: LiteralLike) -> None:
        """Require that one literal is true wherever another is."""
        self.require(LinearExpr.of(consequence), [(1, 1)], (condition,))

    # Derived literals and sums

    def all_of(self, literals: Iterable[LiteralLike]) -> LiteralLike:
        """Return a literal that is true where all of some literals are."""
        needed: dict[Literal, None] = {}
        for literal in literals:
            if literal is False:
                return False
            if literal is not True:
                needed[literal] = None
        if any(~literal in needed for literal in needed):
            return False
        if len(needed) < 2:  # noqa: PLR2004
            return next(iter(needed), True)
        key = ("all", frozenset(needed))
        if key not in self._cache:
            conjunction = self._cache[key] = self.new_bool("all")
            for literal in needed:
                row = LinearConstraint(*_literal_row(literal), (conjunction,), None)
                self.constraints.append(row)
            total = LinearExpr.total(LinearExpr.of(literal) for literal in needed)
            self.require(total, [(None, len(needed) - 1)], (~conjunction,))
        result: Literal = self._cache[key]
        return result

    def any_of(self, literals: Iterable[LiteralLike]) -> LiteralLike:
        """Return a literal that is true where at least one of some literals is."""
        return negated(self.all_of(negated(literal) for literal in literals))

    def indicator(self, total: LinearExpr, intervals: Sequence[Interval]) -> LiteralLike:
        """Return a literal that is true exactly where a sum lies in one of some intervals."""
        if (scale := total.scale) > 1:
            # A value between two whole numbers is in neither of the intervals that end there.
            return self.indicator(
                total * scale, [_scaled_interval(interval, scale, 0) for interval in intervals]
            )
        low, high = self.bounds(total)
        if any(_is_within(low, high, interval) for interval in intervals):
            return True
        outside = complement(intervals)
        if any(_is_within(low, high, interval) for interval in outside):
            return False
        if len(total.terms) == 1 and (literal := self._as_literal(total, intervals)) is not None:
            return literal
        key = ("in", _expr_key(total), tuple(intervals))
        if key not in self._cache:
            inside = self.new_bool("in")
            self.require(total, intervals, (inside,))
            self.require(total, outside, (~inside,))
            self._cache[key] = inside
        result: Literal = self._cache[key]
        return result

    def _as_literal(self, total: LinearExpr, intervals: Sequence[Interval]) -> LiteralLike | None:
        """Return the literal itself for a sum of a single Boolean variable, else None."""
        ((index, factor),) = total.terms.items()
        variable = self.variables[index]
        if (variable.low, variable.high) != (0, 1):
            return None
        value = total.constant + factor
        return Literal(index, any(_is_within(value, value, interval) for interval in intervals))

    def if_true(self, total: LinearExpr, literal: LiteralLike) -> LinearExpr:
        """Return a sum that equals `total` where a literal is true, and 0 where it is false."""
        if isinstance(literal, bool):
            return total if literal else LinearExpr()
        if not total.terms:
            return LinearExpr.of(literal) * total.constant
        key = ("gated", _expr_key(total), literal)
        if key not in self._cache:
            steps = total.in_steps()
            low, high = self.bounds(steps)
            gated = self.new_int("gated", min(0, floor(low)), max(0, ceil(high)))
            self.require(gated - steps, [(0, 0)], (literal,))
            self.require(gated, [(0, 0)], (~literal,))
            self._cache[key] = gated * total.step
        result: LinearExpr = self._cache[key]
        return result

    def product(self, left: LinearExpr, right: LinearExpr) -> LinearExpr:
        """Return the product of two sums; if neither is constant, as a variable of its own."""
        if not left.terms:
            return right * left.constant
        if not right.terms:
            return left * right.constant
        key = ("times", _expr_key(left), _expr_key(right))
        if key not in self._cache:
            first = self._as_variable(left.in_steps())
            second = self._as_variable(right.in_steps())
            ends = [a * b for a in self.variables[first][1:] for b in self.variables[second][1:]]
            made = self.new_int("product", min(ends), max(ends))
            if made.terms:
                self.products.append(ProductConstraint(next(iter(made.terms)), first, second))
            self._cache[key] = made * (left.step * right.step)
        result: LinearExpr = self._cache[key]
        return result

    def _as_variable(self, total: LinearExpr) -> int:
        """Return the variable that a sum consists of, or a new one that is equal to it."""
        if total.constant == 0 and list(total.terms.values()) == [1]:
            return next(iter(total.terms))
        low, high = self.bounds(total)
        self.variables.append(Variable("sum", floor(low), ceil(high)))
        index = len(self.variables) - 1
        self.require(LinearExpr(0, {index: 1}) - total, [(0, 0)])
        return index

    def quotient(self, total: LinearExpr, divisor: int) -> LinearExpr:
        """Return how many times a whole number holds another, without the rest."""
        key = ("quotient", _expr_key(total), divisor)
        if key not in self._cache:
            low, high = self.bounds(total)
            quotient = self.new_int("quotient", int(low // divisor), int(high // divisor))
            self.require(total - quotient * divisor, [(0, divisor - 1)])
            self._cache[key] = quotient
        result: LinearExpr = self._cache[key]
        return result

    def excess(self, total: LinearExpr, limit: int) -> LinearExpr:
        """Return by how much a sum exceeds a limit, and 0 where it does not."""
        low, high = self.bounds(total)
        if low >= limit:
            return total - limit
        if high <= limit:
            return LinearExpr()
        return self.if_true(total - limit, self.indicator(total, [(limit, None)]))

    def relaxed_excess(self, total: LinearExpr) -> LinearExpr:
        """Return a sum that is at least `total` and at least 0.

        It is equal to the greater of the two only where it is minimised, and costs fewer variables
        than `excess`.
        """
        low, high = self.bounds(total)
        if high <= 0:
            return LinearExpr()
        if low >= 0:
            return total
        steps = total.in_steps()
        over = self.new_int("over", 0, ceil(high / total.step))
        self.require(over - steps, [(0, None)])
        return over * total.step

    def relaxed_distance(self, total: LinearExpr, value: int, largest: int) -> LinearExpr:
        """Return a variable that is at least the distance of a sum from a value.

        It is equal to the distance only where it is minimised.

        Args:
            total: The sum, of whole factors.
            value: The value that it should have.
            largest: The greatest distance to expect.
        """
        distance = self.new_int("distance", 0, largest)
        self.require(distance - total + value, [(0, None)])
        self.require(distance + total - value, [(0, None)])
        return distance


def as_decimal(number: Rational) -> Decimal:
    """Return points, which have finitely many decimals, as an exact number."""
    return Decimal(number.numerator) / number.denominator


def complement(intervals: Sequence[Interval]) -> list[Interval]:
    """Return the intervals of whole numbers between and beyond some intervals."""
    gaps: list[Interval] = []
    start: int | None = -UNBOUNDED
    for low, high in sorted(intervals, key=lambda it: -UNBOUNDED if it[0] is None else it[0]):
        least = -UNBOUNDED if low is None else low
        if start is not None and least > start:
            gaps.append((None if start == -UNBOUNDED else start, least - 1))
        if high is None:
            start = None
        elif start is not None:
            start = max(start, high + 1)
    if start is not None:
        gaps.append((None if start == -UNBOUNDED else start, None))
    return gaps


def scaled_intervals(total: LinearExpr, intervals: Iterable[Interval]) -> tuple[Interval, ...]:
    """Return the intervals that `total.whole_terms()` lie in where the sum lies in `intervals`."""
    scale = total.scale
    shift = int(total.constant * scale)
    return tuple(_scaled_interval(interval, scale, shift) for interval in intervals)


def _scaled_interval(interval: Interval, scale: int, shift: int) -> Interval:
    low, high = interval
    return (
        None if low is None else low * scale - shift,
        None if high is None else high * scale - shift,
    )


def _is_within(low: Rational, high: Rational, interval: Interval) -> bool:
    least, greatest = interval
    return (least is None or low >= least) and (greatest is None or high <= greatest)


def _literal_row(literal: Literal) -> tuple[tuple[tuple[int, int], ...], tuple[Interval, ...]]:
    """Return the terms and the intervals that say that a literal is true."""
    return ((literal.variable, 1),), ((int(literal.positive), int(literal.positive)),)


def _expr_key(total: LinearExpr) -> tuple[Any, ...]:
    return (total.constant, *sorted((i, f) for i, f in total.terms.items() if f))
