"""Tests of what stands at the same height on all cards of a deck."""

from __future__ import annotations

import pytest

from muster.documents.cards import LargeFigure, LossBox, LossTrack, put_figures_in_place
from muster.documents.derived_values import DerivedCell
from muster.rendering.card_frame import CARD_FORMATS, TIGHTEST, fill_foot, plan_foot, plan_frame
from muster.rendering.card_type import TextWidths
from tests.rendering.conftest import TEMPLATES
from tests.rendering.samples import card

FORM = CARD_FORMATS["9-up"]


@pytest.fixture(scope="module")
def widths() -> TextWidths:
    return TextWidths([TEMPLATES])


def track(number: int, label: str = "Figures") -> LossTrack:
    return LossTrack(label, tuple(LossBox(n + 1) for n in range(number)))


def test_foot_of_a_deck_has_room_for_its_fullest_card(widths: TextWidths) -> None:
    few, many = card(losses=track(6)), card(losses=track(28))

    frame = plan_frame(widths, [few, many], FORM)

    assert frame.foot_mm == plan_foot(widths, many, FORM).height_mm
    assert frame.foot_mm > plan_foot(widths, few, FORM).height_mm


@pytest.mark.parametrize(
    ("number", "in_line", "lines"), [(5, 5, 1), (12, 12, 1), (16, 10, 2), (28, 10, 3), (60, 15, 4)]
)
def test_boxes_stand_in_whole_fives(
    number: int, in_line: int, lines: int, widths: TextWidths
) -> None:
    ((planned,),) = plan_foot(widths, card(losses=track(number)), FORM).tracks

    assert (planned.in_line, planned.lines) == (in_line, lines)


def test_two_tracks_of_five_share_a_line(widths: TextWidths) -> None:
    tallies = (track(5, "Kills"), track(5, "Staggers"))

    both, three = (
        plan_foot(widths, card(losses=losses, tallies=tallies), FORM).tracks
        for losses in (None, track(6))
    )

    assert [len(line) for line in both] == [2]
    assert [len(line) for line in three] == [1, 2]


def test_boxes_of_a_small_unit_are_larger_where_the_foot_of_its_deck_has_room(
    widths: TextWidths,
) -> None:
    few, many = card(losses=track(6)), card(losses=track(28))
    frame = plan_frame(widths, [few, many], FORM)
    usual = plan_foot(widths, few, FORM)

    (((grown,),), ((kept,),)) = (
        fill_foot(plan_foot(widths, each, FORM), frame, FORM).tracks for each in (few, many)
    )

    assert grown.tick_mm == grown.high_mm > usual.tracks[0][0].high_mm
    assert grown.in_line * grown.tick_mm < FORM.width_mm - 6
    assert kept == plan_foot(widths, many, FORM).tracks[0][0]


def test_figures_of_a_deck_have_one_size_at_which_its_fullest_strip_fits(
    widths: TextWidths,
) -> None:
    def strip(number: int, text: str) -> tuple[LargeFigure, ...]:
        return tuple(LargeFigure("move", DerivedCell(text, "number")) for _ in range(number))

    def size(*figures: tuple[LargeFigure, ...]) -> float:
        cards = put_figures_in_place([card(figures=each) for each in figures])
        (planned,) = plan_frame(widths, cards, FORM).strips
        assert sum(planned.widths_mm) == pytest.approx(FORM.width_mm, abs=0.1)
        return planned.figure_pt

    short, full = strip(3, "12"), strip(6, "12–14")

    assert size(short) == 22
    assert 14 <= size(short, full) < 22


def test_tight_frame_leaves_more_room(widths: TextWidths) -> None:
    (held,) = put_figures_in_place([card()])
    heights = [
        plan_frame(widths, [held], FORM, tightness=each).height_of(held, 10)
        for each in range(TIGHTEST + 1)
    ]

    assert heights == sorted(heights, reverse=True)
    assert heights[0] - heights[-1] > 3


def test_deck_without_figures_or_tracks_has_no_room_for_them(widths: TextWidths) -> None:
    frame = plan_frame(widths, [card(figures=(), losses=None, boxes=())], FORM)

    assert (frame.figures_mm, frame.foot_mm) == (0, 0)
