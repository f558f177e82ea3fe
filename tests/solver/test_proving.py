"""Test proofs book by book: in several processes, within a time, and on a large system."""

from __future__ import annotations

import random
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from time import time

import pytest

from muster.armies import army_from_document, check, load_book, load_composition
from muster.armies.check_plan import CheckPlan, check_plan_of
from muster.building.parallel import processes
from muster.solver.army_model import SearchSpace, iter_settings
from muster.solver.proving import (
    ProofRequest,
    ProofResult,
    Prover,
    answer_question,
    prove,
    start_answering,
)
from muster.systems import Library
from muster.yamlfile import document_from_text
from tests.large_system import SYSTEM, LargeBook, random_list, write_large_system
from tests.solver.lists import ROOT

LIMIT = Decimal(600)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[LargeBook]]:
    """A made-up system with three books."""
    folder = tmp_path_factory.mktemp("large")
    return folder, write_large_system(folder, books=3)


def result_of(folder: Path, *, jobs: int, deadline: float | None = None) -> ProofResult:
    request = ProofRequest(folder, ROOT, SYSTEM, (LIMIT,), LIMIT, deadline)
    with processes(jobs, start_answering, request) as run:
        return prove(
            Prover(request),
            lambda questions: run(answer_question, questions),
            lambda *_: None,
        )


def facts_of(result: ProofResult) -> object:
    """Return what a result says, without the objects of the process that found it."""
    proof = result.proof
    return (
        {book.id if book else None: fielded for book, fielded in proof.fielded.items()},
        [(unit.unit_type.id, unit.book and unit.book.id, unit.possible) for unit in proof.units],
        [(rule.rule.id, rule.binds) for rule in proof.rules],
        [(book and book.id, found) for book, found in result.totals],
    )


def test_large_system_is_as_large_as_a_real_game(tmp_path: Path) -> None:
    books = write_large_system(tmp_path)

    composition = load_composition(Library(tmp_path, ROOT).system(SYSTEM))
    assert len(books) == 25
    assert sum(len(book.characters) + len(book.troops) for book in books) > 300
    assert len(composition.constraints) > 450
    assert len(composition.options) == 80


def test_proofs_are_the_same_in_several_processes(large: tuple[Path, list[LargeBook]]) -> None:
    folder, books = large

    alone, together = (result_of(folder, jobs=jobs) for jobs in (1, 2))

    assert facts_of(alone) == facts_of(together)
    assert alone.is_complete
    assert all(alone.proof.fielded[book] for book in alone.proof.fielded if book)
    assert len(alone.totals) == len(books)


def test_all_is_open_when_the_time_is_up(large: tuple[Path, list[LargeBook]]) -> None:
    result = result_of(large[0], jobs=1, deadline=time() - 1)

    assert not result.is_complete
    assert not result.proof.sound
    assert not result.proof.units
    assert not result.proof.rules
    assert not result.proof.never_fielded
    assert result.proof.open_units
    assert result.proof.open_rules
    assert all(found.unknown for _, found in result.totals)


def test_rules_and_options_of_other_books_are_not_in_the_model(
    large: tuple[Path, list[LargeBook]],
) -> None:
    folder, books = large
    system = Library(folder, ROOT).system(SYSTEM)
    composition, book = load_composition(system), load_book(system, books[0].id)
    space = SearchSpace(composition, next(iter_settings(composition, [book])), legal=True)

    codes = {group.code for group in space.model.groups}
    options = {option.id for slot in space.army_model.slots for option, _ in slot.options}

    assert any(code.startswith(books[0].id) for code in codes)
    assert not any(code.startswith(other.id) for code in codes for other in books[1:])
    assert options.isdisjoint({name for other in books[1:] for name in other.options})
    assert options >= set(books[0].options)


def test_check_asks_no_rule_of_which_nothing_is_in_the_list(
    large: tuple[Path, list[LargeBook]], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, books = large
    library = Library(folder, ROOT)
    text = random_list(books[0], random.Random(1), points=1000)  # noqa: S311 - a list
    army = army_from_document(document_from_text(text, "army.yaml"), library)
    asked: set[str] = set()
    usual = CheckPlan.asked

    def spy(plan: CheckPlan, level: str, counted: Iterable[int]) -> list[object]:
        found = usual(plan, level, counted)
        asked.update(prepared.rule.id for prepared in found)
        return list(found)

    monkeypatch.setattr(CheckPlan, "asked", spy)
    check(army)

    demanding = {rule.id for rule in army.composition.constraints if rule.subject is None}
    assert demanding <= asked
    assert not {name for name in asked - demanding if name.startswith(books[1].id)}
    measures = check_plan_of(army.composition).measures
    assert len(measures) == len(set(map(repr, measures)))
