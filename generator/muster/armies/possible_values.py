"""Work out which values attributes can have, check filters, and record which names are used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from muster.armies.books import Book
from muster.armies.composition import Composition
from muster.armies.composition_checks import BUILT_IN_ATTRIBUTES
from muster.armies.fields import as_text, is_absent
from muster.armies.vocabulary import LEADER, Entry, FieldSpec, Selector
from muster.problems import did_you_mean
from muster.systems.lint import LintIssue
from muster.yamlfile import Document, KeyPath

AllowedValues = Mapping[str, Sequence[str]]
"""Attribute -> the values that match it. An entry must be able to match every attribute."""


@dataclass(frozen=True, slots=True)
class PossibleValues:
    """The values that an attribute can have; if it is `open_ended`, a list may write others too."""

    values: frozenset[str]
    open_ended: bool = False

    def within(self, allowed: Iterable[str]) -> PossibleValues:
        """Return the values that remain if only some are allowed."""
        values = frozenset(allowed)
        return PossibleValues(values if self.open_ended else self.values & values)


class Possibilities:
    """The values that attributes of entries can have, with the books in reach."""

    def __init__(self, composition: Composition, books: Sequence[Book]) -> None:
        self.composition = composition
        self.books = books

    @property
    def names(self) -> frozenset[str]:
        """Every attribute and field that any node can have."""
        written = self.composition.written
        names = {*BUILT_IN_ATTRIBUTES, *written.profile}
        for level in written.levels:
            names |= set(level.fields)
        for entry in written.entries:
            names |= {*entry.attributes, *entry.fields}
        for option in written.options:
            names |= set(option.attributes)
        for grant in written.grants:
            names |= set(grant.set)
        for book in self.books:
            names |= set(book.attributes)
            for unit in book.units.values():
                names |= set(unit.attributes)
        return frozenset(names)

    def of(self, entry: Entry, name: str) -> PossibleValues:
        """Return the values that nodes of an entry can have for an attribute or field."""
        if name in BUILT_IN_ATTRIBUTES:
            return _builtin_values(entry, name)
        own = self._own_values(entry, name)
        if name in entry.attributes or name in entry.fields:
            return own
        above = self.above(name)
        return PossibleValues(own.values | above.values, own.open_ended or above.open_ended)

    def _own_values(self, entry: Entry, name: str) -> PossibleValues:
        """Return the values from the entry, its options, and its units in books."""
        specs = (entry.fields, self.composition.written.profile)
        possible = [_field_values(fields[name]) for fields in specs if name in fields]
        open_ended = any(each.open_ended for each in possible)
        values = {value for each in possible for value in each.values}
        options = self.composition.options.values()
        grants = [grant.set for grant in self.composition.written.grants]
        for attributes in (entry.attributes, *(option.attributes for option in options), *grants):
            if name in attributes:
                values.add(attributes[name])
        for book in self.books:
            for unit in book.units.values():
                if unit.entry is entry:
                    for stated in (unit.attributes, unit.fields, unit.stats):
                        value = stated.get(name)
                        if value is not None and not is_absent(value):
                            values.add(as_text(value))
        return PossibleValues(frozenset(values), open_ended)

    def above(self, name: str) -> PossibleValues:
        """Return the values that levels of command and books can give to all nodes below them."""
        values: set[str] = set()
        open_ended = False
        for level in self.composition.written.levels:
            if name in level.fields:
                possible = _field_values(level.fields[name])
                values |= possible.values
                open_ended = open_ended or possible.open_ended
        for book in self.books:
            if name in book.attributes:
                values.add(book.attributes[name])
        return PossibleValues(frozenset(values), open_ended)

    def entries(
        self, level: str = "", allowed: AllowedValues | None = None, ids: Sequence[str] = ()
    ) -> list[Entry]:
        """List the entries that could have allowed values for all attributes given.

        Args:
            level: The level of the entries; empty for any.
            allowed: The values allowed; None for any.
            ids: The ids of the entries to choose from; empty for all.
        """
        return [
            entry
            for entry in self.composition.written.entries
            if level in {"", entry.level}
            and (not ids or entry.id in ids)
            and all(self.can_be(entry, name, values) for name, values in (allowed or {}).items())
        ]

    def can_be(self, entry: Entry, name: str, allowed: Sequence[str]) -> bool:
        """Return whether an attribute of an entry could have one of the values allowed."""
        possible = self.of(entry, name)
        return possible.open_ended or bool(possible.values & set(allowed))

    def selected(self, selector: Selector) -> list[Entry]:
        """List the entries that a selector could match; none if it is about a level of command."""
        level = selector.level or ""
        if level and level != LEADER and level not in self.composition.bottom_levels:
            return []
        return self.entries(level, selector.where, selector.entry)


def _builtin_values(entry: Entry, name: str) -> PossibleValues:
    """Return the values of an attribute that every node has.

    Users' own books have ids and nations of their own, so that all but the type and the level are
    open-ended.
    """
    if name == "type":
        return PossibleValues(frozenset({entry.id}))
    if name == "level":
        return PossibleValues(frozenset({entry.level}))
    return PossibleValues(frozenset(), open_ended=True)


def _field_values(spec: FieldSpec) -> PossibleValues:
    """Return what a list can write into a field: choices and flags are known, other values not."""
    if spec.form == "choice":
        return PossibleValues(frozenset(spec.of))
    if spec.form == "flag":
        return PossibleValues(frozenset({"true", "false"}))
    return PossibleValues(frozenset(), open_ended=True)


@dataclass(slots=True)
class References:
    """Names that constraints, prices, rolls, cards and filters of tables refer to.

    `attributes` are the attributes and the fields of nodes.
    """

    attributes: set[str] = field(default_factory=set)
    options: set[str] = field(default_factory=set)
    tables: set[str] = field(default_factory=set)


NO_VALUE = "none"
"""The text in a filter of a card that stands for a missing attribute."""


def filter_issues(
    possibilities: Possibilities,
    document: Document,
    where: Mapping[str, Sequence[str]],
    path: KeyPath,
) -> Iterator[LintIssue]:
    """Yield the values of a filter that nothing in reach can have.

    They are errors for `type` and `level`. For other attributes they are warnings, because a unit
    of a user's own book might have them.
    """
    for name, texts in where.items():
        entries = possibilities.composition.written.entries
        possible = [possibilities.of(entry, name) for entry in entries]
        if any(each.open_ended for each in possible) or name not in possibilities.names:
            continue
        known = frozenset[str]().union(*(each.values for each in possible))
        for index, text in enumerate(texts):
            if text not in known and text != NO_VALUE:
                message = f"nothing can have {name} {text!r}{did_you_mean(text, known)}"
                problem = document.problem("unknown-value", message, (*path, name, index))
                yield LintIssue("error" if name in {"type", "level"} else "warning", problem)


def all_values(possible: Sequence[PossibleValues]) -> list[str]:
    """Return every value that an attribute may have, once."""
    return sorted({value for values in possible for value in values.values})
