"""Pydantic models of a table file, one for each kind, before its cells are parsed."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from muster.yamlfile import Flag, Id, Line, Prose, SourceLines, StrictModel

OnlyFor = dict[Id, list[Line]]
FormName = Line
RawCell = Any
"""A cell before it is typed: text, `{text: …}`, or a value per scale."""


class WrittenColumn(StrictModel):
    """A named column."""

    id: Id
    label: Line
    form: FormName | None = None
    only_for: OnlyFor | None = Field(default=None, alias="for")


class WrittenRow(StrictModel):
    """A row of a grid, found by its id."""

    id: Id
    label: Line
    group: Line = ""
    cells: list[RawCell]
    only_for: OnlyFor | None = Field(default=None, alias="for")


class BandedRow(StrictModel):
    """A row of a look-up or of results, found by its band or by its id."""

    id: Id | None = None
    label: Line | None = None
    band: Line | None = None
    group: Line = ""
    cells: list[RawCell]
    only_for: OnlyFor | None = Field(default=None, alias="for")


class ModifierRow(StrictModel):
    """A condition and the number that it adds."""

    id: Id
    label: Line
    value: RawCell
    group: Line = ""
    only_for: OnlyFor | None = Field(default=None, alias="for")


class DefinitionRow(StrictModel):
    """A term with its meaning, its value, or both."""

    id: Id
    label: Line
    text: Prose | None = None
    short: Prose = ""
    value: RawCell = None
    form: FormName | None = None
    group: Line = ""
    only_for: OnlyFor | None = Field(default=None, alias="for")


class Step(StrictModel):
    """A step and the steps within it."""

    id: Id
    label: Line
    text: Prose | None = None
    short: Prose = ""
    who: Line | None = None
    phase: Id | None = None
    steps: list[Step] = []
    only_for: OnlyFor | None = Field(default=None, alias="for")


class LabelledBand(StrictModel):
    """A band with a printed label of its own."""

    band: Line
    label: Line


class Down(StrictModel):
    """The axis that runs down a table."""

    id: Id
    title: Line
    step: Literal["whole", "continuous"] = "whole"
    dice: Line = ""
    gaps: Line = ""


class Across(Down):
    """The axis that runs across a look-up, with its bands."""

    bands: list[Line | LabelledBand] = Field(min_length=1)


class WrittenTable(StrictModel):
    """The keys that every kind of table has."""

    id: Id
    title: Line
    chapter: Id
    source: SourceLines = ""
    phase: Id | None = None
    remark: Line = ""
    notes: list[Prose] = []
    form: FormName = "text"
    only_for: OnlyFor | None = Field(default=None, alias="for")
    covers: Line = ""
    per_band: Line | None = Field(default=None, alias="per-band")
    rising: list[Literal["down", "across"]] = []
    falling: list[Literal["down", "across"]] = []


class WrittenGrid(WrittenTable):
    """A cell for each row and column, such as troop types by terrain."""

    kind: Literal["grid"]
    columns: list[WrittenColumn] = Field(min_length=1)
    rows: list[WrittenRow] = Field(min_length=1)


class WrittenLookup(WrittenTable):
    """A look-up: bands or names down, bands or names across."""

    kind: Literal["lookup"]
    down: Down
    across: Across | None = None
    columns: list[WrittenColumn] | None = None
    rows: list[BandedRow] = Field(min_length=1)


class WrittenResults(WrittenTable):
    """Bands of a roll, or situations, with their results in each column."""

    kind: Literal["results"]
    dice: Line = ""
    down: Down | None = None
    columns: list[WrittenColumn] = Field(min_length=1)
    rows: list[BandedRow] = Field(min_length=1)


class WrittenModifiers(WrittenTable):
    """Conditions and the signed numbers that they add."""

    kind: Literal["modifiers"]
    form: FormName = "modifier"
    changes: Line
    good: Literal["high", "low"]
    whose: Line = ""
    rows: list[ModifierRow] = Field(min_length=1)


class WrittenSequence(WrittenTable):
    """Steps in their order."""

    kind: Literal["sequence"]
    steps: list[Step] = Field(min_length=1)


class WrittenDefinitions(WrittenTable):
    """Terms and their meanings."""

    kind: Literal["definitions"]
    glossary: Flag = False
    """Whether the book's glossary has its terms."""
    rows: list[DefinitionRow] = Field(min_length=1)


class WrittenDiagram(WrittenTable):
    """Ranks of figures, the front rank first."""

    kind: Literal["diagram"]
    ranks: list[Line] = Field(min_length=1, max_length=40)
    key: dict[str, Line]
    spacing: Literal["close", "open"] = "close"
    caption: Line = ""


KINDS: dict[str, type[WrittenTable]] = {
    "grid": WrittenGrid,
    "lookup": WrittenLookup,
    "results": WrittenResults,
    "modifiers": WrittenModifiers,
    "sequence": WrittenSequence,
    "definitions": WrittenDefinitions,
    "diagram": WrittenDiagram,
}
