"""Test the check of every kind of constraint at its edges, on the tiny system."""

from __future__ import annotations

from pathlib import Path

import pytest

from muster.armies import army_from_document, check
from muster.armies.checks import CHECKS
from muster.systems import Library
from muster.yamlfile import document_from_text
from tests.armies.conftest import ARMED, COMPOSITION, PRICED_OPTIONS, Judge, Read
from tests.armies.constraint_samples import FOOT, HORSE, SAMPLES, kinds_of_constraint, units


def findings_of(judge: Judge, constraint: str, army: str) -> list[tuple[str, str, str, str]]:
    """Return path, allowed, actual and remedy of each finding."""
    verdict = judge(constraint, army)
    return [(f.path, f.allowed, f.actual, f.remedy) for f in verdict.findings]


def test_every_kind_of_constraint_has_a_check_and_a_sample() -> None:
    assert set(CHECKS) == kinds_of_constraint()
    assert set(SAMPLES) == kinds_of_constraint()


@pytest.mark.parametrize("kind", SAMPLES)
def test_check_tells_a_legal_army_from_an_illegal_one(judge: Judge, kind: str) -> None:
    sample = SAMPLES[kind]

    assert judge(sample.rule, sample.legal).findings == ()
    assert [finding.code for finding in judge(sample.rule, sample.illegal).findings] == ["tried"]


COUNT = "kind: count\nof: {entry: [foot]}\nwithin: army\n"


@pytest.mark.parametrize(
    ("limits", "number", "expected"),
    [
        ("min: 2", 2, None),
        ("min: 2", 1, ("2 or more foots", "1 foot", "Add 1 foot.")),
        ("max: 2", 2, None),
        ("max: 2", 3, ("at most 2 foots", "3 foots", "Remove 1 foot.")),
        ("min: 1\nmax: 2", 4, ("1 or 2 foots", "4 foots", "Remove 2 foots.")),
        ("max: 0", 1, ("none", "1 foot", "Remove 1 foot.")),
        ("step: 3", 3, None),
        ("step: 3", 4, ("a multiple of 3 foots", "4 foots", "Remove 1 foot or add 2.")),
        ("step: 3\nmax: 5", 5, ("at most 5 foots, a multiple of 3", "5 foots", "Remove 2 foots.")),
        ("allowed: [1-2, 4-5]", 3, ("1, 2, 4 or 5 foots", "3 foots", "Remove 1 foot or add 1.")),
        ("allowed: [1-2, 3]", 3, None),
        ("allowed: [1-2, 3]", 4, ("1, 2 or 3 foots", "4 foots", "Remove 1 foot.")),
        ("allowed: [over 2]", 2, ("3 or more foots", "2 foots", "Add 1 foot.")),
        ("allowed: [under 2]", 2, ("at most 1 foot", "2 foots", "Remove 1 foot.")),
        ("allowed: [8-20]", 30, ("8–20 foots", "30 foots", "Remove 10 foots.")),
        ("allowed: [8+]\nmax: 9", 10, ("8 or 9 foots", "10 foots", "Remove 1 foot.")),
    ],
)
def test_count_holds_its_ends(
    judge: Judge, limits: str, number: int, expected: tuple[str, str, str] | None
) -> None:
    findings = findings_of(judge, COUNT + limits, units(f"{FOOT}, count: {number}"))

    assert findings == ([] if expected is None else [("army", *expected)])


def test_count_names_things_as_the_rule_says(judge: Judge) -> None:
    rule = COUNT + "max: 1\none: regiment of foot\nmany: regiments of foot"

    findings = findings_of(judge, rule, units(FOOT, FOOT))

    assert findings[0][2:] == ("2 regiments of foot", "Remove 1 regiment of foot.")


def test_sum_of_a_field_counts_units_alike(judge: Judge) -> None:
    rule = "kind: count\nof: {level: unit}\nwithin: army\nsum: stands\nmax: 6"

    assert findings_of(judge, rule, units(f"{FOOT}, count: 2")) == []
    findings = findings_of(judge, rule, units(f"{FOOT}, count: 2", HORSE))
    assert findings == [("army", "at most 6 stands", "8 stands", "Remove 2 stands.")]


CELL = (
    "kind: count\nof: {level: unit}\nwithin: unit\nsum: stands\n"
    "allowed: [{table: sizes, row: {field: type}}]"
)


def test_cell_gives_the_band(judge: Judge) -> None:
    findings = findings_of(judge, CELL, units("unit: foot, stands: 7"))

    assert findings == [("units[0]", "3–6 stands", "7 stands", "Remove 1 stand.")]


def test_dash_means_not_available(judge: Judge) -> None:
    findings = findings_of(judge, CELL, units("unit: horse, stands: 3"))

    assert findings == [("units[0]", "none", "3 stands", "Field another type of unit instead.")]


BY_DRILL = """
id: drilled
title: Drilled
kind: grid
chapter: army
form: band
columns: [{id: raw, label: Raw}, {id: old, label: Old hands}]
rows:
  - {id: foot, label: Foot, cells: [3-6, –]}
  - {id: north, label: North, cells: [–, 3-6]}
"""


