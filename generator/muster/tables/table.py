"""Tables of typed cells: columns, rows, axes, and the look-up of an entry, for every kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import ClassVar

from muster.names import Names, nearest_names
from muster.tables.scenes import Piece, SceneSize, Tabletop
from muster.values import DASH, Band, Distance, Scaled, Span, Value
from muster.values.number import pretty_number


class NoEntryError(LookupError):
    """Raised when a table has no such entry; it names the nearest ones.

    An entry off the edge of the table is never 0. `edge` is `begins` or `ends` if what was asked
    for lies before the first band or after the last, which is then the only one in `near`.
    """

    def __init__(self, table: str, asked: str, near: Iterable[str] = (), edge: str = "") -> None:
        self.table = table
        self.asked = asked
        self.near = tuple(near)
        hint = f"; the nearest are {', '.join(self.near)}" if self.near else ""
        if edge:
            hint = f", which {edge} with {self.near[0]}"
        super().__init__(f"no entry for {asked} in “{table}”{hint}")


UnitFilter = tuple[Mapping[str, tuple[str, ...]], ...]
"""The units that a part is for: they meet any of these filters, which say for each attribute the
values of which a unit needs one.
"""


@dataclass(frozen=True, slots=True)
class Note:
    """Words, such as a note below a table, with the units and tables that they are for."""

    text: str
    only_for: UnitFilter | None = None
    tables: tuple[str, ...] = ()
    """Ids of the tables that a convention is about; none for all."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: an id for look-ups, a label for readers, the form of its cells.

    If a column was split by scale, `split_from` is its id in each of the new columns.
    """

    id: str
    label: str
    form: str = "text"
    band: Band | None = None
    only_for: UnitFilter | None = None
    split_from: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of cells, one for each column; `depth` is 0 except in nested steps."""

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
    """A table of any kind: the base class of all kinds.

    The id of a row or column with a band is the text of the band. `covers` names dice of which
    every roll is in exactly one band of each row. `per_band` is the length of one band, for rules
    that measure in bands: every length in the table is a whole number of them. `note_filters` are
    those of the notes, in their order. `book_notes` are further notes, which sheets leave to the
    rulebook, and `index` has the entries of its index that lead to the table.
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
    book_notes: tuple[str, ...] = ()
    index: tuple[str, ...] = ()
    note_filters: tuple[UnitFilter | None, ...] = ()
    only_for: UnitFilter | None = None
    rising: tuple[str, ...] = ()
    falling: tuple[str, ...] = ()
    covers: str = ""
    per_band: Distance | None = None

    @property
    def all_notes(self) -> tuple[str, ...]:
        """The notes for play and those of the rulebook."""
        return self.notes + self.book_notes

    @property
    def filtered_notes(self) -> list[Note]:
        """The notes, each with its filter."""
        return [Note(*each) for each in zip(self.notes, self.note_filters, strict=True)]

    def row(self, row_id: str) -> Row:
        """Return the row with an id.

        Raises:
            NoEntryError: If there is none.
        """
        for row in self.rows:
            if row.id == row_id:
                return row
        named = [(row.id, row.label) for row in self.rows]
        raise NoEntryError(self.title, row_id, _nearest_ids(row_id, named))

    def column(self, column_id: str | None = None) -> int:
        """Return the index of a column, from 0; without an id, that of the only column.

        Raises:
            NoEntryError: If there is none, or if there are several and no id was given.
        """
        if column_id is None and len(self.columns) == 1:
            return 0
        for index, column in enumerate(self.columns):
            if column.id == column_id:
                return index
        named = [(column.id, column.label) for column in self.columns]
        asked = "an unnamed column" if column_id is None else column_id
        near = _nearest_ids(column_id or "", named) or [column.id for column in self.columns][:3]
        raise NoEntryError(self.title, asked, near)

    def cell(self, row_id: str, column_id: str | None = None) -> Value:
        """Return one cell.

        Raises:
            NoEntryError: If the row or the column does not exist.
        """
        return self.row(row_id).cells[self.column(column_id)]

    def at_scale(self, scale: str) -> Table:
        """Return the table with every scaled cell reduced to one scale."""
        rows = tuple(
            replace(row, cells=tuple(_cell_at_scale(cell, scale) for cell in row.cells))
            for row in self.rows
        )
        return replace(self, rows=rows)

    def split_by_scale(self, scales: Sequence[tuple[str, str]]) -> Table:
        """Return the table with one column per scale wherever a cell differs by scale.

        Args:
            scales: Pairs of id and title, in the order of the columns to make.
        """
        split = {
            index
            for index in range(len(self.columns))
            if any(isinstance(row.cells[index], Scaled) for row in self.rows)
        }
        if not split:
            return self
        columns: list[Column] = []
        for index, column in enumerate(self.columns):
            if index not in split:
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
            for index, cell in enumerate(row.cells):
                cells.extend(
                    [_cell_at_scale(cell, key) for key, _ in scales] if index in split else [cell]
                )
            rows.append(replace(row, cells=tuple(cells)))
        return replace(self, columns=tuple(columns), rows=tuple(rows))

    def with_rows(self, rows: Sequence[Row]) -> Table:
        """Return the table with other rows."""
        return replace(self, rows=tuple(rows))


def _scale_label(label: str, scale: str) -> str:
    """Return a column's label at one scale, which must not read as a length: `15 mm: close`."""
    if not label:
        return scale
    small = label[:1].lower() if label[1:2].islower() else label[:1]
    return f"{scale}: {small}{label[1:]}"


