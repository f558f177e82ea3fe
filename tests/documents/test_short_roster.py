"""Tests of the short forms of rosters: what they join, and what they leave to the full roster."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from muster.documents.cards import CardRow, LossBox
from muster.documents.derived_values import DerivedCell
from muster.documents.roster import (
    ColumnKey,
    MarkNote,
    Marks,
    Roster,
    RosterEntry,
    RosterSection,
    Track,
)
from muster.documents.short_roster import (
    SHORT_FORMS,
    count_units,
    first_commands,
    join_equal_units,
    lead_lines,
    leave_out_groups,
    run_on,
    share_lines,
    shorten,
    sign,
)
from muster.limits import MAX_ROSTER_BOXES
from tests.rendering.samples import entry, roster, told


def of(*entries: RosterEntry, **changes: Any) -> Roster:
    sections = (RosterSection("Right", "command", entries, "72", notes="On the hill"),)
    return roster(sections=sections, **changes)


def named(held: Roster) -> list[tuple[str, int, str]]:
    (section,) = held.sections
    return [(each.name, each.count, each.points) for each in section.entries]


def test_equal_units_of_a_command_are_one_entry_with_their_points() -> None:
    held = of(entry("A"), entry("B", points="10"), entry("A", count=2, points="48.5"))

    assert named(join_equal_units(held)) == [("A", 3, "72.5"), ("B", 1, "10")]


@pytest.mark.parametrize(
    "other",
    [
        {"options": ()},
        {"strength": "5 stands"},
        {"faulty": True},
        {"points": "27 + ?"},
        {"count": MAX_ROSTER_BOXES // 6},
    ],
    ids=lambda change: next(iter(change)),
)
def test_units_that_differ_or_cannot_be_added_stay_apart(other: dict[str, Any]) -> None:
    held = of(entry("A"), entry("A", **other))

    assert len(join_equal_units(held).sections[0].entries) == 2


def test_groups_that_test_at_losses_are_kept_only_by_the_fullest_short_form() -> None:
    marks = Marks((LossBox(3, "−1"),), MarkNote("Stands lost", "morale as marked"))
    marked = entry("Horse", kind="group", points="", boxes=0, marks=marks)
    plain = entry("Foot", kind="group", points="", boxes=0)
    held = of(marked, entry("A"), plain, entry("B"))

    fullest, next_form = shorten(held), leave_out_groups(held)

    assert [each.name for each in fullest.sections[0].entries] == ["Horse", "A", "Foot", "B"]
    assert [each.name for each in next_form.sections[0].entries] == ["A", "B"]
    assert [len(form.mark_notes) for form in (fullest, next_form, sign(held))] == [1, 0, 0]


def test_roster_for_a_tournament_has_no_boxes_to_write_in() -> None:
    blank = CardRow("Markers", (DerivedCell("", "blank"),))
    grade = CardRow("Grade", (DerivedCell("Good", "text"),))
    leader = entry("Hill", kind="leader", boxes=0, values=(), facts=(grade, blank))

    (section,) = sign(of(leader, entry("A"))).sections

    assert section.led_by is not None
    assert section.led_by.facts == (grade,)


def test_units_of_two_groups_stay_apart() -> None:
    group = entry("Group", kind="group", points="", boxes=0)

    held = join_equal_units(of(entry("A"), group, entry("A")))

    assert [name for name, *_ in named(held)] == ["A", "Group", "A"]


def test_units_that_differ_in_name_only_share_a_line_if_their_type_is_told() -> None:
    typed = of(entry("A"), entry("B"), entry("A"))
    bare = of(entry("Line", type=""), entry("Guards", type=""))

    assert named(share_lines(typed)) == [("A, B", 3, "")]
    assert [name for name, *_ in named(share_lines(bare))] == ["Line", "Guards"]


def test_leaders_share_the_line_of_what_they_command() -> None:
    chief = entry("Chief", kind="leader", how="", points="25", boxes=0)
    group = entry("Wing", kind="group", points="", boxes=0)
    second = entry("Second", kind="leader", how="", points="10", boxes=0, depth=1)

    (section,) = share_lines(of(chief, group, second, entry("A", depth=1))).sections

    assert section.led_by == chief
    wing, unit = section.entries
    assert (wing.led_by, unit.name) == (second, "A")


@pytest.mark.parametrize(
    ("changes", "in_heading", "in_group"),
    [
        ({"points": ""}, True, True),
        ({"points": "10"}, False, True),
        ({"points": "", "notes": "Wounded"}, False, False),
    ],
    ids=["no-price", "price", "notes"],
)
def test_leaders_of_a_full_roster_share_a_line_if_nothing_is_lost(
    changes: dict[str, Any], *, in_heading: bool, in_group: bool
) -> None:
    chief = entry("Chief", kind="leader", how="", boxes=0, **changes)
    group = entry("Wing", kind="group", points="", boxes=0)
    second = entry("Second", kind="leader", how="", boxes=0, depth=1, **changes)

    (section,) = lead_lines(of(chief, group, second, entry("A", depth=1))).sections

    assert (section.led_by == chief) is in_heading
    (wing,) = (each for each in section.entries if each.kind == "group")
    assert (wing.led_by == second) is in_group


def test_none_of_several_leaders_has_the_heading_of_a_full_roster() -> None:
    staff = [entry(name, kind="leader", points="", boxes=0) for name in ("Alden", "Pym")]

    (section,) = lead_lines(of(*staff)).sections

    assert section.led_by is None
    assert list(section.entries) == staff


def test_running_units_keep_their_boxes_and_findings_what_was_found() -> None:
    held = run_on(of(entry("A"), findings=(told(),), legal=False))

    (section,) = held.sections
    assert section.is_running
    assert [each.boxes for each in section.entries] == [6]
    (finding,) = held.findings
    assert finding.message == told().message
    assert (finding.remedy, finding.rule, held.keys) == ("", "", ())


def test_roster_at_a_glance_has_bare_sizes_the_values_that_are_asked_and_no_plain_groups() -> None:
    asked, other = ColumnKey("DF", "defence", short=True), ColumnKey("Form", "form")
    cells = (DerivedCell("4", "number"), DerivedCell("9", "number"))
    units = (
        entry("Wing", kind="group", values=(), boxes=0, points=""),
        entry("A", depth=1, values=cells),
    )
    section = RosterSection("Right", "command", units, "24", keys=(asked, other))

    held = shorten(roster(keys=(asked, other), sections=(section,), findings=(told(),)))

    (unit,) = held.sections[0].entries
    assert (unit.name, unit.depth, unit.points) == ("A", 0, "")
    assert (unit.strength, unit.noun) == ("6", "stands")
    assert (unit.values, held.keys, held.sections[0].keys) == (cells[:1], (asked,), (asked,))
    assert held.sizes == "Size"
    assert (held.findings[0].message, held.findings[0].remedy) == (told().message, "")


def test_last_form_counts_units_and_says_what_it_leaves_out() -> None:
    chief = entry("Chief", kind="leader", how="", boxes=0)
    work = entry("Redoubt", kind="work", boxes=0)

    held = count_units(of(chief, entry("A", count=3), entry("B"), work, findings=(told(),)))

    (section,) = held.sections
    assert (section.entries, section.led_by) == ((), chief)
    assert section.notes == "4 units, 1 leader or work"
    assert held.left_out == (
        "The full roster lists the units of each command and the 1 finding of the verdict."
    )


@pytest.mark.parametrize(
    ("number", "said"),
    [(3, ""), (2, "1 further command stands on"), (1, "2 further commands stand")],
)
def test_commands_that_do_not_fit_are_counted(number: int, said: str) -> None:
    sections = tuple(RosterSection(f"C{n}", "command", (), "") for n in range(3))

    held = first_commands(roster(sections=sections), number)

    assert len(held.sections) == number
    assert held.left_out.startswith(said)


def test_form_for_a_tournament_has_no_boxes() -> None:
    held = sign(of(entry("A"), entry("B", boxes=0, tallies=(Track(5), Track(5)))))

    assert not held.sections[0].has_losses
    assert [each.points for each in held.sections[0].entries] == ["24", "24"]


def test_size_of_several_units_on_a_page_for_a_tournament_is_multiplied() -> None:
    held = sign(of(entry("A"), entry("B", count=2)))

    strengths = [each.strength for each in held.sections[0].entries]
    assert strengths == ["6", "2\u00a0×\u00a06"]


def test_every_short_form_leaves_out_arithmetic_and_notes() -> None:
    held = of(entry("A", notes="Raw"))

    for form in SHORT_FORMS:
        (section,) = form(held).sections
        assert section.notes in {"", "1 unit"}
        assert all((each.how, each.notes) == ("", "") for each in section.entries)


def test_group_of_which_a_rule_speaks_keeps_its_head_on_a_page_to_sign() -> None:
    head = entry("Guns", kind="group", boxes=0, values=(), strength="", points="", type="Group")
    plain = of(head, entry("A", depth=1))
    ruled = of(replace(head, is_ruled=True), entry("A", depth=1))

    assert [name for name, _, _ in named(sign(plain))] == ["A"]
    assert [name for name, _, _ in named(sign(ruled))] == ["Guns", "A"]
    assert [name for name, _, _ in named(sign(ruled, ruled_groups=False))] == ["A"]