@pytest.mark.parametrize(
    ("row", "army", "allowed", "remedy"),
    [
        (
            "{field: type}",
            units("unit: foot, stands: 4, drill: old"),
            "none: there is no foot with drill Old hands",
            "Change the drill.",
        ),
        (
            "{field: book}",
            "book: north\n" + units("unit: foot, stands: 4"),
            "none: there is no foot with drill Raw",
            "Change the drill.",
        ),
    ],
)
def test_dash_is_explained_by_the_values_that_lead_to_it(
    system: Path, judge: Judge, row: str, army: str, allowed: str, remedy: str
) -> None:
    (system / "tables" / "drilled.yaml").write_text(BY_DRILL, encoding="utf-8")
    rule = CELL.replace(
        "sizes, row: {field: type}", f"drilled, row: {row}, column: {{field: drill}}"
    )

    findings = findings_of(judge, rule, army)

    assert findings == [("units[0]", allowed, "4 stands", remedy)]


def test_dash_of_the_whole_army_says_which_army(system: Path, judge: Judge) -> None:
    (system / "tables" / "drilled.yaml").write_text(BY_DRILL, encoding="utf-8")
    rule = CELL.replace("sizes, row: {field: type}", "drilled, row: {field: book}, column: raw")

    findings = findings_of(judge, rule, "book: north\n" + units(FOOT))

    assert findings[0][1:] == (
        "none: an army of book north has no foot",
        "3 stands",
        "Field another type of unit instead.",
    )


@pytest.mark.parametrize(
    ("stands", "remedy"),
    [
        (10, "Remove 4 stands."),
        (4, "Remove 1 stand or add 2."),
        (5, "Remove 2 stands or add 1."),
        (2, "Add 1 stand."),
    ],
)
def test_remedy_for_a_number_keeps_the_other_rules_on_it(
    system: Path, read: Read, stands: int, remedy: str
) -> None:
    rules = """
  - id: size
    message: A unit has 3 to 6 stands.
    rule: {chapter: army}
    kind: count
    of: {level: unit}
    within: unit
    sum: stands
    allowed: [3-6]
  - id: threes
    message: Stands come in threes.
    rule: {chapter: army}
    kind: count
    of: {level: unit}
    within: unit
    sum: stands
    step: 3
"""
    (system / "composition.yaml").write_text(COMPOSITION + rules, encoding="utf-8")

    findings = check(read(units(f"unit: foot, stands: {stands}"))).findings

    assert {finding.remedy for finding in findings} == {remedy}


def test_number_that_only_warns_is_not_recommended_beside_one_that_does_not(
    system: Path, read: Read
) -> None:
    rules = """
  - id: size
    message: A unit has 3 or 6 stands.
    rule: {chapter: army}
    kind: count
    of: {level: unit}
    within: unit
    sum: stands
    allowed: ["3", "6"]
  - id: six
    message: Six are rare.
    rule: {chapter: army}
    stated: false
    kind: count
    of: {level: unit}
    within: unit
    sum: stands
    max: 3
    when: {of: {level: unit}, sum: stands, min: 6, max: 6}
"""
    (system / "composition.yaml").write_text(COMPOSITION + rules, encoding="utf-8")

    between, above = (
        check(read(units(f"unit: foot, stands: {stands}"))).findings for stands in (5, 7)
    )

    assert [finding.remedy for finding in between] == ["Remove 2 stands."]
    assert [finding.remedy for finding in above] == ["Remove 1 stand."]


def test_stated_remedy_is_for_too_many_only(judge: Judge) -> None:
    rule = COUNT + "min: 1\nmax: 2\nremedy: form a second army"

    assert findings_of(judge, rule, "name: A")[0][3] == "Add 1 foot."
    assert findings_of(judge, rule, units(FOOT, FOOT, FOOT))[0][3] == (
        "Remove 1 foot, or form a second army."
    )


def test_blank_cell_finds_nothing(judge: Judge) -> None:
    assert findings_of(judge, CELL, units("unit: guns, stands: 99, price: 1")) == []


def test_cell_of_a_field_that_nobody_fills_in_finds_nothing(judge: Judge) -> None:
    rule = CELL.replace("field: type", "field: weapon")

    assert findings_of(judge, rule, units("unit: foot, stands: 99")) == []


def test_finding_of_a_field_points_at_it(judge: Judge) -> None:
    verdict = judge(CELL, units("unit: foot, name: A, stands: 7"))

    where = verdict.findings[0].location
    assert (where.file, where.line, where.column) == ("army.yaml", 3, 35)


SHARE = "kind: share\npart: {entry: [horse]}\nwhole: {level: unit}\nwithin: army\n"


