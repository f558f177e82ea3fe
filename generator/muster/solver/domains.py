"""The values that fields and options of a node may take, and the units that may join an army."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

from muster.armies.army import NodeKind
from muster.armies.book_rules import is_barred
from muster.armies.books import Book, UnitType, entry_of, profile_of
from muster.armies.composition import Composition
from muster.armies.constraints import CountRule, OnlyIfRule, ShareRule, fields_of
from muster.armies.fields import FieldValue, as_text, read_field
from muster.armies.rolls import possible_totals, value_of_stated_total
from muster.armies.vocabulary import LEADER, FieldSpec, Level, Roll, Selector
from muster.armies.written_composition import iter_cell_references, iter_price_terms
from muster.limits import MAX_COUNT
from muster.tables.references import AttributeReference
from muster.values import Band

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
    """Return what a composition's rules and prices look at; it is worked out once."""
    return composition.cache.get_or_make(RelevantNames, _find_relevant_names, composition)


def _find_relevant_names(composition: Composition) -> RelevantNames:
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
    switched = (*written.constraints, *written.grants)
    for condition in (condition for each in switched for _, condition in each.conditions()):
        _add_compared_values(compared, condition.of.where)
        summed |= {name for _, name in condition.summed_fields()}
    for grant in written.grants:
        _add_compared_values(compared, grant.of.where)
    for rule in written.constraints:
        for _, selector in rule.selectors():
            _add_compared_values(compared, selector.where)
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
    """Return the domain of a node of a list: its count may fall, and most else may change.

    What its profile states does not, nor what dice have shown; and no dice are thrown for it.

    Args:
        kind: The kind of the node.
        names: What rules and prices look at.
        count: How many equal nodes the list has.
        extra_options: Options that it may be given. Its own may be taken away in any case.
    """
    amounts: dict[str, tuple[int, int]] = {}
    choices: dict[str, Sequence[FieldValue | None]] = {}
    without_list = kind.without_list()
    fixed = set(totals_of_dice(kind.field_specs))
    if kind.profile is not None:
        fixed |= set(kind.profile.fields)
    for name, spec in kind.field_specs.items():
        # Nothing changes what dice have shown, or what a profile states.
        if name in fixed:
            continue
        value = kind.value(name)
        if spec.form == "whole":
            if _may_vary(name, names) and isinstance(value, int) and not isinstance(value, bool):
                is_size = kind.entry is not None and kind.entry.size == name
                amounts[name] = (min(value, int(is_size)), max(value, LARGEST_NUMBER))
        elif name in names.compared and spec.form in _FINITE_FORMS:
            values: list[FieldValue | None] = list(distinct_values(spec, name, names))
            if spec.roll is not None and not spec.required:
                choices[name] = _values_without_dice(kind, name, spec, spec.roll)
            elif name not in kind.fields:
                # Stating the value that the node has anyway changes nothing.
                values = [each for each in values if as_text(each) != as_text(value)]
                values.insert(0, None)
                choices[name] = values
            else:
                if without_list.value(name) is None and not spec.required:
                    values.append(None)
                choices[name] = values
    own = [option.id for option in kind.options if option not in kind.given_options]
    extra = [name for name in kind.composition.options if name in extra_options and name not in own]
    return NodeDomain(0, count, amounts, choices, [*own, *extra])


def _values_without_dice(
    kind: NodeKind, name: str, spec: FieldSpec, roll: Roll
) -> list[FieldValue | None]:
    """List the values of a rolled field that need no throw: unstated, as it is, as the total says.

    A value is unstated, too, if the list states the field's default.
    """
    values: list[FieldValue | None] = [kind.fields.get(name)]
    shown = value_of_stated_total(roll, kind)
    if shown is not None:
        value = read_field(spec.form, spec.of, shown)
        values = [*values, value] if as_text(value) != as_text(values[0]) else values
    if values[0] is not None:
        values.append(None)
    return values


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
        if name in totals or (kind.profile is not None and name in kind.profile.fields):
            # Nobody has thrown dice for what is new, and a list cannot contradict a profile.
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
    profile = kind.profile
    options = [
        name
        for name, option in composition.options.items()
        if profile is None or not is_barred(profile, option)
    ]
    return NodeDomain(0, min(most, MAX_COUNT), amounts, choices, options)


