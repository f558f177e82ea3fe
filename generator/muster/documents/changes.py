"""Put the changes between two editions into words, and find where a book gets change bars."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from muster.documents.changed_prose import Names, names_in, plain_prose
from muster.documents.table_view import TableView
from muster.editions.change import Change, PartKind, WordDiff, format_difference
from muster.editions.compare import compare_editions
from muster.editions.effects import ArmyStatus, Effect
from muster.editions.snapshot import edition_data, locate_paragraphs
from muster.languages import marked, say, say_number, with_decimal_mark
from muster.systems import System
from muster.systems.translations import Translation
from muster.tables import Table

_MAX_CELL_CHARS = 60
"""The characters up to which a text is printed in a cell of the table of changes."""

_CONTEXT_WORDS = 6
"""The words that are shown before and after a change if more of the text is the same."""

_MISSING_PARTS = {
    "identity": marked("the system's description, scales, phases and chapters"),
    "details": marked("the details of tables, rows and columns"),
    "prose": marked("the prose"),
    "errata": marked("the errata"),
    "composition": marked("the rules for army lists"),
    "books": marked("the army books"),
}


_WHOLE_PARTS: dict[PartKind, str] = {
    "identity": marked("the whole identity"),
    "scale": marked("the whole scale"),
    "phase": marked("the whole phase"),
    "chapter": marked("the whole chapter"),
    "table": marked("the whole table"),
    "column": marked("the whole column"),
    "row": marked("the whole row"),
    "cell": marked("the whole cell"),
    "note": marked("the whole note"),
    "paragraph": marked("the whole paragraph"),
    "erratum": marked("the whole erratum"),
    "composition": marked("the whole composition"),
    "level": marked("the whole level"),
    "unit-type": marked("the whole unit-type"),
    "option": marked("the whole option"),
    "field": marked("the whole field"),
    "constraint": marked("the whole constraint"),
    "cost": marked("the whole cost"),
    "book": marked("the whole book"),
    "unit": marked("the whole unit"),
}


@dataclass(frozen=True, slots=True)
class ChangeItem:
    """A change in words.

    `words` are the runs of a changed text, as in `Change`; if there are none, `old` and `new` are
    printed whole.
    """

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
        """Whether the change needs the whole width of a page."""
        return self.prose or bool(self.words) or max(len(self.old), len(self.new)) > _MAX_CELL_CHARS


@dataclass(frozen=True, slots=True)
class ChangeSection:
    """All changes of one table, chapter or other part."""

    title: str
    items: tuple[ChangeItem, ...]

    @property
    def short(self) -> tuple[ChangeItem, ...]:
        """The changes that fit into a row of a table."""
        return tuple(item for item in self.items if not item.long)

    @property
    def long(self) -> tuple[ChangeItem, ...]:
        """The changes that need the whole width of a page."""
        return tuple(item for item in self.items if item.long)


@dataclass(frozen=True, slots=True)
class ArmyChange:
    """How an army is affected: its verdicts before and after in words, and remarks.

    `grave` says that a legal army is not legal any more.
    """

    name: str
    file: str
    old: str
    new: str
    by: str
    grave: bool
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EditionLabel:
    """One of the two editions: its title, version, where it was read from, and its language."""

    title: str
    edition: str
    name: str
    credit: str
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Changes:
    """All changes between two editions.

    Attributes:
        old: The old edition.
        new: The new edition.
        sections: The changes, by the part that they belong to.
        armies: The armies that are affected; None if an edition was saved without its files.
        untouched: How many armies are not affected.
        missing: What was not compared because one of the editions lacks it.
    """

    old: EditionLabel
    new: EditionLabel
    sections: tuple[ChangeSection, ...]
    armies: tuple[ArmyChange, ...] | None
    untouched: int
    missing: tuple[str, ...]

    @property
    def count(self) -> int:
        """The number of changes."""
        return sum(len(section.items) for section in self.sections)


def gather_changes(
    editions: tuple[EditionLabel, EditionLabel],
    changes: Sequence[Change],
    missing: Iterable[str],
    effects: Sequence[Effect] | None,
    names: Names | None = None,
) -> Changes:
    """Put changes into words and group them by their headings.

    Args:
        editions: The old and the new edition.
        changes: The changes between them.
        missing: The keys of parts that one of the editions lacks.
        effects: The effects on armies; None if armies cannot be judged.
        names: What readers call the parts that prose refers to, from `names_in`.
    """
    items_by_heading: dict[str, list[ChangeItem]] = {}
    for change in changes:
        item = _make_item(change, names or {})
        if not item.prose or item.old or item.new or item.words:
            items_by_heading.setdefault(change.heading, []).append(item)
    old, new = editions
    armies = None
    if effects is not None:
        armies = tuple(_army_change(effect) for effect in effects if not effect.unnoticed)
    return Changes(
        old=old,
        new=new,
        sections=tuple(
            ChangeSection(say(title), tuple(items)) for title, items in items_by_heading.items()
        ),
        armies=armies,
        untouched=len(effects or ()) - len(armies or ()),
        missing=tuple(say(_MISSING_PARTS[key]) for key in missing),
    )


def _make_item(change: Change, names: Names) -> ChangeItem:
    place = ", ".join(change.place)
    if not place and change.kind in ("added", "removed"):
        place = say(_WHOLE_PARTS[change.part])
    prose = change.part == "paragraph"
    same = False
    remark = say("the price of {what}", what=", ".join(change.prices)) if change.prices else ""
    old, new, words = change.old, change.new, change.words
    if prose:
        # The old side of a move is the place that the paragraph moved from.
        old = old if change.kind == "moved" else plain_prose(old, names)
        new = plain_prose(new, names)
        words = tuple((mark, plain_prose(text, names)) for mark, text in words)
        if same := change.kind == "changed" and change.old != change.new and old == new:
            words = (("=", new),) if new else ()
            old, new, remark = "", "", say("in what is worked out or indexed")
    return ChangeItem(
        kind=change.kind,
        place=place,
        old=old,
        new=new,
        by="" if change.by is None else format_difference(change.by),
        words=words if same else tuple(_shorten_runs(words)),
        remark=remark,
        prose=prose,
    )


def _shorten_runs(runs: WordDiff) -> Iterator[tuple[str, str]]:
    """Leave out the middle of long runs that are the same in both editions."""
    for place, (mark, text) in enumerate(runs):
        words = text.split()
        head, tail = " ".join(words[:_CONTEXT_WORDS]), " ".join(words[-_CONTEXT_WORDS:])
        if mark != "=" or len(words) <= 2 * _CONTEXT_WORDS:
            if words:
                yield mark, text
        elif place == 0:
            yield mark, f"… {tail}"
        elif place == len(runs) - 1:
            yield mark, f"{head} …"
        else:
            yield mark, f"{head} … {tail}"


def _army_change(effect: Effect) -> ArmyChange:
    remarks = [
        *(f"{label}: {before} → {after}" for label, before, after in effect.prices),
        *(
            say("new: {what}", what=f"{finding.label}: {finding.message}")
            for finding in effect.appeared
        ),
        *(
            say("no longer: {what}", what=f"{finding.label}: {finding.message}")
            for finding in effect.gone
        ),
        *(fault for fault in effect.new.faults if fault not in effect.old.faults),
    ]
    difference = effect.points_difference
    return ArmyChange(
        name=effect.army,
        file=effect.file,
        old=_status_text(effect.old),
        new=_status_text(effect.new),
        by=_points_difference_text(difference) if difference else "",
        grave=bool(effect.old.legal) and not effect.new.legal,
        remarks=tuple(remarks),
    )


def _points_difference_text(difference: float) -> str:
    """Return a difference in points with its sign."""
    sign = "−" if difference < 0 else "+"
    return sign + with_decimal_mark(f"{abs(difference):g}")


def _status_text(status: ArmyStatus) -> str:
    if status.verdict is None:
        return say("cannot be read")
    word = say("legal") if status.legal else say("not legal")
    points = status.verdict.points
    if points is None:
        return word
    return f"{word}, {_in_points(points)}"


def _in_points(points: Decimal) -> str:
    return say_number("{n} point", "{n} points", points)


_NO_BAR = re.compile(
    r"\s*!!!.*"
    r"|\s*\{(table|errata)\b[^{}]*\}\s*"
    r"|(\s|\{(let|index):[^{}]*\}|\{[^{}]*\bsilently\b[^{}]*\})*"
)
"""Paragraphs without a bar: the head of a panel, a table or list, and what prints nothing."""


@dataclass(slots=True)
class ChangeBars:
    """The places where a book gets bars in the margin, by the ids of the new edition.

    Attributes:
        captions: Tables in which something outside the rows changed, or a row was removed.
        tables: Tables that are new as a whole.
        rows: The changed rows of each table.
        chapters: Chapters whose prose is new as a whole.
        paragraphs: The numbers, from 1, of the changed paragraphs of each chapter.
    """

    captions: set[str] = field(default_factory=set)
    tables: set[str] = field(default_factory=set)
    rows: dict[str, set[str]] = field(default_factory=dict)
    chapters: set[str] = field(default_factory=set)
    paragraphs: dict[str, set[int]] = field(default_factory=dict)

    def caption_changed(self, table_id: str) -> bool:
        """Return whether a table's caption gets a bar."""
        return table_id in self.captions or table_id in self.tables

    def mark_rows(self, view: TableView, table: Table) -> TableView:
        """Return a table as printed with its changed rows flagged.

        A view that does not show all rows of the table is returned as it is.
        """
        whole = view.id in self.tables
        rows = self.rows.get(view.id, set())
        if not (whole or rows) or len(view.lines) != len(table.rows):
            return view
        lines = [
            replace(line, changed=whole or row.id in rows)
            for line, row in zip(view.lines, table.rows, strict=True)
        ]
        return replace(view, lines=tuple(lines))

    def changed_paragraph_ends(self, chapter: str, text: str) -> Iterator[int]:
        """Yield the offsets in a chapter's text at which a changed paragraph ends."""
        whole = chapter in self.chapters
        changed = self.paragraphs.get(chapter, set())
        for number, (paragraph, end) in enumerate(locate_paragraphs(text), 1):
            if (whole or number in changed) and not _NO_BAR.fullmatch(paragraph):
                yield end