@pytest.mark.parametrize(
    ("limits", "foot", "horse", "expected"),
    [
        ("max: 1/3", 2, 1, None),
        ("max: 33%", 2, 1, ("at most 33% of them", "1 of 3 units",
                            "Remove 1 horse, or add 1 other unit.")),
        ("max: 1/2", 1, 3, ("at most 1/2 of them", "3 of 4 units",
                            "Remove 2 horses, or add 2 other units.")),
        ("max: 0%", 1, 1, ("none", "1 of 2 units", "Remove 1 horse.")),
        ("min: 1/4", 3, 1, None),
        ("min: 1/2", 3, 1, ("at least 1/2 of them", "1 of 4 units", "Add 2 horses.")),
        ("min: 1", 1, 1, ("only horses", "1 of 2 units",
                       "Replace 1 other unit with horses.")),
        ("min: 100%", 0, 2, None),
    ],
)  # fmt: skip
def test_share_is_exact(
    judge: Judge, limits: str, foot: int, horse: int, expected: tuple[str, str, str] | None
) -> None:
    army = units(*[FOOT] * foot, *[HORSE] * horse)

    findings = findings_of(judge, SHARE + limits, army)

    assert findings == ([] if expected is None else [("army", *expected)])


def test_share_of_nothing_is_no_fault(judge: Judge) -> None:
    assert findings_of(judge, SHARE + "min: 1/2", "name: Nobody") == []


def test_share_by_a_field_counts_stands(judge: Judge) -> None:
    findings = findings_of(judge, SHARE + "by: stands\nmax: 1/4", units(FOOT, HORSE))

    assert findings[0][1:3] == ("at most 1/4 of them", "2 of 5 stands")


def test_share_by_points_counts_what_is_known(judge: Judge) -> None:
    findings = findings_of(judge, SHARE + "by: points\nmax: 1/2", units(FOOT, HORSE))

    assert findings[0][1:3] == ("at most 1/2 of them", "10 of 19 points")


def test_share_within_a_book_looks_at_each_book(judge: Judge) -> None:
    rule = SHARE.replace("within: army", "within: book") + "max: 1/2"
    army = units(HORSE, HORSE, f"{FOOT}, book: north", f"{HORSE}, book: north")

    assert findings_of(judge, rule, army) == []
    assert findings_of(judge, rule, "book: north\n" + army)[0][:3] == (
        "army",
        "at most 1/2 of them",
        "3 of 4 units",
    )


def test_alike_moves_the_fewest(judge: Judge) -> None:
    rule = "kind: alike\nof: {level: unit}\nattribute: arm\nwithin: wing"
    army = f"wings:\n  - {units(FOOT, HORSE, f'{FOOT}, count: 2')}".replace("\n  - {", "\n    - {")

    assert findings_of(judge, rule, army) == [
        ("wings[0]", "only one of these", "foot and horse", "Move 1 horse unit out of this wing.")
    ]


def test_alike_passes_over_those_without_the_attribute(judge: Judge) -> None:
    rule = "kind: alike\nof: {level: unit}\nattribute: weapon\nwithin: army"

    assert findings_of(judge, rule, units(FOOT, f"{FOOT}, options: [pikes]")) == []


def test_variety_counts_values_not_units(judge: Judge) -> None:
    rule = "kind: variety\nof: {level: unit}\nattribute: arm\nmax: 2\nwithin: army"
    guns = "unit: guns, stands: 1, price: 1"

    assert findings_of(judge, rule, units(FOOT, FOOT, HORSE)) == []
    assert findings_of(judge, rule, units(FOOT, FOOT, HORSE, HORSE, guns)) == [
        ("army", "at most 2 of these", "foot, horse and guns", "Remove the units with arm guns.")
    ]


def test_requires_asks_only_where_one_stands(judge: Judge) -> None:
    rule = "kind: requires\nof: {entry: [horse]}\nneeds: {entry: [foot]}\nwithin: army"

    assert findings_of(judge, rule, units(FOOT)) == []
    assert findings_of(judge, rule, units(HORSE, FOOT)) == []
    assert findings_of(judge, rule, units(HORSE)) == [
        ("army", "at least 1 foot", "none", "Add 1 foot, or remove the horses.")
    ]


def test_excludes_counts_both_sides_of_a_scope(judge: Judge) -> None:
    rule = "kind: excludes\nof: {entry: [horse]}\nbars: {options: [pikes]}\nwithin: army"

    assert findings_of(judge, rule, units(HORSE, FOOT)) == []
    assert findings_of(judge, rule, units(HORSE, f"{FOOT}, options: [pikes]"))[0][1:3] == (
        "one or the other",
        "1 horse and 1 “Pikes”",
    )


def test_excludes_within_one_unit_looks_at_that_unit(judge: Judge) -> None:
    rule = "kind: excludes\nof: {options: [shields]}\nbars: {options: [pikes]}\nwithin: unit"
    apart = units(f"{FOOT}, options: [shields]", f"{FOOT}, options: [pikes]")

    assert findings_of(judge, rule, apart) == []
    assert findings_of(judge, rule, units(f"{FOOT}, options: [pikes, shields]")) == [
        (
            "units[0]",
            "one or the other",
            "“Shields” and “Pikes”",
            "Leave out “Shields” or “Pikes”.",
        )
    ]


def test_option_that_comes_with_the_unit_is_not_the_one_to_leave_out(judge: Judge) -> None:
    rule = "kind: excludes\nof: {options: [shields]}\nbars: {options: [pikes]}\nwithin: unit"

    findings = findings_of(judge, rule, "book: north\n" + units("unit: axemen, options: [pikes]"))

    assert findings[0][2:] == ("“Shields” and “Pikes”", "Leave out “Pikes”.")


