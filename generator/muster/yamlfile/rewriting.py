"""Write a YAML file again with entries repeated, by ruamel.yaml, and keep its comments.

Use it through `editing.rewrite_document`, which loads it late: ruamel.yaml is slow to load.
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
from muster.yamlfile.nodes import KeyPath
from muster.yamlfile.parsing import open_parser, parse_yaml

Token = CommentToken | None
Copies = Sequence[Mapping[str, str | None]]
"""The keys of each copy that is to be made of an entry; None removes a key."""

_MAX_WIDTH = 100
_AFTER_VALUE = 2
"""Index, among the four comments that ruamel keeps for a key, of the one after its value."""

_COMMENT = re.compile(r"(?:^|(?<=\s))#.*", re.MULTILINE)


def rewritten_text(
    document: Document, backwards: Sequence[tuple[KeyPath, Copies]], expected: Any
) -> str:
    """Return a document's text with edits made.

    Args:
        document: The file.
        backwards: The path of each entry and its copies, the last of the file first.
        expected: The data that the new text must hold.

    Raises:
        MusterError: If it would not hold that data, or would lose a comment.
    """
    try:
        text = _rewritten(document.text, backwards)
        data_kept = parse_yaml(text, document.file).data == expected
        kept = data_kept and count_comments(text) == count_comments(document.text)
    except (YAMLError, MusterError, AttributeError, IndexError, KeyError, TypeError) as error:
        # The library is not made for hostile files, and raises more than its own errors.
        raise _cannot_rewrite_error(document) from error
    if not kept:
        raise _cannot_rewrite_error(document)
    return text


def _cannot_rewrite_error(document: Document) -> MusterError:
    text = "the layout of this file cannot be kept when values are added; write it more plainly"
    return MusterError((document.problem("cannot-rewrite", text, ()),))


class _TextResolver(VersionedResolver):
    """Reads every scalar as text, so that `010` and `on` stay as they are."""

    def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
        if kind is ScalarNode:
            return self.DEFAULT_SCALAR_TAG
        return super().resolve(kind, value, implicit)


class _EntryEmitter(RoundTripEmitter):
    """Starts each entry of a list on a line of its own.

    ruamel's emitter may carry its state over from the entry before: with a comment before the list
    and another after a first entry in braces, it writes the next entry's keys into one line.
    """

    def expect_block_sequence_item(self, first: bool = False) -> None:  # noqa: FBT001, FBT002 - its own
        if not first:
            self.no_newline = False
        super().expect_block_sequence_item(first)

    def process_scalar(self) -> None:
        # A full line is broken at a space; without the line feed that space would be lost.
        self.no_newline = False
        super().process_scalar()


def _rewritten(text: str, backwards: Sequence[tuple[KeyPath, Copies]]) -> str:
    yaml = YAML()
    yaml.Resolver = _TextResolver
    yaml.Emitter = _EntryEmitter
    yaml.preserve_quotes = True
    yaml.width = _MAX_WIDTH
    yaml.indent(mapping=2, sequence=4, offset=2)
    marked, mark = mark_flow_ends(text)
    data = yaml.load(marked)
    _expand_aliases(data, set())
    for path, copies in backwards:
        _repeat_entry(data, path, copies)
    out = StringIO()
    yaml.dump(data, out)
    return re.sub(rf" *{mark}$", "", out.getvalue(), flags=re.MULTILINE)


def _value_at(data: Any, path: KeyPath) -> tuple[Any, Any]:
    """Return the parent of the value at a path, and the value."""
    parent: Any = None
    for step in path:
        parent, data = data, data[step]
    return parent, data


def _expand_aliases(data: Any, seen: set[int]) -> None:
    """Replace aliases by copies of what they repeat, so that each can be edited on its own."""
    pairs = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in list(pairs):
        if isinstance(value, CommentedMap | CommentedSeq):
            if id(value) in seen:
                value = data[key] = deepcopy(value)  # noqa: PLW2901 - the copy takes its place
                _strip_comments(value)
            seen.add(id(value))
            value.yaml_set_anchor(None)
            _expand_aliases(value, seen)
        elif isinstance(value, ScalarString) and value.yaml_anchor() is not None:
            plain = isinstance(value, PlainScalarString)
            data[key] = str(value) if plain else type(value)(value)


def _strip_comments(data: Any) -> None:
    """Remove all comments from a copy; the original keeps them."""
    if isinstance(data, CommentedMap | CommentedSeq):
        data.ca.comment = None
        data.ca.items.clear()
        data.ca.end = []
        for value in data.values() if isinstance(data, dict) else data:
            _strip_comments(value)


def _repeat_entry(data: Any, path: KeyPath, keys_of_copies: Copies) -> None:
    parent, entry = _value_at(data, path)
    if len(keys_of_copies) == 1:
        _set_keys(entry, keys_of_copies[0])
        return
    index = int(path[-1])
    copies = [deepcopy(entry) for _ in keys_of_copies]
    for copy, keys in zip(copies, keys_of_copies, strict=True):
        _set_keys(copy, keys)

    def comment_slot(n: int) -> tuple[Any, Any, int]:
        return (parent.ca.items, index + n, 0) if _is_leaf(entry) else _last_comment_slot(copies[n])

    # The comment after the entry stays with the first copy; lines of comment below it belong to
    # what comes next, and stay below the last copy.
    after, below = _split_comment(*comment_slot(0))
    _put_comment(*comment_slot(0), after)
    for copy in copies[1:]:
        _strip_comments(copy)
    parent[index] = copies[0]
    for n, copy in enumerate(copies[1:], 1):
        parent.insert(index + n, copy)
    _put_comment(*comment_slot(len(copies) - 1), below)


def _is_leaf(value: Any) -> bool:
    """Return whether ruamel keeps the comment after a value with the value's parent."""
    is_block = isinstance(value, CommentedMap | CommentedSeq) and not value.fa.flow_style()
    return not (is_block and value)


