"""Plan the pages of a book: where each ends, and which tables move.

The heights of a book's blocks tell where its pages end, without a layout. A page may end a little
earlier than it has to, or reach a little deeper; a table may stand below text that follows it, or
above the text before it. A beam search goes from page to page and keeps the best plans of each.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING

from muster.rendering.page_flow import (
    BookFlow,
    FlowBlock,
    PageEnd,
    begins_chapter,
    real_ends,
)
from muster.rendering.table_moves import (
    LARGEST_HOLE,
    Moves,
    chapters_read_alike,
    moves_of,
    name_parts,
    texts_of_tables,
    undo_moves,
)

if TYPE_CHECKING:
    from muster.documents.passages import Passage

PX_PER_MM = 96 / 25.4
_CHANGES_MM = tuple(round(0.7 * step, 1) for step in range(-9, 16))
"""The changes of the lower margin of all pages that are tried if page numbers do not settle."""
LEAST_BOTTOM_MM = 13.0
DEEPEST_MM = 2.0
"""How much deeper than usual a single page may be, less than half a line."""
_AIM = LARGEST_HOLE - 0.02
"""What is aimed at, for space at the foot of a block counts as blank too when it is printed."""
_HOLE = 30.0
"""What a hole costs for each share of a page above what is aimed at."""
_OVER = 3.0
"""What a hole costs besides that is above what a page may have."""
_BLANK, _BLANK_SQUARED = 0.02, 0.8
"""What any blank share costs, and its square, so that one large share costs more than two."""
_EARLY = 0.006
"""What it costs that a page ends earlier than it has to."""
_DEEP, _DEEP_MM = 0.012, 0.004
"""What it costs that a page is deeper than others, and each millimetre of that."""
_PASSED, _PASSED_SQUARED, _UPWARDS = 0.004, 0.002, 2
"""What it costs that a table passes a part, and their square; a part above it counts twice."""
_MOST_PASSED, _MOST_PASSED_UPWARDS = 6, 3
_SPLIT_TABLE = 4.0
"""What it costs that a long table goes on overleaf; others stay whole, whatever it costs."""
_OVERLEAF = 0.8
"""What it costs that a leaf has to be turned between a table and all text that names it."""
_LEAST_OPENING, _GOOD_OPENING = 1 / 6, 0.3
"""The share of a page that a chapter has to fill that begins on it, and one that looks well."""
_SHORT_OPENING, _LOW_OPENING = 2.0, 0.2
"""What it costs that it fills less than the one or the other."""
_RIGHT_HAND = 12.0
"""What it costs that the two pages of a spread do not face each other."""
_LINED = 0.4
"""What it costs, for each blank share, that lines to write on fill the page before a spread."""
_FEW_LINES, _FEW_LINES_BLANK = 0.3, 0.6
"""What it costs that such lines fill more than that share of it."""
_BEAM = 200
"""How many plans are kept for each page."""
_WORTHWHILE = 0.005
"""What another plan has to save to be worth another layout."""
_TOLERANCE_PX = 0.01
_SAFE_PX, _ROOM_PX = 2.0, 6.0
"""How far from its limit the height of a page has to be, for its end not to depend on rounding."""


@dataclass(frozen=True, slots=True)
class PagePlan:
    """How a book's pages are to be filled."""

    bottoms: Mapping[int, float]
    """The changes of the lower margins of pages, in mm, by the number of the page."""
    moves: Moves
    blank_before: dict[int, float]
    """The share of a page that is blank before each spread, by the chapter's number from 0."""
    cost: float
    cost_now: float
    """What the pages cost as they are."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """The page of each anchor in the chapters, if the pages are to change."""


def bottom_changes(usual_mm: float) -> list[float]:
    """Return the changes of a lower margin that leave room for the page number, smallest first."""
    changes = (each for each in _CHANGES_MM if usual_mm + each >= LEAST_BOTTOM_MM)
    return sorted(changes, key=abs)


def plan_pages(
    flow: BookFlow,
    passages: Sequence[Passage],
    bottoms: Mapping[int, float],
    moves: Moves,
    deeper_mm: float,
    expected: float | None = None,
) -> PagePlan:
    """Return how to fill a book's pages, which is as they are if nothing much better is found.

    Args:
        flow: A layout of the book.
        passages: Its chapters, without moves.
        bottoms: The changes of lower margins in that layout.
        moves: The tables that have moved in it.
        deeper_mm: How much deeper a page may be than usual.
        expected: What the pages are expected to cost; if they do, they stay as they are.
    """
    ends = real_ends(flow)
    now = _cost(flow, ends, passages) + sum(map(_deep_cost, bottoms.values()))
    now += sum(_passed_cost(each if each > 0 else -_UPWARDS * each) for each in moves.values())
    now += _OVERLEAF * _leaves_between(flow, name_parts(flow.blocks, passages, moves), passages)
    blank = blank_before_spreads(flow.blocks, ends, passages)
    stay = PagePlan(bottoms, moves, blank, now, now)
    if expected is not None and now < expected + _WORTHWHILE:
        return stay
    blocks = undo_moves(flow.blocks, passages, moves)
    movable = chapters_read_alike(blocks, passages)
    found = _Search(flow, blocks, passages, movable, deeper_mm * PX_PER_MM).run()
    return replace(found, cost_now=now) if found.cost < now - _WORTHWHILE else stay


def blank_before_spreads(
    blocks: Sequence[FlowBlock], ends: Sequence[PageEnd], passages: Sequence[Passage]
) -> dict[int, float]:
    """Return the share of a page that is blank before each spread, if that is a hole."""
    return {
        blocks[end.block].chapter: end.blank
        for end in ends
        if _is_before_spread(blocks, end, passages) and end.blank > LARGEST_HOLE
    }


def _is_before_spread(
    blocks: Sequence[FlowBlock], end: PageEnd, passages: Sequence[Passage]
) -> bool:
    following = blocks[end.block].chapter if end.block < len(blocks) else len(passages)
    return end.wanted and following < len(passages) and passages[following].spread


def _cost(flow: BookFlow, ends: Sequence[PageEnd], passages: Sequence[Passage]) -> float:
    """Return what the pages of a layout cost."""
    cost = 0.0
    for page, end in enumerate(ends, flow.first_page):
        if _is_before_spread(flow.blocks, end, passages):
            cost += _spread_cost(end.blank, page)
        elif not end.wanted and not _is_within_columns(flow.blocks, end):
            cost += _blank_cost(end.blank) + _split_cost(flow.blocks, end.block, end.slice)
            cost += _opening_cost(end.opening)
    return cost


def _leaves_between(
    flow: BookFlow, blocks: Sequence[FlowBlock], passages: Sequence[Passage]
) -> int:
    """Return how many leaves a layout has between tables and all text that names them."""
    pages = [bisect_right(flow.starts, (n, 0)) - 1 for n in range(len(blocks))]
    ends = [bisect_left(flow.starts, (n + 1, 0)) - 1 for n in range(len(blocks))]
    # Pages 2 and 3 face each other.
    firsts, lasts = ([(flow.first_page + page) // 2 for page in each] for each in (pages, ends))
    count = 0
    for table, texts in texts_of_tables(blocks, passages).items():
        first, last = min(firsts[n] for n in texts), max(lasts[n] for n in texts)
        count += max(first - firsts[table], firsts[table] - last, 0)
    return count


def _is_within_columns(blocks: Sequence[FlowBlock], end: PageEnd) -> bool:
    """Return whether a page ends within columns, which fill their pages but the last."""
    return end.slice > 0 and blocks[end.block].has_columns


def _split_cost(blocks: Sequence[FlowBlock], number: int, place: int) -> float:
    """Return what it costs that a page ends before a slice of a block: of text it costs nothing."""
    is_within = place > 0 and number < len(blocks)
    return _SPLIT_TABLE if is_within and blocks[number].table else 0.0


def _blank_cost(blank: float) -> float:
    """Return what a page costs of which a share is blank at its foot."""
    share = max(blank, 0)
    over = _OVER * (share > LARGEST_HOLE)
    return over + _HOLE * max(share - _AIM, 0) + _BLANK * share + _BLANK_SQUARED * share * share


def _opening_cost(share: float) -> float:
    """Return what it costs that the last chapter that begins on a page fills a share of it."""
    return _SHORT_OPENING * (share < _LEAST_OPENING) + _LOW_OPENING * (share < _GOOD_OPENING)


def _spread_cost(blank: float, page: int) -> float:
    """Return what a page before a spread costs: right-hand pages are odd."""
    cost = _LINED * max(blank - LARGEST_HOLE, 0) + _FEW_LINES * (blank > _FEW_LINES_BLANK)
    return cost + _RIGHT_HAND * (page % 2 == 0)


def _passed_cost(parts: int) -> float:
    """Return what it costs that a table passes some parts of the text."""
    return _PASSED * parts + _PASSED_SQUARED * parts * parts


def _deep_cost(bottom_mm: float) -> float:
    """Return what a page costs whose lower margin is changed; a larger margin costs nothing."""
    return _DEEP - _DEEP_MM * bottom_mm if bottom_mm < 0 else 0


@dataclass(frozen=True, slots=True)
class _Place:
    """What a page begins with: all that is not yet on a page."""

    next: int = 0
    """The first block that comes next in the order of the text."""
    waiting: tuple[int, ...] = ()
    """Tables above that block that come later."""
    before: tuple[int, ...] = ()
    """Tables below it that have come before."""
    head: int = -1
    """The block that goes on from the page before, if any."""
    slice: int = 0
    """The slice of it that comes next."""


@dataclass(frozen=True, slots=True)
class _Choice:
    """How a page is filled otherwise than in the order of the text."""

    waits_from: int = -1
    """The first table of it that is to come on a later page."""
    go_on_waiting: int = 0
    """How many of the tables that wait, the last ones, are to come on a later page still."""
    upwards: tuple[int, int] = (-1, -1)
    """A table that comes earlier, and the block that it comes before."""


@dataclass(frozen=True, slots=True)
class _End:
    """Where a page may end."""

    y: float
    """How far down the page its text reaches, in CSS pixels."""
    needs: float
    """The least height of a page that ends there."""
    place: _Place
    moved: float
    """What the moves of the tables above it cost."""
    wanted: bool = False
    first: int = -1
    """The block that the next page begins with."""
    opened: float = -inf
    """How far down the page its last chapter begins, if one does."""


@dataclass(frozen=True, slots=True)
class _Node:
    """A plan as far as one page."""

    cost: float
    place: _Place
    above: _Node | None = None
    blocks: tuple[tuple[int, int], ...] = ()
    """The blocks that its last page begins or goes on with, each with its first slice there."""
    bottom_mm: float = 0
    blank: tuple[int, float] | None = None
    """The chapter of a spread that follows, and the share that is blank before it."""


def _gap(block: FlowBlock, place: int, above: FlowBlock | None) -> float:
    """Return the space above a slice of a block, given the block that it follows on its page."""
    if above is None:
        first = block.above if block.begins_page else 0.0
        return block.again_above if place else first
    return block.slices[place].gap if above is block else max(block.above, above.below)


class _Search:
    """A search for the pages of a book that cost least."""

    def __init__(
        self,
        flow: BookFlow,
        blocks: tuple[FlowBlock, ...],
        passages: Sequence[Passage],
        movable: set[int],
        deeper_px: float,
    ) -> None:
        self.flow, self.blocks, self.passages = flow, blocks, passages
        self.movable = movable
        self.height, self.deeper_px = flow.page_height, deeper_px
        self.texts = texts_of_tables(blocks, passages)
        self.astride: dict[int, list[int]] = {}
        for table, texts in self.texts.items():
            for number in range(min(table, *texts) + 1, max(table, *texts) + 1):
                self.astride.setdefault(number, []).append(table)

    def run(self) -> PagePlan:
        """Return the best plan that is found."""
        nodes, page, top = [_Node(0.0, _Place())], self.flow.first_page, self.flow.first_top
        finished: list[_Node] = []
        while nodes:
            best: dict[_Place, _Node] = {}
            for node in nodes:
                for each in self._successors(node, page, top):
                    if self._is_done(each.place):
                        finished.append(each)
                    elif each.place not in best or each.cost < best[each.place].cost:
                        best[each.place] = each
            least = min((each.cost for each in finished), default=float("inf"))
            kept = sorted(
                (each for each in best.values() if each.cost < least),
                key=lambda each: (each.cost, -each.place.next),
            )
            nodes, page, top = kept[:_BEAM], page + 1, 0.0
        return self._plan(min(finished, key=lambda each: each.cost))

    def _is_done(self, place: _Place) -> bool:
        return place.next == len(self.blocks) and place.head < 0 and not place.waiting

    def _tables_apart(self, place: _Place) -> int:
        """Return how many tables come on later pages than all text that names them, or earlier."""
        waiting, before = place.waiting, place.before

        def is_later(number: int) -> bool:
            return number in waiting or (number >= place.next and number not in before)

        count = 0
        for table in {*waiting, *before, *self.astride.get(place.next, ())}:
            texts = self.texts.get(table, ())
            if is_later(table):
                count += not any(is_later(each) or each == place.head for each in texts)
            else:
                count += all(map(is_later, texts))
        return count

    def _plan(self, node: _Node) -> PagePlan:
        path = [node]
        while path[-1].above is not None:
            path.append(path[-1].above)
        pages = path[-2::-1]
        bottoms = {
            page: each.bottom_mm
            for page, each in enumerate(pages, self.flow.first_page)
            if each.bottom_mm
        }
        order = [number for each in pages for number, place in each.blocks if not place]
        numbers: dict[str, int] = {}
        starts = [
            (number, place, page)
            for page, each in enumerate(pages, self.flow.first_page)
            for number, place in each.blocks
        ]
        for number, first, page in starts:
            for anchor, place in self.blocks[number].anchors:
                if place >= first:
                    numbers[anchor] = page
        blank = {each.blank[0]: each.blank[1] for each in pages if each.blank}
        moves = moves_of([self.blocks[number] for number in order])
        return PagePlan(bottoms, moves, blank, node.cost, 0, numbers)

    def _successors(self, node: _Node, page: int, top: float) -> Iterator[_Node]:
        """Yield the ways to fill a page."""
        usual, ordered = self._ends(node.place, _Choice(), top)
        yield from self._nodes(node, page, usual, ordered)
        for choice in self._choices(node.place, ordered, usual[-1].place):
            ends, others = self._ends(node.place, choice, top)
            table = choice.upwards[0]
            for each in self._nodes(node, page, ends, others):
                # Above that table, the page is the same as without the choice.
                is_placed = table in (*each.place.before, each.place.head)
                if table < 0 or is_placed or each.place.next > table:
                    yield each

    def _choices(
        self, place: _Place, ordered: Sequence[tuple[int, int]], last: _Place
    ) -> Iterator[_Choice]:
        """Yield other ways to fill a page whose blocks are known."""
        for number in range(len(place.waiting)):
            yield _Choice(go_on_waiting=number + 1)
        for number, first in ordered:
            if self._may_move(number) and not first and number >= place.next:
                yield _Choice(waits_from=number)
        if place.waiting or last.waiting:
            return
        for table in range(last.next, min(last.next + _MOST_PASSED_UPWARDS + 1, len(self.blocks))):
            if self._may_move(table) and table not in last.before:
                for above in range(
                    table - 1, max(table - 1 - _MOST_PASSED_UPWARDS, place.next), -1
                ):
                    if not self._may_be_passed_upwards(above, table):
                        break
                    if not self.blocks[above - 1].keeps_next:
                        yield _Choice(upwards=(table, above))
                break

    def _may_move(self, number: int) -> bool:
        block = self.blocks[number]
        return bool(block.table) and block.chapter in self.movable

    def _may_be_passed_upwards(self, number: int, table: int) -> bool:
        block = self.blocks[number]
        same = block.chapter == self.blocks[table].chapter
        plain = block.may_be_passed and not block.table and not block.keeps_next
        return same and plain and block.part > 0

    def _order(self, place: _Place, choice: _Choice) -> Iterator[tuple[int, _Place, _Place, float]]:
        """Yield the blocks that come next, each with the places before it and after it.

        The last is what the move of a table costs.
        """
        blocks, count = self.blocks, len(self.blocks)
        following, waiting, before, last = place.next, place.waiting, place.before, place.head
        if place.head >= 0:
            yield place.head, place, replace(place, head=-1, slice=0), 0.0
        due = waiting[: len(waiting) - choice.go_on_waiting]
        while following < count or waiting:
            if waiting and (last < 0 or not blocks[last].keeps_next or waiting[0] == last + 1):
                while waiting and (waiting[0] in due or self._must_come(waiting[0], following)):
                    here = _Place(following, waiting, before)
                    waiting = waiting[1:]
                    last = here.waiting[0]
                    after = _Place(following, waiting, before)
                    yield last, here, after, _passed_cost(self._parts_between(last, following))
                if following == count and not waiting:
                    return
            if following in before:
                before = tuple(each for each in before if each != following)
                following += 1
                continue
            is_late = choice.waits_from >= 0 and following >= choice.waits_from
            if self._may_move(following) and (waiting or is_late):
                waiting = (*waiting, following)
                following += 1
                continue
            here = _Place(following, waiting, before)
            if choice.upwards[1] == following and choice.upwards[0] not in before:
                table = choice.upwards[0]
                before = (*before, table)
                after = replace(here, before=before)
                yield table, here, after, _passed_cost(_UPWARDS * (table - following))
                here = after
            last = following
            following += 1
            yield last, here, _Place(following, waiting, before), 0.0

    def _must_come(self, table: int, following: int) -> bool:
        """Return whether a table that waits must come before a block."""
        if self._ends_chapter(table, following) or not self.blocks[following].may_be_passed:
            return True
        return self._parts_between(table, following) >= _MOST_PASSED

    def _ends_chapter(self, table: int, following: int) -> bool:
        """Return whether a table that waits can come nowhere later in its chapter."""
        blocks, chapter = self.blocks, self.blocks[table].chapter
        while following < len(blocks) and blocks[following].chapter == chapter:
            if not blocks[following].keeps_next and not blocks[following].table:
                return False
            following += 1
        return True

    def _parts_between(self, table: int, following: int) -> int:
        return sum(not each.table for each in self.blocks[table + 1 : following])

    def _ends(
        self, place: _Place, choice: _Choice, top: float
    ) -> tuple[list[_End], list[tuple[int, int]]]:
        """Return where a page may end, and its blocks with the first slice of each.

        The last end is the first that has no room, unless it is wanted.
        """
        ends: list[_End] = []
        ordered: list[tuple[int, int]] = []
        y, needs, moved, opened = top, 0.0, 0.0, -inf
        last: FlowBlock | None = None
        limit = self.height + self.deeper_px + _TOLERANCE_PX
        for number, here, after, cost in self._order(place, choice):
            block = self.blocks[number]
            start = here.slice if here.head == number else 0
            ordered.append((number, start))
            for n in range(start, len(block.slices)):
                each, above = block.slices[n], block if n > start else last
                gap = _gap(block, n, above)
                if above is not None:
                    there = replace(after, head=number, slice=n) if n else here
                    wanted = (not n and block.begins_page) or (n > 0 and block.has_columns)
                    end = _End(y, needs, there, moved, wanted, number, opened)
                    if wanted:
                        return [*ends, end], ordered
                    together = above.keeps_next or block.keeps_previous
                    if each.may_begin_page if n else not together:
                        ends.append(end)
                    # With repeated padding, WeasyPrint wants room for the margin too.
                    below = block.again_below + block.below if block.again_below else 0
                    below -= block.again_below if n + 1 == len(block.slices) else 0
                    needs = max(needs, y + gap + each.height + max(below, each.room))
                    if needs > limit:
                        # Where no page may end, it ends all the same.
                        return [*ends, replace(end, needs=needs)], ordered
                if not n and begins_chapter(self.blocks, number):
                    opened = y + gap
                y += gap + each.height
                moved += 0 if n > start else cost
            last = block
        ends.append(_End(y, needs, _Place(len(self.blocks)), moved, wanted=True))
        return ends, ordered

    def _nodes(
        self,
        node: _Node,
        page: int,
        ends: Sequence[_End],
        ordered: Sequence[tuple[int, int]],
    ) -> Iterator[_Node]:
        """Yield the plans that end a page somewhere."""
        *inner, last = ends
        height = self.height + _TOLERANCE_PX
        if last.wanted:
            bottom_mm = self._bottom_mm(last.needs + _ROOM_PX) if last.needs > height else 0.0
            yield self._node(node, page, last, ordered, _deep_cost(bottom_mm), bottom_mm)
        elif all(each.needs > height for each in inner):
            end = ends[0]
            yield self._node(node, page, end, ordered, _blank_cost(1 - end.y / self.height), 0.0)
        for n, end in enumerate(inner):
            following = self._following_needs(end, ends[n + 1].needs)
            is_usual = end.needs <= height < following
            is_unsafe = following - end.needs < 2 * _SAFE_PX
            if following <= end.needs or (is_unsafe and not is_usual):
                continue
            blank, bottom_mm = 1 - end.y / self.height, 0.0
            middle = (end.needs + following) / 2
            cost = _blank_cost(blank) + _split_cost(self.blocks, end.first, end.place.slice)
            cost += _opening_cost((end.y - end.opened) / self.height)
            if end.needs > height:
                bottom_mm = self._bottom_mm(min(middle, end.needs + _ROOM_PX))
                cost += _deep_cost(bottom_mm)
                if -bottom_mm * PX_PER_MM > self.deeper_px:
                    continue
            elif following <= height:
                if blank > LARGEST_HOLE:
                    continue
                bottom_mm = self._bottom_mm(middle)
                cost += _EARLY
            elif min(self.height - end.needs, following - self.height) < _SAFE_PX:
                bottom_mm = self._bottom_mm(min(max(self.height, end.needs + _SAFE_PX), middle))
            yield self._node(node, page, end, ordered, cost, bottom_mm)

    def _bottom_mm(self, height_px: float) -> float:
        """Return the change of the lower margin of a page of some height."""
        return round((self.height - height_px) / PX_PER_MM, 2)

    def _following_needs(self, end: _End, needs: float) -> float:
        """Return the least height of a page on which more stands than up to an end."""
        if end.place.slice or not end.place.waiting:
            return needs
        # A table that waits may begin the next page; none of it is to have room on this one.
        table = self.blocks[end.place.waiting[0]]
        parts = enumerate(table.slices)
        first = next((n for n, each in parts if n and each.may_begin_page), len(table.slices))
        height = sum(each.gap + each.height for each in table.slices[:first])
        return min(needs, max(end.needs, end.y + table.above + height))

    def _node(
        self,
        above: _Node,
        page: int,
        end: _End,
        ordered: Sequence[tuple[int, int]],
        cost: float,
        bottom_mm: float,
    ) -> _Node:
        blank = None
        if end.wanted and end.first >= 0:
            chapter, share = self.blocks[end.first].chapter, 1 - end.y / self.height
            begins = not end.place.slice and chapter < len(self.passages)
            if begins and self.passages[chapter].spread:
                cost += _spread_cost(share, page)
                blank = (chapter, share) if share > LARGEST_HOLE else None
        cost += _OVERLEAF * self._tables_apart(end.place) * (page % 2)
        kept = []
        for number, first in ordered:
            if number != end.first or end.place.slice:
                kept.append((number, first))
            if number == end.first:
                break
        return _Node(above.cost + cost + end.moved, end.place, above, tuple(kept), bottom_mm, blank)
