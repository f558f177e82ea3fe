"""The variables of one node of an army: what it may be, what selects it, what it costs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from muster import values
from muster.armies.army import Node, NodeKind
from muster.armies.fields import FieldValue, as_number, as_text
from muster.armies.pricing import amount_of
from muster.armies.vocabulary import Option, PriceTerm, Selector, TableCellReference
from muster.problems import MusterError
from muster.solver.linear_model import LinearExpr, LinearModel, LiteralLike, negated
from muster.tables.references import AttributeReference, cell_keys
from muster.values import Value

Case = tuple[LiteralLike, FieldValue | None]
"""A condition, and the value that an attribute has where the condition holds."""

FIXED_NAMES = ("level", "type", "unit", "book")
"""Attributes that nothing can change."""


@dataclass(slots=True, eq=False)
class Slot:
    """A place in an army that a unit, leader, work or level of command may fill.

    `kind` holds what never varies: entry, profile, book, all that the slot stands under, and the
    fields that stay as they are. `choices` are fields with a few values, each with the literal
    that is true if it is chosen (None: the list states nothing). `amounts` are fields with a
    number. `options` stand in the order in which attributes are looked up in them, those of the
    profile first. `node` is the node of the list that the slot stands for, None for what is new.
    """

    model: LinearModel
    kind: NodeKind
    above: Slot | None
    present: LiteralLike
    count: LinearExpr
    options: Sequence[tuple[Option, LiteralLike]] = ()
    choices: Mapping[str, Mapping[FieldValue | None, LiteralLike]] = field(default_factory=dict)
    amounts: Mapping[str, LinearExpr] = field(default_factory=dict)
    node: Node | None = None
    key: str = ""
    label: str = ""
    below: list[Slot] = field(default_factory=list)
    granted: list[tuple[Mapping[str, str], LiteralLike]] = field(default_factory=list)
    """Attributes that the state of the army gives, each with the literal that it does."""
    _without_list: NodeKind | None = None
    _cases: dict[str, list[Case]] = field(default_factory=dict)
    _has_value: dict[Any, LiteralLike] = field(default_factory=dict)

    @property
    def is_branch(self) -> bool:
        """Whether it is a level of command, which other slots stand under."""
        return self.kind.is_branch

    @property
    def listed_node(self) -> Node:
        """The node of the list that the slot stands for; only such slots are asked for it."""
        assert self.node is not None  # noqa: S101 - see above
        return self.node

    @property
    def level(self) -> str:
        """The level's id; `leader` for leaders."""
        return self.kind.level

    @property
    def size(self) -> LinearExpr | None:
        """The main number of one node, such as its figures; None if its entry has no size."""
        entry = self.kind.entry
        return None if entry is None or entry.size is None else self.number(entry.size)

    def walk(self) -> Iterable[Slot]:
        """Yield this slot and all below it."""
        yield self
        for slot in self.below:
            yield from slot.walk()

    # Attributes

    def cases(self, name: str) -> list[Case]:
        """List the values that an attribute can have, as cases of which exactly one holds."""
        if name not in self._cases:
            self._cases[name] = self._list_cases(name)
        return self._cases[name]

    def _list_cases(self, name: str) -> list[Case]:
        """List the cases, in the order in which `NodeKind.value` looks an attribute up."""
        if name in FIXED_NAMES:
            return [(True, self.kind.value(name))]
        model = self.model
        cases: list[Case] = []
        unstated: list[LiteralLike] = []
        for when, value in self._stated_cases(name):
            holds = model.all_of([*unstated, when])
            if holds is not False:
                cases.append((holds, value))
            if when is True:
                return cases
            unstated.append(negated(when))
        last = model.all_of(unstated)
        if last is not False:
            cases.append((last, self._fallback(name)))
        return cases

    def _stated_cases(self, name: str) -> Iterable[Case]:
        """Yield what the list and the options may state; the first case that holds counts."""
        if name in self.amounts:
            amount = self.amounts[name]
            low, high = self.model.bounds(amount)
            for number in range(int(low), int(high)):
                yield self.model.indicator(amount, [(number, number)]), number
            yield True, int(high)
            return
        if name in self.choices:
            for value, when in self.choices[name].items():
                if value is not None:
                    yield when, value
        elif name in self.kind.fields:
            yield True, self.kind.fields[name]
        of_options = ((option.attributes, taken) for option, taken in self.options)
        for attributes, given in (*self.granted, *of_options):
            if name in attributes:
                yield given, attributes[name]

    def _fallback(self, name: str) -> FieldValue | None:
        """Return what the profile, the type, a default or a level above says."""
        if self._without_list is None:
            self._without_list = self.kind.without_list()
        return self._without_list.value(name)

    def has_value_in(self, name: str, texts: Iterable[str]) -> LiteralLike:
        """Return a literal that is true if an attribute has one of some values, given as text."""
        allowed = frozenset(texts)
        amount = self.amounts.get(name)
        if amount is not None:
            numbers = sorted(
                int(text) for text in allowed if text.isdecimal() and as_text(int(text)) == text
            )
            return self.model.indicator(amount, [(number, number) for number in numbers])
        key = (name, allowed)
        if key not in self._has_value:
            literals = [when for when, value in self.cases(name) if as_text(value) in allowed]
            others = [when for when, value in self.cases(name) if as_text(value) not in allowed]
            self._has_value[key] = True if not others else self.model.any_of(literals)
        return self._has_value[key]

    def number(self, name: str) -> LinearExpr:
        """Return an attribute as a number to add up; what is not a number counts 0."""
        if name in self.amounts:
            return self.amounts[name]
        total = LinearExpr()
        for when, value in self.cases(name):
            total.add(LinearExpr.of(when), Fraction(as_number(value)))
        return total

    def grant(self, attributes: Mapping[str, str], given: LiteralLike) -> None:
        """Set attributes of the slot where a literal is true."""
        self.granted.append((attributes, given))
        for name in attributes:
            self._cases.pop(name, None)
        self._has_value = {
            key: value for key, value in self._has_value.items() if key[0] not in attributes
        }

    # Selectors

    def matches_filter(self, where: Mapping[str, Iterable[str]]) -> LiteralLike:
        """Return a literal that is true if each attribute of a filter has one of its values."""
        return self.model.all_of(self.has_value_in(name, texts) for name, texts in where.items())

    def matches(self, selector: Selector, *, whatever_options: bool = False) -> LiteralLike:
        """Return a literal that is true if a selector matches, `whatever_options` the slot has."""
        if selector.level is not None and selector.level != self.level:
            return False
        entry = self.kind.entry
        if selector.entry and (entry is None or entry.id not in selector.entry):
            return False
        literals = [self.matches_filter(selector.where)]
        if selector.options and not whatever_options:
            taken = [literal for _, literal in self.counted_options(selector.options)]
            literals.append(self.model.any_of(taken))
        return self.model.all_of(literals)

    def counted_options(self, names: Collection[str]) -> list[tuple[Option, LiteralLike]]:
        """List the options that are among some, or all if none is named."""
        return [each for each in self.options if not names or each[0].id in names]

    def stands_under(self, selector: Selector) -> LiteralLike:
        """Return a literal that is true if a selector matches this slot or one above it."""
        literals: list[LiteralLike] = []
        slot: Slot | None = self
        while slot is not None:
            literals.append(slot.matches(selector))
            slot = slot.above
        return self.model.any_of(literals)

    # Table cells

    def cells(
        self, references: Sequence[TableCellReference], only_if: Sequence[LiteralLike] = ()
    ) -> list[tuple[tuple[LiteralLike, ...], tuple[Value | None, ...]]]:
        """List the table cells that references name: for each case, its literals and the cells.

        Where all of `only_if` is true, a case without such a cell is ruled out, because an army
        in that case could not be judged.
        """
        names = dict.fromkeys(
            key.field
            for reference in references
            for key in (reference.row, reference.column)
            if isinstance(key, AttributeReference)
        )
        cases: list[tuple[tuple[LiteralLike, ...], tuple[Value | None, ...]]] = []
        for when, texts in self._combinations(list(names)):
            try:
                cells = tuple(self._cell(reference, texts) for reference in references)
            except MusterError:
                self.model.require(LinearExpr(1), [(0, 0)], (*only_if, *when))
                continue
            cases.append((when, cells))
        return cases

    def _combinations(
        self, names: Sequence[str]
    ) -> list[tuple[tuple[LiteralLike, ...], dict[str, str]]]:
        """List the texts that several attributes have together; equal texts are one case."""
        combined: list[tuple[tuple[LiteralLike, ...], dict[str, str]]] = [((), {})]
        for name in names:
            by_text: dict[str, list[LiteralLike]] = {}
            for when, value in self.cases(name):
                by_text.setdefault(as_text(value), []).append(when)
            cases = [(self.model.any_of(literals), text) for text, literals in by_text.items()]
            combined = [
                ((*literals, *((when,) if when is not True else ())), {**texts, name: text})
                for literals, texts in combined
                for when, text in cases
            ]
        return combined

    def _cell(self, reference: TableCellReference, texts: Mapping[str, str]) -> Value | None:
        keys = cell_keys(reference.row, reference.column, lambda key: texts[key.field])
        return None if keys is None else self.kind.composition.cell(reference.table, *keys)


