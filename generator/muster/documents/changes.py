"""What changed between two editions, in words, and which parts of a book get a change bar."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from muster.documents.table_view import TableView
from muster.editions.change import Change, WordDiff, format_difference
from muster.editions.compare import compare_editions
from muster.editions.effects import ArmyStatus, Effect
from muster.editions.snapshot import edition_data, locate_paragraphs
from muster.systems import System
from muster.tables import Table

_DIRECTIVE = re.compile(r"\{([^{}]*)\}")
_INVISIBLE_DIRECTIVE = re.compile(r"\{(?:index|let):[^{}]*\}")
"""Directives that print nothing: they are shown only where they differ."""

_MAX_CELL_CHARS = 60
"""Characters from which on a text stands by itself rather than in a table's cell."""

_CONTEXT_WORDS = 6
"""Words that are shown on either side of a change, of a longer run."""

_MISSING_PARTS = {
    "identity": "what the system says of itself",
    "details": "what tables say beside rows and columns",
    "prose": "the prose",
    "errata": "the doubtful places",
    "composition": "the composition of armies",
    "books": "the army books",
}


@dataclass(frozen=True, slots=True)
class ChangeItem:
    """A change in words. `words` are runs as in `Change`; a text without them has old and new."""

    kind: str
    place: str
    old: str = ""
    new: str = ""
    by: str = ""
    words: WordDiff = ()
    remark: str = ""
    prose: bool = False

    @property
    def long(self) -> bool:
        """Tell whether it wants the whole width of a page."""
        return self.prose or bool(self.words) or max(len(self.old), len(self.new)) > _MAX_CELL_CHARS


@dataclass(frozen=True, slots=True)
class ChangeSection:
    """All changes of one table, chapter, or other part."""

    title: str
    items: tuple[ChangeItem, ...]

    @property
    def short(self) -> tuple[ChangeItem, ...]:
        """The changes that fit a line of a table."""
        return tuple(item for item in self.items if not item.long)

    @property
    def long(self) -> tuple[ChangeItem, ...]:
        """The changes that want the whole width."""
        return tuple(item for item in self.items if item.long)


@dataclass(frozen=True, slots=True)
class ArmyChange:
    """What becomes of an army: its verdicts in words, and what there is to say of it."""

    name: str
    file: str
    old: str
    new: str
    by: str
    grave: bool
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EditionLabel:
    """One side: its edition, where it was read from, and the language it is in."""

    title: str
    edition: str
    name: str
    credit: str
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Changes:
    """All that changed. `armies` is None where an edition was saved without its files."""

    old: EditionLabel
    new: EditionLabel
    sections: tuple[ChangeSection, ...]
    armies: tuple[ArmyChange, ...] | None
    untouched: int
    missing: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many changes there are."""
        return sum(len(section.items) for section in self.sections)


def gather_changes(
    editions: tuple[EditionLabel, EditionLabel],
    changes: Sequence[Change],
    missing: Iterable[str],
    effects: Sequence[Effect] | None,
) -> Changes:
    """Put changes into words, under the heading of each.

    Args:
        editions: The old and the new one.
        changes: What changed.
        missing: What one of them does not tell of.
        effects: What becomes of armies; None if that cannot be told.
    """
    sections: dict[str, list[ChangeItem]] = {}
    for change in changes:
        sections.setdefault(change.heading, []).append(_make_item(change))
    noted = None
    if effects is not None:
        noted = tuple(_army_change(each) for each in effects if not each.unnoticed)
    return Changes(
        *editions,
        tuple(ChangeSection(title, tuple(items)) for title, items in sections.items()),
        noted,
        len(effects or ()) - len(noted or ()),
        tuple(_MISSING_PARTS[key] for key in missing),
    )


def _make_item(change: Change) -> ChangeItem:
    place = ", ".join(change.place)
    if not place and change.kind in ("added", "removed"):
        place = f"the whole {change.part}"
    prices = f"the price of {', '.join(change.prices)}" if change.prices else ""
    return ChangeItem(
        change.kind,
        place,
        spell_out_directives(change.old),
        spell_out_directives(change.new),
        "" if change.by is None else format_difference(change.by),
        tuple(_shorten_runs(change.words)),
        prices,
        change.part == "paragraph",
    )


def spell_out_directives(text: str) -> str:
    """Write the directives of prose so that a reader knows what they stand for."""
    return _DIRECTIVE.sub(lambda found: _directive_text(found[1]), text)


def _directive_text(body: str) -> str:
    verb, _, rest = (part.strip() for part in body.partition(":"))
    shown, bar, behind = (part.strip() for part in rest.partition("|"))
    match verb:
        case "given":
            return rest.partition(" as ")[0].strip()
        case "fact":
            return f"{shown} [{behind}]" if bar else shown
        case "value" | "label" | "Label":
            return f"[{rest}]"
        case "ref" | "Ref" | "table":
            return f"[table {rest}]"
        case "chapter":
            return behind or f"[chapter {shown}]"
    return f"[{body.strip()}]"


def _shorten_runs(words: WordDiff) -> Iterator[tuple[str, str]]:
    """Leave out the middle of long runs that stand in both editions."""
    for place, (mark, text) in enumerate(words):
        said = spell_out_directives(_INVISIBLE_DIRECTIVE.sub("", text) if mark == "=" else text)
        each = said.split()
        first, last = place == 0, place == len(words) - 1
        if mark != "=" or len(each) <= 2 * _CONTEXT_WORDS:
            yield mark, said
        elif first:
            yield mark, f"… {' '.join(each[-_CONTEXT_WORDS:])}"
        elif last:
            yield mark, f"{' '.join(each[:_CONTEXT_WORDS])} …"
        else:
            yield mark, f"{' '.join(each[:_CONTEXT_WORDS])} … {' '.join(each[-_CONTEXT_WORDS:])}"


def _army_change(effect: Effect) -> ArmyChange:
    old, new = _status_text(effect.old), _status_text(effect.new)
    by = effect.points_difference
    remarks = [
        *(f"{label}: {before} → {after}" for label, before, after in effect.prices),
        *(f"new: {each.label}: {each.message}" for each in effect.appeared),
        *(f"no longer: {each.label}: {each.message}" for each in effect.gone),
        *(fault for fault in effect.new.faults if fault not in effect.old.faults),
    ]
    grave = bool(effect.old.legal) and not effect.new.legal
    difference = "" if not by else format_points_difference(by)
    return ArmyChange(effect.army, effect.file, old, new, difference, grave, tuple(remarks))


def format_points_difference(by: float) -> str:
    """Write a difference in points with its sign."""
    sign = "−" if by < 0 else "+"
    return f"{sign}{abs(by):g}"


def _status_text(standing: ArmyStatus) -> str:
    if standing.verdict is None:
        return "cannot be read"
    word = "legal" if standing.legal else "not legal"
    points = standing.verdict.points
    if points is None:
        return word
    total = f"{points.normalize():f}"
    return f"{word}, {total} point{'' if points == 1 else 's'}"


_NO_BAR = re.compile(
    r"\s*!!!.*"
    r"|\s*\{(table|errata|blanks)\b[^{}]*\}\s*"
    r"|(\s|\{(let|index):[^{}]*\}|\{[^{}]*\bsilently\b[^{}]*\})*"
)
"""Paragraphs that take no bar: the head of a panel, what stands alone, and what prints nothing."""


@dataclass(slots=True)
class ChangeBars:
    """What changed, by the places of the new edition.

    `captions` are tables of which something changed that is in no row, or is there no more.
    """

    captions: set[str] = field(default_factory=set)
    tables: set[str] = field(default_factory=set)
    rows: dict[str, set[str]] = field(default_factory=dict)
    chapters: set[str] = field(default_factory=set)
    paragraphs: dict[str, set[int]] = field(default_factory=dict)

    def caption_changed(self, table_id: str) -> bool:
        """Tell whether a table's caption gets a bar."""
        return table_id in self.captions or table_id in self.tables

    def mark_rows(self, shown: TableView, table: Table) -> TableView:
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

    def changed_paragraph_ends(self, chapter: str, text: str) -> Iterator[int]:
        """Give the places in a chapter's text at which a changed paragraph ends."""
        whole = chapter in self.chapters
        changed = self.paragraphs.get(chapter, set())
        for number, (paragraph, end) in enumerate(locate_paragraphs(text), 1):
            if (whole or number in changed) and not _NO_BAR.fullmatch(paragraph):
                yield end


