"""Tests of the data of sheets: blocks, footnotes, phases, and what an army leaves out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from muster.armies import Army
from muster.armies.army_file import army_from_document
from muster.documents.page_look import PageLook
from muster.documents.rulebook import gather_rulebook, read_editions
from muster.documents.sheet import Sheet, SheetBlock, gather_sheet
from muster.documents.table_view import Footnotes, TableView, view_table
from muster.problems import MusterError
from muster.systems import Library, System
from muster.systems.symbols import house_symbols
from muster.yamlfile import document_from_text
from tests.scaffold import SYSTEM, spoil

SHEET = "sheets/quick-reference.yaml"


def opened(content: Path) -> System:
    return Library(content.parent.parent).system(SYSTEM)


def blocks(sheet: Sheet) -> dict[str, SheetBlock]:
    return {block.title: block for side in sheet.sides for block in side.blocks}


def views(sheet: Sheet) -> dict[str, TableView]:
    return {view.id: view for block in blocks(sheet).values() for view in block.views}


def one_block_sheet(content: Path, block: str) -> Sheet:
    """Return a sheet of one block."""
    path = content / SHEET
    head = path.read_text(encoding="utf-8").partition("    blocks:")[0]
    path.write_text(f"{head}    blocks:\n      - {block}\n", encoding="utf-8")
    return gather_sheet(opened(content))


def test_blocks_stand_in_the_order_of_the_sheet_file(system: System) -> None:
    sheet = gather_sheet(system)

    assert list(blocks(sheet)) == ["The turn", "Movement", "Shooting", "Morale test", "Terms"]
    assert (sheet.title, sheet.subtitle, sheet.orientation) == (
        *("Club rules", "Quick reference", "portrait"),
    )
    assert (sheet.scale, sheet.unit, sheet.army) == ("28 mm figures", "centimetres", "")


def test_convention_stands_on_the_sides_that_have_one_of_its_tables(content: Path) -> None:
    spoil(
        content / "system.yaml",
        "conventions:\n",
        "conventions:\n"
        "  - {text: Look it up., tables: [movement, points]}\n"
        "  - {text: Never here., tables: [points]}\n",
    )

    sheet = gather_sheet(opened(content))

    assert "Look it up." in sheet.conventions
    assert "Never here." not in sheet.conventions
    for side in sheet.sides:
        has_table = any(view.id == "movement" for block in side.blocks for view in block.views)
        assert ("Look it up." in side.conventions) == has_table


def test_scale_that_is_not_stated_is_not_named(content: Path) -> None:
    spoil(content / "system.yaml", "id: 28mm, title: 28 mm figures", "id: any, title: not stated")

    assert gather_sheet(opened(content)).scale == ""


def test_every_form_is_chosen_by_what_the_table_holds(system: System) -> None:
    forms = {key: view.form for key, view in views(gather_sheet(system)).items()}

    assert forms == {
        "turn-sequence": "steps",
        "movement": "grid",
        "ranges": "grid",
        "hits": "grid",
        "shooting-modifiers": "pairs",
        "morale-test": "outcomes",
        "terms": "terms",
    }


@pytest.mark.parametrize(
    ("value", "form"), [("3", "pairs"), ("always", "outcomes"), ("when engaged there", "outcomes")]
)
def test_words_of_a_definition_stand_beside_it(value: str, form: str, content: Path) -> None:
    (content / "tables" / "reach.yaml").write_text(
        "id: reach\ntitle: Reach\nkind: definitions\nchapter: turn\nsource: L1\n"
        f"rows: [{{id: a, label: A, value: {value}}}]\n",
        encoding="utf-8",
    )

    assert views(one_block_sheet(content, "{table: reach}"))["reach"].form == form


def test_diagram_becomes_a_figure(content: Path) -> None:
    path = content / "tables" / "square.yaml"
    path.write_text(
        "id: square\ntitle: Square\nkind: diagram\nchapter: turn\nsource: L1\n"
        'caption: All round.\nkey: {F: foot}\nranks: ["F F", "F"]\n',
        encoding="utf-8",
    )

    figure = views(one_block_sheet(content, "{table: square}"))["square"].figure

    assert figure is not None
    assert figure.ranks == (("F", "F"), ("F", "."))
    assert (figure.key, figure.caption) == ((("F", "foot"),), "All round.")


def test_head_of_one_table_is_the_tables_own(system: System) -> None:
    by_title = blocks(gather_sheet(system))

    assert by_title["Morale test"].remark == "2D6 for each unit with losses"
    assert (by_title["Shooting"].remark, by_title["Shooting"].tone) == ("", "fire")
    assert by_title["Terms"].tone == "neutral"


def test_block_may_say_its_own_head_and_text(content: Path) -> None:
    block = "{title: Mine, remark: too, tone: melee, text: Some **text**., table: terms, fold: 2}"

    (own,) = blocks(one_block_sheet(content, block)).values()

    assert (own.title, own.remark, own.tone, own.text) == (
        *("Mine", "too", "melee", "Some **text**."),
    )


def test_block_of_text_needs_no_table(content: Path) -> None:
    (own,) = blocks(one_block_sheet(content, "{title: Mine, text: Some text.}")).values()

    assert (own.id, own.tone, own.views) == ("text", "neutral", ())


def test_rows_that_are_named_print_alone(content: Path) -> None:
    view = views(one_block_sheet(content, "{table: movement, rows: [horse]}"))["movement"]

    assert [line.label for line in view.lines] == ["Horse"]


def test_rows_that_are_named_stand_in_that_order(content: Path) -> None:
    view = views(one_block_sheet(content, "{table: movement, rows: [guns, foot]}"))["movement"]

    assert [line.label for line in view.lines] == ["Guns", "Foot"]


def test_short_texts_take_the_place_of_long_ones(content: Path) -> None:
    short = views(gather_sheet(opened(content)))["turn-sequence"].lines[0].cells[0].text
    full = (
        views(one_block_sheet(content, "{table: turn-sequence}"))["turn-sequence"].lines[0].cells[0]
    )

    assert short == "Fewer units first."
    assert full.text == "Both sides move, the side with fewer units first."


def test_steps_are_numbered_by_depth(system: System) -> None:
    lines = views(gather_sheet(system))["turn-sequence"].lines

    assert [(line.number, line.depth) for line in lines] == [
        *(("1", 0), ("2", 0), ("a", 1), ("b", 1), ("3", 0)),
    ]


def test_shades_grow_with_the_number(content: Path) -> None:
    view = views(one_block_sheet(content, "{table: hits, shade: true}"))["hits"]

    assert [[cell.shade for cell in line.cells] for line in view.lines] == [
        [0, 0, 2],
        [0, 2, 2],
        [2, 2, 4],
        [2, 4, 6],
    ]


def test_table_of_zeros_has_no_shade(content: Path) -> None:
    path = content / "tables" / "hits.yaml"
    text = path.read_text(encoding="utf-8")
    for row in ("[0, 0, 1]", "[0, 1, 1]", "[1, 1, 2]", "[1, 2, 3]"):
        text = text.replace(row, "[0, 0, 0]")
    path.write_text(text, encoding="utf-8")

    view = views(one_block_sheet(content, "{table: hits, shade: true}"))["hits"]

    assert {cell.shade for line in view.lines for cell in line.cells} == {0}


def test_turned_table_swaps_rows_and_columns(content: Path) -> None:
    view = views(one_block_sheet(content, "{table: movement, turn: [movement]}"))["movement"]

    assert [head.label for head in view.heads] == ["Foot", "Horse", "Guns"]
    assert [line.label for line in view.lines] == ["Open", "Rough"]
    assert [cell.kind for cell in view.lines[1].cells] == ["number", "number", "dash"]


def test_sheet_has_labels_of_its_own_and_leaves_rows_and_columns_out(content: Path) -> None:
    block = "{table: movement, labels: {foot: On foot, open: Clear}, without: [horse, rough]}"

    view = views(one_block_sheet(content, block))["movement"]

    assert [head.label for head in view.heads] == ["Clear"]
    assert [line.label for line in view.lines] == ["On foot", "Guns"]


def test_joined_tables_are_one_with_a_head_for_each(content: Path) -> None:
    labels = "labels: {close: Open, far: Rough}, without: [dice]"
    block = f"{{title: Both, tables: [movement, ranges], joined: true, {labels}}}"

    (view,) = one_block_sheet(content, block).sides[0].blocks[0].views

    assert (view.id, view.joined) == ("movement", ("ranges",))
    assert [head.label for head in view.heads] == ["Open", "Rough"]
    assert [line.group for line in view.lines] == ["Movement", "", "", "Ranges", "", ""]


def test_single_rows_of_one_name_have_the_titles_of_their_joined_tables(
    content: Path,
) -> None:
    labels = "labels: {close: Open, far: Rough}, without: [dice, horse, guns]"
    block = f"{{title: Both, tables: [movement, ranges], joined: true, {labels}}}"

    (view,) = one_block_sheet(content, block).sides[0].blocks[0].views

    assert [(line.group, line.label) for line in view.lines] == [("", "Movement"), ("", "Ranges")]


def test_formula_among_words_stays_on_one_line(content: Path) -> None:
    path = content / "tables" / "terms.yaml"
    text = path.read_text(encoding="utf-8").replace("Close enough to be led.", "−(D6 + 2)")
    path.write_text(text.replace("cover for those", "D6 + 2 for those"), encoding="utf-8")

    near, rough = (
        line.cells[1].text for line in views(gather_sheet(opened(content)))["terms"].lines
    )

    assert near == "−(D6\u00a0+\u00a02)"
    assert "D6 + 2 for those" in rough


def view_of_modifiers(content: Path, good: str, values: Sequence[str]) -> TableView:
    """Return a table of modifiers as a sheet shows it, given its values as written."""
    path = content / "tables" / "shooting-modifiers.yaml"
    head = path.read_text(encoding="utf-8").partition("rows:")[0]
    head = re.sub("good: .*", f"good: {good}", head)
    rows = [f"  - {{id: m{n}, label: M{n}, value: {value}}}" for n, value in enumerate(values)]
    path.write_text("\n".join([f"{head}rows:", *rows, ""]), encoding="utf-8")

    return views(one_block_sheet(content, "{table: shooting-modifiers}"))["shooting-modifiers"]


@pytest.mark.parametrize(("good", "banded"), [("high", "+++--"), ("low", "++---")])
def test_modifiers_that_help_stand_first_and_are_banded(
    good: str, banded: str, content: Path
) -> None:
    view = view_of_modifiers(content, good, ("-1", "-1", "+1", "+2", "+2"))

    assert "".join("+" if line.banded else "-" for line in view.lines) == banded


@pytest.mark.parametrize(
    ("good", "order"),
    [("high", "|+D6|+2|+1|−1|−D6|–"), ("low", "|−D6|−1|+1|+2|+D6|–")],
)
def test_dice_stand_at_the_ends_of_modifiers_and_dashes_last(
    good: str, order: str, content: Path
) -> None:
    view = view_of_modifiers(content, good, ("–", "-d6", "+1", "+d6", "-1", "blank", "+2"))

    assert "|".join(line.cells[0].text for line in view.lines) == order


def test_folded_list_has_parts(content: Path) -> None:
    by_id = views(one_block_sheet(content, "{table: shooting-modifiers, fold: 2}"))

    assert [len(part) for part in by_id["shooting-modifiers"].parts] == [2, 1]


def test_column_mostly_of_words_has_its_head_marked(content: Path) -> None:
    path = content / "tables" / "movement.yaml"
    text = path.read_text(encoding="utf-8")
    mixed = text.replace("[15cm, 10cm]", "[15cm, {text: slow}]").replace(
        "[25cm, 10cm]", "[{text: fast}, {text: slow}]"
    )
    path.write_text(mixed, encoding="utf-8")

    view = views(gather_sheet(opened(content)))["movement"]

    # Words beside as many lengths are centred with them; words alone stand left under their head.
    assert [head.kind for head in view.heads] == ["text", "words"]


def test_listed_table_runs_on_in_words(content: Path) -> None:
    assert (
        views(one_block_sheet(content, "{table: movement, listed: true}"))["movement"].form
        == "listed"
    )


def test_blank_cell_is_a_box_with_its_footnote(system: System) -> None:
    sheet = gather_sheet(system)

    cell = views(sheet)["ranges"].lines[2].cells[1]
    assert (cell.kind, cell.text, cell.marks) == ("blank", "", ("a",))
    (note,) = sheet.sides[0].footnotes
    assert (note.mark, note.text) == ("a", "The far range of guns is for you to fill in.")


ERRATUM = """
  - id: {id}
    lines: L1
    places: [{place}]
    printed: "x"
    read: {read}
    reason: Because it is so.
    treatment: {treatment}
    certainty: open
    sheet: {read}
