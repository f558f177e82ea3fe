"""Describe how a solution differs from an army: in words, and as edits of its file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from muster.armies.army import Node, NodeKind
from muster.armies.fields import as_text, join_words, lower_first, plural_of, with_article
from muster.armies.findings import Finding
from muster.solver.army_model import ArmyModel, ChosenValues
from muster.solver.objectives import UnitPlaces
from muster.solver.variables import Slot
from muster.yamlfile import KeyPath
from muster.yamlfile.editing import Edit, Insert, Move, NewValue, Remove, SetKeys

if TYPE_CHECKING:
    from muster.solver.cpsat import Solution


@dataclass(frozen=True, slots=True)
class NodeChange:
    """A change of one node: words that begin with a verb, edits, and the findings that it fixes.

    `node` is None for a new node. `target_path` is where a node is moved or added, else None.
    """

    node: Node | None
    words: str
    edits: tuple[Edit, ...]
    target_path: KeyPath | None = None
    fixes: tuple[Finding, ...] = ()

    @property
    def removes_node(self) -> bool:
        """Whether the node is removed from its place; it may be moved to another."""
        return any(isinstance(edit, Remove | Move) for edit in self.edits)

    def with_fixes(self, findings: tuple[Finding, ...]) -> NodeChange:
        """Return the same change with the findings that there would be without it."""
        return replace(self, fixes=findings)


def list_changes(
    army_model: ArmyModel, solution: Solution, units: Iterable[UnitPlaces], new: Iterable[Slot]
) -> list[NodeChange]:
    """List the changes that a solution makes, in the order of the nodes in the file.

    Args:
        army_model: The model of the army.
        solution: Values for the variables of the model.
        units: Its units and leaders, and where they may stand.
        new: The slots of what may be added.
    """
    units = list(units)
    changes: list[NodeChange] = []
    removed: set[KeyPath] = set()
    for node in removed_commands(army_model, solution):
        inside = [unit for unit in units if _is_inside(unit, {node.path})]
        if any(solution.is_true(slot.present) for unit in inside for slot in unit.elsewhere):
            # Units move away, each by a change of its own. The repair removes the command
            # afterwards if nothing is left in it.
            continue
        if not any(node.path[: len(path)] == path for path in removed):
            changes.append(NodeChange(node, f"remove {node.label}", (Remove(node.path),)))
        removed.add(node.path)
    for unit in units:
        change = _unit_change(army_model, solution, unit)
        if change is not None and not (change.target_path is None and _is_inside(unit, removed)):
            changes.append(change)
    changes += [
        _addition(army_model, solution, slot, slot.above.node)
        for slot in new
        if solution.is_true(slot.present) and slot.above is not None and slot.above.node is not None
    ]
    order = {slot.node.path: slot.node.order for slot in army_model.slots if slot.node is not None}
    last = len(order)
    return sorted(changes, key=lambda change: order[change.node.path] if change.node else last)


def removed_commands(army_model: ArmyModel, solution: Solution) -> list[Node]:
    """List the levels of command of the list that are not part of a solution."""
    return [
        slot.node
        for slot in army_model.slots
        if slot.node is not None and slot.is_branch and not solution.is_true(slot.present)
    ]


def _is_inside(unit: UnitPlaces, paths: set[KeyPath]) -> bool:
    node = unit.home.node
    return node is not None and any(node.path[: len(path)] == path for path in paths)


def _addition(army_model: ArmyModel, solution: Solution, slot: Slot, above: Node) -> NodeChange:
    leader = army_model.composition.levels[above.level].leaders.get(slot.key)
    data = (
        army_model.command_data(slot, solution)
        if slot.is_branch
        else army_model.node_data(slot, solution)
    )
    where = f" to {command_name(above, army_model)}" if above.path else ""
    variable = {*slot.choices, *slot.amounts}
    details = [f"{_field_title(slot.kind, key)} {data[key]}" for key in data if key in variable]
    if slot.is_branch:
        counts = [
            _describe_count(below, army_model, solution)
            for below in slot.walk()
            if not below.is_branch
        ]
        details = [text for text in counts if text]
    number = 1 if slot.is_branch else army_model.chosen(slot, solution).count
    named = _one_of(slot) if number == 1 else _several_of(slot, number)
    what = f"{named}{f' ({join_words(details)})' if details else ''}"
    edit = Insert(above.path, slot.key, data, leader is None or leader.many)
    return NodeChange(None, f"add {what}{where}", (edit,), above.path)


def _one_of(slot: Slot) -> str:
    """Return one of what stands at a slot, with an article: `a General`, `a unit of artillery`."""
    entry = slot.kind.entry
    title = slot.label
    if slot.kind.profile is None and entry is not None and entry.one:
        return with_article(entry.one)
    if not slot.is_branch and plural_of(title) == title:
        return f"a unit of {lower_first(title)}"
    return with_article(title)


def _several_of(slot: Slot, number: int) -> str:
    """Return several of what stands at a slot: `3 battalions of grenadiers`, `3 × Guards`."""
    entry = slot.kind.entry
    if slot.kind.profile is None and entry is not None and entry.many:
        return f"{number} {entry.many}"
    return f"{number} × {slot.label}"


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def command_name(node: Node, army_model: ArmyModel) -> str:
    """Return how to call a level of command: `Division “Left”`, `the second Group of …`.

    Not for the army itself.
    """
    nodes = [slot.node for slot in army_model.slots if slot.node is not None]
    alike = [each for each in nodes if each.parent_path == node.parent_path and each.is_branch]
    alike = [each for each in alike if each.level == node.level]
    above = next(each for each in nodes if each.path == node.parent_path)
    inside = f" of {command_name(above, army_model)}" if above.path else ""
    if node.name:
        return f"{node.label}{inside if sum(each.name == node.name for each in nodes) > 1 else ''}"
    if len(alike) == 1:
        return f"the {node.title}{inside}"
    place = alike.index(node)
    number = _ORDINALS[place] if place < len(_ORDINALS) else f"{place + 1}th"
    return f"the {number} {node.title}{inside}"


def _describe_count(slot: Slot, army_model: ArmyModel, solution: Solution) -> str:
    """Return how many units of a slot are in a new command, and their size; empty if none."""
    if not solution.is_true(slot.present):
        return ""
    chosen = army_model.chosen(slot, solution)
    entry = slot.kind.entry
    size = chosen.fields.get(entry.size, "") if entry is not None and entry.size else ""
    many = f"{chosen.count} × " if chosen.count > 1 else ""
    noun = (
        f" of {size} {_field_title(slot.kind, entry.size)}" if size and entry and entry.size else ""
    )
    return f"{many}{lower_first(slot.label)}{noun}"


def _unit_change(army_model: ArmyModel, solution: Solution, unit: UnitPlaces) -> NodeChange | None:
    node = unit.home.node
    assert node is not None  # noqa: S101 - a home is a node of the list
    slot = next((place for place in unit.places if solution.is_true(place.present)), None)
    strength = f", {node.strength}" if node.strength else ""
    if slot is None:
        many = f"all {node.count} " if node.count > 1 else ""
        return NodeChange(node, f"remove {many}{node.label}{strength}", (Remove(node.path),))
    keys, words = _changed_keys(node, army_model.chosen(slot, solution), slot)
    edits: list[Edit] = []
    if keys:
        edits.append(SetKeys(node.path, keys))
    target_path: KeyPath | None = None
    if slot is not unit.home and slot.above is not None and slot.above.node is not None:
        target_path = slot.above.node.path
        edits.append(Move(node.path, target_path, slot.key))
        where = f"to {command_name(slot.above.node, army_model)}"
        if not target_path:
            where = f"directly under the {lower_first(army_model.composition.top.title)}"
        rest = f": {', '.join(words)}" if words else ""
        return NodeChange(node, f"move {node.label} {where}{rest}", tuple(edits), target_path)
    if not edits:
        return None
    return NodeChange(node, f"{node.label}: {', '.join(words)}", tuple(edits), target_path)


def _changed_keys(
    node: Node, chosen: ChosenValues, slot: Slot
) -> tuple[dict[str, NewValue | None], list[str]]:
    """Return the keys of a node that differ from the list (None: to remove), and words for each."""
    keys: dict[str, NewValue | None] = {}
    words: list[str] = []
    if chosen.count != node.count:
        keys["count"] = str(chosen.count) if chosen.count > 1 else None
        words.append(f"{chosen.count} of them instead of {node.count}")
    for name in (*slot.choices, *slot.amounts):
        new = chosen.fields.get(name)
        old = node.kind.text(name)
        stated = node.kind.fields.get(name)
        listed = None if stated is None else as_text(stated)
        if name in slot.amounts:
            listed = old or "0"
        if new != listed:
            keys[name] = new
            words.append(_describe_field_change(node.kind, name, old, new))
    given = [option.id for option in node.kind.given_options]
    old_options = [option for option in node.options if option not in given]
    if list(chosen.options) != old_options:
        keys["options"] = list(chosen.options) or None
        titles = {option.id: option.title for option, _ in slot.options}
        lost = [f"“{titles[name]}”" for name in old_options if name not in chosen.options]
        gained = [f"“{titles[name]}”" for name in chosen.options if name not in old_options]
        if lost:
            words.append(f"leave out {join_words(lost)}")
        if gained:
            words.append(f"add {join_words(gained)}")
    return keys, words


def _describe_field_change(kind: NodeKind, name: str, old: str, new: str | None) -> str:
    spec = kind.field_spec(name) or kind.composition.spec(name)
    titles: Mapping[str, str] = spec.of if spec is not None else {}
    title = _field_title(kind, name)
    if new is None:
        return f"leave out the {title}"
    if not old:
        return f"{title} {lower_first(titles.get(new, new))}"
    return f"{title} {lower_first(titles.get(old, old))} → {lower_first(titles.get(new, new))}"


def _field_title(kind: NodeKind, name: str) -> str:
    spec = kind.field_spec(name) or kind.composition.spec(name)
    return lower_first(spec.title) if spec is not None and spec.title else name.replace("-", " ")
