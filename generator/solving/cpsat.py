"""Owns the one place that calls the solver, OR-tools CP-SAT: a model in, an answer out.

Does not know armies. It was chosen for its licence (Apache-2.0), because it reckons in whole
numbers (points are quarter points, scaled: nothing is rounded), gives the same answer for the same
question (one worker, a seed, effort counted in its own steps and not in seconds), and names the
assumptions that cannot hold together. Its price: a wheel of 30 MB that brings numpy and pandas,
and half a second to import, so that only commands that need it load this module.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ortools.sat.python import cp_model

from generator.armies.solving import FAR, Group, Linear, Lit, Literal, Model, Row, Run, opposite

EFFORT = 20.0
"""How much a question may cost, in the solver's own steps: some seconds of a slow machine."""

Wish = tuple[Linear, Sequence[Run]]


@dataclass(frozen=True, slots=True)
class Answer:
    """Values for all variables of a model. `best`: nothing better than this is possible."""

    values: Sequence[int]
    best: bool

    def number(self, total: Linear) -> Fraction:
        """Give what a sum comes to."""
        found = Fraction(total.constant)
        for index, factor in total.terms.items():
            found += self.values[index] * Fraction(factor)
        return found

    def so(self, lit: Lit) -> bool:
        """Tell whether something is so."""
        return lit if isinstance(lit, bool) else (self.values[lit.place] == 1) == lit.wanted


class TooHardError(RuntimeError):
    """Say that the solver gave up before it knew whether there is an answer."""


class Solver:
    """A model as the solver knows it, to be asked once or often."""

    def __init__(
        self,
        model: Model,
        *,
        hard: Callable[[Group], bool] = lambda group: group.stated,
        broken: Collection[Group] = (),
        seed: int = 0,
        effort: float = EFFORT,
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
        opposed = {group.place for group in broken}
        loose: list[cp_model.IntVar] = []
        for row in model.rows:
            if row.group in opposed:
                loose.append(self._opposed(row, model.groups[row.group]))
            else:
                self._row(row)
        for product in model.products:
            factors = [self.variables[product.left], self.variables[product.right]]
            self.lowered.add_multiplication_equality(self.variables[product.target], factors)
        for group in model.groups:
            if group.place in opposed:
                self.lowered.add(self._literal(group.kept) == 0)
            elif hard(group):
                self.lowered.add(self._literal(group.kept) == 1)
        if opposed:
            self.lowered.add_bool_or(loose)

    def _literal(self, lit: Literal) -> cp_model.LiteralT:
        variable = self.variables[lit.place]
        return variable if lit.wanted else ~variable

    def _expression(self, terms: Iterable[tuple[int, int]]) -> cp_model.LinearExprT:
        pairs = list(terms)
        return cp_model.LinearExpr.weighted_sum(
            [self.variables[index] for index, _ in pairs], [factor for _, factor in pairs]
        )

    def _row(self, row: Row) -> None:
        given = [self._literal(lit) for lit in row.given]
        if not row.terms or not row.runs:
            self.lowered.add_bool_or([self._literal(~lit) for lit in row.given])
            return
        bound = self.lowered.add_linear_expression_in_domain(
            self._expression(row.terms), _domain(row.runs)
        )
        if given:
            bound.only_enforce_if(*given)

    def _opposed(self, row: Row, group: Group) -> cp_model.IntVar:
        """Give what says that a row is broken: all that is given holds, and its sum lies apart."""
        broke = self.lowered.new_bool_var("")
        for lit in row.given:
            if lit != group.kept:
                self.lowered.add_implication(broke, self._literal(lit))
        if row.terms and row.runs:
            apart = opposite(row.runs)
            expression = self._expression(row.terms)
            bound = self.lowered.add_linear_expression_in_domain(expression, _domain(apart))
            bound.only_enforce_if(broke)
        return broke

    # Questions

    def require(self, total: Linear, runs: Sequence[Run]) -> None:
        """Bind a sum from now on."""
        self._bind(self.lowered, total, runs)

    def _bind(self, lowered: cp_model.CpModel, total: Linear, runs: Sequence[Run]) -> None:
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

    def ask(
        self,
        *,
        least: Linear | None = None,
        most: Linear | None = None,
        where: Iterable[Wish] = (),
        hints: Mapping[int, int] | None = None,
    ) -> Answer | None:
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

    def contradiction(self, among: Sequence[Group]) -> list[Group]:
        """Give groups that cannot be kept together, none of them needless; none if all can be.

        The solver names a set that is sufficient; each of it is then left out in turn, and stays
        out where the rest still cannot be kept. No group may be `hard`.

        Raises:
            TooHardError: If the effort was not enough to find out.
        """
        lowered = self.lowered.clone()
        lowered.add_assumptions([self._literal(group.kept) for group in among])
        engine = self._engine()
        if self._solved(lowered, engine) is not None:
            return []
        named = set(engine.sufficient_assumptions_for_infeasibility())
        core = [group for group in among if group.kept.place in named]
        if not core:
            core = [] if self.ask() is None else list(among)
        for group in tuple(core):
            rest = [each for each in core if each is not group]
            if self.ask(where=[(Linear.of(each.kept), [(1, 1)]) for each in rest]) is None:
                core = rest
        return core

    def _engine(self) -> cp_model.CpSolver:
        engine = cp_model.CpSolver()
        engine.parameters.num_workers = 1
        engine.parameters.random_seed = self.seed
        engine.parameters.max_deterministic_time = self.effort
        return engine

    def _solved(self, lowered: cp_model.CpModel, engine: cp_model.CpSolver) -> Answer | None:
        status = engine.solve(lowered)
        if status == cp_model.INFEASIBLE:
            return None
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            text = f"the solver gave up: {engine.status_name(status)}"
            raise TooHardError(text)
        values = tuple(engine.response_proto.solution)[: len(self.variables)]
        return Answer(values, status == cp_model.OPTIMAL)


def _domain(runs: Sequence[Run]) -> cp_model.Domain:
    return cp_model.Domain.from_intervals(
        [[-FAR if low is None else low, FAR if high is None else high] for low, high in runs]
    )
