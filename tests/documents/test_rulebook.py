"""Tests of the data of rulebooks: examples, references, appendices, editions."""

from __future__ import annotations

from pathlib import Path

import pytest

from muster.documents.appendices import sort_index
from muster.documents.passages import IndexMention, Passage, PassagePiece
from muster.documents.rulebook import Rulebook, gather_rulebook, read_editions
from muster.documents.sheet import gather_sheet
from muster.problems import MusterError
from muster.systems import System, open_system
from tests.scaffold import spoil

EDITION = 'id: road\ntitle: Road\ndate: "2025-01-31"\n'


def book(content: Path, edition: str = "standard") -> Rulebook:
    system = open_system(content)
    return gather_rulebook(system, next(e for e in read_editions(system) if e.id == edition))


def road(content: Path, text: str) -> Rulebook:
    """Return the rulebook of an edition with the given options."""
    (content / "editions" / "road.yaml").write_text(EDITION + text, encoding="utf-8")
    return book(content, "road")


def read(passage: Passage) -> str:
    """Return a chapter's text with its braces filled in."""
    text = " ".join(passage.text.split())
    for number, piece in enumerate(passage.pieces):
        text = text.replace(f"{{{number}}}", shown(piece))
    return text


def shown(piece: PassagePiece) -> str:
    page = {"": "", "after": ", page N", "within": " (page N)"}[piece.page]
    return piece.text + page


def write(content: Path, chapter: str, text: str) -> None:
    with (content / "prose" / chapter).open("a", encoding="utf-8") as file:
        file.write(f"\n{text}\n")


def test_example_is_worked_out_from_its_table(content: Path) -> None:
    text = read(book(content).chapters[0])

    assert "6 stands of foot at 3 per stand cost 18 points." in text
    assert "With a general at 20 the army comes to 38 points." in text


def test_example_follows_when_a_cell_is_changed(content: Path) -> None:
    spoil(content / "tables" / "points.yaml", "cells: [3 per stand]", "cells: [4.5 per stand]")

    text = read(book(content).chapters[0])

    assert "6 stands of foot at 4½ per stand cost 27 points." in text
    assert "the army comes to 47 points" in text


def test_roll_stays_on_one_line(content: Path) -> None:
    spoil(content / "tables" / "movement.yaml", "cells: [10cm, –]}", "cells: [d6+3cm, –]}")
    write(content, "05-morale.md", "Guns go {value: movement row=guns column=open}.")

    assert "Guns go D6\u00a0+\u00a03\u202fcm." in read(book(content).chapters[4])


def test_result_finds_its_row_in_a_table(content: Path) -> None:
    text = read(book(content).chapters[3])

    assert "4 stands roll 8 at close range (+2): 10. The number of hits is 1." in text


def test_negative_results_have_a_true_minus_sign(content: Path) -> None:
    write(content, "05-morale.md", "{given: -2 as a}, {less: a 0.5}, {given: +3}, {sum: a 2}")

    assert "−2, −2½, +3, 0" in read(book(content).chapters[4])


def test_page_is_set_off_by_brackets_or_by_a_comma_within_them(content: Path) -> None:
    write(content, "05-morale.md", "As {ref: hits} (see {ref: hits}). {Ref: morale-test} too.")

    text = read(book(content).chapters[4])

    assert "As table\u00a04.3 (page N) (see table\u00a04.3, page N). Table\u00a05.1 too." in text
    assert "(see *The turn*, page N)" in text


def test_section_and_words_of_ones_own_lead_to_a_chapter(content: Path) -> None:
    write(content, "05-morale.md", "{chapter: shooting/the-roll} {chapter: army | your men}")

    pieces = book(content).chapters[4].pieces[-2:]

    assert [(piece.text, piece.target) for piece in pieces] == [
        ("*The roll*", "c-shooting--the-roll"),
        ("your men", "c-army"),
    ]


