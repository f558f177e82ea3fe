"""The data of army books: the units that an army may field, their options, officers and rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from muster.armies import Book, Node, load_composition
from muster.armies.army import NodeKind
from muster.armies.book_rules import UNIT_NUMBER, number_message, units_with_numbers
from muster.armies.constraints import Condition, Constraint, OnlyIfRule
from muster.armies.fields import (
    format_number,
    join_words,
    lower_first,
    name_ranges,
    show_field,
    upper_first,
)
from muster.armies.price_list import (
    Numbers,
    Rate,
    allowed_numbers,
    find_rate,
    kind_with,
    known_points,
    lone_army,
    missing_prices,
    permitted,
)
from muster.armies.vocabulary import LEADER, FieldSpec, Option
from muster.documents.cards import (
    CardRow,
    NodeFields,
    ValueDeriver,
    column_title,
    column_value,
    meets_filter,
    node_colour,
    node_symbol,
    parts_for,
    shown_fields,
)
from muster.documents.derived_values import DerivedCell, book_title
from muster.documents.measures import Measures, choose_measures
from muster.documents.page_look import PLAIN_LOOK, PageLook, gather_look
from muster.documents.pictures import distinct_pictures, read_picture
from muster.documents.roster import DASH, ColumnKey, format_points
from muster.documents.unit_names import UnitSet, name_units
from muster.languages import marked, say, speaking
from muster.systems import System
from muster.systems.layouts import RosterColumn
from muster.systems.pictures import Picture
from muster.tables.references import AttributeReference
from muster.values import Dice

UNITS_ID = "units"
"""The id in place of a book's, for a system without books."""
_UNIT = "unit"
_JOINT = " / "
"""What stands between the values of one cell."""
_LENGTH = re.compile(r"(\d[\d.,]*)[\u202f\u00a0 ]([^\W\d]+)")
"""A length with a unit that is a word: the number, and the unit."""
_FEW = 3
"""Up to this many prices are listed one by one, as `name_ranges` lists sizes."""


@dataclass(frozen=True, slots=True)
class UnitCost:
    """What a unit costs at a size; a size of 0 if it has none."""

    size: int
    points: str


@dataclass(frozen=True, slots=True)
class BookUnit:
    """A unit, or a work, that an army may field.

    Attributes:
        id: The id by which an army file names it.
        title: Its title.
        type: What it is, if the title does not say so.
        options: The titles of the options that it comes with, and of what else it is.
        facts: Values that have no column.
        values: Values, one for each column of its group.
        size: The sizes that are legal, with a noun: `3, 4 or 6 stands`.
        price: What its price is made of, such as `3.25 per stand`.
        points: What it costs at those sizes, such as `9.75–13`.
        costs: The same one by one, for the least and the greatest size if there are many.
        unknown: Whether a part of its price is not known.
        notes: What the book remarks on it.
        picture: Its picture; that of its type if it has none of its own.
        symbol: The outline of its symbol, for where it has no picture; empty if it has none.
    """

    id: str
    title: str
    type: str
    options: tuple[str, ...]
    facts: tuple[CardRow, ...]
    values: tuple[DerivedCell, ...]
    size: str
    price: str
    points: str
    costs: tuple[UnitCost, ...]
    unknown: bool
    notes: str
    picture: Picture | None = None
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class UnitGroup:
    """Units in one table. A column of values that no unit of the group fills is not printed."""

    title: str
    keys: tuple[ColumnKey, ...]
    units: tuple[BookUnit, ...]

    @property
    def has_sizes(self) -> bool:
        """Whether any unit has a size that the head of the group does not say."""
        return not self.size_of_all and any(unit.size for unit in self.units)

    @property
    def size_of_all(self) -> str:
        """The size that all units have, if there are several and none has a price."""
        size = self.units[0].size
        same = len(self.units) > 1 and all(each.size == size for each in self.units)
        return size if same and not any(each.points or each.unknown for each in self.units) else ""

    @property
    def has_rates(self) -> bool:
        """Whether any price grows with the size, so that it says more than the points do."""
        return any(" " in unit.price for unit in self.units)


@dataclass(frozen=True, slots=True)
class BookChoice:
    """An option, or a field with its values: what it costs, and which units may have it.

    `id` is that of the option or field in an army file.
    """

    id: str
    title: str
    values: tuple[str, ...]
    points: str
    who: str


