"""Test that check and encoding agree: the model breaks just the rules that `check` finds broken.

`MUSTER_ARMIES` sets how many random armies of each system are tried; the benchmarks try 2,000.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muster.armies import Army, army_from_document, check, load_army
from muster.solver.army_model import ArmyModel
from muster.solver.cpsat import Solver, require_none
from muster.solver.encoding import ENCODERS
from muster.solver.linear_model import LinearExpr
from muster.systems import Library
from muster.yamlfile import document_from_text
from tests.armies.constraint_samples import SAMPLES, kinds_of_constraint
from tests.cases.test_cases import CASES, army_document
from tests.solver.conftest import Tiny
from tests.solver.lists import ROOT, Lists, library

SIXTH = ROOT / "tests" / "sixth"
SYSTEMS = [*((name, ROOT) for name in sorted(library().systems())), ("sixth", SIXTH)]
SHIPPED = sorted([*(ROOT / "armies").glob("*/*.yaml"), *(SIXTH / "armies").glob("*/*.yaml")])
MANY = int(os.environ.get("MUSTER_ARMIES", "60"))


def disagreement(army: Army) -> str:
    """Return how model and check differ on an army as it is; empty if they agree.

    Three things are compared: whether it is legal, the fewest rules that must be broken, warnings
    included, and the total.
    """
    verdict = check(army)
    army_model = ArmyModel.of_army(army)
    encoding = army_model.encode(army.limit)
    strict = Solver(army_model.model)
    lenient = Solver(army_model.model, hard=require_none)
    for solver in (strict, lenient):
        for expression, value in army_model.listed:
            solver.require(expression, [(value, value)])
    found = Counter(finding.code for finding in verdict.findings)
    if (strict.solve() is not None) != verdict.legal:
        return f"the model says {'il' if verdict.legal else ''}legal, check finds {found}"
    groups = army_model.model.groups
    solution = lenient.solve(
        maximise=LinearExpr.total(LinearExpr.of(group.holds) for group in groups)
    )
    if solution is None:
        return "the army is not in its own model"
    broken = Counter(group.code for group in groups if not solution.is_true(group.holds))
    if broken != found:
        return f"the model breaks {broken}, check finds {found}"
    total = None if encoding.points is None else solution.value_of(encoding.points)
    if total != verdict.points:
        return f"the model says {total} points, check {verdict.points}"
    return ""


@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_model_agrees_on_a_sample(path: Path) -> None:
    own = SIXTH if path.is_relative_to(SIXTH) else ROOT

    assert disagreement(load_army(path, Library(own))) == ""


@pytest.mark.parametrize("path", CASES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_model_agrees_on_a_case(path: Path) -> None:
    assert disagreement(army_from_document(army_document(path), library())) == ""


def agree_on_armies(system_id: str, root: Path, many: int) -> list[bool]:
    """Compare model and check on random armies; return of each whether it is legal."""
    legal: list[bool] = []

    @settings(
        max_examples=many,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(0, 2**32))
    def agree(seed: int) -> None:
        army = Lists(system_id, random.Random(seed), root).army()  # noqa: S311 - nothing to guess
        legal.append(check(army).legal)

        assert disagreement(army) == "", army.document.data

    agree()
    return legal


@pytest.mark.parametrize(("system_id", "root"), SYSTEMS, ids=[name for name, _ in SYSTEMS])
def test_model_agrees_on_armies_made_at_random(system_id: str, root: Path) -> None:
    legal = agree_on_armies(system_id, root, MANY)

    assert 0.02 < sum(legal) / len(legal) < 0.99, "both legal and illegal armies"


RULES = {
    "book-scope": """
        kind: count
        of: {entry: [foot]}
        within: book
        min: 2
        max: 4
    """,
    "book-of-all": """
        kind: alike
        of: {level: unit}
        attribute: arm
        within: book
    """,
    "by-scope-above": """
        kind: count
        of: {entry: [horse]}
        within: wing
        max: 1
        when: {of: {entry: [foot]}, within: army, min: 2, max: 3}
    """,
    "by-scope-below": """
        kind: count
        of: {entry: [foot]}
        within: army
        max: 1
        unless: {of: {entry: [foot]}, within: wing, min: 1}
    """,
    "switched-by-sum": """
        kind: requires
        of: {entry: [horse]}
        needs: {entry: [guns]}
        within: wing
        when: {of: {level: unit}, sum: stands, within: army, min: 6}
    """,
    "own-sum": """
        kind: count
        of: {entry: [foot]}
        sum: stands
        within: unit
        allowed: [1-2, 4+]
        step: 2
        when: {of: {options: [pikes]}, min: 1}
    """,
    "cell-blank-or-dash": """
        kind: count
        of: {level: unit}
        sum: stands
        within: unit
        step: 2
        allowed: [{table: sizes, row: {field: type}}]
    """,
    "part-of-points": """
        kind: share
        part: {entry: [horse]}
        whole: {level: unit}
        by: points
        min: 1/3
        max: 3/4
        within: wing
    """,
    "part-of-number": """
        kind: share
        part: {options: [shields]}
        whole: {level: unit}
        max: 25%
        within: army
    """,
    "sum-of-points": """
        kind: count
        of: {level: unit}
        sum: price
        within: army
        allowed: [2-7, 10+]
    """,
    "few-drills": """
        kind: variety
        of: {level: unit}
        attribute: drill
        max: 1
        within: wing
    """,
    "alike-numbers": """
        kind: alike
        of: {level: unit}
        attribute: stands
        within: wing
    """,
    "only-with-leader": """
        kind: only-if
        of: {options: [pikes]}
        needs: {level: wing}
        within: unit
        unless: {of: {entry: [chief]}, within: army, min: 1}
    """,
    "two-of-one-unit": """
        kind: excludes
        of: {options: [pikes]}
        bars: {options: [shields]}
        within: unit
    """,
    "leader-alone": """
        kind: count
        of: {entry: [chief]}
        sum: rank
        within: leader
        min: 2
        max: 6
    """,
}
"""Rules for the tiny system, in forms that no shipped system has."""


@pytest.mark.parametrize("name", RULES)
def test_model_agrees_on_a_rule_of_any_form(name: str, tiny: Tiny) -> None:
    root = tiny(f"id: {name}\n{dedent(RULES[name]).strip()}")

    agree_on_armies("tiny", root, MANY // 2)


@pytest.mark.parametrize("kind", SAMPLES)
def test_model_agrees_on_the_sample_of_a_kind(kind: str, tiny: Tiny) -> None:
    sample = SAMPLES[kind]
    root = tiny(f"id: tried\n{sample.rule}")

    for army in (sample.legal, sample.illegal):
        document = document_from_text(f"system: tiny\n{army}\n", "army.yaml")
        assert disagreement(army_from_document(document, Library(root))) == ""


def test_every_kind_of_constraint_has_an_encoder() -> None:
    assert set(ENCODERS) == kinds_of_constraint()
