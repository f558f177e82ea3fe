"""Owns what the web edition's search knows: tables, rows, terms, headings, text and armies.

Does not search; a script in the reader's browser does, with what is listed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from generator.documents.passages import Passage, table_anchor
from generator.documents.rulebook import Rulebook
from generator.documents.views import Line, View
from generator.documents.web import ERRATA, GLOSSARY, ArmyLine, Site, chapter_file

Kind = Literal["table", "row", "term", "heading", "text", "army"]

_MOST_SIGNS = 160
"""Signs of a row's cells that are told with it."""


@dataclass(frozen=True, slots=True)
class Find:
    """Something that can be found: what it is called, where it stands, and its text."""

    kind: Kind
    title: str
    where: str
    address: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Finds:
    """Everything that can be found in one part of a site."""

    found: tuple[Find, ...]


def book_finds(site: Site, book: Rulebook) -> Finds:
    """List what can be found in the book."""
    return Finds(tuple(_in_book(site, book)))


def army_finds(armies: Sequence[ArmyLine]) -> Finds:
    """List the armies."""
    found = (
        Find("army", army.name, "Armies", army.file, "legal" if army.legal else "not legal")
        for army in armies
    )
    return Finds(tuple(found))


def _in_book(site: Site, book: Rulebook) -> Iterator[Find]:
    for chapter in book.chapters:
        for table in chapter.tables:
            yield from _in_table(table.view, chapter, site)
    for entry in book.index:
        for each in (entry, *entry.below):
            title = entry.term if each is entry else f"{entry.term}: {each.term}"
            for where in each.places:
                yield Find("term", title, where.text, site.addresses[where.anchor])
    for term in book.glossary:
        meaning = plain(term.meaning)
        yield Find("term", plain(term.label), "Glossary", f"{GLOSSARY}#{term.anchor}", meaning)
    for chapter in book.chapters:
        yield from _in_chapter(chapter)
    for doubt in book.doubts:
        title = "; ".join(where.text for where in doubt.places)
        text = plain(f"As printed: {doubt.printed} As read: {doubt.read} {doubt.reason}")
        yield Find("text", title, "Errata", f"{ERRATA}#e-{doubt.number}", text)


def _in_table(shown: View, chapter: Passage, site: Site) -> Iterator[Find]:
    address = site.addresses[table_anchor(shown.id)]
    named = f"{shown.number} {shown.title}".strip()
    yield Find("table", named, chapter.title, address, plain(shown.remark))
    for line in shown.lines:
        label = plain(line.label)
        if any(sign.isalpha() for sign in label):
            yield Find("row", label, named, address, _cells(shown, line))


def _cells(shown: View, line: Line) -> str:
    """Tell a row's cells in one line, each behind its column's head if it has one of its own."""
    several = len(line.cells) > 1
    told = [
        f"{shown.heads[place].label} {plain(cell.text)}".strip() if several else plain(cell.text)
        for place, cell in enumerate(line.cells)
        if cell.kind not in ("dash", "blank")
    ]
    text = " · ".join(told)
    return text if len(text) <= _MOST_SIGNS else f"{text[: _MOST_SIGNS - 1].rstrip()}…"


def _in_chapter(passage: Passage) -> Iterator[Find]:
    """List a chapter's headings, and the text below each."""
    file = chapter_file(passage.id)
    yield Find("heading", passage.title, f"Chapter {passage.number}", file)
    parts = re.split(r"(?m)^#{2,3} .*$", passage.text)
    addresses = [file, *(f"{file}#{heading.anchor}" for heading in passage.headings)]
    titles = [passage.title, *(plain(heading.title) for heading in passage.headings)]
    for place, (title, address, text) in enumerate(zip(titles, addresses, parts, strict=True)):
        if place:
            yield Find("heading", title, passage.title, address)
        if told := plain(_filled(text, passage)):
            yield Find("text", title, passage.title, address, told)


def _filled(text: str, passage: Passage) -> str:
    """Put what stands in them into the braces of a text; a table is found by itself."""

    def words(found: re.Match[str]) -> str:
        piece = passage.pieces[int(found[1])]
        return piece.text if piece.kind in ("words", "link") else ""

    return re.sub(r"\{(\d+)\}", words, text)


_MARKUP = re.compile(r'^!!! \w+ *"?|^ *(?:[-*]|\d+\.) |[*#`]|"$', re.MULTILINE)


def plain(text: str) -> str:
    """Take Markdown's signs out of a text."""
    return " ".join(_MARKUP.sub("", text).split())
