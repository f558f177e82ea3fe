"""Owns a node whose size, options and fields may still vary, and what a rule can ask of it.

Does not know any rule (see `demands`) or price (see `costing`), and does not choose which slots
there are. It answers what a `Sort` answers, in variables: which value a name has in which case.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from generator.armies.army import Node
from generator.armies.fields import FieldValue, as_number, as_text
from generator.armies.solving import Linear, Lit, Model, negated
from generator.armies.sort import Sort
from generator.armies.vocabulary import FromField, FromTable, Option, Selector
from generator.problems import MusterError
from generator.values import Value

Case = tuple[Lit, FieldValue | None]
"""When something holds, and the value that a name has then."""

_ALWAYS = ("level", "type", "unit", "book")


@dataclass(slots=True, eq=False)
class Slot:
    """A unit, leader, work or level of command that may stand in an army.

    `sort` says what never varies: entry, profile, book, and all that it stands under; its fields
    are the ones that stay as they are. `choices` are fields with a few values, each with what says
    that it is taken (None: the list says nothing); `amounts` are fields with a number. `options`
    stand in the order in which they are asked, those of the profile first.
    """

    model: Model
    sort: Sort
    above: Slot | None
    there: Lit
    count: Linear
    options: Sequence[tuple[Option, Lit]] = ()
    choices: Mapping[str, Mapping[FieldValue | None, Lit]] = field(default_factory=dict)
    amounts: Mapping[str, Linear] = field(default_factory=dict)
    node: Node | None = None
    key: str = ""
    label: str = ""
    below: list[Slot] = field(default_factory=list)
    _bare: Sort | None = None
    _known: dict[Any, Any] = field(default_factory=dict)

    @property
    def branch(self) -> bool:
        """Tell whether it is a level of command, which others stand under."""
        return self.sort.branch

    @property
    def level(self) -> str:
        """The level's id; `leader` for leaders."""
        return self.sort.level

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
        if name in _ALWAYS:
            return [(True, self.sort.value(name))]
        model = self.model
        found: list[Case] = []
        rest: list[Lit] = []
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
                yield self.model.holds(amount, [(each, each)]), each
            yield True, int(high)
            return
        if name in self.choices:
            for value, when in self.choices[name].items():
                if value is not None:
                    yield when, value
        elif name in self.sort.fields:
            yield True, self.sort.fields[name]
        for option, taken in self.options:
            if name in option.attributes:
                yield taken, option.attributes[name]

    def _tail(self, name: str) -> FieldValue | None:
        """Give what the profile, the type, a default or somebody above says."""
        if self._bare is None:
            own = self.sort
            self._bare = Sort(
                own.composition, own.level, own.entry, own.profile, own.book, (), {}, own.parent
            )
        return self._bare.value(name)

    def among(self, name: str, wanted: Iterable[str]) -> Lit:
        """Tell whether a name has one of some values, as a file writes them."""
        values = frozenset(wanted)
        amount = self.amounts.get(name)
        if amount is not None:
            wholes = sorted(
                int(each) for each in values if each.isdecimal() and as_text(int(each)) == each
            )
            return self.model.holds(amount, [(each, each) for each in wholes])
        key = ("among", name, values)
        if key not in self._known:
            whens = [when for when, value in self.cases(name) if as_text(value) in values]
            others = [when for when, value in self.cases(name) if as_text(value) not in values]
            self._known[key] = True if not others else self.model.any_of(whens)
        found: Lit = self._known[key]
        return found

    def number(self, name: str) -> Linear:
        """Give a name as a number to sum up; what is no number counts 0."""
        if name in self.amounts:
            return self.amounts[name]
        total = Linear()
        for when, value in self.cases(name):
            total.add(Linear.of(when), Fraction(as_number(value)))
        return total

    # Who is meant

    def meets(self, where: Mapping[str, Iterable[str]]) -> Lit:
        """Tell whether every attribute has one of the values wanted."""
        return self.model.all_of(self.among(name, wanted) for name, wanted in where.items())

    def meant(self, selector: Selector) -> Lit:
        """Tell whether a selector means it."""
        if selector.level is not None and selector.level != self.level:
            return False
        entry = self.sort.entry
        if selector.entry and (entry is None or entry.id not in selector.entry):
            return False
        lits = [self.meets(selector.where)]
        if selector.options:
            taken = [lit for option, lit in self.options if option.id in selector.options]
            lits.append(self.model.any_of(taken))
        return self.model.all_of(lits)

    def under(self, selector: Selector) -> Lit:
        """Tell whether a selector means it or one that it stands under."""
        lits: list[Lit] = []
        slot: Slot | None = self
        while slot is not None:
            lits.append(slot.meant(selector))
            slot = slot.above
        return self.model.any_of(lits)

    # What tables say of it

    def cells(
        self, references: Sequence[FromTable], given: Sequence[Lit] = ()
    ) -> list[tuple[tuple[Lit, ...], tuple[Value | None, ...]]]:
        """Give what references mean, case by case.

        Where all that is given holds, a case without such a cell is not to be: no list with it
        could be judged.
        """
        names = dict.fromkeys(
            name.field
            for reference in references
            for name in (reference.row, reference.column)
            if isinstance(name, FromField)
        )
        found: list[tuple[tuple[Lit, ...], tuple[Value | None, ...]]] = []
        for when, said in self._combined(list(names)):
            try:
                cells = tuple(self._cell(each, said) for each in references)
            except MusterError:
                self.model.require(Linear(1), [(0, 0)], (*given, *when))
                continue
            found.append((when, cells))
        return found

    def _combined(self, names: Sequence[str]) -> list[tuple[tuple[Lit, ...], dict[str, str]]]:
        """List what several names say together; cases that read alike are one."""
        combined: list[tuple[tuple[Lit, ...], dict[str, str]]] = [((), {})]
        for name in names:
            by_text: dict[str, list[Lit]] = {}
            for when, value in self.cases(name):
                by_text.setdefault(as_text(value), []).append(when)
            cases = [(self.model.any_of(lits), text) for text, lits in by_text.items()]
            combined = [
                ((*lits, *((when,) if when is not True else ())), {**said, name: text})
                for lits, said in combined
                for when, text in cases
            ]
        return combined

    def _cell(self, reference: FromTable, said: Mapping[str, str]) -> Value | None:
        named: list[str | None] = []
        for name in (reference.row, reference.column):
            text = said[name.field] if isinstance(name, FromField) else name
            if isinstance(name, FromField) and not text:
                return None
            named.append(text)
        return self.sort.composition.cell(reference.table, named[0] or "", named[1])
