"""Parse YAML text into data and places, within limits; every scalar stays text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, Protocol

from yaml.error import YAMLError
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
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
    LineColumn,
    YamlNode,
)
from muster.yamlfile.syntax import syntax_problem
from muster.yamlfile.textfile import describe_character, find_forbidden, split_lines


class EventParser(Protocol):
    """Gives the events of a text, one after the other."""

    def get_event(self) -> Event | None:
        """Give the next event."""
        ...


class PythonParser(Reader, Scanner, Grammar):
    """The parser in Python: slow, but everywhere."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Grammar.__init__(self)


def open_parser(text: str) -> EventParser:
    """Begin to parse a text."""
    try:
        from yaml._yaml import CParser  # noqa: PLC0415 - a PyYAML without libyaml lacks it
    except ImportError:
        return PythonParser(text)
    return CParser(text)


def parse_yaml(text: str, file: str) -> dict[str, Any]:
    """Read one YAML document whose top level is a mapping.

    Raises:
        MusterError: With every duplicate key, tag, merge key and bad key of the file, and with
            the first fault after which nothing more can be read.
    """
    loader = _DataParser(text, file)
    try:
        return loader.read()
    except YAMLError as error:
        loader.stop(syntax_problem(error, text, file))


class _Anchor:
    """A value that aliases may repeat: how large and how high it is; open until it is whole."""

    __slots__ = ("deepest", "depth", "line", "nodes", "open", "value")

    def __init__(self, line: int, depth: int, nodes: int) -> None:
        self.line = line
        self.depth = self.deepest = depth
        self.nodes = nodes
        self.open = True
        self.value: Any = None


