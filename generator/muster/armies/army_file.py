"""Read an army file, with every problem at its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Protocol

from muster.armies.army import Army, Node, NodeKind
from muster.armies.books import Book, Profile, find_books, load_book
from muster.armies.composition import Composition, load_composition
from muster.armies.counting import with_grants
from muster.armies.fields import (
    FieldValue,
    lower_first,
    read_field,
    read_points,
    read_whole,
    with_article,
)
from muster.armies.price_list import kind_with, permitted
from muster.armies.value_checks import ValueChecks
from muster.armies.vocabulary import LEADER, Entry, FieldSpec, Level, Option
from muster.languages import spoken_language
from muster.limits import MAX_COUNT, MAX_ENTRIES, MAX_UNITS
from muster.names import Names, find_names, nearest_names
from muster.problems import MusterError, Problems, did_you_mean, display_path
from muster.systems import System
from muster.systems.pictures import PictureFile, WrittenPicture, check_picture_file
from muster.yamlfile import Document, KeyPath, read_document
from muster.yamlfile.syntax import MISSING_BLANK
from muster.yamlfile.textfile import working_folder_around
from muster.yamlfile.validation import show_value

_TOP_KEYS = ("system", "player", "limit", "scale")
_COMMON_KEYS = ("name", "notes", "book", "rolled")
_UNIT_KEYS = ("count", "options")
_PICTURE_KEY = "picture"
_PICTURE_EXAMPLE = "{file: hussar.jpg, alt: A hussar at the gallop}"

_MAX_SHARED_KINDS = 20_000
"""How many node kinds equal nodes share; beyond that, all are dropped."""

_MAX_OPTIONS_SHOWN = 12
"""How many options the message on an unknown one lists, the nearest first."""


class SystemSource(Protocol):
    """A source of rule systems and army books, such as a `Library`."""

    def system(self, system_id: str) -> System:
        """Return a system by its id."""
        ...

    def book_folders(self, system_id: str) -> Sequence[Path]:
        """Return the folders that may hold books of a system, the user's own first."""
        ...


def load_army(path: Path, source: SystemSource) -> Army:
    """Load an army from its file.

    Raises:
        MusterError: With all problems of the file, each at its place, if it cannot be read. A
            list that breaks the rules of the game can be read; `check` reports what it breaks.
    """
    within = working_folder_around(path)
    document = read_document(path, shown_as=display_path(path), within=within)
    return army_from_document(document, source, path.parent)


def army_from_document(
    document: Document, source: SystemSource, folder: Path | None = None
) -> Army:
    """Make an army from a document; without the folder of its file, it has no pictures.

    Raises:
        MusterError: As for `load_army`.
    """
    system_id = document.data.get("system")
    if not isinstance(system_id, str):
        text = "an army file needs `system:`, the id of its rule system"
        problem = document.problem("missing-key", text, (), example="system: my-rules")
        raise MusterError((problem,))
    try:
        system = source.system(system_id)
    except MusterError as error:
        if any(problem.code == "unknown-system" for problem in error.problems):
            text = error.problems[0].text
            raise MusterError((document.problem("unknown-system", text, ("system",)),)) from None
        raise
    composition = load_composition(system)
    return _ArmyFileReader(composition, document, source.book_folders(system.id), folder).army()


class _TooManyUnitsError(Exception):
    """Raised to stop reading a list that is longer than any army."""


class _SharedKinds(dict[tuple[object, ...], NodeKind]):
    """The node kinds that equal nodes share, by all that makes them equal."""


