"""Test the types of fields: which texts each takes, and the values that they become."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from muster.yamlfile import Flag, Id, Line, Prose, SourceLines, StrictModel, WholeNumber


class Sample(StrictModel):
    id: Id = "x"
    whole: WholeNumber = 0
    flag: Flag = False
    line: Line = "x"
    prose: Prose = "x"
    lines: SourceLines = "L1"


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        *[("id", text, text) for text in ("a", "7", "line-infantry", "a-1-b2", "x" * 80)],
        ("whole", "0", 0),
        ("whole", "7", 7),
        ("whole", "120", 120),
        ("whole", "999999999", 999_999_999),
        ("whole", 12, 12),
        ("flag", "true", True),
        ("flag", "false", False),
        ("flag", True, True),
        ("flag", False, False),
        ("line", "6″ – ½", "6″ – ½"),
        ("line", "  folded\n", "folded"),
        ("line", "x" * 300, "x" * 300),
        ("prose", "two\nlines\n", "two\nlines"),
        ("prose", "x" * 4000, "x" * 4000),
        *[("lines", text, text) for text in ("L85", "L216-234", "L85, L172", "L1-2,L3", "L7-7")],
        ("lines", " L1 ", "L1"),
    ],
)
def test_a_text_becomes_its_value(field: str, text: object, value: object) -> None:
    found = getattr(Sample.model_validate({field: text}), field)

    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        *[("id", bad) for bad in ("", "A", "a_b", "-a", "a-", "a--b", "a b", "a\n", "é", "x" * 81)],
        *[("whole", bad) for bad in ("", "010", "00", "1_000", "+1", "-1", "1.0", "1e3", "0x1F")],
        *[("whole", bad) for bad in ("1234567890", "٣", "²", " 1", "1\n", "½", "9" * 5000, True)],
        *[("whole", bad) for bad in (-1, 10**9, 1.0, None, ["x"], {"x": 1})],
        *[("flag", bad) for bad in ("yes", "no", "on", "off", "True", "TRUE", "1", "0", "", "~")],
        *[("flag", bad) for bad in (1, 0, None, ["x"], {"x": 1})],
        *[("line", bad) for bad in ("", "  ", "a\nb", "a\tb", "a\rb", "x" * 301, 5, None, ["x"])],
        *[("prose", bad) for bad in ("", " \n ", "x" * 4001, 5, ["x"])],
        *[("lines", bad) for bad in ("", "85", "L0", "L2-1", "L1-", "L1 L2", "L1,", "l1", "L1–2")],
        *[("lines", bad) for bad in ("L1, L5-4", "L1\n, L2", "L" + "1" * 400, 5)],
    ],
)
def test_a_text_of_another_form_is_refused(field: str, text: object) -> None:
    with pytest.raises(ValidationError):
        Sample.model_validate({field: text})


@given(st.integers(0, 999_999_999))
def test_a_whole_number_comes_back(number: int) -> None:
    assert Sample.model_validate({"whole": str(number)}).whole == number


@given(st.text(max_size=12))
def test_a_whole_number_is_written_in_one_way_only(text: str) -> None:
    try:
        number = Sample.model_validate({"whole": text}).whole
    except ValidationError:
        return

    assert str(number) == text


def test_a_model_refuses_unknown_keys_and_never_changes() -> None:
    sample = Sample(id="a")

    with pytest.raises(ValidationError):
        Sample.model_validate({"idd": "a"})
    with pytest.raises(ValidationError):
        sample.id = "b"  # type: ignore[misc]  # that it cannot be set is what is tried


def test_a_model_is_built_when_first_used() -> None:
    class Late(StrictModel):
        id: Id

    assert not Late.__pydantic_complete__
    assert Late(id="a").id == "a"
    assert Late.__pydantic_complete__


def test_schemas_let_editors_see_numbers_and_flags() -> None:
    properties = Sample.model_json_schema()["properties"]

    assert properties["whole"]["type"] == "integer"
    assert properties["flag"]["type"] == "boolean"
    assert "number" in properties["line"]["type"]
    assert properties["id"]["pattern"] == "^[a-z0-9]+(-[a-z0-9]+)*$"