def test_option_that_a_type_cannot_have_is_named(judge: Judge) -> None:
    rule = "kind: excludes\nof: {entry: [horse]}\nbars: {options: [shields, pikes]}\nwithin: unit"

    findings = findings_of(judge, rule, units(f"{HORSE}, options: [pikes]"))

    assert findings == [("units[0]", "none for horse", "“Pikes”", "Leave out “Pikes”.")]


def test_only_if_looks_at_the_unit_and_above(judge: Judge) -> None:
    rule = "kind: only-if\nof: {options: [pikes]}\nneeds: {where: {book: [north]}}\nwithin: unit"
    army = units(f"{FOOT}, options: [pikes]")

    assert findings_of(judge, rule, army) == [
        ("units[0]", "book north", "no book", "Leave out “Pikes”.")
    ]
    assert findings_of(judge, rule, "book: north\n" + army) == []


def judge_priced(system: Path, read: Read, rule: str, army: str) -> tuple[str, str, str, str]:
    """Return path, allowed, actual and remedy of the one finding of a rule; empty without one."""
    keys = f"id: tried, message: M., rule: {{chapter: army, source: L1}}, {rule}"
    composition = f"{PRICED_OPTIONS}  - {{{keys}}}\n"
    (system / "composition.yaml").write_text(composition, encoding="utf-8")
    found = [f for f in check(read(army)).findings if f.code == "tried"]
    if not found:
        return "", "", "", ""
    (only,) = found
    return only.path, only.allowed, only.actual, only.remedy


LEGAL = ("", "", "", "")
BOTH = "options: [shields, pikes]"


@pytest.mark.parametrize(
    ("rule", "army", "expected"),
    [
        # Choose one of a group: none of it is too few, although nothing names the group then.
        ("of: {level: unit, options: [pikes, shields]}, within: unit, min: 1, max: 1",
         units(FOOT), ("units[0]", "1 of “Pikes” and “Shields”", "none",
                       "Choose 1 of “Pikes” and “Shields”.")),
        ("of: {level: unit, options: [pikes, shields]}, within: unit, min: 1, max: 1",
         units(f"{FOOT}, options: [pikes, drums]"), LEGAL),
        ("of: {level: unit, options: [pikes, shields]}, within: unit, min: 1, max: 1",
         units(f"{FOOT}, {BOTH}"), ("units[0]", "1 of “Pikes” and “Shields”",
                                    "2 of “Pikes” and “Shields”",
                                    "Leave out 1 of “Pikes” and “Shields”.")),
        # Without names all options count, also those of a profile; over an army, too.
        ("of: {level: unit}, within: unit, max: 1",
         f"book: north\nunits: [{{unit: axemen, {BOTH}}}]",
         ("units[0]", "at most 1 option", "2 options", "Leave out 1 option.")),
        ("of: {entry: [foot]}, within: army, max: 2", units(f"{FOOT}, count: 3, options: [pikes]"),
         ("army", "at most 2 options", "3 options", "Leave out 1 option.")),
        ("of: {options: [pikes]}, within: army, max: 2", units(FOOT, f"{HORSE}, {BOTH}"), LEGAL),
    ],
)  # fmt: skip
def test_options_are_counted_of_a_group_or_all(
    system: Path, read: Read, rule: str, army: str, expected: tuple[str, str, str, str]
) -> None:
    assert judge_priced(system, read, f"kind: count, by: options, {rule}", army) == expected


@pytest.mark.parametrize(
    ("rule", "army", "expected"),
    [
        # 3 × 3 for stands, 3 × 5 for shields.
        ("by: points, of: {level: unit}, within: unit, max: 24",
         units(f"{FOOT}, options: [shields]"),
         LEGAL),
        ("by: points, of: {level: unit}, within: unit, max: 23",
         units(f"{FOOT}, options: [shields]"),
         ("units[0]", "at most 23 points", "24 points",
          "Leave out options or figures worth at least 1 point.")),
        ("by: points, of: {entry: [foot]}, within: army, min: 10", units(FOOT, HORSE),
         ("army", "10 or more points", "9 points",
          "Add units or options worth at least 1 point.")),
        ("by: option-points, of: {level: unit}, within: unit, max: 14",
         units(f"{FOOT}, options: [shields]"),
         ("units[0]", "at most 14 points", "15 points",
          "Leave out options worth at least 1 point.")),
        ("by: option-points, of: {options: [pikes]}, within: unit, max: 3",
         units(f"{FOOT}, price: 5, {BOTH}"), LEGAL),
        # What makes a unit cheaper is no less than nothing.
        ("by: option-points, of: {level: unit}, within: unit, max: 3",
         units(f"{FOOT}, options: [drums]"), LEGAL),
        ("by: option-points, of: {level: unit}, within: army, max: 20",
         units(f"{FOOT}, count: 2, options: [shields, drums]"),
         ("army", "at most 20 points", "26 points", "Leave out options worth at least 6 points.")),
    ],
)  # fmt: skip
def test_points_are_counted_of_nodes_or_of_their_options(
    system: Path, read: Read, rule: str, army: str, expected: tuple[str, str, str, str]
) -> None:
    assert judge_priced(system, read, f"kind: count, {rule}", army) == expected


