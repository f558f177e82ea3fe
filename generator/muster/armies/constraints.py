"""The models of the rules in `composition.yaml`: constraints, grants, and what switches them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from math import ceil
from typing import Annotated, Literal, NamedTuple, get_args

from pydantic import Field, model_validator

from muster.armies.fields import parse_share
from muster.armies.vocabulary import Citation, Selector, TableCellReference
from muster.tables.references import AttributeReference
from muster.values import Band
from muster.yamlfile import Flag, Id, KeyPath, Label, Line, StrictModel, WholeNumber

BOOK_SCOPE = "book"
"""The scope of all nodes of one army book, for `within`."""

CountedBy = Literal["number", "points", "options", "option-points"]
"""What is counted of the nodes that a selector means."""

BY_OPTIONS = frozenset({"options", "option-points"})
"""What is counted of options: a selector then names those that count, not who must have one."""


FieldNames = Id | Annotated[list[Id], Field(min_length=1, max_length=50)]
"""A field with a number, or several that are added up, such as the weapons of a unit."""


def fields_of(named: str | list[str] | None) -> tuple[str, ...]:
    """Return the fields that a key names: one, several, or none."""
    return (named,) if isinstance(named, str) else tuple(named or ())


def _paths_of_fields(key: str, named: str | list[str] | None) -> Iterator[tuple[KeyPath, str]]:
    """Yield each field that a key names, with its path."""
    if isinstance(named, str):
        yield (key,), named
    else:
        yield from (((key, place), name) for place, name in enumerate(named or ()))


def _check_counted_by(by: str, field: str | list[str] | None) -> None:
    if by != "number" and field is not None:
        text = (
            "a count has `sum:` or `by:`, not both: the sum of a field, or one of points, options"
        )
        raise ValueError(text)


class Condition(StrictModel):
    """A count that switches a constraint on (`when`) or off (`unless`).

    What is counted is as in a `count` constraint. `within` is the scope of the constraint or one
    above it. The condition holds from `min` to `max`, both included.
    """

    of: Selector
    """What is counted."""
    within: Id | None = None
    """Scope in which it is counted: the constraint's own or one above. Default: the constraint's
    own.
    """
    sum: FieldNames | None = None
    """Field to add up, such as `stands`, or several. Default: nodes are counted."""
    by: CountedBy = "number"
    """What is counted instead of nodes, as in a `count`. Default: number."""
    min: WholeNumber | None = None
    """Least count at which the condition holds. Default: 0."""
    max: WholeNumber | None = None
    """Greatest count at which it holds; included. Default: no end."""

    @model_validator(mode="after")
    def _require_one_way(self) -> Condition:
        _check_counted_by(self.by, self.sum)
        return self

    def summed_fields(self) -> Iterator[tuple[KeyPath, str]]:
        """Yield the fields that are added up, each with its path in the condition."""
        yield from _paths_of_fields("sum", self.sum)


class LimitCondition(StrictModel):
    """A limit that switches a constraint on (`when`) or off (`unless`): `{limit: 2000+}`.

    It never holds for an army that states no limit.
    """

    limit: Line
    """Band that the army's limit lies in, such as `2000+`, `1000-1999` or `under 1000`."""

    @model_validator(mode="after")
    def _require_a_band(self) -> LimitCondition:
        Band.parse(self.limit)
        return self

    def holds(self, limit: Decimal | None) -> bool:
        """Return whether the condition holds under a limit, or without one."""
        return limit is not None and Band.parse(self.limit).holds(limit)


_MOST_CONDITIONS = 20


