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
    return before + space + Markup('<span class="whole">{}{}</span>').format(last, marks)


_UNIT = re.compile(r"(?<=\d) (?=(?:cm|mm)\b)")
"""The space between a figure and its unit, where no line breaks."""
_RANGE = re.compile(r"\d+–\d+(?:\u202f(?:cm|mm)\b)?")


@lru_cache(maxsize=4096)
def inline(text: str) -> Markup:
    """Turn one paragraph of prose into HTML without a paragraph around it."""
    text = _UNIT.sub("\u202f", text)
    if "*" not in text:
        return _held(escape(text))
    _READER.reset()
    # A line that begins with a number or a dash is a sentence here, never a list.
    html = _READER.convert("\u200b" + _BREAKS.sub(" ", text))
    plain = html.removeprefix(_WRAP[0]).removesuffix(_WRAP[1]).lstrip("\u200b")
    return _held(Markup(plain))  # noqa: S704 - Markdown escaped it


def _held(html: Markup) -> Markup:
    """Let no line break within a range, if there are other words beside which it might."""
    if " " not in html:
        return html  # a cell of one word does not break
    return held(html)


def held(html: Markup) -> Markup:
    """Let no line break within a range."""
    return Markup(_RANGE.sub(r'<span class="whole">\g<0></span>', str(html)))  # noqa: S704 - as it was
