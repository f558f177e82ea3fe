"""Test proofs, totals, additions, and the lint check of what can be fielded."""

from __future__ import annotations

from dataclasses import replace
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
from tests.armies.conftest import BOOK, COMPOSITION, LIMITED_BOOK
from tests.solver.conftest import Tiny
from tests.solver.lists import ROOT, library

NO_HORSE = "id: no-horse\nkind: count\nof: {entry: [horse]}\nwithin: army\nmax: 0"
FEW_FOOT = "id: few-foot\nkind: count\nof: {entry: [foot]}\nwithin: army\nmax: 3"
NOBODY = "id: nobody\nkind: count\nof: {level: unit}\nwithin: army\nmax: 0"
SOMEBODY = "id: somebody\nkind: count\nof: {level: unit}\nwithin: army\nmin: 1"
FEWER_FOOT = "id: fewer-foot\nkind: count\nof: {entry: [foot]}\nwithin: army\nmax: 5"


def proof_of(root: Path, system_id: str = "tiny") -> SystemProof:
    system = library(root).system(system_id)
    books = [load_book(system, book_id) for book_id in book_ids(system)]
    return prove_system(load_composition(system), books, library(root))


def issues_of(root: Path) -> list[LintIssue]:
    return lint_fielding(library(root).system("tiny"), library(root))


@pytest.mark.parametrize("system_id", sorted(library().systems()))
def test_shipped_system_can_be_fielded_and_every_rule_binds(system_id: str) -> None:
    proof = proof_of(ROOT, system_id)

    assert proof.sound
    composition = load_composition(library().system(system_id))
    assert len(proof.rules) == len(composition.constraints)
    assert {unit.unit_type.id for unit in proof.units} >= set(composition.entries)


def test_unit_that_can_never_stand_is_found_with_the_rule_that_forbids_it(tiny: Tiny) -> None:
    proof = proof_of(tiny(NO_HORSE, FEW_FOOT))

    impossible = [unit for unit in proof.units if not unit.possible]
    assert [(unit.unit_type.id, unit.book) for unit in impossible] == [("horse", None)]
    assert [group.code for group in impossible[0].conflict] == ["no-horse"]
    assert not proof.sound


def test_rule_against_a_unit_is_named_rather_than_one_that_no_large_army_can_keep(
    tiny: Tiny,
) -> None:
    # Under a limit of 10,000 points this demands more than a model holds.
    many = "id: many\nkind: count\nof: {entry: [foot]}\nwithin: army\nmin: 5\nper: 1000"

    needs = "id: needs\nkind: requires\nof: {entry: [horse]}\nneeds: {entry: [foot]}\nwithin: army"
    bars = "id: bars\nkind: excludes\nof: {entry: [horse]}\nbars: {entry: [foot]}\nwithin: army"

    proof = proof_of(tiny(needs, bars, many))

    impossible = [unit for unit in proof.units if not unit.possible and unit.book is None]
    assert {group.code for group in impossible[0].conflict} == {"needs", "bars"}


def test_rules_that_allow_no_army_are_named(tiny: Tiny) -> None:
    proof = proof_of(tiny(NOBODY, SOMEBODY))

    assert not any(proof.fielded.values())
    assert {group.code for group in proof.units[0].conflict} == {"nobody", "somebody"}


def test_rule_that_another_covers_never_binds(tiny: Tiny) -> None:
    proof = proof_of(tiny(FEW_FOOT, FEWER_FOOT))

    assert {proved.rule.id: proved.binds for proved in proof.rules} == {
        "few-foot": True,
        "fewer-foot": False,
    }


def test_lint_finds_a_unit_that_no_legal_army_can_hold(tiny: Tiny) -> None:
    issues = issues_of(tiny(NO_HORSE))

    assert [(issue.severity, issue.problem.code) for issue in issues] == [
        ("error", "unit-never-legal")
    ]
    assert "conflicts with no-horse" in issues[0].problem.text
    assert issues[0].problem.line_text.strip() == "- id: horse"


def test_lint_finds_a_book_and_a_system_without_a_legal_army(tiny: Tiny) -> None:
    issues = issues_of(tiny(NOBODY, SOMEBODY))

    assert [issue.problem.code for issue in issues] == ["never-legal", "never-legal"]
    assert [Path(issue.problem.location.file).name for issue in issues] == [
        "composition.yaml",
        "north.yaml",
    ]


def test_lint_finds_nothing_in_a_sound_system(tiny: Tiny) -> None:
    assert issues_of(tiny(FEW_FOOT)) == []


