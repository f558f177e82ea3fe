"""Make random army lists of any system, some legal and most not.

They are data as a file would hold it, and each can be read as an army.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from copy import deepcopy
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from muster.armies import Army, army_from_document, load_book, load_composition, price
from muster.armies.books import Book, book_ids
from muster.armies.vocabulary import Entry, FieldSpec, Level
from muster.systems import Library
from muster.yamlfile import Document, read_document

ROOT = Path(__file__).parent.parent.parent
SIZES = (1, 2, 3, 3, 4, 4, 5, 6, 8, 8, 12, 12, 20, 25)

Data = dict[str, Any]


@cache
def library(root: Path = ROOT) -> Library:
    """Return the library of what is shipped, or of another folder."""
    return Library(root)


@cache
def _samples(root: Path, system_id: str) -> tuple[Document, ...]:
    paths = sorted((root / "armies" / system_id).glob("*.yaml"))
    return tuple(read_document(path) for path in paths)


class Lists:
    """Makes random lists of one system."""

    def __init__(self, system_id: str, chance: random.Random, root: Path = ROOT) -> None:
        self.system_id = system_id
        self.chance = chance
        self.library = library(root)
        self.samples = _samples(root, system_id)
        system = self.library.system(system_id)
        self.composition = load_composition(system)
        self.books: list[Book] = [load_book(system, each) for each in book_ids(system)]

    def army(self, units: int = 6) -> Army:
        """Return an army: a new one, or a shipped one with a few changes."""
        if not self.samples or self.chance.random() < 0.5:
            data = self._new(units)
        else:
            data = deepcopy(self.chance.choice(self.samples).data)
            for _ in range(self.chance.randint(0, 3)):
                self._change(data)
        army = self.read(data)
        total = price(army).total
        if total is not None:
            # Limits are near the total: just kept and just exceeded are the edges.
            near = total + self.chance.choice(
                [Decimal(-1), Decimal("-0.25"), Decimal(0), Decimal(9)]
            )
            data["limit"] = str(max(near, Decimal(0)))
            army = self.read(data)
        return army

    def read(self, data: Data) -> Army:
        """Return the army of some data."""
        return army_from_document(Document("army.yaml", "", data), self.library)

    # New lists

    def _new(self, units: int) -> Data:
        data: Data = {"system": self.system_id}
        if self.books and self.chance.random() < 0.8:
            data["book"] = self.chance.choice(self.books).id
        self.left = self.chance.randint(0, units)
        self._fill(data, self.composition.top, self._book(data, None))
        return data

    def _book(self, data: Data, above: Book | None) -> Book | None:
        return next((book for book in self.books if book.id == data.get("book")), above)

    def _fill(self, data: Data, level: Level, book: Book | None) -> None:
        said = book.attributes if book is not None else {}
        data |= {
            name: value for name, value in self._fields(level.fields).items() if name not in said
        }
        for key, leader in level.leaders.items():
            entry = self.composition.entries[leader.entry]
            if leader.many:
                number = self.chance.choice([0, 0, 1, 1, 2])
                if number:
                    data[key] = [self._fields(entry.fields) for _ in range(number)]
            elif self.chance.random() < 0.8:
                data[key] = self._fields(entry.fields)
        for below in self.composition.levels_below[level.id]:
            number = self.chance.choice([0, 1, 1, 2])
            if below.id in self.composition.bottom_levels:
                number = min(self.chance.randint(0, 4), self.left)
                self.left -= number
                listed = [self._unit(below, book) for _ in range(number)]
            else:
                listed = []
                for _ in range(number):
                    one: Data = {}
                    if self.books and self.chance.random() < 0.1:
                        one["book"] = self.chance.choice(self.books).id
                    self._fill(one, below, self._book(one, book))
                    listed.append(one)
            if listed and below.key:
                data[below.key] = listed

    def _unit(self, level: Level, book: Book | None) -> Data:
        entries = [e for e in self.composition.entries.values() if e.level == level.id]
        own = [u for u in book.units.values() if u.entry in entries] if book is not None else []
        profile = self.chance.choice(own) if own and self.chance.random() < 0.8 else None
        entry = profile.entry if profile is not None else self.chance.choice(entries)
        data: Data = {level.id: profile.id if profile is not None else entry.id}
        said = profile.fields if profile is not None else {}
        data |= self._fields({**level.fields, **entry.fields}, said, entry)
        if self.chance.random() < 0.2:
            data["count"] = str(self.chance.randint(2, 4))
        options = list(self.composition.options)
        if options and self.chance.random() < 0.3:
            data["options"] = self.chance.sample(
                options, min(len(options), self.chance.randint(1, 2))
            )
        return data

    def _fields(
        self,
        specs: Mapping[str, FieldSpec],
        said: Mapping[str, Any] | None = None,
        entry: Entry | None = None,
    ) -> Data:
        found: Data = {}
        for name, spec in specs.items():
            unsaid = spec.default is None and name not in (said or {})
            size = entry is not None and entry.size == name
            if spec.roll is not None and spec.form == "whole":
                # Only a table of the roll has its values, and no rule looks at them.
                continue
            if (spec.required and unsaid) or size or self.chance.random() < 0.3:
                found[name] = self._value(spec)
        for total in _totals(specs) & found.keys():
            found[total] = str(self.chance.randint(2, 12))
        return found

    def _value(self, spec: FieldSpec) -> str:
        match spec.form:
            case "choice":
                return self.chance.choice(list(spec.of))
            case "flag":
                return self.chance.choice(["true", "false"])
            case "whole":
                return str(self.chance.choice(SIZES))
            case "points":
                return self.chance.choice(["2", "2.5", "7", "10.25"])
        return self.chance.choice(["British", "french", "prussian"])

    # Changed lists

    def _change(self, data: Data) -> None:
        holders = list(_listed(data))
        if not holders:
            return
        listed, place = self.chance.choice(holders)
        found: Data = listed[place]
        what = self.chance.choice(["gone", "twice", "size", "option", "field"])
        entry = self.composition.entries.get(str(found.get("unit")))
        fields = entry.fields if entry is not None else {}
        wholes = [
            key
            for key, value in found.items()
            if isinstance(value, str) and value.isdecimal() and key not in _totals(fields)
        ]
        if what == "gone":
            del listed[place]
        elif what == "twice":
            listed.insert(place, deepcopy(found))
        elif what == "size" and wholes:
            key = self.chance.choice(wholes)
            found[key] = str(max(1, int(found[key]) + self.chance.choice([-2, -1, 1, 2])))
        elif what == "option" and "unit" in found and self.composition.options:
            found["options"] = [self.chance.choice(list(self.composition.options))]
        elif what == "field":
            specs = [(name, spec) for name, spec in fields.items() if spec.form == "choice"]
            if specs:
                name, spec = self.chance.choice(specs)
                found[name] = self.chance.choice(list(spec.of))


def _totals(specs: Mapping[str, FieldSpec]) -> set[str]:
    """Return the fields that hold totals of dice."""
    return {spec.roll.total for spec in specs.values() if spec.roll and spec.roll.total}


def _listed(data: Any) -> Any:
    """Yield each list of mappings with the index of each mapping."""
    if isinstance(data, dict):
        for value in data.values():
            yield from _listed(value)
    elif isinstance(data, list):
        for place, each in enumerate(data):
            if isinstance(each, dict):
                yield data, place
                yield from _listed(each)
