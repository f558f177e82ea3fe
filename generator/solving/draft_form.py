"""Owns the form that a plan takes for the solver: slots, wishes, and how far from the plan it is.

Does not ask (see `draft`). What an answer makes of it is given as an army file says it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from math import floor
from typing import Any

from generator.armies.books import Profile
from generator.armies.composition import LEADER
from generator.armies.fields import FieldValue, as_text
from generator.armies.slots import Slot
from generator.armies.solving import Linear
from generator.armies.themes import spread, unit_level
from generator.armies.vocabulary import FieldSpec
from generator.solving.cpsat import Answer, Wish
from generator.solving.draft_draw import Command, Node, size_of
from generator.solving.draft_kit import Kit
from generator.solving.draft_names import Namer
from generator.solving.freedom import Freedom
from generator.solving.skeleton import Skeleton

_FAR = 60
"""As large as a unit gets where nobody says how large it is."""

_ABSENT = 40
_SPARE = 25
_OTHER = 30
_SIZE = 3
"""What it costs to leave a unit out, to take one more, to say another value, to change a size."""


class Form:
    """A plan as a model: what is planned may change a little, or, if *wide*, in everything.

    Where only some units are `loose`, the others stay as planned: that is quick, and some are
    enough as a rule to make up for what the plan is away from the limit.
    """

    def __init__(
        self,
        kit: Kit,
        planned: Command,
        *,
        wide: bool = False,
        loose: Collection[Node] | None = None,
    ) -> None:
        self.kit = kit
        self.planned = planned
        self.wide = wide
        self.loose = None if loose is None else {id(node) for node in loose}
        self.skeleton = Skeleton(kit.composition, book=kit.book, fields=planned.fields)
        self.model = self.skeleton.model
        self.slots: dict[int, Slot] = {id(planned): self.skeleton.root}
        self.nodes: list[tuple[Node, Slot]] = []
        self.distance = Linear()
        self.hints: dict[int, int] = {}
        self._units = unit_level(kit.composition)
        self._command(planned)
        demands = self.skeleton.demands(kit.wishes.limit if kit.composition.prices else None)
        units = [slot for node, slot in self.nodes if node.level == self._units]
        self.number = Linear.total(slot.count for slot in units)
        self.total = demands.points if demands.points is not None else self.number
        self._wishes()

    # Slots

    def _command(self, command: Command) -> None:
        slot = self.slots[id(command)]
        for leader in command.leaders:
            self._node(leader, slot)
        own = [self._node(unit, slot) for unit in command.units if self._stands(unit)]
        if own and not self.wide:
            low, high = spread(command.body.units)
            planned = sum(not unit.spare for unit in command.units)
            number = Linear.total(each.count for each in own)
            self.model.require(number, [(min(low, planned), max(high, planned))])
        for below in command.below:
            self.slots[id(below)] = self.skeleton.branch(
                slot, below.body.level, there=None if self.wide else True, fields=below.fields
            )
            self._command(below)
        if self.wide and slot is not self.skeleton.root:
            below_it = [each for each in slot.walk() if each.level == self._units]
            if below_it:
                number = Linear.total(each.count for each in below_it)
                self.model.require(number, [(1, None)], (slot.there,))

    def _node(self, node: Node, above: Slot) -> Slot:
        """Give a unit or leader its slot, and what it costs to change it."""
        specs = self.kit.specs(node.sort)
        fast = self.loose is not None and node.level != LEADER and id(node) not in self.loose
        least = 1 if fast or (node.level == LEADER and not self.wide) else 0
        amounts = {} if fast else dict(self._amounts(node))
        choices = dict(self._choices(node, specs))
        fixed = {
            name: value
            for name, value in node.fields.items()
            if name not in amounts and name not in choices
        }
        freedom = Freedom(least, 1, {n: ends for n, (ends, _) in amounts.items()}, choices)
        options = [option.id for option in node.options]
        if node.level == LEADER:
            slot = self.skeleton.leader(above, node.key, freedom, fields=fixed)
        else:
            slot = self.skeleton.unit(
                above, node.level, node.what, freedom, fields=fixed, options=options
            )
        self.nodes.append((node, slot))
        if self.wide and node.level == LEADER and above.above is not None:
            leaders = self.kit.composition.levels[above.level].leaders
            if not leaders[node.key].many:
                self.model.imply(above.there, slot.there)
        for name, (_, values) in amounts.items():
            self._sized(node, slot, name, values)
        for name, lits in slot.choices.items():
            planned = as_text(node.sort.value(name))
            for value, lit in lits.items():
                said = specs[name].default if value is None else as_text(value)
                if said != planned and specs[name].roll is None:
                    self.distance += Linear.of(lit) * _OTHER
        if node.spare:
            self.distance += slot.count * _SPARE
        else:
            self.distance += (slot.count * -1 + 1) * _ABSENT
        self._hint(slot.count, 0 if node.spare else 1)
        return slot

    def _stands(self, unit: Node) -> bool:
        """Tell whether a unit has a slot: of those that may stand besides, only the loose."""
        return not unit.spare or self.loose is None or id(unit) in self.loose

    def _amounts(self, node: Node) -> Iterator[tuple[str, tuple[tuple[int, int], list[int]]]]:
        """Open a unit's size, as far as it may be drawn."""
        found = size_of(node)
        if found is None or node.level == LEADER:
            return
        name, _ = found
        free = [int(value) for value in node.free.get(name, ()) if isinstance(value, int)]
        if self.wide:
            if name in self.kit.specs(node.sort) and not _fixed(node, name):
                yield name, ((1, _FAR), [])
        elif free:
            yield name, ((min(free), max(free)), free)
        elif name in node.fields or node.sort.value(name) is None:
            yield name, ((1, _FAR), [])

    def _choices(
        self, node: Node, specs: dict[str, FieldSpec] | Any
    ) -> Iterator[tuple[str, Sequence[FieldValue | None]]]:
        """Open what a leader may say, what will be rolled, and all that rules ask if wide."""
        names = self.skeleton.names
        for name, spec in specs.items():
            if spec.form != "choice" or name not in names.compared or _fixed(node, name):
                continue
            if spec.roll is not None and name not in node.fields:
                yield name, [each for each in spec.of if each != spec.default]
            elif self.wide or (node.level == LEADER and len(node.free.get(name, ())) > 1):
                drawn = [as_text(value) for value in node.free.get(name, ())]
                values = list(spec.of) if self.wide else [v for v in spec.of if v in drawn]
                listed: list[FieldValue | None] = [v for v in values if v != spec.default]
                if spec.default in values or (not spec.required and self.wide):
                    listed.insert(0, None)
                yield name, listed

    def _sized(self, node: Node, slot: Slot, name: str, values: Sequence[int]) -> None:
        """Keep a size to what may be drawn, and count how far it is from the plan."""
        amount = slot.amounts[name]
        planned = next((size for found, size in [size_of(node) or ("", 0)] if found == name), 0)
        if not amount.terms:
            return
        if values:
            self.model.require(amount, [(each, each) for each in sorted(set(values))])
        low, high = (int(end) for end in self.model.bounds(amount))
        planned = max(low, min(high, planned))
        away = self.model.whole("away", 0, high - low)
        self.model.require(away - amount + planned, [(0, None)])
        self.model.require(away + amount - planned, [(0, None)])
        self.distance += away * _SIZE
        self._hint(amount, planned)

    def _hint(self, total: Linear, value: int) -> None:
        if len(total.terms) == 1 and total.constant == 0:
            self.hints[next(iter(total.terms))] = value

    # Wishes

    def _wishes(self) -> None:
        """State what the army is to have, each as a rule of its own."""
        kit = self.kit
        wishes = kit.wishes
        self._group("some-unit", "An army has a unit at least.", self.number, (1, None))
        if not kit.composition.prices:
            words = f"The army has at most {wishes.limit} units."
            self._group("limit", words, self.number, (None, int(wishes.limit)))
        for key, number in wishes.include.items():
            title = kit.known[key].title
            many = "a unit" if number is None else "1 unit" if number == 1 else f"{number} units"
            words = f"The army has {many} of {title}."
            run = (number, number) if number is not None else (1, None)
            self._group("include", words, self._of(key), run)
        for key in sorted(wishes.exclude):
            words = f"The army has no {kit.known[key].title}."
            self._group("exclude", words, self._of(key), (None, 0))

    def _of(self, key: str) -> Linear:
        return Linear.total(slot.count for node, slot in self.nodes if node.type == key)

    def _group(
        self, code: str, words: str, total: Linear, run: tuple[int | None, int | None]
    ) -> None:
        group = self.model.group(code, words, "your wish", stated=True, node=self.skeleton.root)
        self.model.require(total, [run], (), group)

    @property
    def spent(self) -> Wish:
        """Say that the limit is spent: to the last step that costs come in."""
        scale = self.total.scale
        whole = floor(Fraction(self.kit.wishes.limit) * scale)
        return self.total * scale, [(whole, whole)]

    # Answers

    def data(self, answer: Answer, seed: int, name: str) -> dict[str, Any]:
        """Give the army as its file says it; what is to be rolled is left out."""
        kit = self.kit
        top: dict[str, Any] = {"system": kit.composition.system.id}
        if kit.book is not None:
            top["book"] = kit.book.id
        top["name"] = name
        if kit.composition.prices:
            top["limit"] = f"{kit.wishes.limit.normalize():f}"
        namer = Namer(kit, self.planned, seed)
        return top | self._held(self.planned, answer, namer)

    def _held(self, command: Command, answer: Answer, namer: Namer) -> dict[str, Any]:
        level = self.kit.composition.levels[command.body.level]
        held: dict[str, Any] = {}
        name = namer.body(command)
        if name:
            held["name"] = name
        held |= {key: as_text(value) for key, value in command.fields.items()}
        slots = {id(node): slot for node, slot in self.nodes}
        for node in command.leaders:
            if answer.so(slots[id(node)].there):
                said = self._said(node, slots[id(node)], answer, namer)
                if level.leaders[node.key].many:
                    held.setdefault(node.key, []).append(said)
                else:
                    held[node.key] = said
        for below in command.below:
            if answer.so(self.slots[id(below)].there):
                key = self.kit.composition.levels[below.body.level].key or below.body.level
                held.setdefault(key, []).append(self._held(below, answer, namer))
        for node in command.units:
            if id(node) in slots and answer.so(slots[id(node)].there):
                said = self._said(node, slots[id(node)], answer, namer)
                held.setdefault(node.key, []).append(said)
        return held

    def _said(self, node: Node, slot: Slot, answer: Answer, namer: Namer) -> dict[str, Any]:
        said: dict[str, Any] = {}
        specs = self.kit.specs(node.sort)
        if node.level == LEADER:
            name = namer.listed(node)
        else:
            said[node.level] = node.type
            name = namer.unit(node)
        if name:
            said["name"] = name
        chosen = self.skeleton.chosen(slot, answer)
        for key, value in chosen.fields.items():
            spec = specs[key]
            drawn = spec.roll is not None and key not in node.fields
            if not drawn and (value != spec.default or spec.required):
                said[key] = value
        if chosen.options:
            said["options"] = list(chosen.options)
        return said


def _fixed(node: Node, name: str) -> bool:
    """Tell whether a unit's profile states a field."""
    return isinstance(node.what, Profile) and name in node.what.fields
