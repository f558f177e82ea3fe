"""Test composition files and army books: what they name must exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from muster.armies import book_ids, iter_cell_references, load_book, load_composition
from muster.armies.composition import composition_from_document
from muster.armies.fields import parse_share
from muster.problems import MusterError
from muster.systems import Library, open_system
from muster.yamlfile import document_from_text
from tests.armies.conftest import BOOK, COMPOSITION, ROOT

RULE = "  - {id: a, kind: %s, message: M., rule: {chapter: army, source: L1}, within: army, %s}\n"


def codes(folder: Path, text: str) -> set[str]:
    with pytest.raises(MusterError) as caught:
        composition_from_document(open_system(folder), document_from_text(text, "composition.yaml"))
    assert all(problem.location.line for problem in caught.value.problems)
    return {problem.code for problem in caught.value.problems}


@pytest.mark.parametrize(
    ("kind", "keys", "code"),
    [
        ("count", "of: {entry: [fot]}, max: 1", "unknown-entry"),
        ("count", "of: {level: squad}, max: 1", "unknown-level"),
        ("count", "of: {options: [bows]}, max: 1", "unknown-option"),
        ("count", "of: {where: {mood: [good]}}, max: 1", "unknown-attribute"),
        ("count", "of: {level: unit}, max: 1, sum: men", "unknown-field"),
        ("count", "of: {level: unit}, allowed: [few]", "bad-value"),
        ("count", "of: {level: unit}, allowed: [{table: sizes, row: {field: mood}}]",
         "unknown-attribute"),
        ("count", "of: {level: unit}, allowed: [{table: nowhere, row: foot}]", "unknown-table"),
        ("count", "of: {level: unit}", "bad-value"),
        ("count", "of: {}, max: 1", "bad-value"),
        ("share", "part: {level: unit}, whole: {level: unit}", "bad-value"),
        ("share", "part: {level: unit}, whole: {level: unit}, max: half", "bad-value"),
        ("share", "part: {level: unit}, whole: {level: unit}, max: 2", "bad-value"),
        ("share", "part: {level: unit}, whole: {level: unit}, max: 1/0", "bad-value"),
        ("share", "part: {level: unit}, whole: {level: unit}, max: 1, by: men", "unknown-field"),
        ("alike", "of: {level: unit}, attribute: mood", "unknown-attribute"),
        ("variety", "of: {level: unit}, attribute: mood, max: 1", "unknown-attribute"),
        ("requires", "of: {level: unit}, needs: {entry: [fot]}", "unknown-entry"),
        ("excludes", "of: {level: unit}, bars: {entry: [fot]}", "unknown-entry"),
        ("only-if", "of: {level: unit}, needs: {level: squad}", "unknown-level"),
        ("count", "of: {level: unit}, max: 1, when: {of: {level: unit}}", "missing-key"),
        ("count", "of: {level: unit}, max: 1, when: {of: {level: x}, min: 1}", "unknown-level"),
        ("count", "of: {level: unit}, max: 1, unless: {of: {level: unit}, sum: men, min: 1}",
         "unknown-field"),
        ("count", "of: {level: unit}, max: 1, unless: {of: {level: unit}, within: x, min: 1}",
         "unknown-level"),
    ],
)  # fmt: skip
def test_constraint_that_names_nothing_is_refused(
    system: Path, kind: str, keys: str, code: str
) -> None:
    assert codes(system, COMPOSITION + RULE % (kind, keys)) == {code}


ANY_UNIT = "of: {level: unit}, max: 1, "
SOME = "{of: {level: unit}, min: 1}"


@pytest.mark.parametrize(
    ("keys", "code"),
    [
        (f"{ANY_UNIT}when: [{SOME}, {{of: {{level: x}}, min: 1}}]", "unknown-level"),
        (f"{ANY_UNIT}unless: {{any: [{{all: [{SOME}, {{of: {{level: x}}, min: 1}}]}}]}}",
         "unknown-level"),
        (f"{ANY_UNIT}when: {{any: [{{of: {{level: unit}}}}]}}", "missing-key"),
        (f"{ANY_UNIT}when: [{SOME}, {{limit: much}}]", "bad-value"),
        ("of: {level: unit}, min: 1, sum: stands, by: points", "bad-value"),
        ("of: {level: unit}, step: 2, per: 1000", "bad-value"),
        ("of: {level: unit}, max: 2, per: 0", "bad-value"),
        ("of: {level: unit}, max: 2, sum: [stands, men]", "unknown-field"),
        ("of: {level: unit}, max: 2, sum: []", "too-few"),
        (f"{ANY_UNIT}when: {{of: {{level: unit}}, sum: [stands, men], min: 1}}", "unknown-field"),
        ("of: {level: unit}, max: 2, begun: true", "bad-value"),
        ("of: {level: unit, options: [bows]}, max: 1, by: options", "unknown-option"),
        (f"{ANY_UNIT}when: []", "too-few"),
        (f"{ANY_UNIT}when: {{any: []}}", "bad-value"),
        (f"{ANY_UNIT}when: {{any: [{SOME}], all: [{SOME}]}}", "bad-value"),
    ],
)  # fmt: skip
def test_keys_of_counts_and_conditions_are_checked(system: Path, keys: str, code: str) -> None:
    assert codes(system, COMPOSITION + RULE % ("count", keys)) == {code}


def test_share_of_the_limit_is_one_of_points(system: Path) -> None:
    keys = "part: {level: unit}, whole: limit, max: 25%"
    by_stands = f"{keys}, by: points, whole-by: stands"

    assert codes(system, COMPOSITION + RULE % ("share", keys)) == {"bad-value"}
    assert codes(system, COMPOSITION + RULE % ("share", by_stands)) == {"bad-value"}
    by_list = f"{keys}, by: [stands]"
    assert codes(system, COMPOSITION + RULE % ("share", by_list)) == {"bad-value"}


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("count", "of: {level: unit}, max: 1, per: 1000"),
        ("count", f"{ANY_UNIT}when: [{SOME}, {{any: [{{limit: 1000+}}]}}]"),
        ("share", "part: {level: unit}, whole: limit, by: points, max: 25%"),
    ],
)
def test_rule_that_counts_by_the_limit_needs_prices(system: Path, kind: str, keys: str) -> None:
    free = re.sub(r"(?m)^    price: .*\n", "", COMPOSITION)

    assert codes(system, free + RULE % (kind, keys)) == {"no-prices"}


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("under: [army]", "under: [unit]", "unknown-level"),
        ("key: wings, ", "", "missing-key"),
        ("{head: {entry: head}}", "{head: {entry: heads}}", "unknown-entry"),
        ("level: leader}", "level: leaders}", "unknown-level"),
        ("{form: number, title: Morale}", "{form: numbr, title: Morale}", "unknown-form"),
        ("of: {raw: Raw, old: Old hands}, default: raw, ", "", "missing-key"),
        ("default: raw", "default: green", "bad-value"),
        ("size: stands\n    fields: &", "size: bases\n    fields: &", "bad-size"),
        ("times: stands}]\n  - id: horse", "times: men}]\n  - id: horse", "unknown-field"),
        ("each: {field: price}", "each: {field: cost}", "unknown-field"),
        ("label: Guns}]", "label: Guns, where: {mood: [good]}}]", "unknown-attribute"),
        ("id: pikes, title", "id: shields, title", "id-twice"),
        ("id: head, title", "id: chief, title", "id-twice"),
    ],
)
def test_part_that_names_nothing_is_refused(system: Path, old: str, new: str, code: str) -> None:
    assert old in COMPOSITION

    assert code in codes(system, COMPOSITION.replace(old, new, 1) + "  []\n")


def test_all_problems_of_a_composition_are_reported_at_once(system: Path) -> None:
    text = COMPOSITION.replace("default: raw", "default: green")
    text += RULE % ("count", "of: {entry: [fot]}, max: 1")
    text += RULE.replace("army", "cellar", 1) % ("count", "of: {level: unit}, max: 1")

    found = codes(system, text)

    assert found == {"bad-value", "unknown-entry", "unknown-chapter", "id-twice"}


@pytest.mark.parametrize("system_id", ["seven-years-war", "slaughterloo"])
def test_every_cell_that_a_shipped_composition_names_exists(system_id: str) -> None:
    composition = load_composition(Library(ROOT).system(system_id))

    named = [reference for _, reference in iter_cell_references(composition.written)]

    assert named
    for reference in named:
        table = composition.system.table(reference.table)
        if isinstance(reference.row, str) and not hasattr(reference.column, "field"):
            column = str(reference.column) if reference.column else None
            assert str(table.cell(reference.row, column))


@pytest.mark.parametrize("system_id", ["seven-years-war", "slaughterloo"])
def test_every_shipped_book_can_be_read(system_id: str) -> None:
    system = Library(ROOT).system(system_id)

    books = [load_book(system, book_id) for book_id in book_ids(system)]

    assert len({(book.colour, book.shape) for book in books}) == len(books)
    assert all(book.sample for book in books) == (system_id == "slaughterloo")


def test_every_example_of_the_source_stands_in_a_book() -> None:
    system = Library(ROOT).system("seven-years-war")
    lines = range(615, 648, 2)

    cited = " ".join(
        unit.source
        for book_id in book_ids(system)
        for unit in load_book(system, book_id).units.values()
        if unit.suggested
    )

    assert [line for line in lines if f"L{line}" not in cited] == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("id: north", "id: south", ["id-is-not-file-name"]),
        ("id: axemen", "id: foot", ["id-twice"]),
        ("type: foot", "type: fot", ["unknown-type"]),
        ("type: foot", "type: chief", ["unknown-type"]),
        ("[shields]", "[shield]", ["unknown-option"]),
        ("{morale: ", "{moral: ", ["unknown-key"]),
        ('"7"', "high", ["bad-value"]),
        ('stands: "4"', "men: '4'", ["unknown-key"]),
        ("drill: old", "drill: odd", ["bad-value"]),
    ],
)
def test_book_that_names_nothing_is_refused(
    system: Path, old: str, new: str, expected: list[str]
) -> None:
    (system / "books" / "north.yaml").write_text(BOOK.replace(old, new, 1), encoding="utf-8")

    with pytest.raises(MusterError) as caught:
        load_book(open_system(system), "north")

    assert [problem.code for problem in caught.value.problems] == expected


def test_unknown_book_names_the_nearest(system: Path) -> None:
    with pytest.raises(MusterError, match="north"):
        load_book(open_system(system), "nort")


def test_composition_and_book_are_read_once(system: Path) -> None:
    opened = open_system(system)

    assert load_composition(opened) is load_composition(opened)
    assert load_book(opened, "north") is load_book(opened, "north")


def test_share_reads_fractions_and_percent() -> None:
    assert parse_share("25%") == parse_share("1/4") == parse_share("0.25")


def test_price_of_a_table_that_is_not_there_is_refused_at_its_place(system: Path) -> None:
    text = COMPOSITION.rstrip() + " []\n"
    text = text.replace("table: costs", "table: nowhere", 1)

    with pytest.raises(MusterError) as caught:
        composition_from_document(open_system(system), document_from_text(text, "composition.yaml"))

    (problem,) = caught.value.problems
    line = text.splitlines()[(problem.location.line or 0) - 1]
    assert problem.code == "unknown-table"
    assert line[(problem.location.column or 0) - 1 :].startswith("nowhere")


def test_chapter_of_the_prices_that_is_not_there_is_refused(system: Path) -> None:
    text = 'pricing: {chapter: nowhere, source: "L1"}\n' + COMPOSITION.rstrip() + " []\n"

    assert codes(system, text) == {"unknown-chapter"}
