"""Draft the legal army that is nearest to a plan and spends its limit."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import Any

from muster.armies import Verdict, check
from muster.armies.army_file import SystemSource, army_from_document
from muster.armies.army_text import format_army
from muster.armies.book_rules import is_barred
from muster.armies.books import profile_of
from muster.armies.fields import FieldValue, as_number, as_text
from muster.armies.raising import DiceRoll, raise_army
from muster.armies.themes import parse_whole_range, unit_level
from muster.armies.vocabulary import LEADER
from muster.solver.army_model import ArmyModel, put_node
from muster.solver.cpsat import (
    Bound,
    Conflict,
    Policy,
    Solution,
    Solver,
    SolverGaveUpError,
    at_value,
    find_conflict,
    limited_effort,
    require_all,
    require_stated,
)
from muster.solver.domains import NodeDomain, demanded_in_unit
from muster.solver.draft_context import DraftContext
from muster.solver.draft_nodes import DraftNamer, PlannedCommand, PlannedNode, planned_size
from muster.solver.draft_plan import plan_army
from muster.solver.linear_model import Interval, LinearExpr
from muster.solver.variables import Slot
from muster.yamlfile import Document, document_from_text

ATTEMPTS = 4
"""How many plans are tried before the total may stay under the limit."""

_MOST_LOOSE = 16
"""How many units may change at first; if that is not enough, all may."""

_EFFORT = 0.1
"""The effort for one of many questions."""

_DRAFT_EFFORT = 20.0
"""The effort for all questions of one draft."""

_WIDE_EFFORT = 5.0
"""The effort for one of the last questions."""


@dataclass(frozen=True, slots=True)
class DraftHeader:
    """The beginning of an army file: the name of the army, and comments of one line each."""

    name: str
    comments: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class DraftedArmy:
    """An army as drafted: the text of its file, its verdict and total, and what was rolled.

    Two drafts with the same `fingerprint` differ at most in names and comments.
    """

    text: str
    verdict: Verdict
    total: Decimal
    units: int
    rolls: tuple[DiceRoll, ...]
    fingerprint: str


@limited_effort(_DRAFT_EFFORT)
def draft_army(
    context: DraftContext, source: SystemSource, seed: int, header: DraftHeader
) -> DraftedArmy | Conflict:
    """Draft an army; the same context and seed give the same text on every machine.

    Returns:
        The army or, if there is none, the rules and requests that contradict each other.

    Raises:
        TooLargeError: If the limit is for more units than a draft can have.
        SolverGaveUpError: If the solver cannot find out whether there is such an army.
    """
    for draft_model, solution in _iter_solutions(context, seed):
        draft = _write_draft(draft_model, solution, seed, source, header)
        if draft.verdict.legal:
            return draft
    return find_conflict(_widest_model(context, seed).model)


def _iter_solutions(context: DraftContext, seed: int) -> Iterator[tuple[DraftModel, Solution]]:
    """Yield solutions, the best first.

    1. Near each of several plans, some units may change; the limit is spent, without a warning.
    2. If there is no such army near a plan, all of its units may change.
    3. In a wide plan everything may change; the limit is spent, without a warning.
    4. As in 3, but the total may stay under the limit.
    5. As in 4, but rules that are not stated may be broken.
    """
    for attempt in range(ATTEMPTS):
        planned = plan_army(context, seed, attempt)
        chance = random.Random(f"{seed} {attempt} loose")  # noqa: S311 - no secret
        units = planned.all_units()
        some = chance.sample(units, min(_MOST_LOOSE, len(units)))
        for loose in (some, None):
            draft_model = DraftModel(context, planned, loose=loose)
            bounds = [draft_model.limit_is_spent]
            solution = _solve_near_plan(draft_model, seed, require_all, bounds)
            if solution is not None:
                yield draft_model, solution
                break
    wide = _widest_model(context, seed)
    solution = _solve_near_plan(wide, seed, require_all, [wide.limit_is_spent])
    if solution is not None:
        yield wide, solution
    for hard in (require_all, require_stated):
        solution = _solve_fullest(wide, seed, hard)
        if solution is not None:
            yield wide, solution


def _widest_model(context: DraftContext, seed: int) -> DraftModel:
    return DraftModel(context, plan_army(context, seed, 0, wide=True), wide=True)


def _solve_near_plan(
    draft_model: DraftModel, seed: int, hard: Policy, bounds: Sequence[Bound]
) -> Solution | None:
    """Return the army nearest to the plan; None if there is none, or if the solver gave up."""
    solver = Solver(draft_model.model, hard=hard, seed=seed, effort=_EFFORT)
    try:
        return solver.solve(
            minimise=draft_model.distance, subject_to=bounds, hints=draft_model.hints
        )
    except SolverGaveUpError:
        return None


def _solve_fullest(draft_model: DraftModel, seed: int, hard: Policy) -> Solution | None:
    """Return the army with the greatest total and, of those, the one nearest to the plan."""
    solver = Solver(draft_model.model, hard=hard, seed=seed, effort=_WIDE_EFFORT)
    total = draft_model.total
    solution = solver.solve(maximise=total, hints=draft_model.hints)
    if solution is None:
        return None
    greatest = at_value(total, floor(solution.value_of(total) / total.step))
    return _solve_near_plan(draft_model, seed, hard, [greatest]) or solution


def _write_draft(
    draft_model: DraftModel,
    solution: Solution,
    seed: int,
    source: SystemSource,
    header: DraftHeader,
) -> DraftedArmy:
    """Return a solution as an army file, with its values rolled, and judged."""
    data = draft_model.army_data(solution, seed, header.name)
    fingerprint = repr(_without_names(data))
    file = f"{header.name}.yaml"
    rolls = raise_army(army_from_document(Document(file, "", data), source), seed)
    for roll in rolls:
        node: Any = data
        for step in roll.path:
            node = node[step]
        node[roll.field] = roll.value
        node["rolled"] = "; ".join(filter(None, [node.get("rolled"), roll.record]))
    text = format_army(data, header.comments)
    army = army_from_document(document_from_text(text, file), source)
    total = solution.value_of(draft_model.total)
    units = int(solution.value_of(draft_model.number))
    return DraftedArmy(
        text, check(army), Decimal(total.numerator) / total.denominator, units, rolls, fingerprint
    )


def _without_names(data: Any) -> Any:
    """Return the data of a file without names."""
    if isinstance(data, dict):
        return {key: _without_names(value) for key, value in data.items() if key != "name"}
    return [_without_names(item) for item in data] if isinstance(data, list) else data


_LARGEST_SIZE = 60
"""The largest size of a unit where neither the book nor the draft says how large it is."""

_ABSENT_WEIGHT = 40
"""The distance from a plan for a planned unit that is left out."""

_SPARE_WEIGHT = 25
"""The distance for a spare unit that joins."""

_VALUE_WEIGHT = 30
"""The distance for a value that is not the planned one."""

_SIZE_WEIGHT = 3
"""The distance for each step of a size away from the planned one."""


class DraftModel:
    """A plan as a model, with the distance from the plan as a sum to minimise.

    Units may be left out, change their size or be joined by spares. If only some units are
    `loose`, the others stay as planned: that is quick, and usually enough to reach the limit. In
    a `wide` model commands may be left out and fields may change too.
    """

    def __init__(
        self,
        context: DraftContext,
        planned: PlannedCommand,
        *,
        wide: bool = False,
        loose: Collection[PlannedNode] | None = None,
    ) -> None:
        self.context = context
        self.planned = planned
        self.wide = wide
        self.loose = None if loose is None else {id(node) for node in loose}
        self.army_model = ArmyModel(context.composition, book=context.book, fields=planned.fields)
        self.model = self.army_model.model
        self.slots: dict[int, Slot] = {id(planned): self.army_model.root}
        self.nodes: list[tuple[PlannedNode, Slot]] = []
        self.distance = LinearExpr()
        self.hints: dict[int, int] = {}
        self._unit_level = unit_level(context.composition)
        self._add_command(planned)
        limit = context.request.limit if context.composition.has_prices else None
        encoding = self.army_model.encode(limit)
        units = [slot for node, slot in self.nodes if node.level == self._unit_level]
        self.number = LinearExpr.total(slot.count for slot in units)
        self.total = encoding.points if encoding.points is not None else self.number
        self._encode_request()

    # Slots

    def _add_command(self, command: PlannedCommand) -> None:
        slot = self.slots[id(command)]
        for leader in command.leaders:
            self._add_node(leader, slot)
        units = [self._add_node(unit, slot) for unit in command.units if self._may_stand(unit)]
        if units and not self.wide:
            low, high = parse_whole_range(command.body.units)
            planned = sum(not unit.spare for unit in command.units)
            number = LinearExpr.total(unit.count for unit in units)
            self.model.require(number, [(min(low, planned), max(high, planned))])
        for below in command.below:
            self.slots[id(below)] = self.army_model.add_command(
                slot, below.body.level, present=None if self.wide else True, fields=below.fields
            )
            self._add_command(below)
        if self.wide and slot is not self.army_model.root:
            units_below = [below for below in slot.walk() if below.level == self._unit_level]
            if units_below:
                number = LinearExpr.total(unit.count for unit in units_below)
                self.model.require(number, [(1, None)], (slot.present,))

    def _may_stand(self, unit: PlannedNode) -> bool:
        """Return whether a unit has a slot. A spare has one only if it is loose."""
        return not unit.spare or self.loose is None or id(unit) in self.loose

    def _add_node(self, node: PlannedNode, above: Slot) -> Slot:
        """Add the slot of a unit or leader, and what a change of it adds to the distance."""
        is_leader = node.level == LEADER
        fixed = self.loose is not None and not is_leader and id(node) not in self.loose
        least = 1 if fixed or (is_leader and not self.wide) else 0
        amounts = {} if fixed else dict(self._amounts(node))
        amounts |= {
            name: ((0, _LARGEST_SIZE), [])
            for name in demanded_in_unit(node.kind)[1]
            if not _profile_states(node, name)
        }
        choices = dict(self._choices(node))
        fields = {
            name: value
            for name, value in node.fields.items()
            if name not in amounts and name not in choices
        }
        bounds = {name: ends for name, (ends, _) in amounts.items()}
        options = [option.id for option in node.options]
        demanded, _ = demanded_in_unit(node.kind)
        profile = node.kind.profile
        free = [
            name
            for name in demanded
            if name not in options
            and (profile is None or not is_barred(profile, node.kind.composition.options[name]))
        ]
        domain = NodeDomain(least, node.most, bounds, choices, free)
        if is_leader:
            slot = self.army_model.add_leader(above, node.key, domain, fields=fields)
        else:
            slot = self.army_model.add_unit(
                above, node.level, node.unit_type, domain, fields=fields, options=options
            )
        self.nodes.append((node, slot))
        if self.wide and is_leader and above.above is not None:
            leaders = self.context.composition.levels[above.level].leaders
            if not leaders[node.key].many:
                self.model.imply(above.present, slot.present)
        for name, (_, sizes) in amounts.items():
            self._bound_size(node, slot, name, sizes)
        self._add_value_distance(node, slot)
        for option, literal in slot.options:
            if option.id in free:
                self.distance += LinearExpr.of(literal) * _VALUE_WEIGHT
        if node.spare:
            self.distance += slot.count * _SPARE_WEIGHT
        else:
            self.distance += (slot.count * -1 + 1) * _ABSENT_WEIGHT
        self._hint(slot.count, 0 if node.spare else 1)
        return slot

    def _add_value_distance(self, node: PlannedNode, slot: Slot) -> None:
        specs = node.kind.field_specs
        for name, literals in slot.choices.items():
            planned = as_text(node.kind.value(name))
            for value, literal in literals.items():
                text = specs[name].default if value is None else as_text(value)
                if text != planned and specs[name].roll is None:
                    self.distance += LinearExpr.of(literal) * _VALUE_WEIGHT

    def _amounts(
        self, node: PlannedNode
    ) -> Iterator[tuple[str, tuple[tuple[int, int], list[int]]]]:
        """Yield the size of a unit, with its bounds and the sizes drawn from, if it may vary."""
        size = planned_size(node)
        if size is None or node.level == LEADER:
            return
        name, _ = size
        drawable = [
            int(value) for value in node.possible_values.get(name, ()) if isinstance(value, int)
        ]
        if self.wide:
            if name in node.kind.field_specs and not _profile_states(node, name):
                yield name, ((1, _LARGEST_SIZE), [])
        elif drawable:
            yield name, ((min(drawable), max(drawable)), drawable)
        elif name in node.fields or node.kind.value(name) is None:
            yield name, ((1, _LARGEST_SIZE), [])

    def _choices(self, node: PlannedNode) -> Iterator[tuple[str, Sequence[FieldValue | None]]]:
        """Yield the choices that may vary.

        They are those of leaders, those that will be rolled, and in a wide model all that rules
        look at.
        """
        names = self.army_model.names
        for name, spec in node.kind.field_specs.items():
            if spec.form != "choice" or name not in names.compared or _profile_states(node, name):
                continue
            possible_values = node.possible_values.get(name, ())
            if spec.roll is not None and name not in node.fields:
                yield name, [value for value in spec.of if value != spec.default]
            elif self.wide or (node.level == LEADER and len(possible_values) > 1):
                drawn = [as_text(value) for value in possible_values]
                values = list(spec.of) if self.wide else [v for v in spec.of if v in drawn]
                choices: list[FieldValue | None] = [v for v in values if v != spec.default]
                if spec.default in values or (not spec.required and self.wide):
                    choices.insert(0, None)
                yield name, choices

    def _bound_size(self, node: PlannedNode, slot: Slot, name: str, sizes: Sequence[int]) -> None:
        """Restrict a size to those drawn from, and add how far it is from the plan."""
        amount = slot.amounts[name]
        if not amount.terms:
            return
        size = planned_size(node)
        is_size = size is not None and size[0] == name
        planned = size[1] if size and is_size else int(as_number(node.kind.value(name)))
        if sizes:
            self.model.require(amount, [(number, number) for number in sorted(set(sizes))])
        low, high = (int(end) for end in self.model.bounds(amount))
        planned = max(low, min(high, planned))
        distance = self.model.relaxed_distance(amount, planned, high - low)
        self.distance += distance * _SIZE_WEIGHT
        self._hint(amount, planned)

    def _hint(self, total: LinearExpr, value: int) -> None:
        if len(total.terms) == 1 and total.constant == 0:
            self.hints[next(iter(total.terms))] = value

    # The request

    def _encode_request(self) -> None:
        """State the request, each part as a rule of its own."""
        context = self.context
        request = context.request
        self._require("some-unit", "An army has at least one unit.", self.number, (1, None))
        if not context.composition.has_prices:
            message = f"The army has at most {request.limit} units."
            self._require("limit", message, self.number, (None, int(request.limit)))
        for key, number in request.include.items():
            title = context.nameable_units[key].title
            many = (
                "at least 1 unit"
                if number is None
                else "1 unit"
                if number == 1
                else f"{number} units"
            )
            message = f"The army has {many} of {title}."
            interval = (number, number) if number is not None else (1, None)
            self._require("include", message, self._count_of(key), interval)
        for key in sorted(request.exclude):
            message = f"The army has no {context.nameable_units[key].title}."
            self._require("exclude", message, self._count_of(key), (None, 0))

    def _count_of(self, key: str) -> LinearExpr:
        return LinearExpr.total(slot.count for node, slot in self.nodes if node.type == key)

    def _require(self, code: str, message: str, total: LinearExpr, interval: Interval) -> None:
        root = self.army_model.root
        group = self.model.group(code, message, "Your request", stated=True, slot=root)
        self.model.require(total, [interval], (), group)

    @property
    def limit_is_spent(self) -> Bound:
        """The bound that the limit is spent, to the last step that totals come in."""
        return at_value(self.total, floor(Fraction(self.context.request.limit) / self.total.step))

    # Solutions

    def army_data(self, solution: Solution, seed: int, name: str) -> dict[str, Any]:
        """Return the army as the data of its file, without what is to be rolled."""
        context = self.context
        data: dict[str, Any] = {"system": context.composition.system.id}
        if context.book is not None:
            data["book"] = context.book.id
        data["name"] = name
        if context.composition.has_prices:
            data["limit"] = f"{context.request.limit.normalize():f}"
        namer = DraftNamer(context, self.planned, seed)
        return data | self._command_data(self.planned, solution, namer)

    def _command_data(
        self, command: PlannedCommand, solution: Solution, namer: DraftNamer
    ) -> dict[str, Any]:
        levels = self.context.composition.levels
        level = levels[command.body.level]
        data: dict[str, Any] = {}
        name = namer.name_body(command)
        if name:
            data["name"] = name
        data |= {key: as_text(value) for key, value in command.fields.items()}
        slots = {id(node): slot for node, slot in self.nodes}
        for node in command.leaders:
            if solution.is_true(slots[id(node)].present):
                node_data = self._node_data(node, slots[id(node)], solution, namer)
                put_node(data, node.key, node_data, many=level.leaders[node.key].many)
        for below in command.below:
            if solution.is_true(self.slots[id(below)].present):
                key = levels[below.body.level].key or below.body.level
                put_node(data, key, self._command_data(below, solution, namer), many=True)
        for node in command.units:
            if id(node) in slots:
                slot = slots[id(node)]
                for _ in range(int(solution.value_of(slot.count))):
                    node_data = self._node_data(node, slot, solution, namer)
                    put_node(data, node.key, node_data, many=True)
        return data

    def _node_data(
        self, node: PlannedNode, slot: Slot, solution: Solution, namer: DraftNamer
    ) -> dict[str, Any]:
        data: dict[str, Any] = {}
        specs = node.kind.field_specs
        if node.level == LEADER:
            name = namer.take_book_name(node)
        else:
            data[node.level] = node.type
            name = namer.name_unit(node)
        if name:
            data["name"] = name
        chosen = self.army_model.chosen(slot, solution)
        for key, value in chosen.fields.items():
            spec = specs[key]
            to_be_rolled = spec.roll is not None and key not in node.fields
            if not to_be_rolled and (value != spec.default or spec.required):
                data[key] = value
        if chosen.options:
            data["options"] = list(chosen.options)
        return data


def _profile_states(node: PlannedNode, name: str) -> bool:
    """Return whether a unit's profile states a field."""
    profile = profile_of(node.unit_type)
    return profile is not None and name in profile.fields
