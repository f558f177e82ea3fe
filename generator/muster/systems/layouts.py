"""The models of sheet files and `cards.yaml`: what is printed, in which order, and from what.

A value on a card or roster is a `Derivation`: a cell of a table, a field of the unit, or a
calculation with either.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from muster.limits import MAX_BLOCK_TABLES, MAX_BLOCKS, MAX_CARD_ITEMS
from muster.systems.identity import Tone
from muster.systems.look import Colour, Outline, SymbolShape
from muster.tables import Note
from muster.tables.file_models import WrittenNote
from muster.tables.reading import build_note
from muster.tables.references import AttributeFilter, AttributeReference
from muster.values import Number, Percent
from muster.values.quantity import Operation
from muster.yamlfile import Flag, Id, Label, Line, Prose, StrictModel, WholeNumber


def _check_number(text: str) -> str:
    Number.parse(text)
    return text


def _check_share(text: str) -> str:
    Percent.parse(text)
    return text


Share = Annotated[Line, AfterValidator(_check_share)]
"""A percentage, such as `25%`."""


class TableCell(StrictModel):
    """A cell of a table.

    The row and column may be named by a field of the unit, or by a cell of another table: its
    words, in small letters and joined by hyphens, are then the id.
    """

    table: Id
    """Id of the table."""
    row: Line | AttributeReference | TableCell
    """Id of the row, `{field: …}` for the row that a field of the unit names, or another cell whose
    words are the id.
    """
    column: Line | AttributeReference | TableCell | None = None
    """Id of the column, or a reference as for the row. Default: the only column."""


class StatedNumber(StrictModel):
    """A plain number that the rules state in words, in no table."""

    number: Annotated[Line, AfterValidator(_check_number)]
    """The number, such as `"8"`."""


class Words(StrictModel):
    """Fixed words."""

    words: Label
    """The words, printed as they are."""


class Empty(StrictModel):
    """A box to fill in by hand."""

    box: Line
    """Why the box is empty, such as `not in the source`; the box itself is printed without words.
    """


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
    """Parts that are multiplied, at least two."""


class Sum(Combination):
    """All parts added."""

    operation: ClassVar[Operation] = "sum"

    sum: list[Derivation] = Field(min_length=2)
    """Parts that are added, at least two."""


class Difference(Combination):
    """The first part less the second."""

    operation: ClassVar[Operation] = "less"

    less: list[Derivation] = Field(min_length=2, max_length=2)
    """Two parts: the second is taken off the first."""


class Least(Combination):
    """The smallest of the parts."""

    operation: ClassVar[Operation] = "least"

    least: list[Derivation] = Field(min_length=2)
    """Parts of which the smallest counts, at least two."""


class ShareOf(StrictModel):
    """A share of a number, rounded up to a whole number."""

    share: Share
    """Share, such as `25%`; the result is rounded up."""
    of: Derivation
    """What the share is of."""


class RoundedDown(StrictModel):
    """A part rounded down to a whole number, such as one hit for every three figures."""

    down: Derivation
    """Part that is rounded down to a whole number."""


class Joined(StrictModel):
    """Several values in one place, e.g. `6 / 9`."""

    join: list[Derivation] = Field(min_length=2)
    """Values that stand in one place, at least two; dashes are left out."""
    by: str = " / "
    """What stands between them. Default: a slash between blanks."""
    dashes: Flag = False
    """`true` to print dashes too, where the place of a value tells what it is, such as `– / 10 cm`.
    Default: false.
    """
    result: Flag = False
    """`true` if the last value is what the others come to: cards print it heavier, a little apart.
    Default: false.
    """


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


MAIN_SHARE = 0.4
"""The share of a page's width that the main table of a game has at least."""


