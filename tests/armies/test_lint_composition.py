"""Test the checks on compositions, books, rolls and cards: a sample trips each of them.

Problems within a composition file are tested in `test_composition`.
"""

import shutil
from pathlib import Path
from typing import Final

import pytest

from muster.armies.lint_composition import lint_armies
from muster.systems import open_system
from tests.scaffold import lay_out, spoil


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return lay_out(tmp_path)


def found(content: Path) -> list[tuple[str, str]]:
    return [(issue.severity, issue.problem.code) for issue in lint_armies(open_system(content))]


def test_sound_composition_has_no_issue(content: Path) -> None:
    assert found(content) == []


def test_system_without_a_composition_is_checked_for_unused_tables_only(content: Path) -> None:
    (content / "composition.yaml").unlink()

    problems = [issue.problem for issue in lint_armies(open_system(content))]

    # Prices and sizes are for armies, and there are none.
    assert {problem.code for problem in problems} <= {"unused-table"}
    assert {Path(each.location.file).stem for each in problems} <= {"points", "unit-sizes"}


COMPOSITION: Final = "composition.yaml"
CARDS: Final = "cards.yaml"
BOOK: Final = "books/first-book.yaml"
WHERE: Final = "        where: {arm: [foot, guns]}"
"""The filter of a block of cards."""
OPEN: Final = "- {table: movement, row: {field: arm}, column: open}"
WITH_HORSES: Final = """\
    attributes: {arm: guns}
    size: stands
    fields:
      stands: {form: whole, title: Stands, required: true}
      horses: {form: whole, title: Horses}
"""
BROKEN: Final = {
    "composition that cannot be read": (COMPOSITION, "levels:", "tiers:", "error", "unknown-key"),
    "unknown table": (
        COMPOSITION,
        "{table: points, row: foot}",
        "{table: prices, row: foot}",
        "error",
        "unknown-table",
    ),
    "unknown row": (
        COMPOSITION,
        "{table: points, row: foot}",
        "{table: points, row: feet}",
        "error",
        "unknown-row",
    ),
    "unknown column": (
        COMPOSITION,
        "{table: points, row: foot}",
        "{table: points, row: foot, column: each}",
        "error",
        "unknown-column",
    ),
    "one column of several": (
        COMPOSITION,
        "{table: points, row: foot}",
        "{table: movement, row: foot}",
        "error",
        "column-needed",
    ),
    "field that leads nowhere": (
        COMPOSITION,
        "{table: unit-sizes, row: {field: arm}}",
        "{table: unit-sizes, row: {field: level}}",
        "error",
        "unknown-row",
    ),
    "attribute value that leads nowhere": (
        COMPOSITION,
        "attributes: {arm: horse}",
        "attributes: {arm: cavalry}",
        "error",
        "unknown-row",
    ),
    "option whose field leads nowhere": (
        COMPOSITION,
        "{table: points, row: veteran}",
        "{table: points, row: {field: level}}",
        "error",
        "unknown-row",
    ),
    "value that nothing has": (
        COMPOSITION,
        "of: {where: {arm: [guns]}}",
        "of: {where: {arm: [cannon]}}",
        "warning",
        "unknown-value",
    ),
    "type that nothing is": (
        COMPOSITION,
        "of: {where: {arm: [guns]}}",
        "of: {where: {type: [cannon]}}",
        "error",
        "unknown-value",
    ),
    "leader of nothing": (
        COMPOSITION,
        "  - id: foot\n",
        "  - {id: aide, title: Aide, level: leader}\n  - id: foot\n",
        "warning",
        "unused-entry",
    ),
    "option without effect": (
        COMPOSITION,
        "options:\n",
        "options:\n  - {id: drums, title: Drums}\n",
        "warning",
        "unused-option",
    ),
    "attribute that nothing uses": (
        COMPOSITION,
        "    attributes: {arm: horse}",
        "    attributes: {arm: horse, hat: tall}",
        "warning",
        "unused-attribute",
    ),
    "attribute of an option that nothing uses": (
        COMPOSITION,
        "    title: Veterans\n",
        "    title: Veterans\n    attributes: {hat: tall}\n",
        "warning",
        "unused-attribute",
    ),
    "field that nothing uses": (
        COMPOSITION,
        "    attributes: {arm: guns}\n    size: stands\n    fields: *stands\n",
        WITH_HORSES,
        "warning",
        "unused-field",
    ),
    "roster's leader": (
        CARDS,
        "roster:",
        "leaders: [{label: Arm, values: [{table: points, row: {field: leg}}]}]\nroster:",
        "error",
        "unknown-field",
    ),
    "book's type": (BOOK, "type: horse", "type: hors", "error", "unknown-type"),
    "book's option": (BOOK, "options: [veteran]", "options: [vet]", "error", "unknown-option"),
    "cards that cannot be read": (CARDS, "cards:\n", "card:\n", "error", "unknown-key"),
    "card for nothing": (CARDS, "level: unit", "level: wagon", "warning", "unused-card"),
    "card's filter": (CARDS, WHERE, WHERE.replace("arm", "arms"), "error", "unknown-field"),
    "card's filter value": (CARDS, WHERE, WHERE.replace("guns", "gun"), "warning", "unknown-value"),
    "card's boxes": (CARDS, "count: stands", "count: figures", "error", "unknown-field"),
    "card's boxes of a word": (CARDS, "count: stands", "count: arm", "warning", "no-loss-boxes"),
    "mark's filter": (
        CARDS,
        "label: half}",
        "label: half, where: {arms: [foot]}}",
        "error",
        "unknown-field",
    ),
    "mark's meaning": (
        CARDS,
        "label: half}",
        "label: half, meaning: {table: movement, row: feet, column: open}}",
        "error",
        "unknown-row",
    ),
    "remark of boxes": (
        CARDS,
        "      marks:",
        "      remark: {join: [{field: leg}, {words: each}]}\n      marks:",
        "error",
        "unknown-field",
    ),
    "block for a lone unit": (
        CARDS,
        "    blocks:\n",
        "    lone: [{rows: [{values: [{field: leg}]}]}]\n    blocks:\n",
        "error",
        "unknown-field",
    ),
    "card's table": (
        CARDS,
        f"              {OPEN}",
        f"              {OPEN.replace('movement', 'moves')}",
        "error",
        "unknown-table",
    ),
    "card's row": (
        CARDS,
        f"              {OPEN}",
        f"              {OPEN.replace('{field: arm}', 'feet')}",
        "error",
        "unknown-row",
    ),
    "card's column": (
        CARDS,
        f"              {OPEN}",
        f"              {OPEN.replace('open', 'wide')}",
        "error",
        "unknown-column",
    ),
    "card's one column of several": (
        CARDS,
        f"              {OPEN}",
        f"              {OPEN.replace(', column: open', '')}",
        "error",
        "column-needed",
    ),
    "card's row that no unit has": (
        CARDS,
        f"              {OPEN}",
        f"              {OPEN.replace('arm', 'level')}",
        "error",
        "unknown-row",
    ),
    "card's row field": (
        CARDS,
        f"              {OPEN}",
        f"              {OPEN.replace('arm', 'leg')}",
        "error",
        "unknown-field",
    ),
    "card's field in a sum": (
        CARDS,
        f"              {OPEN}",
        "              - sum: [{field: stands}, {field: figures}]",
        "error",
        "unknown-field",
    ),
    "card's field in a share": (
        CARDS,
        f"              {OPEN}",
        "              - {share: 50%, of: {field: figures}}",
        "error",
        "unknown-field",
    ),
    "roster's column": (
        CARDS,
        "Mv, title: Move in the open, value: {table: movement,",
        "Mv, title: Move in the open, value: {table: move,",
        "error",
        "unknown-table",
    ),
    "table's filter": (
        "tables/movement.yaml",
        "cells: [25cm, 10cm]}",
        "cells: [25cm, 10cm], for: {legs: [four]}}",
        "error",
        "unknown-attribute",
    ),
    "table's filter value": (
        "tables/movement.yaml",
        "chapter: movement",
        "chapter: movement\nfor: {arm: [camels]}",
        "warning",
        "unknown-value",
    ),
    "column's filter value": (
        "tables/movement.yaml",
        "{id: rough, label: Rough}",
        "{id: rough, label: Rough, for: {arm: [camels]}}",
        "warning",
        "unknown-value",
    ),
    "filter of a part of a remark": (
        "sheets/quick-reference.yaml",
        "{table: morale-test}",
        "{table: morale-test, remark: [all, {text: most, for: {legs: [four]}}]}",
        "error",
        "unknown-attribute",
    ),
    "filter of a convention": (
        "system.yaml",
        '- "Modifiers are added to the dice: plus is good."',
        "- {text: Plus is good., for: {arm: [camels]}}",
        "warning",
        "unknown-value",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_lint_finds(case: str, content: Path) -> None:
    file, old, new, severity, code = BROKEN[case]
    spoil(content / file, old, new)

    issues = lint_armies(open_system(content))

    assert (severity, code) in {(issue.severity, issue.problem.code) for issue in issues}
    assert all(issue.problem.location.line is not None for issue in issues)


SOUND: Final = {
    "price whose filter leaves only rows that are there": (
        COMPOSITION,
        "price: [{each: {table: points, row: veteran}, times: stands, label: Veterans}]",
        "price: [{each: {table: points, row: {field: arm}}, times: stands, where: {arm: [foot]}}]",
    ),
    "option whose field leads somewhere for some": (
        COMPOSITION,
        "{table: points, row: veteran}",
        "{table: points, row: {field: arm}}",
    ),
    "field that only a list or a book knows": (
        COMPOSITION,
        "{table: unit-sizes, row: {field: arm}}",
        "{table: unit-sizes, row: {field: unit}}",
    ),
    "cards without a file": (CARDS, "", ""),
    "filter by what a book says": (
        BOOK,
        "nation: first",
        "nation: first\nattributes: {drill: old}",
    ),
    "filter by what is not there": (CARDS, WHERE, WHERE.replace("guns", "none")),
    "card for a level of command": (CARDS, "level: unit", "level: army"),
    "fields of a sum": (
        CARDS,
        f"              {OPEN}",
        "              - sum: [{field: stands}, {number: '2'}]",
    ),
}


@pytest.mark.parametrize("case", SOUND)
def test_lint_accepts(case: str, content: Path) -> None:
    file, old, new = SOUND[case]
    if old:
        spoil(content / file, old, new)
    else:
        (content / file).unlink()

    assert found(content) == []


def test_parts_for_one_kind_of_unit_have_a_filter_wherever_any_has(content: Path) -> None:
    movement = content / "tables" / "movement.yaml"
    for row, kind in (("15cm, 10cm", "foot"), ("25cm, 10cm", "horse")):
        spoil(movement, f"[{row}]}}", f"[{row}], for: {{arm: [{kind}]}}}}")

    issues = [issue.problem for issue in lint_armies(open_system(content))]

    places = [(each.location.file.rpartition("/")[2], each.location.line) for each in issues]
    assert places == [("movement.yaml", 12), *(("ranges.yaml", line) for line in (11, 12, 13))]
    assert {issue.code for issue in issues} == {"no-filter"}
    assert "the row 'guns' of “Movement” is for one arm only" in issues[0].text
    spoil(movement, "[10cm, –]}", "[10cm, –], for: {type: [guns]}}")
    spoil(content / "tables" / "ranges.yaml", "kind: grid", "kind: grid\nfor: {arm: [foot, guns]}")
    assert found(content) == []


def test_column_for_one_kind_of_unit_is_found_too(content: Path) -> None:
    movement = content / "tables" / "movement.yaml"
    spoil(movement, "{id: open, label: Open}", "{id: foot, label: Open, for: {type: [foot]}}")
    spoil(movement, "{id: rough, label: Rough}", "{id: horse, label: Rough}")

    issues = [issue.problem for issue in lint_armies(open_system(content))]

    assert any("the column 'horse' of “Movement”" in issue.text for issue in issues)


def test_broken_table_is_left_to_the_checks_on_tables(content: Path) -> None:
    spoil(content / "tables" / "points.yaml", '["20"]', "[twenty]")
    spoil(content / "tables" / "movement.yaml", "[15cm, 10cm]", "[15cm]")

    assert found(content) == []


def test_broken_book_does_not_hide_other_issues(content: Path) -> None:
    spoil(content / "books" / "first-book.yaml", "type: horse", "type: hors")
    spoil(content / COMPOSITION, "options:\n", "options:\n  - {id: drums, title: Drums}\n")

    assert found(content) == [("error", "unknown-type"), ("warning", "unused-option")]


def test_book_in_a_further_folder_is_checked_too(content: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "other.yaml").write_text("id: another\ntitle: Other\nunits: []\n", encoding="utf-8")

    issues = lint_armies(open_system(content), [own])

    assert {Path(issue.problem.location.file).name for issue in issues} == {"other.yaml"}


def test_profile_that_states_an_attribute_makes_it_possible(content: Path) -> None:
    spoil(content / BOOK, "type: horse}", "type: horse, attributes: {hat: tall}}")
    spoil(content / COMPOSITION, "of: {where: {arm: [guns]}}", "of: {where: {arm: [guns]}}")
    spoil(content / CARDS, WHERE, "        where: {hat: [tall]}")

    assert found(content) == []


def test_two_cards_of_one_id_are_found(content: Path) -> None:
    cards = content / CARDS
    text = cards.read_text(encoding="utf-8")
    card = text[text.index("  - id: unit\n") : text.index("roster:")]
    cards.write_text(text.replace("roster:", f"{card}roster:"), encoding="utf-8")

    assert found(content) == [("error", "duplicate-id")]


def test_levels_fields_and_books_make_values_possible(content: Path) -> None:
    spoil(
        content / COMPOSITION,
        "    title: Army\n",
        "    title: Army\n    fields: {season: {form: choice, of: {summer: Summer, ice: Ice}},"
        " late: {form: flag}, weather: {form: line}}\n",
    )
    spoil(content / BOOK, "nation: first", "nation: first\nattributes: {drill: old}")
    spoil(
        content / CARDS,
        WHERE,
        "        where:"
        " {season: [ice], late: ['true'], weather: [wet], drill: [old], nation: [first]}",
    )

    assert found(content) == []


def test_value_that_no_level_or_book_gives_is_a_warning(content: Path) -> None:
    spoil(content / BOOK, "nation: first", "nation: first\nattributes: {drill: old}")
    spoil(content / CARDS, WHERE, "        where: {drill: [older]}")

    assert found(content) == [("warning", "unknown-value")]


# Tables that nothing uses

SHEET: Final = "sheets/quick-reference.yaml"


def without_prose(content: Path) -> Path:
    shutil.rmtree(content / "prose", ignore_errors=True)
    return content


def test_table_that_nothing_names_is_a_warning(content: Path) -> None:
    spoil(without_prose(content) / SHEET, "      - {table: terms}\n", "")

    issues = lint_armies(open_system(content))

    assert [(issue.severity, issue.problem.code) for issue in issues] == [
        ("warning", "unused-table")
    ]
    assert issues[0].problem.location.file.endswith("terms.yaml")


@pytest.mark.parametrize(
    ("user", "table"), [("a card", "movement"), ("a price", "points"), ("a limit", "unit-sizes")]
)
def test_table_that_only_the_army_asks_for_is_used(user: str, table: str, content: Path) -> None:
    spoil(without_prose(content) / SHEET, "{table: movement}", "{title: A, text: B.}")
    sheet = (content / SHEET).read_text(encoding="utf-8")

    files = [issue.problem.location.file for issue in lint_armies(open_system(content))]

    assert f"table: {table}" not in sheet, user
    assert files == []


def test_table_that_only_a_roll_asks_for_is_used(content: Path) -> None:
    spoil(without_prose(content) / SHEET, "{table: morale-test}", "{title: A, text: B.}")
    unused = found(content)
    rolled = "{form: line, title: X, roll: {dice: 2d6, table: morale-test, take: result}}"
    old = "stands: {form: whole, title: Stands, one: stand, many: stands, required: true}"
    spoil(content / COMPOSITION, old, f"{old}\n      nerve: {rolled}")

    codes = [issue.problem.code for issue in lint_armies(open_system(content))]

    assert unused == [("warning", "unused-table")]
    assert "unused-table" not in codes


def test_prose_places_all_tables(content: Path) -> None:
    spoil(without_prose(content) / SHEET, "      - {table: terms}\n", "")
    (content / "prose").mkdir()
    (content / "prose" / "01-turn.md").write_text("A turn.\n", encoding="utf-8")

    assert found(content) == []


def test_sheet_that_cannot_be_read_may_use_any_table(content: Path) -> None:
    spoil(without_prose(content) / SHEET, "{table: terms}", "{tabel: terms}")

    assert found(content) == []


NO_COLOUR: Final = 'read nothing, expected a colour such as "#1d3f6e"'


def problems_of(content: Path) -> list[tuple[int | None, str]]:
    found = [issue.problem for issue in lint_armies(open_system(content))]
    return [(problem.location.line, problem.text) for problem in found]


def test_row_of_a_card_has_a_value_for_each_head(content: Path) -> None:
    spoil(content / CARDS, "heads: [Open, Rough]", "heads: [Open]")

    assert problems_of(content) == [(26, "read 2 values, expected 1, one for each head: Open")]


def test_unknown_field_of_a_cell_is_told_once(content: Path) -> None:
    spoil(content / CARDS, OPEN, OPEN.replace("arm}", "armm}"))

    assert problems_of(content) == [(26, "no unit has a field 'armm' (did you mean 'arm'?)")]


@pytest.mark.parametrize(
    ("colour", "expected"),
    [
        ('"#1F3A5F"', []),
        ("blue", [(5, "read 'blue', expected a colour such as \"#1d3f6e\"")]),
        (
            "#1f3a5f",
            [(5, f"{NO_COLOUR}; without quotes # begins a comment")],
        ),
        ("[red]", [(5, 'read a list, expected a colour such as "#1d3f6e"')]),
    ],
)
def test_colour_of_a_book(
    colour: str, expected: list[tuple[int | None, str]], content: Path
) -> None:
    book = content / BOOK
    lines = book.read_text(encoding="utf-8").splitlines()
    changed = [f"colour: {colour}" if line.startswith("colour:") else line for line in lines]
    book.write_text("\n".join(changed), encoding="utf-8")

    assert problems_of(content) == expected


def test_boxes_of_an_army_that_count_a_field_of_its_own_are_told(content: Path) -> None:
    field = "    fields: {breakpoint: {form: whole, title: Break point}}\n"
    spoil(content / COMPOSITION, "    title: Army\n", f"    title: Army\n{field}")
    spoil(content / CARDS, "level: unit", "level: army")
    spoil(content / CARDS, "count: stands", "count: breakpoint")

    (text,) = (text for _, text in problems_of(content))

    assert text == (
        "the boxes of a command count the sizes of its units, not 'breakpoint'; name the field "
        "with their size"
    )


BY_STANDS: Final = "row: {field: stands}"


def test_number_that_names_a_row_is_told(content: Path) -> None:
    spoil(content / COMPOSITION, "row: {field: arm}", BY_STANDS)
    spoil(content / "tables" / "unit-sizes.yaml", "id: foot, ", 'id: "4", ')

    (text,) = (text for _, text in problems_of(content) if text.startswith("stands"))

    assert text == (
        "stands can be any whole number, but “Unit sizes” has only the rows 4, horse, guns; "
        "a field of form choice has only the values that you list"
    )


def test_number_of_a_book_that_names_no_row_is_an_error(content: Path) -> None:
    spoil(content / COMPOSITION, "row: {field: arm}", BY_STANDS)
    spoil(content / BOOK, "type: horse}", 'type: horse, fields: {stands: "7"}}')

    assert "stands can be '7', but “Unit sizes” has no such row" in [
        text for _, text in problems_of(content)
    ]
