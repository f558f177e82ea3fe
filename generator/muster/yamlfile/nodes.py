"""The nodes of a YAML file with their places, and the limits on how much a file may hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

MAX_DEPTH: Final = 20
"""Levels of lists and mappings within each other, aliases followed."""
MAX_ALIASES: Final = 100
MAX_NODES: Final = 100_000
"""Keys, values, lists and mappings of a file, each counted as often as aliases repeat it."""
MAX_SCALAR_LENGTH: Final = 20_000
"""Characters of the longest key or value."""
MAX_PROBLEMS: Final = 100
"""Faults of one file that are told; a file with more was never meant to be read."""

_MAX_CHARACTERS: Final = 4 * 1024 * 1024
"""Characters of data that is kept; aliases can make much of a small file."""


def is_within_limits(data: Any) -> bool:
    """Tell whether data is of the shape that `loading` gives, and small enough to be kept."""
    nodes = characters = 0
    level = [data]
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for each in level:
            if type(each) is dict:
                texts = [*each, *each.values()]
            elif type(each) is list:
                texts = each
            else:
                return False
            nodes += len(texts)
            for text in texts:
                if type(text) is str:
                    characters += len(text)
                    if len(text) > MAX_SCALAR_LENGTH:
                        return False
                else:
                    below.append(text)
            if nodes > MAX_NODES or characters > _MAX_CHARACTERS:
                return False
        if not below:
            return True
        level = below
    return False


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


class _NodeBudget:
    """Counts nodes up to the most that a file may have."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MAX_NODES

    def one(self) -> bool:
        self.left -= 1
        return self.left >= 0


def node_to_json(tree: YamlNode) -> Any:
    """Write a tree as lists of numbers and words; None if it is more than can be kept."""
    count = _NodeBudget()
    found = _write_node(tree, count)
    return found if count.left >= 0 else None


def _write_node(node: YamlNode, count: _NodeBudget) -> Any:
    if not count.one():
        return None
    if not node.values:
        return node.place
    if not node.keys:
        return [*node.place, [_write_node(each, count) for each in node.values.values()]]
    held = {
        str(key): [*node.keys[str(key)], _write_node(each, count)]
        for key, each in node.values.items()
    }
    return [*node.place, held]


def node_from_json(found: Any) -> YamlNode | None:
    """Read what `as_json` wrote; None if it is anything else."""
    try:
        return _read_node(found, 0)
    except (TypeError, ValueError):
        return None


def _read_node(found: Any, depth: int) -> YamlNode:
    if depth > MAX_DEPTH:
        text = "too deep"
        raise ValueError(text)
    line, column, *held = found
    node = YamlNode(_checked_place(line, column))
    match held:
        case []:
            pass
        case [list(items)]:
            for number, each in enumerate(items):
                node.values[number] = _read_node(each, depth + 1)
        case [dict(items)]:
            for key, (its_line, its_column, each) in items.items():
                node.keys[key] = _checked_place(its_line, its_column)
                node.values[key] = _read_node(each, depth + 1)
        case _:
            raise ValueError(held)
    return node


def _checked_place(line: Any, column: Any) -> LineColumn:
    if type(line) is not int or type(column) is not int or line < 1 or column < 1:
        raise ValueError((line, column))
    return line, column
