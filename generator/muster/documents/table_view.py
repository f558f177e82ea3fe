"""A table as it is printed: cells as text, footnotes, numbered steps, captions and shading."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_HALF_UP, Decimal
from itertools import combinations, groupby, pairwise

from muster.armies.fields import lower_first
from muster.languages import keeps_capitals, marked, say, say_number, with_decimal_mark
from muster.systems import System
from muster.systems.errata import Erratum, TablePlace, errata_by_place
from muster.tables import (
    Column,
    Definitions,
    Diagram,
    Drawing,
    Lookup,
    Modifiers,
    Note,
    Row,
    Steps,
    Table,
)
from muster.values import BLANK, DASH, Band, Dice, Distance, Modifier, Number, Span, Text, Value

_FORMULA = re.compile(r"[-+−–×÷()\dD½¼¾ ″′]+")
"""A formula, such as a roll in another unit: `(D6 + 16) ÷ 2½″`."""

_MAX_VALUE_CHARS = 16
"""The characters up to which a cell beside its label counts as a value and not as words."""

SHADES = 6
"""The number of the darkest shade of a shaded table; 0 is no shade."""


@dataclass(frozen=True, slots=True)
class PrintedCell:
    """A cell as printed.

    `kind` is `number`, `signed`, `text`, `dash` or `blank`. A blank is `wide` if it is a box for
    words.
    """

    text: str
    kind: str = "text"
    marks: tuple[str, ...] = ()
    shade: int = 0
    wide: bool = False


@dataclass(frozen=True, slots=True)
class ColumnHead:
    """A column's head.

    `kind` is `band`, `words` for a column that is mostly words, or `text` for any other.
    """

    label: str
    marks: tuple[str, ...] = ()
    kind: str = "text"


@dataclass(frozen=True, slots=True)
class TableLine:
    """A row as printed.

    `within` is the row's group; `group` is the same, but only on the first row of each group. A
    row that differs from an older edition is `changed`, and gets a bar in the margin. In a main
    table, every second class of rows is `banded`, and a row with a heavier rule below is
    `ruled`; among modifiers, those that help are `banded`. A row whose label begins with its
    class has it as its `category`, and `is_first` is whether it is the first of it. A row has
    an `anchor` if the index of a book leads to it, and in the web edition, where search does.
    """

    label: str
    cells: tuple[PrintedCell, ...]
    marks: tuple[str, ...] = ()
    group: str = ""
    depth: int = 0
    number: str = ""
    within: str = ""
    changed: bool = False
    banded: bool = False
    ruled: bool = False
    category: str = ""
    is_first: bool = True
    anchor: str = ""

    @property
    def rest(self) -> str:
        """What the label says after the category."""
        return self.label.removeprefix(f"{self.category}, ")


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as printed.

    `form` is `grid`, `pairs` (label and number), `outcomes` (label and words), `terms`,
    `listed` (label, then each cell after its head), `steps` or `figure`. If the table is folded,
    `parts` are its lines as they are printed side by side. `number` is the table's number in the
    rulebook.
    """

    id: str
    title: str
    form: str
    lines: tuple[TableLine, ...]
    heads: tuple[ColumnHead, ...] = ()
    marks: tuple[str, ...] = ()
    remark: str = ""
    notes: tuple[str, ...] = ()
    source: str = ""
    figure: Formation | None = None
    parts: tuple[tuple[TableLine, ...], ...] = ()
    number: str = ""
    meaning: str = ""
    corner: str = ""
    """What the labels of a grid's rows measure, if they are bands of numbers."""
    joined: tuple[str, ...] = ()
    """The ids of the tables below it that are part of it."""


