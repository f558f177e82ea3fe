"""Read an army file, with every fault at its place, and write a new one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Protocol

from muster.armies.army import Army, KeyPath, Node, NodeKind
from muster.armies.books import Book, Profile, find_books, load_book
from muster.armies.composition import LEADER, Composition, load_composition
from muster.armies.fields import FieldValue, read_field, read_points, read_whole
from muster.armies.vocabulary import Entry, FieldSpec, Level, Option
from muster.problems import MusterError, Problems, did_you_mean, display_path
from muster.systems import System
from muster.yamlfile import Document, read_document

MAX_ENTRIES = 2_000
MAX_COUNT = 999
_TOP_KEYS = ("system", "limit", "scale")
_COMMON_KEYS = ("name", "notes", "book", "rolled")
_UNIT_KEYS = ("count", "options")


class SystemSource(Protocol):
    """Where rule systems and army books are found; a `Library` is one."""

    def system(self, system_id: str) -> System:
        """Open a system by id."""
        ...

    def book_folders(self, system_id: str) -> Sequence[Path]:
        """List the folders in which books of a system may lie, the user's own first."""
        ...


def load_army(path: Path, shelf: SystemSource) -> Army:
    """Read an army file.

    Raises:
        MusterError: If it cannot be read: with all of its faults, each at its place. A list
            that breaks the rules of the game is no fault.
    """
    return army_from_document(read_document(path, shown_as=display_path(path)), shelf)


def army_from_document(document: Document, shelf: SystemSource) -> Army:
    """Make an army of its document.

    Raises:
        MusterError: As `read_army`.
    """
    named = document.data.get("system")
    if not isinstance(named, str):
        text = "an army names its rule system"
        problem = document.problem("missing-key", text, (), example="system: my-rules")
        raise MusterError((problem,))
    try:
        system = shelf.system(named)
    except MusterError as error:
        if any(problem.code == "unknown-system" for problem in error.problems):
            text = error.problems[0].text
            raise MusterError((document.problem("unknown-system", text, ("system",)),)) from None
        raise
    composition = load_composition(system)
    return _ArmyFileReader(composition, document, shelf.book_folders(system.id)).army()


class _TooManyUnitsError(Exception):
    """Stop reading: the list is longer than any army."""