class Conditions(StrictModel):
    """Several conditions of which `any` one must hold, or `all`; they may stand within each other.

    `when: {any: [{of: {entry: [general]}, min: 1}, {of: {level: unit}, min: 12}]}` switches a rule
    on for a general as well as for twelve units.
    """

    any: list[AnyCondition] = Field(default=[], max_length=_MOST_CONDITIONS)
    """Conditions of which one must hold at least."""
    all: list[AnyCondition] = Field(default=[], max_length=_MOST_CONDITIONS)
    """Conditions that must hold together, for use within `any:`; a list by itself says the same."""

    @model_validator(mode="after")
    def _require_one_key(self) -> Conditions:
        if bool(self.any) == bool(self.all):
            text = "several conditions need exactly one of `any:` and `all:`, with one or more"
            raise ValueError(text)
        return self

    @property
    def parts(self) -> Sequence[AnyCondition]:
        """The conditions, whether any or all of them must hold."""
        return self.any or self.all

    def written_counts(self) -> Iterator[tuple[KeyPath, Condition]]:
        """Yield every count that they are made of, each with its path in these conditions."""
        key = "any" if self.any else "all"
        yield from _written_counts(self.parts, (key,))


def _written_counts(
    parts: Sequence[AnyCondition], path: KeyPath
) -> Iterator[tuple[KeyPath, Condition]]:
    for index, part in enumerate(parts):
        if isinstance(part, Condition):
            yield (*path, index), part
        elif isinstance(part, Conditions):
            for below, condition in part.written_counts():
                yield (*path, index, *below), condition


AnyCondition = Condition | LimitCondition | Conditions
"""A condition, or several."""

ConditionList = Annotated[list[AnyCondition], Field(min_length=1, max_length=_MOST_CONDITIONS)]
"""Conditions that must hold together."""


class Switched(StrictModel):
    """Something that applies only where other things are counted, or only where they are not."""

    when: AnyCondition | ConditionList | None = None
    """Only where this count holds does it apply; of a list all must hold, of
    `{any: […]}` one. Default: always.
    """
    unless: AnyCondition | ConditionList | None = None
    """Where this count holds, it does not apply; of a list all must hold, of
    `{any: […]}` one. Default: never.
    """

    def switches(self) -> Iterator[tuple[AnyCondition, bool]]:
        """Yield what `when` and `unless` say, each with whether it must hold or must not."""
        for written, expected in ((self.when, True), (self.unless, False)):
            if isinstance(written, list):
                yield Conditions(all=written), expected
            elif written is not None:
                yield written, expected

    def conditions(self) -> Iterator[tuple[KeyPath, Condition]]:
        """Yield the counts that switch it on or off, each with its path in it."""
        for key, written in (("when", self.when), ("unless", self.unless)):
            if isinstance(written, Condition):
                yield (key,), written
            elif isinstance(written, Conditions):
                for below, condition in written.written_counts():
                    yield (key, *below), condition
            elif isinstance(written, list):
                yield from _written_counts(written, (key,))

    def limit_conditions(self) -> Iterator[LimitCondition]:
        """Yield the limits that switch it on or off."""
        waiting = [switch for switch, _ in self.switches()]
        while waiting:
            condition = waiting.pop()
            if isinstance(condition, Conditions):
                waiting += condition.parts
            elif isinstance(condition, LimitCondition):
                yield condition