def test_label_of_a_term_leads_to_the_glossary(content: Path) -> None:
    write(content, "05-morale.md", "{label: terms row=rough} {Label: terms row=rough}")

    rulebook = book(content)
    plain, capital = rulebook.chapters[4].pieces[-2:]

    assert (plain.text, capital.text) == ("rough going", "Rough going")
    assert plain.target in {term.anchor for term in rulebook.glossary}


def test_silent_directives_leave_no_empty_paragraph(content: Path) -> None:
    write(content, "05-morale.md", "{let: a = points row=general}\n\nAfter.")

    assert "\n\nAfter." in book(content).chapters[4].text
    assert "\n\n\n" not in book(content).chapters[4].text


def test_silent_line_does_not_split_a_paragraph_of_a_panel(content: Path) -> None:
    panel = '!!! example "E"\n    One and\n    {let: a = points row=general}\n    two.'
    write(content, "05-morale.md", panel)

    assert "    One and\n    two." in book(content).chapters[4].text


def test_glossary_leaves_out_a_table_that_is_not_made_for_it(content: Path) -> None:
    table = content / "tables" / "terms.yaml"
    table.write_text(table.read_text("utf-8").replace("glossary: true\n", ""), "utf-8")

    assert not {"Near", "Rough going"} & {term.label for term in book(content).glossary}


def test_lengths_are_in_the_editions_unit(content: Path) -> None:
    write(content, "03-movement.md", "Not {fact: 20 cm | L1}, {given: 30 cm} nor {given: 5 cm}.")

    text = read(road(content, "unit: in\n").chapters[2])

    assert "Foot moves at most 6″ in the open." in text
    assert "Not 8″, 12″ nor 2″." in text


EXAMPLE = """{let: pace = movement row=foot column=open}{given: 5 as die} {sum: pace die as run},
{less: run pace}, {least: run 6}, {product: run 2}, {quotient: run pace up}, {quotient: run 2},
{show: run}.
"""


def test_calculated_lengths_keep_their_unit(content: Path) -> None:
    write(content, "03-movement.md", EXAMPLE)

    own = read(book(content).chapters[2]).replace("\u202f", " ")
    assert own.endswith("5 20 cm, 5 cm, 6 cm, 40 cm, 2, 10 cm, 20 cm.")
    converted = read(road(content, "unit: in\n").chapters[2])
    assert converted.endswith("5 8″, 2″, 2½″, 16″, 2, 4″, 8″.")


def test_rolled_cell_is_worked_out(content: Path) -> None:
    spoil(content / "tables" / "movement.yaml", "[15cm, 10cm]", "[15cm, 2d6*2+10cm]")
    flight = "{rolled: movement row=foot column=rough dice=@die"
    write(content, "03-movement.md", f"{{given: 5 as die}} {flight} silently as run}}{{show: run}}")
    write(content, "03-movement.md", f"{flight} 1}} {flight.replace('@die', '12')}}}")

    own = read(book(content).chapters[2]).replace("\u202f", " ")
    assert own.endswith("5 20 cm 22 cm 34 cm")
    assert read(road(content, "unit: in\n").chapters[2]).endswith("5 8″ 9″ 13½″")


def test_named_fact_and_band_can_be_calculated_with(content: Path) -> None:
    spoil(content / "tables" / "movement.yaml", "form: distance", "form: distance\nper-band: 5cm")
    bands = "{let: band = movement per-band}{let: pace = movement row=foot column=open}"
    bands += "{quotient: pace band} {fact: 10 cm | L1 as gap} {sum: gap 2}"
    write(content, "03-movement.md", bands)

    assert read(road(content, "unit: in\n").chapters[2]).endswith("3 4″ 5″")


def test_chapter_left_out_keeps_its_number_and_has_no_link(
    content: Path,
) -> None:
    write(content, "05-morale.md", "See {ref: hits}.")

    rulebook = road(content, "chapters: [morale, doubtful]\n")

    assert [chapter.number for chapter in rulebook.chapters] == [5, 6]
    assert "See table\u00a04.3." in read(rulebook.chapters[0])
    assert all(piece.target != "t-hits" for piece in rulebook.chapters[0].pieces)


