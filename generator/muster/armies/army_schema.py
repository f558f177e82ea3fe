"""Build the JSON Schema of a system's army files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from muster.armies.books import Book, book_ids, load_book
from muster.armies.composition import Composition, load_composition
from muster.armies.vocabulary import Entry, FieldSpec, Level
from muster.systems import System
from muster.systems.pictures import WrittenPicture
from muster.yamlfile.descriptions import described_schema

Schema = dict[str, Any]
_TEXT: Schema = {"type": ["string", "number", "boolean"]}
"""A line of text, which an editor may read as a number or a flag."""
_WHOLE: Schema = {"type": "integer", "minimum": 0}
_POINTS: Schema = {"type": "number", "minimum": 0}

ARMY_KEYS = {
    "system": "Id of the rule system, such as `my-rules`; every army file names it.",
    "name": "Name of the army, a command, a unit or a leader, such as `Zieten`. Default: none.",
    "book": "Id of the army book of the army, or of a command or a unit and all that stands in it.",
    "player": "Name of the player, which the rosters print. Default: a line to write it on.",
    "limit": "Most points that the army may cost, such as `150`. Default: no limit.",
    "scale": "Id of the scale of its figures. Default: the first of the system.",
    "unit": "Id of the unit: one of the book, or a type. Other lowest levels have their own key.",
    "options": "Ids of options, such as `[high-morale]`, beside those that come with the unit.",
    "count": "How many equal units the entry stands for, 1 to 999. Default: 1.",
    "notes": "Remark that the roster prints.",
    "picture": "Picture of a unit or leader beside the army file, such as `{file: hussar.jpg, alt:"
    " A hussar}`. Default: that of the book's unit, or of its type.",
    "rolled": "The rolls of `muster raise`, for the roster.",
}
"""What the keys of an army file mean that do not come from its system."""

_TEXT_KEYS: Schema = {
    key: {**_TEXT, "description": ARMY_KEYS[key]} for key in ("name", "notes", "rolled")
}
"""The texts that every node may have."""


def army_schema(system: System, book_folders: Sequence[Path] = ()) -> Schema:
    """Return the JSON Schema of a system's army files: its levels, fields, options and units.

    Raises:
        MusterError: If the composition or a book cannot be read.
    """
    composition = load_composition(system)
    ids = book_ids(system, book_folders)
    books = [load_book(system, book_id, book_folders) for book_id in ids]
    return _SchemaBuilder(system, composition, books).army()


class _SchemaBuilder:
    def __init__(self, system: System, composition: Composition, books: Sequence[Book]) -> None:
        self.system = system
        self.composition = composition
        self.books = books

    def army(self) -> Schema:
        """Return the whole schema, with a definition for each level."""
        levels = self.composition.written.levels
        top = self._level(levels[0])
        limit = {**_POINTS, "description": ARMY_KEYS["limit"]}
        properties = {
            "system": {"const": self.system.id, "description": ARMY_KEYS["system"]},
            "player": {**_TEXT, "description": ARMY_KEYS["player"]},
            **({"limit": limit} if self.composition.has_prices else {}),
            "scale": {
                "enum": [scale.id for scale in self.system.scales],
                "description": ARMY_KEYS["scale"],
            },
            **top["properties"],
        }
        return {
            "title": f"An army of {self.system.title}",
            **top,
            "properties": properties,
            "required": ["system"],
            "$defs": {level.id: self._level(level) for level in levels[1:]},
        }

    def _level(self, level: Level) -> Schema:
        if level.id in self.composition.bottom_levels:
            return self._units(level)
        properties: Schema = {**_TEXT_KEYS, "book": self._book()}
        properties |= {name: _field_schema(spec) for name, spec in level.fields.items()}
        for key, leader in level.leaders.items():
            schema = self._leader(self.composition.entries[leader.entry])
            properties[key] = {"type": "array", "items": schema} if leader.many else schema
        for below in self.composition.levels_below[level.id]:
            items = {"$ref": f"#/$defs/{below.id}"}
            properties[str(below.key)] = {"type": "array", "items": items}
        return _object_schema(properties, level.title)

    def _units(self, level: Level) -> Schema:
        """Return the schema of a bottom level: any unit of a book, or any entry of the level."""
        entries = [e for e in self.composition.written.entries if e.level == level.id]
        units = [entry.id for entry in entries]
        own = {entry.id for entry in entries}
        for book in self.books:
            units += [unit.id for unit in book.units.values() if unit.entry.id in own]
        properties: Schema = {
            level.id: {
                "enum": list(dict.fromkeys(units)),
                "description": f"Id of the {level.title.lower()}: one of the book, or a type.",
            },
            **_TEXT_KEYS,
            "book": self._book(),
            "count": {
                "type": "integer",
                "minimum": 1,
                "maximum": 999,
                "description": ARMY_KEYS["count"],
            },
            "options": self._options(),
            "picture": _picture_schema(),
        }
        properties |= self._fields(entries)
        return {**_object_schema(properties, level.title), "required": [level.id]}

    def _leader(self, entry: Entry) -> Schema:
        properties: Schema = dict(_TEXT_KEYS)
        properties["options"] = self._options()
        properties["picture"] = _picture_schema()
        return _object_schema(properties | self._fields([entry]), entry.title)

    def _fields(self, entries: Sequence[Entry]) -> Schema:
        """Return the fields of all entries; where two entries differ, either form is valid."""
        schemas: dict[str, list[Schema]] = {}
        for entry in entries:
            for name, spec in entry.fields.items():
                schema = _field_schema(spec)
                if schema not in schemas.setdefault(name, []):
                    schemas[name].append(schema)
        return {
            name: forms[0] if len(forms) == 1 else {"anyOf": forms}
            for name, forms in schemas.items()
        }

    def _options(self) -> Schema:
        items = {"enum": [option.id for option in self.composition.written.options]}
        return {"type": "array", "items": items, "description": ARMY_KEYS["options"]}

    def _book(self) -> Schema:
        titles = ", ".join(f"{book.id}: {book.title}" for book in self.books)
        text = f"{ARMY_KEYS['book']} {titles}".strip()
        return {"enum": [book.id for book in self.books], "description": text}


def _picture_schema() -> Schema:
    return {**described_schema(WrittenPicture), "description": ARMY_KEYS["picture"]}


def _object_schema(properties: Mapping[str, Any], title: str) -> Schema:
    return {
        "type": "object",
        "title": title,
        "properties": dict(properties),
        "additionalProperties": False,
    }


def _field_schema(spec: FieldSpec) -> Schema:
    """Return the schema of one field of a list."""
    match spec.form:
        case "choice":
            schema: Schema = {"enum": list(spec.of)}
        case "whole":
            schema = dict(_WHOLE)
        case "flag":
            schema = {"type": "boolean"}
        case "points":
            schema = dict(_POINTS)
        case _:
            schema = dict(_TEXT)
    if spec.title:
        schema["title"] = spec.title
    return schema
