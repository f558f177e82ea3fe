"""The scale and unit of length that a document is printed for; centimetres and inches converted."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Protocol

from muster.languages import say
from muster.systems import System
from muster.tables import Definitions, Diagram, Modifiers, Piece, Row, Table, Tabletop
from muster.values import Band, Dice, Distance, LengthUnit, Modifier, Scaled, Span, Text, Value
from muster.values.number import pretty_number

CM_PER_INCH = Decimal("2.5")
"""An inch counts as 2½ cm, as players measure, and not as 2.54."""

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
_ROLL = r"(?<![\w.,])((?:\d+ [+−] )?\d*[DW]\d+(?: [+−] \d+)?)(?: × (\d+(?:\.\d+)?))?"
"""A roll that a text makes a length: `D6 cm`, `6 + D6 cm`, `D6 × 10 cm`; in German `W6 cm`."""
_ROLL_IN_PROSE = {
    LengthUnit.CM: re.compile(_ROLL + r"[ \u202f\u00a0]?cm\b"),
    LengthUnit.INCH: re.compile(_ROLL + r"(?:″|\"| inch(?:es)?\b)"),
}
_FRACTION_SIGNS = {"¼": Decimal("0.25"), "½": Decimal("0.5"), "¾": Decimal("0.75")}


def convert_length(length: Decimal, unit: LengthUnit) -> Decimal:
    """Return a length in centimetres as inches, or one in inches as centimetres, rounded.

    Inches are rounded to halves, below 2 to quarters; centimetres to whole numbers, below 10 to
    halves. A length just between two steps is rounded up.

    Args:
        length: The length in the other of the two units.
        unit: The unit of the result.
    """
    exact = length / CM_PER_INCH if unit == LengthUnit.INCH else length * CM_PER_INCH
    step = (_FINE if exact < _FINE_BELOW[unit] else _COARSE)[unit]
    return (exact / step).to_integral_value(ROUND_HALF_UP) * step


class TableSource(Protocol):
    """Something that has tables by id: a system, or a system reduced to one scale."""

    def table(self, table_id: str) -> Table:
        """Return a table."""


@dataclass(frozen=True, slots=True)
class TablesAtScale:
    """A system's tables, reduced to one scale."""

    system: System
    scale: str

    def table(self, table_id: str) -> Table:
        """Return a table; cells that differ by scale hold the value for this one."""
        return self.system.table(table_id).at_scale(self.scale)


