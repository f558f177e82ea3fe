"""Check each kind of constraint: what it counts and when it is violated.

The checks stand in the table `CHECKS`. What they count is added up by `verdict`, which calls them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from math import ceil
from typing import Any, Literal, NamedTuple

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
from muster.armies.pricing import resolve_cell
from muster.armies.vocabulary import (
    AlikeRule,
    AvailableRule,
    Condition,
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
from muster.tables.references import AttributeReference
from muster.values import BLANK, DASH, Band, Count, Number, Value

Amount = Decimal | int


class Measure(NamedTuple):
    """Something to count in a scope.

    `number` counts the nodes that the selector `of` matches, `sum` adds up a field of theirs,
    `points` adds up their known prices, and `values` counts how often each value of a field occurs.
    """

    what: Literal["number", "sum", "points", "values"]
    of: Selector
    field: str = ""


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken constraint: what is allowed, what there is, and the remedy that follows from both.

    `key` is the field at fault, empty if it is none.
    """

    allowed: str
    actual: str
    remedy: str
    key: str = ""


class ScopeCounts(NamedTuple):
    """The kind of a node, and what was counted in the node and below it, for each measure.

    A count of values is a mapping from value to how many nodes have it.
    """

    kind: NodeKind
    counts: tuple[Any, ...]

    def number(self, index: int) -> Amount:
        """Return the count of a number, a sum, or points."""
        count: Amount = self.counts[index]
        return count

    def values(self, index: int) -> Mapping[str, int]:
        """Return the count of values, in the order in which they were met."""
        count: Mapping[str, int] = self.counts[index]
        return count


def condition_measure(condition: Condition) -> Measure:
    """Return what the condition of a constraint counts."""
    if condition.sum is not None:
        return Measure("sum", condition.of, condition.sum)
    return Measure("number", condition.of)


def nouns_of(kind: NodeKind, selector: Selector) -> tuple[str, str]:
    """Return the singular and the plural noun of what a selector matches."""
    composition = kind.composition
    if selector.options:
        titles = [f"“{composition.options[name].title}”" for name in selector.options]
        words = join_words(titles, "or")
        return words, words
    if selector.entry:
        nouns = [_entry_nouns(composition.entries[name]) for name in selector.entry]
        one, many = (join_words(words, "or") for words in zip(*nouns, strict=True))
        return one, many
    level = composition.levels.get(selector.level or "")
    if level is not None:
        one, many = lower_first(level.title), (level.key or level.title).replace("-", " ")
    else:
        one, many = (selector.level or "unit"), f"{selector.level or 'unit'}s"
    flags = [name for name, values in selector.where.items() if values == ["true"]]
    if flags:
        spec = composition.spec(flags[0])
        noun = lower_first(spec.title) if spec and spec.title else flags[0].replace("-", " ")
        return noun, noun
    before, after = [], []
    for name, values in selector.where.items():
        spec = composition.spec(name)
        if spec is not None and spec.of:
            after.append(f"with {lower_first(spec.title or name)} {_name_choices(spec, values)}")
        else:
            before.append(join_words([value.replace("-", " ") for value in values], "or"))
    return " ".join([*before, one, *after]), " ".join([*before, many, *after])


def _name_choices(spec: FieldSpec, values: Sequence[str]) -> str:
    """Join the titles of choices; their ids if a comma in a title would make the list unclear."""
    titles = [spec.of.get(value, value) for value in values]
    if any("," in title for title in titles):
        titles = [value.replace("-", " ") for value in values]
    return join_words([lower_first(title) for title in titles], "or")


def _entry_nouns(entry: Entry) -> tuple[str, str]:
    """Return the singular and the plural of an entry: its own nouns, else made of its title."""
    one = entry.one or lower_first(entry.title)
    return one, entry.many or (one if one.endswith(_PLURAL_ENDINGS) else f"{one}s")


_PLURAL_ENDINGS = ("infantry", "cavalry", "artillery", "s", "militia")


def count_measures(rule: CountRule) -> tuple[Measure, ...]:
    """Return the measure of a count."""
    if rule.sum is None:
        return (Measure("number", rule.of),)
    return (Measure("sum", rule.of, rule.sum),)


