"""Tests of the layout of an army's units: parts side by side, boxes, widths of columns."""

from __future__ import annotations

from typing import Final

import pytest

from muster.documents.roster import Track
from muster.documents.unit_table import UnitColumn, UnitRow, UnitTable
from muster.rendering.unit_columns import split_rows, units_a_line, widths_em

C: Final = UnitRow("Command")
U: Final = UnitRow("Unit", 1)


@pytest.mark.parametrize(
    ("rows", "most", "expected"),
    [
        ([U], 3, ["U"]),
        ([C, U, U], 3, ["CUU"]),
        ([C, U, U, C, U, U], 2, ["CUU", "CUU"]),
        ([C, U, C, U, U, U], 3, ["CU", "CUUU"]),
        ([C, C, U, U], 2, ["CCUU"]),
        ([C, C, U, U, U, U], 2, ["CCUU", "cUU"]),
        ([C, C, U, U, U, U, U, U], 2, ["CCUUU", "cUUU"]),
        ([C, C, C, U], 2, ["CCCU"]),
    ],
)
def test_rows_are_split_into_parts_of_even_height(
    rows: list[UnitRow], most: int, expected: list[str]
) -> None:
    def letter(row: UnitRow) -> str:
        return "U" if row.count else "c" if row.is_continued else "C"

    assert ["".join(map(letter, part)) for part in split_rows(rows, most)] == expected


def test_parts_of_a_table_are_level_with_boxes_below_one_another() -> None:
    rows = [UnitRow("Reds", 3, tracks=(Track(4),)), *[UnitRow("Blues", 1)] * 3]

    parts = split_rows(rows, 2, with_boxes=True)

    assert [len(part) for part in parts] == [1, 3]
    assert [len(part) for part in split_rows(rows, 2)] == [2, 2]


def test_boxes_of_equal_units_stand_side_by_side_unless_that_makes_smaller_type() -> None:
    def of_a_line(size: int, others: int) -> int:
        reds = UnitRow("Reds", 4, "", size, tracks=(Track(size),))
        rows = (reds, *(UnitRow(f"Blues {n}", 1, "", 4, tracks=(Track(4),)) for n in range(others)))
        return units_a_line(reds, UnitTable((), "Stands", rows, 1, with_losses=True))

    assert (of_a_line(4, 30), of_a_line(4, 3), of_a_line(28, 10)) == (4, 4, 1)


def test_figures_stand_near_their_names_however_wide_the_table() -> None:
    table = UnitTable((UnitColumn("Fire", "Fire", 4),), "Stands", (U, U), 1)

    tight, wide = widths_em(table, 10), widths_em(table, 100)

    assert len(tight) == 1 + len(table.columns)
    assert all(more > less for less, more in zip(tight, wide, strict=True))
