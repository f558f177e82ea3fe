"""Owns which parts of a new edition get a bar in the margin, since they changed.

Does not draw a bar, and does not compare: it reads what the comparison found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from generator.comparing.change import Change
from generator.comparing.edition import paragraphs_placed
from generator.documents.views import View
from generator.tables import Table

_NO_TEXT = re.compile(
    r"\s*!!!.*"
    r"|\s*\{(table|errata|blanks)\b[^{}]*\}\s*"
    r"|(\s|\{(let|index):[^{}]*\}|\{[^{}]*\bsilently\b[^{}]*\})*"
)
"""Paragraphs that take no bar: the head of a panel, what stands alone, and what prints nothing."""


@dataclass(slots=True)
class Bars:
    """What changed, by the places of the new edition.

    `captions` are tables of which something changed that is in no row, or is there no more.
    """

    captions: set[str] = field(default_factory=set)
    tables: set[str] = field(default_factory=set)
    rows: dict[str, set[str]] = field(default_factory=dict)
    chapters: set[str] = field(default_factory=set)
    paragraphs: dict[str, set[int]] = field(default_factory=dict)

    def caption(self, table_id: str) -> bool:
        """Tell whether a table's caption gets a bar."""
        return table_id in self.captions or table_id in self.tables

    def barred(self, shown: View, table: Table) -> View:
        """Give a table as printed with its changed rows flagged; all of its rows must print."""
        whole = shown.id in self.tables
        rows = self.rows.get(shown.id, set())
        if not (whole or rows) or len(shown.lines) != len(table.rows):
            return shown
        lines = [
            replace(line, changed=whole or row.id in rows)
            for line, row in zip(shown.lines, table.rows, strict=True)
        ]
        return replace(shown, lines=tuple(lines))

    def ends(self, chapter: str, text: str) -> Iterator[int]:
        """Give the places in a chapter's text at which a changed paragraph ends."""
        whole = chapter in self.chapters
        changed = self.paragraphs.get(chapter, set())
        for number, (paragraph, end) in enumerate(paragraphs_placed(text), 1):
            if (whole or number in changed) and not _NO_TEXT.fullmatch(paragraph):
                yield end


def bars_of(changes: Iterable[Change]) -> Bars:
    """Find the places of the new edition that changed. What is gone has no place there."""
    bars = Bars()
    for change in changes:
        gone = change.kind == "removed"
        match change.part, change.at:
            case (("paragraph" | "chapter"), (_, *place)):
                if not gone:
                    _bar_text(bars, change, place)
            case (("cell" | "row"), (table, row, *rest)) if rest or not gone:
                bars.rows.setdefault(table, set()).add(row)
            case "table", (table,) if change.kind == "added":
                bars.tables.add(table)
            case (("table" | "column" | "row" | "note"), (table, *_)):
                bars.captions.add(table)
    return bars


def _bar_text(bars: Bars, change: Change, place: list[str]) -> None:
    """Bar a paragraph; a chapter whose prose is new as a whole, in all of it."""
    match place:
        case [chapter] if change.part == "paragraph" or change.kind == "added":
            bars.chapters.add(chapter)
        case [chapter, number] if change.part == "paragraph":
            bars.paragraphs.setdefault(chapter, set()).add(int(number))
