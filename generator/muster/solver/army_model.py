"""Build the linear model of an army that may vary, or of every army of a book up to a size."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice, product
from typing import Any

from muster.armies.army import Army, Node, NodeKind
from muster.armies.army_file import SystemSource, army_from_document
from muster.armies.books import Book, Profile
from muster.armies.composition import LEADER, Composition
from muster.armies.fields import FieldValue, as_number, as_text
from muster.armies.vocabulary import Entry, Level, Option
from muster.solver.cpsat import Solution
from muster.solver.domains import (
    NodeDomain,
    RelevantNames,
    distinct_values,
    domain_around,
    full_domain,
    relevant_names,
)
from muster.solver.encoding import Encoding
from muster.solver.linear_model import LinearExpr, LinearModel, LiteralLike
from muster.solver.variables import Slot
from muster.yamlfile import Document


@dataclass(frozen=True, slots=True)
class ChosenValues:
    """What an answer makes of a slot: as a file says it, apart from name and notes."""

    count: int
    options: tuple[str, ...]
    fields: Mapping[str, str]


class ArmyModel:
    """The nodes that an army may have, as variables of one model."""

    def __init__(
        self,
        composition: Composition,
        *,
        book: Book | None = None,
        fields: Mapping[str, FieldValue] | None = None,
        node: Node | None = None,
    ) -> None:
        """Begin with the army itself; its fields, such as its nation, do not vary.

        Args:
            composition: The system's.
            book: The army book of the army as a whole.
            fields: The fields of the army itself.
            node: The army as it is in a list, which says all of this.
        """
        top = composition.top
        sort = NodeKind(composition, top.id, None, None, book, (), dict(fields or {}), None)
        if node is not None:
            sort = node.kind
        self.composition = composition
        self.model = LinearModel()
        self.root = Slot(self.model, sort, None, present=True, count=LinearExpr(1), node=node)
        self.slots = [self.root]
        self.names = relevant_names(composition)
        self.start: list[tuple[LinearExpr, int]] = []

    @classmethod
    def of_army(
        cls, army: Army, welcome: Collection[str] = (), *, closed: bool = False
    ) -> ArmyModel:
        """Give the nodes of an army: each may go, or change in what rules and prices ask for.

        Args:
            army: As it is; `start` says how.
            welcome: Options that any unit may be given.
            closed: Whether all of it stays as it is, so that only what is added may vary.
        """
        made = cls(army.composition, node=army.root)
        made.add_below(made.root, army.root, frozenset(welcome), closed=closed)
        return made

    def add_below(
        self, slot: Slot, node: Node, welcome: frozenset[str], *, closed: bool = False
    ) -> None:
        """Give all that stands below a node slots below a slot."""
        for child in node.children:
            if child.is_branch:
                key = str(child.path[len(node.path)])
                below = self._branch(slot, child.kind, key, True if closed else None, child)
                self.start.append((LinearExpr.of(below.present), 1))
                self.add_below(below, child, welcome, closed=closed)
            else:
                freedom = domain_around(child.kind, self.names, child.count, welcome)
                if closed:
                    freedom = NodeDomain(child.count, child.count)
                self.start += self.as_listed(self.add_node(slot, child, freedom))

    def add_node(self, above: Slot, node: Node, freedom: NodeDomain) -> Slot:
        """Give a node of an army a slot, under what it stands under or under something else."""
        own = node.kind
        opened = {*freedom.amounts, *freedom.choices}
        fields = {name: value for name, value in own.fields.items() if name not in opened}
        sort = NodeKind(
            self.composition, own.level, own.entry, own.profile, own.book, (), fields, above.kind
        )
        given = own.profile.options if own.profile is not None else ()
        taken = [option.id for option in own.options if option not in given]
        key = next(str(step) for step in reversed(node.path) if isinstance(step, str))
        return self._open(above, sort, key, freedom, taken, node)

    def as_listed(self, slot: Slot) -> list[tuple[LinearExpr, int]]:
        """Give what the variables of a node's slot are in the list."""
        node = slot.node
        assert node is not None  # noqa: S101 - only slots of nodes are asked
        found = [(slot.count, node.count)]
        for name, amount in slot.amounts.items():
            found.append((amount, int(as_number(node.kind.value(name)))))
        for name, values in slot.choices.items():
            said = node.kind.fields.get(name)
            found += [(LinearExpr.of(lit), int(value == said)) for value, lit in values.items()]
        found += [
            (LinearExpr.of(lit), int(option in node.kind.options)) for option, lit in slot.options
        ]
        return found

    # Slots

    def add_command(
        self,
        above: Slot,
        level: str,
        *,
        there: LiteralLike | None = None,
        book: Book | None = None,
        fields: Mapping[str, FieldValue] | None = None,
    ) -> Slot:
        """Give a level of command that may stand under another; it is there or not as a whole."""
        own = book or above.kind.book
        sort = NodeKind(
            self.composition, level, None, None, own, (), dict(fields or {}), above.kind
        )
        key = self.composition.levels[level].key or level
        return self._branch(above, sort, key, there, None)

    def _branch(
        self, above: Slot, sort: NodeKind, key: str, there: LiteralLike | None, node: Node | None
    ) -> Slot:
        if there is None:
            there = self.model.new_bool(f"{sort.level} there")
        self.model.imply(there, above.present)
        label = node.label if node is not None else sort.title
        slot = Slot(
            self.model, sort, above, there, LinearExpr.of(there), node=node, key=key, label=label
        )
        return self._placed(slot)

    def _placed(self, slot: Slot) -> Slot:
        if slot.above is not None:
            slot.above.below.append(slot)
        self.slots.append(slot)
        return slot

    def add_leader(
        self,
        above: Slot,
        key: str,
        freedom: NodeDomain | None = None,
        *,
        fields: Mapping[str, FieldValue] | None = None,
    ) -> Slot:
        """Give a leader who may stand at a key of a level of command."""
        entry = self.composition.entries[self._level(above).leaders[key].entry]
        sort = self._sort(above, LEADER, entry, None, fields)
        return self._open(above, sort, key, freedom or NodeDomain(), (), None)

    def add_unit(
        self,
        above: Slot,
        level: str,
        what: Profile | Entry,
        freedom: NodeDomain | None = None,
        *,
        fields: Mapping[str, FieldValue] | None = None,
        options: Sequence[str] = (),
    ) -> Slot:
        """Give a unit, of a book or of a bare type, that may stand under a level of command.

        `options` are taken in any case, besides those of its profile.
        """
        profile = what if isinstance(what, Profile) else None
        entry = what.entry if isinstance(what, Profile) else what
        sort = self._sort(above, level, entry, profile, fields)
        key = self.composition.levels[level].key or level
        return self._open(above, sort, key, freedom or NodeDomain(), options, None)

    def _level(self, slot: Slot) -> Level:
        return self.composition.levels[slot.level]

    def _sort(
        self,
        above: Slot,
        level: str,
        entry: Entry,
        profile: Profile | None,
        fields: Mapping[str, FieldValue] | None,
    ) -> NodeKind:
        return NodeKind(
            self.composition, level, entry, profile, above.kind.book, (), dict(fields or {}),
            above.kind,
        )  # fmt: skip

    def _open(
        self,
        above: Slot,
        sort: NodeKind,
        key: str,
        freedom: NodeDomain,
        taken: Sequence[str],
        node: Node | None,
    ) -> Slot:
        """Make a slot with what may vary as variables."""
        model = self.model
        count = model.new_int("count", freedom.least, freedom.most)
        there = model.indicator(count, [(1, None)])
        model.imply(there, above.present)
        amounts: dict[str, LinearExpr] = {}
        for name, (low, high) in freedom.amounts.items():
            amounts[name] = model.new_int(name, low, high)
        choices: dict[str, dict[FieldValue | None, LiteralLike]] = {}
        for name, values in freedom.choices.items():
            if len(values) == 1:
                choices[name] = {values[0]: True}
                continue
            lits: dict[FieldValue | None, LiteralLike] = {
                value: model.new_bool(name) for value in values
            }
            model.require(LinearExpr.total(map(LinearExpr.of, lits.values())), [(1, 1)])
            choices[name] = lits
        given = sort.profile.options if sort.profile is not None else ()
        own = {option.id for option in given}
        known = self.composition.options
        free = set(freedom.options)
        options: list[tuple[Option, LiteralLike]] = [(option, True) for option in given]
        options += [
            (known[name], model.new_bool(name) if name in free else True)
            for name in dict.fromkeys([*taken, *freedom.options])
            if name not in own
        ]
        label = node.label if node is not None else sort.title
        slot = Slot(model, sort, above, there, count, options, choices, amounts, node, key, label)
        return self._placed(slot)

    # What is asked of them

    def encode(self, limit: Decimal | None = None) -> Encoding:
        """State every constraint, and the limit if there is one; no slot may follow."""
        stated = Encoding(self.composition, self.root)
        stated.encode()
        if limit is not None:
            stated.add_limit(limit)
        return stated

    # Answers

    def chosen(self, slot: Slot, answer: Solution) -> ChosenValues:
        """Give what an answer makes of a unit or leader."""
        fields = {name: as_text(value) for name, value in slot.kind.fields.items()}
        for name, values in slot.choices.items():
            taken = next(value for value, lit in values.items() if answer.is_true(lit))
            if taken is not None:
                fields[name] = as_text(taken)
        for name, amount in slot.amounts.items():
            fields[name] = str(answer.value_of(amount))
        given = slot.kind.profile.options if slot.kind.profile is not None else ()
        options = tuple(
            option.id for option, lit in slot.options if option not in given and answer.is_true(lit)
        )
        return ChosenValues(int(answer.value_of(slot.count)), options, fields)

    def data(self, answer: Solution, *, name: str = "") -> dict[str, Any]:
        """Give the army of an answer as a file of it says it: mappings, lists and text."""
        top: dict[str, Any] = {"system": self.composition.system.id}
        if self.root.kind.book is not None:
            top["book"] = self.root.kind.book.id
        if name:
            top["name"] = name
        top |= self.command_data(self.root, answer)
        return top

    def command_data(self, slot: Slot, answer: Solution) -> dict[str, Any]:
        """Give what an answer makes of a level of command, as a file says it."""
        held: dict[str, Any] = {n: as_text(v) for n, v in slot.kind.fields.items()}
        level = self._level(slot)
        for below in slot.below:
            if not answer.is_true(below.present):
                continue
            one = (
                self.command_data(below, answer) if below.branch else self.node_data(below, answer)
            )
            book = below.kind.book
            if book is not None and book is not slot.kind.book:
                one = {"book": book.id, **one}
            leader = level.leaders.get(below.key)
            if leader is not None and not leader.many:
                held[below.key] = one
            else:
                held.setdefault(below.key, []).append(one)
        return held

    def node_data(self, slot: Slot, answer: Solution) -> dict[str, Any]:
        """Give what an answer makes of a unit or leader, as a file says it."""
        chosen = self.chosen(slot, answer)
        said: dict[str, Any] = {}
        if slot.level != LEADER:
            said[slot.level] = as_text(slot.kind.value("unit"))
        said |= chosen.fields
        if chosen.count > 1:
            said["count"] = str(chosen.count)
        if chosen.options:
            said["options"] = list(chosen.options)
        return said

    def army(self, answer: Solution, shelf: SystemSource, *, name: str = "") -> Army:
        """Give the army of an answer, read as its file would be."""
        data = self.data(answer, name=name)
        return army_from_document(Document(f"{name or 'army'}.yaml", "", data), shelf)


