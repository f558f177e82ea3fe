"""Test that a converted document of each shipped system has no length in the old unit left."""

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
    # It is added to a radius, and the table of radii beside it is converted.
    "radius modifier in cm",
}


def texts(part: Any) -> Iterator[str]:
    """Go through all texts of a document except footnotes, which quote the source."""
    if isinstance(part, Footnote):
        return
    if isinstance(part, str):
        yield part
    elif is_dataclass(part):
        for field in fields(part):
            if field.name not in {"unit", "credit", "findings"}:
                yield from texts(getattr(part, field.name))
    elif isinstance(part, tuple | list):
        for item in part:
            yield from texts(item)


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
        left |= {
            text for document in documents for text in texts(document) if LENGTH[own].search(text)
        }

    assert left - STAYS == set()


@pytest.mark.parametrize("name", SHIPPED)
def test_there_are_lengths_to_convert(name: str) -> None:
    system = Library(ROOT).system(name)
    sheet = gather_sheet(system, measures=choose_measures(system, system.scales[0].id))

    assert any(LENGTH[system.identity.unit].search(text) for text in texts(sheet))
