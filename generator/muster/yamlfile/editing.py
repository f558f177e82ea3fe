"""Edit the text of a YAML file: every character that is not edited stays as it is.

There are two editors. `edit_document` replaces parts of the text and keeps the rest. For `muster
raise`, `rewrite_document` turns one entry into several: ruamel.yaml writes the whole file again
(see `rewriting`). Both are needed as long as raised files must keep the layout that they have now.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from muster.problems import MusterError
from muster.yamlfile.document import Document
from muster.yamlfile.nodes import KeyPath, YamlNode

NewValue = str | Sequence[str]
"""A value as a file states it: text, or a list of texts."""


class SetKeys(NamedTuple):
    """Keys of the mapping at a path, each with its new value; None removes the key."""

    path: KeyPath
    keys: Mapping[str, NewValue | None]


class Remove(NamedTuple):
    """An entry of a list, or a key of a mapping, to be removed with all that it holds."""

    path: KeyPath


class Insert(NamedTuple):
    """A new mapping at a key of the mapping at a path.

    With `many` it becomes the last entry of the list at that key, else the value of the key.
    """

    path: KeyPath
    key: str
    value: Mapping[str, Any]
    many: bool


class Move(NamedTuple):
    """An entry of a list that moves to the end of the list at a key of another mapping."""

    path: KeyPath
    to: KeyPath
    key: str


class Repeat(NamedTuple):
    """Keys of the mapping at a path, as for `SetKeys`, once for each copy of it.

    Several copies turn one entry of a list into as many, each with its own keys.
    """

    path: KeyPath
    copies: tuple[Mapping[str, str | None], ...]


Edit = SetKeys | Remove | Insert | Move


def edit_document(document: Document, edits: Sequence[Edit]) -> Document:
    """Return a document with edits made; paths name places in the document as it was.

    Raises:
        MusterError: If the text cannot be kept through the edits.
    """
    from muster.yamlfile.parsing import parse_yaml  # noqa: PLC0415 - few runs edit a file

    expected = edit_data(document.data, edits)
    try:
        text = _Splicer(document.text, document.root).edited(edits)
        root = parse_yaml(text, document.file)
    except (MusterError, LookupError, ValueError, TypeError, AttributeError) as error:
        # The splicer relies on how people lay files out; any other layout may break its steps.
        raise _cannot_edit_error(document) from error
    if root.data != expected:
        raise _cannot_edit_error(document)
    return Document(document.file, text, root.data, root)


def rewrite_document(document: Document, edits: Sequence[Repeat], heading: str) -> str:
    """Return a document's text with edits made, below one more line of comment.

    Args:
        document: The file.
        edits: In the order of the file.
        heading: The comment, with its sign.

    Raises:
        MusterError: If the data or a comment would not be kept through the edits.
    """
    from muster.yamlfile.rewriting import rewritten_text  # noqa: PLC0415 - ruamel.yaml is slow to load

    # From the end backwards, so that an edit does not move the places of the next ones.
    backwards = list(reversed(edits))
    expected = _copy(document.data)
    for edit in backwards:
        _repeat_in_data(expected, edit)
    text = rewritten_text(document, backwards, expected)
    return f"{heading}\n{text}"


def edit_data(data: Mapping[str, Any], edits: Sequence[Edit]) -> dict[str, Any]:
    """Return a copy of data with edits made."""
    new: dict[str, Any] = _copy(data)
    # Looked up before the first edit is made, because an edit moves what follows it.
    steps = [(edit, _value_at(new, edit.path[:-1]), _value_at(new, edit.path)) for edit in edits]
    targets = [_value_at(new, edit.to) if isinstance(edit, Move) else {} for edit in edits]
    for (edit, parent, value), target in zip(steps, targets, strict=True):
        match edit:
            case SetKeys():
                for key, new_value in edit.keys.items():
                    if new_value is None:
                        value.pop(key, None)
                    else:
                        value[key] = new_value if isinstance(new_value, str) else list(new_value)
            case Insert(key=key, many=True):
                value.setdefault(key, []).append(_copy(edit.value))
            case Insert(key=key):
                value[key] = _copy(edit.value)
            case Move(key=key):
                _remove_from(parent, edit.path[-1], value)
                target.setdefault(key, []).append(value)
            case Remove():
                _remove_from(parent, edit.path[-1], value)
    return new


def _repeat_in_data(data: Any, edit: Repeat) -> None:
    value = _value_at(data, edit.path)
    copies = []
    for keys in edit.copies:
        merged = {**value, **keys}
        copies.append({key: each for key, each in merged.items() if each is not None})
    if len(copies) > 1:
        index = int(edit.path[-1])
        _value_at(data, edit.path[:-1])[index : index + 1] = copies
    else:
        value.clear()
        value.update(copies[0])


def _remove_from(parent: Any, step: str | int, value: Any) -> None:
    """Remove a value from its parent; in a list its index may have changed already."""
    if isinstance(parent, dict):
        parent.pop(step)
    else:
        parent[:] = [each for each in parent if each is not value]


def _copy(data: Any) -> Any:
    """Copy data; a value that aliases repeat is copied each time."""
    if isinstance(data, Mapping):
        return {key: _copy(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_copy(value) for value in data]
    return data


def _value_at(data: Any, path: KeyPath) -> Any:
    for step in path:
        data = data[step]
    return data


def _cannot_edit_error(document: Document) -> MusterError:
    text = (
        "the layout of this file cannot be kept when entries change; write it more plainly,"
        " without anchors"
    )
    return MusterError((document.problem("cannot-rewrite", text, ()),))


class _Replacement(NamedTuple):
    """A span of the text and what takes its place.

    Of two that begin at one place, the one with the lower `order` comes first. Text that is
    inserted where a removed span begins takes the place of the span.
    """

    start: int
    end: int
    text: str
    order: int


class _EntryText(NamedTuple):
    """An entry to be written into a list: in lines, in one line, and the column of its lines.

    `comments` are the lines of comment that stand above it.
    """

    lines: str
    flow: str
    column: int
    comments: tuple[str, ...] = ()


class _Splicer:
    """Collects the replacements of one text, by the places of its nodes."""

    def __init__(self, text: str, root: YamlNode) -> None:
        self.text = text
        self.root = root
        self.replacements: list[_Replacement] = []
        self.dropped: set[KeyPath] = set()

    def edited(self, edits: Sequence[Edit]) -> str:
        """Return the text with all edits made."""
        removed = [edit.path for edit in edits if isinstance(edit, Remove)]
        moved = {
            edit.path: self._moved_entry(edit, edits) for edit in edits if isinstance(edit, Move)
        }
        # An edit inside a removed part is lost with it, but an entry may move out of the part.
        edits = [
            edit for edit in edits if isinstance(edit, Move) or not _is_inside(edit.path, removed)
        ]
        dropped = [edit.path for edit in edits if isinstance(edit, Remove | Move)]
        self.dropped = set(dropped)
        additions: dict[tuple[KeyPath, str], list[_EntryText]] = {}
        for edit in edits:
            match edit:
                case SetKeys() if edit.path not in moved:
                    self._set_keys(self._node(edit.path), edit.keys)
                case Insert(many=True):
                    additions.setdefault((edit.path, edit.key), []).append(_new_entry(edit.value))
                case Insert():
                    self._set_keys(self._node(edit.path), {edit.key: edit.value})
                case Move():
                    additions.setdefault((edit.to, edit.key), []).append(moved[edit.path])
        emptied = self._remove_entries([path for path in dropped if not _is_inside(path, removed)])
        for path in emptied:
            self._empty(path, additions.pop((path[:-1], str(path[-1])), []))
        for (path, key), entries in additions.items():
            self._extend_list(path, key, entries)
        return self._spliced()

    def _spliced(self) -> str:
        text = self.text
        for each in sorted(
            self.replacements, key=lambda each: (each.start, each.end, each.order), reverse=True
        ):
            text = text[: each.start] + each.text + text[each.end :]
        return text

    def _replace(self, start: int, end: int, text: str) -> None:
        self.replacements.append(_Replacement(start, end, text, len(self.replacements)))

    # Places

    def _node(self, path: KeyPath) -> YamlNode:
        node = self.root
        for step in path:
            node = node.values[step]
        return node

    def _end(self, node: YamlNode) -> int:
        """Return where a node's own text ends: a block goes no further than its last value."""
        if node.values and not node.flow:
            return self._end(list(node.values.values())[-1])
        end = node.end.index
        # YAML ends a block of text where the next line begins that is not part of it.
        while end > node.start.index and self.text[end - 1].isspace():
            end -= 1
        return end

    def _line_end(self, index: int) -> int:
        """Return the end of a line, its comment included, before its line feed."""
        end = self.text.find("\n", index)
        return len(self.text) if end < 0 else end

    def _line_start(self, index: int) -> int:
        return self.text.rfind("\n", 0, index) + 1

    def _dash(self, entry: YamlNode) -> int:
        """Return where the dash of an entry of a block list stands."""
        return self.text.rindex("-", 0, entry.start.index)

    def _start_with_comments(self, entry: YamlNode) -> int:
        """Return where the lines of an entry of a block list begin, with its comments above it."""
        dash = self._dash(entry)
        start = self._line_start(dash)
        indent = self.text[start:dash]
        while start and not indent.strip():
            above = self._line_start(start - 1)
            if not self.text.startswith(f"{indent}#", above):
                break
            start = above
        return start

    # Keys of one mapping

    def _set_keys(self, node: YamlNode, keys: Mapping[str, Any]) -> None:
        for name, value in keys.items():
            if name not in node.values:
                if value is not None:
                    self._add_key(node, f"{name}: {_flow_text(value)}")
            elif value is None:
                self._remove_key(node, name)
            else:
                old = node.values[name]
                self._replace(old.start.index, self._end(old), _flow_text(value))

    def _remove_key(self, node: YamlNode, name: str) -> None:
        assert node.keys is not None  # noqa: S101 - only mappings have keys to remove
        names = list(node.keys)
        index = names.index(name)
        start, end = node.keys[name].start.index, self._end(node.values[name])
        if node.flow or self.text[self._line_start(start) : start].strip():
            if index + 1 < len(names):
                end = node.keys[names[index + 1]].start.index
            elif index:
                start = self._end(node.values[names[index - 1]])
            self._replace(start, end, "")
        else:
            self._replace(self._line_start(start), min(self._line_end(end) + 1, len(self.text)), "")

    def _add_key(self, node: YamlNode, key_text: str) -> None:
        values = list(node.values.values())
        if not values:
            self._replace(node.start.index, node.end.index, f"{{{key_text}}}")
            return
        if node.flow:
            end = self._end(values[-1])
            self._replace(end, end, f", {key_text}")
            return
        # After the plain values that come before the first list, as people write it.
        plain = [_is_on_one_line(value) for value in values]
        leading = plain.index(False) if False in plain else len(plain)
        indexes = range(leading) or [index for index, is_plain in enumerate(plain) if is_plain]
        indent = " " * node.start.column
        if indexes:
            end = self._line_end(self._end(values[indexes[-1]]))
            self._replace(end, end, f"\n{indent}{key_text}")
        else:
            self._replace(node.start.index, node.start.index, f"{key_text}\n{indent}")

    # Entries of lists

    def _remove_entries(self, paths: Sequence[KeyPath]) -> set[KeyPath]:
        """Remove entries; return the lists that lose all of theirs, which are left to `_empty`."""
        emptied: set[KeyPath] = set()
        for path in paths:
            parent = self._node(path[:-1])
            if parent.keys is not None:
                self._set_keys(parent, {str(path[-1]): None})
            elif all((*path[:-1], index) in self.dropped for index in parent.values):
                emptied.add(path[:-1])
            else:
                start, end = self._entry_span(parent, int(path[-1]))
                self._replace(start, end, "")
        return emptied

    def _entry_span(self, node: YamlNode, index: int) -> tuple[int, int]:
        """Return the span that is removed with an entry: its lines, or the entry and its comma.

        Its lines include those of comment right above it, in the column of its dash.
        """
        entry = node.values[index]
        if not node.flow:
            end = min(self._line_end(self._end(entry)) + 1, len(self.text))
            return self._start_with_comments(entry), end
        if index + 1 < len(node.values):
            return entry.start.index, node.values[index + 1].start.index
        start = self._end(node.values[index - 1]) if index else entry.start.index
        return start, self._end(entry)

    def _empty(self, path: KeyPath, entries: Sequence[_EntryText]) -> None:
        """Remove all entries of a list and write others in their place; without any, write `[]`."""
        node = self._node(path)
        if node.flow:
            inner = ", ".join(entry.flow for entry in entries)
            self._replace(node.start.index, node.end.index, f"[{inner}]")
            return
        start, _ = self._entry_span(node, 0)
        for index in range(len(node.values)):
            self._replace(*self._entry_span(node, index), "")
        if entries:
            self._replace(start, start, self._block_entries(node, entries))
        else:
            parent = self._node(path[:-1])
            assert parent.keys is not None  # noqa: S101 - no list of an army stands in a list
            colon = self.text.index(":", parent.keys[str(path[-1])].end.index) + 1
            self._replace(colon, colon, " []")

    def _extend_list(self, path: KeyPath, key: str, entries: Sequence[_EntryText]) -> None:
        """Add entries at the end of a list; start the list if there is none."""
        parent = self._node(path)
        node = parent.values.get(key)
        if node is None or (node.flow and not node.values):
            self._start_list(parent, node, key, entries)
        elif node.flow:
            end = self._end(node.values[len(node.values) - 1])
            self._replace(end, end, "".join(f", {entry.flow}" for entry in entries))
        else:
            self._add_lines_below(node, self._block_entries(node, entries))

    def _start_list(
        self, parent: YamlNode, node: YamlNode | None, key: str, entries: Sequence[_EntryText]
    ) -> None:
        inner = f"[{', '.join(entry.flow for entry in entries)}]"
        if node is not None:
            self._replace(node.start.index, node.end.index, inner)
        elif parent.flow or not parent.values:
            self._add_key(parent, f"{key}: {inner}")
        else:
            column = parent.start.column
            lines = "".join(_block_entry(entry, column + 2, column + 4) for entry in entries)
            self._add_lines_below(parent, f"{' ' * column}{key}:\n{lines}")

    def _block_entries(self, node: YamlNode, entries: Sequence[_EntryText]) -> str:
        """Write entries in the layout of a block list that has at least one."""
        first = node.values[0]
        dash = self._dash(first)
        indent = dash - self._line_start(dash)
        return "".join(_block_entry(entry, indent, first.start.column) for entry in entries)

    def _add_lines_below(self, node: YamlNode, lines: str) -> None:
        """Insert whole lines below the last one of a node."""
        end = self._line_end(self._end(node))
        # After the line feed, so that they stay if that last line itself is removed.
        closed = end < len(self.text)
        self._replace(end + closed, end + closed, lines if closed else f"\n{lines}".rstrip("\n"))

    def _moved_entry(self, move: Move, edits: Sequence[Edit]) -> _EntryText:
        """Return the text of an entry that moves, with the edits of itself made."""
        entry = self._node(move.path)
        start = entry.start.index
        in_brackets = self._node(move.path[:-1]).flow
        end = self._end(entry) if in_brackets else self._line_end(self._end(entry))
        own = _Splicer(self.text, self.root)
        data = dict(entry.data)
        for edit in edits:
            if isinstance(edit, SetKeys) and edit.path == move.path:
                own._set_keys(entry, edit.keys)
                data |= edit.keys
        following = len(self.text) - end
        text = own._spliced()
        flow = _flow_text({key: value for key, value in data.items() if value is not None})
        comments: list[str] = []
        if not in_brackets:
            above = self.text[self._start_with_comments(entry) : self._line_start(start)]
            comments = [line.strip() for line in above.splitlines()]
        lines = text[start : len(text) - following]
        return _EntryText(lines, flow, entry.start.column, tuple(comments))


