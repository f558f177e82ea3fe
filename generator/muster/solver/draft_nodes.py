"""Draw the units, leaders and commands of a draft, with their fields, sizes and names."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from muster.armies.army import NodeKind
from muster.armies.books import Profile
from muster.armies.composition import LEADER
from muster.armies.fields import FieldValue, as_number, as_text, upper_first
from muster.armies.pricing import price_of_kind
from muster.armies.themes import Body, noun_of, part_of
from muster.armies.vocabulary import Option
from muster.solver.army_model import ArmyModel
from muster.solver.cpsat import Solver, SolverGaveUpError
from muster.solver.domains import NodeDomain
from muster.solver.draft_context import DraftContext, UnitType, is_stated
from muster.solver.linear_model import ConstraintGroup
from muster.solver.variables import Slot


@dataclass(slots=True, eq=False)
class PlannedNode:
    """A unit or leader as planned: the values of its fields, and those that they may have too.

    `spare`: not planned, but there if the total needs it. `wished`: it must be there.
    """

    what: UnitType
    level: str
    key: str
    sort: NodeKind
    fields: dict[str, FieldValue]
    free: Mapping[str, Sequence[FieldValue]]
    options: list[Option]
    cost: Decimal
    spare: bool = False
    wished: bool = False

    @property
    def type(self) -> str:
        """What a list calls it."""
        return self.sort.text("unit")


@dataclass(slots=True, eq=False)
class PlannedCommand:
    """A body as planned: who leads it, the units in it, and the bodies below."""

    body: Body
    inside: tuple[str, ...]
    sort: NodeKind
    fields: dict[str, FieldValue]
    leaders: list[PlannedNode] = field(default_factory=list)
    units: list[PlannedNode] = field(default_factory=list)
    below: list[PlannedCommand] = field(default_factory=list)

    def all_units(self) -> list[PlannedNode]:
        """List the units in it and below."""
        return [*self.units, *(unit for each in self.below for unit in each.all_units())]

    def all_leaders(self) -> list[PlannedNode]:
        """List who leads it and the bodies below."""
        return [*self.leaders, *(node for each in self.below for node in each.all_leaders())]


class NodeDrawer:
    """Draws nodes, by chances that a seed begins."""

    def __init__(self, kit: DraftContext, seed: str) -> None:
        self.kit = kit
        self.seed = seed
        self.turn_to("army")

    def turn_to(self, part: str) -> None:
        """Begin the chances of a part of the work: more of one part must not change another."""
        self.chance = random.Random(f"{self.seed} {part}")  # noqa: S311 - no secret

    def one_of(self, odds: Mapping[str, int]) -> str:
        """Draw one of several, by their chances."""
        left = self.chance.randrange(sum(odds.values()))
        for each, chance in odds.items():
            left -= chance
            if left < 0:
                return each
        raise AssertionError(odds)

    def filled(
        self, above: NodeKind | None, level: str, what: UnitType | None, inside: Sequence[str]
    ) -> tuple[NodeKind, dict[str, FieldValue], dict[str, Sequence[FieldValue]], list[Option]]:
        """Draw what a node says: its fields, what they may be too, and the options it takes."""
        kit = self.kit
        fields: dict[str, FieldValue] = {}
        free: dict[str, Sequence[FieldValue]] = {}
        sort = kit.sort(above, level, what, fields)
        specs = kit.specs(sort)
        open_yet = {name for name in specs if not is_stated(sort, name)}

        def draw(name: str, odds: Mapping[str, int], sort: NodeKind) -> NodeKind:
            spec = specs[name]
            open_yet.discard(name)
            drawn = {each: chance for each, chance in odds.items() if chance}
            if not drawn:
                return sort
            said = kit.read(spec, self.one_of(drawn))
            free[name] = [kit.read(spec, each) for each in drawn]
            if as_text(said) == as_text(sort.value(name)) and spec.default is not None:
                return sort
            fields[name] = said
            return kit.sort(above, level, what, dict(fields))

        for filling in kit.fillings:
            wanted = [name for name in filling.say if name in open_yet]
            if wanted and kit.means(filling, sort, inside):
                for name in wanted:
                    sort = draw(name, filling.say[name], sort)
        for name, odds in self.unsaid(sort, what):
            if name in open_yet:
                sort = draw(name, odds, sort)
        taken = [
            option
            for option, chance in kit.chances(sort, inside)
            if self.chance.randrange(1000) < chance
        ]
        return kit.sort(above, level, what, fields, taken), fields, free, taken

    def unsaid(
        self, sort: NodeKind, what: UnitType | None
    ) -> Iterator[tuple[str, Mapping[str, int]]]:
        """Give what a node must say and no filling does: choices that are required, and a size."""
        for name, spec in self.kit.specs(sort).items():
            if spec.required and spec.form == "choice":
                yield name, dict.fromkeys(spec.of, 1)
        size = sort.entry.size if sort.entry is not None else None
        if size is None or what is None or sort.level == LEADER or sort.value(size) is not None:
            return
        root = sort
        while root.parent is not None:
            root = root.parent
        yield size, size_odds(self.kit, root.fields, what, sort.level, size)

    def node(
        self, above: NodeKind, level: str, key: str, what: UnitType, inside: Sequence[str]
    ) -> PlannedNode:
        """Draw a unit or leader."""
        sort, fields, free, taken = self.filled(above, level, what, inside)
        own = [option for option in taken if option in sort.options]
        priced = price_of_kind(sort)
        cost = priced.known if priced is not None else Decimal(0)
        return PlannedNode(what, level, key, sort, fields, free, own, cost)

    def unit(self, root: NodeKind, what: UnitType) -> PlannedNode:
        """Draw a unit as if it stood under the army; its place is found later."""
        entry = what.entry if isinstance(what, Profile) else what
        level = self.kit.composition.levels[entry.level]
        return self.node(root, level.id, level.key or level.id, what, (self.kit.army.id,))

    def command(self, above: PlannedCommand, body: Body) -> PlannedCommand:
        """Form one body under a command."""
        inside = (*above.inside, body.id)
        sort, fields, _, _ = self.filled(above.sort, body.level, None, inside)
        made = PlannedCommand(body, inside, sort, fields)
        above.below.append(made)
        return made

    def move(self, unit: PlannedNode, command: PlannedCommand) -> None:
        """Draw a unit's fields anew where the body that it stands in has its own."""
        inside = set(command.inside[1:])
        if any(inside & set(filling.inside) for filling in self.kit.fillings):
            new = self.node(command.sort, unit.level, unit.key, unit.what, command.inside)
            unit.fields, unit.free, unit.options = new.fields, new.free, new.options
        taken = list(unit.options)
        unit.sort = self.kit.sort(command.sort, unit.level, unit.what, unit.fields, taken)

    def part(self, unit: PlannedNode) -> int:
        """Give the place of a unit's part, in the order of the theme."""
        place = part_of(self.kit.theme.parts, unit.sort)
        return len(self.kit.theme.parts) if place is None else place