def check_count(rule: CountRule, scope: ScopeCounts) -> Violation | None:
    """Check that a count lies in one of the ranges allowed and is a multiple of the step.

    Both ends of a range belong to it. A blank cell leaves the count open, so that nothing is
    found; a dash means that nothing is allowed.
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


def _allowed_ranges(rule: CountRule, scope: ScopeCounts) -> list[AmountRange] | None:
    """Return the ranges allowed, the lowest first; None if a cell leaves the count open."""
    least = Decimal(rule.min or 0)
    most = None if rule.max is None else Decimal(rule.max)
    if not rule.allowed:
        return [(least, most)]
    ranges: list[AmountRange] = []
    for allowed in rule.allowed:
        value = (
            resolve_cell(scope.kind, allowed)
            if isinstance(allowed, TableCellReference)
            else Band.parse(allowed)
        )
        if value is DASH:
            continue
        whole = None if value is None or value is BLANK else whole_range_of(value)
        if whole is None:
            return None
        low, high = max(whole[0], least), whole[1]
        if most is not None:
            high = most if high is None else min(high, most)
        if high is None or low <= high:
            ranges.append((low, high))
    return _merge_ranges(sorted(ranges, key=lambda it: it[0]))


def whole_range_of(value: Value) -> AmountRange | None:
    """Return the least and the greatest whole number of a cell, both included; None for words.

    The ends of a band are rounded inwards, and none is below 0. An end of None is open. The
    amount of a number or a count is returned as it is.
    """
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


def _merge_ranges(ranges: list[AmountRange]) -> list[AmountRange]:
    """Merge sorted ranges that touch or overlap, so that 3–4 and 5–6 read 3–6."""
    merged: list[AmountRange] = []
    for low, high in ranges:
        if merged:
            first, last = merged[-1]
            if last is None or low <= last + 1:
                end = None if last is None or high is None else max(last, high)
                merged[-1] = (first, end)
                continue
        merged.append((low, high))
    return merged


def _counted_nouns(rule: CountRule, scope: ScopeCounts) -> tuple[str, str]:
    if rule.one:
        return rule.one, rule.many or rule.one
    if rule.sum is None:
        return nouns_of(scope.kind, rule.of)
    spec = scope.kind.field_spec(rule.sum) or scope.kind.composition.spec(rule.sum)
    noun = lower_first(spec.title or rule.sum) if spec else rule.sum
    return (spec.one or noun, spec.many or noun) if spec else (noun, noun)


def _nearest_allowed(
    allowed: list[AmountRange], number: Amount, step: int, one: str, many: str
) -> str:
    """Return the remedy that leads to the nearest allowed number below, above, or both."""
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
    """Return the measures of a share: the part, then the whole."""
    return _share_measure(rule.part, rule.by), _share_measure(rule.whole, rule.by)


def _share_measure(selector: Selector, by: str) -> Measure:
    if by == "number":
        return Measure("number", selector)
    if by == "points":
        return Measure("points", selector)
    return Measure("sum", selector, by)


def check_share(rule: ShareRule, scope: ScopeCounts) -> Violation | None:
    """Check that a share lies between its least and its most, both included.

    Where the whole is 0, there is no share and nothing is found.
    """
    part, whole = Fraction(scope.number(0)), Fraction(scope.number(1))
    if whole <= 0:
        return None
    share = part / whole
    least = None if rule.min is None else parse_share(rule.min)
    most = None if rule.max is None else parse_share(rule.max)
    if (least is None or share >= least) and (most is None or share <= most):
        return None
    one, many = nouns_of(scope.kind, rule.part)
    if rule.by == "points":
        one, many = f"point of {many}", f"points of {many}"
    elif rule.by != "number":
        spec = scope.kind.composition.spec(rule.by)
        noun = (spec.one or spec.title or rule.by).lower() if spec else rule.by
        plural = (spec.many or spec.title or rule.by).lower() if spec else rule.by
        one, many = f"{noun} of {many}", f"{plural} of {many}"
    if most is not None and share > most:
        away = _round_up((part - most * whole) / (1 - most), rule) if most < 1 else Decimal(0)
        others = _round_up(part / most - whole, rule) if most else Decimal(0)
        more = f"add {format_number(others)} of other kinds" if others else ""
        remedy = join_remedies(f"remove {with_noun(away, one, many)}", more)
        allowed = f"at most {rule.max} {many}" if most else f"no {many}"
        return Violation(allowed, _part_of_whole(part, whole), remedy)
    assert least is not None  # noqa: S101 - one end is broken, and it is not the upper one
    extra = _round_up((least * whole - part) / (1 - least) if least < 1 else whole - part, rule)
    verb = "add" if least < 1 else "replace others by"
    remedy = join_remedies(f"{verb} {with_noun(extra, one, many)}")
    allowed = f"at least {rule.min} {many}" if least < 1 else f"only {many}"
    return Violation(allowed, _part_of_whole(part, whole), remedy)


def _round_up(number: Fraction, rule: ShareRule) -> Decimal:
    """Return the least amount that is enough: whole things, or points to the hundredth."""
    step = 100 if rule.by == "points" else 1
    return Decimal(ceil(number * step)) / step


def _part_of_whole(part: Fraction, whole: Fraction) -> str:
    return f"{_format_fraction(part)} of {_format_fraction(whole)}"


def _format_fraction(number: Fraction) -> str:
    """Return an amount that was counted as text. Points always have finitely many decimals."""
    return format_number(Decimal(number.numerator) / number.denominator)


def values_measures(rule: AlikeRule | VarietyRule) -> tuple[Measure, ...]:
    """Return the measure of a constraint on the values of an attribute."""
    return (Measure("values", rule.of, rule.attribute),)


def check_alike(rule: AlikeRule, scope: ScopeCounts) -> Violation | None:
    """Check that at most one value occurs. The remedy moves as few nodes as possible."""
    values = scope.values(0)
    if len(values) < 2:  # noqa: PLR2004
        return None
    commonest = max(values, key=lambda value: values[value])
    others = [value for value in values if value != commonest]
    number = sum(values[value] for value in others)
    one, many = nouns_of(scope.kind, rule.of)
    what = with_noun(number, f"{_list_values(others)} {one}", f"{_list_values(others)} {many}")
    away = join_remedies(f"move {what} out of this {lower_first(scope.kind.title)}")
    return Violation(f"{many} all alike", _list_values(values), away)


def check_variety(rule: VarietyRule, scope: ScopeCounts) -> Violation | None:
    """Check that at most `max` different values occur. The remedy takes out the rarest."""
    values = scope.values(0)
    if len(values) <= rule.max:
        return None
    rarest = sorted(values, key=lambda value: values[value])[: len(values) - rule.max]
    allowed = f"{rule.max} different" if rule.max > 1 else "one kind"
    remedy = join_remedies(f"remove all of {_list_values(rarest)}")
    return Violation(f"at most {allowed}", f"{len(values)}: {_list_values(values)}", remedy)


def _list_values(values: Iterable[str]) -> str:
    return join_words([value.replace("-", " ") for value in values])


def requires_measures(rule: RequiresRule) -> tuple[Measure, ...]:
    """Return the measures of a requirement: what needs, then what is needed."""
    return Measure("number", rule.of), Measure("number", rule.needs)


def excludes_measures(rule: ExcludesRule) -> tuple[Measure, ...]:
    """Return the measures of an exclusion: the nodes of `of`, then those of `bars`."""
    return Measure("number", rule.of), Measure("number", rule.bars)


def check_requires(rule: RequiresRule, scope: ScopeCounts) -> Violation | None:
    """Check that a scope with nodes that match `of` also has one that matches `needs`."""
    if not scope.number(0) or scope.number(1):
        return None
    one, _ = nouns_of(scope.kind, rule.needs)
    _, many = nouns_of(scope.kind, rule.of)
    return Violation(
        f"at least 1 {one}", "none", join_remedies(f"add 1 {one}", f"remove the {many}")
    )


def check_excludes(rule: ExcludesRule, scope: ScopeCounts) -> Violation | None:
    """Check that a scope does not have both nodes that match `of` and nodes that match `bars`."""
    number, barred = scope.number(0), scope.number(1)
    if not number or not barred:
        return None
    one, many = nouns_of(scope.kind, rule.of)
    other, others = nouns_of(scope.kind, rule.bars)
    if not scope.kind.is_branch:
        # The scope is a single node that matches both, so that a count would say nothing.
        return Violation("one of them", "both", join_remedies(f"remove {one}", other))
    actual = f"{with_noun(number, one, many)} and {with_noun(barred, other, others)}"
    return Violation(
        "one of them", actual, join_remedies(f"remove the {many}", f"remove the {others}")
    )


def check_only_if(rule: OnlyIfRule, kind: NodeKind) -> Violation | None:
    """Check that a node kind that matches `of` matches `needs` or stands under one that does."""
    if not kind.matches(rule.of) or kind.stands_under(rule.needs):
        return None
    selector = rule.of
    if selector.options:
        taken = [option.id for option in kind.options if option.id in selector.options]
        selector = selector.model_copy(update={"options": taken})
    one, _ = nouns_of(kind, selector)
    needed, _ = nouns_of(kind, rule.needs)
    return Violation(f"only {needed}", lower_first(kind.title), join_remedies(f"remove {one}"))


def check_available(rule: AvailableRule, kind: NodeKind) -> Violation | None:
    """Check that the cell that the values of a node kind name is not a dash.

    The value at fault is the one that names the column, or the row if no field names the column.

    Raises:
        MusterError: If there is no such cell.
    """
    if not kind.matches(rule.of) or resolve_cell(kind, rule.cell) is not DASH:
        return None
    by_column = isinstance(rule.cell.column, AttributeReference)
    reference = rule.cell.column if by_column else rule.cell.row
    name = reference.field if isinstance(reference, AttributeReference) else ""
    spec = kind.field_spec(name) or kind.composition.spec(name)
    titles = spec.of if spec else {}
    allowed = [
        titles.get(id_, label)
        for id_, label in _available_choices(rule.cell, kind, by_column=by_column)
    ]
    rolled = spec is not None and spec.roll is not None
    leave_out = "leave it out and roll" if rolled and allowed else "leave it out"
    choices = join_words(allowed, "or")
    return Violation(
        allowed=choices or "none",
        actual=kind.shown(name),
        remedy=join_remedies(
            f"take {'one of ' * (len(allowed) > 1)}{choices}" if allowed else "", leave_out
        ),
        key=name if name in kind.fields else "",
    )


def _available_choices(
    reference: TableCellReference, kind: NodeKind, *, by_column: bool
) -> list[tuple[str, str]]:
    """List the id and label of each column (or row) whose cell for a node kind is not a dash."""
    table = kind.composition.system.table(reference.table)
    choices = table.columns if by_column else table.rows
    key = "column" if by_column else "row"
    return [
        (choice.id, choice.label)
        for choice in choices
        if resolve_cell(kind, reference.model_copy(update={key: choice.id})) is not DASH
    ]


@dataclass(frozen=True, slots=True)
class ConstraintCheck:
    """How a kind of constraint is checked.

    A check with `measures` compares the counts of a scope, in the order of the measures. A check
    without measures looks at each node kind by itself.
    """

    check: Callable[[Any, Any], Violation | None]
    measures: Callable[[Any], tuple[Measure, ...]] | None = None


CHECKS: Mapping[str, ConstraintCheck] = {
    "count": ConstraintCheck(check_count, count_measures),
    "share": ConstraintCheck(check_share, share_measures),
    "alike": ConstraintCheck(check_alike, values_measures),
    "variety": ConstraintCheck(check_variety, values_measures),
    "requires": ConstraintCheck(check_requires, requires_measures),
    "excludes": ConstraintCheck(check_excludes, excludes_measures),
    "only-if": ConstraintCheck(check_only_if),
    "available": ConstraintCheck(check_available),
}
"""The check of each kind of constraint."""

__all__ = [
    "CHECKS",
    "ConstraintCheck",
    "Measure",
    "ScopeCounts",
    "Violation",
    "condition_measure",
    "whole_range_of",
]
