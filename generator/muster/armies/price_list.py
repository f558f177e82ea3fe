"""What a unit may be and what that costs, as the check and the pricing of armies answer it.

No rule and no price is worked out here: a unit is put into an army by itself, and `find_violations`
and `price_of_kind` are asked about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from math import lcm

from muster.armies.army import Army, Node, NodeKind
from muster.armies.book_rules import barred_options
from muster.armies.books import Book, UnitType, entry_of, profile_of
from muster.armies.composition import Composition
from muster.armies.constraints import CountRule
from muster.armies.counting import find_violations
from muster.armies.fields import AmountRange, FieldValue
from muster.armies.pricing import price_of_kind, resolve_cell
from muster.armies.ranges import whole_range_of
from muster.armies.vocabulary import Option, TableCellReference
from muster.values import Band

MAX_NUMBER = 500
"""The greatest number that is tried; a rule that allows it is taken to have no upper end."""

_TRIED_PRICES = 24
"""How many numbers are priced to find what one more costs."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers that a field may have: multiples of a step, in ranges with both ends included.

    The last range has no upper end (None) if no rule sets one.
    """

    ranges: tuple[AmountRange, ...]
    step: int = 1

    @property
    def least(self) -> int:
        """The least of the numbers; 0 if there are none."""
        return int(self.ranges[0][0]) if self.ranges else 0

    @property
    def open(self) -> bool:
        """Whether there is no greatest number."""
        return bool(self.ranges) and self.ranges[-1][1] is None

    def listed(self) -> list[int]:
        """Return all numbers, or only the least if there is no greatest."""
        if self.open:
            return [self.least]
        return [
            number
            for low, high in self.ranges
            for number in range(int(low), int(high or low) + 1, self.step)
        ]


@dataclass(frozen=True, slots=True)
class Rate:
    """A price that grows evenly: `base` points, and `per` points for each `every` of a number."""

    base: Decimal
    per: Decimal = Decimal(0)
    every: int = 1


def lone_army(composition: Composition, book: Book | None, unit_types: Iterable[UnitType]) -> Army:
    """Return an army with one unit of each type, as the book or the composition states it."""
    root = NodeKind(composition, composition.top.id, None, None, book, (), {}, None)
    nodes = []
    for order, unit_type in enumerate(unit_types, 1):
        entry, profile = entry_of(unit_type), profile_of(unit_type)
        options = profile.options if profile else ()
        kind = NodeKind(composition, entry.level, entry, profile, book, options, {}, root)
        nodes.append(Node(kind, (entry.level, order - 1), order=order))
    army = Node(root, (), children=tuple(nodes))
    return Army(composition.system, composition, composition.document, "", army)


def kind_with(
    kind: NodeKind, fields: Mapping[str, FieldValue] | None = None, option: Option | None = None
) -> NodeKind:
    """Return a kind for which a list states further fields, or one more option."""
    return NodeKind(
        kind.composition,
        kind.level,
        kind.entry,
        kind.profile,
        kind.book,
        (*kind.options, option) if option else kind.options,
        {**kind.fields, **(fields or {})},
        kind.parent,
    )


def broken_rules(kind: NodeKind) -> frozenset[str]:
    """Return the ids of the constraints that a unit breaks by itself, warnings too."""
    root = kind.parent
    assert root is not None  # noqa: S101 - `lone_army` puts every unit into an army
    unit = Node(kind, (kind.level, 0), order=1)
    composition = kind.composition
    army = Army(
        composition.system, composition, composition.document, "", Node(root, (), children=(unit,))
    )
    return frozenset(
        broken.constraint.rule.id for broken in find_violations(army) if broken.node is unit
    )


def allowed_numbers(kind: NodeKind, name: str) -> Numbers:
    """Return the numbers that a field may have without an error.

    A number that the book states is the only one. The size of a unit is at least 1. A rule that
    only warns sets no limit here, but its step counts.
    """
    is_size = kind.entry is not None and kind.entry.size == name
    if kind.profile is not None and isinstance(stated := kind.profile.fields.get(name), int):
        return Numbers(((Decimal(stated), Decimal(stated)),))
    rules = [
        rule
        for rule in kind.composition.constraints
        if isinstance(rule, CountRule)
        and rule.sum == name
        and rule.within == kind.level
        and kind.matches(rule.of)
    ]
    step = lcm(*(rule.step or 1 for rule in rules))
    last = min(max((_last_end(rule, kind) for rule in rules), default=0), MAX_NUMBER)
    ids = {rule.id for rule in rules if rule.stated}
    first = step if is_size else 0
    tried = range(first, max(last, first) + 2 * step, step)
    numbers = [
        number for number in tried if not ids & broken_rules(kind_with(kind, {name: number}))
    ]
    ranges: list[AmountRange] = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - step:
            ranges[-1] = (ranges[-1][0], Decimal(number))
        else:
            ranges.append((Decimal(number), Decimal(number)))
    if ranges and ranges[-1][1] == tried[-1]:
        ranges[-1] = (ranges[-1][0], None)
    return Numbers(tuple(ranges), step)


def _last_end(rule: CountRule, kind: NodeKind) -> int:
    """Return the greatest number that a rule names for a kind; beyond it nothing changes."""
    ends: list[Decimal | int | None] = [rule.min, rule.max]
    for _, condition in rule.conditions():
        ends += [condition.min, condition.max]
    for allowed in rule.allowed:
        cell = (
            resolve_cell(kind, allowed)
            if isinstance(allowed, TableCellReference)
            else Band.parse(allowed)
        )
        ends += (whole_range_of(cell) if cell is not None else None) or ()
    return max((int(end) for end in ends if end is not None), default=0)


def known_points(kind: NodeKind) -> Decimal | None:
    """Return the price of a kind; None if a part of it is not known, or points are not paid."""
    price = price_of_kind(kind)
    return None if price is None or price.missing else price.known


def missing_prices(kind: NodeKind) -> tuple[str, ...]:
    """Return what is missing for the price of a kind, such as `points of the character`."""
    price = price_of_kind(kind)
    return price.missing if price is not None else ()


def find_rate(
    kind: NodeKind, name: str | None, numbers: Numbers, without: NodeKind | None = None
) -> Rate | None:
    """Return how the price of a kind grows with a number; None if not evenly, or it is not known.

    Args:
        kind: The kind that is priced.
        name: The field with the number; None if it has none.
        numbers: The numbers that the field may have.
        without: A kind whose price is taken off at each number.
    """
    points: dict[int, Decimal] = {}
    tried = range(numbers.least, numbers.least + _TRIED_PRICES) if name else range(1)
    listed = numbers.listed() if name else []
    for number in dict.fromkeys([*tried, *listed]):
        stated = {name: number} if name else {}
        known = known_points(kind_with(kind, stated))
        less = known_points(kind_with(without, stated)) if without is not None else Decimal(0)
        if known is not None and less is not None:
            points[number] = known - less
    if not points:
        return None
    first, *others = sorted(points)
    if not others:
        return Rate(points[first])
    every = others[0] - first
    per = points[others[0]] - points[first]
    base = points[first] - per * first / every
    if any(points[n] != base + per * n / every for n in points):
        return None
    return Rate(base, per, every)


def permitted(kind: NodeKind, changed: NodeKind) -> bool:
    """Return whether a changed unit breaks no rule that it kept before; warnings count too.

    The options that it takes are those that its book lets it take.
    """
    before = [option.id for option in barred_options(kind)]
    barred = any(option.id not in before for option in barred_options(changed))
    return not barred and broken_rules(changed) <= broken_rules(kind)
