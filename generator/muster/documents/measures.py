"""The scale and unit of length that a document is printed for; centimetres and inches converted."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Protocol

from muster.systems import System
from muster.tables import Definitions, Modifiers, Row, Table
from muster.values import Band, Dice, Distance, LengthUnit, Modifier, Scaled, Span, Text, Value
from muster.values.number import pretty_number

CM_PER_INCH = Decimal("2.5")
_FINE_BELOW = {LengthUnit.INCH: Decimal(2), LengthUnit.CM: Decimal(10)}
_COARSE = {LengthUnit.INCH: Decimal("0.5"), LengthUnit.CM: Decimal(1)}
_FINE = {LengthUnit.INCH: Decimal("0.25"), LengthUnit.CM: Decimal("0.5")}

_NUMBER = r"(?<![\w.,])(\d+(?:\.\d+)?)?([¼½¾])?"
_RANGE_START = r"(?:(?<![\w.,])(\d+(?:\.\d+)?)?([¼½¾])?(?<=[\d¼½¾])(–|-|/| to | or ))?"
"""The first of two numbers that share a unit: `15–30 cm`."""
_IN_PROSE = {
    LengthUnit.CM: re.compile(_RANGE_START + _NUMBER + r"[ \u202f\u00a0]?cm\b"),
    LengthUnit.INCH: re.compile(_RANGE_START + _NUMBER + r"(?:″|\"| inch(?:es)?\b)"),
}
_ROLL = r"(?<![\w.,])((?:\d+ [+−] )?\d*D\d+(?: [+−] \d+)?)(?: × (\d+(?:\.\d+)?))?"
"""A roll that a text makes a length: `D6 cm`, `6 + D6 cm`, `D6 × 10 cm`."""
_ROLL_IN_PROSE = {
    LengthUnit.CM: re.compile(_ROLL + r"[ \u202f\u00a0]?cm\b"),
    LengthUnit.INCH: re.compile(_ROLL + r"(?:″|\"| inch(?:es)?\b)"),
}
_FRACTION_SIGNS = {"¼": Decimal("0.25"), "½": Decimal("0.5"), "¾": Decimal("0.75")}


def convert_length(length: Decimal, wanted: LengthUnit) -> Decimal:
    """Convert a length between centimetres and inches, to a sensible fraction.

    Inches come in halves, under 2 in quarters; centimetres in wholes, under 10 in halves. Halves
    of a step are rounded up.
    """
    exact = length / CM_PER_INCH if wanted == LengthUnit.INCH else length * CM_PER_INCH
    step = (_FINE if exact < _FINE_BELOW[wanted] else _COARSE)[wanted]
    return (exact / step).to_integral_value(ROUND_HALF_UP) * step


class TableSource(Protocol):
    """Whatever gives tables by id: a system, or a system reduced to one scale."""

    def table(self, table_id: str) -> Table:
        """Give a table."""


@dataclass(frozen=True, slots=True)
class TablesAtScale:
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
    unit: LengthUnit
    system_unit: LengthUnit

    @property
    def converts(self) -> bool:
        """Tell whether lengths differ from what the rules print."""
        return self.unit != self.system_unit

    @property
    def title(self) -> str:
        """Name the unit, and say when it is converted."""
        names = {
            LengthUnit.CM: "centimetres",
            LengthUnit.INCH: "inches",
            LengthUnit.MM: "millimetres",
        }
        if not self.converts:
            return names[self.system_unit]
        return f"{names[self.unit]}, converted from {names[self.system_unit]} (1″ for 2½ cm)"

    def tables(self, system: System) -> TableSource:
        """Give the system's tables for the scale chosen."""
        return TablesAtScale(system, self.scale) if self.scale else system

    def scale_title(self, system: System) -> str:
        """Name the scale chosen, or all that the system has."""
        wanted = [each.title for each in system.scales if self.scale in ("", each.id)]
        return ", ".join(wanted)

    def convert_value(self, cell: Value) -> Value:  # noqa: PLR0911 - one a form
        """Give a cell in the unit wanted. Millimetres, as of bases, stay what they are."""
        if not self.converts:
            return cell
        match cell:
            case Distance(amount=amount, unit=unit) if unit == self.system_unit:
                if isinstance(amount, Dice):
                    return self._rolled(amount)
                return Distance(convert_length(amount, self.unit), self.unit)
            case Modifier(amount=amount, minus=minus, unit=unit) if unit == self.system_unit:
                if isinstance(amount, Dice):
                    return self._taken_or_added(amount, minus=minus)
                length = convert_length(abs(amount), self.unit).copy_sign(amount)
                return Modifier(length, unit=self.unit)
            case Span(band=band, unit=unit) if unit == self.system_unit:
                return Span(self._band(band), self.unit)
            case Text():
                return Text.parse(self.convert_text(str(cell)))
            case _:
                return cell

    def _rolled(self, roll: Dice) -> Value:
        """Convert a rolled length; a roll cannot be rounded before it is made."""
        if not roll.plus:
            return Distance(replace(roll, times=roll.times * self._factor), self.unit)
        return Text.parse(f"({roll.show()}){self._conversion_note}")

    def _taken_or_added(self, roll: Dice, *, minus: bool) -> Value:
        """Convert a rolled length that is added to another, or taken off it."""
        if not roll.plus:
            return Modifier(replace(roll, times=roll.times * self._factor), minus, self.unit)
        return Text.parse(f"{'−' if minus else '+'}({roll.show()}){self._conversion_note}")

    @property
    def _factor(self) -> Decimal:
        return 1 / CM_PER_INCH if self.unit == LengthUnit.INCH else CM_PER_INCH

    @property
    def _conversion_note(self) -> str:
        """Say how a number rolled in the rules' own unit becomes a length."""
        return f" {'÷' if self.unit == LengthUnit.INCH else '×'} 2½{self.unit.shown_sign}"

    def _band(self, band: Band) -> Band:
        low = None if band.low is None else convert_length(band.low, self.unit)
        high = None if band.high is None else convert_length(band.high, self.unit)
        return replace(band, low=low, high=high)

    def convert_text(self, text: str) -> str:
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
            return f"{pretty_number(first)}{joined}{last}"

        def turned_roll(found: re.Match[str]) -> str:
            sum_of = "+" in found[1] or "−" in found[1]
            roll = f"({found[1]})" if sum_of else found[1]
            if found[2] is None:
                return f"{roll}{self._conversion_note}"
            return (
                f"{roll} × {pretty_number(Decimal(found[2]) * self._factor)}{self.unit.shown_sign}"
            )

        return _IN_PROSE[self.system_unit].sub(
            turned, _ROLL_IN_PROSE[self.system_unit].sub(turned_roll, text)
        )

    def _length(self, whole: str | None, mark: str | None) -> Distance:
        length = Decimal(whole or 0) + _FRACTION_SIGNS.get(mark or "", Decimal(0))
        return Distance(convert_length(length, self.unit), self.unit)

    def convert_table(self, table: Table, scales: list[tuple[str, str]]) -> Table:
        """Give a table for the scale and in the unit wanted."""
        if self.scale:
            sized = table.at_scale(self.scale)
        elif isinstance(table, Definitions | Modifiers):
            # These have no heads above their values, so each value says its scale.
            sized = table.with_rows([self._name_scales(row, scales) for row in table.rows])
        else:
            sized = table.split_by_scale(scales)
        if not self.converts:
            return sized
        rows = tuple(self._row(row) for row in sized.rows)
        columns = tuple(replace(c, label=self.convert_text(c.label)) for c in sized.columns)
        return replace(
            sized,
            rows=rows,
            columns=columns,
            remark=self.convert_text(sized.remark),
            notes=tuple(self.convert_text(note) for note in sized.notes),
            per_band=self._exact(sized.per_band),
        )

    def _name_scales(self, row: Row, scales: list[tuple[str, str]]) -> Row:
        """Give a row whose scaled values say in words which scale each is for."""
        cells: list[Value] = []
        for cell in row.cells:
            if isinstance(cell, Scaled):
                at = [(title, cell.at(scale)) for scale, title in scales if scale in cell]
                said = [
                    f"{self.convert_value(each).show() or 'unknown'} ({title})"
                    for title, each in at
                ]
                cells.append(Text.parse(", ".join(said)))
            else:
                cells.append(cell)
        return replace(row, cells=tuple(cells))

    def _exact(self, band: Distance | None) -> Distance | None:
        """Convert the length of a band without rounding: lengths are counted in it."""
        if band is None or not isinstance(band.amount, Decimal) or band.unit != self.system_unit:
            return band
        return Distance(band.amount * self._factor, self.unit)

    def _row(self, row: Row) -> Row:
        return replace(
            row,
            label=self.convert_text(row.label),
            short=self.convert_text(row.short),
            cells=tuple(self.convert_value(cell) for cell in row.cells),
        )


def choose_measures(system: System, scale: str = "", unit: str = "") -> Measures:
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
    own = LengthUnit(system.identity.unit)
    return Measures(scale, LengthUnit(unit) if unit else own, own)
