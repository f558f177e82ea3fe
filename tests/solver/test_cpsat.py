"""Test linear models and the solver: sums, conditions, products, complements, conflicts."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.solver.cpsat import (
    Bound,
    Solver,
    SolverGaveUpError,
    find_conflict,
    limited_effort,
    require_none,
)
from muster.solver.linear_model import Interval, LinearExpr, LinearModel, LiteralLike, complement

ROOT: Final = Path(__file__).resolve().parents[2]

ENDS = st.one_of(st.none(), st.integers(-9, 9))


def within(number: int, intervals: list[Interval]) -> bool:
    return any(
        (low is None or number >= low) and (high is None or number <= high)
        for low, high in intervals
    )


@given(st.lists(st.tuples(ENDS, ENDS), max_size=4), st.integers(-12, 12))
def test_complement_of_intervals_holds_just_what_they_do_not(
    intervals: list[Interval], number: int
) -> None:
    sound = [it for it in intervals if None in it or it[0] <= it[1]]  # type: ignore[operator]  # no None there

    assert within(number, complement(sound)) != within(number, sound)


def test_only_one_module_imports_the_solver() -> None:
    importing = [
        path.name
        for path in (ROOT / "generator").rglob("*.py")
        if re.search(r"^\s*(from|import) ortools", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]

    assert importing == ["cpsat.py"]


def test_solution_is_the_least_or_the_most() -> None:
    model = LinearModel()
    stands = model.new_int("stands", 0, 9)
    model.require(stands * Fraction(1, 4), [(1, 1), (2, 2)])
    solver = Solver(model)

    least, most = solver.solve(minimise=stands), solver.solve(maximise=stands)

    assert least is not None
    assert most is not None
    assert [least.value_of(stands), most.value_of(stands)] == [4, 8]
    assert least.optimal


def test_bound_of_one_question_does_not_hold_for_the_next() -> None:
    model = LinearModel()
    stands = model.new_int("stands", 0, 9)
    solver = Solver(model)

    assert solver.solve(subject_to=[(stands, [(10, None)])]) is None
    assert solver.solve() is not None
    solver.require(stands, [(3, 3)])
    assert solver.solve(subject_to=[(stands, [(4, 4)])]) is None


@pytest.mark.parametrize("flagged", [True, False])
@pytest.mark.parametrize("number", [0, 3, 7])
def test_derived_numbers_follow_what_they_derive_from(number: int, flagged: bool) -> None:  # noqa: FBT001 - a case
    model = LinearModel()
    stands = model.new_int("stands", 0, 9)
    other = model.new_int("other", 0, 5)
    flag = model.new_bool("flag")
    gated = model.if_true(stands * Fraction(1, 2), flag)
    product = model.product(stands, other + 1)
    over = model.excess(stands, 2)
    some = model.indicator(stands, [(2, 4), (7, None)])
    both = model.all_of([flag, some])
    either = model.any_of([flag, some])
    bounds: list[Bound] = [
        (stands, [(number, number)]),
        (other, [(2, 2)]),
        (LinearExpr.of(flag), [(flagged, flagged)]),
    ]

    solution = Solver(model).solve(subject_to=bounds)

    assert solution is not None
    is_some = number in (3, 7)
    assert solution.value_of(gated) == (Fraction(number, 2) if flagged else 0)
    assert solution.value_of(product) == number * 3
    assert solution.value_of(over) == max(0, number - 2)
    assert [solution.is_true(literal) for literal in (some, both, either)] == [
        is_some,
        flagged and is_some,
        flagged or is_some,
    ]


def test_what_is_known_beforehand_takes_no_variable() -> None:
    model = LinearModel()
    stands = model.new_int("stands", 2, 4)
    before = len(model.variables)

    known: list[LiteralLike] = [
        model.indicator(stands, [(1, 9)]),
        model.indicator(stands, [(5, None)]),
        model.all_of([True, True]),
        model.any_of([False]),
    ]

    assert known == [True, False, True, False]
    assert model.new_int("fixed", 3, 3).constant == 3
    assert len(model.variables) == before


def test_group_can_be_kept_given_up_or_broken() -> None:
    model = LinearModel()
    stands = model.new_int("stands", 0, 9)
    group = model.group("size", "At most 4.", "L1", stated=True, slot=None)
    model.require(stands, [(None, 4)], (), group)

    kept = Solver(model).solve(maximise=stands)
    free = Solver(model, hard=require_none).solve(maximise=stands)
    breaking = Solver(model, hard=require_none)
    breaking.require(stands, [(None, 5)])
    broken = breaking.solve_broken([group])

    assert kept is not None
    assert free is not None
    assert broken is not None
    assert [int(a.value_of(stands)) for a in (kept, free, broken)] == [4, 9, 5]


def test_conflict_has_no_needless_rule() -> None:
    model = LinearModel()
    stands = model.new_int("stands", 0, 9)
    intervals: dict[str, Interval] = {
        "a": (2, None),
        "b": (None, 6),
        "c": (5, None),
        "d": (None, 3),
    }
    groups = {}
    for code, interval in intervals.items():
        groups[code] = model.group(code, "", "", stated=True, slot=None)
        model.require(stands, [interval], (), groups[code])
    solver = Solver(model, hard=require_none)

    conflict = find_conflict(model)
    core = solver.unsatisfiable_core([groups["a"], groups["b"], groups["c"]])

    assert {group.code for group in conflict.rules} == {"c", "d"}
    assert core == []


def test_same_question_has_the_same_solution() -> None:
    def solve() -> tuple[int, ...]:
        model = LinearModel()
        parts = [model.new_int("n", 0, 5) for _ in range(6)]
        model.require(LinearExpr.total(parts), [(11, 11)])
        solution = Solver(model, seed=7).solve()
        assert solution is not None
        return tuple(int(solution.value_of(part)) for part in parts)

    assert solve() == solve()


def test_question_that_takes_too_much_effort_is_given_up() -> None:
    model = LinearModel()
    numbers = [model.new_int("n", 0, 10**6) for _ in range(12)]
    squares = [model.product(each, each + 1) for each in numbers]
    model.require(LinearExpr.total(squares), [(10**11 + 7, 10**11 + 7)])

    with pytest.raises(SolverGaveUpError, match="gave up"):
        Solver(model, effort=1e-9).solve()


# Effort


def test_effort_is_limited_for_all_questions_together() -> None:
    model = LinearModel()
    stands = model.new_int("stands", 0, 9)
    solver = Solver(model)

    with limited_effort(0.0035):
        answers = [solver.solve(minimise=stands) for _ in range(4)]
        with pytest.raises(SolverGaveUpError, match="effort for one command is spent"):
            solver.solve(minimise=stands)
        with pytest.raises(SolverGaveUpError):
            find_conflict(model)

    assert None not in answers
    assert solver.solve(minimise=stands) is not None


def test_effort_within_a_limit_counts_for_both() -> None:
    model = LinearModel()
    stands = model.new_int("stands", 0, 9)
    solver = Solver(model)

    with limited_effort(0.0015):
        with limited_effort(100):
            solver.solve(minimise=stands)
            solver.solve(minimise=stands)
            with pytest.raises(SolverGaveUpError):
                solver.solve(minimise=stands)
        with pytest.raises(SolverGaveUpError):
            solver.solve(minimise=stands)
