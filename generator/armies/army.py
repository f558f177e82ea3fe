"""Owns an army as it has been read: a tree of nodes, each with its place in the file.

Does not read files (see `roll_call`) and does not judge (see `verdict`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from generator.armies.books import Book, Profile
from generator.armies.composition import LEADER, Composition
from generator.armies.fields import FieldValue, as_text
from generator.armies.sort import Sort
from generator.armies.vocabulary import Entry
from generator.armies.words import counted, lower
from generator.reading import Document
from generator.systems import System

Path = tuple[str | int, ...]


def written_path(path: Path) -> str:
    """Write a path the way findings name it: `commands[0].units[1]`, from 0; `army` for the top."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".") or "army"


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A unit, leader, work or level of command. `count` is how many such stand here, all alike.

    `order` counts the nodes from 0 as they stand in the file. `rolled` records the rolls that
    gave some of its values.
    """

    sort: Sort
    path: Path
    name: str = ""
    notes: str = ""
    count: int = 1
    order: int = 0
    children: tuple[Node, ...] = ()
    rolled: str = ""

    @property
    def level(self) -> str:
        """The level's id; `leader` for leaders."""
        return self.sort.level

    @property
    def entry(self) -> Entry | None:
        """Its type; None for a level of command."""
        return self.sort.entry

    @property
    def profile(self) -> Profile | None:
        """Its profile in an army book, if it is one of a book."""
        return self.sort.profile

    @property
    def book(self) -> Book | None:
        """The army book that it is of: its own, or of the nearest level above."""
        return self.sort.book

    @property
    def title(self) -> str:
        """What it is: the title of its profile, its type, or its level."""
        return self.sort.title

    @property
    def entry_title(self) -> str:
        """The title of its type alone."""
        return self.sort.entry.title if self.sort.entry else self.sort.title

    @property
    def label(self) -> str:
        """What it is and what it is called: `Cuirassiers “Leib-Karabiniers”`."""
        return f"{self.title} “{self.name}”" if self.name else self.title

    @property
    def place(self) -> str:
        """Its place in the file, as findings and price lines name it."""
        return written_path(self.path)

    @property
    def parent_path(self) -> Path:
        """The path of the node that it stands under."""
        return self.path[: -2 if self.path and isinstance(self.path[-1], int) else -1]

    @property
    def is_branch(self) -> bool:
        """Tell whether it is a level of command, even an empty one."""
        return self.sort.branch

    @property
    def fields(self) -> Mapping[str, FieldValue]:
        """What the list itself says of it; `Army.attribute` finds everything else too."""
        return self.sort.fields

    @property
    def options(self) -> tuple[str, ...]:
        """The ids of its options: those of its profile, then those of the list."""
        return tuple(option.id for option in self.sort.options)

    @property
    def option_titles(self) -> tuple[str, ...]:
        """The titles of its options."""
        return tuple(option.title for option in self.sort.options)

    @property
    def size(self) -> int:
        """Its main number, such as its stands; 0 if it has none."""
        entry = self.sort.entry
        found = self.sort.value(entry.size) if entry is not None and entry.size else None
        return found if isinstance(found, int) else 0

    @property
    def remark(self) -> str:
        """What a roster says below it: its notes, then its rolls."""
        rolled = f"Rolled: {self.rolled}" if self.rolled else ""
        return f"{self.notes} – {rolled}" if self.notes and rolled else self.notes or rolled

    @property
    def strength(self) -> str:
        """Its main number in words: `5 stands`; empty if it has none."""
        return self.measured(self.size)

    def measured(self, number: int) -> str:
        """Name a number of what its size counts: `13 stands`; empty if it has no size."""
        entry = self.sort.entry
        if entry is None or entry.size is None:
            return ""
        spec = entry.fields[entry.size]
        noun = lower(spec.title or entry.size)
        return counted(number, spec.one or noun, spec.many or noun)

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
        return attribute(node, name)

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
        sorts = {id(node.sort): node.sort for node in self.nodes() if node.entry is not None}
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


def attribute(node: Node, name: str) -> FieldValue | None:
    """Find a field, statistic or attribute of a node.

    What the list says comes first, then its options, its profile, its type, then all that it
    stands under, then its book. `type`, `unit`, `level` and `book` are always there.
    """
    return node.sort.value(name)