def planned_size(node: PlannedNode) -> tuple[str, int] | None:
    """Give the field with a unit's main number, and how many are planned."""
    name = node.sort.entry.size if node.sort.entry is not None else None
    if name is None:
        return None
    return name, int(as_number(node.sort.value(name)))


_LARGEST_SIZE = 200
_EXTRA_SIZE = 4
"""As large as a unit is thought of, and by how much the greatest size is over twice the least."""


def size_odds(
    kit: DraftContext, fields: Mapping[str, FieldValue], what: UnitType, level: str, name: str
) -> dict[str, int]:
    """Give sizes to draw from for a unit; none if no size is allowed.

    Args:
        kit: What there is to draft from.
        fields: What the army itself says.
        what: The unit.
        level: Its level.
        name: The field with its main number.
    """
    key = (getattr(what, "id", ""), name, tuple(sorted(map(str, fields.items()))))
    if key not in kit.sizes:
        kit.sizes[key] = _solve_sizes(kit, fields, what, level, name)
    return kit.sizes[key]


def _solve_sizes(
    kit: DraftContext, fields: Mapping[str, FieldValue], what: UnitType, level: str, name: str
) -> dict[str, int]:
    skeleton = ArmyModel(kit.composition, book=kit.book, fields=fields)
    above = _add_commands_above(kit, skeleton, skeleton.root, level)
    slot = skeleton.add_unit(above, level, what, NodeDomain(1, 1, {name: (1, _LARGEST_SIZE)}))
    skeleton.encode()

    def own(group: ConstraintGroup) -> bool:
        return group.slot is slot

    solver = Solver(skeleton.model, hard=own)
    amount = slot.amounts[name]
    try:
        least, most = solver.solve(least=amount), solver.solve(most=amount)
    except SolverGaveUpError:
        return {}
    if least is None or most is None:
        return {}
    low, high = int(least.value_of(amount)), int(most.value_of(amount))
    return {str(size): 1 for size in range(low, min(high, 2 * low + _EXTRA_SIZE) + 1)}


def _add_commands_above(kit: DraftContext, skeleton: ArmyModel, above: Slot, level: str) -> Slot:
    """Give a command that a unit may stand under, with those above it."""
    under = kit.composition.levels[level].under[0]
    if under == kit.composition.top.id:
        return above
    return skeleton.add_command(_add_commands_above(kit, skeleton, above, under), under, there=True)


def ordinal(number: int) -> str:
    """Count in words: `1st`, `2nd`, `11th`."""
    tens, ones = divmod(number % 100, 10)
    ending = "th" if tens == 1 else {1: "st", 2: "nd", 3: "rd"}.get(ones, "th")
    return f"{number}{ending}"


class DraftNamer:
    """Names units, leaders and bodies one after the other; no name is given twice."""

    def __init__(self, kit: DraftContext, root: PlannedCommand, seed: int) -> None:
        self.kit = kit
        self.counts: Counter[str] = Counter()
        self.bodies = Counter(_body_names(root))
        self.left: dict[str, list[str]] = {}
        chance = random.Random(f"names {seed}")  # noqa: S311 - no secret
        if kit.book is not None:
            for key, names in kit.book.names.items():
                self.left[key] = list(names)
                chance.shuffle(self.left[key])

    def unit(self, node: PlannedNode) -> str:
        """Name a unit: by its book, by its type in the book, or by a number."""
        own = self.listed(node)
        if own:
            return own
        noun = noun_of(self.kit.drafting.nouns, node.sort) or node.sort.title
        return self.numbered(noun)

    def listed(self, node: PlannedNode) -> str:
        """Take the next name that the book has for a unit or leader; empty if there is none."""
        entry = node.sort.entry
        for key in (node.type, entry.id if entry is not None else ""):
            if self.left.get(key):
                return self.left[key].pop()
        return ""

    def body(self, command: PlannedCommand) -> str:
        """Name a body: by its noun, with a number where there are several."""
        noun = command.body.name
        if not noun:
            return ""
        if self.bodies[noun] == 1:
            return upper_first(noun)
        return self.numbered(noun)

    def numbered(self, noun: str) -> str:
        """Give the next number of a noun."""
        self.counts[noun] += 1
        return f"{ordinal(self.counts[noun])} {noun}"


def _body_names(command: PlannedCommand) -> list[str]:
    return [name for each in command.below for name in (each.body.name, *_body_names(each))]
