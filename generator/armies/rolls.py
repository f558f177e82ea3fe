"""Owns what a roll can come to: the bands of its table, and which value each of them gives.

Does not throw dice; `raising` does. `lint_rolls` asks here whether every throw has a value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import chain, combinations
from typing import NamedTuple

from generator.armies.vocabulary import Roll
from generator.tables import Table
from generator.values import BLANK, DASH, Band, Dice, Number, Target, Text, Value


class Rung(NamedTuple):
    """A band of totals and the value that it gives, as a list would write it."""

    band: Band
    value: str


def rungs(table: Table, roll: Roll, named: str) -> list[Rung]:
    """List the bands of a roll, in the order of the table; a dash or a blank gives none.

    Args:
        table: The table that the roll is read in, at one scale.
        roll: How it is read.
        named: The row or column that it is read by.

    Raises:
        NoEntryError: If there is no such row or column.
    """
    if roll.way == "row":
        cells = zip(table.row(named).cells, table.columns, strict=True)
        return [
            Rung(band, column.id) for cell, column in cells if (band := _band(cell)) is not None
        ]
    place = table.column(named)
    if roll.way == "column":
        return [
            Rung(band, row.id)
            for row in table.rows
            if (band := _band(row.cells[place], row.band)) is not None
        ]
    return [
        Rung(row.band, str(cell))
        for row in table.rows
        if row.band is not None and (cell := row.cells[place]) is not DASH and cell is not BLANK
    ]


def _band(cell: Value, own: Band | None = None) -> Band | None:
    """Give a cell as a band; words, such as a printed sign, stand for the row's own band."""
    match cell:
        case Band():
            return cell
        case Number(amount=amount):
            return Band(amount, amount)
        case Target(number=number, or_more=or_more):
            return Band(number, None) if or_more else Band(None, number)
        case Text():
            return own
    return None


def rung_of(ladder: Sequence[Rung], total: Decimal, *, capped: bool) -> Rung | None:
    """Find what a total gives; None if no band holds it.

    Where several bands hold it, as `over 7` and `over 10` do, the narrowest is meant. A capped
    total beyond the outermost band counts as that band's, even where a wider one holds it.
    """
    if not ladder:
        return None
    if capped:
        top = max(ladder, key=_lower)
        if top.band.high is not None and total > top.band.high:
            return top
    holding = [rung for rung in ladder if rung.band.holds(total)]
    if holding:
        return max(holding, key=lambda rung: (_lower(rung), -_upper(rung)))
    bottom = min(ladder, key=_lower)
    return bottom if capped and total <= _lower(bottom) else None


_FAR = Decimal("Infinity")


def _lower(rung: Rung) -> Decimal:
    return -_FAR if rung.band.low is None else rung.band.low


def _upper(rung: Rung) -> Decimal:
    return _FAR if rung.band.high is None else rung.band.high


def totals(roll: Roll) -> Iterator[Decimal]:
    """Give every total that a roll can come to, with whatever is added, the least first.

    Raises:
        BadDice: If the dice are no dice.
    """
    every = chain.from_iterable(combinations(roll.plus, size) for size in range(len(roll.plus) + 1))
    sums = {sum(plus.add for plus in chosen) for chosen in every}
    thrown = Dice.parse(roll.dice).outcomes()
    yield from sorted({total + plus for total in thrown for plus in sums})
