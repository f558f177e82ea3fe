"""The chapters of a rule system as they are read: text, sections, directives and their places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
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
from muster.yamlfile import read_text
from muster.yamlfile.textfile import split_lines

PROSE_FOLDER = "prose"
MOST_DIRECTIVES = 2000
"""Directives of the longest chapter."""

_BRACES = re.compile(r"\{([^{}]*)\}")
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*")
_ITEM = re.compile(r"\s*\d{1,3}\.\s")
_DIGIT = re.compile(r"\d")
_TYPED_UNIT = re.compile(r"\}\s*(cm\b|mm\b|inch(?:es)?\b|″)")
_FORBIDDEN = (
    ("raw-html", re.compile(r"</?[A-Za-z!][^>]*>?"), "raw HTML is not obeyed: it cannot stand"),
    ("markdown-table", re.compile(r"^\s*\|.*\||^\s*:?-{3,}:?\s*\|"), "a table is placed by its id"),
    ("markdown-link", re.compile(r"!?\[[^\]]*\]\s?[(\[]"), "a link is made by `{chapter: …}`"),
    ("bad-heading", re.compile(r"^(#|#{4,})\s"), "a section's heading has two or three #"),
)
_EXAMPLES = {
    "raw-html": "**bold**",
    "markdown-table": "{table: kinds-of-ground}",
    "markdown-link": "{chapter: panic}",
    "bad-heading": "## Standing firm",
}


class ProseSource(Protocol):
    """A rule system, as far as its prose wants to know it."""

    folder: Path

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

    def display_path(self, path: Path) -> str:
        """Name a file as problems do."""
        ...


@dataclass(frozen=True, slots=True)
class PlacedDirective:
    """A directive and where it stands: from `start` to `end` in the chapter's text, braces in."""

    directive: Directive
    start: int
    end: int
    location: Location
    line_text: str

    def problem(self, code: str, text: str, example: str = "") -> Problem:
        """Make a problem of this place."""
        return Problem(code, text, self.location, self.line_text, example)


@dataclass(frozen=True, slots=True)
class SectionHeading:
    """A heading of a chapter: level 2 or 3, and the slug by which it is referred to."""

    level: int
    title: str
    slug: str


@dataclass(frozen=True, slots=True)
class ChapterText:
    """A chapter as written: Markdown with directives; its title and source from `system.yaml`."""

    id: str
    number: int
    title: str
    source: str
    file: str
    text: str
    directives: tuple[PlacedDirective, ...]
    sections: tuple[SectionHeading, ...]


@dataclass(frozen=True)
class Prose:
    """All chapters that could be read, in the order of the book, and what is wrong with them."""

    chapters: tuple[ChapterText, ...]
    problems: tuple[Problem, ...]

    @cached_property
    def numbers(self) -> dict[str, str]:
        """The number of every table that is placed: its chapter's, and its place in it: `13.1`."""
        numbers: dict[str, str] = {}
        for chapter in self.chapters:
            placed = [
                each.directive.table
                for each in chapter.directives
                if isinstance(each.directive, PlaceTable)
            ]
            for place, table in enumerate(dict.fromkeys(placed), 1):
                numbers.setdefault(table, f"{chapter.number}.{place}")
        return numbers

    def chapter(self, chapter_id: str) -> ChapterText | None:
        """Find a chapter that could be read."""
        return next((each for each in self.chapters if each.id == chapter_id), None)


def read_prose(system: ProseSource) -> Prose:
    """Read every chapter of a system; faults of all files are kept, none is raised.

    A system without a file of prose has none, and that is no fault.
    """
    found = system.chapter_files()
    if not found:
        return Prose((), ())
    folder = system.folder / PROSE_FOLDER
    problems: list[Problem] = []
    chapters: list[ChapterText] = []
    wanted = {f"{n:02}-{each.id}.md": (n, each) for n, each in enumerate(system.chapters, 1)}
    problems.extend(_unexpected_files(system, list(found), list(wanted)))
    for name, (number, written) in wanted.items():
        if name not in found:
            if not any(other.partition("-")[2] == f"{written.id}.md" for other in found):
                text = f"there is no file for the chapter {written.title!r}"
                where = Location(system.display_path(folder / name))
                problems.append(Problem("missing-chapter", text, where))
            continue
        shown = system.display_path(found[name])
        try:
            text = read_text(found[name], shown_as=shown).replace("\r\n", "\n")
        except MusterError as fault:
            problems.extend(fault.problems)
            continue
        reader = _ChapterReader(shown, text)
        reader.read()
        problems.extend(reader.problems)
        source = written.source or ""
        chapters.append(
            ChapterText(
                written.id,
                number,
                written.title,
                source,
                shown,
                text,
                tuple(reader.directives),
                tuple(reader.sections),
            )
        )
    problems.extend(_table_placement_problems(system, chapters))
    return Prose(tuple(chapters), tuple(problems))


