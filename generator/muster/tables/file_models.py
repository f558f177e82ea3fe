"""Pydantic models of a table file, one for each kind, before its cells are parsed."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from muster.limits import MAX_CARD_ITEMS, MAX_DIRECTIONS, MAX_DRAWINGS, MAX_PIECES, MAX_RANKS
from muster.tables.scenes import AnyPiece, ArcAngle, Length, check_signs, check_size
from muster.yamlfile import Flag, Id, Label, Line, Prose, SourceLines, StrictModel, WholeNumber

OnlyFor = dict[Id, list[Line]] | list[dict[Id, list[Line]]]
"""Units or leaders, by their attributes; a list is of alternatives."""

FormName = Line
RawCell = Any
"""A cell before it is typed: text, `{text: …}`, or a value per scale."""


def _check_index_term(text: str) -> str:
    parts = [part.strip() for part in text.split(">")]
    if len(parts) > _INDEX_LEVELS or not all(parts):
        raise ValueError("expected a term, or `term > a term below it`")
    return text


_INDEX_LEVELS = 2

IndexTerm = Annotated[Label, AfterValidator(_check_index_term)]
"""An entry of a book's index: a term, or `term > a term below it`."""


class WrittenNote(StrictModel):
    """Words that do not concern every army: a note, a convention, or a part of a remark."""

    text: Prose
    """The words."""
    only_for: OnlyFor = Field(alias="for")
    """Armies that they concern, as for a column."""


class WrittenConvention(StrictModel):
    """A sentence on how to read some tables, or one that does not concern every army."""

    text: Prose
    """The words."""
    tables: list[Id] = []
    """Tables that it is about: on a printed sheet, it stands at the foot of the sides that have one
    of them. Default: all.
    """
    only_for: OnlyFor | None = Field(default=None, alias="for")
    """Armies that it concerns, as for a column. Default: all."""


class WrittenColumn(StrictModel):
    """A named column."""

    id: Id
    """Id of the column."""
    label: Label
    """Head of the column."""
    form: FormName | None = None
    """Form of its cells. Default: that of the table."""
    only_for: OnlyFor | None = Field(default=None, alias="for")
    """Armies that the column concerns: those with a unit or leader that has one of the values of
    each attribute named, such as `{arm: [cavalry]}`; of several filters in a list it needs to meet
    one: `[{weapon: [pistol]}, {aims: [pistol]}]`. An army's own sheet leaves it out otherwise.
    Default: all.
    """


class WrittenRow(StrictModel):
    """A row of a grid, found by its id."""

    id: Id
    """Id of the row."""
    label: Label
    """Label of the row."""
    group: Label = ""
    """Head of a group of rows; rows of the same group stand together."""
    cells: list[RawCell]
    """Cells, one for each column, each in the form of its column."""
    only_for: OnlyFor | None = Field(default=None, alias="for")
    """Armies that the row concerns, as for a column. Default: all."""


class BandedRow(StrictModel):
    """A row of a look-up or of results, found by its band or by its id."""

    id: Id | None = None
    """Id of the row, where it has no band."""
    label: Label | None = None
    """Label of the row. Default: its band."""
    band: Line | None = None
    """Numbers that the row is for, such as `4-7`, `11+` or `up to -4`."""
    group: Label = ""
    """Head of a group of rows."""
    cells: list[RawCell]
    """Cells, one for each column or band across."""
    only_for: OnlyFor | None = Field(default=None, alias="for")
    """Armies that the row concerns. Default: all."""


class ModifierRow(StrictModel):
    """A condition and the number that it adds."""

    id: Id
    """Id of the row."""
    label: Label
    """Condition in words, such as `In cover`."""
    value: RawCell
    """What it adds, with its sign, such as `+2`."""
    group: Label = ""
    """Head of a group of rows."""
    only_for: OnlyFor | None = Field(default=None, alias="for")
    """Armies that the row concerns. Default: all."""


class DefinitionRow(StrictModel):
    """A term with its meaning, its value, or both."""

    id: Id
    """Id of the term."""
    label: Label
    """The term."""
    text: Prose | None = None
    """Its meaning. Default: none, if it has a value."""
    short: Prose = ""
    """Shorter meaning, for sheets and the glossary."""
    value: RawCell = None
    """Its value, such as `15cm`."""
    form: FormName | None = None
    """Form of the value. Default: that of the table."""
    group: Label = ""
    """Head of a group of terms."""
    only_for: OnlyFor | None = Field(default=None, alias="for")
    """Armies that the term concerns. Default: all."""


class Step(StrictModel):
    """A step and the steps within it."""

    id: Id
    """Id of the step."""
    label: Label
    """Name of the step."""
    text: Prose | None = None
    """What is done."""
    short: Prose = ""
    """Shorter text, for sheets with `short: true`."""
    who: Label | None = None
    """Who does it, such as `Both players`."""
    phase: Id | None = None
    """Id of the phase that it belongs to."""
    steps: list[Step] = []
    """Steps within it."""
    only_for: OnlyFor | None = Field(default=None, alias="for")
    """Armies that the step concerns. Default: all."""


