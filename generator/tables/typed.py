"""Owns the way from a table file as written to a `Table` of typed cells.

Does not stop at the first fault: all of a file's faults are told at once, each at its place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from generator.problems import MusterError, Problem
from generator.reading import Document, did_you_mean, read_model
from generator.tables.table import (
    Axis,
    Column,
    Definitions,
    Diagram,
    Filter,
    Grid,
    Lookup,
    Modifiers,
    Results,
    Row,
    Steps,
    Table,
)
from generator.tables.tiling import Fault, Path, gaps, row_faults, uncovered
from generator.tables.written import (
    KINDS,
    Across,
    BandedRow,
    DefinitionRow,
    Down,
    ModifierRow,
    Step,
    WrittenColumn,
    WrittenDefinitions,
    WrittenDiagram,
    WrittenGrid,
    WrittenLookup,
    WrittenModifiers,
    WrittenResults,
    WrittenRow,
    WrittenSequence,
    WrittenTable,
)
from generator.values import (
    DASH,
    FORMS,
    BadValue,
    Band,
    Distance,
    Text,
    Value,
    read_cell,
)

type_error = TypeError


def read_table(document: Document, scales: Collection[str] = ()) -> Table:
    """Type every cell of a table file.

    Args:
        document: The file, read but not yet checked.
        scales: The ids that a cell may give a value for.

    Raises:
        MusterError: With every fault of the file, each at its line and column.
    """
    kind = document.data.get("kind")
    model = KINDS.get(kind) if isinstance(kind, str) else None
    if model is None:
        known = ", ".join(KINDS)
        if kind is None:
            fault = document.problem("missing-key", f"a table needs a kind: one of {known}", ())
        else:
            hint = did_you_mean(str(kind), KINDS)
            text = f"read {kind!r}, expected a kind of table: one of {known}{hint}"
            fault = document.problem("bad-kind", text, ("kind",))
        raise MusterError((fault,))
    return _Typist(document, scales).table(read_model(model, document, passing=True))


class _Typist:
    """Types one file and keeps its faults."""

    def __init__(self, document: Document, scales: Collection[str]) -> None:
        self.document = document
        self.scales = scales
        self.faults: list[Problem] = []

    def table(self, written: WrittenTable) -> Table:
        """Give the table.

        Raises:
            MusterError: With all faults that were found.
        """
        table = replace(self._by_kind(written), per_band=self._per_band(written))
        self._tell(row_faults(table))
        if self.faults:
            raise MusterError(tuple(self.faults))
        return table

    def _by_kind(self, written: WrittenTable) -> Table:  # noqa: PLR0911 - one a kind
        match written:
            case WrittenGrid():
                columns = self._columns(written.columns, written.form)
                cells = [self._row(r, i, columns) for i, r in enumerate(written.rows)]
                return Grid(columns=columns, rows=self._unique(cells), **_common(written))
            case WrittenLookup():
                return self._lookup(written)
            case WrittenResults():
                columns = self._columns(written.columns, written.form)
                down = _axis(written.down)
                rows = self._banded(written.rows, columns, down, written.dice)
                return Results(
                    columns=columns, rows=rows, down=down, dice=written.dice, **_common(written)
                )
            case WrittenModifiers():
                return self._modifiers(written)
            case WrittenSequence():
                steps = self._steps(written.steps, ("steps",), 0)
                who = any(row.cells[0] != DASH for row in steps)
                columns = (Column("who", "Who"), Column("text", "What happens"))
                if not who:
                    columns = columns[1:]
                    steps = [_drop_first(row) for row in steps]
                return Steps(columns=columns, rows=self._unique(steps), **_common(written))
            case WrittenDefinitions():
                return self._definitions(written)
            case WrittenDiagram():
                return self._diagram(written)
        raise TypeError(type(written).__name__)

    # Columns and cells

    def _fault(self, code: str, text: str, path: Path, example: str = "") -> None:
        self.faults.append(self.document.problem(code, text, path, example=example))

    def _tell(self, faults: Iterable[Fault]) -> None:
        for fault in faults:
            self._fault(fault.code, fault.text, fault.path, fault.example)

    def _form(self, form: str, path: Path) -> str:
        if form in FORMS:
            return form
        known = ", ".join(FORMS)
        hint = did_you_mean(form, FORMS)
        self._fault("bad-form", f"read {form!r}, expected a form: one of {known}{hint}", path)
        return "text"

    def _columns(self, written: Sequence[WrittenColumn], form: str) -> tuple[Column, ...]:
        default = self._form(form, ("form",))
        columns = []
        seen: set[str] = set()
        for place, column in enumerate(written):
            own = column.form
            typed = default if own is None else self._form(own, ("columns", place, "form"))
            if column.id in seen:
                text = f"a column {column.id!r} stands above already"
                self._fault("duplicate-id", text, ("columns", place, "id"))
            seen.add(column.id)
            only = _filter(column.only_for)
            columns.append(Column(column.id, column.label, typed, only_for=only))
        return tuple(columns)

    def _cell(self, raw: Any, form: str, path: Path) -> Value:
        try:
            return read_cell(raw, form, self.scales)
        except BadValue as bad:
            self._fault("bad-value", str(bad), path)
            return DASH

    def _cells(self, raw: list[Any], columns: Sequence[Column], path: Path) -> tuple[Value, ...]:
        if len(raw) != len(columns):
            text = f"read {len(raw)} cells, expected {len(columns)}, one for each column: "
            text += ", ".join(column.id for column in columns)
            self._fault("wrong-width", text, (*path, "cells"))
        pairs = enumerate(zip(raw, columns, strict=False))
        return tuple(self._cell(cell, col.form, (*path, "cells", i)) for i, (cell, col) in pairs)

    def _row(self, row: WrittenRow, place: int, columns: Sequence[Column]) -> Row:
        cells = self._cells(row.cells, columns, ("rows", place))
        return Row(row.id, row.label, cells, row.group, only_for=_filter(row.only_for))

    def _unique(self, rows: Sequence[Row]) -> tuple[Row, ...]:
        seen: set[str] = set()
        for row in rows:
            if row.id in seen:
                self._fault("duplicate-id", f"a row {row.id!r} stands above already", ())
            seen.add(row.id)
        return tuple(rows)

    # Bands

    def _band(self, text: str, path: Path) -> Band | None:
        try:
            return Band.parse(text)
        except BadValue as bad:
            self._fault("bad-value", str(bad), path)
            return None

    def _per_band(self, written: WrittenTable) -> Distance | None:
        if written.per_band is None:
            return None
        try:
            length = Distance.parse(written.per_band)
        except BadValue as bad:
            self._fault("bad-value", str(bad), ("per-band",))
            return None
        if not isinstance(length.amount, Decimal) or length.amount <= 0:
            text = f"read {written.per_band!r}, expected a fixed length such as 5cm"
            self._fault("bad-value", text, ("per-band",))
            return None
        return length

    def _banded(
        self, written: list[BandedRow], columns: tuple[Column, ...], axis: Axis | None, dice: str
    ) -> tuple[Row, ...]:
        by_band = [row.band is not None for row in written]
        if any(by_band) and not all(by_band):
            place = by_band.index(not by_band[0])
            text = "some rows have a band and some have none; a table is found by one of them"
            self._fault("mixed-rows", text, ("rows", place))
        rows, bands = [], []
        for place, row in enumerate(written):
            path: Path = ("rows", place)
            cells = self._cells(row.cells, columns, path)
            band = None if row.band is None else self._band(row.band, (*path, "band"))
            bands.append((band, (*path, "band")))
            if row.band is None and (row.id is None or row.label is None):
                text = "a row needs a band, or an id and a label"
                self._fault("missing-key", text, path, "{band: 4-5, cells: [...]}")
            row_id = row.id or (str(band) if band else "")
            label = row.label or (band.show() if band else "")
            only = _filter(row.only_for)
            rows.append(Row(row_id, label, cells, row.group, band, only_for=only))
        self._tell(gaps(bands, axis))
        where: Path = ("down", "dice") if axis and axis.dice else ("dice",)
        self._tell(
            uncovered([band for band, _ in bands], (axis.dice if axis else "") or dice, where)
        )
        return self._unique(rows)

    def _across(self, across: Across, form: str) -> tuple[Column, ...]:
        typed = self._form(form, ("form",))
        columns, bands = [], []
        for place, item in enumerate(across.bands):
            path: Path = ("across", "bands", place)
            text, label = (item, "") if isinstance(item, str) else (item.band, item.label)
            band = self._band(text, path)
            bands.append((band, path))
            shown = label or (band.show() if band else text)
            columns.append(Column(str(band) if band else text, shown, typed, band))
        self._tell(gaps(bands, _axis(across)))
        return tuple(columns)

    def _lookup(self, written: WrittenLookup) -> Lookup:
        if (written.across is None) == (written.columns is None):
            text = "a look-up has either `across:` (bands) or `columns:` (names)"
            self._fault("across-or-columns", text, ())
        if written.across is not None:
            columns = self._across(written.across, written.form)
        else:
            columns = self._columns(written.columns or [], written.form)
        down = _axis(written.down)
        rows = self._banded(written.rows, columns, down, "")
        across = _axis(written.across)
        return Lookup(columns=columns, rows=rows, down=down, across=across, **_common(written))

    # The other kinds

    def _modifiers(self, written: WrittenModifiers) -> Modifiers:
        form = self._form(written.form, ("form",))

        def row(place: int, item: ModifierRow) -> Row:
            value = self._cell(item.value, form, ("rows", place, "value"))
            only = _filter(item.only_for)
            return Row(item.id, item.label, (value,), item.group, only_for=only)

        return Modifiers(
            columns=(Column("value", "Modifier", form),),
            rows=self._unique([row(i, item) for i, item in enumerate(written.rows)]),
            changes=written.changes,
            good=written.good,
            whose=written.whose,
            **_common(written),
        )

    def _steps(self, steps: Sequence[Step], path: Path, depth: int) -> list[Row]:
        rows = []
        for place, step in enumerate(steps):
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
                    only_for=_filter(step.only_for),
                )
            )
            rows.extend(self._steps(step.steps, (*path, place, "steps"), depth + 1))
        return rows

    def _definitions(self, written: WrittenDefinitions) -> Definitions:
        form = self._form(written.form, ("form",))
        has_value = any(row.value is not None for row in written.rows)
        has_text = any(row.text is not None for row in written.rows)

        def row(place: int, item: DefinitionRow) -> Row:
            path: Path = ("rows", place)
            if item.value is None and item.text is None:
                self._fault("missing-key", "a definition needs a text or a value", path)
            cells: list[Value] = []
            if has_value:
                own = form if item.form is None else self._form(item.form, (*path, "form"))
                value = item.value
                cells.append(DASH if value is None else self._cell(value, own, (*path, "value")))
            if has_text:
                text = item.text
                cells.append(DASH if text is None else self._cell(text, "text", (*path, "text")))
            only = _filter(item.only_for)
            return Row(
                item.id, item.label, tuple(cells), item.group, short=item.short, only_for=only
            )

        rows = self._unique([row(i, item) for i, item in enumerate(written.rows)])
        columns = []
        if has_value:
            columns.append(Column("value", "Value", form))
        if has_text:
            columns.append(Column("text", "Meaning"))
        own = {**_common(written), "glossary": written.glossary}
        return Definitions(columns=tuple(columns), rows=rows, **own)

    def _diagram(self, written: WrittenDiagram) -> Diagram:
        ranks = [rank.split() for rank in written.ranks]
        for place, rank in enumerate(ranks):
            for sign in rank:
                if sign != "." and sign not in written.key:
                    text = f"the figure {sign!r} is not in the key"
                    self._fault("unknown-figure", text, ("ranks", place))
        width = max(len(rank) for rank in ranks)
        columns = tuple(Column(f"file-{n}", str(n)) for n in range(1, width + 1))
        rows = tuple(
            Row(
                f"rank-{n}",
                f"Rank {n}",
                tuple(
                    Text.parse(t) if t != "." else DASH for t in (*rank, *"." * (width - len(rank)))
                ),
            )
            for n, rank in enumerate(ranks, 1)
        )
        return Diagram(
            columns=columns,
            rows=rows,
            key=dict(written.key),
            open_order=written.spacing == "open",
            caption=written.caption,
            **_common(written),
        )


def _common(written: WrittenTable) -> dict[str, Any]:
    return {
        "id": written.id,
        "title": written.title,
        "chapter": written.chapter,
        "source": written.source,
        "phase": written.phase or "",
        "remark": written.remark,
        "notes": tuple(written.notes),
        "only_for": _filter(written.only_for),
        "rising": tuple(written.rising),
        "falling": tuple(written.falling),
        "covers": written.covers,
    }


def _axis(written: Down | None) -> Axis | None:
    if written is None:
        return None
    return Axis(written.id, written.title, written.step == "whole", written.dice, written.gaps)


def _filter(written: dict[str, list[str]] | None) -> Filter | None:
    return None if written is None else {key: tuple(values) for key, values in written.items()}


def _drop_first(row: Row) -> Row:
    return replace(row, cells=row.cells[1:])