class _ArmyFileReader:
    """Reads one army and keeps its faults."""

    def __init__(
        self, composition: Composition, document: Document, book_folders: Sequence[Path]
    ) -> None:
        self.composition = composition
        self.document = document
        self.book_folders = book_folders
        self.scales = [scale.id for scale in composition.system.scales]
        self.problems = Problems()
        self.books: dict[str, Book | None] = {}
        self.count = 0

    def army(self) -> Army:
        """Give the army.

        Raises:
            MusterError: With all faults that were found.
        """
        data = self.document.data
        try:
            root = self._branch(data, self.composition.top, (), None)
        except _TooManyUnitsError:
            text = f"an army has at most {MAX_ENTRIES} entries"
            self._fault("too-many-units", text, ())
            root = None
        limit = self._limit(data.get("limit"))
        scale = data.get("scale", self.scales[0])
        if scale not in self.scales:
            hint = did_you_mean(str(scale), self.scales)
            text = f"read {scale!r}, expected one of {', '.join(self.scales)}{hint}"
            self._fault("unknown-scale", text, ("scale",))
        self.problems.raise_if_any()
        assert root is not None  # noqa: S101 - without a root there is a problem, and it is raised
        name = root.name or self.composition.system.title
        return Army(
            self.composition.system, self.composition, self.document, name, root, limit, scale
        )

    def _fault(self, code: str, text: str, path: KeyPath, *, key: bool = False) -> None:
        self.problems.add(self.document.problem(code, text, path, key=key))

    def _limit(self, raw: Any) -> Decimal | None:
        if raw is None:
            return None
        try:
            return read_points(raw)
        except ValueError as error:
            self._fault("bad-limit", str(error), ("limit",))
            return None

    # Levels of command

    def _branch(
        self, data: Mapping[str, Any], level: Level, path: KeyPath, parent: NodeKind | None
    ) -> Node:
        order = self._next()
        top = parent is None
        book = self._book(data, path, parent)
        below = {each.key: each for each in self.composition.levels_below[level.id] if each.key}
        known = [
            *level.leaders, *below, *level.fields, *_COMMON_KEYS, *(_TOP_KEYS if top else ()),
        ]  # fmt: skip
        self._only(data, known, level.title, path)
        fields = self._fields(data, level.fields, path)
        if top and len(self.scales) > 1:
            # The scale is an army's own, like any of its fields; `army` tells a wrong one.
            fields["scale"] = str(data.get("scale", self.scales[0]))
        sort = self._sort(level.id, None, None, book, (), fields, data, parent)
        self._required(sort, level.fields, data, path, level.title)
        children: list[Node] = []
        for key, raw in data.items():
            where = (*path, key)
            if key in level.leaders:
                leader = level.leaders[key]
                entry = self.composition.entries[leader.entry]
                listed = self._listed(raw, where) if leader.many else [(where, raw)]
                for place, each in listed:
                    if self._mapping(each, place, f"a mapping of what {entry.title} has"):
                        children.append(self._leader(each, entry, place, sort))
            elif key in below:
                children.extend(self._below(raw, below[key], where, sort))
        name, notes, rolled = self._names(data, path)
        return Node(sort, path, name, notes, 1, order, tuple(children), rolled)

    def _below(self, raw: Any, level: Level, where: KeyPath, sort: NodeKind) -> Iterable[Node]:
        for place, each in self._listed(raw, where):
            if not self._mapping(each, place, f"a mapping of what the {level.title} has"):
                continue
            if level.id in self.composition.bottom_levels:
                node = self._unit(each, level, place, sort)
                if node is not None:
                    yield node
            else:
                yield self._branch(each, level, place, sort)

    def _listed(self, raw: Any, where: KeyPath) -> list[tuple[KeyPath, Any]]:
        if isinstance(raw, list):
            return [((*where, place), each) for place, each in enumerate(raw)]
        self._fault("wrong-type", "expected a list: each entry begins with a dash", where)
        return []

    def _mapping(self, raw: Any, where: KeyPath, expected: str) -> bool:
        if isinstance(raw, dict):
            return True
        what = f"read {raw[:40]!r}" if isinstance(raw, str) else "read a list"
        self._fault("wrong-type", f"{what}, expected {expected}", where)
        return False

    # Units and leaders

    def _leader(
        self, data: Mapping[str, Any], entry: Entry, path: KeyPath, parent: NodeKind
    ) -> Node:
        order = self._next()
        book = self._book(data, path, parent)
        self._only(data, [*entry.fields, *_COMMON_KEYS, "options"], entry.title, path)
        fields = self._fields(data, entry.fields, path)
        options = self._options(data.get("options", []), (), (*path, "options"))
        sort = self._sort(LEADER, entry, None, book, options, fields, data, parent)
        self._required(sort, entry.fields, data, path, entry.title)
        name, notes, rolled = self._names(data, path)
        return Node(sort, path, name, notes, 1, order, rolled=rolled)

    def _unit(
        self, data: Mapping[str, Any], level: Level, path: KeyPath, parent: NodeKind
    ) -> Node | None:
        order = self._next()
        book = self._book(data, path, parent)
        found = self._named(data, level, path, book)
        if found is None:
            return None
        entry, profile = found
        title = profile.title if profile else entry.title
        specs = {**level.fields, **entry.fields}
        self._only(data, [level.id, *specs, *_COMMON_KEYS, *_UNIT_KEYS], title, path)
        fields = self._fields(data, specs, path)
        given = profile.options if profile else ()
        options = self._options(data.get("options", []), given, (*path, "options"))
        sort = self._sort(level.id, entry, profile, book, options, fields, data, parent)
        self._required(sort, specs, data, path, title)
        name, notes, rolled = self._names(data, path)
        count = self._alike(data.get("count"), path)
        return Node(sort, path, name, notes, count, order, rolled=rolled)

    def _named(
        self, data: Mapping[str, Any], level: Level, path: KeyPath, book: Book | None
    ) -> tuple[Entry, Profile | None] | None:
        entries = [e for e in self.composition.entries.values() if e.level == level.id]
        named = data.get(level.id)
        if not isinstance(named, str):
            text = f"expected `{level.id}:` with the name of a {level.title.lower()}"
            self._fault("missing-unit", text, path)
            return None
        if book is not None and named in book.units:
            profile = book.units[named]
            if profile.entry.level == level.id:
                return profile.entry, profile
        for entry in entries:
            if entry.id == named:
                return entry, None
        if book is None and None in self.books.values():
            # The unit may well stand in the book that could not be read.
            return None
        own = [] if book is None else [u.id for u in book.units.values() if u.entry in entries]
        types = [entry.id for entry in entries]
        hint = did_you_mean(named, [*own, *types])
        has = f"; {book.title} has: {', '.join(own)}" if book is not None and own else ""
        text = f"there is no {level.title.lower()} {named!r}{hint}{has}; in any army: "
        self._fault(f"unknown-{level.id}", text + ", ".join(types), (*path, level.id))
        return None

    def _alike(self, raw: Any, path: KeyPath) -> int:
        if raw is None:
            return 1
        try:
            count = read_whole(raw)
        except ValueError as error:
            self._fault("bad-count", str(error), (*path, "count"))
            return 1
        if not 1 <= count <= MAX_COUNT:
            text = f"read {raw!r}, expected a count from 1 to {MAX_COUNT}"
            self._fault("bad-count", text, (*path, "count"))
        return count

    def _options(self, raw: Any, given: tuple[Option, ...], path: KeyPath) -> tuple[Option, ...]:
        if not isinstance(raw, list):
            self._fault("wrong-type", "expected a list of options, such as [high-morale]", path)
            return given
        known = self.composition.options
        chosen = list(given)
        seen: set[str] = set()
        for place, each in enumerate(raw):
            if not isinstance(each, str) or each not in known:
                hint = did_you_mean(each, known) if isinstance(each, str) else ""
                text = f"there is no option {each!r}{hint}; known: {', '.join(known) or 'none'}"
                self._fault("unknown-option", text, (*path, place))
            elif each in seen:
                self._fault("option-twice", f"the option {each!r} stands twice", (*path, place))
            else:
                seen.add(each)
                # What a profile comes with may be said again: it is not paid for twice.
                if known[each] not in given:
                    chosen.append(known[each])
        return tuple(chosen)

    # What all of them have

    def _next(self) -> int:
        self.count += 1
        if self.count > MAX_ENTRIES:
            raise _TooManyUnitsError
        return self.count - 1

    def _only(
        self, data: Mapping[str, Any], known: Sequence[str], title: str, path: KeyPath
    ) -> None:
        for key in data:
            if key not in known:
                hint = did_you_mean(key, known)
                text = f"{title} takes no {key!r}{hint}; it takes: {', '.join(known)}"
                self._fault("unknown-key", text, (*path, key), key=True)

    def _names(self, data: Mapping[str, Any], path: KeyPath) -> tuple[str, str, str]:
        found = []
        for key in ("name", "notes", "rolled"):
            raw = data.get(key, "")
            if raw != "":
                try:
                    read_field("line", {}, raw)
                except ValueError as error:
                    self._fault("bad-value", str(error), (*path, key))
                    raw = ""
            found.append(raw)
        return found[0], found[1], found[2]

    def _book(self, data: Mapping[str, Any], path: KeyPath, parent: NodeKind | None) -> Book | None:
        raw = data.get("book")
        if raw is None:
            return parent.book if parent else None
        if not isinstance(raw, str):
            self._fault("wrong-type", "expected the name of an army book", (*path, "book"))
            self.books[""] = None
            return None
        if raw not in self.books:
            self.books[raw] = None
            system = self.composition.system
            known = list(find_books(system, self.book_folders))
            if raw not in known:
                hint = did_you_mean(raw, known)
                text = f"there is no army book {raw!r}{hint}; known: {', '.join(known) or 'none'}"
                self._fault("unknown-book", text, (*path, "book"))
            else:
                try:
                    self.books[raw] = load_book(system, raw, self.book_folders)
                except MusterError as error:
                    self.problems.extend(error.problems)
        return self.books[raw]

    def _fields(
        self, data: Mapping[str, Any], specs: Mapping[str, FieldSpec], path: KeyPath
    ) -> dict[str, FieldValue]:
        fields: dict[str, FieldValue] = {}
        for name, spec in specs.items():
            if name in data:
                try:
                    fields[name] = read_field(spec.form, spec.of, data[name], self.scales)
                except ValueError as error:
                    self._fault("bad-value", str(error), (*path, name))
        return fields

    def _required(
        self,
        sort: NodeKind,
        specs: Mapping[str, FieldSpec],
        data: Mapping[str, Any],
        path: KeyPath,
        title: str,
    ) -> None:
        size = sort.entry.size if sort.entry else None
        for name, spec in specs.items():
            if (spec.required or name == size) and name not in data and sort.value(name) is None:
                code = "missing-size" if name == size else "missing-key"
                choices = f", one of {', '.join(spec.of)}" if spec.of else ""
                what = (spec.title or name).lower()
                self._fault(code, f"{title} needs `{name}:`, its {what}{choices}", path)

    def _sort(  # noqa: PLR0913, PLR0917 - a sort is made of just these
        self,
        level: str,
        entry: Entry | None,
        profile: Profile | None,
        book: Book | None,
        options: tuple[Option, ...],
        fields: dict[str, FieldValue],
        data: Mapping[str, Any],
        parent: NodeKind | None,
    ) -> NodeKind:
        key = (
            level,
            id(entry),
            # Two books may hold profiles of one name.
            profile,
            book,
            tuple(option.id for option in options),
            tuple((name, repr(data.get(name))) for name in fields),
            parent,
        )
        found: NodeKind | None = self.composition.node_kinds.get(key)
        if found is not None:
            return found
        sort = NodeKind(self.composition, level, entry, profile, book, options, fields, parent)
        return self.composition.cache_kind(key, sort)


