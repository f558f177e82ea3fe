"""Owns the reading of an army file: every faulty key and unknown unit is told at its place.

Does not judge the army: a size out of range is a finding of `verdict`, never a problem here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path as File
from typing import Any, Protocol

from generator.armies.army import Army, Node, Path
from generator.armies.books import Book, Profile, find_books, load_book
from generator.armies.composing import load_composition
from generator.armies.composition import LEADER, Composition
from generator.armies.fields import FieldValue, read_field, read_points, read_whole
from generator.armies.sort import Sort
from generator.armies.vocabulary import Entry, FieldSpec, Level, Option
from generator.problems import MusterError
from generator.reading import Document, Problems, did_you_mean, read_document
from generator.reading.naming import shown
from generator.systems import System

MOST_UNITS = 2_000
MOST_ALIKE = 999
_TOP_KEYS = ("system", "limit", "scale")
_ALL_KEYS = ("name", "notes", "book", "rolled")
_UNIT_KEYS = ("count", "options")


class Shelf(Protocol):
    """Where rule systems and army books are found; a `Library` is one."""

    def system(self, system_id: str) -> System:
        """Open a system by id."""
        ...

    def book_folders(self, system_id: str) -> Sequence[File]:
        """List the folders in which books of a system may lie, the user's own first."""
        ...


def read_army(path: File, shelf: Shelf) -> Army:
    """Read an army file.

    Raises:
        MusterError: If it cannot be read: with all of its faults, each at its place. A list
            that breaks the rules of the game is no fault.
    """
    return army_from(read_document(path, shown_as=shown(path)), shelf)


def army_from(document: Document, shelf: Shelf) -> Army:
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
    return _RollCall(composition, document, shelf.book_folders(system.id)).army()


class _TooManyUnitsError(Exception):
    """Stop reading: the list is longer than any army."""


class _RollCall:
    """Reads one army and keeps its faults."""

    def __init__(
        self, composition: Composition, document: Document, book_folders: Sequence[File]
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
            text = f"an army has at most {MOST_UNITS} entries"
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

    def _fault(self, code: str, text: str, path: Path, *, key: bool = False) -> None:
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
        self, data: Mapping[str, Any], level: Level, path: Path, parent: Sort | None
    ) -> Node:
        order = self._next()
        top = parent is None
        book = self._book(data, path, parent)
        below = {each.key: each for each in self.composition.below[level.id] if each.key}
        known = [
            *level.leaders, *below, *level.fields, *_ALL_KEYS, *(_TOP_KEYS if top else ()),
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

    def _below(self, raw: Any, level: Level, where: Path, sort: Sort) -> Iterable[Node]:
        for place, each in self._listed(raw, where):
            if not self._mapping(each, place, f"a mapping of what the {level.title} has"):
                continue
            if level.id in self.composition.bottom:
                node = self._unit(each, level, place, sort)
                if node is not None:
                    yield node
            else:
                yield self._branch(each, level, place, sort)

    def _listed(self, raw: Any, where: Path) -> list[tuple[Path, Any]]:
        if isinstance(raw, list):
            return [((*where, place), each) for place, each in enumerate(raw)]
        self._fault("wrong-type", "expected a list: each entry begins with a dash", where)
        return []

    def _mapping(self, raw: Any, where: Path, expected: str) -> bool:
        if isinstance(raw, dict):
            return True
        what = f"read {raw[:40]!r}" if isinstance(raw, str) else "read a list"
        self._fault("wrong-type", f"{what}, expected {expected}", where)
        return False

    # Units and leaders

    def _leader(self, data: Mapping[str, Any], entry: Entry, path: Path, parent: Sort) -> Node:
        order = self._next()
        book = self._book(data, path, parent)
        self._only(data, [*entry.fields, *_ALL_KEYS, "options"], entry.title, path)
        fields = self._fields(data, entry.fields, path)
        options = self._options(data.get("options", []), (), (*path, "options"))
        sort = self._sort(LEADER, entry, None, book, options, fields, data, parent)
        self._required(sort, entry.fields, data, path, entry.title)
        name, notes, rolled = self._names(data, path)
        return Node(sort, path, name, notes, 1, order, rolled=rolled)

    def _unit(self, data: Mapping[str, Any], level: Level, path: Path, parent: Sort) -> Node | None:
        order = self._next()
        book = self._book(data, path, parent)
        found = self._named(data, level, path, book)
        if found is None:
            return None
        entry, profile = found
        title = profile.title if profile else entry.title
        specs = {**level.fields, **entry.fields}
        self._only(data, [level.id, *specs, *_ALL_KEYS, *_UNIT_KEYS], title, path)
        fields = self._fields(data, specs, path)
        given = profile.options if profile else ()
        options = self._options(data.get("options", []), given, (*path, "options"))
        sort = self._sort(level.id, entry, profile, book, options, fields, data, parent)
        self._required(sort, specs, data, path, title)
        name, notes, rolled = self._names(data, path)
        count = self._alike(data.get("count"), path)
        return Node(sort, path, name, notes, count, order, rolled=rolled)

    def _named(
        self, data: Mapping[str, Any], level: Level, path: Path, book: Book | None
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

    def _alike(self, raw: Any, path: Path) -> int:
        if raw is None:
            return 1
        try:
            count = read_whole(raw)
        except ValueError as error:
            self._fault("bad-count", str(error), (*path, "count"))
            return 1
        if not 1 <= count <= MOST_ALIKE:
            text = f"read {raw!r}, expected a count from 1 to {MOST_ALIKE}"
            self._fault("bad-count", text, (*path, "count"))
        return count

    def _options(self, raw: Any, given: tuple[Option, ...], path: Path) -> tuple[Option, ...]:
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
        if self.count > MOST_UNITS:
            raise _TooManyUnitsError
        return self.count - 1

    def _only(self, data: Mapping[str, Any], known: Sequence[str], title: str, path: Path) -> None:
        for key in data:
            if key not in known:
                hint = did_you_mean(key, known)
                text = f"{title} takes no {key!r}{hint}; it takes: {', '.join(known)}"
                self._fault("unknown-key", text, (*path, key), key=True)

    def _names(self, data: Mapping[str, Any], path: Path) -> tuple[str, str, str]:
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

    def _book(self, data: Mapping[str, Any], path: Path, parent: Sort | None) -> Book | None:
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
        self, data: Mapping[str, Any], specs: Mapping[str, FieldSpec], path: Path
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
        sort: Sort,
        specs: Mapping[str, FieldSpec],
        data: Mapping[str, Any],
        path: Path,
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
        parent: Sort | None,
    ) -> Sort:
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
        found: Sort | None = self.composition.sorts.get(key)
        if found is not None:
            return found
        sort = Sort(self.composition, level, entry, profile, book, options, fields, parent)
        return self.composition.remember(key, sort)
