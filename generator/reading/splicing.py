"""Owns edits in the text of a YAML file: what is cut out of it, what is set in, and where.

Does not prove that the new text says what was asked; `editing` does. Places come from the marks of
ruamel's composer; a block ends where its last value does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from generator.reading.edits import Drop, Edit, Path, Place, Put, Shift


def spliced(text: str, edits: Sequence[Edit]) -> str:
    """Give a text with edits made; the rest of it stays as it is.

    Raises:
        YAMLError, LookupError, AttributeError: If it is laid out in a way that cannot be edited.
    """
    return _Text(text).edited(edits)


class _Cut(NamedTuple):
    """A span of the text and what takes its place; of two at one spot the first comes first.

    What is set at the start of a span that goes stands in its place.
    """

    start: int
    end: int
    text: str
    turn: int


class _Text:
    def __init__(self, text: str) -> None:
        self.text = text
        self.top: Any = YAML().compose(text)
        self.cuts: list[_Cut] = []
        self.dropped: set[Path] = set()

    def edited(self, edits: Sequence[Edit]) -> str:
        """Give the text with all edits."""
        gone = [edit.path for edit in edits if isinstance(edit, Drop)]
        raw = {edit.path: self._raw(edit, edits) for edit in edits if isinstance(edit, Shift)}
        # What stands in an entry that goes goes with it.
        edits = [
            each for each in edits if isinstance(each, Shift) or not _is_below(each.path, gone)
        ]
        moved = [edit for edit in edits if isinstance(edit, Drop | Shift)]
        self.dropped = {edit.path for edit in moved}
        grown: dict[tuple[Path, str], list[_Entry]] = {}
        for edit in edits:
            match edit:
                case Put() if edit.path not in raw:
                    self._put(self._node(edit.path), edit.keys)
                case Place(many=True):
                    grown.setdefault((edit.path, edit.key), []).append(_new(edit.value))
                case Place():
                    self._put(self._node(edit.path), {edit.key: edit.value})
                case Shift():
                    grown.setdefault((edit.to, edit.key), []).append(raw[edit.path])
        for path in self._thinned([edit.path for edit in moved if not _is_below(edit.path, gone)]):
            self._empty(path, grown.pop((path[:-1], str(path[-1])), []))
        for (path, key), entries in grown.items():
            self._grow(path, key, entries)
        return self._spliced(self.text, self.cuts)

    def _thinned(self, paths: Sequence[Path]) -> set[Path]:
        """Cut out entries; give the lists of which none would be left, still to be emptied."""
        emptied: set[Path] = set()
        for path in paths:
            holder = self._node(path[:-1])
            if isinstance(holder, MappingNode):
                self._put(holder, {str(path[-1]): None})
            elif self._all_go(holder, path[:-1]):
                emptied.add(path[:-1])
            else:
                start, end = self._span(holder, int(path[-1]))
                self._cut(start, end, "")
        return emptied

    @staticmethod
    def _spliced(text: str, cuts: Sequence[_Cut]) -> str:
        for cut in sorted(cuts, key=lambda cut: (cut.start, cut.end, cut.turn), reverse=True):
            text = text[: cut.start] + cut.text + text[cut.end :]
        return text

    def _cut(self, start: int, end: int, text: str) -> None:
        self.cuts.append(_Cut(start, end, text, len(self.cuts)))

    # Places

    def _node(self, path: Path) -> Any:
        node = self.top
        for step in path:
            if isinstance(node, SequenceNode):
                node = node.value[int(step)]
            else:
                node = next(value for key, value in node.value if key.value == step)
        return node

    def _end(self, node: Any) -> int:
        """Give where a node's own text ends: a block goes no further than its last value."""
        if isinstance(node, ScalarNode) or node.flow_style or not node.value:
            found: int = node.end_mark.index
            return found
        last = node.value[-1]
        return self._end(last[1] if isinstance(node, MappingNode) else last)

    def _line_end(self, index: int) -> int:
        """Give the end of a line, its comment included, before its new line."""
        found = self.text.find("\n", index)
        return len(self.text) if found < 0 else found

    def _line_start(self, index: int) -> int:
        return self.text.rfind("\n", 0, index) + 1

    # Keys of one mapping

    def _put(self, node: Any, keys: Mapping[str, Any]) -> None:
        there = {key.value: (key, value) for key, value in node.value}
        for name, value in keys.items():
            if name in there and value is None:
                self._take_out(node, name)
            elif name in there:
                old = there[name][1]
                self._cut(old.start_mark.index, self._end(old), _flow(value))
            elif value is not None:
                self._add_key(node, f"{name}: {_flow(value)}")

    def _take_out(self, node: Any, name: str) -> None:
        pairs = node.value
        place = next(n for n, (key, _) in enumerate(pairs) if key.value == name)
        key, value = pairs[place]
        start, end = key.start_mark.index, self._end(value)
        if node.flow_style or self.text[self._line_start(start) : start].strip():
            if place + 1 < len(pairs):
                end = pairs[place + 1][0].start_mark.index
            elif place:
                start = self._end(pairs[place - 1][1])
            self._cut(start, end, "")
        else:
            self._cut(self._line_start(start), min(self._line_end(end) + 1, len(self.text)), "")

    def _add_key(self, node: Any, said: str) -> None:
        pairs = node.value
        if node.flow_style:
            if pairs:
                self._cut(self._end(pairs[-1][1]), self._end(pairs[-1][1]), f", {said}")
            else:
                self._cut(node.start_mark.index, node.end_mark.index, f"{{{said}}}")
            return
        lines = [n for n, (_, value) in enumerate(pairs) if _in_one_line(value)]
        first = next((n for n, (_, value) in enumerate(pairs) if not _in_one_line(value)), None)
        # Behind the plain values that stand before the first list, as people write it.
        lines = [n for n in lines if first is None or n < first] or lines
        if lines:
            end = self._line_end(self._end(pairs[lines[-1]][1]))
            self._cut(end, end, f"\n{' ' * pairs[0][0].start_mark.column}{said}")
        else:
            start = pairs[0][0].start_mark.index
            self._cut(start, start, f"{said}\n{' ' * pairs[0][0].start_mark.column}")

    # Entries of lists

    def _all_go(self, node: Any, path: Path) -> bool:
        return all((*path, n) in self.dropped for n in range(len(node.value)))

    def _span(self, node: Any, place: int) -> tuple[int, int]:
        """Give what is cut out with an entry: its lines, or itself with its comma."""
        entry = node.value[place]
        if not node.flow_style:
            dash = self.text.rindex("-", 0, entry.start_mark.index)
            end = min(self._line_end(self._end(entry)) + 1, len(self.text))
            return self._line_start(dash), end
        if place + 1 < len(node.value):
            return entry.start_mark.index, node.value[place + 1].start_mark.index
        before = self._end(node.value[place - 1]) if place else entry.start_mark.index
        return before, self._end(entry)

    def _empty(self, path: Path, entries: Sequence[_Entry]) -> None:
        """Leave a list without its entries: `[]`, or others in their place."""
        node = self._node(path)
        if node.flow_style:
            inner = ", ".join(each.flow for each in entries)
            self._cut(node.start_mark.index, node.end_mark.index, f"[{inner}]")
            return
        first, _ = self._span(node, 0)
        column = node.value[0].start_mark.column
        for place in range(len(node.value)):
            start, end = self._span(node, place)
            self._cut(start, end, "")
        if entries:
            dash = self.text.rindex("-", 0, node.value[0].start_mark.index)
            indent = dash - self._line_start(dash)
            self._cut(first, first, "".join(_lines(each, indent, column) for each in entries))
        else:
            key = self._key(path)
            colon = self.text.index(":", self._key_end(key)) + 1
            self._cut(colon, colon, " []")

    def _key(self, path: Path) -> Any:
        holder = self._node(path[:-1])
        return next(key for key, _ in holder.value if key.value == path[-1])

    @staticmethod
    def _key_end(key: Any) -> int:
        found: int = key.end_mark.index
        return found

    def _grow(self, path: Path, key: str, entries: Sequence[_Entry]) -> None:
        """Put entries at the end of a list; it is begun if there is none."""
        holder = self._node(path)
        node = next((value for name, value in holder.value if name.value == key), None)
        if node is None or (node.flow_style and not node.value):
            self._begin(holder, node, key, entries)
        elif node.flow_style:
            end = self._end(node.value[-1])
            self._cut(end, end, "".join(f", {each.flow}" for each in entries))
        else:
            dash = self.text.rindex("-", 0, node.value[0].start_mark.index)
            indent = dash - self._line_start(dash)
            column = node.value[0].start_mark.column
            self._below(node, "".join(_lines(each, indent, column) for each in entries))

    def _begin(self, holder: Any, node: Any, key: str, entries: Sequence[_Entry]) -> None:
        inner = f"[{', '.join(each.flow for each in entries)}]"
        if node is not None:
            self._cut(node.start_mark.index, node.end_mark.index, inner)
        elif holder.flow_style or not holder.value:
            self._add_key(holder, f"{key}: {inner}")
        else:
            column = holder.value[0][0].start_mark.column
            lines = "".join(_lines(each, column + 2, column + 4) for each in entries)
            self._below(holder, f"{' ' * column}{key}:\n{lines}")

    def _below(self, node: Any, lines: str) -> None:
        """Set whole lines below the last one of a node; what goes there is cut out above them."""
        end = self._line_end(self._end(node))
        closed = end < len(self.text)
        self._cut(end + closed, end + closed, lines if closed else f"\n{lines}".rstrip("\n"))

    def _raw(self, shift: Shift, edits: Sequence[Edit]) -> _Entry:
        """Give an entry in its own words, with the edits of itself made."""
        entry = self._node(shift.path)
        start = entry.start_mark.index
        end = self._line_end(self._end(entry))
        if self._node(shift.path[:-1]).flow_style:
            end = self._end(entry)
        own = _Text(self.text)
        data = _plain(entry)
        for edit in edits:
            if isinstance(edit, Put) and edit.path == shift.path:
                own._put(own._node(edit.path), edit.keys)
                data |= edit.keys
        tail = len(self.text) - end
        text = self._spliced(self.text, own.cuts)
        flow = _flow({key: value for key, value in data.items() if value is not None})
        return _Entry(text[start : len(text) - tail], flow, entry.start_mark.column)


