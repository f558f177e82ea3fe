"""Test the prices of what still fits: each is what the check charges once the unit is added."""

from __future__ import annotations

from copy import deepcopy
from decimal import Decimal
from typing import Any

import pytest

from muster.armies import Army, army_from_document, check
from muster.armies.books import entry_of
from muster.solver.additions import find_additions
from muster.yamlfile import Document
from tests.solver.lists import library

Data = dict[str, Any]


def army_of(data: Data) -> Army:
    return army_from_document(Document("army.yaml", "", deepcopy(data)), library())


def one_division(unit: Data, **more: Any) -> Data:
    division = {"general": {"experience": "raw"}, "units": [unit]}
    leader = {"experience": "raw"}
    return {"system": "slaughterloo", "commander": leader, "divisions": [division], **more}


def total_of(data: Data) -> Decimal:
    points = check(army_of(data)).points
    assert points is not None
    return points


@pytest.mark.parametrize("limit", [None, "9000"], ids=["unlimited", "limited"])
@pytest.mark.parametrize(
    ("book", "first"), [("sample-human", "fusiliers"), ("sample-undead", "bone-musketeers")]
)
def test_price_of_what_fits_is_what_the_check_charges(
    book: str, first: str, limit: str | None
) -> None:
    data = one_division({"unit": first, "figures": "8"}, book=book)
    if limit is not None:
        data["limit"] = limit
    before = total_of(data)

    additions = find_additions(army_of(data))

    assert additions is not None
    assert len(additions.units) > 8
    for fit in additions.units:
        for size, points in (
            (fit.smallest, fit.points_smallest),
            (fit.largest, fit.points_largest),
        ):
            larger = deepcopy(data)
            size_field = str(entry_of(fit.unit_type).size)
            unit = {"unit": fit.unit_type.id, size_field: str(size)}
            larger["divisions"][0]["units"].append(unit)
            assert points == total_of(larger) - before, unit


def test_unknown_price_of_what_fits_is_not_told() -> None:
    lancers = {"unit": "lancers", "book": "sample-human", "figures": "4"}

    additions = find_additions(army_of(one_division(lancers)))

    assert additions is not None
    assert {fit.points_smallest for fit in additions.units} == {None}
