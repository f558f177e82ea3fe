"""Plan a draft by chance and theme: which units, in which bodies, under which leaders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from muster.armies.army import NodeKind
from muster.armies.books import UnitType, entry_of
from muster.armies.constraints import CountRule
from muster.armies.fields import parse_share
from muster.armies.pricing import price_of_kind
from muster.armies.themes import Body, leaders_of, parse_whole_range, part_of, weight_of
from muster.armies.vocabulary import LEADER, Selector
from muster.solver.domains import demanded_number
from muster.solver.draft_context import MOST_UNITS, DraftContext, TooLargeError
from muster.solver.draft_nodes import NodeDrawer, PlannedCommand, PlannedNode

_ROUNDS = 8
"""How often the units are drawn at most, until they and their leaders cost about the limit."""

_TOLERANCE_DIVISOR = 100
"""A plan may miss the limit by the limit divided by this; changes of size make up for it."""

_WIDE_MOST = (1, 24)
"""How often each spare of a unit may join a command of a wide plan; the second with equal units."""

_MOST_WIDE_COMMANDS = 8
"""How many commands of a wide plan have spares."""


def plan_army(
    context: DraftContext, seed: int, attempt: int, *, wide: bool = False
) -> PlannedCommand:
    """Plan an army; the same seed and attempt give the same plan on every machine.

    Args:
        context: What the army is drafted from.
        seed: The seed of all chance.
        attempt: A number for each plan of one seed.
        wide: Whether every unit that there is may join as a spare, and not only more of the same.

    Raises:
        TooLargeError: If the limit is for more units than a draft can have.
    """
    planner = _Planner(context, f"{seed} {attempt}")
    limit = budget = context.request.limit
    best: tuple[Decimal, PlannedCommand] | None = None
    for turn in range(_ROUNDS):
        plan = planner.plan_within(budget)
        excess = planner.total(plan) - limit
        if best is None or abs(excess) < best[0]:
            best = (abs(excess), plan)
        if abs(excess) * _TOLERANCE_DIVISOR <= limit:
            break
        # The leaders cost points too, which are known only now.
        budget = max(budget - excess / (1 if turn < _ROUNDS // 2 else 2), Decimal(1))
    assert best is not None  # noqa: S101 - there is at least one round
    planner.drawer.reseed("spares")
    if wide:
        planner.add_demanded_commands(best[1])
        planner.add_all_types(best[1])
    else:
        planner.add_spares(best[1])
    return best[1]


class _Planner:
    def __init__(self, context: DraftContext, seed: str) -> None:
        self.context = context
        self.drawer = NodeDrawer(context, seed)

    # The army

    def plan_within(self, budget: Decimal) -> PlannedCommand:
        """Plan an army whose units cost about a budget, in points or in number of units."""
        context = self.context
        top = context.composition.top.id
        kind, fields, _, _ = self.drawer.draw_fields(None, top, None, (context.army.id,))
        army = PlannedCommand(context.army, (context.army.id,), kind, fields)
        self.drawer.reseed("units")
        units = self.draw_units(kind, budget)
        self.drawer.reseed("bodies")
        BodyPlacer(context, self.drawer).place(army, units)
        self.drawer.reseed("leaders")
        self.add_leaders(army)
        return army

    def total(self, command: PlannedCommand) -> Decimal:
        """Return the points of a plan or, in a system without points, the number of its units."""
        if not self.context.composition.has_prices:
            return Decimal(len(command.all_units()))
        nodes = [*command.all_units(), *command.all_leaders()]
        return sum((node.cost for node in nodes), Decimal(0))

    def draw_units(self, root: NodeKind, budget: Decimal) -> list[PlannedNode]:
        """Draw the units requested, then others until they reach the budget."""
        context = self.context
        units: list[PlannedNode] = []
        for key, number in context.request.include.items():
            for _ in range(min(number or 1, MOST_UNITS + 1)):
                units.append(self.drawer.draw_unit(root, context.nameable_units[key]))
                units[-1].requested = True
        self.draw_demanded(root, units)
        spent: dict[int | None, Decimal] = {}
        for unit in units:
            part = part_of(context.theme.parts, unit.kind)
            spent[part] = spent.get(part, Decimal(0)) + self.weight_of_unit(unit)
        pools = self.pools(root)
        targets = self.draw_targets(pools, budget)
        while pools and sum(spent.values()) < budget:
            part = max(pools, key=lambda each: targets[each] - spent.get(each, Decimal(0)))
            key = self.drawer.draw_weighted(pools[part])
            unit = self.drawer.draw_unit(root, context.drawable_units[key])
            cost = self.weight_of_unit(unit)
            left = budget - sum(spent.values())
            if cost > left * 2 and units:
                break
            units.append(unit)
            spent[part] = spent.get(part, Decimal(0)) + max(cost, Decimal("0.01"))
            self.refuse_too_many(units)
        self.refuse_too_many(units)
        return units

    def draw_demanded(self, root: NodeKind, units: list[PlannedNode]) -> None:
        """Add units until there are as many as rules on the whole army demand."""
        context = self.context
        for rule in context.composition.constraints:
            if not isinstance(rule, CountRule) or not _is_plain_demand(rule, root.level):
                continue
            there = sum(unit.kind.matches(rule.of) for unit in units)
            weights = {
                key: weight
                for pool in self.pools(root, rule.of).values()
                for key, weight in pool.items()
            }
            bounds = rule.bounds(context.request.limit)
            least = (bounds[0] if bounds is not None else None) or 0
            for _ in range(min(least, MOST_UNITS) - there if weights else 0):
                key = self.drawer.draw_weighted(weights)
                units.append(self.drawer.draw_unit(root, context.drawable_units[key]))

    def refuse_too_many(self, units: Sequence[PlannedNode]) -> None:
        """Raise an error if there are more units than a draft can have.

        Raises:
            TooLargeError: If there are more than `MOST_UNITS`.
        """
        if len(units) > MOST_UNITS:
            text = f"a draft may have at most {MOST_UNITS} units; this limit asks for more"
            raise TooLargeError(text)

    def weight_of_unit(self, unit: PlannedNode) -> Decimal:
        """Return what a unit counts towards the limit: its points, or 1."""
        return unit.cost if self.context.composition.has_prices else Decimal(1)

    def pools(self, root: NodeKind, of: Selector | None = None) -> dict[int | None, dict[str, int]]:
        """Return the units to draw from, by the index of their part, with weights.

        The weights are those of the theme times a factor of this draft's own. Only units that `of`
        selects are returned, if it is given.
        """
        context = self.context
        pools: dict[int | None, dict[str, int]] = {}
        for key, unit_type in context.drawable_units.items():
            unit = self.drawer.draw_unit(root, unit_type)
            if of is not None and not unit.kind.matches(of):
                continue
            weight = weight_of(context.theme.weights, unit.kind)
            weight *= self.drawer.chance.randint(1, 4)
            part = part_of(context.theme.parts, unit.kind)
            has_fixed_number = context.request.include.get(key) is not None
            outside_theme = part is None and bool(context.theme.parts)
            usable = context.can_hold_below(context.army, unit.kind) and not self.unpriced(unit)
            if weight and usable and not (has_fixed_number or outside_theme):
                pools.setdefault(part, {})[key] = weight
        return pools

    def unpriced(self, unit: PlannedNode) -> bool:
        """Return whether some of a unit's price is unknown, in a system with prices."""
        priced = price_of_kind(unit.kind)
        return self.context.composition.has_prices and (priced is None or bool(priced.missing))

    def draw_targets(
        self, pools: Mapping[int | None, Mapping[str, int]], budget: Decimal
    ) -> dict[int | None, Decimal]:
        """Draw how much of the budget each part gets, within its shares."""
        drawn: dict[int | None, int] = {}
        for index in pools:
            low, high = 0, 1000
            if index is not None:
                part = self.context.theme.parts[index]
                low, high = int(parse_share(part.min) * 1000), int(parse_share(part.max) * 1000)
            drawn[index] = self.drawer.chance.randint(min(low, high), high)
        whole = sum(drawn.values()) or 1
        return {index: budget * share / whole for index, share in drawn.items()}

    # Leaders and spares

    def add_leaders(self, command: PlannedCommand) -> None:
        """Draw the leaders of a command and of those below it."""
        composition = self.context.composition
        level = composition.levels[command.body.level]
        for key, leader, low, high in leaders_of(command.body, level):
            for _ in range(self.drawer.chance.randint(low, high)):
                entry = composition.entries[leader.entry]
                node = self.drawer.draw_node(command.kind, LEADER, key, entry, command.inside)
                command.leaders.append(node)
        for below in command.below:
            self.add_leaders(below)

    def add_spares(self, command: PlannedCommand) -> None:
        """Add a spare of each unit type of a command, there and in the commands below it."""
        include = self.context.request.include
        unit_types = {unit.type: unit.unit_type for unit in command.units}
        self._add_spare_units(
            command,
            [unit_type for key, unit_type in unit_types.items() if include.get(key) is None],
        )
        for below in command.below:
            self.add_spares(below)

    def add_demanded_commands(self, command: PlannedCommand) -> None:
        """Add the commands that rules demand below a command and that the plan lacks."""
        for name in command.body.holds:
            if name in command.inside:
                continue
            body = self.context.bodies[name]
            there = sum(below.body is body for below in command.below)
            demanded = demanded_number(self.context.composition, body.level)
            for _ in range(min(demanded, _MOST_WIDE_COMMANDS) - there):
                self.add_leaders(self.drawer.add_command(command, body))
        for below in command.below:
            self.add_demanded_commands(below)

    def add_all_types(self, command: PlannedCommand, left: int = _MOST_WIDE_COMMANDS) -> int:
        """Add spares of all units that may stand in a command, there and below it.

        Args:
            command: The command.
            left: How many commands may still get spares.

        Returns:
            How many commands may get spares afterwards.
        """
        context = self.context
        level = command.body.level
        is_top = level == context.composition.top.id
        allowed = [
            unit_type
            for key, unit_type in context.nameable_units.items()
            if context.request.include.get(key) is None
            if level in context.composition.levels[entry_of(unit_type).level].under
            for unit in [self.drawer.draw_unit(command.kind, unit_type)]
            if not self.unpriced(unit) and (is_top or context.can_hold(command.body, unit.kind))
        ]
        for most in _WIDE_MOST:
            self._add_spare_units(command, allowed, most)
        left -= 1
        for below in command.below:
            if left > 0:
                left = self.add_all_types(below, left)
        return left

    def _add_spare_units(
        self, command: PlannedCommand, unit_types: Sequence[UnitType], most: int = 1
    ) -> None:
        for unit_type in unit_types:
            unit = self.drawer.draw_unit(command.kind, unit_type)
            self.drawer.redraw_in(unit, command)
            unit.spare, unit.most = True, most
            command.units.append(unit)