def test_table_that_is_left_out_leaves_the_numbers_of_the_others(content: Path) -> None:
    rulebook = road(content, "without_tables: [shooting-modifiers]\n")

    assert [table.view.number for table in rulebook.chapters[3].tables] == ["4.1", "4.3"]


def test_tables_have_the_same_numbers_as_on_the_sheet(content: Path) -> None:
    system = open_system(content)
    sheet = gather_sheet(system)

    on_sheet = {v.id: v.number for s in sheet.sides for b in s.blocks for v in b.views}
    in_book = {table.view.id: table.view.number for table in book(content).tables}
    assert on_sheet
    assert on_sheet.items() <= in_book.items()


def test_errata_are_numbered_as_their_footnotes(content: Path) -> None:
    with (content / "errata.yaml").open("a", encoding="utf-8") as errata:
        errata.write(
            "  - id: near\n    lines: L1\n    places: [{table: terms, row: near}]\n"
            "    printed: ner\n    read: near\n    reason: A letter.\n    treatment: reading\n"
            "    certainty: certain\n"
        )

    rulebook = book(content)

    (table,) = (each for each in rulebook.tables if each.view.id == "terms")
    assert [(note.mark, note.number) for note in table.footnotes] == [("a", "1")]
    assert table.view.lines[0].marks == ("a",)
    near = rulebook.doubts[0]
    assert (near.number, near.printed, near.read) == (1, "ner", "near")
    assert near.places[0].text == "Table\u00a02.2 Terms: Near"
    assert near.places[0].anchor == "t-terms"


def test_notes_of_a_table_are_lettered_in_reading_order(content: Path) -> None:
    with (content / "errata.yaml").open("a", encoding="utf-8") as errata:
        for row in ("rough", "near"):
            errata.write(
                f"  - id: {row}\n    lines: L1\n    places: [{{table: terms, row: {row}}}]\n"
                "    printed: ner\n    read: near\n    reason: A letter.\n    treatment: reading\n"
                "    certainty: certain\n"
            )

    (table,) = (each for each in book(content).tables if each.view.id == "terms")

    assert [line.marks for line in table.view.lines[:2]] == [("a",), ("b",)]
    assert [note.mark for note in table.footnotes] == ["a", "b"]


def test_plain_slip_is_named_below_its_table(content: Path) -> None:
    with (content / "errata.yaml").open("a", encoding="utf-8") as errata:
        errata.write(
            "  - id: near\n    lines: L1\n    places: [{table: terms, row: near}]\n"
            "    printed: ner\n    read: near\n    reason: A letter.\n    treatment: slip\n"
            "    certainty: certain\n"
        )

    rulebook = book(content)

    (table,) = (each for each in rulebook.tables if each.view.id == "terms")
    assert (table.footnotes, table.slips) == ((), ("1",))
    assert rulebook.doubts[0].id == "near"


def test_table_of_boxes_names_its_errata_and_asks_nothing_twice(content: Path) -> None:
    (content / "tables" / "asked.yaml").write_text(
        "id: asked\ntitle: Asked\nkind: definitions\nchapter: turn\nsource: L1\n"
        "rows:\n  - {id: die, label: Which die is rolled, value: blank}\n",
        encoding="utf-8",
    )
    with (content / "errata.yaml").open("a", encoding="utf-8") as errata:
        errata.write(
            "  - id: die\n    lines: L1\n    places: [{table: asked, row: die}]\n"
            "    printed: roll\n    read: Agree which die.\n    reason: None is named.\n"
            "    treatment: blank\n    certainty: open\n    question: Which die?\n"
        )
    spoil(content / "prose" / "02-turn.md", "{table: terms}", "{table: terms}\n\n{table: asked}")

    rulebook = book(content)

    (table,) = (each for each in rulebook.tables if each.view.id == "asked")
    assert [line.marks for line in table.view.lines] == [()]
    assert (table.footnotes, table.slips) == ((), ("1",))
    (doubt,) = (each for each in rulebook.doubts if each.id == "die")
    assert doubt.to_settle