class Block(StrictModel):
    """A block of a sheet: a table, or several under one head."""

    table: Id | None = None
    """Id of the table that the block shows. Modifiers stand by their numbers, what helps first."""
    tables: list[Id] = Field(default=[], max_length=MAX_BLOCK_TABLES)
    """Ids of several tables under one head, instead of `table:`."""
    title: Label | None = None
    """Head of the block. Default: the title of its table."""
    remark: Label | list[Label | WrittenNote] | None = None
    """Remark beside the head, or a list of its parts, which semicolons join: texts, or `{text: …,
    for: …}` for what concerns some armies only. Default: that of the table.
    """
    formula: Label = ""
    """Formula of the procedure, at the head of the block, such as `1D6 + Fire − DF`. Default: none.
    """
    joined: Flag = False
    """`true` for tables with the same columns that stand below one head, as one table. Default:
    false.
    """
    rows: list[Line] = []
    """Ids of the rows that are shown, in this order; modifiers stand by their numbers. Default:
    all.
    """
    without: list[Line] = []
    """Ids of rows and columns that are left out. Default: none."""
    labels: dict[Line, Label] = {}
    """Shorter labels of rows, columns and joined tables on the sheet, by their ids: `{range: Up
    to}`. Default: none.
    """
    short: Flag = False
    """`true` to print the `short:` texts of steps and definitions, without the heads of their
    groups. Default: false.
    """
    fold: WholeNumber = 1
    """Number of columns that the rows are spread over. Default: 1."""
    turn: list[Id] = []
    """Ids of the block's tables whose rows become columns."""
    listed: Flag = False
    """`true` to print each row in words, every cell after its column’s head. Default: false."""
    shade: Flag = False
    """`true` to shade cells by their number, as in a kill table. Default: false."""
    notes: Flag = True
    """`false` to leave out the notes of the tables. Default: true."""
    number: Flag = True
    """`false` to leave out the numbers of its tables, where those of a column would not rise.
    Default: true.
    """
    tone: Tone = "neutral"
    """Tone of the head of a block whose table has no phase. Default: neutral."""
    text: Prose | None = None
    """Words of the block, above its tables or without any."""
    main: Flag = False
    """`true` for the main table of the game: larger, and at least 40 % of the page wide, except on
    the sheet of an army that uses one or two of its columns: its classes of rows stand across
    there. Default: false.
    """
    wide: Flag = False
    """`true` for a table of the usual type that is at least 40 % of the page wide, instead of
    `main`. Default: false.
    """
    scale: Id | None = None
    """Id of the scale for which alone the block is printed. Default: any."""
    army: Flag = False
    """`true` for a block of the sheets of armies only, such as the units of 25 nations, of which
    each army needs one; the system's own sheet leaves it out. Default: false.
    """

    @property
    def remark_parts(self) -> list[Note]:
        """The parts of the remark, each with the units that it is for."""
        return _notes_of(self.remark or "")


def _notes_of(written: str | list[str | WrittenNote]) -> list[Note]:
    """Return the parts of a text, each with the units that it is for."""
    return [build_note(each) for each in (written if isinstance(written, list) else [written])]


class Side(StrictModel):
    """A side of a sheet: its columns by relative width, its blocks in turn order."""

    title: Label
    """Title of the side."""
    columns: list[WholeNumber] = Field(min_length=1, max_length=6)
    """Relative widths of its columns, one to six, such as `[9, 12, 10]`."""
    blocks: list[Block] = Field(min_length=1, max_length=MAX_BLOCKS)
    """Blocks in turn order; Muster packs them into the columns."""


class WrittenSheet(StrictModel):
    """The contents of `sheets/<sheet>.yaml`."""

    id: Id
    """Id of the sheet; the same as the file's name without `.yaml`."""
    title: Label
    """Title as printed."""
    orientation: Literal["portrait", "landscape"] = "landscape"
    """`landscape` or `portrait`. Default: landscape."""
    scales: Literal["apart", "together"] = "apart"
    """`apart` for a sheet for each scale of the system, `together` to print all on one sheet.
    Default: apart.
    """
    sides: list[Side] = Field(min_length=1, max_length=2)
    """One side or two."""


class ValueRow(StrictModel):
    """A row of derived values on a card; a row with column heads above it needs no label."""

    label: Label = ""
    """Label of the row. Default: none, below column heads."""
    values: list[Derivation] = Field(min_length=1, max_length=MAX_CARD_ITEMS)
    """Values of the row, one for each head."""
    where: AttributeFilter = {}
    """Units that have the row, by their attributes; `none` is for no value. A command has the
    values that all its units share. Default: all.
    """


class WrittenCardBlock(StrictModel):
    """A block of a card: rows of derived values under optional column heads."""

    title: Label = ""
    """Head of the block."""
    tone: Tone = "neutral"
    """Tone of the head. Default: neutral."""
    colour: Colour | None = None
    """Colour of the head, if what it tells of has one, such as `"#b3261e"` for red cards. Default:
    that of the tone.
    """
    heads: list[Label] = Field(default=[], max_length=MAX_CARD_ITEMS)
    """Heads of its columns."""
    rows: list[ValueRow] = Field(min_length=1, max_length=MAX_CARD_ITEMS)
    """Rows of values."""
    where: AttributeFilter = {}
    """Units that have the block, by their attributes. Default: all."""
    only: Literal["large", "small"] | None = None
    """`large` for a block of large cards, of four to a page and on screens, which have room for
    what is asked less often; small ones of a layout have it only if all of them keep easy type
    with it. `small` for one of the others only. Default: both.
    """
    beside: Label = ""
    """Title of the block before it, if the two stand side by side. Default: it stands below."""


