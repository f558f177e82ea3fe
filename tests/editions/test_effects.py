"""Tests of how a change of edition affects armies."""

from __future__ import annotations

from pathlib import Path

import pytest

from muster.editions.effects import EditionSource, Effect, judge_armies
from muster.systems import open_system
from tests.editions.conftest import Editions


@pytest.fixture
def army(editions: Editions) -> Path:
    """Return the system's army: 1 General, 18 stands of foot, 4 of horse, a gun."""
    return editions.old.parent.parent / "armies" / "club" / "first.yaml"


def effect(editions: Editions, army: Path) -> Effect:
    renames = editions.compare().renames
    old, new = EditionSource(open_system(editions.old)), EditionSource(open_system(editions.new))
    (result,) = judge_armies({"first": army}, old, new, renames)
    return result


def test_army_notices_nothing_of_the_same_edition(editions: Editions, army: Path) -> None:
    assert effect(editions, army).unnoticed


def test_army_notices_nothing_of_what_it_does_not_use(editions: Editions, army: Path) -> None:
    editions.edit(("tables/movement.yaml", "[15cm, 10cm]", "[20cm, 10cm]"))

    assert effect(editions, army).unnoticed


def test_dearer_unit_changes_the_points(editions: Editions, army: Path) -> None:
    editions.edit(("tables/points.yaml", "[5 per stand]", "[5.5 per stand]"))

    result = effect(editions, army)

    assert result.points_difference == 2
    assert [label for label, _, _ in result.prices] == ["Dragoons “The Greys”"]
    assert result.as_json()["prices"][0] | {"label": ""} == {
        "label": "",
        "old": "4 × 5 = 20",
        "new": "4 × 5.5 = 22",
    }


def test_army_that_is_too_dear_now_loses_its_legality(editions: Editions, army: Path) -> None:
    editions.edit(("tables/points.yaml", "[10 per stand]", "[99 per stand]"))

    result = effect(editions, army)

    assert (result.old.legal, result.new.legal) == (True, False)
    assert [finding.code for finding in result.appeared] == ["over-limit"]
    assert result.gone == ()


def test_rule_that_falls_away_makes_an_army_legal(editions: Editions, army: Path) -> None:
    rule = "allowed: [{table: unit-sizes, row: {field: arm}}]"
    path = editions.old / "composition.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(rule, "allowed: [7-8]"), encoding="utf-8")

    result = effect(editions, army)

    assert (result.old.legal, result.new.legal) == (False, True)
    assert {finding.code for finding in result.gone} == {"size"}
    assert result.appeared == ()


def test_finding_of_a_renamed_constraint_is_no_new_one(editions: Editions, army: Path) -> None:
    for folder in (editions.old, editions.new):
        path = folder / "composition.yaml"
        text = path.read_text(encoding="utf-8")
        name = "many" if folder == editions.new else "one-general"
        text = text.replace("    max: 1\n", "    max: 0\n").replace("    min: 1\n", "")
        path.write_text(text.replace("id: one-general", f"id: {name}"), encoding="utf-8")

    assert effect(editions, army).unnoticed


def test_army_that_cannot_be_read_any_more_says_why(editions: Editions, army: Path) -> None:
    editions.edit(("books/first-book.yaml", "{id: guards,   title: Guards", "{id: old, title: Old"))

    result = effect(editions, army)

    assert result.new.verdict is None
    assert result.points_difference is None
    assert result.old.legal is True
    assert "'guards'" in result.new.faults[0]
    assert result.as_json()["new"]["legal"] is None
