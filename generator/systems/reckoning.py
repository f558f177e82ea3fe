"""Owns what each directive of prose comes to: cells found, examples reckoned, names resolved.

Does not write it out: `documents` does, in the unit and for the scale of an edition.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from generator.problems import MusterError, Problem
from generator.reading import did_you_mean
from generator.systems.amounts import Amount, BadAmount, amount_in, reckoned, thrown
from generator.systems.directives import (
    AllBlanks,
    AllErrata,
    Directive,
    Fact,
    Given,
    IndexTerm,
    Let,
    NameChapter,
    NameTable,
    Part,
    PlaceTable,
    Reckon,
    Rolled,
    Show,
    ShowCell,
    ShowLabel,
    Spot,
)
from generator.systems.prose import Chapter, Placed, Prose
from generator.tables import Definitions, Lookup, NoEntryError, Row, Table
from generator.values import BLANK, Number, Scaled, Unit, Value

if TYPE_CHECKING:
    from generator.systems.system import System


@dataclass(frozen=True, slots=True)
class Words:
    """The value of a cell: one, or one a scale with the scale's title."""

    values: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A number or length that an example supposes or comes to."""

    amount: Decimal
    signed: bool = False
    unit: Unit | None = None


@dataclass(frozen=True, slots=True)
class Label:
    """The label of a row or a column, and where it is explained, if anywhere."""

    text: str
    table: str = ""
    row: str = ""


@dataclass(frozen=True, slots=True)
class Named:
    """What needs no reckoning: the directive says it all."""


@dataclass(frozen=True, slots=True)
class Silence:
    """Nothing is printed."""


Answer = Words | Figure | Label | Named | Silence


class _Fault(Exception):  # noqa: N818 - it never leaves this module
    def __init__(self, code: str, text: str, example: str = "") -> None:
        self.code = code
        self.example = example
        super().__init__(text)


def reckon(
    system: System, prose: Prose, scale: str = ""
) -> tuple[dict[str, tuple[Answer, ...]], list[Problem]]:
    """Work out every directive.

    Args:
        system: The rule system.
        prose: Its prose.
        scale: The scale that prints; without one, cells that differ by scale give all values.

    Returns:
        For each chapter's id an answer to each of its directives, in order; and all faults.
    """
    answers: dict[str, tuple[Answer, ...]] = {}
    problems: list[Problem] = []
    for chapter in prose.chapters:
        reckoner = _Reckoner(system, prose, chapter, scale)
        answers[chapter.id] = tuple(reckoner.answers(chapter.directives))
        problems.extend(reckoner.problems)
    return answers, problems


class _Reckoner:
    """Works out the directives of one chapter, in order: a name holds from where it is given."""

    def __init__(self, system: System, prose: Prose, chapter: Chapter, scale: str) -> None:
        self.system = system
        self.prose = prose
        self.scale = scale
        self.last = chapter.number == len(system.chapters)
        self.names: dict[str, Amount] = {}
        self.problems: list[Problem] = []

    def answers(self, directives: Sequence[Placed]) -> Iterator[Answer]:
        for placed in directives:
            try:
                yield self._answer(placed.directive)
            except (_Fault, BadAmount) as fault:
                self.problems.append(placed.problem(fault.code, str(fault), fault.example))
                yield Silence()

    def _answer(self, directive: Directive) -> Answer:  # noqa: C901, PLR0911 - one a verb
        match directive:
            case PlaceTable(table=table) | NameTable(table=table):
                self._table(table)
                return Named()
            case NameChapter():
                self._chapter(directive)
                return Named()
            case ShowCell(spot=spot):
                return Words(tuple(self._cell(spot)))
            case ShowLabel(spot=spot):
                return self._label(spot)
            case Given(amount=amount, signed=signed, name=name):
                self._keep(name, amount)
                return _figure(amount, signed=signed)
            case Let(name=name):
                self._keep(name, self._let(directive))
                return Silence()
            case Show(name=name):
                return _figure(self._named(name))
            case Reckon() | Rolled():
                amount = self._worked_out(directive)
                self._keep(directive.name, amount)
                return Silence() if directive.silent else _figure(amount)
            case AllErrata() | AllBlanks():
                if not self.last:
                    code, text = "misplaced-list", "this list stands in the last chapter only"
                    raise _Fault(code, text)
                return Named()
            case Fact():
                self._keep(directive.name, directive.amount)
                return Named()
            case IndexTerm():
                return Named()

    # Names

    def _keep(self, name: str, amount: Amount | None) -> None:
        if name and amount is not None:
            self.names[name] = amount

    def _named(self, name: str) -> Amount:
        if name not in self.names:
            hint = did_you_mean(name, self.names)
            text = f"nothing above in this chapter is named {name!r}{hint}"
            raise _Fault("unknown-name", text, f"{{given: 9 as {name}}}")
        return self.names[name]

    def _chapter(self, directive: NameChapter) -> None:
        known = [chapter.id for chapter in self.system.chapters]
        if directive.chapter not in known:
            text = f"there is no chapter {directive.chapter!r}"
            raise _Fault("unknown-chapter", text + did_you_mean(directive.chapter, known))
        chapter = self.prose.chapter(directive.chapter)
        if directive.section and chapter is not None:
            slugs = [section.slug for section in chapter.sections]
            if directive.section not in slugs:
                hint = did_you_mean(directive.section, slugs)
                text = f"{chapter.title} has no section {directive.section!r}{hint}"
                raise _Fault("unknown-section", text)

    # Tables

    def _table(self, table: str) -> Table:
        try:
            return self.system.table(table)
        except MusterError as error:
            problem = error.problems[0]
            if problem.code == "unknown-table":
                raise _Fault(problem.code, problem.text) from None
            raise _Fault("unreadable-table", f"the table {table!r} has faults") from None

    def _spot(self, spot: Spot) -> tuple[Table, str, Row | None, int | None]:
        """Find the table, the scale, and the row and column that are named."""
        table = self._table(spot.table)
        scale, row, column = self.scale, None, None
        down = table.down.id if isinstance(table, Lookup) and table.down else "roll"
        across = table.across.id if isinstance(table, Lookup) and table.across else "column"
        for key, written in spot.keys:
            value: str | Decimal = written
            if written.startswith("@"):
                value = self._named(written[1:]).decimal()
            if key == "scale":
                scales = [each.id for each in self.system.scales]
                if written not in scales:
                    text = f"there is no scale {written!r}{did_you_mean(written, scales)}"
                    raise _Fault("unknown-scale", text)
                scale = written
            elif key in {"column", across}:
                column = _column(table, value)
            elif key in {"row", "roll", down}:
                row = _row(table, value)
            else:
                keys = list(dict.fromkeys(["row", "column", down, across, "scale"]))
                known = ", ".join(keys)
                text = f"read the key {key[:40]!r}, expected one of: {known}"
                raise _Fault("unknown-key", text + did_you_mean(key, keys))
        return table, scale, row, column

    def _cell(self, spot: Spot) -> Iterator[tuple[str, Value]]:
        """Give the value of one cell, for each scale that prints."""
        table, scale, row, column = self._spot(spot)
        if row is None and len(table.rows) == 1:
            row = table.rows[0]
        if column is None and len(table.columns) == 1:
            column = 0
        if row is None or column is None:
            axis = "row" if row is None else "column"
            ids = [each.id for each in (table.rows if row is None else table.columns)]
            text = f"no {axis} of “{table.title}” is named; it has {', '.join(ids[:12])}"
            raise _Fault("missing-argument", text)
        value = row.cells[column]
        if not isinstance(value, Scaled):
            yield "", self._told(value, table, row)
            return
        for each in self.system.scales:
            if each.id in value and scale in ("", each.id):
                title = "" if scale else each.title
                yield title, self._told(value.at(each.id), table, row)

    def _told(self, value: Value, table: Table, row: Row) -> Value:
        if value is BLANK:
            text = f"the cell at {row.label} of “{table.title}” is blank: it has no value to print"
            raise _Fault("blank-value", text)
        return value

    def _one(self, spot: Spot) -> Value:
        """Give the value of a cell for the one scale that is meant."""
        found = [value for _, value in self._cell(spot)]
        if len(found) != 1:
            text = "this cell differs by scale; say which one"
            raise _Fault("scaled-number", text, f"scale={self.system.scales[0].id}")
        return found[0]

    def _let(self, directive: Let) -> Amount:
        if not directive.per_band:
            return amount_in(self._one(directive.spot))
        table = self._table(directive.spot.table)
        if table.per_band is None:
            raise _Fault("no-number", f"“{table.title}” does not say how long a band is (per-band)")
        return amount_in(table.per_band)

    def _worked_out(self, directive: Reckon | Rolled) -> Amount:
        if isinstance(directive, Rolled):
            return thrown(self._one(directive.spot), self._parts(directive.dice))
        return reckoned(directive.way, self._parts(directive.parts), directive.rounding)

    def _parts(self, parts: Sequence[Part]) -> list[Amount]:
        return [self._named(part) if isinstance(part, str) else part for part in parts]

    def _label(self, spot: Spot) -> Label:
        table, _, row, column = self._spot(spot)
        if row is not None:
            explained = isinstance(table, Definitions)
            return Label(row.label, table.id if explained else "", row.id if explained else "")
        if column is not None:
            return Label(table.columns[column].label)
        raise _Fault("missing-argument", "a label is that of one row or one column")


def _figure(amount: Amount, *, signed: bool = False) -> Figure:
    return Figure(amount.decimal(), signed, amount.unit)


def _row(table: Table, wanted: str | Decimal) -> Row:
    number = _as_number(wanted)
    try:
        if number is not None and isinstance(table, Lookup) and any(r.band for r in table.rows):
            return table.band_row(number)
        return table.row(str(wanted))
    except NoEntryError as missing:
        raise _Fault("unknown-row", str(missing)) from None


def _column(table: Table, wanted: str | Decimal) -> int:
    number = _as_number(wanted)
    try:
        if number is not None and isinstance(table, Lookup) and any(c.band for c in table.columns):
            return table.columns.index(table.band_column(number))
        return table.column(str(wanted))
    except NoEntryError as missing:
        raise _Fault("unknown-column", str(missing)) from None


def _as_number(wanted: str | Decimal) -> Decimal | None:
    if isinstance(wanted, Decimal):
        return wanted
    try:
        return Number.parse(wanted).amount
    except ValueError:
        return None
