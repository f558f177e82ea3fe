"""Owns the tree of places of a file that was parsed, and how it is kept for the next run.

Does not find places in a text; `places` does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from generator.reading.limits import DEEPEST, MOST_NODES

Path = tuple[str | int, ...]
"""The way from the top level to a value: keys of mappings, and numbers in lists from 0."""

Place = tuple[int, int]
"""Line and column from 1."""


@dataclass(slots=True)
class Node:
    """A value's place, and those of what it holds."""

    place: Place
    keys: dict[str, Place] = field(default_factory=dict)
    values: dict[str | int, Node] = field(default_factory=dict)

    def find(self, path: Path, *, key: bool = False) -> Place:
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


class _Count:
    """Counts nodes up to the most that a file may have."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MOST_NODES

    def one(self) -> bool:
        self.left -= 1
        return self.left >= 0


def as_json(tree: Node) -> Any:
    """Write a tree as lists of numbers and words; None if it is more than can be kept."""
    count = _Count()
    found = _written(tree, count)
    return found if count.left >= 0 else None


def _written(node: Node, count: _Count) -> Any:
    if not count.one():
        return None
    if not node.values:
        return node.place
    if not node.keys:
        return [*node.place, [_written(each, count) for each in node.values.values()]]
    held = {
        str(key): [*node.keys[str(key)], _written(each, count)] for key, each in node.values.items()
    }
    return [*node.place, held]


def from_json(found: Any) -> Node | None:
    """Read what `as_json` wrote; None if it is anything else."""
    try:
        return _read(found, 0)
    except (TypeError, ValueError):
        return None


def _read(found: Any, depth: int) -> Node:
    if depth > DEEPEST:
        text = "too deep"
        raise ValueError(text)
    line, column, *held = found
    node = Node(_place(line, column))
    match held:
        case []:
            pass
        case [list(items)]:
            for number, each in enumerate(items):
                node.values[number] = _read(each, depth + 1)
        case [dict(items)]:
            for key, (its_line, its_column, each) in items.items():
                node.keys[key] = _place(its_line, its_column)
                node.values[key] = _read(each, depth + 1)
        case _:
            raise ValueError(held)
    return node


def _place(line: Any, column: Any) -> Place:
    if type(line) is not int or type(column) is not int or line < 1 or column < 1:
        raise ValueError((line, column))
    return line, column