class NodePrice(NamedTuple):
    """The known points of one node, and a literal that is true if some of its price is unknown."""

    points: LinearExpr
    missing: LiteralLike


def price_slot(slot: Slot) -> NodePrice:
    """Return what one node of a slot costs, whatever its count."""
    return _price_terms(slot, _terms_of(slot))


def price_options(slot: Slot, names: Collection[str]) -> LinearExpr:
    """Return the known points of one node's options, of some or of all if none is named."""
    if slot.kind.entry is None:
        return LinearExpr()
    options = slot.counted_options(names)
    terms = [(term, taken) for option, taken in options for term in option.price]
    return _price_terms(slot, terms).points


def _price_terms(slot: Slot, terms: Iterable[tuple[PriceTerm, LiteralLike]]) -> NodePrice:
    total = LinearExpr()
    missing: list[LiteralLike] = []
    model = slot.model
    for term, taken in terms:
        applies = model.all_of([taken, slot.matches_filter(term.where)])
        if applies is False:
            continue
        quantity = LinearExpr(1)
        if term.times is not None:
            quantity = model.excess(slot.number(term.times), int(term.less))
        for when, unit_price in _unit_prices(slot, term, applies):
            case = model.all_of([applies, when])
            exact: LiteralLike = True
            if isinstance(unit_price, LinearExpr):
                points = model.product(unit_price, quantity)
            elif (amount := amount_of(unit_price)) is None:
                missing.append(case)
                continue
            else:
                points, exact = _points_for_quantity(slot, unit_price, amount, quantity)
            total.add(model.if_true(points, case))
            missing.append(model.all_of([case, negated(exact)]))
    return NodePrice(total, model.any_of(missing))


