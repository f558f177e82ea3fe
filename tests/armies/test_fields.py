"""Test the values of fields: what is parsed, refused, shown and put into words."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.armies.fields import (
    AmountRange,
    BadFieldError,
    FieldValue,
    as_number,
    as_text,
    format_number,
    is_absent,
    join_remedies,
    join_words,
    known_forms,
    lower_first,
    name_ranges,
    plural_of,
    read_field,
    show_field,
    spell_out_lines,
    with_article,
)
from muster.values import BLANK, DASH, Number

DRILL = {"raw": "Raw", "old": "Old hands"}


@pytest.mark.parametrize(
    ("form", "raw", "expected"),
    [
        ("whole", "0", 0),
        ("whole", "999999999", 999999999),
        ("flag", "true", True),
        ("flag", "false", False),
        ("choice", "old", "old"),
        ("points", "12.25", Decimal("12.25")),
        ("line", "Anything at all", "Anything at all"),
        ("number", "7", Number(Decimal(7))),
        ("number", "blank", BLANK),
    ],
)
def test_field_is_read_by_its_form(form: str, raw: str, expected: FieldValue) -> None:
    assert read_field(form, DRILL, raw) == expected


@pytest.mark.parametrize(
    ("form", "raw", "message"),
    [
        ("whole", "+1", "read '+1', expected a whole number"),
        ("whole", "010", "expected a whole number"),
        ("whole", "1_000", "expected a whole number"),
        ("whole", "1.0", "expected a whole number"),
        ("whole", "٣", "expected a whole number"),
        ("whole", "1234567890", "expected a whole number"),
        ("flag", "yes", "expected true or false"),
        ("flag", "True", "expected true or false"),
        ("choice", "oldd", "expected one of raw, old"),
        ("points", "1e3", "expected a number of points"),
        ("points", "0.00001", "expected a number of points"),
        ("points", "NaN", "expected a number of points"),
        ("points", "-3", "expected a number of points, 0 or more"),
        ("points", "-0", "expected a number of points, 0 or more"),
        ("line", "", "expected one line"),
        ("line", "a\nb", "expected one line"),
        ("line", "x" * 301, "expected one line"),
        ("whole", ["1"], "read a list, expected a whole number"),
        ("line", {"a": "b"}, "read a mapping, expected text"),
    ],
)
def test_field_of_another_form_is_refused(form: str, raw: Any, message: str) -> None:
    with pytest.raises(BadFieldError) as caught:
        read_field(form, DRILL, raw)

    assert message in str(caught.value)
    assert len(str(caught.value)) < 200


@given(st.sampled_from(known_forms()), st.text())
def test_no_text_raises_anything_but_a_value_error(form: str, raw: str) -> None:
    try:
        read_field(form, DRILL, raw)
    except ValueError as error:
        assert str(error)  # noqa: PT017 - most texts are refused, some are not


@given(st.integers(0, 10**9 - 1))
def test_whole_numbers_come_back(number: int) -> None:
    assert read_field("whole", {}, str(number)) == number


@pytest.mark.parametrize(
    ("value", "text", "shown", "number"),
    [
        (None, "", "", 0),
        (True, "true", "yes", 1),
        (False, "false", "no", 0),
        (4, "4", "4", 4),
        (Decimal("12.50"), "12.50", "12.5", Decimal("12.5")),
        ("old", "old", "Old hands", 0),
        ("other", "other", "other", 0),
        (Number(Decimal("1.5")), "1.5", "1½", 0),
        (DASH, "–", "–", 0),
        (BLANK, "blank", "", 0),
    ],
)
def test_value_is_written_shown_and_summed(
    value: FieldValue | None, text: str, shown: str, number: Decimal
) -> None:
    assert as_text(value) == text
    assert show_field(value, DRILL) == shown
    assert as_number(value) == number


@pytest.mark.parametrize("value", [None, BLANK, DASH])
def test_what_is_not_there_is_absent(value: FieldValue | None) -> None:
    assert is_absent(value)
    assert not is_absent(0)


@pytest.mark.parametrize(
    ("number", "text"),
    [(Decimal("0.00"), "0"), (Decimal("-2.50"), "−2.5"), (Decimal(100), "100"), (-3, "−3")],
)
def test_number_is_written_plainly(number: Decimal | int, text: str) -> None:
    assert format_number(number) == text


@pytest.mark.parametrize(
    ("ranges", "text"),
    [
        ([], "none"),
        ([(0, 0)], "none"),
        ([(1, 1)], "1 stand"),
        ([(0, 1)], "at most 1 stand"),
        ([(0, 6)], "at most 6 stands"),
        ([(0, 2), (6, 6)], "up to 2 or 6 stands"),
        ([(3, 4), (6, 6)], "3, 4 or 6 stands"),
        ([(3, 6)], "3–6 stands"),
        ([(2, None)], "2 or more stands"),
        ([(1, 1), (8, None)], "1 or 8 or more stands"),
    ],
)
def test_allowed_ranges_are_put_into_words(ranges: list[tuple[int, int | None]], text: str) -> None:
    exact: list[AmountRange] = [(Decimal(a), None if b is None else Decimal(b)) for a, b in ranges]

    assert name_ranges(exact, "stand", "stands") == text


def test_words_are_joined_as_in_a_sentence() -> None:
    assert join_words([]) == ""
    assert join_words(["a"]) == "a"
    assert join_words(["a", "b", "c"], "or") == "a, b or c"
    assert lower_first("Heavy infantry") == "heavy infantry"
    assert lower_first("C-in-C") == "C-in-C"
    assert lower_first("DF") == "DF"
    assert join_remedies("add 1", "", "give in.") == "Add 1, or give in."
    assert join_remedies("") == ""


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("L9", "line 9 of the source"),
        ("L9-11", "lines 9–11 of the source"),
        ("L85, L172", "lines 85 and 172 of the source"),
        ("L228-230, L243, L334", "lines 228–230, 243 and 334 of the source"),
        ("Groups, L125", "Groups, line 125 of the source"),
        ("Groups", "Groups"),
        ("HL2 and L", "HL2 and L"),
        ("", ""),
    ],
)
def test_lines_of_the_source_are_spelt_out(written: str, shown: str) -> None:
    assert spell_out_lines(written) == shown


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("battery", "batteries"),
        ("Field battery", "Field batteries"),
        ("Light infantry", "Light infantry"),
        ("Artillery", "Artillery"),
        ("Guards", "Guards"),
        ("Riflemen", "Riflemen"),
        ("donkey", "donkeys"),
        ("Light cavalry (a)", "Light cavalry (a)"),
        ("squadron", "squadrons"),
    ],
)
def test_plural_of_a_noun(one: str, many: str) -> None:
    assert plural_of(one) == many


def test_article_goes_with_the_noun() -> None:
    assert with_article("army") == "an army"
    assert with_article("C-in-C") == "a C-in-C"
