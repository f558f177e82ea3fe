"""Owns a table as it is to be printed: plain text in cells, footnote marks, shades; no HTML.

Does not choose which tables print (see `sheet`) and does not know fonts or pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_HALF_UP, Decimal

from generator.documents.captions import corner_of, meaning_of, remark_of
from generator.documents.numbering import step_number
from generator.systems import System
from generator.systems.errata import Erratum, Spot, spots
from generator.tables import Column, Definitions, Diagram, Modifiers, Row, Steps, Table
from generator.values import BLANK, DASH, Band, Distance, Number, Span, Text, Value

_SUM = re.compile(r"[-+−–×÷()\dD½¼¾ ″′]+")
"""A formula, such as a roll in another unit: `(D6 + 16) ÷ 2½″`."""

_FEW = 16
"""Characters that a cell beside its label may have before it counts as words."""

SHADES = 6
"""How many steps of shading a shaded table has, 0 being none."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as printed. `kind` is `number`, `signed`, `text`, `dash` or `blank`.

    A blank is `wide` if words are to be written in.
    """

    text: str
    kind: str = "text"
    marks: tuple[int, ...] = ()
    shade: int = 0
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Head:
    """A column's head. `kind` is `band`, `words` over a column that is mostly words, or `text`."""

    label: str
    marks: tuple[int, ...] = ()
    kind: str = "text"


@dataclass(frozen=True, slots=True)
class Line:
    """A row as printed. `group` is set on the first row of each group only, `within` on all.

    `changed` says that it differs from an older edition, and wants a bar in the margin.
    """

    label: str
    cells: tuple[Cell, ...]
    marks: tuple[int, ...] = ()
    group: str = ""
    depth: int = 0
    number: str = ""
    within: str = ""
    changed: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """A table as printed.

    `form` is `grid`, `pairs` (label and number), `outcomes` (label and words), `terms`,
    `listed` (label, then each cell after its head), `steps` or `figure`. `parts` are its lines as
    they stand side by side, if it is folded. `number` is the table's own in the rulebook.
    """

    id: str
    title: str
    form: str
    lines: tuple[Line, ...]
    heads: tuple[Head, ...] = ()
    marks: tuple[int, ...] = ()
    remark: str = ""
    notes: tuple[str, ...] = ()
    source: str = ""
    figure: Figure | None = None
    parts: tuple[tuple[Line, ...], ...] = ()
    number: str = ""
    meaning: str = ""
    corner: str = ""
    """What the labels of a grid's rows are, where they are numbers."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A formation: ranks of figure tokens, the front rank first, and what each token means."""

    ranks: tuple[tuple[str, ...], ...]
    key: tuple[tuple[str, str], ...]
    open_order: bool
    caption: str


@dataclass(frozen=True, slots=True)
class Footnote:
    """A numbered note: a doubtful place of the source and the reading adopted."""

    number: int
    text: str
    lines: str