def test_share_of_the_points_of_options(system: Path, read: Read) -> None:
    rule = (
        "kind: share, part: {entry: [foot]}, whole: {level: unit}, by: option-points, "
        "within: army, max: 1/2"
    )
    foot, horse = f"{FOOT}, options: [shields]", f"{HORSE}, options: [shields]"

    assert judge_priced(system, read, rule, units(foot, horse, horse)) == LEGAL
    assert judge_priced(system, read, rule, units(foot, horse))[2] == "15 of 25 points"


def test_condition_counts_points(system: Path, read: Read) -> None:
    rule = (
        "kind: count, of: {level: unit}, within: army, max: 1, "
        "when: {of: {level: unit}, by: points, min: 19}"
    )

    assert judge_priced(system, read, rule, units(FOOT, FOOT)) == LEGAL
    assert judge_priced(system, read, rule, units(FOOT, HORSE))[0] == "army"


PER = "kind: count, of: {entry: [foot]}, within: army"


@pytest.mark.parametrize(
    ("rule", "limit", "number", "expected"),
    [
        # Full tens count, or begun ones.
        ("max: 1, per: 10", "29", 2, ()),
        ("max: 1, per: 10", "29", 3, ("at most 2 foots under a limit of 29 points", "3 foots",
                                      "Remove 1 foot.")),
        ("max: 1, per: 10, begun: true", "29", 3, ()),
        ("max: 1, per: 10, begun: true", "30", 4,
         ("at most 3 foots under a limit of 30 points", "4 foots", "Remove 1 foot.")),
        ("max: 1, per: 10", "9", 1, ("none under a limit of 9 points", "1 foot", "Remove 1 foot.")),
        ("min: 2, per: 10", "20", 3, ("4 or more foots under a limit of 20 points", "3 foots",
                                      "Add 1 foot.")),
        ("min: 1, max: 2, per: 10", "20", 4, ()),
        ("max: 12, per: 10, by: points", "15", 1, ()),
        ("max: 12, per: 10, by: points", "15", 2,
         ("at most 12 points under a limit of 15 points", "18 points",
          "Leave out units or options worth at least 6 points.")),
        ("max: 1, when: {limit: 10-20}", "20", 2, ("at most 1 foot", "2 foots", "Remove 1 foot.")),
        ("max: 1, when: {limit: 10-20}", "20.5", 2, ()),
        ("max: 1, unless: {any: [{limit: under 10}, {limit: 20+}]}", "9.5", 2, ()),
        ("max: 1, unless: {any: [{limit: under 10}, {limit: 20+}]}", "10", 2,
         ("at most 1 foot", "2 foots", "Remove 1 foot.")),
    ],
)  # fmt: skip
def test_limit_counts_in_caps_and_conditions(
    system: Path, read: Read, rule: str, limit: str, number: int, expected: tuple[str, ...]
) -> None:
    army = f"limit: {limit}\n{units(*[FOOT] * number)}"

    assert judge_priced(system, read, f"{PER}, {rule}", army)[1:] == (expected or LEGAL[1:])


OF_LIMIT = "kind: share, part: {entry: [foot]}, whole: limit, by: points"


@pytest.mark.parametrize(
    ("rule", "number", "expected"),
    [
        ("within: army, max: 50%", 1, ()),
        ("within: army, max: 50%", 2, ("at most 50% of the limit", "18 of 20 points",
                                       "Remove 8 points of foots.")),
        ("within: army, min: 50%", 1, ("at least 50% of the limit", "9 of 20 points",
                                       "Add 1 point of foots.")),
        ("within: army, min: 25%, max: 9/20", 1, ()),
        # Of a unit by itself: neither its count nor other units matter.
        ("within: unit, max: 9/20", 2, ()),
        ("within: unit, max: 40%", 1, ("at most 40% of the limit", "9 of 20 points",
                                       "Remove 1 point of foots.")),
    ],
)  # fmt: skip
def test_share_of_the_limit(
    system: Path, read: Read, rule: str, number: int, expected: tuple[str, ...]
) -> None:
    army = f"limit: 20\n{units(*[FOOT] * number)}"

    assert judge_priced(system, read, f"{OF_LIMIT}, {rule}", army)[1:] == (expected or LEGAL[1:])


@pytest.mark.parametrize(
    "rule",
    [
        f"{PER}, max: 0, per: 10",
        f"{PER}, max: 0, when: {{limit: 0+}}",
        f"{OF_LIMIT}, within: unit, max: 0%",
    ],
)
def test_army_without_a_limit_is_warned_and_not_judged_by_it(
    system: Path, read: Read, rule: str
) -> None:
    assert judge_priced(system, read, rule, units(FOOT)) == LEGAL
    (warning,) = check(read(units(FOOT))).findings
    assert (warning.code, warning.severity) == ("no-limit", "warning")
    assert judge_priced(system, read, rule, f"limit: 20\n{units(FOOT)}") != LEGAL


