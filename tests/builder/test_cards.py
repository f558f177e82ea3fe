"""Test that the list builder shows on cards and rosters just what Muster prints on them."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from muster.armies import Army, Node, check, load_army
from muster.documents.builder_tables import gather_builder_pictures, gather_builder_tables
from muster.documents.cards import (
    Card,
    CardRow,
    NodeFields,
    ValueDeriver,
    column_value,
    gather_cards,
    layout_of,
)
from muster.documents.derived_values import DerivedCell
from muster.languages import speaking
from tests.builder.conftest import (
    ROOT,
    SIXTH,
    TRANSLATIONS,
    Translated,
    judge_source,
    library,
    speak,
    system_data,
)
from tests.solver.lists import Lists

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("builder-lists")]

SYSTEMS = [*((name, ROOT) for name in sorted(library().systems())), ("sixth", SIXTH)]
IDS = [name for name, _ in SYSTEMS]
RANDOM_LISTS = 60

SHOWN = """([data, parts, lists]) => {
  const system = new Muster.System(JSON.parse(data));
  const known = new Muster.Parts(JSON.parse(parts), system);
  return JSON.stringify(JSON.parse(lists).map((written) => {
    const army = Muster.readArmy(system, Muster.readList(system, written).list);
    return army.nodes.filter((node) => node.path).map((node) => ({
      path: node.path, card: known.card(node), roster: known.rosterValues(node)
    }));
  }), (key, value) => (typeof value === "bigint" ? String(value) : value));
}"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Page:
    """Return a page with the judge and the scripts for cards."""
    return page_for_cards(browser)


def page_for_cards(browser: Browser) -> Page:
    opened = browser.new_page()
    derive = (ROOT / "templates" / "builder" / "derive.js").read_text(encoding="utf-8")
    opened.add_script_tag(content=f"{judge_source()}\n{derive}")
    return opened


def printed_cell(cell: DerivedCell) -> str:
    """Return what a cell shows; a box to fill in differs from nothing."""
    return "[box]" if cell.kind == "blank" else cell.text


def printed_rows(rows: Sequence[CardRow]) -> list[Any]:
    return [[row.label, [printed_cell(cell) for cell in row.values]] for row in rows]


def printed_card(card: Card, layout_rows: int) -> dict[str, Any]:
    """Return what a printed card shows that the page shows too."""
    losses = card.losses
    return {
        "figures": [[each.label, printed_cell(each.value)] for each in card.figures],
        "losses": None
        if losses is None
        else [
            losses.label,
            losses.of,
            losses.remark,
            losses.halved,
            [[box.number, box.mark] for box in losses.boxes],
            [list(each) for each in losses.meanings],
        ],
        "tallies": [
            [
                each.label,
                each.remark,
                [[box.number, box.mark] for box in each.boxes],
                each.shape,
            ]
            for each in card.tallies
        ],
        "boxes": list(card.boxes),
        "blocks": [
            [block.title, block.tone, list(block.heads), printed_rows(block.rows)]
            for block in card.blocks[:layout_rows]
        ],
        "look": [card.colour, card.symbol],
    }


def shown_cell(cell: dict[str, str]) -> str:
    return "[box]" if cell["kind"] == "blank" else cell["text"]


def shown_card(card: dict[str, Any]) -> dict[str, Any]:
    losses = card["losses"]
    return {
        "figures": [[each["label"], shown_cell(each["cell"])] for each in card["figures"]],
        "losses": None
        if losses is None
        else [
            losses["label"],
            losses["of"],
            losses["remark"],
            losses["halved"],
            [[box["number"], box["mark"]] for box in losses["boxes"]],
            losses["meanings"],
        ],
        "tallies": [
            [
                each["label"],
                each["remark"],
                [[box["number"], box["mark"]] for box in each["boxes"]],
                each["shape"],
            ]
            for each in card["tallies"]
        ],
        "boxes": card["boxes"],
        "blocks": [
            [
                block["title"],
                block["tone"],
                block["heads"],
                [[row["label"], list(map(shown_cell, row["cells"]))] for row in block["rows"]],
            ]
            for block in card["blocks"]
        ],
        "look": [card["colour"], card["symbol"]],
    }


def printed_roster(army: Army, node: Node) -> list[list[str]]:
    """Return the values of a unit that a table of units prints, without dashes and empty ones."""
    cards = army.system.cards
    deriver, fields = ValueDeriver(army.system, army), NodeFields(node)
    columns = cards.unit_columns if cards and node.level != "leader" else []
    cells = [(column.label, column_value(column, deriver, fields)) for column in columns]
    return [[label, cell.text] for label, cell in cells if cell.kind != "dash" and cell.text]


@pytest.mark.parametrize(("system_id", "root"), SYSTEMS, ids=IDS)
def test_cards_and_rosters_show_what_is_printed(system_id: str, root: Path, page: Page) -> None:
    armies = [load_army(path, library(root)) for path in root.glob(f"armies/{system_id}/*.yaml")]
    chances = (random.Random(seed) for seed in range(RANDOM_LISTS))  # noqa: S311 - nothing to guess
    armies += [Lists(system_id, chance, root).army(12) for chance in chances]

    shows_what_is_printed(page, system_data(system_id, root), armies)


@pytest.mark.parametrize(("system_id", "language"), TRANSLATIONS)
def test_cards_and_rosters_show_what_is_printed_in_a_translation(
    system_id: str, language: str, browser: Browser
) -> None:
    page, reader = page_for_cards(browser), Translated(language)
    speak(page, language)
    with speaking(language):
        armies = [load_army(path, reader) for path in ROOT.glob(f"armies/{system_id}/*.yaml")]

        shows_what_is_printed(page, system_data(system_id, language=language), armies)
    page.close()


def shows_what_is_printed(page: Page, data: str, armies: Sequence[Army]) -> None:
    system = armies[0].system
    parts = gather_builder_tables(system).data
    lists = json.dumps([army.document.data for army in armies])

    told = json.loads(page.evaluate(SHOWN, [data, parts, lists]))

    compared = 0
    for army, nodes in zip(armies, told, strict=True):
        deck = gather_cards(system, army, check(army))
        cards = {card.id: card.for_cards(large=True) for card in deck.cards}
        for node, shown in zip(list(army.nodes())[1:], nodes, strict=True):
            assert shown["path"] == node.path_text
            found = [[each["label"], each["cell"]["text"]] for each in shown["roster"]]
            if node.entry is not None:
                assert found == printed_roster(army, node), node.label
            layout, card = layout_of(node, system.cards), cards.get(f"{node.path_text}-0")
            assert (shown["card"] is None) == (layout is None)
            if layout is not None and card is not None:
                own = len(shown["card"]["blocks"])
                assert shown_card(shown["card"]) == printed_card(card, own), node.label
                assert len(card.blocks) - own in {0, int(node.is_branch)}
                compared += 1
    assert compared > 0


def test_systems_without_pictures_have_no_file_of_them() -> None:
    assert gather_builder_pictures(library().system("huzzah")) is None
