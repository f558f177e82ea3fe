"""Find rows in all tables of a system by their words, and the rows of a unit's type."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from muster.names import matching_names, nearest_names, plain_form
from muster.problems import MusterError
from muster.tables import Row, Table
from muster.values import BLANK

if TYPE_CHECKING:
    from muster.armies import Profile
    from muster.armies.vocabulary import Entry
    from muster.systems import Library, System

FoundRows = tuple[Table, Sequence[Row]]
"""A table, and the rows of it that were found."""

_IN_LABEL, _IN_CELLS, _IN_COLUMNS, _IN_TITLE = 1.0, 0.35, 0.3, 0.25
"""What a hit is worth by where it stands, as in the search of the web edition."""

_SHORTEST_BEGINNING = 4
"""The least number of letters that stand for a longer word of a unit's title."""

Typed = Sequence[Sequence[str]]
"""For each word that was typed, the beginnings of words that it may stand for."""


def search_rows(
    system: System, words: Sequence[str], units: UnitTypes, *, misspelt: bool = False
) -> list[FoundRows]:
    """Return the rows in which every word begins a word, by table, the best table first.

    Words count in a row's label and cells, and in the columns and the title of its table; those of
    a unit's title stand for the rows of its type. If no row itself has any of the words, the rows
    of tables with such a column are found. A misspelt word stands for those words of labels and
    titles that are nearest to it.

    Raises:
        MusterError: If a table cannot be read.
    """
    tables = system.tables()
    typed = [[word] for each in words for word in _split_words(each)]
    if misspelt:
        texts = [text for table in tables for text in (table.title, *(r.label for r in table.rows))]
        texts += [column.label for table in tables for column in table.columns]
        texts += units.titles()
        known = dict.fromkeys(word for text in texts for word in _split_words(text))
        typed = [nearest_names(word, ((each, "") for each in known), 3) for (word,) in typed]
    found = _rows_with(tables, typed, _IN_COLUMNS)
    found += units.more_rows(typed, found)
    return found or _rows_with(tables, typed, _IN_TITLE)


def _rows_with(tables: Sequence[Table], typed: Typed, better_than: float) -> list[FoundRows]:
    """Return the rows that have all words, the best of which is worth more than a limit."""
    found: list[tuple[float, FoundRows]] = []
    for table in tables:
        scores: dict[int, float] = {}
        for index, row in enumerate(table.rows):
            hits = _score_words(table, row, typed)
            if hits and all(hits) and max(hits) > better_than:
                scores[index] = sum(hits)
        if scores:
            rows = [table.rows[index] for index in scores]
            found.append((max(scores.values()), (table, rows)))
    return [part for _, part in sorted(found, key=lambda each: -each[0])]


def _score_words(table: Table, row: Row, typed: Typed) -> list[float]:
    """Return what the best hit of each word in a row is worth; 0 if there is none."""
    cells = " ".join(cell.show() for cell in row.cells if cell is not BLANK)
    places = (
        (_IN_LABEL, _split_words(row.label)),
        (_IN_CELLS, _split_words(cells)),
        (_IN_COLUMNS, _split_words(" ".join(column.label for column in table.columns))),
        (_IN_TITLE, _split_words(table.title)),
    )
    return [
        max((worth for worth, own in places if _has_beginning(own, each)), default=0)
        for each in typed
    ]


def _has_beginning(words: Sequence[str], beginnings: Sequence[str]) -> bool:
    return any(word.startswith(each) for word in words for each in beginnings)


def _split_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without accents."""
    plain = unicodedata.normalize("NFD", text.casefold())
    return re.findall(r"\w+", "".join(c for c in plain if not unicodedata.combining(c)))


class UnitTypes:
    """The units of a system's army books, each of which stands for its type in a table.

    `told` says in a line for each unit that was found what it stands for.
    """

    def __init__(self, library: Library, system: System) -> None:
        self._library = library
        self._system = system
        self.told: list[str] = []

    @cached_property
    def _units(self) -> list[tuple[str, Profile]]:
        """The title of the book and the profile of each unit; unreadable books are left out."""
        return list(self._read_units())

    def _read_units(self) -> Iterator[tuple[str, Profile]]:
        from muster.armies import book_ids, load_book

        folders = self._library.book_folders(self._system.id)
        for book_id in book_ids(self._system, folders):
            try:
                book = load_book(self._system, book_id, folders)
            except MusterError:
                continue
            for profile in book.units.values():
                yield book.title, profile

    def _types(self, ids: Collection[str]) -> dict[str, tuple[Entry, str]]:
        """Return the types of the units of some ids, each with a line that says so."""
        return {
            unit.entry.id: (unit.entry, f"{unit.title} ({book}): {unit.entry.title}")
            for book, unit in reversed(self._units)
            if unit.id in ids
        }

    def _names(self) -> list[tuple[str, str]]:
        return [(unit.id, unit.title) for _, unit in self._units]

    def rows(self, table: Table, name: str) -> list[Row]:
        """Return the rows of a table that are for the types of the units of that name.

        A name may be abbreviated.
        """
        return self._rows(table, matching_names(name, self._names()))

    def _rows(self, table: Table, ids: Collection[str]) -> list[Row]:
        found: list[Row] = []
        for entry, line in self._types(ids).values():
            labels = _type_names(entry)
            rows = [row for row in table.rows if {row.id, plain_form(row.label)} & labels]
            found += [row for row in rows if row not in found]
            if rows and line not in self.told:
                self.told.append(line)
        return found

    def titles(self) -> list[str]:
        """Return the titles of all units, each once."""
        return list(dict.fromkeys(unit.title for _, unit in self._units))

    def titles_in(self, table: Table) -> list[str]:
        """Return the titles of the units whose type has a row in a table, each once."""
        labels = {name for row in table.rows for name in (row.id, plain_form(row.label))}
        return list(
            dict.fromkeys(unit.title for _, unit in self._units if labels & _type_names(unit.entry))
        )

    def more_rows(self, typed: Typed, found: Sequence[FoundRows]) -> Iterator[FoundRows]:
        """Yield the rows for the types of units whose title was typed, but not those found.

        Words that are not of the title must be in the row or its table.
        """
        wanted = {
            unit.id: [each for each in typed if not _stands_for(title, each)]
            for _, unit in self._units
            if (title := _split_words(unit.title))
            and all(any(_stands_for([word], each) for each in typed) for word in title)
        }
        known = {table.id: rows for table, rows in found}
        for table in self._system.tables() if wanted else ():
            rows = list(known.get(table.id, ()))
            more: list[Row] = []
            for unit_id, others in wanted.items():
                told = len(self.told)
                fitting = [
                    row
                    for row in self._rows(table, [unit_id])
                    if all(_score_words(table, row, others)) and row not in [*rows, *more]
                ]
                if not fitting:
                    del self.told[told:]
                more += fitting
            if more:
                yield table, more


def _stands_for(title: Sequence[str], beginnings: Sequence[str]) -> bool:
    """Return whether a word of a unit's title is one of some words, or begins with a long one."""
    return any(
        word == each or (len(each) >= _SHORTEST_BEGINNING and word.startswith(each))
        for word in title
        for each in beginnings
    )


def _type_names(entry: Entry) -> set[str]:
    """Return the names by which a table may have a row for a type of unit."""
    return {plain_form(name) for name in (entry.title, entry.one, entry.many)} | {
        entry.id,
        plain_form(entry.id),
    }
