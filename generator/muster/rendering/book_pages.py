"""Print an army book."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from muster.languages import say
from muster.rendering.paper import PAPERS, PT_PER_MM, PX_PER_MM
from muster.rendering.text_widths import text_em
from muster.rendering.type_size import SizeMemory, Trial, fit_type_size

if TYPE_CHECKING:
    from muster.documents.army_book import ArmyBook
    from muster.rendering.environment import SiblingPages, TemplateEnvironment
    from muster.rendering.printed import Printed

BOOK_MARGIN_MM = 14.0
BOOK_PT = 9.2
_SMALLEST_PT, _LARGEST_PT = 8.4, 10.5
"""The type of a book that fits one page is between these sizes; that of others is regular."""
_HOPELESS = 1.3
"""How full a page of regular type is at most for a book that is tried on one page."""
_GAP_EM = 0.75
_PADDING_EM = 0.7
_WIDEST_EM = 7.6
"""A column that would be wider than this breaks its lines."""
_NAME_EM = 14.0
"""The least room for the names of units."""
_SPARE_MM = 2.0
_TEMPLATE = "book/print.html.j2"
_STYLES = ("base/print.css", "book/book.css", "book/print.css")
_SCREEN_STYLES = ("base/screen.css", "book/book.css", "book/screen.css")


def book_pdf(
    templates: TemplateEnvironment, book: ArmyBook, paper: str, memory: SizeMemory
) -> Printed:
    """Print an army book: on one page, if its type need not be small for that.

    A longer one breaks between units.

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

    # Besides the values there are columns of names, sizes, prices and points.
    padding_em = _PADDING_EM * (len(book.keys) + 4)

    def html(size: float, height_mm: float) -> str:
        return templates.render(
            _TEMPLATE,
            book=book,
            widths=book_widths(book, room_pt / size - padding_em),
            size_pt=size,
            page=(chosen.width_mm, height_mm),
            margin_mm=BOOK_MARGIN_MM,
        )

    def fullness(size: float) -> float:
        measured = templates.printer.measure(html(size, 9000), styles, name)
        room_px = (chosen.height_mm - 2 * BOOK_MARGIN_MM - _SPARE_MM) * PX_PER_MM
        return measured.anchor("book", _TEMPLATE).height / room_px

    key = templates.key("book", paper, book)
    if key not in memory:
        memory[key] = 0
        if fullness(BOOK_PT) <= _HOPELESS:
            trial = fit_type_size(
                lambda size: Trial(size, fullness(size), None), _SMALLEST_PT, _LARGEST_PT
            )
            memory[key] = trial.size if trial.fullness <= 1 else 0
    size = memory[key] or BOOK_PT
    return templates.printer.pdf(html(size, chosen.height_mm), styles, name)


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


def book_widths(book: ArmyBook, room_em: float = 60) -> dict[str, Any]:
    """Return each column's width in em, the same in every table; the name takes what is left.

    If too little of the room is left, the tables are `narrow`: size and price stand below the name.
    """
    units = [unit for group in book.groups for unit in group.units]

    def width(texts: Iterable[str]) -> float:
        return round(min(max(map(text_em, texts), default=0) + _GAP_EM, _WIDEST_EM), 2)

    columns: dict[str, list[str]] = {}
    for group in book.groups:
        for place, key in enumerate(group.keys):
            texts = [unit.values[place].text for unit in group.units if unit.values]
            columns.setdefault(key.label, [key.label]).extend(texts)
    widths: dict[str, Any] = {
        "size": width([say("Size"), *(unit.size for unit in units)]),
        "columns": {label: width(texts) for label, texts in columns.items()},
        "price": width([say("Price"), *(unit.price for unit in units)]),
        "points": width([say("Points"), *(unit.points for unit in units)]),
    }
    taken = sum(widths[name] for name in ("size", "price", "points"))
    taken += sum(widths["columns"].values())
    return {**widths, "narrow": room_em - taken < _NAME_EM}
