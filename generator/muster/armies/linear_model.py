"""Linear models: whole-number and Boolean variables, exact linear sums, and constraints on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Any, NamedTuple

Rational = int | Fraction
Interval = tuple[int | None, int | None]
"""Least and greatest of a run of whole numbers, both included; None is without end."""

UNBOUNDED = 2**62
"""No number of an army is beyond this; it stands in for "without end"."""


class Literal(NamedTuple):
    """A variable of 0 and 1 that is asked for being 1, or for being 0."""

    variable: int
    positive: bool = True

    def __invert__(self) -> Literal:
        return Literal(self.variable, not self.positive)


LiteralLike = Literal | bool
"""Something that is so or not so; a plain bool where that is known beforehand."""


def negated(lit: LiteralLike) -> LiteralLike:
    """Give what is so when the other is not."""
    return not lit if isinstance(lit, bool) else ~lit


class LinearExpr:
    """A sum of variables, each times a factor, and a number."""

    __slots__ = ("constant", "terms")

    def __init__(self, constant: Rational = 0, terms: dict[int, Rational] | None = None) -> None:
        self.constant = constant
        self.terms = terms if terms is not None else {}

    @staticmethod
    def of(lit: LiteralLike) -> LinearExpr:
        """Count something that is so as 1."""
        if isinstance(lit, bool):
            return LinearExpr(int(lit))
        return (
            LinearExpr(0, {lit.variable: 1}) if lit.positive else LinearExpr(1, {lit.variable: -1})
        )

    @staticmethod
    def total(sums: Iterable[LinearExpr]) -> LinearExpr:
        """Add up sums."""
        found = LinearExpr()
        for each in sums:
            found.add(each)
        return found

    def add(self, other: LinearExpr, times: Rational = 1) -> None:
        """Add another sum to this one, so many times."""
        self.constant += other.constant * times
        terms = self.terms
        for index, factor in other.terms.items():
            terms[index] = terms.get(index, 0) + factor * times

    def __add__(self, other: LinearExpr | Rational) -> LinearExpr:
        found = LinearExpr(self.constant, dict(self.terms))
        found.add(other if isinstance(other, LinearExpr) else LinearExpr(other))
        return found

    def __sub__(self, other: LinearExpr | Rational) -> LinearExpr:
        found = LinearExpr(self.constant, dict(self.terms))
        found.add(other if isinstance(other, LinearExpr) else LinearExpr(other), -1)
        return found

    def __mul__(self, times: Rational) -> LinearExpr:
        terms = {index: factor * times for index, factor in self.terms.items()} if times else {}
        return LinearExpr(self.constant * times, terms)

    def __neg__(self) -> LinearExpr:
        return self * -1

    @property
    def known(self) -> Rational | None:
        """The number, if it is one whatever the variables are."""
        return None if any(self.terms.values()) else self.constant

    @property
    def scale(self) -> int:
        """The least number that makes all factors and the number whole."""
        parts = [self.constant, *self.terms.values()]
        return lcm(*(part.denominator for part in parts))


class Variable(NamedTuple):
    """A whole number between two, both included."""

    name: str
    low: int
    high: int


class LinearConstraint(NamedTuple):
    """Where all that is given is so, the sum lies in one of the runs; without runs it cannot be.

    `group` is the place of the group that it belongs to; None for what holds by definition.
    """

    terms: tuple[tuple[int, int], ...]
    runs: tuple[Interval, ...]
    given: tuple[Literal, ...]
    group: int | None


class ProductConstraint(NamedTuple):
    """A variable that is the product of two others."""

    target: int
    left: int
    right: int


@dataclass(slots=True, eq=False)
class ConstraintGroup:
    """One rule at one place of an army: its rows stand or fall together.

    `code` is the finding's, `node` whatever the rule is asked of, `stated` whether breaking it is
    an error. Where `kept` is so, all rows hold.
    """

    place: int
    code: str
    words: str
    source: str
    stated: bool
    kept: Literal
    node: Any = None


@dataclass(slots=True, eq=False)
class LinearModel:
    """Variables, and what must hold of them."""

    variables: list[Variable] = field(default_factory=list)
    rows: list[LinearConstraint] = field(default_factory=list)
    products: list[ProductConstraint] = field(default_factory=list)
    groups: list[ConstraintGroup] = field(default_factory=list)
    _known: dict[Any, Any] = field(default_factory=dict)

    # Variables

    def new_int(self, name: str, low: int, high: int) -> LinearExpr:
        """Make a whole number between two, both included."""
        if low == high:
            return LinearExpr(low)
        self.variables.append(Variable(name, low, high))
        return LinearExpr(0, {len(self.variables) - 1: 1})

    def new_bool(self, name: str) -> Literal:
        """Make something that is so or not so."""
        self.variables.append(Variable(name, 0, 1))
        return Literal(len(self.variables) - 1)

    def bounds(self, total: LinearExpr) -> tuple[Rational, Rational]:
        """Give between what a sum must lie, as far as its variables' own bounds tell."""
        low = high = total.constant
        for index, factor in total.terms.items():
            variable = self.variables[index]
            ends = (variable.low * factor, variable.high * factor)
            low += min(ends)
            high += max(ends)
        return low, high

    # What must hold

    def group(
        self, code: str, words: str, source: str, *, stated: bool, node: Any
    ) -> ConstraintGroup:
        """Begin the group of one rule at one place."""
        place = len(self.groups)
        made = ConstraintGroup(
            place, code, words, source, stated, self.new_bool(f"{code} kept"), node
        )
        self.groups.append(made)
        return made

    def require(
        self,
        total: LinearExpr,
        runs: Sequence[Interval],
        given: Iterable[LiteralLike] = (),
        group: ConstraintGroup | None = None,
    ) -> None:
        """Bind a sum to runs of numbers, where all that is given is so.

        A row of a group says just what the rule says and nothing else, so that its opposite is the
        rule broken; variables that serve the row are bound outside the group.
        """
        needed: list[Literal] = []
        for lit in given:
            if lit is False:
                return
            if lit is not True:
                needed.append(lit)
        low, high = self.bounds(total)
        if any(_is_within(low, high, run) for run in runs):
            return
        scale = total.scale
        shift = total.constant * scale
        terms = tuple(
            (index, int(factor * scale)) for index, factor in total.terms.items() if factor
        )
        whole = tuple(_scaled_interval(run, scale, int(shift)) for run in runs)
        if not terms:
            # A number alone: it is in one of the runs, which was found above, or in none.
            whole = ()
        if group is not None:
            needed.insert(0, group.kept)
        self.rows.append(
            LinearConstraint(terms, whole, tuple(needed), None if group is None else group.place)
        )

    def imply(self, lit: LiteralLike, other: LiteralLike) -> None:
        """Make one thing follow from another."""
        self.require(LinearExpr.of(other), [(1, 1)], (lit,))

    # What follows

    def all_of(self, lits: Iterable[LiteralLike]) -> LiteralLike:
        """Give what is so where all are."""
        needed: dict[Literal, None] = {}
        for lit in lits:
            if lit is False:
                return False
            if lit is not True:
                needed[lit] = None
        if any(~lit in needed for lit in needed):
            return False
        if len(needed) < 2:  # noqa: PLR2004
            return next(iter(needed), True)
        key = ("all", frozenset(needed))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self.new_bool("all")
            for lit in needed:
                self.rows.append(LinearConstraint(*_literal_row(lit), (found,), None))
            total = LinearExpr.total(LinearExpr.of(lit) for lit in needed)
            self.require(total, [(None, len(needed) - 1)], (~found,))
        made: Literal = found
        return made

    def any_of(self, lits: Iterable[LiteralLike]) -> LiteralLike:
        """Give what is so where one at least is."""
        return negated(self.all_of(negated(lit) for lit in lits))

    def indicator(self, total: LinearExpr, runs: Sequence[Interval]) -> LiteralLike:
        """Give what is so just where a sum lies in one of some runs."""
        if (scale := total.scale) > 1:
            # What is between two whole numbers lies in neither of the runs that they end.
            return self.indicator(total * scale, [_scaled_interval(run, scale, 0) for run in runs])
        low, high = self.bounds(total)
        if any(_is_within(low, high, run) for run in runs):
            return True
        apart = complement(runs)
        if any(_is_within(low, high, run) for run in apart):
            return False
        if len(total.terms) == 1 and (found := self._alone(total, runs)) is not None:
            return found
        key = ("in", _expr_key(total), tuple(runs))
        found = self._known.get(key)
        if found is None:
            made = self.new_bool("in")
            self.require(total, runs, (made,))
            self.require(total, apart, (~made,))
            found = self._known[key] = made
        lit: Literal = found
        return lit

    def _alone(self, total: LinearExpr, runs: Sequence[Interval]) -> LiteralLike | None:
        """Give the literal itself where a sum is nothing but one, being 1 or 0."""
        ((index, factor),) = total.terms.items()
        variable = self.variables[index]
        if (variable.low, variable.high) != (0, 1):
            return None
        one = any(_is_within(total.constant + factor, total.constant + factor, run) for run in runs)
        return Literal(index, one)

    def if_true(self, total: LinearExpr, lit: LiteralLike) -> LinearExpr:
        """Give a sum where something is so, and 0 where it is not."""
        if isinstance(lit, bool):
            return total if lit else LinearExpr()
        if not total.terms:
            return LinearExpr.of(lit) * total.constant
        key = ("gated", _expr_key(total), lit)
        found = self._known.get(key)
        if found is None:
            scale = total.scale
            low, high = self.bounds(total)
            made = self.new_int("gated", min(0, floor(low * scale)), max(0, ceil(high * scale)))
            self.require(made - total * scale, [(0, 0)], (lit,))
            self.require(made, [(0, 0)], (~lit,))
            found = self._known[key] = made * Fraction(1, scale)
        gated: LinearExpr = found
        return gated

    def product(self, left: LinearExpr, right: LinearExpr) -> LinearExpr:
        """Give the product of two sums; of two that vary it is a variable of its own."""
        if not left.terms:
            return right * left.constant
        if not right.terms:
            return left * right.constant
        key = ("times", _expr_key(left), _expr_key(right))
        found = self._known.get(key)
        if found is None:
            scale = left.scale * right.scale
            one, other = self._single(left * left.scale), self._single(right * right.scale)
            ends = [a * b for a in self.variables[one][1:] for b in self.variables[other][1:]]
            made = self.new_int("product", min(ends), max(ends))
            if made.terms:
                self.products.append(ProductConstraint(next(iter(made.terms)), one, other))
            found = self._known[key] = made * Fraction(1, scale)
        product: LinearExpr = found
        return product

    def _single(self, total: LinearExpr) -> int:
        """Give the variable that a sum is, or one made equal to it."""
        if total.constant == 0 and list(total.terms.values()) == [1]:
            return next(iter(total.terms))
        low, high = self.bounds(total)
        self.variables.append(Variable("sum", floor(low), ceil(high)))
        index = len(self.variables) - 1
        self.require(LinearExpr(0, {index: 1}) - total, [(0, 0)])
        return index

    def excess(self, total: LinearExpr, less: int) -> LinearExpr:
        """Give by how much a sum is over a number, and 0 where it is under."""
        low, high = self.bounds(total)
        if low >= less:
            return total - less
        if high <= less:
            return LinearExpr()
        return self.if_true(total - less, self.indicator(total, [(less, None)]))


