"""Test that the judge of the list builder says of every list just what `muster check` says.

`MUSTER_ARMIES` sets how many random armies of each system are tried.
"""

from __future__ import annotations

import json
import os
import random
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from playwright.sync_api import Page

from muster.armies import army_from_document, check, load_army
from muster.armies.verdict import with_event_limit
from muster.yamlfile import read_document
from tests.armies.constraint_samples import kinds_of_constraint
from tests.builder.conftest import (
    ROOT,
    SIXTH,
    as_told,
    disagreements,
    library,
    system_data,
    verdicts,
)
from tests.cases.test_cases import CASES, REFUSED, army_document
from tests.solver.lists import Lists

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("builder-agreement")]

SYSTEMS = [*((name, ROOT) for name in sorted(library().systems())), ("sixth", SIXTH)]
IDS = [name for name, _ in SYSTEMS]
MANY = int(os.environ.get("MUSTER_ARMIES", "2000"))


def test_every_kind_of_constraint_has_its_judge(judge: Page) -> None:
    assert set(judge.evaluate("Object.keys(Muster.judges)")) == kinds_of_constraint()


@pytest.mark.parametrize(("system_id", "root"), SYSTEMS, ids=IDS)
def test_judge_agrees_on_samples_and_cases(system_id: str, root: Path, judge: Page) -> None:
    armies = [load_army(path, library(root)) for path in root.glob(f"armies/{system_id}/*.yaml")]
    cases = [path for path in CASES if path.parent.name == system_id]
    armies += [army_from_document(army_document(path), library(root)) for path in cases]

    assert armies
    differing = disagreements(judge, system_data(system_id, root), armies)
    assert differing == [], json.dumps(differing[0], ensure_ascii=False)


@pytest.mark.parametrize("limit", ["0.5", "250", "100000"])
def test_judge_agrees_under_the_limit_of_an_event(limit: str, judge: Page) -> None:
    for path in sorted(ROOT.glob("armies/*/*.yaml")):
        army, warnings = with_event_limit(load_army(path, library()), Decimal(limit))
        verdict = check(army)
        told = as_told(replace(verdict, findings=(*warnings, *verdict.findings)))

        (found,) = verdicts(judge, system_data(army.system.id), [army.document.data], limit)

        assert found == told, path.name


@pytest.mark.parametrize("path", REFUSED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_reader_refuses_what_check_refuses(path: Path, judge: Page) -> None:
    problems = [(each["code"], each["text"]) for each in read_document(path).data["problems"]]
    data = system_data(path.parent.name)

    (found,) = verdicts(judge, data, [army_document(path).data])

    assert [tuple(each) for each in found] == problems


@pytest.mark.parametrize(("system_id", "root"), SYSTEMS, ids=IDS)
def test_judge_agrees_on_armies_made_at_random(system_id: str, root: Path, judge: Page) -> None:
    chances = (random.Random(seed) for seed in range(MANY))  # noqa: S311 - nothing to guess
    armies = [Lists(system_id, chance, root).army(12) for chance in chances]

    differing = disagreements(judge, system_data(system_id, root), armies)
    assert differing == [], json.dumps(differing[0], ensure_ascii=False)
    legal = sum(check(army).legal for army in armies)
    assert 0 < legal < len(armies), "both legal and illegal armies"