class OptionNeeds:
    """What the `only-if` rules of a composition ask of nodes that have an option.

    Where it is settled by what a node is and where it stands, such as its book, most options of a
    system with many books are out of the question.
    """

    def __init__(self, composition: Composition) -> None:
        """Collect the rules that are always stated, and what lists, options and grants may vary."""
        written = composition.written
        self._needs: dict[str, list[Selector]] = {}
        for rule in written.constraints:
            always = isinstance(rule, OnlyIfRule) and rule.stated and not any(rule.switches())
            if isinstance(rule, OnlyIfRule) and always and rule.of.is_of_options_alone:
                for option in rule.of.options:
                    self._needs.setdefault(option, []).append(rule.needs)
        self._varied = {name for option in written.options for name in option.attributes}
        self._varied |= {name for grant in written.grants for name in grant.set}
        self._varied |= {name for level in written.levels for name in level.fields}

    def permit(self, kind: NodeKind, option: str) -> bool:
        """Return whether a node of a kind may keep these rules with an option."""
        return all(self._may_stand_under(kind, needs) for needs in self._needs.get(option, ()))

    def _may_stand_under(self, kind: NodeKind, needs: Selector) -> bool:
        """Return whether a selector may match a node of a kind, or one that it stands under."""
        above: NodeKind | None = kind
        while above is not None:
            if self._may_match(above, needs):
                return True
            above = above.parent
        return False

    def _may_match(self, kind: NodeKind, selector: Selector) -> bool:
        if selector.level is not None and selector.level != kind.level:
            return False
        if selector.entry and (kind.entry is None or kind.entry.id not in selector.entry):
            return False
        if selector.options and kind.is_branch:
            return False
        return all(
            name in self._varied or name in kind.field_specs or kind.text(name) in texts
            for name, texts in selector.where.items()
        )


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


def demanded_in_unit(kind: NodeKind) -> tuple[list[str], list[str]]:
    """Return the options and the fields with numbers of which rules demand some in a unit."""
    options: dict[str, None] = {}
    fields: dict[str, None] = {}
    for rule in kind.composition.constraints:
        if rule.within != kind.level:
            continue
        if isinstance(rule, CountRule) and rule.min:
            of, named = rule.of, fields_of(rule.sum)
        elif isinstance(rule, ShareRule) and rule.min is not None:
            of, named = rule.part, fields_of(rule.by)
        else:
            continue
        if kind.matches(of, whatever_options=True):
            options |= dict.fromkeys(of.options)
            fields |= dict.fromkeys(named)
    size = kind.entry.size if kind.entry is not None else None
    specs = kind.field_specs
    wholes = [name for name in fields if name in specs and specs[name].form == "whole"]
    return list(options), [name for name in wholes if name != size]


MOST_ALIKE = 24
"""How many equal units may stand in one place of a model, unless a rule demands more."""


def demanded_number(composition: Composition, level: str, *, to_break: bool = False) -> int:
    """Return the most nodes of a level that a rule demands or a condition asks for; 0 if none does.

    Args:
        composition: The system's composition.
        level: The level's id.
        to_break: Whether to count also how many nodes it takes to exceed a maximum.
    """
    greatest = 0
    for rule in composition.written.constraints:
        for point in rule.turning_points():
            if not point.summed and _may_select(composition, point.of, level):
                greatest = max(greatest, point.enough, point.beyond if to_break else 0)
    return min(greatest, MAX_COUNT)


def demanded_sum(composition: Composition) -> int:
    """Return the greatest sum that a rule demands of one unit, or that exceeds its maximum."""
    sums = [0]
    for rule in composition.written.constraints:
        if rule.within not in {*composition.bottom_levels, LEADER}:
            continue
        for point in rule.turning_points():
            if point.summed:
                sums += [point.enough, point.beyond]
        for _, reference in rule.cells():
            rows = composition.system.table(reference.table).rows
            bands = [cell for row in rows for cell in row.cells if isinstance(cell, Band)]
            sums += [int(end) + 1 for band in bands for end in (band.low, band.high) if end]
    return min(max(sums), MAX_COUNT)


_LARGEST_LIMIT = 100_000
"""The greatest limit of an army in a model, unless a rule tells greater ones apart."""


def largest_limit(composition: Composition) -> int:
    """Return the greatest limit that armies may have where it varies."""
    written = composition.written
    greatest = _LARGEST_LIMIT
    for switched in (*written.constraints, *written.grants):
        for condition in switched.limit_conditions():
            band = Band.parse(condition.limit)
            greatest = max(greatest, *(int(end) + 1 for end in (band.low, band.high) if end))
    return greatest


def _may_select(composition: Composition, selector: Selector, level: str) -> bool:
    """Return whether a selector may be about nodes of a level."""
    if selector.level is not None:
        return selector.level == level
    if "level" in selector.where:
        return level in selector.where["level"]
    if selector.entry:
        return level in {composition.entries[name].level for name in selector.entry}
    # Attributes are those of units; of a command, only its own fields are looked at.
    own = composition.levels[level].fields if level in composition.levels else {}
    return level in composition.bottom_levels or bool(own.keys() & selector.where.keys())


def field_combinations(
    composition: Composition, level: Level, said: Collection[str] = ()
) -> Iterator[Mapping[str, FieldValue]]:
    """Yield the combinations of values that the fields of a level of command may have.

    Only fields that rules look at, or that a list must state, have values, but for those that a
    book has `said`. The combinations that state least come first, and none states a default.
    """
    names = relevant_names(composition)
    required: list[list[tuple[str, FieldValue]]] = []
    optional: list[list[tuple[str, FieldValue]]] = []
    for name, spec in level.fields.items():
        if name in said or not (name in names.compared or spec.required):
            continue
        values = distinct_values(spec, name, names)
        if spec.required:
            required += [[(name, value) for value in values]] if values else []
        else:
            optional.append([(name, each) for each in values if as_text(each) != spec.default])
    for number in range(len(optional) + 1):
        for stated in combinations(optional, number):
            yield from map(dict, product(*required, *stated))


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
