"""The variables of one node of an army: what it may be, what selects it, what it costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
"""When something holds, and the value that a name has then."""

_FIXED_NAMES = ("level", "type", "unit", "book")


@dataclass(slots=True, eq=False)
class Slot:
    """A unit, leader, work or level of command that may stand in an army.

    `sort` says what never varies: entry, profile, book, and all that it stands under; its fields
    are the ones that stay as they are. `choices` are fields with a few values, each with what says
    that it is taken (None: the list says nothing); `amounts` are fields with a number. `options`
    stand in the order in which they are asked, those of the profile first.
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
    _bare: NodeKind | None = None
    _known: dict[Any, Any] = field(default_factory=dict)

    @property
    def branch(self) -> bool:
        """Tell whether it is a level of command, which others stand under."""
        return self.kind.branch

    @property
    def level(self) -> str:
        """The level's id; `leader` for leaders."""
        return self.kind.level

    def walk(self) -> Iterable[Slot]:
        """Go through this slot and all below it."""
        yield self
        for each in self.below:
            yield from each.walk()

    # What a name says

    def cases(self, name: str) -> list[Case]:
        """List the values that a name can have, each with when; just one of them holds."""
        found: list[Case] | None = self._known.get(name)
        if found is None:
            found = self._known[name] = self._cases(name)
        return found

    def _cases(self, name: str) -> list[Case]:
        if name in _FIXED_NAMES:
            return [(True, self.kind.value(name))]
        model = self.model
        found: list[Case] = []
        rest: list[LiteralLike] = []
        for when, value in self._said(name):
            holds = model.all_of([*rest, when])
            if holds is not False:
                found.append((holds, value))
            if when is True:
                return found
            rest.append(negated(when))
        last = model.all_of(rest)
        if last is not False:
            found.append((last, self._tail(name)))
        return found

    def _said(self, name: str) -> Iterable[Case]:
        """Go through what may say a name, in the order of `Sort`: the first that does is heard."""
        if name in self.amounts:
            amount = self.amounts[name]
            low, high = self.model.bounds(amount)
            for each in range(int(low), int(high)):
                yield self.model.indicator(amount, [(each, each)]), each
            yield True, int(high)
            return
        if name in self.choices:
            for value, when in self.choices[name].items():
                if value is not None:
                    yield when, value
        elif name in self.kind.fields:
            yield True, self.kind.fields[name]
        for option, taken in self.options:
            if name in option.attributes:
                yield taken, option.attributes[name]

    def _tail(self, name: str) -> FieldValue | None:
        """Give what the profile, the type, a default or somebody above says."""
        if self._bare is None:
            own = self.kind
            self._bare = NodeKind(
                own.composition, own.level, own.entry, own.profile, own.book, (), {}, own.parent
            )
        return self._bare.value(name)

    def among(self, name: str, wanted: Iterable[str]) -> LiteralLike:
        """Tell whether a name has one of some values, as a file writes them."""
        values = frozenset(wanted)
        amount = self.amounts.get(name)
        if amount is not None:
            wholes = sorted(
                int(each) for each in values if each.isdecimal() and as_text(int(each)) == each
            )
            return self.model.indicator(amount, [(each, each) for each in wholes])
        key = ("among", name, values)
        if key not in self._known:
            whens = [when for when, value in self.cases(name) if as_text(value) in values]
            others = [when for when, value in self.cases(name) if as_text(value) not in values]
            self._known[key] = True if not others else self.model.any_of(whens)
        found: LiteralLike = self._known[key]
        return found

    def number(self, name: str) -> LinearExpr:
        """Give a name as a number to sum up; what is no number counts 0."""
        if name in self.amounts:
            return self.amounts[name]
        total = LinearExpr()
        for when, value in self.cases(name):
            total.add(LinearExpr.of(when), Fraction(as_number(value)))
        return total

    # Who is meant

    def meets(self, where: Mapping[str, Iterable[str]]) -> LiteralLike:
        """Tell whether every attribute has one of the values wanted."""
        return self.model.all_of(self.among(name, wanted) for name, wanted in where.items())

    def matches(self, selector: Selector) -> LiteralLike:
        """Tell whether a selector means it."""
        if selector.level is not None and selector.level != self.level:
            return False
        entry = self.kind.entry
        if selector.entry and (entry is None or entry.id not in selector.entry):
            return False
        lits = [self.meets(selector.where)]
        if selector.options:
            taken = [lit for option, lit in self.options if option.id in selector.options]
            lits.append(self.model.any_of(taken))
        return self.model.all_of(lits)

    def stands_under(self, selector: Selector) -> LiteralLike:
        """Tell whether a selector means it or one that it stands under."""
        lits: list[LiteralLike] = []
        slot: Slot | None = self
        while slot is not None:
            lits.append(slot.matches(selector))
            slot = slot.above
        return self.model.any_of(lits)

    # What tables say of it

    def cells(
        self, references: Sequence[TableCellReference], given: Sequence[LiteralLike] = ()
    ) -> list[tuple[tuple[LiteralLike, ...], tuple[Value | None, ...]]]:
        """Give what references mean, case by case.

        Where all that is given holds, a case without such a cell is not to be: no list with it
        could be judged.
        """
        names = dict.fromkeys(
            name.field
            for reference in references
            for name in (reference.row, reference.column)
            if isinstance(name, AttributeReference)
        )
        found: list[tuple[tuple[LiteralLike, ...], tuple[Value | None, ...]]] = []
        for when, said in self._combined(list(names)):
            try:
                cells = tuple(self._cell(each, said) for each in references)
            except MusterError:
                self.model.require(LinearExpr(1), [(0, 0)], (*given, *when))
                continue
            found.append((when, cells))
        return found

    def _combined(
        self, names: Sequence[str]
    ) -> list[tuple[tuple[LiteralLike, ...], dict[str, str]]]:
        """List what several names say together; cases that read alike are one."""
        combined: list[tuple[tuple[LiteralLike, ...], dict[str, str]]] = [((), {})]
        for name in names:
            by_text: dict[str, list[LiteralLike]] = {}
            for when, value in self.cases(name):
                by_text.setdefault(as_text(value), []).append(when)
            cases = [(self.model.any_of(lits), text) for text, lits in by_text.items()]
            combined = [
                ((*lits, *((when,) if when is not True else ())), {**said, name: text})
                for lits, said in combined
                for when, text in cases
            ]
        return combined

    def _cell(self, reference: TableCellReference, said: Mapping[str, str]) -> Value | None:
        keys = cell_keys(reference.row, reference.column, lambda named: said[named.field])
        return None if keys is None else self.kind.composition.cell(reference.table, *keys)