@dataclass(frozen=True, slots=True)
class BookLeader:
    """A leader: the levels of command that they stand at, and what they cost.

    The points are empty if they are `unknown`, or rest on a choice.
    """

    id: str
    title: str
    place: str
    points: str
    unknown: bool


@dataclass(frozen=True, slots=True)
class BookRule:
    """A constraint in words; the check only warns of one that the source does not state."""

    id: str
    text: str
    source: str
    stated: bool


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """The constraints that rest on one chapter."""

    title: str
    rules: tuple[BookRule, ...]


@dataclass(frozen=True, slots=True)
class ArmyBook:
    """An army book; for a system without books, its types of units.

    `suggests` says whether `all` or `some` units are examples of the source; empty if none is.
    `conventions` are those of the system that are for some units only, of which it has one.
    """

    system: str
    id: str
    title: str
    colour: str
    shape: str
    language: str
    edition: str
    credit: str
    has_points: bool
    source: str
    nation: str
    notes: str
    facts: tuple[CardRow, ...]
    suggests: str
    groups: tuple[UnitGroup, ...]
    leaders: tuple[BookLeader, ...]
    leader_choices: tuple[BookChoice, ...]
    choices: tuple[BookChoice, ...]
    rules: tuple[RuleGroup, ...]
    conventions: tuple[str, ...] = ()
    picture: Picture | None = None
    """The picture of the book itself."""
    pictures: tuple[Picture, ...] = ()
    """All its pictures, each once."""
    look: PageLook = PLAIN_LOOK

    @property
    def kind(self) -> str:
        """What the document is called."""
        return say("Units") if self.id == UNITS_ID else say("Army book")

    @property
    def choices_by_unit(self) -> tuple[BookChoice, ...]:
        """The choices; neighbours for the same units with neither values nor prices are one."""
        joined: list[BookChoice] = []
        for choice in self.choices:
            last = joined[-1] if joined else None
            plain = not (choice.values or choice.points)
            if last and plain and not (last.values or last.points) and last.who == choice.who:
                joined[-1] = replace(last, title=f"{last.title}, {choice.title}")
            else:
                joined.append(choice)
        return tuple(joined)

    @property
    def has_settled(self) -> bool:
        """Whether any unit comes with what others may have for points."""
        paid = {choice.title for choice in self.choices if choice.points}
        return any(paid & set(u.options) for group in self.groups for u in group.units)

    @property
    def leaders_cost(self) -> bool:
        """Whether points are paid for any leader without a choice, or are to be filled in."""
        return any(leader.points or leader.unknown for leader in self.leaders)

    @property
    def warns(self) -> bool:
        """Whether the check only warns of any rule."""
        return any(not rule.stated for group in self.rules for rule in group.rules)

    @property
    def keys(self) -> tuple[ColumnKey, ...]:
        """The abbreviated heads of all groups, each once."""
        return tuple(dict.fromkeys(key for group in self.groups for key in group.keys))


def gather_army_book(
    system: System,
    book: Book | None,
    measures: Measures | None = None,
    *,
    pictured: bool = False,
    language: str = "",
) -> ArmyBook:
    """Gather an army book; without one, the types of units of the system.

    Args:
        system: The rule system.
        book: The army book, if any.
        measures: Scale and unit of length; else all scales, in the system's own unit.
        pictured: Whether it shows pictures.
        language: The language of our words in it; else that of the system.

    Raises:
        MusterError: If the composition, or a table that it names, is missing or broken, or a
            picture cannot be read.
    """
    with speaking(language or system.identity.language):
        return _BookGatherer(system, book, measures, pictured=pictured).gather()