@dataclass(frozen=True, slots=True)
class Formation:
    """A formation: ranks of figure tokens, the front rank first, and what each token means.

    A diagram of several drawings has those, each with its text for who cannot see it, and no ranks.
    """

    ranks: tuple[tuple[str, ...], ...]
    key: tuple[tuple[str, str], ...]
    open_order: bool
    caption: str
    drawings: tuple[tuple[Drawing, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Footnote:
    """A note: a doubtful place of the source and the reading adopted.

    `mark` is what stands beside the place, a letter. `number` is that of the erratum in a rulebook
    that lists them; else empty.
    """

    mark: str
    text: str
    lines: str
    number: str = ""


@dataclass
class Footnotes:
    """The footnotes of one page: errata, in the order in which they are first marked.

    On a sheet, a page `for_play`, only those errata that have words for it are footnotes, and
    their marks are letters: beside the figures of a table, a number would be read as one of them.
    """

    system: System
    for_play: bool = False
    _numbers: dict[str, int] = field(default_factory=dict)
    _entries: list[Erratum] = field(default_factory=list)
    _by_place: dict[TablePlace, list[Erratum]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Sort the system's errata by their places, once."""
        self._by_place = errata_by_place(self.system.errata)

    def marks_at(self, table: str, row: str = "", column: str = "") -> tuple[str, ...]:
        """Return the marks of a place's footnotes in order, giving new errata the next marks.

        A plain slip of the source has no footnote.
        """
        numbers = []
        for entry in self._by_place.get(TablePlace(table, row, column), ()):
            if not entry.flagged or (self.for_play and not entry.sheet):
                continue
            numbers.append(self.number_of(entry.id))
        return tuple(self._mark(number) for number in sorted(numbers))

    def _mark(self, number: int) -> str:
        return to_letters(number) if self.for_play else str(number)

    def number_of(self, erratum: str) -> int:
        """Return the number of an erratum by its id; a new one gets the next."""
        if erratum not in self._numbers:
            self._numbers[erratum] = len(self._numbers) + 1
            self._entries += [each for each in self.system.errata.entries if each.id == erratum]
        return self._numbers[erratum]

    def slips_of(self, table: str) -> tuple[str, ...]:
        """Return the numbers of the plain slips in a table, giving new ones the next numbers."""
        slips = {
            entry.id: None
            for place, entries in self._by_place.items()
            for entry in entries
            if place.table == table and not entry.flagged
        }
        return tuple(str(number) for number in sorted(map(self.number_of, slips)))

    @property
    def numbers(self) -> dict[str, int]:
        """The number of each erratum marked so far, by its id."""
        return dict(self._numbers)

    def notes(self) -> tuple[Footnote, ...]:
        """Return the footnotes marked so far, in order."""
        return tuple(
            Footnote(self._mark(self._numbers[entry.id]), self._text(entry), entry.lines)
            for entry in self._entries
        )

    def _text(self, entry: Erratum) -> str:
        return entry.sheet if self.for_play else _footnote_text(entry)


def _footnote_text(entry: Erratum) -> str:
    """Return the reading of a doubtful place or, if it is the printed one, why it is in doubt."""
    read = entry.read
    if read.rstrip(".").lower() == "as printed":
        read = say("As printed: {why}", why=lower_first(entry.reason))
    return f"{read.rstrip('.')}."


Part = Column | Note | Row | Table

PartFilter = Callable[[Part], bool]
"""Returns whether a table, row, column or note is printed."""


def keep_all(_: Part) -> bool:
    """Return True, so that everything is printed: the filter of a whole system's sheet."""
    return True


def view_table(  # noqa: PLR0913 - the options of a sheet file
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
    """Return a table ready to print.

    Args:
        table: The table, already reduced to the scale or scales that are printed.
        footnotes: The footnotes of the page; those of the table are added.
        rows: The ids of the rows to print, in this order; all if it is empty.
        short: Whether to prefer the short texts of definitions and steps.
        shade: Whether to shade the cells of a grid by the size of their numbers.
        turned: Whether to swap the rows and columns of a grid.
        listed: Whether to print the cells of a row as words, each after its column's head.
        keep: Which rows and columns concern the reader's own army.
    """
    table = _drop_columns(table, keep)
    available = table.rows if table.columns else ()
    shown = [row for row in available if (not rows or row.id in rows) and keep(row)]
    if rows:
        shown.sort(key=lambda row: rows.index(row.id))
    if footnotes.for_play and isinstance(table, Modifiers):
        shown = _sort_modifiers(shown, low=table.good == "low")
    lines, heads = _view_rows(table, shown, footnotes, short=short)
    if shade:
        lines = _shade_cells(lines, shown)
    if turned:
        lines, heads = _transpose(lines, heads)
    figure = None
    if isinstance(table, Diagram):
        figure = _view_diagram(table, shown)
    form = "listed" if listed else "grid" if turned else _choose_form(table, lines)
    if form == "grid":
        heads = _mark_word_columns(lines, heads)
    if form == "pairs" and isinstance(table, Modifiers):
        lines = _band_helpful(lines, "−" if table.good == "low" else "+")
    marks = footnotes.marks_at(table.id)
    if form in ("pairs", "outcomes"):
        marks += tuple(mark for head in heads for mark in head.marks if mark not in marks)
        marks = tuple(sorted(marks, key=lambda mark: (len(mark), mark)))
    return TableView(
        id=table.id,
        title=table.title,
        form=form,
        lines=tuple(lines),
        heads=tuple(heads),
        marks=marks,
        remark=_remark_of(table) if form in ("pairs", "outcomes") else table.remark,
        notes=_notes_of(table, footnotes, keep),
        source=table.source,
        figure=figure,
        number=footnotes.system.table_number(table.id),
        meaning=_describe_modifiers(table),
        corner=_corner_of(table, turned=turned) if form == "grid" else "",
    )


def name_by_number(number: str, *, is_drawing: bool, capital: bool = False) -> str:
    """Return what a text calls a table, or a drawing among the tables: `table 5.2`, `figure 5.3`.

    Args:
        number: Its number; empty if it has none.
        is_drawing: Whether it is a drawing.
        capital: Whether the name begins a sentence.
    """
    if is_drawing:
        name = marked("Figure\u00a0{number}") if capital else marked("figure\u00a0{number}")
    else:
        name = marked("Table\u00a0{number}") if capital else marked("table\u00a0{number}")
    return say(name, number=number).strip()


def _sort_modifiers(rows: Sequence[Row], *, low: bool) -> list[Row]:
    """Return rows with what helps most first; equals stand as written, or turned like the others.

    Rows that are written from what helps least, such as grades of leaders, are turned as a whole.
    """

    def place(row: Row) -> tuple[int, Decimal]:
        return _place_among_modifiers(row.cells[0], low=low)

    places = [place(row) for row in rows]
    is_rising = len(set(places)) > 1 and places == sorted(places, reverse=True)
    return sorted(reversed(rows) if is_rising else rows, key=place)


def _place_among_modifiers(value: Value, *, low: bool) -> tuple[int, Decimal]:
    """Return what sorts a modifier among others: what helps most first, dice before numbers.

    A box to fill in, for the roll itself, stands before all, and a dash after all.
    """
    match value:
        case Modifier(amount=Dice(), minus=minus):
            return (-1 if minus == low else 1, Decimal(0))
        case Modifier(amount=Decimal() as amount):
            return (0, amount if low else -amount)
        case _:
            return (-2 if value is BLANK else 2, Decimal(0))


def _view_diagram(table: Diagram, shown: Sequence[Row]) -> Formation:
    key = table.key or {}
    ranks: tuple[tuple[str, ...], ...] = ()
    if not table.drawings:
        ranks = tuple(tuple("." if c is DASH else str(c) for c in row.cells) for row in table.rows)
    drawings = tuple(
        (drawing, _describe_drawing(drawing, key))
        for drawing, row in zip(table.drawings, table.rows, strict=False)
        if row in shown
    )
    caption = table.caption
    if not all(drawing.is_to_scale for drawing, _ in drawings):
        not_to_scale = say("Not to scale.")
        caption = f"{caption} {not_to_scale}".strip()
    return Formation(ranks, tuple(key.items()), table.open_order, caption, drawings)


def _describe_drawing(drawing: Drawing, key: Mapping[str, str]) -> str:
    """Return a drawing in words, for readers who cannot see it."""
    if drawing.scene:
        what = drawing.alt
    elif drawing.arc:
        what = say("an arc of {angle}° to the front", angle=with_decimal_mark(f"{drawing.arc:g}"))
    elif drawing.rose:
        signs = ", ".join(sign or say("a box to fill in") for sign in drawing.rose)
        what = say_number(
            "{n} direction, clockwise from straight ahead: {signs}",
            "{n} directions, clockwise from straight ahead: {signs}",
            len(drawing.rose),
            signs=signs,
        )
    else:
        gap = say("gap")
        ranks = [
            ", ".join(f"{len(list(run))} × {key.get(sign, gap)}" for sign, run in groupby(rank))
            for rank in drawing.ranks
        ]
        what = "; ".join(
            say("rank {number}: {what}", number=n, what=words) for n, words in enumerate(ranks, 1)
        )
    return f"{drawing.label}: {what}"


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
            return _choose_form_of_one_column(lines) if values_only else "terms"
        case _:
            return "grid" if len(table.columns) > 1 else _choose_form_of_one_column(lines)


def _choose_form_of_one_column(lines: Sequence[TableLine]) -> str:
    """Return `pairs` for values, which end at the right, or `outcomes` for words."""
    cells = [cell for line in lines for cell in line.cells]
    texts = [cell for cell in cells if cell.kind == "text"]
    has_long = any(len(cell.text) > _MAX_VALUE_CHARS for cell in cells)
    return "outcomes" if has_long or len(texts) * 2 > len(cells) else "pairs"


def join_views(views: Sequence[TableView]) -> list[TableView]:
    """Return views of which those with the heads of the one before are part of it.

    The rows of a table that had a head of its own are a group. A single row says itself what it is,
    unless that of another table says the same: then it has the title of its table.
    """
    alone = Counter(view.lines[0].label for view in views if len(view.lines) == 1)
    joined: list[TableView] = []
    for view in views:
        lines = view.lines
        if len(lines) == 1 and alone[lines[0].label] > 1:
            lines = (replace(lines[0], label=view.title),)
        elif len(lines) > 1:
            lines = (replace(lines[0], group=view.title), *lines[1:])
            lines = tuple(replace(line, within=view.title) for line in lines)
        heads = [(head.label, head.marks) for head in view.heads]
        last = joined[-1] if joined else None
        if last is None or heads != [(head.label, head.marks) for head in last.heads]:
            joined.append(replace(view, lines=lines))
        else:
            joined[-1] = replace(
                last,
                lines=(*last.lines, *lines),
                notes=(*last.notes, *view.notes),
                joined=(*last.joined, view.id),
            )
    return joined


def _view_cell(
    value: Value, form: str, marks: tuple[str, ...], short: str = "", band: Distance | None = None
) -> PrintedCell:
    if value is BLANK:
        return PrintedCell("", "blank", marks, wide=form == "text")
    if value is DASH:
        return PrintedCell("–", "dash", marks)
    if isinstance(value, Text):
        words = short or str(value)
        if _FORMULA.fullmatch(words):
            return PrintedCell(_no_break(words), "number", marks)
        return PrintedCell(words, "text", marks)
    text = value.show() + length_in_bands(value, band)
    return PrintedCell(text, "signed" if form in ("modifier", "cost") else "number", marks)


def _no_break(words: str) -> str:
    """Return words that stay on one line."""
    return words.replace(" ", "\u00a0")


def length_in_bands(value: Value, band: Distance | None) -> str:
    """Return a length as a number of bands, for rules that measure in them: ` (3)`.

    Args:
        value: The value of a cell.
        band: The length of a band; without one, or if the value has another unit or is not a
            length, the result is empty.
    """
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
    """Return a number of bands without a fraction.

    Every length is a whole number of bands, but converting it to another unit may have rounded it.
    """
    return f"{bands.to_integral_value(ROUND_HALF_UP):f}"


def _view_rows(
    table: Table, rows: Sequence[Row], footnotes: Footnotes, *, short: bool
) -> tuple[list[TableLine], list[ColumnHead]]:
    kind = "band" if any(column.band for column in table.columns) else "text"
    # A column that was split by scale has the footnotes of the column as written.
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
        line = TableLine(
            label=row.label,
            cells=cells,
            marks=footnotes.marks_at(table.id, row.id),
            group="" if short or row.group == group else row.group,
            depth=row.depth,
            number=step_number(counters),
            within=row.group,
        )
        group = row.group
        lines.append(line)
    return lines, heads


def _shade_cells(lines: Sequence[TableLine], rows: Sequence[Row]) -> list[TableLine]:
    """Shade cells by size, from no shade at 0 to the darkest at the table's greatest number."""
    numbers = [cell.amount for row in rows for cell in row.cells if isinstance(cell, Number)]
    greatest = max(numbers, default=Decimal(0))
    if greatest <= 0:
        return list(lines)

    def shade_of(value: Value) -> int:
        if not isinstance(value, Number) or value.amount <= 0:
            return 0
        return 1 + int((SHADES - 1) * value.amount / greatest)

    shaded = []
    for line, row in zip(lines, rows, strict=True):
        cells = tuple(
            PrintedCell(cell.text, cell.kind, cell.marks, shade_of(value))
            for cell, value in zip(line.cells, row.cells, strict=True)
        )
        shaded.append(replace(line, cells=cells))
    return shaded


def _band_helpful(lines: Sequence[TableLine], sign: str) -> list[TableLine]:
    """Band the lines whose modifiers help whoever rolls: those with a sign."""
    return [replace(line, banded=line.cells[0].text.startswith(sign)) for line in lines]


def rule_lines(view: TableView) -> TableView:
    """Return a view whose rows are told apart by bands and heavier rules, for a main table.

    Rows of one group, or rows whose labels begin alike before a comma ("I, 1" and "I, 2–5"), are a
    class: every second class is banded, and each ends with a heavier rule. Without classes, every
    third row does.
    """
    classes = [line.within or _class_in(line.label) for line in view.lines]
    if not any(one and one == other for one, other in pairwise(classes)):
        lines = [replace(line, ruled=n % 3 == 0) for n, line in enumerate(view.lines, 1)]
    else:
        lines, number = [], 0
        for line, before, own, after in zip(
            view.lines, ["", *classes], classes, [*classes[1:], ""], strict=False
        ):
            number += bool(own) and own != before
            banded = bool(own) and number % 2 == 0
            category = _class_in(line.label)
            is_first = not category or own != before
            lines.append(
                replace(
                    line,
                    banded=banded,
                    ruled=own != after,
                    category=category,
                    is_first=is_first,
                )
            )
    return replace(view, lines=tuple(lines))


def spread_classes(view: TableView) -> TableView:
    """Return a grid whose rows stand in classes ("I, 1" and "I, 2–5") with the classes across.

    Each column of old is a group of rows, whose heading also says what rows without a class do.
    Where classes have different rows, the view stays as it is.
    """
    classes: dict[str, dict[str, TableLine]] = {}
    for line in view.lines:
        if own := _class_in(line.label):
            classes.setdefault(own, {})[line.label.removeprefix(f"{own}, ")] = line
    rows = list(next(iter(classes.values()), ()))
    if len(classes) <= 1 or any(list(each) != rows for each in classes.values()):
        return view
    plain = [line for line in view.lines if not _class_in(line.label)]
    lines = []
    for place, head in enumerate(view.heads):
        about = [f"{line.label} {line.cells[place].text}" for line in plain]
        within = " · ".join([head.label, *about])
        lines += [
            TableLine(
                label=rest,
                cells=tuple(each[rest].cells[place] for each in classes.values()),
                marks=() if number else head.marks,
                group="" if number else within,
                within=within,
            )
            for number, rest in enumerate(rows)
        ]
    return replace(view, lines=tuple(lines), heads=tuple(map(ColumnHead, classes)))


def _class_in(label: str) -> str:
    """Return what a label says before its comma; nothing if it has none."""
    before, comma, _ = label.partition(", ")
    return before if comma else ""


def _mark_word_columns(lines: Sequence[TableLine], heads: Sequence[ColumnHead]) -> list[ColumnHead]:
    """Mark the heads of columns that are mostly words: they are aligned left, as the cells are."""

    def is_mostly_words(place: int) -> bool:
        kinds = [line.cells[place].kind for line in lines]
        return kinds.count("text") > kinds.count("number") + kinds.count("signed")

    return [
        replace(head, kind="words") if head.kind == "text" and is_mostly_words(place) else head
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


def _notes_of(table: Table, footnotes: Footnotes, keep: PartFilter) -> tuple[str, ...]:
    for_play = tuple(note.text for note in table.filtered_notes if keep(note))
    return for_play if footnotes.for_play else for_play + table.book_notes


def _remark_of(table: Table) -> str:
    """Return a table's remark; that of a table of one column includes the column's head.

    Such a table is printed without heads. A head of one word, or one whose words are in the title
    or the remark already, is left out.
    """
    head = table.columns[0].label if len(table.columns) == 1 else ""
    title_and_remark = f"{table.title} {table.remark}".casefold()
    if " " not in head or head.casefold() in title_and_remark:
        return table.remark
    if not table.remark:
        return head
    return f"{table.remark}; {head if keeps_capitals() else head[:1].lower() + head[1:]}"


def _corner_of(table: Table, *, turned: bool) -> str:
    """Return the title of the bands down a grid, or across a turned one; not of bands both ways."""
    banded_across = any(column.band for column in table.columns)
    if not isinstance(table, Lookup) or not table.down or banded_across:
        return ""
    return table.down.title if not turned or any(row.band for row in table.rows) else ""


def _describe_modifiers(table: Table) -> str:
    """Return what modifiers change, for whom, and which are good; nothing for other tables.

    Where a low number is good and no modifier lowers it, plus is bad: there is no minus.
    """
    if not isinstance(table, Modifiers):
        return ""
    if table.good == "high":
        effect = say("plus is good")
    elif any(cell.show().startswith("\N{MINUS SIGN}") for row in table.rows for cell in row.cells):
        effect = say("minus is good")
    else:
        effect = say("plus is bad")
    if table.whose:
        words = marked("Changes {what}; {effect} for {whom}.")
        return say(words, whom=table.whose, what=table.changes, effect=effect)
    return say("Changes {what}; {effect}.", what=table.changes, effect=effect)


_ROMAN = (
    *(("c", 100), ("xc", 90), ("l", 50), ("xl", 40), ("x", 10)),
    *(("ix", 9), ("v", 5), ("iv", 4), ("i", 1)),
)


def step_number(counters: Sequence[int]) -> str:
    """Return a step's number: 1, 2, …; within a step a, b, …; and within that i, ii, ….

    Args:
        counters: The place, from 1, of the step and of each step around it, the outermost first.
    """
    last = counters[-1]
    match len(counters):
        case 1:
            return str(last)
        case 2:
            return to_letters(last)
        case _:
            return _to_roman(last)


def to_letters(number: int) -> str:
    """Return a number as letters: a, b, … z, aa, ab, …."""
    letters = ""
    while number:
        number, remainder = divmod(number - 1, 26)
        letters = chr(ord("a") + remainder) + letters
    return letters


def _to_roman(number: int) -> str:
    numerals = ""
    for numeral, value in _ROMAN:
        times, number = divmod(number, value)
        numerals += numeral * times
    return numerals


def continued(title: str) -> str:
    """Return the heading of a group that is continued in the next part."""
    return say("{title}, cont.", title=title)


LineGroup = tuple[TableLine, ...]


def fold_view(view: TableView, times: int) -> TableView:
    """Return a view split into parts, to be printed side by side.

    Only lists fold, with cells beside their labels or below them, and only if each part has a line;
    any other view is returned as it is.
    """
    if view.form not in {"pairs", "outcomes", "terms", "listed"} or not 1 < times <= len(
        view.lines
    ):
        return view
    return replace(view, parts=_split_lines(view.lines, times, view.form))


def _split_lines(lines: Sequence[TableLine], times: int, form: str) -> tuple[LineGroup, ...]:
    """Split lines so that the highest part is as low as possible, and then few groups are split."""

    def height_of(line: TableLine) -> int:
        # In a list of several columns, each cell stands on a line of its own.
        return 1 + sum(cell.kind != "dash" for cell in line.cells) if form == "listed" else 1

    def split(breaks: tuple[int, ...]) -> list[Sequence[TableLine]]:
        return [lines[start:end] for start, end in pairwise((0, *breaks, len(lines)))]

    def badness(parts: Sequence[Sequence[TableLine]]) -> tuple[int, int, list[int]]:
        heights = [sum(map(height_of, part)) + _count_headings(part) for part in parts]
        split_groups = sum(_continues_group(part) for part in parts[1:])
        return max(heights), split_groups, [-height for height in heights]

    splits = (split(breaks) for breaks in combinations(range(1, len(lines)), times - 1))
    best = min(splits, key=badness)
    return tuple(_repeat_heading(part, first=place == 0) for place, part in enumerate(best))


def _continues_group(part: Sequence[TableLine]) -> bool:
    """Return whether a part begins in the middle of a group."""
    return bool(part[0].within) and not part[0].group


def _count_headings(part: Sequence[TableLine]) -> int:
    return sum(bool(line.group) for line in part) + _continues_group(part)


def _repeat_heading(part: Sequence[TableLine], *, first: bool) -> LineGroup:
    """Return a part with the heading of the group that it continues, if it does."""
    top, *rest = part
    if not first and _continues_group(part):
        top = replace(top, group=continued(top.within))
    return (top, *rest)