class NodePrice(NamedTuple):
    """The known points of one node, and when some of its price is not known."""

    points: LinearExpr
    missing: LiteralLike


def price_slot(slot: Slot) -> NodePrice:
    """Give what one such node costs; it costs that `count` times over."""
    total = LinearExpr()
    missing: list[LiteralLike] = []
    model = slot.model
    for term, taken in _price_terms(slot):
        applies = model.all_of([taken, slot.meets(term.where)])
        if applies is False:
            continue
        quantity = LinearExpr(1)
        if term.times is not None:
            quantity = model.excess(slot.number(term.times), int(term.less))
        for when, each in _unit_prices(slot, term, applies):
            case = model.all_of([applies, when])
            exact: LiteralLike = True
            if isinstance(each, LinearExpr):
                points = model.product(each, quantity)
            elif (amount := amount_of(each)) is None:
                missing.append(case)
                continue
            else:
                points, exact = _points_for_quantity(slot, each, amount, quantity)
            total.add(model.if_true(points, case))
            missing.append(model.all_of([case, negated(exact)]))
    return NodePrice(total, model.any_of(missing))


def _price_terms(slot: Slot) -> Iterator[tuple[PriceTerm, LiteralLike]]:
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
    """Go through what a thing may cost; a number that the list may write is a sum itself."""
    if isinstance(term.each, AttributeReference):
        name = term.each.field
        if name in slot.amounts:
            yield True, slot.amounts[name]
        else:
            yield from slot.cases(name)
        return
    for when, (found,) in slot.cells([term.each], (slot.present, applies)):
        yield slot.model.all_of(when), found


def _points_for_quantity(
    slot: Slot, each: FieldValue | Value | None, amount: Decimal, quantity: LinearExpr
) -> tuple[LinearExpr, LiteralLike]:
    """Give amount x quantity, and when it is exact: a price for every so many may have no end."""
    if not isinstance(each, values.Cost) or each.every == 1:
        return quantity * Fraction(amount), True
    share = Fraction(amount) / Fraction(each.every)
    odd = share.denominator
    for factor in (2, 5):
        while odd % factor == 0:
            odd //= factor
    if odd == 1 or not share:
        return quantity * share, True
    # Thirds of a point have no end: only a quantity that divides by three has a price.
    model = slot.model
    whole = quantity * quantity.scale
    low, high = model.bounds(whole)
    times = model.new_int("parts", int(low // odd), int(high // odd))
    rest = model.new_int("rest", 0, odd - 1)
    model.require(whole - times * odd - rest, [(0, 0)])
    exact = model.indicator(rest, [(0, 0)])
    return model.if_true(quantity * share, exact), exact
