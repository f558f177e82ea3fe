"""Build the linear model of an army that may vary, or of every army of a book up to a size."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from muster.armies.army import Army, Node, NodeKind
from muster.armies.army_file import SystemSource, army_from_document
from muster.armies.books import Book, Profile, UnitType, counts_limit, entry_of, profile_of
from muster.armies.composition import Composition
from muster.armies.fields import FieldValue, as_number, as_text, format_number
from muster.armies.vocabulary import LEADER, Entry, Level, Option
from muster.solver.domains import (
    MOST_ALIKE,
    NodeDomain,
    OptionNeeds,
    available_units,
    demanded_number,
    demanded_sum,
    domain_around,
    field_combinations,
    full_domain,
    largest_limit,
    relevant_names,
    totals_of_dice,
)
from muster.solver.encoding import Encoding
from muster.solver.linear_model import LinearExpr, LinearModel, LiteralLike, as_decimal
from muster.solver.variables import Slot
from muster.yamlfile import Document

if TYPE_CHECKING:
    from muster.solver.cpsat import Solution


_MOST_COMBINATIONS = 12
"""How many combinations of the fields of a new command, or of the army itself, are tried."""

_MOST_COMMANDS = 12
"""How many new commands of a level and a combination may stand in one place."""

_MOST_EXTRA_COMMANDS = 60
"""How many new commands a model has beyond one of each level in each place."""


@dataclass(frozen=True, slots=True)
class ChosenValues:
    """The values that a solution gives a unit or leader, as a file writes them."""

    count: int
    options: tuple[str, ...]
    fields: Mapping[str, str]


class ArmyModel:
    """The nodes that an army may have, as variables of one model.

    `slots` are in the order in which they were added, the army itself first. In a model
    of an existing army, `listed` has the value of each variable in the list.
    """

    def __init__(
        self,
        composition: Composition,
        *,
        book: Book | None = None,
        fields: Mapping[str, FieldValue] | None = None,
        node: Node | None = None,
        legal: bool = False,
    ) -> None:
        """Create a model with one slot: the army itself. Its fields, such as its nation, are fixed.

        Args:
            composition: The system's composition.
            book: The army book of the army as a whole.
            fields: The fields of the army itself.
            node: The army as it is in a list; it takes the place of book and fields.
            legal: Whether stated rules are always kept: options that none of them lets a node
                take are then left out.
        """
        kind = NodeKind(
            composition, composition.top.id, None, None, book, (), dict(fields or {}), None
        )
        if node is not None:
            kind = node.kind
        self.composition = composition
        self.model = LinearModel()
        self.root = Slot(self.model, kind, None, present=True, count=LinearExpr(1), node=node)
        self.slots = [self.root]
        self.limit: LinearExpr | None = None
        self.names = relevant_names(composition)
        self.listed: list[tuple[LinearExpr, int]] = []
        self._extra_commands = _MOST_EXTRA_COMMANDS
        self._needs = OptionNeeds(composition) if legal else None

    @classmethod
    def of_army(
        cls,
        army: Army,
        extra_options: Collection[str] = (),
        *,
        fixed: bool = False,
        legal: bool = False,
    ) -> ArmyModel:
        """Return the model of an army whose nodes may be removed or changed.

        Args:
            army: The army as it is.
            extra_options: Options that any unit may be given.
            fixed: Whether all of the army stays as it is, so that only additions vary.
            legal: Whether stated rules are always kept.
        """
        army_model = cls(army.composition, node=army.root, legal=legal)
        army_model._add_nodes(army_model.root, army.root, frozenset(extra_options), fixed=fixed)
        return army_model

    def _add_nodes(
        self, slot: Slot, node: Node, extra_options: frozenset[str], *, fixed: bool
    ) -> None:
        """Add a slot for each node below a node."""
        for child in node.children:
            if child.is_branch:
                key = str(child.path[len(node.path)])
                below = self._add_branch(slot, child.kind, key, True if fixed else None, child)
                self.listed.append((LinearExpr.of(below.present), 1))
                self._add_nodes(below, child, extra_options, fixed=fixed)
            else:
                domain = domain_around(child.kind, self.names, child.count, extra_options)
                if fixed:
                    domain = NodeDomain(child.count, child.count)
                self.listed += self.listed_values(self.add_node(slot, child, domain))

    def listed_values(self, slot: Slot) -> list[tuple[LinearExpr, int]]:
        """List the variables of a node's slot, each with its value in the list."""
        node = slot.listed_node
        listed = [(slot.count, node.count)]
        for name, amount in slot.amounts.items():
            listed.append((amount, int(as_number(node.kind.value(name)))))
        for name, values in slot.choices.items():
            stated = node.kind.fields.get(name)
            listed += [
                (LinearExpr.of(literal), int(value == stated)) for value, literal in values.items()
            ]
        listed += [
            (LinearExpr.of(literal), int(option in node.kind.options))
            for option, literal in slot.options
        ]
        return listed

    # Slots

    def add_node(self, above: Slot, node: Node, domain: NodeDomain) -> Slot:
        """Add a slot for a node of an army, under its own level of command or under another."""
        own = node.kind
        variable = {*domain.amounts, *domain.choices}
        fields = {name: value for name, value in own.fields.items() if name not in variable}
        kind = NodeKind(
            self.composition, own.level, own.entry, own.profile, own.book, (), fields, above.kind
        )
        taken = [option.id for option in own.options if option not in own.given_options]
        key = next(str(step) for step in reversed(node.path) if isinstance(step, str))
        return self._add_slot(above, kind, key, domain, taken, node)

    def add_place(self, above: Slot, home: Slot) -> Slot:
        """Add a slot for a node in another place, with the same variables as at its own place."""
        own, node = home.kind, home.listed_node
        fields = dict(own.fields)
        kind = NodeKind(
            self.composition, own.level, own.entry, own.profile, own.book, (), fields, above.kind
        )
        count = self.model.new_int("count", 0, node.count)
        present = self.model.indicator(count, [(1, None)])
        self.model.imply(present, above.present)
        options, choices, amounts = list(home.options), dict(home.choices), dict(home.amounts)
        return self._attach(
            Slot(
                self.model,
                kind,
                above,
                present,
                count,
                options,
                choices,
                amounts,
                node,
                home.key,
                home.label,
            )
        )

    def add_command(
        self,
        above: Slot,
        level: str,
        *,
        present: LiteralLike | None = None,
        book: Book | None = None,
        fields: Mapping[str, FieldValue] | None = None,
    ) -> Slot:
        """Add a level of command under another; as a whole it is present or not.

        Args:
            above: The slot that it stands under.
            level: The level's id.
            present: Whether it is present; None leaves it open.
            book: Its army book, if it is not that of `above`.
            fields: Its fields, which do not vary.
        """
        own_book = book or above.kind.book
        kind = NodeKind(
            self.composition, level, None, None, own_book, (), dict(fields or {}), above.kind
        )
        key = self.composition.levels[level].key or level
        return self._add_branch(above, kind, key, present, None)

    def add_commands(self, above: Slot, level: Level, number: int) -> list[Slot]:
        """Add as many commands of a level under another, for each combination of their fields.

        There are fewer if there would be too many for one model.
        """
        combinations = islice(field_combinations(self.composition, level), _MOST_COMBINATIONS)
        copies = range(max(1, min(number, _MOST_COMMANDS)))
        wanted = [fields for fields, _ in product(combinations, copies)]
        extra = min(len(wanted) - 1, self._extra_commands)
        self._extra_commands -= extra
        return [self.add_command(above, level.id, fields=fields) for fields in wanted[: extra + 1]]

    def _add_branch(
        self,
        above: Slot,
        kind: NodeKind,
        key: str,
        present: LiteralLike | None,
        node: Node | None,
    ) -> Slot:
        if present is None:
            present = self.model.new_bool(f"{kind.level} present")
        self.model.imply(present, above.present)
        label = node.label if node is not None else kind.title
        count = LinearExpr.of(present)
        return self._attach(
            Slot(self.model, kind, above, present, count, node=node, key=key, label=label)
        )

    def _attach(self, slot: Slot) -> Slot:
        if slot.above is not None:
            slot.above.below.append(slot)
        self.slots.append(slot)
        return slot

    def add_leader(
        self,
        above: Slot,
        key: str,
        domain: NodeDomain | None = None,
        *,
        fields: Mapping[str, FieldValue] | None = None,
    ) -> Slot:
        """Add a leader who may stand at a key of a level of command."""
        entry = self.composition.entries[self._level(above).leaders[key].entry]
        kind = self._new_kind(above, LEADER, entry, None, fields)
        return self._add_slot(above, kind, key, domain or NodeDomain(), (), None)

    def add_open_leader(self, above: Slot, key: str, *, options: Sequence[str] = ()) -> Slot:
        """Add a leader who may stand at a key or not, with any values and any of some options."""
        entry = self.composition.entries[self._level(above).leaders[key].entry]
        domain = full_domain(self.composition, self.names, entry)
        return self.add_leader(
            above, key, NodeDomain(0, 1, domain.amounts, domain.choices, options)
        )

    def add_unit(
        self,
        above: Slot,
        level: str,
        unit_type: UnitType,
        domain: NodeDomain | None = None,
        *,
        fields: Mapping[str, FieldValue] | None = None,
        options: Sequence[str] = (),
    ) -> Slot:
        """Add a unit, of a book or of a bare type, that may stand under a level of command.

        It has `options` in any case, besides those of its profile.
        """
        kind = self._new_kind(above, level, entry_of(unit_type), profile_of(unit_type), fields)
        key = self.composition.levels[level].key or level
        return self._add_slot(above, kind, key, domain or NodeDomain(), options, None)

    def _level(self, slot: Slot) -> Level:
        return self.composition.levels[slot.level]

    def _new_kind(
        self,
        above: Slot,
        level: str,
        entry: Entry,
        profile: Profile | None,
        fields: Mapping[str, FieldValue] | None,
    ) -> NodeKind:
        book, stated = above.kind.book, dict(fields or {})
        return NodeKind(self.composition, level, entry, profile, book, (), stated, above.kind)

    def _add_slot(
        self,
        above: Slot,
        kind: NodeKind,
        key: str,
        domain: NodeDomain,
        taken: Sequence[str],
        node: Node | None,
    ) -> Slot:
        """Add a slot, with variables for what may vary."""
        model = self.model
        count = model.new_int("count", domain.least, domain.most)
        present = model.indicator(count, [(1, None)])
        model.imply(present, above.present)
        amounts: dict[str, LinearExpr] = {}
        for name, (low, high) in domain.amounts.items():
            amounts[name] = model.new_int(name, low, high)
        choices: dict[str, dict[FieldValue | None, LiteralLike]] = {}
        for name, values in domain.choices.items():
            if len(values) == 1:
                choices[name] = {values[0]: True}
                continue
            literals: dict[FieldValue | None, LiteralLike] = {
                value: model.new_bool(name) for value in values
            }
            model.require(LinearExpr.total(map(LinearExpr.of, literals.values())), [(1, 1)])
            choices[name] = literals
        given = {option.id for option in kind.given_options}
        optional = set(domain.options)
        options: list[tuple[Option, LiteralLike]] = [
            (option, True) for option in kind.given_options
        ]
        options += [
            (
                self.composition.options[name],
                model.new_bool(name) if name in optional else True,
            )
            for name in dict.fromkeys([*taken, *domain.options])
            if name not in given and (name in taken or self._permits(kind, name))
        ]
        label = node.label if node is not None else kind.title
        return self._attach(
            Slot(model, kind, above, present, count, options, choices, amounts, node, key, label)
        )

    def _permits(self, kind: NodeKind, option: str) -> bool:
        return self._needs is None or self._needs.permit(kind, option)

    def encode(self, limit: Decimal | None = None, *, any_limit: bool = False) -> Encoding:
        """State every constraint, and the limit if there is one; no slot may be added later.

        Args:
            limit: The limit, if it is fixed.
            any_limit: Whether there is a limit that varies: the solver chooses one.
        """
        if any_limit:
            self.limit = self.model.new_int("limit", 1, largest_limit(self.composition))
        elif limit is not None:
            self.limit = LinearExpr(Fraction(limit))
        encoding = Encoding(self.composition, self.root, self.limit)
        encoding.encode()
        return encoding

    # Solutions

    def chosen(self, slot: Slot, solution: Solution) -> ChosenValues:
        """Return the values that a solution gives a unit or leader."""
        fields = {name: as_text(value) for name, value in slot.kind.fields.items()}
        for name, values in slot.choices.items():
            value = next(value for value, literal in values.items() if solution.is_true(literal))
            if value is not None:
                fields[name] = as_text(value)
        totals = totals_of_dice(slot.kind.field_specs)
        for name, amount in slot.amounts.items():
            number = solution.value_of(amount)
            if number or name not in totals:
                fields[name] = str(number)
        options = tuple(
            option.id
            for option, literal in slot.options
            if option not in slot.kind.given_options and solution.is_true(literal)
        )
        return ChosenValues(int(solution.value_of(slot.count)), options, fields)

    def army_data(self, solution: Solution, *, name: str = "") -> dict[str, Any]:
        """Return the army of a solution as the data of its file: mappings, lists and text."""
        data: dict[str, Any] = {"system": self.composition.system.id}
        if self.root.kind.book is not None:
            data["book"] = self.root.kind.book.id
        if name:
            data["name"] = name
        if self.limit is not None:
            data["limit"] = format_number(as_decimal(solution.value_of(self.limit)))
        data |= self.command_data(self.root, solution)
        return data

    def command_data(self, slot: Slot, solution: Solution) -> dict[str, Any]:
        """Return a level of command in a solution, as the data of its file."""
        data: dict[str, Any] = {name: as_text(value) for name, value in slot.kind.fields.items()}
        level = self._level(slot)
        for below in slot.below:
            if not solution.is_true(below.present):
                continue
            below_data = (
                self.command_data(below, solution)
                if below.is_branch
                else self.node_data(below, solution)
            )
            book = below.kind.book
            if book is not None and book is not slot.kind.book:
                below_data = {"book": book.id, **below_data}
            leader = level.leaders.get(below.key)
            put_node(data, below.key, below_data, many=leader is None or leader.many)
        return data

    def node_data(self, slot: Slot, solution: Solution) -> dict[str, Any]:
        """Return a unit or leader in a solution, as the data of its file."""
        chosen = self.chosen(slot, solution)
        data: dict[str, Any] = {}
        if slot.level != LEADER:
            data[slot.level] = as_text(slot.kind.value("unit"))
        data |= chosen.fields
        if chosen.count > 1:
            data["count"] = str(chosen.count)
        if chosen.options:
            data["options"] = list(chosen.options)
        return data

    def read_solution(self, solution: Solution, source: SystemSource, *, name: str = "") -> Army:
        """Return the army of a solution, read as its file would be."""
        data = self.army_data(solution, name=name)
        return army_from_document(Document(f"{name or 'army'}.yaml", "", data), source)