LINE_WIDTH = 100
_PLAIN_TEXT = re.compile(r"[^\W_](?:[\w.’/&+ -]*[\w.’+])?")
_RESERVED_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
_ORDINAL = re.compile(r"[0-9]+(st|nd|rd|th)\b")
_NUMBER = re.compile(r"(0|[1-9][0-9]*)(\.[0-9]*[1-9])?")


def format_army(data: Mapping[str, Any], comments: Sequence[str] = ()) -> str:
    """Write an army: nested mappings and lists of text, below comments of a line each."""
    lines = [f"# {comment}" for comment in comments]
    for key, value in data.items():
        lines += _format_entry(key, value, 0)
    return "\n".join(lines) + "\n"


def _format_entry(key: str, value: Any, indent: int) -> Iterator[str]:
    """Write one key of a mapping."""
    start = f"{' ' * indent}{key}: "
    if isinstance(value, list) and any(isinstance(each, dict) and each for each in value):
        yield start.rstrip()
        for each in value:
            yield from _format_item(each, indent + 2)
    elif isinstance(value, dict) and not _is_leaf(value):
        yield start.rstrip()
        for name, each in value.items():
            yield from _format_entry(name, each, indent + 2)
    else:
        yield from _format_inline(start, value)


def _format_item(value: Mapping[str, Any], indent: int) -> Iterator[str]:
    """Write one entry of a list."""
    start = f"{' ' * indent}- "
    if _is_leaf(value):
        yield from _format_inline(start, value)
        return
    lines = [line for key, each in value.items() for line in _format_entry(key, each, indent + 2)]
    yield start + lines[0][indent + 2 :]
    yield from lines[1:]