def test_equal_units_are_judged_by_the_limit_of_their_own_army(system: Path, read: Read) -> None:
    # What equal units have in common is worked out once, also for armies of other limits.
    rule = f"{OF_LIMIT}, within: unit, max: 30%"
    judge_priced(system, read, rule, units(FOOT))
    library = Library(system.parents[1])

    def found(limit: int) -> int:
        text = f"system: tiny\nlimit: {limit}\n{units(FOOT)}\n"
        return len(
            check(army_from_document(document_from_text(text, "army.yaml"), library)).findings
        )

    assert [found(limit) for limit in (20, 30, 29, 31)] == [1, 0, 1, 0]


EACH = "kind: count\nof: {level: unit}\nwithin: army\n"


@pytest.mark.parametrize(
    ("rule", "army", "expected"),
    [
        ("each: type\nmax: 2", units(FOOT, FOOT, HORSE, HORSE), []),
        ("each: type\nmax: 1", units(FOOT, HORSE, f"{FOOT}, count: 2"),
         [("army", "at most 1 unit each", "3 units (Foot)", "Remove 2 units (Foot).")]),
        ("each: type\nmax: 1", units(FOOT, FOOT, HORSE, f"{HORSE}, count: 2"),
         [("army", "at most 1 unit each", "2 units (Foot) and 3 units (Horse)",
           "Remove 1 unit (Foot) and remove 2 units (Horse).")]),
        # A unit of a book is another unit than its type; a value that is not there is not judged.
        ("each: unit\nmin: 2", "book: north\n" + units("unit: axemen", FOOT, FOOT),
         [("army", "2 or more units each", "1 unit (Axemen)", "Add 1 unit (Axemen).")]),
        ("each: drill\nmax: 5\nsum: stands", units(FOOT, f"{FOOT}, drill: old", HORSE), []),
        ("each: drill\nmax: 4\nsum: stands", units(FOOT, f"{FOOT}, drill: old", HORSE),
         [("army", "at most 4 stands each", "5 stands (Raw)", "Remove 1 stand (Raw).")]),
        ("each: drill\nmax: 9\nby: points", units(FOOT, f"{FOOT}, drill: old", HORSE),
         [("army", "at most 9 points each", "19 points (Raw)",
           "Leave out units or options worth at least 10 points (Raw).")]),
        # An attribute makes groups; what has none is in no group.
        ("each: armour\nmax: 1", "book: north\n" + units("unit: axemen", "unit: axemen", FOOT),
         [("army", "at most 1 unit each", "2 units (shields)", "Remove 1 unit (shields).")]),
    ],
)  # fmt: skip
def test_count_of_each_value_serves_many_units(
    judge: Judge, rule: str, army: str, expected: list[tuple[str, str, str, str]]
) -> None:
    assert findings_of(judge, EACH + rule, army) == expected


def judge_armed(system: Path, read: Read, rule: str, army: str) -> list[tuple[str, str, str]]:
    """Return allowed, actual and remedy of each finding of a rule on the contents of units."""
    keys = f"id: tried, message: M., rule: {{chapter: army, source: L1}}, {rule}"
    (system / "composition.yaml").write_text(f"{ARMED}  - {{{keys}}}\n", encoding="utf-8")
    return [(f.allowed, f.actual, f.remedy) for f in check(read(army)).findings]


HEAVY = "kind: count, of: {level: unit}, sum: [flamers, mortars], within: unit"
ONE_IN_FIVE = (
    "kind: share, part: {level: unit}, whole: {level: unit}, by: [flamers, mortars], "
    "whole-by: stands, within: unit"
)


@pytest.mark.parametrize(
    ("rule", "unit", "expected"),
    [
        (f"{HEAVY}, max: 2", "flamers: 1, mortars: 1", []),
        (f"{HEAVY}, max: 2", "flamers: 2, mortars: 1",
         [("at most 2 flamers or mortars", "3 flamers or mortars",
           "Remove 1 flamer or mortar.")]),
        (f"{HEAVY}, min: 1", "drill: old", [("1 or more flamers or mortars", "none",
                                             "Add 1 flamer or mortar.")]),
        (f"{HEAVY}, max: 0, when: {{of: {{level: unit}}, sum: [stands, mortars], min: 12}}",
         "mortars: 1", []),
        (f"{HEAVY}, max: 0, when: {{of: {{level: unit}}, sum: [stands, mortars], min: 12}}",
         "mortars: 2", [("none", "2 flamers or mortars", "Remove 2 flamers or mortars.")]),
        # One for five full stands.
        (f"{ONE_IN_FIVE}, max: 1/5", "flamers: 1, mortars: 1", []),
        (f"{ONE_IN_FIVE}, max: 1/5", "flamers: 2, mortars: 1",
         [("at most 1/5 of the stands", "3 flamers or mortars for 10 stands",
           "Remove 1 flamer or mortar, or add 5 stands.")]),
        (f"{ONE_IN_FIVE}, min: 20%", "flamers: 1",
         [("at least 20% of the stands", "1 flamer or mortar for 10 stands",
           "Add 1 flamer or mortar.")]),
    ],
)  # fmt: skip
def test_contents_of_a_unit_are_counted_by_groups_and_for_models(
    system: Path, read: Read, rule: str, unit: str, expected: list[tuple[str, str, str]]
) -> None:
    assert judge_armed(system, read, rule, units(f"unit: foot, stands: 10, {unit}")) == expected


