"""Choose the type of a card's parts by the widths of their texts, before any trial layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from muster.rendering.font_files import opened_font
from muster.rendering.glyphs import find_template_file
from muster.rendering.paper import PT_PER_MM

if TYPE_CHECKING:
    from muster.documents.cards import Card, CardBlock, CardRow
    from muster.documents.derived_values import DerivedCell

SMALLEST_CARD_PT = 7.0
"""No type on a card is smaller, whatever the format."""

_HEAD_RATIO = 0.8
"""How large the heads of a card's tables are beside its figures, which they must not squeeze."""
LINE_HEIGHT = 1.12
"""The height of the lines of a card in em, as `cards.css` has it."""
_STEP_PT = 0.1
_LEAST_RATIO = 0.86
"""How much smaller rows become at most to stand on one line."""
_LONGEST_FIGURE = 20
"""The most characters of a value that is kept on one line with its label."""
_EVEN_RATIO = 1.15
"""How much larger the type of a block is at most than that of another one of the card."""
_SAFETY = 1.02
"""Texts are taken to be this much wider than the advances of their glyphs."""

_EDGE_MM = 2.8
_SYMBOL_MM = 15.2
_DENSE_SYMBOL_MM = 13.8
_COST_MM = 10.5
_ITEM_MM = 1.5
_ITEM_EM = 0.25
_BADGE_MM = 3.0
"""Widths that `cards.css` gives to a card's edge, symbol, cost, the gaps of its head, its badge."""

_CELL_EM = 0.4
_LABEL_EM = 0.3
_RESULT_EM = 0.35
_BOX_EM = 1.9
_TAB_MM = 2.0
"""The padding of cells, labels and tabs, and the width of an empty box, as `cards.css` has them."""

_ROW_GAP_MM = 1.5
_WIDEST_TAB_MM = 19.0
_MOST_ROWS_BESIDE = 3
"""What a tab that stands beside its rows leaves them, its width, and how many rows it serves."""

_TITLE_STEP_PT = 0.5
_TITLE_PT = {False: (9.0, 12.5), True: (9.5, 14.0)}
_BROKEN_TITLE_PT = 10.0
_TYPE_PT = {False: (7.2, 7.4, 7.6), True: (7.4, 8.0, 8.4)}
_NATION_PT = {False: (7.0,), True: (7.0, 7.4, 7.8)}
_LARGE_CARD_MM = 66.0
"""Type sizes of the lines of the head, on cards narrower and wider than this."""


@dataclass(frozen=True, slots=True)
class BlockType:
    """How a block of a card is set."""

    size_pt: float
    aside: bool = False
    """Whether its title stands beside its rows, not above them."""

    @property
    def head_pt(self) -> float:
        """The size of the heads of its table, in points."""
        return head_size(self.size_pt)

    @property
    def line_pt(self) -> float:
        """The height of its lines in points."""
        return round(self.size_pt * LINE_HEIGHT, 2)


@dataclass(frozen=True, slots=True)
class CardType:
    """The type sizes of the lines of a card's head, and how its blocks are set."""

    title_pt: float
    type_pt: float
    nation_pt: float
    command_above: bool
    """Whether the command stands in the line of the type, for want of room beside the nation."""
    tab_mm: float
    """The width of the titles that stand beside their rows."""
    blocks: tuple[BlockType, ...]

    def count_lines(self, card: Card, *, paired: bool) -> int:
        """Return how many lines the blocks of a card have."""
        return sum(
            len(block.rows) if look.aside else block.count_lines(paired=paired)
            for block, look in zip(card.blocks, self.blocks, strict=True)
        )


def head_size(size_pt: float) -> float:
    """Return the size of the heads of a table whose figures have a size, in points."""
    return max(SMALLEST_CARD_PT, round(size_pt * _HEAD_RATIO, 2))


class TextWidths:
    """The widths of texts in the typefaces of cards."""

    def __init__(self, folders: Sequence[Path]) -> None:
        """Read the widths of the glyphs from the first template folder that has a typeface."""
        names = ("MusterSans-Regular", "MusterSans-SemiBold", "MusterSerif-SemiBold")
        self._regular, self._bold, self._title = (
            _read_advances(find_template_file(folders, f"fonts/{name}.ttf")) for name in names
        )

    def regular(self, text: str, size_pt: float) -> float:
        """Return the width of a text in mm."""
        return _width(self._regular, text, size_pt)

    def bold(self, text: str, size_pt: float) -> float:
        """Return the width of a text in bold type, in mm."""
        return _width(self._bold, text, size_pt)

    def title(self, text: str, size_pt: float) -> float:
        """Return the width of a card's title in mm."""
        return _width(self._title, text, size_pt)


