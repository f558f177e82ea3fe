"""Edit the text of a YAML file: every character that is not edited stays as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from muster.problems import MusterError
from muster.yamlfile.document import Document
from muster.yamlfile.parsing import parse_yaml

KeyPath = tuple[str | int, ...]
NewValue = str | Sequence[str]
"""A value as a file says it: text, or a list of texts."""


class SetKeys(NamedTuple):
    """Keys of the mapping at a path: each with its new value, None to take it out."""

    path: KeyPath
    keys: Mapping[str, NewValue | None]


class Remove(NamedTuple):
    """An entry of a list, or a key of a mapping, that goes with all that it holds."""

    path: KeyPath


class Insert(NamedTuple):
    """A new mapping at a key of the mapping at a path: at the end of a list, or as its value."""

    path: KeyPath
    key: str
    value: Mapping[str, Any]
    many: bool


class Move(NamedTuple):
    """An entry of a list that goes to the end of the list at a key of another mapping."""

    path: KeyPath
    to: KeyPath
    key: str


Edit = SetKeys | Remove | Insert | Move


def splice(text: str, edits: Sequence[Edit]) -> str:
    """Give a text with edits made; the rest of it stays as it is.

    Raises:
        YAMLError, LookupError, AttributeError: If it is laid out in a way that cannot be edited.
    """
    return _Splicer(text).edited(edits)


class _Replacement(NamedTuple):
    """A span of the text and what takes its place; of two at one spot the first comes first.

    What is set at the start of a span that goes stands in its place.
    """

    start: int
    end: int
    text: str
    turn: int


class _Splicer:
    def __init__(self, text: str) -> None:
        self.text = text
        self.top: Any = YAML().compose(text)
        self.cuts: list[_Replacement] = []
        self.dropped: set[KeyPath] = set()

    def edited(self, edits: Sequence[Edit]) -> str:
        """Give the text with all edits."""
        gone = [edit.path for edit in edits if isinstance(edit, Remove)]
        raw = {edit.path: self._entry_text(edit, edits) for edit in edits if isinstance(edit, Move)}
        # What stands in an entry that goes goes with it.
        edits = [
            each for each in edits if isinstance(each, Move) or not _is_inside(each.path, gone)
        ]
        moved = [edit for edit in edits if isinstance(edit, Remove | Move)]
        self.dropped = {edit.path for edit in moved}
        grown: dict[tuple[KeyPath, str], list[_EntryText]] = {}
        for edit in edits:
            match edit:
                case SetKeys() if edit.path not in raw:
                    self._set_keys(self._node(edit.path), edit.keys)
                case Insert(many=True):
                    grown.setdefault((edit.path, edit.key), []).append(_new_entry(edit.value))
                case Insert():
                    self._set_keys(self._node(edit.path), {edit.key: edit.value})
                case Move():
                    grown.setdefault((edit.to, edit.key), []).append(raw[edit.path])
        for path in self._remove_entries(
            [edit.path for edit in moved if not _is_inside(edit.path, gone)]
        ):
            self._empty(path, grown.pop((path[:-1], str(path[-1])), []))
        for (path, key), entries in grown.items():
            self._extend_list(path, key, entries)
        return self._spliced(self.text, self.cuts)

    def _remove_entries(self, paths: Sequence[KeyPath]) -> set[KeyPath]:
        """Cut out entries; give the lists of which none would be left, still to be emptied."""
        emptied: set[KeyPath] = set()
        for path in paths:
            holder = self._node(path[:-1])
            if isinstance(holder, MappingNode):
                self._set_keys(holder, {str(path[-1]): None})
            elif self._all_go(holder, path[:-1]):
                emptied.add(path[:-1])
            else:
                start, end = self._span(holder, int(path[-1]))
                self._cut(start, end, "")
        return emptied

    @staticmethod
    def _spliced(text: str, cuts: Sequence[_Replacement]) -> str:
        for cut in sorted(cuts, key=lambda cut: (cut.start, cut.end, cut.turn), reverse=True):
            text = text[: cut.start] + cut.text + text[cut.end :]
        return text

    def _cut(self, start: int, end: int, text: str) -> None:
        self.cuts.append(_Replacement(start, end, text, len(self.cuts)))

    # Places

    def _node(self, path: KeyPath) -> Any:
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

    def _set_keys(self, node: Any, keys: Mapping[str, Any]) -> None:
        there = {key.value: (key, value) for key, value in node.value}
        for name, value in keys.items():
            if name in there and value is None:
                self._remove_key(node, name)
            elif name in there:
                old = there[name][1]
                self._cut(old.start_mark.index, self._end(old), _flow_style(value))
            elif value is not None:
                self._add_key(node, f"{name}: {_flow_style(value)}")

    def _remove_key(self, node: Any, name: str) -> None:
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
        lines = [n for n, (_, value) in enumerate(pairs) if _is_on_one_line(value)]
        first = next((n for n, (_, value) in enumerate(pairs) if not _is_on_one_line(value)), None)
        # Behind the plain values that stand before the first list, as people write it.
        lines = [n for n in lines if first is None or n < first] or lines
        if lines:
            end = self._line_end(self._end(pairs[lines[-1]][1]))
            self._cut(end, end, f"\n{' ' * pairs[0][0].start_mark.column}{said}")
        else:
            start = pairs[0][0].start_mark.index
            self._cut(start, start, f"{said}\n{' ' * pairs[0][0].start_mark.column}")

    # Entries of lists

    def _all_go(self, node: Any, path: KeyPath) -> bool:
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

    def _empty(self, path: KeyPath, entries: Sequence[_EntryText]) -> None:
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
            self._cut(first, first, "".join(_block_entry(each, indent, column) for each in entries))
        else:
            key = self._key(path)
            colon = self.text.index(":", self._key_end(key)) + 1
            self._cut(colon, colon, " []")

    def _key(self, path: KeyPath) -> Any:
        holder = self._node(path[:-1])
        return next(key for key, _ in holder.value if key.value == path[-1])

    @staticmethod
    def _key_end(key: Any) -> int:
        found: int = key.end_mark.index
        return found

    def _extend_list(self, path: KeyPath, key: str, entries: Sequence[_EntryText]) -> None:
        """Put entries at the end of a list; it is begun if there is none."""
        holder = self._node(path)
        node = next((value for name, value in holder.value if name.value == key), None)
        if node is None or (node.flow_style and not node.value):
            self._start_list(holder, node, key, entries)
        elif node.flow_style:
            end = self._end(node.value[-1])
            self._cut(end, end, "".join(f", {each.flow}" for each in entries))
        else:
            dash = self.text.rindex("-", 0, node.value[0].start_mark.index)
            indent = dash - self._line_start(dash)
            column = node.value[0].start_mark.column
            self._add_lines_below(
                node, "".join(_block_entry(each, indent, column) for each in entries)
            )

    def _start_list(self, holder: Any, node: Any, key: str, entries: Sequence[_EntryText]) -> None:
        inner = f"[{', '.join(each.flow for each in entries)}]"
        if node is not None:
            self._cut(node.start_mark.index, node.end_mark.index, inner)
        elif holder.flow_style or not holder.value:
            self._add_key(holder, f"{key}: {inner}")
        else:
            column = holder.value[0][0].start_mark.column
            lines = "".join(_block_entry(each, column + 2, column + 4) for each in entries)
            self._add_lines_below(holder, f"{' ' * column}{key}:\n{lines}")

    def _add_lines_below(self, node: Any, lines: str) -> None:
        """Set whole lines below the last one of a node; what goes there is cut out above them."""
        end = self._line_end(self._end(node))
        closed = end < len(self.text)
        self._cut(end + closed, end + closed, lines if closed else f"\n{lines}".rstrip("\n"))

    def _entry_text(self, shift: Move, edits: Sequence[Edit]) -> _EntryText:
        """Give an entry in its own words, with the edits of itself made."""
        entry = self._node(shift.path)
        start = entry.start_mark.index
        end = self._line_end(self._end(entry))
        if self._node(shift.path[:-1]).flow_style:
            end = self._end(entry)
        own = _Splicer(self.text)
        data = _node_data(entry)
        for edit in edits:
            if isinstance(edit, SetKeys) and edit.path == shift.path:
                own._set_keys(own._node(edit.path), edit.keys)
                data |= edit.keys
        tail = len(self.text) - end
        text = self._spliced(self.text, own.cuts)
        flow = _flow_style({key: value for key, value in data.items() if value is not None})
        return _EntryText(text[start : len(text) - tail], flow, entry.start_mark.column)


def _is_inside(path: KeyPath, gone: Sequence[KeyPath]) -> bool:
    return any(len(each) < len(path) and path[: len(each)] == each for each in gone)


class _EntryText(NamedTuple):
    """An entry to be set in a list: its own lines, in one line, and the column that it had."""

    own: str
    flow: str
    column: int


def _new_entry(value: Mapping[str, Any]) -> _EntryText:
    return _EntryText(_flow_style(value), _flow_style(value), 0)


def _block_entry(entry: _EntryText, indent: int, column: int) -> str:
    """Write an entry of a list in lines, its further ones moved along."""
    first, *rest = entry.own.split("\n")
    lines = [f"{' ' * indent}-{' ' * (column - indent - 1)}{first}"]
    for line in rest:
        own = len(line) - len(line.lstrip(" "))
        lines.append(" " * max(own - entry.column + column, 0) + line.lstrip(" "))
    return "\n".join(lines) + "\n"


def _node_data(node: Any) -> Any:
    """Give what a node says, as data."""
    if isinstance(node, MappingNode):
        return {key.value: _node_data(value) for key, value in node.value}
    if isinstance(node, SequenceNode):
        return [_node_data(value) for value in node.value]
    return node.value


def _is_on_one_line(node: Node) -> bool:
    one_line: bool = node.start_mark.line == node.end_mark.line
    return one_line


_UNQUOTED = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*")


def _flow_style(value: Any) -> str:
    """Write a value in one line."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {_flow_style(each)}' for key, each in value.items())}}}"
    if isinstance(value, str):
        return value if _UNQUOTED.fullmatch(value) else json.dumps(value, ensure_ascii=False)
    return f"[{', '.join(_flow_style(each) for each in value)}]"