def _cell_at_scale(cell: Value, scale: str) -> Value:
    if not isinstance(cell, Scaled):
        return cell
    return cell.at(scale) if scale in cell else DASH


def _nearest_ids(word: str, known: Names) -> tuple[str, ...]:
    return tuple(nearest_names(word, known, most=3))


@dataclass(frozen=True, slots=True)
class Grid(Table):
    """A cell for each row and column, such as troop types by terrain."""

    kind: ClassVar[str] = "grid"


@dataclass(frozen=True, slots=True)
class Lookup(Table):
    """One or two axes of bands or names, with an entry where they cross."""

    kind: ClassVar[str] = "lookup"

    down: Axis | None = None
    across: Axis | None = None

    def band_row(self, score: Decimal) -> Row:
        """Return the row whose band holds a score; both ends of a closed band belong to it.

        Raises:
            NoEntryError: If no band holds the score; it names the nearest bands.
        """
        for row in self.rows:
            if row.band is not None and row.band.holds(score):
                return row
        raise _off_the_bands(self.title, self.down, self.rows, score)

    def band_column(self, score: Decimal) -> Column:
        """Return the column whose band holds a score; both ends of a closed band belong to it.

        Raises:
            NoEntryError: If no band holds the score; it names the nearest bands.
        """
        for column in self.columns:
            if column.band is not None and column.band.holds(score):
                return column
        raise _off_the_bands(self.title, self.across, self.columns, score)

    def entry(self, down: Decimal, across: Decimal) -> Value:
        """Return the entry for two scores, such as Attack Points and Hit Score of a kill table.

        Raises:
            NoEntryError: If either score is off the table's edge.
        """
        return self.cell(self.band_row(down).id, self.band_column(across).id)


def _off_the_bands(
    table: str, axis: Axis | None, parts: Sequence[Row | Column], score: Decimal
) -> NoEntryError:
    """Return the error for a score that no band holds: the edge it is off, or what is around it."""
    bands = [(part.band, part.label) for part in parts if part.band is not None]
    below = [(b.high, label) for b, label in bands if b.high is not None and b.high <= score]
    above = [(b.low, label) for b, label in bands if b.low is not None and b.low >= score]
    asked = f"{axis.title.lower() if axis else 'score'} {pretty_number(score)}"
    near = [*(max(below)[1:] if below else ()), *(min(above)[1:] if above else ())]
    edge = "" if below and above else "ends" if below else "begins"
    return NoEntryError(table, asked, near, edge)


@dataclass(frozen=True, slots=True)
class Results(Lookup):
    """Bands of a roll, or situations, with their results in each column."""

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
    """Ordered steps; the depth of a row is that of the step."""

    kind: ClassVar[str] = "sequence"


@dataclass(frozen=True, slots=True)
class Definitions(Table):
    """Terms and their meanings, some with a value; `glossary` if a book's glossary has them."""

    kind: ClassVar[str] = "definitions"

    glossary: bool = False


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing among several of a diagram: ranks of figures, an arc, a rose or a scene.

    `ranks` has the sign of each figure, `.` for a gap, the front rank first. `arc` is an angle to
    the front, in degrees from side to side, or 0. `rose` has the sign of each direction, clockwise
    from straight ahead; one that is empty is a box to fill in. `scene` has the pieces on a canvas
    of `size` in mm, and `alt` says in words what it shows. If it is to scale, `scale` is what 1 mm
    stands for, or `tabletop` the table that is the canvas.
    """

    label: str
    ranks: tuple[tuple[str, ...], ...] = ()
    open_order: bool = False
    arc: float = 0
    rose: tuple[str, ...] = ()
    alt: str = ""
    size: SceneSize = (0, 0)
    scene: tuple[Piece, ...] = ()
    scale: Distance | None = None
    tabletop: Tabletop | None = None

    @property
    def is_to_scale(self) -> bool:
        """Whether its lengths are those that are written in it, or none is."""
        if self.scale or self.tabletop:
            return True
        return not any(_is_length(piece.text) for piece in self.scene)


def _is_length(text: Value | None) -> bool:
    """Return whether a text is a length that needs no roll, or one for each scale."""
    rolled = isinstance(text, Distance) and not isinstance(text.amount, Decimal)
    return isinstance(text, Distance | Span | Scaled) and not rolled


@dataclass(frozen=True, slots=True)
class Diagram(Table):
    """A formation drawn from ranks of figures, one row for each, the front rank first.

    One of several `drawings` has a row for each of those instead.
    """

    kind: ClassVar[str] = "diagram"

    key: Mapping[str, str] | None = None
    open_order: bool = False
    caption: str = ""
    drawings: tuple[Drawing, ...] = ()

    @property
    def signs(self) -> frozenset[str]:
        """The signs of all figures that are drawn, and `.` if there are gaps."""
        ranks = [rank for drawing in self.drawings for rank in drawing.ranks]
        if not self.drawings:
            ranks = [tuple(str(cell) for cell in row.cells) for row in self.rows]
        return frozenset(sign for rank in ranks for sign in rank)
