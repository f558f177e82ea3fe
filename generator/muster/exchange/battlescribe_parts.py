"""What an import of BattleScribe data collects: units, their parts, options, numbers allowed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any, Literal, NamedTuple

from muster.exchange.battlescribe import (
    DataSet,
    EntryModifier,
    LinkedEntry,
    UnsupportedError,
    number_of,
)
from muster.exchange.safe_xml import Element
from muster.limits import MAX_IMPORTED_PARTS
from muster.problems import MusterError, Problem

_RESERVED = frozenset(
    {"name", "count", "options", "notes", "book", "picture", "rolled", "unit", "level", "type"}
    | {"kind", "number", "points", "system", "limit", "slot", "scale", "nation", "player"}
)
"""Keys of army files and attributes that no field of a unit may take the name of."""

ARMY = "army"
FORCE = "force"
UNIT = "unit"
KIND = "kind"
"""The field of a force that says which of the system's forces it is."""

_MOST_FIELDS = 50
_TRIED = 20
"""Up to this number names are numbered one after the other."""

LABEL = 300
"""The greatest number of characters of a title."""
_OTHER_LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d"})


def slug(name: str, most: int = 36) -> str:
    """Return a name as an id, never empty: `Müller (2)` becomes `muller-2`."""
    letters = unicodedata.normalize("NFKD", name.casefold().translate(_OTHER_LETTERS))
    plain = "".join(char for char in letters if not unicodedata.combining(char))
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:most].strip("-") or "unnamed"


def unique(wanted: str, taken: set[str]) -> str:
    """Return an id that is not taken yet, with a number if need be, and take it."""
    found, number = wanted, 1
    while found in taken:
        # Hostile data may have a name many thousand times.
        number = number + 1 if number < _TRIED else max(number + 1, len(taken))
        found = f"{wanted}-{number}"
    taken.add(found)
    return found


class BoundChange(NamedTuple):
    """A value that a bound has instead, while its modifier's conditions hold."""

    modifier: EntryModifier
    value: Decimal


@dataclass(slots=True)
class Bound:
    """The least or the greatest number that is allowed, and what it becomes under conditions."""

    value: Decimal | None = None
    changes: list[BoundChange] = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        """Whether it is a maximum that never holds: one below 0 is none."""
        return not self.changes and self.value is not None and self.value < 0

    def ends(self) -> list[Decimal]:
        """Return every value that it may have."""
        return [each for each in (self.value, *(c.value for c in self.changes)) if each is not None]


@dataclass(slots=True)
class Bounds:
    """How many of something are allowed in what it stands in."""

    least: Bound = field(default_factory=Bound)
    most: Bound = field(default_factory=Bound)

    @property
    def low(self) -> int:
        """The least number that may ever be allowed."""
        if self.least.value is None:
            return 0
        return int(min(self.least.ends()).to_integral_value(ROUND_CEILING))

    @property
    def high(self) -> int | None:
        """The greatest number that may ever be allowed; None without a limit."""
        if self.most.value is None or min(self.most.ends()) < 0:
            return None
        return int(max(self.most.ends()).to_integral_value(ROUND_FLOOR))

    @property
    def is_fixed(self) -> bool:
        """Whether just one number is allowed, always."""
        plain = not self.least.changes and not self.most.changes
        return plain and self.high is not None and self.low == self.high


class Part(NamedTuple):
    """An option, a field with a number, or a value of a field with a choice, of a type of unit."""

    kind: Literal["option", "field", "choice"]
    key: str
    value: str = ""


class ImportedPrice(NamedTuple):
    """What something costs: points, and points for each of what other entries are taken."""

    points: Decimal
    rates: tuple[tuple[str, Decimal], ...] = ()
    """The ids of those entries, each with the points for one."""

    def plus(self, other: ImportedPrice, times: int = 1) -> ImportedPrice:
        """Return the sum of this price and some times another."""
        more = tuple((key, points * times) for key, points in other.rates)
        return ImportedPrice(self.points + other.points * times, self.rates + more)


class Holder(NamedTuple):
    """What parts stand in: the unit (no part), or a part of it, `times` over."""

    part: Part | None = None
    times: int = 1


