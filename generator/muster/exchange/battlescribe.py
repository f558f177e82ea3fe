"""BattleScribe data as its files have it: entries with what they link to, modifiers, costs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from muster.exchange.safe_xml import Element, read_xml_files
from muster.problems import Location, MusterError, Problem

SUFFIXES = (".gst", ".cat")
SPACE = "http://www.battlescribe.net/schema/"
"""What the namespaces begin with; the rest is the kind of file."""

LIMIT = "limit::"
"""What stands before the cost type in a field that means the army's limit."""

RULE = "rule."
"""What the ids of categories begin with that Muster's own export makes of a rule.

Their comments hold the rule's message, and what they count is their name.
"""

_MAX_LINKS = 20
_WORD = 40
"""The longest word that a column of a table has room for."""
_NUMBER = re.compile(r"[+-]?([0-9]{1,9}(\.[0-9]{0,20})?|\.[0-9]{1,20})")
_FOUR_PLACES = Decimal("0.0001")


class UnsupportedError(Exception):
    """Raised for what one of the two programs cannot say; the text says what that is."""


@dataclass(frozen=True, slots=True)
class Omission:
    """Something that Muster's vocabulary cannot say, or that is not carried over, and where.

    `kind` groups omissions of one sort; `name` and `id` are those of the entry.
    """

    kind: str
    text: str
    name: str
    id: str
    location: Location

    def __str__(self) -> str:
        """Return it in one line: place, name, id and reason."""
        return f"{self.location}: {self.name} [{self.id}]: {self.text}"


@dataclass(frozen=True, slots=True)
class EntryModifier:
    """A modifier with the conditions of its groups: all must hold, and each may be a group."""

    element: Element
    conditions: tuple[Element, ...]
    repeats: tuple[Element, ...]

    @property
    def is_plain(self) -> bool:
        """Whether it applies always, and once."""
        return not self.conditions and not self.repeats


@dataclass(slots=True, eq=False)
class LinkedEntry:
    """An entry or a group, together with what its link adds to it: the link stands first."""

    elements: tuple[Element, ...]

    @property
    def id(self) -> str:
        """The id of the link, or of the entry itself."""
        return self.elements[0].get("id")

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the link and of what it leads to."""
        return tuple(element.get("id") for element in self.elements)

    @property
    def name(self) -> str:
        """The name of the link, else of the entry: never empty, and without words too long."""
        name = next((e.get("name") for e in self.elements if e.get("name")), "") or "Unnamed"
        words = (word if len(word) <= _WORD else f"{word[: _WORD - 1]}…" for word in name.split())
        return " ".join(words)

    @property
    def is_group(self) -> bool:
        """Whether it is a group of entries, of which some are chosen."""
        return self.elements[-1].name == "selectionEntryGroup"

    @property
    def kind(self) -> str:
        """What an entry is: `unit`, `model` or `upgrade`."""
        return self.elements[-1].get("type")

    @property
    def is_hidden(self) -> bool:
        """Whether it is hidden, unless a modifier shows it under conditions."""
        hidden = any(element.get("hidden") == "true" for element in self.elements)
        for modifier in self.modifiers():
            if modifier.is_plain and modifier.element.get("field") == "hidden":
                hidden = modifier.element.get("value") == "true"
        return hidden

    @property
    def location(self) -> Location:
        """The place of the link or the entry."""
        return self.elements[0].location

    def all(self, *names: str) -> Iterator[Element]:
        """Yield the elements at a path of names, of the entry, then of its links."""
        for element in reversed(self.elements):
            yield from element.all(*names)

    def modifiers(self) -> Iterator[EntryModifier]:
        """Yield all modifiers, those of groups with the conditions of these."""
        for element in reversed(self.elements):
            yield from _modifiers_of(element, (), ())

    def categories(self) -> list[Element]:
        """Return its category links."""
        return list(self.all("categoryLinks", "categoryLink"))

    def primary_category(self) -> str:
        """Return the id of the category that it is listed under, else an empty text."""
        links = self.categories()
        return next((c.get("targetId") for c in reversed(links) if c.get("primary") == "true"), "")


def _modifiers_of(
    element: Element, conditions: tuple[Element, ...], repeats: tuple[Element, ...]
) -> Iterator[EntryModifier]:
    for modifier in element.all("modifiers", "modifier"):
        yield EntryModifier(
            modifier,
            (*conditions, *_conditions_of(modifier)),
            (*repeats, *modifier.all("repeats", "repeat")),
        )
    for group in element.all("modifierGroups", "modifierGroup"):
        yield from _modifiers_of(
            group,
            (*conditions, *_conditions_of(group)),
            (*repeats, *group.all("repeats", "repeat")),
        )


def _conditions_of(element: Element) -> tuple[Element, ...]:
    return (
        *element.all("conditions", "condition"),
        *element.all("conditionGroups", "conditionGroup"),
    )


@dataclass(slots=True, eq=False)
class DataSet:
    """A game system with its catalogues, and all of their elements by id."""

    system: Element
    catalogues: list[Element]
    by_id: dict[str, Element] = field(default_factory=dict)
    omissions: list[Omission] = field(default_factory=list)

    def omit(self, kind: str, text: str, of: LinkedEntry | Element) -> None:
        """Record that something is not carried over."""
        name, key = (
            (of.name, of.id) if isinstance(of, LinkedEntry) else (of.get("name"), of.get("id"))
        )
        self.omissions.append(Omission(kind, text, name or "?", key or "?", of.location))

    def resolve(self, element: Element) -> LinkedEntry | None:
        """Return an entry or group with what it links to; None, recorded, if that is missing."""
        elements = [element]
        while elements[-1].name == "entryLink":
            target = self.by_id.get(elements[-1].get("targetId"))
            if target is None or len(elements) > _MAX_LINKS:
                known = "no entry of the files has the id" if target is None else "links lead to"
                text = f"{known} {elements[-1].get('targetId')!r}"
                self.omit("missing-link", f"{text}; name its file too", element)
                return None
            elements.append(target)
        return LinkedEntry(tuple(elements))

    def children(self, selection: LinkedEntry) -> Iterator[LinkedEntry]:
        """Yield the entries and groups within an entry or group, in the order of the file."""
        for part in ("selectionEntries", "selectionEntryGroups", "entryLinks"):
            for holder in selection.all(part):
                for child in holder.children:
                    found = self.resolve(child)
                    if found is not None:
                        yield found

    def root_entries(self, catalogue: Element) -> Iterator[LinkedEntry]:
        """Yield what may be chosen from a catalogue: its own entries, imported, the system's."""
        for element in self._roots(catalogue, {catalogue.get("id")}, imported=False):
            found = self.resolve(element)
            if found is not None:
                yield found

    def _roots(self, holder: Element, seen: set[str], *, imported: bool) -> Iterator[Element]:
        for part in ("selectionEntries", "entryLinks"):
            for element in (each for parts in holder.all(part) for each in parts.children):
                if not imported or element.get("import", "true") == "true":
                    yield element
        for link in holder.all("catalogueLinks", "catalogueLink"):
            target = self.by_id.get(link.get("targetId"))
            if target is None:
                self.omit("missing-link", "the catalogue that this links to is not given", link)
            elif link.get("importRootEntries") == "true" and target.get("id") not in seen:
                seen.add(target.get("id"))
                yield from self._roots(target, seen, imported=True)
        if not imported:
            yield from self._roots(self.system, seen, imported=True)

    def cost_type(self) -> Element | None:
        """Return the type of cost that armies are limited by: points, or the first."""
        types = list(self.system.all("costTypes", "costType"))
        types += [t for each in self.catalogues for t in each.all("costTypes", "costType")]
        named = [t for t in types if t.get("name").strip().lower() in _POINTS]
        return next(iter([*named, *types]), None)


