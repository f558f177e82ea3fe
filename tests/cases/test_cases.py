"""Test the rules of each system by cases: each is a tiny army that fixes one rule at its edge.

A case names its exact findings, all of them and in their order, and its exact total (`none` in a
system without points). A case of an army that is refused names its `problems` instead: the code,
what stands at the place, and the words.
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from muster.armies import Verdict, army_from_document, check, load_composition
from muster.armies.verdict import OVER_LIMIT, PRICE_UNKNOWN
from muster.problems import MusterError
from muster.systems import Library
from muster.yamlfile import Document, KeyPath, document_from_text, read_document

HERE = Path(__file__).parent
LIBRARY = Library(HERE.parent.parent)
ALL = sorted(HERE.glob("*/*.yaml"))
REFUSED = [path for path in ALL if "\nproblems:\n" in path.read_text(encoding="utf-8")]
CASES = [path for path in ALL if path not in REFUSED]
SYSTEMS = sorted({path.parent.name for path in CASES})
KEYS = {"case", "army", "findings", "points"}
REFUSED_KEYS = {"case", "army", "problems"}


def army_document(path: Path) -> Document:
    """Return the army of a case as a document of its own, so that it is read like any army file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    first = lines.index("army:") + 1
    army = [line for line in lines[first:] if line.startswith("  ")]
    last = next(n for n, line in enumerate(lines) if line.startswith(("findings:", "problems:")))
    return document_from_text("\n".join(line[2:] for line in army[: last - first]), path.name)


def verdict_of(path: Path) -> Verdict:
    return check(army_from_document(army_document(path), LIBRARY))


@pytest.mark.parametrize("path", CASES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_case_has_exactly_its_findings_and_total(path: Path) -> None:
    case = read_document(path).data

    verdict = verdict_of(path)

    found = [{"code": f.code, "path": f.path, "severity": f.severity} for f in verdict.findings]
    assert found == case["findings"]
    points = case["points"]
    assert verdict.points == (None if points == "none" else Decimal(points))


@pytest.mark.parametrize("path", REFUSED, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_refused_case_has_exactly_its_problems(path: Path) -> None:
    document = army_document(path)

    with pytest.raises(MusterError) as caught:
        army_from_document(document, LIBRARY)

    found = [(p.code, p.location.line, p.location.column, p.text) for p in caught.value.problems]
    lines = document.text.splitlines()
    for (code, line, column, text), expected in zip(
        found, read_document(path).data["problems"], strict=True
    ):
        assert line is not None
        assert column is not None
        at = expected["at"]
        assert lines[line - 1][column - 1 :][: len(at)] == at
        assert {"code": code, "at": at, "text": text} == expected


@pytest.mark.parametrize("path", ALL, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_case_has_all_keys(path: Path) -> None:
    case = read_document(path).data

    assert set(case) == (REFUSED_KEYS if path in REFUSED else KEYS)
    assert case["army"]["system"] == path.parent.name


@pytest.mark.parametrize("path", CASES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_finding_of_a_case_has_all_its_parts(path: Path) -> None:
    verdict = verdict_of(path)

    for finding in verdict.findings:
        assert finding.message.endswith(".")
        assert finding.remedy.endswith(".")
        assert finding.rule.chapter
        assert finding.allowed
        assert finding.actual
        assert finding.location.line is not None


@pytest.mark.parametrize("path", CASES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_place_of_a_finding_is_the_value_that_its_rule_names(path: Path) -> None:
    verdict = verdict_of(path)

    rules = {rule.id: rule for rule in verdict.army.composition.constraints}
    lines = verdict.army.document.text.splitlines()
    for finding in verdict.findings:
        if finding.code not in rules or finding.node.is_branch:
            continue
        data = data_at(verdict.army.document.data, finding.node.path)
        named = [
            value
            for _, selector in rules[finding.code].selectors()
            for value in (
                *(each for each in data.get("options", []) if each in selector.options),
                *(data[key] for key in selector.where if key in data),
            )
        ]
        named = [
            data[key] for _, key in rules[finding.code].summed_fields() if key in data
        ] or named
        place = finding.location
        text = lines[(place.line or 0) - 1][(place.column or 0) - 1 :]
        assert not named or text.startswith(tuple(named))


def data_at(data: Any, path: KeyPath) -> Any:
    for step in path:
        data = data[step]
    return data


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 60


@pytest.mark.parametrize("system_id", SYSTEMS)
def test_every_constraint_is_tripped_by_a_case(system_id: str) -> None:
    composition = load_composition(LIBRARY.system(system_id))
    of_points = {OVER_LIMIT, PRICE_UNKNOWN} if composition.has_prices else set()

    tripped = {
        finding["code"]
        for path in CASES
        if path.parent.name == system_id
        for finding in read_document(path).data["findings"]
    }

    assert tripped == {rule.id for rule in composition.constraints} | of_points


@pytest.mark.parametrize("system_id", SYSTEMS)
def test_no_two_cases_have_the_same_title(system_id: str) -> None:
    titles = [read_document(p).data["case"] for p in ALL if p.parent.name == system_id]

    assert len(titles) == len(set(titles))
