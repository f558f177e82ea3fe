"""Solve a linear model with OR-Tools CP-SAT; no other module imports the solver."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from time import time

from ortools.sat.python import cp_model

from muster.solver.linear_model import (
    UNBOUNDED,
    ConstraintGroup,
    Interval,
    LinearConstraint,
    LinearExpr,
    LinearModel,
    Literal,
    LiteralLike,
    complement,
    scaled_intervals,
)

DEFAULT_EFFORT = 20.0
"""The solver's time limit for one question, in its own deterministic unit.

It is some seconds of a slow machine, but the same answer comes on every machine.
"""

_FIRST_EFFORT = 0.5
"""The effort for the quick way to answer a question."""

_LEAST_EFFORT = 0.001
"""What a question costs at least, so that there is an end to any number of them."""

_EFFORT_SPENT = "the solver gave up before it found an answer (the effort for one command is spent)"

_effort_left: ContextVar[list[float] | None] = ContextVar("effort_left", default=None)


@contextmanager
def limited_effort(total: float) -> Iterator[None]:
    """Limit the effort of all questions that are asked inside, together.

    Effort is counted by the solver, not by a clock, so that every machine gives the same answers.
    Within another limit, what is left of that one is the most that there is.

    Args:
        total: In the solver's own deterministic unit, some seconds of a slow machine.
    """
    outer = _effort_left.get()
    left = [total if outer is None else min(total, outer[0])]
    begun = left[0]
    token = _effort_left.set(left)
    try:
        yield
    finally:
        _effort_left.reset(token)
        if outer is not None:
            outer[0] -= begun - left[0]


def _is_spent() -> bool:
    left = _effort_left.get()
    return (left is not None and left[0] <= 0) or is_late()


_TIME_IS_UP = "the solver gave up before it found an answer (the time is up)"

_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)


@contextmanager
def until(deadline: float | None) -> Iterator[None]:
    """Let no question inside run past a time, in seconds as of `time.time`.

    How much is answered by then differs between machines; an effort is the same on all.
    """
    token = _deadline.set(deadline)
    try:
        yield
    finally:
        _deadline.reset(token)


def is_late() -> bool:
    """Return whether the time of `until` has come."""
    deadline = _deadline.get()
    return deadline is not None and time() >= deadline


Bound = tuple[LinearExpr, Sequence[Interval]]
"""A sum, and the intervals that it must lie in."""

Policy = Callable[[ConstraintGroup], bool]
"""Returns whether a group of a model must hold; other groups may hold or not."""


def require_all(group: ConstraintGroup) -> bool:
    """Return True: every rule must be kept."""
    del group
    return True


def require_none(group: ConstraintGroup) -> bool:
    """Return False: every rule may be broken."""
    del group
    return False


def require_stated(group: ConstraintGroup) -> bool:
    """Return whether a rule is stated, so that breaking it is an error and not a warning."""
    return group.stated


def at_value(total: LinearExpr, value: int) -> Bound:
    """Return the bound that a sum has a value, which is given in multiples of `total.step`."""
    return total.in_steps(), [(value, value)]


@dataclass(frozen=True, slots=True)
class Solution:
    """Values for all variables of a model. `optimal`: no better values are possible.

    `bound` is a value that no solution is better than, of the sum that was minimised or maximised,
    without its constant and in whole factors.
    """

    values: Sequence[int]
    optimal: bool
    bound: int = 0

    def value_of(self, total: LinearExpr) -> Fraction:
        """Return the value of a sum."""
        value = Fraction(total.constant)
        for index, factor in total.terms.items():
            value += self.values[index] * Fraction(factor)
        return value

    def is_true(self, literal: LiteralLike) -> bool:
        """Return the value of a literal."""
        if isinstance(literal, bool):
            return literal
        return (self.values[literal.variable] == 1) == literal.positive


class SolverGaveUpError(RuntimeError):
    """The solver reached its time limit before it found out whether there is a solution."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """The answer if no army is legal: a minimal set of rules that cannot be kept together."""

    rules: tuple[ConstraintGroup, ...]


def find_conflict(model: LinearModel, *, hard: Policy = require_none) -> Conflict:
    """Find stated rules of a model that cannot be kept together.

    Args:
        model: A model that has no solution.
        hard: Which groups must hold in any case; it must not include stated ones.

    Raises:
        SolverGaveUpError: If the effort was not enough to find out.
    """
    solver = Solver(model, hard=hard)
    stated = [group for group in model.groups if group.stated]
    return Conflict(tuple(solver.unsatisfiable_core(stated)))


class Solver:
    """A model translated for CP-SAT, for one question or for many."""

    def __init__(
        self,
        model: LinearModel,
        *,
        hard: Policy = require_stated,
        seed: int = 0,
        effort: float = DEFAULT_EFFORT,
    ) -> None:
        """Translate a model for CP-SAT.

        Args:
            model: The variables and the constraints on them.
            hard: Which groups must hold.
            seed: The same seed gives the same answers; another may give others as good.
            effort: The time limit for one question, in the solver's own deterministic unit.
        """
        self.model = model
        self.seed = seed
        self.effort = effort
        self.cp = cp_model.CpModel()
        self.variables = [self.cp.new_int_var(low, high, "") for _, low, high in model.variables]
        for row in model.constraints:
            self._add_row(row)
        for product in model.products:
            factors = [self.variables[product.left], self.variables[product.right]]
            self.cp.add_multiplication_equality(self.variables[product.target], factors)
        for group in model.groups:
            if hard(group):
                self.cp.add(self._literal(group.holds) == 1)

    def _literal(self, literal: Literal) -> cp_model.LiteralT:
        variable = self.variables[literal.variable]
        return variable if literal.positive else ~variable

    def _expression(self, terms: Iterable[tuple[int, int]]) -> cp_model.LinearExprT:
        pairs = list(terms)
        return cp_model.LinearExpr.weighted_sum(
            [self.variables[index] for index, _ in pairs], [factor for _, factor in pairs]
        )

    def _add_row(self, row: LinearConstraint) -> None:
        conditions = [self._literal(literal) for literal in row.only_if]
        if not row.terms or not row.intervals:
            self.cp.add_bool_or([self._literal(~literal) for literal in row.only_if])
            return
        bound = self.cp.add_linear_expression_in_domain(
            self._expression(row.terms), _domain(row.intervals)
        )
        if conditions:
            bound.only_enforce_if(*conditions)

    # Questions

    def require(self, total: LinearExpr, intervals: Sequence[Interval]) -> None:
        """Restrict a sum to intervals in all later questions."""
        self._add_bound(self.cp, total, intervals)

    def _add_bound(
        self, cp: cp_model.CpModel, total: LinearExpr, intervals: Sequence[Interval]
    ) -> None:
        terms = total.whole_terms()
        scaled = scaled_intervals(total, intervals)
        if terms:
            cp.add_linear_expression_in_domain(self._expression(terms), _domain(scaled))
        elif not any(
            (low is None or low <= 0) and (high is None or high >= 0) for low, high in scaled
        ):
            cp.add_bool_or([])

    def solve(
        self,
        *,
        minimise: LinearExpr | None = None,
        maximise: LinearExpr | None = None,
        subject_to: Iterable[Bound] = (),
        hints: Mapping[int, int] | None = None,
        effort: float | None = None,
    ) -> Solution | None:
        """Return values for all variables, or None if there are none.

        Args:
            minimise: A sum to minimise.
            maximise: A sum to maximise.
            subject_to: Further bounds, for this question only.
            hints: Values of variables to begin with.
            effort: The time limit, if it is not that of all questions.

        Raises:
            SolverGaveUpError: If the effort was not enough to find out.
        """
        cp = self.cp.clone()
        for total, intervals in subject_to:
            self._add_bound(cp, total, intervals)
        for index, value in (hints or {}).items():
            cp.add_hint(self.variables[index], value)
        objective = minimise if minimise is not None else maximise
        if objective is not None and objective.terms:
            expression = self._expression(objective.whole_terms())
            if minimise is not None:
                cp.minimize(expression)
            else:
                cp.maximize(expression)
        return self._answer(cp, self.effort if effort is None else effort)

    def _answer(self, cp: cp_model.CpModel, effort: float) -> Solution | None:
        """Return the answer to a question: by the quick way, or if that does not end, by the other.

        The solver's usual way is quick for most questions. In some it never ends to prove that
        nothing is better, where a full linear relaxation, which is slower to begin with, shows it
        at once: that one of sixty units must go, for example, but not which.
        """
        engine = self._new_engine(min(effort, _FIRST_EFFORT))
        solution: Solution | None = None
        try:
            solution = self._run(cp, engine)
        except SolverGaveUpError:
            if effort <= _FIRST_EFFORT or _is_spent():
                raise
        else:
            if solution is None or solution.optimal or effort <= _FIRST_EFFORT or _is_spent():
                return solution
        second = self._new_engine(effort - _FIRST_EFFORT)
        second.parameters.linearization_level = 2
        if solution is not None:
            cp.clear_hints()  # type: ignore[no-untyped-call]  # OR-Tools states no types here
            for variable, value in zip(self.variables, solution.values, strict=True):
                cp.add_hint(variable, value)
        try:
            return self._run(cp, second)
        except SolverGaveUpError:
            if solution is None:
                raise
            return solution

    def solve_broken(
        self, broken: Collection[ConstraintGroup], hard: Policy = require_stated
    ) -> Solution | None:
        """Return a solution in which at least one of some groups does not hold; None if none does.

        Args:
            broken: Groups of which one must not hold, whichever that is.
            hard: Which of the others must hold; none of them all may be hard in this solver.

        Raises:
            SolverGaveUpError: If the effort was not enough to find out.
        """
        cp = self.cp.clone()
        groups = {group.index: group for group in broken}
        rows = [row for row in self.model.constraints if row.group in groups]
        cp.add_bool_or([self._add_broken_row(cp, row, groups[row.group or 0]) for row in rows])
        cp.add_bool_and([~self._literal(group.holds) for group in broken])
        others = [group for group in self.model.groups if group.index not in groups]
        cp.add_bool_and([self._literal(group.holds) for group in others if hard(group)])
        return self._answer(cp, self.effort)

    def _add_broken_row(
        self, cp: cp_model.CpModel, row: LinearConstraint, group: ConstraintGroup
    ) -> cp_model.IntVar:
        """Return a literal for a broken row: all conditions hold, and the sum lies outside."""
        broken = cp.new_bool_var("")
        for literal in row.only_if:
            if literal != group.holds:
                cp.add_implication(broken, self._literal(literal))
        if row.terms and row.intervals:
            outside = complement(row.intervals)
            expression = self._expression(row.terms)
            bound = cp.add_linear_expression_in_domain(expression, _domain(outside))
            bound.only_enforce_if(broken)
        return broken

    def unsatisfiable_core(self, among: Sequence[ConstraintGroup]) -> list[ConstraintGroup]:
        """Return a minimal set of groups that cannot all hold; empty if they can.

        The solver names a sufficient set. Each group of it is then left out in turn, and stays out
        if the rest still cannot hold. No group may be `hard`.

        Raises:
            SolverGaveUpError: If the effort was not enough to find out.
        """
        cp = self.cp.clone()
        cp.add_assumptions([self._literal(group.holds) for group in among])
        engine = self._new_engine(self.effort)
        if self._run(cp, engine) is not None:
            return []
        assumed = set(engine.sufficient_assumptions_for_infeasibility())
        core = [group for group in among if group.holds.variable in assumed]
        if not core:
            core = [] if self.solve() is None else list(among)
        for group in tuple(core):
            rest = [other for other in core if other is not group]
            bounds: list[Bound] = [(LinearExpr.of(other.holds), [(1, 1)]) for other in rest]
            if self.solve(subject_to=bounds) is None:
                core = rest
        return core

    def _new_engine(self, effort: float) -> cp_model.CpSolver:
        engine = cp_model.CpSolver()
        engine.parameters.num_workers = 1
        engine.parameters.random_seed = self.seed
        engine.parameters.max_deterministic_time = effort
        return engine

    def _run(self, cp: cp_model.CpModel, engine: cp_model.CpSolver) -> Solution | None:
        deadline = _deadline.get()
        if deadline is not None:
            if is_late():
                raise SolverGaveUpError(_TIME_IS_UP)
            engine.parameters.max_time_in_seconds = max(deadline - time(), 0)
        left = _effort_left.get()
        if left is not None:
            if left[0] <= 0:
                raise SolverGaveUpError(_EFFORT_SPENT)
            asked = engine.parameters.max_deterministic_time
            engine.parameters.max_deterministic_time = min(asked, left[0])
        status = engine.solve(cp)
        if left is not None:
            # A model that is solved as it is read costs nothing by the solver's count.
            left[0] -= engine.response_proto.deterministic_time + _LEAST_EFFORT
        if status == cp_model.INFEASIBLE:
            return None
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            text = f"the solver gave up before it found an answer ({engine.status_name(status)})"
            raise SolverGaveUpError(text)
        values = tuple(engine.response_proto.solution)[: len(self.variables)]
        bound = round(engine.best_objective_bound) if cp.has_objective() else 0
        return Solution(values, status == cp_model.OPTIMAL, bound)


def _domain(intervals: Sequence[Interval]) -> cp_model.Domain:
    return cp_model.Domain.from_intervals(
        [
            [-UNBOUNDED if low is None else low, UNBOUNDED if high is None else high]
            for low, high in intervals
        ]
    )
