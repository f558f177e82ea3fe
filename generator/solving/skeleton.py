"""Owns the skeleton of an army: which nodes may stand, and what of each may vary.

Does not choose among the armies that it allows; who asks does, with a goal. What a list cannot
vary is left as it is: words, points of its own, and the fields of levels of command.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from generator.armies.army import Army, Node
from generator.armies.books import Book, Profile
from generator.armies.composition import LEADER, Composition
from generator.armies.demands import Demands
from generator.armies.fields import FieldValue, as_number, as_text
from generator.armies.roll_call import Shelf, army_from
from generator.armies.slots import Slot
from generator.armies.solving import Linear, Lit, Model
from generator.armies.sort import Sort
from generator.armies.vocabulary import Entry, Level, Option
from generator.reading import Document
from generator.solving.cpsat import Answer
from generator.solving.freedom import Freedom, around, names_of


@dataclass(frozen=True, slots=True)
class Chosen:
    """What an answer makes of a slot: as a file says it, apart from name and notes."""

    count: int
    options: tuple[str, ...]
    fields: Mapping[str, str]


class Skeleton:
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
        sort = Sort(composition, top.id, None, None, book, (), dict(fields or {}), None)
        if node is not None:
            sort = node.sort
        self.composition = composition
        self.model = Model()
        self.root = Slot(self.model, sort, None, there=True, count=Linear(1), node=node)
        self.slots = [self.root]
        self.names = names_of(composition)
        self.start: list[tuple[Linear, int]] = []

    @classmethod
    def of_army(
        cls, army: Army, welcome: Collection[str] = (), *, closed: bool = False
    ) -> Skeleton:
        """Give the nodes of an army: each may go, or change in what rules and prices ask for.

        Args:
            army: As it is; `start` says how.
            welcome: Options that any unit may be given.
            closed: Whether all of it stays as it is, so that only what is added may vary.
        """
        made = cls(army.composition, node=army.root)
        made.follow(made.root, army.root, frozenset(welcome), closed=closed)
        return made

    def follow(
        self, slot: Slot, node: Node, welcome: frozenset[str], *, closed: bool = False
    ) -> None:
        """Give all that stands below a node slots below a slot."""
        for child in node.children:
            if child.is_branch:
                key = str(child.path[len(node.path)])
                below = self._branch(slot, child.sort, key, True if closed else None, child)
                self.start.append((Linear.of(below.there), 1))
                self.follow(below, child, welcome, closed=closed)
            else:
                freedom = around(child.sort, self.names, child.count, welcome)
                if closed:
                    freedom = Freedom(child.count, child.count)
                self.start += self.as_listed(self.stand(slot, child, freedom))

    def stand(self, above: Slot, node: Node, freedom: Freedom) -> Slot:
        """Give a node of an army a slot, under what it stands under or under something else."""
        own = node.sort
        opened = {*freedom.amounts, *freedom.choices}
        fields = {name: value for name, value in own.fields.items() if name not in opened}
        sort = Sort(
            self.composition, own.level, own.entry, own.profile, own.book, (), fields, above.sort
        )
        given = own.profile.options if own.profile is not None else ()
        taken = [option.id for option in own.options if option not in given]
        key = next(str(step) for step in reversed(node.path) if isinstance(step, str))
        return self._open(above, sort, key, freedom, taken, node)

    def as_listed(self, slot: Slot) -> list[tuple[Linear, int]]:
        """Give what the variables of a node's slot are in the list."""
        node = slot.node
        assert node is not None  # noqa: S101 - only slots of nodes are asked
        found = [(slot.count, node.count)]
        for name, amount in slot.amounts.items():
            found.append((amount, int(as_number(node.sort.value(name)))))
        for name, values in slot.choices.items():
            said = node.sort.fields.get(name)
            found += [(Linear.of(lit), int(value == said)) for value, lit in values.items()]
        found += [
            (Linear.of(lit), int(option in node.sort.options)) for option, lit in slot.options
        ]
        return found

    # Slots

    def branch(
        self,
        above: Slot,
        level: str,
        *,
        there: Lit | None = None,
        book: Book | None = None,
        fields: Mapping[str, FieldValue] | None = None,
    ) -> Slot:
        """Give a level of command that may stand under another; it is there or not as a whole."""
        own = book or above.sort.book
        sort = Sort(self.composition, level, None, None, own, (), dict(fields or {}), above.sort)
        key = self.composition.levels[level].key or level
        return self._branch(above, sort, key, there, None)

    def _branch(
        self, above: Slot, sort: Sort, key: str, there: Lit | None, node: Node | None
    ) -> Slot:
        if there is None:
            there = self.model.flag(f"{sort.level} there")
        self.model.imply(there, above.there)
        label = node.label if node is not None else sort.title
        slot = Slot(
            self.model, sort, above, there, Linear.of(there), node=node, key=key, label=label
        )
        return self._placed(slot)

    def _placed(self, slot: Slot) -> Slot:
        if slot.above is not None:
            slot.above.below.append(slot)
        self.slots.append(slot)
        return slot

    def leader(
        self,
        above: Slot,
        key: str,
        freedom: Freedom | None = None,
        *,
        fields: Mapping[str, FieldValue] | None = None,
    ) -> Slot:
        """Give a leader who may stand at a key of a level of command."""
        entry = self.composition.entries[self._level(above).leaders[key].entry]
        sort = self._sort(above, LEADER, entry, None, fields)
        return self._open(above, sort, key, freedom or Freedom(), (), None)

    def unit(
        self,
        above: Slot,
        level: str,
        what: Profile | Entry,
        freedom: Freedom | None = None,
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
        return self._open(above, sort, key, freedom or Freedom(), options, None)

    def _level(self, slot: Slot) -> Level:
        return self.composition.levels[slot.level]

    def _sort(
        self,
        above: Slot,
        level: str,
        entry: Entry,
        profile: Profile | None,
        fields: Mapping[str, FieldValue] | None,
    ) -> Sort:
        return Sort(
            self.composition, level, entry, profile, above.sort.book, (), dict(fields or {}),
            above.sort,
        )  # fmt: skip

    def _open(
        self,
        above: Slot,
        sort: Sort,
        key: str,
        freedom: Freedom,
        taken: Sequence[str],
        node: Node | None,
    ) -> Slot:
        """Make a slot with what may vary as variables."""
        model = self.model
        count = model.whole("count", freedom.least, freedom.most)
        there = model.holds(count, [(1, None)])
        model.imply(there, above.there)
        amounts: dict[str, Linear] = {}
        for name, (low, high) in freedom.amounts.items():
            amounts[name] = model.whole(name, low, high)
        choices: dict[str, dict[FieldValue | None, Lit]] = {}
        for name, values in freedom.choices.items():
            if len(values) == 1:
                choices[name] = {values[0]: True}
                continue
            lits: dict[FieldValue | None, Lit] = {value: model.flag(name) for value in values}
            model.require(Linear.total(map(Linear.of, lits.values())), [(1, 1)])
            choices[name] = lits
        given = sort.profile.options if sort.profile is not None else ()
        own = {option.id for option in given}
        known = self.composition.options
        free = set(freedom.options)
        options: list[tuple[Option, Lit]] = [(option, True) for option in given]
        options += [
            (known[name], model.flag(name) if name in free else True)
            for name in dict.fromkeys([*taken, *freedom.options])
            if name not in own
        ]
        label = node.label if node is not None else sort.title
        slot = Slot(model, sort, above, there, count, options, choices, amounts, node, key, label)
        return self._placed(slot)

    # What is asked of them

    def demands(self, limit: Decimal | None = None) -> Demands:
        """State every constraint, and the limit if there is one; no slot may follow."""
        stated = Demands(self.composition, self.root)
        stated.state()
        if limit is not None:
            stated.limit(limit)
        return stated

    # Answers

    def chosen(self, slot: Slot, answer: Answer) -> Chosen:
        """Give what an answer makes of a unit or leader."""
        fields = {name: as_text(value) for name, value in slot.sort.fields.items()}
        for name, values in slot.choices.items():
            taken = next(value for value, lit in values.items() if answer.so(lit))
            if taken is not None:
                fields[name] = as_text(taken)
        for name, amount in slot.amounts.items():
            fields[name] = str(answer.number(amount))
        given = slot.sort.profile.options if slot.sort.profile is not None else ()
        options = tuple(
            option.id for option, lit in slot.options if option not in given and answer.so(lit)
        )
        return Chosen(int(answer.number(slot.count)), options, fields)

    def data(self, answer: Answer, *, name: str = "") -> dict[str, Any]:
        """Give the army of an answer as a file of it says it: mappings, lists and text."""
        top: dict[str, Any] = {"system": self.composition.system.id}
        if self.root.sort.book is not None:
            top["book"] = self.root.sort.book.id
        if name:
            top["name"] = name
        top |= self.held(self.root, answer)
        return top

    def held(self, slot: Slot, answer: Answer) -> dict[str, Any]:
        """Give what an answer makes of a level of command, as a file says it."""
        held: dict[str, Any] = {n: as_text(v) for n, v in slot.sort.fields.items()}
        level = self._level(slot)
        for below in slot.below:
            if not answer.so(below.there):
                continue
            one = self.held(below, answer) if below.branch else self.said(below, answer)
            book = below.sort.book
            if book is not None and book is not slot.sort.book:
                one = {"book": book.id, **one}
            leader = level.leaders.get(below.key)
            if leader is not None and not leader.many:
                held[below.key] = one
            else:
                held.setdefault(below.key, []).append(one)
        return held

    def said(self, slot: Slot, answer: Answer) -> dict[str, Any]:
        """Give what an answer makes of a unit or leader, as a file says it."""
        chosen = self.chosen(slot, answer)
        said: dict[str, Any] = {}
        if slot.level != LEADER:
            said[slot.level] = as_text(slot.sort.value("unit"))
        said |= chosen.fields
        if chosen.count > 1:
            said["count"] = str(chosen.count)
        if chosen.options:
            said["options"] = list(chosen.options)
        return said

    def army(self, answer: Answer, shelf: Shelf, *, name: str = "") -> Army:
        """Give the army of an answer, read as its file would be."""
        data = self.data(answer, name=name)
        return army_from(Document(f"{name or 'army'}.yaml", "", data), shelf)
