"""Test verdicts: their order, JSON and limits, and the verdicts of the shipped armies."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent

import pytest

from muster.armies import army_from_document, check, load_army, load_composition
from muster.systems import Library
from muster.yamlfile import document_from_text
from tests.armies.conftest import COMPOSITION, ROOT, Judge, Read

SHIPPED = sorted((ROOT / "armies").glob("*/*.yaml"))
TO_ROLL = {ROOT / "armies" / "huzzah" / "small.yaml": ["quality-unrolled"]}
"""What a sample leaves to `muster raise`, to show it."""
COUNT = "kind: count\nof: {entry: [foot]}\nwithin: army\nmax: 1"


@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_shipped_army_is_legal_unless_it_is_to_teach(path: Path) -> None:
    verdict = check(load_army(path, Library(ROOT)))

    assert verdict.legal == (path.stem != "illegal")
    if verdict.legal:
        assert [finding.code for finding in verdict.findings] == TO_ROLL.get(path, [])
        assert verdict.price.missing == ()


@pytest.mark.parametrize("system_id", ["seven-years-war", "slaughterloo"])
def test_illegal_army_teaches_at_least_six_rules(system_id: str) -> None:
    path = ROOT / "armies" / system_id / "illegal.yaml"

    findings = check(load_army(path, Library(ROOT))).findings

    assert len({finding.code for finding in findings}) >= 6
    assert {finding.severity for finding in findings} == {"error", "warning"}


@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_verdict_is_the_same_every_time(path: Path) -> None:
    once = check(load_army(path, Library(ROOT))).as_json()
    again = check(load_army(path, Library(ROOT))).as_json()

    assert json.dumps(once) == json.dumps(again)


def test_json_has_the_promised_keys(judge: Judge) -> None:
    verdict = judge(COUNT, "name: A\nlimit: 20.5\nunits:\n  - {unit: foot, stands: 3, count: 2}")

    assert verdict.as_json() == {
        "file": "army.yaml",
        "army": "A",
        "system": "tiny",
        "legal": False,
        "points": 18,
        "limit": 20.5,
        "lines": [
            {
                "path": "units[0]",
                "label": "Foot",
                "count": 2,
                "each": 9,
                "points": 18,
                "how": "2 × 3 × 3 = 18",
            }
        ],
        "findings": [
            {
                "severity": "error",
                "code": "tried",
                "path": "army",
                "file": "army.yaml",
                "line": 1,
                "column": 1,
                "message": "Tried.",
                "allowed": "at most 1 foot",
                "actual": "2 foots",
                "rule": {"chapter": "The army", "source": "L1"},
                "remedy": "Remove 1 foot.",
            }
        ],
    }


def test_findings_stand_as_the_nodes_do_in_the_file(judge: Judge) -> None:
    rule = "kind: count\nof: {level: unit}\nwithin: unit\nsum: stands\nmax: 1"
    army = (
        "units: [{unit: foot, stands: 2}, {unit: guns, stands: 3}]\n"
        "wings:\n  - units: [{unit: foot, stands: 4}]\n    head: {}\n"
    )

    found = [(f.code, f.path) for f in judge(rule, army).findings]

    assert found == [
        ("tried", "units[0]"),
        ("tried", "units[1]"),
        ("price-unknown", "units[1]"),
        ("tried", "wings[0].units[0]"),
    ]


def test_army_over_its_limit_is_reported_with_the_excess(read: Read) -> None:
    verdict = check(read("name: A\nlimit: 8.5\nunits: [{unit: foot, stands: 3}]"))

    finding = verdict.findings[0]
    assert (finding.code, finding.allowed, finding.actual) == (
        "over-limit",
        "8.5 points",
        "9 points",
    )
    assert finding.remedy == "Leave out units or options worth at least 0.5 points."
    assert finding.label == "A"
    assert finding.location.line == 3


def test_system_without_prices_has_no_total(system: Path, read: Read) -> None:
    without = "\n".join(line for line in COMPOSITION.splitlines() if "price: [" not in line)
    (system / "composition.yaml").write_text(without + "\n  []\n", encoding="utf-8")

    verdict = check(read("units: [{unit: foot, stands: 3}]"))

    assert verdict.points is None
    assert verdict.as_json()["points"] is None
    assert verdict.as_json()["lines"] == []
    assert verdict.legal


@pytest.mark.parametrize("system_id", sorted({path.parent.name for path in SHIPPED}))
def test_every_constraint_and_table_of_the_shipped_systems_cites_its_rule(system_id: str) -> None:
    system = Library(ROOT).system(system_id)

    for rule in load_composition(system).constraints:
        assert rule.rule.source.startswith("L")
        assert rule.message.endswith(".")
    for table_id in system.table_ids():
        table = system.table(table_id)
        # The first game is ours: no source has it.
        assert table.source.startswith("L") or (table.chapter, table.source) == ("first-game", "")


def test_rule_and_table_of_a_system_of_ones_own_cite_no_source(system: Path, read: Read) -> None:
    costs = system / "tables" / "costs.yaml"
    costs.write_text(costs.read_text(encoding="utf-8").replace("source: L1\n", ""), "utf-8")
    rule = (
        "  - {id: tried, message: Tried., rule: {chapter: army}, kind: count,\n"
        "     of: {entry: [foot]}, within: army, max: 1}\n"
    )
    (system / "composition.yaml").write_text(COMPOSITION + rule, encoding="utf-8")

    (finding,) = check(read("units: [{unit: foot, stands: 3, count: 2}]")).findings

    assert str(finding.rule) == "The army"
    assert finding.as_json()["rule"] == {"chapter": "The army", "source": ""}


def test_value_of_a_roll_that_the_list_states_is_told() -> None:
    text = """
        system: huzzah
        excellent-officers: allowed
        commander: {name: K, quality: average}
        units: [{unit: infantry, class: elites-a, roll: 11}]
    """
    army = army_from_document(document_from_text(dedent(text), "army.yaml"), Library(ROOT))

    (finding,) = check(army).findings

    assert finding.code == "quality-unrolled"
    said = "The roll of 11 gives the quality veteran, which the list does not state."
    assert finding.message == said
    assert finding.remedy == "Enter veteran as the quality."


@pytest.mark.parametrize(
    ("text", "code", "actual", "allowed"),
    [
        (
            """
            system: slaughterloo
            book: sample-human
            commander: {experience: raw}
            divisions: [{units: [{unit: fusiliers, figures: 8}]}]
            """,
            "lone-division-general",
            "none",
            "1 General",
        ),
        (
            """
            system: order-markers
            nation: french
            units: [{unit: foot, class: line, stands: 4, options: [lancers]}]
            """,
            "lancers-are-cavalry",
            "foot",
            "only cavalry",
        ),
    ],
)
def test_found_and_allowed_are_in_players_words(
    text: str, code: str, actual: str, allowed: str
) -> None:
    army = army_from_document(document_from_text(dedent(text), "army.yaml"), Library(ROOT))

    finding = next(each for each in check(army).findings if each.code == code)

    assert (finding.actual, finding.allowed) == (actual, allowed)