class _ArmyFileReader:
    """Reads one army and collects its problems."""

    def __init__(
        self,
        composition: Composition,
        document: Document,
        book_folders: Sequence[Path],
        folder: Path | None,
    ) -> None:
        self.composition = composition
        self.document = document
        self.book_folders = book_folders
        self.folder = folder
        self.scales = [scale.id for scale in composition.system.scales]
        self.problems = Problems()
        self.scale = self._read_scale(document.data.get("scale", self.scales[0]))
        self.books: dict[str, Book | None] = {}
        scale = self.scale if self.scale in self.scales else self.scales[0]
        self.values = ValueChecks(composition, document, self.problems, scale)
        self.options: dict[tuple[str, str, str], list[Option]] = {}
        self.count = 0
        self.units = 0

    def army(self) -> Army:
        """Read the army.

        Raises:
            MusterError: With all problems of the file.
        """
        data = self.document.data
        try:
            root = self._read_command(data, self.composition.top, (), None)
        except _TooManyUnitsError:
            text = f"an army may have at most {MAX_ENTRIES} entries"
            self._add_problem("too-many-units", text, ())
            root = None
        limit = self._read_limit(data.get("limit"))
        player = self._read_line(data, "player", ())
        if self.scale not in self.scales:
            # A similar number is no likely meaning, so none is suggested.
            text = f"read {self.scale!r}, expected one of {', '.join(self.scales)}"
            self._add_problem("unknown-scale", text, ("scale",))
        self.problems.raise_if_any()
        assert root is not None  # noqa: S101 - without a root there is a problem, which was raised
        name = root.name or self.composition.system.title
        army = Army(
            self.composition.system,
            self.composition,
            self.document,
            name,
            root,
            limit,
            self.scale,
            player=player,
        )
        return with_grants(army)

    def _add_problem(
        self, code: str, text: str, path: KeyPath, *, key: bool = False, example: str = ""
    ) -> None:
        self.problems.add(self.document.problem(code, text, path, key=key, example=example))

    def _find_id(self, written: Any, known: Names, path: KeyPath) -> Any:
        """Return the id that a written word stands for: the id itself, or a label as printed.

        What stands for none is returned as it is, for the caller to report; an ambiguous word is
        reported here, and read as the first of its ids.
        """
        if not isinstance(written, str):
            return written
        pairs = list(known)
        found = find_names(written, pairs)
        if len(found) > 1:
            labels = {key: label for key, label in reversed(pairs) if label}
            named = ", ".join(f"{each} ({labels.get(each, each)})" for each in found)
            self._add_problem("unclear-name", f"read {written!r}, expected one of {named}", path)
        return found[0] if found else written

    def _read_scale(self, raw: Any) -> str:
        scales = [(scale.id, scale.title) for scale in self.composition.system.scales]
        return str(self._find_id(raw, scales, ("scale",)))

    def _read_limit(self, raw: Any) -> Decimal | None:
        if raw is None:
            return None
        if not self.composition.has_prices:
            text = f"nothing has a price in {self.composition.system.title}; leave `limit:` out"
            self._add_problem("bad-limit", text, ("limit",), key=True)
            return None
        try:
            return read_points(raw)
        except ValueError as error:
            self._add_problem("bad-limit", str(error), ("limit",))
            return None

    # Levels of command

    def _read_command(
        self, data: Mapping[str, Any], level: Level, path: KeyPath, parent: NodeKind | None
    ) -> Node:
        order = self._next_order()
        top = parent is None
        book = self._find_book(data, path, parent)
        below = {lower.key: lower for lower in self.composition.levels_below[level.id] if lower.key}
        known = [
            *level.leaders, *below, *level.fields, *_COMMON_KEYS, *(_TOP_KEYS if top else ()),
        ]  # fmt: skip
        self._refuse_unknown_keys(data, known, level.title, path)
        fields = self._read_fields(data, level.fields, path)
        if top and len(self.scales) > 1:
            # The scale is an attribute of the army. The method `army` reports an unknown scale.
            fields["scale"] = self.scale
        kind = self._node_kind(level.id, None, None, book, (), fields, parent)
        self.values.check_required(kind, level.fields, data, path, level.title)
        self.values.check_rolled(kind, level.fields, path)
        self.values.check_book(kind, path)
        children: list[Node] = []
        for key, raw in data.items():
            key_path = (*path, key)
            if key in level.leaders:
                leader = level.leaders[key]
                entry = self.composition.entries[leader.entry]
                items = self._as_list(raw, key_path) if leader.many else [(key_path, raw)]
                only = (
                    f"{with_article(lower_first(level.title))} has one {lower_first(entry.title)}"
                )
                for item_path, item in items:
                    if self._expect_mapping(
                        item, item_path, entry.title, "" if leader.many else only
                    ):
                        children.append(self._read_leader(item, entry, item_path, kind))
            elif key in below:
                children.extend(self._read_children(raw, below[key], key_path, kind))
        name, notes, rolled = self._read_texts(data, path)
        return Node(kind, path, name, notes, 1, order, tuple(children), rolled)

    def _read_children(
        self, raw: Any, level: Level, path: KeyPath, parent: NodeKind
    ) -> Iterable[Node]:
        for item_path, item in self._as_list(raw, path):
            if not self._expect_mapping(item, item_path, level.title):
                continue
            if level.id in self.composition.bottom_levels:
                node = self._read_unit(item, level, item_path, parent)
                if node is not None:
                    yield node
            else:
                yield self._read_command(item, level, item_path, parent)

    def _as_list(self, raw: Any, path: KeyPath) -> list[tuple[KeyPath, Any]]:
        if isinstance(raw, list):
            return [((*path, index), item) for index, item in enumerate(raw)]
        text = f"read {show_value(raw)}, expected a list, in which each entry begins with a dash"
        self._add_problem("wrong-type", text, path)
        return []

    def _expect_mapping(self, raw: Any, path: KeyPath, title: str, only: str = "") -> bool:
        """Return whether a value has keys; report it if not, with the rule that there is only one.

        Args:
            raw: The value.
            path: Its path.
            title: What it describes.
            only: That there is but one of it, as a sentence; empty if there may be several.
        """
        if isinstance(raw, dict):
            return True
        title = lower_first(title)
        expected = f"the keys of {with_article(title)} such as {{name: Anna}}"
        if raw == "":
            expected += ", or {} for one without a name"
        elif isinstance(raw, list) and only:
            expected = f"one {title} such as {{name: Anna}}; {only}"
            expected += ", so leave out the others" if len(raw) > 1 else ""
        if isinstance(raw, str) and MISSING_BLANK.match(raw):
            expected += "; a blank is missing after the colon"
        self._add_problem("wrong-type", f"read {show_value(raw)}, expected {expected}", path)
        return False

    # Units and leaders

    def _read_leader(
        self, data: Mapping[str, Any], entry: Entry, path: KeyPath, parent: NodeKind
    ) -> Node:
        order = self._next_order()
        book = self._find_book(data, path, parent)
        self._refuse_unknown_keys(
            data, [*entry.fields, *_COMMON_KEYS, "options", _PICTURE_KEY], entry.title, path
        )
        fields = self._read_fields(data, entry.fields, path)
        bare = self._node_kind(LEADER, entry, None, book, (), fields, parent)
        options = self._read_options(data.get("options", []), bare, (*path, "options"))
        kind = self._node_kind(LEADER, entry, None, book, options, fields, parent)
        self.values.check_required(kind, entry.fields, data, path, entry.title)
        self.values.check_rolled(kind, entry.fields, path)
        self.values.check_cells(kind, path, data)
        name, notes, rolled = self._read_texts(data, path)
        picture = self._read_picture(data, path)
        return Node(kind, path, name, notes, 1, order, rolled=rolled, own_picture=picture)

    def _read_unit(
        self, data: Mapping[str, Any], level: Level, path: KeyPath, parent: NodeKind
    ) -> Node | None:
        order = self._next_order()
        book = self._find_book(data, path, parent)
        unit = self._find_unit(data, level, path, book)
        if unit is None:
            return None
        entry, profile = unit
        title = profile.title if profile else entry.title
        specs = {**level.fields, **entry.fields}
        known = [level.id, *specs, *_COMMON_KEYS, *_UNIT_KEYS, _PICTURE_KEY]
        self._refuse_unknown_keys(data, known, title, path)
        fields = self._read_fields(data, specs, path)
        given = profile.options if profile else ()
        bare = self._node_kind(level.id, entry, profile, book, given, fields, parent)
        options = self._read_options(data.get("options", []), bare, (*path, "options"))
        kind = self._node_kind(level.id, entry, profile, book, options, fields, parent)
        self.values.check_required(kind, specs, data, path, title)
        self.values.check_rolled(kind, specs, path)
        self.values.check_profile(kind, path)
        name, notes, rolled = self._read_texts(data, path)
        count = self._read_count(data, path)
        self.values.check_size(kind, path, data)
        self.values.check_cells(kind, path, data)
        picture = self._read_picture(data, path)
        return Node(kind, path, name, notes, count, order, rolled=rolled, own_picture=picture)

    def _find_unit(
        self, data: Mapping[str, Any], level: Level, path: KeyPath, book: Book | None
    ) -> tuple[Entry, Profile | None] | None:
        written = data.get(level.id)
        entries = [e for e in self.composition.entries.values() if e.level == level.id]
        if not isinstance(written, str):
            what = f"the id of a {level.title.lower()} such as {entries[0].id}"
            text = f"expected `{level.id}:` with {what}"
            self._add_problem("missing-unit", text, path)
            return None
        if unit := self._unit_of_id(written, level, book):
            return unit
        profiles = [] if book is None else book.units.values()
        own = [(unit.id, unit.title) for unit in profiles if unit.entry.level == level.id]
        types = [(e.id, label) for e in entries for label in (e.title, e.one, e.many)]
        unit_path = (*path, level.id)
        for labels in (own, types):  # A label of the book comes before one of a type.
            found = self._find_id(written, labels, unit_path)
            if unit := self._unit_of_id(found, level, book):
                return unit
        if book is None and None in self.books.values():
            # The unit may be one of the book that could not be read.
            return None
        titles = dict([*own, *((entry.id, entry.title) for entry in entries)])
        others = [] if written in titles else self._books_with(written, book)
        hint = did_you_mean(written, titles, titles)
        if others:
            hint = f" (it is one of the army book {others[0]!r})"
        has = f"known in {book.title}: {', '.join(dict(own))}; " if book and own else ""
        text = f"there is no {level.title.lower()} {written!r}{hint}; {has}known in any army: "
        ids = [entry.id for entry in entries]
        self._add_problem(f"unknown-{level.id}", text + ", ".join(ids), unit_path)
        return None

    def _unit_of_id(
        self, unit_id: str, level: Level, book: Book | None
    ) -> tuple[Entry, Profile | None] | None:
        """Return the unit of a book, or else the type, that has an id."""
        profile = book.units.get(unit_id) if book is not None else None
        if profile is not None and profile.entry.level == level.id:
            return profile.entry, profile
        entry = self.composition.entries.get(unit_id)
        return (entry, None) if entry is not None and entry.level == level.id else None

    def _read_count(self, data: Mapping[str, Any], path: KeyPath) -> int:
        raw = data.get("count", "1")
        try:
            count = read_whole(raw)
        except ValueError as error:
            if not (isinstance(raw, str) and raw.startswith("-") and raw[1:].isdecimal()):
                self._add_problem("bad-count", str(error), (*path, "count"))
                return 1
            count = 0
        if not 1 <= count <= MAX_COUNT:
            text = f"read {raw!r}, expected a count from 1 to {MAX_COUNT}"
            self._add_problem("bad-count", text, (*path, "count"), example="count: 2")
            return 1
        before, self.units = self.units, self.units + count
        if before <= MAX_UNITS < self.units:
            text = f"an army may have at most {MAX_UNITS} units, and with these it has {self.units}"
            self._add_problem("too-many-units", text, (*path, "count"), example="count: 2")
        return count

    def _read_options(self, raw: Any, bare: NodeKind, path: KeyPath) -> tuple[Option, ...]:
        """Return the options of a unit or leader: those that it has in any case, and the list's."""
        given = bare.options
        if not isinstance(raw, list):
            text = f"read {show_value(raw)}, expected a list of options such as [high-morale]"
            self._add_problem("wrong-type", text, path)
            return given
        known = self.composition.options
        chosen = list(given)
        seen: set[str] = set()
        titles = {option.id: option.title for option in known.values()}
        for index, written in enumerate(raw):
            name = self._find_id(written, titles.items(), (*path, index))
            if not isinstance(name, str) or name not in known:
                self._add_unknown_option(name, bare, (*path, index))
            elif name in seen:
                self._add_problem(
                    "option-twice", f"the option {name!r} is used twice", (*path, index)
                )
            else:
                seen.add(name)
                # A list may repeat an option of the profile, which is still paid for only once.
                if known[name] not in given:
                    chosen.append(known[name])
        return tuple(chosen)

    def _add_unknown_option(self, name: Any, bare: NodeKind, path: KeyPath) -> None:
        """Add the problem that there is no such option, with those that the unit may have."""
        own = self._options_of(bare)
        titles = {option.id: option.title for option in own}
        nearest: list[str] = []
        hint = ""
        if isinstance(name, str):
            nearest = nearest_names(name, titles.items(), len(own))
            hint = did_you_mean(name, titles, titles)
        listed = list(dict.fromkeys([*nearest, *titles]))
        known = ", ".join(listed[:_MAX_OPTIONS_SHOWN]) or "none"
        if len(listed) > _MAX_OPTIONS_SHOWN:
            known += f" and {len(listed) - _MAX_OPTIONS_SHOWN} more"
        text = f"there is no option {name!r} for {bare.title}{hint}; known: {known}"
        self._add_problem("unknown-option", text, path)

    def _options_of(self, bare: NodeKind) -> list[Option]:
        """Return the options that a unit or leader may have by itself; all if none can be judged.

        Of units of one type the first answers for all: a hostile file may have thousands.
        """
        key = (bare.level, bare.text("unit"), bare.text("book"))
        if key not in self.options:
            known = list(self.composition.options.values())
            try:
                self.options[key] = [
                    option
                    for option in known
                    if option in bare.options or permitted(bare, kind_with(bare, option=option))
                ]
            except MusterError:
                self.options[key] = known
        return self.options[key]

    # What all nodes have

    def _next_order(self) -> int:
        self.count += 1
        if self.count > MAX_ENTRIES:
            raise _TooManyUnitsError
        return self.count - 1

    def _refuse_unknown_keys(
        self, data: Mapping[str, Any], known: Sequence[str], title: str, path: KeyPath
    ) -> None:
        for key in data:
            if key not in known:
                options = [(each.id, each.title) for each in self.composition.options.values()]
                option = find_names(key, options) if "options" in known else []
                if option:
                    text = f"there is no key {key!r} for {title}; list this option in `options:`"
                    example = f"options: [{option[0]}]"
                    self._add_problem("unknown-key", text, (*path, key), key=True, example=example)
                    continue
                hint = did_you_mean(key, known)
                text = f"there is no key {key!r} for {title}{hint}; known: {', '.join(known)}"
                self._add_problem("unknown-key", text, (*path, key), key=True)

    def _read_texts(self, data: Mapping[str, Any], path: KeyPath) -> tuple[str, str, str]:
        name, notes, rolled = (
            self._read_line(data, key, path) for key in ("name", "notes", "rolled")
        )
        return name, notes, rolled

    def _read_line(self, data: Mapping[str, Any], key: str, path: KeyPath) -> str:
        """Return the text of a key; empty if it is missing, or reported as no line of text."""
        raw: Any = data.get(key, "")
        if raw == "":
            return ""
        try:
            read_field("line", {}, raw)
        except ValueError as error:
            self._add_problem("bad-value", str(error), (*path, key))
            return ""
        return str(raw)

    def _read_picture(self, data: Mapping[str, Any], path: KeyPath) -> PictureFile | None:
        """Return the picture that a unit or leader names; its file is not read yet."""
        if _PICTURE_KEY not in data:
            return None
        raw, path = data[_PICTURE_KEY], (*path, _PICTURE_KEY)
        if not isinstance(raw, dict):
            text = f"read {show_value(raw)}, expected a picture such as {_PICTURE_EXAMPLE}"
            self._add_problem("wrong-type", text, path)
            return None
        self._refuse_unknown_keys(raw, list(WrittenPicture.model_fields), "a picture", path)
        for key, spec in WrittenPicture.model_fields.items():
            if key not in raw:
                if spec.is_required():
                    text = f"the key {key!r} is missing here"
                    self._add_problem("missing-key", text, path, example=_PICTURE_EXAMPLE)
                continue
            try:
                read_field("line", {}, raw[key])
                if key == "file":
                    check_picture_file(raw[key])
            except ValueError as error:
                self._add_problem("bad-value", str(error), (*path, key))
        if self.problems or self.folder is None:
            return None
        return PictureFile(WrittenPicture(**raw), self.folder, self.document, path)

    def _find_book(
        self, data: Mapping[str, Any], path: KeyPath, parent: NodeKind | None
    ) -> Book | None:
        raw = data.get("book")
        if raw is None:
            return parent.book if parent else None
        if not isinstance(raw, str):
            text = f"read {show_value(raw)}, expected the id of an army book"
            self._add_problem("wrong-type", text, (*path, "book"))
            self.books[""] = None
            return None
        if raw not in self.books:
            self.books[raw] = self._load_book(raw, (*path, "book"))
        return self.books[raw]

    def _load_book(self, written: str, path: KeyPath) -> Book | None:
        system = self.composition.system
        known = list(find_books(system, self.book_folders))
        book_id = self._find_id(written, [(key, "") for key in known], path)
        if book_id not in known:
            # Only a word that is no id needs the titles, for which every book is read.
            titles = {key: self._book_title(key) for key in known}
            book_id = self._find_id(written, titles.items(), path)
        if book_id not in known:
            hint = did_you_mean(written, known, titles)
            text = f"there is no army book {written!r}{hint}; known: {', '.join(known) or 'none'}"
            self._add_problem("unknown-book", text, path)
            return None
        try:
            return load_book(system, book_id, self.book_folders)
        except MusterError as error:
            self.problems.extend(error.problems)
            return None

    def _books_with(self, unit_id: str, own: Book | None) -> list[str]:
        """Return the ids of the system's other books that have a unit of an id."""
        system = self.composition.system
        found: list[str] = []
        for book_id in find_books(system, self.book_folders):
            try:
                book = load_book(system, book_id, self.book_folders)
            except MusterError:
                continue  # Nothing names this book, so that its problems are not this army's.
            if book is not own and unit_id in book.units:
                found.append(book_id)
        return found

    def _book_title(self, book_id: str) -> str:
        """Return the title of a book; empty if its file has problems."""
        try:
            return load_book(self.composition.system, book_id, self.book_folders).title
        except MusterError:
            return ""

    def _read_fields(
        self, data: Mapping[str, Any], specs: Mapping[str, FieldSpec], path: KeyPath
    ) -> dict[str, FieldValue]:
        fields: dict[str, FieldValue] = {}
        for name, spec in specs.items():
            if name in data:
                raw = data[name]
                if spec.of:
                    raw = self._find_id(raw, spec.of.items(), (*path, name))
                try:
                    fields[name] = read_field(spec.form, spec.of, raw, self.scales)
                except ValueError as error:
                    self._add_problem("bad-value", str(error), (*path, name))
        return fields

    def _node_kind(  # noqa: PLR0913, PLR0917 - a node kind has all of these
        self,
        level: str,
        entry: Entry | None,
        profile: Profile | None,
        book: Book | None,
        options: tuple[Option, ...],
        fields: dict[str, FieldValue],
        parent: NodeKind | None,
    ) -> NodeKind:
        key = (
            level,
            id(entry),
            # The profile itself, not its id: two books may have profiles of the same id.
            profile,
            book,
            tuple(option.id for option in options),
            tuple((name, repr(value)) for name, value in fields.items()),
            parent,
            spoken_language(),  # A kind keeps words about its price and its faults.
        )
        kinds = self.composition.cache.get_or_make(
            _SharedKinds, lambda _: _SharedKinds(), self.composition
        )
        if key in kinds:
            return kinds[key]
        kind = NodeKind(self.composition, level, entry, profile, book, options, fields, parent)
        if len(kinds) >= _MAX_SHARED_KINDS:
            kinds.clear()
        kinds[key] = kind
        return kind
