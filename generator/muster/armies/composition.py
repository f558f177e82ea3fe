"""Load a system's `composition.yaml`, and look up what it defines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from muster.armies.caches import Cache
from muster.armies.composition_checks import check_composition
from muster.armies.constraints import AnyConstraint
from muster.armies.vocabulary import (
    Entry,
    FieldSpec,
    Level,
    Option,
)
from muster.armies.written_composition import (
    WrittenComposition,
    iter_fields,
    iter_price_terms,
    open_keys,
)
from muster.dependencies import CachedResult, get_or_make
from muster.problems import MusterError
from muster.systems import System
from muster.systems.pictures import PictureFile
from muster.tables import NoEntryError
from muster.values import Value
from muster.yamlfile import Document, read_model


class UnknownCellError(MusterError):
    """Raised when a table has no such row or column.

    If a value that any list may state names it, `field` is the field and `text` says what was read
    and what was expected; otherwise both are empty.
    """

    field: str = ""
    text: str = ""


@dataclass(slots=True, eq=False)
class Composition:
    """The levels, entries, options, prices and constraints of a system's armies.

    `bottom_levels` are those of units and works, which nothing stands under. `open_keys` are the
    fields that name rows or columns of tables although a list may write anything into them.
    """

    system: System
    written: WrittenComposition
    document: Document
    levels: Mapping[str, Level]
    entries: Mapping[str, Entry]
    options: Mapping[str, Option]
    levels_below: Mapping[str, tuple[Level, ...]]
    bottom_levels: frozenset[str]
    has_prices: bool
    open_keys: frozenset[str]
    pictures: Mapping[str, PictureFile]
    """The pictures of types, by the ids of these."""
    cache: Cache = field(default_factory=Cache, init=False)
    _cells: dict[tuple[str, str, str | None], Value] = field(default_factory=dict, init=False)
    _specs: dict[str, FieldSpec] | None = field(default=None, init=False)
    _counts_limit: bool | None = field(default=None, init=False)

    @property
    def top(self) -> Level:
        """The level of the army itself."""
        return self.written.levels[0]

    @property
    def constraints(self) -> list[AnyConstraint]:
        """The constraints, in the order of the file."""
        return self.written.constraints

    @property
    def counts_limit(self) -> bool:
        """Whether any constraint counts by the army's limit, which each should state then."""
        if self._counts_limit is None:
            self._counts_limit = self._find_counts_limit()
        return self._counts_limit

    def _find_counts_limit(self) -> bool:
        return any(rule.counts_limit for rule in self.written.constraints) or any(
            True
            for switched in (*self.written.constraints, *self.written.grants)
            for _ in switched.limit_conditions()
        )

    def spec(self, name: str) -> FieldSpec | None:
        """Return the first field of a name, for its title and nouns; None if there is none."""
        if self._specs is None:
            # Of equal names the first counts, so it is put in last.
            fields = reversed([(name, spec) for _, name, spec in iter_fields(self.written)])
            self._specs = dict(fields)
        return self._specs.get(name)

    def word_for(self, name: str, value: str) -> str:
        """Return what players call a value of an attribute; it is never compared."""
        return self.written.words.get(name, {}).get(value) or value.replace("-", " ")

    def cell(self, table: str, row: str, column: str | None) -> Value:
        """Return a cell of one of the system's tables; its file is read on first use.

        Raises:
            UnknownCellError: If the table has no such row or column.
            MusterError: If the table is missing or broken.
        """
        key = (table, row, column)
        if key not in self._cells:
            try:
                self._cells[key] = self.system.table(table).cell(row, column)
            except NoEntryError as error:
                text = f"the composition refers to a cell that does not exist: {error}"
                problem = self.document.problem("unknown-cell", text, ())
                raise UnknownCellError((problem,)) from None
        return self._cells[key]


COMPOSITION_FILE = "composition.yaml"


def load_composition(system: System) -> Composition:
    """Load a system's composition; its file is read once for each `System`.

    Raises:
        MusterError: If the file is missing or has faults: all of them, each at its place.
    """
    # It is cached on the system itself: a cache in this module would keep every system alive.
    cached: dict[str, CachedResult[Composition]] = vars(system)
    return get_or_make(
        cached,
        "kept composition",
        lambda: composition_from_document(system, system.document(COMPOSITION_FILE)),
    )


def composition_from_document(system: System, document: Document) -> Composition:
    """Make a composition from a document.

    Raises:
        MusterError: With all problems of the file.
    """
    written = read_model(WrittenComposition, document)
    problems = check_composition(
        written, document, {chapter.id for chapter in system.chapters}, system.table_ids()
    )
    if problems:
        raise MusterError(tuple(problems))
    return Composition(
        system=system,
        written=written,
        document=document,
        levels={level.id: level for level in written.levels},
        entries={entry.id: entry for entry in written.entries},
        options={option.id: option for option in written.options},
        levels_below={
            level.id: tuple(lower for lower in written.levels if level.id in lower.under)
            for level in written.levels
        },
        bottom_levels=frozenset(entry.level for entry in written.entries),
        has_prices=any(True for _ in iter_price_terms(written)),
        open_keys=open_keys(written),
        pictures={
            entry.id: PictureFile(
                entry.picture, system.folder, document, ("entries", index, "picture")
            )
            for index, entry in enumerate(written.entries)
            if entry.picture
        },
    )