class LabelledBand(StrictModel):
    """A band with a printed label of its own."""

    band: Line
    """The band, such as `2-3`."""
    label: Label
    """Its label as printed."""


class Down(StrictModel):
    """The axis that runs down a table."""

    id: Id
    """Id of the axis, the key of a look-up: `muster lookup SYSTEM TABLE attack-points=12`."""
    title: Label
    """Title of the axis."""
    step: Literal["whole", "continuous"] = "whole"
    """`whole` for whole numbers, `continuous` for lengths and the like: bands then touch at their
    ends. Default: whole.
    """
    dice: Line = ""
    """Dice that are rolled for it, such as `2d6`; its bands must cover every roll."""
    gaps: Label = ""
    """Why bands leave out numbers between them, in words; without it a gap is an error."""


class Across(Down):
    """The axis that runs across a look-up, with its bands."""

    bands: list[Line | LabelledBand] = Field(min_length=1)
    """Bands of the columns, such as `[-1 to 1, 2-3, 11+]`, or `{band: …, label: …}`."""


class WrittenTable(StrictModel):
    """The keys that every kind of table has."""

    id: Id
    """Id of the table; the same as the file's name without `.yaml`."""
    title: Label
    """Title as printed."""
    chapter: Id
    """Id of the chapter that it belongs to."""
    source: SourceLines = ""
    """Lines of the source that it is taken from, such as `L216-234`. Default: none."""
    phase: Id | None = None
    """Id of the phase of the turn in which it is used; it sets the tone. Default: none."""
    remark: Label = ""
    """Remark beside the title, such as `stands in a unit`."""
    notes: list[Prose | WrittenNote] = []
    """Notes below the table that players need in play: texts, or `{text: …, for: …}` for what
    concerns some armies only."""
    book_notes: list[Prose] = Field(default=[], alias="book-notes")
    """Further notes, which the rulebook prints and sheets do not."""
    index: list[IndexTerm] = Field(default=[], max_length=MAX_CARD_ITEMS)
    """Entries of the book's index that lead to the table, such as `[morale, cavalry > morale]`:
    what players have in mind who look for what it says. Default: none.
    """
    form: FormName = "text"
    """Form of its cells, unless a column has another. Default: text."""
    only_for: OnlyFor | None = Field(default=None, alias="for")
    """Armies that the table concerns, as for a column. Default: all."""
    covers: Line = ""
    """Dice of which every roll must be in exactly one band of each row, such as `2d6`."""
    per_band: Line | None = Field(default=None, alias="per-band")
    """Length of one band, such as `5cm`, for rules that count in bands."""
    rising: list[Literal["down", "across"]] = []
    """Axes along which numbers never fall, `down` or `across`; lint checks it."""
    falling: list[Literal["down", "across"]] = []
    """Axes along which numbers never rise; lint checks it."""


class WrittenGrid(WrittenTable):
    """A cell for each row and column, such as troop types by terrain."""

    kind: Literal["grid"]
    """`grid`: a cell for each row and column."""
    columns: list[WrittenColumn] = Field(min_length=1)
    """Columns in order."""
    rows: list[WrittenRow] = Field(min_length=1)
    """Rows in order."""


class WrittenLookup(WrittenTable):
    """A look-up: bands or names down, bands or names across."""

    kind: Literal["lookup"]
    """`lookup`: bands of numbers down, and bands or columns across."""
    down: Down
    """Axis that runs down."""
    across: Across | None = None
    """Axis that runs across, with its bands; else `columns:`."""
    columns: list[WrittenColumn] | None = None
    """Named columns, instead of `across:`."""
    rows: list[BandedRow] = Field(min_length=1)
    """Rows in order of their bands."""


class WrittenResults(WrittenTable):
    """Bands of a roll, or situations, with their results in each column."""

    kind: Literal["results"]
    """`results`: what a roll or a situation leads to."""
    dice: Line = ""
    """Dice that are rolled, such as `d6`; the rows must cover every roll."""
    down: Down | None = None
    """Axis that runs down, if the rows have bands."""
    columns: list[WrittenColumn] = Field(min_length=1)
    """Columns in order."""
    rows: list[BandedRow] = Field(min_length=1)
    """Rows in order."""


class WrittenModifiers(WrittenTable):
    """Conditions and the signed numbers that they add."""

    kind: Literal["modifiers"]
    """`modifiers`: conditions and what they add."""
    form: FormName = "modifier"
    """Form of the values. Default: modifier."""
    changes: Label
    """What the numbers are added to, such as `the hit score`."""
    good: Literal["high", "low"]
    """Whether a `high` or a `low` result is good."""
    whose: Label = ""
    """For whom it is good, such as `the firing unit`."""
    rows: list[ModifierRow] = Field(min_length=1)
    """Conditions in order."""


