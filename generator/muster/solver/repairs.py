"""Find the smallest change that makes an army legal, or the rules that contradict each other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from muster.armies import Army, Finding, Verdict, check
from muster.armies.army import Node
from muster.armies.army_file import SystemSource, army_from_document
from muster.armies.composition import LEADER
from muster.armies.pricing import price_of_kind
from muster.armies.verdict import PRICE_UNKNOWN
from muster.solver.army_changes import NodeChange, list_changes, removed_commands
from muster.solver.army_model import ArmyModel
from muster.solver.cpsat import (
    Conflict,
    Solution,
    Solver,
    SolverGaveUpError,
    find_conflict,
    limited_effort,
)
from muster.solver.domains import (
    MOST_ALIKE,
    NodeDomain,
    available_units,
    demandable_options,
    demanded_number,
    full_domain,
)
from muster.solver.linear_model import ConstraintGroup
from muster.solver.objectives import (
    UnitPlaces,
    build_objectives,
    require_one_place,
    units_by_path,
)
from muster.solver.variables import Slot
from muster.yamlfile import Document
from muster.yamlfile.editing import Edit, Remove, edit_data

KEEP_CODE = "keep"
"""The code of the rule that a unit must stay as it is, if it is part of a conflict."""

_MOST_PLACES = 400
"""How many units times commands a list may have for its units to move between commands."""

_REPAIR_EFFORT = 5.0
"""How much all questions of one repair may cost together."""


@dataclass(frozen=True, slots=True)
class RepairedArmy:
    """An army made legal: the army, the changes, each with what it fixes, and their edits."""

    army: Army
    changes: tuple[NodeChange, ...]
    edits: tuple[Edit, ...]


def repair_army(
    army: Army, source: SystemSource, keep: Collection[Node] = ()
) -> RepairedArmy | Conflict:
    """Return the smallest change that makes an army legal and keeps its limit.

    Args:
        army: The army as it is. One that is legal needs no change.
        source: Where its system and books are found.
        keep: Nodes that must stay just as they are.

    Raises:
        SolverGaveUpError: If the solver gave up.
    """
    if check(army).legal:
        return RepairedArmy(army, (), ())
    with limited_effort(_REPAIR_EFFORT):
        for enlarged in (False, True):
            repair_model = _RepairModel(army, keep, enlarged=enlarged)
            solution = repair_model.smallest_change()
            if solution is not None:
                return _build_repair(army, source, repair_model, solution)
        return repair_model.conflict()


class _RepairModel:
    """The model of one army, with everything that may change, and the objectives.

    An `enlarged` model also allows new units and new commands.
    """

    def __init__(self, army: Army, keep: Collection[Node], *, enlarged: bool) -> None:
        self.army = army
        self.composition = army.composition
        self.army_model = ArmyModel.of_army(army, demandable_options(army.composition), legal=True)
        self.units = units_by_path(self.army_model)
        self.new: list[Slot] = []
        self._allow_moves()
        branches = [slot for slot in self.army_model.slots if slot.is_branch]
        for slot in branches:
            self._allow_missing_leaders(slot)
            if enlarged:
                self._allow_new_units(slot)
        encoding = self.army_model.encode(army.limit)
        for unit in self.units.values():
            require_one_place(self.army_model.model, unit)
        self._require_unchanged(keep)
        known = {(finding.code, finding.node.path) for finding in check(army).findings}
        self.objectives = build_objectives(
            self.army_model, encoding, self.units.values(), self.new, known
        )

    # What may change

    def _allow_moves(self) -> None:
        """Let units move to other commands, unless the army is too large for that."""
        branches = [slot for slot in self.army_model.slots if slot.is_branch]
        units = [unit for unit in self.units.values() if unit.home.level != LEADER]
        if len(branches) * len(units) > _MOST_PLACES:
            return
        for unit in units:
            self._add_other_places(unit, branches)

    def _add_other_places(self, unit: UnitPlaces, branches: Iterable[Slot]) -> None:
        node = unit.home.node
        assert node is not None  # noqa: S101 - a home is a node of the list
        under = self.composition.levels[node.level].under
        for branch in branches:
            is_home = branch is unit.home.above
            # Under another book it would be another unit.
            if not is_home and branch.level in under and branch.kind.book is node.kind.book:
                unchanged = NodeDomain(0, node.count)
                unit.elsewhere.append(self.army_model.add_node(branch, node, unchanged))

    def _allow_missing_leaders(self, branch: Slot) -> None:
        """Let a level of command have the leaders that it lacks."""
        level = self.composition.levels[branch.level]
        present = {slot.key for slot in branch.below}
        for key, leader in level.leaders.items():
            for _ in range(2 if leader.many else int(key not in present)):
                self.new.append(self.army_model.add_open_leader(branch, key))

    def _allow_new_units(self, branch: Slot) -> None:
        """Let a level of command have more units, and as many commands as a rule demands."""
        composition = self.composition
        for level in composition.levels_below[branch.level]:
            number = demanded_number(composition, level.id)
            if level.id in composition.bottom_levels:
                most = max(MOST_ALIKE, number)
                for unit_type in available_units(composition, branch.kind.book, level.id):
                    domain = full_domain(composition, self.army_model.names, unit_type, most=most)
                    slot = self.army_model.add_unit(branch, level.id, unit_type, domain)
                    self.new.append(slot)
                continue
            for below in self.army_model.add_commands(branch, level, number):
                self.new.append(below)
                self._allow_missing_leaders(below)
                self._allow_new_units(below)

    def _require_unchanged(self, keep: Collection[Node]) -> None:
        model = self.army_model.model
        for node in keep:
            home = self.units[node.path].home
            message = f"{node.label} stays as it is."
            group = model.group(KEEP_CODE, message, "Your request", stated=True, slot=home)
            for total, value in self.army_model.listed_values(home):
                model.require(total, [(value, value)], (), group)

    # Solutions

    def smallest_change(self) -> Solution | None:
        """Return the smallest change; None if no change makes the army legal."""
        solver = Solver(self.army_model.model, hard=self._is_hard)
        solution: Solution | None = None
        for objective in self.objectives.in_order():
            if not objective.terms:
                continue
            hints = dict(enumerate(solution.values)) if solution is not None else None
            solution = solver.solve(minimise=objective, hints=hints)
            if solution is None:
                return None
            solver.require(objective - solution.value_of(objective), [(None, 0)])
        return solution

    def _is_hard(self, group: ConstraintGroup) -> bool:
        """Return whether a rule must be kept. Under a limit, no price may become unknown either."""
        if group.code != PRICE_UNKNOWN or self.army.limit is None:
            return group.stated
        slot: Slot = group.slot
        priced = price_of_kind(slot.node.kind) if slot.node is not None else None
        return priced is None or not priced.missing

    def conflict(self) -> Conflict:
        """Return rules that cannot be kept together."""
        return find_conflict(
            self.army_model.model, hard=lambda group: self._is_hard(group) and not group.stated
        )


def _build_repair(
    army: Army, source: SystemSource, repair_model: _RepairModel, solution: Solution
) -> RepairedArmy:
    army_model = repair_model.army_model
    changes = list_changes(army_model, solution, repair_model.units.values(), repair_model.new)
    trial = _TrialArmy(army, source)
    trial.find_empty_commands(changes, removed_commands(army_model, solution))
    repaired = trial.army_with(changes)
    if not check(repaired).legal:
        text = "a repair does not pass the check"
        raise AssertionError(text)
    with_fixes = tuple(trial.with_fixes(changes))
    return RepairedArmy(repaired, with_fixes, tuple(trial.edits(changes)))


class _TrialArmy:
    """An army with some of the changes made, to check the result."""

    def __init__(self, army: Army, source: SystemSource) -> None:
        self.before = army
        self.source = source
        self.empty_commands: list[Node] = []

    def edits(self, changes: Sequence[NodeChange]) -> Iterator[Edit]:
        """Yield the edits of changes, and the removals of commands that end up empty."""
        for change in changes:
            yield from change.edits
        removed = {change.node.path for change in changes if change.node and change.removes_node}
        target_paths = {change.target_path for change in changes if change.target_path is not None}
        for node in self.empty_commands:
            if node.path not in removed | target_paths and all(
                child.path in removed for child in node.children
            ):
                removed.add(node.path)
                yield Remove(node.path)

    def army_with(self, changes: Sequence[NodeChange]) -> Army:
        """Return the army with changes made."""
        document = self.before.document
        data = edit_data(document.data, list(self.edits(changes)))
        return army_from_document(Document(document.file, document.text, data), self.source)

    def find_empty_commands(self, changes: Sequence[NodeChange], removed: Sequence[Node]) -> None:
        """Find the commands to take out because changes leave nothing in them.

        Args:
            changes: The changes.
            removed: Commands that must not stay, even empty. The others are taken out only if
                the army is legal without them too.
        """
        branches = [node for node in self.before.nodes() if node.is_branch and node.path]
        # Inner commands come first: a command that holds nothing but empty ones is empty then.
        self.empty_commands = [node for node in reversed(branches) if node in removed]
        for node in reversed(branches):
            if node.children and node not in removed:
                self.empty_commands.append(node)
                if not check(self.army_with(changes)).legal:
                    self.empty_commands.remove(node)

    def with_fixes(self, changes: Sequence[NodeChange]) -> Iterator[NodeChange]:
        """Yield each change with the errors that there would be without it."""
        for change in changes:
            others = [other for other in changes if other is not change]
            yield change.with_fixes(_errors_of(self.army_with(others)))


def _errors_of(army: Army) -> tuple[Finding, ...]:
    return tuple(finding for finding in check(army).findings if finding.severity == "error")


REMEDY_EFFORT = 0.3
"""How much all questions for the remedies of a list may cost: about a second of work."""

MOST_NODES = 80
"""The most nodes of a list that is repaired for its remedies; a longer one is only checked."""

_MOST_SHOWN = 3


def with_smallest_changes(verdict: Verdict, source: SystemSource) -> Verdict:
    """Return a verdict whose errors have the changes of the smallest repair in their remedies.

    A verdict without errors stays as it is. So does the verdict of a long list, and of one that
    the solver finds no repair for.
    """
    if verdict.legal or sum(1 for _ in verdict.army.nodes()) > MOST_NODES:
        return verdict
    try:
        with limited_effort(REMEDY_EFFORT):
            repair = repair_army(verdict.army, source)
    except SolverGaveUpError:
        return verdict
    if not isinstance(repair, RepairedArmy):
        return verdict
    findings = tuple(_with_smallest_change(finding, repair) for finding in verdict.findings)
    return replace(verdict, findings=findings)


def _with_smallest_change(finding: Finding, repair: RepairedArmy) -> Finding:
    if finding.severity != "error":
        return finding
    changes = [change for change in repair.changes if _fixes(change, finding)]
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
    change = f"Smallest change: {'; '.join(words)}."
    return replace(finding, remedy=f"{finding.remedy} {change}".strip())


def _fixes(change: NodeChange, finding: Finding) -> bool:
    """Return whether a change fixes a finding of this code, at or below the finding's node."""
    if finding.code not in {fixed.code for fixed in change.fixes}:
        return False
    path = finding.node.path
    changed = change.target_path if change.node is None else change.node.path
    return changed is not None and changed[: len(path)] == path
