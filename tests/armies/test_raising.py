"""Test raising: what is rolled, what it gives, and what is impossible."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from pathlib import Path
from textwrap import indent

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muster.armies import Army, army_from_document
from muster.armies.lint_composition import lint_armies
from muster.armies.raising import raise_army, raised_text
from muster.armies.rolls import RollOutcome, outcome_of
from muster.problems import MusterError
from muster.systems import Library, open_system
from muster.values import Band, Dice
from muster.yamlfile import document_from_text
from tests.armies.conftest import COMPOSITION, Judge, Read
from tests.scaffold import spoil

QUALITY = """
id: quality
title: Quality
kind: lookup
chapter: army
source: L1
form: band
down: {id: class, title: Class}
columns: [{id: raw, label: Raw}, {id: green, label: Green}, {id: old, label: Old}]
rows:
  - {id: elite, label: Elite, cells: [–, 2-6, 7-12]}
  - {id: militia, label: Militia, cells: [2-9, 10-12, –]}
"""

GRADES = """
id: grades
title: Grades
kind: grid
chapter: army
source: L1
form: band
columns: [{id: score, label: Score}, {id: other, label: Other}]
rows:
  - {id: great, label: Great, cells: ["12", 2-12]}
  - {id: good, label: Good, cells: [over 7, –]}
  - {id: poor, label: Poor, cells: [over 2, –]}
"""

ABILITY = """
id: ability
title: Ability
kind: lookup
chapter: army
source: L1
form: number
down: {id: roll, title: D6, dice: d6}
columns: [{id: cold, label: Cold}, {id: warm, label: Warm}, {id: lost, label: Lost}]
rows:
  - {band: 1-3, cells: ["1", "2", blank]}
  - {band: 4-6, cells: ["5", "6", blank]}
"""

ROLLS = COMPOSITION.replace(
    '  - {id: chief, title: Chief, level: leader, fields: {rank: {form: whole, default: "1"}}}\n',
    """
  - id: chief
    title: Chief
    level: leader
    fields:
      grade:
        form: choice
        of: {great: Great, good: Good, poor: Poor}
        title: Grade
        roll:
          dice: 2d6
          table: grades
          column: score
          plus: [{add: +2, where: {type: [chief]}}]
          capped: "true"
      temper: {form: choice, of: {cold: Cold, warm: Warm, lost: Lost}}
      skill: {form: whole, title: Skill, roll: {dice: d6, table: ability, take: {field: temper}}}
