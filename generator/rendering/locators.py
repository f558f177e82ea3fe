"""Owns printed page numbers: that they are right, and that an entry of the index has each once.

Does not lay out: which page a place is on is known only when that is done, and laying out anew
would cost as much again. So a repeated number is taken off its line, and what follows moves up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from weasyprint.document import Page

_ENTRIES = {"entry", "below"}
_NUMBER = re.compile(r", (\d+)")
_TOLD = re.compile(r"(\d+)\)?$")


def misled(pages: list[Page]) -> list[str]:
    """List the places that some printed page number misses.

    The width of a number can move a line, and with it the very place that it names, there and back
    again: WeasyPrint gives up after some turns, and keeps the last.
    """
    real = {name: number for number, page in enumerate(pages, 1) for name in page.anchors}
    found: dict[str, None] = {}
    for page in pages:
        for box in page._page_box.descendants():  # noqa: SLF001 - see `once_each`
            if box.element_tag != "a::after":
                continue
            place = box.element.get("href", "").removeprefix("#")
            text = "".join(getattr(each, "text", None) or "" for each in box.descendants())
            told = _TOLD.search(text)
            if told and int(told[1]) != real.get(place, int(told[1])):
                found[place] = None
    return list(found)


def once_each(pages: list[Page]) -> None:
    """Take repeated page numbers off the entries of an index.

    WeasyPrint has no public way to its boxes. Pages that change are made anew of theirs, so that
    links stand where their numbers stand now.
    """
    for place, page in enumerate(pages):
        box = page._page_box  # noqa: SLF001 - see the docstring
        mended = [_mended(entry) for entry in list(_entries(box))]
        if True in mended:
            pages[place] = Page(box)


def _classes(box: Any) -> set[str]:
    element = getattr(box, "element", None)
    return set() if element is None else set(element.get("class", "").split())


def _entries(page: Any) -> Iterator[Any]:
    for box in page.descendants():
        if type(box).__name__ == "BlockBox" and _classes(box) & _ENTRIES:
            yield box


def _mended(entry: Any) -> bool:
    """Take what is repeated off the lines of one entry; tell whether anything was."""
    seen: set[str] = set()
    mended = False
    for line in entry.children:
        kept, gone = [], 0.0
        for child in getattr(line, "children", ()):
            number = _number(child)
            if number and number in seen:
                gone += child.margin_width()
                continue
            if number:
                seen.add(number)
            if gone:
                child.translate(-gone, 0)
            kept.append(child)
        if gone:
            line.children = kept
            mended = True
    return mended


def _number(box: Any) -> str:
    """Give the number of a link that stands whole in its line."""
    if "pg" not in _classes(box):
        return ""
    text = "".join(getattr(each, "text", None) or "" for each in box.descendants())
    found = _NUMBER.fullmatch(text)
    return found[1] if found else ""