class _BookGatherer:
    """Asks the check and the pricing about each unit of a book, alone in an army."""

    def __init__(
        self, system: System, book: Book | None, measures: Measures | None, *, pictured: bool
    ) -> None:
        self.system = system
        self.pictured = pictured
        self.book = book
        self.composition = load_composition(system)
        self.sizes: dict[NodeKind, Numbers] = {}
        self.shown: set[str] = set()
        own = list(book.units.values()) if book else []
        bare = [entry for entry in self.composition.entries.values() if entry.level != LEADER]
        army = lone_army(self.composition, book, [*own, *bare])
        self.own = army.root.children[: len(own)]
        suggested = [node.profile is not None and node.profile.suggested for node in self.own]
        self.suggests = "" if not any(suggested) else "all" if all(suggested) else "some"
        self.bare_kinds = {
            node.entry.id: node.kind for node in army.root.children[len(own) :] if node.entry
        }
        # Beside the units of a book, an army may field every type that needs no book.
        self.bare = [
            node for node in army.root.children[len(own) :] if not own or self._needs_no_book(node)
        ]
        units = [node for node in (*self.own, *self.bare) if node.level == _UNIT]
        self.colour = node_colour(army.root, system.cards)
        self.deriver = ValueDeriver(system, army, measures)
        chosen = measures or choose_measures(system)
        # One for each scale, if there are several and none is chosen.
        self.by_scale = [
            ValueDeriver(system, army, replace(chosen, scale=scale.id))
            for scale in (system.scales if not chosen.scale else ())
        ]
        listed = {name for node in units for name in node.kind.field_specs}
        sizes = {node.entry.size for node in units if node.entry}
        # Leave out columns that depend on what a list chooses: a book could show one case only.
        self.columns = [
            column
            for column in (
                [*system.cards.unit_columns, *system.cards.books] if system.cards else []
            )
            if not (isinstance(column.value, AttributeReference) and column.value.field in listed)
            and not (column.otherwise and listed & set(column.where))
            and not sizes & set(_fields_of(column.value.model_dump()))
        ]
        self.leader_nodes = list(self._find_leaders(army.root.kind))

    def gather(self) -> ArmyBook:
        book, identity = self.book, self.system.identity
        groups = tuple(self._groups())
        self.shown = {key.label for group in groups for key in group.keys}
        picture = read_picture(book.picture) if book and self.pictured else None
        pictures = [picture, *(unit.picture for group in groups for unit in group.units)]
        return ArmyBook(
            system=self.system.title,
            id=book.id if book else UNITS_ID,
            title=book_title(book) if book else say("Types of unit"),
            colour=self.colour,
            shape=book.shape if book else "square",
            language=identity.language,
            edition=identity.edition,
            credit=identity.source.credit,
            has_points=self.composition.has_prices,
            source=book.source if book else "",
            nation=self.composition.word_for("nation", book.nation) if book else "",
            notes=book.notes if book else "",
            facts=tuple(self._book_facts()),
            suggests=self.suggests,
            groups=_with_measures_in_heads(groups),
            leaders=tuple(self._leader(node, places) for node, places in self.leader_nodes),
            leader_choices=tuple(self._field_choices([node for node, _ in self.leader_nodes])),
            choices=(*self._option_choices(), *self._field_choices([*self.own, *self.bare])),
            rules=tuple(self._rules()),
            conventions=tuple(self._conventions()),
            picture=picture,
            pictures=distinct_pictures(pictures, f"{self.system.id}/books"),
            look=gather_look(self.system),
        )

    # Units

    def _groups(self) -> Iterator[UnitGroup]:
        """Yield the book's units, then the types that any army may field, by level."""
        for nodes, any_army in ((self.own, False), (self.bare, bool(self.own))):
            for level in self.composition.written.levels:
                at_level = [node for node in nodes if node.level == level.id]
                if at_level:
                    name = upper_first(level.many or (level.key or level.title).replace("-", " "))
                    title = say("{units} of any army", units=name) if any_army else name
                    yield self._group(title, at_level)

    def _group(self, title: str, nodes: Sequence[Node]) -> UnitGroup:
        units = [self._unit(node) for node in nodes]
        filled = [
            place
            for place in range(len(self.columns))
            if any(unit.values and unit.values[place].is_filled for unit in units)
        ]
        units = [self._with_choices(unit, node) for unit, node in zip(units, nodes, strict=True)]
        keep = parts_for(nodes)
        keys = tuple(
            ColumnKey(self.columns[n].label, column_title(self.columns[n], self.deriver, keep))
            for n in filled
        )
        narrowed = (
            replace(u, values=tuple(u.values[n] for n in filled if u.values)) for u in units
        )
        return UnitGroup(title, keys, tuple(narrowed))

    def _with_choices(self, unit: BookUnit, node: Node) -> BookUnit:
        """Return a unit with `by weapon` where a value rests on what its list chooses."""
        specs = node.kind.field_specs
        values = list(unit.values)
        for place, cell in enumerate(unit.values):
            column = self.columns[place]
            if cell.kind != "dash" or not meets_filter(column.where, NodeFields(node)):
                continue
            names = (n for n in _fields_of(column.value.model_dump()) if n in specs)
            name = next((n for n in names if specs[n].of and node.kind.value(n) is None), "")
            if name:
                choice = lower_first(specs[name].title or name)
                chosen = list(dict.fromkeys(self._values_by_choice(column, node, name).values()))
                text = say("by {choice}", choice=choice)
                if len(chosen) <= _FEW:
                    text = join_words(_unit_once(chosen), marked("or"))
                values[place] = DerivedCell(text, "text")
        return replace(unit, values=tuple(values))

    def _values_by_choice(self, column: RosterColumn, node: Node, name: str) -> dict[str, str]:
        """Return a unit's value in a column for each choice of a field that it may have."""
        found = {}
        for value in node.kind.field_specs[name].of:
            kind = kind_with(node.kind, {name: value})
            if permitted(node.kind, kind):
                found[value] = self._value(column, NodeFields(replace(node, kind=kind))).text
        return found

    def _effect(self, node: Node, name: str, value: str) -> str:
        """Return what a choice means for the columns that rest on it: `Line –, March 15 cm`."""
        told = {}
        for column in self.columns if node.level == _UNIT else ():
            rests = column.label in self.shown and name in _fields_of(column.value.model_dump())
            if rests and meets_filter(column.where, NodeFields(node)):
                told[column.label] = self._values_by_choice(column, node, name).get(value, "")
        filled = set(told.values()) - {"", str(DASH.text)}
        return ", ".join(f"{label} {text}" for label, text in told.items() if text and filled)

    def _unit(self, node: Node) -> BookUnit:
        kind, profile = node.kind, node.profile
        fields = NodeFields(node)
        size = kind.entry.size if kind.entry else None
        numbers = self._sizes(kind)
        costs = tuple(self._costs(kind, size, numbers))
        values = (
            tuple(self._value(column, fields) for column in self.columns)
            if node.level == _UNIT
            else ()
        )
        rate = find_rate(kind, size, numbers) if self.composition.has_prices else None
        return BookUnit(
            id=profile.id if profile else kind.entry.id if kind.entry else "",
            title=node.title,
            type=self._type_of(node) if profile else "",
            options=(*node.option_titles, *self._flags(node)),
            facts=tuple(self._facts(node)),
            values=values,
            size=self._size_in_words(kind, size, numbers),
            price=_rate_in_words(rate, kind, size) if rate else "",
            points=_points_in_words([cost.points for cost in costs], numbers, size),
            costs=costs,
            unknown=self.composition.has_prices and not costs,
            notes=profile.notes if profile else "",
            picture=read_picture(node.picture) if self.pictured else None,
            symbol=node_symbol(node, self.system.cards),
        )

    def _type_of(self, node: Node) -> str:
        """Return what a unit is, marked as suggested if others of the book are not."""
        is_one = self.suggests != "all" and node.profile is not None and node.profile.suggested
        return say("{type} (suggested)", type=node.entry_title) if is_one else node.entry_title

    def _needs_no_book(self, node: Node) -> bool:
        """Return whether the price of a bare type is known, and the rules have a size for it."""
        sized = node.entry is not None and node.entry.size is not None
        return not missing_prices(node.kind) and (not sized or bool(self._sizes(node.kind).ranges))

    def _value(self, column: RosterColumn, fields: NodeFields) -> DerivedCell:
        """Return a unit's value in a column; values that differ by scale one after the other."""
        value = column_value(column, self.deriver, fields)
        at_scales = [column_value(column, deriver, fields) for deriver in self.by_scale]
        texts = list(dict.fromkeys(cell.text for cell in at_scales))
        return replace(value, text=" / ".join(texts)) if len(texts) > 1 else value

    def _sizes(self, kind: NodeKind) -> Numbers:
        """Return the legal sizes of a unit; none if it has no size."""
        if kind not in self.sizes:
            size = kind.entry.size if kind.entry else None
            self.sizes[kind] = allowed_numbers(kind, size) if size else Numbers(())
        return self.sizes[kind]

    @staticmethod
    def _size_in_words(kind: NodeKind, size: str | None, numbers: Numbers) -> str:
        if size is None:
            return ""
        one, many = _nouns(kind, size)
        if not numbers.ranges:
            return say("not available")
        words = name_ranges(numbers.ranges, one, many)
        if numbers.step == 1:
            return words
        return say("{sizes}, a multiple of {number}", sizes=words, number=numbers.step)

    @staticmethod
    def _costs(kind: NodeKind, size: str | None, numbers: Numbers) -> Iterator[UnitCost]:
        """Yield the price at each legal size, or at the least and the greatest of many."""
        sizes = numbers.listed() if size else [0]
        if not _are_listed(numbers):
            sizes = [sizes[0], sizes[-1]]
        for number in sizes:
            points = known_points(kind_with(kind, {size: number}) if size else kind)
            if points is not None:
                yield UnitCost(number, format_points(points))

    def _flags(self, node: Node) -> Iterator[str]:
        """Yield the titles of what a profile is, such as `Guard`."""
        if node.profile is not None:
            for name, spec in self.composition.written.profile.items():
                if node.profile.stats.get(name) is True:
                    yield spec.title or name

    def _facts(self, node: Node) -> Iterator[CardRow]:
        """Yield the values of a profile that have no column, and are neither size nor price."""
        kind, profile = node.kind, node.profile
        if profile is None or kind.entry is None:
            return
        columns = {name for column in self.columns for name in shown_fields(column.value)}
        priced = {
            term.each.field
            for term in kind.entry.price
            if isinstance(term.each, AttributeReference)
        }
        fields = NodeFields(node)
        for name, value in {**profile.stats, **profile.fields}.items():
            if name in columns | priced or name == kind.entry.size or isinstance(value, bool):
                continue
            spec = kind.field_spec(name)
            cell = self.deriver(AttributeReference(field=name), fields)
            said = spec is not None and spec.form == "choice"  # Its value says what it is.
            label = "" if said else spec.title if spec and spec.title else name
            yield CardRow(label, (cell,))
        for name, text in profile.attributes.items():
            yield self._attribute(name, text)

    def _book_facts(self) -> Iterator[CardRow]:
        """Yield what a book says of all its units, but for what is usual or its nation again."""
        nation = self.composition.word_for("nation", self.book.nation) if self.book else ""
        for name, text in (self.book.attributes if self.book else {}).items():
            spec, row = self.composition.spec(name), self._attribute(name, text)
            if row.values[0].text != nation and not (spec and spec.default == text):
                yield row

    def _attribute(self, name: str, text: str) -> CardRow:
        spec = self.composition.spec(name)
        title = spec.title if spec and spec.title else upper_first(name.replace("-", " "))
        shown = show_field(text, spec.of) if spec and spec.of else text
        return CardRow(title, (DerivedCell(shown, "text"),))

    # What may be chosen

    def _option_choices(self) -> Iterator[BookChoice]:
        """Yield the options, each with the units that may have it and do not come with it."""
        units = [node for node in (*self.own, *self.bare) if node.level == _UNIT]
        for option in self.composition.options.values():
            who: dict[str, list[str]] = {}
            settled: list[str] = []
            for node in units:
                taken = kind_with(node.kind, option=option)
                if option not in node.kind.options and permitted(node.kind, taken):
                    who.setdefault(self._difference(taken, node.kind), []).append(node.title)
                elif self._is_settled(node.kind, option):
                    settled.append(node.title)
            for points, titles in who.items():
                named = self._name_units(titles, units, settled)
                yield BookChoice(option.id, option.title, (), points, named)

    def _is_settled(self, kind: NodeKind, option: Option) -> bool:
        """Return whether a unit has or lacks an option by its book, not by its type."""
        bare = self.bare_kinds.get(kind.entry.id) if kind.profile and kind.entry else None
        return option in kind.options or (
            bare is not None and permitted(bare, kind_with(bare, option=option))
        )

    def _name_units(
        self, titles: Sequence[str], nodes: Sequence[Node], settled: Sequence[str] = ()
    ) -> str:
        """Name units by what findings call what their types have in common, by type, or singly."""
        groups: dict[tuple[str, bool], set[str]] = {}
        for node in nodes:
            if node.entry is None:
                continue
            for name, held in node.entry.attributes.items():
                if held in self.composition.written.words.get(name, {}):
                    word = lower_first(self.composition.word_for(name, held))
                    groups.setdefault((word, True), set()).add(node.title)
            if node.level != LEADER:
                groups.setdefault((node.entry.title, False), set()).add(node.title)
        sets = [
            UnitSet(name, frozenset(held), wide)
            for (name, wide), held in groups.items()
            if len(held) > 1
        ]
        return name_units(titles, [node.title for node in nodes], sets, settled)

    def _field_choices(self, nodes: Sequence[Node]) -> Iterator[BookChoice]:
        """Yield the fields that a list may fill in, each with the nodes that have it."""
        names = dict.fromkeys(name for node in nodes for name in node.kind.field_specs)
        for name in names:
            who: dict[tuple[str, tuple[str, ...], str], list[str]] = {}
            settled: list[str] = []
            for node in nodes:
                row = self._field_choice(node, name) if name in node.kind.field_specs else None
                if row is not None:
                    who.setdefault(row, []).append(node.title)
                elif node.profile is not None and name in node.profile.fields:
                    settled.append(node.title)
            for (title, values, points), titles in who.items():
                named = self._name_units(titles, nodes, settled)
                yield BookChoice(name, title, values, points, named)

    def _field_choice(self, node: Node, name: str) -> tuple[str, tuple[str, ...], str] | None:
        """Return title, values and price of a field that a list may fill in; None if it may not.

        Fields of free text are left out, and those that the book fills in, and the size, and
        numbers that a rule of the army fixes.
        """
        kind, spec = node.kind, node.kind.field_specs[name]
        stated = kind.profile is not None and name in kind.profile.fields
        if stated or (kind.entry and kind.entry.size == name) or _is_fixed(kind, name, spec):
            return None
        title = spec.title or name
        match spec.form:
            case "choice":
                values = tuple(self._choice_values(node, name, spec))
                return (title, values, "") if values else None
            case "flag":
                chosen = kind_with(kind, {name: True})
                if not permitted(kind, chosen):
                    return None
                return title, (), self._difference(chosen, kind)
            case "whole":
                return title, *self._number_choice(kind, name, spec)
        return None

    def _number_choice(
        self, kind: NodeKind, name: str, spec: FieldSpec
    ) -> tuple[tuple[str, ...], str]:
        """Return the numbers that a field may have, in words, and what each further one costs."""
        numbers = allowed_numbers(kind, name)
        one, many = _nouns(kind, name)
        rate = find_rate(kind, name, numbers) if self.composition.has_prices else None
        points = ""
        if rate and rate.per:
            per = format_number(rate.per)
            points = say("+{number} per further {thing}", number=per, thing=one)
        if spec.roll is not None:
            words = say("rolled on {dice}", dice=Dice.parse(spec.roll.dice).show())
        elif numbers.open and not numbers.least and not points:
            return (), ""  # any number at all
        elif numbers.open:
            words = say("{number} or more", number=numbers.least)
        else:
            words = name_ranges(numbers.ranges, one, many)
        usual = kind.value(name)
        if usual is not None and len(numbers.listed()) > 1:
            words = say("{values} (usually {usual})", values=words, usual=show_field(usual, {}))
        return (words,), points

    def _choice_values(self, node: Node, name: str, spec: FieldSpec) -> Iterator[str]:
        """Yield the values that break no rule, each with its price if it makes a difference.

        Where no value is usual, each is with what the columns show of units that have it.
        """
        kind = node.kind
        usual = kind.value(name)
        for value, title in spec.of.items():
            chosen = kind_with(kind, {name: value})
            if value == usual:
                yield say("{value} (usual)", value=title)
            elif all(
                any(permitted(each, kind_with(each, {name: value})) for each in kinds)
                for kinds in _completed(kind, name)
            ):
                points = self._difference(chosen, kind)
                if points.isdecimal():
                    points = say("{points} points", points=points)
                told = [self._effect(node, name, value) if usual is None else "", points]
                beside = ", ".join(each for each in told if each)
                yield f"{title} ({beside})" if beside else title

    def _difference(self, chosen: NodeKind, kind: NodeKind) -> str:
        """Return what a choice adds to a price; the price itself if there is none without it."""
        if not self.composition.has_prices:
            return ""
        size = kind.entry.size if kind.entry else None
        numbers = self._sizes(kind)
        if set(missing_prices(chosen)) - set(missing_prices(kind)):
            return say("price not stated")
        if missing_prices(chosen):
            return ""
        if missing_prices(kind):
            rate = find_rate(chosen, size, numbers)
            return _rate_in_words(rate, kind, size) if rate else ""
        rate = find_rate(chosen, size, numbers, without=kind)
        if rate is None or not (rate.base or rate.per):
            return ""
        return _rate_in_words(rate, kind, size, more=True)

    # Leaders

    def _find_leaders(self, army: NodeKind) -> Iterator[tuple[Node, str]]:
        """Yield the leaders, each with the levels that they stand at, from the top down."""
        places: dict[str, list[str]] = {}
        for level in self.composition.written.levels:
            for leader in level.leaders.values():
                places.setdefault(leader.entry, []).append(lower_first(level.title))
        for order, (entry_id, titles) in enumerate(places.items(), 1):
            entry = self.composition.entries[entry_id]
            kind = NodeKind(self.composition, LEADER, entry, None, self.book, (), {}, army)
            yield (
                Node(kind, (LEADER, order), order=order),
                join_words(list(dict.fromkeys(titles)), marked("or")),
            )

    def _leader(self, node: Node, place: str) -> BookLeader:
        kind = node.kind
        choices = [(name, value) for name, spec in kind.field_specs.items() for value in spec.of]
        by_choice = any(
            known_points(kind_with(kind, {name: value})) is not None for name, value in choices
        )
        points = known_points(kind)
        return BookLeader(
            id=kind.entry.id if kind.entry else "",
            title=node.title,
            place=place,
            points=say("free") if points == 0 else format_points(points),
            unknown=bool(missing_prices(kind)) and not by_choice,
        )

    # Rules

    def _conventions(self) -> Iterator[str]:
        """Yield the conventions that are for some units, such as what a mark on a type means."""
        keep = parts_for([*self.own, *self.bare])
        for note in self.system.identity.filtered_conventions:
            if note.only_for is not None and not note.tables and keep(note):
                yield self.deriver.convert_text(note.text)

    def _rules(self) -> Iterator[RuleGroup]:
        """Yield the constraints by chapter, except those on what the book does not have."""
        nodes = [*self.own, *self.bare, *(node for node, _ in self.leader_nodes)]
        present = {node.entry.id for node in nodes if node.entry}
        groups: dict[str, list[BookRule]] = {}
        for rule in self.composition.constraints:
            _, selector = next(rule.selectors())
            can_hold = not isinstance(rule.when, Condition) or _can_match(rule.when, nodes)
            if _is_of_level(rule):
                continue  # Its options are listed with the units that may have them.
            if can_hold and (not selector.entry or present & set(selector.entry)):
                title = self.system.chapter(rule.rule.chapter).title
                rules = groups.setdefault(title, [])
                text = rule.book_text or rule.message
                if text not in {each.text for each in rules}:
                    rules.append(BookRule(rule.id, text, str(rule.rule.source), rule.stated))
        for title, rules in groups.items():
            yield RuleGroup(title, tuple(rules))
        own = units_with_numbers(self.book, {}) if self.book is not None else ()
        numbers = [
            BookRule(
                f"{UNIT_NUMBER}-{unit.id}", number_message(book, rule), unit.source, stated=True
            )
            for book, unit, rule in own
        ]
        if numbers:
            yield RuleGroup("Numbers of units", tuple(numbers))


