"""Write the files of the web edition: pages, styles, scripts and the search index."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import tinycss2
from markupsafe import Markup

from muster.documents.website import SCRIPTS, STYLES
from muster.rendering.prose_html import chapter_html, mark_foreign
from muster.rendering.roster_columns import column_widths

if TYPE_CHECKING:
    from muster.documents.passages import BookTable
    from muster.documents.website import ChapterPage, SearchIndex, SitePage
    from muster.rendering.environment import SiblingPages, TemplateEnvironment

_SITE_STYLES = (
    "base/screen.css",
    "parts/tables.css",
    "rulebook/parts.css",
    "parts/screen.css",
    "rulebook/screen.css",
    "web/results.css",
    "web/web.css",
)
_ARMY_STYLES = ("roster/roster.css", "roster/screen.css", "web/army.css", "parts/ticks.css")
_SHARED_SCRIPTS = {
    "fit.js": "base/fit.js",
    "ticks.js": "parts/ticks.js",
    "answers.js": "parts/answers.js",
}
_DARK_QUERY = "(prefers-color-scheme: dark)"


def web_file(
    templates: TemplateEnvironment,
    variant: str,
    data: Any,
    home: str,
    beside: SiblingPages = (),
) -> str:
    """Return the text of a file of the web edition.

    Args:
        templates: The templates.
        variant: The kind of page, `finds` for the search index, or the name of a shared file.
        data: The page, or the search index.
        home: The relative address of the index of all documents.
        beside: The same page in other languages: what each calls itself, and its address.
    """
    if variant in STYLES:
        return _site_style(templates, variant)
    if variant in SCRIPTS:
        return templates.read_script(_SHARED_SCRIPTS.get(variant, f"web/{variant}"))
    if variant == "finds":
        return search_script(data)
    extra: dict[str, Any] = {}
    if variant == "chapter":
        extra = {"html": _web_chapter_html(templates, data)}
    elif variant == "army":
        extra = {"widths": column_widths(data.roster)}
    extra |= {"home": home, "beside": beside}
    html = templates.render(f"web/{variant}.html.j2", at=data, page=data.page, **extra)
    return mark_foreign(_resolve_links(html, data.page), data.page.frame.foreign)


_HREF = re.compile(r'(<a [^>]*?href=")#([^"]+)"')


def _resolve_links(html: str, page: SitePage) -> str:
    """Return a page in which each link that leaves it has the address of its target page."""
    links = dict(page.links)

    def resolve(match: re.Match[str]) -> str:
        return f'{match[1]}{links.get(match[2], "#" + match[2])}"'

    return _HREF.sub(resolve, html)


def _web_chapter_html(templates: TemplateEnvironment, data: ChapterPage) -> Markup:
    """Return a chapter's HTML, its sections one level higher than on the page of a whole book."""
    book = templates.macros("rulebook/parts.html.j2")
    own = templates.macros("web/parts.html.j2")

    def table(book_table: BookTable) -> Markup:
        html: Markup = book.table(book_table, False)  # noqa: FBT003 - as the macro takes it
        return html

    lists = {"errata": own.errata_link(data.doubts)}
    return _raise_headings(chapter_html(data.passage, table, lists))


def _raise_headings(html: Markup) -> Markup:
    raised = re.sub(r"<(/?)h([34])\b", lambda match: f"<{match[1]}h{int(match[2]) - 1}", html)
    return Markup(raised)  # noqa: S704 - only the names of elements changed


def search_script(index: SearchIndex) -> str:
    """Return the search index as a script: a page opened from a file may load nothing else."""
    rows = ",\n".join(
        _script_value([each.kind, each.title, each.where, each.address, each.text, each.keys])
        for each in index.found
    )
    head = f"window.musterSynonyms = {_script_value(index.synonyms)};\n" * bool(index.synonyms)
    if index.language:
        head += f'window.musterLanguage = "{index.language}";\n'
    return f"{head}(window.musterFinds = window.musterFinds || []).push(...[\n{rows}\n]);\n"


def _script_value(value: Sequence[Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _site_style(templates: TemplateEnvironment, name: str) -> str:
    if name == "fonts.css":
        return f"{templates.inlined_faces}\n{templates.inlined_letters}\n"
    parts = templates.read_styles(_ARMY_STYLES if name == "army.css" else _SITE_STYLES)
    if name == "dark.css":
        parts += templates.read_styles(_ARMY_STYLES)
    light, dark = split_by_theme("\n".join(parts))
    return dark if name == "dark.css" else light


def split_by_theme(css: str) -> tuple[str, str]:
    """Split a style sheet into the rules for all screens, and those for dark ones, unwrapped."""
    light, dark = [], []
    for rule in tinycss2.parse_stylesheet(css):
        prelude = tinycss2.serialize(rule.prelude).strip() if rule.type == "at-rule" else ""
        if prelude == _DARK_QUERY:
            dark.append(tinycss2.serialize(rule.content).strip("\n"))
        else:
            light.append(rule.serialize())
    return "".join(light).strip() + "\n", "\n".join(dark) + "\n"
