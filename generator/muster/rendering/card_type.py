"""Choose the type of a card's parts by the widths of their texts, before any trial layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import ceil
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

_HEAD_RATIO = 0.86
"""How large the heads of a card's tables are beside its figures, which they must not squeeze."""
LINE_HEIGHT = 1.12
"""The height of the lines of a card in em, as `cards.css` has it."""
_STEP_PT = 0.1
_LEAST_RATIO = 0.86
"""How much smaller rows become at most to stand on one line."""
_LONGEST_FIGURE = 20
"""The most characters of a value that is kept on one line with its label."""
_EVEN_RATIO = 1.04
"""How much larger the type of a table with heads is at most than the smallest of its card; rows
without heads, which need less room, are no larger than that."""
_SAFETY = 1.02
"""Texts are taken to be this much wider than the advances of their glyphs."""

EDGE_MM = 3.0
SYMBOL_SIDE_MM = 12.0
_SYMBOL_MM = 13.4
_ITEM_MM = 0.1
_ITEM_EM = 0.73
"""Widths that `cards.css` gives to a card's edge, its symbol, and the gaps of its head."""

_CELL_EM = 0.4
_LABEL_EM = 0.3
_RESULT_EM = 0.35
_BOX_EM = 1.9
_TAB_MM = 2.2
_ASIDE_GAP_MM = 1.2
"""The padding of cells, labels and titles of blocks, and the width of an empty box, as `cards.css`
has them."""
BESIDE_GAP_MM = 3.0
"""What stands between two blocks that are side by side."""
_WIDEST_ASIDE = 0.32
"""The share of a card's width that the titles of blocks take at most beside their rows."""

_TITLE_STEP_PT = 0.5
_LARGEST_TITLE_PT = 15.0
_SMALLEST_TITLE_PT = 10.5
_LARGEST_BROKEN_PT = 11.5
_LARGEST_OF_THREE_PT = 13.0
_LARGEST_OF_FOUR_PT = 9.0
_SMALLEST_BROKEN_PT = 8.5
_TITLE_LEADING = 1.12
_TYPE_PT = 9.0
_BROKEN_TYPE_PT = 8.4
_TYPE_OF_THREE_PT = 7.8
_TYPE_OF_FOUR_PT = 7.0
_LEAST_TYPE_PT = 7.6
_TYPE_LEADING = 1.2
_HEAD_STEP_PT = 0.3
_TYPE_LINES = 2
_MOST_LARGE_LINES = 3
"""The type sizes of the lines of the head, on a card of nine to a page."""


@dataclass(frozen=True, slots=True)
class BlockType:
    """The type size of a block of a card, in points."""

    size_pt: float
    aside_mm: float = 0.0
    """The width of its title beside its rows; 0 if the title stands above them."""
    width_mm: float = 0.0
    """Its width beside another block; 0 if it is as wide as the card."""

    @property
    def head_pt(self) -> float:
        """The size of the heads of its table."""
        return head_size(self.size_pt)


@dataclass(frozen=True, slots=True)
class HeadType:
    """The sizes of a card's title and of its type, in points, and how many lines they take."""

    title_pt: float
    title_lines: int
    type_pt: float
    type_lines: int
    keeps_hyphens: bool = False
    """Whether a title on two lines is broken at a blank, and no word at its hyphen."""

    @property
    def title_mm(self) -> float:
        """The height of a line of the title."""
        return round(_TITLE_LEADING * self.title_pt / PT_PER_MM, 2)

    @property
    def type_mm(self) -> float:
        """The height of a line of the type."""
        return round(_TYPE_LEADING * self.type_pt / PT_PER_MM, 2)

    @property
    def height_mm(self) -> float:
        """The height of all lines."""
        return self.title_lines * self.title_mm + self.type_lines * self.type_mm


@dataclass(frozen=True, slots=True)
class CardType:
    """The type sizes of a card's head and of its blocks."""

    head: HeadType
    bands: tuple[tuple[BlockType, ...], ...]
    """The types of its blocks, those that stand side by side together."""

    @property
    def blocks(self) -> tuple[BlockType, ...]:
        """The types of its blocks in order."""
        return tuple(block for band in self.bands for block in band)


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


def _head_mm(card: Card, width_mm: float, scale: float) -> float:
    """Return the width of the lines of a card's head."""
    return width_mm - (2 * EDGE_MM + (_SYMBOL_MM if card.symbol else 0.0)) * scale


