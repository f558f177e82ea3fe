"""Owns the choice of scale and unit for a document, and lengths in another unit.

Does not change content: a converted length is for reading, and the document says so. Players
reckon 2½ cm to the inch; with that factor bands that meet still meet after conversion.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Protocol

from generator.systems import System
from generator.tables import Definitions, Modifiers, Row, Table
from generator.values import Band, Dice, Distance, Modifier, Scaled, Span, Text, Unit, Value
from generator.values.number import pretty

CM_PER_INCH = Decimal("2.5")
_FINE_BELOW = {Unit.INCH: Decimal(2), Unit.CM: Decimal(10)}
_COARSE = {Unit.INCH: Decimal("0.5"), Unit.CM: Decimal(1)}
_FINE = {Unit.INCH: Decimal("0.25"), Unit.CM: Decimal("0.5")}

_NUMBER = r"(?<![\w.,])(\d+(?:\.\d+)?)?([¼½¾])?"
_FIRST = r"(?:(?<![\w.,])(\d+(?:\.\d+)?)?([¼½¾])?(?<=[\d¼½¾])(–|-|/| to | or ))?"
"""The first of two numbers that share a unit: `15–30 cm`."""
_IN_PROSE = {
    Unit.CM: re.compile(_FIRST + _NUMBER + r"[ \u202f\u00a0]?cm\b"),
    Unit.INCH: re.compile(_FIRST + _NUMBER + r"(?:″|\"| inch(?:es)?\b)"),
}
_ROLL = r"(?<![\w.,])((?:\d+ [+−] )?\d*D\d+(?: [+−] \d+)?)(?: × (\d+(?:\.\d+)?))?"
"""A roll that a text makes a length: `D6 cm`, `6 + D6 cm`, `D6 × 10 cm`."""
_ROLLED = {
    Unit.CM: re.compile(_ROLL + r"[ \u202f\u00a0]?cm\b"),
    Unit.INCH: re.compile(_ROLL + r"(?:″|\"| inch(?:es)?\b)"),
}
_MARKS = {"¼": Decimal("0.25"), "½": Decimal("0.5"), "¾": Decimal("0.75")}


def converted(length: Decimal, wanted: Unit) -> Decimal:
    """Convert a length between centimetres and inches, to a sensible fraction.

    Inches come in halves, under 2 in quarters; centimetres in wholes, under 10 in halves. Halves
    of a step are rounded up.
    """
    exact = length / CM_PER_INCH if wanted == Unit.INCH else length * CM_PER_INCH
    step = (_FINE if exact < _FINE_BELOW[wanted] else _COARSE)[wanted]
    return (exact / step).to_integral_value(ROUND_HALF_UP) * step


class Tables(Protocol):
    """Whatever gives tables by id: a system, or a system reduced to one scale."""

    def table(self, table_id: str) -> Table:
        """Give a table."""


@dataclass(frozen=True, slots=True)
class AtScale:
    """A system's tables, reduced to one scale."""

    system: System
    scale: str

    def table(self, table_id: str) -> Table:
        """Give a table; cells that differ by scale hold the value of this one."""
        return self.system.table(table_id).at_scale(self.scale)


