"""Find which totals of points, up to a limit, legal armies of a book can reach exactly."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import Any

from muster.armies import check
from muster.armies.army_file import SystemSource, army_from_document
from muster.armies.composition import Composition
from muster.armies.verdict import PRICE_UNKNOWN
from muster.limits import MAX_COUNT
from muster.problems import MusterError
from muster.solver.army_model import SearchSpace, Setting, under_limit
from muster.solver.cpsat import Bound, Solver, SolverGaveUpError, at_value, limited_effort
from muster.solver.linear_model import ConstraintGroup, LinearExpr, as_decimal
from muster.solver.variables import Slot
from muster.yamlfile import Document

_COMMANDS_EACH = (2, 4, 8)
"""How many commands of each level stand under an army; the numbers are tried in turn."""

_TOTALS_EFFORT = 100.0
"""The effort for all totals up to a limit."""

_EFFORT = 1.0
"""The effort for a single total."""

_LEAST_TOTAL_EFFORT = 10.0
"""The effort for the least total, which may spare a question for each total below it."""

_MAX_ITERATIONS = 8
_NEIGHBOURS = 30
"""How many variations are tried of each army that the solver finds."""

PointsRange = tuple[Decimal, Decimal]


@dataclass(frozen=True, slots=True)
class Totals:
    """The totals up to a limit that no legal army has, as ranges in multiples of `step`.

    `missed` are out of reach. Of `unknown` totals, no army was found, and the solver could not
    rule one out.
    """

    step: Decimal
    limit: Decimal
    missed: tuple[PointsRange, ...]
    unknown: tuple[PointsRange, ...]


def _is_priced(group: ConstraintGroup) -> bool:
    return group.code == PRICE_UNKNOWN


def is_legal_and_priced(group: ConstraintGroup) -> bool:
    """Return whether a rule must be kept for a total to count: it is stated, or is about prices."""
    return group.stated or _is_priced(group)


@limited_effort(_TOTALS_EFFORT)
def find_totals(search_space: SearchSpace, source: SystemSource, limit: Decimal) -> Totals | None:
    """Find which totals can be reached; None if nothing has a known price."""
    points = search_space.encoding.points
    if points is None or not points.terms:
        return None
    some: Bound = (points, [(1, None)])
    if Solver(search_space.model, hard=_is_priced).solve(subject_to=[some]) is None:
        return None
    step = points.step
    last = int(Fraction(limit) / step)
    if Solver(search_space.model, hard=is_legal_and_priced).solve(subject_to=[some]) is None:
        every = _group_into_ranges([n * step for n in range(1, last + 1)], step)
        return Totals(as_decimal(step), limit, missed=tuple(every), unknown=())
    floor = _lower_bound(search_space)
    solver = Solver(search_space.model, hard=is_legal_and_priced, effort=_EFFORT)
    solver.require(points - floor, [(0, None)])
    reached = _ReachedTotals(search_space, source, limit)
    # One question spares the proofs that each of the totals below is out of reach.
    least = min(_least_total(solver, points), last + 1)
    missed = [n * step for n in range(1, least)]
    unknown: list[Fraction] = []
    for n in range(least, last + 1):
        if n * step in reached.totals:
            continue
        try:
            solution = solver.solve(subject_to=[at_value(points, n)])
        except SolverGaveUpError:
            unknown.append(n * step)
            continue
        if solution is None:
            missed.append(n * step)
        else:
            reached.explore_near(search_space.army_model.army_data(solution))
    ranges = (tuple(_group_into_ranges(totals, step)) for totals in (missed, unknown))
    return Totals(as_decimal(step), limit, *ranges)


def _least_total(solver: Solver, points: LinearExpr) -> int:
    """Return a number of steps that no army costs less than: the least total, if it is found."""
    some: Bound = (points.in_steps(), [(1, None)])
    try:
        solution = solver.solve(minimise=points, subject_to=[some], effort=_LEAST_TOTAL_EFFORT)
    except SolverGaveUpError:
        return 1
    if solution is None:
        return 1
    # If the least total is not found, it is known at least what no army costs less than.
    bound = Fraction(solution.bound, points.scale) + points.constant
    return max(1, ceil(bound / points.step))


def greatest_total_under(
    composition: Composition, setting: Setting, limit: Decimal
) -> Decimal | None:
    """Return the most points, up to a limit, that a legal army can cost; None if none is as cheap.

    Raises:
        SolverGaveUpError: If the solver gave up.
    """
    setting = under_limit(composition, setting, limit)
    points: LinearExpr | None = None
    for commands_each in _COMMANDS_EACH:
        search_space = SearchSpace(composition, setting, commands_each=commands_each, legal=True)
        points = search_space.encoding.points
        if points is None:
            return None
        # Whether a limit can be spent exactly is a quicker question than how much of it can be
        # spent. More commands are tried only where few cannot spend it.
        whole = int(Fraction(limit) / points.step)
        solver = Solver(search_space.model, hard=is_legal_and_priced, effort=_EFFORT)
        with suppress(SolverGaveUpError):
            if solver.solve(subject_to=[at_value(points, whole)]) is not None:
                return as_decimal(whole * points.step)
    assert points is not None  # noqa: S101 - the loop runs
    solver = Solver(search_space.model, hard=is_legal_and_priced)
    up_to_limit: Bound = (points.in_steps(), [(1, whole)])
    solution = solver.solve(maximise=points, subject_to=[up_to_limit])
    return None if solution is None else as_decimal(solution.value_of(points))


def _lower_bound(search_space: SearchSpace) -> LinearExpr:
    """Return a sum that the total never falls below: each figure costs at least its cheapest.

    The sum follows from the constraints, but it spares the solver long proofs that a low total is
    out of reach.
    """
    bound = LinearExpr()
    cheapest: dict[str, Fraction] = {}
    sizes = {
        id(slot): slot.model.product(size, slot.count)
        for slot in search_space.army_model.slots
        if (size := slot.size) is not None
    }
    solver = Solver(search_space.model, hard=is_legal_and_priced)
    for name, slots in search_space.slots_by_type.items():
        for slot in slots:
            if id(slot) in sizes:
                if name not in cheapest:
                    cheapest[name] = _least_price_per_figure(search_space, solver, slot)
                bound.add(sizes[id(slot)], cheapest[name])
    return bound


def _least_price_per_figure(search_space: SearchSpace, solver: Solver, slot: Slot) -> Fraction:
    """Return the least that one figure of a slot can cost; 0 if the solver cannot tell."""
    size = slot.size
    assert size is not None  # noqa: S101 - only units with a size are asked for
    cost = search_space.encoding.counts.price_of(slot)
    present: list[Bound] = [(LinearExpr.of(slot.present), [(1, 1)]), (size, [(1, None)])]
    price = Fraction(0)
    for turn in range(_MAX_ITERATIONS):
        # Each iteration finds a cheaper figure than the one before, until there is none.
        solution = solver.solve(minimise=cost - size * price, subject_to=present)
        if solution is None or not solution.optimal:
            return Fraction(0)
        cheaper = solution.value_of(cost) / solution.value_of(size)
        if turn and cheaper >= price:
            return price
        price = cheaper
    return Fraction(0)


def _group_into_ranges(totals: Sequence[Fraction], step: Fraction) -> Iterator[PointsRange]:
    start: Fraction | None = None
    last: Fraction | None = None
    for total in totals:
        if last is not None and total - last == step:
            last = total
            continue
        if start is not None and last is not None:
            yield as_decimal(start), as_decimal(last)
        start = last = total
    if start is not None and last is not None:
        yield as_decimal(start), as_decimal(last)


class _ReachedTotals:
    """The totals of legal armies: of those that the solver finds, and of variations of them."""

    def __init__(self, search_space: SearchSpace, source: SystemSource, limit: Decimal) -> None:
        self.search_space = search_space
        self.source = source
        self.limit = limit
        self.totals: set[Fraction] = set()
        # Chance decides only how quickly totals are found.
        self.random = random.Random(1)  # noqa: S311

    def explore_near(self, data: dict[str, Any]) -> None:
        """Record the totals of an army, of variations of it, and of each with more of one unit."""
        variation = data
        for _ in range(_NEIGHBOURS):
            if self._record(variation) is not None:
                self._repeat_unit(variation)
            variation = self._vary(data)

    def _repeat_unit(self, data: dict[str, Any]) -> None:
        """Record the totals with one more of a unit, two more, and so on, up to the limit."""
        data = deepcopy(data)
        units = [mapping for mapping in _iter_mappings(data) if self._size_field(mapping)]
        units = units or self._units_of(data)
        if not units:
            return
        unit = self.random.choice(units)
        number = int(unit.get("count", "1"))
        before, unit_price = self._record(data), Fraction(0)
        for more in range(1, MAX_COUNT - number):
            if before is None or before + unit_price * more > self.limit:
                return
            if unit_price and before + unit_price * more in self.totals:
                continue
            unit["count"] = str(number + more)
            total = self._record(data)
            if total is None or total == before:
                return
            unit_price = (total - before) / more

    def _record(self, data: dict[str, Any]) -> Fraction | None:
        """Record and return the total of an army; None if it is not legal or not fully priced."""
        try:
            verdict = check(
                army_from_document(Document("army.yaml", "", deepcopy(data)), self.source)
            )
        except MusterError:
            return None
        points = verdict.points
        if points is None or not verdict.legal or verdict.price.missing or points > self.limit:
            return None
        self.totals.add(Fraction(points))
        return Fraction(points)

    def _vary(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return an army with one unit larger or smaller, or with one option more or fewer."""
        data = deepcopy(data)
        units = [mapping for mapping in _iter_mappings(data) if self._size_field(mapping)]
        size = ""
        if units:
            unit = self.random.choice(units)
            size = self._size_field(unit)
        elif units := self._units_of(data):
            # Units without a size vary by their number.
            unit = self.random.choice(units)
            size = "count"
            unit.setdefault(size, "1")
        else:
            return data
        options = list(self.search_space.composition.options)
        if options and self.random.random() < 0.4:  # noqa: PLR2004
            own = set(unit.pop("options", ())) ^ {self.random.choice(options)}
            if own:
                unit["options"] = sorted(own)
        else:
            unit[size] = str(max(1, int(unit[size]) + self.random.choice((1, 1, 2, -1))))
        return data

    def _units_of(self, data: dict[str, Any]) -> list[dict[str, Any]]:
        levels = self.search_space.composition.bottom_levels
        return [mapping for mapping in _iter_mappings(data) if levels & mapping.keys()]

    def _size_field(self, mapping: dict[str, Any]) -> str:
        """Return the field with the main number of a unit; empty if the mapping is no unit."""
        for level in self.search_space.composition.bottom_levels:
            for slot in self.search_space.slots_by_type.get(str(mapping.get(level, "")), ())[:1]:
                entry = slot.kind.entry
                if entry is not None and entry.size is not None and entry.size in mapping:
                    return entry.size
        return ""


def _iter_mappings(data: Any) -> Iterator[dict[str, Any]]:
    if isinstance(data, dict):
        yield data
        for value in data.values():
            yield from _iter_mappings(value)
    elif isinstance(data, list):
        for value in data:
            yield from _iter_mappings(value)
