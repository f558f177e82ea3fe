"""Tests of how the columns of a side end level: one gap, nearly one pitch, lines for notes."""

from __future__ import annotations

from itertools import product

import pytest

from muster.rendering.sheet_levelling import (
    FEWEST_LINES,
    LAST_UNEVEN_GAPS,
    LAST_UNEVEN_PITCH,
    MOST_STRETCH,
    MOST_UNEVEN_PITCH,
    ColumnRoom,
    LevelSide,
    level_columns,
    notes_height_mm,
)

MM_PER_PT = 25.4 / 72
NARROWEST_PT = 3.5


def level(*free_mm: float, gaps: int = 4, growth_mm: float = 20) -> LevelSide:
    """Return columns of some blocks each, with what is free below each of them."""
    return level_columns([ColumnRoom(each, growth_mm, gaps) for each in free_mm])


def used_mm(side: LevelSide, room: ColumnRoom, number: int) -> float:
    """Return what a column takes of its room."""
    column = side.columns[number]
    wider_pt = (column.gap_pt - NARROWEST_PT) * room.gaps
    wider_pt += (side.gap_pt - NARROWEST_PT) * room.has_gap_above
    growth_mm = room.growth_mm * (column.stretch - 1) / (MOST_STRETCH - 1)
    return wider_pt * MM_PER_PT + growth_mm + notes_height_mm(column.note_lines)


def test_full_columns_stay_as_they_are() -> None:
    (first, second) = level(0, 0).columns

    assert (first.gap_pt, first.stretch, first.note_lines) == (NARROWEST_PT, 1, 0)
    assert first == second


def test_columns_of_one_room_have_one_gap_and_one_pitch() -> None:
    side = level(6, 6, 6)

    assert len(set(side.columns)) == 1
    assert side.columns[0].gap_pt == side.gap_pt > NARROWEST_PT


def test_a_little_room_goes_into_the_pitch_alone() -> None:
    side = level(0, 4)

    assert {column.gap_pt for column in side.columns} == {NARROWEST_PT}
    assert 1 == side.columns[0].stretch < side.columns[1].stretch < MOST_UNEVEN_PITCH
    assert side.columns[1].free_mm < 1


def test_much_room_goes_into_lines_for_notes_and_never_into_one() -> None:
    side = level(0, 22)

    assert side.columns[1].note_lines >= FEWEST_LINES
    assert side.columns[1].free_mm < 1


@pytest.mark.parametrize("growth_mm", [0, 20])
def test_columns_keep_to_their_room_and_to_the_limits(growth_mm: float) -> None:
    for free_mm in product((0, 1.5, 8, 13, 60), repeat=3):
        rooms = [
            ColumnRoom(each, growth_mm, gaps, has_gap_above=bool(gaps))
            for each, gaps in zip(free_mm, (0, 3, 6), strict=True)
        ]

        side = level_columns(rooms)

        pitches = [column.stretch for column in side.columns]
        assert 1 <= min(pitches) <= max(pitches) <= MOST_STRETCH
        assert max(pitches) / min(pitches) < LAST_UNEVEN_PITCH + 1e-3
        for number, (room, column) in enumerate(zip(rooms, side.columns, strict=True)):
            left_mm = room.free_mm - used_mm(side, room, number)
            assert left_mm > -1e-6
            assert side.gap_pt <= column.gap_pt <= side.gap_pt * LAST_UNEVEN_GAPS + 0.01
            assert column.note_lines != 1


def test_no_column_ends_far_above_the_foot() -> None:
    """A column of four blocks has room for wider lines and gaps, or else for lines for notes."""
    for tenths in range(0, 400, 4):
        side = level(0, tenths / 10)

        assert side.columns[1].free_mm < 6, tenths
