"""Find and load army books, and the unit profiles that they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import Field, model_validator

from muster.armies.composition import Composition, load_composition
from muster.armies.constraints import CountRule
from muster.armies.fields import FieldValue, lower_first, read_field
from muster.armies.vocabulary import Citation, Entry, FieldSpec, Option, Selector
from muster.dependencies import CachedResult, get_or_make, record_listing
from muster.languages import say, spoken_language
from muster.problems import Location, MusterError, Problem, did_you_mean, display_path
from muster.systems import System
from muster.systems.file_names import VISIBLE_YAML
from muster.systems.look import Colour, SymbolShape
from muster.systems.pictures import PictureFile, WrittenPicture, picture_file
from muster.values import BLANK, DASH
from muster.yamlfile import (
    Document,
    Flag,
    Id,
    KeyPath,
    Label,
    Line,
    Prose,
    SourceLines,
    StrictModel,
    WholeNumber,
    read_document,
    read_model,
)


class WrittenNumber(StrictModel):
    """How many of a unit an army may have; what `min:` says holds for armies of its book only."""

    min: WholeNumber | None = None
    """Least number. Default: 0."""
    max: WholeNumber | None = None
    """Greatest number; included. Default: no end."""
    per: WholeNumber | None = None
    """Points of the army's limit for each of which both count once, as in a `count`. Default: they
    count once in all.
    """
    begun: Flag = False
    """`true` if begun points count as full with `per:`. Default: false."""

    @model_validator(mode="after")
    def _require_a_bound(self) -> WrittenNumber:
        if self.min is None and self.max is None:
            text = "a number needs `min:` or `max:`, such as max: 2"
            raise ValueError(text)
        if self.per == 0 or (self.begun and self.per is None):
            text = "`per:` needs 1 or more points, such as per: 1000, and `begun:` needs `per:`"
            raise ValueError(text)
        return self


class WrittenProfile(StrictModel):
    """A unit of a book, as written. `suggested` marks one that the source gives as an example."""

    id: Id
    """Id of the unit, unique among the book's units and the types, such as `musketeers`. An army
    file names the unit by it.
    """
    title: Label
    """Title as printed, such as `Musketeers`."""
    type: Id
    """Id of an entry of `composition.yaml`; the unit has its fields, attributes and price."""
    options: list[Id] = []
    """Options that the unit comes with and pays for, such as `[high-morale]`. A list may add
    others.
    """
    stats: dict[Id, Any] = {}
    """Values of the fields that `profile:` of `composition.yaml` defines, such as `{morale: 7}`.
    `blank` is a value that the source lacks, a dash one that does not apply.
    """
    attributes: dict[Id, Line] = {}
    """Attributes that take the place of those of the type and of the book, such as `{nation:
    Swiss}`; an option still wins over them.
    """
    fields: dict[Id, Line] = {}
    """Values of the type's own fields, such as `{gun: heavy}`; an army list may not state others.
    """
    number: WrittenNumber | None = None
    """How many of it an army may have, such as `{max: 2, per: 1000}`. Default: any number."""
    may: list[Id] | None = None
    """Options that a list may add to those it comes with, such as `[shields]`; `[]` for none.
    Default: all that the rules allow.
    """
    source: SourceLines | None = None
    """Lines of the source that the profile rests on, such as `L615` or `L589, L613`."""
    suggested: Flag = False
    """`true` for an example of the source that a list need not follow. Default: false."""
    notes: Prose | None = None
    """Remark that rosters and the book's page print beside the unit."""
    picture: WrittenPicture | None = None
    """Picture of the unit, for its cards, rosters and the book's page, such as `{file: hussar.jpg,
    alt: A hussar at the gallop}`. Default: that of its type.
    """


class WrittenBook(StrictModel):
    """The whole of `books/<book>.yaml`.

    The values of a `sample` book are made up, not taken from a source. `names` are names for
    drafted armies, by the id of a unit of the book or of a type of unit or leader.
    """

    id: Id
    """Id of the book; the same as the file's name without `.yaml`."""
    title: Label
    """Title as printed, such as `Prussia`."""
    nation: Line = ""
    """Nation of all its units, the attribute `nation`, such as `Prussian`. Default: none."""
    attributes: dict[Id, Line] = {}
    """Attributes of all its units, such as `{kind: undead}`. An option, a profile, a type and the
    army list win over them.
    """
    colour: Colour = ""
    """Colour of its badge, rules and cards, six hexadecimal digits in quotes, such as `"#1d3f6e"`.
    Default: that of `colours` in `cards.yaml`.
    """
    shape: SymbolShape = "square"
    """Shape of its badge, so that it can be told without colour. Default: square."""
    sample: Flag = False
    """`true` if the values are made up and not those of the game; every page says so. Default:
    false.
    """
    source: Label = ""
    """Where the values come from, in words."""
    notes: Prose | None = None
    """Remark that rosters and the book's page print."""
    picture: WrittenPicture | None = None
    """Picture of the book, for its page, rosters and the backs of cards. Default: none, and the
    system's on rosters and the backs of cards.
    """
    names: dict[Id, list[Line]] = {}
    """Names for drafted armies, by the id of a unit, a type or a leader: `{hussars: [Zieten,
    Werner]}`.
    """
    units: list[WrittenProfile] = Field(min_length=1)
    """Units of the book, in the order of its page; at least one."""


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """A unit of a book: its type (`entry`), the options it comes with, and its values."""

    id: str
    title: str
    entry: Entry
    options: tuple[Option, ...] = ()
    stats: Mapping[str, FieldValue] = field(default_factory=dict)
    attributes: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, FieldValue] = field(default_factory=dict)
    source: str = ""
    suggested: bool = False
    notes: str = ""
    picture: PictureFile | None = None
    number: CountRule | None = None
    """How many of it an army may have."""
    may: tuple[str, ...] | None = None
    """The ids of the options that a list may add; None if the book does not say."""


