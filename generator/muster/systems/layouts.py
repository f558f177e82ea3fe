"""The models of sheet files and `cards.yaml`: what is printed, in which order, and from what.

A value on a card or roster is a `Derivation`: a cell of a table, a field of the unit, or a
calculation with either.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Discriminator, Field, Tag

from muster.systems.identity import Tone
from muster.systems.symbols import check_outline
from muster.tables.references import AttributeFilter, AttributeReference
from muster.values import Number, Percent
from muster.values.quantity import Operation
from muster.yamlfile import Flag, Id, Line, Prose, StrictModel, WholeNumber


def _check_number(text: str) -> str:
    Number.parse(text)
    return text


def _check_share(text: str) -> str:
    Percent.parse(text)
    return text


Share = Annotated[Line, AfterValidator(_check_share)]
"""A percentage, such as `25%`."""

Colour = Annotated[Line, Field(pattern=r"^#[0-9a-f]{6}$")]
"""A colour of print, such as `#7a1f2b`."""

Outline = Annotated[str, AfterValidator(check_outline)]
"""The outline of a symbol in SVG path data, on a square of 100 by 100."""

MOST_KEY_FIGURES = 12
"""How many large figures a layout can have; filters choose the few that one unit shows."""


class TableCell(StrictModel):
    """A cell of a table.

    The row and column may be named by a field of the unit, or by a cell of another table: its
    words, in small letters and joined by hyphens, are then the id.
    """

    table: Id
    row: Line | AttributeReference | TableCell
    column: Line | AttributeReference | TableCell | None = None


class StatedNumber(StrictModel):
    """A plain number that the rules state in words, in no table."""

    number: Annotated[Line, AfterValidator(_check_number)]


class Words(StrictModel):
    """Fixed words."""

    words: Line


class Empty(StrictModel):
    """A box to fill in by hand."""

    box: Line


class Combination(StrictModel):
    """Several parts made into one value; the operation's name is the key of the parts."""

    operation: ClassVar[Operation]

    @property
    def parts(self) -> list[Derivation]:
        """The parts, in the order of the file."""
        parts: list[Derivation] = getattr(self, self.operation)
        return parts


class Product(Combination):
    """All parts multiplied."""

    operation: ClassVar[Operation] = "product"

    product: list[Derivation] = Field(min_length=2)


class Sum(Combination):
    """All parts added."""

    operation: ClassVar[Operation] = "sum"

    sum: list[Derivation] = Field(min_length=2)


class Difference(Combination):
    """The first part less the second."""

    operation: ClassVar[Operation] = "less"

    less: list[Derivation] = Field(min_length=2, max_length=2)


class Least(Combination):
    """The smallest of the parts."""

    operation: ClassVar[Operation] = "least"

    least: list[Derivation] = Field(min_length=2)


class ShareOf(StrictModel):
    """A share of a number, rounded up to a whole number."""

    share: Share
    of: Derivation


class RoundedDown(StrictModel):
    """A part rounded down to a whole number, such as one hit for every three figures."""

    down: Derivation


class Joined(StrictModel):
    """Several values in one place, e.g. `6 / 9`."""

    join: list[Derivation] = Field(min_length=2)
    by: str = " / "


_DERIVATIONS: dict[str, type[StrictModel]] = {
    "table": TableCell,
    "field": AttributeReference,
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
    """Return the key that tells which derivation a mapping in a file, or a model, is."""
    keys = written if isinstance(written, dict) else getattr(written, "__dict__", ())
    return next((key for key in _DERIVATIONS if key in keys), None)


Derivation = Annotated[
    Annotated[TableCell, Tag("table")]
    | Annotated[AttributeReference, Tag("field")]
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
        custom_error_message="expected one of " + ", ".join(f"`{key}:`" for key in _DERIVATIONS),
    ),
]
"""How a value on a card or roster is found; which model it is follows from its keys."""


def sub_derivations(derivation: Derivation) -> Iterator[tuple[tuple[str | int, ...], Derivation]]:
    """Yield the derivations that one is directly made of, each with its path in the file."""
    match derivation:
        case Combination(operation=key, parts=parts):
            yield from (((key, place), part) for place, part in enumerate(parts))
        case Joined(join=parts):
            yield from ((("join", place), part) for place, part in enumerate(parts))
        case ShareOf(of=part):
            yield ("of",), part
        case RoundedDown(down=part):
            yield ("down",), part


class Block(StrictModel):
    """A block of a sheet: a table, or several under one head."""

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
    """A side of a sheet: its columns by relative width, its blocks in turn order."""

    title: Line
    columns: list[WholeNumber] = Field(min_length=1, max_length=6)
    blocks: list[Block] = Field(min_length=1)


class WrittenSheet(StrictModel):
    """The contents of `sheets/<sheet>.yaml`."""

    id: Id
    title: Line
    orientation: Literal["portrait", "landscape"] = "landscape"
    sides: list[Side] = Field(min_length=1, max_length=2)


class ValueRow(StrictModel):
    """A row of derived values on a card; a row with column heads above it needs no label."""

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


class LossMark(StrictModel):
    """A mark in one of the loss boxes: the first at which the share is lost.

    `meaning` says beside the boxes what the mark stands for.
    """

    share: Share
    label: Line
    meaning: Line = ""


class Losses(StrictModel):
    """Boxes to tick off: as many as the field `count` says, with marks at shares of it.

    `remark` explains the marks; units that `halved` matches take two ticks a box.
    """

    label: Line
    count: Id
    marks: list[LossMark] = []
    remark: Line = ""
    halved: AttributeFilter = {}


class Tally(StrictModel):
    """A row of boxes to tick off, as many as `boxes` says: for what a unit collects in play."""

    label: Line
    boxes: Annotated[WholeNumber, Field(ge=1, le=20)]


class KeyFigure(StrictModel):
    """A figure that stands large under a card's name: what players ask of the unit most."""

    label: Line
    value: Derivation
    where: AttributeFilter = {}


class SymbolRule(StrictModel):
    """The symbol of all that a filter matches: one of Muster's, or of the system's drawings."""

    symbol: Id
    level: Id | None = None
    where: AttributeFilter = {}


class ColourRule(StrictModel):
    """The colour of cards of all that a filter matches, unless their book has a colour."""

    colour: Colour
    where: AttributeFilter = {}


class CardLayout(StrictModel):
    """The card of one kind of unit or leader."""

    id: Id
    title: Line = ""
    level: Literal["unit", "leader"] | Id = "unit"
    where: AttributeFilter = {}
    figures: list[KeyFigure] = Field(default=[], max_length=MOST_KEY_FIGURES)
    losses: Losses | None = None
    tallies: list[Tally] = []
    boxes: list[Line] = []
    blocks: list[WrittenCardBlock] = []


class RosterColumn(StrictModel):
    """A column of key values on the roster."""

    label: Line
    title: Line
    value: Derivation
    where: AttributeFilter = {}


class Cards(StrictModel):
    """The contents of `cards.yaml`.

    The first of the symbols that matches a unit or leader is its own, and so is the first of the
    colours; `drawings` are outlines of the system's own symbols. On a roster, the values of units
    stand in columns, and those of leaders beside their names.
    """

    cards: list[CardLayout] = Field(min_length=1)
    colours: list[ColourRule] = []
    symbols: list[SymbolRule] = []
    drawings: dict[Id, Outline] = {}
    roster: list[RosterColumn] = []
    leaders: list[ValueRow] = []
