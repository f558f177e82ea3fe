"""What sheet files and `cards.yaml` say: what is printed, in which order, derived from what."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Discriminator, Field, Tag

from muster import values
from muster.systems.identity import Tone
from muster.yamlfile import Flag, Id, Line, Prose, StrictModel, WholeNumber


def _check_number(text: str) -> str:
    values.Number.parse(text)
    return text


def _check_share(text: str) -> str:
    values.Percent.parse(text)
    return text


Share = Annotated[Line, AfterValidator(_check_share)]
"""A percentage, such as `25%`."""


class FieldReference(StrictModel):
    """A name taken from the unit: the value of one of its fields, stats or attributes."""

    field: Id


KeyName = Line | FieldReference


class TableCell(StrictModel):
    """A cell of a table.

    The row and column may be named by the unit's own fields, or by what another table says
    (its words, in small letters, are the id).
    """

    table: Id
    row: KeyName | TableCell
    column: KeyName | TableCell | None = None


class StatedNumber(StrictModel):
    """A plain number that the system's prose states, with no table of its own."""

    number: Annotated[Line, AfterValidator(_check_number)]


class Words(StrictModel):
    """Fixed words."""

    words: Line


class Empty(StrictModel):
    """A box to fill in by hand."""

    box: Line


class Product(StrictModel):
    """All parts multiplied."""

    product: list[Derivation] = Field(min_length=2)


class Sum(StrictModel):
    """All parts added."""

    sum: list[Derivation] = Field(min_length=2)


class Difference(StrictModel):
    """The first part less the second."""

    less: list[Derivation] = Field(min_length=2, max_length=2)


class Least(StrictModel):
    """The smallest of the parts."""

    least: list[Derivation] = Field(min_length=2)


class ShareOf(StrictModel):
    """The least whole number that is at least this share of a number (rounded up)."""

    share: Share
    of: Derivation


class RoundedDown(StrictModel):
    """A part without its fraction, e.g. hits of a unit that has one hit for so many figures."""

    down: Derivation


class Joined(StrictModel):
    """Several values in one place, e.g. `6 / 9`."""

    join: list[Derivation] = Field(min_length=2)
    by: str = " / "


_DERIVATIONS: dict[str, type[StrictModel]] = {
    "table": TableCell,
    "field": FieldReference,
    "number": StatedNumber,
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


def _derivation_key(written: Any) -> str | None:
    keys = written if isinstance(written, dict) else getattr(written, "__dict__", ())
    return next((key for key in _DERIVATIONS if key in keys), None) if keys else None


Derivation = Annotated[
    Annotated[TableCell, Tag("table")]
    | Annotated[FieldReference, Tag("field")]
    | Annotated[StatedNumber, Tag("number")]
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
        _derivation_key,
        custom_error_type="unknown_derivation",
        custom_error_message="expected one of: " + ", ".join(f"`{key}:`" for key in _DERIVATIONS),
    ),
]
"""One way to come by a value."""


AttributeFilter = dict[Id, list[Line]]
"""Attribute -> the values that want it, `none` if it is not there; all must match."""


class Block(StrictModel):
    """One block of a sheet: a table, or several under one head."""

    table: Id | None = None
    tables: list[Id] = []
    title: Line | None = None
    remark: Line | None = None
    rows: list[Line] = []
    short: Flag = False
    fold: WholeNumber = 1
    turn: list[Id] = []
    listed: Flag = False
    shade: Flag = False
    notes: Flag = True
    tone: Tone | None = None
    text: Prose | None = None
    scale: Id | None = None


class Side(StrictModel):
    """One side of a sheet: its columns by relative width, its blocks in turn order."""

    title: Line
    columns: list[WholeNumber] = Field(min_length=1, max_length=6)
    blocks: list[Block] = Field(min_length=1)


class WrittenSheet(StrictModel):
    """The whole of `sheets/<sheet>.yaml`."""

    id: Id
    title: Line
    orientation: Literal["portrait", "landscape"] = "landscape"
    sides: list[Side] = Field(min_length=1, max_length=2)


class ValueRow(StrictModel):
    """A row of derived values on a card; a row with heads above it may do without a label."""

    label: Line = ""
    values: list[Derivation] = Field(min_length=1)
    where: AttributeFilter = {}


class WrittenCardBlock(StrictModel):
    """A block of a card: rows of derived values under optional column heads."""

    title: Line = ""
    tone: Tone = "neutral"
    heads: list[Line] = []
    rows: list[ValueRow] = Field(min_length=1)
    where: AttributeFilter = {}


class Mark(StrictModel):
    """A mark beside one of the loss boxes: the box at which a share is reached."""

    share: Share
    label: Line


class Losses(StrictModel):
    """Boxes to tick off: one for each of a number, with marks at shares of it."""

    label: Line
    count: Id
    marks: list[Mark] = []


class CardLayout(StrictModel):
    """The card of one sort of unit or leader."""

    id: Id
    title: Line = ""
    level: Literal["unit", "leader"] | Id = "unit"
    where: AttributeFilter = {}
    losses: Losses | None = None
    boxes: list[Line] = []
    blocks: list[WrittenCardBlock] = []


class RosterColumn(StrictModel):
    """A column of key values on the roster."""

    label: Line
    title: Line
    value: Derivation
    where: AttributeFilter = {}


class Cards(StrictModel):
    """The whole of `cards.yaml`.

    On a roster units fill columns, and leaders have their values beside their names.
    """

    cards: list[CardLayout] = Field(min_length=1)
    roster: list[RosterColumn] = []
    leaders: list[ValueRow] = []