class LossMark(StrictModel):
    """A mark in one of the loss boxes: the first at which the share is lost."""

    share: Share
    """Share of the losses at which the mark stands, such as `50%`."""
    label: Label
    """The mark, such as `2`."""
    meaning: Label | Derivation = ""
    """What the mark stands for, such as `5–6`, as words or looked up; short ones stand in the box,
    others above the boxes. Default: nothing.
    """
    where: AttributeFilter = {}
    """Units that have the mark, by their attributes. Default: all."""


class Losses(StrictModel):
    """Boxes to tick off: as many as the field `count` says, with marks at shares of it."""

    label: Label
    """What is lost, such as `Figures`; a unit’s own number says it with its noun: `12 figures`."""
    count: Id
    """Field that says how many boxes there are, such as `figures`."""
    marks: list[LossMark] = Field(default=[], max_length=MAX_CARD_ITEMS)
    """Marks beside the boxes at which a share is lost."""
    remark: Label | Derivation = ""
    """What explains the marks, printed beside the label, such as `officer dies on`, as words or
    looked up.
    """
    in_boxes: Label = ""
    """What explains them where boxes have room for what they stand for, such as `officer dies on
    1D6 as marked`. Default: the remark.
    """
    to_write: Label | Derivation = ""
    """What explains them where nobody states what they stand for, and players write it in, as
    words or looked up. Default: as in other boxes.
    """
    halved: AttributeFilter = {}
    """Units whose boxes take two ticks each, by their attributes. Default: none."""


class Tally(StrictModel):
    """A row of boxes to tick off for what a unit collects in play, such as kills."""

    label: Label
    """What is collected, such as `Staggers`."""
    boxes: Annotated[WholeNumber, Field(ge=1, le=20)]
    """Number of boxes, 1 to 20."""
    count: Id | None = None
    """Field with the number of boxes of a unit that states one, such as `breaks-at`. Default: none.
    """
    mark: Label = ""
    """Mark in the last of the boxes that the field counts, such as `!`. Default: none."""
    remark: Label = ""
    """What explains that mark, printed beside the label, such as `! breaks`. Default: nothing."""
    shape: Literal["square", "round"] = "square"
    """Shape of the boxes, so that two tallies are told apart: `square` or `round`."""


class CardFact(StrictModel):
    """A value in words that stands beside a card's type and strength."""

    value: Derivation
    """The words, such as a quality; left out where a unit has none."""
    where: AttributeFilter = {}
    """Units that show it, by their attributes. Default: all."""


class KeyFigure(StrictModel):
    """A figure that stands large under a card's name: what players ask of the unit most."""

    label: Label
    """Label below the figure, such as `morale`."""
    value: Derivation
    """The figure."""
    main: Flag = False
    """`true` for a figure that is asked of the unit most: larger, on the colour of its nation.
    Default: false.
    """
    where: AttributeFilter = {}
    """Units that show it, by their attributes. Default: all."""


class SymbolRule(StrictModel):
    """The symbol of all that a filter matches."""

    symbol: Id
    """Symbol of Muster's (`foot`, `fur-cap`, `horse`, `gun`, `skirmisher`, `wagon`, `wing`, `flag`,
    `officer`, `commander`), or one of `drawings`.
    """
    level: Id | None = None
    """Level of what has it, such as `leader`. Default: any."""
    where: AttributeFilter = {}
    """Units and leaders that have it, by their attributes. Default: all."""


class ColourRule(StrictModel):
    """The colour of cards, rosters and army sheets of all that a filter matches.

    A book's own colour goes before it. An army of one nation has that nation's colour.
    """

    colour: Colour
    """Colour, six hexadecimal digits in quotes, such as `"#7a1f2b"`."""
    shape: SymbolShape | None = None
    """Shape of its badge, so that it can be told without colour. Default: none on cards, a square
    elsewhere.
    """
    where: AttributeFilter = {}
    """Units and leaders that have it, by their attributes. Default: all."""