def edit_document(document: Document, edits: Sequence[Edit]) -> Document:
    """Give a document with edits made; paths name places in the document as it was.

    Raises:
        MusterError: If the text cannot be kept through the edits.
    """
    expected = edit_data(document.data, edits)
    try:
        text = splice(document.text, edits)
        kept = parse_yaml(text, document.file).data == expected
    except (YAMLError, MusterError, LookupError, TypeError, AttributeError) as error:
        raise _cannot_edit_error(document) from error
    if not kept:
        raise _cannot_edit_error(document)
    return Document(document.file, text, expected)


def _cannot_edit_error(document: Document) -> MusterError:
    text = (
        "the file is laid out in a way that cannot be kept when entries change; write it plainly,"
        " without anchors"
    )
    return MusterError((document.problem("cannot-rewrite", text, ()),))


# What the new file must say


def edit_data(data: Mapping[str, Any], edits: Sequence[Edit]) -> dict[str, Any]:
    """Give data with edits made; the old stays as it is."""
    new: dict[str, Any] = _copy(data)
    steps = [(edit, _value_at(new, edit.path[:-1]), _value_at(new, edit.path)) for edit in edits]
    targets = [_value_at(new, edit.to) if isinstance(edit, Move) else {} for edit in edits]
    for (edit, holder, found), target in zip(steps, targets, strict=True):
        match edit:
            case SetKeys():
                for key, value in edit.keys.items():
                    if value is None:
                        found.pop(key, None)
                    else:
                        found[key] = value if isinstance(value, str) else list(value)
            case Insert(key=key, many=True):
                found.setdefault(key, []).append(_copy(edit.value))
            case Insert(key=key):
                found[key] = _copy(edit.value)
            case Move(key=key):
                _remove_entry(holder, edit.path[-1], found)
                target.setdefault(key, []).append(found)
            case Remove():
                _remove_entry(holder, edit.path[-1], found)
    return new


def _remove_entry(holder: Any, step: str | int, found: Any) -> None:
    """Take an entry out of what holds it; places in a list may have moved already."""
    if isinstance(holder, dict):
        holder.pop(step)
    else:
        holder[:] = [each for each in holder if each is not found]


def _copy(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {key: _copy(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_copy(value) for value in data]
    return data


def _value_at(data: Any, path: KeyPath) -> Any:
    for step in path:
        data = data[step]
    return data