""",
).replace(
    "      drill: {",
    """      class: {form: choice, of: {elite: Elite, militia: Militia}, title: Class}
      quality:
        form: choice
        of: {raw: Raw, green: Green, old: Old hands}
        title: Quality
        roll: {dice: 2d6, table: quality, row: {field: class}}
      drill: {""",
)

AVAILABLE = """
kind: available
of: {level: unit}
within: unit
cell: {table: quality, row: {field: class}, column: {field: quality}}
"""

ARMY = """
# The list of a player
name: All sorts  # a name
chief: {name: Anna, temper: warm}
units:
  # the best
  - {unit: foot, class: elite, stands: 3}  # guards
  # and the rest
  - unit: foot
    name: Levy
    class: militia
    stands: 4
    count: 3  # three of them
  - {unit: horse, class: elite, stands: 2, quality: green}
"""

TABLE = {"elite": {"green": range(2, 7), "old": range(7, 13)}}
TABLE["militia"] = {"raw": range(2, 10), "green": range(10, 13)}


@pytest.fixture
def tables(system: Path) -> Path:
    """Return the folder of the tiny system, with fields that are rolled and their tables."""
    for name, text in (("quality", QUALITY), ("grades", GRADES), ("ability", ABILITY)):
        (system / "tables" / f"{name}.yaml").write_text(text, encoding="utf-8")
    (system / "composition.yaml").write_text(f"{ROLLS}  []\n", encoding="utf-8")
    return system


@pytest.fixture
def army(tables: Path, read: Read) -> Army:
    del tables
    return read(ARMY)


def raised(army: Army, seed: int) -> str:
    return raised_text(army, raise_army(army, seed), seed)


def read_again(text: str, tables: Path) -> Army:
    return army_from_document(
        document_from_text(text, "raised.yaml"), Library(tables.parent.parent)
    )


every_seed = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
seeds = st.integers(0, 10**9)


@every_seed
@given(seed=seeds)
def test_every_value_is_the_one_that_the_table_has_for_the_roll(army: Army, seed: int) -> None:
    rolls = raise_army(army, seed)

    assert [(r.path, r.copy, r.field) for r in rolls] == [
        (("chief",), 0, "grade"),
        (("chief",), 0, "skill"),
        (("units", 0), 0, "quality"),
        *[(("units", 1), copy, "quality") for copy in range(3)],
    ]
    grade, skill, *qualities = rolls
    assert grade.modifier == 2
    assert grade.total == sum(grade.faces) + 2
    assert grade.value == ("great" if grade.total >= 12 else "good" if grade.total > 7 else "poor")
    assert skill.value == ("2" if skill.total <= 3 else "6")
    for roll in qualities:
        kind = "elite" if roll.path == ("units", 0) else "militia"
        assert all(1 <= face <= 6 for face in roll.faces)
        assert roll.total == sum(roll.faces)
        assert roll.total in TABLE[kind][roll.value]


@every_seed
@given(seed=seeds)
def test_raised_army_says_just_what_was_rolled(army: Army, tables: Path, seed: int) -> None:
    rolls = raise_army(army, seed)

    new = read_again(raised(army, seed), tables)
    chief, guards, *levies, horse = new.root.children
    assert (chief.kind.text("grade"), chief.kind.text("skill")) == (rolls[0].value, rolls[1].value)
    assert guards.kind.text("quality") == rolls[2].value
    assert [each.name for each in levies] == ["Levy 1", "Levy 2", "Levy 3"]
    assert [each.count for each in levies] == [1, 1, 1]
    assert [each.kind.text("quality") for each in levies] == [r.value for r in rolls[3:]]
    assert guards.rolled == rolls[2].record
    assert (horse.kind.text("quality"), horse.rolled) == ("green", "")
    assert raise_army(new, seed) == ()


@every_seed
@given(seed=seeds)
def test_same_seed_gives_the_same_bytes_and_keeps_comments(army: Army, seed: int) -> None:
    text = raised(army, seed)

    assert text == raised(army, seed)
    assert text.startswith(f"# Raised by muster raise --seed {seed}.\n")
    for comment in ("The list of a player", "a name", "the best", "guards", "and the rest"):
        assert text.count(f"# {comment}\n") == 1
    assert text.count("# three of them") == 1


def test_other_seeds_give_other_armies(army: Army) -> None:
    assert len({raised(army, seed).split("\n", 1)[1] for seed in range(20)}) > 15


def test_two_dice_fall_as_two_dice_do(tables: Path, read: Read) -> None:
    del tables
    army = read("units:\n  - {unit: foot, class: elite, stands: 3, count: 900}")
    thrown: Counter[Decimal] = Counter()
    for seed in range(8):
        thrown.update(roll.total for roll in raise_army(army, seed))

    number = thrown.total()
    for total, chance in Dice.parse("2d6").outcomes().items():
        assert abs(thrown[total] / number - chance) < 0.015
    assert thrown[Decimal(7)] > 4 * thrown[Decimal(2)]


def test_throw_is_recorded_with_dice_faces_and_total(army: Army) -> None:
    grade, skill, *qualities = raise_army(army, 7)

    first, second = grade.faces
    assert grade.record == f"grade 2D6 + 2 = {first} + {second} + 2 = {grade.total}"
    assert skill.record == f"skill D6 = {skill.total}"
    first, second = qualities[0].faces
    assert qualities[0].record == f"quality 2D6 = {first} + {second} = {qualities[0].total}"
    assert (qualities[1].label, qualities[1].title) == ("Foot “Levy” 1", "Quality")
    assert {roll.shown for roll in qualities} <= {"Raw", "Green", "Old hands"}


def test_value_that_only_says_the_default_is_rolled(tables: Path, read: Read) -> None:
    composition = tables / "composition.yaml"
    spoil(composition, "old: Old hands}\n", "old: Old hands, open: Open}\n        default: open\n")
    army = read("units:\n  - {unit: foot, class: elite, stands: 3, quality: open}")

    unit = read_again(raised(army, 1), tables).root.children[0]

    assert unit.kind.text("quality") in TABLE["elite"]


def test_words_stand_for_the_band_of_their_row(tables: Path, read: Read) -> None:
    words = """
id: grades
title: Grades
kind: lookup
chapter: army
source: L1
down: {id: roll, title: 2D6, dice: 2d6}
columns: [{id: score, label: Score}, {id: other, label: Other}]
rows:
  - {id: great, label: Great, band: 12+, cells: ["12", x]}
  - {id: good, label: Good, band: 8-11, cells: ["> 7", x]}
  - {id: poor, label: Poor, band: 2-7, cells: ["> 2", x]}
"""
    (tables / "tables" / "grades.yaml").write_text(words, encoding="utf-8")
    army = read("chief: {temper: cold, skill: 1}")

    for seed in range(40):
        (roll,) = raise_army(army, seed)
        assert roll.value == ("great" if roll.total > 11 else "good" if roll.total > 7 else "poor")


def test_dice_with_a_factor_show_their_working(tables: Path, read: Read) -> None:
    spoil(tables / "composition.yaml", "dice: 2d6, table: quality", "dice: 2d6*10-15, table: ten")
    ten = QUALITY.replace("id: quality", "id: ten").replace("2-6, 7-12", "0-60, 61-200")
    (tables / "tables" / "ten.yaml").write_text(ten, encoding="utf-8")

    (roll,) = raise_army(read("units:\n  - {unit: foot, class: elite, stands: 3}"), 1)

    first, second = roll.faces
    total = 10 * (first + second) - 15
    assert roll.record == f"quality 2D6 × 10 − 15 = ({first} + {second}) × 10 − 15 = {total}"


def test_record_of_many_dice_leaves_the_faces_out(tables: Path, read: Read) -> None:
    spoil(tables / "composition.yaml", "dice: 2d6, table: quality", "dice: 20d100, table: ten")
    ten = QUALITY.replace("id: quality", "id: ten").replace("2-6, 7-12", "20-60, 61-2000")
    (tables / "tables" / "ten.yaml").write_text(ten, encoding="utf-8")

    (roll,) = raise_army(read("units:\n  - {unit: foot, class: elite, stands: 3}"), 1)

    assert roll.record == f"quality 20D100 = {roll.total}"


def test_two_rolls_of_one_node_stand_in_one_line(army: Army, tables: Path) -> None:
    grade, skill, *_ = raise_army(army, 3)

    chief = read_again(raised(army, 3), tables).root.children[0]

    assert chief.rolled == f"{grade.record}; {skill.record}"
    assert chief.remark == f"Rolled: {chief.rolled}"


def test_earlier_record_is_kept_before_the_new_one(tables: Path, read: Read) -> None:
    text = "units:\n  - {unit: foot, class: elite, stands: 3, notes: Ours, rolled: by hand}"
    army = read(text)

    unit = read_again(raised(army, 3), tables).root.children[0]

    (roll,) = raise_army(army, 3)
    assert unit.remark == f"Ours – Rolled: by hand; {roll.record}"


def test_what_is_rolled_may_be_what_the_next_is_read_by(tables: Path, read: Read) -> None:
    spoil(
        tables / "composition.yaml",
        "title: Class}",
        "title: Class, roll: {dice: d6, table: classes, column: odds}}",
    )
    odds = GRADES.replace("id: grades", "id: classes").split("columns:")[0] + (
        "columns: [{id: odds, label: Odds}]\nrows:\n"
        "  - {id: elite, label: E, cells: [1-3]}\n  - {id: militia, label: M, cells: [4-6]}\n"
    )
    (tables / "tables" / "classes.yaml").write_text(odds, encoding="utf-8")
    army = read("units:\n  - {unit: foot, stands: 3, count: 40}")

    rolls = raise_army(army, 1)

    assert {roll.field for roll in rolls} == {"class", "quality"}
    for kind, quality in zip(rolls[::2], rolls[1::2], strict=True):
        assert quality.total in TABLE[kind.value][quality.value]


# Dice that are thrown already

THROWN = """      throw: {form: whole, title: Quality roll}
      drill: {"""


@pytest.fixture
def stating(tables: Path) -> Path:
    """Return the folder of the tiny system, in which a list may state the total for a quality."""
    composition = tables / "composition.yaml"
    spoil(composition, "row: {field: class}}", "row: {field: class}, total: throw}")
    spoil(composition, "      drill: {", THROWN)
    return tables


def test_stated_total_gives_the_value_and_nothing_is_thrown(stating: Path, read: Read) -> None:
    unit = "units:\n  - {unit: foot, class: elite, stands: 3, throw: 7}"

    for seed in range(9):
        (roll,) = raise_army(read(unit), seed)
        assert (roll.value, roll.faces, roll.record) == ("old", (), "quality 2D6 = 7")
    new = read_again(raised(read(unit), 1), stating)
    assert (new.root.children[0].kind.text("quality"), raise_army(new, 1)) == ("old", ())


def test_units_with_a_stated_total_stay_one_entry(stating: Path, read: Read) -> None:
    unit = "{unit: foot, name: Levy, class: militia, stands: 3, count: 4, throw: 9}"

    (levy,) = read_again(raised(read(f"units:\n  - {unit}"), 1), stating).root.children

    assert (levy.name, levy.count, levy.kind.text("quality")) == ("Levy", 4, "raw")


def test_stated_total_changes_no_other_throw(stating: Path, read: Read) -> None:
    del stating
    thrown = "  - {unit: foot, class: elite, stands: 3}\n"
    stated = "  - {unit: foot, class: elite, stands: 3, throw: 7}\n"

    alone = raise_army(read(f"units:\n{thrown}"), 5)
    beside = raise_army(read(f"units:\n{stated}{thrown}"), 5)

    assert [roll.faces for roll in alone] == [roll.faces for roll in beside if roll.faces]


def test_stated_total_has_what_is_added_to_it(stating: Path, read: Read) -> None:
    composition = stating / "composition.yaml"
    spoil(composition, 'capped: "true"\n', "total: score\n")
    spoil(composition, "      temper:", "      score: {form: whole}\n      temper:")

    (roll,) = raise_army(read("chief: {temper: cold, skill: 1, score: 14}"), 1)

    assert (roll.value, roll.record) == ("good", "grade 2D6 + 2 = 14")


@pytest.mark.parametrize("total", ["0", "1", "13", "999"])
def test_total_that_the_dice_cannot_show_is_refused(stating: Path, read: Read, total: str) -> None:
    del stating

    with pytest.raises(MusterError) as caught:
        read(f"units:\n  - {{unit: foot, class: elite, stands: 3, throw: {total}}}")

    (problem,) = caught.value.problems
    assert (problem.code, problem.location.line) == ("bad-value", 3)
    assert problem.text == f"read '{total}', expected a roll from 2 to 12, as in “Quality”"


def test_total_is_judged_by_the_row_that_it_is_read_in(stating: Path, read: Read) -> None:
    spoil(stating / "tables" / "quality.yaml", "cells: [2-9, 10-12, –]", "cells: [2-9, –, –]")
    unit = "units:\n  - {{unit: foot, class: {}, stands: 3, throw: 10}}"

    read(unit.format("elite"))
    with pytest.raises(MusterError, match="expected a roll from 2 to 9"):
        read(unit.format("militia"))


def test_total_without_a_class_to_read_it_by_waits_for_the_class(stating: Path, read: Read) -> None:
    del stating

    (unit,) = read("units:\n  - {unit: foot, stands: 3, throw: 99}").units()

    assert unit.kind.text("throw") == "99"


def test_number_that_no_roll_gives_is_refused(tables: Path, read: Read) -> None:
    del tables
    read("chief: {temper: warm, skill: 6}")

    with pytest.raises(MusterError) as caught:
        read("chief: {temper: warm, skill: 5}")

    assert [problem.text for problem in caught.value.problems] == [
        "read '5', expected one of 2, 6, as in “Ability”"
    ]


def test_broken_table_of_a_roll_is_reported_with_the_list(tables: Path, read: Read) -> None:
    spoil(tables / "tables" / "ability.yaml", "kind: lookup", "kind: nonsense")

    with pytest.raises(MusterError) as caught:
        read("limit: x\nchief: {temper: warm, skill: 5}")

    assert "bad-limit" in [problem.code for problem in caught.value.problems]


@pytest.mark.parametrize("total", ["quality", "name", "class"])
def test_total_is_a_whole_number_beside_the_roll(stating: Path, read: Read, total: str) -> None:
    spoil(stating / "composition.yaml", "total: throw", f"total: {total}")

    with pytest.raises(MusterError) as caught:
        read("units: []")

    assert caught.value.problems[0].code == "bad-roll"


# What is impossible


def problems(army: Army) -> list[tuple[str, int | None, str]]:
    with pytest.raises(MusterError) as caught:
        raise_army(army, 1)
    return [(p.code, p.location.line, p.text) for p in caught.value.problems]


def test_roll_by_a_class_that_the_list_does_not_state_names_the_class(
    tables: Path, read: Read
) -> None:
    del tables
    army = read("units:\n  - {unit: foot, stands: 3, count: 5}\n  - {unit: horse, stands: 2}")

    found = problems(army)

    assert [(code, line) for code, line, _ in found] == [
        ("roll-impossible", 3),
        ("roll-impossible", 4),
    ]
    assert found[0][2] == (
        "the quality of Foot depends on its class, which is not stated: add `class:`"
    )


def test_total_without_an_outcome_is_reported(tables: Path, read: Read) -> None:
    del tables
    army = read("chief: {temper: lost, grade: poor}")

    assert problems(army)[0][2].startswith("the table has no skill for Chief and a roll of ")


def test_roll_by_a_row_that_does_not_exist_is_reported(tables: Path, read: Read) -> None:
    spoil(tables / "composition.yaml", "{elite: Elite, militia: Militia}", "{elite: E, odd: Odd}")

    found = problems(read("units:\n  - {unit: foot, class: odd, stands: 3}"))

    assert found[0][2] == ("the quality of Foot cannot be rolled: no entry for odd in “Quality”")


def test_value_that_the_field_does_not_take_is_reported(tables: Path, read: Read) -> None:
    spoil(tables / "composition.yaml", "of: {raw: Raw, green: Green, old: Old hands}", "of: {x: X}")

    found = problems(read("units:\n  - {unit: foot, class: elite, stands: 3}"))

    assert "that the field does not accept" in found[0][2]


def test_army_that_grows_too_large_is_refused_before_it_is_rolled(tables: Path, read: Read) -> None:
    del tables
    units = "units:\n  - {unit: foot, class: elite, stands: 3, count: 999}\n"
    wings = "wings:\n" + "  - {name: A}\n" * 1001

    assert [code for code, _, _ in problems(read(units + wings))] == ["too-many-units"]


# Bands


def outcomes(*bands: str) -> list[RollOutcome]:
    return [RollOutcome(Band.parse(band), band) for band in bands]


@pytest.mark.parametrize(
    ("bands", "total", "capped", "expected"),
    [
        (("2-6", "7-12"), 7, False, "7-12"),
        (("2-6", "7-12"), 13, False, None),
        (("2-6", "7-12"), 13, True, "7-12"),
        (("7-12", "2-6"), 1, False, None),
        (("7-12", "2-6"), 1, True, "2-6"),
        (("2-6", "9-12"), 8, True, None),
        (("over 2", "over 7", "12"), 11, False, "over 7"),
        (("12", "over 7", "over 2"), 12, False, "12"),
        (("12", "over 7", "over 2"), 14, True, "12"),
        (("12", "over 7", "over 2"), 14, False, "over 7"),
        (("12", "over 7", "over 2"), 2, True, "over 2"),
        (("up to 3", "up to 6"), 2, False, "up to 3"),
        ((), 2, True, None),
    ],
)
def test_total_finds_its_band(
    bands: tuple[str, ...],
    total: int,
    capped: bool,  # noqa: FBT001 - a parameter of the test
    expected: str | None,
) -> None:
    found = outcome_of(outcomes(*bands), Decimal(total), capped=capped)

    assert (found.value if found else None) == expected


# Available


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("class: elite, quality: old", []),
        ("class: elite", []),
        ("quality: raw", []),
        (
            "class: elite, quality: raw",
            [
                (
                    "Green or Old hands",
                    "Raw",
                    "Choose Green or Old hands, or leave it out and roll for it.",
                )
            ],
        ),
        (
            "class: militia, quality: old",
            [
                (
                    "Raw or Green",
                    "Old hands",
                    "Choose Raw or Green, or leave it out and roll for it.",
                )
            ],
        ),
    ],
)
def test_available_checks_a_value_against_the_table(
    tables: Path, judge: Judge, monkeypatch: pytest.MonkeyPatch, unit: str,
    expected: list[tuple[str, str, str]],
) -> None:  # fmt: skip
    del tables
    monkeypatch.setattr("tests.armies.conftest.COMPOSITION", ROLLS)

    verdict = judge(AVAILABLE, f"units:\n  - {{unit: foot, stands: 3, {unit}}}")

    assert [(f.allowed, f.actual, f.remedy) for f in verdict.findings] == expected
    assert all(f.location.column == unit.index("quality:") + 38 for f in verdict.findings)


def test_available_ignores_what_it_does_not_mean(
    tables: Path, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    del tables
    monkeypatch.setattr("tests.armies.conftest.COMPOSITION", ROLLS)
    rule = AVAILABLE.replace("{level: unit}", "{entry: [horse]}")

    verdict = judge(rule, "units:\n  - {unit: foot, stands: 3, class: elite, quality: raw}")

    assert verdict.findings == ()


def test_available_by_its_row_names_the_rows(
    tables: Path, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    del tables
    monkeypatch.setattr("tests.armies.conftest.COMPOSITION", ROLLS)
    rule = AVAILABLE.replace("column: {field: quality}", "column: old")

    verdict = judge(rule, "units:\n  - {unit: foot, stands: 3, class: militia}")

    found = verdict.findings[0]
    assert (found.allowed, found.actual, found.remedy) == (
        "Elite",
        "Militia",
        "Choose Elite, or leave it out.",
    )


# Checks on content


def lint(tables: Path) -> list[tuple[str, str]]:
    return [(issue.severity, issue.problem.code) for issue in lint_armies(open_system(tables))]


def test_sound_rolls_have_no_error(tables: Path) -> None:
    spoil(tables / "composition.yaml", "warm: Warm, lost: Lost}}", "warm: Warm}}")

    assert [code for severity, code in lint(tables) if severity == "error"] == []


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("2d6, table: quality", "2d6, table: qualities", "unknown-table"),
        ("column: score", "column: scores", "unknown-column"),
        ("militia: Militia}", "militia: Militia, odd: Odd}", "unknown-row"),
        ("2d6, table: quality", "3d6, table: quality", "roll-uncovered"),
        ("warm: Warm, lost: Lost}", "warm: Warm, lost: Lost}", "roll-uncovered"),
        ('          capped: "true"', '          capped: "false"', "roll-uncovered"),
        ("green: Green, old: Old", "green: Green, ancient: Old", "bad-value"),
        ("2d6, table: quality", "six, table: quality", "bad-value"),
        ("row: {field: class}", "row: {field: clas}", "unknown-attribute"),
        ("where: {type: [chief]}", "where: {typ: [chief]}", "unknown-attribute"),
        ("where: {type: [chief]}", "where: {type: [boss]}", "unknown-value"),
        ("add: +2", "add: two", "bad-signed"),
        ("column: score\n", "column: score\n          row: great\n", "bad-value"),
        ("title: Grade\n", 'title: Grade\n        required: "true"\n', "bad-roll"),
        (
            "morale: {form: number,",
            "morale: {roll: {dice: d6, table: ability, take: cold}, form: number,",
            "bad-roll",
        ),
    ],
)
def test_problem_of_a_roll_is_found(tables: Path, old: str, new: str, code: str) -> None:
    spoil(tables / "composition.yaml", old, new)

    assert ("error", code) in lint(tables)


def test_available_of_a_fixed_cell_is_refused(tables: Path) -> None:
    rule = AVAILABLE.replace("{field: class}", "elite").replace("{field: quality}", "raw")
    head = "id: tried\nmessage: M.\nrule: {chapter: army, source: L1}"
    body = indent(f"{head}\n{rule.strip()}\n", "    ").replace("    ", "  - ", 1)
    (tables / "composition.yaml").write_text(ROLLS + body, encoding="utf-8")

    assert lint(tables) == [("error", "fixed-cell")]
