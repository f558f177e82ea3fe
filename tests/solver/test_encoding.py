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
from muster.solver.encoders import ENCODERS
from muster.solver.linear_model import LinearExpr
from muster.systems import Library
from muster.yamlfile import document_from_text
from tests.armies.conftest import ARMED, GRANTING, LIMITED_BOOK, PRICED_OPTIONS
from tests.armies.constraint_samples import SAMPLES, kinds_of_constraint
from tests.armies.test_real_rules import REAL_BOOK, REAL_RULES
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
    "of-each-unit": """
        kind: count
        of: {level: unit}
        each: unit
        within: army
        allowed: [1-2, 4]
    """,
    "of-each-drill-by-stands": """
        kind: count
        of: {level: unit}
        each: drill
        sum: stands
        within: wing
        min: 3
        max: 12
        step: 3
        when: {of: {entry: [chief]}, within: army, max: 0}
    """,
    "of-each-size": """
        kind: count
        of: {level: unit}
        each: stands
        within: book
        max: 1
    """,
    "of-each-armour-by-options": """
        kind: count
        of: {where: {arm: [foot, horse]}}
        each: armour
        by: options
        within: army
        max: 2
    """,
    "of-each-per-points": """
        kind: count
        of: {level: unit}
        each: type
        by: points
        within: army
        max: 8
        per: 10
    """,
    "of-each-in-a-unit": """
        kind: count
        of: {entry: [foot]}
        each: type
        sum: stands
        within: unit
        max: 4
    """,
    "by-all-of-several": """
        kind: count
        of: {entry: [horse]}
        within: wing
        max: 1
        when: [{of: {entry: [foot]}, within: army, min: 2}, {of: {entry: [head]}, min: 1}]
    """,
    "by-any-of-several": """
        kind: count
        of: {entry: [foot]}
        within: army
        max: 1
        when: {any: [{of: {entry: [chief]}, min: 1}, {of: {entry: [guns]}, min: 2, max: 3}]}
        unless: [{of: {entry: [head]}, min: 2}, {of: {entry: [horse]}, max: 1}]
    """,
    "nested-at-a-unit": """
        kind: excludes
        of: {options: [pikes]}
        bars: {where: {arm: [horse]}}
        within: unit
        unless:
          any:
            - {of: {options: [shields]}, min: 1}
            - all:
                - {of: {entry: [chief]}, within: army, min: 1}
                - {of: {level: unit}, within: army, sum: stands, min: 8}
    """,
    "nested-in-a-book": """
        kind: count
        of: {level: unit}
        within: book
        max: 2
        when: {any: [{of: {entry: [horse]}, min: 1}, {of: {entry: [chief]}, within: army, max: 0}]}
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


RULES_ON_OPTIONS = {
    "some-of-a-group": """
        kind: count
        of: {level: unit, options: [pikes, shields, drums]}
        by: options
        within: unit
        allowed: [1-2]
    """,
    "options-of-an-army": """
        kind: count
        of: {entry: [foot, horse]}
        by: options
        within: army
        min: 1
        max: 3
        step: 1
    """,
    "points-of-a-unit": """
        kind: count
        of: {level: unit}
        by: points
        within: unit
        max: 18
        when: {of: {level: unit, options: [shields, pikes]}, by: options, min: 1}
    """,
    "points-of-options": """
        kind: count
        of: {options: [pikes, shields]}
        by: option-points
        within: wing
        max: 30
        unless: {of: {level: unit}, by: option-points, max: 5}
    """,
    "points-of-options-of-one": """
        kind: count
        of: {level: unit}
        by: option-points
        within: unit
        max: 12
    """,
    "options-of-a-book": """
        kind: count
        of: {entry: [foot], options: [pikes, drums]}
        by: options
        within: book
        min: 1
        max: 2
        unless: {of: {level: unit}, by: options, within: army, max: 1}
    """,
    "share-of-options": """
        kind: share
        part: {entry: [foot]}
        whole: {level: unit}
        by: options
        within: army
        max: 1/2
    """,
}
"""Rules on the points and options of the tiny system with prices for options."""

RULES_ON_THE_LIMIT = {
    "per-points": """
        kind: count
        of: {level: unit}
        within: army
        min: 1
        max: 2
        per: 12
    """,
    "per-begun-points": """
        kind: count
        of: {entry: [foot]}
        by: points
        within: wing
        max: 4
        per: 10
        begun: true
        step: 3
    """,
    "per-points-of-a-unit": """
        kind: count
        of: {level: unit}
        sum: stands
        within: unit
        max: 1
        per: 8
    """,
    "limits-as-conditions": """
        kind: excludes
        of: {entry: [horse]}
        bars: {entry: [foot]}
        within: army
        when: [{limit: 20+}, {any: [{limit: under 40}, {of: {entry: [chief]}, min: 1}]}]
        unless: {all: [{limit: 24-30}, {of: {entry: [guns]}, min: 1}]}
    """,
    "share-of-the-limit": """
        kind: share
        part: {entry: [foot]}
        whole: limit
        by: points
        within: army
        min: 1/4
        max: 2/3
    """,
    "options-of-the-limit": """
        kind: share
        part: {level: unit}
        whole: limit
        by: option-points
        within: unit
        max: 20%
    """,
}
"""Rules that count by the limit of an army."""


@pytest.mark.parametrize("name", [*RULES_ON_OPTIONS, *RULES_ON_THE_LIMIT])
def test_model_agrees_on_rules_on_points_options_and_limits(name: str, tiny: Tiny) -> None:
    rule = dedent((RULES_ON_OPTIONS | RULES_ON_THE_LIMIT)[name]).strip()
    root = tiny(f"id: {name}\n{rule}", composition=PRICED_OPTIONS)

    agree_on_armies("tiny", root, MANY)


RULES_ON_CONTENTS = {
    "weapons-of-a-group": """
        kind: count
        of: {level: unit}
        sum: [flamers, mortars]
        within: unit
        max: 4
        unless: {of: {level: unit}, sum: [stands, mortars], within: wing, min: 20}
    """,
    "one-for-three-stands": """
        kind: share
        part: {level: unit}
        whole: {level: unit}
        by: [flamers, mortars]
        whole-by: stands
        within: unit
        min: 1/10
        max: 1/3
    """,
    "stands-for-each-head": """
        kind: share
        part: {entry: [head]}
        whole: {entry: [foot]}
        whole-by: stands
        within: wing
        min: 1/12
    """,
}
"""Rules on the contents of units."""


@pytest.mark.parametrize("name", RULES_ON_CONTENTS)
def test_model_agrees_on_rules_on_the_contents_of_units(name: str, tiny: Tiny) -> None:
    rule = dedent(RULES_ON_CONTENTS[name]).strip()

    agree_on_armies("tiny", tiny(f"id: {name}\n{rule}", composition=ARMED), MANY)


def test_model_agrees_on_real_rules(tiny: Tiny) -> None:
    last = "id: last\nkind: alike\nof: {level: leader}\nattribute: lore\nwithin: army"

    agree_on_armies("tiny", tiny(last, composition=REAL_RULES, book=REAL_BOOK), MANY)


def test_model_agrees_on_what_the_state_of_an_army_gives(tiny: Tiny) -> None:
    few = "id: few-in-mass\nkind: count\nof: {where: {slot: [mass, pike]}}\nwithin: wing\nmax: 2"
    each = "id: each-slot\nkind: variety\nof: {level: unit}\nattribute: slot\nwithin: army\nmax: 2"
    root = tiny(few, each, composition=GRANTING)

    agree_on_armies("tiny", root, MANY * 3)


def test_model_agrees_on_the_rules_of_a_book(tiny: Tiny) -> None:
    legal = agree_on_armies("tiny", tiny(book=LIMITED_BOOK), MANY * 2)

    assert any(legal)


@pytest.mark.parametrize("name", RULES_ON_THE_LIMIT)
def test_model_agrees_on_an_army_without_a_limit(name: str, tiny: Tiny) -> None:
    rule = dedent(RULES_ON_THE_LIMIT[name]).strip()
    root = tiny(f"id: {name}\n{rule}", composition=PRICED_OPTIONS)
    written = "system: tiny\nunits: [{unit: foot, stands: 30}, {unit: horse, stands: 4}]\n"
    army = army_from_document(document_from_text(written, "army.yaml"), Library(root))

    assert disagreement(army) == ""


@pytest.mark.parametrize("kind", SAMPLES)
def test_model_agrees_on_the_sample_of_a_kind(kind: str, tiny: Tiny) -> None:
    sample = SAMPLES[kind]
    root = tiny(f"id: tried\n{sample.rule}")

    for army in (sample.legal, sample.illegal):
        document = document_from_text(f"system: tiny\n{army}\n", "army.yaml")
        assert disagreement(army_from_document(document, Library(root))) == ""


def test_every_kind_of_constraint_has_an_encoder() -> None:
    assert set(ENCODERS) == kinds_of_constraint()