def shorten_type(widths: TextWidths, card: Card, width_mm: float, scale: float = 1) -> Card:
    """Return a card whose facts fit two lines of its head, if naming its general type is enough.

    Of `Musketeers early in the war, medium infantry` that is `Medium infantry`.
    """
    room_mm = _head_mm(card, width_mm, scale)
    items = [*card.facts, *card.options]
    _, comma, general = card.facts[0].rpartition(", ") if card.facts else ("", "", "")
    if not comma or _line_count(widths, items, room_mm, SMALLEST_CARD_PT * scale) <= _TYPE_LINES:
        return card
    return replace(card, facts=(general[0].upper() + general[1:], *card.facts[1:]))


def _line_count(widths: TextWidths, items: Sequence[str], room_mm: float, size_pt: float) -> int:
    """Return how many lines items need at a size, broken between them, and at blanks if need be."""
    gap_mm = _ITEM_MM + _ITEM_EM * size_pt / PT_PER_MM
    lines, used_mm = 1, 0.0
    for item in items:
        width_mm = widths.regular(item, size_pt) + gap_mm
        if used_mm and used_mm + width_mm > room_mm:
            lines, used_mm = lines + 1, 0.0
        # One that is wider than a line has its lines for itself.
        lines += ceil(width_mm / room_mm) - 1
        used_mm = room_mm if width_mm > room_mm else used_mm + width_mm
    return lines


def choose_type(
    widths: TextWidths, card: Card, width_mm: float, size_pt: float, scale: float = 1
) -> CardType:
    """Return how a card of a width is set whose tables have a type size.

    A table that is wider than the card has smaller type than the others, which follow it.
    """
    room_mm = width_mm - 2 * EDGE_MM * scale
    aside_mm = 0.0 if card.stacks else _aside_width(widths, card.blocks, size_pt, scale)
    if aside_mm > _WIDEST_ASIDE * room_mm:
        aside_mm = 0.0
    bands = [
        _types_side_by_side(widths, band, room_mm, size_pt, scale)
        if len(band) > 1
        else [_block_type(widths, band[0], room_mm, size_pt, aside_mm)]
        for band in card.bands
    ]
    least_pt = min((each.size_pt for band in bands for each in band), default=size_pt)
    most_pt = {True: round(least_pt * _EVEN_RATIO, 2), False: least_pt}
    return CardType(
        choose_head(widths, card, width_mm, scale),
        tuple(
            tuple(
                replace(each, size_pt=min(each.size_pt, most_pt[bool(block.heads)]))
                for each, block in zip(types, band, strict=True)
            )
            for types, band in zip(bands, card.bands, strict=True)
        ),
    )


def set_alike(
    widths: TextWidths, cards: Sequence[Card], width_mm: float, easy_pt: float, scale: float = 1
) -> tuple[Card, ...]:
    """Return cards of which those of one kind have the titles of their blocks at one place.

    Titles stand beside their rows if all cards of the kind have room for that at a size that is
    read with ease.
    """
    room_mm = width_mm - 2 * EDGE_MM * scale
    stacked = set()
    for card in cards:
        aside_mm = _aside_width(widths, card.blocks, easy_pt, scale)
        if aside_mm > _WIDEST_ASIDE * room_mm or any(
            stands_aside(block) and easy_pt * _widest_row(widths, block) > room_mm - aside_mm
            for block in card.blocks
        ):
            stacked.add((card.level, card.kind))
    return tuple(replace(card, stacks=(card.level, card.kind) in stacked) for card in cards)


def stands_aside(block: CardBlock) -> bool:
    """Return whether the title of a block can stand beside its rows."""
    return bool(block.title) and not block.heads and not block.is_list


def _widest_row(widths: TextWidths, block: CardBlock) -> float:
    """Return the width of the rows of a block at a size of 1 pt.

    The column of labels is as wide as the longest of them, that of values likewise.
    """
    labels = [widths.regular(row.label, 1.0) for row in block.rows]
    values = [_row_width(widths, row, 1.0) - widths.regular(row.label, 1.0) for row in block.rows]
    return max(labels) + max(values)


