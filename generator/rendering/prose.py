"""Owns the way from prose with **bold** and *italic* to safe HTML.

Does not know tables or pages. Raw HTML in prose is shown, never obeyed.
"""

from __future__ import annotations

import re
from functools import lru_cache

from markdown import Markdown
from markupsafe import Markup, escape


def without_raw_html(reader: Markdown) -> None:
    """Make a reader of Markdown show raw HTML, links and images as they are written."""
    reader.preprocessors.deregister("html_block")
    for name in (
        "html",
        "image_link",
        "image_reference",
        "link",
        "reference",
        "autolink",
        "automail",
        "short_image_ref",
        "short_reference",
    ):
        reader.inlinePatterns.deregister(name, strict=False)


def _make() -> Markdown:
    reader = Markdown()
    without_raw_html(reader)
    return reader


_READER = _make()
_BREAKS = re.compile(r"[\r\n\v\f\u0085\u2028\u2029]+")
_WRAP = ("<p>", "</p>")


def tied(html: Markup, marks: Markup) -> Markup:
    """Put marks behind the last word, so that no line breaks between them.

    A last word within an element is left as it is: nothing would be gained by taking it apart.
    """
    if not marks:
        return html
    before, space, last = html.rpartition(" ")
    if not last or "<" in last or ">" in last:
        return html + marks
    return before + space + Markup('<span class="tied">{}{}</span>').format(last, marks)


@lru_cache(maxsize=4096)
def inline(text: str) -> Markup:
    """Turn one paragraph of prose into HTML without a paragraph around it."""
    if "*" not in text:
        return escape(text)
    _READER.reset()
    # A line that begins with a number or a dash is a sentence here, never a list.
    html = _READER.convert("\u200b" + _BREAKS.sub(" ", text))
    return Markup(html.removeprefix(_WRAP[0]).removesuffix(_WRAP[1]).lstrip("\u200b"))  # noqa: S704 - Markdown escaped it
