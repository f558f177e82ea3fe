"""Draft the legal army that is nearest to a plan and spends its limit."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import Any

from muster.armies import Verdict, check
from muster.armies.army_file import SystemSource, army_from_document, format_army
from muster.armies.books import Profile
from muster.armies.composition import LEADER
from muster.armies.fields import FieldValue, as_text
from muster.armies.raising import DiceRoll, raise_army
from muster.armies.themes import parse_whole_range, unit_level
from muster.armies.vocabulary import FieldSpec
from muster.solver.army_model import ArmyModel
from muster.solver.cpsat import Bound, Solution, Solver, SolverGaveUpError
from muster.solver.domains import NodeDomain
from muster.solver.draft_context import DraftContext
from muster.solver.draft_nodes import DraftNamer, PlannedCommand, PlannedNode, planned_size
from muster.solver.draft_plan import plan_army
from muster.solver.linear_model import ConstraintGroup, LinearExpr
from muster.solver.variables import Slot
from muster.yamlfile import Document, document_from_text

ATTEMPTS = 4
"""As many plans are tried before the total may stay under the limit."""

_MOST_LOOSE = 16
"""As many units may change at first; all may, where those are not enough."""

_EFFORT = 0.1
_WIDE_EFFORT = 5.0
"""How much one of many questions may cost, in the solver's own steps, and one of the last."""


@dataclass(frozen=True, slots=True)
class DraftHeader:
    """What an army file says before the army: its name, and comments of a line each."""

    name: str
    comments: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class DraftedArmy:
    """An army as drafted: the text of its file, what it comes to, and what was rolled."""

    text: str
    verdict: Verdict
    total: Decimal
    units: int
    rolls: tuple[DiceRoll, ...]
    fingerprint: str
    """What it is, without names and comments: two drafts with the same are the same army."""


@dataclass(frozen=True, slots=True)
class NoLegalDraft:
    """No army is as it is wished: rules and wishes that contradict each other."""

    rules: tuple[ConstraintGroup, ...]


def draft_army(
    kit: DraftContext, shelf: SystemSource, seed: int, head: DraftHeader
) -> DraftedArmy | NoLegalDraft:
    """Draft an army; the same kit and seed give the same text on every machine.

    Raises:
        TooLargeError: If the limit is for more units than a draft can have.
        TooHardError: If the solver cannot find out whether there is such an army.
    """
    for form, answer in _iter_solutions(kit, seed):
        made = _write_draft(form, answer, seed, shelf, head)
        if made.verdict.legal:
            return made
    wide = _widest_model(kit, seed)
    free = Solver(wide.model, hard=_require_none)
    stated = [group for group in wide.model.groups if group.stated]
    return NoLegalDraft(tuple(free.unsatisfiable_core(stated)))


def _iter_solutions(kit: DraftContext, seed: int) -> Iterator[tuple[DraftModel, Solution]]:
    """Go through answers, the best first: the limit spent, no warning, then with less."""
    for attempt in range(ATTEMPTS):
        planned = plan_army(kit, seed, attempt)
        chance = random.Random(f"{seed} {attempt} loose")  # noqa: S311 - no secret
        units = planned.all_units()
        some = chance.sample(units, min(_MOST_LOOSE, len(units)))
        for loose in (some, None):
            form = DraftModel(kit, planned, loose=loose)
            answer = _solve_near_plan(form, seed, _require_all, [form.spent])
            if answer is not None:
                yield form, answer
                break
    wide = _widest_model(kit, seed)
    answer = _solve_near_plan(wide, seed, _require_all, [wide.spent])
    if answer is not None:
        yield wide, answer
    for hard in (_require_all, _require_stated):
        answer = _solve_fullest(wide, seed, hard)
        if answer is not None:
            yield wide, answer


def _widest_model(kit: DraftContext, seed: int) -> DraftModel:
    return DraftModel(kit, plan_army(kit, seed, 0, wide=True), wide=True)


def _require_all(group: ConstraintGroup) -> bool:
    del group
    return True


def _require_none(group: ConstraintGroup) -> bool:
    del group
    return False


def _require_stated(group: ConstraintGroup) -> bool:
    return group.stated


def _solve_near_plan(
    form: DraftModel, seed: int, hard: Callable[[ConstraintGroup], bool], where: Sequence[Bound]
) -> Solution | None:
    """Ask for the army nearest to the plan, if there is one."""
    solver = Solver(form.model, hard=hard, seed=seed, effort=_EFFORT)
    try:
        return solver.solve(least=form.distance, where=where, hints=form.hints)
    except SolverGaveUpError:
        return None


