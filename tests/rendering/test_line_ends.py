"""Tests of the ends of lines on printed sheets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from muster.documents.table_view import ColumnHead, Footnote, PrintedCell, TableLine
from muster.rendering.line_ends import keep_end_together, keep_ends_together, keep_values_whole
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


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("D6 + 16 cm", "D6~+~16~cm"),
        ("Rout move; later maximum + 2 cm, fastest", "Rout move; later maximum +~2 cm, fastest"),
        ("Off by (target − (1D6 + Fire)) × 1D6 cm", "Off by (target −~(1D6 + Fire)) ×~1D6 cm"),
        ("(D6 + 16) ÷ 2½″", "(D6~+~16)~÷~2½″"),
        ("hit score 1D6 + 3 + modifiers − DF", "hit score 1D6~+~3 + modifiers − DF"),
        ("Score: D6 + modifiers", "Score: D6 + modifiers"),
        ("≤ 3", "≤~3"),
        ("2D6 ≤ rating", "2D6 ≤ rating"),
        ("Line – or column", "Line – or column"),
    ],
)
def test_signs_stay_with_their_numbers(text: str, kept: str) -> None:
    assert keep_values_whole(text).replace("\u00a0", "~") == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("then only the C-in-C", "then only the C-~in-~C"),
        ("Counter-charge, in line", "Counter-charge, in line"),
        ("open-order troops", "open-order troops"),
    ],
)
def test_short_words_are_not_broken_at_their_hyphens(text: str, kept: str) -> None:
    assert keep_values_whole(text).replace("\u2060", "~") == kept


def test_values_in_grids_and_heads_stay_whole() -> None:
    lines = (TableLine("Later", (PrintedCell("maximum + 2 cm"),)),)

    kept = keep_ends_together(
        sheet(side(block("Title", view(lines=lines, heads=(ColumnHead("D6 + 1"),)))))
    )

    grid = kept.sides[0].blocks[0].views[0]
    assert grid.lines[0].cells[0].text == "maximum +\u00a02 cm"
    assert grid.heads[0].label == "D6\u00a0+\u00a01"


def test_last_words_in_cells_of_grids_are_left_as_they_are() -> None:
    text = "goes to the rear and stays out of it"
    lines = (TableLine(text, (PrintedCell(text),)),)
    grid, pairs = view(lines=lines), view(lines=lines, form="pairs")

    kept = keep_ends_together(sheet(side(block("Title", grid, pairs))))

    first, second = kept.sides[0].blocks[0].views
    assert first.lines[0].label == text
    assert second.lines[0].label == second.lines[0].cells[0].text == text[:-3] + "\u00a0it"


def test_foot_of_a_side_does_not_end_with_a_single_word() -> None:
    notes = (Footnote("a", "The officer dies on a 6 unluckily.", ""),)
    own = replace(side(), footnotes=notes, conventions=("Plus is good for everybody.",))

    kept = keep_ends_together(replace(sheet(own), credit="Our own historical miniatures."))

    assert kept.sides[0].footnotes[0].text.endswith(" 6\u00a0unluckily.")
    assert kept.sides[0].conventions == ("Plus is good for\u00a0everybody.",)
    assert kept.credit == "Our own historical\u00a0miniatures."
