"""Test edits of a file: what is not edited stays as it is, to the last comment."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import unified_diff
from textwrap import dedent

import pytest

from muster.problems import MusterError
from muster.yamlfile import document_from_text
from muster.yamlfile.editing import Edit, Insert, Move, Remove, SetKeys, edit_document

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
    """Return the lines that edits change: the old ones, then the new ones."""
    old = dedent(text).lstrip("\n")
    new = edit_document(document_from_text(old, "army.yaml"), edits).text
    changed = list(unified_diff(old.splitlines(), new.splitlines(), n=0))[2:]
    return [line for sign in "-+" for line in changed if line.startswith(sign)]


def test_value_changes_in_its_place() -> None:
    assert after([SetKeys(("wings", 0, "units", 0), {"stands": "3"})]) == [
        "-      - {unit: foot, stands: 4}   # here",
        "+      - {unit: foot, stands: 3}   # here",
    ]


def test_key_of_a_mapping_in_brackets_comes_and_goes() -> None:
    edits = [
        SetKeys(("wings", 0, "units", 0), {"count": "2"}),
        SetKeys(("wings", 0, "units", 1), {"options": None}),
        SetKeys(("units", 1), {"stands": None, "name": "Blue Coats"}),
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
    edits = [SetKeys(("wings", 1, "units", 0), {"stands": None, "options": ["pikes"]})]

    assert after(edits) == ["-        stands: 1", "+        options: [pikes]"]


def test_key_in_lines_stands_before_the_lists() -> None:
    new = edit_document(
        document_from_text(dedent(ARMY), "a"), [Insert((), "herald", {}, many=False)]
    )

    assert new.text.index("herald: {}") < new.text.index("wings:")


def test_entry_goes_with_its_own_comments_and_no_other() -> None:
    assert after([Remove(("wings", 0, "units", 0))]) == [
        "-      - {unit: foot, stands: 4}   # here"
    ]
    assert after([Remove(("wings", 0, "units", 1))]) == [
        "-      # Between",
        "-      - {unit: horse, stands: 5,",
        "-         options: [shields, pikes]}",
    ]
    assert after([Remove(("units", 0))]) == [
        "-units: [{unit: foot, stands: 3}, {unit: horse, stands: 2}]",
        "+units: [{unit: horse, stands: 2}]",
    ]


COMMENTS = """
    wings:
      # The left,
      # in two lines
      - name: Left
        units:
        # Not of the left only

        # Of the foot
        - {unit: foot}  # here
       # In another column
        - {unit: horse}
      # Of the right
      - units: [{unit: guns}]
