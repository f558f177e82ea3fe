"""Owns the comments of a YAML text: which there are, and a mark where the library would lose some.

Does not rewrite anything; `rewriting` does, and asks here whether all comments are still there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from yaml.events import CollectionEndEvent, Event, ScalarEvent, StreamEndEvent

from generator.reading.parser import parser

_COMMENT = re.compile(r"(?:^|(?<=\s))#.*", re.MULTILINE)


def comments(text: str) -> Counter[str]:
    """Count the comments of a text that was loaded: what stands behind # outside of its values."""
    bare = list(text)
    for event, start, end in _events(text):
        if isinstance(event, ScalarEvent):
            span = slice(start.index, end.index)
            # The lines of a value stay lines: what follows it may be a comment.
            bare[span] = ["\n" if sign == "\n" else "." for sign in bare[span]]
    return Counter(found.rstrip() for found in _COMMENT.findall("".join(bare)))


def marked(text: str) -> tuple[str, str]:
    """Put a mark behind each list and mapping in brackets that ends a line.

    The library loses lines of comment that follow such a line, unless a comment ends it too.
    """
    mark = "#~"
    while mark in text:
        mark += "~"
    lines = text.splitlines(keepends=True)
    for event, start, end in _events(text):
        # A list or mapping in blocks has no sign at its end.
        closed = isinstance(event, CollectionEndEvent) and start.index < end.index
        if closed and not lines[end.line][end.column :].strip():
            lines[end.line] = f"{lines[end.line][: end.column]}  {mark}\n"
    return "".join(lines), mark


def _events(text: str) -> Iterator[tuple[Event, Any, Any]]:
    """Go through the events of a text, each with the marks of its start and its end."""
    get = parser(text).get_event
    while True:
        event = get()
        if event is None or isinstance(event, StreamEndEvent):
            return
        yield event, event.start_mark, event.end_mark
