"""Owns the checks on what rests on a composition: its references, its books, the cards.

Does not check tables by themselves; `systems.lint` does. Faults of a composition in itself are
found when it is read (`soundness`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path as Folder
from typing import cast

from generator.armies.books import Book, book_ids, load_book
from generator.armies.composing import load_composition
from generator.armies.composition import Composition, references
from generator.armies.lint_cards import card_flaws
from generator.armies.lint_idle import idle_parts, idle_tables
from generator.armies.lint_rolls import roll_flaws
from generator.armies.lint_themes import theme_flaws
from generator.armies.possible import Possible, Prospects
from generator.armies.uses import Uses
from generator.armies.vocabulary import CountRule, Entry, FromField, Selector, Term
from generator.armies.where import where_flaws
from generator.problems import MusterError
from generator.reading import did_you_mean
from generator.systems import System
from generator.systems.flaw import Flaw, errors, in_order
from generator.tables import Table

Path = tuple[str | int, ...]


def lint_armies(system: System, book_folders: Sequence[Folder] = ()) -> list[Flaw]:
    """Check a system's composition, books and cards, and what nothing in it uses.

    Args:
        system: The rule system.
        book_folders: Further folders with books.
    """
    if not system.has("composition.yaml"):
        return in_order(idle_tables(system, Uses()))
    try:
        composition = load_composition(system)
    except MusterError as fault:
        return in_order(errors(fault.problems))
    flaws: list[Flaw] = []
    books: list[Book] = []
    for book_id in book_ids(system, book_folders):
        try:
            books.append(load_book(system, book_id, book_folders))
        except MusterError as fault:
            flaws.extend(errors(fault.problems))
    prospects = Prospects(composition, books)
    uses = Uses()
    lint = _Lint(system, composition, prospects, uses)
    flaws.extend(lint.references())
    flaws.extend(lint.prices())
    flaws.extend(lint.selectors())
    flaws.extend(roll_flaws(system, prospects, uses))
    flaws.extend(card_flaws(system, prospects, uses))
    flaws.extend(theme_flaws(system, prospects))
    flaws.extend(lint.filters())
    flaws.extend(idle_parts(composition, uses))
    flaws.extend(idle_tables(system, uses))
    return in_order(flaws)


class _Lint:
    def __init__(
        self, system: System, composition: Composition, prospects: Prospects, uses: Uses
    ) -> None:
        self.system = system
        self.composition = composition
        self.written = composition.written
        self.document = composition.document
        self.prospects = prospects
        self.uses = uses

    def _error(self, code: str, text: str, path: Path) -> Flaw:
        return Flaw("error", self.document.problem(code, text, path))

    # References to cells

    def references(self) -> Iterator[Flaw]:
        """Check that every cell that prices and limits rest on is there."""
        for path, reference in references(self.written):
            self.uses.tables.add(reference.table)
            try:
                table = self.system.table(reference.table)
            except MusterError as fault:
                # A broken table is told with the tables; here only the name is at fault.
                if reference.table not in self.system.table_ids():
                    text = fault.problems[0].text
                    yield self._error("unknown-table", text, (*path, "table"))
                continue
            entries, where, every = self._who(path)
            ids = {"row": [row.id for row in table.rows]}
            ids["column"] = [column.id for column in table.columns]
            for key, name in (("row", reference.row), ("column", reference.column)):
                if name is None:
                    if len(table.columns) > 1:
                        text = f"“{table.title}” has several columns: name one"
                        yield self._error("column-needed", text, path)
                elif isinstance(name, FromField):
                    self.uses.attributes.add(name.field)
                    for value in self._dangling(name.field, ids[key], entries, where, every):
                        text = f"{name.field} can be {value!r}: no {key} of “{table.title}”"
                        yield self._error(f"unknown-{key}", text, (*path, key))
                elif name not in ids[key]:
                    hint = did_you_mean(name, ids[key])
                    text = f"there is no {key} {name!r} in “{table.title}”{hint}"
                    yield self._error(f"unknown-{key}", text, (*path, key))

    def _who(self, path: Path) -> tuple[list[Entry], Mapping[str, Sequence[str]], bool]:
        """Tell whose reference it is: entries, what they must be, and whether every value counts.

        An option stands with who may take it, which only constraints say: for those one value
        that leads somewhere is enough.
        """
        kind, place, *rest = path
        if kind == "constraints":
            of = cast("CountRule", self.written.constraints[int(place)]).of
            return self.prospects.selected(of), of.where, True
        term: Term
        if kind == "entries":
            entry = self.written.entries[int(place)]
            term = entry.price[int(rest[1])]
            allowed = [e for e in self.prospects.entries("", term.where) if e is entry]
            return allowed, term.where, True
        term = self.written.options[int(place)].price[int(rest[1])]
        return self.prospects.entries("", term.where), term.where, False

    def _dangling(
        self,
        field: str,
        known: Sequence[str],
        entries: Sequence[Entry],
        where: Mapping[str, Sequence[str]],
        every: bool,  # noqa: FBT001 - private, one caller
    ) -> list[str]:
        """List the values that lead nowhere, or a sample of them when none leads anywhere."""
        found: set[str] = set()
        for entry in entries:
            possible: Possible = self.prospects.of(entry, field)
            if field in where:
                possible = possible.within(where[field])
            if possible.open_ended:
                return []
            found |= possible.values
        missing = sorted(found - set(known))
        if every or len(missing) == len(found):
            return missing
        return []

    # Selectors

    def prices(self) -> Iterator[Flaw]:
        """Check the attributes that prices ask for, and note what they use."""
        priced = [
            *((("entries", n), entry.price) for n, entry in enumerate(self.written.entries)),
            *((("options", n), option.price) for n, option in enumerate(self.written.options)),
        ]
        for path, terms in priced:
            for n, term in enumerate(terms):
                if isinstance(term.each, FromField):
                    self.uses.attributes.add(term.each.field)
                if term.times is not None:
                    self.uses.attributes.add(term.times)
                yield from self._where(term.where, (*path, "price", n, "where"))

    def selectors(self) -> Iterator[Flaw]:
        """Check the attributes that constraints ask for, and note what they use."""
        for place, rule in enumerate(self.written.constraints):
            for key in ("of", "part", "whole", "needs", "bars"):
                selector = getattr(rule, key, None)
                if selector is not None:
                    yield from self._selector(selector, ("constraints", place, key))
            for key, condition in (("when", rule.when), ("unless", rule.unless)):
                if condition is not None:
                    if condition.sum is not None:
                        self.uses.attributes.add(condition.sum)
                    yield from self._selector(condition.of, ("constraints", place, key, "of"))
            for key in ("attribute", "sum", "by"):
                name = getattr(rule, key, None)
                if name is not None:
                    self.uses.attributes.add(str(name))

    def _selector(self, selector: Selector, path: Path) -> Iterator[Flaw]:
        self.uses.options |= set(selector.options)
        yield from self._where(selector.where, (*path, "where"))

    def _where(self, where: Mapping[str, Sequence[str]], path: Path) -> Iterator[Flaw]:
        self.uses.attributes |= set(where)
        yield from where_flaws(self.prospects, self.document, where, path)

    # Filters of tables

    def filters(self) -> Iterator[Flaw]:
        """Check what tables, rows and columns are `for:`."""
        for table_id in self.system.table_ids():
            try:
                table = self.system.table(table_id)
            except MusterError:
                continue
            for path, only in _filters(table):
                document = self.system.document("tables", f"{table_id}.yaml")
                self.uses.attributes |= set(only)
                for name in only:
                    if name not in self.prospects.names:
                        hint = did_you_mean(name, self.prospects.names)
                        text = f"no unit has an attribute {name!r}{hint}"
                        yield Flaw("error", document.problem("unknown-attribute", text, path))
                yield from where_flaws(self.prospects, document, only, path)


def _filters(table: Table) -> Iterator[tuple[Path, Mapping[str, Sequence[str]]]]:
    if table.only_for is not None:
        yield ("for",), table.only_for
    parts = [
        *((("rows", n), row.only_for) for n, row in enumerate(table.rows)),
        *((("columns", n), column.only_for) for n, column in enumerate(table.columns)),
    ]
    for path, only in parts:
        if only is not None:
            yield (*path, "for"), only
