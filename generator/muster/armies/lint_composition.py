"""Check what rests on a composition: references, books, rolls, cards, and what nothing uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from muster.armies.books import Book, book_ids, load_book
from muster.armies.composition import (
    LEADER,
    Composition,
    iter_cell_references,
    iter_fields,
    iter_rolls,
    load_composition,
)
from muster.armies.fields import read_field
from muster.armies.lint_themes import theme_issues
from muster.armies.possible_values import Possibilities, PossibleValues, References, filter_issues
from muster.armies.raising import outcome_of, possible_totals, roll_outcomes
from muster.armies.vocabulary import (
    AttributeReference,
    Entry,
    FieldSpec,
    PriceTerm,
    Roll,
    Selector,
)
from muster.problems import MusterError, did_you_mean
from muster.systems import System
from muster.systems.layouts import (
    Cards,
    Derivation,
    FieldReference,
    TableCell,
    sub_derivations,
)
from muster.systems.lint import LintIssue, as_errors, as_warning, sorted_issues
from muster.tables import Table
from muster.yamlfile import Document

KeyPath = tuple[str | int, ...]


def roll_issues(system: System, prospects: Possibilities, uses: References) -> Iterator[LintIssue]:
    """Check every roll of a composition against its table."""
    lint = _RollLinter(system, prospects, uses)
    for path, spec, roll in iter_rolls(prospects.composition.written):
        yield from lint.flaws(path, spec, roll)


class _RollLinter:
    def __init__(self, system: System, prospects: Possibilities, uses: References) -> None:
        self.system = system
        self.prospects = prospects
        self.uses = uses
        self.scales = [scale.id for scale in system.scales]

    def _error(self, code: str, text: str, path: KeyPath) -> LintIssue:
        document = self.prospects.composition.document
        return LintIssue("error", document.problem(code, text, path))

    def flaws(self, path: KeyPath, spec: FieldSpec, roll: Roll) -> Iterator[LintIssue]:
        """Check one roll: its table, what it is read by, what is added, and every total."""
        document = self.prospects.composition.document
        self.uses.tables.add(roll.table)
        for n, plus in enumerate(roll.plus):
            self.uses.attributes |= set(plus.where)
            where = (*path, "plus", n, "where")
            yield from filter_issues(self.prospects, document, plus.where, where)
        if isinstance(roll.lookup_key, AttributeReference):
            self.uses.attributes.add(roll.lookup_key.field)
        try:
            table = self.system.table(roll.table).at_scale(self.scales[0])
        except MusterError as fault:
            # A broken table is told with the tables; here only the name is at fault.
            if roll.table not in self.system.table_ids():
                yield self._error("unknown-table", fault.problems[0].text, (*path, "table"))
            return
        known = [row.id for row in table.rows]
        if roll.read_by != "row":
            known = [column.id for column in table.columns]
        what = "row" if roll.read_by == "row" else "column"
        for name in self._names(path, roll, known):
            if name not in known:
                text = f"there is no {what} {name!r} in “{table.title}”{did_you_mean(name, known)}"
                yield self._error(f"unknown-{what}", text, (*path, roll.read_by))
            else:
                yield from self._covered(path, spec, roll, table, name)

    def _names(self, path: KeyPath, roll: Roll, known: Sequence[str]) -> Sequence[str]:
        """List what the roll may be read by; all of the table where a list may write anything."""
        if not isinstance(roll.lookup_key, AttributeReference):
            return [roll.lookup_key]
        found = self._possible(path, roll.lookup_key.field)
        if any(each.open_ended for each in found):
            return known
        return sorted(frozenset[str]().union(*(each.values for each in found)))

    def _possible(self, path: KeyPath, name: str) -> list[PossibleValues]:
        """Give what those who have the field can say of a name: entries, or a level of command."""
        written = self.prospects.composition.written
        kind, place, *_ = path
        if kind == "entries":
            return [self.prospects.of(written.entries[int(place)], name)]
        level = written.levels[int(place)].id
        entries = [entry for entry in written.entries if entry.level == level]
        found = [self.prospects.of(entry, name) for entry in entries]
        return found or [self.prospects.above(name)]

    def _covered(
        self, path: KeyPath, spec: FieldSpec, roll: Roll, table: Table, name: str
    ) -> Iterator[LintIssue]:
        """Check that every total has a value, and that every value is one of the field's."""
        ladder = roll_outcomes(table, roll, name)
        missed = [
            str(total)
            for total in possible_totals(roll)
            if outcome_of(ladder, total, capped=roll.capped) is None
        ]
        if missed:
            what = f"{', '.join(missed[:6])}{' and more' if len(missed) > 6 else ''}"  # noqa: PLR2004
            text = f"“{table.title}” has nothing for {name!r} and a roll of {what} on {roll.dice}"
            yield self._error("roll-uncovered", text, path)
        for value in dict.fromkeys(rung.value for rung in ladder):
            try:
                read_field(spec.form, spec.of, value, self.scales)
            except ValueError as error:
                text = f"the roll gives a value that the field does not take: {error}"
                yield self._error("bad-value", text, path)


