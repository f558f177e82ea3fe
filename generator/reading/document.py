"""Owns the way from YAML text to plain data: text, lists and mappings, with places on demand.

Does not know what the data mean. Every scalar stays the text that was written: `+1`, `010`,
`on` and `12:30` never turn into something else.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from generator.problems import Location, MusterError, Problem
from generator.reading.source import check_signs, read_text

MOST_DEPTH = 20
MOST_ALIASES = 50
MOST_NODES = 100_000
MOST_SCALAR = 20_000
_PLAIN_TAGS = {
    "tag:yaml.org,2002:str",
    "tag:yaml.org,2002:seq",
    "tag:yaml.org,2002:map",
    "!",
}
# More brackets in a row than any honest file has: libyaml would nest a thousand deep before
# it says no, and slowly.
_NESTED = re.compile(r"[\[{](?:\s*[\[{]){%d}" % (MOST_DEPTH * 2))  # noqa: UP031 - braces

Path_ = tuple[str | int, ...]

try:
    _Loader: Any = yaml.CBaseLoader
except AttributeError:  # pragma: no cover - PyYAML built without libyaml
    _Loader = yaml.BaseLoader


class Document:
    """A file's data, and where each part of it stands."""

    def __init__(self, file: str, text: str) -> None:
        """Read the text; use `read_document` or `document_from_text`."""
        self.file = file
        self.text = text
        self._root = _compose(file, text)
        self.data: dict[str, Any] = _Builder(self).mapping(self._root)

    def locate(self, path: Path_, *, key: bool = False) -> Location:
        """Give the place of a part; as near to it as the data go.

        Args:
            path: Keys and positions (from 0) from the top.
            key: Point at the last key instead of at its value.
        """
        node = self._root
        mark = node.start_mark
        for part in path:
            found = _child(node, part)
            if found is None:
                break
            key_node, node = found
            mark = key_node.start_mark if key and key_node is not None else node.start_mark
        return Location(self.file, mark.line + 1, mark.column + 1)

    def at(self, node: yaml.Node) -> Location:
        """Give the place of a node."""
        return Location(self.file, node.start_mark.line + 1, node.start_mark.column + 1)

    def problem(
        self, code: str, text: str, path: Path_, *, key: bool = False, example: str = ""
    ) -> Problem:
        """Make a problem at the place of a part, with the line that stands there."""
        return self.told(code, text, self.locate(path, key=key), example)

    def told(self, code: str, text: str, location: Location, example: str = "") -> Problem:
        """Make a problem at a place, with the line that stands there."""
        return Problem(code, text, location, line_of(self.text, location.line), example)


def line_of(text: str, line: int | None) -> str:
    """Give a line, counted from 1, without its end; empty if there is none."""
    lines = text.splitlines()
    return lines[line - 1] if line is not None and 0 < line <= len(lines) else ""


def read_document(path: Path, *, shown_as: str | None = None) -> Document:
    """Read a YAML file.

    Raises:
        MusterError: With what is wrong and where.
    """
    shown = shown_as or str(path)
    return Document(shown, read_text(path, shown))


def document_from_text(text: str, name: str) -> Document:
    """Read YAML from text.

    Raises:
        MusterError: With what is wrong and where.
    """
    check_signs(text, name)
    return Document(name, text)


