"""Tests of the shipped chapters: they name their tables, and lead to all errata."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from muster.documents.rulebook import Rulebook, gather_rulebook
from muster.systems import open_system
from muster.systems.directives import NameTable, PlaceTable
from tests.scaffold import SHIPPED

CONTENT = Path(__file__).parents[2] / "content"

each_system = pytest.mark.parametrize("system_id", SHIPPED)
HEADING_ON_TABLE = re.compile(r"^#+ .*\n\n\{table: .*$", re.MULTILINE)


def book(system_id: str) -> Rulebook:
    system = open_system(CONTENT / system_id)
    return gather_rulebook(system, system.edition("standard"))


@each_system
def test_every_table_is_named_in_its_chapter(system_id: str) -> None:
    unnamed = []
    for chapter in open_system(CONTENT / system_id).prose.chapters:
        directives = [placed.directive for placed in chapter.directives]
        named = {each.table for each in directives if isinstance(each, NameTable)}
        placed = {each.table for each in directives if isinstance(each, PlaceTable)}
        unnamed += [(chapter.id, table) for table in sorted(placed - named)]

    assert unnamed == []


@each_system
def test_no_heading_stands_straight_on_a_table(system_id: str) -> None:
    chapters = open_system(CONTENT / system_id).prose.chapters

    assert [head for each in chapters for head in HEADING_ON_TABLE.findall(each.text)] == []


@each_system
def test_every_erratum_is_led_to_from_a_chapter_that_it_is_about(system_id: str) -> None:
    rulebook = book(system_id)
    led_from: dict[str, set[str]] = {}
    own: dict[str, str] = {}
    for chapter in rulebook.chapters:
        own |= {f"t-{table.view.id}": chapter.anchor for table in chapter.tables}
        numbers = {piece.text for piece in chapter.pieces if piece.kind == "sign"}
        for table in chapter.tables:
            numbers |= {*(note.number for note in table.footnotes), *table.slips}
        for number in numbers:
            led_from.setdefault(number, set()).add(chapter.anchor)

    assert rulebook.doubts
    for doubt in rulebook.doubts:
        about = {own.get(place.anchor, place.anchor) for place in doubt.places}
        assert led_from.get(str(doubt.number), set()) & about, (doubt.number, doubt.id)
