"""Owns the way from the web edition's pages to files: HTML, styles, scripts and what search knows.

Does not gather data. Every file works from a folder, without a server and without a network.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import tinycss2
from markupsafe import Markup

from generator.documents.web import SCRIPTS, STYLES
from generator.rendering.chapters import chapter_html
from generator.rendering.roster import column_widths

if TYPE_CHECKING:
    from generator.documents.passages import BookTable
    from generator.documents.web import ChapterPage, Page
    from generator.documents.web_search import Finds
    from generator.rendering.studio import Studio

_SITE = (
    "base/screen.css",
    "parts/tables.css",
    "rulebook/parts.css",
    "rulebook/screen.css",
    "web/web.css",
)
_ARMY = ("roster/roster.css", "roster/screen.css", "web/army.css")
_DARK = "(prefers-color-scheme: dark)"


def web_file(studio: Studio, variant: str, data: Any, home: str) -> str:
    """Give a file of a site.

    Args:
        studio: The templates.
        variant: Which page it is, `finds` for what search knows, or the name of a shared file.
        data: The page, or what can be found.
        home: The way to the index of all documents.
    """
    if variant in STYLES:
        return _style(studio, variant)
    if variant in SCRIPTS:
        return studio.style(f"web/{variant}")
    if variant == "finds":
        return finds_script(data)
    told: dict[str, Any] = {}
    if variant == "chapter":
        told = {"html": _chapter(studio, data)}
    elif variant == "army":
        told = {"widths": column_widths(data.roster), "short": False}
    html = studio.render(f"web/{variant}.html.j2", at=data, page=data.page, home=home, **told)
    return _linked(html, data.page)


_HREF = re.compile(r'(<a [^>]*?href=")#([^"]+)"')


def _linked(html: str, page: Page) -> str:
    """Send the links that leave a page to where they lead."""
    links = dict(page.links)

    def address(found: re.Match[str]) -> str:
        return f'{found[1]}{links.get(found[2], "#" + found[2])}"'

    return _HREF.sub(address, html)


def _chapter(studio: Studio, data: ChapterPage) -> Markup:
    """Give a chapter's HTML; its sections stand one level higher than in a book of one piece."""
    book = studio.macros("rulebook/parts.html.j2")
    own = studio.macros("web/parts.html.j2")

    def table(held: BookTable) -> Markup:
        return Markup(book.table(held, False))  # noqa: FBT003, S704 - Jinja escaped it

    lists = {
        "errata": Markup(own.errata_link(data.doubts)),  # noqa: S704 - as above
        "blanks": Markup(own.blanks_link(data.gaps)),  # noqa: S704 - as above
    }
    return _raised(chapter_html(data.passage, table, lists))


def _raised(html: Markup) -> Markup:
    raised = re.sub(r"<(/?)h([34])\b", lambda found: f"<{found[1]}h{int(found[2]) - 1}", html)
    return Markup(raised)  # noqa: S704 - only the names of elements changed


def finds_script(finds: Finds) -> str:
    """Write what can be found as a script, since a page from a file may load nothing else."""
    rows = ",\n".join(
        json.dumps([each.kind, each.title, each.where, each.address, each.text], ensure_ascii=False)
        for each in finds.found
    )
    return f"(window.musterFinds = window.musterFinds || []).push(...[\n{rows}\n]);\n"


def _style(studio: Studio, name: str) -> str:
    if name == "fonts.css":
        return studio.inlined_faces + "\n"
    parts = [studio.style(each) for each in (_ARMY if name == "army.css" else _SITE)]
    if name == "dark.css":
        parts += [studio.style(each) for each in _ARMY]
    light, dark = by_theme("\n".join(parts))
    return dark if name == "dark.css" else light


def by_theme(css: str) -> tuple[str, str]:
    """Part a style sheet into its rules for all, and those for a dark screen, bare."""
    light, dark = [], []
    for rule in tinycss2.parse_stylesheet(css):
        prelude = tinycss2.serialize(rule.prelude).strip() if rule.type == "at-rule" else ""
        if prelude == _DARK:
            dark.append(tinycss2.serialize(rule.content).strip("\n"))
        else:
            light.append(rule.serialize())
    return "".join(light).strip() + "\n", "\n".join(dark) + "\n"
