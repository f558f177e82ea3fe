"""The objectives of a repair, in order of importance, as linear sums to minimise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

from muster.armies.fields import as_number, as_text
from muster.armies.pricing import price_of_kind
from muster.solver.army_model import ArmyModel
from muster.solver.encoding import Encoding
from muster.solver.linear_model import LinearExpr, LinearModel, LiteralLike, negated
from muster.solver.variables import Slot
from muster.yamlfile import KeyPath


@dataclass(slots=True)
class UnitPlaces:
    """Where a unit of the list may stand: at home, or somewhere else."""

    home: Slot
    elsewhere: list[Slot] = field(default_factory=list)

    @property
    def places(self) -> list[Slot]:
        """Give all of them, home first."""
        return [self.home, *self.elsewhere]


@dataclass(slots=True)
class Objectives:
    """What a change is worth, in the order in which it counts."""

    touched: LinearExpr = field(default_factory=LinearExpr)
    figures: LinearExpr = field(default_factory=LinearExpr)
    added: LinearExpr = field(default_factory=LinearExpr)
    lost: LinearExpr = field(default_factory=LinearExpr)
    warned: LinearExpr = field(default_factory=LinearExpr)
    edits: LinearExpr = field(default_factory=LinearExpr)
    gained: LinearExpr = field(default_factory=LinearExpr)

    def goals(self) -> Sequence[LinearExpr]:
        """Give the goals: each counts only among what is best by those before it."""
        return (
            self.touched,
            self.figures,
            self.added,
            self.lost,
            self.warned,
            self.edits,
            self.gained,
        )


def build_objectives(
    skeleton: ArmyModel, demands: Encoding, units: Iterable[UnitPlaces], new: Iterable[Slot]
) -> Objectives:
    """Weigh all changes that a skeleton of an army allows.

    Args:
        skeleton: Of the army as it is.
        demands: What is asked of it.
        units: Its units and leaders, and where they may stand.
        new: What it has not, and may get.
    """
    found = Objectives()
    for unit in units:
        _add_unit_terms(demands, unit, found)
    model = skeleton.model
    for slot in new:
        number = slot.count if not slot.branch else LinearExpr.of(slot.present)
        found.touched.add(number)
        found.added.add(number)
        found.figures.add(_slot_size(slot) if not slot.branch else LinearExpr())
        found.edits.add(LinearExpr.of(slot.present), _LIGHT)
        found.edits.add(_preference(slot))
    for slot in skeleton.slots:
        if slot.branch and slot.node is not None and slot.node.path:
            gone = LinearExpr.of(negated(slot.present))
            found.edits.add(gone, _LIGHT)
            if not slot.node.children:
                found.touched.add(gone)
    for group in model.groups:
        if not group.stated:
            found.warned.add(LinearExpr.of(~group.holds))
    if demands.points is not None:
        found.gained.add(demands.points)
    return found


def _add_unit_terms(demands: Encoding, unit: UnitPlaces, into: Objectives) -> None:
    home, node = unit.home, unit.home.node
    assert node is not None  # noqa: S101 - a home is a node of the list
    model = home.model
    number = node.count
    differs = list(_changed_literals(home))
    changed = model.any_of(lit for lit, _ in differs)
    into.touched.add(LinearExpr(number) - home.count)
    into.touched.add(model.if_true(home.count, changed))
    for lit, weight in (
        *differs,
        (negated(model.indicator(home.count, [(number, number)])), _LIGHT),
    ):
        into.edits.add(LinearExpr.of(lit), weight)
    into.edits.add(_preference(home))
    before = _listed_size(unit)
    size = LinearExpr.total(_slot_size(slot) if before else slot.count for slot in unit.places)
    before = before or number
    into.figures.add(relaxed_excess(model, size - before))
    into.figures.add(relaxed_excess(model, LinearExpr(before) - size))
    into.added.add(relaxed_excess(model, size - before))
    for slot in unit.places:
        for option, lit in slot.options:
            if option not in node.kind.options:
                into.added.add(LinearExpr.of(model.all_of([slot.present, lit])))
    if demands.points is not None:
        priced = price_of_kind(node.kind)
        worth = Fraction(priced.known if priced is not None else 0) * number
        now = LinearExpr.total(
            model.product(demands.price_of(slot), slot.count) for slot in unit.places
        )
        into.lost.add(relaxed_excess(model, LinearExpr(worth) - now))


_LIGHT, _USUAL, _GRAVE = 100, 200, 300


def _changed_literals(home: Slot) -> Iterator[tuple[LiteralLike, int]]:
    """Go through the keys that may be other than in the list, each with how much that weighs.

    What was rolled, or need not be said, changes more lightly than what every unit must say.
    """
    node, model = home.node, home.model
    assert node is not None  # noqa: S101 - as above
    for name, amount in home.amounts.items():
        was = int(as_number(node.kind.value(name)))
        yield negated(model.indicator(amount, [(was, was)])), _USUAL
    for name, values in home.choices.items():
        spec = node.kind.field_spec(name)
        weight = _USUAL
        if spec is not None and (spec.roll is not None or None in values):
            weight = _LIGHT
        elif spec is not None and spec.required:
            weight = _GRAVE
        yield negated(values[node.kind.fields.get(name)]), weight
    for option, lit in home.options:
        yield (negated(lit) if option in node.kind.options else lit), _LIGHT


def _preference(slot: Slot) -> LinearExpr:
    """Prefer, of values that do as well, the usual one, then those near what the list says."""
    total = LinearExpr()
    for name, values in slot.choices.items():
        spec = slot.kind.field_spec(name)
        said = slot.node.kind.fields.get(name) if slot.node is not None else None
        listed = list(values)
        now = listed.index(said) if said in values else 0
        for place, (value, lit) in enumerate(values.items()):
            if value not in (None, said) and (spec is None or as_text(value) != spec.default):
                total.add(LinearExpr.of(lit), 1 + abs(place - now))
    return total


def _listed_size(unit: UnitPlaces) -> int:
    """Give the figures of a unit in the list; 0 if it has no size, or is of none."""
    node = unit.home.node
    assert node is not None  # noqa: S101 - as above
    return node.size * node.count


def _slot_size(slot: Slot) -> LinearExpr:
    """Give the figures of a slot, or how many stand there if its sort has no size."""
    entry = slot.kind.entry
    if entry is None or entry.size is None:
        return slot.count
    return slot.model.product(slot.number(entry.size), slot.count)


def relaxed_excess(model: LinearModel, total: LinearExpr) -> LinearExpr:
    """Give at least how far a sum is over 0, and at least 0."""
    low, high = model.bounds(total)
    if high <= 0:
        return LinearExpr()
    if low >= 0:
        return total
    scale = total.scale
    made = model.new_int("over", 0, ceil(high * scale))
    model.require(made - total * scale, [(0, None)])
    return made * Fraction(1, scale)


def require_one_place(model: LinearModel, unit: UnitPlaces) -> None:
    """See to it that a unit does not stand at two places."""
    there: list[LiteralLike] = [slot.present for slot in unit.places]
    if len(there) > 1:
        model.require(LinearExpr.total(map(LinearExpr.of, there)), [(0, 1)])


def units_by_path(skeleton: ArmyModel) -> dict[KeyPath, UnitPlaces]:
    """Give the units and leaders of an army's skeleton by their places in the file."""
    return {
        slot.node.path: UnitPlaces(slot)
        for slot in skeleton.slots
        if slot.node is not None and not slot.branch
    }