_CardsPath = tuple[str | int, ...]


def card_issues(system: System, prospects: Possibilities, uses: References) -> Iterator[LintIssue]:
    """Check the cards and the roster's columns against the composition and the tables."""
    try:
        cards = system.cards
    except MusterError as fault:
        yield from as_errors(fault.problems)
        return
    if cards is not None:
        yield from _CardLinter(system, prospects, uses, system.document("cards.yaml")).flaws(cards)


class _CardLinter:
    def __init__(
        self, system: System, prospects: Possibilities, uses: References, document: Document
    ) -> None:
        self.system = system
        self.prospects = prospects
        self.uses = uses
        self.document = document
        self.levels = {
            level.id
            for level in prospects.composition.written.levels
            if level.id not in prospects.composition.bottom_levels
        }

    def _error(self, code: str, text: str, path: _CardsPath) -> LintIssue:
        return LintIssue("error", self.document.problem(code, text, path))

    def flaws(self, cards: Cards) -> Iterator[LintIssue]:
        """Check every card, block, row and value, and all that the roster shows."""
        seen: set[str] = set()
        for place, card in enumerate(cards.cards):
            path: _CardsPath = ("cards", place)
            if card.id in seen:
                text = f"the id {card.id!r} stands above already"
                yield self._error("duplicate-id", text, (*path, "id"))
            seen.add(card.id)
            yield from self._where(card.where, path)
            entries = self.prospects.entries(card.level, card.where)
            if not entries and card.level not in self.levels:
                text = f"nothing in the composition has this card of level {card.level!r}"
                yield as_warning(self.document.problem("unused-card", text, path))
            if card.losses is not None:
                yield from self._field(card.losses.count, (*path, "losses", "count"))
            for n, block in enumerate(card.blocks):
                at: _CardsPath = (*path, "blocks", n)
                yield from self._where(block.where, at)
                for m, row in enumerate(block.rows):
                    yield from self._where(row.where, (*at, "rows", m))
                    wanted = [block.where, row.where]
                    who = [entry for entry in entries if self._can_be(entry, wanted)]
                    for v, value in enumerate(row.values):
                        yield from self._value(value, (*at, "rows", m, "values", v), who)
        yield from self._roster(cards)

    def _roster(self, cards: Cards) -> Iterator[LintIssue]:
        for place, column in enumerate(cards.roster):
            path: _CardsPath = ("roster", place)
            yield from self._where(column.where, path)
            who = self.prospects.entries("", column.where)
            yield from self._value(column.value, (*path, "value"), who)

        for place, fact in enumerate(cards.leaders):
            path = ("leaders", place)
            yield from self._where(fact.where, path)
            who = self.prospects.entries(LEADER, fact.where)
            for v, value in enumerate(fact.values):
                yield from self._value(value, (*path, "values", v), who)

    def _can_be(self, entry: Entry, wanted: Sequence[Mapping[str, Sequence[str]]]) -> bool:
        return all(
            self.prospects.can_be(entry, name, values)
            for each in wanted
            for name, values in each.items()
        )

    def _where(self, where: Mapping[str, Sequence[str]], path: _CardsPath) -> Iterator[LintIssue]:
        for name in where:
            yield from self._field(name, (*path, "where"))
        yield from filter_issues(self.prospects, self.document, where, (*path, "where"))

    def _field(self, name: str, path: _CardsPath) -> Iterator[LintIssue]:
        self.uses.attributes.add(name)
        known = self.prospects.names
        if name not in known:
            text = f"no unit has a field {name!r}{did_you_mean(name, known)}"
            yield self._error("unknown-field", text, path)

    def _value(
        self, derived: Derivation, path: _CardsPath, who: Sequence[Entry]
    ) -> Iterator[LintIssue]:
        """Check one derived value and all values that it is made of."""
        if isinstance(derived, TableCell):
            yield from self._cell(derived, path, who)
        elif isinstance(derived, FieldReference):
            yield from self._field(derived.field, (*path, "field"))
        for below, part in sub_derivations(derived):
            yield from self._value(part, (*path, *below), who)

    def _cell(
        self, derived: TableCell, path: _CardsPath, who: Sequence[Entry]
    ) -> Iterator[LintIssue]:
        self.uses.tables.add(derived.table)
        try:
            table = self.system.table(derived.table)
        except MusterError as fault:
            if derived.table not in self.system.table_ids():
                text = fault.problems[0].text
                yield self._error("unknown-table", text, (*path, "table"))
            return
        if derived.column is None and len(table.columns) > 1:
            text = f"“{table.title}” has several columns: name one"
            yield self._error("column-needed", text, path)
        ids = {"row": [row.id for row in table.rows]}
        ids["column"] = [column.id for column in table.columns]
        for key, name in (("row", derived.row), ("column", derived.column)):
            if isinstance(name, FieldReference):
                yield from self._field(name.field, (*path, key, "field"))
                found = [self.prospects.of(entry, name.field) for entry in who]
                values = frozenset[str]().union(*(each.values for each in found))
                # A card shows a dash where a unit has no row; a card that never has one is wrong.
                if found and not any(e.open_ended for e in found) and not values & set(ids[key]):
                    told = ", ".join(sorted(values)) or "nothing"
                    text = f"{name.field} can be {told}: no {key} of “{table.title}” is called so"
                    yield self._error(f"unknown-{key}", text, (*path, key))
            elif isinstance(name, TableCell):
                yield from self._cell(name, (*path, key), who)
            elif name is not None and name not in ids[key]:
                text = f"there is no {key} {name!r} in “{table.title}”"
                text += did_you_mean(name, ids[key])
                yield self._error(f"unknown-{key}", text, (*path, key))


