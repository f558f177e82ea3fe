"""Draw the units, leaders and commands of a draft, with their fields, sizes and names."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from muster.armies.army import NodeKind
from muster.armies.books import UnitType, entry_of
from muster.armies.fields import FieldValue, as_number, as_text, upper_first
from muster.armies.pricing import known_price
from muster.armies.themes import Body, noun_of, part_of
from muster.armies.vocabulary import LEADER, Option
from muster.solver.army_model import ArmyModel
from muster.solver.cpsat import Solver, SolverGaveUpError
from muster.solver.domains import NodeDomain
from muster.solver.draft_context import DraftContext, SizeKey
from muster.solver.variables import Slot


@dataclass(slots=True, eq=False)
class PlannedNode:
    """A unit or leader as planned.

    `fields` are its values and `possible_values` those that its fields may have instead. A `spare`
    is not planned, but joins if the total needs it, up to `most` times; a `requested` node must be
    in the army.
    """

    unit_type: UnitType
    level: str
    key: str
    kind: NodeKind
    fields: dict[str, FieldValue]
    possible_values: Mapping[str, Sequence[FieldValue]]
    options: list[Option]
    cost: Decimal
    spare: bool = False
    most: int = 1
    requested: bool = False

    @property
    def type(self) -> str:
        """The id by which an army file names it."""
        return self.kind.text("unit")


@dataclass(slots=True, eq=False)
class PlannedCommand:
    """A body as planned: its leaders, its units, and the bodies below it.

    `inside` are the ids of the bodies that it stands in, the army first, and its own id.
    """

    body: Body
    inside: tuple[str, ...]
    kind: NodeKind
    fields: dict[str, FieldValue]
    leaders: list[PlannedNode] = field(default_factory=list)
    units: list[PlannedNode] = field(default_factory=list)
    below: list[PlannedCommand] = field(default_factory=list)

    def all_units(self) -> list[PlannedNode]:
        """List the units of this body and of those below it."""
        return [*self.units, *(unit for command in self.below for unit in command.all_units())]

    def all_leaders(self) -> list[PlannedNode]:
        """List the leaders of this body and of those below it."""
        return [
            *self.leaders,
            *(leader for command in self.below for leader in command.all_leaders()),
        ]


class NodeDrawer:
    """Draws nodes by chance, with a generator that a seed starts."""

    def __init__(self, context: DraftContext, seed: str) -> None:
        self.context = context
        self.seed = seed
        self.reseed("army")

    def reseed(self, part: str) -> None:
        """Start a new generator for a part of the work, so that no part changes another."""
        self.chance = random.Random(f"{self.seed} {part}")  # noqa: S311 - no secret

    def draw_weighted(self, weights: Mapping[str, int]) -> str:
        """Draw one of several keys, by their weights."""
        left = self.chance.randrange(sum(weights.values()))
        for key, weight in weights.items():
            left -= weight
            if left < 0:
                return key
        raise AssertionError(weights)

    def draw_fields(
        self,
        above: NodeKind | None,
        level: str,
        unit_type: UnitType | None,
        inside: Sequence[str],
    ) -> tuple[NodeKind, dict[str, FieldValue], dict[str, Sequence[FieldValue]], list[Option]]:
        """Draw the fields and options of a node.

        Returns:
            The kind of the node, its fields, the values that its fields may have instead, and the
            options drawn.
        """
        context = self.context
        fields: dict[str, FieldValue] = {}
        possible_values: dict[str, Sequence[FieldValue]] = {}
        kind = context.kind_of(above, level, unit_type, fields)
        specs = kind.field_specs
        undecided = {name for name in specs if as_text(kind.stated_value(name)) == ""}

        def draw(name: str, weights: Mapping[str, int], kind: NodeKind) -> NodeKind:
            spec = specs[name]
            undecided.discard(name)
            weights = {text: weight for text, weight in weights.items() if weight}
            if not weights:
                return kind
            value = context.read_value(spec, self.draw_weighted(weights))
            possible_values[name] = [context.read_value(spec, text) for text in weights]
            if as_text(value) == as_text(kind.value(name)) and spec.default is not None:
                return kind
            fields[name] = value
            return context.kind_of(above, level, unit_type, dict(fields))

        for filling in context.fillings:
            names = [name for name in filling.say if name in undecided]
            if names and context.applies(filling, kind, inside):
                for name in names:
                    kind = draw(name, filling.say[name], kind)
        for name, weights in self._required_fields(kind, unit_type):
            if name in undecided:
                kind = draw(name, weights, kind)
        taken = [
            option
            for option, chance in context.option_chances(kind, inside)
            if self.chance.randrange(1000) < chance
        ]
        kind = context.kind_of(above, level, unit_type, fields, taken)
        return kind, fields, possible_values, taken

    def _required_fields(
        self, kind: NodeKind, unit_type: UnitType | None
    ) -> Iterator[tuple[str, Mapping[str, int]]]:
        """Yield the fields that a node must have whatever the fillings: choices and numbers."""
        size = kind.entry.size if kind.entry is not None else None
        numbers: list[str] = []
        for name, spec in kind.field_specs.items():
            if spec.required and spec.form == "choice":
                yield name, dict.fromkeys(spec.of, 1)
            elif name == size or (spec.required and spec.form == "whole"):
                numbers.append(name)
        if unit_type is None or kind.level == LEADER:
            return
        root = kind
        while root.parent is not None:
            root = root.parent
        for name in numbers:
            if kind.value(name) is None:
                yield name, size_weights(self.context, root.fields, unit_type, kind.level, name)

    def draw_node(
        self, above: NodeKind, level: str, key: str, unit_type: UnitType, inside: Sequence[str]
    ) -> PlannedNode:
        """Draw a unit or leader."""
        kind, fields, possible_values, taken = self.draw_fields(above, level, unit_type, inside)
        options = [option for option in taken if option in kind.options]
        cost = known_price(kind)
        return PlannedNode(unit_type, level, key, kind, fields, possible_values, options, cost)

    def draw_unit(self, root: NodeKind, unit_type: UnitType) -> PlannedNode:
        """Draw a unit as if it stood under the army; its place is found later."""
        level = self.context.composition.levels[entry_of(unit_type).level]
        key = level.key or level.id
        return self.draw_node(root, level.id, key, unit_type, (self.context.army.id,))

    def add_command(self, above: PlannedCommand, body: Body) -> PlannedCommand:
        """Add a body under a command, with its fields drawn."""
        inside = (*above.inside, body.id)
        kind, fields, _, _ = self.draw_fields(above.kind, body.level, None, inside)
        command = PlannedCommand(body, inside, kind, fields)
        above.below.append(command)
        return command

    def redraw_in(self, unit: PlannedNode, command: PlannedCommand) -> None:
        """Place a unit in a command; draw its fields again if a filling names that body."""
        inside = set(command.inside[1:])
        if any(inside & set(filling.inside) for filling in self.context.fillings):
            new = self.draw_node(command.kind, unit.level, unit.key, unit.unit_type, command.inside)
            unit.fields, unit.options = new.fields, new.options
            unit.possible_values = new.possible_values
        unit.kind = self.context.kind_of(
            command.kind, unit.level, unit.unit_type, unit.fields, list(unit.options)
        )

    def part_index(self, unit: PlannedNode) -> int:
        """Return the index of the theme's part that a unit belongs to; past the end if of none."""
        index = part_of(self.context.theme.parts, unit.kind)
        return len(self.context.theme.parts) if index is None else index


