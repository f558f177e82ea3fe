"""Owns the facts about edits of a file: what is not edited stays as it is, to the last comment.

Does not know armies: the lists here are any lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import unified_diff
from textwrap import dedent

import pytest

from generator.problems import MusterError
from generator.reading import document_from_text
from generator.reading.editing import edited
from generator.reading.edits import Drop, Edit, Place, Put, Shift

ARMY = """
    # Head
    name: First # of many
    chief: {rank: 2}
    wings:
      - name: Left   # the left
        # Two of them
        units:
          - {unit: foot, stands: 4}   # here
          # Between
          - {unit: horse, stands: 5,
             options: [shields, pikes]}
      - units:
          - unit: guns
            stands: 1
            # Inside
            name: Old
    units: [{unit: foot, stands: 3}, {unit: horse, stands: 2}]
    # Tail
"""


def after(edits: Sequence[Edit], text: str = ARMY) -> list[str]:
    """Give the lines that edits change: those gone, then those new."""
    old = dedent(text).lstrip("\n")
    new = edited(document_from_text(old, "army.yaml"), edits).text
    changed = list(unified_diff(old.splitlines(), new.splitlines(), n=0))[2:]
    return [line for sign in "-+" for line in changed if line.startswith(sign)]


def test_value_changes_in_its_place() -> None:
    assert after([Put(("wings", 0, "units", 0), {"stands": "3"})]) == [
        "-      - {unit: foot, stands: 4}   # here",
        "+      - {unit: foot, stands: 3}   # here",
    ]


def test_key_of_a_mapping_in_brackets_comes_and_goes() -> None:
    edits = [
        Put(("wings", 0, "units", 0), {"count": "2"}),
        Put(("wings", 0, "units", 1), {"options": None}),
        Put(("units", 1), {"stands": None, "name": "Blue Coats"}),
    ]

    assert after(edits) == [
        "-      - {unit: foot, stands: 4}   # here",
        "-      - {unit: horse, stands: 5,",
        "-         options: [shields, pikes]}",
        "-units: [{unit: foot, stands: 3}, {unit: horse, stands: 2}]",
        "+      - {unit: foot, stands: 4, count: 2}   # here",
        "+      - {unit: horse, stands: 5}",
        '+units: [{unit: foot, stands: 3}, {unit: horse, name: "Blue Coats"}]',
    ]


def test_key_of_a_mapping_in_lines_comes_and_goes() -> None:
    edits = [Put(("wings", 1, "units", 0), {"stands": None, "options": ["pikes"]})]

    assert after(edits) == ["-        stands: 1", "+        options: [pikes]"]


def test_key_in_lines_stands_before_the_lists() -> None:
    new = edited(document_from_text(dedent(ARMY), "a"), [Place((), "herald", {}, many=False)])

    assert new.text.index("herald: {}") < new.text.index("wings:")


def test_entry_goes_with_its_own_comment_and_no_other() -> None:
    assert after([Drop(("wings", 0, "units", 0))]) == ["-      - {unit: foot, stands: 4}   # here"]
    assert after([Drop(("wings", 0, "units", 1))]) == [
        "-      - {unit: horse, stands: 5,",
        "-         options: [shields, pikes]}",
    ]
    assert after([Drop(("units", 0))]) == [
        "-units: [{unit: foot, stands: 3}, {unit: horse, stands: 2}]",
        "+units: [{unit: horse, stands: 2}]",
    ]


def test_list_without_entries_is_empty() -> None:
    gone = after([Drop(("wings", 1, "units", 0))])
    both = after([Drop(("units", 0)), Drop(("units", 1))])

    assert "+  - units: []" in gone
    assert both[-1] == "+units: []"


def test_leader_goes_and_comes() -> None:
    assert after([Drop(("chief",))]) == ["-chief: {rank: 2}"]
    edits = [Place(("wings", 1), "head", {"rank": "1"}, many=False)]
    assert after(edits) == ["-  - units:", "+  - head: {rank: 1}", "+    units:"]


def test_new_entry_stands_at_the_end() -> None:
    unit = {"unit": "foot", "options": ["a"]}
    edits = [
        Place(("wings", 0), "units", unit, many=True),
        Place((), "units", unit, many=True),
        Place(("wings", 0), "works", {"work": "wall"}, many=True),
    ]

    assert after(edits) == [
        "-units: [{unit: foot, stands: 3}, {unit: horse, stands: 2}]",
        "+      - {unit: foot, options: [a]}",
        "+    works:",
        "+      - {work: wall}",
        "+units: [{unit: foot, stands: 3}, {unit: horse, stands: 2}, {unit: foot, options: [a]}]",
    ]


def test_entry_moves_in_its_own_words() -> None:
    edits = [Shift(("wings", 0, "units", 1), ("wings", 1), "units")]

    new = edited(document_from_text(dedent(ARMY).lstrip(), "a"), edits).text

    assert "      # Between\n  - units:" in new
    assert "        name: Old\n      - {unit: horse, stands: 5,\n         options: [shie" in new


def test_entry_moves_and_changes_and_its_list_is_filled_again() -> None:
    edits: list[Edit] = [
        Put(("wings", 1, "units", 0), {"stands": "2"}),
        Shift(("wings", 1, "units", 0), (), "units"),
        Shift(("wings", 0, "units", 0), ("wings", 1), "units"),
    ]

    new = edited(document_from_text(dedent(ARMY).lstrip(), "a"), edits)

    assert new.data["wings"][1]["units"] == [{"unit": "foot", "stands": "4"}]
    assert new.data["units"][-1] == {"unit": "guns", "stands": "2", "name": "Old"}


def test_what_is_inside_goes_with_what_goes() -> None:
    edits: list[Edit] = [
        Put(("wings", 0, "units", 0), {"stands": "9"}),
        Drop(("wings", 0, "units", 1)),
        Drop(("wings", 0)),
        Shift(("wings", 0, "units", 0), (), "units"),
    ]

    new = edited(document_from_text(dedent(ARMY).lstrip(), "a"), edits)

    assert [list(wing) for wing in new.data["wings"]] == [["units"]]
    assert len(new.data["units"]) == 3


def test_old_document_stays_as_it_was() -> None:
    document = document_from_text(dedent(ARMY), "a")
    text, data = document.text, repr(document.data)

    edited(document, [Drop(("units", 0)), Put(("chief",), {"rank": "3"})])

    assert (document.text, repr(document.data)) == (text, data)


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        ("a: &x {n: 1}\nb: *x", Put(("a",), {"n": "2"})),
        ("a: &x [{n: 1}, {n: 2}]\nb: *x", Drop(("a", 0))),
        ("a: [1]", Put(("b",), {"n": "2"})),
    ],
)
def test_edit_that_would_change_more_is_refused(text: str, edit: Edit) -> None:
    document = document_from_text(text, "a.yaml")

    with pytest.raises((MusterError, KeyError)):
        edited(document, [edit])
