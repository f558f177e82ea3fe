"""The index of a printed book: the numbers of its pages, and whether the colophon follows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muster.rendering.page_boxes import boxes_of, classes_of, first_pages

if TYPE_CHECKING:
    from weasyprint.document import Page

    from muster.documents.appendices import IndexEntry

_FEW_LINES = 0.1
"""The share of a page, as its height, that the lines of an index are few below."""


@dataclass(frozen=True, slots=True)
class PageRun:
    """A page that an entry leads to, or pages one after the other: `7`, `7–9`.

    `anchor` is that of the first place on them. Without known pages the text is empty.
    """

    text: str
    anchor: str
    chief: bool = False
    """Whether it is the most important of several."""


@dataclass(frozen=True, slots=True)
class IndexLine:
    """A line of the index: a term, its pages, and the terms that it refers to."""

    term: str
    runs: tuple[PageRun, ...]
    see: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IndexSet:
    """An entry of the index with the lines below it, which stay together."""

    letter: str
    entry: IndexLine
    below: tuple[IndexLine, ...]


def find_wrong_in_index(
    entries: Sequence[IndexEntry], pages: Sequence[Page], numbers: Mapping[str, int]
) -> list[str]:
    """Return the anchors of an index whose page number is not the one given for it, each once."""
    actual = first_pages(pages)
    lines = [line for entry in entries for line in (entry, *entry.below)]
    anchors = dict.fromkeys(place.anchor for line in lines for place in line.places)
    return [each for each in anchors if numbers.get(each) != actual.get(each)]


def index_sets(entries: Sequence[IndexEntry], numbers: Mapping[str, int]) -> list[IndexSet]:
    """Return the index as it is printed, given the page number of each anchor, if known."""
    return [
        IndexSet(entry.letter, _line(entry, numbers), tuple(_line(e, numbers) for e in entry.below))
        for entry in entries
    ]


def _line(entry: IndexEntry, numbers: Mapping[str, int]) -> IndexLine:
    return IndexLine(entry.term, tuple(_runs(entry, numbers)), entry.see)


def _runs(entry: IndexEntry, numbers: Mapping[str, int]) -> Iterator[PageRun]:
    if not all(place.anchor in numbers for place in entry.places):
        yield from (PageRun("", place.anchor) for place in entry.places)
        return
    first_places: dict[int, str] = {}
    for place in entry.places:
        first_places.setdefault(numbers[place.anchor], place.anchor)
    runs: list[list[int]] = []
    for page in sorted(first_places):
        if runs and runs[-1][-1] == page - 1:
            runs[-1].append(page)
        else:
            runs.append([page])
    for run in runs:
        text = f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0])
        chief = len(runs) > 1 and numbers.get(entry.chief) in run
        yield PageRun(text, first_places[run[0]], chief)


def is_colophon_alone(pages: Sequence[Page]) -> bool:
    """Return whether the last page of a book has nothing but the colophon, after an index."""
    classes = [set[str]().union(*map(classes_of, boxes_of(page))) for page in pages[-2:]]
    return "index" in classes[0] and "colophon" in classes[-1] and "index" not in classes[-1]


def ends_in_few_lines(pages: Sequence[Page]) -> bool:
    """Return whether the last page of a book has nothing but the last few lines of its index."""
    last = list(boxes_of(pages[-1]))
    index = [box for box in last if "index" in classes_of(box)]
    others = any("colophon" in classes_of(box) for box in last)
    return bool(index) and not others and index[0].height < _FEW_LINES * pages[-1].height
