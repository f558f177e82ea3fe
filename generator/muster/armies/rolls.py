"""What the dice of a roll can show, and the value that each total gives by the roll's table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import chain, combinations
from typing import NamedTuple

from muster.armies.army import NodeKind
from muster.armies.vocabulary import Roll
from muster.tables import Table
from muster.values import BLANK, DASH, Band, Dice, Number, Target, Text, Value


class RollOutcome(NamedTuple):
    """A band of totals and the value that it gives, as a list writes it."""

    band: Band
    value: str


def roll_outcomes(table: Table, roll: Roll, lookup_key: str) -> list[RollOutcome]:
    """Return the outcomes of a roll in the order of the table; a dash or a blank gives none.

    Args:
        table: The table of the roll, at one scale.
        roll: The roll.
        lookup_key: The row or column to read, see `Roll.lookup_key`.

    Raises:
        NoEntryError: If there is no such row or column.
    """
    if roll.read_by == "row":
        cells = zip(table.row(lookup_key).cells, table.columns, strict=True)
        return [
            RollOutcome(band, column.id)
            for cell, column in cells
            if (band := _band_of_cell(cell)) is not None
        ]
    index = table.column(lookup_key)
    if roll.read_by == "column":
        return [
            RollOutcome(band, row.id)
            for row in table.rows
            if (band := _band_of_cell(row.cells[index], row.band)) is not None
        ]
    return [
        RollOutcome(row.band, str(cell))
        for row in table.rows
        if row.band is not None and (cell := row.cells[index]) is not DASH and cell is not BLANK
    ]


def _band_of_cell(cell: Value, row_band: Band | None = None) -> Band | None:
    """Return a cell as a band; words, such as a printed symbol, stand for the band of the row."""
    match cell:
        case Band():
            return cell
        case Number(amount=amount):
            return Band(amount, amount)
        case Target(number=number, or_more=or_more):
            return Band(number, None) if or_more else Band(None, number)
        case Text():
            return row_band
    return None


def outcome_of(
    outcomes: Sequence[RollOutcome], total: Decimal, *, capped: bool
) -> RollOutcome | None:
    """Return the outcome of a total; None if no band holds it.

    If several bands hold the total, as `over 7` and `over 10` do, the narrowest counts. If the
    roll is capped, a total beyond the outermost band counts as that band's, even if a wider one
    holds it.
    """
    if not outcomes:
        return None
    if capped:
        top = max(outcomes, key=_lower)
        if top.band.high is not None and total > top.band.high:
            return top
    holding = [outcome for outcome in outcomes if outcome.band.holds(total)]
    if holding:
        return max(holding, key=lambda outcome: (_lower(outcome), -_upper(outcome)))
    bottom = min(outcomes, key=_lower)
    return bottom if capped and total <= _lower(bottom) else None


_INFINITY = Decimal("Infinity")


def _lower(outcome: RollOutcome) -> Decimal:
    return -_INFINITY if outcome.band.low is None else outcome.band.low


def _upper(outcome: RollOutcome) -> Decimal:
    return _INFINITY if outcome.band.high is None else outcome.band.high


def possible_totals(roll: Roll) -> Iterator[Decimal]:
    """Yield every total that a roll can have, with any of its modifiers, in rising order.

    Raises:
        ValueError: If the dice cannot be parsed.
    """
    sizes = range(len(roll.plus) + 1)
    choices = chain.from_iterable(combinations(roll.plus, size) for size in sizes)
    modifiers = {sum(modifier.add for modifier in chosen) for chosen in choices}
    thrown = Dice.parse(roll.dice).outcomes()
    yield from sorted({total + modifier for total in thrown for modifier in modifiers})


def roll_modifier(roll: Roll, kind: NodeKind) -> int:
    """Return what is added to a roll of a node of a kind."""
    return sum(
        plus.add
        for plus in roll.plus
        if all(kind.text(key) in values for key, values in plus.where.items())
    )


def stated_total(roll: Roll, kind: NodeKind) -> Decimal | None:
    """Return the total of a roll that a list states for a node; None if it states none."""
    stated = kind.fields.get(roll.total) if roll.total is not None else None
    return Decimal(stated) if isinstance(stated, int) else None


def readable_totals(outcomes: Sequence[RollOutcome], roll: Roll, kind: NodeKind) -> list[Decimal]:
    """Return the totals that the dice can show for a node of a kind and that have an outcome.

    Raises:
        ValueError: If the dice cannot be parsed.
    """
    modifier = roll_modifier(roll, kind)
    totals = sorted(thrown + modifier for thrown in Dice.parse(roll.dice).outcomes())
    return [
        total for total in totals if outcome_of(outcomes, total, capped=roll.capped) is not None
    ]
