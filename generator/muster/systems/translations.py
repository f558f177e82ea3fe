"""A system's texts in another language: `translations/de.po`, a gettext file beside the tables.

A text is translated once, wherever it stands: an entry without `msgctxt` counts everywhere. Where
one English text needs two translations, an entry whose `msgctxt` is a place, as the comments `#:`
name it, counts there alone. Figures, dice and what stands in braces stay as they are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, Protocol

from muster.problems import Location, MusterError, Problem, Problems
from muster.systems.directives import (
    BadDirective,
    Fact,
    IndexTerm,
    NameChapter,
    NameTable,
    ShowCell,
    ShowLabel,
    parse_directive,
)
from muster.systems.po_files import parse_catalog
from muster.systems.prose_blocks import split_blocks
from muster.yamlfile import Document, KeyPath, read_text
from muster.yamlfile.models import Translated
from muster.yamlfile.textfile import split_lines

TRANSLATIONS_FOLDER = "translations"

LONGEST_WORD = 40
"""The most characters without a space: a longer word does not fit into a column."""

_BRACES = re.compile(r"\{([^{}]*)\}")
_FIGURE = re.compile(r"(?:(?<!\w)[+\-−])?[0-9]*[dDwW]?[0-9]+(?:\.[0-9]+)?|[¼½¾⅓⅔]")
_UNIT = re.compile(r"(?<=[0-9])\s?(?:cm|mm|in)\b")


class Speaker(Protocol):
    """What says the texts of a whole system in other words: a translation, or a list of texts."""

    def say(
        self, text: str, place: str, room: Translated, problem: Callable[[str, str], Problem]
    ) -> str:
        """Return the words for a text.

        Args:
            text: The text as written.
            place: Where it stands, such as `tables/orders.rows.charge.label`.
            room: How long the words may be.
            problem: Makes a problem of the text at its place, of a code and a message.
        """
        ...

    def location(self, text: str, place: str) -> Location | None:
        """Return where the words for a text are written; None if they are the text itself."""
        ...


@dataclass(frozen=True, slots=True)
class FileWording:
    """Says the texts of one YAML file; `part` is its path in the system, without its ending."""

    speaker: Speaker
    part: str

    def say(self, text: str, path: KeyPath, room: Translated, document: Document) -> str:
        """Return the words for a text."""
        if not has_words(text):
            return text
        place = ".".join([self.part, *_names_on(path, document.data)])
        return self.speaker.say(
            text, place, room, lambda code, words: document.problem(code, words, path)
        )


def _names_on(path: KeyPath, data: object) -> Iterator[str]:
    """Yield the steps of a path; an entry of a list by its id, if it has one, else by its number.

    A cell has the id of its column.
    """
    columns = data.get("columns") if isinstance(data, dict) else None
    above = ""
    for step in path:
        name = str(step)
        if isinstance(data, list) and isinstance(step, int):
            data = data[step]
            source = columns[step] if above == "cells" and isinstance(columns, list) else data
            name = str(step + 1)
            if isinstance(source, dict):
                name = str(source.get("id", name))
        elif isinstance(data, dict):
            data = data.get(step)
        above = name
        yield "-".join(name.split())


def has_words(text: str) -> bool:
    """Return whether a text has anything to translate: not if it is figures and directives."""
    rest = _BRACES.sub(lambda match: f" {_words_in(match[1])} ", text)
    return any(character.isalpha() for character in _FIGURE.sub("", _UNIT.sub("", rest)))


def _words_in(body: str) -> str:
    """Return the words of a directive that players read."""
    try:
        directive = parse_directive(body)
    except BadDirective:
        return ""
    match directive:
        case IndexTerm():
            return f"{directive.term} {directive.below}"
        case Fact():
            return directive.text
        case NameTable() | NameChapter() | ShowCell() | ShowLabel():
            return directive.words
    return ""


def _without_words(body: str) -> str:
    """Return a directive without its words, in a form in which equal ones are equal."""
    try:
        directive = parse_directive(body)
    except BadDirective:
        return body
    match directive:
        case IndexTerm():
            return "index"
        case Fact():
            return repr(replace(directive, text=""))
        case NameTable() | NameChapter() | ShowCell() | ShowLabel():
            return repr(replace(directive, words=""))
    return repr(directive)


def _figures_in(text: str) -> Counter[str]:
    figures = _FIGURE.findall(text)
    return Counter(
        each.replace("−", "-").removeprefix("+").upper().replace("W", "D") for each in figures
    )


class TranslationEntry(NamedTuple):
    """An entry of a translation: a text and its words, and its line in the file, from 1.

    Without a `place` it counts everywhere. One that is `doubtful` was made for an older text.
    """

    place: str
    text: str
    said: str
    line: int
    doubtful: bool

    def faults(self) -> Iterator[tuple[str, str]]:
        """Yield what the words have wrong: codes and messages."""
        figures, said = _figures_in(self.text), _figures_in(self.said)
        if figures != said:
            text = f"read the figures {_listed(said)}, expected {_listed(figures)}"
            yield "translated-figures", f"{text}: figures and dice are never translated"
        written = Counter(map(_without_words, _BRACES.findall(self.text)))
        if written != Counter(map(_without_words, _BRACES.findall(self.said))):
            text = "what stands in braces differs from the text; keep it, except words after `|`"
            yield "translated-directive", f"{text} and those of `{{index: …}}`"
        longest = max((len(word) for word in _BRACES.sub(" ", self.said).split()), default=0)
        if longest > LONGEST_WORD and longest > max(map(len, self.text.split())):
            text = f"read a word of {longest} characters, expected at most {LONGEST_WORD}"
            yield "long-word", f"{text}; a soft hyphen or a blank may part it"


def _listed(figures: Counter[str]) -> str:
    return ", ".join(sorted(figures.elements())) or "none"


@dataclass(frozen=True, slots=True)
class Translation:
    """A translation of a system's texts that was read from its file."""

    language: str
    file: str
    lines: tuple[str, ...]
    entries: tuple[TranslationEntry, ...]
    obsolete: int
    """Number of entries that are kept for texts that are gone."""
    by_text: dict[tuple[str, str], TranslationEntry]
    """The entries by place and text; the place of most is empty."""
    known: dict[str, str]
    """The words of each text, wherever it stands, and of texts that are gone."""

    def entry(self, text: str, place: str) -> TranslationEntry | None:
        """Return the entry for a text at a place, translated or not."""
        return self.by_text.get((place, text)) or self.by_text.get(("", text))

    def translated(self, text: str, place: str) -> TranslationEntry | None:
        """Return the entry whose words are printed; None if the text stays as it is."""
        entry = self.entry(text, place)
        return entry if entry is not None and entry.said and not entry.doubtful else None

    def words_of_old(self, text: str) -> str:
        """Return the words for a text of an older edition, wherever it stood; else the text."""
        if text in self.known:
            return self.known[text]
        blocks = [*split_blocks(text)]
        said = self.known.get(blocks[0].words) if len(blocks) == 1 else None
        return blocks[0].with_words(said) if said else text

    def problem(self, code: str, text: str, entry: TranslationEntry) -> Problem:
        """Return a problem of an entry, at its line."""
        line_text = self.lines[entry.line - 1] if entry.line <= len(self.lines) else ""
        return Problem(code, text, Location(self.file, entry.line, 1), line_text)

    def say(
        self, text: str, place: str, room: Translated, problem: Callable[[str, str], Problem]
    ) -> str:
        """Return the words for a text; the text itself if it has no translation.

        Raises:
            MusterError: If the words do not fit where the text stands.
        """
        del problem  # What is wrong is wrong in the translation.
        entry = self.translated(text, place)
        if entry is None:
            return text
        if fault := misfit(entry, place, room):
            raise MusterError([self.problem(*fault, entry)])
        return entry.said

    def location(self, text: str, place: str) -> Location | None:
        """Return the place of the entry for a text; None if it has no translation."""
        entry = self.translated(text, place)
        return Location(self.file, entry.line, 1) if entry else None


