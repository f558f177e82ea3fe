"""Owns the places of a YAML text: line and column of each key and value, as a tree.

Does not check anything: the text was loaded before, so its depth and size are within limits. Built
only when a place is asked for, since most files have no faults.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceStartEvent,
)

from generator.reading.parser import parser

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


def places(text: str) -> Node:
    """Build the tree of a text that `loading.load` has read without a fault."""
    get = parser(text).get_event
    anchors: dict[str, Node] = {}
    top = Node((1, 1))
    stack: list[tuple[Node, bool]] = []
    key: str | None = None
    while True:
        event: Any = get()
        if isinstance(event, CollectionEndEvent):
            stack.pop()
            if not stack:
                return top
            key = None
            continue
        if not isinstance(event, NodeEvent):
            continue
        place = _place(event)
        if stack and stack[-1][1] and key is None and isinstance(event, ScalarEvent):
            key = event.value
            stack[-1][0].keys[key] = place
            if event.anchor:
                anchors[event.anchor] = Node(place)
            continue
        node = anchors[str(event.anchor)] if isinstance(event, AliasEvent) else Node(place)
        if event.anchor:
            anchors[event.anchor] = node
        if stack:
            above = stack[-1][0]
            above.values[len(above.values) if key is None else key] = node
        else:
            top = node
        key = None
        if isinstance(event, MappingStartEvent | SequenceStartEvent):
            stack.append((node, isinstance(event, MappingStartEvent)))


def _place(event: Any) -> Place:
    mark = event.start_mark
    return mark.line + 1, mark.column + 1
