"""Test that the repair of a broken list is the one that a player would choose.

Each system has a file of broken lists, the sixth that of `tests/sixth`. A case names its reason
(`why`) and the sentences of the remedy, all of them and in the order of the list.
"""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from muster.armies import Army, army_from_document, check
from muster.solver.repairs import RepairedArmy, repair_army
from muster.systems import Library
from muster.yamlfile import Document, read_document

HERE = Path(__file__).parent
LIBRARY = Library(HERE.parent.parent)
SIXTH = Library(HERE.parent / "sixth")
FILES = sorted(HERE.glob("*.yaml"))
CASES = [(path.stem, case) for path in FILES for case in read_document(path).data["cases"]]


def library_of(system_id: str) -> Library:
    return SIXTH if system_id == "sixth" else LIBRARY


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


def test_every_case_has_its_system_its_reason_and_a_title_of_its_own() -> None:
    for system_id, case in CASES:
        assert set(case) == {"case", "why", "army", "remedy"}
        assert case["army"]["system"] == system_id
        assert case["why"].endswith(".")
    titles = [(system_id, case["case"]) for system_id, case in CASES]
    assert len(titles) == len(set(titles)) >= 60
    assert len({system_id for system_id, _ in CASES}) == 6
