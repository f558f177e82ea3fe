"""Owns who stands where in a drafted army: units go into bodies, as many as there need be.

Does not choose the units (see `draft_plan`); a body is formed where enough of them are for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generator.armies.themes import Body, spread
from generator.solving.draft_draw import Command, Drawer, Node
from generator.solving.draft_kit import Kit


@dataclass(frozen=True, slots=True)
class Placer:
    """Puts units into bodies."""

    kit: Kit
    drawer: Drawer

    def place(self, command: Command, units: list[Node]) -> None:
        """Put units into bodies below a command, and what none of those takes into itself."""
        kit = self.kit
        left = list(units)
        for name in command.body.holds:
            body = kit.bodies[name]
            if body.of is None and not body.holds:
                self.drawer.command(command, body)
                continue
            ours = [unit for unit in left if kit.takes(body, unit.sort)]
            if len(ours) >= max(1, spread(body.units)[0]) and self.has_core(body, ours):
                left = [unit for unit in left if unit not in ours]
                self.form(command, body, ours)
        stay = [unit for unit in left if kit.holds(command.body, unit.sort)]
        command.units += stay
        for unit in left:
            if unit not in stay:
                self.squeeze(command, unit)
        for unit in command.units:
            self.drawer.move(unit, command)
        kinds = list(dict.fromkeys(unit.type for unit in command.units))
        command.units.sort(key=lambda unit: (self.drawer.part(unit), kinds.index(unit.type)))

    def has_core(self, body: Body, units: Sequence[Node]) -> bool:
        """Tell whether a body has what it is formed for: units of its own, or for its first."""
        kit = self.kit
        if any(kit.holds(body, unit.sort) for unit in units) or not body.holds:
            return True
        return any(kit.takes(kit.bodies[body.holds[0]], unit.sort) for unit in units)

    def form(self, command: Command, body: Body, units: list[Node]) -> None:
        """Form as many bodies of a sort as units need, all about as large."""
        low, high = spread(body.units)
        low = max(low, 1)
        least, most = -(-len(units) // high), max(1, len(units) // low)
        usual = max(1, (len(units) * 2 + self.drawer.chance.randint(0, low + high)) // (low + high))
        number = max(least, min(most, usual))
        shares: list[list[Node]] = [[] for _ in range(number)]
        kinds: dict[str, list[Node]] = {}
        for unit in units:
            kind = f"{self.kind(body, unit)} {self.drawer.part(unit)}"
            kinds.setdefault(kind, []).append(unit)
        order = list(dict.fromkeys(unit.type for unit in units))
        self.drawer.chance.shuffle(order)
        for same in kinds.values():
            same.sort(key=lambda unit: order.index(unit.type))
            first = self.drawer.chance.randrange(number)
            for place in range(number):
                start, end = (len(same) * each // number for each in (place, place + 1))
                shares[(first + place) % number] += same[start:end]
        _level(shares, high)
        for each in shares:
            if each:
                below = self.drawer.command(command, body)
                self.place(below, each)

    def kind(self, body: Body, unit: Node) -> str:
        """Name the body below that would take a unit."""
        takers = (name for name in body.holds if self.kit.takes(self.kit.bodies[name], unit.sort))
        return next(takers, "")

    def squeeze(self, command: Command, unit: Node) -> None:
        """Find a place for a unit that no body is formed for."""
        kit = self.kit
        for name in command.body.holds:
            if kit.takes(kit.bodies[name], unit.sort):
                there = next((each for each in command.below if each.body.id == name), None)
                below = there or self.drawer.command(command, kit.bodies[name])
                if kit.holds(below.body, unit.sort):
                    below.units.append(unit)
                    self.drawer.move(unit, below)
                else:
                    self.squeeze(below, unit)
                return
        levels = kit.composition.levels[unit.level].under
        if command.body.level in levels:
            command.units.append(unit)
            self.drawer.move(unit, command)
        elif command.below or command.body.holds:
            name = next(iter(command.body.holds))
            there = command.below[0] if command.below else None
            self.squeeze(there or self.drawer.command(command, kit.bodies[name]), unit)


def _level(shares: list[list[Node]], high: int) -> None:
    """Move units from bodies that are too large to the smallest."""
    for each in shares:
        while len(each) > high:
            smallest = min(shares, key=len)
            if len(smallest) >= high:
                return
            smallest.append(each.pop())