def test_what_is_open_is_asked_under_its_chapter(content: Path) -> None:
    text = """\
  - id: near
    lines: L9
    places: [{chapter: turn}]
    printed: ner
    read: near
    reason: A letter is missing.
    treatment: reading
    certainty: open
    question: Does ner mean near?
"""
    with (content / "errata.yaml").open("a", encoding="utf-8") as file:
        file.write(text)

    asked = [
        (group.number, group.title, question.text, [table.text for table in question.tables])
        for group in book(content).questions
        for question in group.questions
    ]

    assert asked == [
        (2, "The turn", "Does ner mean near?", []),
        (4, "Shooting", "How far do guns shoot at far range?", ["table\u00a04.1"]),
    ]


def test_tick_without_a_question_is_refused(content: Path) -> None:
    errata = content / "errata.yaml"
    spoil(errata, "    question: How far do guns shoot at far range?", "    tick: on our cards")

    with pytest.raises(MusterError) as caught:
        book(content)

    (problem,) = caught.value.problems
    assert "`tick:` needs `question:`" in problem.text


def test_sign_in_a_chapter_has_the_number_of_its_erratum(content: Path) -> None:
    write(content, "02-turn.md", "Guns shoot far.{erratum: guns-far-range}")

    rulebook = book(content)

    (sign,) = (piece for piece in rulebook.chapters[1].pieces if piece.kind == "sign")
    (doubt,) = rulebook.doubts
    assert (sign.text, sign.target) == (f"{doubt.number}", f"e-{doubt.number}")


def test_edition_without_the_list_of_errata_has_no_signs_to_it(content: Path) -> None:
    write(content, "02-turn.md", "Guns shoot far.{erratum: guns-far-range}")

    rulebook = road(content, "chapters: [turn, shooting]\n")

    assert "sign" not in {piece.kind for piece in rulebook.chapters[0].pieces}
    assert [q.number for group in rulebook.questions for q in group.questions] == [0]


def test_an_edition_asks_nothing_about_chapters_that_it_leaves_out(content: Path) -> None:
    assert road(content, "chapters: [turn]\n").questions == ()
    assert road(content, "chapters: [shooting]\n").questions[0].title == "Shooting"


def test_sign_to_no_erratum_is_refused(content: Path) -> None:
    write(content, "02-turn.md", "Guns shoot far.{erratum: guns-far-rang}")

    with pytest.raises(MusterError) as caught:
        book(content)

    (problem,) = caught.value.problems
    assert problem.code == "unknown-erratum"
    assert "did you mean 'guns-far-range'" in problem.text


def test_numbers_of_questions_are_those_of_the_errata(content: Path) -> None:
    rulebook = book(content)

    (question,) = rulebook.questions[0].questions
    assert rulebook.doubts[question.number - 1].id == "guns-far-range"


def test_glossary_holds_what_its_tables_explain(content: Path) -> None:
    terms = {term.label: term for term in book(content).glossary}

    assert terms["Rough going"].meaning == "Woods, marsh and walls: cover for those within."
    assert not {"Horse", "General"} & {*terms}
    assert [*terms] == sorted(terms, key=str.casefold)


def test_glossary_prints_the_whole_of_a_long_meaning(content: Path) -> None:
    short = "Woods, marsh and walls: cover for those within."
    long = f"{short} Guns cannot enter it, and horse that charges through it is disordered."
    table = next(path for path in content.rglob("*.yaml") if short in path.read_text("utf-8"))
    table.write_text(table.read_text("utf-8").replace(short, long), "utf-8")

    assert long in {term.meaning for term in book(content).glossary}