"""


def test_only_comments_right_above_an_entry_are_its_own() -> None:
    foot, horse = (("wings", 0, "units", index) for index in (0, 1))

    assert after([Remove(foot)], COMMENTS) == ["-    # Of the foot", "-    - {unit: foot}  # here"]
    assert after([Remove(horse)], COMMENTS) == ["-    - {unit: horse}"]
    assert after([Remove(("wings", 1))], COMMENTS) == [
        "-  # Of the right",
        "-  - units: [{unit: guns}]",
    ]
    assert "-  # in two lines" in after([Remove(("wings", 0))], COMMENTS)


def test_comments_move_with_their_entry() -> None:
    text = dedent(COMMENTS).replace("[{unit: guns}]", "\n    - {unit: guns}")

    new = edit_document(
        document_from_text(text, "army.yaml"),
        [Move(("wings", 0, "units", 0), ("wings", 1), "units")],
    )

    lines = new.text.splitlines()
    assert lines[-3:] == ["    - {unit: guns}", "    # Of the foot", "    - {unit: foot}  # here"]
    assert new.text.count("# Of the foot") == 1


def test_list_without_entries_is_empty() -> None:
    gone = after([Remove(("wings", 1, "units", 0))])
    both = after([Remove(("units", 0)), Remove(("units", 1))])

    assert "+  - units: []" in gone
    assert both[-1] == "+units: []"


def test_leader_goes_and_comes() -> None:
    assert after([Remove(("chief",))]) == ["-chief: {rank: 2}"]
    edits = [Insert(("wings", 1), "head", {"rank": "1"}, many=False)]
    assert after(edits) == ["-  - units:", "+  - head: {rank: 1}", "+    units:"]


def test_new_entry_stands_at_the_end() -> None:
    unit = {"unit": "foot", "options": ["a"]}
    edits = [
        Insert(("wings", 0), "units", unit, many=True),
        Insert((), "units", unit, many=True),
        Insert(("wings", 0), "works", {"work": "wall"}, many=True),
    ]

    assert after(edits) == [
        "-units: [{unit: foot, stands: 3}, {unit: horse, stands: 2}]",
        "+      - {unit: foot, options: [a]}",
        "+    works:",
        "+      - {work: wall}",
        "+units: [{unit: foot, stands: 3}, {unit: horse, stands: 2}, {unit: foot, options: [a]}]",
    ]


def test_entry_moves_in_its_own_words() -> None:
    edits = [Move(("wings", 0, "units", 1), ("wings", 1), "units")]

    new = edit_document(document_from_text(dedent(ARMY).lstrip(), "a"), edits).text

    moved = "      # Between\n      - {unit: horse, stands: 5,\n         options: [shie"
    assert f"        name: Old\n{moved}" in new
    assert new.count("# Between") == 1


def test_entry_moves_and_changes_and_its_list_is_filled_again() -> None:
    edits: list[Edit] = [
        SetKeys(("wings", 1, "units", 0), {"stands": "2"}),
        Move(("wings", 1, "units", 0), (), "units"),
        Move(("wings", 0, "units", 0), ("wings", 1), "units"),
    ]

    new = edit_document(document_from_text(dedent(ARMY).lstrip(), "a"), edits)

    assert new.data["wings"][1]["units"] == [{"unit": "foot", "stands": "4"}]
    assert new.data["units"][-1] == {"unit": "guns", "stands": "2", "name": "Old"}


def test_what_is_inside_goes_with_what_goes() -> None:
    edits: list[Edit] = [
        SetKeys(("wings", 0, "units", 0), {"stands": "9"}),
        Remove(("wings", 0, "units", 1)),
        Remove(("wings", 0)),
        Move(("wings", 0, "units", 0), (), "units"),
    ]

    new = edit_document(document_from_text(dedent(ARMY).lstrip(), "a"), edits)

    assert [list(wing) for wing in new.data["wings"]] == [["units"]]
    assert len(new.data["units"]) == 3


def test_text_in_a_block_changes_and_what_follows_stays() -> None:
    text = "a: |\n  one\n  two\n\n# below\nb: c\n"

    assert (
        edit_document(
            document_from_text(text, "a.yaml"), [SetKeys((), {"a": "short", "d": "e"})]
        ).text
        == "a: short\n\n# below\nb: c\nd: e\n"
    )


def test_lines_that_end_as_on_windows_stay_so() -> None:
    text = "a: {b: c}\r\n# one\r\nd: e  # two\r\n"

    new = edit_document(document_from_text(text, "a.yaml"), [SetKeys(("a",), {"b": "f"})])

    assert new.text == text.replace("b: c", "b: f")


def test_edited_document_knows_its_new_places() -> None:
    text = "a:\n  - {n: 1}\n  - {n: 2}\n"

    new = edit_document(document_from_text(text, "a.yaml"), [Remove(("a", 0))])

    assert new.locate(("a", 0)).line == 2


def test_old_document_stays_as_it_was() -> None:
    document = document_from_text(dedent(ARMY), "a")
    text, data = document.text, repr(document.data)

    edit_document(document, [Remove(("units", 0)), SetKeys(("chief",), {"rank": "3"})])

    assert (document.text, repr(document.data)) == (text, data)


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        ("a: &x {n: 1}\nb: *x", SetKeys(("a",), {"n": "2"})),
        ("a: &x [{n: 1}, {n: 2}]\nb: *x", Remove(("a", 0))),
        ("a: [1]", SetKeys(("b",), {"n": "2"})),
    ],
)
def test_edit_that_would_change_more_is_refused(text: str, edit: Edit) -> None:
    document = document_from_text(text, "a.yaml")

    with pytest.raises((MusterError, KeyError)):
        edit_document(document, [edit])