def _last_comment_slot(data: Any) -> tuple[Any, Any, int]:
    """Return where ruamel keeps the comment after the last line of a mapping or list."""
    is_map = isinstance(data, CommentedMap)
    key = list(data)[-1] if is_map else len(data) - 1
    if not _is_leaf(data[key]):
        return _last_comment_slot(data[key])
    return data.ca.items, key, _AFTER_VALUE if is_map else 0


def _split_comment(comments: Any, key: Any, slot: int) -> tuple[Token, Token]:
    """Return the comment after a value and the lines of comment below it, as two tokens."""
    of_key = comments.get(key)
    token = of_key[slot] if of_key else None
    if token is None:
        return None, None
    after, _, below = token.value.partition("\n")
    mark = token.start_mark
    return (
        CommentToken(f"{after}\n", mark, None) if after else None,
        CommentToken(f"\n{below}", mark, None) if below else None,
    )


def _put_comment(comments: Any, key: Any, slot: int, token: Token) -> None:
    if token is not None or key in comments:
        comments.setdefault(key, [None, None, None, None])[slot] = token
    # ruamel would write a key whose four comments are all None as if it had one.
    if not any(comments.get(key, (True,))):
        del comments[key]


# Keys of one mapping


def _set_keys(data: CommentedMap, keys: Mapping[str, str | None]) -> None:
    """Set keys: existing ones in their place, new ones after the last value that is on one line."""
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
    # People quote a value of several words, though YAML does not ask for it.
    return DoubleQuotedScalarString(value) if " " in value and key else value


def _insert(data: CommentedMap, new: Mapping[str, str]) -> None:
    plain = [index for index, value in enumerate(data.values()) if _is_on_one_line(value)]
    index = plain[-1] + 1 if plain else 0
    below: Token = None
    if plain:
        before = list(data)[index - 1]
        after, below = _split_comment(data.ca.items, before, _AFTER_VALUE)
        if below is not None:
            _put_comment(data.ca.items, before, _AFTER_VALUE, after)
    for n, (key, value) in enumerate(new.items()):
        data.insert(index + n, key, _quote_words(key, value))
    if below is not None:
        _put_comment(data.ca.items, list(new)[-1], _AFTER_VALUE, below)


def _is_on_one_line(value: Any) -> bool:
    blocks = (CommentedMap, CommentedSeq, LiteralScalarString, FoldedScalarString)
    return not isinstance(value, blocks)


def _remove_key(data: CommentedMap, key: str) -> None:
    """Remove a key; its comment goes to a neighbour, on a separate line if that has one already."""
    keys = list(data)
    index = keys.index(key)
    after, below = _split_comment(data.ca.items, key, _AFTER_VALUE)
    data.ca.items.pop(key, None)
    del data[key]
    if after is None and below is None:
        return
    # The first key has none before it; a unit always has another key after it.
    neighbour = keys[index - 1] if index else keys[1]
    own_after, own_below = _split_comment(data.ca.items, neighbour, _AFTER_VALUE)
    lines = [token.value.strip("\n") for token in (own_after, after) if token is not None]
    text = f"\n{' ' * data.lc.col}".join(lines)
    for token in (own_below, below):
        text += token.value.removesuffix("\n") if token is not None else ""
    tokens = (own_after, after, own_below, below)
    mark = next(token.start_mark for token in tokens if token is not None)
    comment = CommentToken(f"{text}\n", mark, None)
    _put_comment(data.ca.items, neighbour, _AFTER_VALUE, comment)


def count_comments(text: str) -> Counter[str]:
    """Count the comments of a text that is valid YAML: `#` and what follows, outside of values."""
    characters = list(text)
    for event, start, end in _parse_events(text):
        if isinstance(event, ScalarEvent):
            span = slice(start.index, end.index)
            # The line feeds of a value stay: the next line may begin with a comment.
            characters[span] = [each if each == "\n" else "." for each in characters[span]]
    return Counter(comment.rstrip() for comment in _COMMENT.findall("".join(characters)))


def mark_flow_ends(text: str) -> tuple[str, str]:
    """Return a text with a comment after each list and mapping in brackets that ends a line.

    Returns:
        The text, and the comment that was put in. ruamel.yaml loses lines of comment below such a
        line, unless the line itself ends in a comment.
    """
    mark = "#~"
    while mark in text:
        mark += "~"
    lines = text.splitlines(keepends=True)
    for event, start, end in _parse_events(text):
        # The end event of a block list or mapping has no length.
        closed = isinstance(event, CollectionEndEvent) and start.index < end.index
        if closed and not lines[end.line][end.column :].strip():
            lines[end.line] = f"{lines[end.line][: end.column]}  {mark}\n"
    return "".join(lines), mark


def _parse_events(text: str) -> Iterator[tuple[Event, Any, Any]]:
    """Yield the events of a text, each with the marks of its start and its end."""
    get = open_parser(text).get_event
    while True:
        event = get()
        if event is None or isinstance(event, StreamEndEvent):
            return
        yield event, event.start_mark, event.end_mark