@cache
def _read_advances(face: Path) -> Mapping[str, float]:
    """Return the width of each character of a typeface, in em."""
    with opened_font(face) as font:
        em, advances = font["head"].unitsPerEm, font["hmtx"]
        return {chr(code): advances[name][0] / em for code, name in font.getBestCmap().items()}


def _width(advances: Mapping[str, float], text: str, size_pt: float) -> float:
    widest = advances.get("M", 1)
    return _SAFETY * sum(advances.get(each, widest) for each in text) * size_pt / PT_PER_MM


def choose_type(
    widths: TextWidths, card: Card, width_mm: float, size_pt: float, *, dense: bool
) -> CardType:
    """Return how a card of a width is set whose tables have a type size.

    A title and the lines below it stay on one line where a smaller size allows it. A table that
    is wider than the card has smaller type than the others. The title of a few short rows stands
    beside them.
    """
    large = width_mm > _LARGE_CARD_MM
    symbol_mm = _EDGE_MM if not card.symbol else _DENSE_SYMBOL_MM if dense else _SYMBOL_MM
    head_mm = width_mm - symbol_mm - _EDGE_MM
    whose_mm = head_mm - (_BADGE_MM if card.nation and card.shape else 0.0)
    facts, whose = (
        [*card.facts, *card.options],
        [each for each in (card.nation, card.command) if each],
    )
    command_above = (
        len(whose) > 1
        and not _fit_line(widths, whose, whose_mm, _NATION_PT[large])
        and bool(_fit_line(widths, [*facts, card.command], head_mm, _TYPE_PT[large]))
    )
    if command_above:
        facts, whose = [*facts, card.command], [card.nation]
    room_mm = width_mm - 2 * _EDGE_MM
    sizes = [_block_size(widths, block, room_mm, size_pt) for block in card.blocks]
    even_pt = round(min(sizes, default=size_pt) * _EVEN_RATIO, 2)
    sizes = [min(size, even_pt) for size in sizes]
    tab_mm, aside = _titles_aside(widths, card, room_mm, min(size_pt, even_pt))
    return CardType(
        _title_size(widths, card, head_mm, large=large, dense=dense),
        _fit_line(widths, facts, head_mm, _TYPE_PT[large]) or _TYPE_PT[large][1],
        _fit_line(widths, whose, whose_mm, _NATION_PT[large]) or _NATION_PT[large][0],
        command_above,
        tab_mm,
        tuple(BlockType(size, number in aside) for number, size in enumerate(sizes)),
    )


def _title_size(
    widths: TextWidths, card: Card, head_mm: float, *, large: bool, dense: bool
) -> float:
    """Return the largest size at which the title fits a line; one for two lines if none does."""
    smallest, largest = _TITLE_PT[large]
    room_mm = head_mm - (_COST_MM if card.cost else 0)
    size = largest - dense
    while size >= smallest:
        if widths.title(card.title, size) <= room_mm:
            return size
        size -= _TITLE_STEP_PT
    return _BROKEN_TITLE_PT


def _fit_line(
    widths: TextWidths, items: Sequence[str], room_mm: float, sizes: Sequence[float]
) -> float:
    """Return the largest size at which items fit a line; 0 if none does."""
    for size in reversed(sizes):
        gaps_mm = len(items) * (_ITEM_MM + _ITEM_EM * size / PT_PER_MM)
        if sum(widths.regular(item, size) for item in items) + gaps_mm <= room_mm:
            return size
    return 0.0


def _block_size(widths: TextWidths, block: CardBlock, room_mm: float, largest_pt: float) -> float:
    """Return the largest size at which a block is no wider than the card.

    Rows without heads can be broken: they are only made smaller where that is enough for one line.
    """
    size, smallest = largest_pt, SMALLEST_CARD_PT
    need = _table_width
    if not block.heads:
        need, smallest = _longest_row, max(SMALLEST_CARD_PT, largest_pt * _LEAST_RATIO)
    while size > smallest and need(widths, block, size) > room_mm:
        size = round(size - _STEP_PT, 2)
    if size > smallest:
        return size
    return SMALLEST_CARD_PT if block.heads else largest_pt


def _longest_row(widths: TextWidths, block: CardBlock, size_pt: float) -> float:
    """Return the width of the longest row with a label and a figure, in mm; 0 if there is none."""
    figures = [row for row in block.rows if row.label and len(row.values) == 1]
    short = [row for row in figures if len(row.values[0].text) <= _LONGEST_FIGURE]
    return max((_row_width(widths, row, size_pt) for row in short), default=0.0)


