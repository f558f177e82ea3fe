"""Tests of the German texts of the Seven Years War: that they are whole, and say no figure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from muster.armies import army_from_document, check
from muster.armies.lint_translations import lint_translations
from muster.documents.rulebook import gather_rulebook
from muster.editions.snapshot import edition_data
from muster.languages import speaking
from muster.systems import Library, System
from muster.values import Cost, Count, Text
from tests.cases.test_cases import CASES, LIBRARY, army_document

SEVEN_YEARS_WAR = [path for path in CASES if path.parent.name == "seven-years-war"]
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def system() -> System:
    return Library(ROOT).system("seven-years-war")


def test_every_text_is_translated_and_no_translation_is_left_over(system: System) -> None:
    assert [issue.problem.render() for issue in lint_translations(system)] == []


def test_cells_that_are_no_words_are_the_same_in_german(system: System) -> None:
    german = system.in_language("de")
    for table in system.tables():
        for row, said in zip(table.rows, german.table(table.id).rows, strict=True):
            assert (row.id, row.band) == (said.id, said.band)
            for cell, german_cell in zip(row.cells, said.cells, strict=True):
                if isinstance(cell, Cost) and isinstance(german_cell, Cost):
                    assert (german_cell.amount, german_cell.every) == (cell.amount, cell.every)
                elif not isinstance(cell, Text | Count):
                    assert german_cell == cell, f"{table.id}, {row.id}"


def test_worked_examples_come_to_the_same_in_german(system: System) -> None:
    standard = gather_rulebook(system, system.edition("standard"))
    german = gather_rulebook(system, system.edition("german"))
    assert german.language == "de"
    assert [chapter.id for chapter in german.chapters] == [c.id for c in standard.chapters]
    figures = [
        [
            sorted(piece.text for piece in chapter.pieces if piece.text.strip("+−").isdigit())
            for chapter in book.chapters
        ]
        for book in (standard, german)
    ]
    assert figures[0] == figures[1]


def test_the_order_to_stand_is_not_called_like_a_stand(system: System) -> None:
    german = system.in_language("de")
    assert german.table("orders").row("stand").label == "Halten"
    assert german.table("game-terms").row("stand").label == "Base"


def test_what_a_cost_is_for_is_said_in_german(system: System) -> None:
    cost = system.in_language("de").table("points-troops").cell("militia")
    assert isinstance(cost, Cost)
    assert cost.per == "Base"


@pytest.mark.parametrize("path", SEVEN_YEARS_WAR, ids=lambda path: path.stem)
def test_case_has_the_same_findings_and_price_in_german(path: Path) -> None:
    english = check(army_from_document(army_document(path), LIBRARY))
    with speaking("de"):
        german = check(army_from_document(army_document(path), _German()))

    facts = [
        [(found.severity, found.code, found.path, found.location) for found in verdict.findings]
        for verdict in (english, german)
    ]
    assert facts[0] == facts[1]
    assert german.points == english.points
    for said, found in zip(german.findings, english.findings, strict=True):
        assert said.remedy != found.remedy
        assert said.message != found.message


class _German:
    """The library with German texts."""

    def system(self, system_id: str) -> System:
        return LIBRARY.system(system_id).in_language("de")

    def book_folders(self, system_id: str) -> Sequence[Path]:
        return LIBRARY.book_folders(system_id)


def test_german_book_says_what_changed_since_an_english_edition(system: System) -> None:
    old = json.loads(json.dumps(edition_data(system)))
    orders = next(table for table in old["tables"] if table["id"] == "orders")
    orders["rows"][0]["label"] = "Melee"
    chapter = next(chapter for chapter in old["prose"] if chapter["id"] == "groups")
    chapter["paragraphs"][2] = "A sentence that no translation has."
    german = gather_rulebook(system, system.edition("german"), json.dumps(old))
    english = gather_rulebook(system, system.edition("standard"), json.dumps(old))

    assert german.changes is not None
    assert english.changes is not None
    assert german.changes.count == english.changes.count > 1
    (label,) = [item for part in german.changes.sections for item in part.items if not item.prose]
    assert (label.old, label.new) == ("Nahkampf", "Vorrücken")
    assert german.changes.sections[0].title == "Befehle"
    bars = [
        [sum(piece.kind == "bar" for piece in passage.pieces) for passage in book.chapters]
        for book in (german, english)
    ]
    assert bars[0] == bars[1]
    assert sum(bars[0]) > 0
