"""Owns the facts about armies that are written out: what is written is read as the same.

Does not know what an army may say.
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.armies.army_file import LINE_WIDTH, format_army, quote_scalar
from muster.yamlfile import document_from_text

LINE = st.text(
    st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp", "Cn", "Co")),
    min_size=1,
    max_size=40,
)
LEAF = st.dictionaries(st.sampled_from(["unit", "name", "stands"]), LINE, max_size=3)


@given(LINE)
def test_any_line_is_read_as_it_was(text: str) -> None:
    data = {"name": text, "commander": {"name": text}, "units": [{"options": [text]}]}

    assert document_from_text(format_army(data), "army.yaml").data == data


@given(st.lists(LEAF, max_size=3), LINE)
def test_levels_of_command_are_read_as_they_were(units: list[dict[str, str]], name: str) -> None:
    data: dict[str, Any] = {
        "system": "any",
        "commands": [{"name": name, "groups": [{"units": units}, {"units": []}]}],
        "units": units,
    }

    assert document_from_text(format_army(data, ["A comment."]), "army.yaml").data == data


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Leib-Karabiniers", "Leib-Karabiniers"),
        ("Duke’s Own", "Duke’s Own"),
        ("1st battalion", "1st battalion"),
        ("2nd-rate", "2nd-rate"),
        ("12", "12"),
        ("true", '"true"'),
        ("No", '"No"'),
        ("12:30", '"12:30"'),
        ("1e5", '"1e5"'),
        ("010", '"010"'),
        ("Foot, 1st", '"Foot, 1st"'),
        ("- dash", '"- dash"'),
        ("a # b", '"a # b"'),
    ],
)
def test_text_is_quoted_where_it_could_be_taken_for_something_else(text: str, written: str) -> None:
    assert quote_scalar(text) == written


def test_long_unit_goes_on_below_within_the_width() -> None:
    unit = {"unit": "musketeers", **{f"field-{n}": "word " * 4 + "end" for n in range(8)}}
    text = format_army({"units": [unit]})

    assert max(map(len, text.splitlines())) <= LINE_WIDTH
    assert text.splitlines()[2].startswith("     field-")
    assert document_from_text(text, "army.yaml").data == {"units": [unit]}