UnitType = Profile | Entry
"""A unit of a book, or a bare type of a composition."""


def entry_of(unit_type: UnitType) -> Entry:
    """Return the type of a unit of a book, or the bare type itself."""
    return unit_type.entry if isinstance(unit_type, Profile) else unit_type


def profile_of(unit_type: UnitType) -> Profile | None:
    """Return a unit of a book, or None for a bare type."""
    return unit_type if isinstance(unit_type, Profile) else None


@dataclass(frozen=True, slots=True, eq=False)
class Book:
    """An army book. All of its units have its `attributes`, and its `nation` as another one."""

    id: str
    title: str
    nation: str
    attributes: Mapping[str, str]
    colour: str
    shape: str
    sample: bool
    source: str
    notes: str
    units: Mapping[str, Profile]
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    picture: PictureFile | None = None

    @property
    def counts_limit(self) -> bool:
        """Whether the number of any unit depends on the army's limit."""
        return any(unit.number and unit.number.counts_limit for unit in self.units.values())


def counts_limit(composition: Composition, book: Book | None) -> bool:
    """Return whether a rule for armies of a book counts by their limit."""
    return composition.counts_limit or (book is not None and book.counts_limit)


def find_books(system: System, book_folders: Sequence[Path] = ()) -> dict[str, Path]:
    """Return the files of all available books by id, sorted by id.

    A book in an earlier folder hides one of the same id in a later folder.

    Args:
        system: The rule system, whose own folder comes last.
        book_folders: Further folders, such as the user's own.
    """
    paths: dict[str, Path] = {}
    for folder in (*book_folders, system.folder / "books"):
        record_listing(folder, VISIBLE_YAML)
        for path in sorted(folder.glob(VISIBLE_YAML)):
            paths.setdefault(path.stem, path)
    return dict(sorted(paths.items()))


def book_ids(system: System, book_folders: Sequence[Path] = ()) -> list[str]:
    """Return the ids of all available books, sorted."""
    return list(find_books(system, book_folders))


def load_book(system: System, book_id: str, book_folders: Sequence[Path] = ()) -> Book:
    """Load a book; its file is read once for each `System`.

    Raises:
        MusterError: If there is no such book, or its file has problems.
    """
    books = find_books(system, book_folders)
    if book_id not in books:
        known = ", ".join(books) or "none"
        hint = did_you_mean(book_id, books)
        text = f"there is no army book {book_id!r} for {system.title}{hint}; known: {known}"
        location = Location(str(system.folder / "books"), None, None)
        raise MusterError((Problem("unknown-book", text, location),))
    path = books[book_id]
    kept: dict[tuple[Path, str], CachedResult[Book]] = vars(system).setdefault("books_read", {})

    def read() -> Book:
        document = read_document(path, shown_as=display_path(path), within=path.parent.parent)
        document = system.worded(document, f"books/{path.stem}")
        return book_from_document(load_composition(system), document, path)

    # A book holds nouns in the language of the output, so each language has its own copy.
    return get_or_make(kept, (path, spoken_language()), read)


def book_from_document(composition: Composition, document: Document, path: Path) -> Book:
    """Make a book from a document.

    Raises:
        MusterError: With all problems of the file.
    """
    written = read_model(WrittenBook, document)
    problems: list[Problem] = []
    if written.id != path.stem:
        text = f"read the id {written.id!r}, expected {path.stem!r}, the file's name"
        problems.append(document.problem("id-is-not-file-name", text, ("id",)))
    units: dict[str, Profile] = {}
    for index, unit in enumerate(written.units):
        reader = _ProfileReader(composition, document, ("units", index), problems, path.parent)
        if unit.id in units or unit.id in composition.entries:
            text = f"the id {unit.id!r} is used twice"
            problems.append(document.problem("id-twice", text, ("units", index, "id")))
        profile = reader.profile(unit)
        if profile is not None:
            units.setdefault(unit.id, profile)
    known = [*(unit.id for unit in written.units), *composition.entries]
    for name in written.names:
        if name not in known:
            text = f"there is no unit, type or leader {name!r}{did_you_mean(name, known)}"
            problems.append(document.problem("unknown-unit", text, ("names", name), key=True))
    if problems:
        raise MusterError(tuple(problems))
    return Book(
        id=written.id,
        title=written.title,
        nation=written.nation,
        attributes=written.attributes,
        colour=written.colour,
        shape=written.shape,
        sample=written.sample,
        source=written.source,
        notes=written.notes or "",
        units=units,
        names=written.names,
        picture=picture_file(written.picture, path.parent, document, ()),
    )


