"""Tests of the first games: their armies are legal, and their tables list the armies’ units."""

from __future__ import annotations

from pathlib import Path

import pytest

from muster.armies import Army, check, load_army
from muster.documents.cards import gather_cards
from muster.systems import Library
from muster.tables import Diagram
from tests.scaffold import SHIPPED

ROOT = Path(__file__).parents[2]
LIBRARY = Library(ROOT)

each_system = pytest.mark.parametrize("system_id", SHIPPED)


def armies(system_id: str) -> list[Army]:
    paths = sorted((ROOT / "armies" / system_id).glob("first-game-*.yaml"))
    return [load_army(path, LIBRARY) for path in paths]


@each_system
def test_a_first_game_has_two_legal_armies_of_6_to_10_units(system_id: str) -> None:
    both = armies(system_id)
    sizes = [sum(node.level == "unit" for node in army.nodes()) for army in both]

    assert [check(army).findings for army in both] == [(), ()]
    assert all(6 <= size <= 10 for size in sizes), sizes


@each_system
def test_its_table_lists_the_units_of_both_armies_with_their_values(system_id: str) -> None:
    table = LIBRARY.system(system_id).table("first-game-units")
    units = {
        node.name: node
        for army in armies(system_id)
        for node in army.nodes()
        if node.level == "unit"
    }
    listed = {row.label: row for row in table.rows}

    assert set(listed) == set(units)
    wrong = [
        (name, column.id, cell.show(), unit.kind.text(column.id))
        for name, unit in units.items()
        for column, cell in zip(table.columns, listed[name].cells, strict=True)
        if column.id != "type"
        and unit.kind.text(column.id)
        and str(cell) not in {unit.kind.text(column.id), unit.kind.shown(column.id)}
    ]
    assert wrong == []


def test_slaughterloo_prices_its_units_as_the_rules_do() -> None:
    table = LIBRARY.system("slaughterloo").table("first-game-units")
    costs = {
        card.title: card.cost
        for army in armies("slaughterloo")
        for card in gather_cards(army.system, army, check(army)).cards
    }

    places = [column.id for column in table.columns]
    listed = {row.label: f"{row.cells[places.index('price')]} points" for row in table.rows}

    assert listed.items() <= costs.items()


@each_system
def test_it_is_marked_as_ours_and_has_a_map(system_id: str) -> None:
    system = LIBRARY.system(system_id)
    chapter = next(each for each in system.chapters if each.id == "first-game")
    tables = [table for table in system.tables() if table.chapter == chapter.id]
    prose = next(system.folder.glob("prose/*-first-game.md")).read_text()

    assert prose.startswith("This chapter is our own ")
    assert not chapter.source
    assert not any(table.source for table in tables)
    assert [table.id for table in tables if isinstance(table, Diagram)] == ["first-game-map"]