def misfit(entry: TranslationEntry, place: str, room: Translated) -> tuple[str, str] | None:
    """Return why words do not fit into the place of their text: a code and a message."""
    if len(entry.said) > room.most:
        text = f"read {len(entry.said)} characters, expected at most {room.most} at {place}"
        return "long-translation", text
    if room.one_line and "\n" in entry.said:
        return "bad-line", f"read a line break (\\n), expected text in one line at {place}"
    return None


def read_translation(path: Path, *, shown_as: str, within: Path | None = None) -> Translation:
    """Read a translation; its file's name is the language.

    Raises:
        MusterError: If it cannot be read, or a translation in it has other figures or directives
            than its text.
    """
    text = read_text(path, shown_as=shown_as, within=within)
    catalog = parse_catalog(text, shown_as)
    lines = tuple(split_lines(text))
    entries = tuple(
        TranslationEntry(
            each.context or "",
            str(each.id),
            str(each.string or "").strip(),
            each.lineno or 1,
            each.fuzzy,
        )
        for each in catalog
        if each.id
    )
    translation = Translation(
        path.stem,
        shown_as,
        lines,
        entries,
        len(catalog.obsolete),
        {(entry.place, entry.text): entry for entry in entries},
        {
            str(each.id): str(each.string).strip()
            for each in (*catalog.obsolete.values(), *catalog)
            if each.id and each.string and not each.fuzzy
        },
    )
    problems = Problems(
        translation.problem(*fault, entry)
        for entry in entries
        if entry.said and not entry.doubtful
        for fault in entry.faults()
    )
    problems.raise_if_any()
    return translation
