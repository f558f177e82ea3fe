"""Write a YAML file anew with entries repeated, by ruamel.yaml, and keep its comments.

`editing.rewrite_document` is the way in, and loads this module late: ruamel.yaml is slow to load.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.emitter import RoundTripEmitter
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import ScalarNode
from ruamel.yaml.resolver import VersionedResolver
from ruamel.yaml.scalarstring import (
    DoubleQuotedScalarString,
    FoldedScalarString,
    LiteralScalarString,
    PlainScalarString,
    ScalarString,
)
from ruamel.yaml.tokens import CommentToken
from yaml.events import CollectionEndEvent, Event, ScalarEvent, StreamEndEvent

from muster.problems import MusterError
from muster.yamlfile.document import Document
from muster.yamlfile.editing import Repeat
from muster.yamlfile.nodes import KeyPath
from muster.yamlfile.parsing import open_parser, parse_yaml

Token = CommentToken | None
_MAX_WIDTH = 100
_COMMENT_BEHIND = 2
"""Where ruamel keeps, of the four comments about a key, the one behind its value."""


def rewritten_text(document: Document, backwards: Sequence[Repeat], expected: Any) -> str:
    """Return a document's text with edits made.

    Args:
        document: What was read.
        backwards: The edits, the last of the file first.
        expected: The data that the new text must hold.

    Raises:
        MusterError: If it would not hold that data, or would lose a comment.
    """
    try:
        text = _rewritten(document.text, backwards)
        data_kept = parse_yaml(text, document.file).data == expected
        kept = data_kept and count_comments(text) == count_comments(document.text)
    except (YAMLError, MusterError, AttributeError, IndexError, KeyError, TypeError) as error:
        # The library is not made for files that want to break it.
        raise _cannot_rewrite_error(document) from error
    if not kept:
        raise _cannot_rewrite_error(document)
    return text


def _cannot_rewrite_error(document: Document) -> MusterError:
    text = (
        "the file is laid out in a way that cannot be kept when values are added; write it plainly"
    )
    return MusterError((document.problem("cannot-rewrite", text, ()),))


class _TextResolver(VersionedResolver):
    """Takes every scalar for the text that it is, so that `010` and `on` stay as they are."""

    def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
        if kind is ScalarNode:
            return self.DEFAULT_SCALAR_TAG
        return super().resolve(kind, value, implicit)


class _EntryEmitter(RoundTripEmitter):
    """Begins each entry of a list as an entry: its own state may be left over from the last one.

    Where a comment stands before the list and another behind a first entry in braces, the keys of
    the next entry would run on in one line.
    """

    def expect_block_sequence_item(self, first: bool = False) -> None:  # noqa: FBT001, FBT002 - its own
        if not first:
            self.no_newline = False
        super().expect_block_sequence_item(first)

    def process_scalar(self) -> None:
        # A line that is full breaks at a space; without its new line the space would be lost.
        self.no_newline = False
        super().process_scalar()


def _rewritten(text: str, backwards: Sequence[Repeat]) -> str:
    yaml = YAML()
    yaml.Resolver = _TextResolver
    yaml.Emitter = _EntryEmitter
    yaml.preserve_quotes = True
    yaml.width = _MAX_WIDTH
    yaml.indent(mapping=2, sequence=4, offset=2)
    ready, mark = mark_flow_ends(text)
    data = yaml.load(ready)
    _expand_aliases(data, set())
    for edit in backwards:
        _edit_commented(data, edit)
    out = StringIO()
    yaml.dump(data, out)
    return re.sub(rf" *{mark}$", "", out.getvalue(), flags=re.MULTILINE)


def _value_at(data: Any, path: KeyPath) -> tuple[Any, Any]:
    """Follow a path; return what holds the value there, and the value."""
    parent: Any = None
    for step in path:
        parent, data = data, data[step]
    return parent, data


def _expand_aliases(data: Any, seen: set[int]) -> None:
    """Write out what aliases repeat: from now on each may be edited by itself."""
    pairs = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in list(pairs):
        if isinstance(value, CommentedMap | CommentedSeq):
            own = value
            if id(value) in seen:
                own = data[key] = deepcopy(value)
                _strip_comments(own)
            seen.add(id(own))
            own.yaml_set_anchor(None)
            _expand_aliases(own, seen)
        elif isinstance(value, ScalarString) and value.yaml_anchor() is not None:
            plain = isinstance(value, PlainScalarString)
            data[key] = str(value) if plain else type(value)(value)


def _strip_comments(data: Any) -> None:
    """Take all comments out of a copy: they stand where they stood."""
    if isinstance(data, CommentedMap | CommentedSeq):
        data.ca.comment = None
        data.ca.items.clear()
        data.ca.end = []
        for value in data.values() if isinstance(data, dict) else data:
            _strip_comments(value)


def _edit_commented(data: Any, edit: Repeat) -> None:
    above, found = _value_at(data, edit.path)
    if len(edit.copies) == 1:
        _set_keys(found, edit.copies[0])
        return
    place = int(edit.path[-1])
    made = [deepcopy(found) for _ in edit.copies]
    for copy, keys in zip(made, edit.copies, strict=True):
        _set_keys(copy, keys)
    # The comment behind the entry stays with the first; lines of comment that follow it, and
    # speak of what comes next, stay behind the last.
    kept, key, slot = (above.ca.items, place, 0) if _is_leaf(found) else _last_comment_slot(made[0])
    behind, following = _split_comment(kept, key, slot)
    _put_comment(kept, key, slot, behind)
    for copy in made[1:]:
        _strip_comments(copy)
    above[place] = made[0]
    for n, copy in enumerate(made[1:], 1):
        above.insert(place + n, copy)
    last = place + len(made) - 1
    kept, key, slot = (above.ca.items, last, 0) if _is_leaf(found) else _last_comment_slot(made[-1])
    _put_comment(kept, key, slot, following)


def _is_leaf(value: Any) -> bool:
    """Tell whether a comment behind a value is kept by what holds the value."""
    block = isinstance(value, CommentedMap | CommentedSeq) and value and not value.fa.flow_style()
    return not block


def _last_comment_slot(data: Any) -> tuple[Any, Any, int]:
    """Find where the comment behind the last line of a mapping or list is kept."""
    is_map = isinstance(data, CommentedMap)
    key = list(data)[-1] if is_map else len(data) - 1
    if not _is_leaf(data[key]):
        return _last_comment_slot(data[key])
    return data.ca.items, key, _COMMENT_BEHIND if is_map else 0


def _split_comment(kept: Any, key: Any, slot: int) -> tuple[Token, Token]:
    """Part the comment behind a value from the lines of comment that follow."""
    found = kept.get(key)
    token = found[slot] if found else None
    if token is None:
        return None, None
    behind, _, following = token.value.partition("\n")
    mark = token.start_mark
    return (
        CommentToken(f"{behind}\n", mark, None) if behind else None,
        CommentToken(f"\n{following}", mark, None) if following else None,
    )


def _put_comment(kept: Any, key: Any, slot: int, token: Token) -> None:
    if token is not None or key in kept:
        kept.setdefault(key, [None, None, None, None])[slot] = token
    # A key with four times no comment is written as if it had some.
    if not any(kept.get(key, (True,))):
        del kept[key]


# Keys of one mapping


def _set_keys(data: CommentedMap, keys: Mapping[str, str | None]) -> None:
    """Set keys: those there already where they stand, new ones behind the last plain value."""
    for key, value in keys.items():
        if key in data and value is None:
            _remove_key(data, key)
        elif key in data:
            data[key] = value
    new = {key: value for key, value in keys.items() if value is not None and key not in data}
    if not data:
        data.fa.set_flow_style()
    if data.fa.flow_style():
        data.update({key: _quote_words(key, value) for key, value in new.items()})
    elif new:
        _insert(data, new)


def _quote_words(key: str, value: str) -> str:
    # A line of words is quoted, as people write it.
    return DoubleQuotedScalarString(value) if " " in value and key else value


def _insert(data: CommentedMap, new: Mapping[str, str]) -> None:
    plain = [place for place, value in enumerate(data.values()) if _is_on_one_line(value)]
    place = plain[-1] + 1 if plain else 0
    following: Token = None
    if plain:
        before = list(data)[place - 1]
        behind, following = _split_comment(data.ca.items, before, _COMMENT_BEHIND)
        if following is not None:
            _put_comment(data.ca.items, before, _COMMENT_BEHIND, behind)
    for n, (key, value) in enumerate(new.items()):
        data.insert(place + n, key, _quote_words(key, value))
    if following is not None:
        _put_comment(data.ca.items, list(new)[-1], _COMMENT_BEHIND, following)


def _is_on_one_line(value: Any) -> bool:
    blocks = (CommentedMap, CommentedSeq, LiteralScalarString, FoldedScalarString)
    return not isinstance(value, blocks)


def _remove_key(data: CommentedMap, key: str) -> None:
    """Take out a key; its comment goes to the neighbour, on a line of its own if need be."""
    keys = list(data)
    place = keys.index(key)
    behind, following = _split_comment(data.ca.items, key, _COMMENT_BEHIND)
    data.ca.items.pop(key, None)
    del data[key]
    if behind is None and following is None:
        return
    # Nothing stands before the first key, and a unit always has another.
    heir = keys[place - 1] if place else keys[1]
    own, after = _split_comment(data.ca.items, heir, _COMMENT_BEHIND)
    lines = [token.value.strip("\n") for token in (own, behind) if token is not None]
    text = f"\n{' ' * data.lc.col}".join(lines)
    for token in (after, following):
        text += token.value.removesuffix("\n") if token is not None else ""
    mark = next(token.start_mark for token in (own, behind, after, following) if token is not None)
    _put_comment(data.ca.items, heir, _COMMENT_BEHIND, CommentToken(f"{text}\n", mark, None))


_COMMENT = re.compile(r"(?:^|(?<=\s))#.*", re.MULTILINE)


def count_comments(text: str) -> Counter[str]:
    """Count the comments of a text that was loaded: what stands behind # outside of its values."""
    bare = list(text)
    for event, start, end in _parse_events(text):
        if isinstance(event, ScalarEvent):
            span = slice(start.index, end.index)
            # The lines of a value stay lines: what follows it may be a comment.
            bare[span] = ["\n" if sign == "\n" else "." for sign in bare[span]]
    return Counter(found.rstrip() for found in _COMMENT.findall("".join(bare)))


def mark_flow_ends(text: str) -> tuple[str, str]:
    """Put a mark behind each list and mapping in brackets that ends a line.

    The library loses lines of comment that follow such a line, unless a comment ends it too.
    """
    mark = "#~"
    while mark in text:
        mark += "~"
    lines = text.splitlines(keepends=True)
    for event, start, end in _parse_events(text):
        # A list or mapping in blocks has no sign at its end.
        closed = isinstance(event, CollectionEndEvent) and start.index < end.index
        if closed and not lines[end.line][end.column :].strip():
            lines[end.line] = f"{lines[end.line][: end.column]}  {mark}\n"
    return "".join(lines), mark


def _parse_events(text: str) -> Iterator[tuple[Event, Any, Any]]:
    """Go through the events of a text, each with the marks of its start and its end."""
    get = open_parser(text).get_event
    while True:
        event = get()
        if event is None or isinstance(event, StreamEndEvent):
            return
        yield event, event.start_mark, event.end_mark
