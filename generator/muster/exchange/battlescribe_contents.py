"""What a unit may have, as entries and groups of BattleScribe: numbers, choices, options, prices.

Prices are asked of Muster's own pricing: what a unit costs in its plainest form, and by how much
each number, choice and option changes that, at every size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from muster.armies.army import NodeKind
from muster.armies.book_rules import barred_options
from muster.armies.constraints import CountRule, ExcludesRule
from muster.armies.fields import FieldValue, as_text, read_field
from muster.armies.price_list import (
    Numbers,
    allowed_numbers,
    find_rate,
    kind_with,
    known_points,
    permitted,
)
from muster.armies.vocabulary import FieldSpec, Option


@dataclass(slots=True, eq=False)
class Item:
    """An entry within a unit: how many there may be, its points, and points for each of others."""

    id: str
    name: str
    is_model: bool = False
    least: int = 0
    most: int | None = 1
    cost: Decimal = Decimal(0)
    rates: dict[str, Decimal] = field(default_factory=dict)
    """The points for each of other items, by their ids."""
    bars: list[str] = field(default_factory=list)
    """The ids of items beside which it may not be chosen."""


@dataclass(slots=True, eq=False)
class Group:
    """Items of which a unit has from `least` to `most` together."""

    id: str
    name: str
    least: int
    most: int | None
    items: list[Item]
    default: str = ""


@dataclass(slots=True, eq=False)
class Contents:
    """All that a unit, a leader or a work may have, and what it costs without any of it."""

    id: str
    kind: NodeKind
    cost: Decimal = Decimal(0)
    is_priced: bool = True
    numbers: dict[str, Item] = field(default_factory=dict)
    choices: dict[str, dict[str, Item]] = field(default_factory=dict)
    flags: dict[str, Item] = field(default_factory=dict)
    options: dict[str, Item] = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)
    omissions: list[str] = field(default_factory=list)

    def loose_items(self) -> list[Item]:
        """Return the items that stand in no group."""
        grouped = {id(item) for group in self.groups for item in group.items}
        items = [*self.numbers.values(), *self.flags.values(), *self.options.values()]
        return [item for item in items if id(item) not in grouped]

    def chosen(self, kind: NodeKind) -> list[tuple[Item, int]]:
        """Return the items that a node has, each with its number."""
        found = [(item, _whole_of(kind, name)) for name, item in self.numbers.items()]
        for name, items in self.choices.items():
            value = kind.text(name)
            if value in items:
                found.append((items[value], 1))
        found += [(item, int(kind.value(name) is True)) for name, item in self.flags.items()]
        taken = {option.id for option in kind.options if option not in kind.given_options}
        found += [(item, int(name in taken)) for name, item in self.options.items()]
        return [(item, number) for item, number in found if number]


def _whole_of(kind: NodeKind, name: str) -> int:
    value = kind.value(name)
    return value if isinstance(value, int) else 0


def contents_of(kind: NodeKind, key: str) -> Contents:
    """Return what a kind of unit may have.

    Args:
        kind: The unit as its book or its type states it, in an army of its book.
        key: The id of the unit, with which those of its items begin.
    """
    return _Reader(kind, key).read()


class _Reader:
    """Reads the contents of one kind of unit."""

    def __init__(self, kind: NodeKind, key: str) -> None:
        self.kind = kind
        self.found = Contents(key, kind)
        self.plain: dict[str, FieldValue] = {}
        """The fields of the unit in its plainest form."""
        self.specs: dict[str, FieldSpec] = {}
        self.ranges: dict[str, Numbers] = {}

    def read(self) -> Contents:
        self._read_fields()
        self._read_numbers()
        plain = kind_with(self.kind, self.plain)
        price = known_points(plain)
        is_paid = self.kind.composition.has_prices
        self.found.is_priced = price is not None or not is_paid
        slopes = {name: self._points_for_one_more(plain, name) for name in self.ranges}
        self.found.cost = (price or Decimal(0)) - sum(
            (slope * _whole_of(plain, name) for name, slope in slopes.items()), Decimal(0)
        )
        for name, slope in slopes.items():
            self.found.numbers[name].cost = slope
        for name, items in self.found.choices.items():
            for value, item in items.items():
                changed = kind_with(plain, {name: self._value(name, value)})
                self._price(item, plain, changed)
        for name, item in self.found.flags.items():
            changed = kind_with(plain, {name: True})
            self._price(item, plain, changed)
        self._read_options(plain)
        self._read_groups()
        return self.found

    def _value(self, name: str, text: str) -> FieldValue:
        spec = self.specs[name]
        return read_field(spec.form, spec.of, text)

    def _read_fields(self) -> None:
        stated = self.kind.profile.fields if self.kind.profile is not None else {}
        rolled = {
            spec.roll.total for spec in self.kind.field_specs.values() if spec.roll is not None
        }
        for name, spec in self.kind.field_specs.items():
            if name in stated or name in rolled:
                continue
            self.specs[name] = spec
            if spec.form == "choice":
                self._read_choice(name, spec)
            elif spec.form == "flag":
                title = spec.title or name
                self.found.flags[name] = Item(f"{self.found.id}.{name}", title)
                self.plain[name] = False
                if spec.default == "true":
                    text = f"“{title}” is so unless a list says not; here it is not so"
                    self.found.omissions.append(text)
            elif spec.form != "whole":
                self.found.omissions.append(f"“{spec.title or name}” is free to write")

    def _read_choice(self, name: str, spec: FieldSpec) -> None:
        items = {
            value: Item(f"{self.found.id}.{name}.{value}", title)
            for value, title in spec.of.items()
        }
        # A book, a type or an option may state what a list may still change.
        usual = self.kind.text(name)
        first = usual if usual in items else next(iter(items))
        self.plain[name] = first
        least = int(bool(usual) or spec.required)
        group = Group(f"{self.found.id}.{name}", spec.title or name, least, 1, [*items.values()])
        group.default = items[first].id if least else ""
        self.found.choices[name] = items
        self.found.groups.append(group)

    def _read_numbers(self) -> None:
        entry = self.kind.entry
        kind = kind_with(self.kind, self.plain)
        for name, spec in self.specs.items():
            if spec.form != "whole":
                continue
            numbers = allowed_numbers(kind, name)
            is_size = entry is not None and entry.size == name
            title = spec.title or name
            if not numbers.ranges:
                text = f"no number of “{title}” is allowed in its plainest form: any is here"
                self.found.omissions.append(text)
                numbers = Numbers(((Decimal(int(is_size)), None),))
            elif len(numbers.ranges) > 1 or numbers.step > 1:
                text = f"“{title}” may have numbers between the allowed ones"
                self.found.omissions.append(text)
            last = numbers.ranges[-1][1]
            most = None if last is None else int(last)
            least = numbers.least
            item = Item(f"{self.found.id}.{name}", spec.one or title, is_size, least, most)
            self.found.numbers[name] = item
            self.ranges[name] = numbers
            self.plain[name] = least

    def _points_for_one_more(
        self, kind: NodeKind, name: str, without: NodeKind | None = None
    ) -> Decimal:
        """Return the points for one more of a number; 0, recorded, if they are not the same."""
        numbers = self.ranges[name]
        is_fixed = len(numbers.listed()) == 1 and not numbers.open
        if is_fixed or not self.kind.composition.has_prices:
            # What a number that never changes costs is part of the price.
            return Decimal(0)
        rate = find_rate(kind, name, numbers, without)
        if rate is not None:
            slope = rate.per / rate.every
            if slope * rate.every == rate.per:
                return slope
        if self.found.is_priced:
            title = self.specs[name].title or name
            self.found.omissions.append(f"the price does not grow evenly with “{title}”")
        return Decimal(0)

    def _price(self, item: Item, plain: NodeKind, changed: NodeKind) -> None:
        """Set what a choice or option adds to the price, for each of every number too."""
        before, after = known_points(plain), known_points(changed)
        if before is None or after is None:
            if plain.composition.has_prices and before is not None:
                self.found.omissions.append(f"the price of “{item.name}” is not known")
            return
        item.cost = after - before
        for name, number in self.found.numbers.items():
            rate = self._points_for_one_more(changed, name, plain)
            if rate:
                item.rates[number.id] = rate
                item.cost -= rate * _whole_of(plain, name)

    def _read_options(self, plain: NodeKind) -> None:
        composition = self.kind.composition
        others = [
            kind_with(plain, {name: self._value(name, value)})
            for name, items in self.found.choices.items()
            for value in items
            if value != as_text(self.plain[name])
        ]
        for option in composition.options.values():
            if option in self.kind.options:
                continue
            allowed = _takes(plain, option) or any(_takes(kind, option) for kind in others)
            if allowed:
                item = Item(f"{self.found.id}.{option.id}", option.title)
                self.found.options[option.id] = item
                self._price(item, plain, kind_with(plain, option=option))
        for rule in composition.constraints:
            if isinstance(rule, ExcludesRule) and rule.within == self.kind.level:
                self._exclude(rule.of.options, rule.bars.options, rule)

    def _exclude(self, ones: Sequence[str], others: Sequence[str], rule: ExcludesRule) -> None:
        both = (rule.of, rule.bars)
        if rule.when or rule.unless:
            return
        if all(self.kind.matches(each, whatever_options=True) for each in both):
            options = self.found.options
            for other in others:
                bars = [options[one].id for one in ones if one in options and one != other]
                if other in options:
                    options[other].bars += bars

    def _read_groups(self) -> None:
        """Put items into groups that the rules count together within a unit."""
        for rule in self.kind.composition.constraints:
            if not isinstance(rule, CountRule) or rule.within != self.kind.level:
                continue
            items = list(self._counted_items(rule))
            plain = not rule.when and not rule.unless and not rule.allowed and not rule.each
            if len(items) < 2 or not plain:  # noqa: PLR2004 - one item has its own limit
                continue
            loose = self.found.loose_items()
            if all(item in loose for item in items):
                key = f"{self.found.id}.{rule.id}"
                self.found.groups.append(
                    Group(key, rule.message[:60], rule.min or 0, rule.max, items)
                )
            else:
                self.found.omissions.append(f"“{rule.message}” counts what another rule counts too")

    def _counted_items(self, rule: CountRule) -> Iterator[Item]:
        if not self.kind.matches(rule.of, whatever_options=True):
            return
        if rule.by == "options":
            for name in rule.of.options:
                if name in self.found.options:
                    yield self.found.options[name]
        elif isinstance(rule.sum, list):
            for name in rule.sum:
                if name in self.found.numbers:
                    yield self.found.numbers[name]


def _takes(kind: NodeKind, option: Option) -> bool:
    """Return whether a unit may take an option, by the rules and by its book."""
    changed = kind_with(kind, option=option)
    return not barred_options(changed) and permitted(kind, changed)
