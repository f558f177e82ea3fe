"""Parse YAML text into nodes, within limits; every scalar stays text."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NoReturn, Protocol

from yaml.error import Mark as YAMLMark
from yaml.error import YAMLError
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)
from yaml.parser import Parser as Grammar
from yaml.reader import Reader
from yaml.scanner import Scanner

from muster.problems import Location, MusterError, Problem, did_you_mean
from muster.yamlfile.nodes import (
    MAX_ALIASES,
    MAX_DEPTH,
    MAX_NODES,
    MAX_PROBLEMS,
    MAX_SCALAR_LENGTH,
    YamlNode,
)
from muster.yamlfile.syntax import MISSING_BLANK, spaced, syntax_problem
from muster.yamlfile.textfile import (
    describe_character,
    find_forbidden,
    problem_at,
    split_lines,
)


class EventParser(Protocol):
    """A parser that returns the events of a text one after the other."""

    def get_event(self) -> Event | None:
        """Return the next event; None after the end."""
        ...


class PythonParser(Reader, Scanner, Grammar):
    """The parser in Python, for a PyYAML without libyaml; it is slow."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Grammar.__init__(self)


def open_parser(text: str) -> EventParser:
    """Return a parser of a text: the one in C where there is one."""
    try:
        from yaml._yaml import CParser  # noqa: PLC0415 - a PyYAML without libyaml lacks it
    except ImportError:
        return PythonParser(text)
    return CParser(text)


def parse_yaml(text: str, file: str) -> YamlNode:
    """Return the top level of one YAML document, which must be a mapping.

    Raises:
        MusterError: With every duplicate key, tag, merge key and bad key of the file, and with
            the first fault after which nothing more can be read.
    """
    parser = _NodeParser(text, file)
    try:
        root = parser.parse()
    except YAMLError as error:
        parser.stop(syntax_problem(error, text, file))
    if parser.problems:
        raise MusterError(parser.problems)
    return root


def parse_places(text: str) -> YamlNode:
    """Return the nodes of a text whose data was read in another way, such as JSON, for the places.

    No limits apply, because whatever read the text has checked it. If the text is not YAML, the
    result is one empty node at the start of the text.
    """
    try:
        return _NodeParser(text, "", limited=False).parse()
    except (YAMLError, MusterError):
        start = YAMLMark("", 0, 0, 0, None, 0)
        return YamlNode("", start, start)


class _Anchor:
    """A value that aliases may repeat, with its number of nodes and its depth.

    It is open until its end is read: an alias inside it would be endless recursion.
    """

    __slots__ = ("deepest", "depth", "line", "node", "nodes", "open")

    def __init__(self, node: YamlNode, depth: int, nodes: int) -> None:
        self.node = node
        self.line = node.start.line + 1
        self.depth = self.deepest = depth
        self.nodes = nodes
        self.open = True


