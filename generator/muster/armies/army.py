"""An army as a tree of nodes, each of a kind that says what its attributes are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from muster.armies.books import Book, Profile
from muster.armies.composition import LEADER, Composition
from muster.armies.fields import FieldValue, as_text, lower_first, read_field, show_field, with_noun
from muster.armies.vocabulary import Entry, FieldSpec, Option, Selector
from muster.systems import System
from muster.yamlfile import Document


@dataclass(slots=True, eq=False)
class NodeKind:
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
    parent: NodeKind | None
    cached_price: Any = None
    cached_contribution: Any = None
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
        spec = self.field_spec(name) or self.composition.spec(name)
        if spec is None and isinstance(found, str):
            return found.replace("-", " ")
        return show_field(found, spec.of if spec else {})

    def field_spec(self, name: str) -> FieldSpec | None:
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
        own = self.stated_value(name)
        if own is None:
            own = self._default(name)
        return own if own is not None else self._above(name)

    def stated_value(self, name: str) -> FieldValue | None:
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
        level: NodeKind | None = self
        while level is not None:
            written = self.composition.levels.get(level.level)
            if written is not None and name in written.fields:
                return _default_of(written.fields[name])
            level = level.parent
        return None

    def matches(self, selector: Selector) -> bool:
        """Tell whether a selector means nodes of this sort."""
        if selector.level is not None and selector.level != self.level:
            return False
        if selector.entry and (self.entry is None or self.entry.id not in selector.entry):
            return False
        if selector.options and not any(each.id in selector.options for each in self.options):
            return False
        return all(self.text(name) in wanted for name, wanted in selector.where.items())

    def stands_under(self, selector: Selector) -> bool:
        """Tell whether a selector means this sort or one that it stands under."""
        sort: NodeKind | None = self
        while sort is not None:
            if sort.matches(selector):
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

    @property
    def field_specs(self) -> Mapping[str, FieldSpec]:
        """The fields that a list may fill in: those of the level, then those of the type."""
        level = self.composition.levels.get(self.level)
        return {
            **(level.fields if level is not None else {}),
            **(self.entry.fields if self.entry is not None else {}),
        }

    @property
    def given_options(self) -> tuple[Option, ...]:
        """The options that come with the profile, whatever a list says."""
        return self.profile.options if self.profile is not None else ()

    def without_list(self) -> NodeKind:
        """Return the same kind without the fields and options that the list states."""
        return NodeKind(
            self.composition, self.level, self.entry, self.profile, self.book, (), {}, self.parent
        )


def _default_of(spec: FieldSpec) -> FieldValue | None:
    if spec.default is None:
        return None
    return read_field(spec.form, spec.of, spec.default)


KeyPath = tuple[str | int, ...]


def format_path(path: KeyPath) -> str:
    """Write a path the way findings name it: `commands[0].units[1]`, from 0; `army` for the top."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".") or "army"


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A unit, leader, work or level of command. `count` is how many such stand here, all alike.

    `order` counts the nodes from 0 as they stand in the file. `rolled` records the rolls that
    gave some of its values.
    """

    kind: NodeKind
    path: KeyPath
    name: str = ""
    notes: str = ""
    count: int = 1
    order: int = 0
    children: tuple[Node, ...] = ()
    rolled: str = ""

    @property
    def level(self) -> str:
        """The level's id; `leader` for leaders."""
        return self.kind.level

    @property
    def entry(self) -> Entry | None:
        """Its type; None for a level of command."""
        return self.kind.entry

    @property
    def profile(self) -> Profile | None:
        """Its profile in an army book, if it is one of a book."""
        return self.kind.profile

    @property
    def book(self) -> Book | None:
        """The army book that it is of: its own, or of the nearest level above."""
        return self.kind.book

    @property
    def title(self) -> str:
        """What it is: the title of its profile, its type, or its level."""
        return self.kind.title

    @property
    def entry_title(self) -> str:
        """The title of its type alone."""
        return self.kind.entry.title if self.kind.entry else self.kind.title

    @property
    def label(self) -> str:
        """What it is and what it is called: `Cuirassiers “Leib-Karabiniers”`."""
        return f"{self.title} “{self.name}”" if self.name else self.title

    @property
    def path_text(self) -> str:
        """Its place in the file, as findings and price lines name it."""
        return format_path(self.path)

    @property
    def parent_path(self) -> KeyPath:
        """The path of the node that it stands under."""
        return self.path[: -2 if self.path and isinstance(self.path[-1], int) else -1]

    @property
    def is_branch(self) -> bool:
        """Tell whether it is a level of command, even an empty one."""
        return self.kind.branch

    @property
    def fields(self) -> Mapping[str, FieldValue]:
        """What the list itself says of it; `Army.attribute` finds everything else too."""
        return self.kind.fields

    @property
    def options(self) -> tuple[str, ...]:
        """The ids of its options: those of its profile, then those of the list."""
        return tuple(option.id for option in self.kind.options)

    @property
    def option_titles(self) -> tuple[str, ...]:
        """The titles of its options."""
        return tuple(option.title for option in self.kind.options)

    @property
    def size(self) -> int:
        """Its main number, such as its stands; 0 if it has none."""
        entry = self.kind.entry
        found = self.kind.value(entry.size) if entry is not None and entry.size else None
        return found if isinstance(found, int) else 0

    @property
    def remark(self) -> str:
        """What a roster says below it: its notes, then its rolls."""
        rolled = f"Rolled: {self.rolled}" if self.rolled else ""
        return f"{self.notes} – {rolled}" if self.notes and rolled else self.notes or rolled

    @property
    def strength(self) -> str:
        """Its main number in words: `5 stands`; empty if it has none."""
        return self.format_size(self.size)

    def format_size(self, number: int) -> str:
        """Name a number of what its size counts: `13 stands`; empty if it has no size."""
        entry = self.kind.entry
        if entry is None or entry.size is None:
            return ""
        spec = entry.fields[entry.size]
        noun = lower_first(spec.title or entry.size)
        return with_noun(number, spec.one or noun, spec.many or noun)

    def walk(self) -> Iterator[Node]:
        """Go through this node and all below it, as they stand in the file."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True, slots=True, eq=False)
class Army:
    """An army list: its system, its book, its limit if it has one, and all its nodes."""

    system: System
    composition: Composition
    document: Document
    name: str
    root: Node
    limit: Decimal | None = None
    scale: str = ""

    @property
    def book(self) -> Book | None:
        """The army book of the list as a whole."""
        return self.root.book

    def book_of(self, node: Node) -> Book | None:
        """Give the army book of one node."""
        return node.book

    def attribute(self, node: Node, name: str) -> FieldValue | None:
        """Find a field, statistic or attribute of a node; None if nothing says it."""
        return attribute_of(node, name)

    def nodes(self) -> Iterator[Node]:
        """Go through all nodes, the army itself first."""
        return self.root.walk()

    def units(self) -> Iterator[Node]:
        """Go through everything of a bottom level that has an entry, save leaders."""
        return (node for node in self.nodes() if node.entry is not None and node.level != LEADER)

    def attribute_values(self) -> dict[str, frozenset[str]]:
        """Gather what the army's nodes are: attribute -> every value that one of them has."""
        names = {"type", "unit", "level", "book", "nation", "scale"}
        for level in self.composition.levels.values():
            names |= set(level.fields)
        for entry in self.composition.entries.values():
            names |= {*entry.attributes, *entry.fields}
        for option in self.composition.options.values():
            names |= set(option.attributes)
        sorts = {id(node.kind): node.kind for node in self.nodes() if node.entry is not None}
        for sort in sorts.values():
            if sort.profile is not None:
                names |= {*sort.profile.attributes, *sort.profile.stats}
            if sort.book is not None:
                names |= set(sort.book.attributes)
        found: dict[str, set[str]] = {name: set() for name in names}
        for sort in sorts.values():
            for name in names:
                if said := as_text(sort.value(name)):
                    found[name].add(said)
        return {name: frozenset(values) for name, values in sorted(found.items()) if values}


def attribute_of(node: Node, name: str) -> FieldValue | None:
    """Find a field, statistic or attribute of a node.

    What the list says comes first, then its options, its profile, its type, then all that it
    stands under, then its book. `type`, `unit`, `level` and `book` are always there.
    """
    return node.kind.value(name)
