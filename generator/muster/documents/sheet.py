"""The data of quick-reference sheets: sides, blocks and footnotes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from muster.armies import Army
from muster.documents.cards import army_colour, parts_for
from muster.documents.derived_values import book_title
from muster.documents.measures import Measures, choose_measures
from muster.documents.own_language import in_own_language
from muster.documents.page_look import PLAIN_LOOK, PageLook, gather_look
from muster.documents.table_view import (
    Footnote,
    Footnotes,
    Part,
    PartFilter,
    TableView,
    fold_view,
    join_views,
    keep_all,
    rule_lines,
    spread_classes,
    view_table,
)
from muster.documents.unit_table import UnitTable, gather_units
from muster.problems import Problems
from muster.systems import System
from muster.systems.identity import ANY_SCALE, Phase
from muster.systems.layouts import Block, Side
from muster.systems.lint import sheet_problems
from muster.systems.symbols import house_symbols
from muster.tables import Modifiers, Table


@dataclass(frozen=True, slots=True)
class SheetBlock:
    """A head with text and tables below it. A block is never split between columns.

    `sign` is the outline of the sign of its phase, `formula` how its roll is made. The figures of
    the main table of the game are larger than others; a `wide` block stands on several columns.
    """

    id: str
    title: str
    remark: str
    tone: str
    views: tuple[TableView, ...]
    text: str = ""
    notes: tuple[str, ...] = ()
    sign: str = ""
    formula: str = ""
    main: bool = False
    wide: bool = False


@dataclass(frozen=True, slots=True)
class SidePhase:
    """A phase of the turn, the outline of its sign, and whether a side has tables for it."""

    title: str
    tone: str
    here: bool
    sign: str = ""


@dataclass(frozen=True, slots=True)
class SheetSide:
    """A side of a sheet: its blocks and footnotes, and the phases of the turn it covers.

    `columns` are the relative widths of its columns; the blocks stand in the order of the turn.
    `conventions` are those of the sheet that its tables need.
    """

    title: str
    columns: tuple[int, ...]
    blocks: tuple[SheetBlock, ...]
    footnotes: tuple[Footnote, ...]
    phases: tuple[SidePhase, ...]
    conventions: tuple[str, ...] = ()


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
    """The title of its scale, empty if the rules hold for any."""
    unit: str
    credit: str
    conventions: tuple[str, ...]
    sides: tuple[SheetSide, ...]
    army: str = ""
    """The name of the army that the sheet is made for, if any."""
    book: str = ""
    units: tuple[UnitTable, ...] = ()
    """The army's units, first at length, then ever shorter."""
    has_units_page: bool = False
    """Whether they have the first page to themselves, instead of the head of the first side."""
    units_scale: float = 1.0
    """How much larger than the rules they are."""
    look: PageLook = PLAIN_LOOK
    synonyms: tuple[tuple[str, ...], ...] = ()
    """Groups of words that mean the same to whoever filters the sheet on a screen."""

    @property
    def phase_starts(self) -> list[tuple[str, SidePhase, SheetBlock]]:
        """The phases of the turn that have blocks: an anchor, the phase, and its first block."""
        firsts: dict[tuple[str, str], SheetBlock] = {}
        for side in self.sides:
            for block in side.blocks:
                firsts.setdefault((block.tone, block.sign), block)
        phases = {(phase.tone, phase.sign): phase for side in self.sides for phase in side.phases}
        return [
            (f"phase-{number}", phase, firsts[key])
            for number, (key, phase) in enumerate(phases.items(), 1)
            if key in firsts
        ]


@in_own_language
def gather_sheet(
    system: System,
    sheet_id: str = "quick-reference",
    *,
    army: Army | None = None,
    measures: Measures | None = None,
) -> Sheet:
    """Gather the data of a sheet.

    Args:
        system: The rule system.
        sheet_id: Which of the system's sheets.
        army: The army that the sheet is made for, if any: what does not concern it is left out.
        measures: Scale and unit of length; else all scales, in the system's own unit.

    Raises:
        MusterError: If the sheet file names a table or row that does not exist.
    """
    written = system.sheet(sheet_id)
    problems = Problems()
    problems.extend(sheet_problems(system, sheet_id, written))
    problems.raise_if_any()
    measures = measures or choose_measures(system)
    keep = parts_for(army.nodes()) if army else keep_all
    sides = [
        _gather_side(system, side, keep, measures, has_army=army is not None)
        for side in written.sides
    ]
    identity = system.identity
    needed = {text for side in sides for text in side.conventions}
    scale_title = measures.scale_title(system)
    return Sheet(
        system=system.id,
        title=system.title,
        subtitle=written.title,
        orientation=written.orientation,
        language=identity.language,
        edition=identity.edition,
        scale="" if [each.id for each in system.scales] == [ANY_SCALE] else scale_title,
        unit=measures.title,
        credit=identity.source.credit,
        conventions=tuple(
            text
            for note in identity.filtered_conventions
            if (text := measures.convert_text(note.text)) in needed
        ),
        sides=tuple(side for side in sides if side.blocks),
        army=army.name if army else "",
        book=book_title(army.book) if army else "",
        units=gather_units(system, army, measures) if army else (),
        look=_look_for(system, army) if army else gather_look(system),
        synonyms=tuple(map(tuple, system.search_words.groups(identity.language))),
    )


