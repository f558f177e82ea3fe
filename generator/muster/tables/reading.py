"""Read a table file into a `Table` of typed cells, and check its bands and rolls."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from typing import Any, NamedTuple

from muster.limits import MAX_RANK, MAX_TABLE_CELLS
from muster.names import repeated
from muster.problems import MusterError, Problem, did_you_mean
from muster.tables.file_models import (
    KINDS,
    Across,
    BandedRow,
    DefinitionRow,
    Down,
    ModifierRow,
    OnlyFor,
    Step,
    WrittenColumn,
    WrittenConvention,
    WrittenDefinitions,
    WrittenDiagram,
    WrittenDrawing,
    WrittenGrid,
    WrittenLookup,
    WrittenModifiers,
    WrittenNote,
    WrittenResults,
    WrittenRow,
    WrittenSequence,
    WrittenTable,
)
from muster.tables.scenes import (
    LARGEST_MEASURE,
    SMALLEST_TABLETOP,
    Piece,
    SceneSize,
    Tabletop,
    WrittenPiece,
    build_piece,
    scale_fault,
    scene_faults,
)
from muster.tables.table import (
    Axis,
    Column,
    Definitions,
    Diagram,
    Drawing,
    Grid,
    Lookup,
    Modifiers,
    Note,
    Results,
    Row,
    Steps,
    Table,
    UnitFilter,
)
from muster.values import (
    DASH,
    FORMS,
    Angle,
    BadValue,
    Band,
    Cost,
    Count,
    Dice,
    Distance,
    Scaled,
    Span,
    Text,
    Value,
    read_cell,
)
from muster.values.text import MAX_TEXT_LENGTH
from muster.yamlfile import Document, read_model
from muster.yamlfile.models import Translated
from muster.yamlfile.nodes import KeyPath

_ROOM_OF_CELL = Translated(most=MAX_TEXT_LENGTH, one_line=False)
"""The room of a text in a cell."""


class TableFault(NamedTuple):
    """A fault in a table: what is wrong, and where in the file."""

    code: str
    text: str
    path: KeyPath
    example: str = ""


def find_gaps(
    bands: Sequence[tuple[Band | None, KeyPath]], axis: Axis | None
) -> Iterator[TableFault]:
    """Yield every gap and overlap between neighbouring bands, unless the axis explains them.

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
            yield TableFault("band-gap", text, path, "1-2, 3-4, 5+; or explain it with `gaps:`")


def find_uncovered_rolls(
    bands: Sequence[Band | None], dice: str, path: KeyPath
) -> Iterator[TableFault]:
    """Yield the possible rolls of some dice that are in no band."""
    known = [band for band in bands if band is not None]
    if not dice:
        return
    try:
        rolls = [*Dice.parse(dice).outcomes()]
    except BadValue as bad:
        yield TableFault("bad-value", str(bad), path)
        return
    missed = [roll for roll in rolls if not any(band.holds(roll) for band in known)]
    if known and missed:
        text = f"no row for a roll of {', '.join(str(roll) for roll in missed)} on {dice}"
        yield TableFault("dice-uncovered", text, path)


def check_rows(table: Table) -> Iterator[TableFault]:
    """Yield what breaks the rules that a table sets for its rows: `covers:` and `per-band:`."""
    if table.covers:
        yield from _check_dice_covered(table)
    if table.per_band is not None:
        yield from _check_whole_bands(table, table.per_band)


def _check_dice_covered(table: Table) -> Iterator[TableFault]:
    """Yield each roll that is in no band of a row, or in more than one."""
    try:
        rolls = [*Dice.parse(table.covers).outcomes()]
    except BadValue as bad:
        yield TableFault("bad-value", str(bad), ("covers",))
        return
    for row_index, row in enumerate(table.rows):
        bands = [cell for cell in row.cells if isinstance(cell, Band)]
        for roll in rolls:
            times = sum(band.holds(roll) for band in bands)
            if times != 1:
                code = "dice-twice" if times else "dice-uncovered"
                how = "more than one band" if times else "no band"
                text = f"a roll of {roll} on {table.covers} is in {how} of this row"
                yield TableFault(code, text, ("rows", row_index, "cells"))


