"""Owns the facts about folded lists: where they break, and that no group loses its head."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.documents.table_view import TableCell, TableLine, TableView, fold_view


def listed(groups: str, form: str = "pairs") -> TableView:
    """Give a list of lines, each in the group that a letter names; a dot is in none."""
    lines = []
    before = ""
    for number, letter in enumerate(groups, 1):
        group = "" if letter == "." else letter
        head = group if group != before else ""
        lines.append(TableLine(f"{number}", (TableCell("+1", "signed"),), group=head, within=group))
        before = group
    return TableView("x", "X", form, tuple(lines))


def told(view: TableView) -> list[str]:
    """Write each part as its labels, the heads of groups before them in brackets."""
    return [
        "".join(f"({line.group}){line.label}" if line.group else line.label for line in part)
        for part in view.parts
    ]


@pytest.mark.parametrize(
    ("groups", "times", "parts"),
    [
        ("....", 2, ["12", "34"]),
        (".....", 2, ["123", "45"]),
        ("......", 3, ["12", "34", "56"]),
        ("aabb", 2, ["(a)12", "(b)34"]),
        ("aaaabb", 2, ["(a)1234", "(b)56"]),
        ("aaaaaa", 2, ["(a)123", "(a, cont.)456"]),
        ("aaaaab", 2, ["(a)1234", "(a, cont.)5(b)6"]),
        ("aaaaa....", 2, ["(a)12345", "6789"]),
        ("..bb", 2, ["12", "(b)34"]),
    ],
)
def test_list_breaks_where_its_parts_are_of_a_height(
    groups: str, times: int, parts: list[str]
) -> None:
    assert told(fold_view(listed(groups), times)) == parts


def test_list_breaks_between_groups_where_that_costs_no_height() -> None:
    # After the third line or after the fourth, the higher part has five: one breaks no group.
    assert told(fold_view(listed("aaabb"), 2)) == ["(a)123", "(b)45"]


@pytest.mark.parametrize(("form", "times"), [("grid", 2), ("terms", 2), ("pairs", 1), ("pairs", 9)])
def test_what_cannot_be_folded_stays_whole(form: str, times: int) -> None:
    assert fold_view(listed("....", form), times).parts == ()


@given(st.text("ab.", min_size=2, max_size=12), st.integers(2, 3))
def test_folding_keeps_every_line_in_order_under_its_group(groups: str, times: int) -> None:
    view = fold_view(listed(groups), times)

    if times > len(groups):
        assert view.parts == ()
        return
    assert [line.label for part in view.parts for line in part] == [
        line.label for line in view.lines
    ]
    for part in view.parts:
        assert part
        assert not part[0].within or part[0].group.startswith(part[0].within)
