"""Which values the fields and options of a node may take, and which units may join."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from muster.armies.army import NodeKind
from muster.armies.army_file import MAX_COUNT
from muster.armies.books import Profile
from muster.armies.composition import LEADER, Composition, iter_cell_references, iter_price_terms
from muster.armies.fields import FieldValue, as_text
from muster.armies.vocabulary import (
    AlikeRule,
    AnyConstraint,
    CountRule,
    Entry,
    FieldSpec,
    RequiresRule,
    Selector,
    ShareRule,
    VarietyRule,
)
from muster.solver.variables import Slot
from muster.tables.references import AttributeReference

LARGEST_NUMBER = 120
"""As far as a number that may vary goes, unless it is beyond that already."""


@dataclass(frozen=True, slots=True)
class NodeDomain:
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
class RelevantNames:
    """What rules and prices ask of a node: numbers to sum up, values to compare, options."""

    summed: frozenset[str]
    compared: frozenset[str]
    listed: frozenset[str]
    """Names whose every value is asked for: rows of tables, values that must be alike."""
    wanted: Mapping[str, tuple[str, ...]]
    """What names are compared with: of words that a list may fill in, no others matter."""


def relevant_names(composition: Composition) -> RelevantNames:
    """Find what a composition's rules and prices ask for."""
    written = composition.written
    summed = {entry.size for entry in written.entries if entry.size is not None}
    wanted: dict[str, dict[str, None]] = {}
    listed: set[str] = set()
    for _, term in iter_price_terms(written):
        _add_compared_values(wanted, term.where)
        if term.times is not None:
            summed.add(term.times)
        if isinstance(term.each, AttributeReference):
            listed.add(term.each.field)
    for _, reference in iter_cell_references(written):
        named = (reference.row, reference.column)
        listed |= {name.field for name in named if isinstance(name, AttributeReference)}
    for rule in written.constraints:
        for selector in _selectors(rule):
            _add_compared_values(wanted, selector.where)
        sums = [getattr(rule, key, None) for key in ("sum", "by")]
        sums += [each.sum for each in (rule.when, rule.unless) if each is not None]
        summed |= {name for name in sums if name is not None}
        if isinstance(rule, AlikeRule | VarietyRule):
            listed.add(rule.attribute)
    compared = frozenset({*wanted, *listed})
    words = {name: tuple(values) for name, values in wanted.items()}
    return RelevantNames(frozenset(summed), compared, frozenset(listed), words)


def _add_compared_values(
    wanted: dict[str, dict[str, None]], where: Mapping[str, Sequence[str]]
) -> None:
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


def domain_around(
    sort: NodeKind, names: RelevantNames, count: int, welcome: Collection[str]
) -> NodeDomain:
    """Open a node that stands in a list: fewer of it, other numbers and values, other options.

    Args:
        sort: What it is.
        names: What rules and prices ask for.
        count: How many stand there.
        welcome: Options that it may be given; its own may be taken away in any case.
    """
    amounts: dict[str, tuple[int, int]] = {}
    choices: dict[str, Sequence[FieldValue | None]] = {}
    bare = NodeKind(
        sort.composition, sort.level, sort.entry, sort.profile, sort.book, (), {}, sort.parent
    )
    for name, spec in _field_specs(sort).items():
        value = sort.value(name)
        if spec.form == "whole":
            if _may_vary(name, names) and isinstance(value, int) and not isinstance(value, bool):
                size = sort.entry is not None and sort.entry.size == name
                amounts[name] = (min(value, int(size)), max(value, LARGEST_NUMBER))
        elif name in names.compared and spec.form in _FINITE_FORMS:
            unsaid: FieldValue | None = bare.value(name)
            listed: list[FieldValue | None] = list(distinct_values(spec, name, names))
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
    return NodeDomain(0, count, amounts, choices, [*own, *more])


def full_domain(
    composition: Composition,
    names: RelevantNames,
    what: Profile | Entry,
    *,
    most: int = 1,
    near: int = 1,
    far: int = LARGEST_NUMBER,
) -> NodeDomain:
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
    sort = NodeKind(composition, entry.level, entry, profile, None, (), {}, None)
    amounts: dict[str, tuple[int, int]] = {}
    choices: dict[str, Sequence[FieldValue | None]] = {}
    for name, spec in _field_specs(sort).items():
        value = sort.value(name)
        if spec.form == "whole":
            if name == entry.size or spec.required or _may_vary(name, names):
                amounts[name] = (near if name == entry.size else 0, far)
        elif (name in names.compared or spec.required) and (
            listed := distinct_values(spec, name, names)
        ):
            if value is not None:
                rest = [each for each in listed if as_text(each) != as_text(value)]
                choices[name] = [None, *rest]
            else:
                choices[name] = listed if spec.required else [None, *listed]
    return NodeDomain(0, min(most, MAX_COUNT), amounts, choices, list(composition.options))


_FINITE_FORMS = ("choice", "flag")


def _may_vary(name: str, names: RelevantNames) -> bool:
    """Tell whether a number may vary: it counts, and no table is read by its every value."""
    return name not in names.listed and (name in names.summed or name in names.compared)


def distinct_values(spec: FieldSpec, name: str, names: RelevantNames) -> list[FieldValue]:
    """List the values of a field that a rule can tell apart; none if it has no few values."""
    match spec.form:
        case "flag":
            return [True, False]
        case "choice":
            return list(spec.of)
        case "line":
            return list(names.wanted.get(name, ()))
    return []


def _field_specs(sort: NodeKind) -> Mapping[str, FieldSpec]:
    """Give the fields that a list may fill in for a node."""
    level = sort.composition.levels.get(sort.level) if sort.level != LEADER else None
    return {
        **(level.fields if level is not None else {}),
        **(sort.entry.fields if sort.entry is not None else {}),
    }


def demandable_options(composition: Composition) -> frozenset[str]:
    """List the options that a rule may demand: what is needed, or frees from a rule."""
    found: set[str] = set()
    for rule in composition.constraints:
        wanted: list[Selector] = []
        if rule.unless is not None:
            wanted.append(rule.unless.of)
        if isinstance(rule, RequiresRule):
            wanted.append(rule.needs)
        elif isinstance(rule, ShareRule):
            wanted.append(rule.part)
        elif isinstance(rule, CountRule):
            wanted.append(rule.of)
        elif rule.kind == "only-if":
            wanted.append(rule.needs)
        found |= {option for selector in wanted for option in selector.options}
    return frozenset(found)


def available_units(composition: Composition, above: Slot, level: str) -> list[Profile | Entry]:
    """List what may stand at a level: the profiles of the book, or the bare types without one."""
    book = above.kind.book
    own: list[Profile | Entry] = []
    if book is not None:
        own += [unit for unit in book.units.values() if unit.entry.level == level]
    return own or [entry for entry in composition.entries.values() if entry.level == level]