def find_bars(changes: Iterable[Change]) -> ChangeBars:
    """Find the places of the new edition that changed; what was removed has no place there."""
    bars = ChangeBars()
    for change in changes:
        removed = change.kind == "removed"
        match change.part, change.at:
            case (("paragraph" | "chapter"), (_, *place)):
                if not removed:
                    _bar_paragraphs(bars, change, place)
            case (("cell" | "row"), (table, row, *rest)) if rest or not removed:
                bars.rows.setdefault(table, set()).add(row)
            case "table", (table,) if change.kind == "added":
                bars.tables.add(table)
            case (("table" | "column" | "row" | "note"), (table, *_)):
                bars.captions.add(table)
    return bars


def _bar_paragraphs(bars: ChangeBars, change: Change, place: list[str]) -> None:
    """Add a bar to a changed paragraph, or to all of a chapter whose prose is new."""
    match place:
        case [chapter] if change.part == "paragraph" or change.kind == "added":
            bars.chapters.add(chapter)
        case [chapter, number] if change.part == "paragraph":
            bars.paragraphs.setdefault(chapter, set()).add(int(number))


@dataclass(frozen=True, slots=True)
class ChangesSince:
    """The changes since an older edition; without one, no bars and no list of changes."""

    bars: ChangeBars = field(default_factory=ChangeBars)
    changes: Changes | None = None


