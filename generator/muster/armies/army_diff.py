"""Compare two armies: what was added, removed or changed, and what that costs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from muster.armies.army import Node
from muster.armies.fields import lower_first
from muster.armies.findings import Verdict, points_as_json

Place = tuple[str, ...]
"""The labels of the commands that a node stands in, the highest first."""


@dataclass(frozen=True, slots=True, eq=False)
class ListedUnit:
    """Equal units, leaders or commands in one place of an army, however many entries they have.

    Attributes:
        node: The first of them.
        place: The commands that they stand in.
        count: How many they are.
        points: What they cost together, as far as that is known.
    """

    node: Node
    place: Place
    count: int
    points: Decimal

    @property
    def label(self) -> str:
        """The title and the name; a command without a name is known by its leader's."""
        return _label(self.node) if self.node.path else self.node.title

    @property
    def unit(self) -> str:
        """The id of the unit or of its type; for a command, of its level."""
        return self.node.kind.text("unit") or self.node.level

    @property
    def place_below(self) -> Place:
        """The place of what stands in it, if it is a command."""
        return (*self.place, self.label) if self.node.path else ()

    def as_json(self) -> dict[str, Any]:
        """Return place, count and points with the keys of `muster diff --format json`."""
        return {
            "path": self.node.path_text,
            "place": list(self.place),
            "count": self.count,
            "points": points_as_json(self.points),
        }


Pairs = dict[ListedUnit, ListedUnit]
"""The old unit of each new one."""


@dataclass(frozen=True, slots=True)
class UnitChange:
    """A unit, leader or command that only one of the armies has, or that differs.

    Attributes:
        kind: What happened to it.
        old: As it is in the old army; None if it was added.
        new: As it is in the new army; None if it was removed.
        words: What differs, such as `stands 3 → 4`, if it was changed.
    """

    kind: Literal["added", "removed", "changed"]
    old: ListedUnit | None
    new: ListedUnit | None
    words: tuple[str, ...] = ()

    @property
    def unit(self) -> ListedUnit:
        """The unit as it is in the new army, or as it was."""
        unit = self.new or self.old
        assert unit is not None, "a change has a unit"  # noqa: S101 - tells mypy what holds
        return unit

    @property
    def points_difference(self) -> Decimal:
        """How many points more it costs in the new army, as far as that is known."""
        return _points(self.new) - _points(self.old)

    def as_json(self) -> dict[str, Any]:
        """Return the change with the keys that `muster diff --format json` promises."""
        return {
            "kind": self.kind,
            "unit": self.unit.unit,
            "label": self.unit.label,
            "old": self.old.as_json() if self.old else None,
            "new": self.new.as_json() if self.new else None,
            "by": points_as_json(self.points_difference),
            "words": list(self.words),
        }


def _points(unit: ListedUnit | None) -> Decimal:
    return unit.points if unit is not None else Decimal(0)


def compare_armies(old: Verdict, new: Verdict) -> list[UnitChange]:
    """Compare two armies of one system.

    Units that only moved are recognised in their new place; a unit with another name or of another
    type, by its place.

    Returns:
        The changes of the army itself, then of commands, then of units: those that the new army
        has in the order of its file, then those that were removed.
    """
    before, after = _listed(old), _listed(new)
    pairs, renamed = _pair(before, after)
    changes = []
    for unit in after:
        partner = pairs.get(unit)
        if partner is None:
            changes.append(UnitChange("added", None, unit))
            continue
        moved = renamed.get(partner.place, partner.place) != unit.place
        words = tuple(_differences(partner, unit, moved=moved))
        if words or partner.points != unit.points:
            changes.append(UnitChange("changed", partner, unit, words or ("price",)))
    removed = set(before) - set(pairs.values())
    changes += [UnitChange("removed", unit, None) for unit in before if unit in removed]
    return changes


def _listed(verdict: Verdict) -> list[ListedUnit]:
    """Return the army itself, its commands and then its units, with equal ones in one place joined.

    `count: 2` and two entries are the same army.
    """
    prices = {line.path: line.known for line in verdict.price.lines}
    units: dict[Hashable, ListedUnit] = {}

    def add(node: Node, place: Place) -> None:
        key = (place, _identity(node))
        unit = ListedUnit(node, place, node.count, prices.get(node.path_text, Decimal(0)))
        if known := units.get(key):
            count, points = known.count + unit.count, known.points + unit.points
            units[key] = ListedUnit(known.node, place, count, points)
        else:
            units[key] = unit
        for child in node.children:
            add(child, unit.place_below)

    add(verdict.army.root, ())
    return sorted(units.values(), key=lambda unit: not unit.node.is_branch)