class Constraint(Switched):
    """The keys that all kinds of constraint have in common.

    `id` is the code of the finding and never changes. `within` is the scope that is looked at.
    A rule that the source does not state (`stated: false`) gives a warning instead of an error.
    `remedy` is added to the remedy that the program works out, for a count with a maximum only
    where there is too much; `cure` replaces it.
    """

    id: Id
    """Code of the finding, such as `one-commander`; it never changes."""
    message: Label
    """The rule as a sentence, which findings print."""
    book_text: Label = Field(default="", alias="book-text")
    """The rule as army books print it for players who write a list; of rules that say the same, one
    is printed. Default: the message.
    """
    rule: Citation
    """Where the rule stands: `{chapter: army, source: L7-9}`."""
    stated: Flag = True
    """`false` if the source does not state the rule in so many words: a warning, not an error.
    Default: true.
    """
    within: Id
    """Scope that is looked at by itself: a level such as `army`, `division` or `unit`, `leader`, or
    `book` for all units of one army book.
    """
    remedy: Label = ""
    """Advice that is added to the one that Muster works out, without a full stop."""
    cure: Label = ""
    """Advice in place of the one that Muster works out, without a full stop."""

    def selectors(self) -> Iterator[tuple[str, Selector]]:
        """Yield the selectors of this kind of constraint, each with its key."""
        for key, value in self:
            if isinstance(value, Selector):
                yield key, value

    @property
    def counts_limit(self) -> bool:
        """Whether the rule itself counts by the army's limit, and is not judged without one."""
        return False

    @property
    def subject(self) -> Selector | None:
        """What the rule is about: a scope that has none keeps it. None if each scope is judged."""
        return next(selector for _, selector in self.selectors())

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

    def summed_fields(self) -> Iterator[tuple[KeyPath, str]]:
        """Yield the fields whose numbers are added up, each with its path in the constraint."""
        yield from ()

    def demanded(self) -> Iterator[Selector]:
        """Yield what an army may need more of: nodes that match these selectors."""
        for path, condition in self.conditions():
            if path[0] == "unless":
                yield condition.of

    def turning_points(self) -> Iterator[TurningPoint]:
        """Yield the counts at which the rule, or a condition of it, begins or ends to hold.

        Points and options are left out: they say nothing of how many nodes there must be.
        """
        for _, condition in self.conditions():
            beyond = 0 if condition.max is None else condition.max + 1
            if condition.by == "number":
                summed = condition.sum is not None
                yield TurningPoint(condition.of, summed, condition.min or 0, beyond)

    def value_errors(self) -> Iterator[ValueFault]:
        """Yield what is wrong with the values of the constraint's own keys.

        These are not Pydantic validators, so that they are reported together with names that
        do not exist.
        """
        yield from ()


class Grant(Switched):
    """Attributes that the state of an army gives to units or leaders: horse is core under a lord.

    They win over those of options, profiles and types, but not over what the list states; of two
    grants the first counts. What a grant looks at may rest on no attribute that a grant gives.
    """

    of: Selector
    """Units or leaders that get the attributes."""
    set: dict[Id, Line] = Field(min_length=1)
    """Attributes that they get, such as `{slot: core}`; none is a field."""
    within: Id
    """Scope in which `when` and `unless` count, such as `army`: that in which the unit stands."""

    @model_validator(mode="after")
    def _require_a_condition(self) -> Grant:
        if self.when is None and self.unless is None:
            text = (
                "a grant needs `when:` or `unless:`; what is always so is an attribute of the type"
            )
            raise ValueError(text)
        return self


