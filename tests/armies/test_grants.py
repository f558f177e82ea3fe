"""Test attributes that the state of an army gives: who gets them, and what then sees them."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from muster.armies import Army, check
from muster.armies.composition import composition_from_document
from muster.armies.lint_composition import lint_armies
from muster.armies.verdict import with_event_limit
from muster.problems import MusterError
from muster.systems import open_system
from muster.yamlfile import document_from_text
from tests.armies.conftest import COMPOSITION, GRANTING, Read
from tests.armies.constraint_samples import FOOT, HORSE, units

Granted = Callable[[str], Army]


@pytest.fixture
def granted(system: Path, read: Read) -> Granted:
    """Return a function that reads an army of the system with grants."""

    def read_one(army: str) -> Army:
        (system / "composition.yaml").write_text(GRANTING, encoding="utf-8")
        return read(army)

    return read_one


def slots(army: Army) -> list[str]:
    return [unit.kind.text("slot") for unit in army.units()]


@pytest.mark.parametrize(
    ("army", "expected"),
    [
        # Horse is core under a chief of rank 2, elsewhere special.
        (f"chief: {{rank: 2}}\n{units(FOOT, HORSE)}", ["core", "core"]),
        (f"chief: {{rank: 1}}\n{units(FOOT, HORSE)}", ["core", "special"]),
        (units(HORSE, FOOT), ["special", "core"]),
        # Within a wing, three units of horse make the third grant; other wings do not count.
        (f"wings: [{{units: [{{{HORSE}, count: 3}}]}}, {{units: [{{{HORSE}}}]}}]",
         ["mass", "special"]),
        # The first grant counts, and a grant wins over an option.
        ("chief: {rank: 2}\nwings: [{units: [{unit: horse, stands: 1, count: 3}]}]", ["core"]),
        ("chief: {rank: 2}\nunits: [{unit: horse, stands: 1, options: [pikes]}]", ["core"]),
        ("units: [{unit: horse, stands: 1, options: [pikes]}]", ["pike"]),
    ],
)  # fmt: skip
def test_state_of_the_army_gives_attributes(
    granted: Granted, army: str, expected: list[str]
) -> None:
    assert slots(granted(army)) == expected


def test_constraints_and_prices_see_what_is_granted(granted: Granted) -> None:
    army = units(FOOT, "unit: guns, stands: 2, price: 5")
    small, large = (check(granted(f"limit: {limit}\n{army}")) for limit in (29, 30))

    # Two thirds are core, and only guns that are core are paid for.
    assert [finding.code for finding in small.findings] == ["mostly-core"]
    assert large.legal
    assert [small.points, large.points] == [Decimal(9), Decimal(19)]


def test_equal_units_of_another_army_have_nothing_of_it(granted: Granted, read: Read) -> None:
    assert slots(granted(f"chief: {{rank: 2}}\n{units(HORSE)}")) == ["core"]
    assert slots(read(units(HORSE))) == ["special"]


def test_limit_of_an_event_gives_what_it_gives(granted: Granted) -> None:
    army = granted(f"limit: 10\n{units('unit: guns, stands: 1, price: 1')}")

    larger, _ = with_event_limit(army, Decimal(500))
    smaller, _ = with_event_limit(larger, Decimal(20))

    assert [slots(each) for each in (army, larger, smaller)] == [["special"], ["core"], ["special"]]


GRANT = "  - {of: {entry: [horse]}, set: {slot: core}, within: army, when: %s}\n"
CHIEF = "{of: {entry: [chief]}, min: 1}"


@pytest.mark.parametrize(
    ("grant", "code"),
    [
        (GRANT % "{of: {where: {slot: [core]}}, min: 1}", "circular"),
        (GRANT.replace("entry: [horse]", "where: {slot: [core]}") % CHIEF, "circular"),
        (GRANT % "{of: {entry: [foot]}, by: points, min: 1}", "circular"),
        (GRANT.replace("slot: core", "drill: old") % CHIEF, "granted-field"),
        (GRANT.replace("slot: core", "type: foot") % CHIEF, "granted-field"),
        (GRANT.replace("{slot: core}", "{}") % CHIEF, "too-few"),
        (GRANT.replace(", when: %s", ""), "bad-value"),
        (GRANT % "[{of: {entry: [chef]}, min: 1}]", "unknown-entry"),
        (GRANT.replace("within: army", "within: pack") % CHIEF, "unknown-level"),
    ],
)
def test_faulty_grant_is_refused(system: Path, grant: str, code: str) -> None:
    text = COMPOSITION.replace("constraints:", f"grants:\n{grant}constraints: []")

    with pytest.raises(MusterError) as caught:
        composition_from_document(open_system(system), document_from_text(text, "composition.yaml"))

    assert {problem.code for problem in caught.value.problems} == {code}
    assert all(problem.location.line for problem in caught.value.problems)


def test_lint_finds_what_a_grant_gives_to_no_use(system: Path) -> None:
    text = COMPOSITION.replace("constraints:", f"grants:\n{GRANT % CHIEF}constraints: []")
    (system / "composition.yaml").write_text(text, encoding="utf-8")

    found = [(i.problem.code, i.problem.text) for i in lint_armies(open_system(system))]

    assert ("unused-attribute", "nothing uses the attribute 'slot'") in found
