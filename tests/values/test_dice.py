"""Test rolls: their totals and probabilities."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest

from muster.languages import speaking
from muster.values import BadDice, Dice


def test_two_dice_have_their_well_known_chances() -> None:
    outcomes = Dice.parse("2d6").outcomes()

    assert list(outcomes) == [Decimal(n) for n in range(2, 13)]
    assert outcomes[Decimal(7)] == Fraction(1, 6)
    assert outcomes[Decimal(2)] == outcomes[Decimal(12)] == Fraction(1, 36)


def test_three_dice_have_the_chances_that_counting_gives() -> None:
    sums = [sum(faces) for faces in product(range(1, 5), repeat=3)]

    outcomes = Dice.parse("3d4").outcomes()

    assert outcomes == {Decimal(n): Fraction(sums.count(n), 64) for n in range(3, 13)}


@pytest.mark.parametrize(
    ("text", "lowest", "highest"),
    [
        ("d6", "1", "6"),
        ("2d6+1", "3", "13"),
        ("d4-1", "0", "3"),
        ("d6*10", "10", "60"),
        ("d6*0.5", "0.5", "3"),
        ("d10+30", "31", "40"),
        ("2d6*10-5", "15", "115"),
    ],
)
def test_a_roll_knows_its_ends(text: str, lowest: str, highest: str) -> None:
    dice = Dice.parse(text)

    assert (dice.lowest(), dice.highest()) == (Decimal(lowest), Decimal(highest))


def test_a_factor_and_a_number_move_every_outcome() -> None:
    outcomes = Dice.parse("d3*10+5").outcomes()

    assert outcomes == {Decimal(n): Fraction(1, 3) for n in (15, 25, 35)}


def test_twenty_dice_of_a_hundred_sides_still_add_up() -> None:
    assert sum(Dice.parse("20d100").outcomes().values()) == 1


@pytest.mark.parametrize(
    ("count", "sides", "times"),
    [(0, 6, 1), (21, 6, 1), (1, 1, 1), (1, 101, 1), (1, 6, 0), (1, 6, -1)],
)
def test_dice_refuse_what_cannot_be_rolled(count: int, sides: int, times: int) -> None:
    with pytest.raises(BadDice):
        Dice(count, sides, Decimal(times))


def test_too_many_dice_are_named_as_the_fault() -> None:
    with pytest.raises(BadDice, match="read '30D6', expected 1 to 20 dice of 2 to 100 sides"):
        Dice.parse("30D6")


def test_dice_are_shown_with_the_letter_of_the_language() -> None:
    dice = Dice.parse("2d6+1")

    assert dice.show() == "2D6 + 1"
    with speaking("de"):
        assert dice.show() == "2W6 + 1"
