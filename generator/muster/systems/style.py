"""A publisher's own style: words that no text has, and words that call for a question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from muster.problems import Location, MusterError, Problem, display_path
from muster.systems.file_names import VISIBLE_PROSE, VISIBLE_YAML
from muster.systems.lint import LintIssue, as_errors, as_warning
from muster.systems.system import System
from muster.yamlfile import KeyPath, Line, StrictModel, read_document, read_model
from muster.yamlfile.textfile import read_text

STYLE_FILE = "style.yaml"
"""The file beside the folders of the systems that it is for."""

_QUOTING_KEYS = frozenset({"printed", "credit", "source", "synonyms"})
"""Keys whose texts are the words of somebody else; synonyms are what players type."""


class AvoidedWords(StrictModel):
    """Words that no text of a system may have."""

    words: Line
    """A word or phrase to avoid, such as `ever after`; case is ignored. Slashes separate the forms
    of a word: `speak/speaks/spoke against` covers all three.
    """
    write: Line
    """What to write instead, such as `from then on`."""


class StyleSheet(StrictModel):
    """The contents of `style.yaml`, which stands in `content/` beside the systems."""

    avoid: list[AvoidedWords] = Field(max_length=500)
    """What `muster lint` warns of, in prose, tables and all other files of the systems."""
    ask: list[Line] = Field(default=[], max_length=100)
    """Words that send players to their opponent, such as `agree/agreed` (a slash separates the
    forms of a word). An erratum whose `read:` has one needs a `question:`, or `muster lint` finds
    an error: the page before the first chapter must ask whatever players have to agree on.
    """


def find_style_issues(system: System, book_folders: Sequence[Path] = ()) -> list[LintIssue]:
    """Return where a system's texts are not as the publisher's style sheet has it.

    Words to avoid are warnings; a quotation of the source (`printed:` of an erratum) may have
    them. An erratum that tells players to agree on something, but does not ask it, is an error.

    Args:
        system: The rule system. Without a `style.yaml` beside its folder nothing is checked.
        book_folders: Further folders with army books of the system.
    """
    path = system.folder.parent / STYLE_FILE
    if not path.exists():
        return []
    try:
        name = display_path(path)
        style = read_model(StyleSheet, read_document(path, shown_as=name, within=path.parent))
    except MusterError as error:
        return as_errors(error.problems)
    return [
        *(as_warning(problem) for problem in _avoided(style, system, book_folders)),
        *as_errors(_unasked(style, system)),
    ]


def _unasked(style: StyleSheet, system: System) -> Iterator[Problem]:
    """Yield the errata that players must agree on, but are not asked about."""
    try:
        entries = system.errata.entries
    except MusterError:
        return  # Another check reports a file that cannot be read.
    if not style.ask or not entries:
        return
    pattern = _pattern(style.ask)
    document = system.document("errata.yaml")
    for number, entry in enumerate(entries):
        match = pattern.search(entry.read)
        if match is not None and not entry.question:
            found = " ".join(match[0].split()).lower()
            text = f"read “{found}” in the entry {entry.id!r}, which has no `question:`"
            example = "question: Does a flank attack count as an attack from behind?"
            key: KeyPath = ("entries", number, "read")
            yield document.problem("no-question", text, key, example=example)


def _avoided(style: StyleSheet, system: System, folders: Sequence[Path]) -> Iterator[Problem]:
    entries = sorted(style.avoid, key=lambda each: len(each.words), reverse=True)
    if not entries:
        return
    pattern = _pattern([each.words for each in entries])

    def message(match: re.Match[str]) -> str:
        instead = entries[(match.lastindex or 0) - 1].write
        found = " ".join(match[0].split()).lower()
        return f"read “{found}”, which is avoided here; write {instead}"

    files = dict.fromkeys(system.folder.rglob(VISIBLE_YAML), system.folder)
    files |= dict.fromkeys(system.folder.rglob(VISIBLE_PROSE), system.folder)
    for folder in folders:
        files |= dict.fromkeys(folder.glob(VISIBLE_YAML), folder)
    for path, folder in sorted(files.items()):
        name = display_path(path)
        try:
            if path.suffix == ".md":
                text = read_text(path, shown_as=name, within=folder)
                for match in pattern.finditer(text):
                    before = text[: match.start()]
                    line = before.count("\n") + 1
                    at = Location(name, line, match.start() - before.rfind("\n"))
                    shown = text.splitlines()[line - 1]
                    yield Problem("avoided-words", message(match), at, shown)
                continue
            document = read_document(path, shown_as=name, within=folder)
        except MusterError:
            continue  # Other checks report a file that cannot be read.
        for key, text in _texts(document.data, ()):
            for match in pattern.finditer(text):
                yield document.problem("avoided-words", message(match), key)


def _texts(data: Any, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    """Yield the texts of a file that are our own words, each with its place."""
    match data:
        case str():
            yield path, data
        case Mapping():
            for key, value in data.items():
                if key not in _QUOTING_KEYS:
                    yield from _texts(value, (*path, key))
        case list():
            for index, item in enumerate(data):
                yield from _texts(item, (*path, index))


def _pattern(entries: Sequence[str]) -> re.Pattern[str]:
    """Return a regular expression that finds any of the words, each in a group of its own."""
    choices = "|".join(f"({_forms(words)})" for words in entries)
    return re.compile(rf"(?<![\w-])(?:{choices})(?![\w-])", re.IGNORECASE)


def _forms(words: str) -> str:
    """Return a regular expression for words, each of which may have several forms."""
    choices = [[re.escape(form) for form in word.split("/") if form] for word in words.split()]
    return r"\s+".join(f"(?:{'|'.join(forms)})" for forms in choices if forms)
