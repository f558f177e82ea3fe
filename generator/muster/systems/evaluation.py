"""Evaluate the directives of prose: find cells, calculate examples, resolve names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from muster.problems import MusterError, Problem, did_you_mean
from muster.systems.directives import (
    AllErrata,
    BadDirective,
    Calculate,
    CellQuery,
    Directive,
    Fact,
    Given,
    IndexTerm,
    Let,
    NameChapter,
    NameErratum,
    NameTable,
    Operand,
    PlaceTable,
    ResolveRoll,
    Show,
    ShowCell,
    ShowLabel,
)
from muster.systems.prose import ChapterText, PlacedDirective, Prose
from muster.tables import Definitions, Lookup, NoEntryError, Row, Table
from muster.values import BLANK, LengthUnit, Scaled, Value
from muster.values.number import parse_number
from muster.values.quantity import BadQuantity, Quantity, calculate, quantity_of, roll_result

if TYPE_CHECKING:
    from muster.systems.system import System


@dataclass(frozen=True, slots=True)
class CellValues:
    """The value of a cell, or one value for each scale, after the scale's title."""

    values: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class ShownQuantity:
    """A number or length that an example assumes or comes to; `signed` prints its plus sign."""

    amount: Decimal
    signed: bool = False
    unit: LengthUnit | None = None


@dataclass(frozen=True, slots=True)
class ShownLabel:
    """The label of a row or a column, and the table and row that define it, if it is a term."""

    text: str
    table: str = ""
    row: str = ""


@dataclass(frozen=True, slots=True)
class AsWritten:
    """Nothing had to be calculated: the directive itself says what is printed."""


@dataclass(frozen=True, slots=True)
class NoOutput:
    """Nothing is printed."""


DirectiveResult = CellValues | ShownQuantity | ShownLabel | AsWritten | NoOutput


def evaluate_prose(
    system: System, prose: Prose, scale: str = ""
) -> tuple[dict[str, tuple[DirectiveResult, ...]], list[Problem]]:
    """Evaluate every directive.

    Args:
        system: The rule system.
        prose: Its prose.
        scale: The scale that is printed; without one, a cell that differs by scale gives all its
            values.

    Returns:
        For each chapter's id, the results of its directives in order; and the problems of all
        chapters. A directive with a problem has the result `NoOutput`.
    """
    results: dict[str, tuple[DirectiveResult, ...]] = {}
    problems: list[Problem] = []
    for chapter in prose.chapters:
        evaluator = _ChapterEvaluator(system, prose, chapter, scale)
        results[chapter.id] = tuple(evaluator.results(chapter.directives))
        problems.extend(evaluator.problems)
    return results, problems


class _FailedBeforeError(Exception):
    """What gives a name its value has a problem, which is reported there and only once."""


