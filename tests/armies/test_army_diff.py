"""Tests of what two armies do not have in common, and of what that costs."""

from __future__ import annotations

import pytest

from muster.armies import check
from muster.armies.army_diff import UnitChange, compare_armies
from tests.armies.conftest import Read

LIST = """
name: First
book: north
chief: {name: Old}
wings:
  - head: {name: Left}
    units:
      - {unit: axemen}
      - {unit: horse, name: Riders, stands: 4}
      - {unit: horse, name: Riders, stands: 4}
  - name: Right
    units:
      - {unit: foot, stands: 4}
"""


def told(read: Read, *changes: tuple[str, str]) -> list[tuple[str, str, int, str]]:
    """Return what differs in words when texts of the list are replaced by others."""
    text = LIST
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    found = compare_armies(check(read(LIST)), check(read(text)))
    return [
        (each.kind, _shown(each), int(each.points_difference), each.unit.label) for each in found
    ]


def _shown(change: UnitChange) -> str:
    return "; ".join(change.words) or " > ".join(change.unit.place)


def test_same_army_has_no_changes(read: Read) -> None:
    assert told(read) == []


RIDERS = "      - {unit: horse, name: Riders, stands: 4}\n"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([("name: First", "name: Second")], []),
        ([("{unit: foot, stands: 4}", "{unit: foot, stands: 4, drill: raw}")], []),
        ([(RIDERS * 2, RIDERS.replace("}", ", count: 2}"))], []),
        (
            [("      - {unit: axemen}\n", "")],
            [("removed", "Wing of Left", -12, "Axemen")],
        ),
        (
            [("- {unit: foot", "- {unit: guns, stands: 1, price: 7}\n      - {unit: foot")],
            [("added", "Wing “Right”", 7, "Guns")],
        ),
        ([(RIDERS, "")], [("changed", "count 2 → 1", -20, "Horse “Riders”")]),
        (
            [("{unit: axemen}", "{unit: axemen, stands: 5, drill: raw, options: [pikes]}")],
            [("changed", "stands 4 → 5; drill old hands → raw; now pikes", 3, "Axemen")],
        ),
        (
            [("{unit: foot, stands: 4}", "{unit: foot, stands: 4, price: 3}")],
            [("changed", "price none → 3", 0, "Foot")],
        ),
        (
            [("{unit: foot, stands: 4}", "{unit: foot, name: Guard, stands: 4}")],
            [("changed", "name none → “Guard”", 0, "Foot “Guard”")],
        ),
        (
            [(RIDERS * 2, RIDERS.replace("horse", "foot"))],
            [("changed", "Horse → Foot; count 2 → 1", -28, "Foot “Riders”")],
        ),
        (
            [("name: Right", "name: Reserve")],
            [("changed", "name “Right” → “Reserve”", 0, "Wing “Reserve”")],
        ),
        (
            [("{name: Left}", "{name: Old Left}")],
            [("changed", "name “Left” → “Old Left”", 0, "Head “Old Left”")],
        ),
        (
            [("book: north\n", ""), ("{unit: axemen}", "{unit: foot, stands: 4}")],
            [
                ("changed", "book The North → none", 0, "Army"),
                ("added", "Wing of Left", 12, "Foot"),
                ("removed", "Wing of Left", -12, "Axemen"),
            ],
        ),
    ],
)
def test_change_is_told(
    changes: list[tuple[str, str]], expected: list[tuple[str, str, int, str]], read: Read
) -> None:
    assert told(read, *changes) == expected


def test_unit_that_moved_is_no_other_unit(read: Read) -> None:
    axemen = "      - {unit: axemen}\n"

    moved = told(read, (axemen, ""), ("      - {unit: foot", f"{axemen}      - {{unit: foot"))

    assert moved == [("changed", "moved from Wing of Left to Wing “Right”", 0, "Axemen")]


def test_equal_units_in_one_place_are_one_whatever_wing_stands_first(read: Read) -> None:
    left, right = LIST.index("  - head"), LIST.index("  - name: Right")
    turned = LIST[:left] + LIST[right:] + LIST[left:right]

    assert compare_armies(check(read(LIST)), check(read(turned))) == []


def test_json_has_place_count_and_points_of_both(read: Read) -> None:
    old, new = check(read(LIST)), check(read(LIST.replace(RIDERS, "", 1)))

    (change,) = compare_armies(old, new)

    assert change.as_json() == {
        "kind": "changed",
        "unit": "horse",
        "label": "Horse “Riders”",
        "old": {
            "path": "wings[0].units[1]",
            "place": ["Wing of Left"],
            "count": 2,
            "points": 40,
        },
        "new": {
            "path": "wings[0].units[1]",
            "place": ["Wing of Left"],
            "count": 1,
            "points": 20,
        },
        "by": -20,
        "words": ["count 2 → 1"],
    }