class TurningPoint(NamedTuple):
    """A count that a rule looks at: what is counted, the least that is enough, one too many.

    `summed` says whether fields are added up, not nodes counted. `beyond` is 0 without a maximum.
    """

    of: Selector
    summed: bool
    enough: int
    beyond: int


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
    """`count`: how many there may be."""
    of: Selector
    """What is counted in each scope."""
    sum: FieldNames | None = None
    """Field to add up instead of counting nodes, such as `figures`, or several, such as the weapons
    of a group: `[flamers, mortars]`.
    """
    by: CountedBy = "number"
    """What is counted instead of nodes: their `points`; how many `options` they have, of those that
    the selector names, or of all; the points of these (`option-points`). Default: number.
    """
    allowed: list[Line | TableCellReference] = []
    """Bands that the count may lie in, such as `[3-4, "6"]`, or table cells that hold one: `{table:
    unit-sizes, row: {field: type}}`.
    """
    min: WholeNumber | None = None
    """Least count allowed. Default: 0."""
    max: WholeNumber | None = None
    """Greatest count allowed; included. Default: no end."""
    each: Id | None = None
    """Attribute or field of which each value is counted by itself, so that one rule serves many:
    `max: 3` and `each: unit` allow three of every unit, and an attribute of units makes groups.
    What has no value is left out, and a value that does not occur is not judged. Default: all
    together.
    """
    per: WholeNumber | None = None
    """Points of the army's limit for each of which `min` and `max` count once: `max: 2` and
    `per: 1000` allow four at 2500 points, since only full thousands count. Default: they count once
    in all. An army without a limit is not judged.
    """
    begun: Flag = False
    """`true` if begun points count as full with `per:`: six at 2500 points. Default: false."""
    step: WholeNumber | None = None
    """The count must be a multiple of this whole number."""
    one: Label = ""
    """Noun for one of what is counted. Default: made of the selector or the field."""
    many: Label = ""
    """Noun for several. Default: `one:`, or made of the selector."""

    @model_validator(mode="after")
    def _require_a_bound(self) -> CountRule:
        if not self.allowed and self.min is None and self.max is None and not self.step:
            text = (
                "a count needs at least one of `allowed:`, `min:`, `max:` and `step:` (1 or more)"
            )
            raise ValueError(text)
        _check_counted_by(self.by, self.sum)
        if self.per is not None and (not self.per or (self.min is None and self.max is None)):
            text = "`per:` needs 1 or more points, and `min:` or `max:`, such as max: 2, per: 1000"
            raise ValueError(text)
        if self.begun and self.per is None:
            text = "`begun:` needs `per:`, such as per: 1000"
            raise ValueError(text)
        return self

    @property
    def counts_limit(self) -> bool:
        """Whether `min` and `max` depend on the army's limit."""
        return self.per is not None

    @property
    def subject(self) -> Selector | None:
        """What is counted, unless none of it may be too few."""
        may_be_none = self.each is not None or not (self.min or self.allowed)
        return self.of if may_be_none else None

    def bounds(self, limit: Decimal | None) -> tuple[int | None, int | None] | None:
        """Return `min` and `max` under a limit; None if they depend on one and there is none."""
        if self.per is None:
            return self.min, self.max
        if limit is None:
            return None
        times = ceil(limit / self.per) if self.begun else int(limit // self.per)
        least, most = (None if end is None else end * times for end in (self.min, self.max))
        return least, most

    def summed_fields(self) -> Iterator[tuple[KeyPath, str]]:
        """Yield the fields whose sum is counted, if it is not nodes that are counted."""
        yield from _paths_of_fields("sum", self.sum)

    def attribute_names(self) -> Iterator[tuple[str, str]]:
        """Yield the attribute of which each value is counted by itself, if there is one."""
        if self.each is not None:
            yield "each", self.each

    def demanded(self) -> Iterator[Selector]:
        """Yield also the selector of what is counted."""
        yield from super().demanded()
        yield self.of

    def turning_points(self) -> Iterator[TurningPoint]:
        """Yield also the ends of what is allowed; cells of tables are left out."""
        yield from super().turning_points()
        if self.by != "number":
            return
        beyond = 0 if self.max is None else self.max + 1
        summed = self.sum is not None
        yield TurningPoint(self.of, summed, max(self.min or 0, self.step or 0), beyond)
        for allowed in self.allowed:
            if isinstance(allowed, str):
                band = Band.parse(allowed)
                beyond = 0 if band.high is None else int(band.high) + 1
                yield TurningPoint(self.of, summed, ceil(band.low or 0), beyond)

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
    """`share`: how large a part of a whole may be."""
    part: Selector
    """The part."""
    whole: Selector | Literal["limit"]
    """The whole; where it is 0 there is no share to judge. `limit` is the army's limit, for shares
    of points; an army without one is not judged.
    """
    by: FieldNames = "number"
    """What is added up: `number`, `points`, `options`, `option-points`, or a field such as
    `stands`, or several. Default: number.
    """
    whole_by: FieldNames | None = Field(default=None, alias="whole-by")
    """What is added up of the whole, if it is not the same: `by: [flamers, mortars]`, `whole-by:
    figures` and `max: 1/5` allow one such weapon for five figures. Default: as `by:` says.
    """
    min: Line | None = None
    """Least share allowed, such as `1/4` or `25%`; included."""
    max: Line | None = None
    """Greatest share allowed; included."""

    @model_validator(mode="after")
    def _require_a_bound(self) -> ShareRule:
        if self.min is None and self.max is None:
            text = "a share needs `min:` or `max:`, such as min: 1/4 or max: 25%"
            raise ValueError(text)
        if self.whole == "limit" and self.whole_by is not None:
            text = "the limit is in points: leave out `whole-by:`"
            raise ValueError(text)
        if self.whole == "limit" and str(self.by) not in {"points", "option-points"}:
            text = (
                f"read `by: {self.by}`, expected points or option-points, as the limit is in points"
            )
            raise ValueError(text)
        return self

    @property
    def counts_limit(self) -> bool:
        """Whether the whole is the army's limit."""
        return self.whole == "limit"

    @property
    def subject(self) -> Selector | None:
        """The part; if there is a least share of it, the whole."""
        if self.min is None:
            return self.part
        return None if self.whole == "limit" else self.whole

    def summed_fields(self) -> Iterator[tuple[KeyPath, str]]:
        """Yield the fields that the share is of, if it is not one of nodes or points."""
        for key, named in (("by", self.by), ("whole-by", self.whole_by)):
            if not isinstance(named, str) or named not in get_args(CountedBy):
                yield from _paths_of_fields(key, named)

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
    """`alike`: all have the same value."""
    of: Selector
    """Nodes that are compared in each scope."""
    attribute: Id
    """Attribute or field that must be the same, such as `arm`; nodes without a value are left out.
    """

    def attribute_names(self) -> Iterator[tuple[str, str]]:
        """Yield the attribute that must be the same."""
        yield "attribute", self.attribute


class VarietyRule(Constraint):
    """The nodes that are meant have at most `max` different values of an attribute."""

    kind: Literal["variety"]
    """`variety`: not too many different values."""
    of: Selector
    """Nodes that are looked at in each scope."""
    attribute: Id
    """Attribute or field whose different values are counted, such as `nation`."""
    max: WholeNumber
    """Most different values allowed."""

    def attribute_names(self) -> Iterator[tuple[str, str]]:
        """Yield the attribute whose different values are counted."""
        yield "attribute", self.attribute

    def turning_points(self) -> Iterator[TurningPoint]:
        """Yield also how many nodes have one value too many."""
        yield from super().turning_points()
        yield TurningPoint(self.of, summed=False, enough=0, beyond=self.max + 1)


class RequiresRule(Constraint):
    """A scope that has nodes of one sort also has nodes of another."""

    kind: Literal["requires"]
    """`requires`: one thing demands another."""
    of: Selector
    """What demands something, if the scope has any."""
    needs: Selector
    """What the scope must then have at least one of."""

    def demanded(self) -> Iterator[Selector]:
        """Yield also the selector of what is needed."""
        yield from super().demanded()
        yield self.needs


class ExcludesRule(Constraint):
    """A scope does not have nodes of both sorts."""

    kind: Literal["excludes"]
    """`excludes`: not both in one scope."""
    of: Selector
    """The one."""
    bars: Selector
    """The other, which may not stand in the same scope; within `unit`, what one unit may not be at
    once.
    """


class OnlyIfRule(Constraint):
    """The nodes that are meant match `needs` themselves, or stand under a node that does."""

    kind: Literal["only-if"]
    """`only-if`: a node may stand here only under a condition."""
    of: Selector
    """Nodes that the rule is about."""
    needs: Selector
    """What such a node must match itself, or a level that it stands under."""

    def demanded(self) -> Iterator[Selector]:
        """Yield also the selector of what is needed."""
        yield from super().demanded()
        yield self.needs


class AvailableRule(Constraint):
    """A table cell that the values of a node name is not a dash."""

    kind: Literal["available"]
    """`available`: a cell that is not a dash."""
    of: Selector
    """Nodes that the rule is about."""
    cell: TableCellReference
    """Cell named by values of the node, such as `{table: unit-quality, row: {field: class}, column:
    {field: quality}}`; a dash means not available.
    """

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
