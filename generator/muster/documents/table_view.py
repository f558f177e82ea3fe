"""A table as it is printed: cells as text, footnotes, numbered steps, captions and shading."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_HALF_UP, Decimal
from itertools import combinations, pairwise

from muster.systems import System
from muster.systems.errata import Erratum, TablePlace, errata_by_place
from muster.tables import Column, Definitions, Diagram, Lookup, Modifiers, Row, Steps, Table
from muster.values import BLANK, DASH, Band, Distance, Number, Span, Text, Value

_FORMULA = re.compile(r"[-+−–×÷()\dD½¼¾ ″′]+")
"""A formula, such as a roll in another unit: `(D6 + 16) ÷ 2½″`."""

_MAX_VALUE_CHARS = 16
"""Characters that a cell beside its label may have before it counts as words."""

SHADES = 6
"""How many steps of shading a shaded table has, 0 being none."""


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell as printed. `kind` is `number`, `signed`, `text`, `dash` or `blank`.

    A blank is `wide` if words are to be written in.
    """

    text: str
    kind: str = "text"
    marks: tuple[int, ...] = ()
    shade: int = 0
    wide: bool = False


@dataclass(frozen=True, slots=True)
class ColumnHead:
    """A column's head. `kind` is `band`, `words` over a column that is mostly words, or `text`."""

    label: str
    marks: tuple[int, ...] = ()
    kind: str = "text"


@dataclass(frozen=True, slots=True)
class TableLine:
    """A row as printed. `group` is set on the first row of each group only, `within` on all.

    `changed` says that it differs from an older edition, and wants a bar in the margin.
    """

    label: str
    cells: tuple[TableCell, ...]
    marks: tuple[int, ...] = ()
    group: str = ""
    depth: int = 0
    number: str = ""
    within: str = ""
    changed: bool = False


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as printed.

    `form` is `grid`, `pairs` (label and number), `outcomes` (label and words), `terms`,
    `listed` (label, then each cell after its head), `steps` or `figure`. `parts` are its lines as
    they stand side by side, if it is folded. `number` is the table's own in the rulebook.
    """

    id: str
    title: str
    form: str
    lines: tuple[TableLine, ...]
    heads: tuple[ColumnHead, ...] = ()
    marks: tuple[int, ...] = ()
    remark: str = ""
    notes: tuple[str, ...] = ()
    source: str = ""
    figure: Formation | None = None
    parts: tuple[tuple[TableLine, ...], ...] = ()
    number: str = ""
    meaning: str = ""
    corner: str = ""
    """What the labels of a grid's rows are, where they are numbers."""


@dataclass(frozen=True, slots=True)
class Formation:
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
    _spots: dict[TablePlace, list[Erratum]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Sort the system's errata by their spots, once."""
        self._spots = errata_by_place(self.system.errata)

    def marks_at(self, table: str, row: str = "", column: str = "") -> tuple[int, ...]:
        """Give the marks of a spot, numbering errata that were not met before.

        A plain slip has no mark; neither has a blank, whose box speaks for itself, unless
        it stands on a named row or column.
        """
        numbers = []
        for entry in self._spots.get(TablePlace(table, row, column), ()):
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
            Footnote(self._numbers[entry.id], _footnote_text(entry), entry.lines)
            for entry in self._entries
        )


def _footnote_text(entry: Erratum) -> str:
    """Say what is read; where that is what is printed, why it is doubtful."""
    read = entry.read
    if read.rstrip(".").lower() == "as printed":
        read = f"As printed: {entry.reason[:1].lower()}{entry.reason[1:]}"
    return f"{read.rstrip('.')}."


PartFilter = Callable[[Column | Row | Table], bool]


def keep_all(_: Column | Row | Table) -> bool:
    """Keep everything: the sheet of a whole system."""
    return True


def view_table(  # noqa: PLR0913 - the choices that a sheet file has
    table: Table,
    footnotes: Footnotes,
    *,
    rows: Sequence[str] = (),
    short: bool = False,
    shade: bool = False,
    turned: bool = False,
    listed: bool = False,
    keep: PartFilter = keep_all,
) -> TableView:
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
    table = _drop_columns(table, keep)
    shown = table.rows if table.columns else ()
    chosen = [row for row in shown if (not rows or row.id in rows) and keep(row)]
    lines, heads = _view_rows(table, chosen, footnotes, short=short)
    if shade:
        lines = _shade_cells(lines, chosen)
    if turned:
        lines, heads = _transpose(lines, heads)
    figure = None
    if isinstance(table, Diagram):
        figure = Formation(
            tuple(tuple("." if c is DASH else str(c) for c in row.cells) for row in table.rows),
            tuple((table.key or {}).items()),
            table.open_order,
            table.caption,
        )
    form = "listed" if listed else "grid" if turned else _choose_form(table, lines)
    if form == "grid":
        heads = _mark_word_columns(lines, heads)
    marks = footnotes.marks_at(table.id)
    if form in ("pairs", "outcomes"):
        marks += tuple(mark for head in heads for mark in head.marks if mark not in marks)
    return TableView(
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
        meaning=describe_modifiers(table),
        corner=corner_of(table) if form == "grid" and not turned else "",
    )