def find_bars(changes: Iterable[Change]) -> ChangeBars:
    """Find the places of the new edition that changed. What is gone has no place there."""
    bars = ChangeBars()
    for change in changes:
        gone = change.kind == "removed"
        match change.part, change.at:
            case (("paragraph" | "chapter"), (_, *place)):
                if not gone:
                    _bar_paragraphs(bars, change, place)
            case (("cell" | "row"), (table, row, *rest)) if rest or not gone:
                bars.rows.setdefault(table, set()).add(row)
            case "table", (table,) if change.kind == "added":
                bars.tables.add(table)
            case (("table" | "column" | "row" | "note"), (table, *_)):
                bars.captions.add(table)
    return bars


def _bar_paragraphs(bars: ChangeBars, change: Change, place: list[str]) -> None:
    """Bar a paragraph; a chapter whose prose is new as a whole, in all of it."""
    match place:
        case [chapter] if change.part == "paragraph" or change.kind == "added":
            bars.chapters.add(chapter)
        case [chapter, number] if change.part == "paragraph":
            bars.paragraphs.setdefault(chapter, set()).add(int(number))


@dataclass(frozen=True, slots=True)
class ChangesSince:
    """What changed since an edition: nothing, and no list, if a book is to say nothing of it."""

    bars: ChangeBars = field(default_factory=ChangeBars)
    changes: Changes | None = None


def changes_since(system: System, old: str) -> ChangesSince:
    """Compare a system with an older edition of it.

    Args:
        system: The system as it is now.
        old: The older edition as JSON, such as `muster export` writes; empty if there is none.

    Raises:
        MusterError: If a part of the system cannot be read.
    """
    if not old:
        return ChangesSince()
    before, new = json.loads(old), edition_data(system)
    found = compare_editions(before, new)
    # An id is never printed: that it is another one now is nothing to a reader.
    seen = [change for change in found.changes if change.kind != "renamed"]
    sides = _edition_label(before), _edition_label(new)
    return ChangesSince(find_bars(seen), gather_changes(sides, seen, found.missing, None))


def _edition_label(data: Mapping[str, Any]) -> EditionLabel:
    """Name an edition by itself: a book does not say from which folder another was read."""
    said = data["system"]
    language = (data.get("identity") or {}).get("language", "en")
    return EditionLabel(said["title"], said["edition"], "", said["source"], language)
