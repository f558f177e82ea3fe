"""Describe how a solution differs from an army: in words, and as edits of its file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from muster.armies.army import Army, Node, NodeKind
from muster.armies.fields import as_text, join_words, lower_first, plural_of, with_article
from muster.armies.findings import Finding
from muster.armies.vocabulary import LEADER
from muster.solver.army_model import ArmyModel, ChosenValues
from muster.solver.objectives import UnitPlaces
from muster.solver.variables import Slot
from muster.yamlfile import KeyPath
from muster.yamlfile.editing import Edit, Insert, Move, NewValue, Remove, SetKeys

if TYPE_CHECKING:
    from muster.solver.cpsat import Solution


@dataclass(frozen=True, slots=True)
class NodeChange:
    """A change of one node: a sentence, its edits, and the findings that it fixes.

    `words` begin with a verb in small letters and name the node as the player did, without a stop.

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
    names = NodeNames(slot.node for slot in army_model.slots if slot.node is not None)
    changes: list[NodeChange] = []
    removed: set[KeyPath] = set()
    for node in removed_commands(army_model, solution):
        inside = [unit for unit in units if _is_inside(unit, {node.path})]
        if any(solution.is_true(slot.present) for unit in inside for slot in unit.elsewhere):
            # Units move away, each by a change of its own. The repair removes the command
            # afterwards if nothing is left in it.
            continue
        if not any(node.path[: len(path)] == path for path in removed):
            words = f"remove {names.name_with_contents(node)}"
            changes.append(NodeChange(node, words, (Remove(node.path),)))
        removed.add(node.path)
    for unit in units:
        change = _unit_change(army_model, solution, unit, names)
        if change is not None and not (change.target_path is None and _is_inside(unit, removed)):
            changes.append(change)
    changes += [
        _addition(army_model, solution, slot, slot.above.node, names)
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


# Names


class NodeNames:
    """What to call the units, leaders and commands of an army, as its player named them."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        by_path: dict[KeyPath, Node] = {}
        for node in nodes:
            by_path.setdefault(node.path, node)
        self.by_path = by_path
        self.inside: dict[KeyPath, list[Node]] = {}
        self.alike: dict[str, int] = {}
        for node in by_path.values():
            if node.path:
                self.inside.setdefault(node.parent_path, []).append(node)
                self.alike[node.label] = self.alike.get(node.label, 0) + 1

    @classmethod
    def of_army(cls, army: Army) -> NodeNames:
        """Return the names of all nodes of an army."""
        return cls(army.nodes())

    def name(self, node: Node) -> str:
        """Return what to call a node: `Fusiliers “24th”`, `the second Riflemen of the Division`.

        The name says where the node stands if its label does not tell it from all others.
        """
        if node.is_branch:
            return self._command(node)
        if node.name or node.level != LEADER:
            if self.alike[node.label] == 1:
                return node.label
            if len(self._alike_beside(node)) == 1:
                return f"{node.label}{self._of_command(node)}"
        place = self._place(node)
        return f"the {place}{node.label}{self._of_command(node)}"

    def names_each(self, node: Node) -> str:
        """Return what to call each unit of an entry: `each of the 2 Fusiliers`, or its name."""
        return f"each of {self.name_all(node)}" if node.count > 1 else self.name(node)

    def name_all(self, node: Node) -> str:
        """Return what to call all units of an entry: `the 2 Fusiliers of Division “Left”`."""
        if node.count == 1:
            return self.name(node)
        name = self.name(node)
        if not name.startswith(node.label):
            return f"the {node.count} units of {name}"
        return f"the {node.count} {_many_of(node.kind)}{name.removeprefix(node.title)}"

    def name_with_contents(self, node: Node) -> str:
        """Return what to call a command that goes with what is in it: `… with its General`."""
        inside = [
            each
            for each in self.by_path.values()
            if not each.is_branch and each.path[: len(node.path)] == node.path
        ]
        if len(inside) > _MOST_NAMED:
            return f"{self.name(node)} with all {len(inside)} entries in it"
        named = [each.label if each.name else f"its {each.label}" for each in inside]
        return f"{self.name(node)}{f' with {join_words(named)}' if named else ''}"

    def _command(self, node: Node) -> str:
        if not node.path:
            return f"the {lower_first(node.title)}"
        inside = self._of_command(node)
        called = self._called(node)
        if not called:
            return f"the {self._place(node)}{node.title}{inside}"
        beside = [each for each in self._alike_beside(node) if self._called(each) == called]
        if len(beside) > 1:
            return f"the {_ordinal(beside.index(node))} {called}{inside}"
        if node.name:
            return f"{called}{inside if self.alike[node.label] > 1 else ''}"
        return f"the {called}"

    def _called(self, node: Node) -> str:
        """Return a command by its own name, or that of its leader; empty if neither has one."""
        if node.name:
            return node.label
        leaders = [each for each in self.inside.get(node.path, ()) if each.level == LEADER]
        leader = next((each.name for each in leaders if each.name), "")
        return f"{node.title} of {leader}" if leader else ""

    def _of_command(self, node: Node) -> str:
        """Return `of` and the command that a node stands in; empty directly under the army."""
        above = self.by_path[node.parent_path]
        return f" of {self._command(above)}" if above.path else ""

    def _alike_beside(self, node: Node) -> list[Node]:
        beside = self.inside[node.parent_path]
        if node.is_branch:
            return [each for each in beside if each.level == node.level]
        return [each for each in beside if each.label == node.label]

    def _place(self, node: Node) -> str:
        """Return which of those that are alike a node is, with a space; empty if it is alone."""
        alike = self._alike_beside(node)
        if len(alike) == 1:
            return ""
        return f"{_ordinal(alike.index(node))} "


def _many_of(kind: NodeKind) -> str:
    """Return the plural of a kind of units: `units of lantern bearers`, `Batteries`."""
    entry = kind.entry
    if kind.profile is None and entry is not None and entry.many:
        return entry.many
    return plural_of(kind.title)


_MOST_NAMED = 3
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def _ordinal(place: int) -> str:
    """Return a place that is counted from 0 in words, as far as there are: `first`, `10th`."""
    return _ORDINALS[place] if place < len(_ORDINALS) else f"{place + 1}th"


# Additions


def _addition(
    army_model: ArmyModel, solution: Solution, slot: Slot, above: Node, names: NodeNames
) -> NodeChange:
    leader = army_model.composition.levels[above.level].leaders.get(slot.key)
    data = (
        army_model.command_data(slot, solution)
        if slot.is_branch
        else army_model.node_data(slot, solution)
    )
    where = f" to {names.name(above)}" if above.path else ""
    if slot.is_branch:
        inside = [
            _describe_new(below, army_model, solution)
            for below in slot.walk()
            if not below.is_branch and solution.is_true(below.present)
        ]
        what = f"{_one_of(slot)}{f' with {join_words(inside)}' if inside else ''}"
    else:
        variable = {*slot.choices, *slot.amounts}
        details = [_detail(slot.kind, key, str(data[key])) for key in data if key in variable]
        number = army_model.chosen(slot, solution).count
        named = _one_of(slot) if number == 1 else _several_of(slot, number)
        what = f"{named}{f' ({join_words(details)})' if details else ''}"
    edit = Insert(above.path, slot.key, data, leader is None or leader.many)
    return NodeChange(None, f"add {what}{where}", (edit,), above.path)


def _detail(kind: NodeKind, key: str, value: str) -> str:
    """Return a value of a new node in words: `4 stands`, or `training cavalry`."""
    spec = kind.field_spec(key)
    if spec is not None and spec.one:
        return _with_noun(kind, key, value)
    return f"{_field_title(kind, key)} {value}"


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
    many = _many_of(slot.kind)
    return f"{number} {many}" if many != plural_of(slot.label) else f"{number} × {slot.label}"


def _describe_new(slot: Slot, army_model: ArmyModel, solution: Solution) -> str:
    """Return what stands at a slot of a new command: `a General`, `2 × Riflemen (4 figures)`."""
    if slot.level == LEADER:
        return with_article(slot.label)
    chosen = army_model.chosen(slot, solution)
    many = f"{chosen.count} × " if chosen.count > 1 else ""
    size_field = slot.kind.entry.size if slot.kind.entry is not None else None
    if size_field is None:
        return f"{many}{slot.label}"
    return f"{many}{slot.label} ({_with_noun(slot.kind, size_field, chosen.fields[size_field])})"


# Changes


def _unit_change(
    army_model: ArmyModel, solution: Solution, unit: UnitPlaces, names: NodeNames
) -> NodeChange | None:
    node = unit.home.listed_node
    slot = next((place for place in unit.places if solution.is_true(place.present)), None)
    if slot is None:
        strength = f"{node.strength} each" if node.count > 1 else node.strength
        size = f" ({strength})" if node.strength else ""
        gone = names.name_all(node)
        gone = f"all {gone.removeprefix('the ')}" if node.count > 1 else gone
        return NodeChange(node, f"remove {gone}{size}", (Remove(node.path),))
    chosen = army_model.chosen(slot, solution)
    keys = _changed_keys(node, chosen, slot)
    clauses = _Clauses(node, slot, chosen, names)
    edits: list[Edit] = []
    if keys:
        edits.append(SetKeys(node.path, keys))
    if slot is not unit.home and slot.above is not None and slot.above.node is not None:
        target = slot.above.node
        edits.append(Move(node.path, target.path, slot.key))
        where = f"to {names.name(target)}"
        if not target.path:
            where = f"directly under {names.name(target)}"
        words = clauses.after(f"move {names.name_all(node)} {where}")
        return NodeChange(node, words, tuple(edits), target.path)
    return NodeChange(node, clauses.sentence(), tuple(edits)) if edits else None


def _changed_keys(node: Node, chosen: ChosenValues, slot: Slot) -> dict[str, NewValue | None]:
    """Return the keys of a node that differ from the list; None: to remove."""
    keys: dict[str, NewValue | None] = {}
    if chosen.count != node.count:
        keys["count"] = str(chosen.count) if chosen.count > 1 else None
    for name in (*slot.choices, *slot.amounts):
        new = chosen.fields.get(name)
        if new != _listed_value(node, slot, name):
            keys[name] = new
    old_options = _own_options(node)
    if list(chosen.options) != old_options:
        keys["options"] = list(chosen.options) or None
    return keys


def _listed_value(node: Node, slot: Slot, name: str) -> str | None:
    """Return the value of a field as the list states it; of a number, also if it is a default."""
    if name in slot.amounts:
        return node.kind.text(name) or "0"
    stated = node.kind.fields.get(name)
    return None if stated is None else as_text(stated)


def _own_options(node: Node) -> list[str]:
    given = [option.id for option in node.kind.given_options]
    return [option for option in node.options if option not in given]


class _Clauses:
    """The clauses of a sentence that says how a node changes.

    The first names the node, the others say `it`: `reduce Horse from 10 to 8 figures and leave
    out “Pikes” for it`.
    """

    def __init__(self, node: Node, slot: Slot, chosen: ChosenValues, names: NodeNames) -> None:
        self.node = node
        self.slot = slot
        self.chosen = chosen
        self.names = names
        self.is_named = False

    def sentence(self) -> str:
        """Return the sentence, without a stop."""
        return join_words(list(self._clauses()))

    def after(self, beginning: str) -> str:
        """Return a sentence that begins with a clause that names the node already."""
        self.is_named = True
        return join_words([beginning, *self._clauses()])

    def _clauses(self) -> Iterator[str]:
        if self.chosen.count != self.node.count:
            yield self._keep()
        yield from self._numbers()
        yield from self._choices()
        yield from self._options()

    def _keep(self) -> str:
        whole = self.names.name_all(self.node) if not self.is_named else f"{self.node.count}"
        self.is_named = True
        return f"keep {self.chosen.count} of {whole}"

    def _subject(self) -> str:
        if self.is_named:
            return "it" if self.node.count == 1 else "each"
        self.is_named = True
        return self.names.names_each(self.node)

    def _of_subject(self, what: Sequence[str]) -> str:
        """Return fields and whose they are: `the skill of the General`, then `its skill`."""
        if self.is_named:
            return f"{'its' if self.node.count == 1 else 'their'} {join_words(what)}"
        self.is_named = True
        owned = join_words([f"the {each}" for each in what])
        return f"{owned} of {self.names.names_each(self.node)}"

    def _numbers(self) -> Iterator[str]:
        """Yield how numbers change: those with a noun first, those that go one way together."""
        kind = self.node.kind
        changed: list[tuple[str, int, int]] = []
        for name in self.slot.amounts:
            before, after = _listed_value(self.node, self.slot, name), self.chosen.fields.get(name)
            if after is not None and after != before:
                changed.append((name, int(before or 0), int(after)))
        with_nouns = [each for each in changed if _has_noun(kind, each[0])]
        first_rises = bool(with_nouns) and with_nouns[0][2] > with_nouns[0][1]
        for rises in (first_rises, not first_rises):
            ways = [
                f"from {old} to {_with_noun(kind, name, str(new))}"
                for name, old, new in with_nouns
                if (new > old) == rises
            ]
            if ways:
                yield f"{'raise' if rises else 'reduce'} {self._subject()} {join_words(ways)}"
        for name, old, new in changed:
            if not _has_noun(kind, name):
                verb = "raise" if new > old else "reduce"
                yield f"{verb} {self._of_subject([_field_title(kind, name)])} from {old} to {new}"

    def _choices(self) -> Iterator[str]:
        kind = self.node.kind
        left_out: list[str] = []
        for name in (*self.slot.choices, *self.slot.amounts):
            new = self.chosen.fields.get(name)
            if new == _listed_value(self.node, self.slot, name):
                continue
            if new is None:
                left_out.append(_field_title(kind, name))
            elif name in self.slot.choices:
                old = kind.text(name)
                words = self._of_subject([_field_title(kind, name)])
                if not old:
                    yield f"set {words} to {_shown_value(kind, name, new)}"
                else:
                    values = [_shown_value(kind, name, value) for value in (old, new)]
                    yield f"change {words} from {values[0]} to {values[1]}"
        if left_out:
            yield f"leave out {self._of_subject(left_out)}"

    def _options(self) -> Iterator[str]:
        before = _own_options(self.node)
        titles = {option.id: f"“{option.title}”" for option, _ in self.slot.options}
        lost = [titles[name] for name in before if name not in self.chosen.options]
        gained = [titles[name] for name in self.chosen.options if name not in before]
        if lost:
            yield f"leave out {join_words(lost)} for {self._subject()}"
        if gained:
            yield f"give {self._subject()} {join_words(gained)}"


def _shown_value(kind: NodeKind, name: str, value: str) -> str:
    spec = kind.field_spec(name) or kind.composition.spec(name)
    titles: Mapping[str, str] = spec.of if spec is not None else {}
    if spec is not None and spec.form == "flag":
        return "yes" if value == "true" else "no"
    return lower_first(titles.get(value, value))


def _field_title(kind: NodeKind, name: str) -> str:
    spec = kind.field_spec(name) or kind.composition.spec(name)
    return lower_first(spec.title) if spec is not None and spec.title else name.replace("-", " ")


def _has_noun(kind: NodeKind, name: str) -> bool:
    """Return whether a number is one of things that have a noun: guns, figures."""
    spec = kind.field_spec(name)
    is_size = kind.entry is not None and kind.entry.size == name
    return is_size or (spec is not None and bool(spec.one))


def _with_noun(kind: NodeKind, name: str, number: str) -> str:
    """Return a number with the noun of its field: `1 gun`, `12 figures`."""
    spec = kind.field_spec(name)
    title = _field_title(kind, name)
    one, many = (spec.one, spec.many) if spec is not None else ("", "")
    return f"{number} {(one or title) if number == '1' else (many or title)}"