def complement(runs: Sequence[Interval]) -> list[Interval]:
    """Give the runs between and beyond runs of whole numbers."""
    found: list[Interval] = []
    start: int | None = -UNBOUNDED
    for low, high in sorted(runs, key=lambda run: -UNBOUNDED if run[0] is None else run[0]):
        least = -UNBOUNDED if low is None else low
        if start is not None and least > start:
            found.append((None if start == -UNBOUNDED else start, least - 1))
        if high is None:
            start = None
        elif start is not None:
            start = max(start, high + 1)
    if start is not None:
        found.append((None if start == -UNBOUNDED else start, None))
    return found


def _is_within(low: Rational, high: Rational, run: Interval) -> bool:
    return (run[0] is None or low >= run[0]) and (run[1] is None or high <= run[1])


def _scaled_interval(run: Interval, scale: int, shift: int) -> Interval:
    low, high = run
    return (
        None if low is None else low * scale - shift,
        None if high is None else high * scale - shift,
    )


def _literal_row(lit: Literal) -> tuple[tuple[tuple[int, int], ...], tuple[Interval, ...]]:
    """State that a literal is so."""
    return ((lit.variable, 1),), ((int(lit.positive), int(lit.positive)),)


def _expr_key(total: LinearExpr) -> tuple[Any, ...]:
    return (total.constant, *sorted((i, f) for i, f in total.terms.items() if f))
