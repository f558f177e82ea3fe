"""Plan a draft by chance and theme: which units, in which bodies, under which leaders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from muster.armies.army import NodeKind
from muster.armies.books import Profile
from muster.armies.composition import LEADER
from muster.armies.fields import parse_share
from muster.armies.pricing import price_of_kind
from muster.armies.themes import Body, leaders_of, parse_whole_range, part_of, unit_level, weight_of
from muster.solver.draft_context import MOST_UNITS, DraftContext, TooLargeError, UnitType
from muster.solver.draft_nodes import NodeDrawer, PlannedCommand, PlannedNode

_ROUNDS = 8
"""As often units are drawn anew until what they and those who lead them cost is near the limit."""


_TOLERANCE_DIVISOR = 100
"""By what part of the limit a plan may be away from it: units that change size make up for it."""

_WIDE_EXTRA_EACH = 2
_MOST_WIDE_COMMANDS = 8
"""As many of each unit may stand besides in a command of a wide plan, and in so many commands."""


def plan_army(kit: DraftContext, seed: int, attempt: int, *, wide: bool = False) -> PlannedCommand:
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
    best: tuple[Decimal, PlannedCommand] | None = None
    for turn in range(_ROUNDS):
        made = planner.army(budget)
        away = planner.total(made) - limit
        if best is None or abs(away) < best[0]:
            best = (abs(away), made)
        if abs(away) * _TOLERANCE_DIVISOR <= limit:
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
    def __init__(self, kit: DraftContext, seed: str) -> None:
        self.kit = kit
        self.drawer = NodeDrawer(kit, seed)

    # The army

    def army(self, budget: Decimal) -> PlannedCommand:
        """Plan all of it, its units for so many points, or so many in number."""
        kit = self.kit
        top = kit.composition.top.id
        sort, fields, _, _ = self.drawer.filled(None, top, None, (kit.army.id,))
        made = PlannedCommand(kit.army, (kit.army.id,), sort, fields)
        self.drawer.turn_to("units")
        units = self.units(sort, budget)
        self.drawer.turn_to("bodies")
        BodyPlacer(kit, self.drawer).place(made, units)
        self.drawer.turn_to("leaders")
        self.lead(made)
        return made

    def total(self, command: PlannedCommand) -> Decimal:
        """Give what a plan comes to."""
        nodes = [*command.all_units(), *command.all_leaders()]
        if not self.kit.composition.has_prices:
            return Decimal(len(command.all_units()))
        return sum((node.cost for node in nodes), Decimal(0))

    def units(self, root: NodeKind, budget: Decimal) -> list[PlannedNode]:
        """Draw units until what they come to is near the budget."""
        kit = self.kit
        found: list[PlannedNode] = []
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

    def refuse_too_many(self, found: Sequence[PlannedNode]) -> None:
        """Refuse a limit that would have more units than anybody draws up."""
        if len(found) > MOST_UNITS:
            text = f"a draft has at most {MOST_UNITS} units, and this limit is for more"
            raise TooLargeError(text)

    def worth(self, unit: PlannedNode) -> Decimal:
        """Give what counts towards the limit."""
        return unit.cost if self.kit.composition.has_prices else Decimal(1)

    def pools(self, root: NodeKind) -> dict[int | None, dict[str, int]]:
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

    def unpriced(self, unit: PlannedNode) -> bool:
        """Tell whether nothing says what a unit costs, in a system with prices."""
        priced = price_of_kind(unit.sort)
        return self.kit.composition.has_prices and (priced is None or bool(priced.missing))

    def goals(
        self, pools: Mapping[int | None, Mapping[str, int]], budget: Decimal
    ) -> dict[int | None, Decimal]:
        """Draw what each part is to come to, within its shares."""
        drawn: dict[int | None, int] = {}
        for place in pools:
            low, high = 0, 1000
            if place is not None:
                part = self.kit.theme.parts[place]
                low, high = int(parse_share(part.min) * 1000), int(parse_share(part.max) * 1000)
            drawn[place] = self.drawer.chance.randint(min(low, high), high)
        whole = sum(drawn.values()) or 1
        return {place: budget * each / whole for place, each in drawn.items()}

    # Who leads, and what may stand besides

    def lead(self, command: PlannedCommand) -> None:
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

    def spare(self, command: PlannedCommand) -> None:
        """Give every command a few more of its units, to be there if the total needs them."""
        wishes = self.kit.wishes
        same = {unit.type: unit.what for unit in command.units}
        self.add(command, [what for key, what in same.items() if wishes.include.get(key) is None])
        for below in command.below:
            self.spare(below)

    def widen(self, command: PlannedCommand, left: int = _MOST_WIDE_COMMANDS) -> int:
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
        self.add(command, allowed * _WIDE_EXTRA_EACH)
        left -= 1
        for below in command.below:
            if left > 0:
                left = self.widen(below, left)
        return left

    def add(self, command: PlannedCommand, units: Sequence[UnitType]) -> None:
        """Add units to a command that may stand there."""
        for what in units:
            unit = self.drawer.unit(command.sort, what)
            self.drawer.move(unit, command)
            unit.spare = True
            command.units.append(unit)


@dataclass(frozen=True, slots=True)
class BodyPlacer:
    """Puts units into bodies."""

    kit: DraftContext
    drawer: NodeDrawer

    def place(self, command: PlannedCommand, units: list[PlannedNode]) -> None:
        """Put units into bodies below a command, and what none of those takes into itself."""
        kit = self.kit
        left = list(units)
        for name in command.body.holds:
            body = kit.bodies[name]
            if body.of is None and not body.holds:
                self.drawer.command(command, body)
                continue
            ours = [unit for unit in left if kit.takes(body, unit.sort)]
            if len(ours) >= max(1, parse_whole_range(body.units)[0]) and self.has_core(body, ours):
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

    def has_core(self, body: Body, units: Sequence[PlannedNode]) -> bool:
        """Tell whether a body has what it is formed for: units of its own, or for its first."""
        kit = self.kit
        if any(kit.holds(body, unit.sort) for unit in units) or not body.holds:
            return True
        return any(kit.takes(kit.bodies[body.holds[0]], unit.sort) for unit in units)

    def form(self, command: PlannedCommand, body: Body, units: list[PlannedNode]) -> None:
        """Form as many bodies of a sort as units need, all about as large."""
        low, high = parse_whole_range(body.units)
        low = max(low, 1)
        least, most = -(-len(units) // high), max(1, len(units) // low)
        usual = max(1, (len(units) * 2 + self.drawer.chance.randint(0, low + high)) // (low + high))
        number = max(least, min(most, usual))
        shares: list[list[PlannedNode]] = [[] for _ in range(number)]
        kinds: dict[str, list[PlannedNode]] = {}
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
        _even_out(shares, high)
        for each in shares:
            if each:
                below = self.drawer.command(command, body)
                self.place(below, each)

    def kind(self, body: Body, unit: PlannedNode) -> str:
        """Name the body below that would take a unit."""
        takers = (name for name in body.holds if self.kit.takes(self.kit.bodies[name], unit.sort))
        return next(takers, "")

    def squeeze(self, command: PlannedCommand, unit: PlannedNode) -> None:
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


def _even_out(shares: list[list[PlannedNode]], high: int) -> None:
    """Move units from bodies that are too large to the smallest."""
    for each in shares:
        while len(each) > high:
            smallest = min(shares, key=len)
            if len(smallest) >= high:
                return
            smallest.append(each.pop())