def _is_below(path: Path, gone: Sequence[Path]) -> bool:
    return any(len(each) < len(path) and path[: len(each)] == each for each in gone)


class _Entry(NamedTuple):
    """An entry to be set in a list: its own lines, in one line, and the column that it had."""

    own: str
    flow: str
    column: int


def _new(value: Mapping[str, Any]) -> _Entry:
    return _Entry(_flow(value), _flow(value), 0)


def _lines(entry: _Entry, indent: int, column: int) -> str:
    """Write an entry of a list in lines, its further ones moved along."""
    first, *rest = entry.own.split("\n")
    lines = [f"{' ' * indent}-{' ' * (column - indent - 1)}{first}"]
    for line in rest:
        own = len(line) - len(line.lstrip(" "))
        lines.append(" " * max(own - entry.column + column, 0) + line.lstrip(" "))
    return "\n".join(lines) + "\n"


def _plain(node: Any) -> Any:
    """Give what a node says, as data."""
    if isinstance(node, MappingNode):
        return {key.value: _plain(value) for key, value in node.value}
    if isinstance(node, SequenceNode):
        return [_plain(value) for value in node.value]
    return node.value


def _in_one_line(node: Node) -> bool:
    one_line: bool = node.start_mark.line == node.end_mark.line
    return one_line


_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*")


def _flow(value: Any) -> str:
    """Write a value in one line."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {_flow(each)}' for key, each in value.items())}}}"
    if isinstance(value, str):
        return value if _PLAIN.fullmatch(value) else json.dumps(value, ensure_ascii=False)
    return f"[{', '.join(_flow(each) for each in value)}]"
