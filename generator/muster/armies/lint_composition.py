"""Check a system's composition with its books and rolls, and find what nothing uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from muster.armies.books import Book, book_ids, load_book
from muster.armies.composition import COMPOSITION_FILE, Composition, load_composition
from muster.armies.constraints import Switched
from muster.armies.fields import read_field
from muster.armies.lint_cards import card_issues
from muster.armies.lint_filters import table_filter_issues, tables_on_sheets, unfiltered_parts
from muster.armies.lint_themes import theme_issues
from muster.armies.linter import Linter
from muster.armies.possible_values import Possibilities, PossibleValues, References, all_values
from muster.armies.rolls import outcome_of, possible_totals, roll_outcomes
from muster.armies.vocabulary import LEADER, Entry, FieldSpec, PriceTerm, Roll, Selector
from muster.armies.written_composition import iter_cell_references, iter_fields, iter_rolls
from muster.problems import MusterError, did_you_mean
from muster.systems import System
from muster.systems.file_names import VISIBLE_PROSE
from muster.systems.lint import LintIssue, as_errors, as_warning, sorted_issues
from muster.systems.pictures import picture_problems
from muster.tables import Table
from muster.tables.references import AttributeReference
from muster.yamlfile import KeyPath


def lint_armies(system: System, book_folders: Sequence[Path] = ()) -> list[LintIssue]:
    """Check a system's composition, books and cards, and find what nothing in it uses.

    Args:
        system: The rule system.
        book_folders: Further folders with books.
    """
    if not system.has_file(COMPOSITION_FILE):
        return sorted_issues(_unused_tables(system, References()))
    try:
        composition = load_composition(system)
    except MusterError as error:
        return sorted_issues(as_errors(error.problems))
    issues: list[LintIssue] = []
    books: list[Book] = []
    for book_id in book_ids(system, book_folders):
        try:
            books.append(load_book(system, book_id, book_folders))
        except MusterError as error:
            issues.extend(as_errors(error.problems))
    possible = Possibilities(composition, books)
    references = References()
    issues.extend(_CompositionLinter(system, possible, references, composition.document).issues())
    issues.extend(_RollLinter(system, possible, references, composition.document).issues())
    issues.extend(card_issues(system, possible, references))
    issues.extend(theme_issues(system, possible))
    pictures = [*composition.pictures.values(), *(book.picture for book in books)]
    pictures += [unit.picture for book in books for unit in book.units.values()]
    issues.extend(as_errors(picture_problems(pictures)))
    issues.extend(table_filter_issues(system, possible, references))
    issues.extend(unfiltered_parts(system, possible))
    issues.extend(_unused_parts(composition, references))
    issues.extend(_unused_tables(system, references))
    return sorted_issues(issues)


# Prices and constraints


class _CompositionLinter(Linter):
    def issues(self) -> Iterator[LintIssue]:
        """Check cell references, then prices, then constraints."""
        yield from self._cell_references()
        yield from self._prices()
        yield from self._constraints()

    def _cell_references(self) -> Iterator[LintIssue]:
        for path, reference in iter_cell_references(self.written):
            table, issues = self.load_table(reference.table, path)
            yield from issues
            if table is None:
                continue
            entries, where, every = self._entries_of(path)
            ids = {"row": [row.id for row in table.rows]}
            ids["column"] = [column.id for column in table.columns]
            for key, name in (("row", reference.row), ("column", reference.column)):
                if name is None:
                    if len(table.columns) > 1:
                        text = f"“{table.title}” has several columns; name one with `column:`"
                        yield self.error("column-needed", text, path)
                elif isinstance(name, AttributeReference):
                    self.references.attributes.add(name.field)
                    for value in self._missing_values(name.field, ids[key], entries, where, every):
                        text = (
                            f"{name.field} can be {value!r}, but “{table.title}” has no such {key}"
                        )
                        yield self.error(f"unknown-{key}", text, (*path, key))
                    if name.field not in where:
                        yield from self._open_key(name.field, key, table, entries, (*path, key))
                elif name not in ids[key]:
                    hint = did_you_mean(name, ids[key])
                    text = f"there is no {key} {name!r} in “{table.title}”{hint}"
                    yield self.error(f"unknown-{key}", text, (*path, key))

    def _entries_of(self, path: KeyPath) -> tuple[list[Entry], Mapping[str, Sequence[str]], bool]:
        """Return which nodes the cell reference at a path is looked up for.

        Returns:
            The entries of the nodes, the filter that the nodes must match, and whether the table
            must have a cell for every value. For an option it need not: constraints decide who
            may take the option, so that one value with a cell is enough.
        """
        kind, index, *rest = path
        if kind == "constraints":
            # A rule is about the nodes that its first selector matches.
            _, of = next(self.written.constraints[int(index)].selectors())
            return self.possible.selected(of), of.where, True
        term: PriceTerm
        if kind == "entries":
            entry = self.written.entries[int(index)]
            term = entry.price[int(rest[1])]
            entries = [e for e in self.possible.entries("", term.where) if e is entry]
            return entries, term.where, True
        term = self.written.options[int(index)].price[int(rest[1])]
        return self.possible.entries("", term.where), term.where, False

    def _missing_values(
        self,
        field: str,
        known: Sequence[str],
        entries: Sequence[Entry],
        where: Mapping[str, Sequence[str]],
        every: bool,  # noqa: FBT001 - private, one caller
    ) -> list[str]:
        """Return the possible values of a field that a table does not have.

        If not `every` value must be known, they are returned only if none is known.
        """
        values: set[str] = set()
        for entry in entries:
            possible: PossibleValues = self.possible.of(entry, field)
            if field in where:
                possible = possible.within(where[field])
            if possible.open_ended and field not in entry.fields:
                return []
            # What a list may write into a field of the entry is open; what books say is not.
            values |= possible.values
        missing = sorted(values - set(known))
        if every or len(missing) == len(values):
            return missing
        return []

    def _open_key(
        self, field: str, key: str, table: Table, entries: Sequence[Entry], path: KeyPath
    ) -> Iterator[LintIssue]:
        """Warn of a field with any number that names a row or column of a table."""
        if any(field in entry.fields and entry.fields[field].form == "whole" for entry in entries):
            ids = [part.id for part in (table.rows if key == "row" else table.columns)]
            listed = f"{', '.join(ids[:6])}{' and more' if len(ids) > 6 else ''}"  # noqa: PLR2004
            text = (
                f"{field} can be any whole number, but “{table.title}” has only the {key}s "
                f"{listed}; a field of form choice has only the values that you list"
            )
            yield as_warning(self.document.problem("open-key", text, path))

    def _prices(self) -> Iterator[LintIssue]:
        prices = [
            *((("entries", n), entry.price) for n, entry in enumerate(self.written.entries)),
            *((("options", n), option.price) for n, option in enumerate(self.written.options)),
        ]
        for path, terms in prices:
            for n, term in enumerate(terms):
                if isinstance(term.each, AttributeReference):
                    self.references.attributes.add(term.each.field)
                if term.times is not None:
                    self.references.attributes.add(term.times)
                yield from self.check_filter(term.where, (*path, "price", n))

    def _constraints(self) -> Iterator[LintIssue]:
        for index, grant in enumerate(self.written.grants):
            yield from self._selector(grant.of, ("grants", index, "of"))
            yield from self._conditions(grant, ("grants", index))
        for index, rule in enumerate(self.written.constraints):
            path: KeyPath = ("constraints", index)
            for key, selector in rule.selectors():
                yield from self._selector(selector, (*path, key))
            yield from self._conditions(rule, path)
            for _, name in (*rule.attribute_names(), *rule.summed_fields()):
                self.references.attributes.add(name)

    def _conditions(self, switched: Switched, path: KeyPath) -> Iterator[LintIssue]:
        for below, condition in switched.conditions():
            self.references.attributes |= {name for _, name in condition.summed_fields()}
            yield from self._selector(condition.of, (*path, *below, "of"))

    def _selector(self, selector: Selector, path: KeyPath) -> Iterator[LintIssue]:
        self.references.options |= set(selector.options)
        yield from self.check_filter(selector.where, path)


# Rolls


class _RollLinter(Linter):
    def issues(self) -> Iterator[LintIssue]:
        """Check every roll against its table."""
        for path, spec, roll in iter_rolls(self.written):
            yield from self._roll(path, spec, roll)

    def _roll(self, path: KeyPath, spec: FieldSpec, roll: Roll) -> Iterator[LintIssue]:
        for n, modifier in enumerate(roll.plus):
            yield from self.check_filter(modifier.where, (*path, "plus", n))
        if isinstance(roll.lookup_key, AttributeReference):
            self.references.attributes.add(roll.lookup_key.field)
        if roll.total is not None:
            self.references.attributes.add(roll.total)
        table, issues = self.load_table(roll.table, path)
        yield from issues
        if table is None:
            return
        table = table.at_scale(self.system.scales[0].id)
        known = [row.id for row in table.rows]
        if roll.read_by != "row":
            known = [column.id for column in table.columns]
        what = "row" if roll.read_by == "row" else "column"
        for name in self._lookup_keys(path, roll, known):
            if name not in known:
                text = f"there is no {what} {name!r} in “{table.title}”{did_you_mean(name, known)}"
                yield self.error(f"unknown-{what}", text, (*path, roll.read_by))
            else:
                yield from self._outcomes(path, spec, roll, table, name)

    def _lookup_keys(self, path: KeyPath, roll: Roll, known: Sequence[str]) -> Sequence[str]:
        """Return the rows or columns that the roll may be read by; all if a list may write any."""
        if not isinstance(roll.lookup_key, AttributeReference):
            return [roll.lookup_key]
        possible = self._possible_values(path, roll.lookup_key.field)
        if any(values.open_ended for values in possible):
            return known
        return all_values(possible)

    def _possible_values(self, path: KeyPath, name: str) -> list[PossibleValues]:
        """Return the possible values of an attribute for all that have the field at a path."""
        kind, index, *_ = path
        if kind == "entries":
            return [self.possible.of(self.written.entries[int(index)], name)]
        level = self.written.levels[int(index)].id
        entries = [entry for entry in self.written.entries if entry.level == level]
        possible = [self.possible.of(entry, name) for entry in entries]
        return possible or [self.possible.above(name)]

    def _outcomes(
        self, path: KeyPath, spec: FieldSpec, roll: Roll, table: Table, lookup_key: str
    ) -> Iterator[LintIssue]:
        """Check that every total has an outcome, and that the field takes its value."""
        outcomes = roll_outcomes(table, roll, lookup_key)
        missed = [
            str(total)
            for total in possible_totals(roll)
            if outcome_of(outcomes, total, capped=roll.capped) is None
        ]
        if missed:
            totals = f"{', '.join(missed[:6])}{' and more' if len(missed) > 6 else ''}"  # noqa: PLR2004
            rolled = f"a roll of {totals} on {roll.dice}"
            text = f"“{table.title}” has no outcome for {lookup_key!r} and {rolled}"
            yield self.error("roll-uncovered", text, path)
        scales = [scale.id for scale in self.system.scales]
        for value in dict.fromkeys(outcome.value for outcome in outcomes):
            try:
                read_field(spec.form, spec.of, value, scales)
            except ValueError as error:
                text = f"the roll gives a value that the field does not accept: {error}"
                yield self.error("bad-value", text, path)


# Unused names


def _unused_parts(composition: Composition, references: References) -> Iterator[LintIssue]:
    """Find leaders that lead nothing, options without effect, and names that nothing reads."""
    written, document = composition.written, composition.document
    attributes: list[tuple[KeyPath, Mapping[str, str]]] = []
    leading = {leader.entry for level in written.levels for leader in level.leaders.values()}
    for index, entry in enumerate(written.entries):
        path: KeyPath = ("entries", index)
        if entry.level == LEADER and entry.id not in leading:
            text = f"no level uses the leader {entry.id!r}"
            yield as_warning(document.problem("unused-entry", text, path))
        attributes.append(((*path, "attributes"), entry.attributes))
    for index, option in enumerate(written.options):
        path = ("options", index)
        used = option.id in references.options or references.attributes & set(option.attributes)
        if not option.price and not used:
            text = f"the option {option.id!r} has no price, and nothing uses it"
            yield as_warning(document.problem("unused-option", text, path))
        else:
            attributes.append(((*path, "attributes"), option.attributes))
    for index, grant in enumerate(written.grants):
        attributes.append((("grants", index, "set"), grant.set))
    yield from _unused_names(composition, references, attributes)


def _unused_names(
    composition: Composition,
    references: References,
    attributes: Sequence[tuple[KeyPath, Mapping[str, str]]],
) -> Iterator[LintIssue]:
    """Find attributes and fields that nothing reads; each is reported once."""
    document = composition.document
    seen: set[str] = set()
    for path, name in ((path, name) for path, named in attributes for name in named):
        if name not in references.attributes and name not in seen:
            seen.add(name)
            text = f"nothing uses the attribute {name!r}"
            yield as_warning(document.problem("unused-attribute", text, (*path, name)))
    for path, name, _ in iter_fields(composition.written):
        # The fields of a level of command are used in any case: a roster prints them.
        if path[0] != "levels" and name not in references.attributes and name not in seen:
            seen.add(name)
            text = f"nothing uses the field {name!r}"
            yield as_warning(document.problem("unused-field", text, path))


def _unused_tables(system: System, references: References) -> Iterator[LintIssue]:
    """Find tables that no sheet, card, price, limit or roll names.

    A system with prose is left out: its prose places every table, which `systems.lint` checks.
    """
    if any(system.folder.joinpath("prose").glob(VISIBLE_PROSE)):
        return
    try:
        named = references.tables | tables_on_sheets(system)
    except MusterError:
        # A sheet that cannot be read may name any table.
        return
    for table_id in system.table_ids():
        if table_id not in named:
            text = f"no sheet, card, price, limit or roll uses the table {table_id!r}"
            document = system.document("tables", f"{table_id}.yaml")
            yield as_warning(document.problem("unused-table", text, ("id",)))
