"""Test the checks on tables, sheets and errata: a broken sample trips each of them."""

import re
from pathlib import Path
from typing import Final

import pytest

from muster.problems import Location, MusterError, Problem
from muster.systems import open_system
from muster.systems.lint import LintIssue, lint_system, sorted_issues
from muster.yamlfile import document_from_text
from tests.scaffold import spoil

SCALES: Final = (
    "scales: [{id: 28mm, title: 28 mm figures}]   # several, if distances differ by figure size"
)


def place(content: Path, table: str) -> None:
    """Let a chapter place a table that a test adds."""
    with (content / "prose" / "02-turn.md").open("a", encoding="utf-8") as chapter:
        chapter.write(f"\n{{table: {table}}}\n")


def found(content: Path) -> list[tuple[str, str]]:
    """Return the severity and code of every issue in a system."""
    return [(issue.severity, issue.problem.code) for issue in lint_system(open_system(content))]


def test_sound_system_has_no_issue(content: Path) -> None:
    assert found(content) == []


READ_AS_BLANK: Final = """\
    read: The far range of guns is for you to fill in.
    reason: The source leaves the cell empty.
    sheet: The far range of guns is for you to fill in.
    treatment: blank"""
READ_AS_PRINTED: Final = """\
    read: "guns: 20cm,  then nothing."
    reason: The source leaves the cell empty.
    treatment: slip"""
