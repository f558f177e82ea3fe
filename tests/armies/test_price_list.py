"""Tests of what a unit may be and what that costs, as check and pricing answer it."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from muster.armies import load_composition
from muster.armies.army import NodeKind
from muster.armies.price_list import (
    Numbers,
    Rate,
    allowed_numbers,
    find_rate,
    kind_with,
    lone_army,
    permitted,
)
from muster.systems import Library
from tests.scaffold import SYSTEM, lay_out

KindOf = Callable[..., NodeKind]


@pytest.fixture
def kind_of(tmp_path: Path) -> KindOf:
    """Return a function that returns the kind of a lone unit of a type, after adding rules."""
    content = lay_out(tmp_path)

    def kind_of(rules: str = "") -> NodeKind:
        file = content / "composition.yaml"
        file.write_text(file.read_text(encoding="utf-8") + rules, encoding="utf-8")
        composition = load_composition(Library(tmp_path).system(SYSTEM))
        foot = composition.entries["foot"]
        return lone_army(composition, None, [foot]).root.children[0].kind

    return kind_of


RULE = """
  - id: more
    kind: count
    message: More.
    rule: {chapter: army, source: L1}
    of: {entry: [foot]}
    within: unit
    sum: stands
"""


def ranges(*pairs: tuple[int, int | None]) -> tuple[tuple[Decimal, Decimal | None], ...]:
    return tuple((Decimal(a), None if b is None else Decimal(b)) for a, b in pairs)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("", Numbers(ranges((4, 8)))),
        (RULE + "    max: 6\n", Numbers(ranges((4, 6)))),
        (RULE + "    step: 2\n", Numbers(ranges((4, 8)), 2)),
        (RULE + "    stated: false\n    step: 4\n", Numbers(ranges((4, 8)), 4)),
        (RULE + "    stated: false\n    max: 4\n", Numbers(ranges((4, 8)))),
        (RULE + "    max: 3\n", Numbers(())),
        (
            RULE + "    allowed: [5]\n    when: {of: {entry: [foot]}, sum: stands, max: 6}\n",
            Numbers(ranges((5, 5), (7, 8))),
        ),
    ],
    ids=["own", "two rules", "step", "step that warns", "warning", "none", "with a condition"],
)
def test_sizes_are_those_that_break_no_rule(rule: str, expected: Numbers, kind_of: KindOf) -> None:
    assert allowed_numbers(kind_of(rule), "stands") == expected


def test_numbers_are_listed_by_their_step() -> None:
    assert Numbers(ranges((4, 8)), 2).listed() == [4, 6, 8]
    assert Numbers(ranges((3, 4), (6, 6))).listed() == [3, 4, 6]
    assert Numbers(ranges((3, None))).listed() == [3]
    assert Numbers(()).listed() == []


def test_price_grows_with_the_size_and_options_add_to_it(kind_of: KindOf) -> None:
    foot = kind_of()
    numbers = allowed_numbers(foot, "stands")
    veterans = kind_with(foot, option=foot.composition.options["veteran"])

    assert find_rate(foot, "stands", numbers) == Rate(Decimal(0), Decimal(3))
    assert find_rate(veterans, "stands", numbers, without=foot) == Rate(Decimal(0), Decimal("0.5"))


def test_option_that_breaks_a_rule_is_not_permitted(kind_of: KindOf) -> None:
    rule = """
  - id: none-of-them
    kind: excludes
    message: No veterans.
    rule: {chapter: army, source: L1}
    of: {entry: [foot]}
    bars: {options: [veteran]}
    within: unit
"""
    foot = kind_of(rule)

    assert not permitted(foot, kind_with(foot, option=foot.composition.options["veteran"]))
    assert permitted(foot, kind_with(foot, {"stands": 5}))