"""


def test_footnotes_are_numbered_as_they_are_met(content: Path) -> None:
    path = content / "errata.yaml"
    kinds = [
        ("late", "{table: morale-test}", "Late", "reading"),
        ("slip", "{table: movement, row: foot}", "A slip", "slip"),
        (
            "early",
            "{table: movement, row: foot}, {table: ranges, column: far}",
            "Early.",
            "reading",
        ),
        ("doubt", "{table: movement, column: open}", "As printed", "printed"),
    ]
    more = "".join(
        ERRATUM.format(id=key, place=place, read=read, treatment=treatment)
        for key, place, read, treatment in kinds
    )
    path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")

    sheet = gather_sheet(opened(content))

    assert [note.text for note in sheet.sides[0].footnotes] == [
        "As printed",
        "Early.",
        "The far range of guns is for you to fill in.",
        "Late",
    ]
    by_id = views(sheet)
    assert (by_id["movement"].heads[0].marks, by_id["movement"].lines[0].marks) == (("a",), ("b",))
    assert by_id["ranges"].heads[1].marks == ("b",)
    assert by_id["morale-test"].marks == ("d",)


def test_erratum_without_words_for_sheets_is_left_to_the_book(content: Path) -> None:
    spoil(content / "errata.yaml", "    sheet: The far range of guns is for you to fill in.\n", "")
    system = opened(content)

    sheet = gather_sheet(system)

    assert sheet.sides[0].footnotes == ()
    assert views(sheet)["ranges"].lines[2].cells[1].marks == ()
    book = Footnotes(system)
    assert view_table(system.table("ranges"), book).lines[2].cells[1].marks == ("1",)
    assert [note.text for note in book.notes()] == ["The far range of guns is for you to fill in."]


def test_book_of_a_place_as_printed_says_why_it_is_in_doubt(content: Path) -> None:
    path = content / "errata.yaml"
    doubt = ERRATUM.format(
        id="doubt", place="{table: terms}", read="As printed", treatment="printed"
    )
    path.write_text(path.read_text(encoding="utf-8") + doubt, encoding="utf-8")
    system = opened(content)

    book = Footnotes(system)
    view_table(system.table("terms"), book)

    assert [note.text for note in book.notes()] == ["As printed: because it is so."]


def test_notes_of_the_book_stand_on_no_sheet(content: Path) -> None:
    path = content / "tables" / "terms.yaml"
    both = "notes: [For play.]\nbook-notes: [About the text.]\n"
    path.write_text(path.read_text(encoding="utf-8") + both, encoding="utf-8")
    system = opened(content)

    assert blocks(gather_sheet(system))["Terms"].notes == ("For play.",)
    in_book = view_table(system.table("terms"), Footnotes(system))
    assert in_book.notes == ("For play.", "About the text.")


def test_block_may_have_a_formula_and_no_number(content: Path) -> None:
    plain = gather_sheet(opened(content))
    block = '{table: terms, number: false, formula: "2D6 + 5 cm"}'
    (own,) = blocks(one_block_sheet(content, block)).values()

    assert [view.number for view in blocks(plain)["Terms"].views] != [""]
    assert blocks(plain)["Terms"].formula == ""
    assert (own.formula, [view.number for view in own.views]) == ("2D6 + 5 cm", [""])


def test_drawings_stand_side_by_side_with_words_for_who_cannot_see_them(content: Path) -> None:
    path = content / "tables" / "arcs.yaml"
    path.write_text(
        "id: arcs\ntitle: Arcs\nkind: diagram\nchapter: turn\nsource: L1\n"
        "key: {^: ahead, v: back}\ndrawings:\n"
        "  - {label: Guns, arc: 22.5°}\n"
        "  - {label: Drift, rose: [1, blank, 3]}\n"
        '  - {label: Routing, ranks: ["^ ^ v", ". v"], spacing: open}\n',
        encoding="utf-8",
    )

    figure = views(one_block_sheet(content, "{table: arcs}"))["arcs"].figure

    assert figure is not None
    assert figure.ranks == ()
    assert [drawing.label for drawing, _ in figure.drawings] == ["Guns", "Drift", "Routing"]
    assert [words for _, words in figure.drawings] == [
        "Guns: an arc of 22.5° to the front",
        "Drift: 3 directions, clockwise from straight ahead: 1, a box to fill in, 3",
        "Routing: rank 1: 2 × ahead, 1 × back; rank 2: 1 × gap, 1 × back, 1 × gap",
    ]


def test_marks_of_a_lone_column_stand_at_the_title(content: Path) -> None:
    path = content / "errata.yaml"
    more = ERRATUM.format(
        id="column", place="{table: morale-test, column: result}", read="So", treatment="reading"
    )
    path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")

    assert views(gather_sheet(opened(content)))["morale-test"].marks == ("b",)


def test_phases_of_a_side_are_flagged(content: Path) -> None:
    sheet = one_block_sheet(content, "{table: movement}")

    assert [(phase.title, phase.here) for phase in sheet.sides[0].phases] == [
        *(("Movement", True), ("Shooting", False), ("Morale", False)),
    ]


def test_block_for_armies_stands_on_their_sheets_only(content: Path) -> None:
    own = "{table: movement}\n      - {table: hits, army: true}"

    system_sheet = one_block_sheet(content, own)

    system = opened(content)
    army = army_from_document(
        document_from_text(f"system: {SYSTEM}\nbook: first-book\n", "army.yaml"),
        Library(content.parent.parent),
    )
    army_sheet = gather_sheet(system, army=army)
    assert list(views(system_sheet)) == ["movement"]
    assert list(views(army_sheet)) == ["movement", "hits"]
    here = {phase.title: phase.here for phase in system_sheet.sides[0].phases}
    assert here["Shooting"] is False


def test_sheet_of_nothing_but_blocks_for_armies_is_refused(content: Path) -> None:
    with pytest.raises(MusterError) as caught:
        one_block_sheet(content, "{table: hits, army: true}")

    assert [problem.code for problem in caught.value.problems] == ["empty-sheet"]


def test_every_dangling_reference_is_reported_at_its_place(content: Path) -> None:
    spoil(content / SHEET, "{table: movement}", "{table: movment, rows: [x]}")
    spoil(content / SHEET, "ranges, hits,", "ranges, hitz,")
    spoil(content / SHEET, "{table: terms}", "{table: terms, rows: [near, camels]}")

    with pytest.raises(MusterError) as caught:
        gather_sheet(opened(content))

    reports = [(p.code, p.location.line, p.line_text.strip()[:20]) for p in caught.value.problems]
    assert reports == [
        ("unknown-table", 11, "- {table: movment, r"),
        ("unknown-table", 12, "- {title: Shooting, "),
        ("unknown-row", 14, "- {table: terms, row"),
    ]
    assert all(p.location.file.endswith(SHEET) for p in caught.value.problems)
    assert "did you mean 'movement'" in caught.value.problems[0].text


def test_fault_of_a_table_is_reported_in_its_own_file(content: Path) -> None:
    spoil(content / "tables" / "movement.yaml", "25cm", "25furlongs")

    with pytest.raises(MusterError) as caught:
        gather_sheet(opened(content))

    (problem,) = caught.value.problems
    assert problem.location.file.endswith("movement.yaml")


# For one army


def army_of(content: Path, units: str) -> Army:
    text = f"system: {SYSTEM}\nname: The army\ngeneral: {{name: Long}}\nunits: {units}\n"
    document = document_from_text(text, "army.yaml")
    return army_from_document(document, Library(content.parent.parent))


FOOT = "[{unit: foot, name: Reds, stands: 4}]"
GUNS = "[{unit: guns, stands: 1}]"


def test_army_of_one_nation_has_a_sheet_in_its_colour(content: Path) -> None:
    spoil(content / "system.yaml", "chapters:\n", 'look: {accent: "#7a1f2b"}\nchapters:\n')
    cards = (content / "cards.yaml").read_text(encoding="utf-8")
    rules = '{colour: "#123456", where: {arm: [guns]}}, {colour: "#654321"}'
    (content / "cards.yaml").write_text(f"{cards}colours: [{rules}]\n", encoding="utf-8")

    armies = {units: army_of(content, units) for units in (GUNS, FOOT, f"{FOOT[:-1]}, {GUNS[1:]}")}

    # A colour for all that is not named is no nation's.
    accents = [gather_sheet(opened(content), army=army).look.accent for army in armies.values()]
    assert accents == ["#123456", "#7a1f2b", "#7a1f2b"]


@pytest.mark.parametrize(
    ("only_for", "units", "kept"),
    [
        ("{arm: [guns]}", FOOT, False),
        ("{arm: [guns]}", GUNS, True),
        ("{arm: [horse, guns]}", GUNS, True),
        ("{arm: [guns], stands: ['1']}", GUNS, True),
        ("{arm: [guns], stands: ['2']}", GUNS, False),
        (
            "{arm: [foot], stands: ['1']}",
            "[{unit: foot, stands: 4}, {unit: guns, stands: 1}]",
            False,
        ),
        ("[{arm: [horse]}, {stands: ['1']}]", GUNS, True),
        ("[{arm: [horse]}, {stands: ['2']}]", GUNS, False),
        ("{type: [general]}", FOOT, True),
    ],
)
def test_part_concerns_armies_with_a_unit_that_meets_its_filter(
    content: Path, only_for: str, units: str, *, kept: bool
) -> None:
    movement = content / "tables" / "movement.yaml"
    spoil(movement, "label: Guns,", f"label: Guns, for: {only_for},")
    spoil(movement, "label: Rough}", f"label: Rough, for: {only_for}}}")
    with movement.open("a", encoding="utf-8") as file:
        file.write(f"notes: [For all., {{text: For some., for: {only_for}}}]\n")
    army = army_of(content, units)

    view = views(gather_sheet(army.system, army=army))["movement"]

    assert ([line.label for line in view.lines] == ["Foot", "Horse", "Guns"]) is kept
    assert ([head.label for head in view.heads] == ["Open", "Rough"]) is kept
    assert (view.notes == ("For all.", "For some.")) is kept
    everything = views(gather_sheet(army.system))["movement"]
    assert (len(everything.lines), len(everything.heads), len(everything.notes)) == (3, 2, 2)


def test_table_side_and_units_of_other_armies_are_left_out(content: Path) -> None:
    spoil(content / "tables" / "morale-test.yaml", "dice: 2d6", "dice: 2d6\nfor: {arm: [guns]}")
    army = army_of(content, FOOT)

    sheet = gather_sheet(army.system, army=army)

    assert sheet.army == "The army"
    assert "Morale test" not in blocks(sheet)
    assert gather_sheet(army.system).units == ()


def test_side_without_anything_left_is_left_out(content: Path) -> None:
    one_block_sheet(content, "{table: movement}")
    spoil(
        content / "tables" / "movement.yaml", "form: distance", "form: distance\nfor: {arm: [guns]}"
    )
    army = army_of(content, FOOT)

    assert gather_sheet(army.system, army=army).sides == ()


def test_erratum_without_words_for_play_is_in_the_book_alone(content: Path) -> None:
    path = content / "errata.yaml"
    spoil(path, "    sheet: The far range of guns is for you to fill in.\n", "")

    sheet = gather_sheet(opened(content))

    assert sheet.sides[0].footnotes == ()
    assert views(sheet)["ranges"].lines[2].cells[1].marks == ()
    edition = read_editions(opened(content))[0]
    tables = gather_rulebook(opened(content), edition).tables
    (ranges,) = (table for table in tables if table.view.id == "ranges")
    assert [note.mark for note in ranges.footnotes] == ["a"]


def test_book_notes_are_not_on_sheets(content: Path) -> None:
    path = content / "tables" / "movement.yaml"
    with path.open("a", encoding="utf-8") as table:
        table.write("book-notes: [The source is torn here.]\n")

    sheet_notes = views(gather_sheet(opened(content)))["movement"].notes
    edition = read_editions(opened(content))[0]
    book = gather_rulebook(opened(content), edition)

    (movement,) = (table for table in book.tables if table.view.id == "movement")
    assert movement.view.notes == (*sheet_notes, "The source is torn here.")


def test_block_may_be_the_main_table_with_a_formula(content: Path) -> None:
    block = "{table: hits, main: true, formula: 1D6 + Fire − DF}"

    (own,) = blocks(one_block_sheet(content, block)).values()

    assert (own.main, own.formula) == (True, "1D6 + Fire − DF")
    assert [line.ruled for line in own.views[0].lines] == [False, False, True, False]


def test_phases_and_their_blocks_have_a_sign(content: Path) -> None:
    spoil(content / "system.yaml", "tone: fire}", "tone: fire, sign: gun}")

    sheet = gather_sheet(opened(content))

    signs = {phase.title: phase.sign for phase in sheet.sides[0].phases}
    assert signs["Movement"] == house_symbols()["arrow"]
    assert signs["Shooting"] == house_symbols()["gun"]
    by_title = blocks(sheet)
    assert by_title["Shooting"].sign == house_symbols()["gun"]
    assert by_title["Terms"].sign == ""


def test_look_is_that_of_the_system(content: Path) -> None:
    plain = gather_sheet(opened(content)).look
    spoil(
        content / "system.yaml",
        "chapters:\n",
        'look: {accent: "#7A1F2B", masthead: band, ornament: M0 0 H9 V9 Z, arms: [foot]}\n'
        "chapters:\n",
    )

    assert plain == PageLook()
    assert gather_sheet(opened(content)).look == PageLook(
        "#7a1f2b", "band", "M0 0 H9 V9 Z", (house_symbols()["foot"],)
    )
