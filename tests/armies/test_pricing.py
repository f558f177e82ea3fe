"""Test prices: exact, additive, and with arithmetic that shows how they come about."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.armies import army_from_document, check
from muster.problems import MusterError
from muster.systems import Library
from muster.yamlfile import document_from_text
from tests.armies.conftest import COMPOSITION, ROOT, Judge, Read

LIBRARY = Library(ROOT)
HEAD = "system: seven-years-war\nlimit: 1\nbook: france\ncommander: {name: King}\n"
TYPES = [
    "heavy-cavalry", "medium-cavalry", "light-cavalry", "light-cavalry-a", "heavy-infantry",
    "medium-infantry", "light-infantry", "militia", "heavy-artillery", "howitzers", "swiss",
    "musketeers",
]  # fmt: skip
OPTIONS = [
    "rifle", "well-drilled", "badly-drilled", "high-morale", "low-morale", "poor-shots",
    "militia-normal-drill", "militia-normal-shots", "very-large",
]  # fmt: skip
UNITS = st.builds(
    lambda kind, stands, count, options: (
        f"{{unit: {kind}, stands: {stands}, count: {count}, options: [{', '.join(options)}]}}"
    ),
    st.sampled_from(TYPES),
    st.integers(0, 9),
    st.integers(1, 4),
    st.lists(st.sampled_from(OPTIONS), unique=True, max_size=4),
)


def written(units: list[str]) -> str:
    return HEAD + ("units:\n" + "\n".join(f"  - {unit}" for unit in units) if units else "")


def total(units: list[str]) -> Decimal:
    points = check(army_from_document(document_from_text(written(units), "a.yaml"), LIBRARY)).points
    assert points is not None
    return points


@given(st.lists(UNITS, max_size=5), st.lists(UNITS, max_size=5))
def test_price_adds_up_over_units(some: list[str], others: list[str]) -> None:
    assert total(some + others) == total(some) + total(others)


@given(st.lists(UNITS, max_size=5), UNITS)
def test_unit_lowers_the_total_only_if_its_own_price_is_negative(
    units: list[str], more: str
) -> None:
    own = total([more])

    assert (total([*units, more]) < total(units)) == (own < 0)


@given(st.lists(UNITS, max_size=6), st.randoms())
def test_order_of_units_does_not_change_what_is_found(units: list[str], random: Random) -> None:
    mixed = units.copy()
    random.shuffle(mixed)

    def codes(listed: list[str]) -> list[str]:
        verdict = check(army_from_document(document_from_text(written(listed), "a.yaml"), LIBRARY))
        return sorted(finding.code for finding in verdict.findings)

    assert codes(mixed) == codes(units)


@given(UNITS)
def test_arithmetic_of_a_line_comes_to_its_points(unit: str) -> None:
    army = army_from_document(document_from_text(written([unit]), "a.yaml"), LIBRARY)
    line = check(army).price.lines[-1]

    left = line.working.split(" = ")[0].replace("×", "*").replace("−", "-").replace("÷", "/")
    assert re.fullmatch(r"[0-9.+\-*/ ()]+", left)
    assert Decimal(str(eval(left))) == line.points  # noqa: S307 - digits and signs only


@pytest.mark.parametrize(
    ("unit", "how", "points"),
    [
        ("unit: foot, stands: 4", "4 × 3 = 12", "12"),
        ("unit: foot, stands: 4, count: 2", "2 × 4 × 3 = 24", "24"),
        ("unit: guns, stands: 2, price: 2.25", "2 × 2.25 = 4.5", "4.5"),
        ("unit: guns, stands: 2", "without the guns", None),
        ("unit: guns, stands: 2, count: 3", "3 × (without the guns)", None),
    ],
    ids=["one", "two", "own price", "missing", "three missing"],
)
def test_line_shows_its_arithmetic(read: Read, unit: str, how: str, points: str | None) -> None:
    line = check(read(f"units: [{{{unit}}}]")).price.lines[0]

    assert line.working == how
    assert line.points == (None if points is None else Decimal(points))


@pytest.mark.parametrize(("stands", "points", "missing"), [(9, 3, 0), (10, 0, 1)])
def test_cost_that_comes_to_no_exact_number_has_no_price(
    system: Path, read: Read, stands: int, points: int, missing: int
) -> None:
    # A ditch costs 1 per 3 cm: 10 cm come to 3.333…, which is no number of points.
    text = COMPOSITION.replace("row: {field: type}", "row: ditch", 1) + "  []\n"
    (system / "composition.yaml").write_text(text, encoding="utf-8")

    price = check(read(f"units: [{{unit: foot, stands: {stands}}}]")).price

    assert price.total == points
    assert len(price.missing) == missing


def test_blank_price_leaves_the_total_incomplete(read: Read) -> None:
    army = read("units: [{unit: foot, stands: 3}, {unit: guns, stands: 2, name: Big ones}]")

    verdict = check(army)

    assert verdict.points == 9
    assert verdict.price.missing == ("the guns of Guns “Big ones”",)
    assert [(f.code, f.severity, f.path) for f in verdict.findings] == [
        ("price-unknown", "warning", "units[1]")
    ]
    assert "does not include the guns of Guns “Big ones”" in verdict.findings[0].message


def test_card_of_a_unit_names_the_points_of_one(read: Read) -> None:
    army = read("units: [{unit: foot, stands: 3, count: 2}, {unit: guns, stands: 1}]")

    lines = check(army).price.lines

    assert [line.points_each for line in lines] == ["9 points", ""]
    assert lines[0].each == 9
    assert lines[0].points == 18


def test_price_of_a_missing_cell_is_a_problem_of_the_composition(judge: Judge) -> None:
    rule = (
        "kind: count\nof: {level: unit}\nwithin: unit\nsum: stands\n"
        "allowed: [{table: sizes, row: {field: drill}}]"
    )

    with pytest.raises(MusterError) as caught:
        judge(rule, "units: [{unit: foot, stands: 3}]")

    assert [problem.code for problem in caught.value.problems] == ["unknown-cell"]