_MOST_SETTINGS = 12
"""As many settings of the army's own fields are tried for one book."""

_MOST_ALIKE = 24
"""As many of one sort may stand in one place of a universe."""

_LARGEST_NUMBER = 60
"""As far as a number of a unit goes in a universe, from 0 on."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A book, or none, and what an army says of itself."""

    book: Book | None
    fields: Mapping[str, FieldValue]


def iter_settings(composition: Composition, books: Sequence[Book | None]) -> Iterator[Setting]:
    """Go through settings, the plainest of each book first, then what the fields may say."""
    fields = list(islice(_iter_field_values(composition), _MOST_SETTINGS))
    for said in fields:
        for book in books:
            yield Setting(book, said)


def _iter_field_values(composition: Composition) -> Iterator[Mapping[str, FieldValue]]:
    names = relevant_names(composition)
    choices: list[list[tuple[str, FieldValue | None]]] = []
    for name, spec in composition.top.fields.items():
        values: list[FieldValue | None] = []
        if name in names.compared or spec.required:
            values = list(distinct_values(spec, name, names))
        if not spec.required:
            values.insert(0, None)
        if values:
            choices.append([(name, value) for value in values])
    for said in product(*choices):
        yield {name: value for name, value in said if value is not None}


class SearchSpace:
    """The skeleton of all armies of one setting, and where each sort of unit may stand in it."""

    def __init__(
        self,
        composition: Composition,
        setting: Setting,
        *,
        breadth: int = 2,
        extra: Sequence[Entry] = (),
    ) -> None:
        """Build it.

        Args:
            composition: The system's.
            setting: The book and what the army says.
            breadth: How many commands of one sort stand under the army; under others is one.
            extra: Bare types that stand beside the units of the book.
        """
        self.composition = composition
        self.setting = setting
        self.skeleton = ArmyModel(composition, book=setting.book, fields=setting.fields)
        self.extra = extra
        self.where: dict[str, list[Slot]] = {}
        self._fill(self.skeleton.root, breadth)
        self.demands = self.skeleton.encode()

    @property
    def names(self) -> RelevantNames:
        """What rules and prices ask for."""
        return self.skeleton.names

    def _fill(self, above: Slot, breadth: int) -> None:
        level = self.composition.levels[above.level]
        for key, leader in level.leaders.items():
            entry = self.composition.entries[leader.entry]
            for _ in range(2 if leader.many else 1):
                freedom = full_domain(self.composition, self.names, entry)
                bare = NodeDomain(0, 1, freedom.amounts, freedom.choices)
                self.where.setdefault(entry.id, []).append(
                    self.skeleton.add_leader(above, key, bare)
                )
        for below in self.composition.levels_below[level.id]:
            if below.id in self.composition.bottom_levels:
                for what in self._troops(below.id):
                    freedom = full_domain(
                        self.composition,
                        self.names,
                        what,
                        most=_MOST_ALIKE,
                        near=0,
                        far=_LARGEST_NUMBER,
                    )
                    slot = self.skeleton.add_unit(above, below.id, what, freedom)
                    self.where.setdefault(what.id, []).append(slot)
            else:
                for _ in range(breadth):
                    self._fill(self.skeleton.add_command(above, below.id), 1)

    def _troops(self, level: str) -> Iterator[Profile | Entry]:
        book = self.setting.book
        if book is not None:
            yield from (unit for unit in book.units.values() if unit.entry.level == level)
            yield from (entry for entry in self.extra if entry.level == level)
        else:
            entries = self.composition.entries.values()
            yield from (entry for entry in entries if entry.level == level)