class _ChapterEvaluator:
    """Evaluates the directives of one chapter in order: a name is known from where it is given."""

    def __init__(self, system: System, prose: Prose, chapter: ChapterText, scale: str) -> None:
        self.system = system
        self.prose = prose
        self.scale = scale
        self.is_last_chapter = chapter.number == len(system.chapters)
        self.names: dict[str, Quantity] = {}
        self.failed: set[str] = set()
        self.problems: list[Problem] = []

    def results(self, directives: Sequence[PlacedDirective]) -> Iterator[DirectiveResult]:
        for placed in directives:
            try:
                yield self._evaluate(placed.directive)
            except (BadDirective, BadQuantity, _FailedBeforeError) as error:
                self.failed.add(getattr(placed.directive, "name", ""))
                if isinstance(error, _FailedBeforeError):
                    yield NoOutput()
                    continue
                self.problems.append(placed.problem(error.code, str(error), error.example))
                yield NoOutput()

    def _evaluate(self, directive: Directive) -> DirectiveResult:  # noqa: C901, PLR0911, PLR0912 - one case for each verb
        match directive:
            case PlaceTable(table=table) | NameTable(table=table):
                self._table(table)
                return AsWritten()
            case NameChapter():
                self._check_chapter(directive)
                return AsWritten()
            case ShowCell(query=query):
                return CellValues(tuple(self._cell_values(query)))
            case ShowLabel(query=query):
                return self._label(query)
            case Given(quantity=quantity, signed=signed, name=name):
                self._store(name, quantity)
                return _shown_quantity(quantity, signed=signed)
            case Let(name=name):
                self._store(name, self._let(directive))
                return NoOutput()
            case Show(name=name):
                return _shown_quantity(self._named_quantity(name))
            case Calculate() | ResolveRoll():
                quantity = self._calculate(directive)
                self._store(directive.name, quantity)
                return NoOutput() if directive.silent else _shown_quantity(quantity)
            case AllErrata():
                if not self.is_last_chapter:
                    code, text = "misplaced-list", "this list is allowed in the last chapter only"
                    raise BadDirective(code, text)
                return AsWritten()
            case Fact(name=name, quantity=named):
                self._store(name, named)
                return AsWritten()
            case IndexTerm():
                return AsWritten()
            case NameErratum(erratum=erratum):
                known = [entry.id for entry in self.system.errata.entries]
                if erratum not in known:
                    text = f"there is no entry {erratum!r} in errata.yaml"
                    raise BadDirective("unknown-erratum", text + did_you_mean(erratum, known))
                return AsWritten()

    # Names

    def _store(self, name: str, quantity: Quantity | None) -> None:
        if name and quantity is not None:
            self.names[name] = quantity

    def _named_quantity(self, name: str) -> Quantity:
        if name in self.failed and name not in self.names:
            raise _FailedBeforeError
        if name not in self.names:
            hint = did_you_mean(name, self.names)
            text = f"nothing above in this chapter is named {name!r}{hint}"
            raise BadDirective("unknown-name", text, f"{{given: 9 as {name}}}")
        return self.names[name]

    def _check_chapter(self, directive: NameChapter) -> None:
        known = [chapter.id for chapter in self.system.chapters]
        if directive.chapter not in known:
            text = f"there is no chapter {directive.chapter!r}"
            raise BadDirective("unknown-chapter", text + did_you_mean(directive.chapter, known))
        chapter = self.prose.chapter(directive.chapter)
        if directive.section and chapter is not None:
            slugs = [section.slug for section in chapter.sections]
            if directive.section not in slugs:
                hint = did_you_mean(directive.section, slugs)
                text = f"there is no section {directive.section!r} in {chapter.title}{hint}"
                raise BadDirective("unknown-section", text)

    # Tables

    def _table(self, table: str) -> Table:
        try:
            return self.system.table(table)
        except MusterError as error:
            problem = error.problems[0]
            if problem.code == "unknown-table":
                raise BadDirective(problem.code, problem.text) from None
            cause = f"{problem.location}: {problem.text}"
            text = f"the table {table!r} cannot be read: {cause}"
            raise BadDirective("unreadable-table", text) from None

    def _locate(self, query: CellQuery) -> tuple[Table, str, Row | None, int | None]:
        """Find the table, the scale, and the row and column that are named, if any are."""
        table = self._table(query.table)
        scale, row, column = self.scale, None, None
        down_key = table.down.id if isinstance(table, Lookup) and table.down else "roll"
        across_key = table.across.id if isinstance(table, Lookup) and table.across else "column"
        for key, written in query.keys:
            value: str | Decimal = written
            if written.startswith("@"):
                value = self._named_quantity(written[1:]).as_decimal()
            if key == "scale":
                scales = [known.id for known in self.system.scales]
                if written not in scales:
                    text = f"there is no scale {written!r}{did_you_mean(written, scales)}"
                    raise BadDirective("unknown-scale", text)
                scale = written
            elif key in {"column", across_key}:
                column = _find_column(table, value)
            elif key in {"row", "roll", down_key}:
                row = _find_row(table, value)
            else:
                keys = list(dict.fromkeys(["row", "column", down_key, across_key, "scale"]))
                text = f"read the key {key[:40]!r}, expected one of {', '.join(keys)}"
                raise BadDirective("unknown-key", text + did_you_mean(key, keys))
        return table, scale, row, column

    def _cell_values(self, query: CellQuery) -> Iterator[tuple[str, Value]]:
        """Yield the values of one cell: a single one, or one for each scale that is printed."""
        table, scale, row, column = self._locate(query)
        if row is None and len(table.rows) == 1:
            row = table.rows[0]
        if column is None and len(table.columns) == 1:
            column = 0
        if row is None or column is None:
            axis = "row" if row is None else "column"
            ids = [line.id for line in (table.rows if row is None else table.columns)]
            text = f"no {axis} of “{table.title}” is named; known: {', '.join(ids[:12])}"
            raise BadDirective("missing-argument", text)
        value = row.cells[column]
        if not isinstance(value, Scaled):
            yield "", _refuse_blank(value, table, row)
            return
        for known in self.system.scales:
            if known.id in value and scale in ("", known.id):
                title = "" if scale else known.title
                yield title, _refuse_blank(value.at(known.id), table, row)

    def _single_value(self, query: CellQuery) -> Value:
        """Return the value of a cell that has a single one, at the scale that is printed."""
        values = [value for _, value in self._cell_values(query)]
        if len(values) != 1:
            text = "this cell differs by scale; name the scale"
            raise BadDirective("scaled-number", text, f"scale={self.system.scales[0].id}")
        return values[0]

    def _let(self, directive: Let) -> Quantity:
        if not directive.per_band:
            return quantity_of(self._single_value(directive.query))
        table = self._table(directive.query.table)
        if table.per_band is None:
            text = f"“{table.title}” does not say how long a band is (per-band)"
            raise BadDirective("no-number", text)
        return quantity_of(table.per_band)

    def _calculate(self, directive: Calculate | ResolveRoll) -> Quantity:
        if isinstance(directive, ResolveRoll):
            return roll_result(
                self._single_value(directive.query), self._quantities(directive.dice)
            )
        operands = self._quantities(directive.operands)
        return calculate(directive.operation, operands, directive.rounding)

    def _quantities(self, operands: Sequence[Operand]) -> list[Quantity]:
        return [
            self._named_quantity(operand) if isinstance(operand, str) else operand
            for operand in operands
        ]

    def _label(self, query: CellQuery) -> ShownLabel:
        table, _, row, column = self._locate(query)
        if row is not None:
            explained = isinstance(table, Definitions)
            return ShownLabel(row.label, table.id if explained else "", row.id if explained else "")
        if column is not None:
            return ShownLabel(table.columns[column].label)
        raise BadDirective("missing-argument", "no row or column is named, expected one of them")


