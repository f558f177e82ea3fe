"""The objectives of a repair, in order of importance, as linear sums to minimise."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from muster.armies.composition import LEADER
from muster.armies.fields import as_number, as_text
from muster.armies.pricing import known_price
from muster.solver.army_model import ArmyModel
from muster.solver.encoding import Encoding
from muster.solver.linear_model import LinearExpr, LinearModel, LiteralLike, negated
from muster.solver.variables import Slot
from muster.yamlfile import KeyPath


@dataclass(slots=True)
class UnitPlaces:
    """The slots of a unit of the list: where it stands now, and where it may move."""

    home: Slot
    elsewhere: list[Slot] = field(default_factory=list)

    @property
    def places(self) -> list[Slot]:
        """All slots of the unit, home first."""
        return [self.home, *self.elsewhere]


@dataclass(slots=True)
class Objectives:
    """How large a change is, by each measure.

    `units_touched`: units that are changed or new; a unit that becomes something else counts as
    much as two and a leader as three, a unit or a command that is taken out as four, a leader as
    six. `edit_weight`: a weight of all edits. `new_warnings`: rules that are not stated, and are
    broken only after the change. `points_changed`: points by which units become cheaper or dearer.
    `figures_changed`: figures by which units grow or shrink. `amount_added`: figures and options
    that were not there. `warnings`: all rules that are not stated and are broken.
    `numbers_changed`: by how much all other numbers change. `distance`: how far from what the list
    states the new values and the new places are, and the commands that are taken out.
    `points_total`: the points of the army.
    """

    units_touched: LinearExpr = field(default_factory=LinearExpr)
    edit_weight: LinearExpr = field(default_factory=LinearExpr)
    new_warnings: LinearExpr = field(default_factory=LinearExpr)
    points_changed: LinearExpr = field(default_factory=LinearExpr)
    figures_changed: LinearExpr = field(default_factory=LinearExpr)
    amount_added: LinearExpr = field(default_factory=LinearExpr)
    numbers_changed: LinearExpr = field(default_factory=LinearExpr)
    warnings: LinearExpr = field(default_factory=LinearExpr)
    distance: LinearExpr = field(default_factory=LinearExpr)
    points_total: LinearExpr = field(default_factory=LinearExpr)

    def in_order(self) -> Sequence[LinearExpr]:
        """Return the sums in the order in which they are minimised.

        Each decides only between solutions that are equally good by all those before it.
        """
        return (
            self.units_touched,
            self.edit_weight,
            self.new_warnings,
            self.points_changed,
            self.figures_changed,
            self.amount_added,
            self.numbers_changed,
            self.warnings,
            self.distance,
            self.points_total,
        )


def build_objectives(
    army_model: ArmyModel,
    encoding: Encoding,
    units: Iterable[UnitPlaces],
    new: Iterable[Slot],
    known: Collection[tuple[str, KeyPath]] = (),
) -> Objectives:
    """Return the objectives of all changes that a model of an army allows.

    Args:
        army_model: The model of the army as it is.
        encoding: The constraints on it.
        units: Its units and leaders, and where they may stand.
        new: The slots of what may be added.
        known: The codes and paths of the warnings that the army has already.
    """
    objectives = Objectives()
    for unit in units:
        _add_unit_terms(encoding, unit, objectives)
    for slot in new:
        number = slot.count if not slot.is_branch else LinearExpr.of(slot.present)
        objectives.units_touched.add(number)
        objectives.amount_added.add(number)
        objectives.figures_changed.add(_total_size(slot) if not slot.is_branch else LinearExpr())
        objectives.edit_weight.add(LinearExpr.of(slot.present), _LIGHT)
        objectives.distance.add(_preference(slot))
    for slot in army_model.slots:
        if slot.is_branch and slot.node is not None and slot.node.path:
            _add_command_terms(slot, objectives)
    for group in army_model.model.groups:
        if not group.stated:
            broken = LinearExpr.of(~group.holds)
            objectives.warnings.add(broken)
            node = group.slot.node if group.slot is not None else None
            if node is None or (group.code, node.path) not in known:
                objectives.new_warnings.add(broken)
    if encoding.points is not None:
        objectives.points_total.add(encoding.points)
    return objectives


def _add_command_terms(slot: Slot, objectives: Objectives) -> None:
    node, model = slot.node, slot.model
    assert node is not None  # noqa: S101 - it is a command of the list
    removed = LinearExpr.of(negated(slot.present))
    objectives.distance.add(removed)
    if not node.children:
        objectives.units_touched.add(removed)
    elif any(not child.is_branch for child in node.children):
        # What all units leave is taken out too, if the army is legal without it.
        inside = (below.present for below in slot.walk() if not below.is_branch)
        emptied = negated(model.any_of(inside))
        objectives.units_touched.add(LinearExpr.of(emptied), _UNIT)


def _add_unit_terms(encoding: Encoding, unit: UnitPlaces, objectives: Objectives) -> None:
    home, node = unit.home, unit.home.node
    assert node is not None  # noqa: S101 - a home is a node of the list
    model = home.model
    number = node.count
    changes = list(_changed_literals(home))
    changed = model.any_of(literal for literal, _ in changes)
    is_other = model.any_of(literal for literal, weight in changes if weight == _HEAVY)
    other_weight = (_OTHER_LEADER if home.level == LEADER else _OTHER_UNIT) - 1
    objectives.units_touched.add(model.if_true(home.count, is_other), other_weight)
    objectives.units_touched.add(LinearExpr(number) - home.count)
    removed = LinearExpr(number) - LinearExpr.total(slot.count for slot in unit.places)
    objectives.units_touched.add(removed, (_LEADER if home.level == LEADER else _UNIT) - 1)
    objectives.units_touched.add(model.if_true(home.count, changed))
    count_changed = negated(model.indicator(home.count, [(number, number)]))
    for literal, weight in (*changes, (count_changed, _LIGHT)):
        objectives.edit_weight.add(LinearExpr.of(literal), weight)
    objectives.distance.add(_preference(home))
    for slot in unit.elsewhere:
        objectives.distance.add(LinearExpr.of(slot.present), _distance_between(home, slot))
    size_field = node.entry.size if node.entry is not None else None
    for name, amount in home.amounts.items():
        if name != size_field:
            listed = int(as_number(node.kind.value(name)))
            largest = max(abs(int(end) - listed) for end in model.bounds(amount))
            objectives.numbers_changed.add(model.relaxed_distance(amount, listed, largest))
    # A unit without a size counts by its number.
    before = node.size * node.count
    size = LinearExpr.total(_total_size(slot) if before else slot.count for slot in unit.places)
    before = before or number
    objectives.figures_changed.add(model.relaxed_excess(size - before))
    objectives.figures_changed.add(model.relaxed_excess(LinearExpr(before) - size))
    objectives.amount_added.add(model.relaxed_excess(size - before))
    for slot in unit.places:
        for option, literal in slot.options:
            if option not in node.kind.options:
                taken = model.all_of([slot.present, literal])
                objectives.amount_added.add(LinearExpr.of(taken))
    if encoding.points is not None:
        points_before = Fraction(known_price(node.kind)) * number
        points = LinearExpr.total(
            model.product(encoding.price_of(slot), slot.count) for slot in unit.places
        )
        objectives.points_changed.add(model.relaxed_excess(LinearExpr(points_before) - points))
        objectives.points_changed.add(model.relaxed_excess(points - points_before))


_UNIT, _LEADER = 4, 6
"""How many units that change are as much as a unit, or a leader, that is taken out."""

_OTHER_UNIT, _OTHER_LEADER = 2, 3
"""How many units that change are as much as a unit, or a leader, that becomes something else."""

_LIGHT, _HEAVY = 1, 3


def _changed_literals(home: Slot) -> Iterator[tuple[LiteralLike, int]]:
    """Yield, for each key of a node that may change, a literal that it does, and its weight.

    A number or an option weighs little, and so does a value that is rolled: what a unit is comes
    after how many it is.
    """
    node, model = home.node, home.model
    assert node is not None  # noqa: S101 - as above
    for name, amount in home.amounts.items():
        listed = int(as_number(node.kind.value(name)))
        yield negated(model.indicator(amount, [(listed, listed)])), _LIGHT
    for name, values in home.choices.items():
        spec = node.kind.field_spec(name)
        weight = _LIGHT if spec is not None and spec.roll is not None else _HEAVY
        yield negated(values[node.kind.fields.get(name)]), weight
    for option, literal in home.options:
        yield (negated(literal) if option in node.kind.options else literal), _LIGHT


def _distance_between(home: Slot, other: Slot) -> int:
    """Return how far off a place is: 0 beside the old one, 1 in the command above, 2 elsewhere."""
    old, new = home.above, other.above
    if old is None or new is None or old.level == new.level:
        return 0
    return 1 if old.above is new else 2


def _preference(slot: Slot) -> LinearExpr:
    """Return a weight that prefers, among equally good values, the default and then the nearest.

    Values are near if they are listed near each other in the composition.
    """
    total = LinearExpr()
    for name, values in slot.choices.items():
        spec = slot.kind.field_spec(name)
        stated = slot.node.kind.fields.get(name) if slot.node is not None else None
        listed = list(values)
        current = listed.index(stated) if stated in values else 0
        for index, (value, literal) in enumerate(values.items()):
            if value not in (None, stated) and (spec is None or as_text(value) != spec.default):
                total.add(LinearExpr.of(literal), 1 + abs(index - current))
    return total


def _total_size(slot: Slot) -> LinearExpr:
    """Return the figures of all units of a slot, or their number if they have no size."""
    size = slot.size
    return slot.count if size is None else slot.model.product(size, slot.count)


def require_one_place(model: LinearModel, unit: UnitPlaces) -> None:
    """Require that a unit does not stand at two places."""
    present: list[LiteralLike] = [slot.present for slot in unit.places]
    if len(present) > 1:
        model.require(LinearExpr.total(map(LinearExpr.of, present)), [(0, 1)])


def units_by_path(army_model: ArmyModel) -> dict[KeyPath, UnitPlaces]:
    """Return the units and leaders of a model of an army, by their paths in the file."""
    return {
        slot.node.path: UnitPlaces(slot)
        for slot in army_model.slots
        if slot.node is not None and not slot.is_branch
    }
