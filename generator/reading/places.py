"""Owns the places of a YAML text: line and column of each key and value, as a tree.

Does not check anything: the text was loaded before, so its depth and size are within limits. Built
only when a place is asked for, since most files have no faults.
"""

from __future__ import annotations

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
from generator.reading.tree import Node, Place


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
