"""Test what army books say of their own units: how many there may be, and which options."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from muster.armies import check, load_book
from muster.armies.price_list import kind_with, permitted
from muster.problems import MusterError
from muster.systems import open_system
from tests.armies.conftest import COMPOSITION, LIMITED_BOOK, Read
from tests.armies.constraint_samples import FOOT, units

AXE, RIDER, SLING = "unit: axemen", "unit: riders, stands: 1", "unit: slingers, stands: 2"
NORTH = "book: north\n"


@pytest.fixture
def book(system: Path) -> Path:
    """Write the book with limits, and return its file."""
    path = system / "books" / "north.yaml"
    path.write_text(LIMITED_BOOK, encoding="utf-8")
    return path


@pytest.mark.usefixtures("book")
@pytest.mark.parametrize(
    ("army", "expected"),
    [
        (f"{NORTH}limit: 39\n{units(AXE, AXE, RIDER, SLING)}", []),
        (f"{NORTH}limit: 20\n{units(f'{AXE}, count: 3', RIDER)}",
         [("unit-number", "army", "at most 2 units of Axemen", "3 units of Axemen",
           "Remove 1 unit of Axemen.")]),
        (f"{NORTH}limit: 39\n{units(AXE)}",
         [("unit-number", "army", "1 unit of Riders under a limit of 39 points", "none",
           "Add 1 unit of Riders.")]),
        (f"{NORTH}limit: 21\n{units(RIDER, SLING, SLING, SLING)}",
         [("unit-number", "army", "at most 2 units of Slingers under a limit of 21 points",
           "3 units of Slingers", "Remove 1 unit of Slingers.")]),
        # An ally needs no riders, but may not bring too many.
        (f"limit: 25\n{units(FOOT, f'{AXE}, book: north')}", []),
        (f"limit: 25\n{units(f'{RIDER}, book: north, count: 2')}",
         [("unit-number", "army", "at most 1 unit of Riders under a limit of 25 points",
           "2 units of Riders", "Remove 1 unit of Riders.")]),
        (f"{NORTH}limit: 20\n{units(RIDER, f'{SLING}, options: [pikes]')}",
         [("unit-option", "units[1]", "no options", "“Pikes”", "Leave out “Pikes”.")]),
        # What a unit comes with, it has; what the book does not speak of, it may take.
        (f"{NORTH}limit: 20\n{units(f'{RIDER}, options: [shields]', f'{AXE}, options: [pikes]')}",
         []),
    ],
)  # fmt: skip
def test_book_says_how_many_and_which_options(
    read: Read, army: str, expected: list[tuple[str, ...]]
) -> None:
    found = [f for f in check(read(army)).findings if f.code != "over-limit"]

    assert [(f.code, f.path, f.allowed, f.actual, f.remedy) for f in found] == expected


@pytest.mark.usefixtures("book")
def test_findings_cite_the_book_and_its_lines(read: Read) -> None:
    number, option = check(
        read(f"{NORTH}limit: 20\n{units(f'{SLING}, options: [shields, pikes]')}")
    ).findings

    assert str(number.rule) == "Army book The North, line 7 of the source"
    assert number.message == (
        "An army of The North has 1 unit of Riders per 20 points of the limit, rounded down."
    )
    assert (option.message, option.actual) == (
        "Slingers may take no options.",
        "“Shields” and “Pikes”",
    )
    assert (option.severity, option.location.line) == ("error", 5)


@pytest.mark.usefixtures("book")
def test_army_of_the_book_without_a_limit_is_warned(read: Read) -> None:
    found = check(read(f"{NORTH}{units(RIDER, RIDER)}")).findings

    assert [(f.severity, f.code) for f in found] == [("warning", "no-limit")]


@pytest.mark.usefixtures("book")
def test_options_that_the_book_bars_are_not_permitted(read: Read) -> None:
    (unit,) = read(f"{NORTH}limit: 20\n{units(SLING)}").units()
    pikes = unit.kind.composition.options["pikes"]

    assert not permitted(unit.kind, kind_with(unit.kind, option=pikes))


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("{max: 2}", "{}", "bad-value"),
        ("{max: 2}", "{max: 2, begun: true}", "bad-value"),
        ("{max: 2}", "{max: 2, per: 0}", "bad-value"),
        ("may: [pikes]", "may: [bows]", "unknown-option"),
    ],
)
def test_faulty_limits_are_refused_at_their_place(
    system: Path, book: Path, old: str, new: str, code: str
) -> None:
    book.write_text(LIMITED_BOOK.replace(old, new), encoding="utf-8")

    with pytest.raises(MusterError) as caught:
        load_book(open_system(system), "north")

    (problem,) = caught.value.problems
    assert problem.code == code
    assert new.split(":", maxsplit=1)[0].lstrip("{") in problem.line_text


def test_number_by_the_limit_needs_prices(system: Path, book: Path) -> None:
    free = re.sub(r"(?m)^    price: .*\n", "", COMPOSITION)
    (system / "composition.yaml").write_text(f"{free}  []\n", encoding="utf-8")

    with pytest.raises(MusterError) as caught:
        load_book(open_system(system), book.stem)

    assert {problem.code for problem in caught.value.problems} == {"no-prices"}
