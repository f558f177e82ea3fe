"""Owns the repair of an army: the smallest change that makes it legal, or why there is none.

Does not write files; `changes` says what changes in one. Smallest is: fewest units touched, then
fewest figures changed, then least added that was not there, then least points lost; among equals
that which warns least and edits least. A unit may go, be fewer, change what rules ask for, or
stand under another command. What was not there comes only where a rule demands it: a missing
leader, and units only where nothing else is legal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from generator.armies import Army, Finding, check
from generator.armies.army import Node
from generator.armies.composition import LEADER
from generator.armies.demands import Demands
from generator.armies.pricing import tag
from generator.armies.roll_call import Shelf, army_from
from generator.armies.slots import Slot
from generator.armies.solving import Group
from generator.armies.verdict import PRICE_UNKNOWN
from generator.reading import Document
from generator.reading.editing import edited_data
from generator.reading.edits import Drop, Edit
from generator.solving.changes import Change, changes_of, fallen_commands
from generator.solving.cpsat import EFFORT, Answer, Solver
from generator.solving.freedom import Freedom, everything
from generator.solving.skeleton import Skeleton
from generator.solving.stakes import Moved, Stakes, at_one_place, by_path, stakes_of
from generator.solving.troops import troops, welcome

KEPT = "keep"
"""The code of what must be left as it is, where rules contradict it."""

_MOST_MOVES = 400
"""As many places elsewhere are thought of; in a greater army units go, or stay where they are."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """An army made legal: the changes, each with what it mends, and the army as it is then."""

    army: Army
    changes: tuple[Change, ...]
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Contradicted:
    """No army is legal: the rules that cannot be kept together, none of them needless."""

    rules: tuple[Group, ...]


def repair(
    army: Army, shelf: Shelf, keep: Collection[Node] = (), *, effort: float = EFFORT
) -> Repaired | Contradicted:
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
        return Repaired(army, (), ())
    for enlarged in (False, True):
        workshop = _Workshop(army, keep, enlarged=enlarged)
        answer = workshop.best(effort)
        if answer is not None:
            return _repaired(army, shelf, workshop, answer)
    return Contradicted(tuple(workshop.contradiction()))


class _Workshop:
    """The skeleton of one army, with all that may be changed and what it is worth."""

    def __init__(self, army: Army, keep: Collection[Node], *, enlarged: bool) -> None:
        self.army = army
        self.composition = army.composition
        self.skeleton = Skeleton.of_army(army, welcome(army.composition))
        self.units = by_path(self.skeleton)
        self.new: list[Slot] = []
        self._move()
        branches = [slot for slot in self.skeleton.slots if slot.branch]
        for slot in branches:
            self._lead(slot)
            if enlarged:
                self._enlarge(slot)
        self.demands: Demands = self.skeleton.demands(army.limit)
        for unit in self.units.values():
            at_one_place(self.skeleton.model, unit)
        self._keep(keep)
        self.stakes: Stakes = stakes_of(self.skeleton, self.demands, self.units.values(), self.new)

    # What may change

    def _move(self) -> None:
        """Let units stand under other commands than their own."""
        branches = [slot for slot in self.skeleton.slots if slot.branch]
        units = [unit for unit in self.units.values() if unit.home.level != LEADER]
        if len(branches) * len(units) > _MOST_MOVES:
            return
        for unit in units:
            self._place_elsewhere(unit, branches)

    def _place_elsewhere(self, unit: Moved, branches: Iterable[Slot]) -> None:
        node = unit.home.node
        assert node is not None  # noqa: S101 - a home is a node of the list
        under = self.composition.levels[node.level].under
        for branch in branches:
            home = branch is unit.home.above
            # Under another book it would be another unit.
            if not home and branch.level in under and branch.sort.book is node.sort.book:
                as_it_is = Freedom(0, node.count)
                unit.elsewhere.append(self.skeleton.stand(branch, node, as_it_is))

    def _lead(self, branch: Slot) -> None:
        """Let a level of command have the leaders that it lacks."""
        level = self.composition.levels[branch.level]
        there = {slot.key for slot in branch.below}
        for key, leader in level.leaders.items():
            entry = self.composition.entries[leader.entry]
            for _ in range(2 if leader.many else int(key not in there)):
                freedom = everything(self.composition, self.skeleton.names, entry)
                bare = Freedom(0, 1, freedom.amounts, freedom.choices)
                self.new.append(self.skeleton.leader(branch, key, bare))

    def _enlarge(self, branch: Slot) -> None:
        """Let a level of command have more units, and one more command of each sort."""
        for level in self.composition.below[branch.level]:
            if level.id in self.composition.bottom:
                for what in troops(self.composition, branch, level.id):
                    freedom = everything(self.composition, self.skeleton.names, what, most=3)
                    self.new.append(self.skeleton.unit(branch, level.id, what, freedom))
            else:
                below = self.skeleton.branch(branch, level.id)
                self.new.append(below)
                self._lead(below)
                self._enlarge(below)

    def _keep(self, keep: Collection[Node]) -> None:
        model = self.skeleton.model
        for node in keep:
            home = self.units[node.path].home
            words = f"{node.label} stays as it is."
            group = model.group(KEPT, words, "What you asked for", stated=True, node=home)
            for total, value in self.skeleton.as_listed(home):
                model.require(total, [(value, value)], (), group)

    # Answers

    def best(self, effort: float) -> Answer | None:
        """Give the smallest change; None if no change makes the army legal."""
        solver = Solver(self.skeleton.model, hard=self._hard, effort=effort)
        answer: Answer | None = None
        for goal in self.stakes.goals():
            if not goal.terms:
                continue
            hints = dict(enumerate(answer.values)) if answer is not None else None
            answer = solver.ask(least=goal, hints=hints)
            if answer is None:
                return None
            least = answer.number(goal)
            solver.require(goal - least, [(None, 0)])
        return answer

    def _hard(self, group: Group) -> bool:
        """Tell whether a rule must be kept; under a limit nothing may lose its price either."""
        if group.code != PRICE_UNKNOWN or self.army.limit is None:
            return group.stated
        node = group.node.node
        priced = tag(node.sort) if node is not None else None
        return priced is None or not priced.missing

    def contradiction(self) -> list[Group]:
        """Give rules that cannot be kept together."""
        free = Solver(
            self.skeleton.model, hard=lambda group: self._hard(group) and not group.stated
        )
        return free.contradiction([g for g in self.skeleton.model.groups if g.stated])


def _repaired(army: Army, shelf: Shelf, workshop: _Workshop, answer: Answer) -> Repaired:
    changes = changes_of(workshop.skeleton, answer, workshop.units.values(), workshop.new)
    attempt = _Attempt(army, shelf)
    attempt.tidy(changes, fallen_commands(workshop.skeleton, answer))
    after = attempt.army(changes)
    if not check(after).legal:
        text = "a repair does not pass the check"
        raise AssertionError(text)
    told = tuple(attempt.mending(changes))
    return Repaired(after, told, tuple(attempt.edits(changes)))


class _Attempt:
    """An army with some of the changes made, to see what they come to."""

    def __init__(self, army: Army, shelf: Shelf) -> None:
        self.before = army
        self.shelf = shelf
        self.needless: list[Node] = []

    def edits(self, changes: Sequence[Change]) -> Iterator[Edit]:
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
                yield Drop(node.path)

    def army(self, changes: Sequence[Change]) -> Army:
        """Give the army with changes made."""
        document = self.before.document
        data = edited_data(document.data, list(self.edits(changes)))
        return army_from(Document(document.file, document.text, data), self.shelf)

    def tidy(self, changes: Sequence[Change], fallen: Sequence[Node]) -> None:
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

    def mending(self, changes: Sequence[Change]) -> Iterator[Change]:
        """Tell of each change what would be wrong without it."""
        for change in changes:
            rest = [each for each in changes if each is not change]
            yield change.mending(_errors(self.army(rest)))


def _errors(army: Army) -> tuple[Finding, ...]:
    return tuple(each for each in check(army).findings if each.severity == "error")