def _solve_fullest(
    form: DraftModel, seed: int, hard: Callable[[ConstraintGroup], bool]
) -> Solution | None:
    """Ask for the greatest total first, then for what is nearest to the plan."""
    solver = Solver(form.model, hard=hard, seed=seed, effort=_WIDE_EFFORT)
    answer = solver.solve(most=form.total, hints=form.hints)
    if answer is None:
        return None
    best = answer.value_of(form.total)
    scale = form.total.scale
    whole = floor(best * scale)
    near = _solve_near_plan(form, seed, hard, [(form.total * scale, [(whole, whole)])])
    return near or answer


def _write_draft(
    form: DraftModel, answer: Solution, seed: int, shelf: SystemSource, head: DraftHeader
) -> DraftedArmy:
    """Write an answer out, rolled and judged."""
    data = form.data(answer, seed, head.name)
    imprint = repr(_without_names(data))
    file = f"{head.name}.yaml"
    rolls = raise_army(army_from_document(Document(file, "", data), shelf), seed)
    for roll in rolls:
        node: Any = data
        for step in roll.path:
            node = node[step]
        node[roll.field] = roll.value
        node["rolled"] = "; ".join(filter(None, [node.get("rolled"), roll.record]))
    text = format_army(data, head.comments)
    army = army_from_document(document_from_text(text, file), shelf)
    total = answer.value_of(form.total)
    known = Decimal(total.numerator) / total.denominator
    units = int(answer.value_of(form.number))
    return DraftedArmy(text, check(army), known, units, rolls, imprint)


def _without_names(data: Any) -> Any:
    """Give what a file says without names."""
    if isinstance(data, dict):
        return {key: _without_names(each) for key, each in data.items() if key != "name"}
    return [_without_names(each) for each in data] if isinstance(data, list) else data


_LARGEST_SIZE = 60
"""As large as a unit gets where nobody says how large it is."""

_ABSENT_WEIGHT = 40
_SPARE_WEIGHT = 25
_VALUE_WEIGHT = 30
_SIZE_WEIGHT = 3
"""What it costs to leave a unit out, to take one more, to say another value, to change a size."""