class _DataParser:
    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.problems: list[Problem] = []
        self.anchors: dict[str, _Anchor] = {}
        self.open_anchors: list[_Anchor] = []
        self.aliases = 0
        self.nodes = 0
        self._lines: list[str] | None = None

    def read(self) -> dict[str, Any]:
        get = open_parser(self.text).get_event
        get()  # the start of the stream
        start = get()
        if type(start) is StreamEndEvent:
            self.stop(self._problem("empty-file", "the file holds nothing to read", None))
        if type(start) is DocumentStartEvent and (start.version or start.tags):
            text = "a line that begins with % is an order to the YAML reader; leave it out"
            self._add_problem("yaml-directive", text, start)
        top = get()
        if type(top) is not MappingStartEvent:
            self._refuse_top(top)
        data: dict[str, Any] = {}
        self._parse_nodes(get, top, data)
        get()  # the end of the document
        if type(after := get()) is not StreamEndEvent:
            text = "a second document begins here, expected one a file; take the --- out"
            self._stop("second-document", text, after)
        if self.problems:
            raise MusterError(self.problems)
        return data

    def _parse_nodes(  # noqa: C901, PLR0912, PLR0915 - one loop without calls: it runs for every word
        self, get: Callable[[], Event | None], top: Event, data: dict[str, Any]
    ) -> None:
        # `key` is the key that waits for its value; `first` tells where each key of the mapping
        # stood, and is None in a list.
        stack: list[tuple[Any, Any, Any]] = []
        here: Any = data
        first: dict[str, Event] | None = {}
        key: str | None = None
        depth = nodes = 1
        self._check_node(top, data, depth)
        while True:
            event: Any = get()
            kind = type(event)
            if kind is ScalarEvent:
                nodes += 1
                value: Any = event.value
                if (
                    event.style == '"'
                    or len(value) > MAX_SCALAR_LENGTH
                    or event.tag
                    or event.anchor
                ):
                    self.nodes = nodes
                    self._check_scalar(event, depth)
                if first is not None and key is None:
                    if value in first or not value or value == "<<":
                        self._check_key(event, first)
                    first.setdefault(value, event)
                    key = value
                    continue
            elif kind is SequenceEndEvent or kind is MappingEndEvent:
                if self.open_anchors:
                    self.nodes = nodes
                    self._close(depth)
                if not stack:
                    return
                here, first, key = stack.pop()
                depth -= 1
                continue
            else:
                nodes += 1
                if first is not None and key is None:
                    self.nodes = nodes
                    key = self._skip_key(get, event, depth)
                    nodes = self.nodes
                    continue
                if kind is AliasEvent:
                    self.nodes = nodes
                    value = self._alias(event, depth)
                    nodes = self.nodes
                else:
                    value = {} if kind is MappingStartEvent else []
                    if event.anchor or event.tag or depth >= MAX_DEPTH or self.open_anchors:
                        self.nodes = nodes
                        self._check_node(event, value, depth + 1)
            if nodes > MAX_NODES:
                self._stop("too-many-values", f"a file holds {MAX_NODES} values at most", event)
            if first is None:
                here.append(value)
            else:
                here[key] = value
            if kind is MappingStartEvent or kind is SequenceStartEvent:
                stack.append((here, first, None))
                here, first, key = value, ({} if kind is MappingStartEvent else None), None
                depth += 1
            else:
                key = None

    # What stands at a node beside its value

    def _check_node(self, event: Any, value: Any, depth: int) -> None:
        if depth > MAX_DEPTH:
            text = f"lists and mappings stand {MAX_DEPTH} deep in each other at most"
            self._stop("too-deep", text, event)
        if event.tag:
            self._refuse_tag(event)
        for each in self.open_anchors:
            each.deepest = max(each.deepest, depth)
        if event.anchor:
            self.open_anchors.append(self._anchor(event, value, depth))

    def _check_scalar(self, event: ScalarEvent, depth: int) -> None:
        if len(event.value) > MAX_SCALAR_LENGTH:
            text = (
                f"read a text of {len(event.value)} characters, expected {MAX_SCALAR_LENGTH} "
                "at most"
            )
            self._stop("too-long", text, event)
        if event.tag:
            self._refuse_tag(event)
        if event.style == '"' and (found := find_forbidden(event.value)):
            character = describe_character(found.group())
            text = f"the character {character} cannot stand in a text; leave it out"
            self._add_problem("bad-character", text, event)
        if event.anchor:
            self._anchor(event, event.value, depth).open = False

    def _refuse_tag(self, event: Any) -> None:
        tag = event.tag.replace("tag:yaml.org,2002:", "!!")[:40]
        text = f"the tag {tag!r} is not allowed: all values are text; a text that begins with"
        self._add_problem("yaml-tag", f"{text} ! must be quoted", event, '"!"')

    # Keys

    def _check_key(self, event: ScalarEvent, first: dict[str, Event]) -> None:
        key = event.value
        if not key:
            self._add_problem(
                "empty-key", "there is no key before the colon", event, "title: Orders"
            )
        elif key in first:
            line = _line_number(first[key])
            text = f"the key {_quote_key(key)} stands twice in this mapping, first in line {line}"
            self._add_problem("duplicate-key", text, event)
        elif event.style is None or event.style == "":
            text = "merge keys (<<) are not read: write the keys out"
            self._add_problem("merge-key", text, event)

    def _skip_key(self, get: Callable[[], Event | None], event: Any, depth: int) -> str:
        """Note that a list, mapping or alias is no key, and go on behind it."""
        text = "a key must be a plain word, not a list, a mapping or an alias"
        self._add_problem("bad-key", text, event, "title: Orders")
        if type(event) is AliasEvent:
            return ""
        level = 1
        while level:
            if depth + level > MAX_DEPTH:
                self._check_node(event, None, depth + level)
            if self.nodes > MAX_NODES:
                self._stop("too-many-values", f"a file holds {MAX_NODES} values at most", event)
            event = get()
            self.nodes += 1
            if isinstance(event, MappingStartEvent | SequenceStartEvent):
                level += 1
            elif isinstance(event, CollectionEndEvent):
                level -= 1
        return ""

    # Anchors and aliases

    def _anchor(self, event: Any, value: Any, depth: int) -> _Anchor:
        name = event.anchor
        if name in self.anchors:
            text = f"the anchor &{name[:40]} stands twice, first in line {self.anchors[name].line}"
            self._add_problem("duplicate-anchor", text, event)
        found = self.anchors[name] = _Anchor(_line_number(event), depth, self.nodes)
        found.value = value
        if type(event) is ScalarEvent:
            found.deepest -= 1
            found.nodes = 1
        return found

    def _close(self, depth: int) -> None:
        if self.open_anchors[-1].depth == depth:
            done = self.open_anchors.pop()
            done.open = False
            done.nodes = self.nodes - done.nodes + 1

    def _alias(self, event: Any, depth: int) -> Any:
        name = event.anchor
        self.aliases += 1
        if self.aliases > MAX_ALIASES:
            self._stop("too-many-aliases", f"a file holds {MAX_ALIASES} aliases at most", event)
        found = self.anchors.get(name)
        if found is None:
            hint = did_you_mean(name, self.anchors) or "; a text that begins with * must be quoted"
            text = f"there is no anchor &{name[:40]} above for this alias{hint}"
            self._add_problem("unknown-anchor", text, event, f'"*{name[:40]}"')
            return ""
        if found.open:
            text = f"the alias *{name[:40]} stands within what it repeats, without end"
            self._stop("alias-loop", text, event)
        height = found.deepest - found.depth + 1
        if depth + height > MAX_DEPTH:
            text = f"lists and mappings stand {MAX_DEPTH} deep in each other at most"
            self._stop("too-deep", f"{text}, aliases followed", event)
        for each in self.open_anchors:
            each.deepest = max(each.deepest, depth + height)
        self.nodes += found.nodes - 1
        return found.value

    # Faults

    def _refuse_top(self, top: Any) -> NoReturn:
        what = "a list" if type(top) is SequenceStartEvent else "a text"
        if type(top) is ScalarEvent and not top.value:
            self._stop("empty-file", "the file holds nothing to read", top)
        text = f"read {what}, expected keys and their values: each line a key, a colon, a blank"
        self._stop("not-a-mapping", text, top, "title: Orders")

    def _add_problem(self, code: str, text: str, event: Any, example: str = "") -> None:
        self.problems.append(self._problem(code, text, event, example))
        if len(self.problems) >= MAX_PROBLEMS:
            self._stop("more-problems", "there may be more: reading stopped here", event)

    def _stop(self, code: str, text: str, event: Any, example: str = "") -> NoReturn:
        self.stop(self._problem(code, text, event, example))

    def stop(self, problem: Problem) -> NoReturn:
        """Give up with this problem and all that were kept.

        Raises:
            MusterError: Always.
        """
        raise MusterError([*self.problems, problem]) from None

    def _problem(self, code: str, text: str, event: Any, example: str = "") -> Problem:
        if event is None:
            return Problem(code, text, Location(self.file), "", example)
        mark = event.start_mark
        if self._lines is None:
            self._lines = split_lines(self.text)
        line = self._lines[mark.line] if mark.line < len(self._lines) else ""
        where = Location(self.file, mark.line + 1, mark.column + 1)
        return Problem(code, text, where, line, example)


def _line_number(event: Any) -> int:
    line: int = event.start_mark.line
    return line + 1


def _quote_key(key: str) -> str:
    return repr(key if len(key) <= 40 else f"{key[:39]}…")  # noqa: PLR2004 - to fit in a line


def parse_places(text: str) -> YamlNode:
    """Build the tree of a text that `loading.load` has read without a fault."""
    get = open_parser(text).get_event
    anchors: dict[str, YamlNode] = {}
    top = YamlNode((1, 1))
    stack: list[tuple[YamlNode, bool]] = []
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
        place = _start_of(event)
        if stack and stack[-1][1] and key is None and isinstance(event, ScalarEvent):
            key = event.value
            stack[-1][0].keys[key] = place
            if event.anchor:
                anchors[event.anchor] = YamlNode(place)
            continue
        node = anchors[str(event.anchor)] if isinstance(event, AliasEvent) else YamlNode(place)
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


def _start_of(event: Any) -> LineColumn:
    mark = event.start_mark
    return mark.line + 1, mark.column + 1
