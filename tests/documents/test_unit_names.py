"""Tests of names for sets of units: the shortest words that mean just these."""

from __future__ import annotations

import pytest

from muster.documents.unit_names import UnitSet, name_units

UNITS = ("Guards", "Line", "Militia", "Hussars", "Lancers", "Guns")
SETS = (
    UnitSet("infantry", frozenset({"Guards", "Line", "Militia"}), wide=True),
    UnitSet("cavalry", frozenset({"Hussars", "Lancers"}), wide=True),
)


@pytest.mark.parametrize(
    ("chosen", "either", "words"),
    [
        (UNITS, (), "all"),
        (UNITS[:-1], (), "all but Guns"),
        (UNITS[:-1], ("Guns",), "all"),
        (("Guards", "Line"), (), "Guards and Line"),
        (("Guards", "Line"), ("Militia",), "infantry"),
        (("Guards", "Line", "Hussars", "Lancers"), ("Guns",), "all but Militia"),
        (("Hussars", "Guns"), (), "Hussars and Guns"),
        (("Militia",), (), "Militia"),
    ],
)
def test_name_is_the_shortest(chosen: tuple[str, ...], either: tuple[str, ...], words: str) -> None:
    assert name_units(chosen, UNITS, SETS, either) == words


def test_a_large_set_has_exceptions() -> None:
    titles = ("Foot guards", "Musketeers", "Fusiliers", "Militia", "Howitzers", "Heavy guns")
    sets = (UnitSet("infantry", frozenset(titles[:4]), wide=True),)

    assert name_units(titles[:3], titles, sets, ()) == "infantry but not Militia"
    named = name_units((*titles[:3], "Howitzers"), titles, sets, ())
    assert named == "Howitzers; infantry but not Militia"