class DraftModel:
    """A plan as a model: what is planned may change a little, or, if *wide*, in everything.

    Where only some units are `loose`, the others stay as planned: that is quick, and some are
    enough as a rule to make up for what the plan is away from the limit.
    """

    def __init__(
        self,
        kit: DraftContext,
        planned: PlannedCommand,
        *,
        wide: bool = False,
        loose: Collection[PlannedNode] | None = None,
    ) -> None:
        self.kit = kit
        self.planned = planned
        self.wide = wide
        self.loose = None if loose is None else {id(node) for node in loose}
        self.skeleton = ArmyModel(kit.composition, book=kit.book, fields=planned.fields)
        self.model = self.skeleton.model
        self.slots: dict[int, Slot] = {id(planned): self.skeleton.root}
        self.nodes: list[tuple[PlannedNode, Slot]] = []
        self.distance = LinearExpr()
        self.hints: dict[int, int] = {}
        self._units = unit_level(kit.composition)
        self._command(planned)
        demands = self.skeleton.encode(kit.wishes.limit if kit.composition.has_prices else None)
        units = [slot for node, slot in self.nodes if node.level == self._units]
        self.number = LinearExpr.total(slot.count for slot in units)
        self.total = demands.points if demands.points is not None else self.number
        self._wishes()

    # Slots

    def _command(self, command: PlannedCommand) -> None:
        slot = self.slots[id(command)]
        for leader in command.leaders:
            self._node(leader, slot)
        own = [self._node(unit, slot) for unit in command.units if self._stands(unit)]
        if own and not self.wide:
            low, high = parse_whole_range(command.body.units)
            planned = sum(not unit.spare for unit in command.units)
            number = LinearExpr.total(each.count for each in own)
            self.model.require(number, [(min(low, planned), max(high, planned))])
        for below in command.below:
            self.slots[id(below)] = self.skeleton.add_command(
                slot, below.body.level, there=None if self.wide else True, fields=below.fields
            )
            self._command(below)
        if self.wide and slot is not self.skeleton.root:
            below_it = [each for each in slot.walk() if each.level == self._units]
            if below_it:
                number = LinearExpr.total(each.count for each in below_it)
                self.model.require(number, [(1, None)], (slot.present,))

    def _node(self, node: PlannedNode, above: Slot) -> Slot:
        """Give a unit or leader its slot, and what it costs to change it."""
        specs = self.kit.specs(node.sort)
        fast = self.loose is not None and node.level != LEADER and id(node) not in self.loose
        least = 1 if fast or (node.level == LEADER and not self.wide) else 0
        amounts = {} if fast else dict(self._amounts(node))
        choices = dict(self._choices(node, specs))
        fixed = {
            name: value
            for name, value in node.fields.items()
            if name not in amounts and name not in choices
        }
        freedom = NodeDomain(least, 1, {n: ends for n, (ends, _) in amounts.items()}, choices)
        options = [option.id for option in node.options]
        if node.level == LEADER:
            slot = self.skeleton.add_leader(above, node.key, freedom, fields=fixed)
        else:
            slot = self.skeleton.add_unit(
                above, node.level, node.what, freedom, fields=fixed, options=options
            )
        self.nodes.append((node, slot))
        if self.wide and node.level == LEADER and above.above is not None:
            leaders = self.kit.composition.levels[above.level].leaders
            if not leaders[node.key].many:
                self.model.imply(above.present, slot.present)
        for name, (_, values) in amounts.items():
            self._sized(node, slot, name, values)
        for name, lits in slot.choices.items():
            planned = as_text(node.sort.value(name))
            for value, lit in lits.items():
                said = specs[name].default if value is None else as_text(value)
                if said != planned and specs[name].roll is None:
                    self.distance += LinearExpr.of(lit) * _VALUE_WEIGHT
        if node.spare:
            self.distance += slot.count * _SPARE_WEIGHT
        else:
            self.distance += (slot.count * -1 + 1) * _ABSENT_WEIGHT
        self._hint(slot.count, 0 if node.spare else 1)
        return slot

    def _stands(self, unit: PlannedNode) -> bool:
        """Tell whether a unit has a slot: of those that may stand besides, only the loose."""
        return not unit.spare or self.loose is None or id(unit) in self.loose

    def _amounts(
        self, node: PlannedNode
    ) -> Iterator[tuple[str, tuple[tuple[int, int], list[int]]]]:
        """Open a unit's size, as far as it may be drawn."""
        found = planned_size(node)
        if found is None or node.level == LEADER:
            return
        name, _ = found
        free = [int(value) for value in node.free.get(name, ()) if isinstance(value, int)]
        if self.wide:
            if name in self.kit.specs(node.sort) and not _profile_states(node, name):
                yield name, ((1, _LARGEST_SIZE), [])
        elif free:
            yield name, ((min(free), max(free)), free)
        elif name in node.fields or node.sort.value(name) is None:
            yield name, ((1, _LARGEST_SIZE), [])

    def _choices(
        self, node: PlannedNode, specs: dict[str, FieldSpec] | Any
    ) -> Iterator[tuple[str, Sequence[FieldValue | None]]]:
        """Open what a leader may say, what will be rolled, and all that rules ask if wide."""
        names = self.skeleton.names
        for name, spec in specs.items():
            if spec.form != "choice" or name not in names.compared or _profile_states(node, name):
                continue
            if spec.roll is not None and name not in node.fields:
                yield name, [each for each in spec.of if each != spec.default]
            elif self.wide or (node.level == LEADER and len(node.free.get(name, ())) > 1):
                drawn = [as_text(value) for value in node.free.get(name, ())]
                values = list(spec.of) if self.wide else [v for v in spec.of if v in drawn]
                listed: list[FieldValue | None] = [v for v in values if v != spec.default]
                if spec.default in values or (not spec.required and self.wide):
                    listed.insert(0, None)
                yield name, listed

    def _sized(self, node: PlannedNode, slot: Slot, name: str, values: Sequence[int]) -> None:
        """Keep a size to what may be drawn, and count how far it is from the plan."""
        amount = slot.amounts[name]
        planned = next(
            (size for found, size in [planned_size(node) or ("", 0)] if found == name), 0
        )
        if not amount.terms:
            return
        if values:
            self.model.require(amount, [(each, each) for each in sorted(set(values))])
        low, high = (int(end) for end in self.model.bounds(amount))
        planned = max(low, min(high, planned))
        away = self.model.new_int("away", 0, high - low)
        self.model.require(away - amount + planned, [(0, None)])
        self.model.require(away + amount - planned, [(0, None)])
        self.distance += away * _SIZE_WEIGHT
        self._hint(amount, planned)

    def _hint(self, total: LinearExpr, value: int) -> None:
        if len(total.terms) == 1 and total.constant == 0:
            self.hints[next(iter(total.terms))] = value

    # Wishes

    def _wishes(self) -> None:
        """State what the army is to have, each as a rule of its own."""
        kit = self.kit
        wishes = kit.wishes
        self._group("some-unit", "An army has a unit at least.", self.number, (1, None))
        if not kit.composition.has_prices:
            words = f"The army has at most {wishes.limit} units."
            self._group("limit", words, self.number, (None, int(wishes.limit)))
        for key, number in wishes.include.items():
            title = kit.known[key].title
            many = "a unit" if number is None else "1 unit" if number == 1 else f"{number} units"
            words = f"The army has {many} of {title}."
            run = (number, number) if number is not None else (1, None)
            self._group("include", words, self._of(key), run)
        for key in sorted(wishes.exclude):
            words = f"The army has no {kit.known[key].title}."
            self._group("exclude", words, self._of(key), (None, 0))

    def _of(self, key: str) -> LinearExpr:
        return LinearExpr.total(slot.count for node, slot in self.nodes if node.type == key)

    def _group(
        self, code: str, words: str, total: LinearExpr, run: tuple[int | None, int | None]
    ) -> None:
        group = self.model.group(code, words, "your wish", stated=True, slot=self.skeleton.root)
        self.model.require(total, [run], (), group)

    @property
    def spent(self) -> Bound:
        """Say that the limit is spent: to the last step that costs come in."""
        scale = self.total.scale
        whole = floor(Fraction(self.kit.wishes.limit) * scale)
        return self.total * scale, [(whole, whole)]

    # Answers

    def data(self, answer: Solution, seed: int, name: str) -> dict[str, Any]:
        """Give the army as its file says it; what is to be rolled is left out."""
        kit = self.kit
        top: dict[str, Any] = {"system": kit.composition.system.id}
        if kit.book is not None:
            top["book"] = kit.book.id
        top["name"] = name
        if kit.composition.has_prices:
            top["limit"] = f"{kit.wishes.limit.normalize():f}"
        namer = DraftNamer(kit, self.planned, seed)
        return top | self._held(self.planned, answer, namer)

    def _held(self, command: PlannedCommand, answer: Solution, namer: DraftNamer) -> dict[str, Any]:
        level = self.kit.composition.levels[command.body.level]
        held: dict[str, Any] = {}
        name = namer.body(command)
        if name:
            held["name"] = name
        held |= {key: as_text(value) for key, value in command.fields.items()}
        slots = {id(node): slot for node, slot in self.nodes}
        for node in command.leaders:
            if answer.is_true(slots[id(node)].present):
                said = self._said(node, slots[id(node)], answer, namer)
                if level.leaders[node.key].many:
                    held.setdefault(node.key, []).append(said)
                else:
                    held[node.key] = said
        for below in command.below:
            if answer.is_true(self.slots[id(below)].present):
                key = self.kit.composition.levels[below.body.level].key or below.body.level
                held.setdefault(key, []).append(self._held(below, answer, namer))
        for node in command.units:
            if id(node) in slots and answer.is_true(slots[id(node)].present):
                said = self._said(node, slots[id(node)], answer, namer)
                held.setdefault(node.key, []).append(said)
        return held

    def _said(
        self, node: PlannedNode, slot: Slot, answer: Solution, namer: DraftNamer
    ) -> dict[str, Any]:
        said: dict[str, Any] = {}
        specs = self.kit.specs(node.sort)
        if node.level == LEADER:
            name = namer.listed(node)
        else:
            said[node.level] = node.type
            name = namer.unit(node)
        if name:
            said["name"] = name
        chosen = self.skeleton.chosen(slot, answer)
        for key, value in chosen.fields.items():
            spec = specs[key]
            drawn = spec.roll is not None and key not in node.fields
            if not drawn and (value != spec.default or spec.required):
                said[key] = value
        if chosen.options:
            said["options"] = list(chosen.options)
        return said


def _profile_states(node: PlannedNode, name: str) -> bool:
    """Tell whether a unit's profile states a field."""
    return isinstance(node.what, Profile) and name in node.what.fields
