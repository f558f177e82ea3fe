"""What a quick-reference sheet holds: sides, blocks and footnotes."""

from __future__ import annotations

from dataclasses import dataclass

from muster.documents.measures import Measures, choose_measures
from muster.documents.table_view import (
    Footnote,
    Footnotes,
    PartFilter,
    TableView,
    fold_view,
    keep_all,
    view_table,
)
from muster.problems import Problems
from muster.systems import System
from muster.systems.layouts import Block
from muster.systems.lint import sheet_problems
from muster.tables import Column, Row, Table


@dataclass(frozen=True, slots=True)
class SheetBlock:
    """A block: a head and one or more tables below it. It never splits."""

    id: str
    title: str
    remark: str
    tone: str
    views: tuple[TableView, ...]
    text: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SidePhase:
    """A part of the turn, and whether this side covers it."""

    title: str
    tone: str
    here: bool


@dataclass(frozen=True, slots=True)
class SheetSide:
    """One side: relative column widths, blocks in turn order, notes, and its place in the turn."""

    title: str
    columns: tuple[int, ...]
    blocks: tuple[SheetBlock, ...]
    footnotes: tuple[Footnote, ...]
    phases: tuple[SidePhase, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of one or two sides."""

    system: str
    title: str
    subtitle: str
    orientation: str
    language: str
    edition: str
    scale: str
    unit: str
    credit: str
    conventions: tuple[str, ...]
    sides: tuple[SheetSide, ...]
    army: str = ""


def gather_sheet(
    system: System,
    sheet_id: str = "quick-reference",
    *,
    army: str = "",
    keep: PartFilter = keep_all,
    chosen: Measures | None = None,
) -> Sheet:
    """Gather a sheet's data.

    Args:
        system: The rule system.
        sheet_id: Which of its sheet files.
        army: The name of the army that it is reduced to, if any.
        keep: Which tables and rows that army uses.
        chosen: Scale and unit; without it all scales, in the system's own unit.

    Raises:
        MusterError: If the sheet file names a table or row that does not exist.
    """
    written = system.sheet(sheet_id)
    problems = Problems()
    problems.extend(sheet_problems(system, sheet_id, written))
    problems.raise_if_any()
    chosen = chosen or choose_measures(system)
    sides = []
    for side in written.sides:
        footnotes = Footnotes(system)
        blocks = [
            _make_block(system, block, footnotes, keep, chosen)
            for block in side.blocks
            if not block.scale or chosen.scale in ("", block.scale)
        ]
        shown = tuple(block for block in blocks if block is not None)
        covered = {t.phase for b in side.blocks for t in _tables_of(system, b)}
        phases = tuple(
            SidePhase(phase.title, phase.tone, phase.id in covered)
            for phase in system.phases
            if phase.tone != "neutral"
        )
        # Notes speak of what the source prints: their lengths stay as they are.
        sides.append(SheetSide(side.title, tuple(side.columns), shown, footnotes.notes(), phases))
    identity = system.identity
    return Sheet(
        system=system.id,
        title=system.title,
        subtitle=written.title,
        orientation=written.orientation,
        language=identity.language,
        edition=identity.edition,
        scale=chosen.scale_title(system),
        unit=chosen.title,
        credit=identity.source.credit,
        conventions=tuple(chosen.convert_text(line) for line in identity.conventions),
        sides=tuple(side for side in sides if side.blocks),
        army=army,
    )


def _tables_of(system: System, block: Block) -> list[Table]:
    ids = [block.table, *block.tables] if block.table else block.tables
    return [system.table(table_id) for table_id in ids if table_id]


def _make_block(
    system: System, block: Block, footnotes: Footnotes, keep: PartFilter, chosen: Measures
) -> SheetBlock | None:
    scales = [(scale.id, scale.title) for scale in system.scales]
    tables = [
        chosen.convert_table(table, scales) for table in _tables_of(system, block) if keep(table)
    ]
    views = [
        fold_view(
            view_table(
                table,
                footnotes,
                rows=block.rows,
                short=block.short,
                shade=block.shade,
                turned=table.id in block.turn,
                listed=block.listed,
                keep=keep,
            ),
            block.fold,
        )
        for table in tables
    ]
    views = [each for each in views if each.lines]
    if not views and not block.text:
        return None
    first = tables[0] if tables else None
    tones = {phase.id: phase.tone for phase in system.phases}
    tone = block.tone or (tones.get(first.phase, "neutral") if first else "neutral")
    single = len(views) == 1
    title = block.title or (first.title if first else "")
    remark = block.remark
    if remark is None:
        remark = first.remark if first and single else ""
    notes = tuple(note for v in views for note in v.notes) if block.notes else ()
    return SheetBlock(
        id=first.id if first else "text",
        title=title,
        remark=chosen.convert_text(remark),
        tone=tone,
        views=tuple(views),
        text=chosen.convert_text(block.text or ""),
        notes=notes,
    )


def concerns_army(part: Column | Row | Table, have: dict[str, frozenset[str]]) -> bool:
    """Tell whether a table, row or column concerns an army.

    Args:
        part: A table, row or column; one without `for:` concerns everybody.
        have: Attribute -> the values that some unit of the army has.
    """
    only = part.only_for
    if only is None:
        return True
    return any(have.get(key, frozenset()) & set(values) for key, values in only.items())
