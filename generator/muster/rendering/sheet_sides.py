"""The sides of a printed sheet as they are laid out: columns, margins, sizes of type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muster.documents.sheet import SheetSide
from muster.languages import say
from muster.rendering.paper import Paper
from muster.systems.layouts import MAIN_SHARE

if TYPE_CHECKING:
    from muster.documents.sheet import Sheet, SheetBlock

SHEET_MARGIN_MM = 6.5
FOOT_MM = 6.0
GUTTER_MM = 4.2
LINE_EM = 1.19
"""The pitch of lines and rows in a block, in em of its type."""
_RULE_EM = 0.04
"""The rule below a row, which is part of its pitch."""
MAIN_PT = 9.0
"""The smallest type of the figures of a game's main table."""
NOTE_PT = 8.0
"""The size of notes; those of a sheet in smaller type are as small as its text."""
SMALLEST_MARK_PT = 6.5
NOTES_PITCH_MM = 7.0
"""Lines for notes are this far apart."""
NOTES_HEAD_MM = 5.5
"""The height of the head of lines for notes below a column, which stands on the first of them."""
FEWEST_NOTES = 1
"""A page of units has this many lines for notes or none."""


@dataclass(frozen=True, slots=True)
class LaidColumn:
    """A column that is ready to print. Where it ends far above the foot, it has lines for notes."""

    blocks: tuple[SheetBlock, ...]
    width_mm: float
    gap_pt: float
    """The gap between its blocks."""
    note_lines: int = 0
    free_mm: float = 0
    """What is free below its last block."""
    stretch: float = 1.0
    """How much further apart its lines are than they are set normally."""

    @property
    def gaps(self) -> int:
        """The number of gaps between its blocks."""
        return max(len(self.blocks) - 1, 0)

    @property
    def pitch(self) -> str:
        """The pitch of its lines, as CSS."""
        return pitch_style(self.stretch)


def pitch_style(stretch: float) -> str:
    """Return the pitch of text and the height of the lines of a table, as CSS."""
    line_em = LINE_EM * stretch
    return f"--pitch: {line_em:.4g}em; --row: {line_em - _RULE_EM:.4g}em"


@dataclass(frozen=True, slots=True)
class LaidGroup:
    """Columns that stand below the main table of a side, or a single one below nothing."""

    columns: tuple[LaidColumn, ...]
    width_mm: float
    main: SheetBlock | None = None


@dataclass(frozen=True, slots=True)
class LaidSide:
    """A side that is ready to print, and what does not fit on it.

    `span` are the columns that its main table stands on, from -1 to -1 without a main table, and
    `gap_pt` is the least gap between its blocks. Each side has type as large as fits: `size_pt`.
    """

    side: SheetSide
    groups: tuple[LaidGroup, ...]
    span: range
    gap_pt: float
    room_mm: float
    over_mm: float
    wide: tuple[str, ...]
    size_pt: float
    note_lines: int = 0
    """How many lines for notes a page of units has below them."""

    @property
    def style(self) -> str:
        """The sizes of its type, as CSS."""
        return (
            f"font-size: {self.size_pt:g}pt; --small: {note_size(self.size_pt):g}pt; "
            f"--head: {head_size(self.size_pt):g}pt; "
            f"--marksize: {footnote_mark_size(self.size_pt):g}pt; "
            f"--mainsize: {main_size(self.size_pt):g}pt"
            + ("" if self.side.blocks else f"; --rowgap: {self.gap_pt / 2:g}pt")
        )


def units_side() -> SheetSide:
    """Return the side of a page of units: it has no blocks."""
    return SheetSide(say("Units"), (1,), (), (), ())


def units_page(size: float, gap: float, notes: int) -> LaidSide:
    """Return the page that an army's units have to themselves.

    Args:
        size: The size of its type, in points.
        gap: The space that is added to each row, in points.
        notes: How many lines for notes stand below them.
    """
    return LaidSide(units_side(), (), NO_SPAN, gap, 0, 0, (), size, note_lines=notes)


def note_size(size: float) -> float:
    """Return the size of notes and remarks, in points."""
    return max(min(size, NOTE_PT), round(size * 0.88, 2))


def head_size(size: float) -> float:
    """Return the size of the phases and facts in the head of a side, which must fit its width."""
    return min(note_size(size), NOTE_PT)


def main_size(size: float) -> float:
    """Return the size of the figures of a main table, in points."""
    return max(MAIN_PT, round(size * 1.12, 2))


def footnote_mark_size(size: float) -> float:
    """Return the size of footnote marks, in points."""
    return max(SMALLEST_MARK_PT, round(size * 0.75, 2))


def credit_side(sheet: Sheet) -> int:
    """Return the number of the side whose foot has the credit: that with the fewest footnotes."""
    lengths = [sum(len(note.text) for note in side.footnotes) for side in sheet.sides]
    return lengths.index(min(lengths))


def columns_of(laid: LaidSide) -> list[LaidColumn]:
    """Return the columns of a side, from the left."""
    return [column for group in laid.groups for column in group.columns]


def column_widths_mm(sheet: Sheet, side: SheetSide, paper: Paper) -> list[float]:
    """Return the width of each column of a side, in millimetres."""
    usable = paper.turned(sheet.orientation)[0] - 2 * SHEET_MARGIN_MM
    usable -= GUTTER_MM * (len(side.columns) - 1)
    total = sum(side.columns)
    return [usable * weight / total for weight in side.columns]


def main_of(side: SheetSide) -> SheetBlock | None:
    """Return the block of a side that stands on several columns, if it has one."""
    return next((block for block in side.blocks if block.wide), None)


def blocks_in_columns(side: SheetSide) -> list[SheetBlock]:
    """Return the blocks that stand in columns: all but the main table, which stands on them."""
    main = main_of(side)
    return [block for block in side.blocks if block is not main]


NO_SPAN = range(-1, -1)


def main_spans(sheet: Sheet, side: SheetSide, paper: Paper) -> list[range]:
    """Return the columns that the main table of a side may stand on: as few as are wide enough.

    A side without a main table has the empty range from -1 alone.
    """
    if main_of(side) is None:
        return [NO_SPAN]
    widths = column_widths_mm(sheet, side, paper)
    least = MAIN_SHARE * paper.turned(sheet.orientation)[0]
    every = range(len(widths))
    spans = [range(first, last + 1) for first in every for last in every[first:]]
    wide = [span for span in spans if width_of_span(widths, span) >= least]
    fewest = min((len(span) for span in wide), default=len(widths))
    return [span for span in wide if len(span) == fewest] or [every]


def width_of_span(widths: Sequence[float], span: range) -> float:
    """Return the width of adjacent columns with the gutters between them, in millimetres."""
    return sum(widths[column] for column in span) + GUTTER_MM * (len(span) - 1)


def group_columns(
    side: SheetSide, columns: Sequence[LaidColumn], span: range
) -> tuple[LaidGroup, ...]:
    """Return the columns of a side, those below its main table as one group."""
    groups = []
    for index, column in enumerate(columns):
        if index not in span:
            groups.append(LaidGroup((column,), column.width_mm))
        elif index == span.start:
            width = width_of_span([each.width_mm for each in columns], span)
            below = tuple(columns[span.start : span.stop])
            groups.append(LaidGroup(below, width, main_of(side)))
    return tuple(groups)
