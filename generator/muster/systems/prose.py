"""The chapters of a rule system as they are read: text, sections, directives and their places.

A chapter is Markdown with directives in braces. Figures, units, tables, links and raw HTML may not
be typed into it: a directive prints them, so that they agree with the tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import dropwhile, takewhile
from pathlib import Path
from typing import Protocol

from muster.problems import Location, MusterError, Problem, did_you_mean
from muster.systems.directives import (
    STANDALONE,
    BadDirective,
    Directive,
    PlaceTable,
    parse_directive,
)
from muster.systems.identity import Chapter
from muster.systems.prose_blocks import split_blocks
from muster.systems.translations import Speaker, has_words
from muster.yamlfile import read_text
from muster.yamlfile.models import Translated
from muster.yamlfile.textfile import split_lines

PROSE_FOLDER = "prose"

MAX_INDENT = 40
"""The most characters of space, bullets and > before the text of a line."""

MAX_WORD = 40
"""The most characters without a space: a longer word does not fit into a column."""

MAX_CHAPTER_LINE = 4_000
"""The most characters of a line, which may be a whole paragraph."""

MAX_CHAPTER = 100_000
"""The most characters of a chapter."""

MOST_DIRECTIVES = 2000
"""The most directives of a chapter; further ones are dropped."""

_LONG_WORD = re.compile(rf"[^\s{{}}]{{{MAX_WORD + 1},}}")
_PREFIX = re.compile(r"(?:[ \t>]|[*+-](?=[ \t])|\d+\.(?=[ \t]))*")
"""What may stand before the text of a line; each level of it is nested in the one before."""
_UNDERLINE = re.compile(r"[\s>]*(?:-+|=+)\s*")
PANELS = ("example", "note", "warning")
"""The kinds of panels, as in `!!! example "Title"`."""

_PANEL = re.compile(r'\s*!!! ?([\w-]+)(?: +"[^"]*")?\s*')
_PANEL_EXAMPLE = '!!! example "A small army"'
_PANEL_INDENT = 4
_BRACES = re.compile(r"\{([^{}]*)\}")
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*")
_ITEM = re.compile(r"\s*\d{1,3}\.\s")
_DIGIT = re.compile(r"\d")
_TYPED_UNIT = re.compile(r"\}\s*(cm\b|mm\b|inch(?:es)?\b|″)")
_FORBIDDEN = (
    ("raw-html", re.compile(r"</?[A-Za-z!][^>]*>?"), "raw HTML is not allowed; use Markdown"),
    (
        "markdown-table",
        re.compile(r"^\s*\|.*\||^\s*:?-{3,}:?\s*\|"),
        "Markdown tables are not allowed; place a table by its id",
    ),
    ("picture", re.compile(r"!\[[^\]]*\]\s?[(\[]"), "pictures are not supported in prose"),
    (
        "markdown-link",
        re.compile(r"(?<!!)\[[^\]]*\]\s?[(\[]"),
        "Markdown links are not allowed; use `{chapter: …}`",
    ),
    ("bad-heading", re.compile(r"^(#|#{4,})\s"), "the heading of a section has two or three #"),
    ("bad-heading", re.compile(r"^#+$"), "a heading needs a word, which references name it by"),
    (
        "bad-heading",
        # Within a list, a quotation or an indented block Markdown makes headings too.
        re.compile(r"^(?=[^#])(?:[ \t>]|[*+-][ \t]|\d+\.[ \t])*#|^##?#?[^#\s]|^##.*\\"),
        "a heading stands at the start of a line, with a space after ## or ### and no backslash",
    ),
)
"""The patterns that are not allowed in prose: code of the problem, pattern, message."""

_EXAMPLES = {
    "raw-html": "**bold**",
    "markdown-table": "{table: kinds-of-ground}",
    "markdown-link": "{chapter: panic}",
    "bad-heading": "## Standing firm",
}


class ProseSource(Protocol):
    """The part of a rule system that reading its prose needs."""

    folder: Path
    speaker: Speaker | None

    @property
    def chapters(self) -> list[Chapter]:
        """The chapters, in the order of the book."""
        ...

    def chapter_files(self) -> dict[str, Path]:
        """List the files of the chapters by name."""
        ...

    def table_ids(self) -> list[str]:
        """List the ids of all tables."""
        ...

    def has_glossary_terms(self, table_id: str) -> bool:
        """Return whether the glossary of a book has the terms of a table."""
        ...

    def display_path(self, path: Path) -> str:
        """Return the path of a file as problems show it."""
        ...


@dataclass(frozen=True, slots=True)
class PlacedDirective:
    """A directive and where it stands: `start` and `end` of its braces in the chapter's text.

    The end is exclusive. `line_text` is the whole line, for messages.
    """

    directive: Directive
    start: int
    end: int
    location: Location
    line_text: str

    def problem(self, code: str, text: str, example: str = "") -> Problem:
        """Return a problem at this place."""
        return Problem(code, text, self.location, self.line_text, example)


@dataclass(frozen=True, slots=True)
class SectionHeading:
    """A heading within a chapter: level 2 or 3, and the slug that references name it by."""

    level: int
    title: str
    slug: str


@dataclass(frozen=True, slots=True)
class ChapterText:
    """A chapter as written; its title and source come from `system.yaml`.

    Chapters are numbered from 1. `file` is the path as problems show it.
    """

    id: str
    number: int
    title: str
    source: str
    file: str
    text: str
    directives: tuple[PlacedDirective, ...]
    sections: tuple[SectionHeading, ...]
    spread: bool = False


@dataclass(frozen=True)
class Prose:
    """All chapters that could be read, in the order of the book, and the problems of all files."""

    chapters: tuple[ChapterText, ...]
    problems: tuple[Problem, ...]

    @cached_property
    def numbers(self) -> dict[str, str]:
        """The number of each table that a chapter places: `13.1` is the first of chapter 13."""
        numbers: dict[str, str] = {}
        for chapter in self.chapters:
            tables = [
                placed.directive.table
                for placed in chapter.directives
                if isinstance(placed.directive, PlaceTable)
            ]
            for place, table in enumerate(dict.fromkeys(tables), 1):
                numbers.setdefault(table, f"{chapter.number}.{place}")
        return numbers

    def chapter(self, chapter_id: str) -> ChapterText | None:
        """Return a chapter; None if it could not be read."""
        return next((chapter for chapter in self.chapters if chapter.id == chapter_id), None)


def read_prose(system: ProseSource) -> Prose:
    """Read every chapter of a system. Problems of all files are kept, and none is raised.

    A system without any file of prose has no chapters; that is not reported.
    """
    files = system.chapter_files()
    if not files:
        return Prose((), ())
    folder = system.folder / PROSE_FOLDER
    problems: list[Problem] = []
    chapters: list[ChapterText] = []
    expected_files = {
        f"{number:02}-{chapter.id}.md": (number, chapter)
        for number, chapter in enumerate(system.chapters, 1)
    }
    problems.extend(_unexpected_files(system, list(files), list(expected_files)))
    for name, (number, chapter) in expected_files.items():
        if name not in files:
            # A file with a wrong number is reported as misnumbered, not as missing.
            if not any(other.partition("-")[2] == f"{chapter.id}.md" for other in files):
                message = f"there is no file for the chapter {chapter.title!r}"
                location = Location(system.display_path(folder / name))
                problems.append(Problem("missing-chapter", message, location))
            continue
        file_name = system.display_path(files[name])
        try:
            text = read_text(files[name], shown_as=file_name, within=system.folder)
            text = text.replace("\r\n", "\n")
        except MusterError as error:
            problems.extend(error.problems)
            continue
        reader = _ChapterReader(file_name, text)
        reader.read()
        if system.speaker is not None:
            part = f"{PROSE_FOLDER}/{name.removesuffix('.md')}"
            reader = _read_translated(reader, part, system.speaker)
            text = reader.text
        problems.extend(reader.problems)
        chapters.append(
            ChapterText(
                id=chapter.id,
                number=number,
                title=chapter.title,
                source=chapter.source or "",
                file=file_name,
                text=text,
                directives=tuple(reader.directives),
                sections=tuple(reader.sections),
                spread=chapter.spread,
            )
        )
    problems.extend(_table_placement_problems(system, chapters))
    return Prose(tuple(chapters), tuple(problems))


_ROOM_OF_BLOCK = Translated(most=MAX_CHAPTER_LINE - MAX_INDENT, one_line=True)


def _read_translated(written: _ChapterReader, part: str, speaker: Speaker) -> _ChapterReader:
    """Read a chapter in other words, block by block.

    Sections keep the names that references give them. A problem or a directive in words of a
    translation has its place there.
    """
    lines: list[str] = []
    places: list[Location] = []
    number = 0
    for block in split_blocks(written.text):
        words, location = block.words, Location(written.file, block.line, block.column)
        if has_words(words):
            number += 1
            place = f"{part}/{number}"

            def problem(code: str, text: str, at: Location = location) -> Problem:
                return Problem(code, text, at, split_lines(written.text)[(at.line or 1) - 1])

            location = speaker.location(words, place) or location
            words = speaker.say(words, place, _ROOM_OF_BLOCK, problem)
        lines.append(block.with_words(words))
        places.append(location)
    reader = _ChapterReader(written.file, "\n".join(lines))
    reader.read([section.slug for section in written.sections])
    reader.move(places)
    return reader


def _unexpected_files(
    system: ProseSource, names: list[str], expected: list[str]
) -> Iterator[Problem]:
    """Find files that are not chapters, and those whose number is not that of their chapter."""
    by_id = {name.partition("-")[2]: name for name in expected}
    for name in names:
        if name in expected:
            continue
        location = Location(system.display_path(system.folder / PROSE_FOLDER / name))
        right = by_id.get(name.partition("-")[2])
        if right:
            text = (
                f"read {name!r}, expected {right!r}: files are numbered in the order of `chapters:`"
            )
            yield Problem("misnumbered-chapter", text, location)
        else:
            hint = did_you_mean(name, expected)
            text = f"read {name!r}, but system.yaml has no such chapter{hint}"
            yield Problem("unknown-chapter-file", text, location)


def _table_placement_problems(
    system: ProseSource, chapters: list[ChapterText]
) -> Iterator[Problem]:
    """Find tables that are placed twice, and those that are placed nowhere."""
    seen: dict[str, PlacedDirective] = {}
    for chapter in chapters:
        for placed in chapter.directives:
            if not isinstance(placed.directive, PlaceTable):
                continue
            table = placed.directive.table
            if table in seen:
                text = f"the table {table!r} is already placed at {seen[table].location}"
                yield placed.problem("table-twice", text, f"{{ref: {table}}}")
            seen.setdefault(table, placed)
    if len(chapters) < len(system.chapters):
        return  # A missing chapter may be the one that places a table.
    for table in system.table_ids():
        if table not in seen and not system.has_glossary_terms(table):
            location = Location(system.display_path(system.folder / "tables" / f"{table}.yaml"))
            text = f"no chapter places the table {table!r}; give it a line in a file of prose/"
            yield Problem("table-not-placed", text, location, example=f"{{table: {table}}}")


class _ChapterReader:
    """Reads one chapter line by line, and collects its directives, sections and problems."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self.problems: list[Problem] = []
        self.directives: list[PlacedDirective] = []
        self.sections: list[SectionHeading] = []
        self._slugs: list[str] = []
        self._above = ""

    def move(self, places: list[Location]) -> None:
        """Set the place of every problem and directive to the line that its own was made from."""
        self.problems = [
            replace(each, location=places[min(each.location.line or 1, len(places)) - 1])
            for each in self.problems
        ]
        self.directives = [
            replace(each, location=places[(each.location.line or 1) - 1])
            for each in self.directives
        ]

    def read(self, slugs: Sequence[str] = ()) -> None:
        """Read the whole chapter; to be called once.

        Args:
            slugs: The slugs of its sections, if they are not made of its headings.
        """
        self._slugs = list(slugs)
        if len(self.text) > MAX_CHAPTER:
            text = f"read {len(self.text)} characters, expected at most {MAX_CHAPTER} in a chapter"
            self._add_problem("long-chapter", text, 1, 1, "")
            return
        start = 0
        lines = split_lines(self.text)
        for number, line in enumerate(lines, 1):
            self._read_line(number, line, start)
            start += len(line) + 1
        for placed in self.directives:
            if isinstance(placed.directive, STANDALONE):
                self._check_standalone(placed, lines)
        self._check_panels(lines)
        for match in _TYPED_UNIT.finditer(self.text):
            above = self.text.count("\n", 0, match.start(1))
            column = match.start(1) - self.text.rfind("\n", 0, match.start(1))
            text = "a unit is typed after the braces; inside them it is converted with its number"
            example = "{given: 20 cm as gap}"
            self._add_problem("typed-unit", text, above + 1, column, lines[above], example)
        slugs = [section.slug for section in self.sections]
        for slug in dict.fromkeys(slug for slug in slugs if slugs.count(slug) > 1):
            self._add_problem(
                "duplicate-section", f"the section id {slug!r} is used twice", 1, 1, ""
            )
        if len(self.directives) > MOST_DIRECTIVES:
            text = f"read {len(self.directives)} directives, expected at most {MOST_DIRECTIVES}"
            self._add_problem("long-chapter", text, 1, 1, "")
            del self.directives[MOST_DIRECTIVES:]

    def _add_problem(
        self, code: str, text: str, line: int, column: int, line_text: str, example: str = ""
    ) -> None:
        location = Location(self.file, line, column)
        self.problems.append(Problem(code, text, location, line_text, example))

    def _read_line(self, number: int, line: str, start: int) -> None:
        if len(line) > MAX_CHAPTER_LINE:
            text = f"read a line of {len(line)} characters, expected at most {MAX_CHAPTER_LINE}"
            self._add_problem("long-line", text, number, MAX_CHAPTER_LINE + 1, line)
            return
        # Directives become spaces, so that the rest keeps its columns.
        rest = _BRACES.sub(_spaces, line)
        for match in _BRACES.finditer(line):
            self._read_directive(number, line, start, match)
        for brace in re.finditer(r"[{}]", rest):
            text = "a brace without its partner: a directive opens and closes on one line"
            self._add_problem("stray-brace", text, number, brace.start() + 1, line)
        # The number of an item in a list is not a figure of the rules.
        body = _ITEM.sub(_spaces, rest, count=1)
        if digit := _DIGIT.search(body):
            text = "a figure is typed here; take it from a table, or write it as `{fact: …}`"
            example = "{value: rates row=foot column=open}"
            self._add_problem("typed-figure", text, number, digit.start() + 1, line, example)
        for code, pattern, message in _FORBIDDEN:
            if forbidden := pattern.search(rest):
                column = forbidden.start() + 1
                self._add_problem(code, message, number, column, line, _EXAMPLES.get(code, ""))
        if word := _LONG_WORD.search(rest):
            text = f"read a word of {len(word[0])} characters, expected at most {MAX_WORD}"
            self._add_problem("long-word", text, number, word.start() + 1, line)
        self._check_structure(number, line)
        self._above = line
        if heading := _HEADING.fullmatch(rest):
            title = " ".join(heading[2].split())
            slug = self._slugs.pop(0) if self._slugs else slug_of(title)
            if not slug:
                text = "a heading needs a word, which references name it by"
                self._add_problem("bad-heading", text, number, 1, line, _EXAMPLES["bad-heading"])
            self.sections.append(SectionHeading(len(heading[1]), title, slug))

    def _check_structure(self, number: int, line: str) -> None:
        """Check that Markdown takes a line for what it looks like, and can nest it."""
        if _UNDERLINE.fullmatch(line) and self._above.strip():
            text = "this makes a heading of the line above; leave a blank line between them"
            self._add_problem("bad-heading", text, number, 1, line, _EXAMPLES["bad-heading"])
        prefix = _PREFIX.match(line)
        if prefix is not None and prefix.end() > MAX_INDENT:
            text = f"read {prefix.end()} characters of indentation, expected at most {MAX_INDENT}"
            self._add_problem("too-deep", text, number, MAX_INDENT + 1, line, "- an item of a list")

    def _check_panels(self, lines: list[str]) -> None:
        """Check the kind of each panel, and that its first paragraph is indented."""
        for number, line in enumerate(lines, 1):
            if not line.lstrip().startswith("!!!"):
                continue
            column = len(line) - len(line.lstrip()) + 1
            head = _PANEL.fullmatch(line)
            if head is None or head[1] not in PANELS:
                hint = did_you_mean(head[1], PANELS) if head else ""
                kinds = ", ".join(PANELS)
                text = f"read {line.strip()!r}, expected a panel, one of {kinds}{hint}"
                self._add_problem("bad-panel", text, number, column, line, _PANEL_EXAMPLE)
            below = enumerate(lines[number:], number + 1)
            text_lines = dropwhile(lambda each: not each[1].strip(), below)
            for at, text_line in takewhile(lambda each: each[1].strip(), text_lines):
                indent = len(text_line) - len(text_line.lstrip())
                if "\t" not in text_line and indent < column - 1 + _PANEL_INDENT:
                    text = f"the text of a panel is indented by {_PANEL_INDENT} blanks"
                    self._add_problem("bad-panel", text, at, 1, text_line, "    Its text.")
                    break

    def _read_directive(self, number: int, line: str, start: int, match: re.Match[str]) -> None:
        column = match.start() + 1
        try:
            directive = parse_directive(match[1])
        except BadDirective as error:
            self._add_problem(error.code, str(error), number, column, line, error.example)
            return
        location = Location(self.file, number, column)
        self.directives.append(
            PlacedDirective(directive, start + match.start(), start + match.end(), location, line)
        )

    def _check_standalone(self, placed: PlacedDirective, lines: list[str]) -> None:
        """Check that nothing stands beside a directive, nor in the lines above and below it."""
        index = (placed.location.line or 1) - 1
        around = [*lines[max(index - 1, 0) : index], *lines[index + 1 : index + 2]]
        width = placed.end - placed.start
        if len(placed.line_text.strip()) != width or any(line.strip() for line in around):
            text = "this directive must be alone on its line, with blank lines around it"
            self.problems.append(placed.problem("not-alone", text))


def _spaces(match: re.Match[str]) -> str:
    return " " * len(match[0])


def slug_of(title: str) -> str:
    """Return the slug of a heading: `who-may-fire` for `Who may fire`."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
