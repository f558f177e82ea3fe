"""Test how a cell becomes a value: by its form, as a dash or blank, or per scale."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable

import pytest

from muster.values import (
    BLANK,
    DASH,
    FORMS,
    BadAbsent,
    BadCell,
    BadForm,
    BadScaled,
    BadText,
    BadValue,
    Blank,
    Dash,
    Distance,
    Number,
    Scaled,
    Text,
    parse_value,
    read_cell,
)

SCALES = ("15mm", "25mm")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("raw", "value"),
    [("–", DASH), ("-", DASH), (" – ", DASH), ("blank", BLANK), (" blank ", BLANK)],
)
def test_dash_and_blank_stand_for_themselves_in_every_form(
    form: str, raw: str, value: Dash | Blank
) -> None:
    assert read_cell(raw, form) is value


@pytest.mark.parametrize("form", FORMS)
def test_prose_stands_in_every_form(form: str) -> None:
    assert read_cell({"text": "as **Light**"}, form, SCALES) == Text("as **Light**")


def test_a_value_per_scale_is_read_by_its_form() -> None:
    value = read_cell({"15mm": '6"', "25mm": '9"'}, "distance", SCALES)

    assert isinstance(value, Scaled)
    assert value.at("15mm") == Distance.parse('6"')
    assert value.show() == "15mm: 6″, 25mm: 9″"
    assert str(value) == '{15mm: 6", 25mm: 9"}'


def test_a_scale_may_have_a_dash_or_words() -> None:
    value = read_cell({"15mm": "–", "25mm": {"text": "as Light"}}, "distance", SCALES)

    assert value == Scaled({"25mm": Text("as Light"), "15mm": DASH})


def test_a_scaled_value_is_a_mapping_that_nobody_changes() -> None:
    source = {"15mm": Number.parse("1"), "25mm": Number.parse("2")}
    value = Scaled(source)
    source["15mm"] = Number.parse("9")

    assert value.at("15mm") == Number.parse("1")
    assert "15mm" in value
    assert "28mm" not in value
    assert list(value) == ["15mm", "25mm"]
    assert len(value) == 2
    with pytest.raises(KeyError):
        value.at("28mm")


def test_scaled_values_are_equal_in_any_order_and_travel() -> None:
    one, two = Number.parse("1"), Number.parse("2")
    value, other = Scaled({"a": one, "b": two}), Scaled({"b": two, "a": one})

    assert value == other
    assert hash(value) == hash(other)
    assert value != Scaled({"a": two, "b": one})
    assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301 - our own bytes


def test_an_unknown_scale_is_told_with_the_nearest() -> None:
    with pytest.raises(BadScaled) as caught:
        read_cell({"25m": '6"', "15mm": '9"'}, "distance", SCALES)

    assert caught.value.read == "25m"
    assert caught.value.example == "25mm"
    assert str(caught.value) == (
        """read '25m', expected one of the system's scales (15mm, 25mm) such as 25mm"""
    )


def test_a_scale_like_none_is_told_with_the_first() -> None:
    with pytest.raises(BadScaled, match="such as ä"):
        read_cell({"x": "1", "y": "2"}, "number", ("ä", "ö"))


def test_a_system_without_scales_says_so() -> None:
    with pytest.raises(BadScaled, match="this system has no scales"):
        read_cell({"15mm": "1", "25mm": "2"}, "number")


@pytest.mark.parametrize("raw", [{}, {"15mm": "1"}])
def test_one_scale_is_none(raw: dict[str, str]) -> None:
    with pytest.raises(BadScaled, match="two or more scales"):
        read_cell(raw, "number", SCALES)
    with pytest.raises(BadScaled):
        Scaled({})


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (["1"], "a list"),
        (None, "nothing"),
        (1, "int"),
        ({1: "x"}, "{: …}"),
        ({"text": ["x"]}, "a list"),
        ({"15mm": ["x"], "25mm": "1"}, "a list"),
        ({"15mm": {"15mm": "1"}, "25mm": "1"}, "{15mm: …}"),
    ],
)
def test_what_is_no_cell_is_told_shortly(raw: object, told: str) -> None:
    with pytest.raises(BadCell) as caught:
        read_cell(raw, "number", SCALES)

    assert caught.value.read == told


def test_bad_words_are_told_as_such() -> None:
    with pytest.raises(BadText):
        read_cell({"text": " "}, "number")


@pytest.mark.parametrize("form", ["nmber", "", "x" * 1000])
def test_an_unknown_form_is_told_with_the_nearest(form: str) -> None:
    with pytest.raises(BadForm) as caught:
        parse_value(form, "3")

    assert caught.value.example in FORMS


def test_the_nearest_form_is_the_one_meant() -> None:
    with pytest.raises(BadForm, match="such as number"):
        read_cell("3", "nmber")


@pytest.mark.parametrize("only", [DASH, BLANK])
def test_there_is_one_dash_and_one_blank(only: Dash | Blank) -> None:
    make: Callable[[], object] = type(only)

    assert make() is only
    assert type(only).parse(f" {only} ") is only
    assert copy.deepcopy(only) is only
    assert pickle.loads(pickle.dumps(only)) is only  # noqa: S301 - our own bytes


def test_dash_and_blank_have_signs_of_their_own() -> None:
    assert (str(DASH), DASH.show(), repr(DASH)) == ("–", "–", "DASH")
    assert (str(BLANK), BLANK.show(), repr(BLANK)) == ("blank", "", "BLANK")
    assert len({DASH, BLANK}) == 2


@pytest.mark.parametrize("parse", [Dash.parse, Blank.parse])
@pytest.mark.parametrize("text", ["", "x", "—", "Blank", "-" * 99])
def test_other_texts_are_neither_dash_nor_blank(parse: Callable[[str], object], text: str) -> None:
    with pytest.raises(BadAbsent):
        parse(text)


def test_a_dash_is_no_value_of_a_form() -> None:
    with pytest.raises(BadValue):
        parse_value("number", "–")


def test_values_load_nothing_heavy() -> None:
    code = (
        "import sys, muster.values; "
        "print(sorted({'difflib', 'yaml', 'pydantic', 'jinja2', 'weasyprint'} & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)  # noqa: S603 - our own code

    assert done.stdout == "[]\n"
