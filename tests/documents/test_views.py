"""Owns the facts about small parts of a table's print: numbers of steps, lengths in bands."""

from __future__ import annotations

import pytest

from muster.documents.table_view import length_in_bands, step_number
from muster.values import Distance, Number, Span, Value


@pytest.mark.parametrize(
    ("counters", "number"),
    [
        ([12], "12"),
        ([1, 1], "a"),
        ([1, 26], "z"),
        ([1, 27], "aa"),
        ([1, 53], "ba"),
        ([1, 1, 4], "iv"),
        ([1, 1, 11], "xi"),
        ([1, 1, 1, 49], "xlix"),
        ([1, 1, 120], "cxx"),
    ],
)
def test_step_is_numbered_however_many_there_are(counters: list[int], number: str) -> None:
    assert step_number(counters) == number


@pytest.mark.parametrize(
    ("value", "band", "text"),
    [
        (Distance.parse("12cm"), "4cm", " (3)"),
        (Span.parse("4-8cm"), "4cm", " (1–2)"),
        (Span.parse("over 8cm"), "4cm", " (2)"),
        (Distance.parse("80cm"), "4cm", " (20)"),
        (Distance.parse('12"'), "4cm", ""),
        (Distance.parse("12cm"), "d6cm", ""),
        (Number.parse("12"), "4cm", ""),
        (Distance.parse("d6cm"), "4cm", ""),
    ],
)
def test_length_is_given_in_bands_too(value: Value, band: str, text: str) -> None:
    assert length_in_bands(value, Distance.parse(band)) == text


def test_length_without_bands_is_a_length_alone() -> None:
    assert length_in_bands(Distance.parse("12cm"), None) == ""
