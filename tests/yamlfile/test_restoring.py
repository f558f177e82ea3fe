"""Owns the tests of finished data as JSON: what comes back is what went, and nothing else comes."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import orjson
import pytest

from muster.armies.books import WrittenBook
from muster.armies.vocabulary import WrittenComposition
from muster.systems.errata import Errata, Place
from muster.systems.identity import Identity
from muster.systems.layouts import Cards, WrittenSheet
from muster.tables import Column, read_table
from muster.values import BLANK, DASH, Cost, Dice, Distance, Modifier, Scaled, Text
from muster.yamlfile import read_document, read_model
from muster.yamlfile.cache import NotRestorableError, from_json, to_json

ROOT = Path(__file__).parent.parent.parent
CONTENT = ROOT / "content"


def there_and_back(value: Any) -> Any:
    return from_json(orjson.loads(orjson.dumps(to_json(value))))


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        7,
        "seven",
        [],
        ["a", ["b"], ()],
        ("a", 1, [None]),
        {"a": {"b": [1, 2]}},
        Decimal("0.10"),
        Fraction(1, 3),
        Dice.parse("2d6*10+1"),
        Distance.parse('d6+3"'),
        Modifier.parse("+2"),
        Cost.parse("+0.25 per stand"),
        Text.parse("as Light"),
        Scaled({"15mm": Distance.parse("6cm"), "25mm": DASH}),
        Column("a", "A", only_for={"type": ("horse", "foot")}),
        Place(table="rates", row="foot"),
    ],
    ids=repr,
)
def test_value_comes_back_as_it_was(value: Any) -> None:
    again = there_and_back(value)

    assert again == value
    assert type(again) is type(value)
    assert repr(again) == repr(value)


@pytest.mark.parametrize("one", [DASH, BLANK])
def test_what_there_is_one_of_stays_the_one(one: object) -> None:
    assert there_and_back([one])[0] is one


def test_cost_keeps_what_equality_does_not_see() -> None:
    cost = Cost.parse("+0.25 per stand")

    assert there_and_back(cost).show() == cost.show()


def test_model_still_knows_which_fields_were_given() -> None:
    given = Place.model_validate({"table": "rates", "row": None})

    assert there_and_back(given).model_fields_set == {"table", "row"}


@pytest.mark.parametrize(
    ("pattern", "model"),
    [
        ("*/system.yaml", Identity),
        ("*/composition.yaml", WrittenComposition),
        ("*/books/*.yaml", WrittenBook),
        ("*/errata.yaml", Errata),
        ("*/cards.yaml", Cards),
        ("*/sheets/*.yaml", WrittenSheet),
    ],
)
def test_every_file_that_is_shipped_comes_back(pattern: str, model: type[Any]) -> None:
    paths = sorted(CONTENT.glob(pattern))

    assert paths
    for path in paths:
        read = read_model(model, read_document(path))
        again = there_and_back(read)
        assert again == read
        assert again.model_dump_json() == read.model_dump_json()


def test_every_table_that_is_shipped_comes_back() -> None:
    paths = sorted(CONTENT.glob("*/tables/*.yaml"))

    assert paths
    for path in paths:
        system = read_model(Identity, read_document(path.parent.parent / "system.yaml"))
        table = read_table(read_document(path), [scale.id for scale in system.scales])
        assert repr(there_and_back(table)) == repr(table)


class Outsider:
    """A class of no file."""


@pytest.mark.parametrize(
    "value", [Outsider(), {1: "a"}, 1.5, object(), [{"a": Outsider()}], b"bytes", {"a"}]
)
def test_what_cannot_come_back_is_not_kept(value: Any) -> None:
    with pytest.raises(NotRestorableError):
        to_json(value)


def deep(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


def test_nothing_deep_is_kept_or_read() -> None:
    with pytest.raises(NotRestorableError):
        to_json(deep(100))
    with pytest.raises(NotRestorableError):
        from_json([[], json.loads("[0," * 200 + "1" + "]" * 200)])


def changed(change: Callable[[list[Any]], object]) -> list[Any]:
    """Keep a place of an erratum, then spoil what was kept."""
    found: list[Any] = orjson.loads(orjson.dumps(to_json(Place(table="rates"))))
    change(found)
    return found


@pytest.mark.parametrize(
    "spoilt",
    [
        None,
        [],
        {"a": 1},
        [[], [8, 1]],
        [[], [99]],
        [[], [[]]],
        [[], []],
        [[], ["x"]],
        [[], [3, "many"]],
        [[], [3, 1]],
        [[], [2, [1]]],
        [[], [4, "1/0"]],
        [[], [5, 0, "CM"]],
        [[], 1.5],
        changed(lambda found: found[0][0].__setitem__(0, "os")),
        changed(lambda found: found[0][0].__setitem__(0, "muster.systems.nowhere")),
        changed(lambda found: found[0][0].__setitem__(1, "Literal")),
        changed(lambda found: found[0][0].__setitem__(1, "nothing")),
        changed(lambda found: found[0][0].__setitem__(2, ["table"])),
        changed(lambda found: found[0][0].append("more")),
        changed(lambda found: found[1].pop()),
        changed(lambda found: found[1].append(1)),
        changed(lambda found: found[1].__setitem__(0, 4)),
        changed(lambda found: found[1].__setitem__(1, "many")),
    ],
    ids=repr,
)
def test_what_was_never_kept_is_refused(spoilt: Any) -> None:
    with pytest.raises(NotRestorableError):
        from_json(spoilt)


def test_values_are_made_through_their_own_door() -> None:
    kept = orjson.loads(orjson.dumps(to_json(Dice.parse("2d6"))).replace(b"[8,2,6,", b"[8,2,1000,"))

    with pytest.raises(NotRestorableError):
        from_json(kept)
