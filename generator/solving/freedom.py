"""Owns what of a node may vary: its numbers, choices and options, as far as a rule asks for them.

Does not make variables (see `skeleton`) and does not choose among them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from generator.armies.books import Profile
from generator.armies.composition import LEADER, Composition, prices, references
from generator.armies.fields import FieldValue, as_text
from generator.armies.roll_call import MOST_ALIKE
from generator.armies.sort import Sort
from generator.armies.vocabulary import (
    AlikeRule,
    AnyConstraint,
    Entry,
    FieldSpec,
    FromField,
    Selector,
    VarietyRule,
)

MOST = 120
"""As far as a number that may vary goes, unless it is beyond that already."""


@dataclass(frozen=True, slots=True)
class Freedom:
    """What of a slot may vary; the rest is as it is given.

    `least` and `most` are how many alike stand there (0: it need not stand). `amounts` are fields
    with a number, each from its least to its most; `choices` are fields with the values that they
    may have (None: the list says nothing); `options` may be taken or not.
    """

    least: int = 0
    most: int = 1
    amounts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    choices: Mapping[str, Sequence[FieldValue | None]] = field(default_factory=dict)
    options: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Names:
    """What rules and prices ask of a node: numbers to sum up, values to compare, options."""

    summed: frozenset[str]
    compared: frozenset[str]
    listed: frozenset[str]
    """Names whose every value is asked for: rows of tables, values that must be alike."""
    wanted: Mapping[str, tuple[str, ...]]
    """What names are compared with: of words that a list may fill in, no others matter."""


def names_of(composition: Composition) -> Names:
    """Find what a composition's rules and prices ask for."""
    written = composition.written
    summed = {entry.size for entry in written.entries if entry.size is not None}
    wanted: dict[str, dict[str, None]] = {}
    listed: set[str] = set()
    for _, term in prices(written):
        _want(wanted, term.where)
        if term.times is not None:
            summed.add(term.times)
        if isinstance(term.each, FromField):
            listed.add(term.each.field)
    for _, reference in references(written):
        named = (reference.row, reference.column)
        listed |= {name.field for name in named if isinstance(name, FromField)}
    for rule in written.constraints:
        for selector in _selectors(rule):
            _want(wanted, selector.where)
        sums = [getattr(rule, key, None) for key in ("sum", "by")]
        sums += [each.sum for each in (rule.when, rule.unless) if each is not None]
        summed |= {name for name in sums if name is not None}
        if isinstance(rule, AlikeRule | VarietyRule):
            listed.add(rule.attribute)
    compared = frozenset({*wanted, *listed})
    words = {name: tuple(values) for name, values in wanted.items()}
    return Names(frozenset(summed), compared, frozenset(listed), words)


def _want(wanted: dict[str, dict[str, None]], where: Mapping[str, Sequence[str]]) -> None:
    for name, values in where.items():
        wanted.setdefault(name, {}).update(dict.fromkeys(values))


def _selectors(rule: AnyConstraint) -> Iterator[Selector]:
    for key in ("of", "part", "whole", "needs", "bars"):
        selector = getattr(rule, key, None)
        if isinstance(selector, Selector):
            yield selector
    for condition in (rule.when, rule.unless):
        if condition is not None:
            yield condition.of


def around(sort: Sort, names: Names, count: int, welcome: Collection[str]) -> Freedom:
    """Open a node that stands in a list: fewer of it, other numbers and values, other options.

    Args:
        sort: What it is.
        names: What rules and prices ask for.
        count: How many stand there.
        welcome: Options that it may be given; its own may be taken away in any case.
    """
    amounts: dict[str, tuple[int, int]] = {}
    choices: dict[str, Sequence[FieldValue | None]] = {}
    bare = Sort(
        sort.composition, sort.level, sort.entry, sort.profile, sort.book, (), {}, sort.parent
    )
    for name, spec in _specs(sort).items():
        value = sort.value(name)
        if spec.form == "whole":
            if _varies(name, names) and isinstance(value, int) and not isinstance(value, bool):
                size = sort.entry is not None and sort.entry.size == name
                amounts[name] = (min(value, int(size)), max(value, MOST))
        elif name in names.compared and spec.form in _CHOOSING:
            unsaid: FieldValue | None = bare.value(name)
            listed: list[FieldValue | None] = list(values_of(spec, name, names))
            if name not in sort.fields:
                # To say what holds anyway is no change.
                listed = [each for each in listed if as_text(each) != as_text(value)]
                listed.insert(0, None)
            elif unsaid is None and not spec.required:
                listed.append(None)
            choices[name] = listed
    given = sort.profile.options if sort.profile is not None else ()
    own = [option.id for option in sort.options if option not in given]
    more = [each for each in sort.composition.options if each in welcome and each not in own]
    return Freedom(0, count, amounts, choices, [*own, *more])


def everything(
    composition: Composition,
    names: Names,
    what: Profile | Entry,
    *,
    most: int = 1,
    near: int = 1,
    far: int = MOST,
) -> Freedom:
    """Open a unit or leader that is not in any list yet: all that rules and prices ask for.

    Args:
        composition: The system's.
        names: What rules and prices ask for.
        what: A profile of a book, or a bare type.
        most: How many may stand there.
        near: From where on its main number may go.
        far: As far as its numbers may go.
    """
    profile = what if isinstance(what, Profile) else None
    entry = what.entry if isinstance(what, Profile) else what
    sort = Sort(composition, entry.level, entry, profile, None, (), {}, None)
    amounts: dict[str, tuple[int, int]] = {}
    choices: dict[str, Sequence[FieldValue | None]] = {}
    for name, spec in _specs(sort).items():
        value = sort.value(name)
        if spec.form == "whole":
            if name == entry.size or spec.required or _varies(name, names):
                amounts[name] = (near if name == entry.size else 0, far)
        elif (name in names.compared or spec.required) and (listed := values_of(spec, name, names)):
            if value is not None:
                rest = [each for each in listed if as_text(each) != as_text(value)]
                choices[name] = [None, *rest]
            else:
                choices[name] = listed if spec.required else [None, *listed]
    return Freedom(0, min(most, MOST_ALIKE), amounts, choices, list(composition.options))


_CHOOSING = ("choice", "flag")


def _varies(name: str, names: Names) -> bool:
    """Tell whether a number may vary: it counts, and no table is read by its every value."""
    return name not in names.listed and (name in names.summed or name in names.compared)


def values_of(spec: FieldSpec, name: str, names: Names) -> list[FieldValue]:
    """List the values of a field that a rule can tell apart; none if it has no few values."""
    match spec.form:
        case "flag":
            return [True, False]
        case "choice":
            return list(spec.of)
        case "line":
            return list(names.wanted.get(name, ()))
    return []


def _specs(sort: Sort) -> Mapping[str, FieldSpec]:
    """Give the fields that a list may fill in for a node."""
    level = sort.composition.levels.get(sort.level) if sort.level != LEADER else None
    return {
        **(level.fields if level is not None else {}),
        **(sort.entry.fields if sort.entry is not None else {}),
    }