def _is_inside(path: KeyPath, removed: Sequence[KeyPath]) -> bool:
    return any(len(each) < len(path) and path[: len(each)] == each for each in removed)


def _is_on_one_line(node: YamlNode) -> bool:
    return node.start.line == node.end.line


def _new_entry(value: Mapping[str, Any]) -> _EntryText:
    return _EntryText(_flow_text(value), _flow_text(value), 0)


def _block_entry(entry: _EntryText, indent: int, column: int) -> str:
    """Write an entry of a block list, its further lines indented as its first one.

    Args:
        entry: What to write.
        indent: The column of the dash, from 0.
        column: The column of what follows the dash, from 0.
    """
    first, *rest = entry.lines.split("\n")
    lines = [f"{' ' * indent}{comment}" for comment in entry.comments]
    lines.append(f"{' ' * indent}-{' ' * (column - indent - 1)}{first}")
    for line in rest:
        own_indent = len(line) - len(line.lstrip(" "))
        lines.append(" " * max(own_indent - entry.column + column, 0) + line.lstrip(" "))
    return "\n".join(lines) + "\n"


_UNQUOTED = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*")


def _flow_text(value: Any) -> str:
    """Write a value in one line."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {_flow_text(each)}' for key, each in value.items())}}}"
    if isinstance(value, str):
        return value if _UNQUOTED.fullmatch(value) else json.dumps(value, ensure_ascii=False)
    return f"[{', '.join(_flow_text(each) for each in value)}]"
