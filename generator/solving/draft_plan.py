"""Owns the plan of a draft: which units, how large, under whom, as chance and theme have it.

Does not know any rule: it keeps to proportions and bodies, and comes near the limit. `draft` finds
the legal army that is nearest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from generator.armies.books import Profile
from generator.armies.composition import LEADER
from generator.armies.pricing import tag
from generator.armies.sort import Sort
from generator.armies.soundness import share
from generator.armies.themes import leaders_of, part_of, unit_level, weight_of
from generator.solving.draft_bodies import Placer
from generator.solving.draft_draw import Command, Drawer, Node
from generator.solving.draft_kit import MOST_UNITS, Kit, TooLargeError, What

_ROUNDS = 8
"""As often units are drawn anew until what they and those who lead them cost is near the limit."""


_NEAR = 100
"""By what part of the limit a plan may be away from it: units that change size make up for it."""

_WIDE = 2
_MOST_WIDE = 8
"""As many of each unit may stand besides in a command of a wide plan, and in so many commands."""


def plan(kit: Kit, seed: int, attempt: int, *, wide: bool = False) -> Command:
    """Plan an army; the same seed and attempt give the same plan on every machine.

    Args:
        kit: What there is to draft from.
        seed: What chance goes by.
        attempt: A number for each plan of one seed.
        wide: Whether all that there is may stand besides, and not only more of the same.

    Raises:
        TooLargeError: If the limit is for more units than a draft can have.
    """
    planner = _Planner(kit, f"{seed} {attempt}")
    limit = budget = kit.wishes.limit
    best: tuple[Decimal, Command] | None = None
    for turn in range(_ROUNDS):
        made = planner.army(budget)
        away = planner.total(made) - limit
        if best is None or abs(away) < best[0]:
            best = (abs(away), made)
        if abs(away) * _NEAR <= limit:
            break
        # What leads the units costs points too, and is known only now.
        budget = max(budget - away / (1 if turn < _ROUNDS // 2 else 2), Decimal(1))
    assert best is not None  # noqa: S101 - there is one round at least
    planner.drawer.turn_to("spares")
    if wide:
        planner.widen(best[1])
    else:
        planner.spare(best[1])
    return best[1]


class _Planner:
    def __init__(self, kit: Kit, seed: str) -> None:
        self.kit = kit
        self.drawer = Drawer(kit, seed)

    # The army

    def army(self, budget: Decimal) -> Command:
        """Plan all of it, its units for so many points, or so many in number."""
        kit = self.kit
        top = kit.composition.top.id
        sort, fields, _, _ = self.drawer.filled(None, top, None, (kit.army.id,))
        made = Command(kit.army, (kit.army.id,), sort, fields)
        self.drawer.turn_to("units")
        units = self.units(sort, budget)
        self.drawer.turn_to("bodies")
        Placer(kit, self.drawer).place(made, units)
        self.drawer.turn_to("leaders")
        self.lead(made)
        return made

    def total(self, command: Command) -> Decimal:
        """Give what a plan comes to."""
        nodes = [*command.all_units(), *command.all_leaders()]
        if not self.kit.composition.prices:
            return Decimal(len(command.all_units()))
        return sum((node.cost for node in nodes), Decimal(0))

    def units(self, root: Sort, budget: Decimal) -> list[Node]:
        """Draw units until what they come to is near the budget."""
        kit = self.kit
        found: list[Node] = []
        for key, number in kit.wishes.include.items():
            for _ in range(min(number or 1, MOST_UNITS + 1)):
                found.append(self.drawer.unit(root, kit.known[key]))
                found[-1].wished = True
        spent: dict[int | None, Decimal] = {}
        for unit in found:
            place = part_of(kit.theme.parts, unit.sort)
            spent[place] = spent.get(place, Decimal(0)) + self.worth(unit)
        pools = self.pools(root)
        goals = self.goals(pools, budget)
        while pools and sum(spent.values()) < budget:
            place = max(pools, key=lambda each: goals[each] - spent.get(each, Decimal(0)))
            unit = self.drawer.unit(root, kit.types[self.drawer.one_of(pools[place])])
            cost = self.worth(unit)
            left = budget - sum(spent.values())
            if cost > left * 2 and found:
                break
            found.append(unit)
            spent[place] = spent.get(place, Decimal(0)) + max(cost, Decimal("0.01"))
            self.refuse_too_many(found)
        self.refuse_too_many(found)
        return found

    def refuse_too_many(self, found: Sequence[Node]) -> None:
        """Refuse a limit that would have more units than anybody draws up."""
        if len(found) > MOST_UNITS:
            text = f"a draft has at most {MOST_UNITS} units, and this limit is for more"
            raise TooLargeError(text)

    def worth(self, unit: Node) -> Decimal:
        """Give what counts towards the limit."""
        return unit.cost if self.kit.composition.prices else Decimal(1)

    def pools(self, root: Sort) -> dict[int | None, dict[str, int]]:
        """Give the types to draw from by their part, with chances of this draft's own."""
        kit = self.kit
        found: dict[int | None, dict[str, int]] = {}
        for key, what in kit.types.items():
            unit = self.drawer.unit(root, what)
            weight = weight_of(kit.theme.weights, unit.sort) * self.drawer.chance.randint(1, 4)
            place = part_of(kit.theme.parts, unit.sort)
            wished = kit.wishes.include.get(key) is not None
            outside = place is None and bool(kit.theme.parts)
            taken = kit.takes(kit.army, unit.sort) and not self.unpriced(unit)
            if weight and taken and not (wished or outside):
                found.setdefault(place, {})[key] = weight
        return found

    def unpriced(self, unit: Node) -> bool:
        """Tell whether nothing says what a unit costs, in a system with prices."""
        priced = tag(unit.sort)
        return self.kit.composition.prices and (priced is None or bool(priced.missing))

    def goals(
        self, pools: Mapping[int | None, Mapping[str, int]], budget: Decimal
    ) -> dict[int | None, Decimal]:
        """Draw what each part is to come to, within its shares."""
        drawn: dict[int | None, int] = {}
        for place in pools:
            low, high = 0, 1000
            if place is not None:
                part = self.kit.theme.parts[place]
                low, high = int(share(part.min) * 1000), int(share(part.max) * 1000)
            drawn[place] = self.drawer.chance.randint(min(low, high), high)
        whole = sum(drawn.values()) or 1
        return {place: budget * each / whole for place, each in drawn.items()}

    # Who leads, and what may stand besides

    def lead(self, command: Command) -> None:
        """Give every command its leaders."""
        kit = self.kit
        level = kit.composition.levels[command.body.level]
        for key, leader, low, high in leaders_of(command.body, level):
            for _ in range(self.drawer.chance.randint(low, high)):
                entry = kit.composition.entries[leader.entry]
                made = self.drawer.node(command.sort, LEADER, key, entry, command.inside)
                command.leaders.append(made)
        for below in command.below:
            self.lead(below)

    def spare(self, command: Command) -> None:
        """Give every command a few more of its units, to be there if the total needs them."""
        wishes = self.kit.wishes
        same = {unit.type: unit.what for unit in command.units}
        self.add(command, [what for key, what in same.items() if wishes.include.get(key) is None])
        for below in command.below:
            self.spare(below)

    def widen(self, command: Command, left: int = _MOST_WIDE) -> int:
        """Give commands, as far as there are not too many, all units that may stand in them."""
        kit = self.kit
        level = command.body.level
        top = level == kit.composition.top.id
        units = unit_level(kit.composition)
        entries = [
            (what, what.entry if isinstance(what, Profile) else what)
            for key, what in kit.known.items()
            if key not in kit.wishes.include
        ]
        allowed = [
            what
            for what, entry in entries
            if entry.level == units and level in kit.composition.levels[entry.level].under
            for unit in [self.drawer.unit(command.sort, what)]
            if not self.unpriced(unit) and (top or kit.holds(command.body, unit.sort))
        ]
        self.add(command, allowed * _WIDE)
        left -= 1
        for below in command.below:
            if left > 0:
                left = self.widen(below, left)
        return left

    def add(self, command: Command, units: Sequence[What]) -> None:
        """Add units to a command that may stand there."""
        for what in units:
            unit = self.drawer.unit(command.sort, what)
            self.drawer.move(unit, command)
            unit.spare = True
            command.units.append(unit)