def _table_width(widths: TextWidths, block: CardBlock, size_pt: float) -> float:
    """Return the least width of a table with heads, in mm."""
    em_mm, head_pt = size_pt / PT_PER_MM, head_size(size_pt)
    labels = [
        widths.regular(_unbroken(row.label, whole=block.is_flat), size_pt) for row in block.rows
    ]
    width_mm = max(
        widths.bold(block.title, head_pt) + (_TAB_MM if block.title else 0),
        max(labels, default=0.0) + _LABEL_EM * em_mm,
    )
    for place, head in enumerate(block.heads):
        cells = [row.values[place] for row in block.rows if place < len(row.values)]
        head_mm = widths.regular(_unbroken(head, whole=block.is_flat), head_pt)
        width_mm += max(
            head_mm + _CELL_EM * head_pt / PT_PER_MM,
            *(_cell_width(widths, cell, size_pt) + _CELL_EM * em_mm for cell in cells),
        )
    return width_mm


def _unbroken(text: str, *, whole: bool) -> str:
    """Return what of a text stands on one line: all of it, or its longest word."""
    return text if whole else max(text.split(" "), key=len)


def _cell_width(widths: TextWidths, cell: DerivedCell, size_pt: float) -> float:
    """Return the least width of a cell without its padding, in mm."""
    em_mm = size_pt / PT_PER_MM
    if cell.kind == "blank":
        return _BOX_EM * em_mm
    if cell.kind == "text":
        return widths.regular(_unbroken(cell.text, whole=False), size_pt)
    return widths.bold(cell.text, size_pt) + (_RESULT_EM * em_mm if cell.result else 0)


def _titles_aside(
    widths: TextWidths, card: Card, room_mm: float, size_pt: float
) -> tuple[float, frozenset[int]]:
    """Return the numbers of the blocks whose titles stand beside their rows, and one width for all.

    Those that leave their rows too little room beside the widest of them stand above.
    """
    tabs: dict[int, float] = {}
    needs: dict[int, float] = {}
    for number, block in enumerate(card.blocks):
        if not block.title or block.heads or len(block.rows) > _MOST_ROWS_BESIDE:
            continue
        tabs[number] = widths.bold(block.title, head_size(size_pt)) + _TAB_MM
        needs[number] = max(_row_width(widths, row, size_pt) for row in block.rows) + _ROW_GAP_MM
    fitting = [
        number
        for number, tab_mm in tabs.items()
        if tab_mm <= _WIDEST_TAB_MM and tab_mm + needs[number] <= room_mm
    ]
    while fitting:
        tab_mm = max(tabs[number] for number in fitting)
        if all(tab_mm + needs[number] <= room_mm for number in fitting):
            return round(tab_mm, 2), frozenset(fitting)
        # The widest title goes, if that leaves more blocks with theirs beside them.
        fitting.remove(max(fitting, key=lambda number: tabs[number]))
    return 0.0, frozenset()


def _row_width(widths: TextWidths, row: CardRow, size_pt: float) -> float:
    """Return the width of a row on one line, in mm; more than any card has if it is no pair."""
    if len(row.values) != 1 or not row.label:
        return float("inf")
    em_mm, cell = size_pt / PT_PER_MM, row.values[0]
    value_mm = _BOX_EM * em_mm if cell.kind == "blank" else widths.bold(cell.text, size_pt)
    return widths.regular(row.label, size_pt) + value_mm + (_LABEL_EM + _CELL_EM) * em_mm


_SURELY_FREE = 0.95
"""The share of a line that a unit takes at most, for widths of letters are rounded in print."""


def fit_list(widths: TextWidths, card: Card, width_mm: float) -> float:
    """Return the largest size at which each unit that a leader leads stands on one line."""
    at_one_pt = max(_row_width(widths, unit, 1) for unit in card.led)
    return _SURELY_FREE * (width_mm - 2 * _EDGE_MM) / at_one_pt


_RUN_IN_SIZES = (9.4, 8.4, 7.5)
_RUN_IN_LEADING = 1.4
_RUN_IN_HEAD_MM = 6.5


def fit_run_in(
    widths: TextWidths, card: Card, width_mm: float, free_mm: float
) -> tuple[float, float]:
    """Return the size at which a leader's units fit one after the other, and their height in mm.

    Both are 0 if they do not fit.
    """
    room_mm = width_mm - 2 * _EDGE_MM
    for size in _RUN_IN_SIZES:
        lines, used_mm = 1, 0.0
        for unit in card.led:
            unit_mm = widths.regular(f"{unit.label} ,  ", size)
            unit_mm += sum(widths.bold(cell.text, size) for cell in unit.values)
            if used_mm and used_mm + unit_mm > room_mm:
                lines, used_mm = lines + 1, 0.0
            # A unit that is wider than the card goes on in the next line.
            lines += int(unit_mm // room_mm)
            used_mm += unit_mm % room_mm
        height_mm = _RUN_IN_HEAD_MM + lines * run_in_pitch(size)
        if height_mm <= free_mm:
            return size, round(height_mm, 2)
    return 0.0, 0.0


def run_in_pitch(size_pt: float) -> float:
    """Return the height of a line of units that stand one after the other, in mm."""
    return round(_RUN_IN_LEADING * size_pt / PT_PER_MM, 2)