def test_index_sorts_terms_and_puts_others_below_them(content: Path) -> None:
    write(content, "05-morale.md", "Again.{index: shooting}{index: shooting > fear}{index: Army}")

    entries = {entry.term: entry for entry in book(content).index}

    assert [*entries] == sorted(entries, key=str.casefold)
    assert len(entries["shooting"].places) == 2
    assert [below.term for below in entries["shooting"].below] == ["fear", "modifiers"]
    assert len(entries["army"].places) == 2


def test_index_leads_to_tables_under_the_words_that_they_give(content: Path) -> None:
    spoil(content / "tables" / "terms.yaml", "rows:", "index: [ground > rough, terms]\nrows:")

    entries = {entry.term: entry for entry in book(content).index}

    assert [each.anchor for each in entries["ground, rough"].places] == ["r-terms-2"]
    assert entries["terms"].chief == "t-terms"


@pytest.mark.parametrize(
    ("chapters", "chief"), [(("Fire", "Fire"), "b"), (("Fire", "Morale"), "")], ids=["one", "two"]
)
def test_chief_place_of_an_entry_is_named_by_a_title_of_one_chapter(
    chapters: tuple[str, str], chief: str
) -> None:
    one, two = chapters
    mentions = [
        IndexMention("rout", "", "a", "Turn", 0),
        IndexMention("rout", "", "b", one, 0, chief=True),
        IndexMention("rout", "", "c", two, 0, chief=True),
    ]

    (entry,) = sort_index(mentions)

    assert entry.chief == chief


def test_words_that_the_index_lacks_refer_to_those_that_it_has() -> None:
    mentions = [
        IndexMention("firing", "", "a", "Fire", 0),
        IndexMention("losses", "fire", "b", "Fire", 0),
        IndexMention("losses", "morale", "c", "Fire", 0),
        IndexMention("hits", "", "d", "Fire", 0),
    ]
    synonyms = [["fire", "shoot", "shooting", "how far can I fire"], ["hits", "losses", "dead"]]

    entries = sort_index(mentions, [*synonyms, ["horse", "steed"]])

    assert [(each.term, each.see) for each in entries] == [
        ("dead", ("hits", "losses")),
        ("firing", ()),
        ("hits", ("losses",)),
        ("losses", ("hits",)),
        ("shoot", ("firing",)),
    ]


@pytest.mark.parametrize(
    ("before", "after", "term"),
    [
        ("Men in fear", " run. They stop later.", "fear"),
        ("Men in great fear", " run, in fear of death.", "great fear"),
        ("Men in **fear of all", "** run.", "fear"),
    ],
    ids=["word", "words", "bold"],
)
def test_mark_of_the_index_stands_behind_its_word(
    before: str, after: str, term: str, content: Path
) -> None:
    write(content, "05-morale.md", f"{before}{after}{{index: {term}}}")

    chapter = book(content).chapters[4]
    number = len(chapter.pieces) - 1

    assert f"{before}{{{number}}}{after}" in chapter.text


def test_term_that_only_a_table_says_leads_to_its_row_there(content: Path) -> None:
    spoil(
        content / "prose" / "02-turn.md", "{table: terms}", "Words.{index: rough}\n\n{table: terms}"
    )

    entries = {entry.term: entry for entry in book(content).index}

    assert entries["rough"].places[-1].anchor == "r-terms-2"


def test_term_that_one_section_names_twice_has_one_place(content: Path) -> None:
    write(content, "05-morale.md", "One.{index: fear}\n\nTwo.{index: fear}")
    write(content, "05-morale.md", "## Later\n\nThree.{index: fear}")

    (entry,) = (each for each in book(content).index if each.term == "fear")

    assert len(entry.places) == 2


def test_hash_is_of_all_that_the_book_shows(content: Path) -> None:
    first = book(content).digest
    assert book(content).digest == first

    spoil(content / "tables" / "movement.yaml", "[25cm, 10cm]", "[26cm, 10cm]")

    assert book(content).digest != first


