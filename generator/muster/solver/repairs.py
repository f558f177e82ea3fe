"""Find the smallest change that makes an army legal, or the rules that contradict each other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from muster.armies import Army, Finding, Verdict, check
from muster.armies.army import Node
from muster.armies.army_file import SystemSource, army_from_document
from muster.armies.composition import LEADER
from muster.armies.linear_model import ConstraintGroup
from muster.armies.pricing import price_of_kind
from muster.armies.verdict import PRICE_UNKNOWN
from muster.solver.army_changes import NodeChange, list_changes, removed_commands
from muster.solver.army_model import ArmyModel
from muster.solver.cpsat import DEFAULT_EFFORT, Solution, Solver, SolverGaveUpError
from muster.solver.domains import NodeDomain, available_units, demandable_options, full_domain
from muster.solver.encoding import Encoding
from muster.solver.objectives import (
    Objectives,
    UnitPlaces,
    build_objectives,
    require_one_place,
    units_by_path,
)
from muster.solver.variables import Slot
from muster.yamlfile import Document
from muster.yamlfile.editing import Edit, Remove, edit_data

KEEP_CODE = "keep"
"""The code of what must be left as it is, where rules contradict it."""

_MOST_PLACES = 400
"""As many places elsewhere are thought of; in a greater army units go, or stay where they are."""


@dataclass(frozen=True, slots=True)
class RepairedArmy:
    """An army made legal: the changes, each with what it mends, and the army as it is then."""

    army: Army
    changes: tuple[NodeChange, ...]
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class NoLegalRepair:
    """No army is legal: the rules that cannot be kept together, none of them needless."""

    rules: tuple[ConstraintGroup, ...]


def repair_army(
    army: Army, shelf: SystemSource, keep: Collection[Node] = (), *, effort: float = DEFAULT_EFFORT
) -> RepairedArmy | NoLegalRepair:
    """Find the smallest change that makes an army legal and keeps its limit.

    Args:
        army: As it is; one that is legal needs no change.
        shelf: Where its books are found.
        keep: Nodes that must stay just as they are.
        effort: How much each question to the solver may cost.

    Raises:
        TooHardError: If the solver gave up.
    """
    if check(army).legal:
        return RepairedArmy(army, (), ())
    for enlarged in (False, True):
        workshop = _RepairModel(army, keep, enlarged=enlarged)
        answer = workshop.best(effort)
        if answer is not None:
            return _build_repair(army, shelf, workshop, answer)
    return NoLegalRepair(tuple(workshop.contradiction()))


class _RepairModel:
    """The skeleton of one army, with all that may be changed and what it is worth."""

    def __init__(self, army: Army, keep: Collection[Node], *, enlarged: bool) -> None:
        self.army = army
        self.composition = army.composition
        self.skeleton = ArmyModel.of_army(army, demandable_options(army.composition))
        self.units = units_by_path(self.skeleton)
        self.new: list[Slot] = []
        self._move()
        branches = [slot for slot in self.skeleton.slots if slot.branch]
        for slot in branches:
            self._lead(slot)
            if enlarged:
                self._enlarge(slot)
        self.demands: Encoding = self.skeleton.encode(army.limit)
        for unit in self.units.values():
            require_one_place(self.skeleton.model, unit)
        self._keep(keep)
        self.stakes: Objectives = build_objectives(
            self.skeleton, self.demands, self.units.values(), self.new
        )

    # What may change

    def _move(self) -> None:
        """Let units stand under other commands than their own."""
        branches = [slot for slot in self.skeleton.slots if slot.branch]
        units = [unit for unit in self.units.values() if unit.home.level != LEADER]
        if len(branches) * len(units) > _MOST_PLACES:
            return
        for unit in units:
            self._place_elsewhere(unit, branches)

    def _place_elsewhere(self, unit: UnitPlaces, branches: Iterable[Slot]) -> None:
        node = unit.home.node
        assert node is not None  # noqa: S101 - a home is a node of the list
        under = self.composition.levels[node.level].under
        for branch in branches:
            home = branch is unit.home.above
            # Under another book it would be another unit.
            if not home and branch.level in under and branch.sort.book is node.kind.book:
                as_it_is = NodeDomain(0, node.count)
                unit.elsewhere.append(self.skeleton.add_node(branch, node, as_it_is))

    def _lead(self, branch: Slot) -> None:
        """Let a level of command have the leaders that it lacks."""
        level = self.composition.levels[branch.level]
        there = {slot.key for slot in branch.below}
        for key, leader in level.leaders.items():
            entry = self.composition.entries[leader.entry]
            for _ in range(2 if leader.many else int(key not in there)):
                freedom = full_domain(self.composition, self.skeleton.names, entry)
                bare = NodeDomain(0, 1, freedom.amounts, freedom.choices)
                self.new.append(self.skeleton.add_leader(branch, key, bare))

    def _enlarge(self, branch: Slot) -> None:
        """Let a level of command have more units, and one more command of each sort."""
        for level in self.composition.levels_below[branch.level]:
            if level.id in self.composition.bottom_levels:
                for what in available_units(self.composition, branch, level.id):
                    freedom = full_domain(self.composition, self.skeleton.names, what, most=3)
                    self.new.append(self.skeleton.add_unit(branch, level.id, what, freedom))
            else:
                below = self.skeleton.add_command(branch, level.id)
                self.new.append(below)
                self._lead(below)
                self._enlarge(below)

    def _keep(self, keep: Collection[Node]) -> None:
        model = self.skeleton.model
        for node in keep:
            home = self.units[node.path].home
            words = f"{node.label} stays as it is."
            group = model.group(KEEP_CODE, words, "What you asked for", stated=True, node=home)
            for total, value in self.skeleton.as_listed(home):
                model.require(total, [(value, value)], (), group)

    # Answers

    def best(self, effort: float) -> Solution | None:
        """Give the smallest change; None if no change makes the army legal."""
        solver = Solver(self.skeleton.model, hard=self._hard, effort=effort)
        answer: Solution | None = None
        for goal in self.stakes.goals():
            if not goal.terms:
                continue
            hints = dict(enumerate(answer.values)) if answer is not None else None
            answer = solver.solve(least=goal, hints=hints)
            if answer is None:
                return None
            least = answer.value_of(goal)
            solver.require(goal - least, [(None, 0)])
        return answer

    def _hard(self, group: ConstraintGroup) -> bool:
        """Tell whether a rule must be kept; under a limit nothing may lose its price either."""
        if group.code != PRICE_UNKNOWN or self.army.limit is None:
            return group.stated
        node = group.node.node
        priced = price_of_kind(node.kind) if node is not None else None
        return priced is None or not priced.missing

    def contradiction(self) -> list[ConstraintGroup]:
        """Give rules that cannot be kept together."""
        free = Solver(
            self.skeleton.model, hard=lambda group: self._hard(group) and not group.stated
        )
        return free.unsatisfiable_core([g for g in self.skeleton.model.groups if g.stated])


def _build_repair(
    army: Army, shelf: SystemSource, workshop: _RepairModel, answer: Solution
) -> RepairedArmy:
    changes = list_changes(workshop.skeleton, answer, workshop.units.values(), workshop.new)
    attempt = _TrialArmy(army, shelf)
    attempt.tidy(changes, removed_commands(workshop.skeleton, answer))
    after = attempt.army(changes)
    if not check(after).legal:
        text = "a repair does not pass the check"
        raise AssertionError(text)
    told = tuple(attempt.mending(changes))
    return RepairedArmy(after, told, tuple(attempt.edits(changes)))


class _TrialArmy:
    """An army with some of the changes made, to see what they come to."""

    def __init__(self, army: Army, shelf: SystemSource) -> None:
        self.before = army
        self.shelf = shelf
        self.needless: list[Node] = []

    def edits(self, changes: Sequence[NodeChange]) -> Iterator[Edit]:
        """Give the edits of changes, and of commands that nothing is left in."""
        for change in changes:
            yield from change.edits
        leaving = {change.node.path for change in changes if change.node and change.leaves}
        comers = {change.to for change in changes if change.to is not None}
        for node in self.needless:
            if node.path not in leaving | comers and all(
                child.path in leaving for child in node.children
            ):
                leaving.add(node.path)
                yield Remove(node.path)

    def army(self, changes: Sequence[NodeChange]) -> Army:
        """Give the army with changes made."""
        document = self.before.document
        data = edit_data(document.data, list(self.edits(changes)))
        return army_from_document(Document(document.file, document.text, data), self.shelf)

    def tidy(self, changes: Sequence[NodeChange], fallen: Sequence[Node]) -> None:
        """Take out commands that the changes leave nothing in, where that is legal too.

        Args:
            changes: What changes.
            fallen: Commands that must not be left empty.
        """
        branches = [node for node in self.before.nodes() if node.is_branch and node.path]
        # Those inside others first: what holds nothing but an empty one is empty then.
        self.needless = [node for node in reversed(branches) if node in fallen]
        for node in reversed(branches):
            if node.children and node not in fallen:
                self.needless.append(node)
                if not check(self.army(changes)).legal:
                    self.needless.remove(node)

    def mending(self, changes: Sequence[NodeChange]) -> Iterator[NodeChange]:
        """Tell of each change what would be wrong without it."""
        for change in changes:
            rest = [each for each in changes if each is not change]
            yield change.mending(_errors_of(self.army(rest)))


def _errors_of(army: Army) -> tuple[Finding, ...]:
    return tuple(each for each in check(army).findings if each.severity == "error")


REMEDY_EFFORT = 0.3
"""What a question may cost, in the solver's own steps: about a second where a list is hard."""

