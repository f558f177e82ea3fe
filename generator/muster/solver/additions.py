"""Find what can still be added to a legal army within its limit and the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from muster.armies import Army, check, price
from muster.armies.books import Profile
from muster.armies.composition import LEADER
from muster.armies.verdict import PRICE_UNKNOWN
from muster.armies.vocabulary import Entry, Option
from muster.solver.army_model import ArmyModel
from muster.solver.cpsat import Bound, Solver
from muster.solver.domains import NodeDomain, available_units, full_domain
from muster.solver.linear_model import ConstraintGroup, LinearExpr, Literal, LiteralLike
from muster.solver.variables import Slot
from muster.yamlfile import KeyPath

ANY_NUMBER = 99
"""As many of one sort are thought of; so many stand for any number."""


ANY_SIZE = 600
"""As far as sizes go; this one stands for any size."""

KnownWarnings = frozenset[tuple[str, KeyPath]]
"""Warnings that an army has already: their codes and places."""


@dataclass(frozen=True, slots=True)
class UnitFit:
    """How many more of one sort fit: of the smallest size, and of the largest.

    A sort without a size has `smallest` and `largest` 0. `newly` tells whether they need a new
    command to stand under.
    """

    what: Profile | Entry
    smallest: int
    most_smallest: int
    largest: int
    most_largest: int
    newly: bool


@dataclass(frozen=True, slots=True)
class OptionFit:
    """An option that could be bought, and for which units of the list, all at once."""

    option: Option
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Additions:
    """What fits. `left` are the points up to the limit; None without a limit or without points."""

    left: Decimal | None
    fits: tuple[UnitFit, ...]
    buys: tuple[OptionFit, ...]


def find_additions(army: Army) -> Additions | None:
    """Find what could still be added without a new finding; None to an army that is not legal.

    Raises:
        TooHardError: If the solver gave up.
    """
    verdict = check(army)
    if not verdict.legal:
        return None
    left = None
    if army.limit is not None and verdict.points is not None:
        left = army.limit - verdict.points
    warned = frozenset((found.code, found.node.path) for found in verdict.findings)
    return Additions(
        left, tuple(_find_unit_fits(army, warned)), tuple(_find_option_fits(army, warned))
    )


class _GrowthModel:
    """The army as it is, with a slot for more of one sort of unit at each place."""

    def __init__(self, army: Army, warned: KnownWarnings, name: str) -> None:
        self.name = name
        self.skeleton = ArmyModel.of_army(army, closed=True)
        self.slots: list[Slot] = []
        composition = army.composition
        for slot in [slot for slot in self.skeleton.slots if slot.branch]:
            self._grow(slot)
        known = len(self.slots)
        for level in composition.levels_below[composition.top.id]:
            if level.id not in composition.bottom_levels:
                self._new_command(level.id)
        self.skeleton.encode(army.limit)
        self.number = LinearExpr.total(slot.count for slot in self.slots)
        self.newly = LinearExpr.total(slot.count for slot in self.slots[known:])
        self.size = LinearExpr.total(_slot_size(slot) for slot in self.slots)
        self.solver = Solver(self.skeleton.model, hard=lambda group: _is_hard(group, warned, army))

    def _grow(self, branch: Slot) -> None:
        composition = self.skeleton.composition
        for level in composition.levels_below[branch.level]:
            if level.id not in composition.bottom_levels:
                continue
            for what in available_units(composition, branch, level.id):
                if what.id != self.name:
                    continue
                freedom = full_domain(
                    composition, self.skeleton.names, what, most=ANY_NUMBER, far=ANY_SIZE
                )
                amounts = {
                    name: bounds
                    for name, bounds in freedom.amounts.items()
                    if _needs_value(what, name)
                }
                plain = NodeDomain(0, ANY_NUMBER, amounts, freedom.choices)
                self.slots.append(self.skeleton.add_unit(branch, level.id, what, plain))

    def _new_command(self, level: str) -> None:
        """Let one more command stand under the army, with its leaders."""
        branch = self.skeleton.add_command(self.skeleton.root, level)
        composition = self.skeleton.composition
        for key, leader in composition.levels[level].leaders.items():
            entry = composition.entries[leader.entry]
            freedom = full_domain(composition, self.skeleton.names, entry)
            bare = NodeDomain(0, 1, freedom.amounts, freedom.choices)
            self.skeleton.add_leader(branch, key, bare)
        self._grow(branch)

    # Questions

    def fit(self, what: Profile | Entry) -> UnitFit | None:
        """Tell how many more fit: under the commands there are or, if none do, in a new one."""
        old = self._fit(what, [(self.newly, [(0, 0)])], newly=False)
        return old or self._fit(what, [], newly=True)

    def _fit(self, what: Profile | Entry, where: Sequence[Bound], *, newly: bool) -> UnitFit | None:
        one: list[Bound] = [*where, (self.number, [(1, 1)])]
        small = self.solver.solve(least=self.size, where=one)
        if small is None:
            return None
        large = self.solver.solve(most=self.size, where=one)
        ends = [int(answer.value_of(self.size)) for answer in (small, large or small)]
        most = [self._most(where, end) for end in ends]
        return UnitFit(what, ends[0], most[0], ends[1], most[1], newly)

    def _most(self, where: Sequence[Bound], size: int) -> int:
        """Give how many of one size fit."""
        sized: list[Bound] = list(where)
        for slot in self.slots:
            entry = slot.kind.entry
            if entry is not None and entry.size is not None and entry.size in slot.amounts:
                # A slot that does not stand may as well have the size that is asked for.
                sized.append((slot.amounts[entry.size], [(size, size)]))
        answer = self.solver.solve(most=self.number, where=sized)
        return int(answer.value_of(self.number)) if answer is not None else 0


def _find_unit_fits(army: Army, warned: KnownWarnings) -> Iterator[UnitFit]:
    """Ask of each sort of unit that may come to any command of the army."""
    skeleton = ArmyModel.of_army(army, closed=True)
    sorts: dict[str, Profile | Entry] = {}
    for branch in skeleton.slots:
        if branch.branch:
            for level in army.composition.written.levels:
                if level.id in army.composition.bottom_levels:
                    found = available_units(army.composition, branch, level.id)
                    sorts |= {what.id: what for what in found}
    for name, what in sorts.items():
        fit = _GrowthModel(army, warned, name).fit(what)
        if fit is not None:
            yield fit


def _slot_size(slot: Slot) -> LinearExpr:
    """Give the main number of a slot that stands, once; 0 if its sort has none."""
    entry = slot.kind.entry
    if entry is None or entry.size is None:
        return LinearExpr()
    return slot.model.if_true(slot.number(entry.size), slot.present)


def _needs_value(what: Profile | Entry, name: str) -> bool:
    """Tell whether a list must say a number, or may well: the main one, and what has no default."""
    entry = what.entry if isinstance(what, Profile) else what
    if name == entry.size:
        return True
    spec = entry.fields.get(name)
    return (spec is None or spec.default is None) and not (
        isinstance(what, Profile) and name in what.fields
    )


def _is_hard(group: ConstraintGroup, warned: KnownWarnings, army: Army) -> bool:
    """Tell whether a rule must be kept: all that are, though they only warn, and all prices."""
    slot: Slot | None = group.slot
    if slot is None or slot.node is None:
        return group.code != PRICE_UNKNOWN or army.limit is not None
    return group.stated or (group.code, slot.node.path) not in warned


# Options


def _find_option_fits(army: Army, warned: KnownWarnings) -> Iterator[OptionFit]:
    """Ask of each option for how many units of the list it could be bought."""
    options = army.composition.options
    if not options:
        return
    skeleton = ArmyModel.of_army(army, tuple(options))
    points = skeleton.encode(army.limit).points or LinearExpr()
    before = price(army).total or Decimal(0)
    units = [
        slot
        for slot in skeleton.slots
        if slot.node is not None and slot.options and slot.level != LEADER
    ]
    free = {
        name: [
            (slot, lit)
            for slot in units
            for option, lit in slot.options
            if option.id == name and slot.node and option not in slot.node.kind.options
            if _affects_price(option, slot)
        ]
        for name in options
    }
    solver = Solver(skeleton.model, hard=lambda group: _is_hard(group, warned, army))
    for name, option in options.items():
        open_lits = {lit for _, lit in free[name]}
        where: list[Bound] = [
            (total, [(value, value)])
            for total, value in skeleton.start
            if not any(_is_literal(total, lit) for lit in open_lits)
        ]
        bought = LinearExpr.total(LinearExpr.of(lit) for _, lit in free[name])
        answer = solver.solve(most=bought, where=where)
        # What makes an army cheaper is nothing to buy.
        if answer is not None and answer.value_of(points) >= before:
            units_of = tuple(slot.label for slot, lit in free[name] if answer.is_true(lit))
            if units_of:
                yield OptionFit(option, units_of)


def _affects_price(option: Option, slot: Slot) -> bool:
    """Tell whether an option's price, if it has one, counts anything that the unit has."""
    entry = slot.kind.entry
    fields = entry.fields if entry is not None else {}
    return not option.price or any(not term.times or term.times in fields for term in option.price)


def _is_literal(total: LinearExpr, literal: LiteralLike) -> bool:
    """Return whether a sum is nothing but a literal."""
    return isinstance(literal, Literal) and total.terms.keys() == {literal.variable}