class WrittenSequence(WrittenTable):
    """Steps in their order."""

    kind: Literal["sequence"]
    """`sequence`: steps in order."""
    steps: list[Step] = Field(min_length=1)
    """The steps."""


class WrittenDefinitions(WrittenTable):
    """Terms and their meanings."""

    kind: Literal["definitions"]
    """`definitions`: terms and their meanings or values."""
    glossary: Flag = False
    """`true` if the rulebook's glossary has its terms. Default: false."""
    rows: list[DefinitionRow] = Field(min_length=1)
    """The terms."""


class WrittenDrawing(StrictModel):
    """One of several drawings side by side; it has `ranks:`, `arc:`, `rose:` or `scene:`."""

    label: Label
    """Words below the drawing, such as `Small arms`."""
    alt: Label | None = None
    """What a scene shows, in words, for readers who cannot see it; every scene has it."""
    ranks: list[Line] = Field(default=[], max_length=MAX_RANKS)
    """Ranks of figures, as in a diagram of its own."""
    spacing: Literal["close", "open"] = "close"
    """`close` or `open` order of the figures. Default: close."""
    arc: ArcAngle | None = None
    """Angle of an arc of fire or sight that opens to the front, from side to side, such as `30°`.
    """
    rose: Annotated[list[Line], AfterValidator(check_signs)] = Field(
        default=[], max_length=MAX_DIRECTIONS
    )
    """Sign of each direction of a rose, at most 3 characters, clockwise from straight ahead, such
    as `[1, 2, 3, 4]`; `blank` is a box to fill in.
    """
    size: (
        Annotated[list[WholeNumber], Field(min_length=2, max_length=2), AfterValidator(check_size)]
        | None
    ) = None
    """Width and height of a scene's canvas in mm, which books may enlarge, such as `[60, 40]`."""
    table: Annotated[list[Length], Field(min_length=2, max_length=2)] | None = None
    """Width and depth of a whole table, such as `[120cm, 90cm]`, as the canvas of a scene instead
    of `size:`; all numbers in the scene are then centimetres or inches on that table. It is drawn
    to scale, with its measures.
    """
    scale: Length | None = None
    """Length that 1 mm of the canvas stands for, such as `1cm`. Each length written at a line, an
    arrow, a measure, a circle or a zone is then checked. Default: not to scale.
    """
    scene: list[AnyPiece] = Field(default=[], max_length=MAX_PIECES)
    """Pieces on a canvas, the lowest first, such as `{kind: unit, at: [20, 10], files: 6}`."""
    only_for: OnlyFor | None = Field(default=None, alias="for")
    """Armies that the drawing concerns, as for a column. Default: all."""

    @model_validator(mode="after")
    def _check_one(self) -> WrittenDrawing:
        forms = (bool(self.ranks), self.arc is not None, bool(self.rose), bool(self.scene))
        if sum(forms) != 1:
            text = "a drawing needs exactly one of `ranks:`, `arc:`, `rose:` and `scene:`"
            raise ValueError(text)
        if not bool(self.scene) == bool(self.alt) == bool(self.size or self.table):
            text = "`scene:`, `alt:` and `size:` or `table:` belong together; a drawing needs all "
            raise ValueError(text + "or none")
        if self.table and (self.size or self.scale):
            raise ValueError("a `table:` has neither `size:` nor `scale:`; leave those out")
        if self.scale and not self.scene:
            raise ValueError("`scale:` is for a `scene:` only; leave it out")
        return self


class WrittenDiagram(WrittenTable):
    """Ranks of figures, the front rank first, or several drawings side by side."""

    kind: Literal["diagram"]
    """`diagram`: figures, arcs and directions as drawn."""
    ranks: list[Line] = Field(default=[], max_length=MAX_RANKS)
    """A line for each rank, the front rank first, with a sign for each figure; blanks separate
    figures, and `.` is a gap: `[F F F, F . F]`. `^`, `v`, `<` and `>` point where they face.
    """
    drawings: list[WrittenDrawing] = Field(default=[], max_length=MAX_DRAWINGS)
    """Several drawings side by side, instead of `ranks:`."""
    key: dict[str, Label] = {}
    """What each sign stands for: `{F: a figure on foot}`."""
    spacing: Literal["close", "open"] = "close"
    """`close` or `open` order of the figures. Default: close."""
    caption: Label = ""
    """Words below the drawing."""

    @model_validator(mode="after")
    def _check_one(self) -> WrittenDiagram:
        if bool(self.ranks) == bool(self.drawings):
            text = "a diagram needs either `ranks:` or `drawings:`"
            raise ValueError(text)
        return self


KINDS: dict[str, type[WrittenTable]] = {
    "grid": WrittenGrid,
    "lookup": WrittenLookup,
    "results": WrittenResults,
    "modifiers": WrittenModifiers,
    "sequence": WrittenSequence,
    "definitions": WrittenDefinitions,
    "diagram": WrittenDiagram,
}
