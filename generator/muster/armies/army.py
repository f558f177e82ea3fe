"""An army as a tree of nodes, and the node kinds that hold what equal nodes share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from muster.armies.books import Book, Profile
from muster.armies.caches import Cache
from muster.armies.composition import Composition
from muster.armies.fields import FieldValue, as_text, lower_first, read_field, show_field, with_noun
from muster.armies.vocabulary import LEADER, Entry, FieldSpec, Option, Selector
from muster.languages import quoted, say
from muster.systems import System
from muster.systems.pictures import PictureFile
from muster.yamlfile import Document, KeyPath


@dataclass(slots=True, eq=False)
class NodeKind:
    """The shared properties of equal nodes: entry, profile, book, options, fields, kind above.

    `entry` is the type of a unit or leader, and None for a level of command. `fields` holds only
    what the list states; `value` returns everything else too.
    """

    composition: Composition
    level: str
    entry: Entry | None
    profile: Profile | None
    book: Book | None
    options: tuple[Option, ...]
    fields: Mapping[str, FieldValue]
    parent: NodeKind | None
    granted: Mapping[str, str] = field(default_factory=dict)
    """Attributes that the state of its army gives."""
    cache: Cache = field(default_factory=Cache, init=False)
    _values: dict[str, FieldValue | None] = field(default_factory=dict, init=False)

    def value(self, name: str) -> FieldValue | None:
        """Return a field or attribute; None if nothing states it.

        The list itself comes first, then what the state of the army gives, the options, the
        profile, the type, the default of a field, the levels above with their books (the nearest
        first), and the defaults of the fields of its own level and of those above. `level`,
        `type`, `unit` and `book` are
        attributes of every node; of these only `level` always has a value.
        """
        try:
            return self._values[name]
        except KeyError:
            value = self._values[name] = self._look_up(name)
            return value

    def text(self, name: str) -> str:
        """Return a field or attribute as a file writes it; empty if nothing states it."""
        return as_text(self.value(name))

    def shown(self, name: str) -> str:
        """Return a field or attribute as a page shows it: the title of a choice, not its id."""
        value = self.value(name)
        spec = self.field_spec(name) or self.composition.spec(name)
        if spec is None and isinstance(value, str):
            return self.composition.word_for(name, value)
        return show_field(value, spec.of if spec else {})

    def field_spec(self, name: str) -> FieldSpec | None:
        """Return the field of that name that nodes of this kind take; None if they take none."""
        if self.entry is not None and name in self.entry.fields:
            return self.entry.fields[name]
        level = self.composition.levels.get(self.level)
        if level is not None and name in level.fields:
            return level.fields[name]
        return self.composition.written.profile.get(name) if self.profile else None

    def _look_up(self, name: str) -> FieldValue | None:
        match name:
            case "level":
                return self.level
            case "type":
                return self.entry.id if self.entry else None
            case "unit":
                return self.profile.id if self.profile else (self.entry.id if self.entry else None)
            case "book":
                return self.book.id if self.book else None
        value = self.stated_value(name)
        if value is None:
            value = self._default_value(name)
        return value if value is not None else self._inherited_value(name)

    def stated_value(self, name: str) -> FieldValue | None:
        """Return what the list, a grant, an option, the profile or the type says, else None."""
        if name in self.fields:
            return self.fields[name]
        if name in self.granted:
            return self.granted[name]
        for option in self.options:
            if name in option.attributes:
                return option.attributes[name]
        if self.profile is not None:
            profile = self.profile
            for stated in (profile.attributes, profile.fields, profile.stats):
                if name in stated:
                    return stated[name]
        if self.entry is not None:
            return self.entry.attributes.get(name)
        return None

    def _default_value(self, name: str) -> FieldValue | None:
        if self.entry is not None and name in self.entry.fields:
            return _default_of(self.entry.fields[name])
        return None

    def _inherited_value(self, name: str) -> FieldValue | None:
        kind: NodeKind | None = self
        while kind is not None:
            if kind is not self and name in kind.fields:
                return kind.fields[name]
            # The attributes of a book hold where it was chosen, not again at each level below.
            chosen = kind.book if kind.parent is None or kind.book is not kind.parent.book else None
            if chosen is not None:
                if name in chosen.attributes:
                    return chosen.attributes[name]
                if name == "nation" and chosen.nation:
                    return chosen.nation
            kind = kind.parent
        level: NodeKind | None = self
        while level is not None:
            written = self.composition.levels.get(level.level)
            if written is not None and name in written.fields:
                return _default_of(written.fields[name])
            level = level.parent
        return None

    def matches(self, selector: Selector, *, whatever_options: bool = False) -> bool:
        """Return whether a selector matches nodes of this kind, `whatever_options` they have."""
        if selector.level is not None and selector.level != self.level:
            return False
        if selector.entry and (self.entry is None or self.entry.id not in selector.entry):
            return False
        named = () if whatever_options else selector.options
        if named and not any(option.id in named for option in self.options):
            return False
        return all(self.text(name) in values for name, values in selector.where.items())

    def stands_under(self, selector: Selector) -> bool:
        """Return whether a selector matches this kind or one that it stands under."""
        kind: NodeKind | None = self
        while kind is not None:
            if kind.matches(selector):
                return True
            kind = kind.parent
        return False

    @property
    def title(self) -> str:
        """The title of the profile, the type, or the level."""
        if self.profile is not None:
            return self.profile.title
        if self.entry is not None:
            return self.entry.title
        level = self.composition.levels.get(self.level)
        return level.title if level else ""

    @property
    def is_branch(self) -> bool:
        """Whether it is a level of command, which other nodes stand under."""
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


def format_path(path: KeyPath) -> str:
    """Format a path as findings show it: `commands[0].units[1]`, from 0; `army` for the top."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".") or "army"


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A unit, leader, field work or level of command.

    `count` is how many equal units the entry stands for. `order` numbers the nodes of the file
    from 0. `rolled` records the dice rolls that gave some of the values.
    """

    kind: NodeKind
    path: KeyPath
    name: str = ""
    notes: str = ""
    count: int = 1
    order: int = 0
    children: tuple[Node, ...] = ()
    rolled: str = ""
    own_picture: PictureFile | None = None
    """The picture that the list itself names."""

    @property
    def picture(self) -> PictureFile | None:
        """The nearest picture: that of the list, of the unit in its book, or of its type."""
        if self.own_picture is not None:
            return self.own_picture
        if self.profile is not None and self.profile.picture is not None:
            return self.profile.picture
        return self.kind.composition.pictures.get(self.entry.id) if self.entry else None

    @property
    def level(self) -> str:
        """The id of the level; `leader` for leaders."""
        return self.kind.level

    @property
    def entry(self) -> Entry | None:
        """The type; None for a level of command."""
        return self.kind.entry

    @property
    def profile(self) -> Profile | None:
        """The unit of an army book that it is, if any."""
        return self.kind.profile

    @property
    def book(self) -> Book | None:
        """The army book: its own, or that of the nearest level above."""
        return self.kind.book

    @property
    def title(self) -> str:
        """The title of the profile, the type, or the level."""
        return self.kind.title

    @property
    def entry_title(self) -> str:
        """The title of the type, even where a profile has another."""
        return self.kind.entry.title if self.kind.entry else self.kind.title

    @property
    def label(self) -> str:
        """The title and the name: `Cuirassiers “Leib-Karabiniers”`."""
        return f"{self.title} {quoted(self.name)}" if self.name else self.title

    @property
    def path_text(self) -> str:
        """The path as text, as findings and price lines show it."""
        return format_path(self.path)

    @property
    def parent_path(self) -> KeyPath:
        """The path of the node above."""
        return self.path[: -2 if self.path and isinstance(self.path[-1], int) else -1]

    @property
    def is_branch(self) -> bool:
        """Whether it is a level of command, even an empty one."""
        return self.kind.is_branch

    @property
    def fields(self) -> Mapping[str, FieldValue]:
        """The fields that the list itself states; `value` returns everything else too."""
        return self.kind.fields

    @property
    def options(self) -> tuple[str, ...]:
        """The ids of the options: those of the profile, then those of the list."""
        return tuple(option.id for option in self.kind.options)

    @property
    def option_titles(self) -> tuple[str, ...]:
        """The titles of the options."""
        return tuple(option.title for option in self.kind.options)

    @property
    def size(self) -> int:
        """The main number, such as the number of stands; 0 if there is none."""
        entry = self.kind.entry
        size = self.kind.value(entry.size) if entry is not None and entry.size else None
        return size if isinstance(size, int) else 0

    @property
    def remark(self) -> str:
        """The text that a roster prints below it: its notes, then its rolls."""
        rolled = say("Rolled: {dice}", dice=self.rolled) if self.rolled else ""
        return f"{self.notes} – {rolled}" if self.notes and rolled else self.notes or rolled

    @property
    def strength(self) -> str:
        """The main number with its noun: `5 stands`; empty if there is none."""
        return self.format_size(self.size)

    def format_size(self, number: int) -> str:
        """Format a number with the noun of the size: `13 stands`; empty if there is no size."""
        entry = self.kind.entry
        if entry is None or entry.size is None:
            return ""
        spec = entry.fields[entry.size]
        noun = lower_first(spec.title or entry.size)
        return with_noun(number, spec.one or noun, spec.many or noun)

    def value(self, name: str) -> FieldValue | None:
        """Return a field, statistic or attribute, as `NodeKind.value` does."""
        return self.kind.value(name)

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below it, in the order of the file."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True, slots=True, eq=False)
class Army:
    """An army list: its system, its file, its limit if it has one, and all its nodes."""

    system: System
    composition: Composition
    document: Document
    name: str
    root: Node
    limit: Decimal | None = None
    scale: str = ""
    has_event_limit: bool = False
    """Whether the limit is that of an event, not the army's own."""
    player: str = ""
    """Who plays it, for its roster."""

    @property
    def book(self) -> Book | None:
        """The army book of the list as a whole."""
        return self.root.book

    def nodes(self) -> Iterator[Node]:
        """Yield all nodes, the army itself first."""
        return self.root.walk()

    def units(self) -> Iterator[Node]:
        """Yield all units and field works: all that have an entry, except leaders."""
        return (node for node in self.nodes() if node.entry is not None and node.level != LEADER)