def _shown_quantity(quantity: Quantity, *, signed: bool = False) -> ShownQuantity:
    return ShownQuantity(quantity.as_decimal(), signed, quantity.unit)


def _refuse_blank(value: Value, table: Table, row: Row) -> Value:
    if value is BLANK:
        text = f"the cell at {row.label} of “{table.title}” is blank: it has no value to print"
        raise BadDirective("blank-value", text)
    return value


def _find_row(table: Table, key: str | Decimal) -> Row:
    """Find a row by the band that holds a number if the table has bands, else by id."""
    number = _number_or_none(key)
    try:
        if number is not None and isinstance(table, Lookup) and any(r.band for r in table.rows):
            return table.band_row(number)
        return table.row(str(key))
    except NoEntryError as error:
        raise BadDirective("unknown-row", str(error)) from None


def _find_column(table: Table, key: str | Decimal) -> int:
    """Find the position of a column by the band that holds a number, else by id."""
    number = _number_or_none(key)
    try:
        if number is not None and isinstance(table, Lookup) and any(c.band for c in table.columns):
            return table.columns.index(table.band_column(number))
        return table.column(str(key))
    except NoEntryError as error:
        raise BadDirective("unknown-column", str(error)) from None


def _number_or_none(key: str | Decimal) -> Decimal | None:
    return key if isinstance(key, Decimal) else parse_number(key.strip())