def _is_leaf(value: Mapping[str, Any]) -> bool:
    """Tell whether a mapping stands in one line: a unit or a leader."""
    return all(
        isinstance(each, str) or (isinstance(each, list) and all(isinstance(e, str) for e in each))
        for each in value.values()
    )


def _format_inline(start: str, value: Any) -> Iterator[str]:
    """Write a scalar or leaf behind its beginning; one that is too long goes on below."""
    if not isinstance(value, dict) or not value:
        yield start + _format_flow(value)
        return
    parts = [f"{key}: {_format_flow(each)}" for key, each in value.items()]
    line = f"{start}{{{parts[0]}"
    for part in parts[1:]:
        if len(line) + len(part) + 3 > LINE_WIDTH:
            yield f"{line},"
            line = f"{' ' * (len(start) + 1)}{part}"
        else:
            line += f", {part}"
    yield line + "}"


def _format_flow(value: Any) -> str:
    if isinstance(value, str):
        return quote_scalar(value)
    if isinstance(value, list):
        return f"[{', '.join(_format_flow(each) for each in value)}]"
    return f"{{{', '.join(f'{key}: {_format_flow(each)}' for key, each in value.items())}}}"


def quote_scalar(text: str) -> str:
    """Write a text so that it is read as that text and nothing else, in quotes where needed."""
    worded = _PLAIN_TEXT.fullmatch(text) and text.lower() not in _RESERVED_WORDS
    if _NUMBER.fullmatch(text) or (worded and (not text[0].isdigit() or _ORDINAL.match(text))):
        return text
    return json.dumps(text, ensure_ascii=False)
