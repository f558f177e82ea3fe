"""Owns the facts about derived values: each way, and how blanks and dashes spread."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from muster.documents.derived_values import (
    DerivedCell,
    derive_cell,
    derive_value,
    field_to_value,
    to_cell,
)
from muster.documents.measures import Measures
from muster.problems import MusterError
from muster.systems import System
from muster.systems.layouts import Derivation
from muster.tables import NoEntryError
from muster.values import (
    BLANK,
    DASH,
    Cost,
    Count,
    Distance,
    Fraction,
    LengthUnit,
    Modifier,
    Number,
    Target,
    Text,
    Value,
)

WAY: TypeAdapter[Any] = TypeAdapter(Derivation)
FIELDS = {
    "arm": "foot",
    "stands": 7,
    "needed": Target.parse("5+"),
    "less": Modifier.parse("-5cm"),
    "half": Decimal("0.5"),
    "word": "brave",
    "flag": True,
}

FAR = {"table": "ranges", "row": "foot", "column": "far"}
OPEN = {"table": "movement", "row": {"field": "arm"}, "column": "open"}
NO_RANGE = {"table": "ranges", "row": "horse", "column": "far"}
UNKNOWN = {"table": "ranges", "row": "guns", "column": "far"}
DICE = {"table": "ranges", "row": "foot", "column": "dice"}


def worked(written: object, system: System, **fields: object) -> DerivedCell:
    return derive_cell(WAY.validate_python(written), system, ({**FIELDS, **fields}).get)


@pytest.mark.parametrize(
    ("written", "text", "kind"),
    [
        (FAR, "20\u202fcm", "number"),
        (OPEN, "15\u202fcm", "number"),
        (
            {"table": "movement", "row": "foot", "column": {"field": "ground"}},
            "10\u202fcm",
            "number",
        ),
        ({"table": "points", "row": "foot"}, "3 per stand", "signed"),
        ({"table": "shooting-modifiers", "row": "cover"}, "−2", "signed"),
        (NO_RANGE, "–", "dash"),
        (UNKNOWN, "", "blank"),
        ({"field": "stands"}, "7", "number"),
        ({"field": "half"}, "½", "number"),
        ({"field": "word"}, "brave", "text"),
        ({"field": "flag"}, "yes", "text"),
        ({"field": "nothing"}, "–", "dash"),
        ({"number": "3"}, "3", "number"),
        ({"words": "as **many** as you like"}, "as **many** as you like", "text"),
        ({"box": "Order"}, "", "blank"),
        ({"product": [{"field": "stands"}, {"number": "2"}]}, "14", "number"),
        ({"sum": [{"field": "stands"}, {"number": "2"}, {"number": "1"}]}, "10", "number"),
        ({"less": [{"field": "stands"}, {"number": "2"}]}, "5", "number"),
        ({"least": [{"field": "stands"}, {"number": "4"}]}, "4", "number"),
        ({"sum": [{"field": "needed"}, {"number": "2"}]}, "7+", "number"),
        ({"less": [{"field": "needed"}, {"number": "1"}]}, "4+", "number"),
        ({"sum": [FAR, {"field": "less"}]}, "15\u202fcm", "number"),
        ({"sum": [FAR, OPEN]}, "35\u202fcm", "number"),
        ({"product": [FAR, {"number": "2"}]}, "40\u202fcm", "number"),
        ({"share": "50%", "of": {"field": "stands"}}, "4", "number"),
        ({"share": "25%", "of": {"number": "8"}}, "2", "number"),
        ({"share": "1%", "of": {"number": "1"}}, "1", "number"),
        ({"share": "50%", "of": UNKNOWN}, "", "blank"),
        ({"share": "50%", "of": NO_RANGE}, "–", "dash"),
        ({"down": {"product": [{"field": "stands"}, {"field": "half"}]}}, "3", "number"),
        ({"down": {"product": [{"number": "9"}, {"field": "third"}]}}, "3", "number"),
        ({"down": UNKNOWN}, "", "blank"),
        ({"down": NO_RANGE}, "–", "dash"),
        ({"join": [OPEN, FAR]}, "15\u202fcm / 20\u202fcm", "number"),
        ({"join": [OPEN, NO_RANGE], "by": "; "}, "15\u202fcm", "number"),
        ({"join": [NO_RANGE, NO_RANGE]}, "–", "dash"),
        ({"join": [OPEN, UNKNOWN]}, "", "blank"),
        ({"sum": [NO_RANGE, {"number": "1"}]}, "–", "dash"),
        ({"sum": [NO_RANGE, UNKNOWN]}, "", "blank"),
    ],
)
def test_value_is_worked_out(written: object, text: str, kind: str, system: System) -> None:
    assert worked(written, system, ground="rough", third=Fraction.parse("1/3")) == DerivedCell(
        text, kind
    )


def test_field_that_is_missing_or_names_no_row_gives_a_dash(system: System) -> None:
    assert worked(OPEN, system, arm=None).kind == "dash"
    assert worked(OPEN, system, arm="staff").kind == "dash"
    column = {"table": "movement", "row": "foot", "column": {"field": "nothing"}}
    assert worked(column, system).kind == "dash"


@pytest.mark.parametrize(
    ("written", "error"),
    [
        ({"table": "movement", "row": "camels", "column": "open"}, NoEntryError),
        ({"table": "movement", "row": "foot", "column": "snow"}, NoEntryError),
        ({"table": "movment", "row": "foot", "column": "open"}, MusterError),
        ({"sum": [DICE, {"number": "1"}]}, TypeError),
        ({"sum": [{"words": "two"}, {"number": "1"}]}, TypeError),
        ({"sum": [{"join": [OPEN, FAR]}, {"number": "1"}]}, TypeError),
        ({"share": "50%", "of": {"field": "word"}}, TypeError),
    ],
)
def test_value_that_cannot_be_worked_out_is_an_error(
    written: object, error: type[Exception], system: System
) -> None:
    with pytest.raises(error):
        worked(written, system)


def test_lengths_of_different_units_are_not_reckoned_together(system: System) -> None:
    ask = {"inch": Distance(Decimal(4), LengthUnit.INCH)}.get
    written = WAY.validate_python({"sum": [FAR, {"field": "inch"}]})

    with pytest.raises(TypeError, match=r"20 ?cm and 4"):
        derive_value(written, system, ask)


@pytest.mark.parametrize(
    "part", [Number(Decimal(2)), Modifier.parse("+2"), Count.parse("2 Dice"), Distance.parse("2cm")]
)
def test_amounts_of_every_form_count(part: Value, system: System) -> None:
    written = WAY.validate_python({"sum": [{"field": "part"}, {"number": "1"}]})

    assert "3" in derive_value(written, system, {"part": part}.get).show()


@pytest.mark.parametrize(
    "written",
    [
        {"share": "half", "of": {"number": "1"}},
        {"number": "two"},
        {"sum": [{"number": "1"}]},
        {"less": [{"number": "1"}] * 3},
        {"nothing": "1"},
        {"number": "1", "words": "x"},
        "words",
    ],
)
def test_way_that_is_written_wrongly_is_refused(written: object) -> None:
    with pytest.raises(ValidationError):
        WAY.validate_python(written)


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        (None, DASH),
        ("", DASH),
        (False, Text.parse("no")),
        (3, Number(Decimal(3))),
        ("x", Text.parse("x")),
        (Cost.parse("3"), Cost.parse("3")),
    ],
)
def test_field_becomes_a_value(raw: object, found: Value) -> None:
    assert field_to_value(raw) == found


def test_field_that_is_no_value_is_an_error() -> None:
    with pytest.raises(TypeError):
        field_to_value([1])


def test_value_is_shown_by_its_kind() -> None:
    found = [to_cell(each) for each in (BLANK, DASH, Text.parse("a"), Modifier.parse("-1"))]

    assert found == [
        *(
            DerivedCell("", "blank"),
            DerivedCell("–", "dash"),
            DerivedCell("a", "text"),
            DerivedCell("−1", "signed"),
        ),
    ]


def test_answer_is_given_in_the_unit_chosen(system: System) -> None:
    inches = Measures("", LengthUnit.INCH, LengthUnit.CM)

    found = derive_cell(WAY.validate_python({"join": [FAR, OPEN]}), system, FIELDS.get, inches)

    assert found == DerivedCell("8″ / 6″", "number")
