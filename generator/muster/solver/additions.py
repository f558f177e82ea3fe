"""Find what can still be added to a legal army within its limit and the rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from muster.armies import Army, check, price
from muster.armies.books import UnitType, entry_of, profile_of
from muster.armies.fields import lower_first, plural_of, with_noun
from muster.armies.verdict import PRICE_UNKNOWN
from muster.armies.vocabulary import LEADER, Option
from muster.solver.army_model import ArmyModel
from muster.solver.cpsat import Bound, Solution, Solver, limited_effort
from muster.solver.domains import NodeDomain, available_units, domain_around, full_domain
from muster.solver.linear_model import (
    ConstraintGroup,
    LinearExpr,
    Literal,
    LiteralLike,
    as_decimal,
)
from muster.solver.variables import Slot
from muster.yamlfile import KeyPath

ANY_NUMBER = 99
"""The most units of one type that are tried; it stands for any number."""

ANY_SIZE = 600
"""The largest size that is tried; it stands for any size."""

_ROOM_EFFORT = 5.0
"""How much all questions about one army may cost together."""

KnownWarnings = frozenset[tuple[str, KeyPath]]
"""The codes and paths of the warnings that an army has already."""


@dataclass(frozen=True, slots=True)
class UnitFit:
    """How many more units of one type fit, of the smallest size and of the largest.

    For a type without a size, `smallest` and `largest` are 0. `needs_new_command` says whether
    they need a new command to stand under. The points are what the cheapest of a size adds to the
    army, with the new command; None in a system without points, and where no price is known.
    """

    unit_type: UnitType
    smallest: int
    count_smallest: int
    largest: int
    count_largest: int
    needs_new_command: bool
    points_smallest: Decimal | None = None
    points_largest: Decimal | None = None

    @property
    def plural(self) -> str:
        """What several are called."""
        many = "" if profile_of(self.unit_type) else entry_of(self.unit_type).many
        return many or plural_of(self.unit_type.title)

    def strength_of(self, size: int) -> str:
        """Return a size with its noun: `3 stands`."""
        entry = entry_of(self.unit_type)
        assert entry.size is not None  # noqa: S101 - a type without a size has no other than 0
        spec = entry.fields[entry.size]
        noun = lower_first(spec.title or entry.size)
        return with_noun(size, spec.one or noun, spec.many or noun)


@dataclass(frozen=True, slots=True)
class OptionFit:
    """An option that can be added, and the labels of the units that can have it all at once.

    Of an entry with a count, some may have it and others not: `Guards (2 of 5)`. `number` is how
    many units that is. `points` is what it adds for all of them; None in a system without points.
    """

    option: Option
    units: tuple[str, ...]
    points: Decimal | None = None
    number: int = 1


@dataclass(frozen=True, slots=True)
class Additions:
    """The units and options that fit. `points_left` is None without a limit or without points."""

    points_left: Decimal | None
    units: tuple[UnitFit, ...]
    options: tuple[OptionFit, ...]


def find_additions(army: Army) -> Additions | None:
    """Return what can be added without a new finding; None for an army that is not legal.

    Raises:
        SolverGaveUpError: If the solver gave up.
    """
    verdict = check(army)
    if not verdict.legal:
        return None
    points_left = None
    if army.limit is not None and verdict.points is not None:
        points_left = army.limit - verdict.points
    known = frozenset((finding.code, finding.node.path) for finding in verdict.findings)
    with limited_effort(_ROOM_EFFORT):
        return Additions(
            points_left, tuple(_find_unit_fits(army, known)), tuple(_find_option_fits(army, known))
        )


def _is_hard(group: ConstraintGroup, known: KnownWarnings, army: Army) -> bool:
    """Return whether a rule must be kept.

    A rule that the army keeps now must stay kept, even if breaking it would only be a warning.
    Under a limit, whatever is added must have a known price.
    """
    slot: Slot | None = group.slot
    if slot is None or slot.node is None:
        return group.code != PRICE_UNKNOWN or army.limit is not None
    return group.stated or (group.code, slot.node.path) not in known


# Units


def _find_unit_fits(army: Army, known: KnownWarnings) -> Iterator[UnitFit]:
    """Yield what fits of each unit type that may join any command of the army."""
    composition = army.composition
    unit_types: dict[str, UnitType] = {}
    for node in army.nodes():
        if node.is_branch:
            for level in composition.written.levels:
                if level.id in composition.bottom_levels:
                    for unit_type in available_units(composition, node.book, level.id):
                        unit_types[unit_type.id] = unit_type
    for unit_type in unit_types.values():
        fit = _GrowthModel(army, known, unit_type.id).find_fit(unit_type)
        if fit is not None:
            yield fit


class _GrowthModel:
    """The model of an army as it is, with a slot for more units of one type in each command."""

    def __init__(self, army: Army, known: KnownWarnings, unit_type_id: str) -> None:
        self.unit_type_id = unit_type_id
        self.army_model = ArmyModel.of_army(army, fixed=True)
        self.slots: list[Slot] = []
        composition = army.composition
        for slot in [slot for slot in self.army_model.slots if slot.is_branch]:
            self._add_slots(slot)
        in_old_commands = len(self.slots)
        for level in composition.levels_below[composition.top.id]:
            if level.id not in composition.bottom_levels:
                self._add_command(level.id)
        self.points = self.army_model.encode(army.limit).points
        self.points_before = price(army).total
        self.prices_known: list[Bound] = [
            (LinearExpr.of(group.holds), [(1, 1)])
            for group in self.army_model.model.groups
            if group.code == PRICE_UNKNOWN and group.slot.node is None
        ]
        self.number = LinearExpr.total(slot.count for slot in self.slots)
        self.number_in_new_commands = LinearExpr.total(
            slot.count for slot in self.slots[in_old_commands:]
        )
        self.size = LinearExpr.total(_size_if_present(slot) for slot in self.slots)
        self.solver = Solver(self.army_model.model, hard=lambda group: _is_hard(group, known, army))

    def _add_slots(self, branch: Slot) -> None:
        composition = self.army_model.composition
        for level in composition.levels_below[branch.level]:
            if level.id not in composition.bottom_levels:
                continue
            for unit_type in available_units(composition, branch.kind.book, level.id):
                if unit_type.id != self.unit_type_id:
                    continue
                domain = full_domain(
                    composition,
                    self.army_model.names,
                    unit_type,
                    most=ANY_NUMBER,
                    largest=ANY_SIZE,
                )
                amounts = {
                    name: bounds
                    for name, bounds in domain.amounts.items()
                    if _needs_value(unit_type, name)
                }
                choices = {
                    name: values
                    for name, values in domain.choices.items()
                    if _needs_value(unit_type, name)
                }
                plain = NodeDomain(0, ANY_NUMBER, amounts, choices)
                self.slots.append(self.army_model.add_unit(branch, level.id, unit_type, plain))

    def _add_command(self, level: str) -> None:
        """Let one more command, with its leaders, stand under the army."""
        branch = self.army_model.add_command(self.army_model.root, level)
        for key in self.army_model.composition.levels[level].leaders:
            self.army_model.add_open_leader(branch, key)
        self._add_slots(branch)

    def find_fit(self, unit_type: UnitType) -> UnitFit | None:
        """Return how many more fit under the present commands or, if none do, in a new one."""
        in_present: list[Bound] = [(self.number_in_new_commands, [(0, 0)])]
        return self._find_fit(unit_type, in_present, needs_new_command=False) or self._find_fit(
            unit_type, [], needs_new_command=True
        )

    def _find_fit(
        self, unit_type: UnitType, bounds: Sequence[Bound], *, needs_new_command: bool
    ) -> UnitFit | None:
        one: list[Bound] = [*bounds, (self.number, [(1, 1)])]
        small = self.solver.solve(minimise=self.size, subject_to=one)
        if small is None:
            return None
        large = self.solver.solve(maximise=self.size, subject_to=one)
        smallest, largest = (
            int(solution.value_of(self.size)) for solution in (small, large or small)
        )
        count_smallest, count_largest = (
            self._count_of_size(bounds, size) for size in (smallest, largest)
        )
        return UnitFit(
            unit_type,
            smallest,
            count_smallest,
            largest,
            count_largest,
            needs_new_command,
            self._points_of_size(one, smallest),
            self._points_of_size(one, largest),
        )

    def _points_of_size(self, one: Sequence[Bound], size: int) -> Decimal | None:
        """Return what the cheapest unit of a size adds to the points; None if part is unknown."""
        if self.points is None or self.points_before is None:
            return None
        sized: list[Bound] = [*one, (self.size, [(size, size)]), *self.prices_known]
        solution = self.solver.solve(minimise=self.points, subject_to=sized)
        if solution is None:
            return None
        return as_decimal(solution.value_of(self.points)) - self.points_before

    def _count_of_size(self, bounds: Sequence[Bound], size: int) -> int:
        """Return how many units of one size fit."""
        sized: list[Bound] = list(bounds)
        for slot in self.slots:
            entry = slot.kind.entry
            if entry is not None and entry.size is not None and entry.size in slot.amounts:
                # Slots that stay empty are bounded too, which makes no difference.
                sized.append((slot.amounts[entry.size], [(size, size)]))
        solution = self.solver.solve(maximise=self.number, subject_to=sized)
        return int(solution.value_of(self.number)) if solution is not None else 0


def _size_if_present(slot: Slot) -> LinearExpr:
    """Return the size of one unit of a slot; 0 if there is none, or if its type has no size."""
    size = slot.size
    return LinearExpr() if size is None else slot.model.if_true(size, slot.present)


def _needs_value(unit_type: UnitType, name: str) -> bool:
    """Return whether a unit needs a value for a field: its size, or one that nothing states."""
    entry, profile = entry_of(unit_type), profile_of(unit_type)
    if name == entry.size:
        return True
    spec = entry.fields.get(name)
    has_default = spec is not None and spec.default is not None
    return not has_default and (profile is None or name not in profile.fields)


# Options


def _find_option_fits(army: Army, known: KnownWarnings) -> Iterator[OptionFit]:
    """Yield each option that can be bought, for as many units of the list as possible."""
    options = army.composition.options
    if not options:
        return
    army_model = ArmyModel.of_army(army, tuple(options), legal=True)
    units = [
        slot
        for slot in army_model.slots
        if slot.node is not None and slot.options and slot.level != LEADER
    ]
    parts = {
        slot: _split_entry(army_model, slot) for slot in units if slot.node and slot.node.count > 1
    }
    points = army_model.encode(army.limit).points or LinearExpr()
    total_before = price(army).total
    before = total_before or Decimal(0)
    available = {
        name: [
            (slot, literal)
            for slot in (parts.get(unit, unit) for unit in units)
            for option, literal in slot.options
            if option.id == name and slot.node and option not in slot.node.kind.options
            if _price_applies(option, slot)
        ]
        for name in options
    }
    numbers = {
        name: LinearExpr.total(
            army_model.model.if_true(slot.count, literal) for slot, literal in taken
        )
        for name, taken in available.items()
    }
    listed = list(_listed_values(army_model, {*parts, *parts.values()}))
    solver = Solver(army_model.model, hard=lambda group: _is_hard(group, known, army))
    for name, option in options.items():
        if not available[name]:
            continue
        literals = {literal for _, literal in available[name]}
        unchanged: list[Bound] = [
            (total, [(value, value)])
            for total, value in listed
            if not any(_is_literal(total, literal) for literal in literals)
        ]
        solution = solver.solve(maximise=numbers[name], subject_to=unchanged)
        # An option that makes the army cheaper is not bought.
        if solution is not None and solution.value_of(points) >= before:
            labels = tuple(_labels(available[name], solution))
            added = as_decimal(solution.value_of(points)) - before
            if labels:
                number = int(solution.value_of(numbers[name]))
                yield OptionFit(option, labels, None if total_before is None else added, number)


def _split_entry(army_model: ArmyModel, home: Slot) -> Slot:
    """Add a slot for those units of an entry with a count that have an option more."""
    node = home.listed_node
    assert home.above is not None  # noqa: S101 - only the army itself stands under nothing
    options = tuple(army_model.composition.options)
    domain = domain_around(node.kind, army_model.names, node.count, options)
    part = army_model.add_node(home.above, node, domain)
    army_model.model.require(home.count + part.count, [(node.count, node.count)])
    return part


def _listed_values(
    army_model: ArmyModel, split: Collection[Slot]
) -> Iterator[tuple[LinearExpr, int]]:
    """Yield the variables of all that an army has, with their values, but no counts of `split`."""
    for slot in army_model.slots:
        if slot.is_branch:
            yield LinearExpr.of(slot.present), 1
        else:
            count, *others = army_model.listed_values(slot)
            yield from others if slot in split else (count, *others)


def _labels(taken: Iterable[tuple[Slot, LiteralLike]], solution: Solution) -> Iterator[str]:
    """Yield the label of each entry of which units take an option, and how many if not all do."""
    for slot, literal in taken:
        number, node = int(solution.value_of(slot.count)), slot.node
        if number and node is not None and solution.is_true(literal):
            some = "" if number == node.count else f" ({number} of {node.count})"
            yield f"{slot.label}{some}"


def _price_applies(option: Option, slot: Slot) -> bool:
    """Return whether an option has no price, or a term of its price applies to the unit."""
    entry = slot.kind.entry
    fields = entry.fields if entry is not None else {}
    return not option.price or any(not term.times or term.times in fields for term in option.price)


def _is_literal(total: LinearExpr, literal: LiteralLike) -> bool:
    """Return whether a sum consists of a literal's variable alone."""
    return isinstance(literal, Literal) and total.terms.keys() == {literal.variable}