AXEMEN: Final = "id: axemen\nkind: count\nof: {where: {unit: [axemen]}}\nwithin: army\nmin: 1"
WINGS: Final = "id: wings\nkind: count\nof: {level: wing}\nwithin: army"
ONE_LEFT: Final = (
    "id: left\nkind: count\nof: {level: wing, where: {side: [left]}}\nwithin: army\nmin: 1"
)
LARGE: Final = "id: large\nkind: count\nof: {entry: [horse]}\nsum: stands\nwithin: unit"
MANY: Final = "id: many\nkind: count\nof: {entry: [foot]}\nwithin: army"


def with_sides(*, required: bool) -> str:
    """Return the composition with a side that a wing may state, or must."""
    end = ", fields: {side: {form: choice, of: {left: Left, right: Right}"
    end += ", required: true}}" if required else "}}"
    old = "leaders: {head: {entry: head}}"
    assert COMPOSITION.count(old) == 1
    return COMPOSITION.replace(old, f"{old}{end}")


@pytest.mark.parametrize(
    ("rules", "composition"),
    [
        ([AXEMEN], COMPOSITION),
        ([f"{WINGS}\nmin: 3"], COMPOSITION),
        ([f"{WINGS}\nmax: 2"], COMPOSITION),
        ([f"{MANY}\nmax: 100"], COMPOSITION),
        ([f"{LARGE}\nmin: 80\nmax: 90"], COMPOSITION),
        ([ONE_LEFT], with_sides(required=True)),
        ([ONE_LEFT], with_sides(required=False)),
    ],
    ids=[
        "unit-of-a-book", "three-commands", "two-commands-at-most", "hundred-units",
        "large-units", "side-of-a-command", "optional-side",
    ],
)  # fmt: skip
def test_rule_that_an_army_can_keep_and_break_is_no_error(
    tiny: Tiny, rules: list[str], composition: str
) -> None:
    root = tiny(*rules, composition=composition)

    assert issues_of(root) == []
    proof = proof_of(root)
    assert proof.sound
    assert [proved.binds for proved in proof.rules] == [True]


def test_bare_types_that_no_army_can_hold_are_found_where_a_book_is_demanded(tiny: Tiny) -> None:
    issues = issues_of(tiny(AXEMEN, NO_HORSE))

    assert [issue.problem.code for issue in issues] == ["unit-never-legal"]
    assert "Horse" in issues[0].problem.text


def test_unit_of_a_book_counts_for_a_type_that_is_barred_by_itself(tiny: Tiny) -> None:
    units_of_books = (
        "id: units-of-books\nkind: count\nof: {where: {unit: [foot, horse, gun]}}\n"
        "within: army\nmax: 0"
    )

    proof = proof_of(tiny(units_of_books))

    # The book has no horse: what is barred and has no unit in any book is still a fault.
    impossible = {unit.unit_type.id for unit in proof.units if not unit.possible}
    assert "horse" in impossible
    assert "foot" not in impossible


BY_LIMIT: Final = (
    "id: per-ten\nkind: count\nof: {entry: [foot]}\nwithin: army\nmax: 1\nper: 10",
    "id: late\nkind: count\nof: {entry: [horse]}\nwithin: army\nmax: 0\nunless: {limit: 40+}",
    "id: x\nkind: share\npart: {entry: [horse]}\nwhole: limit\nby: points\nwithin: wing\nmax: 0.5",
)


def test_rules_by_the_limit_are_proved_under_limits_that_tell(tiny: Tiny) -> None:
    root = tiny(*BY_LIMIT)

    assert issues_of(root) == []
    assert proof_of(root).sound


THREE_HORSE: Final = "id: three\nkind: count\nof: {entry: [horse]}\nwithin: army\nmax: 3"
SMALL_HORSE: Final = (
    "id: small\nkind: count\nof: {entry: [horse]}\nsum: stands\nwithin: unit\nmax: 6"
)
QUARTER: Final = (
    "id: quarter\nkind: share\npart: {entry: [horse]}\nwhole: limit\nby: points\nwithin: army\n"
)


def test_share_of_the_limit_binds_if_it_does_under_small_limits_only(tiny: Tiny) -> None:
    # Horse costs 5 points a stand, so that three of 6 stands cost 90: a quarter of 360.
    proof = proof_of(tiny(THREE_HORSE, SMALL_HORSE, f"{QUARTER}max: 1/4"))

    assert {proved.rule.id: proved.binds for proved in proof.rules}["quarter"]


