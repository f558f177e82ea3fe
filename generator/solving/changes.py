"""Owns the changes of a list that an answer asks for: in words, and as edits of its file.

Does not find them (see `repair`) and does not write (see `reading.editing`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from generator.armies.army import Node, Path
from generator.armies.fields import as_text
from generator.armies.findings import Finding
from generator.armies.slots import Slot
from generator.armies.sort import Sort
from generator.armies.words import join, lower
from generator.reading.edits import Drop, Edit, Place, Put, Said, Shift
from generator.solving.cpsat import Answer
from generator.solving.skeleton import Chosen, Skeleton
from generator.solving.stakes import Moved


@dataclass(frozen=True, slots=True)
class Change:
    """What changes at one node, in words that begin with a verb, and the findings that it mends.

    `node` is None for what is new; `to` is where a node goes that moves, or where something new
    comes.
    """

    node: Node | None
    words: str
    edits: tuple[Edit, ...]
    to: Path | None = None
    mends: tuple[Finding, ...] = ()

    @property
    def leaves(self) -> bool:
        """Tell whether the node goes from where it stands."""
        return any(isinstance(edit, Drop | Shift) for edit in self.edits)

    def mending(self, findings: tuple[Finding, ...]) -> Change:
        """Give the same change with the findings that there would be without it."""
        return replace(self, mends=findings)


def changes_of(
    skeleton: Skeleton, answer: Answer, units: Iterable[Moved], new: Iterable[Slot]
) -> list[Change]:
    """List the changes that an answer asks for, as their nodes stand in the file.

    Args:
        skeleton: Of the army.
        answer: To what is asked of it.
        units: Its units and leaders, and where they may stand.
        new: What it has not, and may get.
    """
    units = list(units)
    found: list[Change] = []
    fallen: set[Path] = set()
    for node in fallen_commands(skeleton, answer):
        inside = [unit for unit in units if _inside(unit, {node.path})]
        if any(answer.so(slot.there) for unit in inside for slot in unit.elsewhere):
            # What moves away is told one by one; the command goes when nothing is left in it.
            continue
        if not any(node.path[: len(each)] == each for each in fallen):
            found.append(Change(node, f"take out {node.label}", (Drop(node.path),)))
        fallen.add(node.path)
    for unit in units:
        change = _change(skeleton, answer, unit)
        if change is not None and not (change.to is None and _inside(unit, fallen)):
            found.append(change)
    found += [
        _added(skeleton, answer, slot, slot.above.node)
        for slot in new
        if answer.so(slot.there) and slot.above is not None and slot.above.node is not None
    ]
    order = {node.path: node.order for node in _nodes(skeleton)}
    last = len(order)
    return sorted(found, key=lambda each: order[each.node.path] if each.node else last)


def fallen_commands(skeleton: Skeleton, answer: Answer) -> list[Node]:
    """List the levels of command of the list that do not stand in an answer."""
    return [
        slot.node
        for slot in skeleton.slots
        if slot.node is not None and slot.branch and not answer.so(slot.there)
    ]


def _inside(unit: Moved, fallen: set[Path]) -> bool:
    node = unit.home.node
    return node is not None and any(node.path[: len(each)] == each for each in fallen)


def _nodes(skeleton: Skeleton) -> list[Node]:
    return [slot.node for slot in skeleton.slots if slot.node is not None]


def _added(skeleton: Skeleton, answer: Answer, slot: Slot, above: Node) -> Change:
    level = skeleton.composition.levels[above.level]
    leader = level.leaders.get(slot.key)
    value = skeleton.held(slot, answer) if slot.branch else skeleton.said(slot, answer)
    where = f" to {above.label}" if above.path else ""
    fields = {*slot.choices, *slot.amounts}
    said = [f"{_title(slot.sort, key)} {value[key]}" for key in value if key in fields]
    if slot.branch:
        said = [_counted(each, skeleton, answer) for each in slot.walk() if not each.branch]
        said = [each for each in said if each]
    what = f"{lower(slot.label)}{f' ({join(said)})' if said else ''}"
    edit = Place(above.path, slot.key, value, leader is None or leader.many)
    return Change(None, f"add 1 {what}{where}", (edit,), above.path)


def _counted(slot: Slot, skeleton: Skeleton, answer: Answer) -> str:
    """Say how many of a slot stand in something new, and of which size; nothing if none do."""
    if not answer.so(slot.there):
        return ""
    chosen = skeleton.chosen(slot, answer)
    entry = slot.sort.entry
    size = chosen.fields.get(entry.size, "") if entry is not None and entry.size else ""
    many = f"{chosen.count} × " if chosen.count > 1 else ""
    noun = f" of {size} {_title(slot.sort, entry.size)}" if size and entry and entry.size else ""
    return f"{many}{lower(slot.label)}{noun}"


def _change(skeleton: Skeleton, answer: Answer, unit: Moved) -> Change | None:
    node = unit.home.node
    assert node is not None  # noqa: S101 - a home is a node of the list
    slot = next((each for each in unit.places if answer.so(each.there)), None)
    strength = f", {node.strength}" if node.strength else ""
    if slot is None:
        many = f"all {node.count} " if node.count > 1 else ""
        return Change(node, f"take out {many}{node.label}{strength}", (Drop(node.path),))
    chosen = skeleton.chosen(slot, answer)
    keys, words = _differing(node, chosen, slot)
    edits: list[Edit] = []
    if keys:
        edits.append(Put(node.path, keys))
    to: Path | None = None
    if slot is not unit.home and slot.above is not None and slot.above.node is not None:
        to = slot.above.node.path
        edits.append(Shift(node.path, to, slot.key))
        aim = slot.above.node.label if to else "the army itself"
        words.insert(0, f"move it to {aim}")
    if not edits:
        return None
    return Change(node, f"{node.label}: {join(words)}", tuple(edits), to)


def _differing(node: Node, chosen: Chosen, slot: Slot) -> tuple[dict[str, Said | None], list[str]]:
    """Give the keys of a node that are other than in the list, and say so."""
    keys: dict[str, Said | None] = {}
    words: list[str] = []
    if chosen.count != node.count:
        keys["count"] = str(chosen.count) if chosen.count > 1 else None
        words.append(f"{chosen.count} of them instead of {node.count}")
    for name in (*slot.choices, *slot.amounts):
        new = chosen.fields.get(name)
        was = node.sort.text(name)
        old = node.sort.fields.get(name)
        before = (was or "0") if name in slot.amounts else None if old is None else as_text(old)
        if new != before:
            keys[name] = new
            words.append(_said_anew(node.sort, name, was, new))
    given = [option.id for option in node.sort.profile.options] if node.sort.profile else []
    old_options = [option for option in node.options if option not in given]
    if list(chosen.options) != old_options:
        keys["options"] = list(chosen.options) or None
        titles = {option.id: option.title for option, _ in slot.options}
        gone = [f"“{titles[each]}”" for each in old_options if each not in chosen.options]
        new_ones = [f"“{titles[each]}”" for each in chosen.options if each not in old_options]
        if gone:
            words.append(f"without {join(gone)}")
        if new_ones:
            words.append(f"with {join(new_ones)}")
    return keys, words


def _said_anew(sort: Sort, name: str, was: str, new: str | None) -> str:
    spec = sort.spec(name) or sort.composition.spec(name)
    titles: Mapping[str, str] = spec.of if spec is not None else {}
    title = _title(sort, name)
    if new is None:
        return f"no {title}"
    if not was:
        return f"{title} {lower(titles.get(new, new))}"
    return f"{title} {lower(titles.get(was, was))} → {lower(titles.get(new, new))}"


def _title(sort: Sort, name: str) -> str:
    spec = sort.spec(name) or sort.composition.spec(name)
    return lower(spec.title) if spec is not None and spec.title else name.replace("-", " ")