def put_node(data: dict[str, Any], key: str, node: dict[str, Any], *, many: bool) -> None:
    """Put the data of a node at a key: into a list if the key takes `many`, else as the value."""
    if many:
        data.setdefault(key, []).append(node)
    else:
        data[key] = node


_LARGEST_NUMBER = 60
"""The greatest value of a number of a unit in a search space, if no rule has a greater one."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The book of an army, or None, the fields of the army itself, and its limit, if any.

    With `any_limit`, it is any one.
    """

    book: Book | None
    fields: Mapping[str, FieldValue]
    limit: Decimal | None = None
    any_limit: bool = False


def iter_settings(composition: Composition, books: Sequence[Book | None]) -> Iterator[Setting]:
    """Yield a setting for each combination of fields and book; empty fields come first.

    Where rules count by the limit there is one, which may be any, and then there is none.
    """
    top = composition.top
    said = {book: book.attributes if book is not None else () for book in books}
    combinations = {
        book: list(islice(field_combinations(composition, top, said[book]), _MOST_COMBINATIONS))
        for book in books
    }
    for any_limit in (True, False):
        for place in range(max(map(len, combinations.values()))):
            for book in books:
                counts = counts_limit(composition, book)
                if place < len(combinations[book]) and (counts or not any_limit):
                    yield Setting(book, combinations[book][place], any_limit=any_limit)


