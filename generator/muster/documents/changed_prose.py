"""Show changed prose to readers, who know neither directives nor Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from muster.languages import marked, say

_DIRECTIVE = re.compile(r"\{([^{}]*)\}")
_MARKUP = re.compile(r"\*+|`")
_HEADING = re.compile(r"\s*#{1,6} ")
_PANEL = re.compile(r'\s*!!! (\w+)\s*(?:"([^"]*)")?.*')
_KEY = re.compile(r"([a-z-]+)=(\S+)")

Names = Mapping[str, str]
"""The titles and labels of tables, chapters, rows and columns, as `names_in` makes them."""


def names_in(*editions: Mapping[str, Any]) -> dict[str, str]:
    """Return what readers call the parts that directives name; the last edition's words count.

    The keys are `table ID`, `chapter ID`, and `row TABLE ID` or `column TABLE ID`.
    """
    return {key: name for edition in editions for key, name in _names(edition)}


def _names(edition: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for chapter in edition.get("prose") or []:
        yield f"chapter {chapter['id']}", chapter["title"]
    for table in edition.get("tables") or []:
        yield f"table {table['id']}", table["title"]
        for key, parts in (("row", table["rows"]), ("column", table["columns"])):
            for part in parts:
                yield f"{key} {table['id']} {part['id']}", part["label"]


def plain_prose(text: str, names: Names) -> str:
    """Return prose as a reader sees it, in one line.

    A value of a table is shown as its place in brackets, and a result that is worked out as `…`:
    a list of changes has no tables to look them up in.
    """
    if panel := _PANEL.fullmatch(text):
        kind = say(panel[1].capitalize())
        return say("{title}: {subtitle}", title=kind, subtitle=panel[2]) if panel[2] else kind
    shown = _DIRECTIVE.sub(lambda directive: _directive_text(directive[1], names), text)
    return _MARKUP.sub("", _HEADING.sub("", shown)).strip()


def _directive_text(body: str, names: Names) -> str:
    verb, _, arguments = (part.strip() for part in body.partition(":"))
    subject, _, words = (part.strip() for part in arguments.partition("|"))
    if verb in ("index", "let", "erratum") or "silently" in arguments:
        return ""
    match verb:
        case "given":
            shown = arguments.partition(" as ")[0].strip()
        case "fact":
            shown = subject
        case "value" | "label" | "Label":
            shown = words or f"[{_place(subject, names)}]"
        case "table" | "ref" | "Ref":
            message = (
                marked("the table “{title}”") if verb == "ref" else marked("The table “{title}”")
            )
            shown = words or say(message, title=_name("table", subject, names))
        case "chapter":
            chapter, _, section = subject.partition("/")
            shown = words or say("“{title}”", title=section or _name("chapter", chapter, names))
        case "errata":
            shown = say("[the doubtful places]")
        case _:
            shown = "…"
    return shown


def _place(query: str, names: Names) -> str:
    """Return the words for a cell, such as `Movement: Foot, Open`."""
    table, _, keys = query.partition(" ")
    places = [
        _name(key, f"{table} {value}", names, value)
        if key in ("row", "column")
        else f"{key} {'…' if value.startswith('@') else value}"
        for key, value in _KEY.findall(keys)
    ]
    title = _name("table", table, names)
    return say("{title}: {subtitle}", title=title, subtitle=", ".join(places)) if places else title


def _name(kind: str, key: str, names: Names, otherwise: str = "") -> str:
    return names.get(f"{kind} {key}") or otherwise or key