def choose_head(widths: TextWidths, card: Card, width_mm: float, scale: float = 1) -> HeadType:
    """Return how the head of a card is set: its title and its type each on one line if they fit.

    What does not fit one line in good size stands on two.
    """
    room_mm = _head_mm(card, width_mm, scale)
    title_pt, title_lines = _title_size(widths, card.title, room_mm, scale), 1
    keeps_hyphens = False
    if not title_pt:
        title_pt, title_lines = _broken_title_size(widths, card.title, room_mm, scale), 2
        keeps_hyphens = _breaks_at_blank(widths, card.title, room_mm, title_pt)
    items = [*card.facts, *card.options]
    if not items:
        return HeadType(title_pt, title_lines, SMALLEST_CARD_PT, 0, keeps_hyphens)
    least = SMALLEST_CARD_PT if title_lines > 1 else _LEAST_TYPE_PT
    type_pt, type_lines = fit_line(widths, items, room_mm, _TYPE_PT * scale, least * scale), 1
    if not type_pt:
        type_pt, type_lines = _two_line_size(widths, items, room_mm, scale), 2
    if title_lines + type_lines == _MOST_LARGE_LINES:
        title_pt = min(title_pt, _LARGEST_OF_THREE_PT * scale)
        type_pt = min(type_pt, _TYPE_OF_THREE_PT * scale)
    if title_lines + type_lines > _MOST_LARGE_LINES:
        title_pt = min(title_pt, _LARGEST_OF_FOUR_PT * scale)
        type_pt = min(type_pt, max(SMALLEST_CARD_PT, _TYPE_OF_FOUR_PT * scale))
    return HeadType(title_pt, title_lines, type_pt, type_lines, keeps_hyphens)


def _breaks_at_blank(widths: TextWidths, title: str, room_mm: float, size_pt: float) -> bool:
    """Return whether a title fits two lines that are broken at a blank, and at no hyphen."""
    words = title.split(" ")
    return any(
        widths.title(" ".join(line), size_pt) <= room_mm
        and widths.title(" ".join(words[len(line) :]), size_pt) <= room_mm
        for line in (words[:number] for number in range(1, len(words)))
    )


def _two_line_size(widths: TextWidths, items: Sequence[str], room_mm: float, scale: float) -> float:
    """Return the largest size at which items fit two lines."""
    for size in reversed(_sizes(SMALLEST_CARD_PT * scale, _BROKEN_TYPE_PT * scale)):
        if _line_count(widths, items, room_mm, size) <= _TYPE_LINES:
            return size
    return SMALLEST_CARD_PT


def _title_size(widths: TextWidths, title: str, room_mm: float, scale: float) -> float:
    """Return the largest size at which a title fits a line; 0 if none does."""
    size = _LARGEST_TITLE_PT * scale
    while size >= _SMALLEST_TITLE_PT * scale:
        if widths.title(title, size) <= room_mm:
            return round(size, 1)
        size -= _TITLE_STEP_PT
    return 0.0


def _broken_title_size(widths: TextWidths, title: str, room_mm: float, scale: float) -> float:
    """Return the largest size at which a title fits two lines, else the smallest of titles."""
    size = _LARGEST_BROKEN_PT * scale
    while size > _SMALLEST_BROKEN_PT * scale:
        lines, used_mm = 1, 0.0
        for word in title.split(" "):
            word_mm = widths.title(f"{word} ", size)
            if used_mm and used_mm + word_mm > room_mm:
                lines, used_mm = lines + 1, 0.0
            used_mm += word_mm
        if lines <= _TYPE_LINES and used_mm <= room_mm:
            return round(size, 1)
        size -= _TITLE_STEP_PT
    return round(_SMALLEST_BROKEN_PT * scale, 1)


def _sizes(smallest_pt: float, largest_pt: float) -> list[float]:
    """Return sizes from the smallest up to the largest, in even steps."""
    steps = int((largest_pt - smallest_pt) / _HEAD_STEP_PT + 1e-6)
    return [round(smallest_pt + n * _HEAD_STEP_PT, 1) for n in range(steps + 1)]


def fit_line(
    widths: TextWidths,
    items: Sequence[str],
    room_mm: float,
    largest_pt: float,
    smallest_pt: float = SMALLEST_CARD_PT,
) -> float:
    """Return the largest size at which items fit a line; 0 if none does."""
    for size in reversed(_sizes(smallest_pt, largest_pt)):
        gaps_mm = len(items) * (_ITEM_MM + _ITEM_EM * size / PT_PER_MM)
        if sum(widths.regular(item, size) for item in items) + gaps_mm <= room_mm:
            return size
    return 0.0


def _aside_width(
    widths: TextWidths, blocks: Sequence[CardBlock], size_pt: float, scale: float
) -> float:
    """Return the width of the widest title of a block without heads, with its gap."""
    titles = [block.title for block in blocks if stands_aside(block)]
    widest_mm = max((widths.bold(title, head_size(size_pt)) for title in titles), default=0.0)
    return round(widest_mm + (_TAB_MM + _ASIDE_GAP_MM) * scale, 2) if titles else 0.0