class CardLayout(StrictModel):
    """The card of one kind of unit or leader."""

    id: Id
    """Id of the layout."""
    title: Label = ""
    """Title of the kind of card. Default: none."""
    level: Literal["unit", "leader"] | Id = "unit"
    """Level whose nodes have such a card. Default: unit."""
    where: AttributeFilter = {}
    """Nodes that have it, by their attributes; the first layout that fits counts. Default: all of
    the level.
    """
    facts: list[CardFact] = Field(default=[], max_length=MAX_CARD_ITEMS)
    """Words that stand beside type and strength, such as its quality. Default: none."""
    figures: list[KeyFigure] = Field(default=[], max_length=MAX_CARD_ITEMS)
    """Figures that stand large; filters choose the three to five that a unit shows."""
    losses: Losses | None = None
    """Boxes to tick off."""
    tallies: list[Tally] = Field(default=[], max_length=MAX_CARD_ITEMS)
    """Further rows of boxes to tick off."""
    boxes: list[Label] = Field(default=[], max_length=MAX_CARD_ITEMS)
    """Labels of further boxes, such as `[Order, Cards]`."""
    blocks: list[WrittenCardBlock] = Field(default=[], max_length=MAX_CARD_ITEMS)
    """Blocks of the card, in order."""
    lone: list[WrittenCardBlock] = Field(default=[], max_length=MAX_CARD_ITEMS)
    """Blocks that the card of the only unit of such a command has, for the command has none then;
    a unit in no such command has them, too. One stands in place of the unit's own block of the
    same title. Small cards that tell faults have no room for them. Default: none.
    """

    @model_validator(mode="after")
    def _check_neighbours(self) -> CardLayout:
        before = ""
        for block in self.blocks:
            if block.beside and block.beside != before:
                text = f"`beside: {block.beside}` is not the title of the block before it"
                raise ValueError(text)
            before = block.title
        return self


class RosterColumn(StrictModel):
    """A column of key values on the roster."""

    label: Label
    """Head of the column, short, such as `Mor`."""
    title: Label | list[Label | WrittenNote]
    """What the head stands for, printed below the roster, or a list of its parts, which commas
    join: texts, or `{text: …, for: …}` for what concerns some units only.
    """
    value: Derivation
    """Value of a unit in the column."""
    where: AttributeFilter = {}
    """Units that have the value. Default: all."""
    otherwise: Derivation | None = None
    """Value of the units that `where` leaves out, such as `{box: to roll}`. Default: a dash."""
    short: Flag = False
    """`true` for a value that opponents ask for: short rosters and those for tournaments have it,
    too. Default: false.
    """

    @property
    def title_parts(self) -> list[Note]:
        """The parts of the title, each with the units that it is for."""
        return _notes_of(self.title)


class FactColumn(StrictModel):
    """The column of a value that rosters print beside the names of units."""

    label: Label
    """Head of the column, short, such as `Class`."""
    title: Label
    """What the head stands for, printed below the table."""


class RosterFact(ValueRow):
    """Values beside the name of a unit or leader."""

    only: Literal["play", "rosters"] | None = None
    """`play` for what rosters to play with say, such as how a unit starts; `rosters` for what those
    for tournaments say, too, but no army sheet. Default: all say it.
    """


class UnitFact(RosterFact):
    """Values beside the name of a unit."""

    column: FactColumn | None = None
    """The column that the first value has in the unit tables of army sheets and army books, and in
    the list builder. Default: none, the value stands beside the name there, too.
    """


class Cards(StrictModel):
    """The contents of `cards.yaml`.

    On a roster, the values of units stand in columns, and those of leaders beside their names, as
    does who leads a unit.
    """

    cards: list[CardLayout] = Field(min_length=1)
    """Layouts of cards; at least one."""
    colours: list[ColourRule] = Field(default=[], max_length=MAX_CARD_ITEMS)
    """Colours of what has no book with a colour; the first that matches counts."""
    symbols: list[SymbolRule] = Field(default=[], max_length=MAX_CARD_ITEMS)
    """Symbols of units and leaders; the first that matches counts. Default: none."""
    drawings: dict[Id, Outline] = Field(default={}, max_length=MAX_CARD_ITEMS)
    """Symbols of the system's own: outlines in SVG path data on a square of 100 by 100, filled,
    such as `{lantern: M30 30 H70 L78 84 H22 Z}`.
    """
    roster: list[RosterColumn] = Field(default=[], max_length=MAX_CARD_ITEMS)
    """Columns of values on rosters and in army books."""
    books: list[RosterColumn] = Field(default=[], max_length=MAX_CARD_ITEMS)
    """Columns that only army books have, after those of rosters, such as what cards say of all
    units of a type. Default: none.
    """
    leaders: list[RosterFact] = Field(default=[], max_length=MAX_CARD_ITEMS)
    """Values that rosters and army sheets print beside the names of leaders."""
    units: list[UnitFact] = Field(default=[], max_length=MAX_CARD_ITEMS)
    """Values that rosters and army sheets print beside the names of units, such as who leads them.
    Default: none.
    """

    @property
    def unit_columns(self) -> list[RosterColumn]:
        """The columns of tables of units: what rosters have beside the names, then the roster's."""
        beside = [
            RosterColumn(
                label=fact.column.label,
                title=fact.column.title,
                value=fact.values[0],
                where=fact.where,
            )
            for fact in self.units
            if fact.column
        ]
        return [*beside, *self.roster]