@pytest.mark.parametrize(
    ("rule", "binds"),
    [
        # A foot costs 3 points at least, so that a limit allows no more than one for 3 of it.
        ("id: some\nkind: count\nof: {entry: [foot]}\nwithin: army\nmax: 1\nper: 7", True),
        ("id: some\nkind: count\nof: {entry: [foot]}\nwithin: army\nmax: 1\nper: 3", False),
        ("id: some\nkind: count\nof: {entry: [foot]}\nwithin: army\nmin: 1\nper: 77777", True),
        (f"{QUARTER}max: 1", False),
        (f"{THREE_HORSE}\nunless: {{limit: 77+}}".replace("three", "some"), True),
        (f"{THREE_HORSE}\nwhen: {{limit: under 10}}".replace("three", "some"), False),
    ],
    ids=["seven", "three", "large", "whole", "under-seventy-seven", "under-ten"],
)
def test_rule_by_the_limit_binds_if_it_does_under_any(tiny: Tiny, rule: str, binds: bool) -> None:  # noqa: FBT001 - what is expected
    stands = "id: stands\nkind: count\nof: {level: unit}\nsum: stands\nwithin: unit\nmin: 1"

    proof = proof_of(tiny(rule, stands))

    assert proof.rules[0].binds == binds


def test_book_with_limits_of_its_units_can_be_fielded(tiny: Tiny) -> None:
    root = tiny(book=LIMITED_BOOK)

    assert issues_of(root) == []


def test_book_whose_numbers_rule_out_a_unit_is_found(tiny: Tiny) -> None:
    root = tiny(book=LIMITED_BOOK.replace("{max: 2}", "{max: 0}"))

    assert [issue.problem.code for issue in issues_of(root)] == ["unit-never-legal"]
    assert "unit-number" in issues_of(root)[0].problem.text


def test_totals_are_those_of_armies_under_their_limit(tiny: Tiny) -> None:
    root = tiny(BY_LIMIT[0], NO_HORSE)
    composition = load_composition(library(root).system("tiny"))
    setting = next(iter_settings(composition, [None]))

    # Foot costs 3 a stand: under 9 points no foot may stand, under 10 one unit of 3 stands.
    assert greatest_total_under(composition, setting, Decimal(9)) is None
    assert greatest_total_under(composition, setting, Decimal(10)) == 9


def test_settings_state_neither_the_default_nor_what_a_book_says(tiny: Tiny) -> None:
    fields = "fields: {season: {form: choice, of: {dry: Dry, wet: Wet}, default: dry},"
    fields += " side: {form: choice, of: {red: Red, blue: Blue}}}"
    rule = (
        "id: no-war\nkind: count\nof: {where: {season: [wet], side: [red]}}\nwithin: army\nmax: 0"
    )
    root = tiny(
        rule,
        composition=COMPOSITION.replace("title: Army,", f"title: Army, {fields},"),
        book=BOOK.replace("{temper: cold}", "{temper: cold, side: red}"),
    )
    system = library(root).system("tiny")
    book = load_book(system, "north")

    settings = list(iter_settings(load_composition(system), [None, book]))

    sides: list[dict[str, str]] = [{}, {"side": "red"}, {"side": "blue"}]
    # What states least comes first.
    assert [each.fields for each in settings if each.book is None] == [
        {},
        {"season": "wet"},
        *sides[1:],
        *({"season": "wet", **side} for side in sides[1:]),
    ]
    assert [each.fields for each in settings if each.book is book] == [{}, {"season": "wet"}]


def with_nation(number: int, *, required: bool) -> str:
    """Return the composition with so many nations, one of which an army states, or must."""
    of = ", ".join(f"n{place}: Nation {place}" for place in range(number))
    spec = f"nation: {{form: choice, of: {{{of}}}, required: {str(required).lower()}}}"
    season = "season: {form: choice, of: {dry: Dry, wet: Wet}, default: dry}"
    fields = f"title: Army, fields: {{{season}, {spec}}},"
    assert COMPOSITION.count("title: Army,") == 1
    return COMPOSITION.replace("title: Army,", fields)


IN_WET_SEASON: Final = (
    "id: wet\nkind: only-if\nof: {entry: [horse]}\nneeds: {where: {season: [wet]}}\nwithin: army"
)
BY_NATION: Final = (
    "id: last\nkind: only-if\nof: {entry: [horse]}\nneeds: {where: {nation: [n13]}}\nwithin: army"
)


