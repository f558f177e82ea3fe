"""Owns what a node could say of itself, worked out from the composition and books alone.

Does not look at an army; `lint` asks here whether a reference can ever be followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from generator.armies.books import Book
from generator.armies.composition import LEADER, Composition
from generator.armies.fields import absent, as_text
from generator.armies.soundness import ALWAYS
from generator.armies.vocabulary import Entry, FieldSpec, Selector

Wanted = Mapping[str, Sequence[str]]
"""Attribute -> the values that will do; all attributes must match."""


@dataclass(frozen=True, slots=True)
class Possible:
    """The values that an attribute can have; *open_ended* when a list may write others."""

    values: frozenset[str]
    open_ended: bool = False

    def within(self, wanted: Iterable[str]) -> Possible:
        """Give what is left when only some values will do."""
        chosen = frozenset(wanted)
        return Possible(chosen if self.open_ended else self.values & chosen)


class Prospects:
    """What entries of a composition can be, with the books in reach."""

    def __init__(self, composition: Composition, books: Sequence[Book]) -> None:
        self.composition = composition
        self.books = books

    @property
    def names(self) -> frozenset[str]:
        """Every attribute and field that anything can have."""
        written = self.composition.written
        names = {*ALWAYS, *written.profile}
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

    def of(self, entry: Entry, name: str) -> Possible:
        """Give what an entry's nodes can say when asked for a name."""
        if name in ALWAYS:
            return _always(entry, name)
        own = self._own(entry, name)
        if name in entry.attributes or name in entry.fields:
            return own
        above = self.above(name)
        return Possible(own.values | above.values, own.open_ended or above.open_ended)

    def _own(self, entry: Entry, name: str) -> Possible:
        specs = (entry.fields, self.composition.written.profile)
        stated = [_of_field(each[name]) for each in specs if name in each]
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
                        if found is not None and not absent(found):
                            values.add(as_text(found))
        return Possible(frozenset(values), open_ended)

    def above(self, name: str) -> Possible:
        """Give what levels of command and books can say of a name to all below them."""
        values: set[str] = set()
        open_ended = False
        for level in self.composition.written.levels:
            if name in level.fields:
                listed = _of_field(level.fields[name])
                values |= listed.values
                open_ended = open_ended or listed.open_ended
        for book in self.books:
            if name in book.attributes:
                values.add(book.attributes[name])
        return Possible(frozenset(values), open_ended)

    def entries(
        self, level: str = "", wanted: Wanted | None = None, among: Sequence[str] = ()
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
        if level and level != LEADER and level not in self.composition.bottom:
            return []
        return self.entries(level, selector.where, selector.entry)


def _always(entry: Entry, name: str) -> Possible:
    """Give what every node says; books of somebody else's have ids and nations of their own."""
    if name == "type":
        return Possible(frozenset({entry.id}))
    if name == "level":
        return Possible(frozenset({entry.level}))
    return Possible(frozenset(), open_ended=True)


def _of_field(spec: FieldSpec) -> Possible:
    """Give what a list can write into a field: choices are known, numbers and words are not."""
    if spec.form == "choice":
        return Possible(frozenset(spec.of))
    if spec.form == "flag":
        return Possible(frozenset({"true", "false"}))
    return Possible(frozenset(), open_ended=True)