def leaves_out_combinations(composition: Composition) -> bool:
    """Return whether the fields of the army or of a command have more combinations than are tried.

    What no army of a model can do is then not known of all armies.
    """
    commands = (
        level for key, level in composition.levels.items() if key not in composition.bottom_levels
    )
    return any(
        len(list(islice(field_combinations(composition, level), _MOST_COMBINATIONS + 1)))
        > _MOST_COMBINATIONS
        for level in commands
    )


def under_limit(composition: Composition, setting: Setting, limit: Decimal) -> Setting:
    """Return a setting with a limit, if rules count by it."""
    by_limit = counts_limit(composition, setting.book)
    return replace(setting, limit=limit, any_limit=False) if by_limit else setting


class SearchSpace:
    """The model of all armies of one setting up to a size.

    `slots_by_type` holds the slots of each unit and leader, by the id of its profile or entry.
    """

    def __init__(
        self,
        composition: Composition,
        setting: Setting,
        *,
        commands_each: int = 2,
        as_demanded: bool = False,
        bare_types: bool = False,
        legal: bool = False,
    ) -> None:
        """Build the model, with all constraints.

        Args:
            composition: The system's composition.
            setting: The book and the fields of the army.
            commands_each: How many commands of each level stand under the army, for each
                combination of their fields; there is one of each under other commands.
            as_demanded: Whether there are as many commands as a rule demands, or as it takes to
                break one, if that is more.
            bare_types: Whether bare types may stand beside the units of the book.
            legal: Whether stated rules are always kept, so that what they rule out is left out.
        """
        self.bare_types = bare_types
        self.as_demanded = as_demanded
        self._largest_number = max(_LARGEST_NUMBER, demanded_sum(composition))
        self.composition = composition
        self.setting = setting
        self.army_model = ArmyModel(
            composition, book=setting.book, fields=setting.fields, legal=legal
        )
        self.slots_by_type: dict[str, list[Slot]] = {}
        self._fill(self.army_model.root, commands_each)
        self.encoding = self.army_model.encode(setting.limit, any_limit=setting.any_limit)

    @property
    def model(self) -> LinearModel:
        """The linear model that everything is stated in."""
        return self.army_model.model

    def _fill(self, above: Slot, commands_each: int) -> None:
        level = self.composition.levels[above.level]
        for key, leader in level.leaders.items():
            for _ in range(2 if leader.many else 1):
                slot = self.army_model.add_open_leader(
                    above, key, options=list(self.composition.options)
                )
                self.slots_by_type.setdefault(leader.entry, []).append(slot)
        for below in self.composition.levels_below[level.id]:
            if below.id in self.composition.bottom_levels:
                self._add_units(above, below.id)
            else:
                number = commands_each
                if self.as_demanded:
                    demanded = demanded_number(self.composition, below.id, to_break=True)
                    number = max(number, demanded)
                for slot in self.army_model.add_commands(above, below, number):
                    self._fill(slot, 1)

    def _add_units(self, above: Slot, level: str) -> None:
        book = self.setting.book
        units = available_units(self.composition, book, level, fall_back=False)
        if self.bare_types and book is not None:
            units += available_units(self.composition, None, level)
        most = max(MOST_ALIKE, demanded_number(self.composition, level, to_break=True))
        for unit_type in units:
            domain = full_domain(
                self.composition,
                self.army_model.names,
                unit_type,
                most=most,
                smallest=0,
                largest=self._largest_number,
            )
            # A rule may bind only where a list states the total of dice, or only where not (0).
            totals = totals_of_dice(entry_of(unit_type).fields)
            unstated_or_not = {name: (0, most) for name, (_, most) in totals.items()}
            domain = replace(domain, amounts={**domain.amounts, **unstated_or_not})
            slot = self.army_model.add_unit(above, level, unit_type, domain)
            for name, ends in totals.items():
                self.army_model.model.require(slot.amounts[name], [(0, 0), ends])
            self.slots_by_type.setdefault(unit_type.id, []).append(slot)
