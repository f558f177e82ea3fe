"""The values that fields and options of a node may take, and the units that may join an army."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from muster.armies.army import NodeKind
from muster.armies.books import Book, UnitType, entry_of, profile_of
from muster.armies.composition import Composition, iter_cell_references, iter_price_terms
from muster.armies.fields import FieldValue, as_text
from muster.armies.rolls import possible_totals
from muster.armies.vocabulary import FieldSpec
from muster.limits import MAX_COUNT
from muster.tables.references import AttributeReference

LARGEST_NUMBER = 120
"""The greatest value of a number that may vary, unless the list has a greater one."""


@dataclass(frozen=True, slots=True)
class NodeDomain:
    """The parts of a node that may vary; the rest stays as it is given.

    `least` and `most` bound how many equal nodes there are (0: there need not be any). `amounts`
    are fields with a number, each with its least and its greatest value. `choices` are fields with
    the values that they may have (None: the list states nothing). `options` may be taken or not.
    """

    least: int = 0
    most: int = 1
    amounts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    choices: Mapping[str, Sequence[FieldValue | None]] = field(default_factory=dict)
    options: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class RelevantNames:
    """The fields and attributes that the rules and prices of a composition look at.

    `summed` are added up as numbers. `compared` are compared with values. `listed` are those of
    which every single value matters: they name rows or columns of tables, are prices, or must be
    alike. `compared_values` are the values that an attribute is compared with; for free text,
    all other values are equivalent.
    """

    summed: frozenset[str]
    compared: frozenset[str]
    listed: frozenset[str]
    compared_values: Mapping[str, tuple[str, ...]]


def relevant_names(composition: Composition) -> RelevantNames:
    """Return what a composition's rules and prices look at."""
    written = composition.written
    summed = {entry.size for entry in written.entries if entry.size is not None}
    compared: dict[str, dict[str, None]] = {}
    listed: set[str] = set()
    for _, term in iter_price_terms(written):
        _add_compared_values(compared, term.where)
        if term.times is not None:
            summed.add(term.times)
        if isinstance(term.each, AttributeReference):
            listed.add(term.each.field)
    for _, reference in iter_cell_references(written):
        keys = (reference.row, reference.column)
        listed |= {key.field for key in keys if isinstance(key, AttributeReference)}
    for rule in written.constraints:
        for _, selector in rule.selectors():
            _add_compared_values(compared, selector.where)
        for _, condition in rule.conditions():
            _add_compared_values(compared, condition.of.where)
            if condition.sum is not None:
                summed.add(condition.sum)
        summed |= {name for _, name in rule.summed_fields()}
        listed |= {name for _, name in rule.attribute_names()}
    return RelevantNames(
        frozenset(summed),
        frozenset({*compared, *listed}),
        frozenset(listed),
        {name: tuple(values) for name, values in compared.items()},
    )


def _add_compared_values(
    compared: dict[str, dict[str, None]], where: Mapping[str, Sequence[str]]
) -> None:
    for name, values in where.items():
        compared.setdefault(name, {}).update(dict.fromkeys(values))


def domain_around(
    kind: NodeKind, names: RelevantNames, count: int, extra_options: Collection[str]
) -> NodeDomain:
    """Return the domain of a node of a list: its count may fall, and all else may change.

    Args:
        kind: The kind of the node.
        names: What rules and prices look at.
        count: How many equal nodes the list has.
        extra_options: Options that it may be given. Its own may be taken away in any case.
    """
    amounts: dict[str, tuple[int, int]] = {}
    choices: dict[str, Sequence[FieldValue | None]] = {}
    without_list = kind.without_list()
    for name, spec in kind.field_specs.items():
        value = kind.value(name)
        if spec.form == "whole":
            if _may_vary(name, names) and isinstance(value, int) and not isinstance(value, bool):
                is_size = kind.entry is not None and kind.entry.size == name
                usual = (int(is_size), LARGEST_NUMBER)
                least, most = totals_of_dice(kind.field_specs).get(name, usual)
                amounts[name] = (min(value, least), max(value, most))
        elif name in names.compared and spec.form in _FINITE_FORMS:
            values: list[FieldValue | None] = list(distinct_values(spec, name, names))
            if name not in kind.fields:
                # Stating the value that the node has anyway changes nothing.
                values = [each for each in values if as_text(each) != as_text(value)]
                values.insert(0, None)
            elif without_list.value(name) is None and not spec.required:
                values.append(None)
            choices[name] = values
    own = [option.id for option in kind.options if option not in kind.given_options]
    extra = [name for name in kind.composition.options if name in extra_options and name not in own]
    return NodeDomain(0, count, amounts, choices, [*own, *extra])