class _NodeParser:
    """Builds the tree of one file, counts what it holds, and collects its problems."""

    def __init__(self, text: str, file: str, *, limited: bool = True) -> None:
        self.text = text
        self.file = file
        self.problems: list[Problem] = []
        self.anchors: dict[str, _Anchor] = {}
        self.open_anchors: list[_Anchor] = []
        self.glued: list[tuple[ScalarEvent, YamlNode, YamlNode]] = []
        self.aliases = 0
        self.nodes = 0
        self.max_depth = MAX_DEPTH if limited else sys.maxsize
        self.max_nodes = MAX_NODES if limited else sys.maxsize
        self.max_length = MAX_SCALAR_LENGTH if limited else sys.maxsize
        self.max_problems = MAX_PROBLEMS if limited else sys.maxsize
        self._lines: list[str] | None = None

    def parse(self) -> YamlNode:
        get = open_parser(self.text).get_event
        get()  # the start of the stream
        start = get()
        if type(start) is StreamEndEvent:
            self.stop(
                Problem("empty-file", "the file contains nothing to read", Location(self.file))
            )
        if type(start) is DocumentStartEvent and (start.version or start.tags):
            text = "a line that begins with % is a YAML directive, which is not allowed; remove it"
            self._add_problem("yaml-directive", text, start)
        top = get()
        if type(top) is not MappingStartEvent:
            self._refuse_top(top)
        root = self._parse_nodes(get, top)
        self._refuse_glued_keys()
        get()  # the end of the document
        if type(after := get()) is not StreamEndEvent:
            text = "a second document begins here, expected one per file; remove the ---"
            self._stop("second-document", text, after)
        return root

    def _parse_nodes(  # noqa: C901, PLR0912, PLR0915 - one loop without calls: it runs for every word
        self, get: Callable[[], Event | None], top: Any
    ) -> YamlNode:
        max_nodes, max_length = self.max_nodes, self.max_length
        # `node` is the list or mapping that is being filled, `keys` its keys (None for a list),
        # `key` the key that waits for its value, and `stack` holds the nodes around `node`.
        node = _collection(top)
        keys, values = node.keys, node.values
        glued = self.glued
        key: str | None = None
        stack: list[YamlNode] = []
        depth = nodes = 1
        self._check_collection(top, node, depth)
        while True:
            event: Any = get()
            kind = type(event)
            if kind is ScalarEvent:
                nodes += 1
                text = event.value
                child = YamlNode(text, event.start_mark, event.end_mark)
                if event.style == '"' or len(text) > max_length or event.tag or event.anchor:
                    self.nodes = nodes
                    self._check_scalar(event, child, depth)
                if keys is not None and key is None:
                    if text in keys or not text or text == "<<":
                        self._check_key(event, keys)
                    if ":" in text:
                        glued.append((event, child, node))
                    keys.setdefault(text, child)
                    key = text
                    continue
            elif kind is SequenceEndEvent or kind is MappingEndEvent:
                if self.open_anchors:
                    self.nodes = nodes
                    self._close(depth)
                node.end = event.end_mark
                if not stack:
                    return node
                node = stack.pop()
                keys, values, key = node.keys, node.values, None
                depth -= 1
                continue
            else:
                nodes += 1
                if keys is not None and key is None:
                    self.nodes = nodes
                    key = self._skip_key(get, event, depth)
                    nodes = self.nodes
                    continue
                if kind is AliasEvent:
                    self.nodes = nodes
                    child = self._alias(event, depth)
                    nodes = self.nodes
                else:
                    child = _collection(event)
                    if event.anchor or event.tag or depth >= MAX_DEPTH or self.open_anchors:
                        self.nodes = nodes
                        self._check_collection(event, child, depth + 1)
            if nodes > max_nodes:
                self._stop("too-many-values", f"a file may have at most {MAX_NODES} values", event)
            if keys is None:
                values[len(values)] = child
                node.data.append(child.data)
            elif key is not None:
                values[key] = child
                node.data[key] = child.data
                key = None
            if kind is MappingStartEvent or kind is SequenceStartEvent:
                stack.append(node)
                node = child
                keys, values = node.keys, node.values
                depth += 1

    # Values

    def _check_collection(self, event: Any, node: YamlNode, depth: int) -> None:
        self._check_depth(event, depth)
        if event.tag:
            self._refuse_tag(event)
        for anchor in self.open_anchors:
            anchor.deepest = max(anchor.deepest, depth)
        if event.anchor:
            self.open_anchors.append(self._anchor(event, node, depth))

    def _check_depth(self, event: Any, depth: int) -> None:
        if depth > self.max_depth:
            text = f"lists and mappings may be nested at most {MAX_DEPTH} levels deep"
            self._stop("too-deep", text, event)

    def _check_scalar(self, event: ScalarEvent, node: YamlNode, depth: int) -> None:
        if len(event.value) > self.max_length:
            text = (
                f"read text of {len(event.value)} characters, expected at most {MAX_SCALAR_LENGTH}"
            )
            self._stop("too-long", text, event)
        if event.tag:
            self._refuse_tag(event)
        if event.style == '"' and (match := find_forbidden(event.value)):
            character = describe_character(match.group())
            text = f"the character {character} is not allowed in text; remove it"
            self._add_problem("bad-character", text, event)
        if event.anchor:
            self._anchor(event, node, depth).open = False

    def _refuse_tag(self, event: Any) -> None:
        tag = event.tag.replace("tag:yaml.org,2002:", "!!")[:40]
        text = f"the tag {tag!r} is not allowed: all values are text; text that begins with"
        self._add_problem("yaml-tag", f"{text} ! must be quoted", event, '"!"')

    # Keys

    def _check_key(self, event: ScalarEvent, keys: dict[str, YamlNode]) -> None:
        key = event.value
        if not key:
            self._add_problem(
                "empty-key", "there is no key before the colon", event, "title: Orders"
            )
        elif key in keys:
            line = keys[key].start.line + 1
            text = f"the key {_quote_key(key)} is used twice in this mapping, first on line {line}"
            self._add_problem("duplicate-key", text, event)
        elif event.style is None or event.style == "":
            text = "merge keys (<<) are not allowed; write the keys out"
            self._add_problem("merge-key", text, event)

    def _refuse_glued_keys(self) -> None:
        """Report keys such as `stands:3`: a colon without a blank, and nothing that follows it."""
        for event, key, node in self.glued:
            value = (node.values or {}).get(key.data)
            empty = value is None or value.start.index == value.end.index
            if empty and event.style in {None, ""} and MISSING_BLANK.match(event.value):
                text = f"read {_quote_key(event.value)}, expected a blank after the colon"
                self._add_problem("missing-blank", text, event, spaced(event.value))

    def _skip_key(self, get: Callable[[], Event | None], event: Any, depth: int) -> str:
        """Report that a key is a list, mapping or alias; skip it, and return an empty key."""
        text = "a key must be a plain word, not a list, a mapping or an alias"
        self._add_problem("bad-key", text, event, "title: Orders")
        if type(event) is AliasEvent:
            return ""
        level = 1
        while level:
            self._check_depth(event, depth + level)
            if self.nodes > self.max_nodes:
                self._stop("too-many-values", f"a file may have at most {MAX_NODES} values", event)
            event = get()
            self.nodes += 1
            if isinstance(event, MappingStartEvent | SequenceStartEvent):
                level += 1
            elif isinstance(event, CollectionEndEvent):
                level -= 1
        return ""

    # Anchors and aliases

    def _anchor(self, event: Any, node: YamlNode, depth: int) -> _Anchor:
        name = event.anchor
        if name in self.anchors:
            text = (
                f"the anchor &{name[:40]} is defined twice, first on line {self.anchors[name].line}"
            )
            self._add_problem("duplicate-anchor", text, event)
        anchor = self.anchors[name] = _Anchor(node, depth, self.nodes)
        if type(event) is ScalarEvent:
            anchor.deepest -= 1
            anchor.nodes = 1
        return anchor

    def _close(self, depth: int) -> None:
        if self.open_anchors[-1].depth == depth:
            anchor = self.open_anchors.pop()
            anchor.open = False
            anchor.nodes = self.nodes - anchor.nodes + 1

    def _alias(self, event: Any, depth: int) -> YamlNode:
        name = event.anchor
        self.aliases += 1
        if self.aliases > MAX_ALIASES:
            self._stop("too-many-aliases", f"a file may have at most {MAX_ALIASES} aliases", event)
        anchor = self.anchors.get(name)
        if anchor is None:
            hint = did_you_mean(name, self.anchors) or "; text that begins with * must be quoted"
            text = f"there is no anchor &{name[:40]} above for this alias{hint}"
            self._add_problem("unknown-anchor", text, event, f'"*{name[:40]}"')
            return YamlNode("", event.start_mark, event.end_mark)
        if anchor.open:
            text = (
                f"the alias *{name[:40]} is inside the value that it repeats, which would never end"
            )
            self._stop("alias-loop", text, event)
        height = anchor.deepest - anchor.depth + 1
        if depth + height > self.max_depth:
            text = f"lists and mappings may be nested at most {MAX_DEPTH} levels deep"
            self._stop("too-deep", f"{text}, counting aliases", event)
        for around in self.open_anchors:
            around.deepest = max(around.deepest, depth + height)
        self.nodes += anchor.nodes - 1
        return anchor.node

    # Problems

    def _refuse_top(self, top: Any) -> NoReturn:
        what = "a list" if type(top) is SequenceStartEvent else "text"
        if type(top) is ScalarEvent and not top.value:
            self._stop("empty-file", "the file contains nothing to read", top)
        text = f"read {what}, expected keys and values: on each line a key, a colon and a space"
        self._stop("not-a-mapping", text, top, "title: Orders")

    def _add_problem(self, code: str, text: str, event: Any, example: str = "") -> None:
        self.problems.append(self._problem(code, text, event, example))
        if len(self.problems) >= self.max_problems:
            self._stop("more-problems", "there may be more problems: reading stopped here", event)

    def _stop(self, code: str, text: str, event: Any, example: str = "") -> NoReturn:
        self.stop(self._problem(code, text, event, example))

    def stop(self, problem: Problem) -> NoReturn:
        """Raise the problems that were collected, and this one last.

        Raises:
            MusterError: Always.
        """
        raise MusterError([*self.problems, problem]) from None

    def _problem(self, code: str, text: str, event: Any, example: str = "") -> Problem:
        mark = event.start_mark
        if self._lines is None:
            self._lines = split_lines(self.text)
        place = (mark.line + 1, mark.column + 1)
        return problem_at(code, text, self.file, self._lines, place, example)


def _collection(event: Any) -> YamlNode:
    """Return the node of a list or mapping that begins, still empty."""
    is_mapping = type(event) is MappingStartEvent
    node = YamlNode({} if is_mapping else [], event.start_mark, event.end_mark)
    node.flow = event.flow_style
    node.values = {}
    node.keys = {} if is_mapping else None
    return node


def _quote_key(key: str) -> str:
    return repr(key if len(key) <= 40 else f"{key[:39]}…")  # noqa: PLR2004 - to fit in a line
