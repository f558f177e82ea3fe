"""Owns what bands and rolls must do in a table: tile their axis, cover every possible roll.

Does not read tables; it is handed bands and rows, and tells faults by their path in the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from generator.tables.table import Axis, Table
from generator.values import BadValue, Band, Dice, Distance, Scaled, Span, Value

Path = tuple[str | int, ...]


class Fault(NamedTuple):
    """What is wrong, and where in the file."""

    code: str
    text: str
    path: Path
    example: str = ""


def gaps(bands: Sequence[tuple[Band | None, Path]], axis: Axis | None) -> Iterator[Fault]:
    """Tell every gap and overlap between neighbours, unless the axis says why.

    Bands may run upwards or downwards.
    """
    whole = axis.whole if axis else True
    known = [(band, path) for band, path in bands if band is not None]
    if axis is not None and axis.gaps:
        return
    if len(known) > 1 and not known[0][0].meets(known[1][0], whole):
        downwards = [band for band, _ in reversed(known)]
        if all(low.meets(high, whole) for low, high in pairwise(downwards)):
            return
    for (above, _), (band, path) in pairwise(known):
        if not above.meets(band, whole):
            text = f"the band {band} does not begin where {above} ends: a gap or an overlap"
            yield Fault("band-gap", text, path, "1-2, 3-4, 5+; or say why with `gaps:`")


def uncovered(bands: Sequence[Band | None], dice: str, path: Path) -> Iterator[Fault]:
    """Tell which possible rolls of the dice no band holds."""
    known = [band for band in bands if band is not None]
    if not dice:
        return
    try:
        rolls = [*Dice.parse(dice).outcomes()]
    except BadValue as bad:
        yield Fault("bad-value", str(bad), path)
        return
    missed = [roll for roll in rolls if not any(band.holds(roll) for band in known)]
    if known and missed:
        text = f"no row for a roll of {', '.join(str(roll) for roll in missed)} on {dice}"
        yield Fault("dice-uncovered", text, path)


def row_faults(table: Table) -> Iterator[Fault]:
    """Tell what is wrong within rows, as far as the table asks: `covers:` and `per-band:`."""
    if table.covers:
        yield from _covered(table)
    if table.per_band is not None:
        yield from _whole_bands(table, table.per_band)


def _covered(table: Table) -> Iterator[Fault]:
    """Tell each row whose bands leave out a roll, or hold one twice."""
    try:
        rolls = [*Dice.parse(table.covers).outcomes()]
    except BadValue as bad:
        yield Fault("bad-value", str(bad), ("covers",))
        return
    for place, row in enumerate(table.rows):
        bands = [cell for cell in row.cells if isinstance(cell, Band)]
        for roll in rolls:
            times = sum(band.holds(roll) for band in bands)
            if times != 1:
                code = "dice-twice" if times else "dice-uncovered"
                how = "more than one band" if times else "no band"
                text = f"a roll of {roll} on {table.covers} stands in {how} of this row"
                yield Fault(code, text, ("rows", place, "cells"))


def _whole_bands(table: Table, band: Distance) -> Iterator[Fault]:
    """Tell each length that is not a whole number of bands."""
    per = band.amount
    if not isinstance(per, Decimal):
        return
    for place, row in enumerate(table.rows):
        for column, cell in enumerate(row.cells):
            if any(length % per for length in lengths(cell)):
                text = f"{cell} is not a whole number of bands of {band}"
                yield Fault("not-whole-bands", text, ("rows", place, "cells", column))


def lengths(cell: Value) -> list[Decimal]:
    """Give the fixed lengths in a cell, in its own unit; a rolled one has none."""
    match cell:
        case Distance(amount=Decimal() as amount):
            return [amount]
        case Span(band=band):
            return [end for end in (band.low, band.high) if end is not None]
        case Scaled():
            return [length for scale in cell for length in lengths(cell.at(scale))]
        case _:
            return []