_UnusedPath = tuple[str | int, ...]


def unused_tables(system: System, uses: References) -> Iterator[LintIssue]:
    """Find tables that no sheet, card, price, limit or roll names.

    Where a system has prose, that places every table, and its own check says so if not.
    """
    if any(system.folder.joinpath("prose").glob("*.md")):
        return
    named = set(uses.tables)
    for sheet_id in system.sheet_ids():
        try:
            sheet = system.sheet(sheet_id)
        except MusterError:
            # Nobody knows what a sheet names that cannot be read.
            return
        blocks = [block for side in sheet.sides for block in side.blocks]
        named |= {each for block in blocks for each in (block.table, *block.tables) if each}
    for table_id in system.table_ids():
        if table_id not in named:
            text = f"no sheet, card, price, limit or roll uses the table {table_id!r}"
            document = system.document("tables", f"{table_id}.yaml")
            yield as_warning(document.problem("unused-table", text, ("id",)))


def unused_parts(composition: Composition, uses: References) -> Iterator[LintIssue]:
    """Find leaders that lead nothing, options without effect, and names that nobody asks for."""
    written, document = composition.written, composition.document
    seen: set[str] = set()

    def unasked(attributes: Mapping[str, str], path: _UnusedPath) -> Iterator[LintIssue]:
        for name in attributes:
            if name not in uses.attributes and name not in seen:
                seen.add(name)
                text = f"nothing asks for the attribute {name!r}"
                where = (*path, "attributes", name)
                yield as_warning(document.problem("unused-attribute", text, where))

    leading = {leader.entry for level in written.levels for leader in level.leaders.values()}
    for place, entry in enumerate(written.entries):
        path: _UnusedPath = ("entries", place)
        if entry.level == LEADER and entry.id not in leading:
            text = f"no level has the leader {entry.id!r}"
            yield as_warning(document.problem("unused-entry", text, path))
        yield from unasked(entry.attributes, path)
    for place, option in enumerate(written.options):
        path = ("options", place)
        asked = option.id in uses.options or uses.attributes & set(option.attributes)
        if not option.price and not asked:
            text = f"the option {option.id!r} costs nothing and nothing asks for it"
            yield as_warning(document.problem("unused-option", text, path))
        else:
            yield from unasked(option.attributes, path)
    for path, name, _ in iter_fields(written):
        # A roster prints what a list says of a level of command.
        if path[0] != "levels" and name not in uses.attributes and name not in seen:
            seen.add(name)
            text = f"nothing asks for the field {name!r}"
            yield as_warning(document.problem("unused-field", text, path))


_LintPath = tuple[str | int, ...]


def lint_armies(system: System, book_folders: Sequence[Path] = ()) -> list[LintIssue]:
    """Check a system's composition, books and cards, and what nothing in it uses.

    Args:
        system: The rule system.
        book_folders: Further folders with books.
    """
    if not system.has_file("composition.yaml"):
        return sorted_issues(unused_tables(system, References()))
    try:
        composition = load_composition(system)
    except MusterError as fault:
        return sorted_issues(as_errors(fault.problems))
    flaws: list[LintIssue] = []
    books: list[Book] = []
    for book_id in book_ids(system, book_folders):
        try:
            books.append(load_book(system, book_id, book_folders))
        except MusterError as fault:
            flaws.extend(as_errors(fault.problems))
    prospects = Possibilities(composition, books)
    uses = References()
    lint = _CompositionLinter(system, composition, prospects, uses)
    flaws.extend(lint.references())
    flaws.extend(lint.prices())
    flaws.extend(lint.selectors())
    flaws.extend(roll_issues(system, prospects, uses))
    flaws.extend(card_issues(system, prospects, uses))
    flaws.extend(theme_issues(system, prospects))
    flaws.extend(lint.filters())
    flaws.extend(unused_parts(composition, uses))
    flaws.extend(unused_tables(system, uses))
    return sorted_issues(flaws)