def _drop_columns(table: Table, keep: PartFilter) -> Table:
    """Leave out the columns that do not concern the reader's own army."""
    places = [place for place, column in enumerate(table.columns) if keep(column)]
    if len(places) == len(table.columns):
        return table
    rows = [replace(row, cells=tuple(row.cells[place] for place in places)) for row in table.rows]
    columns = tuple(table.columns[place] for place in places)
    return replace(table, columns=columns, rows=tuple(rows))


def _choose_form(table: Table, lines: Sequence[TableLine]) -> str:
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
            wordy = any(len(cell.text) > _MAX_VALUE_CHARS for line in lines for cell in line.cells)
            return "outcomes" if wordy or sum(prose) * 2 > len(prose) else "pairs"


def _view_cell(
    value: Value, form: str, marks: tuple[int, ...], short: str = "", band: Distance | None = None
) -> TableCell:
    if value is BLANK:
        return TableCell("", "blank", marks, wide=form == "text")
    if value is DASH:
        return TableCell("–", "dash", marks)
    if isinstance(value, Text):
        words = short or str(value)
        if _FORMULA.fullmatch(words):
            return TableCell(_no_break(words), "number", marks)
        return TableCell(words, "text", marks)
    text = value.show() + length_in_bands(value, band)
    return TableCell(text, "signed" if form in ("modifier", "cost") else "number", marks)


def _no_break(words: str) -> str:
    """Keep words on one line."""
    return words.replace(" ", "\u00a0")


def length_in_bands(value: Value, band: Distance | None) -> str:
    """Give a length in bands, in brackets, for rules that measure in them: ` (3)`."""
    if band is None or not isinstance(band.amount, Decimal):
        return ""
    match value:
        case Distance(amount=Decimal() as amount, unit=band.unit):
            return f" ({_round_bands(amount / band.amount)})"
        case Span(band=Band(low=low, high=high), unit=band.unit):
            ends = [_round_bands(end / band.amount) for end in (low, high) if end is not None]
            return f" ({'–'.join(ends)})"
        case _:
            return ""


def _round_bands(bands: Decimal) -> str:
    """Give a number of bands: every length is whole ones, but for the rounding of another unit."""
    return f"{bands.to_integral_value(ROUND_HALF_UP):f}"


def _view_rows(
    table: Table, rows: Sequence[Row], footnotes: Footnotes, *, short: bool
) -> tuple[list[TableLine], list[ColumnHead]]:
    banded = any(column.band for column in table.columns)
    kind = "band" if banded else "text"
    names = [column.split_from or column.id for column in table.columns]
    heads = [
        ColumnHead(column.label, footnotes.marks_at(table.id, "", name), kind)
        for column, name in zip(table.columns, names, strict=True)
    ]
    lines: list[TableLine] = []
    group = ""
    counters: list[int] = []
    for row in rows:
        counters = [*counters, *[0] * (row.depth + 1 - len(counters))][: row.depth + 1]
        counters[row.depth] += 1
        cells = tuple(
            _view_cell(
                cell,
                column.form,
                footnotes.marks_at(table.id, row.id, name),
                row.short if short and column.id == "text" else "",
                table.per_band,
            )
            for cell, column, name in zip(row.cells, table.columns, names, strict=True)
        )
        heading = row.group if row.group != group else ""
        group = row.group
        marks = footnotes.marks_at(table.id, row.id)
        number = step_number(counters)
        lines.append(TableLine(row.label, cells, marks, heading, row.depth, number, row.group))
    return lines, heads


def _shade_cells(lines: Sequence[TableLine], rows: Sequence[Row]) -> list[TableLine]:
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
            TableCell(cell.text, cell.kind, cell.marks, min(step(value), SHADES))
            for cell, value in zip(line.cells, row.cells, strict=True)
        )
        shaded.append(replace(line, cells=cells))
    return shaded


