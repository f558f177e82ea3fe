"""Check each kind of constraint: what it counts and when it is violated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from math import ceil, floor
from typing import Any, Literal, NamedTuple, Protocol

from muster.armies.army import NodeKind
from muster.armies.fields import (
    AmountRange,
    format_number,
    join_remedies,
    join_words,
    lower_first,
    name_ranges,
    parse_share,
    with_noun,
)
from muster.armies.linear_model import Interval, LinearExpr, LinearModel, LiteralLike, negated
from muster.armies.pricing import resolve_cell
from muster.armies.vocabulary import (
    AlikeRule,
    AttributeReference,
    AvailableRule,
    CountRule,
    Entry,
    ExcludesRule,
    FieldSpec,
    OnlyIfRule,
    RequiresRule,
    Selector,
    ShareRule,
    TableCellReference,
    VarietyRule,
)
from muster.values import BLANK, DASH, Band, Count, Number, Value

Amount = Decimal | int


class Measure(NamedTuple):
    """Something to count in a scope: nodes, the sum of a field, points, or distinct values."""

    what: Literal["number", "sum", "points", "values"]
    of: Selector
    field: str = ""


@dataclass(frozen=True, slots=True)
class Violation:
    """A constraint broken: what is allowed, what there is, and the remedy as reckoned.

    `key` is the field that is at fault, if it is one.
    """

    allowed: str
    actual: str
    remedy: str
    key: str = ""


class ScopeCounts(NamedTuple):
    """A node, and what was counted in it and below it: one count for each measure.

    A count of values is a mapping from value to how many nodes have it.
    """

    sort: NodeKind
    counts: tuple[Any, ...]

    def number(self, place: int) -> Amount:
        """Give the count of a number, a sum, or points."""
        found: Amount = self.counts[place]
        return found

    def values(self, place: int) -> Mapping[str, int]:
        """Give the count of values, in the order in which they were met."""
        found: Mapping[str, int] = self.counts[place]
        return found


class EncodingContext(Protocol):
    """Where a rule is asked for by a solver: a scope whose counts may still vary.

    Whether the scope is there at all, and whether the rule's switches are on, is seen to by
    whoever asks: a translation states the rule and nothing else.
    """

    @property
    def model(self) -> LinearModel:
        """What variables are made in."""
        ...

    def number(self, measure: int) -> LinearExpr:
        """Give the count of a number, a sum, or points."""
        ...

    def values(self, measure: int) -> Mapping[str, LiteralLike]:
        """Give, for each value that may be met, whether it is."""
        ...

    def meant(self, selector: Selector) -> LiteralLike:
        """Tell whether a selector means the node itself."""
        ...

    def under(self, selector: Selector) -> LiteralLike:
        """Tell whether a selector means the node itself or one that it stands under."""
        ...

    def cells(
        self, references: Sequence[TableCellReference]
    ) -> Iterable[tuple[tuple[LiteralLike, ...], tuple[Value | None, ...]]]:
        """Give what references mean for the node: for each case, when it holds, and the cells.

        A case whose cell does not exist is left out: whoever asks sees to it that it is not
        chosen.
        """
        ...

    def demand(
        self, total: LinearExpr, runs: Sequence[Interval], given: Iterable[LiteralLike] = ()
    ) -> None:
        """State that the rule binds a sum to runs of numbers, where all that is given is so."""
        ...


def nouns_of(sort: NodeKind, selector: Selector) -> tuple[str, str]:
    """Name one and many of what a selector means."""
    composition = sort.composition
    if selector.options:
        titles = [f"“{composition.options[name].title}”" for name in selector.options]
        words = join_words(titles, "or")
        return words, words
    if selector.entry:
        named = [_entry_nouns(composition.entries[name]) for name in selector.entry]
        one, many = (join_words(words, "or") for words in zip(*named, strict=True))
        return one, many
    level = composition.levels.get(selector.level or "")
    if level is not None:
        one, many = lower_first(level.title), (level.key or level.title).replace("-", " ")
    else:
        one, many = (selector.level or "unit"), f"{selector.level or 'unit'}s"
    flags = [name for name, values in selector.where.items() if values == ["true"]]
    if flags:
        spec = composition.spec(flags[0])
        said = lower_first(spec.title) if spec and spec.title else flags[0].replace("-", " ")
        return said, said
    before, after = [], []
    for name, values in selector.where.items():
        spec = composition.spec(name)
        if spec is not None and spec.of:
            after.append(f"with {lower_first(spec.title or name)} {_name_choices(spec, values)}")
        else:
            before.append(join_words([value.replace("-", " ") for value in values], "or"))
    return " ".join([*before, one, *after]), " ".join([*before, many, *after])


def _name_choices(spec: FieldSpec, values: Sequence[str]) -> str:
    """Name choices by their titles; by their ids where a comma in a title would part it."""
    titles = [spec.of.get(value, value) for value in values]
    if any("," in title for title in titles):
        titles = [value.replace("-", " ") for value in values]
    return join_words([lower_first(title) for title in titles], "or")


def _entry_nouns(entry: Entry) -> tuple[str, str]:
    """Name one and many of an entry: as it says itself, else by its title."""
    one = entry.one or lower_first(entry.title)
    return one, entry.many or (one if one.endswith(_PLURAL_ENDINGS) else f"{one}s")


_PLURAL_ENDINGS = ("infantry", "cavalry", "artillery", "s", "militia")


def count_measures(rule: CountRule) -> tuple[Measure, ...]:
    """Say what is counted."""
    if rule.sum is None:
        return (Measure("number", rule.of),)
    return (Measure("sum", rule.of, rule.sum),)


def check_count(rule: CountRule, scope: ScopeCounts) -> Violation | None:
    """Check a count against all bands allowed, the least, the most and the step.

    Ends of bands belong to them. A blank cell says nothing, so nothing is found; a dash says
    that there is no such thing at all.
    """
    number = scope.number(0)
    allowed = _allowed_ranges(rule, scope)
    if allowed is None:
        return None
    step = rule.step or 1
    inside = any(low <= number and (high is None or number <= high) for low, high in allowed)
    # A sum of points need not be whole, unless the rule asks for steps.
    if inside and not (rule.step and number % step):
        return None
    one, many = _counted_nouns(rule, scope)
    key = rule.sum or ""
    if not allowed:
        return Violation("not available", with_noun(number, one, many), "field something else", key)
    text = name_ranges(allowed, one, many)
    if step > 1:
        whole = allowed == [(Decimal(0), None)]
        text = f"a multiple of {step} {many}" if whole else f"{text}, a multiple of {step}"
    return Violation(
        text, with_noun(number, one, many), _nearest_allowed(allowed, number, step, one, many), key
    )


def encode_count(rule: CountRule, place: EncodingContext) -> None:
    """State a count for a solver: its runs, case by case where tables say them, and its step."""
    number = place.number(0)
    least, most = rule.min or 0, rule.max
    named = [each for each in rule.allowed if isinstance(each, TableCellReference)]
    written = [
        Band.parse(each) for each in rule.allowed if not isinstance(each, TableCellReference)
    ]
    open_ended = []
    for when, cells in place.cells(named):
        runs = (
            [(least, most)]
            if not rule.allowed
            else _allowed_intervals([*cells, *written], least, most)
        )
        if runs is None:
            open_ended.append(place.model.all_of(when))
        else:
            place.demand(number, runs, when)
    if rule.step and rule.step > 1:
        # What a cell leaves open is not held to steps either.
        given = [negated(lit) for lit in open_ended]
        place.demand(_remainder(place, number, rule.step), [(0, 0)], given)


def _allowed_intervals(
    allowed: Iterable[Value | None], least: int, most: int | None
) -> list[Interval] | None:
    """Give the runs of several cells, cut to the least and the most; None if one is open."""
    found: list[Interval] = []
    for each in allowed:
        if each is DASH:
            continue
        run = None if each is None or each is BLANK else whole_range_of(each)
        if run is None:
            return None
        low = max(ceil(run[0]), least)
        ends = [end for end in (None if run[1] is None else floor(run[1]), most) if end is not None]
        high = min(ends, default=None)
        if high is None or low <= high:
            found.append((low, high))
    return found


def _remainder(place: EncodingContext, number: LinearExpr, step: int) -> LinearExpr:
    """Give what a division by a step leaves over."""
    scale = number.scale
    low, high = place.model.bounds(number * scale)
    every = step * scale
    times = place.model.new_int("steps", int(low // every), int(high // every))
    rest = place.model.new_int("rest", 0, every - 1)
    place.model.require(number * scale - times * every - rest, [(0, 0)])
    return rest


def _allowed_ranges(rule: CountRule, scope: ScopeCounts) -> list[AmountRange] | None:
    """Give the runs allowed, from the least on; None if a cell leaves it open."""
    least = Decimal(rule.min or 0)
    most = None if rule.max is None else Decimal(rule.max)
    if not rule.allowed:
        return [(least, most)]
    runs: list[AmountRange] = []
    for each in rule.allowed:
        found = (
            resolve_cell(scope.sort, each)
            if isinstance(each, TableCellReference)
            else Band.parse(each)
        )
        if found is DASH:
            continue
        run = None if found is None or found is BLANK else whole_range_of(found)
        if run is None:
            return None
        low, high = max(run[0], least), run[1]
        if most is not None:
            high = most if high is None else min(high, most)
        if high is None or low <= high:
            runs.append((low, high))
    return _merge_ranges(sorted(runs, key=lambda run: run[0]))


def whole_range_of(value: Value) -> AmountRange | None:
    match value:
        case Band():
            low = Decimal(0) if value.low is None else value.low.to_integral_value(ROUND_CEILING)
            high = None if value.high is None else value.high.to_integral_value(ROUND_FLOOR)
            if value.low_open and low == value.low:
                low += 1
            if high is not None and value.high_open and high == value.high:
                high -= 1
            return max(low, Decimal(0)), high
        case Number(amount=amount) | Count(amount=Decimal() as amount):
            return amount, amount
        case Count(amount=Band() as band):
            return whole_range_of(band)
    return None


def _merge_ranges(runs: list[AmountRange]) -> list[AmountRange]:
    """Make one of runs that meet, so that 3-4 and 5-6 read 3–6."""
    joined: list[AmountRange] = []
    for low, high in runs:
        if joined:
            first, last = joined[-1]
            if last is None or low <= last + 1:
                more = None if last is None or high is None else max(last, high)
                joined[-1] = (first, more)
                continue
        joined.append((low, high))
    return joined


def _counted_nouns(rule: CountRule, scope: ScopeCounts) -> tuple[str, str]:
    if rule.one:
        return rule.one, rule.many or rule.one
    if rule.sum is None:
        return nouns_of(scope.sort, rule.of)
    spec = scope.sort.field_spec(rule.sum) or scope.sort.composition.spec(rule.sum)
    noun = lower_first(spec.title or rule.sum) if spec else rule.sum
    return (spec.one or noun, spec.many or noun) if spec else (noun, noun)


def _nearest_allowed(
    allowed: list[AmountRange], number: Amount, step: int, one: str, many: str
) -> str:
    """Name the nearest allowed number below, above, or both."""
    down: Decimal | None = None
    up: Decimal | None = None
    for low, high in allowed:
        top = number if high is None else min(high, Decimal(number))
        top -= top % step
        if low <= top < number:
            down = Decimal(top)
        bottom = max(low, Decimal(number))
        if over := bottom % step:
            bottom += step - over
        if up is None and bottom > number and (high is None or bottom <= high):
            up = bottom
    remove = with_noun(number - down, one, many) if down is not None else ""
    add = with_noun(up - number, one, many) if up is not None else ""
    if remove and add:
        return join_remedies(f"remove {remove} or add {add.split(' ', 1)[0]}")
    return join_remedies(f"remove {remove}" if remove else "", f"add {add}" if add else "")


def share_measures(rule: ShareRule) -> tuple[Measure, ...]:
    """Say what is counted: the part, then the whole."""
    return _share_measure(rule.part, rule.by), _share_measure(rule.whole, rule.by)


def _share_measure(selector: Selector, by: str) -> Measure:
    if by == "number":
        return Measure("number", selector)
    if by == "points":
        return Measure("points", selector)
    return Measure("sum", selector, by)


def check_share(rule: ShareRule, scope: ScopeCounts) -> Violation | None:
    """Check a share; both ends are included, and of nothing there is no share."""
    part, whole = Fraction(scope.number(0)), Fraction(scope.number(1))
    if whole <= 0:
        return None
    found = part / whole
    least = None if rule.min is None else parse_share(rule.min)
    most = None if rule.max is None else parse_share(rule.max)
    if (least is None or found >= least) and (most is None or found <= most):
        return None
    one, many = nouns_of(scope.sort, rule.part)
    if rule.by == "points":
        one, many = f"point of {many}", f"points of {many}"
    elif rule.by != "number":
        spec = scope.sort.composition.spec(rule.by)
        noun = (spec.one or spec.title or rule.by).lower() if spec else rule.by
        plural = (spec.many or spec.title or rule.by).lower() if spec else rule.by
        one, many = f"{noun} of {many}", f"{plural} of {many}"
    if most is not None and found > most:
        away = _round_up((part - most * whole) / (1 - most), rule) if most < 1 else Decimal(0)
        others = _round_up(part / most - whole, rule) if most else Decimal(0)
        more = f"add {format_number(others)} of other kinds" if others else ""
        remedy = join_remedies(f"remove {with_noun(away, one, many)}", more)
        allowed = f"at most {rule.max} {many}" if most else f"no {many}"
        return Violation(allowed, _part_of_whole(part, whole), remedy)
    assert least is not None  # noqa: S101 - one end is broken, and it was not the upper one
    extra = _round_up((least * whole - part) / (1 - least) if least < 1 else whole - part, rule)
    verb = "add" if least < 1 else "exchange others for"
    remedy = join_remedies(f"{verb} {with_noun(extra, one, many)}")
    allowed = f"at least {rule.min} {many}" if least < 1 else f"only {many}"
    return Violation(allowed, _part_of_whole(part, whole), remedy)


def encode_share(rule: ShareRule, place: EncodingContext) -> None:
    """State a share for a solver: the part beside so much of the whole, where there is a whole."""
    part, whole = place.number(0), place.number(1)
    scale = whole.scale
    some = place.model.indicator(whole * scale, [(1, None)])
    if rule.min is not None:
        place.demand(part - whole * parse_share(rule.min), [(0, None)], (some,))
    if rule.max is not None:
        place.demand(part - whole * parse_share(rule.max), [(None, 0)], (some,))


def _round_up(number: Fraction, rule: ShareRule) -> Decimal:
    """Give the least amount that is enough: whole things, but points to the hundredth."""
    step = 100 if rule.by == "points" else 1
    return Decimal(ceil(number * step)) / step


def _part_of_whole(part: Fraction, whole: Fraction) -> str:
    return f"{_format_fraction(part)} of {_format_fraction(whole)}"


def _format_fraction(number: Fraction) -> str:
    """Write an amount that was counted: whole, or points, whose decimals have an end."""
    return format_number(Decimal(number.numerator) / number.denominator)


def alike_measures(rule: AlikeRule) -> tuple[Measure, ...]:
    """Say what is counted."""
    return (Measure("values", rule.of, rule.attribute),)


def variety_measures(rule: VarietyRule) -> tuple[Measure, ...]:
    """Say what is counted."""
    return (Measure("values", rule.of, rule.attribute),)


def check_alike(rule: AlikeRule, scope: ScopeCounts) -> Violation | None:
    """Check that there is one value at most; the remedy moves the fewest."""
    values = scope.values(0)
    if len(values) < 2:  # noqa: PLR2004
        return None
    most = max(values, key=lambda value: values[value])
    others = [value for value in values if value != most]
    number = sum(values[value] for value in others)
    one, many = nouns_of(scope.sort, rule.of)
    what = with_noun(number, f"{_list_values(others)} {one}", f"{_list_values(others)} {many}")
    away = join_remedies(f"move {what} out of this {lower_first(scope.sort.title)}")
    return Violation(f"{many} all alike", _list_values(values), away)


def check_variety(rule: VarietyRule, scope: ScopeCounts) -> Violation | None:
    """Check that there are at most so many values."""
    values = scope.values(0)
    if len(values) <= rule.max:
        return None
    rarest = sorted(values, key=lambda value: values[value])[: len(values) - rule.max]
    allowed = f"{rule.max} different" if rule.max > 1 else "one kind"
    remedy = join_remedies(f"take out all of {_list_values(rarest)}")
    return Violation(f"at most {allowed}", f"{len(values)}: {_list_values(values)}", remedy)


def encode_alike(rule: AlikeRule, place: EncodingContext) -> None:
    """State for a solver that there is one value at most."""
    del rule  # what is counted says all of it
    _require_at_most(1, place)


def encode_variety(rule: VarietyRule, place: EncodingContext) -> None:
    """State for a solver that there are at most so many values."""
    _require_at_most(rule.max, place)


def _require_at_most(most: int, place: EncodingContext) -> None:
    met = LinearExpr.total(LinearExpr.of(lit) for lit in place.values(0).values())
    place.demand(met, [(None, most)])


def _list_values(values: Iterable[str]) -> str:
    return join_words([value.replace("-", " ") for value in values])


def requires_measures(rule: RequiresRule) -> tuple[Measure, ...]:
    """Say what is counted: what needs, then what is needed."""
    return Measure("number", rule.of), Measure("number", rule.needs)


def excludes_measures(rule: ExcludesRule) -> tuple[Measure, ...]:
    """Say what is counted: one, then the other."""
    return Measure("number", rule.of), Measure("number", rule.bars)


def check_requires(rule: RequiresRule, scope: ScopeCounts) -> Violation | None:
    """Check that where one stands, at least one of the other does."""
    if not scope.number(0) or scope.number(1):
        return None
    one, _ = nouns_of(scope.sort, rule.needs)
    _, many = nouns_of(scope.sort, rule.of)
    return Violation(
        f"at least 1 {one}", "none", join_remedies(f"add 1 {one}", f"do without the {many}")
    )


def check_excludes(rule: ExcludesRule, scope: ScopeCounts) -> Violation | None:
    """Check that not both stand here."""
    number, barred = scope.number(0), scope.number(1)
    if not number or not barred:
        return None
    one, many = nouns_of(scope.sort, rule.of)
    other, others = nouns_of(scope.sort, rule.bars)
    if not scope.sort.branch:
        # One node that is both: it is no use to count it.
        return Violation("one of them", "both", join_remedies(f"leave out {one}", other))
    actual = f"{with_noun(number, one, many)} and {with_noun(barred, other, others)}"
    return Violation(
        "one of them", actual, join_remedies(f"take out the {many}", f"take out the {others}")
    )


def encode_requires(rule: RequiresRule, place: EncodingContext) -> None:
    """State for a solver that where one stands, at least one of the other does."""
    del rule  # what is counted says all of it
    there = place.model.indicator(place.number(0), [(1, None)])
    place.demand(place.number(1), [(1, None)], (there,))


def encode_excludes(rule: ExcludesRule, place: EncodingContext) -> None:
    """State for a solver that not both stand here."""
    del rule
    there = place.model.indicator(place.number(0), [(1, None)])
    place.demand(place.number(1), [(None, 0)], (there,))


def check_only_if(rule: OnlyIfRule, sort: NodeKind) -> Violation | None:
    """Check one sort: itself, or something that it stands under, must be what is needed."""
    if not sort.matches(rule.of) or sort.stands_under(rule.needs):
        return None
    meant = rule.of
    if meant.options:
        has = [option.id for option in sort.options if option.id in meant.options]
        meant = meant.model_copy(update={"options": has})
    one, _ = nouns_of(sort, meant)
    needed, _ = nouns_of(sort, rule.needs)
    return Violation(f"only {needed}", lower_first(sort.title), join_remedies(f"leave out {one}"))


def encode_only_if(rule: OnlyIfRule, place: EncodingContext) -> None:
    """State for a solver that who is meant is, or stands under, what is needed."""
    place.demand(LinearExpr.of(place.under(rule.needs)), [(1, 1)], (place.meant(rule.of),))


def check_available(rule: AvailableRule, sort: NodeKind) -> Violation | None:
    """Check one sort: the cell that its values name must not be a dash.

    The value at fault is the one that names the column, or the row where no field names that.

    Raises:
        MusterError: If there is no such cell.
    """
    if not sort.matches(rule.of) or resolve_cell(sort, rule.cell) is not DASH:
        return None
    across = isinstance(rule.cell.column, AttributeReference)
    named = rule.cell.column if across else rule.cell.row
    name = named.field if isinstance(named, AttributeReference) else ""
    spec = sort.field_spec(name) or sort.composition.spec(name)
    titles = spec.of if spec else {}
    allowed = [
        titles.get(each, label)
        for each, label in _available_choices(rule.cell, sort, across=across)
    ]
    rolled = spec is not None and spec.roll is not None
    leave = "leave it out and roll" if rolled and allowed else "leave it out"
    said = join_words(allowed, "or")
    return Violation(
        allowed=said or "none",
        actual=sort.shown(name),
        remedy=join_remedies(
            f"take {'one of ' * (len(allowed) > 1)}{said}" if allowed else "", leave
        ),
        key=name if name in sort.fields else "",
    )


def _available_choices(
    reference: TableCellReference, sort: NodeKind, *, across: bool
) -> list[tuple[str, str]]:
    """List id and label of what the table has in the same row, or in the same column."""
    table = sort.composition.system.table(reference.table)
    choices = table.columns if across else table.rows
    key = "column" if across else "row"
    return [
        (each.id, each.label)
        for each in choices
        if resolve_cell(sort, reference.model_copy(update={key: each.id})) is not DASH
    ]


def encode_available(rule: AvailableRule, place: EncodingContext) -> None:
    """State for a solver that who is meant has none of the values whose cell is a dash."""
    meant = place.meant(rule.of)
    for when, (cell_there,) in place.cells([rule.cell]):
        if cell_there is DASH:
            place.demand(LinearExpr(1), [(0, 0)], (meant, *when))


ScopeCheck = Callable[[Any, ScopeCounts], Violation | None]

MEASURES: Mapping[str, Callable[[Any], tuple[Measure, ...]]] = {
    "count": count_measures,
    "share": share_measures,
    "alike": alike_measures,
    "variety": variety_measures,
    "requires": requires_measures,
    "excludes": excludes_measures,
}
"""What each kind wants to have counted in its scope, in the order in which its check reads it."""

SCOPE_CHECKS: Mapping[str, ScopeCheck] = {
    "count": check_count,
    "share": check_share,
    "alike": check_alike,
    "variety": check_variety,
    "requires": check_requires,
    "excludes": check_excludes,
}
"""The check of each kind that counts."""

NODE_CHECKS: Mapping[str, Callable[[Any, NodeKind], Violation | None]] = {
    "only-if": check_only_if,
    "available": check_available,
}
"""The check of each kind that needs no count and is asked of each sort of node."""

ENCODERS: Mapping[str, Callable[[Any, EncodingContext], None]] = {
    "count": encode_count,
    "share": encode_share,
    "alike": encode_alike,
    "variety": encode_variety,
    "requires": encode_requires,
    "excludes": encode_excludes,
    "only-if": encode_only_if,
    "available": encode_available,
}
"""The translation of each kind, for a solver."""

__all__ = [
    "ENCODERS",
    "MEASURES",
    "NODE_CHECKS",
    "SCOPE_CHECKS",
    "EncodingContext",
    "Measure",
    "ScopeCheck",
    "ScopeCounts",
    "Violation",
]
