"""Tests of the indexes of the shipped books: players find what they look for at the table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from muster.documents.appendices import IndexEntry
from muster.documents.rulebook import Rulebook, gather_rulebook, read_editions
from muster.systems import Library, System
from muster.tables import Definitions
from tests.scaffold import SHIPPED

SOUGHT = """
    infantry cavalry artillery charge moving firing melee morale rallying losses range terrain woods
    square column turn officer flee dice
"""
"""Words that a player has in mind: the index has each, or a word that it refers to."""


ROOT = Path(__file__).parents[2] / "content"


@pytest.fixture(params=SHIPPED)
def system(request: pytest.FixtureRequest) -> System:
    """Each of the systems that Muster ships."""
    return Library(ROOT).system(request.param)


def books(system: System) -> Iterator[Rulebook]:
    """Yield the standard book of a system, and those in other languages."""
    for edition in read_editions(system):
        if edition.id == "standard" or edition.language:
            yield gather_rulebook(system, edition)


def terms(entries: tuple[IndexEntry, ...]) -> str:
    """Return all terms of an index, and those below them."""
    lines = [line for entry in entries for line in (entry, *entry.below)]
    return "\n".join(line.term for line in lines).casefold()


def stem(word: str) -> str:
    """Return the beginning of a word that its forms have in common."""
    return re.sub("(ing|s|e|y)$", "", word.casefold())


def test_every_table_is_in_the_index(system: System) -> None:
    prose = system.prose.numbers
    tables = [system.table(table_id) for table_id in system.table_ids() if table_id in prose]

    lacking = [
        table.id
        for table in tables
        if not table.index and not (isinstance(table, Definitions) and table.glossary)
    ]

    assert tables
    assert lacking == []


def test_every_chapter_is_in_the_index_under_a_word_of_its_title(system: System) -> None:
    book = next(books(system))
    known = terms(book.index)
    for chapter in book.chapters:
        if chapter.id == "introduction":
            continue  # Nobody looks that word up.
        words = [stem(word) for word in re.findall(r"[^\W\d_]{4,}", chapter.title)]

        assert any(word in known for word in words), chapter.title


def test_every_word_that_a_player_has_in_mind_is_in_the_index(system: System) -> None:
    book = next(books(system))
    known = [entry.term.casefold() for entry in book.index]

    lacking = [word for word in SOUGHT.split() if not any(stem(word) in term for term in known)]

    assert lacking == []


def test_references_of_the_index_lead_to_entries_with_places(system: System) -> None:
    for book in books(system):
        with_places = {entry.term for entry in book.index if entry.places or entry.below}
        wanted = {term for entry in book.index for term in entry.see}
        empty = [e.term for e in book.index if not (e.places or e.below or e.see)]

        assert wanted <= with_places, book.language
        assert empty == [], book.language