def _check_whole_bands(table: Table, band: Distance) -> Iterator[TableFault]:
    """Yield each length that is not a whole number of bands."""
    band_length = band.amount
    if not isinstance(band_length, Decimal):
        return
    for row_index, row in enumerate(table.rows):
        for column, cell in enumerate(row.cells):
            if any(length % band_length for length in fixed_lengths(cell)):
                text = f"{cell} is not a whole number of bands of {band}"
                yield TableFault("not-whole-bands", text, ("rows", row_index, "cells", column))


def fixed_lengths(cell: Value) -> list[Decimal]:
    """Return the fixed lengths in a cell, in its own unit; a rolled one has none."""
    match cell:
        case Distance(amount=Decimal() as amount):
            return [amount]
        case Span(band=band):
            return [end for end in (band.low, band.high) if end is not None]
        case Scaled():
            return [length for scale in cell for length in fixed_lengths(cell.at(scale))]
        case _:
            return []


def read_table(document: Document, scales: Collection[str] = ()) -> Table:
    """Return the table of a file, with every cell parsed.

    Args:
        document: The file, read but not yet validated.
        scales: The ids of the scales that a cell may have values for.

    Raises:
        MusterError: With every problem of the file, each at its line and column.
    """
    kind = document.data.get("kind")
    model = KINDS.get(kind) if isinstance(kind, str) else None
    if model is None:
        known = ", ".join(KINDS)
        if kind is None:
            problem = document.problem("missing-key", f"a table needs `kind:`, one of {known}", ())
        else:
            hint = did_you_mean(str(kind), KINDS)
            text = f"read {kind!r}, expected a kind of table, one of {known}{hint}"
            problem = document.problem("bad-kind", text, ("kind",))
        raise MusterError((problem,))
    return _TableBuilder(document, scales).build(read_model(model, document))


