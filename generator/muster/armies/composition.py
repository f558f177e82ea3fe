"""Load a system's composition, check its references and look things up in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar

from muster.armies.fields import known_forms, read_field
from muster.armies.vocabulary import (
    AnyConstraint,
    AvailableRule,
    Condition,
    CountRule,
    Entry,
    FieldSpec,
    Level,
    Option,
    PriceTerm,
    Roll,
    Selector,
    ShareRule,
    TableCellReference,
    WrittenComposition,
)
from muster.dependencies import CachedResult, get_or_make
from muster.problems import MusterError, Problem, did_you_mean
from muster.systems import System
from muster.tables import NoEntryError
from muster.tables.references import AttributeReference
from muster.values import Band, Dice, Value
from muster.yamlfile import Document, read_model

LEADER = "leader"
"""The level of every leader, whatever he leads."""
_MAX_CACHED_KINDS = 20_000

KindT = TypeVar("KindT")


@dataclass(slots=True, eq=False)
class Composition:
    """What a legal army of a system is, and what things cost."""

    system: System
    written: WrittenComposition
    document: Document
    levels: Mapping[str, Level]
    entries: Mapping[str, Entry]
    options: Mapping[str, Option]
    levels_below: Mapping[str, tuple[Level, ...]]
    bottom_levels: frozenset[str]
    has_prices: bool
    node_kinds: dict[Any, Any] = field(default_factory=dict)
    check_plan: Any = None
    _cells: dict[tuple[str, str, str | None], Value] = field(default_factory=dict)

    @property
    def top(self) -> Level:
        """The level of the army itself."""
        return self.written.levels[0]

    @property
    def constraints(self) -> list[AnyConstraint]:
        """The constraints, in the order of the file."""
        return self.written.constraints

    def cache_kind(self, key: Any, sort: KindT) -> KindT:
        """Keep a sort of node, so that all alike share it; old ones go when there are many."""
        if len(self.node_kinds) >= _MAX_CACHED_KINDS:
            self.node_kinds.clear()
        self.node_kinds[key] = sort
        return sort

    def spec(self, name: str) -> FieldSpec | None:
        """Find the first field of a name, for its title and nouns."""
        for _, specs in _iter_field_groups(self.written):
            if name in specs:
                return specs[name]
        return None

    def cell(self, table: str, row: str, column: str | None) -> Value:
        """Give a cell of one of the system's tables; its file is read when first wanted.

        Raises:
            MusterError: If the table is missing or broken, or has no such row or column.
        """
        key = (table, row, column)
        if key not in self._cells:
            try:
                self._cells[key] = self.system.table(table).cell(row, column)
            except NoEntryError as error:
                text = f"the composition asks for a cell that is not there: {error}"
                problem = self.document.problem("unknown-cell", text, ())
                raise MusterError((problem,)) from None
        return self._cells[key]


def _iter_field_groups(
    written: WrittenComposition,
) -> Iterator[tuple[tuple[str | int, ...], Mapping[str, FieldSpec]]]:
    for place, level in enumerate(written.levels):
        yield ("levels", place, "fields"), level.fields
    yield ("profile",), written.profile
    for place, entry in enumerate(written.entries):
        yield ("entries", place, "fields"), entry.fields


def iter_fields(
    written: WrittenComposition,
) -> Iterator[tuple[tuple[str | int, ...], str, FieldSpec]]:
    """Go through every field, with its path in the file and its name."""
    for path, specs in _iter_field_groups(written):
        for name, spec in specs.items():
            yield (*path, name), name, spec


def iter_rolls(
    written: WrittenComposition,
) -> Iterator[tuple[tuple[str | int, ...], FieldSpec, Roll]]:
    """Go through every roll, with its path in the file and the field that it is for."""
    for path, _, spec in iter_fields(written):
        if spec.roll is not None:
            yield (*path, "roll"), spec, spec.roll


def iter_price_terms(
    written: WrittenComposition,
) -> Iterator[tuple[tuple[str | int, ...], PriceTerm]]:
    """Go through every term of a price, with its path in the file."""
    for place, entry in enumerate(written.entries):
        for n, term in enumerate(entry.price):
            yield ("entries", place, "price", n), term
    for place, option in enumerate(written.options):
        for n, term in enumerate(option.price):
            yield ("options", place, "price", n), term


def iter_cell_references(
    written: WrittenComposition,
) -> Iterator[tuple[tuple[str | int, ...], TableCellReference]]:
    """Go through every reference to a table's cell, with its path in the file."""
    for path, term in iter_price_terms(written):
        if isinstance(term.each, TableCellReference):
            yield (*path, "each"), term.each
    for place, rule in enumerate(written.constraints):
        if rule.kind == "count":
            for allowed_place, allowed in enumerate(rule.allowed):
                if isinstance(allowed, TableCellReference):
                    yield ("constraints", place, "allowed", allowed_place), allowed
        if rule.kind == "available":
            yield ("constraints", place, "cell"), rule.cell


