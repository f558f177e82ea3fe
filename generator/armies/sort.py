"""Owns sorts of node: what is the same for all nodes alike, however many stand in an army.

Does not know names, counts or places; those are a `Node`'s own. Everything that a rule can ask
of a single node follows from its sort, so it is worked out once a sort and not once a node.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from generator.armies.books import Book, Profile
from generator.armies.composition import LEADER, Composition
from generator.armies.fields import FieldValue, as_text, read_field, show
from generator.armies.vocabulary import Entry, FieldSpec, Option, Selector


@dataclass(slots=True, eq=False)
class Sort:
    """What nodes have in common: entry, profile, options, fields, and the sort they stand under.

    `fields` holds what the list says; `value` finds everything else too. `priced` and `imprint`
    are kept by `pricing` and `tally`, which work them out.
    """

    composition: Composition
    level: str
    entry: Entry | None
    profile: Profile | None
    book: Book | None
    options: tuple[Option, ...]
    fields: Mapping[str, FieldValue]
    parent: Sort | None
    priced: Any = None
    imprint: Any = None
    _known: dict[str, FieldValue | None] = field(default_factory=dict)

    def value(self, name: str) -> FieldValue | None:
        """Find a field or attribute; None if nothing says it.

        The list's own words come first, then those of its options, its profile, its type, then
        what a field is unless somebody says otherwise, then all above it, and its book.
        """
        try:
            return self._known[name]
        except KeyError:
            found = self._known[name] = self._find(name)
            return found

    def text(self, name: str) -> str:
        """Give a field or attribute as a file writes it; empty if nothing says it."""
        return as_text(self.value(name))

    def shown(self, name: str) -> str:
        """Give a field or attribute as a page shows it: the title of a choice, not its id."""
        found = self.value(name)
        spec = self.spec(name) or self.composition.spec(name)
        if spec is None and isinstance(found, str):
            return found.replace("-", " ")
        return show(found, spec.of if spec else {})

    def spec(self, name: str) -> FieldSpec | None:
        """Find the field of that name that this node itself takes."""
        if self.entry is not None and name in self.entry.fields:
            return self.entry.fields[name]
        level = self.composition.levels.get(self.level)
        if level is not None and name in level.fields:
            return level.fields[name]
        return self.composition.written.profile.get(name) if self.profile else None

    def _find(self, name: str) -> FieldValue | None:
        match name:
            case "level":
                return self.level
            case "type":
                return self.entry.id if self.entry else None
            case "unit":
                return self.profile.id if self.profile else (self.entry.id if self.entry else None)
            case "book":
                return self.book.id if self.book else None
        own = self.said(name)
        if own is None:
            own = self._default(name)
        return own if own is not None else self._above(name)

    def said(self, name: str) -> FieldValue | None:
        """Find what the list, its options, its profile or its type say of a name, no default."""
        if name in self.fields:
            return self.fields[name]
        for option in self.options:
            if name in option.attributes:
                return option.attributes[name]
        if self.profile is not None:
            for said in (self.profile.attributes, self.profile.fields, self.profile.stats):
                if name in said:
                    return said[name]
        if self.entry is not None:
            return self.entry.attributes.get(name)
        return None

    def _default(self, name: str) -> FieldValue | None:
        if self.entry is not None and name in self.entry.fields:
            return _default_of(self.entry.fields[name])
        return None

    def _above(self, name: str) -> FieldValue | None:
        above = self.parent
        while above is not None:
            if name in above.fields:
                return above.fields[name]
            above = above.parent
        if self.book is not None:
            if name in self.book.attributes:
                return self.book.attributes[name]
            if name == "nation" and self.book.nation:
                return self.book.nation
        level: Sort | None = self
        while level is not None:
            written = self.composition.levels.get(level.level)
            if written is not None and name in written.fields:
                return _default_of(written.fields[name])
            level = level.parent
        return None

    def is_a(self, selector: Selector) -> bool:
        """Tell whether a selector means nodes of this sort."""
        if selector.level is not None and selector.level != self.level:
            return False
        if selector.entry and (self.entry is None or self.entry.id not in selector.entry):
            return False
        if selector.options and not any(each.id in selector.options for each in self.options):
            return False
        return all(self.text(name) in wanted for name, wanted in selector.where.items())

    def under_a(self, selector: Selector) -> bool:
        """Tell whether a selector means this sort or one that it stands under."""
        sort: Sort | None = self
        while sort is not None:
            if sort.is_a(selector):
                return True
            sort = sort.parent
        return False

    @property
    def title(self) -> str:
        """What a player calls it: its profile, its type, or its level."""
        if self.profile is not None:
            return self.profile.title
        if self.entry is not None:
            return self.entry.title
        level = self.composition.levels.get(self.level)
        return level.title if level else ""

    @property
    def branch(self) -> bool:
        """Tell whether it is a level of command, which others stand under."""
        return self.level != LEADER and self.entry is None


def _default_of(spec: FieldSpec) -> FieldValue | None:
    if spec.default is None:
        return None
    return read_field(spec.form, spec.of, spec.default)
