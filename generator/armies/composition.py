"""Owns a system's composition once read: entries, options and levels by id, and its tables' cells.

Does not judge an army; `tally` and `checks` do, from what is kept here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from generator.armies.vocabulary import (
    AnyConstraint,
    Entry,
    FieldSpec,
    FromTable,
    Level,
    Option,
    Roll,
    Term,
    WrittenComposition,
)
from generator.problems import MusterError
from generator.reading import Document
from generator.systems import System
from generator.tables import NoEntryError
from generator.values import Value

LEADER = "leader"
"""The level of every leader, whatever he leads."""
_MOST_SORTS = 20_000

Kept = TypeVar("Kept")


@dataclass(slots=True, eq=False)
class Composition:
    """What a legal army of a system is, and what things cost."""

    system: System
    written: WrittenComposition
    document: Document
    levels: Mapping[str, Level]
    entries: Mapping[str, Entry]
    options: Mapping[str, Option]
    below: Mapping[str, tuple[Level, ...]]
    bottom: frozenset[str]
    prices: bool
    sorts: dict[Any, Any] = field(default_factory=dict)
    plan: Any = None
    _cells: dict[tuple[str, str, str | None], Value] = field(default_factory=dict)

    @property
    def top(self) -> Level:
        """The level of the army itself."""
        return self.written.levels[0]

    @property
    def constraints(self) -> list[AnyConstraint]:
        """The constraints, in the order of the file."""
        return self.written.constraints

    def remember(self, key: Any, sort: Kept) -> Kept:
        """Keep a sort of node, so that all alike share it; old ones go when there are many."""
        if len(self.sorts) >= _MOST_SORTS:
            self.sorts.clear()
        self.sorts[key] = sort
        return sort

    def spec(self, name: str) -> FieldSpec | None:
        """Find the first field of a name, for its title and nouns."""
        for _, specs in _all_fields(self.written):
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


def _all_fields(
    written: WrittenComposition,
) -> Iterator[tuple[tuple[str | int, ...], Mapping[str, FieldSpec]]]:
    for place, level in enumerate(written.levels):
        yield ("levels", place, "fields"), level.fields
    yield ("profile",), written.profile
    for place, entry in enumerate(written.entries):
        yield ("entries", place, "fields"), entry.fields


def all_fields(
    written: WrittenComposition,
) -> Iterator[tuple[tuple[str | int, ...], str, FieldSpec]]:
    """Go through every field, with its path in the file and its name."""
    for path, specs in _all_fields(written):
        for name, spec in specs.items():
            yield (*path, name), name, spec


def rolls(written: WrittenComposition) -> Iterator[tuple[tuple[str | int, ...], FieldSpec, Roll]]:
    """Go through every roll, with its path in the file and the field that it is for."""
    for path, _, spec in all_fields(written):
        if spec.roll is not None:
            yield (*path, "roll"), spec, spec.roll


def prices(written: WrittenComposition) -> Iterator[tuple[tuple[str | int, ...], Term]]:
    """Go through every term of a price, with its path in the file."""
    for place, entry in enumerate(written.entries):
        for n, term in enumerate(entry.price):
            yield ("entries", place, "price", n), term
    for place, option in enumerate(written.options):
        for n, term in enumerate(option.price):
            yield ("options", place, "price", n), term


def references(written: WrittenComposition) -> Iterator[tuple[tuple[str | int, ...], FromTable]]:
    """Go through every reference to a table's cell, with its path in the file."""
    for path, term in prices(written):
        if isinstance(term.each, FromTable):
            yield (*path, "each"), term.each
    for place, rule in enumerate(written.constraints):
        if rule.kind == "count":
            for allowed_place, allowed in enumerate(rule.allowed):
                if isinstance(allowed, FromTable):
                    yield ("constraints", place, "allowed", allowed_place), allowed
        if rule.kind == "available":
            yield ("constraints", place, "cell"), rule.cell