KeyPath = tuple[str | int, ...]
BUILT_IN_ATTRIBUTES = frozenset({"type", "unit", "level", "book", "nation", "scale"})
"""Attributes that every node is asked for without a composition naming them."""


def parse_share(text: str) -> Fraction:
    """Read a share: `1/4`, `25%`, `0.25`.

    Raises:
        ValueError: If the text is no share from 0 to 1.
    """
    try:
        found = Fraction(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        found = Fraction(-1)
    if not 0 <= found <= 1 or len(text) > 20:  # noqa: PLR2004
        message = f"read {text[:20]!r}, expected a share such as 1/4 or 25%"
        raise ValueError(message)
    return found


def check_composition(
    written: WrittenComposition, document: Document, chapters: Collection[str]
) -> list[Problem]:
    """Find everything that a composition names and that is not there."""
    return list(_CompositionChecker(written, document, chapters).faults())


class _CompositionChecker:
    def __init__(
        self, written: WrittenComposition, document: Document, chapters: Collection[str]
    ) -> None:
        self.written = written
        self.document = document
        self.chapters = chapters
        self.levels = [level.id for level in written.levels]
        self.entries = [entry.id for entry in written.entries]
        self.options = [option.id for option in written.options]
        self.fields = {name for _, name, _ in iter_fields(written)}
        marked = {name for entry in written.entries for name in entry.attributes}
        marked |= {name for option in written.options for name in option.attributes}
        self.attributes = self.fields | marked | BUILT_IN_ATTRIBUTES

    def faults(self) -> Iterator[Problem]:
        yield from self._twice("levels", self.levels)
        yield from self._twice("entries", self.entries)
        yield from self._twice("options", self.options)
        yield from self._twice("constraints", [rule.id for rule in self.written.constraints])
        yield from self._levels()
        yield from self._fields()
        yield from self._rolls()
        yield from self._prices()
        yield from self._constraints()
        for path, reference in iter_cell_references(self.written):
            for key, name in (("row", reference.row), ("column", reference.column)):
                if isinstance(name, AttributeReference):
                    yield from self._known(
                        "attribute", name.field, self.attributes, (*path, key, "field")
                    )

    def _fault(self, code: str, text: str, path: KeyPath) -> Problem:
        return self.document.problem(code, text, path)

    def _twice(self, key: str, ids: list[str]) -> Iterator[Problem]:
        seen: set[str] = set()
        for place, each in enumerate(ids):
            if each in seen:
                yield self._fault("id-twice", f"the id {each!r} stands twice", (key, place, "id"))
            seen.add(each)

    def _known(
        self, what: str, name: str, known: Iterable[str], path: KeyPath
    ) -> Iterator[Problem]:
        names = sorted(known)
        if name not in names:
            hint = did_you_mean(name, names)
            yield self._fault(f"unknown-{what}", f"there is no {what} {name!r}{hint}", path)

    def _levels(self) -> Iterator[Problem]:
        for place, level in enumerate(self.written.levels):
            path: KeyPath = ("levels", place)
            above = self.levels[:place]
            if place and (level.key is None or not level.under):
                text = f"the level {level.id!r} needs a key and the levels that hold it (under)"
                yield self._fault("missing-key", text, path)
            for n, name in enumerate(level.under):
                # A level stands below those that hold it, so that no level holds itself.
                yield from self._known("level", name, above, (*path, "under", n))
            for key, leader in level.leaders.items():
                where = (*path, "leaders", key, "entry")
                yield from self._known("entry", leader.entry, self.entries, where)
        for place, entry in enumerate(self.written.entries):
            where = ("entries", place, "level")
            yield from self._known("level", entry.level, [*self.levels[1:], LEADER], where)

    def _fields(self) -> Iterator[Problem]:
        forms = known_forms()
        for path, _, spec in iter_fields(self.written):
            if spec.form not in forms:
                yield from self._known("form", spec.form, forms, (*path, "form"))
                continue
            if spec.form == "choice" and not spec.of:
                yield self._fault("missing-key", "a choice needs `of:`, what there is", path)
            if spec.default is not None:
                try:
                    read_field(spec.form, spec.of, spec.default)
                except ValueError as error:
                    yield self._fault("bad-value", str(error), (*path, "default"))
        for place, entry in enumerate(self.written.entries):
            if entry.size is not None:
                size = entry.fields.get(entry.size)
                if size is None or size.form != "whole":
                    text = f"the size {entry.size!r} must be one of its fields, of form whole"
                    yield self._fault("bad-size", text, ("entries", place, "size"))

    def _rolls(self) -> Iterator[Problem]:
        for path, spec, roll in iter_rolls(self.written):
            yield from self._roll(spec, roll, path)
            if path[0] == "profile":
                text = "a book states the values of its profiles: none of them is rolled"
                yield self._fault("bad-roll", text, path)

    def _roll(self, spec: FieldSpec, roll: Roll, path: KeyPath) -> Iterator[Problem]:
        if spec.required:
            text = "a list need not state what is rolled: leave out `required:` or `roll:`"
            yield self._fault("bad-roll", text, path)
        try:
            Dice.parse(roll.dice)
        except ValueError as error:
            yield self._fault("bad-value", str(error), (*path, "dice"))
        if isinstance(roll.named, AttributeReference):
            where = (*path, roll.read_by, "field")
            yield from self._known("attribute", roll.named.field, self.attributes, where)
        for n, plus in enumerate(roll.plus):
            for name in plus.where:
                where = (*path, "plus", n, "where", name)
                yield from self._known("attribute", name, self.attributes, where)

    def _prices(self) -> Iterator[Problem]:
        for path, term in iter_price_terms(self.written):
            yield from self._term(term, path)

    def _term(self, term: PriceTerm, path: KeyPath) -> Iterator[Problem]:
        if isinstance(term.each, AttributeReference):
            where = (*path, "each", "field")
            yield from self._known("field", term.each.field, self.fields, where)
        if term.times is not None:
            yield from self._known("field", term.times, self.fields, (*path, "times"))
        for name in term.where:
            yield from self._known("attribute", name, self.attributes, (*path, "where", name))

    def _constraints(self) -> Iterator[Problem]:
        scopes = [*self.levels, LEADER, "book"]
        for place, rule in enumerate(self.written.constraints):
            path: KeyPath = ("constraints", place)
            yield from self._known("level", rule.within, scopes, (*path, "within"))
            chapter = (*path, "rule", "chapter")
            yield from self._known("chapter", rule.rule.chapter, self.chapters, chapter)
            for key in ("of", "part", "whole", "needs", "bars"):
                selector = getattr(rule, key, None)
                if selector is not None:
                    yield from self._selector(selector, (*path, key))
            for key, condition in (("when", rule.when), ("unless", rule.unless)):
                if condition is not None:
                    yield from self._condition(condition, (*path, key))
            if rule.kind in {"alike", "variety"}:
                name = str(getattr(rule, "attribute", ""))
                yield from self._known("attribute", name, self.attributes, (*path, "attribute"))
            match rule:
                case CountRule():
                    yield from self._count(rule, path)
                case ShareRule():
                    yield from self._share(rule, path)
                case AvailableRule():
                    yield from self._available(rule, path)

    def _count(self, rule: CountRule, path: KeyPath) -> Iterator[Problem]:
        if rule.sum is not None:
            yield from self._known("field", rule.sum, self.fields, (*path, "sum"))
        for n, allowed in enumerate(rule.allowed):
            if isinstance(allowed, str):
                try:
                    Band.parse(allowed)
                except ValueError as error:
                    yield self._fault("bad-value", str(error), (*path, "allowed", n))

    def _available(self, rule: AvailableRule, path: KeyPath) -> Iterator[Problem]:
        if not any(
            isinstance(name, AttributeReference) for name in (rule.cell.row, rule.cell.column)
        ):
            text = "the cell is the same for all: name its row or its column by a field"
            yield self._fault("fixed-cell", text, (*path, "cell"))

    def _share(self, rule: ShareRule, path: KeyPath) -> Iterator[Problem]:
        if rule.by not in {"number", "points"}:
            yield from self._known("field", rule.by, self.fields, (*path, "by"))
        for key, text in (("min", rule.min), ("max", rule.max)):
            if text is not None:
                try:
                    parse_share(text)
                except ValueError as error:
                    yield self._fault("bad-value", str(error), (*path, key))

    def _selector(self, selector: Selector, path: KeyPath) -> Iterator[Problem]:
        if selector.level is not None:
            known = [*self.levels, LEADER]
            yield from self._known("level", selector.level, known, (*path, "level"))
        for n, name in enumerate(selector.entry):
            yield from self._known("entry", name, self.entries, (*path, "entry", n))
        for n, name in enumerate(selector.options):
            yield from self._known("option", name, self.options, (*path, "options", n))
        for name in selector.where:
            yield from self._known("attribute", name, self.attributes, (*path, "where", name))

    def _condition(self, condition: Condition, path: KeyPath) -> Iterator[Problem]:
        yield from self._selector(condition.of, (*path, "of"))
        if condition.within is not None:
            scopes = [*self.levels, LEADER, "book"]
            yield from self._known("level", condition.within, scopes, (*path, "within"))
        if condition.sum is not None:
            yield from self._known("field", condition.sum, self.fields, (*path, "sum"))
        if condition.min is None and condition.max is None:
            yield self._fault("missing-key", "a condition needs min or max", path)


COMPOSITION_FILE = "composition.yaml"


def load_composition(system: System) -> Composition:
    """Read a system's composition; it is read once for each system.

    Raises:
        MusterError: If the file is missing or has faults: all of them, each at its place.
    """
    # The system itself keeps it: a register of our own would keep every system alive.
    kept: dict[str, CachedResult[Composition]] = vars(system)
    return get_or_make(
        kept,
        "kept composition",
        lambda: composition_from_document(system, system.document(COMPOSITION_FILE)),
    )


def composition_from_document(system: System, document: Document) -> Composition:
    """Make a composition of a document, and hold its references to each other.

    Raises:
        MusterError: With all faults of the file.
    """
    written = read_model(WrittenComposition, document)
    problems = check_composition(written, document, {chapter.id for chapter in system.chapters})
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
            level.id: tuple(each for each in written.levels if level.id in each.under)
            for level in written.levels
        },
        bottom_levels=frozenset(entry.level for entry in written.entries),
        has_prices=any(True for _ in iter_price_terms(written)),
    )
