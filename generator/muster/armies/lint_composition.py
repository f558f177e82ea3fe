"""Check a system's composition with its books, rolls and cards, and find what nothing uses."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from muster.armies.books import Book, book_ids, load_book
from muster.armies.composition import (
    COMPOSITION_FILE,
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
from muster.armies.rolls import outcome_of, possible_totals, roll_outcomes
from muster.armies.vocabulary import (
    Entry,
    FieldSpec,
    PriceTerm,
    Roll,
    Selector,
    Switched,
)
from muster.names import repeated
from muster.problems import MusterError, did_you_mean
from muster.systems import System
from muster.systems.file_names import VISIBLE_PROSE
from muster.systems.layouts import (
    CardFact,
    CardLayout,
    Cards,
    Derivation,
    KeyFigure,
    TableCell,
    ValueRow,
    WrittenCardBlock,
    sub_derivations,
)
from muster.systems.lint import (
    LintIssue,
    as_errors,
    as_warning,
    readable_tables,
    sorted_issues,
)
from muster.systems.pictures import picture_problems
from muster.systems.symbols import house_symbols
from muster.tables import Column, Row, Table
from muster.tables.references import AttributeReference
from muster.tables.table import UnitFilter
from muster.yamlfile import Document, KeyPath


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
    issues.extend(_card_issues(system, possible, references))
    issues.extend(theme_issues(system, possible))
    pictures = [*composition.pictures.values(), *(book.picture for book in books)]
    pictures += [unit.picture for book in books for unit in book.units.values()]
    issues.extend(as_errors(picture_problems(pictures)))
    issues.extend(_table_filter_issues(system, possible, references))
    issues.extend(_unfiltered_parts(system, possible))
    issues.extend(_unused_parts(composition, references))
    issues.extend(_unused_tables(system, references))
    return sorted_issues(issues)


class _Linter:
    """The base class of the checks, which also record the names that a file refers to."""

    def __init__(
        self, system: System, possible: Possibilities, references: References, document: Document
    ) -> None:
        self.system = system
        self.possible = possible
        self.references = references
        self.document = document
        self.written = possible.composition.written

    def _error(self, code: str, text: str, path: KeyPath) -> LintIssue:
        return LintIssue("error", self.document.problem(code, text, path))

    def _load_table(self, table_id: str, path: KeyPath) -> tuple[Table | None, list[LintIssue]]:
        """Return a table, or what is wrong with a reference to it.

        Only an unknown id is reported here: a table that cannot be read is reported elsewhere.
        """
        self.references.tables.add(table_id)
        try:
            return self.system.table(table_id), []
        except MusterError as error:
            if table_id in self.system.table_ids():
                return None, []
            return None, [self._error("unknown-table", error.problems[0].text, (*path, "table"))]

    def _where(
        self, where: Mapping[str, Sequence[str]], path: KeyPath, key: str = "where"
    ) -> Iterator[LintIssue]:
        self.references.attributes |= set(where)
        yield from filter_issues(self.possible, self.document, where, (*path, key))


# Prices and constraints


class _CompositionLinter(_Linter):
    def issues(self) -> Iterator[LintIssue]:
        """Check cell references, then prices, then constraints."""
        yield from self._cell_references()
        yield from self._prices()
        yield from self._constraints()

    def _cell_references(self) -> Iterator[LintIssue]:
        for path, reference in iter_cell_references(self.written):
            table, issues = self._load_table(reference.table, path)
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
                        yield self._error("column-needed", text, path)
                elif isinstance(name, AttributeReference):
                    self.references.attributes.add(name.field)
                    for value in self._missing_values(name.field, ids[key], entries, where, every):
                        text = (
                            f"{name.field} can be {value!r}, but “{table.title}” has no such {key}"
                        )
                        yield self._error(f"unknown-{key}", text, (*path, key))
                    if name.field not in where:
                        yield from self._open_key(name.field, key, table, entries, (*path, key))
                elif name not in ids[key]:
                    hint = did_you_mean(name, ids[key])
                    text = f"there is no {key} {name!r} in “{table.title}”{hint}"
                    yield self._error(f"unknown-{key}", text, (*path, key))

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
                yield from self._where(term.where, (*path, "price", n))

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
        yield from self._where(selector.where, path)


# Rolls


class _RollLinter(_Linter):
    def issues(self) -> Iterator[LintIssue]:
        """Check every roll against its table."""
        for path, spec, roll in iter_rolls(self.written):
            yield from self._roll(path, spec, roll)

    def _roll(self, path: KeyPath, spec: FieldSpec, roll: Roll) -> Iterator[LintIssue]:
        for n, modifier in enumerate(roll.plus):
            yield from self._where(modifier.where, (*path, "plus", n))
        if isinstance(roll.lookup_key, AttributeReference):
            self.references.attributes.add(roll.lookup_key.field)
        if roll.total is not None:
            self.references.attributes.add(roll.total)
        table, issues = self._load_table(roll.table, path)
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
                yield self._error(f"unknown-{what}", text, (*path, roll.read_by))
            else:
                yield from self._outcomes(path, spec, roll, table, name)

    def _lookup_keys(self, path: KeyPath, roll: Roll, known: Sequence[str]) -> Sequence[str]:
        """Return the rows or columns that the roll may be read by; all if a list may write any."""
        if not isinstance(roll.lookup_key, AttributeReference):
            return [roll.lookup_key]
        possible = self._possible_values(path, roll.lookup_key.field)
        if any(values.open_ended for values in possible):
            return known
        return _all_values(possible)

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
            yield self._error("roll-uncovered", text, path)
        scales = [scale.id for scale in self.system.scales]
        for value in dict.fromkeys(outcome.value for outcome in outcomes):
            try:
                read_field(spec.form, spec.of, value, scales)
            except ValueError as error:
                text = f"the roll gives a value that the field does not accept: {error}"
                yield self._error("bad-value", text, path)


def _all_values(possible: Sequence[PossibleValues]) -> list[str]:
    return sorted({value for values in possible for value in values.values})


# Cards and the roster


def _card_issues(
    system: System, possible: Possibilities, references: References
) -> Iterator[LintIssue]:
    try:
        cards = system.cards
    except MusterError as error:
        yield from as_errors(error.problems)
        return
    if cards is not None:
        document = system.document("cards.yaml")
        yield from _CardLinter(system, possible, references, document).issues(cards)


class _CardLinter(_Linter):
    def issues(self, cards: Cards) -> Iterator[LintIssue]:
        """Check every card, block, row and value, and all that the roster shows."""
        commands = {level.id for level in self.written.levels}
        commands -= self.possible.composition.bottom_levels
        for index, card_id in repeated(card.id for card in cards.cards):
            text = f"the id {card_id!r} is used twice"
            yield self._error("duplicate-id", text, ("cards", index, "id"))
        for index, card in enumerate(cards.cards):
            path: KeyPath = ("cards", index)
            yield from self._where(card.where, path)
            entries = self.possible.entries(card.level, card.where)
            if not entries and card.level not in commands:
                text = f"nothing in the composition matches this card of level {card.level!r}"
                yield as_warning(self.document.problem("unused-card", text, path))
            if card.losses is not None:
                yield from self._field(card.losses.count, (*path, "losses", "count"))
                yield from self._where(card.losses.halved, (*path, "losses"), "halved")
                yield from self._loss_count(card, entries, (*path, "losses", "count"))
            head: dict[str, Sequence[CardFact | KeyFigure]]
            head = {"facts": card.facts, "figures": card.figures}
            for name, values in head.items():
                for n, each in enumerate(values):
                    each_path: KeyPath = (*path, name, n)
                    yield from self._where(each.where, each_path)
                    shown_for = [entry for entry in entries if self._can_match(entry, each.where)]
                    yield from self._value(each.value, (*each_path, "value"), shown_for)
            for n, block in enumerate(card.blocks):
                block_path: KeyPath = (*path, "blocks", n)
                yield from self._where(block.where, block_path)
                for m, row in enumerate(block.rows):
                    row_path: KeyPath = (*block_path, "rows", m)
                    yield from self._where(row.where, row_path)
                    yield from self._heads(block, row, (*row_path, "values"))
                    shown_for = [
                        entry
                        for entry in entries
                        if self._can_match(entry, block.where) and self._can_match(entry, row.where)
                    ]
                    for v, value in enumerate(row.values):
                        yield from self._value(value, (*row_path, "values", v), shown_for)
        yield from self._looks(cards)
        yield from self._roster(cards)

    def _loss_count(
        self, card: CardLayout, entries: Sequence[Entry], path: KeyPath
    ) -> Iterator[LintIssue]:
        """Warn of boxes for losses that no card can have, since nothing says how many."""
        name = card.losses.count if card.losses is not None else ""
        text = ""
        if name not in self.possible.names:
            return
        if entries:
            levels = (level.fields for level in self.written.levels)
            groups = (self.written.profile, *levels, *(entry.fields for entry in entries))
            if not any(name in group and group[name].form == "whole" for group in groups):
                text = (
                    f"no unit with this card has a whole number {name!r}, so that no boxes are "
                    "printed; name a field of form whole, such as the size"
                )
        elif all(entry.size != name for entry in self.written.entries):
            text = (
                f"the boxes of a command count the sizes of its units, not {name!r}; name the "
                "field with their size"
            )
        if text:
            yield as_warning(self.document.problem("no-loss-boxes", text, path))

    def _heads(self, block: WrittenCardBlock, row: ValueRow, path: KeyPath) -> Iterator[LintIssue]:
        if block.heads and len(row.values) != len(block.heads):
            text = (
                f"read {len(row.values)} value{'' if len(row.values) == 1 else 's'}, expected "
                f"{len(block.heads)}, one for each head: {', '.join(block.heads)}"
            )
            yield self._error("wrong-width", text, path)

    def _looks(self, cards: Cards) -> Iterator[LintIssue]:
        """Check the colours and symbols of cards."""
        for index, colour in enumerate(cards.colours):
            yield from self._where(colour.where, ("colours", index))
        known = [*house_symbols(), *cards.drawings]
        levels = [level.id for level in self.written.levels]
        for index, rule in enumerate(cards.symbols):
            path: KeyPath = ("symbols", index)
            yield from self._where(rule.where, path)
            if rule.symbol not in known:
                text = f"there is no symbol {rule.symbol!r}{did_you_mean(rule.symbol, known)}"
                text += f"; known: {', '.join(known)}"
                yield self._error("unknown-symbol", text, (*path, "symbol"))
            if rule.level is not None and rule.level not in {*levels, LEADER}:
                text = f"there is no level {rule.level!r}{did_you_mean(rule.level, levels)}"
                yield self._error("unknown-level", text, (*path, "level"))
        used = {rule.symbol for rule in cards.symbols}
        for name in cards.drawings:
            if name not in used:
                text = f"no symbol uses the drawing {name!r}"
                yield as_warning(self.document.problem("unused-drawing", text, ("drawings", name)))

    def _roster(self, cards: Cards) -> Iterator[LintIssue]:
        for index, column in enumerate(cards.roster):
            path: KeyPath = ("roster", index)
            yield from self._where(column.where, path)
            entries = self.possible.entries("", column.where)
            yield from self._value(column.value, (*path, "value"), entries)
        for index, fact in enumerate(cards.leaders):
            path = ("leaders", index)
            yield from self._where(fact.where, path)
            entries = self.possible.entries(LEADER, fact.where)
            for v, value in enumerate(fact.values):
                yield from self._value(value, (*path, "values", v), entries)

    def _can_match(self, entry: Entry, where: Mapping[str, Sequence[str]]) -> bool:
        return all(self.possible.can_be(entry, name, values) for name, values in where.items())

    def _where(
        self, where: Mapping[str, Sequence[str]], path: KeyPath, key: str = "where"
    ) -> Iterator[LintIssue]:
        for name in where:
            yield from self._field(name, (*path, key))
        yield from super()._where(where, path, key)

    def _field(self, name: str, path: KeyPath) -> Iterator[LintIssue]:
        self.references.attributes.add(name)
        known = self.possible.names
        if name not in known:
            text = f"no unit has a field {name!r}{did_you_mean(name, known)}"
            yield self._error("unknown-field", text, path)

    def _value(
        self, derived: Derivation, path: KeyPath, entries: Sequence[Entry]
    ) -> Iterator[LintIssue]:
        """Check a derived value and all values that it is made of.

        Args:
            derived: The value.
            path: Its path in the file.
            entries: The entries that it is shown for.
        """
        if isinstance(derived, TableCell):
            yield from self._cell(derived, path, entries)
        elif isinstance(derived, AttributeReference):
            yield from self._field(derived.field, (*path, "field"))
        for below, part in sub_derivations(derived):
            yield from self._value(part, (*path, *below), entries)

    def _cell(
        self, derived: TableCell, path: KeyPath, entries: Sequence[Entry]
    ) -> Iterator[LintIssue]:
        table, issues = self._load_table(derived.table, path)
        yield from issues
        if table is None:
            return
        if derived.column is None and len(table.columns) > 1:
            text = f"“{table.title}” has several columns; name one with `column:`"
            yield self._error("column-needed", text, path)
        ids = {"row": [row.id for row in table.rows]}
        ids["column"] = [column.id for column in table.columns]
        for key, name in (("row", derived.row), ("column", derived.column)):
            if isinstance(name, AttributeReference):
                yield from self._field(name.field, (*path, key, "field"))
                possible = [self.possible.of(entry, name.field) for entry in entries]
                values = _all_values(possible)
                open_ended = any(each.open_ended for each in possible)
                # A card shows a dash for a unit without a row, but some unit must have one.
                known = name.field in self.possible.names
                if known and possible and not open_ended and not set(values) & set(ids[key]):
                    listed = ", ".join(values)
                    text = f"{name.field} can be {listed}, but “{table.title}” has no such {key}"
                    if not values:
                        text = f"no unit that shows this value has a field {name.field!r}"
                    yield self._error(f"unknown-{key}", text, (*path, key))
            elif isinstance(name, TableCell):
                yield from self._cell(name, (*path, key), entries)
            elif name is not None and name not in ids[key]:
                text = f"there is no {key} {name!r} in “{table.title}”"
                text += did_you_mean(name, ids[key])
                yield self._error(f"unknown-{key}", text, (*path, key))


# The filters (`for:`) of tables, rows and columns


def _table_filter_issues(
    system: System, possible: Possibilities, references: References
) -> Iterator[LintIssue]:
    for table_id in system.table_ids():
        try:
            table = system.table(table_id)
        except MusterError:
            continue
        for path, only_for in _table_filters(table):
            document = system.document("tables", f"{table_id}.yaml")
            references.attributes |= set(only_for)
            for name in only_for:
                if name not in possible.names:
                    hint = did_you_mean(name, possible.names)
                    text = f"no unit has an attribute {name!r}{hint}"
                    yield LintIssue("error", document.problem("unknown-attribute", text, path))
            yield from filter_issues(possible, document, only_for, path)


def _table_filters(table: Table) -> Iterator[tuple[KeyPath, Mapping[str, Sequence[str]]]]:
    parts: list[tuple[KeyPath, UnitFilter | None]] = [
        ((), table.only_for),
        *((("rows", n), row.only_for) for n, row in enumerate(table.rows)),
        *((("columns", n), column.only_for) for n, column in enumerate(table.columns)),
        *((("notes", n), note.only_for) for n, note in enumerate(table.filtered_notes)),
    ]
    for path, alternatives in parts:
        for number, only_for in enumerate(alternatives or ()):
            yield (*path, "for", *((number,) if len(alternatives or ()) > 1 else ())), only_for


_FEWEST_KEYS = 2
"""So many rows, or columns, with values of one attribute as their ids are looked up by it."""

_NOT_KINDS = {"true", "false", "none"}


def _unfiltered_parts(system: System, possible: Possibilities) -> Iterator[LintIssue]:
    """Find rows and columns of sheets that stand for one kind of unit, and have no `for:`.

    An army's own sheet would print them for an army without any such unit, beside others that it
    leaves out. Only types and what other filters name are looked for: a formation, say, is no kind
    of unit, but what any unit may take. A system without any `for:` prints all for every army.
    """
    tables = {id_: table for id_, table in readable_tables(system)[0].items() if table is not None}
    filters = [each for table in tables.values() for _, each in _table_filters(table)]
    if not filters:
        return
    values = _values_of_units(possible, {"type", *(name for each in filters for name in each)})
    try:
        shown = _tables_on_sheets(system)
    except MusterError:
        return
    for table_id in sorted(shown & tables.keys()):
        table = tables[table_id]
        if table.only_for is not None:
            continue
        document = system.document("tables", f"{table_id}.yaml")
        both: dict[str, Sequence[Row | Column]] = {"row": table.rows, "column": table.columns}
        for noun, parts in both.items():
            for place, part_id, name in _parts_by_attribute(parts, values):
                text = (
                    f"the {noun} {part_id!r} of “{table.title}” is for one {name} only, but stands "
                    f"on every army’s sheet; add `for: {{{name}: [{part_id}]}}`, or give the table "
                    "a `for:`"
                )
                path: KeyPath = (f"{noun}s", place)
                yield as_warning(document.problem("no-filter", text, path))


def _parts_by_attribute(
    parts: Sequence[Row | Column], values: Mapping[str, frozenset[str]]
) -> list[tuple[int, str, str]]:
    """Return parts without a filter: the place, the id, and the attribute that the id is of."""
    for name, known in values.items():
        places = [place for place, part in enumerate(parts) if part.id in known]
        without = [place for place in places if parts[place].only_for is None]
        if len(places) >= _FEWEST_KEYS and without:
            return [(place, parts[place].id, name) for place in without]
    return []


def _values_of_units(
    possible: Possibilities, attributes: Collection[str]
) -> dict[str, frozenset[str]]:
    """Return the values that units can have of attributes; yes and no are not kinds of unit.

    What a level of command says, such as the weather, is no attribute of a unit.
    """
    written = possible.composition.written
    units = [entry for entry in written.entries if entry.level != LEADER]
    own = {"type", *(name for unit in units for name in (*unit.attributes, *unit.fields))}
    own |= {name for option in written.options for name in option.attributes}
    return {
        name: frozenset[str]().union(*(possible.of(unit, name).values for unit in units))
        - _NOT_KINDS
        for name in sorted(own & set(attributes))
    }


def _tables_on_sheets(system: System) -> set[str]:
    """Return the ids of the tables that sheets show.

    Raises:
        MusterError: If a sheet cannot be read.
    """
    sheets = [system.sheet(sheet_id) for sheet_id in system.sheet_ids()]
    blocks = [block for sheet in sheets for side in sheet.sides for block in side.blocks]
    return {name for block in blocks for name in (block.table, *block.tables) if name}


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
        named = references.tables | _tables_on_sheets(system)
    except MusterError:
        # A sheet that cannot be read may name any table.
        return
    for table_id in system.table_ids():
        if table_id not in named:
            text = f"no sheet, card, price, limit or roll uses the table {table_id!r}"
            document = system.document("tables", f"{table_id}.yaml")
            yield as_warning(document.problem("unused-table", text, ("id",)))
