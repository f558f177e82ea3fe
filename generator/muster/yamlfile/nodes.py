"""The nodes of a YAML file with their places, and the limits on how much a file may hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

MAX_DEPTH: Final = 20
"""Levels of lists and mappings within each other, aliases followed."""
MAX_ALIASES: Final = 100
MAX_NODES: Final = 100_000
"""Keys, values, lists and mappings of a file, each counted as often as aliases repeat it."""
MAX_SCALAR_LENGTH: Final = 20_000
"""Characters of the longest key or value."""
MAX_PROBLEMS: Final = 100
"""Faults of one file that are told; a file with more was never meant to be read."""

KeyPath = tuple[str | int, ...]
"""The way from the top level to a value: keys of mappings, and numbers in lists from 0."""

LineColumn = tuple[int, int]
"""Line and column from 1."""


@dataclass(slots=True)
class YamlNode:
    """A value's place, and those of what it holds."""

    place: LineColumn
    keys: dict[str, LineColumn] = field(default_factory=dict)
    values: dict[str | int, YamlNode] = field(default_factory=dict)

    def find(self, path: KeyPath, *, key: bool = False) -> LineColumn:
        """Give the place at the end of a path, or where the path leaves the tree.

        Args:
            path: Where to go from here.
            key: Whether the key is meant rather than its value.
        """
        node = self
        for depth, step in enumerate(path):
            if step not in node.values:
                break
            if key and depth == len(path) - 1 and isinstance(step, str):
                return node.keys[step]
            node = node.values[step]
        return node.place