class _TableBuilder:
    """Builds the table of one file and collects its problems."""

    def __init__(self, document: Document, scales: Collection[str]) -> None:
        self.document = document
        self.scales = scales
        self.problems: list[Problem] = []

    def build(self, written: WrittenTable) -> Table:
        """Return the table.

        Raises:
            MusterError: With all problems that were found.
        """
        table = replace(self._by_kind(written), per_band=self._per_band(written))
        cells = len(table.rows) * len(table.columns)
        if cells > MAX_TABLE_CELLS:
            size = f"{len(table.rows)} rows of {len(table.columns)} cells"
            text = f"read {size}, expected at most {MAX_TABLE_CELLS} cells; make several tables"
            key = "steps" if isinstance(table, Steps) else "rows"
            self._add_fault("too-many-cells", text, (key,))
        self._add_faults(check_rows(table))
        if self.problems:
            raise MusterError(tuple(self.problems))
        return table

    def _by_kind(self, written: WrittenTable) -> Table:  # noqa: PLR0911 - one a kind
        match written:
            case WrittenGrid():
                columns = self._columns(written.columns, written.form)
                rows = [self._row(row, i, columns) for i, row in enumerate(written.rows)]
                return Grid(
                    columns=columns, rows=self._check_unique(rows), **_common_fields(written)
                )
            case WrittenLookup():
                return self._lookup(written)
            case WrittenResults():
                columns = self._columns(written.columns, written.form)
                down = _build_axis(written.down)
                return Results(
                    columns=columns,
                    rows=self._banded_rows(written.rows, columns, down, written.dice),
                    down=down,
                    dice=written.dice,
                    **_common_fields(written),
                )
            case WrittenModifiers():
                return self._modifiers(written)
            case WrittenSequence():
                steps = self._steps(written.steps, ("steps",), 0)
                who = any(row.cells[0] != DASH for row in steps)
                columns = (Column("who", "Who"), Column("text", "What happens"))
                if not who:
                    columns = columns[1:]
                    steps = [_without_first_cell(row) for row in steps]
                return Steps(
                    columns=columns, rows=self._check_unique(steps), **_common_fields(written)
                )
            case WrittenDefinitions():
                return self._definitions(written)
            case WrittenDiagram():
                return self._diagram(written)
        raise TypeError(type(written).__name__)

    def _add_fault(self, code: str, text: str, path: KeyPath, example: str = "") -> None:
        self.problems.append(self.document.problem(code, text, path, example=example))

    def _add_faults(self, faults: Iterable[TableFault]) -> None:
        for fault in faults:
            self._add_fault(fault.code, fault.text, fault.path, fault.example)

    def _form(self, form: str, path: KeyPath) -> str:
        if form in FORMS:
            return form
        known = ", ".join(FORMS)
        hint = did_you_mean(form, FORMS)
        self._add_fault("bad-form", f"read {form!r}, expected a form, one of {known}{hint}", path)
        return "text"

    def _columns(self, written: Sequence[WrittenColumn], form: str) -> tuple[Column, ...]:
        default = self._form(form, ("form",))
        columns = []
        for index, column_id in repeated(column.id for column in written):
            text = f"the column id {column_id!r} is used twice"
            self._add_fault("duplicate-id", text, ("columns", index, "id"))
        for index, column in enumerate(written):
            own = column.form
            own_form = default if own is None else self._form(own, ("columns", index, "form"))
            only = _build_filter(column.only_for)
            columns.append(Column(column.id, column.label, own_form, only_for=only))
        return tuple(columns)

    def _cell(self, raw: Any, form: str, path: KeyPath) -> Value:
        """Return the value of a cell, its words in those of the document's wording."""
        return self._reworded(self._read_cell(raw, form, path), path)

    def _read_cell(self, raw: Any, form: str, path: KeyPath) -> Value:
        try:
            return read_cell(raw, form, self.scales)
        except BadValue as bad:
            self._add_fault("bad-value", str(bad), path)
            return DASH

    def _reworded(self, value: Value, path: KeyPath) -> Value:
        """Return a cell with its words in those of a translation: texts, and what is counted."""
        wording = self.document.wording
        if wording is None:
            return value
        match value:
            case Scaled():
                return Scaled({key: self._reworded(value.at(key), (*path, key)) for key in value})
            case Text() | Count():
                said = wording.say(str(value), path, _ROOM_OF_CELL, self.document)
                return self._read_cell(said, "count" if isinstance(value, Count) else "text", path)
            case Cost(per=str(noun)):
                said = wording.say(noun, path, _ROOM_OF_CELL, self.document)
                return self._read_cell(str(replace(value, per=said)), "cost", path)
        return value

    def _cells(self, raw: list[Any], columns: Sequence[Column], path: KeyPath) -> tuple[Value, ...]:
        if len(raw) != len(columns):
            cells = "1 cell" if len(raw) == 1 else f"{len(raw)} cells"
            text = f"read {cells}, expected {len(columns)}, one for each column: "
            text += ", ".join(column.id for column in columns)
            self._add_fault("wrong-width", text, (*path, "cells"))
        pairs = enumerate(zip(raw, columns, strict=False))
        return tuple(self._cell(cell, col.form, (*path, "cells", i)) for i, (cell, col) in pairs)

    def _row(self, row: WrittenRow, index: int, columns: Sequence[Column]) -> Row:
        cells = self._cells(row.cells, columns, ("rows", index))
        return Row(row.id, row.label, cells, row.group, only_for=_build_filter(row.only_for))

    def _check_unique(self, rows: Sequence[Row]) -> tuple[Row, ...]:
        for index, row_id in repeated(row.id for row in rows):
            text = f"the row id {row_id!r} is used twice"
            self._add_fault("duplicate-id", text, ("rows", index, "id"))
        return tuple(rows)

    def _band(self, text: str, path: KeyPath) -> Band | None:
        try:
            return Band.parse(text)
        except BadValue as bad:
            self._add_fault("bad-value", str(bad), path)
            return None

    def _per_band(self, written: WrittenTable) -> Distance | None:
        if written.per_band is None:
            return None
        try:
            length = Distance.parse(written.per_band)
        except BadValue as bad:
            self._add_fault("bad-value", str(bad), ("per-band",))
            return None
        if not isinstance(length.amount, Decimal) or length.amount <= 0:
            text = f"read {written.per_band!r}, expected a fixed length such as 5cm"
            self._add_fault("bad-value", text, ("per-band",))
            return None
        return length

    def _banded_rows(
        self, written: list[BandedRow], columns: tuple[Column, ...], axis: Axis | None, dice: str
    ) -> tuple[Row, ...]:
        has_band = [row.band is not None for row in written]
        if any(has_band) and not all(has_band):
            index = has_band.index(not has_band[0])
            text = "some rows have a band and some have none; give one to all rows or to none"
            self._add_fault("mixed-rows", text, ("rows", index))
        rows, bands = [], []
        for index, row in enumerate(written):
            path: KeyPath = ("rows", index)
            cells = self._cells(row.cells, columns, path)
            band = None if row.band is None else self._band(row.band, (*path, "band"))
            bands.append((band, (*path, "band")))
            if row.band is None and (row.id is None or row.label is None):
                text = "a row needs `band:`, or `id:` and `label:`"
                self._add_fault("missing-key", text, path, "{band: 4-5, cells: [...]}")
            row_id = row.id or (str(band) if band else "")
            label = row.label or (band.show() if band else "")
            only = _build_filter(row.only_for)
            rows.append(Row(row_id, label, cells, row.group, band, only_for=only))
        self._add_faults(find_gaps(bands, axis))
        dice_path: KeyPath = ("down", "dice") if axis and axis.dice else ("dice",)
        rolled = (axis.dice if axis else "") or dice
        self._add_faults(find_uncovered_rolls([band for band, _ in bands], rolled, dice_path))
        return self._check_unique(rows)

    def _across(self, across: Across, form: str) -> tuple[Column, ...]:
        own_form = self._form(form, ("form",))
        columns, bands = [], []
        for index, item in enumerate(across.bands):
            path: KeyPath = ("across", "bands", index)
            text, label = (item, "") if isinstance(item, str) else (item.band, item.label)
            band = self._band(text, path)
            bands.append((band, path))
            shown = label or (band.show() if band else text)
            columns.append(Column(str(band) if band else text, shown, own_form, band))
        self._add_faults(find_gaps(bands, _build_axis(across)))
        return tuple(columns)

    def _lookup(self, written: WrittenLookup) -> Lookup:
        if (written.across is None) == (written.columns is None):
            text = "a lookup table needs either `across:` (bands) or `columns:` (names)"
            self._add_fault("across-or-columns", text, ())
        if written.across is not None:
            columns = self._across(written.across, written.form)
        else:
            columns = self._columns(written.columns or [], written.form)
        down = _build_axis(written.down)
        rows = self._banded_rows(written.rows, columns, down, "")
        across = _build_axis(written.across)
        return Lookup(
            columns=columns, rows=rows, down=down, across=across, **_common_fields(written)
        )

    def _modifiers(self, written: WrittenModifiers) -> Modifiers:
        form = self._form(written.form, ("form",))

        def row(index: int, item: ModifierRow) -> Row:
            value = self._cell(item.value, form, ("rows", index, "value"))
            only = _build_filter(item.only_for)
            return Row(item.id, item.label, (value,), item.group, only_for=only)

        return Modifiers(
            columns=(Column("value", "Modifier", form),),
            rows=self._check_unique([row(i, item) for i, item in enumerate(written.rows)]),
            changes=written.changes,
            good=written.good,
            whose=written.whose,
            **_common_fields(written),
        )

    def _steps(self, steps: Sequence[Step], path: KeyPath, depth: int) -> list[Row]:
        rows = []
        for index, step in enumerate(steps):
            who = DASH if step.who is None else Text.parse(step.who)
            text = DASH if step.text is None else Text.parse(step.text)
            rows.append(
                Row(
                    step.id,
                    step.label,
                    (who, text),
                    short=step.short,
                    depth=depth,
                    phase=step.phase or "",
                    only_for=_build_filter(step.only_for),
                )
            )
            rows.extend(self._steps(step.steps, (*path, index, "steps"), depth + 1))
        return rows

    def _definitions(self, written: WrittenDefinitions) -> Definitions:
        form = self._form(written.form, ("form",))
        has_value = any(row.value is not None for row in written.rows)
        has_text = any(row.text is not None for row in written.rows)

        def row(index: int, item: DefinitionRow) -> Row:
            path: KeyPath = ("rows", index)
            if item.value is None and item.text is None:
                self._add_fault("missing-key", "a definition needs `text:` or `value:`", path)
            cells: list[Value] = []
            if has_value:
                own = form if item.form is None else self._form(item.form, (*path, "form"))
                value = item.value
                cells.append(DASH if value is None else self._cell(value, own, (*path, "value")))
            if has_text:
                text = item.text
                cells.append(DASH if text is None else self._read_cell(text, "text", path))
            only = _build_filter(item.only_for)
            return Row(
                item.id, item.label, tuple(cells), item.group, short=item.short, only_for=only
            )

        rows = self._check_unique([row(i, item) for i, item in enumerate(written.rows)])
        columns = []
        if has_value:
            columns.append(Column("value", "Value", form))
        if has_text:
            columns.append(Column("text", "Meaning"))
        own = {**_common_fields(written), "glossary": written.glossary}
        return Definitions(columns=tuple(columns), rows=rows, **own)

    def _diagram(self, written: WrittenDiagram) -> Diagram:
        own: dict[str, Any] = {
            "key": dict(written.key),
            "open_order": written.spacing == "open",
            "caption": written.caption,
            **_common_fields(written),
        }
        if written.drawings:
            drawings = tuple(
                self._drawing(drawing, written.key, ("drawings", place))
                for place, drawing in enumerate(written.drawings)
            )
            rows = [
                Row(
                    f"drawing-{n}",
                    drawing.label,
                    (Text.parse(_words_of(drawing)),),
                    only_for=_build_filter(each.only_for),
                )
                for n, (drawing, each) in enumerate(zip(drawings, written.drawings, strict=True), 1)
            ]
            column = Column("drawing", "Drawing")
            return Diagram(columns=(column,), rows=tuple(rows), drawings=drawings, **own)
        ranks = self._ranks(written.ranks, written.key, ())
        columns = tuple(Column(f"file-{n}", str(n)) for n in range(1, len(ranks[0]) + 1))
        rows = []
        for n, rank in enumerate(ranks, 1):
            cells = tuple(DASH if each == "." else Text.parse(each) for each in rank)
            rows.append(Row(f"rank-{n}", f"Rank {n}", cells))
        return Diagram(columns=columns, rows=tuple(rows), **own)

    def _drawing(self, written: WrittenDrawing, key: Mapping[str, str], path: KeyPath) -> Drawing:
        size: SceneSize = (written.size[0], written.size[1]) if written.size else (0, 0)
        tabletop = None
        if written.table:
            width, depth = (Distance.parse(each) for each in written.table)
            if width.unit != depth.unit:
                text = "width and depth of a table are in one unit"
                self._add_fault("two-units", text, (*path, "table"))
            tabletop = Tabletop(width, depth)
            for n, (raw, number) in enumerate(zip(written.table, tabletop.measures, strict=True)):
                if not SMALLEST_TABLETOP <= number <= LARGEST_MEASURE:
                    text = f"read {raw!r}, expected {SMALLEST_TABLETOP} to {LARGEST_MEASURE} "
                    text += f'{width.unit.value}, such as 48" or 120cm'
                    self._add_fault("bad-value", text, (*path, "table", n))
            size = tabletop.size
        scale = Distance.parse(written.scale) if written.scale else None
        return Drawing(
            written.label,
            ranks=self._ranks(written.ranks, key, path),
            open_order=written.spacing == "open",
            arc=float(Angle.parse(written.arc).degrees) if written.arc else 0,
            rose=tuple("" if sign == "blank" else sign for sign in written.rose),
            alt=written.alt or "",
            size=size,
            scene=tuple(
                self._piece(piece, tabletop or size, scale, (*path, "scene", n))
                for n, piece in enumerate(written.scene)
            ),
            scale=scale,
            tabletop=tabletop,
        )

    def _piece(
        self,
        written: WrittenPiece,
        canvas: SceneSize | Tabletop,
        scale: Distance | None,
        path: KeyPath,
    ) -> Piece:
        """Return a piece as drawn, once it is known to have room and its lengths to be true."""
        piece = build_piece(written, self._text_of_piece(written.text, (*path, "text")))
        if isinstance(canvas, Tabletop):
            scale = Distance(Decimal(1), canvas.width.unit)
            faults = scene_faults(piece, canvas.measures, scale.unit.value)
        else:
            faults = scene_faults(piece, canvas)
        for code, text in faults:
            self._add_fault(code, text, path)
        if scale and (text := scale_fault(piece, scale, next(iter(self.scales), ""))):
            self._add_fault("not-to-scale", text, path)
        return canvas.draw(piece) if isinstance(canvas, Tabletop) else piece

    def _text_of_piece(self, raw: Any, path: KeyPath) -> Value | None:
        """Return the words at a piece: a length or an angle if it is one, so that it converts."""
        if raw is None:
            return None
        for form in ("distance", "range", "angle"):
            with suppress(BadValue):
                return read_cell(raw, form, self.scales)
        return self._cell(raw, "text", path)

    def _ranks(
        self, written: Sequence[str], key: Mapping[str, str], path: KeyPath
    ) -> tuple[tuple[str, ...], ...]:
        """Return the signs of ranks that are filled up to the same width with gaps."""
        ranks = [rank.split() for rank in written]
        for index, rank in enumerate(ranks):
            if len(rank) > MAX_RANK:
                text = f"read {len(rank)} figures, expected at most {MAX_RANK} in a rank"
                self._add_fault("too-many-figures", text, (*path, "ranks", index))
            for figure in rank:
                if figure != "." and figure not in key:
                    text = f"the figure {figure!r} is not in the key"
                    if len(figure) > 1:
                        text += "; blanks separate figures, and `.` is a gap"
                    self._add_fault("unknown-figure", text, (*path, "ranks", index))
        width = min(max((len(rank) for rank in ranks), default=0), MAX_RANK)
        return tuple((*rank[:width], *"." * (width - len(rank))) for rank in ranks)