def test_system_without_an_edition_has_the_standard_one(system: System, content: Path) -> None:
    (content / "editions" / "standard.yaml").unlink()

    assert [edition.id for edition in read_editions(system)] == ["standard"]
    assert gather_rulebook(system, read_editions(system)[0]).title == "Club rules"


def test_system_without_prose_has_no_edition(system: System, content: Path) -> None:
    for path in (content / "prose").iterdir():
        path.unlink()

    assert read_editions(system) == []


def test_faults_of_the_prose_come_all_at_once(content: Path) -> None:
    write(content, "01-army.md", "{show: a}")
    write(content, "05-morale.md", "{show: b}")

    with pytest.raises(MusterError) as caught:
        book(content)

    assert [problem.code for problem in caught.value.problems] == ["unknown-name"] * 2


def test_faults_of_the_editions_come_all_at_once(content: Path) -> None:
    spoil(content / "editions" / "standard.yaml", "paper: a4", "paper: a3")
    (content / "editions" / "road.yaml").write_text(EDITION + "theme: pink\n", encoding="utf-8")

    with pytest.raises(MusterError) as caught:
        read_editions(open_system(content))

    assert len(caught.value.problems) == 2


def test_scale_that_the_system_lacks_is_told_at_its_place(content: Path) -> None:
    with pytest.raises(MusterError, match="unknown-scale") as caught:
        road(content, "scale: 6mm\n")

    assert caught.value.problems[0].location.line == 4


def test_edition_prints_the_army_books_that_it_names(content: Path) -> None:
    without = road(content, "")

    with_books = road(content, "army_books: [first-book]\n")

    assert without.army_books == ()
    assert [each.title for each in with_books.army_books] == ["The First Nation"]
    assert with_books.digest != without.digest


def test_army_book_that_does_not_exist_is_told_at_its_place(content: Path) -> None:
    with pytest.raises(MusterError) as caught:
        road(content, "army_books: [first-bok]\n")

    (problem,) = caught.value.problems
    assert (problem.code, problem.location.line, problem.location.column) == ("unknown-book", 4, 14)
    assert problem.text == (
        "there is no army book 'first-bok' in Club rules (did you mean 'first-book'?); "
        "known: first-book"
    )


def test_wide_drawing_is_no_turned_table_on_a_narrow_page(content: Path) -> None:
    ranks = "M " * 12
    (content / "tables" / "row.yaml").write_text(
        f"id: row\ntitle: A row\nkind: diagram\nchapter: forces\nranks: [{ranks.strip()}]\n"
        "key: {M: a figure}\ncaption: Twelve.\n",
        encoding="utf-8",
    )
    write(content, "05-morale.md", "{table: row}")

    tables = [each for part in road(content, "paper: a5\n").chapters for each in part.tables]

    assert [each.view.form for each in tables if each.view.id == "row"] == ["figure"]


@pytest.mark.parametrize(
    ("cell", "lines"), [("worse", [f"Down {n}" for n in range(1, 10)]), ("7", ["Foot", "Horse"])]
)
def test_wide_table_of_words_is_turned_and_one_of_numbers_is_not(
    content: Path, cell: str, lines: list[str]
) -> None:
    columns = "".join(f"  - {{id: down-{n}, label: Down {n}}}\n" for n in range(1, 10))
    rows = "".join(
        f"  - {{id: {label.lower()}, label: {label}, cells: [{', '.join([cell] * 9)}]}}\n"
        for label in ("Foot", "Horse")
    )
    form = "form: number\n" if cell.isdecimal() else ""
    (content / "tables" / "shifts.yaml").write_text(
        f"id: shifts\ntitle: Shifts\nkind: grid\nchapter: forces\nsource: L1\n{form}"
        f"columns:\n{columns}rows:\n{rows}",
        encoding="utf-8",
    )
    write(content, "05-morale.md", "{table: shifts}")

    tables = [each for part in book(content).chapters for each in part.tables]

    (shifts,) = [each.view for each in tables if each.view.id == "shifts"]
    assert [line.label for line in shifts.lines] == lines
