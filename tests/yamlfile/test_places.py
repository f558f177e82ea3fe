"""Owns the facts about places: where each key and value of a document stands."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from muster.problems import Location
from muster.yamlfile import document_from_text, read_document

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


def test_the_tree_of_places_is_built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    document = document_from_text("a: [1]", "a.yaml")
    first = document.locate(("a", 0))
    monkeypatch.setattr("muster.yamlfile.parsing.parse_places", None)

    assert document.locate(("a", 0)) == first


def test_places_behind_an_empty_mapping_are_its_own() -> None:
    found = document_from_text("# nothing\n\n  {}\n", "a.yaml").locate(("a",))

    assert (found.line, found.column) == (3, 3)


def test_a_file_is_a_document_too(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("\ufeffa: 1\nb: 2\n", encoding="utf-8")

    document = read_document(path, shown_as="armies/a.yaml")

    assert document.data == {"a": "1", "b": "2"}
    assert document.locate(("b",)) == Location("armies/a.yaml", 2, 4)