def planned_size(node: PlannedNode) -> tuple[str, int] | None:
    """Return the field with a unit's main number, and the number planned; None without a size."""
    name = node.kind.entry.size if node.kind.entry is not None else None
    if name is None:
        return None
    return name, int(as_number(node.kind.value(name)))


_LARGEST_SIZE = 200
"""The largest size that is tried."""

_EXTRA_SIZE = 4
"""Sizes are drawn from the least up to twice the least and this many more."""


def size_weights(
    context: DraftContext,
    army_fields: Mapping[str, FieldValue],
    unit_type: UnitType,
    level: str,
    size: str,
) -> dict[str, int]:
    """Return the sizes to draw from for a unit, all of weight 1; none if no size is allowed.

    Args:
        context: What the army is drafted from.
        army_fields: The fields of the army itself.
        unit_type: The unit.
        level: Its level.
        size: The field with its main number.
    """
    key = SizeKey(unit_type.id, size, tuple(sorted(map(str, army_fields.items()))))
    if key not in context.sizes:
        context.sizes[key] = _solve_sizes(context, army_fields, unit_type, level, size)
    return context.sizes[key]


def _solve_sizes(
    context: DraftContext,
    army_fields: Mapping[str, FieldValue],
    unit_type: UnitType,
    level: str,
    size: str,
) -> dict[str, int]:
    army_model = ArmyModel(context.composition, book=context.book, fields=army_fields)
    above = _add_commands_above(context, army_model, army_model.root, level)
    domain = NodeDomain(1, 1, {size: (1, _LARGEST_SIZE)})
    slot = army_model.add_unit(above, level, unit_type, domain)
    army_model.encode()
    solver = Solver(army_model.model, hard=lambda group: group.slot is slot)
    amount = slot.amounts[size]
    try:
        least, most = solver.solve(minimise=amount), solver.solve(maximise=amount)
    except SolverGaveUpError:
        return {}
    if least is None or most is None:
        return {}
    low, high = int(least.value_of(amount)), int(most.value_of(amount))
    if size not in context.composition.open_keys:
        return {str(number): 1 for number in range(low, min(high, 2 * low + _EXTRA_SIZE) + 1)}
    # The number names a row of a table, which need not have one for each number.
    solvable = (
        number
        for number in range(low, high + 1)
        if solver.solve(subject_to=[(amount, [(number, number)])]) is not None
    )
    return {str(number): 1 for number in solvable}