def test_leaders_are_a_share_of_the_stands(system: Path, read: Read) -> None:
    rule = (
        "kind: share, part: {entry: [chief]}, whole: {level: unit}, by: number, "
        "whole-by: stands, within: army, min: 1/5"
    )

    assert judge_armed(system, read, rule, f"chief: {{}}\n{units('unit: foot, stands: 5')}") == []
    found = judge_armed(system, read, rule, f"chief: {{}}\n{units('unit: foot, stands: 6')}")
    assert found == [("at least 1/5 of the stands", "1 chief for 6 stands", "Add 1 chief.")]


HAS_HORSE = "{of: {entry: [horse]}, min: 1}"
HAS_GUNS = "{of: {entry: [guns]}, min: 1}"
HAS_CHIEF = "{of: {entry: [chief]}, min: 1}"


@pytest.mark.parametrize(
    ("switch", "applies"),
    [
        # For an army of foot with nothing, horse, guns, both, a chief and horse.
        (f"when: [{HAS_HORSE}, {HAS_GUNS}]", "---x-"),
        (f"when: {{all: [{HAS_HORSE}, {HAS_GUNS}]}}", "---x-"),
        (f"when: {{any: [{HAS_HORSE}, {HAS_GUNS}]}}", "-xxxx"),
        (f"unless: [{HAS_HORSE}, {HAS_GUNS}]", "xxx-x"),
        (f"unless: {{any: [{HAS_HORSE}, {HAS_GUNS}]}}", "x----"),
        (f"when: [{HAS_HORSE}, {{any: [{HAS_GUNS}, {HAS_CHIEF}]}}]", "---xx"),
        (f"when: {{any: [{HAS_GUNS}, {{all: [{HAS_HORSE}, {HAS_CHIEF}]}}]}}", "--xxx"),
        (f"when: {{any: [{HAS_HORSE}]}}\nunless: [{HAS_GUNS}]", "-x--x"),
    ],
)
def test_several_conditions_switch_a_rule_by_any_or_all(
    judge: Judge, switch: str, applies: str
) -> None:
    guns = "unit: guns, stands: 1, price: 1"
    armies = [(FOOT,), (FOOT, HORSE), (FOOT, guns), (FOOT, HORSE, guns)]
    written = [units(*army) for army in armies]
    written.append(f"chief: {{}}\n{units(FOOT, HORSE)}")

    found = ["x" if judge(f"{COUNT}max: 0\n{switch}", army).findings else "-" for army in written]

    assert "".join(found) == applies


def test_remedy_looks_at_several_conditions_as_far_as_the_unit_decides_them(
    system: Path, read: Read
) -> None:
    rule = (
        "  - {id: %s, kind: count, message: M., rule: {chapter: army, source: L1}, "
        "of: {entry: [foot]}, sum: stands, within: unit, %s}\n"
    )
    crowd = "{of: {entry: [foot]}, within: army, min: 9}"
    raw = "{of: {level: unit, where: {drill: [raw]}}, min: 1}"
    rules = rule % ("small", "max: 20") + rule % ("crowded", f"max: 16, when: [{crowd}, {raw}]")
    rules += rule % ("either", f"max: 14, unless: {{any: [{crowd}, {raw}]}}")
    (system / "composition.yaml").write_text(f"{COMPOSITION}{rules}", encoding="utf-8")

    def first_remedy(drill: str) -> str:
        army = units(f"unit: foot, stands: 21, drill: {drill}")
        return check(read(army)).findings[0].remedy

    # What the army decides is not known: a raw unit of more than 16 may be too large in a crowd.
    assert first_remedy("raw") == "Remove 5 stands."
    assert first_remedy("old") == "Remove 7 stands."


def test_when_and_unless_switch_a_rule(judge: Judge) -> None:
    rule = COUNT + "max: 0\nwhen: {of: {entry: [horse]}, min: 1, max: 1}"

    assert findings_of(judge, rule, units(FOOT)) == []
    assert findings_of(judge, rule, units(FOOT, HORSE, HORSE)) == []
    assert len(findings_of(judge, rule, units(FOOT, HORSE))) == 1
    rule = rule.replace("when", "unless")
    assert len(findings_of(judge, rule, units(FOOT))) == 1
    assert findings_of(judge, rule, units(FOOT, HORSE)) == []


def test_switch_of_a_unit_may_look_at_the_army(judge: Judge) -> None:
    rule = (
        "kind: count\nof: {entry: [foot]}\nwithin: unit\nsum: stands\nmax: 1\n"
        "when: {of: {entry: [horse]}, within: army, min: 1}"
    )

    assert findings_of(judge, rule, units(FOOT)) == []
    assert [f[0] for f in findings_of(judge, rule, units(FOOT, HORSE))] == ["units[0]"]


def test_switch_of_a_level_that_is_not_above_counts_nothing(judge: Judge) -> None:
    rule = (
        "kind: count\nof: {entry: [foot]}\nwithin: unit\nsum: stands\nmax: 1\n"
        "when: {of: {entry: [foot]}, within: wing, min: 1}"
    )

    assert findings_of(judge, rule, units(FOOT)) == []


