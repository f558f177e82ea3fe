"""The objectives of a repair, in order of importance, as linear sums to minimise."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from muster.armies.army import NodeKind
from muster.armies.fields import FieldValue, as_number, as_text
from muster.armies.pricing import known_price
from muster.armies.vocabulary import LEADER, Option
from muster.problems import MusterError
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

    `units_touched`: a weight of the units and leaders that are changed, moved, taken out or new
    (see `_CHANGED` and those after it). `edit_weight`: a weight of all edits. `new_warnings`: rules
    that are not stated, and are broken only after the change. `points_moved`: points by which
    numbers, options and values make units cheaper or dearer, each by itself, so that one does not
    make up for another; and the points of units that are taken out or new. `figures_changed`:
    figures by which units grow or shrink. `amount_added`: figures and options that were not there.
    `warnings`: all rules that are not stated and are broken. `numbers_changed`: by how much all
    other numbers change. `distance`: how far from what the list states the new values and the new
    places are, and the commands that are taken out. `points_total`: the points of the army.
    `place_in_file`: of units that are alike, a later one is rather changed than an earlier one.
    """

    units_touched: LinearExpr = field(default_factory=LinearExpr)
    edit_weight: LinearExpr = field(default_factory=LinearExpr)
    new_warnings: LinearExpr = field(default_factory=LinearExpr)
    points_moved: LinearExpr = field(default_factory=LinearExpr)
    figures_changed: LinearExpr = field(default_factory=LinearExpr)
    amount_added: LinearExpr = field(default_factory=LinearExpr)
    numbers_changed: LinearExpr = field(default_factory=LinearExpr)
    warnings: LinearExpr = field(default_factory=LinearExpr)
    distance: LinearExpr = field(default_factory=LinearExpr)
    points_total: LinearExpr = field(default_factory=LinearExpr)
    place_in_file: LinearExpr = field(default_factory=LinearExpr)

    def in_order(self) -> Sequence[LinearExpr]:
        """Return the sums in the order in which they are minimised.

        Each decides only between solutions that are equally good by all those before it.
        """
        return (
            self.units_touched,
            self.edit_weight,
            self.new_warnings,
            self.points_moved,
            self.figures_changed,
            self.amount_added,
            self.numbers_changed,
            self.warnings,
            self.distance,
            self.points_total,
            self.place_in_file,
        )


_CHANGED, _MOVED, _NEW_LEADER = 2, 2, 2
"""What it weighs that a unit changes in a number or a rolled value, or moves; or a new leader."""

_MOST_LOST = 5
"""What it weighs besides that a unit loses more than half of its size."""

_OTHER_OPTIONS = 1
"""What it weighs besides that a unit loses or gets options."""

_OTHER_UNIT, _OTHER_LEADER = 8, 10
"""What it weighs besides that a unit, or a leader, becomes something else."""

_NEW_UNIT, _UNIT, _LEADER = 14, 24, 60
"""What a new unit weighs, and a unit, a command or a leader that is taken out.

A size is changed in six units rather than a unit added, in eleven rather than one taken out, and in
twenty-nine rather than a leader.
"""

_LIGHT, _HEAVY = 1, 3
"""What an edit of a number, a roll or an option weighs, and one of another value."""


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
    units = list(units)
    for place, unit in enumerate(units):
        _add_unit_terms(encoding, unit, objectives, len(units) - place)
    for slot in new:
        _add_new_terms(encoding, slot, objectives)
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
    node, model = slot.listed_node, slot.model
    removed = LinearExpr.of(negated(slot.present))
    objectives.distance.add(removed)
    if not node.children:
        objectives.units_touched.add(removed, _CHANGED)
    elif any(not child.is_branch for child in node.children):
        # What all units leave is taken out too, if the army is legal without it.
        inside = (below.present for below in slot.walk() if not below.is_branch)
        emptied = negated(model.any_of(inside))
        objectives.units_touched.add(LinearExpr.of(emptied), _UNIT)


def _add_new_terms(encoding: Encoding, slot: Slot, objectives: Objectives) -> None:
    """Add the terms of a leader, a unit or a command that the army does not have yet."""
    number = LinearExpr.of(slot.present) if slot.is_branch else slot.count
    is_unit = not slot.is_branch and slot.level != LEADER
    objectives.units_touched.add(number, _NEW_UNIT if is_unit else _NEW_LEADER)
    objectives.amount_added.add(number)
    objectives.edit_weight.add(LinearExpr.of(slot.present), _LIGHT)
    objectives.distance.add(_preference(slot))
    for values in slot.choices.values():
        # What the list may leave open is left open.
        if None in values:
            objectives.edit_weight.add(LinearExpr.of(negated(values[None])), _HEAVY)
    if not slot.is_branch:
        objectives.figures_changed.add(_total_size(slot))
        if encoding.points is not None:
            price = slot.model.product(encoding.counts.price_of(slot), slot.count)
            objectives.points_moved.add(slot.model.relaxed_excess(price))


