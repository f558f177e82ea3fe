"""Owns ids that changed between two editions, and the old edition told in the new ids.

Does not find out which ids changed. A part that is renamed is one change, not one for each place
that refers to it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_DIRECTIVE = re.compile(r"\{([A-Za-z]+):([^{}]*)\}")
_ID = re.compile(r"(?<![a-z0-9-])[a-z0-9]+(?:-[a-z0-9]+)*(?![a-z0-9-])")
_KEY = re.compile(r"\b(row|column)=([^\s|]+)")

_SORTS = {
    "chapter": "chapters",
    "level": "levels",
    "within": "levels",
    "under": "levels",
    "entry": "entries",
    "type": "entries",
    "options": "options",
}
"""The keys that refer to another part, and to which sort of part."""


@dataclass(slots=True)
class Renames:
    """Old id -> new id, by the sort of part; rows and columns by their table's old id too."""

    ids: dict[str, dict[str, str]] = field(default_factory=dict)
    tables: set[str] = field(default_factory=set)
    """The ids of the old tables, to know one when it is named."""

    def note(self, sort: str, old: str, new: str) -> None:
        """Keep a rename."""
        if old != new:
            self.ids.setdefault(sort, {})[old] = new

    def of(self, sort: str, old: str) -> str:
        """Give the id of today."""
        return self.ids.get(sort, {}).get(old, old)

    def told(self, value: Any) -> Any:
        """Tell a part of the old edition in the new ids, wherever it refers to others."""
        if not self.ids:
            return value
        return self._told(value)

    def _told(self, value: Any) -> Any:
        match value:
            case Mapping():
                return self._mapping(value)
            case list():
                return [self._told(each) for each in value]
        return value

    def _mapping(self, found: Mapping[str, Any]) -> dict[str, Any]:
        table = found.get("table")
        told: dict[str, Any] = {}
        for key, value in found.items():
            if isinstance(table, str) and key in ("table", "row", "column"):
                sort = "tables" if key == "table" else f"{key}s of {table}"
                told[key] = self.of(sort, value) if isinstance(value, str) else self._told(value)
            elif key in _SORTS and isinstance(value, str | list):
                told[key] = self._named(_SORTS[key], value)
            else:
                told[key] = self._told(value)
        return told

    def _named(self, sort: str, value: Any) -> Any:
        if isinstance(value, list):
            return [self._named(sort, each) for each in value]
        return self.of(sort, value) if isinstance(value, str) else self._told(value)

    def told_prose(self, text: str) -> str:
        """Tell a paragraph in the new ids: what stands in braces names tables and chapters."""
        if not self.ids or "{" not in text:
            return text
        return _DIRECTIVE.sub(self._directive, text)

    def _directive(self, found: re.Match[str]) -> str:
        verb, rest = found[1], found[2]
        if verb == "chapter":
            return f"{{{verb}:{_ID.sub(lambda each: self.of('chapters', each[0]), rest, count=1)}}}"
        words = rest.partition("|")[0].split()
        table = next((word for word in words if _ID.fullmatch(word) and word in self.tables), "")

        def key(each: re.Match[str]) -> str:
            return f"{each[1]}={self.of(f'{each[1]}s of {table}', each[2])}"

        told = _KEY.sub(key, rest)
        new = self.of("tables", table)
        if table and new != table:
            told = re.sub(rf"(?<![\w=-]){re.escape(table)}(?![\w-])", new, told, count=1)
        return f"{{{verb}:{told}}}"
