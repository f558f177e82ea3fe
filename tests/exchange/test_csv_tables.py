"""Test tables, books and rosters as CSV: what a spreadsheet reads from them."""

from __future__ import annotations

import csv
import io
from decimal import Decimal

import pytest

from muster.armies import army_from_document, check, load_army, load_book, load_composition
from muster.documents.army_book import gather_army_book
from muster.exchange.csv_tables import army_csv, book_csv, csv_text, harmless_cell, table_csv
from muster.yamlfile import document_from_text
from tests.builder.conftest import ROOT, library


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.parametrize(
    "formula", ["=1+1", "+A1", "-A1", "@SUM(A1)", " =1+1", "\uff1d1", "\t=1", "-2+3", "+1)"]
)
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(formula: str) -> None:
    assert harmless_cell(formula) == f"'{formula}"


@pytest.mark.parametrize("cell", ["-2", "+1", "0.5", "-0.25", "a=b", "4–7", "", "−5"])
def test_numbers_and_plain_text_stay_as_they_are(cell: str) -> None:
    assert harmless_cell(cell) == cell


def test_rows_end_with_crlf_and_quotes_are_doubled() -> None:
    assert csv_text([["a,b", 'say "x"', "c"]]) == '"a,b","say ""x""",c\r\n'


def test_table_has_a_row_for_each_row_with_the_cells_of_its_file() -> None:
    system = library().system("slaughterloo")
    rows = read(table_csv(system.table("kill-table"), ()))

    assert [row["id"] for row in rows][:2] == ["1-2", "3-4"]
    assert rows[3]["11+"] == "4"


def test_table_that_differs_by_scale_has_a_column_for_each() -> None:
    system = library().system("order-markers")
    table = system.table("delay-and-squares")
    scales = [(scale.id, scale.title) for scale in system.scales]
    rows = read(table_csv(table, scales))

    assert len(rows[0]) > 3 + len(table.columns)
    assert not any(cell.startswith("{") for row in rows for cell in row.values())


def test_blank_cell_is_empty_and_a_dash_stays() -> None:
    system = library().system("slaughterloo")
    blanks = [
        (table.id, row.id, at)
        for table in system.tables()
        for row in table.rows
        for at, cell in enumerate(row.cells)
        if str(cell) == "blank"
    ]
    table_id, row_id, at = blanks[0]
    rows = {row["id"]: list(row.values()) for row in read(table_csv(system.table(table_id), ()))}

    assert rows[row_id][3 + at] == ""


def test_book_has_sizes_prices_and_values_of_every_unit() -> None:
    system = library().system("slaughterloo")
    book = load_book(system, "sample-human")
    rows = {
        row["id"]: row
        for row in read(book_csv(load_composition(system), book, gather_army_book(system, book)))
    }

    assert set(rows) == set(book.units)
    fusiliers = rows["fusiliers"]
    assert (fusiliers["type"], fusiliers["Fire"], fusiliers["Move in line"]) == (
        "Line infantry",
        "+1",
        "15cm",
    )
    assert fusiliers["size"] == "8–20 figures, a multiple of 4"


@pytest.mark.parametrize("name", ["small", "typical", "large"])
def test_points_of_a_roster_add_up_to_its_total(name: str) -> None:
    verdict = check(load_army(ROOT / "armies" / "seven-years-war" / f"{name}.yaml", library()))
    rows = read(army_csv(verdict))

    assert sum(Decimal(row["points"]) for row in rows if row["points"]) == verdict.points
    units = [row for row in rows if row["level"] == "unit"]
    assert len(units) == sum(node.level == "unit" for node in verdict.army.nodes())


def test_names_of_a_roster_are_no_formulas() -> None:
    text = """\
system: slaughterloo
name: x
divisions:
  - name: "=cmd|' /C calc'!A0"
    units: [{unit: militia-infantry, figures: 8, points: 2, name: "@SUM(1)", notes: "+A1, =2"}]
"""
    army = army_from_document(document_from_text(text, "army.yaml"), library())

    division, unit = read(army_csv(check(army)))
    assert division["name"] == "'=cmd|' /C calc'!A0"
    assert (unit["name"], unit["notes"], unit["count"]) == ("'@SUM(1)", "'+A1, =2", "1")