@dataclass(slots=True, eq=False)
class UnitDraft:
    """A type of unit in the making."""

    id: str
    title: str
    selection: LinkedEntry
    base: ImportedPrice
    fields: dict[str, dict[str, Any]] = field(default_factory=dict)
    prices: dict[Part, ImportedPrice] = field(default_factory=dict)
    """What its fields, and the values of its choices, cost."""
    options: dict[str, None] = field(default_factory=dict)
    option_numbers: dict[str, int] = field(default_factory=dict)
    """How many options of each name it has."""
    allowances: dict[str, int] = field(default_factory=dict)
    """How many more of something each of it allows, by the fields that say so."""
    size: str = ""
    stats: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=lambda: set(_RESERVED))


@dataclass(slots=True)
class OptionDraft:
    """An option in the making: units share it by its name, each at a price of its own."""

    id: str
    title: str
    prices: dict[str, ImportedPrice] = field(default_factory=dict)
    """What it costs each unit, by the ids of these."""


class Collected:
    """What an import has collected, and what its readers ask of the data."""

    def __init__(self, data: DataSet) -> None:
        self.data = data
        cost = data.cost_type()
        self.points = cost.get("id") if cost is not None else ""
        self.forces: dict[str, str] = {}
        self.books: dict[str, str] = {}
        self.units: dict[str, set[str]] = {}
        self.categories: dict[str, str] = {}
        self.options: dict[str, OptionDraft] = {}
        self.places: dict[str, list[tuple[UnitDraft, Part | None]]] = {}
        self.wide_limits: dict[int, tuple[LinkedEntry, Element]] = {}
        """Limits for a force or an army of what stands in units, each once."""
        self.in_category: dict[str, list[UnitDraft]] = {}
        self.taken: set[str] = set()
        self.drafts: list[UnitDraft] = []
        self.steps: list[Callable[[], None]] = []
        """What is done when all units are read."""
        self._option_ids: dict[tuple[str, int], str] = {}
        self._field_forms: dict[str, str] = {}
        self._parts = 0
        self._told: set[tuple[str, str]] = set()

    @property
    def has_forces(self) -> bool:
        """Whether an army consists of forces of several kinds; else it is one force."""
        return len(self.forces) > 1

    def later(self, make: Callable[[], None]) -> None:
        """Do something when all units are read."""
        self.steps.append(make)

    def count_part(self, selection: LinkedEntry) -> None:
        """Count a part of a unit that is read.

        Raises:
            MusterError: If there are too many.
        """
        self._parts += 1
        if self._parts > MAX_IMPORTED_PARTS:
            refuse_too_many(selection)

    def once(self, kind: str, text: str, of: LinkedEntry) -> None:
        """Record an omission, once for the entry itself however many links lead to it."""
        key = (of.ids[-1], text)
        if key not in self._told:
            self._told.add(key)
            self.data.omit(kind, text, of)

    def scope_of(self, scope: str) -> str:
        """Return the scope of Muster for that of a file: a force is the army if there is one."""
        return ARMY if scope == "roster" or not self.has_forces else FORCE

    def cost(self, selection: LinkedEntry) -> ImportedPrice:
        """Return the points of an entry by itself; what cannot be said of them is recorded."""
        total = Decimal(0)
        rates = []
        for cost in selection.all("costs", "cost"):
            if cost.get("typeId") == self.points:
                try:
                    total += number_of(cost)
                except UnsupportedError as error:
                    self.once("price", f"a price is left out: {error}", selection)
        for modifier in selection.modifiers():
            element = modifier.element
            if not self.points or element.get("field") != self.points:
                continue
            try:
                if modifier.is_plain:
                    total = _modified(total, element)
                else:
                    rates.append(_rate_of(modifier))
            except UnsupportedError as error:
                what = f"{element.get('type')} {element.get('value')}"
                text = f"a change of the price ({what}) is left out: {error}"
                self.once("price", text, selection)
        return ImportedPrice(total, tuple(rates))

    def field_of(self, draft: UnitDraft, key: str) -> str | None:
        """Return the field of a unit that an entry became; None if it became no number."""
        parts = [part for placed, part in self.places.get(key, ()) if placed is draft]
        if len(parts) != 1 or parts[0] is None or parts[0].kind != "field":
            return None
        return parts[0].key

    def changes_visibility(self, selection: LinkedEntry) -> bool:
        """Return whether an entry is shown or hidden under conditions."""
        return any(
            modifier.element.get("field") == "hidden" and not modifier.is_plain
            for modifier in selection.modifiers()
        )

    def bounds(self, selection: LinkedEntry, scopes: tuple[str, ...]) -> Bounds:
        """Return how many of something are allowed in one of some scopes."""
        found = Bounds()
        for constraint in selection.all("constraints", "constraint"):
            scope = constraint.get("scope")
            if scope in {"roster", "force"}:
                self.wide_limits[id(constraint)] = (selection, constraint)
                continue
            field_name = constraint.get("field")
            if scope not in scopes or field_name != "selections":
                text = f"a limit of {field_name!r} in the scope {scope!r} within a unit is left out"
                self.once("constraint", text, selection)
                continue
            if constraint.get("percentValue") == "true":
                self.once("constraint", "a percentage within a unit is left out", selection)
                continue
            try:
                bound, repeats = self.bound(selection, constraint)
            except UnsupportedError as error:
                self.once("constraint", f"a limit within a unit is left out: {error}", selection)
                continue
            if repeats:
                self.once("modifier", "a limit within a unit that grows is left out", selection)
            if constraint.get("type") == "min" or not bound.is_open:
                _tighten(found, constraint.get("type"), bound)
        if found.least.value is not None and found.least.value < 0:
            found.least.value = Decimal(0)
        return found

    def bound(self, holder: LinkedEntry, constraint: Element) -> tuple[Bound, list[EntryModifier]]:
        """Return what a constraint demands, and the modifiers of it that repeat.

        Modifiers that cannot be said are recorded.

        Raises:
            UnsupportedError: If it is neither a minimum nor a maximum, or its number is none.
        """
        if constraint.get("type") not in {"min", "max"}:
            raise UnsupportedError(f"read type {constraint.get('type')!r}, expected min or max")
        bound = Bound(number_of(constraint))
        repeats: list[EntryModifier] = []
        key = constraint.get("id")
        for modifier in holder.modifiers():
            element = modifier.element
            if element.get("field") != key:
                continue
            if modifier.repeats:
                repeats.append(modifier)
                continue
            try:
                value = _modified(bound.value or Decimal(0), element)
            except UnsupportedError as error:
                self.once("modifier", f"a change of a limit is left out: {error}", holder)
                continue
            if modifier.is_plain:
                bound.value = value
            else:
                bound.changes.append(BoundChange(modifier, value))
        return bound, repeats

    def option(self, draft: UnitDraft, entry: LinkedEntry, price: ImportedPrice) -> str:
        """Return the id of the option that an entry of a unit is, by its name."""
        # The unit may have several entries of this name.
        number = draft.option_numbers[entry.name] = draft.option_numbers.get(entry.name, 0) + 1
        found = self._option_ids.get((entry.name, number))
        if found is None:
            found = unique(slug(entry.name), self.taken)
            self._option_ids[entry.name, number] = found
            self.options[found] = OptionDraft(found, entry.name[:LABEL])
        draft.options[found] = None
        self.options[found].prices[draft.id] = price
        return found

    def field_name(self, draft: UnitDraft, title: str, form: str) -> str:
        """Return a name for a field of a unit; all fields of one name have the same form."""
        wanted = slug(title, 30)
        name, number = wanted, 1
        while name in draft.taken or self._field_forms.get(name, form) != form:
            number = number + 1 if number < _TRIED else max(number + 1, len(self._field_forms))
            name = f"{wanted}-{number}"
        draft.taken.add(name)
        self._field_forms[name] = form
        return name

    def place(self, draft: UnitDraft, entry: LinkedEntry, part: Part | None) -> None:
        """Record what an entry became in a unit: a part, or None for what it always has."""
        for key in entry.ids:
            self.places.setdefault(key, []).append((draft, part))

    def category_selector(self, category: str) -> dict[str, Any] | None:
        """Return the selector of the units of a category; None if no unit has it."""
        if category not in self.in_category:
            return None
        return {"where": {self.attribute(category): ["yes"]}}

    def drafts_of(self, selector: dict[str, Any]) -> list[UnitDraft]:
        """Return the units that a selector of this import means."""
        if "entry" in selector:
            return [draft for draft in self.drafts if draft.id in selector["entry"]]
        named = selector.get("where", {})
        return [
            draft
            for category, drafts in self.in_category.items()
            if self.attribute(category) in named
            for draft in drafts
        ]

    def counted(self, places: Sequence[tuple[UnitDraft, Part]]) -> dict[str, Any] | None:
        """Return the keys of a constraint that counts parts; units are named only if need be."""
        keys = counted_keys(places)
        if keys is not None and keys.get("by") == "options":
            of = keys["of"]
            if self.holders_of(of["options"]) <= set(of["entry"]):
                keys["of"] = {"options": of["options"]}
        return keys

    def holders_of(self, options: Sequence[str]) -> set[str]:
        """Return the units that may have one of some options."""
        return {draft.id for draft in self.drafts if not draft.options.keys().isdisjoint(options)}

    def attribute(self, category: str) -> str:
        """Return the attribute that units of a category have."""
        return f"category-{self.categories[category]}"


