"""Tables of typed cells: columns, rows, axes, and the look-up of an entry, for every kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import ClassVar

from muster.values import DASH, Band, Distance, Scaled, Value


class NoEntryError(LookupError):
    """Say that a table has no such entry, and which entries are nearest.

    Being off a table's edge is an answer of its own; it is never 0.
    """

    def __init__(self, table: str, asked: str, near: Iterable[str] = ()) -> None:
        self.table = table
        self.asked = asked
        self.near = tuple(near)
        hint = f"; the nearest are {', '.join(self.near)}" if self.near else ""
        super().__init__(f"no entry for {asked} in “{table}”{hint}")


UnitFilter = Mapping[str, tuple[str, ...]]
"""Which of a player's own units a part is for: attribute -> the values that want it."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: an id for look-ups, a label for readers, the form of its cells.

    `split_from` is the id of the column that it shows at one scale, if it was split by scale.
    """

    id: str
    label: str
    form: str = "text"
    band: Band | None = None
    only_for: UnitFilter | None = None
    split_from: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of cells, one a column. `depth` counts from 0 and is above 0 in nested steps only."""

    id: str
    label: str
    cells: tuple[Value, ...]
    group: str = ""
    band: Band | None = None
    short: str = ""
    depth: int = 0
    phase: str = ""
    only_for: UnitFilter | None = None


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of bands: whole numbers tile 1–2, 3–4; continuous ones meet at a shared end."""

    id: str
    title: str
    whole: bool = True
    dice: str = ""
    gaps: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """What all kinds have in common. Ids of banded rows and columns are the text of the band.

    `covers` names dice of which every roll stands once in the bands of each row. `per_band` is
    the length of one band, for rules that measure in bands: every length is so many of them.
    """

    kind: ClassVar[str] = "grid"

    id: str
    title: str
    chapter: str
    source: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    phase: str = ""
    remark: str = ""
    notes: tuple[str, ...] = ()
    only_for: UnitFilter | None = None
    rising: tuple[str, ...] = ()
    falling: tuple[str, ...] = ()
    covers: str = ""
    per_band: Distance | None = None

    def row(self, row_id: str) -> Row:
        """Find a row by id.

        Raises:
            NoEntryError: If there is none; it names the nearest.
        """
        for row in self.rows:
            if row.id == row_id:
                return row
        raise NoEntryError(self.title, row_id, _nearest_ids(row_id, [row.id for row in self.rows]))

    def column(self, column_id: str | None = None) -> int:
        """Find a column's position, from 0; without an id the table must have one column only.

        Raises:
            NoEntryError: If there is none, or several to choose from.
        """
        if column_id is None and len(self.columns) == 1:
            return 0
        for place, column in enumerate(self.columns):
            if column.id == column_id:
                return place
        ids = [column.id for column in self.columns]
        asked = "one column of several" if column_id is None else column_id
        raise NoEntryError(self.title, asked, _nearest_ids(column_id or "", ids) or ids[:3])

    def cell(self, row_id: str, column_id: str | None = None) -> Value:
        """Give one cell.

        Raises:
            NoEntryError: If the row or the column does not exist.
        """
        return self.row(row_id).cells[self.column(column_id)]

    def at_scale(self, scale: str) -> Table:
        """Give the same table with every scaled cell reduced to one scale."""
        rows = tuple(
            replace(row, cells=tuple(_cell_at_scale(cell, scale) for cell in row.cells))
            for row in self.rows
        )
        return replace(self, rows=rows)

    def split_by_scale(self, scales: Sequence[tuple[str, str]]) -> Table:
        """Give the same table with a column per scale wherever a cell differs by scale.

        Args:
            scales: Pairs of id and title, in the order in which they are to stand.
        """
        split = {
            place
            for place in range(len(self.columns))
            if any(isinstance(row.cells[place], Scaled) for row in self.rows)
        }
        if not split:
            return self
        columns: list[Column] = []
        for place, column in enumerate(self.columns):
            if place not in split:
                columns.append(column)
                continue
            columns.extend(
                replace(
                    column,
                    id=f"{column.id}-{key}",
                    label=_scale_label(column.label, title),
                    split_from=column.id,
                )
                for key, title in scales
            )
        rows = []
        for row in self.rows:
            cells: list[Value] = []
            for place, cell in enumerate(row.cells):
                cells.extend(
                    [_cell_at_scale(cell, key) for key, _ in scales] if place in split else [cell]
                )
            rows.append(replace(row, cells=tuple(cells)))
        return replace(self, columns=tuple(columns), rows=tuple(rows))

    def with_rows(self, rows: Sequence[Row]) -> Table:
        """Give the same table with some of its rows, in the order given."""
        return replace(self, rows=tuple(rows))


def _scale_label(label: str, scale: str) -> str:
    """Head a column for one scale, which must not read as a length: `15 mm: close`."""
    if not label:
        return scale
    small = label[:1].lower() if label[1:2].islower() else label[:1]
    return f"{scale}: {small}{label[1:]}"


def _cell_at_scale(cell: Value, scale: str) -> Value:
    if not isinstance(cell, Scaled):
        return cell
    return cell.at(scale) if scale in cell else DASH


def _nearest_ids(word: str, known: Sequence[str]) -> tuple[str, ...]:
    from difflib import get_close_matches  # noqa: PLC0415 - costs start-up time, seldom wanted

    return tuple(get_close_matches(word, known, n=3, cutoff=0.4))


@dataclass(frozen=True, slots=True)
class Grid(Table):
    """Category by category."""

    kind: ClassVar[str] = "grid"


@dataclass(frozen=True, slots=True)
class Lookup(Table):
    """One or two axes of bands or names, and an entry where they cross."""

    kind: ClassVar[str] = "lookup"

    down: Axis | None = None
    across: Axis | None = None

    def band_row(self, score: Decimal) -> Row:
        """Find the row whose band holds a score; both ends of a closed band belong to it.

        Raises:
            NoEntryError: If no band holds the score; it names the nearest bands.
        """
        for row in self.rows:
            if row.band is not None and row.band.holds(score):
                return row
        axis = self.down.title if self.down else "score"
        raise NoEntryError(
            self.title, f"{axis} {score}", _outer_labels([r.label for r in self.rows])
        )

    def band_column(self, score: Decimal) -> Column:
        """Find the column whose band holds a score.

        Raises:
            NoEntryError: If no band holds the score; it names the nearest bands.
        """
        for column in self.columns:
            if column.band is not None and column.band.holds(score):
                return column
        axis = self.across.title if self.across else "score"
        raise NoEntryError(
            self.title, f"{axis} {score}", _outer_labels([c.label for c in self.columns])
        )

    def entry(self, down: Decimal, across: Decimal) -> Value:
        """Give the entry for two scores, e.g. Attack Points and Hit Score of a kill table.

        Raises:
            NoEntryError: If either score is off the table's edge.
        """
        return self.cell(self.band_row(down).id, self.band_column(across).id)


def _outer_labels(labels: Sequence[str]) -> tuple[str, ...]:
    return tuple(labels) if len(labels) < 3 else (labels[0], labels[-1])  # noqa: PLR2004


@dataclass(frozen=True, slots=True)
class Results(Lookup):
    """Bands of a roll, or situations, and what follows in each column."""

    kind: ClassVar[str] = "results"

    dice: str = ""


@dataclass(frozen=True, slots=True)
class Modifiers(Table):
    """Conditions and signed numbers: what they change, for whom, and whether high is good."""

    kind: ClassVar[str] = "modifiers"

    changes: str = ""
    good: str = "high"
    whose: str = ""


@dataclass(frozen=True, slots=True)
class Steps(Table):
    """Ordered steps, nested by the depth of their rows."""

    kind: ClassVar[str] = "sequence"


@dataclass(frozen=True, slots=True)
class Definitions(Table):
    """Terms and their meanings, some with a value; `glossary` says whether a book gathers them."""

    kind: ClassVar[str] = "definitions"

    glossary: bool = False


@dataclass(frozen=True, slots=True)
class Diagram(Table):
    """A formation drawn from ranks of figures, the front rank first; one row a rank."""

    kind: ClassVar[str] = "diagram"

    key: Mapping[str, str] | None = None
    open_order: bool = False
    caption: str = ""
