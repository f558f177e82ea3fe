"""Check each kind of constraint: what it counts and when it is violated.

The checks stand in the table `CHECKS`. What they count is added up by `verdict`, which calls them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import Any, Literal, NamedTuple

from muster.armies.army import NodeKind
from muster.armies.constraints import (
    BY_OPTIONS,
    AlikeRule,
    AvailableRule,
    Condition,
    CountRule,
    ExcludesRule,
    OnlyIfRule,
    RequiresRule,
    ShareRule,
    VarietyRule,
    fields_of,
)
from muster.armies.fields import (
    Amount,
    format_number,
    in_points,
    join_remedies,
    join_words,
    lower_first,
    name_ranges,
    parse_share,
    upper_first,
    with_article,
    with_noun,
)
from muster.armies.nouns import (
    counted_nouns,
    describe_noun,
    list_values,
    nouns_of,
    nouns_of_share,
    nouns_of_sum,
    quoted_in_list,
    title_of_field,
    title_of_value,
)
from muster.armies.pricing import resolve_cell
from muster.armies.ranges import allowed_ranges, targets_above, targets_below
from muster.armies.vocabulary import Option, Selector, TableCellReference
from muster.languages import marked, quoted, say
from muster.tables.references import AttributeReference
from muster.values import DASH


class Measure(NamedTuple):
    """Something to count in a scope.

    `number` counts the nodes that the selector `of` matches, `sum` adds up some fields of theirs,
    `points` adds up their known prices, and `values` counts how often each value of a field occurs.
    `options` counts the options that nodes have, and `option-points` adds up their known prices: of
    the options that the selector names, or of all. Nodes need none of them to be meant. With `each`
    there is a count for each value of that attribute.
    """

    what: Literal["number", "sum", "points", "values", "options", "option-points"]
    of: Selector
    field: str = ""
    each: str = ""
    summed: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The attribute of which each value has a count; empty if there is one count."""
        return self.field if self.what == "values" else self.each

    @property
    def is_of_options(self) -> bool:
        """Whether options are counted, so that a node is meant whether it has any or not."""
        return self.what in BY_OPTIONS


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken constraint: what is allowed, what there is, and the remedy that follows from both.

    `key` is the field at fault, empty if it is none.
    """

    allowed: str
    actual: str
    remedy: str
    key: str = ""
    takes_stated_remedy: bool = True
    """Whether the remedy that the rule states fits: not if there is too little of something."""


Count = Amount | dict[str, Amount]
"""What was counted: a number, or one for each value of an attribute."""


class ScopeCounts(NamedTuple):
    """The kind of a node, and what was counted in the node and below it, for each measure.

    `limit` is that of the army, if it has one.
    """

    kind: NodeKind
    counts: tuple[Count, ...]
    limit: Decimal | None = None

    def number(self, index: int) -> Amount:
        """Return the count of a number, a sum, or points."""
        count = self.counts[index]
        assert not isinstance(count, dict)  # noqa: S101 - its measure counts no values
        return count

    def values(self, index: int) -> Mapping[str, Amount]:
        """Return the count for each value, in the order in which they were met."""
        count = self.counts[index]
        assert isinstance(count, dict)  # noqa: S101 - its measure counts values
        return count


def condition_measure(condition: Condition) -> Measure:
    """Return what the condition of a constraint counts."""
    return _count_measure(condition)


def _count_measure(count: Condition | CountRule, each: str | None = None) -> Measure:
    if count.sum is not None:
        return Measure("sum", count.of, each=each or "", summed=fields_of(count.sum))
    return Measure(count.by, count.of, each=each or "")


def count_measures(rule: CountRule) -> tuple[Measure, ...]:
    """Return the measure of a count."""
    return (_count_measure(rule, rule.each),)


def check_count(rule: CountRule, scope: ScopeCounts) -> Violation | None:
    """Check that a count lies in one of the ranges allowed and is a multiple of the step.

    Both ends of a range belong to it. A blank cell leaves the count open, so that nothing is
    found; a dash means that nothing is allowed. With `each`, every value that occurs is judged.
    """
    if rule.each is not None:
        return _check_each(rule, scope)
    return _check_number(rule, scope, scope.number(0))


def _check_each(rule: CountRule, scope: ScopeCounts) -> Violation | None:
    """Return one violation for all values of which there are too many or too few."""
    broken = {
        title_of_value(scope.kind, str(rule.each), value): violation
        for value, number in scope.values(0).items()
        if (violation := _check_number(rule, scope, number)) is not None
    }
    if not broken:
        return None
    found = join_words([f"{each.actual} ({title})" for title, each in broken.items()])
    remedies = [
        f"{lower_first(each.remedy.removesuffix('.'))} ({title})" for title, each in broken.items()
    ]
    first = next(iter(broken.values()))
    return Violation(
        say("{number} each", number=first.allowed),
        found,
        join_remedies(join_words(remedies)),
        first.key,
        takes_stated_remedy=all(each.takes_stated_remedy for each in broken.values()),
    )


def _check_number(rule: CountRule, scope: ScopeCounts, number: Amount) -> Violation | None:
    if keeps_count(rule, scope.kind, number, scope.limit):
        return None
    allowed = allowed_ranges(rule, scope.kind, scope.limit) or []
    one, many = counted_nouns(rule, scope.kind)
    actual = with_noun(number, one, many) if number else say("none")
    key = rule.sum if isinstance(rule.sum, str) else ""
    if not allowed:
        return Violation(*_explain_dashes(rule, scope.kind, actual), key)
    text = name_ranges(allowed, one, many)
    if rule.step and rule.step > 1:
        if allowed == [(Decimal(0), None)]:
            text = say("a multiple of {number} {things}", number=rule.step, things=many)
        else:
            text = say("{sizes}, a multiple of {number}", sizes=text, number=rule.step)
    if rule.per is not None and scope.limit is not None:
        text = say("{things} under a limit of {points}", things=text, points=in_points(scope.limit))
    top = allowed[-1][1]
    return Violation(
        text,
        actual,
        count_remedy(rule, scope.kind, number, limit=scope.limit),
        key,
        takes_stated_remedy=top is None or number >= allowed[0][0],
    )


def keeps_count(rule: CountRule, kind: NodeKind, number: Amount, limit: Decimal | None) -> bool:
    """Return whether a number lies in a range that a rule allows and is a multiple of its step.

    A sum of points need not be whole, unless the rule asks for steps.
    """
    allowed = allowed_ranges(rule, kind, limit)
    if allowed is None:
        return True
    inside = any(low <= number and (high is None or number <= high) for low, high in allowed)
    return inside and not (rule.step and number % rule.step)


def _explain_dashes(rule: CountRule, kind: NodeKind, actual: str) -> tuple[str, str, str]:
    """Say what a node of a kind cannot be, by the values that name cells with a dash.

    Returns what is allowed, what there is, and the remedy.
    """
    names: list[str] = [
        key.field
        for cell in rule.allowed
        if isinstance(cell, TableCellReference)
        for key in (cell.row, cell.column)
        if isinstance(key, AttributeReference) and key.field not in {"type", "unit"}
    ]
    what = lower_first(kind.entry.title if kind.entry else kind.title)
    own = [name for name in names if name in kind.field_specs]
    shown = [f"{title_of_field(kind, name)} {quoted_in_list(kind, name)}" for name in own or names]
    if own:
        titles = join_words([title_of_field(kind, name) for name in own], "or")
        none = say("none: there is no {thing} with {values}", thing=what, values=join_words(shown))
        return none, actual, join_remedies(say("change the {field}", field=titles))
    army = with_article(lower_first(kind.composition.top.title))
    message = marked("none: {army} of {values} has no {thing}") if shown else marked("none")
    none = say(message, army=army, values=join_words(shown), thing=what)
    return none, actual, join_remedies(say(_FIELD_ANOTHER))


_FIELD_ANOTHER = marked("field another type of unit instead")


BREAKS_NOTHING, BREAKS_A_WARNING, BREAKS_AN_ERROR = range(3)
"""How bad a number is that a remedy may recommend."""


def count_remedy(
    rule: CountRule,
    kind: NodeKind,
    number: Amount,
    faults_of: Callable[[Decimal], int] = lambda _: BREAKS_NOTHING,
    *,
    limit: Decimal | None,
) -> str:
    """Return the remedy that leads to the nearest allowed number below, above, or both.

    Args:
        rule: The rule that is broken.
        kind: The kind of the node in which it counts.
        number: What was counted.
        faults_of: Returns what another number would break: nothing, a rule that only warns, or any
            other. A number that breaks more than another is not recommended.
        limit: The limit of the army, if it has one.
    """
    allowed = allowed_ranges(rule, kind, limit) or []
    one, many = counted_nouns(rule, kind)
    step = rule.step or 1
    best: list[tuple[int, str, Decimal]] = []
    for remedy, targets in (
        (_REMOVE, sorted(targets_below(allowed, number, step), reverse=True)),
        (_ADD, sorted(targets_above(allowed, number, step))),
    ):
        if targets:
            good = (target for target in targets if faults_of(target) < BREAKS_AN_ERROR)
            target = next(good, targets[0])
            best.append((faults_of(target), remedy, abs(target - Decimal(number))))
    least = min((faults for faults, _, _ in best), default=0)
    remedies = [(remedy, amount) for faults, remedy, amount in best if faults == least]
    if rule.by in {"points", "option-points"}:
        return _remedy_in_points(rule, kind, remedies)
    if rule.by == "options":
        remedies = [(_REMEDIES_OF_OPTIONS[remedy], amount) for remedy, amount in remedies]
    first = [say(remedy, things=with_noun(amount, one, many)) for remedy, amount in remedies[:1]]
    second = [say(remedy, things=format_number(amount)) for remedy, amount in remedies[1:]]
    return join_remedies(join_words([*first, *second], "or"))


_REMOVE = marked("remove {things}")
_ADD = marked("add {things}")
_LEAVE_OUT = marked("leave out {things}")
_REMEDIES_OF_OPTIONS = {_REMOVE: _LEAVE_OUT, _ADD: marked("choose {things}")}


def _remedy_in_points(
    rule: CountRule, kind: NodeKind, remedies: Sequence[tuple[str, Decimal]]
) -> str:
    """Return the remedy for too many or too few points: what they are paid for has to change."""
    what = say("options") if rule.by == "option-points" else say("units or options")
    if not kind.is_branch and rule.by == "points":
        what = say("options or figures")
    of_options = _REMEDIES_OF_OPTIONS if rule.by == "option-points" else {_REMOVE: _LEAVE_OUT}
    words = []
    for remedy, amount in remedies:
        worth = say("{things} worth at least {points}", things=what, points=in_points(amount))
        words.append(say(of_options.get(remedy, remedy), things=worth))
    return join_remedies(join_words(words, "or"))


def share_measures(rule: ShareRule) -> tuple[Measure, ...]:
    """Return the measures of a share: the part, then the whole unless it is the limit."""
    part = _share_measure(rule.part, rule.by)
    if rule.whole == "limit":
        return (part,)
    return part, _share_measure(rule.whole, rule.whole_by or rule.by)


def _share_measure(selector: Selector, by: str | list[str]) -> Measure:
    match by:
        case "number" | "points" | "options" | "option-points":
            return Measure(by, selector)
    return Measure("sum", selector, summed=fields_of(by))


def check_share(rule: ShareRule, scope: ScopeCounts) -> Violation | None:
    """Check that a share lies between its least and its most, both included.

    Where the whole is 0, there is no share and nothing is found.
    """
    part = Fraction(scope.number(0))
    whole = Fraction(scope.limit or 0) if rule.whole == "limit" else Fraction(scope.number(1))
    if whole <= 0:
        return None
    share = part / whole
    least = None if rule.min is None else parse_share(rule.min)
    most = None if rule.max is None else parse_share(rule.max)
    if (least is None or share >= least) and (most is None or share <= most):
        return None
    one, many = nouns_of(scope.kind, rule.part)
    if rule.whole == "limit" or rule.whole_by is not None:
        return _explain_ratio(rule, scope.kind, part, whole)
    whole_one, whole_many = nouns_of(scope.kind, rule.whole)
    others_one = say("other {thing}", thing=whole_one)
    others_many = say("other {things}", things=whole_many)
    if rule.by != "number":
        nouns = nouns_of_sum(rule.by, scope.kind)
        one, many = (_sum_of(noun, many) for noun in nouns)
        others_one, others_many = (_sum_of(noun, others_many) for noun in nouns)
        whole_many = nouns[1]
    found = _part_of(part, whole, whole_many)
    if most is not None and share > most:
        away = _round_up((part - most * whole) / (1 - most), rule) if most < 1 else Decimal(0)
        others = _round_up(part / most - whole, rule) if most else Decimal(0)
        more = say(_ADD, things=with_noun(others, others_one, others_many)) if others else ""
        remedy = join_remedies(say(_REMOVE, things=with_noun(away, one, many)), more)
        allowed = say("at most {share} of them", share=rule.max) if most else say("none")
        return Violation(allowed, found, remedy)
    assert least is not None  # noqa: S101 - one end is broken, and it is not the upper one
    extra = _round_up((least * whole - part) / (1 - least) if least < 1 else whole - part, rule)
    if least < 1:
        remedy = join_remedies(say(_ADD, things=with_noun(extra, one, many)))
        return Violation(say("at least {share} of them", share=rule.min), found, remedy)
    replaced = with_noun(extra, others_one, others_many)
    remedy = join_remedies(say("replace {others} with {things}", others=replaced, things=many))
    return Violation(say("only {things}", things=many), found, remedy)


def _sum_of(noun: str, things: str) -> str:
    """Return the noun of a sum with what is summed: `stands of cavalry`."""
    return say("{noun} of {things}", noun=noun, things=things)


def _part_of(part: Fraction, whole: Fraction, things: str) -> str:
    """Return a part and the whole of it: `3 of 8 units`."""
    counted, of_all = _format_fraction(part), _format_fraction(whole)
    return say("{part} of {whole} {things}", part=counted, whole=of_all, things=things)


def _explain_ratio(rule: ShareRule, kind: NodeKind, part: Fraction, whole: Fraction) -> Violation:
    """Explain that there is too much or too little of one thing for the number of another."""
    if rule.whole == "limit":
        return _explain_share_of_limit(rule, part, whole, nouns_of(kind, rule.part)[1])
    one, many = nouns_of_share(rule.part, rule.by, kind)
    other, others = nouns_of_share(rule.whole, rule.whole_by or rule.by, kind)
    found = say(
        "{things} for {others}",
        things=with_noun(Decimal(part.numerator) / part.denominator, one, many),
        others=with_noun(Decimal(whole.numerator) / whole.denominator, other, others),
    )
    most = None if rule.max is None else parse_share(rule.max)
    if most is not None and part > most * whole:
        away = with_noun(_round_up(part - most * whole, rule), one, many)
        extra = with_noun(_round_up(part / most - whole, rule), other, others) if most else ""
        more = say(_ADD, things=extra) if extra else ""
        allowed = say("at most {share} of the {things}", share=rule.max, things=others)
        return Violation(allowed, found, join_remedies(say(_REMOVE, things=away), more))
    least = parse_share(str(rule.min))
    extra = with_noun(_round_up(least * whole - part, rule), one, many)
    allowed = say("at least {share} of the {things}", share=rule.min, things=others)
    return Violation(allowed, found, join_remedies(say(_ADD, things=extra)))


def _explain_share_of_limit(
    rule: ShareRule, part: Fraction, limit: Fraction, many: str
) -> Violation:
    """Explain that a part costs too much or too little of the limit."""
    found = _part_of(part, limit, say("points"))
    most = None if rule.max is None else parse_share(rule.max)
    if most is not None and part > most * limit:
        allowed = say("at most {share} of the limit", share=rule.max)
        remedy, away = _REMOVE, part - most * limit
    else:
        allowed = say("at least {share} of the limit", share=rule.min)
        remedy, away = _ADD, parse_share(str(rule.min)) * limit - part
    nouns = (_sum_of(noun, many) for noun in (say("point"), say("points")))
    points = with_noun(_round_up(away, rule), *nouns)
    return Violation(allowed, found, join_remedies(say(remedy, things=points)))


def _round_up(number: Fraction, rule: ShareRule) -> Decimal:
    """Return the least amount that is enough: whole things, or points to the hundredth."""
    step = 100 if str(rule.by) in {"points", "option-points"} else 1
    return Decimal(ceil(number * step)) / step


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
    named = list_values(scope.kind, rule.attribute, others)
    what = (
        with_noun(number, describe_noun(one, named), describe_noun(many, named))
        if len(others) == 1
        else f"{with_noun(number, one, many)} ({named})"
    )
    command = lower_first(scope.kind.title)
    away = say("move {things} out of this {command}", things=what, command=command)
    found = list_values(scope.kind, rule.attribute, values)
    return Violation(say("only one of these"), found, join_remedies(away))


def check_variety(rule: VarietyRule, scope: ScopeCounts) -> Violation | None:
    """Check that at most `max` different values occur. The remedy takes out the rarest."""
    values = scope.values(0)
    if len(values) <= rule.max:
        return None
    rarest = sorted(values, key=lambda value: values[value])[: len(values) - rule.max]
    _, many = nouns_of(scope.kind, rule.of)
    named = list_values(scope.kind, rule.attribute, rarest)
    what = f"{title_of_field(scope.kind, rule.attribute)} {named}"
    remedy = say("remove the {things} with {value}", things=many, value=what)
    allowed = say("at most {number} of these", number=rule.max)
    found = list_values(scope.kind, rule.attribute, values)
    return Violation(allowed, found, join_remedies(remedy))


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
    needed = with_noun(1, one, one)
    add, remove = say(_ADD, things=needed), say(_REMOVE_THE, things=many)
    return Violation(
        say("at least {things}", things=needed), say("none"), join_remedies(add, remove)
    )


_REMOVE_THE = marked("remove the {things}")


def check_excludes(rule: ExcludesRule, scope: ScopeCounts) -> Violation | None:
    """Check that a scope does not have both nodes that match `of` and nodes that match `bars`."""
    number, barred = scope.number(0), scope.number(1)
    if not number or not barred:
        return None
    one, many = nouns_of(scope.kind, rule.of)
    other, others = nouns_of(scope.kind, rule.bars)
    if not scope.kind.is_branch:
        return _explain_exclusion(rule, scope.kind)
    actual = join_words([with_noun(number, one, many), with_noun(barred, other, others)])
    remedy = join_remedies(
        say(_REMOVE_THE, things=one if number == 1 else many),
        say(_REMOVE_THE, things=other if barred == 1 else others),
    )
    return Violation(say(_EITHER), actual, remedy)


_EITHER = marked("one or the other")


def _explain_exclusion(rule: ExcludesRule, kind: NodeKind) -> Violation:
    """Explain that a single node matches both selectors, so that a count would say nothing."""
    chosen = [_chosen_options(selector, kind) for selector in (rule.of, rule.bars)]
    given = [option.id for option in kind.given_options]
    own = [option for options in chosen for option in options if option.id not in given]
    names = [join_words([quoted(option.title) for option in options]) for options in chosen]
    if all(names):
        actual, allowed = join_words(names), say(_EITHER)
    else:
        actual = names[0] or names[1] or lower_first(kind.title)
        allowed = say("none for {unit}", unit=lower_first(kind.title))
    if own:
        sides = [
            [quoted(option.title) for option in options if option in own] for options in chosen
        ]
        either = join_words([join_words(side) for side in sides if side], "or")
        return Violation(allowed, actual, join_remedies(say(_LEAVE_OUT, things=either)))
    return Violation(allowed, actual, join_remedies(say(_FIELD_ANOTHER)))


def _chosen_options(selector: Selector, kind: NodeKind) -> list[Option]:
    """Return the options of a node kind that a selector names."""
    return [option for option in kind.options if option.id in selector.options]


def check_only_if(rule: OnlyIfRule, kind: NodeKind) -> Violation | None:
    """Check that a node kind that matches `of` matches `needs` or stands under one that does."""
    if not kind.matches(rule.of) or kind.stands_under(rule.needs):
        return None
    chosen = [quoted(option.title) for option in _chosen_options(rule.of, kind)]
    unwanted = join_words(chosen) or say("this {thing}", thing=nouns_of(kind, rule.of)[0])
    actual, allowed = _explain_need(rule.needs, kind)
    return Violation(allowed, actual, join_remedies(say(_LEAVE_OUT, things=unwanted)))


def _explain_need(needs: Selector, kind: NodeKind) -> tuple[str, str]:
    """Say what a node kind is, and what it would have to be."""
    composition = kind.composition
    if needs.entry:
        titles = [lower_first(composition.entries[name].title) for name in needs.entry]
        return lower_first(kind.title), say("only {things}", things=join_words(titles, "or"))
    if needs.options:
        options = nouns_of(kind, needs)[0]
        return lower_first(kind.title), say("only with {things}", things=options)
    for name, values in needs.where.items():
        if kind.text(name) in values:
            continue
        title = title_of_field(kind, name)
        if values == ["true"]:
            flag = quoted(upper_first(title))
            return lower_first(kind.title), say("only with {things}", things=flag)
        spec = kind.field_spec(name) or composition.spec(name)
        words = composition.written.words.get(name, {})
        titles = [(spec.of if spec else words).get(value, value) for value in values]
        commas = any("," in each for each in titles)
        shown = list_values(kind, name, values, "or") if commas else join_words(titles, "or")
        if spec is None and kind.entry is not None and name in kind.entry.attributes:
            # An attribute of types, such as an arm, has no name that players know.
            return lower_first(kind.title), say("only {things}", things=shown)
        found = quoted_in_list(kind, name)
        has = f"{title} {found}" if found else say("no {thing}", thing=title)
        return has, f"{title} {shown}"
    return lower_first(kind.title), say("only {things}", things=nouns_of(kind, needs)[0])


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
    leave_out = say("leave it out")
    if rolled and allowed:
        leave_out = say("leave it out and roll for it")
    if spec is None or spec.required or name not in kind.fields:
        leave_out = "" if allowed else say(_FIELD_ANOTHER)
    choices = join_words(allowed, "or")
    choose = say("choose {things}", things=choices) if allowed else ""
    return Violation(
        allowed=choices or say("none"),
        actual=kind.shown(name),
        remedy=join_remedies(choose, leave_out),
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
    without measures looks at each node kind by itself: at those that the constraint's `of` selects.
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
