"""Owns how a value on a card or roster is derived: a closed set of ways, written as data.

Does not work any out; `documents.derived` does, for one unit of one army. There is no
expression language here on purpose: each way is one model with named parts.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Discriminator, Field, Tag

from generator import values
from generator.reading import Id, Line, Strict


def _number(text: str) -> str:
    values.Number.parse(text)
    return text


def _share(text: str) -> str:
    values.Percent.parse(text)
    return text


Share = Annotated[Line, AfterValidator(_share)]
"""A percentage, such as `25%`."""


class FromField(Strict):
    """A name taken from the unit: the value of one of its fields, stats or attributes."""

    field: Id


Name = Line | FromField


class FromTable(Strict):
    """A cell of a table.

    The row and column may be named by the unit's own fields, or by what another table says
    (its words, in small letters, are the id).
    """

    table: Id
    row: Name | FromTable
    column: Name | FromTable | None = None


class Number(Strict):
    """A plain number that the system's prose states, with no table of its own."""

    number: Annotated[Line, AfterValidator(_number)]


class Words(Strict):
    """Fixed words."""

    words: Line


class Empty(Strict):
    """A box to fill in by hand."""

    box: Line


class Product(Strict):
    """All parts multiplied."""

    product: list[Derived] = Field(min_length=2)


class Sum(Strict):
    """All parts added."""

    sum: list[Derived] = Field(min_length=2)


class Difference(Strict):
    """The first part less the second."""

    less: list[Derived] = Field(min_length=2, max_length=2)


class Least(Strict):
    """The smallest of the parts."""

    least: list[Derived] = Field(min_length=2)


class ShareOf(Strict):
    """The least whole number that is at least this share of a number (rounded up)."""

    share: Share
    of: Derived


class RoundedDown(Strict):
    """A part without its fraction, e.g. hits of a unit that has one hit for so many figures."""

    down: Derived


class Joined(Strict):
    """Several values in one place, e.g. `6 / 9`."""

    join: list[Derived] = Field(min_length=2)
    by: str = " / "


_WAYS: dict[str, type[Strict]] = {
    "table": FromTable,
    "field": FromField,
    "number": Number,
    "words": Words,
    "box": Empty,
    "product": Product,
    "sum": Sum,
    "less": Difference,
    "least": Least,
    "share": ShareOf,
    "down": RoundedDown,
    "join": Joined,
}


def _way(written: Any) -> str | None:
    keys = written if isinstance(written, dict) else getattr(written, "__dict__", ())
    return next((key for key in _WAYS if key in keys), None) if keys else None


Derived = Annotated[
    Annotated[FromTable, Tag("table")]
    | Annotated[FromField, Tag("field")]
    | Annotated[Number, Tag("number")]
    | Annotated[Words, Tag("words")]
    | Annotated[Empty, Tag("box")]
    | Annotated[Product, Tag("product")]
    | Annotated[Sum, Tag("sum")]
    | Annotated[Difference, Tag("less")]
    | Annotated[Least, Tag("least")]
    | Annotated[ShareOf, Tag("share")]
    | Annotated[RoundedDown, Tag("down")]
    | Annotated[Joined, Tag("join")],
    Discriminator(
        _way,
        custom_error_type="unknown_derivation",
        custom_error_message="expected one of: " + ", ".join(f"`{key}:`" for key in _WAYS),
    ),
]
"""One way to come by a value."""
