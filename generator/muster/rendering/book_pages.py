"""Print an army book."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from muster.languages import say
from muster.rendering.paper import PAPERS
from muster.rendering.text_widths import text_em

if TYPE_CHECKING:
    from muster.documents.army_book import ArmyBook
    from muster.rendering.environment import SiblingPages, TemplateEnvironment
    from muster.rendering.printed import Printed

BOOK_MARGIN_MM = 14.0
BOOK_PT = 9.2
_GAP_EM = 0.75
_WIDEST_EM = 7.6
"""A column that would be wider than this breaks its lines."""
_NAME_EM = 14.0
"""The least room for the names of units."""
_STYLES = ("base/print.css", "book/book.css")
_SCREEN_STYLES = ("base/screen.css", "book/book.css", "book/screen.css")


def book_pdf(templates: TemplateEnvironment, book: ArmyBook, paper: str) -> Printed:
    """Print an army book; a long one breaks between units.

    Raises:
        PrintError: If WeasyPrint warns.
    """
    chosen = PAPERS[paper]
    html = templates.render(
        "book/print.html.j2",
        book=book,
        widths=book_widths(book),
        size_pt=BOOK_PT,
        page=(chosen.width_mm, chosen.height_mm),
        margin_mm=BOOK_MARGIN_MM,
    )
    return templates.printer.pdf(html, templates.read_styles(_STYLES), f"{book.title}: army book")


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