def _modified(value: Decimal, element: Element) -> Decimal:
    """Return a number as a modifier changes it.

    Raises:
        UnsupportedError: If it does so by no number, or in another way.
    """
    by = number_of(element)
    match element.get("type"):
        case "set":
            return by
        case "increment":
            return value + by
        case "decrement":
            return value - by
    raise UnsupportedError(
        f"read type {element.get('type')!r}, expected set, increment or decrement"
    )


def _rate_of(modifier: EntryModifier) -> tuple[str, Decimal]:
    """Return the entry for each of which a modifier adds points, and these points.

    Raises:
        UnsupportedError: If it adds points for something else.
    """
    element = modifier.element
    if modifier.conditions or len(modifier.repeats) != 1:
        raise UnsupportedError("it depends on what else a list has")
    (repeat,) = modifier.repeats
    sign = {"increment": 1, "decrement": -1}.get(element.get("type"))
    own = repeat.get("scope") not in {"roster", "force", "primary-catalogue", "primary-category"}
    plain = repeat.get("field") == "selections" and repeat.get("percentValue") != "true"
    if sign is None or not own or not plain or number_of(repeat) != 1:
        raise UnsupportedError("it is not so many points for each of something in the unit")
    points = number_of(element) * number_of(repeat, "repeats", "1")
    return repeat.get("childId"), sign * points