def changes_since(system: System, old: str, language: str | None = None) -> ChangesSince:
    """Compare a system with an older edition of it.

    What changed is found in the words of the rules themselves. A translated book then says it in
    its own words, as far as the texts of the older edition are or were translated.

    Args:
        system: The system as it is now, in its own language.
        old: The older edition as JSON text, such as `muster export` writes; empty if there is
            none. The build checks the file, and passes the text on because it is hashed.
        language: The language of the book, if it is another than that of the system.

    Raises:
        MusterError: If a part of the system cannot be read.
    """
    if not old:
        return ChangesSince()
    old_data, new_data = json.loads(old), edition_data(system)
    comparison = compare_editions(old_data, new_data)
    # Ids are never printed, so a renamed id means nothing to a reader.
    changes = [change for change in comparison.changes if change.kind != "renamed"]
    bars = find_bars(changes)
    spoken = system.in_language(language)
    if isinstance(spoken.speaker, Translation):
        old_data = _in_words_of(spoken.speaker, old_data)
        new_data = edition_data(spoken)
        said = {_key_of(each): each for each in compare_editions(old_data, new_data).changes}
        changes = [said.get(_key_of(change), change) for change in changes]
    editions = _edition_label(old_data), _edition_label(new_data)
    return ChangesSince(
        bars,
        gather_changes(editions, changes, comparison.missing, None, names_in(old_data, new_data)),
    )


def _key_of(change: Change) -> tuple[str, str, tuple[str, ...]]:
    """Return what a change is, whatever its words."""
    return change.kind, change.part, tuple(change.at)


def _in_words_of(translation: Translation, data: Any) -> Any:
    """Return an edition with its texts in the words of a translation; ids stay."""
    match data:
        case str():
            return translation.words_of_old(data)
        case list():
            return [_in_words_of(translation, each) for each in data]
        case dict():
            return {
                key: each if key == "id" else _in_words_of(translation, each)
                for key, each in data.items()
            }
    return data


def _edition_label(data: Mapping[str, Any]) -> EditionLabel:
    """Return the label of an edition, without the folder that it was read from."""
    system = data["system"]
    language = (data.get("identity") or {}).get("language", "en")
    return EditionLabel(system["title"], system["edition"], "", system["source"], language)
