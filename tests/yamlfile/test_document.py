"""Test documents: the place of each key and value, and problems at a place."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from muster.problems import Location
from muster.yamlfile import Document, document_from_text, read_document
from muster.yamlfile.nodes import MAX_DEPTH, MAX_NODES, MAX_SCALAR_LENGTH

TEXT = dedent("""\
    id: kill-table
    title:
    columns: [{id: a, label: "A b"}, {id: ½, label: C}]
    rows:
      - {band: 1-2,   cells: [0, +1]}
      -
        band: 3-4
        cells:
        - x
        - [y, z]
    notes: >-
      Off the table
    shared: &s {k: v}
    again: *s
    &t tail: *t
    """)


@pytest.mark.parametrize(
    ("path", "key", "place"),
    [
        ((), False, (1, 1)),
        (("id",), False, (1, 5)),
        (("id",), True, (1, 1)),
        (("title",), False, (2, 7)),
        (("title",), True, (2, 1)),
        (("columns",), False, (3, 10)),
        (("columns", 0), False, (3, 11)),
        (("columns", 0), True, (3, 11)),
        (("columns", 0, "label"), False, (3, 26)),
        (("columns", 0, "label"), True, (3, 19)),
        (("columns", 1, "label"), False, (3, 49)),
        (("rows", 0), False, (5, 5)),
        (("rows", 0, "cells", 1), False, (5, 30)),
        (("rows", 1), False, (7, 5)),
        (("rows", 1, "cells", 0), False, (9, 7)),
        (("rows", 1, "cells", 1, 1), False, (10, 11)),
        (("rows", 1, "cells"), True, (8, 5)),
        (("notes",), False, (11, 8)),
        (("again", "k"), False, (13, 16)),
        (("tail",), True, (15, 1)),
        (("tail",), False, (15, 1)),
    ],
)
def test_each_key_and_value_has_its_place(
    path: tuple[str | int, ...], place: tuple[int, int], *, key: bool
) -> None:
    document = document_from_text(TEXT, "kill-table.yaml")

    assert document.locate(path, key=key) == Location("kill-table.yaml", *place)


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("nothing",), (1, 1)),
        (("rows", 7), (5, 3)),
        (("rows", "0"), (5, 3)),
        (("rows", 0, "nothing", "at", "all"), (5, 5)),
        (("id", "below"), (1, 5)),
        ((0,), (1, 1)),
    ],
)
@pytest.mark.parametrize("key", [True, False])
def test_a_path_is_followed_as_far_as_it_goes(
    path: tuple[str | int, ...], place: tuple[int, int], *, key: bool
) -> None:
    found = document_from_text(TEXT, "a.yaml").locate(path, key=key)

    assert (found.line, found.column) == place


def test_a_problem_carries_its_line() -> None:
    document = document_from_text("a: 1\r\nbee: two\r\n", "a.yaml")

    problem = document.problem("bad-value", "read 'two'", ("bee",), example="3")

    assert problem.render().splitlines() == [
        "a.yaml:2:6: read 'two' [bad-value]",
        "    bee: two",
        "         ^",
        "    for example: 3",
    ]


def test_a_problem_can_point_at_a_key() -> None:
    problem = document_from_text("{a: {bee: 1}}", "a.yaml").problem(
        "x", "y", ("a", "bee"), key=True
    )

    assert (problem.location.line, problem.location.column) == (1, 6)


def test_data_that_was_read_as_json_has_places_too() -> None:
    text = '{"a": [1, 2],\n "b": {"c": null}}'
    document = Document("a.json", text, {"a": [1, 2], "b": {"c": None}})

    assert document.locate(("a", 1)) == Location("a.json", 1, 11)
    assert document.locate(("b", "c"), key=True) == Location("a.json", 2, 8)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": ' + "[" * MAX_DEPTH + "]" * MAX_DEPTH + ', "b": 1}',
        '{"a": "' + "x" * (MAX_SCALAR_LENGTH + 1) + '", "b": 1}',
        '{"a": [' + "1," * MAX_NODES + '1], "b": 1}',
        '{"": 1, "b": 1}',
    ],
    ids=["depth", "length", "number of nodes", "empty key"],
)
def test_no_limit_counts_for_the_places_of_json(text: str) -> None:
    where = Document("a.json", text, {}).locate(("b",))

    assert where == Location("a.json", 1, text.rindex("1}") + 1)


@pytest.mark.parametrize("text", ["", "# a comment\n", "[a]", "a: ["])
def test_data_without_a_text_of_its_own_is_at_the_start(text: str) -> None:
    assert Document("a.yaml", text, {"a": "b"}).locate(("a",)) == Location("a.yaml", 1, 1)


def test_places_behind_an_empty_mapping_are_its_own() -> None:
    found = document_from_text("# nothing\n\n  {}\n", "a.yaml").locate(("a",))

    assert (found.line, found.column) == (3, 3)


def test_a_file_is_a_document_too(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("\ufeffa: 1\nb: 2\n", encoding="utf-8")

    document = read_document(path, shown_as="armies/a.yaml")

    assert document.data == {"a": "1", "b": "2"}
    assert document.locate(("b",)) == Location("armies/a.yaml", 2, 4)
