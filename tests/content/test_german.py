"""Tests of the German texts of the Seven Years War: that they are whole, and say no figure."""

from __future__ import annotations

from pathlib import Path

import pytest

from muster.armies.lint_translations import lint_translations
from muster.documents.rulebook import gather_rulebook
from muster.systems import Library, System
from muster.values import Cost, Count, Text

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
