"""Owns what a change of an army is worth: units touched, figures changed and added, points lost.

Does not choose a change; `repair` does, with these as its goals, one after the other. Each is a sum
that is right where it is as small as can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

from generator.armies.army import Path
from generator.armies.demands import Demands
from generator.armies.fields import as_number, as_text
from generator.armies.pricing import tag
from generator.armies.slots import Slot
from generator.armies.solving import Linear, Lit, Model, negated
from generator.solving.skeleton import Skeleton


@dataclass(slots=True)
class Moved:
    """Where a unit of the list may stand: at home, or somewhere else."""

    home: Slot
    elsewhere: list[Slot] = field(default_factory=list)

    @property
    def places(self) -> list[Slot]:
        """Give all of them, home first."""
        return [self.home, *self.elsewhere]


@dataclass(slots=True)
class Stakes:
    """What a change is worth, in the order in which it counts."""

    touched: Linear = field(default_factory=Linear)
    figures: Linear = field(default_factory=Linear)
    added: Linear = field(default_factory=Linear)
    lost: Linear = field(default_factory=Linear)
    warned: Linear = field(default_factory=Linear)
    edits: Linear = field(default_factory=Linear)
    gained: Linear = field(default_factory=Linear)

    def goals(self) -> Sequence[Linear]:
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


def stakes_of(
    skeleton: Skeleton, demands: Demands, units: Iterable[Moved], new: Iterable[Slot]
) -> Stakes:
    """Weigh all changes that a skeleton of an army allows.

    Args:
        skeleton: Of the army as it is.
        demands: What is asked of it.
        units: Its units and leaders, and where they may stand.
        new: What it has not, and may get.
    """
    found = Stakes()
    for unit in units:
        _weigh(demands, unit, found)
    model = skeleton.model
    for slot in new:
        number = slot.count if not slot.branch else Linear.of(slot.there)
        found.touched.add(number)
        found.added.add(number)
        found.figures.add(_size(slot) if not slot.branch else Linear())
        found.edits.add(Linear.of(slot.there), _LIGHT)
        found.edits.add(_order(slot))
    for slot in skeleton.slots:
        if slot.branch and slot.node is not None and slot.node.path:
            gone = Linear.of(negated(slot.there))
            found.edits.add(gone, _LIGHT)
            if not slot.node.children:
                found.touched.add(gone)
    for group in model.groups:
        if not group.stated:
            found.warned.add(Linear.of(~group.kept))
    if demands.points is not None:
        found.gained.add(demands.points)
    return found


def _weigh(demands: Demands, unit: Moved, into: Stakes) -> None:
    home, node = unit.home, unit.home.node
    assert node is not None  # noqa: S101 - a home is a node of the list
    model = home.model
    number = node.count
    differs = list(_differing(home))
    changed = model.any_of(lit for lit, _ in differs)
    into.touched.add(Linear(number) - home.count)
    into.touched.add(model.gated(home.count, changed))
    for lit, weight in (*differs, (negated(model.holds(home.count, [(number, number)])), _LIGHT)):
        into.edits.add(Linear.of(lit), weight)
    into.edits.add(_order(home))
    before = _before(unit)
    size = Linear.total(_size(slot) if before else slot.count for slot in unit.places)
    before = before or number
    into.figures.add(over_nothing(model, size - before))
    into.figures.add(over_nothing(model, Linear(before) - size))
    into.added.add(over_nothing(model, size - before))
    for slot in unit.places:
        for option, lit in slot.options:
            if option not in node.sort.options:
                into.added.add(Linear.of(model.all_of([slot.there, lit])))
    if demands.points is not None:
        priced = tag(node.sort)
        worth = Fraction(priced.known if priced is not None else 0) * number
        now = Linear.total(model.times(demands.cost(slot), slot.count) for slot in unit.places)
        into.lost.add(over_nothing(model, Linear(worth) - now))


_LIGHT, _USUAL, _GRAVE = 100, 200, 300


def _differing(home: Slot) -> Iterator[tuple[Lit, int]]:
    """Go through the keys that may be other than in the list, each with how much that weighs.

    What was rolled, or need not be said, changes more lightly than what every unit must say.
    """
    node, model = home.node, home.model
    assert node is not None  # noqa: S101 - as above
    for name, amount in home.amounts.items():
        was = int(as_number(node.sort.value(name)))
        yield negated(model.holds(amount, [(was, was)])), _USUAL
    for name, values in home.choices.items():
        spec = node.sort.spec(name)
        weight = _USUAL
        if spec is not None and (spec.roll is not None or None in values):
            weight = _LIGHT
        elif spec is not None and spec.required:
            weight = _GRAVE
        yield negated(values[node.sort.fields.get(name)]), weight
    for option, lit in home.options:
        yield (negated(lit) if option in node.sort.options else lit), _LIGHT


def _order(slot: Slot) -> Linear:
    """Prefer, of values that do as well, the usual one, then those near what the list says."""
    total = Linear()
    for name, values in slot.choices.items():
        spec = slot.sort.spec(name)
        said = slot.node.sort.fields.get(name) if slot.node is not None else None
        listed = list(values)
        now = listed.index(said) if said in values else 0
        for place, (value, lit) in enumerate(values.items()):
            if value not in (None, said) and (spec is None or as_text(value) != spec.default):
                total.add(Linear.of(lit), 1 + abs(place - now))
    return total


def _before(unit: Moved) -> int:
    """Give the figures of a unit in the list; 0 if it has no size, or is of none."""
    node = unit.home.node
    assert node is not None  # noqa: S101 - as above
    return node.size * node.count


def _size(slot: Slot) -> Linear:
    """Give the figures of a slot, or how many stand there if its sort has no size."""
    entry = slot.sort.entry
    if entry is None or entry.size is None:
        return slot.count
    return slot.model.times(slot.number(entry.size), slot.count)


def over_nothing(model: Model, total: Linear) -> Linear:
    """Give at least how far a sum is over 0, and at least 0."""
    low, high = model.bounds(total)
    if high <= 0:
        return Linear()
    if low >= 0:
        return total
    scale = total.scale
    made = model.whole("over", 0, ceil(high * scale))
    model.require(made - total * scale, [(0, None)])
    return made * Fraction(1, scale)


def at_one_place(model: Model, unit: Moved) -> None:
    """See to it that a unit does not stand at two places."""
    there: list[Lit] = [slot.there for slot in unit.places]
    if len(there) > 1:
        model.require(Linear.total(map(Linear.of, there)), [(0, 1)])


def by_path(skeleton: Skeleton) -> dict[Path, Moved]:
    """Give the units and leaders of an army's skeleton by their places in the file."""
    return {
        slot.node.path: Moved(slot)
        for slot in skeleton.slots
        if slot.node is not None and not slot.branch
    }