def _add_commands_above(
    context: DraftContext, army_model: ArmyModel, above: Slot, level: str
) -> Slot:
    """Add a command that a unit of a level may stand under, with those above it; return it."""
    under = context.composition.levels[level].under[0]
    if under == context.composition.top.id:
        return above
    outer = _add_commands_above(context, army_model, above, under)
    return army_model.add_command(outer, under, present=True)


def ordinal(number: int) -> str:
    """Return a number as an ordinal: `1st`, `2nd`, `11th`."""
    tens, ones = divmod(number % 100, 10)
    ending = "th" if tens == 1 else {1: "st", 2: "nd", 3: "rd"}.get(ones, "th")
    return f"{number}{ending}"


class DraftNamer:
    """Names units, leaders and bodies one after the other; no name is given twice."""

    def __init__(self, context: DraftContext, root: PlannedCommand, seed: int) -> None:
        self.context = context
        self.counts: Counter[str] = Counter()
        self.body_nouns = Counter(_body_nouns(root))
        self.book_names: dict[str, list[str]] = {}
        chance = random.Random(f"names {seed}")  # noqa: S311 - no secret
        if context.book is not None:
            for key, names in context.book.names.items():
                self.book_names[key] = list(names)
                chance.shuffle(self.book_names[key])

    def name_unit(self, node: PlannedNode) -> str:
        """Return a name of the book for the unit or its type or, if none is left, a number."""
        name = self.take_book_name(node)
        if name:
            return name
        noun = noun_of(self.context.drafting.nouns, node.kind) or node.kind.title
        return self._next_numbered(noun)

    def take_book_name(self, node: PlannedNode) -> str:
        """Return the next name that the book has for a unit or leader; empty if none is left."""
        entry = node.kind.entry
        for key in (node.type, entry.id if entry is not None else ""):
            if self.book_names.get(key):
                return self.book_names[key].pop()
        return ""

    def name_body(self, command: PlannedCommand) -> str:
        """Return the noun of a body, with a number if there are several; empty without a noun."""
        noun = command.body.name
        if not noun:
            return ""
        if self.body_nouns[noun] == 1:
            return upper_first(noun)
        return self._next_numbered(noun)

    def _next_numbered(self, noun: str) -> str:
        self.counts[noun] += 1
        return f"{ordinal(self.counts[noun])} {noun}"


def _body_nouns(command: PlannedCommand) -> list[str]:
    return [noun for below in command.below for noun in (below.body.name, *_body_nouns(below))]
