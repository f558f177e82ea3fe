"""Owns which boxes of pages that are laid out hold more than there is room for.

Does not lay out, and does not say how much more: whoever asks lays out what is too full anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from weasyprint.document import Page

_SLACK_PX = 0.5
"""Too little to be seen: an eighth of a millimetre."""


def overfull(pages: Iterable[Page], name: str, edge: float) -> list[bool]:
    """Tell of each element of a class, in the order of the document, whether it is too full.

    Args:
        pages: The pages, with elements that do not split.
        name: The class.
        edge: How many pixels on the right of an element must stay free of text.

    WeasyPrint has no public way to ask for the boxes of a page; only their places are read.
    """
    return [_is_overfull(box, edge) for page in pages for box in _boxes(page, name)]


def _boxes(page: Page, name: str) -> Iterator[Any]:
    """List the boxes of elements of a class; anonymous ones below carry the same element."""
    seen: set[int] = set()
    for box in page._page_box.descendants():  # noqa: SLF001 - see above
        element = box.element
        if element is None or id(element) in seen or name not in element.get("class", "").split():
            continue
        seen.add(id(element))
        yield box


def _is_overfull(box: Any, edge: float) -> bool:
    bottom = box.content_box_y() + box.height
    if any(each.position_y + each.margin_height() > bottom + _SLACK_PX for each in box.children):
        return True
    right = box.position_x + box.margin_width() - edge
    return any(
        each.position_x + each.width > right + _SLACK_PX
        for each in box.descendants()
        if getattr(each, "text", None) and each.text.strip()
    )