def _is_plain_demand(rule: CountRule, top: str) -> bool:
    """Return whether a rule demands a number of units of every army."""
    conditional = rule.when is not None or rule.unless is not None
    counts_nodes = rule.sum is None and rule.by == "number" and rule.each is None
    return bool(rule.min) and counts_nodes and rule.within == top and not conditional


@dataclass(frozen=True, slots=True)
class BodyPlacer:
    """Places units in bodies."""

    context: DraftContext
    drawer: NodeDrawer

    def place(self, command: PlannedCommand, units: list[PlannedNode]) -> None:
        """Place units in bodies below a command, and in the command itself if none holds them."""
        context = self.context
        left = list(units)
        for name in command.body.holds:
            body = context.bodies[name]
            if body.of is None and not body.holds:
                self.drawer.add_command(command, body)
                continue
            fitting = [unit for unit in left if context.can_hold_below(body, unit.kind)]
            least = max(1, parse_whole_range(body.units)[0])
            if len(fitting) >= least and self.has_core(body, fitting):
                left = [unit for unit in left if unit not in fitting]
                self.form_bodies(command, body, fitting)
        staying = [unit for unit in left if context.can_hold(command.body, unit.kind)]
        command.units += staying
        for unit in left:
            if unit not in staying:
                self.place_remaining(command, unit)
        for unit in command.units:
            self.drawer.redraw_in(unit, command)
        types = list(dict.fromkeys(unit.type for unit in command.units))
        command.units.sort(key=lambda unit: (self.drawer.part_index(unit), types.index(unit.type)))

    def has_core(self, body: Body, units: Sequence[PlannedNode]) -> bool:
        """Return whether units justify a body: one can stand in it or in its first body."""
        context = self.context
        if any(context.can_hold(body, unit.kind) for unit in units) or not body.holds:
            return True
        first = context.bodies[body.holds[0]]
        return any(context.can_hold_below(first, unit.kind) for unit in units)

    def form_bodies(self, command: PlannedCommand, body: Body, units: list[PlannedNode]) -> None:
        """Form as many copies of a body as the units need, all of about the same size."""
        low, high = parse_whole_range(body.units)
        low = max(low, 1)
        least, most = -(-len(units) // high), max(1, len(units) // low)
        usual = max(1, (len(units) * 2 + self.drawer.chance.randint(0, low + high)) // (low + high))
        demanded = demanded_number(self.context.composition, body.level)
        number = max(least, min(most, usual), min(demanded, len(units)))
        shares: list[list[PlannedNode]] = [[] for _ in range(number)]
        groups: dict[str, list[PlannedNode]] = {}
        for unit in units:
            group = f"{self.taking_body(body, unit)} {self.drawer.part_index(unit)}"
            groups.setdefault(group, []).append(unit)
        order = list(dict.fromkeys(unit.type for unit in units))
        self.drawer.chance.shuffle(order)
        for same in groups.values():
            same.sort(key=lambda unit: order.index(unit.type))
            first = self.drawer.chance.randrange(number)
            for index in range(number):
                start, end = (len(same) * each // number for each in (index, index + 1))
                shares[(first + index) % number] += same[start:end]
        _even_out(shares, high)
        for share in shares:
            if share:
                self.place(self.drawer.add_command(command, body), share)

    def taking_body(self, body: Body, unit: PlannedNode) -> str:
        """Return the id of the first body below that can hold a unit; empty if there is none."""
        bodies = self.context.bodies
        return next(
            (name for name in body.holds if self.context.can_hold_below(bodies[name], unit.kind)),
            "",
        )

    def place_remaining(self, command: PlannedCommand, unit: PlannedNode) -> None:
        """Find a place for a unit that no body is formed for."""
        context = self.context
        for name in command.body.holds:
            if context.can_hold_below(context.bodies[name], unit.kind):
                formed = next((below for below in command.below if below.body.id == name), None)
                below = formed or self.drawer.add_command(command, context.bodies[name])
                if context.can_hold(below.body, unit.kind):
                    below.units.append(unit)
                    self.drawer.redraw_in(unit, below)
                else:
                    self.place_remaining(below, unit)
                return
        if command.body.level in context.composition.levels[unit.level].under:
            command.units.append(unit)
            self.drawer.redraw_in(unit, command)
        elif command.below or command.body.holds:
            name = next(iter(command.body.holds))
            formed = command.below[0] if command.below else None
            below = formed or self.drawer.add_command(command, context.bodies[name])
            self.place_remaining(below, unit)


def _even_out(shares: list[list[PlannedNode]], high: int) -> None:
    """Move units from bodies with more than `high` units to the smallest."""
    for share in shares:
        while len(share) > high:
            smallest = min(shares, key=len)
            if len(smallest) >= high:
                return
            smallest.append(share.pop())
