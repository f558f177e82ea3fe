"""Owns what can be edited in a YAML file: keys of a mapping, entries that go, come or move.

Does not edit anything; `editing` does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Path = tuple[str | int, ...]
Said = str | Sequence[str]
"""A value as a file says it: text, or a list of texts."""


class Put(NamedTuple):
    """Keys of the mapping at a path: each with its new value, None to take it out."""

    path: Path
    keys: Mapping[str, Said | None]


class Drop(NamedTuple):
    """An entry of a list, or a key of a mapping, that goes with all that it holds."""

    path: Path


class Place(NamedTuple):
    """A new mapping at a key of the mapping at a path: at the end of a list, or as its value."""

    path: Path
    key: str
    value: Mapping[str, Any]
    many: bool


class Shift(NamedTuple):
    """An entry of a list that goes to the end of the list at a key of another mapping."""

    path: Path
    to: Path
    key: str


Edit = Put | Drop | Place | Shift
