"""Test bands and targets: the numbers that they hold, and where bands meet."""

from __future__ import annotations

from decimal import Decimal

import pytest

from muster.values import BadBand, Band


@pytest.mark.parametrize(
    ("text", "held", "not_held"),
    [
        ("4-7", ["4", "5.5", "7"], ["3", "3.99", "7.01", "8"]),
        ("8", ["8"], ["7", "9", "8.5"]),
        ("11+", ["11", "999"], ["10", "10.9"]),
        ("up to -4", ["-4", "-99"], ["-3", "0"]),
        ("under 15", ["14.9", "-1"], ["15", "16"]),
        ("over 30", ["30.1"], ["30", "29"]),
        ("over 30 to 55", ["30.1", "55"], ["30", "55.1"]),
        ("30 to under 55", ["30", "54.9"], ["29", "55"]),
        ("over 3 to under 4", ["3.5"], ["3", "4"]),
    ],
)
def test_a_band_holds_its_closed_ends_only(text: str, held: list[str], not_held: list[str]) -> None:
    band = Band.parse(text)

    assert all(band.holds(Decimal(number)) for number in held)
    assert not any(band.holds(Decimal(number)) for number in not_held)


@pytest.mark.parametrize(
    ("first", "second", "whole", "continuous"),
    [
        ("1-2", "3-4", True, False),
        ("1-2", "4-5", False, False),
        ("1-3", "3-4", False, False),
        ("up to -4", "-3 to -2", True, False),
        ("7-9", "10+", True, False),
        ("up to 15", "over 15 to 30", True, True),
        ("under 15", "15-30", True, True),
        ("under 15", "over 15", False, False),
        ("up to 15", "15-30", False, False),
        ("1 to under 3", "3+", True, True),
        ("1-2", "over 2", True, True),
        ("1-2.5", "2.6-4", True, False),
        ("1-2", "2.5-4", True, False),
        ("1-2", "over 2.5 to 4", True, False),
        ("1 to under 2.5", "3", True, False),
        ("11+", "12", False, False),
        ("4", "up to 5", False, False),
        ("3-4", "1-2", False, False),
    ],
)
def test_a_band_meets_the_one_that_begins_where_it_ends(
    first: str, second: str, *, whole: bool, continuous: bool
) -> None:
    band, other = Band.parse(first), Band.parse(second)

    assert band.meets(other, whole=True) is whole
    assert band.meets(other, whole=False) is continuous


def test_band_refuses_to_have_no_end() -> None:
    with pytest.raises(BadBand, match="at least one end"):
        Band(None, None)


def test_band_refuses_ends_in_the_wrong_order() -> None:
    with pytest.raises(BadBand, match=r"read '9\.0-4', expected a band with its low end first"):
        Band.parse("9.0-4")


@pytest.mark.parametrize("text", ["over 4 to 4", "4 to under 4", "over 4 to under 4"])
def test_band_refuses_to_hold_nothing(text: str) -> None:
    with pytest.raises(BadBand, match="holds some number"):
        Band.parse(text)


def test_an_end_that_is_not_there_cannot_be_open() -> None:
    four = Decimal(4)

    assert Band(None, four, low_open=True) == Band(None, four)
    assert Band(four, None, high_open=True) == Band(four, None)
