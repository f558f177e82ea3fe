"""The models of `composition.yaml`: levels, entries, options, prices and constraints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, model_validator

from muster.armies.fields import parse_share
from muster.tables.references import AttributeFilter, AttributeReference
from muster.values import Band
from muster.yamlfile import (
    Flag,
    Id,
    KeyPath,
    Line,
    SignedNumber,
    SourceLines,
    StrictModel,
    WholeNumber,
)

BOOK_SCOPE = "book"
"""The scope of all nodes of one army book, for `within`."""


class RollModifier(StrictModel):
    """A number added to a roll for nodes that match `where`."""

    add: SignedNumber
    where: AttributeFilter = {}


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
    table: Id
    row: Line | AttributeReference | None = None
    column: Line | AttributeReference | None = None
    take: Line | AttributeReference | None = None
    plus: list[RollModifier] = Field(default=[], max_length=8)
    capped: Flag = False
    total: Id | None = None

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
    title: Line = ""
    of: dict[Id, Line] = {}
    default: Line | None = None
    required: Flag = False
    one: Line = ""
    many: Line = ""
    roll: Roll | None = None


class TableCellReference(StrictModel):
    """A cell of a table. Its row and column are given by id, or by a field that holds the id."""

    table: Id
    row: Line | AttributeReference
    column: Line | AttributeReference | None = None


class PriceTerm(StrictModel):
    """One term of a price: each × (times - less), for nodes that match `where`.

    `times` names a field that holds a number; without it the term counts once. The difference
    in brackets is never below 0.
    """

    each: TableCellReference | AttributeReference
    times: Id | None = None
    less: WholeNumber = 0
    where: AttributeFilter = {}
    label: Line = ""


class Leader(StrictModel):
    """The leader that stands at a key of a level: one mapping, or a list of them if `many`."""

    entry: Id
    many: Flag = False


class Level(StrictModel):
    """A level of command, in the system's own words.

    In an army file, `key` is the key of the list that holds commands or units of this level.
    `under` names the levels that may hold it.
    """

    id: Id
    title: Line
    key: Id | None = None
    under: list[Id] = []
    fields: dict[Id, FieldSpec] = {}
    leaders: dict[Id, Leader] = {}


class Entry(StrictModel):
    """A type of unit, leader or field work. `size` names the field that holds its main number.

    `one` and `many` are the nouns to count it by, where the title cannot serve (`Grenadiers`).
    """

    id: Id
    title: Line
    one: Line = ""
    many: Line = ""
    level: Id
    attributes: dict[Id, Line] = {}
    size: Id | None = None
    fields: dict[Id, FieldSpec] = {}
    price: list[PriceTerm] = []


class Option(StrictModel):
    """An option that a unit or leader may be given."""

    id: Id
    title: Line
    attributes: dict[Id, Line] = {}
    price: list[PriceTerm] = []


class Selector(StrictModel):
    """Which nodes are meant. A node must match every key given, by any one value of each list."""

    level: Id | None = None
    entry: list[Id] = []
    where: AttributeFilter = {}
    options: list[Id] = []

    @model_validator(mode="after")
    def _require_any_key(self) -> Selector:
        if not (self.level or self.entry or self.where or self.options):
            text = "a selector needs at least one of `level:`, `entry:`, `where:` and `options:`"
            raise ValueError(text)
        return self


class Citation(StrictModel):
    """The rule behind something: a chapter of the system and the lines of its source, if any."""

    chapter: Id
    source: SourceLines = ""


class Condition(StrictModel):
    """A count that switches a constraint on (`when`) or off (`unless`).

    What is counted is as in a `count` constraint. `within` is the scope of the constraint or one
    above it. The condition holds from `min` to `max`, both included.
    """

    of: Selector
    within: Id | None = None
    sum: Id | None = None
    min: WholeNumber | None = None
    max: WholeNumber | None = None


class Constraint(StrictModel):
    """The keys that all kinds of constraint have in common.

    `id` is the code of the finding and never changes. `within` is the scope that is looked at.
    A rule that the source does not state (`stated: false`) gives a warning instead of an error.
    `remedy` is added to the remedy that the program works out, for a count with a maximum only
    where there is too much; `cure` replaces it.
    """

    id: Id
    message: Line
    rule: Citation
    stated: Flag = True
    within: Id
    when: Condition | None = None
    unless: Condition | None = None
    remedy: Line = ""
    cure: Line = ""

    def selectors(self) -> Iterator[tuple[str, Selector]]:
        """Yield the selectors of this kind of constraint, each with its key."""
        for key, value in self:
            if isinstance(value, Selector):
                yield key, value

    def conditions(self) -> Iterator[tuple[str, Condition]]:
        """Yield the conditions that switch the constraint on or off, each with its key."""
        for key, value in self:
            if isinstance(value, Condition):
                yield key, value

    def cells(self) -> Iterator[tuple[KeyPath, TableCellReference]]:
        """Yield the references to table cells, each with its path in the constraint."""
        for key, value in self:
            if isinstance(value, TableCellReference):
                yield (key,), value
            elif isinstance(value, list):
                for index, item in enumerate(value):
                    if isinstance(item, TableCellReference):
                        yield (key, index), item

    def attribute_names(self) -> Iterator[tuple[str, str]]:
        """Yield the attributes whose values are compared, each with its key."""
        yield from ()

    def summed_fields(self) -> Iterator[tuple[str, str]]:
        """Yield the fields whose numbers are added up, each with its key."""
        yield from ()

    def demanded(self) -> Iterator[Selector]:
        """Yield what an army may need more of: nodes that match these selectors."""
        if self.unless is not None:
            yield self.unless.of

    def value_errors(self) -> Iterator[ValueFault]:
        """Yield what is wrong with the values of the constraint's own keys.

        These are not Pydantic validators, so that they are reported together with names that
        do not exist.
        """
        yield from ()


class ValueFault(NamedTuple):
    """A bad value: its path in the constraint, the code of the problem, and the words."""

    path: KeyPath
    code: str
    text: str


class CountRule(Constraint):
    """How many nodes each scope may have, or how large the sum of one of their fields may be.

    A node with a `count:` counts that many times.
    """

    kind: Literal["count"]
    of: Selector
    sum: Id | None = None
    allowed: list[Line | TableCellReference] = []
    min: WholeNumber | None = None
    max: WholeNumber | None = None
    step: WholeNumber | None = None
    one: Line = ""
    many: Line = ""

    @model_validator(mode="after")
    def _require_a_bound(self) -> CountRule:
        if not self.allowed and self.min is None and self.max is None and not self.step:
            text = (
                "a count needs at least one of `allowed:`, `min:`, `max:` and `step:` (1 or more)"
            )
            raise ValueError(text)
        return self

    def summed_fields(self) -> Iterator[tuple[str, str]]:
        """Yield the field whose sum is counted, if it is not nodes that are counted."""
        if self.sum is not None:
            yield "sum", self.sum

    def demanded(self) -> Iterator[Selector]:
        """Yield also the selector of what is counted."""
        yield from super().demanded()
        yield self.of

    def value_errors(self) -> Iterator[ValueFault]:
        """Yield the allowed values that are not bands."""
        for index, allowed in enumerate(self.allowed):
            if isinstance(allowed, str):
                try:
                    Band.parse(allowed)
                except ValueError as error:
                    yield ValueFault(("allowed", index), "bad-value", str(error))


class ShareRule(Constraint):
    """How large a part of a whole may be, by number, by a field, or by points; ends included."""

    kind: Literal["share"]
    part: Selector
    whole: Selector
    by: Id = "number"
    min: Line | None = None
    max: Line | None = None

    @model_validator(mode="after")
    def _require_a_bound(self) -> ShareRule:
        if self.min is None and self.max is None:
            text = "a share needs `min:` or `max:`, such as min: 1/4 or max: 25%"
            raise ValueError(text)
        return self

    def summed_fields(self) -> Iterator[tuple[str, str]]:
        """Yield the field that the share is of, if it is not one of nodes or points."""
        if self.by not in {"number", "points"}:
            yield "by", self.by

    def demanded(self) -> Iterator[Selector]:
        """Yield also the selector of the part."""
        yield from super().demanded()
        yield self.part

    def value_errors(self) -> Iterator[ValueFault]:
        """Yield the ends that are not shares."""
        for key, text in (("min", self.min), ("max", self.max)):
            if text is not None:
                try:
                    parse_share(text)
                except ValueError as error:
                    yield ValueFault((key,), "bad-value", str(error))


class AlikeRule(Constraint):
    """All nodes that are meant have the same value of an attribute."""

    kind: Literal["alike"]
    of: Selector
    attribute: Id

    def attribute_names(self) -> Iterator[tuple[str, str]]:
        """Yield the attribute that must be the same."""
        yield "attribute", self.attribute


class VarietyRule(Constraint):
    """The nodes that are meant have at most `max` different values of an attribute."""

    kind: Literal["variety"]
    of: Selector
    attribute: Id
    max: WholeNumber

    def attribute_names(self) -> Iterator[tuple[str, str]]:
        """Yield the attribute whose different values are counted."""
        yield "attribute", self.attribute


class RequiresRule(Constraint):
    """A scope that has nodes of one sort also has nodes of another."""

    kind: Literal["requires"]
    of: Selector
    needs: Selector

    def demanded(self) -> Iterator[Selector]:
        """Yield also the selector of what is needed."""
        yield from super().demanded()
        yield self.needs


class ExcludesRule(Constraint):
    """A scope does not have nodes of both sorts."""

    kind: Literal["excludes"]
    of: Selector
    bars: Selector


class OnlyIfRule(Constraint):
    """The nodes that are meant match `needs` themselves, or stand under a node that does."""

    kind: Literal["only-if"]
    of: Selector
    needs: Selector

    def demanded(self) -> Iterator[Selector]:
        """Yield also the selector of what is needed."""
        yield from super().demanded()
        yield self.needs


class AvailableRule(Constraint):
    """A table cell that the values of a node name is not a dash."""

    kind: Literal["available"]
    of: Selector
    cell: TableCellReference

    def value_errors(self) -> Iterator[ValueFault]:
        """Yield a cell that is the same for all nodes."""
        keys = (self.cell.row, self.cell.column)
        if not any(isinstance(key, AttributeReference) for key in keys):
            text = "the cell is the same for all: name its row or column by a field ({field: type})"
            yield ValueFault(("cell",), "fixed-cell", text)


AnyConstraint = Annotated[
    CountRule
    | ShareRule
    | AlikeRule
    | VarietyRule
    | RequiresRule
    | ExcludesRule
    | OnlyIfRule
    | AvailableRule,
    Field(discriminator="kind"),
]
"""A constraint of any kind."""


class WrittenComposition(StrictModel):
    """The whole of `composition.yaml`. `pricing` cites the rule that sets the prices."""

    pricing: Citation | None = None
    levels: list[Level] = Field(min_length=2)
    profile: dict[Id, FieldSpec] = {}
    entries: list[Entry] = Field(min_length=1)
    options: list[Option] = []
    constraints: list[AnyConstraint] = []