@dataclass
class Footnotes:
    """Numbers the errata of one page in the order in which they are met."""

    system: System
    _numbers: dict[str, int] = field(default_factory=dict)
    _entries: list[Erratum] = field(default_factory=list)
    _spots: dict[Spot, list[Erratum]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Sort the system's errata by their spots, once."""
        self._spots = spots(self.system.errata)

    def at(self, table: str, row: str = "", column: str = "") -> tuple[int, ...]:
        """Give the marks of a spot, numbering errata that were not met before.

        A plain slip has no mark; neither has a blank, whose box speaks for itself, unless
        it stands on a named row or column.
        """
        numbers = []
        for entry in self._spots.get(Spot(table, row, column), ()):
            if not entry.flagged:
                continue
            if entry.id not in self._numbers:
                self._numbers[entry.id] = len(self._numbers) + 1
                self._entries.append(entry)
            numbers.append(self._numbers[entry.id])
        return tuple(numbers)

    @property
    def numbers(self) -> dict[str, int]:
        """The number of each erratum that was met, by its id."""
        return dict(self._numbers)

    def notes(self) -> tuple[Footnote, ...]:
        """Give the notes met so far, in order."""
        return tuple(
            Footnote(self._numbers[entry.id], _note(entry), entry.lines) for entry in self._entries
        )


def _note(entry: Erratum) -> str:
    """Say what is read; where that is what is printed, why it is doubtful."""
    read = entry.read
    if read.rstrip(".").lower() == "as printed":
        read = f"As printed: {entry.reason[:1].lower()}{entry.reason[1:]}"
    return f"{read.rstrip('.')}."


Keep = Callable[[Column | Row | Table], bool]


def keep_all(_: Column | Row | Table) -> bool:
    """Keep everything: the sheet of a whole system."""
    return True


def view(  # noqa: PLR0913 - the choices that a sheet file has
    table: Table,
    footnotes: Footnotes,
    *,
    rows: Sequence[str] = (),
    short: bool = False,
    shade: bool = False,
    turned: bool = False,
    listed: bool = False,
    keep: Keep = keep_all,
) -> View:
    """Make a table ready to print.

    Args:
        table: The table, already reduced to the scale or scales that print.
        footnotes: Collects the errata met on this page.
        rows: The ids of the rows that print; none named means all.
        short: Prefer the short texts of definitions and steps.
        shade: Shade the cells of a grid by the size of their numbers.
        turned: Swap rows and columns of a grid.
        listed: Run a grid's cells on in words, each after its column's head.
        keep: Which tables, rows and columns concern the reader's own army.
    """
    table = _narrowed(table, keep)
    shown = table.rows if table.columns else ()
    chosen = [row for row in shown if (not rows or row.id in rows) and keep(row)]
    lines, heads = _lines(table, chosen, footnotes, short=short)
    if shade:
        lines = _shaded(lines, chosen)
    if turned:
        lines, heads = _turned(lines, heads)
    figure = None
    if isinstance(table, Diagram):
        figure = Figure(
            tuple(tuple("." if c is DASH else str(c) for c in row.cells) for row in table.rows),
            tuple((table.key or {}).items()),
            table.open_order,
            table.caption,
        )
    form = "listed" if listed else "grid" if turned else _form(table, lines)
    if form == "grid":
        heads = _aligned(lines, heads)
    marks = footnotes.at(table.id)
    if form in ("pairs", "outcomes"):
        marks += tuple(mark for head in heads for mark in head.marks if mark not in marks)
    return View(
        id=table.id,
        title=table.title,
        form=form,
        lines=tuple(lines),
        heads=tuple(heads),
        marks=marks,
        remark=remark_of(table) if form in ("pairs", "outcomes") else table.remark,
        notes=table.notes,
        source=table.source,
        figure=figure,
        number=footnotes.system.table_number(table.id),
        meaning=meaning_of(table),
        corner=corner_of(table) if form == "grid" and not turned else "",
    )


def _narrowed(table: Table, keep: Keep) -> Table:
    """Leave out the columns that do not concern the reader's own army."""
    places = [place for place, column in enumerate(table.columns) if keep(column)]
    if len(places) == len(table.columns):
        return table
    rows = [replace(row, cells=tuple(row.cells[place] for place in places)) for row in table.rows]
    columns = tuple(table.columns[place] for place in places)
    return replace(table, columns=columns, rows=tuple(rows))


def _form(table: Table, lines: Sequence[Line]) -> str:
    match table:
        case Diagram():
            return "figure"
        case Steps():
            return "steps"
        case Modifiers():
            return "pairs"
        case Definitions():
            values_only = len(table.columns) == 1 and table.columns[0].id == "value"
            return "pairs" if values_only else "terms"
        case _:
            if len(table.columns) > 1:
                return "grid"
            prose = [cell.kind == "text" for line in lines for cell in line.cells]
            wordy = any(len(cell.text) > _FEW for line in lines for cell in line.cells)
            return "outcomes" if wordy or sum(prose) * 2 > len(prose) else "pairs"


def _cell(
    value: Value, form: str, marks: tuple[int, ...], short: str = "", band: Distance | None = None
) -> Cell:
    if value is BLANK:
        return Cell("", "blank", marks, wide=form == "text")
    if value is DASH:
        return Cell("–", "dash", marks)
    if isinstance(value, Text):
        words = short or str(value)
        if _SUM.fullmatch(words):
            return Cell(_together(words), "number", marks)
        return Cell(words, "text", marks)
    text = value.show() + in_bands(value, band)
    return Cell(text, "signed" if form in ("modifier", "cost") else "number", marks)


def _together(words: str) -> str:
    """Keep words on one line."""
    return words.replace(" ", "\u00a0")


def in_bands(value: Value, band: Distance | None) -> str:
    """Give a length in bands, in brackets, for rules that measure in them: ` (3)`."""
    if band is None or not isinstance(band.amount, Decimal):
        return ""
    match value:
        case Distance(amount=Decimal() as amount, unit=band.unit):
            return f" ({_whole(amount / band.amount)})"
        case Span(band=Band(low=low, high=high), unit=band.unit):
            ends = [_whole(end / band.amount) for end in (low, high) if end is not None]
            return f" ({'–'.join(ends)})"
        case _:
            return ""


def _whole(bands: Decimal) -> str:
    """Give a number of bands: every length is whole ones, but for the rounding of another unit."""
    return f"{bands.to_integral_value(ROUND_HALF_UP):f}"


def _lines(
    table: Table, rows: Sequence[Row], footnotes: Footnotes, *, short: bool
) -> tuple[list[Line], list[Head]]:
    banded = any(column.band for column in table.columns)
    kind = "band" if banded else "text"
    names = [column.split_from or column.id for column in table.columns]
    heads = [
        Head(column.label, footnotes.at(table.id, "", name), kind)
        for column, name in zip(table.columns, names, strict=True)
    ]
    lines: list[Line] = []
    group = ""
    counters: list[int] = []
    for row in rows:
        counters = [*counters, *[0] * (row.depth + 1 - len(counters))][: row.depth + 1]
        counters[row.depth] += 1
        cells = tuple(
            _cell(
                cell,
                column.form,
                footnotes.at(table.id, row.id, name),
                row.short if short and column.id == "text" else "",
                table.per_band,
            )
            for cell, column, name in zip(row.cells, table.columns, names, strict=True)
        )
        heading = row.group if row.group != group else ""
        group = row.group
        marks = footnotes.at(table.id, row.id)
        number = step_number(counters)
        lines.append(Line(row.label, cells, marks, heading, row.depth, number, row.group))
    return lines, heads


def _shaded(lines: Sequence[Line], rows: Sequence[Row]) -> list[Line]:
    """Shade cells by size, from none at 0 to the darkest at the table's greatest number."""
    numbers = [cell.amount for row in rows for cell in row.cells if isinstance(cell, Number)]
    greatest = max(numbers, default=Decimal(0))
    if greatest <= 0:
        return list(lines)

    def step(value: Value) -> int:
        if not isinstance(value, Number) or value.amount <= 0:
            return 0
        return 1 + int((SHADES - 1) * value.amount / greatest)

    shaded = []
    for line, row in zip(lines, rows, strict=True):
        cells = tuple(
            Cell(cell.text, cell.kind, cell.marks, min(step(value), SHADES))
            for cell, value in zip(line.cells, row.cells, strict=True)
        )
        shaded.append(replace(line, cells=cells))
    return shaded


def _aligned(lines: Sequence[Line], heads: Sequence[Head]) -> list[Head]:
    """Mark the heads of columns that are mostly words: they stand left, as their cells do."""

    def wordy(place: int) -> bool:
        kinds = [line.cells[place].kind for line in lines]
        return kinds.count("text") > kinds.count("number") + kinds.count("signed")

    return [
        replace(head, kind="words") if head.kind == "text" and wordy(place) else head
        for place, head in enumerate(heads)
    ]


def _turned(lines: Sequence[Line], heads: Sequence[Head]) -> tuple[list[Line], list[Head]]:
    new_heads = [Head(line.label, line.marks) for line in lines]
    new_lines = [
        Line(head.label, tuple(line.cells[place] for line in lines), head.marks)
        for place, head in enumerate(heads)
    ]
    return new_lines, new_heads
