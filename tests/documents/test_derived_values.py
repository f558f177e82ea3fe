"""Test derived values: each kind of derivation, and how blanks and dashes spread."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

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
from muster.systems.layouts import Derivation, sub_derivations
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

DERIVATION: TypeAdapter[Any] = TypeAdapter(Derivation)
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


def derive(written: object, system: System, **fields: object) -> DerivedCell:
    return derive_cell(DERIVATION.validate_python(written), system, ({**FIELDS, **fields}).get)


DERIVED: Final[dict[str, tuple[object, str, str]]] = {
    "cell": (FAR, "20\u202fcm", "number"),
    "row named by a field": (OPEN, "15\u202fcm", "number"),
    "column named by a field": (
        {"table": "movement", "row": "foot", "column": {"field": "ground"}},
        "10\u202fcm",
        "number",
    ),
    "cost": ({"table": "points", "row": "foot"}, "3 per stand", "signed"),
    "modifier": ({"table": "shooting-modifiers", "row": "cover"}, "−2", "signed"),
    "dash": (NO_RANGE, "–", "dash"),
    "blank": (UNKNOWN, "", "blank"),
    "whole field": ({"field": "stands"}, "7", "number"),
    "decimal field": ({"field": "half"}, "½", "number"),
    "field of words": ({"field": "word"}, "brave", "text"),
    "flag": ({"field": "flag"}, "yes", "text"),
    "no field": ({"field": "nothing"}, "–", "dash"),
    "number": ({"number": "3"}, "3", "number"),
    "words": ({"words": "as **many** as you like"}, "as **many** as you like", "text"),
    "box": ({"box": "Order"}, "", "blank"),
    "product": ({"product": [{"field": "stands"}, {"number": "2"}]}, "14", "number"),
    "sum": ({"sum": [{"field": "stands"}, {"number": "2"}, {"number": "1"}]}, "10", "number"),
    "less": ({"less": [{"field": "stands"}, {"number": "2"}]}, "5", "number"),
    "least": ({"least": [{"field": "stands"}, {"number": "4"}]}, "4", "number"),
    "target plus": ({"sum": [{"field": "needed"}, {"number": "2"}]}, "7+", "number"),
    "target less": ({"less": [{"field": "needed"}, {"number": "1"}]}, "4+", "number"),
    "length plus modifier": ({"sum": [FAR, {"field": "less"}]}, "15\u202fcm", "number"),
    "length plus length": ({"sum": [FAR, OPEN]}, "35\u202fcm", "number"),
    "length twice": ({"product": [FAR, {"number": "2"}]}, "40\u202fcm", "number"),
    "share rounded up": ({"share": "50%", "of": {"field": "stands"}}, "4", "number"),
    "exact share": ({"share": "25%", "of": {"number": "8"}}, "2", "number"),
    "small share": ({"share": "1%", "of": {"number": "1"}}, "1", "number"),
    "share of a length": ({"share": "50%", "of": OPEN}, "8", "number"),
    "share of a blank": ({"share": "50%", "of": UNKNOWN}, "", "blank"),
    "share of a dash": ({"share": "50%", "of": NO_RANGE}, "–", "dash"),
    "down": ({"down": {"product": [{"field": "stands"}, {"field": "half"}]}}, "3", "number"),
    "nine thirds": ({"down": {"product": [{"number": "9"}, {"field": "third"}]}}, "3", "number"),
    "down of a blank": ({"down": UNKNOWN}, "", "blank"),
    "down of a dash": ({"down": NO_RANGE}, "–", "dash"),
    "join": ({"join": [OPEN, FAR]}, "15\u202fcm / 20\u202fcm", "number"),
    "join with a dash": ({"join": [OPEN, NO_RANGE], "by": "; "}, "15\u202fcm", "number"),
    "join of dashes": ({"join": [NO_RANGE, NO_RANGE]}, "–", "dash"),
    "join with a blank": ({"join": [OPEN, UNKNOWN]}, "", "blank"),
    "sum with a dash": ({"sum": [NO_RANGE, {"number": "1"}]}, "–", "dash"),
    "sum with a blank": ({"sum": [NO_RANGE, UNKNOWN]}, "", "blank"),
}


@pytest.mark.parametrize(("written", "text", "kind"), DERIVED.values(), ids=[*DERIVED])
def test_value_is_derived(written: object, text: str, kind: str, system: System) -> None:
    assert derive(written, system, ground="rough", third=Fraction.parse("1/3")) == DerivedCell(
        text, kind
    )


def test_field_that_is_missing_or_names_no_row_gives_a_dash(system: System) -> None:
    assert derive(OPEN, system, arm=None).kind == "dash"
    assert derive(OPEN, system, arm="staff").kind == "dash"
    column = {"table": "movement", "row": "foot", "column": {"field": "nothing"}}
    assert derive(column, system).kind == "dash"


ERRORS: Final[dict[str, tuple[object, type[Exception]]]] = {
    "row": ({"table": "movement", "row": "camels", "column": "open"}, NoEntryError),
    "column": ({"table": "movement", "row": "foot", "column": "snow"}, NoEntryError),
    "table": ({"table": "movment", "row": "foot", "column": "open"}, MusterError),
    "roll": ({"sum": [DICE, {"number": "1"}]}, TypeError),
    "cost": ({"sum": [{"table": "points", "row": "foot"}, {"number": "1"}]}, TypeError),
    "words": ({"sum": [{"words": "two"}, {"number": "1"}]}, TypeError),
    "join": ({"sum": [{"join": [OPEN, FAR]}, {"number": "1"}]}, TypeError),
    "share of words": ({"share": "50%", "of": {"field": "word"}}, TypeError),
    "length by length": ({"product": [OPEN, FAR]}, TypeError),
}


@pytest.mark.parametrize(("written", "error"), ERRORS.values(), ids=[*ERRORS])
def test_value_that_cannot_be_derived_is_an_error(
    written: object, error: type[Exception], system: System
) -> None:
    with pytest.raises(error):
        derive(written, system)


def test_lengths_of_different_units_are_not_added(system: System) -> None:
    field = {"inch": Distance(Decimal(4), LengthUnit.INCH)}.get
    written = DERIVATION.validate_python({"sum": [FAR, {"field": "inch"}]})

    with pytest.raises(TypeError, match=r"20 ?cm and 4"):
        derive_value(written, system, field)


@pytest.mark.parametrize(
    "part",
    [Number(Decimal(2)), Modifier.parse("+2"), Count.parse("2 Dice"), Distance.parse("2cm")],
    ids=str,
)
def test_numbers_of_several_forms_count(part: Value, system: System) -> None:
    written = DERIVATION.validate_python({"sum": [{"field": "part"}, {"number": "1"}]})

    assert "3" in derive_value(written, system, {"part": part}.get).show()


BAD: Final[dict[str, object]] = {
    "share of words": {"share": "half", "of": {"number": "1"}},
    "number in words": {"number": "two"},
    "sum of one": {"sum": [{"number": "1"}]},
    "less of three": {"less": [{"number": "1"}] * 3},
    "unknown key": {"nothing": "1"},
    "two keys": {"number": "1", "words": "x"},
    "no mapping": "words",
}


@pytest.mark.parametrize("written", BAD.values(), ids=[*BAD])
def test_derivation_that_is_written_wrongly_is_refused(written: object) -> None:
    with pytest.raises(ValidationError):
        DERIVATION.validate_python(written)


def test_derivations_within_one_are_found_with_their_paths() -> None:
    number = {"number": "1"}
    written = {"sum": [{"down": number}, {"share": "50%", "of": number}, {"join": [number] * 2}]}

    below = dict(sub_derivations(DERIVATION.validate_python(written)))

    assert [*below] == [("sum", 0), ("sum", 1), ("sum", 2)]
    paths = [path for part in below.values() for path, _ in sub_derivations(part)]
    assert paths == [("down",), ("of",), ("join", 0), ("join", 1)]
    assert [*sub_derivations(DERIVATION.validate_python(number))] == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (None, DASH),
        ("", DASH),
        (False, Text.parse("no")),
        (3, Number(Decimal(3))),
        ("x", Text.parse("x")),
        (Cost.parse("3"), Cost.parse("3")),
    ],
    ids=["none", "empty", "flag", "number", "text", "value"],
)
def test_field_becomes_a_value(field: object, value: Value) -> None:
    assert field_to_value(field) == value


def test_field_that_is_no_value_is_an_error() -> None:
    with pytest.raises(TypeError):
        field_to_value([1])


def test_value_is_shown_by_its_kind() -> None:
    cells = [to_cell(value) for value in (BLANK, DASH, Text.parse("a"), Modifier.parse("-1"))]

    assert cells == [
        DerivedCell("", "blank"),
        DerivedCell("–", "dash"),
        DerivedCell("a", "text"),
        DerivedCell("−1", "signed"),
    ]


def test_value_is_shown_in_the_unit_chosen(system: System) -> None:
    inches = Measures("", LengthUnit.INCH, LengthUnit.CM)

    cell = derive_cell(
        DERIVATION.validate_python({"join": [FAR, OPEN]}), system, FIELDS.get, inches
    )

    assert cell == DerivedCell("8″ / 6″", "number")