class _ProfileReader:
    """Reads one unit of a book and adds its problems to a list."""

    def __init__(
        self,
        composition: Composition,
        document: Document,
        path: KeyPath,
        problems: list[Problem],
        folder: Path,
    ) -> None:
        self.composition = composition
        self.document = document
        self.path = path
        self.problems = problems
        self.folder = folder
        self.scales = [scale.id for scale in composition.system.scales]

    def profile(self, unit: WrittenProfile) -> Profile | None:
        entries = self.composition.entries
        entry = entries.get(unit.type)
        if entry is None or entry.level not in self.composition.levels:
            levels = self.composition.levels
            types = {each.id: each.title for each in entries.values() if each.level in levels}
            hint = did_you_mean(unit.type, types, types)
            text = f"there is no type of unit {unit.type!r}{hint}; known: {', '.join(types)}"
            self.problems.append(self.document.problem("unknown-type", text, (*self.path, "type")))
            return None
        return Profile(
            id=unit.id,
            title=unit.title,
            entry=entry,
            options=tuple(self._options(unit.options)),
            stats=self._values("stats", unit.stats, self.composition.written.profile, "a profile"),
            attributes=unit.attributes,
            fields=self._values("fields", unit.fields, entry.fields, entry.title),
            source=unit.source or "",
            suggested=unit.suggested,
            notes=unit.notes or "",
            picture=picture_file(unit.picture, self.folder, self.document, self.path),
            number=self._number(unit, entry),
            may=None if unit.may is None else self._permitted(unit.may),
        )

    def _number(self, unit: WrittenProfile, entry: Entry) -> CountRule | None:
        """Return what a book says of the number of a unit as a constraint on the whole army."""
        number = unit.number
        if number is None:
            return None
        if number.per is not None and not self.composition.has_prices:
            text = "this counts by the limit, which is in points, but nothing has a price"
            self.problems.append(
                self.document.problem("no-prices", text, (*self.path, "number", "per"))
            )
        level = self.composition.levels[entry.level]
        several = level.many or (level.key or level.id).replace("-", " ")
        own = {"unit": [unit.id], "book": [self.document.data["id"]]}
        return CountRule(
            id="unit-number",
            kind="count",
            message=f"The number of {unit.title} is limited.",
            # Findings cite the book itself.
            rule=Citation(chapter="book"),
            of=Selector(level=entry.level, where=own),
            within=self.composition.top.id,
            one=say("{level} of {unit}", level=lower_first(level.title), unit=unit.title),
            many=say("{level} of {unit}", level=several, unit=unit.title),
            min=number.min,
            max=number.max,
            per=number.per,
            begun=number.begun,
        )

    def _permitted(self, names: list[str]) -> tuple[str, ...]:
        return tuple(option.id for option in self._options(names, "may"))

    def _options(self, names: list[str], key: str = "options") -> list[Option]:
        known = self.composition.options
        for index, name in enumerate(names):
            if name not in known:
                titles = {option.id: option.title for option in known.values()}
                text = f"there is no option {name!r}{did_you_mean(name, known, titles)}"
                path = (*self.path, key, index)
                self.problems.append(self.document.problem("unknown-option", text, path))
        return [known[name] for name in dict.fromkeys(names) if name in known]

    def _values(
        self, key: str, written: Mapping[str, Any], specs: Mapping[str, FieldSpec], owner: str
    ) -> dict[str, FieldValue]:
        values: dict[str, FieldValue] = {}
        for name, raw in written.items():
            path = (*self.path, key, name)
            if name not in specs:
                known = ", ".join(specs) or "none"
                hint = did_you_mean(name, specs)
                text = f"there is no field {name!r} for {owner}{hint}; known: {known}"
                self.problems.append(self.document.problem("unknown-key", text, path, key=True))
            elif raw == "blank":
                values[name] = BLANK
            elif raw in ("–", "-"):
                values[name] = DASH
            else:
                spec = specs[name]
                try:
                    values[name] = read_field(spec.form, spec.of, raw, self.scales)
                except ValueError as error:
                    self.problems.append(self.document.problem("bad-value", str(error), path))
        return values
