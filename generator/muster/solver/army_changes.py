"""Describe how a solution differs from an army: in words, and as edits of its file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from muster.armies.army import Node, NodeKind
from muster.armies.fields import as_text, join_words, lower_first
from muster.armies.findings import Finding
from muster.solver.army_model import ArmyModel, ChosenValues
from muster.solver.cpsat import Solution
from muster.solver.objectives import UnitPlaces
from muster.solver.variables import Slot
from muster.yamlfile import KeyPath
from muster.yamlfile.editing import Edit, Insert, Move, NewValue, Remove, SetKeys


@dataclass(frozen=True, slots=True)
class NodeChange:
    """What changes at one node, in words that begin with a verb, and the findings that it mends.

    `node` is None for what is new; `to` is where a node goes that moves, or where something new
    comes.
    """

    node: Node | None
    words: str
    edits: tuple[Edit, ...]
    to: KeyPath | None = None
    mends: tuple[Finding, ...] = ()

    @property
    def leaves(self) -> bool:
        """Tell whether the node goes from where it stands."""
        return any(isinstance(edit, Remove | Move) for edit in self.edits)

    def mending(self, findings: tuple[Finding, ...]) -> NodeChange:
        """Give the same change with the findings that there would be without it."""
        return replace(self, mends=findings)


def list_changes(
    skeleton: ArmyModel, answer: Solution, units: Iterable[UnitPlaces], new: Iterable[Slot]
) -> list[NodeChange]:
    """List the changes that an answer asks for, as their nodes stand in the file.

    Args:
        skeleton: Of the army.
        answer: To what is asked of it.
        units: Its units and leaders, and where they may stand.
        new: What it has not, and may get.
    """
    units = list(units)
    found: list[NodeChange] = []
    fallen: set[KeyPath] = set()
    for node in removed_commands(skeleton, answer):
        inside = [unit for unit in units if _is_inside(unit, {node.path})]
        if any(answer.is_true(slot.present) for unit in inside for slot in unit.elsewhere):
            # What moves away is told one by one; the command goes when nothing is left in it.
            continue
        if not any(node.path[: len(each)] == each for each in fallen):
            found.append(NodeChange(node, f"take out {node.label}", (Remove(node.path),)))
        fallen.add(node.path)
    for unit in units:
        change = _unit_change(skeleton, answer, unit)
        if change is not None and not (change.to is None and _is_inside(unit, fallen)):
            found.append(change)
    found += [
        _addition(skeleton, answer, slot, slot.above.node)
        for slot in new
        if answer.is_true(slot.present) and slot.above is not None and slot.above.node is not None
    ]
    order = {node.path: node.order for node in _listed_nodes(skeleton)}
    last = len(order)
    return sorted(found, key=lambda each: order[each.node.path] if each.node else last)


def removed_commands(skeleton: ArmyModel, answer: Solution) -> list[Node]:
    """List the levels of command of the list that do not stand in an answer."""
    return [
        slot.node
        for slot in skeleton.slots
        if slot.node is not None and slot.branch and not answer.is_true(slot.present)
    ]


def _is_inside(unit: UnitPlaces, fallen: set[KeyPath]) -> bool:
    node = unit.home.node
    return node is not None and any(node.path[: len(each)] == each for each in fallen)


def _listed_nodes(skeleton: ArmyModel) -> list[Node]:
    return [slot.node for slot in skeleton.slots if slot.node is not None]


def _addition(skeleton: ArmyModel, answer: Solution, slot: Slot, above: Node) -> NodeChange:
    level = skeleton.composition.levels[above.level]
    leader = level.leaders.get(slot.key)
    value = skeleton.command_data(slot, answer) if slot.branch else skeleton.node_data(slot, answer)
    where = f" to {above.label}" if above.path else ""
    fields = {*slot.choices, *slot.amounts}
    said = [f"{_field_title(slot.kind, key)} {value[key]}" for key in value if key in fields]
    if slot.branch:
        said = [_describe_count(each, skeleton, answer) for each in slot.walk() if not each.branch]
        said = [each for each in said if each]
    what = f"{lower_first(slot.label)}{f' ({join_words(said)})' if said else ''}"
    edit = Insert(above.path, slot.key, value, leader is None or leader.many)
    return NodeChange(None, f"add 1 {what}{where}", (edit,), above.path)


def _describe_count(slot: Slot, skeleton: ArmyModel, answer: Solution) -> str:
    """Say how many of a slot stand in something new, and of which size; nothing if none do."""
    if not answer.is_true(slot.present):
        return ""
    chosen = skeleton.chosen(slot, answer)
    entry = slot.kind.entry
    size = chosen.fields.get(entry.size, "") if entry is not None and entry.size else ""
    many = f"{chosen.count} × " if chosen.count > 1 else ""
    noun = (
        f" of {size} {_field_title(slot.kind, entry.size)}" if size and entry and entry.size else ""
    )
    return f"{many}{lower_first(slot.label)}{noun}"


def _unit_change(skeleton: ArmyModel, answer: Solution, unit: UnitPlaces) -> NodeChange | None:
    node = unit.home.node
    assert node is not None  # noqa: S101 - a home is a node of the list
    slot = next((each for each in unit.places if answer.is_true(each.present)), None)
    strength = f", {node.strength}" if node.strength else ""
    if slot is None:
        many = f"all {node.count} " if node.count > 1 else ""
        return NodeChange(node, f"take out {many}{node.label}{strength}", (Remove(node.path),))
    chosen = skeleton.chosen(slot, answer)
    keys, words = _changed_keys(node, chosen, slot)
    edits: list[Edit] = []
    if keys:
        edits.append(SetKeys(node.path, keys))
    to: KeyPath | None = None
    if slot is not unit.home and slot.above is not None and slot.above.node is not None:
        to = slot.above.node.path
        edits.append(Move(node.path, to, slot.key))
        aim = slot.above.node.label if to else "the army itself"
        words.insert(0, f"move it to {aim}")
    if not edits:
        return None
    return NodeChange(node, f"{node.label}: {join_words(words)}", tuple(edits), to)


def _changed_keys(
    node: Node, chosen: ChosenValues, slot: Slot
) -> tuple[dict[str, NewValue | None], list[str]]:
    """Give the keys of a node that are other than in the list, and say so."""
    keys: dict[str, NewValue | None] = {}
    words: list[str] = []
    if chosen.count != node.count:
        keys["count"] = str(chosen.count) if chosen.count > 1 else None
        words.append(f"{chosen.count} of them instead of {node.count}")
    for name in (*slot.choices, *slot.amounts):
        new = chosen.fields.get(name)
        was = node.kind.text(name)
        old = node.kind.fields.get(name)
        before = (was or "0") if name in slot.amounts else None if old is None else as_text(old)
        if new != before:
            keys[name] = new
            words.append(_describe_field_change(node.kind, name, was, new))
    given = [option.id for option in node.kind.profile.options] if node.kind.profile else []
    old_options = [option for option in node.options if option not in given]
    if list(chosen.options) != old_options:
        keys["options"] = list(chosen.options) or None
        titles = {option.id: option.title for option, _ in slot.options}
        gone = [f"“{titles[each]}”" for each in old_options if each not in chosen.options]
        new_ones = [f"“{titles[each]}”" for each in chosen.options if each not in old_options]
        if gone:
            words.append(f"without {join_words(gone)}")
        if new_ones:
            words.append(f"with {join_words(new_ones)}")
    return keys, words


def _describe_field_change(sort: NodeKind, name: str, was: str, new: str | None) -> str:
    spec = sort.field_spec(name) or sort.composition.spec(name)
    titles: Mapping[str, str] = spec.of if spec is not None else {}
    title = _field_title(sort, name)
    if new is None:
        return f"no {title}"
    if not was:
        return f"{title} {lower_first(titles.get(new, new))}"
    return f"{title} {lower_first(titles.get(was, was))} → {lower_first(titles.get(new, new))}"


def _field_title(sort: NodeKind, name: str) -> str:
    spec = sort.field_spec(name) or sort.composition.spec(name)
    return lower_first(spec.title) if spec is not None and spec.title else name.replace("-", " ")
