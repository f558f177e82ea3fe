"""Test an army that was read: its nodes, their paths and their values."""

from __future__ import annotations

from decimal import Decimal

import pytest

from muster.problems import MusterError
from muster.values import BLANK
from tests.armies.conftest import Read

ARMY = """
book: north
name: Host
chief: {name: Old Bear, notes: Limps., rank: 2}
wings:
  - name: Left
    head: {}
    units:
      - {unit: axemen, name: Red Shields, count: 2, options: [pikes]}
      - {unit: horse, stands: 1, drill: raw}
units:
  - {unit: guns, stands: 3, price: 2.5}
"""


def test_nodes_stand_in_the_order_of_the_file(read: Read) -> None:
    army = read(ARMY)

    assert [(node.order, node.path_text) for node in army.nodes()] == [
        (0, "army"),
        (1, "chief"),
        (2, "wings[0]"),
        (3, "wings[0].head"),
        (4, "wings[0].units[0]"),
        (5, "wings[0].units[1]"),
        (6, "units[0]"),
    ]
    assert [node.path_text for node in army.units()] == [
        "wings[0].units[0]",
        "wings[0].units[1]",
        "units[0]",
    ]


def test_node_says_what_it_is(read: Read) -> None:
    axemen = next(read(ARMY).units())

    assert (axemen.title, axemen.entry_title, axemen.label) == (
        "Axemen",
        "Foot",
        "Axemen “Red Shields”",
    )
    assert (axemen.size, axemen.strength, axemen.count) == (4, "4 stands", 2)
    assert axemen.options == ("shields", "pikes")
    assert axemen.option_titles == ("Shields", "Pikes")
    assert axemen.parent_path == ("wings", 0)
    assert not axemen.is_branch


def test_leader_and_level_say_what_they_are(read: Read) -> None:
    army = read(ARMY)
    chief, wing = army.root.children[:2]

    assert (chief.level, chief.label, chief.notes) == ("leader", "Chief “Old Bear”", "Limps.")
    assert (chief.size, chief.strength, chief.parent_path) == (0, "", ())
    assert (wing.label, wing.is_branch, wing.entry, wing.profile) == (
        "Wing “Left”",
        True,
        None,
        None,
    )
    assert (wing.entry_title, wing.parent_path) == ("Wing", ())
    assert army.book is wing.book


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("type", "foot"),
        ("unit", "axemen"),
        ("level", "unit"),
        ("book", "north"),
        ("nation", "Northern"),
        ("temper", "cold"),
        ("stands", 4),
        ("drill", "old"),
        ("armour", "shields"),
        ("weapon", "pikes"),
        ("hair", "long"),
        ("arm", "foot"),
        ("move", BLANK),
        ("nothing", None),
    ],
)
def test_value_comes_from_the_nearest_that_states_it(
    read: Read, name: str, expected: object
) -> None:
    army = read(ARMY)
    axemen = next(army.units())

    assert axemen.value(name) == expected


def test_list_may_repeat_what_the_profile_states_and_nothing_else(read: Read) -> None:
    army = read("book: north\nunits: [{unit: axemen, stands: 4, drill: old}]")

    axemen = next(army.units())
    assert (axemen.value("stands"), axemen.value("drill")) == (4, "old")
    with pytest.raises(MusterError) as caught:
        read("book: north\nunits: [{unit: axemen, stands: 5, drill: raw}]")
    assert [problem.code for problem in caught.value.problems] == ["not-of-the-profile"] * 2
    assert str(caught.value.problems[0].location).endswith(":3:32")


def test_kind_shows_titles_and_not_ids(read: Read) -> None:
    axemen, _, guns = read(ARMY).units()

    assert axemen.kind.shown("drill") == "Old hands"
    assert axemen.kind.shown("morale") == "7"
    assert axemen.kind.shown("hair") == "long"
    assert axemen.kind.shown("nothing") == ""
    assert guns.kind.shown("price") == "2.5"
    assert guns.kind.shown("stands") == "3"


def test_equal_units_share_their_kind(read: Read) -> None:
    army = read("units: [{unit: foot, stands: 3, name: A}, {unit: foot, stands: 3, name: B}]")

    first, second = army.units()
    assert first.kind is second.kind


def test_points_of_the_list_are_exact(read: Read) -> None:
    guns = list(read(ARMY).units())[-1]

    assert guns.value("price") == Decimal("2.5")