def _with_measures_in_heads(groups: tuple[UnitGroup, ...]) -> tuple[UnitGroup, ...]:
    """Return groups where the head of a column says the unit of length of values such as `5 / 10`.

    That is where all its numbers have the same one, and several stand in a cell.
    """
    texts: dict[str, list[str]] = {}
    for group in groups:
        for place, key in enumerate(group.keys):
            texts.setdefault(key.label, []).extend(
                unit.values[place].text for unit in group.units if unit.values
            )
    measures = {}
    for label, held in texts.items():
        parts = [part for text in held for part in text.split(_JOINT)]
        found = {match[2] if (match := _LENGTH.fullmatch(part)) else part for part in parts}
        measure = found - {str(DASH.text)}
        if len(measure) == 1 and len(parts) > len(held) and not measure & set(parts):
            measures[label] = measure.pop()
    return tuple(_group_with_measures(group, measures) for group in groups)


def _group_with_measures(group: UnitGroup, measures: Mapping[str, str]) -> UnitGroup:
    found = [measures.get(key.label) for key in group.keys]
    keys = [
        replace(key, label=f"{key.label}, {each}") if each else key
        for key, each in zip(group.keys, found, strict=True)
    ]
    units = [
        replace(
            unit,
            values=tuple(
                replace(cell, text=_JOINT.join(_bare(part) for part in cell.text.split(_JOINT)))
                if each
                else cell
                for cell, each in zip(unit.values, found, strict=True)
            ),
        )
        if unit.values
        else unit
        for unit in group.units
    ]
    return replace(group, keys=tuple(keys), units=tuple(units))


