"""Test the look-up of one cell by the names of a table's axes."""

from __future__ import annotations

from decimal import Decimal
from textwrap import dedent

import pytest

from muster.tables import NoEntryError, Table, read_table
from muster.tables.cell_lookup import find_cell
from muster.yamlfile import document_from_text

ROLLS = """
    id: outcome
    title: Outcome
    chapter: fire
    source: L1
    kind: results
    dice: d6
    columns: [{id: result, label: Result}]
    rows:
      - {band: 1-3, cells: [Falls back.]}
      - {band: 4-6, cells: [Holds.]}
"""


@pytest.fixture
def rolls() -> Table:
    return read_table(document_from_text(dedent(ROLLS), "outcome.yaml"))


@pytest.mark.parametrize("roll", [5, "5", Decimal(5)], ids=["int", "text", "decimal"])
def test_roll_finds_the_row_whose_band_holds_it(rolls: Table, roll: str | int | Decimal) -> None:
    assert str(find_cell(rolls, {"roll": roll})) == "Holds."


@pytest.mark.parametrize("roll", ["7", "nan", "infinity", "high"])
def test_what_no_band_holds_is_no_entry(rolls: Table, roll: str) -> None:
    with pytest.raises(NoEntryError):
        find_cell(rolls, {"roll": roll})


def test_unknown_axis_names_the_known_ones(rolls: Table) -> None:
    with pytest.raises(
        KeyError, match="no axis 'score' in the table 'outcome'; known: column, roll, row"
    ):
        find_cell(rolls, {"score": 5})


def test_cell_needs_a_row(rolls: Table) -> None:
    with pytest.raises(KeyError, match="needs a row: roll, row"):
        find_cell(rolls, {"column": "result"})


@pytest.mark.parametrize("column", ["result", "Result", "RESULT!"])
def test_row_and_column_may_be_named_by_label(rolls: Table, column: str) -> None:
    assert str(find_cell(rolls, {"row": "4–6", "column": column})) == "Holds."
