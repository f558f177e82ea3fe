"""Owns how a draft draws: units, leaders and levels of command, with what their fields say.

Does not choose how many there are, nor where they stand (see `draft_plan` and `draft_bodies`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from generator.armies.books import Profile
from generator.armies.composition import LEADER
from generator.armies.fields import FieldValue, as_number, as_text
from generator.armies.pricing import tag
from generator.armies.sort import Sort
from generator.armies.themes import Body, part_of
from generator.armies.vocabulary import Option
from generator.solving.draft_kit import Kit, What, is_said
from generator.solving.draft_sizes import size_odds


@dataclass(slots=True, eq=False)
class Node:
    """A unit or leader as planned: the values of its fields, and those that they may have too.

    `spare`: not planned, but there if the total needs it. `wished`: it must be there.
    """

    what: What
    level: str
    key: str
    sort: Sort
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
class Command:
    """A body as planned: who leads it, the units in it, and the bodies below."""

    body: Body
    inside: tuple[str, ...]
    sort: Sort
    fields: dict[str, FieldValue]
    leaders: list[Node] = field(default_factory=list)
    units: list[Node] = field(default_factory=list)
    below: list[Command] = field(default_factory=list)

    def all_units(self) -> list[Node]:
        """List the units in it and below."""
        return [*self.units, *(unit for each in self.below for unit in each.all_units())]

    def all_leaders(self) -> list[Node]:
        """List who leads it and the bodies below."""
        return [*self.leaders, *(node for each in self.below for node in each.all_leaders())]


class Drawer:
    """Draws nodes, by chances that a seed begins."""

    def __init__(self, kit: Kit, seed: str) -> None:
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
        self, above: Sort | None, level: str, what: What | None, inside: Sequence[str]
    ) -> tuple[Sort, dict[str, FieldValue], dict[str, Sequence[FieldValue]], list[Option]]:
        """Draw what a node says: its fields, what they may be too, and the options it takes."""
        kit = self.kit
        fields: dict[str, FieldValue] = {}
        free: dict[str, Sequence[FieldValue]] = {}
        sort = kit.sort(above, level, what, fields)
        specs = kit.specs(sort)
        open_yet = {name for name in specs if not is_said(sort, name)}

        def draw(name: str, odds: Mapping[str, int], sort: Sort) -> Sort:
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

    def unsaid(self, sort: Sort, what: What | None) -> Iterator[tuple[str, Mapping[str, int]]]:
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

    def node(self, above: Sort, level: str, key: str, what: What, inside: Sequence[str]) -> Node:
        """Draw a unit or leader."""
        sort, fields, free, taken = self.filled(above, level, what, inside)
        own = [option for option in taken if option in sort.options]
        priced = tag(sort)
        cost = priced.known if priced is not None else Decimal(0)
        return Node(what, level, key, sort, fields, free, own, cost)

    def unit(self, root: Sort, what: What) -> Node:
        """Draw a unit as if it stood under the army; its place is found later."""
        entry = what.entry if isinstance(what, Profile) else what
        level = self.kit.composition.levels[entry.level]
        return self.node(root, level.id, level.key or level.id, what, (self.kit.army.id,))

    def command(self, above: Command, body: Body) -> Command:
        """Form one body under a command."""
        inside = (*above.inside, body.id)
        sort, fields, _, _ = self.filled(above.sort, body.level, None, inside)
        made = Command(body, inside, sort, fields)
        above.below.append(made)
        return made

    def move(self, unit: Node, command: Command) -> None:
        """Draw a unit's fields anew where the body that it stands in has its own."""
        inside = set(command.inside[1:])
        if any(inside & set(filling.inside) for filling in self.kit.fillings):
            new = self.node(command.sort, unit.level, unit.key, unit.what, command.inside)
            unit.fields, unit.free, unit.options = new.fields, new.free, new.options
        taken = list(unit.options)
        unit.sort = self.kit.sort(command.sort, unit.level, unit.what, unit.fields, taken)

    def part(self, unit: Node) -> int:
        """Give the place of a unit's part, in the order of the theme."""
        place = part_of(self.kit.theme.parts, unit.sort)
        return len(self.kit.theme.parts) if place is None else place


def size_of(node: Node) -> tuple[str, int] | None:
    """Give the field with a unit's main number, and how many are planned."""
    name = node.sort.entry.size if node.sort.entry is not None else None
    if name is None:
        return None
    return name, int(as_number(node.sort.value(name)))
