"""Evaluate the directives of prose: find cells, calculate examples, resolve names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from muster.problems import MusterError, Problem, did_you_mean
from muster.systems.directives import (
    AllBlanks,
    AllErrata,
    Calculate,
    CellQuery,
    Directive,
    Fact,
    Given,
    IndexTerm,
    Let,
    NameChapter,
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
from muster.values import BLANK, LengthUnit, Number, Scaled, Value
from muster.values.quantity import BadQuantity, Quantity, calculate, quantity_of, roll_result

if TYPE_CHECKING:
    from muster.systems.system import System


@dataclass(frozen=True, slots=True)
class CellValues:
    """The value of a cell: one, or one a scale with the scale's title."""

    values: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class ShownQuantity:
    """A number or length that an example supposes or comes to."""

    amount: Decimal
    signed: bool = False
    unit: LengthUnit | None = None


@dataclass(frozen=True, slots=True)
class ShownLabel:
    """The label of a row or a column, and where it is explained, if anywhere."""

    text: str
    table: str = ""
    row: str = ""


@dataclass(frozen=True, slots=True)
class AsWritten:
    """What needs no reckoning: the directive says it all."""


@dataclass(frozen=True, slots=True)
class NoOutput:
    """Nothing is printed."""


DirectiveResult = CellValues | ShownQuantity | ShownLabel | AsWritten | NoOutput


class _EvaluationError(Exception):
    def __init__(self, code: str, text: str, example: str = "") -> None:
        self.code = code
        self.example = example
        super().__init__(text)


def evaluate_prose(
    system: System, prose: Prose, scale: str = ""
) -> tuple[dict[str, tuple[DirectiveResult, ...]], list[Problem]]:
    """Work out every directive.

    Args:
        system: The rule system.
        prose: Its prose.
        scale: The scale that prints; without one, cells that differ by scale give all values.

    Returns:
        For each chapter's id an answer to each of its directives, in order; and all faults.
    """
    answers: dict[str, tuple[DirectiveResult, ...]] = {}
    problems: list[Problem] = []
    for chapter in prose.chapters:
        reckoner = _ChapterEvaluator(system, prose, chapter, scale)
        answers[chapter.id] = tuple(reckoner.results(chapter.directives))
        problems.extend(reckoner.problems)
    return answers, problems


