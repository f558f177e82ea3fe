"""What `composition.yaml` may say: levels, entries, options, prices and constraints."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from muster.tables.references import AttributeFilter, AttributeReference
from muster.yamlfile import Flag, Id, Line, SignedNumber, SourceLines, StrictModel, WholeNumber


class RollModifier(StrictModel):
    """A number added to a roll for nodes that have the attributes."""

    add: SignedNumber
    where: AttributeFilter = {}


class Roll(StrictModel):
    """How `muster raise` finds a value that nobody states: dice, a table, and one way to read it.

    `row`: its cells are bands, and the column whose band holds the total is the value.
    `column`: its cells are bands (or words, in rows that have bands of their own), and the row
    whose band holds it is. `take`: the rows are
    banded, and the cell of this column is. `capped`: beyond the last band counts as the last.
    """

    dice: Line
    table: Id
    row: Line | AttributeReference | None = None
    column: Line | AttributeReference | None = None
    take: Line | AttributeReference | None = None
    plus: list[RollModifier] = Field(default=[], max_length=8)
    capped: Flag = False

    @model_validator(mode="after")
    def _read_one_way(self) -> Roll:
        if sum(way is not None for way in (self.row, self.column, self.take)) != 1:
            text = "a roll is read in just one way: row, column or take"
            raise ValueError(text)
        return self

    @property
    def read_by(self) -> Literal["row", "column", "take"]:
        """Tell which way it is read."""
        if self.row is not None:
            return "row"
        return "column" if self.column is not None else "take"

    @property
    def named(self) -> str | AttributeReference:
        """Give the row or column that it is read by."""
        found = getattr(self, self.read_by)
        assert isinstance(found, str | AttributeReference)  # noqa: S101 - the validator saw to it
        return found


class FieldSpec(StrictModel):
    """A field that a list may fill in for a node.

    `one` and `many` are the nouns to count it by (`stand`, `stands`).
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
    """A cell of a table, its row and column named outright or by a field."""

    table: Id
    row: Line | AttributeReference
    column: Line | AttributeReference | None = None


class PriceTerm(StrictModel):
    """One term of a price: each x (times - less), where the node has the attributes.

    `times` names a field with a number; without it the term counts once. The bracket is
    never under 0.
    """

    each: TableCellReference | AttributeReference
    times: Id | None = None
    less: WholeNumber = 0
    where: AttributeFilter = {}
    label: Line = ""


class Leader(StrictModel):
    """Who stands at a key of a level: one mapping, or a list of them."""

    entry: Id
    many: Flag = False


class Level(StrictModel):
    """A level of command, in the system's own words.

    `key` is the list's key in the file, `under` names the levels that may hold it.
    """

    id: Id
    title: Line
    key: Id | None = None
    under: list[Id] = []
    fields: dict[Id, FieldSpec] = {}
    leaders: dict[Id, Leader] = {}


class Entry(StrictModel):
    """A kind of unit, leader or work. `size` names the field with its main number.

    `one` and `many` are the nouns to count it by, where its title is none (`Grenadiers`).
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
    """Something that a unit may be given."""

    id: Id
    title: Line
    attributes: dict[Id, Line] = {}
    price: list[PriceTerm] = []


class Selector(StrictModel):
    """Which nodes are meant: all that is given must hold, any one of each list will do."""

    level: Id | None = None
    entry: list[Id] = []
    where: AttributeFilter = {}
    options: list[Id] = []

    @model_validator(mode="after")
    def _says_something(self) -> Selector:
        if not (self.level or self.entry or self.where or self.options):
            text = "a selector names at least one of level, entry, where, options"
            raise ValueError(text)
        return self


class Citation(StrictModel):
    """The rule that something rests on: a chapter of the system and lines of the source."""

    chapter: Id
    source: SourceLines


class Condition(StrictModel):
    """A count that switches a constraint on or off.

    `within` is the constraint's own scope or one above it; both ends are included.
    """

    of: Selector
    within: Id | None = None
    sum: Id | None = None
    min: WholeNumber | None = None
    max: WholeNumber | None = None


class Constraint(StrictModel):
    """What all kinds have in common.

    `id` is the code of the finding and never changes. An inferred rule (`stated: false`) gives
    a warning. `remedy` is added to the remedy that is worked out; `cure` takes its place.
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


class CountRule(Constraint):
    """So many in each scope: nodes by their `count:`, or the sum of a field of theirs."""

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
    def _bounded(self) -> CountRule:
        if not self.allowed and self.min is None and self.max is None and not self.step:
            text = "a count needs one of allowed, min, max, step (of 1 or more)"
            raise ValueError(text)
        return self


class ShareRule(Constraint):
    """So large a part of a whole, by number, by a field, or by points; ends included."""

    kind: Literal["share"]
    part: Selector
    whole: Selector
    by: Id = "number"
    min: Line | None = None
    max: Line | None = None

    @model_validator(mode="after")
    def _bounded(self) -> ShareRule:
        if self.min is None and self.max is None:
            text = "a share needs min or max, such as 1/4 or 25%"
            raise ValueError(text)
        return self


class AlikeRule(Constraint):
    """All that are meant have one and the same value of an attribute."""

    kind: Literal["alike"]
    of: Selector
    attribute: Id


class VarietyRule(Constraint):
    """At most `max` different values of an attribute."""

    kind: Literal["variety"]
    of: Selector
    attribute: Id
    max: WholeNumber


class RequiresRule(Constraint):
    """Where one stands, another must."""

    kind: Literal["requires"]
    of: Selector
    needs: Selector


class ExcludesRule(Constraint):
    """Two things that may not stand together."""

    kind: Literal["excludes"]
    of: Selector
    bars: Selector


class OnlyIfRule(Constraint):
    """Only for a node that is, or stands under, something of the sort named."""

    kind: Literal["only-if"]
    of: Selector
    needs: Selector


class AvailableRule(Constraint):
    """Only what a table has for a node: the cell that its own values name must not be a dash."""

    kind: Literal["available"]
    of: Selector
    cell: TableCellReference


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
"""One constraint of the closed vocabulary."""


class WrittenComposition(StrictModel):
    """The whole of `composition.yaml`. `pricing` cites the rule that prices rest on."""

    pricing: Citation | None = None
    levels: list[Level] = Field(min_length=2)
    profile: dict[Id, FieldSpec] = {}
    entries: list[Entry] = Field(min_length=1)
    options: list[Option] = []
    constraints: list[AnyConstraint] = []
