"""Tests of the estimate of how wide a text is."""

from __future__ import annotations

import pytest
from fontTools.ttLib import TTFont

from muster.rendering.text_widths import lines_of, text_em, text_room_em
from tests.rendering.conftest import TEMPLATES

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789äöüéÄÖÜß.,:;()-–−×+½¼¾%&″′"


def measure(text: str, face: str) -> float:
    """Return the width of a text in one of our faces, in em, without kerning."""
    with TTFont(TEMPLATES / "fonts" / f"{face}.ttf") as font:
        names, widths = font.getBestCmap(), font["hmtx"]
        total: int = sum(widths[names[ord(letter)]][0] for letter in text)
        return total / int(font["head"].unitsPerEm)


def test_every_letter_is_about_as_wide_as_in_the_face() -> None:
    for letter in LETTERS:
        assert text_em(letter) == pytest.approx(measure(letter, "MusterSans-Regular"), abs=0.06)


@pytest.mark.parametrize("text", ["Cuirassiers", "Wagenburg", "24½", "150 + 3 a figure", "MMXXIV"])
def test_room_holds_a_text_in_semi_bold(text: str) -> None:
    assert measure(text, "MusterSans-SemiBold") <= text_room_em(text)


def test_text_takes_a_line_more_where_a_word_does_not_fit() -> None:
    assert lines_of([2, 2, 2], 7) == 1
    assert lines_of([2, 2, 2], 5) == 2
    assert lines_of([2, 9, 2], 5) == 3
    assert lines_of([], 5) == 1
