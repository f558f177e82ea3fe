"""Load a system's `composition.yaml`, check its references, and look up what it defines."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from muster.armies.caches import Cache
from muster.armies.fields import known_forms, read_field
from muster.armies.vocabulary import (
    BOOK_SCOPE,
    AnyConstraint,
    Condition,
    Entry,
    FieldSpec,
    Level,
    Option,
    PriceTerm,
    Roll,
    Selector,
    TableCellReference,
    WrittenComposition,
)
from muster.dependencies import CachedResult, get_or_make
from muster.names import repeated
from muster.problems import MusterError, Problem, known_words
from muster.systems import System
from muster.systems.pictures import PictureFile
from muster.tables import NoEntryError
from muster.tables.references import AttributeReference
from muster.values import Dice, Value
from muster.yamlfile import Document, KeyPath, read_model

LEADER = "leader"
"""The level of every leader, whatever they lead."""


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


def _iter_field_groups(
    written: WrittenComposition,
) -> Iterator[tuple[KeyPath, Mapping[str, FieldSpec]]]:
    for index, level in enumerate(written.levels):
        yield ("levels", index, "fields"), level.fields
    yield ("profile",), written.profile
    for index, entry in enumerate(written.entries):
        yield ("entries", index, "fields"), entry.fields


def iter_fields(
    written: WrittenComposition,
) -> Iterator[tuple[KeyPath, str, FieldSpec]]:
    """Yield every field, with its path in the file and its name."""
    for path, specs in _iter_field_groups(written):
        for name, spec in specs.items():
            yield (*path, name), name, spec


def iter_rolls(
    written: WrittenComposition,
) -> Iterator[tuple[KeyPath, FieldSpec, Roll]]:
    """Yield every roll, with its path in the file and the field that it fills in."""
    for path, _, spec in iter_fields(written):
        if spec.roll is not None:
            yield (*path, "roll"), spec, spec.roll


def iter_price_terms(
    written: WrittenComposition,
) -> Iterator[tuple[KeyPath, PriceTerm]]:
    """Yield every term of a price, with its path in the file."""
    for index, entry in enumerate(written.entries):
        for n, term in enumerate(entry.price):
            yield ("entries", index, "price", n), term
    for index, option in enumerate(written.options):
        for n, term in enumerate(option.price):
            yield ("options", index, "price", n), term


def iter_cell_references(
    written: WrittenComposition,
) -> Iterator[tuple[KeyPath, TableCellReference]]:
    """Yield every reference to a table cell, with its path in the file."""
    for path, term in iter_price_terms(written):
        if isinstance(term.each, TableCellReference):
            yield (*path, "each"), term.each
    for index, rule in enumerate(written.constraints):
        for path, reference in rule.cells():
            yield ("constraints", index, *path), reference


def open_keys(written: WrittenComposition) -> frozenset[str]:
    """Return the fields that name rows or columns although any number or text may be written."""
    references = [reference for _, reference in iter_cell_references(written)]
    keys = [key for reference in references for key in (reference.row, reference.column)]
    names = {key.field for key in keys if isinstance(key, AttributeReference)}
    return frozenset(
        name
        for _, name, spec in iter_fields(written)
        if name in names and spec.form not in {"choice", "flag"}
    )


BUILT_IN_ATTRIBUTES = frozenset({"type", "unit", "level", "book", "nation", "scale"})
"""Attributes that nodes have although no composition names them."""


def check_composition(
    written: WrittenComposition,
    document: Document,
    chapters: Collection[str],
    tables: Collection[str],
) -> list[Problem]:
    """Return all problems: names that do not exist, ids that stand twice, bad values."""
    return list(_CompositionChecker(written, document, chapters, tables).problems())


class _CompositionChecker:
    def __init__(
        self,
        written: WrittenComposition,
        document: Document,
        chapters: Collection[str],
        tables: Collection[str],
    ) -> None:
        self.written = written
        self.document = document
        self.chapters = chapters
        self.tables = tables
        self.levels = [level.id for level in written.levels]
        self.entries = [entry.id for entry in written.entries]
        self.options = [option.id for option in written.options]
        self.fields = {name for _, name, _ in iter_fields(written)}
        stated = {name for entry in written.entries for name in entry.attributes}
        stated |= {name for option in written.options for name in option.attributes}
        self.granted = {name for grant in written.grants for name in grant.set}
        stated |= self.granted
        self.has_prices = any(True for _ in iter_price_terms(written))
        self.attributes = self.fields | stated | BUILT_IN_ATTRIBUTES

    def problems(self) -> Iterator[Problem]:
        yield from self._duplicate_ids("levels", self.levels)
        yield from self._duplicate_ids("entries", self.entries)
        yield from self._duplicate_ids("options", self.options)
        yield from self._duplicate_ids(
            "constraints", [rule.id for rule in self.written.constraints]
        )
        yield from self._levels()
        yield from self._fields()
        yield from self._rolls()
        yield from self._prices()
        yield from self._grants()
        yield from self._constraints()
        for attribute in self.written.words:
            yield from self._unknown_attribute(attribute, ("words", attribute))
        pricing = self.written.pricing
        if pricing is not None:
            yield from self._unknown_name(
                "chapter", pricing.chapter, self.chapters, ("pricing", "chapter")
            )
        for path, _, roll in iter_rolls(self.written):
            yield from self._unknown_name("table", roll.table, self.tables, (*path, "table"))
        for path, reference in iter_cell_references(self.written):
            yield from self._unknown_name("table", reference.table, self.tables, (*path, "table"))
            for key, name in (("row", reference.row), ("column", reference.column)):
                if isinstance(name, AttributeReference):
                    yield from self._unknown_attribute(name.field, (*path, key, "field"))

    def _problem(self, code: str, text: str, path: KeyPath) -> Problem:
        return self.document.problem(code, text, path)

    def _duplicate_ids(self, key: str, ids: list[str]) -> Iterator[Problem]:
        for index, id_ in repeated(ids):
            yield self._problem("id-twice", f"the id {id_!r} is used twice", (key, index, "id"))

    def _unknown_name(
        self, what: str, name: str, known: Iterable[str], path: KeyPath
    ) -> Iterator[Problem]:
        names = sorted(known)
        if name not in names:
            text = f"there is no {what} {name!r}{known_words(name, names)}"
            yield self._problem(f"unknown-{what}", text, path)

    def _unknown_attribute(self, name: str, path: KeyPath) -> Iterator[Problem]:
        yield from self._unknown_name("attribute", name, self.attributes, path)

    def _levels(self) -> Iterator[Problem]:
        for index, level in enumerate(self.written.levels):
            path: KeyPath = ("levels", index)
            above = self.levels[:index]
            if index and (level.key is None or not level.under):
                text = f"the level {level.id!r} needs `key:` and `under:`, the levels that hold it"
                yield self._problem("missing-key", text, path)
            for n, name in enumerate(level.under):
                # A level may only stand under earlier ones, so that none can hold itself.
                yield from self._unknown_name("level", name, above, (*path, "under", n))
            for key, leader in level.leaders.items():
                entry_path = (*path, "leaders", key, "entry")
                yield from self._unknown_name("entry", leader.entry, self.entries, entry_path)
        for index, entry in enumerate(self.written.entries):
            levels = [*self.levels[1:], LEADER]
            yield from self._unknown_name("level", entry.level, levels, ("entries", index, "level"))

    def _fields(self) -> Iterator[Problem]:
        forms = known_forms()
        for path, _, spec in iter_fields(self.written):
            if spec.form not in forms:
                yield from self._unknown_name("form", spec.form, forms, (*path, "form"))
                continue
            if spec.form == "choice" and not spec.of:
                yield self._problem(
                    "missing-key", "a choice needs `of:`, such as {raw: Raw, old: Old}", path
                )
            if spec.default is not None:
                try:
                    read_field(spec.form, spec.of, spec.default)
                except ValueError as error:
                    yield self._problem("bad-value", str(error), (*path, "default"))
        for index, entry in enumerate(self.written.entries):
            if entry.size is not None:
                size = entry.fields.get(entry.size)
                if size is None or size.form != "whole":
                    text = f"read the size {entry.size!r}, expected a field with `form: whole`"
                    yield self._problem("bad-size", text, ("entries", index, "size"))

    def _rolls(self) -> Iterator[Problem]:
        for path, spec, roll in iter_rolls(self.written):
            yield from self._roll(spec, roll, path)
            if path[0] == "profile":
                text = "a field of a profile cannot be rolled, because the book states its value"
                yield self._problem("bad-roll", text, path)
        for path, specs in _iter_field_groups(self.written):
            wholes = [name for name, spec in specs.items() if spec.form == "whole"]
            for name, spec in specs.items():
                total = spec.roll.total if spec.roll is not None else None
                if total is not None and (total == name or total not in wholes):
                    text = f"read the total {total!r}, expected a field beside it, of `form: whole`"
                    yield self._problem("bad-roll", text, (*path, name, "roll", "total"))

    def _roll(self, spec: FieldSpec, roll: Roll, path: KeyPath) -> Iterator[Problem]:
        if spec.required:
            text = "a field that is rolled cannot be required: leave out `required:` or `roll:`"
            yield self._problem("bad-roll", text, path)
        try:
            Dice.parse(roll.dice)
        except ValueError as error:
            yield self._problem("bad-value", str(error), (*path, "dice"))
        if isinstance(roll.lookup_key, AttributeReference):
            field_path = (*path, roll.read_by, "field")
            name = roll.lookup_key.field
            yield from self._unknown_attribute(name, field_path)
        for n, modifier in enumerate(roll.plus):
            for name in modifier.where:
                name_path = (*path, "plus", n, "where", name)
                yield from self._unknown_attribute(name, name_path)

    def _prices(self) -> Iterator[Problem]:
        for path, term in iter_price_terms(self.written):
            yield from self._term(term, path)

    def _term(self, term: PriceTerm, path: KeyPath) -> Iterator[Problem]:
        if isinstance(term.each, AttributeReference):
            field_path = (*path, "each", "field")
            yield from self._unknown_name("field", term.each.field, self.fields, field_path)
        if term.times is not None:
            yield from self._unknown_name("field", term.times, self.fields, (*path, "times"))
        for name in term.where:
            yield from self._unknown_attribute(name, (*path, "where", name))

    def _grants(self) -> Iterator[Problem]:
        """Check grants; what they look at may not rest on what they give, so that none is open."""
        for index, grant in enumerate(self.written.grants):
            path: KeyPath = ("grants", index)
            yield from self._unknown_name("level", grant.within, self.levels, (*path, "within"))
            selectors: list[tuple[KeyPath, Selector]] = [((*path, "of"), grant.of)]
            for below, condition in grant.conditions():
                yield from self._condition(condition, (*path, *below))
                selectors.append(((*path, *below, "of"), condition.of))
                if condition.by in {"points", "option-points"}:
                    text = (
                        f"read `by: {condition.by}`, expected number or options: prices may rest "
                    )
                    text += "on what is granted"
                    yield self._problem("circular", text, (*path, *below, "by"))
            yield from self._selector(grant.of, (*path, "of"))
            for selector_path, selector in selectors:
                for name in self.granted & set(selector.where):
                    text = f"a grant gives the attribute {name!r}, so that no grant can rest on it"
                    yield self._problem("circular", text, (*selector_path, "where", name))
            for name in self.fields & set(grant.set):
                text = f"{name!r} is a field, which a grant cannot set"
                yield self._problem("granted-field", text, (*path, "set", name))
            for name in set(grant.set) & BUILT_IN_ATTRIBUTES:
                text = f"every unit has {name!r} in any case, so that no grant can set it"
                yield self._problem("granted-field", text, (*path, "set", name))
            if any(True for _ in grant.limit_conditions()) and not self.has_prices:
                yield self._no_prices(path)

    def _no_prices(self, path: KeyPath) -> Problem:
        text = "this counts by the limit, which is in points, but nothing has a price"
        return self._problem("no-prices", text, path)

    def _constraints(self) -> Iterator[Problem]:
        scopes = [*self.levels, LEADER, BOOK_SCOPE]
        for index, rule in enumerate(self.written.constraints):
            path: KeyPath = ("constraints", index)
            yield from self._unknown_name("level", rule.within, scopes, (*path, "within"))
            chapter = (*path, "rule", "chapter")
            yield from self._unknown_name("chapter", rule.rule.chapter, self.chapters, chapter)
            for key, selector in rule.selectors():
                yield from self._selector(selector, (*path, key))
            for below, condition in rule.conditions():
                yield from self._condition(condition, (*path, *below))
            for key, name in rule.attribute_names():
                yield from self._unknown_attribute(name, (*path, key))
            for below, name in rule.summed_fields():
                yield from self._unknown_name("field", name, self.fields, (*path, *below))
            by_limit = rule.counts_limit or any(True for _ in rule.limit_conditions())
            if by_limit and not self.has_prices:
                yield self._no_prices(path)
            for fault in rule.value_errors():
                yield self._problem(fault.code, fault.text, (*path, *fault.path))

    def _selector(self, selector: Selector, path: KeyPath) -> Iterator[Problem]:
        if selector.level is not None:
            known = [*self.levels, LEADER]
            yield from self._unknown_name("level", selector.level, known, (*path, "level"))
        for n, name in enumerate(selector.entry):
            yield from self._unknown_name("entry", name, self.entries, (*path, "entry", n))
        for n, name in enumerate(selector.options):
            yield from self._unknown_name("option", name, self.options, (*path, "options", n))
        for name in selector.where:
            yield from self._unknown_attribute(name, (*path, "where", name))

    def _condition(self, condition: Condition, path: KeyPath) -> Iterator[Problem]:
        yield from self._selector(condition.of, (*path, "of"))
        if condition.within is not None:
            scopes = [*self.levels, LEADER, BOOK_SCOPE]
            yield from self._unknown_name("level", condition.within, scopes, (*path, "within"))
        for below, name in condition.summed_fields():
            yield from self._unknown_name("field", name, self.fields, (*path, *below))
        if condition.min is None and condition.max is None:
            yield self._problem(
                "missing-key", "a condition needs `min:` or `max:`, such as min: 1", path
            )


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