BROKEN: Final = {
    "table that is no yaml": ("tables/points.yaml", "rows:", "rows: [", "error", None),
    "bad cell": ("tables/points.yaml", '["20"]', "[twenty]", "error", "bad-value"),
    "table's id": ("tables/points.yaml", "id: points\n", "id: prices\n", "error", None),
    "gap between bands": ("tables/hits.yaml", "band: 7-9", "band: 8-9", "error", "band-gap"),
    "uncovered roll": (
        "tables/morale-test.yaml",
        "band: 2-4",
        "band: 3-4",
        "error",
        "dice-uncovered",
    ),
    "chapter": (
        "tables/points.yaml",
        "chapter: army",
        "chapter: arms",
        "error",
        "unknown-chapter",
    ),
    "phase of a table": (
        "tables/hits.yaml",
        "phase: shooting",
        "phase: shoting",
        "error",
        "unknown-phase",
    ),
    "phase of a step": (
        "tables/turn-sequence.yaml",
        "phase: morale}",
        "phase: moral}",
        "error",
        "unknown-phase",
    ),
    "phase of a step within a step": (
        "tables/turn-sequence.yaml",
        "{id: roll, ",
        "{id: roll, phase: rolling, ",
        "error",
        "unknown-phase",
    ),
    "number that falls down": (
        "tables/hits.yaml",
        "cells: [1, 2, 3]",
        "cells: [0, 2, 3]",
        "error",
        "not-rising",
    ),
    "number that falls across": (
        "tables/hits.yaml",
        "cells: [1, 2, 3]",
        "cells: [1, 3, 2]",
        "error",
        "not-rising",
    ),
    "table of a convention": (
        "system.yaml",
        "conventions:\n",
        "conventions:\n  - {text: Plus is good., tables: [point]}\n",
        "error",
        "unknown-table",
    ),
    "phase without a table": (
        "system.yaml",
        "  - {id: morale,   title: Morale,   tone: morale}\n",
        "  - {id: morale,   title: Morale,   tone: morale}\n  - {id: end, title: End}\n",
        "warning",
        "unused-phase",
    ),
    "sheet's table": (
        "sheets/quick-reference.yaml",
        "{table: terms}",
        "{table: term}",
        "error",
        "unknown-table",
    ),
    "sheet's row": (
        "sheets/quick-reference.yaml",
        "{table: terms}",
        "{table: terms, rows: [nearby]}",
        "error",
        "unknown-row",
    ),
    "row that a sheet leaves out": (
        "sheets/quick-reference.yaml",
        "{table: terms}",
        "{table: terms, without: [nearby]}",
        "error",
        "unknown-row",
    ),
    "row that a sheet labels": (
        "sheets/quick-reference.yaml",
        "{table: terms}",
        "{table: terms, labels: {nearby: Near by}}",
        "error",
        "unknown-row",
    ),
    "sheet's joined tables": (
        "sheets/quick-reference.yaml",
        "{table: terms}",
        "{tables: [movement, ranges], joined: true}",
        "error",
        "unlike-columns",
    ),
    "sheet's empty block": (
        "sheets/quick-reference.yaml",
        "{table: terms}",
        "{title: Terms}",
        "error",
        "empty-block",
    ),
    "sheet's id": (
        "sheets/quick-reference.yaml",
        "id: quick-reference",
        "id: quick",
        "error",
        "id-is-not-file-name",
    ),
    "sheet's key": (
        "sheets/quick-reference.yaml",
        "orientation: portrait",
        "direction: portrait",
        "error",
        "unknown-key",
    ),
    "second main table": (
        "sheets/quick-reference.yaml",
        "{table: terms}",
        "{table: terms, main: true}\n      - {table: hits, main: true}",
        "error",
        "second-main",
    ),
    "notes of more than two lines": (
        "errata.yaml",
        "    sheet: The far",
        f"    sheet: {'Very long. ' * 40}The far",
        "warning",
        "long-notes",
    ),
    "erratum's words for sheets": (
        "errata.yaml",
        "{table: ranges, row: guns, column: far}",
        "{chapter: turn}",
        "error",
        "no-footnote",
    ),
    "words for sheets of a plain slip": (
        "errata.yaml",
        "treatment: blank",
        "treatment: slip",
        "error",
        "no-footnote",
    ),
    "erratum's table": ("errata.yaml", "table: ranges", "table: range", "error", "unknown-table"),
    "erratum's row": ("errata.yaml", "row: guns", "row: gun", "error", "unknown-row"),
    "erratum's column": ("errata.yaml", "column: far", "column: fare", "error", "unknown-column"),
    "erratum's chapter": (
        "errata.yaml",
        "places: [",
        "places: [{chapter: aiming}, ",
        "error",
        "unknown-chapter",
    ),
    "erratum that reads what is printed": (
        "errata.yaml",
        READ_AS_BLANK,
        READ_AS_PRINTED,
        "error",
        "no-departure",
    ),
    "open erratum without a question": (
        "errata.yaml",
        "    question: How far do guns shoot at far range?\n",
        "",
        "error",
        "no-question",
    ),
    "question that asks nothing": (
        "errata.yaml",
        "at far range?",
        "at far range.",
        "error",
        "no-question",
    ),
    "erratum's key": ("errata.yaml", "certainty: open", "sure: open", "error", "unknown-key"),
    "blank without an erratum": (
        "errata.yaml",
        "treatment: blank",
        "treatment: reading",
        "error",
        "blank-not-in-errata",
    ),
    "blank in a definition": (
        "tables/terms.yaml",
        "value: 10cm",
        "value: blank",
        "error",
        "blank-not-in-errata",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_lint_finds(case: str, content: Path) -> None:
    file, old, new, severity, code = BROKEN[case]
    spoil(content / file, old, new)

    issues = lint_system(open_system(content))

    assert severity in {issue.severity for issue in issues}
    if code is not None:
        assert code in {issue.problem.code for issue in issues if issue.severity == severity}
    assert {issue.problem.location.line is not None for issue in issues} == {True}


def test_part_of_the_system_named_by_an_erratum_must_be_there(content: Path) -> None:
    spoil(content / "errata.yaml", "places: [", "places: [{part: books}, {part: composition}, ")
    sound = found(content)
    (content / "composition.yaml").unlink()
    (content / "books" / "first-book.yaml").unlink()

    assert sound == []
    assert found(content) == [("error", "unknown-part"), ("error", "unknown-part")]


def test_erratum_of_an_id_that_is_taken_is_found(content: Path) -> None:
    errata = (content / "errata.yaml").read_text(encoding="utf-8")
    entry = errata[errata.index("  - id:") :]
    (content / "errata.yaml").write_text(errata + entry, encoding="utf-8")

    assert found(content) == [("error", "duplicate-id")]


def test_erratum_in_a_chapter_that_exists_is_sound(content: Path) -> None:
    spoil(content / "errata.yaml", "places: [", "places: [{chapter: shooting}, ")

    assert found(content) == []


def test_system_without_errata_or_sheets_is_sound_if_nothing_is_blank(content: Path) -> None:
    (content / "errata.yaml").unlink()
    (content / "sheets" / "quick-reference.yaml").unlink()
    spoil(content / "tables" / "ranges.yaml", "blank, 2d6", "40cm, 2d6")

    assert found(content) == []


def test_broken_table_is_reported_once_however_often_it_is_named(content: Path) -> None:
    spoil(content / "tables" / "ranges.yaml", "[10cm, 20cm,  2d6]", "[10cm, 20cm]")
    spoil(
        content / "sheets" / "quick-reference.yaml",
        "tables: [ranges, hits, shooting-modifiers]",
        "tables: [ranges], rows: [anything]",
    )

    assert found(content) == [("error", "wrong-width")]


def test_figure_that_is_never_drawn_is_a_warning(content: Path) -> None:
    (content / "tables" / "line.yaml").write_text(
        "id: line\ntitle: Line\nkind: diagram\nchapter: turn\nsource: L1\n"
        'ranks: ["F F .", "F F F"]\nkey: {F: fires, o: does not}\n',
        encoding="utf-8",
    )

    place(content, "line")

    assert found(content) == [("warning", "unused-figure")]


def test_scale_without_a_value_is_a_warning(content: Path) -> None:
    scales = "scales: [{id: 15mm, title: 15}, {id: 28mm, title: 28}, {id: 6mm, title: 6}]"
    spoil(content / "system.yaml", SCALES, scales)
    spoil(
        content / "tables" / "ranges.yaml",
        "[20cm, blank, 2d6]",
        "[{15mm: 10cm, 28mm: 20cm}, {15mm: 9cm, 28mm: blank}, 2d6]",
    )
    spoil(content / "errata.yaml", "treatment: blank", "treatment: reading")

    # A cell that is blank at one scale is a blank.
    assert found(content) == [("warning", "unused-scale"), ("error", "blank-not-in-errata")]


def test_falling_numbers_must_not_rise_and_words_between_them_do_not_count(content: Path) -> None:
    (content / "tables" / "drop.yaml").write_text(
        "id: drop\ntitle: Drop\nkind: lookup\nchapter: turn\nsource: L1\nform: modifier\n"
        "falling: [across]\ndown: {id: roll, title: Roll}\ncolumns: [{id: a, label: A},"
        " {id: b, label: B}, {id: c, label: C}]\nrows:\n"
        "  - {band: 1-2, cells: [+2, –, +3]}\n  - {band: 3+, cells: [+1, +2, +d6]}\n",
        encoding="utf-8",
    )

    place(content, "drop")

    issues = lint_system(open_system(content))

    assert [issue.problem.code for issue in issues] == ["not-falling", "not-falling"]
    assert [issue.problem.location.line for issue in issues] == [11, 12]
    assert [issue.problem.text[:2] for issue in issues] == ["+3", "+2"]


def test_two_issues_of_one_file_come_in_the_order_of_the_file(content: Path) -> None:
    spoil(content / "tables" / "hits.yaml", "chapter: shooting", "chapter: hits")
    spoil(content / "tables" / "hits.yaml", "phase: shooting", "phase: hits")

    assert found(content) == [("error", "unknown-chapter"), ("error", "unknown-phase")]


def test_issues_without_a_line_come_first_and_each_once() -> None:
    nowhere = LintIssue("error", Problem("b", "b", Location("a.yaml", None, None)))
    document = document_from_text("a: b\n", "a.yaml")
    somewhere = LintIssue("error", document.problem("a", "a", ("a",)))

    assert sorted_issues([somewhere, nowhere, somewhere]) == [nowhere, somewhere]


SHEET_BLOCK = "- {table: movement}"
UNITS_LABEL = "label: Horse"


@pytest.mark.parametrize(
    ("keys", "code"),
    [
        ("scale: 15mm", "unknown-scale"),
        ("fold: 0", "out-of-bounds"),
        ("turn: [hits]", "unknown-table"),
    ],
)
def test_option_of_a_block_that_does_nothing_is_an_error(
    keys: str, code: str, content: Path
) -> None:
    path = content / "sheets" / "quick-reference.yaml"
    spoil(path, SHEET_BLOCK, f"- {{table: movement, {keys}}}")

    assert found(content) == [("error", code)]


def test_word_of_a_label_that_no_page_has_room_for_is_an_error(content: Path) -> None:
    spoil(content / "tables" / "ranges.yaml", UNITS_LABEL, f"label: {'H' * 41}")

    assert found(content) == [("error", "long-word")]


def test_language_is_a_tag(content: Path) -> None:
    spoil(content / "system.yaml", "unit: cm", "language: en-GB\nunit: cm")
    assert found(content) == []

    spoil(content / "system.yaml", "language: en-GB", "language: German")
    with pytest.raises(MusterError, match="read 'German', expected one of de, en, fr"):
        open_system(content)


def test_language_is_the_one_that_the_rules_are_written_in(content: Path) -> None:
    spoil(content / "system.yaml", "unit: cm", "language: fr\nunit: cm")

    (issue,) = lint_system(open_system(content))

    assert issue.problem.code == "other-language"
    assert issue.problem.line_text == "language: fr"
    assert "read 'fr', expected 'en', the language that the rules are" in issue.problem.text


def test_row_id_used_twice_is_found_at_the_second(content: Path) -> None:
    spoil(content / "tables" / "ranges.yaml", "{id: horse, label", "{id: foot, label")

    (issue,) = [
        each for each in lint_system(open_system(content)) if each.problem.code == "duplicate-id"
    ]
    assert issue.problem.location.line == 12


def test_figures_without_blanks_are_told_what_separates_them(content: Path) -> None:
    (content / "tables" / "line.yaml").write_text(
        "id: line\ntitle: Line\nkind: diagram\nchapter: turn\nranks: [FFFF]\nkey: {F: a stand}\n",
        encoding="utf-8",
    )

    texts = [issue.problem.text for issue in lint_system(open_system(content))]

    expected = "the figure 'FFFF' is not in the key; blanks separate figures, and `.` is a gap"
    assert expected in texts


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "title: Morale,   tone: morale}",
            "title: Morale,   tone: morale, sign: hart}",
            "there is no symbol 'hart' (did you mean 'heart'?)",
        ),
        ("chapters:\n", "look: {arms: [foot, camel]}\nchapters:\n", "no symbol 'camel'"),
        ("chapters:\n", "look: {ornament: lion}\nchapters:\n", "expected an outline in SVG"),
        ("chapters:\n", "look: {accent: red}\nchapters:\n", "expected a colour such as"),
        ("chapters:\n", "look: {masthead: bar}\nchapters:\n", "masthead"),
    ],
)
def test_look_that_cannot_be_is_told_at_its_place(
    content: Path, old: str, new: str, said: str
) -> None:
    spoil(content / "system.yaml", old, new)

    with pytest.raises(MusterError, match=re.escape(said)) as caught:
        open_system(content)
    assert caught.value.problems[0].location.line is not None