def _unexpected_files(
    system: ProseSource, found: list[str], wanted: list[str]
) -> Iterator[Problem]:
    """Find files that are no chapter, and those whose number is not the chapter's."""
    by_id = {name.partition("-")[2]: name for name in wanted}
    for name in found:
        if name in wanted:
            continue
        where = Location(system.display_path(system.folder / PROSE_FOLDER / name))
        right = by_id.get(name.partition("-")[2])
        if right:
            text = f"read {name!r}, expected {right!r}: files are numbered as `chapters:` are"
            yield Problem("misnumbered-chapter", text, where)
        else:
            text = f"read {name!r}, but system.yaml has no such chapter{did_you_mean(name, wanted)}"
            yield Problem("unknown-chapter-file", text, where)


def _table_placement_problems(
    system: ProseSource, chapters: list[ChapterText]
) -> Iterator[Problem]:
    """Find tables that are placed twice, and those that are placed nowhere."""
    seen: dict[str, PlacedDirective] = {}
    for chapter in chapters:
        for each in chapter.directives:
            if not isinstance(each.directive, PlaceTable):
                continue
            table = each.directive.table
            if table in seen:
                text = f"the table {table!r} is placed already: {seen[table].location}"
                yield each.problem("table-twice", text, f"{{ref: {table}}}")
            seen.setdefault(table, each)
    if len(chapters) < len(system.chapters):
        return  # A table may belong into a chapter that is not there yet.
    for table in system.table_ids():
        if table not in seen:
            where = Location(system.display_path(system.folder / "tables" / f"{table}.yaml"))
            text = f"no chapter places the table {table!r}"
            yield Problem("table-not-placed", text, where, example=f"{{table: {table}}}")


class _ChapterReader:
    """Reads one chapter line by line and keeps its faults."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self.problems: list[Problem] = []
        self.directives: list[PlacedDirective] = []
        self.sections: list[SectionHeading] = []

    def read(self) -> None:
        start = 0
        lines = split_lines(self.text)
        for number, line in enumerate(lines, 1):
            self._read_line(number, line, start)
            start += len(line) + 1
        for each in self.directives:
            if isinstance(each.directive, STANDALONE):
                self._check_standalone(each, lines)
        for found in _TYPED_UNIT.finditer(self.text):
            above = self.text.count("\n", 0, found.start(1))
            column = found.start(1) - self.text.rfind("\n", 0, found.start(1))
            text = "a unit is typed here; in the braces it is converted with its number"
            example = "{given: 20 cm as gap}"
            self._add_problem("typed-unit", text, above + 1, column, lines[above], example)
        slugs = [each.slug for each in self.sections]
        for slug in dict.fromkeys(each for each in slugs if slugs.count(each) > 1):
            self._add_problem("duplicate-section", f"two sections are called {slug!r}", 1, 1, "")
        if len(self.directives) > MOST_DIRECTIVES:
            text = f"{len(self.directives)} directives, expected at most {MOST_DIRECTIVES}"
            self._add_problem("long-chapter", text, 1, 1, "")
            del self.directives[MOST_DIRECTIVES:]

    def _add_problem(
        self, code: str, text: str, line: int, column: int, shown: str, example: str = ""
    ) -> None:
        where = Location(self.file, line, column)
        self.problems.append(Problem(code, text, where, shown, example))

    def _read_line(self, number: int, line: str, start: int) -> None:
        # Blanked out, so that what is left keeps its columns.
        rest = _BRACES.sub(lambda found: " " * len(found[0]), line)
        for found in _BRACES.finditer(line):
            self._read_directive(number, line, start, found)
        for sign in re.finditer(r"[{}]", rest):
            text = "a stray brace: a directive opens and closes in one line"
            self._add_problem("stray-brace", text, number, sign.start() + 1, line)
        body = _ITEM.sub(lambda found: " " * len(found[0]), rest, count=1)
        if digit := _DIGIT.search(body):
            text = "a figure is typed here; it must come from a table, or be a `{fact: …}`"
            example = "{value: rates row=foot column=open}"
            self._add_problem("typed-figure", text, number, digit.start() + 1, line, example)
        for code, pattern, told in _FORBIDDEN:
            if wrong := pattern.search(rest):
                column = wrong.start() + 1
                self._add_problem(code, told, number, column, line, _EXAMPLES[code])
        if heading := _HEADING.fullmatch(rest):
            title = " ".join(heading[2].split())
            self.sections.append(SectionHeading(len(heading[1]), title, slug_of(title)))

    def _read_directive(self, number: int, line: str, start: int, found: re.Match[str]) -> None:
        column = found.start() + 1
        try:
            directive = parse_directive(found[1])
        except BadDirective as bad:
            self._add_problem(bad.code, str(bad), number, column, line, bad.example)
            return
        place = Location(self.file, number, column)
        self.directives.append(
            PlacedDirective(directive, start + found.start(), start + found.end(), place, line)
        )

    def _check_standalone(self, placed: PlacedDirective, lines: list[str]) -> None:
        """Check that nothing stands beside a directive, nor in the lines above and below it."""
        at = (placed.location.line or 1) - 1
        around = [*lines[max(at - 1, 0) : at], *lines[at + 1 : at + 2]]
        wide = placed.end - placed.start
        if len(placed.line_text.strip()) != wide or any(line.strip() for line in around):
            text = "this must stand alone in its line, with blank lines around it"
            self.problems.append(placed.problem("not-alone", text))


def slug_of(title: str) -> str:
    """Make the slug of a heading: `Who may fire` becomes `who-may-fire`."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