def _add_unit_terms(
    encoding: Encoding, unit: UnitPlaces, objectives: Objectives, to_end: int
) -> None:
    home, node = unit.home, unit.home.listed_node
    model = home.model
    number = node.count
    is_leader = home.level == LEADER
    changes = list(_changes_of(home))
    changed = model.any_of(change.literal for change in changes)
    optional = model.any_of(change.literal for change in changes if change.is_option)
    other = model.any_of(change.literal for change in changes if change.weight == _HEAVY)
    moved = model.any_of(slot.present for slot in unit.elsewhere)
    removed = LinearExpr(number) - LinearExpr.total(slot.count for slot in unit.places)
    touched = objectives.units_touched
    touched.add(LinearExpr.of(changed), _CHANGED)
    touched.add(LinearExpr.of(optional), _OTHER_OPTIONS)
    touched.add(LinearExpr.of(other), _OTHER_LEADER if is_leader else _OTHER_UNIT)
    touched.add(LinearExpr.of(moved), _MOVED)
    touched.add(removed, _LEADER if is_leader else _UNIT)
    count_changed = negated(model.indicator(home.count, [(number, number)]))
    objectives.edit_weight.add(LinearExpr.of(count_changed), _LIGHT)
    objectives.edit_weight.add(LinearExpr.total(slot.count for slot in unit.elsewhere), _LIGHT)
    both = model.all_of([changed, moved])
    objectives.edit_weight.add(LinearExpr.of(both), _LIGHT)
    for change in changes:
        objectives.edit_weight.add(LinearExpr.of(change.literal), change.weight)
    anything = model.any_of([changed, count_changed])
    objectives.place_in_file.add(LinearExpr.of(anything), to_end)
    for slot in unit.elsewhere:
        objectives.distance.add(LinearExpr.of(slot.present), _distance_between(home, slot))
    objectives.distance.add(_preference(home))
    for name, amount in home.amounts.items():
        _add_number_terms(home, name, amount, objectives, has_points=encoding.points is not None)
    # A unit without a size counts by its number.
    before = node.size * node.count
    size = LinearExpr.total(_total_size(slot) if before else slot.count for slot in unit.places)
    if before and not is_leader:
        touched.add(_loses_most(unit, node.size), _MOST_LOST)
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
        objectives.points_moved.add(removed, abs(Fraction(known_price(node.kind))))
        for literal, points in _points_of_changes(home):
            objectives.points_moved.add(LinearExpr.of(literal), points * number)


def _loses_most(unit: UnitPlaces, size: int) -> LinearExpr:
    """Return 1 where a unit stays, but with less than half of its size, and else 0."""
    model = unit.home.model
    return LinearExpr.total(
        LinearExpr.of(
            model.all_of([slot.present, model.indicator(slot.size * 2, [(None, size - 1)])])
        )
        for slot in unit.places
        if slot.size is not None
    )


def _add_number_terms(
    home: Slot, name: str, amount: LinearExpr, objectives: Objectives, *, has_points: bool
) -> None:
    """Add by how much a number of a unit changes, and the points that this moves."""
    node, model = home.listed_node, home.model
    kind = node.kind
    is_size = kind.entry is not None and kind.entry.size == name
    listed = int(as_number(kind.value(name)))
    points = _points_apart(kind, {name: listed + 1}) if has_points else Fraction(0)
    if is_size and not points:
        return
    largest = max(abs(int(end) - listed) for end in model.bounds(amount))
    distance = model.relaxed_distance(amount, listed, largest)
    if not is_size:
        objectives.numbers_changed.add(distance)
    objectives.points_moved.add(distance, points * node.count)


def _points_of_changes(home: Slot) -> Iterator[tuple[LiteralLike, Fraction]]:
    """Yield literals that a unit has another value or option, with the points that it moves."""
    node = home.listed_node
    kind = node.kind
    for name, values in home.choices.items():
        stated = kind.fields.get(name)
        for value, literal in values.items():
            if value != stated and (points := _points_apart(kind, {name: value})):
                yield literal, points
    for option, literal in home.options:
        taken = option in kind.options
        options = tuple(each for each in kind.options if each is not option)
        options = options if taken else (*options, option)
        if not isinstance(literal, bool) and (points := _points_apart(kind, {}, options)):
            yield negated(literal) if taken else literal, points


def _points_apart(
    kind: NodeKind,
    fields: Mapping[str, FieldValue | None],
    options: tuple[Option, ...] | None = None,
) -> Fraction:
    """Return how many points a node of a kind costs more or less with other values or options."""
    stated = {**kind.fields, **fields}
    other = NodeKind(
        kind.composition,
        kind.level,
        kind.entry,
        kind.profile,
        kind.book,
        kind.options if options is None else options,
        {name: value for name, value in stated.items() if value is not None},
        kind.parent,
    )
    try:
        return abs(Fraction(known_price(other)) - Fraction(known_price(kind)))
    except MusterError:
        # Such a value has no price at all, so the solver cannot choose it for its points.
        return Fraction(0)


class _KeyChange(NamedTuple):
    """A literal that a key of a node changes, what that weighs, and whether it is an option."""

    literal: LiteralLike
    weight: int
    is_option: bool = False


def _changes_of(home: Slot) -> Iterator[_KeyChange]:
    """Yield, for each key of a node that may change, that it does.

    A number or an option weighs little, and so does a value that is rolled: what a unit is comes
    after how many it is.
    """
    node, model = home.listed_node, home.model
    for name, amount in home.amounts.items():
        listed = int(as_number(node.kind.value(name)))
        yield _KeyChange(negated(model.indicator(amount, [(listed, listed)])), _LIGHT)
    for name, values in home.choices.items():
        spec = node.kind.field_spec(name)
        weight = _LIGHT if spec is not None and spec.roll is not None else _HEAVY
        yield _KeyChange(negated(values[node.kind.fields.get(name)]), weight)
    for option, literal in home.options:
        changed = negated(literal) if option in node.kind.options else literal
        yield _KeyChange(changed, _LIGHT, is_option=True)


def _distance_between(home: Slot, other: Slot) -> int:
    """Return how far off a place is: 0 in a command beside the old one, 1 in the one above it.

    2 in one of the same level under another command, 3 elsewhere.
    """
    old, new = home.above, other.above
    if old is None or new is None:
        return 0
    if old.level == new.level:
        return 0 if old.above is new.above else 2
    return 1 if old.above is new else 3


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