@dataclass(frozen=True, slots=True)
class Measures:
    """The measures of a document: the id of a scale, or empty for all, and a unit of length.

    `system_unit` is the unit of the rules; lengths in a third unit are left as they are.
    """

    scale: str
    unit: LengthUnit
    system_unit: LengthUnit

    @property
    def converts(self) -> bool:
        """Whether the unit is not that of the rules."""
        return self.unit != self.system_unit

    @property
    def title(self) -> str:
        """The name of the unit, with a remark if lengths are converted to it."""
        names = {
            LengthUnit.CM: say("centimetres"),
            LengthUnit.INCH: say("inches"),
            LengthUnit.MM: say("millimetres"),
        }
        if not self.converts:
            return names[self.system_unit]
        own, others = names[self.system_unit], names[self.unit]
        return say("{unit}, converted from {own} (1″ for 2½ cm)", unit=others, own=own)

    def tables(self, system: System) -> TableSource:
        """Return the system's tables, for the scale if one is chosen."""
        return TablesAtScale(system, self.scale) if self.scale else system

    def scale_title(self, system: System) -> str:
        """Return the title of the scale, or the titles of all if none is chosen."""
        return ", ".join(scale.title for scale in system.scales if self.scale in ("", scale.id))

    def convert_value(self, cell: Value) -> Value:  # noqa: PLR0911 - one for each form
        """Return a value with its lengths in the unit. Millimetres, as of bases, stay."""
        if not self.converts:
            return cell
        match cell:
            case Distance(amount=amount, unit=unit) if unit == self.system_unit:
                if isinstance(amount, Dice):
                    return self._rolled_length(amount)
                return Distance(convert_length(amount, self.unit), self.unit)
            case Modifier(amount=amount, minus=minus, unit=unit) if unit == self.system_unit:
                if isinstance(amount, Dice):
                    return self._rolled_modifier(amount, minus=minus)
                length = convert_length(abs(amount), self.unit).copy_sign(amount)
                return Modifier(length, unit=self.unit)
            case Span(band=band, unit=unit) if unit == self.system_unit:
                return Span(self._convert_band(band), self.unit)
            case Text():
                return Text.parse(self.convert_text(str(cell)))
            case _:
                return cell

    def _rolled_length(self, roll: Dice) -> Value:
        """Convert a rolled length; it cannot be rounded before the roll is made."""
        if not roll.plus:
            return Distance(replace(roll, times=roll.times * self._factor), self.unit)
        return Text.parse(f"({roll.show()}){self._conversion_note}")

    def _rolled_modifier(self, roll: Dice, *, minus: bool) -> Value:
        """Convert a rolled length that is added to another, or taken from it."""
        if not roll.plus:
            return Modifier(replace(roll, times=roll.times * self._factor), minus, self.unit)
        return Text.parse(f"{'−' if minus else '+'}({roll.show()}){self._conversion_note}")

    @property
    def _factor(self) -> Decimal:
        return 1 / CM_PER_INCH if self.unit == LengthUnit.INCH else CM_PER_INCH

    @property
    def _conversion_note(self) -> str:
        """The arithmetic that converts a length rolled in the unit of the rules, such as `÷ 2½`."""
        return f" {'÷' if self.unit == LengthUnit.INCH else '×'} 2½{self.unit.shown_sign}"

    def _convert_band(self, band: Band) -> Band:
        low = None if band.low is None else convert_length(band.low, self.unit)
        high = None if band.high is None else convert_length(band.high, self.unit)
        return replace(band, low=low, high=high)

    def convert_text(self, text: str) -> str:
        """Return a text with every length in the unit of the rules converted."""
        if not self.converts:
            return text

        def convert_match(match: re.Match[str]) -> str:
            whole, sign, joined, last_whole, last_sign = match.groups()
            if last_whole is None and last_sign is None:
                return match[0]
            last = self._converted(last_whole, last_sign)
            if joined is None:
                return Distance(last, self.unit).show()
            first = self._converted(whole, sign)
            return f"{pretty_number(first)}{joined}{Distance(last, self.unit).show()}"

        def convert_roll(match: re.Match[str]) -> str:
            is_sum = "+" in match[1] or "−" in match[1]
            roll = f"({match[1]})" if is_sum else match[1]
            if match[2] is None:
                return f"{roll}{self._conversion_note}"
            factor = pretty_number(Decimal(match[2]) * self._factor)
            return f"{roll} × {factor}{self.unit.shown_sign}"

        rolls_converted = _ROLL_IN_PROSE[self.system_unit].sub(convert_roll, text)
        return _IN_PROSE[self.system_unit].sub(convert_match, rolls_converted)

    def _converted(self, whole: str | None, sign: str | None) -> Decimal:
        """Convert a number such as `2½`, given as its whole part and the sign after it."""
        length = Decimal(whole or 0) + _FRACTION_SIGNS.get(sign or "", Decimal(0))
        return convert_length(length, self.unit)

    def convert_table(self, table: Table, scales: list[tuple[str, str]]) -> Table:
        """Return a table for the scale and in the unit.

        Args:
            table: The table.
            scales: Pairs of id and title; without a chosen scale, every scale gets its columns.
        """
        if isinstance(table, Diagram):
            at_scale: Table = self._convert_diagram(table, scales)
        elif self.scale:
            at_scale = table.at_scale(self.scale)
        elif isinstance(table, Definitions | Modifiers):
            # In these, no column head can name the scale, so the value itself does.
            at_scale = table.with_rows([self._name_scales(row, scales) for row in table.rows])
        else:
            at_scale = table.split_by_scale(scales)
        if not self.converts:
            return at_scale
        rows = tuple(self._convert_row(row) for row in at_scale.rows)
        columns = tuple(replace(c, label=self.convert_text(c.label)) for c in at_scale.columns)
        return replace(
            at_scale,
            rows=rows,
            columns=columns,
            remark=self.convert_text(at_scale.remark),
            notes=tuple(self.convert_text(note) for note in at_scale.notes),
            book_notes=tuple(self.convert_text(note) for note in at_scale.book_notes),
            per_band=self._convert_exactly(at_scale.per_band),
        )

    def _name_scales(self, row: Row, scales: list[tuple[str, str]]) -> Row:
        """Return a row in which a value that differs by scale is a text that names the scales."""
        return replace(row, cells=tuple(self._name_scaled(cell, scales) for cell in row.cells))

    def _name_scaled(self, cell: Value, scales: list[tuple[str, str]]) -> Value:
        if not isinstance(cell, Scaled):
            return cell
        texts = [
            f"{self.convert_value(cell.at(scale)).show() or 'unknown'} ({title})"
            for scale, title in scales
            if scale in cell
        ]
        return Text.parse(", ".join(texts))

    def _convert_diagram(self, table: Diagram, scales: list[tuple[str, str]]) -> Diagram:
        """Return a diagram whose words, drawn ones as well, are for the scale and in the unit."""

        def convert_piece(piece: Piece) -> Piece:
            if piece.text is None:
                return piece
            text = piece.text
            if isinstance(text, Scaled) and self.scale in text:
                text = text.at(self.scale)
            return replace(piece, text=self.convert_value(self._name_scaled(text, scales)))

        drawings = tuple(
            replace(
                drawing,
                label=self.convert_text(drawing.label),
                alt=self.convert_text(drawing.alt),
                scene=tuple(convert_piece(piece) for piece in drawing.scene),
                tabletop=drawing.tabletop and self._convert_tabletop(drawing.tabletop),
            )
            for drawing in table.drawings
        )
        caption = self.convert_text(table.caption)
        key = {sign: self.convert_text(words) for sign, words in (table.key or {}).items()}
        return replace(table, drawings=drawings, caption=caption, key=key)

    def _convert_tabletop(self, tabletop: Tabletop) -> Tabletop:
        if not self.converts:
            return tabletop
        width, depth = (self._convert_exactly(each) for each in (tabletop.width, tabletop.depth))
        return Tabletop(width or tabletop.width, depth or tabletop.depth)

    def _convert_exactly(self, band: Distance | None) -> Distance | None:
        """Convert the length of a band without rounding: other lengths are multiples of it."""
        if band is None or not isinstance(band.amount, Decimal) or band.unit != self.system_unit:
            return band
        return Distance(band.amount * self._factor, self.unit)

    def _convert_row(self, row: Row) -> Row:
        return replace(
            row,
            label=self.convert_text(row.label),
            short=self.convert_text(row.short),
            cells=tuple(self.convert_value(cell) for cell in row.cells),
        )


def choose_measures(system: System, scale: str = "", unit: str = "") -> Measures:
    """Return the scale and unit for a system's documents.

    Args:
        system: The rule system.
        scale: A scale's id, or empty: then every scale prints, or the only one.
        unit: `cm` or `in`, or empty for the system's own.

    Raises:
        KeyError: If the system has no such scale.
    """
    if scale and scale not in {known.id for known in system.scales}:
        raise KeyError(scale)
    system_unit = LengthUnit(system.identity.unit)
    return Measures(scale, LengthUnit(unit) if unit else system_unit, system_unit)
