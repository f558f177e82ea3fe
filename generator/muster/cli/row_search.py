"""Find rows in all tables of a system by their words, and the rows of a unit's type."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from muster.cli.name_matching import matching_names
from muster.names import find_names, nearest_names, plain_form
from muster.problems import MusterError
from muster.tables import Row, Table
from muster.values import BLANK

if TYPE_CHECKING:
    from muster.armies import Profile
    from muster.armies.vocabulary import Entry
    from muster.systems import Library, System

FoundRows = tuple[Table, Sequence[Row]]
"""A table, and the rows of it that were found."""

_IN_LABEL, _IN_CELLS, _IN_TITLE = 1.0, 0.35, 0.25
"""What a hit is worth by where it stands, as in the search of the web edition."""


def search_rows(system: System, words: Sequence[str], *, misspelt: bool = False) -> list[FoundRows]:
    """Return the rows in which every word begins a word, by table, the best table first.

    A misspelt word stands for those words of labels and titles that are nearest to it.

    Raises:
        MusterError: If a table cannot be read.
    """
    tables = system.tables()
    typed = [[word] for each in words for word in _split_words(each)]
    if misspelt:
        texts = [text for table in tables for text in (table.title, *(r.label for r in table.rows))]
        known = dict.fromkeys(word for text in texts for word in _split_words(text))
        typed = [nearest_names(word, ((each, "") for each in known), 3) for (word,) in typed]
    return _rows_with(tables, typed)


def _rows_with(tables: Sequence[Table], typed: Sequence[Sequence[str]]) -> list[FoundRows]:
    """Return the rows that have a word for each of several sets of beginnings, best table first."""
    found: list[tuple[float, FoundRows]] = []
    for table in tables:
        title = _split_words(table.title)
        worths: dict[int, float] = {}
        for index, row in enumerate(table.rows):
            cells = " ".join(cell.show() for cell in row.cells if cell is not BLANK)
            places = (
                (_IN_LABEL, _split_words(row.label)),
                (_IN_CELLS, _split_words(cells)),
                (_IN_TITLE, title),
            )
            hits = [
                max((worth for worth, own in places if _has_beginning(own, each)), default=0)
                for each in typed
            ]
            # A row of which only the table's title was asked for is not found.
            if hits and all(hits) and max(hits) > _IN_TITLE:
                worths[index] = sum(hits)
        if worths:
            rows = [table.rows[index] for index in worths]
            found.append((max(worths.values()), (table, rows)))
    return [part for _, part in sorted(found, key=lambda each: -each[0])]


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
            labels = {plain_form(label) for label in (entry.id, entry.title, entry.one, entry.many)}
            rows = [row for row in table.rows if {row.id, plain_form(row.label)} & labels]
            found += [row for row in rows if row not in found]
            if rows and line not in self.told:
                self.told.append(line)
        return found

    def more_rows(self, name: str, found: Sequence[FoundRows]) -> Iterator[FoundRows]:
        """Yield the rows for the types of the units of just that name, but not those found."""
        ids = find_names(name, self._names())
        known = {table.id: rows for table, rows in found}
        for table in self._system.tables() if ids else ():
            rows = [row for row in self._rows(table, ids) if row not in known.get(table.id, ())]
            if rows:
                yield table, rows
