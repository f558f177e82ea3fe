"""Test chapters ready to print: where the index leads, and what a hostile one costs."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from muster.documents.changes import ChangeBars
from muster.documents.measures import Measures
from muster.documents.passages import BookTable, Passage, PassageWriter, row_anchor, table_anchor
from muster.documents.table_view import PrintedCell, TableLine, TableView
from muster.problems import Location
from muster.systems.directives import Directive, IndexTerm, PlaceTable
from muster.systems.evaluation import DirectiveResult, NoOutput
from muster.systems.prose import MAX_CHAPTER, ChapterText, PlacedDirective
from muster.values.distance import LengthUnit

HERE = Location("prose/01-a.md")


def write(text: str, directives: list[tuple[str, Directive]], table: TableView) -> PassageWriter:
    """Write a chapter of some text and the directives after it; every table is the same."""
    return write_chapter(text, directives, table)[0]


def write_chapter(
    text: str,
    directives: list[tuple[str, Directive]],
    table: TableView,
    index: tuple[str, ...] = (),
) -> tuple[PassageWriter, Passage]:
    """Write a chapter whose tables have some entries of the index."""
    placed = []
    for braces, directive in directives:
        placed.append(PlacedDirective(directive, len(text), len(text) + len(braces), HERE, ""))
        text += f"{braces} "
    chapter = ChapterText("a", 1, "A", "", "prose/01-a.md", text, tuple(placed), ())
    writer = PassageWriter(
        Measures("", LengthUnit.CM, LengthUnit.CM),
        {},
        {},
        lambda name: BookTable("neutral", replace(table, id=name), (), index=index),
        {},
        frozenset(),
        ChangeBars(),
        None,
        frozenset(),
    )
    results: list[DirectiveResult] = [NoOutput()] * len(placed)
    return writer, writer.passage(chapter, results)


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


def rows(title: str, *lines: tuple[str, str]) -> TableView:
    cells = tuple(TableLine(label, (PrintedCell(words),)) for label, words in lines)
    return TableView("t", title, "terms", cells)


FIRE = rows(
    "Who may fire",
    ("Arc", "The target must be in the firing arc."),
    ("Howitzers", "They may fire over friends."),
    ("Into melee", "Only if a Dastardly officer leads them."),
)


@pytest.mark.parametrize(
    ("entry", "row"),
    [
        (("Howitzers", "over friends"), 1),
        (("firing arc", ""), 0),
        (("Dastardly officer", ""), 2),
        (("firing", "into melee"), 2),
        (("Cavalry", ""), None),
        (("fire", ""), None),
        (("Militia", "fire"), None),
    ],
)
def test_entry_of_the_index_leads_to_the_row_that_says_it(
    entry: tuple[str, str], row: int | None
) -> None:
    term, below = entry
    index = (f"{term} > {below}" if below else term,)

    said, _ = write_chapter("Text.\n\n", [table("t")], FIRE, index)

    expected = table_anchor("t") if row is None else row_anchor("t", row)
    assert [each.anchor for each in said.mentions] == [expected]


def test_rows_that_the_index_names_have_anchors() -> None:
    _, passage = write_chapter("Text.\n\n", [table("t")], FIRE, ("Howitzers",))

    (view,) = (each.view for each in passage.tables)
    assert [line.anchor for line in view.lines] == ["", row_anchor("t", 1), ""]


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