def _bare(length: str) -> str:
    match = _LENGTH.fullmatch(length)
    return match[1] if match else length


def _unit_once(texts: Sequence[str]) -> list[str]:
    """Return lengths of one unit of length with that of the last alone: `15`, `20`, `30 cm`."""
    matches = [_LENGTH.fullmatch(text) for text in texts]
    if len({match[2] for match in matches if match}) != 1 or not matches[-1]:
        return list(texts)
    return [*(_bare(text) for text in texts[:-1]), texts[-1]]


def _fields_of(derivation: Any) -> Iterator[str]:
    """Yield the fields that a derivation rests on, given as plain data."""
    if isinstance(derivation, dict):
        if isinstance(derivation.get("field"), str):
            yield derivation["field"]
        derivation = list(derivation.values())
    if isinstance(derivation, list):
        for part in derivation:
            yield from _fields_of(part)


def _is_of_level(rule: Constraint) -> bool:
    """Return whether a rule says no more than at which level its options are."""
    return (
        isinstance(rule, OnlyIfRule)
        and bool(rule.of.options)
        and set(rule.needs.model_dump(exclude_defaults=True)) == {"level"}
    )


def _can_match(condition: Condition, nodes: Sequence[Node]) -> bool:
    """Return whether any node has the attributes that a condition counts, or may be given them."""
    where = condition.of.where.items()
    return any(
        all(name in node.kind.field_specs or node.kind.value(name) in held for name, held in where)
        for node in nodes
    )


