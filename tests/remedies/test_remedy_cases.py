"""Test that the repair of a broken list is the one that a player would choose.

Each system has a file of broken lists, the sixth that of `tests/sixth`. A case names its reason
(`why`) and the sentences of the remedy, all of them and in the order of the list.
"""

from __future__ import annotations

import random
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from muster.armies import Army, Verdict, army_from_document, check, load_army
from muster.solver.army_changes import NodeChange
from muster.solver.cpsat import limited_effort
from muster.solver.repairs import (
    REMEDY_EFFORT,
    RepairedArmy,
    repair_army,
    with_smallest_changes,
)
from muster.systems import Library
from muster.yamlfile import Document, read_document
from muster.yamlfile.editing import edit_data
from tests.solver.lists import Lists

HERE = Path(__file__).parent
SIXTH = HERE.parent / "sixth"
FILES = sorted(HERE.glob("*.yaml"))
SYSTEMS = [path.stem for path in FILES]
CASES = [(path.stem, case) for path in FILES for case in read_document(path).data["cases"]]


@cache
def library_of(system_id: str) -> Library:
    return Library(root_of(system_id))


def root_of(system_id: str) -> Path:
    return SIXTH if system_id == "sixth" else HERE.parent.parent


def army_of(case: dict[str, Any]) -> Army:
    document = Document("army.yaml", "", deepcopy(case["army"]))
    return army_from_document(document, library_of(case["army"]["system"]))


@pytest.mark.parametrize(
    ("system_id", "case"), CASES, ids=[f"{system}: {case['case']}" for system, case in CASES]
)
def test_repair_is_what_a_player_would_choose(system_id: str, case: dict[str, Any]) -> None:
    army = army_of(case)
    assert not check(army).legal

    repair = repair_army(army, library_of(system_id))

    assert isinstance(repair, RepairedArmy)
    assert check(repair.army).legal
    assert [change.words for change in repair.changes] == case["remedy"]
    assert all(change.fixes for change in repair.changes)


def test_every_case_has_its_system_its_reason_and_a_title_of_its_own() -> None:
    for system_id, case in CASES:
        assert set(case) == {"case", "why", "army", "remedy"}
        assert case["army"]["system"] == system_id
        assert case["why"].endswith(".")
    titles = [(system_id, case["case"]) for system_id, case in CASES]
    assert len(titles) == len(set(titles)) >= 60
    assert len({system_id for system_id, _ in CASES}) == 6


def printed_changes(verdict: Verdict, repair: RepairedArmy) -> list[NodeChange]:
    """Return the changes of a repair whose sentences stand in the remedies of a verdict."""
    remedies = [finding.remedy for finding in verdict.findings]
    return [
        change
        for change in repair.changes
        if any(change.words in remedy.partition("Smallest change: ")[2] for remedy in remedies)
    ]


@pytest.mark.parametrize("system_id", SYSTEMS)
def test_all_printed_remedies_together_make_an_army_legal(system_id: str) -> None:
    source = library_of(system_id)
    illegal = 0
    for seed in range(12):
        lists = Lists(system_id, random.Random(seed), root_of(system_id))  # noqa: S311 - nothing to guess
        army = lists.army()
        before = check(army)
        after = with_smallest_changes(before, source)
        if before.legal or after is before:
            continue
        illegal += 1
        with limited_effort(REMEDY_EFFORT):
            repair = repair_army(army, source)
        assert isinstance(repair, RepairedArmy)

        followed = printed_changes(after, repair)

        assert followed == list(repair.changes)
        edits = [edit for change in followed for edit in change.edits]
        data = edit_data(army.document.data, edits)
        assert check(army_from_document(Document("army.yaml", "", data), source)).legal
        errors = [finding for finding in after.findings if finding.severity == "error"]
        assert all("Smallest change: " in finding.remedy for finding in errors)
    assert illegal > 2


@pytest.mark.parametrize("system_id", SYSTEMS)
def test_illegal_sample_gets_remedies_within_their_effort(system_id: str) -> None:
    path = root_of(system_id) / "armies" / system_id / "illegal.yaml"
    verdict = check(load_army(path, library_of(system_id)))

    remedies = with_smallest_changes(verdict, library_of(system_id))

    assert remedies is not verdict
