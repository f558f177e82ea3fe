"""Solve a linear model with OR-Tools CP-SAT; no other module imports the solver."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

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
)

DEFAULT_EFFORT = 20.0
"""How much a question may cost, in the solver's own steps: some seconds of a slow machine."""

Bound = tuple[LinearExpr, Sequence[Interval]]


@dataclass(frozen=True, slots=True)
class Solution:
    """Values for all variables of a model. `best`: nothing better than this is possible."""

    values: Sequence[int]
    best: bool

    def value_of(self, total: LinearExpr) -> Fraction:
        """Give what a sum comes to."""
        found = Fraction(total.constant)
        for index, factor in total.terms.items():
            found += self.values[index] * Fraction(factor)
        return found

    def is_true(self, lit: LiteralLike) -> bool:
        """Tell whether something is so."""
        return lit if isinstance(lit, bool) else (self.values[lit.variable] == 1) == lit.positive


class SolverGaveUpError(RuntimeError):
    """Say that the solver gave up before it knew whether there is an answer."""


class Solver:
    """A model as the solver knows it, to be asked once or often."""

    def __init__(
        self,
        model: LinearModel,
        *,
        hard: Callable[[ConstraintGroup], bool] = lambda group: group.stated,
        broken: Collection[ConstraintGroup] = (),
        seed: int = 0,
        effort: float = DEFAULT_EFFORT,
    ) -> None:
        """Take a model over.

        Args:
            model: What holds of the variables.
            hard: Which groups must be kept; a group that is not may be, or not.
            broken: Groups of which one at least must not be kept.
            seed: The same seed gives the same answers; another may give others as good.
            effort: How much a question may cost.
        """
        self.model = model
        self.seed = seed
        self.effort = effort
        self.lowered = cp_model.CpModel()
        self.variables = [
            self.lowered.new_int_var(low, high, "") for _, low, high in model.variables
        ]
        opposed = {group.index for group in broken}
        loose: list[cp_model.IntVar] = []
        for row in model.constraints:
            if row.group in opposed:
                loose.append(self._opposed(row, model.groups[row.group]))
            else:
                self._row(row)
        for product in model.products:
            factors = [self.variables[product.left], self.variables[product.right]]
            self.lowered.add_multiplication_equality(self.variables[product.target], factors)
        for group in model.groups:
            if group.index in opposed:
                self.lowered.add(self._literal(group.holds) == 0)
            elif hard(group):
                self.lowered.add(self._literal(group.holds) == 1)
        if opposed:
            self.lowered.add_bool_or(loose)

    def _literal(self, lit: Literal) -> cp_model.LiteralT:
        variable = self.variables[lit.variable]
        return variable if lit.positive else ~variable

    def _expression(self, terms: Iterable[tuple[int, int]]) -> cp_model.LinearExprT:
        pairs = list(terms)
        return cp_model.LinearExpr.weighted_sum(
            [self.variables[index] for index, _ in pairs], [factor for _, factor in pairs]
        )

    def _row(self, row: LinearConstraint) -> None:
        given = [self._literal(lit) for lit in row.only_if]
        if not row.terms or not row.intervals:
            self.lowered.add_bool_or([self._literal(~lit) for lit in row.only_if])
            return
        bound = self.lowered.add_linear_expression_in_domain(
            self._expression(row.terms), _domain(row.intervals)
        )
        if given:
            bound.only_enforce_if(*given)

    def _opposed(self, row: LinearConstraint, group: ConstraintGroup) -> cp_model.IntVar:
        """Give what says that a row is broken: all that is given holds, and its sum lies apart."""
        broke = self.lowered.new_bool_var("")
        for lit in row.only_if:
            if lit != group.holds:
                self.lowered.add_implication(broke, self._literal(lit))
        if row.terms and row.intervals:
            apart = complement(row.intervals)
            expression = self._expression(row.terms)
            bound = self.lowered.add_linear_expression_in_domain(expression, _domain(apart))
            bound.only_enforce_if(broke)
        return broke

    # Questions

    def require(self, total: LinearExpr, runs: Sequence[Interval]) -> None:
        """Bind a sum from now on."""
        self._bind(self.lowered, total, runs)

    def _bind(self, lowered: cp_model.CpModel, total: LinearExpr, runs: Sequence[Interval]) -> None:
        scale = total.scale
        shift = int(total.constant * scale)
        whole = [
            (
                None if low is None else low * scale - shift,
                None if high is None else high * scale - shift,
            )
            for low, high in runs
        ]
        terms = [(i, int(factor * scale)) for i, factor in total.terms.items() if factor]
        if not terms:
            within = any(
                (low is None or low <= 0) and (high is None or high >= 0) for low, high in whole
            )
            if not within:
                lowered.add_bool_or([])
            return
        lowered.add_linear_expression_in_domain(self._expression(terms), _domain(whole))

    def solve(
        self,
        *,
        least: LinearExpr | None = None,
        most: LinearExpr | None = None,
        where: Iterable[Bound] = (),
        hints: Mapping[int, int] | None = None,
    ) -> Solution | None:
        """Ask for values: the least or the most of a sum, or any; None if there are none.

        Args:
            least: What shall be as small as can be.
            most: What shall be as great as can be.
            where: What must hold besides, for this question alone.
            hints: Values of variables to begin with.

        Raises:
            TooHardError: If the effort was not enough to find out.
        """
        lowered = self.lowered.clone()
        for total, runs in where:
            self._bind(lowered, total, runs)
        for index, value in (hints or {}).items():
            lowered.add_hint(self.variables[index], value)
        goal = least if least is not None else most
        if goal is not None and goal.terms:
            scale = goal.scale
            terms = [(i, int(factor * scale)) for i, factor in goal.terms.items() if factor]
            expression = self._expression(terms)
            if least is not None:
                lowered.minimize(expression)
            else:
                lowered.maximize(expression)
        return self._solved(lowered, self._engine())

    def unsatisfiable_core(self, among: Sequence[ConstraintGroup]) -> list[ConstraintGroup]:
        """Give groups that cannot be kept together, none of them needless; none if all can be.

        The solver names a set that is sufficient; each of it is then left out in turn, and stays
        out where the rest still cannot be kept. No group may be `hard`.

        Raises:
            TooHardError: If the effort was not enough to find out.
        """
        lowered = self.lowered.clone()
        lowered.add_assumptions([self._literal(group.holds) for group in among])
        engine = self._engine()
        if self._solved(lowered, engine) is not None:
            return []
        named = set(engine.sufficient_assumptions_for_infeasibility())
        core = [group for group in among if group.holds.variable in named]
        if not core:
            core = [] if self.solve() is None else list(among)
        for group in tuple(core):
            rest = [each for each in core if each is not group]
            if self.solve(where=[(LinearExpr.of(each.holds), [(1, 1)]) for each in rest]) is None:
                core = rest
        return core

    def _engine(self) -> cp_model.CpSolver:
        engine = cp_model.CpSolver()
        engine.parameters.num_workers = 1
        engine.parameters.random_seed = self.seed
        engine.parameters.max_deterministic_time = self.effort
        return engine

    def _solved(self, lowered: cp_model.CpModel, engine: cp_model.CpSolver) -> Solution | None:
        status = engine.solve(lowered)
        if status == cp_model.INFEASIBLE:
            return None
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            text = f"the solver gave up: {engine.status_name(status)}"
            raise SolverGaveUpError(text)
        values = tuple(engine.response_proto.solution)[: len(self.variables)]
        return Solution(values, status == cp_model.OPTIMAL)


def _domain(runs: Sequence[Interval]) -> cp_model.Domain:
    return cp_model.Domain.from_intervals(
        [
            [-UNBOUNDED if low is None else low, UNBOUNDED if high is None else high]
            for low, high in runs
        ]
    )