def _completed(kind: NodeKind, name: str) -> Iterator[list[NodeKind]]:
    """Yield the kinds that a unit may be made into, for each choice that a list must still make.

    What a list may choose for the named field can rest on any of these choices.
    """
    yield [kind]
    for other, spec in kind.field_specs.items():
        if other != name and spec.form == "choice" and spec.required and kind.value(other) is None:
            yield [kind_with(kind, {other: value}) for value in spec.of]


def _is_fixed(kind: NodeKind, name: str, spec: FieldSpec) -> bool:
    """Return whether a field must be one number."""
    if spec.form != "whole" or spec.roll is not None:
        return False
    numbers = allowed_numbers(kind, name)
    return not numbers.open and len(numbers.listed()) == 1


def _nouns(kind: NodeKind, name: str) -> tuple[str, str]:
    """Return the nouns that a field is counted by."""
    spec = kind.field_specs[name]
    noun = lower_first(spec.title or name)
    return spec.one or noun, spec.many or noun


def _rate_in_words(rate: Rate, kind: NodeKind, size: str | None, *, more: bool = False) -> str:
    """Return a rate as `20 + 4 per figure`, and with a sign before it if it is added (`more`)."""
    parts = [(rate.base, format_number(abs(rate.base)))] if rate.base or not rate.per else []
    if size and rate.per:
        one, many = _nouns(kind, size)
        each = one if rate.every == 1 else f"{rate.every} {many}"
        per = format_number(abs(rate.per))
        parts.append((rate.per, say("{number} per {thing}", number=per, thing=each)))
    (first, text), *others = parts
    if first < 0 or more:
        text = f"{'−' if first < 0 else '+'}{text}"
    return " ".join([text, *(f"{'−' if amount < 0 else '+'} {words}" for amount, words in others)])


def _are_listed(numbers: Numbers) -> bool:
    """Return whether the words for numbers name each of them."""
    return len(numbers.listed()) <= _FEW and numbers.step == 1


def _points_in_words(points: Sequence[str], numbers: Numbers, size: str | None) -> str:
    """Return prices as `9.75, 13 or 19.5`, `32–80`, or `from 5`."""
    if size and numbers.open and points:
        return say("from {points}", points=points[0])
    if not _are_listed(numbers) and len(points) > 1:
        return f"{points[0]}–{points[-1]}"
    return join_words(points, marked("or"))
