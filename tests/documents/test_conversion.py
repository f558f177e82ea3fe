"""Owns the fact that a converted document is converted as a whole, for every shipped system.

Does not ask whether a length is converted rightly; `test_measures` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from muster.armies import check, load_army
from muster.documents.cards import gather_cards
from muster.documents.measures import choose_measures
from muster.documents.roster import gather_roster
from muster.documents.sheet import gather_sheet
from muster.documents.table_view import Footnote
from muster.systems import Library
from tests.scaffold import SHIPPED

ROOT = Path(__file__).parents[2]
LENGTH = {"cm": re.compile(r"\d[  ]?cm\b|\bcm\b"), "in": re.compile(r"\d″|\binch")}
OTHER = {"cm": "in", "in": "cm"}
STAYS = {
    # What is added to a radius: the table of radii beside it is converted, sums and all.
    "radius modifier in cm",
}


def texts(held: Any) -> Iterator[str]:
    """Go through all texts of a document, but for notes on the source, which quote it."""
    if isinstance(held, Footnote):
        return
    if isinstance(held, str):
        yield held
    elif is_dataclass(held):
        for each in fields(held):
            if each.name not in {"unit", "credit", "findings"}:
                yield from texts(getattr(held, each.name))
    elif isinstance(held, tuple | list):
        for each in held:
            yield from texts(each)


@pytest.mark.parametrize("name", SHIPPED)
def test_no_length_of_the_rules_own_unit_is_left(name: str) -> None:
    library = Library(ROOT)
    system = library.system(name)
    own = system.identity.unit
    army = load_army(ROOT / "armies" / name / "large.yaml", library)
    verdict = check(army)

    left = set()
    for scale in system.scales:
        chosen = choose_measures(system, scale.id, OTHER[own])
        documents = (
            gather_sheet(system, measures=chosen),
            gather_cards(system, army, verdict, chosen),
            gather_roster(system, army, verdict, chosen),
        )
        left |= {text for each in documents for text in texts(each) if LENGTH[own].search(text)}

    assert left - STAYS == set()


@pytest.mark.parametrize("name", SHIPPED)
def test_there_are_lengths_to_convert(name: str) -> None:
    system = Library(ROOT).system(name)
    sheet = gather_sheet(system, measures=choose_measures(system, system.scales[0].id))

    assert any(LENGTH[system.identity.unit].search(text) for text in texts(sheet))
