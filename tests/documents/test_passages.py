"""Test chapters ready to print: what a hostile one costs."""

from __future__ import annotations

import time
from dataclasses import replace

from muster.documents.changes import ChangeBars
from muster.documents.measures import Measures
from muster.documents.passages import BookTable, PassageWriter, table_anchor
from muster.documents.table_view import TableView
from muster.problems import Location
from muster.systems.directives import Directive, IndexTerm, PlaceTable
from muster.systems.evaluation import DirectiveResult, NoOutput
from muster.systems.prose import MAX_CHAPTER, ChapterText, PlacedDirective
from muster.values.distance import LengthUnit

HERE = Location("prose/01-a.md")


def write(text: str, directives: list[tuple[str, Directive]], table: TableView) -> PassageWriter:
    """Write a chapter of some text and the directives after it; every table is the same."""
    placed = []
    for braces, directive in directives:
        placed.append(PlacedDirective(directive, len(text), len(text) + len(braces), HERE, ""))
        text += f"{braces} "
    chapter = ChapterText("a", 1, "A", "", "prose/01-a.md", text, tuple(placed), ())
    writer = PassageWriter(
        Measures("", LengthUnit.CM, LengthUnit.CM),
        {},
        {},
        lambda name: BookTable("neutral", replace(table, id=name), ()),
        {},
        frozenset(),
        ChangeBars(),
        None,
        frozenset(),
    )
    results: list[DirectiveResult] = [NoOutput()] * len(placed)
    writer.passage(chapter, results)
    return writer


def named(title: str, words: str = "") -> TableView:
    return TableView("t", title, "pairs", (), remark=words)


def term(word: str) -> tuple[str, Directive]:
    return (f"{{index: {word}}}", IndexTerm(word, ""))


def table(name: str) -> tuple[str, Directive]:
    return (f"{{table: {name}}}", PlaceTable(name))


def test_term_that_no_paragraph_says_leads_to_the_first_table_that_does() -> None:
    both = [table("first"), table("second"), term("Rallying"), term("Routing")]

    titled = write("Text.\n\n", both, named("Routers and rallying"))
    worded = write("Text.\n\n", both, named("Morale", "who is rallying"))

    assert [each.anchor for each in titled.mentions] == [table_anchor("first")] * 2
    assert [each.anchor for each in worded.mentions] == [table_anchor("first"), "i-2"]


def test_term_of_a_paragraph_of_many_pages_has_its_place() -> None:
    said = write("They rally. " * 5000, [term("Rallying")], named("Rallying"))

    assert said.mentions[0].anchor == "i-1"


def test_chapter_of_nothing_but_index_terms_is_written_at_once() -> None:
    letters = str.maketrans("0123456789", "abcdefghij")
    terms = [term(f"{n:04}rule".translate(letters)) for n in range(3000)]
    paragraph = "Many words. " * (MAX_CHAPTER // 24)
    words = " ".join(f"{n:04}word".translate(letters) for n in range(5000))

    begin = time.process_time()
    writers = [
        write(paragraph, terms, named("Morale")),
        write("Text.\n\n", [table("a"), *terms], named("Morale", words)),
        write("Text.\n\n", [*(table(f"t{n}") for n in range(3000)), *terms], named("Morale")),
    ]
    seconds = time.process_time() - begin

    assert [len(writer.mentions) for writer in writers] == [3000] * 3
    assert seconds < 2