def full_domain(
    composition: Composition,
    names: RelevantNames,
    unit_type: UnitType,
    *,
    most: int = 1,
    smallest: int = 1,
    largest: int = LARGEST_NUMBER,
) -> NodeDomain:
    """Return the domain of a unit or leader that is new to an army.

    Args:
        composition: The system's composition.
        names: What rules and prices look at.
        unit_type: The unit or leader.
        most: How many there may be.
        smallest: The least value of its main number.
        largest: The greatest value of its numbers.
    """
    entry = entry_of(unit_type)
    kind = NodeKind(composition, entry.level, entry, profile_of(unit_type), None, (), {}, None)
    amounts: dict[str, tuple[int, int]] = {}
    choices: dict[str, Sequence[FieldValue | None]] = {}
    totals = totals_of_dice(kind.field_specs)
    for name, spec in kind.field_specs.items():
        value = kind.value(name)
        if name in totals:
            # Nobody has thrown dice for what is new.
            continue
        if spec.form == "whole":
            if name == entry.size or spec.required or _may_vary(name, names):
                amounts[name] = (smallest if name == entry.size else 0, largest)
        elif (name in names.compared or spec.required) and (
            values := distinct_values(spec, name, names)
        ):
            if value is not None:
                others = [each for each in values if as_text(each) != as_text(value)]
                choices[name] = [None, *others]
            else:
                choices[name] = values if spec.required else [None, *values]
    return NodeDomain(0, min(most, MAX_COUNT), amounts, choices, list(composition.options))


_FINITE_FORMS = ("choice", "flag")


def totals_of_dice(specs: Mapping[str, FieldSpec]) -> dict[str, tuple[int, int]]:
    """Return the fields that hold totals of dice, each with its least and its greatest value."""
    bounds: dict[str, tuple[int, int]] = {}
    for spec in specs.values():
        if spec.roll is not None and spec.roll.total is not None:
            totals = [int(total) for total in possible_totals(spec.roll)]
            bounds[spec.roll.total] = (totals[0], totals[-1])
    return bounds


def _may_vary(name: str, names: RelevantNames) -> bool:
    """Return whether a number may vary: rules look at it, but not at every single value of it."""
    return name not in names.listed and (name in names.summed or name in names.compared)


def distinct_values(spec: FieldSpec, name: str, names: RelevantNames) -> list[FieldValue]:
    """List the values of a field that a rule can tell apart; none if they cannot be listed."""
    match spec.form:
        case "flag":
            return [True, False]
        case "choice":
            return list(spec.of)
        case "line":
            return list(names.compared_values.get(name, ()))
    return []


def demandable_options(composition: Composition) -> frozenset[str]:
    """Return the options that a rule may require, or that may exempt a node from a rule."""
    return frozenset(
        option
        for rule in composition.constraints
        for selector in rule.demanded()
        for option in selector.options
    )


def available_units(
    composition: Composition, book: Book | None, level: str, *, fall_back: bool = True
) -> list[UnitType]:
    """List the units of a level: those of the book, or the bare types without a book.

    Args:
        composition: The system's composition.
        book: The army book, if any.
        level: The level's id.
        fall_back: Whether a book that has no unit of the level leads to the bare types too.
    """
    units: list[UnitType] = []
    if book is not None:
        units += [unit for unit in book.units.values() if unit.entry.level == level]
    if book is None or (fall_back and not units):
        units += [entry for entry in composition.entries.values() if entry.level == level]
    return units
