"""Find the smallest change that makes an army legal, or the rules that contradict each other."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from muster.armies import Army, Finding, Verdict, check
from muster.armies.army import Node
from muster.armies.army_file import SystemSource, army_from_document
from muster.armies.books import entry_of
from muster.armies.constraints import RequiresRule
from muster.armies.pricing import price_of_kind
from muster.armies.verdict import OVER_LIMIT, PRICE_UNKNOWN
from muster.armies.vocabulary import LEADER
from muster.solver.army_changes import NodeChange, NodeNames, list_changes, removed_commands
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
    build_objectives,
    require_one_place,
    units_by_path,
)
from muster.solver.variables import Slot
from muster.yamlfile import Document, KeyPath
from muster.yamlfile.editing import Edit, Remove, edit_data

KEEP_CODE = "keep"
"""The code of the rule that a unit must stay as it is, if it is part of a conflict."""

_MOST_PLACES = 400
"""How many moves of units to other commands there may be in a model."""

_NEEDED_OBJECTIVES = 4
"""How many objectives must be reached: what is touched, edited, and broken, and the points."""

_REPAIR_EFFORT = 5.0
"""How much all questions of one repair may cost together."""

_LATER_EFFORT = 0.6
"""How much each objective after the first may cost, so that something is left for the last."""


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
        self.findings = check(army).findings
        self._allow_moves(everywhere=enlarged)
        branches = [slot for slot in self.army_model.slots if slot.is_branch]
        for slot in branches:
            self._allow_missing_leaders(slot)
            if enlarged:
                self._allow_new_units(slot)
            else:
                self._allow_required_units(slot)
        encoding = self.army_model.encode(army.limit)
        for unit in self.units.values():
            require_one_place(self.army_model.model, unit)
        self._require_unchanged(keep)
        known = {(finding.code, finding.node.path) for finding in self.findings}
        self.objectives = build_objectives(
            self.army_model, encoding, self.units.values(), self.new, known
        )

    # What may change

    def _allow_moves(self, *, everywhere: bool) -> None:
        """Let units move to other commands where a move may put an error right.

        A unit moves if it is at fault, or if the command that it leaves or joins is, or to join a
        unit that is at fault and may have to go. If the army as
        a whole is at fault, and not only for its points, any unit may move anywhere. It may change
        as well if its command is at fault. An army that is too large for all moves has only those
        of its faulty units and commands; if these are too many, it has none.
        """
        errors = [finding for finding in self.findings if finding.severity == "error"]
        everywhere |= any(not each.node.path and each.code != OVER_LIMIT for each in errors)
        faulty = {finding.node.path for finding in errors if finding.node.path}
        around = {each.node.parent_path for each in errors if each.node.path}
        branches = [slot for slot in self.army_model.slots if slot.is_branch]
        units = [unit for unit in self.units.values() if unit.home.level != LEADER]
        every_move = [
            (unit, branch)
            for unit in units
            for branch in branches
            if self._can_join(unit.home, branch)
        ]
        moves = [
            (unit, branch)
            for unit, branch in every_move
            if (branch.node is not None and branch.node.path in around)
            or any(_stands_in(slot, path) for slot in (unit.home, branch) for path in faulty)
        ]
        if everywhere and len(every_move) <= _MOST_PLACES:
            moves = every_move
        if len(moves) > _MOST_PLACES:
            return
        for unit, branch in moves:
            node = unit.home.listed_node
            if node.parent_path in faulty:
                place = self.army_model.add_place(branch, unit.home)
            else:
                place = self.army_model.add_node(branch, node, NodeDomain(0, node.count))
            unit.elsewhere.append(place)

    def _can_join(self, home: Slot, branch: Slot) -> bool:
        """Return whether a unit may stand in another command. Under another book it is another."""
        under = self.composition.levels[home.level].under
        return (
            branch is not home.above
            and branch.level in under
            and branch.kind.book is home.kind.book
        )

    def _allow_missing_leaders(self, branch: Slot) -> None:
        """Let a level of command have the leaders that it lacks."""
        level = self.composition.levels[branch.level]
        present = {slot.key for slot in branch.below}
        for key, leader in level.leaders.items():
            for _ in range(2 if leader.many else int(key not in present)):
                self.new.append(self.army_model.add_open_leader(branch, key))

    def _allow_required_units(self, branch: Slot) -> None:
        """Let a command have a unit of each type that a broken rule requires beside what it has."""
        for entry in self._required_entries(branch):
            for level in self.composition.levels_below[branch.level]:
                if level.id not in self.composition.bottom_levels:
                    continue
                for unit_type in available_units(self.composition, branch.kind.book, level.id):
                    if entry_of(unit_type).id == entry:
                        domain = full_domain(self.composition, self.army_model.names, unit_type)
                        slot = self.army_model.add_unit(branch, level.id, unit_type, domain)
                        self.new.append(slot)

    def _required_entries(self, branch: Slot) -> Iterator[str]:
        """Yield the types that a broken rule requires in a command, or in one above it."""
        rules = {
            rule.id: rule
            for rule in self.composition.constraints
            if isinstance(rule, RequiresRule) and rule.stated
        }
        seen: set[str] = set()
        for finding in self.findings:
            rule, path = rules.get(finding.code), finding.node.path
            if rule is not None and branch.listed_node.path[: len(path)] == path:
                yield from (entry for entry in rule.needs.entry if entry not in seen)
                seen |= set(rule.needs.entry)

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
        """Return the smallest change; None if no change makes the army legal.

        If the effort is spent once the first objectives are reached, the best change so far is
        returned: it differs from the smallest in small things only.
        """
        model = self.army_model.model
        solver = Solver(model, hard=self._is_hard)
        solution: Solution | None = None
        hints = self._values_of_the_list()
        for place, objective in enumerate(self.objectives.in_order()):
            if not objective.terms:
                continue
            least, _ = model.bounds(objective)
            if solution is None or solution.value_of(objective) > least:
                effort = None if solution is None else _LATER_EFFORT
                try:
                    solution = solver.solve(minimise=objective, hints=hints, effort=effort)
                except SolverGaveUpError:
                    if solution is None or place < _NEEDED_OBJECTIVES:
                        raise
                    return solution
            if solution is None:
                return None
            hints = dict(enumerate(solution.values))
            solver.require(objective - solution.value_of(objective), [(None, 0)])
        return solution

    def _values_of_the_list(self) -> dict[int, int]:
        """Return the values that the variables of the list have in it, to begin with."""
        return {
            next(iter(total.terms)): value
            for total, value in self.army_model.listed
            if total.constant == 0 and list(total.terms.values()) == [1]
        }

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


def _stands_in(slot: Slot, path: KeyPath) -> bool:
    """Return whether a slot of the list is the node at a path, or stands below it."""
    return slot.node is not None and slot.node.path[: len(path)] == path


def _build_repair(
    army: Army, source: SystemSource, repair_model: _RepairModel, solution: Solution
) -> RepairedArmy:
    army_model = repair_model.army_model
    changes = list_changes(army_model, solution, repair_model.units.values(), repair_model.new)
    trial = _TrialArmy(army, source)
    trial.find_empty_commands(changes, removed_commands(army_model, solution))
    changes = trial.with_emptied_commands(changes)
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
        # One that was empty all along goes by a change of its own.
        self.empty_commands = [
            node for node in reversed(branches) if node in removed and node.children
        ]
        for node in reversed(branches):
            if node.children and node not in removed:
                self.empty_commands.append(node)
                if not check(self.army_with(changes)).legal:
                    self.empty_commands.remove(node)

    def with_emptied_commands(self, changes: Sequence[NodeChange]) -> list[NodeChange]:
        """Return changes with words for the commands that they leave empty and that go with them.

        The last change that takes something out of a command says so.
        """
        names = NodeNames.of_army(self.before)
        removed = [edit.path for edit in self.edits(changes) if isinstance(edit, Remove)]
        changed = {change.node.path for change in changes if change.node is not None}
        worded = list(changes)
        for node in self.empty_commands:
            is_inside = any(node.path[: len(path)] == path for path in removed if path != node.path)
            if node.path not in removed or node.path in changed or is_inside:
                continue
            place = max(
                place
                for place, change in enumerate(worded)
                if change.node is not None and change.node.path[: len(node.path)] == node.path
            )
            last = worded[place]
            words = f"{last.words} and remove {names.name(node)}, which is then empty"
            worded[place] = replace(last, words=words)
        return worded

    def with_fixes(self, changes: Sequence[NodeChange]) -> Iterator[NodeChange]:
        """Yield each change with the errors that there would be without it.

        An error that several changes would each fix alone is fixed by the one that, in their order,
        leaves no error of its code.
        """
        fixes: list[list[Finding]] = []
        for change in changes:
            others = [other for other in changes if other is not change]
            fixes.append(list(_errors_of(self.army_with(others))))
        fixed = {finding.code for findings in fixes for finding in findings}
        open_errors = [each for each in _errors_of(self.before) if each.code not in fixed]
        for place in range(len(changes)) if open_errors else ():
            left = {finding.code for finding in _errors_of(self.army_with(changes[: place + 1]))}
            fixes[place] += [finding for finding in open_errors if finding.code not in left]
            open_errors = [finding for finding in open_errors if finding.code in left]
        for change, findings in zip(changes, fixes, strict=True):
            yield change.with_fixes(tuple(findings))


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
    shown = _changes_by_finding(verdict.findings, repair.changes)
    findings = tuple(
        _with_changes(finding, shown[place], repair.changes) if place in shown else finding
        for place, finding in enumerate(verdict.findings)
    )
    return replace(verdict, findings=findings)


def _changes_by_finding(
    findings: Sequence[Finding], changes: Sequence[NodeChange]
) -> dict[int, list[NodeChange]]:
    """Return the changes that the remedy of each error names, by the place of the error.

    Together the remedies name every change at least once, so that the army is legal when all of
    them are followed. A change that would be left out stands at the first error that it fixes.
    """
    errors = {
        place: finding for place, finding in enumerate(findings) if finding.severity == "error"
    }
    shown = {
        place: [change for change in changes if _fixes(change, finding)][:_MOST_SHOWN]
        for place, finding in errors.items()
    }
    named = {id(change) for each in shown.values() for change in each}
    for change in changes:
        if id(change) not in named:
            codes = {fixed.code for fixed in change.fixes}
            fixed = (place for place, finding in errors.items() if _fixes(change, finding))
            alike = (place for place, finding in errors.items() if finding.code in codes)
            shown[next(fixed, next(alike, next(iter(errors))))].append(change)
    return shown


def _with_changes(
    finding: Finding, shown: Sequence[NodeChange], changes: Sequence[NodeChange]
) -> Finding:
    """Return a finding with changes in its remedy, and how many more there are."""
    if not shown:
        return finding
    words = [change.words for change in shown]
    fixing = [change for change in changes if _fixes(change, finding)]
    if len(fixing) > len(shown):
        words.append(f"and {len(fixing) - len(shown)} more, see `muster repair`")
    change = f"Smallest change: {'; '.join(words)}."
    return replace(finding, remedy=f"{finding.remedy} {change}".strip())


def _fixes(change: NodeChange, finding: Finding) -> bool:
    """Return whether a change fixes a finding, or one of its code where it takes or puts a unit."""
    path = finding.node.path
    fixed = [each.node.path for each in change.fixes if each.code == finding.code]
    changed = [each for each in (change.node and change.node.path, change.target_path) if each]
    return bool(fixed) and (path in fixed or any(at[: len(path)] == path for at in changed))
