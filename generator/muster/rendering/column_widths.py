"""Share the width of a sheet's grid among its columns, so that its rows need few lines."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from muster.rendering.text_widths import SPACE_EM, lines_of, text_em

if TYPE_CHECKING:
    from collections.abc import Sequence

    from muster.documents.table_view import TableView

_BOLD = 1.015
"""How much wider heads and labels are than text."""
_SHORT_FIGURES = 5
_FIGURES = 1.1
"""In grids whose figures have so few characters, these are so much larger than text."""
_STEP_EM = 0.25
"""The steps in which widths are tried, in em."""
_PADDING_EM = 0.6
_HEAD_PADDING_EM = 0.8
_WORDS_PADDING_EM = 0.65
_LABEL_PADDING_EM = 0.3
_DENSE_PADDING_EM = 0.3
_DENSE_HEAD_PADDING_EM = 0.32
_DENSE_WORDS_PADDING_EM = 0.56
_BOX_EM = 2.35
_DENSE_BOX_EM = 1.95
_SUM_PADDING_EM = 0.55
"""The space beside dice with a number, such as 2D6 + 3, which else read as one with the next."""
_MANY_COLUMNS = 4
"""Grids with more columns than this are printed with narrower gaps."""
_LONGEST_WHOLE = 16
"""The characters up to which a label, or words with a hyphen, stay on one line."""
_OF_ONE_LINE = 0.02
"""What a line of a single cell counts beside a line of the whole row."""

_MOST_EXCHANGES = 6
_LARGEST_EXCHANGE = 10
"""How often columns exchange room, and how many steps of it at a time."""

Cell = tuple[float, ...]
"""The widths of the words of a cell, in em."""


@lru_cache(maxsize=1000)
def share_width(view: TableView, room_em: float) -> tuple[float, ...]:
    """Return the widths of the columns of a grid in em, that of its labels first.

    Columns are as wide as their longest word at least; what is left goes where it saves the most
    lines. Where no text needs a second line, where a column has bands of numbers or where even the
    words do not fit, the result is empty: the columns are left to the printer.

    Args:
        view: The grid.
        room_em: The width of the whole table, in em.
    """
    if not view.heads or any(head.kind == "band" for head in view.heads):
        return ()
    columns = [_measure_labels(view)]
    columns += [_measure_column(view, place) for place in range(len(view.heads))]
    least = [max(max(cell, default=0.0) for cell in cells) + pad for cells, pad in columns]
    whole = [max(_of_one_line(cell) for cell in cells) + pad for cells, pad in columns]
    if sum(whole) <= room_em or sum(least) > room_em:
        return ()
    widths = _widen(columns, least, whole, room_em)
    spare = (room_em - sum(widths)) / len(view.heads)
    return tuple(round(width + (spare if place else 0), 2) for place, width in enumerate(widths))


@lru_cache(maxsize=1000)
def has_short_figures(view: TableView) -> bool:
    """Return whether the figures of a grid are so short that they are printed larger than text."""
    return all(
        len(cell.text) <= _SHORT_FIGURES
        for line in view.lines
        for cell in line.cells
        if cell.kind in ("number", "signed")
    )


def _widen(
    columns: Sequence[tuple[list[Cell], float]],
    least: Sequence[float],
    whole: Sequence[float],
    room: float,
) -> list[float]:
    """Widen columns, each time where a little room saves the most lines."""
    lines = [
        [
            [lines_of(cell, start + step * _STEP_EM - pad) for cell in cells]
            for step in range(max(0, int((end - start) / _STEP_EM + 0.999)) + 1)
        ]
        for (cells, pad), start, end in zip(columns, least, whole, strict=True)
    ]
    steps = [0] * len(columns)
    free = int((room - sum(least)) / _STEP_EM)
    while free > 0:
        now = _cost([own[step] for own, step in zip(lines, steps, strict=True)])
        best: tuple[float, int, int] | None = None
        for place, own in enumerate(lines):
            for more in range(1, min(free, len(own) - 1 - steps[place]) + 1):
                if own[steps[place] + more] == own[steps[place] + more - 1]:
                    continue
                tried = [
                    each[step + (more if place == at else 0)]
                    for at, (each, step) in enumerate(zip(lines, steps, strict=True))
                ]
                gain = (now - _cost(tried)) / more
                if gain > 0 and (best is None or gain > best[0]):
                    best = (gain, place, more)
        if best is None:
            break
        _, place, more = best
        steps[place] += more
        free -= more
    _exchange(lines, steps)
    return [start + step * _STEP_EM for start, step in zip(least, steps, strict=True)]


def _exchange(lines: Sequence[Sequence[Sequence[int]]], steps: list[int]) -> None:
    """Move steps of width from one column to another as long as that saves lines."""
    every = range(len(lines))
    now = _cost([own[step] for own, step in zip(lines, steps, strict=True)])
    for _ in range(_MOST_EXCHANGES):
        best = (now, 0, 0, 0)
        for giver in every:
            for taker in every:
                most = min(steps[giver], len(lines[taker]) - 1 - steps[taker], _LARGEST_EXCHANGE)
                for more in range(1, most + 1 if giver != taker else 0):
                    tried = [
                        own[step + more * ((at == taker) - (at == giver))]
                        for at, (own, step) in enumerate(zip(lines, steps, strict=True))
                    ]
                    best = min(best, (_cost(tried), giver, taker, more))
        if best[0] >= now:
            break
        now, giver, taker, more = best
        steps[giver] -= more
        steps[taker] += more


def _cost(columns: Sequence[Sequence[int]]) -> float:
    """Return the lines of all rows, as high as their highest cells, and a little for each cell."""
    rows = zip(*columns, strict=True)
    return sum((max(row) + _OF_ONE_LINE * sum(row) for row in rows), 0.0)


def _of_one_line(cell: Cell) -> float:
    return sum(cell) + SPACE_EM * (len(cell) - 1) if cell else 0.0


def _measure_labels(view: TableView) -> tuple[list[Cell], float]:
    cells: list[Cell] = [_words_of(view.corner, 1)]
    for line in view.lines:
        is_whole = len(line.label) <= _LONGEST_WHOLE
        words = _words_of(line.label + " ".join(line.marks), _BOLD)
        cells.append((_of_one_line(words),) if is_whole else words)
    dense = len(view.heads) > _MANY_COLUMNS
    return cells, _DENSE_PADDING_EM if dense else _LABEL_PADDING_EM


def _measure_column(view: TableView, place: int) -> tuple[list[Cell], float]:
    """Return the words of a column's head and cells, and the space beside them."""
    head = view.heads[place]
    dense = len(view.heads) > _MANY_COLUMNS
    if head.kind == "words":
        padding = more = _DENSE_WORDS_PADDING_EM if dense else _WORDS_PADDING_EM
    else:
        padding = _DENSE_PADDING_EM if dense else _PADDING_EM
        if dense and any(" " in line.cells[place].text for line in view.lines):
            padding = _SUM_PADDING_EM
        more = _DENSE_HEAD_PADDING_EM if dense else _HEAD_PADDING_EM
    head_words = _words_of(head.label + " ".join(head.marks), _BOLD)
    cells: list[Cell] = [tuple(word + more - padding for word in head_words)]
    larger = _FIGURES if has_short_figures(view) else 1
    for line in view.lines:
        cell = line.cells[place]
        if cell.kind == "blank":
            words: Cell = (_DENSE_BOX_EM if dense else _BOX_EM,)
        else:
            is_figure = cell.kind in ("number", "signed")
            words = _words_of(cell.text + " ".join(cell.marks), larger if is_figure else 1)
            words = (_of_one_line(words),) if is_figure else words
        cells.append(words)
    return cells, padding


def _words_of(text: str, weight: float) -> Cell:
    """Return the widths of what is never broken: words, with their hyphens if they are short."""
    words: list[str] = []
    for word in text.replace("*", "").split(" "):
        head, hyphen, tail = word.partition("-")
        words += [head + hyphen, tail] if tail and len(word) > _LONGEST_WHOLE else [word]
    return tuple(weight * text_em(word) for word in words if word)
