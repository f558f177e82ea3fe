"""Tests of tables as they are printed: folding, numbers of steps, lengths in bands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.documents.table_view import (
    PrintedCell,
    TableLine,
    TableView,
    fold_view,
    length_in_bands,
    step_number,
)
from muster.values import Distance, Number, Span, Value


def make_view(groups: str, form: str = "pairs") -> TableView:
    """Return a list of lines, each in the group that a letter names; a dot is in no group."""
    lines = []
    before = ""
    for number, letter in enumerate(groups, 1):
        group = "" if letter == "." else letter
        head = group if group != before else ""
        lines.append(
            TableLine(f"{number}", (PrintedCell("+1", "signed"),), group=head, within=group)
        )
        before = group
    return TableView("x", "X", form, tuple(lines))


def summary(view: TableView) -> list[str]:
    """Return each part as its labels, with the headings of groups before them in brackets."""
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
    assert summary(fold_view(make_view(groups), times)) == parts


def test_list_breaks_between_groups_where_that_costs_no_height() -> None:
    # After the third line or after the fourth, the higher part has five: one breaks no group.
    assert summary(fold_view(make_view("aaabb"), 2)) == ["(a)123", "(b)45"]


@pytest.mark.parametrize(("form", "times"), [("grid", 2), ("steps", 2), ("pairs", 1), ("pairs", 9)])
def test_what_cannot_be_folded_stays_whole(form: str, times: int) -> None:
    assert fold_view(make_view("....", form), times).parts == ()


@pytest.mark.parametrize("form", ["pairs", "outcomes", "terms", "listed"])
def test_rows_of_labels_with_what_they_mean_can_be_folded(form: str) -> None:
    assert len(fold_view(make_view("....", form), 2).parts) == 2


@given(st.text("ab.", min_size=2, max_size=12), st.integers(2, 3))
def test_folding_keeps_every_line_in_order_under_its_group(groups: str, times: int) -> None:
    view = fold_view(make_view(groups), times)

    if times > len(groups):
        assert view.parts == ()
        return
    assert [line.label for part in view.parts for line in part] == [
        line.label for line in view.lines
    ]
    for part in view.parts:
        assert part
        assert not part[0].within or part[0].group.startswith(part[0].within)


@pytest.mark.parametrize(
    ("counters", "number"),
    [
        ([12], "12"),
        ([1, 1], "a"),
        ([1, 26], "z"),
        ([1, 27], "aa"),
        ([1, 53], "ba"),
        ([1, 1, 4], "iv"),
        ([1, 1, 11], "xi"),
        ([1, 1, 1, 49], "xlix"),
        ([1, 1, 120], "cxx"),
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(map(str, value)),
)
def test_step_is_numbered_however_many_there_are(counters: list[int], number: str) -> None:
    assert step_number(counters) == number


@pytest.mark.parametrize(
    ("value", "band", "text"),
    [
        (Distance.parse("12cm"), "4cm", " (3)"),
        (Span.parse("4-8cm"), "4cm", " (1–2)"),
        (Span.parse("over 8cm"), "4cm", " (2)"),
        (Distance.parse("80cm"), "4cm", " (20)"),
        (Distance.parse('12"'), "4cm", ""),
        (Distance.parse("12cm"), "d6cm", ""),
        (Number.parse("12"), "4cm", ""),
        (Distance.parse("d6cm"), "4cm", ""),
    ],
    ids=lambda value: str(value).strip() or "none",
)
def test_length_is_given_in_bands_too(value: Value, band: str, text: str) -> None:
    assert length_in_bands(value, Distance.parse(band)) == text


def test_length_without_bands_is_a_length_alone() -> None:
    assert length_in_bands(Distance.parse("12cm"), None) == ""
