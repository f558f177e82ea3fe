"""Work out which values attributes can have, check filters, and record what is referred to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from muster.armies.books import Book
from muster.armies.composition import BUILT_IN_ATTRIBUTES, LEADER, Composition
from muster.armies.fields import as_text, is_absent
from muster.armies.vocabulary import Entry, FieldSpec, Selector
from muster.problems import did_you_mean
from muster.systems.lint import LintIssue
from muster.yamlfile import Document

AllowedValues = Mapping[str, Sequence[str]]
"""Attribute -> the values that will do; all attributes must match."""


@dataclass(frozen=True, slots=True)
class PossibleValues:
    """The values that an attribute can have; *open_ended* when a list may write others."""

    values: frozenset[str]
    open_ended: bool = False

    def within(self, wanted: Iterable[str]) -> PossibleValues:
        """Give what is left when only some values will do."""
        chosen = frozenset(wanted)
        return PossibleValues(chosen if self.open_ended else self.values & chosen)


class Possibilities:
    """What entries of a composition can be, with the books in reach."""

    def __init__(self, composition: Composition, books: Sequence[Book]) -> None:
        self.composition = composition
        self.books = books

    @property
    def names(self) -> frozenset[str]:
        """Every attribute and field that anything can have."""
        written = self.composition.written
        names = {*BUILT_IN_ATTRIBUTES, *written.profile}
        for level in written.levels:
            names |= set(level.fields)
        for entry in written.entries:
            names |= {*entry.attributes, *entry.fields}
        for option in written.options:
            names |= set(option.attributes)
        for book in self.books:
            names |= set(book.attributes)
            for unit in book.units.values():
                names |= set(unit.attributes)
        return frozenset(names)

    def of(self, entry: Entry, name: str) -> PossibleValues:
        """Give what an entry's nodes can say when asked for a name."""
        if name in BUILT_IN_ATTRIBUTES:
            return _builtin_values(entry, name)
        own = self._own(entry, name)
        if name in entry.attributes or name in entry.fields:
            return own
        above = self.above(name)
        return PossibleValues(own.values | above.values, own.open_ended or above.open_ended)

    def _own(self, entry: Entry, name: str) -> PossibleValues:
        specs = (entry.fields, self.composition.written.profile)
        stated = [_field_values(each[name]) for each in specs if name in each]
        open_ended = any(each.open_ended for each in stated)
        values = {value for each in stated for value in each.values}
        options = self.composition.options.values()
        marked = [entry.attributes, *(option.attributes for option in options)]
        values |= {each[name] for each in marked if name in each}
        for book in self.books:
            for unit in book.units.values():
                if unit.entry is entry:
                    for said in (unit.attributes, unit.fields, unit.stats):
                        found = said.get(name)
                        if found is not None and not is_absent(found):
                            values.add(as_text(found))
        return PossibleValues(frozenset(values), open_ended)

    def above(self, name: str) -> PossibleValues:
        """Give what levels of command and books can say of a name to all below them."""
        values: set[str] = set()
        open_ended = False
        for level in self.composition.written.levels:
            if name in level.fields:
                listed = _field_values(level.fields[name])
                values |= listed.values
                open_ended = open_ended or listed.open_ended
        for book in self.books:
            if name in book.attributes:
                values.add(book.attributes[name])
        return PossibleValues(frozenset(values), open_ended)

    def entries(
        self, level: str = "", wanted: AllowedValues | None = None, among: Sequence[str] = ()
    ) -> list[Entry]:
        """Give the entries of a level, or of any, that could have all the wanted values."""
        return [
            entry
            for entry in self.composition.written.entries
            if level in {"", entry.level}
            and (not among or entry.id in among)
            and all(self.can_be(entry, name, said) for name, said in (wanted or {}).items())
        ]

    def can_be(self, entry: Entry, name: str, wanted: Sequence[str]) -> bool:
        """Tell whether an entry could have one of the wanted values."""
        found = self.of(entry, name)
        return found.open_ended or bool(found.values & set(wanted))

    def selected(self, selector: Selector) -> list[Entry]:
        """Give the entries that a selector could mean; none for a level of command."""
        level = selector.level or ""
        if level and level != LEADER and level not in self.composition.bottom_levels:
            return []
        return self.entries(level, selector.where, selector.entry)


def _builtin_values(entry: Entry, name: str) -> PossibleValues:
    """Give what every node says; books of somebody else's have ids and nations of their own."""
    if name == "type":
        return PossibleValues(frozenset({entry.id}))
    if name == "level":
        return PossibleValues(frozenset({entry.level}))
    return PossibleValues(frozenset(), open_ended=True)


def _field_values(spec: FieldSpec) -> PossibleValues:
    """Give what a list can write into a field: choices are known, numbers and words are not."""
    if spec.form == "choice":
        return PossibleValues(frozenset(spec.of))
    if spec.form == "flag":
        return PossibleValues(frozenset({"true", "false"}))
    return PossibleValues(frozenset(), open_ended=True)


@dataclass(slots=True)
class References:
    """Names that a constraint, a price, a roll, a card or a table's filter asks for.

    Attributes are those of nodes: their fields, too.
    """

    attributes: set[str] = field(default_factory=set)
    options: set[str] = field(default_factory=set)
    tables: set[str] = field(default_factory=set)


KeyPath = tuple[str | int, ...]
NO_VALUE = "none"
"""What a filter of a card writes for an attribute that is not there."""


def filter_issues(
    prospects: Possibilities, document: Document, where: Mapping[str, Sequence[str]], path: KeyPath
) -> Iterator[LintIssue]:
    """Warn of values that nothing in reach can have; a book of somebody else's might."""
    for name, wanted in where.items():
        found = [prospects.of(entry, name) for entry in prospects.composition.written.entries]
        if any(each.open_ended for each in found) or name not in prospects.names:
            continue
        known = frozenset[str]().union(*(each.values for each in found))
        for place, value in enumerate(wanted):
            if value not in known and value != NO_VALUE:
                text = f"nothing can have {name} {value!r}{did_you_mean(value, known)}"
                code = "unknown-value"
                problem = document.problem(code, text, (*path, name, place))
                yield LintIssue("error" if name in {"type", "level"} else "warning", problem)