def _look_for(system: System, army: Army) -> PageLook:
    """Return the look of an army's sheet: in the colour of its nation, if it has one."""
    look = gather_look(system)
    return replace(look, accent=army_colour(army, system.cards) or look.accent)


def _gather_side(
    system: System, side: Side, keep: PartFilter, measures: Measures, *, has_army: bool
) -> SheetSide:
    """Return a side with its blocks, as far as they have anything to print."""
    footnotes = Footnotes(system, for_play=True)
    chosen = [
        block
        for block in side.blocks
        if (has_army or not block.army) and (not block.scale or measures.scale in ("", block.scale))
    ]
    blocks = [_make_block(system, block, footnotes, keep, measures) for block in chosen]
    shown = tuple(block for block in blocks if block is not None)
    ids = {
        table.id
        for block, made in zip(chosen, blocks, strict=True)
        for table in (_tables_of(system, block) if made else ())
    }
    conventions = tuple(
        measures.convert_text(note.text)
        for note in system.identity.filtered_conventions
        if keep(note) and (not note.tables or ids.intersection(note.tables))
    )
    covered = {table.phase for block in chosen for table in _tables_of(system, block)}
    phases = tuple(
        SidePhase(phase.title, phase.tone, phase.id in covered, sign_of(phase))
        for phase in system.phases
        if phase.tone != "neutral"
    )
    # Footnotes are about what the source prints, so their lengths are not converted.
    return SheetSide(side.title, tuple(side.columns), shown, footnotes.notes(), phases, conventions)


_SIGN_OF_TONE = {
    "command": "flag",
    "initiative": "die",
    "movement": "arrow",
    "fire": "burst",
    "melee": "swords",
    "morale": "heart",
    "army": "shield",
}
"""The symbol of each tone; what belongs to no phase has none."""


def sign_of(phase: Phase) -> str:
    """Return the outline of the sign of a phase: its own, or that of its tone."""
    return house_symbols().get(phase.sign or _SIGN_OF_TONE.get(phase.tone, ""), "")


def _tables_of(system: System, block: Block) -> list[Table]:
    ids = [block.table, *block.tables] if block.table else block.tables
    return [system.table(table_id) for table_id in ids if table_id]


def _make_block(
    system: System, block: Block, footnotes: Footnotes, keep: PartFilter, measures: Measures
) -> SheetBlock | None:
    """Return a block ready to print; None if it has no text and no table with a row to keep."""
    scales = [(scale.id, scale.title) for scale in system.scales]
    labels = {name: measures.convert_text(label) for name, label in block.labels.items()}
    tables = [
        _relabel(measures.convert_table(table, scales), labels)
        for table in _tables_of(system, block)
        if keep(table)
    ]
    views = _view_tables(block, tables, footnotes, keep)
    # A roll that an army has no modifier to is rolled all the same.
    is_roll = bool(block.formula and tables) and all(isinstance(t, Modifiers) for t in tables)
    if not views and not block.text and not is_roll:
        return None
    first = tables[0] if tables else None
    phase = next((each for each in system.phases if first and each.id == first.phase), None)
    if phase is None:
        phase = Phase(id="phase", title="Phase", tone=block.tone)
    if block.remark is None:
        remark = first.remark if first and len(views) == 1 else ""
    else:
        remark = "; ".join(part.text for part in block.remark_parts if keep(part))
    is_narrow = keep is not keep_all and all(len(view.heads) <= _FEW_COLUMNS for view in views)
    if block.main and is_narrow:
        views = [rule_lines(spread_classes(view)) for view in views]
    return SheetBlock(
        id=first.id if first else "text",
        title=block.title or (first.title if first else ""),
        remark=measures.convert_text(remark),
        tone=phase.tone,
        views=tuple(views),
        text=measures.convert_text(block.text or ""),
        notes=tuple(note for view in views for note in view.notes) if block.notes else (),
        sign=sign_of(phase),
        formula=measures.convert_text(block.formula),
        main=block.main,
        wide=block.wide or (block.main and not is_narrow),
    )


def _view_tables(
    block: Block, tables: Sequence[Table], footnotes: Footnotes, keep: PartFilter
) -> list[TableView]:
    """Return the tables of a block as it shows them, without those that have no row to keep."""

    def is_shown(part: Part) -> bool:
        # A column that was split by scale is named as it is written.
        name = getattr(part, "split_from", "") or getattr(part, "id", "")
        return keep(part) and name not in block.without

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
                keep=is_shown,
            ),
            block.fold,
        )
        for table in tables
    ]
    views = [view for view in views if view.lines]
    if block.joined:
        views = join_views(views)
    if not block.number:
        views = [replace(view, number="") for view in views]
    return [rule_lines(view) for view in views] if block.main or block.wide else views


def _relabel(table: Table, labels: Mapping[str, str]) -> Table:
    """Return a table with the sheet's own labels for it, its rows and its columns, by their ids."""
    if not labels:
        return table
    columns = tuple(
        replace(each, label=labels.get(each.split_from or each.id, each.label))
        for each in table.columns
    )
    rows = tuple(replace(each, label=labels.get(each.id, each.label)) for each in table.rows)
    title = labels.get(table.id, table.title)
    return replace(table, title=title, columns=columns, rows=rows)


_FEW_COLUMNS = 2
"""A main table of which an army uses no more columns than this needs no room across columns."""
