"""Check a system's content: tables, sheets, errata, prose and editions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from muster.languages import differing_language
from muster.names import repeated
from muster.problems import MusterError, Problem, did_you_mean, known_words
from muster.systems.directives import NameTable
from muster.systems.errata import Errata, Place
from muster.systems.evaluation import evaluate_prose
from muster.systems.layouts import Block, WrittenSheet
from muster.systems.pictures import picture_problems
from muster.systems.press_profile import read_press_profile
from muster.systems.prose import MAX_WORD
from muster.systems.search_words import (
    SEARCH_FILE,
    synonym_problems,
    unknown_examples,
    unused_phrases,
)
from muster.systems.system import System, file_name_problem
from muster.systems.tokens import token_problems, unused_drawings
from muster.tables import Definitions, Diagram, Modifiers, Row, Table
from muster.values import BLANK, Band, Scaled, Span, Value
from muster.values.quantity import number_in
from muster.yamlfile import Document

KeyPath = tuple[str | int, ...]
"""The keys and positions that lead to a place in a YAML file."""

TablesById = Mapping[str, Table | None]
"""All tables of a system; None for one that cannot be read."""

Severity = Literal["error", "warning"]
# Issues


@dataclass(frozen=True, slots=True)
class LintIssue:
    """Something wrong with content; a warning may be intended, an error may not."""

    severity: Severity
    problem: Problem


def as_errors(problems: Iterable[Problem]) -> list[LintIssue]:
    """Return every problem as an error."""
    return [LintIssue("error", problem) for problem in problems]


def as_warning(problem: Problem) -> LintIssue:
    """Return a problem as a warning."""
    return LintIssue("warning", problem)


def sorted_issues(issues: Iterable[LintIssue]) -> list[LintIssue]:
    """Return issues sorted by file and place, without repetitions."""

    def sort_key(issue: LintIssue) -> tuple[str, int, int, str, str]:
        problem = issue.problem
        location = problem.location
        return location.file, location.line or 0, location.column or 0, problem.code, problem.text

    return sorted(dict.fromkeys(issues), key=sort_key)


def _unknown_id(
    document: Document, kind: str, name: str, known: Iterable[str], path: KeyPath
) -> Iterator[Problem]:
    """Report a name that is not known: of a table, chapter, row or the like."""
    known = list(known)
    if name not in known:
        text = f"there is no {kind} {name!r}{known_words(name, known)}"
        yield document.problem(f"unknown-{kind.replace(' ', '-')}", text, path)


# The whole system


def lint_system(system: System) -> list[LintIssue]:
    """Check everything but composition and cards; files that cannot be read are errors, too."""
    tables, issues = readable_tables(system)
    for table in tables.values():
        if table is not None:
            issues.extend(_table_issues(system, table))
    issues.extend(_unused_issues(system, tables))
    issues.extend(_convention_issues(system, tables))
    for sheet_id in system.sheet_ids():
        issues.extend(_sheet_issues(system, sheet_id))
    issues.extend(_token_issues(system))
    issues.extend(_search_issues(system))
    issues.extend(errata_issues(system, tables))
    issues.extend(prose_issues(system))
    issues.extend(as_errors(_language_problems(system)))
    issues.extend(as_errors(picture_problems([system.picture_file])))
    return sorted_issues(issues)


def readable_tables(system: System) -> tuple[dict[str, Table | None], list[LintIssue]]:
    """Return all tables by id, None for one that cannot be read, and the errors of the latter."""
    tables: dict[str, Table | None] = {}
    issues: list[LintIssue] = []
    for table_id in system.table_ids():
        tables[table_id] = None
        try:
            tables[table_id] = system.table(table_id)
        except MusterError as error:
            issues.extend(as_errors(error.problems))
    return tables, issues


# Tables


def _table_issues(system: System, table: Table) -> Iterator[LintIssue]:
    """Check one table by itself and against `system.yaml`."""
    document = system.document("tables", f"{table.id}.yaml")
    chapters = [chapter.id for chapter in system.chapters]
    yield from as_errors(_unknown_id(document, "chapter", table.chapter, chapters, ("chapter",)))
    phases = [phase.id for phase in system.phases]
    for path, phase in _named_phases(document, table):
        yield from as_errors(_unknown_id(document, "phase", phase, phases, path))
    yield from as_errors(_monotone_problems(system, document, table))
    yield from as_errors(_long_words(document, table))
    if isinstance(table, Diagram):
        for figure in table.key or {}:
            if figure not in table.signs:
                text = f"the figure {figure!r} is explained in `key:` but is in no rank"
                yield as_warning(document.problem("unused-figure", text, ("key", figure)))


def _long_words(document: Document, table: Table) -> Iterator[Problem]:
    """Find words in the title and the labels of a table that no page has room for."""
    labels: list[tuple[KeyPath, str]] = [(("title",), table.title)]
    labels += [(("columns", n, "label"), each.label) for n, each in enumerate(table.columns)]
    labels += [(("rows", n, "label"), each.label) for n, each in enumerate(table.rows)]
    for path, label in labels:
        longest = max((len(word) for word in label.split()), default=0)
        if longest > MAX_WORD:
            text = f"read a word of {longest} characters, expected at most {MAX_WORD}"
            yield document.problem("long-word", text, path)


def _named_phases(document: Document, table: Table) -> Iterator[tuple[KeyPath, str]]:
    """Yield the phases that a table and its steps name, with their paths in the file."""
    if table.phase:
        yield ("phase",), table.phase
    if any(row.phase for row in table.rows):
        yield from _phases_of_steps(document.data["steps"], ("steps",))


def _phases_of_steps(
    steps: Sequence[Mapping[str, Any]], path: KeyPath
) -> Iterator[tuple[KeyPath, str]]:
    for place, step in enumerate(steps):
        if "phase" in step:
            yield (*path, place, "phase"), step["phase"]
        yield from _phases_of_steps(step.get("steps", ()), (*path, place, "steps"))


def _monotone_problems(system: System, document: Document, table: Table) -> Iterator[Problem]:
    """Check, at each scale, that numbers never fall or rise where the table says so."""
    claims = [("rising", axis, 1) for axis in table.rising]
    claims += [("falling", axis, -1) for axis in table.falling]
    height, width = range(len(table.rows)), range(len(table.columns))
    for scale in system.scales if claims else ():
        rows = table.at_scale(scale.id).rows
        for word, axis, sign in claims:
            if axis == "down":
                lines = [[(row, column) for row in height] for column in width]
            else:
                lines = [[(row, column) for column in width] for row in height]
            for row, column in (
                place for line in lines for place in _wrong_steps(rows, line, sign)
            ):
                label = f"{rows[row].label}, {table.columns[column].label}"
                shown = rows[row].cells[column].show()
                text = f"{shown} at {label} breaks `{word}: [{axis}]`"
                yield document.problem(f"not-{word}", text, ("rows", row, "cells", column))


def _wrong_steps(
    rows: Sequence[Row], line: Sequence[tuple[int, int]], sign: int
) -> Iterator[tuple[int, int]]:
    """Yield the cells whose number steps the wrong way; cells without a number are skipped.

    Args:
        rows: The rows of the table.
        line: The places of the cells of a row or column, each as row and column index.
        sign: 1 if the numbers must not fall, -1 if they must not rise.
    """
    last: Decimal | None = None
    for row, column in line:
        number = _plain_number(rows[row].cells[column])
        if number is None:
            continue
        if last is not None and sign * (number - last) < 0:
            yield row, column
        last = number


def _plain_number(value: Value) -> Decimal | None:
    """Return the number in a value; bands and fractions are not compared."""
    number = None if isinstance(value, Band | Span) else number_in(value)
    return number if isinstance(number, Decimal) else None


def _unused_issues(system: System, tables: TablesById) -> Iterator[LintIssue]:
    """Find phases that no table names, and scales that no cell has a value for.

    A system's only scale need not be named anywhere.
    """
    readable = [table for table in tables.values() if table is not None]
    used = {table.phase for table in readable}
    used |= {row.phase for table in readable for row in table.rows}
    document = system.document("system.yaml")
    for place, phase in enumerate(system.phases):
        if phase.id not in used:
            text = f"no table uses the phase {phase.id!r}"
            yield as_warning(document.problem("unused-phase", text, ("phases", place)))
    if len(system.scales) > 1:
        cells = [cell for table in readable for row in table.rows for cell in row.cells]
        scaled = [cell for cell in cells if isinstance(cell, Scaled)]
        for place, scale in enumerate(system.scales):
            if not any(scale.id in cell for cell in scaled):
                text = f"no cell uses the scale {scale.id!r}"
                yield as_warning(document.problem("unused-scale", text, ("scales", place)))


def _convention_issues(system: System, tables: TablesById) -> Iterator[LintIssue]:
    """Find tables that a convention names but that do not exist."""
    document = system.document("system.yaml")
    for place, note in enumerate(system.identity.filtered_conventions):
        for number, table_id in enumerate(note.tables):
            if table_id not in tables:
                text = f"there is no table {table_id!r}{did_you_mean(table_id, tables)}"
                path = ("conventions", place, "tables", number)
                yield LintIssue("error", document.problem("unknown-table", text, path))


# Sheets


def _sheet_issues(system: System, sheet_id: str) -> list[LintIssue]:
    try:
        sheet = system.sheet(sheet_id)
    except MusterError as error:
        return as_errors(error.problems)
    issues = as_errors(sheet_problems(system, sheet_id, sheet))
    return [*issues, *map(as_warning, _long_notes(system, sheet_id, sheet))]


_NOTE_CHARACTERS = {"landscape": 460, "portrait": 320}
"""How many characters of notes two lines at the foot of a sheet hold, by its orientation."""


def _long_notes(system: System, sheet_id: str, sheet: WrittenSheet) -> Iterator[Problem]:
    """Find sides of a sheet with more than two lines of conventions and notes for play."""
    try:
        errata = system.errata.entries
    except MusterError:
        return  # Told with the errata.
    document = system.document("sheets", f"{sheet_id}.yaml")
    room = _NOTE_CHARACTERS[sheet.orientation]
    for place, side in enumerate(sheet.sides):
        tables = {table for block in side.blocks for table in (block.table, *block.tables)}
        notes = [
            entry.sheet
            for entry in errata
            if entry.flagged
            and entry.sheet
            and any(at.table in tables for at in entry.places if at.table)
        ]
        conventions = [
            note.text
            for note in system.identity.filtered_conventions
            if not note.tables or tables.intersection(note.tables)
        ]
        length = sum(len(note) + 1 for note in (*conventions, *notes))
        if length > room:
            text = (
                f"side “{side.title}” has {length} characters of notes, expected at most {room},"
                " for two lines: shorten conventions, or `sheet:` of errata, or leave it"
                " to the rulebook"
            )
            yield document.problem("long-notes", text, ("sides", place))


def sheet_problems(system: System, sheet_id: str, sheet: WrittenSheet) -> Iterator[Problem]:
    """Find what is wrong with a sheet: its id, and the tables and rows that it names.

    A problem within a table stands at its place in the table's file.
    """
    document = system.document("sheets", f"{sheet_id}.yaml")
    if sheet.id != sheet_id:
        yield file_name_problem(document, sheet.id, sheet_id)
    for side_place, side in enumerate(sheet.sides):
        for place, block in enumerate(side.blocks):
            path: KeyPath = ("sides", side_place, "blocks", place)
            yield from _block_problems(system, document, block, path)
        mains = [place for place, block in enumerate(side.blocks) if block.main or block.wide]
        for place in mains[1:]:
            text = "a side has one main or wide table: remove `main:` or `wide:` here or before"
            main_path: KeyPath = ("sides", side_place, "blocks", place, "main")
            yield document.problem("second-main", text, main_path)
    if all(block.army for side in sheet.sides for block in side.blocks):
        text = "all blocks are for armies only, so that the system has no sheet of its own"
        yield document.problem("empty-sheet", text, ("sides",))


def _block_problems(
    system: System, document: Document, block: Block, path: KeyPath
) -> Iterator[Problem]:
    tables: list[tuple[KeyPath, str]] = [((*path, "table"), block.table)] if block.table else []
    tables += [((*path, "tables", place), table) for place, table in enumerate(block.tables)]
    if not tables and not block.text:
        yield document.problem("empty-block", "a block needs `table:`, `tables:` or `text:`", path)
    found: list[Table] = []
    for table_path, table_id in tables:
        try:
            found.append(system.table(table_id))
        except MusterError as error:
            for problem in error.problems:
                if problem.code == "unknown-table":
                    yield document.problem(problem.code, problem.text, table_path)
                else:
                    yield problem
    yield from _block_option_problems(system, document, block, path)
    # A row may belong to a table that cannot be read.
    if len(found) == len(tables):
        yield from _part_problems(document, block, path, found)


def _part_problems(
    document: Document, block: Block, path: KeyPath, tables: Sequence[Table]
) -> Iterator[Problem]:
    """Check the rows and columns that a block names."""
    rows = {row.id for table in tables for row in table.rows}
    parts = rows | {column.id for table in tables for column in table.columns}
    for place, row_id in enumerate(block.rows):
        if row_id not in rows:
            hint = did_you_mean(row_id, rows)
            text = f"there is no row {row_id!r} in the tables of this block{hint}"
            yield document.problem("unknown-row", text, (*path, "rows", place))
    labelled = parts | {table.id for table in tables}
    for place, part in enumerate(block.without):
        if part not in parts:
            yield _unknown_part(document, part, parts, (*path, "without", place))
    for part in block.labels:
        if part not in labelled:
            yield _unknown_part(document, part, labelled, (*path, "labels", part))
    heads = [
        [
            block.labels.get(each.id, each.label)
            for each in (table.rows if table.id in block.turn else table.columns)
            if each.id not in block.without
        ]
        for table in tables
    ]
    if block.joined and (len(tables) == 1 or any(each != heads[0] for each in heads)):
        text = "expected several tables with the same columns: `labels:` can make them alike"
        yield document.problem("unlike-columns", text, (*path, "joined"))


def _unknown_part(document: Document, part: str, known: AbstractSet[str], path: KeyPath) -> Problem:
    hint = did_you_mean(part, known)
    text = f"there is no row or column {part!r} in the tables of this block{hint}"
    return document.problem("unknown-row", text, path)


def _block_option_problems(
    system: System, document: Document, block: Block, path: KeyPath
) -> Iterator[Problem]:
    """Check the tables that a block turns, its columns and its scale."""
    ids = [*block.tables, *([block.table] if block.table else [])]
    for place, turned in enumerate(block.turn):
        if turned not in ids:
            hint = did_you_mean(turned, ids)
            text = f"there is no table {turned!r} in this block{hint}"
            yield document.problem("unknown-table", text, (*path, "turn", place))
    if block.fold < 1:
        text = f"read {block.fold}, expected a number of columns such as 2"
        yield document.problem("out-of-bounds", text, (*path, "fold"))
    if block.scale is not None:
        scales = [scale.id for scale in system.scales]
        yield from _unknown_id(document, "scale", block.scale, scales, (*path, "scale"))


# Tokens


def _token_issues(system: System) -> list[LintIssue]:
    """Check the tokens to cut out; a system may have none."""
    try:
        tokens = system.tokens
    except MusterError as error:
        return as_errors(error.problems)
    if tokens is None:
        return []
    document = system.document("tokens.yaml")
    unused = map(as_warning, unused_drawings(document, tokens))
    return [*as_errors(token_problems(document, tokens)), *unused]


# The search of the web edition


def _search_issues(system: System) -> list[LintIssue]:
    """Check synonyms and the phrases that are no terms; a system may have neither."""
    try:
        words = system.search_words
    except MusterError as error:
        return as_errors(error.problems)
    if not system.has_file(SEARCH_FILE):
        return []
    document = system.document(SEARCH_FILE)
    own = " ".join(_all_texts(system))
    texts = {system.identity.language: own}
    languages = system.translation_languages()
    for language in languages:
        # What is wrong with the translation is reported with it.
        with suppress(MusterError):
            texts[language] = " ".join(_all_texts(system.in_language(language)))
    unread = [language for language in languages if language not in texts]
    issues = as_errors(synonym_problems(document, words.synonyms, ("synonyms",), own))
    chapters = [chapter.id for chapter in system.readable_prose.chapters]
    issues += as_errors(unknown_examples(document, words.examples, chapters))
    for language, groups in words.translations.items():
        if language not in unread:
            path = ("translations", language)
            issues += as_errors(synonym_problems(document, groups, path, texts.get(language, own)))
    if unread:
        return issues
    return [*issues, *as_errors(unused_phrases(document, words.not_terms, texts.values()))]


def _language_problems(system: System) -> Iterator[Problem]:
    """Find out whether the rules are in the language that the system is said to be in."""
    stated = system.identity.language
    found = differing_language(" ".join(_all_texts(system)), stated)
    if found:
        document = system.document("system.yaml")
        text = (
            f"read {stated!r}, expected {found!r}, the language that the rules are written in;"
            f" for the same rules in {stated!r}, `muster translate` begins a translation"
        )
        yield document.problem("other-language", text, ("language",))


def _all_texts(system: System) -> Iterator[str]:
    """Yield the chapters, and all words of the tables that can be read."""
    for chapter in system.readable_prose.chapters:
        yield from (chapter.title, chapter.text)
    for table_id in system.table_ids():
        try:
            table = system.table(table_id)
        except MusterError:
            continue  # Reported with the tables.
        yield table.title
        yield from (column.label for column in table.columns)
        for row in table.rows:
            yield from (row.label, row.group, *(cell.show() for cell in row.cells))


# Errata


def errata_issues(system: System, tables: TablesById) -> list[LintIssue]:
    """Check `errata.yaml` against the tables, and the blanks in the tables against it."""
    try:
        errata = system.errata
    except MusterError as error:
        return as_errors(error.problems)
    issues = as_errors(_errata_problems(system, errata, tables)) if errata.entries else []
    for table in tables.values():
        if table is not None:
            issues += as_errors(_blank_problems(system, errata, table))
    return issues


def _errata_problems(system: System, errata: Errata, tables: TablesById) -> Iterator[Problem]:
    document = system.document("errata.yaml")
    for number, entry_id in repeated(entry.id for entry in errata.entries):
        text = f"the id {entry_id!r} is used twice"
        yield document.problem("duplicate-id", text, ("entries", number, "id"))
    for number, entry in enumerate(errata.entries):
        path: KeyPath = ("entries", number)
        departs = entry.treatment in _DEPARTING_TREATMENTS
        if departs and _normalised(entry.printed) == _normalised(entry.read):
            text = f"the treatment is {entry.treatment!r}, but `read` is the same as `printed`"
            yield document.problem("no-departure", text, (*path, "read"))
        if not entry.question and (entry.certainty == "open" or entry.treatment == "blank"):
            what = "is open" if entry.certainty == "open" else "leaves a blank"
            text = f"the entry {entry.id!r} {what} and has no `question:` for the players"
            example = "question: Does a flank attack count as an attack from behind?"
            yield document.problem("no-question", text, (*path, "id"), example=example)
        if entry.question and not entry.question.endswith("?"):
            text = f"read {entry.question!r}, expected a question that ends with ?"
            yield document.problem("no-question", text, (*path, "question"))
        if entry.sheet and (not entry.flagged or all(each.table is None for each in entry.places)):
            text = "`sheet:` prints nothing here: it needs a place in a table, and no plain slip"
            yield document.problem("no-footnote", text, (*path, "sheet"))
        for n, place in enumerate(entry.places):
            yield from _place_problems(system, document, place, (*path, "places", n), tables)


_DEPARTING_TREATMENTS = ("reading", "slip")
"""The treatments of an erratum that change what the source prints."""


def _normalised(words: str) -> str:
    """Return words as they are compared: spaces, capitals and a full stop make no difference."""
    return " ".join(words.split()).rstrip(".").casefold()


def _place_problems(
    system: System, document: Document, place: Place, path: KeyPath, tables: TablesById
) -> Iterator[Problem]:
    """Find out whether the chapter, part, table, row and column of a place exist."""

    def check(kind: str, name: str | None, known: Iterable[str]) -> Iterator[Problem]:
        if name is not None:
            yield from _unknown_id(document, kind, name, known, (*path, kind))

    yield from check("chapter", place.chapter, [chapter.id for chapter in system.chapters])
    if place.part is not None and not _has_part(system, place.part):
        text = f"the system has no {place.part}"
        yield document.problem("unknown-part", text, (*path, "part"))
    yield from check("table", place.table, tables)
    table = tables.get(place.table or "")
    if table is not None:
        yield from check("row", place.row, [row.id for row in table.rows])
        yield from check("column", place.column, [column.id for column in table.columns])


def _has_part(system: System, part: str) -> bool:
    if part == "composition":
        return system.has_file("composition.yaml")
    return bool(system.yaml_ids("books"))


def _blank_problems(system: System, errata: Errata, table: Table) -> Iterator[Problem]:
    """Find blank cells that no erratum with the treatment `blank` covers."""
    places = [
        place
        for entry in errata.entries
        if entry.treatment == "blank"
        for place in entry.places
        if place.table == table.id
    ]
    for number, row in enumerate(table.rows):
        for column, cell in zip(table.columns, row.cells, strict=True):
            if _is_blank(cell) and not any(_covers(place, row, column.id) for place in places):
                text = f"the blank at {row.label}, {column.label} has no entry in errata.yaml"
                example = (
                    f"places: [{{table: {table.id}, row: {row.id}, column: {column.id}}}]"
                    " with treatment: blank"
                )
                path = ("rows", number, *_cell_path(table, column.id))
                document = system.document("tables", f"{table.id}.yaml")
                yield document.problem("blank-not-in-errata", text, path, example=example)


def _cell_path(table: Table, column: str) -> KeyPath:
    """Return the path of a cell within its row of the file."""
    if isinstance(table, Modifiers | Definitions):
        return (column,)
    return "cells", table.column(column)


def _is_blank(cell: Value) -> bool:
    """Return whether a cell is blank, at one scale or more."""
    if isinstance(cell, Scaled):
        return any(value is BLANK for value in cell.by_scale.values())
    return cell is BLANK


def _covers(place: Place, row: Row, column: str) -> bool:
    return place.row in {None, row.id} and place.column in {None, column}


# Prose and editions


def prose_issues(system: System) -> Iterator[LintIssue]:
    """Check all chapters, at every scale, and all editions; a system may have neither."""
    prose = system.readable_prose
    yield from as_errors(prose.problems)
    for scale in [""] if len(system.scales) == 1 else ["", *(known.id for known in system.scales)]:
        _, problems = evaluate_prose(system, prose, scale)
        yield from as_errors(problem for problem in problems if problem.code != _REPORTED_IN_TABLE)
    for edition_id in system.edition_ids():
        yield from as_errors(_edition_problems(system, edition_id))
        yield from map(as_warning, _missing_references(system, edition_id))


def _missing_references(system: System, edition_id: str) -> Iterator[Problem]:
    """Find where the chapters of an edition send readers to a table that it leaves out."""
    try:
        edition = system.edition(edition_id)
    except MusterError:
        return  # Its problems are reported by `_edition_problems`.
    for chapter in system.readable_prose.chapters:
        if edition.chapters and chapter.id not in edition.chapters:
            continue
        for placed in chapter.directives:
            directive = placed.directive
            if isinstance(directive, NameTable) and directive.table in edition.without_tables:
                text = f"the edition {edition_id!r} leaves out the table {directive.table!r}"
                yield placed.problem("reference-to-left-out-table", text)


_REPORTED_IN_TABLE = "unreadable-table"
"""The code for a table that cannot be read, whose own problems are reported at their places."""


def _edition_problems(system: System, edition_id: str) -> Iterator[Problem]:
    """Check an edition's id, and that everything it names exists."""
    try:
        edition = system.edition(edition_id)
    except MusterError as error:
        yield from error.problems
        return
    document = system.document("editions", f"{edition_id}.yaml")
    if edition.id != edition_id:
        yield file_name_problem(document, edition.id, edition_id)
    chapters = [chapter.id for chapter in system.chapters]
    for place, chapter in enumerate(edition.chapters):
        yield from _unknown_id(document, "chapter", chapter, chapters, ("chapters", place))
    tables = system.table_ids()
    for place, table in enumerate(edition.without_tables):
        yield from _unknown_id(document, "table", table, tables, ("without_tables", place))
    for place, book in enumerate(edition.army_books):
        books = system.yaml_ids("books")
        yield from _unknown_id(document, "army book", book, books, ("army_books", place))
    for chapter in edition.chapter_pictures:
        yield from _unknown_id(
            document, "chapter", chapter, chapters, ("chapter_pictures", chapter)
        )
    yield from picture_problems(system.edition_pictures(edition).values())
    if edition.scale is not None:
        scales = [scale.id for scale in system.scales]
        yield from _unknown_id(document, "scale", edition.scale, scales, ("scale",))
    try:
        read_press_profile(system, edition)
    except MusterError as error:
        yield from error.problems
    if not system.chapter_files():
        text = "the system has no prose, so this edition has nothing to print"
        yield document.problem("edition-without-prose", text, ())
