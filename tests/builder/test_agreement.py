"""Test that the judge of the list builder says of every list just what `muster check` says.

`MUSTER_ARMIES` sets how many random armies of each system are tried.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import get_args

import pytest
from playwright.sync_api import Browser, Error, Page

from muster.armies import Army, army_from_document, check, load_army
from muster.armies.constraints import AnyConstraint, Condition, Conditions, Grant, LimitCondition
from muster.armies.verdict import with_event_limit
from muster.armies.vocabulary import Selector, TableCellReference
from muster.languages import speaking
from muster.yamlfile import read_document
from tests.armies.constraint_samples import kinds_of_constraint
from tests.builder.conftest import (
    ROOT,
    SIXTH,
    TRANSLATIONS,
    Json,
    Translated,
    as_told,
    disagreements,
    judge_source,
    library,
    speak,
    system_data,
    verdicts,
)
from tests.cases.test_cases import CASES, REFUSED, army_document
from tests.sixth.usage import Key, defined_by
from tests.solver.lists import Lists

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("builder-agreement")]

SYSTEMS = [*((name, ROOT) for name in sorted(library().systems())), ("sixth", SIXTH)]
IDS = [name for name, _ in SYSTEMS]
MANY = int(os.environ.get("MUSTER_ARMIES", "2000"))


def test_every_kind_of_constraint_has_its_judge(judge: Page) -> None:
    assert set(judge.evaluate("Object.keys(Muster.judges)")) == kinds_of_constraint()


# What a constraint says


KINDS = {str(get_args(kind.model_fields["kind"].annotation)[0]): kind
         for kind in get_args(get_args(AnyConstraint)[0])}  # fmt: skip
MODELS = {
    **KINDS,
    "grant": Grant,
    "selector": Selector,
    "condition": Condition,
    "conditions": Conditions,
    "limit": LimitCondition,
    "cell": TableCellReference,
}
"""What a rule is made of, by our names of its parts."""


def said(part: Json, owner: str) -> Iterator[tuple[Key, Json, str]]:
    """Yield each key that a compiled rule has, where it is defined, with what has it."""
    for key, value in part.items():
        yield defined_by(MODELS[owner], key), part, key
        match key:
            case "of" | "part" | "whole" | "needs" | "bars" if isinstance(value, dict):
                yield from said(value, "selector")
            case "when" | "unless":
                yield from said(value, owner_of(value))
            case "any" | "all":
                for each in value:
                    yield from said(each, owner_of(each))
            case "cell":
                yield from said(value, "cell")
            case "allowed":
                for each in value:
                    yield from () if "range" in each else said(each, "cell")


def owner_of(condition: Json) -> str:
    """Return our name of a condition."""
    return next(
        (name for key, name in (("any", "conditions"), ("all", "conditions"), ("limit", "limit"))
         if key in condition),
        "condition",
    )  # fmt: skip


def rules_in(data: Json) -> Iterator[tuple[Json, str]]:
    """Yield each rule of a compiled system, with our name of it."""
    yield from ((grant, "grant") for grant in data["grants"])
    yield from ((rule, rule["kind"]) for rule in data["constraints"])
    for unit in (unit for book in data["books"] for unit in book["units"]):
        yield from ((unit[key], "count") for key in ("number", "alliedNumber") if key in unit)


def lists_of_sixth() -> list[Army]:
    """Return the samples of the sixth system and random lists, of which some have no limit."""
    armies = [load_army(path, library(SIXTH)) for path in SIXTH.glob("armies/sixth/*.yaml")]
    for seed in range(300):
        chance = random.Random(seed)  # noqa: S311 - nothing to guess
        lists = Lists("sixth", chance, SIXTH)
        data = deepcopy(lists.army(12).document.data)
        if seed % 4 == 0:
            data.pop("limit", None)
        armies.append(lists.read(data))
    return armies


def test_each_key_of_a_constraint_has_its_judge(judge: Page) -> None:
    data, armies = json.loads(system_data("sixth", SIXTH)), lists_of_sixth()
    # What is made for the judge alone, beside the keys of a file.
    made = {"least", "most"}
    assert disagreements(judge, json.dumps(data), armies) == []
    heard: set[Key] = set()
    unheard: set[Key] = set()
    for rule, owner in rules_in(data):
        bare = {key: rule.pop(key) for key in made & rule.keys()}
        keys = list(said(rule, owner))
        rule.update(bare)
        for defined, part, key in keys:
            if defined in heard:
                continue
            kept = dict(part)
            for gone in (key, {"min": "least", "max": "most"}.get(key, key)):
                part.pop(gone, None)
            try:
                differs = bool(disagreements(judge, json.dumps(data), armies))
            except Error:
                differs = True
            (heard if differs else unheard).add(defined)
            part.clear()
            part.update(kept)

    assert unheard - heard == set()
    # What army books alone print.
    assert heard == {
        defined_by(model, name)
        for model in MODELS.values()
        for name in model.model_fields
        if name != "book_text"
    }


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
    roots = [(path, ROOT) for path in sorted(ROOT.glob("armies/*/*.yaml"))]
    roots += [(path, SIXTH) for path in sorted(SIXTH.glob("armies/*/*.yaml"))]
    for path, root in roots:
        army, warnings = with_event_limit(load_army(path, library(root)), Decimal(limit))
        verdict = check(army)
        told = as_told(replace(verdict, findings=(*warnings, *verdict.findings)))

        (found,) = verdicts(judge, system_data(army.system.id, root), [army.document.data], limit)

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


@pytest.mark.parametrize(("system_id", "language"), TRANSLATIONS)
def test_judge_agrees_in_the_words_of_a_translation(
    system_id: str, language: str, browser: Browser
) -> None:
    page, reader = browser.new_page(), Translated(language)
    page.add_script_tag(content=judge_source())
    speak(page, language)
    with speaking(language):
        armies = [load_army(path, reader) for path in ROOT.glob(f"armies/{system_id}/*.yaml")]
        cases = [army_document(path) for path in CASES if path.parent.name == system_id]
        chances = (random.Random(seed) for seed in range(MANY // 4))  # noqa: S311 - nothing to guess
        made = [Lists(system_id, chance).army(12).document for chance in chances]
        armies += [army_from_document(document, reader) for document in (*cases, *made)]

        differing = disagreements(page, system_data(system_id, language=language), armies)

        assert differing == [], json.dumps(differing[0], ensure_ascii=False)
        # In the language of the rules themselves it would not agree.
        assert disagreements(page, system_data(system_id), armies) != []
    page.close()
