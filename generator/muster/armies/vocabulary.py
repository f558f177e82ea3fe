"""The models of what `composition.yaml` says an army is made of: levels, types, options, prices."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from muster.systems.pictures import WrittenPicture
from muster.tables.references import AttributeFilter, AttributeReference
from muster.yamlfile import (
    Flag,
    Id,
    Label,
    Line,
    SignedNumber,
    SourceLines,
    StrictModel,
    WholeNumber,
)

LEADER = "leader"
"""The level of every leader, whatever they lead."""


class RollModifier(StrictModel):
    """A number added to a roll for nodes that match `where`."""

    add: SignedNumber
    """Number to add to the roll, with its sign, such as `+2`."""
    where: AttributeFilter = {}
    """Nodes for which it is added. Default: all."""


class Roll(StrictModel):
    """How `muster raise` rolls a value that a list does not state: dice, a table, and one key.

    With `row`, the cells of that row are bands, and the value is the column whose band holds the
    total. With `column`, the cells of that column are bands (or words, in rows that have bands of
    their own), and the value is the row whose band holds the total. With `take`, the rows have
    bands, and the value is the cell of that column. If the roll is `capped`, a total beyond the
    outermost band counts as that band. `total` names the field in which a list may state the
    total of dice that are thrown already, with all that is added to it.
    """

    dice: Line
    """Dice to roll, such as `2d6`."""
    table: Id
    """Id of the table that the total is read in."""
    row: Line | AttributeReference | None = None
    """Row whose cells are bands: the column whose band holds the total is the value. An id, or
    `{field: class}`.
    """
    column: Line | AttributeReference | None = None
    """Column whose cells are bands: the row whose band holds the total is the value. An id, or
    `{field: …}`.
    """
    take: Line | AttributeReference | None = None
    """Column whose cell is the value, in the row whose band holds the total. An id, or `{field:
    staff}`.
    """
    plus: list[RollModifier] = Field(default=[], max_length=8)
    """Numbers added to the roll, at most eight."""
    capped: Flag = False
    """`true` to count a total beyond the outermost band as that band. Default: false."""
    total: Id | None = None
    """Field that states the total of the dice, such as `roll`. Default: none."""

    @model_validator(mode="after")
    def _require_one_key(self) -> Roll:
        if sum(way is not None for way in (self.row, self.column, self.take)) != 1:
            text = "a roll needs exactly one of `row:`, `column:` and `take:`"
            raise ValueError(text)
        return self

    @property
    def read_by(self) -> Literal["row", "column", "take"]:
        """The key that is given: row, column or take."""
        if self.row is not None:
            return "row"
        return "column" if self.column is not None else "take"

    @property
    def lookup_key(self) -> str | AttributeReference:
        """The row or column of the table that `read_by` names."""
        key = getattr(self, self.read_by)
        assert isinstance(key, str | AttributeReference)  # noqa: S101 - the validator requires it
        return key


class FieldSpec(StrictModel):
    """A field that a list may fill in for a node.

    `form` says how the value is written, and `of` lists the choices of the form `choice`, id ->
    title. `one` and `many` are the nouns to count the value by (`stand`, `stands`).
    """

    form: Line
    """How the value is written: `choice`, `whole`, `flag`, `line`, `points`, or a form of table
    cells such as `distance`.
    """
    title: Label = ""
    """Title as printed, such as `Stands`. Default: the field's id."""
    of: dict[Id, Label] = {}
    """Choices of the form `choice`, id and title: `{raw: Raw, trained: Trained}`. For the form
    `line` these are the values that have a title; a list may write others.
    """
    default: Line | None = None
    """Value that counts where nothing states one. Default: none."""
    required: Flag = False
    """`true` if a list must state the value, unless a book does. Default: false."""
    one: Label = ""
    """Noun to count one by, such as `stand`. Default: the title."""
    many: Label = ""
    """Noun to count several by, such as `stands`. Default: the title."""
    roll: Roll | None = None
    """How `muster raise` rolls a value that a list does not state."""


class TableCellReference(StrictModel):
    """A cell of a table. Its row and column are given by id, or by a field that holds the id."""

    table: Id
    """Id of the table."""
    row: Line | AttributeReference
    """Id of the row, or `{field: type}`: the row whose id is the value of that attribute."""
    column: Line | AttributeReference | None = None
    """Id of the column, or `{field: …}`. Default: the only column of the table."""