def _tighten(bounds: Bounds, kind: str, bound: Bound) -> None:
    """Add a further bound of the same kind: the narrower one counts, with all changes."""
    held = bounds.least if kind == "min" else bounds.most
    if bound.value is not None:
        if held.value is None:
            held.value = bound.value
        else:
            held.value = (max if kind == "min" else min)(held.value, bound.value)
    held.changes += bound.changes


def counted_keys(places: Sequence[tuple[UnitDraft, Part]]) -> dict[str, Any] | None:
    """Return the keys of a constraint that counts parts of units; None if no one count does."""
    entries = sorted({draft.id for draft, _ in places})
    kinds = {part.kind for _, part in places}
    keys = list(dict.fromkeys(part.key for _, part in places))
    own: dict[str, Any] = {"entry": entries}
    if kinds == {"option"}:
        return {"of": {**own, "options": keys}, "by": "options"}
    if len(kinds) != 1 or (len(keys) > 1 and len(entries) > 1) or not keys:
        return None
    if kinds == {"field"} and len(keys) <= _MOST_FIELDS:
        return {"of": own, "sum": keys[0] if len(keys) == 1 else keys}
    if kinds == {"field"} or len(keys) > 1:
        return None
    values = list(dict.fromkeys(part.value for _, part in places))
    return {"of": {**own, "where": {keys[0]: values}}}


def times(bound: Bound, factor: Callable[[Decimal], Decimal]) -> Bound:
    """Return a bound with every value changed by a function."""
    value = None if bound.value is None else factor(bound.value)
    return Bound(value, [BoundChange(c.modifier, factor(c.value)) for c in bound.changes])


def refuse_too_many(selection: LinkedEntry) -> None:
    """Refuse data that multiplies without end.

    Raises:
        MusterError: Always, at the entry.
    """
    text = f"the units have more than {MAX_IMPORTED_PARTS} parts together; import fewer catalogues"
    raise MusterError([Problem("too-many-parts", text, selection.location)])