def _words_of(drawing: Drawing) -> str:
    """Return a drawing in words, as listings and comparisons show it."""
    if drawing.arc:
        return f"{drawing.arc:g}°"
    if drawing.scene:
        texts = [piece.words for piece in drawing.scene if piece.words]
        return "; ".join([drawing.alt, *texts])
    if drawing.rose:
        return ", ".join(sign or "to fill in" for sign in drawing.rose)
    return " / ".join(" ".join(rank) for rank in drawing.ranks)


def _common_fields(written: WrittenTable) -> dict[str, Any]:
    notes = [build_note(note) for note in written.notes]
    return {
        "id": written.id,
        "title": written.title,
        "chapter": written.chapter,
        "source": written.source,
        "phase": written.phase or "",
        "remark": written.remark,
        "notes": tuple(note.text for note in notes),
        "note_filters": tuple(note.only_for for note in notes),
        "book_notes": tuple(written.book_notes),
        "index": tuple(written.index),
        "only_for": _build_filter(written.only_for),
        "rising": tuple(written.rising),
        "falling": tuple(written.falling),
        "covers": written.covers,
    }


def _build_axis(written: Down | None) -> Axis | None:
    if written is None:
        return None
    return Axis(written.id, written.title, written.step == "whole", written.dice, written.gaps)


def build_note(written: str | WrittenNote | WrittenConvention) -> Note:
    """Return words with the units that they are for; plain text is for all."""
    if isinstance(written, str):
        return Note(written)
    tables = written.tables if isinstance(written, WrittenConvention) else ()
    return Note(written.text, _build_filter(written.only_for), tuple(tables))


def _build_filter(written: OnlyFor | None) -> UnitFilter | None:
    if written is None:
        return None
    alternatives = written if isinstance(written, list) else [written]
    return tuple({key: tuple(values) for key, values in each.items()} for each in alternatives)


def _without_first_cell(row: Row) -> Row:
    return replace(row, cells=row.cells[1:])
