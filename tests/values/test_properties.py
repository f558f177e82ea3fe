"""Test what holds for all values of a form, and for all texts whatever they are."""

from __future__ import annotations

import fractions
import pickle
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.values import (
    FORMS,
    Angle,
    BadValue,
    Band,
    Cost,
    Count,
    Dice,
    Distance,
    Fraction,
    LengthUnit,
    Modifier,
    Number,
    Percent,
    Span,
    Target,
    Text,
    Value,
    parse_value,
    read_cell,
)

WHOLES = st.integers(0, 999_999_999).map(Decimal)
PLAIN = WHOLES | st.builds(
    lambda n, places: Decimal(n).scaleb(-places), st.integers(0, 999_999_99), st.integers(1, 7)
)
ABOVE_0 = PLAIN.filter(bool)
SIGNED = PLAIN | PLAIN.map(lambda number: -number or number)
UNITS = st.sampled_from(LengthUnit)
NOUNS = st.sampled_from(["stand", "gun", "very large gun", "demi-brigade", "Würfel", "men’s"])


@st.composite
def bands(draw: st.DrawFn, ends: st.SearchStrategy[Decimal] = SIGNED) -> Band:
    low, high = sorted((draw(ends), draw(ends)))
    match draw(st.sampled_from(["both", "up", "down"])):
        case "up":
            return Band(low, None, low_open=draw(st.booleans()))
        case "down":
            return Band(None, high, high_open=draw(st.booleans()))
    if low == high:
        return Band(low, high)
    return Band(low, high, low_open=draw(st.booleans()), high_open=draw(st.booleans()))


DICE = st.builds(Dice, st.integers(1, 20), st.integers(2, 100), ABOVE_0, SIGNED)
SHORT = st.integers(-999, 999).map(Decimal)
SHORT_DICE = st.builds(Dice, st.integers(1, 20), st.integers(2, 100), plus=SHORT)
BARE_DICE = st.builds(Dice, st.integers(1, 20), st.integers(2, 100), ABOVE_0)
COSTS = (
    st.builds(Cost, SIGNED)
    | st.just(Cost(Decimal(0), free=True))
    | st.builds(Cost, SIGNED, NOUNS, ABOVE_0, signed=st.booleans())
    | st.builds(Cost, SIGNED, st.none(), ABOVE_0, UNITS, signed=st.booleans())
)
VALUES: dict[str, st.SearchStrategy[Value]] = {
    "number": st.builds(Number, SIGNED),
    "fraction": st.builds(
        lambda top, bottom: Fraction(fractions.Fraction(top, bottom)),
        st.integers(-999_999_999, 999_999_999),
        st.integers(1, 999_999_999),
    ),
    "percent": st.builds(Percent, PLAIN),
    "dice": DICE,
    "band": bands(),
    "target": st.builds(Target, PLAIN, st.booleans()),
    "distance": st.builds(Distance, PLAIN | DICE, UNITS),
    "range": st.builds(Span, bands(ABOVE_0), UNITS),
    "angle": st.builds(Angle, st.integers(0, 3600).map(lambda tenths: Decimal(tenths) / 10)),
    "modifier": st.builds(Modifier, SIGNED | SHORT_DICE, unit=st.none() | UNITS)
    | st.builds(Modifier, BARE_DICE | SHORT_DICE, st.just(value=True), st.none() | UNITS),
    "count": st.builds(Count, PLAIN | bands(PLAIN.filter(bool)), NOUNS),
    "cost": COSTS,
    "text": st.builds(
        Text, st.text(min_size=1, max_size=99).filter(lambda t: t == t.strip() != "")
    ),
}
ALL = st.sampled_from(sorted(VALUES)).flatmap(lambda form: st.tuples(st.just(form), VALUES[form]))
ALPHABET = st.text(alphabet='0123456789d+-*./%°" cmuptoverndfsa–½٣\n', max_size=65)


def test_every_form_has_a_strategy() -> None:
    assert set(VALUES) == set(FORMS)


@pytest.mark.parametrize("form", sorted(VALUES))
@given(data=st.data())
def test_a_value_reads_back_from_its_own_text(form: str, data: st.DataObject) -> None:
    value = data.draw(VALUES[form])

    again = parse_value(form, str(value))

    assert again == value
    assert hash(again) == hash(value)
    assert str(again) == str(value)
    assert again.show() == value.show()


@given(ALL)
def test_a_value_travels_between_processes(drawn: tuple[str, Value]) -> None:
    _, value = drawn

    again = pickle.loads(pickle.dumps(value))  # noqa: S301 - our own bytes

    assert again == value
    assert str(again) == str(value)


@given(ALL)
def test_a_page_shows_no_hyphen_for_a_minus(drawn: tuple[str, Value]) -> None:
    form, value = drawn
    if form in {"text", "count", "cost"}:  # Words may have hyphens of their own.
        return

    assert "-" not in value.show()


@given(form=st.sampled_from(sorted(FORMS)), text=st.text(max_size=99) | ALPHABET)
def test_no_text_raises_anything_but_a_bad_value(form: str, text: str) -> None:
    value = told = None
    try:
        value = parse_value(form, text)
    except BadValue as bad:
        told = str(bad)

    if value is None:
        assert told is not None
        assert told.startswith("read ")
        assert told.isprintable()
    else:
        assert parse_value(form, str(value)) == value
        assert isinstance(value.show(), str)


RAW = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["text", "15mm", "25mm", "28m", ""]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(raw=RAW, form=st.sampled_from(sorted(FORMS)), known=st.booleans())
def test_no_cell_raises_anything_but_a_bad_value(raw: object, form: str, *, known: bool) -> None:
    try:
        told = read_cell(raw, form, ("15mm", "25mm") if known else ()).show()
    except BadValue as bad:
        told = str(bad)

    assert isinstance(told, str)


@given(band=bands(), other=bands(), number=SIGNED)
def test_bands_that_meet_share_no_number(band: Band, other: Band, number: Decimal) -> None:
    for whole in (True, False):
        if band.meets(other, whole) and (not whole or number == int(number)):
            assert not (band.holds(number) and other.holds(number))


@given(st.integers(-50, 50), st.integers(0, 9), st.integers(0, 9))
def test_whole_bands_tile_where_one_ends_and_the_next_begins(low: int, a: int, b: int) -> None:
    middle, high = low + a, low + a + b + 1
    first, second = Band(Decimal(low), Decimal(middle)), Band(Decimal(middle + 1), Decimal(high))

    held = [first.holds(Decimal(n)) + second.holds(Decimal(n)) for n in range(low, high + 1)]

    assert first.meets(second, whole=True)
    assert set(held) == {1}


@given(st.builds(Dice, st.integers(1, 4), st.integers(2, 12), ABOVE_0, SIGNED))
def test_chances_add_up_to_one_between_lowest_and_highest(dice: Dice) -> None:
    outcomes = dice.outcomes()

    assert sum(outcomes.values()) == 1
    assert min(outcomes) == dice.lowest()
    assert max(outcomes) == dice.highest()


@given(SIGNED, SIGNED)
def test_costs_per_thing_are_additive(amount: Decimal, number: Decimal) -> None:
    cost = Cost(amount, "stand")

    assert cost.points_for(number) + cost.points_for(Decimal(1)) == cost.points_for(number + 1)