def _mark_word_columns(lines: Sequence[TableLine], heads: Sequence[ColumnHead]) -> list[ColumnHead]:
    """Mark the heads of columns that are mostly words: they stand left, as their cells do."""

    def wordy(place: int) -> bool:
        kinds = [line.cells[place].kind for line in lines]
        return kinds.count("text") > kinds.count("number") + kinds.count("signed")

    return [
        replace(head, kind="words") if head.kind == "text" and wordy(place) else head
        for place, head in enumerate(heads)
    ]


def _transpose(
    lines: Sequence[TableLine], heads: Sequence[ColumnHead]
) -> tuple[list[TableLine], list[ColumnHead]]:
    new_heads = [ColumnHead(line.label, line.marks) for line in lines]
    new_lines = [
        TableLine(head.label, tuple(line.cells[place] for line in lines), head.marks)
        for place, head in enumerate(heads)
    ]
    return new_lines, new_heads


def remark_of(table: Table) -> str:
    """Give the remark of a table of one column, which prints no head: it says what a head would.

    A head of one word, or of words that stand in the title, says nothing more.
    """
    head = table.columns[0].label if len(table.columns) == 1 else ""
    said = f"{table.title} {table.remark}".casefold()
    if " " not in head or head.casefold() in said:
        return table.remark
    return f"{table.remark}; {head[:1].lower()}{head[1:]}" if table.remark else head


def corner_of(table: Table) -> str:
    """Name the bands down a grid, unless there are bands across it, too."""
    if isinstance(table, Lookup) and table.down and not any(c.band for c in table.columns):
        return table.down.title
    return ""


def describe_modifiers(table: Table) -> str:
    """Say what modifiers change, for whom, and which are good; other tables need no words."""
    if not isinstance(table, Modifiers):
        return ""
    sign = "plus" if table.good == "high" else "minus"
    who = f"For {table.whose}: changes" if table.whose else "Changes"
    return f"{who} {table.changes}; {sign} is good."


_ROMAN = (
    *(("c", 100), ("xc", 90), ("l", 50), ("xl", 40), ("x", 10)),
    *(("ix", 9), ("v", 5), ("iv", 4), ("i", 1)),
)


def step_number(counters: Sequence[int]) -> str:
    """Number a step: 1, 2, … and within them a, b, …, and within those i, ii, …."""
    last = counters[-1]
    match len(counters):
        case 1:
            return str(last)
        case 2:
            return _to_letters(last)
        case _:
            return _to_roman(last)


def _to_letters(number: int) -> str:
    """Count a, b, … z, aa, ab, …."""
    letters = ""
    while number:
        number, left = divmod(number - 1, 26)
        letters = chr(ord("a") + left) + letters
    return letters


def _to_roman(number: int) -> str:
    signs = ""
    for sign, worth in _ROMAN:
        times, number = divmod(number, worth)
        signs += sign * times
    return signs


CONTINUED = "{}, cont."
"""How the head of a group reads where the group goes on in the next part."""

LineGroup = tuple[TableLine, ...]


def fold_view(view: TableView, times: int) -> TableView:
    """Give a list of pairs or outcomes in so many parts; any other form does not fold."""
    if view.form not in {"pairs", "outcomes"} or not 1 < times <= len(view.lines):
        return view
    return replace(view, parts=_split_lines(view.lines, times))


def _split_lines(lines: Sequence[TableLine], times: int) -> tuple[LineGroup, ...]:
    """Break lines where the highest part is lowest, then where fewest groups are broken."""

    def cut(breaks: tuple[int, ...]) -> list[Sequence[TableLine]]:
        return [lines[start:end] for start, end in pairwise((0, *breaks, len(lines)))]

    def worth(parts: Sequence[Sequence[TableLine]]) -> tuple[int, int, list[int]]:
        heights = [len(part) + _count_headings(part) for part in parts]
        broken = sum(_continues_group(part) for part in parts[1:])
        return max(heights), broken, [-height for height in heights]

    ways = (cut(breaks) for breaks in combinations(range(1, len(lines)), times - 1))
    best = min(ways, key=worth)
    return tuple(_repeat_heading(part, first=place == 0) for place, part in enumerate(best))


def _continues_group(part: Sequence[TableLine]) -> bool:
    """Tell whether a part begins amid a group."""
    return bool(part[0].within) and not part[0].group


def _count_headings(part: Sequence[TableLine]) -> int:
    return sum(bool(line.group) for line in part) + _continues_group(part)


def _repeat_heading(part: Sequence[TableLine], *, first: bool) -> LineGroup:
    top, *rest = part
    if not first and _continues_group(part):
        top = replace(top, group=CONTINUED.format(top.within))
    return (top, *rest)