class PriceTerm(StrictModel):
    """One term of a price: each × (times - less), for nodes that match `where`.

    `times` names a field that holds a number; without it the term counts once. The difference
    in brackets is never below 0.
    """

    each: TableCellReference | AttributeReference
    """Price of one: a table cell (`{table: points, row: foot}`) or a field (`{field: points}`)."""
    times: Id | None = None
    """Field that says how many are paid for, such as `stands`. Default: the term counts once."""
    less: WholeNumber = 0
    """Whole number that is taken off `times:` first, never below 0. Default: 0."""
    where: AttributeFilter = {}
    """Values that the node must have for the term to count, such as `{officer: [character]}`.
    Default: always.
    """
    label: Label = ""
    """What is paid for, in a verdict's arithmetic, such as `Extra guns`."""


class Leader(StrictModel):
    """The leader that stands at a key of a level: one mapping, or a list of them if `many`."""

    entry: Id
    """Id of the entry of level `leader` that stands here."""
    many: Flag = False
    """`true` if the key takes a list of leaders. Default: false, one leader."""


class Level(StrictModel):
    """A level of command, in the system's own words.

    In an army file, `key` is the key of the list that holds commands or units of this level.
    `under` names the levels that may hold it.
    """

    id: Id
    """Id of the level, such as `division`; constraints name it in `within:`."""
    title: Label
    """Title as printed, such as `Division`."""
    key: Id | None = None
    """Key of the list that holds commands or units of the level in an army file, such as
    `divisions`. The first level, the army, has none.
    """
    many: Label = ""
    """Noun to count several by, such as `divisions`. Default: the key."""
    under: list[Id] = []
    """Ids of the levels that may hold it; all of them stand above it in the file."""
    fields: dict[Id, FieldSpec] = {}
    """Fields that a list may fill in for a command of the level. All nodes below inherit their
    values.
    """
    leaders: dict[Id, Leader] = {}
    """Leaders of a command of the level, by their key in an army file: `{general: {entry:
    general}}`.
    """


class Entry(StrictModel):
    """A type of unit, leader or field work. `size` names the field that holds its main number.

    `one` and `many` are the nouns to count it by, where the title cannot serve (`Grenadiers`).
    """

    id: Id
    """Id of the type, such as `line-infantry`; it is the attribute `type` of its nodes."""
    title: Label
    """Title as printed, such as `Line infantry`."""
    one: Label = ""
    """Noun to count one by, such as `unit of grenadiers`. Default: the title."""
    many: Label = ""
    """Noun to count several by, such as `units of grenadiers`. Default: made of the title."""
    level: Id
    """Id of the level that it stands at: a level without others below it, or `leader`."""
    attributes: dict[Id, Line] = {}
    """What rules, prices and cards ask for, such as `{arm: infantry}`. The list, its options and
    the profile win over them.
    """
    size: Id | None = None
    """Field with its main number, of form `whole`, such as `stands`; a list must state it if
    nothing else does.
    """
    fields: dict[Id, FieldSpec] = {}
    """Fields that a list may fill in for it."""
    price: list[PriceTerm] = []
    """Terms that add up to the price of one. Default: no points are paid for it."""
    picture: WrittenPicture | None = None
    """Picture of the type, for cards, rosters and army books. Default: none."""


class Option(StrictModel):
    """An option that a unit or leader may be given."""

    id: Id
    """Id of the option, such as `high-morale`; `options:` of a list or of a book names it."""
    title: Label
    """Title as printed, such as `High morale`."""
    attributes: dict[Id, Line] = {}
    """Attributes that it sets, such as `{drill: well}`. They win over those of profile, type and
    book, but not over fields that the list states; of two options the first counts.
    """
    price: list[PriceTerm] = []
    """Terms that it adds to the price. Default: it costs nothing."""


class Selector(StrictModel):
    """Which nodes are meant. A node must match every key given, by any one value of each list."""

    level: Id | None = None
    """Level that nodes must be of, such as `unit` or `leader`."""
    entry: list[Id] = []
    """Types of which nodes must be one, such as `[cavalry, artillery]`."""
    where: AttributeFilter = {}
    """Values of attributes or fields that nodes must have, any one of each list, such as `{arm:
    [infantry, cavalry]}`. Every node has `type`, `unit`, `level` and `book`, which hold ids.
    """
    options: list[Id] = []
    """Options of which nodes must have one."""

    @model_validator(mode="after")
    def _require_any_key(self) -> Selector:
        if not (self.level or self.entry or self.where or self.options):
            text = "a selector needs at least one of `level:`, `entry:`, `where:` and `options:`"
            raise ValueError(text)
        return self

    @property
    def is_of_options_alone(self) -> bool:
        """Whether it asks for options and nothing else."""
        return bool(self.options) and not (self.level or self.entry or self.where)


class Citation(StrictModel):
    """The rule behind something: a chapter of the system and the lines of its source, if any."""

    chapter: Id
    """Id of the chapter that the rule stands in."""
    source: SourceLines = ""
    """Lines of the source, such as `L113` or `L7-9, L25`. Default: none."""