def test_each_value_of_a_field_is_tried_before_combinations_of_them(tiny: Tiny) -> None:
    root = tiny(
        IN_WET_SEASON,
        BY_NATION.replace("horse", "guns").replace("n13", "n8"),
        composition=with_nation(12, required=False),
    )

    assert not [each for each in proof_of(root).units if not each.possible]


def test_what_may_need_a_combination_that_is_not_tried_is_open(tiny: Tiny) -> None:
    root = tiny(BY_NATION, composition=with_nation(14, required=True))

    issues = issues_of(root)

    assert [(issue.severity, issue.problem.code) for issue in issues] == [
        ("warning", "fielding-unknown")
    ]
    assert "more combinations" in issues[0].problem.text


def test_field_that_must_be_stated_and_that_a_book_says_is_not_varied(tiny: Tiny) -> None:
    root = tiny(
        composition=with_nation(3, required=True),
        book=BOOK.replace("{temper: cold}", "{temper: cold, nation: n1}"),
    )

    assert issues_of(root) == []


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


def test_all_totals_are_out_of_reach_if_no_army_under_the_limit_is_legal(tiny: Tiny) -> None:
    # One foot for each point of the limit is more than anybody can pay.
    dear = "id: dear\nkind: count\nof: {entry: [foot]}\nwithin: army\nmin: 1\nper: 1"
    stands = "id: stands\nkind: count\nof: {level: unit}\nsum: stands\nwithin: unit\nmin: 1"
    root = tiny(dear, stands)
    composition = load_composition(library(root).system("tiny"))
    setting = replace(next(iter_settings(composition, [None])), limit=Decimal(20), any_limit=False)

    totals = find_totals(SearchSpace(composition, setting, legal=True), library(root), Decimal(20))

    assert totals is not None
    assert totals.missed == ((Decimal(1), Decimal(20)),)


def test_limit_is_spent_as_far_as_the_costs_allow(tiny: Tiny) -> None:
    root = tiny(NO_HORSE, FEW_FOOT)
    composition = load_composition(library(root).system("tiny"))
    setting = next(iter_settings(composition, [None]))

    assert greatest_total_under(composition, setting, Decimal(20)) == 18
    assert greatest_total_under(composition, setting, Decimal(2)) is None


# Additions


def army_of(root: Path, **keys: Any) -> Army:
    return army_from_document(Document("army.yaml", "", {"system": "tiny", **keys}), library(root))


FOUR_FOOT: Final = [{"unit": "foot", "stands": "4"}]


def test_additions_stop_at_rules_and_limit(tiny: Tiny) -> None:
    additions = find_additions(army_of(tiny(FEW_FOOT), limit="30", units=FOUR_FOOT))

    assert additions is not None
    assert additions.points_left == 18
    fits = {fit.unit_type.id: fit for fit in additions.units}
    # The rule allows two more foot; of 6 stands, for 18 points, only one fits. A stand of horse
    # costs 5 points.
    foot, horse = fits["foot"], fits["horse"]
    assert (foot.smallest, foot.count_smallest, foot.largest, foot.count_largest) == (1, 2, 6, 1)
    assert (horse.smallest, horse.count_smallest, horse.largest, horse.count_largest) == (
        1,
        3,
        3,
        1,
    )
    assert "guns" not in fits
    assert [fit.option.id for fit in additions.options] == ["shields", "pikes"]


def test_additions_without_a_limit_are_any_number(tiny: Tiny) -> None:
    additions = find_additions(army_of(tiny(), units=FOUR_FOOT))

    assert additions is not None
    assert additions.points_left is None
    assert all(fit.count_smallest >= ANY_NUMBER for fit in additions.units)


def test_illegal_army_has_no_additions() -> None:
    army = load_army(ROOT / "armies" / "slaughterloo" / "illegal.yaml", library())

    assert not check(army).legal
    assert find_additions(army) is None


def test_option_fits_some_units_of_an_entry_with_a_count(tiny: Tiny) -> None:
    rule = "id: few-pikes\nkind: count\nof: {options: [pikes]}\nwithin: army\nmax: 3"
    units = [
        {"unit": "foot", "stands": "4", "count": "5"},
        {"unit": "foot", "stands": "6", "options": ["pikes"]},
    ]

    additions = find_additions(army_of(tiny(rule), units=units))

    assert additions is not None
    fits = {fit.option.id: (fit.units, fit.number) for fit in additions.options}
    assert fits == {"shields": (("Foot", "Foot"), 6), "pikes": (("Foot (2 of 5)",), 2)}