def _block_type(
    widths: TextWidths, block: CardBlock, room_mm: float, largest_pt: float, aside_mm: float
) -> BlockType:
    """Return how a block is set: its title beside its rows if all of them stand on one line."""
    if aside_mm and stands_aside(block):
        size, widest = largest_pt, _widest_row(widths, block)
        while size >= SMALLEST_CARD_PT:
            if size * widest <= room_mm - aside_mm:
                return BlockType(size, aside_mm)
            size = round(size - _STEP_PT, 2)
    return BlockType(_block_size(widths, block, room_mm, largest_pt))


def _types_side_by_side(
    widths: TextWidths, band: Sequence[CardBlock], room_mm: float, largest_pt: float, scale: float
) -> list[BlockType]:
    """Return how blocks are set side by side: at one size, each with its share of what is free.

    At the smallest size they may be too wide: their cells are then broken.
    """
    room_mm -= (len(band) - 1) * BESIDE_GAP_MM * scale
    size = largest_pt
    while True:
        needs = [_least_width(widths, block, size) for block in band]
        free_mm = room_mm - sum(needs)
        if free_mm >= 0 or size <= SMALLEST_CARD_PT:
            break
        size = max(SMALLEST_CARD_PT, round(size - _STEP_PT, 2))
    return [BlockType(size, width_mm=round(each + free_mm / len(band), 2)) for each in needs]


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


def _least_width(widths: TextWidths, block: CardBlock, size_pt: float) -> float:
    """Return the least width of a block beside another one, in mm."""
    if block.heads:
        return _table_width(widths, block, size_pt)
    title_mm = widths.bold(block.title, head_size(size_pt)) + _TAB_MM
    return max(title_mm, _longest_row(widths, block, size_pt))


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


def _row_width(widths: TextWidths, row: CardRow, size_pt: float) -> float:
    """Return the width of a row on one line, in mm; more than any card has if it is no pair."""
    if len(row.values) != 1 or not row.label:
        return float("inf")
    em_mm, cell = size_pt / PT_PER_MM, row.values[0]
    value_mm = _BOX_EM * em_mm if cell.kind == "blank" else widths.bold(cell.text, size_pt)
    return widths.regular(row.label, size_pt) + value_mm + (_LABEL_EM + _CELL_EM) * em_mm


_SURELY_FREE = 0.95
"""The share of a line that a unit takes at most, for widths of letters are rounded in print."""


def fits_list(
    widths: TextWidths, card: Card, width_mm: float, size_pt: float, scale: float = 1
) -> bool:
    """Return whether each unit that a leader leads stands on one line of a card of a size.

    As other rows without heads they may be smaller for that.
    """
    least_pt = max(SMALLEST_CARD_PT, size_pt * _LEAST_RATIO)
    widest_mm = max(_row_width(widths, unit, least_pt) for unit in card.led)
    return widest_mm <= _SURELY_FREE * (width_mm - 2 * EDGE_MM * scale)


_RUN_IN_LEADING = 1.4
_RUN_IN_GAP_MM = 1.0


def fit_run_in(
    widths: TextWidths, card: Card, room_mm: float, free_mm: float, sizes: Sequence[float]
) -> tuple[float, float]:
    """Return the size at which a leader's units fit one after the other, and their height in mm.

    Both are 0 if they do not fit at any of the sizes, the largest of which comes first.
    """
    for size in sizes:
        lines, used_mm = 1, 0.0
        for unit in card.led:
            unit_mm = widths.regular(f"{unit.label} ,  ", size)
            unit_mm += sum(widths.bold(cell.text, size) for cell in unit.values)
            if used_mm and used_mm + unit_mm > room_mm:
                lines, used_mm = lines + 1, 0.0
            # A unit that is wider than the card goes on in the next line.
            lines += int(unit_mm // room_mm)
            used_mm += unit_mm % room_mm
        height_mm = _RUN_IN_GAP_MM + (lines + 1) * run_in_pitch(size)
        if height_mm <= free_mm:
            return size, round(height_mm, 2)
    return 0.0, 0.0


def run_in_pitch(size_pt: float) -> float:
    """Return the height of a line of units that stand one after the other, in mm."""
    return round(_RUN_IN_LEADING * size_pt / PT_PER_MM, 2)