MOST_NODES = 80
"""As many entries a list may have: a longer one is told at once, with the plain remedies."""

_MOST_SHOWN = 3


def with_smallest_changes(verdict: Verdict, shelf: SystemSource) -> Verdict:
    """Give a verdict whose errors say what the smallest repair does about them.

    A verdict that has no error stays as it is, and so does one of a long list, or of a list that
    the solver finds no repair for.
    """
    if verdict.legal or sum(1 for _ in verdict.army.nodes()) > MOST_NODES:
        return verdict
    try:
        found = repair_army(verdict.army, shelf, effort=REMEDY_EFFORT)
    except SolverGaveUpError:
        return verdict
    if not isinstance(found, RepairedArmy):
        return verdict
    findings = tuple(_with_smallest_change(finding, found) for finding in verdict.findings)
    return replace(verdict, findings=findings)


def _with_smallest_change(finding: Finding, found: RepairedArmy) -> Finding:
    if finding.severity != "error":
        return finding
    changes = [change for change in found.changes if _fixes(change, finding)]
    if not changes:
        return finding
    words = [
        change.words.removeprefix(f"{finding.node.label}: ")
        if change.node is finding.node
        else change.words
        for change in changes[:_MOST_SHOWN]
    ]
    if len(changes) > _MOST_SHOWN:
        words.append(f"and {len(changes) - _MOST_SHOWN} more, see `muster repair`")
    rules = finding.army.composition.constraints
    own = next((rule.cure or rule.remedy for rule in rules if rule.id == finding.code), "")
    said = "; ".join(words)
    text = f"{said}, or {own.rstrip('.')}" if own else said
    return replace(finding, remedy=f"Smallest change: {text}.")


def _fixes(change: NodeChange, finding: Finding) -> bool:
    """Tell whether a change mends a finding: one of its code, at or below its place."""
    if finding.code not in {mended.code for mended in change.mends}:
        return False
    place = finding.node.path
    own = change.to if change.node is None else change.node.path
    return own is not None and own[: len(place)] == place
