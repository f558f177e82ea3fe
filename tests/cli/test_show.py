"""Tests of how results look in a terminal."""

from decimal import Decimal

import pytest

from muster.cli import show


def test_columns_stand_under_each_other() -> None:
    lines = show.aligned([("a", "1", "x"), ("bcd", "23", "")], frozenset({1}))

    assert lines == ["a     1  x", "bcd  23"]
    assert show.aligned([]) == []


@pytest.mark.parametrize(
    ("number", "text"), [("12.50", "12.5"), ("3.0", "3"), ("1E+2", "100"), ("0.00", "0")]
)
def test_number_has_no_needless_zeros(number: str, text: str) -> None:
    assert show.decimal_text(Decimal(number)) == text


def test_noun_agrees_with_its_number() -> None:
    assert [show.counted(n, "unit") for n in range(3)] == ["0 units", "1 unit", "2 units"]
