"""Tests of the type of cards that is chosen by the widths of their texts."""

from __future__ import annotations

from typing import Any

import pytest

from muster.documents.cards import CardBlock, CardRow
from muster.documents.derived_values import DerivedCell
from muster.rendering.card_type import (
    SMALLEST_CARD_PT,
    CardType,
    TextWidths,
    choose_head,
    choose_type,
    fit_run_in,
    set_alike,
    shorten_type,
)
from tests.rendering.conftest import TEMPLATES
from tests.rendering.samples import card


@pytest.fixture(scope="module")
def widths() -> TextWidths:
    return TextWidths([TEMPLATES])


def chosen(widths: TextWidths, size: float = 10, width: float = 70, **changes: Any) -> CardType:
    return choose_type(widths, card(**changes), width, size, 1.2)


def ranges(*texts: str) -> CardBlock:
    values = tuple(DerivedCell(text, "number") for text in texts)
    heads = tuple(str(number) for number in range(len(values)))
    return CardBlock("Fire", "fire", heads, (CardRow("Attack points", values),))


def pairs(title: str, *labels: str) -> CardBlock:
    rows = tuple(CardRow(label, (DerivedCell("+1", "signed"),)) for label in labels)
    return CardBlock(title, "melee", (), rows)


def test_widths_are_those_of_the_typeface(widths: TextWidths) -> None:
    assert widths.regular("", 10) == 0
    assert widths.regular("MM", 20) == pytest.approx(4 * widths.regular("M", 10))
    assert widths.regular("i", 10) < widths.regular("M", 10) < widths.bold("MM", 10)


def test_longer_title_has_smaller_type_and_one_line(widths: TextWidths) -> None:
    titles = ["Guards", "Field Marshal Daun", "Prinz von Sachsen-Hildburghausen the Elder"]

    short, long, broken = (chosen(widths, title=title).head for title in titles)

    assert short.title_pt > long.title_pt > broken.title_pt >= 8.5
    assert (short.title_lines, long.title_lines, broken.title_lines) == (1, 1, 2)
    assert widths.title(titles[1], long.title_pt) < 70 - (2 * 2.8 + 13.4) * 1.2


def test_table_wider_than_its_card_has_smaller_type_than_the_others(widths: TextWidths) -> None:
    wide = ranges("up to 30\u202fcm", "31–55\u202fcm", "56–120\u202fcm")
    narrow = ranges("3", "4", "5")

    wide_type, narrow_type = chosen(widths, 11.8, blocks=(wide, narrow)).blocks

    assert SMALLEST_CARD_PT < wide_type.size_pt < narrow_type.size_pt < 11.8
    assert chosen(widths, 11.8, blocks=(narrow,)).blocks[0].size_pt == 11.8


def test_head_with_four_lines_is_no_higher_than_others(widths: TextWidths) -> None:
    long = choose_head(
        widths,
        card(
            title="Grenadier battalion Billerbeck",
            facts=("Grenadiers of the line, medium infantry", "High morale", "Poor shots"),
            options=(),
        ),
        63,
    )

    assert (long.title_lines, long.type_lines) == (2, 2)
    assert long.height_mm < 14.2


def test_title_stands_beside_rows_that_leave_it_room(widths: TextWidths) -> None:
    short, long = (
        chosen(widths, blocks=(pairs("Melee", label),)).blocks[0]
        for label in ("Charge", "Charge on a square of foot in the open, at night")
    )

    assert short.aside_mm > 0
    assert long.aside_mm == 0


def test_facts_too_long_for_the_head_name_the_general_type(widths: TextWidths) -> None:
    long = card(facts=("Musketeers early in the war, medium infantry", "High morale"))
    short = card(facts=("Musketeers, medium infantry", "High morale"))

    assert shorten_type(widths, long, 63).facts == ("Medium infantry", "High morale")
    assert shorten_type(widths, short, 63).facts == short.facts
    assert shorten_type(widths, long, 100).facts == long.facts


def test_units_of_a_leader_stand_in_the_largest_type_that_has_room(widths: TextWidths) -> None:
    led = tuple(CardRow(f"{n} × Hussars", (DerivedCell("6 stands", "number"),)) for n in range(12))
    leader = card(led=led)

    (large, high), (small, low), none = (
        fit_run_in(widths, leader, 63, free, (9.4, 8.4, 7.5)) for free in (60, 30, 10)
    )

    assert large > small > SMALLEST_CARD_PT
    assert 60 > high > low
    assert low < 30
    assert none == (0, 0)


def test_rows_a_little_too_long_for_a_line_have_smaller_type(widths: TextWidths) -> None:
    def size(label: str) -> float:
        return chosen(widths, 11.8, blocks=(pairs("", label, "Charge"),)).blocks[0].size_pt

    assert size("Breach door or window") == 11.8
    assert 11.8 > size("Breach door, window, wall or a rock") > 0.86 * 11.8
    assert size("Breach door, window, wall, rock or anything else") == 11.8


def test_cards_of_one_kind_have_the_titles_of_blocks_at_one_place(widths: TextWidths) -> None:
    long = "Charge on a square of foot in the open, at night"
    cards = tuple(
        card(kind=kind, blocks=(pairs("Melee", label),))
        for kind, label in (("foot", "Charge"), ("foot", long), ("horse", "Charge"))
    )

    alike = set_alike(widths, cards, 63, 8.6)

    assert [each.stacks for each in alike] == [True, True, False]
    assert choose_type(widths, alike[0], 63, 8.6).blocks[0].aside_mm == 0
    assert choose_type(widths, alike[2], 63, 8.6).blocks[0].aside_mm > 0
