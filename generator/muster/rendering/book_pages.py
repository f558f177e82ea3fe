"""Print an army book."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING, Any

from muster.languages import say
from muster.rendering.paper import PAPERS, PT_PER_MM, PX_PER_MM
from muster.rendering.text_widths import text_em, text_room_em
from muster.rendering.type_size import Search, SizeMemory, Trial, fit_type_size

if TYPE_CHECKING:
    from muster.documents.army_book import ArmyBook, BookRule, BookUnit, RuleGroup, UnitGroup
    from muster.rendering.environment import SiblingPages, TemplateEnvironment
    from muster.rendering.printed import Anchor, Printed

BOOK_MARGIN_MM = 14.0
BOOK_PT = 9.2
_SMALLEST_PT, _LARGEST_PT = 8.1, 11.0
"""Smaller type than regular saves a page, and larger type fills the last one."""
_SURE_SHARE = 0.96
"""The share of several pages that is filled at most, since rows that belong together stay so."""
_LESS_PT = 0.2
"""How much smaller the type is made if a book still needs another page."""
_LITTLE_WASTE = 0.06
"""The share of a page that may stay empty at its foot before other sizes are tried."""
_STEP_PT = 0.3
_GAP_EM = 0.75
_PADDING_EM = 0.7
_BEFORE_TEXT_EM = 0.4
_MARGINS_EM = 1.0
"""The space in each column beside its text, that beside the cells, what columns of text have more
before it, and that of the first and last cell.
"""
_WIDEST_EM = 7.6
"""A column that would be wider than this breaks its lines."""
_WIDEST_WHO_EM = 11.0
"""Room for the names of units that may have an option, before its choices have a column."""
_NARROW_NAMES = 0.36
_MANY = 3
"""Choices have a column if names of units take no more of the room, and one row in so many."""
HEAD_BREAK = ", "
"""Where the head of a column goes on in a second line."""
_SECOND = 0.88
"""How large the type of that line is beside the first."""
_TITLE = 1.05
"""How much larger the names of units are than other text."""
_NAME_EM = 14.0
"""The least room for the names of units."""
_SYMBOL_EM = 1.75
"""The room of a symbol before a name."""
_SCREEN_EM = 72
"""The room that a screen is thought to have."""
_SPARE_MM = 2.0
_SEARCH = Search(growth=1.6, enough=0.95, near=0.15, layouts=4)
_TEMPLATE = "book/print.html.j2"
_STYLES = ("base/print.css", "book/book.css", "book/print.css")
_SCREEN_STYLES = ("base/screen.css", "book/book.css", "book/screen.css")


def book_pdf(
    templates: TemplateEnvironment, book: ArmyBook, paper: str, memory: SizeMemory
) -> Printed:
    """Print an army book on as few pages as it can have; a long one breaks between units.

    Args:
        templates: Templates and fonts.
        book: The book.
        paper: The id of a paper.
        memory: Type sizes that earlier builds found; what is found now is added.

    Raises:
        PrintError: If WeasyPrint warns.
    """
    chosen = PAPERS[paper]
    styles = templates.read_styles(_STYLES)
    name = f"{book.title}: army book"
    room_pt = (chosen.width_mm - 2 * BOOK_MARGIN_MM) * PT_PER_MM

    def html(size: float, height_mm: float) -> str:
        return templates.render(
            _TEMPLATE,
            book=book,
            widths=book_widths(book, room_pt / size - _MARGINS_EM),
            rule_columns=split_rules(book.rules, room_pt / size / 2 - _RULE_INDENT_EM),
            size_pt=size,
            page=(chosen.width_mm, height_mm),
            margin_mm=BOOK_MARGIN_MM,
        )

    room_px = (chosen.height_mm - 2 * BOOK_MARGIN_MM - _SPARE_MM) * PX_PER_MM

    def place(size: float, height_mm: float) -> Anchor:
        measured = templates.printer.measure(html(size, height_mm), styles, name)
        return measured.anchor("book", _TEMPLATE)

    def fullness(size: float) -> float:
        return place(size, 9000).height / room_px

    def wasted(size: float) -> float:
        """Return the room that is left at the feet of all pages but the last, in pages."""
        last = place(size, chosen.height_mm)
        end_px = last.top + last.height - BOOK_MARGIN_MM * PX_PER_MM
        return last.page + end_px / room_px - fullness(size)

    def print_book(size: float) -> Printed:
        return templates.printer.pdf(html(size, chosen.height_mm), styles, name)

    key = templates.key("book", paper, book)
    if key in memory:
        return print_book(memory[key])
    for size, pages in _fitting_sizes(fullness):
        printed = print_book(size)
        # Rows that belong together can leave more room than was reckoned with.
        while printed.pages > pages and size - _LESS_PT >= _SMALLEST_PT:
            size -= _LESS_PT  # noqa: PLW2901 - the next of ever smaller sizes
            printed = print_book(size)
        memory[key] = size
        if printed.pages <= pages:
            best = least_wasteful(size, wasted) if pages > 1 else size
            memory[key] = best
            return printed if best == size else print_book(best)
    memory[key] = BOOK_PT
    return print_book(BOOK_PT)


def least_wasteful(size: float, wasted: Callable[[float], float]) -> float:
    """Return the size, not smaller than the regular one, that leaves least room at page feet.

    Args:
        size: The largest size that needs no more pages.
        wasted: Returns the room that a size leaves, in pages.
    """
    best, least = size, wasted(size)
    while least > _LITTLE_WASTE and size - _STEP_PT >= BOOK_PT:
        size = round(size - _STEP_PT, 2)
        if (room := wasted(size)) < least:
            best, least = size, room
    return best


def split_rules(
    groups: Sequence[RuleGroup], width_em: float
) -> tuple[Sequence[RuleGroup], Sequence[RuleGroup]]:
    """Return rules in two columns of about the same height; a group may go on in the second.

    Args:
        groups: The rules by their chapters.
        width_em: The width of a column in em.
    """
    lines = [
        [ceil(text_em(_rule_words(rule)) / width_em) for rule in group.rules] for group in groups
    ]
    half = sum(_HEAD_LINES + sum(each) for each in lines) / 2
    left: list[RuleGroup] = []
    for number, (group, own) in enumerate(zip(groups, lines, strict=True)):
        half -= _HEAD_LINES
        kept = 0
        while kept < len(own) and half > 0:
            half -= own[kept]
            kept += 1
        if kept < len(own):
            rest = replace(group, rules=group.rules[kept:])
            if kept:
                left.append(replace(group, rules=group.rules[:kept]))
                rest = replace(rest, title=say("{title}, cont.", title=group.title))
            return left, [rest, *groups[number + 1 :]]
        left.append(group)
    return left, []


def _rule_words(rule: BookRule) -> str:
    return rule.text if rule.stated else f"{rule.text}\u00a0*"


_RULE_INDENT_EM = 2.3
"""What half the page has beside the text of a rule: its bullet, its indents, half the gutter."""
_HEAD_LINES = 1.4
"""The height of the head of a group of rules, in lines."""


def _fitting_sizes(fullness: Callable[[float], float]) -> Iterator[tuple[float, int]]:
    """Yield the largest type size, in points, for as few pages as there can be, and for one more.

    Each is with its number of pages; a size that would be too small is left out.

    Args:
        fullness: Returns how many pages a size needs.
    """
    needed = fullness(BOOK_PT)
    for pages in (max(int(needed), 1), int(needed) + 1):
        room = pages * _SURE_SHARE if pages > 1 else 1
        trial = fit_type_size(
            lambda size, room=room: Trial(size, fullness(size) / room, None),  # type: ignore[misc]
            _SMALLEST_PT,
            _LARGEST_PT,
            start=BOOK_PT,
            search=_SEARCH,
        )
        if trial.fullness <= 1:
            yield trial.size, pages


def book_html(
    templates: TemplateEnvironment, book: ArmyBook, home: str, beside: SiblingPages = ()
) -> str:
    """Return an army book as a self-contained HTML page."""
    return templates.render_screen(
        "book/screen.html.j2",
        _SCREEN_STYLES,
        book=book,
        widths=book_widths(book),
        home=home,
        beside=beside,
    )


def book_widths(book: ArmyBook, room_em: float | None = None) -> dict[str, Any]:
    """Return the widths of the columns of a book in em, so that its tables share their edges.

    Names have what is left, or what they need, and all else the same share of what is spare. If
    too little is left for them, the tables are `narrow`: size and price stand below the name.

    Args:
        book: The book.
        room_em: The room between the margins; none on a screen.
    """
    room = _SCREEN_EM if room_em is None else room_em
    placed = [(group, unit) for group in book.groups for unit in group.units]
    units = [unit for _, unit in placed]
    sized = [group for group in book.groups if group.has_sizes]
    rated = [group for group in book.groups if group.has_rates]
    columns: dict[str, float] = {}
    for group in book.groups:
        for place, key in enumerate(group.keys):
            texts = [unit.values[place].text for unit in group.units if unit.values]
            head, _, second = key.label.partition(HEAD_BREAK)
            wide = max(_whole_em([head, *texts]), _whole_em([second]) * _SECOND)
            columns[key.label] = max(columns.get(key.label, 0), round(wide, 2))
    widths = {
        "size": _wrapped_em(say("Size"), [u.size for g in sized for u in g.units]),
        **{f"value {label}": wide for label, wide in columns.items()},
        "price": _wrapped_em(say("Price"), [u.price for g in rated for u in g.units]),
        "points": _whole_em([say("Points"), *(u.points for u in units)]) * book.has_points,
    }
    symbol = _SYMBOL_EM if any(unit.symbol for unit in units) else 0
    narrow = room - sum(_with_padding(widths)) < _NAME_EM + symbol
    if narrow:
        widths |= {"size": 0.0, "price": 0.0}
    widths = {name: wide for name, wide in widths.items() if wide}
    left = room - sum(_with_padding(widths)) - _BEFORE_TEXT_EM * ("size" in widths)
    longest = max((_name_em(group, unit, narrow=narrow) for group, unit in placed), default=0)
    name = min(left, max(_NAME_EM, longest + _GAP_EM) + symbol)
    more = max(left - name, 0) / max(len(widths), 1)
    widths = {key: round(wide + more, 2) for key, wide in widths.items()}
    return {
        "narrow": narrow,
        "on_paper": room_em is not None,
        "groups": [_widths_of(group, widths, narrow=narrow) for group in book.groups],
        "choices": _widths_of_choices(book, widths, room, name),
        **{key: widths.get(key, 0.0) for key in ("size", "price", "points")},
    }


def _widths_of(
    group: UnitGroup, widths: Mapping[str, float], *, narrow: bool
) -> dict[str, float | list[float]]:
    """Return the widths of the columns of a table; each has that of those it lacks on its right."""
    held = {f"value {key.label}" for key in group.keys} | {"points"}
    if not narrow:
        held |= {"size"} if group.has_sizes else set()
        held |= {"price"} if group.has_rates else set()
    found: dict[str, float] = {}
    last = ""
    for name, wide in widths.items():
        if name in held:
            found[name] = wide
            last = name
        elif last:
            found[last] += wide + _PADDING_EM
    return {
        "size": found.get("size", 0.0),
        "columns": [found[f"value {key.label}"] for key in group.keys],
        "price": found.get("price", 0.0),
        "points": found.get("points", 0.0),
    }


def _widths_of_choices(
    book: ArmyBook, widths: Mapping[str, float], room: float, name: float
) -> dict[str, Any]:
    """Return the widths for tables of options and leaders, whose edges are those of the units.

    There is a column for what may be chosen if the names leave it enough room, and many have it.
    """
    rows = book.choices_by_unit
    points = [_whole_em([each.points]) for each in (*rows, *book.leader_choices) if each.points]
    points_em = max([widths.get("points", 0.0), *points])
    apart = name <= _NARROW_NAMES * room and _MANY * sum(bool(r.values) for r in rows) >= len(rows)
    who = max((text_em(row.who) for row in rows), default=0) + _GAP_EM
    edge = 0.0
    for key, wide in widths.items():
        if edge >= min(who, _WIDEST_WHO_EM) + _PADDING_EM + _BEFORE_TEXT_EM:
            break
        edge += wide + _PADDING_EM + _BEFORE_TEXT_EM * (key == "size")
    return {
        "apart": apart,
        "name": round(name, 2),
        "who": round(edge - _PADDING_EM - _BEFORE_TEXT_EM, 2),
        "points": round(points_em, 2),
    }


def _with_padding(widths: Mapping[str, float]) -> Iterator[float]:
    return (wide + _PADDING_EM for wide in widths.values() if wide)


def _name_em(group: UnitGroup, unit: BookUnit, *, narrow: bool) -> float:
    """Return the width of the longer line of a name's cell: the name, or what stands below it."""
    above = " ".join([unit.title, unit.type, ", ".join(unit.options)])
    below = [f"{fact.label} {fact.values[0].text}".strip() for fact in unit.facts]
    if narrow:
        below += [unit.size] * group.has_sizes + [unit.price] * (" " in unit.price)
    return max(_TITLE * text_room_em(above), text_room_em(" · ".join(below)))


def _whole_em(texts: Iterable[str]) -> float:
    """Return the width of a column whose texts stand in one line each."""
    return round(max(map(text_room_em, texts), default=0) + _GAP_EM, 2)


def _wrapped_em(head: str, texts: Sequence[str]) -> float:
    """Return the width of a column whose texts may take several lines; 0 if it has none."""
    return min(_whole_em([head, *texts]), _WIDEST_EM) if any(texts) else 0.0