def test_switch_within_a_book(judge: Judge) -> None:
    rule = COUNT.replace("army", "book") + (
        "max: 0\nwhen: {of: {entry: [horse]}, within: book, min: 1}"
    )

    assert findings_of(judge, rule, "book: north\n" + units(FOOT)) == []
    assert len(findings_of(judge, rule, "book: north\n" + units(FOOT, HORSE))) == 1


def test_inferred_rule_only_warns(judge: Judge) -> None:
    verdict = judge(COUNT + 'max: 0\nstated: "false"', units(FOOT))

    assert [f.severity for f in verdict.findings] == ["warning"]
    assert verdict.legal


def test_remedy_is_added_and_cure_replaces(judge: Judge) -> None:
    with_remedy = findings_of(judge, COUNT + "max: 0\nremedy: hide it", units(FOOT))[0][3]
    with_cure = findings_of(judge, COUNT + "max: 0\ncure: hide it", units(FOOT))[0][3]

    assert with_remedy == "Remove 1 foot, or hide it."
    assert with_cure == "Hide it."


COUNTS = """
id: counts
title: Counts
kind: grid
chapter: army
source: L1
columns:
  - {id: exact, label: Exact, form: count}
  - {id: band, label: Band, form: count}
  - {id: number, label: Number, form: number}
  - {id: words, label: Words}
rows:
  - {id: foot, label: Foot, cells: [2 stands, 1-2 stands, 2, a few]}
"""


@pytest.mark.parametrize(
    ("column", "allowed"),
    [("exact", "2 stands"), ("band", "1 or 2 stands"), ("number", "2 stands"), ("words", None)],
)
def test_cell_may_be_a_count_or_a_number_but_words_say_nothing(
    system: Path, judge: Judge, column: str, allowed: str | None
) -> None:
    (system / "tables" / "counts.yaml").write_text(COUNTS, encoding="utf-8")
    rule = CELL.replace("sizes, row: {field: type}", f"counts, row: foot, column: {column}")

    findings = findings_of(judge, rule, units(FOOT))

    assert [each[1] for each in findings] == ([] if allowed is None else [allowed])


def test_flag_is_named_by_its_title(judge: Judge) -> None:
    rule = 'kind: only-if\nof: {entry: [foot]}\nneeds: {where: {drill: ["true"]}}\nwithin: unit'

    findings = findings_of(judge, rule, units(FOOT))

    assert findings[0][1] == "only with “Drill”"


def test_sum_of_points_need_not_be_whole(judge: Judge) -> None:
    rule = "kind: count\nof: {level: unit}\nsum: price\nwithin: army\nallowed: [2-7, 10+]"

    inside = judge(rule, "units: [{unit: foot, stands: 3, price: 10.5}]")
    between = judge(rule, "units: [{unit: foot, stands: 3, price: 8.5}]")

    assert [finding.code for finding in inside.findings] == []
    assert [finding.code for finding in between.findings] == ["tried"]


def test_only_if_names_the_types_that_may(judge: Judge) -> None:
    rule = "kind: only-if\nof: {options: [pikes]}\nneeds: {entry: [foot, guns]}\nwithin: unit\n"

    findings = findings_of(judge, rule, units(f"{HORSE}, options: [pikes]"))

    assert findings == [("units[0]", "only foot or guns", "horse", "Leave out “Pikes”.")]


PLACES = [
    (
        "kind: only-if\nof: {options: [pikes]}\nneeds: {entry: [guns]}\nwithin: unit",
        "units:\n  - unit: foot\n    stands: 3\n    options: [shields, pikes]",
        "pikes]",
    ),
    (
        "kind: excludes\nof: {options: [shields]}\nbars: {options: [pikes]}\nwithin: unit",
        "book: north\nunits:\n  - unit: axemen\n    options:\n      - shields\n      - pikes",
        "pikes",
    ),
    (
        "kind: count\nof: {level: unit, where: {drill: [old]}}\nwithin: unit\nmax: 0",
        "units:\n  - unit: foot\n    stands: 3\n    drill: old",
        "old",
    ),
    (
        "kind: only-if\nof: {level: unit}\nneeds: {where: {drill: [raw]}}\nwithin: unit",
        "units:\n  - unit: foot\n    stands: 3\n    drill: old",
        "old",
    ),
    (
        "kind: count\nof: {level: leader, where: {rank: ['2']}}\nwithin: leader\nmax: 0",
        "units: []\nchief: {name: A, rank: 2}",
        "2}",
    ),
    (
        (
            "kind: excludes\nof: {level: leader, where: {rank: ['2']}}\nbars: {entry: [foot]}\n"
            "within: army"
        ),
        "chief: {name: A, rank: 2}\nunits: [{unit: foot, stands: 3}]",
        "2}",
    ),
    (
        "kind: count\nof: {level: unit}\nwithin: army\nmax: 0",
        "units: [{unit: foot, stands: 3}]",
        "system: tiny",
    ),
]


@pytest.mark.parametrize(("rule", "army", "rest"), PLACES)
def test_place_is_the_value_at_fault(judge: Judge, rule: str, army: str, rest: str) -> None:
    (finding,) = judge(rule, army).findings

    place = finding.location
    lines = finding.army.document.text.splitlines()
    assert place.line is not None
    assert place.column is not None
    assert lines[place.line - 1][place.column - 1 :] == rest
