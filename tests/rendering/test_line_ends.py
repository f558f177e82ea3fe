"""Tests of the ends of lines on printed sheets."""

from __future__ import annotations

import pytest

from muster.documents.table_view import PrintedCell, TableLine
from muster.rendering.line_ends import keep_end_together, keep_ends_together
from tests.rendering.samples import block, sheet, side, view


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("points per figure; round the total up", "points per figure; round the total\u00a0up"),
        ("Keep orders.", "Keep orders."),
        ("Inside a wood, unless you agree otherwise", "Inside a wood, unless you agree otherwise"),
        ("The enemy within at most 10 cm", "The enemy within at most 10 cm"),
        ("", ""),
    ],
)
def test_short_last_word_keeps_with_the_word_before_it(text: str, kept: str) -> None:
    assert keep_end_together(text) == kept


def test_cells_of_grids_are_left_as_they_are() -> None:
    text = "goes to the rear and stays out of it"
    lines = (TableLine(text, (PrintedCell(text),)),)
    grid, pairs = view(lines=lines), view(lines=lines, form="pairs")

    kept = keep_ends_together(sheet(side(block("Title", grid, pairs))))

    first, second = kept.sides[0].blocks[0].views
    assert first.lines[0].label == text
    assert second.lines[0].label == second.lines[0].cells[0].text == text[:-3] + "\u00a0it"