@dataclass(frozen=True, slots=True)
class Measures:
    """What a document is printed for: a scale's id, or empty for all; a unit of length."""

    scale: str
    unit: Unit
    own: Unit

    @property
    def converts(self) -> bool:
        """Tell whether lengths differ from what the rules print."""
        return self.unit != self.own

    @property
    def title(self) -> str:
        """Name the unit, and say when it is converted."""
        names = {Unit.CM: "centimetres", Unit.INCH: "inches", Unit.MM: "millimetres"}
        if not self.converts:
            return names[self.own]
        return f"{names[self.unit]}, converted from {names[self.own]} (1″ for 2½ cm)"

    def tables(self, system: System) -> Tables:
        """Give the system's tables for the scale chosen."""
        return AtScale(system, self.scale) if self.scale else system

    def scale_title(self, system: System) -> str:
        """Name the scale chosen, or all that the system has."""
        wanted = [each.title for each in system.scales if self.scale in ("", each.id)]
        return ", ".join(wanted)

    def value(self, cell: Value) -> Value:  # noqa: PLR0911 - one a form
        """Give a cell in the unit wanted. Millimetres, as of bases, stay what they are."""
        if not self.converts:
            return cell
        match cell:
            case Distance(amount=amount, unit=unit) if unit == self.own:
                if isinstance(amount, Dice):
                    return self._rolled(amount)
                return Distance(converted(amount, self.unit), self.unit)
            case Modifier(amount=amount, minus=minus, unit=unit) if unit == self.own:
                if isinstance(amount, Dice):
                    return self._taken_or_added(amount, minus=minus)
                length = converted(abs(amount), self.unit).copy_sign(amount)
                return Modifier(length, unit=self.unit)
            case Span(band=band, unit=unit) if unit == self.own:
                return Span(self._band(band), self.unit)
            case Text():
                return Text.parse(self.prose(str(cell)))
            case _:
                return cell

    def _rolled(self, roll: Dice) -> Value:
        """Convert a rolled length; a roll cannot be rounded before it is made."""
        if not roll.plus:
            return Distance(replace(roll, times=roll.times * self._factor), self.unit)
        return Text.parse(f"({roll.show()}){self._way}")

    def _taken_or_added(self, roll: Dice, *, minus: bool) -> Value:
        """Convert a rolled length that is added to another, or taken off it."""
        if not roll.plus:
            return Modifier(replace(roll, times=roll.times * self._factor), minus, self.unit)
        return Text.parse(f"{'−' if minus else '+'}({roll.show()}){self._way}")

    @property
    def _factor(self) -> Decimal:
        return 1 / CM_PER_INCH if self.unit == Unit.INCH else CM_PER_INCH

    @property
    def _way(self) -> str:
        """Say how a number rolled in the rules' own unit becomes a length."""
        return f" {'÷' if self.unit == Unit.INCH else '×'} 2½{self.unit.shown}"

    def _band(self, band: Band) -> Band:
        low = None if band.low is None else converted(band.low, self.unit)
        high = None if band.high is None else converted(band.high, self.unit)
        return replace(band, low=low, high=high)

    def prose(self, text: str) -> str:
        """Convert every length of the rules' own unit that a text states."""
        if not self.converts:
            return text

        def turned(found: re.Match[str]) -> str:
            whole, mark, joined, last_whole, last_mark = found.groups()
            if last_whole is None and last_mark is None:
                return found[0]
            last = self._length(last_whole, last_mark).show()
            if joined is None:
                return last
            first = self._length(whole, mark).amount
            assert isinstance(first, Decimal)  # noqa: S101 - only dice are no number
            return f"{pretty(first)}{joined}{last}"

        def turned_roll(found: re.Match[str]) -> str:
            sum_of = "+" in found[1] or "−" in found[1]
            roll = f"({found[1]})" if sum_of else found[1]
            if found[2] is None:
                return f"{roll}{self._way}"
            return f"{roll} × {pretty(Decimal(found[2]) * self._factor)}{self.unit.shown}"

        return _IN_PROSE[self.own].sub(turned, _ROLLED[self.own].sub(turned_roll, text))

    def _length(self, whole: str | None, mark: str | None) -> Distance:
        length = Decimal(whole or 0) + _MARKS.get(mark or "", Decimal(0))
        return Distance(converted(length, self.unit), self.unit)

    def table(self, table: Table, scales: list[tuple[str, str]]) -> Table:
        """Give a table for the scale and in the unit wanted."""
        if self.scale:
            sized = table.at_scale(self.scale)
        elif isinstance(table, Definitions | Modifiers):
            # These have no heads above their values, so each value says its scale.
            sized = table.only([self._told(row, scales) for row in table.rows])
        else:
            sized = table.by_scale(scales)
        if not self.converts:
            return sized
        rows = tuple(self._row(row) for row in sized.rows)
        columns = tuple(replace(c, label=self.prose(c.label)) for c in sized.columns)
        return replace(
            sized,
            rows=rows,
            columns=columns,
            remark=self.prose(sized.remark),
            notes=tuple(self.prose(note) for note in sized.notes),
            per_band=self._exact(sized.per_band),
        )

    def _told(self, row: Row, scales: list[tuple[str, str]]) -> Row:
        """Give a row whose scaled values say in words which scale each is for."""
        cells: list[Value] = []
        for cell in row.cells:
            if isinstance(cell, Scaled):
                at = [(title, cell.at(scale)) for scale, title in scales if scale in cell]
                said = [f"{self.value(each).show() or 'unknown'} ({title})" for title, each in at]
                cells.append(Text.parse(", ".join(said)))
            else:
                cells.append(cell)
        return replace(row, cells=tuple(cells))

    def _exact(self, band: Distance | None) -> Distance | None:
        """Convert the length of a band without rounding: lengths are counted in it."""
        if band is None or not isinstance(band.amount, Decimal) or band.unit != self.own:
            return band
        return Distance(band.amount * self._factor, self.unit)

    def _row(self, row: Row) -> Row:
        return replace(
            row,
            label=self.prose(row.label),
            short=self.prose(row.short),
            cells=tuple(self.value(cell) for cell in row.cells),
        )


def measures(system: System, scale: str = "", unit: str = "") -> Measures:
    """Choose scale and unit for a system's documents.

    Args:
        system: The rule system.
        scale: A scale's id, or empty: then every scale prints, or the only one.
        unit: `cm` or `in`, or empty for the system's own.

    Raises:
        KeyError: If the system has no such scale.
    """
    if scale and scale not in {each.id for each in system.scales}:
        raise KeyError(scale)
    own = Unit(system.identity.unit)
    return Measures(scale, Unit(unit) if unit else own, own)