def _identity(node: Node) -> tuple[Hashable, ...]:
    """Return all that must be the same of two nodes that are equal, but their count and place."""
    fields = tuple(sorted((name, node.kind.text(name)) for name in node.fields))
    options = tuple(sorted(node.options))
    name = _label(node) if node.is_branch else node.name
    return node.level, node.kind.text("unit"), name, _own_book(node), fields, options


def _own_book(node: Node) -> str:
    """Return the title of the book that a node has of its own; empty if it has that above it."""
    above = node.kind.parent
    book = node.book
    return "" if book is None or (above is not None and above.book is book) else book.title


def _label(node: Node) -> str:
    """Return the label of a node; a command without a name is known by the first that it holds."""
    if not node.is_branch:
        return node.label
    leaders = (child.name for child in node.children if not child.is_branch and child.name)
    return node.label if node.name else " of ".join(filter(None, (node.title, next(leaders, ""))))


def _pair(
    before: Sequence[ListedUnit], after: Sequence[ListedUnit]
) -> tuple[Pairs, dict[Place, Place]]:
    """Return the old unit of each new one that has one, and the new place of each old command.

    Commands are paired first, from the highest down: what stands in a command that only has
    another name now has not moved.
    """
    pairs: Pairs = {}
    renamed: dict[Place, Place] = {}
    levels = max(len(unit.place) for unit in (*before, *after)) + 1
    for is_branch, depth in [*((True, depth) for depth in range(levels)), (False, None)]:

        def chosen(
            units: Sequence[ListedUnit], *, is_branch: bool = is_branch, depth: int | None = depth
        ) -> list[ListedUnit]:
            of_kind = (unit for unit in units if unit.node.is_branch == is_branch)
            return [unit for unit in of_kind if depth is None or len(unit.place) == depth]

        found = _pair_alike(chosen(before), chosen(after), renamed)
        pairs |= found
        if is_branch:
            renamed |= {old.place_below: new.place_below for new, old in found.items()}
    return pairs, renamed


def _pair_alike(
    before: Sequence[ListedUnit], after: Sequence[ListedUnit], renamed: Mapping[Place, Place]
) -> Pairs:
    """Pair units by what they have in common, from everything down to type and place."""

    def place(unit: ListedUnit) -> Place:
        return renamed.get(unit.place, unit.place)

    def name(unit: ListedUnit) -> Hashable:
        # Units without a name do not have the same one.
        return unit.node.name or unit

    keys: tuple[Callable[[ListedUnit], Hashable], ...] = (
        lambda unit: (place(unit), _identity(unit.node)),
        lambda unit: _identity(unit.node),
        lambda unit: (place(unit), unit.unit, unit.node.name),
        lambda unit: (unit.unit, unit.node.name),
        lambda unit: (place(unit), unit.node.level, name(unit)),
        lambda unit: (place(unit), unit.unit),
    )
    pairs: Pairs = {}
    old, new = dict.fromkeys(before), dict.fromkeys(after)
    for key in keys:
        waiting: dict[Hashable, list[ListedUnit]] = {}
        for unit in reversed(old):
            waiting.setdefault(key(unit), []).append(unit)
        for unit in list(new):
            if partners := waiting.get(key(unit)):
                pairs[unit] = partners.pop()
                del new[unit], old[pairs[unit]]
    return pairs


def _differences(old: ListedUnit, new: ListedUnit, *, moved: bool) -> Iterator[str]:
    """Say what differs between a unit as it was and as it is."""
    before, after = old.node, new.node
    if old.unit != new.unit:
        yield f"{before.title} → {after.title}"
    if after.path:  # The army's own name stands at the head of the comparison.
        yield from _change_if("name", *(_quoted(node.name) for node in (before, after)))
    if old.count != new.count:
        yield f"count {old.count} → {new.count}"
    yield from _change_if("book", _own_book(before), _own_book(after))
    for field in dict.fromkeys((*before.fields, *after.fields)):
        spec = after.kind.field_spec(field) or before.kind.field_spec(field)
        title = lower_first(spec.title) if spec and spec.title else field.replace("-", " ")
        shown = (lower_first(node.kind.shown(field)) for node in (before, after))
        yield from _change_if(title, *shown)
    for option in before.kind.options:
        if option.id not in after.options:
            yield f"no longer {lower_first(option.title)}"
    for option in after.kind.options:
        if option.id not in before.options:
            yield f"now {lower_first(option.title)}"
    if moved:
        yield f"moved from {_shown_place(old.place)} to {_shown_place(new.place)}"


def _change_if(title: str, old: str, new: str) -> Iterator[str]:
    if old != new:
        yield f"{title} {old or 'none'} → {new or 'none'}"


def _quoted(name: str) -> str:
    return f"“{name}”" if name else ""


def _shown_place(place: Place) -> str:
    return ", ".join(place) or "the army"