def _terms_of(slot: Slot) -> Iterator[tuple[PriceTerm, LiteralLike]]:
    if slot.kind.entry is None:
        return
    for term in slot.kind.entry.price:
        yield term, True
    for option, taken in slot.options:
        for term in option.price:
            yield term, taken


def _unit_prices(
    slot: Slot, term: PriceTerm, applies: LiteralLike
) -> Iterator[tuple[LiteralLike, FieldValue | Value | LinearExpr | None]]:
    """Yield the possible prices of one, each with its condition; a variable price is a sum."""
    if isinstance(term.each, AttributeReference):
        name = term.each.field
        if name in slot.amounts:
            yield True, slot.amounts[name]
        else:
            yield from slot.cases(name)
        return
    for when, (cell,) in slot.cells([term.each], (slot.present, applies)):
        yield slot.model.all_of(when), cell


def _points_for_quantity(
    slot: Slot, unit_price: FieldValue | Value | None, amount: Decimal, quantity: LinearExpr
) -> tuple[LinearExpr, LiteralLike]:
    """Return amount × quantity, and a literal that is true where this is an exact decimal.

    A third of a point has no exact decimal, so that a cost per three needs a multiple of three.
    """
    if not isinstance(unit_price, values.Cost) or unit_price.every == 1:
        return quantity * Fraction(amount), True
    share = Fraction(amount) / Fraction(unit_price.every)
    divisor = share.denominator
    for factor in (2, 5):
        while divisor % factor == 0:
            divisor //= factor
    if divisor == 1 or not share:
        return quantity * share, True
    model = slot.model
    whole = quantity * quantity.scale
    remainder = whole - model.quotient(whole, divisor) * divisor
    exact = model.indicator(remainder, [(0, 0)])
    return model.if_true(quantity * share, exact), exact