class _CompositionLinter:
    def __init__(
        self, system: System, composition: Composition, prospects: Possibilities, uses: References
    ) -> None:
        self.system = system
        self.composition = composition
        self.written = composition.written
        self.document = composition.document
        self.prospects = prospects
        self.uses = uses

    def _error(self, code: str, text: str, path: _LintPath) -> LintIssue:
        return LintIssue("error", self.document.problem(code, text, path))

    # References to cells

    def references(self) -> Iterator[LintIssue]:
        """Check that every cell that prices and limits rest on is there."""
        for path, reference in iter_cell_references(self.written):
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
                elif isinstance(name, AttributeReference):
                    self.uses.attributes.add(name.field)
                    for value in self._dangling(name.field, ids[key], entries, where, every):
                        text = f"{name.field} can be {value!r}: no {key} of “{table.title}”"
                        yield self._error(f"unknown-{key}", text, (*path, key))
                elif name not in ids[key]:
                    hint = did_you_mean(name, ids[key])
                    text = f"there is no {key} {name!r} in “{table.title}”{hint}"
                    yield self._error(f"unknown-{key}", text, (*path, key))

    def _who(self, path: _LintPath) -> tuple[list[Entry], Mapping[str, Sequence[str]], bool]:
        """Tell whose reference it is: entries, what they must be, and whether every value counts.

        An option stands with who may take it, which only constraints say: for those one value
        that leads somewhere is enough.
        """
        kind, place, *rest = path
        if kind == "constraints":
            # The nodes that a rule means are those of its first selector.
            _, of = next(self.written.constraints[int(place)].selectors())
            return self.prospects.selected(of), of.where, True
        term: PriceTerm
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
            possible: PossibleValues = self.prospects.of(entry, field)
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

    def prices(self) -> Iterator[LintIssue]:
        """Check the attributes that prices ask for, and note what they use."""
        priced = [
            *((("entries", n), entry.price) for n, entry in enumerate(self.written.entries)),
            *((("options", n), option.price) for n, option in enumerate(self.written.options)),
        ]
        for path, terms in priced:
            for n, term in enumerate(terms):
                if isinstance(term.each, AttributeReference):
                    self.uses.attributes.add(term.each.field)
                if term.times is not None:
                    self.uses.attributes.add(term.times)
                yield from self._where(term.where, (*path, "price", n, "where"))

    def selectors(self) -> Iterator[LintIssue]:
        """Check the attributes that constraints ask for, and note what they use."""
        for place, rule in enumerate(self.written.constraints):
            path: KeyPath = ("constraints", place)
            for key, selector in rule.selectors():
                yield from self._selector(selector, (*path, key))
            for key, condition in rule.conditions():
                if condition.sum is not None:
                    self.uses.attributes.add(condition.sum)
                yield from self._selector(condition.of, (*path, key, "of"))
            for _, name in (*rule.attribute_names(), *rule.summed_fields()):
                self.uses.attributes.add(name)

    def _selector(self, selector: Selector, path: _LintPath) -> Iterator[LintIssue]:
        self.uses.options |= set(selector.options)
        yield from self._where(selector.where, (*path, "where"))

    def _where(self, where: Mapping[str, Sequence[str]], path: _LintPath) -> Iterator[LintIssue]:
        self.uses.attributes |= set(where)
        yield from filter_issues(self.prospects, self.document, where, path)

    # Filters of tables

    def filters(self) -> Iterator[LintIssue]:
        """Check what tables, rows and columns are `for:`."""
        for table_id in self.system.table_ids():
            try:
                table = self.system.table(table_id)
            except MusterError:
                continue
            for path, only in _table_filters(table):
                document = self.system.document("tables", f"{table_id}.yaml")
                self.uses.attributes |= set(only)
                for name in only:
                    if name not in self.prospects.names:
                        hint = did_you_mean(name, self.prospects.names)
                        text = f"no unit has an attribute {name!r}{hint}"
                        yield LintIssue("error", document.problem("unknown-attribute", text, path))
                yield from filter_issues(self.prospects, document, only, path)


def _table_filters(table: Table) -> Iterator[tuple[_LintPath, Mapping[str, Sequence[str]]]]:
    if table.only_for is not None:
        yield ("for",), table.only_for
    parts = [
        *((("rows", n), row.only_for) for n, row in enumerate(table.rows)),
        *((("columns", n), column.only_for) for n, column in enumerate(table.columns)),
    ]
    for path, only in parts:
        if only is not None:
            yield (*path, "for"), only