class _ChapterEvaluator:
    """Works out the directives of one chapter, in order: a name holds from where it is given."""

    def __init__(self, system: System, prose: Prose, chapter: ChapterText, scale: str) -> None:
        self.system = system
        self.prose = prose
        self.scale = scale
        self.is_last_chapter = chapter.number == len(system.chapters)
        self.names: dict[str, Quantity] = {}
        self.problems: list[Problem] = []

    def results(self, directives: Sequence[PlacedDirective]) -> Iterator[DirectiveResult]:
        for placed in directives:
            try:
                yield self._evaluate(placed.directive)
            except (_EvaluationError, BadQuantity) as fault:
                self.problems.append(placed.problem(fault.code, str(fault), fault.example))
                yield NoOutput()

    def _evaluate(self, directive: Directive) -> DirectiveResult:  # noqa: C901, PLR0911 - one a verb
        match directive:
            case PlaceTable(table=table) | NameTable(table=table):
                self._table(table)
                return AsWritten()
            case NameChapter():
                self._chapter(directive)
                return AsWritten()
            case ShowCell(spot=spot):
                return CellValues(tuple(self._cell_values(spot)))
            case ShowLabel(spot=spot):
                return self._label(spot)
            case Given(amount=amount, signed=signed, name=name):
                self._store(name, amount)
                return _shown_quantity(amount, signed=signed)
            case Let(name=name):
                self._store(name, self._let(directive))
                return NoOutput()
            case Show(name=name):
                return _shown_quantity(self._named_quantity(name))
            case Calculate() | ResolveRoll():
                amount = self._calculate(directive)
                self._store(directive.name, amount)
                return NoOutput() if directive.silent else _shown_quantity(amount)
            case AllErrata() | AllBlanks():
                if not self.is_last_chapter:
                    code, text = "misplaced-list", "this list stands in the last chapter only"
                    raise _EvaluationError(code, text)
                return AsWritten()
            case Fact():
                self._store(directive.name, directive.amount)
                return AsWritten()
            case IndexTerm():
                return AsWritten()

    # Names

    def _store(self, name: str, amount: Quantity | None) -> None:
        if name and amount is not None:
            self.names[name] = amount

    def _named_quantity(self, name: str) -> Quantity:
        if name not in self.names:
            hint = did_you_mean(name, self.names)
            text = f"nothing above in this chapter is named {name!r}{hint}"
            raise _EvaluationError("unknown-name", text, f"{{given: 9 as {name}}}")
        return self.names[name]

    def _chapter(self, directive: NameChapter) -> None:
        known = [chapter.id for chapter in self.system.chapters]
        if directive.chapter not in known:
            text = f"there is no chapter {directive.chapter!r}"
            raise _EvaluationError("unknown-chapter", text + did_you_mean(directive.chapter, known))
        chapter = self.prose.chapter(directive.chapter)
        if directive.section and chapter is not None:
            slugs = [section.slug for section in chapter.sections]
            if directive.section not in slugs:
                hint = did_you_mean(directive.section, slugs)
                text = f"{chapter.title} has no section {directive.section!r}{hint}"
                raise _EvaluationError("unknown-section", text)

    # Tables

    def _table(self, table: str) -> Table:
        try:
            return self.system.table(table)
        except MusterError as error:
            problem = error.problems[0]
            if problem.code == "unknown-table":
                raise _EvaluationError(problem.code, problem.text) from None
            raise _EvaluationError("unreadable-table", f"the table {table!r} has faults") from None

    def _locate(self, spot: CellQuery) -> tuple[Table, str, Row | None, int | None]:
        """Find the table, the scale, and the row and column that are named."""
        table = self._table(spot.table)
        scale, row, column = self.scale, None, None
        down = table.down.id if isinstance(table, Lookup) and table.down else "roll"
        across = table.across.id if isinstance(table, Lookup) and table.across else "column"
        for key, written in spot.keys:
            value: str | Decimal = written
            if written.startswith("@"):
                value = self._named_quantity(written[1:]).as_decimal()
            if key == "scale":
                scales = [each.id for each in self.system.scales]
                if written not in scales:
                    text = f"there is no scale {written!r}{did_you_mean(written, scales)}"
                    raise _EvaluationError("unknown-scale", text)
                scale = written
            elif key in {"column", across}:
                column = _find_column(table, value)
            elif key in {"row", "roll", down}:
                row = _find_row(table, value)
            else:
                keys = list(dict.fromkeys(["row", "column", down, across, "scale"]))
                known = ", ".join(keys)
                text = f"read the key {key[:40]!r}, expected one of: {known}"
                raise _EvaluationError("unknown-key", text + did_you_mean(key, keys))
        return table, scale, row, column

    def _cell_values(self, spot: CellQuery) -> Iterator[tuple[str, Value]]:
        """Give the value of one cell, for each scale that prints."""
        table, scale, row, column = self._locate(spot)
        if row is None and len(table.rows) == 1:
            row = table.rows[0]
        if column is None and len(table.columns) == 1:
            column = 0
        if row is None or column is None:
            axis = "row" if row is None else "column"
            ids = [each.id for each in (table.rows if row is None else table.columns)]
            text = f"no {axis} of “{table.title}” is named; it has {', '.join(ids[:12])}"
            raise _EvaluationError("missing-argument", text)
        value = row.cells[column]
        if not isinstance(value, Scaled):
            yield "", self._refuse_blank(value, table, row)
            return
        for each in self.system.scales:
            if each.id in value and scale in ("", each.id):
                title = "" if scale else each.title
                yield title, self._refuse_blank(value.at(each.id), table, row)

    def _refuse_blank(self, value: Value, table: Table, row: Row) -> Value:
        if value is BLANK:
            text = f"the cell at {row.label} of “{table.title}” is blank: it has no value to print"
            raise _EvaluationError("blank-value", text)
        return value

    def _single_value(self, spot: CellQuery) -> Value:
        """Give the value of a cell for the one scale that is meant."""
        found = [value for _, value in self._cell_values(spot)]
        if len(found) != 1:
            text = "this cell differs by scale; say which one"
            raise _EvaluationError("scaled-number", text, f"scale={self.system.scales[0].id}")
        return found[0]

    def _let(self, directive: Let) -> Quantity:
        if not directive.per_band:
            return quantity_of(self._single_value(directive.spot))
        table = self._table(directive.spot.table)
        if table.per_band is None:
            raise _EvaluationError(
                "no-number", f"“{table.title}” does not say how long a band is (per-band)"
            )
        return quantity_of(table.per_band)

    def _calculate(self, directive: Calculate | ResolveRoll) -> Quantity:
        if isinstance(directive, ResolveRoll):
            return roll_result(self._single_value(directive.spot), self._operands(directive.dice))
        return calculate(
            directive.operation, self._operands(directive.operands), directive.rounding
        )

    def _operands(self, parts: Sequence[Operand]) -> list[Quantity]:
        return [self._named_quantity(part) if isinstance(part, str) else part for part in parts]

    def _label(self, spot: CellQuery) -> ShownLabel:
        table, _, row, column = self._locate(spot)
        if row is not None:
            explained = isinstance(table, Definitions)
            return ShownLabel(row.label, table.id if explained else "", row.id if explained else "")
        if column is not None:
            return ShownLabel(table.columns[column].label)
        raise _EvaluationError("missing-argument", "a label is that of one row or one column")


def _shown_quantity(amount: Quantity, *, signed: bool = False) -> ShownQuantity:
    return ShownQuantity(amount.as_decimal(), signed, amount.unit)


def _find_row(table: Table, wanted: str | Decimal) -> Row:
    number = _number_or_none(wanted)
    try:
        if number is not None and isinstance(table, Lookup) and any(r.band for r in table.rows):
            return table.band_row(number)
        return table.row(str(wanted))
    except NoEntryError as missing:
        raise _EvaluationError("unknown-row", str(missing)) from None


def _find_column(table: Table, wanted: str | Decimal) -> int:
    number = _number_or_none(wanted)
    try:
        if number is not None and isinstance(table, Lookup) and any(c.band for c in table.columns):
            return table.columns.index(table.band_column(number))
        return table.column(str(wanted))
    except NoEntryError as missing:
        raise _EvaluationError("unknown-column", str(missing)) from None


def _number_or_none(wanted: str | Decimal) -> Decimal | None:
    if isinstance(wanted, Decimal):
        return wanted
    try:
        return Number.parse(wanted).amount
    except ValueError:
        return None
