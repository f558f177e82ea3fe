"""The nodes of a YAML file, each with its data and its place, and the limits of a file."""

from __future__ import annotations

from typing import Any, Final, Protocol

MAX_DEPTH: Final = 20
"""Levels of lists and mappings within each other, aliases followed."""
MAX_ALIASES: Final = 100
MAX_NODES: Final = 100_000
"""Keys, values, lists and mappings of a file, each counted as often as aliases repeat it."""
MAX_SCALAR_LENGTH: Final = 20_000
"""Characters of the longest key or value."""
MAX_PROBLEMS: Final = 100
"""Problems that are reported of one file; a file with more is probably of another kind."""

KeyPath = tuple[str | int, ...]
"""The way from the top level to a value: keys of mappings, and numbers in lists from 0."""

LineColumn = tuple[int, int]
"""Line and column from 1."""


class Mark(Protocol):
    """A point in a text; all three numbers count from 0, in characters."""

    @property
    def index(self) -> int:
        """The number of characters before it."""
        ...

    @property
    def line(self) -> int:
        """The number of lines above it."""
        ...

    @property
    def column(self) -> int:
        """The number of characters before it in its line."""
        ...


class YamlNode:
    """A value of a YAML file: its data, its place in the text, and the nodes within it.

    Attributes:
        data: What the value says: a dict, a list or a `str`, of such values all the way down.
        start: Where it begins.
        end: Where it ends. A block of lines ends where the next value begins.
        flow: Whether it is a list or mapping in brackets.
        keys: The keys of a mapping; None in lists and texts.
        values: The nodes of a mapping by key, of a list by index from 0; a text has none.
    """

    __slots__ = ("data", "end", "flow", "keys", "start", "values")

    def __init__(self, data: Any, start: Mark, end: Mark) -> None:
        self.data = data
        self.start = start
        self.end = end
        self.flow = False
        self.keys: dict[str, YamlNode] | None = None
        self.values: dict[str | int, YamlNode] = _NO_VALUES

    def find(self, path: KeyPath, *, key: bool = False) -> LineColumn:
        """Return the place at the end of a path, or where the path leaves the tree.

        Args:
            path: The way from this node.
            key: Whether the key is meant rather than its value.
        """
        node = self
        for depth, step in enumerate(path):
            if step not in node.values:
                break
            if key and depth == len(path) - 1 and node.keys is not None:
                node = node.keys[str(step)]
            else:
                node = node.values[step]
        return node.start.line + 1, node.start.column + 1


_NO_VALUES: Final[dict[str | int, YamlNode]] = {}
"""The empty dict that all texts share as their `values`."""
