"""Find which totals of points, up to a limit, legal armies of a book can reach exactly."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from muster.armies import check
from muster.armies.army_file import MAX_COUNT, SystemSource, army_from_document
from muster.armies.composition import Composition
from muster.armies.verdict import PRICE_UNKNOWN
from muster.problems import MusterError
from muster.solver.army_model import SearchSpace, Setting
from muster.solver.cpsat import Bound, Solver, SolverGaveUpError
from muster.solver.linear_model import ConstraintGroup, LinearExpr
from muster.solver.variables import Slot
from muster.yamlfile import Document

_BREADTHS = (2, 4, 8)
"""As many commands stand under an army, one after the other, to spend a limit."""

_EFFORT = 1.0
_MOST_ITERATIONS = 8
_NEIGHBOURS = 30
"""As many armies are tried about each one that the solver finds."""

PointsRange = tuple[Decimal, Decimal]


@dataclass(frozen=True, slots=True)
class Totals:
    """Which totals up to a limit are out of reach, as runs in steps of one another.

    `unknown` are totals that no army was found for, and that the solver could not rule out.
    """

    step: Decimal
    limit: Decimal
    missed: tuple[PointsRange, ...]
    unknown: tuple[PointsRange, ...]


def is_legal_and_priced(group: ConstraintGroup) -> bool:
    """Tell whether a total counts: the army is legal, and all of its price is known."""
    return group.stated or group.code == PRICE_UNKNOWN


def find_totals(universe: SearchSpace, shelf: SystemSource, limit: Decimal) -> Totals | None:
    """Find which totals can be reached; None where nothing has a known price."""
    points = universe.demands.points
    if points is None or not points.terms:
        return None
    if (
        Solver(universe.skeleton.model, hard=is_legal_and_priced).solve(
            where=[(points, [(1, None)])]
        )
        is None
    ):
        return None
    floor = _lower_bound(universe)
    solver = Solver(universe.skeleton.model, hard=is_legal_and_priced, effort=_EFFORT)
    solver.require(points - floor, [(0, None)])
    step = Fraction(1, points.scale)
    reached = _ReachedTotals(universe, shelf, limit)
    missed: list[Fraction] = []
    unknown: list[Fraction] = []
    for n in range(1, int(Fraction(limit) / step) + 1):
        if n * step in reached.totals:
            continue
        try:
            answer = solver.solve(where=[(points * points.scale, [(n, n)])])
        except SolverGaveUpError:
            unknown.append(n * step)
            continue
        if answer is None:
            missed.append(n * step)
        else:
            reached.about(universe.skeleton.data(answer))
    runs = (tuple(_group_into_ranges(totals, step)) for totals in (missed, unknown))
    return Totals(_decimal(step), limit, *runs)


def greatest_total_under(
    composition: Composition, setting: Setting, limit: Decimal
) -> Decimal | None:
    """Give the most of a limit that a legal army can spend; None if nothing is so cheap.

    Raises:
        TooHardError: If the solver gave up.
    """
    points: LinearExpr | None = None
    for breadth in _BREADTHS:
        universe = SearchSpace(composition, setting, breadth=breadth)
        points = universe.demands.points
        if points is None:
            return None
        # To spend it all is quicker to ask than how much can be spent; more commands are only
        # wanted where few cannot.
        whole = int(Fraction(limit) * points.scale)
        solver = Solver(universe.skeleton.model, hard=is_legal_and_priced, effort=_EFFORT)
        with suppress(SolverGaveUpError):
            if solver.solve(where=[(points * points.scale, [(whole, whole)])]) is not None:
                return _decimal(Fraction(whole, points.scale))
    assert points is not None  # noqa: S101 - there are breadths
    solver = Solver(universe.skeleton.model, hard=is_legal_and_priced)
    answer = solver.solve(most=points, where=[(points * points.scale, [(1, whole)])])
    return None if answer is None else _decimal(answer.value_of(points))


def _lower_bound(universe: SearchSpace) -> LinearExpr:
    """Give a sum that the total is never under: every figure costs at least so much.

    It follows from all the rest, but it spares the solver long proofs that a low total is out of
    reach.
    """
    found = LinearExpr()
    least: dict[str, Fraction] = {}
    sizes = {
        id(slot): slot.model.product(slot.number(slot.kind.entry.size), slot.count)
        for slot in universe.skeleton.slots
        if slot.kind.entry is not None and slot.kind.entry.size is not None
    }
    solver = Solver(universe.skeleton.model, hard=is_legal_and_priced)
    for name, slots in universe.where.items():
        for slot in slots:
            if id(slot) in sizes:
                if name not in least:
                    least[name] = _least_price_per_figure(universe, solver, slot)
                found.add(sizes[id(slot)], least[name])
    return found


def _least_price_per_figure(universe: SearchSpace, solver: Solver, slot: Slot) -> Fraction:
    """Give the least that one figure of a slot can cost; 0 if the solver cannot tell."""
    entry = slot.kind.entry
    assert entry is not None  # noqa: S101 - only units with a size are asked
    assert entry.size is not None  # noqa: S101
    cost, size = universe.demands.price_of(slot), slot.number(entry.size)
    there: list[Bound] = [(LinearExpr.of(slot.present), [(1, 1)]), (size, [(1, None)])]
    price = Fraction(0)
    for turn in range(_MOST_ITERATIONS):
        # Each turn finds a figure cheaper than the price so far, until there is none.
        answer = solver.solve(least=cost - size * price, where=there)
        if answer is None or not answer.best:
            return Fraction(0)
        found = answer.value_of(cost) / answer.value_of(size)
        if turn and found >= price:
            return price
        price = found
    return Fraction(0)


def _group_into_ranges(missed: Sequence[Fraction], step: Fraction) -> Iterator[PointsRange]:
    start: Fraction | None = None
    last: Fraction | None = None
    for total in missed:
        if last is not None and total - last == step:
            last = total
            continue
        if start is not None and last is not None:
            yield _decimal(start), _decimal(last)
        start = last = total
    if start is not None and last is not None:
        yield _decimal(start), _decimal(last)


def _decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


class _ReachedTotals:
    """The totals that armies have, whose lists stand about lists that were found."""

    def __init__(self, universe: SearchSpace, shelf: SystemSource, limit: Decimal) -> None:
        self.universe = universe
        self.shelf = shelf
        self.limit = limit
        self.totals: set[Fraction] = set()
        # Nothing hangs on it but how quickly totals are found.
        self.random = random.Random(1)  # noqa: S311

    def about(self, data: dict[str, Any]) -> None:
        """Note the totals of an army, of some near it, and of each with more of one unit."""
        near = data
        for _ in range(_NEIGHBOURS):
            if self._note(near) is not None:
                self._climb(near)
            near = self._changed(data)

    def _climb(self, data: dict[str, Any]) -> None:
        """Note the totals with one more of a unit, two more, and so on, as long as that is new."""
        data = deepcopy(data)
        units = [each for each in _iter_mappings(data) if self._size(each)]
        if not units:
            return
        unit = self.random.choice(units)
        number = int(unit.get("count", "1"))
        before, each = self._note(data), Fraction(0)
        for more in range(1, MAX_COUNT - number):
            if before is None or before + each * more > self.limit:
                return
            if each and before + each * more in self.totals:
                continue
            unit["count"] = str(number + more)
            total = self._note(data)
            if total is None:
                return
            each = (total - before) / more

    def _note(self, data: dict[str, Any]) -> Fraction | None:
        """Give the total of a list, and keep it; None if it does not count."""
        try:
            verdict = check(
                army_from_document(Document("army.yaml", "", deepcopy(data)), self.shelf)
            )
        except MusterError:
            return None
        points = verdict.points
        if points is None or not verdict.legal or verdict.price.missing or points > self.limit:
            return None
        self.totals.add(Fraction(points))
        return Fraction(points)

    def _changed(self, data: dict[str, Any]) -> dict[str, Any]:
        """Make one unit of a list a little greater, or give or take an option."""
        data = deepcopy(data)
        units = [each for each in _iter_mappings(data) if self._size(each)]
        if not units:
            return data
        unit = self.random.choice(units)
        size = self._size(unit)
        options = list(self.universe.composition.options)
        if options and self.random.random() < 0.4:  # noqa: PLR2004
            own = set(unit.pop("options", ())) ^ {self.random.choice(options)}
            if own:
                unit["options"] = sorted(own)
        else:
            unit[size] = str(max(1, int(unit[size]) + self.random.choice((1, 1, 2, -1))))
        return data

    def _size(self, unit: dict[str, Any]) -> str:
        """Name the field with a unit's main number; none if it is no unit."""
        for level in self.universe.composition.bottom_levels:
            for slot in self.universe.where.get(str(unit.get(level, "")), ())[:1]:
                entry = slot.kind.entry
                if entry is not None and entry.size is not None and entry.size in unit:
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
