"""Owns the facts about proofs, about what fits, and about lint's last check, each with a sample.

Does not try the commands; `tests/cli` does.
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import pytest

from muster.armies import Army, army_from_document, check, load_army, load_book, load_composition
from muster.armies.books import book_ids
from muster.solver.additions import ANY_NUMBER, find_additions
from muster.solver.army_model import SearchSpace, iter_settings
from muster.solver.proofs import SystemProof, lint_fielding, prove_system
from muster.solver.totals import find_totals, greatest_total_under
from muster.systems.lint import LintIssue
from muster.yamlfile import Document
from tests.solver.conftest import Tiny
from tests.solver.lists import ROOT, library

NO_HORSE = "id: no-horse\nkind: count\nof: {entry: [horse]}\nwithin: army\nmax: 0"
FEW_FOOT = "id: few-foot\nkind: count\nof: {entry: [foot]}\nwithin: army\nmax: 3"
NOBODY = "id: nobody\nkind: count\nof: {level: unit}\nwithin: army\nmax: 0"
SOMEBODY = "id: somebody\nkind: count\nof: {level: unit}\nwithin: army\nmin: 1"
FEWER_FOOT = "id: fewer-foot\nkind: count\nof: {entry: [foot]}\nwithin: army\nmax: 5"


def proof_of(root: Path, system_id: str = "tiny") -> SystemProof:
    system = library(root).system(system_id)
    books = [load_book(system, each) for each in book_ids(system)]
    return prove_system(load_composition(system), books, library(root))


def flaws_of(root: Path) -> list[LintIssue]:
    return lint_fielding(library(root).system("tiny"), library(root))


@pytest.mark.parametrize("system_id", sorted(library().systems()))
def test_shipped_system_can_be_fielded_and_every_rule_binds(system_id: str) -> None:
    proof = proof_of(ROOT, system_id)

    assert proof.sound
    composition = load_composition(library().system(system_id))
    assert len(proof.rules) == len(composition.constraints)
    assert {unit.what.id for unit in proof.units} >= set(composition.entries)


def test_unit_that_can_never_stand_is_found_with_the_rule_that_bars_it(tiny: Tiny) -> None:
    proof = proof_of(tiny(NO_HORSE, FEW_FOOT))

    fallen = [unit for unit in proof.units if not unit.stands]
    assert [(unit.what.id, unit.book) for unit in fallen] == [("horse", None)]
    assert [group.code for group in fallen[0].against] == ["no-horse"]
    assert not proof.sound


def test_rules_that_leave_no_army_are_named(tiny: Tiny) -> None:
    proof = proof_of(tiny(NOBODY, SOMEBODY))

    assert not any(proof.fielded.values())
    assert {group.code for group in proof.units[0].against} == {"nobody", "somebody"}


def test_rule_that_another_covers_never_binds(tiny: Tiny) -> None:
    proof = proof_of(tiny(FEW_FOOT, FEWER_FOOT))

    assert {each.rule.id: each.binds for each in proof.rules} == {
        "few-foot": True,
        "fewer-foot": False,
    }


def test_lint_finds_a_unit_that_no_legal_army_can_hold(tiny: Tiny) -> None:
    flaws = flaws_of(tiny(NO_HORSE))

    assert [(flaw.severity, flaw.problem.code) for flaw in flaws] == [("error", "unit-never-legal")]
    assert "contradicts no-horse" in flaws[0].problem.text
    assert flaws[0].problem.line_text.strip() == "- id: horse"


def test_lint_finds_a_book_and_a_system_without_a_legal_army(tiny: Tiny) -> None:
    flaws = flaws_of(tiny(NOBODY, SOMEBODY))

    assert [flaw.problem.code for flaw in flaws] == ["never-legal", "never-legal"]
    assert [Path(flaw.problem.location.file).name for flaw in flaws] == [
        "composition.yaml",
        "north.yaml",
    ]


def test_lint_finds_nothing_in_a_sound_system(tiny: Tiny) -> None:
    assert flaws_of(tiny(FEW_FOOT)) == []


# Totals


def test_totals_out_of_reach_are_those_that_no_army_has(tiny: Tiny) -> None:
    root = tiny(NO_HORSE, FEW_FOOT)
    composition = load_composition(library(root).system("tiny"))

    setting = next(iter_settings(composition, [None]))
    totals = find_totals(SearchSpace(composition, setting), library(root), Decimal(20))

    assert totals is not None
    # Foot costs 3 a stand, in any number of stands; guns have no price unless the list says it.
    assert totals.step == 1
    assert totals.missed == tuple((Decimal(n), Decimal(n + 1)) for n in range(1, 20, 3))
    assert totals.unknown == ()


def test_limit_is_spent_as_far_as_the_costs_allow(tiny: Tiny) -> None:
    root = tiny(NO_HORSE, FEW_FOOT)
    composition = load_composition(library(root).system("tiny"))
    setting = next(iter_settings(composition, [None]))

    assert greatest_total_under(composition, setting, Decimal(20)) == 18
    assert greatest_total_under(composition, setting, Decimal(2)) is None


# What fits


def army_of(root: Path, **said: Any) -> Army:
    return army_from_document(Document("army.yaml", "", {"system": "tiny", **said}), library(root))


FOUR_FOOT: Final = [{"unit": "foot", "stands": "4"}]


def test_room_counts_what_rules_and_limit_leave(tiny: Tiny) -> None:
    room = find_additions(army_of(tiny(FEW_FOOT), limit="30", units=FOUR_FOOT))

    assert room is not None
    assert room.left == 18
    fits = {fit.what.id: fit for fit in room.fits}
    # Two more foot by the rule; of 6 stands, 18 points, only one. Three horse of 5 points.
    foot, horse = fits["foot"], fits["horse"]
    assert (foot.smallest, foot.most_smallest, foot.largest, foot.most_largest) == (1, 2, 6, 1)
    assert (horse.smallest, horse.most_smallest, horse.largest, horse.most_largest) == (1, 3, 3, 1)
    assert "guns" not in fits
    assert [buy.option.id for buy in room.buys] == ["shields", "pikes"]


def test_room_without_a_limit_is_any_number(tiny: Tiny) -> None:
    room = find_additions(army_of(tiny(), units=FOUR_FOOT))

    assert room is not None
    assert room.left is None
    assert all(fit.most_smallest >= ANY_NUMBER for fit in room.fits)


def test_illegal_army_has_no_room() -> None:
    army = load_army(ROOT / "armies" / "slaughterloo" / "illegal.yaml", library())

    assert not check(army).legal
    assert find_additions(army) is None