_POINTS = {"pts", "pts.", "points", "point", "pt", "punkte"}


def number_of(element: Element, key: str = "value", default: str = "") -> Decimal:
    """Return the number that an attribute holds, rounded to four places.

    Raises:
        UnsupportedError: If it is not a number, or has more than nine digits before the point.
    """
    text = element.get(key, default)
    if not _NUMBER.fullmatch(text):
        place = f"`{key}` of the {element.name} in line {element.line}"
        expected = "expected a number of at most nine digits, such as 12 or 2.5"
        raise UnsupportedError(f"read {text[:40]!r} as {place}, {expected}")
    return Decimal(text).quantize(_FOUR_PLACES).normalize() + 0


def read_data_set(paths: Sequence[Path]) -> DataSet:
    """Return the game system and the catalogues of BattleScribe files, zipped or not.

    Raises:
        MusterError: If a file cannot be read or is neither, or there is not just one game system.
    """
    systems: list[Element] = []
    catalogues: list[Element] = []
    for root in read_xml_files(paths, SUFFIXES):
        if not root.space.startswith(SPACE) or root.name not in {"gameSystem", "catalogue"}:
            text = f"read the element {root.name!r}, expected a gameSystem or a catalogue"
            example = f'<catalogue xmlns="{SPACE}catalogueSchema" …>'
            raise MusterError([Problem("no-battlescribe", text, root.location, "", example)])
        (systems if root.name == "gameSystem" else catalogues).append(root)
    if len(systems) != 1:
        text = f"read {len(systems)} game systems, expected one file such as game.gst"
        place = systems[1].location if systems else Location(str(paths[0]))
        raise MusterError([Problem("no-game-system", text, place)])
    data = DataSet(systems[0], catalogues)
    for root in (*systems, *catalogues):
        for element in root.walk():
            key = element.attributes.get("id")
            if key:
                data.by_id.setdefault(key, element)
    return data