def _child(node: yaml.Node, part: str | int) -> tuple[yaml.Node | None, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == part:
                return key, value
    elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
        if 0 <= part < len(node.value):
            return None, node.value[part]
    return None


def _compose(file: str, text: str) -> yaml.Node:
    if nested := _NESTED.search(text):
        line = text.count("\n", 0, nested.start()) + 1
        raise MusterError((_too_deep(file, text, line),))
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        raise MusterError((_syntax(file, text, error),)) from None
    except (yaml.YAMLError, RecursionError) as error:
        problem = Problem("bad-yaml", f"it is not YAML: {error}", Location(file))
        raise MusterError((problem,)) from None
    if node is None:
        raise MusterError((Problem("empty-file", "the file is empty", Location(file)),))
    if not isinstance(node, yaml.MappingNode):
        here = Location(file, node.start_mark.line + 1, node.start_mark.column + 1)
        told = f"read {kind_of(node)}, expected keys with values at the top of the file"
        shown = line_of(text, here.line)
        raise MusterError((Problem("not-a-mapping", told, here, shown, "name: My army"),))
    return node


def _too_deep(file: str, text: str, line: int) -> Problem:
    told = f"lists and mappings nest deeper than {MOST_DEPTH}"
    return Problem("too-deep", told, Location(file, line), line_of(text, line)[:80])


def kind_of(node: yaml.Node) -> str:
    """Name a node's kind in plain words."""
    if isinstance(node, yaml.MappingNode):
        return "keys with values"
    return "a list" if isinstance(node, yaml.SequenceNode) else "a text"


def _syntax(file: str, text: str, error: yaml.MarkedYAMLError) -> Problem:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (None, None)
    shown = line_of(text, line)
    what = error.problem or "it cannot be understood"
    code, hint = "bad-yaml", ""
    rest = shown[(column or 1) - 1 :]
    if "single document" in what or "another document" in what:
        code, what = "several-documents", "a file holds one document: `---` begins a second"
    elif "undefined alias" in what:
        code = "unknown-alias"
    elif rest.startswith("\t") or ("\t" in shown[: column or 0] and not shown.strip("\t ")):
        what, hint = "a tab character", "; indent with blanks"
    elif "\t" in shown[: len(shown) - len(shown.lstrip())]:
        what, hint = f"{what}; the line begins with a tab", "; indent with blanks"
    elif "mapping values are not allowed" in what:
        hint = "; a text with a colon and a blank needs quotation marks"
    elif "quoted scalar" in (error.context or "") or "unexpected end of stream" in what:
        hint = "; a quotation mark or a bracket is not closed"
    elif "cannot start any token" in what and rest:
        hint = f"; a text that begins with {rest[0]} needs quotation marks"
    if error.context and code == "bad-yaml":
        what = f"{what} ({error.context})"
    return Problem(code, f"{what}{hint}", Location(file, line, column), shown)


class _Builder:
    """Builds data of a node tree and collects what does not belong into our files."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.problems: list[Problem] = []
        self.built: dict[int, tuple[Any, int]] = {}
        self.open: set[int] = set()
        self.aliases = 0
        self.nodes = 0

    def mapping(self, root: yaml.Node) -> dict[str, Any]:
        """Give the data of the whole file.

        Raises:
            MusterError: With all duplicate keys, tags and the like.
        """
        data = self.build(root, 1)
        if self.problems:
            raise MusterError(self.problems)
        return data  # type: ignore[no-any-return]  # a mapping node gives a dict

    def tell(self, code: str, text: str, node: yaml.Node) -> None:
        """Keep a problem."""
        self.problems.append(self.document.told(code, text, self.document.at(node)))

    def stop(self, code: str, text: str, node: yaml.Node) -> None:
        """End at once: going on could take for ever."""
        self.tell(code, text, node)
        raise MusterError(self.problems)

    def build(self, node: yaml.Node, depth: int) -> Any:
        """Give a node's data; a node met again was named by an alias."""
        self.nodes += 1
        if self.nodes > MOST_NODES:
            self.stop("too-many-parts", f"the file has more than {MOST_NODES:,} parts", node)
        if isinstance(node, yaml.ScalarNode):
            if node.tag not in _PLAIN_TAGS:
                self.tell("tag", f"read the tag {node.tag}; a value is plain text here", node)
            if len(node.value) > MOST_SCALAR:
                told = f"a text of {len(node.value):,} characters; the most is {MOST_SCALAR:,}"
                self.tell("too-long", told, node)
            return node.value
        mark = id(node)
        if mark in self.open:
            self.stop("recursive-alias", "an alias stands within what it names", node)
        if mark in self.built:
            self.aliases += 1
            if self.aliases > MOST_ALIASES:
                self.stop("too-many-aliases", f"more than {MOST_ALIASES} aliases", node)
            data, size = self.built[mark]
            self.nodes += size
            return data
        if depth > MOST_DEPTH:
            self.stop("too-deep", f"lists and mappings nest deeper than {MOST_DEPTH}", node)
        if node.tag not in _PLAIN_TAGS:
            self.tell("tag", f"read the tag {node.tag}; lists and mappings have none here", node)
        self.open.add(mark)
        before = self.nodes
        if isinstance(node, yaml.SequenceNode):
            data = [self.build(child, depth + 1) for child in node.value]
        else:
            data = self.pairs(node, depth)
        self.open.discard(mark)
        self.built[mark] = (data, self.nodes - before)
        return data

    def pairs(self, node: yaml.Node, depth: int) -> dict[str, Any]:
        """Give a mapping's data, telling keys that stand twice."""
        data: dict[str, Any] = {}
        first: dict[str, int] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self.tell("bad-key", f"read {kind_of(key)} as a key, expected a word", key)
                continue
            name = key.value
            if key.tag not in _PLAIN_TAGS:
                self.tell("tag", f"read the tag {key.tag}; a key is plain text here", key)
            if name == "<<":
                self.tell("merge-key", "merge keys (`<<`) are not used here; write it out", key)
            elif name in first:
                told = f"the key {name!r} stands in line {first[name]} already"
                self.tell("duplicate-key", told, key)
            else:
                first[name] = key.start_mark.line + 1
                data[name] = self.build(value, depth + 1)
        return data
